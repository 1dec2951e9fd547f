package encode

import (
	"fmt"
	"reflect"

	"github.com/privateer-rl/privateer/engine/jollyroger"
)

// This file declares what an observation of Jolly Roger contains. There is room in it for
// every number of seats and every variant, so that a policy can move between
// them; what a configuration does not use is zero.
//
// Seats are counted clockwise from the one that observes: self, then opponents[0] …
// opponents[8].

const (
	pirateOthers   = jollyroger.MaxSeats - 1
	pirateBribes   = 3
	pirateSides    = 2  // of a mutiny: the Captain's, the First Mutineer's
	pirateFlights  = 4  // ways in which a card is announced
	mostCopies     = 12 // of a crew card; components.yaml may have as many
	mostCards      = 66 // crew cards in all
	mostPrizes     = 46
	wholeSighting  = 36 // what a sighting of a card counts that can be in one place only
	pirateSettings = 4
	pirateTargets  = jollyroger.PiratePort // destinations that are attacked come first
)

// Of decision.settings.
const (
	settingMutiny = iota
	settingCook
	settingGuard
	settingSpoken
)

// declareJollyRoger declares the groups in the order of pirateFull, and returns
// how many of them make the seat view.
func declareJollyRoger(b *builder) (seatGroups int) {
	b.flags("game.players", "one-hot: number of seats, 3 to 10", jollyroger.MaxSeats-jollyroger.MinSeats+1)
	b.flags("game.hidden_prizes", "variant: prizes lie face down")
	b.flags("game.captains_gold", "variant: a prize that the Captain exchanges brings everybody a card")
	b.flags("game.bribes", "one-hot: none, gifts, gifts and talk", pirateBribes)
	b.number("game.limit", "most crew cards that a hand may hold", mostCards, 1.0/8)
	b.flags("game.phase", "one-hot: set-up, appointment, voyage, attack, prizes, port, island, punishment, over", jollyroger.NumPhases)
	b.count("game.round", "number of the round, from 1; 0 during set-up", 10)
	declareVoyage(b)
	declareMutiny(b)
	declarePirateCards(b)
	for k := range jollyroger.MaxSeats {
		declarePirate(b, seatName(k))
	}
	declareKnown(b)
	declareAsked(b)
	seatGroups = len(b.groups)
	declarePirateHidden(b)
	b.fits(reflect.TypeFor[pirateFull]())
	return seatGroups
}

const byCard = ", in the order of the actions discard=…"

const byPrize = ": gold 1, gold 2, gold 3, rum, jewels, hostage"

// crewCards and prizeCards declare numbers of cards by kind.
func (b *builder) crewCards(name, doc string) {
	b.number(name, doc+byCard, mostCopies, 1.0/2, jollyroger.NumCrew)
}

func (b *builder) prizeCards(name, doc string) {
	b.number(name, doc+byPrize, mostPrizes, 1.0/4, jollyroger.NumPrizes)
}

func declareVoyage(b *builder) {
	b.flags("voyage.destination", "one-hot: fort, merchant ship, settlement, pirate port, treasure island; zero before it is chosen", jollyroger.NumDestinations)
	b.flags("voyage.target", "one-hot: the revealed card: eight forts, merchant ships, settlements and ports, three islands", jollyroger.NumCards)
	b.number("voyage.needs", "navigation, guns, melee that the revealed target needs, as officers have changed it", mostCards, 1.0/4, int(jollyroger.NumSkills))
	b.count("voyage.prizes", "prizes that the revealed target wins", jollyroger.MaxSeats)
	b.flags("voyage.barred", "Treasure Island could not be reached this round")
	b.flags("voyage.map", "an Old Sailor lies on the table")
	b.flags("voyage.left", "the card is left in its stack; in the order of voyage.target", jollyroger.NumCards)
	b.count("stacks.cards", "cards left of each destination, in the order of voyage.destination", jollyroger.StackSize, jollyroger.NumDestinations)
	for d := range pirateTargets {
		name := fmt.Sprintf("stacks[%d]", d)
		b.count(name+".prizes", "fewest and most prizes that a card wins of those left of this destination", jollyroger.MaxSeats, 2)
		b.count(name+".needs", "least and most that one of them needs, of navigation, guns, melee", 6, int(jollyroger.NumSkills), 2)
	}
	b.count("stacks[3].crew", "fewest and most crew cards for each player that a port brings of those left", 3, 2)
	b.crewCards("attack.played", "cards in the attack, or won and lost in a mutiny and not dealt again yet, by kind")
	b.number("attack.strength", "what those bring to an attack: navigation, guns, melee, and how many are of any skill", 255, 1.0/4, int(jollyroger.NumSkills)+1)
}

func declareMutiny(b *builder) {
	b.flags("mutiny.tried", "this round has had its mutiny")
	b.flags("mutiny.interrupted", "a mutiny has undone what the Captain decided last")
	b.flags("mutiny.role", "one-hot: for whom the Quartermaster card was played: Captain, First Mutineer", pirateSides)
	b.number("mutiny.crewmen", "crewmen for the Captain, for the First Mutineer", 255, 1.0/8, pirateSides)
	b.number("mutiny.cards", "cards for the Captain, for the First Mutineer, by kind"+byCard, mostCopies, 1.0/2, pirateSides, jollyroger.NumCrew)
	b.count("mutiny.passes", "seats in a row that have passed, with the one that is asked to play a card for a side", jollyroger.MaxSeats)
}

func declarePirateCards(b *builder) {
	b.number("crew.deck", "cards in the deck", mostCards, 1.0/32)
	b.crewCards("crew.discard", "cards in the discard by kind")
	b.crewCards("crew.unseen", "cards that one does not see by kind: in the deck and the others' hands")
	b.crewCards("crew.old", "cards that hands, one's own too, held when the discard was last shuffled into the deck, by kind: no more of them are held since then")
	b.number("prizes.left", "prizes in the deck", mostPrizes, 1.0/32)
	b.prizeCards("prizes.discard", "discarded prizes by kind")
	b.prizeCards("prizes.unseen", "prizes that one does not see by kind: the deck, and what of others one does not see")
	b.prizeCards("spoils.prizes", "prizes being shared out by kind, for who sees them")
	b.count("spoils.cards", "how many are being shared out", mostPrizes)
	b.crewCards("offer.crew", "crew cards offered by kind, for who offers and who is to accept")
	b.prizeCards("offer.prizes", "prizes offered by kind, for the same")
	b.crewCards("self.hand_cards", "cards in one's hand by kind")
	b.number("self.strength", "what they bring to an attack: navigation, guns, melee, and how many are of any skill", 255, 1.0/4, int(jollyroger.NumSkills)+1)
	b.number("self.crewmen", "crewmen that they bring to a mutiny", 255, 1.0/8)
}

func declarePirate(b *builder, name string) {
	b.flags(name+".present", "the seat is in the match")
	b.flags(name+".captain", "it is Captain")
	b.flags(name+".quartermaster", "it is Quartermaster; with three players the Captain is")
	b.flags(name+".mutineer", "it is First Mutineer")
	b.flags(name+".guard", "it guards the ship and may not bury")
	b.flags(name+".side", "one-hot: it has taken sides with: Captain, First Mutineer", pirateSides)
	b.number(name+".hand", "crew cards in hand", mostCards, 1.0/8)
	b.number(name+".new", "of them, those that may have come since the discard was last shuffled into the deck; 0 before that", mostCards, 1.0/8)
	b.prizeCards(name+".prizes", "prizes by kind that are not buried, where one sees them")
	b.number(name+".prize_cards", "how many those are", mostPrizes, 1.0/8)
	b.prizeCards(name+".buried", "buried prizes by kind, where one sees them")
	b.number(name+".buried_cards", "how many those are", mostPrizes, 1.0/8)
	b.number(name+".split", "prizes that it has got in this sharing-out", mostPrizes, 1.0/2)
	b.flags(name+".says", "one-hot: what it said last in this round: side with me, I side with you, give me, I give you, I will mutiny, I will not", jollyroger.NumPhrases)
	b.flags(name+".says_to", "one-hot: to whom: oneself, the seat k places on", jollyroger.MaxSeats)
	b.flags(name+".decides", "the pending decision is the seat's, and one may know it")
	b.flags(name+".concerned", "the decision is about the seat: whose card or prize it is, who asks or offers or is to accept, or is suggested")
	b.flags(name+".asked", "it was asked already to guard the ship")
	b.flags(name+".aimed", "the card that one may cancel is aimed at the seat")
}

func declareKnown(b *builder) {
	share := "one has seen that another holds such a card: 36 for each card that one knows of, divided by the number of places where it can be; by kind, and seat from the left"
	b.number("known.crew", share, 255, 1.0/wholeSighting, jollyroger.NumCrew, pirateOthers)
	b.number("known.prizes", "hidden prizes: "+share, 255, 1.0/wholeSighting, jollyroger.NumPrizes, pirateOthers)
	b.number("known.spoils", "hidden prizes: the same of prizes that may still be among those being shared out", 255, 1.0/wholeSighting, jollyroger.NumPrizes)
}

func declareAsked(b *builder) {
	b.flags("decision.kind", "one-hot: what is asked, where one may know it: (0 nothing) appoint, sail, mutiny, faction, sea dog, forced, lookout, first, attack, change, assign, traitor, cook, pick, share, carpenter, donate, claim, claim prize, exchange, sell, sailor, boatswain, bribe, bury, kid, punish, victim, discard, anytime, mate, gift, offer, accept", jollyroger.NumAsks)
	b.flags("decision.window", "one-hot: when a card may be played any time: round start, appointed, chosen, revealed, before split, before punishment, round end", jollyroger.NumWindows)
	b.flags("decision.moment", "one-hot: when gifts are offered: before the destination, a mutiny, prizes, punishment", jollyroger.NumMoments)
	b.flags("decision.side", "one-hot: side for which a card is played: Captain, First Mutineer; with a Traitor, of the card that he may cancel", pirateSides)
	b.flags("decision.settings", "appointment after a mutiny; choice by the Cook; offer to guard the ship; one has spoken", pirateSettings)
	b.number("decision.trade", "hostages and jewels that may be ransomed and sold", mostPrizes, 1.0/2, 2)
	b.flags("decision.flight", "one-hot: what the card does that a Traitor may cancel: an effect, join the attack, join a side, cancel", pirateFlights)
	b.flags("decision.card", "one-hot: that card"+byCard, jollyroger.NumCrew)
	b.flags("decision.by", "one-hot: by what it changes a need: +1, -1", 2)
	b.flags("decision.killed", "one-hot: whom it kills, a Cutthroat: Captain, First Mutineer", pirateSides)
}

func declarePirateHidden(b *builder) {
	for k := 1; k < jollyroger.MaxSeats; k++ {
		name := "hidden." + seatName(k)
		b.crewCards(name+".hand_cards", "crew cards in the seat's hand by kind")
		b.prizeCards(name+".prizes", "its prizes by kind that are not buried")
		b.prizeCards(name+".buried", "its buried prizes by kind")
		b.flags(name+".decides", "the pending decision is the seat's")
	}
	b.crewCards("hidden.deck", "cards in the deck by kind")
	b.crewCards("hidden.pool", "cards of a mutiny by kind, while they are being dealt")
	b.prizeCards("hidden.prize_deck", "prizes in the deck by kind")
	b.prizeCards("hidden.spoils", "prizes being shared out by kind")
	b.flags("hidden.decision", "one-hot: what is asked, in the order of decision.kind", jollyroger.NumAsks)
}
