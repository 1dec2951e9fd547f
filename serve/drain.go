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
	"github.com/privateer-rl/privateer/serve/table"
)

// A server that drains writes one file for each open session and table, and the next
// server with the same folder opens them again under their old names: a client
// attaches, or plays on, and sends again what was not answered.
//
// Whatever kills a server, and whenever, the file of a session or table that has not been
// continued is still there: the first request about what it holds removes it, before the answer.

// saveAll writes and ends what is idle, and then, until the context ends, what is still at
// work; a session whose bots still think then is written as it stood before the command that they think for, which is then never
// performed. Sessions that could not be written continue, and can be tried again. Nothing waits for anything else, nor beyond the context.
func (s *Server) saveAll(ctx context.Context) error {
	if s.folder == nil {
		return nil
	}
	if err := os.MkdirAll(s.folder.path, 0o700); err != nil {
		return fmt.Errorf("serve: snapshots: %w", err)
	}
	const writers = 8 // several files are synced to the disk at a time
	slots := make(chan struct{}, writers)
	tables, sessions := s.tables.list(), s.sessions.list()
	var failed [2]error
	var all sync.WaitGroup
	all.Go(func() {
		failed[0] = s.saveEach("table", len(tables), func(i int) (string, bool, error) {
			wrote, err := s.saveTable(ctx, tables[i], slots)
			return tables[i].id, wrote, err
		})
	})
	all.Go(func() {
		failed[1] = s.saveEach("session", len(sessions), func(i int) (string, bool, error) {
			wrote, err := s.saveWhenFree(ctx, sessions[i], slots)
			return sessions[i].id, wrote, err
		})
	})
	all.Wait()
	return errors.Join(failed[:]...)
}

// saveEach writes n of a kind, all at the same time: one that is at work does not hold up others.
func (s *Server) saveEach(kind string, n int, save func(i int) (id string, wrote bool, err error)) error {
	var mu sync.Mutex
	var failed error
	saved := 0
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			id, wrote, err := save(i)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				failed = errors.Join(failed, fmt.Errorf("serve: snapshot of %s %s: %w", kind, short(id), err))
			case wrote:
				saved++
			}
		})
	}
	all.Wait()
	if saved > 0 {
		s.log.Info(kind+"s written", kind+"s", saved, "folder", s.folder.path)
	}
	return failed
}

// saveWhenFree writes a session as soon as no command is at work on it, in one of the slots, unless it is closed. One that is free is
// written even if ctx has ended, and one that is not as it stood.
func (s *Server) saveWhenFree(ctx context.Context, one *session, slots chan struct{}) (wrote bool, err error) {
	if one.parted.Load() {
		return false, nil
	}
	select {
	case one.lock <- struct{}{}:
	default:
		select {
		case one.lock <- struct{}{}:
		case <-ctx.Done():
			return s.saveStanding(one, slots, errAtWork)
		}
	}
	type result struct {
		wrote bool
		err   error
	}
	ended := make(chan result, 1)
	go func() { // the bots of a command that is finished first may think on
		defer one.release()
		wrote, err := s.saveFree(ctx, one, slots)
		ended <- result{wrote, err}
	}()
	select {
	case r := <-ended:
		return r.wrote, r.err
	case <-ctx.Done():
	}
	if wrote, err := s.saveStanding(one, slots, nil); wrote || err != nil {
		return wrote, err
	}
	r := <-ended // it is being written
	return r.wrote, r.err
}

// saveFree writes a session whose lock is held.
func (s *Server) saveFree(ctx context.Context, one *session, slots chan struct{}) (wrote bool, err error) {
	defer func() { s.recovered(recover(), "drain", &err) }()
	if one.closed {
		return s.saveStanding(one, slots, nil)
	}
	if err := s.finish(ctx, one); err != nil {
		return s.saveStanding(one, slots, err)
	}
	st, err := one.snapshot()
	if err != nil {
		return s.saveStanding(one, slots, err)
	}
	if err := s.writeSession(one, st, slots); err != nil {
		return false, err
	}
	one.leave()
	return true, nil
}

// saveStanding writes a session as it stood before the command at hand, which is then never performed; if there is no such command, or it
// has been performed meanwhile, the error is the one given.
func (s *Server) saveStanding(one *session, slots chan struct{}, none error) (wrote bool, err error) {
	st := one.standing.Swap(nil)
	if st == nil {
		return false, none
	}
	if err := s.writeSession(one, st, slots); err != nil {
		one.standing.Store(st) // to be tried again
		return false, err
	}
	one.parted.Store(true)
	return true, nil
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

// writeSession writes a session in one of the slots.
func (s *Server) writeSession(one *session, st *pb.SessionState, slots chan struct{}) error {
	slots <- struct{}{}
	defer func() { <-slots }()
	st.SessionId, st.Owner, st.Lease = one.id, one.owner, int64(one.lease)
	st.Named, st.Left = one.named.Load(), int64(one.left(clock(), time.Duration(s.cfg.Confirm)))
	return s.folder.write(one.id, sessionFile, st)
}

// saveTable writes a table as it stands after its last decision, in one of the slots, and ends it here. It waits for the table no
// longer than ctx.
func (s *Server) saveTable(ctx context.Context, one *hosted, slots chan struct{}) (wrote bool, err error) {
	defer func() { s.recovered(recover(), "drain", &err) }()
	wrote, err = one.Keep(ctx, errDraining(), func(now table.State) error {
		st := &pb.TableState{
			TableId: one.id, Owner: one.owner, Host: one.host, HostKey: one.hostKey, SeatKeys: one.keys, Friendly: one.Friendly,
			MatchSeed: now.Seed, Draws: now.Draws, Left: int64(time.Duration(s.cfg.Lease) - clock().since(one.used)),
		}
		for _, m := range now.Moves {
			st.Seat, st.Action, st.Number = append(st.Seat, uint32(m.Seat)), append(st.Action, int32(m.Action)), append(st.Number, uint32(m.Number))
		}
		for _, n := range now.Next {
			st.Next = append(st.Next, uint32(n))
		}
		slots <- struct{}{}
		defer func() { <-slots }()
		return s.folder.write(one.id, tableFile, st)
	})
	if err != nil && err == ctx.Err() {
		err = errAtWork
	}
	return wrote, err
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
			if err := s.restoreOne(kind.restore, id); err != nil {
				s.log.Error(kind.name+" not restored", kind.name, short(id), "file", id+kind.file, "folder", s.folder.path, "error", err.Error())
				continue
			}
			s.log.Info(kind.name+" restored", kind.name, short(id))
		}
	}
	return nil
}

// restoreOne restores a session or table; what panics is one that cannot be restored.
func (s *Server) restoreOne(restore func(id string) error, id string) (err error) {
	defer func() { s.recovered(recover(), "restore", &err) }()
	return restore(id)
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
