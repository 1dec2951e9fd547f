package doubloons

import (
	"flag"
	"fmt"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

var explained = flag.Int("explained", 1500, "decisions of each configuration whose events are checked")

func TestEventsExplainWhatChanges(t *testing.T) {
	games := enginetest.Configurations(t, "doubloons")
	for seats := 2; seats <= MaxSeats; seats++ { // set-up, step by step
		games = append(games, fmt.Sprintf("doubloons(seats=%d,modules=alternate_island,max_rounds=1,chance=explicit)", seats))
	}
	enginetest.Explained(t, games, *explained, enginetest.Explanation[State]{
		Events: eventForms, Rebuild: rebuild,
		Unsaid: []string{"Rand", "Stack", "Seen", "Acquired", "Spare"},
		OnlyTell: []string{"turn_over", "captain_cards", "revealed", "acted", "declined", "attacked", "rolled", "boarded", "used_ability", "no_effect", "found", "named", "exploited", "kept", "resolved",
			"turned_hut_on", "duelled", "pillage_phase", "dug_up", "won"},
	})
}

// rebuild does to a state what an event says.
func rebuild(game engine.Match, s *State, e engine.Event) {
	r, _ := engine.RulesOf[State, *Rules](game)
	seat, sh, arg := e.Seat, &s.Ships[e.Seat], e.Arg
	at := func(i int) *Ship { return &s.Ships[arg[i]] }
	// fromBox takes things from where they lie that are on no ship.
	fromBox := func(good, n uint8) {
		switch g := int(good); {
		case g == GoodDoubloons:
			s.Island -= n
		case g == GoodTokens:
			s.Pillage -= n
		case g >= GoodFragments && g < GoodJewels:
			s.UnseenFragments[g-GoodFragments] -= n
		case g >= GoodJewels && g < GoodTotems:
			s.Jewels[g-GoodJewels] -= n
		case g >= GoodTotems && g < GoodShells:
			s.Relics[Totem][g-GoodTotems] -= n
		case g >= GoodShells:
			s.Relics[Shell][g-GoodShells] -= n
		}
	}
	switch e.Kind {
	case HasInitiative:
		s.Initiative = seat
	case HasLaidWater:
		s.Water[arg[0]] = arg[1]
	case HasMovedMists:
		s.Water[arg[0]], s.Water[arg[1]] = s.Water[arg[1]], s.Water[arg[0]]
	case HasTakenCaptain:
		sh.Captain = arg[0]
	case HasPlaced:
		sh.Region, sh.Facing, sh.Node = arg[0], arg[1], arg[2]
	case HasBegunRound:
		s.Round, s.Phase, s.Slot, s.Revealed, s.Turn = uint8(arg[0]), PhaseRoundStart, -1, 0, -1
		s.Left = State{}.Left
	case HasSeeded:
		s.Supply -= uint8(arg[0])
		s.Island += uint8(arg[0])
	case HasReshuffled:
		s.Deck, s.Discard, s.Old = s.Discard, 0, 0
		for i := range r.seats {
			s.Old |= s.Ships[i].Hand
		}
	case HasDrawnCard:
		s.Deck &^= 1 << arg[0]
		sh.Hand |= 1 << arg[0]
	case HasProgrammed:
		sh.Hand &^= 1 << arg[1]
		sh.Table[arg[0]] = arg[1]
	case HasBegunSlot:
		s.Phase, s.Slot, s.Revealed = PhaseAction, arg[0], arg[0]+1
	case HasBegunTurn:
		s.Turn = seat
	case HasEndedTurn:
		s.Turn = -1
	case HasUsedCompass:
		sh.Compasses--
		if r.turnPassed(s, int(arg[1]), int(arg[2])) {
			s.Unresolved |= captainCard(arg[3])
		}
		sh.Table[arg[0]], at(1).Table[arg[2]] = arg[4], arg[3]
	case HasSailed:
		sh.Region, sh.Facing = arg[1], arg[2]
	case HasComeAbout:
		sh.Facing = -sh.Facing
	case HasDamaged:
		sh.Hull -= uint8(arg[0])
	case HasSunk:
		sh.Ghost = true
	case HasGained:
		*sh.good(int(arg[0])) += uint8(arg[1])
		switch of := int(arg[2]); {
		case arg[0] == GoodTokens: // wherever they are gained
			fromBox(GoodTokens, uint8(arg[1]))
		case of >= ofRegion:
			s.RegionShells[of-ofRegion][arg[0]-GoodShells]--
		case of >= ofBeach:
			s.BeachTotems[of-ofBeach][arg[0]-GoodTotems]--
		case of == ofMap:
			s.MapFragments--
			fallthrough
		default:
			fromBox(uint8(arg[0]), uint8(arg[1]))
		}
	case HasLost:
		*sh.good(int(arg[0])) -= uint8(arg[1])
		if arg[0] == GoodDoubloons {
			s.Island += uint8(arg[1])
		}
	case HasStolen, HasGot:
		*sh.good(int(arg[0])) += uint8(arg[1])
		*at(2).good(int(arg[0])) -= uint8(arg[1])
	case HasChangedSeats:
		s.Left[arg[1]], s.Left[arg[2]] = (s.Left[arg[1]]|1<<arg[0])&^(1<<seat), (s.Left[arg[2]]|1<<seat)&^(1<<arg[0])
		s.Helm[seat], s.Helm[arg[0]] = arg[1], arg[2]
	case HasDrawnSpecial:
		s.MapSpecials[arg[0]]--
	case HasWalked:
		if sh.Node = arg[1]; arg[0] == NodeX && r.Edition.CraterOnce {
			s.LeftCrater |= 1 << seat
		}
	case HasDrawnTile:
		c := r.LandmarkColour[arg[0]]
		if s.StackTop[c]>>arg[0]&1 != 0 {
			s.StackTop[c] &^= 1 << arg[0]
			break
		}
		copy(s.StackBottom[c][:], s.StackBottom[c][1:])
		s.StackBottom[c][maxTiles-1] = noTile
		s.StackLow[c]--
	case HasLaidTile:
		s.Tiles[arg[0]] = arg[1]
	case HasLeftTile:
		if arg[0] != noNode {
			s.Tiles[arg[0]] = noTile
		}
	case HasBottomed:
		r.toBottom(s, int(arg[0]))
	case HasDrawnRelic:
		fromBox(uint8(arg[0]), 1)
	case HasPlacedRelic:
		if arg[0] >= GoodShells {
			s.RegionShells[arg[1]][arg[0]-GoodShells]++
		} else {
			s.BeachTotems[arg[1]][arg[0]-GoodTotems]++
		}
	case HasMovedOn:
		sh.Track = uint8(arg[0])
	case HasLastRound:
		s.Ending = true
	case HasBegunPillage:
		s.Phase, s.Slot, s.Turn, s.Unresolved = PhasePillage, -1, -1, 0
	case HasEndedRound:
		s.Phase, s.Slot, s.Turn = PhaseRoundEnd, -1, -1
	case HasShuffled:
		s.Dug, s.Deck, s.Discard, s.Old, s.Revealed = true, r.normal|r.captains, 0, 0, 0
		for i := range r.seats {
			s.Ships[i].Hand, s.Ships[i].Table = 0, [NumSlots]int8{noCard, noCard, noCard}
		}
	case HasClearedIsland:
		for n, tile := range s.Tiles {
			if tile != noTile {
				s.StackTop[r.LandmarkColour[tile]] |= 1 << tile
				s.Tiles[n] = noTile
			}
		}
		for c := range s.StackBottom {
			for i := range s.StackLow[c] {
				s.StackTop[c] |= 1 << s.StackBottom[c][i]
				s.StackBottom[c][i] = noTile
			}
			s.StackLow[c] = 0
		}
		for i := range r.seats {
			s.Ships[i].Node, s.Ships[i].Track = NodeBeach, 0
		}
	case HasRedeemed:
		sh.Ghost, sh.Hull = false, uint8(arg[0])
	case HasCleanedUp:
		for i := range s.Ships {
			for k, c := range s.Ships[i].Table {
				if c != noCard {
					s.Discard |= 1 << c
					s.Ships[i].Table[k] = noCard
				}
			}
			s.Pillage += s.Ships[i].Pillage
			s.Ships[i].Pillage = 0
		}
		s.Old &^= s.Discard
		s.Revealed = 0
	case HasScored:
		s.Phase = PhaseOver
	}
}
