package compare

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/match"
)

// draws are outcomes of a deal whose mean is known.
var draws = map[string]func(r *engine.Rand, mean float64) float64{
	"one match of two seats": func(r *engine.Rand, mean float64) float64 {
		if r.Float64() < mean {
			return 1
		}
		return 0
	},
	"six matches of a mixed table": func(r *engine.Rand, mean float64) float64 {
		wins := 0.0
		for range 6 {
			if r.Float64() < mean {
				wins++
			}
		}
		return wins / 6
	},
	"deals that hardly differ": func(r *engine.Rand, mean float64) float64 { return mean + .1*(r.Float64()-.5) },
	// Nearly all deals are a little below the mean, and one in twenty-five is far above.
	"lopsided": func(r *engine.Rand, mean float64) float64 {
		if r.Float64() < .04 {
			return mean + .48
		}
		return mean - .02
	},
}

// The errors that the test promises hold on simulated truths, and beyond them it errs less. One that looked at a plain
// 95 % interval after every deal would err in a third of the cases.
func TestTheGateErrsNoMoreOftenThanItSays(t *testing.T) {
	const experiments = 1000
	for name, draw := range draws {
		for _, c := range []struct {
			delta, alpha, beta float64
			truth              float64
			wrong              Decision
			most               float64
		}{
			{.05, .05, .05, .5, Better, .05},
			{.05, .05, .05, .55, NotBetter, .05},
			{.05, .05, .05, .47, Better, .01},
			{.05, .05, .05, .60, NotBetter, .01},
			{.03, .01, .10, .5, Better, .01},
			{.03, .01, .10, .53, NotBetter, .10},
		} {
			wrong := 0
			for i := range experiments {
				r := engine.NewRand(7).At(uint64(i))
				test, err := NewSPRT(.5, c.delta, c.alpha, c.beta)
				if err != nil {
					t.Fatal(err)
				}
				n := 0
				d := Undecided
				for ; d == Undecided && n < 100000; n++ {
					d = test.Add(draw(&r, c.truth))
				}
				if d == c.wrong {
					wrong++
				}
				if d == Undecided {
					t.Fatalf("%s: undecided after %d deals", name, n)
				}
			}
			share := float64(wrong) / experiments
			if most := c.most + 2.6*math.Sqrt(c.most*(1-c.most)/experiments); share > most {
				t.Errorf("%s, truth %v: %q in %.3f of the cases; want %.3f", name, c.truth, c.wrong, share, c.most)
			}
		}
	}
}

func TestALogLikelihoodRatioThatCanBeWorkedOut(t *testing.T) {
	s, err := NewSPRT(.5, .1, .05, .05)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		s.Add(.25)
		s.Add(.95)
	}
	// The mean is 0.6 and the variance (100 · 0.35² + 0.5) / 101; the ratio is n δ (mean − ½ − δ/2) / variance.
	want := 100 * .1 * (.6 - .5 - .05) / ((100*.35*.35 + .5) / 101)
	if math.Abs(s.LLR()-want) > 1e-9 {
		t.Errorf("it is %v, want %v", s.LLR(), want)
	}
	if low, high := s.Bounds(); math.Abs(low+math.Log(19)) > 1e-12 || math.Abs(high-math.Log(19)) > 1e-12 {
		t.Errorf("bounds %v and %v; want ± ln 19", low, high)
	}
}

func gate(t *testing.T, a, b match.Player, cfg GateConfig) Gated {
	t.Helper()
	g, err := Gate(context.Background(), a, b, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestTheGateStopsWhenItKnows(t *testing.T) {
	cfg := GateConfig{Config: Config{Game: "kuhn", Seed: 3}, Points: 2}
	better := gate(t, always1, match.Named("random"), cfg)
	if better.Decision != Better || better.Mixed.Matches >= DefaultGateMatches || better.LLR < better.Bounds[1] || !strings.Contains(better.Text, "bets is better than random") {
		t.Errorf("%+v", better)
	}
	worse := gate(t, match.Named("random"), always1, cfg)
	if worse.Decision != NotBetter || worse.LLR > worse.Bounds[0] || !strings.Contains(worse.Text, "random is not better than bets by 2 points") {
		t.Errorf("%+v", worse)
	}
	same := gate(t, match.Named("random"), match.Named("random"), cfg)
	if same.Decision != NotBetter || same.Mixed.Deals > 200 {
		t.Errorf("against itself, where every deal is even: %+v", same)
	}
	cfg.Matches = 40
	short := gate(t, always1, match.Named("random"), cfg)
	if short.Decision != Undecided || short.Mixed.Matches != 40 || !strings.Contains(short.Text, "is not known") {
		t.Errorf("%+v", short)
	}
}

func TestAGateIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	var first []byte
	for _, workers := range []int{1, 3} {
		g := gate(t, match.Named("heuristic"), match.Named("random"), GateConfig{Config: Config{Game: "doubloons(seats=3)", Matches: 400, Seed: 2, Workers: workers}, Points: 10})
		g.CostA, g.CostB = match.Cost{}, match.Cost{}
		got, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		}
		if string(got) != string(first) || g.Decision != Better {
			t.Errorf("%d workers: %s; want %s", workers, got, first)
		}
	}
}

func TestMistakesOfAGateAreNamed(t *testing.T) {
	for want, cfg := range map[string]GateConfig{
		"0 points: want more than 0 and less than 50":  {Config: Config{Game: "kuhn"}},
		"50 points: want more than 0 and less than 50": {Config: Config{Game: "kuhn"}, Points: 50},
		"both above 0":   {Config: Config{Game: "kuhn"}, Points: 2, Alpha: .7},
		"unknown game":   {Config: Config{Game: "chess"}, Points: 2},
		"a deal takes 6": {Config: Config{Game: "doubloons(seats=4)", Matches: 5}, Points: 2},
	} {
		if _, err := Gate(context.Background(), always0, always1, cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v; want %s", cfg, err, want)
		}
	}
}
