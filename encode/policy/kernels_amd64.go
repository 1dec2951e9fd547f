package policy

import "golang.org/x/sys/cpu"

// wide and wider say which vectors there are; tests turn them off.
var (
	wide  = cpu.X86.HasAVX2
	wider = cpu.X86.HasAVX512F
)

// addColumnsFast does as much of addColumns as it has vectors for, and returns how many numbers of out are done.
func addColumnsFast(out, weight, x []float32, used []int32) int {
	if !wide || len(used) == 0 || len(out) < 8 {
		return 0
	}
	// What the assembler reads lies within the slices: used is in ascending order.
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
