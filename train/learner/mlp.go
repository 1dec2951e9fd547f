package learner

// mlp is the network with one linear score for every action of the game:
//
//	policy.weight [NumActions, last]        policy.bias [NumActions]
//
// The first policy is nearly uniform.
func mlp(c Config, last int, add adder) {
	add("policy.weight", 0.01, c.NumActions, last)
	add("policy.bias", 0, c.NumActions)
}
