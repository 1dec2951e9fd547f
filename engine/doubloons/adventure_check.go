package doubloons

import "github.com/privateer-rl/privateer/engine/position"

// What must hold of relics, and of what is left of a turn on the alternate island.

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

// seizing checks the shell that a ship takes by Pillage or voodoo; it reports whether
// that is what is left of the turn.
func (c *checking) seizing(card *Card) bool {
	r, s := c.r, c.s
	turn := int(s.Turn)
	own, f := &s.Ships[turn], c.peek()
	switch f.Kind {
	case AskShell:
		if c.last(turn, f.Kind) {
			c.need(card.Icons&IconPillage.Bit() != 0, "%s has no pillage", card.ID)
			c.need(sum(&s.RegionShells[own.Region]) > 0, "no shell lies in region %d", own.Region)
		}
	case AskStealShell:
		if c.last(turn, f.Kind) {
			boards := r.Edition.GhostsRollOnBoard && own.Ghost && card.Loot != LootNone
			c.need(boards || r.couldHit(s, turn, card, int(f.Arg[0])), "%s cannot have hit these ships: all of them are enemies in one region that it reaches", card.ID)
			c.haveShells(int(f.Arg[0]))
		}
	default:
		return false
	}
	return true
}

// haveShells checks the ships from which shells are stolen.
func (c *checking) haveShells(victims int) {
	c.need(c.r.Modules.Has(AlternateIsland), "shells belong to the alternate island")
	for seat := range c.r.seats {
		if victims>>seat&1 != 0 {
			c.need(int8(seat) != c.peek().Seat && sum(&c.s.Ships[seat].Shells) > 0, "seat %d is no enemy with a shell", seat)
		}
	}
}

// exploring: the captain of whose turn it is walks the alternate island.
func (c *checking) exploring() {
	r, s := c.r, c.s
	turn := int(s.Turn)
	node := s.Ships[turn].Node
	coloured := r.Colour[node] != ColourNone
	landmark := c.peek() == frame(DoLandmark, turn)
	if landmark {
		c.at++
	}
	meets := true // at a location that it has just moved into
	switch f := c.peek(); f.Kind {
	case DoDuel:
		if c.expect(frame(DoDuel, turn)) && c.last(turn, AskTotem) {
			c.need(node <= NodeB5 && sum(&s.BeachTotems[node-NodeB1]) > 0, "no totem lies at %s", nodeNames[node])
		}
	case AskDuel:
		if c.last(turn, f.Kind) {
			c.need(r.rivals(s, turn) != 0, "no other captain is at %s", nodeNames[node])
		}
	case RollDuel, AskDuelReroll, AskStealTotem:
		c.duelling()
	default:
		meets = false
	}
	switch {
	case meets:
		c.need(landmark == coloured, "after a duel comes the landmark of a location, if it has a colour")
		return
	case landmark:
		c.misplaced("before do_landmark comes a duel")
		return
	}
	f := c.peek()
	switch {
	case f.Kind == AskPath:
		if c.last(turn, AskPath) {
			c.need(r.Ways(s, turn) != 0, "no way is open at %s", nodeNames[node])
		}
	case draws(f):
		if c.last(turn, f.Kind) {
			c.need(f.Arg[1] == node && coloured && s.Tiles[node] == noTile, "a landmark is drawn for the captain's location, where none lies")
			c.need(int(f.Arg[2]) == turn, "the active seat is the one that draws")
			c.drawing(f)
		}
	case c.ruin(s.Tiles[node]):
	default:
		c.effect(s.Tiles[node], turn)
	}
}

// duelling checks a duel: the die of the captain who moved, above that of his
// rival, or the rival's alone.
func (c *checking) duelling() {
	r, s := c.r, c.s
	seat := int(s.Turn)
	rival := -1
	if len(c.frames)-c.at > 1 {
		rival = int(c.peek().Seat)
		if !c.expect(frame(RollDuel, rival, seat, 0)) {
			return
		}
	} else {
		seat = int(c.peek().Seat)
	}
	if !c.last(seat, RollDuel, AskDuelReroll, AskStealTotem) {
		return
	}
	f := c.peek()
	against, again := int(f.Arg[0]), false
	switch f.Kind {
	case RollDuel:
		again = f.Arg[1] != 0
	case AskDuelReroll:
		against, again = int(f.Arg[1]), true
	case AskStealTotem:
		c.need(against < r.seats && sum(&s.Ships[against].Totems) > 0, "%s has no totem", shipTitle(int8(against)))
	}
	if rival < 0 {
		rival = int(s.Turn)
	}
	c.need(against == rival && against != seat && seat < r.seats && r.rivals(s, seat)>>against&1 != 0, "duels are of the captain whose turn it is with one who is where he is, and he rolls first")
	c.need(!again || r.at(s, &s.Ships[seat], RiverMerfolk), "the ship does not lie at the River Merfolk")
}

// ruin checks what is left of a Tribal Ruin; it reports whether the frame looked at
// is of one.
func (c *checking) ruin(tile int8) bool {
	r, s := c.r, c.s
	turn := int(s.Turn)
	own, f := &s.Ships[turn], c.peek()
	before := !s.Dug || r.Edition.RuinsOneSided
	green := tile != noTile && r.LandmarkColour[tile] == ColourGreen
	name := position.NameOf(landmarkNames[:], tile)
	switch f.Kind {
	case DoRelic, DrawRelic, AskPlaceTotem, AskPlaceShell:
		waiting := 0
		for ; c.peek() == frame(DoRelic, turn, 1); c.at++ {
			waiting++
		}
		if !c.last(turn, DrawRelic, AskPlaceTotem, AskPlaceShell) {
			return true
		}
		c.need(green && before, "that is no part of what %s does now", name)
		if f = c.peek(); f.Kind == DrawRelic {
			c.need(r.InCrater(s) > 0, "the crater is empty")
		}
		if gains := f.Kind == DrawRelic && f.Arg[0] == 0; gains {
			c.need(green && waiting == placedBy(int(tile)), "%s has %d relics placed after one is gained", name, placedBy(int(tile)))
		} else {
			c.need(green && waiting < placedBy(int(tile)), "%s has %d relics placed", name, placedBy(int(tile)))
		}
	case AskBeach:
		c.last(turn, f.Kind)
		c.need(!before && (tile == BurialGrounds || tile == CarvedObelisk), "that is no part of what %s does now", name)
	case AskRelicSwap, AskRelicOwn, AskRelicTheirs:
		c.last(turn, f.Kind)
		c.need(!before && f.Arg[0] == tile && (tile == DecayingTemple || tile == MoonlitLake), "that is no part of what %s does now", name)
		swappers := r.swappers(s, turn, int(tile))
		if f.Kind == AskRelicSwap {
			c.need(swappers != 0, "there is nothing to swap")
			return true
		}
		c.need(swappers>>f.Arg[1]&1 != 0, "nothing can be swapped with %s", shipTitle(f.Arg[1]))
		c.need(f.Kind == AskRelicOwn || own.relics(int(tile))[f.Arg[2]] > 0, "the ship has no %s to give", symbolNames[f.Arg[2]])
	default:
		return false
	}
	return true
}
