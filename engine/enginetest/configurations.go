package enginetest

import (
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// Configurations are game strings of a registered game that have between them every two values of two parameters together that the
// game allows, so that a new parameter, or a new value of one, is tested from the day on which it is declared. Parameters
// that do not list their values keep their defaults.
func Configurations(t testing.TB, game string) []string {
	t.Helper()
	d, err := engine.Lookup(game)
	if err != nil {
		t.Fatal(err)
	}
	all := factors(d.Parameters())
	c := cover{game: game, factors: all, r: engine.NewRand(1), met: map[[4]int]bool{}}
	c.take(make([]int, len(all))) // the defaults come first
	for f, one := range all {
		for v := range one.values {
			for g := range f {
				for w := range all[g].values {
					c.together(f, v, g, w)
				}
			}
		}
	}
	for f, one := range all {
		for v, value := range one.values {
			if !c.met[[4]int{f, v, f, v}] {
				t.Errorf("%s: no configuration with %s=%s can be made", game, one.param, value)
			}
		}
	}
	return c.made
}

// factor is a setting of a game string: a parameter, or whether a word is in a set.
type factor struct {
	param  string
	set    bool
	values []string // the default first; of a set "" and the word
}

func factors(params []engine.Param) (all []factor) {
	for _, p := range params {
		if p.File {
			continue
		}
		for _, word := range p.Words {
			all = append(all, factor{p.Name, true, []string{"", word}})
		}
		if len(p.Choices) == 0 {
			continue
		}
		one := factor{param: p.Name, values: []string{p.Default}}
		for _, v := range p.Choices {
			if v != p.Default {
				one.values = append(one.values, v)
			}
		}
		all = append(all, one)
	}
	return all
}

// cover collects configurations.
type cover struct {
	game    string
	factors []factor
	r       engine.Rand
	met     map[[4]int]bool // two factors and their values
	made    []string
}

// together adds a configuration with two values together, if the game allows it.
func (c *cover) together(f, v, g, w int) {
	for try := 0; try < 60 && !c.met[[4]int{f, v, g, w}]; try++ {
		values := make([]int, len(c.factors))
		for i := range values {
			if try%2 == 0 || c.r.Intn(3) == 0 { // of many at once some will not go with others
				values[i] = c.r.Intn(len(c.factors[i].values))
			}
		}
		values[f], values[g] = v, w
		c.take(values)
	}
}

// take adds a configuration unless the game refuses it.
func (c *cover) take(values []int) {
	var settings []string
	at := map[string]int{} // of sets
	for i, f := range c.factors {
		value := f.values[values[i]]
		k, begun := at[f.param]
		switch {
		case f.set && value == "" || values[i] == 0 && !f.set:
		case f.set && begun:
			settings[k] += "+" + value
		default:
			at[f.param] = len(settings)
			settings = append(settings, f.param+"="+value)
		}
	}
	name := c.game + "(" + strings.Join(settings, ",") + ")"
	if _, err := engine.NewGame(name); err != nil {
		return
	}
	c.made = append(c.made, name)
	for f, v := range values {
		for g, w := range values {
			c.met[[4]int{f, v, g, w}] = true
		}
	}
}
