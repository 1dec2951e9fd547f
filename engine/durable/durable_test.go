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

// While a private file is written, the folder has no file that others can read.
func TestAPrivateFileIsPrivateFromItsFirstByte(t *testing.T) {
	dir := t.TempDir()
	path, done := filepath.Join(dir, "keys"), make(chan error)
	go func() {
		var err error
		for i := 0; i < 100 && err == nil; i++ {
			err = WritePrivate(path, []byte("who has this key"), make([]byte, i*100))
		}
		done <- err
	}()
	for {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().Perm() != 0o600 {
				t.Fatalf("%s has the mode %v while it is written", e.Name(), info.Mode())
			}
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			leaves(t, dir, "keys")
			return
		default:
		}
	}
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
		t.Fatal("wrote into a folder that does not exist")
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

func TestSweepRemovesTheTemporaryFilesOfItsCallerAlone(t *testing.T) {
	dir := t.TempDir()
	gone := []string{"a.tmp-0123456789", "a.tmp-link", "b.tmp-7"}
	stay := []string{"a", "b", "c.tmp-7", "a.tmp-", "a.tmp-mine", "a.tmp-7.bak", "a.tmp", ".tmp-7", "a.tmp-1.tmp-2"}
	for _, name := range append(gone, stay...) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "b.tmp-8"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", filepath.Join(dir, "b.tmp-9")); err != nil {
		t.Fatal(err)
	}
	stay = append(stay, "b.tmp-8", "b.tmp-9")
	// What WriteFile itself leaves if it is killed is among them.
	tmp, err := os.CreateTemp(dir, "a"+tmpMark+"*")
	if err != nil {
		t.Fatal(err)
	}
	tmp.Close()
	if err := Sweep(dir, func(name string) bool { return name == "a" || name == "b" }); err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		left[e.Name()] = true
	}
	for _, name := range stay {
		if !left[name] {
			t.Errorf("%s was removed", name)
		}
		delete(left, name)
	}
	if len(left) > 0 {
		t.Errorf("%v are still there", left)
	}
	if err := Sweep(filepath.Join(dir, "no such folder"), nil); err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
	if err := Sweep(filepath.Join(dir, "a"), nil); err == nil {
		t.Error("a file was swept as a folder")
	}
}

func TestLinkReplacesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	first, second, name := filepath.Join(dir, "1"), filepath.Join(dir, "2"), filepath.Join(dir, "name")
	for _, file := range []string{first, second, second} { // a name may be linked again to the same file
		if err := WriteFile(file, []byte(file)); err != nil {
			t.Fatal(err)
		}
		if err := Link(file, name); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != file {
			t.Errorf("the name is of %q (%v), want %q", got, err, file)
		}
	}
	if err := Link(filepath.Join(dir, "none"), name); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("error %v, want one that names %s", err, name)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("the folder holds %v (%v), want three files", entries, err)
	}
}

func TestCheckSaysBeforehandWhatAWriteWouldFailOf(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"file": "", "new": "", "new/folder/file": "",
		".": "is a folder", "file/in a file": "file is not a folder", "file/and/deeper": "not a directory",
		strings.Repeat("x", 300): "too long",
	} {
		err := Check(filepath.Join(dir, path))
		if (err == nil) != (want == "") || err != nil && !(strings.Contains(err.Error(), want) && strings.HasPrefix(err.Error(), "write "+dir)) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if err := Check("/dev/null/x"); err == nil {
		t.Error("a file in a device can be written")
	}
	leaves(t, dir, "file")
}
