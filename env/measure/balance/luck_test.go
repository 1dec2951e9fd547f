package balance

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
)

func luck(t *testing.T, game string, cfg LuckConfig) *Luck {
	t.Helper()
	l, err := RunLuck(context.Background(), game, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// momentsOfRandomPlay are mean and mean square of seat 0's win if all seats play at random from here.
func momentsOfRandomPlay(g engine.Game, m engine.Match) (mean, square float64) {
	if m.Seat() == engine.Over {
		returns := make([]float32, g.Info().Seats)
		m.Returns(returns)
		win := engine.Won(m, returns, 0)
		return win, win * win
	}
	legal, n := *m.Legal(), float64(m.Legal().Count())
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		next := g.NewMatch()
		next.CopyFrom(m)
		if err := next.Apply(a); err != nil {
			panic(err)
		}
		x, xx := momentsOfRandomPlay(g, next)
		mean, square = mean+x/n, square+xx/n
	}
	return mean, square
}

func TestLuckIsTheShareOfVarianceThatTheDealDecides(t *testing.T) {
	g, err := engine.NewGame("kuhn(chance=explicit)")
	if err != nil {
		t.Fatal(err)
	}
	// In Kuhn poker the seed decides the two cards alone: six deals, each with the same chance.
	var means []float64
	mean, square := 0.0, 0.0
	for _, first := range []string{"J", "Q", "K"} {
		for _, second := range []string{"J", "Q", "K"} {
			if first == second {
				continue
			}
			m := g.NewMatch()
			m.Reset(1)
			for _, card := range []string{first, second} {
				a, err := g.Info().ParseAction("deal=" + card)
				if err != nil {
					t.Fatal(err)
				}
				if err := m.Apply(a); err != nil {
					t.Fatal(err)
				}
			}
			x, xx := momentsOfRandomPlay(g, m)
			means = append(means, x)
			mean, square = mean+x/6, square+xx/6
		}
	}
	ofDeals := 0.0
	for _, x := range means {
		ofDeals += (x - mean) * (x - mean) / 6
	}
	want := ofDeals / (square - mean*mean)
	l := luck(t, "kuhn", LuckConfig{Player: match.Named("random"), Deals: 3000, Replays: 4, Seed: 5})
	if l.Wins.Low > want || l.Wins.High < want || l.Wins.High-l.Wins.Low > 0.1 {
		t.Errorf("luck decides %v of who wins; exactly it is %.3f", l.Wins, want)
	}
}

// straight is a player without chance.
type straight struct{}

func (straight) Name() string                                     { return "straight" }
func (straight) Act(m engine.Match, _ *engine.Rand) engine.Action { return m.Legal().First() }

func TestAmongPlayersWithoutChanceTheSeedDecidesAll(t *testing.T) {
	player := match.Player{Name: "straight", Bot: func(engine.Game) (bots.Bot, error) { return straight{}, nil }}
	for _, game := range []string{"leduc", "doubloons(seats=2)"} {
		l := luck(t, game, LuckConfig{Player: player, Deals: 30, Replays: 3})
		if l.Wins.Mean != 1 || l.Margin.Mean != 1 {
			t.Errorf("%s: the seed decides %v of who wins and %v of the margin; want all", game, l.Wins, l.Margin)
		}
	}
}

func TestLuckDependsOnItsConfigurationOnly(t *testing.T) {
	cfg := LuckConfig{Player: match.Named("random"), Deals: 20, Replays: 3, Seed: 4, Workers: 1}
	one := luck(t, "jolly_roger(seats=3)", cfg)
	cfg.Workers = 5
	if five := luck(t, "jolly_roger(seats=3)", cfg); !reflect.DeepEqual(one, five) {
		t.Errorf("with one worker %+v, with five %+v", one, five)
	}
	if math.IsNaN(one.Wins.Mean) || one.Wins.Mean < 0 || one.Wins.Mean > 1 {
		t.Errorf("the share is %v", one.Wins)
	}
}

func TestLuckAsksForDealsAndReplays(t *testing.T) {
	for _, cfg := range []LuckConfig{{Player: match.Named("random"), Deals: 1, Replays: 9}, {Player: match.Named("random"), Deals: 9, Replays: 1}} {
		if _, err := RunLuck(context.Background(), "kuhn", cfg); err == nil {
			t.Errorf("%d deals and %d replays are accepted", cfg.Deals, cfg.Replays)
		}
	}
	if _, err := RunLuck(context.Background(), "kuhn(chance=explicit)", LuckConfig{Player: match.Named("random"), Deals: 9, Replays: 9}); err == nil {
		t.Error("chance that is the caller's is accepted")
	}
}
