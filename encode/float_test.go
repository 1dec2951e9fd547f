package encode_test

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
)

func schemas(t testing.TB, game string) []*encode.Schema {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	e, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	return []*encode.Schema{e.Schema(), e.FullSchema()}
}

func TestFloatsAreBytesTimesTheirScales(t *testing.T) {
	r := engine.NewRand(3)
	for _, game := range []string{"kuhn", "leduc", "liars_dice(seats=3)", "doubloons"} {
		for _, s := range schemas(t, game) {
			const n = 4
			src, dst := make([]uint8, n*s.Size), make([]float32, n*s.Size)
			for i := range src {
				if r.Intn(3) == 0 {
					src[i] = uint8(r.Intn(256))
				}
				dst[i] = 77 // whatever was there
			}
			if err := s.Floats(dst, src); err != nil {
				t.Fatal(err)
			}
			scales := s.Scales()
			for i, b := range src {
				if want := float32(b) * scales[i%s.Size]; dst[i] != want {
					t.Fatalf("%s, %s view, feature %d: %d is %v, want %v", game, s.View, i%s.Size, b, dst[i], want)
				}
			}
			if allocs := testing.AllocsPerRun(10, func() { _ = s.Floats(dst, src) }); allocs != 0 {
				t.Errorf("%s: %v allocations", game, allocs)
			}
		}
	}
}

func TestFloatsOfWrongShapesAreRefused(t *testing.T) {
	s := schemas(t, "leduc")[0]
	for _, sizes := range [][2]int{{s.Size, s.Size - 1}, {s.Size + 1, s.Size + 1}, {2 * s.Size, s.Size}} {
		err := s.Floats(make([]float32, sizes[0]), make([]uint8, sizes[1]))
		if err == nil || !strings.Contains(err.Error(), "want as many values as bytes") {
			t.Errorf("%d values, %d bytes: %v", sizes[0], sizes[1], err)
		}
	}
	if err := s.Floats(nil, nil); err != nil {
		t.Errorf("no observations: %v", err)
	}
}
