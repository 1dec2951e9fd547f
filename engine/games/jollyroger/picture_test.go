package jollyroger

import (
	"slices"
	"testing"
)

// A card that has no number says in the picture what it does.
func TestSpecialCardsSayWhatTheyDo(t *testing.T) {
	for _, name := range crewNames[NumNormal:] {
		if specialTexts[name] == "" {
			t.Errorf("%s: the picture does not say what it does", name)
		}
	}
	for name := range specialTexts {
		if !slices.Contains(crewNames[NumNormal:], name) {
			t.Errorf("%s is no special card", name)
		}
	}
}
