// Package infer computes the networks of policies, the same bits on every machine.
//
//	net, err := infer.New(model)
//	net.Inference(1).Scores(observation, legal, rows, scores)
//
// Read it in this order: model.go (what is computed, with the formulas), network.go (the trunk, and many decisions at once), mlp.go and
// entity.go (how actions are scored), whole.go (the same in whole numbers), kernels.go (the loops, in assembler where there is one).
package infer
