package train

import (
	"encoding/json"
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
)

// recalled is a gathering that is learnt from, and how far each row has gone through its matches. The last matches are held
// out. A row that has had all of its others can begin with the first again: after as many updates as the row with the
// fewest decisions has enough for, all rows do, which is a pass.
type recalled struct {
	cfg    Config
	labels *Labels
	learnt int     // matches; those behind them are held out
	pass   int     // updates of one
	at     []place // by row
}

// place is a decision: that of a row's episode.
type place struct{ Episode, Decision int }

// recall reads the labels of a configuration, and refuses those that are not for it.
func recall(cfg Config) (*recalled, error) {
	l, err := ReadLabels(cfg.Labels)
	if err != nil {
		return nil, err
	}
	want := l.LabelsHead
	want.Game, want.Seed, want.Teacher, want.RandomMoves, want.Rows = cfg.Game, cfg.Seed, cfg.Teacher, cfg.RandomMoves, cfg.NumEnvs
	if want != l.LabelsHead {
		h := l.LabelsHead
		return nil, fmt.Errorf("labels: %s: gathered with game %s, seed %d, teacher %s, random_moves %v, num_envs %d: want the same in the configuration",
			cfg.Labels, h.Game, h.Seed, h.Teacher, h.RandomMoves, h.Rows)
	}
	m := &recalled{cfg: cfg, labels: l, learnt: len(l.Matches), at: make([]place, cfg.NumEnvs)}
	for decisions := 0; decisions < cfg.HeldOut*examineOneIn && m.learnt > 0; m.learnt-- {
		decisions += len(l.Matches[m.learnt-1])
	}
	fewest, row := m.fewest()
	// The step after the last update begins a match, perhaps, of which nothing needs to be known.
	if m.pass = fewest / cfg.NumSteps; m.pass == 0 {
		return nil, fmt.Errorf("labels: %s: without the %d of %d matches that are held out, environment %d has %d decisions, and one update needs %d of each of num_envs: %d: gather more matches, or make held_out smaller",
			cfg.Labels, len(l.Matches)-m.learnt, len(l.Matches), row, fewest, cfg.NumSteps, cfg.NumEnvs)
	}
	if passes := (cfg.Iterations() + m.pass - 1) / m.pass; passes > cfg.LabelPasses {
		return nil, fmt.Errorf("labels: %s: environment %d has %d decisions, so total_timesteps: %d are %d passes over the labels, and label_passes is %d: gather more matches, allow more passes, or train for at most %d",
			cfg.Labels, row, fewest, cfg.TotalTimesteps, passes, cfg.LabelPasses, cfg.LabelPasses*m.pass*cfg.NumSteps*cfg.NumEnvs)
	}
	return m, nil
}

// fewest is the row that has the fewest decisions to be learnt from, and how many.
func (m *recalled) fewest() (decisions, row int) {
	decisions = -1
	for i := range m.cfg.NumEnvs {
		n := 0
		for j := i; j < m.learnt; j += m.cfg.NumEnvs {
			n += len(m.labels.Matches[j])
		}
		if decisions < 0 || n < decisions {
			decisions, row = n, i
		}
	}
	return decisions, row
}

// passes begins a new pass if one has ended after so many updates, and reports whether it did.
func (m *recalled) passes(updates int) bool {
	if updates == 0 || updates%m.pass != 0 {
		return false
	}
	clear(m.at)
	return true
}

// answer says what the teacher said of the decisions of a vector, and what was played.
func (m *recalled) answer(v *env.Vec, said []answer, played []int32) error {
	for i, at := range m.at {
		a, err := m.say(i+at.Episode*m.cfg.NumEnvs, at.Decision, v.Match(i).Legal(), &said[i])
		if err != nil {
			return err
		}
		played[i] = int32(a)
	}
	return nil
}

// say fills in what the teacher said of a decision of match j, and returns what was played.
func (m *recalled) say(j, decision int, legal *engine.Mask, s *answer) (engine.Action, error) {
	if j >= len(m.labels.Matches) || decision >= len(m.labels.Matches[j]) {
		return 0, fmt.Errorf("labels: %s: match %d has no decision %d: it was gathered under other rules; gather again", m.cfg.Labels, j, decision)
	}
	d := &m.labels.Matches[j][decision]
	n := legal.Count()
	fit := func(of []float32) bool { return len(of) == 0 || len(of) == n }
	if !legal.Has(d.Choice) || !legal.Has(d.Played) || !fit(d.Values) || !fit(d.Priors) || !fit(d.Chances) {
		return 0, fmt.Errorf("labels: %s: match %d, decision %d: not what is asked there: it was gathered under other rules; gather again", m.cfg.Labels, j, decision)
	}
	s.choice = d.Choice
	s.values, s.priors, s.chances = append(s.values[:0], d.Values...), append(s.priors[:0], d.Priors...), append(s.chances[:0], d.Chances...)
	return d.Played, s.aim(legal, m.cfg)
}

// exam makes one of the matches that are held out.
func (m *recalled) exam(t *trainer) (*exam, error) {
	if t.cfg.HeldOut == 0 {
		return nil, nil
	}
	e, match := newExam(t), t.game.NewMatch()
	var s answer
	for j := m.learnt; j < len(m.labels.Matches); j++ {
		match.Reset(episodeSeed(m.cfg, j))
		for k := range m.labels.Matches[j] {
			played, err := m.say(j, k, match.Legal(), &s)
			if err != nil {
				return nil, err
			}
			e.consider(match, &s, engine.NewRand(m.cfg.Seed).At(streamHeldOut).At(uint64(j)).At(uint64(k)))
			if err := match.Apply(played); err != nil {
				return nil, fmt.Errorf("labels: %s: match %d: %w", m.cfg.Labels, j, err)
			}
		}
	}
	return e, nil
}

// follow goes on after a step.
func (m *recalled) follow(b *env.Batch) {
	for i := range m.at {
		m.at[i].Decision++
		if b.Terminated[i] || b.Truncated[i] {
			m.at[i] = place{m.at[i].Episode + 1, 0}
		}
	}
}

func (m *recalled) save() []byte {
	b, err := json.Marshal(m.at)
	if err != nil {
		panic(err) // numbers alone
	}
	return b
}

func (m *recalled) restore(b []byte) error {
	var at []place
	if err := json.Unmarshal(b, &at); err != nil || len(at) != len(m.at) {
		return fmt.Errorf("labels: the checkpoint does not say how far they were learnt from: it is of a run without labels, or of another num_envs")
	}
	m.at = at
	return nil
}
