package frontend

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/kit/position"
	"github.com/privateer-rl/privateer/engine/players/exploit"
	"github.com/privateer-rl/privateer/engine/prompt"
	"github.com/privateer-rl/privateer/serve/version"
)

// LongestQuestion is the most bytes of a question; longer ones are refused.
const LongestQuestion = 64 << 20

// Engine answers questions. It keeps what games are between them, and nothing of a match. Several goroutines may ask it: it answers one at a time.
type Engine struct {
	mu    sync.Mutex
	known map[string]*matchGame
}

// New makes one that has not been asked yet.
func New() *Engine { return &Engine{known: map[string]*matchGame{}} }

// Answer answers a question, a JSON object, by a JSON text without line breaks.
func (e *Engine) Answer(question []byte) []byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	var answer any
	q, err := readQuestion(question)
	if err == nil {
		answer, err = q.answer(e.known)
	}
	if err != nil {
		answer = map[string]string{"error": err.Error()}
	}
	var line bytes.Buffer
	out := json.NewEncoder(&line)
	out.SetEscapeHTML(false)
	if err := out.Encode(answer); err != nil {
		line.Reset()
		_ = out.Encode(map[string]string{"error": err.Error()})
	}
	return bytes.TrimSuffix(line.Bytes(), []byte("\n"))
}

// question is what a program asks. Which entries count depends on Op.
type question struct {
	Op         string          `json:"op"`
	Game       string          `json:"game"`
	State      []byte          `json:"state"`
	Seed       engine.Long     `json:"seed"`
	Seat       int             `json:"seat"`
	View       int             `json:"view"`
	As         string          `json:"as"`
	Actions    []named         `json:"actions"`
	Position   json.RawMessage `json:"position"`
	Transcript string          `json:"transcript"`
	Policy     [][]float64     `json:"policy"`
	Steps      int             `json:"steps"`
	Rules      int             `json:"rules"`
	Refused    string          `json:"refused"`
	Text       string          `json:"text"`
}

// named is an action by number or name.
type named struct {
	number engine.Action
	name   string
}

func (n *named) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &n.name)
	}
	return json.Unmarshal(data, &n.number)
}

// matchAnswer is a match as a program sees it.
type matchAnswer struct {
	State         []byte          `json:"state"` // with a checksum of it and of its game
	Seat          int             `json:"seat"`  // −1: chance, −2: over
	Decision      string          `json:"decision"`
	Legal         []engine.Action `json:"legal"`         // or what chance may bring
	Probabilities []float64       `json:"probabilities"` // of Legal, if it is chance's
	Returns       []float64       `json:"returns"`       // in the game's own unit
	Truncated     string          `json:"truncated"`     // the limit that has ended it
	Observations  []byte          `json:"observations"`  // [seats, observation]
	Veiled        []int           `json:"veiled"`        // the seats that do not see this moment: that it is there would tell them what is hidden
}

// gameAnswer is what a program needs to know of a game before it has matches of it.
type gameAnswer struct {
	*engine.Info
	Observation int            `json:"observation"` // bytes
	Scales      []float32      `json:"scales"`      // a byte times this is its value
	Dealt       bool           `json:"dealt"`       // the seed decides how a match begins, not chance alone
	Title       string         `json:"title"`
	Params      []engine.Param `json:"params"`
	Version     string         `json:"version"` // of this program
}

// replayAnswer is what a transcript has.
type replayAnswer struct {
	Game    string        `json:"game"`    // with the way of chance that the match was played with
	Matches []matchAnswer `json:"matches"` // before each step, and after the last
}

// recallAnswer is what a seat has seen.
type recallAnswer struct {
	Happened []string    `json:"happened"` // a line each: the choices that it saw, its own among them, and what came of them
	Position string      `json:"position"` // as it saw it last, in words
	Seen     matchAnswer `json:"seen"`     // the match at that moment
}

// setAnswer is an information set as a program sees it.
type setAnswer struct {
	Key         string          `json:"key"`
	Seat        int             `json:"seat"`
	Legal       []engine.Action `json:"legal"`
	Observation []byte          `json:"observation"`
}

func readQuestion(line []byte) (*question, error) {
	if len(line) > LongestQuestion {
		return nil, fmt.Errorf("a question of more than %d bytes", LongestQuestion)
	}
	q := new(question)
	err := json.Unmarshal(line, q)
	var wrong *json.UnmarshalTypeError
	var garbled base64.CorruptInputError
	switch {
	case err == nil:
		return q, nil
	case errors.As(err, &wrong) && wrong.Type == reflect.TypeFor[question]():
		return nil, fmt.Errorf("want an object, and this is of the kind %s", wrong.Value)
	case errors.As(err, &wrong):
		return nil, fmt.Errorf("%s: %s is no %s", wrong.Field, wrong.Value, wrong.Type)
	case errors.Is(err, engine.ErrLong):
		return nil, fmt.Errorf("seed: %w", err)
	case errors.As(err, &garbled):
		return nil, fmt.Errorf("state: %w", garbled)
	}
	return nil, fmt.Errorf("want one JSON object: %w", err)
}

// matchGame is a game that has been asked about.
type matchGame struct {
	engine.Game
	encoder *encode.Encoder
	match   engine.Match
	tree    *exploit.Tree // nil before it has been asked for
}

func openMatchGame(name string) (*matchGame, error) {
	_, given, err := engine.Given(name)
	if err != nil {
		return nil, err
	}
	if given["chance"] == "" {
		if name, err = engine.With(name, "chance", "explicit"); err != nil {
			return nil, err
		}
	}
	g := &matchGame{}
	if g.Game, err = engine.NewGame(name); err != nil {
		return nil, err
	}
	if g.encoder, err = encode.For(g.Game); err != nil {
		return nil, err
	}
	g.match = g.NewMatch()
	return g, nil
}

// seal is the checksum of a state of the game.
func (g *matchGame) seal(state []byte) uint32 {
	return durable.Checksum(durable.Checksum(0, []byte(g.Info().Config)), state)
}

// unseal is a state of which describe has written the seal; false if that does not fit.
func (g *matchGame) unseal(sealed []byte) (state []byte, whole bool) {
	n := len(sealed) - 4
	if n < 0 {
		return nil, false
	}
	return sealed[:n], binary.LittleEndian.Uint32(sealed[n:]) == g.seal(sealed[:n])
}

func (q *question) answer(known map[string]*matchGame) (answer any, err error) {
	defer func() {
		if p := recover(); p != nil { // rules rely on what holds of the states that they make
			answer, err = nil, fmt.Errorf("%s: the state is none that a match of %s can have (%v)", q.Op, q.Game, p)
		}
	}()
	var transcript *engine.Transcript
	if q.Op == "replay" {
		var err error
		if transcript, q.Game, err = readTranscript(q.Transcript); err != nil {
			return nil, err
		}
	}
	g := known[q.Game]
	if g == nil {
		var err error
		if g, err = openMatchGame(q.Game); err != nil {
			return nil, err
		}
		known[q.Game] = g
	}
	switch q.Op {
	case "game":
		return g.about()
	case "new":
		g.match.Reset(uint64(q.Seed))
		return g.describe(g.match), nil
	case "read":
		return g.read(q.Position)
	case "transcript":
		return g.transcript(q)
	case "replay":
		return g.replay(q.Game, transcript)
	case "rules":
		p, err := prompt.New(g.Game, q.Rules)
		if err != nil {
			return nil, err
		}
		return p.Rules(), nil
	case "answer":
		if q.State == nil {
			return g.among(q)
		}
		return g.continued(q)
	case "apply", "redeal", "show", "recall", "prompt":
		return g.continued(q)
	case "sets", "nash_conv", "solve":
		return g.measured(q)
	}
	return nil, fmt.Errorf("op %q: want game, new, read, apply, transcript, replay, redeal, show, recall, prompt, answer, rules, sets, nash_conv or solve", q.Op)
}

func (g *matchGame) about() (any, error) {
	d, err := engine.Lookup(g.Info().Game)
	if err != nil {
		return nil, err
	}
	schema := g.encoder.Schema()
	version, _ := version.Build()
	return gameAnswer{
		Info: g.Info(), Observation: schema.Size, Scales: schema.Scales(), Title: d.Title, Params: d.Parameters(), Version: version,
	}, nil
}

func (g *matchGame) read(data []byte) (any, error) {
	root, _, err := position.ParseFile(data)
	if err != nil {
		return nil, err
	}
	own, err := root.MarshalJSON()
	if err != nil {
		return nil, err
	}
	if err := g.match.SetPosition(own); err != nil {
		return nil, err
	}
	return g.describe(g.match), nil
}

// continued answers what is asked of a match that an earlier answer had.
func (g *matchGame) continued(q *question) (any, error) {
	state, whole := g.unseal(q.State)
	if !whole {
		return nil, fmt.Errorf("state: it is none that an answer about %s had: it was altered, or is of another game or version", g.Info().Config)
	}
	if err := g.match.SetBytes(state); err != nil {
		return nil, err
	}
	seats := g.Info().Seats
	switch q.Op {
	case "show":
		if q.View < engine.Full || q.View >= seats {
			return nil, fmt.Errorf("view %d: want a seat from 0 to %d, or -1 for all", q.View, seats-1)
		}
		return g.show(q.View, q.As)
	case "redeal", "recall":
		if q.Seat < 0 || q.Seat >= seats {
			return nil, fmt.Errorf("seat %d: want one from 0 to %d", q.Seat, seats-1)
		}
		if q.Op == "recall" {
			return g.recall(q)
		}
		r := engine.NewRand(uint64(q.Seed))
		g.match.Redeal(q.Seat, &r)
		return g.describe(g.match), nil
	case "prompt":
		return g.prompt(q)
	case "answer":
		if g.match.Seat() < 0 {
			return nil, fmt.Errorf("no seat is to act: %s", g.match.Decision())
		}
		return prompt.Read(g.match, q.Text)
	}
	if err := g.play(q.Actions, nil); err != nil {
		return nil, err
	}
	return g.describe(g.match), nil
}

// among is which of the actions a text names, for a program that has no match, only the choices of one.
func (g *matchGame) among(q *question) (any, error) {
	var choices []prompt.Choice
	for _, one := range q.Actions {
		a, err := one.number, error(nil)
		if one.name != "" {
			if a, err = g.Info().ParseAction(one.name); err != nil {
				return nil, err
			}
		}
		if a < 0 || int(a) >= len(g.Info().Actions) {
			return nil, fmt.Errorf("action %d: want one from 0 to %d", a, len(g.Info().Actions)-1)
		}
		name := g.Info().ActionName(a)
		choices = append(choices, prompt.Choice{Action: a, Name: name, Words: name})
	}
	return prompt.Among(g.Info(), choices, q.Text)
}

// prompt is the decision after actions, in words, with what its seat has seen of them.
func (g *matchGame) prompt(q *question) (any, error) {
	before := g.NewMatch()
	before.CopyFrom(g.match)
	if err := g.play(q.Actions, nil); err != nil {
		return nil, err
	}
	seat := g.match.Seat()
	if seat < 0 {
		return nil, fmt.Errorf("no seat is to act: %s", g.match.Decision())
	}
	g.match.CopyFrom(before)
	eye := engine.NewWitness(g.Game, seat)
	eye.Begin(g.match)
	var log []engine.Moment
	for i, a := range q.Actions {
		eye.Chosen(g.match, a.number)
		if err := g.play(q.Actions[i:i+1], nil); err != nil {
			return nil, err
		}
		if now, _ := eye.See(g.match); !now.Blank() {
			log = append(log, now)
		}
	}
	p, err := prompt.New(g.Game, q.Rules)
	if err != nil {
		return nil, err
	}
	return p.Write(g.match, log, q.Refused), nil
}

// recall is what a seat has seen of actions. A moment that is veiled from it leaves no trace before one is not.
func (g *matchGame) recall(q *question) (any, error) {
	eye := engine.NewWitness(g.Game, q.Seat)
	eye.Begin(g.match)
	happened, before := []string{}, g.NewMatch()
	var chosen []string
	for i := range q.Actions {
		before.CopyFrom(g.match)
		if err := g.play(q.Actions[i:i+1], nil); err != nil {
			return nil, err
		}
		a := q.Actions[i].number
		switch deed := chooser(before.Seat(), q.Seat) + g.Info().ActionName(a); {
		case before.Seat() == q.Seat: // it knows at once
			happened = append(happened, deed)
		case before.Sight(q.Seat, a) == engine.Open:
			chosen = append(chosen, deed)
		}
		if now, seen := eye.See(g.match); seen {
			happened = append(append(happened, chosen...), now.Told...)
			chosen = nil
		}
	}
	last := eye.Seen(g.match)
	return recallAnswer{happened, prompt.Position(last, q.Seat), g.describe(last)}, nil
}

// chooser says who has made a choice, to a seat.
func chooser(who, to int) string {
	switch who {
	case engine.Chance:
		return "Chance: "
	case to:
		return "You: "
	}
	return fmt.Sprintf("Player %d: ", who)
}

// play performs actions, and records each in record unless that is nil. Those that were named have their numbers then.
func (g *matchGame) play(actions []named, record *engine.Transcript) error {
	for i := range actions {
		a := &actions[i]
		if a.name != "" {
			var err error
			if a.number, err = g.Info().ParseAction(a.name); err != nil {
				return err
			}
		}
		who := g.match.Seat()
		if err := g.match.Apply(a.number); err != nil {
			return err
		}
		if record != nil {
			record.Steps = append(record.Steps, engine.Step{Seat: who, Action: g.Info().ActionName(a.number)})
		}
	}
	return nil
}

func (g *matchGame) transcript(q *question) (any, error) {
	g.match.Reset(uint64(q.Seed))
	record := engine.Transcript{Game: g.Info().Config, Seed: uint64(q.Seed)}
	if err := g.play(q.Actions, &record); err != nil {
		return nil, err
	}
	if g.match.Seat() == engine.Over {
		record.Returns = make([]float32, g.Info().Seats)
		g.match.Returns(record.Returns)
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
	if err != nil || given["chance"] != "" {
		return t, t.Game, err
	}
	game, err := engine.With(t.Game, "chance", "sampled")
	return t, game, err
}

func (g *matchGame) replay(game string, t *engine.Transcript) (any, error) {
	answer := replayAnswer{Game: game}
	end, err := t.Replay(func(m engine.Match, _ int, _ engine.Action) error {
		answer.Matches = append(answer.Matches, g.describe(m))
		return nil
	})
	if err != nil {
		return nil, err
	}
	answer.Matches = append(answer.Matches, g.describe(end))
	return answer, nil
}

func (g *matchGame) show(view int, as string) (any, error) {
	switch as {
	case "position":
		data, err := g.match.Position(view)
		return json.RawMessage(data), err
	case "text":
		return g.match.Render(view), nil
	case "svg":
		return engine.Picture(g.match, view)
	}
	return nil, fmt.Errorf("as %q: want position, text or svg", as)
}

func (g *matchGame) describe(m engine.Match) matchAnswer {
	info := g.Info()
	limit, _ := m.Truncated()
	a := matchAnswer{
		State: binary.LittleEndian.AppendUint32(slices.Clone(m.Bytes()), g.seal(m.Bytes())), Seat: m.Seat(), Decision: m.Decision(), Legal: []engine.Action{}, Probabilities: []float64{},
		Truncated: limit, Observations: make([]byte, info.Seats*g.encoder.Schema().Size), Veiled: []int{},
	}
	for x := m.Legal().First(); x >= 0; x = m.Legal().Next(x) {
		a.Legal = append(a.Legal, x)
	}
	for _, o := range m.Outcomes(nil) {
		a.Legal, a.Probabilities = append(a.Legal, o.Action), append(a.Probabilities, o.Prob)
	}
	raw := make([]float32, info.Seats)
	m.Returns(raw)
	for _, r := range raw {
		a.Returns = append(a.Returns, float64(float64(r)*info.ReturnScale))
	}
	size := g.encoder.Schema().Size
	for seat := range info.Seats {
		g.encoder.Encode(m, seat, a.Observations[seat*size:(seat+1)*size])
		if engine.Veiled(m, seat) {
			a.Veiled = append(a.Veiled, seat)
		}
	}
	return a
}

// maxTree is how many nodes the tree of a game may have. A game of the house that is larger is so by far; what is said of its information sets would be hundreds of megabytes.
const maxTree = 100_000

// measured answers what is asked of a whole game.
func (g *matchGame) measured(q *question) (any, error) {
	if g.tree == nil {
		var err error
		g.tree, err = exploit.Build(g.Game)
		if err != nil && !errors.Is(err, exploit.ErrTooLarge) {
			// Views that forget: seats recall there what they have done.
			g.tree, err = exploit.BuildWithin(context.Background(), g.Game, maxTree)
		}
		if err != nil {
			return nil, err
		}
	}
	sets := g.tree.InfoSets()
	switch q.Op {
	case "sets":
		all := make([]setAnswer, len(sets))
		for i, s := range sets {
			all[i] = setAnswer{Key: s.Key, Seat: s.Seat, Observation: make([]byte, g.encoder.Schema().Size)}
			for a := s.Legal.First(); a >= 0; a = s.Legal.Next(a) {
				all[i].Legal = append(all[i].Legal, a)
			}
			g.encoder.Encode(s.Match, s.Seat, all[i].Observation)
		}
		return all, nil
	case "solve":
		solver := g.tree.NewSolver()
		for range max(q.Steps, 1) {
			solver.Step()
		}
		found, policy := solver.Policy(), make([][]float64, len(sets))
		for i, s := range sets {
			policy[i] = found[s.Key]
		}
		return policy, nil
	}
	if len(q.Policy) != len(sets) {
		return nil, fmt.Errorf("a policy for %d information sets: %s has %d", len(q.Policy), g.Info().Config, len(sets))
	}
	policy := exploit.Policy{}
	for i, s := range sets {
		policy[s.Key] = q.Policy[i]
	}
	return g.tree.NashConv(policy)
}
