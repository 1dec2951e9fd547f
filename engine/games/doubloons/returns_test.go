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

func TestRunningRewardsNeedAnObjectiveWithAValueBeforeTheEnd(t *testing.T) {
	if _, err := engine.NewGame("doubloons(objective=rank,rewards=running)"); err == nil {
		t.Error("rewards=running is accepted with objective=rank")
	}
}
