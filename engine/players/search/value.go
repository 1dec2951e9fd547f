package search

import (
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/portable"
)

// Softmax turns worths in points into chances: one that is spread points behind another is e times less likely
// to win. dst may be worths itself.
func Softmax(worths []float64, spread float64, dst []float64) {
	most, total := slices.Max(worths), 0.0
	for i, x := range worths {
		dst[i] = portable.Exp((x - most) / spread)
		total += dst[i]
	}
	for i := range dst {
		dst[i] /= total
	}
}

// Final evaluates matches that are over, in the way that teaches a search most: Won parts of the win itself, the
// rest by the points, since a match that is lost by one point was nearly won.
type Final struct {
	Won    float64 // weight of the win
	Spread float64 // of the points, as in Softmax

	returns []float32
	scores  []int32
}

// NewFinal makes one for a game that has scores.
func NewFinal(g engine.Game, won, spread float64) *Final {
	info := g.Info()
	return &Final{won, spread, make([]float32, info.Seats), make([]int32, len(info.ScoreSources))}
}

// Value writes the seats' chances into dst.
func (f *Final) Value(m engine.Match, dst []float64) {
	m.Returns(f.returns)
	for seat := range dst {
		m.Scores(engine.Full, seat, f.scores)
		points := int32(0)
		for _, x := range f.scores {
			points += x
		}
		dst[seat] = float64(points)
	}
	Softmax(dst, f.Spread, dst)
	for seat := range dst {
		dst[seat] = float64((1-f.Won)*dst[seat]) + float64(f.Won*engine.Won(m, f.returns, seat))
	}
}

// returned evaluates by the returns so far: what a game pays if it says nothing else.
type returned struct{ returns []float32 }

func (v *returned) Value(m engine.Match, dst []float64) {
	m.Returns(v.returns)
	for i, x := range v.returns {
		dst[i] = float64(x)
	}
}

// advised evaluates by what a Value expects as return, of a game that is won or lost: its returns, those of [engine.Payment], are
// brought to chances that sum to 1, since what it expects for each seat it may have found seat by seat. The game's own
// evaluation evaluates matches that are over.
type advised struct {
	learnt, own Value
}

func newAdvised(learnt, own Value) *advised { return &advised{learnt, own} }

// leastChance is what nobody's chance is below: a network may expect less than the least return.
const leastChance = .005

// Until implements bots.Interruptible.
func (v *advised) Until(over func() bool) {
	bots.Until(v.learnt, over)
	bots.Until(v.own, over)
}

func (v *advised) Value(m engine.Match, dst []float64) {
	if m.Seat() == engine.Over {
		v.own.Value(m, dst)
		return
	}
	n, total := float64(len(dst)), 0.0
	v.learnt.Value(m, dst)
	for i, x := range dst {
		dst[i] = max((float64(x*(n-1))+1)/n, leastChance)
		total += dst[i]
	}
	for i := range dst {
		dst[i] /= total
	}
}

// byRollouts evaluates by results: the mean over a number of rollouts from the match as it is, except what chance will
// decide. All matches meet the same luck, so that their differences are known better than what they are worth.
type byRollouts struct {
	roller   *roller
	rollouts uint64
	came     []float64
}

// ByRollouts makes a Value of rollouts as a search with the game's defaults plays them, to where it cuts and evaluates them.
func ByRollouts(g engine.Game, rollouts int) (Value, error) {
	b, err := bots.New("search", g)
	if err != nil {
		return nil, err
	}
	return &byRollouts{b.(*Search).rollers[0], uint64(rollouts), make([]float64, g.Info().Seats)}, nil
}

// Until implements bots.Interruptible.
func (v *byRollouts) Until(over func() bool) { v.roller.Until(over) }

func (v *byRollouts) Value(m engine.Match, dst []float64) {
	clear(dst)
	for k := range v.rollouts {
		if v.roller.stopped() {
			return
		}
		v.roller.playOn(m, engine.NewRand(k), v.came)
		for seat, x := range v.came {
			dst[seat] += x / float64(v.rollouts)
		}
	}
}
