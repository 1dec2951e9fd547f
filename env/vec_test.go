package env_test

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
)

func TestSmoke(t *testing.T) {
	v, err := env.New(env.Config{Game: "leduc", NumEnvs: 64, Workers: 2, Autoreset: env.SameStep, ShuffleSeats: true})
	if err != nil { t.Fatal(err) }
	defer v.Close()
	b, err := v.Reset()
	st := make([]engine.Rand, 64)
	for i := range st { st[i] = engine.NewRand(uint64(i)) }
	a := make([]int32, 64)
	for range 1000 {
		v.SampleActions(a, st)
		b, err = v.Step(a)
		if err != nil { t.Fatal(err) }
	}
	t.Logf("%+v", v.Stats())
	_ = b
}
