// Package rate measures a pool of players against each other: who is how strong, how sure that is, what a decision
// of each costs, and whether they beat each other in a circle.
//
//	results, err := rate.Open("ratings.jsonl", "doubloons(seats=4)", 1)
//	err = results.Play(ctx, players, rate.Config{Matches: 400})
//	table, err := results.Rate(rate.Anchor{Name: "heuristic", Rating: 1000})
//	fmt.Print(table.Text())
//
// Players meet at mixed tables: a deal draws a table of different players (of few, as evenly mixed as can be), and
// plays it once with everybody in each seat. Who has played least is drawn first, with those whom he has met least, so that all meet
// all, and a player who joins later catches up while nothing is played again. In these games the odd one out does
// better than his strength is worth, so that ratings from one against n−1 would flatter everybody.
//
// Ratings are those of the Plackett-Luce model of the order in which a table finishes (Plackett, "The analysis of
// permutations", Applied Statistics 24, 1975; Luce, "Individual choice behavior", 1959): of those who have not been
// placed yet, each comes next with a chance in proportion to his strength. They are found by maximum likelihood (Hunter, "MM
// algorithms for generalized Bradley-Terry models", Annals of Statistics 32, 2004) and written on Elo's scale: 400 points are odds of
// ten to one to finish ahead. Beside them stand scores by soft Condorcet optimisation (Lanctot et al., "Soft Condorcet
// optimization for ranking of general agents", arXiv 2411.00119), which put first whoever beats each other player, if there
// is such a one, as ratings need not, and the circles that no rating can show.
package rate
