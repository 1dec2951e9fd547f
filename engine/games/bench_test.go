package games_test

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
)

// benchGames are the games whose parts are measured.
var benchGames = []string{"kuhn", "leduc", "liars_dice(seats=3)", "doubloons(seats=2)", "doubloons(seats=4)", "doubloons(seats=6)", "jolly_roger(seats=4)", "jolly_roger(seats=6)", "jolly_roger(seats=10)"}

// random plays uniformly random legal actions in matches that are dealt again
// when they are over.
type random struct {
	matches []engine.Match
	r       engine.Rand
	next    int
	resets  uint64
}

func newRandom(b *testing.B, game string, n int) *random {
	g, err := engine.NewGame(game)
	if err != nil {
		b.Fatal(err)
	}
	p := &random{matches: g.NewMatches(n), r: engine.NewRand(9)}
	for i, m := range p.matches {
		m.Reset(uint64(i))
	}
	for range 200 * n { // so that the matches are spread over all parts of the game
		p.step(b)
	}
	return p
}

// step takes one decision in the match whose turn it is.
func (p *random) step(b *testing.B) engine.Match {
	m := p.matches[p.next]
	if p.next++; p.next == len(p.matches) {
		p.next = 0
	}
	if err := m.Apply(m.Legal().Sample(&p.r)); err != nil {
		b.Fatal(err)
	}
	if m.Seat() == engine.Over {
		p.resets++
		m.Reset(p.resets)
	}
	return m
}

// each runs a benchmark for all games, over matches at random decisions.
func each(b *testing.B, run func(b *testing.B, p *random)) {
	for _, game := range benchGames {
		b.Run(game, func(b *testing.B) {
			p := newRandom(b, game, 256)
			b.ReportAllocs()
			run(b, p)
		})
	}
}

// A decision: an action is sampled and applied, chance and forced moves follow,
// and a match that is over is dealt again.
func BenchmarkStep(b *testing.B) {
	each(b, func(b *testing.B, p *random) {
		for b.Loop() {
			p.step(b)
		}
	})
}

// The same in matches that are listened to.
func BenchmarkStepListened(b *testing.B) {
	each(b, func(b *testing.B, p *random) {
		for _, m := range p.matches {
			engine.Listen(m)
		}
		for range 100_000 { // the logs get their room
			p.step(b)
		}
		b.ResetTimer()
		for b.Loop() {
			p.step(b)
		}
	})
}

func BenchmarkReset(b *testing.B) {
	each(b, func(b *testing.B, p *random) {
		for i := uint64(0); b.Loop(); i++ {
			p.matches[i%256].Reset(i)
		}
	})
}

func BenchmarkCopyFrom(b *testing.B) {
	each(b, func(b *testing.B, p *random) {
		m := p.matches[0]
		b.SetBytes(int64(len(m.Bytes())))
		for i := 1; b.Loop(); i++ {
			m.CopyFrom(p.matches[i%255+1])
		}
	})
}

func BenchmarkRedeal(b *testing.B) {
	each(b, func(b *testing.B, p *random) {
		for i := 0; b.Loop(); i++ {
			m := p.matches[i%256]
			m.Redeal(m.Seat(), &p.r)
		}
	})
}

// A determinisation as search makes it: a copy, and what the seat cannot know
// dealt again.
func BenchmarkCopyAndRedeal(b *testing.B) {
	each(b, func(b *testing.B, p *random) {
		m := p.matches[0]
		for i := 1; b.Loop(); i++ {
			m.CopyFrom(p.matches[i%255+1])
			m.Redeal(m.Seat(), &p.r)
		}
	})
}

// A snapshot of one match: its bytes are copied out, and set again.
func BenchmarkSnapshot(b *testing.B) {
	each(b, func(b *testing.B, p *random) {
		bytes := make([]byte, len(p.matches[0].Bytes()))
		b.SetBytes(int64(len(bytes)))
		for i := 0; b.Loop(); i++ {
			m := p.matches[i%256]
			copy(bytes, m.Bytes())
			if err := m.SetBytes(bytes); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkLegalExpand(b *testing.B) {
	each(b, func(b *testing.B, p *random) {
		dst := make([]uint8, len(p.matches[0].Info().Actions))
		b.SetBytes(int64(len(dst)))
		for i := 0; b.Loop(); i++ {
			p.matches[i%256].Legal().Expand(dst)
		}
	})
}
