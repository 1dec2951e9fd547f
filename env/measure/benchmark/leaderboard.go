package benchmark

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
	"github.com/privateer-rl/privateer/env/measure/plot"
)

// Leaderboard is a page of Markdown about entries, in whatever order they are given, and its plots by file name. An entry of some of a game's tasks
// has no score there.
func Leaderboard(entries []*Entry) (page string, plots map[string]string) {
	entries = slices.SortedStableFunc(slices.Values(entries), func(x, y *Entry) int { return cmp.Compare(x.Name, y.Name) })
	var b strings.Builder
	plots = map[string]string{}
	for _, game := range games(entries) {
		in := slices.DeleteFunc(slices.Clone(entries), func(e *Entry) bool { return e.score(game) == nil })
		tasks, others := columns(game, in)
		some := func(e *Entry) bool {
			return slices.ContainsFunc(tasks, func(t string) bool { return e.task(t) == nil })
		}
		slices.SortStableFunc(in, func(x, y *Entry) int {
			if some(x) != some(y) { // whose score is the mean of something else
				return int(engine.Bit(some(x))) - int(engine.Bit(some(y)))
			}
			return cmp.Compare(y.score(game).Mean, x.score(game).Mean)
		})
		whole := slices.DeleteFunc(slices.Clone(in), some)
		fmt.Fprintf(&b, "## %s\n\n", game)
		writeTable(&b, game, tasks, others, in)
		if cost := costPlot(game, tasks, whole, func(e *Entry) measure.Estimate { return *e.score(game) }); cost != "" {
			plots[game+".svg"] = cost
			fmt.Fprintf(&b, "![Score and CPU time of a decision](%s.svg)\n\n", game)
		}
		var links []string
		for _, t := range tasks {
			done := slices.DeleteFunc(slices.Clone(in), func(e *Entry) bool { return e.task(t) == nil })
			if cost := costPlot(t, []string{t}, done, func(e *Entry) measure.Estimate { return e.task(t).Score }); cost != "" {
				plots[t+".svg"] = cost
				links = append(links, fmt.Sprintf("[%s](%s.svg)", t, t))
			}
		}
		if len(links) > 0 {
			fmt.Fprintf(&b, "The same of each task: %s.\n\n", strings.Join(links, ", "))
		}
		if runs, shared := recipes(tasks, in); len(runs) > 0 {
			writeRecipes(&b, game, shared, runs)
			plots[game+"-profiles.svg"] = profiles(game, runs)
		}
	}
	writeEntries(&b, entries)
	return strings.TrimRight(b.String(), "\n") + "\n", plots
}

// games are those that entries have scores of, in the order of the tasks.
func games(entries []*Entry) []string {
	var all []string
	for _, e := range entries {
		for _, g := range e.Result.Games {
			if !slices.Contains(all, g.Game) {
				all = append(all, g.Game)
			}
		}
	}
	slices.Sort(all)
	return all
}

func (e *Entry) score(game string) *measure.Estimate {
	for i := range e.Result.Games {
		if e.Result.Games[i].Game == game {
			return &e.Result.Games[i].Score
		}
	}
	return nil
}

// tasks are the names of the tasks of a game that the entry has done.
func (e *Entry) tasks(game string) []string {
	var names []string
	for _, s := range e.Result.Tasks {
		if s.family() == game && s.complete() {
			names = append(names, s.Name)
		}
	}
	return names
}

// columns are the tasks of a game that scores are the mean of, and those that are exact and not counted.
func columns(game string, in []*Entry) (tasks, others []string) {
	for _, e := range in {
		for _, t := range e.tasks(game) {
			to := &tasks
			if e.task(t).Exact != nil {
				to = &others
			}
			if !slices.Contains(*to, t) {
				*to = append(*to, t)
			}
		}
	}
	if len(tasks) == 0 {
		return others, nil
	}
	return tasks, others
}

// task is the entry's result at a task; nil if it is incomplete.
func (e *Entry) task(name string) *Scored {
	if at := slices.IndexFunc(e.Result.Tasks, func(s Scored) bool { return s.Name == name && s.complete() }); at >= 0 {
		return &e.Result.Tasks[at]
	}
	return nil
}

// cost is that of a decision in all tasks of a game.
func (e *Entry) cost(tasks []string) match.Cost {
	var c match.Cost
	for _, t := range tasks {
		c = c.Plus(e.Costs[t])
	}
	return c
}

// worst is the greatest share of the wins that one opponent has among n−1 of the entry, in units of the equal share, over tasks.
func (e *Entry) worst(tasks []string) (times float64, where string) {
	for _, name := range tasks {
		s := e.task(name)
		if s == nil || s.Worst == nil {
			continue
		}
		if w := s.Worst; w.Wins.Mean/w.Equal > times {
			times, where = w.Wins.Mean/w.Equal, fmt.Sprintf("%s, %s", w.Opponent, name)
		}
	}
	return times, where
}

// notes say what is to be known of an entry's figures.
func (e *Entry) notes(tasks []string) string {
	var notes []string
	faults := 0
	for _, name := range tasks {
		s := e.task(name)
		if s == nil {
			continue
		}
		if s.Over(e.Costs[name]) {
			notes = append(notes, "over the budget of "+name)
		}
		for _, l := range s.Lines {
			faults += l.Faults.Total()
		}
		if s.Exact != nil {
			faults += s.Exact.Faults.Total()
		}
	}
	if faults > 0 {
		notes = append(notes, fmt.Sprintf("%d faults", faults))
	}
	if !e.Result.Reproducible {
		notes = append(notes, "not reproducible bit for bit")
	}
	return strings.Join(notes, "; ")
}

func writeTable(b *strings.Builder, game string, tasks, others []string, in []*Entry) {
	all := slices.Concat(tasks, others)
	prefix := shared(all)
	var legend []string
	for _, t := range all {
		at := slices.IndexFunc(in, func(e *Entry) bool { return e.task(t) != nil })
		kind := ""
		if in[at].task(t).Exact != nil {
			kind = ", measured exactly"
		}
		legend = append(legend, fmt.Sprintf("%s is `%s`%s", strings.TrimPrefix(t, prefix), in[at].task(t).Game, kind))
	}
	fmt.Fprintf(b, "Tasks: %s.\n\n| player | score | worst case |", strings.Join(legend, "; "))
	for _, t := range all {
		fmt.Fprintf(b, " %s |", strings.TrimPrefix(t, prefix))
	}
	fmt.Fprintf(b, " CPU a decision |\n| --- | ---: | --- |%s ---: |\n", strings.Repeat(" ---: |", len(all)))
	for _, e := range in {
		s := e.score(game)
		worst := "exact"
		if times, where := e.worst(tasks); where != "" {
			worst = fmt.Sprintf("%.2f × equal (%s)", times, where)
		}
		score := fmt.Sprintf("%.3f ± %.3f", s.Mean, s.High-s.Mean)
		if slices.ContainsFunc(tasks, func(t string) bool { return e.task(t) == nil }) {
			score = "–"
		}
		notes := e.notes(tasks)
		if notes != "" {
			notes = " (" + notes + ")"
		}
		fmt.Fprintf(b, "| %s%s | %s | %s |", name(e), notes, score, cell(worst))
		for _, t := range all {
			if done := e.task(t); done != nil {
				fmt.Fprintf(b, " %.3f |", done.Score.Mean)
			} else {
				b.WriteString(" – |")
			}
		}
		cost := "–" // of exact tasks
		if c := e.cost(tasks); c.Timed > 0 {
			cost = c.String()
		}
		fmt.Fprintf(b, " %s |\n", cost)
	}
	b.WriteString("\n")
}

// writeEntries says of each entry what its card says.
func writeEntries(b *strings.Builder, entries []*Entry) {
	b.WriteString("## Entries\n\n| player | by | how | decisions of training | cost | data |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, e := range entries {
		fmt.Fprintf(b, "| %s |", name(e))
		for _, text := range []string{e.By, e.How, e.Decisions, e.Cost, e.Card.Data} {
			fmt.Fprintf(b, " %s |", cell(text))
		}
		b.WriteString("\n")
	}
}

func name(e *Entry) string {
	if e.Link != "" {
		return fmt.Sprintf("[%s](%s)", cell(e.Name), cell(e.Link))
	}
	return cell(e.Name)
}

// cell is text of others as it stands in a cell of a table: neither a cell of its own nor HTML.
func cell(text string) string {
	return cells.Replace(strings.Join(strings.Fields(text), " "))
}

var cells = strings.NewReplacer("|", `\|`, "<", "&lt;")

// shared is the part with which all names of tasks begin, up to a hyphen.
func shared(tasks []string) string {
	same := tasks[0]
	for _, t := range tasks {
		for !strings.HasPrefix(t, same) {
			same = same[:len(same)-1]
		}
	}
	return same[:strings.LastIndexByte(same, '-')+1]
}

func costPlot(title string, tasks []string, in []*Entry, score func(e *Entry) measure.Estimate) string {
	var points []plot.Series
	for _, e := range in {
		if c := e.cost(tasks); c.Timed > 0 {
			points = append(points, plot.Series{Name: e.Name, X: []float64{portable.Log(c.Micros) / portable.Log(10)}, Y: []measure.Estimate{score(e)}})
		}
	}
	if len(points) == 0 {
		return ""
	}
	return plot.Curves(title+": score and cost", "CPU time of a decision, µs", "score", true, points)
}

// recipes are those of which entries have several runs, at the tasks that all of these have done.
func recipes(tasks []string, in []*Entry) (all []Runs, shared []string) {
	count := map[string]int{}
	for _, e := range in {
		count[e.Recipe]++
	}
	in = slices.DeleteFunc(slices.Clone(in), func(e *Entry) bool { return e.Recipe == "" || count[e.Recipe] < 2 })
	shared = slices.DeleteFunc(slices.Clone(tasks), func(t string) bool {
		return slices.ContainsFunc(in, func(e *Entry) bool { return e.task(t) == nil })
	})
	if len(shared) == 0 {
		return nil, nil
	}
	for _, e := range in {
		at := slices.IndexFunc(all, func(r Runs) bool { return r.Recipe == e.Recipe })
		if at < 0 {
			at, all = len(all), append(all, Runs{Recipe: e.Recipe, Scores: make([][]float64, len(shared))})
		}
		for i, t := range shared {
			all[at].Scores[i] = append(all[at].Scores[i], e.task(t).Score.Mean)
		}
	}
	return all, shared
}

func writeRecipes(b *strings.Builder, game string, tasks []string, runs []Runs) {
	fmt.Fprintf(b, "Recipes by several seeds of training, at %s: the interquartile mean (IQM) of the scores, and how probably a run of the row scores higher than one of the column, with 95 %% intervals.\n\n| recipe | runs | IQM |", strings.Join(tasks, ", "))
	for _, r := range runs {
		fmt.Fprintf(b, " over %s |", cell(r.Recipe))
	}
	fmt.Fprintf(b, "\n| --- | ---: | --- |%s\n", strings.Repeat(" --- |", len(runs)))
	for i := range runs {
		fmt.Fprintf(b, "| %s | %d | %v |", cell(runs[i].Recipe), len(runs[i].Scores[0]), runs[i].IQM(1))
		for j := range runs {
			if i == j {
				b.WriteString(" |")
				continue
			}
			fmt.Fprintf(b, " %v |", runs[i].Improves(runs[j], 1))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "\n![Share of runs and tasks above a score](%s-profiles.svg)\n\n", game)
}

func profiles(game string, runs []Runs) string {
	var lines []plot.Series
	for i := range runs {
		s := plot.Series{Name: runs[i].Recipe}
		for x := -100; x <= 100; x++ {
			y := runs[i].Profile(float64(x) / 100)
			s.X, s.Y = append(s.X, float64(x)/100), append(s.Y, measure.Estimate{Mean: y, Low: y, High: y})
		}
		lines = append(lines, s)
	}
	return plot.Curves(game+": performance profiles", "score", "share of runs and tasks above it", false, lines)
}
