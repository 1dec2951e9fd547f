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
	"github.com/privateer-rl/privateer/serve/table"
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

func talk(t *testing.T, url string) *talker {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(url, "http", "ws", 1)+"/talk", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 24)
	k := &talker{t, conn}
	t.Cleanup(k.leave)
	return k
}

// leave ends the conversation.
func (k *talker) leave() {
	_ = k.conn.CloseNow()
}

func (k *talker) say(text string) {
	k.Helper()
	if err := k.conn.Write(k.Context(), websocket.MessageText, []byte(text)); err != nil {
		k.Fatal(err)
	}
}

func (k *talker) ask(r table.Request) {
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
		if strings.HasPrefix(string(data), `{"is":"refusal"`) {
			k.Logf("refused: %s", data)
		}
	}
}

// refused reads messages until one is a refusal, and checks why.
func (k *talker) refused(why string) {
	k.Helper()
	var r table.Refusal
	if k.hear("refusal", &r); !strings.Contains(r.Why, why) {
		k.Errorf("refused because %q, want %q", r.Why, why)
	}
}

// sit sits down with the page's own key, or at a table with that of a seat.
func (k *talker) sit(at, key string) {
	k.Helper()
	if k.ask(table.Request{Do: table.DoSit, Table: at, Key: key}); at == "" {
		k.hear("games", new(table.Games))
	}
}

// open opens a table with the page's own key.
func (k *talker) open(key string, r table.Request) (opened table.Opened) {
	k.Helper()
	k.sit("", key)
	r.Do = table.DoOpen
	k.ask(r)
	k.hear("opened", &opened)
	return opened
}

// turn reads views until the seat is asked, or the match is over.
func (k *talker) turn() *table.View {
	k.Helper()
	for {
		v := new(table.View)
		if k.hear("view", v); v.Turn != table.Wait {
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
	k := talk(t, web.URL)
	for _, message := range []string{`{"do":"games"}`, `{"do":"sit"}`, `{"do":"sit","key":"00000000000000000000000000000000"}`, `{"do":"look"}`, `{"do":"open","game":"leduc","seats":["person","random"]}`} {
		k.say(message)
		var r table.Refusal
		if k.hear("refusal", &r); r.Why != errNoKey.Error() {
			t.Errorf("%s: %+v", message, r)
		}
	}
	k.sit("nowhere", p.key)
	k.refused("this table is gone")
	// A page of another origin does not get so far.
	_, resp, err := websocket.Dial(t.Context(), strings.Replace(web.URL, "http", "ws", 1)+"/talk", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://example.org"}}})
	if err == nil || resp.StatusCode != http.StatusForbidden {
		t.Errorf("a page from elsewhere is answered: %v", err)
	}
}

func TestTwoPeopleAndABotPlayAMatchWhateverElseIsSaid(t *testing.T) {
	p, web := pageServer(t)
	host := talk(t, web.URL)
	opened := host.open(p.key, table.Request{Game: "doubloons(seats=3,max_rounds=2)", Seats: []string{"person", "random", "person"}, Friendly: true})
	if opened.Seat != 0 || opened.Keys[1] != "" || opened.Keys[2] == "" {
		t.Fatalf("%+v", opened)
	}
	guest := talk(t, web.URL)
	guest.sit(opened.Table, opened.Keys[2])
	guest.say("this is no move")
	guest.refused("no message of the page")
	guest.ask(table.Request{Do: table.DoOpen, Game: "leduc", Seats: []string{"person", "random"}})
	guest.refused("key is that of a seat")
	guest.ask(table.Request{Do: table.DoReplay, Text: "Once upon a time"})
	guest.refused("not a transcript")
	guest.ask(table.Request{Do: table.DoLook})
	ended := make(chan struct{})
	play := func(k *talker) *table.View {
		for n := 0; ; n++ {
			v := k.turn()
			if v.Turn == table.Done {
				return v
			}
			k.ask(table.Request{Do: table.DoChoose, Action: 100000, Decision: v.Decision})
			k.ask(table.Request{Do: table.DoChoose, Action: v.Actions[n%len(v.Actions)].Action, Decision: v.Decision})
		}
	}
	go func() {
		defer close(ended)
		play(guest)
	}()
	play(host)
	<-ended
	host.ask(table.Request{Do: table.DoSave})
	var saved table.Saved
	if host.hear("saved", &saved); !strings.Contains(saved.Text, `"returns":[`) {
		t.Errorf("the transcript has no end: %s", saved.Text)
	}
	// A reload finds the match as it is.
	again := talk(t, web.URL)
	again.sit(opened.Table, opened.Keys[0])
	if v := again.turn(); v.Turn != table.Done || v.End == nil {
		t.Errorf("a page that comes back sees %+v", v)
	}
}

// running is a server with nothing but the page, until the function that it returns ends it.
func running(t *testing.T, folder string, opening *table.Request) (address string, end func()) {
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
	return talk(t, page), with
}

// The user who started the program may name any file, but the holder of a seat's key may not.
func TestGuestsReadNoFilesAndDoNotHoldTheTableUp(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(secret, []byte("hush: 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	address, end := running(t, "", &table.Request{Do: table.DoOpen, Game: "kuhn", Seats: []string{"person", "random"}})
	defer end()
	host, with := visit(t, address)
	opened := host.open(with.Get("host"), table.Request{Game: "kuhn", Seats: []string{"person", "person"}})
	guest, _ := visit(t, address)
	guest.sit(opened.Table, opened.Keys[1])
	for _, c := range []struct {
		request table.Request
		want    string
	}{
		{table.Request{Do: table.DoBots, Game: "doubloons(components=" + secret + ")"}, "names the file"},
		{table.Request{Do: table.DoThink, Bot: "policy:" + secret}, table.ErrTurn.Error()},
	} {
		guest.ask(c.request)
		guest.refused(c.want)
	}
	for {
		if v := host.turn(); v.Turn == table.You {
			host.ask(table.Request{Do: table.DoChoose, Action: v.Actions[0].Action, Decision: v.Decision})
			break
		}
	}
	guest.turn()
	guest.ask(table.Request{Do: table.DoThink, Bot: "policy:" + secret})
	guest.refused("unknown bot")
	var thought table.Thought
	guest.ask(table.Request{Do: table.DoThink, Bot: "search-1ms"})
	guest.hear("thought", &thought)
}

func TestAMatchOfThePageOutlivesTheServer(t *testing.T) {
	folder := t.TempDir()
	address, end := running(t, folder, &table.Request{Game: "doubloons(seats=2)", Seats: []string{"random", "person"}, Friendly: true, Seed: "7"})
	k, keys := visit(t, address)
	k.sit(keys.Get("table"), keys.Get("key"))
	v := k.turn()
	for range 6 {
		k.ask(table.Request{Do: table.DoChoose, Action: v.Actions[0].Action, Decision: v.Decision})
		v = k.turn()
	}
	end()
	address, end = running(t, folder, nil)
	defer func() { end() }()
	k, with := visit(t, address)
	if with.Get("table") != "" || with.Get("host") == "" {
		t.Errorf("without a match of its own the page is at %s", address)
	}
	k.sit(keys.Get("table"), keys.Get("key"))
	again := k.turn()
	if again.Decision != v.Decision || again.Picture != v.Picture || !again.Friendly {
		t.Errorf("the match continues at decision %d, friendly: %t; it was %d", again.Decision, again.Friendly, v.Decision)
	}
	k.ask(table.Request{Do: table.DoThink, Bot: "search-1ms", Decision: again.Decision})
	var thought table.Thought
	if k.hear("thought", &thought); len(thought.Actions) != len(again.Actions) {
		t.Errorf("the search thinks about %d actions of %d", len(thought.Actions), len(again.Actions))
	}
	// Numbers of decisions grow on, so that what was taken back before the restart is not answered after it.
	k.ask(table.Request{Do: table.DoUndo, Decision: again.Decision})
	for again.Decision == v.Decision {
		again = k.turn()
	}
	end()
	address, end = running(t, folder, nil)
	k, _ = visit(t, address)
	k.sit(keys.Get("table"), keys.Get("key"))
	if after := k.turn(); after.Decision != again.Decision || after.Picture != again.Picture {
		t.Errorf("after another restart decision %d is asked, and was %d", after.Decision, again.Decision)
	}
	k.ask(table.Request{Do: table.DoChoose, Action: v.Actions[0].Action, Decision: v.Decision})
	k.refused("not the pending decision")
}

// Whose page says what, over the wire, does not depend on whether others are asked in secret.
func TestAPageIsSentTheSameWhetherOthersAreAskedInSecret(t *testing.T) {
	for _, game := range []string{"jolly_roger(seats=4)", "jolly_roger(seats=7,variants=hidden_prizes)"} {
		for _, s := range enginetest.Secrets(t, game, 5) {
			s.Alike(t, [2][]string{sentOverTheWire(t, s, 0), sentOverTheWire(t, s, 1)})
		}
	}
}

// sentOverTheWire is what the page of a secret's seat is sent as a match continues among people.
func sentOverTheWire(t *testing.T, s *enginetest.Secret, match int) (sent []string) {
	t.Helper()
	g, err := engine.NewGame(s.Games[match])
	if err != nil {
		t.Fatal(err)
	}
	people := slices.Repeat([]string{table.Person}, g.Info().Seats)
	address, end := running(t, "", nil)
	defer end()
	host, with := visit(t, address)
	defer host.leave()
	opened := host.open(with.Get("host"), table.Request{Game: s.Games[match], Seats: people, Seed: fmt.Sprint(s.Seed), Friendly: true})
	pages, decided := make([]*talker, len(people)), make([]int, len(people))
	for seat := range pages {
		pages[seat], _ = visit(t, address)
		defer pages[seat].leave() // many matches in one test
		pages[seat].sit(opened.Table, opened.Keys[seat])
		pages[seat].news()
	}
	for _, step := range s.Steps[match] {
		decided[step.Seat]++
		pages[step.Seat].ask(table.Request{Do: table.DoChoose, Action: int(step.Action), Decision: decided[step.Seat]})
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
