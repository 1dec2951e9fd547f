package env

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/privateer-rl/privateer/engine"
)

// BenchConfig says what Bench measures: every combination of Envs and Workers,
// first the engine alone, then the vector.
type BenchConfig struct {
	Game    string
	Seed    uint64
	Envs    []int         // row counts; 64 and 1024 where empty
	Workers []int         // 1 and 2 where empty
	Full    bool          // write the full view too
	Warmup  time.Duration // before each combination; 200 ms where 0
	Run     time.Duration // length of one run; 1 s where 0
	Runs    int           // of each combination; 5 where 0
}

// BenchResult is one combination. All matches are played by uniformly random
// legal actions and begun anew at their end; drawing the actions and dealing new
// matches are part of the time.
type BenchResult struct {
	Game               string  `json:"game"`
	What               string  `json:"what"` // "engine": rules alone; "vec": with observations and masks; "vec full": and the full view
	Envs               int     `json:"envs"`
	Workers            int     `json:"workers"`
	Runs               int     `json:"runs"`
	Steps              int64   `json:"steps"`                // batches, of all runs
	DecisionsPerSecond float64 `json:"decisions_per_second"` // median of the runs
	Slowest            float64 `json:"slowest"`              // of the runs, decisions per second
	Fastest            float64 `json:"fastest"`
	NsPerDecision      float64 `json:"ns_per_decision"`      // wall time, median
	AllocsPerStep      float64 `json:"allocs_per_step"`      // heap allocations for a whole batch
	AllocBytesPerStep  float64 `json:"alloc_bytes_per_step"` // heap bytes for a whole batch
	WrittenPerDecision int     `json:"written_per_decision"` // bytes of observation and mask; 0 for the engine alone
}

// Bench measures the speed of a game on this machine. It ends early with the
// context's error.
func Bench(ctx context.Context, cfg BenchConfig) ([]BenchResult, error) {
	if len(cfg.Envs) == 0 {
		cfg.Envs = []int{64, 1024}
	}
	if len(cfg.Workers) == 0 {
		cfg.Workers = []int{1, 2}
	}
	if cfg.Warmup == 0 {
		cfg.Warmup = 200 * time.Millisecond
	}
	if cfg.Run == 0 {
		cfg.Run = time.Second
	}
	if cfg.Runs == 0 {
		cfg.Runs = 5
	}
	if cfg.Warmup < 0 || cfg.Run < 0 || cfg.Runs < 0 {
		return nil, errors.New("env: bench: negative durations or number of runs")
	}
	var results []BenchResult
	for _, n := range cfg.Envs {
		for _, w := range cfg.Workers {
			for _, what := range []func(context.Context, BenchConfig, int, int) (BenchResult, error){benchEngine, benchVec} {
				r, err := what(ctx, cfg, n, w)
				if err != nil {
					return results, fmt.Errorf("env: bench: %w", err)
				}
				results = append(results, r)
			}
		}
	}
	return results, nil
}

// benchVec measures whole steps of a vector.
func benchVec(ctx context.Context, cfg BenchConfig, n, workers int) (BenchResult, error) {
	v, err := New(Config{Game: cfg.Game, NumEnvs: n, Workers: workers, Seed: cfg.Seed, Autoreset: SameStep, Full: cfg.Full})
	if err != nil {
		return BenchResult{}, err
	}
	defer v.Close()
	if _, err := v.Reset(); err != nil {
		return BenchResult{}, err
	}
	actions, draws := make([]int32, n), streams(cfg.Seed, n)
	r := BenchResult{Game: v.info.Config, What: "vec", Envs: n, Workers: workers, WrittenPerDecision: v.wide.obs + v.wide.actions}
	if cfg.Full {
		r.What, r.WrittenPerDecision = "vec full", v.wide.obs+v.wide.full+v.wide.actions
	}
	return measure(ctx, cfg, r, func() error {
		if err := v.SampleActions(actions, draws); err != nil {
			return err
		}
		_, err := v.Step(actions)
		return err
	})
}

// benchEngine measures the same play without observations, masks and batches.
func benchEngine(ctx context.Context, cfg BenchConfig, n, workers int) (BenchResult, error) {
	check := Config{NumEnvs: n, Workers: workers}
	if err := check.check(); err != nil {
		return BenchResult{}, err
	}
	game, err := engine.NewGame(cfg.Game)
	if err != nil {
		return BenchResult{}, err
	}
	if game.Info().Explicit {
		return BenchResult{}, fmt.Errorf("game %q: chance=explicit makes chance events decisions: leave it out", cfg.Game)
	}
	matches, draws, episodes := game.NewMatches(n), streams(cfg.Seed, n), make([]uint64, n)
	for i, m := range matches {
		m.Reset(engine.EpisodeSeed(cfg.Seed+uint64(i), 0))
	}
	refused := make([]error, n)
	c, all := newCrew(check.Workers), newJob(check.Workers, 0, n)
	defer c.dismiss()
	step := func(_, from, to int) error {
		for i := from; i < to; i++ {
			m := matches[i]
			refused[i] = m.Apply(m.Legal().Sample(&draws[i]))
			if m.Seat() == engine.Over {
				episodes[i]++
				m.Reset(engine.EpisodeSeed(cfg.Seed+uint64(i), episodes[i]))
			}
		}
		return nil
	}
	r := BenchResult{Game: game.Info().Config, What: "engine", Envs: n, Workers: workers}
	r, err = measure(ctx, cfg, r, func() error { return c.run(all, step) })
	return r, errors.Join(append(refused, err)...)
}

func streams(seed uint64, n int) []engine.Rand {
	all := make([]engine.Rand, n)
	root := engine.NewRand(seed)
	for i := range all {
		all[i] = root.At(uint64(i))
	}
	return all
}

// measure runs step for the time of each run and fills in the figures of r.
func measure(ctx context.Context, cfg BenchConfig, r BenchResult, step func() error) (BenchResult, error) {
	during := func(d time.Duration) (steps int64, took time.Duration, err error) {
		start := time.Now()
		for took < d {
			for range 8 { // so that asking for the time costs nothing
				if err := step(); err != nil {
					return steps, took, err
				}
			}
			steps += 8
			took = time.Since(start)
			if err := ctx.Err(); err != nil {
				return steps, took, err
			}
		}
		return steps, took, nil
	}
	if _, _, err := during(cfg.Warmup); err != nil {
		return r, err
	}
	rates := make([]float64, cfg.Runs)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range rates {
		steps, took, err := during(cfg.Run)
		if err != nil {
			return r, err
		}
		r.Steps += steps
		rates[i] = float64(steps) * float64(r.Envs) / took.Seconds()
	}
	runtime.ReadMemStats(&after)
	slices.Sort(rates)
	r.Runs = cfg.Runs
	r.Slowest, r.Fastest = rates[0], rates[len(rates)-1]
	r.DecisionsPerSecond = (rates[(len(rates)-1)/2] + rates[len(rates)/2]) / 2
	r.NsPerDecision = 1e9 / r.DecisionsPerSecond
	// Counting takes an allocation or two itself: far below one a step.
	r.AllocsPerStep = float64(after.Mallocs-before.Mallocs) / float64(r.Steps)
	r.AllocBytesPerStep = float64(after.TotalAlloc-before.TotalAlloc) / float64(r.Steps)
	return r, nil
}
