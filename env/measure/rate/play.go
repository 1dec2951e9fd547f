package rate

import (
	"context"
	"fmt"
	"slices"

	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
)

// Config says how much is played.
type Config struct {
	Matches int // least of each player at mixed tables; what the results have counts
	Alone   int // least of each player alone against n−1 of each other player; 0: none
	Workers int // goroutines; 0: one a core
	Report  func(deals, matches int)
}

// Play lets players meet until each has had as many matches as asked for, and adds what they do to the results. New
// players join; players with results play more matches if others need them as opponents. The same calls on the same results play the
// same matches, however often they are interrupted. When the context ends, what is complete is kept.
func (r *Results) Play(ctx context.Context, players []match.Player, cfg Config) error {
	if r.Seats < 2 {
		return fmt.Errorf("rate %s: a game of one seat has no ratings", r.Game)
	}
	for i, p := range players {
		if slices.ContainsFunc(players[:i], func(q match.Player) bool { return q.Name == p.Name }) {
			return fmt.Errorf("rate: %s is given twice", p.Name)
		}
		if k := r.index(p.Name); k >= 0 && r.Players[k].Digest != p.Digest {
			return fmt.Errorf("rate: the results know another %s (digest %s, now %s): give it another name, such as another path", p.Name, r.Players[k].Digest, p.Digest)
		}
	}
	runner, err := match.NewRunner(r.Game, cfg.Workers, players...)
	if err != nil {
		return fmt.Errorf("rate: %w", err)
	}
	defer runner.Close()
	s := session{Results: r, runner: runner, cfg: cfg}
	for i, p := range players {
		if r.index(p.Name) < 0 {
			joined := Known{p.Name, p.Digest}
			if err := r.append(line{Player: &joined}); err != nil {
				return fmt.Errorf("rate: %w", err)
			}
			r.Players = append(r.Players, joined)
		}
		s.active = append(s.active, r.index(p.Name))
		s.names = append(s.names, p.Name)
		s.before = append(s.before, runner.Cost(i))
	}
	if err = s.mixed(ctx); err == nil {
		err = s.alone(ctx)
	}
	if err != nil {
		return fmt.Errorf("rate: %w", err)
	}
	return nil
}

// session is one call of Play.
type session struct {
	*Results
	runner *match.Runner
	cfg    Config
	active []int    // by player of the runner: its number in the results
	names  []string // by player of the runner
	before []match.Cost
}

// dealsAtOnce is how many deals are played before they are written down.
const dealsAtOnce = 4

// mixed plays mixed tables until nobody lacks matches.
func (s *session) mixed(ctx context.Context) error {
	plan := newSchedule(len(s.Players), s.Seats, s.Seed)
	deal := uint64(0)
	for i := range s.Deals {
		plan.note(s.numbers(s.Deals[i].Players))
		deal = max(deal, s.Deals[i].Deal+1)
	}
	for plan.lacking(s.active, s.cfg.Matches) {
		var deals []Deal
		var matches []match.Match
		for len(deals) < dealsAtOnce && plan.lacking(s.active, s.cfg.Matches) {
			lineup := plan.draw(deal, s.active)
			plan.note(lineup)
			d := Deal{Deal: deal}
			for _, p := range lineup {
				d.Players = append(d.Players, s.Players[p].Name)
			}
			for rotation := range s.Seats {
				who := make([]int, s.Seats)
				for i, p := range lineup {
					who[(i+rotation)%s.Seats] = slices.Index(s.active, p)
				}
				matches = append(matches, match.Deal(s.Seed, deal, who))
			}
			deals = append(deals, d)
			deal++
		}
		ends, err := s.runner.Play(ctx, matches)
		if err != nil {
			return err
		}
		lines := s.faults(matches, ends)
		for k := range deals {
			d := &deals[k]
			for rotation := range s.Seats {
				f := ends[k*s.Seats+rotation]
				places, points := make([]int, s.Seats), make([]float64, s.Seats)
				for i := range places {
					seat := (i + rotation) % s.Seats
					places[i], points[i] = f.Places[seat], f.Points[seat]
				}
				d.Places, d.Points = append(d.Places, places), append(d.Points, points)
			}
			lines = append(lines, line{Mixed: d})
		}
		if err := s.keep(lines); err != nil {
			return err
		}
	}
	return nil
}

// alone plays one against n−1 for each pair that lacks matches.
func (s *session) alone(ctx context.Context) error {
	had := map[[2]string]int{}
	for i := range s.Alone {
		had[[2]string{s.Alone[i].One, s.Alone[i].Others}]++
	}
	for a, one := range s.names {
		for b, others := range s.names {
			if a == b {
				continue
			}
			for deal := had[[2]string{one, others}]; deal*s.Seats < s.cfg.Alone; {
				var matches []match.Match
				first := deal
				for ; deal < first+dealsAtOnce && deal*s.Seats < s.cfg.Alone; deal++ {
					for seat := range s.Seats {
						who := slices.Repeat([]int{b}, s.Seats)
						who[seat] = a
						matches = append(matches, match.Deal(s.Seed, uint64(deal), who))
					}
				}
				ends, err := s.runner.Play(ctx, matches)
				if err != nil {
					return err
				}
				lines := s.faults(matches, ends)
				for k := 0; k < len(ends); k += s.Seats {
					l := Alone{Deal: uint64(first + k/s.Seats), One: one, Others: others}
					for seat := range s.Seats {
						l.Wins = append(l.Wins, ends[k+seat].Wins[seat])
					}
					lines = append(lines, line{Alone: &l})
				}
				if err := s.keep(lines); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// faults has a line for each player that has failed in matches.
func (s *session) faults(matches []match.Match, ends []match.Final) (lines []line) {
	byPlayer := make([]bots.Faults, len(s.names))
	for i := range ends {
		for seat, f := range ends[i].Faults {
			player := matches[i].Seats[seat]
			byPlayer[player] = byPlayer[player].Plus(f)
		}
	}
	for i, f := range byPlayer {
		if f != (bots.Faults{}) {
			lines = append(lines, line{Faults: &faultLine{s.names[i], f}})
		}
	}
	return lines
}

// keep writes lines down, with what their decisions took, and takes them in.
func (s *session) keep(lines []line) error {
	for i, name := range s.names {
		now := s.runner.Cost(i)
		if c := now.Less(s.before[i]); c.Decisions > 0 {
			lines = append(lines, line{Cost: &costLine{name, c}})
		}
		s.before[i] = now
	}
	if err := s.append(lines...); err != nil {
		return err
	}
	for _, l := range lines {
		if err := s.take(l); err != nil {
			return err
		}
	}
	if s.cfg.Report != nil {
		s.cfg.Report(len(s.Deals), s.Matches())
	}
	return nil
}

// numbers are the numbers of players in the results.
func (r *Results) numbers(names []string) []int {
	list := make([]int, len(names))
	for i, name := range names {
		list[i] = r.index(name)
	}
	return list
}

// Matches is how many the results have at mixed tables.
func (r *Results) Matches() int {
	n := 0
	for i := range r.Deals {
		n += len(r.Deals[i].Places)
	}
	return n
}
