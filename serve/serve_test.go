package serve_test

import (
	"context"
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/serve"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running is a running server and a connection to it.
type running struct {
	t       testing.TB
	addr    string
	metrics string
	stop    func() // drains the server and waits for its end
	conn    *grpc.ClientConn
	env     pb.EnvironmentServiceClient
	policy  pb.PolicyServiceClient
}

// begin starts a server on a free port of the loopback interface.
func begin(t testing.TB, change func(*serve.Config)) *running {
	t.Helper()
	cfg := serve.DefaultConfig()
	cfg.Addr, cfg.MetricsAddr, cfg.Drain = "127.0.0.1:0", "127.0.0.1:0", serve.Duration(2*time.Second)
	if change != nil {
		change(&cfg)
	}
	ready := make(chan [2]net.Addr, 1)
	srv, err := serve.New(cfg, serve.Options{Ready: func(a, m net.Addr) { ready <- [2]net.Addr{a, m} }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(ctx) }()
	r := &running{t: t}
	select {
	case at := <-ready:
		r.addr, r.metrics = at[0].String(), "http://"+at[1].String()
	case err := <-ended:
		t.Fatal(err)
	}
	stopped := false
	r.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	}
	t.Cleanup(r.stop)
	r.conn = dial(t, r.addr)
	r.env, r.policy = pb.NewEnvironmentServiceClient(r.conn), pb.NewPolicyServiceClient(r.conn)
	return r
}

func dial(t testing.TB, addr string, opts ...grpc.DialOption) *grpc.ClientConn {
	t.Helper()
	if len(opts) == 0 {
		opts = []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}
	}
	opts = append(opts, grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(1<<28), grpc.MaxCallSendMsgSize(1<<28)))
	conn, err := grpc.NewClient(addr, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// soon is a context that a test's requests end with.
func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// player is a client of one session, which plays at random.
type player struct {
	*running
	open   *pb.OpenResponse
	n      int
	seq    uint64
	stream pb.EnvironmentService_StepClient
	batch  *pb.Batch
}

func (r *running) session(req *pb.OpenRequest) *player {
	r.t.Helper()
	open, err := r.env.Open(soon(r.t), req)
	if err != nil {
		r.t.Fatal(err)
	}
	return &player{running: r, open: open, n: int(req.NumEnvs)}
}

func (p *player) attach() *player {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	p.t.Cleanup(cancel)
	var err error
	if p.stream, err = p.env.Step(ctx); err != nil {
		p.t.Fatal(err)
	}
	return p
}

// send sends a command with the next number and returns its answer.
func (p *player) send(req *pb.StepRequest) (*pb.Batch, error) {
	req.SessionId, req.Seq = p.open.SessionId, p.seq+1
	if err := p.stream.Send(req); err != nil {
		_, err = p.stream.Recv() // has the status
		return nil, err
	}
	resp, err := p.stream.Recv()
	if err != nil {
		return nil, err
	}
	p.seq, p.batch = resp.Seq, resp.Batch
	return resp.Batch, nil
}

func (p *player) must(req *pb.StepRequest) *pb.Batch {
	p.t.Helper()
	b, err := p.send(req)
	if err != nil {
		p.t.Fatal(err)
	}
	return b
}

func resetAll() *pb.StepRequest {
	return &pb.StepRequest{Command: &pb.StepRequest_Reset_{Reset_: &pb.ResetCommand{}}}
}

func act(actions []int32) *pb.StepRequest {
	return &pb.StepRequest{Command: &pb.StepRequest_Actions{Actions: actionTensor(actions)}}
}

func actionTensor(actions []int32) *pb.Tensor {
	t := &pb.Tensor{Dtype: pb.DType_D_TYPE_INT32, Shape: []uint32{uint32(len(actions))}}
	for _, a := range actions {
		t.Data = append(t.Data, byte(a), byte(a>>8), byte(a>>16), byte(a>>24))
	}
	return t
}

// legal is the pick-th legal action of each row, counted cyclically.
func legal(b *pb.Batch, pick int) []int32 {
	n, width := int(b.ActionMask.Shape[0]), int(b.ActionMask.Shape[1])
	actions := make([]int32, n)
	for i := range actions {
		var all []int32
		for k, bits := range b.ActionMask.Data[i*width : (i+1)*width] {
			for j := range 8 {
				if bits>>j&1 == 1 {
					all = append(all, int32(8*k+j))
				}
			}
		}
		actions[i] = all[(pick+i)%len(all)]
	}
	return actions
}
