package doubloons

// nobody inflicts damage that is no Attack: it earns no reputation.
const nobody = -1

// forward is the Attack Forward action: at the region ahead, or from High Water
// at the one beyond it if its player prefers.
func (r *Rules) forward(s *State, seat, plus int) {
	sh := &s.Ships[seat]
	damage := 1 + plus
	if r.able(s, sh, Voet) {
		damage++
	}
	if r.at(s, sh, HighWater) {
		s.Push(frame(AskHighWater, seat, damage))
		return
	}
	r.attack(s, seat, r.ahead(sh, 1), damage)
}

// attack damages every enemy ship in a region, then has the die rolled if any
// ship was damaged. Fog lets through 1 damage at most.
func (r *Rules) attack(s *State, seat, region, damage int) {
	if s.Water[region] == Fog {
		damage = min(damage, 1)
	}
	hit := 0
	for i := range r.seats {
		if i != seat && int(s.Ships[i].Region) == region && !s.Ships[i].Ghost {
			hit |= 1 << i
			s.damage(i, damage, seat)
		}
	}
	if hit != 0 {
		s.Push(frame(RollDie, seat, hit, 0))
	}
}

// strike applies the attack die to every ship that was hit.
func (r *Rules) strike(s *State, seat, hit int, face Face) {
	own := &s.Ships[seat]
	if face == FaceVoodoo && r.Modules.Has(AlternateIsland) {
		r.voodoo(s, seat, hit)
	}
	for _, i := range r.fleet {
		if hit>>i&1 == 0 {
			continue
		}
		enemy := &s.Ships[i]
		switch face {
		case FaceCrew:
			enemy.loseCrew(1)
		case FaceDoubloon:
			if !r.able(s, enemy, Hayreddin) {
				own.Doubloons += enemy.payOut(1)
			}
		case FaceVoodoo:
			if own.Ghost && !r.Edition.BlankDie {
				s.damage(i, 1, seat)
			}
		}
	}
}
