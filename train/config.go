package train

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
)

// Config is a whole experiment. Its names are CleanRL's wherever CleanRL has one;
// the same names, with dashes for underscores, are the flags of `privateer
// train`. The zero value is not useful: start from [DefaultConfig].
type Config struct {
	Game       string    `yaml:"game" help:"game string, such as leduc or doubloons(seats=4)"`
	Games      []string  `yaml:"games,flow" help:"ppo, imitate: configurations of the game that one network learns side by side, the first of them as game; empty: game alone"`
	GameShares []float64 `yaml:"game_shares,flow" help:"how many of the environments play each of them; empty: equally many"`
	Exp        string    `yaml:"exp" help:"name of the experiment, part of the run folder's name"`
	Seed       uint64    `yaml:"seed" help:"root of every generator of the run"`

	Algorithm string `yaml:"algorithm" help:"ppo: learn by self-play; rollouts: learn by self-play from what other actions would have come to; imitate: learn to do what the teacher does"`

	Preset string `yaml:"preset" help:"settings to begin with: damped (ppo: small steps from where the policy is, drawn to a magnet; each can be changed by its own name)"`

	Teacher      string   `yaml:"teacher" help:"imitate: bot to learn from, such as heuristic, search(rollouts=24) or policy:BUNDLE"`
	Teachers     []string `yaml:"teachers,flow" help:"imitate: the bots to learn from, one for each of games; empty: teacher in all"`
	Targets      string   `yaml:"targets" help:"imitate: hard: the teacher's choice; soft: the softmax of what it says the actions are worth, or of a policy its own chances; update: a search's prior, moved by a step towards that"`
	Temperature  float64  `yaml:"temperature" help:"imitate: of targets that are not hard, in the unit of the teacher's values; for update: 1 by the size of the step"`
	RandomMoves  float64  `yaml:"random_moves" help:"imitate: share of moves played at random, to see more than the teacher's own matches"`
	StudentMoves float64  `yaml:"student_moves" help:"imitate: share of moves that the network plays itself (DAgger)"`
	Labels       string   `yaml:"labels" help:"imitate: folder of what privateer gather wrote down of the teacher; empty: the teacher is asked now"`
	LabelPasses  int      `yaml:"label_passes" help:"imitate: most passes over the labels: if total_timesteps are more decisions than they have, all matches begin again"`
	HeldOut      int      `yaml:"held_out" help:"imitate: decisions, of matches that are not learnt from, on which the network is compared with the teacher"`

	LabelShare      float64   `yaml:"label_share" help:"rollouts: share of the decisions, of those with a choice, that are played on and learnt from"`
	RolloutWorlds   int       `yaml:"rollout_worlds" help:"rollouts: worlds in which the legal actions of such a decision are tried"`
	RolloutSchedule string    `yaml:"rollout_schedule" help:"rollouts: equal: each action in so many worlds; halving: ever fewer actions, the last of them in more, at the same cost"`
	RolloutBest     int       `yaml:"rollout_best" help:"rollouts: try only this many actions, the network's likeliest; 0: all"`
	RolloutHidden   string    `yaml:"rollout_hidden" help:"rollouts: redealt: what the seat cannot know is dealt again in each world; actual: it is as it is, but for what chance will decide"`
	RolloutHorizon  string    `yaml:"rollout_horizon" help:"rollouts: where one is cut and judged: round, a number of rounds, end, auto (what is best in the game)"`
	RolloutValue    string    `yaml:"rollout_value" help:"rollouts: what judges it there: auto (the game's own judgement), self (the network's value head), or a bot that can"`
	RolloutPlayers  []string  `yaml:"rollout_players,flow" help:"rollouts: who plays them: self (the network), past (it, earlier in the run), or bots"`
	RolloutShares   []float64 `yaml:"rollout_shares,flow" help:"rollouts: how often a seat has each of these players; empty: equally often"`
	Eta             float64   `yaml:"eta" help:"rollouts: size of the step: by how much the log-probability of an action grows that leads as actions typically do"`
	Tau             float64   `yaml:"tau" help:"rollouts: pull of the step towards equal chances, at the start"`
	TauFinal        float64   `yaml:"tau_final" help:"rollouts: the same at the end"`

	Opponents          []string `yaml:"opponents,flow" help:"bots (or policy:BUNDLE, or league) that have a seat in every match of the training, drawn again each time; of several games a smaller one takes the first of them that leave a seat to learn; empty: self-play alone"`
	OpponentsObjective string   `yaml:"opponents_objective" help:"what opponents play for (win, rank, margin), such as win while the network is paid for its lead; empty: what game pays"`

	League          []string  `yaml:"league,flow" help:"who an opponent named league is, drawn anew for each match: bots, policy:BUNDLE, past (the network as it was earlier in the run)"`
	LeagueShares    []float64 `yaml:"league_shares,flow" help:"how often each of them is met; empty: equally often"`
	LeagueBy        string    `yaml:"league_by" help:"shares: by league_shares alone; learning: times how much is learnt against it, the mean size of advantages"`
	PastEvery       int       `yaml:"past_every" help:"updates between past selves that are kept"`
	PastSelves      int       `yaml:"past_selves" help:"past selves to keep, the newest"`
	PastGate        float64   `yaml:"past_gate" help:"league: points of a hundred by which a past self must be better than the one before it to enter, by a sequential test; 0: all enter"`
	PastGateMatches int       `yaml:"past_gate_matches" help:"league: most matches of that test"`

	TotalTimesteps int64   `yaml:"total_timesteps" help:"decisions to collect, over all environments and seats"`
	NumEnvs        int     `yaml:"num_envs" help:"matches played side by side"`
	NumSteps       int     `yaml:"num_steps" help:"decisions of each match between two updates"`
	MaxDecisions   int     `yaml:"max_decisions" help:"truncate a match after this many decisions of its learning seats; 0: never"`
	Gamma          float64 `yaml:"gamma" help:"discount from one decision of a seat to its next"`
	GAELambda      float64 `yaml:"gae_lambda" help:"λ of generalised advantage estimation"`

	LearningRate      float64 `yaml:"learning_rate" help:"Adam's step size, at the start when annealed"`
	AnnealLR          bool    `yaml:"anneal_lr" help:"change the learning rate to learning_rate_final over the run"`
	LearningRateFinal float64 `yaml:"learning_rate_final" help:"Adam's step size at the end, when annealed; 0: it falls linearly to 0"`
	Schedule          string  `yaml:"schedule" help:"linear or geometric: how what has a final value gets there"`
	UpdateEpochs      int     `yaml:"update_epochs" help:"passes over the collected decisions in each update"`
	NumMinibatches    int     `yaml:"num_minibatches" help:"minibatches of each pass; not used when minibatch_size is set"`
	MinibatchSize     int     `yaml:"minibatch_size" help:"most decisions in a minibatch; 0: by num_minibatches"`
	NormAdv           bool    `yaml:"norm_adv" help:"normalise advantages over each minibatch"`
	NormValue         bool    `yaml:"norm_value" help:"train the critic on returns of mean 0 and deviation 1"`
	ClipCoef          float64 `yaml:"clip_coef" help:"clipping of the probability ratio"`
	ClipVLoss         bool    `yaml:"clip_vloss" help:"clip the value loss too"`
	EntCoef           float64 `yaml:"ent_coef" help:"weight of the entropy (as a share of the largest possible) at the start"`
	EntCoefFinal      float64 `yaml:"ent_coef_final" help:"weight of the entropy at the end"`
	VfCoef            float64 `yaml:"vf_coef" help:"weight of the value loss"`
	OthersCoef        float64 `yaml:"others_coef" help:"values of seats: weight of the mean error of all that the value head tells but the return of the seat that decides, in the unit of that one's"`
	MaxGradNorm       float64 `yaml:"max_grad_norm" help:"norm to which gradients are clipped; 0: no clipping"`
	AdvantageFilter   float64 `yaml:"advantage_filter" help:"share of the decisions, those with the largest advantages, that the policy learns from; the value learns from these and as many of the others; 1: all"`
	AdvantageSample   float64 `yaml:"advantage_sample" help:"share of the decisions that an epoch learns from, drawn anew with chances that grow with their advantages and weighed so that they stand for all; 1: all"`
	KLCoef            float64 `yaml:"kl_coef" help:"weight of the divergence from the policy to the one that collected, in nats"`
	Magnet            string  `yaml:"magnet" help:"what the policy is drawn to: uniform (equal chances), initial (the policy of the start), past (an average of past policies)"`
	MagnetCoef        float64 `yaml:"magnet_coef" help:"weight of the divergence from the policy to the magnet, in nats, at the start"`
	MagnetCoefFinal   float64 `yaml:"magnet_coef_final" help:"the same at the end"`
	MagnetEvery       int     `yaml:"magnet_every" help:"past: updates after which the magnet moves half the way to the policy"`
	WarmupUpdates     int     `yaml:"warmup_updates" help:"updates at the start in which the critic learns alone"`
	TargetKL          float64 `yaml:"target_kl" help:"stop an update's passes when the policy has moved this far; 0: never"`

	Network       string `yaml:"network" help:"mlp: a score for every action of the game; entity: scores legal actions by rows that say what they do"`
	Hidden        []int  `yaml:"hidden,flow" help:"widths of the hidden layers"`
	RowHidden     []int  `yaml:"row_hidden,flow" help:"entity: widths of the layers that read an action's row"`
	Activation    string `yaml:"activation" help:"relu or silu"`
	PerfectCritic bool   `yaml:"perfect_critic" help:"let the critic, and only it, see hidden information"`
	Critic        string `yaml:"critic" help:"ppo: value: tells what a seat can expect; actions: also what each legal action leads by, which keeps the luck of later choices out of advantages (VRPO); needs perfect_critic"`
	Values        string `yaml:"values" help:"seat: the value head tells what the seat that decides can still expect; seats: that of every seat, and in games of points each seat's chance to win and its margin in points"`
	InitFrom      string `yaml:"init_from" help:"run folder, checkpoint or policy:BUNDLE whose weights to begin with; empty: fresh ones"`

	EvalEvery      int      `yaml:"eval_every" help:"updates between evaluations; 0: only at the end"`
	EvalMatches    int      `yaml:"eval_matches" help:"least matches against each bot and for each seating; 0: none"`
	EvalGame       string   `yaml:"eval_game" help:"game string to evaluate, such as the same game with another objective; empty: game"`
	EvalBots       []string `yaml:"eval_bots,flow" help:"bots (or policy:BUNDLE) to evaluate against"`
	EvalGreedy     bool     `yaml:"eval_greedy" help:"evaluate the likeliest action instead of sampling; what is exported plays so too"`
	Exploitability bool     `yaml:"exploitability" help:"compute exact exploitability at evaluations (small games only)"`
	AverageFrom    float64  `yaml:"average_from" help:"share of the run after which policies enter the average whose exploitability is measured"`

	CheckpointEvery int `yaml:"checkpoint_every" help:"updates between checkpoints; 0: only at the end"`
	KeepCheckpoints int `yaml:"keep_checkpoints" help:"newest checkpoints to keep, besides the best"`

	LateFrom          float64 `yaml:"late_from" help:"ppo: share of the run from which on what is named late holds"`
	LateGame          string  `yaml:"late_game" help:"ppo: game string of the late part, such as the same game with objective win; empty: game"`
	LateSteps         int     `yaml:"late_steps" help:"ppo: num_steps of the late part; 0: num_steps"`
	LateMinibatchSize int     `yaml:"late_minibatch_size" help:"ppo: minibatch_size of the late part; 0: minibatch_size"`

	Device  string `yaml:"device" help:"cpu or cuda"`
	Workers int    `yaml:"workers" help:"goroutines that step the environments; 0: one a core"`
	Threads int    `yaml:"threads" help:"threads that learn; 0: one a core"`
}

// DefaultConfig is the recipe to start from: large batches, high entropy
// annealed, small clip.
func DefaultConfig() Config {
	return Config{
		Games: []string{}, GameShares: []float64{}, Teachers: []string{},
		Exp: "ppo", Seed: 1, Opponents: []string{},
		Algorithm: "ppo", Targets: hardTargets, Temperature: 0.1, LabelPasses: 1, HeldOut: 4000,
		LabelShare: 0.25, RolloutWorlds: 16, RolloutSchedule: "equal", RolloutHidden: redealtWorlds, RolloutHorizon: "auto", RolloutValue: "auto",
		RolloutPlayers: []string{selfPlayer}, RolloutShares: []float64{}, Eta: 1,
		TotalTimesteps: 2_000_000, NumEnvs: 256, NumSteps: 64, Gamma: 1, GAELambda: 0.95,
		LearningRate: 2.5e-4, AnnealLR: true, UpdateEpochs: 3, NumMinibatches: 4,
		NormAdv: true, NormValue: true, ClipCoef: 0.1, EntCoef: 0.05, EntCoefFinal: 0.01,
		VfCoef: 0.5, OthersCoef: 1, MaxGradNorm: 0.5, League: []string{}, LeagueShares: []float64{}, LeagueBy: byShares, PastEvery: 10, PastSelves: 4, PastGateMatches: 2000, Schedule: linearly, LateFrom: 0.67, AdvantageFilter: 1, AdvantageSample: 1, Magnet: uniformMagnet, MagnetEvery: 20,
		Network: "mlp", Hidden: []int{256, 256}, RowHidden: []int{128, 64}, Activation: "relu", Critic: valueCritic, Values: ownValue,
		EvalEvery: 20, EvalMatches: 400, EvalBots: []string{"random"}, AverageFrom: 0.5,
		CheckpointEvery: 10, KeepCheckpoints: 3,
		Device: "cpu",
	}
}

// DefaultImitation is the recipe to start from for imitation: as many decisions as there is time for, each learnt from
// twice.
func DefaultImitation() Config {
	c := DefaultConfig()
	c.Algorithm, c.Exp, c.Teacher = imitation, "imitate", "heuristic"
	c.LearningRate, c.UpdateEpochs, c.MinibatchSize, c.MaxGradNorm = 1e-3, 2, 1024, 1
	return c
}

// DefaultRollouts is the recipe to start from for counterfactual rollouts: every label is learnt from twice, and no bonus
// for entropy is needed, since targets are as sure as the labels are.
func DefaultRollouts() Config {
	c := DefaultConfig()
	c.Algorithm, c.Exp = counterfactualRollouts, counterfactualRollouts
	c.LearningRate, c.UpdateEpochs, c.MinibatchSize, c.MaxGradNorm = 3e-4, 2, 512, 1
	c.EntCoef, c.EntCoefFinal = 0, 0
	return c
}

// defaultsOf are the configurations to start from, by algorithm.
var defaultsOf = map[string]func() Config{"ppo": DefaultConfig, imitation: DefaultImitation, counterfactualRollouts: DefaultRollouts}

// presets are settings to begin with, by name.
var presets = map[string]func(*Config){"damped": damped}

// damped is PPO that learns from the decisions that matter, in one pass, and stays near the policy that collected
// and near equal chances, less and less: Ataraxos' recipe ("Superhuman AI for Stratego using self-play reinforcement
// learning and test-time search", 2025) for runs of minutes.
func damped(c *Config) {
	c.Algorithm, c.Schedule, c.ClipCoef, c.UpdateEpochs, c.MaxGradNorm = "ppo", geometrically, 0.2, 1, 0.3
	c.LearningRate, c.LearningRateFinal = 5e-4, 2e-5
	c.AdvantageFilter, c.KLCoef, c.WarmupUpdates = 0.25, 0.1, 4
	c.Magnet, c.MagnetCoef, c.MagnetCoefFinal = uniformMagnet, 0.02, 0.001
	c.EntCoef, c.EntCoefFinal = 0, 0
}

// DefaultsOf are the defaults of an algorithm, if there is one of that name.
func DefaultsOf(algorithm string) (Config, bool) {
	begin := defaultsOf[algorithm]
	if begin == nil {
		return Config{}, false
	}
	return begin(), true
}

// LoadConfig reads a YAML file over the defaults, of the algorithm that it names. Unknown keys are errors that
// name the key and the one that was probably meant. The result is not yet
// validated: flags may still change it.
func LoadConfig(path string) (Config, error) {
	data, err := durable.ReadText(path)
	if err != nil {
		return Config{}, fmt.Errorf("read configuration: %w", err)
	}
	c, err := ParseConfig(data)
	if err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// ParseConfig is LoadConfig for text.
func ParseConfig(data []byte) (Config, error) {
	c := DefaultConfig()
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return c, fmt.Errorf("configuration is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(doc.Content) == 0 {
		return c, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return c, fmt.Errorf("configuration, line %d: want lines of the form name: value", root.Line)
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if defaults, ok := DefaultsOf(root.Content[i+1].Value); ok && root.Content[i].Value == "algorithm" {
			c = defaults
		}
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if apply := presets[root.Content[i+1].Value]; root.Content[i].Value == "preset" && apply != nil {
			apply(&c)
		}
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if seen[key.Value] {
			return c, fmt.Errorf("configuration, line %d: %s is given twice", key.Line, key.Value)
		}
		seen[key.Value] = true
		if err := c.set(key.Value, value); err != nil {
			return c, fmt.Errorf("configuration, line %d: %w", key.Line, err)
		}
	}
	return c, nil
}

// Set changes one field from text, as flags do: Set("hidden", "128,128").
// Dashes in the name are read as underscores. A preset changes all that it is about.
func (c *Config) Set(name, value string) error {
	name = strings.ReplaceAll(name, "-", "_")
	if apply := presets[value]; name == "preset" && apply != nil {
		apply(c)
	}
	f, err := c.field(name)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(value)
	if f.Kind() == reflect.Slice && !strings.HasPrefix(text, "[") {
		text = "[" + text + "]"
	}
	node := yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
	if f.Kind() != reflect.String {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc.Content) == 0 {
			return fmt.Errorf("%s: cannot read %q as %s", name, value, kindName(f))
		}
		node = *doc.Content[0]
	}
	return c.set(name, &node)
}

// set decodes one value. YAML's own leniency (a null leaves the default) would
// hide mistakes, so an empty value is an error.
func (c *Config) set(name string, value *yaml.Node) error {
	if name == "game" && value.Kind == yaml.SequenceNode {
		return c.setGames(value)
	}
	f, err := c.field(name)
	if err != nil {
		return err
	}
	fresh := reflect.New(f.Type())
	err = value.Decode(fresh.Interface())
	// 1e6 is accepted as a whole number, 1.5 is not: YAML would cut it to 1.
	entries, kind, text := []*yaml.Node{value}, f.Type(), strconv.Quote(value.Value)
	if f.Kind() == reflect.Slice {
		kind = f.Type().Elem()
		if value.Kind == yaml.SequenceNode {
			entries = value.Content
			var given []string
			for _, e := range entries {
				given = append(given, e.Value)
			}
			text = strconv.Quote(strings.Join(given, ", "))
		}
	} else if value.Kind == yaml.SequenceNode {
		text = "a list"
	}
	if value.Kind == yaml.MappingNode {
		text = "a mapping"
	}
	whole := kind.Kind() == reflect.Int || kind.Kind() == reflect.Int64 || kind.Kind() == reflect.Uint64
	for _, e := range entries {
		var x float64
		if err == nil && whole && e.Decode(&x) == nil && x != math.Trunc(x) {
			err = fmt.Errorf("not whole")
		}
	}
	if err != nil || value.Tag == "!!null" {
		return fmt.Errorf("%s: cannot read %s as %s", name, text, kindName(f))
	}
	if list, ok := fresh.Interface().(*[]string); ok && len(*list) > 0 {
		// YAML splits [search(rollouts=24,horizon=round)] at each comma.
		*list = policy.Names(strings.Join(*list, ","))
	}
	f.Set(fresh.Elem())
	return nil
}

// setGames takes a list of game strings with shares.
func (c *Config) setGames(value *yaml.Node) error {
	c.Games, c.GameShares = []string{}, []float64{}
	for _, one := range value.Content {
		entry := struct {
			Game  string
			Share *float64
		}{}
		known := one.Kind == yaml.MappingNode
		for i := 0; known && i < len(one.Content); i += 2 {
			known = one.Content[i].Value == "game" || one.Content[i].Value == "share"
		}
		if err := one.Decode(&entry); err != nil || !known || entry.Game == "" {
			return fmt.Errorf("game: line %d: want entries of the form {game: GAME, share: NUMBER}, or one game string", one.Line)
		}
		share := 1.0
		if entry.Share != nil {
			share = *entry.Share
		}
		c.Games, c.GameShares = append(c.Games, entry.Game), append(c.GameShares, share)
	}
	if len(c.Games) > 0 {
		c.Game = c.Games[0]
	}
	return nil
}

// games lists the configurations that are learnt.
func (c *Config) games() []string {
	if len(c.Games) == 0 {
		return []string{c.Game}
	}
	return c.Games
}

// teachers are those of games, in their order.
func (c Config) teachers() []string {
	if len(c.Teachers) == 0 {
		return slices.Repeat([]string{c.Teacher}, len(c.games()))
	}
	return c.Teachers
}

func (c *Config) gameShares() []float64 {
	if len(c.GameShares) == 0 {
		return slices.Repeat([]float64{1}, len(c.games()))
	}
	return c.GameShares
}

func kindName(f reflect.Value) string {
	switch f.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	case reflect.Uint64:
		return "a whole number that is not negative"
	case reflect.Slice:
		switch f.Type().Elem().Kind() {
		case reflect.Int:
			return "a list of whole numbers"
		case reflect.Float64:
			return "a list of numbers"
		}
		return "a list"
	case reflect.String:
		return "text"
	}
	return "a whole number"
}

// Field describes one entry of Config, for flags and for help.
type Field struct {
	Name    string // as in YAML; flags have dashes for the underscores
	Help    string
	Default string
	Bool    bool // a flag without a value means true
}

// Fields lists the entries of Config in their order, with the values of c as defaults.
func (c Config) Fields() []Field {
	v := reflect.ValueOf(c)
	fields := make([]Field, v.NumField())
	for i := range fields {
		t := v.Type().Field(i)
		text := strings.NewReplacer(" ", ",", "[", "", "]", "").Replace(fmt.Sprint(v.Field(i).Interface()))
		fields[i] = Field{keyOf(t), t.Tag.Get("help"), text, t.Type.Kind() == reflect.Bool}
	}
	return fields
}

func keyOf(f reflect.StructField) string {
	key, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return key
}

func (c *Config) field(name string) (reflect.Value, error) {
	v := reflect.ValueOf(c).Elem()
	keys := make([]string, v.NumField())
	for i := range keys {
		if keys[i] = keyOf(v.Type().Field(i)); keys[i] == name {
			return v.Field(i), nil
		}
	}
	return reflect.Value{}, fmt.Errorf("unknown key %q: `privateer train --help` lists the known ones%s", name, engine.Meant(name, keys))
}

// Evaluated is the game that policies are evaluated in.
func (c Config) Evaluated() string {
	if c.EvalGame != "" {
		return c.EvalGame
	}
	return c.Game
}

// Choice is how policies are evaluated: policy.Greedy or policy.Sample.
func (c Config) Choice() string {
	if c.EvalGreedy {
		return policy.Greedy
	}
	return policy.Sample
}

// evaluations are the games that policies are evaluated in: the one that is judged by, and what else is learnt.
func (c Config) evaluations() []string {
	if c.EvalGame != "" {
		return []string{c.EvalGame}
	}
	return c.games()
}

// at tells the evaluations in further configurations apart from those in the first.
func (c Config) at(game string) string {
	if game == c.evaluations()[0] {
		return ""
	}
	return "_at_" + policy.Label(game)
}

// readsActions reports whether the network reads what the legal actions do.
func (c Config) readsActions() bool { return c.Network == "entity" }

// YAML is the resolved configuration as text that ParseConfig reads back.
func (c Config) YAML() []byte {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(c); err != nil {
		panic(fmt.Sprintf("train: a configuration of plain values does not encode: %v", err))
	}
	return b.Bytes()
}

// fixed lists the keys that a run cannot change when it is resumed, for its
// checkpoints have shapes or streams that depend on them.
var fixed = []string{"game", "games", "game_shares", "seed", "algorithm", "teacher", "teachers", "targets", "temperature", "random_moves", "student_moves", "held_out", "rollout_hidden", "rollout_horizon", "rollout_value", "rollout_players", "rollout_shares", "opponents", "league", "num_envs", "num_steps", "max_decisions", "norm_value", "network", "hidden", "row_hidden", "activation", "perfect_critic", "critic", "values", "init_from", "exploitability", "kl_coef", "magnet", "late_from", "late_game", "late_steps"}

// sameRun reports, as an error, a fixed key in which c differs from the
// configuration of a checkpoint.
func (c Config) sameRun(checkpoint Config) error {
	for _, name := range fixed {
		now, _ := c.field(name)
		then, _ := checkpoint.field(name)
		if !reflect.DeepEqual(now.Interface(), then.Interface()) {
			return fmt.Errorf("%s is %v, but the checkpoint was trained with %v: set it back, or start a new run", name, now.Interface(), then.Interface())
		}
	}
	return nil
}
