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
	var two [2]bots.Question
	own := number / len(two) % len(t.seats)
	var eyes [len(two)]*engine.Witness
	for k := range two {
		two[k] = bots.Question{Match: t.game.NewMatch(), Number: number + k + 1}
		two[k].Match.Reset(uint64(number + k))
		eyes[k] = engine.NewWitness(t.game, own)
		eyes[k].Begin(two[k].Match)
	}
	for over := 0; over < len(two); {
		over = 0
		for k := range two {
			q := &two[k]
			m := q.Match
			if m.Seat() == engine.Over {
				over++
				continue
			}
			a := engine.Action(0)
			if m.Seat() != own {
				a = m.Legal().Sample(&t.r)
			} else {
				var err error
				if a, err = t.decide(*q); err != nil {
					return err
				}
				q.Log = nil
			}
			eyes[k].Chosen(m, a)
			if err := m.Apply(a); err != nil {
				return err
			}
			if now, _ := eyes[k].See(m); !now.Blank() {
				q.Log = append(q.Log, now)
			}
		}
	}
	return nil
}

// decide asks the program once. Every third question says that the last answer was refused.
func (t *trial) decide(q bots.Question) (engine.Action, error) {
	s := &t.seats[q.Match.Seat()]
	again := ""
	if t.answers%3 == 2 {
		again = "the last answer was refused (this is a test)"
	}
	began, fresh := time.Now(), s.process == nil
	var faults bots.Faults
	a, err := t.ask(s, q, began.Add(t.think), again, &faults)
	var f fault
	switch {
	case err == nil:
		if !fresh { // starting is none of its thinking
			t.slowest = max(t.slowest, time.Since(began))
		}
	case errors.As(err, &f):
		note(&faults, f)
		a = q.Match.Legal().Sample(&t.r)
	default:
		return a, err
	}
	t.answers++
	t.began = t.began || s.asked > 0
	for i, n := range []int{faults.Crashes, faults.Silences, faults.Illegal, faults.Unreadable, faults.Unasked} {
		if n > 0 && t.first[i] == "" {
			t.first[i] = faults.First
		}
	}
	t.faults = t.faults.Plus(faults)
	return a, nil
}

// checks are the findings.
func (t *trial) checks() []Check {
	const settle = 100 * time.Millisecond
	time.Sleep(settle) // for output beyond the last answer
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
