package serve

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	_ "github.com/privateer-rl/privateer/engine/games"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// fading is a context that ends after it was asked once: in the middle of a request.
type fading struct {
	context.Context
	asked int
	why   error
}

func (f *fading) Err() error {
	if f.asked++; f.asked > 1 {
		return f.why
	}
	return nil
}

// late is one whose deadline has passed while its timer is still to come.
type late struct{ context.Context }

func (late) Deadline() (time.Time, bool) { return time.Now().Add(-time.Millisecond), true }

// A client that does not wait for the answer to Open does not learn the session's
// name, so nobody would ever close it.
func TestSessionWhoseClientHasGoneIsNotKept(t *testing.T) {
	cfg := DefaultConfig()
	srv, err := New(cfg, Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := &environments{Server: srv}
	for want, ctx := range map[codes.Code]context.Context{
		codes.Canceled:         &fading{Context: context.Background(), why: context.Canceled},
		codes.DeadlineExceeded: late{context.Background()},
	} {
		if _, err := e.Open(ctx, &pb.OpenRequest{Game: "leduc", NumEnvs: 4}); status.Code(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
		if n := len(srv.sessions.list()); n != 0 || srv.sessions.reserved != 0 || srv.sessions.envs != 0 {
			t.Errorf("%d sessions are open, %d with %d environments are counted", n, srv.sessions.reserved, srv.sessions.envs)
		}
	}
	p := &policies{Server: srv}
	if _, err := p.Host(late{context.Background()}, &pb.HostRequest{Game: "leduc", Seats: []string{"", "random"}}); status.Code(err) != codes.DeadlineExceeded {
		t.Errorf("%v, want %s", err, codes.DeadlineExceeded)
	}
	if n := srv.tables.underWay(); n != 0 {
		t.Errorf("%d tables are open", n)
	}
	open, err := e.Open(context.Background(), &pb.OpenRequest{Game: "leduc", NumEnvs: 4})
	if err != nil || len(srv.sessions.list()) != 1 {
		t.Fatalf("%v: %v", open, err)
	}
	srv.closeSessions()
}
