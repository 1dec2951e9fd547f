package serve_test

import (
	"bytes"
	"encoding/binary"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/protobuf/proto"
)

// wired is a client of frames: it can do what no library of gRPC does.
type wired struct {
	t    testing.TB
	conn net.Conn
	fr   *http2.Framer

	mu      sync.Mutex // also of writing
	changed *sync.Cond
	header  bytes.Buffer
	coder   *hpack.Encoder
	next    uint32
	room    int64            // what may be sent on the connection
	rooms   map[uint32]int64 // on a stream
	first   int64            // … at its beginning
	status  map[uint32]string
	begun   map[uint32]bool // an answer has a header
	away    string          // what the server said when it closed the connection
	ended   bool
}

// frames connects. window is how much of each answer the server may send before it is told to continue, which
// it never is.
func (r *running) frames(window uint32) *wired {
	r.t.Helper()
	conn, err := net.Dial("tcp", r.addr)
	if err != nil {
		r.t.Fatal(err)
	}
	w := &wired{
		t: r.t, conn: conn, fr: http2.NewFramer(conn, conn), next: 1, room: 65535, first: 65535,
		rooms: map[uint32]int64{}, status: map[uint32]string{}, begun: map[uint32]bool{},
	}
	w.changed, w.coder = sync.NewCond(&w.mu), hpack.NewEncoder(&w.header)
	w.fr.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	if _, err := conn.Write([]byte(http2.ClientPreface)); err != nil {
		r.t.Fatal(err)
	}
	if err := w.fr.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: window}); err != nil {
		r.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); w.read() }()
	r.t.Cleanup(func() { conn.Close(); <-done })
	return w
}

func (w *wired) read() {
	for {
		f, err := w.fr.ReadFrame()
		w.mu.Lock()
		if err != nil {
			w.ended = true
			w.changed.Broadcast()
			w.mu.Unlock()
			return
		}
		switch f := f.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				if v, ok := f.Value(http2.SettingInitialWindowSize); ok {
					w.first = int64(v)
				}
				_ = w.fr.WriteSettingsAck()
			}
		case *http2.WindowUpdateFrame:
			if f.StreamID == 0 {
				w.room += int64(f.Increment)
			} else {
				w.rooms[f.StreamID] += int64(f.Increment)
			}
		case *http2.PingFrame:
			if !f.IsAck() {
				_ = w.fr.WritePing(true, f.Data)
			}
		case *http2.MetaHeadersFrame:
			w.begun[f.StreamID] = true
			for _, h := range f.Fields {
				if h.Name == "grpc-status" {
					w.status[f.StreamID] = h.Value
				}
			}
		case *http2.RSTStreamFrame:
			if w.status[f.StreamID] == "" {
				w.status[f.StreamID] = f.ErrCode.String()
			}
		case *http2.GoAwayFrame:
			w.away = string(f.DebugData())
		}
		w.changed.Broadcast()
		w.mu.Unlock()
	}
}

// ask begins a request; header has names and values beside the usual ones.
func (w *wired) ask(method string, header ...string) uint32 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.header.Reset()
	for i, all := 0, append([]string{
		":method", "POST", ":scheme", "http", ":path", method, ":authority", "x", "content-type", "application/grpc", "te", "trailers",
	}, header...); i < len(all); i += 2 {
		if err := w.coder.WriteField(hpack.HeaderField{Name: all[i], Value: all[i+1]}); err != nil {
			w.t.Fatal(err)
		}
	}
	id := w.next
	w.next += 2
	w.rooms[id] = w.first
	block := w.header.Bytes()
	head := block[:min(len(block), 16384)]
	_ = w.fr.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: head, EndHeaders: len(head) == len(block)})
	for block = block[len(head):]; len(block) > 0; {
		part := block[:min(len(block), 16384)]
		block = block[len(part):]
		_ = w.fr.WriteContinuation(id, len(block) == 0, part)
	}
	return id
}

// message sends a whole request.
func (w *wired) message(id uint32, m proto.Message, end bool) {
	w.t.Helper()
	data, err := proto.Marshal(m)
	if err != nil {
		w.t.Fatal(err)
	}
	frame := append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(data))), data...)
	sent := 0
	for late := time.Now().Add(5 * time.Minute); sent < len(frame) && w.alive() && time.Now().Before(late); {
		sent += w.send(id, frame[sent:], end)
	}
	if sent < len(frame) {
		w.t.Fatalf("only %d bytes of a request are taken", sent)
	}
}

// send sends bytes as far as the server makes room for them within a second, and returns how many it took. It ends
// early when the stream does.
func (w *wired) send(id uint32, data []byte, end bool) (sent int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	late := time.AfterFunc(time.Second, w.changed.Broadcast)
	defer late.Stop()
	for begun := time.Now(); ; {
		n := min(int64(len(data)), w.room, w.rooms[id], 16384)
		switch {
		case w.ended || w.status[id] != "":
			return sent
		case n > 0 || len(data) == 0:
			if w.fr.WriteData(id, end && int(n) == len(data), data[:n]) != nil {
				return sent
			}
			w.room, w.rooms[id], sent = w.room-n, w.rooms[id]-n, sent+int(n)
			if data = data[n:]; len(data) == 0 {
				return sent
			}
		case time.Since(begun) > time.Second:
			return sent
		default:
			w.changed.Wait()
		}
	}
}

// until waits for a condition, which is asked with the lock held.
func (w *wired) until(what string, ok func() bool) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	const long = 5 * time.Minute
	late := time.AfterFunc(long, w.changed.Broadcast)
	defer late.Stop()
	for begun := time.Now(); !ok(); w.changed.Wait() {
		if time.Since(begun) > long {
			w.t.Fatalf("%s: it has not come: statuses %v, gone %q, ended %v", what, w.status, w.away, w.ended)
		}
	}
}

// alive reports whether the connection is open.
func (w *wired) alive() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.ended
}

func (w *wired) has(id uint32, status string) func() bool {
	return func() bool { return strings.Contains(w.status[id], status) }
}
