package encode

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Reference writes the layout of a game's observations and its action space as
// Markdown. SCHEMA.md is made of it.
func (e *Encoder) Reference(w io.Writer) error {
	b := bufio.NewWriter(w)
	s := e.full
	fmt.Fprintf(b, "## %s\n\n", s.Game)
	fmt.Fprintf(b, "Version %d. Seat view: %d bytes, `%s`. Full view: %d bytes, `%s`. Actions: %d.\n\n",
		s.Version, e.seat.Size, e.seat.Hash(), s.Size, s.Hash(), len(s.Actions))
	fmt.Fprintf(b, "| offset | group | shape | max | scale | meaning |\n| --- | --- | --- | --- | --- | --- |\n")
	for i, g := range s.Groups {
		if i == len(e.seat.Groups) {
			fmt.Fprintf(b, "| | *only in the full view:* | | | | |\n")
		}
		shape := strings.ReplaceAll(strings.Trim(fmt.Sprint(g.Shape), "[]"), " ", " × ")
		fmt.Fprintf(b, "| %d | `%s` | %s | %d | %.4g | %s |\n", g.Offset, g.Name, shape, g.Max, g.Scale, g.Doc)
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

// key is the part of an action's name before "=", or "".
func key(name string) string {
	k, _, found := strings.Cut(name, "=")
	if !found {
		return ""
	}
	return k
}
