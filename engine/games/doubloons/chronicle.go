package doubloons

import "github.com/privateer-rl/privateer/engine"

// Statistics of a match: see engine.Chronicle. Seats are players here.

// Roles are the captains.
func (r *Rules) Roles() []string { return captainNames[:] }

// Role is the captain of the ship that a player has.
func (r *Rules) Role(m engine.Match, player int) int {
	s := engine.State[State](m)
	return int(s.Ships[r.SeatOf(s, player)].Captain)
}

// RoleAction is the choice of a captain, if one is to be chosen.
func (r *Rules) RoleAction(m engine.Match, role int) engine.Action {
	if engine.State[State](m).Next() != AskCaptain {
		return -1
	}
	return ToCaptain + engine.Action(role)
}

var events = []string{"sunk", "recovered", "dug_up_jewels", "ship_stolen"}

// Events are what may happen to a player's ship: it becomes a ghost ship,
// recovers, gains jewels when the treasure is dug up, or gets another player.
func (r *Rules) Events() []string { return events }

// Note counts the events between two moments.
func (r *Rules) Note(before, after engine.Match, player int, counts []int) {
	was, is := engine.State[State](before), engine.State[State](after)
	seat := r.SeatOf(was, player)
	then, now := &was.Ships[seat], &is.Ships[seat]
	if now.Ghost && !then.Ghost {
		counts[0]++
	}
	if then.Ghost && !now.Ghost {
		counts[1]++
	}
	if is.Dug && !was.Dug && sum(&now.Jewels) > sum(&then.Jewels) {
		counts[2]++
	}
	if is.Helm[seat] != was.Helm[seat] {
		counts[3]++
	}
}

// Measures are numbers of a finished match.
func (r *Rules) Measures() []string { return []string{"rounds", "dug", "ghosts_at_the_end"} }

// Measure writes how many rounds the match took, not counting one at whose beginning it was cut short, whether the treasure was dug up, and how
// many ships were ghost ships at the end.
func (r *Rules) Measure(m engine.Match, dst []float64) {
	s := engine.State[State](m)
	dst[0], dst[1], dst[2] = float64(min(int(s.Round), r.maxRounds)), 0, 0
	if s.Dug {
		dst[1] = 1
	}
	for seat := range r.seats {
		if s.Ships[seat].Ghost {
			dst[2]++
		}
	}
}
