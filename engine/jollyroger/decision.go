package jollyroger

import "fmt"

// Decision says in one line what is to be decided, and by whom.
func (r *Rules) Decision(s *State) string {
	f := s.Top()
	who := fmt.Sprintf("seat %d", f.Seat)
	arg := func(i int) int { return int(f.Arg[i]) }
	switch f.Kind {
	case AskAppoint:
		return who + ": Captain, appoint a Quartermaster"
	case AskSail:
		return who + ": Captain, choose the destination"
	case AskMutiny:
		return who + ": call a mutiny with a crew card, or pass"
	case AskFaction:
		return fmt.Sprintf("%s: mutiny, %d crewmen for the Captain, %d against: play a card, or pass", who, r.Crewmen(s, ForCaptain), r.Crewmen(s, ForMutineer))
	case AskSeaDog:
		return who + ": Sea Dog: who must join your side? Pass to play him as a crewman only"
	case AskForced:
		return fmt.Sprintf("%s: pressed into the side of the %s: play a card", who, sideNames[arg(0)])
	case AskLookout:
		return who + ": Lookout: reveal the destination now, or pass"
	case AskFirst:
		return who + ": " + r.officer() + ", play the first card of the attack"
	case AskAttack:
		if f.Seat == s.Quartermaster {
			return who + ": attack: " + r.officer() + ", play a card, reveal the destination, or pass"
		}
		return who + ": attack: play a card, or pass"
	case AskChange:
		return who + ": change what the destination needs, or pass"
	case AskAssign:
		return who + ": " + r.officer() + ", use the cards of any skill so that the attack succeeds or fails"
	case AskTraitor:
		return fmt.Sprintf("%s: Traitor: cancel %s of seat %d, or pass", who, crewNames[arg(0)], arg(1))
	case AskCook:
		return who + ": Cook: choose a prize before the Captain, or pass"
	case AskPick:
		return who + ": choose a prize"
	case AskShare:
		return who + ": " + r.officer() + ", give away a prize"
	case AskCarpenter:
		return who + ": Carpenter: ask for a prize, or pass"
	case AskDonate:
		return fmt.Sprintf("%s: give the carpenter, seat %d, a prize, or pass", who, arg(0))
	case AskClaim:
		if !r.officers {
			return who + ": Carpenter: claim a prize from the Captain"
		}
		return who + ": Carpenter: claim a prize from the Captain or the Quartermaster"
	case AskClaimPrize:
		return fmt.Sprintf("%s: Carpenter: which prize of seat %d?", who, arg(0))
	case AskExchange:
		return who + ": port: exchange a prize for a crew card, or pass"
	case AskSell:
		return who + ": port: ransom a hostage, sell jewels, or pass"
	case AskSailor:
		return who + ": play the Old Sailor to reach Treasure Island, or pass"
	case AskBoatswain:
		return who + ": Boatswain: who guards the ship and may not bury? Or pass"
	case AskBribe:
		return who + ": you guard the ship: bribe somebody to do it, or pass"
	case AskBury:
		return who + ": bury a prize, all of them, or pass"
	case AskKid:
		return who + ": Smart Kid: from whom do you take a buried prize? Or pass"
	case AskPunish:
		return who + ": Captain, order a punishment or spare the crew"
	case AskVictim:
		if f.Arg[0] > 0 {
			return fmt.Sprintf("%s: Quartermaster, whom do you punish? The Captain suggests seat %d", who, arg(0)-1)
		}
		return who + ": " + r.officer() + ", whom do you punish?"
	case AskDiscard:
		return fmt.Sprintf("%s: discard a card, down to %d", who, r.limit)
	case AskAnytime:
		return who + ": play a card that may be played any time, or pass (" + windowNames[arg(0)] + ")"
	case AskMate:
		return who + ": Second Mate: from whom do you steal a card?"
	case AskGift:
		return who + ": offer a gift, or pass (" + momentNames[arg(0)] + ")"
	case AskOffer:
		return fmt.Sprintf("%s: add a card to the offer to seat %d, propose it, or pass to take it back", who, arg(0))
	case AskAccept:
		if f.Arg[1] != 0 {
			return fmt.Sprintf("%s: accept what seat %d offers, and guard the ship?", who, arg(0))
		}
		return fmt.Sprintf("%s: accept what seat %d offers?", who, arg(0))
	case AskRest:
		if f.Arg[1] != 0 {
			return fmt.Sprintf("%s: %s, who goes without one of the last cards of the mutiny? (%d to name)", who, r.officer(), arg(0))
		}
		return fmt.Sprintf("%s: %s, who gets one of the last cards of the mutiny? (%d to name)", who, r.officer(), arg(0))
	case ChooseCaptain:
		return "chance: who gets the Captain card"
	case DealCrew:
		return "chance: " + who + " draws a crew card"
	case DealPool:
		return "chance: " + who + " is dealt a card of the mutiny"
	case DealTarget:
		return "chance: the destination is revealed: " + destinationNames[s.Destination]
	case DealSpoils:
		return "chance: a prize is drawn to be shared out"
	case DealPrize:
		return "chance: " + who + " draws a prize"
	case StealCrew:
		return fmt.Sprintf("chance: %s steals a crew card of seat %d", who, arg(0))
	case LoseCrew:
		return "chance: " + who + " loses a crew card"
	case StealBuried:
		return fmt.Sprintf("chance: %s takes a buried prize of seat %d", who, arg(0))
	case StealPrize:
		return fmt.Sprintf("chance: %s takes a prize of seat %d", who, arg(0))
	case Appraise:
		return "chance: what the jewels of " + who + " are worth"
	}
	return "the match is over"
}

// officer is who does the Quartermaster's work.
func (r *Rules) officer() string {
	if r.officers {
		return "Quartermaster"
	}
	return "Captain"
}
