package export

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	_ "github.com/privateer-rl/privateer/engine/games"
)

// drawn is a policy for leduc with weights from a generator.
func drawn(t *testing.T, network infer.Network) *bundle.Bundle {
	t.Helper()
	return drawnFor(t, "leduc", network)
}

func drawnFor(t *testing.T, game string, network infer.Network) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Random(game, network, true, 3)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func flat(t *testing.T) *bundle.Bundle {
	return drawn(t, infer.Network{Name: infer.MLP, Hidden: []int{6, 5}, Activation: "silu", Norm: infer.LayerNorm, NormEps: 1e-5})
}

func reading(t *testing.T) *bundle.Bundle {
	return drawn(t, infer.Network{Name: infer.Entity, Hidden: []int{6}, RowHidden: []int{4}, Activation: "relu", Norm: infer.LayerNorm, NormEps: 1e-5})
}

// fields are the values of the bytes fields of a message, by number.
func fields(t *testing.T, m []byte) map[protowire.Number][][]byte {
	t.Helper()
	found := map[protowire.Number][][]byte{}
	for len(m) > 0 {
		number, kind, n := protowire.ConsumeTag(m)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		m = m[n:]
		if kind == protowire.BytesType {
			v, n := protowire.ConsumeBytes(m)
			if n < 0 {
				t.Fatal(protowire.ParseError(n))
			}
			found[number] = append(found[number], v)
		}
		if n = protowire.ConsumeFieldValue(number, kind, m); n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		m = m[n:]
	}
	return found
}

// What the operators compute is compared in serve/python/tests/test_exports.py, by ONNX Runtime.
func TestGraphNamesItsInputsAndOutputsAndComputesEachInputOfAnOperatorBeforeIt(t *testing.T) {
	for _, b := range []*bundle.Bundle{flat(t), reading(t)} {
		file, err := ONNX(b, map[string]string{"note": "x"})
		if err != nil {
			t.Fatal(err)
		}
		graph := fields(t, fields(t, file)[7][0])
		names := func(of protowire.Number) (all []string) {
			for _, m := range graph[of] {
				field := protowire.Number(1)
				if of == 5 {
					field = 8
				}
				all = append(all, string(fields(t, m)[field][0]))
			}
			return all
		}
		inputs, outputs := []string{"observation", "action_mask"}, []string{"logits", "probabilities", "value"}
		if b.ReadsActions() {
			inputs = append(inputs, "action_rows")
		}
		if got := names(11); !slices.Equal(got, inputs) {
			t.Errorf("inputs %v", got)
		}
		if got := names(12); !slices.Equal(got, outputs) {
			t.Errorf("outputs %v", got)
		}
		known := append(inputs, names(5)...)
		for _, n := range graph[1] {
			node := fields(t, n)
			for _, in := range node[1] {
				if !slices.Contains(known, string(in)) {
					t.Errorf("%s reads %s, which is not computed before it", node[4][0], in)
				}
			}
			if slices.Contains(known, string(node[2][0])) {
				t.Errorf("two things are called %s", node[2][0])
			}
			known = append(known, string(node[2][0]))
		}
		for _, out := range outputs {
			if !slices.Contains(known, out) {
				t.Errorf("nothing computes %s", out)
			}
		}
	}
}

func TestNetworkThatCannotBeWrittenIsRefusedByName(t *testing.T) {
	b := flat(t)
	b.Network.Name = "convolution"
	if _, err := ONNX(b, nil); err == nil || !strings.Contains(err.Error(), `network is "convolution"`) {
		t.Errorf("error %v", err)
	}
	if err := (&graph{bundle: b}).build(); err == nil || !strings.Contains(err.Error(), `"convolution" cannot be written as ONNX`) {
		t.Errorf("error %v", err)
	}
}

func TestArchiveHasEveryTensorAsNumPyReadsIt(t *testing.T) {
	b := reading(t)
	file, err := NPZ(Tensors(b))
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if want := len(b.Weights) + 2; len(z.File) != want {
		t.Fatalf("%d files; want %d", len(z.File), want)
	}
	for i, w := range Tensors(b) {
		r, err := z.File[i].Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		length := int(binary.LittleEndian.Uint16(data[8:]))
		header := string(data[10 : 10+length])
		shape := "(" + strings.Join(strings.Fields(strings.Trim(fmt.Sprint(w.Shape), "[]")), ", ")
		if z.File[i].Name != w.Name+".npy" || (10+length)%64 != 0 || !strings.HasSuffix(header, "\n") || !strings.Contains(header, shape) || !bytes.Equal(data[10+length:], w.Data) {
			t.Errorf("%s: header %q, %d bytes", z.File[i].Name, header, len(data))
		}
	}
}

func TestGoldenDecisionsAreWhatThePolicyComputes(t *testing.T) {
	for _, b := range []*bundle.Bundle{flat(t), reading(t)} {
		g, err := Play(b, 30)
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Decisions) != 30 {
			t.Fatalf("%d decisions", len(g.Decisions))
		}
		for i, d := range g.Decisions {
			sum, best := 0.0, 0
			for k, p := range d.Probabilities {
				sum += float64(p)
				if p > d.Probabilities[best] {
					best = k
				}
			}
			if len(d.Logits) != len(d.Legal) || len(d.Values) != 1 || len(d.Observation) != b.ObservationSize() || b.ReadsActions() != (len(d.ActionRows) == len(d.Legal)) || math.Abs(sum-1) > 1e-6 || d.Greedy != d.Legal[best] {
				t.Errorf("decision %d: %+v", i, d)
			}
		}
	}
}

// The game string that a bundle names may ask for advice that its network does not read, and the other way round.
func TestGoldenDecisionsHaveTheRowsThatTheNetworkReads(t *testing.T) {
	for _, games := range [][2]string{{"doubloons(seats=2)", "doubloons(seats=2,advice=foresight)"}, {"doubloons(seats=2,advice=foresight)", "doubloons(seats=2)"}} {
		b := drawnFor(t, games[0], infer.Network{Name: infer.Entity, Hidden: []int{6}, RowHidden: []int{4}, Activation: "relu", Norm: infer.LayerNorm, NormEps: 1e-5})
		want, err := Play(b, 20)
		if err != nil {
			t.Fatal(err)
		}
		b.Game = games[1]
		got, err := Play(b, 20)
		if err != nil {
			t.Fatal(err)
		}
		if got.Game = want.Game; !reflect.DeepEqual(got, want) {
			t.Errorf("with the rows of %s and the game %s other decisions come out", games[0], games[1])
		}
	}
}

func TestGoldenDecisionsThatAreNoNumbersAreRefusedByName(t *testing.T) {
	b := flat(t)
	b.Golden = bundle.Golden{}
	for i, w := range b.Weights {
		b.Weights[i] = infer.NewTensor(w.Name, w.Shape, slices.Repeat([]float32{3e38}, len(w.Data)/4))
	}
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	if _, err := Play(b, 3); err == nil || !strings.Contains(err.Error(), "golden decision 0: the network computes") {
		t.Errorf("error %v", err)
	}
}

func TestManifestSaysWhatAReaderMustKnow(t *testing.T) {
	for format, want := range map[string]string{"onnx": `"opset": 17`, "numpy": "the reader multiplies each byte", "bundle": `"seats": 2`} {
		m, err := Describe(reading(t), format)
		if err != nil {
			t.Fatal(err)
		}
		text, err := m.JSON()
		if err != nil || !strings.Contains(string(text), want) || !strings.Contains(string(text), `"action_rows"`) {
			t.Errorf("%s: %s, error %v", format, text, err)
		}
	}
}
