package benchmark

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
	"github.com/privateer-rl/privateer/env/measure/compare"
)

// Audit says how a result is checked.
type Audit struct {
	Load    func(name string) (match.Player, error) // finds opponents
	Sample  int                                     // parts of lines that are played again
	Seed    uint64                                  // by which they are drawn
	Workers int                                     // goroutines; 0: one a core
	Report  func(done, of int)                      // told of each that was played; may be nil
}

// unit is a part of a line.
type unit struct{ task, line, part int }

// Check refuses a result that is not what a player scores at the tasks of this program: of other tasks, rules or opponents, of another
// player, not whole, with scores that do not follow from its parts, or with parts that come out otherwise when a sample of them is played
// again. Those of a player that cannot be reproduced must not claim more than chance allows: three and a third standard errors.
func Check(ctx context.Context, data []byte, player match.Player, a Audit) error {
	r, err := Decode(data)
	if err != nil {
		return err
	}
	if r.Quick || r.Pool {
		return errors.New("the result is of --quick or of opponents of its own: a submission wants all matches against the pool")
	}
	if r.Digest != player.Digest {
		return fmt.Errorf("the player has the digest %q, and the result is of one with %q", player.Digest, r.Digest)
	}
	for i := range r.Tasks {
		if err := r.Tasks[i].known(ctx, player); err != nil {
			return err
		}
	}
	claimed, err := r.Encode()
	if err != nil {
		return err
	}
	r.sumUp()
	if derived, err := r.Encode(); err != nil || !bytes.Equal(claimed, derived) {
		return errors.Join(err, errors.New("the scores of the result do not follow from its parts: they were edited, or worked out by another version"))
	}
	return r.again(ctx, player, a)
}

// known takes a task of a result as this program has it, and refuses one that it does not have, or that another player did.
func (s *Scored) known(ctx context.Context, player match.Player) error {
	found, err := Find([]string{s.Name})
	if err != nil {
		return err
	}
	t := found[0]
	if s.Game != t.Game || s.Rules != t.Rules || s.Matches != t.Matches {
		return fmt.Errorf("task %s: the result is of %s with rules %s and %d matches, want %s, %s and %d", s.Name, s.Game, s.Rules, s.Matches, t.Game, t.Rules, t.Matches)
	}
	if !s.complete() {
		return fmt.Errorf("task %s: the result lacks parts: run the same command again to have them played", s.Name)
	}
	if len(s.Lines) != len(t.Pool) {
		return fmt.Errorf("task %s: the result has %d opponents, want %d", s.Name, len(s.Lines), len(t.Pool))
	}
	for i, l := range s.Lines {
		if m := t.Pool[i]; l.Opponent != m.Player || l.Digest != m.Digest {
			return fmt.Errorf("task %s: opponent %s with digest %s: want %s with %s", s.Name, l.Opponent, l.Digest, m.Player, m.Digest)
		}
	}
	s.Task = t
	g, done, err := t.open()
	if err != nil {
		return err
	}
	defer done()
	if err := t.check(ctx, g); err != nil || s.Decisions == "" {
		return err
	}
	decisions, err := digestFirst(ctx, g, player, someDecisions)
	if err == nil && decisions != s.Decisions {
		err = fmt.Errorf("task %s: the player's decisions have the digest %q, and the result is of one with %s", s.Name, decisions, s.Decisions)
	}
	return err
}

// again plays a sample of the parts again.
func (r *Result) again(ctx context.Context, player match.Player, a Audit) error {
	var more []float64 // what the result claims beyond what was played now, by kind of table
	drawn := r.draw(a.Sample, a.Seed)
	for i := range r.Tasks {
		mine := slices.DeleteFunc(slices.Clone(drawn), func(u unit) bool { return u.task != i })
		if len(mine) == 0 {
			continue
		}
		if err := r.Tasks[i].replay(ctx, mine, player, a, &more, len(drawn)); err != nil {
			return fmt.Errorf("task %s: %w", r.Tasks[i].Name, err)
		}
	}
	return tooMuch(more)
}

// draw draws parts of lines; all of them if there are no more.
func (r *Result) draw(n int, seed uint64) []unit {
	var all []unit
	for i, s := range r.Tasks {
		for k := range s.Lines {
			for part := range Parts {
				all = append(all, unit{i, k, part})
			}
		}
	}
	random := engine.NewRand(seed)
	for i := range min(n, len(all)) {
		j := i + random.Intn(len(all)-i)
		all[i], all[j] = all[j], all[i]
	}
	all = all[:min(n, len(all))]
	slices.SortFunc(all, func(a, b unit) int { return (a.task-b.task)*1_000_000 + (a.line-b.line)*1000 + a.part - b.part })
	return all
}

// replay plays parts of a task again.
func (s *Scored) replay(ctx context.Context, units []unit, player match.Player, a Audit, more *[]float64, of int) error {
	g, done, err := s.open()
	if err != nil {
		return err
	}
	defer done()
	field, at := []match.Player{player}, map[int]int{} // the number in the field of the opponent of a line
	for _, u := range units {
		if at[u.line] == 0 {
			p, err := s.Pool[u.line].seat(ctx, g, a.Load)
			if err != nil {
				return err
			}
			at[u.line], field = len(field), append(field, p)
		}
	}
	f, err := compare.NewField(s.Game, a.Workers, field...)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, u := range units {
		c, err := f.Compare(ctx, 0, at[u.line], s.Matches, s.Seed+uint64(u.part))
		if err != nil {
			return err
		}
		l := &s.Lines[u.line]
		now := Line{Seats: l.Seats}
		now.add(u.part, &c)
		claimed, played := l.Parts[u.part], now.Parts[0]
		if s.Decisions != "" && claimed != played {
			return fmt.Errorf("opponent %s, part %d: the result says that the player wins %.4f alone, %.4f in all other seats and %.4f at mixed tables; played again it wins %.4f, %.4f and %.4f",
				l.Opponent, u.part, claimed.Wins[alone], claimed.Wins[against], claimed.Wins[mixed], played.Wins[alone], played.Wins[against], played.Wins[mixed])
		}
		for kind := range kinds {
			*more = append(*more, claimed.Wins[kind]-played.Wins[kind])
		}
		if a.Report != nil {
			a.Report(len(*more)/kinds, of)
		}
	}
	return nil
}

// tooMuch refuses claims that are higher than what was played by more than chance.
func tooMuch(more []float64) error {
	const most = 3.3
	n := float64(len(more))
	mean := 0.0
	for _, x := range more {
		mean += x / n
	}
	if se := math.Sqrt(measure.Variance(more) / n); mean > most*se && mean > 0 {
		return fmt.Errorf("the result claims %.3f more of the wins than the player has when parts are played again, %.1f standard errors", mean, mean/se)
	}
	return nil
}
