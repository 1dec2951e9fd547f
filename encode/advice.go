package encode

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/privateer-rl/privateer/engine"
)

// ending is the advice at the end of an action's row, if the game string asks for it (engine.AdviceName).
type ending struct {
	groups []Group
	size   int
	write  func(m engine.Match, rows []uint8, size, at int) // from byte at of each row of the given size, zeroed
}

// Ends are the ends of the rows of a decision's legal actions, in ascending order of actions.
type Ends[Row any] struct {
	rows     []uint8
	size, at int
}

// Len is their number.
func (e Ends[Row]) Len() int { return len(e.rows) / e.size }

// At is the end of the row of the i-th legal action.
func (e Ends[Row]) At(i int) *Row { return As[Row](e.rows[i*e.size+e.at:]) }

// Advise adds advice to an encoder that is not in use yet and whose game describes its actions: further elements at the end of the rows of
// actions, if the game string asks for them. Row declares them like a row (see [DescribeActions]), by names that no row has.
//
// write fills the ends of the rows, which are passed zeroed. It may use what the seat to act may know, and is not called if no seat is to
// act.
func Advise[Row any](e *Encoder, write func(m engine.Match, ends Ends[Row])) {
	t := reflect.TypeFor[Row]()
	e.advice = &ending{groupsOf(t), int(t.Size()), func(m engine.Match, rows []uint8, size, at int) { write(m, Ends[Row]{rows, size, at}) }}
}

// advised adds the advice of its game to the rows of an encoder.
func advised(e *Encoder) (*Encoder, error) {
	plain, end := e.action, e.advice
	if plain == nil || end == nil {
		return nil, fmt.Errorf("%s: the game's encoder gives none", engine.AdviceName)
	}
	schema := &Schema{Game: plain.Game, Version: plain.Version, View: plain.View, Size: plain.Size + end.size, Groups: slices.Clone(plain.Groups), Actions: plain.Actions}
	for _, of := range end.groups {
		of.Offset += plain.Size
		schema.Groups = append(schema.Groups, of)
	}
	schema.hash, schema.scales = schema.digest(), schema.Scales()
	both := *e
	both.action = schema
	both.describe = func(m engine.Match, dst []uint8) {
		n := len(dst) / schema.Size
		e.describe(m, dst[:n*plain.Size])
		for i := n - 1; i >= 0; i-- { // from the last on: none is overwritten before it is moved
			row := dst[i*schema.Size : (i+1)*schema.Size]
			copy(row, dst[i*plain.Size:(i+1)*plain.Size])
			clear(row[plain.Size:])
		}
		end.write(m, dst, schema.Size, plain.Size)
	}
	return &both, nil
}
