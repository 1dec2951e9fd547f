package train

import (
	"github.com/privateer-rl/privateer/train/counterfactual"
	"github.com/privateer-rl/privateer/train/imitation"
	"github.com/privateer-rl/privateer/train/ppo"
)

func ppoOf(c *Config) *ppo.Settings             { return c.Settings.(*ppo.Settings) }
func imitationOf(c *Config) *imitation.Settings { return c.Settings.(*imitation.Settings) }
func counterfactualOf(c *Config) *counterfactual.Settings {
	return c.Settings.(*counterfactual.Settings)
}
