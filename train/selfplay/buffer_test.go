package selfplay

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
)

// taken is a decision as the reference below remembers it.
type taken struct {
	env, seat int
	value     float64
	reward    float64
	ends      int     // 0: continues the seat's next decision; 1: the match ended; 2: it was cut short
	boot      float64 // the critic's answer if it was cut short
	next      int     // id of the seat's next decision in the match, or −1
	complete  int     // collection in which it became complete, or −1
}

// reference computes a decision's advantage from the definition: the sum of the
// discounted temporal differences of the decisions of the same trajectory that became complete in
// the same collection.
func reference(all []taken, id int, gamma, lambda float64) float64 {
	sum, weight := 0.0, 1.0
	for at := id; at >= 0 && all[at].complete == all[id].complete; at = all[at].next {
		d := all[at]
		delta := d.reward - d.value
		switch d.ends {
		case 0:
			delta += gamma * all[d.next].value
		case 2:
			delta += gamma * d.boot
		}
		sum += weight * delta
		weight *= gamma * lambda
	}
	return sum
}

// described are the rows of the actions of a decision: none, one or two.
func described(id, width int) []uint8 { return bytes.Repeat([]byte{uint8(id)}, id%3*width) }

// Matches of random seats, rewards and endings are collected; every decision must
// be trained on exactly once, with the reference's advantage and its own
// observation, unless it is still open at the very end.
func TestEveryDecisionIsTrainedOnOnceWithTheAdvantageOfTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		envs, seats := rapid.IntRange(1, 4).Draw(t, "envs"), rapid.IntRange(1, 4).Draw(t, "seats")
		steps, collections := rapid.IntRange(1, 9).Draw(t, "steps"), rapid.IntRange(1, 5).Draw(t, "collections")
		gamma, lambda := rapid.Float64Range(0.5, 1).Draw(t, "gamma"), rapid.Float64Range(0, 1).Draw(t, "lambda")
		rare := rapid.IntRange(1, 12).Draw(t, "decisions between endings")
		r := engine.NewRand(rapid.Uint64().Draw(t, "seed"))

		const d, f, a, w = 4, 3, 2, 3
		roll := newBuffer(envs, seats, steps, d, f, a, w)
		b := &env.Batch{
			Obs: make([]uint8, envs*d), Full: make([]uint8, envs*f), Mask: make([]uint8, envs*a), Seat: make([]int32, envs),
			Reward: make([]float32, envs*seats), Terminated: make([]bool, envs), Truncated: make([]bool, envs),
		}
		var all []taken
		last := make([]int, envs*seats)
		for i := range last {
			last[i] = -1
		}
		trained := map[int32]int{}
		ids, logp, value := make([]int32, envs), make([]float32, envs), make([]float32, envs)
		for c := range collections {
			for range steps {
				b.ActionRows, b.ActionOffsets = b.ActionRows[:0], append(b.ActionOffsets[:0], 0)
				for i := range envs {
					seat, id := r.Intn(seats), len(all)
					ids[i], logp[i], value[i] = int32(id), float32(id)+0.25, float32(r.Float64())
					b.Seat[i] = int32(seat)
					binary.LittleEndian.PutUint32(b.Obs[i*d:], uint32(id))
					b.Full[i*f], b.Mask[i*a] = uint8(id), uint8(id)
					b.ActionRows = append(b.ActionRows, described(id, w)...)
					b.ActionOffsets = append(b.ActionOffsets, int32(len(b.ActionRows)/w))
					if before := last[i*seats+seat]; before >= 0 {
						all[before].next, all[before].complete = id, c
					}
					last[i*seats+seat] = id
					all = append(all, taken{env: i, seat: seat, value: float64(value[i]), next: -1, complete: -1})
				}
				roll.Decide(b, ids, logp, value)
				for i := range envs {
					end := r.Intn(rare)
					b.Terminated[i], b.Truncated[i] = end == 0, end == 1
					for s := range seats {
						slot := i*seats + s
						b.Reward[slot] = float32(r.Intn(9)-4) / 8
						id := last[slot]
						if id < 0 {
							continue
						}
						all[id].reward += float64(b.Reward[slot])
						if end > 1 {
							continue
						}
						all[id].complete, all[id].ends, last[slot] = c, 1+end, -1
						if end == 1 {
							boot := float32(r.Float64())
							all[id].boot = float64(boot)
							roll.boot[roll.last[slot]] = boot
						}
					}
				}
				roll.earn(b)
				roll.end(b)
			}
			roll.Finish(gamma, lambda)
			for _, row := range roll.Complete {
				id := roll.Action[row]
				trained[id]++
				want := reference(all, int(id), gamma, lambda)
				if math.Abs(want-float64(roll.Advantage[row])) > 1e-4 {
					t.Fatalf("collection %d, decision %d %+v: advantage %v; the definition says %v", c, id, all[id], roll.Advantage[row], want)
				}
				if math.Abs(want+all[id].value-float64(roll.Returns[row])) > 1e-4 {
					t.Fatalf("decision %d: return %v; want advantage + value = %v", id, roll.Returns[row], want+all[id].value)
				}
				if all[id].complete != c {
					t.Fatalf("decision %d, complete in collection %d, was trained on in %d", id, all[id].complete, c)
				}
				at := int(row)
				if got := binary.LittleEndian.Uint32(roll.obs[at*d:]); got != uint32(id) || roll.full[at*f] != uint8(id) || roll.mask[at*a] != uint8(id) || roll.Logp[at] != float32(id)+0.25 {
					t.Fatalf("decision %d is in a row with the observation of decision %d", id, got)
				}
				if got, want := roll.rows.Of(at), described(int(id), w); !bytes.Equal(got, want) {
					t.Fatalf("decision %d has actions that do %v, want %v", id, got, want)
				}
			}
			roll.Carry()

			// What a checkpoint keeps must be enough to continue.
			var saved bytes.Buffer
			if err := roll.Save(&saved); err != nil {
				t.Fatal(err)
			}
			roll = newBuffer(envs, seats, steps, d, f, a, w)
			if err := roll.Load(&saved); err != nil {
				t.Fatal(err)
			}
		}
		for id := range all {
			want := 1
			if all[id].complete < 0 {
				want = 0
			}
			if trained[int32(id)] != want {
				t.Fatalf("decision %d was trained on %d times; want %d", id, trained[int32(id)], want)
			}
		}
	})
}

// Seat 1 never decides after its first decision, and the match is won by it at
// the end: the final return must reach its decision, and seat 0's loss seat 0's last.
func TestFinalReturnReachesSeatsThatAreNotToAct(t *testing.T) {
	roll := newBuffer(1, 2, 3, 1, 0, 1, 0)
	b := &env.Batch{Obs: make([]uint8, 1), Mask: []uint8{1}, Seat: make([]int32, 1), Reward: make([]float32, 2), Terminated: make([]bool, 1), Truncated: make([]bool, 1)}
	for step, seat := range []int32{1, 0, 0} {
		b.Seat[0] = seat
		roll.Decide(b, []int32{0}, []float32{0}, []float32{0})
		if step == 2 {
			b.Reward[0], b.Reward[1], b.Terminated[0] = -1, 1, true
		}
		roll.earn(b)
		roll.end(b)
	}
	roll.Finish(1, 1)
	if len(roll.Complete) != 3 {
		t.Fatalf("%d decisions are complete; want 3", len(roll.Complete))
	}
	for row, want := range []float32{1, -1, -1} {
		if roll.Returns[row] != want {
			t.Errorf("decision %d has the return %v; want %v", row, roll.Returns[row], want)
		}
	}
}

func TestSampledActionsAreLegalAndFollowTheProbabilities(t *testing.T) {
	r := engine.NewRand(3)
	logp := []float32{float32(math.Log(0.2)), float32(math.Log(0.3)), 0, float32(math.Log(0.5))}
	mask := []uint8{1, 1, 0, 1}
	counts := [4]int{}
	const n = 20000
	for range n {
		a := sample(logp, mask, &r)
		if a < 0 || mask[a] == 0 {
			t.Fatalf("action %d is not legal", a)
		}
		counts[a]++
	}
	for a, p := range []float64{0.2, 0.3, 0, 0.5} {
		if math.Abs(float64(counts[a])/n-p) > 0.02 {
			t.Errorf("action %d was drawn with frequency %v; want %v", a, float64(counts[a])/n, p)
		}
	}
}

func TestSamplingRefusesWhatIsNoDistribution(t *testing.T) {
	r := engine.NewRand(1)
	nan := float32(math.NaN())
	for _, logp := range [][]float32{{nan, nan}, {-5, -5}, {float32(math.Inf(-1)), float32(math.Inf(-1))}} {
		refused := false
		for range 20 {
			refused = refused || sample(logp, []uint8{1, 1}, &r) == -1
		}
		if !refused {
			t.Errorf("%v is accepted", logp)
		}
	}
}

func TestNormaliserFollowsTheReturns(t *testing.T) {
	z := Normaliser{}
	if s := z.Scale(); s != (Scale{0, 1}) {
		t.Errorf("before anything: %v", s)
	}
	rows, ret := []int32{0, 1, 2, 3}, []float32{1, 3, 1, 3}
	for range 3 {
		z.Add(rows, ret)
	}
	if s := z.Scale(); math.Abs(s.Mean-2) > 1e-9 || math.Abs(s.Deviation-1) > 1e-9 {
		t.Errorf("%+v; want 2 and 1", s)
	}
}

func TestExplainedVarianceIsOneForAPerfectCriticAndZeroForAConstantOne(t *testing.T) {
	rows, ret := []int32{0, 1, 2}, []float32{1, 2, 6}
	if v := explainedVariance(rows, ret, ret); v != 1 {
		t.Errorf("perfect: %v", v)
	}
	if v := explainedVariance(rows, []float32{5, 5, 5}, ret); math.Abs(v) > 1e-9 {
		t.Errorf("constant: %v", v)
	}
	if v := explainedVariance(nil, nil, nil); v != 0 {
		t.Errorf("nothing: %v", v)
	}
}
