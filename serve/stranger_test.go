package serve_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/privateer-rl/privateer/serve"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

const annsToken = "aaaaaaaaaaaaaaaa"

// withTokens lets in ann and mary.
func withTokens(t testing.TB) func(*serve.Config) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte("ann:"+annsToken+"\nmary:bbbbbbbbbbbbbbbb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return func(c *serve.Config) { c.Tokens = file }
}

// bearing is a context with a token.
func bearing(t testing.TB, token string) context.Context {
	return metadata.AppendToOutgoingContext(soon(t), "authorization", "Bearer "+token)
}

// heap is what the process holds.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// promised is a message of length bytes of which these are the first.
func promised(length, first int) []byte {
	return append([]byte{0, byte(length >> 24), byte(length >> 16), byte(length >> 8), byte(length)}, make([]byte, first)...)
}

// A stranger's request is refused when its header has arrived, or holds next to nothing; so do requests that need no token.
func TestStrangersTakeNoMemory(t *testing.T) {
	r := begin(t, withTokens(t))
	const length = 8 << 20 // of each request, less one byte: none is ever whole
	data := promised(length, length-1)
	before := heap()
	for _, method := range []string{
		pb.EnvironmentService_Describe_FullMethodName, pb.EnvironmentService_Restore_FullMethodName, pb.EnvironmentService_Step_FullMethodName,
		pb.PolicyService_Act_FullMethodName, healthpb.Health_Check_FullMethodName, healthpb.Health_Watch_FullMethodName,
		"/grpc.health.v1.Health/Nothing", "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
	} {
		for _, header := range [][]string{nil, {"grpc-timeout", "60S"}, {"grpc-timeout", "9999999H"}, {"authorization", "Bearer bbbbbbbbbbbbbbba"}} {
			w := r.frames(1 << 20)
			for range 3 {
				w.send(w.ask(method, header...), data, false)
			}
			if held := heap() - before; held > 16<<20 {
				t.Fatalf("%s %v: the server holds %d MiB", method, header, held>>20)
			}
			w.conn.Close()
		}
	}
}

// Whatever the deadline, and however much of the request is under way.
func TestStrangersAreToldWhy(t *testing.T) {
	r := begin(t, withTokens(t))
	before := heap()
	for _, timeout := range []time.Duration{0, time.Minute, 24 * time.Hour} {
		conn := dial(t, r.addr)
		for i := range 300 {
			ctx, cancel := context.WithTimeout(context.Background(), timeout)
			if timeout == 0 {
				ctx, cancel = context.WithCancel(context.Background())
			}
			_, err := pb.NewEnvironmentServiceClient(conn).Describe(ctx, &pb.DescribeRequest{Game: "kuhn"})
			cancel()
			if status.Code(err) != codes.Unauthenticated || !strings.Contains(err.Error(), "authorization: want") {
				t.Fatalf("deadline %s, request %d: %v", timeout, i, err)
			}
		}
	}
	if held := heap() - before; held > 8<<20 {
		t.Errorf("the server holds %d MiB", held>>20)
	}
	page := r.exposition()
	if want := `privateer_grpc_requests_handled_total{code="Unauthenticated",method="/privateer.v1.EnvironmentService/Describe"} 900`; !strings.Contains(page, want) {
		t.Errorf("the metrics lack %s", want)
	}
	if running := `privateer_grpc_requests_running{method="/privateer.v1.EnvironmentService/Describe"} 0`; !strings.Contains(page, running) {
		t.Errorf("the metrics lack %s", running)
	}
	// The same connection serves a client that shows a token later.
	if _, err := r.env.Describe(bearing(t, annsToken), &pb.DescribeRequest{Game: "kuhn"}); err != nil {
		t.Error(err)
	}
}

// Requests of which nothing but the header ever comes.
func TestStrangerWhoBeginsTooManyRequestsIsCutOff(t *testing.T) {
	r := begin(t, withTokens(t))
	w := r.frames(1 << 20)
	for range 100 {
		w.ask(healthpb.Health_Check_FullMethodName)
	}
	w.until("the end of the connection", func() bool { return w.ended })
	known := r.frames(1 << 20)
	first := known.ask(pb.EnvironmentService_Renew_FullMethodName, "authorization", "Bearer "+annsToken)
	known.message(first, &pb.RenewRequest{SessionId: "none"}, true)
	known.until("an answer", known.has(first, "5")) // NotFound
	for range 100 {
		known.ask(healthpb.Health_Check_FullMethodName)
	}
	last := known.ask(pb.EnvironmentService_Renew_FullMethodName, "authorization", "Bearer "+annsToken)
	known.message(last, &pb.RenewRequest{SessionId: "none"}, true)
	known.until("an answer", known.has(last, "5"))
}

func TestRequestsHaveALimitOfTheirOwn(t *testing.T) {
	r := begin(t, func(c *serve.Config) { c.MaxRequestBytes, c.MaxHeaderBytes = 8192, 8192 })
	// Answers may be larger.
	s := r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 1000}).attach()
	s.must(resetAll())
	for i := range 5 {
		s.must(act(legal(s.batch, i)))
	}
	_, err := r.env.Restore(soon(t), &pb.RestoreRequest{SessionId: s.open.SessionId, Seq: 7, Snapshot: make([]byte, 8192)})
	if status.Code(err) != codes.ResourceExhausted || !strings.Contains(err.Error(), "larger than max") {
		t.Errorf("a request of more than 8192 bytes: %v", err)
	}
	_, err = r.env.Snapshot(soon(t), &pb.SnapshotRequest{SessionId: s.open.SessionId})
	expect(t, err, codes.ResourceExhausted, "max_request_bytes") // it could not come back
	long := metadata.AppendToOutgoingContext(soon(t), "x", strings.Repeat("y", 9000))
	if _, err := r.env.Describe(long, &pb.DescribeRequest{Game: "kuhn"}); err == nil || !strings.Contains(err.Error(), "header list size") {
		t.Errorf("metadata of 9000 bytes: %v", err)
	}
	w := r.frames(1 << 20)
	w.until("the server's settings", func() bool { return w.first != 65535 })
	w.ask(pb.EnvironmentService_Describe_FullMethodName, "x", strings.Repeat("y", 60000))
	w.until("the end of a client that exceeds the limits", func() bool { return w.ended })
}

func TestConnectionTooManyIsRefusedWithTheReason(t *testing.T) {
	r := begin(t, func(c *serve.Config) { c.MaxConnections = 3 })
	var open []*wired
	for range 3 {
		w := r.frames(1 << 20)
		w.until("the server's settings", func() bool { return w.first != 65535 })
		open = append(open, w)
	}
	_, err := r.env.Describe(soon(t), &pb.DescribeRequest{Game: "kuhn"})
	expect(t, err, codes.ResourceExhausted, "max_connections")
	open[0].conn.Close()
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		conn := dial(t, r.addr)
		_, err := pb.NewEnvironmentServiceClient(conn).Describe(soon(t), &pb.DescribeRequest{Game: "kuhn"})
		if err == nil {
			break
		}
		conn.Close()
		if time.Now().After(end) {
			t.Fatalf("there is room, and a client is told %v", err)
		}
	}
}

// A client that holds connections and shows no token keeps nobody out.
func TestStrangersMakeRoom(t *testing.T) {
	tokens := withTokens(t)
	r := begin(t, func(c *serve.Config) { tokens(c); c.MaxConnections = 3 })
	if _, err := r.env.Describe(bearing(t, annsToken), &pb.DescribeRequest{Game: "kuhn"}); err != nil {
		t.Fatal(err)
	}
	first := r.frames(1 << 20)
	for range 10 {
		r.frames(1 << 20)
	}
	first.until("its end", func() bool { return first.ended })
	for range 3 { // over the first client's connection, and two more
		conn := dial(t, r.addr)
		if _, err := pb.NewEnvironmentServiceClient(conn).Describe(bearing(t, "bbbbbbbbbbbbbbbb"), &pb.DescribeRequest{Game: "kuhn"}); err != nil {
			break // three are known then
		}
	}
	if _, err := r.env.Describe(bearing(t, annsToken), &pb.DescribeRequest{Game: "kuhn"}); err != nil {
		t.Error(err)
	}
}

// Connections to the port of the metrics that say nothing, or nothing but the beginning of a request.
func TestMetricsAreServedWhoeverHoldsTheirPort(t *testing.T) {
	r := begin(t, nil)
	const most = 60 // that are held at a time, where few files may be open: more than the server holds
	var held []net.Conn
	for i := range 300 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(r.metrics, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if held = append(held, conn); len(held) > most {
			held[0].Close()
			held = held[1:]
		}
		if _, err := io.WriteString(conn, "GET /metrics HTTP/1.1\r\nHost: x\r\nX: "[:i%36]); err != nil {
			t.Fatal(err)
		}
	}
	if code, _ := r.get("/metrics"); code != http.StatusOK {
		t.Errorf("code %d", code)
	}
	resp, err := http.Get(r.metrics + "/metrics?" + strings.Repeat("x", 100_000))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header of 100,000 bytes: code %d", resp.StatusCode)
	}
}

// named issues a certificate with another subject than the file's name.
func (a *authority) named(t *testing.T, file string, change func(*x509.Certificate)) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := a.template(file, []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth})
	change(c)
	der, err := x509.CreateCertificate(rand.Reader, c, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// A session belongs to the subject that a certificate names, and to the certificate if it names nobody.
func TestCertificatesThatNameNobodyAreDifferentOwners(t *testing.T) {
	a := newAuthority(t)
	cert, key := a.issue(t, "server", []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth})
	r := begin(t, func(c *serve.Config) { c.TLSCert, c.TLSKey, c.TLSClientCA = cert, key, filepath.Join(a.dir, "ca.pem") })
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	name := func(common, organisation, uri string) func(*x509.Certificate) {
		return func(c *x509.Certificate) {
			c.Subject.CommonName, c.Subject.Organization = common, []string{organisation}
			c.DNSNames = []string{"localhost"}
			if uri != "" {
				c.URIs = []*url.URL{{Scheme: "spiffe", Host: "x", Path: uri}}
			}
		}
	}
	clients := map[string]pb.EnvironmentServiceClient{}
	for who, change := range map[string]func(*x509.Certificate){
		"nobody": name("", "Acme", ""), "nobody else": name("", "Acme", ""), "blank": name(" ", "Acme", ""),
		"ann": name("ann", "Acme", ""), "ann again": name("ann", "Acme", "/other"),
		"workload": name("", "", "/a"), "workload again": name("", "", "/a"), "other workload": name("", "", "/b"),
		"posing as a workload": name("spiffe://x/a", "", ""),
	} {
		creds := credentials.NewTLS(&tls.Config{RootCAs: pool, Certificates: []tls.Certificate{a.named(t, who, change)}})
		clients[who] = pb.NewEnvironmentServiceClient(dial(t, r.addr, grpc.WithTransportCredentials(creds)))
	}
	same := map[string]string{"ann": "ann again", "ann again": "ann", "workload": "workload again", "workload again": "workload"}
	for owner, client := range clients {
		open, err := client.Open(soon(t), &pb.OpenRequest{Game: "kuhn", NumEnvs: 1})
		if err != nil {
			t.Fatal(err)
		}
		for who, other := range clients {
			_, err := other.Renew(soon(t), &pb.RenewRequest{SessionId: open.SessionId})
			if mine := who == owner || same[owner] == who; mine != (err == nil) {
				t.Errorf("%s asks for the session of %s: %v", who, owner, err)
			}
		}
	}
}

// The page is the same server: what gRPC asks of a client it asks too, and what is logged of it is logged alike.
func TestThePageAsksForACertificateToo(t *testing.T) {
	a := newAuthority(t)
	cert, key := a.issue(t, "server", []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth})
	cfg := serve.DefaultConfig()
	cfg.Addr, cfg.MetricsAddr, cfg.Web = "127.0.0.1:0", "", "127.0.0.1:0"
	cfg.TLSCert, cfg.TLSKey, cfg.TLSClientCA = cert, key, filepath.Join(a.dir, "ca.pem")
	log := make(logged, 100)
	page := make(chan string, 1)
	srv, err := serve.New(cfg, serve.Options{Log: slog.New(slog.NewJSONHandler(log, nil)), Page: func(address string) { page <- address }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(ctx) }()
	address, _, _ := strings.Cut(<-page, "#")
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	own := a.named(t, "ann", func(*x509.Certificate) {})
	for name, c := range map[string]struct {
		certificates []tls.Certificate
		served       bool
	}{"with a certificate": {[]tls.Certificate{own}, true}, "without": {nil, false}} {
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: c.certificates}}
		resp, err := (&http.Client{Transport: transport}).Get(address)
		if err == nil {
			resp.Body.Close()
		}
		if served := err == nil && resp.StatusCode == http.StatusOK; served != c.served {
			t.Errorf("%s: served %t: %v", name, served, err)
		}
		transport.CloseIdleConnections()
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	late := soon(t).Done()
	for refused := false; !refused || len(log) > 0; {
		select {
		case line := <-log:
			if !json.Valid([]byte(line)) {
				t.Errorf("a line of the log is no JSON: %s", line)
			}
			refused = refused || strings.Contains(line, "TLS handshake error")
		case <-late:
			t.Fatal("nothing is logged of a client without a certificate")
		}
	}
}

// logged has the lines that a server logs, one at a time: it may log after its client has its answer, and even after it has ended.
type logged chan string

func (l logged) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

// Of several tokens it would not be clear who asks.
func TestARequestShowsOneToken(t *testing.T) {
	r := begin(t, withTokens(t))
	for _, all := range [][]string{{"x", annsToken}, {annsToken, "x"}, {annsToken, "bbbbbbbbbbbbbbbb"}, {annsToken, annsToken}} {
		ctx := bearing(t, all[0])
		_, err := r.env.Describe(metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+all[1]), &pb.DescribeRequest{Game: "kuhn"})
		if status.Code(err) != codes.Unauthenticated || !strings.Contains(err.Error(), "want one metadata entry") {
			t.Errorf("tokens %q: %v", all, err)
		}
	}
}
