package encode

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

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

	Words []string `json:"words,omitempty"` // the meanings of the features along the last axis, from the first, if Doc lists them; not part of the hash
}

// Feature is one byte of an observation or a row.
type Feature struct {
	Offset int    `json:"offset"`
	Name   string `json:"name"`           // as in opponents[2].crew[1], map.crater[1,3]
	Word   string `json:"word,omitempty"` // of its group's Words
	Group  Group  `json:"group"`
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
	for i := range s.Groups {
		s.Groups[i].Words = s.words(&s.Groups[i])
	}
	s.hash, s.scales = s.digest(), s.Scales()
	return s
}

// words are what a group's text lists for the features along its last axis: the values of the actions that it names, as "in the order of the
// actions card=…" does, or what follows the last colon of its first clause. A list of another length counts only where the text says what "the rest" is.
func (s *Schema) words(g *Group) []string {
	var words []string
	if before, _, found := strings.Cut(g.Doc, "=…"); found {
		kind := before[strings.LastIndex(before, " ")+1:] + "="
		for _, a := range s.Actions {
			if word, ok := strings.CutPrefix(a, kind); ok {
				words = append(words, word)
			}
		}
	} else {
		clause, _, _ := strings.Cut(g.Doc, ";")
		if _, list, found := strings.Cut(clause, ": "); found {
			words = strings.Split(list[strings.LastIndex(list, ": ")+1:], ", ")
			words[0] = strings.TrimPrefix(words[0], " ")
		}
	}
	n := g.Shape[len(g.Shape)-1]
	if n < 2 || len(words) > n || len(words) < n && !strings.Contains(g.Doc, "; the rest is") {
		return nil
	}
	return words
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
		bare.Groups[i].Doc, bare.Groups[i].Words = "", nil
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

// At returns the feature at an offset, from 0 to Size−1.
func (s *Schema) At(offset int) (Feature, error) {
	for _, g := range s.Groups {
		i := offset - g.Offset
		if i < 0 || i >= g.Size {
			continue
		}
		f := Feature{Offset: offset, Name: g.Name, Group: g}
		if last := i % g.Shape[len(g.Shape)-1]; last < len(g.Words) {
			f.Word = g.Words[last]
		}
		if g.Size > 1 {
			index := make([]string, len(g.Shape))
			for axis := range slices.Backward(g.Shape) {
				index[axis] = strconv.Itoa(i % g.Shape[axis])
				i /= g.Shape[axis]
			}
			f.Name += "[" + strings.Join(index, ",") + "]"
		}
		return f, nil
	}
	return Feature{}, fmt.Errorf("schema of %s (%s view) has no byte %d: want one from 0 to %d", s.Game, s.View, offset, s.Size-1)
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
