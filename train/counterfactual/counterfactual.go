// Package counterfactual learns by self-play from the outcomes of the actions that were not taken: at decisions of its own matches it
// rolls out every legal action, and the policy takes a step of mirror descent towards their outcomes.
package counterfactual

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/search"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// Counterfactual plays itself as PPO does. At a share of the decisions every legal action is rolled out in the same worlds with the same
// luck (engine/players/search), by the network as it is at the beginning of the iteration. The differences between actions, which are then
// known far better than their values, give the step of the policy:
//
//	q(a)       = lead(a) / scale · scale² / (scale² + stderr(a)²)
//	target(a) ∝ exp((log π(a) + eta·q(a) + eta·tau·log μ(a)) / (1 + eta·tau))
//
// lead(a) is how much more a earned than the policy's likeliest action in the same worlds, and scale how large true leads are in this
// game (spread below): an action with a lead of scale gains a factor of e^eta. The second factor of q is the share of a lead that is to be
// believed, given its standard error (empirical Bayes). μ gives all legal actions equal chances. That is
// a step of mirror descent with a magnet (Sokota et al., "A unified approach to reinforcement learning, quantal
// response equilibria, and two-player zero-sum games", ICLR 2023). The network then learns the targets by
// cross-entropy, and its value head the returns of the matches: the loss is imitation in learner/internal/aten/losses.h.
//
// That is for labels of redealt worlds, which are right up to noise. A label of the actual world is right only on average over what may
// be hidden: a call may win eight chips here and lose them there, without any doubt in either. The mean of exponentials is not the
// exponential of the mean, and the network, which learns the mean of its targets, would call as often as it wins. There it learns the
// logarithms of that formula by least squares, with all of lead(a) believed: they are linear in the leads, so that their mean is right.
// The gradient of that error does not fade with π(a), as that of cross-entropy does: rare actions are corrected as fast as the rest, as by
// neural replicator dynamics (Hennes et al., AAMAS 2020).
type Counterfactual struct {
	*selfplay.Play
	settings  Settings
	self      *bundle.Bundle // the network as it was at the beginning of the iteration
	labellers []*labeller    // one a worker

	// By row of the buffer, one of these for each legal action; none where a decision has no label.
	labels selfplay.Ragged[float32] // [labelWidth]
	target []float32                // scratch of targetOf
	spread spread
	tau    float64 // of this iteration

	chosen   []int32 // decisions of a step to be labelled
	rows     []label // [envs]
	labelled time.Duration
}

// Settings are the section counterfactual of a configuration.
type Settings struct {
	Share    float64 `yaml:"share" above:"0" most:"1" help:"share of the decisions, of those with a choice, that are rolled out and learnt from"`
	Worlds   int     `yaml:"worlds" least:"2" help:"worlds in which the legal actions of such a decision are rolled out"`
	Hidden   string  `yaml:"hidden" of:"redealt actual" fixed:"" help:"redealt: what the seat cannot know is dealt again in each world; actual: it is as it is, except for future chance"`
	Eta      float64 `yaml:"eta" above:"0" help:"step size: log-probability gain of an action with a typical lead"`
	Tau      float64 `yaml:"tau" least:"0" help:"pull of the step towards equal chances, at the start"`
	TauFinal float64 `yaml:"tau_final" least:"0" help:"the same at the end"`
}

// Default is the recipe to start from.
func Default() Settings {
	return Settings{Share: 0.25, Worlds: 16, Hidden: redealtWorlds, Eta: 1}
}

// Validate has nothing to check besides the ranges.
func (s *Settings) Validate(*selfplay.Config) error { return nil }

// Common changes what the recipe has in common with others: every label is learnt from twice.
func Common(c *selfplay.Config) {
	c.LearningRate, c.UpdateEpochs, c.MinibatchSize, c.MaxGradNorm = 3e-4, 2, 512, 1
}

// A label's statement about a legal action.
const (
	labelPrior = iota // its log-probability when the rollouts were played
	labelLead         // over the policy's likeliest action, in the same worlds; 0 if it was not tried
	labelDoubt        // standard error of the lead; +Inf if it was not tried
	labelWidth
)

// Values of Settings.Hidden.
const (
	redealtWorlds = "redealt" // what the seat cannot know is dealt again in each
	actualWorld   = "actual"  // what opponents hold is what they do hold
)

// inActualWorld reports whether rollouts begin in the match as it is, so that labels are right on average alone.
func (c *Counterfactual) inActualWorld() bool { return c.settings.Hidden == actualWorld }

// labeller plays the rollouts of one worker.
type labeller struct {
	search *search.Search
	self   *frozen // plays the rollouts, unless a bot does
	found  []bots.Considered
}

// label is that of a decision: labelWidth numbers for each legal action.
type label []float32

// spread is a running measure of how large true leads are: the mean of their squares, less what noise adds, weighted by the policy.
type spread struct {
	Square float64 `json:"square"`
	Noise  float64 `json:"noise"`
	Weight float64 `json:"weight"`
}

const (
	spreadDecay = 0.9  // from one iteration to the next
	spreadLeast = 0.05 // of the noise, where nothing else is seen
)

// scale2 is the square of the scale.
func (s *spread) scale2() float64 {
	if s.Weight == 0 {
		return 1
	}
	return max(s.Square-s.Noise, float64(spreadLeast*s.Noise), 1e-12) / s.Weight
}

// New makes the algorithm of a self-play.
func New(p *selfplay.Play, settings Settings) (*Counterfactual, error) {
	c := &Counterfactual{
		Play: p, settings: settings, labels: selfplay.NewRagged[float32](labelWidth), rows: make([]label, p.Config.NumEnvs),
		target: make([]float32, 0, len(p.Game.Info().Actions)),
	}
	if err := c.freeze(); err != nil {
		return nil, err
	}
	for range min(p.Config.Goroutines(), p.Config.NumEnvs) {
		l, err := c.newLabeller()
		if err != nil {
			return nil, err
		}
		c.labellers = append(c.labellers, l)
	}
	return c, nil
}

// newLabeller makes a search whose player and prior is the network.
func (c *Counterfactual) newLabeller() (*labeller, error) {
	self, err := policy.Of(selfPlayer, c.self, c.Game)
	if err != nil {
		return nil, err
	}
	l := &labeller{self: &frozen{self}, found: make([]bots.Considered, 0, len(c.Game.Info().Actions))}
	maker := bots.Maker{Others: func(name string, _ engine.Game) (bots.Bot, error) {
		if name == selfPlayer {
			return l.self, nil
		}
		return nil, nil
	}}
	b, err := maker.New(fmt.Sprintf("search(prior=%[1]s,rollout=%[1]s)", selfPlayer), c.Game)
	if err != nil {
		return nil, fmt.Errorf("rollouts: %w", err)
	}
	l.search = b.(*search.Search)
	l.search.InTheMatch(c.inActualWorld())
	return l, nil
}

// selfPlayer is the player of rollouts that is the network as it is at the beginning of the iteration.
const selfPlayer = "self"

// frozen is a network that plays and weighs actions without libtorch.
type frozen struct{ *policy.Bot }

var _ search.Prior = (*frozen)(nil)

// freeze gives all workers the network as it is now. It computes in whole numbers, which takes two thirds of the time: rollouts need not be
// played by the network to the last digit.
func (c *Counterfactual) freeze() error {
	tensors, err := c.Learner.Weights()
	if err != nil {
		return fmt.Errorf("freeze the network: %w", err)
	}
	scale := c.Norm.Scale()
	c.self = c.Config.Bundle(c.Encoder, tensors, &scale, c.Steps)
	if err := c.self.Check(); err != nil {
		return fmt.Errorf("freeze the network: %w", err)
	}
	for _, l := range c.labellers {
		if l.self.Bot, err = policy.Of(selfPlayer, c.self, c.Game); err != nil {
			return err
		}
	}
	return nil
}

// Iterate collects with labels, and takes the passes over what is labelled and complete.
func (c *Counterfactual) Iterate() (selfplay.Update, error) {
	u, clock := selfplay.Update{LearningRate: c.Config.LearningRateAt(c.Iteration)}, c.Clock()
	hyper := learner.Hyper{LR: u.LearningRate, VfCoef: c.Config.VfCoef, MaxGradNorm: c.Config.MaxGradNorm, Squared: c.inActualWorld()}
	c.tau = c.Config.At(c.Iteration, c.settings.Tau, c.settings.TauFinal)
	if err := c.freeze(); err != nil {
		return u, fmt.Errorf("update %d: %w", c.Iteration+1, err)
	}
	if err := c.collect(); err != nil {
		return u, err
	}
	envs := clock.Outside()
	if err := c.Returns(); err != nil {
		return u, err
	}
	u.Losses.ExplainedVariance = c.ExplainedVariance()
	c.keepLabelled()
	u.Values = c.sumUp()
	clock.Updating()
	if err := c.Fit(c.targetOf, hyper, &u); err != nil {
		return u, err
	}
	if err := c.moved(&u); err != nil {
		return u, err
	}
	u.Timings = map[string]float64{"perf/labels_per_second": u.Values["rollouts/labels"] / max(c.labelled.Seconds(), 1e-9)}
	c.Finish(&u, clock, envs)
	c.labels.Carry(c.Buffer)
	return u, c.Next()
}

// collect plays num_steps decisions in every match, some of them with a label.
func (c *Counterfactual) collect() error {
	c.Collect()
	c.labelled = 0
	for range c.Config.NumSteps {
		draw := c.Sampling.Split()
		if err := c.Ask(); err != nil {
			return err
		}
		c.chosen = c.chosen[:0]
		for i := range c.rows {
			r := draw.At(uint64(i))
			if err := c.Sample(i, &r); err != nil {
				return err
			}
			legal := c.Vec.Match(i).Legal()
			c.rows[i] = c.rows[i][:0]
			if legal.Next(legal.First()) >= 0 && r.Float64() < c.settings.Share {
				c.chosen = append(c.chosen, int32(i))
			}
		}
		if err := c.label(draw); err != nil {
			return err
		}
		c.Buffer.Decide(c.Now, c.Actions, c.Logp, c.Values)
		for _, row := range c.rows {
			c.labels.Add(row)
		}
		if err := c.Step(c.Actions); err != nil {
			return err
		}
	}
	return nil
}

// label plays the rollouts of the chosen decisions. A label depends on the decision and its stream of draw alone, not on the worker.
func (c *Counterfactual) label(draw engine.Rand) error {
	begin := time.Now()
	err := selfplay.Parallel(len(c.labellers), len(c.chosen), func(w, k int) error {
		i := int(c.chosen[k])
		r := draw.At(uint64(i)).At(0)
		return c.appraise(c.labellers[w], i, &r)
	})
	c.labelled += time.Since(begin)
	return err
}

// appraise makes the label of the decision at hand in a match.
func (c *Counterfactual) appraise(l *labeller, i int, r *engine.Rand) error {
	m := c.Vec.Match(i)
	logps, _ := c.Answer(i)
	_, l.found = l.search.Appraise(m, c.settings.Worlds, r, l.found[:0])
	row, k := c.rows[i], 0
	legal := m.Legal()
	for act := legal.First(); act >= 0; act = legal.Next(act) {
		lead, doubt := 0.0, math.Inf(1)
		if k < len(l.found) && l.found[k].Action == act {
			lead, doubt = l.found[k].Lead, l.found[k].Doubt
			k++
		}
		if math.IsNaN(lead) || math.IsInf(lead, 0) {
			return fmt.Errorf("update %d: rollouts of action %d resulted in %v at: %s", c.Iteration+1, act, lead, m.Decision())
		}
		row = append(row, float32(max(float64(logps[act]), leastPrior)), float32(lead), float32(doubt))
	}
	c.rows[i] = row
	return nil
}

// leastPrior is the least log-probability that a step begins from, so that what the policy has nearly ruled out can return.
const leastPrior = -9.2 // 0.0001

// keepLabelled leaves of the complete rows those that have a label.
func (c *Counterfactual) keepLabelled() {
	to := c.Buffer.Complete[:0]
	for _, row := range c.Buffer.Complete {
		if len(c.labels.Of(int(row))) > 0 {
			to = append(to, row)
		}
	}
	c.Buffer.Complete = to
}

// targetOf is the target of a labelled row: the policy after one step from the prior or, in the actual world, its logarithms up to a
// constant. It is valid until the next call.
func (c *Counterfactual) targetOf(row int) []float32 {
	label := c.labels.Of(row)
	c.target = c.target[:len(label)/labelWidth]
	if c.inActualWorld() {
		scores(label, all, c.spread.scale2(), c.settings.Eta, c.tau, c.target)
	} else {
		step(label, c.spread.scale2(), c.settings.Eta, c.tau, c.target)
	}
	return c.target
}

// mostStep bounds the change of a log-probability in a step, before the probabilities are made to sum to 1: no label is surer.
const mostStep = 5

// step writes the probabilities that a label leads to.
func step(label []float32, scale2, eta, tau float64, to []float32) {
	scores(label, believed, scale2, eta, tau, to)
	selfplay.Softmax(to)
}

// scores writes the logarithms of the probabilities that a label leads to, up to a constant; lead is what counts of an action's lead.
func scores(label []float32, lead func(label []float32, scale2 float64) float64, scale2, eta, tau float64, to []float32) {
	for i := range to {
		q := lead(label[i*labelWidth:], scale2) / math.Sqrt(scale2)
		by := max(-mostStep, min(mostStep, float64(eta*q)))
		to[i] = float32((float64(label[i*labelWidth+labelPrior]) + by) / (1 + float64(eta*tau)))
	}
}

// all of an action's lead.
func all(label []float32, _ float64) float64 { return float64(label[labelLead]) }

// believed is what of an action's lead is to be believed, given its standard error.
func believed(label []float32, scale2 float64) float64 {
	doubt := float64(label[labelDoubt])
	return float64(label[labelLead]) * scale2 / (scale2 + float64(doubt*doubt))
}

// sumUp measures the labels of the rows to be learnt, in the unit of the search's values, and the spread of their leads:
// rollouts/regret is how much the best action is believed to lead what the policy plays, gain what the step gains of that, label_stderr
// the mean standard error of the leads, scale how large true leads are, and step_kl the divergence of the step from the policy, in nats.
func (c *Counterfactual) sumUp() map[string]float64 {
	rows := c.Buffer.Complete
	var square, noise, weight, tried, doubts, regret, gain, kls float64
	for _, row := range rows {
		label := c.labels.Of(int(row))
		for i := 0; i < len(label); i += labelWidth {
			doubt := float64(label[i+labelDoubt])
			if math.IsInf(doubt, 1) || doubt == 0 && label[i+labelLead] == 0 { // what the others are compared with
				continue
			}
			p := portable.Exp(float64(label[i+labelPrior]))
			square += float64(p * float64(label[i+labelLead]) * float64(label[i+labelLead]))
			noise += float64(p * doubt * doubt)
			weight += p
			tried++
			doubts += doubt
		}
	}
	if weight > 0 {
		s := &c.spread
		keep := func(x *float64, by float64) { *x = float64(spreadDecay**x) + float64((1-spreadDecay)*by) }
		keep(&s.Square, square/weight)
		keep(&s.Noise, noise/weight)
		keep(&s.Weight, 1)
		doubts /= tried
	}
	scale2 := c.spread.scale2()
	for _, row := range rows {
		label, to := c.labels.Of(int(row)), c.targetOf(int(row))
		if c.inActualWorld() {
			selfplay.Softmax(to)
		}
		best, plays, total, gains, kl := math.Inf(-1), 0.0, 0.0, 0.0, 0.0
		for i, q := range to {
			lead, prior := believed(label[i*labelWidth:], scale2), float64(label[i*labelWidth+labelPrior])
			p := portable.Exp(prior)
			best = max(best, lead)
			plays += float64(p * lead)
			total += p
			gains += float64(float64(q) * lead)
			kl += float64(p * (prior - portable.Log(max(float64(q), 1e-30))))
		}
		n := float64(len(rows))
		regret += (best - plays/total) / n
		gain += (gains - plays/total) / n
		kls += (kl/total - portable.Log(total)) / n
	}
	return map[string]float64{
		"rollouts/labels": float64(len(rows)), "rollouts/regret": regret, "rollouts/gain": gain,
		"rollouts/label_stderr": doubts, "rollouts/scale": math.Sqrt(scale2), "rollouts/step_kl": kls,
	}
}

// moved measures how far the passes have moved the policy, as PPO does: over the actions taken in the rows that were learnt.
func (c *Counterfactual) moved(u *selfplay.Update) error {
	rows, a := c.Buffer.Complete, c.Buffer.Actions
	most := c.Largest() // that there is room for
	for from := 0; from < len(rows); from += most {
		part := rows[from:min(from+most, len(rows))]
		if err := c.Learner.Forward(c.ImitationBatch(part, c.targetOf).Decisions, c.Logps[:len(part)*a], nil); err != nil {
			return fmt.Errorf("update %d: %w", c.Iteration+1, err)
		}
		for k, row := range part {
			change := float64(c.Logps[k*a+int(c.Buffer.Action[row])] - c.Buffer.Logp[row])
			u.Losses.OldApproxKL -= change / float64(len(rows))
			u.Losses.ApproxKL += (portable.Exp(change) - 1 - change) / float64(len(rows))
		}
	}
	return nil
}

// Save keeps the labels of the decisions that are not complete, and the spread.
func (c *Counterfactual) Save(sections map[string][]byte) error {
	var labels bytes.Buffer
	spread, err := json.Marshal(c.spread)
	err = errors.Join(err, c.labels.Save(&labels))
	sections["labels"], sections["spread"] = labels.Bytes(), spread
	return err
}

// Restore is the inverse of Save.
func (c *Counterfactual) Restore(sections map[string][]byte) error {
	if err := c.labels.Load(bytes.NewReader(sections["labels"]), c.Buffer.N(), c.Buffer.Actions); err != nil {
		return fmt.Errorf("labels: %w", err)
	}
	if err := json.Unmarshal(sections["spread"], &c.spread); err != nil {
		return fmt.Errorf("spread: %w", err)
	}
	return nil
}
