package env

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// BenchConfig says what Bench measures.
type BenchConfig struct {
	Games   []string // game strings
	Seed    uint64
	Envs    []int         // row counts; 1024, 4096 and 16384 if empty
	Workers []int         // 1 and 2 if empty
	Full    bool          // write the full view too
	Warmup  time.Duration // before each measurement; 200 ms if 0
	Run     time.Duration // length of one run; 1 s if 0
	Runs    int           // of each measurement; 5 if 0
	OwnWork time.Duration // what the caller does on every core between two steps of a vector, as a learner does; 0: nothing
}

// Kinds of BenchResult. In all play the actions are drawn uniformly from the legal
// ones and matches that end are dealt again; drawing and dealing are part of the time.
const (
	BenchMemmove  = "memmove"             // copying memory far larger than the caches: the limit of every environment on the machine; one operation is a byte
	BenchEngine   = "engine"              // a decision of the rules alone
	BenchVec      = "vec"                 // a decision of the vector, with observation, mask and the rest of the batch
	BenchVecFull  = "vec full"            // the same, with the full view too
	BenchBeside   = "vec beside own work" // a decision of the vector of a caller that does other work on all cores between two steps, that work included
	BenchOwnWork  = "own work"            // that work alone; one operation is the work between two steps
	BenchCopy     = "copy"                // a match copied
	BenchRedeal   = "redeal"              // a match copied, and the information hidden from the seat to act dealt again
	BenchSnapshot = "snapshot"            // a row of a vector saved
	BenchRestore  = "restore"             // a row of a vector restored
)

// BenchResult is one measurement.
type BenchResult struct {
	Game          string  `json:"game,omitempty"`
	What          string  `json:"what"`
	Envs          int     `json:"envs,omitempty"` // matches that are stepped in turn
	Workers       int     `json:"workers"`
	Runs          int     `json:"runs"`
	Steps         int64   `json:"steps"`                      // passes over all rows, in all runs
	PerSecond     float64 `json:"per_second"`                 // operations a second of wall time, median of the runs; decisions of players, in play
	Slowest       float64 `json:"slowest"`                    // run
	Fastest       float64 `json:"fastest"`                    // run
	CPUNs         float64 `json:"cpu_ns,omitempty"`           // core time per operation, of all workers together, median of the runs; 0 if the system does not tell
	AllocsPerStep float64 `json:"allocs_per_step"`            // heap allocations per pass over all rows
	AllocBytes    float64 `json:"alloc_bytes_per_step"`       // heap bytes per pass over all rows
	Bytes         int     `json:"bytes,omitempty"`            // that an operation must write at least: state, observation and mask
	BytesASecond  float64 `json:"bytes_per_second,omitempty"` // Bytes · PerSecond, to be compared with memmove
}

// Bench measures the speed of games on this machine: first that of memory, then
// for each game the rules alone and the vector, at every number of rows and workers,
// and copies, redeals and snapshots of the smallest number of rows. It calls report with each result as it
// comes, and ends early with the context's error.
func Bench(ctx context.Context, cfg BenchConfig, report func(BenchResult)) error {
	if cfg.Warmup < 0 || cfg.Run < 0 || cfg.Runs < 0 || cfg.OwnWork < 0 {
		return errors.New("env: bench: negative durations or number of runs")
	}
	if len(cfg.Envs) == 0 {
		cfg.Envs = []int{1024, 4096, 16384}
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
	b := bench{ctx: ctx, cfg: cfg, report: report}
	if err := b.memmove(); err != nil {
		return fmt.Errorf("env: bench: %w", err)
	}
	if cfg.OwnWork > 0 {
		b.own = newLearner(cfg.OwnWork)
		defer b.own.end()
		if err := b.ownWork(); err != nil {
			return fmt.Errorf("env: bench: %w", err)
		}
	}
	for _, game := range cfg.Games {
		if err := b.game(game); err != nil {
			return fmt.Errorf("env: bench %s: %w", game, err)
		}
	}
	return nil
}

type bench struct {
	ctx    context.Context
	cfg    BenchConfig
	report func(BenchResult)
	own    *learner // nil if the caller does no other work
}

func (b *bench) game(game string) error {
	for _, n := range b.cfg.Envs {
		for _, workers := range b.cfg.Workers {
			for _, part := range []func(game string, n, workers int) error{b.engine, b.vec} {
				if err := part(game, n, workers); err != nil {
					return err
				}
			}
		}
	}
	n := slices.Min(b.cfg.Envs)
	for _, part := range []func(game string, n int) error{b.search, b.snapshots} {
		if err := part(game, n); err != nil {
			return err
		}
	}
	return nil
}

// measure runs step, which performs some operations, for the time of each run,
// and reports r with the figures.
func (b *bench) measure(r BenchResult, operations int, step func() error) error {
	if _, _, _, err := b.during(b.cfg.Warmup, step); err != nil {
		return err
	}
	rates, cpu := make([]float64, b.cfg.Runs), make([]float64, b.cfg.Runs)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range rates {
		steps, took, busy, err := b.during(b.cfg.Run, step)
		if err != nil {
			return err
		}
		r.Steps += steps
		rates[i] = float64(steps) * float64(operations) / took.Seconds()
		cpu[i] = float64(busy.Nanoseconds()) / float64(steps) / float64(operations)
	}
	runtime.ReadMemStats(&after)
	slices.Sort(rates)
	r.Runs = b.cfg.Runs
	r.Slowest, r.Fastest = rates[0], rates[len(rates)-1]
	r.PerSecond, r.CPUNs = median(rates), median(cpu)
	// Counting takes an allocation or two itself: far below one per step.
	r.AllocsPerStep = float64(after.Mallocs-before.Mallocs) / float64(r.Steps)
	r.AllocBytes = float64(after.TotalAlloc-before.TotalAlloc) / float64(r.Steps)
	r.BytesASecond = float64(float64(r.Bytes) * r.PerSecond)
	b.report(r)
	return nil
}

// during runs step for some time, and returns how often it ran and what that took.
func (b *bench) during(d time.Duration, step func() error) (steps int64, took, busy time.Duration, err error) {
	start, startCPU := time.Now(), cpuTime()
	for took < d {
		if err := step(); err != nil {
			return steps, took, 0, err
		}
		steps++
		took = time.Since(start)
		if err := b.ctx.Err(); err != nil {
			return steps, took, 0, err
		}
	}
	return steps, took, cpuTime() - startCPU, nil
}

func median(of []float64) float64 {
	slices.Sort(of)
	return (of[(len(of)-1)/2] + of[len(of)/2]) / 2
}
