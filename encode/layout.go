package encode

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unsafe"
)

// As views an observation as the struct that declares it; dst has the struct's size.
//
// A layout is declared once, on that struct: a field, uint8 or an array of it at
// any depth, is a group of features, and its tags say the rest.
//
//	type row struct {
//		Hand  [3]uint8 `name:"self.hand" doc:"one-hot: one's card: J, Q, K"`
//		Chips uint8    `name:"chips" max:"13" doc:"chips in the pot"`
//		Seats [4]seat  `name:"self,opponents[]"`
//	}
//
// name is the group's name. A field that is a struct, or an array of structs, gives its name to the groups in it: "self.hull" is the
// field hull of a field self; without a name they keep their own. In the name of an array, each [] is replaced by an index;
// "self,opponents[]" names the first element self and the rest opponents[0], opponents[1] ….
//
// max is the largest value, by default 1. scale turns a byte into float32, a number or a
// quotient such as 1/16, by default 1/max. doc says what the features mean.
func As[Row any](dst []uint8) *Row {
	if len(dst) < int(unsafe.Sizeof(*new(Row))) {
		panic(fmt.Sprintf("encode: an observation of %d bytes: %T has %d", len(dst), *new(Row), unsafe.Sizeof(*new(Row))))
	}
	return (*Row)(unsafe.Pointer(unsafe.SliceData(dst)))
}

// groupsOf lists the groups that a struct of bytes declares. It panics if the declaration makes no sense.
func groupsOf(row reflect.Type) []Group {
	l := layout{taken: map[string]bool{}}
	l.fields(row, "", 0)
	if end := len(l.groups); end == 0 || l.groups[end-1].Offset+l.groups[end-1].Size != int(row.Size()) {
		panic(fmt.Sprintf("encode: %s has no groups, or bytes that belong to none", row))
	}
	return l.groups
}

type layout struct {
	groups []Group
	taken  map[string]bool
}

func (l *layout) fields(t reflect.Type, prefix string, at int) {
	for i := range t.NumField() {
		f := t.Field(i)
		l.field(f, join(prefix, f.Tag.Get("name")), f.Type, at+int(f.Offset))
	}
}

// field adds the groups of a field, or of one named element of it.
func (l *layout) field(f reflect.StructField, name string, t reflect.Type, at int) {
	switch {
	case t.Kind() == reflect.Struct:
		l.fields(t, name, at)
	case ofBytes(t):
		l.add(f, name, t, at)
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			l.field(f, element(name, i), t.Elem(), at+i*int(t.Elem().Size()))
		}
	default:
		panic(fmt.Sprintf("encode: group %q is of type %s: want uint8, arrays of it, or structs of them", name, t))
	}
}

func (l *layout) add(f reflect.StructField, name string, t reflect.Type, at int) {
	g := Group{Name: name, Offset: at, Size: int(t.Size()), Max: 1, Doc: f.Tag.Get("doc")}
	for ; t.Kind() == reflect.Array; t = t.Elem() {
		g.Shape = append(g.Shape, t.Len())
	}
	if g.Shape == nil {
		g.Shape = []int{1}
	}
	var err error
	if text, given := f.Tag.Lookup("max"); given {
		var n uint64
		n, err = strconv.ParseUint(text, 10, 8)
		g.Max = uint8(n)
	}
	g.Scale = 1 / float32(g.Max)
	if text, given := f.Tag.Lookup("scale"); given && err == nil {
		g.Scale, err = quotient(text)
	}
	if err != nil || g.Max < 1 || g.Scale <= 0 || g.Size < 1 || name == "" || g.Doc == "" || l.taken[name] {
		panic(fmt.Sprintf("encode: group %q is malformed or declared twice: %+v, %v", name, f, err))
	}
	l.taken[name] = true
	l.groups = append(l.groups, g)
}

// join composes the name of a group from those of the fields around it.
func join(prefix, name string) string {
	if prefix == "" || name == "" {
		return prefix + name
	}
	return prefix + "." + name
}

// element is the name of element i of an array of structs.
func element(name string, i int) string {
	list := strings.Split(name, ",")
	if i < len(list)-1 {
		return list[i]
	}
	name = list[len(list)-1]
	return strings.Replace(name, "[]", fmt.Sprintf("[%d]", i-len(list)+1), 1)
}

// quotient reads a number, or a quotient of two such as 1/16.
func quotient(text string) (float32, error) {
	above, below, divided := strings.Cut(text, "/")
	x, err := strconv.ParseFloat(above, 32)
	if !divided || err != nil {
		return float32(x), err
	}
	y, err := strconv.ParseFloat(below, 32)
	return float32(x) / float32(y), err
}

// ofBytes reports whether a type is uint8, or an array of such types.
func ofBytes(t reflect.Type) bool {
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t.Kind() == reflect.Uint8
}
