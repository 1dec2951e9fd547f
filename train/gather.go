package train

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/env"
)

// Gathering says which part of the work a call of [Gather] does.
type Gathering struct {
	Matches       int // of all shards
	Shard, Shards int // Shard from 1
	Folder        string
	Progress      func(matches, decisions int) // nil: nobody is told; one call at a time
}

// Gather lets the teacher of a configuration (algorithm: imitate) play the matches of a shard, and writes down what it says at
// every decision, for [Config.Labels]. What a match comes to depends on the configuration and the match's number alone, so shards can
// be gathered anywhere and in any order. A shard that is there already is left as it is: written is false then.
func Gather(ctx context.Context, cfg Config, g Gathering) (path string, written bool, err error) {
	if cfg.Algorithm != imitation {
		return "", false, fmt.Errorf("algorithm: %s: want %s: labels are what a teacher says", cfg.Algorithm, imitation)
	}
	if err := cfg.Validate(); err != nil {
		return "", false, err
	}
	if !cfg.teacherAlone() {
		return "", false, fmt.Errorf("student_moves, opponents, max_decisions: gathering knows none of them: the teacher plays all matches to their end")
	}
	if g.Matches < 1 || g.Matches > mostMatches {
		return "", false, fmt.Errorf("matches: %d: want from 1 to %d", g.Matches, mostMatches)
	}
	if g.Shards < 1 || g.Shard < 1 || g.Shard > g.Shards || g.Shards > g.Matches {
		return "", false, fmt.Errorf("shard: %d/%d: want K/N with K from 1 to N, and no more shards than the %d matches", g.Shard, g.Shards, g.Matches)
	}
	l := &Labels{LabelsHead: LabelsHead{
		Game: cfg.Game, Seed: cfg.Seed, Teacher: cfg.Teacher, RandomMoves: cfg.RandomMoves,
		Rows: cfg.NumEnvs, Total: g.Matches, Shard: g.Shard, Shards: g.Shards,
	}}
	path = filepath.Join(g.Folder, l.file())
	if there, err := readShard(path); err == nil && there.LabelsHead == l.LabelsHead {
		return path, false, nil
	} else if err == nil {
		return "", false, fmt.Errorf("%s is of another gathering: want another folder", path)
	}
	if err := os.MkdirAll(g.Folder, 0o755); err != nil {
		return "", false, fmt.Errorf("labels: %w", err)
	}
	if err := durable.Check(path); err != nil {
		return "", false, err
	}
	if l.Matches, err = gatherMatches(ctx, cfg, l.LabelsHead, g.Progress); err != nil {
		return "", false, err
	}
	path, err = l.save(g.Folder)
	return path, err == nil, err
}

// gatherMatches plays the matches of a shard, as many at a time as there are workers.
func gatherMatches(ctx context.Context, cfg Config, head LabelsHead, progress func(matches, decisions int)) ([][]Label, error) {
	game, err := engine.NewGame(cfg.Game)
	if err != nil {
		return nil, err
	}
	numbers := head.numbers()
	played := make([][]Label, len(numbers))
	workers := cfg.workers()
	var (
		next, decisions atomic.Int64
		telling         sync.Mutex
		done            int
		wg              sync.WaitGroup
		failed          = make([]error, workers)
	)
	for w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			t, err := newTeacher(cfg, game)
			m := game.NewMatch()
			for err == nil {
				k := int(next.Add(1)) - 1
				if k >= len(numbers) {
					return
				}
				if err = ctx.Err(); err == nil {
					played[k], err = gatherMatch(cfg, t, m, numbers[k])
				}
				if progress != nil && err == nil {
					n := int(decisions.Add(int64(len(played[k]))))
					telling.Lock()
					done++
					progress(done, n)
					telling.Unlock()
				}
			}
			failed[w] = err
			next.Store(int64(len(numbers))) // the others need not go on
		}()
	}
	wg.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return played, nil
}

// gatherMatch plays match j.
func gatherMatch(cfg Config, t teacher, m engine.Match, j int) ([]Label, error) {
	root := engine.NewRand(cfg.Seed)
	row, episode := uint64(j%cfg.NumEnvs), uint64(j/cfg.NumEnvs)
	m.Reset(engine.EpisodeSeed(root.At(streamMatches).Key+row, episode))
	luck := root.At(streamSampling).At(uint64(j))
	var said answer
	var of []Label
	for m.Seat() >= 0 {
		here := luck.At(uint64(len(of)))
		r := here.At(0)
		if err := said.ask(t, m, &r, cfg); err != nil {
			return nil, fmt.Errorf("match %d: %w", j, err)
		}
		d := Label{Played: said.choice, Choice: said.choice}
		for _, v := range said.values {
			d.Values = append(d.Values, float32(v))
		}
		if chance := here.At(1); chance.Float64() < cfg.RandomMoves {
			d.Played = m.Legal().Sample(&chance)
		}
		of = append(of, d)
		if err := m.Apply(d.Played); err != nil {
			return nil, fmt.Errorf("match %d: %w", j, err)
		}
	}
	return of, nil
}

// newTeacher makes the bot that a configuration names.
func newTeacher(cfg Config, g engine.Game) (teacher, error) {
	b, err := policy.NewBot(cfg.Teacher, g)
	if err != nil {
		return teacher{}, fmt.Errorf("teacher: %w", err)
	}
	t := teacher{bot: b}
	t.explains, _ = b.(bots.Explainer)
	if t.explains == nil && cfg.Targets == softTargets {
		return t, fmt.Errorf("targets: soft: %s does not say what actions are worth: want hard", cfg.Teacher)
	}
	return t, nil
}

// recalled is a gathering, and how far each row has gone through its matches.
type recalled struct {
	cfg    Config
	labels *Labels
	at     []place // by row
}

// place is a decision: that of a row's episode.
type place struct{ Episode, Decision int }

// recall reads the labels of a configuration, and refuses those that are not for it.
func recall(cfg Config) (*recalled, error) {
	l, err := ReadLabels(cfg.Labels)
	if err != nil {
		return nil, err
	}
	want := l.LabelsHead
	want.Game, want.Seed, want.Teacher, want.RandomMoves, want.Rows = cfg.Game, cfg.Seed, cfg.Teacher, cfg.RandomMoves, cfg.NumEnvs
	if want != l.LabelsHead {
		h := l.LabelsHead
		return nil, fmt.Errorf("labels: %s: gathered with game %s, seed %d, teacher %s, random_moves %v, num_envs %d: want the same in the configuration",
			cfg.Labels, h.Game, h.Seed, h.Teacher, h.RandomMoves, h.Rows)
	}
	fewest, row := -1, 0
	for i := range cfg.NumEnvs {
		n := 0
		for j := i; j < len(l.Matches); j += cfg.NumEnvs {
			n += len(l.Matches[j])
		}
		if fewest < 0 || n < fewest {
			fewest, row = n, i
		}
	}
	// The step after the last update begins a match, perhaps, of which nothing needs to be known.
	if need := cfg.Iterations() * cfg.NumSteps; need > fewest {
		return nil, fmt.Errorf("labels: %s: environment %d has %d decisions, and total_timesteps: %d needs %d of each of num_envs: %d: gather more matches, or train for at most %d",
			cfg.Labels, row, fewest, cfg.TotalTimesteps, need, cfg.NumEnvs, fewest/cfg.NumSteps*cfg.NumSteps*cfg.NumEnvs)
	}
	return &recalled{cfg: cfg, labels: l, at: make([]place, cfg.NumEnvs)}, nil
}

// answer says what the teacher said of the decisions of a vector, and what was played.
func (m *recalled) answer(v *env.Vec, said []answer, played []int32) error {
	for i, at := range m.at {
		j := i + at.Episode*m.cfg.NumEnvs
		if j >= len(m.labels.Matches) || at.Decision >= len(m.labels.Matches[j]) {
			return fmt.Errorf("labels: %s: match %d has no decision %d: it was gathered under other rules; gather again", m.cfg.Labels, j, at.Decision)
		}
		d, s := &m.labels.Matches[j][at.Decision], &said[i]
		legal := v.Match(i).Legal()
		if !legal.Has(d.Choice) || !legal.Has(d.Played) || len(d.Values) > 0 && len(d.Values) != legal.Count() {
			return fmt.Errorf("labels: %s: match %d, decision %d: not what is asked there: it was gathered under other rules; gather again", m.cfg.Labels, j, at.Decision)
		}
		s.choice, s.values = d.Choice, s.values[:0]
		for _, x := range d.Values {
			s.values = append(s.values, float64(x))
		}
		s.aim(legal, m.cfg)
		played[i] = int32(d.Played)
	}
	return nil
}

// follow goes on after a step.
func (m *recalled) follow(b *env.Batch) {
	for i := range m.at {
		m.at[i].Decision++
		if b.Terminated[i] || b.Truncated[i] {
			m.at[i] = place{m.at[i].Episode + 1, 0}
		}
	}
}

func (m *recalled) save() []byte {
	b, err := json.Marshal(m.at)
	if err != nil {
		panic(err) // numbers alone
	}
	return b
}

func (m *recalled) restore(b []byte) error {
	var at []place
	if err := json.Unmarshal(b, &at); err != nil || len(at) != len(m.at) {
		return fmt.Errorf("labels: the checkpoint does not say how far they were learnt from: it is of a run without labels, or of another num_envs")
	}
	m.at = at
	return nil
}
