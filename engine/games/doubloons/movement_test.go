package doubloons

import (
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestMovementComesBeforeTheAction(t *testing.T) {
	enginetest.Clause(t, "MOV-1", "MOV-2", "MOV-5")
	sc := given(t, 2, beside("N01")).legal("sail") // Sail required
	sc.do("sail")
	check(t, "region", sc.Ships[0].Region, 1)
	check(t, "facing", sc.Ships[0].Facing, Clockwise)
	sc.legal("do=hunt", "do=pillage")
}

func TestOptionalMovementMayBeSkipped(t *testing.T) {
	enginetest.Clause(t, "MOV-2", "MOV-4")
	sc := given(t, 2, beside("N02")).legal("sail", "stay")
	sc.do("stay").legal("do=hunt", "do=pillage")
	check(t, "region", sc.Ships[0].Region, 0)
}

func TestMovementInAnyOrder(t *testing.T) {
	enginetest.Clause(t, "MOV-3", "MOV-8")
	// N22: Sail and Come About, both required.
	sc := given(t, 2, beside("N22")).legal("sail", "come_about").do("sail;come_about")
	check(t, "region, sailing first", sc.Ships[0].Region, 1)
	check(t, "facing", sc.Ships[0].Facing, CounterClockwise)
	sc = given(t, 2, beside("N22")).do("come_about").legal("sail").do("sail")
	check(t, "region, turning first", sc.Ships[0].Region, 3)
}

func TestRequiredAndOptionalMovementOnOneCard(t *testing.T) {
	enginetest.Clause(t, "MOV-2", "MOV-3", "MOV-4")
	// N08: Sail required, Come About optional.
	given(t, 2, beside("N08")).legal("sail", "come_about").do("sail").legal("come_about", "stay")
	given(t, 2, beside("N08")).do("come_about").legal("sail")
	// N11: both optional.
	given(t, 2, beside("N11")).legal("sail", "come_about", "stay").do("sail").legal("come_about", "stay")
	// N41: Sail optional, Come About required.
	given(t, 2, beside("N41")).legal("sail", "come_about").do("come_about").legal("sail", "stay")
}

func TestRegionsAreARing(t *testing.T) {
	enginetest.Clause(t, "MOV-5")
	sc := given(t, 2, combine(beside("N01"), func(s *State) { s.Ships[0].Region = 3 })).do("sail")
	check(t, "clockwise of 3", sc.Ships[0].Region, 0)
	sc = given(t, 2, combine(beside("N01"), func(s *State) { s.Ships[0].Facing = CounterClockwise })).do("sail")
	check(t, "counterclockwise of 0", sc.Ships[0].Region, 3)
}

func TestTwoSailsMoveTwoRegions(t *testing.T) {
	enginetest.Clause(t, "MOV-6")
	sc := given(t, 2, beside("N25")).do("sail").legal("sail", "stay").do("sail")
	check(t, "region", sc.Ships[0].Region, 2)
}

func TestUponEntryComesBeforeFurtherMovement(t *testing.T) {
	enginetest.Clause(t, "MOV-7")
	sc := given(t, 2, combine(beside("N08"), func(s *State) { s.Water[1] = RipCurrent })).do("sail")
	check(t, "region before Come About is asked", sc.Ships[0].Region, 2)
	sc.legal("come_about", "stay")
}

func TestComeAboutStaysInTheRegion(t *testing.T) {
	enginetest.Clause(t, "MOV-8")
	sc := given(t, 2, beside("N32")).legal("come_about").do("come_about")
	check(t, "region", sc.Ships[0].Region, 0)
	check(t, "facing", sc.Ships[0].Facing, CounterClockwise)
}

func TestCardWithoutIconsAsksForItsActionAtOnce(t *testing.T) {
	enginetest.Clause(t, "MOV-9")
	given(t, 2, beside("N33")).legal("do=forward", "do=repair")
}

func TestComeAboutIsVoidWithoutCrewAndForGhostShips(t *testing.T) {
	enginetest.Clause(t, "CREW-5", "GHOST-6")
	noCrew := func(s *State) { s.Ships[0].Crew = 0 }
	ghost := func(s *State) { s.Ships[0].Ghost, s.Ships[0].Hull = true, 0 }
	for _, lame := range []func(*State){noCrew, ghost} {
		given(t, 2, combine(beside("N32"), lame)).legal("do=forward", "do=broadsides") // Come About required
		given(t, 2, combine(beside("N22"), lame)).legal("sail").do("sail").legal("do=pillage", "do=forward")
		given(t, 2, combine(beside("N11"), lame)).legal("sail", "stay")
		sc := given(t, 2, combine(beside("N01"), lame)).do("sail")
		check(t, "region", sc.Ships[0].Region, 1)
	}
	given(t, 2, combine(beside("N32"), func(s *State) { s.Ships[0].Crew = 1 })).legal("come_about")
}
