package pirate

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// mends are pirate 2's improvements over the heuristic pirate, as a set. PIRATE2.md has the value of each.
type mends uint8

const (
	byPatience mends = 1 << iota // keeps its cards for the mutinies of the last rounds
	byFeint                      // calls mutinies before the last round for what others spend on them
	byNerve                      // takes the part of mutineers if it has little to lose, and brings no man more than is needed
	byCourse                     // buries in time, and attacks in the last round
)

// makePirate2 makes pirate 2: the heuristic pirate, improved where trained pirates play otherwise.
func makePirate2(g engine.Game) (bots.Bot, error) {
	second, err := newPirate(g)
	if err != nil {
		return nil, err
	}
	second.name, second.mends = "heuristic2", byPatience|byFeint|byNerve|byCourse
	if second.hidden { // nobody can tell when it has become worth while to stand aside no longer
		second.mends &^= byPatience
	}
	return second, nil
}

func (p *pirate) does(m mends) bool { return p.mends&m != 0 }

const (
	fewSeats = 5   // at tables of at most this many seats, a mutiny of the last round but two does not pay
	feinted  = .1  // of the stake, in a mutiny called for what others spend on it
	poor     = 2.2 // gold that is little to lose
	grudge   = 4.0 // what the Captain's fall is worth to a player that has no more
	returned = .7  // of what a loser's prizes are worth to it, that is not at risk: they are shared out among all
	haven    = 2.0 // of Treasure Island in the last rounds but one, when mutinies are sure to come
)

// left is how many rounds are still to come.
func (p *pirate) left() int { return jollyroger.Rounds - int(p.s.Round) }

// early reports whether it is too early to spend cards in mutinies: those who do are disarmed when gold is at stake.
// With three seats nobody can stand aside.
func (p *pirate) early() bool { return p.seats > jollyroger.MinSeats && p.left() > 1 }

// rises reports whether to call a mutiny: in the last rounds, and after the Captain's first decision of the round, before
// it has brought prizes home.
func (p *pirate) rises() bool {
	first := jollyroger.PhaseAppointment
	if p.seats == jollyroger.MinSeats { // who have no Quartermaster to appoint
		first = jollyroger.PhaseVoyage
	}
	late := 1
	if p.seats > fewSeats {
		late = 2
	}
	return p.s.Phase == first && p.left() <= late
}

// feint calls a mutiny with the card that is missed the least: the Captain will spend more on it.
func (p *pirate) feint() engine.Action {
	if role := jollyroger.ToOppose + engine.Action(jollyroger.QuartermasterCard); p.legal.Has(role) {
		return role
	}
	return jollyroger.ToOppose + engine.Action(p.least())
}

// shelter is the value of Treasure Island beyond the prizes buried there now: a late Captain will have to
// stand for it, and in the last round a prize is worth more.
func (p *pirate) shelter() float64 {
	switch left := p.left(); {
	case !p.does(byCourse) || left > 3:
		return 0
	case left > 0:
		return haven
	}
	return -haven
}
