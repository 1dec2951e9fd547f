package observe

import "github.com/privateer-rl/privateer/engine/games/jollyroger"

const (
	others        = jollyroger.MaxSeats - 1
	bribeSettings = 3
	sides         = 2  // of a mutiny: the Captain's, the First Mutineer's
	flights       = 4  // ways in which a card is announced
	wholeSighting = 36 // what a sighting of a card counts that can be in one place only
	settings      = 6
	windows       = 14                    // the one that came after is told by none of them
	moments       = 4                     // likewise
	attackable    = jollyroger.PiratePort // destinations that are attacked come first
)

// Of decision.settings.
const (
	settingMutiny = iota
	settingCook
	settingGuard
	settingSpoken
	settingOffered
	settingWithout
)

// row is an observation of the seat view: what a seat may know. There is room in it for every
// number of seats and every variant, so that a policy can move between them; what a configuration does
// not use is zero.
//
// Seats are counted clockwise from the one that observes: self, then opponents[0] …
// opponents[8]. Card counts are bounded by what components.yaml may put into the box: 12 copies of a crew
// card, 66 crew cards, 46 prizes.
type row struct {
	players      [jollyroger.MaxSeats - jollyroger.MinSeats + 1]uint8 `name:"game.players" doc:"one-hot: number of seats, 3 to 10"`
	hiddenPrizes uint8                                                `name:"game.hidden_prizes" doc:"variant: prizes lie face down"`
	captainsGold uint8                                                `name:"game.captains_gold" doc:"variant: a prize that the Captain exchanges brings everybody a card"`
	bribes       [bribeSettings]uint8                                 `name:"game.bribes" doc:"one-hot: none, gifts, gifts and talk"`
	limit        uint8                                                `name:"game.limit" max:"66" scale:"1/8" doc:"most crew cards that a hand may hold"`
	phase        [jollyroger.NumPhases]uint8                          `name:"game.phase" doc:"one-hot: set-up, appointment, voyage, attack, prizes, port, island, punishment, over"`
	round        uint8                                                `name:"game.round" max:"10" doc:"number of the round, from 1; 0 during set-up"`

	destination [jollyroger.NumDestinations]uint8 `name:"voyage.destination" doc:"one-hot: fort, merchant ship, settlement, pirate port, treasure island; zero before it is chosen"`
	target      [jollyroger.NumCards]uint8        `name:"voyage.target" doc:"one-hot: the revealed card: eight forts, merchant ships, settlements and ports, three islands"`
	needs       [jollyroger.NumSkills]uint8       `name:"voyage.needs" max:"66" scale:"1/4" doc:"navigation, guns, melee that the revealed target needs, as officers have changed it"`
	wins        uint8                             `name:"voyage.prizes" max:"10" doc:"prizes that the revealed target wins"`
	barred      uint8                             `name:"voyage.barred" doc:"Treasure Island could not be reached this round"`
	chart       uint8                             `name:"voyage.map" doc:"an Old Sailor lies on the table"`
	left        [jollyroger.NumCards]uint8        `name:"voyage.left" doc:"the card is left in its stack; in the order of voyage.target"`
	stackCards  [jollyroger.NumDestinations]uint8 `name:"stacks.cards" max:"8" doc:"cards left of each destination, in the order of voyage.destination"`
	targets     [attackable]targetRow             `name:"stacks[]"`
	ports       [2]uint8                          `name:"stacks[3].crew" max:"3" doc:"fewest and most crew cards for each player that a port brings of those left"`

	played   [jollyroger.NumCrew]uint8 `name:"attack.played" max:"12" scale:"1/2" doc:"cards in the attack, or won and lost in a mutiny and not dealt again yet, by kind, in the order of the actions discard=…"`
	strength forceRow                  `name:"attack.strength" max:"255" scale:"1/4" doc:"what those bring to an attack: navigation, guns, melee, and how many are of any skill"`

	tried       uint8                            `name:"mutiny.tried" doc:"this round has had its mutiny"`
	interrupted uint8                            `name:"mutiny.interrupted" doc:"a mutiny has undone what the Captain decided last"`
	role        [sides]uint8                     `name:"mutiny.role" doc:"one-hot: for whom the Quartermaster card was played: Captain, First Mutineer"`
	crewmen     [sides]uint8                     `name:"mutiny.crewmen" max:"255" scale:"1/8" doc:"crewmen for the Captain, for the First Mutineer"`
	sides       [sides][jollyroger.NumCrew]uint8 `name:"mutiny.cards" max:"12" scale:"1/2" doc:"cards for the Captain, for the First Mutineer, by kind, in the order of the actions discard=…"`
	passes      uint8                            `name:"mutiny.passes" max:"10" doc:"seats in a row that have passed, with the one that is asked to play a card for a side"`

	deck    uint8                     `name:"crew.deck" max:"66" scale:"1/32" doc:"cards in the deck"`
	discard [jollyroger.NumCrew]uint8 `name:"crew.discard" max:"12" scale:"1/2" doc:"cards in the discard by kind, in the order of the actions discard=…"`
	unseen  [jollyroger.NumCrew]uint8 `name:"crew.unseen" max:"12" scale:"1/2" doc:"cards that one does not see by kind: in the deck and the others' hands, in the order of the actions discard=…"`
	old     [jollyroger.NumCrew]uint8 `name:"crew.old" max:"12" scale:"1/2" doc:"cards that hands, one's own too, held when the discard was last shuffled into the deck, by kind: no more of them are held since then, in the order of the actions discard=…"`

	prizesLeft   uint8                       `name:"prizes.left" max:"46" scale:"1/32" doc:"prizes in the deck"`
	prizesOut    [jollyroger.NumPrizes]uint8 `name:"prizes.discard" max:"46" scale:"1/4" doc:"discarded prizes by kind: gold 1, gold 2, gold 3, rum, jewels, hostage"`
	prizesUnseen [jollyroger.NumPrizes]uint8 `name:"prizes.unseen" max:"46" scale:"1/4" doc:"prizes that one does not see by kind: the deck, and what of others one does not see: gold 1, gold 2, gold 3, rum, jewels, hostage"`
	spoils       [jollyroger.NumPrizes]uint8 `name:"spoils.prizes" max:"46" scale:"1/4" doc:"prizes being shared out by kind, for the seats that see them: gold 1, gold 2, gold 3, rum, jewels, hostage"`
	spoilsLeft   uint8                       `name:"spoils.cards" max:"46" doc:"how many are being shared out"`
	offer        [jollyroger.NumCrew]uint8   `name:"offer.crew" max:"12" scale:"1/2" doc:"crew cards offered by kind, for the seat that offers and the one that is to accept, in the order of the actions discard=…"`
	offerPrizes  [jollyroger.NumPrizes]uint8 `name:"offer.prizes" max:"46" scale:"1/4" doc:"prizes offered by kind, for the same: gold 1, gold 2, gold 3, rum, jewels, hostage"`

	hand   [jollyroger.NumCrew]uint8 `name:"self.hand_cards" max:"12" scale:"1/2" doc:"cards in one's hand by kind, in the order of the actions discard=…"`
	skills forceRow                  `name:"self.strength" max:"255" scale:"1/4" doc:"what they bring to an attack: navigation, guns, melee, and how many are of any skill"`
	men    uint8                     `name:"self.crewmen" max:"255" scale:"1/8" doc:"crewmen that they bring to a mutiny"`

	seats [jollyroger.MaxSeats]seatRow `name:"self,opponents[]"`

	known       [jollyroger.NumCrew][others]uint8   `name:"known.crew" max:"255" scale:"1/36" doc:"one has seen that another holds such a card: 36 for each card that one knows of, divided by the number of places where it can be; by kind, and seat from the left"`
	knownPrizes [jollyroger.NumPrizes][others]uint8 `name:"known.prizes" max:"255" scale:"1/36" doc:"hidden prizes: one has seen that another holds such a card: 36 for each card that one knows of, divided by the number of places where it can be; by kind, and seat from the left"`
	knownSpoils [jollyroger.NumPrizes]uint8         `name:"known.spoils" max:"255" scale:"1/36" doc:"hidden prizes: the same of prizes that may still be among those being shared out"`

	kind     [jollyroger.NumAsks]uint8 `name:"decision.kind" doc:"one-hot: what is asked, where one may know it: nothing, appoint, sail, mutiny, faction, sea dog, forced, lookout, first, attack, change, assign, traitor, cook, pick, share, carpenter, donate, claim, claim prize, exchange, sell, sailor, boatswain, bribe, bury, kid, punish, victim, discard, anytime, mate, gift, offer, accept, rest"`
	window   [windows]uint8            `name:"decision.window" doc:"one-hot, none before a mutiny may be called: when a card may be played any time: round start, appointed, choosing again, chosen, revealed, changed, in port, on island, before split, sharing, before punishment, ordered, before deal, round end"`
	moment   [moments]uint8            `name:"decision.moment" doc:"one-hot, none before an appointment: when gifts are offered: before the destination, a mutiny, prizes, punishment"`
	side     [sides]uint8              `name:"decision.side" doc:"one-hot: side for which a card is played: Captain, First Mutineer; with a Traitor, of the card that it may cancel"`
	settings [settings]uint8           `name:"decision.settings" doc:"appointment after a mutiny; choice by the Cook; offer to guard the ship; one has spoken; one has made an offer in this mutiny; those named go without"`
	trade    [2]uint8                  `name:"decision.trade" max:"46" scale:"1/2" doc:"hostages and jewels that may be ransomed and sold"`
	toName   uint8                     `name:"decision.left" max:"10" doc:"how many are still to be named who get one of the last cards of a mutiny or go without"`
	flight   [flights]uint8            `name:"decision.flight" doc:"one-hot: what the card does that a Traitor may cancel: an effect, join the attack, join a side, cancel"`
	card     [jollyroger.NumCrew]uint8 `name:"decision.card" doc:"one-hot: that card, in the order of the actions discard=…"`
	by       [2]uint8                  `name:"decision.by" doc:"one-hot: by what it changes a need: +1, -1"`
	killed   [sides]uint8              `name:"decision.killed" doc:"one-hot: whom it kills, a Cutthroat: Captain, First Mutineer"`
}

// targetRow is the needs of the cards that are left of a prize target.
type targetRow struct {
	prizes [2]uint8                       `name:"prizes" max:"10" doc:"fewest and most prizes that a card wins of those left of this destination"`
	needs  [jollyroger.NumSkills][2]uint8 `name:"needs" max:"6" doc:"least and most that one of them needs, of navigation, guns, melee"`
}

// forceRow is the strength of crew cards in an attack: navigation, guns, melee, and cards of
// any skill.
type forceRow [jollyroger.NumSkills + 1]uint8

// seatRow is a player.
type seatRow struct {
	present       uint8                        `name:"present" doc:"the seat is in the match"`
	captain       uint8                        `name:"captain" doc:"it is Captain"`
	quartermaster uint8                        `name:"quartermaster" doc:"it is Quartermaster; with three players the Captain is"`
	mutineer      uint8                        `name:"mutineer" doc:"it is First Mutineer"`
	guard         uint8                        `name:"guard" doc:"it guards the ship and may not bury"`
	side          [sides]uint8                 `name:"side" doc:"one-hot: it has taken sides with: Captain, First Mutineer"`
	hand          uint8                        `name:"hand" max:"66" scale:"1/8" doc:"crew cards in hand"`
	fresh         uint8                        `name:"new" max:"66" scale:"1/8" doc:"of them, those that may have come since the discard was last shuffled into the deck; 0 before that"`
	prizes        [jollyroger.NumPrizes]uint8  `name:"prizes" max:"46" scale:"1/4" doc:"prizes by kind that are not buried, where one sees them: gold 1, gold 2, gold 3, rum, jewels, hostage"`
	prizeCards    uint8                        `name:"prize_cards" max:"46" scale:"1/8" doc:"how many those are"`
	buried        [jollyroger.NumPrizes]uint8  `name:"buried" max:"46" scale:"1/4" doc:"buried prizes by kind, where one sees them: gold 1, gold 2, gold 3, rum, jewels, hostage"`
	buriedCards   uint8                        `name:"buried_cards" max:"46" scale:"1/8" doc:"how many those are"`
	split         uint8                        `name:"split" max:"46" scale:"1/2" doc:"prizes that it has got in this sharing-out"`
	says          [jollyroger.NumPhrases]uint8 `name:"says" doc:"one-hot: what it said last in this round: side with me, I side with you, give me, I give you, I will mutiny, I will not"`
	saysTo        [jollyroger.MaxSeats]uint8   `name:"says_to" doc:"one-hot: to whom: oneself, the seat k places on"`
	decides       uint8                        `name:"decides" doc:"the pending decision is the seat's, and one may know it"`
	concerned     uint8                        `name:"concerned" doc:"the decision is about the seat: whose card or prize it is, who asks or offers or is to accept, or is suggested"`
	asked         uint8                        `name:"asked" doc:"it was asked already to guard the ship, offered something in this mutiny, or named for the last cards of it"`
	aimed         uint8                        `name:"aimed" doc:"the card that one may cancel is aimed at the seat"`
}

// full is an observation of the full view.
type full struct {
	Seat      row
	others    [others]hiddenRow           `name:"hidden.opponents[]"`
	deck      [jollyroger.NumCrew]uint8   `name:"hidden.deck" max:"12" scale:"1/2" doc:"cards in the deck by kind, in the order of the actions discard=…"`
	pool      [jollyroger.NumCrew]uint8   `name:"hidden.pool" max:"12" scale:"1/2" doc:"cards of a mutiny by kind, while they are being dealt, in the order of the actions discard=…"`
	prizeDeck [jollyroger.NumPrizes]uint8 `name:"hidden.prize_deck" max:"46" scale:"1/4" doc:"prizes in the deck by kind: gold 1, gold 2, gold 3, rum, jewels, hostage"`
	spoils    [jollyroger.NumPrizes]uint8 `name:"hidden.spoils" max:"46" scale:"1/4" doc:"prizes being shared out by kind: gold 1, gold 2, gold 3, rum, jewels, hostage"`
	kind      [jollyroger.NumAsks]uint8   `name:"hidden.decision" doc:"one-hot: what is asked, in the order of decision.kind"`
}

// hiddenRow is the information that a player hides from another.
type hiddenRow struct {
	hand    [jollyroger.NumCrew]uint8   `name:"hand_cards" max:"12" scale:"1/2" doc:"crew cards in the seat's hand by kind, in the order of the actions discard=…"`
	prizes  [jollyroger.NumPrizes]uint8 `name:"prizes" max:"46" scale:"1/4" doc:"its prizes by kind that are not buried: gold 1, gold 2, gold 3, rum, jewels, hostage"`
	buried  [jollyroger.NumPrizes]uint8 `name:"buried" max:"46" scale:"1/4" doc:"its buried prizes by kind: gold 1, gold 2, gold 3, rum, jewels, hostage"`
	decides uint8                       `name:"decides" doc:"the pending decision is the seat's"`
}
