package search_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	_ "github.com/privateer-rl/privateer/engine/games"
)

var honesty = flag.Int("honesty", 10_000, "decisions of bots that are taken again with what the seat cannot know dealt anew; `make honesty` takes a million")

// honest are tables that together have all that games hide.
var honest = []string{
	"doubloons(seats=4)", "jolly_roger(seats=6)", "doubloons(seats=2)", "jolly_roger(seats=3,variants=hidden_prizes+captains_gold)",
	"doubloons(seats=5,modules=alternate_island+advanced_scoring+black_jewel+compass+legendary_ghost_ship+steal_ship)",
	"jolly_roger(seats=4,bribes=gifts)", "doubloons(seats=5,edition=v1.9.7)", "kuhn", "leduc", "kuhn(seats=3)",
	"doubloons(seats=3,chance=explicit,forced=show)", "jolly_roger(seats=5,chance=explicit)",
}

// players are names of all bots of a game: quick ones as they are, slow ones with small budgets.
func players(g engine.Game) (quick, slow []string) {
	for _, k := range bots.Kinds(g) {
		switch {
		case !k.Slow:
			quick = append(quick, k.Name)
		case len(k.Params) == 0: // presets are searches with more rollouts
		case k.Name == "search":
			slow = append(slow, searches[:len(searches)-1]...)
			if g.Info().Game == "doubloons" {
				slow = append(slow, "search(rollouts=24,rivals=heuristic)")
			}
		default:
			slow = append(slow, fmt.Sprintf("%s(%s=16)", k.Name, k.Params[0].Name))
		}
	}
	if g.Info().Game == "doubloons" {
		quick = append(quick, "heuristic(quick=yes)")
	}
	return quick, slow
}

// Every bot at every decision of matches: it must choose the same when what its seat cannot know is dealt anew, and
// in a match whose own generator is another one. A bot that looked would change its mind.
func TestEveryBotChoosesTheSameWhateverIsHidden(t *testing.T) {
	all := *honesty
	if testing.Short() {
		all /= 10
	}
	left := all
	for round := 0; left > 0; round++ {
		for i, name := range honest {
			g, err := engine.NewGame(name)
			if err != nil {
				t.Fatal(err)
			}
			left -= redealt(t, g, uint64(round*len(honest)+i), min(left, all/len(honest)+1))
		}
	}
}

// redealt plays matches until the given number of decisions have been taken twice, and returns their number.
func redealt(t *testing.T, g engine.Game, seed uint64, wanted int) (taken int) {
	t.Helper()
	names, slow := players(g)
	quick := len(names)
	names = append(names, slow...)
	table := make([]bots.Bot, len(names))
	for i, name := range names {
		table[i] = makeBot(t, name, g)
	}
	m, hidden, lucky := g.NewMatch(), g.NewMatch(), g.NewMatch()
	r := engine.NewRand(seed).At(1)
	differ := false
	for n := 0; taken < wanted; n++ {
		if n == 0 || m.Seat() == engine.Over {
			seed += 1 << 32
			m.Reset(seed)
			continue
		}
		if m.Seat() == engine.Chance {
			mustApply(t, m, m.SampleChance())
			continue
		}
		hidden.CopyFrom(m)
		hidden.Redeal(m.Seat(), &r)
		differ = differ || !hidden.Equal(m)
		if !equalWorlds(g, m, hidden, r.Split()) {
			t.Fatalf("%s, seed %d: %s: two matches that the seat cannot tell apart are redealt to different worlds", g.Info().Config, seed, m.Decision())
		}
		lucky.CopyFrom(hidden)
		if r.Intn(50) == 0 {
			lucky.CopyFrom(m)
			changeGenerator(t, lucky)
		}
		var choice engine.Action
		for i, b := range table {
			if i >= quick && r.Intn(40*len(slow)) > 0 {
				continue // a search costs as much as hundreds of quick choices
			}
			first := r.Split()
			again, third := first, first
			a := b.Act(m, &first)
			for _, other := range []struct {
				m engine.Match
				r *engine.Rand
			}{{hidden, &again}, {lucky, &third}} {
				if got := b.Act(other.m, other.r); got != a {
					t.Fatalf("%s, seed %d: %s: %s chooses %s, but %s when what the seat cannot know is dealt anew",
						g.Info().Config, seed, m.Decision(), names[i], g.Info().ActionName(a), g.Info().ActionName(got))
				}
			}
			if i == quick-1 {
				choice = a
			}
			taken++
		}
		if r.Intn(5) == 0 { // now and then leave the paths that they know
			choice = m.Legal().Sample(&r)
		}
		mustApply(t, m, choice)
	}
	if !differ && strings.Contains(g.Info().Config, "=") {
		t.Fatalf("%s: dealing anew never changed a match", g.Info().Config)
	}
	return taken
}

// equalWorlds reports whether two matches are redealt to the same world by the same stream.
func equalWorlds(g engine.Game, m, o engine.Match, luck engine.Rand) bool {
	x, y := g.NewMatch(), g.NewMatch()
	again := luck
	x.CopyFrom(m)
	x.Redeal(m.Seat(), &luck)
	y.CopyFrom(o)
	y.Redeal(o.Seat(), &again)
	return x.Equal(y)
}

// changeGenerator gives a match another generator and leaves all else as it is.
func changeGenerator(t *testing.T, m engine.Match) {
	t.Helper()
	was := m.Info().Game
	data, err := m.Position(engine.Full)
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]json.RawMessage
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if file["generator"] == nil {
		t.Fatalf("a position of %s names no generator", was)
	}
	file["generator"] = json.RawMessage(`{"key": 12345, "counter": 6789}`)
	if data, err = json.Marshal(file); err != nil {
		t.Fatal(err)
	}
	if err := m.SetPosition(data); err != nil {
		t.Fatal(err)
	}
}

func mustApply(t *testing.T, m engine.Match, a engine.Action) {
	t.Helper()
	if err := m.Apply(a); err != nil {
		t.Fatal(err)
	}
}

// peeker is a player of rollouts that notes what it is shown.
type peeker struct {
	bots.Bot
	g     engine.Game
	t     *testing.T
	calls *int
}

func (p peeker) Act(m engine.Match, r *engine.Rand) engine.Action {
	*p.calls++
	first := *r
	a := p.Bot.Act(m, r)
	other, luck := p.g.NewMatch(), engine.NewRand(uint64(*p.calls))
	other.CopyFrom(m)
	other.Redeal(m.Seat(), &luck)
	if got := p.Bot.Act(other, &first); got != a {
		p.t.Errorf("in a rollout, %s: seat %d chooses %s, but %s when what it cannot know is dealt anew: it has seen what the searching seat hides",
			m.Decision(), m.Seat(), p.g.Info().ActionName(a), p.g.Info().ActionName(got))
	}
	return a
}

// Each seat of a rollout sees its own view: our cards are in the world, and no rival looks at them.
func TestRivalsInRolloutsDoNotSeeWhatTheSearchingSeatHides(t *testing.T) {
	oneIn := 61
	if testing.Short() {
		oneIn = 183
	}
	for _, table := range []string{"doubloons(seats=4)", "jolly_roger(seats=4)"} {
		g := makeGame(t, table)
		calls := 0
		for _, player := range bots.Names(g) {
			mk := bots.Maker{Others: func(name string, g engine.Game) (bots.Bot, error) {
				if name != "peeker" {
					return nil, nil
				}
				b, err := bots.New(player, g)
				return peeker{b, g, t, &calls}, err
			}}
			b, err := mk.New("search(rollouts=8,rollout=peeker)", g)
			if err != nil {
				t.Fatal(err)
			}
			decisions(t, g, 4, oneIn, func(m engine.Match, r engine.Rand) { b.Act(m, &r) })
		}
		if calls < 1000 {
			t.Errorf("%s: only %d decisions in rollouts", table, calls)
		}
	}
}
