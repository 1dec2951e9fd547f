package train

import (
	"fmt"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/train/learner"
)

// beginWith takes over the weights of a trained policy: of a run folder, a checkpoint, or a bundle, which is named as the bot that
// plays by it (policy:captain-1) or by its path. Optimiser and schedules begin anew. So does a critic that reads something
// else than the other's; one that is taken over goes on saying what it said, in the unit in which it learnt to.
func (t *trainer) beginWith(path string, opt Options) error {
	from, cfg, err := t.weightsOf(path, opt)
	if err != nil {
		return fmt.Errorf("init_from: %w", err)
	}
	if a, b := cfg.Network, t.cfg.Network; a != b {
		return fmt.Errorf("init_from: %s has the network %s, not %s: set network: %s", from.from, a, b, a)
	}
	if a, b := cfg.Activation, t.cfg.Activation; a != b {
		return fmt.Errorf("init_from: %s has activation %s, not %s: set activation: %s", from.from, a, b, a)
	}
	critic := cfg.PerfectCritic == t.cfg.PerfectCritic && from.told() > 0
	if critic {
		t.judgeAs(&from, cfg)
	}
	tensors, err := t.learner.Weights()
	if err != nil {
		return fmt.Errorf("init_from: %w", err)
	}
	for i, to := range tensors {
		if !critic && ofCritic(to.Name) {
			continue
		}
		k := slices.IndexFunc(from.tensors, func(one learner.Tensor) bool { return one.Name == to.Name })
		if k < 0 && ofCritic(to.Name) { // the other's said less
			continue
		}
		if k >= 0 && ofValueHead(to.Name) && len(from.tensors[k].Data) != len(to.Data) {
			own := len(to.Data) / t.rollout.outlook.size() // both tell the seat's own return, and that first
			copy(to.Data[:own], from.tensors[k].Data)
			continue
		}
		if k < 0 || !slices.Equal(from.tensors[k].Shape, to.Shape) {
			return fmt.Errorf("init_from: %s has hidden %v and row_hidden %v, not %v and %v: its %s is another", from.from, cfg.Hidden, cfg.RowHidden, t.cfg.Hidden, t.cfg.RowHidden, to.Name)
		}
		tensors[i] = from.tensors[k]
	}
	if err := t.learner.SetWeights(tensors); err != nil {
		return fmt.Errorf("init_from: %s: %w", from.from, err)
	}
	if t.magnet != nil {
		if err := learner.Copy(t.magnet.net, t.learner); err != nil {
			return fmt.Errorf("init_from: magnet: %w", err)
		}
	}
	return nil
}

// judgeAs brings another's value head to the trainer's scales. If returns are normalised, the trainer takes over how instead; if they
// are those of another game, they stay as they are.
func (t *trainer) judgeAs(from *weights, cfg Config) {
	sameReturns := cfg.gameAfter(from.steps) == t.cfg.Game
	if sameReturns && t.cfg.NormValue {
		t.norm.begin(from.scales[0].mean, from.scales[0].deviation)
	}
	units, own := slices.Clone(from.scales), t.scales()
	for k := range min(len(units), len(own)) {
		if k >= t.rollout.outlook.seats || sameReturns && !t.cfg.NormValue {
			units[k] = own[k]
		}
	}
	for i, tensor := range from.tensors {
		if ofValueHead(tensor.Name) {
			from.tensors[i].Data = from.inUnits(tensor, units)
		}
	}
}

// ofCritic reports whether a tensor is the critic's alone.
func ofCritic(name string) bool {
	return strings.HasPrefix(name, "critic.") || ofValueHead(name)
}

// ofValueHead reports whether a tensor is the value head's.
func ofValueHead(name string) bool { return strings.HasPrefix(name, "value.") }

// weightsOf reads the weights of a trained policy that sees and does what the trainer's does, and what is known of its training.
func (t *trainer) weightsOf(path string, opt Options) (w weights, cfg Config, err error) {
	if file, ok := policy.File(path); ok || policy.IsBundle(path) {
		if !ok {
			file = path
		}
		return t.bundledWeights(file)
	}
	trained, err := LoadPolicy(path, t.cfg.Device, t.cfg.Threads, opt)
	if err != nil {
		return w, cfg, err
	}
	defer trained.Close()
	cfg = trained.Config
	w = weights{from: trained.Path, steps: trained.Steps, scales: cfg.outlook().scales(trained.norm, nil)}
	if w.tensors, err = trained.net.Weights(); err != nil {
		return w, cfg, err
	}
	e, err := encoderOf(cfg.Game)
	if err != nil {
		return w, cfg, err
	}
	now, then := t.cfg, cfg
	now.PerfectCritic, then.PerfectCritic, then.Network = false, false, now.Network
	if schemaHash(then, e) != schemaHash(now, t.encoder) {
		return w, cfg, fmt.Errorf("%s was trained on %s, whose observations or actions are not those of %s", w.from, cfg.Game, t.cfg.Game)
	}
	return w, cfg, nil
}

// bundledWeights are those of a bundle, whose values are returns.
func (t *trainer) bundledWeights(path string) (w weights, cfg Config, err error) {
	w = weights{from: path}
	b, err := policy.Find(path)
	if err != nil {
		return w, cfg, err
	}
	if err := b.Fits(t.game); err != nil {
		return w, cfg, fmt.Errorf("%s: %w", path, err)
	}
	for _, one := range b.Weights {
		data, err := one.Floats()
		if err != nil {
			return w, cfg, fmt.Errorf("%s: %w", path, err)
		}
		w.tensors = append(w.tensors, learner.Tensor{Name: one.Name, Shape: one.Shape, Data: data})
	}
	w.scales = slices.Repeat([]scale{{0, 1}}, b.Values())
	cfg = Config{Game: b.Game, Network: b.Network.Name, Hidden: b.Network.Hidden, RowHidden: b.Network.RowHidden, Activation: b.Network.Activation}
	return w, cfg, nil
}
