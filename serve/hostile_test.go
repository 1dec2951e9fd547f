package serve_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/serve"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// A status travels in a header, for which clients have 8 KiB: the answer to a long
// name or a long list must be shorter.
func TestStatusFitsIntoAHeaderWhateverWasAsked(t *testing.T) {
	r := begin(t, nil)
	long := strings.Repeat("й", 100_000)
	list := "doubloons(modules=" + strings.Repeat("compass+", 50_000) + "compass)"
	p := r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 1}).attach()
	p.must(resetAll())
	axes := &pb.Tensor{Dtype: pb.DType_D_TYPE_UINT8, Shape: make([]uint32, 100_000), Data: []byte{1}}
	for i := range axes.Shape {
		axes.Shape[i] = 1
	}
	for name, ask := range map[string]func() (field string, err error){
		"describe": func() (string, error) {
			_, err := r.env.Describe(soon(t), &pb.DescribeRequest{Game: long})
			return "game", err
		},
		"parameters": func() (string, error) {
			_, err := r.env.Describe(soon(t), &pb.DescribeRequest{Game: list})
			return "game", err
		},
		"open": func() (string, error) {
			_, err := r.env.Open(soon(t), &pb.OpenRequest{Game: "leduc", NumEnvs: 1, Players: []string{"", long}})
			return "players", err
		},
		"host": func() (string, error) {
			_, err := r.policy.Host(soon(t), &pb.HostRequest{Game: "leduc", Seats: []string{long, ""}})
			return "seats", err
		},
		"act": func() (string, error) {
			_, err := r.policy.Act(soon(t), &pb.ActRequest{Bot: long, Decisions: &pb.ActRequest_Tensors{Tensors: &pb.TensorDecisions{Game: "leduc"}}})
			return "bot", err
		},
		"step": func() (string, error) {
			_, err := p.send(&pb.StepRequest{Command: &pb.StepRequest_Actions{Actions: axes}})
			return "actions.shape", err
		},
	} {
		field, err := ask()
		expect(t, err, codes.InvalidArgument, field)
		st := status.Convert(err)
		// In the header, three bytes of a letter beyond ASCII become nine, and the details grow by a third.
		header := len(st.Message())*3 + proto.Size(st.Proto())*4/3
		if header > 7000 || !strings.HasPrefix(st.Message(), field+": ") {
			t.Errorf("%s: a header of %d bytes, a message of %d: %.80s", name, header, len(st.Message()), st.Message())
		}
	}
}

// bytesCodec sends bytes as they are.
type bytesCodec struct{}

func (bytesCodec) Name() string                  { return "proto" }
func (bytesCodec) Marshal(v any) ([]byte, error) { return v.([]byte), nil }
func (bytesCodec) Unmarshal([]byte, any) error   { return nil }

// Bytes that are not a message are the client's fault, and not an internal error,
// which would alert the server's operator.
func TestBytesThatAreNoMessageAreRefused(t *testing.T) {
	r := begin(t, nil)
	garbage := []byte{0x0a, 0xff, 0xff, 0xff}
	for _, service := range []grpc.ServiceDesc{pb.EnvironmentService_ServiceDesc, pb.PolicyService_ServiceDesc} {
		for _, m := range service.Methods {
			err := r.conn.Invoke(soon(t), "/"+service.ServiceName+"/"+m.MethodName, garbage, new([]byte), grpc.ForceCodec(bytesCodec{}))
			expect(t, err, codes.InvalidArgument, "request")
		}
		for _, m := range service.Streams {
			desc := grpc.StreamDesc{ClientStreams: true, ServerStreams: true}
			stream, err := r.conn.NewStream(soon(t), &desc, "/"+service.ServiceName+"/"+m.StreamName, grpc.ForceCodec(bytesCodec{}))
			if err != nil {
				t.Fatal(err)
			}
			if err := stream.SendMsg(garbage); err != nil {
				t.Fatal(err)
			}
			expect(t, stream.RecvMsg(new([]byte)), codes.InvalidArgument, "request")
		}
	}
	text := r.exposition()
	if strings.Contains(text, `code="Internal"`) || !strings.Contains(text, `code="InvalidArgument"`) {
		t.Error("garbage is counted as internal errors")
	}
}

// exposition is what Prometheus would see.
func (r *running) exposition() string {
	r.t.Helper()
	resp, err := http.Get(r.metrics + "/metrics")
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// A client that takes all it may leaves something to others.
func TestEachClientHasLimitsOfItsOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte("ann:aaaaaaaaaaaaaaaa\nmary:bbbbbbbbbbbbbbbb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := begin(t, func(c *serve.Config) {
		c.Tokens, c.MaxSessionsPerClient, c.MaxEnvsPerClient = file, 3, 20
	})
	open := func(token string, envs uint32) (string, error) {
		ctx := metadata.AppendToOutgoingContext(soon(t), "authorization", "Bearer "+token)
		s, err := r.env.Open(ctx, &pb.OpenRequest{Game: "kuhn", NumEnvs: envs})
		return s.GetSessionId(), err
	}
	const ann, mary = "aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"
	first, err := open(ann, 12)
	if err != nil {
		t.Fatal(err)
	}
	_, err = open(ann, 9)
	expect(t, err, codes.ResourceExhausted, "max_envs_per_client")
	for range 2 {
		if _, err := open(ann, 1); err != nil {
			t.Fatal(err)
		}
	}
	_, err = open(ann, 1)
	expect(t, err, codes.ResourceExhausted, "max_sessions_per_client")
	if _, err := open(mary, 20); err != nil {
		t.Errorf("another client is refused: %v", err)
	}
	ctx := metadata.AppendToOutgoingContext(soon(t), "authorization", "Bearer "+ann)
	if _, err := r.env.Close(ctx, &pb.CloseRequest{SessionId: first}); err != nil {
		t.Fatal(err)
	}
	if _, err := open(ann, 18); err != nil {
		t.Errorf("what was closed is not given back: %v", err)
	}
}

// forged is a snapshot with one byte of its match changed, and with a matching checksum.
func forged(t *testing.T, snapshot []byte, at int, value byte) []byte {
	t.Helper()
	var st pb.SessionState
	if err := proto.Unmarshal(snapshot, &st); err != nil {
		t.Fatal(err)
	}
	// What the vector ends with: the match, the number of rows to receive, the checksum.
	v := st.Vector[:len(st.Vector)-4]
	v[len(v)-4-1-at] = value
	st.Vector = durable.Seal(v)
	data, err := proto.Marshal(&st)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Clients may send any snapshot, and a match that the rules cannot reach is the client's
// fault: it is refused, or can be played on.
func TestForgedSnapshotDoesNotBreakTheRules(t *testing.T) {
	r := begin(t, nil)
	s := r.session(&pb.OpenRequest{Game: "doubloons(seats=2)", NumEnvs: 1, Seed: proto.Uint64(1), AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP}).attach()
	s.must(resetAll())
	for i := range 30 {
		s.must(act(legal(s.batch, i)))
	}
	snap, err := r.env.Snapshot(soon(t), &pb.SnapshotRequest{SessionId: s.open.SessionId})
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for at := range 300 {
		_, err := r.env.Restore(soon(t), &pb.RestoreRequest{SessionId: s.open.SessionId, Seq: s.seq + 1, Snapshot: forged(t, snap.Snapshot, at, 0x7f)})
		if err != nil {
			expect(t, err, codes.InvalidArgument, "snapshot")
			refused++
			continue
		}
		at, err := r.env.Attach(soon(t), &pb.AttachRequest{SessionId: s.open.SessionId})
		if err != nil {
			t.Fatal(err)
		}
		s.seq, s.batch = at.Seq, at.Batch
		for i := range 20 {
			s.must(act(legal(s.batch, i)))
		}
	}
	if refused == 0 {
		t.Error("every byte of a match may be changed")
	}
	// A server takes its own snapshots without a close check; another server checks them.
	if _, err := r.env.Restore(soon(t), &pb.RestoreRequest{SessionId: s.open.SessionId, Seq: s.seq + 1, Snapshot: snap.Snapshot}); err != nil {
		t.Fatal(err)
	}
	next := begin(t, nil).session(&pb.OpenRequest{Game: "doubloons(seats=2)", NumEnvs: 1, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP})
	if _, err := next.env.Restore(soon(t), &pb.RestoreRequest{SessionId: next.open.SessionId, Seq: 1, Snapshot: snap.Snapshot}); err != nil {
		t.Fatal(err)
	}
}

// foreign is a snapshot that another server wrote, and the request that opens a session for it.
func foreign(t *testing.T, envs uint32) (*pb.OpenRequest, []byte) {
	t.Helper()
	open := &pb.OpenRequest{Game: "doubloons(seats=2)", NumEnvs: envs, Seed: proto.Uint64(1)}
	other := begin(t, nil)
	s := other.session(open).attach()
	s.must(resetAll())
	snap, err := other.env.Snapshot(soon(t), &pb.SnapshotRequest{SessionId: s.open.SessionId})
	if err != nil {
		t.Fatal(err)
	}
	return open, snap.Snapshot
}

// Checking a snapshot takes time, and stops when a client has used up its time for that.
func TestForeignSnapshotsAreGivenSoMuchTime(t *testing.T) {
	large, largeSnapshot := foreign(t, 200)
	small, smallSnapshot := foreign(t, 5)
	tokens := withTokens(t)
	ask := func(r *running, token string, open *pb.OpenRequest, snapshot []byte, restores int) (*player, error) {
		ctx := bearing(t, token)
		o, err := r.env.Open(ctx, open)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.env.Reset(ctx, &pb.ResetRequest{SessionId: o.SessionId, Seq: 1}); err != nil {
			t.Fatal(err)
		}
		s := &player{running: r, open: o, seq: 1}
		for range restores {
			if _, err := r.env.Restore(ctx, &pb.RestoreRequest{SessionId: o.SessionId, Seq: s.seq + 1, Snapshot: snapshot}); err != nil {
				return s, err
			}
			s.seq++
		}
		return s, nil
	}

	never := begin(t, func(c *serve.Config) { tokens(c); c.RestoreTime = serve.Duration(time.Millisecond) })
	s, err := ask(never, annsToken, large, largeSnapshot, 1)
	expect(t, err, codes.ResourceExhausted, "restore_time")
	if !strings.Contains(err.Error(), "fewer environments") {
		t.Errorf("of a snapshot that takes too long in any case: %v", err)
	}
	// The session is as it was, and the server's own snapshots need no such time.
	ctx := bearing(t, annsToken)
	at, err := never.env.Attach(ctx, &pb.AttachRequest{SessionId: s.open.SessionId})
	if err != nil || at.Seq != 1 {
		t.Fatalf("after the refusal: command %d: %v", at.GetSeq(), err)
	}
	own, err := never.env.Snapshot(ctx, &pb.SnapshotRequest{SessionId: s.open.SessionId})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := never.env.Restore(ctx, &pb.RestoreRequest{SessionId: s.open.SessionId, Seq: uint64(2 + i), Snapshot: own.Snapshot}); err != nil {
			t.Fatal(err)
		}
	}

	often := begin(t, func(c *serve.Config) { tokens(c); c.RestoreTime = serve.Duration(500 * time.Millisecond) })
	_, err = ask(often, annsToken, small, smallSnapshot, 10_000)
	if status.Code(err) != codes.ResourceExhausted || !strings.Contains(err.Error(), "try again") {
		t.Errorf("of many: %v", err)
	}
	if _, err := ask(often, "bbbbbbbbbbbbbbbb", small, smallSnapshot, 1); err != nil {
		t.Errorf("another client: %v", err)
	}
}

// A mask is a byte in a request, and 64 in memory.
func TestMasksForABotTakeLittleMemory(t *testing.T) {
	r := begin(t, nil)
	const rows = 1 << 20
	ask := &pb.ActRequest{Bot: "random", Decisions: &pb.ActRequest_Tensors{Tensors: &pb.TensorDecisions{
		Game: "kuhn", ActionMask: &pb.Tensor{Dtype: pb.DType_D_TYPE_UINT8, Shape: []uint32{rows, 1}, Data: bytes.Repeat([]byte{3}, rows)},
	}}}
	_, err := r.policy.Act(soon(t), ask)
	expect(t, err, codes.ResourceExhausted, "max_envs_per_session")
}
