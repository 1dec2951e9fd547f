package enginetest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// Secret is two matches that a seat cannot tell apart, from where they begin to where they are left. In the one others are asked in
// secret and pass, in the other they are not asked, or not as often; a seat asked in both may show what it can do. It is for programs that
// show a running match to a seat.
type Secret struct {
	Seat  int       // that cannot tell them apart
	Games [2]string // the matches' games, which begin at a position: file names of one length are all that they differ in
	Seed  uint64    // of both
	Steps [2][]SecretStep
}

// SecretStep is a decision of a secret's match.
type SecretStep struct {
	Seat   int
	Action engine.Action
	Unseen bool // by the secret's seat
}

// Alike fails the test if what has been shown and told of one of the matches, piece by piece, is not what has been of the other.
func (s *Secret) Alike(t testing.TB, shown [2][]string) {
	t.Helper()
	for n := range max(len(shown[0]), len(shown[1])) {
		var piece [2]string
		for i := range shown {
			if piece[i] = "(nothing)"; n < len(shown[i]) {
				piece[i] = strings.ReplaceAll(shown[i][n], s.Games[i], "GAME")
			}
		}
		if piece[0] != piece[1] {
			t.Fatalf("%s, seat %d: others are asked in secret in one of two matches, and the seat can tell by piece %d of what it is shown: %s", s.Games[0], s.Seat, n, firstDifference(piece[0], piece[1]))
		}
	}
}

// Secrets finds n in matches of a game string that names no start.
func Secrets(t testing.TB, game string, n int) (found []*Secret) {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	w := &secrets{TB: t, game: game, folder: t.TempDir(), rand: engine.NewRand(1), m: g.NewMatch(), pair: [2]engine.Match{g.NewMatch(), g.NewMatch()}}
	for seed := uint64(1); ; seed++ {
		for w.m.Reset(seed); w.m.Seat() != engine.Over; {
			if s := w.secret(w.rand.Intn(g.Info().Seats)); s != nil {
				if found = append(found, s); len(found) == n {
					return found
				}
			}
			w.apply(w.m, w.choose(w.m, w.m))
		}
		if seed == 300 {
			t.Fatalf("%s: only %d secrets in %d matches; want %d", game, len(found), seed, n)
		}
	}
}

// secrets looks for secrets.
type secrets struct {
	testing.TB
	game   string
	folder string // of positions
	files  int
	rand   engine.Rand
	m      engine.Match    // at which secrets may begin
	pair   [2]engine.Match // from there
}

const (
	secretWorlds = 20 // that are looked at from a moment
	secretSteps  = 12 // that the seat sees of a secret, at most
)

// secret is one that begins at the match; nil if none is found.
func (w *secrets) secret(view int) *Secret {
	if engine.Veiled(w.m, view) {
		return nil
	}
	first := w.choose(w.m, w.m)
	if w.m.Sight(view, first) != engine.Open || w.passes(w.m, view, first) == 0 {
		return nil
	}
	other := w.pair[1]
	for range secretWorlds {
		other.CopyFrom(w.m)
		if other.Redeal(view, &w.rand); !other.Legal().Has(first) || w.passes(other, view, first) > 0 {
			continue
		}
		s := &Secret{Seat: view, Seed: w.rand.Uint64()}
		begun := [2]engine.Match{w.begin(s, 0, w.m), w.begin(s, 1, other)}
		for a := first; a >= 0 && len(s.Steps[1]) < secretSteps; a = w.choose(begun[0], begun[1]) {
			steps := s.Steps
			for i, m := range begun {
				w.step(s, i, m, a)
			}
			w.unveil(s, begun)
			if !w.alike(begun, view) {
				s.Steps = steps
				break
			}
		}
		if len(s.Steps[0]) != len(s.Steps[1]) {
			return s
		}
	}
	return nil
}

// begin makes a match of a secret's game, which begins as m stands.
func (w *secrets) begin(s *Secret, i int, m engine.Match) engine.Match {
	position, err := m.Position(engine.Full)
	if err != nil {
		w.Fatal(err)
	}
	w.files++
	file := filepath.Join(w.folder, fmt.Sprintf("%08d.json", w.files))
	if err := os.WriteFile(file, position, 0o600); err != nil {
		w.Fatal(err)
	}
	g, err := engine.NewGameWith(w.game, "start", file)
	if err != nil {
		w.Fatal(err)
	}
	s.Games[i] = g.Info().Config
	begun := g.NewMatch()
	begun.Reset(s.Seed)
	return begun
}

// passes is how often others pass in secret at once if a is chosen in m.
func (w *secrets) passes(m engine.Match, view int, a engine.Action) int {
	s, then := &Secret{Seat: view}, w.pair[0]
	then.CopyFrom(m)
	w.apply(then, a)
	w.pass(s, 0, then)
	return len(s.Steps[0])
}

// unveil continues until the seat may see both matches.
func (w *secrets) unveil(s *Secret, pair [2]engine.Match) {
	for engine.Veiled(pair[0], s.Seat) && engine.Veiled(pair[1], s.Seat) && pair[0].Seat() == pair[1].Seat() && w.rand.Intn(4) > 0 {
		a := w.choose(pair[0], pair[1])
		for i, m := range pair {
			w.step(s, i, m, a)
		}
	}
	for i, m := range pair {
		w.pass(s, i, m)
	}
}

// pass lets others pass until the seat may see the match.
func (w *secrets) pass(s *Secret, i int, m engine.Match) {
	for engine.Veiled(m, s.Seat) {
		a := m.Legal().First()
		for m.Sight(s.Seat, a) != engine.Unseen {
			a = m.Legal().Next(a)
		}
		w.step(s, i, m, a)
	}
}

func (w *secrets) step(s *Secret, i int, m engine.Match, a engine.Action) {
	s.Steps[i] = append(s.Steps[i][:len(s.Steps[i]):len(s.Steps[i])], SecretStep{m.Seat(), a, m.Sight(s.Seat, a) == engine.Unseen})
	w.apply(m, a)
}

func (w *secrets) apply(m engine.Match, a engine.Action) {
	if err := m.Apply(a); err != nil {
		w.Fatal(err)
	}
}

// choose is an action that is legal in both of two matches, often one without effect; −1 if there is none.
func (w *secrets) choose(m, other engine.Match) engine.Action {
	can := *m.Legal()
	for a := can.First(); a >= 0; a = can.Next(a) {
		if !other.Legal().Has(a) {
			can.Clear(a)
		}
	}
	pass, err := m.Info().ParseAction("pass")
	switch {
	case can.First() < 0:
		return -1
	case err == nil && can.Has(pass) && w.rand.Intn(2) == 0:
		return pass
	}
	return can.Sample(&w.rand)
}

// alike reports whether two matches ask the same seat, and show view the same.
func (w *secrets) alike(pair [2]engine.Match, view int) bool {
	var shown [2][]byte
	for i, m := range pair {
		position, err := m.Position(view)
		if err != nil {
			w.Fatal(err)
		}
		shown[i] = bytes.ReplaceAll(position, []byte(m.Info().Config), nil)
	}
	return pair[0].Seat() == pair[1].Seat() && bytes.Equal(shown[0], shown[1])
}
