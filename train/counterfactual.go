package train

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/engine/search"
)

// counterfactual learns from what would have come of the actions that were not taken. It plays itself as PPO
// does. At a share of the decisions every legal action is played on in the same worlds with the same luck
// (engine/search), by the network as it is at the beginning of the iteration or by others (table.go). The differences
// between actions, which are then known far better than what any of them is worth, say where the policy should go:
//
//	q(a)       = lead(a) / scale · scale² / (scale² + stderr(a)²)
//	target(a) ∝ exp((log π(a) + eta·q(a) + eta·tau·log μ(a)) / (1 + eta·tau))
//
// lead(a) is how much more came of a than of the policy's likeliest action in the same worlds, and scale how large true
// leads are in this game (spread below): an action that leads by so much gains a factor of e^eta. The second factor of q is
// what of a lead is to be believed, given its standard error (empirical Bayes). μ gives all legal actions equal chances. That is
// a step of mirror descent with a magnet (Sokota et al., "A unified approach to reinforcement learning, quantal
// response equilibria, and two-player zero-sum games", ICLR 2023). The network then learns the targets by
// cross-entropy, and its value head the returns of the matches: the loss is imitation in learner/internal/aten/losses.h.
//
// That is for labels of worlds that are dealt again, which agree on what is hidden but for their noise. A label of the actual
// world is right only on average over what may be hidden: a call may win eight chips here and lose them there, without any doubt
// in either. The mean of exponentials is not the exponential of the mean, and the network, which learns the mean
// of its targets, would call as often as it wins. There it learns the logarithms of that formula by least squares, all of
// lead(a) believed: they are linear in the leads, and so their mean is right. And the gradient of that error does not
// fade with π(a), as that of cross-entropy does: what is hardly ever played is set right as fast as the rest, as by neural replicator
// dynamics (Hennes et al., AAMAS 2020).
type counterfactual struct {
	*trainer
	table     *table
	labellers []*labeller // one a worker
	class     class

	// By row of the rollout, one of these for each legal action; none where a decision has no label.
	labels ragged[float32] // [labelWidth]
	target []float32       // scratch of targetOf
	spread spread
	tau    float64 // of this iteration

	chosen   []int32     // decisions of a step to be labelled
	rows     []appraised // [envs]
	labelled time.Duration
}

// What a label says of a legal action.
const (
	labelPrior = iota // its log-probability when the rollouts were played
	labelLead         // over the policy's likeliest action, in the same worlds; 0 if it was not tried
	labelDoubt        // standard error of the lead; +Inf if it was not tried
	labelWidth
)

// What Config.RolloutHidden may be.
const (
	redealtWorlds = "redealt" // what the seat cannot know is dealt again in each
	actualWorld   = "actual"  // what rivals hold is what they do hold
)

// inActualWorld reports whether rollouts begin in the match as it is, so that labels are right on average alone.
func (c *Config) inActualWorld() bool { return c.RolloutHidden == actualWorld }

// counterfactualRollouts is the algorithm's name in the configuration.
const counterfactualRollouts = "rollouts"

// validateRollouts checks what only counterfactual rollouts need.
func (c *Config) validateRollouts(g engine.Game) error {
	if c.LabelShare == 0 {
		return fmt.Errorf("label_share: 0: want a share above 0, or nothing is learnt")
	}
	if c.RolloutSchedule != "equal" && c.RolloutSchedule != "halving" {
		return fmt.Errorf("rollout_schedule: %q: want equal or halving", c.RolloutSchedule)
	}
	if c.RolloutHidden != redealtWorlds && c.RolloutHidden != actualWorld {
		return fmt.Errorf("rollout_hidden: %q: want %s or %s", c.RolloutHidden, redealtWorlds, actualWorld)
	}
	if c.RolloutBest == 1 {
		return fmt.Errorf("rollout_best: 1: want at least 2 actions to compare, or 0 for all")
	}
	if c.RolloutValue == selfPlayer && c.PerfectCritic {
		return fmt.Errorf("rollout_value: %s: want perfect_critic false: the value must be that of what a seat sees", selfPlayer)
	}
	if len(c.RolloutPlayers) == 0 {
		return fmt.Errorf("rollout_players: empty: want %s, %s or bots", selfPlayer, pastPlayer)
	}
	if n := len(c.RolloutShares); n != 0 && n != len(c.RolloutPlayers) {
		return fmt.Errorf("rollout_shares: %d for %d rollout_players: want one for each, or none", n, len(c.RolloutPlayers))
	}
	for _, x := range c.RolloutShares {
		if !(x > 0) || math.IsInf(x, 0) {
			return fmt.Errorf("rollout_shares: %v: want numbers above 0", x)
		}
	}
	for _, name := range c.RolloutPlayers {
		if name == selfPlayer || name == pastPlayer {
			continue
		}
		if err := policy.CheckName(name, g); err != nil {
			return fmt.Errorf("rollout_players: %w, and %s and %s", err, selfPlayer, pastPlayer)
		}
	}
	return nil
}

// labeller plays the rollouts of one worker.
type labeller struct {
	search *search.Search
	found  []bots.Considered
}

// appraised is the label of a decision.
type appraised []float32

// spread is a running measure of how large leads truly are: the mean of their squares, less what noise adds to it, each action
// counting as much as the policy would play it.
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

func newCounterfactual(t *trainer) (*counterfactual, error) {
	c := &counterfactual{
		trainer: t, labels: newRagged[float32](labelWidth), rows: make([]appraised, t.cfg.NumEnvs),
		target: make([]float32, 0, len(t.game.Info().Actions)),
	}
	var err error
	if c.table, err = newTable(t); err != nil {
		return nil, err
	}
	for range min(t.cfg.workers(), t.cfg.NumEnvs) {
		l, err := c.newLabeller()
		if err != nil {
			return nil, err
		}
		c.labellers = append(c.labellers, l)
	}
	return c, nil
}

// newLabeller makes a search whose player is the table, and whose prior is the network.
func (c *counterfactual) newLabeller() (*labeller, error) {
	cfg := c.cfg
	seats, err := c.table.newSeats(c.trainer)
	if err != nil {
		return nil, err
	}
	maker := bots.Maker{Others: func(name string, g engine.Game) (bots.Bot, error) {
		switch {
		case name == "table":
			return seats, nil
		case name == selfPlayer:
			return seats.self, nil
		case strings.HasPrefix(name, policy.Prefix):
			return c.trainer.read.NewBot(name, g)
		}
		return nil, nil
	}}
	b, err := maker.New(fmt.Sprintf("search(horizon=%s,value=%s,schedule=%s,best=%d,prior=%s,rollout=table)",
		cfg.RolloutHorizon, cfg.RolloutValue, cfg.RolloutSchedule, cfg.RolloutBest, selfPlayer), c.game)
	if err != nil {
		return nil, fmt.Errorf("rollouts: %w", err)
	}
	l := &labeller{search: b.(*search.Search), found: make([]bots.Considered, 0, len(c.game.Info().Actions))}
	l.search.InTheMatch(cfg.inActualWorld())
	return l, nil
}

// iterate collects with labels, and takes the passes over what is labelled and complete.
func (c *counterfactual) iterate() (Update, error) {
	t := c.trainer
	u := Update{Iteration: t.iteration + 1, Iterations: t.cfg.Iterations(), TotalSteps: t.cfg.TotalTimesteps}
	hyper := t.anneal(&u)
	u.EntCoef = 0
	hyper.Squared = t.cfg.inActualWorld()
	c.tau = t.cfg.between(t.cfg.Tau, t.cfg.TauFinal, t.cfg.done(t.iteration))

	begin, torch := time.Now(), t.learner.TorchTime()
	if err := c.table.freeze(t); err != nil {
		return u, fmt.Errorf("update %d: %w", u.Iteration, err)
	}
	envTime, err := c.collect()
	if err != nil {
		return u, err
	}
	if err := t.complete(); err != nil {
		return u, err
	}
	u.Losses.explain(t.rollout)
	c.keepLabelled()
	u.Rollouts = c.sumUp()

	updating, torchThen := time.Now(), t.learner.TorchTime()
	if err := c.class.study(t, c.targetOf, hyper, &u); err != nil {
		return u, err
	}
	if err := c.moved(&u); err != nil {
		return u, err
	}
	end, torchNow := time.Now(), t.learner.TorchTime()
	t.tell(&u, len(t.rollout.closed))
	u.Rates = t.rates(len(t.rollout.closed), envTime, begin, updating, end, torch, torchThen, torchNow)
	u.Rollouts.PerSecond = float64(u.Rollouts.Count) / max(c.labelled.Seconds(), 1e-9)
	if err := c.table.remember(t); err != nil {
		return u, fmt.Errorf("update %d: keep a past self: %w", u.Iteration, err)
	}
	c.labels.carry(t.rollout)
	t.rollout.carry()
	return u, nil
}

// collect plays num_steps decisions in every match, some of them with a label, and returns the time that
// this took without the network.
func (c *counterfactual) collect() (time.Duration, error) {
	t := c.trainer
	begin, torch := time.Now(), t.learner.TorchTime()
	n, a := t.cfg.NumEnvs, t.rollout.a
	t.finished.matches, t.finished.decisions, c.labelled = 0, 0, 0
	clear(t.finished.returns)
	scales := t.scales()
	for range t.cfg.NumSteps {
		b := t.now
		draw := t.sampling.Split()
		if err := t.foresee(b, scales); err != nil {
			return 0, err
		}
		c.chosen = c.chosen[:0]
		for i := range n {
			logps, mask := t.logps[i*a:(i+1)*a], b.Mask[i*a:(i+1)*a]
			r := draw.At(uint64(i))
			action := sample(logps, mask, &r)
			if action < 0 {
				return 0, t.diverged(i)
			}
			t.actions[i], t.logp[i] = action, logps[action]
			legal := t.vec.Match(i).Legal()
			c.rows[i] = c.rows[i][:0]
			if legal.Next(legal.First()) >= 0 && r.Float64() < t.cfg.LabelShare {
				c.chosen = append(c.chosen, int32(i))
			}
		}
		if err := c.label(draw); err != nil {
			return 0, err
		}
		t.rollout.decide(b, t.actions, t.logp, t.values)
		for i := range n {
			c.labels.add(c.rows[i])
		}
		b, err := t.vec.Step(t.actions)
		if err != nil {
			return 0, fmt.Errorf("update %d: %w", t.iteration+1, err)
		}
		if err := t.credit(b, scales); err != nil {
			return 0, err
		}
	}
	return time.Since(begin) - (t.learner.TorchTime() - torch), nil
}

// label plays the rollouts of the chosen decisions. A label depends on the decision and its stream of draw alone, so that it
// does not matter who makes it.
func (c *counterfactual) label(draw engine.Rand) error {
	begin := time.Now()
	err := share(len(c.labellers), len(c.chosen), func(w, k int) error {
		i := int(c.chosen[k])
		r := draw.At(uint64(i)).At(0)
		return c.appraise(c.labellers[w], i, &r)
	})
	c.labelled += time.Since(begin)
	return err
}

// appraise makes the label of the decision at hand in a match.
func (c *counterfactual) appraise(l *labeller, i int, r *engine.Rand) error {
	m, a := c.vec.Match(i), c.rollout.a
	logps := c.logps[i*a : (i+1)*a]
	_, l.found = l.search.Appraise(m, c.cfg.RolloutWorlds, r, l.found[:0])
	row, k := c.rows[i], 0
	legal := m.Legal()
	for act := legal.First(); act >= 0; act = legal.Next(act) {
		lead, doubt := 0.0, math.Inf(1)
		if k < len(l.found) && l.found[k].Action == act {
			lead, doubt = l.found[k].Lead, l.found[k].Doubt
			k++
		}
		if math.IsNaN(lead) || math.IsInf(lead, 0) {
			return fmt.Errorf("update %d: rollouts of action %d came to %v at: %s", c.iteration+1, act, lead, m.Decision())
		}
		row = append(row, float32(max(float64(logps[act]), leastPrior)), float32(lead), float32(doubt))
	}
	c.rows[i] = row
	return nil
}

// leastPrior is the least log-probability that a step begins from: what the policy has all but ruled out can come back.
const leastPrior = -9.2 // 0.0001

// keepLabelled leaves of the complete rows those that have a label.
func (c *counterfactual) keepLabelled() {
	to := c.rollout.closed[:0]
	for _, row := range c.rollout.closed {
		if len(c.labels.of(int(row))) > 0 {
			to = append(to, row)
		}
	}
	c.rollout.closed = to
}

// targetOf is what the network is to learn of a labelled row: the policy that one step from the prior leads to or, in the actual world, its
// logarithms, up to a number that they share. It is valid until the next call.
func (c *counterfactual) targetOf(row int) []float32 {
	label := c.labels.of(row)
	c.target = c.target[:len(label)/labelWidth]
	if c.cfg.inActualWorld() {
		scores(label, all, c.spread.scale2(), c.cfg.Eta, c.tau, c.target)
	} else {
		step(label, c.spread.scale2(), c.cfg.Eta, c.tau, c.target)
	}
	return c.target
}

// mostStep is the most that a step changes a log-probability by, before the probabilities are made to sum to 1: no label is that sure.
const mostStep = 5

// step writes the probabilities that a label leads to.
func step(label []float32, scale2, eta, tau float64, to []float32) {
	scores(label, believed, scale2, eta, tau, to)
	softmax(to)
}

// scores writes the logarithms of the probabilities that a label leads to, up to a number that they share; lead is what counts of an
// action's.
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

// Rollouts sums up the labels that an iteration learnt from, in the unit of what the rollouts are judged by.
type Rollouts struct {
	Count     int
	Regret    float64 // how much the best action is believed to lead what the policy plays
	Gain      float64 // and what its step gains of that
	StdErr    float64 // mean standard error of the leads
	Scale     float64 // how large true leads are
	StepKL    float64 // from the policy to its step, in nats
	PerSecond float64 // of the time that labelling took
}

// sumUp measures the labels of the rows to be learnt, and the spread of their leads.
func (c *counterfactual) sumUp() *Rollouts {
	rows := c.rollout.closed
	out := &Rollouts{Count: len(rows)}
	var square, noise, weight, tried float64
	for _, row := range rows {
		label := c.labels.of(int(row))
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
			out.StdErr += doubt
		}
	}
	if weight > 0 {
		s := &c.spread
		keep := func(x *float64, by float64) { *x = float64(spreadDecay**x) + float64((1-spreadDecay)*by) }
		keep(&s.Square, square/weight)
		keep(&s.Noise, noise/weight)
		keep(&s.Weight, 1)
		out.StdErr /= tried
	}
	scale2 := c.spread.scale2()
	out.Scale = math.Sqrt(scale2)
	for _, row := range rows {
		label, to := c.labels.of(int(row)), c.targetOf(int(row))
		if c.cfg.inActualWorld() {
			softmax(to)
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
		out.Regret += (best - plays/total) / n
		out.Gain += (gains - plays/total) / n
		out.StepKL += (kl/total - portable.Log(total)) / n
	}
	return out
}

// moved measures how far the passes have moved the policy on the rows that they learnt, as PPO does: over the actions taken.
func (c *counterfactual) moved(u *Update) error {
	t := c.trainer
	rows := t.rollout.closed
	most := min(t.cfg.NumEnvs, len(t.batch.Action)) // that there is room for
	for from := 0; from < len(rows); from += most {
		part := rows[from:min(from+most, len(rows))]
		a := t.rollout.a
		if err := t.learner.Forward(c.class.gather(t, part, c.targetOf, t.scales()).Decisions, t.logps[:len(part)*a], nil); err != nil {
			return fmt.Errorf("update %d: %w", t.iteration+1, err)
		}
		for k, row := range part {
			change := float64(t.logps[k*a+int(t.rollout.action[row])] - t.rollout.logp[row])
			u.Losses.OldApproxKL -= change / float64(len(rows))
			u.Losses.ApproxKL += (portable.Exp(change) - 1 - change) / float64(len(rows))
		}
	}
	return nil
}

// save is what a checkpoint keeps of this algorithm alone.
func (c *counterfactual) save(s sections) error {
	var labels, past bytes.Buffer
	spread, err := json.Marshal(c.spread)
	err = errors.Join(err, c.labels.save(&labels), c.table.save(&past))
	s["labels"], s["past"], s["spread"] = labels.Bytes(), past.Bytes(), spread
	return err
}

func (c *counterfactual) restore(s sections, st state) error {
	if err := c.trainer.restore(s, st); err != nil {
		return err
	}
	if err := c.labels.load(bytes.NewReader(s["labels"]), c.rollout.n, c.rollout.a); err != nil {
		return fmt.Errorf("labels: %w", err)
	}
	if err := c.table.load(c.trainer, bytes.NewReader(s["past"])); err != nil {
		return fmt.Errorf("past selves: %w", err)
	}
	if err := json.Unmarshal(s["spread"], &c.spread); err != nil {
		return fmt.Errorf("spread: %w", err)
	}
	return nil
}
