package doubloons

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func cutThroat(t testing.TB) testing.TB { return in(t, "modules=steal_ship") }

// refusedAt checks that a position is refused and that the error names where.
func refusedAt(t *testing.T, game, text, says string) {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(1)
	if err := m.SetPosition([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
		t.Errorf("%s: %v; want %q refused", text, err, says)
	}
}

// raid is a scenario in which seat 0 can steal the ship of seat 1 with C13, the
// second card of its row. The others lie elsewhere.
func raid(t testing.TB, seats int, edits ...func(*State)) scenario {
	t.Helper()
	return given(cutThroat(t), seats, func(s *State) {
		s.Dug, s.Slot, s.Revealed = true, 1, 2
		s.Ships[0].Table, s.Ships[1].Table = row("N13", "C13", "N02"), row("N33", "N36", "N04")
		s.Ships[0].Hand, s.Ships[1].Hand = cards("N30", "N31"), cards("N28", "N29")
		s.Ships[1].Hull = 4
		for i := 2; i < seats; i++ {
			s.Ships[i].Region = 2
		}
		for _, edit := range edits {
			edit(s)
		}
	})
}

const steal = "stay;do=board;seat=+1"

func TestReputationCardsStealTheShip(t *testing.T) {
	enginetest.Clause(t, "STEAL-1", "STEAL-2")
	for _, id := range []string{"C13", "C14", "C15"} {
		sc := raid(t, 3, func(s *State) {
			s.Ships[0].Table[1] = int8(card(id))
			for i := range s.Ships[:2] {
				s.Ships[i].Region = 1
			}
			s.Ships[0].Region = map[string]int8{"C13": 1, "C14": 0, "C15": 0}[id]
		})
		sc.do(map[string]string{"C13": "stay", "C14": "sail;stay", "C15": "sail;stay"}[id] + ";do=board")
		sc.legal("seat=+1").do("seat=+1") // without any reputation
		check(t, id+": player at seat 0", sc.Helm[0], 1)
		check(t, id+": player at seat 1", sc.Helm[1], 0)
		check(t, id+": player at seat 2", sc.Helm[2], 2)
	}
	// Other Board actions take what they always take.
	sc := acting(cutThroat(t), 2, "N39", hulls(10, 4)).do("do=board;seat=+1")
	check(t, "player", sc.Helm[0], 0)
	check(t, "crew", sc.Ships[1].Crew, 3)
}

func TestAShipIsStolenOnTheConditionsOfTheCard(t *testing.T) {
	enginetest.Clause(t, "STEAL-2")
	for what, edit := range map[string]func(*State){
		"the target shows no Board action": func(s *State) { s.Ships[1].Table = row("N33", "N13", "N36") },
		"the target is not damaged":        func(s *State) { s.Ships[1].Hull = 10 },
		"the target lies elsewhere":        func(s *State) { s.Ships[1].Region = 1 },
	} {
		sc := raid(t, 2, edit).do("stay;do=board")
		if sc.Helm[0] != 0 || sc.m.Seat() != 1 {
			t.Errorf("%s: player %d sits at seat 0, and %s acts", what, sc.Helm[0], engine.SeatName(sc.m.Seat()))
		}
	}
}

func TestEverythingButThePlayerStaysAtItsSeat(t *testing.T) {
	enginetest.Clause(t, "STEAL-3", "STEAL-5")
	sc := raid(t, 3, func(s *State) {
		s.Ships[1].Reputation, s.Ships[1].Doubloons, s.Ships[1].Orbs = 2, 7, 0
		s.Ships[1].Fragments[SymbolX], s.Ships[1].Jewels[Ruby] = 2, 1
		s.Ships[0].Captain, s.Ships[1].Captain = Voet, Hayreddin
	}).do("stay;do=board")
	before := sc.Ships
	sc.do("seat=+1")
	check(t, "ships", sc.Ships, before)
	check(t, "initiative", sc.Initiative, 0)
}

func TestTheGameContinuesFromTheSeatThatStole(t *testing.T) {
	enginetest.Clause(t, "STEAL-4")
	// Seat 1 is next, and player 0 sits there now and plays its card.
	sc := raid(t, 3).do(steal)
	check(t, "turn", sc.Turn, 1)
	sc.seat(0).do("stay")
	if !strings.Contains(sc.m.Decision(), "seat 0: choose an action of card N36") {
		t.Errorf("decision: %s", sc.m.Decision())
	}
	sc.do("do=forward").seat(2)
	sc.until(func(s *State) bool { return s.Slot == 2 })
	sc.seat(1) // seat 0 is first in the third slot
	check(t, "turn", sc.Turn, 0)
	// A seat that had its turn has no other in this slot, no matter which player then sits there.
	sc = raid(t, 3, func(s *State) { s.Initiative = 1; s.Turn = 0 }).do(steal)
	check(t, "slot", sc.Slot, 2)
	check(t, "turn", sc.Turn, 1)
	sc.seat(0)
}

func TestAProtectionOrbSavesTheShip(t *testing.T) {
	enginetest.Clause(t, "STEAL-6", "ORB-1")
	sc := raid(t, 2, func(s *State) { s.Ships[1].Orbs = 1 }).do(steal)
	check(t, "player", sc.Helm[0], 0)
	check(t, "orbs", sc.Ships[0].Orbs, 1)
}

func TestValparisasCrewStrikesAtTheShipThatBoarded(t *testing.T) {
	enginetest.Clause(t, "STEAL-7", "CAPT-7")
	sc := raid(t, 2, captain(1, Valparisa)).do(steal)
	check(t, "crew of the ship that boarded", sc.Ships[0].Crew, 3)
	check(t, "crew of the ship stolen", sc.Ships[1].Crew, 4)
}

func TestTheTrackBelongsToTheShip(t *testing.T) {
	enginetest.Clause(t, "STEAL-8")
	sc := raid(t, 2, func(s *State) { s.Ships[1].Track = 2 }).do(steal)
	check(t, "track of the ship that boarded", sc.Ships[0].Track, 1)
	check(t, "track of the ship stolen", sc.Ships[1].Track, 2)
}

func TestTheLegendaryGhostShipCannotBeStolen(t *testing.T) {
	enginetest.Clause(t, "STEAL-9")
	sc := given(in(t, "modules=legendary_ghost_ship+steal_ship"), 2, combine(legendaryAt(0), dug, func(s *State) {
		s.Ships[0].Table, s.Ships[1].Table = row("C13"), row("N36")
		s.Ships[1].Hull = 5
	})).do("stay;do=board").legal("seat=+1").do("seat=+1")
	check(t, "player", sc.Helm[1], 0)
}

func TestReturnsAndScoresGoToThePlayerAtTheShip(t *testing.T) {
	enginetest.Clause(t, "STEAL-10")
	for _, objective := range []string{"win", "rank", "margin"} {
		sc := ended(in(t, "modules=steal_ship,objective="+objective), 3, doubloons(9, 1, 4), func(s *State) {
			s.Helm = [MaxSeats]int8{1, 2, 0, 3, 4, 5}
		})
		var got, plain [3]float32
		sc.m.Returns(got[:])
		straight := ended(in(t, "modules=steal_ship,objective="+objective), 3, doubloons(9, 1, 4))
		straight.m.Returns(plain[:])
		check(t, objective, got, [3]float32{plain[2], plain[0], plain[1]})
		check(t, "score", scores(sc, 1)["doubloons"], 9)
	}
}

func TestAPlayerSeesWhatTheSeatSees(t *testing.T) {
	enginetest.Clause(t, "STEAL-10", "STEAL-11")
	sc := raid(t, 3).do(steal)
	for player, hand := range [][]string{{"N28", "N29"}, {"N30", "N31"}} {
		p, err := sc.m.Position(player)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range hand {
			if !strings.Contains(string(p), `"`+id+`"`) {
				t.Errorf("player %d does not see %s of the new hand:\n%s", player, id, p)
			}
			if !strings.Contains(sc.m.Render(player), id) {
				t.Errorf("player %d is not shown %s of the new hand:\n%s", player, id, sc.m.Render(player))
			}
		}
	}
	p, _ := sc.m.Position(2)
	for _, id := range []string{"N28", "N29", "N30", "N31", "N02", "N04"} {
		if strings.Contains(string(p), `"`+id+`"`) {
			t.Errorf("player 2 sees %s", id)
		}
	}
}

// After the swap both players know each other's hidden cards, the third nothing of
// them; when the cards are played, or put among others, that fades.
func TestAPlayerIsToldWhatIsOnAStolenShip(t *testing.T) {
	enginetest.Clause(t, "STEAL-10", "KNOW-1")
	sc := raid(t, 3).do("stay;do=board")
	log := engine.Listen(sc.m)
	sc.do("seat=+1")
	for player, want := range []string{
		`{"kind":"found","seat":1,"card":"N04","slot":3}{"kind":"found","seat":1,"card":"N28","slot":0}{"kind":"found","seat":1,"card":"N29","slot":0}`,
		`{"kind":"found","seat":0,"card":"N02","slot":3}{"kind":"found","seat":0,"card":"N30","slot":0}{"kind":"found","seat":0,"card":"N31","slot":0}`,
		"",
	} {
		said := ""
		for _, e := range log.Since(0) {
			if e.Kind != HasFound {
				continue
			}
			if seen := engine.EventSeen(sc.m, e, player); seen != nil {
				text, err := json.Marshal(seen)
				if err != nil {
					t.Fatal(err)
				}
				said += string(text)
			}
		}
		check(t, fmt.Sprint("player ", player), said, want)
	}
}

func TestPlayersRememberTheHiddenCardsOfSeatsTheyLeft(t *testing.T) {
	enginetest.Clause(t, "STEAL-11")
	sc := raid(t, 3, func(s *State) {
		for i := range s.Ships[:3] {
			s.Ships[i].Captain = [3]int8{Pollyanna, WidowCheng, Voet}[i]
		}
	}).do(steal)
	hand := [2]uint64{sc.Ships[0].Hand, sc.Ships[1].Hand}
	third := [2]int8{sc.Ships[0].Table[2], sc.Ships[1].Table[2]}
	other := sc.Ships[2]
	rand := engine.NewRand(5)
	m := sc.m.Info()
	moved := map[string]bool{}
	for range 30 {
		for player := range m.Seats {
			g, err := engine.NewGame(m.Config)
			if err != nil {
				t.Fatal(err)
			}
			c := g.NewMatch()
			c.CopyFrom(sc.m)
			c.Redeal(player, &rand)
			s := engine.State[State](c)
			rules, _ := engine.RulesOf[State, *Rules](c)
			k := &checking{r: rules, s: s}
			k.players()
			if err := k.Err(); err != nil {
				t.Fatalf("player %d: %v", player, err)
			}
			same := s.Ships[0].Hand == hand[0] && s.Ships[1].Hand == hand[1] && s.Ships[0].Table[2] == third[0] && s.Ships[1].Table[2] == third[1]
			if player < 2 && !same {
				t.Fatalf("player %d forgot the cards held: hands %v %v", player, cardList(s.Ships[0].Hand), cardList(s.Ships[1].Hand))
			}
			if player == 2 && !same {
				moved["hands of the two"] = true
				if n := bits.OnesCount64(s.Seen[0] & s.Hidden(0)); n != bits.OnesCount64(s.Hidden(0)) {
					t.Fatalf("player 0 has seen all %d cards of the seat left behind, and %d in what player 2 imagines", bits.OnesCount64(s.Hidden(0)), n)
				}
			}
			if player < 2 && s.Ships[2].Table != other.Table {
				moved["the third row"] = true
			}
		}
	}
	check(t, "redeals that changed what is not known", len(moved), 2)

	// In the next round the cards kept may lie in the hand or in the row.
	kept := sc.Ships[0].Hand
	sc.until(func(s *State) bool { return s.Round == 2 && s.Slot == 0 })
	check(t, "still seen by player 0", sc.Seen[0], kept)
	check(t, "left in this round", sc.Left[0], 0)
	before := sc.Ships[0]
	shown := before.Table[0]
	var rows [][NumSlots]int8
	for range 40 {
		g, err := engine.NewGame(m.Config)
		if err != nil {
			t.Fatal(err)
		}
		c := g.NewMatch()
		c.CopyFrom(sc.m)
		c.Redeal(0, &rand)
		s := engine.State[State](c)
		all := s.Ships[0].Hand | s.faceDown(0) | 1<<shown
		if all&kept != kept {
			t.Fatalf("cards %v that player 0 knows there are gone: %v", cardList(kept), cardList(all))
		}
		if !slices.Contains(rows, s.Ships[0].Table) {
			rows = append(rows, s.Ships[0].Table)
		}
	}
	if len(rows) < 3 {
		t.Errorf("player 0 seems to know the row of the seat left behind: %v", rows)
	}
}

func TestPlayersCanChangeSeatsAgain(t *testing.T) {
	enginetest.Clause(t, "STEAL-12")
	sc := raid(t, 2, func(s *State) {
		s.Ships[1].Table = row("N36", "C14", "N04")
		s.Ships[1].Facing = CounterClockwise
		s.Ships[0].Hull = 5
		s.Ships[0].Region, s.Ships[1].Region = 0, 0
		s.Water[3], s.Water[2], s.Water[1] = RipCurrent, RipCurrent, RipCurrent
	}).do(steal)
	// Player 0 at seat 1 sails round to seat 0 and steals it back.
	sc.seat(0).do("sail;stay;do=board;seat=+1")
	check(t, "player at seat 0", sc.Helm[0], 0)
	check(t, "player at seat 1", sc.Helm[1], 1)
	check(t, "cards of seat 1 that player 0 has seen", sc.Seen[0], sc.Hidden(1))
	check(t, "cards of seat 0 that player 1 has seen", sc.Seen[1], sc.Hidden(0))
}

func TestPositionsOfPlayersWhoHaveChangedSeats(t *testing.T) {
	const game = "doubloons(seats=2,chance=explicit,forced=show,modules=steal_ship)"
	m := enginetest.At(t, game, `{"dug": true, "ships": [{"player": 1, "table": ["N13"], "hand": ["N20"], "seen": ["N01"]}, {"player": 0, "hand": ["N05", "N06", "N07", "N01"]}]}`)
	check(t, "seat 0 is played by", m.Seat(), 1)
	s := engine.State[State](m)
	check(t, "seen by player 1", s.Seen[1], cards("N01"))
	for text, says := range map[string]string{
		`{"ships": [{"player": 1}]}`:                                           "ships[1].player: player 1 sits at ships[0] already",
		`{"ships": [{"player": 2}]}`:                                           "ships[0].player: 2",
		`{"ships": [{"seen": ["N01"]}], "discard": ["N01"]}`:                   "ships[0].seen: N01: they are in no hand",
		`{"ships": [{"seen": ["N01"], "hand": ["N02", "N03", "N04", "N01"]}]}`: "the seat's own",
		`{"phase": "action", "slot": 1, "ships": [{"left": [1]}, {"table": ["N02", "N03", "N04"], "hand": ["N01"]}]}`: "ships[0].left: N01, N03, N04",
		`{"phase": "action", "slot": 1, "ships": [{"left": [0]}]}`:                                                    "ships[0].left: [0]",
		`{"ships": [{"left": [1]}]}`: "ships[0].left",
	} {
		refusedAt(t, game, text, says)
	}
	refusedAt(t, "doubloons(seats=2)", `{"ships": [{"player": 1}, {"player": 0}]}`, "ships[0].player: players keep their seats")
}
