package main

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The samples in order are the model of their counts, whatever parts they are added up from.
func TestLengthsAreThoseOfTheSamples(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var whole counts
		var all []int
		var sum moments
		for _, part := range rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 60), 1, 30), 1, 5).Draw(rt, "parts") {
			var c counts
			for _, x := range part {
				c.add(x)
				sum.add(float64(x))
			}
			whole.merge(c)
			all = append(all, part...)
		}
		slices.Sort(all)
		at := func(p int) int { return all[(p*len(all)+99)/100-1] } // nearest rank
		want := lengths{sum.normal(), all[0], at(5), at(50), at(95), all[len(all)-1], int64(sum.sum)}
		if got := whole.lengths(); got != want {
			rt.Fatalf("%v: %+v, want %+v", all, got, want)
		}
	})
}
