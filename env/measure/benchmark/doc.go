// Package benchmark scores a player by frozen tasks, for a paper or a table.
//
// A [Task] fixes a game string, the deals, and a pool of opponents; its name carries its version, and a version never changes. What the
// rules do, and what each opponent decides, is digested on a corpus of positions, so that a score is of this task or there is none.
//
//	run, err := benchmark.New(match.Named("heuristic"), tasks, nil)
//	err = run.Play(ctx, benchmark.Config{})
//	fmt.Print(run.Result().Text())
//
// # Score
//
// At each kind of table, the share of the wins that the player's side has is put on a scale on which an equal share is 0, the certain win is 1
// and no win at all is −1: (x − e)/(1 − e) above the equal share e and (x − e)/e below it. The kinds are the player alone among n−1 of an
// opponent, one of an opponent among n−1 of the player, and evenly mixed tables; at each, every deal is played from every seat. The
// score of a task is the mean over kinds and opponents. Its worst case is the most that one opponent wins among n−1 of the player.
// Small games need no opponents: their score is 1 − exploitability / exploitability of random play, by the whole tree. The score of
// a game is the mean of its tasks with opponents or, where it has none, of those that are exact.
//
// A task is played in [Parts] parts of different deals. Intervals, of 95 %, are by the jackknife over them (Tukey, "Bias and confidence in not
// quite large samples", Annals of Mathematical Statistics 29, 1958; Efron and Tibshirani, "An introduction to the bootstrap", 1993,
// chapter 11), so that they hold for means over lines that share deals.
//
// A [Result] keeps the wins of each part. Its scores can be worked out again from those, and any part can be played again to see that it is true:
// [Result.Check].
package benchmark
