package train

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/env"
)

// pupil learns to do what a teacher does: behaviour cloning, and distillation where the teacher says what each action
// is worth. It collects as PPO does, but at every decision the teacher says what it would do, and plays it, unless
// a share of the moves is random or the network's own (DAgger: Ross, Gordon and Bagnell, "A reduction of imitation
// learning and structured prediction to no-regret online learning", 2011). Whoever moves, the label is the
// teacher's. The value head learns the returns of the matches.
type pupil struct {
	*trainer
	teachers [][]teacher // by worker and game; none if there are labels
	targets  ragged[float32]
	class    class
	exam     *exam
	memory   *recalled // what was gathered before; nil if the teacher is asked now

	said   []answer // [envs]
	played []int32  // [envs]
}

// teacher is a bot that is asked what it would do.
type teacher struct {
	bot      bots.Bot
	explains bots.Explainer // the same, if it says what actions are worth
}

// answer is what a teacher says of a decision.
type answer struct {
	choice  engine.Action
	target  []float32 // probabilities of the legal actions
	values  []float32 // what they are worth to the seat, NaN where the teacher does not say; none if it says of none
	priors  []float32 // the chances that the teacher's prior gives them; none if it has no prior
	chances []float32 // the chances that the teacher itself gives them; none if it says what they are worth, or neither
}

func newPupil(t *trainer) (*pupil, error) {
	p := &pupil{trainer: t, targets: newRagged[float32](1), said: make([]answer, t.cfg.NumEnvs), played: make([]int32, t.cfg.NumEnvs)}
	var err error
	if t.cfg.Labels != "" {
		if p.memory, err = recall(t.cfg); err != nil {
			return nil, err
		}
		p.exam, err = p.memory.exam(t)
		return p, err
	}
	if p.teachers, err = newTeachers(t.cfg, min(t.cfg.workers(), t.cfg.NumEnvs)); err != nil {
		return nil, err
	}
	p.exam, err = p.newExam()
	return p, err
}

// imitation is the algorithm that learns from a teacher.
const imitation = "imitate"

// What Config.Targets may be.
const (
	hardTargets   = "hard"   // the teacher's choice
	softTargets   = "soft"   // the softmax of what the teacher says the actions are worth
	updateTargets = "update" // a search's prior after a step of its own update towards what came of the actions
)

// validateImitation checks what only imitation needs.
func (c *Config) validateImitation(g engine.Game) error {
	if c.Teacher == "" {
		return fmt.Errorf("teacher: not given: want the bot to imitate, such as heuristic")
	}
	if err := policy.CheckName(c.Teacher, g); err != nil {
		return fmt.Errorf("teacher: %w", err)
	}
	switch n := len(c.Teachers); {
	case n > 0 && len(c.Games) < 2:
		return fmt.Errorf("teachers: %d for one game: want teacher", n)
	case n > 0 && n != len(c.Games):
		return fmt.Errorf("teachers: %d for %d games: want one for each, or none", n, len(c.Games))
	}
	for i, name := range c.teachers() {
		g, err := engine.NewGame(c.games()[i])
		if err == nil {
			err = policy.CheckName(name, g)
		}
		if err != nil {
			return fmt.Errorf("teachers: %w", err)
		}
	}
	if c.Labels != "" && len(c.games()) > 1 {
		return fmt.Errorf("labels: %s: of one game, and there are %d: want no labels, so that the teachers are asked now", c.Labels, len(c.games()))
	}
	if c.Labels != "" && !c.teacherAlone() {
		return fmt.Errorf("labels: %s: of matches that the teacher played: want no student_moves, opponents or max_decisions", c.Labels)
	}
	return nil
}

// teacherAlone reports whether the teacher plays all matches, to their end.
func (c Config) teacherAlone() bool {
	return c.StudentMoves == 0 && len(c.Opponents) == 0 && c.MaxDecisions == 0
}

// iterate collects, and takes the passes over what is complete.
func (p *pupil) iterate() (Update, error) {
	t := p.trainer
	u := Update{Iteration: t.iteration + 1, Iterations: t.cfg.Iterations(), TotalSteps: t.cfg.TotalTimesteps}
	hyper := t.anneal(&u)
	u.EntCoef = 0

	begin, torch := time.Now(), t.learner.TorchTime()
	if err := p.beginPass(); err != nil {
		return u, fmt.Errorf("update %d: %w", u.Iteration, err)
	}
	envTime, err := p.collect()
	if err != nil {
		return u, err
	}
	if err := t.complete(); err != nil {
		return u, err
	}

	updating, torchThen := time.Now(), t.learner.TorchTime()
	if err := p.class.study(t, p.targets.of, hyper, &u); err != nil {
		return u, err
	}
	end, torchNow := time.Now(), t.learner.TorchTime()
	t.tell(&u, len(t.rollout.closed))
	u.Rates = t.rates(len(t.rollout.closed), envTime, begin, updating, end, torch, torchThen, torchNow)
	p.targets.carry(t.rollout)
	t.rollout.carry()
	return u, nil
}

// beginPass lets all rows begin with their first matches again where a pass over the labels has ended. What was not complete of
// the last matches of the pass is not learnt from.
func (p *pupil) beginPass() (err error) {
	if p.memory == nil || !p.memory.passes(p.iteration) {
		return nil
	}
	p.rollout.forget()
	p.targets.cut(0)
	p.now, err = p.vec.ResetSeed(p.vec.Config().Seed)
	return err
}

// collect plays num_steps decisions in every match, each with the teacher's answer, and returns the time that
// this took without the network.
func (p *pupil) collect() (time.Duration, error) {
	t := p.trainer
	begin, torch := time.Now(), t.learner.TorchTime()
	t.finished.matches, t.finished.decisions = 0, 0
	clear(t.finished.returns)
	clear(t.values)
	clear(t.logp)
	scales := t.scales()
	for range t.cfg.NumSteps {
		b := t.now
		if err := p.answer(b); err != nil {
			return 0, fmt.Errorf("update %d: %w", t.iteration+1, err)
		}
		for i, s := range p.said {
			t.actions[i] = int32(s.choice)
			p.targets.add(s.target)
		}
		t.rollout.decide(b, t.actions, t.logp, t.values)
		b, err := t.matches.Step(p.played)
		if err != nil {
			return 0, fmt.Errorf("update %d: %w", t.iteration+1, err)
		}
		if p.memory != nil {
			p.memory.follow(b)
		}
		if err := t.credit(b, scales); err != nil {
			return 0, err
		}
	}
	return time.Since(begin) - (t.learner.TorchTime() - torch), nil
}

// answer fills in what the teacher says of the decisions at hand, and what is played.
func (p *pupil) answer(b *env.Batch) error {
	t, a := p.trainer, p.rollout.a
	if p.memory != nil {
		return p.memory.answer(t.vec, p.said, p.played)
	}
	draw := t.sampling.Split()
	if t.cfg.StudentMoves > 0 {
		if err := t.ask(b, nil); err != nil {
			return fmt.Errorf("act: %w", err)
		}
	}
	at := func(row int) (engine.Match, int) { return t.matches.Match(row), rowsGame(t.matches, row) }
	if err := p.consult(at, draw, p.said); err != nil {
		return err
	}
	for i, s := range p.said {
		p.played[i] = int32(s.choice)
		legal := t.matches.Match(i).Legal()
		chance := draw.At(uint64(i)).At(1)
		switch x := chance.Float64(); {
		case x < t.cfg.RandomMoves:
			p.played[i] = int32(legal.Sample(&chance))
		case x < t.cfg.RandomMoves+t.cfg.StudentMoves:
			if p.played[i] = sample(t.logps[i*a:(i+1)*a], b.Mask[i*a:(i+1)*a], &chance); p.played[i] < 0 {
				return t.diverged(i)
			}
		}
	}
	return nil
}

// consult asks the teachers about decisions: at says in which match of which game the one of a row is to be taken. What the
// answers say depends on the decision and its stream of draw alone, not on who gives it.
func (p *pupil) consult(at func(row int) (m engine.Match, game int), draw engine.Rand, said []answer) error {
	return share(len(p.teachers), len(said), func(w, i int) error {
		r := draw.At(uint64(i)).At(0)
		m, game := at(i)
		return said[i].ask(p.teachers[w][game], m, &r, p.cfg)
	})
}

// ask fills in what a teacher says of a decision.
func (s *answer) ask(t teacher, m engine.Match, r *engine.Rand, cfg Config) error {
	s.values, s.priors, s.chances = s.values[:0], s.priors[:0], s.chances[:0]
	if t.explains == nil {
		s.choice = t.bot.Act(m, r)
	} else {
		account := t.explains.Explain(m, r)
		s.choice = account.Choice
		if s.appraise(account, m.Legal()); len(s.values) == 0 {
			s.weight(account, m.Legal())
		}
	}
	if !m.Legal().Has(s.choice) {
		return fmt.Errorf("teacher %s chose action %d, which is not legal at: %s", t.bot.Name(), s.choice, m.Decision())
	}
	return s.aim(m.Legal(), cfg)
}

// aim makes the target of the choice, the values, the priors and the chances.
func (s *answer) aim(legal *engine.Mask, cfg Config) error {
	n := legal.Count()
	s.target = slices.Grow(s.target[:0], n)[:n]
	clear(s.target)
	switch {
	case len(s.chances) > 0 && cfg.Targets == softTargets:
		copy(s.target, s.chances)
		return nil
	case len(s.values) == 0 || cfg.Targets == hardTargets:
	case cfg.Targets == updateTargets && len(s.priors) == 0:
		return fmt.Errorf("targets: %s: %s has no prior that the update could begin from: want %s, or a search with a prior", updateTargets, cfg.Teacher, softTargets)
	default:
		soften(s.values, cfg.Temperature, s.target)
		if cfg.Targets == updateTargets {
			weigh(s.priors, s.target)
		}
		return nil
	}
	at := 0
	for a := legal.First(); a != s.choice; a = legal.Next(a) {
		at++
	}
	s.target[at] = 1
	return nil
}

// appraise takes over what an account says the legal actions are worth, if it says so of at least one: a search may have
// tried few of them. Where there is a prior's choice, what is tried is known by its lead over that, in the same worlds: means
// of actions that were tried in different worlds differ by the luck of these.
func (s *answer) appraise(account bots.Account, legal *engine.Mask) {
	known, prior := false, slices.IndexFunc(account.Actions, func(c bots.Considered) bool { return c.Action == account.Prior })
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		v, weight := math.NaN(), 0.0
		if k := slices.IndexFunc(account.Actions, func(c bots.Considered) bool { return c.Action == a }); k >= 0 && account.Actions[k].Visits > 0 {
			c := account.Actions[k]
			v, weight, known = c.Mean, c.Weight, true
			if prior >= 0 {
				v = account.Actions[prior].Mean + c.Lead
			}
		}
		s.values = append(s.values, float32(v))
		if prior >= 0 {
			s.priors = append(s.priors, float32(weight))
		}
	}
	if !known {
		s.values, s.priors = s.values[:0], s.priors[:0]
	}
}

// weight takes over the chances that an account gives the legal actions, if it gives all of them one, as a policy's does.
func (s *answer) weight(account bots.Account, legal *engine.Mask) {
	total := 0.0
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		if k := slices.IndexFunc(account.Actions, func(c bots.Considered) bool { return c.Action == a }); k >= 0 {
			s.chances = append(s.chances, float32(account.Actions[k].Weight))
			total += account.Actions[k].Weight
		}
	}
	if len(s.chances) < legal.Count() || !(math.Abs(total-1) < 1e-3) {
		s.chances = s.chances[:0]
	}
}

// soften writes the softmax of values; what is not known has no probability.
func soften(values []float32, temperature float64, to []float32) {
	most := highest(values)
	for i, v := range values {
		to[i] = float32(float64(v-most) / temperature)
		if v != v {
			to[i] = float32(math.Inf(-1))
		}
	}
	softmax(to)
}

// highest is the most of the values that are known.
func highest(values []float32) float32 {
	most := float32(math.Inf(-1))
	for _, v := range values {
		if v > most {
			most = v
		}
	}
	return most
}

// weigh multiplies probabilities by a prior's, none of which counts as less than the least that a step begins from.
func weigh(priors, probs []float32) {
	total := 0.0
	for i := range probs {
		probs[i] = float32(probs[i] * max(priors[i], float32(leastWeight)))
		total += float64(probs[i])
	}
	for i := range probs {
		probs[i] = float32(float64(probs[i]) / total)
	}
}

// leastWeight is the least that a prior's chance of an action that was tried counts as: what it has all but ruled out can come back.
const leastWeight = 1e-4

// save is what a checkpoint keeps of a pupil alone.
func (p *pupil) save(s sections) error {
	var b bytes.Buffer
	err := p.targets.save(&b)
	s["targets"] = b.Bytes()
	if p.memory != nil {
		s["labels"] = p.memory.save()
	}
	return err
}

func (p *pupil) restore(s sections, st state) error {
	if err := p.trainer.restore(s, st); err != nil {
		return err
	}
	if err := p.targets.load(bytes.NewReader(s["targets"]), p.rollout.n, p.rollout.a); err != nil {
		return fmt.Errorf("targets: %w", err)
	}
	if p.memory != nil {
		return p.memory.restore(s["labels"])
	}
	return nil
}
