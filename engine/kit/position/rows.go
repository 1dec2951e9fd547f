package position

import (
	"fmt"
	"slices"
	"strings"
)

// Row declares one field of an object in a position: its name, what it may be, and what it is. Of is
// what the object is made from, such as a state and who looks at it.
type Row[Of any] struct {
	Name  string
	Shape Shape
	// Show is the field's value, nil if this view leaves the field out. A row without Show is never shown,
	// only read, such as a seed.
	Show func(of Of) any
	// Read takes in what a file says of the field, v nil if it says nothing, and Check says what is wrong with what is
	// there, "" if nothing is. A row lacks them if the game reads or checks the field together with others.
	Read  func(of Of, f *Faults, v *Value)
	Check func(of Of) string
}

// Number is the row of a whole number from least to most that is kept at a place of the state. If a file leaves it out,
// what is there remains.
func Number[Of any, N ~int8 | ~uint8](name string, least, most int, doc string, at func(of Of) *N) Row[Of] {
	return Row[Of]{
		Name: name, Shape: Whole(least, most).Of(doc),
		Show: func(of Of) any { return *at(of) },
		Read: func(of Of, f *Faults, v *Value) { n := at(of); *n = N(f.Number(v, least, most, int(*n))) },
		Check: func(of Of) string {
			if n := int(*at(of)); n < least || n > most {
				return fmt.Sprintf("%d: want %d to %d", n, least, most)
			}
			return ""
		},
	}
}

// If is the row of a field that means something in some positions only: in others it is neither shown nor checked.
func (row Row[Of]) If(means func(of Of) bool) Row[Of] {
	show, check := row.Show, row.Check
	row.Show = func(of Of) any {
		if !means(of) {
			return nil
		}
		return show(of)
	}
	if check != nil {
		row.Check = func(of Of) string {
			if !means(of) {
				return ""
			}
			return check(of)
		}
	}
	return row
}

// Refused is the row of a field that this game does not have, as with those of modules that are not played. Why
// says so to a file that has it.
func (row Row[Of]) Refused(why string) Row[Of] {
	row.Show, row.Check = nil, nil
	row.Read = func(_ Of, f *Faults, v *Value) {
		if v != nil {
			f.Wrong(v.Path, "%s", why)
		}
	}
	return row
}

// Rows are the fields of an object, in their order.
type Rows[Of any] []Row[Of]

// Before is rows with more before the one of a name.
func (rows Rows[Of]) Before(name string, more ...Row[Of]) Rows[Of] {
	i := slices.IndexFunc(rows, func(row Row[Of]) bool { return row.Name == name })
	if i < 0 {
		panic("position: there is no field " + name + " to stand before")
	}
	return slices.Insert(slices.Clone(rows), i, more...)
}

// Read has every row read its field of v, an object or nil.
func (rows Rows[Of]) Read(of Of, f *Faults, v *Value) {
	for i := range rows {
		if rows[i].Read != nil {
			rows[i].Read(of, f, v.Get(rows[i].Name))
		}
	}
}

// Check notes what is wrong with the fields of the object at a path.
func (rows Rows[Of]) Check(of Of, f *Faults, path string) {
	for i := range rows {
		if rows[i].Check == nil {
			continue
		}
		if wrong := rows[i].Check(of); wrong != "" {
			f.Wrong(strings.TrimPrefix(path+"."+rows[i].Name, "."), "%s", wrong)
		}
	}
}

// Object is the object as it is shown.
func (rows Rows[Of]) Object(of Of) Object {
	o := make(Object, 0, len(rows))
	for i := range rows {
		if rows[i].Show == nil {
			continue
		}
		if v := rows[i].Show(of); v != nil {
			o = append(o, Field{rows[i].Name, v})
		}
	}
	return o
}

// Names are the names of all fields, for Faults.IsObject.
func (rows Rows[Of]) Names() []string {
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = rows[i].Name
	}
	return names
}

// ObjectShape is the JSON Schema of the object: any of the fields may be left out.
func (rows Rows[Of]) ObjectShape() Shape {
	fields := make([]Named, len(rows))
	for i := range rows {
		fields[i] = Named{rows[i].Name, rows[i].Shape}
	}
	return ObjectOf(fields...)
}
