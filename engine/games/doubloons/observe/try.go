package observe

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// ledger adds up how the ships of a state stand in states that may come of it.
type ledger struct {
	d       *encoder
	s       *doubloons.State          // the state at hand
	before  [doubloons.MaxSeats]int32 // points in it, of those in counted
	counted uint8                     // set of seats
	summed  [doubloons.MaxSeats]sums
}

// open begins with a state.
func (l *ledger) open(d *encoder, s *doubloons.State) { l.d, l.s, l.counted = d, s, 0 }

// clear begins with the next of its actions.
func (l *ledger) clear() { clear(l.summed[:l.d.seats]) }

// sums are the changes of one ship, each times its chance, of whole.
type sums struct {
	points, hull, crew, reputation, doubloons, pillage, fragments, jewels, orbs, relics, steps int32
}

// try performs each action on a copy of the match and writes what has changed before anybody decides again. If a die is
// rolled or a tile, relic or jewel drawn first, it is the average over what may come, which everybody can tell; cards are
// not drawn, and those turned face up change no ship.
func (c *scribe) try(legal *engine.Mask, rows []actionRow) {
	d, rules := c.d, c.d.rules
	a := legal.First()
	for n := range rows {
		row := &rows[n]
		row.looked = 1
		c.clear()
		c.tried = *c.s
		rules.Apply(&c.tried, a)
		if c.draws() {
			c.outcomes = rules.Outcomes(&c.tried, c.outcomes[:0])
			for _, o := range c.outcomes {
				c.tried2 = c.tried
				rules.Apply(&c.tried2, o.Action)
				c.sum(&c.tried2, int32(o.Prob*whole))
			}
		} else {
			c.sum(&c.tried, whole)
		}
		c.summed[c.seat].write(&row.gain, &row.loss)
		for k := range d.seats - 1 {
			to := &row.rivals[k]
			c.summed[(c.seat+1+k)%d.seats].write(&to.gains, &to.loses)
		}
		a = legal.Next(a)
	}
}

// draws reports whether chance is to decide next on something that everybody knows the chances of.
func (c *scribe) draws() bool {
	switch c.tried.Next() {
	case doubloons.RollDie, doubloons.DrawMap, doubloons.DrawLandmark, doubloons.DrawJewel, doubloons.RollJewel, doubloons.DrawRelic, doubloons.RollDuel:
		return true
	}
	return false
}

// sum adds how a state differs from that at hand.
func (l *ledger) sum(after *doubloons.State, p int32) {
	for seat := range l.d.seats {
		was, is := &l.s.Ships[seat], &after.Ships[seat]
		if *was == *is && !l.d.bonuses {
			continue
		}
		t := &l.summed[seat]
		t.points += p * (l.d.points(after, seat) - l.pointsBefore(seat))
		t.hull += p * (int32(is.Hull) - int32(was.Hull))
		t.crew += p * (int32(is.Crew) - int32(was.Crew))
		t.reputation += p * (int32(is.Reputation) - int32(was.Reputation))
		t.doubloons += p * (int32(is.Doubloons) - int32(was.Doubloons))
		t.pillage += p * (int32(is.Pillage) - int32(was.Pillage))
		t.fragments += p * (four(&is.Fragments) - four(&was.Fragments))
		t.jewels += p * (four(&is.Jewels) - four(&was.Jewels))
		t.orbs += p * (int32(is.Orbs) - int32(was.Orbs))
		t.relics += p * (four(&is.Totems) + four(&is.Shells) - four(&was.Totems) - four(&was.Shells))
		t.steps += p * (int32(l.d.places[was.Node].distance) - int32(l.d.places[is.Node].distance))
	}
}

// pointsBefore are a seat's points in the state at hand. Most seats' are never asked for.
func (l *ledger) pointsBefore(seat int) int32 {
	if l.counted>>seat&1 == 0 {
		l.counted |= 1 << seat
		l.before[seat] = l.d.points(l.s, seat)
	}
	return l.before[seat]
}

func four(n *[4]uint8) int32 { return int32(n[0]) + int32(n[1]) + int32(n[2]) + int32(n[3]) }

// write writes gains and losses, in 16ths.
func (t *sums) write(gain, loss *changes) {
	if *t == (sums{}) {
		return
	}
	for _, x := range [...]struct {
		n      int32
		up, to *uint8
	}{
		{t.points, &gain.points, &loss.points},
		{t.hull, &gain.hull, &loss.hull},
		{t.crew, &gain.crew, &loss.crew},
		{t.reputation, &gain.reputation, &loss.reputation},
		{t.doubloons, &gain.doubloons, &loss.doubloons},
		{t.pillage, &gain.pillage, &loss.pillage},
		{t.fragments, &gain.fragments, &loss.fragments},
		{t.jewels, &gain.jewels, &loss.jewels},
		{t.orbs, &gain.orbs, &loss.orbs},
		{t.relics, &gain.relics, &loss.relics},
		{t.steps, &gain.steps, &loss.steps},
	} {
		*x.up, *x.to = fit((16*x.n+whole/2)/whole), fit((whole/2-16*x.n)/whole)
	}
}
