package train

import (
	"bytes"
	"fmt"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/exploit"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// solver measures the exact exploitability of a small game's policy, and of the average of the policies of the second half of a run.
type solver struct {
	tree      *exploit.Tree
	sets      []exploit.InfoSet
	obs, mask []uint8                // every information set once
	rows      selfplay.Ragged[uint8] // what the actions do
	probs     []float32
	policy    exploit.Policy
	average   *exploit.Average
	uniform   float64 // NashConv of the uniform policy
	mean      mean
}

// mean is a network whose weights are the mean of those after each update, in which the update of number t counts by about t³: polynomial
// decay averaging (Shamir and Zhang, "Stochastic gradient descent for non-smooth optimization", ICML 2013). The policies of self-play go
// around an equilibrium; at every moment the network of their mean weights is closer to it than they are.
type mean struct {
	net     learner.Learner
	weights []learner.Tensor
}

// meanPower is how fast earlier updates are forgotten.
const meanPower = 3

// take adds the weights after update t, from 1, of a network.
func (m *mean) take(of learner.Learner, t int) error {
	now, err := of.Weights()
	if err != nil {
		return err
	}
	if t == 1 {
		m.weights = now
		return m.net.SetWeights(now)
	}
	share := float64(meanPower+1) / float64(t+meanPower)
	for i, w := range now {
		to := m.weights[i].Data
		for k, x := range w.Data {
			to[k] += float32(float64(share * float64(x-to[k])))
		}
	}
	return m.net.SetWeights(m.weights)
}

func (m *mean) restore(saved []byte) (err error) {
	if err = m.net.Load(bytes.NewReader(saved)); err == nil {
		m.weights, err = m.net.Weights()
	}
	return err
}

func newSolver(cfg Config) (*solver, error) {
	g, err := engine.NewGame(cfg.Game)
	if err != nil {
		return nil, err
	}
	e, err := encode.For(g)
	if err != nil {
		return nil, err
	}
	s := &solver{}
	if s.tree, err = exploit.Build(g); err != nil {
		return nil, err
	}
	s.sets, s.policy, s.average = s.tree.InfoSets(), s.tree.Uniform(), s.tree.NewAverage()
	r, err := s.tree.NashConv(s.policy)
	if err != nil {
		return nil, err
	}
	s.uniform = r.NashConv
	s.rows = selfplay.NewRagged[uint8](e.ActionSize())
	n, d, a := len(s.sets), e.Schema().Size, len(g.Info().Actions)
	s.obs, s.mask, s.probs = make([]uint8, n*d), make([]uint8, n*a), make([]float32, n*a)
	for i := range s.sets {
		e.Encode(s.sets[i].Match, s.sets[i].Seat, s.obs[i*d:(i+1)*d])
		s.sets[i].Legal.Expand(s.mask[i*a : (i+1)*a])
		rows := make([]uint8, s.sets[i].Legal.Count()*e.ActionSize())
		e.EncodeActions(s.sets[i].Match, rows)
		s.rows.Add(rows)
	}
	return s, nil
}

// ask writes the network's probabilities at all information sets into s.policy.
func (s *solver) ask(p match.Policy) error {
	n := len(s.sets)
	var err error
	if reads, ok := p.(match.ActionPolicy); ok {
		data, offsets := s.rows.All()
		err = reads.ActionProbs(n, s.obs, s.mask, data, offsets, s.probs)
	} else {
		err = p.Probs(n, s.obs, s.mask, s.probs)
	}
	if err != nil {
		return err
	}
	a := len(s.probs) / n
	for i := range s.sets {
		dst := s.policy[s.sets[i].Key]
		for k, q := range s.probs[i*a : (i+1)*a] {
			dst[k] = float64(q)
		}
	}
	return nil
}

// averageFrom is the share of the run after which the average begins.
const averageFrom = 0.5

// collect adds the policy to the average once enough of the run is done.
func (s *solver) collect(p match.Policy, done float64) error {
	if done < averageFrom {
		return nil
	}
	if err := s.ask(p); err != nil {
		return err
	}
	return s.average.Add(s.policy, 1)
}

// measure says how exploitable a policy is.
func (s *solver) measure(p match.Policy) (exploit.Result, error) {
	if err := s.ask(p); err != nil {
		return exploit.Result{}, err
	}
	return s.tree.NashConv(s.policy)
}

func (s *solver) solve(p match.Policy) (*Solution, error) {
	r, err := s.measure(p)
	if err != nil {
		return nil, err
	}
	out := &Solution{NashConv: r.NashConv, Exploitability: r.Exploitability, UniformNashConv: s.uniform}
	if avg := s.average.Policy(); avg != nil {
		r, err := s.tree.NashConv(avg)
		if err != nil {
			return nil, fmt.Errorf("average policy: %w", err)
		}
		out.AverageNashConv, out.AverageExploitability = &r.NashConv, &r.Exploitability
	}
	return out, nil
}

// The average of a run's policies is a table, and only a network can be exported. At the end of a run a copy of the network
// therefore learns the average at every information set, as fictitious self-play does during training (Heinrich and
// Silver, "Deep reinforcement learning from self-play in imperfect-information games", 2016). It is kept beside the
// other checkpoints if it is less exploitable than the best of them, and is then the run folder's policy.

// How the average is learnt.
const (
	averageSteps = 4000
	averageRows  = 1024 // of a step
	averageRate  = 2e-3 // at the start
	averageFinal = 1e-5
	averageClip  = 1

	// averageLeast is the least weight of an information set: one that the average hardly ever reaches matters little.
	averageLeast = 0.01
)

// teach trains a network on the average. The value head keeps its answers: it learns them again, unless it reads hidden information and
// so has layers of its own, which do not change.
func (s *solver) teach(net learner.Learner, lc learner.Config, vfCoef float64, average exploit.Policy) error {
	n, d, a := len(s.sets), lc.ObsDim, lc.NumActions
	reach := s.average.Reach()
	values := make([]float32, n)
	hyper := learner.Hyper{MaxGradNorm: averageClip}
	if lc.CriticDim == 0 {
		hyper.VfCoef = vfCoef
		if err := net.Forward(learner.Decisions{N: n, Obs: s.obs}, nil, values); err != nil {
			return err
		}
	}
	var l learner.ImitationBatch
	l.N = min(averageRows, n)
	l.Critic = make([]uint8, l.N*lc.CriticDim)
	for step := range averageSteps {
		l.Obs, l.Mask, l.Rows, l.Target, l.Return, l.Weight = l.Obs[:0], l.Mask[:0], l.Rows[:0], l.Target[:0], l.Return[:0], l.Weight[:0]
		l.Offsets = append(l.Offsets[:0], 0)
		for k := range l.N {
			i := (step*l.N + k) % n
			mask, probs := s.mask[i*a:(i+1)*a], average[s.sets[i].Key]
			l.Obs, l.Mask = append(l.Obs, s.obs[i*d:(i+1)*d]...), append(l.Mask, mask...)
			if lc.RowDim > 0 {
				l.Rows = append(l.Rows, s.rows.Of(i)...)
			}
			for act, legal := range mask {
				if legal != 0 {
					l.Target = append(l.Target, float32(probs[act]))
				}
			}
			l.Offsets = append(l.Offsets, int32(len(l.Target)))
			l.Return = append(l.Return, values[i])
			l.Weight = append(l.Weight, float32(max(averageLeast, reach[i])))
		}
		hyper.LR = selfplay.Geometric(averageRate, averageFinal, float64(step)/averageSteps)
		if _, err := net.Imitate(l, hyper); err != nil {
			return err
		}
	}
	return nil
}
