package policy

// mlp scores an action of the game by weights of its own: logits = x · policy.weightᵀ + policy.bias.
type mlp struct {
	head []float32 // [A, last]
	bias []float32 // [A]
}

func newMLP(b *Bundle, w *weights, last int) *mlp {
	a := len(b.Actions)
	return &mlp{w.take("policy.weight", a, last), w.take("policy.bias", a)}
}

func (m *mlp) room(int) int { return 0 }

func (m *mlp) scores(_ *Inference, x []float32, legal []int32, _ []uint8, out []float32) {
	for i, a := range legal {
		out[i] = dot(m.head[int(a)*len(x):], x) + m.bias[a]
	}
}
