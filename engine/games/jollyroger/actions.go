package jollyroger

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine"
)

// Phrases of the table talk. Nothing binds anyone to them.
const (
	SideWithMe = iota
	ISideWithYou
	GiveMe
	IGiveYou
	IWillMutiny
	IWillNotMutiny
	NumPhrases
)

var (
	phraseNames = []string{"side_with_me", "i_side_with_you", "give_me", "i_give_you", "i_will_mutiny", "i_will_not_mutiny"}
	phraseWords = []string{"Side with me", "I side with you", "Give me something", "I give you something", "I will mutiny", "I will not mutiny"}
)

// usable are the special cards that are played by name alone.
var usable = [...]Card{Carpenter, Cook, Lookout, OldSailor, SecondMate, Stowaways, Surgeon, Traitor}

// The action space: one flat list for every variant and number of seats. Seats
// are relative to the seat that decides: ToSeat+k is the seat k places clockwise.
const (
	ToPlay      engine.Action = 0                                          // play=…: in the attack
	ToSupport                 = ToPlay + engine.Action(NumNormal)          // support=…: for the Captain, in a mutiny
	ToOppose                  = ToSupport + engine.Action(NumCrew+1)       // oppose=…: for the First Mutineer; opens one too
	ToCutthroat               = ToOppose + engine.Action(NumCrew+1)        // cutthroat=captain, cutthroat=mutineer
	ToUse                     = ToCutthroat + 2                            // use=…
	ToChange                  = ToUse + engine.Action(len(usable))         // navigation=+1, navigation=-1, guns=…, melee=…
	ToSeat                    = ToChange + 2*engine.Action(NumSkills)      // seat=self, seat=+1 … seat=+9
	ToSail                    = ToSeat + MaxSeats                          // sail=…
	ToPass                    = ToSail + NumDestinations                   // pass
	ToReveal                  = ToPass + 1                                 // reveal
	ToSucceed                 = ToPass + 2                                 // succeed
	ToFail                    = ToPass + 3                                 // fail
	ToPrize                   = ToPass + 4                                 // prize=…
	ToGive                    = ToPrize + NumPrizes                        // give=prize,seat: MaxSeats × prize + k
	ToExchange                = ToGive + NumPrizes*MaxSeats                // exchange=…
	ToRansom                  = ToExchange + NumPrizes                     // ransom
	ToSell                    = ToRansom + 1                               // sell
	ToBury                    = ToRansom + 2                               // bury=…
	ToBuryAll                 = ToBury + NumPrizes                         // bury=all
	ToDiscard                 = ToBuryAll + 1                              // discard=…
	ToPunish                  = ToDiscard + engine.Action(NumCrew)         // punish
	ToSpare                   = ToPunish + 1                               // spare
	ToSuggest                 = ToPunish + 2                               // suggest=+1 … : punish, with a suggestion
	ToOffer                   = ToSuggest + MaxSeats - 1                   // offer=… a crew card, then a prize
	ToPropose                 = ToOffer + engine.Action(NumCrew+NumPrizes) // propose
	ToAccept                  = ToPropose + 1                              // accept
	ToRefuse                  = ToPropose + 2                              // refuse
	ToSay                     = ToPropose + 3                              // say=phrase,+k: (MaxSeats−1) × phrase + k − 1
	NumActions                = ToSay + NumPhrases*(MaxSeats-1)
)

// The outcomes of chance, after the actions.
const (
	OnCaptain   = NumActions                         // captain=…
	OnCrew      = OnCaptain + MaxSeats               // crew=…
	OnTarget    = OnCrew + engine.Action(NumCrew)    // destination=…
	OnPrize     = OnTarget + engine.Action(NumCards) // drawn=…
	endOutcomes = OnPrize + NumPrizes
	NumOutcomes = int(endOutcomes - NumActions)
)

// nameActions names all actions and outcomes.
func nameActions(in *engine.Info) {
	in.Actions, in.Outcomes = make([]string, NumActions), make([]string, NumOutcomes)
	name := in.NameActions
	seats, others, absolute := []string{"self"}, []string{}, []string{}
	for k := range MaxSeats {
		absolute = append(absolute, fmt.Sprint(k))
		if k > 0 {
			others = append(others, fmt.Sprintf("+%d", k))
		}
	}
	seats = append(seats, others...)
	withRole := append(crewNames[:NumCrew:NumCrew], "quartermaster")
	name(ToPlay, "play=", crewNames[:NumNormal]...)
	name(ToSupport, "support=", withRole...)
	name(ToOppose, "oppose=", withRole...)
	name(ToCutthroat, "cutthroat=", sideNames[ForCaptain:]...)
	for i, c := range usable {
		name(ToUse+engine.Action(i), "use=", crewNames[c])
	}
	for k := range NumSkills {
		name(ToChange+engine.Action(2*k), skillNames[k]+"=", "+1", "-1")
	}
	name(ToSeat, "seat=", seats...)
	name(ToSail, "sail=", destinationNames...)
	name(ToPass, "", "pass", "reveal", "succeed", "fail")
	name(ToPrize, "prize=", prizeNames...)
	for p, prize := range prizeNames {
		name(ToGive+engine.Action(p*MaxSeats), "give="+prize+",", seats...)
	}
	name(ToExchange, "exchange=", prizeNames...)
	name(ToRansom, "", "ransom", "sell")
	name(ToBury, "bury=", append(prizeNames[:NumPrizes:NumPrizes], "all")...)
	name(ToDiscard, "discard=", crewNames...)
	name(ToPunish, "", "punish", "spare")
	name(ToSuggest, "suggest=", others...)
	name(ToOffer, "offer=", append(crewNames[:NumCrew:NumCrew], prizeNames...)...)
	name(ToPropose, "", "propose", "accept", "refuse")
	for p, phrase := range phraseNames {
		name(ToSay+engine.Action(p*(MaxSeats-1)), "say="+phrase+",", others...)
	}
	name(OnCaptain, "captain=", absolute...)
	name(OnCrew, "crew=", crewNames...)
	name(OnTarget, "destination=", targetNames...)
	name(OnPrize, "drawn=", prizeNames...)
}

// Usable are the special cards that are played by name alone.
func Usable() []Card { return usable[:] }

// ToUseOf is the action that plays a special card by name.
func ToUseOf(c Card) engine.Action {
	for i, u := range usable {
		if u == c {
			return ToUse + engine.Action(i)
		}
	}
	panic("jollyroger: " + crewNames[c] + " is not played by name")
}
