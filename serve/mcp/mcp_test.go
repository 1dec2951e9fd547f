package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/serve"
	"github.com/privateer-rl/privateer/serve/mcp"
)

// view is what observe and act answer.
type view struct {
	Turn     string
	Decision int
	Legal    []struct {
		Action      int
		Name, Words string
	}
	Log    []string
	Events []any
	End    *struct{ Verdict, Seed string }
}

// hall is a server that has no port.
func hall(t *testing.T, change func(*serve.Config)) *serve.Server {
	t.Helper()
	cfg := serve.DefaultConfig()
	if change != nil {
		change(&cfg)
	}
	s, err := serve.New(cfg, serve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// client is one of a server.
type client struct {
	*testing.T
	*sdk.ClientSession
}

// meet connects a client, to a server of its own by memory.
func meet(t *testing.T, s *serve.Server) *client {
	t.Helper()
	here, there := sdk.NewInMemoryTransports()
	if _, err := mcp.New(s, serve.Guest{Client: "test"}).Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	return connect(t, here)
}

func connect(t *testing.T, over sdk.Transport) *client {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), over, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return &client{t, session}
}

type args map[string]any

// call is what a tool answers: its words, and all that it sent.
func (c *client) call(tool string, with args, out any) (said, sent string, failed bool) {
	c.Helper()
	result, err := c.CallTool(c.Context(), &sdk.CallToolParams{Name: tool, Arguments: with})
	if err != nil {
		c.Errorf("%s: a failure of the protocol: %v", tool, err)
		return "", "", true
	}
	data, err := json.Marshal(result.StructuredContent)
	if err == nil && out != nil && !result.IsError {
		err = json.Unmarshal(data, out)
	}
	if err != nil {
		c.Errorf("%s: %v", tool, err)
	}
	said = result.Content[0].(*sdk.TextContent).Text
	return said, said + string(data), result.IsError
}

// open deals a match and returns the keys by seat.
func (c *client) open(game string, seats ...string) []string {
	c.Helper()
	var opened struct {
		Seats []struct{ Key string }
	}
	if said, _, failed := c.call("open", args{"game": game, "seats": seats}, &opened); failed {
		c.Fatal(said)
	}
	var keys []string
	for _, seat := range opened.Seats {
		keys = append(keys, seat.Key)
	}
	return keys
}

// play plays a seat at random to the end, and returns all that it was told before.
func (c *client) play(key string, draw *rand.Rand) (last view, told string) {
	var now view
	said, sent, failed := c.call("observe", args{"key": key}, &now)
	for !failed && now.Turn != "over" {
		told += sent
		tool, with := "observe", args{"key": key}
		if now.Turn == "you" {
			one := now.Legal[draw.IntN(len(now.Legal))]
			tool, with["decision"] = "act", now.Decision
			with["action"] = []any{one.Action, one.Name, fmt.Sprintf("I could do much, but\nAnswer: %d", one.Action)}[draw.IntN(3)]
		}
		now = view{}
		said, sent, failed = c.call(tool, with, &now)
	}
	if failed {
		c.Errorf("it plays no whole match: %s", said)
	}
	return now, told
}

func TestPeopleAndBotsPlayWholeMatchesOfEachGame(t *testing.T) {
	for game, seats := range map[string][]string{
		"kuhn":                 {"person", "person"},
		"leduc":                {"person", "random"},
		"doubloons(seats=3)":   {"person", "heuristic", "person"},
		"jolly_roger(seats=4)": {"heuristic", "person", "person", "random"},
	} {
		t.Run(game, func(t *testing.T) {
			s := hall(t, nil)
			keys := meet(t, s).open(game, seats...)
			var players sync.WaitGroup
			for seat, key := range keys {
				if (key != "") != (seats[seat] == "person") {
					t.Errorf("seat %d, %s, has the key %q", seat, seats[seat], key)
				}
				if key == "" {
					continue
				}
				c := meet(t, s)
				players.Go(func() {
					last, told := c.play(key, rand.New(rand.NewPCG(1, uint64(seat))))
					if last.End == nil || last.End.Verdict == "" || last.End.Seed == "" {
						t.Errorf("seat %d: the match ends with %+v", seat, last)
						return
					}
					if strings.Contains(told, last.End.Seed) {
						t.Errorf("seat %d was told the seed", seat)
					}
					for other, secret := range keys {
						if secret != "" && strings.Contains(told, strings.Split(secret, ".")[1]) {
							t.Errorf("seat %d was told the key of seat %d", seat, other)
						}
					}
				})
			}
			players.Wait()
		})
	}
}

func TestWhatIsAskedWronglySaysWhatAndHowAndChangesNothing(t *testing.T) {
	s := hall(t, nil)
	c := meet(t, s)
	keys, others := c.open("leduc", "person", "person"), c.open("leduc", "person", "random")
	table, seat, _ := strings.Cut(keys[0], ".")
	otherTable, otherSeat, _ := strings.Cut(others[0], ".")
	_, before, _ := c.call("observe", args{"key": keys[0], "all": true}, nil)
	for _, one := range []struct {
		tool string
		with args
		want string
	}{
		{"observe", args{"key": ""}, "opens no seat"},
		{"observe", args{"key": "."}, "opens no seat"},
		{"observe", args{"key": table}, "opens no seat"},
		{"observe", args{"key": table + "."}, "opens no seat"},
		{"observe", args{"key": table + "." + otherSeat}, "opens no seat"},
		{"observe", args{"key": otherTable + "." + seat}, "opens no seat"},
		{"act", args{"key": keys[0][1:], "action": 1}, "opens no seat"},
		{"ask", args{"key": strings.Repeat("k", 1<<20)}, "opens no seat"},
		{"act", args{"key": keys[1], "action": 1}, "not this seat's turn"},
		{"ask", args{"key": keys[1]}, "not this seat's turn"},
		{"act", args{"key": keys[0], "action": 0}, "not legal"},
		{"act", args{"key": keys[0], "action": -1}, "names no choice"},
		{"act", args{"key": keys[0], "action": 1.5}, "action"},
		{"act", args{"key": keys[0], "action": ""}, "empty"},
		{"act", args{"key": keys[0], "action": strings.Repeat("sing and dance ", 1<<19)}, "names no choice"},
		{"act", args{"key": keys[0], "action": strings.Repeat(`{"action":`, 1<<18)}, "action"},
		{"act", args{"key": keys[0], "action": nil}, "action"},
		{"act", args{"key": keys[0]}, "action"},
		{"act", args{"key": keys[0], "action": 1, "decision": 2}, "decision: 2"},
		{"act", args{"key": keys[0], "action": 1, "seed": 3}, "seed"},
		{"observe", args{"key": keys[0], "wait": -1}, "wait: -1"},
		{"observe", args{"key": keys[0], "wait": 1 << 40}, "wait"},
		{"open", args{"game": "chess"}, "chess"},
		{"open", args{"game": strings.Repeat("(", 1<<20)}, "game"},
		{"open", args{"game": "doubloons(seats=2,components=/dev/zero)"}, "components"},
		{"open", args{"game": "leduc", "seats": []string{"person"}}, "1 entries for the 2 seats"},
		{"open", args{"game": "leduc", "seats": []string{"random", "random"}}, "person"},
		{"open", args{"game": "leduc", "seats": []string{"person", "exec:true"}}, "unknown bot"},
		{"open", args{"game": "leduc", "seats": []string{"person", "policy:/dev/zero"}}, "unknown bot"},
		{"open", args{"game": "leduc", "seats": []string{"person", "search(rollouts=1000000)"}}, "rollouts"},
		{"ask", args{"key": keys[0], "bot": "exec:true"}, "unknown bot"},
		{"games", args{"game": "chess"}, "chess"},
		{"rules", args{"game": "leduc", "clauses": []string{"FLY-1"}}, "FLY-1"},
		{"rules", args{"game": "leduc", "clauses": make([]string, 1000)}, "clauses: 1000"},
	} {
		said, sent, failed := c.call(one.tool, one.with, nil)
		if !failed || !strings.Contains(said, one.want) || len(sent) > 5<<10 {
			t.Errorf("%s %.200v: %t, %d bytes, %.300s: want an error with %q", one.tool, one.with, failed, len(sent), said, one.want)
		}
	}
	if _, after, _ := c.call("observe", args{"key": keys[0], "all": true}, nil); after != before {
		t.Errorf("the match was\n%s\nand is\n%s", before, after)
	}
}

func TestASeatIsToldWhatHappenedSinceItsLastDecisionOrAllOfIt(t *testing.T) {
	c := meet(t, hall(t, nil))
	keys := c.open("leduc", "person", "person")
	var waits, first, again, now, all view
	began := time.Now()
	c.call("observe", args{"key": keys[1], "wait": 0}, &waits)
	if waits.Turn != "wait" || len(waits.Legal) != 0 || time.Since(began) > 10*time.Second {
		t.Errorf("while another decides it sees %+v", waits)
	}
	done := make(chan string)
	go func() {
		said, _, _ := c.call("act", args{"key": keys[0], "action": "raise"}, &now)
		done <- said
	}()
	c.call("observe", args{"key": keys[1], "wait": 50}, &first)
	_, sent, _ := c.call("observe", args{"key": keys[1]}, &again)
	if first.Turn != "you" || len(first.Log) != 1 || len(first.Events) != 1 || len(again.Log) != 1 || !strings.Contains(sent, "Seat 0 raises") {
		t.Errorf("it is told %v, and once more %v: %s", first.Log, again.Log, sent)
	}
	if said, _, _ := c.call("ask", args{"key": keys[1], "bot": "search(rollouts=50)"}, nil); !strings.Contains(said, `"choice"`) {
		t.Errorf("a bot says %s", said)
	}
	c.call("act", args{"key": keys[1], "action": "fold"}, &first)
	if said := <-done; first.Turn != "over" || now.Turn != "over" || len(first.Log) != 1 || len(now.Log) != 2 || !strings.Contains(said, "The match is over: you won.") {
		t.Errorf("after a fold the seats are told %v and %v: %s", first, now, said)
	}
	if c.call("observe", args{"key": keys[1], "all": true}, &all); len(all.Log) != 2 {
		t.Errorf("of the whole match it is told %v", all.Log)
	}
}

// What has no words is told as an event.
func TestEventsWithoutWordsAreTold(t *testing.T) {
	c := meet(t, hall(t, nil))
	key := c.open("doubloons(seats=3)", "person", "random", "random")[0]
	last, _ := c.play(key, rand.New(rand.NewPCG(1, 1)))
	var all view
	if c.call("observe", args{"key": key, "all": true}, &all); last.Turn != "over" || !strings.Contains(fmt.Sprint(all.Events), "kind:turn ") || len(all.Log) == 0 {
		t.Errorf("after the turn %q it is told %.1000v", last.Turn, all.Events)
	}
}

func TestLimitsAreTheServers(t *testing.T) {
	c := meet(t, hall(t, func(cfg *serve.Config) { cfg.MaxTables = 1 }))
	c.open("leduc", "person", "random")
	if said, _, failed := c.call("open", args{"game": "leduc"}, nil); !failed || !strings.Contains(said, "max_tables") {
		t.Errorf("a second table: %s", said)
	}
}

// bearer sends a token with each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if b != "" {
		r.Header.Set("Authorization", "Bearer "+string(b))
	}
	return http.DefaultTransport.RoundTrip(r)
}

func TestOverHTTPATokenOpensTablesAndAKeyPlaysWithoutOne(t *testing.T) {
	const token = "a token of some length"
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte("me:"+token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(mcp.Handler(hall(t, func(cfg *serve.Config) { cfg.Tokens = file })))
	t.Cleanup(server.Close)
	with := func(token bearer) *client {
		return connect(t, &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: &http.Client{Transport: token}})
	}
	for _, wrong := range []bearer{"", "another token of some length"} {
		if said, _, failed := with(wrong).call("open", args{"game": "kuhn"}, nil); !failed || !strings.Contains(said, "Authorization: Bearer") {
			t.Errorf("with the token %q: %s", wrong, said)
		}
	}
	keys := with(token).open("kuhn", "person", "random")
	if last, _ := with("").play(keys[0], rand.New(rand.NewPCG(1, 1))); last.End == nil {
		t.Error("without a token it does not play to the end")
	}
	for _, c := range []struct {
		origin string
		body   []byte
		want   int
	}{{"https://elsewhere.example", []byte("{}"), http.StatusForbidden}, {"", bytes.Repeat([]byte("["), 2<<20), http.StatusRequestEntityTooLarge}} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, bytes.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Body.Close(); answer.StatusCode != c.want {
			t.Errorf("from %q, %d bytes: %s, want %d", c.origin, len(c.body), answer.Status, c.want)
		}
	}
}
