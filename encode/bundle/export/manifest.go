package export

import (
	"encoding/json"
	"fmt"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/engine"
)

// Manifest is what a user of an exported file must know.
type Manifest struct {
	Format string `json:"format"` // of the file: bundle, onnx, safetensors or numpy
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Golden string `json:"golden"` // file beside it with decisions and what comes of them

	Game    string `json:"game"`  // game string that it was trained on
	Name    string `json:"name"`  // of that game: every configuration can be played
	Seats   int    `json:"seats"` // that the game string has
	Choice  string `json:"choice"`
	Bundle  string `json:"bundle"` // digest of the bundle, by which privateer names it; "" if the policy was never in one
	Opset   int    `json:"opset,omitempty"`
	Masked  string `json:"mask"`
	Scaling string `json:"scaling"`

	Encoder     string        `json:"encoder"` // what makes these bytes, and where it is to be had
	Observation Layout        `json:"observation"`
	ActionRows  *Layout       `json:"action_rows,omitempty"` // only if the network reads what actions do
	Actions     []string      `json:"actions"`
	Values      int           `json:"values"`
	ValuesAre   string        `json:"values_are,omitempty"`
	Network     infer.Network `json:"network"`

	Provenance bundle.Provenance   `json:"provenance"`
	Evaluation []bundle.Evaluation `json:"evaluation"` // how strong it is, as far as it was measured
}

// Layout is what the bytes of an observation, or of the row of an action, mean.
type Layout struct {
	Size   int           `json:"size"`
	Schema string        `json:"schema"` // hash of the layout
	Groups []infer.Slice `json:"groups"`
}

// encoders is where those who have an exported policy find what makes its inputs.
const encoders = "https://github.com/privateer-rl/privateer/tree/main/serve/frontend"

// Describe makes the manifest of a policy, without what concerns the file.
func Describe(b *bundle.Bundle, format string) (*Manifest, error) {
	g, err := engine.NewGame(b.Game)
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	m := &Manifest{
		Format: format, Game: b.Game, Name: b.Name, Seats: g.Info().Seats, Choice: b.Choice, Bundle: b.Digest(),
		Observation: Layout{b.ObservationSize(), b.Schema, b.Observation}, Actions: b.Actions, Values: b.Values(),
		Network: b.Network, Provenance: b.Provenance, Evaluation: b.Evaluation,
	}
	if b.ReadsActions() {
		m.ActionRows = &Layout{b.RowSize(), b.RowSchema, b.Row}
	}
	if m.Values > 0 {
		m.ValuesAre = "what the seat that decides can still expect to earn, in the rewards of the training"
	}
	m.Encoder = "privateer makes these bytes of a match or a position, for any language (JSON lines, a C library, JavaScript, gRPC, Python): " + encoders +
		"; compare the schema that it names for the game with those that stand here"
	m.Scaling = "the reader multiplies each byte with the scale of its group"
	m.Masked = "one byte for each action, in the order of actions: 1 if it is legal; logits of others do not count"
	if format == "onnx" {
		m.Opset = Opset
		m.Scaling = "within the graph: inputs are bytes as they come"
		m.Masked = fmt.Sprintf("within the graph: action_mask has one byte for each action, 1 if it is legal; the logits of others are %g and their probabilities 0", float32(Masked))
		if b.ReadsActions() {
			m.Masked += "; action_rows has one row for each legal action, in ascending order of actions, decision after decision"
		}
	}
	return m, nil
}

// JSON is the manifest as a file's content.
func (m *Manifest) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	return append(text, '\n'), nil
}
