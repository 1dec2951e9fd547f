package pirate

import (
	"math"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
)

const (
	cookMin      = 1.2 // what the Cook must gain
	claimMin     = 1.7 // … the Carpenter
	boatswainMin = .2  // … the Boatswain
	kidMin       = 1.0 // … the Smart Kid
	surgeonMin   = 2.0 // gold of spoils for which the Surgeon operates
	traitorMin   = .8  // harm for which the Traitor is worth its card
)

// special is the decision about a special card that is played for its effect.
func (p *pirate) special(f jollyroger.Frame) engine.Action {
	s := p.s
	switch f.Kind {
	case jollyroger.AskLookout:
		return jollyroger.ToUseOf(jollyroger.Lookout)
	case jollyroger.AskTraitor:
		if p.harm(jollyroger.Card(f.Arg[0]), int(f.Arg[1])) > traitorMin {
			return jollyroger.ToUseOf(jollyroger.Traitor)
		}
	case jollyroger.AskCook:
		if p.cooks() > cookMin {
			return jollyroger.ToUseOf(jollyroger.Cook)
		}
	case jollyroger.AskCarpenter:
		for i := range p.seats {
			if p.s.IsOfficer(i) && i != p.me && p.finest(i) > claimMin {
				return jollyroger.ToUseOf(jollyroger.Carpenter)
			}
		}
	case jollyroger.AskDonate:
		return p.donate()
	case jollyroger.AskClaim:
		return p.foe(jollyroger.ToSeat, 0, p.finest)
	case jollyroger.AskClaimPrize:
		return jollyroger.ToPrize + engine.Action(p.best(&s.Prizes[f.Arg[0]]))
	case jollyroger.AskSailor:
		if p.me == int(s.Captain) || p.island() > 0 {
			return jollyroger.ToUseOf(jollyroger.OldSailor)
		}
	case jollyroger.AskBoatswain:
		for i := range p.seats {
			if p.hurts[i]*p.loose[i] > boatswainMin {
				return p.foe(jollyroger.ToSeat, 1, func(i int) float64 { return p.loose[i] })
			}
		}
	case jollyroger.AskBribe:
		if p.loose[p.me] > 2 {
			return p.foe(jollyroger.ToSeat, 0, func(i int) float64 { return -p.loose[i] })
		}
	case jollyroger.AskKid:
		return p.kidnap()
	case jollyroger.AskMate:
		return p.foe(jollyroger.ToSeat, 1, p.manpower)
	}
	return jollyroger.ToPass
}

// finest is the value of a seat's best unburied prize.
func (p *pirate) finest(seat int) float64 {
	prizes := &p.s.Prizes[seat]
	if p.loose[seat] == 0 {
		return 0
	}
	if p.hidden && seat != p.me {
		return drawWorth
	}
	return p.prizeWorth(p.best(prizes))
}

// cooks is the Cook's gain: the best of the spoils instead of what a seat would get
// in the end.
func (p *pirate) cooks() float64 {
	n, total, best, second := 0.0, 0.0, 0.0, 0.0
	for k, c := range p.s.Spoils {
		w := drawWorth
		if !p.hidden {
			w = p.prizeWorth(jollyroger.Prize(k))
		}
		for range c {
			n++
			total += w
			if w > best {
				best, second = w, best
			} else {
				second = max(second, w)
			}
		}
	}
	if p.hidden {
		best = drawWorth + float64(.25*math.Sqrt(n))
	}
	seats := float64(p.seats)
	switch {
	case p.me == int(p.s.Captain):
		return second - float64((n-1)/seats*total/n*.5)
	case p.me == int(p.s.Quartermaster) && n > 1:
		return best - second + .5
	}
	return best - min(1, (n-1)/(seats-1))*total/n
}

// donate gives the Carpenter an officer's least prize, so that it does not take the best.
func (p *pirate) donate() engine.Action {
	if p.s.IsOfficer(p.me) {
		worst, least := jollyroger.Prize(-1), math.Inf(1)
		for k, n := range p.s.Prizes[p.me] {
			if w := p.prizeWorth(jollyroger.Prize(k)); n > 0 && w < least {
				worst, least = jollyroger.Prize(k), w
			}
		}
		if worst >= 0 && p.finest(p.me)-least > .5 {
			return jollyroger.ToPrize + engine.Action(worst)
		}
	}
	return jollyroger.ToPass
}

// kidnap takes a buried prize of the player with the best ones.
func (p *pirate) kidnap() engine.Action {
	mean := func(i int) float64 {
		n := 0.0
		for _, k := range p.s.Buried[i] {
			n += float64(k)
		}
		if n == 0 {
			return 0
		}
		return float64((p.stand[i] - p.loose[i]) / n * (1 + p.hurts[i]))
	}
	a := p.foe(jollyroger.ToSeat, 0, mean)
	if a >= 0 && mean(p.seat(int(a-jollyroger.ToSeat))) > kidMin {
		return a
	}
	return jollyroger.ToPass
}

// anytime is the card for any time that is to be played now, or −1. The window is −1 on
// a turn of one's own.
func (p *pirate) anytime(window int) engine.Action {
	room := int(p.s.Size[p.me]) < p.limit // for one card more than now
	for _, c := range [...]jollyroger.Card{jollyroger.Stowaways, jollyroger.SecondMate} {
		if p.legal.Has(jollyroger.ToUseOf(c)) && room {
			return jollyroger.ToUseOf(c)
		}
	}
	if (window == jollyroger.BeforeSplit || window == jollyroger.Sharing) && p.legal.Has(jollyroger.ToUseOf(jollyroger.Surgeon)) && p.spoils() > surgeonMin {
		return jollyroger.ToUseOf(jollyroger.Surgeon)
	}
	return -1
}

// spoils is the value of the prizes that are being shared out.
func (p *pirate) spoils() (gold float64) {
	for k, n := range p.s.Spoils {
		w := drawWorth
		if !p.hidden {
			w = p.prizeWorth(jollyroger.Prize(k))
		}
		gold += float64(float64(n) * w)
	}
	return gold
}

// harm is the cost to the seat of letting somebody's card take effect.
func (p *pirate) harm(c jollyroger.Card, whose int) float64 {
	s := p.s
	f := s.InFlight()
	if whose == p.me {
		return 0
	}
	switch f.Kind {
	case jollyroger.DoCancel: // a Traitor, of the card below it: this seat's own?
		if card := s.Betrayed(); card.Kind != 0 && int(card.Seat) == p.me {
			return float64(p.keep(int(card.Arg[0])) * 2)
		}
	case jollyroger.DoCommit:
		return p.mutinyHarm(c, jollyroger.Side(f.Arg[1]), f.Arg[2] != 0)
	case jollyroger.DoEffect:
		hit := int(f.Arg[1]) == p.me
		switch c {
		case jollyroger.SecondMate:
			if hit || int(f.Arg[2]) == p.me {
				return .4
			}
		case jollyroger.Cook:
			if p.me == int(s.Captain) {
				return p.finestSpoil() - 1
			}
		case jollyroger.Surgeon:
			if p.me == int(s.Quartermaster) && p.spoils() > surgeonMin {
				return 1
			}
		case jollyroger.Carpenter:
			if p.s.IsOfficer(p.me) {
				return float64(.7 * p.finest(p.me))
			}
		case jollyroger.Boatswain:
			if hit {
				return float64(guardCost * p.loose[p.me])
			}
		case jollyroger.SmartKid:
			if hit {
				return 2 * drawWorth
			}
		case jollyroger.OldSailor:
			return -p.island()
		}
	}
	return 0
}

// finestSpoil is the best of what is being shared out.
func (p *pirate) finestSpoil() float64 {
	if p.hidden {
		return 2
	}
	return p.prizeWorth(p.best(&p.s.Spoils))
}

// mutinyHarm is the cost of a card that is played for a side of a mutiny.
func (p *pirate) mutinyHarm(c jollyroger.Card, side jollyroger.Side, effect bool) float64 {
	stake := p.outcome(other(side)) - p.outcome(side)
	if effect && c == jollyroger.Cutthroat {
		return stake
	}
	ahead := p.ahead(side)
	men := int(p.rules.Crew[c].Crewmen)
	if ahead < 0 && ahead+men >= 0 && men >= 3 {
		return float64(.5 * stake)
	}
	return 0
}
