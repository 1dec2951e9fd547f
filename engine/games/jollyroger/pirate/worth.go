package pirate

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
)

const (
	rivalGap  = 3.0  // gold behind the best rival at which a rival hurts half as much
	rumWorth  = .15  // it breaks ties, and buys a crew card
	drawWorth = 1.35 // of a prize that is drawn
	ransom    = .6   // chance that a hostage will be ransomed
	tooLate   = 8    // from here on, crew cards and ports come too late

	cardWorth   = .10 // of a crew card, whatever it shows
	skillWorth  = .07 // of each point of skill
	menWorth    = .05 // of each crewman
	anyWorth    = .15 // of a card of any skill
	officerGood = .15 // of the officers that change a destination
)

// talents are the values of special cards in hand.
var talents = [jollyroger.NumCrew]float64{
	jollyroger.Boatswain: .1, jollyroger.Carpenter: .8, jollyroger.Cook: .8, jollyroger.Cutthroat: 1.2,
	jollyroger.FirstMate: officerGood, jollyroger.MasterMariner: officerGood, jollyroger.Sharpshooter: officerGood,
	jollyroger.Lookout: .1, jollyroger.OldSailor: .6, jollyroger.PowderMonkey: .3, jollyroger.SeaDog: .2,
	jollyroger.SecondMate: .4, jollyroger.SmartKid: .7, jollyroger.Stowaways: .4, jollyroger.Surgeon: .5, jollyroger.Traitor: .4,
}

// prizeWorth is the expected value of a prize at the end.
func (p *pirate) prizeWorth(k jollyroger.Prize) float64 {
	value := float64(p.rules.Components.Prizes[k].Value)
	switch k {
	case jollyroger.Rum:
		return value + rumWorth
	case jollyroger.Jewels:
		return drawWorth
	case jollyroger.Hostage:
		if p.s.Round >= tooLate {
			return value
		}
		return float64((1-ransom)*value) + ransom*2*drawWorth
	}
	return value
}

// worth is the value of a seat's visible prizes.
func (p *pirate) worth(prizes *[jollyroger.NumPrizes]uint8, seat int) (gold float64) {
	for k, n := range prizes {
		switch {
		case n == 0:
		case p.hidden && seat != p.me:
			gold += float64(float64(n) * drawWorth)
		default:
			gold += float64(float64(n) * p.prizeWorth(jollyroger.Prize(k)))
		}
	}
	return gold
}

// best is the most valuable prize.
func (p *pirate) best(prizes *[jollyroger.NumPrizes]uint8) jollyroger.Prize {
	best, most := jollyroger.Prize(0), -1.0
	for k, n := range prizes {
		if w := p.prizeWorth(jollyroger.Prize(k)); n > 0 && w > most {
			best, most = jollyroger.Prize(k), w
		}
	}
	return best
}

// keep is the value of holding a crew card.
func (p *pirate) keep(c int) float64 {
	card := &p.rules.Crew[c]
	w := cardWorth + float64(menWorth*float64(card.Crewmen)) + talents[c]
	if c < jollyroger.NumNormal {
		w += float64(skillWorth * float64(card.Value))
		if card.Skill == jollyroger.AnySkill {
			w += anyWorth
		}
	}
	return w
}

// least is the card of the hand that is missed the least.
func (p *pirate) least() int {
	best, least := -1, 0.0
	for c, n := range p.hand {
		if n == 0 {
			continue
		}
		if w := p.keep(c); best < 0 || w < least {
			best, least = c, w
		}
	}
	return best
}

// cardsLeft is how many cards the others hold.
func (p *pirate) cardsLeft() (n float64) {
	for i := range p.seats {
		if i != p.me {
			n += float64(p.s.Size[i])
		}
	}
	return n
}

// share gives prizes away as Quartermaster: the best to oneself, then the better ones
// to those who hurt the least. The last may get nothing.
func (p *pirate) share() engine.Action {
	k := p.best(&p.s.Spoils)
	give := jollyroger.ToGive + engine.Action(int(k)*jollyroger.MaxSeats)
	if p.legal.Has(give) {
		return give
	}
	return p.foe(give, -1, func(int) float64 { return 1 })
}

// barter exchanges a prize for a crew card in the port: rum only, and not so late that
// the card is of no use.
func (p *pirate) barter() engine.Action {
	a := jollyroger.ToExchange + engine.Action(jollyroger.Rum)
	if p.legal.Has(a) && p.s.Round < tooLate && int(p.s.Size[p.me]) < p.limit {
		return a
	}
	return jollyroger.ToPass
}

// bury hides everything but what a port pays for, while there may be one yet.
func (p *pirate) bury() engine.Action {
	own := &p.s.Prizes[p.me]
	if p.s.Round >= tooLate || own[jollyroger.Hostage]+own[jollyroger.Rum] == 0 {
		return jollyroger.ToBuryAll
	}
	for k, n := range own {
		if k := jollyroger.Prize(k); n > 0 && k != jollyroger.Hostage && k != jollyroger.Rum {
			return jollyroger.ToBury + engine.Action(k)
		}
	}
	return jollyroger.ToPass
}

// offer bribes somebody to guard the ship, with the least that one has. Nothing else is
// given away.
func (p *pirate) offer(guard bool) engine.Action {
	offered := false
	for _, n := range p.s.Offer {
		offered = offered || n > 0
	}
	for _, n := range p.s.OfferPrizes {
		offered = offered || n > 0
	}
	switch {
	case !guard:
		return jollyroger.ToPass
	case offered:
		return jollyroger.ToPropose
	case p.s.Prizes[p.me][jollyroger.Rum] > 0:
		return jollyroger.ToOffer + engine.Action(jollyroger.NumCrew) + engine.Action(jollyroger.Rum)
	case p.s.Size[p.me] > 0:
		return jollyroger.ToOffer + engine.Action(p.least())
	}
	return jollyroger.ToPropose
}

// answer accepts a present, and to guard the ship if that is paid for well enough.
func (p *pirate) answer(guard bool) engine.Action {
	if !guard {
		return jollyroger.ToAccept
	}
	offered := p.worthOffered()
	if offered > guardCost*p.loose[p.me] {
		return jollyroger.ToAccept
	}
	return jollyroger.ToRefuse
}

func (p *pirate) worthOffered() (gold float64) {
	for c, n := range p.s.Offer {
		if n > 0 {
			gold += float64(float64(n) * p.keep(c))
		}
	}
	for k, n := range p.s.OfferPrizes {
		if n > 0 {
			gold += float64(float64(n) * p.prizeWorth(jollyroger.Prize(k)))
		}
	}
	return gold
}
