package engine_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// The first values of SplitMix64 for the seeds 0 and 1234567, as published with its reference
// implementation and on Rosetta Code: the same on every machine.
func TestRandIsSplitMix64(t *testing.T) {
	for key, want := range map[uint64][]uint64{
		0:       {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f},
		1234567: {6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821},
	} {
		r := engine.Rand{Key: key}
		for i, w := range want {
			if got := r.Uint64(); got != w {
				t.Errorf("key %d, value %d: %#x, want %#x", key, i, got, w)
			}
		}
	}
}

// Stored matches and runs depend on these: they may not change.
func TestRandStreamsAreStable(t *testing.T) {
	root := engine.NewRand(7)
	split := root
	got := []uint64{
		root.Key, root.At(0).Key, root.At(1).Key, root.At(1 << 40).Key, split.Split().Key, split.Counter,
		engine.DealSeed(7, 0), engine.DealSeed(7, 1), engine.EpisodeSeed(engine.RowSeed(7, 0), 1),
	}
	want := []uint64{
		0xba3ca2a68a57c9a4, 0x24503d3e81b9506b, 0xe3caf81489813c03, 0x80c2f392365ce25, 0x77fb90b525d2222a, 1,
		0x24503d3e81b9506b, 0xe3caf81489813c03, 0xaba421a16eac19b8,
	}
	if !slices.Equal(got, want) {
		t.Errorf("streams of seed 7: %#x, want %#x", got, want)
	}
	if root.Counter != 0 {
		t.Error("At moves the counter")
	}
}

func TestWhatIsMeasuredOnIsNoEpisodeOfAnyEnvironment(t *testing.T) {
	const seeds, many = 8, 64
	deals, rows := map[uint64]bool{}, map[uint64]bool{}
	for seed := range uint64(seeds) {
		for i := range uint64(many) {
			deals[engine.DealSeed(seed, i)] = true
			rows[engine.RowSeed(seed, i)] = true
		}
	}
	if len(rows) != seeds*many {
		t.Errorf("%d rows of %d: seeds share some", len(rows), seeds*many)
	}
	for row := range rows {
		for k := range uint64(many) {
			if deals[engine.EpisodeSeed(row, k)] {
				t.Fatalf("episode %d of row %#x is a deal", k, row)
			}
		}
	}
}

func TestRandIsAValueThatForks(t *testing.T) {
	a := engine.NewRand(3)
	a.Uint64()
	b := a
	if a.Uint64() != b.Uint64() || a != b {
		t.Error("a copy draws other numbers")
	}
	b.Uint64()
	if a == b {
		t.Error("drawing from a copy moves the original")
	}
}

// Streams that are parent and child, siblings, or of neighbouring seeds share no
// values and agree in half of their bits.
func TestRandStreamsAreIndependent(t *testing.T) {
	parent := engine.NewRand(1)
	drawn := parent
	streams := []engine.Rand{parent, parent.At(0), parent.At(1), parent.At(0).At(0), engine.NewRand(2), drawn.Split(), drawn.Split()}
	const n = 4096
	values := make([][]uint64, len(streams))
	seen := map[uint64]bool{}
	for i, r := range streams {
		for range n {
			values[i] = append(values[i], r.Uint64())
			seen[values[i][len(values[i])-1]] = true
		}
	}
	if len(seen) != n*len(streams) {
		t.Errorf("%d values of %d are met twice", n*len(streams)-len(seen), n*len(streams))
	}
	for i := range streams {
		for j := range i {
			equal := 0
			for k := range n {
				equal += bits.OnesCount64(^(values[i][k] ^ values[j][k]))
			}
			if sigma := math.Sqrt(64*n) / 2; math.Abs(float64(equal)-32*n) > 5*sigma {
				t.Errorf("streams %d and %d agree in %d of %d bits", i, j, equal, 64*n)
			}
		}
	}
}

func TestIntnIsUniform(t *testing.T) {
	r := engine.NewRand(11)
	for _, n := range []int{1, 2, 3, 6, 7, 26, 100} {
		draws := 1000 * n
		count := make([]int, n)
		for range draws {
			count[r.Intn(n)]++
		}
		var chi float64
		for _, c := range count {
			chi += float64(c-1000) * float64(c-1000) / 1000
		}
		if df := float64(n - 1); chi > df+5*math.Sqrt(2*df)+1 {
			t.Errorf("Intn(%d): chi-squared %.1f with %d degrees of freedom: %v", n, chi, n-1, count)
		}
	}
	// Three quarters of a range that is no power of two would show a careless remainder.
	const most = math.MaxInt / 4 * 3
	low := 0
	for range 10000 {
		if r.Intn(most) < most/3 {
			low++
		}
	}
	if low < 3100 || low > 3570 {
		t.Errorf("a third of a large range is drawn %d times in 10000", low)
	}
}

func TestIntnOfNothingPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Intn(0) gives a number")
		}
	}()
	r := engine.NewRand(1)
	r.Intn(0)
}

func TestFloat64IsUniformBelowOne(t *testing.T) {
	r := engine.NewRand(5)
	var sum, squares float64
	const n = 100000
	for range n {
		f := r.Float64()
		if f < 0 || f >= 1 {
			t.Fatalf("Float64 gives %v", f)
		}
		sum += f
		squares += f * f
	}
	if mean := sum / n; math.Abs(mean-.5) > .005 {
		t.Errorf("the mean is %v", mean)
	}
	if second := squares / n; math.Abs(second-1./3) > .005 {
		t.Errorf("the mean square is %v", second)
	}
}
