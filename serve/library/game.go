package main

import (
	"encoding/json"
	"sync"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
)

// game is a configured game. It is read-only.
type game struct {
	engine.Game
	encoder *encode.Encoder
	spec    func() ([]byte, error)
}

func (*game) kind() string { return "game" }

func (l *library) game(name string) (handle int64, err error) {
	defer guarded(&err)
	g := &game{}
	if g.Game, err = engine.NewGame(name); err != nil {
		return 0, err
	}
	if g.encoder, err = encode.For(g.Game); err != nil {
		return 0, err
	}
	g.spec = sync.OnceValues(func() ([]byte, error) {
		spec, err := encode.SpecOf(g.Info().Config)
		if err != nil {
			return nil, err
		}
		return json.Marshal(spec)
	})
	return l.add(g), nil
}

// describe writes the spec of a game, which is JSON.
func (l *library) describe(handle int64, to []byte) (n int, err error) {
	defer guarded(&err)
	g, err := at[*game](l, handle)
	if err != nil {
		return 0, err
	}
	text, err := g.spec()
	if err != nil {
		return 0, err
	}
	return fill(to, text)
}

// The results of size for a game.
const (
	sizeSeats = iota
	sizeActions
	sizeOutcomes
	sizeObservation
	sizeRow
)

func (l *library) size(handle int64, what int32) (int64, error) {
	g, err := at[*game](l, handle)
	if err != nil {
		return 0, err
	}
	switch what {
	case sizeSeats:
		return int64(g.Info().Seats), nil
	case sizeActions:
		return int64(len(g.Info().Actions)), nil
	case sizeOutcomes:
		return int64(len(g.Info().Outcomes)), nil
	case sizeObservation:
		return int64(g.encoder.Schema().Size), nil
	case sizeRow:
		return int64(g.encoder.ActionSize()), nil
	}
	return 0, refuse(codeArgument, "size %d: want one from PRIVATEER_SEATS (%d) to PRIVATEER_ROW (%d)", what, sizeSeats, sizeRow)
}

// action is the number of an action, or of an outcome of chance, by its name.
func (l *library) action(handle int64, name string) (number int64, err error) {
	defer guarded(&err)
	g, err := at[*game](l, handle)
	if err != nil {
		return 0, err
	}
	a, err := g.Info().ParseAction(name)
	return int64(a), err
}

// name writes the name of an action, or of an outcome of chance.
func (l *library) name(handle int64, action int32, to []byte) (int, error) {
	g, err := at[*game](l, handle)
	if err != nil {
		return 0, err
	}
	if most := len(g.Info().Actions) + len(g.Info().Outcomes) - 1; action < 0 || int(action) > most {
		return 0, refuse(codeArgument, "action %d: want one from 0 to %d", action, most)
	}
	return fill(to, []byte(g.Info().ActionName(engine.Action(action))))
}
