package encode

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// Encoder writes the observations of one configured game. It is read-only and
// may be used by many goroutines.
type Encoder struct {
	seat, full *Schema
	// write fills dst with what seat may know of m; dst comes zeroed.
	write func(m engine.Match, seat int, dst []uint8)
	// hidden fills the part of the full view that follows the seat view; dst is
	// the whole full view and comes zeroed there.
	hidden func(m engine.Match, seat int, dst []uint8)
}

// makers has one entry for each game that can be encoded.
var makers = map[string]func(engine.Game) (*Encoder, error){
	"doubloons":   newDoubloons,
	"kuhn":        newKuhn,
	"jolly_roger": newJollyRoger,
	"leduc":       newLeduc,
}

// For returns the encoder of a game.
func For(g engine.Game) (*Encoder, error) {
	name := g.Info().Game
	newEncoder, ok := makers[name]
	if !ok {
		known := slices.Sorted(maps.Keys(makers))
		return nil, fmt.Errorf("game %q has no encoder: known are %s", name, strings.Join(known, ", "))
	}
	e, err := newEncoder(g)
	if err != nil {
		return nil, fmt.Errorf("encoder of %s: %w", g.Info().Config, err)
	}
	return e, nil
}

// Schema describes what Encode writes: what a seat may know.
func (e *Encoder) Schema() *Schema { return e.seat }

// FullSchema describes what EncodeFull writes. Its first groups are those of
// Schema.
func (e *Encoder) FullSchema() *Schema { return e.full }

// Encode writes the observation of seat into dst, [Schema().Size]: every byte
// of it, and nothing beyond. The seat need not be the one to act, and the match
// may be over. It allocates nothing.
func (e *Encoder) Encode(m engine.Match, seat int, dst []uint8) {
	dst = dst[:e.seat.Size]
	clear(dst)
	e.write(m, seat, dst)
}

// EncodeFull is Encode with the hidden parts after the seat view; dst is
// [FullSchema().Size].
func (e *Encoder) EncodeFull(m engine.Match, seat int, dst []uint8) {
	dst = dst[:e.full.Size]
	clear(dst)
	e.write(m, seat, dst[:e.seat.Size])
	e.hidden(m, seat, dst)
}
