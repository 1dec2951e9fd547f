//go:build torch

package learner

import "math"

// reference is the network and PPO's loss once more, in plain Go and float64,
// written from the definitions and slow: what libtorch computes is held to it.
type reference struct {
	cfg Config
	w   map[string][]float64
}

func newReference(c Config, weights []Tensor) *reference {
	r := &reference{c.withDefaults(), map[string][]float64{}}
	for _, t := range weights {
		xs := make([]float64, len(t.Data))
		for i, x := range t.Data {
			xs[i] = float64(x)
		}
		r.w[t.Name] = xs
	}
	return r
}

func (r *reference) linear(name string, x []float64) []float64 {
	w, b := r.w[name+".weight"], r.w[name+".bias"]
	y := make([]float64, len(b))
	for i := range y {
		y[i] = b[i] + dot(w[i*len(x):(i+1)*len(x)], x)
	}
	return y
}

func (r *reference) trunk(name string, bytes []uint8, scale []float32) []float64 {
	x := make([]float64, len(bytes))
	for i, b := range bytes {
		x[i] = float64(b) * float64(scale[i])
	}
	for layer := range r.cfg.Hidden {
		prefix := name + "." + string(rune('0'+layer))
		x = r.linear(prefix+".linear", x)
		mean, variance := 0.0, 0.0
		for _, v := range x {
			mean += v / float64(len(x))
		}
		for _, v := range x {
			variance += (v - mean) * (v - mean) / float64(len(x))
		}
		for i := range x {
			x[i] = (x[i]-mean)/math.Sqrt(variance+NormEps)*r.w[prefix+".norm.weight"][i] + r.w[prefix+".norm.bias"][i]
			if r.cfg.Activation == "silu" {
				x[i] /= 1 + math.Exp(-x[i])
			} else {
				x[i] = max(x[i], 0)
			}
		}
	}
	return x
}

// forward is one row: log-probabilities, -Inf if illegal, and the value.
func (r *reference) forward(obs, critic, mask []uint8) ([]float64, float64) {
	features := r.trunk("trunk", obs, r.cfg.ObsScale)
	logits := r.linear("policy", features)
	sum := 0.0
	for i, l := range logits {
		if mask[i] == 1 {
			sum += math.Exp(l)
		}
	}
	for i := range logits {
		if mask[i] == 1 {
			logits[i] -= math.Log(sum)
		} else {
			logits[i] = math.Inf(-1)
		}
	}
	if r.cfg.CriticDim > 0 {
		features = r.trunk("critic", critic, r.cfg.CriticScale)
	}
	return logits, r.linear("value", features)[0]
}

// stats is all of Stats but GradNorm.
func (r *reference) stats(b Batch, h Hyper) Stats {
	weight := make([]float64, b.N)
	total := 0.0
	for i := range weight {
		weight[i] = 1
		if b.Weight != nil {
			weight[i] = float64(b.Weight[i])
		}
		total += weight[i]
	}
	mean, variance := 0.0, 0.0
	for i := range weight {
		weight[i] /= total
		mean += weight[i] * float64(b.Advantage[i])
	}
	for i := range weight {
		d := float64(b.Advantage[i]) - mean
		variance += weight[i] * d * d
	}
	var s Stats
	for i, w := range weight {
		c, a := r.cfg, r.cfg.NumActions
		mask := b.Mask[i*a : (i+1)*a]
		logp, value := r.forward(b.Obs[i*c.ObsDim:(i+1)*c.ObsDim], b.Critic[i*c.CriticDim:(i+1)*c.CriticDim], mask)

		adv := float64(b.Advantage[i])
		if h.NormAdv {
			adv = (adv - mean) / (math.Sqrt(variance) + 1e-8)
		}
		logRatio := logp[b.Action[i]] - float64(b.OldLogp[i])
		ratio := math.Exp(logRatio)
		s.PolicyLoss -= w * min(adv*ratio, adv*min(max(ratio, 1-h.ClipCoef), 1+h.ClipCoef))
		s.OldApproxKL -= w * logRatio
		s.ApproxKL += w * (ratio - 1 - logRatio)
		if math.Abs(ratio-1) > h.ClipCoef {
			s.ClipFrac += w
		}
		entropy, legal := 0.0, 0.0
		for j, l := range logp {
			if mask[j] == 1 {
				entropy -= math.Exp(l) * l
				legal++
			}
		}
		if legal > 1 {
			s.Entropy += w * entropy / math.Log(legal)
		}
		ret := float64(b.Return[i])
		valueError := (value - ret) * (value - ret)
		if h.ClipVLoss {
			old := float64(b.OldValue[i])
			near := old + min(max(value-old, -h.ClipCoef), h.ClipCoef) - ret
			valueError = max(valueError, near*near)
		}
		s.ValueLoss += w * valueError / 2
	}
	s.Loss = s.PolicyLoss - h.EntCoef*s.Entropy + h.VfCoef*s.ValueLoss
	return s
}

// gradient differentiates the loss numerically, parameter by parameter.
func (r *reference) gradient(b Batch, h Hyper) map[string][]float64 {
	const step = 1e-6
	g := map[string][]float64{}
	for name, w := range r.w {
		g[name] = make([]float64, len(w))
		for i, x := range w {
			w[i] = x + step
			up := r.stats(b, h).Loss
			w[i] = x - step
			g[name][i] = (up - r.stats(b, h).Loss) / (2 * step)
			w[i] = x
		}
	}
	return g
}
