package bots

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// Remote is a bot that another program plays. That program knows of a match what it is told and nothing else, and may fail
// to answer, which is told apart from playing badly.
type Remote interface {
	Bot
	// Answer is Act for a bot that is told what its seat has seen. The action is legal, whatever has failed: faults says what
	// has. The error is why there is none: the bot's settings say that a fault ends it all, or it was to stop (Until).
	Answer(q Question, r *engine.Rand) (a engine.Action, faults Faults, err error)
}

// Question is what a Remote is asked.
type Question struct {
	Match  engine.Match    // as it stands; m.Seat() is asked
	Number int             // of the match: tells it from all others that the bot plays
	Log    []engine.Moment // what the seat has seen happen in this match since its last decision
}

// Faults counts how a Remote has failed to answer, by kind.
type Faults struct {
	Crashes    int `json:"crashes,omitempty"`    // it has ended, or could not be started
	Silences   int `json:"silences,omitempty"`   // no answer in its time
	Illegal    int `json:"illegal,omitempty"`    // an action that is not legal, or for a seat that is not its own
	Unreadable int `json:"unreadable,omitempty"` // no answer of the protocol
	Unasked    int `json:"unasked,omitempty"`    // an answer to nothing that was asked, or a second one
	Forfeits   int `json:"forfeits,omitempty"`   // matches in which it was not asked again; no fault more, but what came of one

	First string `json:"first,omitempty"` // the first of them in words, printable and in one line
}

// Total is the number of all faults.
func (f Faults) Total() int { return f.Crashes + f.Silences + f.Illegal + f.Unreadable + f.Unasked }

// Plus is both, of which o is the later.
func (f Faults) Plus(o Faults) Faults {
	sum := Faults{
		f.Crashes + o.Crashes, f.Silences + o.Silences, f.Illegal + o.Illegal, f.Unreadable + o.Unreadable, f.Unasked + o.Unasked,
		f.Forfeits + o.Forfeits, f.First,
	}
	if sum.First == "" {
		sum.First = o.First
	}
	return sum
}

// String is such as "2 crashes, 1 silence".
func (f Faults) String() string {
	var parts []string
	for _, kind := range []struct {
		n         int
		one, many string
	}{
		{f.Crashes, "crash", "crashes"}, {f.Silences, "silence", "silences"}, {f.Illegal, "illegal answer", "illegal answers"},
		{f.Unreadable, "unreadable answer", "unreadable answers"}, {f.Unasked, "unasked answer", "unasked answers"},
		{f.Forfeits, "match forfeited", "matches forfeited"},
	} {
		if kind.n > 0 {
			parts = append(parts, engine.Count(kind.n, kind.one, kind.many))
		}
	}
	if parts == nil {
		return "no faults"
	}
	return strings.Join(parts, ", ")
}

// Report is String with the number of decisions and the first fault, for tables.
func (f Faults) Report(name string) string {
	text := fmt.Sprintf("faults of %s: %v", name, f)
	if f.First != "" {
		text += "; the first: " + f.First
	}
	return text
}

// Ask is Decide for a caller that knows what the bot's seat has seen, which a Remote is told.
func Ask(ctx context.Context, b Bot, q Question, r *engine.Rand) (engine.Action, Faults, error) {
	a, faults := Stopped, Faults{}
	var failed error
	err := until(ctx, b, r, func() bool {
		if far, ok := b.(Remote); ok {
			a, faults, failed = far.Answer(q, r)
		} else {
			a = b.Act(q.Match, r)
		}
		return a == Stopped
	})
	if err == nil {
		err = failed
	}
	return a, faults, err
}

// Close ends what a bot keeps running, if it keeps anything. It may be asked in the meantime.
func Close(b Bot) {
	if c, ok := b.(io.Closer); ok {
		_ = c.Close() // a process that has ended either way
	}
}
