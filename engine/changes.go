package engine

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// Change is one difference between two positions.
type Change struct {
	Path string `json:"path"` // as in ships[1].hull
	From string `json:"from"` // JSON, or "" if it was not there
	To   string `json:"to"`   // JSON, or "" if it is gone
}

func (c Change) String() string {
	switch {
	case c.From == "":
		return fmt.Sprintf("%s: %s (new)", c.Path, c.To)
	case c.To == "":
		return fmt.Sprintf("%s: %s (gone)", c.Path, c.From)
	}
	return fmt.Sprintf("%s: %s → %s", c.Path, c.From, c.To)
}

// Changes lists what differs between two positions, in the order of their
// paths. Lists of plain values are compared as wholes. Anything under ignore (paths as in Change)
// is skipped.
func Changes(before, after []byte, ignore ...string) ([]Change, error) {
	a, err := flatten(before)
	if err != nil {
		return nil, err
	}
	b, err := flatten(after)
	if err != nil {
		return nil, err
	}
	var all []Change
	for p, v := range a {
		if b[p] != v {
			all = append(all, Change{p, v, b[p]})
		}
	}
	for p, v := range b {
		if _, ok := a[p]; !ok {
			all = append(all, Change{p, "", v})
		}
	}
	kept := all[:0]
next:
	for _, c := range all {
		for _, p := range ignore {
			if c.Path == p || strings.HasPrefix(c.Path, p+".") || strings.HasPrefix(c.Path, p+"[") {
				continue next
			}
		}
		kept = append(kept, c)
	}
	sort.Slice(kept, func(i, j int) bool { return kept[i].Path < kept[j].Path })
	return kept, nil
}

func flatten(data []byte) (map[string]string, error) {
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("compare positions: %w", err)
	}
	out := map[string]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				if path == "" {
					walk(k, e)
				} else {
					walk(path+"."+k, e)
				}
			}
			return
		case []any:
			nested := false
			for _, e := range v {
				_, isMap := e.(map[string]any)
				nested = nested || isMap
			}
			if nested {
				for i, e := range v {
					walk(fmt.Sprintf("%s[%d]", path, i), e)
				}
				return
			}
		}
		text, _ := json.Marshal(v)
		out[path] = string(text)
	}
	walk("", v)
	return out, nil
}
