package compare

import (
	"context"

	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/env/match"
)

// Field is players of one game who are set up once and compared again and again, as a program that takes long to start must be.
type Field struct {
	players []match.Player
	runner  *match.Runner
}

// NewField sets players up. workers is the number of goroutines, 0 for one a core.
func NewField(game string, workers int, players ...match.Player) (*Field, error) {
	r, err := match.NewRunner(game, workers, players...)
	if err != nil {
		return nil, err
	}
	return &Field{players, r}, nil
}

// Compare is what the function Compare finds of players a and b, numbers of the field, by at least a number of matches of each kind of
// table on the deals of a seed.
func (f *Field) Compare(ctx context.Context, a, b, matches int, seed uint64) (Comparison, error) {
	head := shardHead{
		Game: f.runner.Info().Config, Seats: f.runner.Info().Seats, A: f.players[a].Name, B: f.players[b].Name,
		Matches: matches, Seed: seed, Part: durable.Part{Shard: 1, Shards: 1},
	}
	s, err := head.play(ctx, f.runner, a, b)
	if err != nil {
		return Comparison{}, err
	}
	return merge([]*shard{s}), nil
}

// Close ends what the players keep running. Nothing can be compared afterwards.
func (f *Field) Close() { f.runner.Close() }
