// Package search has players that search: they simulate how a match could continue. It knows the contract of
// games (package engine) and bots by name, but no game: a game tells searches what helps them by Register,
// where it registers its bots.
//
// # What a search may know
//
// A search sees of a match what its seat may know. It never simulates from the match itself: it plays
// worlds, copies in which Redeal has dealt again what the seat cannot know, the
// match's generator included. Worlds depend on the stream of the decision and on what the seat knows, and on
// nothing else, so that the choice is the same in every match that looks the same to
// the seat (TestEveryBotChoosesTheSameWhateverIsHidden).
//
// Within a world each seat decides as it would at a table: the player of the rollouts is a bot, and a
// bot looks at no more than what its seat may know (engine/players/bots). So a rival in a rollout
// does not see the cards that the searching seat holds face down; bluffs and secret programs keep their value.
//
// # Parts
//
// rollout.go plays worlds to a horizon, where a Value evaluates them. flat.go shares rollouts out
// among the legal actions. bot.go reads the settings. forest.go has the trees of information-set search, ismcts.go its bot;
// rehearse.go lets it learn a small game from the beginning, to be measured by package exploit.
package search
