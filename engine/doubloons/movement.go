package doubloons

import "github.com/privateer-rl/privateer/engine"

// movement is the frame for the movement icons of a card.
func movement(seat int, c *Card) Frame {
	f := frame(DoMove, seat)
	for _, m := range c.Moves[:c.NMoves] {
		k := 0
		if !m.Sail {
			k = 2
		}
		if !m.Required {
			k++
		}
		f.Arg[k]++
	}
	return f
}

// askMove asks for what movement is left. Come About icons are void for a ship
// that may not turn.
func (r *Rules) askMove(s *State, f Frame) {
	if !r.mayComeAbout(&s.Ships[f.Seat]) {
		f.Arg[2], f.Arg[3] = 0, 0
	}
	if !r.maySail(&s.Ships[f.Seat]) {
		f.Arg[0], f.Arg[1] = 0, 0
	}
	if f.Arg[0]+f.Arg[1]+f.Arg[2]+f.Arg[3] > 0 {
		f.Kind = AskMove
		s.Push(f)
	}
}

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
func (r *Rules) move(s *State, f Frame, a engine.Action) {
	if a == ToStay {
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
	}
}

// sail moves a ship to the region that it faces. A Rip Current there sends it on
// at once, a Whirlpool back where it came from: no ship stays in such a region, unless
// water does not affect it.
func (r *Rules) sail(s *State, seat int) {
	sh := &s.Ships[seat]
	from := sh.Region
	for range 2 * r.regions {
		sh.Region = int8(r.ahead(sh, 1))
		if r.at(s, sh, Whirlpool) {
			sh.comeAbout()
		} else if !r.at(s, sh, RipCurrent) {
			break
		}
	}
	if r.Modules.Has(BlackJewels) {
		r.entered(s, seat, from)
	}
}

// ahead is the region some steps ahead of a ship.
func (r *Rules) ahead(sh *Ship, steps int8) int {
	n := int8(r.regions)
	return int((sh.Region + steps*sh.Facing + 2*n) % n)
}

func (sh *Ship) comeAbout() { sh.Facing = -sh.Facing }

// mayComeAbout reports whether the ship may turn by its own will: not as a ghost
// ship, and not without crew.
func (r *Rules) mayComeAbout(sh *Ship) bool {
	return sh.Crew > 0 && (!sh.Ghost || r.Edition.GhostsCannotSail)
}

// maySail reports whether the ship may sail.
func (r *Rules) maySail(sh *Ship) bool { return !sh.Ghost || !r.Edition.GhostsCannotSail }
