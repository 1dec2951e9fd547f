package search_test

import (
	"flag"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/bots/botstest"
)

var honesty = flag.Int("honesty", 200_000, "decisions of bots that are taken again in a match that their seat cannot tell apart; `.ci/run honesty` takes ten million")

// Every bot that anybody has registered, with every value of its settings, in games with every value of their parameters: it must choose
// the same in matches that its seat cannot tell apart. A bot that looked at what is hidden would change its mind.
func TestEveryBotChoosesTheSameWhateverIsHidden(t *testing.T) {
	for _, d := range engine.Definitions() {
		games := enginetest.Configurations(t, d.Name)
		var slow []string
		for _, k := range bots.Kinds(makeGame(t, d.Name)) {
			if k.Slow {
				slow = append(slow, botstest.Settings(makeGame(t, d.Name), k)...)
			}
		}
		rounds, quick, turns := 1+*honesty/5_000_000, *honesty/(2*max(50, len(games))), 3
		if testing.Short() {
			quick, turns = quick/20, 1
		}
		for n := range rounds * len(games) {
			g := makeGame(t, games[n%len(games)])
			var table []bots.Bot
			for _, k := range bots.Kinds(g) {
				if !k.Slow {
					settings := botstest.Settings(g, k)
					table = append(table, made(g, settings[n%len(settings)])...)
				}
			}
			botstest.WantHonest(t, g, uint64(n), quick/rounds, len(table), table...)
			table = nil // searches cost as much as hundreds of quick choices, and take turns
			for i := range turns * (1 + len(slow)/(turns*len(games))) {
				table = append(table, made(g, slow[(n*turns+i)%len(slow)])...)
			}
			botstest.WantHonest(t, g, uint64(n), 2*len(table), sparse(g, 20), table...)
		}
	}
}

// made are those of the bots that can play the game as it is configured.
func made(g engine.Game, names ...string) (all []bots.Bot) {
	for _, name := range names {
		if b, err := bots.New(name, g); err == nil {
			all = append(all, b)
		}
	}
	return all
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
