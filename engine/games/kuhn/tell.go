package kuhn

import "fmt"

// Tell says which cards were dealt and what was done.
func (r rules) Tell(before, after *State, view int) (told []string) {
	for seat := range r.seats {
		was, is := r.known(before, view, seat) && before.Hands[seat] != None, r.known(after, view, seat)
		switch {
		case after.Hands[seat] == None:
		case !was && is:
			told = append(told, fmt.Sprintf("Seat %d has the card %s.", seat, cardNames[after.Hands[seat]]))
		case before.Hands[seat] == None:
			told = append(told, fmt.Sprintf("Seat %d is dealt a card.", seat))
		}
	}
	bettor := before.bettor()
	for i := before.decisions(); i < after.decisions(); i++ {
		did := "passes"
		switch bet := after.History[i] == uint8(Bet)+1; {
		case bet && bettor >= 0:
			did = "calls"
		case bet:
			did, bettor = "bets", i
		case bettor >= 0:
			did = "folds"
		}
		told = append(told, fmt.Sprintf("Seat %d %s.", i%r.seats, did))
	}
	return told
}
