package env_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
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
	cfg := env.BenchConfig{Games: []string{"leduc", "kuhn"}, Envs: []int{3, 8}, Workers: []int{1, 2}, Warmup: time.Millisecond, Run: 2 * time.Millisecond, Runs: 3}
	met := map[string]bool{}
	measure := func() {
		t.Helper()
		err := env.Bench(t.Context(), cfg, func(r env.BenchResult) {
			met[fmt.Sprintf("%s %s %d %d", r.What, r.Game, r.Envs, r.Workers)] = true
			if r.Runs != 3 || r.Steps < 3 || r.Slowest <= 0 || r.Slowest > r.PerSecond || r.PerSecond > r.Fastest || r.What != env.BenchOwnWork && (r.Bytes == 0 || r.BytesASecond <= 0) {
				t.Errorf("%+v", r)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	measure()
	if !met["memmove  0 1"] || len(met) != 1+2*(2*2*2+4) {
		t.Errorf("measured %v", met)
	}
	for _, game := range cfg.Games {
		for _, what := range []string{"engine %s 3 1", "engine %s 8 2", "vec %s 8 1", "vec %s 3 2", "copy %s 3 1", "redeal %s 3 1", "snapshot %s 3 1", "restore %s 3 1"} {
			if !met[fmt.Sprintf(what, game)] {
				t.Errorf("not measured: "+what, game)
			}
		}
	}
	cfg.Games, cfg.Envs, cfg.Workers, cfg.Full = cfg.Games[:1], []int{2}, []int{1}, true
	if measure(); !met["vec full leduc 2 1"] {
		t.Errorf("with the full view: %v", met)
	}
	cfg.OwnWork = 10 * time.Microsecond
	if measure(); !met["vec beside own work leduc 2 1"] || !met[fmt.Sprintf("own work  0 %d", runtime.GOMAXPROCS(0))] {
		t.Errorf("with work of the caller's own: %v", met)
	}
}

func TestBenchStopsWithItsContextAndRefusesWhatCannotBe(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ignore := func(env.BenchResult) {}
	if err := env.Bench(ctx, env.BenchConfig{Games: []string{"kuhn"}, Run: time.Hour}, ignore); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	short := env.BenchConfig{Warmup: 1, Run: 1, Runs: 1}
	for _, change := range []func(*env.BenchConfig){
		func(c *env.BenchConfig) { c.Games = []string{"chess"} },
		func(c *env.BenchConfig) { c.Games, c.Envs = []string{"kuhn"}, []int{0} },
		func(c *env.BenchConfig) { c.Games, c.Workers = []string{"kuhn"}, []int{-1} },
		func(c *env.BenchConfig) { c.Games, c.Runs = []string{"kuhn"}, -1 },
		func(c *env.BenchConfig) { c.Games, c.OwnWork = []string{"kuhn"}, -1 },
		func(c *env.BenchConfig) { c.Games = []string{"kuhn(chance=explicit)"} },
	} {
		cfg := short
		change(&cfg)
		if err := env.Bench(t.Context(), cfg, ignore); err == nil {
			t.Errorf("%+v is accepted", cfg)
		}
	}
}
