package train

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/learner"
)

// Validate checks every field and completes Game to its canonical game string.
// The error names the field, its value and what is wanted. What only one algorithm needs is checked beside it.
func (c *Config) Validate() error {
	g, err := c.validateGame()
	if err != nil {
		return err
	}
	for _, check := range []func(engine.Game) error{
		c.validateGames, c.validateOpponents, c.validateEvaluation, c.validateNumbers, c.validateSchedule, c.validateWords, c.validateAlgorithm,
		c.validateNetwork, c.validateRun,
	} {
		if err := check(g); err != nil {
			return err
		}
	}
	return nil
}

// validateGame makes the game, and completes its string.
func (c *Config) validateGame() (engine.Game, error) {
	if c.Game == "" && len(c.Games) > 0 {
		c.Game = c.Games[0]
	}
	if c.Game == "" {
		return nil, fmt.Errorf("game: not given: want a game string, such as leduc or doubloons(seats=4)")
	}
	g, err := engine.NewGame(c.Game)
	if err != nil {
		return nil, fmt.Errorf("game: %w", err)
	}
	if g.Info().Explicit {
		return nil, fmt.Errorf("game: %s: chance=explicit asks for chance as decisions; training needs chance=sampled", c.Game)
	}
	c.Game = g.Info().Config
	return g, nil
}

// validateGames checks the configurations that are learnt side by side, and completes them.
func (c *Config) validateGames(first engine.Game) error {
	if len(c.Games) == 0 {
		return nil
	}
	if c.Algorithm != "ppo" && c.Algorithm != imitation && len(c.Games) > 1 {
		return fmt.Errorf("games: %d: algorithm %s learns one: want ppo or %s", len(c.Games), c.Algorithm, imitation)
	}
	if n := len(c.GameShares); n != 0 && n != len(c.Games) {
		return fmt.Errorf("game_shares: %d for %d games: want one for each, or none", n, len(c.Games))
	}
	for _, x := range c.GameShares {
		if !(x > 0) || math.IsInf(x, 0) {
			return fmt.Errorf("game_shares: %v: want numbers above 0", x)
		}
	}
	if len(c.Games) > c.NumEnvs {
		return fmt.Errorf("games: %d for %d environments: want an environment for each", len(c.Games), c.NumEnvs)
	}
	seen := map[string]bool{}
	for i, name := range c.Games {
		g, err := engine.NewGame(name)
		if err != nil {
			return fmt.Errorf("games: %w", err)
		}
		switch info := g.Info(); {
		case info.Game != first.Info().Game:
			return fmt.Errorf("games: %s: one network learns configurations of one game, here of %s", name, first.Info().Game)
		case info.Explicit:
			return fmt.Errorf("games: %s: chance=explicit asks for chance as decisions; training needs chance=sampled", name)
		case i == 0 && info.Config != c.Game:
			return fmt.Errorf("games: %s: the first is game, %s", name, c.Game)
		case seen[info.Config]:
			return fmt.Errorf("games: %s is there twice", info.Config)
		}
		c.Games[i] = g.Info().Config
		seen[c.Games[i]] = true
		if err := sameLayout(first, g); err != nil {
			return fmt.Errorf("games: %w", err)
		}
	}
	return nil
}

// sameLayout refuses games that do not show the same.
func sameLayout(a, b engine.Game) error {
	x, err := encode.For(a)
	if err != nil {
		return err
	}
	y, err := encode.For(b)
	if err != nil {
		return err
	}
	rows := func(e *encode.Encoder) string {
		if s := e.ActionSchema(); s != nil {
			return s.Hash()
		}
		return ""
	}
	if x.Schema().Hash() != y.Schema().Hash() || x.FullSchema().Hash() != y.FullSchema().Hash() || rows(x) != rows(y) {
		return fmt.Errorf("%s and %s have observations or actions of different layouts: no network can learn both", a.Info().Config, b.Info().Config)
	}
	return nil
}

// validateOpponents checks who plays besides the network.
func (c *Config) validateOpponents(g engine.Game) error {
	largest := g.Info()
	for _, name := range c.games() {
		other, err := engine.NewGame(name)
		if err != nil {
			return err
		}
		if other.Info().Seats > largest.Seats {
			largest = other.Info()
		}
	}
	if most := largest.Seats - 1; len(c.Opponents) > most {
		return fmt.Errorf("opponents: %d: want at most %d, so that a seat of %s is left to learn", len(c.Opponents), most, largest.Config)
	}
	if err := c.validateLeague(g); err != nil {
		return err
	}
	if _, err := c.opponentsGame(g); err != nil {
		return fmt.Errorf("opponents_objective: %w", err)
	}
	for _, name := range c.Opponents {
		if name == leagueOpponent {
			continue
		}
		if err := policy.CheckName(name, g); err != nil {
			return fmt.Errorf("opponents: %w", err)
		}
	}
	return nil
}

// validateEvaluation completes the game string that is evaluated.
func (c *Config) validateEvaluation(g engine.Game) error {
	if c.EvalGame != "" {
		e, err := engine.NewGame(c.EvalGame)
		if err != nil {
			return fmt.Errorf("eval_game: %w", err)
		}
		if e.Info().Game != g.Info().Game {
			return fmt.Errorf("eval_game: %s: a policy for %s cannot play it", c.EvalGame, g.Info().Game)
		}
		c.EvalGame = e.Info().Config
	}
	return nil
}

// validateNumbers checks that numbers are in their ranges.
func (c *Config) validateNumbers(engine.Game) error {
	at := func(name string, v, least float64) error {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < least {
			return fmt.Errorf("%s: %v: want a number of at least %v", name, v, least)
		}
		return nil
	}
	share := func(name string, v float64) error {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("%s: %v: want a number from 0 to 1", name, v)
		}
		return nil
	}
	positive := func(name string, v float64) error {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: %v: want a number above 0", name, v)
		}
		return nil
	}
	for _, err := range []error{
		at("total_timesteps", float64(c.TotalTimesteps), 1),
		at("num_envs", float64(c.NumEnvs), 1),
		at("num_steps", float64(c.NumSteps), 1),
		at("max_decisions", float64(c.MaxDecisions), 0),
		share("gamma", c.Gamma), share("gae_lambda", c.GAELambda),
		positive("learning_rate", c.LearningRate), positive("temperature", c.Temperature),
		share("random_moves", c.RandomMoves), share("student_moves", c.StudentMoves), share("random_moves and student_moves", c.RandomMoves+c.StudentMoves),
		at("held_out", float64(c.HeldOut), 0), at("label_passes", float64(c.LabelPasses), 1),
		share("label_share", c.LabelShare), at("rollout_worlds", float64(c.RolloutWorlds), 2), at("rollout_best", float64(c.RolloutBest), 0),
		at("past_every", float64(c.PastEvery), 1), at("past_selves", float64(c.PastSelves), 1), positive("eta", c.Eta), at("tau", c.Tau, 0), at("tau_final", c.TauFinal, 0),
		at("update_epochs", float64(c.UpdateEpochs), 1),
		at("num_minibatches", float64(c.NumMinibatches), 1),
		at("minibatch_size", float64(c.MinibatchSize), 0),
		positive("clip_coef", c.ClipCoef),
		at("ent_coef", c.EntCoef, 0), at("ent_coef_final", c.EntCoefFinal, 0),
		at("learning_rate_final", c.LearningRateFinal, 0), positive("advantage_filter", c.AdvantageFilter), share("advantage_filter", c.AdvantageFilter), positive("advantage_sample", c.AdvantageSample), share("advantage_sample", c.AdvantageSample),
		at("kl_coef", c.KLCoef, 0), at("magnet_coef", c.MagnetCoef, 0), at("magnet_coef_final", c.MagnetCoefFinal, 0),
		at("past_every", float64(c.PastEvery), 1), at("past_selves", float64(c.PastSelves), 1),
		at("past_gate", c.PastGate, 0), at("past_gate_matches", float64(c.PastGateMatches), 100),
		positive("late_from", c.LateFrom), share("late_from", c.LateFrom), at("late_steps", float64(c.LateSteps), 0), at("late_minibatch_size", float64(c.LateMinibatchSize), 0),
		at("magnet_every", float64(c.MagnetEvery), 1), at("warmup_updates", float64(c.WarmupUpdates), 0),
		at("vf_coef", c.VfCoef, 0), at("others_coef", c.OthersCoef, 0), at("max_grad_norm", c.MaxGradNorm, 0), at("target_kl", c.TargetKL, 0),
		at("eval_every", float64(c.EvalEvery), 0), at("eval_matches", float64(c.EvalMatches), 0),
		share("average_from", c.AverageFrom),
		at("checkpoint_every", float64(c.CheckpointEvery), 0), at("keep_checkpoints", float64(c.KeepCheckpoints), 1),
		at("workers", float64(c.Workers), 0), at("threads", float64(c.Threads), 0),
	} {
		if err != nil {
			return err
		}
	}
	if c.AdvantageFilter < 1 && c.AdvantageSample < 1 {
		return fmt.Errorf("advantage_filter and advantage_sample: %v and %v: each chooses what is learnt from: one of them must be 1", c.AdvantageFilter, c.AdvantageSample)
	}
	if c.PastGate >= 50 {
		return fmt.Errorf("past_gate: %v: want a number below 50, which is all that a side can win beyond half", c.PastGate)
	}
	// Beyond these nothing could be counted, or allocated.
	const mostRows = 1 << 26
	for _, n := range []struct {
		name        string
		value, most int64
	}{
		{"total_timesteps", c.TotalTimesteps, 1 << 53}, {"eval_matches", int64(c.EvalMatches), 10_000_000}, {"held_out", int64(c.HeldOut), mostRows},
		{"workers", int64(c.Workers), 4096}, {"threads", int64(c.Threads), 4096},
	} {
		if n.value > n.most {
			return fmt.Errorf("%s: %d: want at most %d", n.name, n.value, n.most)
		}
	}
	if steps := max(c.NumSteps, c.LateSteps); int64(c.NumEnvs) > mostRows || int64(steps) > mostRows || int64(c.NumEnvs)*int64(steps) > mostRows {
		return fmt.Errorf("num_envs × num_steps: %d × %d: want at most %d decisions an update", c.NumEnvs, steps, mostRows)
	}
	return nil
}

// validateAlgorithm checks what the algorithms need, each by itself.
func (c *Config) validateAlgorithm(g engine.Game) error {
	validate := map[string]func(engine.Game) error{"ppo": c.validatePPO, imitation: c.validateImitation, counterfactualRollouts: c.validateRollouts}[c.Algorithm]
	if validate == nil {
		return fmt.Errorf("algorithm: %q: want ppo, %s or %s", c.Algorithm, counterfactualRollouts, imitation)
	}
	return validate(g)
}

// validateWords checks settings that are one of several words.
func (c *Config) validateWords(engine.Game) error {
	if c.Preset != "" && presets[c.Preset] == nil {
		return fmt.Errorf("preset: %q: want damped, or nothing", c.Preset)
	}
	switch c.Magnet {
	case uniformMagnet, initialMagnet, pastMagnet:
	default:
		return fmt.Errorf("magnet: %q: want %s, %s or %s", c.Magnet, uniformMagnet, initialMagnet, pastMagnet)
	}
	if c.Targets != hardTargets && c.Targets != softTargets && c.Targets != updateTargets {
		return fmt.Errorf("targets: %q: want %s, %s or %s", c.Targets, hardTargets, softTargets, updateTargets)
	}
	if c.Critic != valueCritic && c.Critic != actionCritic {
		return fmt.Errorf("critic: %q: want %s or %s", c.Critic, valueCritic, actionCritic)
	}
	if c.Values != ownValue && c.Values != allValues {
		return fmt.Errorf("values: %q: want %s or %s", c.Values, ownValue, allValues)
	}
	if c.Critic == actionCritic && c.Algorithm != "ppo" {
		return fmt.Errorf("critic: %s: algorithm %s learns no advantages: want ppo", c.Critic, c.Algorithm)
	}
	return nil
}

// validateNetwork checks what the network is made of.
func (c *Config) validateNetwork(engine.Game) error {
	if !slices.Contains(learner.Networks(), c.Network) {
		return fmt.Errorf("network: %q: want %s", c.Network, strings.Join(learner.Networks(), " or "))
	}
	for name, widths := range map[string][]int{"hidden": c.Hidden, "row_hidden": c.RowHidden} {
		if len(widths) == 0 {
			return fmt.Errorf("%s: empty: want the width of at least one layer", name)
		}
		for _, w := range widths {
			if w < 1 || w > 1<<16 {
				return fmt.Errorf("%s: %v: want widths from 1 to %d", name, widths, 1<<16)
			}
		}
	}
	if c.Activation != "relu" && c.Activation != "silu" {
		return fmt.Errorf("activation: %q: want relu or silu", c.Activation)
	}
	return nil
}

// validateRun checks where the training runs, and what it is called.
func (c *Config) validateRun(engine.Game) error {
	if c.Device != "cpu" && c.Device != "cuda" {
		return fmt.Errorf("device: %q: want cpu or cuda", c.Device)
	}
	if c.Exp == "" || strings.ContainsAny(c.Exp, "/\\ \t\n") || strings.HasPrefix(c.Exp, ".") {
		return fmt.Errorf("exp: %q: want a name that can be part of a folder's name", c.Exp)
	}
	return nil
}
