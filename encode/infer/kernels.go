package infer

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// The arithmetic of the networks. Sums are taken in an order that SIMD of any width can follow: output by output, and a sum over adjacent
// numbers in lanes. So the assembler of kernels_amd64.s computes the same bits as the Go here, which every other machine runs.

// addColumns adds to out, [n], the columns of weight, [inputs, n], of the inputs that are used (ascending), each times its x, four
// at a time so that the sums are read and written less often.
func addColumns(out, weight, x []float32, used []int32) {
	from := addColumnsFast(out, weight, x, used)
	if from == len(out) {
		return
	}
	n := len(out)
	out = out[from:]
	column := func(i int32) []float32 { return weight[int(i)*n+from:][:len(out)] }
	for ; len(used) >= 4; used = used[4:] {
		a, b, c, d := x[used[0]], x[used[1]], x[used[2]], x[used[3]]
		wa, wb, wc, wd := column(used[0]), column(used[1]), column(used[2]), column(used[3])
		for j := range out {
			out[j] += float32(wa[j]*a) + float32(wb[j]*b) + (float32(wc[j]*c) + float32(wd[j]*d))
		}
	}
	for _, i := range used {
		a, wa := x[i], column(i)
		for j := range out {
			out[j] += float32(wa[j] * a)
		}
	}
}

// lanes is how many sums run side by side.
const lanes = 8

// folded is the sum of lanes.
func folded[T float32 | float64](s *[lanes]T) T {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

// dot is the product of two vectors.
func dot(w, x []float32) float32 {
	w = w[:len(x):len(w)]
	var s [lanes]float32
	i := dotFast(w, x, &s)
	for ; i < len(x); i++ {
		s[i%lanes] += float32(w[i] * x[i])
	}
	return folded(&s)
}

// norm brings x to mean 0 and deviation 1, times gain plus shift; with a floor, nothing below 0.
func norm(x, gain, shift []float32, eps float64, floor bool) {
	if normFast(x, gain, shift, eps, floor) {
		return
	}
	gain, shift = gain[:len(x)], shift[:len(x)]
	var sums, squares [lanes]float64
	for i, v := range x {
		sums[i%lanes] += float64(v)
	}
	mean := folded(&sums) / float64(len(x))
	for i, v := range x {
		d := float64(v) - mean
		squares[i%lanes] += float64(d * d)
	}
	scale := float32(1 / math.Sqrt(folded(&squares)/float64(len(x))+eps))
	middle := float32(mean)
	for i, v := range x {
		x[i] = float32((v-middle)*scale*gain[i]) + shift[i]
	}
	if floor {
		relu(x)
	}
}

// unpack writes the bytes that are not zero into x, and their indices into used. Most are zero.
func unpack(from []uint8, x []float32, used []int32) []int32 {
	n, i := 0, 0
	for ; i+8 <= len(from); i += 8 {
		for w := binary.LittleEndian.Uint64(from[i:]); w != 0; {
			k := bits.TrailingZeros64(w) / 8
			x[i+k] = float32(uint8(w >> (8 * k)))
			used[n] = int32(i + k)
			n++
			w &^= 0xff << (8 * k)
		}
	}
	for ; i < len(from); i++ {
		if from[i] != 0 {
			x[i] = float32(from[i])
			used[n] = int32(i)
			n++
		}
	}
	return used[:n]
}

// nonzero lists the numbers of x that are not zero.
func nonzero(x []float32, used []int32) []int32 {
	used = used[:len(x)]
	n := 0
	for i, v := range x {
		used[n] = int32(i)
		if v != 0 {
			n++
		}
	}
	return used[:n]
}
