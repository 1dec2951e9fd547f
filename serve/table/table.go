package table

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// Table is one match with people and bots in its seats. Many goroutines may use it at a time. Its fields are set before the first does.
type Table struct {
	Friendly bool // decisions may be taken back
	// Stop is context.WithCancel where the bots decide in a goroutine of their own while somebody attends; nil: they decide in PlayOn.
	Stop Stop
	// Ask asks the table's bots; nil: they are asked without more ado.
	Ask Ask
	// Used is called with the table's lock held when somebody uses it, so that its lease begins anew; nil: it has none.
	Used func()
	// Ended is called when the match is over, and when a bot has not decided, with why; nil: nobody is told.
	Ended func(b bots.Bot, fault error)

	game    engine.Game
	players []Occupant

	mu      sync.Mutex // never held while a bot thinks
	seed    uint64     // secret until the match is over
	draw    engine.Rand
	match   engine.Match
	before  engine.Match
	taken   []Move
	next    []int             // by seat: the number of its next decision
	eyes    []*engine.Witness // of each seat that is a person's or another program's; nil for other bots'
	logs    [][]engine.Moment // of the same seats: a person's whole match, or what has happened since a program's last decision
	decided []int             // by seat of a person: moments of its log before its last decision
	dealt   int               // how often: what is taken back is another match to programs
	changed int               // how often the match has become another

	waiting int                // requests and pages that want to know what happens
	stop    context.CancelFunc // ends what the bot thinks whose turn it is; nil if none is asked
	fault   error              // why the bot whose turn it is has not decided
	moved   chan struct{}      // closed and replaced when something happens
	gone    error              // why nothing can be done here any more; nil: it can
}

// Ask lets f ask a bot something. It may limit the time for that, and turn a bot's panic into an error.
type Ask func(ctx context.Context, b bots.Bot, f func(context.Context) error) error

func (ask Ask) ask(ctx context.Context, b bots.Bot, f func(context.Context) error) error {
	if ask == nil {
		return f(ctx)
	}
	return ask(ctx, b, f)
}

// Stop makes a context that can be ended: context.WithCancel, which programs that need not stop their bots do without.
type Stop func(context.Context) (context.Context, context.CancelFunc)

// Occupant has a seat: a bot or, without one, a person.
type Occupant struct {
	Name string
	Bot  bots.Bot
}

// Person is the name of an occupant who is one.
const Person = "person"

// Move is a decision that was taken.
type Move struct {
	Seat   int
	Action engine.Action
	Number int `json:",omitempty"` // see Next
}

// New makes a table at which nothing has been dealt.
func New(game engine.Game, players []Occupant) (*Table, error) {
	info := game.Info()
	if info.Explicit {
		return nil, fmt.Errorf("game %s: chance=explicit is for callers that decide chance: leave it out", info.Config)
	}
	if len(players) != info.Seats {
		return nil, fmt.Errorf("%d players for the %d seats of %s", len(players), info.Seats, info.Config)
	}
	t := &Table{
		game: game, players: players, match: game.NewMatch(), before: game.NewMatch(), moved: make(chan struct{}),
		next: make([]int, info.Seats), eyes: make([]*engine.Witness, info.Seats), logs: make([][]engine.Moment, info.Seats), decided: make([]int, info.Seats),
	}
	for seat, p := range players {
		if _, far := p.Bot.(bots.Remote); far || p.Bot == nil {
			t.eyes[seat] = engine.NewWitness(game, seat)
		}
	}
	return t, nil
}

// Deal begins the match. Nobody else may use the table yet.
func (t *Table) Deal(seed uint64) {
	t.seed, t.draw = seed, engine.NewRand(seed).At(1)
	t.match.Reset(seed)
	t.changed++
	t.dealt++
	t.taken = t.taken[:0]
	for seat, w := range t.eyes {
		t.next[seat] = 1
		if w != nil {
			w.Begin(t.match)
			t.logs[seat], t.decided[seat] = nil, 0
		}
	}
}

// Game returns the game that is played.
func (t *Table) Game() engine.Game { return t.game }

// Match is the match itself, to be read only, and only by a caller that nobody shares the table with.
func (t *Table) Match() engine.Match { return t.match }

// Over reports whether the match is.
func (t *Table) Over() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.over()
}

func (t *Table) over() bool { return t.match.Seat() == engine.Over }

// State is what a table is restored from. Everyone who can read it knows the seed, from which all hands follow.
type State struct {
	Seed  uint64 `json:"seed,string"`
	Draws uint64 `json:"draws,string"` // how much the bots have drawn
	Moves []Move `json:"moves"`        // that stand
	Next  []int  `json:"next,omitempty"`
}

// State is the table as it stands after its last decision.
func (t *Table) State() State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state()
}

func (t *Table) state() State {
	return State{t.seed, t.draw.Counter, slices.Clone(t.taken), slices.Clone(t.next)}
}

// Restore deals the match of a table that was kept and takes its decisions again. Nobody else may use the table yet. Of a
// table in which nothing was taken back neither Next nor the numbers of moves need to be known.
func (t *Table) Restore(s State) error {
	t.Deal(s.Seed)
	for i, m := range s.Moves {
		if t.match.Seat() != m.Seat {
			return fmt.Errorf("decision %d: seat %d decided, but it is the turn of %s: the rules have changed, or the file is damaged", i+1, m.Seat, engine.SeatName(t.match.Seat()))
		}
		t.next[m.Seat] = max(t.next[m.Seat], m.Number)
		if err := t.apply(m.Action); err != nil {
			return fmt.Errorf("decision %d: %w: the rules have changed, or the file is damaged", i+1, err)
		}
	}
	for seat := range min(len(s.Next), len(t.next)) {
		t.next[seat] = max(t.next[seat], s.Next[seat])
	}
	t.draw.Counter = s.Draws
	return nil
}

// use begins whatever somebody does with the table. The error is that of a table that is gone. The lock is held.
func (t *Table) use() error {
	if t.gone == nil && t.Used != nil {
		t.Used()
	}
	return t.gone
}

// Keep writes the table's state and ends it here: from then on why is the error of all that is done with it. It reports whether
// that was still to be done, and went well. It waits for the table no longer than ctx.
func (t *Table) Keep(ctx context.Context, why error, write func(State) error) (bool, error) {
	for !t.mu.TryLock() {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		time.Sleep(time.Millisecond)
	}
	defer t.mu.Unlock()
	if t.gone != nil {
		return false, nil
	}
	if err := write(t.state()); err != nil {
		return false, err
	}
	t.gone = why
	t.halt()
	t.dismiss()
	return true, nil
}

// Close ends the table for all who sit there: why is what they are told.
func (t *Table) Close(why error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.end(why)
}

// Expire is Close if nobody is using the table and due, which is called with its lock held, says so. It reports whether it was.
func (t *Table) Expire(why error, due func() bool) bool {
	if !t.mu.TryLock() {
		return false
	}
	defer t.mu.Unlock()
	return due() && t.end(why) == nil
}

func (t *Table) end(why error) error {
	if err := t.use(); err != nil {
		return err
	}
	t.gone = why
	t.halt()
	t.dismiss()
	t.news()
	return nil
}

// dismiss ends what the bots keep running. It does not wait for that.
func (t *Table) dismiss() {
	for _, p := range t.players {
		if p.Bot != nil {
			go bots.Close(p.Bot)
		}
	}
}

// Attend is called by clients that follow the table, and what it returns when they stop. Bots think only
// while somebody waits for them.
func (t *Table) Attend() (leave func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting++
	t.wake()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.waiting--; t.waiting == 0 {
			t.halt()
		}
	}
}

// bot is the one that is to decide; nil if none is. The lock is held.
func (t *Table) bot() bots.Bot {
	if t.waiting == 0 || t.gone != nil || t.fault != nil || t.match.Seat() < 0 {
		return nil
	}
	return t.players[t.match.Seat()].Bot
}

// wake starts the goroutine in which bots decide, if there is one to be and none is. The lock is held.
func (t *Table) wake() {
	if t.Stop != nil && t.stop == nil && t.bot() != nil {
		t.stop = func() {}
		go func() { _ = t.play(nil) }() // whose only errors are then's
	}
}

// halt ends what a bot thinks. The lock is held.
func (t *Table) halt() {
	if t.stop != nil {
		t.stop()
	}
}

// PlayOn lets the bots of a table without Stop decide until a person is asked or the match is over. It returns why a bot
// has not decided. then, unless it is nil, is called after each decision; its error ends PlayOn.
func (t *Table) PlayOn(then func() error) error {
	defer t.Attend()()
	if err := t.play(then); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.fault
}

// turn is a bot's. It is apart from the table, so that the bot can think while others use that.
type turn struct {
	bot     bots.Bot
	match   engine.Match
	draw    engine.Rand // what the bot draws from
	changed int
	dealt   int
	log     []engine.Moment // see bots.Question
	faults  bots.Faults
}

// play lets bots decide until a person is asked, the match is over, or nobody waits. Its error is then's, which ends it.
func (t *Table) play(then func() error) error {
	for {
		ctx, turn := t.turn()
		if turn == nil {
			return nil
		}
		err := t.Ask.ask(ctx, turn.bot, func(ctx context.Context) error {
			a, faults, err := bots.Ask(ctx, turn.bot, bots.Question{Match: turn.match, Number: turn.dealt, Log: turn.log}, &turn.draw)
			if turn.faults = faults; err == nil {
				err = t.perform(turn, a)
			}
			return err
		})
		over, fault := t.settle(ctx, err)
		if t.Ended != nil && (over || fault != nil) {
			t.Ended(turn.bot, fault)
		}
		if fault == nil && then != nil {
			if err := then(); err != nil {
				return err
			}
		}
	}
}

// turn is that of the bot that is to decide, with what ends it; nil if none is to.
func (t *Table) turn() (context.Context, *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.halt()
	t.stop = nil
	bot := t.bot()
	if bot == nil {
		return nil, nil
	}
	one := &turn{bot: bot, match: t.game.NewMatch(), draw: t.draw, changed: t.changed, dealt: t.dealt, log: t.logs[t.match.Seat()]}
	one.match.CopyFrom(t.match)
	ctx := context.Background()
	if t.Stop != nil {
		ctx, t.stop = t.Stop(ctx)
	}
	return ctx, one
}

// perform performs what a bot has decided in its turn, unless the match has become another since.
func (t *Table) perform(turn *turn, a engine.Action) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.gone != nil || turn.changed != t.changed {
		return nil
	}
	seat := t.match.Seat()
	t.logs[seat] = nil
	if n := turn.faults.Total(); n > 0 {
		t.tell(fmt.Sprintf("Seat %d fails to answer: %v.", seat, turn.faults))
	}
	if err := t.apply(a); err != nil {
		return fmt.Errorf("%s acts against the rules: %w", turn.bot.Name(), err)
	}
	t.draw = turn.draw
	t.news()
	return nil
}

// tell tells the people at the table what is no part of the match. The lock is held.
func (t *Table) tell(line string) {
	for seat, p := range t.players {
		if p.Bot == nil {
			t.logs[seat] = append(t.logs[seat], engine.Moment{Line: line})
		}
	}
}

// settle notes why a bot has not decided, unless it was stopped: then it is asked again if anybody waits for it.
func (t *Table) settle(ctx context.Context, err error) (over bool, fault error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil || t.gone != nil || ctx.Err() != nil {
		return t.over(), nil
	}
	t.fault = err
	t.news()
	return false, err
}

// news wakes those who wait for something to happen. The lock is held.
func (t *Table) news() {
	close(t.moved)
	t.moved = make(chan struct{})
}

// Next is the number of a seat's next decision. Decisions are numbered separately for each
// seat, from 1, since the number of the others' decisions may show what they hold. Numbers only grow: after decisions were taken back
// questions get new numbers, so that a late answer to an old question is not mistaken for an answer to a new one.
func (t *Table) Next(seat int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.next[seat]
}

// Errors of a choice that nobody asks for.
var (
	ErrTurn = errors.New("it is not this seat's turn")
	ErrOver = errors.New("the match is over")
)

// Choose performs a person's action as the decision of a number. One that has been performed already may be sent again.
func (t *Table) Choose(seat, decision int, a engine.Action) error {
	return t.change(func() error {
		for _, m := range t.taken {
			if m == (Move{seat, a, decision}) {
				return nil
			}
		}
		switch {
		case t.over():
			return ErrOver
		case decision != t.next[seat] || t.match.Seat() != seat:
			return fmt.Errorf("this is not the pending decision: %w", ErrTurn)
		}
		return t.apply(a)
	})
}

// Undo takes back a seat's last decision, and all that followed: it is asked again. decision is the number of what is taken back, or
// the seat's next one.
func (t *Table) Undo(seat, decision int) error {
	return t.change(func() error {
		last := t.last(seat)
		switch {
		case !t.Friendly:
			return errors.New("this match is not friendly: decisions are final")
		case t.over():
			return ErrOver
		case last < 0:
			return errors.New("there is no decision of yours to take back")
		case decision != t.next[seat] && decision != t.taken[last].Number:
			return errors.New("the match has moved on since")
		}
		t.halt()       // what a bot thinks is about what is taken back
		s := t.state() // what the bots drew stays drawn
		s.Moves = s.Moves[:last]
		if asked := t.match.Seat(); asked >= 0 {
			s.Next[asked]++ // it is asked that no more; of the others, whose numbers stay, none can tell that it was asked at all
		}
		if err := t.Restore(s); err != nil {
			panic("table: a match does not repeat: " + err.Error())
		}
		return nil
	})
}

// last is the index of the last decision of a seat that stands, −1 if none does. The lock is held.
func (t *Table) last(seat int) int {
	last := len(t.taken) - 1
	for last >= 0 && t.taken[last].Seat != seat {
		last--
	}
	return last
}

// change lets a person change the match. If it does, all who look on are woken, and the bots answer.
func (t *Table) change(f func() error) error {
	over, err := t.changes(f)
	if over && t.Ended != nil {
		t.Ended(nil, nil)
	}
	return err
}

func (t *Table) changes(f func() error) (over bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.use(); err != nil {
		return false, err
	}
	before := t.changed
	if err := f(); err != nil || t.changed == before {
		return false, err
	}
	t.fault = nil
	t.news()
	t.wake()
	return t.over(), nil
}

// apply performs an action and notes it, and what is told of it. The lock is held.
func (t *Table) apply(a engine.Action) error {
	seat := t.match.Seat()
	t.before.CopyFrom(t.match)
	if err := t.match.Apply(a); err != nil {
		return err
	}
	t.taken = append(t.taken, Move{seat, a, t.next[seat]})
	t.next[seat]++
	t.decided[seat] = len(t.logs[seat])
	t.changed++
	if t.over() {
		t.dismiss()
	}
	for view, w := range t.eyes {
		if w == nil {
			continue
		}
		w.Chosen(t.before, a)
		if now, _ := w.See(t.match); !now.Blank() {
			t.logs[view] = append(t.logs[view], now)
		}
	}
	return nil
}

// Moments returns the moments that a person's seat has seen, from number from.
func (t *Table) Moments(seat, from int) []engine.Moment {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.logs[seat][from:]
}

// Transcript is the match so far.
func (t *Table) Transcript() *engine.Transcript {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.transcript()
}

func (t *Table) transcript() *engine.Transcript {
	info := t.game.Info()
	record := &engine.Transcript{Game: info.Config, Seed: t.seed}
	for _, p := range t.players {
		seated := engine.Seated{Name: p.Name}
		if policy, ok := p.Bot.(interface{ Digest() string }); ok {
			seated.Digest = policy.Digest()
		}
		record.Players = append(record.Players, seated)
	}
	for _, m := range t.taken {
		record.Steps = append(record.Steps, engine.Step{Seat: m.Seat, Action: info.ActionName(m.Action)})
	}
	if t.over() {
		record.Returns = make([]float32, info.Seats)
		t.match.Returns(record.Returns)
	}
	return record
}
