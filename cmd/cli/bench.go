package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
)

// benchReport is the speed at which a machine runs games.
type benchReport struct {
	Go       string            `json:"go"`
	Platform string            `json:"platform"`
	Cores    int               `json:"cores"`
	Results  []env.BenchResult `json:"results"`
}

func newBench() *cobra.Command {
	var (
		cfg            env.BenchConfig
		quick, jsonOut bool
	)
	cmd := &cobra.Command{
		Use:         "bench [GAME …]",
		Short:       "Measure how fast the rules and the vectorised environment are",
		Annotations: inOrder(),
		Long: `Measure the games named, or every game: the rules alone (engine) and whole steps of the
vectorised environment with observations and masks (vec), for each number of environments
and workers; then copies of a match, redeals of hidden information, and
snapshots. Play is uniformly random among the legal actions, matches are dealt again at
their end, and decisions of players are counted. Each figure is the median of several
runs after a warm-up, beside the slowest and the fastest.

With --own-work, each vector is measured once more under a caller that does other work
between two steps, on all cores, as a learner has; that work alone is printed first.

CPU ns is core time per operation, of all workers together: on a busy machine
it shows what a core would do alone. MB/s is the least that must be written
(state, observation and mask), to be compared with memmove, the limit of memory.`,
		Example: `  privateer bench
  privateer bench leduc "doubloons(seats=4)" --quick --json
  privateer bench doubloons --num-envs 256,4096 --workers 1,2,4 --full
  privateer bench leduc --num-envs 64 --own-work 300us`,
		RunE: func(cmd *cobra.Command, args []string) error {
			for flag, list := range map[string][]int{"num-envs": cfg.Envs, "workers": cfg.Workers} {
				most := map[string]int{"num-envs": 1 << 20, "workers": mostCores}[flag]
				for _, n := range list {
					if n < 1 || n > most {
						return usagef("--%s %d: want from 1 to %d", flag, n, most)
					}
				}
			}
			if cfg.OwnWork < 0 {
				return usagef("--own-work %v: want a positive time, or 0 for none", cfg.OwnWork)
			}
			if cfg.Games = args; len(args) == 0 {
				for _, d := range engine.Definitions() {
					cfg.Games = append(cfg.Games, d.Name)
				}
			}
			if len(cfg.Workers) == 0 {
				cfg.Workers = slices.Compact([]int{1, min(2, runtime.GOMAXPROCS(0))})
			}
			if quick {
				cfg.Warmup, cfg.Run, cfg.Runs = 20*time.Millisecond, 50*time.Millisecond, 3
			}
			r := benchReport{runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, runtime.GOMAXPROCS(0), nil}
			err := env.Bench(cmd.Context(), cfg, func(result env.BenchResult) { r.Results = append(r.Results, result) })
			if errors.Is(err, context.Canceled) {
				return fmt.Errorf("stopped: %w", context.Cause(cmd.Context()))
			}
			if err != nil {
				return err
			}
			if jsonOut {
				return writeJSON(cmd, r)
			}
			return r.write(cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.Uint64Var(&cfg.Seed, "seed", 1, "seed of the matches and of the random play")
	f.IntSliceVar(&cfg.Envs, "num-envs", []int{1024, 4096, 16384}, "numbers of environments")
	f.IntSliceVar(&cfg.Workers, "workers", nil, "numbers of workers (default: 1, and 2 on two cores or more)")
	f.BoolVar(&cfg.Full, "full", false, "write the full view too, as for a perfect-information critic")
	f.DurationVar(&cfg.OwnWork, "own-work", 0, "work of the caller's own between two steps, on each core; 0: none")
	f.BoolVar(&quick, "quick", false, "measure for a fifth of a second each instead of five seconds")
	asJSON(cmd, &jsonOut)
	return cmd
}

func (r *benchReport) write(out io.Writer) error {
	fmt.Fprintf(out, "%s %s, %d cores\n", r.Go, r.Platform, r.Cores)
	var w *tabwriter.Writer
	game := ""
	for _, l := range r.Results {
		if l.What == env.BenchMemmove {
			fmt.Fprintf(out, "memmove: %s MB/s (slowest run %s, fastest %s)\n", grouped(int64(l.PerSecond/1e6)), grouped(int64(l.Slowest/1e6)), grouped(int64(l.Fastest/1e6)))
			continue
		}
		if l.What == env.BenchOwnWork {
			fmt.Fprintf(out, "own work: %s times a second on %d cores, %s CPU ns each\n", grouped(int64(l.PerSecond)), l.Workers, grouped(int64(l.CPUNs)))
			continue
		}
		if l.Game != game {
			if w != nil {
				w.Flush()
			}
			game = l.Game
			fmt.Fprintf(out, "\n%s\n", game)
			w = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprintln(w, "\tenvironments\tworkers\ta second\tslowest\tfastest\tCPU ns\tallocations a step\tbytes each\tMB/s\t")
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%.0f\t%.2f\t%d\t%s\t\n", l.What, l.Envs, l.Workers,
			grouped(int64(l.PerSecond)), grouped(int64(l.Slowest)), grouped(int64(l.Fastest)), l.CPUNs, l.AllocsPerStep, l.Bytes, grouped(int64(l.BytesASecond/1e6)))
	}
	if w == nil {
		return nil
	}
	return w.Flush()
}
