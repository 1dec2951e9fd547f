package rate

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
	"github.com/privateer-rl/privateer/env/measure/plot"
)

// sure is the probability above which a report names a cycle.
const sure = .95

// columns are the heads of the table of ratings.
func (t *Table) columns() []string {
	all := []string{"player", "rating", "95 %", "deviation", "wins", "matches", "CPU a decision"}
	if t.faulty() {
		all = append(all, "faults")
	}
	if len(t.Alone) > 0 {
		all = append(all, fmt.Sprintf("most won alone against %d of it", t.Seats-1))
	}
	return all
}

// faulty reports whether any player has failed.
func (t *Table) faulty() bool {
	return slices.ContainsFunc(t.Ratings, func(r Rating) bool { return r.Faults != bots.Faults{} })
}

// faults says in a line each what was wrong first.
func (t *Table) faults() (lines []string) {
	for _, r := range t.Ratings {
		if r.Faults.First != "" {
			lines = append(lines, r.Faults.Report(r.Player))
		}
	}
	return lines
}

func (r *Rating) cells(t *Table) []string {
	rating, interval := fmt.Sprintf("%.0f", r.Rating), fmt.Sprintf("%.0f to %.0f", r.Low, r.High)
	if r.Player == t.Anchor {
		interval = "anchor"
	}
	all := []string{r.Player, rating, interval, fmt.Sprintf("%.1f", r.Behind+0), r.Wins.String(), fmt.Sprint(r.Matches), milliseconds(r.Cost)}
	if t.faulty() {
		all = append(all, r.Faults.String())
	}
	switch {
	case r.Worst != nil:
		all = append(all, r.Worst.Wins.String()+" "+r.Worst.One)
	case len(t.Alone) > 0:
		all = append(all, "–")
	}
	return all
}

func milliseconds(c match.Cost) string {
	if c.Timed == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3g ms", c.Micros/1000)
}

// Text is the table for a terminal.
func (t *Table) Text() string {
	var b strings.Builder
	fmt.Fprintln(&b, t.head())
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(t.columns(), "\t"))
	for i := range t.Ratings {
		fmt.Fprintln(w, strings.Join(t.Ratings[i].cells(t), "\t"))
	}
	w.Flush()
	if len(t.Alone) > 0 {
		fmt.Fprintf(&b, "\none (row) against %d (column): share of the wins of the one, equal is %.3f\n", t.Seats-1, 1/float64(t.Seats))
		w = tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, row := range t.matrix() {
			fmt.Fprintln(w, strings.Join(row, "\t"))
		}
		w.Flush()
	}
	fmt.Fprintln(&b, t.cycles())
	for _, l := range t.faults() {
		fmt.Fprintln(&b, l)
	}
	return b.String()
}

// markdown escapes what would be more than a text: names are what somebody has typed.
var markdown = strings.NewReplacer("\\", "\\\\", "_", "\\_", "|", "\\|", "*", "\\*", "`", "\\`", "<", "\\<", "[", "\\[")

// Markdown is the table for a document.
func (t *Table) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", strings.ToUpper(t.head()[:1])+markdown.Replace(t.head()[1:]))
	row := func(cells []string) {
		escaped := make([]string, len(cells))
		for i, cell := range cells {
			escaped[i] = markdown.Replace(cell)
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(escaped, " | "))
	}
	row(t.columns())
	b.WriteString("| --- | ---: | --- | ---: | --- | ---: | ---: |")
	if t.faulty() {
		b.WriteString(" --- |")
	}
	if len(t.Alone) > 0 {
		b.WriteString(" --- |")
	}
	b.WriteString("\n")
	for i := range t.Ratings {
		row(t.Ratings[i].cells(t))
	}
	if len(t.Alone) > 0 {
		fmt.Fprintf(&b, "\nOne (row) against %d (column): share of the wins of the one, equal is %.3f.\n\n", t.Seats-1, 1/float64(t.Seats))
		for i, cells := range t.matrix() {
			row(cells)
			if i == 0 {
				fmt.Fprintf(&b, "|%s\n", strings.Repeat(" --- |", len(cells)))
			}
		}
	}
	fmt.Fprintf(&b, "\n%s\n", markdown.Replace(t.cycles()))
	for _, l := range t.faults() {
		fmt.Fprintf(&b, "\n%s\n", markdown.Replace(l))
	}
	return b.String()
}

// SVG draws the ratings with their intervals.
func (t *Table) SVG() string {
	g := plot.Group{Name: t.Game, Even: math.NaN()}
	for i := range t.Ratings {
		r := &t.Ratings[i]
		g.Dots = append(g.Dots, plot.Dot{Name: shortened(r.Player), Estimate: measure.Estimate{Mean: r.Rating, Low: r.Low, High: r.High}})
		if r.Player == t.Anchor {
			g.Even = r.Rating
		}
	}
	return plot.Dots("Ratings", fmt.Sprintf("Plackett-Luce at mixed tables, on Elo's scale; dashed: %s; bars: 95 %%", t.Anchor), []plot.Group{g})
}

// shortened is the end of a long name, where those of files differ.
func shortened(name string) string {
	const most = 44
	if letters := []rune(name); len(letters) > most {
		return "…" + string(letters[len(letters)-most+1:])
	}
	return name
}

func (t *Table) head() string {
	return fmt.Sprintf("ratings at mixed tables of %s, %s of %s, seed %d; %s is the anchor", t.Game, engine.Count(t.Matches, "match", "matches"), engine.Count(t.Deals, "deal", ""), t.Seed, t.Anchor)
}

// matrix has the lone player by row, and its n-1 opponents by column.
func (t *Table) matrix() [][]string {
	rows := [][]string{{""}}
	for _, r := range t.Ratings {
		rows[0] = append(rows[0], r.Player)
		row := []string{r.Player}
		for _, others := range t.Ratings {
			cell := ""
			for _, s := range t.Alone {
				if s.One == r.Player && s.Others == others.Player {
					cell = s.Wins.String()
				}
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// cycles is the report's line about cycles.
func (t *Table) cycles() string {
	var named []string
	for _, c := range t.Cycles {
		if c.Surely >= sure {
			named = append(named, fmt.Sprintf("%s > %s (%.1f %%)", strings.Join(c.Players, " > "), c.Players[0], float64(100*c.Surely)))
		}
	}
	switch {
	case len(named) > 0:
		return "cycles, each ahead of the next: " + strings.Join(named, "; ")
	case len(t.Cycles) > 0:
		c := t.Cycles[0]
		return fmt.Sprintf("no cycle is certain; the likeliest is %s > %s (%.1f %%)", strings.Join(c.Players, " > "), c.Players[0], float64(100*c.Surely))
	}
	return "no cycles"
}
