package infer

import "golang.org/x/sys/cpu"

// wide, wider and widest say which vectors there are; tests turn them off. What is wider is what Cascade Lake and later have, the widest what Ice
// Lake, Zen 4 and later have.
var (
	wide   = cpu.X86.HasAVX2 && cpu.X86.HasBMI1
	wider  = wide && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VNNI
	widest = wider && cpu.X86.HasBMI2 && cpu.X86.HasAVX512VBMI2
)

// addColumnsFast does as much of addColumns as it has vectors for, and returns how many numbers of out are done.
func addColumnsFast(out, weight, x []float32, used []int32) int {
	if !wide || len(used) == 0 || len(out) < 8 {
		return 0
	}
	// The assembler reads within the slices only: used is in ascending order.
	first, last := int(used[0]), int(used[len(used)-1])
	_, _, _ = x[first], x[last], weight[(last+1)*len(out)-1]
	at, stride := 0, 4*len(out)
	for ; wider && at+64 <= len(out); at += 64 {
		add64(&out[at], &weight[at], stride, &x[0], &used[0], len(used))
	}
	for ; at+32 <= len(out); at += 32 {
		add32(&out[at], &weight[at], stride, &x[0], &used[0], len(used))
	}
	for ; at+8 <= len(out); at += 8 {
		add8(&out[at], &weight[at], stride, &x[0], &used[0], len(used))
	}
	return at
}

// dotFast adds to the lanes all but a rest shorter than them, and returns where that begins.
func dotFast(w, x []float32, s *[lanes]float32) int {
	n := len(x) / lanes
	if !wide || n == 0 {
		return 0
	}
	dot8(&w[0], &x[0], n, s)
	return n * lanes
}

// reluFast makes as many numbers as it has vectors for 0 that are negative, and returns how many it has seen.
func reluFast(x []float32) int {
	n := len(x) / lanes
	if !wide || n == 0 {
		return 0
	}
	relu8(&x[0], n)
	return n * lanes
}

// addPairsFast does all of addPairs, if there are vectors for it, and reports whether it has.
func addPairsFast(sums []int32, weight []int16, in *listing) bool {
	if !wide || in.n == 0 {
		return false
	}
	width, n := len(sums), in.n/2
	// The assembler reads within the slices only: inputs are in ascending order.
	first, last := int(in.which[0]), int(in.which[in.n-1])
	_, _, _ = weight[first*width], weight[(last+1)*width-1], in.whole[in.n-1]
	if wider {
		pairs64(&sums[0], width, &weight[0], 2*width, &in.which[0], &in.whole[0], n)
		return true
	}
	for at := 0; at < width; at += laid {
		pairs32(&sums[at], &weight[at], 2*width, &in.which[0], &in.whole[0], n)
	}
	return true
}

// ontoFast does all of linear, if there are vectors for it, and reports whether it has.
func ontoFast(w *wholeLayer, in *listing, unit float32, base, out []float32, floor bool) bool {
	if !wider || len(out) != w.width {
		return false
	}
	n, width := in.n, w.width
	_, _ = base[width-1], w.units[width-1]
	if n > 0 { // inputs are in ascending order
		first, last := int(in.which[0]), int(in.which[n-1])
		_, _, _ = w.weight[first*width], w.weight[(last+1)*width-1], in.whole[n-1]
	}
	if len(w.narrow) == len(w.weight) {
		narrow64(&out[0], &base[0], &w.narrow[0], width, &in.which[0], &in.whole[0], n/2, width, &w.units[0], unit, floor)
	} else {
		onto64(&out[0], &base[0], &w.weight[0], 2*width, &in.which[0], &in.whole[0], n/2, width, &w.units[0], unit, floor)
	}
	return true
}

// poolFast does all of pool, if there are vectors for it, and reports whether it has.
func poolFast(vectors, mean, most []float32) bool {
	width := len(mean)
	if !wide || width%lanes != 0 || len(vectors) == 0 || len(vectors)%width != 0 || len(most) != width {
		return false
	}
	pool8(&vectors[0], len(vectors)/width, width, &mean[0], &most[0])
	return true
}

// broughtFast does as much of brought as it has vectors for, and returns how many numbers are done.
func broughtFast(out []float32, sums []int32, units []float32, unit float32) int {
	n := len(out) / lanes
	if !wide || n == 0 {
		return 0
	}
	_, _ = sums[n*lanes-1], units[n*lanes-1]
	brought8(&out[0], &sums[0], &units[0], unit, n)
	return n * lanes
}

// normFast does all of norm, if there are vectors for it, and reports whether it has.
func normFast(x, gain, shift []float32, eps float64, floor bool) bool {
	n := len(x) / lanes
	if !wide || n == 0 || len(x)%lanes > 0 {
		return false
	}
	_, _ = gain[len(x)-1], shift[len(x)-1]
	norm8(&x[0], &gain[0], &shift[0], n, eps, floor)
	return true
}

// changesFast lists the changes of as many bytes as there are vectors for, and returns how many those are.
func changesFast(from, before []uint8, to *listing) (done, found int) {
	if widest && len(from) > 0 {
		_, _, _ = before[len(from)-1], to.which[len(from)+beyond-1], to.whole[len(from)+beyond-1]
		return len(from), changes64(&from[0], &before[0], len(from), &to.which[0], &to.whole[0])
	}
	n := len(from) / 32
	if !wide || n == 0 {
		return 0, 0
	}
	_, _, _ = before[32*n-1], to.which[32*n+3], to.whole[32*n+3]
	return 32 * n, changes32(&from[0], &before[0], n, &to.which[0], &to.whole[0])
}

// listFast does all of round, if there are vectors for it, and reports whether it has.
func listFast(x []float32, to *listing) (found int, most float32, ok bool) {
	n := len(x) / 16
	if !widest || n == 0 || len(x)%16 > 0 {
		return 0, 0, false
	}
	_, _ = to.which[16*n+15], to.whole[16*n+15]
	found, most = list16(&x[0], n, &to.which[0], &to.whole[0])
	return found, most, true
}

// topFast is the largest of the bits of as many numbers as there are vectors for, without their signs, and how many that is.
func topFast(x []float32) (top uint32, done int) {
	n := len(x) / lanes
	if !wide || n == 0 {
		return 0, 0
	}
	var tops [lanes]uint32
	tops8(&x[0], n, &tops)
	for _, t := range tops {
		top = max(top, t)
	}
	return top, n * lanes
}

// roundFast lists as many numbers, times up and rounded, as there are vectors for, and returns how many those are.
func roundFast(x []float32, up float32, to *listing) (done, found int) {
	n := len(x) / lanes
	if !wide || n == 0 {
		return 0, 0
	}
	_, _ = to.which[lanes*n+lanes-1], to.whole[lanes*n+lanes-1]
	return lanes * n, round8(&x[0], n, up, &gathers, &to.which[0], &to.whole[0])
}

// gathers are by set of eight words where they go, byte by byte, so that those of the set lie first.
var gathers = func() (to [1 << lanes][2 * lanes]uint8) {
	for set := range to {
		n := 0
		for i := range uint8(lanes) {
			if set>>i&1 != 0 {
				to[set][n], to[set][n+1] = 2*i, 2*i+1
				n += 2
			}
		}
	}
	return to
}()

// changes32 lists which of n times 32 bytes differ, and by how much; it writes up to 3 beyond what it finds. Needs AVX2 and BMI1.
//
//go:noescape
func changes32(from, before *uint8, n int, which *uint16, by *int16) (found int)

// tops8 writes the largest bits without sign of n times 8 numbers by lane. Needs AVX2.
//
//go:noescape
func tops8(x *float32, n int, tops *[lanes]uint32)

// round8 rounds n times 8 numbers, times up, away from 0, and lists those that are not zero then; it writes up to 8 beyond
// what it finds. Needs AVX2.
//
//go:noescape
func round8(x *float32, n int, up float32, gathers *[1 << lanes][2 * lanes]uint8, which *uint16, whole *int16) (found int)

// changes64 lists which of n bytes differ, and by how much; it writes up to 32 beyond what it finds. Needs the widest.
//
//go:noescape
func changes64(from, before *uint8, n int, which *uint16, by *int16) (found int)

// list16 finds the largest of n times 16 numbers without their signs, rounds them as round8 does so that it is mostWhole, and lists those
// that are not zero then; it writes up to 16 beyond what it finds, and lists none if the largest is out of bounds. Needs the
// widest.
//
//go:noescape
func list16(x *float32, n int, which *uint16, whole *int16) (found int, most float32)

// pairs64 adds to the sums of width outputs, a multiple of 64, n pairs of inputs; stride is the bytes from a column to the next. Needs
// what is wider.
//
//go:noescape
func pairs64(sums *int32, width int, weight *int16, stride int, which *uint16, whole *int16, n int)

// onto64 writes to out what is in base and what the sums of pairs64 are, times their units, times one for all; with a floor, nothing
// below 0. Needs what is wider.
//
//go:noescape
func onto64(out, base *float32, weight *int16, stride int, which *uint16, whole *int16, n, width int, units *float32, unit float32, floor bool)

// narrow64 is onto64 for weights of wholeLayer.narrow. Needs what is wider.
//
//go:noescape
func narrow64(out, base *float32, weight *uint8, stride int, which *uint16, whole *int16, n, width int, units *float32, unit float32, floor bool)

// pool8 writes the means of n vectors of width numbers, a multiple of 8, and the largest. Needs AVX2.
//
//go:noescape
func pool8(vectors *float32, n, width int, mean, most *float32)

// pairs32 is pairs64 for 32 outputs. Needs AVX2.
//
//go:noescape
func pairs32(sums *int32, weight *int16, stride int, which *uint16, whole *int16, n int)

// brought8 adds to n times 8 numbers sums, times their units, times one for all. Needs AVX2.
//
//go:noescape
func brought8(out *float32, sums *int32, units *float32, unit float32, n int)

// norm8 is norm of n times 8 numbers. Needs AVX2.
//
//go:noescape
func norm8(x, gain, shift *float32, n int, eps float64, floor bool)

// relu8 makes n times 8 numbers 0 that are negative. Needs AVX2.
//
//go:noescape
func relu8(x *float32, n int)

// add64 adds to 64 numbers of out the columns of n used inputs; stride is the bytes from a column to the next. Needs AVX-512.
//
//go:noescape
func add64(out, weight *float32, stride int, x *float32, used *int32, n int)

// add32 is add64 for 32 numbers. Needs AVX2.
//
//go:noescape
func add32(out, weight *float32, stride int, x *float32, used *int32, n int)

// add8 is add64 for 8 numbers. Needs AVX2.
//
//go:noescape
func add8(out, weight *float32, stride int, x *float32, used *int32, n int)

// dot8 adds the products of n times 8 numbers to the lanes. Needs AVX2.
//
//go:noescape
func dot8(w, x *float32, n int, s *[lanes]float32)
