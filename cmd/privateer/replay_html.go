package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math"
	"strings"
	"text/template"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/search"
	"github.com/privateer-rl/privateer/engine/svg"
)

//go:embed replay.html
var replayPage string

var replayTemplate = template.Must(template.New("replay").Parse(replayPage))

// replayMatch is what a page of a replay reads. Pictures are lists of lines, as most lines of a picture stand in the
// next one too.
type replayMatch struct {
	Seats int          `json:"seats"`
	Lines []string     `json:"lines"`
	Views []replayView `json:"views"`
}

// replayView is a match as one view sees it: a picture before each step and one at the end.
type replayView struct {
	Name   string         `json:"name"`
	Frames [][]int        `json:"frames"` // of lines
	Steps  []replayText   `json:"steps"`
	Rounds map[string]int `json:"rounds"` // the first frame of each round, if the game has rounds

	Chances [][]float64 `json:"chances,omitempty"` // to win, by frame and seat, as the game judges standings
}

type replayText struct {
	Text string `json:"text"`
	Note string `json:"note,omitempty"`
}

// writeReplayPage writes a page on which a match can be watched: through the eyes of the view, or all of them
// if it is full.
func writeReplayPage(w io.Writer, t *engine.Transcript, view string) error {
	g, err := engine.NewGame(t.Game)
	if err != nil {
		return err
	}
	eyes, err := parseView(view, g.Info())
	if err != nil {
		return err
	}
	match := &replayMatch{Seats: g.Info().Seats}
	lines := map[string]int{}
	views := []int{eyes}
	if eyes == engine.Full {
		for seat := range g.Info().Seats {
			views = append(views, seat)
		}
	}
	for _, v := range views {
		judge, err := newJudge(g, v)
		if err != nil {
			return err
		}
		seen, err := watch(t, g.NewMatch(), judge, v, func(picture string) []int {
			var frame []int
			for _, line := range strings.Split(strings.TrimSuffix(picture, "\n"), "\n") {
				n, known := lines[line]
				if !known {
					n = len(match.Lines)
					match.Lines, lines[line] = append(match.Lines, line), n
				}
				frame = append(frame, n)
			}
			return frame
		})
		if err != nil {
			return err
		}
		match.Views = append(match.Views, *seen)
	}
	data, err := packed(match)
	if err != nil {
		return err
	}
	stated, _, err := engine.Given(t.Game)
	if err != nil {
		return err
	}
	return replayTemplate.Execute(w, struct {
		Title, Data, Style string
	}{html.EscapeString(stated), data, svg.Style})
}

// watch replays a match for one view. earlier is a match of the game; frame keeps a picture.
func watch(t *engine.Transcript, earlier engine.Match, judge *judge, view int, frame func(picture string) []int) (*replayView, error) {
	seen := &replayView{Name: engine.ViewName(view), Steps: []replayText{}, Rounds: map[string]int{}}
	look := func(m engine.Match) error {
		if n := len(seen.Frames); n > 0 {
			if told, _ := engine.Tell(earlier, m, view); len(told) > 0 {
				seen.Steps[n-1] = replayText{Text: strings.Join(told, " "), Note: seen.Steps[n-1].Text}
			}
		}
		earlier.CopyFrom(m)
		picture, err := engine.Picture(m, view)
		if err != nil {
			return err
		}
		if round, ok := roundOf(m, view); ok {
			if _, known := seen.Rounds[round]; !known {
				seen.Rounds[round] = len(seen.Frames)
			}
		}
		seen.Frames = append(seen.Frames, frame(picture))
		if judge != nil {
			seen.Chances = append(seen.Chances, judge.chances(m))
		}
		return nil
	}
	m, err := replayFor(t, view, func(m engine.Match, action string) error {
		decision := m.Decision()
		if err := look(m); err != nil {
			return err
		}
		seen.Steps = append(seen.Steps, replayText{Text: decision + " → " + action})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return seen, look(m)
}

// judge says what a match looks like to a view: the mean of the game's judgement over worlds that agree with what
// the view knows.
type judge struct {
	value search.Value
	view  int
	world engine.Match
	seats int
}

// worldsJudged is how many worlds a seat's view is judged by.
const worldsJudged = 16

// newJudge makes one; nil if the game does not judge standings.
func newJudge(g engine.Game, view int) (*judge, error) {
	told := search.Of(g)
	if told.Value == nil {
		return nil, nil
	}
	value, err := told.Value(g)
	if err != nil || value == nil {
		return nil, err
	}
	return &judge{value, view, g.NewMatch(), g.Info().Seats}, nil
}

// chances are each seat's, to three digits.
func (j *judge) chances(m engine.Match) []float64 {
	worlds, mean, one := worldsJudged, make([]float64, j.seats), make([]float64, j.seats)
	if m.Seat() == engine.Over {
		returns := make([]float32, j.seats)
		m.Returns(returns)
		for seat := range mean {
			mean[seat] = engine.Won(m, returns, seat)
		}
		return mean
	}
	if j.view == engine.Full {
		worlds = 1
	}
	for k := range worlds {
		j.world.CopyFrom(m)
		if j.view != engine.Full {
			r := engine.NewRand(uint64(k))
			j.world.Redeal(j.view, &r)
		}
		j.value.Value(j.world, one)
		for seat, p := range one {
			mean[seat] += p / float64(worlds)
		}
	}
	for seat := range mean {
		mean[seat] = math.Round(float64(1000*mean[seat])) / 1000
	}
	return mean
}

// roundOf is the round of a match, if its positions have one.
func roundOf(m engine.Match, view int) (string, bool) {
	data, err := m.Position(view)
	if err != nil {
		return "", false
	}
	var p struct {
		Round *int `json:"round"`
	}
	if json.Unmarshal(data, &p) != nil || p.Round == nil {
		return "", false
	}
	return fmt.Sprint(*p.Round), true
}

// packed is a match as gzipped JSON in base64.
func packed(match *replayMatch) (string, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	enc := json.NewEncoder(z)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(match); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
