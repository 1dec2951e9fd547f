package bundle

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/privateer-rl/privateer/encode/infer"
)

func TestMisfitsAreRefusedWithTheDifference(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Bundle)
		game   string
		want   string
	}{
		{"other game", func(*Bundle) {}, "kuhn", "it plays leduc, not kuhn"},
		{"group moved", func(b *Bundle) { b.Observation[1].Name = "self.hat" }, "leduc", "self.hat"},
		{"group more", func(b *Bundle) {
			b.Observation = append(b.Observation, infer.Slice{Name: "more", Offset: b.ObservationSize(), Size: 2, Scale: 1})
		}, "leduc", "continues with more"},
		{"group less", func(b *Bundle) { b.Observation = b.Observation[:len(b.Observation)-1] }, "leduc", "lacks"},
		{"action", func(b *Bundle) { b.Actions[2] = "go all in" }, "leduc", `action 2 is "go all in"`},
		{"actions less", func(b *Bundle) { b.Actions = b.Actions[:2] }, "leduc", "lacks action 2"},
		{"range", func(*Bundle) {}, "leduc", "largest values"},
	} {
		b := drawn(t, "leduc", "relu", 4)
		if c.name != "other game" {
			b.Schema = "00000000000000"
		}
		c.change(b)
		_, err := b.Encoder(newGame(t, c.game))
		if !errors.Is(err, ErrMisfit) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v; want %q in it", c.name, err, c.want)
		}
	}
}

func TestBundleSurvivesTheFile(t *testing.T) {
	b := drawn(t, "leduc", "silu", 6, 5)
	b.Provenance = Provenance{Program: "v1", Checkpoint: "best.ckpt", Iteration: 3, Steps: 400, Config: "game: leduc\n"}
	b.Evaluation = []Evaluation{{Game: "leduc", Bot: "random", Matches: 10, EqualShare: 0.5, WinRate: [3]float64{0.6, 0.5, 0.7}}}
	path := filepath.Join(t.TempDir(), "x"+Ext)
	if err := b.Save(path); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	one, err1 := b.Encode()
	two, err2 := got.Encode()
	if err := errors.Join(err1, err2); err != nil || !bytes.Equal(one, two) {
		t.Errorf("the bundle read is another one (%v)", err)
	}
	if !Begins(path) || Begins(path+"x") {
		t.Error("Begins is wrong")
	}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	whole, err := drawn(t, "kuhn", "relu", 3).Encode()
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) {
		if _, err := Decode(whole[:n]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut to %d bytes: error %v", n, err)
		}
	}
	for i := range whole {
		bent := bytes.Clone(whole)
		bent[i] ^= 0x10
		if _, err := Decode(bent); err == nil {
			t.Fatalf("with byte %d altered it is read", i)
		}
	}
	if _, err := Decode(append(bytes.Clone(whole), 0)); !errors.Is(err, ErrDamaged) {
		t.Errorf("with a byte more: error %v", err)
	}
	for _, other := range []uint32{0, version + 1} {
		want := fmt.Sprintf("format %d: this program reads format 1: export the run again", other)
		if _, err := Decode(frame(whole[head:len(whole)-4], other)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("of another version: error %v", err)
		}
	}
	if _, err := Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: error %v", err)
	}
}

// Writers of other programs may write nil for what is empty, as FORMAT.md says, and errors name a number of the wrong kind.
func TestContentOfOtherWritersIsReadOrRefusedByName(t *testing.T) {
	b := drawn(t, "kuhn", "relu", 3)
	file, err := b.Encode()
	if err != nil {
		t.Fatal(err)
	}
	payload, err := inflated(file[head : len(file)-4])
	if err != nil {
		t.Fatal(err)
	}
	var content map[string]any
	if err := msgpack.Unmarshal(payload, &content); err != nil {
		t.Fatal(err)
	}
	within := func(field string) map[string]any { return content[field].(map[string]any) }
	read := func() error {
		other, err := msgpack.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		if other, err = deflated(other); err != nil {
			t.Fatal(err)
		}
		_, err = Decode(frame(other, version))
		return err
	}
	for _, field := range []string{"golden", "provenance", "evaluation", "row", "row_schema"} {
		content[field] = nil
	}
	if err := read(); err != nil {
		t.Errorf("with nil for what is empty: %v", err)
	}
	content["observation"].([]any)[0].(map[string]any)["scale"] = float64(1)
	if err := read(); err == nil || !strings.Contains(err.Error(), "scale has a float64: want a float32") {
		t.Errorf("a scale of 8 bytes: %v", err)
	}
	content["observation"].([]any)[0].(map[string]any)["scale"] = float32(1)
	within("network")["hidden"] = []float32{3}
	if err := read(); err == nil || !strings.Contains(err.Error(), "hidden has a float: want an integer") {
		t.Errorf("a width that is a float: %v", err)
	}
}

// Content that has a correct checksum and makes no sense.
func TestSenselessBundlesAreRefusedByName(t *testing.T) {
	for want, change := range map[string]func(*Bundle){
		"choice":                   func(b *Bundle) { b.Choice = "guess" },
		"activation":               func(b *Bundle) { b.Network.Activation = "gelu" },
		"norm is":                  func(b *Bundle) { b.Network.Norm = "batch" },
		"norm_eps":                 func(b *Bundle) { b.Network.NormEps = math.NaN() },
		"0 hidden layers":          func(b *Bundle) { b.Network.Hidden = nil },
		"network is":               func(b *Bundle) { b.Network.Name = "convolution" },
		"hidden layer 0":           func(b *Bundle) { b.Network.Hidden[0] = -1 },
		"observation group 1":      func(b *Bundle) { b.Observation[1].Offset++ },
		"observation is empty":     func(b *Bundle) { b.Observation = nil },
		"0 actions":                func(b *Bundle) { b.Actions = nil },
		"5 tensors":                func(b *Bundle) { b.Weights = b.Weights[1:] },
		"trunk.0.norm.bias are":    func(b *Bundle) { b.Weights[3].Name = "trunk.0.norm.bios" },
		"policy.weight: shape":     func(b *Bundle) { b.Weights[4].Shape[0]++ },
		"trunk.0.linear.bias: num": func(b *Bundle) { copy(b.Weights[1].Data, []byte{0, 0, 0xc0, 0x7f}) },
		"golden observations":      func(b *Bundle) { b.Golden.Observation = b.Golden.Observation[1:] },
		"golden values of":         func(b *Bundle) { b.Golden.Values = []float32{1} },
		"value.weight are missing": func(b *Bundle) { b.Weights = append(b.Weights, infer.NewTensor("value.bias", []int{1}, []float32{0})) },
		"golden decision 1":        func(b *Bundle) { b.Golden.Logits[len(b.Actions)] += 0.1 },
		`game is "kuhn\x1b[2J"`:    func(b *Bundle) { b.Game += "\x1b[2J" },
		`name is "kuhn\n"`:         func(b *Bundle) { b.Name += "\n" },
		`action 1 is "bet\r"`:      func(b *Bundle) { b.Actions[1] = "bet\r" },
		`"\u009b" of the observ`:   func(b *Bundle) { b.Observation[0].Name = "\u009b" },
		`evaluation 0 is of "a\t"`: func(b *Bundle) { b.Evaluation = []Evaluation{{Game: "kuhn", Bot: "a\t"}} },
		"evaluation 0 against b":   func(b *Bundle) { b.Evaluation = []Evaluation{{Bot: "b", Return: [3]float64{0, math.NaN()}}} },
	} {
		b := drawn(t, "kuhn", "relu", 3)
		change(b)
		if err := b.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %q in it", err, want)
		}
	}
}

func TestSenselessBundlesThatReadActionsAreRefusedByName(t *testing.T) {
	for want, change := range map[string]func(*Bundle){
		"0 row layers":              func(b *Bundle) { b.Network.RowHidden = nil },
		"row layer 1 has 0":         func(b *Bundle) { b.Network.RowHidden[1] = 0 },
		"row group 0":               func(b *Bundle) { b.Row[0].Scale = 0 },
		"rows of actions with 0":    func(b *Bundle) { b.Row = nil },
		"\"mlp\" has rows":          func(b *Bundle) { b.Network.Name = infer.MLP },
		"rows.1.bias are missing":   func(b *Bundle) { b.Weights[7].Name = "x" },
		"embed.weight: shape":       func(b *Bundle) { b.Weights[12].Shape[0]++ },
		"of rows for":               func(b *Bundle) { b.Golden.Rows = b.Golden.Rows[1:] },
		"has 0 legal actions":       func(b *Bundle) { b.Golden.Counts[0] = 0 },
		"golden decision 0: the lo": func(b *Bundle) { b.Golden.Logits[1] -= 0.1 },
	} {
		b := drawnEntity(t, "leduc", "relu", []int{4, 3}, 5)
		change(b)
		if err := b.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %q in it", err, want)
		}
	}
}

// allocated is how many bytes f asks for, all in all.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// mostMemory is what decoding n bytes may ask for: a list is made twice over, and the weights are
// kept in three orders.
func mostMemory(n int) uint64 { return uint64(48*n + 1<<20) }

// An element of a list takes a byte in the file and a hundred in memory.
func TestSmallFileDoesNotAskForMuchMemory(t *testing.T) {
	list := func(field string, n int, element ...byte) []byte {
		b := append([]byte{0x81, 0xa0 | byte(len(field))}, field...)
		b = binary.BigEndian.AppendUint32(append(b, 0xdd), uint32(n))
		return append(b, bytes.Repeat(element, n)...)
	}
	within := func(field string, inner []byte) []byte {
		return append(append([]byte{0x81, 0xa0 | byte(len(field))}, field...), inner...)
	}
	const million = 1 << 20
	for name, payload := range map[string][]byte{
		"evaluations of nothing":   list("evaluation", million, 0x80),
		"some evaluations":         list("evaluation", 1<<10, 0x80),
		"groups of nothing":        list("observation", million, 0x80),
		"65,536 groups of nothing": list("observation", 1<<16, 0x80),
		"nameless actions":         list("actions", million, 0xa0),
		"tensors of nothing":       list("weights", million, 0x80),
		"hidden layers":            within("network", list("hidden", million, 1)),
		"axes":                     within("weights", append([]byte{0x91}, list("shape", million, 1)...)),
		"logits":                   within("golden", list("logits", million, 1)),
		"lists in a list":          list("actions", million, 0x90),
		"fields again and again":   append([]byte{0xde, 0x40, 0}, bytes.Repeat(list("evaluation", 1<<10, 0x80)[1:], 1<<14)...),
	} {
		whole := frame(payload, version)
		var err error
		if n := allocated(func() { _, err = Decode(whole) }); n > mostMemory(len(whole)) || err == nil {
			t.Errorf("%s: %d bytes for a file of %d, error %v", name, n, len(whole), err)
		} else if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Whatever it reads, the decoder returns a bundle that plays, or an error.
func FuzzDecode(f *testing.F) {
	add := func(file []byte) {
		payload, err := inflated(file[head : len(file)-4])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(payload)
	}
	for _, activation := range []string{"relu", "silu"} {
		whole, err := drawn(f, "kuhn", activation, 3).Encode()
		if err != nil {
			f.Fatal(err)
		}
		add(whole)
	}
	bare, err := drawnBare(f, "kuhn", "tanh", 3).Encode()
	if err != nil {
		f.Fatal(err)
	}
	add(bare)
	whole, err := drawnEntity(f, "kuhn", "relu", []int{2}, 3).Encode()
	if err != nil {
		f.Fatal(err)
	}
	add(whole)
	f.Add(append([]byte("\x81\xaaevaluation\xdc\x04\x00"), bytes.Repeat([]byte{0x80}, 1<<10)...))
	f.Add(append([]byte("\x81\xa7actions\xdc\x04\x00"), bytes.Repeat([]byte{0xa0}, 1<<10)...))
	g := newGame(f, "kuhn")
	f.Fuzz(func(t *testing.T, payload []byte) {
		if _, err := Decode(payload); err == nil {
			t.Error("content without a frame is read")
		}
		// The checksum and what is deflated would keep the fuzzer from the content.
		var b *Bundle
		content, err := deflated(payload)
		if err != nil {
			t.Fatal(err)
		}
		whole := frame(content, version)
		if n := allocated(func() { b, err = Decode(whole) }); n > mostMemory(len(whole)) {
			t.Errorf("%d bytes are asked for a file of %d", n, len(whole))
		}
		if err != nil {
			return
		}
		if _, err := b.Encoder(g); err == nil {
			out := make([]float32, 1)
			b.Inference(1).Scores(make([]uint8, b.ObservationSize()), []int32{0}, make([]uint8, b.RowSize()), out)
			b.Inference(1).Values(make([]uint8, b.ObservationSize()), make([]float32, b.Values()))
		}
	})
}
