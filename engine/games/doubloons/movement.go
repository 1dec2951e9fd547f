package doubloons

import "github.com/privateer-rl/privateer/engine"

// movement is the frame for the movement icons of a card.
func movement(seat int, c *Card) Frame {
	f := frame(DoMove, seat)
	icons := c.Movement()
	copy(f.Arg[:], icons[:])
	return f
}

// Movement is the number of a card's movement icons of each kind: sails required, sails optional, turns
// required, turns optional.
func (c *Card) Movement() (icons [4]int8) {
	for _, m := range c.Moves[:c.NMoves] {
		k := 0
		if !m.Sail {
			k = 2
		}
		if !m.Required {
			k++
		}
		icons[k]++
	}
	return icons
}

// askMove asks for what movement is left. Come About icons are void for a ship
// that may not turn.
// Clause MOV-9.
func (r *Rules) askMove(s *State, f Frame) {
	if !r.MayComeAbout(&s.Ships[f.Seat]) {
		f.Arg[2], f.Arg[3] = 0, 0
	}
	if !r.MaySail(&s.Ships[f.Seat]) {
		f.Arg[0], f.Arg[1] = 0, 0
	}
	if f.Arg[0]+f.Arg[1]+f.Arg[2]+f.Arg[3] > 0 {
		f.Kind = AskMove
		s.Push(f)
	}
}

// Clauses MOV-2, MOV-3, MOV-4.
func legalMoves(f Frame, m *engine.Mask) {
	if f.Arg[0]+f.Arg[1] > 0 {
		m.Set(ToSail)
	}
	if f.Arg[2]+f.Arg[3] > 0 {
		m.Set(ToComeAbout)
	}
	if f.Arg[0] == 0 && f.Arg[2] == 0 {
		m.Set(ToStay)
	}
}

// move executes one icon, a required one before an optional one of its kind,
// and asks for the rest. Upon Entry effects come before the rest.
// Clauses MOV-6, MOV-7.
func (r *Rules) move(s *State, f Frame, a engine.Action) {
	if a == ToStay {
		r.note(HasDeclined, int(f.Seat), int(AskMove))
		return
	}
	k := 0
	if a == ToComeAbout {
		k = 2
	}
	if f.Arg[k] == 0 {
		k++
	}
	f.Arg[k]--
	f.Kind = DoMove
	s.Push(f)
	if a == ToSail {
		r.sail(s, int(f.Seat))
	} else {
		s.Ships[f.Seat].comeAbout()
		r.note(HasComeAbout, int(f.Seat))
	}
}

// sail moves a ship to the region that it faces, with all that comes of it.
// Clause BLACK-9.
func (r *Rules) sail(s *State, seat int) {
	sh := &s.Ships[seat]
	from, entered := sh.Region, r.Ahead(sh, 1)
	r.Sail(s, sh)
	r.note(HasSailed, seat, int(from), int(sh.Region), int(sh.Facing), entered)
	if sh.Jewels[BlackJewel] > 0 {
		r.entered(s, seat, from)
	}
}

// Sail moves a ship, of s or not, to the region that it faces. A Rip Current there sends it
// on at once, a Whirlpool back where it came from: no ship stays in such a region, unless
// water does not affect it.
// Clauses MOV-5, WAT-2, WAT-11, WAT-12, OLD-10.
func (r *Rules) Sail(s *State, sh *Ship) {
	for range 2 * r.regions {
		sh.Region = int8(r.Ahead(sh, 1))
		if r.at(s, sh, Whirlpool) {
			sh.comeAbout()
		} else if !r.at(s, sh, RipCurrent) {
			return
		}
	}
}

// Ahead is the region some steps ahead of a ship.
// Clause SET-2.
func (r *Rules) Ahead(sh *Ship, steps int8) int {
	n := int8(r.regions)
	return int((sh.Region + steps*sh.Facing + 2*n) % n)
}

// Clause MOV-8.
func (sh *Ship) comeAbout() { sh.Facing = -sh.Facing }

// MayComeAbout reports whether the ship may turn by its own will: not as a ghost
// ship, and not without crew.
// Clauses CREW-5, GHOST-6, OLD-12.
func (r *Rules) MayComeAbout(sh *Ship) bool {
	return sh.Crew > 0 && (!sh.Ghost || r.Edition.GhostsCannotSail)
}

// MaySail reports whether the ship may sail.
// Clause OLD-12.
func (r *Rules) MaySail(sh *Ship) bool { return !sh.Ghost || !r.Edition.GhostsCannotSail }
