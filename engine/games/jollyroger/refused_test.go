package jollyroger

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// What cannot be is refused, with the path of it.
func TestPositionsThatCannotBeAreRefusedByName(t *testing.T) {
	const four = "jolly_roger(seats=4)"
	for position, naming := range map[string]string{
		`[]`:                               "want an object",
		`{"game": "jolly_roger(seats=5)"}`: "game",
		`{"capitan": 1}`:                   "did you mean captain?",
		`{"captain": 4}`:                   "captain: 4",
		`{"captain": 1, "quartermaster": 1, "phase": "voyage"}`: "quartermaster: 1 is the Captain",
		`{"round": 11}`:                                                                       "round",
		`{"phase": "setup"}`:                                                                  "stack: it is missing",
		`{"phase": "setup", "captain_since": 1}`:                                              "captain_since: the rounds have not begun: leave it out during set-up",
		`{"phase": "setup", "guard": 0}`:                                                      "guard: the rounds have not begun",
		`{"phase": "setup", "mutiny_tried": true}`:                                            "mutiny_tried: the rounds have not begun",
		`{"phase": "boarding"}`:                                                               "phase",
		`{"phase": "attack"}`:                                                                 "destination: an attack needs",
		`{"phase": "attack", "destination": "pirate_port"}`:                                   "destination: an attack needs",
		`{"phase": "attack", "destination": "fort", "target": "settlement_1"}`:                "target: settlement_1 is no card of the destination",
		`{"phase": "attack", "destination": "fort", "target": "fort_8"}`:                      "target: fort_8 is not in a game of 4 players",
		`{"phase": "prizes"}`:                                                                 "spoils: in phase prizes there are some",
		`{"spoils": {"rum": 1}}`:                                                              "spoils: they are shared out in phase prizes",
		`{"phase": "prizes", "spoils": {"rum": 7}}`:                                           "prize_deck.rum: 7 prizes of this kind in prize_deck, prize_discard, spoils, players[].prizes, players[].buried: there are 6",
		`{"players": [{"prizes": {"rum": 4}}, {"buried": {"rum": 3}}]}`:                       "prize_deck.rum: 7 prizes of this kind in prize_deck, prize_discard, spoils, players[].prizes, players[].buried: there are 6",
		`{"players": [{"hand": {"traitor": 2}}, {"hand": {"traitor": 1}}]}`:                   "deck.traitor: 3 crew cards of this kind in deck,",
		`{"players": [{"hand": {"nav12": 2, "nav13": 2, "nav21": 2, "nav22": 2}}]}`:           "players[0].hand: 8 cards: the hand limit is 7",
		`{"players": [{"hand": {"parrot": 1}}]}`:                                              "players[0].hand",
		`{"players": [{"hand": {"cards": 3}}]}`:                                               "players[0].hand: a number of cards is in a seat's view only",
		`{"players": [{"seat": 1}, {"seat": 1}]}`:                                             "players[1].seat: 1: it is given twice",
		`{"players": [{}, {}, {}, {}, {}]}`:                                                   "players",
		`{"discard": {"cook": 2}}`:                                                            "deck.cook: 2 crew cards of this kind",
		`{"deck": {"cook": 1}}`:                                                               "deck: it has the cards that are left when all hands are known",
		`{"prize_deck": {"rum": 7}}`:                                                          "prize_deck.rum: 7 prizes of this kind in prize_deck, prize_discard, spoils, players[].prizes, players[].buried: there are 6",
		`{"prize_deck": {}, "prize_discard": {}}`:                                             "prize_deck.gold_1: 0 prizes of this kind",
		`{"mutiny": {}}`:                                                                      "mutiny.mutineer: it is missing",
		`{"mutiny": {"mutineer": 0}}`:                                                         "mutiny.mutineer: the Captain cannot mutiny",
		`{"mutiny": {"mutineer": 1}, "mutiny_tried": false}`:                                  "mutiny_tried: false during a mutiny",
		`{"mutiny": {"mutineer": 1}, "phase": "voyage"}`:                                      "destination: this mutiny is about a destination",
		`{"players": [{"side": "mutineer"}]}`:                                                 "seat 0: nobody takes sides outside a mutiny",
		`{"mutiny": {"mutineer": 1}, "players": [{"side": "mutineer"}]}`:                      "",
		`{"players": [{"said": {"phrase": "give_me", "to": 1}}]}`:                             "said: want a phrase to another seat, with bribes=talk",
		`{"players": [{"appraised": 2}]}`:                                                     "appraised: jewels are appraised at the end",
		`{"offer": {"rum": 1}}`:                                                               "offer: nobody is making an offer",
		`{"played": {"nav12": 1}}`:                                                            "played: nav12",
		`{"map": true}`:                                                                       "map: true",
		`{"guard": 2}`:                                                                        "guard: a guard belongs to Treasure Island",
		`{"phase": "voyage", "stacks": {"fort": ["fort_6"]}}`:                                 "stacks.fort: fort_6 is not in a game of 4 players",
		`{"round": 2, "phase": "voyage", "stacks": {"fort": ["fort_1", "fort_2", "fort_3"]}}`: "stacks: 2 cards have been used",
		`{"phase": "attack", "destination": "fort", "needs": {"guns": 3}}`:                    "needs: they are those of a revealed target: give target too",
		`{"phase": "attack", "destination": "fort", "mutiny": {"mutineer": 1}}`:               "mutiny: in phase attack there is none: want the phase appointment, voyage or punishment",
		`{"phase": "port", "mutiny": {"mutineer": 1}}`:                                        "mutiny: in phase port there is none",
		`{"sightings": [{"card": "cook", "among": [1], "known_by": [0]}], "players": [{}, {"hand": {"any": 1}}]}`:                                                               "seat 0 has seen more crew cards than there are where it says",
		`{"players": [{}, {"hand": {"cook": 1}, "sighted": {"least": [1, 0, 0, 0], "most": [0, 0, 0, 0]}}], "sightings": [{"card": "cook", "among": [1], "known_by": [0]}]}`:    "players[1].sighted: at least 1 and at most 0 of those that seat 0 has seen",
		`{"sightings": [{"card": "rum", "among": [1], "known_by": [0]}]}`:                                                                                                       "sightings: seat 0, entry 0",
		`{"players": [{"hand": {"any": 1}, "of_mutiny": {"any": 1}}]}`:                                                                                                          "seat 0: of_mutiny: 1 any: those are cards of its hand that it has got of a mutiny that is being dealt now",
		`{"bags": [{"seat": 1, "bag": 1, "slots": [60000, 0, 60000]}]}`:                                                                                                         "bags[0].slots[0]: 60000",
		`{"bags": [{"seat": 1, "bag": 1, "slots": [40000, 0, 40000]}]}`:                                                                                                         "bags: seat 1, bag 1: it has more cards than there are",
		`{"bags": [{"seat": 1, "bag": 6}], "sightings": [{"card": "any", "among": [2], "known_by": [1], "bag": 6}], "players": [{}, {}, {"hand": {"any": 1}}]}`:                 "sightings: seat 1, entry 0",
		`{"sightings": [{"card": "cook", "among": [0], "known_by": [0]}], "players": [{"hand": {"cook": 1}}]}`:                                                                  "sightings[0].among: nobody but seat 0, who knows it",
		`{"sightings": [{"card": "any", "among": [1], "known_by": [0], "told": 0}], "players": [{}, {"hand": {"any": 1}}]}`:                                                     "sightings: seat 0, entry 0",
		`{"sightings": [{"card": "cook", "among": [1], "known_by": [0], "on_table": true}], "players": [{}, {"hand": {"cook": 1}}]}`:                                            "sightings: seat 0, entry 0",
		`{"sightings": [{"card": "any", "among": [1], "known_by": [0]}], "players": [{}, {"hand": {"any": 1}, "sighted": {"least": [0, 0, 0, 0], "most": [0, 0, 0, 0]}}]}`:      "seat 0 has seen more crew cards",
		`{"sightings": [{"card": "any", "among": [1, 2], "known_by": [0]}], "players": [{}, {"hand": {"any": 1}}, {"sighted": {"least": [1, 0, 0, 0], "most": [1, 0, 0, 0]}}]}`: "seat 0 has seen more crew cards",
		`{"players": [{"sighted": {"least": [0], "most": [1, 0, 0, 0]}}]}`:                                                                                                      "players[0].sighted.least: 1 numbers",
		// The cook can only be with seat 1 and the lookout only with seat 2, where none may be.
		`{"sightings": [{"card": "cook", "among": [1, 2], "known_by": [0]}, {"card": "lookout", "among": [1, 2], "known_by": [0]}],
		  "players": [{}, {"hand": {"cook": 1, "any": 2}}, {"hand": {"lookout": 1}, "sighted": {"least": [0, 0, 0, 0], "most": [0, 0, 0, 0]}}]}`: "seat 0 has seen more crew cards",
		`{"quartermaster": 1, "stack": [{"kind": "ask_sail", "seat": 0}]}`: "ask_sail cannot stand on",
		`{"stack": [{"kind": "ask_tea", "seat": 0}]}`:                      "stack[0].kind",
		`{"stack": [{"kind": "ask_sail"}]}`:                                "stack[0].seat: it is missing",
		`{"quartermaster": 1, "stack": [{"kind": "do_round"}]}`:            "its last frame must be a decision",
		`{"generator": {"key": -1}}`:                                       "generator.key",
		// The Quartermaster plays the first card before the lap begins.
		`{"phase": "attack", "destination": "fort", "quartermaster": 1, "stack": [{"kind": "do_round"},
		  {"kind": "do_poll", "seat": 0, "asks": "ask_anytime", "next": 0, "end": 4, "about": 13, "of": 0}, {"kind": "do_punishment"}, {"kind": "do_reveal"},
		  {"kind": "do_lap", "seat": 2, "passes": 0}, {"kind": "do_first"}, {"kind": "ask_first", "seat": 1}]}`: "do_first: the lap has begun",
	} {
		enginetest.SetPositionRefuses(t, four, position, naming)
	}
	enginetest.SetPositionRefuses(t, "jolly_roger(seats=3)", `{"quartermaster": 1}`, "quartermaster: 1: with three players the Captain")
}

// What a position leaves out is as in a match that has just come there, in every phase
// and round.
func TestPositionsOfAFewWordsAreAccepted(t *testing.T) {
	for _, game := range []string{"jolly_roger(seats=3)", "jolly_roger(seats=6)", "jolly_roger(seats=10,bribes=talk,variants=hidden_prizes)"} {
		for _, position := range []string{
			`{}`, `{"phase": "voyage"}`, `{"phase": "voyage", "round": 10, "seed": 5}`, `{"phase": "attack", "destination": "fort"}`, `{"phase": "attack", "destination": "fort", "round": 10}`,
			`{"phase": "attack", "destination": "fort", "target": "fort_4"}`, `{"phase": "prizes", "spoils": {"rum": 2}}`, `{"phase": "port"}`, `{"phase": "island"}`, `{"phase": "island", "map": true}`,
			`{"phase": "punishment"}`, `{"phase": "punishment", "round": 10, "seed": 3}`, `{"phase": "over", "round": 7}`, `{"mutiny": {"mutineer": 1}}`,
			`{"mutiny": {"mutineer": 1}, "phase": "voyage", "destination": "fort"}`, `{"mutiny": {"mutineer": 1}, "phase": "punishment"}`,
		} {
			m := enginetest.At(t, game, position)
			if err := checkMatch(m); err != nil {
				t.Errorf("%s: %s: %v", game, position, err)
			}
		}
	}
}

// What is written decides what is left out, if only one thing can be meant.
func TestWhatAPositionLeavesOutFollowsFromWhatItSays(t *testing.T) {
	const four = "jolly_roger(seats=4,chance=explicit,forced=show)"
	at := func(position string) *State {
		t.Helper()
		m := enginetest.At(t, four, position)
		if err := checkMatch(m); err != nil {
			t.Fatalf("%s: %v", position, err)
		}
		return engine.State[State](m)
	}
	s := at(`{"phase": "port", "target": "pirate_port_1", "prize_deck": {"gold_3": 1}, "players": [{"prizes": {"rum": 2}}]}`)
	check(t, "prizes that are in no deck are discarded", listed(s.PrizeOut[3:], prizeNames[3:]), "rum rum rum rum jewels jewels jewels jewels hostage hostage hostage hostage")
	check(t, "prizes left", s.PrizesLeft, 1)
	s = at(`{"phase": "port", "deck": {"any": 1}, "players": [{"hand": {"cook": 1}}, {"hand": {}}, {"hand": {}}, {"hand": {}}]}`)
	check(t, "crew cards that are in no deck are discarded", sum(s.Discard[:]), 64)
	check(t, "the cook is in a hand", s.Discard[Cook], 0)
	s = at(`{"round": 8, "phase": "voyage", "stacks": {"fort": []}}`)
	check(t, "cards of other stacks that voyages have used", 5-len(placesOf(s.Stacks[MerchantShip]))+5-len(placesOf(s.Stacks[Settlement]))+7-len(placesOf(s.Stacks[PiratePort])), 2)
	s = at(`{"phase": "attack", "target": "settlement_2"}`)
	check(t, "the destination of a target", s.Destination, Settlement)
	s = at(`{"phase": "voyage", "destination": "fort", "players": [{"hand": {}}, {"hand": {"any": 1}}, {"hand": {}}, {"hand": {}}]}`)
	check(t, "a destination that stands can be met by a mutiny", s.Next(), AskMutiny)
	s = at(`{"phase": "voyage", "destination": "fort", "mutiny_tried": true, "players": [{"hand": {}}, {"hand": {"any": 1}}, {"hand": {}}, {"hand": {}}]}`)
	check(t, "or be sailed to", s.Next(), AskFirst)
	s = at(`{"phase": "over", "round": 10, "captain": 2, "players": [{"prizes": {"jewels": 1}}]}`)
	check(t, "jewels are appraised", s.Next(), Appraise)
	s = at(`{"phase": "over", "round": 10, "players": [{"prizes": {"jewels": 1}, "appraised": 3}]}`)
	check(t, "once", s.Next(), AskNothing)
	s = at(`{"mutiny": {"mutineer": 2, "quartermaster_card": "mutineer"}}`)
	check(t, "who has played the Quartermaster card has taken sides", s.Side[1], ForMutineer)
	s = at(`{"mutiny": {"mutineer": 2, "quartermaster_card": "mutineer"}, "players": [{}, {"side": "neutral"}]}`)
	check(t, "unless a Surgeon has made another", s.Side[1], Neutral)
}

// placesOf lists the members of a set.
func placesOf(set uint8) (list []int) {
	for i := range StackSize {
		if set>>i&1 != 0 {
			list = append(list, i)
		}
	}
	return list
}

// Seat 0 has seen three cards of a mutiny; for the third one room must be made where the first two were put.
func TestWhatIsKnownOfAMutinyIsAcceptedWhereItCanBe(t *testing.T) {
	enginetest.At(t, "jolly_roger(seats=4)", `{
		"sightings": [
			{"card": "any", "among": [1, 2], "known_by": [0], "of_mutiny": "last"}, {"card": "nav12", "among": [1, 3], "known_by": [0], "of_mutiny": "last"},
			{"card": "gun12", "among": [1], "known_by": [0], "of_mutiny": "last"}],
		"players": [{}, {"hand": {"any": 1, "nav12": 1, "gun12": 1}, "sighted": {"least": [1, 0, 0, 0], "most": [1, 0, 0, 0]}}, {"hand": {"any": 1}, "sighted": {"least": [1, 0, 0, 0], "most": [1, 0, 0, 0]}}, {"hand": {"nav12": 1}, "sighted": {"least": [1, 0, 0, 0], "most": [1, 0, 0, 0]}}]
	}`)
}
