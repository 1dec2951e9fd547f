package engine

// Chronicle is what the rules of a game may offer besides Rules, for statistics of
// many matches: the roles of seats, their events, how long a match took
// in the game's own measure. All of it may be asked of any match of the game.
type Chronicle interface {
	// Roles names the roles of seats, such as captains; empty if seats are all alike.
	Roles() []string
	// Role is a seat's role, an index into Roles, or −1 if it has none yet.
	Role(m Match, seat int) int
	// RoleAction is the action by which the seat that decides now would become
	// role, or −1 if the decision is not a choice of a role.
	RoleAction(m Match, role int) Action

	// Events names the events that are counted for a seat.
	Events() []string
	// Note adds a seat's events between two moments of a match to counts,
	// [len(Events())].
	Note(before, after Match, seat int, counts []int)

	// Measures names numbers that a finished match has, such as its rounds.
	Measures() []string
	// Measure writes them to dst, [len(Measures())].
	Measure(m Match, dst []float64)
}

// ChronicleOf returns the chronicle of a game, and false if it has none.
func ChronicleOf(g Game) (Chronicle, bool) {
	if g, ok := g.(interface{ chronicle() (Chronicle, bool) }); ok {
		return g.chronicle()
	}
	return nil, false
}

func (g *game[S]) chronicle() (Chronicle, bool) {
	c, ok := g.rules.(Chronicle)
	return c, ok
}
