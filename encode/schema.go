package encode

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/privateer-rl/privateer/engine"
)

// The views of a match, and of its actions.
const (
	SeatView   = "seat"   // what one seat may know
	FullView   = "full"   // the seat view, then everything that is hidden from the seat
	ActionView = "action" // what one legal action does, as the seat that decides may know it
)

// Group is a run of features that belong together. A feature is a uint8 from 0 to Max; byte*Scale is its value as float32.
type Group struct {
	Name   string  `json:"name"`   // as in self.hull, opponents[2].crew
	Offset int     `json:"offset"` // of the first byte
	Size   int     `json:"size"`   // bytes: the product of Shape
	Shape  []int   `json:"shape"`  // row-major
	Max    uint8   `json:"max"`    // largest value
	Scale  float32 `json:"scale"`  // turns a byte into float32
	Doc    string  `json:"doc"`    // what it means; not part of the hash
}

// Schema describes one view of a game's observations and its action space. It is read-only, and the same for every configuration of the
// game except for the advice at the end of rows of actions.
type Schema struct {
	Game    string   `json:"game"`
	Version int      `json:"version"`
	View    string   `json:"view"` // SeatView, FullView or ActionView
	Size    int      `json:"size"` // bytes of an observation, or of the row of one action
	Groups  []Group  `json:"groups"`
	Actions []string `json:"actions"` // the action space; a mask has one byte for each

	hash   string
	scales []float32
}

// newSchema describes a view of a game that is declared by a struct.
func newSchema(g engine.Game, version int, view string, t reflect.Type) *Schema {
	s := &Schema{
		Game: g.Info().Game, Version: version, View: view, Size: int(t.Size()),
		Groups: groupsOf(t), Actions: slices.Clone(g.Info().Actions),
	}
	s.hash, s.scales = s.digest(), s.Scales()
	return s
}

// Hash identifies the layout: SHA-256, in hex, over the JSON of game, version, view, groups (without their texts) and action names. Stored
// observations, policies and servers carry it.
func (s *Schema) Hash() string {
	if s.hash == "" {
		return s.digest()
	}
	return s.hash
}

func (s *Schema) digest() string {
	bare := *s
	bare.Groups = append([]Group{}, s.Groups...)
	for i := range bare.Groups {
		bare.Groups[i].Doc = ""
	}
	text, err := json.Marshal(&bare)
	if err != nil { // a scale that is not finite, which the builder refuses
		panic("encode: hash of a schema: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Scales returns the scale of every byte, [Size].
func (s *Schema) Scales() []float32 {
	scales := make([]float32, s.Size)
	for _, g := range s.Groups {
		for i := range g.Size {
			scales[g.Offset+i] = g.Scale
		}
	}
	return scales
}

// Group returns the group of that name.
func (s *Schema) Group(name string) (Group, error) {
	for _, g := range s.Groups {
		if g.Name == name {
			return g, nil
		}
	}
	return Group{}, fmt.Errorf("schema of %s (%s view) has no group %q", s.Game, s.View, name)
}

// Floats turns observations into float32 features, byte · scale: src is [n, Size] and dst has as many values, in the same order. It
// allocates nothing if the schema is an encoder's.
func (s *Schema) Floats(dst []float32, src []uint8) error {
	if s.Size < 1 || len(src)%s.Size != 0 || len(dst) != len(src) {
		return fmt.Errorf("observations of %s (%s view): %d bytes into %d values: want as many values as bytes, and a multiple of %d", s.Game, s.View, len(src), len(dst), s.Size)
	}
	scales := s.scales
	if scales == nil { // of a schema that was read from a file
		scales = s.Scales()
	}
	for len(src) > 0 {
		// Most features are zero, but skipping them is slower: such branches cannot be predicted.
		from, to := src[:len(scales)], dst[:len(scales)]
		for i, scale := range scales {
			to[i] = float32(float32(from[i]) * scale)
		}
		dst, src = dst[len(scales):], src[len(scales):]
	}
	return nil
}
