package serve

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/tap"

	"github.com/privateer-rl/privateer/engine/durable"
)

// tokens are the bearer tokens that are accepted. Only their hashes are kept, all
// of one length, so that comparing them reveals nothing about a token.
type tokens struct {
	names  []string
	hashes [][sha256.Size]byte
}

// loadTokens reads a file of lines name:token. Empty lines and lines that begin with
// # are ignored.
func loadTokens(path string) (*tokens, error) {
	data, err := durable.ReadText(path)
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	t := new(tokens)
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, token, ok := strings.Cut(line, ":")
		name, token = strings.TrimSpace(name), strings.TrimSpace(token)
		const shortest = 16
		if !ok || name == "" || len(token) < shortest {
			return nil, fmt.Errorf("tokens %s: line %d: want name:token with a token of at least %d characters", path, i+1, shortest)
		}
		if other := t.name(token); other != "" && other != name {
			return nil, fmt.Errorf("tokens %s: line %d: the token of %s is %s's too: a token names one client", path, i+1, name, other)
		}
		t.names = append(t.names, name)
		t.hashes = append(t.hashes, sha256.Sum256([]byte(token)))
	}
	if len(t.names) == 0 {
		return nil, fmt.Errorf("tokens %s: there is no token in it", path)
	}
	return t, nil
}

// name is the name of the token's owner; "" if it has none. It takes the same time
// whichever token matches.
func (t *tokens) name(token string) string {
	sum := sha256.Sum256([]byte(token))
	found := -1
	for i := range t.hashes {
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(sum[:], t.hashes[i][:]), i, found)
	}
	if found < 0 {
		return ""
	}
	return t.names[found]
}

type callerKey struct{}

// caller is the sender of a request.
type caller struct {
	identity string
	refused  error // why nobody is accepted as this caller
}

func callerOf(ctx context.Context) caller {
	c, ok := ctx.Value(callerKey{}).(caller)
	if !ok {
		c.refused = errToken() // it has not passed tap
	}
	return c
}

// identity is the identity of the sender of a request: "token:NAME", "cert:NAME", or "" if the server knows nobody. Sessions
// belong to an identity.
func identity(ctx context.Context) string { return callerOf(ctx).identity }

// openMethods need no token: a load balancer asks them.
var openMethods = map[string]bool{
	healthpb.Health_Check_FullMethodName: true, healthpb.Health_Watch_FullMethodName: true, healthpb.Health_List_FullMethodName: true,
}

func errToken() error {
	return fail(codes.Unauthenticated, &errdetails.ErrorInfo{Reason: "TOKEN", Domain: domain},
		"authorization: want one metadata entry \"authorization: Bearer TOKEN\" with a token that this server knows")
}

// tap is asked about each request when its header has arrived, before the server allocates anything
// else for it.
func (s *Server) tap(ctx context.Context, info *tap.Info) (context.Context, error) {
	c := s.authenticate(ctx, info)
	conn := connectionOf(ctx)
	if conn != nil && conn.surplus {
		c.refused = tooMuch("max_connections", "the server has as many connections as it accepts: try again later")
	}
	switch {
	case c.refused == nil && (c.identity != "" || s.tokens == nil):
		if conn != nil {
			conn.known.Store(true)
		}
	case c.refused != nil && s.cheaplyRefused(ctx):
		s.metrics.Requests.Refused(info.FullMethodName, c.refused)
		return nil, c.refused
	case conn != nil:
		conn.admit(ctx)
	}
	return context.WithValue(ctx, callerKey{}, c), nil
}

// cheaplyRefused reports whether tap may end a request. For one that has a deadline gRPC keeps a timer
// until then, whatever becomes of the request, so those are ended here only at a low rate and if the
// deadline is near. Others are let through, are counted by their connection, and end with the same
// error when they have been read.
func (s *Server) cheaplyRefused(ctx context.Context) bool {
	end, ok := ctx.Deadline()
	return !ok || time.Until(end) < time.Hour && s.refusals.Allow()
}

// authenticate finds out who asks.
func (s *Server) authenticate(ctx context.Context, info *tap.Info) caller {
	var c caller
	if p, ok := peer.FromContext(ctx); ok {
		if t, ok := p.AuthInfo.(credentials.TLSInfo); ok && len(t.State.VerifiedChains) > 0 {
			c.identity = owner(t.State.PeerCertificates[0])
		}
	}
	if s.tokens == nil {
		return c
	}
	c.identity = ""
	if all := info.Header["authorization"]; len(all) == 1 { // of several it would not be clear who asks
		if kind, token, ok := strings.Cut(all[0], " "); ok && strings.EqualFold(kind, "bearer") {
			if name := s.tokens.name(strings.TrimSpace(token)); name != "" {
				c.identity = "token:" + name
			}
		}
	}
	if c.identity == "" && !openMethods[info.FullMethodName] {
		c.refused = errToken()
	}
	return c
}

// owner is the owner of a certificate. One that names nobody owns itself: two such certificates are two
// owners.
func owner(cert *x509.Certificate) string {
	if strings.TrimSpace(cert.Subject.CommonName) != "" {
		return "cert:" + cert.Subject.CommonName
	}
	for _, uri := range cert.URIs { // a workload's name, as in spiffe://host/path
		return "cert-uri:" + uri.String()
	}
	sum := sha256.Sum256(cert.Raw)
	return "cert-sha256:" + hex.EncodeToString(sum[:])
}

// client is the subject of limits: the identity, or the address if there is none.
func client(ctx context.Context) string {
	if who := identity(ctx); who != "" {
		return who
	}
	if p, ok := peer.FromContext(ctx); ok {
		if host, _, err := net.SplitHostPort(p.Addr.String()); err == nil {
			return host
		}
		return p.Addr.String()
	}
	return ""
}

// loadTLS makes what the configuration asks for, of gRPC's port and of the page's; nil for none.
func loadTLS(cfg *Config) (*tls.Config, error) {
	if cfg.TLSCert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(cfg.TLSCert, cfg.TLSKey)
	if err != nil {
		return nil, fmt.Errorf("tls_cert, tls_key: %w", err)
	}
	c := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if cfg.TLSClientCA != "" {
		pem, err := os.ReadFile(cfg.TLSClientCA)
		if err != nil {
			return nil, fmt.Errorf("tls_client_ca: %w", err)
		}
		c.ClientCAs = x509.NewCertPool()
		if !c.ClientCAs.AppendCertsFromPEM(pem) {
			return nil, errors.New("tls_client_ca: " + cfg.TLSClientCA + " has no certificate in PEM form")
		}
		c.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return c, nil
}
