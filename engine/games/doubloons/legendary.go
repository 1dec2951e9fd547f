package doubloons

import "fmt"

// "Legendary Ghost Ship" of the optional modules: a ship that no player
// commands. It is Ships[Legendary], a ghost ship with neither captain nor cards.
// It takes a turn of its own before each Pillage phase; in everything else it is
// one more enemy, and the rules of the other files find it in Rules.fleet.

// The legendary ghost ship's initial goods.
const (
	legendaryDoubloons = 2
	legendaryJewels    = 2
	legendaryCrew      = 2
	legendaryLevels    = 2
)

func furnishLegendary(r *Rules) {
	r.fleet = append(r.fleet, Legendary)
	r.chart = r.WaterChart[r.chartRow()][:]
	r.equip = append(r.equip, (*Rules).equipLegendary)
	r.afterDraft = append(r.afterDraft, frame(DoLegendarySetup, 0))
	r.afterCards = append(r.afterCards, frame(DoLegendaryTurn, 0))
	r.below[LegendaryShip] = (*Rules).legendaryDrawn
}

// equipLegendary sets the ship's play mat up; what is drawn for it comes later.
// Clauses LEG-3, LEG-5.
func (r *Rules) equipLegendary(s *State) {
	sh := &s.Ships[Legendary]
	sh.Ghost, sh.Crew, sh.Reputation, sh.Doubloons = true, legendaryCrew, legendaryLevels, legendaryDoubloons
	s.Supply -= legendaryDoubloons
}

// legendarySetup has the player who chose a captain last place the ship, then
// deals it one of the removed map fragments, relics on the alternate island, and its jewels.
// Clause LEG-2.
func (r *Rules) legendarySetup(s *State) {
	s.Push(frame(DoJewels, Legendary, legendaryJewels))
	for i := range r.gifts {
		s.Push(r.gifts[len(r.gifts)-1-i])
	}
	s.Push(frame(AskPlaceLegendary, r.ordinal(s, r.seats-1)))
}

// legendaryGifts are the draws of what the ship is dealt except its jewels, the first
// one first.
// Clause RUIN-12.
func (r *Rules) legendaryGifts() (gifts []Frame) {
	if r.legendaryFragments() > 0 {
		gifts = append(gifts, frame(DealFragment, Legendary))
	}
	for range r.giftRelics {
		gifts = append(gifts, frame(DrawRelic, Legendary, 0))
	}
	return gifts
}

// legendaryFragments is how many of the map fragments that were removed from the game
// the ship is dealt: one if there is one, but in drafts none on the alternate island.
// Clauses LEG-4, RUIN-16.
func (r *Rules) legendaryFragments() int {
	if len(r.fleet) == r.seats || r.giftRelics > 0 && r.Edition.LegendaryShells {
		return 0
	}
	return min(1, r.removed)
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
	r.note(HasBegunTurn, Legendary)
	switch step {
	case legendarySails:
		s.Push(frame(DoLegendaryTurn, 0, legendaryBroadsides))
		r.sail(s, Legendary)
	case legendaryBroadsides:
		r.gainPillage(s, Legendary, 1, ofBox)
		s.Push(frame(DoLegendaryTurn, 0, legendaryForward))
		r.attack(s, Legendary, int(sh.Region), BroadsidesDamage)
	case legendaryForward:
		r.attack(s, Legendary, r.Ahead(sh, 1), ForwardDamage)
	}
}

// chartRow is the number of players by which the chart of water tiles goes. With the legendary ghost ship that is one player
// more, as far as the chart goes.
// Clause LEG-1.
func (r *Rules) chartRow() int { return min(len(r.fleet), MaxSeats) }

// fragmentsInGame is the number of map fragments that are not out of the game,
// the one of the legendary ghost ship included.
func (r *Rules) fragmentsInGame() int {
	return r.symbols*int(r.FragmentsPerSymbol) - r.removed + r.legendaryFragments()
}

// fragmentsDealt is how many of them the ships have when set-up is over. On the alternate
// island these are all.
func (r *Rules) fragmentsDealt() int { return r.dealt*r.seats + r.legendaryFragments() }

// legendaryName stands for the ship in positions, where others have a seat.
const legendaryName = "legendary"

// shipTitle is a ship in words, by its seat.
func shipTitle(seat int8) string {
	if seat == Legendary {
		return "the legendary ghost ship"
	}
	return fmt.Sprintf("seat %d", seat)
}

// legendaryDrawn is the ship's row below those of the seats.
func (r *Rules) legendaryDrawn(s *State) string {
	sh := &s.Ships[Legendary]
	return fmt.Sprintf("      %-18s %5s  %4d  %5d  %4d  %4s  %7d  %-10s  %-15s  %s\n", "legendary", "ghost",
		sh.Crew, sh.Reputation, sh.Doubloons, "-", sh.Pillage, "-",
		some(sh.Fragments[:], symbolNames[:]), some(sh.Jewels[:], jewelNames[:]))
}
