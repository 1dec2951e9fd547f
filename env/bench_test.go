package env_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/privateer-rl/privateer/env"
)

func BenchmarkStep(b *testing.B) {
	for _, game := range []string{"kuhn", "leduc", "doubloons(seats=2)", "doubloons(seats=4)", "doubloons(seats=6)"} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", game, workers), func(b *testing.B) {
				const n = 256
				v := newVec(b, env.Config{Game: game, NumEnvs: n, Workers: workers, Autoreset: env.SameStep})
				p := newPlayer(n)
				reset(b, v)
				b.ReportAllocs()
				for b.Loop() {
					p.step(b, v)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/decision")
			})
		}
	}
}

func TestBenchMeasuresEveryCombination(t *testing.T) {
	cfg := env.BenchConfig{Game: "leduc", Envs: []int{3, 8}, Workers: []int{1, 2}, Warmup: time.Millisecond, Run: 2 * time.Millisecond, Runs: 3}
	results, err := env.Bench(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	met := map[string]bool{}
	for _, r := range results {
		met[fmt.Sprintf("%s %d %d", r.What, r.Envs, r.Workers)] = true
		if r.Game != "leduc" || r.Runs != 3 || r.Steps < 24 || r.Slowest <= 0 || r.Slowest > r.DecisionsPerSecond || r.DecisionsPerSecond > r.Fastest || r.NsPerDecision <= 0 {
			t.Errorf("%+v", r)
		}
		if (r.What == "vec") != (r.WrittenPerDecision > 0) {
			t.Errorf("%s writes %d bytes a decision", r.What, r.WrittenPerDecision)
		}
	}
	if len(results) != 8 || len(met) != 8 {
		t.Errorf("measured %v", met)
	}
	cfg.Envs, cfg.Workers, cfg.Full = []int{2}, []int{1}, true
	if results, err = env.Bench(t.Context(), cfg); err != nil || results[1].What != "vec full" {
		t.Errorf("with the full view: %+v, %v", results, err)
	}
}

func TestBenchStopsWithItsContextAndRefusesWhatCannotBe(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := env.Bench(ctx, env.BenchConfig{Game: "kuhn", Run: time.Hour}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for _, cfg := range []env.BenchConfig{
		{Game: "chess"}, {Game: "kuhn", Envs: []int{0}}, {Game: "kuhn", Workers: []int{-1}},
		{Game: "kuhn", Runs: -1}, {Game: "kuhn(chance=explicit)"},
	} {
		if _, err := env.Bench(t.Context(), cfg); err == nil {
			t.Errorf("%+v is accepted", cfg)
		}
	}
}
