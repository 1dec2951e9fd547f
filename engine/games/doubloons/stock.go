package doubloons

import "github.com/privateer-rl/privateer/engine/kit/position"

// The numbers of identical things in the box, and their possible places in a state. The parts that a position may
// omit (position_fill.go) and the conservation of things (conserve.go) follow from this.

// aboard is the ships' places for a kind of thing.
func (r *Rules) aboard(s *State, field string, has func(*Ship) []uint8) (places []position.Place) {
	for _, seat := range r.fleet {
		places = append(places, position.Counts(shipPath(seat)+"."+field, has(&s.Ships[seat])))
	}
	return places
}

// eachShip is aboard for things of one kind.
func (r *Rules) eachShip(s *State, field string, has func(*Ship) *uint8) (places []position.Place) {
	for _, seat := range r.fleet {
		places = append(places, position.Count(shipPath(seat)+"."+field, has(&s.Ships[seat])))
	}
	return places
}

func (r *Rules) doubloonStock(s *State) *position.Stock {
	return &position.Stock{Things: "doubloons", Box: []int{r.Doubloons}, Rest: position.Count("supply", &s.Supply),
		Places: append(r.eachShip(s, "doubloons", func(sh *Ship) *uint8 { return &sh.Doubloons }), position.Count("island", &s.Island))}
}

func (r *Rules) pillageStock(s *State) *position.Stock {
	return &position.Stock{Things: "pillage tokens", Box: []int{r.seats * int(r.PillagePerPlayer)}, Rest: position.Count("pillage_tokens", &s.Pillage),
		Places: r.eachShip(s, "pillage", func(sh *Ship) *uint8 { return &sh.Pillage })}
}

func (r *Rules) jewelStock(s *State) *position.Stock {
	return &position.Stock{Things: "jewels of this kind", Kinds: jewelNames[:], Box: ints(r.JewelCount[:]), Rest: position.Counts("jewels", s.Jewels[:]),
		Places: r.aboard(s, "jewels", func(sh *Ship) []uint8 { return sh.Jewels[:] }),
		Known:  r.jewelKinds,
		Absent: "black jewels are of the module black_jewel, which is not played: leave it out"}
}

// compassStock are the compasses: those that were used have left the game.
func (r *Rules) compassStock(s *State) *position.Stock {
	return &position.Stock{Things: "compasses", Box: []int{r.seats * int(r.CompassesPerPlayer)}, Leave: true,
		Places: r.eachShip(s, "compasses", func(sh *Ship) *uint8 { return &sh.Compasses })}
}

// fragmentStock are the map fragments; those that nobody has seen are in the stack or removed from the game.
func (r *Rules) fragmentStock(s *State) *position.Stock {
	box := make([]int, NumSymbols)
	for sym := range r.symbols {
		box[sym] = int(r.FragmentsPerSymbol)
	}
	return &position.Stock{Things: "map fragments of this type", Kinds: symbolNames[:], Box: box, Rest: position.Counts("unseen_fragments", s.UnseenFragments[:]),
		Places: r.aboard(s, "fragments", func(sh *Ship) []uint8 { return sh.Fragments[:] }),
		Known:  r.symbols,
		Absent: "at this number of players only " + position.Listed(symbolNames[:r.symbols]) + " are in play: take one of them"}
}

// orbStock are the Protection Orbs, specialStock the special map tiles that leave the game when they are drawn.
func (r *Rules) orbStock(s *State) *position.Stock {
	return &position.Stock{Things: "Protection Orbs", Box: []int{int(r.SpecialsInPlay[r.seats][ProtectionOrb])},
		Rest:   position.Count("map_stack."+specialNames[ProtectionOrb], &s.MapSpecials[ProtectionOrb]),
		Places: r.eachShip(s, "orbs", func(sh *Ship) *uint8 { return &sh.Orbs })}
}

func (r *Rules) specialStock(s *State, special int) *position.Stock {
	return &position.Stock{Things: "tiles", Box: []int{int(r.SpecialsInPlay[r.seats][special])}, Leave: true,
		Rest: position.Count("map_stack."+specialNames[special], &s.MapSpecials[special])}
}

// relicStock are the relics of a kind, none without the alternate island. Which of those that nobody has seen are in the
// crater is not settled.
// Clause RUIN-14.
func (r *Rules) relicStock(s *State, kind int) *position.Stock {
	name, board, field := relicNames[kind], &s.BeachTotems, "beach_totems"
	if kind == Shell {
		board, field = &s.RegionShells, "region_shells"
	}
	st := &position.Stock{Things: name + " of this symbol", Kinds: symbolNames[:], Box: ints(r.box(kind)[:]),
		Rest:   position.Counts("unseen_relics."+name, s.Relics[kind][:]),
		Places: r.aboard(s, name, func(sh *Ship) []uint8 { return sh.relicsOf(kind)[:] })}
	for i := range board {
		st.Places = append(st.Places, position.Counts(field, board[i][:]))
	}
	for _, f := range s.Frames[:s.Depth] {
		if held, sym, holds := holdsRelic(f); holds && held == kind {
			var one [NumSymbols]uint8
			one[sym] = 1
			st.Places = append(st.Places, position.Counts("stack", one[:]))
		}
	}
	return st
}

// ints are counts as numbers.
func ints(counts []uint8) []int {
	list := make([]int, len(counts))
	for k, n := range counts {
		list[k] = int(n)
	}
	return list
}
