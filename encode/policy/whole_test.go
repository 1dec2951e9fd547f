package policy

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/privateer-rl/privateer/engine"
)

func inWholes(t testing.TB, b *Bundle) *Bundle {
	t.Helper()
	whole, err := b.InWholeNumbers()
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

func zoos(t testing.TB, name string) *Bundle {
	t.Helper()
	b, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestWholeNumbersAreNearTheNetwork(t *testing.T) {
	for _, b := range []*Bundle{
		drawn(t, "leduc", "silu", 16, 7), drawn(t, "doubloons(seats=3)", "relu", 64, 32),
		drawnEntity(t, "leduc", "silu", []int{21, 9}, 16, 7), drawnEntity(t, "doubloons(seats=4)", "relu", []int{64, 32}, 128, 64),
	} {
		const n = 40
		q, p, w := questions(t, newGame(t, b.Game), n), b.Inference(), inWholes(t, b).Inference()
		for i := range n {
			legal, rows := q.legal(b, i)
			want, got := make([]float32, len(legal)), make([]float32, len(legal))
			obs := q.obs[i*b.ObservationSize() : (i+1)*b.ObservationSize()]
			p.Scores(obs, legal, rows, want)
			w.Scores(obs, legal, rows, got)
			for k := range want {
				if d := math.Abs(float64(got[k] - want[k])); d > .02*max(1, math.Abs(float64(want[k]))) {
					t.Fatalf("%s of %s, decision %d: logit %d is %v in whole numbers, %v without", b.Network.Name, b.Game, i, k, got[k], want[k])
				}
			}
		}
	}
}

// What a layer of a compact bundle is multiplied by is whole already, but for the first layers, whose inputs have scales.
func TestWeightsOfPackedBundlesStayWhatTheyAre(t *testing.T) {
	e := inWholes(t, zoos(t, "captain-2")).net.policy.(*entity)
	for i, l := range []*layer{&e.rows[1], &e.context, &e.state, &e.embed} {
		if l.whole.narrow == nil {
			t.Fatalf("layer %d has no weights of bytes", i)
		}
		for k, want := range l.weight {
			o := k % l.out
			got := float32(l.whole.weight[k/l.out*l.whole.width+o/laid*laid+laced[o%laid]]) * l.whole.units[o]
			if math.Abs(float64(got-want)) > 1e-6*math.Abs(float64(want)) {
				t.Fatalf("layer %d, weight %d is %v; want %v", i, k, got, want)
			}
		}
	}
}

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

// What an inference read before does not show in what it computes.
func TestSumsThatFollowChangesAreThoseOfAFreshInference(t *testing.T) {
	b := inWholes(t, drawnEntity(t, "doubloons(seats=4)", "relu", []int{24, 16}, 96, 32))
	const n = 60
	q, p := questions(t, newGame(t, b.Game), n), b.Inference()
	for i := range 2 * n {
		i = i * 7 % n // there and back
		legal, rows := q.legal(b, i)
		obs := q.obs[i*b.ObservationSize() : (i+1)*b.ObservationSize()]
		got, want := make([]float32, len(legal)), make([]float32, len(legal))
		p.Scores(obs, legal, rows, got)
		b.Inference().Scores(obs, legal, rows, want)
		if !slices.Equal(got, want) {
			t.Fatalf("decision %d: logits %v after others, %v alone", i, got, want)
		}
	}
}

func TestBotInWholeNumbersIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a"+Ext)
	if err := drawnEntity(t, "leduc", "relu", []int{8}, 16).Save(path); err != nil {
		t.Fatal(err)
	}
	g := newGame(t, "leduc")
	b, err := NewBot(WholePrefix+path, g)
	if err != nil {
		t.Fatal(err)
	}
	m, r := g.NewMatch(), engine.NewRand(1)
	m.Reset(1)
	if a := b.Act(m, &r); b.Name() != WholePrefix+path || !m.Legal().Has(a) {
		t.Errorf("%s plays %d", b.Name(), a)
	}
	if err := CheckName("search(rollout="+WholePrefix+"none)", g); err != nil {
		t.Error(err)
	}
	if _, err := NewBot(WholePrefix+path+"x", g); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of a file that is not there: %v", err)
	}
}
