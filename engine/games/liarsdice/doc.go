// Package liarsdice is Liar's Dice, in which seats bid on how many of all dice show a face, for 2 to 6 seats and up to 5 dice each. With one die
// each for two it is a yardstick of the literature on imperfect information (V. Lisý, M. Lanctot and M. Bowling, "Online Monte Carlo
// counterfactual regret minimization for search in imperfect information games", AAMAS 2015), and its rules are those of OpenSpiel's liars_dice.
//
// RULES.md has the rules; liarsdice.go reads in their order.
package liarsdice
