// Package compare measures players against each other: a policy against a bot, and any two players, from every seat of the
// same deals, with intervals, beside the equal share 1/n that a player as strong as its opponents would get.
//
//	result, err := compare.Evaluate(ctx, policy, compare.Evaluation{Game: "leduc", Bot: "random", Matches: 1000})
//	fmt.Println(result)
//
// A deal is a seed of the match. Every deal is played once with each seat taken by
// the one player that differs from the others, so that luck of the deal and advantages of a
// seat cancel out; the intervals therefore resample deals, not matches.
//
// [Compare] plays any two players, one against the others in both directions and at evenly mixed
// tables; [Gate] plays mixed tables until it is known whether one is better than the other. In games of
// more than two seats the odd one out has an advantage regardless of its strength, so that "one against n−1" alone
// flatters every player: a captain that wins 0.339 among three of another kind may find one of these win 0.346 among three of
// itself. The mixed tables therefore decide which is stronger.
//
// A match that a limit of the game string cuts short (engine.Match.Truncated) has no winner: it counts
// as a win that all seats share, so that nothing is gained by playing for the limit, and with the
// returns that were paid by then. Record.Truncated counts them.
package compare
