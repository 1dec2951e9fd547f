package doubloons

import "github.com/privateer-rl/privateer/engine/kit/position"

// Invariants of relics, and of the captains that have been in the crater.

// relics checks that none is lost or made, and that the crater is open where it must be.
func (c *checking) relics() {
	r, s := c.r, c.s
	for kind := range relicNames {
		c.Conserved(r.relicStock(s, kind))
	}
	if !r.Modules.Has(AlternateIsland) {
		if s.LeftCrater != 0 || s.Acquired != 0 {
			c.Wrong("left_crater", withoutIsland)
		}
		return
	}
	for i, t := range s.Water {
		if sum(&s.RegionShells[i]) > 0 && (t == noTile || r.WaterGroup[t] == GroupS) {
			c.Wrong(item("region_shells", i), "no shell lies in a region with %s", position.NameOf(waterNames[:], t))
		}
	}
	c.crater()
	c.acquired()
}

// crater checks how many relics nobody has seen, and who may have been in the crater.
func (c *checking) crater() {
	r, s := c.r, c.s
	in, seen := r.InCrater(s), sum(&r.Totems)+sum(&r.Shells)
	for kind := range relicNames {
		seen -= sum(&s.Relics[kind]) + sum(s.Ships[Legendary].relicsOf(kind))
	}
	switch {
	case in < 0:
		inGame := sum(&r.Totems) + sum(&r.Shells) - r.boxed
		c.Wrong("ships", "with beaches and regions they have %d relics: %d players have %d in the game", inGame-in, r.seats, inGame)
	case in > 0 && s.Dug:
		c.Wrong("crater", "%d relics: the treasure is dug up when it is empty: give them a place, or make dug false", in)
	case in > 0 && r.atCrater(s):
		c.Wrong("crater", "%d relics: a captain is there, so it is empty: give them a place", in)
	case s.Phase == PhaseSetup && seen > 0:
		c.Wrong("unseen_relics", "%d relics are on the board and with seats: during set-up nobody draws any", seen)
	}
	for seat := range MaxSeats {
		if s.LeftCrater>>seat&1 == 0 {
			continue
		}
		if seat >= r.seats || !r.Edition.CraterOnce || !s.Dug || s.Ships[seat].Node == NodeX {
			c.Wrong("left_crater", "seat %d: a captain leaves the crater for good after the dig, in editions that say so", seat)
		}
	}
}

// acquired checks whose end-game trackers the action under way can have moved.
func (c *checking) acquired() {
	s := c.s
	acting := s.Phase == PhaseAction && s.Turn >= 0 && s.Turn != Legendary && s.Dug
	for _, f := range s.Frames[:s.Depth] {
		acting = acting && f.Kind != AskAction && f.Kind != AskCompass
	}
	for seat := range MaxSeats + 2 {
		if s.Acquired>>seat&1 != 0 && (!acting || seat >= c.r.seats || s.Ships[seat].Track == 0) {
			c.Wrong("acquired", "seat %d: an action of a seat that has begun moves trackers, after the dig", seat)
		}
	}
}
