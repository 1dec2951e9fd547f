package compare

import (
	"math/bits"
	"slices"

	"github.com/privateer-rl/privateer/engine"
)

// sides says which seats of a table side A has, a bit each; side B has the others.
type sides uint32

func (s sides) has(seat int) bool { return s>>seat&1 != 0 }

// alone is one seat of A, or of B, against all others, in every seat.
func alone(seats int, a bool) []sides {
	var all []sides
	for i := range seats {
		one := sides(1) << i
		if !a {
			one ^= 1<<seats - 1
		}
		all = append(all, one)
	}
	return all
}

// mixed are the evenly mixed seatings of a deal: half of the seats are A's or, of an odd number, once the smaller
// half and once the larger. Up to six seats they are all of them. Beyond, if there are too many for a deal, they
// are one that is drawn for the deal, its rotations, and the same with the sides changed over.
// Each side has each seat equally often in both.
func mixed(seats int, r engine.Rand) []sides {
	var all []sides
	full := sides(1)<<seats - 1
	if seats <= 6 {
		for s := range full + 1 {
			if k := bits.OnesCount32(uint32(s)); k == seats/2 || k == seats-seats/2 {
				all = append(all, s)
			}
		}
		return all
	}
	drawn, left := sides(0), seats/2
	for i := range seats { // selection sampling: each set of seats/2 is as likely as any other
		if r.Intn(seats-i) < left {
			drawn |= 1 << i
			left--
		}
	}
	for range seats {
		all = append(all, drawn, full^drawn)
		drawn = (drawn<<1 | drawn>>(seats-1)) & full
	}
	slices.Sort(all)
	return slices.Compact(all)
}
