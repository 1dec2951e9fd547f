package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/prompt"
	"github.com/privateer-rl/privateer/serve"
	"github.com/privateer-rl/privateer/serve/table"
)

// view is a match as a seat sees it.
type view struct {
	Game     string   `json:"game"`
	Seat     int      `json:"seat"`
	Turn     string   `json:"turn" jsonschema:"you: decide with act; wait: others decide, observe waits for them; over: the match has ended"`
	Decision int      `json:"decision" jsonschema:"the number of the seat's next decision"`
	Question string   `json:"question,omitempty"`
	Actions  []action `json:"actions,omitempty" jsonschema:"the legal actions"`
	Log      []string `json:"log" jsonschema:"what has happened since the seat looked last, in words"`
	Events   []any    `json:"events" jsonschema:"the same, as far as the game says what happens, event by event"`
	Position any      `json:"position" jsonschema:"what the seat may know of the match"`
	End      *end     `json:"end,omitempty"`
}

// action is a legal one.
type action struct {
	Action int    `json:"action"`
	Name   string `json:"name"`
	Words  string `json:"words"`
}

// end is how a match has ended.
type end struct {
	Verdict string    `json:"verdict"`
	Returns []float32 `json:"returns" jsonschema:"by seat"`
	Seed    string    `json:"seed"`
}

type observeIn struct {
	Key  string `json:"key" jsonschema:"of a seat, from open"`
	All  bool   `json:"all,omitempty" jsonschema:"tell all that has happened in the match, not only what is new"`
	Wait *int   `json:"wait,omitempty" jsonschema:"seconds to wait at most for the other players; none: 20; 0: look and return, bots think only while somebody waits"`
}

// usualWait is how long observe and act wait for others, unless it is said.
const usualWait = 20 * time.Second

func (g *guest) observe(ctx context.Context, in observeIn) (said string, out *view, err error) {
	seat, err := g.server.Seat(in.Key)
	if err != nil {
		return "", nil, err
	}
	wait := usualWait
	if in.Wait != nil {
		if most := int(g.server.Patience() / time.Second); *in.Wait < 0 || *in.Wait > most {
			return "", nil, fmt.Errorf("wait: %d: want 0 to %d seconds; observe can be called again and again", *in.Wait, most)
		}
		wait = time.Duration(*in.Wait) * time.Second
	}
	return g.await(ctx, seat, wait, in.All)
}

// await is what a seat sees when it is asked or the match is over, or else when the time is up.
func (g *guest) await(ctx context.Context, seat *serve.Seat, wait time.Duration, all bool) (said string, out *view, err error) {
	defer seat.Attend()()
	late := time.NewTimer(min(wait, g.server.Patience()))
	defer late.Stop()
	for last := wait == 0; ; {
		var failed error
		moved, gone := seat.Glance(seat.Number, func(now table.Glance) {
			switch {
			case now.Turn == table.Wait && now.Fault != nil:
				failed = fmt.Errorf("a bot at this table does not go on: %w: open deals another match", now.Fault)
			case now.Turn != table.Wait || last:
				said, out, failed = look(seat, now, all)
			}
		})
		if err := errors.Join(gone, failed); err != nil || out != nil {
			return said, out, err
		}
		select {
		case <-moved:
		case <-late.C:
			last = true
		case <-ctx.Done():
			return "", nil, ctx.Err()
		}
	}
}

// look is what the holder of a seat is told now, in words and as JSON, after which it has been told.
func look(seat *serve.Seat, now table.Glance, all bool) (said string, out *view, err error) {
	told, decided := min(seat.Told, len(now.Log)), min(seat.Decided, len(now.Log)) // fewer, after decisions were taken back
	if all {
		told = 0
	}
	if out, err = viewOf(seat.Number, now, told); err != nil {
		return "", nil, err
	}
	seat.Told = len(now.Log)
	return wordsOf(seat.Words, seat.Number, now, decided), out, nil
}

// viewOf is a view with the log from a moment on.
func viewOf(seat int, now table.Glance, told int) (*view, error) {
	m := now.Match
	info := m.Info()
	position, err := m.Position(seat)
	if err != nil {
		return nil, err
	}
	v := &view{Game: info.Config, Seat: seat, Turn: now.Turn, Decision: now.Decision, Log: []string{}, Events: []any{}, Position: json.RawMessage(position)}
	for _, moment := range now.Log[told:] {
		if moment.Line != "" {
			v.Log = append(v.Log, moment.Line)
		}
		v.Events = append(v.Events, moment.Events...)
	}
	switch now.Turn {
	case table.You:
		v.Question = m.Decision()
		legal := m.Legal()
		for a := legal.First(); a >= 0; a = legal.Next(a) {
			_, label := engine.Point(m, a)
			v.Actions = append(v.Actions, action{int(a), info.ActionName(a), label})
		}
	case table.Done:
		v.End = &end{Verdict: table.Verdict(m, seat), Returns: make([]float32, info.Seats), Seed: strconv.FormatUint(now.Seed, 10)}
		m.Returns(v.End.Returns)
	}
	return v, nil
}

// wordsOf is the same in words, with the log since the seat's last decision.
func wordsOf(p *prompt.Prompter, seat int, now table.Glance, decided int) string {
	if now.Turn == table.You {
		return p.Write(now.Match, now.Log[decided:], "")
	}
	var text strings.Builder
	if now.Turn == table.Done {
		fmt.Fprintf(&text, "The match is over: %s.\n", table.Verdict(now.Match, seat))
	} else {
		text.WriteString("Others decide: call observe to wait for your next decision.\n")
	}
	fmt.Fprintf(&text, "\n# What you see, as player %d\n\n%s\n# What has happened since your last decision\n\n", seat, engine.Outline(now.Match, seat))
	for _, moment := range now.Log[decided:] {
		if moment.Line != "" {
			text.WriteString(moment.Line + "\n")
		}
	}
	return text.String()
}

type actIn struct {
	Key      string `json:"key" jsonschema:"of a seat, from open"`
	Action   words  `json:"action" jsonschema:"the action, by number, by name or in words"`
	Decision int    `json:"decision,omitempty" jsonschema:"the number of the decision that is answered, so that an answer sent twice is taken once; none: the present one"`
}

func (g *guest) act(ctx context.Context, in actIn) (said string, out *view, err error) {
	seat, err := g.server.Seat(in.Key)
	if err != nil {
		return "", nil, err
	}
	m, decision, err := seat.Question(seat.Number)
	switch {
	case errors.Is(err, table.ErrTurn) && seat.Over():
		return "", nil, fmt.Errorf("key: %w: observe tells how it ended, open deals another", table.ErrOver)
	case errors.Is(err, table.ErrTurn):
		return "", nil, fmt.Errorf("key: %w: observe waits for it", err)
	case err != nil:
		return "", nil, err
	case in.Decision != 0 && in.Decision != decision:
		return "", nil, fmt.Errorf("decision: %d: the seat's next one is %d: observe shows it", in.Decision, decision)
	}
	a, err := prompt.Read(m, string(in.Action))
	if err != nil {
		return "", nil, fmt.Errorf("action: %w: nothing is decided", err)
	}
	decided := 0
	if _, err := seat.Glance(seat.Number, func(now table.Glance) { decided = len(now.Log) }); err != nil {
		return "", nil, err
	}
	if err := seat.Choose(seat.Number, decision, a); err != nil {
		return "", nil, err
	}
	if _, err := seat.Glance(seat.Number, func(table.Glance) { seat.Decided = decided }); err != nil {
		return "", nil, err
	}
	return g.await(ctx, seat, usualWait, false)
}

type askIn struct {
	Key string `json:"key" jsonschema:"of a seat that is asked, from open"`
	Bot string `json:"bot,omitempty" jsonschema:"its name, as games lists it; none: the game's best quick bot"`
}

func (g *guest) ask(ctx context.Context, in askIn) (said string, out *table.Thought, err error) {
	seat, err := g.server.Seat(in.Key)
	if err != nil {
		return "", nil, err
	}
	m, decision, err := seat.Question(seat.Number)
	if err != nil {
		return "", nil, fmt.Errorf("key: %w: a bot can be asked when observe says that the turn is yours", err)
	}
	if in.Bot == "" {
		list, err := g.house.ListBots(m.Info().Config)
		if err != nil {
			return "", nil, err
		}
		in.Bot = list.Best
	}
	b, err := g.house.Bot(in.Bot, seat.Game())
	if err != nil {
		return "", nil, fmt.Errorf("bot: %w", err)
	}
	defer bots.Close(b)
	out, err = table.Think(ctx, g.house.Ask, b, m, decision)
	return "", out, err
}
