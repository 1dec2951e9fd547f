//go:build unix

package serve_test

import (
	"context"
	"net"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// BenchmarkStepStream measures a client and a server in one process over loopback: the
// step stream of 1,024 matches, and beside it the ceiling: messages of the same sizes that
// nobody computes or reads. cpu-ns/envstep is processor time of both ends, which is also
// meaningful on a busy machine.
//
//	go test ./serve -run '^$' -bench StepStream -cpu 2
func BenchmarkStepStream(b *testing.B) {
	const n = 1024
	for _, game := range []string{"kuhn", "leduc", "doubloons(seats=4)"} {
		var answer int // bytes of a message
		r := begin(b, nil)
		s := r.session(&pb.OpenRequest{Game: game, NumEnvs: n, Seed: proto.Uint64(1), AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP})
		stream, err := r.env.Step(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		s.stream = stream
		answer = proto.Size(s.must(resetAll()))
		req := act(legal(s.batch, 0))
		b.Run(game+"/steps", func(b *testing.B) {
			began := processorTime(b)
			for b.Loop() {
				// The first legal action of each row: choosing is up to the client, and cheap here.
				firstLegal(s.batch.ActionMask, req.GetActions().Data)
				s.must(req)
			}
			report(b, n, answer, began)
		})
		if err := stream.CloseSend(); err != nil {
			b.Fatal(err)
		}
		b.Run(game+"/ceiling", func(b *testing.B) {
			client, stop := echo(b, answer)
			defer stop()
			stream, err := client(context.Background())
			if err != nil {
				b.Fatal(err)
			}
			req, resp := wrapperspb.Bytes(make([]byte, 4*n)), new(wrapperspb.BytesValue)
			began := processorTime(b)
			for b.Loop() {
				if err := stream.SendMsg(req); err != nil {
					b.Fatal(err)
				}
				if err := stream.RecvMsg(resp); err != nil {
					b.Fatal(err)
				}
			}
			report(b, n, answer, began)
			if err := stream.CloseSend(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// processorTime is what this process has used.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func report(b *testing.B, n, answer int, began time.Duration) {
	steps := float64(b.N * n)
	b.SetBytes(int64(answer))
	b.ReportMetric(steps/b.Elapsed().Seconds(), "envsteps/s")
	b.ReportMetric(float64(processorTime(b)-began)/steps, "cpu-ns/envstep")
}

func firstLegal(mask *pb.Tensor, actions []byte) {
	n, width := int(mask.Shape[0]), int(mask.Shape[1])
	for i := range n {
		row := mask.Data[i*width : (i+1)*width]
		for k, bits := range row {
			if bits == 0 {
				continue
			}
			a := 8 * k
			for bits&1 == 0 {
				bits, a = bits>>1, a+1
			}
			actions[4*i], actions[4*i+1] = byte(a), byte(a>>8)
			break
		}
	}
}

// echo is a server that answers every message with this number of bytes.
func echo(b *testing.B, answer int) (open func(context.Context) (grpc.ClientStream, error), stop func()) {
	b.Helper()
	desc := grpc.StreamDesc{StreamName: "Echo", ServerStreams: true, ClientStreams: true, Handler: func(_ any, s grpc.ServerStream) error {
		req, resp := new(wrapperspb.BytesValue), wrapperspb.Bytes(make([]byte, answer))
		for s.RecvMsg(req) == nil {
			if err := s.SendMsg(resp); err != nil {
				return err
			}
		}
		return nil
	}}
	const window = 4 << 20
	srv := grpc.NewServer(grpc.MaxSendMsgSize(1<<28), grpc.WriteBufferSize(256<<10), grpc.ReadBufferSize(64<<10), grpc.InitialWindowSize(window), grpc.InitialConnWindowSize(window))
	srv.RegisterService(&grpc.ServiceDesc{ServiceName: "ceiling", HandlerType: (*any)(nil), Streams: []grpc.StreamDesc{desc}}, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	conn := dial(b, l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithInitialWindowSize(window), grpc.WithInitialConnWindowSize(window))
	return func(ctx context.Context) (grpc.ClientStream, error) {
			return conn.NewStream(ctx, &desc, "/ceiling/Echo")
		}, func() {
			conn.Close()
			srv.Stop()
			if err := <-served; err != nil {
				b.Error(err)
			}
		}
}
