package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// lineWidth is how wide a line of a printed position may be.
const lineWidth = 96

// writePosition prints a position as people read it: what fits on one line
// stands on one line, and long lists fill theirs.
func writePosition(out io.Writer, position []byte) error {
	var b bytes.Buffer
	if err := layOut(&b, position, 0, 0); err != nil {
		return fmt.Errorf("print position: %w", err)
	}
	b.WriteByte('\n')
	_, err := b.WriteTo(out)
	return err
}

// layOut writes a JSON value that begins at column and whose lines are indented
// by depth steps.
func layOut(b *bytes.Buffer, value json.RawMessage, depth, column int) error {
	line, err := inline(value)
	if err != nil {
		return err
	}
	// The top level is always broken up, so that its entries stand below each other.
	if depth > 0 && column+len(line) < lineWidth || len(line) <= 2 {
		b.WriteString(line)
		return nil
	}
	indent := strings.Repeat("  ", depth+1)
	switch line[0] {
	case '{':
		doc, err := parseDocument(value)
		if err != nil {
			return err
		}
		b.WriteString("{\n")
		for i, e := range doc {
			key, _ := json.Marshal(e.key)
			fmt.Fprintf(b, "%s%s: ", indent, key)
			if err := layOut(b, e.value, depth+1, len(indent)+len(key)+2); err != nil {
				return err
			}
			b.WriteString(separator(i, len(doc)))
		}
		b.WriteString(indent[2:] + "}")
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return err
		}
		b.WriteString("[\n")
		if err := layOutList(b, items, depth, indent); err != nil {
			return err
		}
		b.WriteString(indent[2:] + "]")
	default:
		b.WriteString(line)
	}
	return nil
}

// layOutList writes the items of a list that needs more than one line: objects
// and lists below each other, plain values side by side.
func layOutList(b *bytes.Buffer, items []json.RawMessage, depth int, indent string) error {
	column := 0
	for i, item := range items {
		if nested := item[0] == '{' || item[0] == '['; nested {
			if column > 0 {
				b.WriteByte('\n')
				column = 0
			}
			b.WriteString(indent)
			if err := layOut(b, item, depth+1, len(indent)); err != nil {
				return err
			}
			b.WriteString(separator(i, len(items)))
			continue
		}
		switch {
		case column == 0:
			b.WriteString(indent)
			column = len(indent)
		case column+len(item)+2 > lineWidth:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.Write(item)
		column += len(item) + 1
		if i+1 < len(items) {
			b.WriteByte(',')
		} else {
			b.WriteByte('\n')
		}
	}
	return nil
}

// separator ends the i-th of n items that stand below each other.
func separator(i, n int) string {
	if i+1 < n {
		return ",\n"
	}
	return "\n"
}

// inline is a JSON value on one line.
func inline(value json.RawMessage) (string, error) {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return "", io.ErrUnexpectedEOF
	}
	var parts []string
	switch value[0] {
	case '{':
		doc, err := parseDocument(value)
		if err != nil {
			return "", err
		}
		for _, e := range doc {
			text, err := inline(e.value)
			if err != nil {
				return "", err
			}
			key, _ := json.Marshal(e.key)
			parts = append(parts, string(key)+": "+text)
		}
		return "{" + strings.Join(parts, ", ") + "}", nil
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return "", err
		}
		for _, item := range items {
			text, err := inline(item)
			if err != nil {
				return "", err
			}
			parts = append(parts, text)
		}
		return "[" + strings.Join(parts, ", ") + "]", nil
	}
	return string(value), nil
}
