package benchmark

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
	"github.com/privateer-rl/privateer/env/measure/response"
)

// Result is what a player has done at tasks. The same player, tasks and program make the same JSON, byte for byte, on any machine and by any
// number of goroutines and shards, if the player's decisions can be reproduced.
type Result struct {
	Privateer string `json:"privateer"` // version of the program
	Player    string `json:"player"`
	Digest    string `json:"digest,omitempty"` // of its bundle

	// Quick results are of a tenth of the matches. They are no scores of the tasks.
	Quick bool `json:"quick,omitempty"`
	// Pool says that opponents were added or replaced: scores are not those of the tasks then.
	Pool bool `json:"pool,omitempty"`
	// Reproducible says that the player decided alike when it was asked twice. Programs, and searches by time, are not asked to.
	Reproducible bool `json:"reproducible"`

	Games []Game   `json:"games"`
	Tasks []Scored `json:"tasks"`
}

// Game is the score of a game: the mean of its tasks with opponents or, where it has none, of those that are exact.
type Game struct {
	Game  string           `json:"game"`
	Score measure.Estimate `json:"score"`
	Tasks int              `json:"tasks"` // of which it is the mean
}

// Scored is what a player has done at a task.
type Scored struct {
	Task
	Decisions string           `json:"decisions,omitempty"` // digest of some of the player's; "" of one that cannot be reproduced
	Score     measure.Estimate `json:"score"`               // from −1 to 1: see the package
	Worst     *Worst           `json:"worst,omitempty"`
	Lines     []Line           `json:"lines,omitempty"`
	Exact     *response.Exact  `json:"exact,omitempty"`
}

// Worst is the opponent that wins most among n−1 of the player.
type Worst struct {
	Opponent string           `json:"opponent"`
	Wins     measure.Estimate `json:"wins"`
	Equal    float64          `json:"equal_share"`
}

// Line is what a player has done against an opponent.
type Line struct {
	Opponent string `json:"opponent"`
	Digest   string `json:"digest,omitempty"` // of its decisions; "" of a program
	Seats    int    `json:"seats"`

	Alone   Side `json:"alone"`   // the player among n−1 of the opponent
	Against Side `json:"against"` // n−1 of the player against one of the opponent
	Mixed   Side `json:"mixed"`

	Faults bots.Faults `json:"faults,omitzero"` // of the player, in the parts
	Parts  []Part      `json:"parts"`           // that were played, in order
}

// Side is how the player's side has done at one kind of table.
type Side struct {
	Wins   measure.Estimate `json:"wins"`        // share of the side
	Equal  float64          `json:"equal_share"` // of the side among equals
	Score  float64          `json:"score"`       // from −1, no win, by 0, the equal share, to 1, all wins
	Margin measure.Estimate `json:"margin"`      // mean score of the side's seats less that of the others
}

// Part is one of the parts of a line. Results are [kind] of alone, against, mixed.
type Part struct {
	Part   int         `json:"part"` // from 0
	Wins   [3]float64  `json:"wins"`
	Margin [3]float64  `json:"margin"`
	Faults bots.Faults `json:"faults,omitzero"`
}

// Kinds of table, by which Part's arrays are ordered.
const (
	alone = iota
	against
	mixed
	kinds
)

// scale puts a share of wins on the scale of scores.
func scale(share, equal float64) float64 {
	if share >= equal {
		return (share - equal) / (1 - equal)
	}
	return (share - equal) / equal
}

// equal is the equal share of the player's side at a kind of table.
func (l *Line) equal(kind int) float64 {
	switch n := float64(l.Seats); kind {
	case alone:
		return 1 / n
	case against:
		return (n - 1) / n
	}
	return .5
}

// mean is that of a kind of table over all parts but one.
func (l *Line) mean(of func(p *Part) float64, without int) float64 {
	sum, n := 0.0, 0
	for i := range l.Parts {
		if i != without {
			sum += of(&l.Parts[i])
			n++
		}
	}
	return sum / float64(n)
}

// score is the line's, without a part.
func (l *Line) score(without int) float64 {
	total := 0.0
	for kind := range kinds {
		total += scale(l.mean(func(p *Part) float64 { return p.Wins[kind] }, without), l.equal(kind))
	}
	return total / kinds
}

// side sums up a kind of table.
func (l *Line) side(kind, matches int) Side {
	s := Side{Equal: l.equal(kind)}
	s.Wins = measure.Jackknife(len(l.Parts), func(i int) float64 { return l.mean(func(p *Part) float64 { return p.Wins[kind] }, i) })
	s.Margin = measure.Jackknife(len(l.Parts), func(i int) float64 { return l.mean(func(p *Part) float64 { return p.Margin[kind] }, i) })
	if s.Wins.High-s.Wins.Low < 1e-12 { // as of no win at all, which says nothing of what else there may be: see measure.Bootstrap
		const log = -3.688879454113936302852 // of 0.025
		unseen := 1 - portable.Exp(log*float64(l.Seats)/float64(len(l.Parts)*matches))
		s.Wins.Low, s.Wins.High = s.Wins.Mean-float64(unseen*s.Wins.Mean), s.Wins.Mean+float64(unseen*(1-s.Wins.Mean))
	}
	s.Wins.Low, s.Wins.High = max(s.Wins.Low, 0), min(s.Wins.High, 1)
	s.Score = scale(s.Wins.Mean, s.Equal)
	return s
}

// complete says whether all of a task has been played.
func (s *Scored) complete() bool {
	return s.Exact != nil || len(s.Lines) > 0 && !slices.ContainsFunc(s.Lines, func(l Line) bool { return len(l.Parts) < Parts })
}

// Missing says what of a task has not been played; "" if nothing.
func (s *Scored) Missing() string {
	if s.complete() {
		return ""
	}
	played := 0
	for i := range s.Lines {
		played += len(s.Lines[i].Parts)
	}
	return fmt.Sprintf("%d of %d parts of its lines are played", played, Parts*len(s.Lines))
}

// Over says whether decisions took longer than the task's budget.
func (s *Scored) Over(c match.Cost) bool { return c.Micros > float64(s.Budget.Microseconds()) }

// Score is the score of the line: the mean over the kinds of table.
func (l *Line) Score() float64 { return (l.Alone.Score + l.Against.Score + l.Mixed.Score) / kinds }

// sumUp works out scores from the parts that were played; those of tasks that are not complete are left out.
func (r *Result) sumUp() {
	r.Games, r.Reproducible = nil, len(r.Tasks) > 0
	for i := range r.Tasks {
		s := &r.Tasks[i]
		r.Reproducible = r.Reproducible && s.Decisions != ""
		if !s.complete() {
			continue
		}
		s.sumUp()
		if !slices.ContainsFunc(r.Games, func(g Game) bool { return g.Game == s.family() }) {
			r.Games = append(r.Games, Game{Game: s.family()})
		}
	}
	for i := range r.Games {
		r.Games[i] = r.game(r.Games[i].Game)
	}
}

// game sums up a game: its tasks with opponents or, where it has none, those that are exact.
func (r *Result) game(name string) Game {
	g := Game{Game: name}
	for _, exact := range []bool{false, true} {
		mean, square := 0.0, 0.0
		for i := range r.Tasks {
			if s := &r.Tasks[i]; s.family() == name && s.complete() && (s.Exact != nil) == exact {
				half := s.Score.High - s.Score.Mean
				mean, square, g.Tasks = mean+s.Score.Mean, square+float64(half*half), g.Tasks+1
			}
		}
		if n := float64(g.Tasks); n > 0 {
			half := math.Sqrt(square) / n
			g.Score = measure.Estimate{Mean: mean / n, Low: mean/n - half, High: mean/n + half}
			return g
		}
	}
	return g
}

func (s *Scored) sumUp() {
	if s.Exact != nil {
		x := 1 - s.Exact.Exploitability/s.Exact.Random
		s.Score = measure.Estimate{Mean: x, Low: x, High: x}
		return
	}
	s.Worst = nil
	for i := range s.Lines {
		l := &s.Lines[i]
		l.Alone, l.Against, l.Mixed = l.side(alone, s.Matches), l.side(against, s.Matches), l.side(mixed, s.Matches)
		l.Faults = bots.Faults{}
		for _, p := range l.Parts {
			l.Faults = l.Faults.Plus(p.Faults)
		}
		w := l.Against.Wins
		if wins := (measure.Estimate{Mean: 1 - w.Mean, Low: 1 - w.High, High: 1 - w.Low}); s.Worst == nil || wins.Mean > s.Worst.Wins.Mean {
			s.Worst = &Worst{l.Opponent, wins, 1 - l.Against.Equal}
		}
	}
	s.Score = measure.Jackknife(Parts, func(without int) float64 {
		total := 0.0
		for i := range s.Lines {
			total += s.Lines[i].score(without)
		}
		return total / float64(len(s.Lines))
	})
}

// Encode is the result as a file.
func (r *Result) Encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(r); err != nil {
		return nil, err
	}
	return compact(b.Bytes()), nil
}

// compact puts lists of numbers, and objects without lists, into a line each.
func compact(data []byte) []byte {
	lines := strings.Split(string(data), "\n")
	var out strings.Builder
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if end := closing(lines, i); end > i {
			parts := []string{line}
			for _, l := range lines[i+1 : end+1] {
				parts = append(parts, strings.TrimLeft(l, " "))
			}
			line = brackets.Replace(strings.Join(parts, " "))
			i = end
		}
		out.WriteString(line)
		if i < len(lines)-1 {
			out.WriteByte('\n')
		}
	}
	return []byte(out.String())
}

// brackets takes away the space beside them. No name has such text in it.
var brackets = strings.NewReplacer("{ ", "{", " }", "}", "[ ", "[", " ]", "]")

// closing is the line that closes what a line opens, if that holds at most one level of lists.
func closing(lines []string, at int) int {
	if !strings.HasSuffix(lines[at], "{") && !strings.HasSuffix(lines[at], "[") {
		return at
	}
	depth, deepest := 0, 0
	for i := at; i < len(lines); i++ {
		l := strings.TrimSuffix(lines[i], ",")
		if strings.HasSuffix(l, "}") && !strings.Contains(l, "{") || strings.HasSuffix(l, "]") && !strings.Contains(l, "[") {
			depth--
		}
		if strings.HasSuffix(l, "{") || strings.HasSuffix(l, "[") {
			depth++
		}
		if deepest = max(deepest, depth); deepest > 2 {
			return at
		}
		if depth == 0 {
			return i
		}
	}
	return at
}

// Decode reads a result, of any version of the program, and refuses one that is damaged.
func Decode(data []byte) (*Result, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	r := new(Result)
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("this is no result of privateer benchmark, or it is damaged: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("this is no result of privateer benchmark, or it is damaged: something follows its end")
	}
	all := Tasks()
	for i := range r.Tasks {
		s := &r.Tasks[i]
		if slices.ContainsFunc(r.Tasks[:i], func(t Scored) bool { return t.Name == s.Name }) {
			return nil, fmt.Errorf("task %s is there twice", s.Name)
		}
		if s.plain() == s.Name {
			return nil, fmt.Errorf("task %s has no version: want a name like %[1]s@1", s.Name)
		}
		if at := slices.IndexFunc(all, func(t Task) bool { return t.Name == s.Name }); at >= 0 { // what a file leaves out
			t := &all[at]
			s.Seed, s.Nodes, s.Budget, s.Pool, s.start = t.Seed, t.Nodes, t.Budget, t.Pool, t.start
		}
		for _, l := range s.Lines {
			last := -1
			for _, p := range l.Parts {
				if p.Part <= last || p.Part >= Parts {
					return nil, fmt.Errorf("task %s, opponent %s: part %d is out of place", s.Name, l.Opponent, p.Part)
				}
				last = p.Part
				if slices.Min(p.Wins[:]) < 0 || slices.Max(p.Wins[:]) > 1 {
					return nil, fmt.Errorf("task %s, opponent %s, part %d: shares of wins %v: want them from 0 to 1", s.Name, l.Opponent, p.Part, p.Wins)
				}
			}
			if l.Seats < 2 {
				return nil, fmt.Errorf("task %s, opponent %s: %d seats", s.Name, l.Opponent, l.Seats)
			}
		}
	}
	return r, nil
}

// Merge puts the parts of shards together.
func Merge(all ...*Result) (*Result, error) {
	if len(all) == 0 {
		return nil, errors.New("there is nothing to merge")
	}
	merged := *all[0]
	merged.Tasks = nil
	for _, r := range all {
		if r.Player != merged.Player || r.Digest != merged.Digest || r.Privateer != merged.Privateer || r.Quick != merged.Quick || r.Pool != merged.Pool {
			return nil, fmt.Errorf("these are results of two runs: %s and %s", merged.run(), r.run())
		}
		for i := range r.Tasks {
			if err := merged.take(&r.Tasks[i]); err != nil {
				return nil, err
			}
		}
	}
	merged.sumUp()
	return &merged, nil
}

// run says what the parts of a result have in common.
func (r *Result) run() string {
	return fmt.Sprintf("%s (digest %q, privateer %s, --quick %v, --pool %v)", r.Player, r.Digest, r.Privateer, r.Quick, r.Pool)
}

// take adds the parts that another shard has played of a task. Tasks are in order of their names.
func (r *Result) take(s *Scored) error {
	at, have := slices.BinarySearchFunc(r.Tasks, s.Name, func(t Scored, name string) int { return strings.Compare(t.Name, name) })
	if !have {
		mine := *s
		mine.Lines = nil
		for _, l := range s.Lines {
			l.Parts = slices.Clone(l.Parts)
			mine.Lines = append(mine.Lines, l)
		}
		r.Tasks = slices.Insert(r.Tasks, at, mine)
		return nil
	}
	mine := &r.Tasks[at]
	if mine.Rules != s.Rules || mine.Decisions != s.Decisions || len(mine.Lines) != len(s.Lines) {
		return fmt.Errorf("task %s: these are shards of two runs: rules, opponents or the player's decisions differ", s.Name)
	}
	if mine.Exact == nil {
		mine.Exact = s.Exact
	}
	for i := range s.Lines {
		l, other := &mine.Lines[i], &s.Lines[i]
		if l.Opponent != other.Opponent || l.Digest != other.Digest {
			return fmt.Errorf("task %s: these are shards of two runs: opponent %s in one, %s in the other", s.Name, l.Opponent, other.Opponent)
		}
		for _, p := range other.Parts {
			j, have := slices.BinarySearchFunc(l.Parts, p.Part, func(q Part, n int) int { return q.Part - n })
			if have && l.Parts[j] != p {
				return fmt.Errorf("task %s, opponent %s: part %d has been played twice, with different results", s.Name, l.Opponent, p.Part)
			}
			if !have {
				l.Parts = slices.Insert(l.Parts, j, p)
			}
		}
	}
	return nil
}
