package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/privateer-rl/privateer/engine/kit/position"
)

// lineWidth is how wide a line of a printed position may be.
const lineWidth = 96

// writePosition prints a position for people to read: what fits on one line
// is on one line, and long lists fill their lines.
func writePosition(out io.Writer, data []byte) error {
	root, err := position.Parse(data)
	if err != nil {
		return fmt.Errorf("print position: %w", err)
	}
	var b bytes.Buffer
	layOut(&b, root, 0, 0)
	b.WriteByte('\n')
	_, err = b.WriteTo(out)
	return err
}

// layOut writes a value that begins at column and whose lines are indented
// by depth steps.
func layOut(b *bytes.Buffer, v *position.Value, depth, column int) {
	line := inline(v)
	// The top level is always broken up, so that each of its entries begins a line.
	if depth > 0 && column+len(line) < lineWidth || len(line) <= 2 {
		b.WriteString(line)
		return
	}
	indent := strings.Repeat("  ", depth+1)
	switch v.Kind {
	case '{':
		b.WriteString("{\n")
		for i, k := range v.Keys {
			key := quoted(k)
			fmt.Fprintf(b, "%s%s: ", indent, key)
			layOut(b, v.Get(k), depth+1, len(indent)+len(key)+2)
			b.WriteString(separator(i, len(v.Keys)))
		}
		b.WriteString(indent[2:] + "}")
	case '[':
		b.WriteString("[\n")
		layOutList(b, v.Items, depth, indent)
		b.WriteString(indent[2:] + "]")
	default:
		b.WriteString(line)
	}
}

// layOutList writes the items of a list that needs more than one line: objects
// and lists a line each, plain values side by side.
func layOutList(b *bytes.Buffer, items []*position.Value, depth int, indent string) {
	column := 0
	for i, item := range items {
		if item.Kind == '{' || item.Kind == '[' {
			if column > 0 {
				b.WriteByte('\n')
				column = 0
			}
			b.WriteString(indent)
			layOut(b, item, depth+1, len(indent))
			b.WriteString(separator(i, len(items)))
			continue
		}
		text := inline(item)
		switch {
		case column == 0:
			b.WriteString(indent)
			column = len(indent)
		case column+len(text)+2 > lineWidth:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(text)
		column += len(text) + 1
		if i+1 < len(items) {
			b.WriteByte(',')
		} else {
			b.WriteByte('\n')
		}
	}
}

// separator ends the i-th of n items that have a line each.
func separator(i, n int) string {
	if i+1 < n {
		return ",\n"
	}
	return "\n"
}

// inline is a value on one line.
func inline(v *position.Value) string {
	var parts []string
	switch v.Kind {
	case '{':
		for _, k := range v.Keys {
			parts = append(parts, quoted(k)+": "+inline(v.Get(k)))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case '[':
		for _, item := range v.Items {
			parts = append(parts, inline(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	text, _ := v.MarshalJSON() // what was read can be written
	return string(text)
}

func quoted(name string) string {
	text, _ := json.Marshal(name) // a string always encodes
	return string(text)
}
