package encode

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Reference writes the layout of a game's observations and its action space as Markdown, for SCHEMA.md.
func (e *Encoder) Reference(w io.Writer) error {
	b := bufio.NewWriter(w)
	s := e.full
	fmt.Fprintf(b, "## %s\n\n", s.Game)
	fmt.Fprintf(b, "Version %d. Seat view: %d bytes, `%s`. Full view: %d bytes, `%s`. Actions: %d.\n\n",
		s.Version, e.seat.Size, e.seat.Hash(), s.Size, s.Hash(), len(s.Actions))
	groups(b, s.Groups, len(e.seat.Groups))
	if a := e.action; a != nil {
		fmt.Fprintf(b, "\nThe row of a legal action. Version %d, %d bytes, `%s`.\n\n", a.Version, a.Size, a.Hash())
		groups(b, a.Groups, -1)
		if end := e.advice; end != nil {
			fmt.Fprintf(b, "\nWith advice the row continues with %d bytes:\n\n", end.size)
			groups(b, end.groups, -1)
		}
	}
	fmt.Fprintf(b, "\nActions, by their index in the mask:\n\n| from | names |\n| --- | --- |\n")
	for from := 0; from < len(s.Actions); {
		prefix := key(s.Actions[from])
		to := from + 1
		for to < len(s.Actions) && prefix != "" && key(s.Actions[to]) == prefix {
			to++
		}
		names := make([]string, 0, to-from)
		for _, n := range s.Actions[from:to] {
			names = append(names, "`"+n+"`")
		}
		fmt.Fprintf(b, "| %d | %s |\n", from, strings.Join(names, " "))
		from = to
	}
	return b.Flush()
}

// groups writes a table of groups; those from hidden on are only in the full view.
func groups(w io.Writer, all []Group, hidden int) {
	fmt.Fprintf(w, "| offset | group | shape | max | scale | meaning |\n| --- | --- | --- | --- | --- | --- |\n")
	for i, g := range all {
		if i == hidden {
			fmt.Fprintf(w, "| | *only in the full view:* | | | | |\n")
		}
		shape := strings.ReplaceAll(strings.Trim(fmt.Sprint(g.Shape), "[]"), " ", " × ")
		fmt.Fprintf(w, "| %d | `%s` | %s | %d | %.4g | %s |\n", g.Offset, g.Name, shape, g.Max, g.Scale, g.Doc)
	}
}

// key is the part of an action's name before "=", or "".
func key(name string) string {
	k, _, found := strings.Cut(name, "=")
	if !found {
		return ""
	}
	return k
}
