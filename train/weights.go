package train

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// weights are a run's weights and the known facts about them.
type weights struct {
	from       string // file
	config     string // YAML
	schemaHash string
	iteration  int
	steps      int64
	tensors    []learner.Tensor

	scale *selfplay.Scale // of the value head's output; nil if it is not known
}

// hasValue reports whether there is a value head with one output.
func (w *weights) hasValue() bool {
	return slices.ContainsFunc(w.tensors, func(t learner.Tensor) bool { return t.Name == "value.bias" && len(t.Data) == 1 })
}

func readWeights(path string, warn func(string)) (weights, error) {
	if filepath.Ext(path) == weightsExt {
		return readSafetensors(path)
	}
	s, st, from, err := findCheckpoint(path, warn)
	w := weights{from: from, config: st.Config, schemaHash: st.SchemaHash, iteration: st.Iteration, steps: st.Steps}
	if err != nil {
		return w, err
	}
	scale := st.Norm.Scale()
	w.scale = &scale
	if w.tensors, err = learner.ReadWeights(bytes.NewReader(s.network())); err != nil {
		return w, fmt.Errorf("%s: %w", from, err)
	}
	return w, nil
}

// readSafetensors is the inverse of writeWeights.
func readSafetensors(path string) (weights, error) {
	w := weights{from: path}
	f, err := durable.Open(path)
	if err != nil {
		return w, err
	}
	defer f.Close()
	tensors, about, err := learner.ReadSafetensors(f)
	if err != nil {
		return w, fmt.Errorf("%s: %w", path, err)
	}
	w.tensors, w.config, w.schemaHash = tensors, about["config"], about["schema_hash"]
	if w.config == "" || w.schemaHash == "" {
		return w, fmt.Errorf("%s: its metadata lack config or schema_hash: want weights that a run of privateer wrote", path)
	}
	if w.iteration, err = strconv.Atoi(about["iteration"]); err != nil {
		return w, fmt.Errorf("%s: its metadata: iteration: %w", path, err)
	}
	if w.steps, err = strconv.ParseInt(about["steps"], 10, 64); err != nil {
		return w, fmt.Errorf("%s: its metadata: steps: %w", path, err)
	}
	if about["value_deviation"] != "" {
		var s selfplay.Scale
		var wrong [2]error
		s.Mean, wrong[0] = strconv.ParseFloat(about["value_mean"], 64)
		s.Deviation, wrong[1] = strconv.ParseFloat(about["value_deviation"], 64)
		if err := errors.Join(wrong[:]...); err != nil {
			return w, fmt.Errorf("%s: its metadata: value_mean and value_deviation: %w", path, err)
		}
		w.scale = &s
	}
	return w, nil
}

// writeWeights writes a network's weights as safetensors.
func writeWeights(net learner.Learner, p *selfplay.Play, cfg *Config, path string) error {
	tensors, err := net.Weights()
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	scale := p.Norm.Scale()
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	var b bytes.Buffer
	err = learner.WriteSafetensors(&b, tensors, map[string]string{
		"game": cfg.Game, "schema_hash": cfg.SchemaHash(p.Encoder), "iteration": fmt.Sprint(p.Iteration), "steps": fmt.Sprint(p.Steps),
		"config": string(cfg.YAML()),
		// The value head's output times the deviation, plus the mean, is a return.
		"value_mean": number(scale.Mean), "value_deviation": number(scale.Deviation),
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return durable.WriteFile(path, b.Bytes())
}
