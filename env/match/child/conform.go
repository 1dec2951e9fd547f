package child

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// Check is one thing that the protocol asks of a program.
type Check struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text,omitempty"` // what is wrong, or what was found
}

// Conform tests whether a program keeps to the protocol: each seat plays matches against random bots, two at a time, is
// asked again as after a fault, and is told to end. The error is why it could not be tested.
func Conform(ctx context.Context, name string, g engine.Game, matches int) ([]Check, error) {
	b, err := New(name, g)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	b.Until(func() bool { return ctx.Err() != nil })
	t := trial{Bot: b, game: g, r: engine.NewRand(1)}
	for i := 0; i < max(matches, 2*len(b.seats)); i += 2 {
		if err := t.play(i); err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return nil, err
		}
	}
	return t.checks(), nil
}

// trial is a program that is tested.
type trial struct {
	*Bot
	game    engine.Game
	r       engine.Rand
	faults  bots.Faults
	answers int
	slowest time.Duration
	began   bool // a hello was read
	first   [5]string
}

// play plays two matches side by side, in which the program has the same seat.
func (t *trial) play(number int) error {
	var two [2]engine.Match
	for k := range two {
		two[k] = t.game.NewMatch()
		two[k].Reset(uint64(number + k))
	}
	for over := 0; over < len(two); {
		over = 0
		for k, m := range two {
			switch seat := m.Seat(); seat {
			case engine.Over:
				over++
				continue
			case number / len(two) % len(t.seats):
				if err := t.decide(m, number+k+1); err != nil {
					return err
				}
			default:
				if err := m.Apply(m.Legal().Sample(&t.r)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// decide asks the program once. Every third question says that the last answer was refused.
func (t *trial) decide(m engine.Match, number int) error {
	s := &t.seats[m.Seat()]
	again := ""
	if t.answers%3 == 2 {
		again = "the last answer was refused (this is a test)"
	}
	began, fresh := time.Now(), s.process == nil
	var faults bots.Faults
	a, err := t.ask(s, bots.Question{Match: m, Number: number}, began.Add(t.think), again, &faults)
	var f fault
	switch {
	case err == nil:
		if !fresh { // starting is none of its thinking
			t.slowest = max(t.slowest, time.Since(began))
		}
	case errors.As(err, &f):
		note(&faults, f)
		a = m.Legal().Sample(&t.r)
	default:
		return err
	}
	t.answers++
	t.began = t.began || s.asked > 0
	for i, n := range []int{faults.Crashes, faults.Silences, faults.Illegal, faults.Unreadable, faults.Unasked} {
		if n > 0 && t.first[i] == "" {
			t.first[i] = faults.First
		}
	}
	t.faults = t.faults.Plus(faults)
	return m.Apply(a)
}

// checks are what was found.
func (t *trial) checks() []Check {
	const settle = 100 * time.Millisecond
	time.Sleep(settle) // for what is said beyond the last answer
	quits := t.began
	for i := range t.seats {
		p := t.seats[i].process
		if p == nil {
			continue
		}
		for len(p.said) > 0 {
			if one := <-p.said; one.err == nil {
				note(&t.faults, fault{&t.faults.Unasked, fmt.Errorf("%s follows its last answer", quoted(strings.TrimSpace(string(one.line))))})
				t.first[4] = t.faults.First
			}
		}
		quits = p.dismiss() && quits
	}
	all := []Check{{"starts and says hello", t.began, t.faults.First}}
	for i, c := range []struct {
		name string
		n    int
	}{
		{"keeps running", t.faults.Crashes}, {fmt.Sprintf("answers within %v", t.think), t.faults.Silences}, {"answers legal actions of its seat", t.faults.Illegal},
		{"answers as the protocol says", t.faults.Unreadable}, {"answers once, and only what is asked", t.faults.Unasked},
	} {
		text := ""
		if c.n > 0 {
			text = fmt.Sprintf("%s of %d decisions; the first: %s", engine.Count(c.n, "time", ""), t.answers, t.first[i])
		}
		all = append(all, Check{c.name, c.n == 0 && t.began, text})
	}
	last := Check{"ends within " + farewell.String() + " when it is told to", quits, ""}
	if !quits && t.began {
		last.Text = `it did not end by itself after {"type":"quit"} and the end of its input`
	}
	if t.began {
		all[0].Text = ""
		all[2].Text += fmt.Sprintf("slowest answer %v", t.slowest.Round(time.Microsecond))
	}
	return append(all, last)
}
