package doubloons

import (
	"math/bits"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// Conditions of a frame of the decision stack beyond its place there.

// effects are the landmarks of whose effects frames are part.
var effects = map[Kind][]int8{
	AskHut: {VoodooHut}, DoHutDamage: {VoodooHut}, AskHutMove: {VoodooHut},
	AskMystic: {OldMystic}, DoHull: {StarAxis},
	AskPay: {JeweledMaze, JeweledThrone, LegendaryTomb}, DoJewels: {JeweledMaze, JeweledThrone},
	AskGiver:    {WhisperingPortal, WhisperingRavine},
	AskReceiver: {WhisperingPortal, WhisperingRavine, ShriekingArch, ShriekingPortal, ShriekingRavine},
	AskGive:     {WhisperingPortal, ShriekingPortal}, AskGiveLegendary: {WhisperingPortal},
	DoRelic: ruins, DrawRelic: ruins, AskPlaceTotem: ruins, AskPlaceShell: ruins,
	AskBeach:     {BurialGrounds, CarvedObelisk},
	AskRelicSwap: {DecayingTemple, MoonlitLake}, AskRelicOwn: {DecayingTemple, MoonlitLake}, AskRelicTheirs: {DecayingTemple, MoonlitLake},
}

var ruins = []int8{BurialGrounds, CarvedObelisk, CelestialAltar, DecayingTemple, MoonlitLake, SunkenLoom}

// fits checks what a frame above those of the phase needs, beyond what its row says of where it stands and
// what answerable finds.
func (c *checking) fits(i int) {
	r, s := c.r, c.s
	f, below := s.Frames[i], s.Frames[i-1]
	own, top := &s.Ships[f.Seat], i == int(s.Depth)-1
	need := func(holds bool, format string, args ...any) { c.need(i, holds, format, args...) }
	var card *Card
	if s.Phase == PhaseAction && s.Turn != Legendary {
		card = &r.Cards[s.Ships[s.Turn].Table[s.Slot]]
	}
	if below.Kind == DoTurnEnd {
		c.led(i, card)
	}
	switch {
	case effects[f.Kind] == nil || f.Kind == DoJewels && s.Phase != PhaseAction:
	case s.Phase == PhaseAction:
		c.resolving(i)
	default:
		need(false, "no landmark is resolved now")
	}
	if len(c.List) > 0 {
		return
	}
	switch f.Kind {
	case DoInOrder, DoReveal, DoTurnEnd, DoMists, DrawWater, RollInitiative, AskPlaceLegendary:
		need(false, "it comes earlier in the phase: leave stack out to have it laid")
	case DealFragment:
		need(below.Kind == DoInOrder, "nobody is dealt fragments now")
	case AskSextant, AskSextantOwn, AskSextantTheirs:
		need(r.at(s, own, StoneSextant), "the ship does not lie at the Stone Sextant")
		need(sum(&own.Fragments) > 0, "the ship has no fragment to give")
		if f.Kind != AskSextant {
			need(f.Arg[0] != f.Seat && sum(&s.Ships[f.Arg[0]].Fragments) > 0, "%s is no enemy with a fragment", shipTitle(f.Arg[0]))
			need(f.Kind == AskSextantOwn || own.Fragments[f.Arg[1]] > 0, "the ship has no %s to give", symbolNames[f.Arg[1]])
		}
	case DoDrawUp:
		need(bits.OnesCount64(own.Hand) < r.handSize(s, int(f.Seat)), "the hand is full")
	case AskProgram:
		need(int(f.Arg[0]) == own.rowWhenProgrammed()-1-(i-c.above) && (!top || int(f.Arg[0]) == own.row()), "slots are programmed from the first on, each of those that are left")

	case AskAction, AskBoard, AskCompass:
		need(f.Arg[0] == s.Slot, "it is slot %d", s.Slot+1)
		need(f.Kind != AskCompass || r.mayCompass(s, int(f.Seat), int(s.Slot)), "the ship has no compass, too much crew, or no card to take")
	case AskMove, DoMove:
		granted := frame(DoMove, int(f.Seat), 0, 1, 0, 1) // by the Star Axis
		if below.Kind == AskAction {
			granted = movement(int(f.Seat), card)
		}
		for k, n := range f.Arg {
			need(n <= granted.Arg[k], "there is more movement left than was granted")
		}
		need(f.Arg[2]+f.Arg[3] == 0 || r.MayComeAbout(own), "a ship that may not Come About has no turns left")
		need(f.Kind == AskMove || f.Arg[0]+f.Arg[1] < granted.Arg[0]+granted.Arg[1], "no Sail of the movement has been made")
	case RollJewel, AskBlackJewel:
		c.jewelRolls(i)

	case AskHighWater:
		need(r.at(s, own, HighWater), "the ship does not lie at High Water")
	case RollDie:
		switch {
		case f.Seat == Legendary:
			need(top && f.Arg[1] == 0, "it does not roll again, and attacks only")
			c.legendaryHit(i)
		case !top || own.Ghost && !c.couldHit(card, f.Arg[0]):
			c.ghostsDie(i, card)
		default:
			c.rolls(i, f.Arg[1] != 0)
			c.hits(i, card, f.Arg[0])
		}
	case AskReroll:
		c.rolls(i, true)
		c.hits(i, card, f.Arg[1])
	case DoReaction:
		need(s.Ships[f.Arg[0]].Captain == Valparisa && f.Arg[0] != f.Seat, "want Valparisa boarded by %s", shipTitle(f.Seat))
	case AskStealFragment, AskStealJewel:
		need(below.Kind != DoReaction || below.Arg[0] == f.Arg[0], "it was %s that was boarded", shipTitle(below.Arg[0]))
		need(card.Loot == LootFragment && f.Kind == AskStealFragment || card.Loot == LootJewel && f.Kind == AskStealJewel, "%s does not steal that", card.ID)
		need(s.Ships[f.Arg[0]].Orbs == 0, "%s gives its Protection Orb instead", shipTitle(f.Arg[0]))
		need(r.Boardable(s, int(f.Seat), int(s.Slot))>>f.Arg[0]&1 != 0, "%s cannot board %s", card.ID, shipTitle(f.Arg[0]))
	case AskStealShell:
		if !r.Edition.GhostsRollOnBoard || !own.Ghost || card.Loot == LootNone { // who Boards may roll too
			c.hits(i, card, f.Arg[0])
		}
		c.haveShells(i)
	case LoseShell:
		c.legendaryHit(i)
		c.haveShells(i)
	case DoLegendaryTurn:
		want := int8(legendaryForward)
		if s.Frames[i+1].Kind == RollJewel { // it has just sailed
			want = legendaryBroadsides
		}
		need(s.Turn == Legendary && f.Arg[0] == want, "want part %d of the legendary ghost ship's turn", want)

	case DoAdvance:
		need(!s.Dug && c.away(f.Seat) > 0 && c.away(f.Seat) < c.moved(i), "captains follow clockwise from seat %d, before the dig: the last to move lies lowest", s.Turn)
	case AskPath:
		c.walks(i, f.Seat)
		need(r.Modules.Has(AlternateIsland) || len(r.paths(own.Node)) > 1, "no path forks at %s", nodeNames[own.Node])
	case DoBottom:
		need(s.Dug && (below.Kind == DoTurnEnd || below.Arg[0] == GildedTablet && s.Frames[i-2].Kind == DoTurnEnd), "one tile is exploited at a time, after the dig, two with the Gilded Tablet")
	case AskStack, AskExploit:
		c.exploits(i)
	case AskDrawTwo, AskKeep, DrawLandmark:
		c.drawing(i)

	case DoHull:
		need(f.Arg[0] == 1, "the Star Axis repairs 1")
	case AskHut:
		need(f.Seat == f.Arg[0] || r.Edition.TurnPicksTargets, "who resolves it chooses")
	case AskHutMove:
		need(f.Seat != below.Seat || r.Edition.TurnPicksTargets, "it is turned on an enemy")
		need(f.Arg[0] == below.Seat, "it is the ship of %s that is moved", shipTitle(below.Seat))
		c.hutMoves(i, top)
	case AskPay:
		need(r.canBuy(s, own, int(f.Arg[0])), "the ship cannot pay, or nothing is to be had")
	case DoJewels:
		c.jewels(i)
	case AskReceiver:
		giver, resolver := f.Arg[1], f.Arg[2]
		if f.Arg[0] == WhisperingPortal || f.Arg[0] == WhisperingRavine {
			need(f.Seat == giver || giver == Legendary || r.Edition.TurnPicksTargets, "the giver chooses")
			need(r.givers(s, int(f.Arg[0]), int(resolver))>>giver&1 != 0, "%s is no enemy with most", shipTitle(giver))
		} else {
			need(giver == resolver && s.Ships[giver].holds(int(f.Arg[0])) > 0, "%s has nothing to give", shipTitle(giver))
		}
	case AskGive:
		need(f.Arg[0] != f.Seat, "nobody gives to themselves")
	case AskGiveLegendary:
		need(f.Arg[0] != Legendary, "nobody gives to themselves")

	case DoLandmark, DoDuel, AskDuel:
		c.meets(i)
	case AskTotem:
		need(own.Node <= NodeB5, "no totem lies at %s", nodeNames[own.Node])
	case RollDuel, AskDuelReroll, AskStealTotem:
		c.meets(i)
		c.duels(i, top)
	case DoRelic, DrawRelic, AskPlaceTotem, AskPlaceShell:
		c.relicsWait(i, top)
	case AskBeach, AskRelicSwap:
		need(s.Dug && !r.Edition.RuinsOneSided, "that comes after the dig")
	case AskRelicOwn, AskRelicTheirs:
		need(s.Dug && !r.Edition.RuinsOneSided, "that comes after the dig")
		need(r.swappers(s, int(f.Seat), int(f.Arg[0]))>>f.Arg[1]&1 != 0, "nothing can be swapped with %s", shipTitle(f.Arg[1]))
		need(f.Kind == AskRelicOwn || own.relics(int(f.Arg[0]))[f.Arg[2]] > 0, "the ship has no %s to give", symbolNames[f.Arg[2]])
	}
}

// led checks that the card leads to what is left of the turn.
func (c *checking) led(i int, card *Card) {
	icon := IconHunt
	switch c.s.Frames[i].Kind {
	case AskAction, AskCompass, RollDie, AskReroll, DoReaction, AskStealFragment, AskStealJewel, AskStealShell:
		return // fits checks it further
	case AskBoard:
		c.need(i, card.Loot != LootNone, "%s has no board", card.ID)
		return
	case AskHighWater:
		icon = IconForward
	case AskShell:
		icon = IconPillage
	}
	c.need(i, card.Icons&icon.Bit() != 0, "%s has no %s to lead there", card.ID, icon)
	if c.s.Frames[i].Kind == AskHunt {
		c.need(i, !c.s.Dug, "there is no Advance after the dig")
	}
}

// rolls checks a die of a seat that may roll again at the River Merfolk only.
func (c *checking) rolls(i int, again bool) {
	c.need(i, !again || c.r.at(c.s, &c.s.Ships[c.s.Frames[i].Seat], RiverMerfolk), "the ship does not lie at the River Merfolk")
}

// hits checks that an attack by the card may have damaged a set of ships.
func (c *checking) hits(i int, card *Card, hit int8) {
	c.need(i, c.couldHit(card, hit), "%s cannot have hit these ships: all of them are enemies in one region that it reaches", card.ID)
}

// couldHit reports whether an attack by the card may have damaged a set of ships: they still are
// where they were hit.
func (c *checking) couldHit(card *Card, hit int8) bool {
	r, s := c.r, c.s
	own := &s.Ships[s.Turn]
	region := -1
	for i := range r.seats {
		if hit>>i&1 == 0 {
			continue
		}
		at := int(s.Ships[i].Region)
		if i == int(s.Turn) || region >= 0 && at != region {
			return false
		}
		region = at
	}
	return card.Icons&IconBroadsides.Bit() != 0 && region == int(own.Region) ||
		card.Icons&IconForward.Bit() != 0 && (region == r.Ahead(own, 1) || r.at(s, own, HighWater) && region == r.Ahead(own, 2))
}

// legendaryHit checks the ships that the legendary ghost ship has hit: in its own region first, then in
// the one ahead.
func (c *checking) legendaryHit(i int) {
	s, f := c.s, c.s.Frames[i]
	sh := &s.Ships[Legendary]
	region := c.r.Ahead(sh, 1)
	if s.Frames[i-1].Kind == DoLegendaryTurn {
		region = int(sh.Region)
	}
	for seat := range c.r.seats {
		c.need(i, f.Arg[0]>>seat&1 == 0 || int(s.Ships[seat].Region) == region, "it cannot have hit seat %d", seat)
	}
}

// ghostsDie checks that a die is the one that a ghost ship rolls against the ship it boards.
func (c *checking) ghostsDie(i int, card *Card) {
	f := c.s.Frames[i]
	one := f.Arg[0]&(f.Arg[0]-1) == 0 && f.Arg[0]>>f.Seat&1 == 0
	c.need(i, c.r.Edition.GhostsRollOnBoard && c.s.Ships[f.Seat].Ghost && card.Loot != LootNone && one && f.Arg[1] == 0,
		"only a ghost ship that Boards rolls the die for that, against one enemy")
}

// haveShells checks the ships from which shells are stolen.
func (c *checking) haveShells(i int) {
	f := c.s.Frames[i]
	for seat := range c.r.seats {
		c.need(i, f.Arg[0]>>seat&1 == 0 || int8(seat) != f.Seat && sum(&c.s.Ships[seat].Shells) > 0, "seat %d is no enemy with a shell", seat)
	}
}

// jewelRolls checks the die of a black jewel, or its outcome, for a ship that has just sailed: there is
// one for each time that it rolls.
func (c *checking) jewelRolls(i int) {
	r, s, f := c.r, c.s, c.s.Frames[i]
	jewels := int(s.Ships[f.Seat].Jewels[BlackJewel])
	most := min(jewels, 1)
	if r.Edition.EachJewelRolls {
		most = jewels
	}
	before := 0
	for s.Frames[i-1-before].Kind == RollJewel {
		before++
	}
	c.need(i, before < most, "%s has %d black jewels", shipTitle(f.Seat), jewels)
	c.need(i, r.beside(s, int(f.Seat)) != 0, "no other ship lies where %s has come", shipTitle(f.Seat))
}

// jewels checks a draw of jewels: by a landmark, as the legendary ghost ship is equipped, or at the dig.
func (c *checking) jewels(i int) {
	r, s := c.r, c.s
	f, below := s.Frames[i], s.Frames[i-1]
	seat, most := int(f.Seat), 0
	switch s.Phase {
	case PhaseSetup:
		c.need(i, seat == Legendary, "want the legendary ghost ship's")
		most = legendaryJewels - 1
	case PhaseRoundEnd:
		if most = r.jewelsWon(s, seat); !r.Edition.JewelsLikePillage {
			c.need(i, seat == c.who, "want those of seat %d", c.who)
			most--
		}
		fallthrough
	default:
		c.need(i, seat != Legendary, "it has no captain on the island")
	}
	shared := s.Phase == PhaseRoundEnd && r.Edition.JewelsLikePillage && r.TurnOf(s, seat) < r.TurnOf(s, int(below.Seat))
	c.need(i, below.Kind != DoJewels || shared, "seats draw in initiative order: the last lies lowest")
	c.need(i, int(f.Arg[0]) <= most, "at most %d are left to draw then", most)
}

// away is how far clockwise a seat is from the one whose turn it is.
func (c *checking) away(seat int8) int {
	return (int(seat) - int(c.s.Turn) + c.r.seats) % c.r.seats
}

// root is the frame beneath all that an Advance or an exploited tile has led to.
func (c *checking) root(i int) Frame {
	for i--; c.s.Frames[i].Kind != DoTurnEnd && c.s.Frames[i].Kind != DoAdvance && c.s.Frames[i].Kind != DoBottom; i-- {
	}
	return c.s.Frames[i]
}

// moved is how far from the hunter the next captain to Advance is: those before have moved.
func (c *checking) moved(i int) int {
	switch f := c.root(i); {
	case f.Kind == DoAdvance:
		return c.away(f.Seat)
	case c.r.stays:
		return 1 // nobody follows
	}
	return c.r.seats
}

// walks checks that a seat's captain may be on the move on the island.
func (c *checking) walks(i int, seat int8) {
	c.need(i, c.r.ashore(c.s), "after the dig no captain is on the island")
	c.need(i, c.away(seat) < c.moved(i), "seat %d is not on the move", seat)
}

// resolving checks that a frame is part of the effect of a landmark that is resolved now, and asks who may
// choose then.
func (c *checking) resolving(i int) {
	r, s, f := c.r, c.s, c.s.Frames[i]
	resolver, tiles := f.Seat, effects[f.Kind]
	for _, a := range r.forms.Form(f.Kind).Args {
		switch a.Name {
		case "resolver":
			resolver = f.Arg[a.At]
		case "tile":
			if slices.Contains(tiles, f.Arg[a.At]) {
				tiles = f.Arg[a.At : a.At+1]
			} else {
				tiles = nil
			}
		}
	}
	picks := f.Kind == AskHut || f.Kind == AskGiver || f.Kind == AskHutMove || f.Kind == AskMystic || f.Kind == AskReceiver && (resolver == f.Arg[1] || f.Seat != f.Arg[1])
	unknown := f.Kind == AskGive || f.Kind == DoHutDamage || f.Kind == AskHutMove && r.Edition.TurnPicksTargets
	tile := int8(noTile)
	switch {
	case !r.ashore(s):
		if met := c.root(i); met.Kind == DoBottom {
			tile = met.Arg[0]
		}
		picks = false // the seat that exploits names who resolves
	case unknown:
		for k := range c.moved(i) {
			seat := (int(s.Turn) + k) % r.seats
			if t := s.Tiles[s.Ships[seat].Node]; k == 0 || slices.Contains(tiles, t) {
				tile = t
			}
		}
	default:
		c.walks(i, resolver)
		tile = s.Tiles[s.Ships[resolver].Node]
	}
	c.need(i, slices.Contains(tiles, tile), "that is no part of what %s does", position.NameOf(landmarkNames[:], tile))
	c.need(i, !picks || int(f.Seat) == r.picker(s, int(resolver)), "want seat %d", r.picker(s, int(resolver)))
}

// exploits checks that a seat may be about to exploit a tile.
func (c *checking) exploits(i int) {
	f, below := c.s.Frames[i], c.s.Frames[i-1]
	c.need(i, c.s.Dug && (below.Kind == DoTurnEnd && f.Seat == c.s.Turn || below.Kind == DoBottom && below.Arg[0] == GildedTablet), "seat %d does not exploit now", f.Seat)
}

// drawing checks a draw of landmarks: for which seat it is, and what it needs of the stack of tiles.
func (c *checking) drawing(i int) {
	r, s, f := c.r, c.s, c.s.Frames[i]
	need := func(holds bool, format string, args ...any) { c.need(i, holds, format, args...) }
	switch node := f.Arg[1]; {
	case node == exploited:
		c.exploits(i)
	case node == substitute:
		need(!r.ashore(s), "before the dig landmarks are drawn for locations")
	default:
		c.walks(i, f.Seat)
		need(node == s.Ships[f.Seat].Node && r.Colour[node] != ColourNone && s.Tiles[node] == noTile, "a landmark is drawn for the captain's location, where none lies")
		need(int(f.Arg[2]) == r.picker(s, int(f.Seat)), "the active seat is the one that draws")
	}
	left := s.stackSize(int(f.Arg[0]))
	pair := f.Kind != DrawLandmark || f.Arg[4] != 0
	need(!pair || r.able(s, &s.Ships[f.Seat], Pollyanna), "only Pollyanna's crew draws two")
	for _, t := range tilesOf(f) {
		need(int8(r.LandmarkColour[t]) == f.Arg[0], "%s is no %s tile", landmarkNames[t], colourNames[f.Arg[0]])
	}
	switch {
	case f.Kind == AskKeep:
	case f.Kind == AskDrawTwo || pair && f.Arg[3] == noTile:
		need(left >= 2, "the stack has %d tiles", left)
	default:
		need(left >= 1, "the stack is empty")
		need(pair || f.Arg[3] == noTile, "one tile is drawn, so there is no first one")
	}
}

// hutMoves checks what is left of the movement by which the Voodoo Hut forces a ship.
func (c *checking) hutMoves(i int, top bool) {
	f := c.s.Frames[i]
	sh := &c.s.Ships[f.Arg[0]]
	sail, turn, moved := int(f.Arg[1]), int(f.Arg[2]), f.Arg[3] != 0
	maySail, mayTurn := int(engine.Bit(c.r.MaySail(sh))), int(engine.Bit(c.r.hutTurns(sh)))
	c.need(i, sail <= maySail && turn <= mayTurn, "the ship can never move like that")
	if moved {
		c.need(i, sail+turn == 1, "the ship has made one of the two moves")
		c.need(i, top || sail == 0, "the ship has not sailed")
	} else {
		c.need(i, top && sail == maySail && turn == mayTurn, "the ship has made none of its moves")
	}
}

// meets checks what comes of a captain who has moved: a duel, before the landmark of a location that has
// a colour.
func (c *checking) meets(i int) {
	s := c.s
	landmark := s.Frames[c.above].Kind == DoLandmark
	c.need(i, landmark == (c.r.Colour[s.Ships[s.Turn].Node] != ColourNone), "after a duel comes the landmark of a location, if it has a colour")
}

// duels checks a duel: the die of the captain who moved, above that of the rival, or the rival's
// alone.
func (c *checking) duels(i int, top bool) {
	r, s := c.r, c.s
	f, below := s.Frames[i], s.Frames[i-1]
	rival, again := f.Arg[0], f.Kind == RollDuel && f.Arg[1] != 0
	if f.Kind == AskDuelReroll {
		rival, again = f.Arg[1], true
	}
	first := below.Kind == RollDuel
	ok := f.Seat != s.Turn && rival == s.Turn && !first
	if first {
		ok = top && f.Seat == s.Turn && rival == below.Seat
	}
	c.need(i, ok && r.rivals(s, int(f.Seat))>>rival&1 != 0, "duels are of the captain whose turn it is with one at the same location, and the former rolls first")
	c.need(i, top || !again, "the rival has not rolled yet")
	c.rolls(i, again)
}

// relicsWait checks what is left of a Tribal Ruin before the dig: relics to be placed wait below.
func (c *checking) relicsWait(i int, top bool) {
	r, s, f := c.r, c.s, c.s.Frames[i]
	tile := int(s.Tiles[s.Ships[s.Turn].Node])
	c.need(i, !s.Dug || r.Edition.RuinsOneSided, "that is no part of what %s does now", landmarkNames[tile])
	if f.Kind == DoRelic {
		c.need(i, f.Arg[0] == 1, "the relic that is gained comes first")
		return
	}
	c.need(i, top, "one relic comes after the other")
	c.need(i, f.Kind != DrawRelic || r.InCrater(s) > 0, "the crater is empty")
	waiting, all := i-c.above, placedBy(tile)
	if f.Kind == DrawRelic && f.Arg[0] == 0 {
		c.need(i, waiting == all, "%s has %d relics placed after one is gained", landmarkNames[tile], all)
	} else {
		c.need(i, waiting < all, "%s has %d relics placed", landmarkNames[tile], all)
	}
}
