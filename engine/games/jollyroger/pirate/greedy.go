package pirate

import (
	"errors"
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/jollyroger"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// greedy is a simple pirate: it fights if a card brings the crew nearer to its prizes, defends its side
// while it can, and takes the best prize now. It weighs no chances, so that a decision costs next to nothing, and picks
// at random among choices that are about as good: it is made for the rollouts of searches. All
// worth is in hundredths of a gold, in whole numbers.
type greedy struct {
	rules  *jollyroger.Rules
	seats  int
	limit  int
	hidden bool

	keep  [jollyroger.NumCrew]int                               // what it is worth to hold a card
	needs [jollyroger.NumDestinations][jollyroger.NumSkills]int // of a stack's cards on average, in hundredths
	loot  [jollyroger.NumDestinations]int                       // prizes, likewise
	prize [jollyroger.NumPrizes]int                             // what a prize is worth

	s     *jollyroger.State
	legal *engine.Mask
	me    int
	hand  *[jollyroger.NumCrew]uint8
	doubt uint64 // random bits
}

func newGreedy(g engine.Game) (bots.Bot, error) {
	rules, ok := engine.RulesOf[jollyroger.State, *jollyroger.Rules](g.NewMatch())
	if !ok {
		return nil, errors.New("its matches are not those of engine/games/jollyroger")
	}
	p := &greedy{rules: rules, seats: rules.Seats(), limit: int(rules.Limit()), hidden: rules.HiddenPrizes()}
	for c := range p.keep {
		p.keep[c] = int(100 * (&pirate{rules: rules}).keep(c))
	}
	for k := range p.prize {
		p.prize[k] = 100 * int(rules.Components.Prizes[k].Value)
	}
	p.prize[jollyroger.Rum] += 100 * rumWorth
	p.prize[jollyroger.Jewels] = 100 * drawWorth
	p.prize[jollyroger.Hostage] = 200
	for d := range jollyroger.PiratePort {
		p.average(d)
	}
	return p, nil
}

// average fills in what the cards of a stack need and win on average.
func (p *greedy) average(d jollyroger.Destination) {
	n, players := 0, int8(max(p.seats, 4))
	for _, t := range p.rules.Targets[int(d)*jollyroger.StackSize:][:jollyroger.StackSize] {
		if players < t.Players[0] || players > t.Players[1] {
			continue
		}
		n++
		p.loot[d] += 100 * int(t.Prizes)
		for k, need := range t.Needs {
			p.needs[d][k] += 100 * int(need)
		}
	}
	p.loot[d] /= n
	for k := range p.needs[d] {
		p.needs[d][k] /= n
	}
}

func (*greedy) Name() string { return "greedy" }

func (p *greedy) Act(m engine.Match, r *engine.Rand) engine.Action {
	legal := m.Legal()
	first := legal.First()
	if legal.Next(first) < 0 {
		return first
	}
	s := engine.State[jollyroger.State](m)
	f := s.Top()
	p.s, p.legal, p.me, p.doubt = s, legal, int(f.Seat), r.Uint64()
	p.hand = &s.Hands[p.me]
	if a := p.choose(f); legal.Has(a) {
		return a
	}
	return legal.Sample(r)
}

// choose is the decision of a frame; −1 if any will do.
func (p *greedy) choose(f jollyroger.Frame) engine.Action {
	s := p.s
	switch f.Kind {
	case jollyroger.AskFaction:
		return p.faction()
	case jollyroger.AskFirst:
		return p.fight(true)
	case jollyroger.AskAttack:
		if a := p.anytime(); a >= 0 {
			return a
		}
		return p.fight(false)
	case jollyroger.AskMutiny:
		return p.revolt()
	case jollyroger.AskSail:
		return jollyroger.ToSail + engine.Action(p.voyage())
	case jollyroger.AskAppoint:
		return p.rival(jollyroger.ToSeat, -1)
	case jollyroger.AskForced:
		return p.side(f.Arg[0]) + engine.Action(p.least())
	case jollyroger.AskAssign:
		return jollyroger.ToSucceed
	case jollyroger.AskPick:
		return jollyroger.ToPrize + engine.Action(p.best(&s.Spoils))
	case jollyroger.AskShare:
		give := jollyroger.ToGive + engine.Action(int(p.best(&s.Spoils))*jollyroger.MaxSeats)
		if p.legal.Has(give) {
			return give
		}
		return p.rival(give, -1)
	case jollyroger.AskExchange:
		if int(s.Size[p.me]) < p.limit && s.Round < tooLate {
			return jollyroger.ToExchange + engine.Action(jollyroger.Rum)
		}
		return jollyroger.ToPass
	case jollyroger.AskSell:
		if p.legal.Has(jollyroger.ToRansom) {
			return jollyroger.ToRansom
		}
		return jollyroger.ToSell
	case jollyroger.AskBury:
		return jollyroger.ToBuryAll
	case jollyroger.AskPunish:
		return p.rival(jollyroger.ToSuggest-1, 1)
	case jollyroger.AskVictim, jollyroger.AskClaim, jollyroger.AskMate, jollyroger.AskBoatswain, jollyroger.AskKid, jollyroger.AskSeaDog:
		return p.rival(jollyroger.ToSeat, 1)
	case jollyroger.AskDiscard:
		return jollyroger.ToDiscard + engine.Action(p.least())
	case jollyroger.AskLookout:
		return jollyroger.ToUseOf(jollyroger.Lookout)
	case jollyroger.AskSailor:
		if p.me == int(s.Captain) || p.loose(p.me) > 200 {
			return jollyroger.ToUseOf(jollyroger.OldSailor)
		}
		return jollyroger.ToPass
	case jollyroger.AskCook:
		if s.Spoils[jollyroger.Gold3] > 0 || p.hidden {
			return jollyroger.ToUseOf(jollyroger.Cook)
		}
		return jollyroger.ToPass
	case jollyroger.AskCarpenter:
		for i := range p.seats {
			if i != p.me && s.IsOfficer(i) && p.loose(i) >= 200 {
				return jollyroger.ToUseOf(jollyroger.Carpenter)
			}
		}
		return jollyroger.ToPass
	case jollyroger.AskClaimPrize:
		return jollyroger.ToPrize + engine.Action(p.best(&s.Prizes[f.Arg[0]]))
	case jollyroger.AskAnytime:
		if a := p.anytime(); a >= 0 {
			return a
		}
		return jollyroger.ToPass
	case jollyroger.AskChange:
		return p.bend()
	case jollyroger.AskRest:
		if f.Arg[1] != 0 {
			return p.rival(jollyroger.ToSeat, 1)
		}
		return jollyroger.ToSeat
	case jollyroger.AskAccept:
		return jollyroger.ToAccept
	}
	return jollyroger.ToPass
}

// waver is some noise, 0 to 7.
func (p *greedy) waver() int {
	p.doubt = bits.RotateLeft64(p.doubt, 3)
	return int(p.doubt & 7)
}

// nobody is the seat of prizes that are being shared out.
const nobody = -1

// gold is what prizes of a seat, or nobody, are worth, as far as they are to be seen.
func (p *greedy) gold(prizes *[jollyroger.NumPrizes]uint8, seat int) (gold int) {
	if p.hidden && seat != p.me {
		for _, n := range prizes {
			gold += 100 * drawWorth * int(n)
		}
		return gold
	}
	for k, n := range prizes {
		gold += int(n) * p.prize[k]
	}
	return gold
}

// loose is a seat's possible loss.
func (p *greedy) loose(seat int) int { return p.gold(&p.s.Prizes[seat], seat) }

// rival is the legal one of the actions base + places clockwise whose seat has the most gold; with sign −1 the least.
func (p *greedy) rival(base engine.Action, sign int) engine.Action {
	best, most := engine.Action(-1), 0
	for k := 1; k < p.seats; k++ {
		a := base + engine.Action(k)
		if !p.legal.Has(a) {
			continue
		}
		i := p.me + k
		if i >= p.seats {
			i -= p.seats
		}
		if v := sign*(p.loose(i)+p.gold(&p.s.Buried[i], i)) + p.waver(); best < 0 || v > most {
			best, most = a, v
		}
	}
	return best
}

// best is the most valuable prize.
func (p *greedy) best(prizes *[jollyroger.NumPrizes]uint8) jollyroger.Prize {
	best, most := jollyroger.Prize(0), -1
	for k, n := range prizes {
		if n > 0 && p.prize[k] > most {
			best, most = jollyroger.Prize(k), p.prize[k]
		}
	}
	return best
}

// least is the card of the hand that is missed the least.
func (p *greedy) least() int {
	best, least := -1, 0
	for c, n := range p.hand {
		if n > 0 && (best < 0 || p.keep[c] < least) {
			best, least = c, p.keep[c]
		}
	}
	return best
}

// anytime is a card that is played as soon as there is room for what it brings, or −1.
func (p *greedy) anytime() engine.Action {
	if p.hand[jollyroger.Stowaways]+p.hand[jollyroger.SecondMate]+p.hand[jollyroger.Surgeon] == 0 || int(p.s.Size[p.me]) >= p.limit {
		return -1
	}
	for _, c := range [...]jollyroger.Card{jollyroger.Stowaways, jollyroger.SecondMate} {
		if p.hand[c] > 0 && p.legal.Has(jollyroger.ToUseOf(c)) {
			return jollyroger.ToUseOf(c)
		}
	}
	if a := jollyroger.ToUseOf(jollyroger.Surgeon); p.legal.Has(a) && p.gold(&p.s.Spoils, nobody) > 100*surgeonMin {
		return a
	}
	return -1
}

// side is the first of the actions that play a card for a side of the mutiny.
func (p *greedy) side(side jollyroger.Side) engine.Action {
	if side == jollyroger.ForMutineer {
		return jollyroger.ToOppose
	}
	return jollyroger.ToSupport
}

// bring is the number of crewmen in the hand.
func (p *greedy) bring() (n int) {
	for c, k := range p.hand {
		if k > 0 {
			n += int(k) * int(p.rules.Crew[c].Crewmen)
		}
	}
	return n
}

// recruit adds crewmen to a side at the least cost, the Quartermaster card before all others.
func (p *greedy) recruit(side jollyroger.Side, need int) engine.Action {
	base := p.side(side)
	if role := base + engine.Action(jollyroger.QuartermasterCard); p.legal.Has(role) {
		return role
	}
	best, most := engine.Action(-1), 0
	for c, n := range p.hand {
		if n == 0 || jollyroger.Card(c) == jollyroger.Cutthroat {
			continue
		}
		v := 100*menValue*min(int(p.rules.Crew[c].Crewmen), need) - p.keep[c] + p.waver()
		if best < 0 || v > most {
			best, most = base+engine.Action(c), v
		}
	}
	return best
}

// faction is a turn in the mutiny: on a side, the pirate plays while that side is behind and it can turn that; neutral,
// only if it can turn the mutiny at once against those who have more to lose.
func (p *greedy) faction() engine.Action {
	s := p.s
	side := s.Side[p.me]
	neutral := side == jollyroger.Neutral
	gain := 0
	if neutral {
		for i := range p.seats {
			switch s.Side[i] {
			case jollyroger.ForCaptain:
				gain += p.loose(i)
			case jollyroger.ForMutineer:
				gain -= p.loose(i)
			}
		}
		side = jollyroger.ForMutineer
		if gain < 0 {
			side, gain = jollyroger.ForCaptain, -gain
		}
	}
	lead := p.rules.Crewmen(s, jollyroger.ForCaptain) - p.rules.Crewmen(s, jollyroger.ForMutineer)
	if side == jollyroger.ForMutineer {
		lead = -lead - 1
	}
	if lead >= spareMen {
		return jollyroger.ToPass
	}
	if p.hand[jollyroger.Cutthroat] > 0 && (!neutral && lead < 0 || gain > cutthroatGain) {
		if side == jollyroger.ForMutineer {
			return jollyroger.ToCutthroat
		}
		return jollyroger.ToCutthroat + 1
	}
	men := p.bring()
	if p.rules.MayPlayRole(s, p.me) {
		men++
	}
	if lead+men < 0 || neutral && (lead >= 0 || gain < joinGain+p.loose(p.me)/2) {
		return jollyroger.ToPass
	}
	return p.recruit(side, spareMen-lead)
}

const (
	spareMen      = 2   // crewmen more than needed
	cutthroatGain = 300 // gold of one side over that of the other for which the Cutthroat joins in
	joinGain      = 200 // … for which anybody does
	lost          = 300 // points of skill lacking with which an attack is hopeless, in hundredths
)

// revolt is whether to call a mutiny, and with which card.
func (p *greedy) revolt() engine.Action {
	boss := int(p.s.Captain)
	purse := p.loose(boss)
	if p.hand[jollyroger.Cutthroat] > 0 {
		if purse >= 100 {
			return jollyroger.ToCutthroat
		}
		return jollyroger.ToPass
	}
	lead := p.bring() - 1 - 8*int(p.s.Size[boss])/5
	wins := min(95, max(5, 50+7*lead)) // of 100 times
	if gain := 100 + purse/4 + min(200, purse/3); wins*gain-(100-wins)*p.loose(p.me) > 5000 {
		return p.recruit(jollyroger.ForMutineer, 9)
	}
	return jollyroger.ToPass
}

// voyage is where the Captain sails: for the target that the crew is least short of, unless it lacks crew.
func (p *greedy) voyage() jollyroger.Destination {
	s := p.s
	own, others, cards := p.skills(p.hand), 0, 0
	for i := range p.seats {
		if i != p.me {
			cards += int(s.Size[i])
			others += p.loose(i)
		}
	}
	best, most := jollyroger.PiratePort, -1<<30
	for d := range jollyroger.Destination(jollyroger.NumDestinations) {
		if !p.legal.Has(jollyroger.ToSail + engine.Action(d)) {
			continue
		}
		v := 0
		switch d {
		case jollyroger.PiratePort:
			v = 40 + 20*min(2, p.limit-int(s.Size[p.me]))
			if s.Round >= jollyroger.Rounds {
				v = 0
			}
		case jollyroger.TreasureIsland:
			v = 4 * (p.loose(p.me) - others/(p.seats-1)) / 10
		default:
			short := -own[jollyroger.AnySkill]
			for k, need := range p.needs[d] {
				short += max(0, need-own[k]-18*cards)
			}
			v = (100 + p.loot[d]/10) * max(lost/10, lost-max(0, short)) / lost
		}
		if v += p.waver(); v > most {
			best, most = d, v
		}
	}
	return best
}

// skills adds up the skills of cards, in hundredths of a point; those of any skill stand last.
func (p *greedy) skills(cards *[jollyroger.NumCrew]uint8) (sum [jollyroger.NumSkills + 1]int) {
	for c, n := range cards[:jollyroger.NumNormal] {
		if n > 0 {
			sum[p.rules.Crew[c].Skill] += 100 * int(n) * int(p.rules.Crew[c].Value)
		}
	}
	return sum
}

// fight plays the card that brings the attack nearest to success, while the crew can get there; else it waits, or
// reveals.
func (p *greedy) fight(first bool) engine.Action {
	s := p.s
	needs := p.needs[s.Destination]
	if s.Target >= 0 {
		for k, n := range s.Needs {
			needs[k] = 100 * int(n)
		}
	}
	played := p.skills(&s.Played)
	missing := 0
	for k := range needs {
		needs[k] = max(0, needs[k]-played[k])
		missing += needs[k]
	}
	spare := played[jollyroger.AnySkill]
	if missing -= spare; missing <= 15 && !first {
		if p.me == int(s.Quartermaster) {
			return jollyroger.ToReveal
		}
		return jollyroger.ToPass
	}
	best, most, all := -1, 0, 0
	for c, n := range p.hand[:jollyroger.NumNormal] {
		if n == 0 {
			continue
		}
		card := &p.rules.Crew[c]
		use := 100 * int(card.Value)
		if card.Skill != jollyroger.AnySkill {
			use = min(use, needs[card.Skill])
		}
		use = min(use, max(missing, 0))
		all += use * int(n)
		if v := use/4 - p.keep[c]/4 + p.waver(); best < 0 || v > most {
			if use > 0 || first {
				best, most = c, v
			}
		}
	}
	others := 0
	for i := range p.seats {
		if i != p.me {
			others += int(s.Size[i])
		}
	}
	if best >= 0 && (first || missing <= all+50*others) {
		return jollyroger.ToPlay + engine.Action(best)
	}
	return jollyroger.ToPass
}

// bend changes what the revealed destination needs if that lets the attack succeed.
func (p *greedy) bend() engine.Action {
	have := p.skills(&p.s.Played)
	short, at := 0, -1
	for k, need := range p.s.Needs {
		if d := 100*int(need) - have[k]; d > 0 {
			short += d
			if p.legal.Has(jollyroger.ToChange + engine.Action(2*k+1)) {
				at = k
			}
		}
	}
	if over := short - have[jollyroger.AnySkill]; at >= 0 && over > 0 && over <= 200 {
		return jollyroger.ToChange + engine.Action(2*at+1)
	}
	return jollyroger.ToPass
}
