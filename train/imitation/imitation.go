// Package imitation learns to act like a teacher: behaviour cloning, and distillation if the teacher has values of the actions.
// settings.go has the settings, teacher.go a teacher's answer to a decision, exam.go compares the network with the teacher on held-out
// decisions, data.go reads a teacher's decisions from a data set, and imitation.go has one iteration.
package imitation

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// Imitation collects as PPO does, but the teacher takes the decisions, or says in matches that the network plays what it would do (DAgger: Ross,
// Gordon and Bagnell, "A reduction of imitation learning and structured prediction to no-regret online learning", 2011). The label is the
// teacher's in both. The value head learns the returns of the matches.
type Imitation struct {
	*selfplay.Play
	settings Settings
	teachers teachers // none if there are data
	digests  []string // of the teachers' bundles
	targets  selfplay.Ragged[float32]
	exam     *exam
	recorded *recorded // data; nil if the teacher is asked now

	answers []answer // [envs]
	played  []int32  // [envs]
}

// Check refuses a teacher or data that New would refuse.
func (s *Settings) Check(c *selfplay.Config) error {
	if s.Data != "" {
		_, err := openData(c, s)
		return err
	}
	_, _, err := newTeachers(c, s)
	return err
}

// New makes the algorithm of a self-play.
func New(p *selfplay.Play, s Settings) (*Imitation, error) {
	m := &Imitation{
		Play: p, settings: s, targets: selfplay.NewRagged[float32](1), answers: make([]answer, p.Config.NumEnvs), played: make([]int32, p.Config.NumEnvs),
	}
	var err error
	if s.Data != "" {
		if m.recorded, err = openData(&p.Config, &m.settings); err != nil {
			return nil, err
		}
		m.exam, err = m.recorded.exam(p)
		return m, err
	}
	if m.teachers, m.digests, err = newTeachers(&p.Config, &s); err != nil {
		return nil, err
	}
	m.exam, err = askedExam(p, m.teachers, &s)
	return m, err
}

// Iterate collects, and takes the passes over the complete decisions.
func (m *Imitation) Iterate() (selfplay.Update, error) {
	u, clock := selfplay.Update{LearningRate: m.Config.LearningRateAt(m.Iteration)}, m.Clock()
	hyper := learner.Hyper{LR: u.LearningRate, VfCoef: m.Config.VfCoef, MaxGradNorm: m.Config.MaxGradNorm}
	if err := m.collect(); err != nil {
		return u, err
	}
	envs := clock.Outside()
	if err := m.Returns(); err != nil {
		return u, err
	}
	clock.Updating()
	if err := m.Fit(m.targets.Of, hyper, &u); err != nil {
		return u, err
	}
	m.Finish(&u, clock, envs)
	m.targets.Carry(m.Buffer)
	return u, m.Next()
}

// collect plays num_steps decisions in every match, each with the teacher's answer; or it reads as many.
func (m *Imitation) collect() error {
	m.Collect()
	if m.recorded != nil {
		return m.recorded.fill(m.Config.NumEnvs*m.Config.NumSteps, m.Buffer, &m.targets)
	}
	clear(m.Values)
	clear(m.Logp)
	at := func(row int) (engine.Match, int) { return m.Matches.Match(row), m.GameOf(row) }
	for range m.Config.NumSteps {
		if err := m.teachers.consult(&m.settings, at, m.Sampling.Split(), m.answers); err != nil {
			return fmt.Errorf("update %d: %w", m.Iteration+1, err)
		}
		if m.settings.OwnMatches > 0 {
			if err := m.Ask(); err != nil { // the forward pass
				return err
			}
			clear(m.Values)
		}
		for i, s := range m.answers {
			m.Actions[i] = int32(s.choice)
			if m.played[i] = m.Actions[i]; m.settings.owns(i) {
				m.played[i], _ = likeliest(m.Answer(i))
			}
			m.targets.Add(s.target)
		}
		m.Buffer.Decide(m.Now, m.Actions, m.Logp, m.Values)
		if err := m.Step(m.played); err != nil {
			return err
		}
	}
	return nil
}

// owns reports whether the network plays the matches of a row itself. Such rows are spread evenly over the tables.
func (s *Settings) owns(row int) bool {
	return int(float64(row+1)*s.OwnMatches) > int(float64(row)*s.OwnMatches)
}

// Exam grades the network on the held-out decisions; nil if none are held out.
func (m *Imitation) Exam() (*Exam, error) {
	if m.exam == nil {
		return nil, nil
	}
	return m.exam.take(m.Learner)
}

// Save keeps the targets of the decisions that are not complete, which bundles the teacher has and, with data, the progress in them.
func (m *Imitation) Save(sections map[string][]byte) error {
	var b bytes.Buffer
	err := m.targets.Save(&b)
	sections["targets"] = b.Bytes()
	if len(m.digests) > 0 {
		sections["teacher"] = []byte(strings.Join(m.digests, " "))
	}
	if m.recorded != nil {
		sections["data"] = m.recorded.save()
	}
	return err
}

// Restore is the inverse of Save.
func (m *Imitation) Restore(sections map[string][]byte) error {
	if err := m.targets.Load(bytes.NewReader(sections["targets"]), m.Buffer.N(), m.Buffer.Actions); err != nil {
		return fmt.Errorf("targets: %w", err)
	}
	now := strings.Join(m.digests, " ")
	if then, ok := sections["teacher"]; ok && string(then) != now { // without it the checkpoint is of 0.1.0
		return fmt.Errorf("teacher: %s has the digest %s, and the checkpoint's had %s: put its file back, or start a new run", m.settings.Teacher, now, then)
	}
	if m.recorded != nil {
		return m.recorded.restore(sections["data"])
	}
	return nil
}
