package env

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine"
)

// This file is the life of a row. Its functions are called by the workers, each
// for rows of its own.

// seating is the child stream of an episode's seed that ShuffleSeats draws from.
const seating = 0x73656174 // "seat"

func (v *Vec) stepRows(from, to int) {
	for i := from; i < to; i++ {
		v.stepRow(i)
	}
}

func (v *Vec) beginRows(from, to int) {
	for i := from; i < to; i++ {
		if v.chosen == nil || v.chosen[i] {
			v.quiet(i)
			v.beginRow(i)
			v.show(i)
		}
	}
}

func (v *Vec) showRows(from, to int) {
	for i := from; i < to; i++ {
		v.show(i)
	}
}

// quiet clears what the last step left: flags and rewards.
func (v *Vec) quiet(i int) {
	p := v.seats
	v.batch.Terminated[i], v.batch.Truncated[i] = false, false
	clear(v.batch.Reward[i*p : i*p+p])
	if v.cfg.ShuffleSeats {
		clear(v.batch.PlayerReward[i*p : i*p+p])
	}
}

// stepRow performs the row's action, which is known to be legal.
func (v *Vec) stepRow(i int) {
	r := &v.rows[i]
	v.quiet(i)
	if r.done {
		if v.cfg.Autoreset == NextStep {
			v.beginRow(i)
			v.show(i)
		}
		return
	}
	m := v.matches[i]
	actor := m.Seat()
	if err := m.Apply(engine.Action(v.taken[i])); err != nil {
		panic(fmt.Sprintf("env: row %d: an action that was checked is refused: %v", i, err))
	}
	r.steps++
	v.pay(i, m)

	next := m.Seat()
	switch {
	case next == engine.Over:
		r.final = int32(actor)
		v.batch.Terminated[i] = true
	case v.cfg.MaxDecisions > 0 && int(r.steps) >= v.cfg.MaxDecisions:
		r.final = int32(next)
		v.batch.Truncated[i] = true
	default:
		v.show(i)
		return
	}
	v.finish(i, m)
	if v.cfg.Autoreset == SameStep {
		v.beginRow(i)
	} else {
		r.done = true
	}
	v.show(i)
}

// pay turns the growth of the returns since the last step into rewards.
func (v *Vec) pay(i int, m engine.Match) {
	p := v.seats
	reward, paid := v.batch.Reward[i*p:i*p+p], v.paid[i*p:i*p+p]
	m.Returns(reward)
	for s, total := range reward {
		reward[s], paid[s] = total-paid[s], total
	}
	if v.cfg.ShuffleSeats {
		v.byPlayer(i, v.batch.PlayerReward, reward)
	}
}

// byPlayer writes the values of seats to the places of their players in row i.
func (v *Vec) byPlayer(i int, dst, seats []float32) {
	at := i * v.seats
	for s, value := range seats {
		dst[at+int(v.batch.Players[at+s])] = value
	}
}

// finish records the end of an episode.
func (v *Vec) finish(i int, m engine.Match) {
	b, r, p := &v.batch, &v.rows[i], v.seats
	for s := range p {
		at := i*p + s
		if b.FinalFull != nil {
			final := b.FinalFull[at*v.full : (at+1)*v.full]
			v.enc.EncodeFull(m, s, final)
			copy(b.FinalObs[at*v.obs:(at+1)*v.obs], final)
		} else {
			v.enc.Encode(m, s, b.FinalObs[at*v.obs:(at+1)*v.obs])
		}
		m.Scores(s, b.Score[at*v.sources:(at+1)*v.sources])
	}
	b.FinalSeat[i] = r.final
	b.Length[i] = r.steps
	copy(b.Return[i*p:i*p+p], v.paid[i*p:])
	if v.cfg.ShuffleSeats {
		v.byPlayer(i, b.PlayerReturn, b.Return[i*p:i*p+p])
	}
	v.tallies.add(i, r.steps, b.Truncated[i], b.Return[i*p:i*p+p], b.PlayerReturn[i*p:i*p+p])
}

// beginRow deals the row's next episode.
func (v *Vec) beginRow(i int) {
	r, p := &v.rows[i], v.seats
	r.episode++
	r.steps, r.done = 0, false
	seed := engine.EpisodeSeed(r.seed, uint64(r.episode))
	v.matches[i].Reset(seed)
	clear(v.paid[i*p : i*p+p])

	players := v.batch.Players[i*p : i*p+p]
	for s := range players {
		players[s] = int32(s)
	}
	if v.cfg.ShuffleSeats {
		draw := engine.NewRand(seed).At(seating)
		for s := p - 1; s > 0; s-- {
			k := draw.Intn(s + 1)
			players[s], players[k] = players[k], players[s]
		}
	}
}

// show fills the row's part of the batch that describes its present state.
func (v *Vec) show(i int) {
	b, r, m := &v.batch, &v.rows[i], v.matches[i]
	seat := int(r.final)
	mask := b.Mask[i*v.actions : (i+1)*v.actions]
	if r.done {
		v.legal[i] = engine.Mask{}
		for a := range mask {
			mask[a] = 1
		}
	} else {
		seat = m.Seat()
		v.legal[i] = *m.Legal()
		v.legal[i].Expand(mask)
	}
	b.Seat[i] = int32(seat)
	b.EpisodeStep[i] = r.steps
	b.Episode[i] = r.episode
	obs := b.Obs[i*v.obs : (i+1)*v.obs]
	if b.Full != nil {
		full := b.Full[i*v.full : (i+1)*v.full]
		v.enc.EncodeFull(m, seat, full)
		copy(obs, full)
		return
	}
	v.enc.Encode(m, seat, obs)
}
