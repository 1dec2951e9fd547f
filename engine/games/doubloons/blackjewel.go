package doubloons

// The module Black Jewel: two jewels that are worth less than nothing, and roll
// the attack die at whatever ships their own comes upon.

// Clause BLACK-1.
func furnishBlackJewels(r *Rules) {
	r.landmarkSet |= 1 << ObsidianCradle
	r.jewelKinds = NumJewels
}

func emptyBlackJewels(r *Rules) { r.JewelCount[BlackJewel] = 0 }

// valparisasJewel gives Valparisa the black jewel that she begins with, and reports
// whether the ship is hers.
// Clause BLACK-2.
func (r *Rules) valparisasJewel(s *State, sh *Ship) bool {
	hers := r.JewelCount[BlackJewel] > 0 && sh.Captain == Valparisa
	if hers {
		moveOne(&s.Jewels, &sh.Jewels, BlackJewel)
	}
	return hers
}

// entered makes a ship's black jewels, if it has any, act on the region that it has entered from
// another one, like an Upon Entry effect that sails with it: once for a region, or
// once for each jewel.
// Clauses BLACK-3, BLACK-7, BLACK-8, OLD-23, OLD-24.
func (r *Rules) entered(s *State, seat int, from int8) {
	sh := &s.Ships[seat]
	if r.Edition.EntryOnce && sh.Region == from || r.beside(s, seat) == 0 {
		return
	}
	s.Push(frame(RollJewel, seat))
	if sh.Jewels[BlackJewel] > 1 && r.Edition.EachJewelRolls {
		s.Push(frame(RollJewel, seat))
	}
}

// beside is the set of the other ships in a ship's region, ghost ships too.
func (r *Rules) beside(s *State, seat int) int {
	set := 0
	for _, i := range r.fleet {
		if i != seat && s.Ships[i].Region == s.Ships[seat].Region {
			set |= 1 << i
		}
	}
	return set
}

// jewelStrikes applies the die to every other ship in the jewel's region. Voodoo passes
// the jewel on, and does nothing else; the legendary ghost ship passes its own to the
// first in initiative order.
// Clauses BLACK-4, BLACK-5, BLACK-6, BLACK-14, LEG-20.
func (r *Rules) jewelStrikes(s *State, seat int, face Face) {
	beside := r.beside(s, seat)
	switch {
	case face != FaceVoodoo:
		r.strike(s, seat, beside, face)
	case seat != Legendary:
		s.Push(frame(AskBlackJewel, seat))
	default:
		for i := range r.seats {
			if to := r.ordinal(s, i); beside>>to&1 != 0 {
				r.hand(s, HasGot, Legendary, to, GoodJewels+BlackJewel)
				return
			}
		}
	}
}

// obsidianCradle gives a black jewel of the supply, if one remains, and makes way
// for another red tile.
// Clause BLACK-13.
func (r *Rules) obsidianCradle(s *State, seat, node, active int) {
	if s.Jewels[BlackJewel] > 0 {
		moveOne(&s.Jewels, &s.Ships[seat].Jewels, BlackJewel)
		r.note(HasGained, seat, GoodJewels+BlackJewel, 1, ofBox)
	}
	r.replace(s, seat, node, active, ColourRed)
}
