package captain

import "github.com/privateer-rl/privateer/engine/games/doubloons"

// The values of things to the captain, in points at the end of the match, besides
// the points that the rules give. The numbers are estimates, set by hand.
const (
	rivalSpread = 6.0 // points behind the best rival at which a rival counts 1/e as much

	meanJewel   = 3.8 // points of a jewel yet to be drawn
	huntRight   = 2.5 // two map fragments before the dig: the right to Advance
	firstTile   = 0.8 // one of them
	orbWorth    = 0.8
	sinkCost    = 5.0  // hull's whole value: what becoming a ghost ship costs
	soundHull   = 0.4  // no damage at all: nobody may board
	ghostCost   = 4.0  // most that being a ghost ship is feared to cost
	exploit     = 1.4  // an Exploit, relative to the rivals
	compass     = 0.5  // one of them, when crew is short
	blackPower  = 1.2  // what a black jewel's die brings its ship, besides its points
	bonusNow    = .35  // of a bonus of Advanced Scoring, what it counts before the dig
	prowlCost   = 0.4  // what the die of the legendary ghost ship costs a ship that it hits
	companyCost = 0.2  // another ship in the region where one's own is placed
	preyWorth   = 0.15 // another ship in the region that it faces

	hope     = .55 // of the steps that a captain may make before the dig, those counted on
	patience = 10  // rounds after which every step that is left before the dig costs …
	hurry    = .4  // … this much more a round, so that a stand-off ends

	lateGame = .7 // of the match's later uses, what is left right after the dig
	lateSink = .4 // of the cost of being sunk, what is left at the very end
)

// sinkRisk is the chance, by hull, that a ship is sunk in time.
var sinkRisk = [doubloons.MaxHull + 1]float64{1, .62, .48, .37, .28, .21, .15, .10, .06, .03, 0}

// crewUse is the value of crew besides its points: hand size, ability, turning.
var crewUse = [doubloons.MaxCrew + 1]float64{0, .6, 1.2, 1.7, 2.4}

// pace is how many steps a captain makes while one with the right to Advance makes
// one, by the map fragments of its player (0, 1, 2 or more): with few it can only follow.
var pace = [3]float64{.25, .4, 1}

// stand is the state that all seats' worth depends on.
type stand struct {
	distance [doubloons.MaxSeats]float64
	dig      float64 // steps that one with the right to Advance would make before the dig
	tokens   int     // of pillage, with all ships
	holders  int     // ships with tokens
	slots    float64 // turns that each seat has left in the round, about
	future   float64 // of the match, 1 before the dig to 0 at its end
}

func (c *captain) standing(s *doubloons.State) stand {
	st := stand{slots: doubloons.NumSlots, future: 1}
	track := uint8(0)
	if sh := &s.Ships[doubloons.Legendary]; sh.Pillage > 0 {
		st.tokens += int(sh.Pillage)
		st.holders++
	}
	for i := range c.seats {
		sh := &s.Ships[i]
		st.distance[i] = c.distance(sh.Node)
		st.tokens += int(sh.Pillage)
		if sh.Pillage > 0 {
			st.holders++
		}
		track = max(track, sh.Track)
	}
	st.dig = c.untilDig(s, &st.distance)
	if s.Slot >= 0 {
		st.slots = float64(doubloons.NumSlots-1-s.Slot) + .5
	}
	if s.Dug {
		st.future = float64(lateGame * (1 - float64(track)/float64(c.rules.EndTrack-1)))
	}
	return st
}

// untilDig is when the first captain will be at the mount, judged by where the
// captains are and by their map fragments.
func (c *captain) untilDig(s *doubloons.State, distance *[doubloons.MaxSeats]float64) float64 {
	dig := float64(doubloons.Unreached)
	for i := range c.seats {
		dig = min(dig, distance[i]/pace[min(count(&s.Ships[i].Fragments), 2)])
	}
	if c.away {
		if open := c.untilOpen(s); open > 0 {
			dig = max(dig, open+1)
		}
	}
	return dig
}

// worths estimates what each seat will have at the end.
func (c *captain) worths(s *doubloons.State, worth *[doubloons.MaxSeats]float64) {
	st := c.standing(s)
	for i := range c.seats {
		worth[i] = c.worthOf(s, &st, i)
	}
}

// value is a position as the captain sees it: its own worth less the rivals'.
func (c *captain) value(s *doubloons.State) float64 {
	st := c.standing(s)
	me := c.rules.SeatOf(s, c.player)
	v := c.worthOf(s, &st, me) - c.delay(s, &st)
	if c.away {
		v += c.finish(s)
	}
	for i := range c.seats {
		if i != me {
			v -= float64(c.rivals[c.rules.PlayerAt(s, i)] * c.worthOf(s, &st, i))
		}
	}
	return v
}

func (c *captain) worthOf(s *doubloons.State, st *stand, seat int) float64 {
	sh := &s.Ships[seat]
	fragments := count(&sh.Fragments)
	treasures := fragments + int(sh.Doubloons)
	w := float64(2*float64(fragments)) + float64(sh.Doubloons)
	for j, n := range sh.Jewels[:doubloons.BlackJewel] {
		w += float64(float64(n) * float64(c.rules.JewelValue[j]))
		treasures += int(n)
	}
	if c.rules.Modules != 0 {
		w += c.modules(s, sh, seat, st.future)
	}
	w += float64(c.rules.ReputationPoints[sh.Reputation])
	w += float64(sh.Crew) + float64(crewUse[sh.Crew]*st.future)
	w += float64(orbWorth * float64(sh.Orbs) * st.future)
	if sh.Ghost {
		w -= min(float64(treasures), ghostCost)
	} else {
		w += hullWorth(int(sh.Hull), st.future)
	}
	w += coins(int(sh.Pillage), st.tokens-int(sh.Pillage), c.seats, s, st.slots)
	switch {
	case c.away:
		w += c.relics(s, sh, seat, st.future) + float64(hunting(fragments)*st.future)
		if !s.Dug {
			w += float64(meanJewel * craterJewels(st.distance[seat], st.dig, fragments))
		}
	case !s.Dug:
		w += float64(meanJewel*jewels(st.distance[seat], st.dig, fragments)) + hunting(fragments)
	}
	return w
}

// modules is the contribution of the modules in play to a ship's worth.
func (c *captain) modules(s *doubloons.State, sh *doubloons.Ship, seat int, future float64) float64 {
	w := 0.0
	if n := sh.Jewels[doubloons.BlackJewel]; n > 0 {
		w += float64(float64(n)*float64(c.rules.JewelValue[doubloons.BlackJewel])) + float64(blackPower*future)
	}
	if sh.Compasses > 0 {
		short := 1 - float64(sh.Crew)/doubloons.MaxCrew
		w += float64(compass * future * float64(sh.Compasses) * (.3 + short))
	}
	if c.rules.Modules.Has(doubloons.AdvancedScoring) {
		var by [doubloons.NumScores]int32
		c.rules.Scores(s, c.player, seat, by[:])
		w += float64(float64(by[doubloons.ScoreBonuses]) * (1 - float64((1-bonusNow)*future)))
	}
	return w
}

// delay is the cost of the treasure being still buried.
func (c *captain) delay(s *doubloons.State, st *stand) float64 {
	after := uint8(patience)
	if c.away {
		after = stir
	}
	if s.Dug || s.Round <= after {
		return 0
	}
	return float64(hurry * float64(s.Round-after) * st.dig)
}

// hullWorth is the value of a ship's hull: the loss that it prevents.
func hullWorth(hull int, future float64) float64 {
	w := float64(-sinkCost * sinkRisk[hull] * (lateSink + float64((1-lateSink)*future)))
	if hull == doubloons.MaxHull {
		w += soundHull
	}
	return w
}

// hunting is the value of map fragments before the dig, besides their points.
func hunting(fragments int) float64 {
	switch fragments {
	case 0:
		return 0
	case 1:
		return firstTile
	}
	return huntRight
}

// jewels is how many jewels the dig will bring a captain at a distance from the
// mount, when the dig is some steps ahead.
func jewels(distance, dig float64, fragments int) float64 {
	n := 3 - distance + float64(hope*pace[min(fragments, 2)]*dig)
	switch {
	case n >= 3:
		return 3
	case n >= 1:
		return n
	case n > -1: // a bend from no hope to full slope
		return (n + 1) * (n + 1) / 4
	}
	return 0
}

// coins is what pillage tokens will bring at the end of the round, when the
// others have their present number and everybody has some turns left.
func coins(own, others, seats int, s *doubloons.State, slots float64) float64 {
	if own == 0 {
		return 0
	}
	const (
		more  = .30 // tokens that a seat gains in a turn
		joins = .15 // chance that a seat without tokens gains its first in a turn
	)
	t, island := float64(own), float64(s.Island)
	share := min(t, island*t/(t+float64(others)+float64(more*slots*float64(seats-1))))
	if others > 0 {
		return share
	}
	alone := 1.0 // who alone has tokens takes double
	for range seats - 1 {
		alone = float64(alone * (1 - float64(joins*slots)))
	}
	return float64(alone*min(float64(2*t), island)) + float64((1-alone)*share)
}

// berthWorth is what it is worth to end a round in a region: water to begin the
// next one in, less what the legendary ghost ship will do to a ship there.
func (c *captain) berthWorth(s *doubloons.State, region int) float64 {
	w := waterWorth(s, region)
	ghost := &s.Ships[doubloons.Legendary]
	if ghost.Region < 0 || region < 0 {
		return w
	}
	if s.Turn != doubloons.Legendary && s.Phase == doubloons.PhaseAction {
		if hit := c.prowl(s, *ghost, region); hit > 0 {
			own := &s.Ships[c.me]
			if !own.Ghost {
				hull := int(own.Hull)
				w -= hullWorth(hull, 1) - hullWorth(max(0, hull-hit), 1) + prowlCost
			}
		}
	}
	return w
}

// prowl is the damage that the legendary ghost ship does in a region on its next
// turn, when it lies where ghost does.
func (c *captain) prowl(s *doubloons.State, ghost doubloons.Ship, region int) int {
	if region < 0 {
		return 0
	}
	ghost.Ghost = true
	c.rules.Sail(s, &ghost)
	hit := 0
	switch region {
	case int(ghost.Region):
		hit = doubloons.BroadsidesDamage
	case c.rules.Ahead(&ghost, 1):
		hit = doubloons.ForwardDamage
	}
	return s.DamageIn(region, hit)
}

// waterWorth is the value of beginning a round in a region.
func waterWorth(s *doubloons.State, region int) float64 {
	switch s.Water[region] {
	case doubloons.CoralReef:
		return .8
	case doubloons.StoneSextant:
		return .3
	case doubloons.Fog, doubloons.MermaidPack, doubloons.Shipwreck, doubloons.MerfolkSeer, doubloons.TheShallows:
		return .2
	}
	return 0
}

// count adds up the things of one kind.
func count(of *[4]uint8) int { return int(of[0]) + int(of[1]) + int(of[2]) + int(of[3]) }
