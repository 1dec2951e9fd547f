package encode

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine/doubloons"
)

// This file declares what an observation of Dead Man's Doubloons contains. There
// is room in it for every edition, module and number of seats, so that a
// policy can move between them; what a configuration does not use is zero.
//
// Two frames of reference keep it egocentric. Seats are counted clockwise from
// the one that observes: self, then opponents[0] … opponents[4]. Regions are
// counted from one's own ship in the direction that it faces: 0 is its own region, 1
// the one it would sail to. (Before it is placed: from region 0, clockwise.)

const (
	maxKinds       = 32 // of decisions; later modules add to them
	maxEditions    = 4
	maxModules     = 5
	pathColours    = 6   // beach, blue, yellow, red, green, goal
	mostDoubloons  = 200 // what components.yaml may put into the box
	mostTokens     = 60
	mostJewels     = 40
	mostFragments  = 6
	mostRelics     = 20
	mostSteps      = 30 // between two locations
	cardActions    = doubloons.NumIcons
	cardMoves      = 4
	cardLoot       = doubloons.NumLoot - 1
	cardBytes      = cardActions + cardMoves + cardLoot + 1
	legendaryShip  = doubloons.MaxSeats // as a relative seat
	relativeShips  = doubloons.NumShips
	numberOfSeats  = doubloons.MaxSeats
	numberOfStacks = doubloons.NumColours
)

// doubloonsLayout has the offset of each group.
type doubloonsLayout struct {
	players, edition, modules, alternate                   int
	phase, slot, round, dug, ending                        int
	supply, island, pillage, jewels                        int
	mapFragments, mapUnseen, mapSpecials, crater           int
	region, clockwise, water                               int
	beachTotems, regionShells                              int
	tilesLaid, tilesNext, stacks                           int
	hand, hidden                                           int
	table                                                  [doubloons.NumSlots]slotLayout
	ships                                                  [relativeShips]shipLayout
	kind, enemy, resolver, giver, tile, colour             int
	decisionSlot, symbol, face, movesLeft, damage, exploit int

	hands, programmed [numberOfSeats]int // full view; of seat k, not used for 0
	deck              int
}

// shipLayout are the groups of one seat and its ship. Those of the legendary ghost ship
// have only what such a ship can have.
type shipLayout struct {
	present, captain, region, facing, ghost, hull, crew, reputation int
	doubloons, pillage, orbs, fragments, jewels, compasses          int
	totems, shells, path, step, distance, track                     int
	hand, faceDown, ability, initiative, turn, waiting, acts        int
	decides, advances, struck, boardable, icons, card               int
}

// slotLayout are the groups of one of one's own programmed cards.
type slotLayout struct{ known, card, ready int }

func declareDoubloons(b *builder) (l *doubloonsLayout, seatGroups int) {
	l = &doubloonsLayout{}
	l.declareGame(b)
	l.declareSea(b)
	l.declareIsland(b)
	l.declareCards(b)
	for k := range numberOfSeats {
		l.ships[k] = declareSeat(b, seatName(k))
	}
	l.ships[legendaryShip] = declareLegendary(b)
	l.declareDecision(b)
	seatGroups = len(b.groups)
	l.declareHidden(b)
	return l, seatGroups
}

func seatName(k int) string {
	if k == 0 {
		return "self"
	}
	return fmt.Sprintf("opponents[%d]", k-1)
}

func (l *doubloonsLayout) declareGame(b *builder) {
	l.players = b.flags("game.players", "one-hot: number of seats, 2 to 6", doubloons.MaxSeats-doubloons.MinSeats+1)
	l.edition = b.flags("game.edition", "one-hot: rulebook: final, v2.0, v1.9.8, v1.9.7", maxEditions)
	l.modules = b.flags("game.modules", "modules in play: black jewel, compass, legendary ghost ship, steal ship, advanced scoring", maxModules)
	l.alternate = b.flags("game.alternate", "the alternate island is in play")
	l.phase = b.flags("game.phase", "one-hot: set-up, round start, action, pillage, round end, over", doubloons.NumPhases)
	l.slot = b.flags("game.slot", "one-hot: which of the three cards is being resolved; zero outside the action phase", doubloons.NumSlots)
	l.round = b.number("game.round", "number of the round, from 1; 0 during set-up", 255, 1.0/10)
	l.dug = b.flags("game.dug", "the treasure has been dug up")
	l.ending = b.flags("game.ending", "a captain has reached FIN: this round is the last")
	l.supply = b.number("bank.supply", "doubloons beside the board", mostDoubloons, 1.0/16)
	l.island = b.number("bank.island", "doubloons on the island", mostDoubloons, 1.0/16)
	l.pillage = b.number("bank.pillage", "pillage tokens beside the board", mostTokens, 1.0/4)
	l.jewels = b.number("bank.jewels", "jewels beside the board: emeralds, rubies, diamonds, black jewels", mostJewels, 1.0/8, doubloons.NumJewels)
	l.mapFragments = b.number("map.fragments", "map fragments in the map stack", mostTokens, 1.0/8)
	l.mapUnseen = b.number("map.unseen", "fragments in the stack or removed unseen, by symbol: X, sun, moon, wave", mostFragments, 1.0/3, doubloons.NumSymbols)
	l.mapSpecials = b.number("map.specials", "special tiles in the map stack: Island Lore, Skull Amulet, Protection Orb", mostFragments, 1.0/2, doubloons.NumSpecials)
	l.crater = b.number("map.crater", "alternate island: relics not yet drawn: totems by symbol, shells by symbol", mostRelics, 1.0/4, 2, doubloons.NumSymbols)
}

func (l *doubloonsLayout) declareSea(b *builder) {
	l.region = b.flags("frame.region", "one-hot: the region, as place=… counts them, where one's ship lies; zero before it is placed", doubloons.MaxRegions)
	l.clockwise = b.flags("frame.clockwise", "one's ship faces clockwise")
	l.water = b.flags("water", "one-hot for each region, from one's own ahead: coral reef, fog, high water, merfolk seer, mermaid pack, mists of Morgana, rip current, river merfolk, shipwreck, stone sextant, the shallows", doubloons.MaxRegions, doubloons.NumWater)
	l.beachTotems = b.number("beaches.totems", "alternate island: totems by beach, from one's own region ahead, and symbol", mostRelics, 1.0/3, doubloons.MaxRegions, doubloons.NumSymbols)
	l.regionShells = b.number("regions.shells", "alternate island: shells by region, from one's own ahead, and symbol", mostRelics, 1.0/3, doubloons.MaxRegions, doubloons.NumSymbols)
}

func (l *doubloonsLayout) declareIsland(b *builder) {
	l.tilesLaid = b.flags("landmarks.laid", "the landmark lies on the island; in the order of the actions keep=…", doubloons.NumLandmarks)
	l.tilesNext = b.flags("landmarks.next", "the landmark lies one space ahead of one's captain", doubloons.NumLandmarks)
	l.stacks = b.number("landmarks.stacks", "tiles in the stacks: blue, yellow, red, green", mostTokens, 1.0/8, numberOfStacks)
}

func (l *doubloonsLayout) declareCards(b *builder) {
	l.hand = b.flags("self.hand_cards", "the card is in one's hand; in the order of the actions card=…", doubloons.NumCards)
	l.hidden = b.count("cards.hidden", "0: one sees where the card is, or it is not in the game yet; 1: it is in the deck or another's; 2: it is another's for certain, for it was in a hand when the discard was last shuffled", 2, doubloons.NumCards)
	for i := range l.table {
		name := fmt.Sprintf("self.slots[%d]", i)
		s := &l.table[i]
		s.known = b.flags(name+".known", "one has a card programmed in this slot, face up or down")
		s.card = declareCard(b, name)
		s.ready = b.flags(name+".ready", "its Board action, if it has one, needs no own icon or an earlier slot shows it")
	}
}

// declareCard declares the groups of one action card side by side; see cardFace.
func declareCard(b *builder, name string) int {
	at := b.count(name+".actions", "the card's actions, 2 with +1: hunt, pillage, forward, broadsides, repair, board", 2, cardActions)
	b.number(name+".moves", "its movement icons: sail required, sail optional, come about required, come about optional", 2, 1, cardMoves)
	b.flags(name+".loot", "one-hot: what its Board action takes: fragment, half the doubloons, crew, two crew, jewel, reputation", cardLoot)
	b.flags(name+".captain", "it is a captain card")
	if b.size-at != cardBytes {
		panic("encode: the groups of a card do not lie side by side")
	}
	return at
}

func declareSeat(b *builder, name string) (s shipLayout) {
	declareShip(b, name, &s)
	s.captain = b.flags(name+".captain", "one-hot: Pollyanna, Widow Cheng, Calico Jack, Valparisa, Hayreddin, Voet", doubloons.NumCaptains)
	s.ghost = b.flags(name+".ghost", "the ship is a ghost ship")
	s.hull = b.count(name+".hull", "hull; 0 for a ghost ship", doubloons.MaxHull)
	s.orbs = b.number(name+".orbs", "Protection Orbs", mostFragments, 1.0/2)
	s.compasses = b.number(name+".compasses", "compass module: compasses", mostTokens, 1.0/2)
	s.path = b.flags(name+".path", "one-hot: where the captain is: beach, blue, yellow, red or green path, goal", pathColours)
	s.step = b.number(name+".step", "number of his location on that path, as in to=…", doubloons.NumNodes, 1.0/6)
	s.distance = b.number(name+".distance", "fewest Advances from there to the goal", mostSteps, 1.0/8)
	s.track = b.number(name+".track", "spaces moved on the end-game track", 9, 1.0/4)
	s.hand = b.number(name+".hand", "cards in hand", doubloons.NumCards, 1.0/6)
	s.faceDown = b.count(name+".face_down", "programmed cards that lie face down", doubloons.NumSlots)
	s.ability = b.flags(name+".ability", "the ship's unique ability works")
	s.initiative = b.flags(name+".initiative", "the seat has the initiative token")
	s.turn = b.flags(name+".turn", "it is the seat's turn")
	s.waiting = b.flags(name+".waiting", "the seat's turn with its card of this slot is still to come")
	s.acts = b.flags(name+".acts", "in its turn the seat has yet to choose an action")
	s.decides = b.flags(name+".decides", "the pending decision is the seat's")
	s.advances = b.flags(name+".advances", "the captain is about to Advance or Follow")
	s.struck = b.flags(name+".struck", "the ship was damaged by the attack whose die is being rolled")
	s.boardable = b.flags(name+".boardable", "one may Board the ship with one's card of this slot from where one is")
	s.icons = b.flags(name+".icons", "icons on the seat's face-up cards: hunt, pillage, forward, broadsides, repair, board", doubloons.NumIcons)
	s.card = declareCard(b, name+".current")
	return s
}

func declareLegendary(b *builder) (s shipLayout) {
	declareShip(b, "legendary", &s)
	return s
}

// declareShip declares what the legendary ghost ship has in common with the
// ships of the seats.
func declareShip(b *builder, name string, s *shipLayout) {
	s.present = b.flags(name+".present", "the ship is in the match")
	s.region = b.flags(name+".region", "one-hot: the region where the ship lies, from one's own ahead; zero before it is placed", doubloons.MaxRegions)
	s.facing = b.flags(name+".facing", "the ship faces the same way round the island as one's own")
	s.crew = b.flags(name+".crew", "feature i: the ship has more than i crew", doubloons.MaxCrew)
	s.reputation = b.flags(name+".reputation", "feature i: its reputation is above level i", doubloons.MaxLevel)
	s.doubloons = b.number(name+".doubloons", "doubloons", mostDoubloons, 1.0/16)
	s.pillage = b.number(name+".pillage", "pillage tokens", mostTokens, 1.0/4)
	s.fragments = b.number(name+".fragments", "map fragments: X, sun, moon, wave", mostFragments, 1.0/3, doubloons.NumSymbols)
	s.jewels = b.number(name+".jewels", "emeralds, rubies, diamonds, black jewels", mostJewels, 1.0/4, doubloons.NumJewels)
	s.totems = b.number(name+".totems", "alternate island: totems: X, sun, moon, wave", mostRelics, 1.0/3, doubloons.NumSymbols)
	s.shells = b.number(name+".shells", "alternate island: shells: X, sun, moon, wave", mostRelics, 1.0/3, doubloons.NumSymbols)
}

func (l *doubloonsLayout) declareDecision(b *builder) {
	l.kind = b.flags("decision.kind", "one-hot: what is asked: (0 none) captain, place, sextant, sextant own, sextant theirs, program, move, action, high water, reroll, board, steal fragment, steal jewel, hunt, path, stack, draw two, keep, exploit, pay, hut, hut move, giver, receiver, give; the rest is for modules", maxKinds)
	ships := "oneself, the seat k places on, … the legendary ghost ship"
	l.enemy = b.flags("decision.enemy", "one-hot: the ship that it is about: "+ships, relativeShips)
	l.resolver = b.flags("decision.resolver", "one-hot: who resolves the landmark: "+ships, relativeShips)
	l.giver = b.flags("decision.giver", "one-hot: who gives: "+ships, relativeShips)
	l.tile = b.flags("decision.tile", "the landmark that it is about, or the two to choose from", doubloons.NumLandmarks)
	l.colour = b.flags("decision.colour", "one-hot: the stack that it is about: blue, yellow, red, green", doubloons.NumColours)
	l.decisionSlot = b.flags("decision.slot", "one-hot: the card slot that it is about", doubloons.NumSlots)
	l.symbol = b.flags("decision.symbol", "one-hot: the symbol that it is about: X, sun, moon, wave", doubloons.NumSymbols)
	l.face = b.flags("decision.face", "one-hot: the die that may be rolled again: crew, doubloon, voodoo", doubloons.NumFaces)
	l.movesLeft = b.number("decision.moves", "movement left: sail required, sail optional, come about required, come about optional", 2, 1, cardMoves)
	l.damage = b.number("decision.damage", "damage of the attack to be aimed", 10, 1.0/4)
	l.exploit = b.flags("decision.exploit", "the landmark is drawn for an Exploit, not for the island")
}

func (l *doubloonsLayout) declareHidden(b *builder) {
	for k := 1; k < numberOfSeats; k++ {
		l.hands[k] = b.flags(fmt.Sprintf("hidden.%s.hand_cards", seatName(k)), "the card is in the seat's hand", doubloons.NumCards)
		l.programmed[k] = b.count(fmt.Sprintf("hidden.%s.programmed", seatName(k)), "the slot, from 1, where the card lies face down before the seat; 0 elsewhere", doubloons.NumSlots, doubloons.NumCards)
	}
	l.deck = b.flags("hidden.deck", "the card is in the deck", doubloons.NumCards)
}
