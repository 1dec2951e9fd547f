package policy

import (
	"math"
	"math/bits"
	"unsafe"
)

// Networks in whole numbers: weights of 16 bits and inputs of at most 12 are multiplied and added up without rounding, so that
// every machine has the same sums in whatever order it adds, in half the memory and half the instructions. What it
// costs is that weights are rounded to 16 bits of the largest of their output, and what a layer hands on
// to 12 bits of the largest number; TestWholeNumbersAreNearTheNetwork says how much that is.

const (
	mostByte  = 255       // of an input that is a byte
	mostWhole = 1<<12 - 1 // of what a layer hands on
	block     = 32        // outputs that lie together, in the order of laced
)

// wholeLayer is the weights of a layer as whole numbers.
type wholeLayer struct {
	width  int       // outputs, filled up to whole blocks
	weight []int16   // [in, width]
	units  []float32 // [width], by which sums are multiplied
}

// InWholeNumbers is a bundle of the same policy that computes in whole numbers: faster, and nearly the same.
func (b *Bundle) InWholeNumbers() (*Bundle, error) {
	n, err := arrange(b)
	if err != nil {
		return nil, err
	}
	for i := range n.layers {
		n.layers[i].inWholes(largestOf(i))
	}
	if e, ok := n.policy.(*entity); ok {
		for i := range e.rows {
			e.rows[i].inWholes(largestOf(i))
		}
		for _, l := range []*layer{&e.context, &e.state, &e.embed} {
			l.inWholes(mostWhole)
		}
	}
	whole := *b
	whole.net = n
	return &whole, nil
}

// largestOf is the largest input of the i-th of some layers: the first reads bytes.
func largestOf(i int) float64 {
	if i == 0 {
		return mostByte
	}
	return mostWhole
}

// pair is two inputs: their numbers, and what they are, the first in the lower half. A single one has itself and 0 as the second.
type pair struct {
	first, second int32
	both          uint32
}

// laced is where the outputs of a block lie: in the order in which vectors that take eight numbers of two columns each, half by half,
// have them side by side in their sums.
var laced = func() (at [block]int) {
	for o := range block {
		at[o] = o%16/4*8 + o/16*4 + o%4
	}
	return at
}()

// inWholes rounds a layer's weights, for inputs of at most the given size. No sum of 32 bits can overflow.
func (l *layer) inWholes(largest float64) {
	w := &wholeLayer{width: (l.out + block - 1) / block * block}
	w.weight, w.units = make([]int16, l.in*w.width), make([]float32, w.width)
	for j := range l.out {
		most, sum := 0.0, 0.0
		for i := range l.in {
			x := math.Abs(float64(l.weight[i*l.out+j]))
			most = max(most, x)
			sum += x
		}
		// Half a unit of each weight may be rounded up.
		unit := max(most/math.MaxInt16, largest*sum/(math.MaxInt32-float64(largest*float64(l.in))))
		w.units[j] = float32(unit)
		if unit = float64(w.units[j]); unit == 0 {
			continue
		}
		at := j/block*block + laced[j%block]
		for i := range l.in {
			x := math.Round(float64(l.weight[i*l.out+j]) / unit)
			w.weight[i*w.width+at] = int16(min(max(x, -math.MaxInt16), math.MaxInt16))
		}
	}
	l.whole = w
}

// linear is the layer, without its norm, of inputs that are pairs times unit.
func (w *wholeLayer) linear(pairs []pair, unit float32, sums []int32, out []float32) {
	sums = sums[:w.width]
	addPairs(sums, w.weight, pairs)
	brought(out, sums, w.units, unit)
}

// addPairs writes the sums of all outputs.
func addPairs(sums []int32, weight []int16, pairs []pair) {
	if addPairsFast(sums, weight, pairs) {
		return
	}
	clear(sums)
	width := len(sums)
	for _, p := range pairs {
		x, y := int32(int16(p.both)), int32(int16(p.both>>16))
		a, b := weight[int(p.first)*width:][:width], weight[int(p.second)*width:][:width]
		for from := 0; from < width; from += block {
			for o, at := range &laced {
				sums[from+o] += x*int32(a[from+at]) + y*int32(b[from+at])
			}
		}
	}
}

// brought adds to out what sums are.
func brought(out []float32, sums []int32, units []float32, unit float32) {
	for j := broughtFast(out, sums, units, unit); j < len(out); j++ {
		out[j] += float32(float32(sums[j]) * float32(units[j]*unit))
	}
}

// pairing is the room in which pairs are made.
type pairing struct {
	wholes []int32  // inputs
	masks  []uint64 // which of them are not zero, a bit each
	used   []int32  // their numbers
	pairs  []pair
}

func newPairing(inputs int) pairing {
	return pairing{make([]int32, inputs), make([]uint64, inputs/64+1), make([]int32, inputs+64), make([]pair, inputs/2+1)}
}

// ofBytes pairs the bytes that are not zero.
func (p *pairing) ofBytes(from []uint8) []pair {
	words := filledFast(from, p.masks)
	done := 64 * words
	if rest := len(from) - done; words > 0 && rest > 0 { // the last 64 once more, of which the rest are new
		filledFast(from[len(from)-64:], p.masks[words:])
		p.masks[words] >>= 64 - rest
		words, done = words+1, len(from)
	}
	used := p.list(words, done, len(from), func(i int) bool { return from[i] != 0 })
	pairs := p.pairs[:(len(used)+1)/2]
	for k := range pairs {
		i, j := used[2*k], used[min(2*k+1, len(used)-1)]
		pairs[k] = pair{i, j, uint32(from[i]) | uint32(from[j])<<16}
	}
	if len(used)%2 > 0 {
		pairs[len(pairs)-1].both &= 0xffff
	}
	return pairs
}

// ofNumbers rounds numbers to whole ones, of which the largest is mostWhole, and pairs those that are not zero then. unit is
// what one is.
func (p *pairing) ofNumbers(x []float32) (pairs []pair, unit float32) {
	top, i := topFast(x) // the bits of numbers without their signs are in the order of the numbers
	for ; i < len(x); i++ {
		top = max(top, math.Float32bits(x[i])&^(1<<31))
	}
	most := math.Float32frombits(top)
	if !(most > 1e-30 && most < 1e30) {
		return nil, 0
	}
	up, wholes := mostWhole/most, p.wholes[:len(x)]
	clear(p.masks)
	bytes := unsafe.Slice((*uint8)(unsafe.Pointer(&p.masks[0])), 8*len(p.masks))
	done := wholesFast(x, up, wholes, bytes)
	for i := done; i < len(x); i++ {
		y := float32(x[i] * up)
		if y < 0 {
			y -= .5
		} else {
			y += .5
		}
		wholes[i] = int32(y)
	}
	used := p.list((done+63)/64, done, len(x), func(i int) bool { return wholes[i] != 0 })
	pairs = p.pairs[:(len(used)+1)/2]
	for k := range pairs {
		i, j := used[2*k], used[min(2*k+1, len(used)-1)]
		pairs[k] = pair{i, j, uint32(wholes[i])&0xffff | uint32(wholes[j])<<16}
	}
	if len(used)%2 > 0 {
		pairs[len(pairs)-1].both &= 0xffff
	}
	return pairs, most / mostWhole
}

// list lists the inputs that the first words of masks say are not zero, and of the others those that is does.
func (p *pairing) list(words, done, inputs int, is func(i int) bool) []int32 {
	used, n := p.used, 0
	for k, w := range p.masks[:words] {
		for ; w != 0; w &= w - 1 {
			used[n] = int32(64*k + bits.TrailingZeros64(w))
			n++
		}
	}
	for i := done; i < inputs; i++ {
		used[n] = int32(i)
		if is(i) {
			n++
		}
	}
	return used[:n]
}
