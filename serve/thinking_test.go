package serve

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
	"github.com/privateer-rl/privateer/serve/table"
)

// muse is what the bots of these tests have in common: the first legal action, after a thought that a test can end.
type muse struct {
	name  string
	think func(over func() bool) (stopped bool)
	over  func() bool
}

func (m *muse) Name() string { return m.name }
func (m *muse) Act(match engine.Match, _ *engine.Rand) engine.Action {
	if m.think(m.over) {
		return bots.Stopped
	}
	return match.Legal().First()
}

// dozer is one that can be stopped.
type dozer struct{ muse }

func (d *dozer) Until(over func() bool) { d.over = over }

// What the bots of a test do: they tell it when they begin and end, and think until they are let off.
var (
	began, ended = make(chan string, 1<<12), make(chan string, 1<<12)
	off          atomic.Pointer[chan struct{}] // closed: nobody thinks any more
)

// thinking lets the bots of a test think until it calls the function, or ends.
func thinking(t *testing.T) (letOff func()) {
	t.Helper()
	let := make(chan struct{})
	off.Store(&let)
	for _, c := range []chan string{began, ended} {
		for len(c) > 0 {
			<-c
		}
	}
	done := atomic.Bool{}
	letOff = func() {
		if !done.Swap(true) {
			close(let)
		}
	}
	t.Cleanup(letOff)
	return letOff
}

func ponder(name string) func(over func() bool) bool {
	return func(over func() bool) bool {
		began <- name
		defer func() { ended <- name }()
		for over == nil || !over() {
			select {
			case <-*off.Load():
				return false
			case <-time.After(time.Millisecond):
			}
		}
		return true
	}
}

func init() {
	let := make(chan struct{})
	close(let)
	off.Store(&let)
	register := func(name string, b func() bots.Bot) {
		bots.Register(bots.Kind{Name: name, Game: "leduc", Slow: true, New: func(engine.Game) (bots.Bot, error) { return b(), nil }})
	}
	register("dozer", func() bots.Bot { return &dozer{muse{name: "dozer", think: ponder("dozer")}} })
	register("rock", func() bots.Bot { return &muse{name: "rock", think: ponder("rock")} })
	register("bomb", func() bots.Bot { return &muse{name: "bomb", think: func(func() bool) bool { panic("it goes off") }} })
}

// await takes what a channel gives; it must not take for ever.
func await[T any](t *testing.T, what string, c <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-c:
	case <-time.After(2 * time.Minute):
		t.Fatalf("%s: nothing comes", what)
	}
	return got
}

// beside does something while a test continues.
func beside[T any](do func() T) <-chan T {
	c := make(chan T, 1)
	go func() { c <- do() }()
	return c
}

// host opens a table with a client in seat 0.
func (h *harbour) host(t *testing.T, bot string) *pb.HostResponse {
	t.Helper()
	at, err := h.p.Host(t.Context(), &pb.HostRequest{Game: "leduc", Seats: []string{"", bot}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// play is Play beside a test; it acts as long as the client is asked, then it waits for the bot.
func (h *harbour) play(ctx context.Context, at *pb.HostResponse) <-chan error {
	return beside(func() error {
		req := &pb.PlayRequest{TableId: at.TableId, SeatKey: at.SeatKeys[0]}
		for {
			v, err := h.p.Play(ctx, req)
			if err != nil || v.Over {
				return err
			}
			req.Decision, req.Action = v.Decision, proto.Int32(1) // call, which is legal throughout
		}
	})
}

// thinker opens a session of one row with a bot, and resets it.
func (h *harbour) thinker(t *testing.T, bot string) *session {
	t.Helper()
	open, err := h.e.Open(t.Context(), &pb.OpenRequest{Game: "leduc", NumEnvs: 1, Seed: proto.Uint64(1), Players: []string{bot, ""}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := h.sessions.find(open.SessionId, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (h *harbour) reset(ctx context.Context, s *session, seq uint64) <-chan error {
	return beside(func() error {
		_, err := h.e.Reset(ctx, &pb.ResetRequest{SessionId: s.id, Seq: seq})
		return err
	})
}

// expired is a server's configuration whose end waits for nothing.
func expired(dir string) Config {
	cfg := quiet(dir)
	cfg.Drain = Duration(time.Millisecond)
	return cfg
}

// untilAsked resets a session until its bot is asked, and returns the number of that command.
func (h *harbour) untilAsked(ctx context.Context, t *testing.T, s *session) (seq uint64, answer <-chan error) {
	t.Helper()
	for seq = s.seq + 1; ; seq++ {
		answer = h.reset(ctx, s, seq)
		select {
		case <-began:
			return seq, answer
		case err := <-answer:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(2 * time.Minute):
			t.Fatal("neither an answer nor a thought")
		}
	}
}

// Whatever a bot thinks at the end, at a table or in a session, whether it can be stopped or not, all is written: the table as it is after its
// last decision, the session as it was before the command that has no answer.
func TestBotsThatThinkAtTheEndLoseNothing(t *testing.T) {
	for _, bot := range []string{"rock", "dozer"} {
		letOff := thinking(t)
		dir := t.TempDir()
		h := run(t, expired(dir))
		idle, other := h.session(t, 2), h.table(t)
		at := h.host(t, bot)
		waits := h.play(t.Context(), at)
		await(t, bot+" at a table", began)
		s := h.thinker(t, bot)
		seq, answer := h.untilAsked(t.Context(), t, s)
		h.end()
		if err := await(t, "the end", h.err); err != nil {
			t.Fatalf("%s: %v", bot, err)
		}
		if err := await(t, "a client at a table", waits); status.Code(err) != codes.Unavailable {
			t.Errorf("%s: a client at a table is told %v", bot, err)
		}
		left := files(t, dir)
		for _, name := range []string{idle.id + sessionFile, s.id + sessionFile, other.id + tableFile, at.TableId + tableFile} {
			if left[name] == "" {
				t.Errorf("%s: %s is not written", bot, name[len(name)-8:])
			}
		}
		letOff()
		if bot == "rock" { // which has decided now, too late
			if err := await(t, "a command that was given up", answer); status.Code(err) != codes.Unavailable {
				t.Errorf("a command whose session was written before it was answered with %v", err)
			}
		}
		if again := files(t, dir); len(again) != 4 || again[s.id+sessionFile] != left[s.id+sessionFile] {
			t.Errorf("%s: what was written has changed", bot)
		}
		h = run(t, quiet(dir))
		if back, err := h.e.Attach(t.Context(), &pb.AttachRequest{SessionId: s.id}); err != nil || back.Seq != seq-1 {
			t.Fatalf("%s: after the restart command %d of %d is the last: %v", bot, back.GetSeq(), seq-1, err)
		}
		if _, err := h.e.Reset(t.Context(), &pb.ResetRequest{SessionId: s.id, Seq: seq}); err != nil {
			t.Errorf("%s: the command that was not answered, sent again: %v", bot, err)
		}
		if err := await(t, "the match", h.play(t.Context(), at)); err != nil {
			t.Errorf("%s: the match that continues: %v", bot, err)
		}
		h.stop(t)
	}
}

// A table that somebody holds for ever costs itself, and no other.
func TestTheWaitForATableIsBounded(t *testing.T) {
	dir := t.TempDir()
	h := run(t, expired(dir))
	stuck, other, one := h.table(t), h.table(t), h.session(t, 1)
	held, free := make(chan bool), make(chan bool)
	go func() {
		_, _ = stuck.Glance(0, func(table.Glance) {
			held <- true
			<-free
		})
	}()
	<-held
	h.end()
	if err := await(t, "the end", h.err); err == nil || !strings.Contains(err.Error(), short(stuck.id)) || strings.Contains(err.Error(), short(other.id)) {
		t.Errorf("the server ended with %v", err)
	}
	free <- true
	if left := files(t, dir); left[other.id+tableFile] == "" || left[one.id+sessionFile] == "" || len(left) != 2 {
		t.Errorf("%d files are written, want 2", len(left))
	}
}

// A session that has been written as it stood may yet be performed: then nobody is told so, and what was written stays.
func TestACommandIsPerformedOrWasNever(t *testing.T) {
	letOff := thinking(t)
	dir := t.TempDir()
	h := run(t, quiet(dir))
	defer h.end()
	s := h.thinker(t, "rock")
	seq, answer := h.untilAsked(t.Context(), t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.saveAll(ctx); err != nil {
		t.Fatal(err)
	}
	waits := beside(func() error {
		_, err := h.e.Renew(context.Background(), &pb.RenewRequest{SessionId: s.id})
		return err
	})
	letOff()
	for what, got := range map[string]<-chan error{"the command": answer, "a request": waits} {
		if err := await(t, what, got); status.Code(err) != codes.Unavailable {
			t.Errorf("%s is answered with %v", what, err)
		}
	}
	var st pb.SessionState
	if err := h.folder.read(s.id, sessionFile, &st); err != nil || st.Seq != seq-1 {
		t.Errorf("command %d of %d is written: %v", st.Seq, seq-1, err)
	}
}

// Bots of tables that were restored are asked when a player is back: the server serves before.
func TestAServerServesBeforeItsBotsThink(t *testing.T) {
	letOff := thinking(t)
	dir := t.TempDir()
	h := run(t, quiet(dir))
	at := h.host(t, "rock")
	waits := h.play(t.Context(), at)
	await(t, "the bot", began)
	h.end()
	if err := await(t, "the end", h.err); err != nil {
		t.Fatal(err)
	}
	_ = await(t, "the client", waits) // it is told that the server ends
	h = run(t, quiet(dir))            // which returns when it serves
	if len(began) > 0 {
		t.Error("a bot thinks for nobody")
	}
	letOff()
	if err := await(t, "the match", h.play(t.Context(), at)); err != nil {
		t.Error(err)
	}
	h.stop(t)
}

// What nobody waits for any more is not thought: the request is cancelled, the page is closed or has decided otherwise, the server ends. And
// while a bot thinks, the table is there for others.
func TestNobodyThinksForNobody(t *testing.T) {
	letOff := thinking(t)
	h := run(t, quiet(t.TempDir()))
	at := h.host(t, "dozer")
	ctx, cancel := context.WithCancel(t.Context())
	waits := h.play(ctx, at)
	await(t, "a bot at a table", began)
	cancel()
	await(t, "the end of its thought", ended)
	if err := await(t, "the request", waits); status.Code(err) != codes.Canceled {
		t.Errorf("a request that was cancelled: %v", err)
	}

	// Of two who wait one stays.
	first, leave := context.WithCancel(t.Context())
	gone, stays := h.play(first, at), h.play(t.Context(), at)
	await(t, "a bot at a table", began)
	leave()
	_ = await(t, "the one that goes", gone) // it is told that it has gone
	if len(ended) > 0 {
		t.Error("a bot that somebody waits for has stopped")
	}
	one, err := h.tables.find(at.TableId)
	if err != nil {
		t.Fatal(err)
	}
	if await(t, "whether it is over", beside(one.Over)) {
		t.Error("the match is over")
	}
	if _, err := h.p.CloseTable(t.Context(), &pb.CloseTableRequest{TableId: at.TableId, HostKey: at.HostKey}); err != nil {
		t.Error(err)
	}
	await(t, "the end of a thought at a table that is closed", ended)
	if err := await(t, "the one that stays", stays); status.Code(err) != codes.NotFound {
		t.Errorf("at a table that was closed: %v", err)
	}

	// In a session, and asked about one, which continues meanwhile.
	s := h.thinker(t, "dozer")
	ctx, cancel = context.WithCancel(t.Context())
	_, answer := h.untilAsked(ctx, t, s)
	cancel()
	await(t, "the end of a thought in a session", ended)
	if err := await(t, "the command", answer); status.Code(err) != codes.Canceled {
		t.Errorf("a command that was cancelled: %v", err)
	}
	free := h.session(t, 1)
	ctx, cancel = context.WithCancel(t.Context())
	asked := beside(func() error {
		_, err := h.p.Act(ctx, &pb.ActRequest{Bot: "dozer", Decisions: &pb.ActRequest_SessionId{SessionId: free.id}})
		return err
	})
	await(t, "a bot that is asked", began)
	if err := await(t, "another command", h.reset(t.Context(), free, 2)); err != nil {
		t.Error(err)
	}
	cancel()
	await(t, "the end of what it thinks", ended)
	if err := await(t, "the question", asked); status.Code(err) != codes.Canceled {
		t.Errorf("a question that was cancelled: %v", err)
	}
	letOff()
	h.stop(t)
}

// friendlyTable opens one from the page, and returns the page, which has the first seat, and what opens those of others.
func friendlyTable(t *testing.T, game string, seats ...string) (host *talker, sit func(seat int) *talker) {
	t.Helper()
	p, web := pageServer(t)
	host = talk(t, web.URL)
	opened := host.open(p.key, table.Request{Game: game, Seats: seats, Friendly: true, Seed: "1"})
	return host, func(seat int) *talker {
		k := talk(t, web.URL)
		k.sit(opened.Table, opened.Keys[seat])
		return k
	}
}

// choose answers a view.
func (k *talker) choose(v *table.View) {
	k.Helper()
	k.ask(table.Request{Do: table.DoChoose, Action: v.Actions[len(v.Actions)-1].Action, Decision: v.Decision})
}

func TestAPageThatHasGoneLeavesNobodyThinking(t *testing.T) {
	letOff := thinking(t)
	host, _ := friendlyTable(t, "leduc", "person", "dozer")
	v := host.turn()
	// An adviser thinks beside all else, until the person decides.
	host.ask(table.Request{Do: table.DoThink, Bot: "dozer", Decision: v.Decision})
	await(t, "the adviser", began)
	host.ask(table.Request{Do: table.DoLook})
	if again := host.turn(); again.Decision != v.Decision {
		t.Errorf("while an adviser thinks decision %d is %d", v.Decision, again.Decision)
	}
	host.ask(table.Request{Do: table.DoThink, Bot: "dozer", Decision: v.Decision})
	var r table.Refusal
	host.refused("still thinks")
	host.choose(v)
	await(t, "the end of the adviser's thought", ended)
	for !strings.Contains(r.Why, "has moved on since") {
		host.hear("refusal", &r)
	}
	// And so does an opponent, until the page is closed.
	await(t, "the opponent", began)
	_ = host.conn.CloseNow()
	await(t, "the end of the opponent's thought", ended)
	letOff()
}

// What a client's bots may think in a minute is all that they think at a time; others' think on.
func TestBotsThinkWithinTheTimeOfTheirClient(t *testing.T) {
	thinking(t)
	cfg := quiet(t.TempDir())
	cfg.ThinkTime = Duration(10 * time.Millisecond)
	h := run(t, cfg)
	for what, got := range map[string]func() error{
		"at a table": func() error { return await(t, "the table", h.play(t.Context(), h.host(t, "dozer"))) },
		"in a session": func() error {
			_, answer := h.untilAsked(t.Context(), t, h.thinker(t, "dozer"))
			return await(t, "the session", answer)
		},
		"asked": func() error {
			_, err := h.p.Act(t.Context(), &pb.ActRequest{Bot: "dozer", Decisions: &pb.ActRequest_SessionId{SessionId: h.session(t, 1).id}})
			return err
		},
	} {
		h.limits.mu.Lock()
		clear(h.limits.thinks) // a minute later
		h.limits.mu.Unlock()
		err := got()
		if status.Code(err) != codes.ResourceExhausted || !strings.Contains(err.Error(), "think_time") {
			t.Errorf("%s: a bot that thinks without end: %v", what, err)
		}
	}
	h.limits.thought("a", time.Hour)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := h.limits.think(ctx, "a", func(context.Context) error { return nil }); err == nil || !strings.Contains(err.Error(), "try again in") {
		t.Errorf("a client that has used up its time: %v", err)
	}
	if err := h.limits.think(ctx, "b", func(context.Context) error { return nil }); err != nil {
		t.Errorf("another: %v", err)
	}
	h.stop(t)
}

// A bot that panics ends what it was asked for, and the log has where.
func TestABotThatPanicsEndsNothingElse(t *testing.T) {
	h := run(t, quiet(t.TempDir()))
	internal := func(what string, err error) {
		t.Helper()
		if status.Code(err) != codes.Internal {
			t.Errorf("%s: %v", what, err)
		}
	}
	at := h.host(t, "bomb")
	internal("at a table", await(t, "the table", h.play(t.Context(), at)))
	internal("at a table, asked again", await(t, "the table", h.play(t.Context(), at)))
	one := h.session(t, 1)
	_, err := h.p.Act(t.Context(), &pb.ActRequest{Bot: "bomb", Decisions: &pb.ActRequest_SessionId{SessionId: one.id}})
	internal("asked about a session", err)
	if err := await(t, "the session", h.reset(t.Context(), one, 2)); err != nil {
		t.Errorf("the session that it was asked about: %v", err)
	}
	if _, err := h.p.CloseTable(t.Context(), &pb.CloseTableRequest{TableId: at.TableId, HostKey: at.HostKey}); err != nil {
		t.Error(err)
	}
	broken := h.thinker(t, "bomb")
	client, err := grpc.NewClient(h.addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	_, err = pb.NewEnvironmentServiceClient(client).Reset(t.Context(), &pb.ResetRequest{SessionId: broken.id, Seq: 1})
	internal("in a session", err)
	client.Close()
	h.stop(t)
	if left := files(t, h.folder.path); len(left) != 2 {
		t.Errorf("%d files are written: want that of the session as it was before the bot was asked, and of the other", len(left))
	}

	host, _ := friendlyTable(t, "leduc", "person", "bomb")
	v := host.turn()
	host.ask(table.Request{Do: table.DoThink, Bot: "bomb", Decision: v.Decision})
	host.refused("internal error")
	host.choose(v)
	host.refused("internal error")
	host.ask(table.Request{Do: table.DoUndo, Decision: v.Decision})
	if again := host.turn(); again.Decision <= v.Decision {
		t.Errorf("taken back, the decision is number %d, and was %d", again.Decision, v.Decision)
	}
}

// An answer is one to what was asked: not to what is asked instead after decisions were taken back, from any bot.
func TestNoAnswerToWhatWasTakenBackIsPerformed(t *testing.T) {
	host, sit := friendlyTable(t, "leduc", "person", "person")
	guest := sit(1)
	v := host.turn()
	host.choose(v)
	stale := guest.turn()
	host.ask(table.Request{Do: table.DoUndo, Decision: v.Decision})
	again := host.turn()
	host.choose(again)
	now := guest.turn()
	for now.Decision == stale.Decision { // the view of before, once more
		now = guest.turn()
	}
	guest.choose(stale)
	guest.refused("not the pending decision")
	host.choose(v) // the decision that was taken back, sent again
	host.refused("not the pending decision")
	host.choose(again) // one that stands
	guest.choose(now)
	if after := host.turn(); after.Turn == table.Wait || after.Decision <= again.Decision {
		t.Errorf("after an answer to what is asked: %+v", after)
	}
}

func TestABotsAnswerToWhatWasTakenBackIsNotPerformed(t *testing.T) {
	letOff := thinking(t)
	host, _ := friendlyTable(t, "leduc", "person", "rock")
	v := host.turn()
	host.choose(v)
	await(t, "the bot", began)
	host.ask(table.Request{Do: table.DoUndo, Decision: v.Decision})
	again := host.turn()
	for again.Decision == v.Decision {
		again = host.turn()
	}
	letOff()
	await(t, "what it answers", ended)
	host.choose(again)
	after := host.turn()
	for after.Decision == again.Decision {
		after = host.turn()
	}
	if after.Decision != again.Decision+1 {
		t.Errorf("decision %d follows %d", after.Decision, again.Decision)
	}
}
