package imitation

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/dataset"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// recorded is the teacher's decisions in a data set, which the network learns in pass after pass, and the progress. The last matches are held
// out. Each pass takes the groups of rows in an order of its own, one at a time.
type recorded struct {
	settings *Settings
	set      *dataset.Set
	teaches  []bool // by player
	groups   []int  // those with decisions to learn from
	held     int32  // the first match that is held out
	orders   engine.Rand
	place

	order []int // of the pass; nil: not drawn yet
	rows  dataset.Decisions
	has   int // the group that rows are; −1: none
	said  answer
}

// place is where the next decision is.
type place struct{ Pass, Group, Row int }

// openData opens the data of a configuration, and refuses data that do not fit it.
func openData(c *selfplay.Config, s *Settings) (*recorded, error) {
	set, err := dataset.Open(s.Data)
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	h := set.Head
	if h.Game != c.Game {
		return nil, fmt.Errorf("data: %s: its game is %s, and that of the configuration %s: want the same", s.Data, h.Game, c.Game)
	}
	if c.ReadsActions() && h.ActionRow == "" {
		return nil, fmt.Errorf("data: %s: it has no rows of actions, which the network %s reads: want data written with --rows, or the network mlp", s.Data, c.Network)
	}
	m := &recorded{settings: s, set: set, orders: engine.NewRand(c.Seed).At(selfplay.StreamSampling), has: -1}
	var names []string
	for _, player := range h.Players {
		m.teaches = append(m.teaches, player.Name == s.Teacher)
		names = append(names, player.Name)
	}
	if !slices.Contains(m.teaches, true) {
		return nil, fmt.Errorf("data: %s: no player is called %s, the teacher: want one of %q", s.Data, s.Teacher, names)
	}
	if err := m.divide(); err != nil {
		return nil, err
	}
	return m, m.tells()
}

// divide finds the decisions of the teacher, and holds out the last matches.
func (m *recorded) divide() error {
	of := make([]int32, m.set.Head.Matches) // decisions of each match
	none := int32(len(of))
	first := make([]int32, m.set.Groups()) // match of each group with one of them
	total, held := 0, 0
	for k := range first {
		if err := m.set.Who(k, &m.rows); err != nil {
			return fmt.Errorf("data: %w", err)
		}
		first[k] = none
		for i, match := range m.rows.Match {
			if m.teaches[m.rows.Player[i]] {
				first[k] = min(first[k], match)
				of[match]++
				total++
			}
		}
	}
	for m.held = none; m.held > 0 && held < m.settings.HeldOut*examineOneIn; m.held-- {
		held += int(of[m.held-1])
	}
	if held == total {
		return fmt.Errorf("data: %s: %s has %d decisions, of which %d are held out: write more matches, or make held_out smaller", m.settings.Data, m.settings.Teacher, total, held)
	}
	for k, match := range first {
		if match < m.held {
			m.groups = append(m.groups, k)
		}
	}
	return nil
}

// read reads the group of the next decision, unless it is loaded.
func (m *recorded) read() error {
	if m.order == nil {
		m.order = slices.Clone(m.groups)
		r := m.orders.At(uint64(m.Pass))
		for i := len(m.order) - 1; i > 0; i-- {
			j := r.Intn(i + 1)
			m.order[i], m.order[j] = m.order[j], m.order[i]
		}
	}
	if m.has == m.order[m.Group] {
		return nil
	}
	m.has = -1
	if err := m.set.Read(m.order[m.Group], &m.rows); err != nil {
		return fmt.Errorf("data: %w", err)
	}
	m.has = m.order[m.Group]
	return nil
}

// fill puts the next n decisions of the teacher into a buffer, and their targets into targets.
func (m *recorded) fill(n int, b *selfplay.Buffer, targets *selfplay.Ragged[float32]) error {
	for n > 0 {
		if err := m.read(); err != nil {
			return err
		}
		d := &m.rows
		for ; n > 0 && m.Row < d.N; m.Row++ {
			if !m.teaches[d.Player[m.Row]] || d.Match[m.Row] >= m.held {
				continue
			}
			if err := m.say(m.Row); err != nil {
				return err
			}
			b.Put(m.observation(m.Row), &d.Mask[m.Row], m.actionRows(m.Row), m.said.choice, d.Return[m.Row])
			targets.Add(m.said.target)
			n--
		}
		if m.Row < d.N {
			continue
		}
		if m.Group, m.Row = m.Group+1, 0; m.Group == len(m.order) {
			m.place, m.order = place{Pass: m.Pass + 1}, nil
		}
	}
	return nil
}

// say fills in the teacher's answer to a decision.
func (m *recorded) say(i int) error {
	d, s := &m.rows, &m.said
	s.choice = d.Choice[i]
	s.values, s.chances = append(s.values[:0], d.Values[i]...), append(s.chances[:0], d.Probabilities[i]...)
	sum := float32(0)
	for _, p := range s.chances {
		sum += p
	}
	if len(s.chances) > 0 && !(sum > 0.999 && sum < 1.001) {
		return fmt.Errorf("data: %s: match %d, decision %d: the probabilities sum to %v", m.settings.Data, d.Match[i], d.Step[i], sum)
	}
	s.aim(&d.Mask[i], m.settings)
	return nil
}

func (m *recorded) observation(i int) []byte {
	size := len(m.rows.Observation) / m.rows.N
	return m.rows.Observation[i*size : (i+1)*size]
}

// actionRows are the rows of the legal actions of a decision; empty if the data have none.
func (m *recorded) actionRows(i int) []byte {
	d := &m.rows
	size := len(d.Rows) / d.Offsets[d.N]
	return d.Rows[d.Offsets[i]*size : d.Offsets[i+1]*size]
}

// tells refuses soft targets if the teacher has neither values nor probabilities in the first group to learn from.
func (m *recorded) tells() error {
	if m.settings.Targets == hardTargets {
		return nil
	}
	if err := m.read(); err != nil {
		return err
	}
	for i, player := range m.rows.Player {
		if m.teaches[player] && (m.rows.Values[i] != nil || m.rows.Probabilities[i] != nil) {
			return nil
		}
	}
	return fmt.Errorf("targets: %s: %s has no values or probabilities in %s: want %s", m.settings.Targets, m.settings.Teacher, m.settings.Data, hardTargets)
}

// exam makes an exam of the held-out matches.
func (m *recorded) exam(p *selfplay.Play) (*exam, error) {
	if m.settings.HeldOut == 0 {
		return nil, nil
	}
	e, draw := newExam(p, m.settings.HeldOut), engine.NewRand(p.Config.Seed).At(selfplay.StreamHeldOut)
	from := m.set.Groups()
	for from > 0 && (from == m.set.Groups() || m.rows.Match[0] >= m.held) {
		from--
		if err := m.set.Who(from, &m.rows); err != nil {
			return nil, fmt.Errorf("data: %w", err)
		}
	}
	m.has = -1
	for k := from; k < m.set.Groups(); k++ {
		if err := m.set.Read(k, &m.rows); err != nil {
			return nil, fmt.Errorf("data: %w", err)
		}
		for i, match := range m.rows.Match {
			if match < m.held || !m.teaches[m.rows.Player[i]] || !e.wants(draw.At(uint64(match)).At(uint64(m.rows.Step[i]))) {
				continue
			}
			if err := m.say(i); err != nil {
				return nil, err
			}
			e.add(m.observation(i), &m.rows.Mask[i], m.actionRows(i), &m.said)
		}
	}
	return e, nil
}

func (m *recorded) save() []byte {
	b, err := json.Marshal(m.place)
	if err != nil {
		panic(err) // numbers alone
	}
	return b
}

func (m *recorded) restore(b []byte) error {
	var at place
	if err := json.Unmarshal(b, &at); err != nil {
		return fmt.Errorf("data: the checkpoint is of a run without data")
	}
	if at.Pass < 0 || at.Group < 0 || at.Group >= len(m.groups) || at.Row < 0 {
		return fmt.Errorf("data: %s: the checkpoint is at group %d, and there are %d: want the data that the run began with", m.settings.Data, at.Group, len(m.groups))
	}
	m.place, m.order = at, nil
	return nil
}
