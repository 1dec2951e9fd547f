package search_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// dozer is a player of rollouts that thinks until it is stopped.
type dozer struct{ over func() bool }

var dozing atomic.Int64

// guests makes bots of these tests' own, also for the settings of searches.
var guests = bots.Maker{Others: func(name string, _ engine.Game) (bots.Bot, error) {
	switch name {
	case "dozer":
		return &dozer{}, nil
	case "bomb":
		return bomb{}, nil
	}
	return nil, nil
}}

func guest(t *testing.T, name string, g engine.Game) bots.Bot {
	t.Helper()
	b, err := guests.New(name, g)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (*dozer) Name() string             { return "dozer" }
func (d *dozer) Until(over func() bool) { d.over = over }
func (d *dozer) Act(engine.Match, *engine.Rand) engine.Action {
	dozing.Add(1)
	for !d.over() {
		time.Sleep(100 * time.Microsecond)
	}
	return bots.Stopped
}

// bomb panics.
type bomb struct{}

func (bomb) Name() string                                 { return "bomb" }
func (bomb) Act(engine.Match, *engine.Rand) engine.Action { panic("it goes off") }

// Whenever a search is stopped, it decides nothing and soon; and what it decides when it is asked again is what it would have decided.
func TestASearchThatIsStoppedDecidesNothingAndAgainTheSame(t *testing.T) {
	const captains = "policy:captain+captain"
	for game, names := range map[string][]string{
		"leduc": {"search(rollouts=200)", "ismcts(simulations=200)", "ismcts(simulations=200,observers=single)"},
		"doubloons(seats=3)": {
			"search(rollouts=60)", "search(rollouts=40,rivals=policy,policy=random,prior=heuristic)", "search(rollouts=60,eta=20)", captains,
			"search(rollouts=4,best=2,prior=" + captains + ",rollout=" + captains + ")", "ismcts(simulations=20,select=puct,prior=heuristic)",
		},
	} {
		g := makeGame(t, game)
		for _, name := range names {
			one, err := policy.NewBot(name, g)
			if err != nil {
				t.Fatal(err)
			}
			m, stopped := g.NewMatch(), 0
			m.Reset(3)
			for m.Legal().Count() < 2 {
				if err := m.Apply(m.Legal().First()); err != nil {
					t.Fatal(err)
				}
			}
			first := engine.NewRand(7)
			want := one.Act(m, &first)
			for after := int64(0); ; after += 1 + after/2 {
				var asked atomic.Int64
				bots.Until(one, func() bool { return asked.Add(1) > after })
				r := engine.NewRand(7)
				got := one.Act(m, &r)
				n := asked.Load()
				bots.Until(one, nil)
				if got != bots.Stopped && (got != want || r != first) {
					t.Fatalf("%s of %s, stopped after %d looks: %d, want %d", name, game, after, got, want)
				}
				if n > after+50 {
					t.Errorf("%s of %s continues for %d looks when it is to stop", name, game, n-after)
				}
				r = engine.NewRand(7)
				if again := one.Act(m, &r); again != want || r != first {
					t.Fatalf("%s of %s, stopped after %d looks and asked again: %d, want %d", name, game, after, again, want)
				}
				if got != bots.Stopped {
					break
				}
				stopped++
			}
			if stopped == 0 {
				t.Errorf("%s of %s is never stopped", name, game)
			}
		}
	}
}

// What ends a search ends the players that it asks itself, and leaves the stream as it was.
func TestTheEndOfASearchReachesWhomItAsks(t *testing.T) {
	g := makeGame(t, "kuhn")
	for _, name := range []string{
		"search(rollout=dozer,prior=uniform)", "search(prior=dozer)", "search(rollout=random,policy=dozer,prior=uniform)",
		"ismcts(rollout=dozer)", "ismcts(select=puct,prior=dozer)",
	} {
		b := guest(t, name, g)
		m, r := g.NewMatch(), engine.NewRand(1)
		m.Reset(1)
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("nobody waits")
		before := dozing.Load()
		go func() {
			for dozing.Load() == before {
				time.Sleep(100 * time.Microsecond)
			}
			cancel(why)
		}()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			if a, err := bots.Decide(ctx, b, m, &r); a != bots.Stopped || !errors.Is(err, why) || r != engine.NewRand(1) {
				t.Errorf("%s decides on %d: %v", name, a, err)
			}
			if _, err := bots.Consider(ctx, b, m, &r); !errors.Is(err, why) {
				t.Errorf("%s, asked again: %v", name, err)
			}
		}()
		select {
		case <-ended:
		case <-time.After(2 * time.Minute):
			t.Fatalf("%s does not end", name)
		}
	}
}

// A panic in a search's own goroutine is its caller's, who can recover from it.
func TestAPanicOfARolloutIsTheCallers(t *testing.T) {
	g := makeGame(t, "kuhn")
	for _, name := range []string{"search(rollout=bomb,prior=uniform)"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			m, r := g.NewMatch(), engine.NewRand(1)
			m.Reset(1)
			guest(t, name, g).Act(m, &r)
		}()
	}
}
