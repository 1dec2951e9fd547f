package engine

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/privateer-rl/privateer/engine/durable"
)

// Transcript is the record of a match, and enough to replay it exactly: configuration, seed and the
// actions of the decisions that were asked (forced moves are not, unless the configuration shows
// them; chance is only with chance=explicit).
//
// As JSON, one line a match, it has everything ([Transcript.MarshalJSON], transcript.schema.json). As text, which is for people and for files
// that are compared, it has what replays it ([Transcript.Write]). [ReadTranscript] reads both.
type Transcript struct {
	Game    string
	Seed    uint64
	Steps   []Step
	Returns []float32 // at the end; nil for a match that was cut short

	// What follows is for information only: nothing depends on it, and it may be missing.
	Version string            // of the program that wrote it
	Players []Seated          // by seat
	Tags    map[string]string // of the writer's own: event, date, site …
	Comment string            // on the whole
}

// Step is one decision.
type Step struct {
	Seat    int    `json:"seat"` // Chance for an outcome
	Action  string `json:"action"`
	Comment string `json:"comment,omitempty"`
}

// Seated is the player of a seat.
type Seated struct {
	Name   string `json:"name"`
	Digest string `json:"digest,omitempty"` // of a policy's bundle
	Faults int    `json:"faults,omitempty"` // answers that were late or none, of a player that is another program
}

// Record appends the decision that m is about to take.
func (t *Transcript) Record(m Match, a Action) {
	t.Steps = append(t.Steps, Step{Seat: m.Seat(), Action: m.Info().ActionName(a)})
}

const (
	transcriptKind = "privateer transcript "
	transcriptHead = transcriptKind + "1"
)

// Write writes the transcript as text: a header, one decision a line, and a
// last line with the returns. notes, if not nil, is asked for lines of comment after
// step i (i = −1: before the first). Those of the transcript itself come before them; players and tags are left out.
func (t *Transcript) Write(w io.Writer, notes func(i int) []string) error {
	b := bufio.NewWriter(w)
	comment := func(i int, own string) {
		for line := range strings.Lines(own) {
			fmt.Fprintf(b, "#   %s\n", strings.TrimRight(line, "\r\n"))
		}
		if notes == nil {
			return
		}
		for _, n := range notes(i) {
			fmt.Fprintf(b, "#   %s\n", n)
		}
	}
	fmt.Fprintf(b, "%s\ngame: %s\nseed: %d\n", transcriptHead, t.Game, t.Seed)
	comment(-1, t.Comment)
	for i, s := range t.Steps {
		who := "chance"
		if s.Seat >= 0 {
			who = strconv.Itoa(s.Seat)
		}
		fmt.Fprintf(b, "%s %s\n", who, s.Action)
		comment(i, s.Comment)
	}
	b.WriteString("end:")
	if t.Returns == nil {
		b.WriteString(" unfinished")
	}
	for _, r := range t.Returns {
		b.WriteString(" " + strconv.FormatFloat(float64(r), 'g', -1, 32))
	}
	b.WriteString("\n")
	return b.Flush()
}

// Save writes the transcript to a file, whole or not at all: as a line of JSON if its name ends in .json or .jsonl, else as text.
func (t *Transcript) Save(path string) error {
	if strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".jsonl") {
		line, err := json.Marshal(t)
		if err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		return durable.WriteFile(path, line, []byte("\n"))
	}
	var b bytes.Buffer
	if err := t.Write(&b, nil); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return durable.WriteFile(path, b.Bytes())
}

// ReadTranscript parses what Write wrote, or a transcript as JSON. Comments and empty lines of text are
// skipped. A file without its last line is an error: it was cut short.
func ReadTranscript(r io.Reader) (*Transcript, error) {
	t := &Transcript{}
	data, err := io.ReadAll(r)
	if err == nil {
		data, err = durable.Text(data)
	}
	if err != nil {
		return nil, fmt.Errorf("transcript: %w", err)
	}
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		if err := json.Unmarshal(data, t); err != nil {
			return nil, notAJSON(err, data)
		}
		return t, nil
	}
	sc := bufio.NewScanner(bytes.NewReader(data))
	n, ended := 0, false
	bad := func(format string, args ...any) error {
		return fmt.Errorf("transcript, line %d: %s", n, fmt.Sprintf(format, args...))
	}
	var head, seed bool
	for sc.Scan() {
		n++
		line := strings.TrimSpace(sc.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		switch {
		case !head:
			if line != transcriptHead {
				if strings.HasPrefix(line, transcriptKind) {
					return nil, bad("%.40q: this program reads %q: use the release that wrote it", line, transcriptHead)
				}
				return nil, bad("want %q: this is not a transcript", transcriptHead)
			}
			head = true
		case ended:
			return nil, bad("text after the end")
		case strings.HasPrefix(line, "game:"):
			t.Game = strings.TrimSpace(line[len("game:"):])
		case strings.HasPrefix(line, "seed:"):
			v, err := strconv.ParseUint(strings.TrimSpace(line[len("seed:"):]), 10, 64)
			if err != nil {
				return nil, bad("seed: want a whole number from 0 to 2^64−1")
			}
			t.Seed, seed = v, true
		case strings.HasPrefix(line, "end:"):
			ended = true
			fields := strings.Fields(line[len("end:"):])
			if len(fields) == 1 && fields[0] == "unfinished" {
				continue
			}
			for _, f := range fields {
				v, err := strconv.ParseFloat(f, 32)
				if err != nil {
					return nil, bad("end: %q is not a number", f)
				}
				t.Returns = append(t.Returns, float32(v))
			}
			if t.Returns == nil {
				return nil, bad("end: want the returns, or the word unfinished")
			}
		default:
			who, action, ok := strings.Cut(line, " ")
			seat := Chance
			if ok && who != "chance" {
				v, err := strconv.Atoi(who)
				ok = err == nil && v >= 0
				seat = v
			}
			if !ok {
				return nil, bad("want a seat (or the word chance) and an action, have %q", line)
			}
			t.Steps = append(t.Steps, Step{Seat: seat, Action: strings.TrimSpace(action)})
		}
	}
	if err := sc.Err(); errors.Is(err, bufio.ErrTooLong) {
		n++
		return nil, bad("longer than %d bytes: no step is so long", bufio.MaxScanTokenSize)
	} else if err != nil {
		return nil, fmt.Errorf("transcript: %w", err)
	}
	switch {
	case !head:
		return nil, fmt.Errorf("transcript: there is nothing in it: want %q as its first line", transcriptHead)
	case t.Game == "":
		return nil, errors.New(`transcript: the line "game:" is missing`)
	case !seed:
		return nil, errors.New(`transcript: the line "seed:" is missing`)
	case !ended:
		return nil, errors.New("transcript: the end line is missing: the file was cut short")
	}
	return t, nil
}

// Replay plays the transcript on a new match and calls before with every step,
// before taking it. It checks seats, legality and, if the transcript has them, the returns.
func (t *Transcript) Replay(before func(m Match, i int, a Action) error) (Match, error) {
	g, err := NewGame(t.Game)
	if err != nil {
		return nil, fmt.Errorf("transcript: %w", err)
	}
	if n := len(t.Players); n > 0 && n != g.Info().Seats {
		return nil, fmt.Errorf("transcript: %d players, and %s has %d seats", n, t.Game, g.Info().Seats)
	}
	m := g.NewMatch()
	Listen(m) // so that what happens before the first step is told too
	m.Reset(t.Seed)
	for i, s := range t.Steps {
		a, err := g.Info().ParseAction(s.Action)
		if err != nil {
			return m, fmt.Errorf("transcript, step %d: %w", i, err)
		}
		if m.Seat() != s.Seat {
			return m, fmt.Errorf("transcript, step %d: the transcript has %s, but %s is to act: the rules or the seed have changed", i, SeatName(s.Seat), SeatName(m.Seat()))
		}
		if before != nil {
			if err := before(m, i, a); err != nil {
				return m, err
			}
		}
		if err := m.Apply(a); err != nil {
			return m, fmt.Errorf("transcript, step %d: %w", i, err)
		}
	}
	if t.Returns == nil {
		return m, nil
	}
	if m.Seat() != Over {
		return m, fmt.Errorf("transcript: its end has returns, but the match is not over after %d steps", len(t.Steps))
	}
	got := make([]float32, g.Info().Seats)
	m.Returns(got)
	for i := range got {
		if len(t.Returns) != len(got) || got[i] != t.Returns[i] {
			return m, fmt.Errorf("transcript: returns %v; replay gives %v", t.Returns, got)
		}
	}
	return m, nil
}

// ReplayFor replays the transcript and shows each step that seat view, or Full, sees before it is taken, with the action's
// name, "?" if it is face down to it.
func (t *Transcript) ReplayFor(view int, see func(m Match, action string) error) (Match, error) {
	m, err := t.Replay(func(m Match, _ int, a Action) error {
		switch m.Sight(view, a) {
		case Open:
			return see(m, m.Info().ActionName(a))
		case Unseen:
			return nil
		}
		return see(m, "?")
	})
	if err != nil && view != Full {
		return nil, errHidden
	}
	return m, err
}

// errHidden says no more of what is wrong with a transcript: why may be what another seat holds, its
// legal actions, or that it is asked at all.
var errHidden = errors.New("the transcript does not agree with the rules of this program: --view full says where")
