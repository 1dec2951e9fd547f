package table

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/serve/page/replay"
)

// Page is one that is open, and where it sits. It belongs to one goroutine at a time.
type Page struct {
	House
	Send func(message any) error // any goroutine may call it

	table    *Table // nil: it sits nowhere
	seat     int
	leave    func()   // the table
	log      []string // that the page has been told
	last     *View    // that it shows
	fault    error    // of the table's bots that it has been told
	advisers map[string]bots.Bot
	thinking chan struct{}      // closed when the adviser that was asked has answered; nil if none was
	decided  context.CancelFunc // ends what an adviser thinks; nil if none was asked
}

const mostAdvisers = 8 // that are kept for a page; one that searches has worlds of its own

// fields are the required fields of each request.
var fields = map[string]func(r *Request) error{
	DoGames:  func(*Request) error { return nil },
	DoBots:   func(r *Request) error { return present("game", r.Game) },
	DoSit:    func(*Request) error { return nil },
	DoOpen:   checkOpen,
	DoLook:   func(*Request) error { return nil },
	DoChoose: checkNumbers,
	DoUndo:   checkNumbers,
	DoThink:  func(r *Request) error { return present("bot", r.Bot) },
	DoSave:   func(*Request) error { return nil },
	DoReplay: func(r *Request) error { return present("text", r.Text) },
	DoRules:  func(r *Request) error { return present("game", r.Game) },
}

func present(name, value string) error {
	if value == "" {
		return fmt.Errorf("%s is missing", name)
	}
	return nil
}

func checkNumbers(r *Request) error {
	for name, n := range map[string]int{"action": r.Action, "decision": r.Decision} {
		if n < 0 || n > 1<<30 {
			return fmt.Errorf("%s %d: want a number from 0 on", name, n)
		}
	}
	return nil
}

func checkOpen(r *Request) error {
	if _, err := r.seed(); r.Seed != "" && err != nil {
		return fmt.Errorf("seed %q: want a whole number from 0 to 2^64−1", r.Seed)
	}
	return present("game", r.Game)
}

func (r *Request) seed() (uint64, error) { return strconv.ParseUint(r.Seed, 10, 64) }

// Parse reads what a page sent. The error says what is wrong with it.
func Parse(data []byte) (*Request, error) {
	if len(data) > MaxRequest {
		return nil, fmt.Errorf("a message of %d bytes: want at most %d", len(data), MaxRequest)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var r Request
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("this is no message of the page: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("this is no message of the page: there is text after it")
	}
	check, known := fields[r.Do]
	if !known {
		return nil, fmt.Errorf("this is no message of the page: do %q is not known", r.Do)
	}
	if err := check(&r); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Do, err)
	}
	return &r, nil
}

// Answer answers a message. The error is of the conversation.
func (p *Page) Answer(ctx context.Context, data []byte) error {
	r, err := Parse(data)
	if err != nil {
		return p.refuse("", err)
	}
	message, err := p.do(ctx, r)
	switch {
	case err != nil:
		return p.refuse(r.Do, err)
	case message != nil:
		return p.Send(message)
	}
	return nil
}

func (p *Page) refuse(do string, err error) error {
	if p.Plain != nil {
		err = p.Plain(err)
	}
	return p.Send(Refuse(do, err))
}

// do is what a request is answered by; nil: by what follows.
func (p *Page) do(ctx context.Context, r *Request) (message any, err error) {
	defer func() { p.Recovered(recover(), r.Do, &err) }()
	if r.Do == DoSit && p.Sit != nil {
		return p.Sit(r)
	}
	if !p.Seated() && p.Stranger != nil {
		if err := p.Stranger(); err != nil {
			return nil, err
		}
	}
	switch r.Do {
	case DoGames:
		return p.ListGames(), nil
	case DoBots:
		return p.ListBots(r.Game)
	case DoRules:
		return RulesOf(r.Game)
	case DoOpen:
		return p.Open(ctx, r)
	case DoReplay:
		var drawn *Replay
		err := p.Ask.ask(ctx, nil, func(ctx context.Context) (err error) {
			drawn, err = NewReplay(ctx, r.Text, r.View)
			return err
		})
		return drawn, err
	}
	if !p.Seated() {
		return nil, p.NoSeat
	}
	switch r.Do {
	case DoChoose:
		p.dismiss()
		return nil, p.table.Choose(p.seat, r.Decision, engine.Action(r.Action))
	case DoUndo:
		p.dismiss()
		return nil, p.table.Undo(p.seat, r.Decision)
	case DoThink:
		return nil, p.consult(ctx, r.Bot)
	case DoSave:
		return p.table.Save()
	}
	_, err = p.News(true) // it sits down again, or looks
	return nil, err
}

// Seated reports whether the page has a seat.
func (p *Page) Seated() bool { return p.table != nil }

// Take takes a seat at a table.
func (p *Page) Take(t *Table, seat int) {
	p.Leave()
	p.table, p.seat, p.leave, p.advisers = t, seat, t.Attend(), map[string]bots.Bot{}
}

// Leave leaves the table, if the page sits at one.
func (p *Page) Leave() {
	if p.Seated() {
		p.leave()
	}
	p.table, p.log, p.last, p.fault = nil, nil, nil, nil
	p.dismiss()
}

// dismiss ends what an adviser thinks.
func (p *Page) dismiss() {
	if p.decided != nil {
		p.decided()
	}
}

// News sends what is new at the table, or with repeat all that there is, and returns what is closed when there is more.
func (p *Page) News(repeat bool) (moved <-chan struct{}, err error) {
	for p.Seated() {
		view, moved, fault, err := p.view(repeat)
		switch {
		case err != nil:
			p.Leave()
			return nil, p.refuse(DoLook, err)
		case view != nil:
			if err := p.Send(view); err != nil {
				return nil, err
			}
			repeat = false
			continue
		}
		told := p.fault
		if p.fault = fault; fault != nil && fault != told {
			return moved, p.refuse(DoLook, fault)
		}
		return moved, nil
	}
	return nil, nil
}

// consult asks a bot about the seat's decision. Where it thinks beside all else that the page asks, it thinks until the page decides or
// leaves; what it thinks is sent when it is there.
func (p *Page) consult(ctx context.Context, name string) error {
	m, decision, err := p.table.Question(p.seat)
	if err != nil {
		return err
	}
	if p.thinking != nil {
		select {
		case <-p.thinking:
		default:
			return errors.New("a bot still thinks about an earlier question: wait for it")
		}
	}
	b := p.advisers[name]
	if b == nil {
		if b, err = p.Bot(name, p.table.game); err != nil {
			return err
		}
		if len(p.advisers) >= mostAdvisers {
			p.advisers = map[string]bots.Bot{}
		}
		p.advisers[name] = b
	}
	thinking, ask := make(chan struct{}), p.Ask
	think := func(about context.Context) {
		thought, err := Think(about, ask, b, m, decision)
		if err != nil && about.Err() != nil {
			err = errors.New("the match has moved on since")
		}
		close(thinking)
		if err != nil { // the page may have gone first
			_ = p.refuse(DoThink, err)
			return
		}
		_ = p.Send(thought)
	}
	if p.Stop == nil {
		think(ctx)
		return nil
	}
	about, decided := p.Stop(ctx)
	p.thinking, p.decided = thinking, decided
	go func() {
		defer decided()
		think(about)
	}()
	return nil
}

// Think asks a bot about the decision of a number in a match, which it may keep while it thinks.
func Think(ctx context.Context, ask Ask, b bots.Bot, m engine.Match, decision int) (thought *Thought, err error) {
	err = ask.ask(ctx, b, func(ctx context.Context) error {
		r := engine.NewRand(uint64(decision)) // not the match's, and the same if it is asked again
		account, err := bots.Consider(ctx, b, m, &r)
		if err == nil {
			thought = &Thought{"thought", decision, replay.ThoughtOf(b, m, account)}
		}
		return err
	})
	return thought, err
}
