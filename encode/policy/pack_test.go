package policy

import (
	"bytes"
	"compress/flate"
	"errors"
	"slices"
	"strings"
	"testing"
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
		b.Weights[i] = NewTensor(w.Name, w.Shape, make([]float32, len(w.Data)/4))
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

func TestPrunedBundlesPlayTheSameWhereTheyWereTrained(t *testing.T) {
	for name, b := range map[string]*Bundle{"mlp": drawn(t, "leduc", "relu", 16), "entity": drawnEntity(t, "leduc", "relu", []int{8}, 16)} {
		before := slices.Clone(b.Golden.Logits)
		left, of, err := b.Prune([]string{b.Game}, 50)
		if err != nil {
			t.Fatal(err)
		}
		if left == 0 || left >= of {
			t.Errorf("%s: %d inputs of %d are left", name, left, of)
		}
		if !slices.Equal(b.Golden.Logits, before) {
			t.Errorf("%s: the golden logits changed", name)
		}
	}
}

// What only one of several games of a training shows is not taken from the network.
func TestPrunedBundlesPlayTheSameInAllGamesOfTheirTraining(t *testing.T) {
	const board, island = "doubloons(seats=2)", "doubloons(modules=alternate_island,seats=2)"
	there := func(games ...string) []float32 {
		b := drawnEntity(t, board, "relu", []int{8}, 16)
		if len(games) > 0 {
			if _, _, err := b.Prune(games, 20); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.MakeGolden(newGame(t, island), 8); err != nil {
			t.Fatal(err)
		}
		return b.Golden.Logits
	}
	whole := there()
	if !slices.Equal(there(board, island), whole) {
		t.Error("pruned by matches of both boards, it plays otherwise on the island")
	}
	if slices.Equal(there(board), whole) {
		t.Error("pruned by matches of one board, it plays the same on the other: want a test that tells them apart")
	}
}

func TestPackedFilesThatDoNotFitAreRefused(t *testing.T) {
	b := drawn(t, "kuhn", "relu", 3)
	if err := b.Quantise(31); err != nil {
		t.Fatal(err)
	}
	for naming, bend := range map[string]func(w *Tensor){
		"and 4 scales":    func(w *Tensor) { w.Scale = append(w.Scale, 1) },
		"and 1 scales":    func(w *Tensor) { w.Scale = w.Scale[:1] },
		"have the shape":  func(w *Tensor) { w.Data = w.Data[1:] },
		"the shape [3 0]": func(w *Tensor) { w.Shape = []int{3, 0} },
		"want at most 2":  func(w *Tensor) { w.Shape = []int{3, 1, 2} },
	} {
		small, err := b.pack()
		if err != nil {
			t.Fatal(err)
		}
		bend(&small.Weights[0])
		payload, err := small.payload()
		if err != nil {
			t.Fatal(err)
		}
		content, err := deflated(payload)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(frame(content, packed)); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), naming) {
			t.Errorf("want %q, have %v", naming, err)
		}
	}
	if _, err := Decode(frame([]byte("no deflate"), packed)); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "cannot be unpacked") {
		t.Errorf("error %v", err)
	}
	bomb, err := deflatedAt(flate.BestCompression, make([]byte, 4<<20))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(frame(bomb, packed)); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "more than 16 times") {
		t.Errorf("error %v", err)
	}
}
