package captain

import (
	"math"
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// inputs are the network evaluator's inputs for one seat: the non-zero ones, by place.
type inputs struct {
	at    []uint16
	value []float32
	next  int // place of what is listed next
}

func (x *inputs) clear() { x.at, x.value, x.next = x.at[:0], x.value[:0], 0 }

func (x *inputs) put(at int, value float64) {
	if value != 0 {
		x.at, x.value = append(x.at, uint16(at)), append(x.value, float32(value))
	}
}

// number lists a quantity, scaled to be about 1 at most.
func (x *inputs) number(value float64) { x.put(x.next, value); x.next++ }

func (x *inputs) flag(yes bool) { x.number(float64(engine.Bit(yes))) }

// steps lists a count as a thermometer.
func (x *inputs) steps(n, most int) {
	for k := range min(n, most) {
		x.put(x.next+k, 1)
	}
	x.next += most
}

// one lists one of several things, the last of which has what is beyond it too; none if it is negative.
func (x *inputs) one(k, of int) {
	if k >= 0 {
		x.put(x.next+min(k, of-1), 1)
	}
	x.next += of
}

// only runs what lists this many places if it applies; else they are 0.
func (x *inputs) only(applies bool, places int, list func()) {
	from := x.next
	if applies {
		list()
	}
	x.next = from + places
}

// places is how many numbers are seen of a seat.
const places = 236

// mostOf are the steps or kinds that are told apart.
const (
	mostRounds    = 14
	mostOrder     = doubloons.MaxSeats
	mostCards     = 6
	mostFragments = 6
	mostDoubloons = 6
	mostTrack     = 5
	mostTiles     = 8
	mostSteps     = 10 // to the mount
	mostAround    = 3  // rivals
)

// see lists the network evaluator's inputs for each seat, as a round begins. It looks at the whole match, as evaluators may in the worlds of a search:
// of the hidden information only at hands.
func (c *captain) see(s *doubloons.State, seats []inputs) {
	st := c.standing(s)
	var worth [doubloons.MaxSeats]float64
	track := 0
	for i := range c.seats {
		worth[i] = c.worthOf(s, &st, i)
		track = max(track, int(s.Ships[i].Track))
	}
	for i := range seats {
		x := &seats[i]
		x.clear()
		c.seeMatch(x, s, &st, track)
		c.seeShip(x, s, &st, i)
		c.seeWaters(x, s, i)
		c.seeRivals(x, s, &st, i, &worth)
		c.seeHand(x, s, i)
	}
}

// seeMatch lists the inputs that all seats share.
func (c *captain) seeMatch(x *inputs, s *doubloons.State, st *stand, track int) {
	x.number(1)
	x.one(int(s.Round), mostRounds)
	x.flag(s.Dug)
	x.flag(s.Ending)
	x.only(s.Dug, mostTrack+1, func() { x.one(track, mostTrack+1) })
	x.number(min(st.dig, 20) / 10)
	x.steps(int(s.MapFragments), mostTiles)
	for _, n := range s.MapSpecials {
		x.number(float64(n))
	}
	x.number(float64(s.Island) / 10)
	x.number(float64(s.Supply) / 20)
}

// seeShip lists a seat's possessions, and the place of its captain.
func (c *captain) seeShip(x *inputs, s *doubloons.State, st *stand, seat int) {
	sh := &s.Ships[seat]
	fragments, symbols := count(&sh.Fragments), 0
	for _, n := range sh.Fragments {
		symbols += int(engine.Bit(n > 0))
	}
	x.one(int(sh.Hull), doubloons.MaxHull+1)
	x.flag(sh.Ghost)
	x.steps(int(sh.Crew), doubloons.MaxCrew)
	x.steps(int(sh.Reputation), doubloons.MaxLevel)
	x.number(float64(c.rules.ReputationPoints[sh.Reputation]) / 5)
	x.number(float64(sh.Doubloons) / 5)
	x.steps(int(sh.Doubloons), mostDoubloons)
	x.steps(int(sh.Orbs), 2)
	x.number(float64(fragments) / 3)
	x.steps(fragments, mostFragments)
	x.steps(symbols, doubloons.NumSymbols)
	x.only(!s.Dug, mostFragments, func() { x.steps(fragments, mostFragments) })
	points := 0.0
	for k, n := range sh.Jewels {
		x.number(float64(n) / 2)
		points += float64(float64(n) * float64(c.rules.JewelValue[k]))
	}
	x.number(points / 10)
	x.steps(int(sh.Track), mostTrack)
	x.only(!s.Dug, doubloons.NumNodes+mostSteps+1, func() {
		x.one(int(sh.Node), doubloons.NumNodes)
		x.one(int(min(st.distance[seat], mostSteps)), mostSteps)
		x.number(min(st.distance[seat], mostSteps) / 5)
	})
	x.only(s.Dug, doubloons.MaxHull, func() { x.steps(int(sh.Hull), doubloons.MaxHull) })
}

// seeWaters lists where a ship is, who sails it, and when its turn comes.
func (c *captain) seeWaters(x *inputs, s *doubloons.State, seat int) {
	sh := &s.Ships[seat]
	x.only(sh.Region >= 0, 2*doubloons.NumWater, func() {
		x.one(int(s.Water[sh.Region]), doubloons.NumWater)
		x.one(int(s.Water[c.rules.Ahead(sh, 1)]), doubloons.NumWater)
	})
	x.one(int(sh.Captain), doubloons.NumCaptains)
	x.only(sh.Crew >= doubloons.MaxCrew-1, doubloons.NumCaptains, func() { x.one(int(sh.Captain), doubloons.NumCaptains) }) // whose ability works
	x.one(c.rules.TurnOf(s, seat), mostOrder)
}

// seeRivals lists a seat's standing relative to the others.
func (c *captain) seeRivals(x *inputs, s *doubloons.State, st *stand, seat int, worth *[doubloons.MaxSeats]float64) {
	sh := &s.Ships[seat]
	ahead := c.rules.Ahead(sh, 1)
	var company, prey, aimedAt, aiming, followers, leaders, richer, nearer int
	best := math.Inf(-1)
	for j := range c.seats {
		if j == seat {
			continue
		}
		o := &s.Ships[j]
		best = max(best, worth[j])
		company += int(engine.Bit(o.Region == sh.Region))
		prey += int(engine.Bit(o.Region == sh.Region && o.Hull < doubloons.MaxHull))
		aimedAt += int(engine.Bit(int(o.Region) == ahead))
		aiming += int(engine.Bit(o.Region >= 0 && c.rules.Ahead(o, 1) == int(sh.Region)))
		richer += int(engine.Bit(worth[j] > worth[seat]))
		nearer += int(engine.Bit(st.distance[j] < st.distance[seat]))
		for k := range sh.Fragments {
			if sh.Fragments[k] > 0 && o.Fragments[k] > 0 {
				followers++
				leaders += int(engine.Bit(count(&o.Fragments) >= 2))
				break
			}
		}
	}
	for _, n := range [...]int{company, prey, aimedAt, aiming, followers, leaders} {
		x.steps(n, mostAround)
	}
	x.one(richer, mostOrder)
	x.only(!s.Dug, mostOrder, func() { x.one(nearer, mostOrder) })
	lead := worth[seat] - best
	list := func() {
		x.number(worth[seat] / 10)
		x.number(max(lead, 0) / 5)
		x.number(min(lead, 0) / 5)
	}
	list()
	x.only(s.Dug, 3, list)
}

// seeHand lists the cards that a seat has kept.
func (c *captain) seeHand(x *inputs, s *doubloons.State, seat int) {
	var icons [doubloons.NumIcons]int
	captains, sails, turns := 0, 0, 0
	hand := s.Ships[seat].Hand
	for left := hand; left != 0; left &= left - 1 {
		card := &c.rules.Cards[bits.TrailingZeros64(left)]
		for _, a := range card.Actions {
			icons[a.Icon]++
		}
		captains += int(engine.Bit(card.Kind == doubloons.KindCaptain))
		for _, move := range card.Moves[:card.NMoves] {
			sails += int(engine.Bit(move.Sail))
			turns += int(engine.Bit(!move.Sail))
		}
	}
	x.steps(bits.OnesCount64(hand), mostCards)
	for _, n := range icons {
		x.number(float64(n) / 2)
	}
	x.steps(captains, 3)
	x.number(float64(sails) / 3)
	x.number(float64(turns) / 3)
}
