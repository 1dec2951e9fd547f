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

// A server that drains writes one file for each open session, and the next server
// with the same folder opens the sessions again under their old names: a client
// attaches and sends the command that it has no answer to again.

const sessionFile = ".session"

// saveSessions writes and closes all open sessions.
func (s *Server) saveSessions() error {
	if err := os.MkdirAll(s.cfg.Snapshots, 0o700); err != nil {
		return fmt.Errorf("serve: snapshots: %w", err)
	}
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
	data, err := proto.Marshal(st)
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(s.cfg.Snapshots, one.id+sessionFile), data)
}

// restoreSessions opens what saveSessions wrote. A file that cannot be used is
// reported and left where it is.
func (s *Server) restoreSessions() error {
	entries, err := os.ReadDir(s.cfg.Snapshots)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("snapshots: %w", err)
	}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), sessionFile)
		if !ok {
			continue
		}
		path := filepath.Join(s.cfg.Snapshots, e.Name())
		if err := s.restoreSession(path, id); err != nil {
			s.log.Error("session not restored", "session", short(id), "file", path, "error", err.Error())
			continue
		}
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("snapshots: %w", err)
		}
		s.log.Info("session restored", "session", short(id))
	}
	return nil
}

func (s *Server) restoreSession(path, id string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var st pb.SessionState
	if err := proto.Unmarshal(data, &st); err != nil || st.SessionId != id || st.Opened == nil {
		return errors.New("the file is damaged")
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
		if err := one.adopt(&st); err != nil {
			s.sessions.remove(one)
			return err
		}
	}
	one.performed(st.Seq, st.Digest)
	one.release()
	return nil
}
