package leduc

import "fmt"

// Tell says which cards were dealt and what was done.
func (rules) Tell(before, after *State, view int) (told []string) {
	for round := range rounds {
		done := actionList(&after.History[round])
		for i := actions(&before.History[round]); i < len(done); i++ {
			did := map[string]string{"fold": "folds", "call": "calls", "raise": "raises"}[done[i]]
			if done[i] == actionNames[Call] && (i == 0 || i == 1 && done[0] == actionNames[Call]) {
				did = "checks"
			}
			told = append(told, fmt.Sprintf("Seat %d %s.", i%seats, did))
		}
	}
	for seat := range seats {
		was, is := before.known(view, seat) && before.Hands[seat] != None, after.known(view, seat)
		switch {
		case after.Hands[seat] == None:
		case !was && is:
			told = append(told, fmt.Sprintf("Seat %d has the card %s.", seat, rankNames[after.Hands[seat]]))
		case before.Hands[seat] == None:
			told = append(told, fmt.Sprintf("Seat %d is dealt a card.", seat))
		}
	}
	if before.Public != after.Public {
		told = append(told, fmt.Sprintf("The public card is %s.", rankNames[after.Public]))
	}
	return told
}
