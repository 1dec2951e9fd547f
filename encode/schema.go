package encode

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
)

// The two views of a match.
const (
	SeatView = "seat" // what one seat may know
	FullView = "full" // the seat view, then everything that is hidden from the seat
)

// Group is a run of features that belong together. A feature is a uint8 from 0
// to Max; byte*Scale is its value as float32.
type Group struct {
	Name   string  `json:"name"`   // as in self.hull, opponents[2].crew
	Offset int     `json:"offset"` // of the first byte
	Size   int     `json:"size"`   // bytes: the product of Shape
	Shape  []int   `json:"shape"`  // row-major
	Max    uint8   `json:"max"`    // largest value
	Scale  float32 `json:"scale"`  // turns a byte into float32
	Doc    string  `json:"doc"`    // what it means; not part of the hash
}

// Schema describes one view of a game's observations and its action space. It
// is the same for every configuration of the game, and read-only.
type Schema struct {
	Game    string   `json:"game"`
	Version int      `json:"version"`
	View    string   `json:"view"` // SeatView or FullView
	Size    int      `json:"size"` // bytes of an observation
	Groups  []Group  `json:"groups"`
	Actions []string `json:"actions"` // the action space; a mask has one byte for each

	hash   string
	scales []float32
}

// Hash identifies the layout: SHA-256, in hex, over the JSON of game, version,
// view, groups (without their texts) and action names. Whatever stores or sends
// observations or policies carries it.
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

// builder hands out offsets: every declaration of a group returns where the
// group starts.
type builder struct {
	groups []Group
	size   int
}

func (b *builder) add(name, doc string, max int, scale float32, shape ...int) int {
	size := 1
	for _, n := range shape {
		size *= n
	}
	if max < 1 || max > 255 || size < 1 || scale <= 0 || name == "" || doc == "" {
		panic(fmt.Sprintf("encode: group %q is malformed", name))
	}
	for _, g := range b.groups {
		if g.Name == name {
			panic(fmt.Sprintf("encode: group %q is declared twice", name))
		}
	}
	b.groups = append(b.groups, Group{
		Name: name, Offset: b.size, Size: size, Shape: append([]int{}, shape...),
		Max: uint8(max), Scale: scale, Doc: doc,
	})
	b.size += size
	return b.size - size
}

// flags declares features that are 0 or 1.
func (b *builder) flags(name, doc string, shape ...int) int {
	if len(shape) == 0 {
		shape = []int{1}
	}
	return b.add(name, doc, 1, 1, shape...)
}

// count declares counts from 0 to max, scaled to [0, 1].
func (b *builder) count(name, doc string, max int, shape ...int) int {
	if len(shape) == 0 {
		shape = []int{1}
	}
	return b.add(name, doc, max, 1/float32(max), shape...)
}

// number declares counts from 0 to max whose unit is 1/scale: values that are
// usual come near 1, though the largest may be far above.
func (b *builder) number(name, doc string, max int, scale float32, shape ...int) int {
	if len(shape) == 0 {
		shape = []int{1}
	}
	return b.add(name, doc, max, scale, shape...)
}

// fits panics unless the bytes of a struct are those of the groups declared: a
// field, at any depth, for each group, a uint8 or an array of them, at the group's offset and of
// its size.
func (b *builder) fits(row reflect.Type) {
	i := 0
	var walk func(t reflect.Type, at int)
	walk = func(t reflect.Type, at int) {
		switch {
		case t.Kind() == reflect.Struct:
			for f := range t.NumField() {
				walk(t.Field(f).Type, at+int(t.Field(f).Offset))
			}
		case t.Kind() == reflect.Array && !ofBytes(t):
			for k := range t.Len() {
				walk(t.Elem(), at+k*int(t.Elem().Size()))
			}
		case i == len(b.groups) || b.groups[i].Offset != at || b.groups[i].Size != int(t.Size()):
			panic(fmt.Sprintf("encode: field %d of %s, %d bytes at %d, is not a group: see the declarations", i, row, t.Size(), at))
		default:
			i++
		}
	}
	walk(row, 0)
	if i < len(b.groups) {
		panic(fmt.Sprintf("encode: group %q has no field in %s", b.groups[i].Name, row))
	}
}

// ofBytes reports whether a type is uint8, or an array of such types.
func ofBytes(t reflect.Type) bool {
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t.Kind() == reflect.Uint8
}

// schemas closes the builder: seat is the number of groups that make the seat
// view; all of them make the full view.
func (b *builder) schemas(game string, version, seat int, actions []string) (seatView, fullView *Schema) {
	view := func(name string, groups []Group) *Schema {
		last := groups[len(groups)-1]
		s := &Schema{
			Game: game, Version: version, View: name, Size: last.Offset + last.Size,
			Groups: groups, Actions: append([]string{}, actions...),
		}
		s.hash, s.scales = s.digest(), s.Scales()
		return s
	}
	return view(SeatView, b.groups[:seat:seat]), view(FullView, b.groups)
}
