package serve

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
)

// tokens are the bearer tokens that are let in. Only their hashes are kept, which
// have one length, so that comparing them tells nothing of a token.
type tokens struct {
	names  []string
	hashes [][sha256.Size]byte
}

// loadTokens reads a file of lines name:token. Lines that are empty or begin with #
// say nothing.
func loadTokens(path string) (*tokens, error) {
	data, err := os.ReadFile(path)
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
		t.names = append(t.names, name)
		t.hashes = append(t.hashes, sha256.Sum256([]byte(token)))
	}
	if len(t.names) == 0 {
		return nil, fmt.Errorf("tokens %s: there is no token in it", path)
	}
	return t, nil
}

// name is whose token it is; "" where it is nobody's. It takes the same time
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

type identityKey struct{}

// identity is who sent a request: "token:NAME", "cert:NAME", or "" where the server
// knows nobody. Sessions belong to an identity.
func identity(ctx context.Context) string {
	who, _ := ctx.Value(identityKey{}).(string)
	return who
}

// open are the services that need no token: a load balancer asks them.
const openService = "/grpc.health.v1.Health/"

// authenticate returns a context that knows who asks.
func (s *Server) authenticate(ctx context.Context, method string) (context.Context, error) {
	who := ""
	if p, ok := peer.FromContext(ctx); ok {
		if t, ok := p.AuthInfo.(credentials.TLSInfo); ok && len(t.State.VerifiedChains) > 0 {
			who = "cert:" + t.State.PeerCertificates[0].Subject.CommonName
		}
	}
	if s.tokens != nil && !strings.HasPrefix(method, openService) {
		name := ""
		if md, ok := metadata.FromIncomingContext(ctx); ok {
			for _, h := range md.Get("authorization") {
				if kind, token, ok := strings.Cut(h, " "); ok && strings.EqualFold(kind, "bearer") {
					name = s.tokens.name(strings.TrimSpace(token))
				}
			}
		}
		if name == "" {
			return nil, fail(codes.Unauthenticated, &errdetails.ErrorInfo{Reason: "TOKEN", Domain: domain},
				"authorization: want the metadata entry \"authorization: Bearer TOKEN\" with a token that this server knows")
		}
		who = "token:" + name
	}
	return context.WithValue(ctx, identityKey{}, who), nil
}

// client is what limits are kept by: the identity, or the address where there is none.
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

// loadTLS makes the transport credentials that the configuration asks for; nil
// for none.
func loadTLS(cfg *Config) (credentials.TransportCredentials, error) {
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
	return credentials.NewTLS(c), nil
}
