package encode

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// Reference writes the layout of a game's observations and its action space as Markdown, for SCHEMA.md.
func (e *Encoder) Reference(w io.Writer) error {
	b := bufio.NewWriter(w)
	s := e.full
	fmt.Fprintf(b, "## %s\n\n", s.Game)
	fmt.Fprintf(b, "Version %d. Seat view: %d bytes, `%s`. Full view: %d bytes, `%s`. Actions: %d.\n\n",
		s.Version, e.seat.Size, e.seat.Hash(), s.Size, s.Hash(), len(s.Actions))
	groups(b, s.Game, s.Groups, len(e.seat.Groups))
	if a := e.action; a != nil {
		fmt.Fprintf(b, "\n### The row of a legal action of %s\n\nVersion %d, %d bytes, `%s`.\n\n", s.Game, a.Version, a.Size, a.Hash())
		groups(b, s.Game+"-row", a.Groups, -1)
		if end := e.advice; end != nil {
			fmt.Fprintf(b, "\nWith advice the row continues with %s:\n\n", engine.Count(end.size, "byte", ""))
			groups(b, s.Game+"-advice", end.groups, -1)
		}
	}
	fmt.Fprintf(b, "\n### Actions of %s\n\nBy their index in the mask:\n\n| from | names |\n| --- | --- |\n", s.Game)
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

// groups writes a table of groups, after links to those whose names begin alike; those from hidden on are only in the full view. anchors begin
// the ids to which the links lead, such as doubloons-opponents.
func groups(w io.Writer, anchors string, all []Group, hidden int) {
	var links []string
	first := map[int]string{} // ids, by the group that has them
	for i, g := range all {
		kind := strings.FieldsFunc(g.Name, func(r rune) bool { return r == '.' || r == '[' })[0]
		id := anchors + "-" + kind
		if link := fmt.Sprintf("[%s](#%s)", kind, id); !slices.Contains(links, link) {
			links = append(links, link)
			first[i] = fmt.Sprintf(`<a id="%s"></a>`, id)
		}
	}
	fmt.Fprintf(w, "%s\n\n| offset | group | shape | max | scale | meaning |\n| --- | --- | --- | --- | --- | --- |\n", strings.Join(links, " · "))
	for i, g := range all {
		if i == hidden {
			fmt.Fprintf(w, "| | *only in the full view:* | | | | |\n")
		}
		shape := strings.ReplaceAll(strings.Trim(fmt.Sprint(g.Shape), "[]"), " ", " × ")
		fmt.Fprintf(w, "| %s%d | `%s` | %s | %d | %.4g | %s |\n", first[i], g.Offset, g.Name, shape, g.Max, g.Scale, g.Doc)
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
