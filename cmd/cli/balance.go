package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/env/measure/balance"
)

// mostConfigurations is how many configurations one table compares, by letters.
const mostConfigurations = 26

func newBalance() *cobra.Command {
	var (
		cfg      balance.Config
		players  []string
		csv, out string
		jsonOut  bool
		replays  int
	)
	cmd := &cobra.Command{
		Use:         "balance GAME...",
		Short:       "Measure how balanced configurations of a game are",
		Annotations: inOrder(),
		Long: `Play many matches of each configuration and compare them: wins by seat and by captain,
length of matches, sources of points, ships sunk, lead changes and comebacks, each with
its 95 % confidence interval.

Each deal is played once per seat, with players and captains rotated by one seat each
time. A player is a bot by name, an exported policy, a run or a checkpoint. Results do not
depend on the number of workers.`,
		Example: `  privateer balance "doubloons(seats=4)" "doubloons(seats=4,modules=steal_ship)" --bots heuristic
  privateer balance "doubloons(seats=3)" --bots heuristic,random --matches 3000 --json
  privateer balance "doubloons(seats=2)" "doubloons(seats=6)" --bots heuristic --csv b.csv --plots plots
  privateer balance "doubloons(seats=4)" --luck 8 --bots random,heuristic --matches 4000`,
		Args: arguments(1, mostConfigurations, "GAME"),
		RunE: func(cmd *cobra.Command, games []string) error {
			// Checked before the matches, not after them.
			if csv != "" {
				if err := durable.Check(csv); err != nil {
					return fmt.Errorf("--csv: %w", err)
				}
			}
			if out != "" {
				if err := durable.Check(filepath.Join(out, "plot.svg")); err != nil {
					return fmt.Errorf("--plots: %w", err)
				}
			}
			warn := newProgress(cmd.ErrOrStderr()).warn
			for _, name := range players {
				c, err := loadContestant(strings.TrimSpace(name), "", warn)
				if err != nil {
					return fmt.Errorf("--bots: %w", err)
				}
				cfg.Players = append(cfg.Players, c.Player)
			}
			if cmd.Flags().Changed("luck") {
				return measureLuck(cmd, games, cfg, replays, jsonOut)
			}
			var reports []*balance.Report
			for _, game := range games {
				r, err := balance.Run(cmd.Context(), game, cfg)
				if err != nil {
					return err
				}
				reports = append(reports, r)
			}
			return writeBalance(cmd, reports, csv, out, jsonOut)
		},
	}
	f := cmd.Flags()
	players = []string{"random"}
	botsFlag(cmd, &players, "players in seat order: bots, bundles, runs or checkpoints; repeated to fill the seats")
	countFlag(cmd, &cfg.Matches, "matches", "n", 1000, 1, mostInMemory, "minimum matches per configuration")
	f.Uint64Var(&cfg.Seed, "seed", 1, "root seed")
	f.BoolVar(&cfg.OwnChoice, "own-choice", false, "let players choose their captains instead of dealing them out in turn")
	workersFlag(cmd, &cfg.Workers, "goroutines; 0: one per core")
	f.IntVar(&replays, "luck", 0, "measure instead the part of luck in the results: each bot of --bots plays all seats, each deal this many times")
	f.StringVar(&csv, "csv", "", "file for all figures, one per line")
	f.StringVar(&out, "plots", "", "folder for plots, as SVG")
	asJSON(cmd, &jsonOut)
	for _, other := range []string{"csv", "plots", "own-choice"} {
		cmd.MarkFlagsMutuallyExclusive("luck", other)
	}
	return cmd
}

// measureLuck measures what the seed decides, for each game and player.
func measureLuck(cmd *cobra.Command, games []string, cfg balance.Config, replays int, jsonOut bool) error {
	if replays < 2 || cfg.Matches < 2*replays {
		return usagef("--luck %d with --matches %d: want at least two deals, each played at least twice", replays, cfg.Matches)
	}
	all := []*balance.Luck{}
	for _, game := range games {
		for _, player := range cfg.Players {
			l, err := balance.RunLuck(cmd.Context(), game, balance.LuckConfig{
				Player: player, Deals: cfg.Matches / replays, Replays: replays, Seed: cfg.Seed, Workers: cfg.Workers})
			if err != nil {
				return err
			}
			all = append(all, l)
		}
	}
	if jsonOut {
		return writeJSON(cmd, all)
	}
	return balance.WriteLuck(cmd.OutOrStdout(), all)
}

func writeBalance(cmd *cobra.Command, reports []*balance.Report, csv, plots string, jsonOut bool) error {
	if csv != "" {
		var b strings.Builder
		if err := balance.WriteCSV(&b, reports); err != nil {
			return fmt.Errorf("--csv: %w", err)
		}
		if err := os.MkdirAll(filepath.Dir(csv), 0o755); err != nil {
			return fmt.Errorf("--csv: %w", err)
		}
		if err := durable.WriteFile(csv, []byte(b.String())); err != nil {
			return fmt.Errorf("--csv: %w", err)
		}
	}
	if plots != "" {
		names, err := balance.SavePlots(plots, reports)
		if err != nil {
			return fmt.Errorf("--plots: %w", err)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%d plots in %s\n", len(names), plots)
	}
	if jsonOut {
		return writeJSON(cmd, reports)
	}
	return balance.WriteTable(cmd.OutOrStdout(), reports)
}
