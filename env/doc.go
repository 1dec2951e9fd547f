// Package env is the vectorised environment: many matches of one game, stepped
// together into one preallocated batch. Import engine/games, which registers the built-in games:
//
//	import _ "github.com/privateer-rl/privateer/engine/games"
//
//	vec, err := env.New(env.Config{Game: "leduc", NumEnvs: 256, Seed: 7, Autoreset: env.SameStep})
//	defer vec.Close()
//	batch, err := vec.Reset()
//	for … {
//		actions := policy(batch.Obs, batch.Mask) // [n] int32
//		batch, err = vec.Step(actions)
//	}
//
// A row is one environment, read as in PettingZoo's AEC: Seat is the seat to act, Obs its view, and Reward the earnings of every seat
// since the row's last step. The autoreset modes have Gymnasium's names and meanings.
//
// # Ways to step
//
// [Vec.Step] steps all rows and returns when they are done.
//
// [Vec.Parts] splits the rows. [Part.Start] and [Part.Wait] step one part while the
// actions of another are being worked out: double buffering.
//
// [Vec.Send] and [Vec.Recv] step any rows in any order. A batch has the first
// Config.BatchSize rows that are ready, and Batch.EnvID says which they are. It suits rows that take different times, as with
// searching bots in the loop, or with actions from elsewhere.
//
// However rows are stepped, and by however many workers, each shows the same bytes.
//
// # Who decides
//
// By default every decision of every seat is the caller's. Config.Players gives some
// players to bots and policies; a row then continues by itself until a player of the
// caller's is to act. Rewards that accrue meanwhile are in the next Reward.
//
// The caller then sees only what its own seats know, at the end of an
// episode as before it, unless Config.Full shows everything. Batch.Seat is always one of
// them, and Obs is what that seat sees. FinalObs has the end as each of them sees it, and
// zeros for the other seats; Score does not count what is hidden from them. Steps, lengths,
// statistics and Config.MaxDecisions count the caller's decisions: the number of the others' decisions could reveal their cards. For
// the same reason a match is cut short
// only if the caller is to decide, so that what a truncation is bootstrapped from is
// the view of a seat before a decision of its own.
//
// # Truncation
//
// Config.MaxDecisions truncates episodes, and so does a limit that a game string has beside the
// rules, such as max_rounds of doubloons. Batch.Truncated is then set and Terminated is not; nobody has
// won, and Reward has no more than what was paid early. FinalObs is what seats see before the
// decision that would have come next, as in a match that continues: from there one can estimate what
// each could still expect. [Vec.Stats] counts both kinds and leaves them out of win rates.
//
// # More
//
// Config.ActionRows adds, for games that describe their actions, what each legal action does: rows
// [total, F] and offsets [n+1], as encode.Encoder.EncodeActions writes them.
//
// Config.ShuffleSeats draws the seating,
// Config.Record keeps transcripts of all matches or of a share, Config.Full adds the
// view that hides nothing, Config.Masks asks for masks in bits. [Vec.Stats] sums up the episodes.
// [Vec.Snapshot] and [Vec.Restore] save everything, including what is under way, and continue
// exactly. [Vec.Observe] and similar methods show a row to any seat of the caller's, [Vec.CopyMatch] and [Vec.Redeal] give a
// search matches of its own. encode.Schema.Floats turns observations into float32.
//
// # How it is made
//
// The states of the matches are contiguous in memory, and each worker has a fixed run of them.
// In one go a row is stepped, reset if it is over, and shown, while its match is in the
// cache; the memory that the rows after it will write is prefetched meanwhile. Workers meet at a
// barrier, where they spin for some microseconds before they sleep, so that a caller that does
// other work has the cores for it. A task that takes one worker only some microseconds
// wakes no other. A step allocates nothing.
// [Bench] measures all of it.
//
// Beside the vector, package env/match plays whole matches between players, and the packages of env/measure evaluate them:
// comparisons, ratings, exploitability, balance.
package env
