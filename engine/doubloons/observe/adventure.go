package observe

import (
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/doubloons"
)

// What an observation says of the alternate island beyond the standard groups.
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
		captain.stepIs[to.seats[k].place.step-1] = engine.Bit(sh.Region >= 0) // he lands with his ship
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
