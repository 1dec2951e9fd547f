package infer

import (
	"fmt"
	"math"
)

// Networks in whole numbers: weights of 16 bits and inputs of at most 12 are multiplied and added up without rounding, so that every
// machine has the same sums in any order, with half the memory and half the instructions. In return, weights are rounded to 16 bits of the
// largest of their output, and the output of a layer to 12 bits of its largest number; TestWholeNumbersAreNearTheNetwork measures the
// effect. Weights of a compact bundle are whole numbers of 8 bits, except for those of inputs with scales: they are not rounded, and the
// widest vectors read them as bytes.

const (
	mostByte  = 255       // of an input that is a byte
	mostWhole = 1<<12 - 1 // of the output of a layer
	laid      = 32        // outputs that lie together, in the order of laced
	block     = 64        // outputs that widths are filled up to
	beyond    = 32        // numbers that SIMD may write beyond a list
)

// wholeLayer is the weights of a layer as whole numbers.
type wholeLayer struct {
	width  int       // outputs, filled up to whole blocks
	weight []int16   // [in, width]
	narrow []uint8   // [in, width]: the same in the order of pressed, if all of them are small; else nil
	units  []float32 // [width], by which sums are multiplied
}

// NewWhole arranges a model that computes in whole numbers: faster, and nearly the same. levels is how many its weights were rounded to,
// or 0.
func NewWhole(m Model, levels int) (*Net, error) {
	n, err := New(m)
	if err != nil {
		return nil, err
	}
	for i := range n.layers {
		n.layers[i].inWholes(largestOf(i), levels)
	}
	if e, ok := n.policy.(*entity); ok {
		for i := range e.rows {
			e.rows[i].inWholes(largestOf(i), levels)
		}
		if e.context.in > MostWidth {
			return nil, fmt.Errorf("%d numbers of actions are too many to be listed: want at most %d", e.context.in, MostWidth)
		}
		for _, l := range []*layer{&e.context, &e.state, &e.embed} {
			l.inWholes(mostWhole, levels)
		}
	}
	return n, nil
}

// largestOf is the largest input of the i-th layer: the first reads bytes.
func largestOf(i int) float64 {
	if i == 0 {
		return mostByte
	}
	return mostWhole
}

// laced is the place of each output of a block: in the order in which SIMD that reads eight numbers of two columns at a time, half by half,
// has them in its sums.
var laced = func() (at [laid]int) {
	for o := range laid {
		at[o] = o%16/4*8 + o/16*4 + o%4
	}
	return at
}()

// pressed is the place of each byte of a block: two outputs with the same place in laced share a word, and the lower one is stored plus
// 128, so that it is never negative.
var pressed = func() (at [block]int) {
	for o := range block {
		at[o] = 2*laced[o%laid] + o/laid
	}
	return at
}()

// inWholes rounds a layer's weights, for inputs up to the given size, so that no sum of 32 bits can overflow. Weights of a packed bundle
// are whole numbers up to levels already: they are kept exactly, in half the memory.
func (l *layer) inWholes(largest float64, levels int) {
	w := &wholeLayer{width: (l.out + block - 1) / block * block}
	w.weight, w.units = make([]int16, l.in*w.width), make([]float32, w.width)
	l.whole = w
	if levels > 0 && largest*math.MaxInt8*float64(l.in) < math.MaxInt32 && w.asPacked(l, levels) {
		return
	}
	for j := range l.out {
		most, sum := 0.0, 0.0
		for i := range l.in {
			x := math.Abs(float64(l.weight[i*l.out+j]))
			most = max(most, x)
			sum += x
		}
		// Half a unit of each weight may be rounded up.
		unit := max(most/math.MaxInt16, largest*sum/(math.MaxInt32-float64(largest*float64(l.in))))
		w.round(l, j, unit)
	}
}

// round makes the weights of an output whole numbers of units, and returns the largest error.
func (w *wholeLayer) round(l *layer, j int, unit float64) (off float64) {
	w.units[j] = float32(unit)
	if unit = float64(w.units[j]); unit == 0 {
		return 0
	}
	at := j/laid*laid + laced[j%laid]
	for i := range l.in {
		x := float64(l.weight[i*l.out+j]) / unit
		n := math.Round(x)
		off = max(off, math.Abs(x-n))
		w.weight[i*w.width+at] = int16(min(max(n, -math.MaxInt16), math.MaxInt16))
	}
	return off
}

// asPacked reads the weights as multiples of the largest of each output divided by levels, and reports whether they are.
func (w *wholeLayer) asPacked(l *layer, levels int) bool {
	for j := range l.out {
		most := float32(0)
		for i := range l.in {
			most = max(most, l.weight[i*l.out+j], -l.weight[i*l.out+j])
		}
		if w.round(l, j, float64(most)/float64(levels)) > 1e-4 {
			return false
		}
	}
	w.narrow = make([]uint8, len(w.weight))
	for i := range l.in {
		from, to := w.weight[i*w.width:][:w.width], w.narrow[i*w.width:][:w.width]
		for o := range to {
			n := from[o/laid*laid+laced[o%laid]]
			if o%block < laid {
				n += 128
			}
			to[o/block*block+pressed[o%block]] = uint8(n)
		}
	}
	return true
}

// linear writes to out base plus the layer, without its norm and bias, of listed inputs times unit; with a floor, nothing below 0.
func (w *wholeLayer) linear(in *listing, unit float32, sums []int32, base, out []float32, floor bool) {
	if ontoFast(w, in, unit, base, out, floor) {
		return
	}
	sums = sums[:w.width]
	clear(sums)
	addPairs(sums, w.weight, in)
	copy(out, base)
	brought(out, sums, w.units, unit)
	if floor {
		relu(out)
	}
}

// addPairs adds to the sums of all outputs.
func addPairs(sums []int32, weight []int16, in *listing) {
	if addPairsFast(sums, weight, in) {
		return
	}
	width := len(sums)
	for k, i := range in.which[:in.n] {
		x, column := int32(in.whole[k]), weight[int(i)*width:][:width]
		for from := 0; from < width; from += laid {
			for o, at := range &laced {
				sums[from+o] += x * int32(column[from+at])
			}
		}
	}
}

// brought adds the sums to out, in their units.
func brought(out []float32, sums []int32, units []float32, unit float32) {
	for j := broughtFast(out, sums, units, unit); j < len(out); j++ {
		out[j] += float32(float32(sums[j]) * float32(units[j]*unit))
	}
}

// follower keeps the sums of a layer of bytes and the bytes themselves, so that for the next decision only changes are added.
type follower struct {
	read []uint8
	sums []int32
}

func newFollowers(l *layer, many int) []follower {
	all := make([]follower, many)
	if l.whole != nil {
		for i := range all {
			all[i] = follower{make([]uint8, l.in), make([]int32, l.whole.width)}
		}
	}
	return all
}

// linear adds the layer to out; room is for the list of changes. With a floor, nothing is below 0.
func (f *follower) linear(w *wholeLayer, from []uint8, room *listing, out []float32, floor bool) {
	room.changes(from, f.read)
	copy(f.read, from)
	addPairs(f.sums, w.weight, room)
	brought(out, f.sums, w.units, 1)
	if floor {
		relu(out)
	}
}

// listing is the indices, ascending, and values of the inputs that are not zero. They are read in pairs: if their number is odd, the last
// is listed again as 0.
type listing struct {
	which []uint16
	whole []int16
	n     int // even
}

func newListing(inputs int) listing {
	return listing{which: make([]uint16, inputs+beyond), whole: make([]int16, inputs+beyond)}
}

// changes lists the bytes that differ from those before, and by how much.
func (l *listing) changes(from, before []uint8) {
	before = before[:len(from)]
	i, n := changesFast(from, before, l)
	for ; i < len(from); i++ {
		l.which[n], l.whole[n] = uint16(i), int16(from[i])-int16(before[i])
		if from[i] != before[i] {
			n++
		}
	}
	l.end(n)
}

// round lists numbers as whole multiples of unit, the largest of them mostWhole.
func (l *listing) round(x []float32) (unit float32) {
	if n, most, ok := listFast(x, l); ok {
		if l.end(n); n == 0 {
			return 0
		}
		return most / mostWhole
	}
	top, i := topFast(x) // the bits of numbers without their signs are in the order of the numbers
	for ; i < len(x); i++ {
		top = max(top, math.Float32bits(x[i])&^(1<<31))
	}
	most := math.Float32frombits(top)
	if !(most > 1e-30 && most < 1e30) {
		l.n = 0
		return 0
	}
	up := mostWhole / most
	i, n := roundFast(x, up, l)
	for ; i < len(x); i++ {
		y := float32(x[i] * up)
		if y < 0 {
			y -= .5
		} else {
			y += .5
		}
		l.which[n], l.whole[n] = uint16(i), int16(y)
		if l.whole[n] != 0 {
			n++
		}
	}
	l.end(n)
	return most / mostWhole
}

// end makes the number of entries even.
func (l *listing) end(n int) {
	if n%2 > 0 {
		l.which[n], l.whole[n] = l.which[n-1], 0
		n++
	}
	l.n = n
}
