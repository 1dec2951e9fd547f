package selfplay

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
)

// mixture is matches of several tables of one game side by side, as one vector, of which one network learns: observations and
// actions have one layout. Each table has consecutive rows.
type mixture struct {
	vecs         []*env.Vec
	from         []int        // first row of each
	seats        int          // columns of players: the most learning ones of any table, then the most opponents
	learning     int          // the first of them
	sources      int          // of scores, in all of them
	d, f, a, row int          // bytes of the views, actions, bytes of an action's row
	parts        []*env.Batch // of each, overwritten when it steps
	all          env.Batch
}

// newMixture puts vectors side by side. Opponents are the last players of each.
func newMixture(vecs []*env.Vec, e *encode.Encoder, full, rows bool) *mixture {
	m := &mixture{vecs: vecs, parts: make([]*env.Batch, len(vecs)), d: e.Schema().Size, a: len(e.Schema().Actions)}
	if full {
		m.f = e.FullSchema().Size
	}
	if rows {
		m.row = e.ActionSize()
	}
	n, opponents := 0, 0
	for _, v := range vecs {
		m.from = append(m.from, n)
		n += v.Config().NumEnvs
		m.sources = len(v.Game().Info().ScoreSources)
		m.learning = max(m.learning, v.Game().Info().Seats-opponentsOf(v))
		opponents = max(opponents, opponentsOf(v))
	}
	m.seats = m.learning + opponents
	p := m.seats
	m.all = env.Batch{
		Obs: make([]uint8, n*m.d), Full: make([]uint8, n*m.f), Mask: make([]uint8, n*m.a), Seat: make([]int32, n),
		Reward: make([]float32, n*p), Players: make([]int32, n*p), Terminated: make([]bool, n), Truncated: make([]bool, n),
		FinalObs: make([]uint8, n*p*m.d), FinalFull: make([]uint8, n*p*m.f), PlayerReturn: make([]float32, n*p), Length: make([]int32, n),
		Return: make([]float32, n*p), Score: make([]int32, n*p*m.sources),
	}
	return m
}

// Reset resets all vectors; Step steps them.
func (m *mixture) Reset() (*env.Batch, error) {
	return m.each(func(_ int, v *env.Vec) (*env.Batch, error) { return v.Reset() })
}

func (m *mixture) Step(actions []int32) (*env.Batch, error) {
	return m.each(func(k int, v *env.Vec) (*env.Batch, error) {
		return v.Step(actions[m.from[k] : m.from[k]+v.Config().NumEnvs])
	})
}

func (m *mixture) each(do func(k int, v *env.Vec) (*env.Batch, error)) (*env.Batch, error) {
	for k, v := range m.vecs {
		var err error
		if m.parts[k], err = do(k, v); err != nil {
			return nil, fmt.Errorf("%s: %w", v.Game().Info().Config, err)
		}
	}
	m.gather()
	return &m.all, nil
}

// gather copies the vectors' batches.
func (m *mixture) gather() {
	m.all.ActionRows, m.all.ActionOffsets = m.all.ActionRows[:0], append(m.all.ActionOffsets[:0], 0)
	for k, v := range m.vecs {
		m.take(m.from[k], m.parts[k], v.Game().Info().Seats, opponentsOf(v))
	}
}

// take copies the rows of a vector to those from a row on. Its seats come first; those that it lacks stay zero.
func (m *mixture) take(from int, o *env.Batch, seats, opponents int) {
	b, p := &m.all, m.seats
	copy(b.Obs[from*m.d:], o.Obs)
	copy(b.Full[from*m.f:], o.Full)
	copy(b.Mask[from*m.a:], o.Mask)
	copy(b.Seat[from:], o.Seat)
	copy(b.Terminated[from:], o.Terminated)
	copy(b.Truncated[from:], o.Truncated)
	copy(b.Length[from:], o.Length)
	for i := range o.Seat {
		to := from + i
		copy(b.Reward[to*p:], o.Reward[i*seats:(i+1)*seats])
		for s := range p {
			b.Players[to*p+s] = -1
			if s < seats {
				b.Players[to*p+s] = m.renumbered(o.Players[i*seats+s], seats, opponents)
			}
		}
		if !o.Terminated[i] && !o.Truncated[i] {
			continue
		}
		copy(b.FinalObs[to*p*m.d:], o.FinalObs[i*seats*m.d:(i+1)*seats*m.d])
		if m.f > 0 {
			copy(b.FinalFull[to*p*m.f:], o.FinalFull[i*seats*m.f:(i+1)*seats*m.f])
		}
		copy(b.Return[to*p:], o.Return[i*seats:(i+1)*seats])
		copy(b.Score[to*p*m.sources:], o.Score[i*seats*m.sources:(i+1)*seats*m.sources])
		m.pay(b.PlayerReturn[to*p:(to+1)*p], o.PlayerReturn[i*seats:(i+1)*seats], opponents)
	}
	if m.row > 0 {
		first := b.ActionOffsets[len(b.ActionOffsets)-1]
		b.ActionRows = append(b.ActionRows, o.ActionRows...)
		for _, at := range o.ActionOffsets[1:] {
			b.ActionOffsets = append(b.ActionOffsets, first+at)
		}
	}
}

// renumbered is the number of a vector's player among those of the largest vector: opponents are last.
func (m *mixture) renumbered(player int32, seats, opponents int) int32 {
	if opponent := int(player) - (seats - opponents); opponent >= 0 {
		return int32(m.learning + opponent)
	}
	return player
}

// pay writes the returns of a match's players. Learning players that it lacks get the average of those that it has.
func (m *mixture) pay(to, got []float32, opponents int) {
	own, mean := len(got)-opponents, float32(0)
	for _, x := range got[:own] {
		mean += x / float32(own)
	}
	for i := range to {
		to[i] = mean
	}
	copy(to, got[:own])
	copy(to[m.learning:], got[own:])
}

func opponentsOf(v *env.Vec) int {
	n := 0
	for _, p := range v.Config().Players {
		if p.Bot != nil || p.Policy != nil {
			n++
		}
	}
	return n
}

// Match returns the match of a row.
func (m *mixture) Match(row int) engine.Match {
	k := m.of(row)
	return m.vecs[k].Match(row - m.from[k])
}

// of is the number of the vector that has a row.
func (m *mixture) of(row int) int {
	k, found := slices.BinarySearch(m.from, row)
	if !found {
		k--
	}
	return k
}

// Snapshot writes those of all vectors.
func (m *mixture) Snapshot(w io.Writer) error {
	for _, v := range m.vecs {
		var one bytes.Buffer
		if err := v.Snapshot(&one); err != nil {
			return err
		}
		if err := writeSized(w, one.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func (m *mixture) Restore(r io.Reader) error {
	for _, v := range m.vecs {
		one, err := readSized(r)
		if err == nil {
			err = v.Restore(bytes.NewReader(one))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", v.Game().Info().Config, err)
		}
	}
	m.gather()
	return nil
}

func (m *mixture) Close() {
	for _, v := range m.vecs {
		v.Close()
	}
}

// split divides n rows among tables by their shares, at least one each; the rest goes to those that lack most.
func split(n int, tables []Table) []int {
	total := 0.0
	for _, t := range tables {
		total += t.Share
	}
	rows, left := make([]int, len(tables)), n
	order := make([]int, len(tables))
	lacks := func(i int) float64 { return float64(tables[i].Share/total*float64(n)) - float64(rows[i]) }
	for i := range rows {
		order[i] = i
		rows[i] = max(1, int(tables[i].Share/total*float64(n)))
		left -= rows[i]
	}
	for ; left > 0; left-- {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lacks(b), lacks(a)) })
		rows[order[0]]++
	}
	for ; left < 0; left++ {
		rows[slices.Index(rows, slices.Max(rows))]-- // the largest can spare one
	}
	return rows
}
