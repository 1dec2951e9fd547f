package serve_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/serve"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// get is a page of the metrics port.
func (r *running) get(path string) (int, string) {
	r.t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(r.metrics + path)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func TestMetricsCountWhatWasDone(t *testing.T) {
	r := begin(t, nil)
	s := r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 4, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP}).attach()
	s.must(resetAll())
	for range 10 {
		s.must(act([]int32{0, 0, 0, 0})) // pass: a match is two decisions
	}
	if _, err := s.send(act([]int32{7, 0, 0, 0})); status.Code(err) != codes.InvalidArgument {
		t.Fatal(err)
	}
	for _, closed := range []bool{false, true} {
		if closed {
			if _, err := r.env.Close(soon(t), &pb.CloseRequest{SessionId: s.open.SessionId}); err != nil {
				t.Fatal(err)
			}
		}
		_, page := r.get("/metrics")
		want := []string{
			`privateer_env_steps_total{game="kuhn"} 40`,
			`privateer_env_batches_total{game="kuhn"} 10`,
			`privateer_episodes_total{game="kuhn",outcome="terminated",seats="2"} 20`,
			`privateer_episodes_total{game="kuhn",outcome="truncated",seats="2"} 0`,
			`privateer_illegal_actions_total{game="kuhn"} 1`,
			`privateer_env_step_duration_seconds_count{game="kuhn"} 10`,
			`privateer_env_batch_size_sum{game="kuhn"} 40`,
			`privateer_grpc_messages_sent_total{method="/privateer.v1.EnvironmentService/Step"} 11`,
			`privateer_sessions{game="kuhn"} ` + map[bool]string{false: "1", true: "0"}[closed],
			`privateer_build_info{`, `go_goroutines`, `process_cpu_seconds_total`,
		}
		for _, line := range want {
			if !strings.Contains(page, line) {
				t.Errorf("closed %v: the metrics lack %s", closed, line)
			}
		}
	}
	if code, _ := r.get("/debug/pprof/"); code != http.StatusNotFound {
		t.Errorf("profiles are served unasked: %d", code)
	}
}

func TestTokensLetInWhomTheyName(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte("# who may\nann: aaaaaaaaaaaaaaaa\nmary:bbbbbbbbbbbbbbbb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := begin(t, func(c *serve.Config) { c.Tokens = file })
	as := func(token string) context.Context {
		return metadata.AppendToOutgoingContext(soon(t), "authorization", "Bearer "+token)
	}
	for _, ctx := range []context.Context{soon(t), as("aaaaaaaaaaaaaaa"), as("")} {
		if _, err := r.env.Describe(ctx, &pb.DescribeRequest{}); status.Code(err) != codes.Unauthenticated {
			t.Fatalf("without a token: %v", err)
		}
	}
	stream, err := r.env.Step(soon(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); status.Code(err) != codes.Unauthenticated {
		t.Fatalf("a stream without a token: %v", err)
	}
	open, err := r.env.Open(as("aaaaaaaaaaaaaaaa"), &pb.OpenRequest{Game: "kuhn", NumEnvs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.env.Attach(as("bbbbbbbbbbbbbbbb"), &pb.AttachRequest{SessionId: open.SessionId}); status.Code(err) != codes.NotFound {
		t.Fatalf("another's session: %v", err)
	}
	if _, err := r.env.Attach(as("aaaaaaaaaaaaaaaa"), &pb.AttachRequest{SessionId: open.SessionId}); err != nil {
		t.Fatal(err)
	}
	h, err := healthpb.NewHealthClient(r.conn).Check(soon(t), &healthpb.HealthCheckRequest{})
	if err != nil || h.Status != healthpb.HealthCheckResponse_SERVING {
		t.Fatalf("health needs no token: %v %v", h, err)
	}
}

// A probe asks for the whole server or for the service that it is about.
func TestEachServiceTellsItsHealth(t *testing.T) {
	r := begin(t, nil)
	for _, service := range []string{"", pb.EnvironmentService_ServiceDesc.ServiceName, pb.PolicyService_ServiceDesc.ServiceName} {
		h, err := healthpb.NewHealthClient(r.conn).Check(soon(t), &healthpb.HealthCheckRequest{Service: service})
		if err != nil || h.Status != healthpb.HealthCheckResponse_SERVING {
			t.Errorf("%q: %v %v", service, h, err)
		}
	}
}

// Streams of health and reflection never end by themselves, so a drain cannot wait for them.
func TestDrainDoesNotWaitForWhoeverWatches(t *testing.T) {
	r := begin(t, func(c *serve.Config) { c.Drain = serve.Duration(time.Hour) })
	var watches []interface{ RecvMsg(any) error }
	for _, service := range []string{"", "nobody's"} {
		w, err := healthpb.NewHealthClient(r.conn).Watch(soon(t), &healthpb.HealthCheckRequest{Service: service})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Recv(); err != nil {
			t.Fatal(err)
		}
		watches = append(watches, w)
	}
	lists, err := reflectionpb.NewServerReflectionClient(r.conn).ServerReflectionInfo(soon(t))
	if err != nil {
		t.Fatal(err)
	}
	watches = append(watches, lists)

	stopped := make(chan struct{})
	go func() { defer close(stopped); r.stop() }()
	for _, w := range watches {
		var err error
		for err == nil { // the news that the server is not serving may come first
			err = w.RecvMsg(new(healthpb.HealthCheckResponse))
		}
		if status.Code(err) != codes.Unavailable {
			t.Errorf("a watch ends with %v, want Unavailable", err)
		}
	}
	<-stopped
}

// authority issues certificates for 127.0.0.1 into files.
type authority struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{dir: t.TempDir()}
	a.issue(t, "ca", nil)
	return a
}

func (a *authority) template(name string, usage []x509.ExtKeyUsage) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: usage, IsCA: usage == nil, BasicConstraintsValid: true,
	}
}

func (a *authority) issue(t *testing.T, name string, usage []x509.ExtKeyUsage) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := a.template(name, usage)
	parent, signer := a.cert, a.key
	if parent == nil {
		c.KeyUsage = x509.KeyUsageCertSign
		parent, signer = c, private
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &private.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	if a.cert == nil {
		a.key = private
		if a.cert, err = x509.ParseCertificate(der); err != nil {
			t.Fatal(err)
		}
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(a.dir, name+".pem"), filepath.Join(a.dir, name+".key")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: pkcs8}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

func TestMutualTLSAsksForACertificate(t *testing.T) {
	a := newAuthority(t)
	cert, key := a.issue(t, "server", []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth})
	mine, mineKey := a.issue(t, "ann", []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth})
	r := begin(t, func(c *serve.Config) {
		c.TLSCert, c.TLSKey, c.TLSClientCA = cert, key, filepath.Join(a.dir, "ca.pem")
	})
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	pair, err := tls.LoadX509KeyPair(mine, mineKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		creds credentials.TransportCredentials
		code  codes.Code
	}{
		"with a certificate":    {credentials.NewTLS(&tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}}), codes.OK},
		"without a certificate": {credentials.NewTLS(&tls.Config{RootCAs: pool}), codes.Unavailable},
		"without TLS":           {insecure.NewCredentials(), codes.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			client := pb.NewEnvironmentServiceClient(dial(t, r.addr, grpc.WithTransportCredentials(c.creds)))
			if _, err := client.Describe(soon(t), &pb.DescribeRequest{Game: "kuhn"}); status.Code(err) != c.code {
				t.Fatalf("%v, want %s", err, c.code)
			}
		})
	}
}

// A server that is told to end answers what is under way and tells its streams, and
// the next one continues the sessions.
func TestDrainedSessionsGoOnAtTheNextServer(t *testing.T) {
	dir := t.TempDir()
	keep := func(c *serve.Config) { c.Snapshots = dir }
	r := begin(t, keep)
	open := &pb.OpenRequest{Game: "leduc", NumEnvs: 8, Seed: proto.Uint64(5), AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP, ShuffleSeats: true}
	s := r.session(open).attach()
	s.must(resetAll())
	for i := range 9 {
		s.must(act(legal(s.batch, i)))
	}
	idle := r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 1}) // never reset
	r.stop()
	if _, err := s.stream.Recv(); status.Code(err) != codes.Unavailable {
		t.Fatalf("the stream ended with %v, want Unavailable", err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 2 {
		t.Fatalf("%d files: %v", len(files), err)
	}

	// A server that is killed before any client comes back has taken nothing away.
	next := begin(t, keep)
	if files, err = os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Fatalf("%d files wait: %v", len(files), err)
	}
	at, err := next.env.Attach(soon(t), &pb.AttachRequest{SessionId: s.open.SessionId})
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 || strings.HasPrefix(files[0].Name(), s.open.SessionId) {
		t.Fatalf("when one session continues, the files are %v: %v", files, err)
	}
	if err != nil || at.Seq != s.seq || !proto.Equal(at.Batch, s.batch) {
		t.Fatalf("after the restart: command %d, want %d: %v", at.GetSeq(), s.seq, err)
	}
	before := s.batch
	s.running = next
	s.attach()
	s.must(act(legal(before, 3)))
	idle.running = next
	idle.attach().must(resetAll())
}

func TestLeaseEndsWhereNobodyIsAttached(t *testing.T) {
	r := begin(t, func(c *serve.Config) { c.Lease = serve.Duration(40 * time.Millisecond) })
	left, kept := r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 1}), r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 1}).attach()
	kept.must(resetAll())
	for {
		_, err := r.env.Attach(soon(t), &pb.AttachRequest{SessionId: left.open.SessionId})
		if status.Code(err) == codes.NotFound {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	kept.must(act(legal(kept.batch, 0)))
}

// A client that goes while the answer to Open is on its way does not learn the session's
// name, and the server does not learn that it went: the session is closed long before its
// lease ends. One that Renew has named lives on.
func TestSessionThatNobodyNamesAfterOpenIsClosedSoon(t *testing.T) {
	r := begin(t, func(c *serve.Config) { c.MaxSessions, c.Confirm = 2, serve.Duration(300*time.Millisecond) })
	kept := r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 1})
	if _, err := r.env.Renew(soon(t), &pb.RenewRequest{SessionId: kept.open.SessionId}); err != nil {
		t.Fatal(err)
	}
	r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 1}) // which is never heard of again
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		_, err := r.env.Open(soon(t), &pb.OpenRequest{Game: "kuhn", NumEnvs: 1})
		if err == nil {
			break
		}
		expect(t, err, codes.ResourceExhausted, "max_sessions")
		if time.Now().After(deadline) {
			t.Fatal("the session that nobody knows is still open")
		}
	}
	kept.attach().must(resetAll())
	_, err := r.env.Renew(soon(t), &pb.RenewRequest{SessionId: "none"})
	expect(t, err, codes.NotFound, "session_id")
}

func TestLimitsHold(t *testing.T) {
	r := begin(t, func(c *serve.Config) { c.MaxSessions, c.MaxEnvs, c.MaxEnvsPerSession, c.MaxDecisions = 2, 10, 8, 1 })
	_, err := r.env.Open(soon(t), &pb.OpenRequest{Game: "kuhn", NumEnvs: 9})
	expect(t, err, codes.ResourceExhausted, "max_envs_per_session")
	first := r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 8})
	_, err = r.env.Open(soon(t), &pb.OpenRequest{Game: "kuhn", NumEnvs: 3})
	expect(t, err, codes.ResourceExhausted, "max_envs")
	r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 2})
	_, err = r.env.Open(soon(t), &pb.OpenRequest{Game: "kuhn", NumEnvs: 1})
	expect(t, err, codes.ResourceExhausted, "max_sessions")
	first.attach().must(resetAll())
	if b := first.must(act(legal(first.batch, 0))); b.Truncated.Data[0] != 1 {
		t.Fatal("the limit on decisions does not hold")
	}
	if _, err := r.env.Close(soon(t), &pb.CloseRequest{SessionId: first.open.SessionId}); err != nil {
		t.Fatal(err)
	}
	r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 8})
}

// A stream beyond the limit of a connection waits silently. The limits on sessions and
// tables, which are reported, must be reached first.
func TestOneConnectionHasRoomForAllSessionsAndTables(t *testing.T) {
	c := serve.DefaultConfig()
	if c.MaxStreams < 2*(c.MaxSessions+c.MaxTables) {
		t.Errorf("%d streams on a connection: want two for each of %d sessions and %d tables", c.MaxStreams, c.MaxSessions, c.MaxTables)
	}
	r := begin(t, nil)
	for range 300 {
		r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 1}).attach().must(resetAll())
	}
}

func TestRequestsBeyondTheRateAreRefused(t *testing.T) {
	r := begin(t, func(c *serve.Config) { c.RequestsPerSecond, c.RequestBurst = 0.01, 3 })
	for range 3 {
		if _, err := r.env.Describe(soon(t), &pb.DescribeRequest{Game: "kuhn"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.env.Describe(soon(t), &pb.DescribeRequest{Game: "kuhn"}); status.Code(err) != codes.ResourceExhausted {
		t.Fatalf("the fourth request: %v", err)
	}
}

// YAML and flags both have .nan and inf: as a rate they would be no limit, or one that refuses everybody.
func TestRateIsANumber(t *testing.T) {
	for _, rate := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1} {
		c := serve.DefaultConfig()
		c.RequestsPerSecond = rate
		if err := c.Check(); err == nil || !strings.HasPrefix(err.Error(), "requests_per_second: ") {
			t.Errorf("requests_per_second %v: %v", rate, err)
		}
	}
}

// Whose sessions would the holder's be? A name may have several tokens, while one replaces the other.
func TestATokenNamesOneClient(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	for lines, want := range map[string]string{
		"ann:aaaaaaaaaaaaaaaa\nmary:aaaaaaaaaaaaaaaa\n":                      "line 2: the token of mary is ann's too",
		"ann:aaaaaaaaaaaaaaaa\nann:bbbbbbbbbbbbbbbb\nann:aaaaaaaaaaaaaaaa\n": "",
	} {
		if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		c := serve.DefaultConfig()
		c.Tokens = file
		_, err := serve.New(c, serve.Options{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "aaaa")) {
			t.Errorf("%q: %v; want %q", lines, err, want)
		}
	}
}

func TestMessageTooLargeIsRefused(t *testing.T) {
	r := begin(t, func(c *serve.Config) { c.MaxRequestBytes = 4096 })
	s := r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 4}).attach()
	s.must(resetAll())
	if _, err := s.send(&pb.StepRequest{Command: &pb.StepRequest_Actions{Actions: &pb.Tensor{Data: make([]byte, 8192)}}}); status.Code(err) != codes.ResourceExhausted {
		t.Fatalf("a message of 8192 bytes: %v", err)
	}
	s.attach().must(act(legal(s.batch, 0)))
}
