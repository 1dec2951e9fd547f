package search

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games/leduc"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// choice is a match of Leduc whose seat has at least a number of actions.
func choice(t *testing.T, actions int) (engine.Game, engine.Match) {
	t.Helper()
	g, err := engine.NewGame("leduc")
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(1)
	for m.Legal().Count() < actions {
		if err := m.Apply(m.Legal().Next(m.Legal().First())); err != nil {
			t.Fatal(err)
		}
	}
	return g, m
}

// A budget in time is shared out over the laps by the clock. Here the clock continues by a millisecond each time that it is looked at, which is once before the
// first lap and once after each world.
func TestABudgetInTimeEndsByTheClockAndSaysThatItIsNotReproducible(t *testing.T) {
	g, m := choice(t, 2)
	actions := m.Legal().Count()
	for _, c := range []struct {
		name   string
		worlds int // of the actions that are tried to the end
	}{
		{"search(ms=40)", 40}, {"search(ms=1)", 1},
	} {
		b, err := bots.New(c.name, g)
		if err != nil {
			t.Fatal(err)
		}
		s := b.(*Search)
		clock := time.Unix(0, 0)
		s.flat.now = func() time.Time {
			clock = clock.Add(time.Millisecond)
			return clock
		}
		r := engine.NewRand(2)
		account := s.Explain(m, &r)
		most := 0
		for _, a := range account.Actions {
			most = max(most, a.Visits)
		}
		if len(account.Actions) != actions || most != c.worlds {
			t.Errorf("%s: %d worlds, want %d: %+v", c.name, most, c.worlds, account)
		}
		if notes := strings.Join(account.Notes, "; "); !strings.Contains(notes, "another time there may be more or fewer, and another choice") {
			t.Errorf("%s says only %q", c.name, notes)
		}
	}
	// A budget in rollouts looks at no clock.
	b, err := bots.New("search(rollouts=20)", g)
	if err != nil {
		t.Fatal(err)
	}
	s := b.(*Search)
	s.flat.now = func() time.Time { t.Error("a budget in rollouts looks at the clock"); return time.Now() }
	r := engine.NewRand(2)
	if notes := s.Explain(m, &r).Notes; len(notes) != 1 {
		t.Errorf("a budget in rollouts says %q", notes)
	}
}

// When time is up the laps that are left are not begun: of three actions the first lap tries all, and there is no second.
func TestABudgetInTimeThatIsSpentEndsTheSearch(t *testing.T) {
	g, m := choice(t, 3)
	b, err := bots.New("search(ms=2)", g)
	if err != nil {
		t.Fatal(err)
	}
	s := b.(*Search)
	clock := time.Unix(0, 0)
	s.flat.now = func() time.Time {
		clock = clock.Add(5 * time.Millisecond)
		return clock
	}
	r := engine.NewRand(2)
	for _, a := range s.Explain(m, &r).Actions {
		if a.Visits != 1 {
			t.Errorf("time was up after one world, and an action was tried in %d", a.Visits)
		}
	}
}

// sundial plays at random, and the clock continues by a millisecond with each of its decisions.
type sundial struct{ clock time.Time }

func (*sundial) Name() string { return "sundial" }

func (s *sundial) Act(m engine.Match, r *engine.Rand) engine.Action {
	s.clock = s.clock.Add(time.Millisecond)
	return m.Legal().Sample(r)
}

// However often actions are to be played on in a world, no world takes more time than there is for its lap.
func TestABudgetInTimeHoldsWithManyLucks(t *testing.T) {
	g, m := choice(t, 3)
	for _, c := range []struct {
		draws    int
		ms, most time.Duration
	}{{1, 400, 420}, {4, 400, 500}, {100, 400, 600}, {1000, 400, 600}, {1000, 4000, 6000}} {
		dial := &sundial{time.Unix(0, 0)}
		mk := bots.Maker{Others: func(name string, _ engine.Game) (bots.Bot, error) {
			if name == dial.Name() {
				return dial, nil
			}
			return nil, nil
		}}
		b, err := mk.New(fmt.Sprintf("search(ms=%d,draws=%d,rollout=sundial,prior=uniform)", c.ms, c.draws), g)
		if err != nil {
			t.Fatal(err)
		}
		s, start := b.(*Search), dial.clock
		s.flat.now = func() time.Time { return dial.clock }
		r := engine.NewRand(2)
		s.Act(m, &r)
		if took := dial.clock.Sub(start); took < c.ms*time.Millisecond*3/4 || took > c.most*time.Millisecond {
			t.Errorf("with %d draws a search of %d ms took %v, want at most %d ms", c.draws, c.ms, took, c.most)
		}
		if c.draws > 1 && s.flat.draws < 2 {
			t.Errorf("of %d draws the search tries actions with %d", c.draws, s.flat.draws)
		}
		for _, a := range s.flat.tried {
			if want := 1 + (a.visits-1)*s.flat.draws; a.played != want {
				t.Errorf("%d rollouts of an action in %d worlds are counted, want %d: one in the first, %d in the others", a.played, a.visits, want, s.flat.draws)
			}
		}
	}
}
