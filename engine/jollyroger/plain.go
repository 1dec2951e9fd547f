package jollyroger

import "github.com/privateer-rl/privateer/engine"

func (r *Rules) Position(s *State, view int) any             { return nil }
func (r *Rules) SetPosition(s *State, data []byte) error     { return nil }
func (r *Rules) Render(s *State, view int) string            { return "" }
func (r *Rules) Redeal(s *State, seat int, rnd *engine.Rand) {}
