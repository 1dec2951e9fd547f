package observe

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// Where ships may be in the rest of a round: part of the forecast (forecast.go).

// The ways of a movement: stay, sail, come about, both in either order, sail twice.
const (
	wayStay = iota
	waySail
	wayTurn
	waySailTurn
	wayTurnSail
	waySailTwice
)

// ways are the ways that a card leaves open, as a set.
func ways(c *doubloons.Card) (set uint8) {
	moves := c.Moves[:c.NMoves]
	switch len(moves) {
	case 0:
		return 1 << wayStay
	case 1:
		set = 1 << single(moves[0])
		if !moves[0].Required {
			set |= 1 << wayStay
		}
		return set
	}
	a, b := moves[0], moves[1]
	switch {
	case a.Sail && b.Sail:
		set = 1 << waySailTwice
	case !a.Sail && !b.Sail:
		set = 1 << wayStay
	default:
		set = 1<<waySailTurn | 1<<wayTurnSail
	}
	if !b.Required {
		set |= 1 << single(a)
	}
	if !a.Required {
		set |= 1 << single(b)
	}
	if !a.Required && !b.Required {
		set |= 1 << wayStay
	}
	return set
}

func single(m doubloons.Move) int {
	if m.Sail {
		return waySail
	}
	return wayTurn
}

// chances spreads a card's turn evenly over the ways that it leaves open.
func chances(set uint8) (p [numWays]int32) {
	n := int32(bits.OnesCount8(set))
	for way := range p {
		p[way] = int32(set>>way&1) * (whole / n)
	}
	return p
}

// surveyCards fills what the encoder needs to know of cards' movements.
func (d *encoder) surveyCards() {
	for i := range d.rules.Cards {
		c := &d.rules.Cards[i]
		d.ways[i] = ways(c)
		if c.Kind == doubloons.KindNormal {
			for way, p := range chances(d.ways[i]) {
				d.drift[way] += p
			}
		}
	}
	for way := range d.drift {
		d.drift[way] /= doubloons.NumNormalCards
	}
	for set := 1; set < len(d.waysBySet); set++ {
		d.waysBySet[set] = chances(uint8(set))
	}
	for at := range 2 * d.regions {
		ship := berth(at)
		d.front[at] = uint8(d.rules.Ahead(&ship, 1))
	}
}

func position(region, facing int8) int {
	return int(2*region) + int(engine.Bit(facing == doubloons.CounterClockwise))
}

// berth is a ship at a position.
func berth(at int) doubloons.Ship {
	return doubloons.Ship{Region: int8(at / 2), Facing: int8(1 - 2*(at&1))}
}

// geometry tables the own ship's movements.
func (o *forecast) geometry() {
	rules := o.d.rules
	sails, turns := rules.MaySail(o.me), rules.MayComeAbout(o.me)
	for at := range 2 * o.d.regions {
		ship := berth(at)
		o.front[at] = o.d.front[at]
		o.sailed[at], o.turned[at] = uint8(at), uint8(at)
		if sails {
			ship.Ghost = o.me.Ghost
			rules.Sail(o.s, &ship)
			o.sailed[at] = uint8(position(ship.Region, ship.Facing))
		}
		if turns {
			o.turned[at] ^= 1
		}
	}
}

// drift says where a rival's ship may be when each own card is executed. An opponent that has a card face up before it that is
// still to come moves by it; what else it will play nobody knows.
func (o *forecast) drift(r *rival) {
	s, e, rules := o.s, r.ship, o.d.rules
	var sailed [positions]uint8
	free := e.Ghost == o.me.Ghost || !rules.Edition.GhostsIgnoreWater
	sails, turns := rules.MaySail(e), rules.MayComeAbout(e)
	for at := range 2 * o.d.regions {
		switch {
		case !sails:
			sailed[at] = uint8(at)
		case free && rules.MaySail(o.me):
			sailed[at] = o.sailed[at]
		default:
			ship := berth(at)
			ship.Ghost = e.Ghost
			rules.Sail(s, &ship)
			sailed[at] = uint8(position(ship.Region, ship.Facing))
		}
	}
	turn := uint8(engine.Bit(turns))
	var p [positions]int32
	p[position(e.Region, e.Facing)] = whole
	play := func(by *[numWays]int32) {
		var to [positions]int32
		for at, q := range p[:2*o.d.regions] {
			if q == 0 {
				continue
			}
			on, back := sailed[at], uint8(at)^turn
			to[at] += q * by[wayStay] >> wholeBits // chances are not negative
			to[on] += q * by[waySail] >> wholeBits
			to[back] += q * by[wayTurn] >> wholeBits
			to[on^turn] += q * by[waySailTurn] >> wholeBits
			to[sailed[back]] += q * by[wayTurnSail] >> wholeBits
			to[sailed[on]] += q * by[waySailTwice] >> wholeBits
		}
		p = to
	}
	first := 0
	if s.Phase == doubloons.PhaseAction {
		first = int(s.Slot)
		if o.slot > first && r.coming { // the own turn is over, the opponent's is not
			play(o.d.waysOf(e.Table[s.Slot]))
			r.coming = false
			defer func() { r.coming = true }()
		}
	} else if r.before {
		play(&o.d.drift)
	}
	for slot := first; slot < doubloons.NumSlots; slot++ {
		if slot >= o.slot {
			for region := range o.d.regions {
				r.at[slot][region] = p[2*region] + p[2*region+1]
			}
		}
		if slot == doubloons.NumSlots-1 {
			break
		}
		if slot == first && r.coming {
			play(o.d.waysOf(e.Table[s.Slot]))
		} else {
			play(&o.d.drift)
		}
	}
}

// waysOf are the chances of the ways that a card leaves open.
func (d *encoder) waysOf(card int8) *[numWays]int32 { return &d.waysBySet[d.ways[card]] }
