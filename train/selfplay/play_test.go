package selfplay

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/learner/learnertest"
)

// small is a configuration that is quickly played.
func small(game string) Config {
	c := Default()
	c.Game, c.Seed, c.NumEnvs, c.NumSteps, c.TotalTimesteps = game, 7, 8, 6, 8*6*12
	c.MinibatchSize, c.Hidden, c.PerfectCritic, c.Workers, c.Threads = 32, []int{16}, true, 2, 1
	return c
}

// played is self-play with a linear learner, which is closed when the test ends.
func played(t *testing.T, cfg Config) *Play {
	t.Helper()
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := New(cfg, learnertest.New)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// collect plays num_steps decisions of every match.
func collect(t *testing.T, p *Play) {
	t.Helper()
	p.Collect()
	for range p.Config.NumSteps {
		if err := p.Ask(); err != nil {
			t.Fatal(err)
		}
		for row := range p.Actions {
			if err := p.Sample(row, &p.Sampling); err != nil {
				t.Fatal(err)
			}
		}
		p.Buffer.Decide(p.Now, p.Actions, p.Logp, p.Values)
		if err := p.Step(p.Actions); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCollectingAllocatesNothing(t *testing.T) {
	tr := played(t, small("leduc"))
	if n := testing.AllocsPerRun(20, func() {
		collect(t, tr)
		tr.Buffer.Finish(1, 0.95)
		tr.Buffer.Carry()
	}); n > 0 {
		t.Errorf("%v allocations for a collection", n)
	}
}

// A limit of the game cuts matches short. What the critic says of each seat's own view of the end must be what its last decision is
// bootstrapped with.
func TestMatchesThatALimitCutsShortAreBootstrapped(t *testing.T) {
	cfg := small("doubloons(seats=2,max_rounds=1)")
	cfg.PerfectCritic, cfg.NumEnvs, cfg.NumSteps = false, 3, 1
	tr := played(t, cfg)
	for n := 0; ; n++ {
		collect(t, tr)
		if n+1 == 100 || slices.Contains(tr.Now.Truncated, true) {
			break
		}
		tr.Buffer.Finish(1, 0.95)
		tr.Buffer.Carry()
	}
	b, cut := tr.Now, 0
	for i := range cfg.NumEnvs {
		if !b.Truncated[i] {
			continue
		}
		if cut++; b.Terminated[i] {
			t.Errorf("match %d is terminated, too", i)
		}
		for row := range tr.Buffer.n {
			if int(tr.Buffer.owner[row])/2 != i || tr.Buffer.next[row] >= 0 {
				continue // of another match, or not its seat's last decision
			}
			slot, d, want := int(tr.Buffer.owner[row]), tr.Buffer.d, make([]float32, 1)
			if err := tr.Learner.Forward(learner.Decisions{N: 1, Obs: b.FinalObs[slot*d : (slot+1)*d]}, nil, want); err != nil {
				t.Fatal(err)
			}
			if got := tr.Buffer.boot[row]; got != want[0] || tr.Buffer.next[row] != ended {
				t.Errorf("match %d, seat %d: bootstrapped with %v; the critic says %v", i, slot%2, got, want[0])
			}
		}
	}
	if cut == 0 {
		t.Error("no match was cut short")
	}
}

func TestOpponentsTakeSeatsThatChange(t *testing.T) {
	cfg := small("kuhn(seats=3)")
	cfg.Opponents = []string{"random", "random"}
	tr := played(t, cfg)
	seats := map[int32]bool{}
	for range 20 {
		collect(t, tr)
		tr.Buffer.Carry()
		for i, seat := range tr.Now.Seat {
			seats[seat] = true
			if player := tr.Now.Players[i*3+int(seat)]; player != 0 {
				t.Fatalf("row %d asks for a decision of player %d, who is a bot", i, player)
			}
		}
	}
	if len(seats) != 3 {
		t.Errorf("the network has only had seats %v", seats)
	}
	if tr.finished.matches == 0 || len(tr.finished.returns) != 1 {
		t.Errorf("%d matches ended, returns of %d players; want some, of the network alone", tr.finished.matches, len(tr.finished.returns))
	}

	for _, c := range []struct {
		opponents []string
		want      string
	}{
		{[]string{"random", "random", "random"}, "at most 2"},
		{[]string{"randum"}, "opponents"},
	} {
		cfg.Opponents = c.opponents
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("opponents %v: error %v; want one with %q", c.opponents, err, c.want)
		}
	}
}

func TestConfigurationsSideBySideAreTheSameMatchesAsAlone(t *testing.T) {
	cfg := Default()
	cfg.Tables, cfg.NumEnvs = []Table{{Game: "doubloons(seats=2)", Share: 1}, {Game: "doubloons(seats=4)", Share: 2}}, 9
	cfg.Opponents, cfg.PerfectCritic, cfg.Network, cfg.Workers, cfg.Hidden = []string{"random"}, true, "entity", 2, []int{4}
	var err error
	tr := played(t, cfg)
	e := tr.Encoder
	d, f, a, w := e.Schema().Size, e.FullSchema().Size, len(e.Schema().Actions), e.ActionSize()
	b, chance, ended := tr.Now, engine.NewRand(1), 0
	for range 400 {
		for k, v := range tr.Matches.(*mixture).vecs {
			from, n := tr.Matches.(*mixture).from[k], v.Config().NumEnvs
			if n != []int{3, 6}[k] {
				t.Fatalf("%d environments of configuration %d", n, k)
			}
			for i := range n {
				row, seats := from+i, v.Game().Info().Seats
				m := v.Match(i)
				e, err := encode.For(v.Game())
				if err != nil {
					t.Fatal(err)
				}
				obs, full := make([]uint8, d), make([]uint8, f)
				e.Encode(m, m.Seat(), obs)
				e.EncodeFull(m, m.Seat(), full)
				rows := make([]uint8, m.Legal().Count()*w)
				e.EncodeActions(m, rows)
				mask := make([]uint8, a)
				m.Legal().Expand(mask)
				if int(b.Seat[row]) != m.Seat() || !bytes.Equal(b.Obs[row*d:(row+1)*d], obs) || !bytes.Equal(b.Full[row*f:(row+1)*f], full) || !bytes.Equal(b.Mask[row*a:(row+1)*a], mask) ||
					!bytes.Equal(b.ActionRows[int(b.ActionOffsets[row])*w:int(b.ActionOffsets[row+1])*w], rows) {
					t.Fatalf("row %d does not show the match of its configuration", row)
				}
				players := b.Players[row*4 : row*4+4]
				if p := players[m.Seat()]; p == 3 {
					t.Fatalf("row %d asks for a decision of the opponent", row)
				}
				if !slices.Contains(players[:seats], 3) || slices.ContainsFunc(players[seats:], func(p int32) bool { return p != -1 }) {
					t.Fatalf("row %d of %d seats has players %v", row, seats, players)
				}
				if tr.GameOf(row) != k || tr.Matches.Match(row) != m {
					t.Fatalf("row %d is of another match", row)
				}
			}
		}
		actions := make([]int32, cfg.NumEnvs)
		for i := range actions {
			mask := b.Mask[i*a : (i+1)*a]
			for skip := chance.Intn(bytes.Count(mask, []byte{1})); ; actions[i]++ {
				if mask[actions[i]] == 1 {
					if skip == 0 {
						break
					}
					skip--
				}
			}
		}
		if b, err = tr.Matches.Step(actions); err != nil {
			t.Fatal(err)
		}
		for i := range b.Truncated {
			if b.Terminated[i] {
				ended++
			}
		}
	}
	if ended < 9 {
		t.Errorf("only %d matches ended", ended)
	}
}

func TestPlayersThatATableLacksGotTheMeanOfThoseThatItHas(t *testing.T) {
	m := &mixture{learning: 5}
	to := make([]float32, 6)
	m.pay(to, []float32{1, 0, -1}, 1)
	if want := []float32{1, 0, .5, .5, .5, -1}; !slices.Equal(to, want) {
		t.Errorf("paid %v, want %v", to, want)
	}
}

// A table too small for all opponents has the first of them, and one seat learns.
func TestASmallerTableHasAsManyOpponentsAsLeaveASeat(t *testing.T) {
	cfg := Default()
	cfg.Tables, cfg.Opponents = []Table{{Game: "doubloons(seats=2)", Share: 1}, {Game: "doubloons(seats=4)", Share: 1}}, []string{"random", "heuristic", "greedy"}
	cfg.Game, cfg.NumEnvs = cfg.Tables[0].Game, 8
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	var vecs []*env.Vec
	for _, table := range cfg.Tables {
		v, err := (&Play{Config: cfg}).newVec(table, 4, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		vecs = append(vecs, v)
	}
	if p := vecs[0].Config().Players; p[0].Name != "" || p[1].Name != "random" {
		t.Errorf("two seats have %v", p)
	}
	e, err := encode.For(vecs[0].Game())
	if err != nil {
		t.Fatal(err)
	}
	m := newMixture(vecs, e, false, false)
	b, err := m.Reset()
	if err != nil {
		t.Fatal(err)
	}
	for row := range 8 {
		players := slices.Sorted(slices.Values(b.Players[row*4 : row*4+4]))
		want := []int32{-1, -1, 0, 1} // random, the second of those at the larger table
		if row >= 4 {
			want = []int32{0, 1, 2, 3}
		}
		if !slices.Equal(players, want) {
			t.Errorf("row %d has players %v, want %v", row, players, want)
		}
	}
	to := make([]float32, 4)
	m.pay(to, []float32{1, -1}, 1)
	if want := []float32{1, -1, 1, 1}; !slices.Equal(to, want) {
		t.Errorf("paid %v, want %v", to, want)
	}
	cfg.Opponents = append(cfg.Opponents, "random")
	if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "opponents: 4: want at most 3, so that a seat of doubloons is left to learn") {
		t.Errorf("error %v", err)
	}
}

func TestTablesMayHaveOpponentsOfTheirOwn(t *testing.T) {
	cfg := small("doubloons(seats=4)")
	cfg.Opponents, cfg.NumEnvs = []string{"random", "random", "random"}, 4
	cfg.Tables = []Table{{Game: cfg.Game, Share: 1}, {Game: cfg.Game, Share: 1, Opponents: &[]string{}}, {Game: "doubloons(seats=2)", Share: 2, Opponents: &[]string{"greedy"}}}
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	p := played(t, cfg)
	for row, want := range [][]int32{{0, 4, 5, 6}, {0, 1, 2, 3}, {-1, -1, 0, 4}, {-1, -1, 0, 4}} {
		got := slices.Clone(p.Now.Players[row*7 : row*7+7])
		slices.Sort(got)
		if !slices.Equal(got[3:], want) {
			t.Errorf("row %d has players %v, want %v", row, got, want)
		}
	}
	if d := p.Encoder.Schema().Size; bytes.Equal(p.Now.Obs[:d], p.Now.Obs[d:2*d]) {
		t.Error("tables of one game deal the same matches")
	}
}

func TestEnvironmentsAreSplitByShares(t *testing.T) {
	for _, c := range []struct {
		n      int
		shares []float64
		want   []int
	}{{10, []float64{1, 1}, []int{5, 5}}, {10, []float64{2, 1}, []int{7, 3}}, {4, []float64{100, 1, 1}, []int{2, 1, 1}}, {256, []float64{2, 1, 1}, []int{128, 64, 64}}} {
		var tables []Table
		for _, share := range c.shares {
			tables = append(tables, Table{Share: share})
		}
		if got := split(c.n, tables); !slices.Equal(got, c.want) {
			t.Errorf("%d by %v: %v, want %v", c.n, c.shares, got, c.want)
		}
	}
}
