package captain

import (
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// The damage that rivals may do in a turn that finds the captain's ship within reach.
const (
	broadsidesRisk = .35 // one in its region fires broadsides
	forwardRisk    = .30 // one who faces its region attacks forward
)

// dangers tables what a ship may lose in a region by slot, to rivals who are there or face it by then.
func (p *plan) dangers(st *stand) {
	c, s := p.c, p.s
	p.danger = [doubloons.NumSlots][regions]float64{}
	broadsides := float64(broadsidesRisk * p.loss(st, doubloons.BroadsidesDamage))
	forward := float64(forwardRisk * p.loss(st, doubloons.ForwardDamage))
	for e := range c.seats {
		enemy := &s.Ships[e]
		if e == c.me || enemy.Region < 0 {
			continue
		}
		var at [positions]float64
		at[position(enemy.Region, enemy.Facing)] = 1
		for slot := p.first; slot < doubloons.NumSlots; slot++ {
			if slot > 0 || c.rules.TurnOf(s, e) < c.rules.TurnOf(s, c.me) {
				at = p.roam(at)
			}
			for where, chance := range at[:2*c.regions] {
				p.danger[slot][where/2] += float64(chance * broadsides)
				p.danger[slot][p.faced[where]] += float64(chance * forward)
			}
		}
	}
}

// roam is drift for where ships are and face.
func (p *plan) roam(at [positions]float64) (to [positions]float64) {
	for where, chance := range at[:2*p.c.regions] {
		to[where] += float64(driftStay * chance)
		to[p.sailed[where]] += float64(driftOn * chance)
		to[p.sailed[where^1]] += float64(driftBack * chance)
	}
	return to
}

// loss is the cost to the captain of an attack of some damage.
func (p *plan) loss(st *stand, damage int) float64 {
	me := p.me
	if me.Ghost {
		return 0
	}
	hull := int(me.Hull)
	if hull <= damage {
		return p.prices.sunk(hull, st.future)
	}
	v := p.prices.hull(hull, st.future) - p.prices.hull(hull-damage, st.future)
	if me.Crew > 0 {
		v += p.prices.crew(me.Crew-1, me.Crew, st.future) / 3
	}
	if me.Doubloons > 0 && me.Captain != doubloons.Hayreddin {
		v += p.prices.doubloons(1) / 3
	}
	return v
}
