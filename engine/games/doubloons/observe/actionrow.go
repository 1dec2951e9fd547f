package observe

import "github.com/privateer-rl/privateer/engine/games/doubloons"

const (
	numChoices = 19 // sorts of action
	numRanks   = 6  // that a card in hand is told apart by
	numLenses  = 16 // mixes of goals by which the rest of a round is weighed
	landmarks  = doubloons.NumLandmarks
	opponents  = doubloons.MaxSeats - 1
)

// actionRow is the effect of one legal action, by the rules and as far as the seat that decides may know. All
// decisions have the same row: what does not belong to an action is zero. Places and seats are counted as in an
// observation. It says nothing about cards that lie face down, and rivals' ships are expected to move as the
// cards in the box would have them move on average, or as their face-up card lets them.
type actionRow struct {
	kind   [kinds]uint8      `name:"action.decision" doc:"one-hot: what is asked, by the number of the kind of decision, as in decision.kind and decision.island_kind one after the other"`
	choice [numChoices]uint8 `name:"action.choice" doc:"one-hot: the action: captain, place, card, sail, come about, stay, do, near, far, seat, symbol, take a jewel, to, keep, stack, accept, decline, compass, region"`

	captain [doubloons.NumCaptains]uint8 `name:"action.captain" doc:"one-hot: the captain chosen, as in captain"`
	card    cardRow                      `name:"action.card"`
	needs   [2]uint8                     `name:"action.card.needs" doc:"its Board action needs an own icon; an enemy icon"`
	ready   uint8                        `name:"action.card.ready" doc:"its Board action, if it has one, needs no own icon or an earlier slot shows it"`
	rank    [numRanks]uint8              `name:"action.rank" doc:"one-hot: the action's place among the legal ones, the last for all that follow"`
	slot    [doubloons.NumSlots]uint8    `name:"action.slot" doc:"one-hot: the slot of the card that is programmed or executed"`

	does    [doubloons.NumIcons]uint8   `name:"action.does" max:"2" doc:"actions of the card that this choice leaves open, 2 with +1: hunt, pillage, forward, broadsides, repair, board"`
	works   [doubloons.NumIcons]uint8   `name:"action.works" doc:"of them, those that could bring something where the ship may be then"`
	reach   [doubloons.MaxRegions]uint8 `name:"action.reach" doc:"regions where the ship may be after the movement, from its own ahead"`
	faces   [2]uint8                    `name:"action.faces" doc:"it may face the same way as now then; the other way"`
	places  uint8                       `name:"action.places" max:"16" scale:"1/4" doc:"regions and directions together in which it may end"`
	water   [boxWater]uint8             `name:"action.water" doc:"water tiles of the regions where it may end, as in water"`
	company uint8                       `name:"action.company" max:"255" scale:"1/64" doc:"least number of ships expected in the region where it ends, in 64ths"`
	danger  uint8                       `name:"action.danger" max:"255" scale:"1/64" doc:"least damage to be expected there from face-up cards still to come in this slot, in 64ths"`
	most    slotMost                    `name:"action.most"`
	rivals  [opponents]rivalRow         `name:"action.against[]"`

	completions [numLenses]uint8 `name:"action.round" max:"255" scale:"1/32" doc:"the most that this slot and the rest of the round can bring with the own cards, weighed by sixteen mixes of goals, in 8ths of a point: hunts; pillage; damage; what rivals lose; sinking and stealing; loot; robbing ships that stay; repair; fighting; the rest are balanced"`
	lead        [numLenses]uint8 `name:"action.round_lead" max:"255" scale:"1/64" doc:"by how much that is more than with any other choice, in 32nds of a point"`
	lag         [numLenses]uint8 `name:"action.round_lag" max:"255" scale:"1/64" doc:"by how much it is less than with the best other choice, in 32nds of a point"`

	looked uint8   `name:"action.looked" doc:"what follows says what the choice brings at once, by the rules, on average over the next die or draw"`
	gain   changes `name:"action.gain"`
	loss   changes `name:"action.loss"`

	target  targetRow
	symbol  [doubloons.NumSymbols]uint8 `name:"action.symbol" doc:"one-hot: the symbol chosen: X, sun, moon, wave"`
	owns    uint8                       `name:"action.symbol.own" max:"6" scale:"1/3" doc:"fragments of that symbol that one has"`
	left    uint8                       `name:"action.symbol.left" max:"6" scale:"1/3" doc:"fragments of it that nobody has seen"`
	jewel   [doubloons.NumJewels]uint8  `name:"action.jewel" doc:"one-hot: the jewel chosen: emerald, ruby, diamond, black jewel"`
	to      placeRow                    `name:"action.to"`
	lies    [landmarks]uint8            `name:"action.landmark" doc:"the landmark that is chosen, resolved, or lies where the choice leads; in the order of the actions keep=…"`
	beyond  [landmarks]uint8            `name:"action.beyond" doc:"the landmark lies one space further"`
	draws   [doubloons.NumColours]uint8 `name:"action.draws" doc:"one-hot: the stack that is drawn from: blue, yellow, red, green"`
	mayDraw [landmarks]uint8            `name:"action.may_draw" doc:"the landmark may be what is drawn"`
	region  [doubloons.MaxRegions]uint8 `name:"action.region" doc:"one-hot: the region chosen, by its number as in place=…"`
	berth   [boxWater]uint8             `name:"action.region.water" doc:"one-hot: its water tile, as in water"`
	ships   uint8                       `name:"action.region.ships" max:"7" scale:"1/2" doc:"ships that lie there"`
	prey    uint8                       `name:"action.region.ahead" max:"7" scale:"1/2" doc:"ships that lie in the region ahead from there"`
}

// slotMost is the most that any action left open brings by itself, from wherever the ship may end.
type slotMost struct {
	hunt   uint8 `name:"hunt" max:"255" scale:"1/64" doc:"a Hunt that draws, Advances or Exploits, in 16ths of a point, about; on the alternate island also the way that is chosen, with some of what lies beyond it"`
	coins  uint8 `name:"coins" max:"255" scale:"1/64" doc:"doubloons that its pillage tokens are expected to be paid, in 16ths; on the alternate island also the points of a shell that it takes"`
	damage uint8 `name:"damage" max:"255" scale:"1/64" doc:"expected damage, in 16ths"`
	leader uint8 `name:"leader" max:"255" scale:"1/64" doc:"expected damage to the rival with most points, in 16ths"`
	sinks  uint8 `name:"sinks" max:"255" scale:"1/64" doc:"expected ships sunk, in 64ths"`
	steals uint8 `name:"steals" max:"255" scale:"1/64" doc:"expected doubloons that the attack die steals, in 64ths"`
	hurts  uint8 `name:"hurts" max:"255" scale:"1/64" doc:"what the attack is expected to cost rivals, each by how near it is to the lead, in 64ths of a point, about"`
	loot   uint8 `name:"loot" max:"255" scale:"1/64" doc:"expected loot of a Board action in points, in 16ths"`
	robs   uint8 `name:"robs" max:"255" scale:"1/64" doc:"what it is expected to cost a rival, by how near it is to the lead, in 64ths of a point"`
	hull   uint8 `name:"hull" max:"255" scale:"1/32" doc:"expected hull repaired, in 16ths"`
	saves  uint8 `name:"saves" max:"255" scale:"1/64" doc:"what that saves the ship from, in 64ths of a point, about"`
	crew   uint8 `name:"crew" max:"2" doc:"crew"`
	track  uint8 `name:"track" doc:"a space on the end-game track"`
}

// rivalRow is what the choice leaves open against one opponent, and what it brings about.
type rivalRow struct {
	meets    uint8   `name:"meets" max:"255" scale:"1/255" doc:"chance that it lies in the ship's region then, the most of the places where that may end"`
	forward  uint8   `name:"forward" max:"4" scale:"1/2" doc:"damage of an Attack Forward if it stays where it is"`
	forwards uint8   `name:"forward_expected" max:"255" scale:"1/64" doc:"the same where it is expected to be, in 64ths"`
	broad    uint8   `name:"broadsides" max:"4" scale:"1/2" doc:"damage of Broadsides if it stays where it is"`
	broads   uint8   `name:"broadsides_expected" max:"255" scale:"1/64" doc:"the same where it is expected to be, in 64ths"`
	sinks    uint8   `name:"sinks" max:"255" scale:"1/255" doc:"chance that an attack sinks it"`
	board    uint8   `name:"board" max:"255" scale:"1/64" doc:"what a Board action takes in points if it stays where it is and is damaged, in 16ths"`
	boards   uint8   `name:"board_expected" max:"255" scale:"1/64" doc:"the same where it is expected to be, in 16ths"`
	follows  uint8   `name:"follows" doc:"its captain Follows"`
	loses    changes `name:"loses"`
	gains    changes `name:"gains"`
}

// changes are amounts in 16ths that something adds to or takes from a ship.
type changes struct {
	points     uint8 `name:"points" max:"255" scale:"1/64" doc:"points, in 16ths"`
	hull       uint8 `name:"hull" max:"255" scale:"1/32" doc:"hull, in 16ths"`
	crew       uint8 `name:"crew" max:"255" scale:"1/16" doc:"crew, in 16ths"`
	reputation uint8 `name:"reputation" max:"255" scale:"1/16" doc:"levels of reputation, in 16ths"`
	doubloons  uint8 `name:"doubloons" max:"255" scale:"1/32" doc:"doubloons, in 16ths"`
	pillage    uint8 `name:"pillage" max:"255" scale:"1/32" doc:"pillage tokens, in 16ths"`
	fragments  uint8 `name:"fragments" max:"255" scale:"1/16" doc:"map fragments, in 16ths"`
	jewels     uint8 `name:"jewels" max:"255" scale:"1/16" doc:"jewels, in 16ths"`
	orbs       uint8 `name:"orbs" max:"255" scale:"1/16" doc:"Protection Orbs, in 16ths"`
	relics     uint8 `name:"relics" max:"255" scale:"1/16" doc:"alternate island: totems and shells, in 16ths"`
	steps      uint8 `name:"steps" max:"255" scale:"1/16" doc:"spaces towards the goal, in 16ths; as a loss, away from it"`
}

// targetRow is the ship that an action names.
type targetRow struct {
	ship       [relativeShips]uint8        `name:"action.target" doc:"one-hot: the ship named: oneself, the seat k places on, … the legendary ghost ship"`
	points     uint8                       `name:"action.target.points" max:"255" scale:"1/32" doc:"its points now"`
	ahead      uint8                       `name:"action.target.ahead" max:"255" scale:"1/16" doc:"points that it has more than oneself"`
	behind     uint8                       `name:"action.target.behind" max:"255" scale:"1/16" doc:"points that it has less than oneself"`
	leads      uint8                       `name:"action.target.leads" doc:"no other rival has more points"`
	ghost      uint8                       `name:"action.target.ghost" doc:"it is a ghost ship"`
	hull       uint8                       `name:"action.target.hull" max:"10" doc:"its hull"`
	crew       uint8                       `name:"action.target.crew" max:"4" doc:"its crew"`
	reputation uint8                       `name:"action.target.reputation" max:"3" doc:"its level of reputation"`
	doubloons  uint8                       `name:"action.target.doubloons" max:"200" scale:"1/16" doc:"its doubloons"`
	pillage    uint8                       `name:"action.target.pillage" max:"60" scale:"1/4" doc:"its pillage tokens"`
	fragments  [doubloons.NumSymbols]uint8 `name:"action.target.fragments" max:"6" scale:"1/3" doc:"its map fragments: X, sun, moon, wave"`
	jewels     [doubloons.NumJewels]uint8  `name:"action.target.jewels" max:"40" scale:"1/4" doc:"its jewels: emeralds, rubies, diamonds, black jewels"`
	orbs       uint8                       `name:"action.target.orbs" max:"6" scale:"1/2" doc:"its Protection Orbs"`
	distance   uint8                       `name:"action.target.distance" max:"30" scale:"1/8" doc:"fewest Advances of its captain to the goal"`
	turn       uint8                       `name:"action.target.turn" doc:"its turn with its card of this slot is still to come"`
}
