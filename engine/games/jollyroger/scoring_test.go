package jollyroger

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// ended plays the last round to its end; the jewels' draws are left to the test.
func ended(t testing.TB, players []string, edit ...func(s *State)) scenario {
	t.Helper()
	return given(t, PhasePunishment, players, append([]func(s *State){lastRound}, edit...)...).do("0 spare")
}

// lastRound makes a punishment that of the last round.
func lastRound(s *State) {
	s.Round = 10
	s.Stacks[Fort], s.Stacks[MerchantShip] = 0, 1 // ten destinations with one settlement
}

// gold is what the seats have in the end.
func (sc scenario) gold(want ...int32) scenario {
	sc.t.Helper()
	for seat, n := range want {
		var by [3]int32
		sc.r.Scores(sc.State, engine.Full, seat, by[:])
		if got := by[0] + by[1] + by[2]; got != n {
			sc.t.Errorf("seat %d has %d gold %v; want %d", seat, got, by, n)
		}
	}
	return sc
}

// won checks who has won: the winners share the highest return.
func (sc scenario) won(want ...int) scenario {
	sc.t.Helper()
	returns := make([]float32, sc.r.seats)
	sc.m.Returns(returns)
	most := returns[0]
	for _, x := range returns {
		most = max(most, x)
	}
	winners := []int{}
	for seat, x := range returns {
		if x == most {
			winners = append(winners, seat)
		}
	}
	if len(winners) != len(want) {
		sc.t.Errorf("seats %v have won (%v); want %v", winners, returns, want)
		return sc
	}
	for i, seat := range want {
		check(sc.t, "winner", winners[i], seat)
	}
	return sc
}

func TestAllPrizesCountInTheEndBuriedOrNot(t *testing.T) {
	enginetest.Clause(t, "END-1", "END-4")
	sc := ended(t, []string{"|gold_1 gold_2|gold_3", "|rum|hostage", "||gold_3 gold_3", "|hostage|rum"})
	check(t, "to act", sc.m.Seat(), engine.Over)
	sc.gold(6, 1, 6, 1).won(0, 2)
	ended(t, []string{"|gold_1 gold_2|gold_3", "|rum|hostage", "||gold_3 gold_3 gold_1", "|hostage|rum"}).gold(6, 1, 7, 1).won(2)
}

func TestEachUnsoldJewelsCardDrawsAPrizeInSeatOrderFromTheCaptain(t *testing.T) {
	enginetest.Clause(t, "END-2", "END-5")
	sc := ended(t, []string{"", "|jewels|jewels", "||jewels", "|jewels|gold_1"})
	sc.asks(1, Appraise).do("drawn=gold_3").asks(1, Appraise).do("drawn=rum").asks(2, Appraise).do("drawn=gold_2").asks(3, Appraise).do("drawn=hostage")
	sc.gold(0, 3, 2, 2).won(1)
	// Drawn rum breaks no tie: seat 2's own does.
	ended(t, []string{"|gold_1", "|jewels jewels", "|gold_1 rum", ""}).do("drawn=rum; drawn=hostage").gold(1, 1, 1, 0).won(2)
	// The order begins with the Captain.
	given(t, PhasePunishment, []string{"|jewels", "", "", "|jewels"}, lastRound, func(s *State) { s.Captain = 3 }).do("3 spare").asks(3, Appraise).do("drawn=gold_2").asks(0, Appraise).do("drawn=gold_1").gold(1, 0, 0, 2)
}

func TestWithNoPrizeLeftJewelsAreWorthOne(t *testing.T) {
	enginetest.Clause(t, "END-3")
	sc := ended(t, []string{"|jewels jewels", "|jewels", "", ""}, prizeDeck("gold_3")).do("drawn=gold_3")
	check(t, "to act", sc.m.Seat(), engine.Over)
	sc.gold(4, 1, 0, 0)
}

func TestTiesAreBrokenByRum(t *testing.T) {
	enginetest.Clause(t, "END-5")
	ended(t, []string{"|gold_3", "|gold_2 gold_1|rum", "|gold_3 rum|rum", "|rum rum rum"}).won(2) // buried rum counts
}

func TestWhatIsTiedThenIsASharedWin(t *testing.T) {
	enginetest.Clause(t, "END-6")
	sc := ended(t, []string{"|gold_3 rum", "|gold_2 gold_1|rum", "|gold_3", ""}).won(0, 1)
	returns := make([]float32, 4)
	sc.m.Returns(returns)
	check(t, "return of the second winner", returns[1], returns[0])
	check(t, "return of another loser", returns[3], returns[2])
	if sum := returns[0] + returns[1] + returns[2] + returns[3]; returns[0] <= 0 || returns[2] >= 0 || sum*sum > 1e-9 {
		t.Errorf("returns %v; want those of two winners and two losers that sum to 0", returns)
	}
}
