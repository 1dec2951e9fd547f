package env

import (
	"fmt"
	"path/filepath"

	"github.com/privateer-rl/privateer/engine"
)

// Record says which matches are recorded, and who gets them.
type Record struct {
	Share float64 // of all matches, 0 to 1; which ones depends only on their seeds
	// Sink is called during the call that shows a match's end, in the order of the
	// rows, on the caller's goroutine. Its error is returned by that call, whose step has been made.
	Sink func(Recorded) error
}

// Recorded is a match that has ended.
type Recorded struct {
	Row        int
	Episode    int64
	Players    []int32 // [P] which player had each seat
	Truncated  bool    // cut short, by Config.MaxDecisions or a limit of the game string
	Transcript *engine.Transcript
}

// SaveTranscripts returns a sink that writes each match to a file of its own in a
// folder that exists, named by row and episode: env-00003-episode-00000017.txt.
func SaveTranscripts(dir string) func(Recorded) error {
	return func(r Recorded) error {
		return r.Transcript.Save(filepath.Join(dir, fmt.Sprintf("env-%05d-episode-%08d.txt", r.Row, r.Episode)))
	}
}

// recording is the record of a row.
type recording struct {
	recordedMatch                 // the match being played
	on            bool            // it is one of those that are recorded
	ended         []recordedMatch // since the last call
}

// recordedMatch is one match of a recording.
type recordedMatch struct {
	seed    uint64
	steps   []recordedStep
	end     int64     // 0 while it is being played; 1: over; 2: cut short
	episode int64     // the rest is for those that have ended
	players []int32   // [P]
	returns []float32 // [P]
}

const (
	recordedOver = 1
	recordedCut  = 2
)

// recordedStep is a decision that is recorded.
type recordedStep struct {
	seat   int16
	action int16
}

// recordStream is the child stream of an episode's seed that says whether it is recorded.
const recordStream = 0x74617065 // "tape"

func (t *recording) begin(seed uint64, share float64) {
	draw := engine.NewRand(seed).At(recordStream)
	t.on, t.recordedMatch = draw.Float64() < share, recordedMatch{seed: seed, steps: t.steps[:0]}
}

func (t *recording) add(seat int32, a engine.Action) {
	if t.on {
		t.steps = append(t.steps, recordedStep{int16(seat), int16(a)})
	}
}

// keep ends the recording of the match in row i.
func (v *Vec) keep(i int, by ending, returns []float32) {
	t, p := &v.recordings[i], v.wide.seats
	if !t.on {
		return
	}
	r := t.recordedMatch
	if r.end = recordedCut; by == byRules {
		r.end = recordedOver
	}
	r.episode = v.rows[i].episode
	r.steps = append([]recordedStep{}, r.steps...)
	r.players = append([]int32{}, v.batch.Players[i*p:(i+1)*p]...)
	r.returns = append([]float32{}, returns...)
	t.ended = append(t.ended, r)
}

// deliver hands over what was recorded in the rows from ≤ i < to.
func (v *Vec) deliver(from, to int) error {
	if v.recordings == nil {
		return nil
	}
	for i := from; i < to; i++ {
		if err := v.deliverRow(i); err != nil {
			return err
		}
	}
	return nil
}

func (v *Vec) deliverRow(i int) error {
	t := &v.recordings[i]
	for k := range t.ended {
		r := &t.ended[k]
		if err := v.cfg.Record.Sink(v.recorded(i, r)); err != nil {
			err = fmt.Errorf("env: keep the transcript of row %d, episode %d: %w", i, r.episode, err)
			t.ended = t.ended[k+1:]
			return err
		}
	}
	t.ended = t.ended[:0]
	return nil
}

func (v *Vec) recorded(i int, r *recordedMatch) Recorded {
	text := &engine.Transcript{Game: v.info.Config, Seed: r.seed, Steps: make([]engine.Step, len(r.steps))}
	for k, s := range r.steps {
		text.Steps[k] = engine.Step{Seat: int(s.seat), Action: v.info.ActionName(engine.Action(s.action))}
	}
	if r.end == recordedOver {
		text.Returns = r.returns
	}
	return Recorded{Row: i, Episode: r.episode, Players: r.players, Truncated: r.end == recordedCut, Transcript: text}
}
