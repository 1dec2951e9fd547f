package selfplay

import (
	"errors"
	"math"
	"testing"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
)

// kuhnLeague is a league of named members and past selves that are not asked to play.
func kuhnLeague(t *testing.T, cfg Config, past int) *league {
	t.Helper()
	l := newLeague(cfg, gameOf(t, "kuhn"), nil, nil)
	for range past {
		l.newest++
		l.members = append(l.members, member{ID: l.newest, Entry: 1})
	}
	return l
}

func leagueConfig() Config {
	c := small("kuhn")
	c.Opponents, c.League = []string{leagueOpponent}, []string{"random", pastPlayer}
	return c
}

func TestEntriesOfTheLeagueAreMetEquallyOften(t *testing.T) {
	l := kuhnLeague(t, leagueConfig(), 3)
	const n = 40000
	counts := make([]float64, len(l.members))
	chances := l.chances(nil)
	for key := range uint64(n) {
		counts[l.pick(engine.NewRand(key).Key, int(key%2), chances)]++
	}
	for i, want := range []float64{1. / 2, 1. / 6, 1. / 6, 1. / 6} { // a bot, and three past selves that share the other half
		if got := counts[i] / n; math.Abs(got-want) > .01 {
			t.Errorf("member %d is met in %.3f of matches, want %.3f", i, got, want)
		}
	}
}

func TestWhoJoinsTheLeagueChangesNoMatchButItsOwn(t *testing.T) {
	cfg := leagueConfig()
	before, after := kuhnLeague(t, cfg, 0), kuhnLeague(t, cfg, 1)
	for key := range uint64(1000) {
		k := engine.NewRand(key).Key
		was, is := before.pick(k, 0, before.chances(nil)), after.pick(k, 0, after.chances(nil))
		if was != is && after.members[is].ID != after.newest {
			t.Fatalf("match %d went from member %d to %d, who was there before", key, was, is)
		}
	}
}

func TestLeagueIsRefusedWithTheReason(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"league: [past]: want at least one bot": func(c *Config) { c.League = []string{pastPlayer} },
		"league: unknown bot \"nobody\"":        func(c *Config) { c.League = []string{"nobody", pastPlayer} },
	} {
		c := leagueConfig()
		change(&c)
		if err := c.Validate(); err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("error %v; want %s", err, want)
		}
	}
}

// A search that plays for a lead goes to the end of the match: another player than the one that is met in evaluations, and slower.
func TestOpponentsPlayForWhatTheyAreTold(t *testing.T) {
	for _, c := range []struct{ game, objective, want string }{
		{"doubloons(seats=4,objective=margin,rewards=running)", "", "doubloons(objective=margin,rewards=running)"},
		{"doubloons(seats=4,objective=margin,rewards=running)", "win", "doubloons"},
		{"doubloons(seats=2,modules=compass+black_jewel,objective=margin)", "rank", "doubloons(seats=2,modules=black_jewel+compass,objective=rank)"},
		{"jolly_roger(seats=6)", "margin", "jolly_roger(seats=6,objective=margin)"},
	} {
		cfg := Default()
		cfg.OpponentsObjective = c.objective
		g, err := cfg.opponentsGame(gameOf(t, c.game))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := g.Info().Config, gameOf(t, c.want).Info().Config; got != want {
			t.Errorf("%s, opponents_objective: %q: opponents play %s; want %s", c.game, c.objective, got, want)
		}
	}
	cfg := Default()
	cfg.Opponents, cfg.OpponentsObjective = []string{"search(rollouts=4)", "heuristic2"}, "win"
	paid, won := gameOf(t, "doubloons(seats=4,objective=margin,rewards=running)"), gameOf(t, "doubloons(seats=4)")
	all, err := players(cfg, paid, nil, new(policy.Reader))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all[len(all)-len(cfg.Opponents):] {
		bot, err := p.Bot(paid)
		if err != nil {
			t.Fatal(err)
		}
		same, err := policy.NewBot(p.Name, won)
		if err != nil {
			t.Fatal(err)
		}
		m, n := paid.NewMatch(), won.NewMatch()
		m.Reset(3)
		n.Reset(3)
		r, q := engine.NewRand(4), engine.NewRand(4)
		for k := 0; k < 60 && m.Seat() != engine.Over; k++ {
			a, b := bot.Act(m, &r), same.Act(n, &q)
			if a != b {
				t.Fatalf("%s, decision %d: %d where the game pays a lead, %d where it pays the win", p.Name, k, a, b)
			}
			if err := errors.Join(m.Apply(a), n.Apply(b)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func gameOf(t testing.TB, name string) engine.Game {
	t.Helper()
	g, err := engine.NewGame(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
