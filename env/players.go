package env

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
)

// callers reports whether a player is the caller, whose decisions are the only ones that rows show.
func callers(p *match.Player) bool { return p.Bot == nil && p.Policy == nil }

// deciders are the bots and policies of one worker, by player, with room for their decisions.
type deciders struct {
	byPlayer []decider
	asked    []int32 // rows at a decision of a policy, or of a bot that was not to think any more
	rows     []int32 // those that one policy is asked about

	over  func() bool // says when to stop: Vec.Until
	fault error       // why a row of this worker cannot continue
}

// decider is one of the players; both are nil for the caller.
type decider struct {
	name   string
	bot    bots.Bot
	stops  bots.Interruptible // bot, if it is one
	policy *match.Inference
}

// decideStream is the child stream of an episode's seed that bots and policies draw from.
const decideStream = 0x63617374 // "cast"

func (v *Vec) newDeciders() error {
	if v.cfg.Players == nil {
		return nil
	}
	if !v.cfg.Full {
		v.veiled = make([]bool, len(v.cfg.Players))
		for i, p := range v.cfg.Players {
			v.veiled[i] = !callers(&p)
		}
	}
	v.draws = make([]engine.Rand, v.n)
	v.deciders = make([]deciders, v.cfg.Workers)
	for w := range v.deciders {
		ds := &v.deciders[w]
		for i, p := range v.cfg.Players {
			r := decider{name: p.Name}
			var err error
			switch {
			case p.Bot != nil:
				r.bot, err = p.Bot(v.game)
				r.stops, _ = r.bot.(bots.Interruptible)
			case p.Policy != nil:
				r.policy, err = match.NewInference(&p, v.game)
				v.asks = true
			}
			if err != nil {
				return fmt.Errorf("env: player %d: %w", i, err)
			}
			ds.byPlayer = append(ds.byPlayer, r)
		}
	}
	return nil
}

// stopped reports whether the call that is at work is to stop.
func (ds *deciders) stopped() bool { return ds.over != nil && ds.over() }

// playOn lets the bots play in row i until somebody else is to decide. It reports
// false if that is a policy, or if the call is to stop.
func (v *Vec) playOn(ds *deciders, i int) bool {
	for v.seats[i] >= 0 && ds.fault == nil {
		r := ds.decider(v, i)
		switch {
		case r.policy != nil:
			return false
		case r.bot == nil:
			return true
		case ds.stopped():
			return false
		}
		before := v.draws[i]
		a := r.bot.Act(v.matches[i], &v.draws[i])
		if a == bots.Stopped && r.stops != nil {
			v.draws[i] = before // asked again, it decides as if it had not been stopped
			return false
		}
		v.perform(ds, i, r, a)
	}
	return true
}

// decider is the one who decides in row i.
func (ds *deciders) decider(v *Vec, i int) *decider { return &ds.byPlayer[v.player(i)] }

// player is the player in the seat that is to act in row i.
func (v *Vec) player(i int) int { return int(v.batch.Players[i*v.wide.seats+int(v.seats[i])]) }

// perform performs a decision of a bot or a policy.
func (v *Vec) perform(ds *deciders, i int, r *decider, a engine.Action) {
	if v.recordings != nil {
		v.recordings[i].add(v.seats[i], a)
	}
	if err := v.matches[i].Apply(a); err != nil {
		ds.fault = fmt.Errorf("env: row %d: player %d (%s): %w", i, v.player(i), r.name, err)
	}
}

// decide asks the policies until no row waits for one, and advances the rows. The
// error says why one cannot continue; after ErrStopped they can.
func (v *Vec) decide(ds *deciders) error {
	if ds == nil {
		return nil
	}
	for len(ds.asked) > 0 && ds.fault == nil {
		if ds.stopped() {
			return ErrStopped
		}
		v.ask(ds, v.player(int(ds.asked[0])))
	}
	ds.asked = ds.asked[:0]
	return ds.fault
}

// ask lets player p decide in all rows that wait for it. Those that then reach another decision of a policy
// wait again.
func (v *Vec) ask(ds *deciders, p int) {
	ds.rows = ds.rows[:0]
	others := ds.asked[:0]
	for _, i := range ds.asked {
		if v.player(int(i)) == p {
			ds.rows = append(ds.rows, i)
		} else {
			others = append(others, i)
		}
	}
	ds.asked = others
	r := &ds.byPlayer[p]
	if r.bot != nil {
		for _, i := range ds.rows {
			v.goOn(ds, i)
		}
		return
	}
	r.policy.Clear()
	for _, i := range ds.rows {
		r.policy.Add(v.matches[i])
	}
	if err := r.policy.Run(); err != nil {
		ds.fault = fmt.Errorf("env: player %d (%s): %w", p, r.name, err)
		return
	}
	for k, i := range ds.rows {
		action := r.policy.Choose(k, &v.legal[i], &v.draws[i])
		if action < 0 {
			ds.fault = fmt.Errorf("env: row %d: player %d (%s): its probabilities of the legal actions are negative, not finite or all zero", i, p, r.name)
			return
		}
		v.perform(ds, int(i), r, action)
		v.goOn(ds, i)
	}
}

// goOn advances a row, which waits again if it must.
func (v *Vec) goOn(ds *deciders, i int32) {
	if !v.advance(ds, int(i)) {
		ds.asked = append(ds.asked, i)
	}
}
