package captain

import (
	"errors"
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// greedy is the captain of few thoughts: each choice is the one that brings most at once, by what an
// action is worth on average and by where ships lie now. It tries nothing on a copy of the match, so that a decision
// costs little more than the match's own step, and it wavers a little between choices that are about as good: it is
// made to play the matches that a search looks ahead in. All worth is in hundredths of a point, in whole numbers.
type greedy struct {
	rules *doubloons.Rules
	seats int
	isle  *isle // the alternate island's; nil on the standard one

	s    *doubloons.State
	seat int
	own  *doubloons.Ship

	// The contents of each region, for a fighter; filled in by watch.
	foes   [regions]uint8 // ships that an attack hits
	weak   [regions]uint8 // the least hull of them
	prey   [regions]uint8 // damaged ships, as a set
	sailed [positions]int8

	doubt uint64 // random bits
}

func newGreedy(g engine.Game) (bots.Bot, error) {
	b, err := greedyOf(g)
	if err != nil {
		return nil, err
	}
	return b, nil
}

func greedyOf(g engine.Game) (*greedy, error) {
	rules, ok := engine.RulesOf[doubloons.State, *doubloons.Rules](g.NewMatch())
	if !ok {
		return nil, errors.New("its matches are not those of engine/games/doubloons")
	}
	b := &greedy{rules: rules, seats: g.Info().Seats}
	if rules.Modules.Has(doubloons.AlternateIsland) {
		c := captain{rules: rules}
		c.survey()
		b.isle = &c.isle
	}
	return b, nil
}

func (*greedy) Name() string { return "greedy" }

func (g *greedy) Act(m engine.Match, r *engine.Rand) engine.Action {
	legal := m.Legal()
	first := legal.First()
	if legal.Next(first) < 0 {
		return first
	}
	if a := g.choose(engine.State[doubloons.State](m), legal, r.Uint64()); a >= 0 {
		return a
	}
	return legal.Sample(r)
}

// choose is the choice at a decision with several, wavering by doubt; −1 if any will do.
func (g *greedy) choose(s *doubloons.State, legal *engine.Mask, doubt uint64) engine.Action {
	f := s.Top()
	g.s, g.seat, g.own, g.doubt = s, int(f.Seat), &s.Ships[f.Seat], doubt
	switch f.Kind {
	case doubloons.AskProgram:
		g.watch()
		return doubloons.ToCard + engine.Action(g.card(int(f.Arg[0])))
	case doubloons.AskMove:
		g.watch()
		return g.steer(f, legal)
	case doubloons.AskAction:
		g.watch()
		return g.act(int(f.Arg[0]), legal)
	}
	if a := g.answer(f, legal); legal.Has(a) {
		return a
	}
	return -1
}

// answer is the choice if it needs no look at the sea; −1 if any will do.
func (g *greedy) answer(f doubloons.Frame, legal *engine.Mask) engine.Action {
	switch f.Kind {
	case doubloons.AskCaptain:
		return favourite(legal)
	case doubloons.AskPlace:
		return g.most(legal, func(a engine.Action) int { return int(100 * waterWorth(g.s, int(placed(a).Region))) })
	case doubloons.AskHighWater:
		g.watch()
		if g.blow(g.rules.Ahead(g.own, 2), int(f.Arg[0])) > g.blow(g.rules.Ahead(g.own, 1), int(f.Arg[0])) {
			return doubloons.ToFar
		}
		return doubloons.ToNear
	case doubloons.AskBoard:
		loot := g.rules.Cards[g.own.Table[f.Arg[0]]].Loot
		return g.most(legal, func(a engine.Action) int { return g.plunder(&g.s.Ships[g.named(a)], loot) })
	case doubloons.AskStealJewel:
		return g.most(legal, func(a engine.Action) int { return 100 * int(g.rules.JewelValue[a-doubloons.ToJewel]) })
	case doubloons.AskHunt:
		return g.most(legal, func(a engine.Action) int { return -100 * g.followers(int(a-doubloons.ToSymbol)) })
	case doubloons.AskPath:
		return g.most(legal, g.way)
	case doubloons.AskStack:
		return g.most(legal, func(a engine.Action) int { return stackWorth[a-doubloons.ToStack] })
	case doubloons.AskKeep:
		return g.most(legal, func(a engine.Action) int { return g.tile(int(a - doubloons.ToTile)) })
	case doubloons.AskExploit:
		if g.tile(int(f.Arg[0])) > 0 {
			return doubloons.ToSeat
		}
		return g.leader(legal)
	case doubloons.AskDrawTwo, doubloons.AskPay:
		return doubloons.ToAccept
	case doubloons.AskReroll, doubloons.AskCompass, doubloons.AskSextant, doubloons.AskRelicSwap:
		return doubloons.ToDecline
	case doubloons.AskReceiver:
		if legal.Has(doubloons.ToSeat) {
			return doubloons.ToSeat
		}
		return g.most(legal, func(a engine.Action) int { return -g.standing(g.named(a)) })
	case doubloons.AskHut, doubloons.AskGiver, doubloons.AskMystic, doubloons.AskBlackJewel, doubloons.AskDuel:
		return g.leader(legal)
	case doubloons.AskTotem, doubloons.AskShell:
		return legal.First() // any relic rather than none
	case doubloons.AskBeach:
		return legal.First()
	}
	return -1
}

// most is the choice with the highest score, after it has wavered.
func (g *greedy) most(legal *engine.Mask, score func(engine.Action) int) engine.Action {
	best, most := engine.Action(-1), 0
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		if v := score(a) + g.waver(); best < 0 || v > most {
			best, most = a, v
		}
	}
	return best
}

// waver is some noise, 0 to 31.
func (g *greedy) waver() int {
	g.doubt = bits.RotateLeft64(g.doubt, 5)
	return int(g.doubt & 31)
}

// named is the ship that an action names, one's own for an action that names none.
func (g *greedy) named(a engine.Action) int {
	switch {
	case a == doubloons.ToLegendary:
		return doubloons.Legendary
	case a < doubloons.ToSeat || a > doubloons.ToLegendary:
		return g.seat
	}
	return (g.seat + int(a-doubloons.ToSeat)) % g.seats
}

// leader is the choice of the rival who stands best; of none if that is all that there is to choose.
func (g *greedy) leader(legal *engine.Mask) engine.Action {
	return g.most(legal, func(a engine.Action) int {
		if i := g.named(a); i != g.seat {
			return g.standing(i)
		}
		return -1 << 16
	})
}

// standing is the visible possessions of a ship.
func (g *greedy) standing(i int) int { return g.standingOf(&g.s.Ships[i]) }

func (g *greedy) standingOf(sh *doubloons.Ship) int {
	v := 2*count(&sh.Fragments) + int(sh.Doubloons) + int(sh.Crew) + int(g.rules.ReputationPoints[sh.Reputation])
	for j, n := range sh.Jewels {
		v += int(n) * int(g.rules.JewelValue[j])
	}
	return 100 * v
}

// followers is how many rivals advance with one who names a symbol.
func (g *greedy) followers(symbol int) (n int) {
	for i := range g.seats {
		if i != g.seat && g.s.Ships[i].Fragments[symbol] > 0 {
			n++
		}
	}
	return n
}

// The cost of being an Advance further from a captain's goal, and the value of being there.
const (
	stepCost  = 60
	goalWorth = 500
)

// Worth of what lies on the island, in hundredths of a point.
var (
	colourWorth = [doubloons.NumColours + 1]int{
		doubloons.ColourBlue: 90, doubloons.ColourYellow: 110, doubloons.ColourRed: -120, doubloons.ColourGreen: 200,
	}
	stackWorth = [doubloons.NumColours]int{
		doubloons.ColourBlue: 60, doubloons.ColourYellow: 80, doubloons.ColourRed: 20, doubloons.ColourGreen: 40,
	}
	tileWorth = [doubloons.NumLandmarks]int{
		doubloons.AdventurersTavern: 350, doubloons.HiddenChamber: 100, doubloons.MercenaryCamp: 180, doubloons.SalvageMerchant: 70,
		doubloons.StarAxis: 40, doubloons.TribalVillage: 140, doubloons.VoodooHut: 60, doubloons.WhisperingPortal: 60, doubloons.WhisperingRavine: 80,
		doubloons.AltarOfGreed: 180, doubloons.GildedTablet: 150, doubloons.JeweledMaze: 180, doubloons.JeweledThrone: 280, doubloons.LegendaryTomb: 250,
		doubloons.PandorasBox: -120, doubloons.RadiantFountain: 100, doubloons.RadiantPool: 200, doubloons.WellOfWishes: 100,
		doubloons.OldMystic: 40,
	}
)

// tile is the value of a landmark to the player who resolves it: all red ones cost.
func (g *greedy) tile(tile int) int {
	if g.rules.LandmarkColour[tile] == doubloons.ColourRed {
		return -150
	}
	return tileWorth[tile]
}

// way scores a location to go to.
func (g *greedy) way(a engine.Action) int {
	if a == doubloons.ToStay {
		return -stepCost
	}
	node := int(a - doubloons.ToNode)
	v, steps := colourWorth[g.rules.Colour[node]], int(g.rules.ToGoal(node))
	switch {
	case g.isle != nil && g.rules.InCrater(g.s) > 0:
		return v - stepCost*int(g.isle.ruin[node]) // the crater opens when its relics are out
	case g.s.Dug:
		return v
	case steps == 0:
		return goalWorth
	}
	return v - stepCost*steps
}

// watch looks who lies where.
func (g *greedy) watch() {
	g.foes, g.prey = [regions]uint8{}, [regions]uint8{}
	g.weak = [regions]uint8{doubloons.MaxHull, doubloons.MaxHull, doubloons.MaxHull, doubloons.MaxHull, doubloons.MaxHull}
	for at := range g.sailed {
		g.sailed[at] = -1
	}
	for e := range g.s.Ships {
		enemy := &g.s.Ships[e]
		at := enemy.Region
		if e == g.seat || at < 0 {
			continue
		}
		if enemy.Damaged() {
			g.prey[at] |= 1 << e
		}
		if !enemy.Ghost && e != doubloons.Legendary {
			g.foes[at]++
			g.weak[at] = min(g.weak[at], enemy.Hull)
		}
	}
}

// Worth of actions, in hundredths of a point; set by hand, as in worth.go.
const (
	strikeWorth = 70  // an enemy hit, for the die …
	damageWorth = 20  // … and for each damage
	sinkWorth   = 330 // an enemy sunk
	drawMap     = 420 // a map tile before the dig
	drawMapLate = 170 // and after it
	stepWorth   = 260 // an Advance
	digWorth    = 140 // an Exploit
	fullPillage = 110 // a token while the island has doubloons for all
	poorPillage = 55  // and if it is short
	crewWorth   = 160 // a crew
	pushWorth   = 60  // a captain card, for one who leads; for others it costs as much
	unsure      = 50  // per cent of a fight that are left in a turn to come
)

// hullGain is the value of the last point of a given hull.
var hullGain = [doubloons.MaxHull + 1]int{0, 0, 70, 55, 45, 35, 30, 25, 20, 15, 55}

// blow is the gain from an attack of some damage on a region.
func (g *greedy) blow(region, damage int) int {
	n := int(g.foes[region])
	if n == 0 {
		return 0
	}
	damage = g.s.DamageIn(region, damage)
	v := n * (strikeWorth + damageWorth*damage)
	if int(g.weak[region]) <= damage {
		v += sinkWorth
	}
	return v
}

// plunder is the gain from boarding a ship for some loot.
func (g *greedy) plunder(enemy *doubloons.Ship, loot doubloons.Loot) int {
	switch {
	case enemy.Orbs > 0:
		return 80
	case loot == doubloons.LootFragment && count(&enemy.Fragments) > 0:
		return 330
	case loot == doubloons.LootHalf:
		return 130 * int(enemy.Doubloons/2)
	case loot == doubloons.LootCrew && enemy.Crew > 0:
		return crewWorth
	case loot == doubloons.LootCrew2 && enemy.Crew > 0:
		return crewWorth * int(min(enemy.Crew, 2))
	case loot == doubloons.LootJewel && count(&enemy.Jewels) > 0:
		return 500
	case loot == doubloons.LootReputation && g.rules.Modules.Has(doubloons.StealShip):
		return 2 * max(0, g.standingOf(enemy)-g.standingOf(g.own))
	case loot == doubloons.LootReputation && enemy.Reputation > 0:
		return 500
	}
	return 0
}

// raid is the gain from the best boarding in a region.
func (g *greedy) raid(region int, loot doubloons.Loot) int {
	best := 0
	for set := g.prey[region]; set != 0; set &= set - 1 {
		best = max(best, g.plunder(&g.s.Ships[bits.TrailingZeros8(set)], loot))
	}
	return best
}

// worth is the gain from an action of a card at a position; fights count a percentage of it.
func (g *greedy) worth(card *doubloons.Card, a *doubloons.CardAction, at, fights int) int {
	plus, own := int(a.Plus), g.own
	switch a.Icon {
	case doubloons.IconHunt:
		v := 0
		switch n := count(&own.Fragments); {
		case n < 2 && g.s.MapFragments > 0 && !g.s.Dug:
			v = drawMap
		case n < 2 && g.s.MapFragments > 0:
			v = drawMapLate
		case n < 2:
		case g.s.Dug:
			v = digWorth
		default:
			v = stepWorth
		}
		if a.FreeCrew {
			v += crewWorth
		}
		return v
	case doubloons.IconPillage:
		each := fullPillage
		if g.s.Pillage == 0 {
			each = 0
		} else if int(g.s.Island) <= int(own.Pillage) {
			each = poorPillage
		}
		return (1 + plus) * each
	case doubloons.IconForward:
		ship := berthed(at)
		return g.blow(g.rules.Ahead(&ship, 1), doubloons.ForwardDamage+plus) * fights / 100
	case doubloons.IconBroadsides:
		return g.blow(at/2, doubloons.BroadsidesDamage+plus) * fights / 100
	case doubloons.IconRepair:
		if own.Ghost {
			return 0
		}
		v := 0
		for h := int(own.Hull) + 1; h <= min(int(own.Hull)+1+plus, doubloons.MaxHull); h++ {
			v += hullGain[h]
		}
		return v
	case doubloons.IconBoard:
		return g.raid(at/2, card.Loot) * fights / 100
	}
	return 0
}

// value is the gain from a card at a position, by its better action.
func (g *greedy) value(card *doubloons.Card, at, fights int) int {
	return max(g.worth(card, &card.Actions[0], at, fights), g.worth(card, &card.Actions[1], at, fights))
}

// sail is where a ship at a position sails.
func (g *greedy) sail(at int) int {
	if g.sailed[at] < 0 {
		ship := berthed(at)
		ship.Ghost = g.own.Ghost
		g.rules.Sail(g.s, &ship)
		g.sailed[at] = int8(position(ship.Region, ship.Facing))
	}
	return int(g.sailed[at])
}

// reached is the set of positions to which a movement icon may lead from a set of them.
func (g *greedy) reached(set uint16, m doubloons.Move) uint16 {
	if m.Sail && !g.rules.MaySail(g.own) || !m.Sail && !g.rules.MayComeAbout(g.own) {
		return set
	}
	out := uint16(0)
	if !m.Required {
		out = set
	}
	for ; set != 0; set &= set - 1 {
		at := bits.TrailingZeros16(set)
		if m.Sail {
			out |= 1 << g.sail(at)
		} else {
			out |= 1 << (at ^ 1)
		}
	}
	return out
}

// ends is the set of positions to which a card's movement may lead from one.
func (g *greedy) ends(card *doubloons.Card, at int) uint16 {
	set := uint16(1) << at
	switch card.NMoves {
	case 1:
		return g.reached(set, card.Moves[0])
	case 2:
		return g.reached(g.reached(set, card.Moves[0]), card.Moves[1]) | g.reached(g.reached(set, card.Moves[1]), card.Moves[0])
	}
	return set
}

// best is the position of a set at which a card brings most, and what that is.
func (g *greedy) best(card *doubloons.Card, set uint16, fights int) (at, most int) {
	at, most = bits.TrailingZeros16(set), -1
	for ; set != 0; set &= set - 1 {
		to := bits.TrailingZeros16(set)
		if v := g.value(card, to, fights); v > most {
			at, most = to, v
		}
	}
	return at, most
}

// card is the card to program in a slot: the one that brings most from where the cards before it lead.
func (g *greedy) card(slot int) int {
	at := position(g.own.Region, g.own.Facing)
	for _, before := range g.own.Table[:slot] {
		if before >= 0 {
			card := &g.rules.Cards[before]
			at, _ = g.best(card, g.ends(card, at), unsure)
		}
	}
	best, most := -1, 0
	for hand := g.own.Hand; hand != 0; hand &= hand - 1 {
		k := bits.TrailingZeros64(hand)
		card := &g.rules.Cards[k]
		_, v := g.best(card, g.ends(card, at), unsure)
		if card.Kind == doubloons.KindCaptain {
			v += g.push()
		}
		if v += g.waver(); best < 0 || v > most {
			best, most = k, v
		}
	}
	return best
}

// push is the value of bringing the end nearer.
func (g *greedy) push() int {
	own := g.standing(g.seat)
	if g.s.Round > lateRound {
		return pushWorth
	}
	for i := range g.seats {
		if i != g.seat && g.standing(i) > own {
			return -pushWorth
		}
	}
	return pushWorth
}

// steer moves the ship to where its card brings most now. What is left of the movement stands in the frame, as icons
// of each kind.
func (g *greedy) steer(f doubloons.Frame, legal *engine.Mask) engine.Action {
	var card *doubloons.Card
	if g.s.Slot >= 0 && g.own.Table[g.s.Slot] >= 0 {
		card = &g.rules.Cards[g.own.Table[g.s.Slot]]
	}
	at := position(g.own.Region, g.own.Facing)
	best, most := engine.Action(-1), 0
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		to, left := at, f.Arg
		switch a {
		case doubloons.ToSail:
			to = g.sail(at)
			spend(left[:2])
		case doubloons.ToComeAbout:
			to = at ^ 1
			spend(left[2:4])
		default:
			left = [6]int8{}
		}
		v := g.waver()
		if card != nil {
			_, worth := g.best(card, g.left(left, to), 100)
			v += worth
		}
		if best < 0 || v > most {
			best, most = a, v
		}
	}
	return best
}

// spend takes one of two kinds of icons, a required one first.
func spend(icons []int8) {
	if icons[0] > 0 {
		icons[0]--
	} else {
		icons[1]--
	}
}

// left is the set of positions to which the icons that are left may lead.
func (g *greedy) left(icons [6]int8, at int) uint16 {
	set := uint16(1) << at
	for k, m := range [...]doubloons.Move{{Sail: true, Required: true}, {Sail: true}, {Required: true}, {}} {
		for range icons[k] {
			set = g.reached(set, m)
		}
	}
	return set
}

// act is the better of the two actions of the card in a slot.
func (g *greedy) act(slot int, legal *engine.Mask) engine.Action {
	card := &g.rules.Cards[g.own.Table[slot]]
	at := position(g.own.Region, g.own.Facing)
	best, most := engine.Action(-1), 0
	for i := range card.Actions {
		a := &card.Actions[i]
		v := 0
		if a.Icon != doubloons.IconBoard || g.rules.Boardable(g.s, g.seat, slot) != 0 {
			v = g.worth(card, a, at, 100)
		}
		if v += g.waver(); best < 0 || v > most {
			best, most = doubloons.ToDo+engine.Action(a.Icon), v
		}
	}
	return best
}
