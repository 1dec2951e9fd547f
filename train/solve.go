package train

import (
	"fmt"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/exploit"
	"github.com/privateer-rl/privateer/env"
)

// solver measures the exact exploitability of a small game's policy, and of the
// average of the policies of the later part of the run.
type solver struct {
	tree      *exploit.Tree
	sets      []exploit.InfoSet
	obs, mask []uint8       // every information set once
	does      ragged[uint8] // what the actions do
	probs     []float32
	policy    exploit.Policy
	average   *exploit.Average
	from      float64 // share of the run before the average begins
	uniform   float64 // NashConv of the uniform policy
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
	s := &solver{from: cfg.AverageFrom}
	if s.tree, err = exploit.Build(g); err != nil {
		return nil, err
	}
	s.sets, s.policy, s.average = s.tree.InfoSets(), s.tree.Uniform(), s.tree.NewAverage()
	r, err := s.tree.NashConv(s.policy)
	if err != nil {
		return nil, err
	}
	s.uniform = r.NashConv
	s.does = newRagged[uint8](e.ActionSize())
	n, d, a := len(s.sets), e.Schema().Size, len(g.Info().Actions)
	s.obs, s.mask, s.probs = make([]uint8, n*d), make([]uint8, n*a), make([]float32, n*a)
	for i := range s.sets {
		e.Encode(s.sets[i].Match, s.sets[i].Seat, s.obs[i*d:(i+1)*d])
		s.sets[i].Legal.Expand(s.mask[i*a : (i+1)*a])
		rows := make([]uint8, s.sets[i].Legal.Count()*e.ActionSize())
		e.EncodeActions(s.sets[i].Match, rows)
		s.does.add(rows)
	}
	return s, nil
}

// ask writes the network's answers at all information sets into s.policy.
func (s *solver) ask(p env.Policy) error {
	n := len(s.sets)
	var err error
	if reads, ok := p.(env.ActionPolicy); ok {
		err = reads.ActionProbs(n, s.obs, s.mask, s.does.data, s.does.at, s.probs)
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

// collect adds the policy to the average once enough of the run is done.
func (s *solver) collect(p env.Policy, done float64) error {
	if done < s.from {
		return nil
	}
	if err := s.ask(p); err != nil {
		return err
	}
	return s.average.Add(s.policy, 1)
}

// measure says how exploitable a policy is.
func (s *solver) measure(p env.Policy) (exploit.Result, error) {
	if err := s.ask(p); err != nil {
		return exploit.Result{}, err
	}
	return s.tree.NashConv(s.policy)
}

func (s *solver) solve(p env.Policy) (*Solution, error) {
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

func (s *solver) save() ([]byte, error) { return s.average.MarshalBinary() }

func (s *solver) load(data []byte) error { return s.average.UnmarshalBinary(data) }
