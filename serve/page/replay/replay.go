// Package replay makes a match that is over, or cut short, something to watch: pictures, words and chances to win, step
// by step. The page to play on and the pages that `privateer replay --html` writes show it.
package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/search"
)

// Match is what the page reads. Pictures are lists of lines, as most lines of a picture stand in the
// next one too.
type Match struct {
	Seats int      `json:"seats"`
	Lines []string `json:"lines"`
	Views []View   `json:"views"`
}

// View is a match as one view sees it: a picture before each step and one at the end.
type View struct {
	Name   string         `json:"name"`
	Frames [][]int        `json:"frames,omitempty"` // of lines; none: nobody has asked for this view yet
	Steps  []Text         `json:"steps"`
	Rounds map[string]int `json:"rounds"` // the first frame of each round, if the game has rounds

	Chances [][]float64 `json:"chances,omitempty"` // to win, by frame and seat, as the game evaluates standings
}

// Text is what a step was, in words.
type Text struct {
	Text string `json:"text"`
	Note string `json:"note,omitempty"`

	Taken   int      `json:"taken,omitempty"`   // the action, if …
	Thought *Thought `json:"thought,omitempty"` // … this says what a bot would have done
}

// Of makes it of a transcript, with each of the views given: seats, and engine.Full. drawn is what to keep of
// each picture. bot, if there is one, is asked what it thinks about each decision; a seat's view has that of its own decisions alone,
// because the thought follows from what the seat holds that decides. A view of a long match takes seconds: the end of the context is the error.
func Of(ctx context.Context, t *engine.Transcript, views []int, bot bots.Bot, drawn func(picture string) string) (*Match, error) {
	g, err := engine.NewGame(t.Game)
	if err != nil {
		return nil, err
	}
	match := &Match{Seats: g.Info().Seats}
	lines := map[string]int{}
	think := adviser(bot)
	for _, v := range views {
		evaluator, err := newEvaluator(g, v)
		if err != nil {
			return nil, err
		}
		seen, err := watch(ctx, t, engine.NewWitness(g, v), evaluator, v, think, func(picture string) []int {
			var frame []int
			for _, line := range strings.Split(strings.TrimSuffix(drawn(picture), "\n"), "\n") {
				n, known := lines[line]
				if !known {
					n = len(match.Lines)
					match.Lines, lines[line] = append(match.Lines, line), n
				}
				frame = append(frame, n)
			}
			return frame
		})
		if over := context.Cause(ctx); over != nil {
			return nil, over
		}
		if err != nil {
			return nil, err
		}
		match.Views = append(match.Views, *seen)
	}
	return match, nil
}

// adviser makes what a step is told with by a bot; nil without one. A decision that several views see is thought about once.
func adviser(bot bots.Bot) func(m engine.Match, number int) *Thought {
	if bot == nil {
		return nil
	}
	type decision struct{ seat, number int }
	had := map[decision]*Thought{}
	return func(m engine.Match, number int) *Thought {
		d := decision{m.Seat(), number}
		if had[d] == nil {
			r := engine.NewRand(uint64(number)) // not the match's
			had[d] = Think(bot, m, &r)
		}
		return had[d]
	}
}

// watch replays a match for one view, whose eyes have seen nothing; think, unless it is nil, has a bot's thought about a seat's
// decision of a number; frame keeps a picture. A step that is taken where the view could not see that anybody was asked has the
// picture before it that the view saw last, and what came of the steps before is told when it sees again.
func watch(ctx context.Context, t *engine.Transcript, eyes *engine.Witness, evaluator *evaluator, view int, think func(m engine.Match, number int) *Thought, frame func(picture string) []int) (*View, error) {
	seen, decided := &View{Name: engine.ViewName(view), Steps: []Text{}, Rounds: map[string]int{}}, map[int]int{}
	look := func(m engine.Match) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if n := len(seen.Frames); n == 0 {
			eyes.Begin(m)
		} else if now, sees := eyes.See(m); !sees {
			seen.Frames = append(seen.Frames, seen.Frames[n-1])
			if evaluator != nil {
				seen.Chances = append(seen.Chances, seen.Chances[n-1])
			}
			return nil
		} else if len(now.Told) > 0 {
			last := &seen.Steps[n-1]
			last.Text, last.Note = now.Line, last.Text
		}
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
		if evaluator != nil {
			seen.Chances = append(seen.Chances, evaluator.chances(m))
		}
		return nil
	}
	m, err := t.ReplayFor(view, func(m engine.Match, action string) error {
		decision := m.Decision()
		if err := look(m); err != nil {
			return err
		}
		step := Text{Text: decision + " → " + action}
		if seat := m.Seat(); think != nil && seat >= 0 && (view == engine.Full || view == seat) {
			taken, err := m.Info().ParseAction(action)
			if err != nil {
				return err
			}
			decided[seat]++
			step.Taken, step.Thought = int(taken), think(m, decided[seat])
		}
		seen.Steps = append(seen.Steps, step)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return seen, look(m)
}

// evaluator says what a match looks like to a view: the mean of the game's evaluation over worlds that agree with what
// the view knows.
type evaluator struct {
	value search.Value
	view  int
	world engine.Match
	seats int
}

// worldsEvaluated is how many worlds a seat's view is evaluated by.
const worldsEvaluated = 16

// newEvaluator makes one; nil if the game does not evaluate standings.
func newEvaluator(g engine.Game, view int) (*evaluator, error) {
	told := search.Of(g)
	if told.Value == nil {
		return nil, nil
	}
	value, err := told.Value(g)
	if err != nil || value == nil {
		return nil, err
	}
	return &evaluator{value, view, g.NewMatch(), g.Info().Seats}, nil
}

// chances are each seat's, to three digits.
func (j *evaluator) chances(m engine.Match) []float64 {
	worlds, mean, one := worldsEvaluated, make([]float64, j.seats), make([]float64, j.seats)
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

// AllViews lists the views of a game: the full view, then each seat's.
func AllViews(g engine.Game) []int {
	views := []int{engine.Full}
	for seat := range g.Info().Seats {
		views = append(views, seat)
	}
	return views
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
