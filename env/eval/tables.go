package eval

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
)

// Tables is where players meet, on all cores. A match is decided by the seed of the tables, its deal and
// who sits where, so that it comes out the same whatever else is played, and by how many goroutines.
type Tables struct {
	game    engine.Game
	judge   engine.Game // the same rules, which pay by place
	players []Player
	seed    uint64
	dealers []*dealer // one a goroutine
}

// Match is one to be played: seat i has Seats[i], an index of the players.
type Match struct {
	Deal  uint64
	Seats []int
}

// Final is how a match has ended, by seat.
type Final struct {
	Places    []int     `json:"places"`              // 1, and one more for each seat that did better: tied seats share the better place
	Wins      []float64 `json:"wins"`                // parts of the win, as engine.Won has them
	Points    []float64 `json:"points"`              // scores; Returns if the game has none
	Returns   []float64 `json:"returns"`             // in the game's own unit
	Luck      []float64 `json:"luck,omitempty"`      // parts of the win that luck has brought; nil without Tables.Control
	Decisions int       `json:"decisions"`           // of all seats
	Truncated bool      `json:"truncated,omitempty"` // a limit of the game string has ended it: nobody has won
}

// NewTables prepares matches between players. workers is the number of goroutines, 0 for one a core.
func NewTables(game string, seed uint64, workers int, players ...Player) (*Tables, error) {
	g, err := engine.NewGame(game)
	if err != nil {
		return nil, err
	}
	if g.Info().Explicit {
		return nil, fmt.Errorf("game %s: chance=explicit makes chance the caller's: leave it out", game)
	}
	t := &Tables{game: g, judge: g, players: players, seed: seed}
	if byPlace, err := engine.With(g.Info().Config, "objective", "rank", "rewards", "final"); err == nil {
		if t.judge, err = engine.NewGame(byPlace); err != nil {
			return nil, err
		}
	}
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	least := overhead()
	for range workers {
		w := &dealer{Tables: t, overhead: least, match: g.NewMatch(), end: t.judge.NewMatch(), costs: make([]Cost, len(players)), spent: make([]time.Duration, len(players))}
		for _, p := range players {
			b, err := p.New(g)
			if err != nil {
				return nil, err
			}
			w.bots = append(w.bots, b)
		}
		t.dealers = append(t.dealers, w)
	}
	return t, nil
}

// Control has the luck of matches followed from now on.
func (t *Tables) Control(l *Luck) error {
	for _, d := range t.dealers {
		var err error
		if d.luck, err = l.tracker(t.game); err != nil {
			return err
		}
	}
	return nil
}

// Info describes the game that is played.
func (t *Tables) Info() *engine.Info { return t.game.Info() }

// Cost is what the decisions of player i have taken so far.
func (t *Tables) Cost(i int) Cost {
	sum := Cost{Wall: byWall}
	for _, w := range t.dealers {
		c := w.costs[i]
		if c.Timed > 0 {
			c.Micros = float64(w.spent[i].Nanoseconds()) / 1000 / float64(c.Timed)
		}
		sum = sum.Plus(c)
	}
	return sum
}

// Play plays matches and returns how each ended, in their order. It stops early if the context ends.
func (t *Tables) Play(ctx context.Context, matches []Match) ([]Final, error) {
	finals := make([]Final, len(matches))
	faults := make([]error, len(t.dealers))
	var next atomic.Int64
	var wg sync.WaitGroup
	for i, w := range t.dealers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			runtime.LockOSThread() // whose time is taken
			defer runtime.UnlockOSThread()
			for ctx.Err() == nil {
				k := int(next.Add(1)) - 1
				if k >= len(matches) {
					return
				}
				if finals[k], faults[i] = w.play(matches[k]); faults[i] != nil {
					next.Store(int64(len(matches)))
					return
				}
			}
		}()
	}
	wg.Wait()
	for _, err := range faults {
		if err != nil {
			return nil, err
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return finals, nil
}

// dealer plays matches in one goroutine.
type dealer struct {
	*Tables
	match, end engine.Match
	bots       []bots.Bot // by player
	costs      []Cost
	spent      []time.Duration // of the timed decisions
	overhead   time.Duration   // of taking the time
	luck       *tracker        // nil: not followed
}

// overhead is the least time that passes between two looks at the time.
func overhead() time.Duration {
	runtime.LockOSThread() // else the second look may be at the time of another thread
	defer runtime.UnlockOSThread()
	least := time.Duration(math.MaxInt64)
	for range 100 {
		before := threadTime()
		least = min(least, threadTime()-before)
	}
	return least
}

// choices is the child stream of a deal from which the choices of its seats are drawn. A seat's own stream is the
// same whoever has the seat, so that matches of one deal differ only by their players.
const choices = 2

func (d *dealer) play(of Match) (Final, error) {
	m, seats := d.match, d.match.Info().Seats
	m.Reset(engine.DealSeed(d.seed, of.Deal))
	own := engine.NewRand(d.seed).At(of.Deal).At(choices)
	streams := make([]engine.Rand, seats)
	for i := range streams {
		streams[i] = own.At(uint64(i))
	}
	f := Final{}
	if d.luck != nil {
		if err := d.luck.reset(engine.DealSeed(d.seed, of.Deal)); err != nil {
			return f, err
		}
	}
	for seat := m.Seat(); seat != engine.Over; seat = m.Seat() {
		a := d.decide(of.Seats[seat], &streams[seat])
		if d.luck != nil && m.Legal().Has(a) {
			if err := d.luck.decide(m, d.bots[of.Seats[seat]], a); err != nil {
				return f, err
			}
		}
		if err := m.Apply(a); err != nil {
			return f, fmt.Errorf("deal %d of seed %d: %s: %w", of.Deal, d.seed, d.players[of.Seats[seat]].Name, err)
		}
		f.Decisions++
	}
	return f, d.finish(&f)
}

// A player's first decisions with a dealer are all timed, and then one in some: taking the time takes a third of a
// microsecond, more than fast bots think.
const (
	timedAtFirst = 64
	timedOneIn   = 16
)

func (d *dealer) decide(player int, r *engine.Rand) engine.Action {
	c := &d.costs[player]
	c.Decisions++
	if c.Decisions > timedAtFirst && c.Decisions%timedOneIn != 0 {
		return d.bots[player].Act(d.match, r)
	}
	c.Timed++
	before := threadTime()
	a := d.bots[player].Act(d.match, r)
	d.spent[player] += max(0, threadTime()-before-d.overhead)
	return a
}

// finish writes down how the match has ended.
func (d *dealer) finish(f *Final) error {
	info := d.match.Info()
	returns, scores := make([]float32, info.Seats), make([]int32, len(info.ScoreSources))
	if d.luck != nil {
		if err := d.luck.finish(d.match); err != nil {
			return err
		}
		f.Luck = slices.Clone(d.luck.luck)
	}
	f.Places, f.Wins = make([]int, info.Seats), make([]float64, info.Seats)
	f.Points, f.Returns = make([]float64, info.Seats), make([]float64, info.Seats)
	d.match.Returns(returns)
	for i := range f.Points {
		f.Returns[i] = float64(float64(returns[i]) * info.ReturnScale)
		if len(scores) == 0 {
			f.Points[i] = f.Returns[i]
			continue
		}
		d.match.Scores(engine.Full, i, scores)
		for _, x := range scores {
			f.Points[i] += float64(x)
		}
	}
	// A limit of this game string is one of the judge's too.
	if err := d.end.SetBytes(d.match.Bytes()); err != nil {
		return err
	}
	d.end.Returns(returns)
	limit, _ := d.match.Truncated()
	f.Truncated = limit != ""
	for i := range f.Places {
		f.Wins[i] = engine.Won(d.end, returns, i)
		f.Places[i] = 1
		for _, r := range returns {
			if r > returns[i] && !f.Truncated {
				f.Places[i]++
			}
		}
	}
	return nil
}
