package env

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
)

// Player says who decides for a player inside the loop. The zero Player is the
// caller, whose decisions are the only ones that rows show.
type Player struct {
	Name   string                              // for errors, and for snapshots to tell vectors apart
	Bot    func(engine.Game) (bots.Bot, error) // makes a bot for each worker
	Policy func(engine.Game) (Policy, error)   // makes a policy for each worker
}

// callers reports whether the player is the caller.
func (p *Player) callers() bool { return p.Bot == nil && p.Policy == nil }

// Policy decides for many rows at once, as a network does. Unless it says otherwise, one goroutine at a
// time may use it.
type Policy interface {
	// Probs writes the probabilities of the actions in n decisions into probs,
	// [n, A], given what the seats to act see: obs, [n, D] of the seat view, and mask,
	// [n, A] of 0 and 1. An illegal action's is 0; those of the legal ones need not sum to 1.
	// To be reproducible, a row of probs must depend on the same row of obs and mask only.
	Probs(n int, obs, mask []uint8, probs []float32) error
}

// ActionPolicy is a Policy that scores actions by what they do.
type ActionPolicy interface {
	Policy
	// ActionProbs is Probs with a row for each legal action (encode.Encoder.EncodeActions): rows, [total, F], those
	// of decision i from offsets[i] to offsets[i+1], in ascending order of actions; offsets is [n+1].
	ActionProbs(n int, obs, mask, rows []uint8, offsets []int32, probs []float32) error
}

// BotPlayer is a player whom a bot of package bots plays.
func BotPlayer(name string) Player {
	return Player{Name: name, Bot: func(g engine.Game) (bots.Bot, error) { return bots.New(name, g) }}
}

// PolicyPlayer is a player whom a policy plays. All workers share it, so that with
// more than one of them it must be fit for use by several goroutines.
func PolicyPlayer(name string, p Policy) Player {
	return Player{Name: name, Policy: func(engine.Game) (Policy, error) { return p, nil }}
}

// deciders are the bots and policies of one worker, by player, with room for their decisions.
type deciders struct {
	byPlayer []decider
	asked    []int32 // rows at a decision of a policy, or of a bot that was not to think any more

	rows  []int32 // those that one policy is asked about
	obs   []uint8
	mask  []uint8
	probs []float32
	does  rows // what the actions do, for policies that ask

	over  func() bool // says when to stop: Vec.Until
	fault error       // why a row of this worker cannot go on
}

// decider is one of the players; both are nil for the caller.
type decider struct {
	name   string
	bot    bots.Bot
	stops  bots.Interruptible // bot, if it is one
	policy Policy
	action ActionPolicy // the same, if it asks what actions do
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
			v.veiled[i] = !p.callers()
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
				r.policy, err = p.Policy(v.game)
				v.asks = true
				if r.action, _ = r.policy.(ActionPolicy); r.action != nil && v.enc.ActionSize() == 0 {
					return fmt.Errorf("env: player %d (%s) reads what actions do, which %s does not describe", i, p.Name, v.info.Config)
				}
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

// decider is who decides in row i.
func (ds *deciders) decider(v *Vec, i int) *decider { return &ds.byPlayer[v.player(i)] }

// player is who has the seat that is to act in row i.
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
// error says why one cannot go on; after ErrStopped they can.
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

// ask lets player p decide in all rows that wait for it. Those that then come to another decision of a policy
// wait again.
func (v *Vec) ask(ds *deciders, p int) {
	d, a := v.wide.obs, v.wide.actions
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
	r, n := &ds.byPlayer[p], len(ds.rows)
	if r.bot != nil {
		for _, i := range ds.rows {
			v.goOn(ds, i)
		}
		return
	}
	if len(ds.mask) < n*a {
		ds.obs, ds.mask, ds.probs = make([]uint8, n*d), make([]uint8, n*a), make([]float32, n*a)
	}
	ds.does.reset()
	for k, i := range ds.rows {
		v.enc.Encode(v.matches[i], int(v.seats[i]), ds.obs[k*d:(k+1)*d])
		v.legal[i].Expand(ds.mask[k*a : (k+1)*a])
		if r.action != nil {
			ds.does.add(v.enc, v.matches[i])
		}
	}
	if err := r.probs(ds, n, d, a); err != nil {
		ds.fault = fmt.Errorf("env: player %d (%s): %w", p, r.name, err)
		return
	}
	for k, i := range ds.rows {
		action := v.legal[i].PickProbable(ds.probs[k*a:(k+1)*a], &v.draws[i])
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

// probs asks the policy about n decisions.
func (r *decider) probs(ds *deciders, n, d, a int) error {
	obs, mask, probs := ds.obs[:n*d], ds.mask[:n*a], ds.probs[:n*a]
	if r.action != nil {
		return r.action.ActionProbs(n, obs, mask, ds.does.bytes, ds.does.offsets, probs)
	}
	return r.policy.Probs(n, obs, mask, probs)
}
