package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/eval"
	"github.com/privateer-rl/privateer/train"
)

// trainResult is what a training run came to.
type trainResult struct {
	Run      string          `json:"run"`
	Steps    int64           `json:"steps"`
	Versus   []eval.Result   `json:"versus"`
	Solution *train.Solution `json:"solution,omitempty"`
	Exam     *train.Exam     `json:"exam,omitempty"`
}

// evalResult is what an evaluation came to.
type evalResult struct {
	Checkpoint string        `json:"checkpoint"`
	Steps      int64         `json:"steps"`
	Seed       engine.Long   `json:"seed"`
	Versus     []eval.Result `json:"versus"`
}

func newEval() *cobra.Command {
	var (
		opponents        []string
		game, device     string
		matches, workers int
		threads          int
		seed             uint64
		jsonOut          bool
		how              choice
		merge            bool
		meet             against
	)
	cmd := &cobra.Command{
		Use:   "eval PLAYER",
		Short: "Measure a trained policy against bots, or any player against others",
		Long: `Measure a trained policy (a run, a checkpoint or a bundle) against bots: one seat of the policy
against bots in all others, and the other way round. Each deal is played from every seat. Of a run folder
the best checkpoint is taken, or the newest if none was evaluated; where exploitability is measured, the network that learnt the
average policy at the end of the run (checkpoints/average.ckpt), if it is the least exploitable. Intervals are of
95 %, by bootstrap over deals; of fewer than 100 deals they reach at least as far as Student's.

An exported policy is measured by any build. One without libtorch measures of a run or a checkpoint what
privateer export makes of it: the same policy, up to the rounding of its numbers.

` + againstHelp,
		Example: `  privateer eval runs/leduc__ppo__1__1700000000
  privateer eval runs/mine --bots random,heuristic --matches 4000 --json
  privateer eval pirate.bundle --bots policy:older.bundle
  privateer eval runs/mine/checkpoints/best.ckpt --game "doubloons(seats=3)"
  privateer eval heuristic --against random --game "jolly_roger(seats=6)"
  privateer eval search-10ms --against heuristic --alone --game "doubloons(seats=4)"
  privateer eval new.bundle --against policy:older.bundle --gate 2
  privateer eval search-10ms --against heuristic --game "doubloons(seats=4)" --matches 4000 --shard 3/16 --out played
  privateer eval --merge played`,
		Args: arguments(1, 1, "PLAYER, such as a run, a checkpoint, a bundle or, with --against, a bot,"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if merge {
				return mergeShards(cmd, args[0], jsonOut)
			}
			if len(meet.opponents) > 0 {
				meet.game, meet.matches, meet.seed = game, matches, seed
				meet.choice, meet.workers, meet.json = how, workers, jsonOut
				return meet.run(cmd, args[0])
			}
			for _, name := range []string{"gate", "alpha", "beta", "max-matches", "control", "foresee", "alone", "shard", "out"} {
				if cmd.Flags().Changed(name) {
					return usagef("--%s is for --against", name)
				}
			}
			p, err := loadEvaluated(args[0], device, threads, newProgress(cmd.ErrOrStderr()).warn)
			if errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%w; whom a bot is measured against says --against", err)
			}
			if err != nil {
				return err
			}
			defer p.close()
			if game == "" {
				game = p.config.Evaluated()
			}
			if err := sameGame(p.config.Game, game); err != nil {
				return err
			}
			if len(opponents) == 0 {
				opponents = p.config.EvalBots
			}
			result := evalResult{Checkpoint: p.path, Steps: p.steps, Seed: engine.Long(seed), Versus: []eval.Result{}}
			for _, bot := range opponents {
				r, err := eval.Versus(p.policy, eval.Config{Game: game, Bot: bot, Matches: matches, Seed: seed, Greedy: how.or(p.choice) == policy.Greedy, Workers: workers})
				if err != nil {
					return err
				}
				result.Versus = append(result.Versus, r)
			}
			if jsonOut {
				return writeJSON(cmd, result)
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "%s, %s decisions of training\n", p.path, grouped(p.steps))
			writeVersus(out, result.Versus)
			return nil
		},
	}
	f := cmd.Flags()
	botsFlag(cmd, &opponents, "opponents, by name or policy:BUNDLE (default: those that the run was evaluated against)")
	f.Var(&botList{names: &meet.opponents}, "against", "opponents of PLAYER: bots by name, bundles, runs or checkpoints")
	f.BoolVar(&meet.control, "control", false, "with --against: take luck out of the results by control variates")
	f.IntVar(&meet.foresee, "foresee", 0, "with --control: rollouts by which a position is judged; 0: as it stands")
	f.BoolVar(&meet.alone, "alone", false, "with --against: play only one PLAYER against n-1 opponents")
	f.Float64Var(&meet.gate, "gate", 2, "with --against: stop when it is known whether PLAYER is better by this many points of a hundred")
	f.Float64Var(&meet.alpha, "alpha", eval.DefaultGateError, "with --gate: chance to call a player better who is not")
	f.Float64Var(&meet.beta, "beta", eval.DefaultGateError, "with --gate: chance to call a player not better who is, by the points of the gate")
	countFlag(cmd, &meet.most, "max-matches", "", eval.DefaultGateMatches, 1, mostInMemory, "with --gate: most matches")
	f.StringVar(&meet.shard, "shard", "", "with --against: play only this shard of how many, such as 3/16; job/N: by the index of a Kubernetes Job")
	f.StringVar(&meet.out, "out", "played", "with --shard: folder that gets the shard")
	f.BoolVar(&merge, "merge", false, "PLAYER is a folder of shards: sum them up")
	f.StringVar(&game, "game", "", "game string of the same game, such as another number of seats (default: the run's)")
	countFlag(cmd, &matches, "matches", "n", 1000, 1, mostInMemory, "least matches of each seating, or kind of table")
	f.Uint64Var(&seed, "seed", 1, "seed of deals and choices")
	greedyFlag(cmd, &how)
	workersFlag(cmd, &workers, "goroutines for bots and rules; 0: one a core")
	countFlag(cmd, &threads, "threads", "", 0, 0, mostCores, "threads of the policy; 0: one a core")
	f.StringVar(&device, "device", "cpu", "cpu or cuda")
	asJSON(cmd, &jsonOut)
	return cmd
}

// evaluated is a policy with what is known about it.
type evaluated struct {
	policy env.Policy
	path   string
	steps  int64
	config train.Config
	choice string // policy.Greedy or policy.Sample, if nothing else is said
	close  func()
}

// loadEvaluated loads a bundle, a run or a checkpoint.
func loadEvaluated(name, device string, threads int, warn func(string)) (*evaluated, error) {
	path := strings.TrimPrefix(name, policy.Prefix)
	if policy.IsBundle(path) || !train.CanTrain() {
		if device != "cpu" {
			return nil, usagef("--device %s: of an exported policy, or without libtorch: want cpu", device)
		}
		b, path, err := bundleOf(path, warn)
		if err != nil {
			return nil, err
		}
		cfg, err := train.ParseConfig([]byte(b.Provenance.Config))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return &evaluated{b.Policy(threads), path, b.Provenance.Steps, cfg, b.Choice, func() {}}, nil
	}
	p, err := train.LoadPolicy(path, device, threads, train.Options{Warn: warn})
	if err != nil {
		return nil, err
	}
	return &evaluated{p.Policy, p.Path, p.Steps, p.Config, p.Config.Choice(), p.Close}, nil
}

// sameGame refuses a game whose tensors the policy does not know.
func sameGame(trained, asked string) error {
	t, err := engine.Lookup(trained)
	if err != nil {
		return err
	}
	a, err := engine.Lookup(asked)
	if err != nil {
		return err
	}
	if a.Name != t.Name {
		return usagef("--game %s: the policy was trained on %s: give a game string of that game", asked, trained)
	}
	return nil
}

// writeVersus prints evaluations as a table.
func writeVersus(out io.Writer, all []eval.Result) {
	if len(all) == 0 {
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "seats\twins of the one\tits return\tequal share\tmatches")
	for _, r := range all {
		fmt.Fprintf(w, "policy against %d × %s\t%v\t%v\t%.3f\t%d\n", r.Seats-1, r.Bot, r.One.WinRate, r.One.Return, r.EqualShare, r.One.Matches)
		fmt.Fprintf(w, "%s against %d × policy\t%v\t%v\t%.3f\t%d\n", r.Bot, r.Seats-1, r.Other.WinRate, r.Other.Return, r.EqualShare, r.Other.Matches)
	}
	w.Flush()
	for _, r := range all {
		if cut := r.One.Truncated + r.Other.Truncated; cut > 0 {
			fmt.Fprintf(out, "a limit of the game cut %d of the %d matches against %s short: nobody has won there, so each seat gets an equal share\n", cut, r.One.Matches+r.Other.Matches, r.Bot)
		}
	}
}

func writeSolution(out io.Writer, s *train.Solution) {
	if s != nil {
		fmt.Fprintf(out, "exploitability %s\n", solutionText(s))
	}
}

// solutionText says exploitability and NashConv of the last and of the averaged
// policy.
func solutionText(s *train.Solution) string {
	text := fmt.Sprintf("%.4f (NashConv %.4f)", s.Exploitability, s.NashConv)
	if s.AverageNashConv != nil {
		text += fmt.Sprintf(", averaged policy %.4f (NashConv %.4f)", *s.AverageExploitability, *s.AverageNashConv)
	}
	if s.NetworkNashConv != nil {
		text += fmt.Sprintf(", the network that learnt the average: NashConv %.4f", *s.NetworkNashConv)
	}
	return text + fmt.Sprintf("; NashConv of uniform play %.4f", s.UniformNashConv)
}
