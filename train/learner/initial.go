package learner

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
)

// InitialWeights draws the weights that New starts from. They depend only on the seed, names and shapes: they are the same on every device,
// and a parameter keeps its draw when others are added.
//
// Weight matrices are orthogonal, with gain √2 in the trunks, 1 in the value head, and the network's own in the policy, so that the first
// policy is nearly uniform. Biases are 0 and norms start as the identity.
func (c Config) InitialWeights() []Tensor {
	layout := c.Layout()
	ts := make([]Tensor, len(layout))
	for i, p := range layout {
		t := Tensor{Name: p.Name, Shape: p.Shape, Data: make([]float32, p.Size())}
		switch {
		case p.gain > 0:
			orthogonal(t, p.gain, c.Seed)
		case strings.HasSuffix(p.Name, "norm.weight"):
			for j := range t.Data {
				t.Data[j] = 1
			}
		}
		ts[i] = t
	}
	return ts
}

// orthogonal fills a matrix with rows, or columns if there are fewer, that are orthogonal and of length gain: a Gaussian draw, then
// Gram-Schmidt.
func orthogonal(t Tensor, gain float64, seed uint64) {
	h := fnv.New64a()
	h.Write([]byte(t.Name))
	rng := rand.New(rand.NewPCG(seed, h.Sum64()))

	rows, cols := t.Shape[0], t.Shape[1]
	k, n := min(rows, cols), max(rows, cols)
	basis := make([][]float64, k)
	for i := range basis {
		v := make([]float64, n)
		for j := range v {
			v[j] = rng.NormFloat64()
		}
		// The second pass removes the rounding errors of the first.
		for range 2 {
			for _, b := range basis[:i] {
				d := dot(v, b)
				for j := range v {
					v[j] -= float64(d * b[j])
				}
			}
		}
		norm := math.Sqrt(dot(v, v))
		for j := range v {
			v[j] /= norm
		}
		basis[i] = v
	}
	for r := range rows {
		for c := range cols {
			x := 0.0
			if rows <= cols {
				x = basis[r][c]
			} else {
				x = basis[c][r]
			}
			t.Data[r*cols+c] = float32(float64(gain * x))
		}
	}
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, x := range a {
		s += float64(x * b[i])
	}
	return s
}
