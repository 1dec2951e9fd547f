package train

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// Config is a whole experiment: the settings of every run, and in a section of its own those of its algorithm. A flag of `privateer train` is
// the path of a key with dashes for underscores: --num-envs, --ppo.clip-coef. The zero value is not useful: start from [Defaults].
type Config struct {
	selfplay.Config `yaml:",inline"`

	Exp       string `yaml:"exp" help:"name of the experiment, part of the run folder's name"`
	Algorithm string `yaml:"algorithm" fixed:"" help:"algorithm of the training (see above)"`
	InitFrom  string `yaml:"init_from" fixed:"" help:"run folder, checkpoint or policy:BUNDLE with the initial weights; empty: random ones"`

	EvalEvery      int      `yaml:"eval_every" least:"0" help:"updates between evaluations; 0: only at the end"`
	EvalMatches    int      `yaml:"eval_matches" least:"0" most:"10000000" help:"least matches against each bot and for each seating; 0: none"`
	EvalGame       string   `yaml:"eval_game" help:"game string to evaluate, such as the same game with another objective; empty: game"`
	EvalBots       []string `yaml:"eval_bots,flow" help:"bots (or policy:BUNDLE) to evaluate against"`
	EvalGreedy     bool     `yaml:"eval_greedy" help:"evaluate the likeliest action instead of sampling; exports then play it too"`
	Exploitability bool     `yaml:"exploitability" fixed:"" help:"compute exact exploitability at evaluations (small games only)"`

	CheckpointEvery int `yaml:"checkpoint_every" least:"0" help:"updates between checkpoints; 0: only at the end"`
	KeepCheckpoints int `yaml:"keep_checkpoints" least:"1" rare:"" help:"newest checkpoints to keep, besides the best"`

	Settings Settings `yaml:"-"` // of the algorithm
}

// Defaults are the configuration to start from with an algorithm.
func Defaults(algorithm string) (Config, error) {
	c := Config{
		Config: selfplay.Default(), Exp: algorithm, Algorithm: algorithm,
		EvalEvery: 20, EvalMatches: 400, EvalBots: []string{"random"}, CheckpointEvery: 10, KeepCheckpoints: 3,
	}
	a, ok := algorithmOf(algorithm)
	if !ok {
		return c, fmt.Errorf("algorithm: %q: want %s%s", algorithm, algorithmNames(), renamed(algorithm))
	}
	if c.Settings = a.Settings(); a.Common != nil {
		a.Common(&c.Config)
	}
	return c, nil
}

// DefaultConfig are the defaults of PPO.
func DefaultConfig() Config {
	c, err := Defaults("ppo")
	if err != nil {
		panic(err)
	}
	return c
}

// LoadConfig reads a YAML file over the defaults of the algorithm that it names. An unknown key is an error that names the key and the one
// that was probably meant. The result is not yet validated: flags may still change it.
func LoadConfig(path string) (Config, error) {
	s, err := LoadStages(path)
	if err != nil {
		return Config{}, err
	}
	if !s.one() {
		return Config{}, fmt.Errorf("%s: it has stages: want one configuration", path)
	}
	return s[0].Config, nil
}

// ParseConfig is LoadConfig for text.
func ParseConfig(data []byte) (Config, error) {
	root, err := mapping(data)
	if err != nil {
		return DefaultConfig(), err
	}
	return parse(root)
}

// mapping is the top of a configuration's text: names and their values.
func mapping(data []byte) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("configuration is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.MappingNode}, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("configuration, line %d: want lines of the form name: value", root.Line)
	}
	return root, nil
}

func parse(root *yaml.Node) (Config, error) {
	c := DefaultConfig()
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "algorithm" {
			var err error
			if c, err = Defaults(root.Content[i+1].Value); err != nil {
				return c, fmt.Errorf("configuration, line %d: %w", root.Content[i].Line, err)
			}
		}
	}
	return c, c.read("", root)
}

// once refuses keys that are given twice.
func once(section string, of *yaml.Node) error {
	seen := map[string]bool{}
	for i := 0; i+1 < len(of.Content); i += 2 {
		key := of.Content[i]
		if seen[key.Value] {
			return fmt.Errorf("configuration, line %d: %s is given twice", key.Line, section+key.Value)
		}
		seen[key.Value] = true
	}
	return nil
}

// read takes in the keys of the file, or of a section of it.
func (c *Config) read(section string, of *yaml.Node) error {
	if err := once(section, of); err != nil {
		return err
	}
	for i := 0; i+1 < len(of.Content); i += 2 {
		key, value := of.Content[i], of.Content[i+1]
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		if section+key.Value == "imitation.random_moves" && value.Value == "0" { // runs of 0.1.0 that have none say so
			continue
		}
		_, unknown := c.field(section + key.Value)
		if section == "" && value.Kind == yaml.MappingNode && unknown != nil {
			if err := c.isSection(key.Value); err != nil {
				return fmt.Errorf("configuration, line %d: %w", key.Line, err)
			}
			if err := c.read(key.Value+".", value); err != nil {
				return err
			}
			continue
		}
		err := c.set(section+key.Value, value)
		if section == "" && strings.Contains(key.Value, ".") {
			err = c.unknown(key.Value)
		}
		if err != nil {
			return fmt.Errorf("configuration, line %d: %w", key.Line, err)
		}
	}
	return nil
}

// isSection refuses a section that the configuration does not have.
func (c *Config) isSection(name string) error {
	if name == c.Algorithm || name == lateSection {
		return nil
	}
	if _, ok := algorithmOf(name); ok {
		return fmt.Errorf("section %s: the algorithm is %s: leave the section out, or set algorithm: %s", name, c.Algorithm, name)
	}
	return c.unknown(name)
}

const lateSection = "late"

// Set changes one key from text, as flags do: Set("ppo.clip_coef", "0.2"). Dashes in the name are read as underscores.
func (c *Config) Set(name, value string) error {
	name = strings.ReplaceAll(name, "-", "_")
	if name == "algorithm" && value != c.Algorithm {
		other, err := Defaults(value)
		if err != nil {
			return err
		}
		c.Settings = other.Settings
	}
	f, err := c.field(name)
	if err != nil {
		return err
	}
	if name == "game" { // one game in place of a configuration's list
		c.Tables = nil
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

// set decodes one value.
func (c *Config) set(name string, value *yaml.Node) error {
	if name == "game" && value.Kind == yaml.SequenceNode {
		return c.setTables(value)
	}
	f, err := c.field(name)
	if err != nil {
		return err
	}
	return take(name, value, f)
}

// take decodes a value into f. An empty value is an error: YAML would leave the default, and hide a mistake.
func take(name string, value *yaml.Node, f reflect.Value) error {
	fresh := reflect.New(f.Type())
	err := value.Decode(fresh.Interface())
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
	if list, ok := fresh.Interface().(*[]string); ok {
		*list = players(*list)
	}
	f.Set(fresh.Elem())
	return nil
}

// setTables takes a list of game strings with shares and opponents.
func (c *Config) setTables(value *yaml.Node) error {
	c.Tables = nil
	for _, one := range value.Content {
		entry := selfplay.Table{Share: 1}
		known := one.Kind == yaml.MappingNode
		for i := 0; known && i < len(one.Content); i += 2 {
			known = slices.Contains([]string{"game", "share", "opponents"}, one.Content[i].Value)
		}
		if err := one.Decode(&entry); err != nil || !known || entry.Game == "" {
			return fmt.Errorf("game: line %d: want entries of the form {game: GAME, share: NUMBER, opponents: PLAYERS}, or one game string", one.Line)
		}
		if entry.Opponents != nil {
			*entry.Opponents = players(*entry.Opponents)
		}
		c.Tables = append(c.Tables, entry)
	}
	if len(c.Tables) > 0 {
		c.Game = c.Tables[0].Game
	}
	return nil
}

// players puts names together that YAML splits at each comma, such as [search(rollouts=24,horizon=round)].
func players(list []string) []string {
	if len(list) == 0 {
		return list
	}
	return policy.Names(strings.Join(list, ","))
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
		if f.Type().Elem().Kind() == reflect.Int {
			return "a list of whole numbers"
		}
		return "a list"
	case reflect.String:
		return "text"
	}
	return "a whole number"
}

// Field describes a key, for flags and for help.
type Field struct {
	Name    string // path in YAML; flags have dashes for the underscores
	Section string // "", or that of the key: an algorithm, or late
	Help    string
	Default string
	Bool    bool // a flag without a value means true
	Rare    bool // it is left to `--help all`

	value reflect.Value
	tag   reflect.StructTag
}

// Fields lists the keys in their order, with the values of c as defaults: those of every run, and those of its algorithm.
func (c *Config) Fields() []Field {
	all := fieldsOf("", reflect.ValueOf(c).Elem())
	return append(all, fieldsOf(c.Algorithm, reflect.ValueOf(c.Settings).Elem())...)
}

func fieldsOf(section string, v reflect.Value) (all []Field) {
	for i := range v.NumField() {
		t := v.Type().Field(i)
		key, _, _ := strings.Cut(t.Tag.Get("yaml"), ",")
		switch {
		case key == "-":
			continue
		case t.Anonymous:
			all = append(all, fieldsOf(section, v.Field(i))...)
			continue
		case t.Type.Kind() == reflect.Struct:
			all = append(all, fieldsOf(key, v.Field(i))...)
			continue
		case section != "":
			key = section + "." + key
		}
		_, rare := t.Tag.Lookup("rare")
		all = append(all, Field{
			Name: key, Section: section, Help: t.Tag.Get("help"), Bool: t.Type.Kind() == reflect.Bool, Rare: rare, value: v.Field(i), tag: t.Tag,
			Default: strings.NewReplacer(" ", ",", "[", "", "]", "").Replace(fmt.Sprint(v.Field(i).Interface())),
		})
	}
	return all
}

func (c *Config) field(name string) (reflect.Value, error) {
	for _, f := range c.Fields() {
		if f.Name == name {
			return f.value, nil
		}
	}
	return reflect.Value{}, c.unknown(name)
}

// Evaluated is the game that policies are evaluated in.
func (c *Config) Evaluated() string {
	if c.EvalGame != "" {
		return c.EvalGame
	}
	return c.Game
}

// Choice is how policies are evaluated: bundle.Greedy or bundle.Sample.
func (c *Config) Choice() string {
	if c.EvalGreedy {
		return bundle.Greedy
	}
	return bundle.Sample
}

// evaluations are the games that policies are evaluated in.
func (c *Config) evaluations() []string {
	if c.EvalGame != "" {
		return []string{c.EvalGame}
	}
	var games []string
	for _, game := range c.All() {
		if !slices.Contains(games, game) {
			games = append(games, game)
		}
	}
	return games
}

// at is a suffix for evaluations in any configuration except the first.
func (c *Config) at(game string) string {
	if game == c.evaluations()[0] {
		return ""
	}
	return "_at_" + policy.Label(game)
}

// YAML is the resolved configuration as text that ParseConfig reads back.
func (c *Config) YAML() []byte {
	root := &yaml.Node{Kind: yaml.MappingNode}
	sections := map[string]*yaml.Node{"": root}
	name := func(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: text} }
	add := func(to *yaml.Node, key string, value any) {
		var node yaml.Node
		if err := node.Encode(value); err != nil {
			panic(fmt.Sprintf("train: %s: a plain value does not encode: %v", key, err))
		}
		if node.Kind == yaml.SequenceNode && key != "game" {
			node.Style = yaml.FlowStyle
		}
		to.Content = append(to.Content, name(key), &node)
	}
	for _, f := range c.Fields() {
		to := sections[f.Section]
		if to == nil {
			to = &yaml.Node{Kind: yaml.MappingNode}
			sections[f.Section] = to
			root.Content = append(root.Content, name(f.Section), to)
		}
		value := f.value.Interface()
		if f.Name == "game" && len(c.Tables) > 0 {
			value = c.Tables
		}
		add(to, strings.TrimPrefix(f.Name, f.Section+"."), value)
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(root); err != nil {
		panic(fmt.Sprintf("train: a configuration of plain values does not encode: %v", err))
	}
	return b.Bytes()
}

// unknown is the error for an unknown key: it names the key's replacement, or the key that was probably meant.
func (c *Config) unknown(name string) error {
	var keys []string
	for _, a := range algorithms {
		of := Config{Algorithm: a.Name, Settings: a.Settings()}
		for _, f := range of.Fields() {
			if f.Section == a.Name && (f.Name == name || strings.TrimPrefix(f.Name, a.Name+".") == name) {
				if a.Name != c.Algorithm {
					return fmt.Errorf("%s is a setting of %s, and the algorithm is %s", f.Name, a.Name, c.Algorithm)
				}
				return fmt.Errorf("%s is a setting of %s: write %s in its section, or --%s", name, a.Name, strings.TrimPrefix(f.Name, a.Name+"."), strings.ReplaceAll(f.Name, "_", "-"))
			}
		}
	}
	if hint := renamed(name[strings.LastIndexByte(name, '.')+1:]); hint != "" {
		return fmt.Errorf("unknown key %q%s", name, hint)
	}
	for _, f := range c.Fields() {
		keys = append(keys, f.Name, strings.TrimPrefix(f.Name, f.Section+"."))
	}
	return fmt.Errorf("%w %q: `privateer train --help` lists the known ones%s", ErrUnknownKey, name, engine.Suggest(name, keys))
}

// ErrUnknownKey is the error for a key that no configuration has or had.
var ErrUnknownKey = errors.New("unknown key")

// renamed returns the replacement of a name that earlier versions had; "" for others.
func renamed(name string) string {
	for _, r := range []struct{ names, now string }{
		{"rollouts", "write counterfactual"}, {"imitate", "write imitation"},
		{"games game_shares", "write a list under game, of {game: GAME, share: NUMBER}"}, {"teachers", "imitation.teacher is asked in all games"},
		{"label_share", "write counterfactual.share"}, {"rollout_worlds", "write counterfactual.worlds"}, {"rollout_hidden", "write counterfactual.hidden"},
		{"rollout_player", "the network plays all rollouts"}, {"label_passes", "total_timesteps alone says how often labels are learnt from"},
		{"late_from", "write late.from"}, {"late_game", "write stages, a list of configurations"}, {"late_steps", "write late.steps"},
		{"late_minibatch_size", "minibatches grow with late.steps"}, {"num_minibatches", "write minibatch_size, which is the decisions of an update by their number"},
		{"anneal_lr", "learning_rate_final: the learning_rate keeps it as it is"}, {"norm_adv norm_value", "both are always normalised"},
		{"activation", "hidden layers are relu"}, {"max_decisions", "training plays matches to their end"},
		{"random_moves student_moves", "write own_matches, in which the network plays as it has learnt"},
		{"average_from", "the average begins with the second half of a run"}, {"past_every", "past selves come every ten updates"},
		{"advantage_filter advantage_sample preset critic past_gate past_gate_matches past_selves league_by league_shares clip_vloss values magnet kl_coef others_coef " +
			"rollout_schedule rollout_best rollout_horizon rollout_value rollout_shares", "it did not help and is gone, see notebooks/lab/training.md"},
	} {
		if slices.Contains(strings.Fields(r.names), name) {
			return ": " + r.now
		}
	}
	return ""
}
