package doubloons

// seedIsland places the round's doubloons on the island, from the supply as long
// as it lasts.
// Clauses RND-2, RND-3.
func (r *Rules) seedIsland(s *State) {
	n := min(s.Supply, r.Seeding[r.seats])
	s.Supply -= n
	s.Island += n
}

// gainDoubloons takes doubloons from the island, loseDoubloons returns them
// there, as far as there are any.
// Clauses GOLD-1, GOLD-3.
func (s *State) gainDoubloons(seat, n int) {
	got := min(uint8(n), s.Island)
	s.Island -= got
	s.Ships[seat].Doubloons += got
}

func (s *State) loseDoubloons(seat, n int) { s.Island += s.Ships[seat].payOut(n) }

// payOut takes up to n doubloons off a ship.
// Clause GOLD-2.
func (sh *Ship) payOut(n int) uint8 {
	paid := min(uint8(n), sh.Doubloons)
	sh.Doubloons -= paid
	return paid
}

// gainPillage takes pillage tokens from beside the board as long as they last.
// Clauses PIL-1, PIL-2.
func (s *State) gainPillage(seat, n int) {
	got := min(uint8(n), s.Pillage)
	s.Pillage -= got
	s.Ships[seat].Pillage += got
}
