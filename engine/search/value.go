package search

import (
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
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

// Final judges matches that are over, in the way that teaches a search most: Won parts of the win itself, the
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

// returned judges by the returns so far: what a game pays if it says nothing else.
type returned struct{ returns []float32 }

func (v *returned) Value(m engine.Match, dst []float64) {
	m.Returns(v.returns)
	for i, x := range v.returns {
		dst[i] = float64(x)
	}
}

// Foreteller is a Value that may also tell chances to win, whatever the returns are that it expects.
type Foreteller interface {
	// WinChances writes each seat's chance to win a match that is not over into dst, and reports whether it can.
	WinChances(m engine.Match, dst []float64) bool
}

// advised judges by what a Value expects as return, of a game that is won or lost: its returns, those of [engine.Payment], are
// brought to chances that sum to 1, since what it expects for each seat it may have found seat by seat. If it tells chances to win
// ([Foreteller]) these are taken instead. The game's own
// judgement has a share in that, and judges matches that are over alone.
type advised struct {
	learnt, own Value
	teller      Foreteller // learnt, if it is one
	share       float64    // of own
	room        []float64
}

func newAdvised(learnt, own Value, share float64, g engine.Game) *advised {
	teller, _ := learnt.(Foreteller)
	return &advised{learnt, own, teller, share, make([]float64, g.Info().Seats)}
}

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
	if v.teller == nil || !v.teller.WinChances(m, dst) {
		v.learnt.Value(m, dst)
		for i, x := range dst {
			dst[i] = (float64(x*(n-1)) + 1) / n
		}
	}
	for i, x := range dst {
		dst[i] = max(x, leastChance)
		total += dst[i]
	}
	for i := range dst {
		dst[i] /= total
	}
	if v.share == 0 {
		return
	}
	v.own.Value(m, v.room)
	for i, x := range v.room {
		dst[i] = float64((1-v.share)*dst[i]) + float64(v.share*x)
	}
}

// foresight judges by what a match comes to: the mean over a number of rollouts from it as it is, but for what chance will
// decide. All matches meet the same luck, so that their differences are known better than what they are worth.
type foresight struct {
	roller   *roller
	rollouts uint64
	came     []float64
}

// Foresee makes a Value of rollouts as a search with the game's defaults plays them, to where it cuts and judges them.
func Foresee(g engine.Game, rollouts int) (Value, error) {
	b, err := bots.New("search", g)
	if err != nil {
		return nil, err
	}
	return &foresight{b.(*Search).rollers[0], uint64(rollouts), make([]float64, g.Info().Seats)}, nil
}

// Until implements bots.Interruptible.
func (v *foresight) Until(over func() bool) { v.roller.Until(over) }

func (v *foresight) Value(m engine.Match, dst []float64) {
	clear(dst)
	for k := range v.rollouts {
		if v.roller.stopped() {
			return
		}
		v.roller.foresee(m, engine.NewRand(k), v.came)
		for seat, x := range v.came {
			dst[seat] += x / float64(v.rollouts)
		}
	}
}
