package enginetest

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// PrintedBox checks that a file holds the compiled components of a game as JSON, as engine.NewPrintedBox reads them, or
// writes it.
func PrintedBox[T any](t *testing.T, update bool, path string, compiled *T) {
	t.Helper()
	if update {
		text, err := json.Marshal(compiled)
		if err == nil {
			err = os.WriteFile(path, append(text, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read := new(T)
	if err := json.Unmarshal(text, read); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if !reflect.DeepEqual(read, compiled) {
		t.Errorf("%s is not what components.yaml says: go test -run Printed -update writes it again", path)
	}
}
