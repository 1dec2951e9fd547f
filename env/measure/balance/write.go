package balance

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env/measure"
)

// WriteTable prints reports for a person: one table of what configurations are
// compared by, then seats and roles of each. Reports are lettered, so 26 at most.
func WriteTable(out io.Writer, reports []*Report) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "\t")
	for i := range reports {
		fmt.Fprintf(w, "%c\t", 'A'+i)
	}
	fmt.Fprintln(w)
	for _, row := range compared(reports) {
		fmt.Fprintf(w, "%s\t", strings.ReplaceAll(row.name, "_", " "))
		for _, f := range row.figures {
			if f == nil {
				fmt.Fprint(w, "\t")
				continue
			}
			fmt.Fprintf(w, "%s\t", short(f.Estimate))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for i, r := range reports {
		fmt.Fprintf(out, "\n%c  %s: %s of %s, equal share %.3f\n", 'A'+i, r.Game, engine.Count(r.Matches, "match", "matches"), strings.Join(r.Players, ", "), r.EqualShare)
		w = tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, s := range r.sides() {
			fmt.Fprintf(w, "   %s\twins %s\treturn %s", strings.ReplaceAll(s.Name, "_", " "), short(s.Wins), short(s.Return))
			if s.Score != nil {
				fmt.Fprintf(w, "\tscore %s", short(*s.Score))
			}
			fmt.Fprintf(w, "\t%s\n", engine.Count(s.Matches, "match", "matches"))
		}
		if err := w.Flush(); err != nil {
			return err
		}
		for _, f := range r.Faults {
			fmt.Fprintf(out, "   %s\n", f.Report(f.Player))
		}
	}
	return nil
}

// short is an estimate with as many digits as a reader needs.
func short(e measure.Estimate) string {
	digits := 3
	if e.Mean >= 10 || e.Mean <= -10 {
		digits = 1
	}
	return fmt.Sprintf("%.*f [%.*f, %.*f]", digits, e.Mean, digits, e.Low, digits, e.High)
}

func (r *Report) sides() []Side {
	all := append(r.Seats[:len(r.Seats):len(r.Seats)], r.Roles...)
	return append(all, r.Bots...)
}

// group is a set of figures of a report.
type group struct {
	name    string
	figures []Figure
}

func (r *Report) groups() []group {
	return []group{
		{"seats", []Figure{r.Spread}}, {"length", r.Length}, {"course", r.Course}, {"events", r.Events},
		{"points", r.Sources}, {"winner's points", r.Winners},
	}
}

// comparison is a figure by name in each of the reports; nil if one has none.
type comparison struct {
	name    string
	figures []*Figure
}

// compared lists the figures that any report has and that are not 0 in all.
func compared(reports []*Report) []comparison {
	var rows []comparison
	at := map[string]int{}
	for i, r := range reports {
		for _, g := range r.groups() {
			for k := range g.figures {
				f := &g.figures[k]
				key := g.name + ": " + f.Name
				if g.name == "seats" || g.name == "length" || g.name == "course" || g.name == "events" {
					key = f.Name
				}
				if _, known := at[key]; !known {
					at[key] = len(rows)
					rows = append(rows, comparison{key, make([]*Figure, len(reports))})
				}
				rows[at[key]].figures[i] = f
			}
		}
	}
	kept := rows[:0]
	for _, row := range rows {
		for _, f := range row.figures {
			if f != nil && f.Mean != 0 {
				kept = append(kept, row)
				break
			}
		}
	}
	return kept
}

// WriteCSV writes everything in long form: one estimate a line.
func WriteCSV(out io.Writer, reports []*Report) error {
	w := csv.NewWriter(out)
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	line := func(r *Report, group, name, what string, matches int, e measure.Estimate) {
		_ = w.Write([]string{r.Game, strings.Join(r.Players, " "), group, name, what, strconv.Itoa(matches), number(e.Mean), number(e.Low), number(e.High)})
	}
	_ = w.Write([]string{"game", "players", "group", "name", "figure", "matches", "mean", "low", "high"}) // Error says what went wrong
	for _, r := range reports {
		for _, part := range []struct {
			group string
			sides []Side
		}{{"seat", r.Seats}, {"role", r.Roles}, {"bot", r.Bots}} {
			for _, s := range part.sides {
				line(r, part.group, s.Name, "wins", s.Matches, s.Wins)
				line(r, part.group, s.Name, "return", s.Matches, s.Return)
				if s.Score != nil {
					line(r, part.group, s.Name, "score", s.Matches, *s.Score)
				}
			}
		}
		for _, g := range r.groups() {
			for _, f := range g.figures {
				line(r, "match", g.name, f.Name, r.Matches, f.Estimate)
			}
		}
	}
	w.Flush()
	return w.Error()
}
