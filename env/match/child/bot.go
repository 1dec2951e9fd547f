package child

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/prompt"
)

// Bot is a player by another program. It implements bots.Remote, bots.Interruptible and io.Closer.
type Bot struct {
	settings
	name    string
	spec    *encode.Spec
	encoder *encode.Encoder
	prompts *prompt.Prompter // nil: it is asked in objects
	seats   []seat
	over    func() bool // Until

	mu     sync.Mutex // of the processes, as Close may come at any time
	closed bool
}

// seat is the player of one seat.
type seat struct {
	process *process // nil: none runs
	wants   []string
	asked   int // the last question of the process
	waits   int // the question that is to be answered; 0: none
	late    int // a question that it was silent to and has not answered since; 0: none
	failed  int // starts in a row that have failed
	lost    int // the match that was forfeited last; 0: none
}

// Bounds of what a process may do.
const (
	mostUnasked = 100 // unasked answers to one question, then it is ended
	mostFailed  = 3   // starts in a row that fail, then no other is tried
)

// How often a bot that waits looks whether it is to stop.
const glance = 10 * time.Millisecond

// New makes a bot from its name, exec:COMMAND or exec-text:COMMAND. A program starts when its seat is first asked. A missing program
// and an unknown setting are errors.
func New(name string, g engine.Game) (*Bot, error) {
	s, err := read(name)
	if err != nil {
		return nil, err
	}
	b := &Bot{settings: s, name: name, seats: make([]seat, g.Info().Seats)}
	if b.spec, err = encode.SpecOf(g.Info().Config); err != nil {
		return nil, fmt.Errorf("bot %q: %w", name, err)
	}
	if s.text {
		b.prompts, err = prompt.New(g, s.rules)
		return b, err
	}
	b.encoder, err = encode.For(g)
	return b, err
}

// Name is the name that the bot was made with.
func (b *Bot) Name() string { return b.name }

// Until has the bot stop waiting for an answer.
func (b *Bot) Until(over func() bool) { b.over = over }

// Close ends the processes. It may be called at any time, and again.
func (b *Bot) Close() error {
	b.mu.Lock()
	b.closed = true
	var running []*process
	for i := range b.seats {
		if p := b.seats[i].process; p != nil {
			running = append(running, p)
		}
	}
	b.mu.Unlock()
	var all sync.WaitGroup
	for _, p := range running {
		all.Go(func() { p.dismiss() })
	}
	all.Wait()
	return nil
}

// Act is Answer for a caller that tells nothing of what has happened. It returns bots.Stopped if there is no answer.
func (b *Bot) Act(m engine.Match, r *engine.Rand) engine.Action {
	a, _, err := b.Answer(bots.Question{Match: m}, r)
	if err != nil {
		return bots.Stopped
	}
	return a
}

// fault is one, of a kind that is counted.
type fault struct {
	count *int
	error
}

// errStopped is why there is no answer if the bot was to stop.
var errStopped = errors.New("stopped")

// Answer asks the process of the seat that is to act.
func (b *Bot) Answer(q bots.Question, r *engine.Rand) (engine.Action, bots.Faults, error) {
	var faults bots.Faults
	s := &b.seats[q.Match.Seat()]
	if q.Number != 0 && s.lost == q.Number {
		return q.Match.Legal().Sample(r), faults, nil
	}
	until := time.Now().Add(b.think)
	again := ""
	for try := 0; ; try++ {
		a, err := b.ask(s, q, until, again, &faults)
		if err == nil {
			return a, faults, nil
		}
		var f fault
		if !errors.As(err, &f) {
			return bots.Stopped, faults, err
		}
		note(&faults, f)
		if try < b.retries {
			if s.late != 0 {
				until = time.Now().Add(b.think)
			}
			again = f.Error()
			continue
		}
		switch b.onFault {
		case stop:
			return bots.Stopped, faults, fmt.Errorf("a fault, and on_fault=stop: %w", f.error)
		case forfeit:
			faults.Forfeits, s.lost = 1, q.Number
		}
		return q.Match.Legal().Sample(r), faults, nil
	}
}

// note counts a fault.
func note(faults *bots.Faults, f fault) {
	*f.count++
	if faults.First == "" {
		faults.First = f.Error()
	}
}

// ask asks a question once. The error is a fault, or why nobody is to be asked.
func (b *Bot) ask(s *seat, q bots.Question, until time.Time, again string, faults *bots.Faults) (engine.Action, error) {
	if s.process != nil {
		select {
		case <-s.process.dead: // since it was asked last
			f := b.drop(s, &faults.Crashes, errors.New(s.process.last()))
			if b.onFault != random {
				return 0, f
			}
			note(faults, f) // another one can still be asked
		default:
		}
	}
	if s.process == nil {
		if err := b.begin(s, q.Match.Seat(), faults); err != nil {
			return 0, err
		}
		until = time.Now().Add(b.think) // starting is none of its thinking
	}
	line, err := b.question(s, q, time.Until(until), again)
	if err != nil {
		return 0, err
	}
	s.waits = s.asked
	defer func() { s.waits = 0 }()
	select {
	case s.process.lines <- line:
	default:
		return 0, b.drop(s, &faults.Silences, errors.New("it does not read its input"))
	}
	for unasked := 0; ; {
		line, err := b.hear(s, until, b.think, faults)
		if err != nil {
			return 0, err
		}
		a, err := readAnswer(line, b.text)
		switch {
		case err != nil:
			return 0, fault{&faults.Unreadable, err}
		case *a.ID == s.late:
			s.late = 0 // it has been counted
		case *a.ID != s.waits:
			if unasked++; unasked > mostUnasked {
				return 0, b.drop(s, &faults.Unreadable, fmt.Errorf("more than %d answers without a question", mostUnasked))
			}
			note(faults, fault{&faults.Unasked, fmt.Errorf("it answers question %d: question %d is asked", *a.ID, s.waits)})
		default:
			chosen, err := a.action(q.Match)
			if a.Text != nil && err != nil && !errors.Is(err, prompt.ErrIllegal) {
				return 0, fault{&faults.Unreadable, err}
			}
			if err != nil {
				return 0, fault{&faults.Illegal, err}
			}
			return chosen, nil
		}
	}
}

// drop ends the process of a seat after a fault.
func (b *Bot) drop(s *seat, count *int, err error) fault {
	b.mu.Lock()
	if s.process != nil {
		s.process.kill()
	}
	s.process, s.late = nil, 0
	b.mu.Unlock()
	return fault{count, err}
}

// begin starts the process of a seat and hears its hello.
func (b *Bot) begin(s *seat, number int, faults *bots.Faults) error {
	if s.failed == mostFailed {
		return fault{&faults.Crashes, fmt.Errorf("it has failed to start %d times and is not tried again", mostFailed)}
	}
	s.failed++
	p, err := b.run(s)
	if err != nil {
		return err
	}
	if p == nil {
		return fault{&faults.Crashes, fmt.Errorf("%s cannot be started", b.args[0])}
	}
	line, err := encodeLine(greeting{"hello", Protocol, number, b.think.Milliseconds(), b.spec})
	if err != nil {
		return err
	}
	p.lines <- line // the first: there is room
	line, err = b.hear(s, time.Now().Add(b.start), b.start, faults)
	var f fault
	switch {
	case errors.As(err, &f):
		return b.drop(s, f.count, fmt.Errorf("no hello: %w", f.error))
	case err != nil: // nobody waits for it
		_ = b.drop(s, nil, err) // which is no fault
		s.failed--
		return err
	}
	r, err := readReply(line)
	if err == nil && b.text && len(r.Wants) > 0 {
		err = fmt.Errorf("it wants %s: %s asks in words only", quoted(r.Wants[0]), textName)
	}
	if err != nil {
		return b.drop(s, &faults.Unreadable, err)
	}
	s.wants, s.asked, s.failed = r.Wants, 0, 0
	return nil
}

// run starts the program of a seat; nil if it cannot be.
func (b *Bot) run(s *seat) (*process, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, errStopped
	}
	p, err := start(b.args)
	if errors.Is(err, errOver) {
		return nil, errStopped
	}
	if err != nil {
		return nil, nil
	}
	s.process = p
	return p, nil
}

// hear is the next line that a process says by a time, which is what is left of a limit.
func (b *Bot) hear(s *seat, until time.Time, limit time.Duration, faults *bots.Faults) ([]byte, error) {
	late := time.NewTimer(time.Until(until))
	defer late.Stop()
	glances := time.NewTicker(glance)
	defer glances.Stop()
	for {
		select {
		case one := <-s.process.said:
			switch {
			case one.err == nil:
				return one.line, nil
			case errors.Is(one.err, errLong):
				return nil, b.drop(s, &faults.Unreadable, one.err)
			}
			return nil, b.drop(s, &faults.Crashes, errors.New(s.process.last()))
		case <-s.process.gone:
			if len(s.process.said) > 0 {
				continue // what it said before
			}
			if b.stopping() {
				return nil, errStopped
			}
			return nil, b.drop(s, &faults.Crashes, errors.New(s.process.last()))
		case <-late.C:
			err := fmt.Errorf("silent for %v", limit)
			if s.late != 0 || s.waits == 0 { // twice in a row, or no hello
				return nil, b.drop(s, &faults.Silences, err)
			}
			s.late = s.waits
			return nil, fault{&faults.Silences, err}
		case <-glances.C:
			if b.stopping() {
				s.late = s.waits
				return nil, errStopped
			}
		}
	}
}

// stopping reports whether no answer is wanted any more.
func (b *Bot) stopping() bool {
	if b.over != nil && b.over() {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// question is a question to a process, as a line.
func (b *Bot) question(s *seat, q bots.Question, left time.Duration, again string) ([]byte, error) {
	s.asked++
	m := q.Match
	asks := question{"decide", s.asked, q.Number, m.Seat(), max(0, left.Milliseconds()), again}
	if b.text {
		return encodeLine(wordedDecision{asks, b.prompts.Write(m, q.Log, again)})
	}
	d := decision{question: asks, Legal: prompt.Choices(m), Question: m.Decision(), Log: []string{}, Events: []any{}}
	for _, moment := range q.Log {
		if moment.Line != "" {
			d.Log = append(d.Log, moment.Line)
		}
		d.Events = append(d.Events, moment.Events...)
	}
	var err error
	if d.Position, err = m.Position(m.Seat()); err != nil {
		return nil, err
	}
	if slices.Contains(s.wants, wantsObservation) {
		row := make([]uint8, b.encoder.Schema().Size)
		b.encoder.Encode(m, m.Seat(), row)
		d.Observation = numbers(row)
	}
	if size := b.encoder.ActionSize(); size > 0 && slices.Contains(s.wants, wantsRows) {
		rows := make([]uint8, len(d.Legal)*size)
		b.encoder.EncodeActions(m, rows)
		for row := range slices.Chunk(rows, size) {
			d.Rows = append(d.Rows, numbers(row))
		}
	}
	return encodeLine(d)
}

// numbers are bytes as JSON has numbers: as bytes they would be a text.
func numbers(row []uint8) []int {
	all := make([]int, len(row))
	for i, x := range row {
		all[i] = int(x)
	}
	return all
}
