// Package pirate has the players of Jolly Roger: the greedy one, the heuristic one, and the second heuristic one, which is improved.
package pirate

import (
	"errors"
	"math"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// pirate is the heuristic player of Jolly Roger. It knows what its seat may know, and
// weighs everything in gold at the end of the match, its own less its rivals'
// (worth.go):
//
//   - a voyage by the chance that the crew's cards suffice for what still lies in the
//     stack (attack.go);
//   - a mutiny by what either side would lose, and by the crewmen that it can add
//     (mutiny.go);
//   - special cards each by a rule of its own (specials.go).
//
// It never looks ahead by playing on, so a decision costs next to nothing.
type pirate struct {
	rules  *jollyroger.Rules
	seats  int
	limit  int  // of hands
	hidden bool // prizes of others are not to be seen
	name   string
	mends  mends

	// The subject of the current decision; filled in by look.
	s     *jollyroger.State
	legal *engine.Mask
	me    int
	hand  *[jollyroger.NumCrew]uint8
	stand [jollyroger.MaxSeats]float64 // gold of each seat, as far as one can tell
	loose [jollyroger.MaxSeats]float64 // … that is not buried
	hurts [jollyroger.MaxSeats]float64 // how much a gold of each other seat hurts; they sum to 1
}

func init() {
	bots.Register(bots.Kind{Name: "greedy", Game: "jolly_roger", Help: "takes what brings most at once", New: newGreedy})
	bots.Register(bots.Kind{
		Name: "heuristic", Game: "jolly_roger", Help: "weighs each choice by rules written by hand", Make: makePirate,
		Params: []engine.Param{{
			Name: "player", Default: itself,
			Help: "who decides all except mutinies at tables of four seats or more against a Captain of three rounds or more that is ahead: a quick bot, such as policy:pirate; itself: it does",
		}},
	})
	bots.Register(bots.Kind{
		Name: "heuristic2", Game: "jolly_roger", Help: "the heuristic pirate, mended: keeps its cards for the last mutinies, and buries in time", New: makePirate2,
	})
}

func newPirate(g engine.Game) (*pirate, error) {
	rules, ok := engine.RulesOf[jollyroger.State, *jollyroger.Rules](g.NewMatch())
	if !ok {
		return nil, errors.New("its matches are not those of engine/games/jollyroger")
	}
	return &pirate{rules: rules, seats: rules.Seats(), limit: int(rules.Limit()), hidden: rules.HiddenPrizes(), name: "heuristic"}, nil
}

func (p *pirate) Name() string { return p.name }

func (p *pirate) Act(m engine.Match, _ *engine.Rand) engine.Action {
	legal := m.Legal()
	first := legal.First()
	if legal.Next(first) < 0 {
		return first
	}
	p.look(engine.State[jollyroger.State](m), legal)
	if a := p.choose(p.s.Top()); legal.Has(a) {
		return a
	}
	return first
}

// choose is the decision of a frame.
func (p *pirate) choose(f jollyroger.Frame) engine.Action {
	switch f.Kind {
	case jollyroger.AskAppoint:
		return p.foe(jollyroger.ToSeat, -1, func(int) float64 { return 1 })
	case jollyroger.AskSail:
		return jollyroger.ToSail + engine.Action(p.voyage())
	case jollyroger.AskMutiny:
		return p.revolt()
	case jollyroger.AskFaction:
		return p.faction()
	case jollyroger.AskSeaDog:
		return p.foe(jollyroger.ToSeat, 0, p.manpower)
	case jollyroger.AskForced:
		return p.pressed(f.Arg[0])
	case jollyroger.AskFirst:
		return p.fight(true)
	case jollyroger.AskAttack:
		if a := p.anytime(-1); a >= 0 {
			return a
		}
		return p.fight(false)
	case jollyroger.AskAssign:
		return jollyroger.ToSucceed
	case jollyroger.AskChange:
		return p.bend()
	case jollyroger.AskPick:
		return jollyroger.ToPrize + engine.Action(p.best(&p.s.Spoils))
	case jollyroger.AskShare:
		return p.share()
	case jollyroger.AskExchange:
		return p.barter()
	case jollyroger.AskSell:
		if p.legal.Has(jollyroger.ToRansom) {
			return jollyroger.ToRansom
		}
		return jollyroger.ToSell
	case jollyroger.AskBury:
		return p.bury()
	case jollyroger.AskPunish:
		return p.whip(jollyroger.ToSuggest - 1)
	case jollyroger.AskVictim:
		return p.whip(jollyroger.ToSeat)
	case jollyroger.AskDiscard:
		return jollyroger.ToDiscard + engine.Action(p.least())
	case jollyroger.AskGift:
		return jollyroger.ToPass
	case jollyroger.AskOffer:
		return p.offer(f.Arg[1] != 0)
	case jollyroger.AskAccept:
		return p.answer(f.Arg[1] != 0)
	case jollyroger.AskRest:
		return p.rest(f.Arg[1] != 0)
	case jollyroger.AskAnytime:
		if a := p.anytime(int(f.Arg[0])); a >= 0 {
			return a
		}
		return jollyroger.ToPass
	}
	return p.special(f)
}

// look takes in what the seat that is asked knows of how everybody stands.
func (p *pirate) look(s *jollyroger.State, legal *engine.Mask) {
	p.s, p.legal = s, legal
	p.me = int(s.Top().Seat)
	p.hand = &s.Hands[p.me]
	best := math.Inf(-1)
	for i := range p.seats {
		p.loose[i] = p.worth(&s.Prizes[i], i)
		p.stand[i] = p.loose[i] + p.worth(&s.Buried[i], i)
		if i != p.me {
			best = max(best, p.stand[i])
		}
	}
	total := 0.0
	for i := range p.seats {
		p.hurts[i] = 0
		if i != p.me {
			d := (best - p.stand[i]) / rivalGap
			p.hurts[i] = 1 / (1 + float64(d*d))
			total += p.hurts[i]
		}
	}
	for i := range p.seats {
		p.hurts[i] /= total
	}
}

// seat is the seat n places clockwise.
func (p *pirate) seat(places int) int { return (p.me + places) % p.seats }

// foe is the legal one of the actions base + places clockwise whose seat hurts the most,
// weighed by score; with sign −1 the least, with 0 rivalry does not matter. It is −1
// if none is legal.
func (p *pirate) foe(base engine.Action, sign float64, score func(seat int) float64) engine.Action {
	best, most := engine.Action(-1), math.Inf(-1)
	for k := 1; k < p.seats; k++ {
		a := base + engine.Action(k)
		if !p.legal.Has(a) {
			continue
		}
		i := p.seat(k)
		v := score(i)
		if sign != 0 {
			v = float64(v * float64(sign*p.hurts[i]))
		}
		if v > most {
			best, most = a, v
		}
	}
	return best
}

// manpower is how many crew cards a seat holds.
func (p *pirate) manpower(seat int) float64 { return float64(p.s.Size[seat]) }

// whip names the rival whose card shall go.
func (p *pirate) whip(base engine.Action) engine.Action {
	if a := p.foe(base, 1, func(i int) float64 { return 1 + float64(.1*p.manpower(i)) }); a >= 0 {
		return a
	}
	return jollyroger.ToSpare
}
