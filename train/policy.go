package train

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/train/learner"
)

// networkPolicy is the learner's network as an env.Policy.
type networkPolicy struct{ net learner.Learner }

// readingPolicy is one that reads what the legal actions do, an env.ActionPolicy.
type readingPolicy struct{ networkPolicy }

// policyOf is the network as a policy that is asked what it needs to know.
func policyOf(net learner.Learner, cfg Config) env.Policy {
	if cfg.readsActions() {
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
	Policy    env.Policy // an env.ActionPolicy if it reads what actions do
	Path      string     // of the checkpoint
	Config    Config     // with which it was trained
	Iteration int
	Steps     int64

	net  learner.Learner
	norm normaliser
}

// Close frees the network.
func (p *Trained) Close() { p.net.Close() }

// LoadPolicy reads the policy of a checkpoint file, or of a run folder, as findCheckpoint
// chooses. device and threads are as in Config.
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
	if err := checkSchema(cfg, st, path); err != nil {
		return nil, err
	}
	e, err := encoderOf(cfg.Game)
	if err != nil {
		return nil, err
	}
	lc := learnerConfig(cfg, e)
	net, err := opt.NewLearner(lc)
	if err != nil {
		return nil, fmt.Errorf("load policy from %s: %w", path, err)
	}
	if err := net.Load(bytes.NewReader(s["learner"])); err != nil {
		net.Close()
		return nil, fmt.Errorf("load policy from %s: %w", path, err)
	}
	return &Trained{policyOf(net, cfg), path, cfg, st.Iteration, st.Steps, net, st.Normaliser}, nil
}

// Missing says of a player's name that no file of one can be read there, and why.
func Missing(name string, err error) error {
	var reason *fs.PathError
	if errors.As(err, &reason) {
		err = reason.Err
	}
	return fmt.Errorf("%s is no bundle, run or checkpoint: %w", name, err)
}

// findCheckpoint reads a checkpoint file, or of a run folder the network of the average policy if it is the least exploitable, else the
// best checkpoint if one was evaluated, else the newest; from is the file that was read.
func findCheckpoint(path string, warn func(string)) (s sections, st state, from string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, st, path, Missing(path, err)
	}
	if !info.IsDir() {
		s, st, err = readCheckpoint(path)
		return s, st, path, err
	}
	for _, c := range []struct{ name, next string }{{averageName, "best"}, {bestName, "newest"}} {
		from = filepath.Join(path, checkpointsDir, c.name+checkpointExt)
		s, st, err = readCheckpoint(from)
		if err == nil {
			return s, st, from, nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			warn(fmt.Sprintf("%v; falling back to the %s checkpoint", err, c.next))
		}
	}
	return newest(path, warn)
}

func encoderOf(game string) (*encode.Encoder, error) {
	g, err := engine.NewGame(game)
	if err != nil {
		return nil, err
	}
	return encode.For(g)
}

// checkSchema refuses a checkpoint whose observations or actions are not those
// of this program.
func checkSchema(cfg Config, st state, from string) error {
	e, err := encoderOf(cfg.Game)
	if err != nil {
		return err
	}
	if now := schemaHash(cfg, e); now != st.SchemaHash {
		return fmt.Errorf("%s was trained on observations or actions of another layout (schema hash %.12s, this program's is %.12s): use the version of privateer that wrote it, or train again", from, st.SchemaHash, now)
	}
	return nil
}

// writeWeights writes a network's weights as safetensors.
func (t *trainer) writeWeights(net learner.Learner, path string) error {
	tensors, err := net.Weights()
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	scales := t.scales()
	var b bytes.Buffer
	err = learner.WriteSafetensors(&b, tensors, map[string]string{
		"game": t.cfg.Game, "schema_hash": t.schemaHash(), "iteration": fmt.Sprint(t.iteration), "steps": fmt.Sprint(t.steps),
		"config": string(t.cfg.YAML()),
		// What the value head says means, times the deviation, plus the mean: a number of each for each of its numbers.
		"value_mean":      formatScales(scales, func(s scale) float64 { return s.mean }),
		"value_deviation": formatScales(scales, func(s scale) float64 { return s.deviation }),
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return durable.WriteFile(path, b.Bytes())
}
