package doubloons

import "fmt"

// "Legendary Ghost Ship" of the optional modules: a ship that no player
// commands. It is Ships[Legendary], a ghost ship with neither captain nor cards.
// It takes a turn of its own before each Pillage phase; in everything else it is
// one more enemy, and the rules of the other files find it in Rules.fleet.

// What the legendary ghost ship begins with.
const (
	legendaryDoubloons = 2
	legendaryJewels    = 2
	legendaryCrew      = 2
	legendaryLevels    = 2
)

func furnishLegendary(r *Rules) { r.fleet = append(r.fleet, Legendary) }

// equipLegendary sets the ship's play mat up; what is drawn for it comes later.
// Clauses LEG-3, LEG-5.
func (r *Rules) equipLegendary(s *State) {
	sh := &s.Ships[Legendary]
	sh.Ghost, sh.Crew, sh.Reputation, sh.Doubloons = true, legendaryCrew, legendaryLevels, legendaryDoubloons
	s.Supply -= legendaryDoubloons
}

// legendarySetup has the player who chose his captain last place the ship, then
// deals it one of the removed map fragments, relics on the alternate island, and its jewels.
// Clause LEG-2.
func (r *Rules) legendarySetup(s *State) {
	s.Push(frame(DoJewels, Legendary, legendaryJewels))
	for i := range r.gifts {
		s.Push(r.gifts[len(r.gifts)-1-i])
	}
	s.Push(frame(AskPlaceLegendary, r.ordinal(s, r.seats-1)))
}

// legendaryGifts are the draws of what the ship is dealt but for its jewels, the first
// one first.
// Clause RUIN-12.
func (r *Rules) legendaryGifts() (gifts []Frame) {
	if r.legendaryFragments() > 0 {
		gifts = append(gifts, frame(DealFragment, Legendary))
	}
	if r.Modules.Has(AlternateIsland) {
		for range legendaryRelics {
			gifts = append(gifts, frame(DrawRelic, Legendary, 0))
		}
	}
	return gifts
}

// legendaryFragments is how many of the map fragments that were removed from the game
// the ship is dealt: one if there is one, but in drafts none on the alternate island.
// Clauses LEG-4, RUIN-16.
func (r *Rules) legendaryFragments() int {
	alternate := r.Modules.Has(AlternateIsland)
	switch {
	case !r.Modules.Has(LegendaryShip), alternate && r.Edition.LegendaryShells:
		return 0
	case alternate:
		return min(1, r.symbols*int(r.FragmentsPerSymbol)-int(r.AlternateDeal)*r.seats)
	}
	return min(1, int(r.FragmentsRemoved[r.seats]))
}

// Parts of the legendary ghost ship's turn.
const (
	legendarySails = iota
	legendaryBroadsides
	legendaryForward
)

// legendaryTurn is its turn from a step on: it sails, gains a pillage token, and
// attacks its own region and the one ahead, each with a roll of the die. It has
// no captain's ability, and no water tile but a Rip Current moves it.
// Clauses LEG-6, LEG-7, LEG-8, LEG-9, LEG-17.
func (r *Rules) legendaryTurn(s *State, step int) {
	sh := &s.Ships[Legendary]
	s.Turn = Legendary
	switch step {
	case legendarySails:
		s.Push(frame(DoLegendaryTurn, 0, legendaryBroadsides))
		r.sail(s, Legendary)
	case legendaryBroadsides:
		s.gainPillage(Legendary, 1)
		s.Push(frame(DoLegendaryTurn, 0, legendaryForward))
		r.attack(s, Legendary, int(sh.Region), BroadsidesDamage)
	case legendaryForward:
		r.attack(s, Legendary, r.Ahead(sh, 1), ForwardDamage)
	}
}

// waterChart is the groups of water tiles by region. With the legendary ghost ship it
// is that of one player more, as far as the chart goes.
// Clause ISL-4.
func (r *Rules) waterChart() []uint8 {
	if r.Modules.Has(AlternateIsland) {
		return r.AlternateWaterChart[r.chartRow()][:]
	}
	return r.WaterChart[r.chartRow()][:]
}

// chartRow is the number of players by which the chart goes.
// Clause LEG-1.
func (r *Rules) chartRow() int {
	if r.Modules.Has(LegendaryShip) {
		return min(r.seats+1, MaxSeats)
	}
	return r.seats
}

// fragmentsInGame is the number of map fragments that are not out of the game,
// the one of the legendary ghost ship included.
// Clause ISL-6.
func (r *Rules) fragmentsInGame() int {
	if r.Modules.Has(AlternateIsland) {
		return int(r.AlternateDeal)*r.seats + r.legendaryFragments()
	}
	return int(r.SymbolsInPlay[r.seats])*int(r.FragmentsPerSymbol) - int(r.FragmentsRemoved[r.seats]) + r.legendaryFragments()
}

// fragmentsDealt is how many of them the ships have when set-up is over. On the alternate
// island these are all.
func (r *Rules) fragmentsDealt() int {
	if r.Modules.Has(AlternateIsland) {
		return r.fragmentsInGame()
	}
	return r.seats + r.legendaryFragments()
}

// legendaryName stands for the ship in positions, where others have a seat.
const legendaryName = "legendary"

// shipTitle is a ship in words, by its seat.
func shipTitle(seat int8) string {
	if seat == Legendary {
		return "the legendary ghost ship"
	}
	return fmt.Sprintf("seat %d", seat)
}
