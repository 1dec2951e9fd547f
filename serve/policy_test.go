package serve_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/prompt"
	"github.com/privateer-rl/privateer/serve"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

func TestBotsActOnMasks(t *testing.T) {
	r := begin(t, nil)
	list, err := r.policy.ListBots(soon(t), &pb.ListBotsRequest{Game: "doubloons"})
	if err != nil || len(list.Bots) < 2 {
		t.Fatalf("%v: %v", list, err)
	}
	masks := &pb.Tensor{Dtype: pb.DType_D_TYPE_UINT8, Shape: []uint32{3, 1}, Data: []byte{0b001, 0b100, 0b110}}
	ask := func(bot string, masks *pb.Tensor) ([]int32, error) {
		resp, err := r.policy.Act(soon(t), &pb.ActRequest{Bot: bot, Seed: 4, Decisions: &pb.ActRequest_Tensors{Tensors: &pb.TensorDecisions{Game: "leduc", ActionMask: masks}}})
		if err != nil {
			return nil, err
		}
		return int32s(resp.Actions), nil
	}
	actions, err := ask("random", masks)
	if err != nil || actions[0] != 0 || actions[1] != 2 || actions[2] < 1 || actions[2] > 2 {
		t.Fatalf("%v: %v", actions, err)
	}
	_, err = ask("random", &pb.Tensor{Dtype: pb.DType_D_TYPE_UINT8, Shape: []uint32{2, 1}, Data: []byte{1, 0}})
	expect(t, err, codes.InvalidArgument, "tensors.action_mask[1]")
	_, err = ask("random", &pb.Tensor{Dtype: pb.DType_D_TYPE_UINT8, Shape: []uint32{1, 1}, Data: []byte{0b1001}})
	expect(t, err, codes.InvalidArgument, "tensors.action_mask[0]")
	_, err = ask("nobody", masks)
	expect(t, err, codes.InvalidArgument, "bot")
}

func TestBotsActOnASessionsRows(t *testing.T) {
	r := begin(t, nil)
	s := r.session(&pb.OpenRequest{Game: "doubloons(seats=2)", NumEnvs: 3, Seed: proto.Uint64(2)}).attach()
	ask := func(bot string) (*pb.ActResponse, error) {
		return r.policy.Act(soon(t), &pb.ActRequest{Bot: bot, Decisions: &pb.ActRequest_SessionId{SessionId: s.open.SessionId}})
	}
	_, err := ask("heuristic")
	expect(t, err, codes.FailedPrecondition, "session_id")
	s.must(resetAll())
	for range 12 {
		resp, err := ask("heuristic")
		if err != nil {
			t.Fatal(err)
		}
		s.must(act(int32s(resp.Actions)))
	}
	_, err = r.policy.Act(soon(t), &pb.ActRequest{Bot: "random", Decisions: &pb.ActRequest_Tensors{Tensors: &pb.TensorDecisions{Game: "kuhn"}}})
	expect(t, err, codes.InvalidArgument, "tensors.action_mask")
}

// Two clients and bots play a match to its end.
func TestClientsAndBotsPlayAtATable(t *testing.T) {
	for game, seats := range map[string][]string{
		"doubloons(seats=3)":                {"", "heuristic", ""},
		"jolly_roger(seats=10,bribes=talk)": {"", "random", "", "random", "random", "random", "random", "random", "random", "random"},
	} {
		r := begin(t, nil)
		host, err := r.policy.Host(soon(t), &pb.HostRequest{Game: game, Seed: 8, Seats: seats})
		if err != nil || host.SeatKeys[1] != "" || host.SeatKeys[0] == "" || host.SeatKeys[0] == host.SeatKeys[2] {
			t.Fatalf("%s: %v: %v", game, host, err)
		}
		ends := make(chan *pb.PlayResponse, 2)
		for _, seat := range []int{0, 2} {
			go func() {
				ends <- r.playOut(host.TableId, host.SeatKeys[seat])
			}()
		}
		a, b := <-ends, <-ends
		if a == nil || b == nil || !a.Over || !b.Over || !proto.Equal(a.EpisodeReturn, b.EpisodeReturn) || a.Seat == b.Seat {
			t.Fatalf("%s: the match ended as %v and %v", game, a, b)
		}
	}
}

// playOut plays a seat at random until the match is over; nil if it failed.
func (r *running) playOut(table, key string) *pb.PlayResponse {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	req := &pb.PlayRequest{TableId: table, SeatKey: key}
	for own := uint32(1); ; own++ {
		v, err := r.policy.Play(ctx, req)
		if err != nil {
			r.t.Error(err)
			return nil
		}
		if v.Decision != own {
			r.t.Errorf("decision %d of a seat has the number %d, which tells what others decide", own, v.Decision)
			return nil
		}
		if v.Over {
			return v
		}
		v.ActionMask.Shape = []uint32{1, v.ActionMask.Shape[0]}
		a := legal(&pb.Batch{ActionMask: v.ActionMask}, int(v.Decision))[0]
		req.Decision, req.Action = v.Decision, &a
		if v.Decision%5 == 0 { // now and then an answer is lost
			if _, err := r.policy.Play(ctx, req); err != nil {
				r.t.Error(err)
				return nil
			}
		}
	}
}

// Two language models play a match by prompts and answers in words. When its seed is known the match is dealt again: each prompt was that of
// what its seat had seen.
func TestSeatsArePlayedInWords(t *testing.T) {
	r := begin(t, nil)
	host, err := r.policy.Host(soon(t), &pb.HostRequest{Game: "leduc", Seats: []string{"", ""}})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(seat int, req *pb.PlayRequest) (*pb.PlayResponse, error) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		req.TableId, req.SeatKey = host.TableId, host.SeatKeys[seat]
		return r.policy.Play(ctx, req)
	}
	rules, none := proto.Uint32(300), proto.Uint32(0)
	first, err := ask(0, &pb.PlayRequest{PromptRules: none})
	if err != nil || strings.Contains(first.Prompt, "# Rules in brief") {
		t.Fatalf("%v: %v", first, err)
	}
	if v, err := ask(0, &pb.PlayRequest{}); err != nil || v.Prompt != "" {
		t.Errorf("a prompt that nobody asked for: %v: %v", v, err)
	}
	for _, c := range []struct {
		req   *pb.PlayRequest
		code  codes.Code
		field string
	}{
		{&pb.PlayRequest{Decision: 1, Answer: proto.String("I will call or raise, who knows?")}, codes.InvalidArgument, "answer"},
		{&pb.PlayRequest{Decision: 1, Answer: proto.String("")}, codes.InvalidArgument, "answer"},
		{&pb.PlayRequest{Decision: 1, Answer: proto.String("fold")}, codes.InvalidArgument, "answer"}, // not legal yet
		{&pb.PlayRequest{Decision: 1, Answer: proto.String("raise"), Action: proto.Int32(2)}, codes.InvalidArgument, "answer"},
		{&pb.PlayRequest{Answer: proto.String("raise")}, codes.InvalidArgument, "decision"},
		{&pb.PlayRequest{Decision: 2, Answer: proto.String("raise")}, codes.FailedPrecondition, "decision"},
	} {
		_, err := ask(0, c.req)
		expect(t, err, c.code, c.field)
	}
	_, err = ask(1, &pb.PlayRequest{Decision: 1, Answer: proto.String("raise")})
	expect(t, err, codes.FailedPrecondition, "seat_key")

	type asked struct {
		seat   int // −1 if the match is over
		prompt string
		seed   uint64
	}
	var all []asked
	said := []string{"raise", "2", "I could fold, but I call.", `{"action": "raise"}`, "Answer: CALL"} // by turns
	turns := make([]chan string, 2)
	turns[0], turns[1] = make(chan string, 1), make(chan string, 1)
	seen := make(chan asked)
	for seat := range turns {
		go func() {
			req := &pb.PlayRequest{PromptRules: rules}
			for {
				v, err := ask(seat, req)
				if err != nil {
					seen <- asked{-1, err.Error(), 0}
					return
				}
				if v.Over {
					seen <- asked{-1, v.Prompt, *v.Seed}
					return
				}
				seen <- asked{seat, v.Prompt, 0}
				req = &pb.PlayRequest{PromptRules: rules, Decision: v.Decision, Answer: proto.String(<-turns[seat])}
			}
		}()
	}
	for _, answer := range said {
		now := <-seen
		if now.seat < 0 {
			t.Fatalf("before %q: %s", answer, now.prompt)
		}
		all = append(all, now)
		turns[now.seat] <- answer
	}
	var end asked
	for range turns {
		if end = <-seen; end.seat >= 0 || !strings.Contains(end.prompt, "The match is over: you ") {
			t.Fatalf("it does not end: %+v", end)
		}
	}
	g, err := engine.NewGame("leduc")
	if err != nil {
		t.Fatal(err)
	}
	p, err := prompt.New(g, int(*rules))
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(end.seed)
	eyes, logs := []*engine.Witness{engine.NewWitness(g, 0), engine.NewWitness(g, 1)}, make([][]engine.Moment, 2)
	for _, eye := range eyes {
		eye.Begin(m)
	}
	for i, was := range all {
		if want := p.Write(m, logs[was.seat], ""); m.Seat() != was.seat || was.prompt != want || !strings.Contains(want, "# Rules in brief") {
			t.Fatalf("decision %d was seat %d's:\n%s\nwant seat %d's:\n%s", i+1, was.seat, was.prompt, m.Seat(), want)
		}
		a, err := prompt.Read(m, said[i])
		if err != nil {
			t.Fatal(err)
		}
		logs[was.seat] = nil
		for _, eye := range eyes {
			eye.Chosen(m, a)
		}
		if err := m.Apply(a); err != nil {
			t.Fatal(err)
		}
		for seat, eye := range eyes {
			if now, _ := eye.See(m); !now.Blank() {
				logs[seat] = append(logs[seat], now)
			}
		}
	}
}

func TestTableRefusesWhoIsNotToAct(t *testing.T) {
	r := begin(t, func(c *serve.Config) { c.MaxTables = 1 })
	host, err := r.policy.Host(soon(t), &pb.HostRequest{Game: "kuhn", Seats: []string{"", ""}})
	if err != nil {
		t.Fatal(err)
	}
	play := func(seat int, decision uint32, action int32) error {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		_, err := r.policy.Play(ctx, &pb.PlayRequest{TableId: host.TableId, SeatKey: host.SeatKeys[seat], Decision: decision, Action: &action})
		return err
	}
	expect(t, play(1, 1, 0), codes.FailedPrecondition, "seat_key")
	expect(t, play(0, 2, 0), codes.FailedPrecondition, "decision")
	expect(t, play(0, 0, 0), codes.InvalidArgument, "decision")
	expect(t, play(0, 1, 9), codes.InvalidArgument, "action")
	if err := play(0, 1, 0); status.Code(err) != codes.DeadlineExceeded {
		t.Fatalf("waiting for the other seat: %v", err)
	}
	_, err = r.policy.Play(soon(t), &pb.PlayRequest{TableId: host.TableId, SeatKey: "guess"})
	expect(t, err, codes.NotFound, "seat_key")
	_, err = r.policy.Host(soon(t), &pb.HostRequest{Game: "kuhn", Seats: []string{"", ""}})
	expect(t, err, codes.ResourceExhausted, "max_tables")
	_, err = r.policy.Host(soon(t), &pb.HostRequest{Game: "kuhn", Seats: []string{"random", "random"}})
	expect(t, err, codes.InvalidArgument, "seats")
}

// A match that is under way continues at the next server as it would have at the
// first, for every last move by any seat.
func TestDrainedTablesGoOnAtTheNextServer(t *testing.T) {
	dir := t.TempDir()
	keep := func(c *serve.Config) { c.Snapshots = dir }
	open := &pb.HostRequest{Game: "doubloons(seats=3)", Seed: 8, Seats: []string{"random", "", "heuristic"}}
	// Decisions of the client by their number, from the start or from where the table is.
	on := func(r *running, host *pb.HostResponse, until int) (views []*pb.PlayResponse) {
		req := &pb.PlayRequest{TableId: host.TableId, SeatKey: host.SeatKeys[1]}
		for len(views) < until {
			v, err := r.policy.Play(soon(t), req)
			if err != nil {
				t.Fatal(err)
			}
			if views = append(views, v); v.Over {
				break
			}
			mask := &pb.Tensor{Shape: []uint32{1, v.ActionMask.Shape[0]}, Data: v.ActionMask.Data}
			a := legal(&pb.Batch{ActionMask: mask}, int(v.Decision))[0]
			req.Decision, req.Action = v.Decision, &a
		}
		return views
	}
	r := begin(t, keep)
	host, err := r.policy.Host(soon(t), open)
	if err != nil {
		t.Fatal(err)
	}
	views := on(r, host, 8)
	waiting := make(chan error, 1)
	other, err := r.policy.Host(soon(t), &pb.HostRequest{Game: "kuhn", Seats: []string{"", ""}})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, err := r.policy.Play(soon(t), &pb.PlayRequest{TableId: other.TableId, SeatKey: other.SeatKeys[1]})
		waiting <- err
	}()
	time.Sleep(10 * time.Millisecond)
	r.stop()
	if err := <-waiting; status.Code(err) != codes.Unavailable {
		t.Errorf("the client that waited got %v; want Unavailable", err)
	}

	next := begin(t, keep)
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Fatalf("%d files wait: %v", len(files), err)
	}
	rest := on(next, host, 1000)
	if _, err := os.Stat(filepath.Join(dir, host.TableId+".table")); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("the file of a match that continued is still there: %v", err)
	}
	// The last view before the end was not acted on: it is seen again.
	views = append(views[:len(views)-1], rest...)
	n := replay(t, open, views)
	if n < 20 {
		t.Fatalf("the match ended after %d decisions", n)
	}
	// The new server knows that an earlier decision has been taken.
	first, action := views[0], int32(0)
	if _, err := next.policy.Play(soon(t), &pb.PlayRequest{TableId: host.TableId, SeatKey: host.SeatKeys[1], Decision: first.Decision, Action: &action}); status.Code(err) == codes.NotFound {
		t.Error(err)
	}
	pass := int32(0)
	one, err := next.policy.Play(soon(t), &pb.PlayRequest{TableId: other.TableId, SeatKey: other.SeatKeys[0]})
	if err != nil {
		t.Fatal(err)
	}
	moved, leave := context.WithCancel(t.Context())
	go func() {
		_, err := next.policy.Play(moved, &pb.PlayRequest{TableId: other.TableId, SeatKey: other.SeatKeys[0], Decision: one.Decision, Action: &pass})
		waiting <- err
	}()
	if v, err := next.policy.Play(soon(t), &pb.PlayRequest{TableId: other.TableId, SeatKey: other.SeatKeys[1]}); err != nil || v.Decision != 1 {
		t.Errorf("%v: %v", v, err)
	}
	leave()
	if err := <-waiting; status.Code(err) != codes.Canceled {
		t.Errorf("a client that has moved and waits for the other seat: %v", err)
	}
}

// replay plays a match again from the seed shown at its end, with the bots of a request,
// and checks that it is the one that the views of the only client show. It returns the number
// of views.
func replay(t *testing.T, host *pb.HostRequest, views []*pb.PlayResponse) int {
	t.Helper()
	g, err := engine.NewGame(host.Game)
	if err != nil {
		t.Fatal(err)
	}
	enc, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	players := make([]bots.Bot, len(host.Seats))
	for i, name := range host.Seats {
		if name != "" {
			if players[i], err = bots.New(name, g); err != nil {
				t.Fatal(err)
			}
		}
	}
	end := views[len(views)-1]
	if !end.Over || end.Seed == nil {
		t.Fatalf("the match ends with %v", end)
	}
	m, draw := g.NewMatch(), engine.NewRand(*end.Seed).At(1)
	m.Reset(*end.Seed)
	for i, v := range views {
		for m.Seat() >= 0 && players[m.Seat()] != nil {
			if err := m.Apply(players[m.Seat()].Act(m, &draw)); err != nil {
				t.Fatal(err)
			}
		}
		obs := make([]byte, len(v.Observation.Data))
		if enc.Encode(m, int(v.Seat), obs); !bytes.Equal(obs, v.Observation.Data) || v.Over != (m.Seat() == engine.Over) || v.Over != (v.Seed != nil) {
			t.Fatalf("view %d is of another match", i)
		}
		if !v.Over {
			mask := &pb.Tensor{Shape: []uint32{1, v.ActionMask.Shape[0]}, Data: v.ActionMask.Data}
			if err := m.Apply(engine.Action(legal(&pb.Batch{ActionMask: mask}, int(v.Decision))[0])); err != nil {
				t.Fatal(err)
			}
		}
	}
	return len(views)
}

func TestDamagedTablesAreLeftWhereTheyAre(t *testing.T) {
	dir := t.TempDir()
	keep := func(c *serve.Config) { c.Snapshots = dir }
	r := begin(t, keep)
	host, err := r.policy.Host(soon(t), &pb.HostRequest{Game: "leduc", Seats: []string{"", "random"}})
	if err != nil {
		t.Fatal(err)
	}
	r.stop()
	path := filepath.Join(dir, host.TableId+".table")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file, which has the seats' keys, has the mode %v (%v)", info.Mode(), err)
	}
	for name, change := range map[string]func(st *pb.TableState){
		"illegal decision":  func(st *pb.TableState) { st.Seat, st.Action = []uint32{0}, []int32{7} },
		"other seat's":      func(st *pb.TableState) { st.Seat, st.Action = []uint32{1}, []int32{1} },
		"half a decision":   func(st *pb.TableState) { st.Seat = []uint32{0} },
		"a key less":        func(st *pb.TableState) { st.SeatKeys = st.SeatKeys[:1] },
		"a bot's key":       func(st *pb.TableState) { st.SeatKeys[1] = "x" },
		"no host":           func(st *pb.TableState) { st.Host = nil },
		"a bot that is not": func(st *pb.TableState) { st.Host.Seats[1] = "shark" },
		"another's":         func(st *pb.TableState) { st.TableId = "x" },
	} {
		var st pb.TableState
		const head = "privateer table 2\n"
		if err := proto.Unmarshal(data[len(head):len(data)-4], &st); err != nil {
			t.Fatal(err)
		}
		change(&st)
		bad, err := proto.MarshalOptions{}.MarshalAppend([]byte(head), &st)
		if err != nil {
			t.Fatal(err)
		}
		bad = durable.Seal(bad)
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		r = begin(t, keep)
		_, err = r.policy.Play(soon(t), &pb.PlayRequest{TableId: host.TableId, SeatKey: host.SeatKeys[0]})
		expect(t, err, codes.NotFound, "table_id")
		r.stop()
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, bad) {
			t.Errorf("%s: the file is gone or changed (%v)", name, err)
		}
	}
}

// Nobody can find out what a table deals: not from the seed, not by trying seeds, and not
// by opening a table with the same one.
func TestTablesMatchesCannotBeDealtAgain(t *testing.T) {
	const game = "jolly_roger(seats=3)"
	r := begin(t, nil)
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	enc, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	deals := map[string]bool{}
	for seed := range uint64(2000) {
		m, obs := g.NewMatch(), make([]byte, enc.Schema().Size)
		m.Reset(seed)
		enc.Encode(m, m.Seat(), obs)
		deals[string(obs)] = true
	}
	tables := map[string]bool{}
	for _, seed := range []uint64{0, 0, 0, 7, 7, 7} {
		host, err := r.policy.Host(soon(t), &pb.HostRequest{Game: game, Seed: seed, Seats: []string{"", "", ""}})
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range host.SeatKeys {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			v, err := r.policy.Play(ctx, &pb.PlayRequest{TableId: host.TableId, SeatKey: key})
			cancel()
			if status.Code(err) == codes.DeadlineExceeded { // it is the other's turn
				continue
			}
			if err != nil || v.Seed != nil {
				t.Fatalf("%v: %v", v, err)
			}
			if deals[string(v.Observation.Data)] {
				t.Errorf("the table of seed %d has the deal of a small seed", seed)
			}
			if tables[string(v.Observation.Data)] {
				t.Errorf("two tables of seed %d have the same deal", seed)
			}
			tables[string(v.Observation.Data)] = true
		}
	}
}

// A match that is over takes no place from others, and its end can be seen for a lease, even if
// another client ends many matches.
func TestFinishedTablesTakeNoPlace(t *testing.T) {
	const most = 3
	r := begin(t, func(c *serve.Config) {
		c.MaxTables, c.MaxTablesPerClient, c.Tokens = most, 2, tokenFile(t)
	})
	ann, mary := as(t, "a"), as(t, "b")
	host := func(ctx context.Context) (*pb.HostResponse, error) {
		return r.policy.Host(ctx, &pb.HostRequest{Game: "kuhn", Seats: []string{"", "random"}})
	}
	finish := func(ctx context.Context, at *pb.HostResponse) *pb.PlayResponse {
		req := &pb.PlayRequest{TableId: at.TableId, SeatKey: at.SeatKeys[0]}
		for {
			v, err := r.policy.Play(ctx, req)
			if err != nil {
				t.Fatal(err)
			}
			if v.Over {
				return v
			}
			req.Decision, req.Action = v.Decision, new(int32)
		}
	}
	first, err := host(mary)
	if err != nil {
		t.Fatal(err)
	}
	end := finish(mary, first)
	for range 10 * most {
		at, err := host(ann)
		if err != nil {
			t.Fatal(err)
		}
		finish(ann, at)
	}
	again, err := r.policy.Play(mary, &pb.PlayRequest{TableId: first.TableId, SeatKey: first.SeatKeys[0]})
	if err != nil || !proto.Equal(again, end) {
		t.Errorf("the end of her match is %v: %v", again, err)
	}
	for range 2 {
		if _, err := host(ann); err != nil {
			t.Fatal(err)
		}
	}
	_, err = host(ann)
	expect(t, err, codes.ResourceExhausted, "max_tables_per_client")
	if _, err := host(mary); err != nil {
		t.Fatal(err)
	}
	_, err = host(mary)
	expect(t, err, codes.ResourceExhausted, "max_tables")
}

// tokenFile lets in clients whose tokens are 16 times one letter.
func tokenFile(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte("ann:aaaaaaaaaaaaaaaa\nmary:bbbbbbbbbbbbbbbb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func as(t *testing.T, letter string) context.Context {
	return metadata.AppendToOutgoingContext(soon(t), "authorization", "Bearer "+strings.Repeat(letter, 16))
}

// A Host request whose answer was lost is sent again, also to the next server; however often
// that happens, even at the same time, there is one table.
func TestHostThatIsSentAgainOpensOneTable(t *testing.T) {
	dir := t.TempDir()
	keep := func(c *serve.Config) { c.MaxTables, c.Snapshots, c.Tokens = 2, dir, tokenFile(t) }
	r := begin(t, keep)
	req := &pb.HostRequest{Game: "leduc", Seed: 3, Seats: []string{"", "random"}, RequestId: strings.Repeat("7", 16)}
	answers := make(chan *pb.HostResponse)
	for range 20 {
		go func() {
			at, err := r.policy.Host(as(t, "a"), req)
			if err != nil {
				t.Error(err)
			}
			answers <- at
		}()
	}
	at := <-answers
	for range 19 {
		if again := <-answers; !proto.Equal(at, again) {
			t.Errorf("the request sent again opened %v, at first %v", again, at)
		}
	}
	other := proto.CloneOf(req)
	other.Seed = 4
	_, err := r.policy.Host(as(t, "a"), other)
	expect(t, err, codes.InvalidArgument, "request_id")
	for _, id := range []string{"short", strings.Repeat("7", 65)} {
		other.RequestId = id
		_, err = r.policy.Host(as(t, "a"), other)
		expect(t, err, codes.InvalidArgument, "request_id")
	}
	hers, err := r.policy.Host(as(t, "b"), req) // which has drawn the same id, or has heard of it
	if err != nil || hers.TableId == at.TableId {
		t.Fatalf("another client's table is %v: %v", hers, err)
	}
	if again, err := r.policy.Host(as(t, "a"), req); err != nil || !proto.Equal(at, again) { // while no place is free
		t.Errorf("the request sent again opened %v: %v", again, err)
	}
	r.stop()
	r = begin(t, keep)
	if again, err := r.policy.Host(as(t, "a"), req); err != nil || !proto.Equal(at, again) {
		t.Errorf("after a restart, the request sent again opened %v, at first %v: %v", again, at, err)
	}
	if _, err := r.policy.CloseTable(as(t, "a"), &pb.CloseTableRequest{TableId: at.TableId, HostKey: at.HostKey}); err != nil {
		t.Fatal(err)
	}
	if again, err := r.policy.Host(as(t, "a"), req); err != nil || again.TableId == at.TableId {
		t.Errorf("after it was closed, the table is %v: %v", again, err)
	}
}

func TestHostClosesItsTable(t *testing.T) {
	r := begin(t, func(c *serve.Config) { c.MaxTables = 1 })
	req := &pb.HostRequest{Game: "kuhn", Seats: []string{"", ""}}
	at, err := r.policy.Host(soon(t), req)
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan error, 1)
	go func() {
		_, err := r.policy.Play(soon(t), &pb.PlayRequest{TableId: at.TableId, SeatKey: at.SeatKeys[1]})
		waiting <- err
	}()
	for _, key := range []string{"", at.SeatKeys[0], at.TableId} {
		_, err := r.policy.CloseTable(soon(t), &pb.CloseTableRequest{TableId: at.TableId, HostKey: key})
		expect(t, err, codes.NotFound, "host_key")
	}
	if _, err := r.policy.CloseTable(soon(t), &pb.CloseTableRequest{TableId: at.TableId, HostKey: at.HostKey}); err != nil {
		t.Fatal(err)
	}
	expect(t, <-waiting, codes.NotFound, "table_id")
	_, err = r.policy.Play(soon(t), &pb.PlayRequest{TableId: at.TableId, SeatKey: at.SeatKeys[0]})
	expect(t, err, codes.NotFound, "table_id")
	_, err = r.policy.CloseTable(soon(t), &pb.CloseTableRequest{TableId: at.TableId, HostKey: at.HostKey})
	expect(t, err, codes.NotFound, "table_id")
	if _, err := r.policy.Host(soon(t), req); err != nil {
		t.Errorf("its place is not free: %v", err)
	}
}

// Showing its end is the last thing that a match owes its players.
func TestFinishedTableIsKeptOverARestart(t *testing.T) {
	dir := t.TempDir()
	keep := func(c *serve.Config) { c.Snapshots, c.MaxTables = dir, 1 }
	r := begin(t, keep)
	at, err := r.policy.Host(soon(t), &pb.HostRequest{Game: "leduc", Seats: []string{"random", ""}})
	if err != nil {
		t.Fatal(err)
	}
	end := r.playOut(at.TableId, at.SeatKeys[1])
	r.stop()
	r = begin(t, keep)
	again, err := r.policy.Play(soon(t), &pb.PlayRequest{TableId: at.TableId, SeatKey: at.SeatKeys[1]})
	if err != nil || end == nil || !proto.Equal(again, end) {
		t.Errorf("the match ended as %v, and after a restart as %v: %v", end, again, err)
	}
	if _, err := r.policy.Host(soon(t), &pb.HostRequest{Game: "leduc", Seats: []string{"random", ""}}); err != nil {
		t.Errorf("it takes a place: %v", err)
	}
}
