package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/prompt"
	"github.com/privateer-rl/privateer/serve"
	"github.com/privateer-rl/privateer/serve/table"
)

// view is a match as a seat sees it.
type view struct {
	Game     string          `json:"game"`
	Seat     int             `json:"seat"`
	Turn     string          `json:"turn" jsonschema:"you: decide with act; wait: others decide, observe waits for them; over: the match has ended"`
	Decision int             `json:"decision" jsonschema:"the number of the seat's next decision"`
	Question string          `json:"question,omitempty"`
	Legal    []prompt.Choice `json:"legal,omitempty" jsonschema:"the actions to choose from"`
	Log      []string        `json:"log" jsonschema:"what has happened since the seat's last decision, in words"`
	Events   []any           `json:"events" jsonschema:"the same, event by event"`
	Position any             `json:"position" jsonschema:"what the seat may know of the match"`
	End      *end            `json:"end,omitempty"`
}

// end is the result of a match.
type end struct {
	Verdict string    `json:"verdict"`
	Returns []float32 `json:"returns" jsonschema:"by seat"`
	Seed    string    `json:"seed"`
}

type observeIn struct {
	Key  string `json:"key" jsonschema:"of a seat, from open"`
	All  bool   `json:"all,omitempty" jsonschema:"log and events of the whole match, not only since the last decision"`
	Wait *int   `json:"wait,omitempty" jsonschema:"seconds to wait at most for the other players; none: 20; 0: look and return, bots think only while somebody waits"`
}

// usualWait is how long observe and act wait for others, unless the client says otherwise.
const usualWait = 20 * time.Second

func (g *guest) observe(ctx context.Context, in observeIn) (said string, out *view, err error) {
	seat, err := g.server.Seat(in.Key)
	if err != nil {
		return "", nil, err
	}
	wait := min(usualWait, g.server.Patience())
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
	words, err := prompt.New(seat.Game(), 0)
	if err != nil {
		return "", nil, err
	}
	defer seat.Attend()()
	late := time.NewTimer(wait)
	defer late.Stop()
	for last := wait == 0; ; {
		var failed error
		moved, gone := seat.Glance(seat.Number, func(now table.Glance) {
			switch {
			case now.Turn == table.Wait && now.Fault != nil:
				failed = fmt.Errorf("a bot at this table does not continue: %q: open deals another match", now.Fault.Error())
			case now.Turn != table.Wait || last:
				said = serve.InWords(words, seat.Number, now)
				out, failed = viewOf(seat.Number, now, all)
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

// viewOf is a view, with the log of the whole match or since the seat's last decision.
func viewOf(seat int, now table.Glance, all bool) (*view, error) {
	m, log := now.Match, now.Since
	if all {
		log = now.Log
	}
	position, err := m.Position(seat)
	if err != nil {
		return nil, err
	}
	v := &view{Game: m.Info().Config, Seat: seat, Turn: now.Turn, Decision: now.Decision, Log: table.Lines(log), Events: []any{}, Position: json.RawMessage(position)}
	for _, moment := range log {
		v.Events = append(v.Events, moment.Events...)
	}
	switch now.Turn {
	case table.You:
		v.Question, v.Legal = m.Decision(), prompt.Choices(m)
	case table.Done:
		v.End = &end{Verdict: table.Verdict(m, seat), Returns: make([]float32, m.Info().Seats), Seed: strconv.FormatUint(now.Seed, 10)}
		m.Returns(v.End.Returns)
	}
	return v, nil
}

type actIn struct {
	Key      string `json:"key" jsonschema:"of a seat, from open"`
	Action   words  `json:"action" jsonschema:"the action, by number, by name or in words"`
	Decision int    `json:"decision,omitempty" jsonschema:"the number of the decision that is answered, so that an answer sent twice is taken once; none: the present one"`
}

func (g *guest) act(ctx context.Context, in actIn) (said string, out *view, err error) {
	seat, m, decision, err := g.asked(in.Key)
	if err != nil {
		return "", nil, err
	}
	if in.Decision != 0 && in.Decision != decision {
		return "", nil, fmt.Errorf("decision: %d: the seat's next one is %d: observe shows it", in.Decision, decision)
	}
	a, err := prompt.Read(m, string(in.Action))
	if err != nil {
		return "", nil, fmt.Errorf("action: %w: nothing is decided", err)
	}
	if err := seat.Choose(seat.Number, decision, a); err != nil {
		return "", nil, err
	}
	return g.await(ctx, seat, min(usualWait, g.server.Patience()), false)
}

// asked is the seat of a key, which is to decide, with a copy of its match and the number of the decision.
func (g *guest) asked(key string) (seat *serve.Seat, m engine.Match, decision int, err error) {
	if seat, err = g.server.Seat(key); err != nil {
		return nil, nil, 0, err
	}
	m, decision, err = seat.Question(seat.Number)
	switch {
	case errors.Is(err, table.ErrTurn) && seat.Over():
		err = fmt.Errorf("key: %w: observe tells how it ended, open deals another", table.ErrOver)
	case errors.Is(err, table.ErrTurn):
		err = fmt.Errorf("key: %w: observe waits for it", err)
	}
	return seat, m, decision, err
}

type askIn struct {
	Key string `json:"key" jsonschema:"of a seat that is asked, from open"`
	Bot string `json:"bot,omitempty" jsonschema:"its name, as games lists it; none: the game's best quick bot"`
}

func (g *guest) ask(ctx context.Context, in askIn) (said string, out *table.Thought, err error) {
	seat, m, decision, err := g.asked(in.Key)
	if err != nil {
		return "", nil, err
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
