package doubloons

// nobody is the attacker of damage that is not an Attack: it earns no reputation.
const nobody = -1

// Damage of the attacks, before what cards, captains and water change.
const (
	ForwardDamage    = 1
	BroadsidesDamage = 2
)

// forward is the Attack Forward action: at the region ahead, or from High Water
// at the one beyond it if its player prefers.
// Clauses FWD-1, FWD-2, WAT-7.
func (r *Rules) forward(s *State, seat, plus int) {
	sh := &s.Ships[seat]
	damage := r.ForwardDamage(s, sh, plus)
	if r.at(s, sh, HighWater) {
		s.Push(frame(AskHighWater, seat, damage))
		return
	}
	r.attack(s, seat, r.Ahead(sh, 1), damage)
}

// ForwardDamage is the damage of an Attack Forward by a ship, with a card that adds plus.
// Clause CAPT-9.
func (r *Rules) ForwardDamage(s *State, sh *Ship, plus int) int {
	damage := ForwardDamage + plus
	if r.able(s, sh, Voet) {
		damage++
	}
	return damage
}

// attack damages every enemy ship in a region, then has the die rolled if any
// ship was damaged.
// Clauses ACT-4, BRD-1, DIE-1, DIE-2, DIE-3, DIE-8, LEG-10.
func (r *Rules) attack(s *State, seat, region, damage int) {
	r.note(HasAttacked, seat, region, damage)
	damage = s.DamageIn(region, damage)
	hit := 0
	for i := range r.seats {
		if i != seat && int(s.Ships[i].Region) == region && !s.Ships[i].Ghost {
			hit |= 1 << i
			r.damage(s, i, damage, seat)
		}
	}
	if hit == 0 {
		r.note(HasComeToNothing, seat)
		return
	}
	s.Push(frame(RollDie, seat, hit, 0))
}

// DamageIn is how much damage of an attack counts in a region: in Fog 1 at most.
// Clause WAT-5.
func (s *State) DamageIn(region, damage int) int {
	if s.Water[region] == Fog {
		return min(damage, 1)
	}
	return damage
}

// strike applies the attack die to every ship that was hit.
// Clauses DIE-4, DIE-5, DIE-6, DIE-7, GHOST-4, GHOST-5, WAT-6, CAPT-8, OLD-15.
func (r *Rules) strike(s *State, seat, hit int, face Face) {
	own := &s.Ships[seat]
	if face == FaceVoodoo {
		r.voodoo(s, seat, hit)
	}
	for _, i := range r.fleet {
		if hit>>i&1 == 0 {
			continue
		}
		switch face {
		case FaceCrew:
			r.loseCrew(s, i, 1)
		case FaceDoubloon:
			r.stealDoubloon(s, seat, i)
		case FaceVoodoo:
			if own.Ghost && !r.Edition.BlankDie {
				r.damage(s, i, 1, seat)
			}
		}
	}
}

// stealDoubloon is the die's doubloon: Hayreddin's are safe from it.
// Clauses DIE-6, DUEL-3, CAPT-8.
func (r *Rules) stealDoubloon(s *State, seat, from int) {
	switch enemy := &s.Ships[from]; {
	case !r.able(s, enemy, Hayreddin):
		r.pays(s, HasStolen, from, seat, 1)
	case enemy.Doubloons > 0:
		r.note(HasUsedAbility, from, seat)
	}
}
