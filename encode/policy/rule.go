package policy

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// RuleKind describes rule(…) for listings. NewBot makes it for each game whose actions have rows.
var RuleKind = bots.Kind{
	Name: "rule", Help: "plays the action with the largest weighted sum of its row: a linear rule that no policy was trained against",
	Params: []engine.Param{
		{Name: "seed", Default: "1", Help: "draws the weights"},
		{Name: "weights", Default: "none", File: true,
			Help: "a YAML file of weights instead, named as in `privateer spec GAME --only action_row`: a number for a group or an element (action.choice[3]), or a list"},
	},
}

// Rule plays the legal action with the largest weighted sum of its row, the first of equals. It implements bots.Bot, allocates nothing per
// decision and chooses the same on every machine.
type Rule struct {
	name    string
	encoder *encode.Encoder
	weights []float64 // [F], each times the scale of its byte
	digest  string    // of weights of a file, which the name does not say; "": it says them
	rows    []uint8
}

// HasRules reports whether the actions of a game have rows, which rules weigh.
func HasRules(g engine.Game) bool {
	e, err := encode.For(g)
	return err == nil && e.ActionSchema() != nil
}

// NewRule makes the rule of some weights, [F] by the bytes of a row as float32 (encode.Schema.Scales).
func NewRule(name string, g engine.Game, weights []float64) (*Rule, error) {
	e, err := encode.For(g)
	if err != nil {
		return nil, err
	}
	s := e.ActionSchema()
	switch {
	case s == nil:
		return nil, fmt.Errorf("%s: actions of %s have no rows that it could weigh", name, g.Info().Game)
	case len(weights) != s.Size:
		return nil, fmt.Errorf("%s: %d weights for rows of %d bytes", name, len(weights), s.Size)
	}
	b := &Rule{name: name, encoder: e, weights: make([]float64, s.Size), rows: make([]uint8, len(s.Actions)*s.Size)}
	for i, scale := range s.Scales() {
		b.weights[i] = float64(weights[i] * float64(scale))
	}
	return b, nil
}

// RuleNamed makes a rule from its name; nil if the name is no rule's. Without files, a rule whose weights are in a file is refused.
func RuleNamed(name string, g engine.Game, files bool) (bots.Bot, error) {
	if base, _, _ := strings.Cut(name, "("); strings.TrimSpace(base) != RuleKind.Name {
		return nil, nil
	}
	set, err := engine.ParseSettings("bot", name, RuleKind.Name, RuleKind.Params)
	if err != nil {
		return nil, err
	}
	e, err := encode.For(g)
	if err != nil {
		return nil, err
	}
	file := set.Get("weights")
	seed, wrong := strconv.ParseUint(set.Get("seed"), 10, 64)
	switch {
	case e.ActionSchema() == nil:
		return nil, fmt.Errorf("bot %q: actions of %s have no rows that it could weigh", name, g.Info().Game)
	case wrong != nil:
		return nil, fmt.Errorf("bot %q: seed=%s: want a whole number, 0 or more", name, set.Get("seed"))
	case file == RuleKind.Params[1].Default:
		return NewRule(name, g, DrawRule(e.ActionSchema(), seed))
	case !files:
		return nil, fmt.Errorf("bot %q: weights: no file is read here: want seed", name)
	case set.Given("seed"):
		return nil, fmt.Errorf("bot %q: seed and weights: want one of them", name)
	}
	weights, err := ReadRule(file, e.ActionSchema())
	if err != nil {
		return nil, fmt.Errorf("bot %q: %w", name, err)
	}
	b, err := NewRule(name, g, weights)
	if err != nil {
		return nil, err
	}
	data, err := binary.Append(nil, binary.LittleEndian, b.weights)
	b.digest = bundle.DigestOf(data)
	return b, err
}

// DrawRule draws the weights of a seed, [F]: each of them evenly from −1 to 1.
func DrawRule(rows *encode.Schema, seed uint64) []float64 {
	weights, r := make([]float64, rows.Size), engine.NewRand(seed)
	for i := range weights {
		weights[i] = float64(2*r.Float64()) - 1
	}
	return weights
}

// Name is the name that the bot was made with.
func (b *Rule) Name() string { return b.name }

// Act chooses for the seat that m asks; nothing is drawn.
func (b *Rule) Act(m engine.Match, _ *engine.Rand) engine.Action {
	b.encoder.EncodeActions(m, b.rows)
	best, most, row := engine.Action(-1), 0.0, b.rows
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		sum := 0.0
		for i, w := range b.weights {
			if x := row[i]; x != 0 {
				sum += float64(w * float64(x)) // rounded, so that no machine fuses it
			}
		}
		if best < 0 || sum > most {
			best, most = a, sum
		}
		row = row[len(b.weights):]
	}
	return best
}
