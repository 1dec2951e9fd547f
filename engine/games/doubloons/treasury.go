package doubloons

import "github.com/privateer-rl/privateer/engine"

// seedIsland places the round's doubloons on the island, from the supply as long
// as it lasts.
// Clauses RND-2, RND-3.
func (r *Rules) seedIsland(s *State) {
	n := min(s.Supply, r.Seeding[r.seats])
	s.Supply -= n
	s.Island += n
	if n > 0 {
		r.note(HasSeeded, 0, int(n))
	}
}

// gainDoubloons takes doubloons from the island, loseDoubloons returns them
// there, as far as there are any.
// Clauses GOLD-1, GOLD-3.
func (r *Rules) gainDoubloons(s *State, seat, n int) {
	if got := min(uint8(n), s.Island); got > 0 {
		s.Island -= got
		s.Ships[seat].Doubloons += got
		r.note(HasGained, seat, GoodDoubloons, int(got), ofIsland)
	}
}

func (r *Rules) loseDoubloons(s *State, seat, n int) {
	if paid := s.Ships[seat].payOut(n); paid > 0 {
		s.Island += paid
		r.note(HasLost, seat, GoodDoubloons, int(paid))
	}
}

// pays moves up to n doubloons from one ship to another.
func (r *Rules) pays(s *State, how engine.EventKind, from, to, n int) {
	if paid := s.Ships[from].payOut(n); paid > 0 {
		s.Ships[to].Doubloons += paid
		r.note(how, to, GoodDoubloons, int(paid), from)
	}
}

// payOut takes up to n doubloons off a ship.
// Clause GOLD-2.
func (sh *Ship) payOut(n int) uint8 {
	paid := min(uint8(n), sh.Doubloons)
	sh.Doubloons -= paid
	return paid
}

// gainPillage takes pillage tokens from beside the board as long as they last.
// Clauses PIL-1, PIL-2.
func (r *Rules) gainPillage(s *State, seat, n, of int) {
	if got := min(uint8(n), s.Pillage); got > 0 {
		s.Pillage -= got
		s.Ships[seat].Pillage += got
		r.note(HasGained, seat, GoodTokens, int(got), of)
	}
}
