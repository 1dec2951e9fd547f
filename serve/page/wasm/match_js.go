package main

import (
	"encoding/json"
	"slices"
	"strings"
	"syscall/js"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/serve/version"
)

// game is a configured game.
type game struct {
	engine.Game
	title   string
	encoder *encode.Encoder
	obs     []byte // of encode
	mask    []byte
	rows    []byte
}

// mostGames is how many games are kept. With one more all are forgotten, and made again when they are asked for; matches keep theirs.
const mostGames = 64

// game is the one of a game string, the first argument.
func (p *program) game(args []js.Value) (*game, error) {
	name, err := text(args[0], "game")
	if err != nil {
		return nil, err
	}
	if g := p.games[name]; g != nil {
		return g, nil
	}
	g, err := open(name)
	if err != nil {
		return nil, because(unknownGame, err)
	}
	if len(p.games) == mostGames {
		clear(p.games)
	}
	p.games[name] = g
	return g, nil
}

func open(name string) (*game, error) {
	files, err := engine.FilesOf(name)
	if err != nil {
		return nil, err
	}
	if len(files) > 0 {
		return nil, refuse(unknownGame, "game %q names a file, and files cannot be read here", name)
	}
	g := &game{}
	if g.Game, err = engine.NewGame(name); err != nil {
		return nil, err
	}
	d, err := engine.Lookup(g.Info().Game)
	if err != nil {
		return nil, err
	}
	g.title = d.Title
	if g.encoder, err = encode.For(g.Game); err != nil {
		return nil, err
	}
	actions := len(g.Info().Actions)
	g.obs, g.mask, g.rows = make([]byte, g.encoder.Schema().Size), make([]byte, actions), make([]byte, actions*g.encoder.ActionSize())
	return g, nil
}

// list are the games that there are.
func (p *program) list([]js.Value) (any, error) {
	type listed struct {
		Game   string         `json:"game"`
		Title  string         `json:"title"`
		Params []engine.Param `json:"params"`
	}
	var all []listed
	for _, d := range engine.Definitions() {
		all = append(all, listed{d.Name, d.Title, d.Parameters()})
	}
	return toJSON(all, nil)
}

// describe returns the description of a game: (game).
func (p *program) describe(args []js.Value) (any, error) {
	g, err := p.game(args)
	if err != nil {
		return nil, err
	}
	players := []string{}
	for _, k := range bots.Kinds(g) {
		players = append(players, k.Name)
	}
	return toJSON(struct {
		*engine.Info
		Title       string   `json:"title"`
		Observation int      `json:"observation"`
		Row         int      `json:"row"`
		Players     []string `json:"players"`
	}{g.Info(), g.title, g.encoder.Schema().Size, g.encoder.ActionSize(), append(players, p.policiesFor(g)...)}, nil)
}

// match is a match that JavaScript has the handle of.
type match struct {
	*game
	m, before engine.Match // before is what a panic of the rules leads back to
	log       *engine.Log
	heard     []int              // events, by view
	record    *engine.Transcript // nil if the match was not dealt here
}

// viewAt is where a match keeps what is a view's: Full's comes first.
func viewAt(view int) int { return view - engine.Full }

// add gives a match that begin sets its handle. record leads to where that is; nil: nothing does.
func (p *program) add(g *game, record *engine.Transcript, begin func(m engine.Match) error) (any, error) {
	m := &match{game: g, record: record, m: g.NewMatch(), before: g.NewMatch(), heard: make([]int, viewAt(g.Info().Seats))}
	m.log = engine.Listen(m.m)
	if err := begin(m.m); err != nil {
		return nil, err
	}
	p.handle++
	p.matches[p.handle] = m
	return p.handle, nil
}

// standingAt begins a match where another one stands.
func standingAt(other engine.Match) func(m engine.Match) error {
	return func(m engine.Match) error {
		m.CopyFrom(other)
		return nil
	}
}

// deal deals a match: (game, seed).
func (p *program) deal(args []js.Value) (any, error) {
	g, err := p.game(args)
	if err != nil {
		return nil, err
	}
	from, err := seed(args[1])
	if err != nil {
		return nil, err
	}
	return p.add(g, &engine.Transcript{Game: g.Info().Config, Seed: from}, func(m engine.Match) error {
		m.Reset(from)
		return nil
	})
}

// replay plays a transcript, as JSON or as text, to its end: (transcript).
func (p *program) replay(args []js.Value) (any, error) {
	written, err := text(args[0], "transcript")
	if err != nil {
		return nil, err
	}
	t, err := engine.ReadTranscript(strings.NewReader(written))
	if err != nil {
		return nil, because(badTranscript, err)
	}
	g, err := p.game([]js.Value{js.ValueOf(t.Game)})
	if err != nil {
		return nil, err
	}
	end, err := t.Replay(nil)
	if err != nil {
		return nil, because(badTranscript, err)
	}
	return p.add(g, &engine.Transcript{Game: t.Game, Seed: t.Seed, Steps: t.Steps}, standingAt(end))
}

// transcript is the record of a match up to now, as JSON: (match).
func (p *program) transcript(args []js.Value) (any, error) {
	m, err := p.match(args)
	if err != nil {
		return nil, err
	}
	if m.record == nil {
		return nil, refuse(badTranscript, "the match was begun at a position, and a transcript begins with the deal: deal the match or replay one")
	}
	t := *m.record
	t.Version, _ = version.Build()
	if m.m.Seat() == engine.Over {
		t.Returns = make([]float32, m.Info().Seats)
		m.m.Returns(t.Returns)
	}
	return toJSON(&t, nil)
}

// read makes a match of a position: (game, position).
func (p *program) read(args []js.Value) (any, error) {
	g, err := p.game(args)
	if err != nil {
		return nil, err
	}
	data, err := text(args[1], "position")
	if err != nil {
		return nil, err
	}
	root, err := position.Parse([]byte(data))
	if err != nil {
		return nil, because(badPosition, err)
	}
	var faults position.Faults
	faults.SameGame(root.Take("game"), g.Info().Config)
	if err := faults.Err(); err != nil {
		return nil, because(misfit, err)
	}
	own, err := root.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return p.add(g, nil, func(m engine.Match) error { return because(badPosition, m.SetPosition(own)) })
}

// tracked is a game, the first argument, and a tracker of a seat of it, the second, from the beginning of a match.
func (p *program) tracked(args []js.Value) (*game, *engine.Tracker, error) {
	g, err := p.game(args)
	if err != nil {
		return nil, nil, err
	}
	seat, err := whole(args[1], "seat")
	if err != nil {
		return nil, nil, err
	}
	if seats := g.Info().Seats; seat < 0 || seat >= seats {
		return nil, nil, refuse(wrongSeat, "seat %d: want one from 0 to %d", seat, seats-1)
	}
	t, err := engine.NewTracker(g.Info().Config, seat)
	return g, t, because(unknownGame, err)
}

// track returns a tracker's state at the beginning: (game, seat).
func (p *program) track(args []js.Value) (any, error) {
	_, t, err := p.tracked(args)
	if err != nil {
		return nil, err
	}
	return toBytes(t.Bytes()), nil
}

// asked is a match as it may be, and what the tracker knows then: (game, seat, what it knows, what the seat was told since).
func (p *program) asked(args []js.Value) (any, error) {
	g, t, err := p.tracked(args)
	if err != nil {
		return nil, err
	}
	if err := t.SetBytes(toGo(args[2])); err != nil {
		return nil, err
	}
	data, err := text(args[3], "told")
	if err != nil {
		return nil, err
	}
	var told []json.RawMessage
	if err := json.Unmarshal([]byte(data), &told); err != nil {
		return nil, refuse(badTold, "what is told: want a list of choices and events: %w", err)
	}
	now, err := t.Asked(told...)
	if err != nil {
		return nil, because(badTold, err)
	}
	handle, err := p.add(g, nil, standingAt(now))
	return []any{handle, toBytes(t.Bytes())}, err
}

// match is that of a handle, the first argument.
func (p *program) match(args []js.Value) (*match, error) {
	if m := p.matches[args[0].Int()]; m != nil {
		return m, nil
	}
	return nil, refuse(freed, "the match was freed")
}

// copy makes another match that is equal: (match).
func (p *program) copy(args []js.Value) (any, error) {
	of, err := p.match(args)
	if err != nil {
		return nil, err
	}
	record := of.record
	if record != nil {
		own := *record
		own.Steps = slices.Clone(own.Steps)
		record = &own
	}
	return p.add(of.game, record, standingAt(of.m))
}

// free forgets a match: (match).
func (p *program) free(args []js.Value) (any, error) {
	delete(p.matches, args[0].Int())
	return nil, nil
}

// about is the game of a match: (match).
func (p *program) about(args []js.Value) (any, error) {
	m, err := p.match(args)
	if err != nil {
		return nil, err
	}
	return m.Info().Config, nil
}

// seat is the seat to act: (match).
func (p *program) seat(args []js.Value) (any, error) {
	m, err := p.match(args)
	if err != nil {
		return nil, err
	}
	return m.m.Seat(), nil
}

// returns are those of the seats: (match).
func (p *program) returns(args []js.Value) (any, error) {
	m, err := p.match(args)
	if err != nil {
		return nil, err
	}
	returns := make([]float32, m.Info().Seats)
	m.m.Returns(returns)
	return toJSON(returns, nil)
}

// legal are the actions that are legal, or what chance may bring: (match).
func (p *program) legal(args []js.Value) (any, error) {
	m, err := p.match(args)
	if err != nil {
		return nil, err
	}
	type choice struct {
		Action      engine.Action `json:"action"`
		Name        string        `json:"name"`
		Words       string        `json:"words"`
		Mark        string        `json:"mark,omitempty"`
		Probability float64       `json:"probability,omitempty"`
	}
	all := []choice{}
	for a := m.m.Legal().First(); a >= 0; a = m.m.Legal().Next(a) {
		mark, words := engine.Point(m.m, a)
		all = append(all, choice{Action: a, Name: m.Info().ActionName(a), Words: words, Mark: mark})
	}
	for _, o := range m.m.Outcomes(nil) {
		name := m.Info().ActionName(o.Action)
		all = append(all, choice{Action: o.Action, Name: name, Words: strings.NewReplacer("=", " ", "_", " ").Replace(name), Probability: o.Prob})
	}
	return toJSON(all, nil)
}

// apply performs an action, by number or name: (match, action).
func (p *program) apply(args []js.Value) (any, error) {
	m, err := p.match(args)
	if err != nil {
		return nil, err
	}
	a, err := m.action(args[1])
	if err != nil {
		return nil, err
	}
	m.before.CopyFrom(m.m)
	whole := false
	defer func() {
		if !whole { // the rules panicked
			m.m.CopyFrom(m.before)
		}
	}()
	err = m.m.Apply(a)
	whole = true
	if err == nil && m.record != nil {
		m.record.Record(m.before, a)
	}
	return nil, because(illegalAction, err)
}

func (m *match) action(v js.Value) (engine.Action, error) {
	if v.Type() == js.TypeString {
		a, err := m.Info().ParseAction(v.String())
		return a, because(illegalAction, err)
	}
	a, err := whole(v, "action")
	if err != nil {
		return 0, err
	}
	if most := len(m.Info().Actions) + len(m.Info().Outcomes) - 1; a < 0 || a > most {
		return 0, refuse(illegalAction, "action %d: want one from 0 to %d", a, most)
	}
	return engine.Action(a), nil
}

// viewed is a match, the first argument, and a view of it, the second: a seat or, if it may be, Full.
func (p *program) viewed(args []js.Value, least int) (*match, int, error) {
	m, err := p.match(args)
	if err != nil {
		return nil, 0, err
	}
	view, err := whole(args[1], "seat")
	if seats := m.Info().Seats; err == nil && (view < least || view >= seats) {
		err = refuse(wrongSeat, "seat %d: want one from 0 to %d", view, seats-1)
		if least == engine.Full {
			err = refuse(wrongSeat, "seat %d: want one from 0 to %d, or %d, from which nothing is hidden", view, seats-1, engine.Full)
		}
	}
	return m, view, err
}

// show shows a match as a view sees it: (match, view, how).
func (p *program) show(args []js.Value) (any, error) {
	m, view, err := p.viewed(args, engine.Full)
	if err != nil {
		return nil, err
	}
	switch how := args[2].String(); how {
	case "position":
		data, err := m.m.Position(view)
		return string(data), err
	case "text":
		return m.m.Render(view), nil
	case "svg":
		return engine.Picture(m.m, view)
	case "decision":
		return m.m.Decision(), nil
	default:
		return nil, refuse(badArgument, "show %q", how)
	}
}

// events are those since the last call for the view, as it sees them: (match, view).
func (p *program) events(args []js.Value) (any, error) {
	m, view, err := p.viewed(args, engine.Full)
	if err != nil {
		return nil, err
	}
	now := struct {
		Seen   bool     `json:"seen"`
		Events []any    `json:"events"`
		Log    []string `json:"log"`
	}{!engine.Veiled(m.m, view), []any{}, []string{}}
	if now.Seen {
		heard := &m.heard[viewAt(view)]
		news := m.log.Since(*heard)
		*heard = m.log.Count()
		for _, e := range news {
			if seen := engine.EventSeen(m.m, e, view); seen != nil {
				now.Events = append(now.Events, seen)
			}
		}
		now.Log = append(now.Log, engine.Tell(m.m, news, view)...)
	}
	return toJSON(now, nil)
}

// encode is a match as networks read it, three arrays: (match, seat). Only for the seat to act there is something legal.
func (p *program) encode(args []js.Value) (any, error) {
	m, seat, err := p.viewed(args, 0)
	if err != nil {
		return nil, err
	}
	m.encoder.Encode(m.m, seat, m.obs)
	rows := m.rows[:0]
	clear(m.mask)
	if seat == m.m.Seat() {
		m.m.Legal().Expand(m.mask)
		if m.encoder.ActionSize() > 0 {
			rows = m.rows[:m.encoder.EncodeActions(m.m, m.rows)*m.encoder.ActionSize()]
		}
	}
	return []any{toBytes(m.obs), toBytes(m.mask), toBytes(rows)}, nil
}
