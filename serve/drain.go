package serve

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/engine/durable"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// A server that drains writes one file for each open session and table, and the next
// server with the same folder opens them again under their old names: a client
// attaches, or plays on, and sends what it has no answer to again.

const (
	sessionFile = ".session"
	tableFile   = ".table"
)

// saveAll writes and closes all open sessions and tables.
func (s *Server) saveAll() error {
	if err := os.MkdirAll(s.cfg.Snapshots, 0o700); err != nil {
		return fmt.Errorf("serve: snapshots: %w", err)
	}
	return errors.Join(s.saveSessions(), s.saveTables())
}

// write writes a file that gives access to what it holds, and is for nobody else
// to read.
func (s *Server) write(name string, state proto.Message) error {
	data, err := proto.Marshal(state)
	if err != nil {
		return err
	}
	path := filepath.Join(s.cfg.Snapshots, name)
	if err := durable.WriteFile(path, data); err != nil {
		return err
	}
	return os.Chmod(path, 0o600)
}

func (s *Server) saveSessions() error {
	var failed error
	saved := 0
	for _, one := range s.sessions.list() {
		one.lock <- struct{}{}
		if one.closed {
			one.release()
			continue
		}
		err := s.saveSession(one)
		s.sessions.remove(one)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("serve: snapshot of session %s: %w", short(one.id), err))
			continue
		}
		saved++
	}
	s.log.Info("sessions written", "sessions", saved, "folder", s.cfg.Snapshots)
	return failed
}

func (s *Server) saveSession(one *session) error {
	st, err := one.snapshot()
	if err != nil {
		return err
	}
	st.SessionId, st.Owner, st.Lease = one.id, one.owner, int64(one.lease)
	return s.write(one.id+sessionFile, st)
}

func (s *Server) saveTables() error {
	var failed error
	saved := 0
	for _, one := range s.tables.list() {
		if err := s.write(one.id+tableFile, one.state()); err != nil {
			failed = errors.Join(failed, fmt.Errorf("serve: snapshot of table %s: %w", short(one.id), err))
			continue
		}
		saved++
	}
	s.log.Info("tables written", "tables", saved, "folder", s.cfg.Snapshots)
	return failed
}

// restoreAll opens what saveAll wrote. A file that cannot be used is reported and
// left where it is.
func (s *Server) restoreAll() error {
	entries, err := os.ReadDir(s.cfg.Snapshots)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("snapshots: %w", err)
	}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		restore := map[string]func(path, id string) error{sessionFile: s.restoreSession, tableFile: s.restoreTable}[ext]
		if restore == nil {
			continue
		}
		kind, id, path := ext[1:], strings.TrimSuffix(e.Name(), ext), filepath.Join(s.cfg.Snapshots, e.Name())
		if err := restore(path, id); err != nil {
			s.log.Error(kind+" not restored", kind, short(id), "file", path, "error", err.Error())
			continue
		}
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("snapshots: %w", err)
		}
		s.log.Info(kind+" restored", kind, short(id))
	}
	return nil
}

func (s *Server) restoreTable(path, id string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var st pb.TableState
	if err := proto.Unmarshal(data, &st); err != nil || st.TableId != id {
		return errDamaged
	}
	one, err := s.seated(st.Host)
	if err != nil {
		return err
	}
	if err := one.adopt(&st); err != nil {
		return err
	}
	return s.tables.add(one)
}

var errDamaged = errors.New("the file is damaged")

func (s *Server) restoreSession(path, id string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var st pb.SessionState
	if err := proto.Unmarshal(data, &st); err != nil || st.SessionId != id || st.Opened == nil {
		return errDamaged
	}
	cfg, lease, err := readOpen(st.Opened, &s.cfg)
	if err != nil {
		return err
	}
	if st.Lease > 0 {
		lease = min(lease, time.Duration(st.Lease))
	}
	one, err := s.sessions.make(id, st.Owner, st.Opened, cfg, lease)
	if err != nil {
		return err
	}
	one.lock <- struct{}{}
	if len(st.Vector) > 0 {
		if err := one.adopt(&st, true); err != nil {
			s.sessions.remove(one)
			return err
		}
	}
	one.performed(st.Seq, st.Digest)
	one.named.Store(true) // its client has a restart to wait out, and the whole lease for it
	one.release()
	return nil
}
