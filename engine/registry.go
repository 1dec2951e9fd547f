package engine

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// Definition registers a game under a name.
type Definition struct {
	Name       string  // as in game strings: "doubloons"
	Title      string  // one line for listings
	Params     []Param // what a game string may set, besides chance and forced; see Parameters
	New        func(Config) (Game, error)
	Rules      string        // RULES.md; "" where there is none
	Components string        // the components file; "" where there is none
	Schema     func() string // JSON Schema of a position; nil if there is none
}

// Param is one parameter of a game string.
type Param struct {
	Name    string `json:"name"`
	Default string `json:"default"`
	Help    string `json:"help"`

	// Words make it a set: the value is none or some of them, joined by "+" and
	// in any order. It is kept in this order, so that equal sets are equal strings.
	Words []string `json:"words,omitempty"`

	// File: a value other than the default names a file of this machine. Whoever
	// takes game strings from others should ask FilesOf first.
	File bool `json:"file,omitempty"`
}

// NoWords is the value of a set that is empty.
const NoWords = "none"

// normal is a value in the one way of writing it.
func (p Param) normal(value string) (string, error) {
	if p.Words == nil || value == NoWords {
		return value, nil
	}
	given := map[string]bool{}
	for _, w := range strings.Split(value, "+") {
		w = strings.TrimSpace(w)
		switch {
		case given[w]:
			return "", fmt.Errorf("%s=%s: %s is given twice", p.Name, value, w)
		case !slices.Contains(p.Words, w):
			return "", fmt.Errorf("%s=%s: unknown %q: known are %s, joined by +, or %s", p.Name, value, w, strings.Join(p.Words, ", "), NoWords)
		}
		given[w] = true
	}
	var list []string
	for _, w := range p.Words {
		if given[w] {
			list = append(list, w)
		}
	}
	return strings.Join(list, "+"), nil
}

// Parameters are all that a game string may set: the game's own, and those that every game has.
func (d Definition) Parameters() []Param { return slices.Concat(d.Params, shared) }

var shared = []Param{
	{Name: "chance", Default: "sampled", Help: "sampled: the match draws from its seed; explicit: chance events are decisions of the seat Chance"},
	{Name: "forced", Default: "skip", Help: "skip: a decision with one legal action is taken by the engine; show: it is asked"},
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
		return d, fmt.Errorf("unknown game %q: known are %s", name, strings.Join(names, ", "))
	}
	return d, nil
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

// Config is a parsed game string: every parameter of the game with its value.
type Config struct {
	name   string
	params []Param
	values map[string]string
	given  map[string]bool // those that the string gives itself
}

func parseConfig(d Definition, game string) (Config, error) {
	c := Config{d.Name, d.Parameters(), map[string]string{}, map[string]bool{}}
	for _, p := range c.params {
		c.values[p.Name] = p.Default
	}
	_, rest, open := strings.Cut(strings.TrimSpace(game), "(")
	if !open {
		return c, nil
	}
	inner, closed := strings.CutSuffix(rest, ")")
	if !closed {
		return c, fmt.Errorf("game string %q: the closing parenthesis is missing", game)
	}
	for _, part := range strings.Split(inner, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		k, v, ok := strings.Cut(part, "=")
		k, v = strings.TrimSpace(k), strings.TrimSpace(v)
		if !ok || v == "" {
			for _, p := range c.params {
				if slices.Contains(p.Words, k) {
					return c, fmt.Errorf("game string %q: %q is not of the form name=value: %s are joined by +", game, k, p.Name)
				}
			}
			return c, fmt.Errorf("game string %q: %q is not of the form name=value", game, strings.TrimSpace(part))
		}
		i := slices.IndexFunc(c.params, func(p Param) bool { return p.Name == k })
		if i < 0 {
			var names []string
			for _, p := range c.params {
				names = append(names, p.Name)
			}
			return c, fmt.Errorf("game string %q: %s has no parameter %q: known are %s", game, d.Name, k, strings.Join(names, ", "))
		}
		if c.given[k] {
			return c, fmt.Errorf("game string %q: %s is given twice", game, k)
		}
		c.given[k] = true
		v, err := c.params[i].normal(v)
		if err != nil {
			return c, fmt.Errorf("game string %q: %w", game, err)
		}
		c.values[k] = v
	}
	for k, allowed := range map[string][]string{"chance": {"sampled", "explicit"}, "forced": {"skip", "show"}} {
		if _, err := c.OneOf(k, allowed...); err != nil {
			return c, fmt.Errorf("game string %q: %w", game, err)
		}
	}
	return c, nil
}

// Get returns a parameter's value.
func (c Config) Get(name string) string { return c.values[name] }

// Int returns a parameter that must be an integer in [min, max].
func (c Config) Int(name string, min, max int) (int, error) {
	v, err := strconv.Atoi(c.values[name])
	if err != nil || v < min || v > max {
		return 0, fmt.Errorf("%s=%s: want a whole number from %d to %d", name, c.values[name], min, max)
	}
	return v, nil
}

// OneOf returns a parameter that must be one of the words allowed.
func (c Config) OneOf(name string, allowed ...string) (string, error) {
	v := c.values[name]
	for _, a := range allowed {
		if v == a {
			return v, nil
		}
	}
	return "", fmt.Errorf("%s=%s: want one of %s", name, v, strings.Join(allowed, ", "))
}

// Info starts the description of the configured game: its name, its canonical
// string and the parameters that every game has.
func (c Config) Info() *Info {
	return &Info{
		Game: c.name, Config: c.write(func(p Param) bool { return c.values[p.Name] != p.Default }), ReturnScale: 1,
		Explicit:   c.values["chance"] == "explicit",
		ShowForced: c.values["forced"] == "show",
	}
}

// write is the game string that states the parameters asked for.
func (c Config) write(stated func(Param) bool) string {
	var parts []string
	for _, p := range c.params {
		if stated(p) {
			parts = append(parts, p.Name+"="+c.values[p.Name])
		}
	}
	if len(parts) == 0 {
		return c.name
	}
	return c.name + "(" + strings.Join(parts, ",") + ")"
}

// Given returns the parameters that a game string gives itself, and the string with
// all of them in canonical order and spelling. Unlike Info.Config it keeps those that have their
// default, for readers whose own defaults are others.
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
