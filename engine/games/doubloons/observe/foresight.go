package observe

import (
	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/games/doubloons/captain"
)

// futures are how often each action is played on. Twice as often, or to the end of the round, did not help (notebooks/lab/training.md).
const futures = 2

// foresight is how the ships stand at the end of the slot, of the last one at the end of the round, if greedy captains play on from an
// action: the average of two futures, in which all actions meet the same luck. What the seat that decides cannot know is dealt
// again, the same for all who cannot tell. While cards are programmed, and in set-up, nothing is looked ahead.
type foresight struct {
	seen   uint8           `name:"foresight.seen" doc:"the action has been played on; what follows says how the ships stand then"`
	over   uint8           `name:"foresight.over" max:"255" doc:"share of the futures in which the match is over"`
	wins   uint8           `name:"foresight.wins" max:"255" doc:"share of them in which it is, and nobody has as many points as oneself"`
	ahead  uint8           `name:"foresight.ahead" max:"255" scale:"1/32" doc:"points that one has more than the best of the others, in quarters"`
	behind uint8           `name:"foresight.behind" max:"255" scale:"1/32" doc:"points that one has less, in quarters"`
	lead   uint8           `name:"foresight.lead" max:"255" scale:"1/64" doc:"by how much that is better than after any other action, in 16ths of a point"`
	lag    uint8           `name:"foresight.lag" max:"255" scale:"1/64" doc:"by how much it is worse than after the best action, in 16ths of a point"`
	above  uint8           `name:"foresight.above" max:"255" scale:"1/64" doc:"by how much it is better than after the worst action, in 16ths of a point"`
	gain   changes         `name:"foresight.gain"`
	loss   changes         `name:"foresight.loss"`
	rivals [opponents]fate `name:"foresight.against[]"`
}

// fate is the future of one opponent.
type fate struct {
	gains uint8 `name:"gains" max:"255" scale:"1/64" doc:"points that it gains, in 16ths"`
	loses uint8 `name:"loses" max:"255" scale:"1/64" doc:"points that it loses, in 16ths"`
	hull  uint8 `name:"hull" max:"255" scale:"1/32" doc:"hull that it loses, in 16ths"`
}

// lookahead is the room that one decision is looked ahead from.
type lookahead struct {
	ledger
	rollout *captain.Rollout
	world   doubloons.State
	tried   doubloons.State
	leads   [doubloons.NumActions]int32 // in 16ths of a point, by the place of the action among the legal ones
}

func newLookahead(g engine.Game) *lookahead {
	r, err := captain.NewRollout(g)
	if err != nil {
		panic("observe: " + err.Error()) // the encoder was made for the same game
	}
	return &lookahead{rollout: r}
}

// advise fills the ends of the rows of a decision.
func (d *encoder) advise(m engine.Match, ends encode.Ends[foresight]) {
	s := engine.State[doubloons.State](m)
	f := s.Top()
	if f.Kind <= doubloons.AskPlace || f.Kind == doubloons.AskProgram {
		return
	}
	c := d.lookaheads.Get().(*lookahead)
	chance := engine.NewRand(1) // the same for the same match
	c.world = *s
	d.rules.Redeal(&c.world, d.rules.PlayerAt(s, int(f.Seat)), &chance)
	c.open(d, &c.world)
	legal := m.Legal()
	a := legal.First()
	for i := range ends.Len() {
		c.leads[i] = c.future(ends.At(i), int(f.Seat), a)
		a = legal.Next(a)
	}
	c.compare(ends)
	d.lookaheads.Put(c)
}

// future writes the result of an action of a seat, and returns the seat's lead after it.
func (c *lookahead) future(to *foresight, seat int, a engine.Action) int32 {
	d := c.d
	c.clear()
	lead, over, wins := int32(0), 0, 0
	for k := range futures {
		c.tried = c.world
		c.tried.Rand = engine.NewRand(uint64(k))
		d.rules.Apply(&c.tried, a)
		c.rollout.FinishSlot(&c.tried)
		c.sum(&c.tried, whole/futures)
		by := c.points(seat)
		lead += 16 * by / futures
		if c.tried.Phase == doubloons.PhaseOver {
			over++
			wins += int(engine.Bit(by > 0))
		}
	}
	to.seen, to.over, to.wins = 1, fit(255*over/futures), fit(255*wins/futures)
	to.ahead, to.behind = fit(lead/4), fit(-lead/4)
	c.summed[seat].write(&to.gain, &to.loss)
	for k := range d.seats - 1 {
		t, rival := &c.summed[(seat+1+k)%d.seats], &to.rivals[k]
		rival.gains, rival.loses = fit((16*t.points+whole/2)/whole), fit((whole/2-16*t.points)/whole)
		rival.hull = fit((whole/2 - 16*t.hull) / whole)
	}
	return lead
}

// points are those that a seat has more than the best of the others, in a state that has been tried.
func (c *lookahead) points(seat int) int32 {
	most := int32(-1 << 20)
	for i := range c.d.seats {
		if i != seat {
			most = max(most, c.d.points(&c.tried, i))
		}
	}
	return c.d.points(&c.tried, seat) - most
}

// compare writes each action's lead beside those of the others.
func (c *lookahead) compare(ends encode.Ends[foresight]) {
	best, second, worst := int32(-1<<30), int32(-1<<30), int32(1<<30)
	for _, lead := range c.leads[:ends.Len()] {
		if second = max(second, min(best, lead)); lead > best {
			best = lead
		}
		worst = min(worst, lead)
	}
	for i, lead := range c.leads[:ends.Len()] {
		to := ends.At(i)
		to.lag, to.above = fit(best-lead), fit(lead-worst)
		if lead == best && ends.Len() > 1 {
			to.lead = fit(best - second)
		}
	}
}
