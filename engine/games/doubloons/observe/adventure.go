package observe

import (
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// The groups of an observation for the alternate island.
// Nothing of it is hidden: which relics are left is known, though not which of them are in the
// crater and which in the box, so that no group tells the two apart but by their numbers.

// islandNodes are the locations of island.ways, the beaches first; from
// islandBeaches on they are those of island.tiles.
var islandNodes = func() (nodes [islandBeaches + islandTiles]uint8) {
	i := 0
	for n := range doubloons.NumNodes {
		if n != doubloons.NodeV6 && n != doubloons.NodeM {
			nodes[i] = uint8(n)
			i++
		}
	}
	return nodes
}()

// tileNumber is the number of a landmark from 1 on, 0 for none, in binary digits.
var tileNumber = func() (digits [1 + doubloons.NumLandmarks][tileDigits]uint8) {
	for number := range digits {
		for digit := range tileDigits {
			digits[number][digit] = uint8(number >> digit & 1)
		}
	}
	return digits
}()

// adventure writes the alternate island and its captains.
func (v *view) adventure(to *row) {
	d, s := v.d, v.s
	to.alternate = 1
	to.module.craterOpen = engine.Bit(d.rules.InCrater(s) == 0)
	var ways uint32
	if s.Ships[v.seat].Region >= 0 {
		ways = d.rules.Ways(s, v.seat)
	}
	var next uint64
	for i, n := range &islandNodes {
		way := uint8(ways >> n & 1)
		to.module.ways[i] = way
		if i < islandBeaches {
			continue
		}
		tile := s.Tiles[n]
		next |= one(tile) * uint64(way)
		to.module.tileAt[i-islandBeaches] = tileNumber[1+tile]
	}
	engine.Unpack(to.tilesNext[:], next)
	for k := range d.seats {
		i := (v.seat + k) % d.seats
		sh, captain := &s.Ships[i], &to.module.captains[k]
		captain.stepIs[to.seats[k].place.step-1] = engine.Bit(sh.Region >= 0) // the captain lands with the ship
		captain.leftCrater = s.LeftCrater >> i & 1
		to.module.moved[k].tracker = s.Acquired >> i & 1
		to.module.sets[k].points = uint8(min(sh.SetPoints(), mostSetPoints))
	}
}

// islandDecision writes which decision is asked of those that only the alternate island asks, and of which relic.
func (v *view) islandDecision(f doubloons.Frame, to *row) {
	to.module.islandKind[f.Kind-baseKinds] = 1
	switch f.Kind {
	case doubloons.AskTotem, doubloons.AskStealTotem, doubloons.AskPlaceTotem:
		to.module.relic[doubloons.Totem] = 1
	case doubloons.AskShell, doubloons.AskStealShell, doubloons.AskPlaceShell:
		to.module.relic[doubloons.Shell] = 1
	case doubloons.AskRelicSwap, doubloons.AskRelicOwn, doubloons.AskRelicTheirs:
		to.module.relic[doubloons.SwappedRelic(int(f.Arg[0]))] = 1
	}
}

// toBePlaced is how many relics the ruin at hand will still have placed, after the one that is.
func (v *view) toBePlaced() uint8 {
	left := 0
	for i := range v.s.Frames[:v.s.Depth] {
		left += int(engine.Bit(v.s.Frames[i].Kind == doubloons.DoRelic))
	}
	return uint8(min(left, v.d.rules.InCrater(v.s)))
}

// The worth of things on the alternate island, in 16ths of a point.
const (
	unseenBlue   = 14 // landmarks, by colour
	unseenYellow = 16
	unseenRed    = -19
	spentRuin    = 5  // a Tribal Ruin when the crater is empty
	totemWorth   = 32 // without the sets that a relic completes
	shellWorth   = 16
	newSymbol    = 16 // the first of a symbol: a step towards a set
	jewelWorth   = 40 // of the dig
	followed     = 20 // an Advance of a rival who Follows
)

// isle is one seat's prospects on the alternate island.
type isle struct {
	d        *encoder
	s        *doubloons.State
	me       *doubloons.Ship
	adds     [doubloons.NumSymbols]int // what one more symbol adds to the own sets, in 16ths
	ruin     int                       // what a Tribal Ruin brings, in 16ths
	inCrater int                       // relics
}

// survey tables what one more of each symbol and a ruin bring.
func (o *isle) survey(d *encoder, s *doubloons.State, seat int) {
	o.d, o.s, o.me, o.inCrater = d, s, &s.Ships[seat], d.rules.InCrater(s)
	ship := *o.me
	now := ship.SetPoints()
	relics, left := 0, 0
	for sym := range o.adds {
		first := ship.Fragments[sym]+ship.Totems[sym]+ship.Shells[sym] == 0
		ship.Fragments[sym]++
		o.adds[sym] = 16*int(ship.SetPoints()-now) + newSymbol*int(engine.Bit(first))
		ship.Fragments[sym]--
		totems, shells := int(s.Relics[doubloons.Totem][sym]), int(s.Relics[doubloons.Shell][sym])
		relics += totems*(totemWorth+o.adds[sym]) + shells*(shellWorth+o.adds[sym])
		left += totems + shells
	}
	if o.ruin = spentRuin; o.inCrater > 0 && left > 0 {
		o.ruin = relics / left
	}
}

// best is the most that one of some relics brings, each of a worth without its sets; 0 if there is none.
func (o *isle) best(relics *[doubloons.NumSymbols]uint8, worth int) (most int) {
	for sym, n := range relics {
		if n > 0 {
			most = max(most, worth+o.adds[sym])
		}
	}
	return most
}

// find is the possible gain at a location.
func (o *isle) find(node int) int {
	switch o.d.rules.Colour[node] {
	case doubloons.ColourBlue:
		return unseenBlue
	case doubloons.ColourYellow:
		return unseenYellow
	case doubloons.ColourRed:
		return unseenRed
	case doubloons.ColourGreen:
		return o.ruin
	}
	if node <= doubloons.NodeB5 {
		return o.best(&o.s.BeachTotems[node-doubloons.NodeB1], totemWorth)
	}
	return 0
}

// jewels are what the dig brings a captain at a location, from the time on when it may come with the next Advance.
func (o *isle) jewels(node int) int {
	if o.s.Dug || o.inCrater > 0 {
		return 0
	}
	return jewelWorth * o.d.rules.CraterJewels(int8(node))
}

// way is the gain from an Advance to a location, with a share of the best beyond it.
func (o *isle) way(node int) int {
	rules, beyond := o.d.rules, 0
	for _, next := range rules.AlternateNext[node][:rules.AlternateNextN[node]] {
		if int8(next) == o.me.Node {
			continue
		}
		farther := 0
		for _, n := range rules.AlternateNext[next][:rules.AlternateNextN[next]] {
			if int(n) != node {
				farther = max(farther, o.find(int(n)))
			}
		}
		beyond = max(beyond, o.find(int(next))+farther/2)
	}
	return o.find(node) + beyond/2 + o.jewels(node) - o.jewels(int(o.me.Node))
}

// ashore tables what a Pillage brings by region: a shell that lies there too.
func (o *forecast) ashore() {
	for region := range o.d.regions {
		shell := o.isle.best(&o.s.RegionShells[region], shellWorth)
		o.shells[region] = shell
		for plus := range o.pillage {
			o.pillage[plus][region] = vec{}.with(goalCoins, o.coins[1+plus]+shell)
		}
	}
}

// stroll is the gain from an Advance, less that of the followers.
func (o *forecast) stroll() int {
	most := 0
	for set := o.d.rules.Ways(o.s, o.seat); set != 0; set &= set - 1 {
		most = max(most, o.isle.way(bits.TrailingZeros32(set)))
	}
	return max(most-followed*o.followers(func(r *rival) int { return r.weight })/16, 2)
}
