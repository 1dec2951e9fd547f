package train

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/exploit"
	"github.com/privateer-rl/privateer/train/learner"
)

// The average of a run's policies is a table, and what can be exported is a network. At the end of a run a copy of the network
// therefore learns the average at every information set, as fictitious self-play does along the way (Heinrich and
// Silver, "Deep reinforcement learning from self-play in imperfect-information games", 2016). It is kept beside the
// other checkpoints if it is less exploitable than the best of them, and a run folder then stands for it.

const averageName = "average"

// How the average is learnt.
const (
	averageSteps = 4000
	averageRows  = 1024 // of a step
	averageRate  = 2e-3 // at the start
	averageFinal = 1e-5
	averageClip  = 1

	// averageLeast is the least weight of an information set: of a set to which the average all but never leads itself, nobody
	// can make much.
	averageLeast = 0.01
)

// conclude keeps the network of the average if it is the least exploitable, and writes into last, which may be nil, how exploitable it is.
func (r *run) conclude(last *Solution) error {
	if err := r.forgetAverage(); err != nil || r.solver == nil {
		return err
	}
	average := r.solver.average.Policy()
	if average == nil {
		return nil
	}
	t := r.trainer
	lc := learnerConfig(t.cfg, t.encoder)
	net, err := r.opt.NewLearner(lc)
	if err != nil {
		return err
	}
	defer net.Close()
	if err := learner.Copy(net, t.learner); err != nil {
		return err
	}
	if err := r.solver.teach(net, lc, t.cfg, average); err != nil {
		return err
	}
	s, err := r.solver.measure(policyOf(net, t.cfg))
	if err != nil {
		return err
	}
	if last != nil {
		last.NetworkNashConv = &s.NashConv
	}
	if r.best != nil && -s.NashConv <= *r.best {
		return nil
	}
	return r.keepAverage(net)
}

func (r *run) averageFile(ext string) string {
	return filepath.Join(r.dir, checkpointsDir, averageName+ext)
}

// forgetAverage removes the network of the average of the same run when it was shorter.
func (r *run) forgetAverage() error {
	for _, ext := range []string{checkpointExt, weightsExt} {
		if err := os.Remove(r.averageFile(ext)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the average of the shorter run: %w", err)
		}
	}
	return nil
}

// keepAverage writes a checkpoint that has the network of the average, and nothing to go on from.
func (r *run) keepAverage(net learner.Learner) error {
	var weights bytes.Buffer
	if err := net.Save(&weights); err != nil {
		return fmt.Errorf("checkpoint: network: %w", err)
	}
	st, err := json.Marshal(r.state())
	if err != nil {
		return fmt.Errorf("checkpoint: state: %w", err)
	}
	if err := r.trainer.writeWeights(net, r.averageFile(weightsExt)); err != nil {
		return err
	}
	return durable.WriteFile(r.averageFile(checkpointExt), sections{"state": st, "learner": weights.Bytes()}.encode())
}

// teach lets a network learn the average. What its value head says is to stay as it is, unless that reads what is hidden: then
// it has layers of its own, which do not change.
func (s *solver) teach(net learner.Learner, lc learner.Config, cfg Config, average exploit.Policy) error {
	n, d, a, told := len(s.sets), lc.ObsDim, lc.NumActions, lc.Values
	reach := s.average.Reach()
	values := make([]float32, n*told)
	hyper := learner.Hyper{MaxGradNorm: averageClip}
	if lc.CriticDim == 0 {
		hyper.VfCoef, hyper.OthersCoef = cfg.VfCoef, cfg.OthersCoef
		if err := net.Forward(learner.Decisions{N: n, Obs: s.obs}, nil, values); err != nil {
			return err
		}
	}
	var l learner.Lesson
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
				l.Rows = append(l.Rows, s.does.of(i)...)
			}
			for act, legal := range mask {
				if legal != 0 {
					l.Target = append(l.Target, float32(probs[act]))
				}
			}
			l.Offsets = append(l.Offsets, int32(len(l.Target)))
			l.Return = append(l.Return, values[i*told:(i+1)*told]...)
			l.Weight = append(l.Weight, float32(max(averageLeast, reach[i])))
		}
		hyper.LR = geometric(averageRate, averageFinal, float64(step)/averageSteps)
		if _, err := net.Imitate(l, hyper); err != nil {
			return err
		}
	}
	return nil
}
