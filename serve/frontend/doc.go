// Package frontend answers programs in any language about their own matches: rules, encoders and players.
//
//	e := frontend.New()
//	answer := e.Answer([]byte(`{"op": "match", "game": "leduc", "seed": 1}`))
//
// Questions and answers are JSON; README.md explains their use, protocol.schema.json their contents. `privateer engine` takes them as
// lines, the C library as texts.
//
// A match is a value: an answer has all of it, and a question about it brings it along. Between questions an [Engine] keeps only a cache of games and players.
//
// Read it in this order: engine.go (questions, answers and refusals), match.go, think.go, words.go (for language models and for the memory of
// seats) and measure.go (small games, exactly).
package frontend
