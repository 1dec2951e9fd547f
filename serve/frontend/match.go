package frontend

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/kit/position"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/exploit"
	"github.com/privateer-rl/privateer/engine/prompt"
	"github.com/privateer-rl/privateer/serve/version"
)

// game is a game that has been asked about.
type game struct {
	engine.Game
	encoder *encode.Encoder
	reader  *policy.Reader
	now     engine.Match            // the match of the question
	heard   engine.Match            // the same where somebody listens to what happens
	players map[string]bots.Bot     // by name
	tree    *exploit.Tree           // nil before it has been asked for
	replays *engine.Transcript      // of the question
	eyes    map[int]*engine.Witness // by view
}

// game is the one that a question names: itself, by its position or by its transcript.
func (e *Engine) game(q *question) (*game, error) {
	var transcript *engine.Transcript
	if q.Position != nil {
		root, of, err := position.ParseFile(q.Position)
		if err == nil {
			q.Position, err = root.MarshalJSON()
		}
		if err != nil {
			return nil, because(badPosition, "position", err)
		}
		if q.Game == "" {
			q.Game = of
		}
	}
	if q.Op == "replay" {
		var err error
		if transcript, q.Game, err = readTranscript(q.Transcript); err != nil {
			return nil, because(badTranscript, "transcript", err)
		}
	}
	g := e.games[q.Game]
	if g == nil {
		var err error
		if g, err = open(q.Game); err != nil {
			return nil, because(unknownGame, "game", err)
		}
		if len(e.games) == mostGames {
			clear(e.games)
		}
		g.reader, e.games[q.Game] = &e.reader, g
	}
	g.replays = transcript
	return g, nil
}

// open makes a game of a game string. Chance is explicit unless that says otherwise.
func open(name string) (*game, error) {
	_, given, err := engine.Given(name)
	if err != nil {
		return nil, err
	}
	if given["chance"] == "" {
		if name, err = engine.With(name, "chance", "explicit"); err != nil {
			return nil, err
		}
	}
	g := &game{players: map[string]bots.Bot{}, eyes: map[int]*engine.Witness{}}
	if g.Game, err = engine.NewGame(name); err != nil {
		return nil, err
	}
	if g.encoder, err = encode.For(g.Game); err != nil {
		return nil, err
	}
	g.now, g.heard = g.NewMatch(), g.NewMatch()
	return g, nil
}

// gameAnswer is the description of a game that a program needs before it has matches of it.
type gameAnswer struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"` // of this program
	Title    string `json:"title"`
	*engine.Info
	Observation int            `json:"observation"` // bytes
	Scales      []float32      `json:"scales"`      // a byte of one times this is its value
	Row         int            `json:"row"`         // bytes of a row of an action
	Params      []engine.Param `json:"params"`
	Players     []string       `json:"players"` // who can think
	Spec        *encode.Spec   `json:"spec,omitempty"`
}

func (g *game) about(q *question) (any, error) {
	d, err := engine.Lookup(g.Info().Game)
	if err != nil {
		return nil, err
	}
	schema := g.encoder.Schema()
	a := gameAnswer{
		Protocol: Protocol, Title: d.Title, Info: g.Info(), Observation: schema.Size, Scales: schema.Scales(), Row: g.encoder.ActionSize(), Params: d.Parameters(),
	}
	a.Version, _ = version.Build()
	for _, k := range bots.Kinds(g) {
		a.Players = append(a.Players, k.Name)
	}
	a.Players = append(a.Players, policy.Zoo(g)...)
	wanted, err := q.wants("spec")
	if err == nil && wanted["spec"] {
		a.Spec, err = encode.SpecOf(g.Info().Config)
	}
	return a, err
}

// matchAnswer is a match as a program sees it.
type matchAnswer struct {
	State         []byte          `json:"state"` // with a checksum of it and of its game
	Seat          int             `json:"seat"`  // −1: chance, −2: over
	Decision      string          `json:"decision"`
	Legal         []engine.Action `json:"legal"`                   // or what chance may bring
	Probabilities []float64       `json:"probabilities,omitempty"` // of Legal, if it is chance's
	Returns       []float64       `json:"returns"`                 // in the game's own unit
	Truncated     string          `json:"truncated,omitempty"`     // the limit that has ended it
	Veiled        []int           `json:"veiled,omitempty"`        // the seats that do not see this moment: that it is there would tell them what is hidden

	// The optional parts of the answer: of Legal, …
	Names []string `json:"names,omitempty"`
	Words []string `json:"words,omitempty"`
	Mask  []byte   `json:"mask,omitempty"` // [actions]
	Rows  []byte   `json:"rows,omitempty"` // [legal, row]
	// … and as the view sees it.
	Observation []byte          `json:"observation,omitempty"`
	Position    json.RawMessage `json:"position,omitempty"`
	Render      string          `json:"render,omitempty"`
	SVG         string          `json:"svg,omitempty"`
	Events      *[]any          `json:"events,omitempty"`
	Log         *[]string       `json:"log,omitempty"`
}

// Optional parts of a match; those after seen depend on the view.
var (
	ofMatch = []string{"names", "words", "mask", "rows"}
	seen    = []string{"observation", "position", "render", "svg", "events", "log"}
)

// wants are the wanted entries, of the possible ones.
func (q *question) wants(known ...string) (map[string]bool, error) {
	wanted := make(map[string]bool, len(q.With))
	for _, w := range q.With {
		if !slices.Contains(known, w) {
			return nil, refuse(badQuestion, "with", "with %q: want some of %s", w, strings.Join(known, ", "))
		}
		wanted[w] = true
	}
	return wanted, nil
}

// begin sets m to the match of a question, before its actions.
func (g *game) begin(m engine.Match, q *question) error {
	switch {
	case q.State != nil && q.Position != nil:
		return refuse(badQuestion, "position", "a state and a position: want one of them")
	case q.State != nil:
		state, whole := g.unseal(q.State)
		if !whole {
			return refuse(badState, "state", "state: it is none that an answer about %s had: it was altered, or is of another game or version", g.Info().Config)
		}
		return because(badState, "state", m.SetBytes(state))
	case q.Position != nil:
		return because(badPosition, "position", m.SetPosition(q.Position))
	}
	m.Reset(uint64(q.Seed))
	return nil
}

// seal is the checksum of a state of the game.
func (g *game) seal(state []byte) uint32 {
	return durable.Checksum(durable.Checksum(0, []byte(g.Info().Config)), state)
}

// unseal is a state of which describe has written the seal; false if that does not fit.
func (g *game) unseal(sealed []byte) (state []byte, whole bool) {
	n := len(sealed) - 4
	if n < 0 {
		return nil, false
	}
	return sealed[:n], binary.LittleEndian.Uint32(sealed[n:]) == g.seal(sealed[:n])
}

// play sets m to the match of a question, after its actions. Those that were named have their numbers then.
func (g *game) play(m engine.Match, q *question) error {
	if err := g.begin(m, q); err != nil {
		return err
	}
	if q.Seat != nil && m.Seat() != *q.Seat {
		return refuse(wrongSeat, "seat", "seat %d: %s is to act", *q.Seat, engine.SeatName(m.Seat()))
	}
	for i := range q.Actions {
		a := &q.Actions[i]
		if err := g.find(a); err != nil {
			return err
		}
		if err := m.Apply(a.number); err != nil {
			return because(illegalAction, "actions", err)
		}
	}
	return nil
}

// find gives an action its number if it has a name.
func (g *game) find(a *named) (err error) {
	if a.name != nil {
		a.number, err = g.Info().ParseAction(*a.name)
	}
	return because(illegalAction, "actions", err)
}

// watch has a view see the actions of a question, which play has found to be legal: chosen is called before each, saw with each moment that
// is seen. It returns the match as it was seen last.
func (g *game) watch(q *question, view int, chosen func(m engine.Match, a engine.Action), saw func(now engine.Moment)) (engine.Match, error) {
	eye := g.eyes[view]
	if eye == nil {
		eye = engine.NewWitness(g.Game, view)
		g.eyes[view] = eye
	}
	if err := g.begin(g.heard, q); err != nil {
		return nil, err
	}
	eye.Begin(g.heard)
	for _, a := range q.Actions {
		if chosen != nil {
			chosen(g.heard, a.number)
		}
		eye.Chosen(g.heard, a.number)
		if err := g.heard.Apply(a.number); err != nil {
			return nil, err
		}
		if now, seen := eye.See(g.heard); seen {
			saw(now)
		}
	}
	return eye.Seen(g.heard), nil
}

// acting is an error if no seat is to act in the match of a question.
func (g *game) acting() error {
	if g.now.Seat() < 0 {
		return refuse(wrongSeat, "actions", "no seat is to act: %s", g.now.Decision())
	}
	return nil
}

// view is the one of a question: the seat to act in m if it says none.
func (g *game) view(m engine.Match, q *question) (int, error) {
	switch {
	case q.View != nil:
		return *q.View, nil
	case m.Seat() < 0:
		return 0, refuse(wrongSeat, "view", "no seat is to act, so name a view: a seat from 0 to %d, or -1 for all", g.Info().Seats-1)
	}
	return m.Seat(), nil
}

// match is the match of a question.
func (g *game) match(q *question) (any, error) {
	if err := g.play(g.now, q); err != nil {
		return nil, err
	}
	return g.describe(g.now, q, true)
}

// track is a match as it may be, for all that a seat has been told since the match of the question's state, or since the beginning. The seat is
// asked in it.
func (g *game) track(q *question) (any, error) {
	switch {
	case q.View == nil:
		return nil, refuse(badQuestion, "view", "view is missing: want the seat that is told, from 0 to %d", g.Info().Seats-1)
	case *q.View == engine.Full:
		return nil, refuse(wrongSeat, "view", "view -1: want the seat that is told, from 0 to %d", g.Info().Seats-1)
	case q.Position != nil:
		return nil, refuse(badQuestion, "position", "a position: want the state of an answer, or none for a match from its beginning")
	case q.Actions != nil:
		return nil, refuse(badQuestion, "actions", "actions: put them into told, as the seat has seen them")
	}
	t, err := engine.NewTracker(g.Info().Config, *q.View)
	if err != nil {
		return nil, because(badTold, "game", err)
	}
	if q.State != nil {
		if err := g.begin(g.now, q); err != nil {
			return nil, err
		}
		if err := t.SetBytes(g.now.Bytes()); err != nil {
			return nil, because(badState, "state", err)
		}
	}
	m, err := t.Asked(q.Told...)
	if err != nil {
		return nil, because(badTold, "told", err)
	}
	g.now.CopyFrom(m)
	return g.describe(g.now, q, false)
}

// describe is a match with what a question wants of it. Where it is what the question's actions have led to, a view sees it as it saw it
// last, and is told what has happened.
func (g *game) describe(m engine.Match, q *question, played bool) (*matchAnswer, error) {
	wanted, err := q.wants(slices.Concat(ofMatch, seen)...)
	if err != nil {
		return nil, err
	}
	info := g.Info()
	limit, _ := m.Truncated()
	a := &matchAnswer{
		State: binary.LittleEndian.AppendUint32(slices.Clone(m.Bytes()), g.seal(m.Bytes())), Seat: m.Seat(), Decision: m.Decision(),
		Legal: make([]engine.Action, 0, m.Legal().Count()), Returns: make([]float64, info.Seats), Truncated: limit,
	}
	for x := m.Legal().First(); x >= 0; x = m.Legal().Next(x) {
		a.Legal = append(a.Legal, x)
	}
	for _, o := range m.Outcomes(nil) {
		a.Legal, a.Probabilities = append(a.Legal, o.Action), append(a.Probabilities, o.Prob)
	}
	raw := make([]float32, info.Seats)
	m.Returns(raw)
	for seat, r := range raw {
		a.Returns[seat] = float64(float64(r) * info.ReturnScale)
	}
	for seat := range info.Seats {
		if engine.Veiled(m, seat) {
			a.Veiled = append(a.Veiled, seat)
		}
	}
	if wanted["names"] {
		for _, x := range a.Legal {
			a.Names = append(a.Names, info.ActionName(x))
		}
	}
	if wanted["words"] {
		for _, c := range prompt.Choices(m) {
			a.Words = append(a.Words, c.Words)
		}
	}
	if wanted["mask"] {
		a.Mask = make([]byte, len(info.Actions))
		m.Legal().Expand(a.Mask)
	}
	if wanted["rows"] {
		a.Rows = make([]byte, m.Legal().Count()*g.encoder.ActionSize())
		g.encoder.EncodeActions(m, a.Rows)
	}
	if !slices.ContainsFunc(seen, func(w string) bool { return wanted[w] }) {
		return a, nil
	}
	return a, g.show(a, m, q, wanted, played)
}

// show adds to the answer about a match what is wanted of it as its view sees it.
func (g *game) show(a *matchAnswer, m engine.Match, q *question, wanted map[string]bool, played bool) error {
	view, err := g.view(m, q)
	if err != nil {
		return err
	}
	events, log := []any{}, []string{}
	if played && len(q.Actions) > 0 {
		m, err = g.watch(q, view, nil, func(now engine.Moment) {
			events = append(events, now.Events...)
			if now.Line != "" {
				log = append(log, now.Line)
			}
		})
		if err != nil {
			return err
		}
	}
	if wanted["events"] {
		a.Events = &events
	}
	if wanted["log"] {
		a.Log = &log
	}
	if wanted["observation"] {
		a.Observation = g.observe(m, view)
	}
	if wanted["position"] {
		if a.Position, err = m.Position(view); err != nil {
			return err
		}
	}
	if wanted["render"] {
		a.Render = m.Render(view)
	}
	if wanted["svg"] {
		a.SVG, err = engine.Picture(m, view)
	}
	return err
}

// observe is what a view sees of a match, as networks read it: Full has the first seat's observation, or that of the seat to act, and then what is hidden.
func (g *game) observe(m engine.Match, view int) []byte {
	if view == engine.Full {
		row := make([]byte, g.encoder.FullSchema().Size)
		g.encoder.EncodeFull(m, max(0, m.Seat()), row)
		return row
	}
	row := make([]byte, g.encoder.Schema().Size)
	g.encoder.Encode(m, view, row)
	return row
}

// redeal is the match of a question with all that its view cannot know dealt anew.
func (g *game) redeal(q *question) (any, error) {
	if err := g.play(g.now, q); err != nil {
		return nil, err
	}
	view, err := g.view(g.now, q)
	if err != nil {
		return nil, err
	}
	r := engine.NewRand(uint64(q.Seed))
	g.now.Redeal(view, &r)
	return g.describe(g.now, q, false)
}

// transcript is the match of a seed and actions, as text.
func (g *game) transcript(q *question) (any, error) {
	q.State, q.Position = nil, nil // it has what leads to a match, from its beginning
	if err := g.play(g.now, q); err != nil {
		return nil, err
	}
	record := engine.Transcript{Game: g.Info().Config, Seed: uint64(q.Seed)}
	if g.now.Seat() == engine.Over {
		record.Returns = make([]float32, g.Info().Seats)
		g.now.Returns(record.Returns)
	}
	g.now.Reset(uint64(q.Seed))
	for _, a := range q.Actions {
		record.Steps = append(record.Steps, engine.Step{Seat: g.now.Seat(), Action: g.Info().ActionName(a.number)})
		if err := g.now.Apply(a.number); err != nil {
			return nil, err
		}
	}
	var text strings.Builder
	err := record.Write(&text, nil)
	return text.String(), err
}

// readTranscript reads a transcript and names its game. If that says nothing about chance, it was drawn.
func readTranscript(text string) (*engine.Transcript, string, error) {
	t, err := engine.ReadTranscript(strings.NewReader(text))
	if err != nil {
		return nil, "", err
	}
	_, given, err := engine.Given(t.Game)
	if err != nil {
		return nil, "", because(unknownGame, "transcript", err)
	}
	if given["chance"] != "" {
		return t, t.Game, nil
	}
	game, err := engine.With(t.Game, "chance", "sampled")
	return t, game, err
}

// replayAnswer is the content of a transcript.
type replayAnswer struct {
	Game    string         `json:"game"`    // with the way of chance that the match was played with
	Matches []*matchAnswer `json:"matches"` // before each step, and after the last
}

func (g *game) replay(q *question) (any, error) {
	answer := replayAnswer{Game: q.Game}
	add := func(m engine.Match) error {
		now, err := g.describe(m, q, false)
		answer.Matches = append(answer.Matches, now)
		return err
	}
	end, err := g.replays.Replay(func(m engine.Match, _ int, _ engine.Action) error { return add(m) })
	if err == nil {
		err = add(end)
	}
	return answer, because(badTranscript, "transcript", err)
}
