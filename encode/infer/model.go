package infer

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Model is a network with its weights, and the bytes that it reads.
type Model struct {
	Network
	Weights          []Tensor
	Observation, Row []Slice // of an observation, [D], and of a row that describes an action, [F]; no rows unless the network reads them
	Actions          int     // A, of the game
}

// Slice is a group of the observation: bytes that belong together. A byte times Scale is what the network reads.
type Slice struct {
	Name   string  `msgpack:"name" json:"name"`
	Offset int     `msgpack:"offset" json:"offset"`
	Size   int     `msgpack:"size" json:"size"`
	Scale  float32 `msgpack:"scale" json:"scale"`
}

// Size is the number of bytes of groups, which lie side by side.
func Size(groups []Slice) int {
	if len(groups) == 0 {
		return 0
	}
	last := groups[len(groups)-1]
	return last.Offset + last.Size
}

// Network describes the computation. The observation x, scaled, goes through one
// layer for each entry of Hidden, with the tensors of index I
//
//	x = activation(norm(x · trunk.I.linear.weightᵀ + trunk.I.linear.bias))
//	norm(x) = (x - mean(x)) / sqrt(variance(x) + NormEps) · trunk.I.norm.weight + trunk.I.norm.bias
//
// where the variance is the mean of squares. With Norm none, norm(x) is x, and there are no tensors of it.
// The network mlp then has a logit for every action of the game:
//
//	logits = x · policy.weightᵀ + policy.bias
//
// The network entity reads a row for each legal action, scaled. It goes through one layer for each entry of RowHidden
//
//	e = activation(e · rows.I.weightᵀ + rows.I.bias)
//
// and its logit, with the mean and the largest of each number of all these e of the decision, is
//
//	q = x · query.weightᵀ + query.bias + [mean, largest] · context.weightᵀ
//	logit = activation(e · embed.weightᵀ + q) · score.weightᵀ + e · (x · direct.weightᵀ)
//
// A bundle with a value head also says what the seat can still expect to earn, in the rewards of its training:
//
//	value = x · value.weightᵀ + value.bias
type Network struct {
	Name       string  `msgpack:"name" json:"name"` // MLP or Entity
	Hidden     []int   `msgpack:"hidden" json:"hidden"`
	RowHidden  []int   `msgpack:"row_hidden" json:"row_hidden"`
	Activation string  `msgpack:"activation" json:"activation"` // "relu", "silu", x·sigmoid(x), or "tanh"
	Norm       string  `msgpack:"norm" json:"norm"`             // LayerNorm or NoNorm
	NormEps    float64 `msgpack:"norm_eps" json:"norm_eps"`     // not read if there is no norm
}

// Activations and norms after the linear part of a layer of the trunk.
const (
	LayerNorm = "layer"
	NoNorm    = "none"
)

// The networks by name, as in the configuration of a training.
const (
	MLP    = "mlp"    // a score for every action of the game
	Entity = "entity" // scores legal actions by rows that say what they do
)

// The largest network that is accepted.
const (
	MostWidth  = 1 << 16 // of a layer, an observation, the actions
	MostLayers = 64
)

// activations are those that Network.Activation may name.
var activations = map[string]func(x []float32){"relu": relu, "silu": silu, "tanh": tanh}

// Check says what is wrong with a network.
func (n *Network) Check() error {
	if activations[n.Activation] == nil {
		return fmt.Errorf("activation is %q: want relu, silu or tanh", n.Activation)
	}
	if n.Norm != LayerNorm && n.Norm != NoNorm {
		return fmt.Errorf("norm is %q: want %s or %s", n.Norm, LayerNorm, NoNorm)
	}
	if n.Norm == LayerNorm && !(n.NormEps > 0 && n.NormEps < 1) {
		return fmt.Errorf("norm_eps is %v: want a small positive number", n.NormEps)
	}
	if n.Name != MLP && n.Name != Entity {
		return fmt.Errorf("network is %q: want %s or %s", n.Name, MLP, Entity)
	}
	if err := checkWidths("hidden", n.Hidden, 1); err != nil {
		return err
	}
	least := 0
	if n.Name == Entity {
		least = 1
	}
	return checkWidths("row", n.RowHidden, least)
}

// checkWidths checks the number of layers and their widths.
func checkWidths(kind string, widths []int, least int) error {
	if len(widths) < least || len(widths) > MostLayers {
		return fmt.Errorf("%d %s layers: want %d to %d", len(widths), kind, least, MostLayers)
	}
	for i, h := range widths {
		if h < 1 || h > MostWidth {
			return fmt.Errorf("%s layer %d has %d units: want 1 to %d", kind, i, h, MostWidth)
		}
	}
	return nil
}

// Tensor is a named array of float32, row-major and little-endian.
type Tensor struct {
	Name  string    `msgpack:"name"`
	Shape []int     `msgpack:"shape"`
	Data  []byte    `msgpack:"data"`
	Scale []float32 `msgpack:"scale,omitempty"` // in files of rounded weights alone: data is int8, and this by row what it is multiplied with
}

// floats are the numbers of a tensor that must have that shape.
func (t *Tensor) floats(shape []int) ([]float32, error) {
	size := 1
	for _, n := range shape {
		size *= n // each is at most MostWidth, and there are two
	}
	if !slices.Equal(t.Shape, shape) || len(t.Data) != 4*size {
		return nil, fmt.Errorf("shape %v with %d bytes: want %v with %d", t.Shape, len(t.Data), shape, 4*size)
	}
	out := make([]float32, size)
	for i := range out {
		x := math.Float32frombits(binary.LittleEndian.Uint32(t.Data[4*i:]))
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return nil, fmt.Errorf("number %d is %v", i, x)
		}
		out[i] = x
	}
	return out, nil
}

// NewTensor makes a tensor of numbers.
func NewTensor(name string, shape []int, data []float32) Tensor {
	t := Tensor{Name: name, Shape: slices.Clone(shape), Data: make([]byte, 0, 4*len(data))}
	for _, x := range data {
		t.Data = binary.LittleEndian.AppendUint32(t.Data, math.Float32bits(x))
	}
	return t
}

// Floats are the tensor's numbers.
func (t *Tensor) Floats() ([]float32, error) { return t.floats(t.Shape) }
