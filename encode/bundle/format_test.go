package bundle

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// FORMAT.md lists the fields of a bundle for those who read it in other languages.
func TestDocumentHasTheFieldsOfABundle(t *testing.T) {
	text, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "<!-- fields -->")
	table, _, found := strings.Cut(table, "<!-- /fields -->")
	if !found {
		t.Fatal("the table of fields is gone")
	}
	var documented []string
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| `(\\w+)` \\| ([^|]*) \\|").FindAllStringSubmatch(table, -1) {
		documented = append(documented, fmt.Sprintf("%s.%s: %s", m[1], m[2], strings.ReplaceAll(m[3], "`", "")))
	}
	fields := fieldsOf("bundle", reflect.TypeFor[Bundle]())
	for _, f := range fields {
		if !slices.Contains(documented, f) {
			t.Errorf("FORMAT.md lacks %s", f)
		}
	}
	for _, d := range documented {
		if !slices.Contains(fields, d) {
			t.Errorf("FORMAT.md has %s, which bundles have not", d)
		}
	}
	for _, sure := range []string{magic, fmt.Sprintf("format, %d", version), fmt.Sprintf("less %d", head+4)} {
		if !strings.Contains(string(text), sure) {
			t.Errorf("FORMAT.md does not say %q", sure)
		}
	}
}

// fieldsOf are the fields of a struct, and of those in it, as the document has them.
func fieldsOf(name string, of reflect.Type) []string {
	var all []string
	for i := range of.NumField() {
		f := of.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("msgpack"), ",")
		if !f.IsExported() {
			continue
		}
		kind, inner := describe(key, f.Type)
		all = append(all, fmt.Sprintf("%s.%s: %s", name, key, kind))
		if inner != nil {
			all = append(all, fieldsOf(strings.TrimPrefix(kind, "list of "), inner)...)
		}
	}
	return all
}

// describe names a type, and is the struct that it has, if any.
func describe(key string, t reflect.Type) (kind string, inner reflect.Type) {
	switch t.Kind() {
	case reflect.String:
		return "string", nil
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "integer", nil
	case reflect.Float32, reflect.Float64:
		return t.Kind().String(), nil
	case reflect.Struct:
		return strings.ToLower(t.Name()), t
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return "binary", nil
		}
		kind, inner = describe(key, t.Elem())
		return "list of " + kind, inner
	}
	panic(key + " is a " + t.String())
}

func TestDocumentHasTheTensorsOfEveryNetwork(t *testing.T) {
	text, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	index := regexp.MustCompile(`\.\d+\.`)
	for _, b := range []*Bundle{drawn(t, "kuhn", "relu", 3), drawnBare(t, "kuhn", "tanh", 3), drawnEntity(t, "kuhn", "silu", []int{3}, 3)} {
		for _, w := range b.Weights {
			if name := index.ReplaceAllString(w.Name, ".I."); !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("FORMAT.md lacks the tensor %s", name)
			}
		}
	}
}
