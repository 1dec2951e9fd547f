// Package doubloons plays Dead Man's Doubloons (ThunderGryph Games and Geek Fever
// Games, 2017) for 2 to 6 seats: the final rulebook and three drafts before it, with
// every optional module and on both sides of the board.
//
// Ships sail a ring of regions around an island while their captains walk one
// of several paths to the treasure on Mount Zotètmon. Each round every seat
// programs three action cards in secret; the cards are then executed one after the other, each
// with its movement and one of its two actions. When a captain reaches the
// mount the treasure is dug up, captain cards join the deck, and playing them drives the game to its end.
//
// RULES.md states the rules as numbered clauses. The code follows the rulebook:
//
//	components.yaml, components.go  what is printed on cards, tiles and boards
//	names.go, actions.go            names of things; the action space and the outcomes of chance
//	state.go                        the flat state and the decision stack
//	setup.go, round.go              set-up and draft; the course of a round
//	movement.go, water.go           Sail, Come About; water tiles
//	attack.go, ghostship.go         attacks and the die; damage, crew and ghost ships
//	board.go, hunt.go               Board; map tiles, Advance and Follow, Exploit
//	landmarks.go, treasury.go       landmark tiles; doubloons, tokens, jewels
//	pillage.go, roundend.go         the phases after the actions, the dig included
//	scoring.go                      points, ties, returns
//	advancedscoring.go, blackjewel.go, compass.go, legendary.go, stealship.go
//	                                the optional modules
//	adventure.go and those after it the alternate island: the module that changes most
//	editions.go, drafts.go          older rulebooks
//	redeal.go                       what a seat cannot know
//	chronicle.go                    what statistics of many matches may ask; BALANCE.md has some
//	position.go, render.go          positions as JSON; the board as text
//
// A rule that needs a choice pushes a frame on the state's decision stack
// (state.go) and returns; Apply pops the top frame, lets its rule act, and runs
// on until a frame needs somebody. Pushed last is done first, so rules with several parts
// push them in reverse.
package doubloons
