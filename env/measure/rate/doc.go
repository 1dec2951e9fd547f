// Package rate measures a pool of players against each other: ratings with intervals, the cost of a decision of each, and
// cycles of players that beat each other.
//
//	results, err := rate.Open("ratings.jsonl", "doubloons(seats=4)", 1)
//	err = results.Play(ctx, players, rate.Config{Matches: 400})
//	table, err := results.Rate(rate.Anchor{Name: "heuristic", Rating: 1000})
//	fmt.Print(table.Text())
//
// Players meet at mixed tables: a deal draws a table of different players (of few, as evenly mixed as possible), and
// plays it once with each player in each seat. The player with the fewest matches is drawn first, with the opponents it has met least, so
// that every pair meets, and a player that joins later catches up without replaying anything. In these games the odd one out has an
// advantage regardless of its strength, so that ratings from one against n−1 would flatter every player.
//
// Ratings are estimates of the Plackett-Luce model of the order in which a table finishes (Plackett, "The analysis of
// permutations", Applied Statistics 24, 1975; Luce, "Individual choice behavior", 1959): of the players not yet
// placed, each comes next with a probability in proportion to its strength. They are found by maximum likelihood (Hunter, "MM
// algorithms for generalized Bradley-Terry models", Annals of Statistics 32, 2004) and written on Elo's scale: 400 points are odds of
// ten to one to finish ahead. Beside them stand deviation ratings (Marris et al., ICLR 2025,
// arXiv 2502.11645): each player's distance, in points of the share of placings, behind the best mixture of players. Copies of a player change
// ratings, since players that beat it meet it more often, but never deviations. Cycles, which no rating can show, are listed too.
package rate
