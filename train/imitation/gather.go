package imitation

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// Gathering is the part of the work that a call of [Gather] does.
type Gathering struct {
	durable.Part
	Matches  int // of all shards
	Folder   string
	Progress func(matches, decisions int) // may be nil; called one at a time
}

// Gather plays the matches of a shard with a teacher and records its answer to every decision, for [Settings.Labels]. A match depends
// only on the configuration, which was validated, and its own number, so shards can be gathered anywhere and in any order. A shard that
// exists is left as it is: written is then false.
func Gather(ctx context.Context, cfg *selfplay.Config, s *Settings, g Gathering) (path string, written bool, err error) {
	if len(cfg.All()) > 1 {
		return "", false, fmt.Errorf("game: %d games: labels are of one: gather them one by one", len(cfg.All()))
	}
	if !cfg.Alone() {
		return "", false, fmt.Errorf("opponents: the teacher plays all matches alone: want none")
	}
	if g.Matches < 1 || g.Matches > mostMatches {
		return "", false, fmt.Errorf("matches: %d: want from 1 to %d", g.Matches, mostMatches)
	}
	if err := g.Check(g.Matches, "matches"); err != nil {
		return "", false, err
	}
	l := &Labels{LabelsHead: LabelsHead{
		Game: cfg.Game, Seed: cfg.Seed, Teacher: s.Teacher, RandomMoves: s.RandomMoves,
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
	if l.Matches, err = gatherMatches(ctx, cfg, s, l.LabelsHead, g.Progress); err != nil {
		return "", false, err
	}
	path, err = l.save(g.Folder)
	return path, err == nil, err
}

// gatherMatches plays the matches of a shard, as many at a time as there are workers.
func gatherMatches(ctx context.Context, cfg *selfplay.Config, s *Settings, head LabelsHead, progress func(matches, decisions int)) ([][]Label, error) {
	numbers := head.Numbers(head.Total)
	var read policy.Reader
	runner, err := match.NewRunner(cfg.Game, min(cfg.Goroutines(), len(numbers)), match.Player{Name: s.Teacher, Bot: func(g engine.Game) (bots.Bot, error) {
		t, err := newTeacher(s.Teacher, s.Targets, g, &read)
		return &teacherPlayer{teacher: t, settings: s}, err
	}})
	if err != nil {
		return nil, err
	}
	matches := make([]match.Match, len(numbers))
	for k, j := range numbers {
		matches[k] = match.Match{Seed: episodeSeed(cfg, j), Choices: engine.NewRand(cfg.Seed).At(selfplay.StreamSampling).At(uint64(j)), Seats: make([]int, runner.Info().Seats)}
	}
	played := make([][]Label, len(numbers))
	var reporting sync.Mutex
	done, decisions := 0, 0
	runner.Watch = func() (match.Watcher, error) {
		var own int // the match being played
		return match.Watcher{
			Begin: func(k int, _ *match.Match) error { own = k; return nil },
			Decide: func(_ engine.Match, by bots.Bot, _ engine.Action) error {
				t := by.(*teacherPlayer)
				played[own] = append(played[own], t.last)
				return t.err
			},
			End: func(engine.Match, *match.Final) error {
				if progress != nil {
					reporting.Lock()
					defer reporting.Unlock()
					done, decisions = done+1, decisions+len(played[own])
					progress(done, decisions)
				}
				return nil
			},
		}, nil
	}
	_, err = runner.Play(ctx, matches)
	return played, err
}

// teacherPlayer is a teacher as a player, which plays what it says or a move at random.
type teacherPlayer struct {
	teacher
	settings *Settings
	said     answer
	last     Label // of its last decision
	err      error // why there is none
}

func (t *teacherPlayer) Name() string { return t.bot.Name() }

func (t *teacherPlayer) Act(m engine.Match, r *engine.Rand) engine.Action {
	here := r.At(r.Counter) // each decision has its own stream: r counts them
	r.Counter++
	s := &t.said
	if t.err = s.decide(t.teacher, m, here, t.settings); t.err != nil {
		return m.Legal().First()
	}
	t.last = Label{Played: s.played, Choice: s.choice, Values: slices.Clone(s.values), Chances: slices.Clone(s.chances)}
	return s.played
}
