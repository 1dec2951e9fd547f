package encode

import (
	"fmt"
	"reflect"

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
	maxKinds       = doubloons.FirstIslandKind // of decisions; the rest are the alternate island's
	boxWater       = doubloons.Whirlpool       // kinds of water tile of the final box: the first
	maxEditions    = 4
	maxModules     = 5
	pathColours    = 6   // beach, blue, yellow, red, green, goal
	mostDoubloons  = 200 // what components.yaml may put into the box
	mostTokens     = 60
	mostJewels     = 40
	mostFragments  = 6
	mostRelics     = 20
	mostSteps      = 30 // between two locations
	cardMoves      = 4
	cardLoot       = doubloons.NumLoot - 1
	relativeShips  = doubloons.NumShips
	numberOfSeats  = doubloons.MaxSeats
	numberOfStacks = doubloons.NumColours
)

// declareDoubloons declares the groups in the order of doubloonsFull, and returns
// how many of them make the seat view.
func declareDoubloons(b *builder) (seatGroups int) {
	declareGame(b)
	declareSea(b)
	declareIsland(b)
	declareCards(b)
	for k := range numberOfSeats {
		declareSeat(b, seatName(k))
	}
	declareShip(b, "legendary")
	declareDecision(b)
	declareModules(b)
	seatGroups = len(b.groups)
	declareHidden(b)
	b.fits(reflect.TypeFor[doubloonsFull]())
	return seatGroups
}

func seatName(k int) string {
	if k == 0 {
		return "self"
	}
	return fmt.Sprintf("opponents[%d]", k-1)
}

func declareGame(b *builder) {
	b.flags("game.players", "one-hot: number of seats, 2 to 6", doubloons.MaxSeats-doubloons.MinSeats+1)
	b.flags("game.edition", "one-hot: rulebook: final, v2.0, v1.9.8, v1.9.7", maxEditions)
	b.flags("game.modules", "modules in play: black jewel, compass, legendary ghost ship, steal ship, advanced scoring", maxModules)
	b.flags("game.alternate", "the alternate island is in play")
	b.flags("game.phase", "one-hot: set-up, round start, action, pillage, round end, over", doubloons.NumPhases)
	b.flags("game.slot", "one-hot: which of the three cards is being resolved; zero outside the action phase", doubloons.NumSlots)
	b.number("game.round", "number of the round, from 1; 0 during set-up", 255, 1.0/10)
	b.flags("game.dug", "the treasure has been dug up")
	b.flags("game.ending", "a captain has reached FIN: this round is the last")
	b.number("bank.supply", "doubloons beside the board", mostDoubloons, 1.0/16)
	b.number("bank.island", "doubloons on the island", mostDoubloons, 1.0/16)
	b.number("bank.pillage", "pillage tokens beside the board", mostTokens, 1.0/4)
	b.number("bank.jewels", "jewels beside the board: emeralds, rubies, diamonds, black jewels", mostJewels, 1.0/8, doubloons.NumJewels)
	b.number("map.fragments", "map fragments in the map stack", mostTokens, 1.0/8)
	b.number("map.unseen", "fragments in the stack or removed unseen, by symbol: X, sun, moon, wave", mostFragments, 1.0/3, doubloons.NumSymbols)
	b.number("map.specials", "special tiles in the map stack: Island Lore, Skull Amulet, Protection Orb", mostFragments, 1.0/2, doubloons.NumSpecials)
	b.number("map.crater", "alternate island: relics not yet drawn: totems by symbol, shells by symbol", mostRelics, 1.0/4, 2, doubloons.NumSymbols)
}

func declareSea(b *builder) {
	b.flags("frame.region", "one-hot: the region, as place=… counts them, where one's ship lies; zero before it is placed", doubloons.MaxRegions)
	b.flags("frame.clockwise", "one's ship faces clockwise")
	b.flags("water", "one-hot for each region, from one's own ahead: coral reef, fog, high water, merfolk seer, mermaid pack, mists of Morgana, rip current, river merfolk, shipwreck, stone sextant, the shallows", doubloons.MaxRegions, boxWater)
	b.number("beaches.totems", "alternate island: totems by beach, from one's own region ahead, and symbol", mostRelics, 1.0/3, doubloons.MaxRegions, doubloons.NumSymbols)
	b.number("regions.shells", "alternate island: shells by region, from one's own ahead, and symbol", mostRelics, 1.0/3, doubloons.MaxRegions, doubloons.NumSymbols)
}

func declareIsland(b *builder) {
	b.flags("landmarks.laid", "the landmark lies on the island; in the order of the actions keep=…", doubloons.NumLandmarks)
	b.flags("landmarks.next", "the landmark lies one space ahead of one's captain", doubloons.NumLandmarks)
	b.number("landmarks.stacks", "tiles in the stacks: blue, yellow, red, green", mostTokens, 1.0/8, numberOfStacks)
}

func declareCards(b *builder) {
	b.flags("self.hand_cards", "the card is in one's hand; in the order of the actions card=…", doubloons.NumCards)
	b.count("cards.hidden", "0: one sees where the card is, or it is not in the game yet; 1: it is in the deck or another's; 2: it is another's for certain, for it was in a hand when the discard was last shuffled", 2, doubloons.NumCards)
	for i := range doubloons.NumSlots {
		name := fmt.Sprintf("self.slots[%d]", i)
		b.flags(name+".known", "one has a card programmed in this slot, face up or down")
		declareCard(b, name)
		b.flags(name+".ready", "its Board action, if it has one, needs no own icon or an earlier slot shows it")
	}
}

// declareCard declares the groups of one action card; see cardFace.
func declareCard(b *builder, name string) {
	b.count(name+".actions", "the card's actions, 2 with +1: hunt, pillage, forward, broadsides, repair, board", 2, doubloons.NumIcons)
	b.number(name+".moves", "its movement icons: sail required, sail optional, come about required, come about optional", 2, 1, cardMoves)
	b.flags(name+".loot", "one-hot: what its Board action takes: fragment, half the doubloons, crew, two crew, jewel, reputation", cardLoot)
	b.flags(name+".captain", "it is a captain card")
}

func declareSeat(b *builder, name string) {
	declareShip(b, name)
	b.flags(name+".captain", "one-hot: Pollyanna, Widow Cheng, Calico Jack, Valparisa, Hayreddin, Voet", doubloons.NumCaptains)
	b.flags(name+".ghost", "the ship is a ghost ship")
	b.count(name+".hull", "hull; 0 for a ghost ship", doubloons.MaxHull)
	b.number(name+".orbs", "Protection Orbs", mostFragments, 1.0/2)
	b.number(name+".compasses", "compass module: compasses", mostTokens, 1.0/2)
	b.flags(name+".path", "one-hot: where the captain is: beach, blue, yellow, red or green path, goal", pathColours)
	b.number(name+".step", "number of his location on that path, as in to=…", doubloons.NumNodes, 1.0/6)
	b.number(name+".distance", "fewest Advances from there to the goal", mostSteps, 1.0/8)
	b.number(name+".track", "spaces moved on the end-game track", 9, 1.0/4)
	b.number(name+".hand", "cards in hand", doubloons.NumCards, 1.0/6)
	b.count(name+".face_down", "programmed cards that lie face down", doubloons.NumSlots)
	b.flags(name+".ability", "the ship's unique ability works")
	b.flags(name+".initiative", "the seat has the initiative token")
	b.flags(name+".turn", "it is the seat's turn")
	b.flags(name+".waiting", "the seat's turn with its card of this slot is still to come")
	b.flags(name+".acts", "in its turn the seat has yet to choose an action")
	b.flags(name+".decides", "the pending decision is the seat's")
	b.flags(name+".advances", "the captain is about to Advance or Follow")
	b.flags(name+".struck", "the ship was damaged by the attack whose die is being rolled, or is about to lose a shell by it")
	b.flags(name+".boardable", "one may Board the ship with one's card of this slot from where one is")
	b.flags(name+".icons", "icons on the seat's face-up cards: hunt, pillage, forward, broadsides, repair, board", doubloons.NumIcons)
	declareCard(b, name+".current")
}

// declareShip declares what the legendary ghost ship has in common with the
// ships of the seats.
func declareShip(b *builder, name string) {
	b.flags(name+".present", "the ship is in the match")
	b.flags(name+".region", "one-hot: the region where the ship lies, from one's own ahead; zero before it is placed", doubloons.MaxRegions)
	b.flags(name+".facing", "the ship faces the same way round the island as one's own")
	b.flags(name+".crew", "feature i: the ship has more than i crew", doubloons.MaxCrew)
	b.flags(name+".reputation", "feature i: its reputation is above level i", doubloons.MaxLevel)
	b.number(name+".doubloons", "doubloons", mostDoubloons, 1.0/16)
	b.number(name+".pillage", "pillage tokens", mostTokens, 1.0/4)
	b.number(name+".fragments", "map fragments: X, sun, moon, wave", mostFragments, 1.0/3, doubloons.NumSymbols)
	b.number(name+".jewels", "emeralds, rubies, diamonds, black jewels", mostJewels, 1.0/4, doubloons.NumJewels)
	b.number(name+".totems", "alternate island: totems: X, sun, moon, wave", mostRelics, 1.0/3, doubloons.NumSymbols)
	b.number(name+".shells", "alternate island: shells: X, sun, moon, wave", mostRelics, 1.0/3, doubloons.NumSymbols)
}

func declareDecision(b *builder) {
	b.flags("decision.kind", "one-hot: what is asked: (0 none) captain, place, sextant, sextant own, sextant theirs, program, move, action, high water, reroll, board, steal fragment, steal jewel, hunt, path, stack, draw two, keep, exploit, pay, hut, hut move, giver, receiver, give; the rest is for modules", maxKinds)
	ships := "oneself, the seat k places on, … the legendary ghost ship"
	b.flags("decision.enemy", "one-hot: the ship that it is about: "+ships, relativeShips)
	b.flags("decision.resolver", "one-hot: who resolves the landmark: "+ships, relativeShips)
	b.flags("decision.giver", "one-hot: who gives: "+ships, relativeShips)
	b.flags("decision.tile", "the landmark that it is about, or the two to choose from", doubloons.NumLandmarks)
	b.flags("decision.colour", "one-hot: the stack that it is about: blue, yellow, red, green", doubloons.NumColours)
	b.flags("decision.slot", "one-hot: the card slot that it is about", doubloons.NumSlots)
	b.flags("decision.symbol", "one-hot: the symbol that it is about: X, sun, moon, wave", doubloons.NumSymbols)
	b.flags("decision.face", "one-hot: the die that may be rolled again: crew, doubloon, voodoo", doubloons.NumFaces)
	b.number("decision.moves", "movement left: sail required, sail optional, come about required, come about optional", 2, 1, cardMoves)
	b.number("decision.damage", "damage of the attack to be aimed", 10, 1.0/4)
	b.flags("decision.exploit", "the landmark is drawn for an Exploit, not for the island")
}

func declareHidden(b *builder) {
	for k := 1; k < numberOfSeats; k++ {
		b.flags(fmt.Sprintf("hidden.%s.hand_cards", seatName(k)), "the card is in the seat's hand", doubloons.NumCards)
		b.count(fmt.Sprintf("hidden.%s.programmed", seatName(k)), "the slot, from 1, where the card lies face down before the seat; 0 elsewhere", doubloons.NumSlots, doubloons.NumCards)
	}
	b.flags("hidden.deck", "the card is in the deck", doubloons.NumCards)
}
