package train

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/durable"
)

// Gathering says which part of the work a call of [Gather] does.
type Gathering struct {
	durable.Part
	Matches  int // of all shards
	Folder   string
	Progress func(matches, decisions int) // nil: nobody is told; one call at a time
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
	if len(cfg.games()) > 1 {
		return "", false, fmt.Errorf("games: %d: labels are of one game: gather them one by one", len(cfg.games()))
	}
	if !cfg.teacherAlone() {
		return "", false, fmt.Errorf("student_moves, opponents, max_decisions: gathering knows none of them: the teacher plays all matches to their end")
	}
	if g.Matches < 1 || g.Matches > mostMatches {
		return "", false, fmt.Errorf("matches: %d: want from 1 to %d", g.Matches, mostMatches)
	}
	if err := g.Check(g.Matches, "matches"); err != nil {
		return "", false, err
	}
	l := &Labels{LabelsHead: LabelsHead{
		Game: cfg.Game, Seed: cfg.Seed, Teacher: cfg.Teacher, RandomMoves: cfg.RandomMoves,
		Rows: cfg.NumEnvs, Total: g.Matches, Part: g.Part,
	}}
	path = l.Path(g.Folder, labelsSuffix)
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
	numbers := head.Numbers(head.Total)
	played := make([][]Label, len(numbers))
	teachers, err := newTeachers(cfg, min(cfg.workers(), len(numbers)))
	if err != nil {
		return nil, err
	}
	var telling sync.Mutex
	matches, decisions := 0, 0
	err = share(len(teachers), len(numbers), func(w, k int) (err error) {
		if err = ctx.Err(); err == nil {
			played[k], err = gatherMatch(cfg, teachers[w][0], game.NewMatch(), numbers[k])
		}
		if progress != nil && err == nil {
			telling.Lock()
			defer telling.Unlock()
			matches, decisions = matches+1, decisions+len(played[k])
			progress(matches, decisions)
		}
		return err
	})
	return played, err
}

// gatherMatch plays match j.
func gatherMatch(cfg Config, t teacher, m engine.Match, j int) ([]Label, error) {
	m.Reset(episodeSeed(cfg, j))
	luck := engine.NewRand(cfg.Seed).At(streamSampling).At(uint64(j))
	var said answer
	var of []Label
	for m.Seat() >= 0 {
		here := luck.At(uint64(len(of)))
		r := here.At(0)
		if err := said.ask(t, m, &r, cfg); err != nil {
			return nil, fmt.Errorf("match %d: %w", j, err)
		}
		d := Label{Played: said.choice, Choice: said.choice, Values: slices.Clone(said.values), Priors: slices.Clone(said.priors), Chances: slices.Clone(said.chances)}
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

// episodeSeed is what match j of a gathering begins with: as the episode of a row of an environment.
func episodeSeed(cfg Config, j int) uint64 {
	row, episode := uint64(j%cfg.NumEnvs), uint64(j/cfg.NumEnvs)
	return engine.EpisodeSeed(engine.RowSeed(engine.NewRand(cfg.Seed).At(streamMatches).Key, row), episode)
}

// newTeachers makes one for each worker and game.
func newTeachers(cfg Config, workers int) ([][]teacher, error) {
	teachers := make([][]teacher, workers)
	names := cfg.teachers()
	var read policy.Reader
	for i, game := range cfg.games() {
		g, err := engine.NewGame(game)
		if err != nil {
			return nil, err
		}
		for w := range teachers {
			t, err := newTeacher(names[i], cfg.Targets, g, &read)
			if err != nil {
				return nil, err
			}
			teachers[w] = append(teachers[w], t)
		}
	}
	return teachers, nil
}

// newTeacher makes a bot that can give targets of a kind.
func newTeacher(name, targets string, g engine.Game, read *policy.Reader) (teacher, error) {
	b, err := read.NewBot(name, g)
	if err != nil {
		return teacher{}, fmt.Errorf("teacher: %w", err)
	}
	t := teacher{bot: b}
	t.explains, _ = b.(bots.Explainer)
	if t.explains == nil && targets != hardTargets {
		return t, fmt.Errorf("targets: %s: %s does not say what actions are worth: want %s", targets, name, hardTargets)
	}
	return t, nil
}
