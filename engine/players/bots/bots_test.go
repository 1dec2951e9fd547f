package bots_test

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

func game(t *testing.T, name string) engine.Game {
	t.Helper()
	g, err := engine.NewGame(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func table(t *testing.T, g engine.Game, name string) []bots.Bot {
	t.Helper()
	seats := make([]bots.Bot, g.Info().Seats)
	for i := range seats {
		b, err := bots.New(name, g)
		if err != nil {
			t.Fatal(err)
		}
		seats[i] = b
	}
	return seats
}

func TestEveryBotPlaysEveryGameItIsOfferedFor(t *testing.T) {
	for _, d := range engine.Definitions() {
		for _, chance := range []string{"sampled", "explicit"} {
			g := game(t, d.Name+"(chance="+chance+")")
			for _, name := range bots.Names(g) {
				seats := table(t, g, name)
				if seats[0].Name() != name {
					t.Errorf("bot %q calls itself %q", name, seats[0].Name())
				}
				m := g.NewMatch()
				for seed := range uint64(5) {
					m.Reset(seed)
					r := engine.NewRand(seed).At(1)
					if err := bots.Play(m, seats, &r); err != nil {
						t.Fatalf("%s, seed %d: %v", name, seed, err)
					}
					if m.Seat() != engine.Over {
						t.Errorf("%s, seed %d: the match is not over", name, seed)
					}
				}
			}
		}
	}
}

func TestRandomBotTakesEachLegalActionAlike(t *testing.T) {
	g := game(t, "leduc")
	m := g.NewMatch()
	if err := m.SetPosition([]byte(`{"rounds":[["raise"]]}`)); err != nil {
		t.Fatal(err)
	}
	b := table(t, g, "random")[0]
	r := engine.NewRand(1)
	var count [3]int
	for range 3000 {
		count[b.Act(m, &r)]++
	}
	for a, n := range count {
		if n < 880 || n > 1120 {
			t.Errorf("%s is chosen %d times in 3000", g.Info().Actions[a], n)
		}
	}
}

func TestPlayIsDecidedByItsSeeds(t *testing.T) {
	g := game(t, "leduc(chance=explicit)")
	play := func(seed uint64) engine.Match {
		m := g.NewMatch()
		m.Reset(1)
		r := engine.NewRand(seed)
		if err := bots.Play(m, table(t, g, "random"), &r); err != nil {
			t.Fatal(err)
		}
		return m
	}
	others := 0
	for seed := range uint64(20) {
		if !play(seed).Equal(play(seed)) {
			t.Errorf("seed %d gives two matches", seed)
		}
		if !play(seed).Equal(play(seed + 1)) {
			others++
		}
	}
	if others < 10 {
		t.Errorf("only %d of 20 neighbouring seeds give other matches", others)
	}
}

func TestUnknownBotNamesThoseThereAre(t *testing.T) {
	_, err := bots.New("grandmaster", game(t, "leduc"))
	if err == nil || !strings.HasSuffix(err.Error(), `unknown bot "grandmaster" for leduc: known are random, search, search-1ms, search-10ms, search-100ms, ismcts`) {
		t.Errorf("the error is %v", err)
	}
}

// cheat plays an action that is never legal.
type cheat struct{}

func (cheat) Name() string                                 { return "cheat" }
func (cheat) Act(engine.Match, *engine.Rand) engine.Action { return -1 }

func TestPlayRefusesWhatCannotBe(t *testing.T) {
	g := game(t, "kuhn")
	m := g.NewMatch()
	m.Reset(1)
	r := engine.NewRand(1)
	if err := bots.Play(m, table(t, g, "random")[:1], &r); err == nil || !strings.Contains(err.Error(), "1 bots for 2 seats") {
		t.Errorf("with a bot too few the error is %v", err)
	}
	if err := bots.Play(m, []bots.Bot{cheat{}, cheat{}}, &r); err == nil || !strings.Contains(err.Error(), "illegal action") {
		t.Errorf("with a bot that cheats the error is %v", err)
	}
}
