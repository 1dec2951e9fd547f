package doubloons

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// value is a value of a position file and where it stands there, so that whatever
// is wrong with it can be named.
type value struct {
	path   string
	kind   byte   // '{' object, '[' list, '"' text, '0' number, 't' true or false, 'n' null
	text   string // of a text, a number, true or false
	keys   []string
	fields map[string]*value // by keys
	items  []*value
}

const maxNesting = 8 // no position nests deeper

// parseJSON reads a text that holds one JSON object.
func parseJSON(data []byte) (*value, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	root, err := parseValue(d, "", 0)
	if err == nil && root.kind != '{' {
		return nil, errors.New("not the JSON of a position: want an object in braces")
	}
	if err == nil {
		if _, err = d.Token(); errors.Is(err, io.EOF) {
			return root, nil
		}
		return nil, errors.New("text after the position's closing brace")
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errors.New("not the JSON of a position: the text ends too early")
	}
	line := 1 + bytes.Count(data[:min(int(d.InputOffset()), len(data))], []byte("\n"))
	return nil, fmt.Errorf("not the JSON of a position: line %d: %w", line, err)
}

func parseValue(d *json.Decoder, path string, depth int) (*value, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("%s: nested too deep", path)
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	v := &value{path: path}
	switch t := t.(type) {
	case nil:
		v.kind = 'n'
	case bool:
		v.kind, v.text = 't', fmt.Sprint(t)
	case string:
		v.kind, v.text = '"', t
	case json.Number:
		v.kind, v.text = '0', t.String()
	case json.Delim:
		v.kind = byte(t)
		v.fields = map[string]*value{}
		for d.More() {
			if t == '[' {
				item, err := parseValue(d, fmt.Sprintf("%s[%d]", path, len(v.items)), depth+1)
				if err != nil {
					return nil, err
				}
				v.items = append(v.items, item)
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

func parseField(d *json.Decoder, v *value, depth int) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	key := t.(string) // the decoder lets nothing else pass
	at := key
	if v.path != "" {
		at = v.path + "." + key
	}
	if v.fields[key] != nil {
		return fmt.Errorf("%s is given twice", at)
	}
	field, err := parseValue(d, at, depth+1)
	if err != nil {
		return err
	}
	v.keys = append(v.keys, key)
	v.fields[key] = field
	return nil
}

// get is a field of an object; nil where it is left out, or v is nil itself.
func (v *value) get(key string) *value {
	if v == nil {
		return nil
	}
	return v.fields[key]
}

// what says in a few words what a value is.
func (v *value) what() string {
	switch v.kind {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 'n':
		return "null"
	case '"':
		return fmt.Sprintf("%q", v.text)
	}
	return v.text
}

// isObject notes what is no object, and every field that is not known.
func (f *faults) isObject(v *value, known ...string) bool {
	if v == nil {
		return false
	}
	if v.kind != '{' {
		f.wrong(v.path, "%s: want an object", v.what())
		return false
	}
	for _, k := range v.keys {
		if position(known, k) < 0 {
			f.wrong(v.fields[k].path, "unknown field: %s", suggest(k, known))
		}
	}
	return true
}

// isList returns the items of a list of at most so many.
func (f *faults) isList(v *value, most int) []*value {
	switch {
	case v == nil:
		return nil
	case v.kind != '[':
		f.wrong(v.path, "%s: want a list", v.what())
		return nil
	case len(v.items) > most:
		f.wrong(v.path, "%d entries: want at most %d", len(v.items), most)
		return nil
	}
	return v.items
}

// number reads a whole number from least to most; where v is left out it is
// otherwise.
func (f *faults) number(v *value, least, most, otherwise int) int {
	if v == nil {
		return otherwise
	}
	var n int
	if v.kind != '0' || json.Unmarshal([]byte(v.text), &n) != nil || n < least || n > most {
		f.wrong(v.path, "%s: want a whole number from %d to %d", v.what(), least, most)
		return otherwise
	}
	return n
}

func (f *faults) long(v *value, otherwise uint64) uint64 {
	if v == nil {
		return otherwise
	}
	var n uint64
	if v.kind != '0' || json.Unmarshal([]byte(v.text), &n) != nil {
		f.wrong(v.path, "%s: want a whole number from 0 to 2^64−1", v.what())
	}
	return n
}

func (f *faults) truth(v *value, otherwise bool) bool {
	if v == nil {
		return otherwise
	}
	if v.kind != 't' {
		f.wrong(v.path, "%s: want true or false", v.what())
		return otherwise
	}
	return v.text == "true"
}

// name reads one of the names and returns its number; where v is left out, or
// wrong, it is otherwise.
func (f *faults) name(v *value, names []string, otherwise int) int {
	if v == nil {
		return otherwise
	}
	if v.kind != '"' {
		f.wrong(v.path, "%s: want a name in quotes, one of %s", v.what(), listed(names))
		return otherwise
	}
	i := position(names, v.text)
	switch {
	case v.text == hiddenName:
		f.wrong(v.path, "\"?\" is in a seat's view only: give what is there")
	case v.text == "" || i < 0:
		f.wrong(v.path, "unknown name %q: %s", v.text, suggest(v.text, names))
	default:
		return i
	}
	return otherwise
}

// suggest names what comes closest to a word, or everything where nothing does.
func suggest(word string, names []string) string {
	best, distance := "", 1+len(word)/2
	word = strings.ToLower(word)
	for _, n := range names {
		d := edits(word, strings.ToLower(n))
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
	return "want one of " + listed(names)
}

// listed joins the names that are not empty.
func listed(names []string) string {
	var list []string
	for _, n := range names {
		if n != "" {
			list = append(list, n)
		}
	}
	return strings.Join(list, ", ")
}

// edits is the number of letters to change, add or drop to make b of a
// (Levenshtein's distance).
func edits(a, b string) int {
	if len(a) > 64 {
		return len(a) // no name is so long
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
