package search

import (
	"fmt"
	"math"
	"math/bits"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/privateer-rl/privateer/engine"
)

// flat tries the legal actions of one decision by sequential halving (Karnin, Koren and Somekh, "Almost optimal exploration
// in multi-armed bandits", ICML 2013): the budget is shared out over laps, each over half as many actions as the one
// before. All actions of a lap are tried in the same worlds with the same luck, so that their differences
// are known far better than their means.
type flat struct {
	rollers []*roller
	seats   int
	most    int              // draws with which actions are tried in a world, as far as the budget allows
	draws   int              // with which they are
	now     func() time.Time // of budgets in time

	tried   []trial // by legal action, in ascending order
	alive   []int   // those of the lap, by index in tried
	samples []float64
}

// trial is the statistics of one action.
type trial struct {
	action engine.Action
	weight float64            // of the prior, of 1
	visits int                // worlds in which it was tried
	played int                // rollouts of it in them
	sum    [mostSeats]float64 // of what came of it, by seat
	square float64            // of what came of it to the seat that acts
	lead   float64            // sum of the differences from the prior's choice in the same worlds
	leadSq float64
}

// mean is the mean return of an action to a seat.
func (t *trial) mean(seat int) float64 { return t.sum[seat] / float64(t.visits) }

// budget is how much a decision may cost: rollouts, or time.
type budget struct {
	rollouts int
	limit    time.Duration // 0: rollouts count
	equal    bool          // actions get equally many rollouts, instead of ever fewer actions
}

// run tries the actions in tried. own is the index of the prior's choice, which stays in to the
// end, or −1. Worlds are numbered and drawn from luck by their number, so that it does not matter who plays them.
func (f *flat) run(m engine.Match, seat, own int, luck engine.Rand, b budget) {
	n := len(f.tried)
	f.draws = f.most
	f.alive = f.alive[:0]
	for i := range f.tried {
		f.alive = append(f.alive, i)
	}
	laps := bits.Len(uint(n - 1))
	if b.equal {
		laps = 1
	}
	left, world := b.rollouts, uint64(0)
	var start, clock time.Time
	switch {
	case b.limit > 0:
		f.draws = 1 // in the first world, which tells what one costs
		start = f.now()
	case laps > 0: // which there are none of for a single action; a world for each
		f.draws = min(f.most, max(1, left/(laps*n)))
	}
	for lap := range laps {
		if b.limit > 0 {
			until := start.Add(b.limit * time.Duration(lap+1) / time.Duration(laps))
			for first := true; first || clock.Before(until); first = false {
				f.lap(m, seat, own, len(f.rollers), luck, world)
				if f.stopped() {
					return
				}
				clock = f.now()
				if spent := clock.Sub(start); world == 0 && spent > 0 { // a world for each lap
					f.draws = max(1, int(min(b.limit/(time.Duration(laps)*spent), time.Duration(f.most))))
				}
				world += uint64(len(f.rollers))
			}
			if !clock.Before(start.Add(b.limit)) {
				return // whatever laps are left
			}
		} else {
			worlds := max(1, left/((laps-lap)*len(f.alive)*f.draws))
			f.lap(m, seat, own, worlds, luck, world)
			if f.stopped() {
				return
			}
			world += uint64(worlds)
			left -= worlds * len(f.alive) * f.draws
		}
		if lap < laps-1 {
			f.halve(seat, own)
		}
	}
}

// stopped reports whether the rollers were to stop.
func (f *flat) stopped() bool { return f.rollers[0].stopped() }

// lap plays the actions that are alive in the given number of worlds, numbered from first.
func (f *flat) lap(m engine.Match, seat, own, worlds int, luck engine.Rand, first uint64) {
	size := len(f.alive) * f.seats
	f.samples = slices.Grow(f.samples[:0], worlds*size)[:worlds*size]
	if len(f.rollers) == 1 {
		f.part(0, m, worlds, luck, first)
	} else {
		f.together(m, worlds, luck, first)
	}
	// In the order of the worlds, so that sums of floats do not depend on the workers.
	for k := range worlds {
		f.count(f.samples[k*size:(k+1)*size], seat, own)
	}
}

// together lets all rollers play. A panic of one is handed to the caller, who can recover from it; in a goroutine of its own it
// would end the process.
func (f *flat) together(m engine.Match, worlds int, luck engine.Rand, first uint64) {
	var at sync.WaitGroup
	var crash atomic.Pointer[string]
	for k := range f.rollers {
		at.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					text := fmt.Sprintf("%v\n%s", p, debug.Stack())
					crash.Store(&text)
				}
			}()
			f.part(k, m, worlds, luck, first)
		})
	}
	at.Wait()
	if text := crash.Load(); text != nil {
		panic(*text)
	}
}

// part plays the worlds of one roller: one in as many as there are rollers.
func (f *flat) part(k int, m engine.Match, worlds int, luck engine.Rand, first uint64) {
	w := f.rollers[k]
	for j := k; j < worlds; j += len(f.rollers) {
		of := luck.At(first + uint64(j))
		w.deal(m, of)
		for x, i := range f.alive {
			if w.stopped() {
				return
			}
			at := (j*len(f.alive) + x) * f.seats
			w.play(f.tried[i].action, f.draws, of, f.samples[at:at+f.seats])
		}
	}
}

// count takes in what came of the actions in one world.
func (f *flat) count(came []float64, seat, own int) {
	base := 0.0 // if there is no prior's choice
	for x, i := range f.alive {
		if i == own {
			base = came[x*f.seats+seat]
		}
	}
	for x, i := range f.alive {
		t := &f.tried[i]
		t.visits++
		t.played += f.draws
		for s := range f.seats {
			t.sum[s] += came[x*f.seats+s]
		}
		v := came[x*f.seats+seat]
		d := v - base
		t.square += float64(v * v)
		t.lead += d
		t.leadSq += float64(d * d)
	}
}

// halve leaves the better half of the actions in, and the prior's choice.
func (f *flat) halve(seat, own int) {
	slices.SortStableFunc(f.alive, func(x, y int) int {
		switch a, b := f.tried[x].mean(seat), f.tried[y].mean(seat); {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	keep := (len(f.alive) + 1) / 2
	if at := slices.Index(f.alive, own); at >= keep {
		f.alive[keep] = own
		keep++
	}
	f.alive = f.alive[:keep]
}

// best is the action to choose: the one with the highest mean of those that were tried to the
// end, if its lead over the prior's choice is beyond z standard errors.
func (f *flat) best(seat, own int, z float64) int {
	best := f.alive[0]
	if own >= 0 {
		best = own
	}
	for _, i := range f.alive {
		if f.tried[i].mean(seat) > f.tried[best].mean(seat) {
			best = i
		}
	}
	if own < 0 {
		return best
	}
	t := &f.tried[best]
	if lead, doubt := spread(t.lead, t.leadSq, t.visits); lead < float64(z*doubt) {
		return own
	}
	return best
}

// spread is the mean of n samples by their sum and the sum of their squares, and its standard error.
func spread(sum, square float64, n int) (mean, stderr float64) {
	if n == 0 {
		return 0, math.Inf(1)
	}
	mean = sum / float64(n)
	if n == 1 {
		return mean, math.Inf(1)
	}
	return mean, math.Sqrt(max(0, square/float64(n)-float64(mean*mean)) / float64(n-1))
}
