// Package env is the vectorised environment: many matches of one game, stepped
// together into one preallocated batch.
//
//	vec, err := env.New(env.Config{Game: "leduc", NumEnvs: 256, Seed: 7, Autoreset: env.SameStep})
//	defer vec.Close()
//	batch, err := vec.Reset()
//	for … {
//		actions := policy(batch.Obs, batch.Mask) // [n] int32
//		batch, err = vec.Step(actions)
//	}
//
// A row is one environment. Its reading is that of PettingZoo's AEC: Seat says
// who is to act, Obs is what that seat sees, and Reward has what every seat earned since
// the row's last step. The names of the autoreset modes and what they mean are Gymnasium's.
//
// A step allocates nothing, and what it computes does not depend on the number
// of workers.
package env
