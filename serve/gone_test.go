package serve_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/serve"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// ponderer is a bot that tells a test of each of its decisions.
type ponderer struct{}

var pondered atomic.Pointer[func()]

func init() {
	bots.Register(bots.Kind{Name: "ponderer", Game: "leduc", Slow: true, New: func(engine.Game) (bots.Bot, error) { return ponderer{}, nil }})
}

func (ponderer) Name() string { return "ponderer" }
func (ponderer) Act(m engine.Match, r *engine.Rand) engine.Action {
	if tell := pondered.Load(); tell != nil {
		(*tell)()
	}
	return m.Legal().Sample(r)
}

// counted counts the decisions of bots from now on, which take a while from the third on, when it calls then.
func counted(t testing.TB, then func()) *atomic.Int64 {
	var n atomic.Int64
	tell := func() {
		switch k := n.Add(1); {
		case then == nil:
		case k == 3:
			then()
		case k > 3:
			time.Sleep(2 * time.Millisecond)
		}
	}
	pondered.Store(&tell)
	t.Cleanup(func() { pondered.Store(nil) })
	return &n
}

func TestCommandWhoseClientHasGoneStopsAndIsPerformedOnce(t *testing.T) {
	const n = 200
	dir, seed := t.TempDir(), uint64(5)
	folder := func(c *serve.Config) { c.Snapshots = dir }
	r := begin(t, folder)
	opened := &pb.OpenRequest{Game: "leduc", NumEnvs: n, Seed: &seed, Players: []string{"", "ponderer"}, AutoresetMode: pb.AutoresetMode_AUTORESET_MODE_SAME_STEP}
	twin := r.session(opened).attach()
	step := act(legal(twin.must(resetAll()), 1))
	all := counted(t, nil)
	want := twin.must(step)
	total := all.Load()

	for name, again := range map[string]func(*player) *pb.Batch{
		"sent again": func(p *player) *pb.Batch { return p.attach().must(step) },
		"asked for": func(p *player) *pb.Batch {
			at, err := p.env.Attach(soon(t), &pb.AttachRequest{SessionId: p.open.SessionId})
			if err != nil || at.Seq != 2 {
				t.Fatalf("command %d is the last: %v", at.GetSeq(), err)
			}
			return at.Batch
		},
		"closed": nil,
		"drained": func(p *player) *pb.Batch {
			r.stop()
			r = begin(t, folder)
			at, err := r.env.Attach(soon(t), &pb.AttachRequest{SessionId: p.open.SessionId})
			if err != nil || at.Seq != 2 {
				t.Fatalf("command %d is the last: %v", at.GetSeq(), err)
			}
			return at.Batch
		},
	} {
		p := r.session(opened).attach()
		p.must(resetAll())
		ctx, leave := context.WithCancel(soon(t))
		done := counted(t, leave)
		stream, err := r.env.Step(ctx)
		if err != nil {
			t.Fatal(err)
		}
		sent := proto.CloneOf(step)
		sent.SessionId, sent.Seq = p.open.SessionId, 2
		if err := stream.Send(sent); err != nil {
			t.Fatal(err)
		}
		if _, err := stream.Recv(); err == nil {
			t.Fatalf("%s: the command was answered", name)
		}
		before := int64(-1)
		for before != done.Load() {
			before = done.Load()
			time.Sleep(100 * time.Millisecond)
		}
		if before >= total {
			t.Errorf("%s: bots have taken all their %d decisions for nobody", name, total)
		}
		rest := counted(t, nil)
		if again == nil {
			if _, err := r.env.Close(soon(t), &pb.CloseRequest{SessionId: p.open.SessionId}); err != nil || rest.Load() != 0 {
				t.Errorf("%s: %d decisions more: %v", name, rest.Load(), err)
			}
			continue
		}
		if got := again(p); !proto.Equal(got, want) {
			t.Errorf("%s: another batch than that of a command that was not stopped", name)
		}
		if before+rest.Load() != total {
			t.Errorf("%s: %d decisions and %d more; want %d", name, before, rest.Load(), total)
		}
	}
}
