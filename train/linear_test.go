package train

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/learner"
)

// linear is a learner without libtorch for the tests of everything around it: a
// softmax over linear logits, a linear value, plain gradient steps on PPO's
// clipped loss.
type linear struct {
	cfg    learner.Config
	w      []float32 // [actions+values, obs+1]; the last rows are the values', the last column the bias
	closed bool
}

// openLearners counts those not closed.
var openLearners atomic.Int64

func newLinear(cfg learner.Config) (learner.Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	l := &linear{cfg: cfg, w: make([]float32, (cfg.NumActions+max(cfg.Values, 1))*(cfg.ObsDim+1))}
	r := engine.NewRand(cfg.Seed)
	for i := range l.w {
		l.w[i] = float32(r.Float64()-0.5) * 0.02
	}
	openLearners.Add(1)
	return l, nil
}

func (l *linear) dot(out int, obs []uint8) float64 {
	w := l.w[out*(l.cfg.ObsDim+1):]
	sum := float64(w[l.cfg.ObsDim])
	for i, x := range obs {
		if x != 0 {
			sum += float64(w[i]) * float64(x) * float64(l.cfg.ObsScale[i])
		}
	}
	return sum
}

func (l *linear) step(out int, obs []uint8, by float64) {
	w := l.w[out*(l.cfg.ObsDim+1):]
	w[l.cfg.ObsDim] += float32(by)
	for i, x := range obs {
		if x != 0 {
			w[i] += float32(by * float64(x) * float64(l.cfg.ObsScale[i]))
		}
	}
}

func (l *linear) row(obs, mask []uint8, logp []float32) {
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

// told is how many values there are.
func (l *linear) told() int { return max(l.cfg.Values, 1) }

// learn takes a step of all values towards their targets, and returns the square of the first's error.
func (l *linear) learn(obs []uint8, target []float32, rate float64) float64 {
	first := 0.0
	for k := range l.told() {
		e := float64(target[k]) - l.dot(l.cfg.NumActions+k, obs)
		l.step(l.cfg.NumActions+k, obs, rate*e)
		if k == 0 {
			first = e * e
		}
	}
	return first
}

func (l *linear) Forward(in learner.Decisions, logp, values []float32) error {
	n, d, a := in.N, l.cfg.ObsDim, l.cfg.NumActions
	if len(in.Obs) != n*d || logp != nil && (len(in.Mask) != n*a || len(logp) != n*a) || values != nil && (len(values) != n*l.told() || len(in.Critic) != n*l.cfg.CriticDim) {
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
			for k := range l.told() {
				values[i*l.told()+k] = float32(l.dot(a+k, obs))
			}
		}
	}
	return nil
}

// Leads takes the policy's own scores for what the critic thinks of the actions.
func (l *linear) Leads(in learner.Decisions, leads []float32) error {
	n, d, a := in.N, l.cfg.ObsDim, l.cfg.NumActions
	if !l.cfg.ActionCritic || len(in.Critic) != n*l.cfg.CriticDim || len(leads) != n*a {
		return errors.New("linear: wrong lengths")
	}
	for i := range n {
		logp, mean := leads[i*a:(i+1)*a], 0.0
		l.row(in.Obs[i*d:(i+1)*d], in.Mask[i*a:(i+1)*a], logp)
		for _, x := range logp {
			mean += math.Exp(float64(x)) * float64(max(x, -100))
		}
		for act := range logp {
			logp[act] = float32(float64(in.Mask[i*a+act]) * (float64(logp[act]) - mean))
		}
	}
	return nil
}

func (l *linear) Imitate(b learner.Lesson, h learner.Hyper) (learner.LessonStats, error) {
	d, a := l.cfg.ObsDim, l.cfg.NumActions
	if b.N < 1 || len(b.Obs) != b.N*d || len(b.Mask) != b.N*a || len(b.Offsets) != b.N+1 || len(b.Target) != int(b.Offsets[b.N]) || len(b.Return) != b.N*l.told() {
		return learner.LessonStats{}, errors.New("linear: wrong lengths")
	}
	var s learner.LessonStats
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
		s.ValueLoss += l.learn(obs, b.Return[i*l.told():], rate*h.VfCoef) / float64(b.N)
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

func (l *linear) Update(b learner.Batch, h learner.Hyper) (learner.Stats, error) {
	d, a := l.cfg.ObsDim, l.cfg.NumActions
	if b.N < 1 || len(b.Obs) != b.N*d || len(b.Mask) != b.N*a || len(b.Critic) != b.N*l.cfg.CriticDim || len(b.Action) != b.N {
		return learner.Stats{}, errors.New("linear: wrong lengths")
	}
	legal := len(b.Mask) - bytes.Count(b.Mask, []byte{0})
	if h.KLCoef > 0 && len(b.DataLogp) != legal || h.MagnetCoef > 0 && len(b.MagnetLogp) != legal || b.Weight != nil && len(b.Weight) != b.N {
		return learner.Stats{}, errors.New("linear: wrong lengths of what damps")
	}
	var s learner.Stats
	logp := make([]float32, a)
	rate := 400 * h.LR / float64(b.N)
	at := 0 // among the legal actions
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
			if h.KLCoef > 0 {
				s.DataKL += p * float64(logp[act]-b.DataLogp[at]) / float64(b.N)
			}
			if h.MagnetCoef > 0 {
				s.MagnetKL += p * float64(logp[act]-b.MagnetLogp[at]) / float64(b.N)
			}
			at++
			if !clipped && !h.CriticOnly && (b.Acting == 0 || i < b.Acting) {
				l.step(act, obs, rate*adv*ratio*(g-p))
			}
		}
		s.ValueLoss += l.learn(obs, b.Return[i*l.told():], rate*h.VfCoef) / float64(b.N)
	}
	return s, nil
}

// Weights names the values' rows as the real networks do.
func (l *linear) Weights() ([]learner.Tensor, error) {
	d, a, v := l.cfg.ObsDim, l.cfg.NumActions, l.told()
	weight, bias := learner.Tensor{Name: "value.weight", Shape: []int{v, d}}, learner.Tensor{Name: "value.bias", Shape: []int{v}}
	for value := l.w[a*(d+1):]; len(value) > 0; value = value[d+1:] {
		weight.Data, bias.Data = append(weight.Data, value[:d]...), append(bias.Data, value[d])
	}
	return []learner.Tensor{{Name: "w", Shape: []int{a, d + 1}, Data: slices.Clone(l.w[:a*(d+1)])}, weight, bias}, nil
}

func (l *linear) SetWeights(t []learner.Tensor) error {
	l.w = slices.Clone(t[0].Data)
	for k, bias := range t[2].Data {
		d := l.cfg.ObsDim
		l.w = append(append(l.w, t[1].Data[k*d:(k+1)*d]...), bias)
	}
	return nil
}

func (l *linear) Save(w io.Writer) error { return binary.Write(w, binary.LittleEndian, l.w) }

func (l *linear) Load(r io.Reader) error {
	all, err := io.ReadAll(r)
	if err != nil || len(all) != 4*len(l.w) {
		return errors.New("linear: the state of another network")
	}
	return binary.Read(bytes.NewReader(all), binary.LittleEndian, l.w)
}

func (l *linear) TorchTime() time.Duration { return 0 }

func (l *linear) Close() {
	if !l.closed {
		l.closed = true
		openLearners.Add(-1)
	}
}

// trainerOf is a trainer of a linear learner, which is closed when the test ends.
func trainerOf(t *testing.T, cfg Config) *trainer {
	t.Helper()
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	tr, err := newTrainer(cfg, newLinear)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tr.close)
	return tr
}
