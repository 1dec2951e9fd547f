package table

import "github.com/privateer-rl/privateer/engine"

// Glance is a match as a person's seat sees it.
type Glance struct {
	Match    engine.Match    // as it is, or while others may be asked in secret as the seat saw it last
	Turn     string          // You, Wait or Done
	Decision int             // the number of the seat's next decision
	Log      []engine.Moment // of the whole match
	Since    []engine.Moment // of them those since the seat's last decision, which is the first of them
	Seed     uint64          // of a match that is over
	Fault    error           // why a bot whose turn it is has not decided
}

// Glance lets f look at the match as a person's seat sees it, with the table's lock held. moved is closed when something happens after that.
func (t *Table) Glance(seat int, f func(Glance)) (moved <-chan struct{}, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.use(); err != nil {
		return nil, err
	}
	log := t.logs[seat]
	g := Glance{Match: t.eyes[seat].Seen(t.match), Turn: Wait, Decision: t.next[seat], Log: log, Since: log[t.decided[seat]:], Fault: t.fault}
	switch t.match.Seat() {
	case engine.Over:
		g.Match, g.Turn, g.Seed = t.match, Done, t.seed
	case seat:
		g.Match, g.Turn = t.match, You
	}
	f(g)
	return t.moved, nil
}
