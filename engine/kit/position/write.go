package position

import (
	"bytes"
	"encoding/json"
	"strconv"
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
func (o Object) MarshalJSON() ([]byte, error) { return appendObject(nil, o) }

func appendObject(b []byte, o Object) ([]byte, error) {
	b = append(b, '{')
	for i, f := range o {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendValue(b, f.Name); err != nil {
			return nil, err
		}
		if b, err = appendValue(append(b, ':'), f.Value); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// appendValue writes what positions are mostly made of by itself: encoding/json would go over the text of an object
// once more for each object around it.
func appendValue(b []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case Object:
		return appendObject(b, v)
	case []Object:
		if v != nil {
			return appendList(b, v)
		}
	case []string:
		if v != nil {
			return appendList(b, v)
		}
	case string:
		if isPlain(v) {
			return append(append(append(b, '"'), v...), '"'), nil
		}
	case bool:
		return strconv.AppendBool(b, v), nil
	case int:
		return strconv.AppendInt(b, int64(v), 10), nil
	case int8:
		return strconv.AppendInt(b, int64(v), 10), nil
	case uint8:
		return strconv.AppendInt(b, int64(v), 10), nil
	}
	text, err := encoded(value)
	return append(b, text...), err
}

func appendList[T any](b []byte, list []T) ([]byte, error) {
	b = append(b, '[')
	for i, item := range list {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendValue(b, item); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// isPlain reports whether a text stands in JSON as it is.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
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

// NameOf is the name of a thing by number, or None if there is none of that number.
func NameOf(names []string, i int8) string {
	if i < 0 || int(i) >= len(names) {
		return None
	}
	return names[i]
}
