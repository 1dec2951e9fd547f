package frontend

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
)

// Protocol is the version of questions and answers. It changes when a program that speaks it would not understand another; entries that are
// added change nothing, because programs ignore those of an answer that they do not know.
const Protocol = 1

// LongestQuestion is the most bytes of a question; longer ones are refused.
const LongestQuestion = 64 << 20

// longestText is the most bytes that a refusal quotes of a question, which may have megabytes.
const longestText = 16 << 10

// mostGames is how many games an engine keeps. With one more it forgets them all, and makes again what it is asked about.
const mostGames = 64

// Engine answers questions. Several goroutines may ask it: it answers one at a time.
type Engine struct {
	mu     sync.Mutex
	games  map[string]*game // by the game string that was asked about
	reader policy.Reader
	line   bytes.Buffer
}

// New makes one that has not been asked yet.
func New() *Engine { return &Engine{games: map[string]*game{}} }

// Answer answers a question, a JSON object, by a JSON text without line breaks. What is refused is answered by an object that has "error", "code" and
// the "field" of the question that is at fault, and changes nothing; no question ends the process.
func (e *Engine) Answer(question []byte) []byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	answer, err := e.answer(question)
	if err == nil {
		err = e.write(answer)
	}
	if err != nil {
		var r refusal
		if !errors.As(err, &r) {
			r = refusal{Code: internal}
		}
		r.Text, r.Field = cut(err.Error()), cut(r.Field)
		_ = e.write(r) // texts only
	}
	return bytes.TrimSuffix(slices.Clone(e.line.Bytes()), []byte("\n"))
}

func cut(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), longestText)], "\uFFFD")
}

func (e *Engine) write(answer any) error {
	e.line.Reset()
	out := json.NewEncoder(&e.line)
	out.SetEscapeHTML(false)
	return out.Encode(answer)
}

// code is the kind of an error.
type code string

// All codes.
const (
	badQuestion   code = "bad_question"   // it is no JSON object, or an entry is missing, unknown, of the wrong type or out of range
	unknownOp     code = "unknown_op"     // there is no such op
	unknownGame   code = "unknown_game"   // the game string names no game, or sets what the game does not have
	badState      code = "bad_state"      // no answer about this game had it: it was altered, or is of another game or version
	badPosition   code = "bad_position"   // it cannot be, or is none of the game
	badTold       code = "bad_told"       // it cannot have happened, or cannot be followed
	badTranscript code = "bad_transcript" // it cannot be read, or the rules do not lead to what it says
	illegalAction code = "illegal_action" // there is no such action, or it is not legal now
	wrongSeat     code = "wrong_seat"     // there is no such seat, another one is to act, or none is
	unknownPlayer code = "unknown_player" // nobody has the name, or who has it does not play the game
	unclearText   code = "unclear_text"   // an answer in words that may mean several actions, or none
	tooLarge      code = "too_large"      // the question, or the game for what is asked of it
	internal      code = "internal"       // a bug of privateer, or a state that was forged
)

// refusal is why a question is not answered, and the answer that says so.
type refusal struct {
	Text  string `json:"error"`
	Code  code   `json:"code"`
	Field string `json:"field,omitempty"` // of the question
}

func (r refusal) Error() string { return r.Text }

func refuse(c code, field, format string, args ...any) error {
	return refusal{fmt.Sprintf(format, args...), c, field}
}

// because refuses a question for an error; nil if there is none.
func because(c code, field string, err error) error {
	var r refusal
	if err == nil || errors.As(err, &r) {
		return err
	}
	return refusal{err.Error(), c, field}
}

// question is a program's question. Which entries count depends on Op.
type question struct {
	Op   string `json:"op"`
	Game string `json:"game"`

	// The match that it is about: a state that an answer had, or a position, or else a fresh match of a seed; then actions in it.
	State    []byte          `json:"state"`
	Position json.RawMessage `json:"position"`
	Seed     engine.Long     `json:"seed"` // of the match, or of what a player or a redeal draws
	Actions  []named         `json:"actions"`
	Seat     *int            `json:"seat"` // that takes the first of the actions, or thinks

	View *int     `json:"view"` // seat whose view the answer has, engine.Full for everything; nil: the seat to act
	With []string `json:"with"` // parts of the answer

	Told []json.RawMessage `json:"told"` // what the view has seen since the match of the state

	Player     string      `json:"player"`
	Transcript string      `json:"transcript"`
	Rules      int         `json:"rules"` // tokens
	Refused    string      `json:"refused"`
	Text       string      `json:"text"`
	Policy     [][]float64 `json:"policy"`
	Steps      int         `json:"steps"`
}

// named is an action by number or name.
type named struct {
	number engine.Action
	name   *string // nil if it has its number
}

func (n *named) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &n.name)
	}
	if json.Unmarshal(data, &n.number) != nil || string(data) == "null" {
		return refuse(badQuestion, "actions", "actions: %.40s: want an action's number or its name", data)
	}
	return nil
}

// ops are the possible questions, in the order of README.md.
var ops = []struct {
	name   string
	answer func(*game, *question) (any, error)
}{
	{"game", (*game).about},
	{"match", (*game).match},
	{"think", (*game).think},
	{"track", (*game).track},
	{"redeal", (*game).redeal},
	{"transcript", (*game).transcript},
	{"replay", (*game).replay},
	{"recall", (*game).recall},
	{"prompt", (*game).prompt},
	{"answer", (*game).answer},
	{"rules", (*game).rules},
	{"sets", (*game).sets},
	{"nash_conv", (*game).nashConv},
	{"solve", (*game).solve},
}

func (e *Engine) answer(text []byte) (answer any, err error) {
	q, err := readQuestion(text)
	if err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil { // rules rely on what holds of the states that they make
			delete(e.games, q.Game) // its players may have stopped half-way
			answer, err = nil, refuse(internal, "", "%s: this is a bug of privateer, or the state is forged, which no match of %s can have: %v", q.Op, q.Game, p)
		}
	}()
	var names []string
	for _, op := range ops {
		if op.name == q.Op {
			g, err := e.game(q)
			if err != nil {
				return nil, err
			}
			if seats := g.Info().Seats; q.View != nil && (*q.View < engine.Full || *q.View >= seats) {
				return nil, refuse(wrongSeat, "view", "view %d: want a seat from 0 to %d, or -1 for all", *q.View, seats-1)
			}
			return op.answer(g, q)
		}
		names = append(names, op.name)
	}
	return nil, refuse(unknownOp, "op", "op %q: want one of %s", q.Op, strings.Join(names, ", "))
}

func readQuestion(text []byte) (*question, error) {
	if len(text) > LongestQuestion {
		return nil, refuse(tooLarge, "", "a question of more than %d bytes", LongestQuestion)
	}
	q := new(question)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(q)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			return nil, refuse(badQuestion, "", "want one JSON object, and something follows it")
		}
		return q, nil
	}
	var wrong *json.UnmarshalTypeError
	var garbled base64.CorruptInputError
	var r refusal
	switch {
	case errors.As(err, &r):
		return nil, r
	case errors.As(err, &wrong) && wrong.Type == reflect.TypeFor[question]():
		return nil, refuse(badQuestion, "", "want one JSON object, and this is of the kind %s", wrong.Value)
	case errors.As(err, &wrong) && wrong.Type == reflect.TypeFor[[]byte]():
		return nil, refuse(badQuestion, wrong.Field, "%s: %s: want base64", wrong.Field, wrong.Value)
	case errors.As(err, &wrong):
		return nil, refuse(badQuestion, wrong.Field, "%s: %s: want %s", wrong.Field, wrong.Value, kinds[wrong.Type.Kind()])
	case errors.Is(err, engine.ErrLong):
		return nil, refuse(badQuestion, "seed", "seed: %v", err)
	case errors.As(err, &garbled):
		return nil, refuse(badState, "state", "state: %v", garbled)
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		name = strings.Trim(name, `"`)
		return nil, refuse(badQuestion, name, "no question has an entry %s%s", name, engine.Suggest(name, entryNames))
	}
	return nil, refuse(badQuestion, "", "want one JSON object: %v", err)
}

// kinds are the names of the entries' types, for people.
var kinds = map[reflect.Kind]string{
	reflect.Int: "a whole number", reflect.String: "a text", reflect.Slice: "a list", reflect.Float64: "a number",
}

// entryNames are the names of those that a question may have.
var entryNames = func() (names []string) {
	for f := range reflect.TypeFor[question]().Fields() {
		names = append(names, f.Tag.Get("json"))
	}
	return names
}()
