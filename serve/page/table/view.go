package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/serve/page/replay"
)

// What View.Turn says.
const (
	You  = "you"
	Wait = "wait"
	Done = "over"
)

// View is the match as a person's seat sees it, with the log from line told on. While others may be asked in secret, it is
// as the seat saw it last.
func (t *Table) View(seat, told int, friendly bool) (*View, error) {
	info := t.game.Info()
	seen := t.eyes[seat].Seen(t.match)
	picture, err := engine.Picture(seen, seat)
	if err != nil {
		return nil, err
	}
	v := &View{
		Is: "view", Game: info.Config, Title: info.Game, Seat: seat, Players: t.names(), Friendly: friendly,
		Picture: bare(picture),
		Told:    min(told, len(t.logs[seat])), Log: []string{},
		Turn: Wait, Decision: t.Next(seat), Undo: friendly && !t.Over() && t.last(seat) > 0, Scores: scores(seen, seat),
	}
	if d, err := engine.Lookup(info.Game); err == nil {
		v.Title = strings.TrimSpace(d.Title[:strings.IndexAny(d.Title+":", ":(")])
	}
	v.Log = append(v.Log, t.logs[seat][v.Told:]...)
	switch t.match.Seat() {
	case engine.Over:
		v.Turn, v.End = Done, t.end(seat)
	case seat:
		v.Turn, v.Question, v.Actions = You, t.match.Decision(), t.choices()
	}
	return v, nil
}

// names are who sits where.
func (t *Table) names() []string {
	names := make([]string, len(t.players))
	for seat, p := range t.players {
		names[seat] = p.Name
	}
	return names
}

// choices are what the seat that is asked may choose.
func (t *Table) choices() []Choice {
	var all []Choice
	legal, info := t.match.Legal(), t.game.Info()
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		mark, label := engine.Point(t.match, a)
		all = append(all, Choice{int(a), info.ActionName(a), label, mark})
	}
	return all
}

// scores are the seats' points as a view of a match knows them, nil if the game has none.
func scores(m engine.Match, view int) []int32 {
	sources := make([]int32, len(m.Info().ScoreSources))
	if len(sources) == 0 {
		return nil
	}
	all := make([]int32, m.Info().Seats)
	for seat := range all {
		m.Scores(view, seat, sources)
		for _, points := range sources {
			all[seat] += points
		}
	}
	return all
}

// end is how the match has ended.
func (t *Table) end(seat int) *End {
	info := t.game.Info()
	e := &End{Returns: make([]float32, info.Seats), Sources: info.ScoreSources}
	t.match.Returns(e.Returns)
	if len(info.ScoreSources) > 0 {
		for seat := range info.Seats {
			scores := make([]int32, len(info.ScoreSources))
			t.match.Scores(engine.Full, seat, scores)
			e.Scores = append(e.Scores, scores)
		}
	}
	e.Verdict = t.verdict(seat, e.Returns)
	return e
}

func (t *Table) verdict(seat int, returns []float32) string {
	if limit, _ := t.match.Truncated(); limit != "" {
		return limit + " has ended the match, not the rules: nobody has won"
	}
	switch share := engine.WinShare(returns, seat); {
	case share == 0:
		return "you lost"
	case share < 1:
		return "you share the win"
	}
	return "you won"
}

// Choose performs an action of a person's decision, by its number. One that has been performed already may be sent
// again.
func (t *Table) Choose(seat, decision int, a engine.Action) error {
	now := t.Next(seat)
	did, stands := t.Decided(seat, decision)
	switch {
	case stands && did == a:
		return nil
	case t.Over():
		return errors.New("the match is over")
	case decision != now || t.match.Seat() != seat:
		return fmt.Errorf("this is not what is asked now: %w", ErrTurn)
	}
	return t.Take(seat, a)
}

// TakeBack is Undo for what was asked by its number: that of the decision to be taken back, or the next.
func (t *Table) TakeBack(seat, decision int) error {
	last := t.last(seat)
	switch {
	case t.Over():
		return errors.New("the match is over")
	case last == 0:
		return errors.New("there is no decision of yours to take back")
	case decision != t.Next(seat) && decision != last:
		return errors.New("the match has gone on since")
	}
	t.Undo(seat)
	return nil
}

// Question is a person's decision that a bot is asked about. It is apart from the table, as a Turn is.
type Question struct {
	decision int
	match    engine.Match
}

// Question is what a seat is asked.
func (t *Table) Question(seat int) (*Question, error) {
	if t.match.Seat() != seat {
		return nil, ErrTurn
	}
	q := &Question{t.Next(seat), t.game.NewMatch()}
	q.match.CopyFrom(t.match)
	return q, nil
}

// Think asks a bot about it, until ctx ends.
func (q *Question) Think(ctx context.Context, b bots.Bot) (*Thought, error) {
	r := engine.NewRand(uint64(q.decision)) // not the match's, and the same if it is asked again
	account, err := bots.Consider(ctx, b, q.match, &r)
	if err != nil {
		return nil, err
	}
	return &Thought{"thought", q.decision, replay.Told(b, q.match, account)}, nil
}

// Save is the transcript of a match that is over.
func (t *Table) Save() (*Saved, error) {
	if !t.Over() {
		return nil, errors.New("the match is under way: its transcript has the seed, from which all hands follow, so it can be saved when the match is over")
	}
	var b bytes.Buffer
	if err := t.Transcript().Write(&b, nil); err != nil {
		return nil, err
	}
	return &Saved{"saved", fmt.Sprintf("%s_%d.txt", t.game.Info().Game, t.seed), b.String()}, nil
}
