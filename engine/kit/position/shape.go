package position

import (
	"bytes"
	"encoding/json"
)

// Shape is a JSON Schema (draft 2020-12): what a value of a position file may be. Games compose the schema
// of their positions from the functions below, from the same declarations that read and check them.
type Shape Object

// MarshalJSON writes the schema with its keywords in their order.
func (s Shape) MarshalJSON() ([]byte, error) { return Object(s).MarshalJSON() }

// Of describes the shape, in other words if it is described: doc is what the value means.
func (s Shape) Of(doc string) Shape {
	if len(s) > 0 && s[0].Name == "description" {
		s = s[1:]
	}
	return append(Shape{{"description", doc}}, s...)
}

// Whole is a whole number from least to most.
func Whole(least, most int) Shape {
	return Shape{{"type", "integer"}, {"minimum", least}, {"maximum", most}}
}

// Natural is a whole number from 0 on.
func Natural() Shape { return Shape{{"type", "integer"}, {"minimum", 0}} }

// Long is a whole number from 0 to 2^64−1, in quotes where a reader that has only doubles would change it.
func Long() Shape {
	return Either(Natural(), Shape{{"type", "string"}, {"pattern", "^[0-9]+$"}})
}

// Truth is true or false.
func Truth() Shape { return Shape{{"type", "boolean"}} }

// Text is any text.
func Text() Shape { return Shape{{"type", "string"}} }

// OneOf is one of the names that are not empty.
func OneOf(names ...string) Shape {
	var known []string
	for _, n := range names {
		if n != "" {
			known = append(known, n)
		}
	}
	return Shape{{"enum", known}}
}

// ListOf is a list of at most n items.
func ListOf(item Shape, most int) Shape {
	return Shape{{"type", "array"}, {"maxItems", most}, {"items", item}}
}

// SetOf is a list without repeats.
func SetOf(item Shape) Shape {
	return Shape{{"type", "array"}, {"uniqueItems", true}, {"items", item}}
}

// AtLeast says how many items a list has at least.
func (s Shape) AtLeast(n int) Shape { return append(s, Field{"minItems", n}) }

// Either is a value of one of the shapes.
func Either(shapes ...Shape) Shape { return Shape{{"anyOf", shapes}} }

// Named is a field of an object and its shape.
type Named struct {
	Name string
	Shape
}

// ObjectOf is an object with these fields and no others; each may be left out.
func ObjectOf(fields ...Named) Shape {
	properties := Object{}
	for _, f := range fields {
		properties.Add(f.Name, f.Shape)
	}
	return Shape{{"type", "object"}, {"additionalProperties", false}, {"properties", properties}}
}

// Needs says which fields of an object may not be left out.
func (s Shape) Needs(names ...string) Shape { return append(s, Field{"required", names}) }

// Ref is a shape that the schema defines by a name: see Defines.
func Ref(name string) Shape { return Shape{{"$ref", "#/$defs/" + name}} }

// Defines gives names to shapes that stand in several places of the whole schema.
func (s Shape) Defines(defs ...Named) Shape {
	var all Object
	for _, d := range defs {
		all.Add(d.Name, d.Shape)
	}
	return append(s, Field{"$defs", all})
}

// Examples are positions, as JSON texts, that follow the schema.
func (s Shape) Examples(texts ...string) Shape {
	var list []json.RawMessage
	for _, text := range texts {
		list = append(list, json.RawMessage(text))
	}
	return append(s, Field{"examples", list})
}

// TallyOf is an object with a count for each of the names.
func TallyOf(names ...string) Shape {
	var fields []Named
	for _, n := range names {
		if n != "" {
			fields = append(fields, Named{n, Natural()})
		}
	}
	return ObjectOf(fields...)
}

// GeneratorShape is the shape of the field that Faults.Generator reads.
func GeneratorShape() Shape {
	return ObjectOf(Named{"key", Long().Of("Which stream of numbers.")}, Named{"counter", Long().Of("How many numbers of it were drawn.")}).
		Of("The match's generator. No seat sees it.")
}

// Schema is the text of a schema, for engine.Definition.
func (s Shape) Schema(title string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	head := Shape{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}}
	if err := enc.Encode(append(head, s...)); err != nil {
		panic("position: a schema that is not JSON: " + err.Error())
	}
	return b.String()
}
