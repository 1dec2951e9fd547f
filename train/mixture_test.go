package train

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
)

func TestConfigurationsSideBySideAreTheSameMatchesAsAlone(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Games, cfg.GameShares, cfg.NumEnvs = []string{"doubloons(seats=2)", "doubloons(seats=4)"}, []float64{1, 2}, 9
	cfg.Opponents, cfg.PerfectCritic, cfg.Network, cfg.Workers, cfg.Hidden, cfg.MaxDecisions = []string{"random"}, true, "entity", 2, []int{4}, 20
	var err error
	tr := trainerOf(t, cfg)
	e := tr.encoder
	d, f, a, w := e.Schema().Size, e.FullSchema().Size, len(e.Schema().Actions), e.ActionSize()
	b, chance, ended := tr.now, engine.NewRand(1), 0
	for range 60 {
		for k, v := range tr.matches.(*mixture).vecs {
			from, n := tr.matches.(*mixture).from[k], v.Config().NumEnvs
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
				if tr.matches.Stream(row) != v.Stream(i) {
					t.Fatalf("row %d draws from another row's stream", row)
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
		if b, err = tr.matches.Step(actions); err != nil {
			t.Fatal(err)
		}
		for i := range b.Truncated {
			if b.Truncated[i] {
				ended++
			}
		}
	}
	if ended < 9 {
		t.Errorf("only %d matches ended", ended)
	}
}

func TestPlayersThatATableLacksGotTheMeanOfThoseThatItHas(t *testing.T) {
	m := &mixture{seats: 6, opponents: 1}
	to := make([]float32, 6)
	m.pay(to, []float32{1, 0, -1}, 1)
	if want := []float32{1, 0, .5, .5, .5, -1}; !slices.Equal(to, want) {
		t.Errorf("paid %v, want %v", to, want)
	}
}

// A table too small for all opponents has the first of them, and one seat learns.
func TestASmallerTableHasAsManyOpponentsAsLeaveASeat(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Games, cfg.Opponents = []string{"doubloons(seats=2)", "doubloons(seats=4)"}, []string{"random", "heuristic", "greedy"}
	cfg.Game, cfg.NumEnvs = cfg.Games[0], 8
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	var vecs []*env.Vec
	for _, name := range cfg.Games {
		v, err := (&trainer{cfg: cfg}).newVec(name, 4, 1, engine.NewRand(1))
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		vecs = append(vecs, v)
	}
	if p := vecs[0].Config().Players; p[0].Name != "" || p[1].Name != "random" {
		t.Errorf("two seats have %v", p)
	}
	e, err := encoderOf(cfg.Game)
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

func TestEnvironmentsAreSplitByShares(t *testing.T) {
	for _, c := range []struct {
		n      int
		shares []float64
		want   []int
	}{{10, []float64{1, 1}, []int{5, 5}}, {10, []float64{2, 1}, []int{7, 3}}, {4, []float64{100, 1, 1}, []int{2, 1, 1}}, {256, []float64{2, 1, 1}, []int{128, 64, 64}}} {
		if got := split(c.n, c.shares); !slices.Equal(got, c.want) {
			t.Errorf("%d by %v: %v, want %v", c.n, c.shares, got, c.want)
		}
	}
}

func TestGameTakesAListWithShares(t *testing.T) {
	c, err := ParseConfig([]byte("game:\n  - game: doubloons(seats=4)\n    share: 2\n  - game: doubloons(seats=2,modules=black_jewel+compass)\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	if c.Game != c.Games[0] || !reflect.DeepEqual(c.GameShares, []float64{2, 1}) || len(c.Games) != 2 {
		t.Errorf("game %s, games %v, shares %v", c.Game, c.Games, c.GameShares)
	}
	if back, err := ParseConfig(c.YAML()); err != nil || !reflect.DeepEqual(c, back) {
		t.Errorf("read back\n%+v\nwant\n%+v: %v", back, c, err)
	}
	for text, want := range map[string]string{
		"game: [{game: leduc}, {game: kuhn}]":                                  "games: kuhn: one network learns configurations of one game",
		"game: [{game: kuhn}, {game: kuhn}]":                                   "games: kuhn is there twice",
		"game: [{game: kuhn, share: 0}]":                                       "game_shares: 0: want numbers above 0",
		"game: [{game: kuhn, shares: 2}]":                                      "game: line 1: want entries of the form",
		"games: [doubloons(seats=2), doubloons(seats=3)]\nalgorithm: rollouts": "games: 2: algorithm rollouts learns one",
	} {
		c, err := ParseConfig([]byte(text))
		if err == nil {
			err = c.Validate()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v; want %s", text, err, want)
		}
	}
}

func TestEachConfigurationIsEvaluated(t *testing.T) {
	cfg := small("doubloons(seats=2)")
	cfg.Games, cfg.Exploitability, cfg.MaxDecisions = []string{"doubloons(seats=2)", "doubloons(seats=3)"}, false, 0
	cfg.TotalTimesteps, cfg.EvalEvery, cfg.EvalMatches = 1, 0, 6
	s, err := Run(t.Context(), cfg, options(t))
	if err != nil {
		t.Fatal(err)
	}
	values, _ := s.Last.values()
	for _, tag := range []string{"eval/winrate_vs_random", "eval/winrate_vs_random_at_doubloons_seats_3", "eval/elo", "eval/elo_vs_random"} {
		if _, ok := values[tag]; !ok {
			t.Errorf("no %s in %v", tag, values)
		}
	}
}
