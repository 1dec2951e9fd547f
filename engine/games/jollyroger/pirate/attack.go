package pirate

import (
	"math"
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
)

const (
	help        = .5        // of the others' crew cards join an attack that needs them
	skillCard   = 24.0 / 66 // points of one skill on a crew card
	skillSwing  = .6        // … and their variance
	anyCard     = 5.0 / 66  // cards of any skill
	blur        = .3        // least uncertainty of a sum
	enough      = .15       // points of skill, on average, that may lack when the Quartermaster reveals
	officerCut  = 1.0       // what success is worth to Captain and Quartermaster besides a share
	portWorth   = .30       // of a port by itself
	portCard    = .20       // of each card that it brings a hand with room for it
	portOthers  = .03       // of each card that the crew lacks
	lossRisk    = .12       // that what is not buried will be lost, a round
	captainRisk = 1.5       // as often for the Captain
	guardCost   = .4        // of what is not buried: what it costs not to bury now
)

// chance is about how likely something is that is x standard deviations on the good
// side.
func chance(x float64) float64 { return .5 + .5*x/math.Sqrt(1+float64(x*x)) }

// force is the strength that a side of an attack can gather.
type force struct {
	skill [jollyroger.NumSkills]float64
	any   float64
	cards float64 // of others, that may come
}

// add puts a card in.
func (f *force) add(card *jollyroger.CrewCard, n float64) {
	if card.Skill == jollyroger.AnySkill {
		f.any += float64(n * float64(card.Value))
	} else {
		f.skill[card.Skill] += float64(n * float64(card.Value))
	}
}

// wins is the chance that a force conquers a target with these needs.
func (f *force) wins(needs *[jollyroger.NumSkills]uint8) float64 {
	come := float64(help * f.cards)
	sd := blur + math.Sqrt(float64(skillSwing*come))
	var short [jollyroger.NumSkills]float64
	for k := range short {
		short[k] = float64(needs[k]) - f.skill[k] - float64(skillCard*come)
	}
	for spare := f.any + float64(anyCard*come); spare > 0; spare-- {
		worst := 0
		for k := range short {
			if short[k] > short[worst] {
				worst = k
			}
		}
		short[worst] -= min(spare, 1)
	}
	all := 1.0
	for k := range short {
		all = float64(all * chance((.5-short[k])/sd))
	}
	return all
}

// against is the chance that a force conquers what lies on a stack, and the prizes that
// are there on average.
func (p *pirate) against(f *force, d jollyroger.Destination) (wins, prizes float64) {
	n := 0.0
	for set := p.s.Stacks[d]; set != 0; set &= set - 1 {
		t := &p.rules.Targets[int(d)*jollyroger.StackSize+bits.TrailingZeros8(set)]
		wins += f.wins(&t.Needs)
		prizes += float64(t.Prizes)
		n++
	}
	return wins / n, prizes / n
}

// cut is the value of n prizes to a seat, beyond their value to its rivals.
func (p *pirate) cut(prizes float64) float64 {
	left := float64(p.s.PrizesLeft)
	prizes = min(prizes, left)
	switch {
	case prizes == 0:
		return 0
	case p.me == int(p.s.Captain), p.me == int(p.s.Quartermaster):
		return officerCut + float64(.1*prizes)
	}
	return float64(.5 * min(1, (prizes-1)/float64(p.seats-1)))
}

// voyage is where the Captain sails.
func (p *pirate) voyage() jollyroger.Destination {
	own := force{cards: p.cardsLeft()}
	for c, n := range p.hand[:jollyroger.NumNormal] {
		if n > 0 {
			own.add(&p.rules.Crew[c], float64(n))
		}
	}
	best, most := jollyroger.PiratePort, math.Inf(-1)
	for d := range jollyroger.Destination(jollyroger.NumDestinations) {
		if !p.legal.Has(jollyroger.ToSail + engine.Action(d)) {
			continue
		}
		v := 0.0
		switch d {
		case jollyroger.PiratePort:
			v = p.port()
		case jollyroger.TreasureIsland:
			v = p.island() + p.shelter()
		default:
			wins, prizes := p.against(&own, d)
			v = float64(wins * p.cut(prizes))
		}
		if v > most {
			best, most = d, v
		}
	}
	return best
}

// port is the value of a visit to the port: crew cards for a crew that lacks them,
// and the money for hostages.
func (p *pirate) port() float64 {
	cards, n := 0.0, 0.0
	for set := p.s.Stacks[jollyroger.PiratePort]; set != 0; set &= set - 1 {
		cards += float64(p.rules.Targets[int(jollyroger.PiratePort)*jollyroger.StackSize+bits.TrailingZeros8(set)].Crew)
		n++
	}
	cards /= n
	left := float64(jollyroger.Rounds - int(p.s.Round))
	if left == 0 {
		cards = 0
	}
	v := float64(portWorth * min(1, left/2))
	v += float64(portCard * min(cards, float64(p.limit-int(p.s.Size[p.me]))))
	for i := range p.seats {
		if i != p.me {
			v += float64(portOthers * min(cards, float64(p.limit-int(p.s.Size[i]))))
		}
	}
	for i := range p.seats {
		money := 0.0
		if !p.hidden || i == p.me {
			money = float64(float64(p.s.Prizes[i][jollyroger.Hostage]) * (2*drawWorth - 1))
		}
		if i == p.me {
			v += money
		} else {
			v -= float64(p.hurts[i] * money)
		}
	}
	return v
}

// island is what it is worth to bury now: what may be lost otherwise, less what the
// rivals may lose. It costs nothing to try without a map.
func (p *pirate) island() float64 {
	v := 0.0
	for i := range p.seats {
		risk := lossRisk
		if i == int(p.s.Captain) {
			risk = float64(risk * captainRisk)
		}
		safe := 1.0 // the chance that nothing is lost to the end
		for range jollyroger.Rounds - int(p.s.Round) + 1 {
			safe = float64(safe * (1 - risk))
		}
		saved := float64(p.loose[i] * (1 - safe))
		if i == p.me {
			v += saved
		} else {
			v -= float64(p.hurts[i] * saved)
		}
	}
	return v
}

// fight is the choice in an attack: play the card that brings success nearest, if the
// crew can get there and the card is not worth more in hand; else wait, or reveal. All
// do their part: those who rely on the others alone see no prizes.
func (p *pirate) fight(first bool) engine.Action {
	s := p.s
	var now force
	for c, n := range s.Played[:jollyroger.NumNormal] {
		if n > 0 {
			now.add(&p.rules.Crew[c], float64(n))
		}
	}
	all := now
	all.cards = p.cardsLeft()
	for c, n := range p.hand[:jollyroger.NumNormal] {
		if n > 0 {
			all.add(&p.rules.Crew[c], float64(n))
		}
	}
	_, missing, whole, prizes := p.task(&now)
	hope, _, _, _ := p.task(&all)
	point := p.cut(prizes) * hope / whole // of skill
	best, most := -1, 0.0
	for c, n := range p.hand[:jollyroger.NumNormal] {
		if n == 0 {
			continue
		}
		with := now
		with.add(&p.rules.Crew[c], 1)
		_, left, _, _ := p.task(&with)
		v := float64(point*(missing-left)) - float64(playCost*p.keep(c))
		if first && best < 0 || v > most {
			best, most = c, v
		}
	}
	if best >= 0 {
		return jollyroger.ToPlay + engine.Action(best)
	}
	if p.me == int(s.Quartermaster) && missing <= enough {
		return jollyroger.ToReveal
	}
	return jollyroger.ToPass
}

// task is what a force has before it in the attack under way: the chance that it
// succeeds, the points of skill that it lacks, those that the target needs as a whole,
// and the prizes; on average if the destination is not revealed.
func (p *pirate) task(f *force) (wins, missing, whole, prizes float64) {
	s := p.s
	if s.Target >= 0 {
		missing, whole = f.lacks(&s.Needs)
		return f.wins(&s.Needs), missing, whole, float64(p.rules.Targets[s.Target].Prizes)
	}
	n := 0.0
	for set := s.Stacks[s.Destination]; set != 0; set &= set - 1 {
		t := &p.rules.Targets[int(s.Destination)*jollyroger.StackSize+bits.TrailingZeros8(set)]
		m, w := f.lacks(&t.Needs)
		wins += f.wins(&t.Needs)
		missing += m
		whole += w
		prizes += float64(t.Prizes)
		n++
	}
	return wins / n, missing / n, whole / n, prizes / n
}

// lacks is how many points of skill a force, without those that may join it, lacks
// of what is needed, and how many are needed in all.
func (f *force) lacks(needs *[jollyroger.NumSkills]uint8) (missing, whole float64) {
	for k, n := range needs {
		missing += max(0, float64(n)-f.skill[k])
		whole += float64(n)
	}
	return max(0, missing-f.any), max(1, whole)
}

// playCost is the part of a card's worth that counts when it may be played: a full
// hand is worth less than its cards.
const playCost = .1

// bend changes what the revealed destination needs if that lets the attack succeed.
func (p *pirate) bend() engine.Action {
	s := p.s
	var have force
	for c, n := range s.Played[:jollyroger.NumNormal] {
		if n > 0 {
			have.add(&p.rules.Crew[c], float64(n))
		}
	}
	short, at := 0.0, -1
	for k, need := range s.Needs {
		if d := float64(need) - have.skill[k]; d > 0 {
			short += d
			if p.legal.Has(jollyroger.ToChange + engine.Action(2*k+1)) {
				at = k
			}
		}
	}
	if at >= 0 && short > have.any && short <= have.any+2 {
		return jollyroger.ToChange + engine.Action(2*at+1)
	}
	return jollyroger.ToPass
}
