// Package jollyroger is Jolly Roger, the game of piracy and mutiny (Ares Games,
// 2015), for 3 to 10 players.
//
// RULES.md has the rules as numbered clauses, components.yaml what the cards say, POSITIONS.md
// the form of positions. The code reads in the order of the rulebook:
//
//	jollyroger.go  the configured game, and what each decision allows
//	setup.go       cards dealt, the first Captain
//	round.go       appointment, destination, punishment, the end
//	attack.go      prize targets: crew cards played, the reveal
//	prizes.go      sharing prizes out: Cook, Captain, even split, Carpenter
//	port.go        Pirate Port
//	island.go      Treasure Island
//	mutiny.go      the mutiny
//	specials.go    cards that may be played at any time, and the Traitor
//	bribes.go      gifts and talk, if they are played with
//	hands.go       crew cards that move, hand limit, reshuffling
//	scoring.go     points and returns
//
// Each seat's knowledge of cards that are hidden now is in sightings.go, their possible places
// together in fitting.go; redeal.go deals the rest again. A free-for-all of the table is a loop in which one seat at a time may act
// or pass, and a reaction is asked of those only who can react; neither who is asked nor
// how far such a loop has come is shown to the others.
package jollyroger
