package serve_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// A client that gives no seed gets one that nobody can guess, and is told it; 0 is a seed like any other.
func TestSessionWithoutASeedHasARandomOne(t *testing.T) {
	r := begin(t, nil)
	deal := func(seed *uint64) (uint64, *pb.Batch) {
		s := r.session(&pb.OpenRequest{Game: "jolly_roger", NumEnvs: 2, Seed: seed}).attach()
		at, err := r.env.Attach(soon(t), &pb.AttachRequest{SessionId: s.open.SessionId})
		if err != nil || at.Opened.GetSeed() != s.open.Seed || at.Session.Seed != s.open.Seed {
			t.Fatalf("the session of seed %d says %v: %v", s.open.Seed, at, err)
		}
		return s.open.Seed, s.must(resetAll())
	}
	one, first := deal(nil)
	other, second := deal(nil)
	if one == other || one>>32 == 0 || proto.Equal(first, second) {
		t.Errorf("two sessions without a seed have %d and %d", one, other)
	}
	if again, third := deal(&one); again != one || !proto.Equal(first, third) {
		t.Errorf("the seed in the answer deals other matches")
	}
	if zero, _ := deal(proto.Uint64(0)); zero != 0 {
		t.Errorf("the seed 0 became %d", zero)
	}
}

func int32s(t *pb.Tensor) []int32 {
	out := make([]int32, len(t.Data)/4)
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint32(t.Data[4*i:]))
	}
	return out
}

func float32s(t *pb.Tensor) []float32 {
	out := make([]float32, len(t.Data)/4)
	for i, v := range int32s(t) {
		out[i] = math.Float32frombits(uint32(v))
	}
	return out
}

// The batches of a session are those of a vector in this process, byte for byte.
func TestSessionPlaysWhatALocalVectorPlays(t *testing.T) {
	for _, c := range []struct {
		game string
		mode env.Mode
	}{
		{"doubloons(seats=3)", env.NextStep},
		{"doubloons(seats=3)", env.SameStep},
		{"doubloons(seats=3)", env.Disabled},
		{"jolly_roger(seats=10,variants=hidden_prizes)", env.SameStep},
	} {
		mode := c.mode
		t.Run(c.game+"/"+mode.String(), func(t *testing.T) {
			r := begin(t, nil)
			const n = 5
			vec, err := env.New(env.Config{Game: c.game, NumEnvs: n, Seed: 9, Autoreset: mode, MaxDecisions: 40, Full: true, ShuffleSeats: true})
			if err != nil {
				t.Fatal(err)
			}
			defer vec.Close()
			want, err := vec.Reset()
			if err != nil {
				t.Fatal(err)
			}
			p, actions, sources := vec.Game().Info().Seats, len(vec.Game().Info().Actions), len(vec.Game().Info().ScoreSources)
			obs, full := vec.Encoder().Schema().Size, vec.Encoder().FullSchema().Size
			s := r.session(&pb.OpenRequest{
				Game: c.game, NumEnvs: n, Seed: proto.Uint64(9), AutoresetMode: pb.AutoresetMode(mode + 1), MaxDecisions: 40, FullView: true, ShuffleSeats: true,
			}).attach()
			got := s.must(resetAll())
			seating := slices.Clone(want.Players)
			for step := range 130 {
				if !bytes.Equal(got.Observation.Data, want.Obs) || !bytes.Equal(got.FullObservation.Data, want.Full) {
					t.Fatalf("step %d: observations differ", step)
				}
				if !slices.Equal(float32s(got.Reward), want.PlayerReward) || !slices.Equal(int32s(got.Seating), want.Players) || !slices.Equal(int32s(got.EpisodeStep), want.EpisodeStep) {
					t.Fatalf("step %d: rewards, seating or steps differ", step)
				}
				width := (actions + 7) / 8
				for i, bit := range want.Mask {
					row, a := i/actions, i%actions
					if got.ActionMask.Data[row*width+a/8]>>(a%8)&1 != bit {
						t.Fatalf("step %d: row %d: action %d: mask differs", step, row, a)
					}
				}
				k := 0
				for i := range n {
					if player := int32s(got.CurrentPlayer)[i]; player != want.Players[i*p+int(want.Seat[i])] {
						t.Fatalf("step %d: row %d: player %d is to act", step, i, player)
					}
					if !want.Ended[i] {
						continue
					}
					e := got.Endings
					if int32s(e.Row)[k] != int32(i) || int32s(e.Length)[k] != want.Length[i] || !slices.Equal(float32s(e.EpisodeReturn)[k*p:(k+1)*p], want.PlayerReturn[i*p:(i+1)*p]) {
						t.Fatalf("step %d: row %d: ending %d differs", step, i, k)
					}
					if int32s(e.FinalPlayer)[k] != seating[i*p+int(want.FinalSeat[i])] {
						t.Fatalf("step %d: row %d: player %d ended it", step, i, int32s(e.FinalPlayer)[k])
					}
					for s := range p {
						player, at := int(seating[i*p+s]), i*p+s
						if !bytes.Equal(e.FinalObservation.Data[(k*p+player)*obs:(k*p+player+1)*obs], want.FinalObs[at*obs:(at+1)*obs]) ||
							!bytes.Equal(e.FinalFullObservation.Data[(k*p+player)*full:(k*p+player+1)*full], want.FinalFull[at*full:(at+1)*full]) ||
							!slices.Equal(int32s(e.Score)[(k*p+player)*sources:(k*p+player+1)*sources], want.Score[at*sources:(at+1)*sources]) {
							t.Fatalf("step %d: row %d: the end as player %d saw it differs", step, i, player)
						}
					}
					k++
				}
				if k == 0 && got.Endings != nil || k > 0 && int(got.Endings.Row.Shape[0]) != k {
					t.Fatalf("step %d: endings %v, want %d", step, got.Endings, k)
				}
				seating = slices.Clone(want.Players)
				moves := legal(got, step)
				if got, err = s.send(act(moves)); err != nil {
					t.Fatal(err)
				}
				if want, err = vec.Step(moves); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Actions that are drawn with an answer are those that a request of their own would bring, and drawing them is no part of
// the command: sent again, it may ask for others.
func TestActionsAreDrawnWithTheAnswer(t *testing.T) {
	r := begin(t, nil)
	const n = 64
	s := r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: n, Seed: proto.Uint64(1)}).attach()
	ask := func(req *pb.StepRequest, seq uint64) *pb.StepResponse {
		t.Helper()
		req.SessionId, req.Seq = s.open.SessionId, seq
		if err := s.stream.Send(req); err != nil {
			t.Fatal(err)
		}
		answer, err := s.stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	command, finished := resetAll(), 0
	for seq := uint64(1); seq < 40; seq++ {
		command.DrawSeed = nil
		if answer := ask(command, seq); answer.DrawnActions != nil {
			t.Fatalf("drawn unasked: %v", answer.DrawnActions)
		}
		var drawn []int32
		for _, seed := range []uint64{seq, seq + 1000, seq} {
			command.DrawSeed = proto.Uint64(seed)
			answer := ask(command, seq)
			drawn = int32s(answer.DrawnActions)
			want, err := r.policy.Act(soon(t), &pb.ActRequest{Bot: "random", Seed: seed, Decisions: &pb.ActRequest_SessionId{SessionId: s.open.SessionId}})
			if err != nil {
				t.Fatal(err)
			}
			if len(drawn) != n || !slices.Equal(drawn, int32s(want.Actions)) {
				t.Fatalf("command %d, seed %d: %v are drawn, and the bot chooses %v", seq, seed, drawn, int32s(want.Actions))
			}
			for i := range n {
				if answer.Batch.Terminated.Data[i] != 0 {
					if finished++; drawn[i] != 0 {
						t.Fatalf("action %d is drawn at a finished row", drawn[i])
					}
				}
			}
		}
		command = act(drawn)
	}
	if finished == 0 {
		t.Fatal("no match was over")
	}
}

func TestCommandSentAgainIsAnsweredFromMemory(t *testing.T) {
	r := begin(t, nil)
	s := r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 4, Seed: proto.Uint64(1)}).attach()
	first := s.must(resetAll())
	moves := legal(first, 0)
	answer := s.must(act(moves))
	// The connection is lost before the answer arrives: another stream asks again.
	s.attach()
	s.seq--
	again := s.must(act(moves))
	if !proto.Equal(answer, again) {
		t.Fatal("the same command had two answers")
	}
	s.seq--
	if _, err := s.send(act(legal(first, 1))); status.Code(err) != codes.InvalidArgument {
		t.Fatalf("another command with the number of one performed: %v", err)
	}
	s.attach()
	s.seq += 5
	if _, err := s.send(act(moves)); status.Code(err) != codes.FailedPrecondition {
		t.Fatalf("a command out of turn: %v", err)
	}
}

func TestNewStreamTakesOver(t *testing.T) {
	r := begin(t, nil)
	s := r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 2}).attach()
	s.must(resetAll())
	old := s.stream
	s.attach().must(act(legal(s.batch, 0)))
	if _, err := old.Recv(); status.Code(err) != codes.Aborted {
		t.Fatalf("the old stream ended with %v, want Aborted", err)
	}
}

func TestIllegalActionNamesRowSeatAndAction(t *testing.T) {
	r := begin(t, nil)
	s := r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 3, Seed: proto.Uint64(1)}).attach()
	before := s.must(resetAll())
	_, err := s.send(act([]int32{1, 0, 1}))
	st := status.Convert(err)
	if st.Code() != codes.InvalidArgument {
		t.Fatalf("%v, want InvalidArgument", err)
	}
	found := false
	for _, d := range st.Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			found = info.Reason == "ILLEGAL_ACTION" && info.Metadata["row"] == "1" && info.Metadata["seat"] == "0" && info.Metadata["action"] == "0"
		}
	}
	if !found {
		t.Fatalf("the details are %v", st.Details())
	}
	at, err := r.env.Attach(soon(t), &pb.AttachRequest{SessionId: s.open.SessionId})
	if err != nil || at.Seq != 1 || !proto.Equal(at.Batch, before) {
		t.Fatalf("after a refused command: %v, command %d", err, at.GetSeq())
	}
	s.attach().must(act([]int32{1, 1, 1}))
}

// Numbers that no action can be are refused by the name that they were given.
func TestIllegalActionIsNamedAsItWasGiven(t *testing.T) {
	r := begin(t, nil)
	s := r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 3, Seed: proto.Uint64(1)}).attach()
	s.must(resetAll())
	for _, given := range []int64{1<<32 + 1, -5, math.MinInt64, 77} {
		wide := &pb.Tensor{Dtype: pb.DType_D_TYPE_INT64, Shape: []uint32{3}}
		for _, a := range []int64{1, given, 1} {
			wide.Data = binary.LittleEndian.AppendUint64(wide.Data, uint64(a))
		}
		_, err := s.send(&pb.StepRequest{Command: &pb.StepRequest_Actions{Actions: wide}})
		text, st := fmt.Sprint(given), status.Convert(err)
		if st.Code() != codes.InvalidArgument || !strings.Contains(st.Message(), "action("+text+")") || !strings.Contains(st.Message(), "row 1") {
			t.Errorf("%d: %v", given, err)
		}
		named := slices.ContainsFunc(st.Details(), func(d any) bool {
			info, ok := d.(*errdetails.ErrorInfo)
			return ok && info.Metadata["action"] == text
		})
		if !named {
			t.Errorf("%d: the details are %v", given, st.Details())
		}
		s.attach()
	}
}

func TestRequestsThatMakeNoSenseNameTheField(t *testing.T) {
	r := begin(t, nil)
	open := &pb.OpenRequest{Game: "kuhn", NumEnvs: 2}
	for name, c := range map[string]struct {
		req   *pb.StepRequest
		fresh bool // of a session that has not been reset
		code  codes.Code
		field string
	}{
		"actions before reset": {act([]int32{0, 0}), true, codes.FailedPrecondition, "session_id"},
		"too few actions":      {act([]int32{0}), false, codes.InvalidArgument, "actions.shape"},
		"no command":           {&pb.StepRequest{}, false, codes.InvalidArgument, "command"},
		"float actions":        {&pb.StepRequest{Command: &pb.StepRequest_Actions{Actions: &pb.Tensor{Dtype: pb.DType_D_TYPE_FLOAT32, Shape: []uint32{2}, Data: make([]byte, 8)}}}, false, codes.InvalidArgument, "actions.dtype"},
		"data too short":       {&pb.StepRequest{Command: &pb.StepRequest_Actions{Actions: &pb.Tensor{Dtype: pb.DType_D_TYPE_INT64, Shape: []uint32{2}, Data: make([]byte, 8)}}}, false, codes.InvalidArgument, "actions.data"},
		"rows and a seed":      {&pb.StepRequest{Command: &pb.StepRequest_Reset_{Reset_: &pb.ResetCommand{Seed: proto.Uint64(1), Rows: &pb.Tensor{}}}}, false, codes.InvalidArgument, "reset.rows"},
		"rows that are not flags": {&pb.StepRequest{Command: &pb.StepRequest_Reset_{Reset_: &pb.ResetCommand{
			Rows: &pb.Tensor{Dtype: pb.DType_D_TYPE_UINT8, Shape: []uint32{2}, Data: []byte{1, 2}},
		}}}, false, codes.InvalidArgument, "reset.rows"},
	} {
		t.Run(name, func(t *testing.T) {
			s := r.session(open).attach()
			if !c.fresh {
				s.must(resetAll())
			}
			_, err := s.send(c.req)
			expect(t, err, c.code, c.field)
		})
	}
	for name, c := range map[string]struct {
		req   *pb.OpenRequest
		code  codes.Code
		field string
	}{
		"no game":         {&pb.OpenRequest{NumEnvs: 1}, codes.InvalidArgument, "game"},
		"unknown game":    {&pb.OpenRequest{Game: "chess", NumEnvs: 1}, codes.InvalidArgument, "game"},
		"explicit chance": {&pb.OpenRequest{Game: "kuhn(chance=explicit)", NumEnvs: 1}, codes.InvalidArgument, "game"},
		"no environments": {&pb.OpenRequest{Game: "kuhn"}, codes.InvalidArgument, "num_envs"},
		"too many":        {&pb.OpenRequest{Game: "kuhn", NumEnvs: math.MaxUint32}, codes.ResourceExhausted, "max_envs_per_session"},
		"too large":       {&pb.OpenRequest{Game: "doubloons", NumEnvs: 16384, FullView: true}, codes.ResourceExhausted, "max_message_bytes"},
		"too few players": {&pb.OpenRequest{Game: "kuhn", NumEnvs: 1, Players: []string{""}}, codes.InvalidArgument, "players"},
		"unknown bot":     {&pb.OpenRequest{Game: "kuhn", NumEnvs: 1, Players: []string{"", "heuristic"}}, codes.InvalidArgument, "players"},
		"bots alone":      {&pb.OpenRequest{Game: "kuhn", NumEnvs: 1, Players: []string{"random", "random"}}, codes.InvalidArgument, "players"},
		"unknown mode":    {&pb.OpenRequest{Game: "kuhn", NumEnvs: 1, AutoresetMode: 9}, codes.InvalidArgument, "autoreset_mode"},
	} {
		t.Run("open: "+name, func(t *testing.T) {
			_, err := r.env.Open(soon(t), c.req)
			expect(t, err, c.code, c.field)
		})
	}
}

// expect checks a status, and that its details name the field.
func expect(t *testing.T, err error, code codes.Code, field string) {
	t.Helper()
	st := status.Convert(err)
	if st.Code() != code {
		t.Fatalf("%v, want %s", err, code)
	}
	for _, d := range st.Details() {
		switch d := d.(type) {
		case *errdetails.BadRequest:
			if d.FieldViolations[0].Field == field {
				return
			}
		case *errdetails.PreconditionFailure:
			if d.Violations[0].Subject == field {
				return
			}
		case *errdetails.QuotaFailure:
			if d.Violations[0].Subject == field {
				return
			}
		case *errdetails.ErrorInfo:
			if d.Metadata["field"] == field {
				return
			}
		}
	}
	t.Fatalf("%v: the details %v do not name %s", err, st.Details(), field)
}

func TestClosedSessionIsGone(t *testing.T) {
	r := begin(t, nil)
	s := r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 2}).attach()
	s.must(resetAll())
	if _, err := r.env.Close(soon(t), &pb.CloseRequest{SessionId: s.open.SessionId}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.stream.Recv(); status.Code(err) != codes.Aborted {
		t.Fatalf("its stream ended with %v, want Aborted", err)
	}
	_, err := r.env.Close(soon(t), &pb.CloseRequest{SessionId: s.open.SessionId})
	expect(t, err, codes.NotFound, "session_id")
	_, err = s.attach().send(resetAll())
	expect(t, err, codes.NotFound, "session_id")
}

func TestSnapshotGoesOnAsTheSessionWould(t *testing.T) {
	r := begin(t, nil)
	open := &pb.OpenRequest{Game: "leduc", NumEnvs: 6, Seed: proto.Uint64(3), AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP}
	s := r.session(open).attach()
	s.must(resetAll())
	for i := range 7 {
		s.must(act(legal(s.batch, i)))
	}
	snap, err := r.env.Snapshot(soon(t), &pb.SnapshotRequest{SessionId: s.open.SessionId})
	if err != nil {
		t.Fatal(err)
	}
	o := r.session(open)
	got, err := r.env.Restore(soon(t), &pb.RestoreRequest{SessionId: o.open.SessionId, Seq: 1, Snapshot: snap.Snapshot})
	if err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(got.Batch, s.batch) {
		t.Fatal("the restored batch differs")
	}
	o.attach().seq, o.batch = got.Seq, got.Batch
	for i := range 20 {
		s.must(act(legal(s.batch, i)))
		o.must(act(legal(o.batch, i)))
		if !proto.Equal(o.batch, s.batch) {
			t.Fatalf("step %d differs", i)
		}
	}
	// Damaged, and of another vector: the session stays as it is.
	snap.Snapshot[len(snap.Snapshot)/2] ^= 1
	if _, err := r.env.Restore(soon(t), &pb.RestoreRequest{SessionId: o.open.SessionId, Seq: o.seq + 1, Snapshot: snap.Snapshot}); status.Code(err) != codes.InvalidArgument {
		t.Fatalf("a damaged snapshot: %v", err)
	}
	o.must(act(legal(o.batch, 1)))
}

func TestDescribeRenderAndObserve(t *testing.T) {
	r := begin(t, nil)
	all, err := r.env.Describe(soon(t), &pb.DescribeRequest{})
	if err != nil || len(all.Games) < 3 {
		t.Fatalf("%d games: %v", len(all.GetGames()), err)
	}
	one, err := r.env.Describe(soon(t), &pb.DescribeRequest{Game: "doubloons(seats=2)"})
	if err != nil {
		t.Fatal(err)
	}
	g := one.Games[0]
	last := g.Observation.Groups[len(g.Observation.Groups)-1]
	if g.Seats != 2 || last.Offset+last.Shape[0] > g.Observation.Size || !slices.Contains(g.Bots, "heuristic") {
		t.Fatalf("described as %v", g)
	}
	s := r.session(&pb.OpenRequest{Game: "kuhn", NumEnvs: 2}).attach()
	s.must(resetAll())
	text, err := r.env.Render(soon(t), &pb.RenderRequest{SessionId: s.open.SessionId, Row: 1})
	if err != nil || text.Text == "" {
		t.Fatalf("%q: %v", text.GetText(), err)
	}
	views, err := r.env.Observe(soon(t), &pb.ObserveRequest{SessionId: s.open.SessionId, Row: 1})
	if err != nil {
		t.Fatal(err)
	}
	d := len(s.batch.Observation.Data) / 2
	if !bytes.Equal(views.Observation.Data[:d], s.batch.Observation.Data[d:]) || bytes.Equal(views.Observation.Data[d:], views.Observation.Data[:d]) {
		t.Fatal("the views of the players are not their own")
	}
	_, err = r.env.Render(soon(t), &pb.RenderRequest{SessionId: s.open.SessionId, Row: 2})
	expect(t, err, codes.InvalidArgument, "row")
}

func TestAPictureShowsWhatTheClientsPlayersKnow(t *testing.T) {
	r := begin(t, nil)
	own := r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 2, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_DISABLED, ShuffleSeats: true}).attach()
	bot := r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 2, Players: []string{"random", ""}}).attach()
	full := r.session(&pb.OpenRequest{Game: "leduc", NumEnvs: 2, Players: []string{"random", ""}, FullView: true}).attach()
	draw := func(c *player, view *int32) (string, error) {
		got, err := r.env.Draw(soon(t), &pb.DrawRequest{SessionId: c.open.SessionId, Row: 1, View: view})
		return got.GetSvg(), err
	}
	_, err := draw(own, nil)
	expect(t, err, codes.FailedPrecondition, "session_id")
	for _, c := range []*player{own, bot, full} {
		c.must(resetAll())
	}
	const whole, bots, mine = -1, 0, 1
	for _, c := range []struct {
		who     *player
		view    int32
		refused bool
	}{{own, bots, false}, {own, mine, false}, {own, whole, true}, {own, 2, true}, {own, -2, true}, {bot, mine, false}, {bot, bots, true}, {bot, whole, true}, {full, bots, false}, {full, whole, false}} {
		svg, err := draw(c.who, proto.Int32(c.view))
		if c.refused {
			expect(t, err, codes.InvalidArgument, "view")
			continue
		}
		if err != nil || !strings.HasPrefix(svg, "<svg") {
			t.Fatalf("view %d of %v: %q: %v", c.view, c.who.open.Game.Config, svg, err)
		}
		_, title, _ := strings.Cut(svg, "<title>")
		seat := engine.ViewName(slices.Index(int32s(own.batch.Seating)[2:], c.view))
		if c.who == own && !strings.Contains(title, seat) {
			t.Errorf("player %d of seating %v: the picture is not %s: %.80s", c.view, int32s(own.batch.Seating), seat, title)
		}
	}
	present, _ := draw(own, nil)
	if acting, _ := draw(own, proto.Int32(int32s(own.batch.CurrentPlayer)[1])); present != acting {
		t.Error("without a view the picture is not that of the seat to act")
	}
	for range 10 { // more than a match of Leduc has
		own.must(act(legal(own.batch, 0)))
	}
	if end, err := draw(own, proto.Int32(whole)); err != nil || !strings.Contains(end, "nothing hidden") {
		t.Errorf("the whole match at its end: %.80s: %v", end, err)
	}
}

// With bots for the others, only the client's own decisions are shown, and what it earned
// while they played is part of its next reward.
func TestBotsPlayTheOtherPlayers(t *testing.T) {
	r := begin(t, nil)
	s := r.session(&pb.OpenRequest{
		Game: "doubloons(seats=3)", NumEnvs: 6, Seed: proto.Uint64(4), AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP,
		Players: []string{"random", "", "heuristic"}, ShuffleSeats: true, MaxDecisions: 200,
	}).attach()
	s.must(resetAll())
	ended, taken := 0, make([]int32, 6)
	for i := range 200 {
		for row, player := range int32s(s.batch.CurrentPlayer) {
			if player != 1 {
				t.Fatalf("step %d: row %d: player %d is to act", i, row, player)
			}
		}
		s.must(act(legal(s.batch, i)))
		for row := range taken {
			taken[row]++
		}
		if e := s.batch.Endings; e != nil {
			for k, row := range int32s(e.Row) {
				if ended++; int32s(e.Length)[k] != taken[row] || int32s(e.FinalPlayer)[k] != 1 {
					t.Fatalf("step %d: row %d: player %d ends it after %d decisions; the client took %d", i, row, int32s(e.FinalPlayer)[k], int32s(e.Length)[k], taken[row])
				}
				taken[row] = 0
			}
		}
	}
	views, err := r.env.Observe(soon(t), &pb.ObserveRequest{SessionId: s.open.SessionId})
	if err != nil {
		t.Fatal(err)
	}
	d := len(s.batch.Observation.Data) / 6
	if !bytes.Equal(views.Observation.Data[d:2*d], s.batch.Observation.Data[:d]) || !bytes.Equal(views.Observation.Data[:d], make([]byte, d)) {
		t.Fatal("the client sees what a bot knows")
	}
	if ended == 0 {
		t.Fatal("no match has ended: the bots do not play")
	}
}
