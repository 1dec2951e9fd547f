package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Param is one parameter of a game string, or one setting in the name of a bot.
type Param struct {
	Name    string `json:"name"`
	Default string `json:"default"`
	Help    string `json:"help"`

	// Words make it a set: the value is none or some of them, joined by "+" and
	// in any order. It is kept in the order of Words, so that equal sets are equal strings.
	Words []string `json:"words,omitempty"`

	// Choices, if given, are all values that there are, for listings and forms.
	Choices []string `json:"choices,omitempty"`

	// File: a value other than the default names a file of this machine. Programs
	// that take game strings from others should ask FilesOf first.
	File bool `json:"file,omitempty"`
}

// Counts are the whole numbers from least to most, as Param.Choices.
func Counts(least, most int) []string {
	var all []string
	for n := least; n <= most; n++ {
		all = append(all, strconv.Itoa(n))
	}
	return all
}

// NoWords is the value of a set that is empty.
const NoWords = "none"

// normal is a value in its canonical spelling.
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

// Config is a parsed game string, or name of a bot: every parameter with its value.
type Config struct {
	name   string
	params []Param
	values map[string]string
	given  map[string]bool // those that the string gives itself
}

// ParseSettings reads a text of the form name(param=value,param=value), as game strings and
// the names of bots are, by the parameters that name has. Values may have
// settings of their own, in parentheses. what says in errors what the text is.
func ParseSettings(what, text, name string, params []Param) (Config, error) {
	c := Config{name, params, map[string]string{}, map[string]bool{}}
	for _, p := range params {
		c.values[p.Name] = p.Default
	}
	_, rest, open := strings.Cut(strings.TrimSpace(text), "(")
	if !open {
		return c, nil
	}
	inner, closed := strings.CutSuffix(rest, ")")
	if !closed || strings.Count(inner, "(") > strings.Count(inner, ")") {
		return c, fmt.Errorf("%s %q: the closing parenthesis is missing", what, text)
	}
	for _, part := range SplitList(inner) {
		if part == "" {
			continue
		}
		if err := c.read(part); err != nil {
			return c, fmt.Errorf("%s %q: %w", what, text, err)
		}
	}
	return c, nil
}

// read takes in one name=value.
func (c *Config) read(part string) error {
	k, v, ok := strings.Cut(part, "=")
	k, v = strings.TrimSpace(k), strings.TrimSpace(v)
	if !ok || v == "" {
		for _, p := range c.params {
			if slices.Contains(p.Words, k) {
				return fmt.Errorf("%q is not of the form name=value: %s are joined by +", k, p.Name)
			}
		}
		return fmt.Errorf("%q is not of the form name=value", part)
	}
	i := slices.IndexFunc(c.params, func(p Param) bool { return p.Name == k })
	if i < 0 {
		if len(c.params) == 0 {
			return fmt.Errorf("%s has no parameters", c.name)
		}
		var names []string
		for _, p := range c.params {
			names = append(names, p.Name)
		}
		return fmt.Errorf("%s has no parameter %q: known are %s%s", c.name, k, strings.Join(names, ", "), Suggest(k, names))
	}
	if c.given[k] {
		return fmt.Errorf("%s is given twice", k)
	}
	c.given[k] = true
	v, err := c.params[i].normal(v)
	if err != nil {
		return err
	}
	c.values[k] = v
	return nil
}

// SplitList splits a list at the commas that stand outside of parentheses, so that
// each entry may have settings: "search(rollouts=24,horizon=round), heuristic" has two. Spaces
// around an entry are dropped.
func SplitList(list string) []string {
	var parts []string
	for more := true; more; {
		var part string
		part, list, more = CutList(list)
		parts = append(parts, strings.TrimSpace(part))
	}
	return parts
}

// CutList cuts a list at the first such comma; more reports whether there is one.
func CutList(list string) (first, rest string, more bool) {
	depth := 0
	for i, c := range list {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth <= 0:
			return list[:i], list[i+1:], true
		}
	}
	return list, "", false
}

// Get returns a parameter's value.
func (c Config) Get(name string) string { return c.values[name] }

// Has reports whether a parameter that is a set of words has a word.
func (c Config) Has(name, word string) bool {
	return slices.Contains(strings.Split(c.values[name], "+"), word)
}

// Given reports whether the text sets a parameter itself.
func (c Config) Given(name string) bool { return c.given[name] }

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

// Float returns a parameter that must be a number in [min, max].
func (c Config) Float(name string, min, max float64) (float64, error) {
	v, err := strconv.ParseFloat(c.values[name], 64)
	if err != nil || !(v >= min && v <= max) {
		return 0, fmt.Errorf("%s=%s: want a number from %v to %v", name, c.values[name], min, max)
	}
	return v, nil
}

// Canonical is the canonical spelling of the configuration: the parameters that differ
// from their defaults, in the order in which they are declared.
func (c Config) Canonical() string {
	return c.write(func(p Param) bool { return c.values[p.Name] != p.Default })
}

// write is the text that states the parameters asked for.
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
