package match

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// Match is one to be played.
type Match struct {
	Seed    uint64      // of everything that is dealt, drawn and rolled
	Choices engine.Rand // the players' stream of random numbers, apart from the match's own
	Apart   bool        // each seat draws from its own child of Choices instead
	Seats   []int       // seat i has player Seats[i], an index of the runner's players

	Forced func(engine.Match) engine.Action // decides for the player to act where that is legal; −1: it does not. May be nil
	Record *engine.Transcript               // gets the match; nil: none
}

// Deal is a match of a numbered deal of a seed. A seat draws the same numbers no matter which player has it, so that matches of one deal
// differ by their players only.
func Deal(seed, deal uint64, seats []int) Match {
	return Match{Seed: engine.DealSeed(seed, deal), Choices: engine.NewRand(seed).At(deal).At(choices), Apart: true, Seats: seats}
}

// Rotated is match i of a data set or a simulation with a seed. The players are repeated around the table and moved on by one seat each match; if
// there are more players than seats, so that each match has others of them.
func Rotated(seed uint64, i, seats, players int) Match {
	m := Match{Seed: engine.DealSeed(seed, uint64(i)), Seats: make([]int, seats), Choices: engine.NewRand(seed).At(uint64(i)).At(rotated)}
	for seat := range m.Seats {
		m.Seats[seat] = (seat + i) % max(seats, players) % players
	}
	return m
}

// rotated is the child stream of a match from which Rotated draws the choices of its players.
const rotated = 1

// choices is the child stream of a deal from which the choices of its seats are drawn.
const choices = 2

// Final is how a match has ended, by seat.
type Final struct {
	Places    []int     `json:"places"`              // 1, and one more for each seat that did better: tied seats share the better place
	Wins      []float64 `json:"wins"`                // parts of the win, as engine.Won has them
	Points    []float64 `json:"points"`              // scores; Paid if the game has none
	Paid      []float64 `json:"returns"`             // returns in the game's own unit
	Luck      []float64 `json:"luck,omitempty"`      // parts of the win that luck has brought, if a watcher has worked them out
	Decisions int       `json:"decisions"`           // of all seats
	Truncated bool      `json:"truncated,omitempty"` // a limit of the game string has ended it: nobody has won

	// Faults are the players' faults, nil if there are none. A seat that has forfeited comes last and wins nothing;
	// what it scored and was paid stays.
	Faults []bots.Faults `json:"faults,omitempty"`

	Returns []float32 `json:"-"` // as engine.Match has them
	Scores  [][]int32 `json:"-"` // by source (engine.Info.ScoreSources)
}

// Watcher follows matches one after the other, each from its beginning to its end.
type Watcher struct {
	Begin  func(k int, of *Match) error                             // match k of those to be played is dealt
	Decide func(m engine.Match, by bots.Bot, a engine.Action) error // called before a legal action is applied; by is nil for policies
	End    func(m engine.Match, f *Final) error

	// Replace returns what is played in place of the legal action that a player has chosen; draw is the stream that the player draws
	// from. nil: what was chosen.
	Replace func(m engine.Match, chosen engine.Action, draw *engine.Rand) engine.Action
}

// Runner plays matches between players, on all cores.
type Runner struct {
	Watch func() (Watcher, error) // makes a watcher for each match that is played at a time; nil: none

	game, ranked engine.Game // ranked: the same rules, which pay by place
	players      []Player
	policies     []*Inference // by player; nil of bots
	workers      []worker
	games        []game  // played at a time, each by the worker whose part it is in
	asked        []*game // those that wait for one policy
}

// worker is one goroutine's.
type worker struct {
	*Runner
	bots     []bots.Bot // by player; nil of policies
	end      engine.Match
	returns  []float32
	costs    []Cost
	spent    []time.Duration // on the timed decisions
	overhead time.Duration   // of taking the time
	begun    int             // matches, by which its bots tell them apart
}

// game is a match under way.
type game struct {
	match     engine.Match
	of        *Match // nil: none
	k         int
	streams   []engine.Rand // one, or one a seat
	decisions int
	watch     *Watcher // nil: none

	number int               // among the worker's matches
	eyes   []*engine.Witness // by seat, what those of a bots.Remote have seen; nil of others
	logs   [][]engine.Moment // by seat, since its last decision
	faults []bots.Faults     // by seat
}

// fault is the error that ended match k. Bots' faults are the first match's, however many workers play: the matches before it have begun.
type fault struct {
	k int
	error
}

// parallel is the most matches that are played side by side for policies: enough for batches that keep a network busy.
const parallel = 1024

// NewRunner prepares matches between players. workers is the number of goroutines, 0 for one a core.
func NewRunner(name string, workers int, players ...Player) (*Runner, error) {
	g, err := engine.NewGame(name)
	if err != nil {
		return nil, err
	}
	if g.Info().Explicit {
		return nil, fmt.Errorf("game %s: chance=explicit makes chance the caller's: leave it out", g.Info().Config)
	}
	r := &Runner{game: g, ranked: g, players: players, policies: make([]*Inference, len(players))}
	if byPlace, err := engine.With(g.Info().Config, "objective", "rank", "rewards", "final"); err == nil {
		if r.ranked, err = engine.NewGame(byPlace); err != nil {
			return nil, err
		}
	}
	for i := range players {
		if players[i].Policy != nil {
			if r.policies[i], err = NewInference(&players[i], g); err != nil {
				return nil, err
			}
		}
	}
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	least := overhead()
	for range workers {
		w := worker{Runner: r, overhead: least, end: r.ranked.NewMatch(), returns: make([]float32, g.Info().Seats),
			bots: make([]bots.Bot, len(players)), costs: make([]Cost, len(players)), spent: make([]time.Duration, len(players))}
		for i, p := range players {
			if p.Policy != nil {
				continue
			}
			if p.Bot == nil {
				return nil, fmt.Errorf("player %d (%s) is neither a bot nor a policy: give it one of them", i, p.Name)
			}
			if w.bots[i], err = p.Bot(g); err != nil {
				return nil, err
			}
		}
		r.workers = append(r.workers, w)
	}
	return r, nil
}

// Close ends what the bots keep running, such as other programs. Nothing can be played afterwards.
func (r *Runner) Close() {
	for _, w := range r.workers {
		for _, b := range w.bots {
			bots.Close(b)
		}
	}
}

// Game returns the game that is played.
func (r *Runner) Game() engine.Game { return r.game }

// Info describes the game that is played.
func (r *Runner) Info() *engine.Info { return r.game.Info() }

// Cost is what the decisions of player i have taken so far; nothing is known of a policy's.
func (r *Runner) Cost(i int) Cost {
	sum := Cost{Wall: byWall}
	for _, w := range r.workers {
		c := w.costs[i]
		if c.Timed > 0 {
			c.Micros = float64(w.spent[i].Nanoseconds()) / 1000 / float64(c.Timed)
		}
		sum = sum.Plus(c)
	}
	return sum
}

// Play plays matches and returns how each ended, in their order. It stops early if the context ends.
func (r *Runner) Play(ctx context.Context, matches []Match) ([]Final, error) {
	if err := r.makeRoom(len(matches)); err != nil {
		return nil, err
	}
	finals := make([]Final, len(matches))
	faults := slices.Repeat([]fault{{k: len(matches)}}, len(r.workers))
	var next atomic.Int64
	var over atomic.Bool
	defer context.AfterFunc(ctx, func() { over.Store(true) })()
	for i := range r.workers {
		for _, b := range r.workers[i].bots {
			if _, ok := b.(bots.Remote); ok { // others are done soon
				bots.Until(b, over.Load)
				defer bots.Until(b, nil)
			}
		}
	}
	for {
		var wg sync.WaitGroup
		for i := range r.workers {
			part := r.games[len(r.games)*i/len(r.workers) : len(r.games)*(i+1)/len(r.workers)]
			wg.Go(func() {
				runtime.LockOSThread() // whose time is taken
				defer runtime.UnlockOSThread()
				for k := range part {
					if err := r.workers[i].advance(ctx, &part[k], matches, finals, &next); err != nil {
						faults[i] = fault{part[k].k, err}
						next.Store(int64(len(matches)))
						return
					}
				}
			})
		}
		wg.Wait()
		if first := slices.MinFunc(faults, func(a, b fault) int { return cmp.Compare(a.k, b.k) }); first.error != nil {
			return nil, first.error
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if asked, err := r.ask(); err != nil || !asked {
			return finals, err
		}
	}
}

// makeRoom sets up the games that are played at a time: one a worker or, where policies decide, enough for large batches.
func (r *Runner) makeRoom(matches int) error {
	n := len(r.workers)
	for _, p := range r.policies {
		if p != nil {
			n = max(n, min(matches, parallel))
		}
	}
	for i := range r.games {
		r.games[i].of = nil // what an earlier call has left unfinished
	}
	if len(r.games) >= n {
		return nil
	}
	for _, m := range r.game.NewMatches(n - len(r.games)) {
		seats := m.Info().Seats
		g := game{match: m, streams: make([]engine.Rand, seats), eyes: make([]*engine.Witness, seats), logs: make([][]engine.Moment, seats), faults: make([]bots.Faults, seats)}
		if r.Watch != nil {
			watch, err := r.Watch()
			if err != nil {
				return err
			}
			g.watch = &watch
		}
		r.games = append(r.games, g)
	}
	return nil
}

// advance plays in the place of a game, one match after the other, until none is left or a policy is to decide.
func (w *worker) advance(ctx context.Context, g *game, matches []Match, finals []Final, next *atomic.Int64) error {
	for {
		if g.of == nil {
			k := int(next.Add(1)) - 1
			if k >= len(matches) || ctx.Err() != nil {
				return nil
			}
			if err := w.begin(g, k, &matches[k]); err != nil {
				return err
			}
		}
		seat := g.match.Seat()
		if seat == engine.Over {
			if err := w.finish(g, &finals[g.k]); err != nil {
				return err
			}
			g.of = nil
			continue
		}
		player := g.of.Seats[seat]
		a := engine.Action(-1)
		if g.of.Forced != nil {
			a = g.of.Forced(g.match)
		}
		if a < 0 || !g.match.Legal().Has(a) {
			if w.policies[player] != nil {
				return nil
			}
			var err error
			if a, err = w.decide(player, g); err != nil {
				if ctx.Err() != nil {
					return nil
				}
				return fmt.Errorf("match %d (seed %d), decision %d: %s: %w", g.k, g.of.Seed, g.decisions+1, w.players[player].Name, err)
			}
		}
		if err := w.apply(g, w.bots[player], a); err != nil {
			return err
		}
	}
}

func (w *worker) begin(g *game, k int, of *Match) error {
	w.begun++
	g.k, g.of, g.decisions, g.number = k, of, 0, w.begun
	g.match.Reset(of.Seed)
	clear(g.faults)
	for seat, player := range of.Seats {
		g.eyes[seat], g.logs[seat] = nil, g.logs[seat][:0]
		if _, ok := w.bots[player].(bots.Remote); ok {
			g.eyes[seat] = engine.NewWitness(w.game, seat)
			g.eyes[seat].Begin(g.match)
		}
	}
	g.streams[0] = of.Choices
	if of.Apart {
		for i := range g.streams {
			g.streams[i] = of.Choices.At(uint64(i))
		}
	}
	if of.Record != nil {
		*of.Record = engine.Transcript{Game: g.match.Info().Config, Seed: of.Seed}
		for _, player := range of.Seats {
			of.Record.Players = append(of.Record.Players, engine.Seated{Name: w.players[player].Name, Digest: w.players[player].Digest})
		}
	}
	if g.watch == nil {
		return nil
	}
	return g.watch.Begin(k, of)
}

// stream is the random stream of the seat to act.
func (g *game) stream() *engine.Rand {
	if g.of.Apart {
		return &g.streams[g.match.Seat()]
	}
	return &g.streams[0]
}

// apply takes a decision.
func (r *Runner) apply(g *game, by bots.Bot, a engine.Action) error {
	m := g.match
	if m.Legal().Has(a) {
		if g.watch != nil && g.watch.Replace != nil {
			a = g.watch.Replace(m, a, g.stream())
		}
		if g.of.Record != nil {
			g.of.Record.Record(m, a)
		}
		if g.watch != nil {
			if err := g.watch.Decide(m, by, a); err != nil {
				return err
			}
		}
	}
	g.decisions++
	player := g.of.Seats[m.Seat()]
	for _, eye := range g.eyes {
		if eye != nil && m.Legal().Has(a) {
			eye.Chosen(m, a)
		}
	}
	if err := m.Apply(a); err != nil {
		return fmt.Errorf("match %d (seed %d), decision %d: %s: %w", g.k, g.of.Seed, g.decisions, r.players[player].Name, err)
	}
	for seat, eye := range g.eyes {
		if eye == nil {
			continue
		}
		if now, _ := eye.See(m); !now.Blank() {
			g.logs[seat] = append(g.logs[seat], now)
		}
	}
	return nil
}

// ask asks each policy about the games that wait for it, all at once; false if there are none.
func (r *Runner) ask() (asked bool, err error) {
	for player, policy := range r.policies {
		if policy == nil {
			continue
		}
		policy.Clear()
		r.asked = r.asked[:0]
		for i := range r.games {
			if g := &r.games[i]; g.of != nil && g.match.Seat() != engine.Over && g.of.Seats[g.match.Seat()] == player {
				policy.Add(g.match)
				r.asked = append(r.asked, g)
			}
		}
		if len(r.asked) == 0 {
			continue
		}
		asked = true
		if err := policy.Run(); err != nil {
			return true, fmt.Errorf("%s: %w", r.players[player].Name, err)
		}
		for k, g := range r.asked {
			a := policy.Choose(k, g.match.Legal(), g.stream())
			if a < 0 {
				return true, fmt.Errorf("%s: its probabilities are negative, not finite or all zero at: %s", r.players[player].Name, g.match.Decision())
			}
			if err := r.apply(g, nil, a); err != nil {
				return true, err
			}
		}
	}
	return asked, nil
}

// A bot's first decisions in a goroutine are all timed, and then one in some: taking the time takes a third of a
// microsecond, more than fast bots think.
const (
	timedAtFirst = 64
	timedOneIn   = 16
)

func (w *worker) decide(player int, g *game) (engine.Action, error) {
	c := &w.costs[player]
	c.Decisions++
	if far, ok := w.bots[player].(bots.Remote); ok {
		return w.askRemote(far, player, g)
	}
	if c.Decisions > timedAtFirst && c.Decisions%timedOneIn != 0 {
		return w.bots[player].Act(g.match, g.stream()), nil
	}
	c.Timed++
	before := threadTime()
	a := w.bots[player].Act(g.match, g.stream())
	w.spent[player] += max(0, threadTime()-before-w.overhead)
	return a, nil
}

// askRemote is decide for a bot that another program plays. Its time is by the clock: this process has no other of it.
func (w *worker) askRemote(far bots.Remote, player int, g *game) (engine.Action, error) {
	seat, before := g.match.Seat(), time.Now()
	a, faults, err := far.Answer(bots.Question{Match: g.match, Number: g.number, Log: g.logs[seat]}, g.stream())
	w.costs[player].Timed++
	w.costs[player].Wall = true
	w.spent[player] += time.Since(before)
	g.logs[seat] = g.logs[seat][:0]
	g.faults[seat] = g.faults[seat].Plus(faults)
	return a, err
}

// finish writes down how a match has ended.
func (w *worker) finish(g *game, f *Final) error {
	info := g.match.Info()
	f.Decisions = g.decisions
	f.Places, f.Wins, f.Points, f.Paid = make([]int, info.Seats), make([]float64, info.Seats), make([]float64, info.Seats), make([]float64, info.Seats)
	f.Returns = make([]float32, info.Seats)
	g.match.Returns(f.Returns)
	if g.of.Record != nil {
		g.of.Record.Returns = f.Returns
		for seat := range g.faults {
			g.of.Record.Players[seat].Faults = g.faults[seat].Total()
		}
	}
	limit, _ := g.match.Truncated()
	f.Truncated = limit != ""
	// A limit of this game string is one of the ranked game's too.
	if err := w.end.SetBytes(g.match.Bytes()); err != nil {
		return err
	}
	w.end.Returns(w.returns)
	if f.Truncated {
		clear(w.returns) // nobody has won
	}
	if slices.ContainsFunc(g.faults, func(f bots.Faults) bool { return f != bots.Faults{} }) {
		f.Faults = slices.Clone(g.faults)
	}
	for seat := range g.faults {
		if g.faults[seat].Forfeits > 0 {
			w.returns[seat] = -2 // the least that a match pays is −1
		}
	}
	for seat, paid := range f.Returns {
		f.Paid[seat] = float64(float64(paid) * info.ReturnScale)
		f.Points[seat] = f.Paid[seat]
		if n := len(info.ScoreSources); n > 0 {
			scores := make([]int32, n)
			g.match.Scores(engine.Full, seat, scores)
			f.Scores = append(f.Scores, scores)
			f.Points[seat] = 0
			for _, x := range scores {
				f.Points[seat] += float64(x)
			}
		}
		f.Wins[seat] = engine.WinShare(w.returns, seat)
		f.Places[seat] = 1
		for _, r := range w.returns {
			if r > w.returns[seat] {
				f.Places[seat]++
			}
		}
	}
	if g.watch == nil {
		return nil
	}
	return g.watch.End(g.match, f)
}
