package games_test

import (
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

// A server must know which parameters of a game string name files of its machine:
// all those of components.
func TestFilesInGameStringsAreDeclared(t *testing.T) {
	for _, d := range engine.Definitions() {
		if d.Components == "" {
			continue
		}
		files, err := engine.FilesOf(d.Name + "(components=secret.yaml)")
		if err != nil || !slices.Equal(files, []string{"secret.yaml"}) {
			t.Errorf("%s: files %v, %v: want secret.yaml", d.Name, files, err)
		}
	}
}
