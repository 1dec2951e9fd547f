package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/measure/compare"
	"github.com/privateer-rl/privateer/train"
	"github.com/privateer-rl/privateer/train/imitation"
)

// trainResult is the result of a training run.
type trainResult struct {
	Run      string           `json:"run"`
	Steps    int64            `json:"steps"`
	Versus   []compare.Result `json:"versus"`
	Solution *train.Solution  `json:"solution,omitempty"`
	Exam     *imitation.Exam  `json:"exam,omitempty"`
}

// evalResult is the result of an evaluation.
type evalResult struct {
	Checkpoint string           `json:"checkpoint"`
	Steps      int64            `json:"steps"`
	Seed       engine.Long      `json:"seed"`
	Versus     []compare.Result `json:"versus"`
}

func newEval() *cobra.Command {
	var (
		opponents        []string
		game             string
		matches, workers int
		seed             uint64
		jsonOut          bool
		how              choice
		merge            bool
		meet             against
	)
	cmd := &cobra.Command{
		Use:         "eval PLAYER",
		Annotations: inOrder(),
		Short:       "Evaluate a trained policy against bots, or any player against others",
		Long: `Evaluate a trained policy (a run, a checkpoint or a bundle) against bots: the policy in one seat
against a bot in all others, and the reverse. Each deal is played from every seat. A run folder stands for
its best checkpoint, or its newest if none was evaluated; if exploitability was measured, for the network of the
average policy (checkpoints/average.ckpt) where that is the least exploitable. Intervals are 95 % confidence intervals,
by bootstrap over deals; with fewer than 100 deals they are at least as wide as Student's.

Runs and checkpoints are evaluated as privateer export would write them: the same policy up to rounding.

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
			for _, name := range []string{"gate", "alpha", "beta", "max-matches", "control", "rollouts", "alone", "shard", "out"} {
				if cmd.Flags().Changed(name) {
					return usagef("--%s is for --against", name)
				}
			}
			c, err := loadPolicy(args[0], strings.TrimPrefix(args[0], policy.Prefix), how, newProgress(cmd.ErrOrStderr()).warn)
			if errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%w; to evaluate a bot, name an opponent with --against", err)
			}
			if err != nil {
				return err
			}
			if game == "" {
				game = c.game
			}
			if err := sameGame(c.bundle.Game, game); err != nil {
				return err
			}
			if len(opponents) == 0 {
				opponents = c.opponents
			}
			result := evalResult{Checkpoint: c.path, Steps: c.bundle.Provenance.Steps, Seed: engine.Long(seed), Versus: []compare.Result{}}
			for _, bot := range opponents {
				r, err := compare.Evaluate(cmd.Context(), policy.NewBatch(c.bundle, workers), compare.Evaluation{Game: game, Bot: bot, Matches: matches, Seed: seed, Greedy: c.bundle.Choice == bundle.Greedy, Workers: workers, Programs: cmd.Flags().Changed("bots")})
				if err != nil {
					return err
				}
				result.Versus = append(result.Versus, r)
			}
			if jsonOut {
				return writeJSON(cmd, result)
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "%s, %s decisions of training\n", c.path, grouped(result.Steps))
			writeVersus(out, result.Versus)
			return nil
		},
	}
	f := cmd.Flags()
	botsFlag(cmd, &opponents, "opponents (see privateer help players; default: the run's eval_bots)")
	f.Var(&botList{names: &meet.opponents}, "against", "opponents of PLAYER: bots, bundles, runs or checkpoints")
	f.BoolVar(&meet.control, "control", false, "with --against: reduce variance by control variates")
	f.IntVar(&meet.rollouts, "rollouts", 0, "with --control: rollouts to value a position; 0: value it as it stands")
	f.BoolVar(&meet.alone, "alone", false, "with --against: play only PLAYER alone against n-1 opponents")
	f.Float64Var(&meet.gate, "gate", 2, "with --against: stop once PLAYER is known to be better, or not, by this many percentage points")
	f.Float64Var(&meet.alpha, "alpha", compare.DefaultGateError, "with --gate: probability of accepting a player that is no better")
	f.Float64Var(&meet.beta, "beta", compare.DefaultGateError, "with --gate: probability of rejecting a player that is better by the points of the gate")
	countFlag(cmd, &meet.most, "max-matches", "", compare.DefaultGateMatches, 1, mostInMemory, "with --gate: maximum matches")
	f.StringVar(&meet.shard, "shard", "", "with --against: play only this shard, such as 3/16; job/N: by the index of a Kubernetes Job")
	f.StringVar(&meet.out, "out", "played", "with --shard: folder to write the shard to")
	f.BoolVar(&merge, "merge", false, "PLAYER is a folder of shards: merge them")
	f.StringVar(&game, "game", "", "game string, of the game that the policy knows, such as another number of seats (default: the run's)")
	countFlag(cmd, &matches, "matches", "n", 1000, 1, mostInMemory, "minimum matches per seating")
	f.Uint64Var(&seed, "seed", 1, "seed of deals and choices")
	greedyFlag(cmd, &how)
	workersFlag(cmd, &workers, "goroutines for bots, rules and the policy; 0: one per core")
	asJSON(cmd, &jsonOut)
	return cmd
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
func writeVersus(out io.Writer, all []compare.Result) {
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
		writeFaults(out, r.Bot, r.Faults)
		if cut := r.One.Truncated + r.Other.Truncated; cut > 0 {
			fmt.Fprintf(out, "%d of the %d matches against %s were cut short by a limit of the game: no winner, so each seat gets an equal share\n", cut, r.One.Matches+r.Other.Matches, r.Bot)
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
