package observe

import "encoding/binary"

// A completion of a round is weighed by sixteen mixes of goals at once: four lanes of fifteen bits in each of four words,
// so that adding and comparing cost no more than four numbers would. A lane's unit is the 128th of a point.

// goal is something that an action can bring. What it brings is measured in 16ths.
type goal uint8

const (
	goalHunt goal = iota
	goalCrew
	goalCoins  // doubloons that pillage tokens bring
	goalDamage // expected
	goalHurt   // what attacks cost rivals, each by how near it is to the lead
	goalSteal  // doubloons that the attack die steals
	goalSink   // points for reputation
	goalLeader // damage to the rival with most points
	goalLoot   // expected, in points
	goalRob    // what that costs rivals, each by how near it is to the lead
	goalNear   // loot from ships that stay where they are
	goalHull   // what hull saves the own ship from
	goalTrack  // a space on the end-game track, or 0 for a ship that trails none
	goalReef   // a round that ends where a pillage token is found
	goalWater  // … and at water that is good for something else
	numGoals

	mostGoal = 160 // of one: lanes of three slots must not overflow
)

// lensWeights are the mixes, in 8ths by goal. The first are goals by themselves, which say what a card is for; the
// others are all sensible, so that whichever way a player values things one of them is near.
var lensWeights = [numLenses][numGoals]uint64{
	{goalHunt: 8},
	{goalCoins: 8},
	{goalDamage: 8},
	{goalHurt: 12, goalLeader: 2},
	{goalSink: 8, goalSteal: 8},
	{goalLoot: 8},
	{goalNear: 8, goalRob: 8},
	{goalHull: 8, goalCrew: 8},
	{goalHurt: 8, goalSteal: 8, goalSink: 8, goalLoot: 8, goalRob: 8},
	{goalHunt: 8, goalCrew: 12, goalCoins: 8, goalHurt: 8, goalSteal: 8, goalSink: 8, goalLoot: 8, goalRob: 8, goalHull: 8, goalTrack: 4, goalReef: 6, goalWater: 2},
	{goalHunt: 13, goalCrew: 12, goalCoins: 8, goalHurt: 8, goalSteal: 8, goalSink: 8, goalLoot: 8, goalRob: 8, goalHull: 8, goalTrack: 4, goalReef: 6, goalWater: 2},
	{goalHunt: 5, goalCrew: 12, goalCoins: 8, goalHurt: 8, goalSteal: 8, goalSink: 8, goalLoot: 8, goalRob: 8, goalHull: 8, goalTrack: 4, goalReef: 6, goalWater: 2},
	{goalHunt: 8, goalCrew: 12, goalCoins: 13, goalHurt: 8, goalSteal: 8, goalSink: 8, goalLoot: 8, goalRob: 8, goalHull: 8, goalTrack: 4, goalReef: 10, goalWater: 2},
	{goalHunt: 8, goalCrew: 12, goalCoins: 5, goalHurt: 8, goalSteal: 8, goalSink: 8, goalLoot: 8, goalRob: 8, goalHull: 8, goalTrack: 4, goalReef: 4, goalWater: 2},
	{goalHunt: 8, goalCrew: 12, goalCoins: 8, goalHurt: 12, goalSteal: 10, goalSink: 10, goalLoot: 12, goalRob: 12, goalHull: 8, goalTrack: 1, goalReef: 6, goalWater: 2},
	{goalHunt: 8, goalCrew: 12, goalCoins: 8, goalHurt: 5, goalSteal: 5, goalSink: 5, goalLoot: 5, goalRob: 5, goalHull: 12, goalTrack: 8, goalReef: 6, goalWater: 2},
}

// vec is a value by lens.
type vec struct{ a, b, c, d uint64 }

const (
	laneBits = 16
	tops     = 0x8000_8000_8000_8000
)

// lenses are the weights by goal.
var lenses = func() (all [numGoals]vec) {
	for lens, weights := range &lensWeights {
		for g, w := range weights {
			w <<= lens % 4 * laneBits
			switch lens / 4 {
			case 0:
				all[g].a |= w
			case 1:
				all[g].b |= w
			case 2:
				all[g].c |= w
			case 3:
				all[g].d |= w
			}
		}
	}
	return all
}()

// with adds n 16ths of a goal.
func (v vec) with(g goal, n int) vec {
	x, w := uint64(min(max(n, 0), mostGoal)), &lenses[g]
	return vec{v.a + w.a*x, v.b + w.b*x, v.c + w.c*x, v.d + w.d*x}
}

func (v vec) plus(o vec) vec { return vec{v.a + o.a, v.b + o.b, v.c + o.c, v.d + o.d} }

// or is the higher of both by lens.
func (v vec) or(o vec) vec {
	return vec{higher(v.a, o.a), higher(v.b, o.b), higher(v.c, o.c), higher(v.d, o.d)}
}

// more has by how much x is more than y in each lane, and 0 where it is not: there the top bit, which no lane uses, does not outlive
// the difference.
func more(x, y uint64) uint64 {
	difference := (x | tops) - y
	m := difference & tops
	return difference & (m - m>>(laneBits-1))
}

// higher is the higher of four lanes each.
func higher(x, y uint64) uint64 { return y + more(x, y) }

// and is the lower of both by lens.
func (v vec) and(o vec) vec {
	return vec{lower(v.a, o.a), lower(v.b, o.b), lower(v.c, o.c), lower(v.d, o.d)}
}

func lower(x, y uint64) uint64 { return x - more(x, y) }

// minus takes away what is nowhere more.
func (v vec) minus(o vec) vec { return vec{v.a - o.a, v.b - o.b, v.c - o.c, v.d - o.d} }

// bytes writes the values one by one, less their lowest bits, and 255 for what is more.
func (v vec) bytes(dst *[numLenses]uint8, less int) {
	const most, ones = 0x00ff_00ff_00ff_00ff, 0x0001_0001_0001_0001
	kept := uint64(ones * (1<<(laneBits-1-less) - 1))
	for i, w := range [4]uint64{v.a, v.b, v.c, v.d} {
		w = lower(w>>less&kept, most)
		w = (w | w>>8) & 0x0000_ffff_0000_ffff
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(w|w>>16))
	}
}
