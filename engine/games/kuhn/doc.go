// Package kuhn is Kuhn poker, for 2 seats as in the original (H. W. Kuhn, "A
// simplified two-person poker", 1950) and for 3 (N. Abou Risk and D. Szafron,
// "Using counterfactual regret minimization to create competitive multiplayer
// poker agents", AAMAS 2010). It is small enough to be solved by hand, so it
// tells whether a trainer learns what it should.
//
// RULES.md has the rules; kuhn.go reads in their order.
package kuhn
