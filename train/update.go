package train

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/env/eval"
	"github.com/privateer-rl/privateer/train/learner"
)

// Update is what a run reports after each of its iterations.
type Update struct {
	Dir                   string // the run folder
	Iteration, Iterations int    // this one, from 1, and how many there will be
	Steps, TotalSteps     int64  // decisions collected so far and in the end
	Trained               int64  // decisions trained on so far
	Episodes              int64  // matches finished so far

	LearningRate, EntCoef float64
	MagnetCoef            float64
	Epochs                int // passes made; fewer than configured when target_kl stopped them
	Losses                Losses

	// Of the matches that ended in this iteration; empty if none did. The
	// return of self-play is near the equal share whatever is learnt: it shows
	// how the seats compare, and does not measure strength.
	Finished      int64
	EpisodeReturn float64
	SeatReturn    []float64 // [seats]; with opponents, of the network's players, whose seats change
	EpisodeLength float64   // decisions of the seats that learn

	Rates    Rates
	Rollouts *Rollouts  // of counterfactual rollouts
	League   []Standing // by entry of the league; nil without one

	// Only if this iteration was evaluated.
	Versus   []eval.Result
	Solution *Solution
	Exam     *Exam // of imitation

	Elapsed    time.Duration // since the run began, without the time between interruption and resume
	Remaining  time.Duration // at the pace of this process; 0 when unknown
	Checkpoint bool          // one was written
}

// Losses are means over an iteration's minibatches; the two KL estimates are of
// its last pass.
type Losses struct {
	Policy, Value, Entropy, ClipFrac, GradNorm float64
	ApproxKL, OldApproxKL                      float64
	DataKL, MagnetKL                           float64 // 0 unless they are in the loss
	ExplainedVariance                          float64
	Explained                                  map[string]float64 // that of what else the value head tells, by what it is
}

// explain measures what the value head told of the complete rows.
func (l *Losses) explain(r *rollout) {
	l.ExplainedVariance, l.Explained = explainedVariance(r.closed, r.value, r.returns), r.explained()
}

// add takes in the k-th minibatch, from 1.
func (l *Losses) add(s learner.Stats, k float64) {
	for _, x := range []struct {
		mean *float64
		v    float64
	}{{&l.Policy, s.PolicyLoss}, {&l.Value, s.ValueLoss}, {&l.Entropy, s.Entropy}, {&l.ClipFrac, s.ClipFrac}, {&l.GradNorm, s.GradNorm}, {&l.DataKL, s.DataKL}, {&l.MagnetKL, s.MagnetKL}} {
		*x.mean += (x.v - *x.mean) / k
	}
}

// Rates say where the time goes. The wall time of an iteration is that of
// collecting and updating, without evaluation and checkpoints.
type Rates struct {
	SPS           float64 // decisions collected and trained on, by the iteration's wall time
	EnvSPS        float64 // decisions, by the time spent in the environments alone
	TrainSPS      float64 // decisions trained on (once each, whatever the passes), by the time of the update alone
	OutsideTorch  float64 // share of the iteration's wall time outside libtorch
	OutsideUpdate float64 // share of the update's wall time outside libtorch
}

// Solution is how far a policy of a small game is from an equilibrium.
// Exploitability is NashConv divided by the number of seats, in units of returns times the
// game's ReturnScale (chips).
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

// values are the scalars of an update by their TensorBoard tag; timings, which
// depend on the machine, are returned separately.
func (u Update) values() (values, timings map[string]float64) {
	values = map[string]float64{
		"charts/learning_rate":      u.LearningRate,
		"charts/ent_coef":           u.EntCoef,
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
	for of, x := range u.Losses.Explained {
		values["losses/explained_variance_"+of] = x
	}
	if u.MagnetCoef > 0 {
		values["charts/magnet_coef"], values["losses/magnet_kl"] = u.MagnetCoef, u.Losses.MagnetKL
	}
	if u.Losses.DataKL > 0 {
		values["losses/data_kl"] = u.Losses.DataKL
	}
	if u.Finished > 0 {
		values["charts/episodic_return"] = u.EpisodeReturn
		values["charts/episodic_length"] = u.EpisodeLength
		for s, r := range u.SeatReturn {
			values[fmt.Sprintf("charts/episodic_return_seat_%d", s)] = r
		}
	}
	for _, m := range u.League {
		values["league/chance_"+policy.Label(m.Name)], values["league/learnt_"+policy.Label(m.Name)] = m.Chance, m.Worth
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
			u.Exam.values(values, "_"+strings.ReplaceAll(kind, " ", "_"), g)
		}
		u.Exam.values(values, "", u.Exam.All)
	}
	if l := u.Rollouts; l != nil {
		values["rollouts/labels"] = float64(l.Count)
		values["rollouts/regret"], values["rollouts/gain"] = l.Regret, l.Gain
		values["rollouts/label_stderr"], values["rollouts/scale"] = l.StdErr, l.Scale
		values["rollouts/step_kl"] = l.StepKL
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
	if u.Rollouts != nil {
		timings["perf/labels_per_second"] = u.Rollouts.PerSecond
	}
	return values, timings
}

// elo is by how many points of Elo the network is above a bot, by both directions of an evaluation: if one of strength a
// wins a share w from n-1 others of strength b, a is (n-1) w / (1-w) of b, where chances follow strengths.
func elo(v eval.Result) float64 {
	others := 1/v.EqualShare - 1
	odds := func(s eval.Record) float64 {
		least := .5 / float64(s.Matches)
		w := min(max(s.WinRate.Mean, least), 1-least)
		return portable.Log(others * w / (1 - w))
	}
	return 400 / math.Ln10 * (odds(v.One) - odds(v.Other)) / 2
}

// values adds the scalars of a grade.
func (*Exam) values(to map[string]float64, suffix string, g Grade) {
	to["imitation/top1"+suffix] = g.Top1
	if g.Valued > 0 {
		to["imitation/as_good"+suffix], to["imitation/regret"+suffix] = g.AsGood, g.Regret
	}
}
