package search_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"slices"
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

// Redeal says what a seat cannot know, and might leave something out. Here worlds are made by hand: two entries of the whole position
// change places, and if the rules allow what comes of it and the seat's own view is the same to the letter, every bot must choose the same.
func TestNoBotSeesWhatTheViewOfItsSeatLeavesOut(t *testing.T) {
	wanted := 12
	if testing.Short() {
		wanted = 4
	}
	for i, name := range honest {
		g := makeGame(t, name)
		names, slow := players(g)
		names = append(names, slow[i%len(slow)])
		table := make([]bots.Bot, len(names))
		for k, name := range names {
			table[k] = makeBot(t, name, g)
		}
		m, r, made := g.NewMatch(), engine.NewRand(uint64(i)), 0
		m.Reset(uint64(i))
		for tries := 0; made < wanted && tries < 3000; {
			switch {
			case m.Seat() == engine.Over:
				m.Reset(r.Uint64())
				continue
			case m.Seat() == engine.Chance:
				mustApply(t, m, m.SampleChance())
				continue
			}
			for range 4 {
				tries++
				other := swapped(t, g, m, &r)
				if other == nil {
					continue
				}
				made++
				for k, b := range table {
					first := r.Split()
					again := first
					if a, got := b.Act(m, &first), b.Act(other, &again); a != got {
						whole, _ := m.Position(engine.Full)
						changed, _ := other.Position(engine.Full)
						t.Errorf("%s: %s: %s chooses %s, but %s in a match that its seat sees alike:\n%s\n%s",
							name, m.Decision(), names[k], g.Info().ActionName(a), g.Info().ActionName(got), whole, changed)
					}
				}
				break
			}
			mustApply(t, m, m.Legal().Sample(&r))
		}
		if made < wanted/4 {
			t.Errorf("%s: only %d worlds were made", name, made)
		}
	}
}

// swapped is a match with two entries of the position changed over, nil if the rules refuse it or the seat that acts can tell.
func swapped(t *testing.T, g engine.Game, m engine.Match, r *engine.Rand) engine.Match {
	t.Helper()
	seat := m.Seat()
	whole, err := m.Position(engine.Full)
	if err != nil {
		t.Fatal(err)
	}
	view, err := m.Position(seat)
	if err != nil {
		t.Fatal(err)
	}
	var file any
	exactly := json.NewDecoder(bytes.NewReader(whole))
	exactly.UseNumber()
	if err := exactly.Decode(&file); err != nil {
		t.Fatal(err)
	}
	all := entries(file, nil)
	a, b := all[r.Intn(len(all))], all[r.Intn(len(all))]
	x, y := a.get(), b.get()
	if fmt.Sprintf("%T", x) != fmt.Sprintf("%T", y) || x == y {
		return nil
	}
	a.set(y)
	b.set(x)
	changed, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	other := g.NewMatch()
	if other.SetPosition(changed) != nil || other.Seat() != seat || other.Equal(m) {
		return nil
	}
	if now, err := other.Position(seat); err != nil || !bytes.Equal(now, view) {
		return nil
	}
	return other
}

// entry is a number, a word or a truth value somewhere in a JSON document.
type entry struct {
	get func() any
	set func(any)
}

// entries appends those of a document to dst, in a fixed order.
func entries(document any, dst []entry) []entry {
	take := func(value any, e entry) {
		switch value.(type) {
		case map[string]any, []any:
			dst = entries(value, dst)
		default:
			dst = append(dst, e)
		}
	}
	switch x := document.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(x)) {
			take(x[k], entry{func() any { return x[k] }, func(to any) { x[k] = to }})
		}
	case []any:
		for i := range x {
			take(x[i], entry{func() any { return x[i] }, func(to any) { x[i] = to }})
		}
	}
	return dst
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
