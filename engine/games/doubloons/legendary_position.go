package doubloons

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// The legendary ghost ship in positions, and what must hold of it.

const withoutLegendary = "the legendary ghost ship is a module that is not played: leave it out, or add legendary_ghost_ship to the game's modules"

// legendaryDocs are what is left out of the ship's fields, which it has in common with the ships of seats.
var legendaryDocs = map[string]string{
	"region":     "Left out: the first region where a ship can remain.",
	"facing":     "Left out: clockwise.",
	"crew":       "Left out: 2.",
	"reputation": "Level. Left out: 2.",
	"doubloons":  "Left out: 2.",
	"fragments":  "Map fragments. Left out: one is dealt, none on the alternate island.",
	"jewels":     "Left out: two are drawn.",
	"pillage":    "Pillage tokens. Left out: none.",
}

// legendaryFields has the ship as an object of its own.
func legendaryFields(r *Rules, to *layout, own func(why string, list ...field) fields) {
	for _, f := range to.ship {
		if doc := legendaryDocs[f.Name]; doc != "" {
			f.Shape = f.Shape.Of(doc)
			to.legendary = append(to.legendary, f)
		}
	}
	to.match = to.match.Before("stack", own(withoutLegendary, field{Name: legendaryName,
		Shape: position.Ref(legendaryName).Of("The legendary ghost ship, with the module legendary_ghost_ship. Left out: as it begins."),
		Show:  func(v *subject) any { return r.layout.legendary.Object(shipOf(v.s, v.view, Legendary)) }})...)
}

// legendary reads the ship, except for fragments, jewels and relics, which are shared
// out later.
func (p *reading) legendary() {
	v := p.root.Get(legendaryName)
	p.IsObject(v, p.r.layout.legendary.Names()...)
	p.ship[Legendary] = v
	p.s.Ships[Legendary].Region = p.calm()
	p.r.layout.legendary.Read(shipOf(p.s, engine.Full, Legendary), &p.Faults, v)
	p.jewels(Legendary)
}

// dealLegendaryJewels draws, from those that are left, the jewels of a legendary
// ghost ship if the file does not name them.
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
	r.layout.legendary.Check(shipOf(s, engine.Full, Legendary), &c.Faults, at)
	if sh.Region == noRegion && s.Phase != PhaseSetup {
		c.Wrong(at+".region", "ships are placed during set-up: want 0 to %d", r.regions-1)
	}
	// The rest of what a ship can have, it has not.
	rest := *sh
	rest.Region, rest.Facing, rest.Crew, rest.Reputation = blank.Region, blank.Facing, 0, 0
	rest.Doubloons, rest.Pillage, rest.Fragments, rest.Jewels = 0, 0, blank.Fragments, blank.Jewels
	rest.Totems, rest.Shells = blank.Totems, blank.Shells // relics() reads them
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
