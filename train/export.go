package train

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/env/eval"
	"github.com/privateer-rl/privateer/train/learner"
)

// ExportOptions are what an export may be told.
type ExportOptions struct {
	Choice  string       // policy.Sample or policy.Greedy; "": as the run evaluates itself
	Program string       // version of this program, for the provenance
	Matches int          // least matches of the evaluation against each of the run's bots; 0: none
	Workers int          // goroutines of the evaluation; 0: one a core
	Warn    func(string) // told of checkpoints that are skipped; may be nil
}

// goldenDecisions is how many decisions a bundle carries, for other
// implementations to check themselves with.
const goldenDecisions = 8

// Export makes a bundle of a run folder (as LoadPolicy chooses), a checkpoint, or the
// weights beside one (.safetensors). It needs no libtorch. from is the file that was read.
func Export(path string, opt ExportOptions) (b *policy.Bundle, from string, err error) {
	w, err := readWeights(path, Options{Warn: opt.Warn}.withDefaults().Warn)
	if err != nil {
		return nil, w.from, fmt.Errorf("export: %w", err)
	}
	cfg, err := ParseConfig([]byte(w.config))
	if err == nil {
		err = cfg.Validate()
	}
	if err != nil {
		return nil, w.from, fmt.Errorf("export %s: %w", w.from, err)
	}
	if err := checkSchema(cfg, w.state(), w.from); err != nil {
		return nil, w.from, fmt.Errorf("export: %w", err)
	}
	g, err := engine.NewGame(cfg.Game)
	if err != nil {
		return nil, w.from, fmt.Errorf("export %s: %w", w.from, err)
	}
	e, err := encoderOf(cfg.Game)
	if err != nil {
		return nil, w.from, fmt.Errorf("export %s: %w", w.from, err)
	}
	b = w.bundle(cfg, e)
	b.Provenance = policy.Provenance{
		Program: opt.Program, Checkpoint: filepath.Base(w.from), Iteration: w.iteration, Steps: w.steps, Config: w.config,
	}
	if b.Choice = opt.Choice; b.Choice == "" {
		b.Choice = cfg.Choice()
	}
	if err := b.MakeGolden(g, goldenDecisions); err != nil {
		return nil, w.from, fmt.Errorf("export %s: %w", w.from, err)
	}
	if opt.Matches > 0 {
		if err := evaluate(b, cfg, opt); err != nil {
			return nil, w.from, fmt.Errorf("export %s: %w", w.from, err)
		}
	}
	return b, w.from, nil
}

// TrainedOn lists the games of the training that a bundle came from, by its provenance; of one that does not say, its own. Settings
// that only another release had do not matter here, as they do to ParseConfig.
func TrainedOn(b *policy.Bundle) ([]string, error) {
	var trained struct{ Games []string }
	if err := yaml.Unmarshal([]byte(b.Provenance.Config), &trained); err != nil {
		return nil, fmt.Errorf("the configuration of its training cannot be read: %w", err)
	}
	if len(trained.Games) == 0 {
		return []string{b.Game}, nil
	}
	return trained.Games, nil
}

// evaluate writes into a bundle how it does against the bots that its run was
// evaluated against.
func evaluate(b *policy.Bundle, cfg Config, opt ExportOptions) error {
	for _, bot := range cfg.EvalBots {
		r, err := eval.Versus(b.Policy(opt.Workers), eval.Config{
			Game: cfg.Evaluated(), Bot: bot, Matches: opt.Matches, Seed: 1, Greedy: b.Choice == policy.Greedy, Workers: opt.Workers,
		})
		if err != nil {
			return err
		}
		interval := func(e eval.Estimate) [3]float64 { return [3]float64{e.Mean, e.Low, e.High} }
		b.Evaluation = append(b.Evaluation, policy.Evaluation{
			Game: r.Game, Bot: bot, Matches: r.One.Matches, EqualShare: r.EqualShare,
			WinRate: interval(r.One.WinRate), Return: interval(r.One.Return),
		})
	}
	return nil
}

// weights are a run's weights and what is known about them.
type weights struct {
	from       string // file
	config     string // YAML
	schemaHash string
	iteration  int
	steps      int64
	tensors    []learner.Tensor

	scales []scale // of what the value head tells; nil if they are not known
}

// bundle makes a bundle that samples, of weights trained with a configuration; it is not checked yet.
func (w *weights) bundle(cfg Config, e *encode.Encoder) *policy.Bundle {
	b := &policy.Bundle{
		Game: cfg.gameAfter(w.steps), Choice: policy.Sample,
		Network: policy.Network{Name: cfg.Network, Hidden: slices.Clone(cfg.Hidden), Activation: cfg.Activation, NormEps: learner.NormEps},
	}
	b.SetLayout(e.Schema())
	if cfg.readsActions() {
		b.Network.RowHidden = slices.Clone(cfg.RowHidden)
		b.SetActionLayout(e.ActionSchema())
	}
	tells := w.tellsValues(cfg)
	if o := cfg.outlook(); tells && len(o.kinds) > 1 {
		b.Tells = o.kinds
	}
	for _, t := range w.tensors {
		switch {
		case strings.HasPrefix(t.Name, "critic."): // reads what is hidden from players
			continue
		case ofValueHead(t.Name) && !tells:
			continue
		case ofValueHead(t.Name):
			t.Data = w.inUnits(t, nil)
		}
		b.Weights = append(b.Weights, policy.NewTensor(t.Name, t.Shape, t.Data))
	}
	return b
}

// tellsValues reports whether the value head reads what the policy reads, and is known to tell returns.
func (w *weights) tellsValues(cfg Config) bool {
	return !cfg.PerfectCritic && (w.scales != nil || !cfg.NormValue && cfg.Values != allValues)
}

// inUnits is a tensor of the value head such that what it tells has other scales; nil: it tells what is meant.
func (w *weights) inUnits(t learner.Tensor, units []scale) []float32 {
	out := slices.Clone(t.Data)
	if w.scales == nil {
		return out
	}
	width := len(out) / len(w.scales)
	for i, x := range out {
		from, to := w.scales[i/width], scale{0, 1}
		if units != nil {
			to = units[i/width]
		}
		y := float64(float64(x) * from.deviation)
		if t.Name == "value.bias" {
			y += from.mean - to.mean
		}
		out[i] = float32(y / to.deviation)
	}
	return out
}

// told is how many numbers the value head tells.
func (w *weights) told() int {
	for _, t := range w.tensors {
		if t.Name == "value.bias" {
			return len(t.Data)
		}
	}
	return 0
}

func (w *weights) state() state { return state{SchemaHash: w.schemaHash} }

func readWeights(path string, warn func(string)) (weights, error) {
	if filepath.Ext(path) == weightsExt {
		return readSafetensors(path)
	}
	s, st, from, err := findCheckpoint(path, warn)
	w := weights{from: from, config: st.Config, schemaHash: st.SchemaHash, iteration: st.Iteration, steps: st.Steps}
	if err != nil {
		return w, err
	}
	if cfg, err := ParseConfig([]byte(st.Config)); err == nil {
		w.scales = cfg.outlook().scales(st.Normaliser, nil)
	}
	if w.tensors, err = learner.ReadWeights(bytes.NewReader(s["learner"])); err != nil {
		return w, fmt.Errorf("%s: %w", from, err)
	}
	return w, nil
}

// readSafetensors is the inverse of trainer.writeWeights.
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
		if w.scales, err = parseScales(about["value_mean"], about["value_deviation"]); err != nil {
			return w, fmt.Errorf("%s: its metadata: value_mean and value_deviation: %w", path, err)
		}
		if n := w.told(); len(w.scales) != n {
			return w, fmt.Errorf("%s: its metadata: value_mean has %d numbers for a value head of %d", path, len(w.scales), n)
		}
	}
	return w, nil
}
