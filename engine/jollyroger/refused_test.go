package jollyroger

import (
	"testing"

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
		`{"round": 11}`:         "round",
		`{"phase": "setup"}`:    "stack: it is missing",
		`{"phase": "boarding"}`: "phase",
		`{"phase": "attack"}`:   "destination: an attack needs",
		`{"phase": "attack", "destination": "pirate_port"}`:                    "destination: an attack needs",
		`{"phase": "attack", "destination": "fort", "target": "settlement_1"}`: "target: settlement_1 is no card of the destination",
		`{"phase": "attack", "destination": "fort", "target": "fort_8"}`:       "target: fort_8 is not among the cards used",
		`{"phase": "prizes"}`:                                                       "spoils: in phase prizes there are some",
		`{"spoils": {"rum": 1}}`:                                                    "spoils: they are shared out in phase prizes",
		`{"phase": "prizes", "spoils": {"rum": 7}}`:                                 "prizes: 1 too many of rum",
		`{"players": [{"prizes": {"rum": 4}}, {"buried": {"rum": 3}}]}`:             "prizes: 1 too many of rum",
		`{"players": [{"hand": {"traitor": 2}}, {"hand": {"traitor": 1}}]}`:         "crew cards: 1 too many of traitor",
		`{"players": [{"hand": {"nav12": 2, "nav13": 2, "nav21": 2, "nav22": 2}}]}`: "players[0].hand: 8 cards: the hand limit is 7",
		`{"players": [{"hand": {"parrot": 1}}]}`:                                    "players[0].hand",
		`{"players": [{"hand": {"cards": 3}}]}`:                                     "players[0].hand: a number of cards is in a seat's view only",
		`{"players": [{"seat": 1}, {"seat": 1}]}`:                                   "players[1].seat: 1: it is given twice",
		`{"players": [{}, {}, {}, {}, {}]}`:                                         "players",
		`{"discard": {"cook": 2}}`:                                                  "crew cards: 1 too many of cook",
		`{"deck": {"cook": 1}}`:                                                     "deck: it says what is left when all hands are known",
		`{"prize_deck": {"rum": 1}}`:                                                "prizes",
		`{"mutiny": {}}`:                                                            "mutiny.mutineer: it is missing",
		`{"mutiny": {"mutineer": 0}}`:                                               "mutiny.mutineer: the Captain cannot mutiny",
		`{"mutiny": {"mutineer": 1}, "mutiny_tried": false}`:                        "mutiny_tried: false during a mutiny",
		`{"mutiny": {"mutineer": 1}, "phase": "voyage"}`:                            "destination: this mutiny is about a destination",
		`{"players": [{"side": "mutineer"}]}`:                                       "seat 0: nobody takes sides outside a mutiny",
		`{"mutiny": {"mutineer": 1}, "players": [{"side": "mutineer"}]}`:            "",
		`{"players": [{"said": {"phrase": "give_me", "to": 1}}]}`:                   "said: want a phrase to another seat, with bribes=talk",
		`{"players": [{"appraised": 2}]}`:                                           "appraised: jewels are appraised at the end",
		`{"offer": {"rum": 1}}`:                                                     "offer: nobody is making an offer",
		`{"played": {"nav12": 1}}`:                                                  "played: nav12",
		`{"map": true}`:                                                             "map: true",
		`{"guard": 2}`:                                                              "guard: a guard belongs to Treasure Island",
		`{"phase": "voyage", "stacks": {"fort": ["fort_6"]}}`:                       "stacks.fort: fort_6 is not in a game of 4 players",
		`{"round": 3, "phase": "voyage", "stacks": {"fort": ["fort_1", "fort_2", "fort_3", "fort_4"]}}`:           "stacks: 1 cards have been used",
		`{"sightings": [{"card": "cook", "among": [1], "known_by": [0]}], "players": [{}, {"hand": {"any": 1}}]}`: "seat 0 has seen more of cook",
		`{"sightings": [{"card": "rum", "among": [1], "known_by": [0]}]}`:                                         "sightings: entry 0",
		`{"quartermaster": 1, "stack": [{"kind": "ask_sail", "seat": 0}]}`:                                        "ask_sail cannot stand on",
		`{"stack": [{"kind": "ask_tea", "seat": 0}]}`:                                                             "stack[0].kind",
		`{"stack": [{"kind": "ask_sail"}]}`:                                                                       "stack[0].seat: it is missing",
		`{"quartermaster": 1, "stack": [{"kind": "do_round"}]}`:                                                   "its last frame must be a decision",
		`{"generator": {"key": -1}}`:                                                                              "generator.key",
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
