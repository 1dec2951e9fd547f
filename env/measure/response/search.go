package response

import (
	"fmt"
	"slices"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/search"
)

// Searches lists searches, by names that policy.NewBot knows, to play against the player named frozen: one with the game's defaults, and
// ones that use the frozen player for all seats of their rollouts. If that player can also model hidden choices
// (rivals), worlds are dealt by it too. If it is too slow for rollouts, the list has the first search alone.
func Searches(g engine.Game, frozen string, rollouts int) ([]string, error) {
	all := []string{fmt.Sprintf("search(rollouts=%d)", rollouts)}
	if _, err := policy.NewBot(all[0], g); err != nil {
		return nil, err
	}
	// Defaults need not be tried twice.
	prior, player := search.PriorOf(g), search.Of(g).Player
	if player == "" {
		player = prior
	}
	model := fmt.Sprintf("search(rollouts=%d,rollout=%s", rollouts, frozen)
	supposes := made(model+",rivals="+frozen+")", g)
	if supposes {
		model += ",rivals=" + frozen
	}
	if supposes || frozen != player {
		all = append(all, model+")")
	}
	if frozen != prior {
		all = append(all, model+",prior="+frozen+")")
	}
	return slices.DeleteFunc(all, func(name string) bool { return !made(name, g) }), nil
}

func made(name string, g engine.Game) bool {
	_, err := policy.NewBot(name, g)
	return err == nil
}
