// Package encodetest has what the tests of observations share.
package encodetest

import (
	"bytes"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
)

// Make returns the game that a game string names, and its encoder.
func Make(tb testing.TB, game string) (engine.Game, *encode.Encoder) {
	tb.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		tb.Fatal(err)
	}
	e, err := encode.For(g)
	if err != nil {
		tb.Fatal(err)
	}
	return g, e
}

// Play visits every decision and the end of matches played at random.
func Play(tb testing.TB, game string, matches int, visit func(m engine.Match)) {
	tb.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		tb.Fatal(err)
	}
	m := g.NewMatch()
	var outcomes []engine.Outcome
	for seed := range uint64(matches) {
		r := engine.NewRand(seed).At(9)
		m.Reset(seed)
		for visit(m); m.Seat() != engine.Over; visit(m) {
			var a engine.Action
			if outcomes = m.Outcomes(outcomes[:0]); len(outcomes) > 0 {
				a = outcomes[r.Intn(len(outcomes))].Action
			} else {
				a = m.Legal().Sample(&r)
			}
			if err := m.Apply(a); err != nil {
				tb.Fatal(err)
			}
		}
	}
}

// Features reads groups of an observation by name.
type Features struct {
	T      testing.TB
	Schema *encode.Schema
	Obs    []uint8
}

// Of are the bytes of a group.
func (f Features) Of(name string) []uint8 {
	f.T.Helper()
	g, err := f.Schema.Group(name)
	if err != nil {
		f.T.Fatal(err)
	}
	return f.Obs[g.Offset : g.Offset+g.Size]
}

// One is the first byte of a group.
func (f Features) One(name string) int {
	f.T.Helper()
	return int(f.Of(name)[0])
}

// Hot is the feature of a one-hot group that is set, or −1.
func (f Features) Hot(name string) int { return bytes.IndexByte(f.Of(name), 1) }
