package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
)

// Table is one match with people and bots in its seats. It belongs to one goroutine at a time.
type Table struct {
	game    engine.Game
	players []Player
	seed    uint64 // secret until the match is over
	draw    engine.Rand
	match   engine.Match
	before  engine.Match
	taken   []Move
	next    []int             // by seat: the number of its next decision
	eyes    []*engine.Witness // of each seat that is a person's; nil for a bot's
	logs    [][]string        // of each seat that is a person's, a line a moment that it sees
	changed int               // how often the match has become another
}

// Player is who has a seat. Without a bot it is a person.
type Player struct {
	Name string
	Bot  bots.Bot
}

// Person is the name of a player who is one.
const Person = "person"

// Move is a decision that was taken.
type Move struct {
	Seat   int
	Action engine.Action
	Number int `json:",omitempty"` // see Next
}

// New makes a table at which nothing has been dealt.
func New(game engine.Game, players []Player) (*Table, error) {
	info := game.Info()
	if info.Explicit {
		return nil, fmt.Errorf("game %s: chance=explicit is for callers that decide chance: leave it out", info.Config)
	}
	if len(players) != info.Seats {
		return nil, fmt.Errorf("%d players for the %d seats of %s", len(players), info.Seats, info.Config)
	}
	t := &Table{
		game: game, players: players, match: game.NewMatch(), before: game.NewMatch(),
		next: make([]int, info.Seats), eyes: make([]*engine.Witness, info.Seats), logs: make([][]string, info.Seats),
	}
	for seat, p := range players {
		if p.Bot == nil {
			t.eyes[seat] = engine.NewWitness(game, seat)
		}
	}
	return t, nil
}

// Deal begins the match.
func (t *Table) Deal(seed uint64) {
	t.seed, t.draw = seed, engine.NewRand(seed).At(1)
	t.match.Reset(seed)
	t.changed++
	t.taken = t.taken[:0]
	for seat, w := range t.eyes {
		t.next[seat] = 1
		if w != nil {
			w.Begin(t.match)
			t.logs[seat] = nil
		}
	}
}

// Game is what is played.
func (t *Table) Game() engine.Game { return t.game }

// Match is the match itself, to be read only.
func (t *Table) Match() engine.Match { return t.match }

// Players are who sits where.
func (t *Table) Players() []Player { return t.players }

// Seed is what all hands follow from.
func (t *Table) Seed() uint64 { return t.seed }

// Taken are the decisions that stand.
func (t *Table) Taken() []Move { return t.taken }

// Numbers is Next of each seat.
func (t *Table) Numbers() []int { return slices.Clone(t.next) }

// Draws is how much the bots have drawn.
func (t *Table) Draws() uint64 { return t.draw.Counter }

// Over reports whether the match is.
func (t *Table) Over() bool { return t.match.Seat() == engine.Over }

// Waiting reports whether a person is asked.
func (t *Table) Waiting() bool { return t.match.Seat() >= 0 && t.players[t.match.Seat()].Bot == nil }

// Restore deals the match of a table that was kept and takes its decisions again. next is what Next was of each seat, and draws how much the
// bots had drawn. Of a table in which nothing was taken back neither next nor the numbers of moves need to be known.
func (t *Table) Restore(seed uint64, moves []Move, next []int, draws uint64) error {
	t.Deal(seed)
	for i, m := range moves {
		if t.match.Seat() != m.Seat {
			return fmt.Errorf("decision %d: seat %d decided, but it is the turn of %s: the rules have changed, or the file is damaged", i+1, m.Seat, engine.SeatName(t.match.Seat()))
		}
		t.next[m.Seat] = max(t.next[m.Seat], m.Number)
		if err := t.apply(m.Action); err != nil {
			return fmt.Errorf("decision %d: %w: the rules have changed, or the file is damaged", i+1, err)
		}
	}
	for seat := range min(len(next), len(t.next)) {
		t.next[seat] = max(t.next[seat], next[seat])
	}
	t.draw.Counter = draws
	return nil
}

// Turn is a bot's. It is apart from the table, so that the bot can think while others use that.
type Turn struct {
	Bot   bots.Bot
	Match engine.Match // to be read only
	Draw  engine.Rand  // what the bot draws from

	changed int
}

// Turn is that of the bot that is to act; nil if nobody is to, or a person.
func (t *Table) Turn() *Turn {
	seat := t.match.Seat()
	if seat < 0 || t.players[seat].Bot == nil {
		return nil
	}
	turn := &Turn{Bot: t.players[seat].Bot, Match: t.game.NewMatch(), Draw: t.draw, changed: t.changed}
	turn.Match.CopyFrom(t.match)
	return turn
}

// Perform performs what a bot has decided in its turn, unless the match has become another since: then it reports false.
func (t *Table) Perform(turn *Turn, a engine.Action) (bool, error) {
	if turn.changed != t.changed {
		return false, nil
	}
	if err := t.apply(a); err != nil {
		return false, fmt.Errorf("%s acts against the rules: %w", turn.Bot.Name(), err)
	}
	t.draw = turn.Draw
	return true, nil
}

// Step lets the bot act whose turn it is. It reports false if it is nobody's or a person's.
func (t *Table) Step() (bool, error) {
	turn := t.Turn()
	if turn == nil {
		return false, nil
	}
	return t.Perform(turn, turn.Bot.Act(turn.Match, &turn.Draw))
}

// Next is the number of a seat's next decision. Decisions are numbered separately for each
// seat, from 1: how many the others take in between may show what they hold. Numbers only grow: what is asked after decisions were taken
// back has another than all that was asked before, so that no answer to that is taken for one to this.
func (t *Table) Next(seat int) int { return t.next[seat] }

// Decided is what a seat has decided under a number, if that stands.
func (t *Table) Decided(seat, number int) (engine.Action, bool) {
	for _, m := range t.taken {
		if m.Seat == seat && m.Number == number {
			return m.Action, true
		}
	}
	return 0, false
}

// last is the number of the last decision of a seat that stands, 0 if none does.
func (t *Table) last(seat int) int {
	for i := len(t.taken) - 1; i >= 0; i-- {
		if t.taken[i].Seat == seat {
			return t.taken[i].Number
		}
	}
	return 0
}

// ErrTurn is the error of what only the seat that is asked may do.
var ErrTurn = errors.New("it is not this seat's turn")

// Take performs a person's action.
func (t *Table) Take(seat int, a engine.Action) error {
	if t.match.Seat() != seat {
		return ErrTurn
	}
	return t.apply(a)
}

// apply performs an action and notes it, and what is told of it.
func (t *Table) apply(a engine.Action) error {
	seat := t.match.Seat()
	t.before.CopyFrom(t.match)
	if err := t.match.Apply(a); err != nil {
		return err
	}
	t.taken = append(t.taken, Move{seat, a, t.next[seat]})
	t.next[seat]++
	t.changed++
	for view, w := range t.eyes {
		if w != nil {
			w.Chosen(t.before, a)
			t.tell(view)
		}
	}
	return nil
}

// longLabel is how long a label may be in a log.
const longLabel = 40

// tell adds to a person's log what was openly chosen since the last moment that it has seen, unless what came of it says
// so, and what came of it: if it may see this one.
func (t *Table) tell(view int) {
	deeds, told, _ := t.eyes[view].See(t.match)
	var line []string
	for _, d := range deeds {
		who, label := fmt.Sprintf("Seat %d", d.Seat), d.Label
		if len(deeds) == 1 && len(told) > 0 && strings.HasPrefix(told[0], who+" ") {
			break
		}
		if len(label) > longLabel {
			label, _, _ = strings.Cut(label, ": ") // what follows explains it
		}
		line = append(line, who+": "+label+".")
	}
	if line = append(line, told...); len(line) > 0 {
		t.logs[view] = append(t.logs[view], strings.Join(line, " "))
	}
}

// Undo takes back a seat's last decision, and all that followed: it is asked again. It reports false if there is none.
func (t *Table) Undo(seat int) bool {
	last := len(t.taken) - 1
	for last >= 0 && t.taken[last].Seat != seat {
		last--
	}
	if last < 0 {
		return false
	}
	next := slices.Clone(t.next)
	if asked := t.match.Seat(); asked >= 0 {
		next[asked]++ // it is asked that no more; of the others, whose numbers stay, none can tell that it was asked at all
	}
	// What the bots drew stays drawn.
	if err := t.Restore(t.seed, slices.Clone(t.taken[:last]), next, t.draw.Counter); err != nil {
		panic("table: a match does not repeat: " + err.Error())
	}
	return true
}

// Transcript is the match so far.
func (t *Table) Transcript() *engine.Transcript {
	info := t.game.Info()
	record := &engine.Transcript{Game: info.Config, Seed: t.seed}
	for _, m := range t.taken {
		record.Steps = append(record.Steps, engine.Step{Seat: m.Seat, Action: info.ActionName(m.Action)})
	}
	if t.Over() {
		record.Returns = make([]float32, info.Seats)
		t.match.Returns(record.Returns)
	}
	return record
}
