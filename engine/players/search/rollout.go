package search

import (
	"fmt"
	"math"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// Seated is a player of rollouts that has others at the seats, by chance. Sit lets them take their seats: it is called before
// each rollout, with the same luck for all actions that are compared in a world, so that they meet the same players.
type Seated interface{ Sit(r *engine.Rand) }

// mostKept is how many of a seat's choices are kept.
const mostKept = 8

// kept is what rivals choose in secret in a world before anybody has seen what the seat that searches does: that is the same
// whatever it does, and so it is asked for once.
type kept struct {
	choices [mostSeats][mostKept]engine.Action
	known   [mostSeats]int // choices that are kept of each seat
	asked   [mostSeats]int // in the rollout at hand
}

// roller plays worlds on. It belongs to one goroutine at a time.
type roller struct {
	seats  int
	player bots.Bot // of all seats
	secret bots.Bot // of those decisions of theirs that others do not see; nil: player
	mine   bots.Bot // of the other decisions of the seat that searches; nil: player
	rivals Rivals   // nil: worlds are as Redeal deals them
	value  Value
	round  func(engine.Match) int // nil if the horizon counts no rounds
	rounds int                    // that are played out, the one at hand included; 0: all

	over   func() bool // Until
	actual bool        // worlds are the match as it is, except what chance will decide
	table  Seated      // player, if it has others at the seats; else nil

	kept kept        // of the world
	veil engine.Rand // luck of what is kept
	room [mostSeats]float64

	world, sim engine.Match
	luck       engine.Rand // a field, since what is handed to a bot would not stay on the stack
	until      int         // round before which rollouts end
}

// Until implements bots.Interruptible, for the players of the worlds too.
func (w *roller) Until(over func() bool) {
	w.over = over
	for _, of := range []any{w.player, w.secret, w.mine, w.rivals, w.value} {
		bots.Until(of, over)
	}
}

// stopped reports whether it was to stop: then what players have said means nothing.
func (w *roller) stopped() bool { return w.over != nil && w.over() }

// deal makes a world of what the seat that acts in m knows.
func (w *roller) deal(m engine.Match, luck engine.Rand) {
	seat := m.Seat()
	w.luck = luck
	w.world.CopyFrom(m)
	if w.actual {
		seat = engine.Full
	}
	w.world.Redeal(seat, &w.luck)
	if w.rivals != nil && !w.actual {
		w.rivals.Suppose(w.world, seat, &w.luck)
	}
	w.kept.known, w.veil = [mostSeats]int{}, luck.At(0)
	w.begin(m)
}

// begin sets the horizon of the rollouts from m.
func (w *roller) begin(m engine.Match) {
	w.until = math.MaxInt
	if w.round != nil && w.rounds > 0 {
		w.until = max(w.round(m), 1) + w.rounds
	}
}

// cut reports whether a rollout ends in m.
func (w *roller) cut(m engine.Match) bool {
	return m.Seat() == engine.Over || w.until != math.MaxInt && w.round(m) >= w.until
}

// play plays an action in the world that was dealt, and on from there to the horizon, as often as there are draws. It writes into dst,
// [seats], what that is worth on average. Actions that are played with the same luck meet the same chance.
func (w *roller) play(a engine.Action, draws int, luck engine.Rand, dst []float64) {
	clear(dst)
	veiled := w.secret != nil && w.hides(w.world, a)
	for k := range draws {
		m := w.sim
		m.CopyFrom(w.world)
		w.luck = luck.At(uint64(1 + k))
		if k > 0 { // the first has the world's own
			m.Redeal(engine.Full, &w.luck)
		}
		if w.table != nil {
			w.table.Sit(&w.luck)
		}
		apply(m, a)
		w.finish(veiled, w.room[:w.seats])
		if w.stopped() {
			return
		}
		for seat, x := range w.room[:w.seats] {
			dst[seat] += x / float64(draws)
		}
	}
}

// playOn plays a match on from where it is, with other luck, and writes what that is worth into dst, [seats].
func (w *roller) playOn(m engine.Match, luck engine.Rand, dst []float64) {
	w.luck = luck
	w.sim.CopyFrom(m)
	w.sim.Redeal(engine.Full, &w.luck)
	w.begin(m)
	w.finish(false, dst)
}

// finish plays sim on to the horizon. veiled says that nobody has seen any decision of the rollout yet.
func (w *roller) finish(veiled bool, dst []float64) {
	m := w.sim
	w.kept.asked = [mostSeats]int{}
	for !w.cut(m) {
		var a engine.Action
		switch {
		case m.Seat() == engine.Chance:
			a, veiled = m.SampleChance(), false
		case w.secret != nil && w.inSecret(m):
			a = w.choose(m, veiled)
		case w.mine != nil && m.Seat() == w.world.Seat():
			a, veiled = w.mine.Act(m, &w.luck), false
		default:
			a, veiled = w.player.Act(m, &w.luck), false
		}
		if w.stopped() {
			return
		}
		apply(m, a)
	}
	w.value.Value(m, dst)
}

// choose makes a decision that others do not see.
func (w *roller) choose(m engine.Match, veiled bool) engine.Action {
	seat, k := m.Seat(), &w.kept
	at := k.asked[seat]
	k.asked[seat]++
	if !veiled || seat == w.world.Seat() || at >= mostKept {
		return w.secret.Act(m, &w.luck)
	}
	if at == k.known[seat] {
		k.choices[seat][at] = w.secret.Act(m, &w.veil)
		k.known[seat]++
	}
	return k.choices[seat][at]
}

// inSecret reports whether no other seat sees what is decided in m.
func (w *roller) inSecret(m engine.Match) bool {
	legal := m.Legal()
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		if !w.hides(m, a) {
			return false
		}
	}
	return true
}

// hides reports whether no other seat sees that it is a, if a is chosen in m.
func (w *roller) hides(m engine.Match, a engine.Action) bool {
	for seat := range w.seats {
		if seat != m.Seat() && m.Sight(seat, a) == engine.Open {
			return false
		}
	}
	return true
}

// apply takes a decision that must be legal.
func apply(m engine.Match, a engine.Action) {
	if err := m.Apply(a); err != nil {
		panic(fmt.Sprintf("search: %v", err))
	}
}
