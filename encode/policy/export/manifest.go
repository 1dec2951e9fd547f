package export

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
)

// Manifest says what somebody must know who uses an exported file.
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

	Observation Layout         `json:"observation"`
	ActionRows  *Layout        `json:"action_rows,omitempty"` // only if the network reads what actions do
	Actions     []string       `json:"actions"`
	Values      int            `json:"values"`
	Tells       []string       `json:"tells,omitempty"` // kinds of values, if there are several
	ValuesAre   string         `json:"values_are,omitempty"`
	Network     policy.Network `json:"network"`

	Provenance policy.Provenance   `json:"provenance"`
	Evaluation []policy.Evaluation `json:"evaluation"` // how strong it is, as far as it was measured
}

// Layout is what the bytes of an observation, or of the row of an action, mean.
type Layout struct {
	Size   int            `json:"size"`
	Schema string         `json:"schema"` // hash of the layout
	Groups []policy.Slice `json:"groups"`
}

// Describe makes the manifest of a policy, but for what is the file's.
func Describe(b *policy.Bundle, format string) (*Manifest, error) {
	g, err := engine.NewGame(b.Game)
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	m := &Manifest{
		Format: format, Game: b.Game, Name: b.Name, Seats: g.Info().Seats, Choice: b.Choice, Bundle: b.Digest(),
		Observation: Layout{b.ObservationSize(), b.Schema, b.Observation}, Actions: b.Actions, Values: b.Values(), Tells: b.Tells,
		Network: b.Network, Provenance: b.Provenance, Evaluation: b.Evaluation,
	}
	if b.ReadsActions() {
		m.ActionRows = &Layout{b.RowSize(), b.RowSchema, b.Row}
	}
	if m.Values > 0 {
		m.ValuesAre = "what seats can still expect to earn, in the rewards of the training; number k is of the k-th seat counted from the one that decides"
	}
	if n := len(m.Tells); n > 1 {
		m.ValuesAre = fmt.Sprintf("%d numbers each of %s, kind after kind; of each, number k is of the k-th seat counted from the one that decides. return is what it can still expect to earn, in the rewards of the training, win its chance to win, margin by how many points it will be ahead of the others' mean in the end", m.Values/n, strings.Join(m.Tells, ", "))
	}
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
