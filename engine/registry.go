package engine

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Definition registers a game under a name.
type Definition struct {
	Name       string  // as in game strings: "doubloons"
	Title      string  // one line for listings
	Params     []Param // settings of a game string, besides chance and forced; see Parameters
	New        func(Config) (Game, error)
	Rules      string        // RULES.md; "" if there is none
	Components string        // the components file; "" if there is none
	Schema     func() string // JSON Schema of a position; nil if there is none

	// Brief are the ids of the clauses that explain a configuration to a newcomer, the most important first; nil: all
	// clauses, in their order. Clauses that the configuration does not have may be among them.
	Brief func(Config) []string
}

// Parameters are the settings of a game string: the game's own, and those of every game.
func (d Definition) Parameters() []Param { return slices.Concat(d.Params, shared) }

var shared = []Param{
	{Name: "chance", Default: "sampled", Choices: []string{"sampled", "explicit"}, Help: "sampled: the match draws from its seed; explicit: chance events are decisions of the seat Chance"},
	{Name: "forced", Default: "skip", Choices: []string{"skip", "show"}, Help: "skip: a decision with one legal action is taken by the engine; show: it is asked"},
}

// AdviceName is the parameter of games whose rows of actions (package encode) may end with advice. It adds to players' inputs; matches
// stay the same.
const AdviceName = "advice"

// Advice are the words of that parameter; nil if the game does not have it.
func (d Definition) Advice() []string {
	i := slices.IndexFunc(d.Params, func(p Param) bool { return p.Name == AdviceName })
	if i < 0 {
		return nil
	}
	return d.Params[i].Words
}

var (
	registryLock sync.RWMutex
	registry     = map[string]Definition{}
)

// Register adds a game, from an init function. It panics on a name used twice.
func Register(d Definition) {
	registryLock.Lock()
	defer registryLock.Unlock()
	if _, dup := registry[d.Name]; dup {
		panic("engine: game " + d.Name + " is registered twice")
	}
	registry[d.Name] = d
}

// Definitions returns the registered games by name.
func Definitions() []Definition {
	registryLock.RLock()
	defer registryLock.RUnlock()
	all := make([]Definition, 0, len(registry))
	for _, d := range registry {
		all = append(all, d)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

// Lookup returns the definition that a game string or a bare name asks for.
func Lookup(game string) (Definition, error) {
	name, _, _ := strings.Cut(game, "(")
	name = strings.TrimSpace(name)
	registryLock.RLock()
	d, ok := registry[name]
	registryLock.RUnlock()
	if !ok {
		var names []string
		for _, d := range Definitions() {
			names = append(names, d.Name)
		}
		return d, unknown(name, names)
	}
	return d, nil
}

func unknown(name string, known []string) error {
	if len(known) == 0 {
		return fmt.Errorf(`unknown game %q: no game is registered: import _ "github.com/privateer-rl/privateer/engine/games" for the built-in ones`, name)
	}
	return fmt.Errorf("unknown game %q: known are %s%s", name, strings.Join(known, ", "), Suggest(name, known))
}

// parse reads a game string by the definition that it names.
func parse(game string) (Definition, Config, error) {
	d, err := Lookup(game)
	if err != nil {
		return d, Config{}, err
	}
	c, err := parseConfig(d, game)
	return d, c, err
}

// NewGame makes the game that a game string names: "leduc",
// "doubloons(seats=4,objective=rank)". Anything not given has its default.
func NewGame(game string) (Game, error) {
	d, c, err := parse(game)
	if err != nil {
		return nil, err
	}
	g, err := d.New(c)
	if err != nil {
		return nil, fmt.Errorf("game %q: %w", game, err)
	}
	return g, nil
}

// FilesOf lists the files that a game string names, without reading them.
func FilesOf(game string) ([]string, error) {
	_, c, err := parse(game)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, p := range c.params {
		if p.File && c.values[p.Name] != p.Default {
			files = append(files, c.values[p.Name])
		}
	}
	return files, nil
}

// parseConfig reads a game string: its parameters, and what every game has.
func parseConfig(d Definition, game string) (Config, error) {
	c, err := ParseSettings("game string", game, d.Name, d.Parameters())
	if err != nil {
		return c, err
	}
	for k, allowed := range map[string][]string{"chance": {"sampled", "explicit"}, "forced": {"skip", "show"}} {
		if _, has := c.values[k]; !has {
			continue
		}
		if _, err := c.OneOf(k, allowed...); err != nil {
			return c, fmt.Errorf("game string %q: %w", game, err)
		}
	}
	return c, nil
}

// Info starts the description of the configured game: its name, its canonical
// string and the parameters that every game has.
func (c Config) Info() *Info {
	in := &Info{
		Game: c.name, Config: c.Canonical(), ReturnScale: 1,
		Explicit:   c.values["chance"] == "explicit",
		ShowForced: c.values["forced"] == "show",
	}
	if sorts := c.values[AdviceName]; sorts != "" && sorts != NoWords {
		in.Advice = strings.Split(sorts, "+")
	}
	if path := c.values[StartParam.Name]; path != StartParam.Default {
		in.start = path
	}
	return in
}

// Given returns the parameters that a game string gives itself, and the string with
// all of them in canonical order and spelling. Unlike Info.Config it keeps those that have their
// default, for readers with other defaults.
func Given(game string) (canonical string, given map[string]string, err error) {
	_, c, err := parse(game)
	if err != nil {
		return "", nil, err
	}
	given = map[string]string{}
	for name := range c.given {
		given[name] = c.values[name]
	}
	return c.write(func(p Param) bool { return c.given[p.Name] }), given, nil
}

// With returns a game string with parameters set or replaced: With("leduc",
// "chance", "explicit"). The string must be well formed and its game known.
func With(game string, keyValues ...string) (string, error) {
	d, c, err := parse(game)
	if err != nil {
		return "", err
	}
	for i := 0; i+1 < len(keyValues); i += 2 {
		if _, ok := c.values[keyValues[i]]; !ok {
			return "", fmt.Errorf("game string %q: %s has no parameter %q", game, d.Name, keyValues[i])
		}
		c.values[keyValues[i]] = keyValues[i+1]
	}
	for _, p := range c.params {
		if c.values[p.Name], err = p.normal(c.values[p.Name]); err != nil {
			return "", fmt.Errorf("game string %q: %w", game, err)
		}
	}
	return c.Info().Config, nil
}

// NewGameWith is NewGame of what With returns.
func NewGameWith(game string, keyValues ...string) (Game, error) {
	name, err := With(game, keyValues...)
	if err != nil {
		return nil, err
	}
	return NewGame(name)
}
