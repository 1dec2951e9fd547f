package doubloons

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// What a file of a match of two says wrong, and what the refusal must name: the
// path and what is wrong there, or how to put it right.
var refusals = []struct{ name, position, path, says string }{
	{"a misspelt field", `{"hul": 3}`, "hul", "unknown field"},
	{"a misspelt field of a ship", `{"ships": [{"hul": 3}]}`, "ships[0].hul", "did you mean hull?"},
	{"a field given twice", `{"round": 1, "round": 2}`, "round", "twice"},
	{"another game", `{"game": "doubloons(seats=3)"}`, "game", "doubloons(seats=3)"},
	{"an unknown game", `{"game": "dubloons"}`, "game", "unknown game"},
	{"a phase that is none", `{"phase": "actions"}`, "phase", "did you mean action?"},
	{"a slot outside the action phase", `{"phase": "pillage", "slot": 2}`, "slot", "leave it out"},
	{"a fourth slot", `{"slot": 4}`, "slot", "from 1 to 3"},
	{"a turn of nobody", `{"turn": 2}`, "turn", "from 0 to 1"},
	{"a turn without a card", `{"ships": [{"table": ["none"]}]}`, "turn", "no card in slot 1"},
	{"a step that is none", `{"step": "act"}`, "step", "did you mean action?"},
	{"a step along with a stack", `{"step": "move", "stack": []}`, "step", "leave one of them out"},
	{"a round too late", `{"round": 62}`, "round", "from 1 to 61"},
	{"cards face up against the slot", `{"slot": 2, "revealed": 1}`, "revealed", "there are 2"},
	{"a last round that nobody made", `{"ending": true}`, "ending", "FIN"},
	{"FIN without a last round", `{"dug": true, "ending": false, "ships": [{"track": 4}]}`, "ending", "FIN"},
	{"a third ship", `{"ships": [{}, {}, {}]}`, "ships", "at most 2"},
	{"one seat's ship twice", `{"ships": [{"seat": 1}, {"seat": 1}]}`, "ships[1].seat", "ships[0]"},
	{"an unknown captain", `{"ships": [{"captain": "polyana"}]}`, "ships[0].captain", "did you mean pollyanna?"},
	{"one captain twice", `{"ships": [{"captain": "voet"}, {"captain": "voet"}]}`, "ships[1].captain", "taken"},
	{"a region that is none", `{"ships": [{"region": 4}]}`, "ships[0].region", "from 0 to 3"},
	{"a ship at rest in a Rip Current", `{"water": ["fog", "high_water", "rip_current", "the_shallows"], "ships": [{"region": 2}]}`, "ships[0].region", "Rip Current"},
	{"a ghost ship with hull", `{"ships": [{"ghost": true, "hull": 3}]}`, "ships[0].hull", "ghost"},
	{"a ship without hull that is no ghost ship", `{"ships": [{"ghost": false, "hull": 0}]}`, "ships[0].hull", "ghost"},
	{"too much hull", `{"ships": [{"hull": 11}]}`, "ships[0].hull", "from 0 to 10"},
	{"too much crew", `{"ships": [{"crew": 5}]}`, "ships[0].crew", "from 0 to 4"},
	{"part of a crew", `{"ships": [{"crew": 1.5}]}`, "ships[0].crew", "whole number"},
	{"nothing for a number", `{"ships": [{"crew": null}]}`, "ships[0].crew", "null"},
	{"a level too high", `{"ships": [{"reputation": 4}]}`, "ships[0].reputation", "from 0 to 3"},
	{"an orb that two players do not have", `{"ships": [{"orbs": 1}]}`, "map_stack.protection_orb", "there are 0"},
	{"a 49th doubloon", `{"island": 3, "supply": 42}`, "supply", "49"},
	{"more doubloons than there are", `{"ships": [{"doubloons": 40}, {"doubloons": 9}]}`, "supply", "there are 48"},
	{"a fifth pillage token", `{"ships": [{"pillage": 3}, {"pillage": 2}]}`, "pillage_tokens", "there are 4"},
	{"a ninth emerald", `{"ships": [{"jewels": {"emerald": 5}}, {"jewels": {"emerald": 4}}]}`, "ships[1].jewels.emerald", "the 8 jewels of this kind"},
	{"a jewel lost", `{"jewels": {"ruby": 5}}`, "jewels.ruby", "there are 6"},
	{"a jewel of a module", `{"ships": [{"jewels": {"black_jewel": 1}}]}`, "ships[0].jewels.black_jewel", "black jewels are of the module black_jewel"},
	{"a fourth fragment of a type", `{"ships": [{"fragments": {"x": 2}}, {"fragments": {"x": 2}}]}`, "ships[1].fragments.x", "the 3 map fragments of this type"},
	{"more fragments than were not removed", `{"ships": [{"fragments": {"x": 2}}, {"fragments": {"sun": 2}}]}`, "ships", "only 3"},
	{"a type of fragment not in play", `{"ships": [{"fragments": {"moon": 1}}]}`, "ships[0].fragments.moon", "x, sun"},
	{"a map stack against the fragments", `{"map_stack": {"fragments": 3}, "ships": [{"fragments": {"x": 1}}]}`, "map_stack.fragments", "in the stack"},
	{"a second Island Lore of two", `{"map_stack": {"island_lore": 2}}`, "map_stack.island_lore", "from 0 to 1"},
	{"a fragment unseen and with a ship", `{"unseen_fragments": {"x": 3}, "ships": [{"fragments": {"x": 1}}]}`, "unseen_fragments.x", "there are 3"},
	{"three water tiles", `{"water": ["fog", "high_water", "the_shallows"]}`, "water", "regions 0 to 3"},
	{"one water tile twice", `{"water": ["fog", "fog", "high_water", "the_shallows"]}`, "water[1]", "there are 1"},
	{"an unknown water tile", `{"water": ["fogg", "coral_reef", "high_water", "the_shallows"]}`, "water[0]", "did you mean fog?"},
	{"an unknown landmark", `{"landmarks": {"C1": "tribal_vilage"}}`, "landmarks.C1", "did you mean tribal_village?"},
	{"a landmark at no location", `{"landmarks": {"C6": "tribal_village"}}`, "landmarks.C6", "unknown field"},
	{"a landmark on the beach", `{"landmarks": {"B1": "tribal_village"}}`, "landmarks.B1", "unknown field"},
	{"one landmark twice", `{"landmarks": {"C1": "star_axis", "C2": "star_axis"}}`, "landmarks.C2", "landmarks.C1"},
	{"a landmark in its stack and on the island", `{"landmarks": {"C1": "star_axis"}, "stacks": {"blue": {"bottom": ["star_axis"]}}}`, "stacks.blue.bottom[0]", "landmarks.C1"},
	{"a red landmark on the blue path", `{"landmarks": {"C1": "cursed_idol"}}`, "landmarks", "out_of_game"},
	{"a blue landmark on the red path", `{"landmarks": {"P1": "star_axis"}, "out_of_game": ["hidden_chamber"]}`, "landmarks", "a blue tile lies at a red location"},
	{"a red landmark in the blue stack", `{"stacks": {"blue": {"bottom": ["cursed_idol"]}}}`, "stacks.blue", "cursed_idol is red"},
	{"landmarks that are nowhere", `{"stacks": {"red": {"top": ["cursed_idol"]}}}`, "stacks.red.top", "nowhere"},
	{"a landmark on the island after the dig", `{"dug": true, "landmarks": {"C1": "star_axis"}}`, "landmarks.C1", "make dug false"},
	{"a captain at no location", `{"ships": [{"captain_at": "P5"}]}`, "ships[0].captain_at", "did you mean"},
	{"a captain on the island after the dig", `{"dug": true, "ships": [{"captain_at": "C1"}]}`, "ships[0].captain_at", "give track"},
	{"a captain on the track before the dig", `{"ships": [{"track": 1}]}`, "ships[0].track", "make dug true"},
	{"a captain beyond FIN", `{"dug": true, "ships": [{"track": 5}]}`, "ships[0].track", "from 0 to 4"},
	{"an unknown card", `{"ships": [{"hand": ["N42"]}]}`, "ships[0].hand[0]", "unknown name"},
	{"one card twice", `{"ships": [{"hand": ["N01"]}, {"table": ["N01"]}]}`, "ships[1].table[0]", "ships[0].hand[0]"},
	{"a captain card before the dig", `{"ships": [{"table": ["C01"]}]}`, "ships[0].table[0]", "make dug true"},
	{"a card after a gap", `{"ships": [{"table": ["N01", "none", "N02"]}]}`, "ships[0].table[2]", "gap"},
	{"a fourth card in a row", `{"ships": [{"table": ["N01", "N02", "N03", "N04"]}]}`, "ships[0].table", "at most 3"},
	{"cards that are nowhere", `{"deck": ["N01"], "discard": []}`, "deck", "nowhere"},
	{"cards on the table before programming", `{"phase": "program", "ships": [{"table": ["N01"]}]}`, "ships[0].table", "nobody has programmed"},
	{"cards on the table after the end", `{"phase": "over", "ships": [{"table": ["N01"]}]}`, "ships[0].table", "no card lies"},
	{"an old card in the deck", `{"deck": ["N01"], "old": ["N01"]}`, "old", "N01"},
	{"a card that only its owner knows", `{"ships": [{"table": ["?"]}]}`, "ships[0].table[0]", "seat's view"},
	{"a hand that only its owner knows", `{"ships": [{"hand": {"cards": 2}}]}`, "ships[0].hand", "seat's view"},
	{"a frame of no kind", `{"stack": [{"kind": "ask_way"}]}`, "stack[0].kind", "did you mean ask_pay?"},
	{"a frame without its seat", `{"stack": [{"kind": "ask_path"}]}`, "stack[0].seat", "missing"},
	{"a frame with an argument of others", `{"stack": [{"kind": "ask_path", "seat": 0, "slot": 1}]}`, "stack[0].slot", "unknown field"},
	{"a question of the round in a turn", `{"stack": [{"kind": "ask_program", "seat": 0, "slot": 1}]}`, "stack[0]", "ask_program"},
	{"a step at the top of the stack", `{"stack": [{"kind": "do_advance", "seat": 1}]}`, "stack", "question"},
	{"an empty stack in a turn", `{"stack": []}`, "stack", "question"},
	{"a path where none forks", `{"ships": [{"table": ["N13"], "captain_at": "C1"}], "stack": [{"kind": "ask_path", "seat": 0}]}`, "stack[0]", "no path forks at C1"},
	{"a theft from a ship that has none", `{"ships": [{"table": ["N40"]}, {"hull": 3, "fragments": {}}], "stack": [{"kind": "ask_steal_fragment", "seat": 0, "enemy": 1}]}`, "stack[0]", "ask_steal_fragment: there is nothing to choose"},
	{"a theft by a card that does not steal", `{"ships": [{"table": ["N13"]}, {"hull": 3, "fragments": {"x": 1}}], "stack": [{"kind": "ask_steal_fragment", "seat": 0, "enemy": 1}]}`, "stack[0]", "N13 does not steal that"},
	{"an effect of a landmark that is not there", `{"ships": [{"table": ["N13"], "captain_at": "C1"}], "landmarks": {"C1": "tribal_village"}, "stack": [{"kind": "ask_hut", "seat": 0, "resolver": 0}]}`, "stack[0]", "tribal_village"},
	{"set-up with a captain out of turn", `{"phase": "setup", "water": ["coral_reef", "high_water", "rip_current", "the_shallows"], "ships": [{}, {"captain": "voet"}]}`, "ships[1].captain", "0 seats have chosen"},
}

func TestSetPositionNamesWhatIsWrong(t *testing.T) {
	for _, tc := range refusals {
		t.Run(tc.name, func(t *testing.T) {
			enginetest.SetPositionRefuses(t, "doubloons(seats=2)", tc.position, tc.says)
			_, r := explicitMatch(t, 2)
			var s State
			if err := r.SetPosition(&s, []byte(tc.position)); err == nil || !strings.Contains(err.Error(), tc.path) {
				t.Errorf("%v: want it to name %s", err, tc.path)
			}
		})
	}
}

func TestSetPositionNamesSeveralFaultsAtOnce(t *testing.T) {
	enginetest.SetPositionRefuses(t, "doubloons(seats=2)",
		`{"ships": [{"hull": 12, "crew": 9}, {"facing": "north"}]}`,
		"ships[0].hull: 12: want a whole number from 0 to 10; ships[0].crew: 9: want a whole number from 0 to 4; ships[1].facing")
}

func TestLeftOutPartsAreThoseOfAFreshFirstRound(t *testing.T) {
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		m, r := explicitMatch(t, seats)
		if err := m.SetPosition([]byte("{}")); err != nil {
			t.Fatal(err)
		}
		s := engine.State[State](m)
		check(t, "phase", s.Phase, PhaseAction)
		check(t, "slot", s.Slot, 0)
		check(t, "turn", s.Turn, 0)
		check(t, "island", s.Island, r.Seeding[seats])
		check(t, "supply", int(s.Supply), r.Doubloons-2*seats-int(s.Island))
		check(t, "pillage tokens", int(s.Pillage), 2*seats)
		for region := range r.regions {
			check(t, "group of water", r.WaterGroup[s.Water[region]], r.WaterChart[seats][region])
		}
		for i := range seats {
			sh := &s.Ships[i]
			check(t, "captain", sh.Captain, int8(i))
			check(t, "hull", sh.Hull, MaxHull)
			check(t, "crew", sh.Crew, MaxCrew)
			check(t, "doubloons", sh.Doubloons, 2)
			check(t, "fragments", sum(&sh.Fragments), 1)
			check(t, "location", sh.Node, NodeBeach)
			check(t, "cards in the row", sh.row(), NumSlots)
			check(t, "cards in hand and row", bits.OnesCount64(sh.Hand)+sh.row(), r.handSize(s, i))
		}
		if err := r.Check(s); err != nil {
			t.Error(err)
		}
	}
}

func TestTheSeedDealsWhatIsLeftOut(t *testing.T) {
	at := func(seed int) State {
		return *engine.State[State](enginetest.At(t, "doubloons(chance=explicit)", fmt.Sprintf(`{"seed": %d}`, seed)))
	}
	five, again, six := at(5), at(5), at(6)
	check(t, "one seed, one deal", five == again, true)
	check(t, "another seed, another deal", five.Deck == six.Deck, false)
}

// Rows and hands take the cards that are written first.
func TestWrittenCardsStayWhereTheyAreWritten(t *testing.T) {
	m := enginetest.At(t, "doubloons(seats=2,chance=explicit,forced=show)", `{
		"slot": 2, "discard": ["N09", "N10"],
		"ships": [{"table": ["N05", "N13"]}, {"hand": ["N01", "N02", "N03", "N04"]}]}`)
	s := engine.State[State](m)
	check(t, "first card", s.Ships[0].Table[0], int8(card("N05")))
	check(t, "second card", s.Ships[0].Table[1], int8(card("N13")))
	check(t, "third card is dealt", s.Ships[0].Table[2] != noCard, true)
	check(t, "rest of the hand", bits.OnesCount64(s.Ships[0].Hand), 2)
	check(t, "a row left out is of the hand", s.Ships[1].Table, row("N01", "N02", "N03"))
	check(t, "what is left of it", s.Ships[1].Hand, cards("N04"))
	check(t, "discard", s.Discard, cards("N09", "N10"))
	check(t, "deck", bits.OnesCount64(s.Deck), NumNormalCards-2-5-4)
}

func TestAPositionBeginsAnywhereInARound(t *testing.T) {
	const water = `"water": ["stone_sextant", "high_water", "rip_current", "the_shallows"]`
	for _, tc := range []struct{ position, decision string }{
		{`{"phase": "setup"}`, "who takes the initiative"},
		{`{"phase": "setup", "initiative": 1, ` + water + `}`, "seat 1: choose a captain"},
		{`{"phase": "setup", ` + water + `, "ships": [{"captain": "voet", "region": 1}]}`, "seat 1: choose a captain"},
		{`{"phase": "setup", ` + water + `, "ships": [{"captain": "voet"}]}`, "seat 0: place your ship"},
		{`{"phase": "round_start", ` + water + `}`, "seat 0: Stone Sextant"},
		{`{"phase": "round_start", ` + water + `, "ships": [{"region": 1}, {"region": 1}]}`, "seat 0 draws a card"},
		{`{"phase": "program", "initiative": 1}`, "seat 1: choose the card for slot 1"},
		{`{"ships": [{"table": ["N05"]}]}`, "seat 0: movement: Sail"},
		{`{"slot": 3, "turn": 1, "step": "action", "ships": [{}, {"table": ["N01", "N02", "N05"]}]}`, "seat 1: choose an action of card N05"},
		{`{"phase": "pillage", ` + water + `, "ships": [{"region": 1}, {"region": 1}]}`, "seat 1 draws a card"},
		{`{"phase": "round_end", "ships": [{"captain_at": "M"}]}`, "seat 0 draws a jewel"},
		{`{"phase": "over"}`, "over"},
	} {
		m := enginetest.At(t, "doubloons(seats=2,chance=explicit,forced=show)", tc.position)
		if got := m.Decision(); !strings.Contains(got, tc.decision) {
			t.Errorf("%s: %q; want %q", tc.position, got, tc.decision)
		}
	}
}

// In the action phase a stack may leave out what follows from slot, turn and
// initiative.
func TestAStackCanSayOnlyWhatIsLeftOfTheTurn(t *testing.T) {
	m := enginetest.At(t, "doubloons(seats=2,chance=explicit,forced=show)", `{
		"ships": [{"captain": "voet", "table": ["N13"], "captain_at": "C3"}, {"captain": "hayreddin", "captain_at": "P2"}],
		"stack": [{"kind": "do_advance", "seat": 1}, {"kind": "ask_path", "seat": 0}]}`)
	enginetest.Do(t, m, "to=C4; landmark=tribal_village")
	s := engine.State[State](m)
	check(t, "walker", nodeNames[s.Ships[0].Node], "C4")
	check(t, "top", s.Top(), frame(AskPath, 1))
}

// What is obvious in a frame may be left out of it.
func TestAFrameCanLeaveOutWhatFollowsFromItsSeatAndSlot(t *testing.T) {
	const sea = `"water": ["coral_reef", "high_water", "rip_current", "the_shallows"], `
	for _, tc := range []struct{ position, decision string }{
		{`"ships": [{"captain": "voet", "table": ["N26"]}, {"hull": 5}], "stack": [{"kind": "roll_die", "seat": 0, "hit": [1]}]`, "seat 0 rolls the attack die"},
		{`"slot": 2, "ships": [{"table": ["N01", "N26"]}, {}], "stack": [{"kind": "ask_action", "seat": 0}]`, "choose an action of card N26"},
		{`"ships": [{"table": ["N39"]}, {"hull": 5}], "stack": [{"kind": "ask_board", "seat": 0}]`, "which ship do you Board to steal 1 crew"},
		{`"landmarks": {"C1": "voodoo_hut"}, "ships": [{"captain_at": "C1", "table": ["N13"]}, {}], "stack": [{"kind": "ask_hut", "seat": 0}]`, "Voodoo Hut: turn it on which enemy of seat 0"},
		{`"ships": [{"captain_at": "C1", "table": ["N13"]}, {}], "stack": [{"kind": "draw_landmark", "seat": 0, "colour": "blue", "place": "C1"}]`, "draws a blue landmark"},
	} {
		m := enginetest.At(t, "doubloons(seats=2,chance=explicit,forced=show)", "{"+sea+tc.position+"}")
		if !strings.Contains(m.Decision(), tc.decision) {
			t.Errorf("%s: %q; want %q", tc.position, m.Decision(), tc.decision)
		}
	}
}

// hiddenFrom are the cards that a seat must not see in its position or its board.
func hiddenFrom(s *State, seats, seat int) uint64 {
	hidden := s.Deck
	for i := range seats {
		if i != seat {
			hidden |= s.Hidden(i)
		}
	}
	return hidden &^ s.Old // of old cards everyone knows that somebody holds them
}

// namesNothingHidden reads a match of four as a seat may.
func namesNothingHidden(t *testing.T, m engine.Match, seat int) {
	t.Helper()
	text, err := m.Position(seat)
	if err != nil {
		t.Fatal(err)
	}
	board := m.Render(seat)
	for _, name := range cardList(hiddenFrom(engine.State[State](m), 4, seat)) {
		if strings.Contains(string(text), name) {
			t.Fatalf("%s: %s is hidden from seat %d, whose position names it:\n%s", m.Decision(), name, seat, text)
		}
		if strings.Contains(board+m.Decision(), name) {
			t.Fatalf("%s: %s is hidden from seat %d, whose board names it:\n%s", m.Decision(), name, seat, board)
		}
	}
	if strings.Contains(string(text), "generator") {
		t.Fatalf("seat %d sees the generator", seat)
	}
}

func TestSeatViewsNameNoHiddenCard(t *testing.T) {
	standard, _ := explicitMatch(t, 4)
	island, _ := explicitMatch(away(t), 4)
	rand := engine.NewRand(3)
	for seed, m := range []engine.Match{standard, standard, island} {
		m.Reset(uint64(seed))
		for n := 0; m.Seat() != engine.Over; n++ {
			if n%3 == 0 {
				namesNothingHidden(t, m, n/3%4)
			}
			a := m.SampleChance()
			if m.Seat() >= 0 {
				a = m.Legal().Sample(&rand)
			}
			if err := m.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// While others program, their cards lie face down, and one's own are seen.
func TestProgrammedAndDrawnCardsAreSeenByTheirPlayerOnly(t *testing.T) {
	enginetest.Clause(t, "KNOW-1")
	sees := func(m engine.Match, action string, want ...engine.Sight) {
		t.Helper()
		a, err := m.Info().ParseAction(action)
		if err != nil {
			t.Fatal(err)
		}
		for view, sight := range want {
			check(t, fmt.Sprintf("seat %d sees %s", view, action), m.Sight(view, a), sight)
		}
		check(t, "all eyes", m.Sight(engine.Full, a), engine.Open)
	}
	const game = "doubloons(seats=3,chance=explicit,forced=show,modules=steal_ship)"
	m := enginetest.At(t, game, `{"phase": "program", "initiative": 1, "ships": [{"player": 1}, {"player": 0, "hand": ["N01", "N02", "N03"]}]}`)
	sees(m, "card=N01", engine.Open, engine.FaceDown, engine.FaceDown)
	m = enginetest.At(t, game, `{"phase": "round_start", "water": ["fog", "high_water", "rip_current", "the_shallows"]}`)
	sees(m, "draw=N01", engine.Open, engine.FaceDown, engine.FaceDown)
	m = enginetest.At(t, game, `{"ships": [{"table": ["N13"]}]}`)
	sees(m, "do=hunt", engine.Open, engine.Open, engine.Open)
}

func TestSeatViewsShowOwnFaceDownCards(t *testing.T) {
	m := enginetest.At(t, "doubloons(seats=2,chance=explicit,forced=show)",
		`{"phase": "program", "ships": [{"hand": ["N01", "N02", "N03", "N04"]}]}`)
	enginetest.Do(t, m, "card=N03; card=N01; card=N04")
	for seat, want := range []string{`["N03","N01","N04"]`, `["?","?","?"]`} {
		text, err := m.Position(seat)
		if err != nil {
			t.Fatal(err)
		}
		var p struct {
			Ships []struct {
				Table json.RawMessage
				Hand  json.RawMessage
			}
		}
		if err := json.Unmarshal(text, &p); err != nil {
			t.Fatal(err)
		}
		compact := strings.Join(strings.Fields(string(p.Ships[0].Table)), "")
		check(t, fmt.Sprintf("row of seat 0 seen by seat %d", seat), compact, want)
		if seat == 1 && strings.Join(strings.Fields(string(p.Ships[0].Hand)), "") != `{"cards":1}` {
			t.Errorf("hand of seat 0 seen by seat 1: %s", p.Ships[0].Hand)
		}
	}
}

// Every frame that a match can have is written and read back, and is one that
// Check lets the rules build.
func TestPositionsOfEveryKindOfDecisionRoundTrip(t *testing.T) {
	met := map[Kind]int{}
	for seats := MinSeats; seats <= MaxSeats; seats++ {
		test := in(t, "modules=none")
		switch seats % 3 {
		case 0:
			test = in(t, "modules="+onStandardIsland.String())
		case 1:
			test = in(t, "modules="+allModules.String())
		}
		m, _ := explicitMatch(test, seats)
		back, _ := explicitMatch(test, seats)
		rand := engine.NewRand(uint64(seats))
		for seed := range uint64(16) {
			for m.Reset(seed); ; {
				kind := engine.State[State](m).Top().Kind
				if met[kind]++; met[kind] < 250 || met[kind]%8 == 0 {
					if err := checkMatch(m); err != nil {
						t.Fatalf("seed %d: %s: %v", seed, m.Decision(), err)
					}
				}
				if met[kind] < 25 {
					text, err := m.Position(engine.Full)
					if err == nil {
						err = back.SetPosition(text)
					}
					if err != nil {
						t.Fatalf("%v\n%s", err, text)
					}
					if !back.Equal(m) {
						t.Fatalf("%s: the position is read back as another one:\n%s", m.Decision(), text)
					}
				}
				if m.Seat() == engine.Over {
					break
				}
				a := m.SampleChance()
				if m.Seat() >= 0 {
					a = m.Legal().Sample(&rand)
				}
				if err := m.Apply(a); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for k, name := range widest.Names() {
		if kind := Kind(k); (kind.asks() || kind.chances()) && name != "" && met[kind] == 0 {
			t.Errorf("no match of this test reached %s", name)
		}
	}
}
