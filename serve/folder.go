package serve

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/engine/durable"
)

// folder is where a server leaves its sessions and tables to the next one, a file each. A file is
// a line that says what it is, a message, and a seal over both. It gives access to what it
// holds, so nobody else may read it.
type folder struct{ path string }

const (
	sessionFile = ".session"
	tableFile   = ".table"
	trialFile   = "trial" // is removed again
)

// heads begin the files of each kind.
var heads = map[string][]byte{
	sessionFile: []byte("privateer session 2\n"),
	tableFile:   []byte("privateer table 2\n"),
}

// openFolder makes a folder if there is none, and shows that files can be kept in it: at the
// server's end it would be too late to find out that they cannot. While another server has the folder, that
// one has shown it.
func openFolder(path string) (*folder, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("snapshots: %s keeps no files: %w", path, err)
	}
	if _, err := os.ReadDir(path); err != nil {
		return nil, fmt.Errorf("snapshots: %s cannot be read: %w", path, err)
	}
	f := &folder{path}
	unlock, err := f.lock()
	if err != nil {
		return f, nil
	}
	defer unlock()
	trial := filepath.Join(path, trialFile)
	err = durable.WritePrivate(trial, []byte("whether files can be kept here\n"))
	if err == nil {
		err = os.Remove(trial)
	}
	if err != nil {
		return nil, fmt.Errorf("snapshots: %s keeps no files: %w", path, err)
	}
	return f, nil
}

// lock keeps a second server out while this one has files in the folder that the second
// would open too. If the file system has no locks, the operator must see to that.
func (f *folder) lock() (unlock func(), err error) {
	dir, err := durable.Lock(f.path)
	switch {
	case errors.Is(err, durable.ErrLocked):
		return nil, fmt.Errorf("snapshots: %s belongs to another server that has not ended yet: try again when it has, or name another folder", f.path)
	case err != nil:
		return func() {}, nil
	}
	return func() { dir.Close() }, nil
}

// write keeps a session or table.
func (f *folder) write(id, kind string, state proto.Message) error {
	data, err := proto.MarshalOptions{}.MarshalAppend(bytes.Clone(heads[kind]), state)
	if err != nil {
		return err
	}
	return durable.WritePrivate(filepath.Join(f.path, id+kind), durable.Seal(data))
}

// errDamaged says that a file is not as it was written. It is not used, even if it can be
// parsed.
var errDamaged = errors.New("the file was altered after it was written, or another version wrote it: put the original back and start again, or remove it")

// read returns the kept bytes, exactly, or an error.
func (f *folder) read(id, kind string, state proto.Message) error {
	path := filepath.Join(f.path, id+kind)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return errors.Join(err, errDamaged)
	}
	sealed, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return unseal(sealed, kind, state)
}

func unseal(sealed []byte, kind string, state proto.Message) error {
	data, whole := durable.Unseal(sealed)
	data, of := bytes.CutPrefix(data, heads[kind])
	if !whole || !of || proto.Unmarshal(data, state) != nil {
		return errDamaged
	}
	return nil
}

// remove forgets what was kept, for good.
func (f *folder) remove(id, kind string) error {
	if err := os.Remove(filepath.Join(f.path, id+kind)); err != nil {
		return err
	}
	return durable.SyncDir(f.path)
}

// sweep removes what a server was writing when it was killed.
func (f *folder) sweep() error {
	return durable.Sweep(f.path, func(name string) bool {
		return name == trialFile || strings.HasSuffix(name, sessionFile) || strings.HasSuffix(name, tableFile)
	})
}

// kept are the names of all that is kept of a kind.
func (f *folder) kept(kind string) (ids []string, err error) {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), kind); ok {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
