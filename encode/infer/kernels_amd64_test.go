package infer

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// withVectors runs f with each kind of vectors that this machine has, after it was run with none.
func withVectors(f func()) {
	kinds, has := [...]*bool{&wide, &wider, &widest}, [...]bool{wide, wider, widest}
	defer func() { wide, wider, widest = has[0], has[1], has[2] }()
	wide, wider, widest = false, false, false
	f()
	for i, kind := range kinds {
		if *kind = has[i]; has[i] {
			f()
		}
	}
}

func bitsOf(x []float32) []uint32 {
	out := make([]uint32, len(x))
	for i, v := range x {
		out[i] = math.Float32bits(v)
	}
	return out
}

func TestVectorsComputeTheBitsThatGoComputes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, inputs := rapid.IntRange(1, 200).Draw(t, "outputs"), rapid.IntRange(1, 40).Draw(t, "inputs")
		number := rapid.Float32Range(-3, 3)
		floats := func(n int, name string) []float32 { return rapid.SliceOfN(number, n, n).Draw(t, name) }
		x, bias := floats(inputs, "x"), floats(n, "bias")
		// The weights are many: they follow from few.
		weight := make([]float32, 3+2*n*inputs)
		for i := range weight {
			weight[i] = float32(math.Sin(float64(i)+float64(x[0]))) * bias[i%n]
		}
		used := nonzero(x, make([]int32, inputs))
		var sums, products [][]uint32
		withVectors(func() {
			out := slices.Clone(bias)
			addColumns(out, weight, x, used)
			both := slices.Concat(out, []float32{0, float32(math.Copysign(0, -1)), -1}, out)
			relu(both)
			floor := n%2 == 0
			norm(both[:len(both)/lanes*lanes], weight, both, 1e-5, floor)
			norm(both, weight, both, 1e-5, floor)
			sums = append(sums, bitsOf(both))
			sums = append(sums, bitsOf(out))
			products = append(products, bitsOf([]float32{dot(weight, bias), dot(weight, bias[:n/2])}))
		})
		for i := range products {
			if !slices.Equal(sums[2*i], sums[0]) || !slices.Equal(sums[2*i+1], sums[1]) || !slices.Equal(products[i], products[0]) {
				t.Fatalf("vectors of kind %d compute %v and %v, Go %v and %v", i, sums[i], products[i], sums[0], products[0])
			}
		}
	})
}

func TestVectorsListAndAddUpWholeNumbersAsGoDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, outputs := rapid.IntRange(1, 300).Draw(t, "inputs"), rapid.SampledFrom([]int{1, 7, 64, 100, 128, 192, 256, 320}).Draw(t, "outputs")
		byteOf := rapid.SampledFrom([]uint8{0, 0, 0, 1, 255})
		from, before := rapid.SliceOfN(byteOf, n, n).Draw(t, "bytes"), rapid.SliceOfN(byteOf, n, n).Draw(t, "before")
		l := layer{in: n, out: outputs, weight: make([]float32, n*outputs)}
		levels, floor := rapid.SampledFrom([]int{0, 31, math.MaxInt8}).Draw(t, "levels"), rapid.Bool().Draw(t, "floor")
		for i := range l.weight {
			l.weight[i] = float32(math.Sin(float64(i)))
			if levels > 0 {
				l.weight[i] = float32(math.Round(float64(l.weight[i]) * float64(levels)))
			}
			if i < outputs {
				l.weight[i] = float32(max(levels, 1) * (1 - 2*(i%2)))
			}
			l.weight[i] *= 1 + float32(i%outputs)
		}
		l.inWholes(mostWhole, levels)
		if (l.whole.narrow != nil) != (levels > 0) {
			t.Fatalf("weights of %d levels are kept as %d bytes", levels, len(l.whole.narrow))
		}
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(from[i]) - float32(i%5)*float32(before[i])/3
		}
		rows := rapid.IntRange(1, n).Draw(t, "rows")
		width := n / rows
		var first []uint32
		withVectors(func() {
			list, sums := newListing(n), make([]int32, l.whole.width)
			all := []uint32{}
			take := func() {
				for k, i := range list.which[:list.n] {
					all = append(all, uint32(i)<<16|uint32(uint16(list.whole[k])))
				}
			}
			base, out := make([]float32, outputs), make([]float32, outputs)
			for o := range base {
				base[o] = x[o%n]
			}
			list.changes(from, before)
			take()
			l.whole.linear(&list, 1, sums, base, out, floor)
			unit := list.round(x)
			take()
			l.whole.linear(&list, unit, sums, out, out, floor)
			clear(sums)
			addPairs(sums, l.whole.weight, &list)
			brought(out, sums, l.whole.units, unit)
			common := make([]float32, 2*width)
			pool(x[:rows*width], common)
			all = append(append(all, bitsOf(out)...), bitsOf(common)...)
			if first == nil {
				first = all
			}
			if !slices.Equal(all, first) {
				t.Fatalf("vectors compute %v, Go %v", all, first)
			}
		})
	})
}

func TestLengthsThatDoNotFitAreCaughtBeforeTheAssembler(t *testing.T) {
	out, weight, x := make([]float32, 64), make([]float32, 64*3), make([]float32, 3)
	for name, f := range map[string]func(){
		"an input that is not there":       func() { addColumns(out, weight, x, []int32{3}) },
		"a column that is cut short":       func() { addColumns(out, weight[:64*3-1], x, []int32{0, 1, 2, 2}) },
		"a shorter vector":                 func() { dot(weight[:8], out) },
		"an input of a negative rank":      func() { addColumns(out, weight, x, []int32{-1, 2}) },
		"a pair that is not there":         func() { addPairs(make([]int32, 64), make([]int16, 64*3), &listing{[]uint16{0, 3}, []int16{1, 1}, 2}) },
		"a whole number that is not there": func() { addPairs(make([]int32, 64), make([]int16, 64*3), &listing{[]uint16{0, 2}, []int16{1}, 2}) },
		"an observation that is cut short": func() {
			l := newListing(64)
			l.changes(make([]uint8, 64), make([]uint8, 63))
		},
		"sums that are cut short": func() { brought(out, make([]int32, 60), out, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
