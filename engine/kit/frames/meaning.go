package frames

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/privateer-rl/privateer/engine/kit/position"
)

// Meaning is what an argument of a frame, or its seat, stands for.
type Meaning interface {
	// Write is what stands in a position for x, a value in range.
	Write(x int8) any
	// Read is the inverse of Write; what is wrong is noted in faults.
	Read(faults *position.Faults, v *position.Value) int8
	// Has reports whether x is in range.
	Has(x int8) bool
	// Range says in words what is in range.
	Range() string
	// Shape is the JSON Schema of what Write returns.
	Shape() position.Shape
	// Word stands for x in a line of words.
	Word(x int8) string
}

// number is a whole number: x + shift, from least to most.
type number struct{ shift, least, most int }

// Number is a whole number from least to most, −128 … 127.
func Number(least, most int) Meaning { return number{0, least, most} }

// Shifted is a number that is written as x + shift; least and most are of what is written. Slots, which
// people count from 1, are Shifted(1, 1, n), and "a seat or −1" kept from 0 on is Shifted(-1, -1, n-1).
func Shifted(shift, least, most int) Meaning { return number{shift, least, most} }

func (n number) Write(x int8) any      { return int(x) + n.shift }
func (n number) Word(x int8) string    { return strconv.Itoa(int(x) + n.shift) }
func (n number) Has(x int8) bool       { return int(x)+n.shift >= n.least && int(x)+n.shift <= n.most }
func (n number) Range() string         { return strconv.Itoa(n.least) + " to " + strconv.Itoa(n.most) }
func (n number) Shape() position.Shape { return position.Whole(n.least, n.most) }

func (n number) Read(faults *position.Faults, v *position.Value) int8 {
	return int8(faults.Number(v, n.least, n.most, n.least) - n.shift)
}

// octet is a number from 0 to most ≤ 255, whose bits are those of an int8.
type octet struct{ most int }

// Octet is a number from 0 to most ≤ 255, kept in the bits of the argument.
func Octet(most int) Meaning { return octet{most} }

func (o octet) Write(x int8) any      { return uint8(x) }
func (o octet) Word(x int8) string    { return strconv.Itoa(int(uint8(x))) }
func (o octet) Has(x int8) bool       { return int(uint8(x)) <= o.most }
func (o octet) Range() string         { return "0 to " + strconv.Itoa(o.most) }
func (o octet) Shape() position.Shape { return position.Whole(0, o.most) }

func (o octet) Read(faults *position.Faults, v *position.Value) int8 {
	return int8(uint8(faults.Number(v, 0, o.most, 0)))
}

// name is one of some names, by number from first on.
type name struct {
	names []string
	first int
}

// Name is one of names by number, from 0 on; names that are empty are not in range.
func Name(names ...string) Meaning { return name{names, 0} }

// NameFrom is Name with numbers from first on, which may be negative.
func NameFrom(first int, names ...string) Meaning { return name{names, first} }

func (n name) Write(x int8) any      { return n.names[int(x)-n.first] }
func (n name) Word(x int8) string    { return n.names[int(x)-n.first] }
func (n name) Range() string         { return "one of " + position.Listed(n.names) }
func (n name) Shape() position.Shape { return position.OneOf(n.names...) }

func (n name) Has(x int8) bool {
	i := int(x) - n.first
	return i >= 0 && i < len(n.names) && n.names[i] != ""
}

func (n name) Read(faults *position.Faults, v *position.Value) int8 {
	return int8(n.first + faults.Name(v, n.names, max(0, slices.IndexFunc(n.names, func(s string) bool { return s != "" }))))
}

// or is a meaning with names beside it for values out of its range.
type or struct {
	Meaning
	names map[string]int8
	order []string
}

// Or is m, or x under a name: a seat, or the ship of nobody.
func Or(m Meaning, x int8, written string) Meaning {
	if o, nested := m.(or); nested {
		names := map[string]int8{written: x}
		for k, v := range o.names {
			names[k] = v
		}
		return or{o.Meaning, names, append(slices.Clone(o.order), written)}
	}
	return or{m, map[string]int8{written: x}, []string{written}}
}

func (o or) named(x int8) (string, bool) {
	for _, n := range o.order {
		if o.names[n] == x {
			return n, true
		}
	}
	return "", false
}

func (o or) Write(x int8) any {
	if n, ok := o.named(x); ok {
		return n
	}
	return o.Meaning.Write(x)
}

func (o or) Word(x int8) string {
	if n, ok := o.named(x); ok {
		return n
	}
	return o.Meaning.Word(x)
}

func (o or) Has(x int8) bool {
	_, ok := o.named(x)
	return ok || o.Meaning.Has(x)
}

func (o or) Range() string { return o.Meaning.Range() + ", or " + position.Listed(o.order) }

func (o or) Shape() position.Shape {
	return position.Either(o.Meaning.Shape(), position.OneOf(o.order...))
}

func (o or) Read(faults *position.Faults, v *position.Value) int8 {
	if v != nil && v.Kind == '"' {
		if x, ok := o.names[v.Text]; ok {
			return x
		}
	}
	return o.Meaning.Read(faults, v)
}

// worded is a meaning with words of its own.
type worded struct {
	Meaning
	word func(x int8) string
}

// Worded is m with other words in a line of words.
func Worded(m Meaning, word func(x int8) string) Meaning { return worded{m, word} }

func (w worded) Word(x int8) string { return w.word(x) }

// described is a meaning with a description in the JSON Schema.
type described struct {
	Meaning
	doc string
}

// Described is m with a description for the JSON Schema.
func Described(m Meaning, doc string) Meaning { return described{m, doc} }

func (d described) Shape() position.Shape { return d.Meaning.Shape().Of(d.doc) }

// optional is a meaning of an argument that a frame may leave out.
type optional struct {
	Meaning
	plain func(seat int8) int8
}

// Optional is m, the outermost of its meanings, for an argument that a frame may leave out: then it is
// plain of the frame's seat.
func Optional(m Meaning, plain func(seat int8) int8) Meaning { return optional{m, plain} }

// flag is true or false.
type flag struct{}

// Flag is true or false.
func Flag() Meaning { return flag{} }

func (flag) Write(x int8) any      { return x != 0 }
func (flag) Word(x int8) string    { return strconv.FormatBool(x != 0) }
func (flag) Has(x int8) bool       { return x == 0 || x == 1 }
func (flag) Range() string         { return "0 or 1" }
func (flag) Shape() position.Shape { return position.Truth() }

func (flag) Read(faults *position.Faults, v *position.Value) int8 {
	if faults.Truth(v, false) {
		return 1
	}
	return 0
}

// set is a set of seats, at least one.
type set struct{ seats int }

// Seats is a set of one seat or more, written as a list.
func Seats(n int) Meaning { return set{n} }

func (s set) Write(x int8) any {
	list := []int{}
	for i := range s.seats {
		if x>>i&1 != 0 {
			list = append(list, i)
		}
	}
	return list
}

func (s set) Word(x int8) string { return fmt.Sprint(s.Write(x)) }
func (s set) Has(x int8) bool    { return x >= 1 && int(x) < 1<<s.seats }
func (s set) Range() string      { return "a set of seats 0 to " + strconv.Itoa(s.seats-1) }

func (s set) Shape() position.Shape {
	return position.ListOf(position.Whole(0, s.seats-1), s.seats)
}

func (s set) Read(faults *position.Faults, v *position.Value) int8 {
	x := 0
	for _, item := range faults.IsList(v, s.seats) {
		x |= 1 << faults.Number(item, 0, s.seats-1, 0)
	}
	if x == 0 && v != nil {
		faults.Wrong(v.Path, "want at least one seat")
	}
	return int8(x)
}
