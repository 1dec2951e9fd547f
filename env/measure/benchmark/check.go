package benchmark

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
	"github.com/privateer-rl/privateer/env/measure/compare"
	"github.com/privateer-rl/privateer/env/measure/response"
)

// Audit says how a result is checked.
type Audit struct {
	Load    func(name string) (match.Player, error) // finds opponents
	Costs   Costs                                   // that are claimed
	Sample  int                                     // parts of lines that are played again; unless it is 0, exact tasks are measured again, too
	Seed    uint64                                  // by which they are drawn
	Workers int                                     // goroutines; 0: one a core
	Report  func(done, of int)                      // told of each that was played; may be nil
}

// unit is a part of a line.
type unit struct{ task, line, part int }

// Check refuses a result that is not what a player scores at the tasks of this program: of other tasks, rules or opponents, of another
// player, not whole, with scores that do not follow from its parts, or with parts that come out otherwise when a sample of them is played
// again. Those of a player that cannot be reproduced must not claim more than chance allows, and no player a tenth of the time that its
// decisions take here. replayed is how many parts, exact tasks among them, were played again.
func Check(ctx context.Context, data []byte, player match.Player, a Audit) (replayed int, err error) {
	r, err := Decode(data)
	if err != nil {
		return 0, err
	}
	if err := r.Whole(); err != nil {
		return 0, err
	}
	if r.Digest != player.Digest {
		return 0, fmt.Errorf("the player has the digest %q, and the result is of one with %q", player.Digest, r.Digest)
	}
	for i := range r.Tasks {
		s := &r.Tasks[i]
		if err := s.known(ctx, player); err != nil {
			return 0, err
		}
		if c := a.Costs[s.Name]; len(s.Lines) > 0 && (c.Timed <= 0 || c.Micros <= 0) {
			return 0, fmt.Errorf("task %s: %s does not say what a decision takes: run the same command again in another folder", s.Name, CostsFile)
		}
	}
	claimed, err := r.Encode()
	if err != nil {
		return 0, err
	}
	r.sumUp()
	if derived, err := r.Encode(); err != nil || !bytes.Equal(claimed, derived) {
		return 0, errors.Join(err, errors.New("the scores of the result do not follow from its parts: they were edited, or worked out by another version"))
	}
	return r.again(ctx, player, a)
}

// Whole refuses a result that is no score of the tasks.
func (r *Result) Whole() error {
	if r.Quick || r.Pool {
		return errors.New("the result is of --quick or of opponents of its own: a submission wants all matches against the pool")
	}
	if len(r.Tasks) == 0 {
		return errors.New("the result has no tasks")
	}
	return nil
}

// known takes a task of a result as this program has it, and refuses one that it does not have, or that another player did.
func (s *Scored) known(ctx context.Context, player match.Player) error {
	all := Tasks()
	at := slices.IndexFunc(all, func(t Task) bool { return t.Name == s.Name }) // Find would take other names for the same task
	if at < 0 {
		return unknown(s.Name, all)
	}
	t := all[at]
	if s.Game != t.Game || s.Rules != t.Rules || s.Matches != t.Matches {
		return fmt.Errorf("task %s: the result is of %s with rules %s and %d matches, want %s, %s and %d", s.Name, s.Game, s.Rules, s.Matches, t.Game, t.Rules, t.Matches)
	}
	if !s.complete() {
		return fmt.Errorf("task %s: the result lacks parts: run the same command again to have them played", s.Name)
	}
	if exact := s.Exact != nil; exact != (t.Nodes > 0) {
		return fmt.Errorf("task %s: the result was measured exactly: %v, want %v", s.Name, exact, t.Nodes > 0)
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
	for _, l := range s.Lines {
		if want := g.Info().Seats; l.Seats != want {
			return fmt.Errorf("task %s, opponent %s: %d seats, want %d", s.Name, l.Opponent, l.Seats, want)
		}
	}
	if err := t.check(ctx, g); err != nil {
		return err
	}
	decisions, err := repeated(ctx, g, player)
	if err == nil && decisions != s.Decisions {
		err = fmt.Errorf("task %s: the player's decisions have the digest %q, and the result is of one with %q", s.Name, decisions, s.Decisions)
	}
	return err
}

// again measures exact tasks again, and plays a sample of the parts of lines again.
func (r *Result) again(ctx context.Context, player match.Player, a Audit) (replayed int, err error) {
	drawn := r.draw(a.Sample, a.Seed)
	exact := func(s *Scored) bool { return s.Exact != nil && a.Sample > 0 }
	of := len(drawn)
	for i := range r.Tasks {
		of += int(engine.Bit(exact(&r.Tasks[i])))
	}
	var more []excess
	done := func() {
		if replayed++; a.Report != nil {
			a.Report(replayed, of)
		}
	}
	for i := range r.Tasks {
		s := &r.Tasks[i]
		if mine := slices.DeleteFunc(slices.Clone(drawn), func(u unit) bool { return u.task != i }); len(mine) > 0 {
			err = s.replay(ctx, mine, player, a, &more, done)
		}
		if err == nil && exact(s) {
			err = s.measure(ctx, player)
			done()
		}
		if err != nil {
			return replayed, fmt.Errorf("task %s: %w", s.Name, err)
		}
	}
	return replayed, tooMuch(more)
}

// measure measures an exact task again. A player that cannot be reproduced is known by draws: it must not claim much more than it scores now.
func (s *Scored) measure(ctx context.Context, player match.Player) error {
	g, done, err := s.open()
	if err != nil {
		return err
	}
	defer done()
	x, err := response.ExactOf(ctx, g, player, s.Nodes, s.Seed)
	if err != nil {
		return err
	}
	if err := fails(x.Faults, s.Exact.Faults, int64(x.Draws*x.InfoSets)); err != nil {
		return err
	}
	now := Scored{Exact: x}
	now.sumUp()
	if s.Decisions != "" && !reflect.DeepEqual(x, s.Exact) || s.Score.Mean > now.Score.Mean+mostDrawn {
		return fmt.Errorf("the result says that the player's exploitability is %.6g, of random play %.6g; measured again it is %.6g, of random play %.6g",
			s.Exact.Exploitability, s.Exact.Random, x.Exploitability, x.Random)
	}
	return nil
}

// mostDrawn is the most by which draws of a player's choices move an exact score.
const mostDrawn = .1

// excess is by how much the result claims a higher share of the wins in a part than the player had now, the mean over the kinds of table, and
// what that varies by chance at most.
type excess struct{ share, variance float64 }

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
func (s *Scored) replay(ctx context.Context, units []unit, player match.Player, a Audit, all *[]excess, each func()) error {
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
	var cost match.Cost
	for _, u := range units {
		c, err := f.Compare(ctx, 0, at[u.line], s.Matches, s.Seed+uint64(u.part))
		if err != nil {
			return err
		}
		l := &s.Lines[u.line]
		now := Line{Seats: l.Seats}
		now.add(u.part, &c)
		claimed, played := l.Parts[u.part], now.Parts[0]
		if err := fails(played.Faults, claimed.Faults, c.CostA.Decisions); err != nil {
			return fmt.Errorf("opponent %s, part %d: %w", l.Opponent, u.part, err)
		}
		if s.Decisions != "" && claimed != played {
			return fmt.Errorf("opponent %s, part %d: the result says that the player wins %.4f alone, %.4f in all other seats and %.4f at mixed tables; played again it wins %.4f, %.4f and %.4f",
				l.Opponent, u.part, claimed.Wins[alone], claimed.Wins[against], claimed.Wins[mixed], played.Wins[alone], played.Wins[against], played.Wins[mixed])
		}
		more := excess{variance: .5 / float64(s.Matches)} // of two shares of one half
		for kind := range kinds {
			more.share += (claimed.Wins[kind] - played.Wins[kind]) / kinds
		}
		*all, cost = append(*all, more), cost.Plus(c.CostA)
		each()
	}
	if c := a.Costs[s.Name]; cost.Timed >= leastTimed && 10*c.Micros < cost.Micros {
		return fmt.Errorf("%s says that a decision takes %v; here it takes %v", CostsFile, c, cost)
	}
	return nil
}

// fails refuses to compare a program that does not run here: faults take its place more often than in the result, in a twentieth of its decisions.
func fails(now, claimed bots.Faults, decisions int64) error {
	if more := int64(now.Total() - claimed.Total()); 20*more > decisions {
		return fmt.Errorf("the result has %d faults of the player; here it has %d: %s", claimed.Total(), now.Total(), now.First)
	}
	return nil
}

// leastTimed is of how many decisions the time must be known to doubt a claim.
var leastTimed int64 = 1000

// tooMuch refuses claims that are higher than what was played by more than chance: of all parts together, or of one of them. How much shares vary by
// chance is bounded, so that a claim cannot hide behind the differences that it makes itself.
func tooMuch(all []excess) error {
	const most, mostOfOne = 3.3, 4.5 // standard errors
	n := float64(len(all))
	mean, variance := 0.0, 0.0
	var shares []float64
	for _, x := range all {
		if se := math.Sqrt(x.variance); x.share > mostOfOne*se {
			return fmt.Errorf("the result claims %.3f more of the wins of a part than the player has when it is played again, %.1f standard errors", x.share, x.share/se)
		}
		mean, variance, shares = mean+x.share/n, variance+x.variance/n, append(shares, x.share)
	}
	if n >= 10 { // else they say too little
		variance = min(variance, measure.Variance(shares))
	}
	if se := math.Sqrt(variance / n); mean > most*se && mean > 0 {
		return fmt.Errorf("the result claims %.3f more of the wins than the player has when parts are played again, %.1f standard errors", mean, mean/se)
	}
	return nil
}
