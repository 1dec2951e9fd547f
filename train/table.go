package train

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/search"
	"github.com/privateer-rl/privateer/train/learner"
)

// What rollout_players may name besides bots.
const (
	selfPlayer = "self" // the network as it is at the beginning of the iteration
	pastPlayer = "past" // the network as it was earlier in the run, drawn from the past selves that are kept
)

// table is who plays the rollouts of an iteration. The network is frozen for as long: it plays, weighs actions and judges
// positions through encode/policy, without libtorch.
type table struct {
	names []string
	upTo  []float64 // share of rollouts in which a seat has this player or one before it
	self  *policy.Bundle
	seats []*seats // one a worker
	past  []pastSelf
}

// pastSelf is the network as it was.
type pastSelf struct {
	weights []learner.Tensor
	bundle  *policy.Bundle
}

// seats are the players of a table for one worker. It is the player of the worker's rollouts: which player has which seat
// is drawn when a rollout begins.
type seats struct {
	table   *table
	game    engine.Game
	self    *frozen
	past    []*frozen
	players []bots.Bot // by name; nil: past
	at      []bots.Bot // by seat
}

func newTable(t *trainer) (*table, error) {
	b := &table{names: t.cfg.RolloutPlayers}
	b.share(t.cfg)
	return b, b.freeze(t)
}

// share sums up the players' shares.
func (b *table) share(cfg Config) {
	total := 0.0
	for i := range b.names {
		x := 1.0
		if len(cfg.RolloutShares) > 0 {
			x = cfg.RolloutShares[i]
		}
		total += x
		b.upTo = append(b.upTo, total)
	}
	for i := range b.upTo {
		b.upTo[i] /= total
	}
}

func (b *table) newSeats(t *trainer) (*seats, error) {
	self, err := b.self.Bot(selfPlayer, t.game)
	if err != nil {
		return nil, err
	}
	s := &seats{table: b, game: t.game, self: &frozen{self}, at: make([]bots.Bot, t.game.Info().Seats)}
	for _, name := range b.names {
		var p bots.Bot
		switch name {
		case selfPlayer:
			p = s.self
		case pastPlayer:
		default:
			if p, err = t.read.NewBot(name, t.game); err != nil {
				return nil, fmt.Errorf("rollout_players: %w", err)
			}
		}
		s.players = append(s.players, p)
	}
	b.seats = append(b.seats, s)
	return s, nil
}

// Name implements bots.Bot.
func (s *seats) Name() string { return "table" }

// Act lets the player of the seat decide.
func (s *seats) Act(m engine.Match, r *engine.Rand) engine.Action { return s.at[m.Seat()].Act(m, r) }

// Sit implements search.Seated.
func (s *seats) Sit(r *engine.Rand) {
	for seat := range s.at {
		x, k := 0.0, 0
		if len(s.players) > 1 {
			x = r.Float64()
		}
		for k < len(s.players)-1 && x >= s.table.upTo[k] {
			k++
		}
		if s.at[seat] = s.players[k]; s.players[k] != nil {
			continue
		}
		if s.at[seat] = s.self; len(s.past) > 0 {
			s.at[seat] = s.past[r.Intn(len(s.past))]
		}
	}
}

// frozen is a network that plays, weighs actions and judges without libtorch.
type frozen struct{ *policy.Bot }

var (
	_ search.Prior  = (*frozen)(nil)
	_ search.Value  = (*frozen)(nil)
	_ search.Seated = (*seats)(nil)
)

// freeze lets all workers play the network as it is now.
func (b *table) freeze(t *trainer) error {
	tensors, err := t.learner.Weights()
	if err != nil {
		return fmt.Errorf("freeze the network: %w", err)
	}
	if b.self, err = t.frozenBundle(tensors); err != nil {
		return fmt.Errorf("freeze the network: %w", err)
	}
	for _, s := range b.seats {
		if s.self.Bot, err = b.self.Bot(selfPlayer, s.game); err != nil {
			return err
		}
	}
	return nil
}

// remember keeps the network as a past self if that is due at the end of an iteration, and forgets the oldest beyond
// past_selves.
func (b *table) remember(t *trainer) error {
	if !slices.Contains(b.names, pastPlayer) || !due(t.iteration, t.cfg.PastEvery) {
		return nil
	}
	tensors, err := t.learner.Weights()
	if err != nil {
		return err
	}
	if err := b.keep(t, tensors); err != nil {
		return err
	}
	return b.seatPast(t)
}

// keep adds a past self.
func (b *table) keep(t *trainer, tensors []learner.Tensor) error {
	bundle, err := t.frozenBundle(tensors)
	if err != nil {
		return err
	}
	b.past = append(b.past, pastSelf{tensors, bundle})
	if n := len(b.past) - t.cfg.PastSelves; n > 0 {
		b.past = slices.Delete(b.past, 0, n)
	}
	return nil
}

// seatPast gives each worker the past selves.
func (b *table) seatPast(t *trainer) error {
	for _, s := range b.seats {
		s.past = s.past[:0]
		for _, p := range b.past {
			bot, err := p.bundle.Bot(pastPlayer, t.game)
			if err != nil {
				return err
			}
			s.past = append(s.past, &frozen{bot})
		}
	}
	return nil
}

// save writes the past selves: how many, and for each the length of its weights as safetensors, and these.
func (b *table) save(w io.Writer) error {
	failed := binary.Write(w, binary.LittleEndian, uint32(len(b.past)))
	for _, p := range b.past {
		var one bytes.Buffer
		failed = errors.Join(failed, learner.WriteSafetensors(&one, p.weights, nil), binary.Write(w, binary.LittleEndian, uint32(one.Len())))
		_, err := w.Write(one.Bytes())
		failed = errors.Join(failed, err)
	}
	return failed
}

func (b *table) load(t *trainer, r io.Reader) error {
	var n, size uint32
	if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
		return err
	}
	b.past = nil
	for range n {
		if err := binary.Read(r, binary.LittleEndian, &size); err != nil {
			return err
		}
		tensors, _, err := learner.ReadSafetensors(io.LimitReader(r, int64(size)))
		if err != nil {
			return err
		}
		if err := b.keep(t, tensors); err != nil {
			return err
		}
	}
	return b.seatPast(t)
}

// frozenBundle makes a bundle of weights of the trainer's network, in memory. It computes in whole numbers, for two thirds of
// the time: a player of rollouts need not be the network to the last digit.
func (t *trainer) frozenBundle(tensors []learner.Tensor) (*policy.Bundle, error) {
	w := weights{tensors: tensors, scales: t.scales()}
	b := w.bundle(t.cfg, t.encoder)
	if err := b.Check(); err != nil {
		return nil, err
	}
	return b.InWholeNumbers()
}
