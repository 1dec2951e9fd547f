package bundle

import (
	"bytes"
	"compress/flate"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/infer"
)

func TestQuantisedBundlesAreSmallAndPlayAlmostWhatTheyPlayed(t *testing.T) {
	for name, b := range map[string]*Bundle{
		"mlp":    drawn(t, "leduc", "relu", 64, 64),
		"entity": drawnEntity(t, "leduc", "relu", []int{32}, 64),
		"bare":   drawnBare(t, "leduc", "tanh", 64),
	} {
		whole, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		before := slices.Clone(b.Golden.Logits)
		if err := b.Quantise(MostLevels); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, x := range b.Golden.Logits {
			if d := x - before[i]; d > 0.1 || d < -0.1 {
				t.Errorf("%s: golden logit %d was %v and is %v", name, i, before[i], x)
			}
		}
		small, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if len(small) > len(whole)/2 {
			t.Errorf("%s: %d bytes of %d", name, len(small), len(whole))
		}
		read, err := Decode(small)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !slices.Equal(read.Golden.Logits, b.Golden.Logits) {
			t.Errorf("%s: the file has other golden logits", name)
		}
		for i, w := range read.Weights {
			if !bytes.Equal(w.Data, b.Weights[i].Data) {
				t.Errorf("%s: the weights %s come out different", name, w.Name)
			}
		}
		if again, err := read.Encode(); err != nil || !bytes.Equal(again, small) {
			t.Errorf("%s: written again the file differs: %v", name, err)
		}
	}
}

// Weights that are all alike take next to no room when they are deflated, and a reader refuses what grows too much.
func TestWhatIsWrittenCanBeRead(t *testing.T) {
	b := drawn(t, "leduc", "relu", 512, 512)
	for i, w := range b.Weights {
		b.Weights[i] = infer.NewTensor(w.Name, w.Shape, make([]float32, len(w.Data)/4))
	}
	if err := b.MakeGolden(newGame(t, "leduc"), 8); err != nil {
		t.Fatal(err)
	}
	if err := b.Quantise(31); err != nil {
		t.Fatal(err)
	}
	data, err := b.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(data); err != nil {
		t.Errorf("%d bytes: %v", len(data), err)
	}
}

func TestQuantiseRefusesLevelsThatNoByteHas(t *testing.T) {
	for _, levels := range []int{0, -1, 128} {
		if err := drawn(t, "kuhn", "relu", 3).Quantise(levels); err == nil || !strings.Contains(err.Error(), "want 1 to 127") {
			t.Errorf("%d levels: error %v", levels, err)
		}
	}
}

func TestPackedFilesThatDoNotFitAreRefused(t *testing.T) {
	b := drawn(t, "kuhn", "relu", 3)
	if err := b.Quantise(31); err != nil {
		t.Fatal(err)
	}
	for naming, bend := range map[string]func(w *infer.Tensor){
		"and 4 scales":    func(w *infer.Tensor) { w.Scale = append(w.Scale, 1) },
		"and 1 scales":    func(w *infer.Tensor) { w.Scale = w.Scale[:1] },
		"have the shape":  func(w *infer.Tensor) { w.Data = w.Data[1:] },
		"the shape [3 0]": func(w *infer.Tensor) { w.Shape = []int{3, 0} },
		"want at most 2":  func(w *infer.Tensor) { w.Shape = []int{3, 1, 2} },
	} {
		small, err := b.pack()
		if err != nil {
			t.Fatal(err)
		}
		bend(&small.Weights[0])
		file, err := small.file()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(file); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), naming) {
			t.Errorf("want %q, have %v", naming, err)
		}
	}
	if _, err := Decode(frame([]byte("no deflate"), version)); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "cannot be unpacked") {
		t.Errorf("error %v", err)
	}
	bomb, err := deflatedAt(flate.BestCompression, make([]byte, 4<<20))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(frame(bomb, version)); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "more than 16 times") {
		t.Errorf("error %v", err)
	}
}
