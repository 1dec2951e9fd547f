// Package yamlfile reads YAML that people write, and says in their words what is wrong with it: key, line, and what is wanted.
package yamlfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// ErrMore is the error of a file that continues after its first document.
var ErrMore = errors.New("the file continues after its end: want one YAML document")

// Decode reads a file's one document into what a pointer points to, whose fields are all the keys that there are. An empty file is io.EOF.
func Decode(data []byte, into any) error {
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err == nil && len(doc.Content) > 0 {
		if err := unprintable(&doc); err != nil {
			return err
		}
		if n := cut(doc.Content[0], reflect.TypeOf(into)); n != nil {
			return wrong(&doc, strconv.Itoa(n.Line), n.ShortTag(), n.Value, "int")
		}
	}
	if err := d.Decode(into); errors.Is(err, io.EOF) {
		return io.EOF
	} else if err != nil {
		return inWords(err, &doc)
	}
	if err := d.Decode(new(yaml.Node)); err == nil {
		return ErrMore
	} else if !errors.Is(err, io.EOF) {
		return inWords(err, &doc)
	}
	return nil
}

// unprintable is an error about the first text with a character that cannot be shown: what comes from a file is written to
// terminals and into pictures, where such characters are commands.
func unprintable(n *yaml.Node) error {
	for _, c := range n.Value {
		if !unicode.IsGraphic(c) && c != '\n' && c != '\t' {
			return fmt.Errorf("line %d: the text %q has the character %U: want text that can be shown", n.Line, n.Value, c)
		}
	}
	for _, below := range n.Content {
		if err := unprintable(below); err != nil {
			return err
		}
	}
	return nil
}

// cut is the first number that the library would cut to a whole one without a word.
func cut(n *yaml.Node, t reflect.Type) *yaml.Node {
	if t == nil || n.Kind == yaml.AliasNode || reflect.PointerTo(t).Implements(reflect.TypeFor[yaml.Unmarshaler]()) {
		return nil // an alias is looked at where it stands
	}
	var found *yaml.Node
	switch t.Kind() {
	case reflect.Pointer:
		return cut(n, t.Elem())
	case reflect.Slice, reflect.Array:
		for _, v := range n.Content {
			found = cmp.Or(found, cut(v, t.Elem()))
		}
	case reflect.Map:
		for i := 1; i < len(n.Content); i += 2 {
			found = cmp.Or(found, cut(n.Content[i], t.Elem()))
		}
	case reflect.Struct:
		for i := 1; i < len(n.Content); i += 2 {
			found = cmp.Or(found, cut(n.Content[i], fieldOf(t, n.Content[i-1].Value)))
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		var x float64
		if n.ShortTag() == "!!float" && n.Decode(&x) == nil && x != math.Trunc(x) {
			return n
		}
	}
	return found
}

// fieldOf is the type of the field that a key means; nil if there is none.
func fieldOf(t reflect.Type, key string) reflect.Type {
	for i := range t.NumField() {
		f := t.Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); name == key || name == "" && strings.ToLower(f.Name) == key {
			return f.Type
		}
	}
	return nil
}

// wrong is the error about a value of another kind.
func wrong(doc *yaml.Node, line, tag, value, kind string) error {
	at := "line " + line + ": "
	if key := keyAt(doc, line, tag, value); key != "" {
		at += key + ": "
	}
	return fmt.Errorf("%swant %s, not %s", at, wanted(kind), given(tag, value))
}

// The library's errors for values and keys that do not fit; it cuts values of more than ten characters, and gives none for lists and mappings.
var (
	wrongKind  = regexp.MustCompile("^line ([0-9]+): cannot unmarshal (!!\\S+)(?: `((?s).*)`)? into (.+)$")
	unknownKey = regexp.MustCompile(`^line ([0-9]+): field (.*) not found in type .*$`)
	givenTwice = regexp.MustCompile(`^line ([0-9]+): mapping key "(.*)" already defined at line ([0-9]+)$`)
)

// inWords replaces the names of Go types in errors of the library.
func inWords(err error, doc *yaml.Node) error {
	var kinds *yaml.TypeError
	if !errors.As(err, &kinds) {
		text := err.Error()
		if rest, ok := strings.CutPrefix(text, "yaml: "); ok {
			return errors.New("it is not YAML: " + rest)
		}
		return err
	}
	var faults []string
	for _, fault := range kinds.Errors {
		if m := wrongKind.FindStringSubmatch(fault); m != nil {
			fault = wrong(doc, m[1], m[2], m[3], m[4]).Error()
		} else if m := unknownKey.FindStringSubmatch(fault); m != nil {
			fault = fmt.Sprintf("line %s: unknown key %q", m[1], m[2])
		} else if m := givenTwice.FindStringSubmatch(fault); m != nil {
			fault = fmt.Sprintf("line %s: %s is given twice, first in line %s", m[1], m[2], m[3])
		}
		faults = append(faults, fault)
	}
	return errors.New(strings.Join(faults, "; "))
}

// keyAt is the key, behind those that it stands under, of the first value that an error can be about; "" if none is found.
func keyAt(n *yaml.Node, line, tag, value string) string {
	begin, cut := strings.CutSuffix(value, "...")
	about := func(v *yaml.Node) bool {
		if strconv.Itoa(v.Line) != line || v.ShortTag() != tag {
			return false
		}
		return value == "" || v.Value == value || cut && strings.HasPrefix(v.Value, begin)
	}
	for i, v := range n.Content {
		key := ""
		switch n.Kind {
		case yaml.MappingNode:
			if i%2 == 0 {
				continue
			}
			key = n.Content[i-1].Value
		case yaml.SequenceNode:
			key = "entry " + strconv.Itoa(i+1)
		}
		if key != "" && about(v) {
			return key
		}
		if below := keyAt(v, line, tag, value); below != "" {
			if key != "" {
				return key + ": " + below
			}
			return below
		}
	}
	return ""
}

// given is the text in the file.
func given(tag, value string) string {
	switch tag {
	case "!!seq":
		return "a list"
	case "!!map":
		return "a mapping"
	}
	return strconv.Quote(value)
}

// wanted describes the values of a Go type.
func wanted(kind string) string {
	switch {
	case kind == "bool":
		return "true or false"
	case kind == "string":
		return "text"
	case strings.HasPrefix(kind, "float"):
		return "a number"
	case kind == "int", kind == "int64":
		return "a whole number"
	case kind == "uint", kind == "uint64":
		return "a whole number that is not negative"
	case strings.HasPrefix(kind, "int"):
		bits, _ := strconv.Atoi(kind[len("int"):])
		return fmt.Sprintf("a whole number from %d to %d", -1<<(bits-1), 1<<(bits-1)-1)
	case strings.HasPrefix(kind, "uint"):
		bits, _ := strconv.Atoi(kind[len("uint"):])
		return fmt.Sprintf("a whole number from 0 to %d", 1<<bits-1)
	case strings.HasPrefix(kind, "["):
		return "a list"
	}
	return "lines of the form name: value"
}
