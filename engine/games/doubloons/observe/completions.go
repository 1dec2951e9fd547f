package observe

import (
	"math/bits"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// This file completes the round: what the cards that are left could bring in the slots that are left.

// complete makes cards, at most mostCards, those that the round is completed with.
func (o *forecast) complete(cards []int8) {
	o.nCards = 0
	for _, card := range cards {
		o.add(card)
	}
}

// add makes a card one of those that the round is completed with.
func (o *forecast) add(card int8) {
	i := o.nCards
	o.nCards++
	info := &o.d.rules.Cards[card]
	o.cards[i], o.icons[i], o.needs[i] = card, info.Icons, info.OwnNeeds
	o.closed[i] = 0
	for slot := range o.valued {
		o.valued[slot][i] = 0
	}
	set := o.d.ways[card]
	for at := range 2 * o.d.regions {
		on, back := o.sailed[at], o.turned[at]
		o.moves[i][at] = uint16(set>>wayStay&1)<<at | uint16(set>>waySail&1)<<on | uint16(set>>wayTurn&1)<<back |
			uint16(set>>waySailTurn&1)<<o.turned[on] | uint16(set>>wayTurnSail&1)<<o.sailed[back] | uint16(set>>waySailTwice&1)<<o.sailed[on]
	}
}

// place is a card's place among those that the round is completed with, or −1 if it is none of them.
func (o *forecast) place(card int8) int { return slices.Index(o.cards[:o.nCards], card) }

// worth is the most that a card's actions bring in a slot at a position, with the icons that own earlier cards show.
func (o *forecast) worth(slot, i, at int, icons uint8) *vec {
	r := 2*at + int(engine.Bit(o.needs[i].Met(icons)))
	if o.valued[slot][i]>>r&1 == 0 {
		o.appraise(slot, i, r)
	}
	return &o.value[slot][i][r]
}

// appraise tables the worth of a card in a slot. r is twice its position, and one more if its Board action needs no other icon. Which way
// the ship faces is nothing to a card that does not attack forward.
func (o *forecast) appraise(slot, i, r int) {
	o.valued[slot][i] |= 1 << r
	card, at, ready := &o.d.rules.Cards[o.cards[i]], r/2, r&1 != 0
	v := o.action(slot, card, &card.Actions[0], at, ready).or(o.action(slot, card, &card.Actions[1], at, ready))
	if card.Kind == doubloons.KindCaptain {
		v = v.plus(o.push)
	} else {
		v = v.plus(o.stay)
	}
	o.value[slot][i][r] = v
	if card.Actions[0].Icon != doubloons.IconForward && card.Actions[1].Icon != doubloons.IconForward {
		o.valued[slot][i] |= 1 << (r ^ 2)
		o.value[slot][i][r^2] = v
	}
}

// rest is the most that the slots from one on bring from a position with cards of a set left.
func (o *forecast) rest(slot, at int, used uint16, icons uint8) vec {
	if slot == doubloons.NumSlots {
		return o.ends[at/2]
	}
	set := o.sets[slot] &^ used
	if set == 0 {
		return o.ends[at/2]
	}
	if slot == doubloons.NumSlots-1 {
		return o.finals(set, at, icons)
	}
	var best vec
	if slot < doubloons.NumSlots-2 {
		for ; set != 0; set &= set - 1 {
			i := bits.TrailingZeros16(set)
			for to := o.moves[i][at]; to != 0; to &= to - 1 {
				then := bits.TrailingZeros16(to)
				best = best.or(o.worth(slot, i, then, icons).plus(o.rest(slot+1, then, used|1<<i, icons|o.icons[i])))
			}
		}
		return best
	}
	// The continuations of the second-last card do not depend on the way to its place.
	if key := uint32(used)<<8 | uint32(icons); o.key != key {
		o.key, o.followed = key, [mostCards]uint16{}
	}
	for ; set != 0; set &= set - 1 {
		i := bits.TrailingZeros16(set)
		for to := o.moves[i][at]; to != 0; to &= to - 1 {
			then := bits.TrailingZeros16(to)
			v := &o.follow[i][then]
			if o.followed[i]>>then&1 == 0 {
				o.followed[i] |= 1 << then
				*v = o.worth(slot, i, then, icons).plus(*o.closing(used, i, then, icons|o.icons[i]))
			}
			best = best.or(*v)
		}
	}
	return best
}

// closing is what the last slot brings when the cards of a set and one more are played: whichever of them came first, so that what is
// found for one order serves the other. They are at most two.
func (o *forecast) closing(used uint16, i, at int, icons uint8) *vec {
	a := i
	if used != 0 {
		a = bits.TrailingZeros16(used)
	}
	a, i = min(a, i), max(a, i)
	v := &o.closings[a][i][at]
	if o.closingsKnown[a][i]>>at&1 == 0 {
		o.closingsKnown[a][i] |= 1 << at
		*v = o.finals(o.sets[doubloons.NumSlots-1]&^(1<<a|1<<i), at, icons)
	}
	return v
}

// finals is the most that one card of a set brings in the last slot, or the end of the round if none is left.
func (o *forecast) finals(set uint16, at int, icons uint8) vec {
	if set == 0 {
		return o.ends[at/2]
	}
	var best vec
	for ; set != 0; set &= set - 1 {
		i := bits.TrailingZeros16(set)
		r := 2*at + int(engine.Bit(o.needs[i].Met(icons)))
		if o.closed[i]>>r&1 == 0 {
			o.final(i, at, r, icons)
		}
		v := &o.last[i][r]
		best = vec{higher(best.a, v.a), higher(best.b, v.b), higher(best.c, v.c), higher(best.d, v.d)}
	}
	return best
}

// final tables the most that a card brings in the last slot from a position, with the end of the round.
func (o *forecast) final(i, at, r int, icons uint8) {
	o.closed[i] |= 1 << r
	var best vec
	for to := o.moves[i][at]; to != 0; to &= to - 1 {
		then := bits.TrailingZeros16(to)
		best = best.or(o.worth(doubloons.NumSlots-1, i, then, icons).plus(o.ends[then/2]))
	}
	o.last[i][r] = best
}
