package doubloons

import (
	"fmt"
	"strings"
)

// Decision says in one line what is to be decided, and by whom. It says nothing
// that the other seats may not know.
func (r *Rules) Decision(s *State) string {
	f := s.Top()
	arg := func(i int) int { return int(f.Arg[i]) }
	who := shipTitle(f.Seat)
	switch f.Kind {
	case AskCaptain:
		return who + ": choose a captain"
	case AskPlace:
		return who + ": place your ship in a region, facing clockwise or counterclockwise"
	case AskSextant:
		return who + ": Stone Sextant: swap a map fragment with an enemy, or decline"
	case AskSextantOwn:
		return fmt.Sprintf("%s: Stone Sextant: which fragment do you give %s?", who, shipTitle(f.Arg[0]))
	case AskSextantTheirs:
		return fmt.Sprintf("%s: Stone Sextant: which fragment do you take from %s?", who, shipTitle(f.Arg[0]))
	case AskProgram:
		return fmt.Sprintf("%s: choose the card for slot %d, face down", who, arg(0)+1)
	case AskMove:
		return who + ": movement: " + movesLeft(f)
	case AskAction:
		return fmt.Sprintf("%s: choose an action of card %s", who, cardNames[s.Ships[f.Seat].Table[arg(0)]])
	case AskHighWater:
		return fmt.Sprintf("%s: Attack: Forward with %d damage, at the region faced (near) or the one beyond (far)", who, arg(0))
	case AskReroll:
		return fmt.Sprintf("%s: the die shows %s: roll again (accept) or keep it (decline)?", who, Face(f.Arg[0]))
	case AskBoard:
		return fmt.Sprintf("%s: which ship do you Board to steal %s?", who, r.lootWord(&r.Cards[s.Ships[f.Seat].Table[arg(0)]]))
	case AskStealFragment:
		return fmt.Sprintf("%s: which map fragment of %s do you steal?", who, shipTitle(f.Arg[0]))
	case AskStealJewel:
		return fmt.Sprintf("%s: which jewel of %s do you steal?", who, shipTitle(f.Arg[0]))
	case AskHunt:
		return who + ": Advance: which type of map fragment do you name?"
	case AskPath:
		return fmt.Sprintf("%s: which way from %s?", who, nodeNames[s.Ships[f.Seat].Node])
	case AskStack:
		return who + ": Exploit: draw from which stack of landmarks?"
	case AskDrawTwo:
		return fmt.Sprintf("%s: draw two %s landmarks and choose one (accept), or draw one (decline)?", who, colourNames[arg(0)])
	case AskKeep:
		return fmt.Sprintf("%s: keep %s or %s?", who, r.LandmarkTitle[arg(3)], r.LandmarkTitle[arg(4)])
	case AskExploit:
		return fmt.Sprintf("%s: who resolves %s?", who, r.LandmarkTitle[arg(0)])
	case AskPay:
		return fmt.Sprintf("%s: %s: pay %d for its effect?", who, r.LandmarkTitle[arg(0)], cost(arg(0)))
	case AskHut:
		return fmt.Sprintf("%s: Voodoo Hut: turn it on which enemy of seat %d, or decline?", who, arg(0))
	case AskHutMove:
		if f.Arg[3] != 0 {
			return fmt.Sprintf("%s: Voodoo Hut: move the ship of %s once more, or leave it (stay)", who, shipTitle(f.Arg[0]))
		}
		return fmt.Sprintf("%s: Voodoo Hut: which way does the ship of %s move first?", who, shipTitle(f.Arg[0]))
	case AskGiver:
		return fmt.Sprintf("%s: %s: which enemy of seat %d gives?", who, r.LandmarkTitle[arg(0)], arg(1))
	case AskReceiver:
		return fmt.Sprintf("%s: %s: who receives from %s?", who, r.LandmarkTitle[arg(0)], shipTitle(f.Arg[1]))
	case AskGive:
		return fmt.Sprintf("%s: which map fragment do you give %s?", who, shipTitle(f.Arg[0]))
	case AskPlaceLegendary:
		return who + ": place the legendary ghost ship in a region, facing clockwise or counterclockwise"
	case AskGiveLegendary:
		return fmt.Sprintf("%s: which map fragment does the legendary ghost ship give %s?", who, shipTitle(f.Arg[0]))
	case AskCompass:
		return fmt.Sprintf("%s: use a compass to exchange card %s for one that lies face up, or decline", who, cardNames[s.Ships[f.Seat].Table[arg(0)]])
	case AskMystic:
		return fmt.Sprintf("%s: Old Mystic: from whom does seat %d steal a compass?", who, arg(0))
	case AskBlackJewel:
		return who + ": which ship gets your black jewel?"
	case AskTotem:
		return fmt.Sprintf("%s: take a totem of %s, or decline", who, nodeNames[s.Ships[f.Seat].Node])
	case AskDuel:
		return who + ": whose captain do you duel with?"
	case AskDuelReroll:
		return fmt.Sprintf("%s: duel with %s: the die shows %s: roll again (accept) or keep it (decline)?", who, shipTitle(f.Arg[1]), Face(f.Arg[0]))
	case AskStealTotem:
		return fmt.Sprintf("%s: duel: which totem of %s do you steal?", who, shipTitle(f.Arg[0]))
	case AskShell:
		return fmt.Sprintf("%s: take a shell of region %d, or decline", who, s.Ships[f.Seat].Region)
	case AskStealShell:
		return fmt.Sprintf("%s: which shell of %s do you steal?", who, shipTitle(firstVictim(f)))
	case AskPlaceTotem:
		return fmt.Sprintf("%s: on which beach do you place the totem %s?", who, symbolNames[arg(0)])
	case AskPlaceShell:
		return fmt.Sprintf("%s: in which region do you place the shell %s?", who, symbolNames[arg(0)])
	case AskBeach:
		return fmt.Sprintf("%s: %s: Advance to any beach, or decline", who, r.LandmarkTitle[s.Tiles[s.Ships[f.Seat].Node]])
	case AskRelicSwap:
		return fmt.Sprintf("%s: %s: swap a %s with an enemy, or decline", who, r.LandmarkTitle[arg(0)], relicWord(arg(0)))
	case AskRelicOwn:
		return fmt.Sprintf("%s: %s: which %s do you give %s?", who, r.LandmarkTitle[arg(0)], relicWord(arg(0)), shipTitle(f.Arg[1]))
	case AskRelicTheirs:
		return fmt.Sprintf("%s: %s: which %s do you take from %s?", who, r.LandmarkTitle[arg(0)], relicWord(arg(0)), shipTitle(f.Arg[1]))
	case DrawRelic:
		if f.Arg[0] != 0 {
			return fmt.Sprintf("chance: %s draws a relic of the crater to place it", who)
		}
		return fmt.Sprintf("chance: %s draws a relic of the crater", who)
	case RollDuel:
		return fmt.Sprintf("chance: %s rolls the attack die in a duel with %s", who, shipTitle(f.Arg[0]))
	case LoseShell:
		return fmt.Sprintf("chance: which shell of %s %s steals", shipTitle(firstVictim(f)), who)
	case RollInitiative:
		return "chance: who takes the initiative token"
	case DrawWater:
		return fmt.Sprintf("chance: the water tile of region %d", arg(0))
	case DealFragment:
		if r.Modules.Has(AlternateIsland) {
			return fmt.Sprintf("chance: a map fragment that %s begins with", who)
		}
		return fmt.Sprintf("chance: the first map fragment of %s", who)
	case DrawCard:
		return fmt.Sprintf("chance: %s draws a card", who)
	case RollDie:
		return fmt.Sprintf("chance: %s rolls the attack die", who)
	case RollJewel:
		return fmt.Sprintf("chance: %s rolls the attack die for a black jewel", who)
	case DrawMap:
		return fmt.Sprintf("chance: %s draws a map tile", who)
	case DrawLandmark:
		return fmt.Sprintf("chance: %s draws a %s landmark", who, colourNames[arg(0)])
	case DrawJewel:
		return fmt.Sprintf("chance: %s draws a jewel", who)
	}
	return "the match is over"
}

var lootWords = [NumLoot]string{
	"nothing", "a map fragment", "half the doubloons", "1 crew", "2 crew", "a jewel", "a reputation level",
}

// relicWord is what a Tribal Ruin swaps.
func relicWord(tile int) string {
	if tile == DecayingTemple {
		return "totem"
	}
	return "shell"
}

// movesLeft lists the movement icons of an AskMove frame in words.
func movesLeft(f Frame) string {
	var words []string
	for i, word := range []string{"Sail", "Sail (optional)", "Come About", "Come About (optional)"} {
		for range f.Arg[i] {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}
