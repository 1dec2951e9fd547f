package engine

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// TranscriptSchema is the JSON Schema of a transcript as JSON.
//
//go:embed transcript.schema.json
var TranscriptSchema []byte

// record is a Transcript as JSON has it. What a file must have is a pointer, to tell whether it does.
type record struct {
	Transcript *int              `json:"transcript"` // version of the format
	Version    string            `json:"version,omitempty"`
	Game       *string           `json:"game"`
	Seed       *Long             `json:"seed"`
	Players    []Seated          `json:"players,omitempty"`
	Tags       map[string]string `json:"tags,omitempty"`
	Comment    string            `json:"comment,omitempty"`
	Steps      *[]Step           `json:"steps"`
	Returns    []float32         `json:"returns"` // null: cut short
}

// transcriptFormat is the version of record.
const transcriptFormat = 1

// MarshalJSON writes the transcript as JSON, in one line, as transcript.schema.json has it.
func (t *Transcript) MarshalJSON() ([]byte, error) {
	format, steps := transcriptFormat, t.Steps
	if steps == nil {
		steps = []Step{}
	}
	return json.Marshal(record{
		Transcript: &format, Version: t.Version, Game: &t.Game, Seed: (*Long)(&t.Seed), Players: t.Players, Tags: t.Tags, Comment: t.Comment,
		Steps: &steps, Returns: t.Returns,
	})
}

// UnmarshalJSON reads what MarshalJSON wrote. Fields that it does not know are errors: they may change what was meant.
func (t *Transcript) UnmarshalJSON(data []byte) error {
	var r record
	var head struct{ Transcript *int }
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	if head.Transcript == nil {
		return errors.New(`the field "transcript", which has the version of the format, is missing: this is not a transcript`)
	}
	if *head.Transcript != transcriptFormat {
		return fmt.Errorf("format %d: this program reads format %d: use the release that wrote it", *head.Transcript, transcriptFormat)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return err
	}
	switch {
	case r.Game == nil || *r.Game == "":
		return errors.New(`the field "game" is missing`)
	case r.Seed == nil:
		return errors.New(`the field "seed" is missing`)
	case r.Steps == nil:
		return errors.New(`the field "steps" is missing`)
	case r.Returns != nil && len(r.Returns) == 0:
		return errors.New(`the field "returns" has none: want one for each seat, or null for a match that was cut short`)
	}
	for i, s := range *r.Steps {
		if s.Seat < Chance || s.Seat > math.MaxInt16 {
			return fmt.Errorf("step %d: seat %d: want a seat, or %d for chance", i, s.Seat, Chance)
		}
		if s.Action == "" {
			return fmt.Errorf("step %d: its action is missing", i)
		}
	}
	*t = Transcript{
		Game: *r.Game, Seed: uint64(*r.Seed), Steps: *r.Steps, Returns: r.Returns, Version: r.Version, Players: r.Players, Tags: r.Tags, Comment: r.Comment,
	}
	if len(t.Steps) == 0 {
		t.Steps = nil
	}
	return nil
}

// ReadTranscripts reads a file of JSON Lines, one transcript each, and hands them on one at a time. An error names the line; the
// transcripts before it have been handed on.
func ReadTranscripts(r io.Reader, each func(*Transcript) error) error {
	b := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := b.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("transcripts, line %d: %w", n, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			t := &Transcript{}
			if err := json.Unmarshal(line, t); err != nil {
				return fmt.Errorf("line %d: %w", n, notAJSON(err, line))
			}
			if err := each(t); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}

// notAJSON says what is wrong with a transcript as JSON.
func notAJSON(err error, data []byte) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		if syntax.Offset >= int64(len(data)) {
			return errors.New("transcript: the file was cut short")
		}
		if json.Valid(data[:syntax.Offset-1]) { // as in JSON Lines
			return fmt.Errorf("transcript, byte %d: more follows its end: of a file of several matches, give one line", syntax.Offset)
		}
		return fmt.Errorf("transcript, byte %d: %w", syntax.Offset, err)
	}
	return fmt.Errorf("transcript: %w", err)
}
