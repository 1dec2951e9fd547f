package prompt

import (
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

func TestRulesAreChosenByTheirWeightAndWrittenInTheirOrder(t *testing.T) {
	d := engine.Definition{
		Name:   "made_up",
		Params: []engine.Param{{Name: "edition", Default: "final", Choices: []string{"final", "first"}}},
		Rules: `
| clause | rule | final | first |
| --- | --- | --- | --- |
| **A-1** | One. | yes | yes |
| **A-2** | Two. | no | yes |
| **A-3** | Three. | gap | — |
| **A-4** | Four. | yes | yes |
`,
	}
	for _, c := range []struct {
		game   string
		brief  []string
		budget int
		want   string
	}{
		{"made_up", nil, 100, "A-1 One.\nA-3 Three.\nA-4 Four.\n"},
		{"made_up(edition=first)", nil, 100, "A-1 One.\nA-2 Two.\nA-4 Four.\n"},
		{"made_up", nil, 7, "A-1 One.\n"},
		{"made_up", nil, 0, ""},
		{"made_up", []string{"A-4", "A-2", "A-1"}, 100, "A-1 One.\nA-4 Four.\n"},
		{"made_up", []string{"A-4", "A-2", "A-1"}, 7, "A-4 Four.\n"},
	} {
		d.Brief = nil
		if c.brief != nil {
			d.Brief = func(engine.Config) []string { return c.brief }
		}
		config, err := engine.ParseSettings("game string", c.game, d.Name, d.Parameters())
		if err != nil {
			t.Fatal(err)
		}
		if got := brief(d, config, c.budget); got != c.want {
			t.Errorf("%s, %v, %d tokens: %q: want %q", c.game, c.brief, c.budget, got, c.want)
		}
	}
}
