package serve

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/serve/table"
)

// at is where a page listens.
func at(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// Connections that show no key make room: first those that are silent, or say anything else, then the newest comers.
func TestStrangersDoNotThrowAPlayerOffThePage(t *testing.T) {
	address, end := visited(t, Options{Opening: &table.Request{Game: "kuhn", Seats: []string{"person", "random"}}}, func(c *Config) { c.MaxConnections = 4 })
	defer end()
	player, keys := visit(t, address)
	player.sit(keys.Get("table"), keys.Get("key"))
	player.turn()
	for i := range 30 {
		conn, err := net.Dial("tcp", at(t, address))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if i%2 > 0 {
			_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		}
		if i%5 == 0 {
			visit(t, address)
		}
	}
	player.ask(table.Request{Do: table.DoGames})
	player.hear("games", new(table.Games))
}

func TestAPageThatHasShownNoKeySaysLittle(t *testing.T) {
	p, web := pageServer(t)
	long := `{"do":"replay","text":"` + strings.Repeat("x", strangersMessage) + `"}`
	stranger := talk(t, web.URL)
	_ = stranger.conn.Write(t.Context(), websocket.MessageText, []byte(long))
	if _, _, err := stranger.conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Errorf("a stranger's message of %d bytes: %v", len(long), err)
	}
	host := talk(t, web.URL)
	host.sit("", p.key)
	host.say(long)
	var r table.Refusal
	if host.hear("refusal", &r); r.For != table.DoReplay {
		t.Errorf("%+v", r)
	}
}

// The page says something while the server asks whether it is there, and answers that after.
func TestAMessageThatCrossesThePingIsAnswered(t *testing.T) {
	address, end := visited(t, Options{}, func(c *Config) { c.Lease, c.SendTimeout = Duration(4*time.Second), Duration(3*time.Second) })
	defer end()
	host, keys := visit(t, address)
	host.sit("", keys.Get("host"))
	for range 2 {
		time.Sleep(1500 * time.Millisecond) // the ping has come, and is not read
		host.ask(table.Request{Do: table.DoGames})
		host.ask(table.Request{Do: table.DoGames})
		time.Sleep(10 * time.Millisecond)
		host.hear("games", new(table.Games))
		host.hear("games", new(table.Games))
	}
}

func TestAConversationEndsWithTheTrueReason(t *testing.T) {
	address, end := visited(t, Options{}, func(*Config) {})
	host, keys := visit(t, address)
	host.sit("", keys.Get("host"))
	said := make(chan error, 1)
	go func() {
		_, _, err := host.conn.Read(t.Context())
		said <- err
	}()
	end()
	var closed websocket.CloseError
	if err := <-said; !errors.As(err, &closed) || closed.Reason != errEnds.Error() {
		t.Errorf("the server ends, and the page is told: %v", err)
	}
}

// lines are what a server logs.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Split(strings.TrimSpace(l.text.String()), "\n")
}

func TestWhatIsOpenToOthersIsWarnedOf(t *testing.T) {
	for _, c := range []struct {
		change func(*Config)
		want   []string
	}{
		{func(*Config) {}, nil},
		{func(c *Config) { c.MetricsAddr, c.Pprof = "127.0.0.1:0", true }, nil},
		{func(c *Config) { c.Web = "0.0.0.0:0" }, []string{"page's keys"}},
		{func(c *Config) { c.MetricsAddr = "0.0.0.0:0" }, nil},
		{func(c *Config) { c.MetricsAddr, c.Pprof = "0.0.0.0:0", true }, []string{"profile the server"}},
		{func(c *Config) { c.Addr, c.Web = "0.0.0.0:0", "0.0.0.0:0" }, []string{"can use the server", "page's keys"}},
	} {
		var log lines
		_, end := visited(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))}, c.change)
		end()
		var warned []string
		for _, line := range log.all() {
			if strings.Contains(line, "level=WARN") {
				warned = append(warned, line)
			}
		}
		if len(warned) != len(c.want) {
			t.Errorf("warned of %q; want %q", warned, c.want)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(warned[i], want) {
				t.Errorf("%s: want %q in it", warned[i], want)
			}
		}
	}
}

// A few kilobytes of transcript are seconds of a core to draw: they are the client's, and nobody else's.
func TestAReplayIsDrawnInTheClientsTime(t *testing.T) {
	g, err := engine.NewGame("jolly_roger(seats=10,bribes=gifts)")
	if err != nil {
		t.Fatal(err)
	}
	m, r := g.NewMatch(), engine.NewRand(1)
	m.Reset(1)
	long := engine.Transcript{Game: g.Info().Config, Seed: 1}
	for m.Seat() >= 0 {
		a := m.Legal().Sample(&r)
		long.Steps = append(long.Steps, engine.Step{Seat: m.Seat(), Action: g.Info().ActionName(a)})
		if err := m.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	var text strings.Builder
	if err := long.Write(&text, nil); err != nil {
		t.Fatal(err)
	}
	address, end := visited(t, Options{}, func(c *Config) { c.ThinkTime = Duration(20 * time.Millisecond) })
	defer end()
	host, keys := visit(t, address)
	host.sit("", keys.Get("host"))
	host.ask(table.Request{Do: table.DoReplay, Text: text.String(), View: "full"})
	host.refused("a shorter match")
}
