package jollyroger

import (
	"flag"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

var explained = flag.Int("explained", 1500, "decisions of each configuration whose events are checked")

func TestEventsExplainWhatChanges(t *testing.T) {
	enginetest.Explained(t, enginetest.Configurations(t, "jolly_roger"), *explained, enginetest.Explanation[State]{
		Events: eventForms, Rebuild: rebuild,
		Unsaid: []string{"Rand", "Stack", "Interrupted", "Offer", "OfferPrizes", // what is offered is told once it is proposed
			"Memories", "SightedBy", "Several", "Sighted", "Knowing", "Least", "Most", "Slots", "Open", "Old", "Free", "Got"},
		OnlyTell: []string{"passed", "ended_attack", "killed", "named", "sees", "ordered", "punished", "offered", "offered_card", "offered_prize", "withdrew", "accepted", "refused", "scored", "won"},
	})
}

// rebuild does to a state what an event says.
func rebuild(game engine.Match, s *State, e engine.Event) {
	r, _ := engine.RulesOf[State, *Rules](game)
	seat, arg := e.Seat, e.Arg
	hold := func(seat, card, n int8) {
		s.Hands[seat][card] += uint8(n)
		s.Size[seat] += uint8(n)
	}
	switch e.Kind {
	case HasCaptain:
		s.Captain, s.Since = seat, s.Round
		if !r.officers {
			s.Quartermaster = seat
		}
	case HasQuartermaster:
		s.Quartermaster = seat
	case HasBegunRound:
		s.Round, s.MutinyTried, s.Barred, s.Said = uint8(arg[0]), false, false, State{}.Said
	case HasBegunPhase:
		if s.Phase = Phase(arg[0]); s.Phase == PhaseVoyage {
			s.Destination = nowhere
		}
	case HasDrawn:
		s.Deck[arg[0]]--
		s.DeckSize--
		hold(seat, arg[0], 1)
	case HasReshuffled:
		s.Deck, s.Discard = s.Discard, State{}.Discard
		s.DeckSize = uint8(sum(s.Deck[:]))
	case HasDiscarded:
		hold(seat, arg[0], -1)
		s.Discard[arg[0]]++
	case HasGotCard:
		hold(seat, arg[0], 1)
		hold(arg[1], arg[0], -1)
	case HasChosen:
		s.Destination = arg[0]
	case HasRevealed:
		s.Target, s.Needs = arg[0], r.Targets[arg[0]].Needs
		s.Stacks[arg[0]/StackSize] &^= 1 << (arg[0] % StackSize)
	case HasChanged:
		s.Needs[arg[0]] = uint8(arg[1])
	case HasPlayed:
		hold(seat, arg[0], -1)
		if arg[1] == toBetray {
			s.Discard[arg[0]]++
		}
		if arg[1] > toUse {
			s.Side[seat] = arg[1] - toUse
		}
	case HasJoined:
		switch on := int(arg[1]); on {
		case intoAttack:
			s.Played[arg[0]]++
		case ontoDiscard:
			s.Discard[arg[0]]++
		case ontoTable:
			s.Map = true
		default:
			s.Sides[on-intoSide-1][arg[0]]++
		}
	case HasCancelled:
		s.Discard[arg[0]]++
	case HasFought:
		for c, n := range s.Played {
			s.Discard[c] += n
		}
		s.Played = State{}.Played
	case HasLeft:
		s.Destination, s.Target, s.Needs = nowhere, noTarget, State{}.Needs
	case HasMissedIsland:
		s.Barred = true
	case HasLanded:
		s.Stacks[TreasureIsland] &= s.Stacks[TreasureIsland] - 1
	case HasPutMapAway:
		s.Map, s.Guard = false, noSeat
		s.Discard[OldSailor]++
	case HasGuard:
		s.Guard = seat
	case HasMutinied:
		s.MutinyTried, s.Mutineer = true, seat
		s.Side[s.Captain], s.Side[seat] = ForCaptain, ForMutineer
	case HasSided:
		s.Side[seat], s.RoleSide = arg[0], arg[0]
	case HasPressed:
		s.Side[seat] = arg[0]
	case HasEndedMutiny:
		for _, side := range s.Sides {
			for c, n := range side {
				if c := Card(c); c == PowderMonkey || c == Cutthroat || c == SeaDog {
					s.Discard[c] += n
				} else {
					s.Played[c] += n
				}
			}
		}
		s.Mutineer, s.RoleSide, s.Barred = noSeat, Neutral, false
		s.Side, s.Offered, s.Sides = State{}.Side, State{}.Offered, State{}.Sides
	case HasLostPrize:
		s.Prizes[seat][arg[0]]--
		s.Spoils[arg[0]]++
	case HasBeenDealt:
		s.Played[arg[0]]--
		hold(seat, arg[0], 1)
	case HasSpoils:
		s.PrizeDeck[arg[0]]--
		s.PrizesLeft--
		s.Spoils[arg[0]]++
	case HasShare:
		s.Spoils[arg[0]]--
		s.Prizes[seat][arg[0]]++
		s.Split[seat]++
	case HasSharedOut:
		s.Split = State{}.Split
	case HasGotPrize:
		s.Prizes[seat][arg[0]]++
		s.Prizes[arg[1]][arg[0]]--
	case HasTraded:
		s.Prizes[seat][arg[0]]--
		s.PrizeOut[arg[0]]++
	case HasDrawnPrize:
		s.PrizeDeck[arg[0]]--
		s.PrizesLeft--
		s.Prizes[seat][arg[0]]++
	case HasBuried:
		s.Prizes[seat][arg[0]]--
		s.Buried[seat][arg[0]]++
	case HasUnearthed:
		s.Buried[arg[1]][arg[0]]--
		s.Prizes[seat][arg[0]]++
	case HasTurnedTo:
		if arg[1] != 0 {
			s.Offered[seat] |= bit(int(arg[0]))
		}
	case HasSaid:
		s.Said[seat] = uint8(1 + int(arg[0])*MaxSeats + int(arg[1]))
	case HasAppraised:
		if arg[0] != noPrize {
			s.PrizeDeck[arg[0]]--
			s.PrizesLeft--
			s.PrizeOut[arg[0]]++
		}
		s.Appraised[seat] += uint8(arg[1])
	}
}
