package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
)

// Desk answers a page without a server: one person, one table. It belongs to one goroutine at a time.
type Desk struct {
	House
	Seed func() uint64 // random seeds

	table    *Table
	seat     int
	friendly bool
	watcher  *Watcher
	asked    *Request // what opened the table
	advisers map[string]bots.Bot
}

// Do answers one message of the page: send is called with each answer. While bots take their time, it is called with what they did so far.
func (d *Desk) Do(data []byte, send func(message any)) {
	r, err := Parse(data)
	if err != nil {
		send(Refuse("", err))
		return
	}
	if err := d.do(r, send); err != nil {
		send(Refuse(r.Do, err))
	}
}

// guard is deferred: a panic, such as a bot's, becomes an error. It must not end the program, with which the page would stand still.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("a fault of the program's own: %v", p)
	}
}

func (d *Desk) do(r *Request, send func(message any)) (err error) {
	defer guard(&err)
	switch r.Do {
	case DoGames:
		send(ListGames())
		return nil
	case DoBots:
		return Answer(send, func() (*Bots, error) { return d.ListBots(r.Game) })
	case DoOpen:
		return d.open(r, send)
	case DoReplay:
		return Answer(send, func() (*Replay, error) { return NewReplay(context.Background(), r.Text, r.View) })
	}
	if d.table == nil {
		return errors.New("there is no match here: begin one")
	}
	switch r.Do {
	case DoSit, DoLook:
		return d.show(true, send)
	case DoChoose:
		if err := d.table.Choose(d.seat, r.Decision, engine.Action(r.Action)); err != nil {
			return err
		}
		return d.goOn(send)
	case DoUndo:
		if !d.friendly {
			return errStrict
		}
		if err := d.table.TakeBack(d.seat, r.Decision); err != nil {
			return err
		}
		return d.goOn(send)
	case DoThink:
		b, err := d.adviser(r.Bot)
		if err != nil {
			return err
		}
		q, err := d.table.Question(d.seat)
		if err != nil {
			return err
		}
		return Answer(send, func() (*Thought, error) { return q.Think(context.Background(), b) })
	case DoSave:
		return Answer(send, d.table.Save)
	}
	return fmt.Errorf("%s is not to be had here", r.Do)
}

var errStrict = errors.New("this match is not friendly: what is decided stays so")

// Answer sends a message, unless there is an error instead.
func Answer[M any](send func(message any), make func() (M, error)) error {
	message, err := make()
	if err == nil {
		send(message)
	}
	return err
}

// adviser is a bot that is asked for its thoughts; it is made once a match.
func (d *Desk) adviser(name string) (bots.Bot, error) {
	if b := d.advisers[name]; b != nil {
		return b, nil
	}
	b, err := d.Bot(name, d.table.game)
	if err == nil {
		d.advisers[name] = b
	}
	return b, err
}

func (d *Desk) open(r *Request, send func(any)) error {
	if err := d.seatAll(r); err != nil {
		return err
	}
	d.table.Deal(r.DealtFrom(d.Seed))
	send(&Opened{Is: "opened", Seat: d.seat})
	return d.goOn(send)
}

// seatAll makes the table of a request this desk's.
func (d *Desk) seatAll(r *Request) error {
	t, seat, err := d.Open(r)
	if err != nil {
		return err
	}
	for other, p := range t.Players() {
		if other != seat && p.Bot == nil {
			return fmt.Errorf("seat %d: only one person can play here: people at several seats need a server, privateer serve --web", other)
		}
	}
	d.table, d.seat, d.friendly, d.asked, d.advisers = t, seat, r.Friendly, r, map[string]bots.Bot{}
	d.watcher = t.Watch(seat)
	return nil
}

// often is how long the page waits at most to hear what bots that think slowly have done.
const often = 300 * time.Millisecond

// goOn lets the bots play until the person is asked, and shows it.
func (d *Desk) goOn(send func(any)) error {
	shown := time.Now()
	err := d.playOn(func() error {
		if time.Since(shown) <= often {
			return nil
		}
		shown = time.Now()
		return d.show(false, send)
	})
	return errors.Join(d.show(false, send), err)
}

// playOn lets the bots play until the person is asked; then is called after each decision.
func (d *Desk) playOn(then func() error) (err error) {
	defer guard(&err)
	for {
		if acted, err := d.table.Step(); !acted || err != nil {
			return err
		}
		if err := then(); err != nil {
			return err
		}
	}
}

// show sends what is new to the page.
func (d *Desk) show(repeat bool, send func(any)) error {
	for {
		v, err := d.watcher.View(d.friendly, repeat)
		if v == nil || err != nil {
			return err
		}
		send(v)
		repeat = false
	}
}

// kept is a desk's match between two lives of the page.
type kept struct {
	Asked *Request `json:"asked"`
	Seed  uint64   `json:"seed,string"`
	Draws uint64   `json:"draws,string"`
	Moves []Move   `json:"moves"`
	Next  []int    `json:"next,omitempty"` // Table.Next of each seat
}

// Keep is the desk's match as bytes, nil if there is none. They hold the seed: they are for the program's own store, and
// no part of the page may read them.
func (d *Desk) Keep() ([]byte, error) {
	if d.table == nil {
		return nil, nil
	}
	return json.Marshal(kept{d.asked, d.table.seed, d.table.Draws(), d.table.taken, d.table.next})
}

// Resume sets the desk to a match that was kept. After an error the desk is as it was.
func (d *Desk) Resume(data []byte) error {
	var k kept
	if err := json.Unmarshal(data, &k); err != nil || k.Asked == nil {
		return errors.New("the match that was kept cannot be read: begin another")
	}
	before := *d
	err := d.seatAll(k.Asked)
	if err == nil {
		if err = d.table.Restore(k.Seed, k.Moves, k.Next, k.Draws); err == nil {
			err = d.playOn(func() error { return nil })
		}
	}
	if err != nil {
		*d = before
		return fmt.Errorf("the match that was kept cannot go on: %w: begin another", err)
	}
	return nil
}
