package engine

// Limiter is what rules may offer besides Rules: a limit of the game string, such as one of rounds, that
// is in no rulebook and only keeps matches from never ending. A match that reaches it is over
// for the engine (Match.Seat is Over), but nobody has won: it is truncated, and stands
// at the decision that would have come next, as any other unfinished match. So a learner can
// ask what each seat could still expect there, just as when a cap of the environment
// ends an episode.
//
// The rules continue as if there were no limit: Seat and Legal answer for the decision that
// would come next, and Returns are what they are before the end.
type Limiter[S comparable] interface {
	// Limit names the limit that the match has reached, as in "max_rounds=60"; "" if there is
	// none. It is asked only when Seat is a seat.
	Limit(s *S) string
}

// limit is the limit that a match has reached at a decision of a seat.
func (g *game[S]) limit(s *S) string {
	if g.limiter == nil {
		return ""
	}
	return g.limiter.Limit(s)
}

func (m *match[S]) Truncated() (limit string, next int) {
	if *m.seat != Over {
		return "", Over
	}
	if next = m.rules.Seat(m.s); next < 0 {
		return "", Over
	}
	return m.limit(m.s), next
}
