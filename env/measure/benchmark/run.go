package benchmark

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure/compare"
	"github.com/privateer-rl/privateer/env/measure/response"
)

// Config says how tasks are played.
type Config struct {
	Version string                                  // of the program
	Load    func(name string) (match.Player, error) // finds opponents; nil: match.Named
	Pool    []Member                                // opponents that are added, or replace those of the same name
	Quick   bool                                    // a tenth of the matches
	Part    durable.Part                            // of the parts of each task; zero: all
	Workers int                                     // goroutines; 0: one a core

	From  *Result // what an earlier call has played; nil: nothing
	Costs Costs   // of From

	Report func(task string, done, of int)    // told of each part of a line; may be nil
	Keep   func(r *Result, costs Costs) error // given all that is known after each; may be nil
}

// Costs are what a decision of the player took, by task. They differ from run to run.
type Costs map[string]match.Cost

// run is a benchmark under way.
type run struct {
	Config
	player match.Player
	result *Result
	costs  Costs
}

// Play has a player do tasks whose games it knows (Fits). The same call continues an earlier one, whose result and costs cfg has.
func Play(ctx context.Context, player match.Player, tasks []Task, cfg Config) (*Result, Costs, error) {
	r := &run{Config: cfg, player: player, costs: Costs{}, result: &Result{Privateer: cfg.Version, Player: player.Name, Digest: player.Digest, Quick: cfg.Quick, Pool: len(cfg.Pool) > 0}}
	maps.Copy(r.costs, cfg.Costs)
	if r.Load == nil {
		r.Load = func(name string) (match.Player, error) { return match.Named(name), nil }
	}
	r.Part = r.Part.OrAll()
	if err := r.Part.Check(Parts, "parts of a task"); err != nil {
		return nil, nil, err
	}
	if cfg.From != nil {
		merged, err := Merge(r.result, cfg.From)
		if err != nil {
			return nil, nil, fmt.Errorf("what was played before is another result: give this one a folder of its own: %w", err)
		}
		r.result = merged
	}
	for _, t := range tasks {
		if err := r.task(ctx, t); err != nil {
			return nil, nil, fmt.Errorf("task %s: %w", t.Name, err)
		}
	}
	r.result.sumUp()
	return r.result, r.costs, nil
}

// Fits says whether a player can play the game of a task; if not, why.
func Fits(player match.Player, t *Task) error {
	g, done, err := t.open()
	if err != nil {
		return err
	}
	defer done()
	if player.Bot == nil {
		return nil
	}
	b, err := player.Bot(g)
	if err == nil {
		bots.Close(b)
	}
	return err
}

// task plays what is left of a task.
func (r *run) task(ctx context.Context, t Task) error {
	g, done, err := t.open()
	if err != nil {
		return err
	}
	defer done()
	if err := t.check(ctx, g); err != nil {
		return err
	}
	if r.Quick {
		t.Matches = max(1, t.Matches/10)
	}
	s := Scored{Task: t}
	if s.Decisions, err = repeated(ctx, g, r.player); err != nil {
		return err
	}
	field := []match.Player{r.player}
	for _, m := range r.pool(t.Pool) {
		p, err := m.seat(ctx, g, r.Load)
		if err != nil {
			return err
		}
		s.Lines, field = append(s.Lines, Line{Opponent: m.Player, Digest: m.Digest, Seats: g.Info().Seats}), append(field, p)
	}
	if err := r.result.take(&s); err != nil {
		return err
	}
	mine := &r.result.Tasks[slices.IndexFunc(r.result.Tasks, func(o Scored) bool { return o.Name == t.Name })]
	switch {
	case mine.left(r.Part) == 0:
		return nil
	case t.Nodes > 0:
		return r.exact(ctx, g, mine)
	}
	return r.lines(ctx, mine, field)
}

// repeated is the digest of some decisions of a player; "" if it decides otherwise the second time.
func repeated(ctx context.Context, g engine.Game, player match.Player) (string, error) {
	once, err := digestFirst(ctx, g, player, someDecisions)
	if err != nil || once == "" {
		return "", err
	}
	twice, err := digestFirst(ctx, g, player, someDecisions)
	if twice != once {
		return "", err
	}
	return once, err
}

// someDecisions are enough to tell players apart, and few enough for one that takes a second for each.
const someDecisions = 50

// pool is the opponents of a task, with those that were added.
func (r *run) pool(pool []Member) []Member {
	if len(pool) == 0 {
		return nil
	}
	all := slices.Clone(pool)
	for _, m := range r.Pool {
		if at := slices.IndexFunc(all, func(o Member) bool { return o.Player == m.Player }); at >= 0 {
			all[at] = m
		} else {
			all = append(all, m)
		}
	}
	return all
}

// left is how many parts of lines of a shard are yet to be played.
func (s *Scored) left(p durable.Part) int {
	if s.Nodes > 0 {
		if s.Exact != nil || p.Shard > 1 {
			return 0
		}
		return 1
	}
	n := 0
	for _, part := range p.Numbers(Parts) {
		for i := range s.Lines {
			if !s.Lines[i].has(part) {
				n++
			}
		}
	}
	return n
}

func (l *Line) has(part int) bool {
	return slices.ContainsFunc(l.Parts, func(p Part) bool { return p.Part == part })
}

func (r *run) exact(ctx context.Context, g engine.Game, s *Scored) (err error) {
	if s.Exact, err = response.ExactOf(ctx, g, r.player, s.Nodes, s.Seed); err != nil {
		return err
	}
	if s.Exact == nil {
		return fmt.Errorf("the tree has more than %d nodes", s.Nodes)
	}
	return r.done(s, 1, 1)
}

// lines plays what is left of the lines of a task. field is the player, and the opponent of each line.
func (r *run) lines(ctx context.Context, s *Scored, field []match.Player) error {
	f, err := compare.NewField(s.Game, r.Workers, field...)
	if err != nil {
		return err
	}
	defer f.Close()
	of := s.left(r.Part)
	for _, part := range r.Part.Numbers(Parts) {
		for i := range s.Lines {
			l := &s.Lines[i]
			if l.has(part) {
				continue
			}
			c, err := f.Compare(ctx, 0, i+1, s.Matches, s.Seed+uint64(part))
			if err != nil {
				return err
			}
			l.add(part, &c)
			r.costs[s.Name] = r.costs[s.Name].Plus(c.CostA)
			if err := r.done(s, of-s.left(r.Part), of); err != nil {
				return err
			}
		}
	}
	return nil
}

// add takes in a part.
func (l *Line) add(part int, c *compare.Comparison) {
	p := Part{Part: part, Faults: c.FaultsA}
	p.Wins = [kinds]float64{alone: c.One.Wins.Mean, against: 1 - c.Other.Wins.Mean, mixed: c.Mixed.Wins.Mean}
	p.Margin = [kinds]float64{alone: c.One.Margin.Mean, against: -c.Other.Margin.Mean, mixed: c.Mixed.Margin.Mean}
	at, _ := slices.BinarySearchFunc(l.Parts, part, func(q Part, n int) int { return q.Part - n })
	l.Parts = slices.Insert(l.Parts, at, p)
}

// done reports a part of a line, and keeps it.
func (r *run) done(s *Scored, done, of int) error {
	if r.Report != nil {
		r.Report(s.Name, done, of)
	}
	if r.Keep == nil {
		return nil
	}
	r.result.sumUp()
	return r.Keep(r.result, r.costs)
}
