package train

import (
	"errors"
	"math"
	"testing"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
)

// kuhnLeague is a league of named members and past selves that are not asked to play.
func kuhnLeague(t *testing.T, cfg Config, past int) *league {
	t.Helper()
	l := newLeague(cfg, gameOf(t, Config{Game: "kuhn"}), nil, nil)
	for range past {
		l.newest++
		l.members = append(l.members, member{ID: l.newest, Entry: 1})
	}
	return l
}

func leagueConfig() Config {
	c := small("kuhn")
	c.Exploitability, c.Opponents, c.League, c.LeagueShares = false, []string{leagueOpponent}, []string{"random", pastPlayer}, []float64{1, 3}
	return c
}

func TestMembersOfTheLeagueAreMetByTheirShares(t *testing.T) {
	l := kuhnLeague(t, leagueConfig(), 3)
	const n = 40000
	counts := make([]float64, len(l.members))
	chances := l.chances(nil)
	for key := range uint64(n) {
		counts[l.pick(engine.NewRand(key).Key, int(key%2), chances)]++
	}
	for i, want := range []float64{.25, .25, .25, .25} { // one bot with a quarter, three past selves that share the rest
		if got := counts[i] / n; math.Abs(got-want) > .01 {
			t.Errorf("member %d is met in %.3f of matches, want %.3f", i, got, want)
		}
	}
}

func TestWhoJoinsTheLeagueChangesNoMatchButItsOwn(t *testing.T) {
	cfg := leagueConfig()
	cfg.LeagueShares = []float64{1, 1}
	before, after := kuhnLeague(t, cfg, 0), kuhnLeague(t, cfg, 1)
	for key := range uint64(1000) {
		k := engine.NewRand(key).Key
		was, is := before.pick(k, 0, before.chances(nil)), after.pick(k, 0, after.chances(nil))
		if was != is && after.members[is].ID != after.newest {
			t.Fatalf("match %d went from member %d to %d, who was there before", key, was, is)
		}
	}
}

func TestMembersAgainstWhomMoreIsLearntAreMetMoreOften(t *testing.T) {
	cfg := leagueConfig()
	cfg.LeagueShares, cfg.LeagueBy = nil, byLearning
	l := kuhnLeague(t, cfg, 1)
	r := newRollout(4, 2, 1, 1, 0, 1, 0)
	r.meet(1)
	copy(r.met, []int32{0, 0, int32(l.newest), int32(l.newest)})
	copy(r.advantage, []float32{.1, -.1, -.3, .3})
	r.closed = append(r.closed, 0, 1, 2, 3)
	l.learn(r)
	c := l.chances(nil)
	if ratio := c[1] / c[0]; math.Abs(ratio-3) > 1e-5 {
		t.Errorf("the chances of the members are %v; want the second three times the first's", c)
	}
}

func TestTablesThatLackOpponentsMeetNobodyThere(t *testing.T) {
	cfg := leagueConfig()
	cfg.Opponents = []string{leagueOpponent, "random", leagueOpponent}
	l := kuhnLeague(t, cfg, 1)
	b := &env.Batch{Seat: make([]int32, 2), Players: []int32{3, 0, 1, 2, 0, 1, -1, -1}} // four seats, and two of which one learns
	to, chances := []int32{7, 7, 7, 7}, []float64(nil)
	l.met(func(row int) engine.Rand { return engine.NewRand(uint64(row)) }, b, to, &chances)
	for i, there := range []bool{true, true, true, false} {
		if (to[i] >= 0) != there || to[i] == 7 {
			t.Errorf("row %d, seat %d of the league has %d; is there anybody: %v", i/2, i%2, to[i], there)
		}
	}
}

func TestLeagueIsRefusedWithTheReason(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"league: [past]: want at least one bot":        func(c *Config) { c.League, c.LeagueShares = []string{pastPlayer}, nil },
		"league_shares: 1 for 2 entries of league":     func(c *Config) { c.LeagueShares = []float64{1} },
		"league_shares: 0: want numbers above 0":       func(c *Config) { c.LeagueShares = []float64{1, 0} },
		"league_by: \"luck\": want shares or learning": func(c *Config) { c.LeagueBy = "luck" },
		"league: unknown bot \"nobody\"":               func(c *Config) { c.League = []string{"nobody", pastPlayer} },
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
		cfg := DefaultConfig()
		cfg.OpponentsObjective = c.objective
		g, err := cfg.opponentsGame(gameOf(t, Config{Game: c.game}))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := g.Info().Config, gameOf(t, Config{Game: c.want}).Info().Config; got != want {
			t.Errorf("%s, opponents_objective: %q: opponents play %s; want %s", c.game, c.objective, got, want)
		}
	}
	cfg := DefaultConfig()
	cfg.Opponents, cfg.OpponentsObjective = []string{"search(rollouts=4)", "heuristic2"}, "win"
	paid, won := gameOf(t, Config{Game: "doubloons(seats=4,objective=margin,rewards=running)"}), gameOf(t, Config{Game: "doubloons(seats=4)"})
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
