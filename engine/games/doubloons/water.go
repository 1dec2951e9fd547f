package doubloons

// at reports whether a ship lies in a region with a water tile that affects it.
// Clauses WAT-3, GHOST-9, OLD-11.
func (r *Rules) at(s *State, sh *Ship, tile int8) bool {
	return sh.Region >= 0 && s.Water[sh.Region] == tile && !(sh.Ghost && r.Edition.GhostsIgnoreWater)
}

// Able reports whether the unique ability of a ship works, whosever it is: with
// three or four crew, or anywhere near the Merfolk Seer.
// Clauses CREW-3, WAT-8.
func (r *Rules) Able(s *State, sh *Ship) bool {
	return sh.Crew >= 3 || r.at(s, sh, MerfolkSeer)
}

// able reports whether a ship is a captain's and its unique ability works.
func (r *Rules) able(s *State, sh *Ship, captain int8) bool {
	return sh.Captain == captain && r.Able(s, sh)
}

// roundTile resolves the Round Start effect of the tile where a ship begins the
// round. (The Shallows act when hands are drawn: see handSize.)
// Clauses WAT-1, WAT-4, WAT-15, WAT-16, LEG-13.
func (r *Rules) roundTile(s *State, seat int) {
	sh := &s.Ships[seat]
	switch {
	case r.at(s, sh, CoralReef):
		r.gainPillage(s, seat, 1, ofRegion+int(sh.Region))
	case r.at(s, sh, StoneSextant):
		if sum(&sh.Fragments) == 0 {
			return
		}
		for _, e := range r.fleet {
			if e != seat && sum(&s.Ships[e].Fragments) > 0 {
				s.Push(frame(AskSextant, seat))
				return
			}
		}
	}
}

// repair is the Repair action: 1 hull, 1 more for a ship alone in its region, and whatever
// card, captain and water add. A ghost ship gains no hull.
// Clauses REP-1, REP-2, REP-4, ACT-8, GHOST-7, WAT-9, WAT-14, CAPT-5, LEG-16.
func (r *Rules) repair(s *State, seat, plus int) {
	sh := &s.Ships[seat]
	if sh.Ghost {
		return // it cannot repair, so no effect of a Repair is for it
	}
	hull := 1 + plus
	alone := true
	for _, i := range r.fleet {
		if i != seat && s.Ships[i].Region == sh.Region {
			alone = false
		}
	}
	if alone {
		hull++
	}
	if r.able(s, sh, WidowCheng) {
		hull++
	}
	if r.at(s, sh, MermaidPack) {
		hull++
	}
	r.gainHull(s, seat, hull)
	if r.at(s, sh, Shipwreck) {
		r.gainCrew(s, seat, 1)
	}
}
