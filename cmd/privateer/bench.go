package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/env"
)

// benchReport is what a machine does with a game.
type benchReport struct {
	Game     string            `json:"game"`
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
		Use:   "bench GAME",
		Short: "Measure how fast the rules and the vectorised environment are",
		Long: `Measure, with uniformly random play, the rules alone (engine) and whole steps of the
vectorised environment with observations and masks (vec), for each number of
environments and workers.`,
		Example: `  privateer bench "doubloons(seats=4)"
  privateer bench leduc --quick --json
  privateer bench doubloons --num-envs 256,4096 --workers 1,2,4 --full`,
		Args: arguments(1, 1, "GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg.Game = args[0]
			for flag, list := range map[string][]int{"num-envs": cfg.Envs, "workers": cfg.Workers} {
				for _, n := range list {
					if n < 1 {
						return usagef("--%s %d: want at least 1", flag, n)
					}
				}
			}
			if len(cfg.Workers) == 0 {
				cfg.Workers = slices.Compact([]int{1, runtime.GOMAXPROCS(0)})
			}
			if quick {
				cfg.Warmup, cfg.Run, cfg.Runs = 20*time.Millisecond, 100*time.Millisecond, 2
			}
			results, err := env.Bench(cmd.Context(), cfg)
			if errors.Is(err, context.Canceled) {
				return fmt.Errorf("stopped: %w", context.Cause(cmd.Context()))
			}
			if err != nil {
				return err
			}
			r := benchReport{results[0].Game, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, runtime.GOMAXPROCS(0), results}
			if jsonOut {
				return writeJSON(cmd, r)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s, %s %s, %d cores\n\n", r.Game, r.Go, r.Platform, r.Cores)
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprintln(w, "\tenvironments\tworkers\tdecisions/s\tslowest\tfastest\tns each\tallocations a batch\tbytes written each\t")
			for _, l := range r.Results {
				fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%.0f\t%.2f\t%d\t\n", l.What, l.Envs, l.Workers,
					grouped(int64(l.DecisionsPerSecond)), grouped(int64(l.Slowest)), grouped(int64(l.Fastest)), l.NsPerDecision, l.AllocsPerStep, l.WrittenPerDecision)
			}
			return w.Flush()
		},
	}
	f := cmd.Flags()
	f.Uint64Var(&cfg.Seed, "seed", 1, "seed of the matches and of the random play")
	f.IntSliceVar(&cfg.Envs, "num-envs", []int{1024}, "numbers of environments")
	f.IntSliceVar(&cfg.Workers, "workers", nil, "numbers of workers (default: 1, and one a core)")
	f.BoolVar(&cfg.Full, "full", false, "write the full view too, as for a perfect-information critic")
	f.BoolVar(&quick, "quick", false, "measure for a fifth of a second each instead of five seconds")
	asJSON(cmd, &jsonOut)
	return cmd
}
