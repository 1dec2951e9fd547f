// Package policy is a trained bot as a file, a bundle, and plays it without
// libtorch.
//
//	bundle, err := policy.Load("pirate.bundle")
//	bot, err := bundle.Bot("pirate", game) // refused if the game is not the bundle's
//	action := bot.Act(match, &rand)
//
// It reads in this order: bundle.go (what a bundle holds, and what it fits),
// file.go (the bytes), network.go (the arithmetic), whole.go (the same in whole numbers, int16:FILE), bot.go (the bot).
//
// A bundle carries all that another program needs to play it: the layout of the
// observation with the scale of every byte, the names of the actions, how an action is chosen,
// the weights, and decisions with their logits by which a frontend can tell that it
// computes the same.
//
// # What a decision costs
//
// BenchmarkDecision measures a decision of doubloons(seats=4) with all that it takes, /parts the same without the network, /rules
// without observation and rows either. Of captain-1 in whole numbers, int16:captain-1, half is the network, and most of the rest are rows. What
// keeps it low: inputs that are zero are never read and are listed by vectors; the sums of the first layer follow what has changed
// since the last decision, which is a third of what is not zero; what a captain's first card could bring in a round serves his second
// and third. The first two brought a decision to 0.87 of its processor time (pairs of runs of 60,000 decisions in turn on a busy machine: 0.83 to
// 0.93), the third /parts to 0.88 (0.71 to 0.98): about 11 µs, where 7 are the goal.
package policy
