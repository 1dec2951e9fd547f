package main

import (
	"context"
	"fmt"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
)

// benchResult is what a machine does with a game.
type benchResult struct {
	Game     string      `json:"game"`
	Seed     uint64      `json:"seed"`
	Go       string      `json:"go"`
	Platform string      `json:"platform"`
	Cores    int         `json:"cores"`
	Measures []benchLine `json:"measures"`
}

// benchLine is one measure. A count is of decisions, or of observations where
// they are what is measured.
type benchLine struct {
	What      string  `json:"what"`
	Envs      int     `json:"num_envs,omitempty"`
	Workers   int     `json:"workers"`
	Count     int64   `json:"count"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"per_second"`
	Allocs    float64 `json:"allocations_per_step"` // a step is a decision, or a Vec.Step of all rows
}

func newBench() *cobra.Command {
	var (
		seed           uint64
		envs           int
		quick, jsonOut bool
	)
	cmd := &cobra.Command{
		Use:   "bench GAME",
		Short: "Measure how fast rules, observations and the vectorised environment are",
		Long: `Measure, with uniformly random play: the rules alone, the encoding of observations,
and the vectorised environment with 1 worker and with one a core.`,
		Example: `  privateer bench "doubloons(seats=4)"
  privateer bench leduc --quick --json`,
		Args: arguments(1, 1, "GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if envs < 1 {
				return usagef("--num-envs %d: want at least 1", envs)
			}
			each := 2 * time.Second
			if quick {
				each = 200 * time.Millisecond
			}
			r, err := bench(cmd.Context(), args[0], seed, envs, each)
			if err != nil {
				return err
			}
			if jsonOut {
				return writeJSON(cmd, r)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s, seed %d, %s %s, %d cores\n\n", r.Game, r.Seed, r.Go, r.Platform, r.Cores)
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprintln(w, "measure\tenvironments\tworkers\ta second\tµs each\tallocations a step\t")
			for _, l := range r.Measures {
				rows := "-"
				if l.Envs > 0 {
					rows = fmt.Sprint(l.Envs)
				}
				fmt.Fprintf(w, "%s\t%s\t%d\t%.0f\t%.3f\t%.2f\t\n", l.What, rows, l.Workers, l.PerSecond, 1e6/l.PerSecond, l.Allocs)
			}
			return w.Flush()
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the matches and of the random play")
	cmd.Flags().IntVar(&envs, "num-envs", 1024, "environments of the vector")
	cmd.Flags().BoolVar(&quick, "quick", false, "measure for a fifth of a second each instead of two seconds")
	asJSON(cmd, &jsonOut)
	return cmd
}

func bench(ctx context.Context, game string, seed uint64, envs int, each time.Duration) (*benchResult, error) {
	g, err := engine.NewGame(game)
	if err != nil {
		return nil, err
	}
	if g.Info().Explicit {
		return nil, fmt.Errorf("game %q: chance=explicit is for callers that decide chance: leave it out", game)
	}
	enc, err := encode.For(g)
	if err != nil {
		return nil, err
	}
	cores := runtime.GOMAXPROCS(0)
	r := &benchResult{Game: g.Info().Config, Seed: seed, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Cores: cores}
	rules, err := benchRules(ctx, g, seed, each)
	if err != nil {
		return nil, err
	}
	encoding, err := benchEncode(ctx, g, enc, seed, each)
	if err != nil {
		return nil, err
	}
	r.Measures = append(r.Measures, rules, encoding)
	for _, workers := range []int{1, cores} {
		if workers == 1 && len(r.Measures) > 2 {
			break // a machine with one core
		}
		line, err := benchVec(ctx, g.Info().Config, seed, envs, workers, each)
		if err != nil {
			return nil, err
		}
		r.Measures = append(r.Measures, line)
	}
	return r, nil
}

// measure calls step, which returns what it did in the unit that is counted,
// until the time is over, and fills in the line.
func measure(ctx context.Context, each time.Duration, line benchLine, step func() (int, error)) (benchLine, error) {
	// The first steps pay for caches and for buffers that grow.
	for warm := time.Now(); time.Since(warm) < each/10; {
		if _, err := step(); err != nil {
			return line, err
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began, steps := time.Now(), 0
	for ; time.Since(began) < each; steps++ {
		if ctx.Err() != nil {
			return line, fmt.Errorf("bench %s: %w", line.What, context.Cause(ctx))
		}
		n, err := step()
		if err != nil {
			return line, err
		}
		line.Count += int64(n)
	}
	line.Seconds = time.Since(began).Seconds()
	runtime.ReadMemStats(&after)
	line.PerSecond = float64(line.Count) / line.Seconds
	line.Allocs = float64(after.Mallocs-before.Mallocs) / float64(steps)
	return line, nil
}

// decisionsAtOnce keeps the clock out of the loop.
const decisionsAtOnce = 256

func benchRules(ctx context.Context, g engine.Game, seed uint64, each time.Duration) (benchLine, error) {
	m := g.NewMatch()
	m.Reset(seed)
	r, episode := engine.NewRand(seed), uint64(0)
	return measure(ctx, each, benchLine{What: "rules", Workers: 1}, func() (int, error) {
		for range decisionsAtOnce {
			if m.Seat() == engine.Over {
				episode++
				m.Reset(engine.EpisodeSeed(seed, episode))
			}
			if err := m.Apply(m.Legal().Sample(&r)); err != nil {
				return 0, err
			}
		}
		return decisionsAtOnce, nil
	})
}

// benchEncode encodes states from the middle of many matches, over and over.
func benchEncode(ctx context.Context, g engine.Game, enc *encode.Encoder, seed uint64, each time.Duration) (benchLine, error) {
	matches := g.NewMatches(decisionsAtOnce)
	r := engine.NewRand(seed)
	for i, m := range matches {
		m.Reset(engine.EpisodeSeed(seed, uint64(i)))
		for range i {
			if m.Seat() == engine.Over {
				m.Reset(engine.EpisodeSeed(seed, uint64(i)))
			}
			if err := m.Apply(m.Legal().Sample(&r)); err != nil {
				return benchLine{}, err
			}
		}
		if m.Seat() == engine.Over {
			m.Reset(engine.EpisodeSeed(seed, uint64(i)))
		}
	}
	obs := make([]uint8, enc.Schema().Size)
	return measure(ctx, each, benchLine{What: "encoding", Workers: 1}, func() (int, error) {
		for _, m := range matches {
			enc.Encode(m, m.Seat(), obs)
		}
		return len(matches), nil
	})
}

func benchVec(ctx context.Context, game string, seed uint64, envs, workers int, each time.Duration) (benchLine, error) {
	v, err := env.New(env.Config{Game: game, NumEnvs: envs, Workers: workers, Seed: seed, Autoreset: env.SameStep})
	if err != nil {
		return benchLine{}, err
	}
	defer v.Close()
	if _, err := v.Reset(); err != nil {
		return benchLine{}, err
	}
	actions, streams := make([]int32, envs), make([]engine.Rand, envs)
	for i := range streams {
		streams[i] = engine.NewRand(seed).At(uint64(i))
	}
	return measure(ctx, each, benchLine{What: "environment", Envs: envs, Workers: workers}, func() (int, error) {
		if err := v.SampleActions(actions, streams); err != nil {
			return 0, err
		}
		if _, err := v.Step(actions); err != nil {
			return 0, err
		}
		return envs, nil
	})
}
