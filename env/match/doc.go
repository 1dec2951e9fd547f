// Package match plays whole matches between players: hand-written bots, searches and trained policies.
//
//	r, err := match.NewRunner("doubloons(seats=4)", 0, match.Named("heuristic"), match.Named("random"))
//	finals, err := r.Play(ctx, []match.Match{match.Deal(7, 0, []int{0, 1, 1, 1})})
//
// A [Match] says what is dealt, who sits where and from which stream of random numbers the players draw; a [Final] says
// how it ended. A match depends on nothing else: not on the other matches, nor on the number of workers.
//
// Bots decide one at a time, on all cores. Policies decide for many matches in one forward pass: those matches are
// played side by side, and a policy is asked once the bots have moved in all of them.
package match
