package search

import (
	"fmt"
	"math"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
)

// Horizon is where rollouts are cut. The zero Horizon is the end of the match.
type Horizon struct {
	Rounds    int // rounds that are played out, the one at hand included; 0: all
	Decisions int // decisions that are played; 0: all
}

// Seated is a player of rollouts that has others at the seats, by chance. Sit lets them take their seats: it is called before
// each rollout, with the same luck for all actions that are compared in a world, so that they meet the same players.
type Seated interface{ Sit(r *engine.Rand) }

// roller plays worlds on. It belongs to one goroutine at a time.
type roller struct {
	seats   int
	player  bots.Bot // of all seats
	rivals  Rivals   // nil: worlds are as Redeal deals them
	value   Value
	round   func(engine.Match) int // nil if the horizon counts no rounds
	horizon Horizon

	actual bool   // worlds are the match as it is, but for what chance will decide
	table  Seated // player, if it has others at the seats; else nil

	world, sim engine.Match
	luck       engine.Rand // a field, since what is handed to a bot would not stay on the stack
	until      int         // round before which rollouts end
}

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
	w.begin(m)
}

// begin sets the horizon of the rollouts from m.
func (w *roller) begin(m engine.Match) {
	w.until = math.MaxInt
	if w.round != nil && w.horizon.Rounds > 0 {
		w.until = max(w.round(m), 1) + w.horizon.Rounds
	}
}

// cut reports whether a rollout ends in m, after the given number of decisions.
func (w *roller) cut(m engine.Match, decisions int) bool {
	return m.Seat() == engine.Over || w.horizon.Decisions > 0 && decisions >= w.horizon.Decisions || w.until != math.MaxInt && w.round(m) >= w.until
}

// play plays an action in the world that was dealt, and on from there to the horizon. It writes into dst, [seats], what that is worth.
// Actions that are played with the same luck meet the same chance.
func (w *roller) play(a engine.Action, luck engine.Rand, dst []float64) {
	m := w.sim
	m.CopyFrom(w.world)
	w.luck = luck
	if w.table != nil {
		w.table.Sit(&w.luck)
	}
	apply(m, a)
	w.finish(1, dst)
}

// foresee plays a match on from where it is, with other luck, and writes what that is worth into dst, [seats].
func (w *roller) foresee(m engine.Match, luck engine.Rand, dst []float64) {
	w.luck = luck
	w.sim.CopyFrom(m)
	w.sim.Redeal(engine.Full, &w.luck)
	w.begin(m)
	w.finish(0, dst)
}

// finish plays sim on to the horizon, after the given number of decisions.
func (w *roller) finish(decisions int, dst []float64) {
	m := w.sim
	for n := decisions; !w.cut(m, n); n++ {
		var a engine.Action
		if m.Seat() == engine.Chance {
			a = m.SampleChance()
		} else {
			a = w.player.Act(m, &w.luck)
		}
		apply(m, a)
	}
	w.value.Value(m, dst)
}

// apply takes a decision that must be legal.
func apply(m engine.Match, a engine.Action) {
	if err := m.Apply(a); err != nil {
		panic(fmt.Sprintf("search: %v", err))
	}
}
