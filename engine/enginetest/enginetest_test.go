package enginetest

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

func TestSoundGamePasses(t *testing.T) {
	Flat[toyState](t)
	Run(t, "toy", Options{Seeds: 40, Conserve: toyConserve})
}

func TestSoundGameInWhichOneSeatSeesAllPasses(t *testing.T) {
	Run(t, "toy(seer=1)", Options{Seeds: 40})
}

func TestSuiteFindsFaults(t *testing.T) {
	for _, c := range []struct{ fault, check, says string }{
		{"endless", "matches end by the rules", "not over after 2 decisions"},
		{"outcome legal", "matches end by the rules", "legal action 3"},
		{"large returns", "matches end by the rules", "not in [-1, 1]"},
		{"all win", "matches end by the rules", "sum to 1"},
		{"unseeded", "same seed and actions give the same match", "Equal says that they differ"},
		{"draws in Apply", "same seed and actions give the same match", "Equal says that they differ"},
		{"forgets", "positions round-trip", "read back from its position"},
		{"beyond the schema", "the schema names the parts of a position", `does not describe "extra"`},
		{"beyond the schema", "positions heed every value", "the same without the change"},
		{"takes unknown fields", "damaged positions are refused or playable", "accepted, but wrong"},
		{"takes what follows", "damaged positions are refused or playable", "accepted, but wrong"},
		{"takes any number", "damaged positions are refused or playable", "invariant"},
		{"takes any turn", "damaged positions are refused or playable", "no match reaches it"},
		{"panics", "damaged positions are refused or playable", "a negative number"},
		{"unseeded", "transcripts replay", "replay"},
		{"leaks", "redeal keeps what a seat knows", "changes what it sees"},
		{"leaks the generator", "redeal keeps what a seat knows", "changes what it sees"},
		{"telling decision", "redeal keeps what a seat knows", "changes what it sees"},
		{"telling mask", "redeal keeps what a seat knows", "changes what it sees"},
		{"telling scores", "redeal keeps what a seat knows", "score of seat"},
		{"redeals the seat itself", "redeal keeps what a seat knows", "changes what it sees"},
		{"no redeal", "redeal keeps what a seat knows", "not even the match's generator"},
		{"redeals nothing", "redeal keeps what a seat knows", "ever changed what the others see"},
		{"redeals by clock", "redeal keeps what a seat knows", "equal generators"},
		{"impossible redeal", "redeal keeps what a seat knows", "invariant"},
		{"redeals around what is hidden", "matches that a seat cannot tell apart stay alike", "chosen: "},
		{"telling words", "matches that a seat cannot tell apart stay alike", "It goes up"},
		{"telling events", "matches that a seat cannot tell apart stay alike", "what the seat is told depends"},
		{"telling mask", "matches that a seat cannot tell apart stay alike", "legal: "},
		{"redeals askew", "redeals are as likely as what chance deals", "of which 100.0 should be"},
		{"improbable", "explicit chance is sampled chance", "sum to 1.2"},
		{"overwrites", "explicit chance is sampled chance", "appended"},
		{"biased", "sampling follows the probabilities", "want about 500"},
		{"samples and deals", "sampling follows the probabilities", "changes the match"},
		{"allocates", "a match allocates nothing", "allocations"},
	} {
		t.Run(c.fault+"/"+c.check, func(t *testing.T) {
			s, err := newSuite("toy(fault="+c.fault+")", Options{Seeds: 40, Conserve: toyConserve})
			if err != nil {
				t.Fatal(err)
			}
			for _, check := range checks {
				if check.name != c.check {
					continue
				}
				if err := check.run(s); err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("the fault is not found; the check says: %v", err)
				}
				return
			}
			t.Fatalf("there is no check %q", c.check)
		})
	}
}

func TestObservationsAndInvariantsAreChecked(t *testing.T) {
	oracle := func(m engine.Match, seat int) []byte { return m.Bytes() }
	s, err := newSuite("toy", Options{Observe: oracle})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.redeal(); err == nil || !strings.Contains(err.Error(), "observation") {
		t.Errorf("an observation that shows everything is accepted: %v", err)
	}
	blind := func(engine.Match, int) []byte { return nil }
	if s, err = newSuite("toy", Options{Observe: blind, Conserve: toyConserve}); err != nil {
		t.Fatal(err)
	}
	for _, check := range []func() error{s.redeal, s.ends, s.copies, s.deterministic, s.chance} {
		if err := check(); err != nil {
			t.Error(err)
		}
	}
}

func TestFlatFindsWhatIsNotFlat(t *testing.T) {
	type nested struct{ Names []string }
	faults := strings.Join(append(append(
		notFlat("A", reflect.TypeFor[struct {
			A uint8
			B uint32
			C uint8
		}]()),
		notFlat("B", reflect.TypeFor[[2]struct {
			P *int
			M map[int]int
			S string
			I any
			N nested
		}]())...),
		notFlat("C", reflect.TypeFor[struct {
			F float32
			_ [4]uint8
			N int
		}]())...), "\n")
	for _, want := range []string{
		"A: 3 bytes of padding before B", "A: 3 bytes of padding at the end",
		"B[].P: a *int", "B[].M: a map", "B[].S: a string", "B[].I: a interface", "B[].N.Names: a []string",
		"C.F: a float32", "C: a blank field", "C.N: the size of int",
	} {
		if !strings.Contains(faults, want) {
			t.Errorf("%q is not among the faults found:\n%s", want, faults)
		}
	}
}

func TestClausesAndTestsAreMatched(t *testing.T) {
	const test = `package x
import suite "example.com/engine/enginetest"
func TestOne(t *testing.T) {
	suite.Clause(t, "MOV-1", "MOV-2")
	t.Run("", func(t *testing.T) { suite.Clause(t, "ATT-10") })
}
func TestTwo(t *testing.T) { suite.Clause(t, "MOV-9"); other.Clause(t, "MOV-3") }
func helper(t *testing.T) { suite.Clause(t, "MOV-3") }
`
	const rules = `
- **MOV-1** a
* **MOV-2** b
1. **MOV-3** c, see **MOV-7**
| **ATT-10** | d |
- **MOV-1** again
`
	dir := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "x_test.go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(test)
	faults, err := clauseFaults(rules, dir)
	if err != nil {
		t.Fatal(err)
	}
	want := "TestTwo names clause MOV-9, which the rules do not have|clause MOV-1 is written twice|no test names clause MOV-3"
	if got := strings.Join(faults, "|"); got != want {
		t.Errorf("found %s, want %s", got, want)
	}
	write(strings.Replace(test, `"MOV-9"`, `id`, 1))
	if _, err := clauseFaults(rules, dir); err == nil {
		t.Error("an id that is not literal is accepted")
	}
	if _, err := clauseFaults("no clauses", dir); err == nil {
		t.Error("rules without clauses are accepted")
	}
}

func TestCitedFindsClausesThatNoCodeCites(t *testing.T) {
	const rules = "- **MOV-1** a\n- **MOV-2** b\n- **MOV-3** c\n"
	dir := t.TempDir()
	for name, text := range map[string]string{
		"x.go":      "package x\n\n// sail sails.\n// Clauses MOV-1, MOV-9; it writes UTF-8.\nfunc sail() {\n\t_ = 1 // MOV-3: so it goes\n}\n\nconst no = \"MOV-2\"\n",
		"x_test.go": "package x\n\n// MOV-2 is tested.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	faults, err := citationFaults(rules, dir)
	if err != nil {
		t.Fatal(err)
	}
	const cites, uncited = "cites clause MOV-9, which the rules do not have", "no code cites clause MOV-2"
	if len(faults) != 2 || !strings.Contains(faults[0], cites) || !strings.HasPrefix(faults[1], uncited) {
		t.Errorf("found %q, want that code %s and that %s", faults, cites, uncited)
	}
}

// recorder is a test whose failures are looked at.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, format)
}

func TestGoldenComparesByteForByte(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "toy.txt")
	text := Playthrough(t, Random(t, "toy(chance=explicit)", 1), "generator")
	Golden(t, path, text, true)
	r := &recorder{TB: t}
	if Golden(r, path, text, false); len(r.failures) != 0 {
		t.Errorf("equal texts: %v", r.failures)
	}
	if Golden(r, path, append(text, '\n'), false); len(r.failures) != 1 {
		t.Error("an added line is not noticed")
	}
	if !strings.Contains(string(text), "chance number=") || !strings.Contains(string(text), "#   numbers: [-1,-1] → [") {
		t.Errorf("the playthrough does not say what happened:\n%s", text)
	}
	if _, err := engine.ReadTranscript(strings.NewReader(string(text))); err != nil {
		t.Errorf("the playthrough does not read back: %v", err)
	}
}
