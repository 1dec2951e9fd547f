// Package learnertest has a learner for tests of training.
package learnertest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/train/learner"
)

// Linear is a learner without libtorch for the tests of everything around it: a softmax over linear logits, a linear value, plain
// gradient steps on PPO's clipped loss.
type Linear struct {
	cfg    learner.Config
	w      []float32 // [actions+1, obs+1]; the last row is the value's, the last column the bias
	closed bool
}

// Open counts the learners that are not closed.
var Open atomic.Int64

func New(cfg learner.Config) (learner.Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	l := &Linear{cfg: cfg, w: make([]float32, (cfg.NumActions+1)*(cfg.ObsDim+1))}
	r := engine.NewRand(cfg.Seed)
	for i := range l.w {
		l.w[i] = float32(r.Float64()-0.5) * 0.02
	}
	Open.Add(1)
	return l, nil
}

func (l *Linear) dot(out int, obs []uint8) float64 {
	w := l.w[out*(l.cfg.ObsDim+1):]
	sum := float64(w[l.cfg.ObsDim])
	for i, x := range obs {
		if x != 0 {
			sum += float64(w[i]) * float64(x) * float64(l.cfg.ObsScale[i])
		}
	}
	return sum
}

func (l *Linear) step(out int, obs []uint8, by float64) {
	w := l.w[out*(l.cfg.ObsDim+1):]
	w[l.cfg.ObsDim] += float32(by)
	for i, x := range obs {
		if x != 0 {
			w[i] += float32(by * float64(x) * float64(l.cfg.ObsScale[i]))
		}
	}
}

func (l *Linear) row(obs, mask []uint8, logp []float32) {
	most, sum := math.Inf(-1), 0.0
	for a, legal := range mask {
		logp[a] = learner.IllegalLogp
		if legal != 0 {
			logp[a] = float32(l.dot(a, obs))
			most = math.Max(most, float64(logp[a]))
		}
	}
	for a, legal := range mask {
		if legal != 0 {
			sum += math.Exp(float64(logp[a]) - most)
		}
	}
	for a, legal := range mask {
		if legal != 0 {
			logp[a] -= float32(most + math.Log(sum))
		}
	}
}

// learn takes a step of the value towards its target, and returns the square of its error.
func (l *Linear) learn(obs []uint8, target float32, rate float64) float64 {
	e := float64(target) - l.dot(l.cfg.NumActions, obs)
	l.step(l.cfg.NumActions, obs, rate*e)
	return e * e
}

func (l *Linear) Forward(in learner.Decisions, logp, values []float32) error {
	n, d, a := in.N, l.cfg.ObsDim, l.cfg.NumActions
	if len(in.Obs) != n*d || logp != nil && (len(in.Mask) != n*a || len(logp) != n*a) || values != nil && (len(values) != n || len(in.Critic) != n*l.cfg.CriticDim) {
		return errors.New("linear: wrong lengths")
	}
	if l.cfg.RowDim > 0 && logp != nil && (len(in.Offsets) != n+1 || len(in.Rows) != int(in.Offsets[n])*l.cfg.RowDim) {
		return errors.New("linear: wrong rows of actions")
	}
	for i := range n {
		obs := in.Obs[i*d : (i+1)*d]
		if logp != nil {
			l.row(obs, in.Mask[i*a:(i+1)*a], logp[i*a:(i+1)*a])
		}
		if values != nil {
			values[i] = float32(l.dot(a, obs))
		}
	}
	return nil
}

func (l *Linear) Imitate(b learner.ImitationBatch, h learner.Hyper) (learner.ImitationStats, error) {
	d, a := l.cfg.ObsDim, l.cfg.NumActions
	if b.N < 1 || len(b.Obs) != b.N*d || len(b.Mask) != b.N*a || len(b.Offsets) != b.N+1 || len(b.Target) != int(b.Offsets[b.N]) || len(b.Return) != b.N {
		return learner.ImitationStats{}, errors.New("linear: wrong lengths")
	}
	var s learner.ImitationStats
	logp := make([]float32, a)
	rate := 400 * h.LR / float64(b.N)
	for i := range b.N {
		obs, mask := b.Obs[i*d:(i+1)*d], b.Mask[i*a:(i+1)*a]
		l.row(obs, mask, logp)
		k := b.Offsets[i]
		for act, legal := range mask {
			if legal == 0 {
				continue
			}
			p, q := float64(b.Target[k]), math.Exp(float64(logp[act]))
			k++
			if h.Squared {
				off := p - float64(logp[act]) - apart(b.Target[b.Offsets[i]:b.Offsets[i+1]], logp, mask)
				s.Divergence += off * off / 2 / float64(b.N)
				l.step(act, obs, rate*off)
				continue
			}
			if p > 0 {
				s.Divergence += p * (math.Log(p) - float64(logp[act])) / float64(b.N)
			}
			l.step(act, obs, rate*(p-q))
		}
		s.ValueLoss += l.learn(obs, b.Return[i], rate*h.VfCoef) / float64(b.N)
	}
	return s, nil
}

// apart is by how much targets are above log-probabilities of the legal actions on average.
func apart(targets, logp []float32, mask []uint8) float64 {
	sum, k := 0.0, 0
	for act, legal := range mask {
		if legal != 0 {
			sum += float64(targets[k] - logp[act])
			k++
		}
	}
	return sum / float64(k)
}

func (l *Linear) Update(b learner.Batch, h learner.Hyper) (learner.Stats, error) {
	d, a := l.cfg.ObsDim, l.cfg.NumActions
	if b.N < 1 || len(b.Obs) != b.N*d || len(b.Mask) != b.N*a || len(b.Critic) != b.N*l.cfg.CriticDim || len(b.Action) != b.N {
		return learner.Stats{}, errors.New("linear: wrong lengths")
	}
	var s learner.Stats
	logp := make([]float32, a)
	rate := 400 * h.LR / float64(b.N)
	for i := range b.N {
		obs, mask := b.Obs[i*d:(i+1)*d], b.Mask[i*a:(i+1)*a]
		l.row(obs, mask, logp)
		if mask[b.Action[i]] == 0 {
			return s, errors.New("linear: an illegal action was stored")
		}
		change := float64(logp[b.Action[i]] - b.OldLogp[i])
		ratio, adv := math.Exp(change), float64(b.Advantage[i])
		s.OldApproxKL -= change / float64(b.N)
		s.ApproxKL += (ratio - 1 - change) / float64(b.N)
		s.PolicyLoss -= ratio * adv / float64(b.N)
		equal := float32(-portable.Log(float64(bytes.Count(mask, []byte{1}))))
		clipped := adv > 0 && ratio > 1+h.ClipCoef || adv < 0 && ratio < 1-h.ClipCoef
		for act, legal := range mask {
			if legal == 0 {
				continue
			}
			p := math.Exp(float64(logp[act]))
			s.Entropy -= p * float64(logp[act]) / float64(b.N)
			g := 0.0
			if int32(act) == b.Action[i] {
				g = 1
			}
			if h.MagnetCoef > 0 {
				s.MagnetKL += p * float64(logp[act]-equal) / float64(b.N)
			}
			if !clipped && !h.CriticOnly {
				l.step(act, obs, rate*adv*ratio*(g-p))
			}
		}
		s.ValueLoss += l.learn(obs, b.Return[i], rate*h.VfCoef) / float64(b.N)
	}
	return s, nil
}

// Weights names the value's row as the real networks do.
func (l *Linear) Weights() ([]learner.Tensor, error) {
	d, a := l.cfg.ObsDim, l.cfg.NumActions
	value := slices.Clone(l.w[a*(d+1):])
	return []learner.Tensor{
		{Name: "w", Shape: []int{a, d + 1}, Data: slices.Clone(l.w[:a*(d+1)])},
		{Name: "value.weight", Shape: []int{1, d}, Data: value[:d]}, {Name: "value.bias", Shape: []int{1}, Data: value[d:]},
	}, nil
}

func (l *Linear) SetWeights(t []learner.Tensor) error {
	l.w = slices.Concat(t[0].Data, t[1].Data, t[2].Data)
	return nil
}

func (l *Linear) Save(w io.Writer) error { return binary.Write(w, binary.LittleEndian, l.w) }

func (l *Linear) Load(r io.Reader) error {
	all, err := io.ReadAll(r)
	if err != nil || len(all) != 4*len(l.w) {
		return errors.New("linear: the state of another network")
	}
	return binary.Read(bytes.NewReader(all), binary.LittleEndian, l.w)
}

func (l *Linear) TorchTime() time.Duration { return 0 }

func (l *Linear) Close() {
	if !l.closed {
		l.closed = true
		Open.Add(-1)
	}
}
