package encode

import (
	"reflect"
	"unsafe"

	"github.com/privateer-rl/privateer/engine"
)

// DescribeActions adds descriptions of actions to an encoder that is not in use yet: one row for each legal action, which a network
// scores, so that cost grows with legal actions only and a new action is still understood. Row declares a row like an observation (see
// [As]).
//
// write fills the rows of the legal actions of the seat to act, in ascending order of actions; they are passed zeroed. It may use what that
// seat may know, allocates nothing and is not called if no seat is to act.
func DescribeActions[Row any](e *Encoder, g engine.Game, version int, write func(m engine.Match, rows []Row)) {
	e.action = newSchema(g, version, ActionView, reflect.TypeFor[Row]())
	e.describe = func(m engine.Match, dst []uint8) {
		write(m, unsafe.Slice((*Row)(unsafe.Pointer(unsafe.SliceData(dst))), len(dst)/e.action.Size))
	}
}

// ActionSchema describes the rows that EncodeActions writes; nil if the game describes no actions. Its hash is its own: policies that read
// no rows do not depend on it.
func (e *Encoder) ActionSchema() *Schema { return e.action }

// ActionSize is the number of bytes of a row, F; 0 if the game describes no actions.
func (e *Encoder) ActionSize() int {
	if e.action == nil {
		return 0
	}
	return e.action.Size
}

// EncodeActions writes the effects of each legal action of the seat to act, as far as that seat may know them: a row of ActionSize bytes for each, in
// ascending order of actions. It returns their number, 0 if no seat is to act or the game describes no actions. dst has room for them
// ([engine.Mask.Count] rows), and nothing beyond them is written. It allocates nothing.
func (e *Encoder) EncodeActions(m engine.Match, dst []uint8) int {
	if e.action == nil || m.Seat() < 0 {
		return 0
	}
	n := m.Legal().Count()
	dst = dst[:n*e.action.Size]
	clear(dst)
	e.describe(m, dst)
	return n
}

// Sorts is the kind of each of a game's actions, [actions]: a kind reaches from its first action to the next kind's. first is ascending.
func Sorts(first []engine.Action, actions engine.Action) []uint8 {
	of := make([]uint8, actions)
	for sort, from := range first {
		for a := from; a < actions; a++ {
			of[a] = uint8(sort)
		}
	}
	return of
}
