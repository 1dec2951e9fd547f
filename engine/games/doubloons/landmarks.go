package doubloons

import "github.com/privateer-rl/privateer/engine"

// resolve performs the effect of a landmark on seat. The tile lies at node, or
// was exploited by the seat active, which then decides on targets, except for those of the
// Voodoo Hut; on the island active is the seat itself.
// Clauses EXP-3, EXP-4, LAND-8, LAND-29.
func (r *Rules) resolve(s *State, seat, tile, node, active int) {
	own := &s.Ships[seat]
	r.note(HasResolved, seat, tile)
	depth, said := int(s.Depth), r.log.Count()
	switch tile {
	// Blue: the Coastal Path.
	case AdventurersTavern: // LAND-1
		r.gainLevel(s, seat)
	case HiddenChamber: // LAND-2
		r.replace(s, seat, node, active, ColourYellow)
	case MercenaryCamp: // LAND-3
		r.gainCrew(s, seat, 1)
		r.gainHull(s, seat, 1)
	case SalvageMerchant: // LAND-4
		r.gainHull(s, seat, 2)
	case StarAxis: // LAND-5
		s.Push(frame(DoHull, seat, 1))
		s.Push(frame(DoMove, seat, 0, 1, 0, 1))
	case TribalVillage: // LAND-6
		r.gainCrew(s, seat, 1)
	case VoodooHut: // LAND-7
		s.Push(frame(AskHut, r.picker(s, seat), seat)) // "you may": in an Exploit too
	case WhisperingPortal, WhisperingRavine: // LAND-9, LAND-10
		if r.givers(s, tile, seat) != 0 {
			s.Push(frame(AskGiver, active, tile, seat))
		}

	// Yellow: the Valley of Riches.
	case AltarOfGreed: // LAND-11
		r.gainPillage(s, seat, 2, ofBox)
	case GildedTablet: // LAND-12, LAND-13
		if r.ashore(s) {
			s.Push(frame(DoAdvance, seat))
		} else {
			r.exploit(s, seat)
		}
	case JeweledMaze, JeweledThrone, LegendaryTomb:
		if r.canBuy(s, own, tile) {
			s.Push(frame(AskPay, seat, tile))
		}
	case PandorasBox: // LAND-17
		r.replace(s, seat, node, active, ColourRed)
	case RadiantFountain: // LAND-18
		r.gainDoubloons(s, seat, 1)
	case RadiantPool: // LAND-19
		r.gainDoubloons(s, seat, 2)
	case WellOfWishes: // LAND-20
		r.gainPillage(s, seat, 1, ofBox)

	// Red: the Cursed Passage.
	case BleedingTotem: // LAND-21
		r.loseCrew(s, seat, 1)
		r.damage(s, seat, 2, nobody)
	case BoneLever: // LAND-22
		for k := 1; k < r.seats; k++ {
			r.gainPillage(s, (seat+k)%r.seats, 1, ofBox)
		}
		if r.Modules.Has(LegendaryShip) {
			r.gainPillage(s, Legendary, 1, ofBox)
		}
	case CursedIdol: // LAND-23
		r.damage(s, seat, 3, nobody)
	case DankCave: // LAND-24
		r.loseDoubloons(s, seat, 2)
	case DeadCreek: // LAND-25
		r.loseCrew(s, seat, 2)
	case ShriekingArch, ShriekingPortal, ShriekingRavine: // LAND-26, LAND-27, LAND-28
		if own.holds(tile) > 0 {
			r.askReceiver(s, active, tile, seat, seat)
		}
	case OldMystic:
		r.oldMystic(s, seat, active)
	case ObsidianCradle:
		r.obsidianCradle(s, seat, node, active)

	// Green: the Tribal Ruins.
	case BurialGrounds, CarvedObelisk, CelestialAltar, DecayingTemple, MoonlitLake, SunkenLoom:
		r.ruin(s, seat, tile, node, active)
	}
	r.vainly(s, seat, depth, said)
}

// replace removes the tile being resolved from the game and has the same seat
// draw and resolve one of another colour in its place.
// Clauses LAND-30, LAND-31.
func (r *Rules) replace(s *State, seat, node, active, colour int) {
	if node >= 0 {
		r.note(HasLeftTile, 0, node, int(s.Tiles[node]))
		s.Tiles[node] = noTile
	} else {
		f := s.Pop() // DoBottom: this tile will not go back to its stack
		r.note(HasLeftTile, 0, noNode, int(f.Arg[0]))
		node = substitute
	}
	r.drawLandmark(s, seat, colour, node, active)
}

// cost is the price of a landmark's effect, in doubloons.
func cost(tile int) uint8 {
	if tile == JeweledMaze {
		return 2
	}
	return 1
}

// canBuy reports whether a ship can pay a landmark in full and receive what it
// sells: a jewel, or for the tomb a level.
// Clauses GOLD-5, GOLD-6.
func (r *Rules) canBuy(s *State, sh *Ship, tile int) bool {
	if sh.Doubloons < cost(tile) {
		return false
	}
	if tile == LegendaryTomb {
		return sh.Reputation < MaxLevel
	}
	return sum(&s.Jewels) > 0
}

// Clauses GOLD-4, LAND-14, LAND-15, LAND-16.
func (r *Rules) buy(s *State, seat, tile int) {
	r.loseDoubloons(s, seat, int(cost(tile)))
	if tile == LegendaryTomb {
		r.gainLevel(s, seat)
	} else {
		s.Push(frame(DoJewels, seat, 1))
	}
}

// askHutMove asks how the Voodoo Hut moves a ship: at least once, as it pleases, but in
// drafts not as the ship could never move.
// Clauses LAND-7, LEG-15.
func (r *Rules) askHutMove(s *State, seat, enemy int) {
	sh := &s.Ships[enemy]
	sail := int(engine.Bit(r.MaySail(sh)))
	turn := int(engine.Bit(r.hutTurns(sh)))
	if sail+turn > 0 {
		s.Push(frame(AskHutMove, seat, enemy, sail, turn, 0))
	}
}

// hutTurns reports whether the Voodoo Hut can turn a ship.
// Clauses CREW-6, OLD-13.
func (r *Rules) hutTurns(sh *Ship) bool { return !r.Edition.HutNeedsCrew || r.MayComeAbout(sh) }

// hutMove moves the ship that the Voodoo Hut was turned on, even one that could
// not Come About by itself. Each of the two moves may be made once.
func (r *Rules) hutMove(s *State, f Frame, a engine.Action) {
	enemy := &s.Ships[f.Arg[0]]
	switch a {
	case ToStay:
		r.note(HasDeclined, int(f.Seat), int(AskHutMove))
		return
	case ToSail:
		f.Arg[1] = 0
	case ToComeAbout:
		f.Arg[2] = 0
	}
	if f.Arg[3] = 1; f.Arg[1]+f.Arg[2] > 0 {
		s.Push(f)
	}
	if a == ToSail {
		r.sail(s, int(f.Arg[0]))
	} else {
		enemy.comeAbout()
		r.note(HasComeAbout, int(f.Arg[0]))
	}
}

// holds is how much a ship has of what a Whispering or Shrieking tile moves.
func (sh *Ship) holds(tile int) int {
	switch tile {
	case ShriekingArch:
		return int(sh.Crew)
	case WhisperingPortal, ShriekingPortal:
		return sum(&sh.Fragments)
	}
	return int(sh.Doubloons)
}

// givers is the set of the resolver's enemies who hold most, if they hold any.
// Clauses LAND-32, LAND-33, LAND-37.
func (r *Rules) givers(s *State, tile, resolver int) int {
	set, most := 0, 1
	for _, i := range r.fleet {
		n := s.Ships[i].holds(tile)
		if i == resolver || n < most {
			continue
		}
		if n > most {
			set, most = 0, n
		}
		set |= 1 << i
	}
	return set
}

// receivers is the set of those who hold least: of all pirates for a Whispering
// tile, of the resolver's enemies for a Shrieking one. A giver who is one of several
// names another.
// Clauses LAND-32, LAND-34, LAND-35, LAND-36.
func (r *Rules) receivers(s *State, tile, giver, resolver int) int {
	whispering := tile == WhisperingPortal || tile == WhisperingRavine
	set, least := 0, int(^uint(0)>>1)
	for _, i := range r.fleet {
		n := s.Ships[i].holds(tile)
		if i == resolver && !whispering || n > least {
			continue
		}
		if n < least {
			set, least = 0, n
		}
		set |= 1 << i
	}
	if others := set &^ (1 << giver); others != 0 {
		return others
	}
	return set
}

func (r *Rules) askReceiver(s *State, chooser, tile, giver, resolver int) {
	s.Push(frame(AskReceiver, chooser, tile, giver, resolver))
}

// give moves what a Whispering or Shrieking tile moves; the giver chooses which
// fragment, and chooser for the legendary ghost ship. Nothing moves from pirates to themselves.
// Clauses FAQ-1, LAND-38, LEG-14.
func (r *Rules) give(s *State, chooser, giver, receiver, tile int) {
	if giver == receiver {
		return
	}
	switch tile {
	case ShriekingArch:
		r.gainCrew(s, receiver, r.loseCrew(s, giver, 1))
	case WhisperingPortal, ShriekingPortal:
		if giver == Legendary {
			s.Push(frame(AskGiveLegendary, chooser, receiver))
		} else {
			s.Push(frame(AskGive, giver, receiver))
		}
	default:
		r.pays(s, HasGot, giver, receiver, 2)
	}
}
