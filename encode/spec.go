package encode

import (
	"encoding/json"
	"fmt"

	"github.com/privateer-rl/privateer/engine"
)

// Spec is the static description of a game and of its tensors, for programs that know nothing of either.
type Spec struct {
	*engine.Info
	Title       string             `json:"title"`
	Params      []engine.Param     `json:"params"`
	Observation *HashedSchema      `json:"observation"`
	Full        *HashedSchema      `json:"full_observation"`
	ActionRow   *HashedSchema      `json:"action_row,omitempty"` // what describes one legal action, if the game does
	Position    json.RawMessage    `json:"position_schema"`      // JSON Schema of a position file
	Events      []engine.EventForm `json:"events,omitempty"`     // the kinds of event, if the game says what happens
}

// HashedSchema is a schema with its hash.
type HashedSchema struct {
	Hash string `json:"hash"`
	*Schema
}

// SpecOf describes the game of a game string.
func SpecOf(game string) (*Spec, error) {
	d, err := engine.Lookup(game)
	if err != nil {
		return nil, err
	}
	g, err := engine.NewGame(game)
	if err != nil {
		return nil, err
	}
	s := &Spec{Info: g.Info(), Title: d.Title, Params: d.Parameters(), Events: engine.EventForms(g)}
	if d.Schema != nil {
		s.Position = json.RawMessage(d.Schema())
	}
	e, err := For(g)
	if err != nil {
		return nil, fmt.Errorf("spec of %s: %w", game, err)
	}
	s.Observation = &HashedSchema{e.Schema().Hash(), e.Schema()}
	s.Full = &HashedSchema{e.FullSchema().Hash(), e.FullSchema()}
	if rows := e.ActionSchema(); rows != nil {
		s.ActionRow = &HashedSchema{rows.Hash(), rows}
	}
	return s, nil
}
