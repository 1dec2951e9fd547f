package position

// Row declares one field of an object in a position: its name, what may stand there, and what does.
// Of is what the object is shown of, as in a state and who looks at it.
type Row[Of any] struct {
	Name  string
	Shape Shape
	// Show is what stands there, nil if this view leaves the field out. A row without Show is never shown,
	// only read, as with a seed.
	Show func(of Of) any
}

// Rows are the fields of an object, in their order.
type Rows[Of any] []Row[Of]

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
