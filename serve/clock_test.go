package serve

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// Otherwise setting the machine's clock could end all leases, or none. So nothing in the
// package strips the monotonic reading from a time.
func TestNothingIsCountedByTheWallClock(t *testing.T) {
	wall := []string{"Unix", "UnixNano", "UnixMilli", "UnixMicro", "Date", "UTC", "Local", "In", "Truncate", "AppendFormat", "MarshalBinary"}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if f, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains(wall, f.Sel.Name) {
					t.Errorf("%s: calls %s: count with clock()", name, f.Sel.Name)
				}
			}
			return true
		})
	}
}

func TestLeasesAreCountedInInstants(t *testing.T) {
	cfg := DefaultConfig()
	srv, err := New(cfg, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.closeSessions()
	e, p := &environments{Server: srv}, &policies{Server: srv}
	ctx, minute := t.Context(), instant(time.Minute)
	for range 2 {
		if _, err := e.Open(ctx, &pb.OpenRequest{Game: "kuhn", NumEnvs: 1}); err != nil {
			t.Fatal(err)
		}
	}
	known := srv.sessions.list()[0]
	if _, err := e.Renew(ctx, &pb.RenewRequest{SessionId: known.id}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Host(ctx, &pb.HostRequest{Game: "kuhn", Seats: []string{"", ""}}); err != nil {
		t.Fatal(err)
	}
	began := clock()
	for _, c := range []struct {
		after            instant
		sessions, tables int
	}{{-minute * 60, 2, 1}, {minute / 2, 2, 1}, {minute * 2, 1, 1}, {minute * 9, 1, 1}, {minute * 11, 0, 0}} {
		srv.sessions.expire(began + c.after)
		srv.tables.expire(began + c.after)
		if n := len(srv.sessions.list()); n != c.sessions || srv.tables.underWay() != c.tables {
			t.Errorf("after %s: %d sessions and %d tables, want %d and %d", time.Duration(c.after), n, srv.tables.underWay(), c.sessions, c.tables)
		}
	}
}
