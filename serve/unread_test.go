package serve_test

import (
	"bytes"
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/serve"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// anyAborted is asked with the lock held.
func (w *wired) anyAborted() bool {
	for _, status := range w.status {
		if status == "10" {
			return true
		}
	}
	return false
}

// large is a session of which an answer has more than a mebibyte, and how much.
func (r *running) large() (s *player, size int64) {
	r.t.Helper()
	s = r.session(&pb.OpenRequest{Game: "doubloons(seats=4)", NumEnvs: 2000, Seed: proto.Uint64(1)}).attach()
	return s, int64(proto.Size(s.must(resetAll())))
}

// goesOn checks that a session is where its client left it, and steps it.
func (p *player) goesOn() {
	p.t.Helper()
	at, err := p.env.Attach(soon(p.t), &pb.AttachRequest{SessionId: p.open.SessionId})
	if err != nil || at.Seq != p.seq || !proto.Equal(at.Batch, p.batch) {
		p.t.Fatalf("the session is at command %d, want %d: %v", at.GetSeq(), p.seq, err)
	}
	p.attach().must(act(legal(p.batch, 1)))
}

func impatient(c *serve.Config) {
	c.SendTimeout, c.MaxUnsentBytes = serve.Duration(300*time.Millisecond), 8<<20
}

// The client asks again and again and reads no byte of what it asked for.
func TestAnswersThatNobodyReadsAreBounded(t *testing.T) {
	for name, ask := range map[string]func(r *running, w *wired, s *player) (more bool){
		"attach": func(_ *running, w *wired, s *player) bool {
			w.message(w.ask(pb.EnvironmentService_Attach_FullMethodName), &pb.AttachRequest{SessionId: s.open.SessionId}, true)
			return true
		},
		"streams that take over": func(_ *running, w *wired, s *player) bool {
			again := resetAll()
			again.SessionId, again.Seq = s.open.SessionId, 1
			w.message(w.ask(pb.EnvironmentService_Step_FullMethodName), again, false)
			return true
		},
		"snapshot": func(_ *running, w *wired, s *player) bool {
			w.message(w.ask(pb.EnvironmentService_Snapshot_FullMethodName), &pb.SnapshotRequest{SessionId: s.open.SessionId}, true)
			return true
		},
		"sessions that are closed": func(r *running, w *wired, _ *player) bool {
			other, err := r.env.Open(soon(t), &pb.OpenRequest{Game: "doubloons(seats=4)", NumEnvs: 2000})
			if err != nil { // the same client may not have more
				if status.Code(err) != codes.Aborted || !strings.Contains(err.Error(), "max_unsent_bytes") {
					t.Fatal(err)
				}
				return false
			}
			id := w.ask(pb.EnvironmentService_Reset_FullMethodName)
			w.message(id, &pb.ResetRequest{SessionId: other.SessionId, Seq: 1}, true)
			w.until("a stop", func() bool { return w.begun[id] || w.status[id] != "" || w.ended })
			if _, err := r.env.Close(soon(t), &pb.CloseRequest{SessionId: other.SessionId}); err != nil && status.Code(err) != codes.Aborted {
				t.Fatal(err)
			}
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := begin(t, func(c *serve.Config) { impatient(c); c.SendTimeout = serve.Duration(2 * time.Second) })
			s, size := r.large()
			before := heap()
			w := r.frames(0)
			const most = 40
			for i := 0; i < most && w.alive() && ask(r, w, s); i++ {
			}
			if name != "sessions that are closed" { // of which the last has been refused by now
				w.until("a refusal", w.anyAborted)
			}
			// Two of the session, the client's other ones, and what one more takes while it is made.
			if held := heap() - before; held > 8<<20+8*size {
				t.Errorf("the server holds %d MiB; an answer has %d", held>>20, size>>20)
			}
			w.conn.Close()
			s.goesOn()
		})
	}
}

// A refusal is answered, and a client that still does not read is cut off. The session stays.
func TestWhoeverDoesNotReadIsToldAndCutOff(t *testing.T) {
	r := begin(t, impatient)
	s, _ := r.large()
	w := r.frames(0)
	for range 12 {
		w.message(w.ask(pb.EnvironmentService_Attach_FullMethodName), &pb.AttachRequest{SessionId: s.open.SessionId}, true)
	}
	w.until("a refusal", w.anyAborted)
	w.until("the end of the connection", func() bool { return w.ended })
	s.goesOn()
}

// Beyond one answer of its own, a session waits for room that others occupy.
func TestSessionWhoseClientReadsIsNotHeldUpByAnother(t *testing.T) {
	r := begin(t, func(c *serve.Config) { c.MaxUnsentBytes = 4096 })
	stuck, _ := r.large()
	reads, _ := r.large()
	w := r.frames(0)
	for range 6 {
		w.message(w.ask(pb.EnvironmentService_Attach_FullMethodName), &pb.AttachRequest{SessionId: stuck.open.SessionId}, true)
	}
	for i := range 5 {
		reads.must(act(legal(reads.batch, i)))
	}
	if _, err := r.env.Renew(soon(t), &pb.RenewRequest{SessionId: reads.open.SessionId}); err != nil {
		t.Fatal(err)
	}
}

// A client whose connection hangs comes back over another one and is not made to wait for the first.
func TestClientComesBackWhileItsAnswerHangs(t *testing.T) {
	r := begin(t, func(c *serve.Config) { c.SendTimeout, c.MaxUnsentBytes = serve.Duration(time.Hour), 4096 })
	s, _ := r.large()
	want := s.must(act(legal(s.batch, 1)))
	w := r.frames(0)
	id := w.ask(pb.EnvironmentService_Step_FullMethodName)
	next := act(legal(want, 2))
	next.SessionId, next.Seq = s.open.SessionId, s.seq+1
	w.message(id, next, false)
	w.until("the beginning of an answer", func() bool { return w.begun[id] })
	s.attach().must(next)
	s.must(act(legal(s.batch, 3)))
}

// The client does not even read what needs no room: it reads nothing from its connection.
func TestConnectionOfWhichNothingIsReadIsCutOff(t *testing.T) {
	r := begin(t, impatient)
	conn, err := net.Dial("tcp", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	fr := http2.NewFramer(conn, nil)
	if _, err := conn.Write([]byte(http2.ClientPreface)); err != nil {
		t.Fatal(err)
	}
	if err := fr.WriteSettings(); err != nil {
		t.Fatal(err)
	}
	var header bytes.Buffer
	coder := hpack.NewEncoder(&header)
	// The answer has the name of the service in it.
	for _, h := range []string{":method POST", ":scheme http", ":path /" + strings.Repeat("y", 8000) + "/z", ":authority x", "content-type application/grpc"} {
		name, value, _ := strings.Cut(h, " ")
		if err := coder.WriteField(hpack.HeaderField{Name: name, Value: value, Sensitive: true}); err != nil {
			t.Fatal(err)
		}
	}
	before := heap()
	if err := conn.SetWriteDeadline(time.Now().Add(5 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	for id := uint32(1); err == nil; id += 2 {
		err = fr.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: header.Bytes(), EndHeaders: true, EndStream: true})
	}
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
		t.Errorf("the connection is still open: %v", err)
	}
	if held := heap() - before; held > 32<<20 {
		t.Errorf("the server holds %d MiB", held>>20)
	}
	if _, err := r.env.Describe(soon(t), &pb.DescribeRequest{Game: "kuhn"}); err != nil {
		t.Error(err)
	}
}

// Many small answers count as much as a large one.
func TestSmallAnswersThatNobodyReadsAreCounted(t *testing.T) {
	r := begin(t, func(c *serve.Config) { impatient(c); c.MaxUnsentBytes = 64 << 10 })
	w := r.frames(0)
	for range 100 {
		w.message(w.ask(pb.EnvironmentService_Describe_FullMethodName), &pb.DescribeRequest{Game: "kuhn"}, true)
	}
	w.until("a refusal", w.anyAborted)
	w.until("the end of the connection", func() bool { return w.ended })
	// There is room again.
	if _, err := r.env.Describe(soon(t), &pb.DescribeRequest{Game: "kuhn"}); err != nil {
		t.Error(err)
	}
}
