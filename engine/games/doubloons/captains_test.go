package doubloons

import (
	"encoding/json"
	"math/bits"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestPollyannaMayDrawTwoLandmarksAndChoose(t *testing.T) {
	enginetest.Clause(t, "CAPT-1", "CAPT-3")
	pollyanna := captain(0, Pollyanna)
	sc := hunting(t, 2, pollyanna).do("symbol=x;to=P1").seat(0).legal("accept", "decline").do("accept")
	sc.do("landmark=cursed_idol").seat(engine.Chance).do("landmark=dank_cave")
	sc.seat(0).legal("keep=cursed_idol", "keep=dank_cave")
	view, err := sc.m.Position(1)
	if err != nil {
		t.Fatal(err)
	}
	var seen struct {
		Stack []struct{ Kind, First, Second string }
	}
	if err := json.Unmarshal(view, &seen); err != nil {
		t.Fatal(err)
	}
	top := seen.Stack[len(seen.Stack)-1]
	check(t, "what the enemy sees of the choice", top.Kind+" "+top.First+" "+top.Second, "ask_keep cursed_idol dank_cave")
	sc.do("keep=dank_cave")
	sc.lies(NodeP1, DankCave)
	check(t, "hull", sc.Ships[0].Hull, 10)
	check(t, "doubloons", sc.Ships[0].Doubloons, 0)
	sc.bottom(ColourRed, CursedIdol)
	sc.next()

	sc = hunting(t, 2, pollyanna).do("symbol=x;to=P1;decline;landmark=cursed_idol")
	sc.lies(NodeP1, CursedIdol)
	sc.bottom(ColourRed)
	sc.next()
}

func TestPollyannaChoosesOnEveryDraw(t *testing.T) {
	enginetest.Clause(t, "CAPT-2")
	pollyanna := captain(0, Pollyanna)
	// For a replacement on the island.
	sc := met(t, 2, HiddenChamber, pollyanna).do("accept;landmark=radiant_pool;landmark=well_of_wishes;keep=well_of_wishes")
	sc.lies(NodeC1, WellOfWishes)
	sc.bottom(ColourYellow, RadiantPool)
	check(t, "tokens", sc.Ships[0].Pillage, 1)
	// In an Exploit; the tile kept goes below the other one.
	sc = hunting(t, 2, pollyanna, dug).do("stack=red;accept;landmark=cursed_idol;landmark=dank_cave;keep=cursed_idol;seat=+1")
	check(t, "hull", sc.Ships[1].Hull, 7)
	sc.bottom(ColourRed, DankCave, CursedIdol)
	// For the replacement of a tile that she was made to resolve.
	sc = exploit(t, 2, PandorasBox, "+1", captain(1, Pollyanna)).seat(1).do("accept;landmark=dead_creek;landmark=dank_cave;keep=dead_creek")
	check(t, "crew", sc.Ships[1].Crew, 2)
	sc.bottom(ColourRed, DankCave, DeadCreek)
	// Not for draws of others.
	exploit(t, 2, CursedIdol, "self", captain(1, Pollyanna)).next()
}

func TestPollyannaDrawsTheLastTileAlone(t *testing.T) {
	enginetest.Clause(t, "CAPT-4")
	stack := func(tiles uint64) func(*State) {
		return func(s *State) { s.StackTop[ColourRed] = tiles }
	}
	hunting(t, 2, captain(0, Pollyanna), stack(1<<CursedIdol)).do("symbol=x;to=P1").legal("landmark=cursed_idol")
	hunting(t, 2, captain(0, Pollyanna), stack(1<<CursedIdol|1<<DankCave)).do("symbol=x;to=P1").legal("accept", "decline")
}

func TestWidowChengRepairsOneMore(t *testing.T) {
	enginetest.Clause(t, "CAPT-5")
	sc := acting(t, 2, "N33", captain(0, WidowCheng), hulls(5, 10)).do("do=repair")
	check(t, "hull", sc.Ships[0].Hull, 7)
	// Only by a Repair of her own.
	sc = acting(t, 2, "N33", captain(1, WidowCheng), hulls(5, 10)).do("do=repair")
	check(t, "hull of another", sc.Ships[0].Hull, 6)
	sc = met(t, 2, SalvageMerchant, captain(0, WidowCheng), hulls(5, 10))
	check(t, "hull by a landmark", sc.Ships[0].Hull, 7)
}

func TestCalicoJackHoldsOneCardMore(t *testing.T) {
	enginetest.Clause(t, "CAPT-6", "CREW-3")
	for crew, want := range []int{3, 3, 4, 5, 6} {
		sc := newRound(t, 2, captain(0, CalicoJack), crews(uint8(crew)))
		sc.until(func(s *State) bool { return s.Top().Kind == AskProgram })
		check(t, "hand", bits.OnesCount64(sc.Ships[0].Hand), want)
		check(t, "hand of another", bits.OnesCount64(sc.Ships[1].Hand), 5)
	}
}
