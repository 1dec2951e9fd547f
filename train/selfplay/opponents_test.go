package selfplay

import (
	"math"
	"testing"

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

func gameOf(t testing.TB, name string) engine.Game {
	t.Helper()
	g, err := engine.NewGame(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
