package search

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games/doubloons"
	_ "github.com/privateer-rl/privateer/engine/games/kuhn"
	_ "github.com/privateer-rl/privateer/engine/games/leduc"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// habit is a Prior that weighs actions by what its seat sees and by nothing else: by numbers drawn for that, some of them 0.
type habit struct{ bots.Bot }

func (habit) Weights(m engine.Match, dst []float64, _ *engine.Rand) {
	view, err := m.Position(m.Seat())
	if err != nil {
		panic(err)
	}
	r := engine.NewRand(7).At(uint64(m.Seat()))
	for _, x := range view {
		r = r.At(uint64(x))
	}
	for i := range dst {
		dst[i] = max(0, r.Float64()-.2)
	}
	dst[r.Intn(len(dst))] += .3
}

// held says all that the seats of a match know, each of its own.
func held(t *testing.T, m engine.Match) string {
	t.Helper()
	var all []string
	for seat := range m.Info().Seats {
		view, err := m.Position(seat)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(view))
	}
	return strings.Join(all, "\n")
}

// moment is a decision as the seat that takes it sees it, and how likely is all that the others may hold there.
type moment struct {
	m      engine.Match // one of those that the seat cannot tell apart
	worlds map[string]float64
	total  float64
}

// moments goes through all that habitual players may reach from a match that is as likely as chance says, to the given number of
// decisions, and notes it by what the seat that decides sees.
func moments(t *testing.T, g engine.Game, m engine.Match, chance float64, decisions int, all map[string]*moment) {
	t.Helper()
	var next []engine.Outcome
	switch seat := m.Seat(); {
	case seat == engine.Over || decisions == 0:
		return
	case seat == engine.Chance:
		next = m.Outcomes(nil)
	default:
		decisions--
		view, err := m.Position(seat)
		if err != nil {
			t.Fatal(err)
		}
		at := all[string(view)]
		if at == nil {
			at = &moment{m: m, worlds: map[string]float64{}}
			all[string(view)] = at
		}
		at.worlds[held(t, m)] += chance
		at.total += chance
		p := newSuspicion(g, habit{})
		p.past.CopyFrom(m)
		p.weigh(-1, nil)
		next = p.choices
	}
	for _, o := range next {
		if o.Prob > 0 {
			then := g.NewMatch()
			then.CopyFrom(m)
			apply(then, o.Action)
			moments(t, g, then, chance*o.Prob, decisions, all)
		}
	}
}

// fiveCards is the last round of two captains: one is about to program three of five cards, and the other, who has the last
// word and the other cards but two in the deck, knows no more of them.
func fiveCards(t *testing.T, g engine.Game) []engine.Match {
	t.Helper()
	cards := []string{"N23", "N27", "N19", "N20", "N21"}
	var all []engine.Match
	for i := range cards {
		for j := range i {
			var hand []string
			for k, card := range cards {
				if k != i && k != j {
					hand = append(hand, fmt.Sprintf("%q", card))
				}
			}
			m := g.NewMatch()
			err := m.SetPosition(fmt.Appendf(nil, `{
				"phase": "program", "round": 8, "dug": true, "ending": true, "water": ["coral_reef", "high_water", "rip_current", "the_shallows"], "island": 4,
				"deck": [%q, %q], "ships": [
					{"captain": "voet", "region": 0, "crew": 1, "hull": 3, "hand": [%s], "track": 4},
					{"captain": "hayreddin", "region": 1, "crew": 1, "hull": 2, "hand": ["N31", "N26", "N33"]}]}`, cards[i], cards[j], strings.Join(hand, ",")))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, m)
		}
	}
	return all
}

// The worlds of a seat whose rivals play by a known policy are as likely as Bayes' rule says, worked out over the whole tree.
func TestSupposedWorldsAreAsLikelyAsThePolicyMakesThem(t *testing.T) {
	for _, c := range []struct {
		game      string
		decisions int
	}{{"kuhn", 9}, {"kuhn(seats=3)", 9}, {"leduc", 4}, {"doubloons(seats=2)", 3}} {
		g, err := engine.NewGame(strings.Replace(c.game+"(chance=explicit)", ")(", ",", 1))
		if err != nil {
			t.Fatal(err)
		}
		starts := []engine.Match{g.NewMatch()}
		if starts[0].Reset(0); strings.HasPrefix(c.game, "doubloons") {
			starts = fiveCards(t, g)
		}
		all := map[string]*moment{}
		for _, m := range starts {
			moments(t, g, m, 1/float64(len(starts)), c.decisions, all)
		}
		checkMoments(t, g, all)
	}
}

func checkMoments(t *testing.T, g engine.Game, all map[string]*moment) {
	t.Helper()
	const deals = 1500
	model, world := newSuspicion(g, habit{}), g.NewMatch()
	r, looked, told := engine.NewRand(3), 0, 0
	for _, view := range slices.Sorted(maps.Keys(all)) {
		at := all[view]
		if at.total < .01 || len(at.worlds) == 1 || looked == 12 {
			continue
		}
		looked++
		seen := map[string]float64{}
		for range deals {
			world.CopyFrom(at.m)
			world.Redeal(at.m.Seat(), &r)
			model.Suppose(world, at.m.Seat(), &r)
			seen[held(t, world)] += 1. / deals
		}
		for w, share := range seen {
			want := at.worlds[w] / at.total
			if math.Abs(share-want) > 5*math.Sqrt(want*(1-want)/deals)+.004 || want == 0 {
				t.Errorf("%s: a world has a share of %.3f; want %.3f\nseen: %s\nworld: %s", g.Info().Config, share, want, view, w)
			}
			if even := 1 / float64(len(at.worlds)); want > 1.3*even {
				told++
			}
		}
	}
	if told == 0 {
		t.Errorf("%s: at %d moments no world is likelier than others", g.Info().Config, looked)
	}
}

// Until cards are revealed, going back leads to where the match was: all that anybody knew there, and what was decided.
func TestGoingBackComesToWhereTheMatchWas(t *testing.T) {
	for _, game := range []string{"kuhn(seats=3)", "leduc", "doubloons(seats=3)", "doubloons(seats=4,modules=alternate_island+compass+advanced_scoring)"} {
		g, err := engine.NewGame(game)
		if err != nil {
			t.Fatal(err)
		}
		m, past, r := g.NewMatch(), g.NewMatch(), engine.NewRand(2)
		secrets, found := 0, 0
		large := strings.HasPrefix(game, "doubloons")
		for seed := range uint64(2) {
			was := map[string]engine.Action{}
			for m.Reset(seed); m.Seat() != engine.Over; {
				for step := 0; ; step++ {
					took, secret, ok := engine.Retrace(m, m.Seat(), step, past)
					if !ok {
						break
					}
					if past.Seat() == m.Seat() || !past.Legal().Has(took) {
						t.Fatalf("%s: %s: step %d goes back to seat %d, which chose %s", game, m.Decision(), step, past.Seat(), g.Info().ActionName(took))
					}
					if secret && !strings.Contains(m.Decision(), "face down") { // the cards that are left, as the match stands now
						secrets++
						continue
					}
					if did, known := was[held(t, past)]; known && did == took {
						found++
					} else if past.Legal().Count() > 1 {
						t.Fatalf("%s: %s: step %d goes back to where the match never was: %s", game, m.Decision(), step, past.Decision())
					}
				}
				a := m.Legal().Sample(&r)
				if !large || strings.Contains(m.Decision(), "face down") {
					was[held(t, m)] = a
				}
				apply(m, a)
			}
		}
		if found == 0 || large != (secrets > 0) {
			t.Errorf("%s: %d decisions were gone back to before a reveal, %d after it", game, found, secrets)
		}
	}
}
