package infer

// outputs is a linear layer that is computed output by output: x · weightᵀ + bias.
type outputs struct {
	weight []float32 // [outputs, last]
	bias   []float32 // [outputs]
}

func (h *outputs) one(x []float32, k int) float32 { return dot(h.weight[k*len(x):], x) + h.bias[k] }

func (h *outputs) all(x, out []float32) {
	for k := range h.bias {
		out[k] = h.one(x, k)
	}
}

// mlp scores an action of the game by weights of its own: logits = x · policy.weightᵀ + policy.bias.
type mlp struct{ outputs }

func newMLP(m *Model, w *weights, last int) *mlp {
	return &mlp{outputs{w.take("policy.weight", m.Actions, last), w.take("policy.bias", m.Actions)}}
}

func (m *mlp) room(int) int { return 0 }

func (m *mlp) scores(_ *Inference, x []float32, legal []int32, _ []uint8, out []float32) {
	for i, a := range legal {
		out[i] = m.one(x, int(a))
	}
}
