// Package eval measures policies honestly: against bots that they never trained
// against, from every seat of the same deals, with intervals, beside the equal
// share 1/n that a player as strong as its opponents would get.
//
//	result, err := eval.Versus(policy, eval.Config{Game: "leduc", Bot: "random", Matches: 1000})
//	fmt.Println(result)
//
// A deal is a seed of the match. Every deal is played once with each seat taken by
// the one player that differs from the others, so that luck of the deal and advantages of a
// seat cancel out; what is resampled for the intervals is therefore deals, not
// matches.
//
// A match that a limit of the game string cuts short (engine.Match.Truncated) has no winner: it counts
// as a win that all seats share, so that nothing is gained by playing for the limit, and with the
// returns that were paid by then. Record.Truncated says how many there were.
package eval
