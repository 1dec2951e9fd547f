package match

import (
	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match/child"
)

// Player is whatever chooses for a seat: a bot or a policy. The zero Player is neither; in an environment (env.Config.Players)
// it stands for the caller.
type Player struct {
	Name   string                              // for reports and errors, and to tell players apart
	Bot    func(engine.Game) (bots.Bot, error) // makes a bot for each goroutine
	Policy func(engine.Game) (Policy, error)   // makes a policy, which decides for many matches at once
	Greedy bool                                // of a policy: it takes the likeliest action instead of sampling
	Digest string                              // of the bundle that plays, or of those and the files of weights that a bot uses, joined by #; "": unknown, or none
}

// Policy decides for many rows at once, as a network does. Unless it says otherwise, one goroutine at a
// time may use it.
type Policy interface {
	// Probs writes the probabilities of the actions in n decisions into probs,
	// [n, A], given what the seats to act see: obs, [n, D] of the seat view, and mask,
	// [n, A] of 0 and 1. An illegal action's is 0; those of the legal ones need not sum to 1.
	// To be reproducible, a row of probs must depend on the same row of obs and mask only.
	Probs(n int, obs, mask []uint8, probs []float32) error
}

// ActionPolicy is a Policy that scores actions by what they do.
type ActionPolicy interface {
	Policy
	// ActionProbs is Probs with a row for each legal action (encode.Encoder.EncodeActions): rows, [total, F], those
	// of decision i from offsets[i] to offsets[i+1], in ascending order of actions; offsets is [n+1].
	ActionProbs(n int, obs, mask, rows []uint8, offsets []int32, probs []float32) error
}

// Encoded is a Policy that reads the tensors of an encoder of its own, such as one whose rows of actions end with advice
// that the game string does not ask for. Others read those of encode.For.
type Encoded interface {
	Policy
	Encoder(g engine.Game) (*encode.Encoder, error)
}

// Named is the player of a name, as NewBot knows it: a bot with or without settings, policy:FILE, or exec:COMMAND.
func Named(name string) Player { return NamedBy(new(policy.Reader), name) }

// NamedBy is Named with a reader of policies of the caller's, which reads each file once.
func NamedBy(read *policy.Reader, name string) Player {
	return Player{Name: name, Bot: func(g engine.Game) (bots.Bot, error) { return NewBot(read, name, g) }}
}

// NewBot makes the bot of a name: policy.Reader's, or exec:COMMAND or exec-text:COMMAND, which run a program. Names that others have written,
// such as clients of a server, must not get here.
func NewBot(read *policy.Reader, name string, g engine.Game) (bots.Bot, error) {
	if child.Is(name) {
		return child.New(name, g)
	}
	return read.NewBot(name, g)
}

// Bundled is a player that plays by a bundle. Its bots share the bundle's weights.
func Bundled(name string, b *bundle.Bundle) Player {
	return Player{Name: name, Bot: func(g engine.Game) (bots.Bot, error) { return policy.Of(name, b, g) }, Digest: b.Digest()}
}

// Batched is a player by a policy that exists already. In an environment all workers share it, so that with
// more than one of them it must be fit for use by several goroutines.
func Batched(name string, p Policy) Player {
	return Player{Name: name, Policy: func(engine.Game) (Policy, error) { return p, nil }}
}
