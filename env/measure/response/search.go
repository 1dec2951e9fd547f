package response

import (
	"fmt"
	"slices"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/search"
)

// Searches are the searches to challenge a player of a name with, policy.NewBot's: that of the game's own defaults, and those
// that know the frozen player, who plays all seats in their rollouts, as it will play the others' in the match. If it can say
// what it would hold in secret, worlds are dealt by that too. Of a player who is too slow for rollouts, only the first is left.
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
