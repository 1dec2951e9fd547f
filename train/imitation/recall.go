package imitation

import (
	"encoding/json"
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// recorded is labels that are learnt from, and how far each row has come in its matches. The last matches are held out. A pass is as many
// updates as the row with the fewest decisions has enough for; then all rows begin with their first matches again.
type recorded struct {
	cfg      *selfplay.Config
	settings *Settings
	labels   *Labels
	learnt   int     // matches; those after them are held out
	pass     int     // updates of one
	at       []place // by row
}

// place is a decision of a row's episode.
type place struct{ Episode, Decision int }

// recall reads the labels of a configuration, and refuses those that are not for it.
func recall(cfg *selfplay.Config, s *Settings) (*recorded, error) {
	l, err := ReadLabels(s.Labels)
	if err != nil {
		return nil, err
	}
	want := l.LabelsHead
	want.Game, want.Seed, want.Teacher, want.RandomMoves, want.Rows = cfg.Game, cfg.Seed, s.Teacher, s.RandomMoves, cfg.NumEnvs
	if want != l.LabelsHead {
		h := l.LabelsHead
		return nil, fmt.Errorf("labels: %s: gathered with game %s, seed %d, teacher %s, random_moves %v, num_envs %d: want the same in the configuration",
			s.Labels, h.Game, h.Seed, h.Teacher, h.RandomMoves, h.Rows)
	}
	m := &recorded{cfg: cfg, settings: s, labels: l, learnt: len(l.Matches), at: make([]place, cfg.NumEnvs)}
	for decisions := 0; decisions < s.HeldOut*examineOneIn && m.learnt > 0; m.learnt-- {
		decisions += len(l.Matches[m.learnt-1])
	}
	fewest, row := m.fewest()
	if m.pass = fewest / cfg.NumSteps; m.pass == 0 {
		return nil, fmt.Errorf("labels: %s: without the %d of %d matches that are held out, environment %d has %d decisions, and one update needs %d of each of num_envs: %d: gather more matches, or make held_out smaller",
			s.Labels, len(l.Matches)-m.learnt, len(l.Matches), row, fewest, cfg.NumSteps, cfg.NumEnvs)
	}
	return m, nil
}

// fewest is the row that has the fewest decisions to be learnt from, and how many.
func (m *recorded) fewest() (decisions, row int) {
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

// passes begins a new pass if one ended with the given number of updates, and reports whether it did.
func (m *recorded) passes(updates int) bool {
	if updates == 0 || updates%m.pass != 0 {
		return false
	}
	clear(m.at)
	return true
}

// answer fills in what the teacher said of the decisions of a vector.
func (m *recorded) answer(v *env.Vec, said []answer) error {
	for i, at := range m.at {
		if err := m.say(i+at.Episode*m.cfg.NumEnvs, at.Decision, v.Match(i).Legal(), &said[i]); err != nil {
			return err
		}
	}
	return nil
}

// say fills in what the teacher said of a decision of match j.
func (m *recorded) say(j, decision int, legal *engine.Mask, s *answer) error {
	if j >= len(m.labels.Matches) || decision >= len(m.labels.Matches[j]) {
		return fmt.Errorf("labels: %s: match %d has no decision %d: it was gathered under other rules; gather again", m.settings.Labels, j, decision)
	}
	d := &m.labels.Matches[j][decision]
	n := legal.Count()
	fit := func(of []float32) bool { return len(of) == 0 || len(of) == n }
	if !legal.Has(d.Choice) || !legal.Has(d.Played) || !fit(d.Values) || !fit(d.Chances) {
		return fmt.Errorf("labels: %s: match %d, decision %d: not what is asked there: it was gathered under other rules; gather again", m.settings.Labels, j, decision)
	}
	s.choice, s.played = d.Choice, d.Played
	s.values, s.chances = append(s.values[:0], d.Values...), append(s.chances[:0], d.Chances...)
	s.aim(legal, m.settings)
	return nil
}

// exam makes one of the matches that are held out.
func (m *recorded) exam(p *selfplay.Play) (*exam, error) {
	if m.settings.HeldOut == 0 {
		return nil, nil
	}
	e, match := newExam(p, m.settings.HeldOut), p.Game.NewMatch()
	var s answer
	for j := m.learnt; j < len(m.labels.Matches); j++ {
		match.Reset(episodeSeed(m.cfg, j))
		for k := range m.labels.Matches[j] {
			if err := m.say(j, k, match.Legal(), &s); err != nil {
				return nil, err
			}
			e.consider(match, &s, engine.NewRand(m.cfg.Seed).At(selfplay.StreamHeldOut).At(uint64(j)).At(uint64(k)))
			if err := match.Apply(s.played); err != nil {
				return nil, fmt.Errorf("labels: %s: match %d: %w", m.settings.Labels, j, err)
			}
		}
	}
	return e, nil
}

// follow moves on after a step.
func (m *recorded) follow(b *env.Batch) {
	for i := range m.at {
		m.at[i].Decision++
		if b.Terminated[i] || b.Truncated[i] {
			m.at[i] = place{m.at[i].Episode + 1, 0}
		}
	}
}

func (m *recorded) save() []byte {
	b, err := json.Marshal(m.at)
	if err != nil {
		panic(err) // numbers alone
	}
	return b
}

func (m *recorded) restore(b []byte) error {
	var at []place
	if err := json.Unmarshal(b, &at); err != nil || len(at) != len(m.at) {
		return fmt.Errorf("labels: the checkpoint does not say how far they were learnt from: it is of a run without labels, or of another num_envs")
	}
	m.at = at
	return nil
}
