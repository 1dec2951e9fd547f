package serve

import (
	"context"
	"math/bits"
	"runtime"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// Once an answer is handed to gRPC it is held until the client makes room for it, which may be never,
// and the request that it answers has ended by then. So answers are counted here until they are
// written. An open session may have a few of them: it occupies as much itself. Whatever a client has
// beyond that has a limit, at which its next request waits, and is refused in the end. Not reading
// then costs the client its connection; sessions stay, and what was not answered can be asked again.

// freeAnswers is how many unsent answers an open session may have: one, and one more for a client that
// comes back before the server knows that its connection is lost.
const freeAnswers = 2

// unsent are the answers of all clients that are not written yet.
type unsent struct {
	most    int           // bytes of a client: Config.MaxUnsentBytes
	timeout time.Duration // Config.SendTimeout

	mu      sync.Mutex
	clients map[string]*reader
	loads   map[*load]struct{}
}

// reader is a client that answers are for.
type reader struct {
	name    string
	charged int           // bytes of the loads that are not free
	left    int           // of those, what closed sessions have left
	loads   int           // free ones too, and those that wait
	freed   chan struct{} // closed when there is more room; nil if nobody waits
}

// load is an answer. All its fields are guarded by unsent.mu.
type load struct {
	all     *unsent
	to      *reader
	session *session    // whose free answer it is; nil if it is charged
	conn    *connection // that it goes over; nil in a test
	size    int
	left    bool // it was a free answer of a session that is closed
	began   instant
	gone    bool
}

func newUnsent(cfg *Config) *unsent {
	return &unsent{
		most: cfg.MaxUnsentBytes, timeout: time.Duration(cfg.SendTimeout),
		clients: map[string]*reader{}, loads: map[*load]struct{}{},
	}
}

func errUnread() error {
	return again(codes.Aborted, "SLOW_READER", "max_unsent_bytes: you do not read the answers that you have asked for: read them, or attach again and send the command again")
}

// asker is the client that asks for answers, and its connection.
type asker struct {
	name string
	conn *connection
}

func askerOf(ctx context.Context) asker { return asker{client(ctx), connectionOf(ctx)} }

// admit makes room for an answer of about size bytes, of a session or of none (nil), and waits for that
// no longer than for a client that does not read.
func (u *unsent) admit(ctx context.Context, by asker, s *session, size int) (*load, error) {
	l := &load{all: u, conn: by.conn, size: size}
	late := (<-chan time.Time)(nil)
	u.mu.Lock()
	defer u.mu.Unlock()
	l.to = u.reader(by.name)
	for !l.take(s) {
		if late == nil {
			timer := time.NewTimer(u.timeout)
			defer timer.Stop()
			late = timer.C
		}
		if l.to.freed == nil {
			l.to.freed = make(chan struct{})
		}
		freed, err := l.to.freed, error(nil)
		u.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			err = status.FromContextError(ctx.Err()).Err()
		case <-late:
			err = errUnread()
		}
		u.mu.Lock()
		if err != nil {
			u.leave(l.to)
			return nil, err
		}
	}
	l.began = clock()
	u.loads[l] = struct{}{}
	return l, nil
}

// reader is the client of that name, with one load more. The lock is held.
func (u *unsent) reader(name string) *reader {
	r := u.clients[name]
	if r == nil {
		r = &reader{name: name}
		u.clients[name] = r
	}
	r.loads++
	return r
}

// leave takes a load off a client. The lock is held.
func (u *unsent) leave(r *reader) {
	if r.loads--; r.loads == 0 {
		delete(u.clients, r.name)
	}
	if r.freed != nil {
		close(r.freed)
		r.freed = nil
	}
}

// take counts a load if there is room for it. The lock is held.
func (l *load) take(s *session) bool {
	r := l.to
	switch {
	case s != nil && s.unsent.open && len(s.unsent.free) < freeAnswers && r.left <= l.all.most:
		l.session = s
		s.unsent.free = append(s.unsent.free, l)
	case r.charged == 0 || r.charged+l.size <= l.all.most:
		l.charge(l.size)
	default:
		return false
	}
	return true
}

// charge charges bytes to the client. The lock is held.
func (l *load) charge(size int) {
	l.to.charged += size
	if l.left {
		l.to.left += size
	}
}

// unsentAnswers are those of a session, guarded by unsent.mu.
type unsentAnswers struct {
	open bool
	free []*load
}

// close charges a session's answers to their clients.
func (u *unsent) close(s *session) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, l := range s.unsent.free {
		l.session, l.left = nil, true
		l.charge(l.size)
	}
	s.unsent = unsentAnswers{}
}

// resize corrects the size of a load.
func (l *load) resize(size int) {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	if l.session == nil && !l.gone {
		l.charge(size - l.size)
	}
	l.size = size
}

// free takes a load off, the first time that it is called.
func (l *load) free() {
	u := l.all
	u.mu.Lock()
	defer u.mu.Unlock()
	if l.gone {
		return
	}
	l.gone = true
	delete(u.loads, l)
	if s := l.session; s != nil {
		kept := s.unsent.free[:0]
		for _, other := range s.unsent.free {
			if other != l {
				kept = append(kept, other)
			}
		}
		s.unsent.free = kept
	} else {
		l.charge(-l.size)
	}
	u.leave(l.to)
}

// lost takes off what a connection that is closed has not written.
func (u *unsent) lost(c *connection) {
	for _, l := range u.of(func(l *load) bool { return l.conn == c }) {
		l.free()
	}
}

// expire closes the connections over which charged answers are not read in time, and returns them.
func (u *unsent) expire(now instant) (gone []*connection) {
	// An answer gets one more second for each mebibyte.
	overdue := func(l *load) bool {
		return l.session == nil && l.conn != nil && now.since(l.began) > 2*u.timeout+time.Duration(l.size>>20)*time.Second
	}
	met := map[*connection]bool{}
	for _, l := range u.of(overdue) {
		if !met[l.conn] {
			met[l.conn] = true
			gone = append(gone, l.conn)
			l.conn.Close()
		}
	}
	return gone
}

// of lists loads.
func (u *unsent) of(which func(*load) bool) (found []*load) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for l := range u.loads {
		if which(l) {
			found = append(found, l)
		}
	}
	return found
}

// frame is a message already encoded. A batch is put into it while its session
// is locked, and sent when it no longer is, with one copy in all.
type frame struct{ data mem.BufferSlice }

// seal encodes m into a buffer that counts until it is written.
func (l *load) seal(m proto.Message) (*frame, error) {
	buf := frames.get(proto.Size(m))
	data, err := proto.MarshalOptions{UseCachedSize: true}.MarshalAppend((*buf)[:0], m)
	if err != nil {
		l.free()
		return nil, status.Errorf(codes.Internal, "encode %s: %v", m.ProtoReflect().Descriptor().FullName(), err)
	}
	*buf = data
	l.resize(cap(data))
	h := &holder{load: l}
	// gRPC may lose a buffer of a stream that ends meanwhile.
	h.lost = runtime.AddCleanup(h, (*load).free, l)
	return &frame{mem.BufferSlice{mem.NewBuffer(buf, h)}}, nil
}

// holder is the pool that a load's buffer is given back to.
type holder struct {
	load *load
	lost runtime.Cleanup
}

// Get is never called.
func (h *holder) Get(size int) *[]byte { return frames.get(size) }

// Put is called when the buffer is written, or will never be.
func (h *holder) Put(b *[]byte) {
	h.lost.Stop()
	h.load.free()
	frames.put(b)
}

// frames keeps the buffers of frames by size, which are powers of two. Unlike gRPC's own pool it does
// not clear them: seal overwrites what is sent, and a batch can have megabytes.
var frames framePool

type framePool [32]sync.Pool

// leastFrame is a size from which gRPC reports when a buffer is written.
const leastFrame = 11 // 2 KiB

func (p *framePool) get(size int) *[]byte {
	class := max(leastFrame, bits.Len(uint(max(size, 1)-1)))
	if b, ok := p[class].Get().(*[]byte); ok {
		*b = (*b)[:size]
		return b
	}
	b := make([]byte, size, 1<<class)
	return &b
}

func (p *framePool) put(b *[]byte) { p[bits.Len(uint(cap(*b)-1))].Put(b) }
