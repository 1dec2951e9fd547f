// Package leduc is Leduc hold'em, the two-seat poker of six cards and two
// betting rounds that F. Southey et al. introduced in "Bayes' bluff: opponent
// modelling in poker" (UAI 2005). Its tree can be searched whole, yet a player
// must bluff, infer and plan over a chance event, so it is the second yardstick
// for a trainer.
//
// RULES.md has the rules; leduc.go reads in their order.
package leduc
