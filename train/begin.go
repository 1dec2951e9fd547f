package train

import (
	"fmt"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// beginWith takes over the weights of a trained policy: of a run folder, a checkpoint, or a bundle, which is named like the bot that
// plays it (policy:captain) or by its path. Optimiser and schedules begin anew, and so does a critic that reads other inputs.
func beginWith(p *selfplay.Play, path string, opt Options) error {
	from, cfg, err := weightsOf(p, path, opt)
	if err != nil {
		return fmt.Errorf("init_from: %w", err)
	}
	if a, b := cfg.Network, p.Config.Network; a != b {
		return fmt.Errorf("init_from: %s has the network %s, not %s: set network: %s", from.from, a, b, a)
	}
	critic := cfg.PerfectCritic == p.Config.PerfectCritic && from.hasValue()
	if critic {
		// The value head keeps its unit, unless the returns are those of another game.
		if from.scale != nil && cfg.Game == p.Config.Game {
			p.Norm.Begin(from.scale.Mean, from.scale.Deviation)
		}
	}
	tensors, err := p.Learner.Weights()
	if err != nil {
		return fmt.Errorf("init_from: %w", err)
	}
	for i, to := range tensors {
		if !critic && ofCritic(to.Name) {
			continue
		}
		k := slices.IndexFunc(from.tensors, func(one learner.Tensor) bool { return one.Name == to.Name })
		if k < 0 || !slices.Equal(from.tensors[k].Shape, to.Shape) {
			return fmt.Errorf("init_from: %s has hidden %v and row_hidden %v, not %v and %v: its %s is another", from.from, cfg.Hidden, cfg.RowHidden, p.Config.Hidden, p.Config.RowHidden, to.Name)
		}
		tensors[i] = from.tensors[k]
	}
	if err := p.Learner.SetWeights(tensors); err != nil {
		return fmt.Errorf("init_from: %s: %w", from.from, err)
	}
	return nil
}

// ofCritic reports whether a tensor is the critic's alone.
func ofCritic(name string) bool {
	return strings.HasPrefix(name, "critic.") || ofValueHead(name)
}

// ofValueHead reports whether a tensor is the value head's.
func ofValueHead(name string) bool { return strings.HasPrefix(name, "value.") }

// weightsOf reads the weights of a trained policy with the same observations and actions, and the known facts of its training.
func weightsOf(p *selfplay.Play, path string, opt Options) (w weights, cfg selfplay.Config, err error) {
	if file, ok := policy.File(path); ok || policy.IsBundle(path) {
		if !ok {
			file = path
		}
		return bundledWeights(p, file)
	}
	trained, err := LoadPolicy(path, p.Config.Device, p.Config.Threads, opt)
	if err != nil {
		return w, cfg, err
	}
	defer trained.Close()
	cfg = trained.Config.Config
	scale := trained.norm.Scale()
	w = weights{from: trained.Path, steps: trained.Steps, scale: &scale}
	if w.tensors, err = trained.net.Weights(); err != nil {
		return w, cfg, err
	}
	if err := sameViews(&cfg, &p.Config); err != nil {
		return w, cfg, fmt.Errorf("%s %w", w.from, err)
	}
	return w, cfg, nil
}

// sameViews refuses to continue a training with other observations or actions. What the critic alone sees does not count.
func sameViews(trained, c *selfplay.Config) error {
	before, err := encoderOf(trained.Game)
	if err != nil {
		return err
	}
	e, err := encoderOf(c.Game)
	if err != nil {
		return err
	}
	then, now := *trained, *c
	now.PerfectCritic, then.PerfectCritic, then.Network = false, false, now.Network
	if then.SchemaHash(before) != now.SchemaHash(e) {
		return fmt.Errorf("was trained on %s, whose observations or actions are not those of %s", trained.Game, c.Game)
	}
	return nil
}

// bundledWeights are those of a bundle, whose values are returns.
func bundledWeights(p *selfplay.Play, path string) (w weights, cfg selfplay.Config, err error) {
	w = weights{from: path}
	b, err := policy.Find(path)
	if err != nil {
		return w, cfg, err
	}
	e, err := b.Encoder(p.Game)
	if err != nil {
		return w, cfg, fmt.Errorf("%s: %w", path, err)
	}
	if b.ReadsActions() && p.Encoder.ActionSchema() != nil && e.ActionSchema().Hash() != p.Encoder.ActionSchema().Hash() {
		return w, cfg, fmt.Errorf("%s reads other rows of actions than %s has: want the advice of %s, which it was trained on", path, p.Config.Game, b.Game)
	}
	if a := b.Network.Activation; a != "relu" {
		return w, cfg, fmt.Errorf("%s has the activation %s: hidden layers in training are relu", path, a)
	}
	for _, one := range b.Weights {
		data, err := one.Floats()
		if err != nil {
			return w, cfg, fmt.Errorf("%s: %w", path, err)
		}
		w.tensors = append(w.tensors, learner.Tensor{Name: one.Name, Shape: one.Shape, Data: data})
	}
	w.scale = &selfplay.Scale{Mean: 0, Deviation: 1}
	cfg = selfplay.Config{Game: b.Game, Network: b.Network.Name, Hidden: b.Network.Hidden, RowHidden: b.Network.RowHidden}
	return w, cfg, nil
}
