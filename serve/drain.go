package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// A server that drains writes one file for each open session and table, and the next
// server with the same folder opens them again under their old names: a client
// attaches, or plays on, and sends again what was not answered.
//
// Whatever kills a server, and whenever, the file of a session or table that has not been
// continued is still there: the first request about what it holds removes it, before the answer.

// saveAll writes and ends what is idle, and then, until the context ends, what is still at
// work. What could not be written goes on, and can be tried again.
func (s *Server) saveAll(ctx context.Context) error {
	if s.folder == nil {
		return nil
	}
	if err := os.MkdirAll(s.folder.path, 0o700); err != nil {
		return fmt.Errorf("serve: snapshots: %w", err)
	}
	return errors.Join(s.saveTables(), s.saveSessions(ctx))
}

// saveSessions does not let one that is at work hold up others.
func (s *Server) saveSessions(ctx context.Context) error {
	const writers = 8 // several files are synced to the disk at a time
	slots := make(chan struct{}, writers)
	var mu sync.Mutex
	var failed error
	saved := 0
	var all sync.WaitGroup
	for _, one := range s.sessions.list() {
		all.Go(func() {
			wrote, err := s.saveWhenFree(ctx, one, slots)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				failed = errors.Join(failed, fmt.Errorf("serve: snapshot of session %s: %w", short(one.id), err))
			case wrote:
				saved++
			}
		})
	}
	all.Wait()
	if saved > 0 {
		s.log.Info("sessions written", "sessions", saved, "folder", s.folder.path)
	}
	return failed
}

// saveWhenFree writes a session as soon as no command is at work on it, in one of the slots, unless it is closed. One that is free is
// written even if ctx has ended.
func (s *Server) saveWhenFree(ctx context.Context, one *session, slots chan struct{}) (wrote bool, err error) {
	select {
	case one.lock <- struct{}{}:
	default:
		select {
		case one.lock <- struct{}{}:
		case <-ctx.Done():
			return false, errAtWork
		}
	}
	defer one.release()
	if one.closed {
		return false, nil
	}
	if err := s.finish(ctx, one); err != nil {
		return false, err
	}
	slots <- struct{}{}
	defer func() { <-slots }()
	return true, s.saveSession(one)
}

// finish finishes the command of a session that had stopped, until ctx ends. The lock is held.
func (s *Server) finish(ctx context.Context, one *session) (err error) {
	defer func() { s.recovered(recover(), "drain", &err) }()
	defer one.abandon()
	if err := one.finish(gone(ctx)); one.halted.seq == 0 {
		return err
	}
	return errAtWork
}

var errAtWork = errors.New("a command is still at work on it")

// saveSession writes a session and ends it here. The lock is held.
func (s *Server) saveSession(one *session) error {
	st, err := one.snapshot()
	if err != nil {
		return err
	}
	st.SessionId, st.Owner, st.Lease = one.id, one.owner, int64(one.lease)
	st.Named, st.Left = one.named.Load(), int64(one.left(clock(), time.Duration(s.cfg.Confirm)))
	if err := s.folder.write(one.id, sessionFile, st); err != nil {
		return err
	}
	one.leave()
	return nil
}

func (s *Server) saveTables() error {
	var failed error
	saved := 0
	for _, one := range s.tables.list() {
		done, err := one.save(func(st *pb.TableState) error { return s.folder.write(one.id, tableFile, st) }, time.Duration(s.cfg.Lease))
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("serve: snapshot of table %s: %w", short(one.id), err))
		}
		if done {
			saved++
		}
	}
	if saved > 0 {
		s.log.Info("tables written", "tables", saved, "folder", s.folder.path)
	}
	return failed
}

// restoreAll opens what saveAll wrote. A file that cannot be used is reported and left where
// it is; the others stay too, until somebody continues from them.
func (s *Server) restoreAll() error {
	if err := s.folder.sweep(); err != nil {
		return fmt.Errorf("serve: snapshots: %w", err)
	}
	for _, kind := range []struct {
		name, file string
		restore    func(id string) error
	}{{"session", sessionFile, s.restoreSession}, {"table", tableFile, s.restoreTable}} {
		ids, err := s.folder.kept(kind.file)
		if err != nil {
			return fmt.Errorf("serve: snapshots: %w", err)
		}
		for _, id := range ids {
			if err := kind.restore(id); err != nil {
				s.log.Error(kind.name+" not restored", kind.name, short(id), "file", id+kind.file, "folder", s.folder.path, "error", err.Error())
				continue
			}
			s.log.Info(kind.name+" restored", kind.name, short(id))
		}
	}
	return nil
}

// discard removes the file of a session or table that somebody continues.
func (s *Server) discard(id, kind string) func() {
	return func() {
		if err := s.folder.remove(id, kind); err != nil {
			s.log.Error("an outdated file cannot be removed", "file", id+kind, "folder", s.folder.path, "error", err.Error())
		}
	}
}

func (s *Server) restoreTable(id string) error {
	var st pb.TableState
	if err := s.folder.read(id, tableFile, &st); err != nil {
		return err
	}
	if st.TableId != id {
		return errDamaged
	}
	one, err := s.seated(st.Owner, st.Host)
	if err != nil {
		return err
	}
	if err := one.adopt(&st); err != nil {
		return err
	}
	one.used = s.resume(time.Duration(s.cfg.Lease), st.Left)
	one.discard = s.discard(id, tableFile)
	_, err = s.tables.add(one)
	return err
}

func (s *Server) restoreSession(id string) error {
	var st pb.SessionState
	if err := s.folder.read(id, sessionFile, &st); err != nil {
		return err
	}
	if st.SessionId != id || st.Opened == nil {
		return errDamaged
	}
	cfg, lease, err := readOpen(st.Opened, &s.cfg)
	if err != nil {
		return err
	}
	if st.Lease > 0 {
		lease = min(lease, time.Duration(st.Lease))
	}
	one, err := s.sessions.make(id, st.Owner, proto.CloneOf(st.Opened), cfg, lease)
	if err != nil {
		return err
	}
	one.lock <- struct{}{}
	if len(st.Vector) > 0 {
		if err := one.adopt(context.Background(), &st, true); err != nil {
			s.sessions.remove(one)
			return err
		}
	}
	one.performed(st.Seq, st.Digest)
	one.named.Store(st.Named)
	one.used.Store(int64(s.resume(one.allowance(time.Duration(s.cfg.Confirm)), st.Left)))
	one.discard = s.discard(id, sessionFile)
	one.release()
	return nil
}

// resume is the last use of something that has this much of its allowance left. Its client
// has to wait for the restart, and gets some time to come back after it.
func (s *Server) resume(allowance time.Duration, left int64) instant {
	least := min(allowance, time.Duration(s.cfg.Confirm))
	return clock() - instant(allowance-max(min(allowance, time.Duration(left)), least))
}
