package captain

import (
	"math"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// The captain's knowledge of the alternate island, where relics are collected in
// sets, captains walk both ways and duel, and the crater opens with its last relic.

// Worth of things there, in points at the end of the match; set by hand, as in worth.go.
const (
	ruinWorth  = 2.8 // a Tribal Ruin while the crater holds relics
	ruinLater  = 0.3 // and afterwards
	blueWorth  = 0.9 // landmarks that nobody has seen
	goldWorth  = 1.0
	redWorth   = -1.2
	nextSymbol = .45 // of the points that a further relic would add to the sets, what is counted on
	sight      = .40 // of what lies one Advance ahead, what is counted on; and of that at each step more …
	fade       = .60 // … what is left
	strides    = .9  // of the Advances that a captain may make before the dig, those counted on
	shellSight = .35 // of a shell in the ship's region, what is counted on
	stealShell = 1.5 // of a shell that is taken from another, what it is worth on average

	openSamples = 6  // times that a choice is tried where landmarks are drawn and dice rolled
	stir        = 6  // rounds after which a stand-off before the dig costs, as after patience on the standard island
	lateRound   = 12 // rounds after which the end is pushed for too
)

// isle has the captain's precomputed numbers of the alternate island.
type isle struct {
	steps [doubloons.NumNodes][doubloons.NumNodes]uint8 // Advances from one location to another
	ruin  [doubloons.NumNodes]uint8                     // Advances to reach a Tribal Ruin, two for a captain who is at one
}

// survey fills in how far locations are from each other. The crater is a way to
// nowhere: it opens late and is rarely left.
func (c *captain) survey() {
	for from := range c.isle.steps {
		steps := &c.isle.steps[from]
		for n := range steps {
			steps[n] = doubloons.Unreached
		}
		steps[from] = 0
		for range steps { // each pass settles at least the next distance
			for n, d := range steps {
				if d == doubloons.Unreached || n == doubloons.NodeX && n != from {
					continue
				}
				for _, to := range c.rules.AlternateNext[n][:c.rules.AlternateNextN[n]] {
					steps[to] = min(steps[to], d+1)
				}
			}
		}
		nearest := uint8(2)
		for n := doubloons.NodeT1; n <= doubloons.NodeT4; n++ {
			if n != from {
				nearest = min(nearest, steps[n])
			}
		}
		c.isle.ruin[from] = nearest
	}
}

// distance is how many Advances a location is from the goal of the island.
func (c *captain) distance(node int8) float64 { return float64(c.rules.ToGoal(int(node))) }

// untilOpen is how many Advances of each captain it takes to empty the crater: about
// two relics come out at a ruin, the first when somebody reaches one, and then each captain
// reaches another with every second Advance.
func (c *captain) untilOpen(s *doubloons.State) float64 {
	visits := (c.rules.InCrater(s) + 1) / 2
	if visits == 0 {
		return 0
	}
	first := float64(doubloons.Unreached)
	for i := range c.seats {
		sh := &s.Ships[i]
		first = min(first, float64(c.isle.ruin[sh.Node])/pace[min(count(&sh.Fragments), 2)])
	}
	return first + 2*float64(visits-1)/float64(c.seats)
}

// craterJewels is how many jewels the dig will bring a captain at a distance from the
// crater, when the dig is some steps ahead: three there, one at the ruins next to it.
func craterJewels(distance, dig float64, fragments int) float64 {
	switch d := distance - float64(strides*pace[min(fragments, 2)]*dig); {
	case d <= 0:
		return 3
	case d <= 1:
		return 3 - float64(2*d)
	case d < 2:
		return 2 - d
	}
	return 0
}

// symbols are a ship's fragments, totems and shells together, by symbol.
func symbols(sh *doubloons.Ship) (all [doubloons.NumSymbols]uint8) {
	for sym := range all {
		all[sym] = sh.Fragments[sym] + sh.Totems[sym] + sh.Shells[sym]
	}
	return all
}

// sets is what the symbols of a ship are worth as sets, those included that one more
// would complete.
func sets(all [doubloons.NumSymbols]uint8, future float64) float64 {
	sh := doubloons.Ship{Fragments: all}
	now, next := sh.SetPoints(), int32(0)
	for sym := range all {
		sh.Fragments[sym]++
		next += sh.SetPoints() - now
		sh.Fragments[sym]--
	}
	return float64(now) + nextSymbol*future*float64(next)/doubloons.NumSymbols
}

// best is the gain in a ship's worth from the best of some relics, at a number of points each.
func best(of *[doubloons.NumSymbols]uint8, own *doubloons.Ship, points float64) float64 {
	most, all := 0.0, symbols(own)
	now := int32(-1)
	for sym, n := range of {
		if n == 0 {
			continue
		}
		sh := doubloons.Ship{Fragments: all}
		if now < 0 {
			now = sh.SetPoints()
		}
		sh.Fragments[sym]++
		most = max(most, points+float64(sh.SetPoints()-now))
	}
	return most
}

// relics is what the alternate island adds to a seat's worth, its captain's
// prospects included.
func (c *captain) relics(s *doubloons.State, sh *doubloons.Ship, seat int, future float64) float64 {
	w := float64(2*float64(count(&sh.Totems))) + float64(count(&sh.Shells)) + sets(symbols(sh), future)
	if sh.Region < 0 {
		return w
	}
	if shells := &s.RegionShells[sh.Region]; count(shells) > 0 {
		w += float64(shellSight * best(shells, sh, 1))
	}
	return w + c.prospect(s, seat, int(sh.Node))
}

// prospect is what lies around a location for a captain who has the right to
// Advance: the best of it, the nearer the more.
func (c *captain) prospect(s *doubloons.State, seat, node int) float64 {
	most := 0.0
	steps := &c.isle.steps[node]
	chance := float64(sight * pace[min(count(&s.Ships[seat].Fragments), 2)])
	ruin := c.ruinNow(s)
	for n := doubloons.NodeT1; n <= doubloons.NodeT4; n++ {
		most = max(most, float64(ruin*reach(steps[n])))
	}
	for beach := range c.regions {
		if totems := &s.BeachTotems[beach]; count(totems) > 0 {
			most = max(most, float64(best(totems, &s.Ships[seat], 2)*reach(steps[doubloons.NodeB1+beach])))
		}
	}
	return float64(chance * most)
}

// reach is what is left of something a number of Advances ahead. A captain who is already there must leave
// and come back.
func reach(steps uint8) float64 {
	if steps == 0 {
		return fade
	}
	w := 1.0
	for range min(steps, 6) - 1 {
		w = float64(w * fade)
	}
	return w
}

func (c *captain) ruinNow(s *doubloons.State) float64 {
	if c.rules.InCrater(s) > 0 {
		return ruinWorth
	}
	return ruinLater
}

// gain is the value of reaching a location, besides the prospects from there.
func (c *captain) gain(s *doubloons.State, seat, node int) float64 {
	switch c.rules.Colour[node] {
	case doubloons.ColourBlue:
		return blueWorth
	case doubloons.ColourYellow:
		return goldWorth
	case doubloons.ColourRed:
		return redWorth
	case doubloons.ColourGreen:
		return c.ruinNow(s)
	}
	if node <= doubloons.NodeB5 {
		if totems := &s.BeachTotems[node-doubloons.NodeB1]; count(totems) > 0 {
			return best(totems, &s.Ships[seat], 2)
		}
	}
	return 0
}

// walks tables what the first Advance of the plan brings, the second and so on: the
// best ways of a number of Advances, each with what one sees at its end.
func (p *plan) walks(st *stand) {
	c, s := p.c, p.s
	var now, next [doubloons.NumNodes]float64
	var gains [doubloons.NumNodes]float64
	fragments := count(&p.me.Fragments)
	open := c.rules.InCrater(s) == 0 && s.LeftCrater>>c.me&1 == 0
	for n := range now {
		if c.rules.AlternateNextN[n] == 0 {
			continue
		}
		gains[n] = c.gain(s, c.me, n)
		now[n] = c.prospect(s, c.me, n)
		if !s.Dug {
			now[n] += float64(meanJewel * craterJewels(c.distance(int8(n)), st.dig, fragments))
		}
	}
	node := p.me.Node
	for k := range p.walk {
		for n := range next {
			next[n] = math.Inf(-1)
			if n == doubloons.NodeX && !s.Dug { // it waits there for the jewels
				next[n] = now[n]
				continue
			}
			for _, to := range c.rules.AlternateNext[n][:c.rules.AlternateNextN[n]] {
				if to != doubloons.NodeX || open {
					next[n] = max(next[n], gains[to]+now[to])
				}
			}
		}
		p.walk[k] = float64(p.prices.of[byWorth] * max(0, next[node]-now[node]))
		now = next
	}
}

// lay places a relic where the captain likes to see it, without looking further:
// a totem on a beach, a shell in a region.
func (c *captain) lay(s *doubloons.State, legal *engine.Mask) engine.Action {
	f := s.Top()
	first, on := engine.Action(doubloons.ToNode+doubloons.NodeB1), &s.BeachTotems
	if f.Kind == doubloons.AskPlaceShell {
		first, on = doubloons.ToRegion, &s.RegionShells
	}
	choice, most := legal.First(), math.Inf(-1)
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		n := &on[a-first][f.Arg[0]]
		*n++
		if v := c.value(s); v > most {
			choice, most = a, v
		}
		*n--
	}
	return choice
}

// frontRunner is how far the first end-game tracker has come.
func (c *captain) frontRunner(s *doubloons.State) float64 {
	track := uint8(0)
	for i := range c.seats {
		track = max(track, s.Ships[i].Track)
	}
	return float64(track)
}

// finish is what it is worth to the captain that trackers are where they are:
// much to the leader, and more the longer the match takes.
func (c *captain) finish(s *doubloons.State) float64 {
	if !s.Dug {
		return 0
	}
	push := max(-endPushMost, min(endPushMost, float64(endPush*c.lead)))
	if s.Round > lateRound {
		push += float64(hurry * float64(s.Round-lateRound))
	}
	return float64(push * c.frontRunner(s))
}

// hard reports whether a choice is tried more often, for what chance does with it.
func hard(k doubloons.Kind) bool {
	return k == doubloons.AskPath || k == doubloons.AskDuel || k == doubloons.AskDuelReroll || k == doubloons.AskBeach
}
