package env

import (
	"encoding/binary"
	"fmt"

	"github.com/privateer-rl/privateer/engine"
)

// This file is the life of a row. Its functions are called by the workers, each
// for its own rows.

// row is a vector's state of an environment besides its match.
type row struct {
	seed    uint64 // engine.RowSeed
	episode int64  // −1 before the first
	steps   int32  // the caller's decisions in the episode
	last    int32  // seat of the caller's that acted last
	final   int32  // Seat to show while the row is finished
	fresh   bool   // no row has shown anything of the episode yet
}

// seatStream is the child stream of an episode's seed that ShuffleSeats draws from.
const seatStream = 0x73656174 // "seat"

// stepRows performs the actions taken, which are known to be legal. Each row is
// stepped, reset if over, and shown in one go, while its match is in the cache: separate passes over several rows
// would fetch what they write from memory again.
func (v *Vec) stepRows(with *arguments, worker, from, to int) error {
	ds := v.decidersOf(with, worker)
	if v.asks {
		return v.stepTogether(ds, from, to)
	}
	for i := from; i < to; i++ {
		v.announce(i+ahead, to)
		v.apply(i, i+1)
		if !v.moved(ds, i) {
			ds.asked = append(ds.asked, int32(i))
			continue
		}
		if ds != nil && ds.fault != nil {
			return ds.fault
		}
		v.show(i)
	}
	if ds != nil && len(ds.asked) > 0 {
		return v.endRows(with, worker, from, to)
	}
	return nil
}

// endRows continues where a worker has stopped.
func (v *Vec) endRows(with *arguments, worker, from, to int) error {
	if err := v.decide(v.decidersOf(with, worker)); err != nil {
		return err
	}
	for i := from; i < to; i++ {
		v.show(i)
	}
	return nil
}

// ahead is how many rows before its turn the memory of a row is prefetched: about
// as much time as memory takes.
const ahead = 2

// narrow is the bytes of a row that the core's own prefetcher has there in time, as the next rows follow them.
const narrow = 256

// announce prefetches the memory that row i, if it is below end, will read and write.
func (v *Vec) announce(i, end int) {
	b, w := &v.batch, &v.wide
	if i >= end || w.state+w.obs < narrow {
		return
	}
	prefetch(&v.memory[i*w.state], w.state)
	prefetch(&b.Obs[i*w.obs], w.obs)
	if b.Full != nil {
		prefetch(&b.Full[i*w.full], w.full)
	}
}

// stepTogether is stepRows for vectors in which policies play: they are asked for as many rows
// as possible at once.
func (v *Vec) stepTogether(ds *deciders, from, to int) error {
	v.apply(from, to)
	for i := from; i < to; i++ {
		if !v.moved(ds, i) {
			ds.asked = append(ds.asked, int32(i))
		}
	}
	if err := v.decide(ds); err != nil {
		return err
	}
	for i := from; i < to; i++ {
		v.show(i)
	}
	return nil
}

// apply performs the actions taken.
func (v *Vec) apply(from, to int) {
	for i := from; v.recordings != nil && i < to; i++ {
		if !v.done[i] {
			v.recordings[i].add(v.seats[i], engine.Action(v.taken[i]))
		}
	}
	if at := v.states.Apply(from, to, v.taken, v.done); at < to {
		panic(fmt.Sprintf("env: row %d: action %d was checked, yet is refused", at, v.taken[at]))
	}
}

// decidersOf returns the bots and policies of a worker; nil if there are none.
func (v *Vec) decidersOf(with *arguments, worker int) *deciders {
	if v.deciders == nil {
		return nil
	}
	ds := &v.deciders[worker]
	ds.over = with.over
	for k := range ds.byPlayer {
		if r := &ds.byPlayer[k]; r.stops != nil {
			r.stops.Until(with.over)
		}
	}
	return ds
}

// moved continues row i after its action. Like advance it reports false if
// it is to be called again.
func (v *Vec) moved(ds *deciders, i int) bool {
	if v.done[i] && v.cfg.Autoreset == Disabled {
		v.unpaid(i)
		return true
	}
	v.quiet(i)
	if v.done[i] {
		v.deal(i)
		return v.advance(ds, i)
	}
	r := &v.rows[i]
	r.last = v.batch.Seat[i]
	r.steps++
	return v.advance(ds, i)
}

// beginRows begins a new episode in the rows chosen.
func (v *Vec) beginRows(with *arguments, worker, from, to int) error {
	ds := v.decidersOf(with, worker)
	for i := from; i < to; i++ {
		if with.chosen != nil && !with.chosen[i] {
			continue
		}
		if !v.beginRow(ds, i) {
			ds.asked = append(ds.asked, int32(i))
		}
	}
	if err := v.decide(ds); err != nil {
		return err
	}
	for i := from; i < to; i++ {
		if with.chosen == nil || with.chosen[i] || v.blank {
			v.show(i)
		}
	}
	return nil
}

// beginRow begins a new episode in row i. Like advance it reports false if a
// policy must decide first.
func (v *Vec) beginRow(ds *deciders, i int) bool {
	v.quiet(i)
	v.deal(i)
	return v.advance(ds, i)
}

// quiet clears the flags and rewards of the last step.
func (v *Vec) quiet(i int) {
	v.batch.Terminated[i], v.batch.Truncated[i] = false, false
	v.unpaid(i)
}

// unpaid clears what the last step alone brought: what is over stays over.
func (v *Vec) unpaid(i int) {
	p := v.wide.seats
	v.batch.Ended[i] = false
	clear(v.batch.Reward[i*p : i*p+p])
	if v.cfg.ShuffleSeats {
		clear(v.batch.PlayerReward[i*p : i*p+p])
	}
}

// mostUnseen bounds the episodes in a row that end before the caller is asked.
const mostUnseen = 1000

// advance continues row i until there is something to show: a decision of the
// caller's or an end. It reports false if a policy must decide first, or the call is to stop; then
// advance is called again.
func (v *Vec) advance(ds *deciders, i int) bool {
	r := &v.rows[i]
	for unseen := 0; ; {
		if ds != nil && !v.playOn(ds, i) {
			return false
		}
		switch {
		case ds != nil && ds.fault != nil:
			return true
		case v.seats[i] != engine.Over && !v.capped(i):
			if v.info.PaysEarly && !r.fresh {
				v.pay(i)
			}
			r.fresh = false
			return true
		case r.fresh && ds != nil:
			if unseen++; unseen > mostUnseen {
				ds.fault = fmt.Errorf("env: row %d: %d episodes in a row were over before a decision of the caller's: leave the caller other seats", i, mostUnseen)
				return true
			}
			v.forget(i)
			v.deal(i)
			continue
		default:
			v.pay(i)
			v.finish(i)
		}
		if v.cfg.Autoreset != SameStep {
			v.done[i] = true
			return true
		}
		v.deal(i)
	}
}

// capped reports whether the caller has taken, in row i, all the decisions that an episode
// may have. Those of others do not count: if they did, the cap would tell how often they
// were asked.
func (v *Vec) capped(i int) bool {
	return v.cfg.MaxDecisions > 0 && int(v.rows[i].steps) >= v.cfg.MaxDecisions
}

// ending returns the cause of an episode's end.
type ending uint8

const (
	byRules ending = iota
	byCap          // Config.MaxDecisions
	byLimit        // a limit of the game string: engine.Match.Truncated
)

// ending says what has ended the episode of row i, and which seat of the caller would
// decide next, if there is one.
func (v *Vec) ending(i int) (by ending, next int32) {
	if v.seats[i] != engine.Over {
		return byCap, v.seats[i]
	}
	limit, seat := v.matches[i].Truncated()
	if limit == "" {
		return byRules, engine.Over
	}
	if v.cfg.Players != nil && !callers(&v.cfg.Players[v.batch.Players[i*v.wide.seats+seat]]) {
		seat = engine.Over
	}
	return byLimit, int32(seat)
}

// pay turns the growth of the returns since the last step into rewards.
func (v *Vec) pay(i int) {
	p := v.wide.seats
	reward, paid := v.batch.Reward[i*p:i*p+p], v.paid[i*p:i*p+p]
	v.states.Returns(i, i+1, v.batch.Reward)
	for s, total := range reward {
		reward[s], paid[s] = total-paid[s], total
	}
	if v.cfg.ShuffleSeats {
		v.byPlayer(i, v.batch.PlayerReward, reward)
	}
}

// byPlayer writes the values of seats to the places of their players in row i.
func (v *Vec) byPlayer(i int, dst, seats []float32) {
	at := i * v.wide.seats
	for s, value := range seats {
		dst[at+int(v.batch.Players[at+s])] = value
	}
}

// finish records the end of an episode. The cap cuts it short when a seat of
// the caller would have to decide, a limit of the game at any decision.
func (v *Vec) finish(i int) {
	b, r, p := &v.batch, &v.rows[i], v.wide.seats
	by, next := v.ending(i)
	if r.final = r.last; next >= 0 {
		r.final = next
	}
	b.Terminated[i], b.Truncated[i], b.Ended[i] = by == byRules, by != byRules, true
	for s := range p {
		v.showEnd(i, s)
	}
	b.FinalSeat[i] = r.final
	b.Length[i] = r.steps
	copy(b.Return[i*p:i*p+p], v.paid[i*p:])
	if v.cfg.ShuffleSeats {
		v.byPlayer(i, b.PlayerReturn, b.Return[i*p:i*p+p])
	}
	v.tallies.add(i, r.steps, by, b.Return[i*p:i*p+p], b.PlayerReturn[i*p:i*p+p])
	if v.recordings != nil {
		v.keep(i, by, b.Return[i*p:i*p+p])
	}
}

// showEnd fills what the batch says, by seat, of the end of row i.
func (v *Vec) showEnd(i, seat int) {
	b, w, m := &v.batch, &v.wide, v.matches[i]
	at, view := i*w.seats+seat, seat
	obs := b.FinalObs[at*w.obs : (at+1)*w.obs]
	switch {
	case b.FinalFull != nil:
		full := b.FinalFull[at*w.full : (at+1)*w.full]
		v.enc.EncodeFull(m, seat, full)
		copy(obs, full)
		view = engine.Full
	case v.Sees(i, seat):
		v.enc.Encode(m, seat, obs)
	default:
		clear(obs)
		view = int(v.rows[i].final)
	}
	if w.sources > 0 {
		m.Scores(view, seat, b.Score[at*w.sources:(at+1)*w.sources])
	}
}

// forget records the end of an episode that was over before the caller was asked: no
// row has shown it and none will.
func (v *Vec) forget(i int) {
	p := v.wide.seats
	paid := v.paid[i*p : i*p+p]
	v.states.Returns(i, i+1, v.paid)
	byPlayer := make([]float32, p)
	for s, value := range paid {
		byPlayer[v.batch.Players[i*p+s]] = value
	}
	by, _ := v.ending(i)
	v.tallies.add(i, 0, by, paid, byPlayer)
	if v.recordings != nil {
		v.keep(i, by, paid)
	}
}

// deal begins the row's next episode.
func (v *Vec) deal(i int) {
	r, p := &v.rows[i], v.wide.seats
	r.episode++
	r.steps, r.fresh, v.done[i] = 0, true, false
	seed := engine.EpisodeSeed(r.seed, uint64(r.episode))
	v.matches[i].Reset(seed)
	clear(v.paid[i*p : i*p+p])
	if v.deciders != nil {
		v.draws[i] = engine.NewRand(seed).At(decideStream)
	}
	if v.recordings != nil {
		v.recordings[i].begin(seed, v.cfg.Record.Share)
	}

	players := v.batch.Players[i*p : i*p+p]
	for s := range players {
		players[s] = int32(s)
	}
	if v.cfg.ShuffleSeats {
		draw := engine.NewRand(seed).At(seatStream)
		for s := p - 1; s > 0; s-- {
			k := draw.Intn(s + 1)
			players[s], players[k] = players[k], players[s]
		}
	}
}

// show fills the part of the batch that describes the present state of row i.
func (v *Vec) show(i int) {
	b, r, w := &v.batch, &v.rows[i], &v.wide
	seat := v.seats[i]
	if v.done[i] {
		seat = r.final
	}
	b.Seat[i] = seat
	b.EpisodeStep[i] = r.steps
	b.Episode[i] = r.episode
	legal := v.shown(i)
	if b.Mask != nil {
		legal.Expand(b.Mask[i*w.actions : (i+1)*w.actions])
	}
	if b.Packed != nil {
		pack(legal, b.Packed[i*w.packed:(i+1)*w.packed])
	}
	if v.described != nil {
		v.describe(i)
	}
	obs := b.Obs[i*w.obs : (i+1)*w.obs]
	if b.Full != nil {
		full := b.Full[i*w.full : (i+1)*w.full]
		v.enc.EncodeFull(v.matches[i], int(seat), full)
		copy(obs, full)
		return
	}
	v.enc.Encode(v.matches[i], int(seat), obs)
}

// pack writes a mask as bits.
func pack(m *engine.Mask, dst []uint8) {
	k := 0
	for ; k+8 <= len(dst); k += 8 {
		binary.LittleEndian.PutUint64(dst[k:k+8], m[k>>3])
	}
	for ; k < len(dst); k++ {
		dst[k] = uint8(m[k>>3] >> (k & 7 * 8))
	}
}
