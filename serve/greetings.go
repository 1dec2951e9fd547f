package serve

import (
	"context"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc/stats"
)

// longestGreeting is how long a connection may take to say that it speaks HTTP/2.
const longestGreeting = 20 * time.Second

// greetings are the connections that have not greeted yet: those of port scanners and broken
// clients never do. Nothing is at work on them, and the end of the server is not to wait for
// them, as that of gRPC would.
type greetings struct {
	net.Listener
	mu    sync.Mutex
	open  map[string]greeting // by the client's address
	ended bool
}

type greeting struct {
	conn  net.Conn
	began instant
}

func newGreetings() *greetings { return &greetings{open: map[string]greeting{}} }

// Accept waits for a connection, which counts until TagConn.
func (g *greetings) Accept() (net.Conn, error) {
	conn, err := g.Listener.Accept()
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended {
		conn.Close()
	}
	g.open[conn.RemoteAddr().String()] = greeting{conn, clock()}
	return conn, nil
}

// TagConn is called when a connection has greeted.
func (g *greetings) TagConn(ctx context.Context, info *stats.ConnTagInfo) context.Context {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.open, info.RemoteAddr.String())
	return ctx
}

// forget drops what gRPC has closed meanwhile.
func (g *greetings) forget(now instant) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for addr, one := range g.open {
		if now.since(one.began) > 2*longestGreeting {
			delete(g.open, addr)
		}
	}
}

// end closes the connections that have not greeted, and those to come.
func (g *greetings) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended = true
	for _, one := range g.open {
		one.conn.Close()
	}
}

// The rest of a stats.Handler.

// HandleConn has nothing to count.
func (g *greetings) HandleConn(context.Context, stats.ConnStats) {}

// TagRPC has nothing to tag.
func (g *greetings) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

// HandleRPC has nothing to count.
func (g *greetings) HandleRPC(context.Context, stats.RPCStats) {}
