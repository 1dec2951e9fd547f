package balance

import (
	"context"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
)

// LuckConfig says what to play to tell luck from play.
type LuckConfig struct {
	Player  match.Player // takes every seat
	Deals   int          // seeds of matches, at least 2
	Replays int          // matches of each deal, at least 2; the player draws other choices in each
	Seed    uint64       // of everything
	Workers int          // goroutines; 0: one a core
}

// Luck is how much of the results the seed of a match decides: what is dealt, drawn and rolled. The
// rest of their variance comes from choices that the players draw by chance.
type Luck struct {
	Game    string           `json:"game"`
	Player  string           `json:"player"`
	Seed    engine.Long      `json:"seed"`
	Deals   int              `json:"deals"`
	Replays int              `json:"replays"`
	Wins    measure.Estimate `json:"wins"`   // share of the variance of who wins
	Margin  measure.Estimate `json:"margin"` // share of the variance of a seat's margin in points, or in returns if the game has no points
}

// RunLuck plays each deal several times, all seats taken by the same player, and splits the variance of the
// results into what deals differ by and what matches of one deal differ by: the intraclass correlation
// ICC(1) of a one-way analysis of variance (Shrout and Fleiss, Psychological Bulletin 86, 1979), its mean
// squares added up over seats, an estimate below 0 counted as 0. Intervals are of 95 %, by bootstrap over deals.
// The result depends on the configuration only, Workers aside.
func RunLuck(ctx context.Context, game string, cfg LuckConfig) (*Luck, error) {
	if cfg.Deals < 2 || cfg.Replays < 2 {
		return nil, fmt.Errorf("luck: %d deals, each played %d times: want at least 2 of both", cfg.Deals, cfg.Replays)
	}
	t, err := newRun(game, Config{Players: []match.Player{cfg.Player}, Seed: cfg.Seed, OwnChoice: true, Workers: cfg.Workers})
	if err != nil {
		return nil, fmt.Errorf("luck: %w", err)
	}
	defer t.runner.Close()
	t.replays = cfg.Replays
	if err := t.play(ctx, cfg.Deals); err != nil {
		return nil, fmt.Errorf("luck: %w", err)
	}
	win := func(o *outcome, seat int) float64 { return o.Wins[seat] }
	return &Luck{Game: t.runner.Info().Config, Player: cfg.Player.Name, Seed: engine.Long(cfg.Seed), Deals: cfg.Deals, Replays: cfg.Replays,
		Wins: t.seedShare(t.deals, win), Margin: t.seedShare(t.deals, margin)}, nil
}

// margin is a seat's points less the mean of the others', or its return if there are no points.
func margin(o *outcome, seat int) float64 {
	if o.Scores == nil {
		return float64(o.Returns[seat])
	}
	others := 0.0
	for s, points := range o.Points {
		if s != seat {
			others += points
		}
	}
	return o.Points[seat] - others/float64(len(o.Points)-1)
}

// moments are what one deal adds to the analysis: by seat the mean of its matches, and the sum over
// seats of the squared deviations from it.
type moments struct {
	mean   []float64
	within float64
}

// seedShare estimates the share of the variance of a result that deals decide.
func (t *run) seedShare(deals []deal, of func(o *outcome, seat int) float64) measure.Estimate {
	seats, replays := t.runner.Info().Seats, float64(t.replays)
	all := make([]moments, len(deals))
	for k, d := range deals {
		all[k].mean = make([]float64, seats)
		for seat := range seats {
			sum, squares := 0.0, 0.0
			for i := range d {
				x := of(&d[i], seat)
				sum += x
				squares += float64(x * x)
			}
			all[k].mean[seat] = sum / replays
			all[k].within += max(0, squares-float64(sum*sum/replays))
		}
	}
	share := func(pick func(k int) int) float64 {
		n := float64(len(all))
		mean := make([]float64, seats)
		within := 0.0
		for k := range all {
			m := &all[pick(k)]
			within += m.within
			for seat, x := range m.mean {
				mean[seat] += x / n
			}
		}
		between := 0.0
		for k := range all {
			for seat, x := range all[pick(k)].mean {
				between += float64((x - mean[seat]) * (x - mean[seat]))
			}
		}
		meanWithin := within / (n * (replays - 1))
		ofDeals := max(0, between/(n-1)-meanWithin/replays) // the variance component
		if ofDeals+meanWithin == 0 {
			return math.NaN() // the results never differ
		}
		return ofDeals / (ofDeals + meanWithin)
	}
	return resampled(len(all), t.cfg.Seed, share)
}

// WriteLuck prints what luck decides, a line for each game and player.
func WriteLuck(out io.Writer, all []*Luck) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "game\tplayers\tdeals\tof who wins\tof the margin")
	for _, l := range all {
		fmt.Fprintf(w, "%s\t%s\t%d × %d\t%s\t%s\n", l.Game, l.Player, l.Deals, l.Replays, short(l.Wins), short(l.Margin))
	}
	return w.Flush()
}
