package child

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/prompt"
)

// Protocol is the version of the protocol. It changes when a program that speaks it would not understand another.
const Protocol = 1

// greeting is the first line that a process gets.
type greeting struct {
	Type     string       `json:"type"` // hello
	Protocol int          `json:"protocol"`
	Seat     int          `json:"seat"` // the process's, in all its matches
	MS       int64        `json:"ms"`   // for a decision
	Game     *encode.Spec `json:"game"`
}

// reply is the first line that a process says.
type reply struct {
	Type     string   `json:"type"` // hello
	Protocol int      `json:"protocol"`
	Name     string   `json:"name"`  // for people
	Wants    []string `json:"wants"` // some of wanted
}

// Optional parts of each question to a process.
const (
	wantsObservation = "observation" // what the seat sees, as a network reads it
	wantsRows        = "rows"        // the legal actions, as a network reads them
)

// question is the beginning of every question to a process.
type question struct {
	Type  string `json:"type"` // decide
	ID    int    `json:"id"`   // of this question; it grows
	Match int    `json:"match"`
	Seat  int    `json:"seat"`
	MS    int64  `json:"ms"`              // that are left for the answer
	Error string `json:"error,omitempty"` // what was wrong with the last answer, if the same is asked again
}

// decision is a question to a process.
type decision struct {
	question
	Legal       []prompt.Choice `json:"legal"`
	Question    string          `json:"question"`
	Log         []string        `json:"log"`    // in words, a line a moment
	Events      []any           `json:"events"` // the same, event by event
	Position    json.RawMessage `json:"position"`
	Observation []int           `json:"observation,omitempty"`
	Rows        [][]int         `json:"rows,omitempty"`
}

// wordedDecision is what a process is asked that is asked in words.
type wordedDecision struct {
	question
	Prompt string `json:"prompt"` // which has the error as well
}

// answer is a process's answer.
type answer struct {
	ID     *int            `json:"id"`
	Seat   *int            `json:"seat"`   // may be left out
	Action json.RawMessage `json:"action"` // nil if it is asked in words
	Text   *string         `json:"text"`   // nil if it is not
}

// encodeLine is a message as a line.
func encodeLine(message any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(message)
	return b.Bytes(), err
}

// readReply reads the hello of a process.
func readReply(line []byte) (reply, error) {
	var r reply
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf(`%s is no hello: want {"type":"hello","protocol":%d}`, quoted(string(bytes.TrimSpace(line))), Protocol)
	}
	switch {
	case r.Type != "hello":
		return r, fmt.Errorf(`%s has no "type":"hello", which comes first`, quoted(string(bytes.TrimSpace(line))))
	case r.Protocol != Protocol:
		return r, fmt.Errorf("it speaks version %d of the protocol: want %d", r.Protocol, Protocol)
	}
	for _, w := range r.Wants {
		if w != wantsObservation && w != wantsRows {
			return r, fmt.Errorf("it wants %s: there are %s and %s", quoted(w), wantsObservation, wantsRows)
		}
	}
	return r, nil
}

// readAnswer reads a line as an answer: its question and its action, which is a number or a name, or if it was asked in words its text.
func readAnswer(line []byte, text bool) (answer, error) {
	var a answer
	err := json.Unmarshal(line, &a)
	want := "action"
	if text {
		want = "text"
	}
	switch {
	case err != nil:
	case a.ID == nil:
		err = errors.New(`it has no "id"`)
	case a.Action == nil && !text, a.Text == nil && text:
		err = fmt.Errorf("it has no %q", want)
	}
	if err != nil {
		return a, fmt.Errorf(`%s is no answer: want {"id":…,"%s":…} (%w)`, quoted(string(bytes.TrimSpace(line))), want, err)
	}
	if !text {
		a.Text = nil
	}
	return a, nil
}

// action is the answer's choice in a match.
func (a *answer) action(m engine.Match) (engine.Action, error) {
	if a.Seat != nil && *a.Seat != m.Seat() {
		return 0, fmt.Errorf("it answers for seat %d: this one is seat %d", *a.Seat, m.Seat())
	}
	if a.Text != nil {
		return prompt.Read(m, *a.Text)
	}
	var name string
	var chosen engine.Action
	if json.Unmarshal(a.Action, &name) == nil && a.Action[0] == '"' {
		found, err := m.Info().ParseAction(name)
		if err != nil {
			return 0, fmt.Errorf("there is no action %s: legal lists the actions", quoted(name))
		}
		chosen = found
	} else if err := json.Unmarshal(a.Action, &chosen); err != nil || a.Action[0] == 'n' {
		return 0, fmt.Errorf("action %s: want a number or a name", quoted(string(a.Action)))
	}
	if !m.Legal().Has(chosen) {
		return 0, fmt.Errorf("action %s is not legal: %s", quoted(m.Info().ActionName(chosen)), m.Decision())
	}
	return chosen, nil
}
