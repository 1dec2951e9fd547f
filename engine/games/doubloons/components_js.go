package doubloons

import (
	_ "embed"

	"github.com/privateer-rl/privateer/engine"
)

// In the browser the box is the printed one, compiled already: reading YAML would be a twelfth of the program.
//
//go:embed components.json
var compiled string

const (
	componentsFile = ""
	rulesText      = "" // no frontend there asks for them
)

// components are the box as a game string asks for it.
var components = engine.NewPrintedBox[Components](compiled)
