package doubloons

import (
	"math"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

func TestRunningRewardsAddUpToTheFinalOne(t *testing.T) {
	for _, objective := range []string{"win", "margin"} {
		t.Run(objective, func(t *testing.T) { runningIsFinal(t, objective) })
	}
}

func runningIsFinal(t *testing.T, objective string) {
	game := "doubloons(seats=3,objective=" + objective
	final, err := engine.NewGame(game + ")")
	if err != nil {
		t.Fatal(err)
	}
	running, err := engine.NewGame(game + ",rewards=running)")
	if err != nil {
		t.Fatal(err)
	}
	a, b := final.NewMatch(), running.NewMatch()
	a.Reset(5)
	b.Reset(5)
	rand := engine.NewRand(5)
	early := false
	var at, now [3]float32
	for a.Seat() != engine.Over {
		a.Returns(at[:])
		b.Returns(now[:])
		if at != [3]float32{} {
			t.Fatalf("rewards=final pays %v before the end", at)
		}
		sum := float64(now[0] + now[1] + now[2])
		if math.Abs(sum) > 1e-5 {
			t.Fatalf("running rewards %v add up to %g", now, sum)
		}
		early = early || now != at
		act := a.Legal().Sample(&rand)
		if err := a.Apply(act); err != nil {
			t.Fatal(err)
		}
		if err := b.Apply(act); err != nil {
			t.Fatal(err)
		}
	}
	a.Returns(at[:])
	b.Returns(now[:])
	if at != now || !early {
		t.Errorf("final %v, running %v at the end; paid before the end: %v", at, now, early)
	}
}

func TestTheLeaderIsPaidForItsChanceToWin(t *testing.T) {
	r := new(Rules)
	for _, c := range []struct {
		score []int32
		want  []float32
	}{
		{[]int32{7, 7, 7, 7}, []float32{0, 0, 0, 0}},
		{[]int32{9, 8}, []float32{2*behind/(behind+1) - 1, 1 - 2*behind/(behind+1)}},
		{[]int32{-50, 120, 0}, []float32{-0.5, 1, -0.5}},
	} {
		got := make([]float32, len(c.score))
		r.winSoFar(c.score, got)
		for i := range got {
			if math.Abs(float64(got[i]-c.want[i])) > 1e-4 {
				t.Errorf("scores %v are worth %v; want %v", c.score, got, c.want)
				break
			}
		}
	}
}

func TestRunningRewardsNeedAnObjectiveWithAValueBeforeTheEnd(t *testing.T) {
	if _, err := engine.NewGame("doubloons(objective=rank,rewards=running)"); err == nil {
		t.Error("rewards=running is accepted with objective=rank")
	}
}
