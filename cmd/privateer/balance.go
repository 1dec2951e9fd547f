package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/env/balance"
	"github.com/privateer-rl/privateer/env/eval"
	"github.com/privateer-rl/privateer/train"
)

// mostConfigurations is how many configurations one table compares, by letters.
const mostConfigurations = 26

func newBalance() *cobra.Command {
	var (
		cfg      balance.Config
		players  []string
		csv, out string
		jsonOut  bool
		device   string
		replays  int
	)
	cmd := &cobra.Command{
		Use:         "balance GAME...",
		Short:       "Measure how even configurations of a game are",
		Annotations: inOrder(),
		Long: `Play many matches of each configuration and compare them: who wins by seat and by
captain, how long matches are, where points come from, how often ships sink, how matches
turn, each with its 95 % interval.

Each deal is played once for each seat, with players and captains moved on by one seat
each time. A player is a bot by name, or policy:PATH for an exported policy, or for a run
or checkpoint (these need a build with libtorch). The result does not depend on the number of workers.`,
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
				name = strings.TrimSpace(name)
				if path, ok := strings.CutPrefix(name, policy.Prefix); ok && !policy.IsBundle(path) && !policy.IsEnsemble(name) {
					cfg.Players = append(cfg.Players, policyPlayer(path, device, warn))
				} else {
					cfg.Players = append(cfg.Players, balance.Bot(name))
				}
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
	botsFlag(cmd, &players, "players around the table, bots or policy:PATH; repeated to fill the seats")
	countFlag(cmd, &cfg.Matches, "matches", "n", 1000, 1, mostInMemory, "least matches of each configuration")
	f.Uint64Var(&cfg.Seed, "seed", 1, "seed of everything")
	f.BoolVar(&cfg.OwnChoice, "own-choice", false, "let players choose their captains instead of dealing them out in turn")
	workersFlag(cmd, &cfg.Workers, "goroutines; 0: one a core")
	f.IntVar(&replays, "luck", 0, "instead, measure how much of the results the seed decides: play each deal this often, every bot of --bots by itself in all seats")
	f.StringVar(&csv, "csv", "", "file to write all figures to, one a line")
	f.StringVar(&out, "plots", "", "folder to write plots to, as SVG")
	f.StringVar(&device, "device", "cpu", "of policies: cpu or cuda")
	asJSON(cmd, &jsonOut)
	for _, other := range []string{"csv", "plots", "own-choice"} {
		cmd.MarkFlagsMutuallyExclusive("luck", other)
	}
	return cmd
}

// measureLuck measures what the seed decides, for each game and player.
func measureLuck(cmd *cobra.Command, games []string, cfg balance.Config, replays int, jsonOut bool) error {
	if replays < 2 || cfg.Matches < 2*replays {
		return usagef("--luck %d with --matches %d: play each deal at least twice, and at least two deals", replays, cfg.Matches)
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

// policyPlayer is a trained policy as a player. Each worker loads its own.
func policyPlayer(path, device string, warn func(string)) balance.Player {
	return balance.Player{Name: policy.Prefix + filepath.Base(path), Make: func(g engine.Game) (bots.Bot, error) {
		p, err := train.LoadPolicy(path, device, 1, train.Options{Warn: warn})
		if err != nil {
			return nil, err
		}
		if err := sameGame(p.Config.Game, g.Info().Config); err != nil {
			p.Close()
			return nil, err
		}
		e, err := encode.For(g)
		if err != nil {
			p.Close()
			return nil, err
		}
		return eval.AsBot(policy.Prefix+path, p.Policy, e, g), nil
	}}
}
