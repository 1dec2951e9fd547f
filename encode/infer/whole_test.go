package infer

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The largest inputs of all, with weights that all have the same sign and size or that only one of has any.
func TestSumsOfWholeNumbersDoNotOverflow(t *testing.T) {
	for _, in := range []int{1, 2, 61, 2000} {
		for _, one := range []bool{false, true} {
			l := layer{in: in, out: 3, weight: make([]float32, 3*in)}
			for i := range in {
				if i == 0 || !one {
					l.weight[3*i], l.weight[3*i+1] = 0.7, -1e-3
				}
			}
			l.inWholes(mostWhole, 0)
			all := newListing(in)
			for i := range in {
				all.which[i], all.whole[i] = uint16(i), mostWhole
			}
			all.end(in)
			out := make([]float32, 3)
			l.whole.linear(&all, 1, make([]int32, block), out, out, false)
			n := float64(in)
			if one {
				n = 1
			}
			for k, w := range []float64{0.7, -1e-3, 0} {
				if want := n * mostWhole * w; math.Abs(float64(out[k])-want) > 1e-3*math.Abs(want) {
					t.Errorf("%d inputs: the sum is %v; want %v", in, out[k], want)
				}
			}
		}
	}
}

// Whatever the vectors: what is listed is what is there.
func TestListsAreTheInputsThatAreNotZero(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		byteOf := rapid.SampledFrom([]uint8{0, 0, 0, 1, 2, 255})
		bytes := rapid.SliceOfN(byteOf, 1, 200).Draw(t, "bytes")
		before := rapid.SliceOfN(byteOf, len(bytes), len(bytes)).Draw(t, "before")
		numbers := rapid.SliceOfN(rapid.Float32Range(-2, 2), 1, 200).Draw(t, "numbers")
		l := newListing(200)
		ascending := func() {
			if which := l.which[:l.n]; !slices.IsSorted(which) || l.n%2 > 0 {
				t.Fatalf("%v are not pairs in ascending order", which)
			}
		}
		l.changes(bytes, before)
		ascending()
		got := make([]int, len(bytes))
		for i, b := range before {
			got[i] = int(b)
		}
		for k, i := range l.which[:l.n] {
			got[i] += int(l.whole[k])
		}
		for i, b := range bytes {
			if got[i] != int(b) {
				t.Fatalf("bytes %v after %v are listed as %v", bytes, before, got)
			}
		}
		unit := l.round(numbers)
		ascending()
		back := make([]float64, len(numbers))
		for k, i := range l.which[:l.n] {
			back[i] += float64(unit) * float64(l.whole[k])
		}
		for i, x := range numbers {
			if math.Abs(back[i]-float64(x)) > .51*float64(unit)+1e-29 {
				t.Fatalf("number %d, %v, is listed as %v, in units of %v", i, x, back[i], unit)
			}
		}
	})
}

// What a layer of a compact bundle is multiplied by is whole already, except in the first layers, whose inputs have scales.
func TestWeightsOfPackedLayersStayWhatTheyAre(t *testing.T) {
	const levels, in, out = 31, 70, 100
	l := layer{in: in, out: out, weight: make([]float32, in*out)}
	for i := range l.weight {
		l.weight[i] = float32(i*i%(2*levels+1)-levels) * (1 + float32(i%out)/7) / 8
	}
	for o := range out {
		l.weight[o] = levels * (1 + float32(o)/7) / 8
	}
	l.inWholes(mostWhole, levels)
	if l.whole.narrow == nil {
		t.Fatal("the layer has no weights of bytes")
	}
	for k, want := range l.weight {
		o := k % out
		got := float32(l.whole.weight[k/out*l.whole.width+o/laid*laid+laced[o%laid]]) * l.whole.units[o]
		if math.Abs(float64(got-want)) > 1e-6*math.Abs(float64(want)) {
			t.Fatalf("weight %d is %v; want %v", k, got, want)
		}
	}
}
