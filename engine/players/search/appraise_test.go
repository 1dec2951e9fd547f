package search_test

import (
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/search"
)

// withPlayers makes a search that knows these bots by name too.
func withPlayers(tb testing.TB, name string, g engine.Game, known map[string]bots.Bot) *search.Search {
	tb.Helper()
	b, err := bots.Maker{Others: func(name string, _ engine.Game) (bots.Bot, error) { return known[name], nil }}.New(name, g)
	if err != nil {
		tb.Fatal(err)
	}
	return b.(*search.Search)
}

func TestAnAppraisalTriesEveryActionInAsManyWorlds(t *testing.T) {
	const worlds = 5
	for _, table := range tables {
		g := makeGame(t, table)
		appraiser := makeBot(t, "search", g).(*search.Search)
		var room, again []bots.Considered
		decisions(t, g, 3, 9, func(m engine.Match, r engine.Rand) {
			same := r
			_, room = appraiser.Appraise(m, worlds, &r, room[:0])
			legal, k := m.Legal(), 0
			for a := legal.First(); a >= 0; a, k = legal.Next(a), k+1 {
				if k >= len(room) || room[k].Action != a || room[k].Visits != worlds || math.IsNaN(room[k].Lead) || math.IsNaN(room[k].Doubt) {
					t.Fatalf("%s: %s: %+v; want each action tried %d times", table, m.Decision(), room, worlds)
				}
			}
			if _, again = makeBot(t, "search", g).(*search.Search).Appraise(m, worlds, &same, again[:0]); !reflect.DeepEqual(again, room) {
				t.Fatalf("%s: %s: %+v, and %+v by another search", table, m.Decision(), room, again)
			}
		})
	}
}

func TestAppraisingAllocatesNothing(t *testing.T) {
	for _, table := range []string{"leduc", "doubloons(seats=3)", "jolly_roger(seats=4)"} {
		g := makeGame(t, table)
		s := makeBot(t, "search", g).(*search.Search)
		room := make([]bots.Considered, 0, len(g.Info().Actions))
		decisions(t, g, 1, 40, func(m engine.Match, r engine.Rand) {
			luck := r
			if n := testing.AllocsPerRun(3, func() { s.Appraise(m, 4, &luck, room) }); n > 0 {
				t.Errorf("%s: %v allocations at: %s", table, n, m.Decision())
			}
		})
	}
}

// seated notes what it could draw when rollouts begin.
type seated struct {
	bots.Bot
	drawn []uint64
}

func (s *seated) Sit(r *engine.Rand) { s.drawn = append(s.drawn, r.Uint64()) }

func TestSiblingsMeetTheSamePlayersInAWorld(t *testing.T) {
	const worlds = 6
	g := makeGame(t, "doubloons(seats=4)")
	player := &seated{Bot: makeBot(t, "random", g)}
	s := withPlayers(t, "search(rollout=seated)", g, map[string]bots.Bot{"seated": player})
	decisions(t, g, 1, 20, func(m engine.Match, r engine.Rand) {
		player.drawn = player.drawn[:0]
		s.Appraise(m, worlds, &r, nil)
		n, met := m.Legal().Count(), map[uint64]bool{}
		if len(player.drawn) != n*worlds {
			t.Fatalf("%d rollouts of %d actions", len(player.drawn), n)
		}
		for i, x := range player.drawn {
			if x != player.drawn[i/n*n] {
				t.Fatalf("rollout %d begins with other luck than those of its world", i)
			}
			met[x] = true
		}
		if len(met) != worlds {
			t.Errorf("%d worlds of %d have luck of their own", len(met), worlds)
		}
	})
}

// onlooker notes what all seats hold in rollouts.
type onlooker struct {
	bots.Bot
	seen map[string]bool
}

func (o *onlooker) Act(m engine.Match, r *engine.Rand) engine.Action {
	o.seen[m.Render(engine.Full)] = true
	return o.Bot.Act(m, r)
}

func TestInTheMatchRivalsHoldWhatTheyHold(t *testing.T) {
	g := makeGame(t, "kuhn(seats=3)")
	card := regexp.MustCompile("card .")
	hands := func(picture string) string { return strings.Join(card.FindAllString(picture, -1), " ") }
	for _, actual := range []bool{false, true} {
		o := &onlooker{Bot: makeBot(t, "random", g)}
		s := withPlayers(t, "search(rollout=onlooker)", g, map[string]bots.Bot{"onlooker": o})
		s.InTheMatch(actual)
		others := 0
		for seed := range uint64(5) {
			m, r := g.NewMatch(), engine.NewRand(seed)
			m.Reset(seed)
			o.seen = map[string]bool{}
			s.Appraise(m, 20, &r, nil)
			for picture := range o.seen {
				if hands(picture) != hands(m.Render(engine.Full)) {
					others++
				}
			}
		}
		if actual != (others == 0) {
			t.Errorf("InTheMatch(%v): %d rollouts with other hands", actual, others)
		}
	}
}

func TestDealingAgainToFullChangesNothingThatLies(t *testing.T) {
	for _, table := range tables {
		g := makeGame(t, table)
		world, again := g.NewMatch(), g.NewMatch()
		differ := 0
		decisions(t, g, 2, 7, func(m engine.Match, r engine.Rand) {
			same, other := r, r.At(1)
			world.CopyFrom(m)
			world.Redeal(engine.Full, &r)
			if world.Render(engine.Full) != m.Render(engine.Full) || world.Decision() != m.Decision() {
				t.Fatalf("%s: what lies has changed at: %s", table, m.Decision())
			}
			again.CopyFrom(m)
			again.Redeal(engine.Full, &same)
			if !again.Equal(world) {
				t.Fatalf("%s: the same stream led to another match", table)
			}
			again.Redeal(engine.Full, &other)
			if !again.Equal(world) {
				differ++
			}
		})
		if differ == 0 {
			t.Errorf("%s: chance will decide the same whatever the stream", table)
		}
	}
}
