package export

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
)

// The version of ONNX's operators that graphs use, and of the format around them.
const (
	Opset     = 17 // the first that has LayerNormalization
	irVersion = 8
)

// Masked is the logit of an action that is not legal: the lowest float32, so that sums and differences stay finite.
const Masked = -math.MaxFloat32

// ONNX writes a policy as an ONNX model. Its inputs are, for any number N of decisions,
//
//	observation  uint8 [N, D]
//	action_mask  uint8 [N, A]  not 0 if the action is legal
//	action_rows  uint8 [T, F]  only if the network reads what actions do: a row for each legal action, in ascending
//	                           order of actions, decision after decision; T is the number of legal actions of all
//	                           decisions
//
// and its outputs
//
//	logits         float32 [N, A]  Masked where the mask is 0
//	probabilities  float32 [N, A]  their softmax, exactly 0 where the mask is 0
//	value          float32 [N, V]  only if the bundle tells values
//
// Scales and the mask are part of the graph.
func ONNX(b *bundle.Bundle, metadata map[string]string) ([]byte, error) {
	if err := b.Check(); err != nil {
		return nil, fmt.Errorf("export onnx: %w", err)
	}
	g := &graph{bundle: b}
	if err := g.build(); err != nil {
		return nil, fmt.Errorf("export onnx: %w", err)
	}
	return g.model(metadata), nil
}

// build writes the nodes of the whole computation.
func (g *graph) build() error {
	b := g.bundle
	for _, t := range b.Weights {
		g.floats(t.Name, t.Data, t.Shape...)
	}
	g.input("observation", b.ObservationSize())
	g.input("action_mask", len(b.Actions))
	g.initial("masked", Masked)
	g.initial("zero", 0)
	g.floats("observation_scale", scales(b.Observation), b.ObservationSize())
	g.node("Cast", []string{"observation"}, "observation_float", intOf("to", elemFloat))
	g.node("Mul", []string{"observation_float", "observation_scale"}, "scaled")
	g.node("Cast", []string{"action_mask"}, "legal", intOf("to", elemBool))

	x := "scaled"
	for i := range b.Network.Hidden {
		x = g.layer(fmt.Sprintf("trunk.%d.", i), x)
	}
	var scored string
	switch b.Network.Name {
	case infer.MLP:
		scored = g.linear("policy", x, "policy.weight", "policy.bias")
	case infer.Entity:
		scored = g.entity(x)
	default:
		return fmt.Errorf("the network %q cannot be written as ONNX: want %s or %s", b.Network.Name, infer.MLP, infer.Entity)
	}
	g.node("Where", []string{"legal", scored, "masked"}, "logits")
	g.node("Softmax", []string{"logits"}, "softmax", intOf("axis", 1))
	g.node("Where", []string{"legal", "softmax", "zero"}, "probabilities")
	g.output("logits", len(b.Actions))
	g.output("probabilities", len(b.Actions))
	if v := b.Values(); v > 0 {
		g.node("Gemm", []string{x, "value.weight", "value.bias"}, "value", intOf("transB", 1))
		g.output("value", v)
	}
	return nil
}

// layer is one of the trunk.
func (g *graph) layer(prefix, x string) string {
	y := g.linear(prefix+"linear", x, prefix+"linear.weight", prefix+"linear.bias")
	if g.bundle.Network.Norm == infer.LayerNorm {
		g.node("LayerNormalization", []string{y, prefix + "norm.weight", prefix + "norm.bias"}, prefix+"norm",
			intOf("axis", -1), floatOf("epsilon", float32(g.bundle.Network.NormEps)))
		y = prefix + "norm"
	}
	return g.activation(prefix+"out", y)
}

// linear is x · weightᵀ + bias; bias "" is none.
func (g *graph) linear(name, x, weight, bias string) string {
	in := []string{x, weight}
	if bias != "" {
		in = append(in, bias)
	}
	g.node("Gemm", in, name, intOf("transB", 1))
	return name
}

func (g *graph) activation(name, x string) string {
	switch g.bundle.Network.Activation {
	case "silu":
		g.node("Sigmoid", []string{x}, name+".sigmoid")
		g.node("Mul", []string{x, name + ".sigmoid"}, name)
	case "tanh":
		g.node("Tanh", []string{x}, name)
	default:
		g.node("Relu", []string{x}, name)
	}
	return name
}

// entity is the part that reads the rows: it computes one embedding for each legal action, lays these out by decision and
// action to find what they have in common, and the scores in the end.
func (g *graph) entity(x string) string {
	b := g.bundle
	f, e := b.RowSize(), b.Network.RowHidden[len(b.Network.RowHidden)-1]
	g.inputs = append(g.inputs, info("action_rows", elemUint8, dimension{param: "T"}, dimension{value: f}))
	g.floats("row_scale", scales(b.Row), f)
	g.node("Cast", []string{"action_rows"}, "rows_float", intOf("to", elemFloat))
	g.node("Mul", []string{"rows_float", "row_scale"}, "rows_scaled")
	rows := "rows_scaled"
	for i := range b.Network.RowHidden {
		prefix := fmt.Sprintf("rows.%d.", i)
		rows = g.activation(prefix+"out", g.linear(prefix+"linear", rows, prefix+"weight", prefix+"bias"))
	}

	// Which decision and which action each row is of.
	g.node("NonZero", []string{"legal"}, "at")
	g.node("Transpose", []string{"at"}, "places", intsOf("perm", 1, 0))
	g.ints("first", nil, 0)
	g.node("Gather", []string{"at", "first"}, "decision", intOf("axis", 0))
	g.node("Shape", []string{"action_mask"}, "decisions_actions")
	g.ints("embedding_size", []int{1}, int64(e))
	g.node("Concat", []string{"decisions_actions", "embedding_size"}, "laid_out", intOf("axis", 0))
	g.ints("axis", []int{1}, 1)

	g.node("ConstantOfShape", []string{"laid_out"}, "nothing", valueOf("value", 0))
	g.node("ScatterND", []string{"nothing", "places", rows}, "embedded")
	g.node("ReduceSum", []string{"embedded", "axis"}, "sum", intOf("keepdims", 0))
	g.node("Cast", []string{"legal"}, "counted", intOf("to", elemFloat))
	g.node("ReduceSum", []string{"counted", "axis"}, "legal_actions", intOf("keepdims", 1))
	g.initial("one", 1)
	g.node("Max", []string{"legal_actions", "one"}, "at_least_one")
	g.node("Div", []string{"sum", "at_least_one"}, "mean")
	g.node("ConstantOfShape", []string{"laid_out"}, "lowest", valueOf("value", Masked))
	g.node("ScatterND", []string{"lowest", "places", rows}, "embedded_or_lowest")
	g.node("ReduceMax", []string{"embedded_or_lowest"}, "largest", intsOf("axes", 1), intOf("keepdims", 0))
	g.node("Concat", []string{"mean", "largest"}, "common", intOf("axis", 1))

	g.linear("query", x, "query.weight", "query.bias")
	g.linear("context", "common", "context.weight", "")
	g.node("Add", []string{"query", "context"}, "asked")
	g.linear("direct", x, "direct.weight", "")
	g.node("Gather", []string{"asked", "decision"}, "asked_of_row", intOf("axis", 0))
	g.node("Gather", []string{"direct", "decision"}, "direct_of_row", intOf("axis", 0))
	g.linear("embed", rows, "embed.weight", "")
	g.node("Add", []string{"embed", "asked_of_row"}, "met")
	g.linear("score", g.activation("met.out", "met"), "score.weight", "")
	g.node("Mul", []string{rows, "direct_of_row"}, "weighed")
	g.node("ReduceSum", []string{"weighed", "axis"}, "direct_score", intOf("keepdims", 1))
	g.node("Add", []string{"score", "direct_score"}, "score_of_row")
	g.node("Squeeze", []string{"score_of_row", "axis"}, "scores")
	g.node("ConstantOfShape", []string{"decisions_actions"}, "unscored", valueOf("value", 0))
	g.node("ScatterND", []string{"unscored", "places", "scores"}, "scored")
	return "scored"
}

// scales are those of every byte, as float32 in little-endian.
func scales(groups []infer.Slice) (data []byte) {
	for _, s := range groups {
		one := binary.LittleEndian.AppendUint32(nil, math.Float32bits(s.Scale))
		data = append(data, slices.Repeat(one, s.Size)...)
	}
	return data
}
