package engine

import (
	"errors"
	"slices"
)

// The parameters of a game string that say what a game of points pays.
var (
	ObjectiveParam = Param{
		Name: "objective", Default: "win",
		Choices: []string{"win", "rank", "margin"},
		Help:    "return at the end: win (zero-sum, ties shared), rank (linear in placement) or margin (score against the others' mean)",
	}
	RewardsParam = Param{
		Name: "rewards", Default: "final",
		Choices: []string{"final", "running"},
		Help:    "when the return is paid: final (at the end) or running (its growth with every step, the same sum; objective win or margin)",
	}
)

// Payment turns points into returns, in [−1, 1], for games of any number of seats:
//
//	win     the winner has 1 and each other −1/(n−1); shared wins share. It sums to 0.
//	rank    linear in the place, 1 for the first to −1 for the last; the tied have the
//	        mean of their places. It sums to 0.
//	margin  the lead over the mean of the others' points, in units of scale, clipped.
type Payment struct {
	objective string
	running   bool
	scale     float32
	chances   [64]float32 // [d] is the weight of a seat that is d points behind the leader
}

// Payment reads ObjectiveParam and RewardsParam. scale is the lead over the others' mean
// that counts as a full return with objective=margin. behind is how much likelier a seat
// is to win than one that is a point behind it, for objective=win with
// rewards=running: it only spreads the payment over the match, whose sum is the same for
// any number.
func (c Config) Payment(scale, behind float32) (Payment, error) {
	p := Payment{scale: scale}
	var err error
	if p.objective, err = c.OneOf(ObjectiveParam.Name, "win", "rank", "margin"); err != nil {
		return p, err
	}
	rewards, err := c.OneOf(RewardsParam.Name, "final", "running")
	if err != nil {
		return p, err
	}
	if p.running = rewards == "running"; p.running && p.objective == "rank" {
		return p, errors.New("rewards=running: objective=rank has no value before the end: want win or margin")
	}
	p.chances[0] = 1 // a table, because math.Exp is not the same to the last bit on every machine
	for d := 1; d < len(p.chances); d++ {
		p.chances[d] = p.chances[d-1] / behind
	}
	return p, nil
}

// Running reports whether returns are paid as they grow: Info.PaysEarly.
func (p *Payment) Running() bool { return p.running }

// Pay writes each seat's return into dst, [seats]: zero before the end unless
// Running. score are the seats' points; standing orders the seats, the best with the
// most, equal if they are tied.
func (p *Payment) Pay(over bool, standing []int64, score []int32, dst []float32) {
	switch {
	case !over && !p.running:
		clear(dst)
	case !over && p.objective == "win":
		p.winSoFar(score, dst)
	default:
		p.pay(standing, score, dst)
	}
}

// winSoFar writes what objective=win would pay if the match were decided by lot
// now, each seat having its chance by its points.
func (p *Payment) winSoFar(score []int32, dst []float32) {
	most := slices.Max(score)
	total := float32(0)
	for i := range score {
		dst[i] = p.chances[min(int(most-score[i]), len(p.chances)-1)]
		total += dst[i]
	}
	n := float32(len(score))
	for i := range score {
		dst[i] = (n*dst[i]/total - 1) / (n - 1)
	}
}

func (p *Payment) pay(standing []int64, score []int32, dst []float32) {
	n := float32(len(standing))
	total := int32(0)
	for _, x := range score {
		total += x
	}
	for i := range standing {
		ahead, level := 0, 0 // how many stand before seat i, and level with it (itself included)
		for j := range standing {
			if standing[j] > standing[i] {
				ahead++
			} else if standing[j] == standing[i] {
				level++
			}
		}
		switch p.objective {
		case "win":
			if ahead > 0 {
				dst[i] = -1 / (n - 1)
			} else {
				dst[i] = (n - float32(level)) / (float32(level) * (n - 1))
			}
		case "rank":
			dst[i] = 1 - (float32(2*float32(ahead))+float32(level)-1)/(n-1)
		case "margin":
			others := float32(total-score[i]) / (n - 1)
			dst[i] = min(1, max(-1, (float32(score[i])-others)/p.scale))
		}
	}
}

// Won is a seat's part of the win in a match that is over and has these returns: WinShare, or an
// equal part for each seat if a limit has ended it (Match.Truncated), so that nobody has won.
func Won(m Match, returns []float32, seat int) float64 {
	if limit, _ := m.Truncated(); limit != "" {
		return 1 / float64(len(returns))
	}
	return WinShare(returns, seat)
}

// WinShare is a seat's part of the win by the returns of all seats: 1/k if k seats
// have the highest, else 0.
func WinShare(returns []float32, seat int) float64 {
	winners := 0
	for _, r := range returns {
		if r > returns[seat] {
			return 0
		}
		if r == returns[seat] {
			winners++
		}
	}
	return 1 / float64(winners)
}
