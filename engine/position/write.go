package position

import (
	"bytes"
	"encoding/json"
)

const (
	Hidden = "?"    // in a seat's view, in place of a name that it may not know
	None   = "none" // in place of a name, where there is nothing
)

// Object is a JSON object whose fields keep their order.
type Object []Field

// Field is one field of an Object.
type Field struct {
	Name  string
	Value any
}

// Add appends a field.
func (o *Object) Add(name string, value any) { *o = append(*o, Field{name, value}) }

// MarshalJSON writes the fields in their order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(f.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(f.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Tally is how many there are of each kind, by name. With all, kinds of which there
// are none are listed too.
func Tally(counts []uint8, names []string, all bool) Object {
	o := Object{}
	for i, n := range counts {
		if n > 0 || all {
			o.Add(names[i], n)
		}
	}
	return o
}

// NameOf is the name of a thing by number, or None where there is none of that number.
func NameOf(names []string, i int8) string {
	if i < 0 || int(i) >= len(names) {
		return None
	}
	return names[i]
}
