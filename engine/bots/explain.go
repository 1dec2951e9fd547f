package bots

import "github.com/privateer-rl/privateer/engine"

// Explainer is a bot that can account for its choices: a search its rollouts, a policy its probabilities.
type Explainer interface {
	Bot
	// Explain is Act with the reasons: the same choice for the same match and stream.
	Explain(m engine.Match, r *engine.Rand) Account
}

// Account is what a bot thought about a decision.
type Account struct {
	Choice  engine.Action
	Prior   engine.Action // what it would have chosen without thinking; −1 if nothing
	Actions []Considered  // the legal ones in ascending order
	Value   []float64     // of the position to each seat, in the unit of Considered.Mean; nil if it has none
	Unit    string        // of means and values: "chance to win", "return"
	Notes   []string      // one line each: how it was found
}

// Considered is one action with what speaks for it.
type Considered struct {
	Action engine.Action
	Visits int     // how often it was tried; 0: never
	Mean   float64 // of what came of it to the seat that acts
	Error  float64 // standard error of Mean
	Lead   float64 // mean difference from the prior's choice where both were tried alike
	Doubt  float64 // standard error of Lead
	Weight float64 // what the prior gives it, of 1
	Prob   float64 // with which it is chosen
}
