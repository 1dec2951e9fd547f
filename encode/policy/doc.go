// Package policy plays trained policies as bots, without libtorch.
//
//	bot, err := policy.NewBot("policy:captain", game) // or a file; refused if the game is not the bundle's
//	action := bot.Act(match, &rand)
//
// Read it in this order: bot.go (names of policies, and the bot of a bundle), advise.go and value.go (a bundle as the prior and the
// evaluator of a search), ensemble.go (several as one), batch.go (many decisions at once), prune.go (a small file of it) and rule.go (a
// player that weighs rows, by no network). encode/bundle is the file, encode/infer the arithmetic.
package policy
