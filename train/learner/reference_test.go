//go:build torch

package learner

import (
	"bytes"
	"math"
)

// reference is the network and PPO's loss once more, in plain Go and float64,
// written from the definitions and slow: libtorch's results are compared with it.
type reference struct {
	cfg Config
	w   map[string][]float64
}

func newReference(c Config, weights []Tensor) *reference {
	r := &reference{cfg: c.withDefaults(), w: map[string][]float64{}}
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
	y := make([]float64, len(w)/len(x))
	for i := range y {
		y[i] = dot(w[i*len(x):(i+1)*len(x)], x)
		if b != nil {
			y[i] += b[i]
		}
	}
	return y
}

func (r *reference) relu(x []float64) {
	for i := range x {
		x[i] = max(x[i], 0)
	}
}

// entity scores the legal actions by their rows.
func (r *reference) entity(features []float64, rows []uint8) []float64 {
	var all [][]float64
	width := r.cfg.RowHidden[len(r.cfg.RowHidden)-1]
	both := make([]float64, 2*width) // mean, largest
	for i := range both[width:] {
		both[width+i] = math.Inf(-1)
	}
	for ; len(rows) > 0; rows = rows[r.cfg.RowDim:] {
		e := make([]float64, r.cfg.RowDim)
		for i := range e {
			e[i] = float64(rows[i]) * float64(r.cfg.RowScale[i])
		}
		for layer := range r.cfg.RowHidden {
			e = r.linear("rows."+string(rune('0'+layer)), e)
			r.relu(e)
		}
		all = append(all, e)
		for i, x := range e {
			both[i] += x
			both[width+i] = max(both[width+i], x)
		}
	}
	for i := range width {
		both[i] /= float64(len(all))
	}
	query, direct := r.linear("query", features), r.linear("direct", features)
	for i, x := range r.linear("context", both) {
		query[i] += x
	}
	scores := make([]float64, len(all))
	for k, e := range all {
		met := r.linear("embed", e)
		for i := range met {
			met[i] += query[i]
		}
		r.relu(met)
		scores[k] = r.linear("score", met)[0] + dot(direct, e)
	}
	return scores
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
		}
		r.relu(x)
	}
	return x
}

// scores are those of the actions of a row; of those that are not legal they say nothing.
func (r *reference) scores(features []float64, d Decisions, row int) []float64 {
	c := r.cfg
	if c.Network != "entity" {
		return r.linear("policy", features)
	}
	scores := r.entity(features, d.Rows[int(d.Offsets[row])*c.RowDim:int(d.Offsets[row+1])*c.RowDim])
	all := make([]float64, c.NumActions)
	for i, legal := range d.Mask[row*c.NumActions : (row+1)*c.NumActions] {
		if legal == 1 {
			all[i], scores = scores[0], scores[1:]
		}
	}
	return all
}

// forward is one row: log-probabilities, -Inf if illegal, and the value.
func (r *reference) forward(d Decisions, row int) (logits []float64, value float64) {
	c := r.cfg
	obs, critic := d.Obs[row*c.ObsDim:(row+1)*c.ObsDim], d.Critic[row*c.CriticDim:(row+1)*c.CriticDim]
	mask := d.Mask[row*c.NumActions : (row+1)*c.NumActions]
	features := r.trunk("trunk", obs, c.ObsScale)
	logits = r.scores(features, d, row)
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
	w, mean, variance := 1/float64(b.N), 0.0, 0.0
	for _, x := range b.Advantage {
		mean += w * float64(x)
	}
	for _, x := range b.Advantage {
		d := float64(x) - mean
		variance += w * d * d
	}
	var s Stats
	for i := range b.N {
		a := r.cfg.NumActions
		mask := b.Mask[i*a : (i+1)*a]
		logp, value := r.forward(b.Decisions, i)

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
		entropy, legal := 0.0, float64(bytes.Count(mask, []byte{1}))
		for j, l := range logp {
			if mask[j] == 1 {
				if h.MagnetCoef > 0 {
					s.MagnetKL += w * math.Exp(l) * (l + math.Log(legal))
				}
				entropy -= math.Exp(l) * l
			}
		}
		if legal > 1 {
			s.Entropy += w * entropy / math.Log(legal)
		}
		s.ValueLoss += w * (value - float64(b.Return[i])) * (value - float64(b.Return[i])) / 2
	}
	s.Loss = s.PolicyLoss + h.MagnetCoef*s.MagnetKL - h.EntCoef*s.Entropy + h.VfCoef*s.ValueLoss
	return s
}

// imitation is all of ImitationStats but GradNorm.
func (r *reference) imitation(l ImitationBatch, h Hyper) (s ImitationStats) {
	for i := range l.N {
		logp, value := r.forward(l.Decisions, i)
		w := 1 / float64(l.N)
		k := l.Offsets[i]
		mean := 0.0 // of what the network's log-probabilities are above the target's
		for j, at := 0, k; h.Squared && j < len(logp); j++ {
			if !math.IsInf(logp[j], -1) {
				mean += (logp[j] - float64(l.Target[at])) / float64(l.Offsets[i+1]-k)
				at++
			}
		}
		for _, x := range logp {
			if math.IsInf(x, -1) {
				continue
			}
			p := float64(l.Target[k])
			k++
			s.Entropy -= w * math.Exp(x) * x
			if h.Squared {
				s.Divergence += w * (x - p - mean) * (x - p - mean) / 2
			} else if p > 0 {
				s.Divergence += w * p * (math.Log(p) - x)
			}
		}
		s.ValueLoss += w * (value - float64(l.Return[i])) * (value - float64(l.Return[i])) / 2
	}
	s.Loss = s.Divergence + h.VfCoef*s.ValueLoss
	return s
}

// gradient differentiates a loss numerically, parameter by parameter.
func (r *reference) gradient(loss func() float64) map[string][]float64 {
	const step = 1e-6
	g := map[string][]float64{}
	for name, w := range r.w {
		g[name] = make([]float64, len(w))
		for i, x := range w {
			w[i] = x + step
			up := loss()
			w[i] = x - step
			g[name][i] = (up - loss()) / (2 * step)
			w[i] = x
		}
	}
	return g
}
