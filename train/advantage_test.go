package train

import (
	"math"
	"testing"
)

// Two decisions of a seat, of which the second wins or loses the match by luck of the draw: the policy is even between them. The
// critic knows all of it. What the first decision was worth is then known whichever was drawn, unless the critic does not say
// what actions lead by.
func TestLeadsKeepTheLuckOfLaterChoicesOutOfAdvantages(t *testing.T) {
	value := []float32{0.5, 0.7} // the first choice led by 0.2
	next, boot := []int32{1, ended}, []float32{0, 0}
	of := func(won bool, lead []float32) (adv, ret [2]float32) {
		reward := []float32{0, 0.4}
		if won {
			reward[1] = 1
		}
		advantages(reward, value, lead, boot, next, 1, 1, adv[:], ret[:])
		return adv, ret
	}
	for _, won := range []bool{false, true} {
		result, luck := float32(0.4), float32(-0.3)
		if won {
			result, luck = 1, 0.3
		}
		adv, ret := of(won, []float32{0.2, luck})
		for i, want := range []float32{0.2, luck} {
			if math.Abs(float64(adv[i]-want)) > 1e-6 {
				t.Errorf("won %v: advantage %d is %v, want %v", won, i, adv[i], want)
			}
		}
		if math.Abs(float64(ret[0]-0.7)) > 1e-6 || math.Abs(float64(ret[1]-result)) > 1e-6 {
			t.Errorf("won %v: the critic is to learn %v, want 0.7 and %v", won, ret, result)
		}
		plain, _ := of(won, nil)
		if math.Abs(float64(plain[0]-0.2-luck)) > 1e-6 {
			t.Errorf("won %v: without leads the first advantage is %v, want %v", won, plain[0], 0.2+luck)
		}
		if none, _ := of(won, []float32{0, 0}); none != plain {
			t.Errorf("won %v: with leads of 0 advantages are %v, without %v", won, none, plain)
		}
	}
}
