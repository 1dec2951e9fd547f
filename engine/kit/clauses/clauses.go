// Package clauses reads the numbered clauses of a RULES.md. A clause is an item of a list or a row of a
// table that opens with its id in bold:
//
//   - **MOV-4** A ship moves as far as its sails carry it.
//
// Tests name clauses by their ids (package enginetest), and users look them up (privateer rules).
package clauses

import (
	"regexp"
	"strings"
)

// Clause is one numbered rule.
type Clause struct {
	ID      string            `json:"id"`
	Section string            `json:"section"` // the heading above it
	Text    string            `json:"text"`
	Columns map[string]string `json:"columns,omitempty"` // further columns of a table, such as editions, by name
	Notes   string            `json:"-"`                 // the same in words, in their order
}

// IsID reports whether a word is the id of a clause, like MOV-4.
func IsID(word string) bool { return clauseID.MatchString(word) }

// Named returns the clauses whose id is or begins with id, in upper or lower case: MOV names MOV-1, MOV-2, ….
func Named(all []Clause, id string) []Clause {
	want := strings.ToUpper(id)
	var named []Clause
	for _, c := range all {
		if start, _, _ := strings.Cut(c.ID, "-"); c.ID == want || start == want {
			named = append(named, c)
		}
	}
	return named
}

var (
	clauseID   = regexp.MustCompile(`^[A-Z]+-[0-9]+$`)
	clauseItem = regexp.MustCompile(`^[ \t]*(?:[-*+]|[0-9]+\.)[ \t]+\*\*([A-Z]+-[0-9]+)\*\*[ \t]*(.*)$`)
	clauseCell = regexp.MustCompile(`^\*\*([A-Z]+-[0-9]+)\*\*$`)
	heading    = regexp.MustCompile(`^#+[ \t]+(.*)$`)
	newItem    = regexp.MustCompile(`^(?:[-*+]|[0-9]+\.)[ \t]`)
)

// Parse reads the numbered clauses of a RULES.md, in their order. They are rows of tables or
// items of lists; an item ends at the next one, a heading or an empty line.
func Parse(text string) []Clause {
	var all []Clause
	var columns []string // of the table that the line is in
	section, open := "", false
	for _, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		row := strings.HasPrefix(trimmed, "|")
		if !row {
			columns = nil
		}
		if m := heading.FindStringSubmatch(line); m != nil {
			section, open = m[1], false
			continue
		}
		if row {
			cells := cellsOf(trimmed)
			if columns == nil {
				columns = cells
			}
			if c, ok := rowOf(cells, columns); ok {
				c.Section = section
				all = append(all, c)
			}
			open = false
			continue
		}
		if m := clauseItem.FindStringSubmatch(line); m != nil {
			all, open = append(all, Clause{ID: m[1], Section: section, Text: m[2]}), true
			continue
		}
		if trimmed == "" || newItem.MatchString(line) {
			open = false
		}
		if open {
			last := &all[len(all)-1]
			last.Text += " " + trimmed
		}
	}
	return all
}

// rowOf is the clause in a row of a table, if there is one.
func rowOf(cells, columns []string) (Clause, bool) {
	m := clauseCell.FindStringSubmatch(cells[0])
	if m == nil || len(cells) < 2 {
		return Clause{}, false
	}
	c := Clause{ID: m[1], Text: cells[1]}
	var notes []string
	for i := 2; i < min(len(cells), len(columns)); i++ {
		if c.Columns == nil {
			c.Columns = map[string]string{}
		}
		c.Columns[columns[i]] = cells[i]
		notes = append(notes, columns[i]+": "+cells[i])
	}
	c.Notes = strings.Join(notes, "; ")
	return c, true
}

// cellsOf splits a row of a Markdown table.
func cellsOf(row string) []string {
	row = strings.ReplaceAll(strings.Trim(row, "|"), `\|`, "\x00")
	cells := strings.Split(row, "|")
	for i, c := range cells {
		cells[i] = strings.TrimSpace(strings.ReplaceAll(c, "\x00", "|"))
	}
	return cells
}
