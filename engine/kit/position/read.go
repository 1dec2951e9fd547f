// Package position has what the position files of all games share: JSON objects
// whose fields keep their order, values that know where in the file they stand, and
// faults that name the place and the fix. What a file means is the game's.
package position

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// Value is a value of a position file and where it stands there, so that whatever
// is wrong with it can be named.
type Value struct {
	Path   string
	Kind   byte   // '{' object, '[' list, '"' text, '0' number, 't' true or false, 'n' null
	Text   string // of a text, a number, true or false
	Keys   []string
	fields map[string]*Value // by keys
	Items  []*Value
}

const maxNesting = 64 // no position nests nearly this deep

// byteOrderMark begins texts of some editors of Windows.
var byteOrderMark = []byte("\ufeff")

// ParseFile reads a position file and takes the entry "game" out, "" if there is none: it says what game the position is of,
// and is not part of it.
func ParseFile(data []byte) (root *Value, game string, err error) {
	if root, err = Parse(data); err != nil {
		return nil, "", err
	}
	v := root.Take("game")
	switch {
	case v == nil:
		return root, "", nil
	case v.Kind != '"':
		return nil, "", fmt.Errorf("game: %s: want a game string in quotes", v.What())
	}
	return root, v.Text, nil
}

// Parse reads a text that holds one JSON object.
func Parse(data []byte) (*Value, error) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if bytes.IndexByte(data[:min(2, len(data))], 0) >= 0 || bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return nil, errors.New("not the JSON of a position: the text is UTF-16: save it as UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	root, err := parseValue(d, "", 0)
	if err == nil && root.Kind != '{' {
		return nil, errors.New("not the JSON of a position: want an object in braces")
	}
	if err == nil {
		if _, err = d.Token(); errors.Is(err, io.EOF) {
			return root, nil
		}
		return nil, errors.New("text after the position's closing brace")
	}
	// The decoder is at the end of the last token that it took.
	rest := bytes.TrimLeft(data[min(int(d.InputOffset()), len(data)):], " \t\r\n,:")
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		rest, err = nil, errors.New("the text ends too early: it was cut short")
	}
	line := 1 + bytes.Count(data[:len(data)-len(rest)], []byte("\n"))
	return nil, fmt.Errorf("not the JSON of a position: line %d: %w", line, err)
}

func parseValue(d *json.Decoder, path string, depth int) (*Value, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("%s: nested too deep", path)
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	v := &Value{Path: path}
	switch t := t.(type) {
	case nil:
		v.Kind = 'n'
	case bool:
		v.Kind, v.Text = 't', fmt.Sprint(t)
	case string:
		v.Kind, v.Text = '"', t
	case json.Number:
		v.Kind, v.Text = '0', t.String()
	case json.Delim:
		v.Kind = byte(t)
		v.fields = map[string]*Value{}
		for d.More() {
			if t == '[' {
				item, err := parseValue(d, fmt.Sprintf("%s[%d]", path, len(v.Items)), depth+1)
				if err != nil {
					return nil, err
				}
				v.Items = append(v.Items, item)
				continue
			}
			if err := parseField(d, v, depth); err != nil {
				return nil, err
			}
		}
		if _, err := d.Token(); err != nil { // the closing delimiter
			return nil, err
		}
	}
	return v, nil
}

func parseField(d *json.Decoder, v *Value, depth int) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	key := t.(string) // the decoder accepts nothing else
	at := key
	if v.Path != "" {
		at = v.Path + "." + key
	}
	if v.fields[key] != nil {
		return fmt.Errorf("%s is given twice", at)
	}
	field, err := parseValue(d, at, depth+1)
	if err != nil {
		return err
	}
	v.Keys = append(v.Keys, key)
	v.fields[key] = field
	return nil
}

// Get is a field of an object; nil if it is left out, or v is nil itself.
func (v *Value) Get(key string) *Value {
	if v == nil {
		return nil
	}
	return v.fields[key]
}

// Take takes a field out of an object and returns it; nil if there is none.
func (v *Value) Take(key string) *Value {
	field := v.Get(key)
	if field != nil {
		delete(v.fields, key)
		v.Keys = slices.DeleteFunc(v.Keys, func(k string) bool { return k == key })
	}
	return field
}

// Short descriptions of values.
func (v *Value) What() string {
	switch v.Kind {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 'n':
		return "null"
	case '"':
		return fmt.Sprintf("%q", v.Text)
	}
	return v.Text
}

// IsObject notes what is not an object, and every field that is not known.
func (f *Faults) IsObject(v *Value, known ...string) bool {
	if v == nil {
		return false
	}
	if v.Kind != '{' {
		f.Wrong(v.Path, "%s: want an object", v.What())
		return false
	}
	for _, k := range v.Keys {
		if slices.Index(known, k) < 0 {
			f.Wrong(v.fields[k].Path, "unknown field: %s", Suggest(k, known))
		}
	}
	return true
}

// IsList returns the items of a list of at most n.
func (f *Faults) IsList(v *Value, most int) []*Value {
	switch {
	case v == nil:
		return nil
	case v.Kind != '[':
		f.Wrong(v.Path, "%s: want a list", v.What())
		return nil
	case len(v.Items) > most:
		f.Wrong(v.Path, "%d entries: want at most %d", len(v.Items), most)
		return nil
	}
	return v.Items
}

// Number reads a whole number from least to most; if v is left out it is
// otherwise.
func (f *Faults) Number(v *Value, least, most, otherwise int) int {
	if v == nil {
		return otherwise
	}
	var n int
	if v.Kind != '0' || json.Unmarshal([]byte(v.Text), &n) != nil || n < least || n > most {
		f.Wrong(v.Path, "%s: want a whole number from %d to %d", v.What(), least, most)
		return otherwise
	}
	return n
}

// Long reads a whole number from 0 to 2^64−1, in quotes or not: see engine.Long.
func (f *Faults) Long(v *Value, otherwise uint64) uint64 {
	if v == nil {
		return otherwise
	}
	var n engine.Long
	text := v.Text
	if v.Kind == '"' {
		text = strconv.Quote(text)
	}
	if v.Kind != '0' && v.Kind != '"' {
		f.Wrong(v.Path, "%s: want a whole number from 0 to 2^64−1", v.What())
	} else if err := n.UnmarshalJSON([]byte(text)); err != nil {
		f.Wrong(v.Path, "%v", err)
	}
	return uint64(n)
}

// Truth reads true or false.
func (f *Faults) Truth(v *Value, otherwise bool) bool {
	if v == nil {
		return otherwise
	}
	if v.Kind != 't' {
		f.Wrong(v.Path, "%s: want true or false", v.What())
		return otherwise
	}
	return v.Text == "true"
}

// Needed is a field that may not be left out.
func (f *Faults) Needed(v *Value, key string) *Value {
	if v.Get(key) == nil {
		f.Wrong(v.Path+"."+key, "it is missing")
	}
	return v.Get(key)
}

// Generator reads the generator that a match continues with: the position's field
// generator, or a new one from its seed.
func (f *Faults) Generator(root *Value) engine.Rand {
	g := root.Get("generator")
	if !f.IsObject(g, "key", "counter") {
		return engine.NewRand(f.Long(root.Get("seed"), 0))
	}
	return engine.Rand{Key: f.Long(g.Get("key"), 0), Counter: f.Long(g.Get("counter"), 0)}
}

// Name reads one of the names and returns its number; if v is left out, or
// wrong, it is otherwise.
func (f *Faults) Name(v *Value, names []string, otherwise int) int {
	if v == nil {
		return otherwise
	}
	if v.Kind != '"' {
		f.Wrong(v.Path, "%s: want a name in quotes, one of %s", v.What(), Listed(names))
		return otherwise
	}
	i := slices.Index(names, v.Text)
	switch {
	case v.Text == Hidden:
		f.Wrong(v.Path, "\"?\" is only for a seat's view: give the actual value")
	case v.Text == "" || i < 0:
		f.Wrong(v.Path, "unknown name %q: %s", v.Text, Suggest(v.Text, names))
	default:
		return i
	}
	return otherwise
}

// Suggest names what comes closest to a word, or everything if nothing does.
func Suggest(word string, names []string) string {
	best, distance := "", 1+len(word)/2
	word = strings.ToLower(word)
	for _, n := range names {
		d := engine.EditDistance(word, strings.ToLower(n))
		if len(word) > 1 && strings.HasPrefix(strings.ToLower(n), word) {
			d = 1 // cut short
		}
		if n != "" && d < distance {
			best, distance = n, d
		}
	}
	if best != "" {
		return fmt.Sprintf("did you mean %s?", best)
	}
	return "want one of " + Listed(names)
}

// Listed joins the names that are not empty.
func Listed(names []string) string {
	var list []string
	for _, n := range names {
		if n != "" {
			list = append(list, n)
		}
	}
	return strings.Join(list, ", ")
}
