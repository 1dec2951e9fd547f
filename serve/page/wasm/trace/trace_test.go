package trace_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/serve/page/wasm/trace"
)

var page = flag.String("page", "", "folder of a page without a server, as make page writes it: its program is compared with this one, under Node")

// configurations are played in turn.
var configurations = []string{
	"doubloons(seats=4)", "jolly_roger(seats=6)", "doubloons(seats=2)", "jolly_roger(seats=3)", "kuhn", "leduc",
	"doubloons(seats=6,modules=black_jewel+compass)", "jolly_roger(seats=10,bribes=gifts)", "doubloons(seats=3,modules=alternate_island)", "jolly_roger(seats=7)",
}

// played is a match between the quick bots of a game.
func played(t *testing.T, game string, seed uint64) *engine.Transcript {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	names := bots.Names(g)
	players := make([]bots.Bot, g.Info().Seats)
	for seat := range players {
		if players[seat], err = bots.New(names[(seat+int(seed))%len(names)], g); err != nil {
			t.Fatal(err)
		}
	}
	m, r := g.NewMatch(), engine.NewRand(seed)
	m.Reset(seed)
	record := &engine.Transcript{Game: g.Info().Config, Seed: seed}
	for m.Seat() != engine.Over {
		a := players[m.Seat()].Act(m, &r)
		record.Record(m, a)
		if err := m.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	record.Returns = make([]float32, g.Info().Seats)
	m.Returns(record.Returns)
	return record
}

func text(t *testing.T, record *engine.Transcript) string {
	t.Helper()
	var b bytes.Buffer
	if err := record.Write(&b, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTracesTellMatchesApart(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(3) {
		for _, game := range []string{"kuhn", "leduc"} {
			record := played(t, game, seed)
			digest, err := trace.Match(record)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := trace.Match(record); err != nil || again != digest {
				t.Errorf("%s: %s, and again %s: %v", game, digest, again, err)
			}
			if seen[digest] {
				t.Errorf("%s %d: the digest of another match", game, seed)
			}
			seen[digest] = true
		}
	}
	record := played(t, "kuhn", 1)
	record.Steps = append(record.Steps, engine.Step{Seat: 0, Action: "pass"})
	if _, err := trace.Match(record); err == nil {
		t.Error("a transcript that goes on after the end has a trace")
	}
}

// node asks the page's program under Node.
func node(t *testing.T, questions [][]string) []json.RawMessage {
	t.Helper()
	folder, err := filepath.Abs(*page)
	if err != nil {
		t.Fatal(err)
	}
	var in bytes.Buffer
	for _, q := range questions {
		line, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	run := exec.Command("node", "node.mjs", folder)
	run.Stdin, run.Stderr = &in, os.Stderr
	out, err := run.Output()
	if err != nil {
		t.Fatalf("node: %v: %.2000s", err, out)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(lines) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(lines), len(questions))
	}
	answers := make([]json.RawMessage, len(lines))
	for i, line := range lines {
		answers[i] = line
	}
	return answers
}

var (
	transcripts = flag.Int("transcripts", 200, "how many are compared with -page")
	decisions   = flag.Int("decisions", 1000, "of policies that are compared with -page, at least")
)

// With -page DIR the program in a page's folder must compute what this one does, to the last bit.
func TestThePageComputesWhatTheNativeProgramDoes(t *testing.T) {
	var questions [][]string
	var want []string
	all := 6
	if *page != "" {
		all = *transcripts
	}
	for i := range all {
		record := played(t, configurations[i%len(configurations)], uint64(i))
		digest, err := trace.Match(record)
		if err != nil {
			t.Fatal(err)
		}
		questions, want = append(questions, []string{"match", text(t, record)}), append(want, digest)
	}
	if *page == "" {
		return // as far as it can be tried without a page
	}
	policies := outputs(t, &questions, &want)
	for i, answer := range node(t, questions) {
		var got string
		if err := json.Unmarshal(answer, &got); err != nil {
			t.Fatal(err)
		}
		if got != want[i] {
			t.Errorf("%.60q: the page has %.200q, this program %.200q", questions[i], got, want[i])
		}
	}
	t.Logf("%d transcripts and %d decisions of policies are compared", all, policies)
}

// outputs adds what the page's policies choose, and returns at how many decisions.
func outputs(t *testing.T, questions *[][]string, want *[]string) int {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(*page, "policies", "*"+bundle.Ext))
	if err != nil || len(list) == 0 {
		t.Fatalf("the page has no policies: %v", err)
	}
	done := 0
	for seed := uint64(0); done < *decisions; seed++ {
		for _, path := range list {
			b, err := bundle.Load(path)
			if err != nil {
				t.Fatal(err)
			}
			record := played(t, b.Game, seed)
			g, err := engine.NewGame(b.Game)
			if err != nil {
				t.Fatal(err)
			}
			bot, err := policy.Of("it", b, g)
			if err != nil {
				t.Fatal(err)
			}
			lines, err := trace.Outputs(record, bot)
			if err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(filepath.Base(path), ".")
			*questions, *want = append(*questions, []string{"outputs", text(t, record), policy.Prefix + name}), append(*want, lines)
			done += strings.Count(lines, "\n")
		}
	}
	return done
}

// A match on the page's own desk: the longest that its program took to answer is said, not judged.
func TestThePagePlaysMatchesWithItsPolicies(t *testing.T) {
	if *page == "" {
		return // there is none
	}
	list, err := filepath.Glob(filepath.Join(*page, "policies", "*"+bundle.Ext))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range list {
		b, err := bundle.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		g, err := engine.NewGame(b.Game)
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		seats := make([]string, g.Info().Seats)
		for i := range seats {
			seats[i] = policy.Prefix + name
		}
		seats[0] = "person"
		opening, err := json.Marshal(map[string]any{"do": "open", "game": b.Game, "seats": seats, "seed": "5", "friendly": true})
		if err != nil {
			t.Fatal(err)
		}
		thinking, err := json.Marshal(map[string]any{"do": "think", "bot": policy.Prefix + name})
		if err != nil {
			t.Fatal(err)
		}
		answers := node(t, [][]string{{"ask", string(opening)}, {"ask", string(thinking)}, {"ask", string(thinking)}})
		for _, a := range answers {
			var got struct {
				Heard []struct {
					Is  string
					Why string
				}
				MS float64
			}
			if err := json.Unmarshal(a, &got); err != nil || got.Heard[0].Is == "refusal" {
				t.Fatalf("%v: %.300s", err, a)
			}
			t.Logf("%s: %s after %.0f ms", name, got.Heard[len(got.Heard)-1].Is, got.MS)
		}
	}
}
