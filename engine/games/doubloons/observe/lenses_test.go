package observe

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

func TestLanesAreComparedAndAddedOneByOne(t *testing.T) {
	r := engine.NewRand(4)
	for range 20000 {
		var x, y [numLenses]int32
		var a, b vec
		for i := range numLenses {
			x[i], y[i] = int32(r.Intn(1<<14)), int32(r.Intn(1<<14))
			if r.Intn(4) == 0 {
				y[i] = x[i]
			}
			a, b = laid(a, i, x[i]), laid(b, i, y[i])
		}
		most, least, sum := lanes(a.or(b)), lanes(a.and(b)), lanes(a.plus(b))
		var bytes [numLenses]uint8
		less := r.Intn(5)
		a.or(b).minus(b).bytes(&bytes, less)
		for i := range numLenses {
			if most[i] != max(x[i], y[i]) || least[i] != min(x[i], y[i]) || sum[i] != x[i]+y[i] || int32(bytes[i]) != min(255, max(0, x[i]-y[i])>>less) {
				t.Fatalf("lane %d of %d and %d: most %d, least %d, sum %d, byte %d", i, x[i], y[i], most[i], least[i], sum[i], bytes[i])
			}
		}
	}
}

// lanes are the values of a vec one by one.
func lanes(v vec) (values [numLenses]int32) {
	for i, w := range [4]uint64{v.a, v.b, v.c, v.d} {
		for k := range 4 {
			values[4*i+k] = int32(w >> (k * laneBits) & 0x7fff)
		}
	}
	return values
}

// laid is a vec with a value in a lane.
func laid(v vec, lane int, value int32) vec {
	w := uint64(value) << (lane % 4 * laneBits)
	words := [4]*uint64{&v.a, &v.b, &v.c, &v.d}
	*words[lane/4] |= w
	return v
}

// The most that a round may bring must fit: three slots, each an action of at most four goals, and where it ends.
func TestLanesDoNotOverflow(t *testing.T) {
	for lens, weights := range &lensWeights {
		slot := uint64(0)
		for _, actions := range [][]goal{{goalHunt, goalCrew}, {goalCoins}, {goalDamage, goalHurt, goalSteal, goalSink, goalLeader}, {goalLoot, goalRob, goalNear}, {goalHull}} {
			sum := weights[goalTrack] * 24
			for _, g := range actions {
				sum += weights[g] * mostGoal
			}
			slot = max(slot, sum)
		}
		if most := 3*slot + max(weights[goalReef], weights[goalWater])*16; most >= 1<<(laneBits-1) {
			t.Errorf("lens %d may reach %d", lens, most)
		}
	}
}

func TestALensWeighsGoalsAsItIsDeclared(t *testing.T) {
	for g := range numGoals {
		got := lanes(vec{}.with(g, 7))
		for lens, weights := range &lensWeights {
			if got[lens] != int32(7*weights[g]) {
				t.Errorf("goal %d by lens %d is %d; want %d", g, lens, got[lens], 7*weights[g])
			}
		}
	}
}
