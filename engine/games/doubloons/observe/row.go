package observe

import "github.com/privateer-rl/privateer/engine/games/doubloons"

// Sizes of groups that are none of the game's own. What components.yaml may put into the box bounds the counts: 200
// doubloons, 60 tokens of a kind, 40 jewels.
const (
	baseKinds     = doubloons.FirstIslandKind // of decisions; the rest are the alternate island's
	kinds         = baseKinds + islandKinds
	boxWater      = doubloons.Whirlpool // kinds of water tile of the final box: the first
	maxEditions   = 4
	maxModules    = 5
	pathColours   = 6  // beach, blue, yellow, red, green, goal
	mostSteps     = 30 // between two locations
	cardMoves     = 4
	relativeShips = doubloons.NumShips
)

// row is an observation of the seat view: what a seat may know. There is room in it for every
// edition, module and number of seats, so that a policy can move between them; what a
// configuration does not use is zero.
//
// Two frames of reference keep it egocentric. Seats are counted clockwise from the one that
// observes: self, then opponents[0] … opponents[4]. Regions are counted from one's own ship in the
// direction that it faces: 0 is its own region, 1 the one it would sail to. (Before it is placed: from
// region 0, clockwise.)
type row struct {
	players      [doubloons.MaxSeats - doubloons.MinSeats + 1]uint8 `name:"game.players" doc:"one-hot: number of seats, 2 to 6"`
	edition      [maxEditions]uint8                                 `name:"game.edition" doc:"one-hot: rulebook: final, v2.0, v1.9.8, v1.9.7"`
	modules      [maxModules]uint8                                  `name:"game.modules" doc:"modules in play: black jewel, compass, legendary ghost ship, steal ship, advanced scoring"`
	alternate    uint8                                              `name:"game.alternate" doc:"the alternate island is in play"`
	phase        [doubloons.NumPhases]uint8                         `name:"game.phase" doc:"one-hot: set-up, round start, action, pillage, round end, over"`
	slot         [doubloons.NumSlots]uint8                          `name:"game.slot" doc:"one-hot: which of the three cards is being resolved; zero outside the action phase"`
	round        uint8                                              `name:"game.round" max:"255" scale:"1/10" doc:"number of the round, from 1; 0 during set-up"`
	dug          uint8                                              `name:"game.dug" doc:"the treasure has been dug up"`
	ending       uint8                                              `name:"game.ending" doc:"a captain has reached FIN: this round is the last"`
	supply       uint8                                              `name:"bank.supply" max:"200" scale:"1/16" doc:"doubloons beside the board"`
	island       uint8                                              `name:"bank.island" max:"200" scale:"1/16" doc:"doubloons on the island"`
	pillage      uint8                                              `name:"bank.pillage" max:"60" scale:"1/4" doc:"pillage tokens beside the board"`
	jewels       [doubloons.NumJewels]uint8                         `name:"bank.jewels" max:"40" scale:"1/8" doc:"jewels beside the board: emeralds, rubies, diamonds, black jewels"`
	mapFragments uint8                                              `name:"map.fragments" max:"60" scale:"1/8" doc:"map fragments in the map stack"`
	mapUnseen    [doubloons.NumSymbols]uint8                        `name:"map.unseen" max:"6" scale:"1/3" doc:"fragments in the stack or removed unseen, by symbol: X, sun, moon, wave"`
	mapSpecials  [doubloons.NumSpecials]uint8                       `name:"map.specials" max:"6" scale:"1/2" doc:"special tiles in the map stack: Island Lore, Skull Amulet, Protection Orb"`
	crater       [2][doubloons.NumSymbols]uint8                     `name:"map.crater" max:"20" scale:"1/4" doc:"alternate island: relics not yet drawn: totems by symbol, shells by symbol"`

	region       [doubloons.MaxRegions]uint8                       `name:"frame.region" doc:"one-hot: the region, as place=… counts them, where one's ship lies; zero before it is placed"`
	clockwise    uint8                                             `name:"frame.clockwise" doc:"one's ship faces clockwise"`
	water        [doubloons.MaxRegions][boxWater]uint8             `name:"water" doc:"one-hot for each region, from one's own ahead: coral reef, fog, high water, merfolk seer, mermaid pack, mists of Morgana, rip current, river merfolk, shipwreck, stone sextant, the shallows"`
	beachTotems  [doubloons.MaxRegions][doubloons.NumSymbols]uint8 `name:"beaches.totems" max:"20" scale:"1/3" doc:"alternate island: totems by beach, from one's own region ahead, and symbol"`
	regionShells [doubloons.MaxRegions][doubloons.NumSymbols]uint8 `name:"regions.shells" max:"20" scale:"1/3" doc:"alternate island: shells by region, from one's own ahead, and symbol"`

	tilesLaid [doubloons.NumLandmarks]uint8 `name:"landmarks.laid" doc:"the landmark lies on the island; in the order of the actions keep=…"`
	tilesNext [doubloons.NumLandmarks]uint8 `name:"landmarks.next" doc:"the landmark lies one space ahead of one's captain"`
	stacks    [doubloons.NumColours]uint8   `name:"landmarks.stacks" max:"60" scale:"1/8" doc:"tiles in the stacks: blue, yellow, red, green"`

	hand   [doubloons.NumCards]uint8   `name:"self.hand_cards" doc:"the card is in one's hand; in the order of the actions card=…"`
	hidden [doubloons.NumCards]uint8   `name:"cards.hidden" max:"2" doc:"0: one sees where the card is, or it is not in the game yet; 1: it is in the deck or another's; 2: it is another's for certain, for it was in a hand when the discard was last shuffled"`
	table  [doubloons.NumSlots]slotRow `name:"self.slots[]"`

	seats     [doubloons.MaxSeats]seatRow `name:"self,opponents[]"`
	legendary shipRow                     `name:"legendary"`

	kind         [baseKinds]uint8              `name:"decision.kind" doc:"one-hot: what is asked: nothing, captain, place, sextant, sextant own, sextant theirs, program, move, action, high water, reroll, board, steal fragment, steal jewel, hunt, path, stack, draw two, keep, exploit, pay, hut, hut move, giver, receiver, give; the rest is for modules"`
	enemy        [relativeShips]uint8          `name:"decision.enemy" doc:"one-hot: the ship that it is about: oneself, the seat k places on, … the legendary ghost ship"`
	resolver     [relativeShips]uint8          `name:"decision.resolver" doc:"one-hot: who resolves the landmark: oneself, the seat k places on, … the legendary ghost ship"`
	giver        [relativeShips]uint8          `name:"decision.giver" doc:"one-hot: who gives: oneself, the seat k places on, … the legendary ghost ship"`
	tile         [doubloons.NumLandmarks]uint8 `name:"decision.tile" doc:"the landmark that it is about, or the two to choose from"`
	colour       [doubloons.NumColours]uint8   `name:"decision.colour" doc:"one-hot: the stack that it is about: blue, yellow, red, green"`
	decisionSlot [doubloons.NumSlots]uint8     `name:"decision.slot" doc:"one-hot: the card slot that it is about"`
	symbol       [doubloons.NumSymbols]uint8   `name:"decision.symbol" doc:"one-hot: the symbol that it is about: X, sun, moon, wave"`
	face         [doubloons.NumFaces]uint8     `name:"decision.face" doc:"one-hot: the die that may be rolled again: crew, doubloon, voodoo"`
	movesLeft    [cardMoves]uint8              `name:"decision.moves" max:"2" scale:"1" doc:"movement left: sail required, sail optional, come about required, come about optional"`
	damage       uint8                         `name:"decision.damage" max:"10" scale:"1/4" doc:"damage of the attack to be aimed"`
	exploit      uint8                         `name:"decision.exploit" doc:"the landmark is drawn for an Exploit, not for the island"`

	module moduleRow
}

// slotRow is one of one's own programmed cards.
type slotRow struct {
	known uint8 `name:"known" doc:"one has a card programmed in this slot, face up or down"`
	card  cardRow
	ready uint8 `name:"ready" doc:"its Board action, if it has one, needs no own icon or an earlier slot shows it"`
}

// cardRow is the face of an action card.
type cardRow struct {
	actions [doubloons.NumIcons]uint8    `name:"actions" max:"2" doc:"the card's actions, 2 with +1: hunt, pillage, forward, broadsides, repair, board"`
	moves   [cardMoves]uint8             `name:"moves" max:"2" scale:"1" doc:"its movement icons: sail required, sail optional, come about required, come about optional"`
	loot    [doubloons.NumLoot - 1]uint8 `name:"loot" doc:"one-hot: what its Board action takes: fragment, half the doubloons, crew, two crew, jewel, reputation"`
	captain uint8                        `name:"captain" doc:"it is a captain card"`
}

// shipRow is the fields that the legendary ghost ship shares with the ships of seats.
type shipRow struct {
	present    uint8                       `name:"present" doc:"the ship is in the match"`
	region     [doubloons.MaxRegions]uint8 `name:"region" doc:"one-hot: the region where the ship lies, from one's own ahead; zero before it is placed"`
	facing     uint8                       `name:"facing" doc:"the ship faces the same way round the island as one's own"`
	crew       [doubloons.MaxCrew]uint8    `name:"crew" doc:"feature i: the ship has more than i crew"`
	reputation [doubloons.MaxLevel]uint8   `name:"reputation" doc:"feature i: its reputation is above level i"`
	doubloons  uint8                       `name:"doubloons" max:"200" scale:"1/16" doc:"doubloons"`
	pillage    uint8                       `name:"pillage" max:"60" scale:"1/4" doc:"pillage tokens"`
	fragments  [doubloons.NumSymbols]uint8 `name:"fragments" max:"6" scale:"1/3" doc:"map fragments: X, sun, moon, wave"`
	jewels     [doubloons.NumJewels]uint8  `name:"jewels" max:"40" scale:"1/4" doc:"jewels: emeralds, rubies, diamonds, black jewels"`
	totems     [doubloons.NumSymbols]uint8 `name:"totems" max:"20" scale:"1/3" doc:"alternate island: totems: X, sun, moon, wave"`
	shells     [doubloons.NumSymbols]uint8 `name:"shells" max:"20" scale:"1/3" doc:"alternate island: shells: X, sun, moon, wave"`
}

// seatRow is a seat and its ship.
type seatRow struct {
	ship       shipRow
	captain    [doubloons.NumCaptains]uint8 `name:"captain" doc:"one-hot: Pollyanna, Widow Cheng, Calico Jack, Valparisa, Hayreddin, Voet"`
	ghost      uint8                        `name:"ghost" doc:"the ship is a ghost ship"`
	hull       uint8                        `name:"hull" max:"10" doc:"hull; 0 for a ghost ship"`
	orbs       uint8                        `name:"orbs" max:"6" scale:"1/2" doc:"Protection Orbs"`
	compasses  uint8                        `name:"compasses" max:"60" scale:"1/2" doc:"compass module: compasses"`
	place      placeRow
	track      uint8                     `name:"track" max:"9" scale:"1/4" doc:"spaces moved on the end-game track"`
	hand       uint8                     `name:"hand" max:"60" scale:"1/6" doc:"cards in hand"`
	faceDown   uint8                     `name:"face_down" max:"3" doc:"programmed cards that lie face down"`
	ability    uint8                     `name:"ability" doc:"the ship's unique ability works"`
	initiative uint8                     `name:"initiative" doc:"the seat has the initiative token"`
	turn       uint8                     `name:"turn" doc:"it is the seat's turn"`
	waiting    uint8                     `name:"waiting" doc:"the seat's turn with its card of this slot is still to come"`
	acts       uint8                     `name:"acts" doc:"in its turn the seat has yet to choose an action"`
	decides    uint8                     `name:"decides" doc:"the pending decision is the seat's"`
	advances   uint8                     `name:"advances" doc:"the captain is about to Advance or Follow"`
	struck     uint8                     `name:"struck" doc:"the ship was damaged by the attack whose die is being rolled, or is about to lose a shell by it"`
	boardable  uint8                     `name:"boardable" doc:"one may Board the ship with one's card of this slot from where one is"`
	icons      [doubloons.NumIcons]uint8 `name:"icons" doc:"icons on the seat's face-up cards: hunt, pillage, forward, broadsides, repair, board"`
	card       cardRow                   `name:"current"`
}

// placeRow is where a captain is.
type placeRow struct {
	path     [pathColours]uint8 `name:"path" doc:"one-hot: where the captain is: beach, blue path, yellow path, red path, green path, goal"`
	step     uint8              `name:"step" max:"27" scale:"1/6" doc:"number of the location on that path, as in to=…"`
	distance uint8              `name:"distance" max:"30" scale:"1/8" doc:"fewest Advances from there to the goal"`
}

// full is an observation of the full view.
type full struct {
	Seat   row
	others [doubloons.MaxSeats - 1]hiddenRow `name:"hidden.opponents[]"`
	deck   [doubloons.NumCards]uint8         `name:"hidden.deck" doc:"the card is in the deck"`
}

// hiddenRow is the information that a seat hides from another.
type hiddenRow struct {
	hand       [doubloons.NumCards]uint8 `name:"hand_cards" doc:"the card is in the seat's hand"`
	programmed [doubloons.NumCards]uint8 `name:"programmed" max:"3" doc:"the slot, from 1, where the card lies face down before the seat; 0 elsewhere"`
}
