package position

import (
	"bytes"
	"encoding/json"
)

// Hidden stands in a seat's view for a name that it may not know.
const Hidden = "?"

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
