package jollyroger

import "github.com/privateer-rl/privateer/engine"

// Statistics of a match: see engine.Chronicle.

// Roles are none: offices change hands.
func (r *Rules) Roles() []string { return nil }

// Role is none.
func (r *Rules) Role(engine.Match, int) int { return -1 }

// RoleAction is none.
func (r *Rules) RoleAction(engine.Match, int) engine.Action { return -1 }

var events = []string{"became_captain", "became_quartermaster", "buried", "lost_prizes"}

// Events names what may happen to a player: it becomes Captain by a mutiny, or
// Quartermaster, buries prizes, or has fewer prizes than before.
func (r *Rules) Events() []string { return events }

// Note counts the events between two moments.
func (r *Rules) Note(before, after engine.Match, seat int, counts []int) {
	was, is := engine.State[State](before), engine.State[State](after)
	at := int8(seat)
	if is.Captain == at && was.Captain != at && was.Captain != noSeat {
		counts[0]++
	}
	if is.Quartermaster == at && was.Quartermaster != at && r.officers {
		counts[1]++
	}
	buried := sum(is.Buried[seat][:]) - sum(was.Buried[seat][:])
	if buried > 0 {
		counts[2]++
	}
	if sum(is.Prizes[seat][:])+max(0, buried) < sum(was.Prizes[seat][:]) {
		counts[3]++
	}
}

// Measures are numbers of a finished match.
func (r *Rules) Measures() []string {
	return []string{"rounds", "prizes_drawn", "gold", "most_gold"}
}

// Measure writes how many rounds the match took, how many prizes were drawn, how much
// gold all players have together, and how much the richest has.
func (r *Rules) Measure(m engine.Match, dst []float64) {
	s := engine.State[State](m)
	dst[0], dst[1] = float64(s.Round), float64(prizeCopies-int(s.PrizesLeft))
	dst[2], dst[3] = 0, 0
	for seat := range r.seats {
		gold := float64(r.gold(s, seat))
		dst[2] += gold
		dst[3] = max(dst[3], gold)
	}
}
