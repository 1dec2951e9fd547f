package jollyroger

import (
	"fmt"
	"math"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/frames"
)

// The events of a match, each kind in one row. The rules note an event where they cause it.

// The kinds of event.
const (
	HasCaptain engine.EventKind = iota + 1
	HasQuartermaster
	HasBegunRound
	HasBegunPhase
	HasDrawn
	HasReshuffled
	HasDiscarded
	HasGotCard
	HasPassed
	HasChosen
	HasRevealed
	HasChanged
	HasPlayed
	HasJoined
	HasCancelled
	HasEndedAttack
	HasFought
	HasLeft
	HasMissedIsland
	HasLanded
	HasPutMapAway
	HasGuard
	HasMutinied
	HasSided
	HasPressed
	HasKilled
	HasEndedMutiny
	HasLostPrize
	HasNamed
	HasBeenDealt
	HasSpoils
	HasSighted
	HasShare
	HasSharedOut
	HasGotPrize
	HasTraded
	HasDrawnPrize
	HasBuried
	HasUnearthed
	HasOrdered
	HasPunished
	HasTurnedTo
	HasOffered
	HasOfferedCard
	HasOfferedPrize
	HasWithdrawn
	HasAccepted
	HasRefused
	HasSaid
	HasAppraised
	HasScored
	HasWon
)

// The uses of crew cards. Those for a side follow toUse, by side.
const (
	toFight = iota
	toBetray
	toUse
)

// Where they lie: with a side, by its number, or elsewhere.
const (
	intoSide   = 0
	intoAttack = iota + int(ForMutineer)
	ontoDiscard
	ontoTable
)

// How cards go from one seat to another.
const (
	asGift = iota
	asTheft
	asClaim
)

// The purposes of discarding a prize in a port.
const (
	forCard = iota
	forPrizes
)

const noPrize = -1

// eventForms are the rows.
var eventForms = func() *frames.Events {
	args, number := frames.Args, frames.Number
	seat := frames.Worded(number(0, MaxSeats-1), seatWord)
	card, prize := frames.Name(crewNames...), frames.Name(prizeNames...)
	side := frames.Name(sideNames...)
	how := frames.Name("gift", "theft", "claim")
	destination, target := frames.Name(destinationNames...), frames.Name(targetNames...)
	skill := number(0, 127)
	asked := make([]string, NumAsks)
	copy(asked, widest.Names())
	return frames.New([]frames.Form[engine.EventKind]{
		{Kind: HasCaptain, Name: "captain", Seat: seat, Says: "{seat} is Captain"},
		{Kind: HasQuartermaster, Name: "quartermaster", Seat: seat, Says: "{seat} is Quartermaster"},
		{Kind: HasBegunRound, Name: "round", Args: args("round", number(1, Rounds)), Says: "round {round} begins"},
		{Kind: HasBegunPhase, Name: "phase", Args: args("phase", frames.Name(phaseNames...))},
		{Kind: HasDrawn, Name: "drew", Seat: seat, Args: args("card", card), Hides: "card", Joins: "card", Says: "{seat} draws {cards}", Else: "{seat} draws {so many cards}"},
		{Kind: HasReshuffled, Name: "reshuffled", Says: "the discarded crew cards become the deck"},
		{Kind: HasDiscarded, Name: "discarded", Seat: seat, Args: args("card", card), Joins: "card", Says: "{seat} discards {cards}"},
		{Kind: HasGotCard, Name: "got_card", Seat: seat, Args: args("card", card, "from", seat, "as", how), Hides: "card", Joins: "card",
			Says: "{seat} {gets} {cards} from {from}", Else: "{seat} {gets} {so many cards} from {from}"},
		{Kind: HasPassed, Name: "passed", Seat: seat, Args: args("asked", frames.Name(asked...)), Says: "{seat} {declines}"},
		{Kind: HasChosen, Name: "sailed_for", Seat: seat, Args: args("destination", destination), Says: "{seat} sails for {destination in words}"},
		{Kind: HasRevealed, Name: "revealed", Args: args("card", target), Says: "{target}"},
		{Kind: HasChanged, Name: "needs", Args: args("skill", frames.Name(skillNames[:NumSkills]...), "number", number(0, 99), "destination", destination), Says: "{destination in words} needs {skill} {number} now"},
		{Kind: HasPlayed, Name: "played", Seat: seat, Args: args("card", card, "for", frames.Name("attack", "cancelling", "effect", "captain", "mutineers"),
			"with", number(-1, MaxSeats), "and", number(-1, NumCrew), "effect", frames.Flag()), Says: "{seat} plays {played}"},
		{Kind: HasJoined, Name: "laid", Seat: seat, Args: args("card", card, "on", frames.Name("", "captain", "mutineers", "attack", "discard", "table"))},
		{Kind: HasCancelled, Name: "cancelled", Seat: seat, Args: args("card", card), Says: "{cards} of {seat} is cancelled and discarded"},
		{Kind: HasEndedAttack, Name: "ended_attack", Seat: seat, Says: "{seat} ends the attack"},
		{Kind: HasFought, Name: "attack_over", Args: args("success", frames.Worded(frames.Flag(), chosen("fails", "succeeds")), "navigation", skill, "guns", skill, "melee", skill, "any", skill, "card", target),
			Says: "the attack {success}: navigation {navigation}, guns {guns}, melee {melee}{any skill}"},
		{Kind: HasLeft, Name: "destination_left"},
		{Kind: HasMissedIsland, Name: "no_map", Says: "nobody plays an Old Sailor: Treasure Island is not reached"},
		{Kind: HasLanded, Name: "landed", Says: "the ship reaches Treasure Island"},
		{Kind: HasPutMapAway, Name: "map_discarded", Says: "the Old Sailor is discarded"},
		{Kind: HasGuard, Name: "guard", Seat: seat, Says: "{seat} guards the ship"},
		{Kind: HasMutinied, Name: "mutiny", Seat: seat, Says: "{seat} calls a mutiny"},
		{Kind: HasSided, Name: "sided", Seat: seat, Args: args("side", side), Says: "{seat} plays the Quartermaster card for the {side in words}"},
		{Kind: HasPressed, Name: "pressed", Seat: seat, Args: args("side", side), Says: "{seat} is pressed to the side of the {side in words}"},
		{Kind: HasKilled, Name: "killed", Seat: seat, Args: args("whose", side), Says: "the Cutthroat of {seat} kills the {killed}: the mutiny ends"},
		{Kind: HasEndedMutiny, Name: "mutiny_over", Args: args("won_by", side, "for", number(0, 127), "against", number(0, 127), "cutthroat", side), Says: "the mutiny {ends}"},
		{Kind: HasLostPrize, Name: "lost_prize", Seat: seat, Args: args("prize", prize), Hides: "prize", Joins: "prize", Says: "{seat} loses {prizes}", Else: "{seat} loses {so many prizes}"},
		{Kind: HasNamed, Name: "named", Seat: seat, Args: args("who", seat, "without", frames.Worded(frames.Flag(), chosen("gets", "goes without"))),
			Says: "{who} {without} one of the last cards of the mutiny"},
		{Kind: HasBeenDealt, Name: "dealt", Seat: seat, Args: args("card", card), Hides: "card", Joins: "card",
			Says: "{seat} is dealt {cards} from the mutiny", Else: "{seat} is dealt {so many cards} from the mutiny"},
		{Kind: HasSpoils, Name: "spoils", Args: args("prize", prize), Hides: "prize", Joins: "prize", Says: "to be shared out: {prizes}", Else: "to be shared out: {so many prizes}"},
		{Kind: HasSighted, Name: "sees", Seat: seat, Args: args("prize", prize), Secret: true, Joins: "prize", Says: "{seat} sees among what is to be shared out: {prizes}"},
		{Kind: HasShare, Name: "share", Seat: seat, Args: args("prize", prize, "by", seat), Hides: "prize", Says: "{seat} {is given} {prizes}{by whom}", Else: "{seat} {is given} {so many prizes}{by whom}"},
		{Kind: HasSharedOut, Name: "shared_out"},
		{Kind: HasGotPrize, Name: "got_prize", Seat: seat, Args: args("prize", prize, "from", seat, "as", how), Hides: "prize", Joins: "prize",
			Says: "{seat} {gets} {prizes} from {from}", Else: "{seat} {gets} {so many prizes} from {from}"},
		{Kind: HasTraded, Name: "traded", Seat: seat, Args: args("prize", prize, "for", frames.Name("crew_card", "prizes")), Says: "{seat} {trades}"},
		{Kind: HasDrawnPrize, Name: "drew_prize", Seat: seat, Args: args("prize", prize), Hides: "prize", Joins: "prize", Says: "{seat} draws {prizes}", Else: "{seat} draws {so many prizes}"},
		{Kind: HasBuried, Name: "buried", Seat: seat, Args: args("prize", prize), Hides: "prize", Joins: "prize", Says: "{seat} buries {prizes}", Else: "{seat} buries {so many prizes}"},
		{Kind: HasUnearthed, Name: "unearthed", Seat: seat, Args: args("prize", prize, "from", seat), Hides: "prize", Says: "{seat} takes {prizes}, which {from} had buried",
			Else: "{seat} takes a prize that {from} had buried"},
		{Kind: HasOrdered, Name: "ordered", Seat: seat, Args: args("punishment", frames.Flag(), "suggested", frames.Shifted(-1, noSeat, MaxSeats-1)), Says: "{seat} {orders}"},
		{Kind: HasPunished, Name: "punished", Seat: seat, Args: args("victim", seat), Says: "{seat} punishes {victim}"},
		{Kind: HasTurnedTo, Name: "turned_to", Seat: seat, Args: args("to", seat, "in_mutiny", frames.Flag()), Says: "{seat} begins an offer to {to}"},
		{Kind: HasOffered, Name: "offered", Seat: seat, Args: args("to", seat, "guard", frames.Worded(frames.Flag(), chosen("", " for guarding the ship"))), Says: "{seat} makes {to} an offer{guard}"},
		{Kind: HasOfferedCard, Name: "offered_card", Seat: seat, Args: args("card", card, "to", seat), Secret: true, Joins: "card", Says: "{seat} offers {cards}"},
		{Kind: HasOfferedPrize, Name: "offered_prize", Seat: seat, Args: args("prize", prize, "to", seat), Secret: true, Joins: "prize", Says: "{seat} offers {prizes}"},
		{Kind: HasWithdrawn, Name: "withdrew", Seat: seat, Args: args("to", seat), Says: "{seat} offers {to} nothing after all"},
		{Kind: HasAccepted, Name: "accepted", Seat: seat, Args: args("from", seat), Says: "{seat} accepts what {from} offers"},
		{Kind: HasRefused, Name: "refused", Seat: seat, Args: args("from", seat), Says: "{seat} refuses what {from} offers"},
		{Kind: HasSaid, Name: "said", Seat: seat, Args: args("phrase", frames.Name(phraseNames...), "to", seat), Says: "{seat} says “{phrase in words}” to {to}"},
		{Kind: HasAppraised, Name: "appraised", Seat: seat, Args: args("prize", frames.NameFrom(noPrize, append([]string{"none"}, prizeNames...)...), "gold", number(0, 99)), Says: "jewels of {seat} are worth {gold} gold"},
		{Kind: HasScored, Name: "scored", Seat: seat, Args: args("gold", frames.Octet(255)), Says: "{seat} has {gold} gold{made of}"},
		{Kind: HasWon, Name: "won", Seat: seat, Args: args("shared", frames.Worded(frames.Flag(), chosen("", ", with others who have as much"))), Says: "{seat} wins{shared}"},
	}...)
}()

// declinings are what a seat does that passes openly, by what it was asked.
var declinings = map[Kind]string{
	AskMutiny: "calls no mutiny", AskFaction: "passes", AskFirst: "has no card for the attack", AskAttack: "passes", AskDonate: "gives nothing for the Carpenter", AskExchange: "exchanges nothing",
	AskSell: "sells nothing", AskBribe: "asks nobody to guard in its place", AskBury: "buries no more prizes",
}

// note reports an event, if anybody listens.
func (r *Rules) note(k engine.EventKind, seat int, args ...int) {
	if r.log != nil {
		r.log.Note(engine.Everybody, k, seat, args...)
	}
}

// noteTo reports an event whose card only some seats, as bits, see.
func (r *Rules) noteTo(privy uint16, k engine.EventKind, seat int, args ...int) {
	if r.log != nil {
		r.log.Note(privy, k, seat, args...)
	}
}

// notePrize is noteTo for prizes, which lie open but with hidden prizes.
func (r *Rules) notePrize(privy uint16, k engine.EventKind, seat int, args ...int) {
	if !r.hidden {
		privy = engine.Everybody
	}
	r.noteTo(privy, k, seat, args...)
}

// noteUse says that a special card is played for the effect f.
func (r *Rules) noteUse(f Frame) {
	r.note(HasPlayed, int(f.Seat), int(f.Arg[0]), toUse, int(f.Arg[1]), int(f.Arg[2]), 1)
}

// noteSide says that a card is played for a side of the mutiny, as commit does.
func (r *Rules) noteSide(seat int, c Card, side Side, effect bool, target int) {
	r.note(HasPlayed, seat, int(c), toUse+int(side), target, 0, int(engine.Bit(effect)))
}

// noteEnd reports everybody's possessions at the end, and the winner.
func (r *Rules) noteEnd(s *State) {
	if r.log == nil {
		return
	}
	best, winners := int64(math.MinInt64), uint16(0)
	for seat := range r.seats {
		r.note(HasScored, seat, int(r.gold(s, seat)))
		switch has := r.standing(s, seat); {
		case has > best:
			best, winners = has, bit(seat)
		case has == best:
			winners |= bit(seat)
		}
	}
	for seat := range r.seats {
		if winners&bit(seat) != 0 {
			r.note(HasWon, seat, int(engine.Bit(winners&(winners-1) != 0)))
		}
	}
}

// Noting are the rules that note in log what happens.
func (r *Rules) Noting(log *engine.Log) engine.Rules[State] {
	noting := *r
	noting.log = log
	return &noting
}

// Tell says what happened.
func (r *Rules) Tell(s *State, list []engine.Event, view int) []string {
	return frames.Tell(eventForms, list, view, func(t *frames.Telling, word string) string { return r.told(s, t, word) })
}

// EventForms describe the kinds of event.
func (r *Rules) EventForms() []engine.EventForm { return frames.EventForms(eventForms) }

// Event returns an event in its form for JSON.
func (r *Rules) Event(e engine.Event, view int) any { return frames.WriteEvent(eventForms, e, view) }

// cardWord is a crew card in words.
func (r *Rules) cardWord(c int8) string {
	if int(c) < NumNormal {
		one := make([]uint8, c+1)
		one[c] = 1
		return r.crewText(one)
	}
	words := strings.Split(crewNames[c], "_")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return "the " + strings.Join(words, " ")
}

// prizeWord is a prize in words.
func prizeWord(p int8) string { return strings.ReplaceAll(prizeNames[p], "_", " ") }

// sideWord is a side of a mutiny in words.
func sideWord(side Side) string { return []string{"", "Captain", "mutineers"}[side] }

// told stands for a word in braces of an event's sentence.
func (r *Rules) told(s *State, t *frames.Telling, word string) string {
	switch word {
	case "cards":
		kinds := t.Joined
		if kinds == nil {
			kinds = []int8{t.Arg("card")}
		}
		var list []string
		for _, c := range kinds {
			list = append(list, r.cardWord(c))
		}
		return strings.Join(list, ", ")
	case "so many cards":
		return engine.Count(len(t.Joined), "crew card", "")
	case "prizes":
		if t.Joined == nil {
			return prizeWord(t.Arg("prize"))
		}
		var counts [NumPrizes]uint8
		for _, p := range t.Joined {
			counts[p]++
		}
		return prizeText(counts[:], true)
	case "so many prizes":
		return prizeCount(max(1, len(t.Joined)))
	case "gets":
		return []string{"gets", "steals", "claims"}[t.Arg("as")]
	case "declines":
		return declinings[Kind(t.Arg("asked"))]
	case "destination in words":
		return destinationWords[t.Arg("destination")]
	case "target":
		card := t.Arg("card")
		d, target := Destination(int(card)/StackSize), &r.Targets[card]
		if d == PiratePort {
			return fmt.Sprintf("the Pirate Port has %s for each player", engine.Count(int(target.Crew), "crew card", ""))
		}
		return fmt.Sprintf("%s needs navigation %d, guns %d, melee %d and has %s", destinationWords[d],
			target.Needs[Navigation], target.Needs[Guns], target.Needs[Melee], prizeCount(target.Prizes))
	case "played":
		return r.playedWords(t)
	case "side in words":
		return sideWord(t.Arg("side"))
	case "ends":
		supporters, against := t.Arg("for"), t.Arg("against")
		ends := "fails"
		if t.Arg("won_by") == ForMutineer {
			ends = "succeeds"
		}
		if t.Arg("cutthroat") != Neutral {
			return ends
		}
		return fmt.Sprintf("%s: crewmen for the Captain %d, against %d", ends, supporters, against)
	case "is given":
		if t.Arg("by") == t.Seat {
			return "takes"
		}
		return "is given"
	case "by whom":
		if by := t.Arg("by"); by != t.Seat {
			return " by " + seatWord(by)
		}
		return ""
	case "trades":
		switch p := t.Arg("prize"); {
		case t.Arg("for") == forCard:
			return "exchanges " + prizeWord(p) + " for a crew card"
		case p == Hostage:
			return "ransoms a hostage"
		}
		return "sells jewels"
	case "any skill":
		if n := int(t.Arg("any")); n > 0 {
			return fmt.Sprintf(", of any skill %d", n*int(r.Crew[AnyCard].Value))
		}
		return ""
	case "killed":
		if t.Arg("whose") == ForCaptain {
			return "Captain"
		}
		return "First Mutineer"
	case "made of":
		var by [3]int32
		r.Scores(s, engine.Full, int(t.Seat), by[:])
		if by[1]+by[2] == 0 {
			return ""
		}
		return fmt.Sprintf(": gold %d, jewels %d, hostages %d", by[0], by[1], by[2])
	case "orders":
		switch suggested := t.Arg("suggested"); {
		case t.Arg("punishment") == 0:
			return "spares the crew"
		case suggested > 0:
			return "orders a punishment and suggests " + seatWord(suggested-1)
		}
		return "orders a punishment"
	case "phrase in words":
		return phraseWords[t.Arg("phrase")]
	}
	panic("jollyroger: no word for " + word)
}

// playedWords say what a card is played for.
func (r *Rules) playedWords(t *frames.Telling) string {
	c, with, and := t.Arg("card"), t.Arg("with"), t.Arg("and")
	words := r.cardWord(c)
	by := func(k Skill) string { return fmt.Sprintf("%s: %s %+d", words, skillNames[k], with) }
	switch how := t.Arg("for"); {
	case how == toFight:
		return words + " in the attack"
	case how == toBetray:
		return words + " against " + r.cardWord(and) + " of " + seatWord(with)
	case how > toUse:
		side := sideWord(how - toUse)
		switch {
		case t.Arg("effect") == 0:
			return words + " for the " + side
		case c == SeaDog:
			return fmt.Sprintf("%s for the %s to press %s", words, side, seatWord(with))
		case with == ForCaptain:
			return words + " to kill the Captain"
		}
		return words + " to kill the First Mutineer"
	}
	switch c {
	case SecondMate:
		if and == noSeat {
			return words + " to steal from " + seatWord(with)
		}
		return words + " to steal from " + seatWord(with) + " and " + seatWord(and)
	case Boatswain:
		return words + ": " + seatWord(with) + " is to guard the ship"
	case SmartKid:
		return words + " to take what " + seatWord(with) + " has buried"
	case FirstMate:
		return by(Melee)
	case MasterMariner:
		return by(Navigation)
	case Sharpshooter:
		return by(Guns)
	}
	return words
}
