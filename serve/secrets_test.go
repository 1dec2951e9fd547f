package serve_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/match"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// Whatever a client can ask about a row follows from what its own seats know. The rows of a
// session begin each step as one match, in which what the client cannot know is dealt again; those that
// its seats still cannot tell apart after the step have the same answers.
func TestAnswersFollowFromWhatTheClientsSeatsKnow(t *testing.T) {
	for _, c := range []struct {
		game string
		bot  string
		own  []int
		most uint32
	}{
		{"kuhn", "random", []int{0}, 0},
		{"leduc", "random", []int{1}, 0},
		{"leduc", "random", []int{0}, 2},
		{"doubloons(seats=3)", "heuristic", []int{0}, 3},
		{"doubloons(seats=3)", "heuristic", []int{0, 2}, 4},
		{"jolly_roger(seats=4,variants=hidden_prizes)", "heuristic", []int{2}, 3},
	} {
		t.Run(fmt.Sprintf("%s/%v", c.game, c.own), func(t *testing.T) {
			w := newTwins(t, c.game, c.bot, c.own, c.most)
			for seed := range uint64(5) {
				w.play(seed)
			}
			if w.ends == 0 || w.alike == 0 {
				t.Errorf("%d ends, %d rows alike: want some of each", w.ends, w.alike)
			}
		})
	}
}

const twinRows = 8

// twins are the rows of a session that are one match to the client, and a vector of this
// process that has their states.
type twins struct {
	t      *testing.T
	client *player
	local  *env.Vec
	own    []int
	rand   engine.Rand

	ends, alike int
}

func newTwins(t *testing.T, game, bot string, own []int, most uint32) *twins {
	made, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	names, players := make([]string, made.Info().Seats), make([]match.Player, made.Info().Seats)
	for k := range names {
		if !slices.Contains(own, k) {
			names[k], players[k] = bot, match.Named(bot)
		}
	}
	local, err := env.New(env.Config{
		Game: game, NumEnvs: twinRows, Autoreset: env.Disabled, MaxDecisions: int(most), Masks: env.MaskPacked, Players: players,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(local.Close)
	r := begin(t, nil)
	return &twins{t: t, own: own, rand: engine.NewRand(3), local: local, client: r.session(&pb.OpenRequest{
		Game: game, NumEnvs: twinRows, Seed: proto.Uint64(1), AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_DISABLED,
		MaxDecisions: most, Players: names,
	}).attach()}
}

func (w *twins) play(seed uint64) {
	c, over := w.client, make([]bool, twinRows)
	c.must(&pb.StepRequest{Command: &pb.StepRequest_Reset_{Reset_: &pb.ResetCommand{Seed: proto.Uint64(seed * twinRows)}}})
	w.look()
	for range 6 {
		live := slices.Index(over, false)
		if live < 0 {
			return
		}
		w.deal(live, over)
		action := int32(w.local.Match(live).Legal().Sample(&w.rand))
		c.must(act(slices.Repeat([]int32{action}, twinRows)))
		w.look()
		w.compare(over)
		for i := range over {
			over[i] = w.local.Finished(i)
		}
	}
}

// look gives the local vector the states of the session.
func (w *twins) look() {
	snap, err := w.client.env.Snapshot(soon(w.t), &pb.SnapshotRequest{SessionId: w.client.open.SessionId})
	var st pb.SessionState
	if err == nil {
		err = proto.Unmarshal(snap.Snapshot, &st)
	}
	if err == nil {
		err = w.local.Restore(bytes.NewReader(st.Vector))
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// deal makes all rows that continue the match of row from, with other secrets.
func (w *twins) deal(from int, over []bool) {
	knows := w.knows(from)
	for i, skip := range over {
		if i == from || skip {
			continue
		}
		m := w.local.Match(i)
		m.CopyFrom(w.local.Match(from))
		m.Redeal(w.own[w.rand.Intn(len(w.own))], &w.rand)
		if w.knows(i) != knows { // another seat of the client would know better
			m.CopyFrom(w.local.Match(from))
		}
	}
	st := &pb.SessionState{Seating: w.local.Batch().Players}
	var vector bytes.Buffer
	err := w.local.Snapshot(&vector)
	if err == nil {
		st.Vector = vector.Bytes()
		var snap []byte
		if snap, err = proto.Marshal(st); err == nil {
			var got *pb.RestoreResponse
			if got, err = w.client.env.Restore(soon(w.t), &pb.RestoreRequest{SessionId: w.client.open.SessionId, Seq: w.client.seq + 1, Snapshot: snap}); err == nil {
				w.client.seq, w.client.batch = got.Seq, got.Batch
			}
		}
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// knows is what the client's seats know of row i.
func (w *twins) knows(i int) (all string) {
	m := w.local.Match(i)
	for _, seat := range w.own {
		p, err := m.Position(seat)
		if err != nil {
			w.t.Fatal(err)
		}
		all += string(p)
	}
	return all + fmt.Sprint(m.Seat() == engine.Over)
}

func (w *twins) compare(over []bool) {
	met := map[string]string{}
	for i, skip := range over {
		if skip {
			continue
		}
		if w.local.Finished(i) {
			w.ends++
		}
		k, all := w.knows(i), w.answers(i)
		one, ok := met[k]
		if met[k] = all; !ok {
			continue
		}
		if w.alike++; one != all {
			w.t.Fatalf("the client's seats %v cannot tell two rows apart, and are answered\n%s\n%s\n%s", w.own, one, all, k)
		}
	}
}

// answers is everything that the client can ask about row i.
func (w *twins) answers(i int) string {
	var all strings.Builder
	b, row := w.client.batch, func(name string, t *pb.Tensor, k int) {
		if t != nil && len(t.Data) > 0 {
			size := len(t.Data) / int(t.Shape[0])
			fmt.Fprintf(&all, "%s %x\n", name, t.Data[k*size:(k+1)*size])
		}
	}
	row("observation", b.Observation, i)
	row("full", b.FullObservation, i)
	row("mask", b.ActionMask, i)
	row("player", b.CurrentPlayer, i)
	row("reward", b.Reward, i)
	row("terminated", b.Terminated, i)
	row("truncated", b.Truncated, i)
	row("step", b.EpisodeStep, i)
	row("seating", b.Seating, i)
	if e := b.Endings; e != nil {
		if k := slices.Index(int32s(e.Row), int32(i)); k >= 0 {
			row("final", e.FinalObservation, k)
			row("final full", e.FinalFullObservation, k)
			row("final player", e.FinalPlayer, k)
			row("return", e.EpisodeReturn, k)
			row("length", e.Length, k)
			row("score", e.Score, k)
		}
	}
	text, err := w.client.env.Render(soon(w.t), &pb.RenderRequest{SessionId: w.client.open.SessionId, Row: uint32(i)})
	if err != nil {
		w.t.Fatal(err)
	}
	views, err := w.client.env.Observe(soon(w.t), &pb.ObserveRequest{SessionId: w.client.open.SessionId, Row: uint32(i)})
	if err != nil {
		w.t.Fatal(err)
	}
	picture, err := w.client.env.Draw(soon(w.t), &pb.DrawRequest{SessionId: w.client.open.SessionId, Row: uint32(i)})
	if err != nil {
		w.t.Fatal(err)
	}
	fmt.Fprintf(&all, "views %x\n%s%s", views.Observation.Data, text.Text, picture.Svg)
	return all.String()
}

// With full_view a client sees what bots do, at the end as before it.
func TestFullViewSeesWhatBotsSee(t *testing.T) {
	r := begin(t, nil)
	s := r.session(&pb.OpenRequest{
		Game: "leduc", NumEnvs: 4, Seed: proto.Uint64(2), FullView: true, Players: []string{"random", ""}, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_DISABLED,
	}).attach()
	s.must(resetAll())
	d := int(s.open.Game.Observation.Size)
	for i := range 12 {
		if e := s.must(act(legal(s.batch, i))).Endings; e != nil {
			for k := range len(e.FinalObservation.Data) / d {
				if bytes.Equal(e.FinalObservation.Data[k*d:(k+1)*d], make([]byte, d)) {
					t.Fatal("the end as a player saw it is not there")
				}
			}
			views, err := r.env.Observe(soon(t), &pb.ObserveRequest{SessionId: s.open.SessionId, Row: uint32(int32s(e.Row)[0])})
			if err != nil || !bytes.Equal(views.Observation.Data, e.FinalObservation.Data[:2*d]) {
				t.Fatalf("other views of the end: %v", err)
			}
			return
		}
	}
	t.Fatal("no match has ended")
}

// A row that was cut short is finished: there is nothing to choose in it.
func TestBotIsNotAskedAboutARowThatWasCutShort(t *testing.T) {
	r := begin(t, nil)
	s := r.session(&pb.OpenRequest{
		Game: "leduc", NumEnvs: 1, Seed: proto.Uint64(2), MaxDecisions: 1, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_DISABLED,
	}).attach()
	s.must(resetAll())
	s.must(act(legal(s.batch, 0)))
	for seed := range uint64(8) {
		got, err := r.policy.Act(soon(t), &pb.ActRequest{Bot: "random", Seed: seed, Decisions: &pb.ActRequest_SessionId{SessionId: s.open.SessionId}})
		if err != nil || int32s(got.Actions)[0] != 0 {
			t.Fatalf("action %v, %v", got.GetActions(), err)
		}
	}
}
