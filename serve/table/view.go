package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/serve/version"
)

// Values of View.Turn.
const (
	You  = "you"
	Wait = "wait"
	Done = "over"
)

// view is the news for the page, or nil if there are none; later events are in the next view. That its seat has decided is a view
// of its own, in which all else is as it was: what comes of it may not be for it to see yet, as others may be asked in secret, and
// whether they are is nothing to see at all. With repeat the view is whole, as for a page that knows nothing. moved is closed when there may be
// more, and fault is why a bot has not decided.
func (p *Page) view(repeat bool) (view *View, moved <-chan struct{}, fault, err error) {
	t := p.table
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.use(); err != nil {
		return nil, nil, nil, err
	}
	if log := Lines(t.logs[p.seat]); repeat || len(log) < len(p.log) || !slices.Equal(p.log, log[:len(p.log)]) {
		p.log, p.last = nil, nil
	}
	if now := t.next[p.seat]; p.last != nil && p.last.Turn == You && now > p.last.Decision {
		v := *p.last
		v.Told, v.Log, v.Turn, v.Decision, v.Question, v.Actions, v.Undo = len(p.log), []string{}, Wait, now, "", nil, t.Friendly
		p.last = &v
		return &v, t.moved, t.fault, nil
	}
	v, err := t.view(p.seat, len(p.log))
	if err != nil {
		return nil, nil, nil, err
	}
	if p.last != nil && len(v.Log) == 0 && v.Turn == p.last.Turn && v.Decision == p.last.Decision && v.Picture == p.last.Picture {
		return nil, t.moved, t.fault, nil
	}
	p.log, p.last = append(p.log, v.Log...), v
	return v, t.moved, t.fault, nil
}

// view is the match as a person's seat sees it, with the log from line told on. While others may be asked in secret, it is
// as the seat saw it last.
func (t *Table) view(seat, told int) (*View, error) {
	info := t.game.Info()
	seen := t.eyes[seat].Seen(t.match)
	picture, err := engine.Picture(seen, seat)
	if err != nil {
		return nil, err
	}
	v := &View{
		Is: "view", Game: info.Config, Title: info.Game, Seat: seat, Players: t.names(), Friendly: t.Friendly,
		Picture: bare(picture), Told: told, Log: Lines(t.logs[seat])[told:],
		Turn: Wait, Decision: t.next[seat], Undo: t.Friendly && !t.over() && t.last(seat) >= 0, Scores: scores(seen, seat),
	}
	if d, err := engine.Lookup(info.Game); err == nil {
		v.Title = strings.TrimSpace(d.Title[:strings.IndexAny(d.Title+":", ":(")])
	}
	switch t.match.Seat() {
	case engine.Over:
		v.Turn, v.End = Done, t.ending(seat)
	case seat:
		v.Turn, v.Question, v.Actions = You, t.match.Decision(), t.choices()
	}
	return v, nil
}

// Lines returns the lines of a log. Not all moments have one.
func Lines(log []engine.Moment) []string {
	lines := []string{}
	for _, m := range log {
		if m.Line != "" {
			lines = append(lines, m.Line)
		}
	}
	return lines
}

// names are the names of the players, by seat.
func (t *Table) names() []string {
	names := make([]string, len(t.players))
	for seat, p := range t.players {
		names[seat] = p.Name
	}
	return names
}

// choices are the choices of the seat that is asked.
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

// ending is the result of the match.
func (t *Table) ending(seat int) *End {
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
	e.Verdict = Verdict(t.match, seat)
	return e
}

// Verdict is how a match that is over ended for a seat.
func Verdict(m engine.Match, seat int) string {
	returns := make([]float32, m.Info().Seats)
	m.Returns(returns)
	if limit, _ := m.Truncated(); limit != "" {
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

// Question is a copy of the match, for a bot that is asked about a seat's decision and thinks while others use the table; and the
// decision's number.
func (t *Table) Question(seat int) (m engine.Match, decision int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.use(); err != nil {
		return nil, 0, err
	}
	if t.match.Seat() != seat {
		return nil, 0, ErrTurn
	}
	m = t.game.NewMatch()
	m.CopyFrom(t.match)
	return m, t.next[seat], nil
}

// Save is the transcript of a match that is over.
func (t *Table) Save() (*Saved, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.use(); err != nil {
		return nil, err
	}
	if !t.over() {
		return nil, errors.New("the match is under way: its transcript has the seed, from which all hands follow, so it can be saved when the match is over")
	}
	record := t.transcript()
	record.Version, _ = version.Build()
	line, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	return &Saved{"saved", fmt.Sprintf("%s_%d.json", t.game.Info().Game, t.seed), string(line) + "\n"}, nil
}
