package train

import (
	"fmt"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/train/counterfactual"
	"github.com/privateer-rl/privateer/train/imitation"
	"github.com/privateer-rl/privateer/train/ppo"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// Algorithm is a way to learn, as [Register] takes one. Its settings are a section of the configuration.
type Algorithm struct {
	Name string // of Config.Algorithm, and of the section
	Help string // one line

	Late    bool // it can go over to the late game (selfplay.Late)
	Several bool // it learns several configurations of a game side by side

	// Settings makes the default settings: a pointer to a struct, whose tags are those of selfplay.Config. Common, if not nil, changes the
	// defaults of the keys that all algorithms have.
	Settings func() Settings
	Common   func(*selfplay.Config)

	New func(*selfplay.Play, Settings) (selfplay.Algorithm, error)
}

// Settings are an algorithm's own. Validate checks the conditions that the tags' ranges do not express; its error names the key.
type Settings interface {
	Validate(*selfplay.Config) error
}

// algorithms are those that a configuration can name, in the order of --help.
var algorithms []Algorithm

// Register adds an algorithm. It panics if there is one of that name.
func Register(a Algorithm) {
	if _, ok := algorithmOf(a.Name); ok {
		panic(fmt.Sprintf("train: two algorithms are called %q", a.Name))
	}
	algorithms = append(algorithms, a)
}

// Algorithms are all that are registered.
func Algorithms() []Algorithm { return slices.Clone(algorithms) }

func algorithmOf(name string) (Algorithm, bool) {
	i := slices.IndexFunc(algorithms, func(a Algorithm) bool { return a.Name == name })
	if i < 0 {
		return Algorithm{}, false
	}
	return algorithms[i], true
}

func algorithmNames() string {
	var names []string
	for _, a := range algorithms {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}

func init() {
	Register(Algorithm{
		Name: "ppo", Help: "masked PPO by self-play", Late: true, Several: true,
		Settings: func() Settings { s := ppo.Default(); return &s },
		New: func(p *selfplay.Play, s Settings) (selfplay.Algorithm, error) {
			return ppo.New(p, *s.(*ppo.Settings)), nil
		},
	})
	Register(Algorithm{
		Name: "counterfactual", Help: "self-play that learns from rollouts of the actions not taken",
		Settings: func() Settings { s := counterfactual.Default(); return &s }, Common: counterfactual.Common,
		New: func(p *selfplay.Play, s Settings) (selfplay.Algorithm, error) {
			return counterfactual.New(p, *s.(*counterfactual.Settings))
		},
	})
	Register(Algorithm{
		Name: "imitation", Help: "behaviour cloning and distillation: learn to act like a teacher", Several: true,
		Settings: func() Settings { s := imitation.Default(); return &s }, Common: imitation.Common,
		New: func(p *selfplay.Play, s Settings) (selfplay.Algorithm, error) {
			return imitation.New(p, *s.(*imitation.Settings))
		},
	})
}
