package serve_test

import (
	"context"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/serve"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// cable is the network between one client and the server: it can be cut.
type cable struct {
	addr string
	mu   sync.Mutex
	conn []net.Conn
}

func (c *cable) dial(ctx context.Context, _ string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.addr)
	if err == nil {
		c.mu.Lock()
		c.conn = append(c.conn, conn)
		c.mu.Unlock()
	}
	return conn, err
}

func (c *cable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.conn {
		conn.Close()
	}
	c.conn = nil
}

// soaker is a client that is now and then unlucky or malicious.
type soaker struct {
	t      *testing.T
	rand   *rand.Rand
	cable  *cable
	env    pb.EnvironmentServiceClient
	open   *pb.OpenResponse
	seq    uint64
	batch  *pb.Batch
	stream pb.EnvironmentService_StepClient
	cancel context.CancelFunc
}

func (s *soaker) attach(ctx context.Context) {
	if s.cancel != nil {
		s.cancel()
	}
	ctx, s.cancel = context.WithCancel(ctx)
	stream, err := s.env.Step(ctx, grpc.WaitForReady(true))
	if err != nil {
		s.t.Error(err)
	}
	s.stream = stream
}

// command sends a command until it is answered, whatever happens in between.
func (s *soaker) command(ctx context.Context, req *pb.StepRequest) bool {
	s.seq++
	req.SessionId, req.Seq = s.open.SessionId, s.seq
	for try := 0; ctx.Err() == nil; try++ {
		switch s.rand.IntN(40) {
		case 0: // the connection is lost before the command is sent
			s.cable.cut()
		case 1: // or after it was sent, and before its answer
			_ = s.stream.Send(req)
			s.cable.cut()
		case 2: // the client forgets its stream
			s.attach(ctx)
		case 3: // the command is sent twice, and another out of turn
			_ = s.stream.Send(req)
			if resp, err := s.stream.Recv(); err == nil && resp.Seq != s.seq {
				s.t.Errorf("command %d was answered as %d", s.seq, resp.Seq)
			}
		}
		_ = s.stream.Send(req) // if it fails, Recv has the reason
		resp, err := s.stream.Recv()
		if err == nil {
			if resp.Seq != s.seq {
				s.t.Errorf("command %d was answered as %d", s.seq, resp.Seq)
			}
			s.batch = resp.Batch
			return true
		}
		switch status.Code(err) {
		case codes.Unavailable, codes.Canceled, codes.Aborted:
		default:
			s.t.Errorf("command %d: %v", s.seq, err)
			return false
		}
		s.attach(ctx)
	}
	return false
}

// misbehave sends what must be refused and change nothing.
func (s *soaker) misbehave(ctx context.Context) {
	bad := []*pb.StepRequest{
		act([]int32{9999, -1, 3, 4}), act([]int32{0}), {},
		{Command: &pb.StepRequest_Actions{Actions: &pb.Tensor{Dtype: pb.DType_D_TYPE_FLOAT32}}},
	}[s.rand.IntN(4)]
	bad.SessionId, bad.Seq = s.open.SessionId, s.seq+1+uint64(s.rand.IntN(2))
	_ = s.stream.Send(bad)
	if _, err := s.stream.Recv(); err == nil {
		s.t.Error("nonsense was performed")
	}
	short, cancel := context.WithTimeout(ctx, time.Duration(s.rand.IntN(300))*time.Microsecond)
	_, _ = s.env.Attach(short, &pb.AttachRequest{SessionId: s.open.SessionId}) // its deadline may pass at any moment
	cancel()
	s.attach(ctx)
}

// Many clients at once, whose connections fail and who send nonsense: every batch is
// performed once, and in the end nothing is left behind.
func TestManyUnluckyClientsLeaveTheAccountsBalanced(t *testing.T) {
	const clients, commands = 12, 120
	before := runtime.NumGoroutine()
	r := begin(t, func(c *serve.Config) { c.Lease = serve.Duration(time.Minute) })
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var sent atomic.Int64
	var all sync.WaitGroup
	for i := range clients {
		all.Add(1)
		go func() {
			defer all.Done()
			s := &soaker{t: t, rand: rand.New(rand.NewPCG(uint64(i), 1)), cable: &cable{addr: r.addr}}
			conn, err := grpc.NewClient("passthrough:///soak", grpc.WithContextDialer(s.cable.dial),
				grpc.WithTransportCredentials(insecure.NewCredentials()),
				grpc.WithConnectParams(grpc.ConnectParams{MinConnectTimeout: time.Second}))
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			s.env = pb.NewEnvironmentServiceClient(conn)
			if s.open, err = s.env.Open(ctx, &pb.OpenRequest{Game: "leduc", NumEnvs: 4, Seed: proto.Uint64(uint64(i)), AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP}); err != nil {
				t.Error(err)
				return
			}
			s.attach(ctx)
			if !s.command(ctx, resetAll()) {
				return
			}
			for k := range commands {
				if s.rand.IntN(15) == 0 {
					s.misbehave(ctx)
				}
				if !s.command(ctx, act(legal(s.batch, k))) {
					return
				}
				sent.Add(4)
			}
			s.cancel()
			if _, err := s.env.Close(ctx, &pb.CloseRequest{SessionId: s.open.SessionId}, grpc.WaitForReady(true)); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	_, page := r.get("/metrics")
	for _, line := range []string{
		"privateer_env_steps_total{game=\"leduc\"} 5760", "privateer_sessions{game=\"leduc\"} 0",
		"privateer_envs{game=\"leduc\"} 0", "privateer_env_resets_total{game=\"leduc\"} 12",
	} {
		if !strings.Contains(page, line+"\n") {
			t.Errorf("the metrics lack %s", line)
		}
	}
	if sent.Load() != 4*clients*commands {
		t.Errorf("%d steps were answered, want %d", sent.Load(), 4*clients*commands)
	}
	r.conn.Close()
	r.stop()
	for wait := time.Now().Add(5 * time.Minute); runtime.NumGoroutine() > before && time.Now().Before(wait); {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines are left of %d", n, before)
	}
}

// A client that asks but does not read is dropped, and its session continues.
func TestSlowReaderIsDropped(t *testing.T) {
	r := begin(t, func(c *serve.Config) { c.SendTimeout = serve.Duration(200 * time.Millisecond) })
	s := r.session(&pb.OpenRequest{Game: "doubloons", NumEnvs: 512, Seed: proto.Uint64(1)}).attach()
	s.must(resetAll())
	// Answers of half a megabyte fill the window of a client that does not read.
	reset := resetAll()
	for seq := uint64(2); seq < 40; seq++ {
		reset.SessionId, reset.Seq = s.open.SessionId, seq
		if err := s.stream.Send(reset); err != nil {
			break
		}
	}
	other := r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 1}).attach()
	other.must(resetAll()) // meanwhile the others are served
	time.Sleep(time.Second)
	var err error
	for err == nil {
		_, err = s.stream.Recv()
	}
	if status.Code(err) != codes.Aborted {
		t.Fatalf("the slow reader's stream ended with %v, want Aborted", err)
	}
	at, err := r.env.Attach(soon(t), &pb.AttachRequest{SessionId: s.open.SessionId})
	if err != nil {
		t.Fatal(err)
	}
	s.seq, s.batch = at.Seq, at.Batch
	s.attach().must(act(legal(s.batch, 0)))
}

// Opens beyond the limit are refused, and leave nothing behind.
func TestTenThousandOpens(t *testing.T) {
	r := begin(t, func(c *serve.Config) {
		c.MaxSessions, c.Confirm = 50, serve.Duration(time.Hour) // on a slow machine the opens take longer than sessions that nobody names may live
	})
	opened := 0
	for range 10_000 {
		_, err := r.env.Open(soon(t), &pb.OpenRequest{Game: "kuhn", NumEnvs: 1})
		switch status.Code(err) {
		case codes.OK:
			opened++
		case codes.ResourceExhausted:
		default:
			t.Fatal(err)
		}
	}
	if opened != 50 {
		t.Fatalf("%d sessions are open, want 50", opened)
	}
}
