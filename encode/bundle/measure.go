package bundle

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/privateer-rl/privateer/encode/infer"
)

// The msgpack decoder allocates as many elements as an array claims to have, and an element of one byte in the file can be a struct of
// a hundred in memory. So content is measured first: measure follows the types of Bundle through it, as the decoder will.

// mostElements is how many elements the lists of a bundle may have, by name.
var mostElements = map[string]int{
	"observation": infer.MostWidth, "actions": infer.MostWidth, "hidden": infer.MostLayers, "weights": 6*infer.MostLayers + 10, "shape": 2,
	"scale": infer.MostWidth, "row": infer.MostWidth, "row_hidden": infer.MostLayers, "counts": mostGolden,
	"logits": mostGolden * infer.MostWidth, "values": mostGolden * infer.MostWidth, "evaluation": 1 << 10,
}

// The limit of what decoding allocates: in a bundle that Encode wrote, no list takes more than about eight times its bytes in the file.
const (
	mostGrowth = 16
	mostFixed  = 64 << 10 // besides that, for small files
)

var errShort = errors.New("its content is cut short")

// measure refuses content that is no Bundle, declares more than follows, or would take too much memory.
func measure(payload []byte) error {
	m := meter{rest: payload, left: mostGrowth*len(payload) + mostFixed}
	if err := m.value("", reflect.TypeFor[Bundle]()); err != nil {
		return err
	}
	if len(m.rest) > 0 {
		return fmt.Errorf("%d bytes after its end", len(m.rest))
	}
	return nil
}

// meter walks through msgpack.
type meter struct {
	rest []byte
	left int // bytes of memory that may still be asked for
}

// value skips a value of the type; name is that of the field that it is in.
func (m *meter) value(name string, t reflect.Type) error {
	if len(m.rest) == 0 {
		return errShort
	}
	code := m.rest[0]
	m.rest = m.rest[1:]
	const null = 0xc0
	switch kind := t.Kind(); {
	case code == null && name != "":
		return nil // the decoder reads null as zero
	case kind == reflect.Struct:
		return m.fields(name, code, t)
	case kind == reflect.Slice && t.Elem().Kind() == reflect.Uint8, kind == reflect.String:
		return m.bytes(name, code)
	case kind == reflect.Slice, kind == reflect.Array:
		return m.elements(name, code, t)
	default:
		return m.number(name, code, kind)
	}
}

// fields skips a struct: a map from the names of its fields.
func (m *meter) fields(name string, code byte, t reflect.Type) error {
	n, err := m.length(name, code, 0x80, 0xde)
	if err != nil {
		return err
	}
	if n > t.NumField() {
		return fmt.Errorf("%s has %d fields: want at most %d", quoted(name), n, t.NumField())
	}
	for range n {
		key, err := m.key()
		if err != nil {
			return err
		}
		field, ok := fieldOf(t, key)
		if !ok {
			return fmt.Errorf("%s has a field %.40q, which no bundle has", quoted(name), key)
		}
		if err := m.value(key, field.Type); err != nil {
			return err
		}
	}
	return nil
}

func fieldOf(t reflect.Type, key string) (reflect.StructField, bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("msgpack"), ","); f.IsExported() && name == key {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// elements skips a list and counts what its elements take.
func (m *meter) elements(name string, code byte, t reflect.Type) error {
	n, err := m.length(name, code, 0x90, 0xdc)
	if err != nil {
		return err
	}
	most, ok := mostElements[name]
	if t.Kind() == reflect.Array {
		most, ok = t.Len(), true
	}
	if !ok || n > most {
		return fmt.Errorf("%s has %d elements: want at most %d", quoted(name), n, most)
	}
	if n > len(m.rest) {
		return errShort
	}
	if t.Kind() == reflect.Slice {
		if m.left -= n * int(t.Elem().Size()); m.left < 0 {
			return fmt.Errorf("%s has %d elements in a file that is too small for them", quoted(name), n)
		}
	}
	for range n {
		if err := m.value(name, t.Elem()); err != nil {
			return err
		}
	}
	return nil
}

// bytes skips a string or a run of bytes.
func (m *meter) bytes(name string, code byte) error {
	n, ok := 0, true
	switch {
	case code >= 0xa0 && code <= 0xbf: // fixstr
		n = int(code & 0x1f)
	case code >= 0xc4 && code <= 0xc6: // bin
		n, ok = m.count(1 << (code - 0xc4))
	case code >= 0xd9 && code <= 0xdb: // str
		n, ok = m.count(1 << (code - 0xd9))
	default:
		return unfit(name, code)
	}
	if !ok || n > len(m.rest) {
		return errShort
	}
	m.rest = m.rest[n:]
	return nil
}

// key reads the name of a field.
func (m *meter) key() (string, error) {
	if len(m.rest) == 0 {
		return "", errShort
	}
	code, from := m.rest[0], m.rest[1:]
	m.rest = from
	if code == 0xc4 || code == 0xc5 || code == 0xc6 {
		return "", unfit("the name of a field", code)
	}
	if err := m.bytes("the name of a field", code); err != nil {
		return "", err
	}
	text := from[:len(from)-len(m.rest)]
	if code >= 0xd9 {
		text = text[1<<(code-0xd9):] // the length
	}
	return string(text), nil
}

// number skips an integer or a float, whichever the decoder takes for the kind.
func (m *meter) number(name string, code byte, kind reflect.Kind) error {
	const float, double = 0xca, 0xcb
	n := 0
	switch {
	case kind == reflect.Float32 && code == double:
		return fmt.Errorf("%s has a float64: want a float32, which has 4 bytes", name)
	case kind != reflect.Float32 && kind != reflect.Float64 && (code == float || code == double):
		return fmt.Errorf("%s has a float: want an integer", name)
	case code <= 0x7f || code >= 0xe0: // small integers
	case code == float || code == double:
		n = 4 << (code - float)
	case code >= 0xcc && code <= 0xd3: // uint, int
		n = 1 << ((code - 0xcc) & 3)
	default:
		return unfit(name, code)
	}
	if n > len(m.rest) {
		return errShort
	}
	m.rest = m.rest[n:]
	return nil
}

// length reads the length of a list or a map: fix is the code of an empty one, wide that of one whose
// length has two bytes; the next code's length has four.
func (m *meter) length(name string, code, fix, wide byte) (int, error) {
	n, ok := 0, true
	switch {
	case code&0xf0 == fix:
		n = int(code & 0x0f)
	case code == wide, code == wide+1:
		n, ok = m.count(2 << (code - wide))
	default:
		return 0, unfit(name, code)
	}
	if !ok {
		return 0, errShort
	}
	return n, nil
}

// count reads a length of size bytes.
func (m *meter) count(size int) (int, bool) {
	if len(m.rest) < size {
		return 0, false
	}
	v := uint64(0)
	for _, x := range m.rest[:size] {
		v = v<<8 | uint64(x)
	}
	m.rest = m.rest[size:]
	return int(min(v, math.MaxInt32)), true // a file has fewer bytes
}

func unfit(name string, code byte) error {
	return fmt.Errorf("%s has a value of the kind %#x, which no bundle has there", quoted(name), code)
}

func quoted(name string) string {
	if name == "" {
		return "its content"
	}
	return name
}
