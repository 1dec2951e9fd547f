package serve

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// A stream has two goroutines. One receives, performs and sends; the other, the
// handler that gRPC called, watches for whatever ends the stream while the first is
// blocked: a client that reads nothing or asks for nothing, a stream that takes over, a
// server that drains. When the handler returns, gRPC unblocks the first.

// streamState is the watcher's view of the work.
type streamState struct {
	session atomic.Pointer[attached]
	bound   chan struct{} // closed when session is set
	// since is the instant when the present wait began, and phase what is waited for.
	since   atomic.Int64
	phase   atomic.Int32
	drained chan struct{} // closed when the server drains
}

type attached struct {
	*session
	*attachment
	over func() bool // reports that the stream has ended
}

const (
	receiving = iota
	working
	sending
)

func (w *streamState) enter(phase int32) {
	w.since.Store(int64(clock()))
	w.phase.Store(phase)
}

// Step performs the commands of a stream.
func (e *environments) Step(stream pb.EnvironmentService_StepServer) error {
	w := &streamState{bound: make(chan struct{}), drained: e.draining}
	w.enter(receiving)
	ended := make(chan error, 1)
	e.streams.Add(1)
	go func() {
		defer e.streams.Done()
		ended <- e.stepStream(stream, w)
	}()
	return e.watch(stream.Context(), w, ended)
}

// watch returns why the stream ends.
func (e *environments) watch(ctx context.Context, w *streamState, ended <-chan error) error {
	tick := time.NewTicker(min(time.Second, time.Duration(e.cfg.SendTimeout)/4, time.Duration(e.cfg.IdleTimeout)/4))
	defer tick.Stop()
	bound, draining := w.bound, e.draining
	var replaced <-chan struct{}
	for {
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
			return status.FromContextError(ctx.Err()).Err()
		case <-bound:
			bound, replaced = nil, w.session.Load().replaced
		case <-replaced:
			return errReplaced()
		case <-draining:
			// An answer that is on its way is let through; the worker then ends by itself.
			draining = nil
			if w.phase.Load() == receiving {
				return errDraining()
			}
		case <-tick.C:
			waited := clock().since(instant(w.since.Load()))
			switch phase := w.phase.Load(); {
			case phase == sending && waited > time.Duration(e.cfg.SendTimeout):
				return again(codes.Aborted, "SLOW_READER", "send_timeout: the answer was not read in time: attach again and send the command again")
			case phase == receiving && waited > time.Duration(e.cfg.IdleTimeout):
				return again(codes.Aborted, "IDLE", "idle_timeout: the stream was idle for too long: attach again")
			}
		}
	}
}

func errReplaced() error {
	return again(codes.Aborted, "REPLACED", "session_id: another stream has attached to the session, or it was closed")
}

// stepStream receives, performs and sends until the stream ends.
func (e *environments) stepStream(stream pb.EnvironmentService_StepServer, w *streamState) (err error) {
	ctx, cancel := context.WithCancel(stream.Context()) // one whose end is found at once: gRPC's is wrapped many times
	defer cancel()
	defer func() { e.recovered(recover(), pb.EnvironmentService_Step_FullMethodName, &err) }()
	who, by := identity(ctx), askerOf(ctx)
	var at *attached
	defer func() {
		if at != nil {
			at.detach()
		}
	}()
	req := new(pb.StepRequest)
	for {
		w.enter(receiving)
		if err := stream.RecvMsg(req); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		w.enter(working)
		if err := e.limits.wait(ctx); err != nil {
			return err
		}
		if at == nil {
			s, err := e.sessions.hold(ctx, req.SessionId, who)
			if err != nil {
				return err
			}
			at = &attached{s, s.attach(), gone(ctx)}
			s.release()
			w.session.Store(at)
			close(w.bound)
		} else if req.SessionId != "" && req.SessionId != at.id {
			return badField("session_id", "a stream has one session: leave it out or open another stream")
		}
		if err := at.mayThink(ctx); err != nil {
			return err
		}
		w.enter(sending)
		l, err := e.unsent.admit(ctx, by, at.session, at.answer.size())
		if err != nil {
			return err
		}
		w.enter(working)
		f, err := at.perform(ctx, req, l)
		if err != nil {
			return err
		}
		w.enter(sending)
		if err := stream.SendMsg(f); err != nil {
			return err
		}
		select {
		case <-w.drained:
			return errDraining()
		default:
		}
	}
}

// perform performs a command and seals its answer, for which there is room.
func (a *attached) perform(ctx context.Context, req *pb.StepRequest, l *load) (f *frame, err error) {
	defer func() {
		if f == nil {
			l.free()
		}
	}()
	if err := a.enter(ctx, a.over); err != nil {
		return nil, err
	}
	defer a.release()
	defer a.abandon()
	if a.stream != a.attachment {
		return nil, errReplaced()
	}
	if err := a.step(req, a.over); err != nil {
		return nil, err
	}
	answer := &pb.StepResponse{Seq: a.seq, Batch: a.show()}
	if req.DrawSeed != nil {
		actions, err := a.draw(*req.DrawSeed)
		if err != nil {
			return nil, err
		}
		answer.DrawnActions = a.draws.tensor
		answer.DrawnActions.Data = appendInts(answer.DrawnActions.Data[:0], actions)
	}
	return l.seal(answer)
}
