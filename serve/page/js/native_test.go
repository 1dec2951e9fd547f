package js_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"hash"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

var (
	folder      = flag.String("package", "", "folder of the npm package, as make npm writes it: what it computes is compared with this program, under Node")
	transcripts = flag.Int("transcripts", 200, "how many matches are compared with -package")
	decisions   = flag.Int("decisions", 10_000, "of policies that are compared with -package, at least")
)

// most is how many bytes a visitor may load for a match against the captain.
const most = 2_070_000

// configurations are played in turn.
var configurations = []string{
	"doubloons(seats=4)", "jolly_roger(seats=6)", "doubloons(seats=2)", "jolly_roger(seats=3)", "kuhn", "leduc", "liars_dice(seats=4)",
	"doubloons(seats=6,modules=black_jewel+compass)", "jolly_roger(seats=10,bribes=gifts)", "doubloons(seats=3,modules=alternate_island)", "jolly_roger(seats=7)",
}

// question is a match and what is asked of it.
type question struct {
	Game    string          `json:"game"`
	Seed    engine.Long     `json:"seed"`
	Actions []engine.Action `json:"actions"`
	Player  string          `json:"player,omitempty"` // who thinks about it
}

func newGame(t *testing.T, name string) engine.Game {
	t.Helper()
	g, err := engine.NewGame(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// played is a match between the quick bots of a game.
func played(t *testing.T, name string, seed uint64) question {
	t.Helper()
	g := newGame(t, name)
	names := bots.Names(g)
	players := make([]bots.Bot, g.Info().Seats)
	for seat := range players {
		var err error
		if players[seat], err = bots.New(names[(seat+int(seed))%len(names)], g); err != nil {
			t.Fatal(err)
		}
	}
	m, r := g.NewMatch(), engine.NewRand(seed)
	m.Reset(seed)
	q := question{Game: name, Seed: engine.Long(seed)}
	for m.Seat() != engine.Over {
		a := players[m.Seat()].Act(m, &r)
		q.Actions = append(q.Actions, a)
		if err := m.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	return q
}

// witness digests what this program shows of a match, as same.mjs does of the package.
type witness struct {
	t       *testing.T
	m       engine.Match
	encoder *encode.Encoder
	log     *engine.Log
	heard   map[int]int // events, by view
	hash    hash.Hash
	all     []string
}

func digests(t *testing.T, q question) []string {
	t.Helper()
	g := newGame(t, q.Game)
	w := &witness{t: t, m: g.NewMatch(), heard: map[int]int{}, hash: sha256.New()}
	var err error
	if w.encoder, err = encode.For(g); err != nil {
		t.Fatal(err)
	}
	w.log = engine.Listen(w.m)
	w.m.Reset(uint64(q.Seed))
	for i := range len(q.Actions) + 1 {
		fmt.Fprintf(w.hash, "%d %d\n", i, w.m.Seat())
		if w.m.Seat() >= 0 {
			w.encoding()
		}
		if i%16 == 0 || i == len(q.Actions) {
			w.show()
		}
		if i < len(q.Actions) {
			if err := w.m.Apply(q.Actions[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return w.all
}

func (w *witness) encoding() {
	obs, mask, rows := make([]byte, w.encoder.Schema().Size), make([]byte, len(w.m.Info().Actions)), make([]byte, w.m.Legal().Count()*w.encoder.ActionSize())
	w.encoder.Encode(w.m, w.m.Seat(), obs)
	w.m.Legal().Expand(mask)
	w.encoder.EncodeActions(w.m, rows)
	w.hash.Write(slices.Concat(obs, mask, rows))
}

func (w *witness) show() {
	for _, view := range []int{engine.Full, 0} {
		position, err := w.m.Position(view)
		if err != nil {
			w.t.Fatal(err)
		}
		picture, err := engine.Picture(w.m, view)
		if err != nil {
			w.t.Fatal(err)
		}
		fmt.Fprintf(w.hash, "%s\n%s\n%s\n%t\n", w.canonical(position), picture, w.m.Render(view), !engine.Veiled(w.m, view))
		var news []engine.Event
		if !engine.Veiled(w.m, view) {
			news = w.log.Since(w.heard[view])
			w.heard[view] = w.log.Count()
		}
		events := []any{}
		for _, e := range news {
			if seen := engine.EventSeen(w.m, e, view); seen != nil {
				events = append(events, seen)
			}
		}
		text, err := json.Marshal(events)
		if err != nil {
			w.t.Fatal(err)
		}
		fmt.Fprintf(w.hash, "%s\n", w.canonical(text))
		for _, sentence := range engine.Tell(w.m, news, view) {
			fmt.Fprintln(w.hash, sentence)
		}
	}
	for a := w.m.Legal().First(); a >= 0; a = w.m.Legal().Next(a) {
		_, words := engine.Point(w.m, a)
		fmt.Fprintln(w.hash, a, w.m.Info().ActionName(a), words)
	}
	returns, texts := make([]float32, w.m.Info().Seats), []string{}
	w.m.Returns(returns)
	for _, x := range returns {
		texts = append(texts, strconv.FormatFloat(float64(x), 'g', -1, 32))
	}
	fmt.Fprintf(w.hash, "%s\n%s\n", w.m.Decision(), strings.Join(texts, " "))
	w.all = append(w.all, fmt.Sprintf("%x", w.hash.Sum(nil)))
	w.hash.Reset()
}

// canonical is JSON with its keys in order.
func (w *witness) canonical(text []byte) string {
	var parsed any
	if err := json.Unmarshal(text, &parsed); err != nil {
		w.t.Fatal(err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(parsed); err != nil {
		w.t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// thoughts is what a policy thinks of each decision of a match, to the bit.
func thoughts(t *testing.T, q question, b *bundle.Bundle) []string {
	t.Helper()
	g := newGame(t, q.Game)
	bot, err := policy.Of(q.Player, b, g)
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(uint64(q.Seed))
	var all []string
	bits := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return fmt.Sprintf("%016x", math.Float64bits(x))
	}
	for i, a := range q.Actions {
		if m.Seat() >= 0 {
			r := engine.NewRand(uint64(i)).At(1)
			account := bots.Explain(bot, m, &r)
			parts := []string{strconv.Itoa(int(account.Choice))}
			for _, c := range account.Actions {
				parts = append(parts, bits(c.Prob))
			}
			for _, x := range account.Value {
				parts = append(parts, bits(x))
			}
			all = append(all, strings.Join(parts, " "))
		}
		if err := m.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// ask asks the package under Node.
func ask(t *testing.T, questions []question) [][]string {
	t.Helper()
	var in bytes.Buffer
	e := json.NewEncoder(&in)
	for _, q := range questions {
		if err := e.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command("node", "same.mjs", *folder)
	run.Stdin, run.Stderr = &in, os.Stderr
	out, err := run.Output()
	if err != nil {
		t.Fatalf("node: %v: %.2000s", err, out)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(lines) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(lines), len(questions))
	}
	answers := make([][]string, len(lines))
	for i, line := range lines {
		if err := json.Unmarshal(line, &answers[i]); err != nil {
			t.Fatal(err)
		}
	}
	return answers
}

// With -package DIR, what the npm package shows of matches and its policies think of them is what this program does, to the last bit. Without
// one, what would be compared is computed of a few matches, and must tell them apart.
func TestThePackageComputesWhatTheNativeProgramDoes(t *testing.T) {
	all := len(configurations)
	if *folder != "" {
		all = *transcripts
	}
	var questions []question
	var want [][]string
	seen := map[string]bool{}
	for i := range all {
		q := played(t, configurations[i%len(configurations)], uint64(i))
		questions, want = append(questions, q), append(want, digests(t, q))
		if last := want[i][len(want[i])-1]; seen[last] {
			t.Errorf("%s %d: the digest of another match", q.Game, q.Seed)
		} else {
			seen[last] = true
		}
	}
	if *folder == "" {
		return
	}
	compared := 0
	list, err := filepath.Glob(filepath.Join(*folder, "policies", "*"+bundle.Ext))
	if err != nil || len(list) == 0 {
		t.Fatalf("the package has no policies: %v", err)
	}
	for seed := uint64(0); compared < *decisions; seed++ {
		for _, path := range list {
			b, err := bundle.Load(path)
			if err != nil {
				t.Fatal(err)
			}
			q := played(t, b.Game, seed)
			q.Player, _, _ = strings.Cut(filepath.Base(path), ".")
			of := thoughts(t, q, b)
			questions, want = append(questions, q), append(want, of)
			compared += len(of)
		}
	}
	for i, got := range ask(t, questions) {
		q := questions[i]
		if len(got) != len(want[i]) {
			t.Errorf("%s %d %s: %d parts: want %d", q.Game, q.Seed, q.Player, len(got), len(want[i]))
			continue
		}
		for k := range got {
			if got[k] != want[i][k] {
				t.Errorf("%s %d %s: part %d: the package has %.300q, this program %.300q", q.Game, q.Seed, q.Player, k, got[k], want[i][k])
				break
			}
		}
	}
	t.Logf("%d matches and %d decisions of policies are compared", all, compared)
}

// What a visitor loads for a match against the captain.
func TestThePackageIsSmall(t *testing.T) {
	if *folder == "" {
		return // there is none
	}
	sum := int64(0)
	for _, name := range []string{"index.js", "files.js", "unpack.js", "wasm_exec.js", "privateer.wasm.lzma", "policies/captain.*"} {
		paths, err := filepath.Glob(filepath.Join(*folder, name))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%s: %v, %v", name, paths, err)
		}
		info, err := os.Stat(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		sum += info.Size()
	}
	t.Logf("%d bytes", sum)
	if sum > most {
		t.Errorf("want at most %d", most)
	}
}
