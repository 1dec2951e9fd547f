package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/serve/page"
	seating "github.com/privateer-rl/privateer/serve/page/table"
)

// pageServer serves the page, without anything else.
func pageServer(t *testing.T) (*pages, *httptest.Server) {
	t.Helper()
	s, err := New(DefaultConfig(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := s.newPages(ctx)
	web := httptest.NewServer(p.handler())
	t.Cleanup(func() { cancel(); web.Close() })
	return p, web
}

// talker is a page that says what a test wants.
type talker struct {
	*testing.T
	conn *websocket.Conn
}

func talk(t *testing.T, web *httptest.Server) *talker {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(web.URL, "http", "ws", 1)+"/talk", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 24)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &talker{t, conn}
}

func (k *talker) say(text string) {
	k.Helper()
	if err := k.conn.Write(k.Context(), websocket.MessageText, []byte(text)); err != nil {
		k.Fatal(err)
	}
}

func (k *talker) ask(r seating.Request) {
	k.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		k.Fatal(err)
	}
	k.say(string(data))
}

// hear reads messages until one is of a kind.
func (k *talker) hear(is string, to any) {
	k.Helper()
	ctx, cancel := context.WithTimeout(k.Context(), 5*time.Minute)
	defer cancel()
	for {
		_, data, err := k.conn.Read(ctx)
		if err != nil {
			k.Fatal(err)
		}
		if strings.HasPrefix(string(data), `{"is":"`+is+`"`) {
			if err := json.Unmarshal(data, to); err != nil {
				k.Fatal(err)
			}
			return
		}
	}
}

// turn reads views until the seat is asked, or the match is over.
func (k *talker) turn() *seating.View {
	k.Helper()
	for {
		v := new(seating.View)
		if k.hear("view", v); v.Turn != seating.Wait {
			return v
		}
	}
}

func TestThePageComesWithAStrictPolicyAndOnlyItsFiles(t *testing.T) {
	_, web := pageServer(t)
	for path, want := range map[string]int{"/": 200, "/page.js": 200, "/backend.js": 200, "/pictures.css": 200, "/page.go": 404, "/../page.go": 404, "/talk": 426} {
		resp, err := http.Get(web.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != want || resp.Header.Get("Content-Security-Policy") != page.Policy {
			t.Errorf("%s: %s with the policy %q: %.80s", path, resp.Status, resp.Header.Get("Content-Security-Policy"), body)
		}
	}
}

func TestWithoutItsKeyThePageIsToldSoAndNothingElse(t *testing.T) {
	p, web := pageServer(t)
	k := talk(t, web)
	for _, message := range []string{`{"do":"games"}`, `{"do":"sit"}`, `{"do":"sit","key":"00000000000000000000000000000000"}`, `{"do":"look"}`, `{"do":"open","game":"leduc","seats":["person","random"]}`} {
		k.say(message)
		var r seating.Refusal
		if k.hear("refusal", &r); r.Why != errNoKey.Error() {
			t.Errorf("%s: %+v", message, r)
		}
	}
	k.ask(seating.Request{Do: seating.DoSit, Table: "nowhere", Key: p.key})
	var r seating.Refusal
	if k.hear("refusal", &r); !strings.Contains(r.Why, "no such table") {
		t.Error(r.Why)
	}
	// A page of another origin does not get so far.
	_, resp, err := websocket.Dial(t.Context(), strings.Replace(web.URL, "http", "ws", 1)+"/talk", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://example.org"}}})
	if err == nil || resp.StatusCode != http.StatusForbidden {
		t.Errorf("a page from elsewhere is answered: %v", err)
	}
}

func TestTwoPeopleAndABotPlayAMatchWhateverElseIsSaid(t *testing.T) {
	p, web := pageServer(t)
	host := talk(t, web)
	host.ask(seating.Request{Do: seating.DoSit, Key: p.key})
	host.ask(seating.Request{Do: seating.DoOpen, Game: "doubloons(seats=3,max_rounds=2)", Seats: []string{"person", "random", "person"}, Friendly: true})
	var opened seating.Opened
	host.hear("opened", &opened)
	if opened.Seat != 0 || opened.Keys[1] != "" || opened.Keys[2] == "" {
		t.Fatalf("%+v", opened)
	}
	guest := talk(t, web)
	guest.ask(seating.Request{Do: seating.DoSit, Table: opened.Table, Key: opened.Keys[2]})
	guest.say("this is no move")
	var r seating.Refusal
	if guest.hear("refusal", &r); !strings.Contains(r.Why, "no message of the page") {
		t.Error(r.Why)
	}
	guest.ask(seating.Request{Do: seating.DoOpen, Game: "leduc", Seats: []string{"person", "random"}})
	if guest.hear("refusal", &r); !strings.Contains(r.Why, "key is that of a seat") {
		t.Error(r.Why)
	}
	guest.ask(seating.Request{Do: seating.DoReplay, Text: "Once upon a time"})
	if guest.hear("refusal", &r); !strings.Contains(r.Why, "not a transcript") {
		t.Error(r.Why)
	}
	guest.ask(seating.Request{Do: seating.DoLook})
	ended := make(chan struct{})
	play := func(k *talker) *seating.View {
		for n := 0; ; n++ {
			v := k.turn()
			if v.Turn == seating.Done {
				return v
			}
			k.ask(seating.Request{Do: seating.DoChoose, Action: 100000, Decision: v.Decision})
			k.ask(seating.Request{Do: seating.DoChoose, Action: v.Actions[n%len(v.Actions)].Action, Decision: v.Decision})
		}
	}
	go func() {
		defer close(ended)
		play(guest)
	}()
	play(host)
	<-ended
	host.ask(seating.Request{Do: seating.DoSave})
	var saved seating.Saved
	if host.hear("saved", &saved); !strings.Contains(saved.Text, "\nend:") {
		t.Error("the transcript has no end")
	}
	// A reload finds the match as it is.
	again := talk(t, web)
	again.ask(seating.Request{Do: seating.DoSit, Table: opened.Table, Key: opened.Keys[0]})
	if v := again.turn(); v.Turn != seating.Done || v.End == nil {
		t.Errorf("a page that comes back sees %+v", v)
	}
}

// running is a server with nothing but the page, until the function that it returns ends it.
func running(t *testing.T, folder string, opening *seating.Request) (address string, end func()) {
	t.Helper()
	return visited(t, Options{Local: true, Opening: opening}, func(c *Config) { c.Snapshots = folder })
}

// visited is such a server with other settings.
func visited(t *testing.T, opt Options, change func(c *Config)) (address string, end func()) {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Addr, cfg.MetricsAddr, cfg.Web = "", "", "127.0.0.1:0"
	change(&cfg)
	at := make(chan string, 1)
	opt.Page = func(address string) { at <- address }
	s, err := New(cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	select {
	case address = <-at:
	case err := <-ended:
		t.Fatal(err)
	}
	return address, func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// visit opens a conversation with the page of an address, and returns what follows # in it.
func visit(t *testing.T, address string) (*talker, url.Values) {
	t.Helper()
	page, keys, _ := strings.Cut(address, "/#")
	with, err := url.ParseQuery(keys)
	if err != nil {
		t.Fatal(err)
	}
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(page, "http", "ws", 1)+"/talk", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 24)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &talker{t, conn}, with
}

// Who has started the program may name any file, but not whoever was given the key of a seat.
func TestGuestsReadNoFilesAndDoNotHoldTheTableUp(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(secret, []byte("hush: 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	address, end := running(t, "", &seating.Request{Do: seating.DoOpen, Game: "kuhn", Seats: []string{"person", "random"}})
	defer end()
	host, with := visit(t, address)
	host.ask(seating.Request{Do: seating.DoSit, Key: with.Get("host")})
	host.ask(seating.Request{Do: seating.DoOpen, Game: "kuhn", Seats: []string{"person", "person"}})
	var opened seating.Opened
	host.hear("opened", &opened)
	guest, _ := visit(t, address)
	guest.ask(seating.Request{Do: seating.DoSit, Table: opened.Table, Key: opened.Keys[1]})
	for _, c := range []struct {
		request seating.Request
		want    string
	}{
		{seating.Request{Do: seating.DoBots, Game: "doubloons(components=" + secret + ")"}, "names the file"},
		{seating.Request{Do: seating.DoThink, Bot: "policy:" + secret}, seating.ErrTurn.Error()},
	} {
		guest.ask(c.request)
		var r seating.Refusal
		if guest.hear("refusal", &r); !strings.Contains(r.Why, c.want) {
			t.Errorf("%+v: %s", c.request, r.Why)
		}
	}
	for {
		if v := host.turn(); v.Turn == seating.You {
			host.ask(seating.Request{Do: seating.DoChoose, Action: v.Actions[0].Action, Decision: v.Decision})
			break
		}
	}
	guest.turn()
	guest.ask(seating.Request{Do: seating.DoThink, Bot: "policy:" + secret})
	var r seating.Refusal
	if guest.hear("refusal", &r); !strings.Contains(r.Why, "unknown bot") {
		t.Error(r.Why)
	}
	var thought seating.Thought
	guest.ask(seating.Request{Do: seating.DoThink, Bot: "search-1ms"})
	guest.hear("thought", &thought)
}

func TestAMatchOfThePageOutlivesTheServer(t *testing.T) {
	folder := t.TempDir()
	address, end := running(t, folder, &seating.Request{Game: "doubloons(seats=2)", Seats: []string{"random", "person"}, Friendly: true, Seed: "7"})
	k, keys := visit(t, address)
	k.ask(seating.Request{Do: seating.DoSit, Table: keys.Get("table"), Key: keys.Get("key")})
	v := k.turn()
	for range 6 {
		k.ask(seating.Request{Do: seating.DoChoose, Action: v.Actions[0].Action, Decision: v.Decision})
		v = k.turn()
	}
	end()
	address, end = running(t, folder, nil)
	defer func() { end() }()
	k, with := visit(t, address)
	if with.Get("table") != "" || with.Get("host") == "" {
		t.Errorf("without a match of its own the page is at %s", address)
	}
	k.ask(seating.Request{Do: seating.DoSit, Table: keys.Get("table"), Key: keys.Get("key")})
	again := k.turn()
	if again.Decision != v.Decision || again.Picture != v.Picture || !again.Friendly {
		t.Errorf("the match goes on at decision %d, friendly: %t; it was %d", again.Decision, again.Friendly, v.Decision)
	}
	k.ask(seating.Request{Do: seating.DoThink, Bot: "search-1ms", Decision: again.Decision})
	var thought seating.Thought
	if k.hear("thought", &thought); len(thought.Actions) != len(again.Actions) {
		t.Errorf("the search thinks about %d actions of %d", len(thought.Actions), len(again.Actions))
	}
	// Numbers of decisions grow on, so that what was taken back before the restart is not answered after it.
	k.ask(seating.Request{Do: seating.DoUndo, Decision: again.Decision})
	for again.Decision == v.Decision {
		again = k.turn()
	}
	end()
	address, end = running(t, folder, nil)
	k, _ = visit(t, address)
	k.ask(seating.Request{Do: seating.DoSit, Table: keys.Get("table"), Key: keys.Get("key")})
	if after := k.turn(); after.Decision != again.Decision || after.Picture != again.Picture {
		t.Errorf("after another restart decision %d is asked, and was %d", after.Decision, again.Decision)
	}
	k.ask(seating.Request{Do: seating.DoChoose, Action: v.Actions[0].Action, Decision: v.Decision})
	var r seating.Refusal
	if k.hear("refusal", &r); !strings.Contains(r.Why, "not what is asked now") {
		t.Errorf("an answer from before: %q", r.Why)
	}
}

// Whose page says what, over the wire, does not depend on whether others are asked in secret.
func TestAPageIsSentTheSameWhetherOthersAreAskedInSecret(t *testing.T) {
	for _, game := range []string{"jolly_roger(seats=4)", "jolly_roger(seats=7,variants=hidden_prizes)"} {
		for _, s := range enginetest.Secrets(t, game, 5) {
			s.Alike(t, [2][]string{sentOverTheWire(t, s, 0), sentOverTheWire(t, s, 1)})
		}
	}
}

// sentOverTheWire is what the page of a secret's seat is sent as a match goes on among people.
func sentOverTheWire(t *testing.T, s *enginetest.Secret, match int) (sent []string) {
	t.Helper()
	g, err := engine.NewGame(s.Games[match])
	if err != nil {
		t.Fatal(err)
	}
	people := slices.Repeat([]string{seating.Person}, g.Info().Seats)
	address, end := running(t, "", nil)
	defer end()
	host, with := visit(t, address)
	host.ask(seating.Request{Do: seating.DoSit, Key: with.Get("host")})
	host.ask(seating.Request{Do: seating.DoOpen, Game: s.Games[match], Seats: people, Seed: fmt.Sprint(s.Seed), Friendly: true})
	var opened seating.Opened
	host.hear("opened", &opened)
	pages, decided := make([]*talker, len(people)), make([]int, len(people))
	for seat := range pages {
		pages[seat], _ = visit(t, address)
		pages[seat].ask(seating.Request{Do: seating.DoSit, Table: opened.Table, Key: opened.Keys[seat]})
		pages[seat].news()
	}
	for _, step := range s.Steps[match] {
		decided[step.Seat]++
		pages[step.Seat].ask(seating.Request{Do: seating.DoChoose, Action: int(step.Action), Decision: decided[step.Seat]})
		news := pages[step.Seat].news()
		if step.Seat != s.Seat {
			news = pages[s.Seat].news()
		}
		sent = append(sent, news...)
	}
	return sent
}

// news reads what a page has been sent until now.
func (k *talker) news() (sent []string) {
	k.Helper()
	// What is new is sent between two answers.
	for range 2 {
		for k.say(`{"do":"games"}`); ; {
			ctx, cancel := context.WithTimeout(k.Context(), 5*time.Minute)
			_, data, err := k.conn.Read(ctx)
			cancel()
			if err != nil {
				k.Fatal(err)
			}
			if strings.HasPrefix(string(data), `{"is":"games"`) {
				break
			}
			sent = append(sent, string(data))
		}
	}
	return sent
}
