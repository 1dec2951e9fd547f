package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match/child"
	"github.com/privateer-rl/privateer/serve/metrics"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
	"github.com/privateer-rl/privateer/serve/table"
)

// Options are what a Config cannot hold.
type Options struct {
	Log *slog.Logger // nil: nothing is logged
	// Ready is called with the addresses at which the server listens; metrics is
	// nil if it has none. It may be nil.
	Ready func(grpc, metrics net.Addr)
	// Page is called with the address of the page to play on, with its key: with that of Opening's table if there is one.
	// It may be nil.
	Page func(address string)
	// Opening is a table that the server opens for the page as it begins; nil: none.
	Opening *table.Request
	// MCP makes what answers at /mcp, beside the page; nil: nothing does.
	MCP func(s *Server) http.Handler
	// Beside is another way to the server's tables, beside its ports or instead of them: when it returns, the server ends. nil: there is none.
	Beside func(ctx context.Context, s *Server) error
	// Local serves the user who has started it: bots and games may name any file, searches are not limited, and a seed
	// deals the match that it deals elsewhere. Who has no more than the key of a seat plays as on any server.
	Local bool
}

// Server serves environments and bots. It is made by New and used once.
type Server struct {
	cfg      Config
	opt      Options
	log      *slog.Logger
	tokens   *tokens     // nil: everybody is let in
	tls      *tls.Config // nil: nothing is encrypted
	limits   *limits
	refusals *rate.Limiter // of tap
	unsent   *unsent
	roster   *roster
	sessions *sessions
	tables   *tables
	metrics  *metrics.Server
	grpc     *grpc.Server
	health   *health.Server
	folder   *folder // nil: nothing is kept for the next server
	conns    *connections

	draining chan struct{}  // closed when the server is about to end
	streams  sync.WaitGroup // goroutines of streams that gRPC does not know of
}

// New makes a server. It reads the files that the configuration names.
func New(cfg Config, opt Options) (*Server, error) {
	s, err := newServer(cfg, opt)
	if err == nil {
		err = s.overNetwork()
	}
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	return s, nil
}

// newServer makes a server without all that has to do with networks: a library that serves its own process has none of that code.
func newServer(cfg Config, opt Options) (*Server, error) {
	checked := cfg
	if opt.Beside != nil && checked.Addr == "" {
		checked.Addr = DefaultConfig().Addr // there need be no port
	}
	if err := checked.Check(); err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, opt: opt, log: opt.Log, draining: make(chan struct{})}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if cfg.Tokens != "" {
		var err error
		if s.tokens, err = loadTokens(cfg.Tokens); err != nil {
			return nil, err
		}
	}
	roster, err := loadRoster(cfg.Policies, cfg.Components, cfg.MaxRollouts)
	if err != nil {
		return nil, err
	}
	if err := roster.loadPrograms(cfg.Programs); err != nil {
		return nil, err
	}
	if opt.Opening != nil { // the user who has started the program has named them
		for _, name := range opt.Opening.Seats {
			if child.Is(name) {
				roster.programs[name] = name
			}
		}
	}
	roster.local = opt.Local
	s.roster = roster
	s.unsent = newUnsent(&s.cfg)
	s.limits, s.refusals = newLimits(&s.cfg), rate.NewLimiter(10, 1000)
	if opt.Local {
		s.limits.thinking = 0
	}
	s.tables = newTables(&s.cfg)
	s.metrics = metrics.NewServer(methods(), s.tables.underWay)
	s.sessions = newSessions(&s.cfg, s.roster, s.metrics.Sessions, s.unsent, s.limits)
	return s, nil
}

// overNetwork prepares the server for connections, and opens the folder for those that come back.
func (s *Server) overNetwork() (err error) {
	cfg := &s.cfg
	if s.tls, err = loadTLS(cfg); err != nil {
		return err
	}
	s.health = health.NewServer()
	often := rate.Sometimes{First: 1, Interval: time.Minute}
	s.conns = &connections{
		most: cfg.MaxConnections, told: s.tokens != nil || cfg.TLSClientCA != "", timeout: time.Duration(cfg.SendTimeout), lost: s.unsent.lost,
		full: func() {
			often.Do(func() {
				s.log.Warn("there are too many connections: some are refused", "max_connections", cfg.MaxConnections)
			})
		},
	}

	// The bytes that a client may send before the server reads any: enough for a request of thousands of
	// actions. Large requests get more as they are read.
	const window, connWindow = 256 << 10, 4 << 20
	options := []grpc.ServerOption{
		grpc.ForceServerCodecV2(newFrameCodec()),
		grpc.MaxRecvMsgSize(cfg.MaxRequestBytes), grpc.MaxSendMsgSize(cfg.MaxMessageBytes),
		grpc.MaxHeaderListSize(uint32(cfg.MaxHeaderBytes)),
		grpc.InitialWindowSize(window), grpc.InitialConnWindowSize(connWindow),
		grpc.InTapHandle(s.tap),
		grpc.WriteBufferSize(256 << 10), grpc.ReadBufferSize(64 << 10),
		grpc.MaxConcurrentStreams(uint32(cfg.MaxStreams)),
		grpc.ConnectionTimeout(20 * time.Second), grpc.WaitForHandlers(true),
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: time.Duration(cfg.IdleTimeout), Time: time.Duration(cfg.Keepalive), Timeout: 20 * time.Second}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 5 * time.Second, PermitWithoutStream: true}),
		grpc.StatsHandler(s.metrics.Requests), grpc.StatsHandler(s.conns),
		grpc.UnaryInterceptor(s.unary), grpc.StreamInterceptor(s.stream),
	}
	if s.tls != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(s.tls)))
	}
	s.grpc = grpc.NewServer(options...)
	pb.RegisterEnvironmentServiceServer(s.grpc, &environments{Server: s})
	pb.RegisterPolicyServiceServer(s.grpc, &policies{Server: s})
	healthpb.RegisterHealthServer(s.grpc, s.health)
	for _, d := range []grpc.ServiceDesc{pb.EnvironmentService_ServiceDesc, pb.PolicyService_ServiceDesc} {
		s.health.SetServingStatus(d.ServiceName, healthpb.HealthCheckResponse_SERVING)
	}
	if cfg.Reflection {
		reflection.Register(s.grpc)
	}
	if cfg.Snapshots != "" {
		s.folder, err = openFolder(cfg.Snapshots)
	}
	return err
}

// methods are those that are counted by name.
func methods() []string {
	var all []string
	for _, d := range []grpc.ServiceDesc{pb.EnvironmentService_ServiceDesc, pb.PolicyService_ServiceDesc, healthpb.Health_ServiceDesc} {
		for _, m := range d.Methods {
			all = append(all, "/"+d.ServiceName+"/"+m.MethodName)
		}
		for _, m := range d.Streams {
			all = append(all, "/"+d.ServiceName+"/"+m.StreamName)
		}
	}
	return all
}

// Run reopens the sessions and tables that a drained server left, serves until ctx ends, and
// drains: new work is refused, sessions and tables are written to the folder for
// snapshots, and streams are told after the answer that they wait for. It returns nil
// after a drain. If it cannot serve, it leaves the folder as it is.
func (s *Server) Run(ctx context.Context) error {
	defer s.closeSessions()
	listener, side, web, err := s.listen()
	if err != nil {
		return err
	}
	for _, l := range []net.Listener{listener, side, web} {
		if l != nil {
			defer l.Close()
		}
	}
	if s.folder != nil {
		unlock, err := s.folder.lock()
		if err != nil {
			return fmt.Errorf("serve: %w", err)
		}
		defer unlock()
		if err := s.restoreAll(); err != nil {
			return err
		}
	}

	failed := make(chan error, 4)
	var sideAddr net.Addr
	if side != nil {
		sideAddr = side.Addr()
		pages := s.metrics.HTTP(s.serving, s.cfg.Pprof)
		pages.ErrorLog = slog.NewLogLogger(s.log.Handler(), slog.LevelWarn)
		defer pages.Close()
		visitors := connections{most: mostPages, told: true, timeout: time.Duration(s.cfg.SendTimeout)}
		go func() {
			if err := pages.Serve(visitors.count(side)); !errors.Is(err, http.ErrServerClosed) {
				failed <- fmt.Errorf("serve: metrics: %w", err)
			}
		}()
	}
	if web != nil {
		closePage, err := s.servePage(ctx, web, failed)
		if err != nil {
			return err
		}
		defer closePage()
	}
	var addr net.Addr
	if listener != nil {
		addr = listener.Addr()
	}
	s.warnOpen(listener, side, web)
	s.log.Info("serving", "addr", fmt.Sprint(addr), "metrics", fmt.Sprint(sideAddr), "tls", s.tls != nil, "tokens", s.tokens != nil)
	if s.opt.Ready != nil {
		s.opt.Ready(addr, sideAddr)
	}

	keeper, stopKeeper := context.WithCancel(context.Background())
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		s.keep(keeper)
	}()
	served := make(chan struct{})
	go func() {
		defer close(served)
		if listener == nil {
			return
		}
		if err := s.grpc.Serve(s.conns.count(listener)); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
			failed <- fmt.Errorf("serve: %w", err)
		}
	}()
	if s.opt.Beside != nil {
		beside, leave := context.WithCancel(ctx)
		defer leave()
		go func() { failed <- s.opt.Beside(beside, s) }()
	}
	select {
	case <-ctx.Done():
	case err = <-failed:
	}

	s.drain(served)
	stopKeeper()
	<-kept
	// Sessions that were busy then, or opened meanwhile.
	late, giveUp := context.WithTimeout(context.Background(), lastWait)
	defer giveUp()
	err = errors.Join(err, s.saveAll(late))
	for _, one := range s.tables.list() { // whose bots may keep something running
		one.Expire(errDraining(), func() bool { return true })
	}
	s.log.Info("ended")
	return err
}

// listen takes the ports, all of them or none: of gRPC, of the metrics and of the page. Those that the configuration
// leaves out are nil.
func (s *Server) listen() (listener, side, web net.Listener, err error) {
	defer func() {
		for _, l := range []net.Listener{listener, side, web} {
			if err != nil && l != nil {
				l.Close()
			}
		}
	}()
	for _, port := range []struct {
		name, addr string
		to         *net.Listener
	}{{"addr", s.cfg.Addr, &listener}, {"metrics_addr", s.cfg.MetricsAddr, &side}, {"web", s.cfg.Web, &web}} {
		if port.addr == "" {
			continue
		}
		l, err := net.Listen("tcp", port.addr)
		if err != nil {
			return listener, side, web, fmt.Errorf("serve: %s: %w", port.name, err)
		}
		*port.to = l
	}
	return listener, side, web, nil
}

// mostPages is how many connections the metrics may have: the oldest makes room for another.
const mostPages = 32

func (s *Server) serving() bool {
	select {
	case <-s.draining:
		return false
	default:
		return true
	}
}

// warnOpen warns of what is open to more than this machine. Any of the listeners may be nil.
func (s *Server) warnOpen(listener, side, web net.Listener) {
	for _, port := range []struct {
		l    net.Listener
		open bool
		why  string
	}{
		{listener, s.tokens == nil && s.cfg.TLSClientCA == "", "anybody who reaches this address can use the server: set tokens or tls_client_ca"},
		{web, s.tls == nil, "the page's keys and what its seats see can be read on the way to this address: set tls_cert and tls_key"},
		{web, s.opt.MCP != nil && s.tokens == nil && s.cfg.TLSClientCA == "", "anybody who reaches this address can open tables: set tokens or tls_client_ca"},
		{side, s.cfg.Pprof, "anybody who reaches this address can profile the server and read its memory: set metrics_addr to a loopback address, or leave pprof out"},
	} {
		if port.l == nil || !port.open {
			continue
		}
		if tcp, ok := port.l.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
			s.log.Warn(port.why, "addr", tcp.String())
		}
	}
}

// lastWait is how long the end finally waits for requests that do not notice that they were cut off.
const lastWait = time.Second

// drain ends the gRPC server, gently at first. The operator who ends the server may not wait for that,
// so sessions and tables are written meanwhile.
func (s *Server) drain(served <-chan struct{}) {
	s.log.Info("draining", "for at most", time.Duration(s.cfg.Drain).String())
	end, cancel := context.WithTimeout(context.Background(), time.Duration(s.cfg.Drain))
	defer cancel()
	s.health.Shutdown()
	s.sessions.drain()
	s.tables.drain()
	close(s.draining)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		s.grpc.GracefulStop()
		<-served
		s.streams.Wait()
	}()
	s.conns.end()
	if err := s.saveAll(end); err != nil {
		s.log.Warn("not all is written yet", "error", err.Error())
	}
	select {
	case <-gone:
		return
	case <-end.Done():
	}
	s.log.Warn("requests are still under way: they are cut off")
	go s.grpc.Stop()
	select {
	case <-gone:
	case <-time.After(lastWait):
		s.log.Warn("requests are still under way: they end with the process")
	}
}

// keep removes what nobody uses any more.
func (s *Server) keep(ctx context.Context) {
	tick := time.NewTicker(max(min(time.Second, time.Duration(min(s.cfg.Lease, s.cfg.Confirm))/4), time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			now := clock()
			for _, gone := range s.sessions.expire(now) {
				s.log.Info("session expired", "session", short(gone.id), "owner", gone.owner)
			}
			s.tables.expire(now)
			s.limits.forget(now)
			for _, gone := range s.unsent.expire(now) {
				s.log.Warn("connection closed: its client does not read", "client", gone.address.String())
			}
		}
	}
}

// closeSessions releases the sessions that are open. One that is still at work ends with the
// process.
func (s *Server) closeSessions() {
	for _, one := range s.sessions.list() {
		select {
		case one.lock <- struct{}{}:
		default:
			continue
		}
		if one.closed {
			one.release()
			continue
		}
		s.sessions.remove(one)
	}
}

// unary wraps every request that is not a stream.
func (s *Server) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	began := time.Now()
	defer func() { s.logRequest(ctx, info.FullMethod, began, err) }()
	defer func() { s.recovered(recover(), info.FullMethod, &err) }()
	if err = callerOf(ctx).refused; err != nil {
		return nil, err
	}
	if err = s.limits.allow(ctx); err != nil {
		return nil, err
	}
	if err = readable(req); err != nil {
		return nil, err
	}
	session, size := s.sessions.sized(req, identity(ctx))
	l, err := s.unsent.admit(ctx, askerOf(ctx), session, size)
	if err != nil {
		return nil, err
	}
	var f *frame
	defer func() {
		if f == nil {
			l.free()
		}
	}()
	if resp, err = handler(ctx, req); err != nil {
		return nil, err
	}
	if f, err = l.seal(resp.(proto.Message)); err != nil {
		return nil, err
	}
	return f, nil
}

// stream wraps every stream.
func (s *Server) stream(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) (err error) {
	began, ctx := time.Now(), ss.Context()
	defer func() { s.logRequest(ctx, info.FullMethod, began, err) }()
	defer func() { s.recovered(recover(), info.FullMethod, &err) }()
	if err = callerOf(ctx).refused; err != nil {
		return err
	}
	if err = s.limits.allow(ctx); err != nil {
		return err
	}
	checked := checkedStream{ss, s.unsent}
	if info.FullMethod == pb.EnvironmentService_Step_FullMethodName {
		return handler(srv, checked) // which handles draining itself
	}
	return s.untilDrained(info.FullMethod, func() error { return handler(srv, checked) })
}

// untilDrained wraps the streams of health and reflection, which never end by themselves.
func (s *Server) untilDrained(method string, handle func() error) error {
	ended := make(chan error, 1)
	s.streams.Add(1)
	go func() {
		defer s.streams.Done()
		var err error
		defer func() {
			s.recovered(recover(), method, &err)
			ended <- err
		}()
		err = handle()
	}()
	select {
	case err := <-ended:
		return err
	case <-s.draining:
		return errDraining() // then gRPC unblocks the other goroutine
	}
}

// checkedStream refuses what is not a message, and counts its answers.
type checkedStream struct {
	grpc.ServerStream
	unsent *unsent
}

func (c checkedStream) RecvMsg(m any) error {
	if err := c.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	return readable(m)
}

func (c checkedStream) SendMsg(m any) error {
	if f, ok := m.(*frame); ok {
		return c.ServerStream.SendMsg(f) // is counted already
	}
	l, err := c.unsent.admit(c.Context(), askerOf(c.Context()), nil, smallAnswer)
	if err != nil {
		return err
	}
	f, err := l.seal(m.(proto.Message))
	if err != nil {
		return err
	}
	return c.ServerStream.SendMsg(f)
}

// think lets f ask a bot for a client, or without one draw a replay, within its time if that may take long. A bot that panics ends what it was asked for, and nothing else.
func (s *Server) think(ctx context.Context, client string, b bots.Bot, method string, f func(context.Context) error) error {
	guarded := func(ctx context.Context) (err error) {
		defer func() { s.recovered(recover(), method, &err) }()
		return f(ctx)
	}
	if _, long := b.(bots.Interruptible); b != nil && !long {
		return guarded(ctx)
	}
	return s.limits.think(ctx, client, guarded)
}

// recovered turns a panic, which is a broken invariant of the server, into a status.
func (s *Server) recovered(p any, method string, err *error) {
	if p == nil {
		return
	}
	s.log.Error("panic", "method", method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	*err = status.Error(codes.Internal, "internal error: the server's log has more")
}

func (s *Server) logRequest(ctx context.Context, method string, began time.Time, err error) {
	code := status.Code(err)
	level := slog.LevelDebug
	if code == codes.Internal || code == codes.Unknown {
		level = slog.LevelError
	}
	if !s.log.Enabled(ctx, level) {
		return
	}
	attrs := []any{"method", method, "code", code.String(), "took", time.Since(began), "client", client(ctx)}
	if err != nil {
		attrs = append(attrs, "error", status.Convert(err).Message())
	}
	s.log.Log(ctx, level, "request", attrs...)
}
