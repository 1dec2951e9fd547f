package doubloons

// Boardable is the set of ships that a seat may Board with the card in a slot:
// damaged enemies in its region (near the Mists also in the region ahead) that meet the card's
// conditions.
// Clauses BOA-1, BOA-2, BOA-4, BOA-5, BOA-7, WAT-10, LEG-12, OLD-19.
func (r *Rules) Boardable(s *State, seat, slot int) int {
	sh := &s.Ships[seat]
	if sh.Table[slot] == noCard {
		return 0
	}
	card := &r.Cards[sh.Table[slot]]
	if card.Loot == LootNone || !card.OwnNeeds.Met(r.shown(sh, slot)) {
		return 0
	}
	set, further := 0, sh.Region
	if r.at(s, sh, MistsOfMorgana) {
		further = int8(r.Ahead(sh, 1))
	}
	for _, i := range r.fleet {
		enemy := &s.Ships[i]
		near := enemy.Region == sh.Region || enemy.Region == further
		if i == seat || !near || !enemy.Damaged() {
			continue
		}
		if !card.EnemyNeeds.Met(r.shown(enemy, int(s.Revealed))) {
			continue
		}
		if r.Edition.CrewStealNeedsCrew && card.Loot == LootCrew && enemy.Crew == 0 {
			continue
		}
		if card.Loot == LootReputation && !r.stealable(enemy, i) {
			continue
		}
		set |= 1 << i
	}
	return set
}

// Damaged reports whether a ship has lost hull; a ghost ship has lost all.
func (sh *Ship) Damaged() bool { return sh.Hull < MaxHull }

// shown is the set of icons on a ship's first n cards, whether used or not.
// Clause BOA-6.
func (r *Rules) shown(sh *Ship, n int) uint8 {
	var icons uint8
	for _, c := range sh.Table[:n] {
		if c != noCard {
			icons |= r.Cards[c].Icons
		}
	}
	return icons
}

// stealable reports whether a card that takes reputation, or with Steal Ship the
// ship itself, finds it there.
// Clauses BOA-14, STEAL-2, STEAL-9.
func (r *Rules) stealable(enemy *Ship, seat int) bool {
	if r.Modules.Has(StealShip) {
		return seat != Legendary // which no player commands
	}
	return enemy.Reputation > 0
}

// board resolves a Board action. A Protection Orb changes hands in place of
// whatever the card takes. Valparisa's crew strikes back after that, if her ability worked when
// she was boarded.
// Clauses BOA-8, BOA-9, BOA-10, BOA-11, BOA-12, BOA-13, BOA-15, BOA-16, ORB-1, ORB-2, ORB-3, CREW-8, CAPT-7,
// STEAL-1, STEAL-6, STEAL-7, BLACK-10, OLD-16, OLD-17, RUIN-17, FAQ-1.
func (r *Rules) board(s *State, seat, target, slot int) {
	own, enemy := &s.Ships[seat], &s.Ships[target]
	r.note(HasBoarded, seat, target, int(own.Table[slot]))
	if own.Ghost && r.Edition.GhostsRollOnBoard {
		s.Push(frame(RollDie, seat, 1<<target, 0))
	}
	if r.able(s, enemy, Valparisa) {
		s.Push(frame(DoReaction, seat, target))
	}
	if enemy.Orbs > 0 {
		r.hand(s, HasGot, target, seat, GoodOrbs)
		return
	}
	switch loot := r.Cards[own.Table[slot]].Loot; loot {
	case LootFragment:
		if sum(&enemy.Fragments) > 0 {
			s.Push(frame(AskStealFragment, seat, target))
		}
	case LootHalf:
		r.pays(s, HasStolen, target, seat, int(enemy.Doubloons/2))
	case LootCrew:
		r.gainCrew(s, seat, r.loseCrew(s, target, 1))
	case LootCrew2:
		r.gainCrew(s, seat, r.loseCrew(s, target, 2))
	case LootJewel:
		if sum(&enemy.Jewels) > 0 {
			s.Push(frame(AskStealJewel, seat, target))
		}
	case LootReputation:
		if r.Modules.Has(StealShip) {
			s.swapPlayers(seat, target)
			r.note(HasChangedSeats, seat, target, r.PlayerAt(s, seat), r.PlayerAt(s, target))
			r.noteFound(s, seat)
			r.noteFound(s, target)
			return
		}
		enemy.Reputation--
		r.note(HasLost, target, GoodReputation, 1)
		r.gainLevel(s, seat)
	}
}
