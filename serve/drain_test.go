package serve

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/engine/durable"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// harbour is a server in this process whose internals can be reached.
type harbour struct {
	*Server
	e    *environments
	p    *policies
	addr string
	end  context.CancelFunc
	err  chan error
}

func quiet(dir string) Config {
	cfg := DefaultConfig()
	cfg.Addr, cfg.MetricsAddr, cfg.Snapshots, cfg.Drain = "127.0.0.1:0", "", dir, Duration(time.Hour)
	return cfg
}

func run(t *testing.T, cfg Config) *harbour {
	t.Helper()
	ready := make(chan string, 1)
	s, err := New(cfg, Options{Ready: func(addr, _ net.Addr) { ready <- addr.String() }})
	if err != nil {
		t.Fatal(err)
	}
	h := &harbour{Server: s, e: &environments{Server: s}, p: &policies{Server: s}, err: make(chan error, 1)}
	ctx, end := context.WithCancel(context.Background())
	h.end = end
	t.Cleanup(end)
	go func() { h.err <- s.Run(ctx) }()
	select {
	case h.addr = <-ready:
	case err := <-h.err:
		t.Fatal(err)
	}
	return h
}

// stop drains and waits.
func (h *harbour) stop(t *testing.T) {
	t.Helper()
	h.end()
	select {
	case err := <-h.err:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(5 * time.Minute):
		t.Fatal("the server does not end")
	}
}

// session opens one that has been reset.
func (h *harbour) session(t *testing.T, n uint32) *session {
	t.Helper()
	open, err := h.e.Open(t.Context(), &pb.OpenRequest{Game: "leduc", NumEnvs: n, Seed: proto.Uint64(uint64(n))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.e.Reset(t.Context(), &pb.ResetRequest{SessionId: open.SessionId, Seq: 1}); err != nil {
		t.Fatal(err)
	}
	s, err := h.sessions.find(open.SessionId, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (h *harbour) table(t *testing.T) *hosted {
	t.Helper()
	host, err := h.p.Host(t.Context(), &pb.HostRequest{Game: "leduc", Seats: []string{"", "random"}})
	if err != nil {
		t.Fatal(err)
	}
	one, err := h.tables.find(host.TableId)
	if err != nil {
		t.Fatal(err)
	}
	return one
}

// files are the names and contents of a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}

// A server that fails to start, for whatever reason, takes nothing away from the next one
// that starts.
func TestServerThatCannotServeLeavesTheFilesAlone(t *testing.T) {
	dir := t.TempDir()
	h := run(t, quiet(dir))
	one, match := h.session(t, 3), h.table(t)
	h.stop(t)
	kept := files(t, dir)
	if len(kept) != 2 {
		t.Fatalf("%d files", len(kept))
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	running := run(t, quiet(t.TempDir()))
	defer running.stop(t)
	for want, change := range map[string]func(*Config){
		"serve: addr":         func(c *Config) { c.Addr = taken.Addr().String() },
		"serve: metrics_addr": func(c *Config) { c.MetricsAddr = taken.Addr().String() },
		"no such host":        func(c *Config) { c.MetricsAddr = "nowhere.invalid:1" },
	} {
		cfg := quiet(dir)
		change(&cfg)
		s, err := New(cfg, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) && want != "no such host" {
			t.Errorf("%s: the server ended with %v", want, err)
		}
		if now := files(t, dir); fmt.Sprint(now) != fmt.Sprint(kept) {
			t.Errorf("%s: the files have changed", want)
		}
	}
	h = run(t, quiet(dir))
	if at, err := h.e.Attach(t.Context(), &pb.AttachRequest{SessionId: one.id}); err != nil || at.Seq != 1 {
		t.Errorf("%v: %v", at, err)
	}
	if _, err := h.p.Play(t.Context(), &pb.PlayRequest{TableId: match.id, SeatKey: match.keys[0]}); err != nil {
		t.Error(err)
	}
	if left := files(t, dir); len(left) != 0 {
		t.Errorf("outdated files: %v", left)
	}
	h.stop(t)
}

// Nobody knows how long a session at work will take, and the operator that ends a server does not wait:
// the others are written at once.
func TestSessionsAreWrittenBeforeAnythingIsWaitedFor(t *testing.T) {
	dir := t.TempDir()
	h := run(t, quiet(dir))
	busy, idle, match := h.session(t, 1), h.session(t, 2), h.table(t)
	busy.lock <- struct{}{} // at work
	h.end()
	for _, name := range []string{idle.id + sessionFile, match.id + tableFile} {
		for until := time.Now().Add(5 * time.Minute); ; time.Sleep(time.Millisecond) {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				break
			}
			if time.Now().After(until) {
				t.Fatalf("%s is not written", name)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, busy.id+sessionFile)); err == nil {
		t.Error("a session was written in the middle of its work")
	}
	// A client that comes now is sent to the next server, and not told that the session is gone.
	if _, err := h.e.Renew(t.Context(), &pb.RenewRequest{SessionId: idle.id}); fmt.Sprint(err) != fmt.Sprint(errDraining()) {
		t.Errorf("%v, want %v", err, errDraining())
	}
	busy.release()
	h.stop(t)
	if n := len(files(t, dir)); n != 3 {
		t.Errorf("%d files are written, want 3", n)
	}
}

// A command that never ends costs its own session, and no other.
func TestTheWaitForWhatIsAtWorkIsBounded(t *testing.T) {
	dir := t.TempDir()
	cfg := quiet(dir)
	cfg.Drain = Duration(50 * time.Millisecond)
	h := run(t, cfg)
	stuck, idle := h.session(t, 1), h.session(t, 2)
	stuck.lock <- struct{}{}
	h.end()
	select {
	case err := <-h.err:
		if err == nil || !strings.Contains(err.Error(), short(stuck.id)) || strings.Contains(err.Error(), short(idle.id)) {
			t.Errorf("the server ended with %v", err)
		}
	case <-time.After(5 * time.Minute):
		t.Fatal("the server waits for ever")
	}
	if _, ok := files(t, dir)[idle.id+sessionFile]; !ok {
		t.Error("the other session is not written")
	}
	stuck.release()
	h.closeSessions()
}

// A connection that has sent nothing has no request under way.
func TestDrainDoesNotWaitForConnectionsThatSayNothing(t *testing.T) {
	h := run(t, quiet(t.TempDir()))
	for _, said := range []string{"", "P", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x16\x03\x01\x02\x00"} {
		conn, err := net.Dial("tcp", h.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.Write([]byte(said)); err != nil {
			t.Fatal(err)
		}
	}
	client, err := grpc.NewClient(h.addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := pb.NewEnvironmentServiceClient(client).Describe(t.Context(), &pb.DescribeRequest{Game: "kuhn"}); err != nil {
		t.Fatal(err)
	}
	h.stop(t)
	if n := h.conns.open.Len(); n != 0 {
		t.Errorf("%d connections are remembered for ever", n)
	}
}

// Whatever was done to a file, it is refused, or it is the file that was written.
func TestAlteredFilesAreRefusedAndLeftWhereTheyAre(t *testing.T) {
	dir := t.TempDir()
	h := run(t, quiet(dir))
	one, match := h.session(t, 5), h.table(t)
	h.stop(t)
	kept := files(t, dir)
	f := &folder{dir}
	draw := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		id, kind string
		state    proto.Message
	}{{one.id, sessionFile, new(pb.SessionState)}, {match.id, tableFile, new(pb.TableState)}} {
		path, whole := filepath.Join(dir, c.id+c.kind), []byte(kept[c.id+c.kind])
		info, err := os.Stat(path)
		if err != nil || info.Mode() != 0o600 {
			t.Errorf("%s has the mode %v (%v)", c.kind, info.Mode(), err)
		}
		if err := f.read(c.id, c.kind, c.state); err != nil {
			t.Fatal(err)
		}
		refused := func(what string, bad []byte) {
			t.Helper()
			if !bytes.Equal(bad, whole) && unseal(bad, c.kind, c.state) == nil {
				t.Errorf("%s: %s is read", c.kind, what)
			}
		}
		for i := range whole {
			for bit := range 8 {
				bad := bytes.Clone(whole)
				bad[i] ^= 1 << bit
				refused(fmt.Sprintf("bit %d of byte %d", bit, i), bad)
			}
			refused(fmt.Sprintf("a file of %d bytes", i), whole[:i])
		}
		for range 300 {
			bad := bytes.Clone(whole)
			for range 1 + draw.IntN(8) {
				bad[draw.IntN(len(bad))] = byte(draw.Uint32())
			}
			from := draw.IntN(len(bad))
			for _, b := range [][]byte{
				bad, append(bytes.Clone(whole), bad[from:]...), slices.Delete(bytes.Clone(whole), from, min(len(whole), from+4)),
				slices.Insert(bytes.Clone(whole), from, bad[:4]...), append(bytes.Clone(whole[:from]), make([]byte, len(whole)-from)...),
			} {
				refused("an altered file", b)
			}
		}
		refused("nothing sealed", durable.Seal(nil))
		refused("the other kind", []byte(kept[map[string]string{sessionFile: match.id + tableFile, tableFile: one.id + sessionFile}[c.kind]]))
		refused("no head", durable.Seal(whole[len(heads[c.kind]):len(whole)-4]))
	}

	// One bad file keeps no good one from being opened, is reported and stays.
	bad := []byte(kept[one.id+sessionFile])
	bad[len(bad)/2] ^= 16
	for name, data := range map[string][]byte{
		one.id + sessionFile: bad, "another" + sessionFile: []byte(kept[one.id+sessionFile]), match.id + tableFile: []byte(kept[match.id+tableFile]),
		one.id + sessionFile + ".tmp-123": bad, "other.tmp-1": nil,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"+tableFile), 0o700); err != nil {
		t.Fatal(err)
	}
	h = run(t, quiet(dir))
	if n, m := len(h.sessions.list()), h.tables.underWay(); n != 0 || m != 1 {
		t.Errorf("%d sessions and %d tables are open, want the table", n, m)
	}
	h.stop(t)
	if err := os.Remove(filepath.Join(dir, "folder"+tableFile)); err != nil {
		t.Fatal(err)
	}
	left := files(t, dir)
	if _, theirs := left["other.tmp-1"]; !theirs || len(left) != 4 || left[one.id+sessionFile] != string(bad) || left["another"+sessionFile] != kept[one.id+sessionFile] {
		t.Errorf("left are %d files, which are other than they were", len(left))
	}
}

func TestFolderThatCannotKeepFilesKeepsTheServerFromStarting(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	barred := filepath.Join(dir, "barred")
	if err := os.Mkdir(barred, 0o500); err != nil {
		t.Fatal(err)
	}
	paths := []string{file, filepath.Join(file, "in a file"), "/dev/null"}
	if os.Geteuid() != 0 { // which nothing keeps out
		paths = append(paths, barred, filepath.Join(barred, "in"))
	}
	if _, err := os.Stat("/proc/self"); err == nil {
		paths = append(paths, "/proc", "/proc/none")
	}
	for _, path := range paths {
		if _, err := New(quiet(path), Options{}); err == nil || !strings.HasPrefix(err.Error(), "serve: snapshots: ") || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	whole := filepath.Join(dir, "a", "new", "folder")
	h := run(t, quiet(whole))
	if info, err := os.Stat(whole); err != nil || info.Mode() != fs.ModeDir|0o700 {
		t.Errorf("the folder is %v (%v)", info.Mode(), err)
	}
	// Two servers would continue from the same files.
	second, err := New(quiet(whole), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "belongs to another server") {
		t.Errorf("a second server with the same folder ended with %v", err)
	}
	h.stop(t)
	if left := files(t, whole); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
	run(t, quiet(whole)).stop(t)
}

// What is kept is the time left of a lease, not a time of day: however the clock is set
// meanwhile, as much is left. And every client has time to come back.
func TestARestartKeepsWhatIsLeftOfALease(t *testing.T) {
	dir := t.TempDir()
	h := run(t, quiet(dir))
	lease, confirm := time.Duration(h.cfg.Lease), time.Duration(h.cfg.Confirm)
	idle := map[string]time.Duration{}
	for _, d := range []time.Duration{0, lease / 2, lease - time.Second, 2 * lease} {
		s := h.session(t, 1)
		s.used.Store(int64(clock() - instant(d)))
		idle[s.id] = d
		m := h.table(t)
		m.used = clock() - instant(d)
		idle[m.id] = d
	}
	unnamed, err := h.e.Open(t.Context(), &pb.OpenRequest{Game: "leduc", NumEnvs: 1})
	if err != nil {
		t.Fatal(err)
	}
	h.stop(t)
	h = run(t, quiet(dir))
	check := func(id string, left time.Duration) {
		want := max(lease-idle[id], confirm)
		if left > want || left < want-30*time.Second {
			t.Errorf("what was idle for %s has %s left, want %s", idle[id], left, want)
		}
	}
	for _, s := range h.sessions.list() {
		if s.id == unnamed.SessionId {
			if left := s.left(clock(), confirm); left > confirm || s.named.Load() {
				t.Errorf("a session that nobody has named has %s left, want %s", left, confirm)
			}
			continue
		}
		check(s.id, s.left(clock(), confirm))
	}
	for _, m := range h.tables.list() {
		check(m.id, lease-clock().since(m.used))
	}
	h.stop(t)
}
