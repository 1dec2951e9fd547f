package outside

import (
	"context"
	"io"
	"math"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/bots/botstest"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/serve"
	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
	"github.com/privateer-rl/privateer/train"
	"github.com/privateer-rl/privateer/train/learner"
)

func game(t *testing.T) (engine.Game, *encode.Encoder) {
	t.Helper()
	g, err := engine.NewGame("higher")
	if err != nil {
		t.Fatal(err)
	}
	e, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	return g, e
}

func TestItConforms(t *testing.T) {
	_, e := game(t)
	enginetest.Flat[State](t)
	enginetest.Run(t, "higher", enginetest.Options{Seeds: 20, Observe: func(m engine.Match, seat int) []byte {
		obs := make([]byte, e.Schema().Size)
		e.Encode(m, seat, obs)
		return obs
	}})
}

func TestItsBotsChooseTheSameWhateverIsHidden(t *testing.T) {
	for _, name := range enginetest.Configurations(t, "higher") {
		g, err := engine.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		botstest.WantHonest(t, g, 1, 300, 1, botstest.Bot(t, "threshold", g))
	}
}

func TestEveryClauseHasATest(t *testing.T) { enginetest.Clauses(t, rulesText, ".") }

func TestCardsAreDealtInSecretAndThereIsOneOfEach(t *testing.T) {
	enginetest.Clause(t, "SET-1", "TURN-1")
	m := enginetest.At(t, "higher(chance=explicit)", `{}`)
	enginetest.Do(t, m, "card=3; keep")
	if got := strings.Join(enginetest.Legal(m), " "); got != "card=1 card=2 card=4 card=5 card=6" {
		t.Errorf("seat 1 may be dealt %s", got)
	}
	enginetest.Do(t, m, "card=5")
	if got := m.Render(0); got != "seat 0: 3\nseat 1: ?\n" {
		t.Errorf("seat 0 sees\n%s", got)
	}
}

func TestASeatChangesItsCardTwiceAtMost(t *testing.T) {
	enginetest.Clause(t, "TURN-2", "TURN-3", "END-1")
	m := enginetest.At(t, "higher(chance=explicit)", `{}`)
	enginetest.Do(t, m, "card=3; keep; card=5; change")
	if got := strings.Join(enginetest.Legal(m), " "); got != "card=1 card=2 card=4 card=6" {
		t.Errorf("seat 1 may draw %s", got)
	}
	enginetest.Do(t, m, "card=1; change; card=2")
	if chips := enginetest.Chips(m); m.Seat() != engine.Over || chips[0] != 1 || chips[1] != -1 {
		t.Errorf("%s: returns %v", m.Decision(), chips)
	}
}

func TestPositionsThatCannotBeAreRefusedByName(t *testing.T) {
	for position, says := range map[string]string{
		`{"cards": [7, 1]}`:              "cards[0]: 7: want a whole number from 0 to 6",
		`{"cards": [4, 4], "stack": []}`: "there is one of each",
		`{"cards": [4, 0], "stack": [{"kind": "ask_keep", "seat": 0, "left": 2}]}`: "below the turn of seat 0 comes that of the next",
		`{"cards": [4, 0], "stack": [{"kind": "ask_keep", "seat": 1, "left": 2}]}`: "seat 1: want 0 until its turn has begun",
	} {
		enginetest.SetPositionRefuses(t, "higher", position, says)
	}
}

func TestThePositionsFollowTheSchema(t *testing.T) {
	enginetest.SchemaOf(t, "higher").Printed(t, "higher", 3, 1)
}

func TestItIsSteppedInVectors(t *testing.T) {
	v, err := env.New(env.Config{Game: "higher", NumEnvs: 64, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	b, err := v.Reset()
	actions, streams, ended := make([]int32, 64), make([]engine.Rand, 64), 0
	for i := range streams {
		streams[i] = engine.NewRand(uint64(i))
	}
	for range 100 {
		if err == nil {
			err = v.SampleActions(actions, streams)
		}
		if err == nil {
			b, err = v.Step(actions)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, over := range b.Terminated {
			ended += int(engine.Bit(over))
		}
	}
	if ended < 1000 {
		t.Errorf("%d matches ended in 6400 steps", ended)
	}
}

func TestItsBotBeatsTheRandomOne(t *testing.T) {
	g, _ := game(t)
	one, err := bots.New("threshold", g)
	if err != nil {
		t.Fatal(err)
	}
	other, err := bots.New("random", g)
	if err != nil {
		t.Fatal(err)
	}
	m, r, won := g.NewMatch(), engine.NewRand(3), 0
	returns := make([]float32, seats)
	for seed := range uint64(1000) {
		seat := int(seed % 2)
		table := []bots.Bot{other, other}
		table[seat] = one
		m.Reset(seed)
		if err := bots.Play(m, table, &r); err != nil {
			t.Fatal(err)
		}
		m.Returns(returns)
		won += int(engine.Bit(returns[seat] > 0))
	}
	if won < 560 {
		t.Errorf("it wins %d of 1000", won)
	}
}

// still is a learner that stands still: training without libtorch needs one.
type still struct{}

func (still) Forward(d learner.Decisions, logp, values []float32) error {
	for i := range logp {
		logp[i] = learner.IllegalLogp
		if d.Mask[i] != 0 {
			logp[i] = -math.Ln2 // both actions always are legal
		}
	}
	clear(values)
	return nil
}

func (still) Update(learner.Batch, learner.Hyper) (learner.Stats, error) { return learner.Stats{}, nil }
func (still) Leads(learner.Decisions, []float32) error                   { return nil }

func (still) Imitate(learner.ImitationBatch, learner.Hyper) (learner.ImitationStats, error) {
	return learner.ImitationStats{}, nil
}
func (still) Weights() ([]learner.Tensor, error) { return nil, nil }
func (still) SetWeights([]learner.Tensor) error  { return nil }
func (still) Save(w io.Writer) error             { _, err := w.Write([]byte("still")); return err }
func (still) Load(r io.Reader) error             { _, err := io.Copy(io.Discard, r); return err }
func (still) TorchTime() time.Duration           { return 0 }
func (still) Close()                             {}

func TestItIsTrainedOn(t *testing.T) {
	cfg := train.DefaultConfig()
	cfg.Game, cfg.NumEnvs, cfg.NumSteps, cfg.TotalTimesteps = "higher", 16, 8, 16*8*3
	cfg.EvalMatches, cfg.EvalBots = 20, []string{"threshold"}
	sum, err := train.Run(context.Background(), cfg, train.Options{
		Root: t.TempDir(), NewLearner: func(learner.Config) (learner.Learner, error) { return still{}, nil },
	})
	if err != nil || sum.Steps != cfg.TotalTimesteps {
		t.Errorf("%d steps, %v", sum.Steps, err)
	}
}

func TestItIsServed(t *testing.T) {
	cfg := serve.DefaultConfig()
	cfg.Addr, cfg.MetricsAddr = "127.0.0.1:0", "127.0.0.1:0"
	ready := make(chan net.Addr, 1)
	srv, err := serve.New(cfg, serve.Options{Ready: func(a, _ net.Addr) { ready <- a }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(ctx) }()
	conn, err := grpc.NewClient((<-ready).String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	d, err := pb.NewEnvironmentServiceClient(conn).Describe(ctx, &pb.DescribeRequest{Game: "higher"})
	if err != nil || len(d.GetGames()) != 1 || d.GetGames()[0].GetName() != "higher" {
		t.Errorf("%v, %v", d, err)
	}
	conn.Close()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
