package yamlfile_test

import (
	"errors"
	"io"
	"testing"

	"github.com/privateer-rl/privateer/engine/kit/yamlfile"
)

type file struct {
	Workers int                                   `yaml:"workers"`
	Seed    uint64                                `yaml:"seed"`
	Small   int8                                  `yaml:"small"`
	Share   float64                               `yaml:"share"`
	On      bool                                  `yaml:"on"`
	Name    string                                `yaml:"name"`
	List    []int                                 `yaml:"list"`
	Cards   map[string]struct{ Value, Count int } `yaml:"cards"`
}

func TestErrorsNameKeyLineAndWhatIsWanted(t *testing.T) {
	for text, want := range map[string]string{
		"on: true\nworkers: ten": `line 2: workers: want a whole number, not "ten"`,
		"workers: 1.5":           `line 1: workers: want a whole number, not "1.5"`,
		"workers: [1]":           `line 1: workers: want a whole number, not a list`,
		"seed: -1":               `line 1: seed: want a whole number that is not negative, not "-1"`,
		"small: 300":             `line 1: small: want a whole number from -128 to 127, not "300"`,
		"share: much":            `line 1: share: want a number, not "much"`,
		"on: perhaps":            `line 1: on: want true or false, not "perhaps"`,
		"name: {a: b}":           `line 1: name: want text, not a mapping`,
		"list: 3":                `line 1: list: want a list, not "3"`,
		"list: [1,\n  two]":      `line 2: list: entry 2: want a whole number, not "two"`,
		"cards:\n  a: {value: 1, count: many and more}": `line 2: cards: a: count: want a whole number, not "many an..."`,
		"cards: {a: 3}":               `line 1: cards: a: want lines of the form name: value, not "3"`,
		"- 1":                         `line 1: want lines of the form name: value, not a list`,
		`name: "\e[2J"`:               `line 1: the text "\x1b[2J" has the character U+001B: want text that can be shown`,
		`"na\u202eme": x`:             `line 1: the text "na\u202eme" has the character U+202E: want text that can be shown`,
		"crew: 1":                     `line 1: unknown key "crew"`,
		"workers: 1\nworkers: 2":      `line 2: workers is given twice, first in line 1`,
		"workers: ten\nseed: ten":     `line 1: workers: want a whole number, not "ten"; line 2: seed: want a whole number that is not negative, not "ten"`,
		"a: b: c":                     `it is not YAML: mapping values are not allowed in this context`,
		"workers: 1\n---\nworkers: 2": yamlfile.ErrMore.Error(),
	} {
		if err := yamlfile.Decode([]byte(text), new(file)); err == nil || err.Error() != want {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
	if err := yamlfile.Decode(nil, new(file)); !errors.Is(err, io.EOF) {
		t.Errorf("an empty file: %v", err)
	}
}
