package doubloons

import (
	"slices"

	"github.com/privateer-rl/privateer/engine/position"
)

// What is left of a turn, on the decision stack.

// turnStack is what is left of the action phase.
func (c *checking) turnStack() {
	r, s := c.r, c.s
	turn, slot := int(s.Turn), int(s.Slot)
	if s.Ships[turn].Table[slot] == noCard {
		c.Wrong("turn", "seat %d has no card in slot %d to execute", turn, slot+1)
		return
	}
	if !c.expectRest(slot+1) || !c.expect(r.turnFrames(s)...) {
		return
	}
	switch f := c.peek(); f.Kind {
	case AskCompass:
		c.compassAsked()
		return
	case AskAction:
		c.beforeAction(f)
		return
	}
	card := &r.Cards[s.Ships[turn].Table[slot]]
	if c.attackOrBoard(card) || c.seizing(card) {
		return
	}
	c.need(card.Icons&IconHunt.Bit() != 0, "%s has no hunt to lead there", card.ID)
	if f := c.peek(); f.Kind == DrawMap || f.Kind == AskHunt {
		if !c.last(turn, f.Kind) {
			return
		}
		if f.Kind == AskHunt {
			c.need(!r.Modules.Has(AlternateIsland), "no fragment is named on the alternate island")
			c.need(!s.Dug, "there is no Advance after the dig")
			c.need(sum(&s.Ships[turn].Fragments) > 0, "the ship has no map fragment")
			return
		}
		left := s.MapFragments
		for _, n := range s.MapSpecials {
			left += n
		}
		c.need(left > 0, "the map stack is empty")
		return
	}
	switch {
	case r.Modules.Has(AlternateIsland):
		c.exploring()
	case s.Dug:
		c.exploiting()
	default:
		c.advancing()
	}
}

// turnFrames are the frames between the rest of the round and what is left of
// the turn itself.
func (r *Rules) turnFrames(s *State) []Frame {
	turn := int(s.Turn)
	after := (turn-int(s.Initiative)+r.seats)%r.seats + 1
	return []Frame{frame(DoInOrder, 0, int(DoTurn), after, int(s.Slot)), frame(DoTurnEnd, turn)}
}

// beforeAction: the action is still to be chosen, perhaps after some movement.
func (c *checking) beforeAction(f Frame) {
	s := c.s
	turn := int(s.Turn)
	c.need(f == frame(AskAction, turn, int(s.Slot)), "it is seat %d's turn, in slot %d", turn, s.Slot+1)
	if c.at++; c.at < len(c.frames) {
		c.moving(movement(turn, &c.r.Cards[s.Ships[turn].Table[s.Slot]]))
	}
}

// moving checks what is left of a movement: a question, or black jewels that roll
// after a Sail.
func (c *checking) moving(granted Frame) {
	if f := c.peek(); f.Kind != DoMove {
		if c.last(int(granted.Seat), AskMove) {
			c.need(iconsLeft(f) > 0, "there is no movement left")
			c.movesWithin(granted)
		}
		return
	}
	f := c.peek()
	c.need(f.Seat == granted.Seat, "it is seat %d's ship that moves", granted.Seat)
	c.need(f.Arg[0]+f.Arg[1] < granted.Arg[0]+granted.Arg[1], "no Sail of the movement has been made")
	c.movesWithin(granted)
	c.at++
	c.jewelRolls(int(granted.Seat))
}

// iconsLeft is how many movement icons a frame has left.
func iconsLeft(f Frame) int8 { return f.Arg[0] + f.Arg[1] + f.Arg[2] + f.Arg[3] }

// movesWithin checks that what a movement leaves is part of the movement granted.
func (c *checking) movesWithin(granted Frame) {
	f := c.peek()
	turns := f.Arg[2] + f.Arg[3]
	for k, n := range f.Arg {
		c.need(n <= granted.Arg[k], "there is more movement left than was granted")
	}
	c.need(turns == 0 || c.r.MayComeAbout(&c.s.Ships[f.Seat]), "a ship that may not Come About has no turns left")
}

// attackOrBoard checks what follows an attack or a Board action; it reports
// whether that is what is left of the turn.
func (c *checking) attackOrBoard(card *Card) bool {
	r, s := c.r, c.s
	turn, slot := int(s.Turn), int(s.Slot)
	own := &s.Ships[turn]
	f := c.peek()
	if top := c.at == len(c.frames)-1; f.Kind == RollDie && (!top || own.Ghost && !r.couldHit(s, turn, card, int(f.Arg[0]))) {
		if c.ghostsDie(card); top {
			return true
		}
		c.at++
		f = c.peek()
	}
	switch f.Kind {
	case AskHighWater:
		if c.last(turn, f.Kind) {
			c.need(card.Icons&IconForward.Bit() != 0, "%s has no forward", card.ID)
			c.need(r.at(s, own, HighWater), "the ship does not lie at High Water")
		}
	case RollDie, AskReroll:
		if !c.last(turn, f.Kind) {
			return true
		}
		hit, again := int(f.Arg[0]), f.Arg[1] != 0
		if f.Kind == AskReroll {
			hit, again = int(f.Arg[1]), true
		}
		c.need(!again || r.at(s, own, RiverMerfolk), "the ship does not lie at the River Merfolk")
		c.need(r.couldHit(s, turn, card, hit), "%s cannot have hit these ships: all of them are enemies in one region that it reaches", card.ID)
	case AskBoard:
		if c.last(turn, f.Kind) {
			c.need(int(f.Arg[0]) == slot, "it is slot %d", slot+1)
			c.need(card.Loot != LootNone, "%s has no board", card.ID)
			c.need(r.Boardable(s, turn, slot) != 0, "there is no ship that %s can board", card.ID)
		}
	case DoReaction:
		c.need(int(f.Seat) == turn && s.Ships[f.Arg[0]].Captain == Valparisa && int(f.Arg[0]) != turn, "want Valparisa boarded by seat %d", turn)
		c.at++
		if c.last(turn, AskStealFragment, AskStealJewel) {
			c.need(c.peek().Arg[0] == f.Arg[0], "it was %s that was boarded", shipTitle(f.Arg[0]))
			c.stealing(card)
		}
	case AskStealFragment, AskStealJewel:
		if c.last(turn, f.Kind) {
			c.stealing(card)
		}
	default:
		return false
	}
	return true
}

func (c *checking) stealing(card *Card) {
	s, f := c.s, c.peek()
	enemy := &s.Ships[f.Arg[0]]
	loot, there := LootFragment, sum(&enemy.Fragments)
	if f.Kind == AskStealJewel {
		loot, there = LootJewel, sum(&enemy.Jewels)
	}
	c.need(card.Loot == loot, "%s does not steal that", card.ID)
	c.need(there > 0, "%s has none", shipTitle(f.Arg[0]))
	c.need(enemy.Orbs == 0, "seat %d gives its Protection Orb instead", f.Arg[0])
	c.need(c.r.Boardable(s, int(s.Turn), int(s.Slot))>>f.Arg[0]&1 != 0, "%s cannot board %s", card.ID, shipTitle(f.Arg[0]))
}

// couldHit reports whether an attack by a seat's card may have damaged a set of
// ships: they still are where they were hit.
func (r *Rules) couldHit(s *State, seat int, card *Card, hit int) bool {
	own := &s.Ships[seat]
	region := -1
	for i := range r.seats {
		if hit>>i&1 == 0 {
			continue
		}
		at := int(s.Ships[i].Region)
		if i == seat || region >= 0 && at != region {
			return false
		}
		region = at
	}
	return card.Icons&IconBroadsides.Bit() != 0 && region == int(own.Region) ||
		card.Icons&IconForward.Bit() != 0 && (region == r.Ahead(own, 1) || r.at(s, own, HighWater) && region == r.Ahead(own, 2))
}

// advancing: captains walk the island, the hunter's and then those of his followers.
func (c *checking) advancing() {
	r, s := c.r, c.s
	from := int(s.Turn)
	away := func(seat int8) int { return (int(seat) - from + r.seats) % r.seats }
	next := r.seats // how far the next follower is from the hunter
	for ; c.peek().Kind == DoAdvance && c.at < len(c.frames)-1; c.at++ {
		d := away(c.peek().Seat)
		c.need(d > 0 && d < next, "captains follow clockwise from seat %d: the last to move lies lowest", from)
		next = d
	}
	f := c.peek()
	walker := f.Seat // whose captain has come to a landmark
	switch f.Kind {
	case AskHut, AskMystic:
		walker = f.Arg[0]
	case AskGiver:
		walker = f.Arg[1]
	case AskReceiver:
		walker = f.Arg[2]
	case DoHutDamage:
		walker = c.walkerAt(from, next, VoodooHut)
		if move := c.frames[min(c.at+1, len(c.frames)-1)]; move.Kind == AskHutMove && !r.Edition.TurnPicksTargets {
			walker = move.Seat
		}
	case AskGiveLegendary:
		walker = f.Seat
	case AskGive:
		// The giver may be anybody; the walker is one at a tile that moves fragments.
		walker = c.walkerAt(from, next, WhisperingPortal, ShriekingPortal)
	}
	c.need(away(walker) < next, "seat %d is not on the move yet", walker)
	if f.Kind == AskPath {
		if c.last(int(walker), AskPath) {
			c.need(len(r.paths(s.Ships[walker].Node)) > 1, "no path forks at %s", nodeNames[s.Ships[walker].Node])
		}
		return
	}
	if draws(f) {
		if c.last(int(walker), f.Kind) {
			node := f.Arg[1]
			c.need(node >= 0 && node == s.Ships[walker].Node, "before the dig a landmark is drawn for the captain's location")
			if node >= 0 {
				c.need(s.Tiles[node] == noTile && r.has(int(node)) && r.Colour[node] != ColourNone, "no landmark is drawn for %s", nodeNames[node])
			}
			c.need(int(f.Arg[2]) == r.picker(s, int(walker)), "before the dig the active seat is the one that draws")
			c.drawing(f)
		}
		return
	}
	c.effect(s.Tiles[s.Ships[walker].Node], int(walker))
}

// walkerAt is the last of the captains on the move whose landmark is one of these.
func (c *checking) walkerAt(from, next int, tiles ...int8) int8 {
	walker := int8(from)
	for i := range next {
		seat := (from + i) % c.r.seats
		if slices.Contains(tiles, c.s.Tiles[c.s.Ships[seat].Node]) {
			walker = int8(seat)
		}
	}
	return walker
}

// exploiting: a landmark is drawn and somebody resolves it; tiles on their way
// back to their stacks lie below.
func (c *checking) exploiting() {
	s := c.s
	met, depth := int8(noTile), 0
	for ; c.peek().Kind == DoBottom && c.at < len(c.frames)-1; c.at++ {
		c.need(depth == 0 || depth == 1 && met == GildedTablet, "one tile is exploited at a time, two with the Gilded Tablet")
		met = c.peek().Arg[0]
		depth++
	}
	f := c.peek()
	seat := int(f.Seat)
	switch {
	case f.Kind == AskStack || f.Kind == AskExploit || draws(f) && f.Arg[1] == exploited:
		c.need(met == noTile && f.Seat == s.Turn || met == GildedTablet, "seat %d does not exploit now", seat)
		if c.last(seat, f.Kind) && f.Kind == AskStack {
			tiles := 0
			for colour := range NumColours {
				tiles += s.stackSize(colour)
			}
			c.need(tiles > 0, "all stacks are empty")
		}
	case draws(f):
		c.need(f.Arg[1] == substitute, "after the dig no landmark lies on the island")
		c.last(seat, f.Kind)
	default:
		c.effect(met, -1)
		return
	}
	if draws(f) && len(c.List) == 0 {
		c.drawing(f)
	}
}

// drawing checks what a draw of landmarks needs of the stack.
func (c *checking) drawing(f Frame) {
	r, s := c.r, c.s
	left := s.stackSize(int(f.Arg[0]))
	pair := f.Kind != DrawLandmark || f.Arg[4] != 0
	c.need(!pair || r.able(s, &s.Ships[f.Seat], Pollyanna), "only Pollyanna's crew draws two")
	for _, t := range tilesOf(f) {
		c.need(int8(r.LandmarkColour[t]) == f.Arg[0], "%s is no %s tile", landmarkNames[t], colourNames[f.Arg[0]])
	}
	switch {
	case f.Kind == AskKeep:
	case f.Kind == AskDrawTwo || pair && f.Arg[3] == noTile:
		c.need(left >= 2, "the stack has %d tiles", left)
	default:
		c.need(left >= 1, "the stack is empty")
		c.need(pair || f.Arg[3] == noTile, "one tile is drawn, so there is no first one")
	}
}

// hutMoves checks what is left of the movement by which the Voodoo Hut forces a ship.
func (c *checking) hutMoves(f Frame) {
	sh := &c.s.Ships[f.Arg[0]]
	sail, turn, moved := int(f.Arg[1]), int(f.Arg[2]), f.Arg[3] != 0
	c.need(sail+turn > 0, "there is no movement left")
	c.need(sail <= count(c.r.MaySail(sh)) && turn <= count(c.r.hutTurns(sh)), "the ship can never move like that")
	if moved {
		c.need(sail+turn == 1, "the ship has made one of the two moves")
	} else {
		c.need(sail == count(c.r.MaySail(sh)) && turn == count(c.r.hutTurns(sh)), "the ship has made none of its moves")
	}
}

// effect checks what is left of the effect of a landmark, for the seat that
// resolves it, or for anyone where that is −1.
func (c *checking) effect(tile int8, seat int) {
	r, s := c.r, c.s
	f := c.peek()
	whose := func(x int8) bool { return seat < 0 || int(x) == seat }
	picks := func(x int8) bool { return seat < 0 || int(x) == r.picker(s, seat) }
	name := position.NameOf(landmarkNames[:], tile)
	fits := func(ok bool) { c.need(ok, "that is no part of what %s does", name) }
	switch f.Kind {
	case DoHull:
		fits(tile == StarAxis && f.Arg[0] == 1 && whose(f.Seat))
		c.at++
		c.moving(frame(AskMove, int(f.Seat), 0, 1, 0, 1))
	case AskHut:
		c.last(int(f.Seat), AskHut)
		fits(tile == VoodooHut && picks(f.Seat) && whose(f.Arg[0]) && (f.Seat == f.Arg[0] || r.Edition.TurnPicksTargets))
	case DoHutDamage:
		c.at++
		move := c.peek()
		if move.Kind == AskHutMove && c.at < len(c.frames)-1 {
			c.need(move.Arg[1] == 0 && move.Arg[3] != 0, "the ship has not sailed")
			c.at++
		}
		if c.peek().Kind == RollJewel || c.peek().Kind == AskBlackJewel {
			fits(tile == VoodooHut)
			c.jewelRolls(int(f.Seat))
			return
		}
		if c.last(int(move.Seat), AskHutMove) {
			fits(tile == VoodooHut && picks(move.Seat) && (f.Seat != move.Seat || r.Edition.TurnPicksTargets))
			c.need(move.Arg[0] == f.Seat, "it is the ship of %s that is moved", shipTitle(f.Seat))
			c.hutMoves(move)
		}
	case AskMystic:
		c.last(int(f.Seat), AskMystic)
		fits(tile == OldMystic && whose(f.Seat) && whose(f.Arg[0]))
		c.need(r.mystics(s, int(f.Arg[0])) != 0, "nobody else has a compass")
	case AskPay:
		c.last(int(f.Seat), AskPay)
		fits(f.Arg[0] == tile && (tile == JeweledMaze || tile == JeweledThrone || tile == LegendaryTomb) && whose(f.Seat))
		c.need(r.canBuy(s, &s.Ships[f.Seat], int(f.Arg[0])), "the ship cannot pay, or nothing is to be had")
	case DoJewels:
		fits((tile == JeweledMaze || tile == JeweledThrone) && f.Arg[0] == 0 && whose(f.Seat))
		c.at++
		if c.last(int(f.Seat), DrawJewel) {
			c.need(sum(&s.Jewels) > 0, "no jewels are left")
		}
	case AskGiver:
		c.last(int(f.Seat), AskGiver)
		fits(f.Arg[0] == tile && (tile == WhisperingPortal || tile == WhisperingRavine) && picks(f.Seat) && whose(f.Arg[1]))
		c.need(r.givers(s, int(f.Arg[0]), int(f.Arg[1])) != 0, "no enemy has any")
	case AskReceiver:
		c.last(int(f.Seat), AskReceiver)
		giver, resolver := f.Arg[1], f.Arg[2]
		switch tile {
		case WhisperingPortal, WhisperingRavine:
			fits(f.Arg[0] == tile && whose(resolver) && (f.Seat == giver || (giver == Legendary || r.Edition.TurnPicksTargets) && picks(f.Seat)))
			c.need(r.givers(s, int(tile), int(resolver))>>giver&1 != 0, "%s is no enemy with most", shipTitle(giver))
		case ShriekingArch, ShriekingPortal, ShriekingRavine:
			fits(f.Arg[0] == tile && whose(resolver) && picks(f.Seat) && giver == resolver)
			c.need(s.Ships[giver].holds(int(tile)) > 0, "seat %d has nothing to give", giver)
		default:
			fits(false)
		}
	case AskGive:
		c.last(int(f.Seat), AskGive)
		fits(tile == WhisperingPortal || tile == ShriekingPortal)
		c.need(f.Arg[0] != f.Seat, "nobody gives to himself")
		c.need(sum(&s.Ships[f.Seat].Fragments) > 0, "the ship has no fragment")
	case AskGiveLegendary:
		c.last(int(f.Seat), AskGiveLegendary)
		fits(tile == WhisperingPortal && whose(f.Seat))
		c.need(f.Arg[0] != Legendary, "nobody gives to himself")
		c.need(sum(&s.Ships[Legendary].Fragments) > 0, "the ship has no fragment")
	default:
		c.misplaced("that is no part of a turn")
	}
}
