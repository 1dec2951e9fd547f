// Package balance measures how even a game is under given players: it plays many
// matches of each of several configurations and compares who wins by seat and by
// role, how long matches take, where points come from, and how a match turns.
//
//	report, err := balance.Run(ctx, "doubloons(seats=4)", balance.Config{Players: players, Matches: 1000})
//
// A deal is a seed of the match. Each deal is played once for each seat: players and
// roles (captains, if the game has such) move on by one seat each time, so that
// neither a good seat nor a good role can pass for a good player. The intervals
// therefore resample deals. The result depends on the configuration only, not on
// the number of workers.
//
// Any game can be measured; more is reported of one whose rules are an engine.Chronicle.
//
// [RunLuck] measures something else: how much of the results the seed decides among equal players.
//
// A match that a limit of the game string cuts short (engine.Match.Truncated) counts as a win that all
// seats share, and is left out of the figures about winners and about the course of matches.
// The figure truncated is the share of such matches.
package balance
