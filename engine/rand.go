package engine

import "math/bits"

// Rand is a small counter-based generator with independent child streams. It
// is a plain value: it is part of a match's state, copying it forks it, and
// two equal values produce the same numbers on every machine.
//
// The output function is the finaliser of SplitMix64 (Steele, Lea and Flood,
// "Fast splittable pseudorandom number generators", OOPSLA 2014) applied to
// key + counter·φ. Streams are told apart by their key, which is itself a hash
// of the parent's key and the child's index, so that child i can be made without making
// the children before it.
type Rand struct {
	Key     uint64
	Counter uint64
}

const (
	golden = 0x9e3779b97f4a7c15
	silver = 0xd1b54a32d192ed03
)

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// NewRand returns the root stream of a seed.
func NewRand(seed uint64) Rand { return Rand{Key: mix(seed + silver)} }

// At returns the i-th child stream. It neither reads nor moves the counter.
func (r Rand) At(i uint64) Rand { return Rand{Key: mix(r.Key ^ mix((i+1)*silver))} }

// Split draws a child stream and moves this one on.
func (r *Rand) Split() Rand { return Rand{Key: mix(r.Uint64() ^ silver)} }

// Uint64 returns 64 uniform bits.
func (r *Rand) Uint64() uint64 {
	r.Counter++
	return mix(r.Key + r.Counter*golden)
}

// Intn returns a uniform integer in [0, n). It is exact: a draw that would
// favour small values is thrown away (Lemire, "Fast random integer generation
// in an interval", 2019). n must be positive.
func (r *Rand) Intn(n int) int {
	if n <= 0 {
		panic("engine: Rand.Intn of a range that is not positive")
	}
	bound := uint64(n)
	hi, lo := bits.Mul64(r.Uint64(), bound)
	if lo < bound {
		threshold := -bound % bound
		for lo < threshold {
			hi, lo = bits.Mul64(r.Uint64(), bound)
		}
	}
	return int(hi)
}

// Float64 returns a uniform number in [0, 1) with 53 random bits.
func (r *Rand) Float64() float64 { return float64(float64(r.Uint64()>>11) * (1.0 / (1 << 53))) }

// DealSeed is the seed of deal k of a measurement with a seed. Evaluations of players deal by it.
//
// Environments deal from a stream of their own: so what is measured on was not trained on, whatever seeds the two were given.
func DealSeed(seed, k uint64) uint64 { return NewRand(seed).At(k).Key }

// rowStream is the child stream of a seed that rows have theirs from.
const rowStream = 0x726f77 // "row"

// RowSeed is the seed of row i of an environment that was given a seed. Environments of neighbouring seeds have no row in common.
func RowSeed(seed, i uint64) uint64 { return NewRand(seed).At(rowStream).At(i).Key }

// EpisodeSeed is the seed of episode k of a row: any episode can be replayed alone.
func EpisodeSeed(row, k uint64) uint64 { return NewRand(row).At(k).Key }
