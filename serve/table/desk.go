package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/privateer-rl/privateer/engine/players/bots"
)

// Desk answers a page without a server: one person, one table. It belongs to one goroutine at a time.
type Desk struct {
	page  Page
	seed  func() uint64
	asked *Request // what opened the table
	table *Table   // nil: there is none
}

// NewDesk makes one that draws its seeds.
func NewDesk(house House, seed func() uint64) *Desk {
	house.NoSeat, house.Recovered = errors.New("there is no match here: begin one"), recovered
	house.Ask = func(ctx context.Context, _ bots.Bot, f func(context.Context) error) (err error) {
		defer func() { recovered(recover(), "", &err) }()
		return f(ctx)
	}
	d := &Desk{page: Page{House: house}, seed: seed}
	d.page.Open = d.open
	return d
}

// recovered makes a panic, such as a bot's, an error. It must not end the program, with which the page would stand still.
func recovered(panicked any, _ string, err *error) {
	if panicked != nil {
		*err = fmt.Errorf("a fault of the program's own: %v", panicked)
	}
}

// Do answers one message of the page: send is called with each answer. While bots take their time, it is called with what they did so far.
func (d *Desk) Do(data []byte, send func(message any)) {
	d.page.Send = func(message any) error {
		send(message)
		return nil
	}
	_ = d.page.Answer(context.Background(), data) // the page is always there
	if err := d.playOn(); err != nil {
		_ = d.page.refuse(DoLook, err)
	}
}

// often is how long the page waits at most to hear what bots that think slowly have done.
const often = 300 * time.Millisecond

// playOn lets the bots play until the person is asked, and shows it.
func (d *Desk) playOn() (err error) {
	defer func() { recovered(recover(), DoLook, &err) }()
	if d.table == nil {
		return nil
	}
	shown := time.Now()
	_ = d.table.PlayOn(func() error {
		if time.Since(shown) > often {
			shown = time.Now()
			_, _ = d.page.News(false)
		}
		return nil
	}) // its error is news
	_, err = d.page.News(false)
	return err
}

// open opens the table of a request.
func (d *Desk) open(_ context.Context, r *Request) (any, error) {
	seat, err := d.sit(r)
	if err != nil {
		return nil, err
	}
	d.table.Deal(r.DealtFrom(d.seed))
	return &Opened{Is: "opened", Seat: seat}, nil
}

// sit makes the table of a request this desk's, at which nothing has been dealt, and takes the person's seat.
func (d *Desk) sit(r *Request) (seat int, err error) {
	g, err := d.page.game(r.Game)
	if err != nil {
		return 0, err
	}
	if len(r.Seats) != g.Info().Seats {
		return 0, fmt.Errorf("%d players for the %d seats of %s", len(r.Seats), g.Info().Seats, g.Info().Config)
	}
	person := -1
	players := make([]Occupant, len(r.Seats))
	for seat, name := range r.Seats {
		switch name = strings.TrimSpace(name); {
		case name != Person:
			b, err := d.page.Bot(name, g)
			if err != nil {
				return 0, fmt.Errorf("seat %d: %w", seat, err)
			}
			players[seat] = Occupant{name, b}
		case person >= 0:
			return 0, fmt.Errorf("seat %d: only one person can play here: people at several seats need a server, privateer serve --web", seat)
		default:
			players[seat].Name, person = Person, seat
		}
	}
	if person < 0 {
		return 0, fmt.Errorf("no seat is a person's: want one at least to be %s", Person)
	}
	t, err := New(g, players)
	if err != nil {
		return 0, err
	}
	t.Ask, t.Friendly = d.page.Ask, r.Friendly
	d.table, d.asked = t, r
	d.page.Take(t, person)
	return person, nil
}

// kept is a desk's match between two lives of the page.
type kept struct {
	Asked *Request `json:"asked"`
	State
}

// Keep is the desk's match as bytes, nil if there is none. They hold the seed: they are for the program's own store, and
// no part of the page may read them.
func (d *Desk) Keep() ([]byte, error) {
	if d.table == nil {
		return nil, nil
	}
	return json.Marshal(kept{d.asked, d.table.State()})
}

// Resume sets the desk to a match that was kept. After an error the desk is as it was.
func (d *Desk) Resume(data []byte) error {
	var k kept
	if err := json.Unmarshal(data, &k); err != nil || k.Asked == nil {
		return errors.New("the match that was kept cannot be read: begin another")
	}
	again := NewDesk(d.page.House, d.seed)
	seat, err := again.sit(k.Asked)
	if err == nil {
		if err = again.table.Restore(k.State); err == nil {
			err = again.table.PlayOn(nil)
		}
	}
	if err != nil {
		return fmt.Errorf("the match that was kept cannot continue: %w: begin another", err)
	}
	again.page.Leave()
	d.table, d.asked = again.table, again.asked
	d.page.Take(d.table, seat)
	return nil
}
