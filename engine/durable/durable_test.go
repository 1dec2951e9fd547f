package durable

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWriteFileReplacesTheOldFileWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, pieces := range [][]string{{"a long first version"}, {"new", "", "er"}} {
		var data [][]byte
		for _, p := range pieces {
			data = append(data, []byte(p))
		}
		if err := WriteFile(path, data...); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != strings.Join(pieces, "") {
			t.Fatalf("the file holds %q (%v), want %q", got, err, strings.Join(pieces, ""))
		}
	}
	leaves(t, filepath.Dir(path), "file")
}

func TestAFailedWriteLeavesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "taken") // a folder that is not empty cannot be replaced
	if err := os.MkdirAll(filepath.Join(path, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	err := WriteFile(path, []byte("x"))
	if err == nil || !strings.Contains(err.Error(), "write "+path) {
		t.Fatalf("error %v, want one that names %s", err, path)
	}
	leaves(t, dir, "taken")
	if err := WriteFile(filepath.Join(dir, "no such folder", "f"), nil); err == nil {
		t.Fatal("wrote into a folder that is not there")
	}
}

// leaves checks that a folder holds one thing and no temporary files.
func leaves(t *testing.T, dir, name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != name {
		t.Fatalf("the folder holds %v (%v), want %s alone", entries, err, name)
	}
}
