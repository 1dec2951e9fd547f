package pirate

import (
	"math"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
)

const (
	captaincy    = 1.0 // of being Captain for the voyages to come
	rivalCaptain = .3  // … of a rival's being it, by how much that one hurts
	meanMen      = 2.0 // crewmen on a card
	joins        = .25 // of the cards of others that will still be played in a mutiny
	tumult       = 1.5 // least uncertainty of a mutiny in progress
	storm        = 2.0 // … of one that is yet to be called, a seat
	defence      = 1.6 // crewmen for the Captain by card in the Captain's hand
	handCost     = .25 // of what played cards are worth: they are dealt again
	callCost     = .5  // of calling a mutiny
	cutthroatMin = 1.0 // stake at which the Cutthroat is worth its card
	cushion      = 2   // crewmen more than needed
)

// ahead is by how many crewmen a side wins; negative if it loses.
func (p *pirate) ahead(side jollyroger.Side) int {
	d := p.rules.Crewmen(p.s, jollyroger.ForCaptain) - p.rules.Crewmen(p.s, jollyroger.ForMutineer)
	if side == jollyroger.ForMutineer {
		return -d - 1
	}
	return d
}

// captaincyWorth is the value of being Captain from now on.
func (p *pirate) captaincyWorth() float64 {
	if p.s.Round == jollyroger.Rounds && p.s.Phase >= jollyroger.PhasePunishment || p.s.PrizesLeft == 0 {
		return 0
	}
	return captaincy
}

// outcome is what it means to the seat that a side wins a mutiny, with everybody on the
// sides where they are now.
func (p *pirate) outcome(winner jollyroger.Side) (v float64) {
	pool := 0.0
	for i := range p.seats {
		if p.s.Side[i] == jollyroger.Neutral || p.s.Side[i] == winner {
			continue
		}
		pool += p.loose[i]
		if i == p.me {
			v -= p.loose[i]
		} else {
			v += float64(p.hurts[i] * p.loose[i])
		}
	}
	leader := int(p.s.Captain)
	if winner == jollyroger.ForMutineer {
		leader = int(p.s.Mutineer)
	}
	if leader == p.me {
		return v + p.captaincyWorth() + min(2, pool/4)
	}
	return v - float64(rivalCaptain*p.hurts[leader]*(p.captaincyWorth()+min(2, pool/4)))
}

// other is the opposite side.
func other(side jollyroger.Side) jollyroger.Side {
	return jollyroger.ForCaptain + jollyroger.ForMutineer - side
}

// bring is the number of crewmen that the seat can add, cards that it would not give for
// it aside.
func (p *pirate) bring() (n int) {
	for c, k := range p.hand {
		if k > 0 && jollyroger.Card(c) != jollyroger.Cutthroat {
			n += int(k) * int(p.rules.Crew[c].Crewmen)
		}
	}
	if p.rules.MayPlayRole(p.s, p.me) {
		n++
	}
	return n
}

// recruit is the action that adds crewmen to a side at the least cost, at most as many
// as are needed if that can be had.
func (p *pirate) recruit(side jollyroger.Side, need int) engine.Action {
	base := jollyroger.ToSupport
	if side == jollyroger.ForMutineer {
		base = jollyroger.ToOppose
	}
	if role := base + engine.Action(jollyroger.QuartermasterCard); p.legal.Has(role) {
		return role // it costs nothing
	}
	best, most := engine.Action(-1), math.Inf(-1)
	for c, n := range p.hand {
		if n == 0 || jollyroger.Card(c) == jollyroger.Cutthroat && p.s.Size[p.me] > 1 {
			continue
		}
		men := min(int(p.rules.Crew[c].Crewmen), max(need, 1))
		v := float64(float64(men)*menValue) - p.keep(c)
		if v > most {
			best, most = base+engine.Action(c), v
		}
	}
	return best
}

// menValue is the value of a crewman where crewmen are needed.
const menValue = .2

// pressed plays the card that is missed the least.
func (p *pirate) pressed(side jollyroger.Side) engine.Action {
	base := jollyroger.ToSupport
	if side == jollyroger.ForMutineer {
		base = jollyroger.ToOppose
	}
	return base + engine.Action(p.least())
}

// revolt is whether to call a mutiny, and with which card.
func (p *pirate) revolt() engine.Action {
	s := p.s
	if p.does(byPatience) && !p.rises() {
		return jollyroger.ToPass
	}
	boss := int(s.Captain)
	mine := p.loose[p.me]
	gain := p.captaincyWorth() + float64(p.hurts[boss]*p.loose[boss]) + min(2, p.loose[boss]/3)
	if p.hand[jollyroger.Cutthroat] > 0 {
		if gain > cutthroatMin || p.does(byPatience) {
			return jollyroger.ToCutthroat
		}
		return jollyroger.ToPass
	}
	switch {
	case p.does(byFeint) && p.left() > 0 && p.rises():
		return p.feint()
	case p.does(byPatience):
		return p.recruit(jollyroger.ForMutineer, 99)
	}
	lead := float64(p.bring()) - 1 - float64(defence*float64(s.Size[boss]))
	wins := chance(lead / (tumult + float64(storm*math.Sqrt(float64(p.seats)))))
	if float64(wins*gain)-float64((1-wins)*mine)-callCost > 0 {
		return p.recruit(jollyroger.ForMutineer, 99)
	}
	return jollyroger.ToPass
}

// faction is a turn in the mutiny: cards are played only if they can turn it.
func (p *pirate) faction() engine.Action {
	s := p.s
	if p.does(byPatience) && p.early() && p.legal.Has(jollyroger.ToPass) {
		return jollyroger.ToPass
	}
	stake := p.outcome(jollyroger.ForCaptain) - p.outcome(jollyroger.ForMutineer)
	side := s.Side[p.me]
	if side == jollyroger.Neutral {
		if p.does(byNerve) && p.loose[p.me] <= poor {
			stake -= grudge
		}
		if side = jollyroger.ForCaptain; stake < 0 {
			side = jollyroger.ForMutineer
		}
	}
	if side == jollyroger.ForMutineer {
		stake = -stake
	}
	if p.does(byFeint) && p.left() > 0 && p.me == int(s.Mutineer) {
		stake = float64(stake * feinted)
	}
	ahead := p.ahead(side)
	others := 0.0 // crewmen that may still come
	for i := range p.seats {
		if i != p.me {
			others += float64(joins * meanMen * float64(s.Size[i]))
		}
	}
	spread := tumult + math.Sqrt(float64(others*meanMen))
	wins := chance((float64(ahead) + .5) / spread)
	if int(s.Passes()) >= p.seats { // nobody answers any more if this seat passes
		wins = 0
		if ahead >= 0 {
			wins = 1
		}
	}
	if p.legal.Has(jollyroger.ToCutthroat) && stake*(1-wins) > cutthroatMin*.5 {
		if side == jollyroger.ForMutineer {
			return jollyroger.ToCutthroat
		}
		return jollyroger.ToCutthroat + 1
	}
	spare, risk := cushion, 1.0
	if p.does(byNerve) {
		spare, risk = 0, 1-returned
	}
	need := spare - ahead
	bring := p.bring()
	if stake <= 0 || need <= 0 || bring+ahead < 0 {
		return jollyroger.ToPass
	}
	added := min(need, bring)
	then := chance((float64(ahead+added) + .5) / spread)
	v := float64(stake*(then-wins)) - float64(handCost*p.price(added))
	if s.Side[p.me] == jollyroger.Neutral {
		v -= float64((1 - then) * risk * p.loose[p.me])
	}
	if v <= 0 {
		return jollyroger.ToPass
	}
	return p.recruit(side, need)
}

// rest names who gets none of the last cards of a mutiny, the worst rival, or who gets one: oneself, then who
// hurts the least.
func (p *pirate) rest(without bool) engine.Action {
	even := func(int) float64 { return 1 }
	if without {
		return p.foe(jollyroger.ToSeat, 1, even)
	}
	if p.legal.Has(jollyroger.ToSeat) {
		return jollyroger.ToSeat
	}
	return p.foe(jollyroger.ToSeat, -1, even)
}

// price is about what n crewmen of the hand are worth as cards.
func (p *pirate) price(men int) float64 {
	total, n := 0.0, 0
	for c, k := range p.hand {
		if k > 0 {
			total += float64(float64(k) * p.keep(c))
			n += int(k) * int(p.rules.Crew[c].Crewmen)
		}
	}
	if n == 0 {
		return 0
	}
	return total * float64(min(men, n)) / float64(n)
}
