package serve

import (
	"container/list"
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/stats"
)

// A connection costs the server memory before the client has identified itself, and gRPC bounds
// little of that. So connections are counted here, and those of strangers, over which no
// client has identified itself, may hold little and make room for others.

// Limits of one unauthenticated connection.
const (
	mostStrange = 32       // requests at a time that are answered
	mostHeard   = 64 << 10 // bytes that come meanwhile
)

// A few connections beyond the limit are accepted for a moment, to say why no request is answered.
const (
	mostSurplus = 16
	surplusLife = 5 * time.Second
)

// connections are those that a listener has accepted.
type connections struct {
	most    int
	told    bool              // strangers are distinguished, and make room
	timeout time.Duration     // Config.SendTimeout
	full    func()            // called when there is one too many; may be nil
	lost    func(*connection) // called for each that is closed, at least once; may be nil

	mu      sync.Mutex
	open    list.List // of *connection, the oldest first
	surplus int       // of those
	ended   bool      // no connection is taken any more
}

// count makes a listener that counts its connections here.
func (c *connections) count(l net.Listener) net.Listener { return &countedListener{l, c} }

type countedListener struct {
	net.Listener
	all *connections
}

// Accept waits for a connection that there is room for.
func (l *countedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.all.add(conn); c != nil {
			return c, nil
		}
		conn.Close()
	}
}

// add accepts a connection. If there is no room, the oldest stranger's is closed for it; if there is
// none, the new one is surplus, or nil if there are too many of those.
func (c *connections) add(conn net.Conn) *connection {
	n := &connection{Conn: conn, all: c}
	n.address = address{conn.RemoteAddr(), n}
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return nil
	}
	var leaves *connection
	if c.open.Len()-c.surplus >= c.most {
		leaves = c.stranger()
		n.surplus = leaves == nil
	}
	taken := !n.surplus || c.surplus < mostSurplus
	if taken {
		n.place = c.open.PushBack(n)
	}
	if taken && n.surplus {
		c.surplus++
		n.life = time.AfterFunc(surplusLife, func() { n.Close() })
	}
	c.mu.Unlock()
	if leaves != nil {
		leaves.Close()
	}
	if n.surplus && c.full != nil {
		c.full()
	}
	if !taken {
		return nil
	}
	return n
}

// stranger is the oldest connection of a stranger, or nil. The lock is held.
func (c *connections) stranger() *connection {
	if !c.told {
		return nil
	}
	for e := c.open.Front(); e != nil; e = e.Next() {
		if one := e.Value.(*connection); !one.known.Load() && !one.surplus {
			return one
		}
	}
	return nil
}

// end closes the connections that have not completed the HTTP/2 greeting, and those to come: port
// scanners and broken clients never do. No request is under way on them, and the end of the server must
// not wait for them, as gRPC's would.
func (c *connections) end() {
	c.mu.Lock()
	c.ended = true
	var silent []*connection
	for e := c.open.Front(); e != nil; e = e.Next() {
		if one := e.Value.(*connection); !one.greeted.Load() {
			silent = append(silent, one)
		}
	}
	c.mu.Unlock()
	for _, one := range silent {
		one.Close()
	}
}

// connections are a stats.Handler of gRPC's, which tells when a connection has greeted.

// TagConn is called when both sides have agreed on the protocol.
func (c *connections) TagConn(ctx context.Context, info *stats.ConnTagInfo) context.Context {
	if a, ok := info.RemoteAddr.(address); ok {
		a.conn.greeted.Store(true)
	}
	return ctx
}

// HandleConn has nothing to count.
func (c *connections) HandleConn(context.Context, stats.ConnStats) {}

// TagRPC has nothing to tag.
func (c *connections) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

// HandleRPC has nothing to count.
func (c *connections) HandleRPC(context.Context, stats.RPCStats) {}

// connection is one of them.
type connection struct {
	net.Conn
	all     *connections
	address address
	place   *list.Element // nil after Close; all.mu
	surplus bool          // one too many: no request is answered
	life    *time.Timer   // of a surplus one

	greeted atomic.Bool  // it speaks HTTP/2
	known   atomic.Bool  // a client has identified itself over it
	strange atomic.Int32 // requests of strangers under way
	heard   atomic.Int64 // bytes read since there have been any

	writing atomic.Int64              // instant at which the write under way began; 0 if none is
	late    atomic.Pointer[time.Time] // deadline for writing that was set from outside; may be nil or zero
}

// address is a connection's remote address, by which a request finds its connection.
type address struct {
	net.Addr
	conn *connection
}

// RemoteAddr is the client's address.
func (c *connection) RemoteAddr() net.Addr { return c.address }

// connectionOf is the connection that a request came over.
func connectionOf(ctx context.Context) *connection {
	if p, ok := peer.FromContext(ctx); ok {
		if a, ok := p.Addr.(address); ok {
			return a.conn
		}
	}
	return nil
}

// Close closes it and makes room for another.
func (c *connection) Close() error {
	c.all.mu.Lock()
	if c.place != nil {
		c.all.open.Remove(c.place)
		c.place = nil
		if c.surplus {
			c.life.Stop()
			c.all.surplus--
		}
	}
	c.all.mu.Unlock()
	err := c.Conn.Close()
	if c.all.lost != nil {
		c.all.lost(c)
	}
	return err
}

// admit counts a stranger's request, which ends with ctx. One too many closes the connection.
func (c *connection) admit(ctx context.Context) {
	switch n := c.strange.Add(1); {
	case n == 1:
		c.heard.Store(0)
	case n > mostStrange && !c.known.Load():
		c.Close()
	}
	context.AfterFunc(ctx, func() { c.strange.Add(-1) })
}

// Read reads, but not while the peer reads nothing: otherwise it could make the server produce more and more answers.
func (c *connection) Read(b []byte) (int, error) {
	for c.stuck() {
		time.Sleep(10 * time.Millisecond)
	}
	n, err := c.Conn.Read(b)
	if c.strange.Load() > 0 && !c.known.Load() && c.heard.Add(int64(n)) > mostHeard {
		c.Close()
		return 0, net.ErrClosed
	}
	return n, err
}

// stuck reports whether a write has waited for a while.
func (c *connection) stuck() bool {
	const patience = 100 * time.Millisecond
	since := c.writing.Load()
	return since != 0 && clock().since(instant(since)) > patience
}

// SetDeadline sets the deadlines for reading and writing.
func (c *connection) SetDeadline(t time.Time) error {
	c.late.Store(&t)
	return c.Conn.SetDeadline(t)
}

// SetWriteDeadline sets the latest time for writing; each write has a deadline of its own.
func (c *connection) SetWriteDeadline(t time.Time) error {
	c.late.Store(&t)
	return c.Conn.SetWriteDeadline(t)
}

// Write writes, but waits for a client that does not read only for the time allowed.
func (c *connection) Write(b []byte) (int, error) {
	end := time.Now().Add(c.all.timeout)
	if late := c.late.Load(); late != nil && !late.IsZero() && late.Before(end) {
		end = *late
	}
	if err := c.Conn.SetWriteDeadline(end); err != nil {
		return 0, err
	}
	c.writing.Store(int64(clock()))
	defer c.writing.Store(0)
	n, err := c.Conn.Write(b)
	if err != nil {
		c.Close() // gRPC assumes that reading fails too
	}
	return n, err
}
