package jollyroger

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestThreeToTenPlayersTakePart(t *testing.T) {
	enginetest.Clause(t, "SET-1")
	for seats := 0; seats <= 12; seats++ {
		_, err := engine.NewGame(fmt.Sprintf("jolly_roger(seats=%d)", seats))
		if want := seats >= 3 && seats <= 10; (err == nil) != want {
			t.Errorf("%d seats: %v", seats, err)
		}
	}
}

func TestTheCrewDeckHas47NormalAnd19SpecialCardsButNoRoles(t *testing.T) {
	enginetest.Clause(t, "SET-2")
	m, _ := explicitMatch(t, 4)
	s := engine.State[State](m)
	check(t, "cards", int(s.DeckSize), 66)
	check(t, "normal cards", sum(s.Deck[:NumNormal]), 47)
	check(t, "special cards", sum(s.Deck[NumNormal:]), 19)
	check(t, "old sailors", s.Deck[OldSailor], 3)
	check(t, "traitors", s.Deck[Traitor], 2)
	for _, name := range crewNames {
		if name == "captain" || name == "quartermaster" {
			t.Errorf("%s can be drawn", name)
		}
	}
}

func TestEachPlayerIsAsLikelyToBeTheFirstCaptain(t *testing.T) {
	enginetest.Clause(t, "SET-3")
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		m, _ := explicitMatch(t, seats)
		list := m.Outcomes(nil)
		if len(list) != seats || engine.State[State](m).Next() != ChooseCaptain {
			t.Fatalf("%d seats: %d outcomes", seats, len(list))
		}
		for i, o := range list {
			check(t, "outcome", m.Info().ActionName(o.Action), fmt.Sprintf("captain=%d", i))
			check(t, "probability", o.Prob, 1/float64(seats))
		}
	}
}

// begun plays the set-up.
func begun(t *testing.T, seats, captain int) scenario {
	m, r := explicitMatch(t, seats)
	sc := scenario{t, m, r, engine.State[State](m)}
	sc.do(fmt.Sprintf("captain=%d", captain))
	for sc.Phase == PhaseSetup {
		sc.step()
	}
	return sc
}

func TestAllHandsAreOfOneSizeWhenTheGameBegins(t *testing.T) {
	enginetest.Clause(t, "SET-4")
	for seats, want := range map[int]uint8{3: 6, 4: 6, 5: 6, 6: 5, 7: 5, 8: 4, 9: 4, 10: 4} {
		sc := begun(t, seats, seats-1)
		check(t, "captain", int(sc.Captain), seats-1)
		for seat := range seats {
			check(t, fmt.Sprintf("%d seats: cards of seat %d", seats, seat), sc.Size[seat], want)
		}
	}
}

func TestDestinationsWhoseMarkDoesNotFitAreLeftOut(t *testing.T) {
	enginetest.Clause(t, "SET-5")
	for seats, want := range map[int]map[string]string{
		3:  {"fort": "1 2 3 4 5", "pirate_port": "1 2 4 5 6 7 8"}, // as four
		4:  {"fort": "1 2 3 4 5", "pirate_port": "1 2 4 5 6 7 8"},
		5:  {"merchant_ship": "1 2 3 4 5", "pirate_port": "1 2 4 5 6 7 8"},
		6:  {"fort": "1 3 4 5 6 7", "settlement": "2 3 4 5 6 7"}, // fort 2 and settlement 1 are marked 5-
		7:  {"merchant_ship": "2 3 4 5 6 7", "pirate_port": "1 2 4 5 6 7"},
		8:  {"fort": "4 5 6 7 8", "pirate_port": "1 2 3 4 5 6"},
		10: {"settlement": "4 5 6 7 8", "treasure_island": "1 2 3"},
	} {
		m, _ := explicitMatch(t, seats)
		s := engine.State[State](m)
		for d, name := range destinationNames {
			if want[name] == "" {
				continue
			}
			text := ""
			for i := range StackSize {
				if s.Stacks[d]>>i&1 != 0 {
					text += fmt.Sprintf("%d ", i+1)
				}
			}
			check(t, fmt.Sprintf("%d seats: %s", seats, name), text, want[name]+" ")
		}
	}
}

func TestThereAreFiveStacksAndEveryCardOfOneIsAsLikely(t *testing.T) {
	enginetest.Clause(t, "SET-6", "ATT-6")
	m, _ := explicitMatch(t, 4)
	for d, n := range map[Destination]int{Fort: 5, MerchantShip: 5, Settlement: 5, PiratePort: 7, TreasureIsland: 3} {
		check(t, destinationNames[d], bits.OnesCount8(engine.State[State](m).Stacks[d]), n)
	}
	sc := attack(t, Fort, []string{"", "", "", ""}).do("1 reveal").legal("destination=fort_1 destination=fort_2 destination=fort_3 destination=fort_5")
	for _, o := range sc.m.Outcomes(nil) {
		check(t, "probability", o.Prob, 0.25)
	}
}

func TestThe46PrizesAreOneDeck(t *testing.T) {
	enginetest.Clause(t, "SET-7")
	m, _ := explicitMatch(t, 4)
	s := engine.State[State](m)
	check(t, "prizes", int(s.PrizesLeft), 46)
	check(t, "of each kind", s.PrizeDeck, [NumPrizes]uint8{12, 12, 8, 6, 4, 4})
	sc := attack(t, MerchantShip, []string{"", "nav31 any any any", "", ""}).do("1 play=nav31; 1 play=any; 1 play=any; 1 reveal; destination=merchant_ship_1; 1 succeed")
	for _, o := range sc.m.Outcomes(nil) {
		check(t, "probability of "+sc.m.Info().ActionName(o.Action), o.Prob, float64(s.PrizeDeck[Prize(o.Action-OnPrize)])/46)
	}
}

func TestNobodyIsQuartermasterBeforeTheFirstAppointment(t *testing.T) {
	enginetest.Clause(t, "SET-8")
	sc := begun(t, 5, 2)
	check(t, "quartermaster", sc.Quartermaster, noSeat)
	sc.asks(2, AskAppoint).do("2 seat=+1")
	check(t, "quartermaster", sc.Quartermaster, 3)
}
