package train

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"time"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/env/measure/compare"
	"github.com/privateer-rl/privateer/train/imitation"
	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// Options are a caller's arguments of a run besides its configuration.
type Options struct {
	Root     string       // folder that gets the run folder; "" means runs
	Progress func(Update) // called after each iteration, once before the first with Iteration 0; may be nil
	Warn     func(string) // called with problems that were recovered from; may be nil

	// NewLearner makes the network; nil means learner.New.
	NewLearner func(learner.Config) (learner.Learner, error)

	dir string // run folder of a stage; "": it gets a name in Root
}

func (o Options) withDefaults() Options {
	if o.Root == "" {
		o.Root = "runs"
	}
	if o.Progress == nil {
		o.Progress = func(Update) {}
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	if o.NewLearner == nil {
		o.NewLearner = learner.New
	}
	return o
}

// Update is the report of a run after each of its iterations.
type Update struct {
	Dir                   string // the run folder
	Iteration, Iterations int    // this one, from 1, and how many there will be
	Steps, TotalSteps     int64  // decisions collected so far and in the end
	Trained               int64  // decisions trained on so far
	Episodes              int64  // matches finished so far

	selfplay.Update // what the algorithm did

	// Only if this iteration was evaluated.
	Versus   []compare.Result
	Solution *Solution
	Exam     *imitation.Exam // of imitation

	Elapsed    time.Duration // since the run began, without the time between interruption and resume
	Remaining  time.Duration // at the pace of this process; 0 when unknown
	Checkpoint bool          // one was written
}

// remaining is how long the decisions that are missing will take, at the pace of those that this process has collected. Updates say little: those
// of the late game are larger.
func remaining(took time.Duration, collected, missing int64) time.Duration {
	if collected <= 0 || missing <= 0 {
		return 0
	}
	return time.Duration(float64(took) / float64(collected) * float64(missing))
}

// Summary is the result of a run.
type Summary struct {
	Dir    string // the run folder
	Game   string // in which it was evaluated
	Last   Update // its last iteration, with the newest evaluation
	Steps  int64
	Closed bool // false when the run was interrupted before its last iteration
}

// take keeps the newest update, and the newest evaluation.
func (s *Summary) take(u Update) {
	if u.Versus == nil && u.Solution == nil && u.Exam == nil {
		u.Versus, u.Solution, u.Exam = s.Last.Versus, s.Last.Solution, s.Last.Exam
	}
	s.Last, s.Steps = u, u.Steps
}

// Solution is how far a policy of a small game is from an equilibrium. Exploitability is NashConv divided by the number of seats, in
// units of returns times the game's ReturnScale (chips).
type Solution struct {
	NashConv       float64 `json:"nash_conv"` // of the network as it is
	Exploitability float64 `json:"exploitability"`
	// Of the policy averaged over the later part of the run; nil before that.
	AverageNashConv       *float64 `json:"average_nash_conv,omitempty"`
	AverageExploitability *float64 `json:"average_exploitability,omitempty"`
	// Of the network that learnt that average when the run ended; nil before that.
	NetworkNashConv *float64 `json:"network_nash_conv,omitempty"`
	UniformNashConv float64  `json:"uniform_nash_conv"` // of the uniform policy, for scale
}

// values are the scalars of an update by TensorBoard tag, and apart from them timings, which depend on the machine.
func (u *Update) values() (values, timings map[string]float64) {
	values = map[string]float64{
		"charts/learning_rate":      u.LearningRate,
		"charts/episodes":           float64(u.Episodes),
		"charts/trained":            float64(u.Trained),
		"losses/policy_loss":        u.Losses.Policy,
		"losses/value_loss":         u.Losses.Value,
		"losses/entropy":            u.Losses.Entropy,
		"losses/approx_kl":          u.Losses.ApproxKL,
		"losses/old_approx_kl":      u.Losses.OldApproxKL,
		"losses/clipfrac":           u.Losses.ClipFrac,
		"losses/grad_norm":          u.Losses.GradNorm,
		"losses/explained_variance": u.Losses.ExplainedVariance,
		"losses/epochs":             float64(u.Epochs),
	}
	maps.Copy(values, u.Values)
	if u.Finished > 0 {
		values["charts/episodic_return"] = u.EpisodeReturn
		values["charts/episodic_length"] = u.EpisodeLength
		for s, r := range u.SeatReturn {
			values[fmt.Sprintf("charts/episodic_return_seat_%d", s)] = r
		}
	}
	for i, v := range u.Versus {
		of := policy.Label(v.Bot)
		if v.Game != u.Versus[0].Game {
			of += "_at_" + policy.Label(v.Game)
		}
		values["eval/winrate_vs_"+of] = v.One.WinRate.Mean
		values["eval/return_vs_"+of] = v.One.Return.Mean
		values["eval/winrate_of_"+of] = v.Other.WinRate.Mean
		values["eval/return_of_"+of] = v.Other.Return.Mean
		values["eval/elo_vs_"+of] = elo(v)
		if i == 0 {
			values["eval/elo"] = elo(v)
		}
	}
	if u.Exam != nil {
		for kind, g := range u.Exam.Kinds {
			grade(values, "_"+strings.ReplaceAll(kind, " ", "_"), g)
		}
		grade(values, "", u.Exam.All)
	}
	if s := u.Solution; s != nil {
		values["eval/exploitability"] = s.Exploitability
		values["eval/nash_conv"] = s.NashConv
		if s.AverageNashConv != nil {
			values["eval/average_exploitability"] = *s.AverageExploitability
			values["eval/average_nash_conv"] = *s.AverageNashConv
		}
	}
	timings = map[string]float64{
		"charts/SPS":                u.Rates.SPS,
		"perf/env_sps":              u.Rates.EnvSPS,
		"perf/train_sps":            u.Rates.TrainSPS,
		"perf/outside_torch":        u.Rates.OutsideTorch,
		"perf/outside_torch_update": u.Rates.OutsideUpdate,
		"perf/elapsed_seconds":      u.Elapsed.Seconds(),
	}
	maps.Copy(timings, u.Timings)
	return values, timings
}

// elo is by how many points of Elo the network is above a bot, from both directions of an evaluation: if a player of strength a
// wins a share w against n-1 others of strength b, and chances are in proportion to strengths, a/b = (n-1) w / (1-w).
func elo(v compare.Result) float64 {
	others := 1/v.EqualShare - 1
	odds := func(s compare.Record) float64 {
		least := .5 / float64(s.Matches)
		w := min(max(s.WinRate.Mean, least), 1-least)
		return portable.Log(others * w / (1 - w))
	}
	return 400 / math.Ln10 * (odds(v.One) - odds(v.Other)) / 2
}

// grade adds the scalars of an exam's grade.
func grade(to map[string]float64, suffix string, g imitation.Grade) {
	to["imitation/top1"+suffix] = g.Top1
	if g.Valued > 0 {
		to["imitation/as_good"+suffix], to["imitation/regret"+suffix] = g.AsGood, g.Regret
	}
}
