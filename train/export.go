package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/measure"
	"github.com/privateer-rl/privateer/env/measure/compare"
)

// ExportOptions are the options of [Export].
type ExportOptions struct {
	Choice  string       // bundle.Sample or bundle.Greedy; "": as the run evaluates itself
	Program string       // version of this program, for the provenance
	Warn    func(string) // called for each checkpoint that is skipped; may be nil
}

// goldenDecisions is how many decisions a bundle carries, with which other implementations can check themselves.
const goldenDecisions = 8

// Export makes a bundle of a run folder (as LoadPolicy chooses), a checkpoint, or the
// weights beside one (.safetensors). It needs no libtorch. from is the file that was read.
func Export(path string, opt ExportOptions) (b *bundle.Bundle, from string, err error) {
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
	if err := checkSchema(&cfg, w.schemaHash, w.from); err != nil {
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
	b = cfg.Bundle(e, w.tensors, w.scale, w.steps)
	b.Provenance = bundle.Provenance{
		Program: opt.Program, Checkpoint: filepath.Base(w.from), Iteration: w.iteration, Steps: w.steps, Config: w.config,
	}
	if b.Choice = opt.Choice; b.Choice == "" {
		b.Choice = cfg.Choice()
	}
	if err := b.MakeGolden(g, goldenDecisions); err != nil {
		return nil, w.from, fmt.Errorf("export %s: %w", w.from, err)
	}
	return b, w.from, nil
}

// Training is what a bundle's provenance says of its training. Settings of other releases are ignored, unlike in ParseConfig.
type Training struct {
	Games    []string // that were learnt
	Game     string   // that the run was evaluated in
	EvalBots []string
}

// TrainingOf reads a bundle's provenance; of one that does not say, the game is the bundle's own and the bots are the default ones. A mean
// of several has learnt the games of all, and is evaluated as the first.
func TrainingOf(b *bundle.Bundle) (Training, error) {
	var t Training
	parts := yaml.NewDecoder(strings.NewReader(b.Provenance.Config))
	for first := true; ; first = false {
		var of struct {
			Game     yaml.Node
			Games    []string // before 0.1.0
			EvalGame string   `yaml:"eval_game"`
			EvalBots []string `yaml:"eval_bots"`
		}
		of.EvalBots = DefaultConfig().EvalBots // a network that was trained elsewhere names none
		err := parts.Decode(&of)
		if errors.Is(err, io.EOF) && !first {
			return t, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return Training{}, fmt.Errorf("the configuration of its training cannot be read: %w", err)
		}
		games := of.Games
		var list []struct{ Game string }
		switch of.Game.Kind {
		case yaml.SequenceNode:
			if of.Game.Decode(&list) == nil {
				for _, one := range list {
					games = append(games, one.Game)
				}
			}
		case yaml.ScalarNode:
			of.EvalGame = cmp.Or(of.EvalGame, of.Game.Value)
			if len(games) == 0 && !first {
				games = []string{of.Game.Value}
			}
		}
		if len(games) == 0 && first {
			games = []string{b.Game}
		}
		for _, game := range games {
			if !slices.Contains(t.Games, game) {
				t.Games = append(t.Games, game)
			}
		}
		if first {
			t.Game, t.EvalBots = cmp.Or(of.EvalGame, t.Games[0]), of.EvalBots
		}
	}
}

// Evaluate writes into a bundle its results against the bots that its run was evaluated against, of at least that number of matches each.
// workers are goroutines, 0 being one a core.
func Evaluate(b *bundle.Bundle, matches, workers int) error {
	trained, err := TrainingOf(b)
	if err != nil {
		return err
	}
	b.Evaluation = nil
	for _, bot := range trained.EvalBots {
		r, err := compare.Evaluate(context.Background(), policy.NewBatch(b, workers), compare.Evaluation{
			Game: trained.Game, Bot: bot, Matches: matches, Seed: 1, Greedy: b.Choice == bundle.Greedy, Workers: workers,
		})
		if err != nil {
			return fmt.Errorf("evaluate: %w", err)
		}
		interval := func(e measure.Estimate) [3]float64 { return [3]float64{e.Mean, e.Low, e.High} }
		b.Evaluation = append(b.Evaluation, bundle.Evaluation{
			Game: r.Game, Bot: bot, Matches: r.One.Matches, EqualShare: r.EqualShare,
			WinRate: interval(r.One.WinRate), Return: interval(r.One.Return),
		})
	}
	return nil
}
