package encode

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/privateer-rl/privateer/engine"
)

// Encoder writes the observations of one configured game. It is read-only: many goroutines may use it.
type Encoder struct {
	seat, full *Schema
	action     *Schema                                     // of a row that describes an action; nil if the game describes none
	write      func(m engine.Match, seat int, dst []uint8) // fills dst, zeroed, with what seat may know of m
	hidden     func(m engine.Match, seat int, dst []uint8) // fills the zeroed part of a full view that follows the seat view
	describe   func(m engine.Match, dst []uint8)           // fills a row, zeroed, for each legal action
	advice     *ending                                     // nil if the game has none
}

var (
	makersLock sync.RWMutex
	makers     = map[string]func(engine.Game) (*Encoder, error){}
)

// Register adds the encoder of a game, from an init function. It panics if the game already has one.
func Register(game string, newEncoder func(engine.Game) (*Encoder, error)) {
	makersLock.Lock()
	defer makersLock.Unlock()
	if makers[game] != nil {
		panic("encode: the encoder of " + game + " is registered twice")
	}
	makers[game] = newEncoder
}

// For returns the encoder of a game.
func For(g engine.Game) (*Encoder, error) {
	name := g.Info().Game
	makersLock.RLock()
	newEncoder, ok := makers[name]
	known := slices.Sorted(maps.Keys(makers))
	makersLock.RUnlock()
	if !ok {
		return nil, fmt.Errorf("game %q has no encoder: known are %s; package encode says how to register one", name, strings.Join(known, ", "))
	}
	e, err := newEncoder(g)
	if err == nil && len(g.Info().Advice) > 0 {
		e, err = advised(e)
	}
	if err != nil {
		return nil, fmt.Errorf("encoder of %s: %w", g.Info().Config, err)
	}
	return e, nil
}

// New composes the encoder of a game. Full declares the full view (see [As]), and its first field, of type Row, the seat view.
//
// write fills dst, [size of Row], passed zeroed, with what seat may know of m. hidden fills what follows the seat view in dst, [size of
// Full], zeroed there. Both view dst by As[Row] or As[Full], and allocate nothing.
func New[Row, Full any](g engine.Game, version int, write, hidden func(m engine.Match, seat int, dst []uint8)) *Encoder {
	row, full := reflect.TypeFor[Row](), reflect.TypeFor[Full]()
	if full.Kind() != reflect.Struct || full.NumField() == 0 || full.Field(0).Type != row {
		panic(fmt.Sprintf("encode: the first field of %s is not of type %s", full, row))
	}
	return &Encoder{
		seat: newSchema(g, version, SeatView, row), full: newSchema(g, version, FullView, full),
		write: write, hidden: hidden,
	}
}

// Schema describes the result of Encode: a seat's view.
func (e *Encoder) Schema() *Schema { return e.seat }

// FullSchema describes the result of EncodeFull. Its first groups are those of Schema.
func (e *Encoder) FullSchema() *Schema { return e.full }

// Encode writes the observation of seat into dst, [Schema().Size]: every byte of it, and nothing beyond. The seat need not be the one
// to act, and the match may be over. It allocates nothing.
func (e *Encoder) Encode(m engine.Match, seat int, dst []uint8) {
	dst = dst[:e.seat.Size]
	clear(dst)
	e.write(m, seat, dst)
}

// EncodeFull is Encode with the hidden parts after the seat view; dst is [FullSchema().Size].
func (e *Encoder) EncodeFull(m engine.Match, seat int, dst []uint8) {
	dst = dst[:e.full.Size]
	clear(dst)
	e.write(m, seat, dst[:e.seat.Size])
	e.hidden(m, seat, dst)
}
