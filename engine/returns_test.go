package engine

import (
	"math"
	"strings"
	"testing"
)

// paying is the payment that a game string asks for.
func paying(t *testing.T, objective, rewards string) Payment {
	t.Helper()
	p, err := Config{values: map[string]string{"objective": objective, "rewards": rewards}}.Payment(20, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func wantPaid(t *testing.T, p Payment, over bool, standing []int64, score []int32, want ...float32) {
	t.Helper()
	got := make([]float32, len(score))
	got[0] = 9
	p.Pay(over, standing, score, got)
	for i := range got {
		if math.Abs(float64(got[i]-want[i])) > 1e-6 {
			t.Errorf("%s, points %v standing as %v, over %v: paid %v, want %v", p.objective, score, standing, over, got, want)
			return
		}
	}
}

func TestAWinIsPaidAndSharedZeroSum(t *testing.T) {
	p := paying(t, "win", "final")
	wantPaid(t, p, true, []int64{5, 9, 1}, []int32{5, 9, 1}, -.5, 1, -.5)
	wantPaid(t, p, true, []int64{9, 9, 1}, []int32{9, 9, 1}, .25, .25, -.5)
	wantPaid(t, p, true, []int64{3, 3, 3}, []int32{3, 3, 3}, 0, 0, 0)
	wantPaid(t, p, true, []int64{31, 30}, []int32{3, 3}, 1, -1) // a tie of points, broken
	wantPaid(t, p, false, []int64{5, 9, 1}, []int32{5, 9, 1}, 0, 0, 0)
}

func TestARankIsPaidLinearly(t *testing.T) {
	p := paying(t, "rank", "final")
	wantPaid(t, p, true, []int64{9, 5, 1}, []int32{9, 5, 1}, 1, 0, -1)
	wantPaid(t, p, true, []int64{9, 5, 5}, []int32{9, 5, 5}, 1, -.5, -.5)
}

func TestAMarginIsPaidInUnitsOfTheGameAndClipped(t *testing.T) {
	p := paying(t, "margin", "final")
	wantPaid(t, p, true, []int64{9, 5, 5}, []int32{9, 5, 5}, 4./20, -2./20, -2./20)
	wantPaid(t, p, true, []int64{45, 5, 1}, []int32{45, 5, 1}, 1, -.9, -1)
}

func TestTheLeaderIsPaidForItsChanceToWin(t *testing.T) {
	p := paying(t, "win", "running")
	for _, c := range []struct {
		score []int32
		want  []float32
	}{
		{[]int32{7, 7, 7, 7}, []float32{0, 0, 0, 0}},
		{[]int32{9, 8}, []float32{2*1.5/2.5 - 1, 1 - 2*1.5/2.5}},
		{[]int32{-150, 120, 0}, []float32{-0.5, 1, -0.5}},
	} {
		wantPaid(t, p, false, make([]int64, len(c.score)), c.score, c.want...)
	}
	wantPaid(t, p, true, []int64{9, 8}, []int32{9, 8}, 1, -1)
}

func TestPaymentsThatCannotBeAreRefused(t *testing.T) {
	for _, c := range []struct{ objective, rewards, naming string }{
		{"fun", "final", "objective=fun"},
		{"win", "often", "rewards=often"},
		{"rank", "running", "objective=rank has no value before the end"},
	} {
		_, err := Config{values: map[string]string{"objective": c.objective, "rewards": c.rewards}}.Payment(20, 1.5)
		if err == nil || !strings.Contains(err.Error(), c.naming) {
			t.Errorf("objective=%s, rewards=%s: %v: want it to say %q", c.objective, c.rewards, err, c.naming)
		}
	}
}

func TestSharedWinsAreSplit(t *testing.T) {
	for _, c := range []struct {
		returns []float32
		seat    int
		want    float64
	}{{[]float32{1, -1}, 0, 1}, {[]float32{1, -1}, 1, 0}, {[]float32{0, 0, -1}, 1, 0.5}, {[]float32{2, 2, 2, 2}, 3, 0.25}} {
		if got := WinShare(c.returns, c.seat); got != c.want {
			t.Errorf("%v: seat %d has %v of the win; want %v", c.returns, c.seat, got, c.want)
		}
	}
}
