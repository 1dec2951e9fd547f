package search_test

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// decided is a bot at a table whose other seats play as the strongest quick bot does.
type decided struct {
	m       engine.Match
	bot, on bots.Bot
	r       engine.Rand
	seed    uint64
}

func newDecided(tb testing.TB, game, bot string) *decided {
	tb.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		tb.Fatal(err)
	}
	d := &decided{m: g.NewMatch(), r: engine.NewRand(1)}
	if d.bot, err = bots.New(bot, g); err != nil {
		tb.Fatal(err)
	}
	names := bots.Names(g)
	if d.on, err = bots.New(names[len(names)-1], g); err != nil {
		tb.Fatal(err)
	}
	d.m.Reset(d.seed)
	return d
}

// decide asks the bot at the next decision that it is asked at, and plays on as the quick one.
func (d *decided) decide() {
	if d.m.Seat() == engine.Over {
		d.seed++
		d.m.Reset(d.seed)
	}
	d.bot.Act(d.m, &d.r)
	if err := d.m.Apply(d.on.Act(d.m, &d.r)); err != nil {
		panic(err)
	}
}

// A decision by the number of rollouts and by what plays them.
func BenchmarkSearch(b *testing.B) {
	for _, c := range [][2]string{
		{"doubloons(seats=4)", "search(rollouts=100)"},
		{"doubloons(seats=4)", "search(rollouts=100,rollout=greedy)"},
		{"doubloons(seats=4)", "search(rollouts=100,rollout=random)"},
		{"doubloons(seats=4)", "search(rollouts=100,rollout=heuristic)"},
		{"jolly_roger(seats=6)", "search(rollouts=100)"},
		{"jolly_roger(seats=6)", "search(rollouts=100,rollout=greedy)"},
	} {
		b.Run(c[0]+"/"+c[1], func(b *testing.B) {
			d := newDecided(b, c[0], c[1])
			b.ReportAllocs()
			for b.Loop() {
				d.decide()
			}
		})
	}
}

// What a rollout costs, by the table: 10 ms of a core are what the preset search-10ms plays.
func BenchmarkRollouts(b *testing.B) {
	for _, table := range []string{
		"doubloons(seats=2)", "doubloons(seats=4)", "doubloons(seats=6)", "doubloons(seats=4,modules=alternate_island)",
		"jolly_roger(seats=3)", "jolly_roger(seats=6)", "jolly_roger(seats=10)", "kuhn", "leduc", "liars_dice(seats=3)",
	} {
		b.Run(table, func(b *testing.B) {
			const rollouts = 300
			d := newDecided(b, table, "search(rollouts=300)")
			for b.Loop() {
				d.decide()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/rollouts, "µs/rollout")
		})
	}
}
