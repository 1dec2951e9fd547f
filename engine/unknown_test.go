package engine

import (
	"strings"
	"testing"
)

// A program that imports no game learns what to import.
func TestAnUnknownGameSaysWhatToImport(t *testing.T) {
	if err := unknown("leduc", nil); !strings.Contains(err.Error(), `import _ "github.com/privateer-rl/privateer/engine/games"`) {
		t.Errorf("%v", err)
	}
}
