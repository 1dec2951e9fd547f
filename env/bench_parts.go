package env

import (
	"bytes"
	"fmt"

	"github.com/privateer-rl/privateer/engine"
)

// This file has the single measurements of Bench.

// memmove measures the machine alone.
func (b *bench) memmove() error {
	const size = 64 << 20
	from, to := make([]byte, size), make([]byte, size)
	r := BenchResult{What: BenchMemmove, Workers: 1, Bytes: 1}
	return b.measure(r, size, func() error {
		copy(to, from)
		return nil
	})
}

// vec measures whole steps of a vector.
func (b *bench) vec(game string, n, workers int) error {
	v, err := New(Config{Game: game, NumEnvs: n, Workers: workers, Seed: b.cfg.Seed, Autoreset: SameStep, Full: b.cfg.Full})
	if err != nil {
		return err
	}
	defer v.Close()
	if _, err := v.Reset(); err != nil {
		return err
	}
	actions, draws := make([]int32, n), streams(b.cfg.Seed, n)
	r := BenchResult{What: BenchVec, Game: v.info.Config, Envs: n, Workers: workers}
	r.Bytes = len(v.matches[0].Bytes()) + v.wide.obs + v.wide.actions
	if b.cfg.Full {
		r.What = BenchVecFull
		r.Bytes += v.wide.full
	}
	step := func() error {
		if err := v.SampleActions(actions, draws); err != nil {
			return err
		}
		_, err := v.Step(actions)
		return err
	}
	if err := b.measure(r, n, step); err != nil || b.own == nil {
		return err
	}
	r.What = BenchBeside
	return b.measure(r, n, func() error {
		b.own.work()
		return step()
	})
}

// engine measures the same play without observations, masks and batches.
func (b *bench) engine(game string, n, workers int) error {
	check := Config{NumEnvs: n, Workers: workers}
	if err := check.check(); err != nil {
		return err
	}
	batch, err := b.batch(game, n)
	if err != nil {
		return err
	}
	actions, draws, episodes, none := make([]int32, n), streams(b.cfg.Seed, n), make([]uint64, n), make([]bool, n)
	seats, legal, matches := batch.Seats(), batch.Legal(), batch.Matches()
	step := task{do: func(_ *arguments, _, from, to int) error {
		for i := from; i < to; i++ {
			actions[i] = int32(legal[i].Sample(&draws[i]))
			if at := batch.Apply(i, i+1, actions, none); at == i {
				return fmt.Errorf("row %d: action %d is legal, but is refused", i, actions[i])
			}
			if seats[i] == engine.Over {
				episodes[i]++
				matches[i].Reset(engine.EpisodeSeed(engine.RowSeed(b.cfg.Seed, uint64(i)), episodes[i]))
			}
		}
		return nil
	}}
	c, all := newWorkers(check.Workers, check.Apart), newJob(check.Workers, 0, n)
	defer c.stop()
	r := BenchResult{What: BenchEngine, Game: matches[0].Info().Config, Envs: n, Workers: workers, Bytes: len(matches[0].Bytes())}
	return b.measure(r, n, func() error { return c.run(all, &step, arguments{}) })
}

// batch has n matches at their first decisions.
func (b *bench) batch(game string, n int) (engine.Batch, error) {
	g, err := engine.NewGame(game)
	if err != nil {
		return nil, err
	}
	if g.Info().Explicit {
		return nil, fmt.Errorf("game %q: chance=explicit makes chance events decisions: leave it out", game)
	}
	batch := g.NewBatch(n)
	for i, m := range batch.Matches() {
		m.Reset(engine.EpisodeSeed(engine.RowSeed(b.cfg.Seed, uint64(i)), 0))
	}
	return batch, nil
}

// search measures what a search does at each node, on matches at all stages
// of play.
func (b *bench) search(game string, n int) error {
	batch, err := b.batch(game, n)
	if err != nil {
		return err
	}
	draw := engine.NewRand(b.cfg.Seed)
	matches := batch.Matches()
	for i, m := range matches {
		for range i % 64 {
			if err := m.Apply(m.Legal().Sample(&draw)); err != nil {
				return err
			}
			if m.Seat() == engine.Over {
				m.Reset(draw.Uint64())
			}
		}
	}
	node := matches[0].Info()
	g, err := engine.NewGame(game)
	if err != nil {
		return err
	}
	m := g.NewMatch()
	r := BenchResult{What: BenchCopy, Game: node.Config, Envs: n, Workers: 1, Bytes: len(m.Bytes())}
	if err := b.measure(r, n, func() error {
		for _, from := range matches {
			m.CopyFrom(from)
		}
		return nil
	}); err != nil {
		return err
	}
	r.What = BenchRedeal
	return b.measure(r, n, func() error {
		for _, from := range matches {
			m.CopyFrom(from)
			m.Redeal(m.Seat(), &draw)
		}
		return nil
	})
}

// snapshots measures saving and restoring a vector.
func (b *bench) snapshots(game string, n int) error {
	v, err := New(Config{Game: game, NumEnvs: n, Seed: b.cfg.Seed, Autoreset: SameStep})
	if err != nil {
		return err
	}
	defer v.Close()
	if _, err := v.Reset(); err != nil {
		return err
	}
	var saved bytes.Buffer
	if err := v.Snapshot(&saved); err != nil {
		return err
	}
	r := BenchResult{What: BenchSnapshot, Game: v.info.Config, Envs: n, Workers: 1, Bytes: saved.Len() / n}
	if err := b.measure(r, n, func() error {
		saved.Reset()
		return v.Snapshot(&saved)
	}); err != nil {
		return err
	}
	r.What = BenchRestore
	return b.measure(r, n, func() error { return v.Restore(bytes.NewReader(saved.Bytes())) })
}

func streams(seed uint64, n int) []engine.Rand {
	all := make([]engine.Rand, n)
	root := engine.NewRand(seed)
	for i := range all {
		all[i] = root.At(uint64(i))
	}
	return all
}
