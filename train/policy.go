package train

import (
	"bytes"
	"fmt"

	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// networkPolicy is the learner's network as a match.Policy.
type networkPolicy struct{ net learner.Learner }

// readingPolicy also reads the rows of the legal actions: a match.ActionPolicy.
type readingPolicy struct{ networkPolicy }

// policyOf is the network as a policy, a match.ActionPolicy if it reads actions.
func policyOf(net learner.Learner, cfg *selfplay.Config) match.Policy {
	if cfg.ReadsActions() {
		return readingPolicy{networkPolicy{net}}
	}
	return networkPolicy{net}
}

func (p networkPolicy) Probs(n int, obs, mask []uint8, probs []float32) error {
	return p.ask(learner.Decisions{N: n, Obs: obs, Mask: mask}, probs)
}

func (p readingPolicy) ActionProbs(n int, obs, mask, rows []uint8, offsets []int32, probs []float32) error {
	return p.ask(learner.Decisions{N: n, Obs: obs, Mask: mask, Rows: rows, Offsets: offsets}, probs)
}

func (p networkPolicy) ask(d learner.Decisions, probs []float32) error {
	if err := p.net.Forward(d, probs, nil); err != nil {
		return err
	}
	for i, legal := range d.Mask {
		if legal == 0 {
			probs[i] = 0
		} else {
			probs[i] = float32(portable.Exp(float64(probs[i])))
		}
	}
	return nil
}

// Trained is a checkpoint's network.
type Trained struct {
	Policy    match.Policy // a match.ActionPolicy if it reads what actions do
	Path      string       // of the checkpoint
	Config    Config       // with which it was trained
	Iteration int
	Steps     int64

	net  learner.Learner
	norm selfplay.Normaliser
}

// Close frees the network.
func (p *Trained) Close() { p.net.Close() }

// LoadPolicy reads the policy of a checkpoint file, or of a run folder: its average if that is the least exploitable, else its best
// checkpoint, else its newest. device and threads are as in Config.
func LoadPolicy(path, device string, threads int, opt Options) (*Trained, error) {
	opt = opt.withDefaults()
	s, st, path, err := findCheckpoint(path, opt.Warn)
	if err != nil {
		return nil, fmt.Errorf("load policy: %w", err)
	}
	cfg, err := ParseConfig([]byte(st.Config))
	if err != nil {
		return nil, fmt.Errorf("load policy from %s: %w", path, err)
	}
	cfg.Device, cfg.Threads = device, threads
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("load policy from %s: %w", path, err)
	}
	if err := checkSchema(&cfg, st.SchemaHash, path); err != nil {
		return nil, err
	}
	e, err := encoderOf(cfg.Game)
	if err != nil {
		return nil, err
	}
	lc := cfg.Learner(e)
	net, err := opt.NewLearner(lc)
	if err != nil {
		return nil, fmt.Errorf("load policy from %s: %w", path, err)
	}
	if err := net.Load(bytes.NewReader(s.network())); err != nil {
		net.Close()
		return nil, fmt.Errorf("load policy from %s: %w", path, err)
	}
	return &Trained{policyOf(net, &cfg.Config), path, cfg, st.Iteration, st.Steps, net, st.Norm}, nil
}
