package serve_test

import (
	"math"
	"path/filepath"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/serve"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// The fuzz targets send a server every request that a client can invent. What makes no
// sense is refused with a status that a client can act on; an internal error would be a
// panic or a gap in the checks. Environments are small, so that no input takes long.

func small(c *serve.Config) {
	c.MaxEnvsPerSession, c.MaxEnvs, c.MaxSessions, c.MaxTables = 8, 64, 8, 8
	c.MaxMessageBytes = 1 << 20
	c.Lease = serve.Duration(5e9)
}

// proper checks that a request was performed or refused, and not failed.
func proper(t *testing.T, err error) {
	t.Helper()
	switch status.Code(err) {
	case codes.Internal, codes.Unknown, codes.Unavailable, codes.DataLoss:
		t.Fatalf("the server failed: %v", err)
	}
}

func wire(f *testing.F, messages ...proto.Message) {
	for _, m := range messages {
		data, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

func FuzzOpen(f *testing.F) {
	r := begin(f, small)
	wire(f, &pb.OpenRequest{Game: "kuhn", NumEnvs: 2}, &pb.OpenRequest{Game: "doubloons(seats=3)", NumEnvs: 4, AutoresetMode: 2, FullView: true, ShuffleSeats: true, Players: []string{"", "random", "heuristic"}})
	f.Fuzz(func(t *testing.T, data []byte) {
		var req pb.OpenRequest
		if proto.Unmarshal(data, &req) != nil {
			return
		}
		open, err := r.env.Open(soon(t), &req)
		proper(t, err)
		if err == nil {
			if _, err := r.env.Close(soon(t), &pb.CloseRequest{SessionId: open.SessionId}); err != nil {
				t.Fatal(err)
			}
		}
		_, err = r.env.Describe(soon(t), &pb.DescribeRequest{Game: req.Game})
		proper(t, err)
	})
}

func FuzzStep(f *testing.F) {
	r := begin(f, small)
	wire(f, act([]int32{0, 1, 0}), resetAll(),
		&pb.StepRequest{Seq: 2, Command: &pb.StepRequest_Reset_{Reset_: &pb.ResetCommand{Rows: &pb.Tensor{Dtype: 1, Shape: []uint32{3}, Data: []byte{0, 1, 0}}}}},
		&pb.StepRequest{Command: &pb.StepRequest_Actions{Actions: &pb.Tensor{Dtype: pb.DType_D_TYPE_INT64, Shape: []uint32{3}, Data: make([]byte, 24)}}},
		&pb.StepRequest{Seq: 2, Command: act([]int32{1, 1, 1}).Command, DrawSeed: proto.Uint64(math.MaxUint64)})
	f.Fuzz(func(t *testing.T, data []byte) {
		var req pb.StepRequest
		if proto.Unmarshal(data, &req) != nil {
			return
		}
		mine := *r
		mine.t = t
		s := mine.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 3, Seed: proto.Uint64(1)}).attach()
		defer func() {
			if _, err := r.env.Close(soon(t), &pb.CloseRequest{SessionId: s.open.SessionId}); err != nil {
				t.Fatal(err)
			}
		}()
		before := s.must(resetAll())
		req.SessionId = s.open.SessionId
		if err := s.stream.Send(&req); err != nil {
			t.Fatal(err)
		}
		answer, err := s.stream.Recv()
		proper(t, err)
		at, bad := r.env.Attach(soon(t), &pb.AttachRequest{SessionId: s.open.SessionId})
		if bad != nil {
			t.Fatal(bad)
		}
		// Performed or not at all.
		if want := map[bool]*pb.Batch{true: answer.GetBatch(), false: before}[err == nil]; !proto.Equal(at.Batch, want) {
			t.Fatalf("after %v the session shows something else", err)
		}
	})
}

func FuzzRestore(f *testing.F) {
	r := begin(f, small)
	s := r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 2})
	if _, err := r.env.Reset(soon(f), &pb.ResetRequest{SessionId: s.open.SessionId, Seq: 1}); err != nil {
		f.Fatal(err)
	}
	snap, err := r.env.Snapshot(soon(f), &pb.SnapshotRequest{SessionId: s.open.SessionId})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(snap.Snapshot)
	f.Add([]byte("no snapshot"))
	seq := uint64(1)
	f.Fuzz(func(t *testing.T, data []byte) {
		resp, err := r.env.Restore(soon(t), &pb.RestoreRequest{SessionId: s.open.SessionId, Seq: seq + 1, Snapshot: data})
		proper(t, err)
		if err == nil {
			seq = resp.Seq
		}
	})
}

func FuzzPolicy(f *testing.F) {
	shark := filepath.Join(f.TempDir(), "shark.bundle")
	export(f, shark, "leduc", 1)
	r := begin(f, func(c *serve.Config) {
		small(c)
		c.Policies = []string{shark}
	})
	wire(f, &pb.ActRequest{Bot: "random", Decisions: &pb.ActRequest_Tensors{Tensors: &pb.TensorDecisions{
		Game: "leduc", ActionMask: &pb.Tensor{Dtype: 1, Shape: []uint32{2, 1}, Data: []byte{7, 1}},
	}}}, &pb.ActRequest{Bot: "policy:shark", Decisions: &pb.ActRequest_Tensors{Tensors: &pb.TensorDecisions{
		Game: "leduc", ActionMask: &pb.Tensor{Dtype: 1, Shape: []uint32{1, 1}, Data: []byte{7}},
		Observation: &pb.Tensor{Dtype: 1, Shape: []uint32{1, 39}, Data: make([]byte, 39)},
	}}}, &pb.HostRequest{Game: "kuhn", Seats: []string{"", "random"}}, &pb.PlayRequest{TableId: "x", Decision: 1, Action: proto.Int32(3)}, &pb.ThinkRequest{Game: "leduc", Bot: "policy:shark", Position: `{"game": "leduc"}`})
	host, err := r.policy.Host(soon(f), &pb.HostRequest{Game: "leduc", Seats: []string{"", "random"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var a pb.ActRequest
		if proto.Unmarshal(data, &a) == nil {
			_, err := r.policy.Act(soon(t), &a)
			proper(t, err)
		}
		var k pb.ThinkRequest
		if proto.Unmarshal(data, &k) == nil {
			_, err := r.policy.Think(soon(t), &k)
			proper(t, err)
		}
		var h pb.HostRequest
		if proto.Unmarshal(data, &h) == nil {
			_, err := r.policy.Host(soon(t), &h)
			proper(t, err)
		}
		var p pb.PlayRequest
		if proto.Unmarshal(data, &p) == nil {
			p.TableId, p.SeatKey = host.TableId, host.SeatKeys[0]
			_, err := r.policy.Play(soon(t), &p)
			proper(t, err)
		}
	})
}

// Any bytes at all, as the request of any method; which one is chosen by the first byte.
func FuzzBytes(f *testing.F) {
	r := begin(f, small)
	var methods []string
	for _, service := range []grpc.ServiceDesc{pb.EnvironmentService_ServiceDesc, pb.PolicyService_ServiceDesc} {
		for _, m := range service.Methods {
			methods = append(methods, "/"+service.ServiceName+"/"+m.MethodName)
		}
	}
	// All requests about a session have its name first.
	about, err := proto.Marshal(&pb.CloseRequest{SessionId: r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 2}).open.SessionId})
	if err != nil {
		f.Fatal(err)
	}
	for i := range methods {
		f.Add(append([]byte{byte(i)}, about...))
		f.Add([]byte{byte(i), 0x0a, 4, 'k', 'u', 'h', 'n', 0x10, 2, 0x1a, 0})
		f.Add([]byte{byte(i), 0xff, 0xff})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		method := methods[int(data[0])%len(methods)]
		var answer []byte
		proper(t, r.conn.Invoke(soon(t), method, data[1:], &answer, grpc.ForceCodec(bytesCodec{})))
		if _, err := r.env.Describe(soon(t), &pb.DescribeRequest{Game: "kuhn"}); err != nil {
			t.Fatalf("after %x to %s: %v", data[1:], method, err)
		}
	})
}
