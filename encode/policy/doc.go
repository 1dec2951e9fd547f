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
package policy
