package train

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/train/learner"
)

// pupil learns to do what a teacher does: behaviour cloning, and distillation where the teacher says what each action
// is worth. It collects as PPO does, but at every decision the teacher says what it would do, and plays it, unless
// a share of the moves is random or the network's own (DAgger: Ross, Gordon and Bagnell, "A reduction of imitation
// learning and structured prediction to no-regret online learning", 2011). Whoever moves, the label is the
// teacher's. The value head learns the returns of the matches.
type pupil struct {
	*trainer
	teachers []teacher // one a worker
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
	choice engine.Action
	target []float32 // probabilities of the legal actions
	values []float64 // what they are worth to the seat, NaN where the teacher does not say; nil if it says of none
}

func newPupil(t *trainer) (*pupil, error) {
	p := &pupil{trainer: t, targets: newRagged[float32](1), said: make([]answer, t.cfg.NumEnvs), played: make([]int32, t.cfg.NumEnvs)}
	for range min(t.cfg.workers(), t.cfg.NumEnvs) {
		one, err := newTeacher(t.cfg, t.game)
		if err != nil {
			return nil, err
		}
		p.teachers = append(p.teachers, one)
	}
	var err error
	if t.cfg.Labels != "" {
		if p.memory, err = recall(t.cfg); err != nil {
			return nil, err
		}
	}
	p.exam, err = newExam(p)
	return p, err
}

// What Config.Targets may be.
const (
	hardTargets = "hard" // the teacher's choice
	softTargets = "soft" // the softmax of what the teacher says the actions are worth
)

// iterate collects, and takes the passes over what is complete.
func (p *pupil) iterate() (Update, error) {
	t := p.trainer
	u := Update{Iteration: t.iteration + 1, Iterations: t.cfg.Iterations(), TotalSteps: t.cfg.TotalTimesteps}
	hyper := t.anneal(&u)
	u.EntCoef = 0

	begin, torch := time.Now(), t.learner.TorchTime()
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

// collect plays num_steps decisions in every match, each with the teacher's answer, and returns the time that
// this took without the network.
func (p *pupil) collect() (time.Duration, error) {
	t := p.trainer
	begin, torch := time.Now(), t.learner.TorchTime()
	t.finished.matches, t.finished.decisions = 0, 0
	clear(t.finished.returns)
	clear(t.values)
	clear(t.logp)
	mean, deviation := t.norm.scale()
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
		b, err := t.vec.Step(p.played)
		if err != nil {
			return 0, fmt.Errorf("update %d: %w", t.iteration+1, err)
		}
		if p.memory != nil {
			p.memory.follow(b)
		}
		if err := t.credit(b, mean, deviation); err != nil {
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
	if err := p.consult(t.vec, draw, p.said); err != nil {
		return err
	}
	for i, s := range p.said {
		p.played[i] = int32(s.choice)
		legal := t.vec.Match(i).Legal()
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

// consult asks the teachers about the decisions of a vector. What the answers say depends on the decision and its
// stream of draw alone, not on who gives it.
func (p *pupil) consult(v *env.Vec, draw engine.Rand, said []answer) error {
	failed := make([]error, len(p.teachers))
	var wg sync.WaitGroup
	for w, t := range p.teachers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := len(said) * w / len(p.teachers); i < len(said)*(w+1)/len(p.teachers) && failed[w] == nil; i++ {
				r := draw.At(uint64(i)).At(0)
				failed[w] = said[i].ask(t, v.Match(i), &r, p.cfg)
			}
		}()
	}
	wg.Wait()
	return cmp.Or(failed...)
}

// ask fills in what a teacher says of a decision.
func (s *answer) ask(t teacher, m engine.Match, r *engine.Rand, cfg Config) error {
	s.values = s.values[:0]
	if t.explains == nil {
		s.choice = t.bot.Act(m, r)
	} else {
		account := t.explains.Explain(m, r)
		s.choice = account.Choice
		s.appraise(account, m.Legal().Count())
	}
	if !m.Legal().Has(s.choice) {
		return fmt.Errorf("teacher %s chose action %d, which is not legal at: %s", t.bot.Name(), s.choice, m.Decision())
	}
	s.aim(m.Legal(), cfg)
	return nil
}

// aim makes the target of the choice and the values.
func (s *answer) aim(legal *engine.Mask, cfg Config) {
	n := legal.Count()
	s.target = slices.Grow(s.target[:0], n)[:n]
	clear(s.target)
	if cfg.Targets == softTargets && len(s.values) > 0 {
		soften(s.values, cfg.Temperature, s.target)
		return
	}
	at := 0
	for a := legal.First(); a != s.choice; a = legal.Next(a) {
		at++
	}
	s.target[at] = 1
}

// appraise takes over what an account says the n legal actions are worth, if it says so of at least one.
func (s *answer) appraise(account bots.Account, n int) {
	if len(account.Actions) != n {
		return
	}
	known := false
	for _, c := range account.Actions {
		v := math.NaN()
		if c.Visits > 0 {
			v, known = c.Mean, true
		}
		s.values = append(s.values, v)
	}
	if !known {
		s.values = s.values[:0]
	}
}

// soften writes the softmax of values; what is not known has no probability.
func soften(values []float64, temperature float64, to []float32) {
	most, sum := math.Inf(-1), 0.0
	for _, v := range values {
		if v > most {
			most = v
		}
	}
	for i, v := range values {
		to[i] = 0
		if !math.IsNaN(v) {
			e := portable.Exp((v - most) / temperature)
			to[i] = float32(e)
			sum += e
		}
	}
	for i := range to {
		to[i] = float32(float64(to[i]) / sum)
	}
}

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

// Exam is how a network does on the held-out decisions of its teacher.
type Exam struct {
	All   Grade            `json:"all"`
	Kinds map[string]Grade `json:"kinds"` // by kind of decision
}

// Grade sums up decisions.
type Grade struct {
	Decisions int     `json:"decisions"`
	Top1      float64 `json:"top1"`    // share in which the network's likeliest action is the teacher's choice
	Valued    int     `json:"valued"`  // decisions of which the teacher said what actions are worth
	AsGood    float64 `json:"as_good"` // of those, the share in which it is worth as much as the best, by the teacher's account
	Regret    float64 `json:"regret"`  // and how much less it is worth on average, in the teacher's unit
}

func (g *Grade) add(hit, valued bool, regret float64) {
	mean := func(m *float64, x float64, n int) { *m += (x - *m) / float64(n) }
	g.Decisions++
	mean(&g.Top1, float64(engine.Bit(hit)), g.Decisions)
	if valued {
		g.Valued++
		mean(&g.AsGood, float64(engine.Bit(regret < asGood)), g.Valued)
		mean(&g.Regret, regret, g.Valued)
	}
}

// asGood is the least difference that counts.
const asGood = 1e-4

// exam is decisions of matches that are not learnt from, with the teacher's answers.
type exam struct {
	d         learner.Decisions
	kinds     []string
	choice    []int32 // number of the action among the legal ones
	values    [][]float64
	width     int // bytes of an observation
	actions   int
	described int // bytes of an action's row
}

// newExam plays matches of the teacher with a stream of their own.
func newExam(p *pupil) (*exam, error) {
	t := p.trainer
	if t.cfg.HeldOut == 0 {
		return nil, nil
	}
	c := t.vec.Config()
	c.Seed = engine.NewRand(t.cfg.Seed).At(streamHeldOut).Key
	c.NumEnvs, c.BatchSize, c.Full = min(c.NumEnvs, examinedMatches), 0, false // few, so that they are played to the end
	v, err := env.New(c)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	e := &exam{
		width: t.encoder.Schema().Size, actions: t.rollout.a, described: t.rollout.does.width,
		d: learner.Decisions{Offsets: []int32{0}},
	}
	nameOf := kindNames(t.encoder.Schema())
	said, actions := make([]answer, c.NumEnvs), make([]int32, c.NumEnvs)
	b, err := v.Reset()
	for round := 0; err == nil && e.d.N < t.cfg.HeldOut; round++ {
		draw := engine.NewRand(c.Seed).At(uint64(round))
		if err := p.consult(v, draw, said); err != nil {
			return nil, err
		}
		for i := range said {
			actions[i] = int32(said[i].choice)
			chance := draw.At(uint64(i)).At(1)
			if chance.Float64() < t.cfg.RandomMoves {
				actions[i] = int32(v.Match(i).Legal().Sample(&chance))
			}
			// What follows at once is too much alike.
			if r := draw.At(uint64(i)).At(2); r.Intn(examineOneIn) == 0 && e.d.N < t.cfg.HeldOut {
				e.add(v.Match(i), b, i, &said[i], nameOf(b.Obs[i*e.width:(i+1)*e.width]))
			}
		}
		b, err = v.Step(actions)
	}
	return e, err
}

// examinedMatches is how many matches an exam plays side by side.
const examinedMatches = 32

// examineOneIn is how many decisions are played for one of an exam.
const examineOneIn = 5

func (e *exam) add(m engine.Match, b *env.Batch, i int, s *answer, kind string) {
	d := &e.d
	d.N++
	d.Obs = append(d.Obs, b.Obs[i*e.width:(i+1)*e.width]...)
	d.Mask = append(d.Mask, b.Mask[i*e.actions:(i+1)*e.actions]...)
	if e.described > 0 {
		d.Rows = append(d.Rows, b.ActionRows[int(b.ActionOffsets[i])*e.described:int(b.ActionOffsets[i+1])*e.described]...)
	}
	d.Offsets = append(d.Offsets, d.Offsets[d.N-1]+int32(m.Legal().Count()))
	at := int32(0)
	for a := m.Legal().First(); a != s.choice; a = m.Legal().Next(a) {
		at++
	}
	e.choice = append(e.choice, at)
	e.values = append(e.values, slices.Clone(s.values))
	e.kinds = append(e.kinds, kind)
}

// take lets a network sit the exam.
func (e *exam) take(l learner.Learner) (*Exam, error) {
	const most = 1024
	out := &Exam{Kinds: map[string]Grade{}}
	logp := make([]float32, most*e.actions)
	for from := 0; from < e.d.N; from += most {
		to := min(from+most, e.d.N)
		part := learner.Decisions{N: to - from, Obs: e.d.Obs[from*e.width : to*e.width], Mask: e.d.Mask[from*e.actions : to*e.actions]}
		if e.described > 0 {
			part.Rows = e.d.Rows[int(e.d.Offsets[from])*e.described : int(e.d.Offsets[to])*e.described]
			for _, x := range e.d.Offsets[from : to+1] {
				part.Offsets = append(part.Offsets, x-e.d.Offsets[from])
			}
		}
		if err := l.Forward(part, logp[:part.N*e.actions], nil); err != nil {
			return nil, err
		}
		for i := from; i < to; i++ {
			at := likeliest(logp[(i-from)*e.actions:], e.d.Mask[i*e.actions:(i+1)*e.actions])
			regret, valued := regretOf(e.values[i], at)
			out.All.add(at == e.choice[i], valued, regret)
			g := out.Kinds[e.kinds[i]]
			g.add(at == e.choice[i], valued, regret)
			out.Kinds[e.kinds[i]] = g
		}
	}
	return out, nil
}

// likeliest is the number, among the legal actions, of the first with the highest log-probability.
func likeliest(logp []float32, mask []uint8) int32 {
	best, at, most := int32(0), int32(0), float32(math.Inf(-1))
	for a, legal := range mask {
		if legal == 0 {
			continue
		}
		if logp[a] > most {
			best, most = at, logp[a]
		}
		at++
	}
	return best
}

// regretOf is how much less than the best an action is worth; valued is false if nothing is known of it.
func regretOf(values []float64, at int32) (regret float64, valued bool) {
	if len(values) == 0 || math.IsNaN(values[at]) {
		return 0, false
	}
	most := math.Inf(-1)
	for _, v := range values {
		if v > most {
			most = v
		}
	}
	return most - values[at], true
}

// kindNames tells kinds of decisions apart by the group of the observation that says what is asked: its
// documentation has the names. Decisions of a game without one are all of a kind.
func kindNames(s *encode.Schema) func(obs []uint8) string {
	g, err := s.Group("decision.kind")
	if err != nil {
		return func([]uint8) string { return "any" }
	}
	_, list, _ := strings.Cut(g.Doc, ") ") // behind what kind 0 is called
	list, _, _ = strings.Cut(list, ";")
	names := append([]string{"other"}, strings.Split(list, ", ")...)
	return func(obs []uint8) string {
		k := bytes.IndexByte(obs[g.Offset:g.Offset+g.Size], 1)
		switch {
		case k < 0:
			return names[0]
		case k < len(names):
			return names[k]
		}
		return fmt.Sprintf("kind %d", k)
	}
}
