package doubloons

import (
	"slices"

	"github.com/privateer-rl/privateer/engine"
)

// The parts that only the drafts before the final edition have, beyond switches in the
// rules: their box, and the water of version 1.9.7.

// adapt turns the box's components into those of the edition.
// Clauses OLD-4, OLD-5, OLD-7, OLD-14, OLD-18, ISL-17, CRATER-15.
func (r *Rules) adapt() {
	e := &r.Edition
	if e.Number == 0 {
		return
	}
	if e.DoubloonsPerPlayer > 0 {
		r.Doubloons = min(r.Doubloons, e.DoubloonsPerPlayer*r.seats)
	}
	r.FragmentsRemoved[MinSeats] = e.FragmentsRemoved2
	for sym := range NumSymbols {
		if n := e.RelicsOfEach; n > 0 {
			r.Totems[sym], r.Shells[sym] = n, n
		}
	}
	if e.CraterPlain {
		r.Colour[NodeX] = ColourNone
	}
	if e.Whirlpools > 0 {
		r.WaterGroup[Whirlpool], r.WaterCopies[Whirlpool] = GroupS, e.Whirlpools
		r.WaterCopies[RipCurrent] -= e.Whirlpools
		if e.NamedWater {
			r.WaterCopies[RipCurrent] = 0 // it names none
		}
		r.WaterTitle[Whirlpool], r.WaterText[Whirlpool] = "Whirlpool", "upon entry: come about and sail on"
	}
	for i := range r.Cards {
		card := &r.Cards[i]
		if e.CrewStealsOne && card.Loot == LootCrew2 {
			card.Loot = LootCrew
		}
		for k := range card.Actions {
			if e.PlainRepair && card.Actions[k].Icon == IconRepair {
				card.Actions[k].Plus = 0
			}
		}
	}
}

// rests reports whether a ship can remain where a water tile lies.
func rests(tile int8) bool { return tile != RipCurrent && tile != Whirlpool }

// Where version 1.9.7 lays the tiles that it names.
const (
	portRegion      = 0 // Bustling Port, the beach region
	whirlpoolRegion = 2 // opposite
)

// namedTiles are those that version 1.9.7 names. None of them stands in for what is
// not known, at no number of players.
var namedTiles = []int8{TheShallows, CoralReef, Fog, Whirlpool}

// namedWater is which of them it lays elsewhere, by players. It names two tiles
// more, of which nothing is known but when they lie: the Bustling Port, always, and the
// Lookout Point, with four and five players. A tile of the group that the next draft
// has for their region stands in for each.
var namedWater = [perPlayers]struct {
	tiles              []int8
	whirlpool, lookout bool
}{
	2: {[]int8{TheShallows, CoralReef}, true, false},
	3: {[]int8{TheShallows, CoralReef}, true, false},
	4: {[]int8{TheShallows, CoralReef}, false, true},
	5: {[]int8{CoralReef, Fog}, false, true},
}

// namedWaterWeight is the weight of drawing a tile for a region in version 1.9.7. Each
// named tile that does not lie yet comes with equal chance, the Lookout Point's
// stand-ins as one.
// Clauses OLD-8, OLD-9.
func (r *Rules) namedWaterWeight(s *State, region, tile int) int {
	named := &namedWater[r.seats]
	if named.whirlpool && region == whirlpoolRegion {
		return int(engine.Bit(tile == Whirlpool))
	}
	laid := s.Water[:]
	standsIn := func(t int8) bool {
		return rests(t) && !slices.Contains(namedTiles, t) && !slices.Contains(laid, t) && r.WaterGroup[t] == r.WaterChart[r.seats][region]
	}
	if region == portRegion {
		return int(engine.Bit(standsIn(int8(tile))))
	}
	lookout := named.lookout
	for k, t := range s.Water[:r.regions] {
		if k != portRegion && t != noTile && t != Whirlpool && !slices.Contains(named.tiles, t) {
			lookout = false // its stand-in lies
		}
	}
	standIns := 0
	for t := range int8(NumWater) {
		standIns += int(engine.Bit(standsIn(t)))
	}
	switch {
	case slices.Contains(named.tiles, int8(tile)) && !slices.Contains(laid, int8(tile)):
		return max(1, standIns)
	case lookout && standsIn(int8(tile)):
		return 1
	}
	return 0
}

// namedWaterFor lists what version 1.9.7 may lay in a region when those before it have
// their tiles.
func (r *Rules) namedWaterFor(s *State, region int) (names []string) {
	before := *s
	for k := region; k < len(before.Water); k++ {
		before.Water[k] = noTile
	}
	for t := range NumWater {
		if r.namedWaterWeight(&before, region, t) > 0 {
			names = append(names, waterNames[t])
		}
	}
	return names
}

// picker is the player who picks the targets of a landmark that seat resolves on the island, or exploits.
// Clause OLD-20.
func (r *Rules) picker(s *State, seat int) int {
	if r.Edition.TurnPicksTargets {
		return int(s.Turn)
	}
	return seat
}

// shareJewels is the dig of the drafts that award jewels as the Pillage phase pays
// out: most first, and those tied take equal shares of what does not suffice.
// Clause OLD-22.
func (r *Rules) shareJewels(s *State) {
	var wins [MaxSeats]int
	left := sum(&s.Jewels)
	for won := 3; won > 0; won-- {
		tied := 0
		for i := range r.seats {
			if r.jewelsWon(s, i) == won {
				tied++
			}
		}
		if tied == 0 {
			continue
		}
		share := min(won, left/tied)
		for i := range r.seats {
			if r.jewelsWon(s, i) == won {
				wins[i] = share
			}
		}
		if left -= share * tied; share < won {
			break
		}
	}
	for i := r.seats - 1; i >= 0; i-- {
		if seat := r.ordinal(s, i); wins[seat] > 0 {
			s.Push(frame(DoJewels, seat, wins[seat]))
		}
	}
}
