package doubloons

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/position"
)

// The legendary ghost ship in positions, and what must hold of it.

const withoutLegendary = "the legendary ghost ship is a module that is not played: leave it out, or add legendary_ghost_ship to the game's modules"

var legendaryFields = []string{
	"region", "facing", "crew", "reputation", "doubloons", "fragments", "jewels", "pillage", "totems", "shells",
}

// legendaryPosition is the legendary ghost ship and all that belongs to it.
func (r *Rules) legendaryPosition(s *State) position.Object {
	sh := &s.Ships[Legendary]
	o := position.Object{}
	if sh.Region != noRegion {
		o.Add("region", sh.Region)
	}
	o.Add("facing", facingName(sh.Facing))
	o.Add("crew", sh.Crew)
	o.Add("reputation", sh.Reputation)
	o.Add("doubloons", sh.Doubloons)
	o.Add("fragments", position.Tally(sh.Fragments[:], symbolNames[:], false))
	o.Add("jewels", position.Tally(sh.Jewels[:], jewelNames[:], false))
	o.Add("pillage", sh.Pillage)
	if r.Modules.Has(AlternateIsland) {
		o.Add("totems", position.Tally(sh.Totems[:], symbolNames[:], false))
		o.Add("shells", position.Tally(sh.Shells[:], symbolNames[:], false))
	}
	return o
}

// legendary reads the ship, but for fragments, jewels and relics, which are shared
// out later.
func (p *reading) legendary() {
	r, s := p.r, p.s
	v, sh := p.root.Get(legendaryName), &s.Ships[Legendary]
	p.IsObject(v, legendaryFields...)
	p.ship[Legendary] = v
	sh.Region = int8(p.Number(v.Get("region"), 0, r.regions-1, p.calm()))
	if p.Name(v.Get("facing"), facingNames, 0) == 1 {
		sh.Facing = CounterClockwise
	}
	sh.Crew = uint8(p.Number(v.Get("crew"), 0, MaxCrew, legendaryCrew))
	sh.Reputation = uint8(p.Number(v.Get("reputation"), 0, MaxLevel, legendaryLevels))
	sh.Doubloons = uint8(p.Number(v.Get("doubloons"), 0, r.Doubloons, legendaryDoubloons))
	sh.Pillage = uint8(p.Number(v.Get("pillage"), 0, r.seats*int(r.PillagePerPlayer), 0))
	p.jewels(Legendary)
}

// dealLegendaryJewels draws, from those that are left, the jewels of a legendary
// ghost ship of which the file does not tell them.
func (p *reading) dealLegendaryJewels(all *position.Stock) {
	if !p.r.Modules.Has(LegendaryShip) || p.s.Phase == PhaseSetup || p.ship[Legendary].Get("jewels") != nil {
		return
	}
	left := all.Left()
	for range legendaryJewels {
		if jewel := position.Draw(left, &p.deal); jewel >= 0 {
			p.s.Ships[Legendary].Jewels[jewel]++
		}
	}
}

// legendary checks the ship by itself.
func (c *checking) legendary() {
	r, s := c.r, c.s
	sh, at := &s.Ships[Legendary], shipPath(Legendary)
	blank := blankShip()
	if !r.Modules.Has(LegendaryShip) {
		if *sh != blank {
			c.Wrong(at, withoutLegendary)
		}
		return
	}
	c.within(at+".region", int(sh.Region), noRegion, r.regions-1)
	if sh.Facing != Clockwise && sh.Facing != CounterClockwise {
		c.Wrong(at+".facing", "%d: want clockwise or counterclockwise", sh.Facing)
	}
	c.within(at+".crew", int(sh.Crew), 0, MaxCrew)
	c.within(at+".reputation", int(sh.Reputation), 0, MaxLevel)
	if sh.Region == noRegion && s.Phase != PhaseSetup {
		c.Wrong(at+".region", "ships are placed during set-up: want 0 to %d", r.regions-1)
	}
	// The rest of what a ship can have, it has not.
	rest := *sh
	rest.Region, rest.Facing, rest.Crew, rest.Reputation = blank.Region, blank.Facing, 0, 0
	rest.Doubloons, rest.Pillage, rest.Fragments, rest.Jewels = 0, 0, blank.Fragments, blank.Jewels
	rest.Totems, rest.Shells = blank.Totems, blank.Shells // of which relics() says more
	blank.Ghost = true
	if rest != blank {
		c.Wrong(at, "it is a ghost ship without captain, cards, orbs and compasses")
	}
}

// legendarySettingUp checks how far the legendary ghost ship is equipped, once all captains are chosen and
// their ships placed.
func (c *checking) legendarySettingUp() {
	r, s := c.r, c.s
	c.setUp(r.regions, r.dealt*r.seats, r.seats, r.seats)
	switch left := int(s.Depth) - 2; s.Top().Kind { // frames above do_jewels
	case AskPlaceLegendary:
		c.legendaryHas(false, nil, 0)
	case DrawJewel:
		c.legendaryHas(true, r.gifts, legendaryJewels-1-int(s.Frames[1].Arg[0]))
	default:
		c.legendaryHas(true, r.gifts[:len(r.gifts)-left], 0)
	}
}

// legendaryHas checks how far the legendary ghost ship is equipped: with what it is dealt, and
// with jewels.
func (c *checking) legendaryHas(placed bool, dealt []Frame, jewels int) {
	fragments, relics := 0, 0
	for _, gift := range dealt {
		fragments += int(engine.Bit(gift.Kind == DealFragment))
		relics += int(engine.Bit(gift.Kind == DrawRelic))
	}
	sh, at := &c.s.Ships[Legendary], shipPath(Legendary)
	if (sh.Region != noRegion) != placed {
		c.Wrong(at+".region", "%d: the last player to choose a captain places the ship", sh.Region)
	}
	if n := sum(&sh.Totems) + sum(&sh.Shells); n != relics {
		c.Wrong(at+".totems", "%d relics, totems and shells: at this point of set-up there are %d", n, relics)
	}
	if n := sum(&sh.Fragments); n != fragments {
		c.Wrong(at+".fragments", "%d: at this point of set-up there are %d", n, fragments)
	}
	if n := sum(&sh.Jewels); n != jewels {
		c.Wrong(at+".jewels", "%d: at this point of set-up there are %d", n, jewels)
	}
}
