// Package ppo is masked PPO by self-play (Schulman et al., "Proximal policy optimization algorithms", 2017). It reads from top to bottom:
// settings, one iteration, the collection, the update. Package selfplay has the matches and the rollout buffer, whose rows are linked
// into one trajectory for each seat of each match.
package ppo

import (
	"fmt"
	"time"

	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// Settings are the section ppo of a configuration. Names are CleanRL's where CleanRL has one.
type Settings struct {
	Gamma           float64 `yaml:"gamma" least:"0" most:"1" help:"discount from one decision of a seat to its next"`
	GAELambda       float64 `yaml:"gae_lambda" least:"0" most:"1" help:"λ of generalised advantage estimation"`
	ClipCoef        float64 `yaml:"clip_coef" above:"0" help:"clipping of the probability ratio"`
	EntCoef         float64 `yaml:"ent_coef" least:"0" help:"weight of the entropy (as a share of the largest possible) at the start"`
	EntCoefFinal    float64 `yaml:"ent_coef_final" least:"0" help:"the same at the end"`
	TargetKL        float64 `yaml:"target_kl" least:"0" help:"stop an update's passes when the policy has moved this far; 0: never"`
	WarmupUpdates   int     `yaml:"warmup_updates" least:"0" help:"updates at the start in which the critic learns alone"`
	MagnetCoef      float64 `yaml:"magnet_coef" least:"0" help:"weight of the divergence from the policy to equal chances, in nats, at the start"`
	MagnetCoefFinal float64 `yaml:"magnet_coef_final" least:"0" help:"the same at the end"`
}

// Default is the recipe to start from: large batches, high entropy annealed, small clip.
func Default() Settings {
	return Settings{Gamma: 1, GAELambda: 0.95, ClipCoef: 0.1, EntCoef: 0.05, EntCoefFinal: 0.01}
}

// Validate checks the conditions that the tags' ranges do not express.
func (s *Settings) Validate(c *selfplay.Config) error {
	for _, v := range []struct {
		name       string
		start, end float64
	}{{"ent_coef", s.EntCoef, s.EntCoefFinal}, {"magnet_coef", s.MagnetCoef, s.MagnetCoefFinal}} {
		if c.Geometric() && (v.start == 0) != (v.end == 0) {
			return fmt.Errorf("%s goes from %v to %v by a geometric schedule: want both above 0, or both 0", v.name, v.start, v.end)
		}
	}
	return nil
}

// PPO learns by self-play.
type PPO struct {
	*selfplay.Play
	settings Settings
}

// New makes the algorithm of a self-play.
func New(p *selfplay.Play, s Settings) *PPO { return &PPO{p, s} }

// Iterate collects num_steps decisions of every match, estimates their advantages and takes update_epochs passes of minibatches over them.
func (a *PPO) Iterate() (selfplay.Update, error) {
	u, clock := selfplay.Update{}, a.Clock()
	hyper := a.anneal(&u)
	envs, err := a.collect()
	if err != nil {
		return u, err
	}
	// Generalised advantage estimation along the trajectory of each seat; returns are advantages plus values.
	a.Buffer.Finish(a.settings.Gamma, a.settings.GAELambda)
	a.Norm.Add(a.Buffer.Complete, a.Buffer.Returns)
	u.Losses.ExplainedVariance = a.ExplainedVariance()
	clock.Updating()
	if err := a.update(hyper, &u); err != nil {
		return u, err
	}
	if hyper.MagnetCoef > 0 {
		u.Values["losses/magnet_kl"] = u.Losses.MagnetKL
	}
	a.Finish(&u, clock, envs)
	return u, a.Next()
}

// anneal sets the step of this iteration by the schedules over the whole run.
func (a *PPO) anneal(u *selfplay.Update) learner.Hyper {
	c, s := &a.Config, &a.settings
	u.LearningRate = c.LearningRateAt(a.Iteration)
	h := learner.Hyper{
		LR: u.LearningRate, ClipCoef: s.ClipCoef, VfCoef: c.VfCoef, MaxGradNorm: c.MaxGradNorm, NormAdv: true,
		EntCoef:    c.At(a.Iteration, s.EntCoef, s.EntCoefFinal),
		MagnetCoef: c.At(a.Iteration, s.MagnetCoef, s.MagnetCoefFinal),
		CriticOnly: a.Iteration < s.WarmupUpdates,
	}
	u.Values = map[string]float64{"charts/ent_coef": h.EntCoef}
	if h.MagnetCoef > 0 {
		u.Values["charts/magnet_coef"] = h.MagnetCoef
	}
	return h
}

// collect plays num_steps decisions in every match and returns the time that the environments took. It allocates nothing.
func (a *PPO) collect() (envs time.Duration, err error) {
	a.Collect()
	for range a.Config.Steps(a.Steps) {
		if err := a.Ask(); err != nil { // the forward pass: log-probabilities and values
			return envs, err
		}
		for row := range a.Actions {
			if err := a.Sample(row, &a.Sampling); err != nil {
				return envs, err
			}
		}
		a.Buffer.Decide(a.Now, a.Actions, a.Logp, a.Values)
		begin := time.Now()
		if err := a.Play.Step(a.Actions); err != nil {
			return envs, err
		}
		envs += time.Since(begin)
	}
	return envs, nil
}

// update takes the epochs of minibatches. The loss of a minibatch is computed in libtorch (ppo in learner/internal/aten/losses.h):
//
//	log_ratio    = logp(action) − old_logp,  ratio = exp(log_ratio)
//	policy_loss  = mean(−min(advantage · ratio, advantage · clamp(ratio, 1 − clip_coef, 1 + clip_coef)))
//	value_loss   = ½ · mean((value − return)²)
//	magnet_kl    = mean(KL(policy ‖ equal chances for the legal actions))
//	loss         = policy_loss + magnet_coef · magnet_kl − ent_coef · mean(entropy) + vf_coef · value_loss
//
// Advantages are normalised over the minibatch, logits of illegal actions left out, the entropy is a share of the largest possible, and
// gradients are clipped to max_grad_norm before Adam's step. While the critic learns alone, the loss is vf_coef · value_loss.
func (a *PPO) update(hyper learner.Hyper, u *selfplay.Update) error {
	updates := 0.0
	for range a.Config.UpdateEpochs {
		var kl, oldKL, n float64
		err := a.Minibatches(func(rows []int32) error {
			stats, err := a.Learner.Update(a.Batch(rows), hyper)
			if err != nil {
				return fmt.Errorf("update %d: %w", a.Iteration+1, err)
			}
			updates++
			u.Losses.Add(stats, updates)
			n++
			kl += stats.ApproxKL // mean((ratio − 1) − log_ratio)
			oldKL += stats.OldApproxKL
			return nil
		})
		if err != nil || n == 0 { // num_steps can be so small that no decision is complete yet
			return err
		}
		u.Epochs++
		u.Losses.ApproxKL, u.Losses.OldApproxKL = kl/n, oldKL/n
		if a.settings.TargetKL > 0 && u.Losses.ApproxKL > a.settings.TargetKL {
			break
		}
	}
	return nil
}

// Save keeps nothing besides the state of self-play, and Restore reads nothing.
func (a *PPO) Save(map[string][]byte) error    { return nil }
func (a *PPO) Restore(map[string][]byte) error { return nil }

// Schedules are, by key, the first value of each schedule and that of an iteration.
func (s *Settings) Schedules(c *selfplay.Config, iteration int) map[string][2]float64 {
	return map[string][2]float64{
		"ppo.ent_coef":    {s.EntCoef, c.At(iteration, s.EntCoef, s.EntCoefFinal)},
		"ppo.magnet_coef": {s.MagnetCoef, c.At(iteration, s.MagnetCoef, s.MagnetCoefFinal)},
	}
}
