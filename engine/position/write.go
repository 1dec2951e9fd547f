package position

import (
	"bytes"
	"encoding/json"
)

const (
	Hidden = "?"    // in a seat's view, in place of a name that it may not know
	None   = "none" // in place of a name, if there is nothing
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
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := encoded(f.Name)
		if err != nil {
			return nil, err
		}
		value, err := encoded(f.Value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// MarshalJSON writes the value as it was read: fields in their order, numbers to the digit.
func (v *Value) MarshalJSON() ([]byte, error) {
	switch v.Kind {
	case '{':
		o := Object{}
		for _, k := range v.Keys {
			o.Add(k, v.fields[k])
		}
		return o.MarshalJSON()
	case '[':
		return encoded(append([]*Value{}, v.Items...))
	case '"':
		return encoded(v.Text)
	case 'n':
		return []byte("null"), nil
	}
	return []byte(v.Text), nil
}

// encoded is the JSON of a value on one line, in which <, > and & are not escaped.
func encoded(value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
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
