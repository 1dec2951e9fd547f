// Package bundle is a trained policy as a file.
//
//	b, err := bundle.Load("pirate.bundle")
//	logits := b.Inference(1).Scores(…)
//
// A bundle carries everything that another program needs to play it: the layout of the observation with the scale of every byte, the names of
// the actions, the rule for choosing one, the weights, and golden decisions with their logits by which a reader can check its
// results. FORMAT.md describes it byte by byte; the folder export writes it in the formats of other programs.
//
// Read it in this order: bundle.go (what a bundle holds, and what it fits), file.go (the bytes), measure.go (what content may ask for),
// pack.go (weights of 8 bits).
package bundle
