package balance

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/env/measure/plot"
)

// Plots are the plots of reports as SVG by file name: wins by seat and by role,
// points by source, and how long matches are and how they turn.
func Plots(reports []*Report) map[string]string {
	files := map[string]string{
		"wins_by_seat.svg": plot.Dots("Wins by seat", "share of wins; dashed: equal share; bars: 95 %", sideGroups(reports, func(r *Report) []Side { return r.Seats })),
	}
	if slices.ContainsFunc(reports, func(r *Report) bool { return len(r.Roles) > 0 }) {
		files["wins_by_role.svg"] = plot.Dots("Wins by role", "share of wins where it takes part; dashed: equal share; bars: 95 %", sideGroups(reports, func(r *Report) []Side { return r.Roles }))
	}
	if slices.ContainsFunc(reports, func(r *Report) bool { return len(r.Bots) > 0 }) {
		files["wins_by_bot.svg"] = plot.Dots("Wins by player", "share of wins; dashed: equal share; bars: 95 %", sideGroups(reports, func(r *Report) []Side { return r.Bots }))
	}
	if svg := sources(reports); svg != "" {
		files["points_by_source.svg"] = svg
	}
	for _, part := range []struct {
		file, title string
		of          func(r *Report) []Figure
	}{
		{"length", "Length of matches", func(r *Report) []Figure { return r.Length }},
		{"course", "How matches turn", func(r *Report) []Figure { return r.Course }},
		{"events", "What happens in a match", func(r *Report) []Figure { return r.Events }},
	} {
		for name, svg := range compare(part.title, reports, part.of) {
			files[part.file+"_"+name+".svg"] = svg
		}
	}
	return files
}

// SavePlots writes the plots to a folder, which it makes if necessary, and returns
// the names of the files in order.
func SavePlots(folder string, reports []*Report) ([]string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("plots: %w", err)
	}
	plots := Plots(reports)
	var names []string
	for name := range plots {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := durable.WriteFile(filepath.Join(folder, name), []byte(plots[name])); err != nil {
			return nil, fmt.Errorf("plots: %w", err)
		}
	}
	return names, nil
}

func sideGroups(reports []*Report, of func(r *Report) []Side) []plot.Group {
	var groups []plot.Group
	for _, r := range reports {
		g := plot.Group{Name: r.Game, Even: r.EqualShare}
		for _, s := range of(r) {
			g.Dots = append(g.Dots, plot.Dot{Name: strings.ReplaceAll(s.Name, "_", " "), Estimate: s.Wins})
		}
		groups = append(groups, g)
	}
	return groups
}

// compare draws one plot for each figure, with a row for each report.
func compare(title string, reports []*Report, of func(r *Report) []Figure) map[string]string {
	groups := map[string]*plot.Group{}
	for _, r := range reports {
		for _, f := range of(r) {
			g := groups[f.Name]
			if g == nil {
				g = &plot.Group{Even: math.NaN()}
				groups[f.Name] = g
			}
			g.Dots = append(g.Dots, plot.Dot{Name: r.label(), Estimate: f.Estimate})
		}
	}
	files := map[string]string{}
	for name, g := range groups {
		files[name] = plot.Dots(title+": "+strings.ReplaceAll(name, "_", " "), strings.ReplaceAll(name, "_", " ")+"; bars: 95 %", []plot.Group{*g})
	}
	return files
}

// label is the part of a game string that differs among configurations.
func (r *Report) label() string {
	s := r.Game
	if i := strings.IndexByte(s, '('); i >= 0 {
		s = strings.TrimSuffix(s[i+1:], ")")
	}
	const most = 44
	if len(s) > most {
		s = s[:most-1] + "…"
	}
	return s
}

// sources draws what the points of all seats and of winners are made of; "" for
// games without scores.
func sources(reports []*Report) string {
	var names []string
	for _, r := range reports {
		for _, f := range append(r.Sources[:len(r.Sources):len(r.Sources)], r.Winners...) {
			if f.Mean != 0 && !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	var rows []plot.Stack
	for _, r := range reports {
		for _, part := range []group{{"all", r.Sources}, {"winners", r.Winners}} {
			if len(part.figures) == 0 {
				continue
			}
			row := plot.Stack{Name: r.label() + ", " + part.name, Parts: make([]float64, len(names))}
			for _, f := range part.figures {
				if k := slices.Index(names, f.Name); k >= 0 {
					row.Parts[k] = f.Mean
				}
			}
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return plot.Stacks("Points by source", "points", names, rows)
}
