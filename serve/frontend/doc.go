// Package frontend is how a program that has matches of its own, in whatever language, asks our rules, encoders and players about them.
//
//	e := frontend.New()
//	answer := e.Answer([]byte(`{"op": "match", "game": "leduc", "seed": 1}`))
//
// Questions and answers are JSON; README.md says how they are used, protocol.schema.json what they may contain. `privateer engine` takes them as
// lines, the C library as texts.
//
// A match is a value: an answer has all of it, and a question about it brings it along. Between questions an [Engine] keeps what is expensive to
// make, games and players, and forgets even these without harm.
//
// It reads in this order: engine.go (questions, answers and refusals), match.go, think.go, words.go (for language models and for the memory of
// seats) and measure.go (small games, exactly).
package frontend
