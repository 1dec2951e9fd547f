package engine

import (
	"strings"
	"testing"
)

func TestSetsOfWordsAreKeptInOneOrder(t *testing.T) {
	p := Param{Name: "modules", Default: NoWords, Words: []string{"black_jewel", "compass", "steal_ship"}}
	for given, want := range map[string]string{
		"none": "none", "compass": "compass", "steal_ship+black_jewel": "black_jewel+steal_ship",
		"steal_ship + compass+black_jewel": "black_jewel+compass+steal_ship",
	} {
		if got, err := p.normal(given); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", given, got, err, want)
		}
	}
	for given, says := range map[string]string{
		"compass+compass": "modules=compass+compass: compass is given twice",
		"compass+kraken":  `unknown "kraken": known are black_jewel, compass, steal_ship, joined by +, or none`,
		"none+compass":    `unknown "none"`,
		"compass+":        `unknown ""`,
	} {
		if got, err := p.normal(given); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q, %v; want an error that says %s", given, got, err, says)
		}
	}
}
