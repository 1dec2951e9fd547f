package env_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/match"
)

var modes = []env.Mode{env.NextStep, env.SameStep, env.Disabled}

func newVec(t testing.TB, cfg env.Config) *env.Vec {
	t.Helper()
	v, err := env.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	return v
}

// player draws random legal actions for every row, apart from the matches.
type player struct {
	draws   []engine.Rand
	actions []int32
}

func newPlayer(n int) *player {
	p := &player{make([]engine.Rand, n), make([]int32, n)}
	for i := range p.draws {
		p.draws[i] = engine.NewRand(uint64(i)).At(7)
	}
	return p
}

func (p *player) step(t testing.TB, v *env.Vec) *env.Batch {
	t.Helper()
	if err := v.SampleActions(p.actions, p.draws); err != nil {
		t.Fatal(err)
	}
	b, err := v.Step(p.actions)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func reset(t testing.TB, v *env.Vec) *env.Batch {
	t.Helper()
	b, err := v.Reset()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// raw is the memory of a slice of plain values.
func raw[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// row is everything that a batch says of row i.
func row(v *env.Vec, b *env.Batch, i int) string {
	n := len(b.Seat)
	part := func(all []byte) []byte { w := len(all) / n; return all[i*w : (i+1)*w] }
	h := fnv.New64a()
	for _, field := range [][]byte{
		b.Obs, b.Full, b.Mask, raw(b.Seat), raw(b.Reward), raw(b.PlayerReward), raw(b.Players),
		raw(b.Terminated), raw(b.Truncated), raw(b.Ended), raw(b.EpisodeStep), raw(b.Episode),
	} {
		h.Write(part(field))
	}
	if b.Ended[i] {
		for _, field := range [][]byte{
			b.FinalObs, b.FinalFull, raw(b.FinalSeat), raw(b.Return), raw(b.PlayerReturn), raw(b.Length), raw(b.Score),
		} {
			h.Write(part(field))
		}
	}
	return fmt.Sprintf("seat %d, episode %d, step %d, rewards %v, %v %v, all %x", b.Seat[i], b.Episode[i], b.EpisodeStep[i],
		b.Reward[i*v.Game().Info().Seats:(i+1)*v.Game().Info().Seats], b.Terminated[i], b.Truncated[i], h.Sum64())
}

func rows(v *env.Vec, b *env.Batch) []string {
	all := make([]string, len(b.Seat))
	for i := range all {
		all[i] = row(v, b, i)
	}
	return all
}

var games = []string{"kuhn", "kuhn(seats=3)", "leduc", "leduc(forced=show)", "liars_dice(seats=3,dice=2)", "doubloons(seats=2)", "doubloons(seats=5)", "jolly_roger(seats=10,bribes=talk,variants=hidden_prizes)"}

func TestEveryRegisteredGameIsPlayedHere(t *testing.T) {
	for _, d := range engine.Definitions() {
		if d.Name != silent && !slices.ContainsFunc(games, func(g string) bool { return strings.HasPrefix(g, d.Name) }) {
			t.Errorf("%s is not played", d.Name)
		}
	}
}

// A row is a match played alone: the same seeds and actions, and the encoder's
// bytes at each decision.
func TestRowsAreMatchesPlayedAlone(t *testing.T) {
	for _, game := range games {
		for _, mode := range modes {
			t.Run(fmt.Sprintf("%s/%s", game, mode), func(t *testing.T) {
				const n, steps = 3, 400
				v := newVec(t, env.Config{Game: game, NumEnvs: n, Workers: 2, Seed: 40, Autoreset: mode, Full: true})
				p := newPlayer(n)
				b := reset(t, v)
				alone := make([]*single, n)
				for i := range alone {
					alone[i] = newSingle(t, game, engine.RowSeed(40, uint64(i)))
					alone[i].begin()
					alone[i].check(b, i)
				}
				for range steps {
					b = p.step(t, v)
					for i, s := range alone {
						s.step(mode, engine.Action(p.actions[i]))
						s.check(b, i)
					}
				}
			})
		}
	}
}

// single is a row as the documentation describes it, for one match.
type single struct {
	t       *testing.T
	m       engine.Match
	e       *encode.Encoder
	seed    uint64
	episode int64
	steps   int32
	last    int  // seat that acted last
	done    bool // shows an end
	ended   bool // in this step
	reward  []float32
	final   [][]uint8
}

func newSingle(t *testing.T, game string, seed uint64) *single {
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	e, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	return &single{t: t, m: g.NewMatch(), e: e, seed: seed, episode: -1, reward: make([]float32, g.Info().Seats)}
}

func (s *single) begin() {
	s.episode++
	s.steps, s.done = 0, false
	s.m.Reset(engine.EpisodeSeed(s.seed, uint64(s.episode)))
}

func (s *single) step(mode env.Mode, a engine.Action) {
	s.ended = false
	clear(s.reward)
	if s.done {
		if mode == env.NextStep {
			s.begin()
		}
		return
	}
	s.last = s.m.Seat()
	if err := s.m.Apply(a); err != nil {
		s.t.Fatal(err)
	}
	s.steps++
	if s.m.Seat() != engine.Over {
		return
	}
	s.ended, s.done = true, true
	s.m.Returns(s.reward) // no game here pays before the end
	s.final = nil
	for seat := range s.reward {
		full := make([]uint8, s.e.FullSchema().Size)
		s.e.EncodeFull(s.m, seat, full)
		s.final = append(s.final, full)
	}
	if mode == env.SameStep {
		s.begin()
	}
}

func (s *single) check(b *env.Batch, i int) {
	s.t.Helper()
	d, f, a, p := s.e.Schema().Size, s.e.FullSchema().Size, len(s.e.Schema().Actions), len(s.reward)
	seat, mask := s.m.Seat(), make([]uint8, a)
	if s.done {
		seat = s.last
		for k := range mask {
			mask[k] = 1
		}
	} else {
		for k := range mask {
			if s.m.Legal().Has(engine.Action(k)) {
				mask[k] = 1
			}
		}
	}
	full := make([]uint8, f)
	s.e.EncodeFull(s.m, seat, full)
	where := fmt.Sprintf("row %d, episode %d, step %d", i, s.episode, s.steps)
	switch {
	case int(b.Seat[i]) != seat || b.Episode[i] != s.episode || b.EpisodeStep[i] != s.steps:
		s.t.Fatalf("%s: seat %d, episode %d, step %d; want seat %d", where, b.Seat[i], b.Episode[i], b.EpisodeStep[i], seat)
	case !bytes.Equal(b.Obs[i*d:(i+1)*d], full[:d]) || !bytes.Equal(b.Full[i*f:(i+1)*f], full):
		s.t.Fatalf("%s: another observation", where)
	case !bytes.Equal(b.Mask[i*a:(i+1)*a], mask):
		s.t.Fatalf("%s: mask %v; want %v", where, b.Mask[i*a:(i+1)*a], mask)
	case b.Terminated[i] != (s.ended || s.done) || b.Ended[i] != s.ended || b.Truncated[i]:
		s.t.Fatalf("%s: terminated %v, ended %v, truncated %v; want %v, %v, false", where, b.Terminated[i], b.Ended[i], b.Truncated[i], s.ended || s.done, s.ended)
	case !slices.Equal(b.Reward[i*p:(i+1)*p], s.reward):
		s.t.Fatalf("%s: rewards %v; want %v", where, b.Reward[i*p:(i+1)*p], s.reward)
	}
	if !s.ended {
		return
	}
	for k, want := range s.final {
		at := i*p + k
		if !bytes.Equal(b.FinalObs[at*d:(at+1)*d], want[:d]) || !bytes.Equal(b.FinalFull[at*f:(at+1)*f], want) {
			s.t.Fatalf("%s: another final observation of seat %d", where, k)
		}
	}
	if !slices.Equal(b.Return[i*p:(i+1)*p], s.reward) || int(b.FinalSeat[i]) != s.last || b.Length[i] == 0 {
		s.t.Fatalf("%s: ended with returns %v, seat %d, length %d", where, b.Return[i*p:(i+1)*p], b.FinalSeat[i], b.Length[i])
	}
}

func TestVecDependsNeitherOnWorkersNorOnTheOtherRows(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cfg := env.Config{
			Game:         rapid.SampledFrom(games).Draw(rt, "game"),
			NumEnvs:      rapid.IntRange(1, 9).Draw(rt, "envs"),
			Seed:         rapid.Uint64().Draw(rt, "seed"),
			Autoreset:    rapid.SampledFrom(modes).Draw(rt, "mode"),
			MaxDecisions: rapid.SampledFrom([]int{0, 1, 3, 30}).Draw(rt, "cap"),
			Full:         rapid.Bool().Draw(rt, "full"),
			ShuffleSeats: rapid.Bool().Draw(rt, "shuffle"),
		}
		steps := rapid.IntRange(1, 40).Draw(rt, "steps")
		more := cfg
		more.Workers = rapid.IntRange(2, 5).Draw(rt, "workers")
		more.NumEnvs += rapid.IntRange(0, 5).Draw(rt, "more rows")

		few, many := newVec(t, cfg), newVec(t, more)
		defer few.Close()
		defer many.Close()
		p, q := newPlayer(cfg.NumEnvs), newPlayer(more.NumEnvs)
		a, b := reset(t, few), reset(t, many)
		for step := range steps {
			if x, y := rows(few, a), rows(many, b)[:cfg.NumEnvs]; !slices.Equal(x, y) {
				rt.Fatalf("step %d: one worker has\n%s\n%d workers and %d rows have\n%s", step,
					strings.Join(x, "\n"), more.Workers, more.NumEnvs, strings.Join(y, "\n"))
			}
			a, b = p.step(t, few), q.step(t, many)
		}
		if cfg.NumEnvs == more.NumEnvs {
			if x, y := fmt.Sprint(few.Stats()), fmt.Sprint(many.Stats()); x != y {
				rt.Fatalf("statistics %s and %s", x, y)
			}
		}
	})
}

func TestEpisodeOfARowCanBeReplayedAlone(t *testing.T) {
	v := newVec(t, env.Config{Game: "leduc", NumEnvs: 4, Seed: 100, Autoreset: env.SameStep})
	p := newPlayer(4)
	b := reset(t, v)
	m := v.Game().NewMatch()
	for range 60 {
		b = p.step(t, v)
		for i := range 4 {
			if b.EpisodeStep[i] == 0 {
				m.Reset(engine.EpisodeSeed(engine.RowSeed(100, uint64(i)), uint64(b.Episode[i])))
				if !m.Equal(v.Match(i)) {
					t.Fatalf("row %d does not begin episode %d from its seed", i, b.Episode[i])
				}
			}
		}
	}
	if b.Episode[0] < 5 {
		t.Fatalf("row 0 is in episode %d only", b.Episode[0])
	}
}

func TestResetCountsEpisodesOnAndResetSeedBeginsAnew(t *testing.T) {
	v := newVec(t, env.Config{Game: "kuhn", NumEnvs: 3, Seed: 5})
	b := reset(t, v)
	first := rows(v, b)
	b = reset(t, v)
	if b.Episode[2] != 1 || slices.Equal(first, rows(v, b)) {
		t.Fatalf("the second reset begins episode %d", b.Episode[2])
	}
	b, err := v.ResetSeed(5)
	if err != nil || b.Episode[2] != 0 || !slices.Equal(first, rows(v, b)) {
		t.Fatalf("seeding again does not begin where the vector began: %v", err)
	}
	if b, err = v.ResetSeed(6); err != nil || v.Config().Seed != 6 || b.Episode[2] != 0 {
		t.Fatalf("another seed: %v", err)
	}
}

func TestEachRowCanHaveASeedOfItsOwn(t *testing.T) {
	alone := func(seed uint64) engine.Match {
		one := newVec(t, env.Config{Game: "leduc", NumEnvs: 1, Seed: seed, Autoreset: env.SameStep})
		reset(t, one)
		return one.Match(0)
	}
	v := newVec(t, env.Config{Game: "leduc", NumEnvs: 3, Autoreset: env.SameStep})
	if _, err := v.ResetSeeds([]uint64{7, 7, 1000}, []bool{true, false, true}); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("some rows before the first reset: %v", err)
	}
	if _, err := v.ResetSeeds([]uint64{7, 7, 1000}, nil); err != nil || !v.Match(0).Equal(alone(7)) || !v.Match(1).Equal(alone(7)) || !v.Match(2).Equal(alone(1000)) {
		t.Fatalf("rows are not those of their seeds: %v", err)
	}
	if _, err := v.ResetSeeds([]uint64{8, 8, 8}, []bool{false, true, false}); err != nil || !v.Match(0).Equal(alone(7)) || !v.Match(1).Equal(alone(8)) || !v.Match(2).Equal(alone(1000)) {
		t.Fatalf("rows that were not chosen are seeded too: %v", err)
	}
	b, err := v.Reset()
	if err != nil || b.Episode[0] != 1 || b.Episode[1] != 1 {
		t.Fatalf("without a seed the rows do not count on: %v, %v", b.Episode, err)
	}
	for _, wrong := range [][]uint64{{}, {1, 2}, {1, 2, 3, 4}} {
		if _, err := v.ResetSeeds(wrong, nil); err == nil || !strings.Contains(err.Error(), "want 3") {
			t.Errorf("seeds %v: %v", wrong, err)
		}
	}
}

func TestVectorsOfNeighbouringSeedsHaveNoRowInCommon(t *testing.T) {
	const rows, episodes = 5, 3
	met := map[string]uint64{}
	for seed := range uint64(6) {
		v := newVec(t, env.Config{Game: "leduc", NumEnvs: rows, Seed: seed})
		for range episodes {
			reset(t, v)
			for i := range rows {
				begin := string(v.Match(i).Bytes()) // with its generator
				if before, ok := met[begin]; ok {
					t.Fatalf("seeds %d and %d deal the same match", before, seed)
				}
				met[begin] = seed
			}
		}
	}
}

func TestIllegalActionIsRefusedByNameAndNothingIsApplied(t *testing.T) {
	for _, bad := range []int32{0, -1, 3, 1 << 30} { // at first nobody has anything to fold
		v := newVec(t, env.Config{Game: "leduc", NumEnvs: 4, Workers: 2, Autoreset: env.SameStep})
		b := reset(t, v)
		before := rows(v, b)
		_, err := v.Step([]int32{1, 2, bad, 1})
		var illegal *env.IllegalActionError
		var inner *engine.IllegalActionError
		if !errors.As(err, &illegal) || !errors.As(err, &inner) || illegal.Row != 2 || illegal.Seat != 0 || illegal.Action != engine.Action(bad) {
			t.Fatalf("action %d: %v", bad, err)
		}
		for _, part := range []string{"row 2", "seat 0", v.Game().Info().ActionName(engine.Action(bad)), "legal are"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not say %q", err, part)
			}
		}
		if !slices.Equal(rows(v, v.Batch()), before) || v.Match(0).Seat() != 0 {
			t.Fatal("a batch with an illegal action was applied in part")
		}
		if _, err := v.Step([]int32{1, 2, 1, 1}); err != nil {
			t.Fatalf("the vector is no longer usable: %v", err)
		}
	}
}

func TestCallsAtTheWrongTimeAreErrors(t *testing.T) {
	v := newVec(t, env.Config{Game: "kuhn", NumEnvs: 2, Workers: 2})
	if _, err := v.Step([]int32{0, 0}); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("step before reset: %v", err)
	}
	if _, err := v.ResetRows([]bool{true, true}); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("ResetRows before reset: %v", err)
	}
	if err := v.SampleActions(make([]int32, 2), make([]engine.Rand, 2)); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("sampling before reset: %v", err)
	}
	if err := v.Snapshot(&bytes.Buffer{}); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("snapshot before reset: %v", err)
	}
	reset(t, v)
	for _, n := range []int{0, 1, 3} {
		if _, err := v.Step(make([]int32, n)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%d actions: want 2", n)) {
			t.Errorf("%d actions for 2 rows: %v", n, err)
		}
	}
	if err := v.SampleActions(make([]int32, 2), make([]engine.Rand, 3)); err == nil {
		t.Error("three streams for two rows are accepted")
	}
	v.Close()
	v.Close()
	if _, err := v.Step([]int32{0, 0}); !errors.Is(err, env.ErrClosed) {
		t.Errorf("step of a closed vector: %v", err)
	}
	if _, err := v.Reset(); !errors.Is(err, env.ErrClosed) {
		t.Errorf("reset of a closed vector: %v", err)
	}
	if err := v.Restore(&bytes.Buffer{}); !errors.Is(err, env.ErrClosed) {
		t.Errorf("restore of a closed vector: %v", err)
	}
}

func TestConfigurationsThatCannotBeAreRefused(t *testing.T) {
	for want, cfg := range map[string]env.Config{
		"0 environments":  {Game: "kuhn"},
		"-1 workers":      {Game: "kuhn", NumEnvs: 1, Workers: -1},
		"Mode(9)":         {Game: "kuhn", NumEnvs: 1, Autoreset: 9},
		"-1 decisions":    {Game: "kuhn", NumEnvs: 1, MaxDecisions: -1},
		"chess":           {Game: "chess", NumEnvs: 1},
		"seats=9":         {Game: "kuhn(seats=9)", NumEnvs: 1},
		"chance=explicit": {Game: "kuhn(chance=explicit)", NumEnvs: 1},
	} {
		if v, err := env.New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: vector %v, error %v; want one with %q", cfg, v != nil, err, want)
		}
	}
}

func TestModesHaveTheNamesOfGymnasium(t *testing.T) {
	for i, name := range []string{"NEXT_STEP", "SAME_STEP", "DISABLED"} {
		if modes[i].String() != name {
			t.Errorf("%s is %v", name, modes[i])
		}
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, workers := range []int{1, 2} {
		for _, mode := range modes {
			v := newVec(t, env.Config{Game: "doubloons(seats=4)", NumEnvs: 8, Workers: workers, Autoreset: mode, Full: true, ShuffleSeats: true, MaxDecisions: 50})
			p := newPlayer(8)
			reset(t, v)
			if n := testing.AllocsPerRun(200, func() { p.step(t, v) }); n != 0 {
				t.Errorf("%d workers, %s: %v allocations a step", workers, mode, n)
			}
		}
	}
}

func TestShuffledSeatsBelongToEveryPlayerEquallyOften(t *testing.T) {
	const n, seats = 600, 3
	v := newVec(t, env.Config{Game: "kuhn(seats=3)", NumEnvs: n, Autoreset: env.SameStep, ShuffleSeats: true})
	p := newPlayer(n)
	b := reset(t, v)
	var sat [seats][seats]int
	total := make([]float64, seats) // rewards by player
	players := slices.Clone(b.Players)
	for i := range n {
		for s := range seats {
			sat[players[i*seats+s]][s]++
		}
	}
	for step := range 30 {
		b = p.step(t, v)
		for i := range n {
			for s := range seats {
				if b.PlayerReward[i*seats+int(players[i*seats+s])] != b.Reward[i*seats+s] {
					t.Fatalf("step %d, row %d: seat %d earned %v, its player did not", step, i, s, b.Reward[i*seats+s])
				}
			}
			for k := range seats {
				total[k] += float64(b.PlayerReward[i*seats+k])
			}
		}
		copy(players, b.Players)
	}
	for k := range seats {
		for s := range seats {
			if sat[k][s] < n/5 || sat[k][s] > n/2 {
				t.Errorf("player %d had seat %d %d times in %d", k, s, sat[k][s], n)
			}
		}
	}
	stats := v.Stats()
	for k := range seats {
		if diff := stats.ReturnByPlayer[k]*float64(stats.Episodes) - total[k]; diff > 1e-3 || diff < -1e-3 {
			t.Errorf("player %d: statistics say %v, rewards sum to %v", k, stats.ReturnByPlayer[k]*float64(stats.Episodes), total[k])
		}
	}
}

func TestWithoutShufflingPlayersKeepTheirSeats(t *testing.T) {
	v := newVec(t, env.Config{Game: "leduc", NumEnvs: 5, Autoreset: env.SameStep})
	b := reset(t, v)
	for i, player := range b.Players {
		if int(player) != i%2 {
			t.Fatalf("players %v", b.Players)
		}
	}
	if &b.Reward[0] != &b.PlayerReward[0] {
		t.Error("rewards by player are not those by seat")
	}
}

func TestStatisticsCountEndedEpisodes(t *testing.T) {
	v := newVec(t, env.Config{Game: "kuhn", NumEnvs: 6, Workers: 2, Autoreset: env.SameStep})
	p := newPlayer(6)
	reset(t, v)
	var episodes, decisions int64
	var first, wins float64
	for range 50 {
		b := p.step(t, v)
		for i := range 6 {
			if b.Terminated[i] {
				episodes++
				decisions += int64(b.Length[i])
				first += float64(b.Return[2*i])
				if b.Return[2*i] > 0 {
					wins++
				}
			}
		}
	}
	s := v.Stats()
	n := float64(episodes)
	if s.Episodes != episodes || s.Decisions != decisions || s.MeanLength != float64(decisions)/n || s.Truncated != 0 {
		t.Errorf("%+v; want %d episodes of %d decisions", s, episodes, decisions)
	}
	if d := s.ReturnBySeat[0] - first/n; d > 1e-9 || d < -1e-9 || s.WinsBySeat[0] != wins/n || s.WinsBySeat[0]+s.WinsBySeat[1] != 1 {
		t.Errorf("%+v; want mean return %v and win rate %v of seat 0", s, first/n, wins/n)
	}
	v.ResetStats()
	if s := v.Stats(); s.Episodes != 0 || s.MeanLength != 0 {
		t.Errorf("after ResetStats: %+v", s)
	}
}

// Whatever is paid before the end, every seat is paid in the row where it was
// earned, no matter which player acted, and the rewards of an episode add up to its return.
func TestRewardsOfAnEpisodeAddUpToItsReturn(t *testing.T) {
	const n, seats = 4, 3
	v := newVec(t, env.Config{Game: "doubloons(seats=3,objective=margin,rewards=running)", NumEnvs: n, Autoreset: env.SameStep, MaxDecisions: 120})
	p := newPlayer(n)
	reset(t, v)
	var sums [n * seats]float64
	early, others, truncated := 0, 0, 0
	for range 1000 {
		actors := slices.Clone(v.Batch().Seat)
		b := p.step(t, v)
		for k, r := range b.Reward {
			sums[k] += float64(r)
			i, s := k/seats, k%seats
			if r != 0 && !b.Terminated[i] {
				early++
				if int(actors[i]) != s {
					others++
				}
			}
			if !b.Terminated[i] && !b.Truncated[i] {
				continue
			}
			if b.Truncated[i] {
				truncated++
			}
			if d := sums[k] - float64(b.Return[k]); d > 1e-5 || d < -1e-5 {
				t.Fatalf("row %d, seat %d: rewards add up to %v, the return is %v", i, s, sums[k], b.Return[k])
			}
			sums[k] = 0
		}
	}
	if early == 0 || others == 0 || truncated == 0 {
		t.Errorf("%d rewards before the end, %d of them to seats that did not act, %d seats of truncated episodes: want some of each", early, others, truncated)
	}
}

// A limit of the game string truncates as Config.MaxDecisions does. What the rows show then is what
// they show of the same match without the limit, at the decision at which it was cut short.
func TestALimitOfTheGameTruncatesEpisodes(t *testing.T) {
	const seats = 2
	for _, mode := range modes {
		for seed, rewards := range []string{"final", "running", "final"} {
			game := "doubloons(seats=2,rewards=" + rewards + ",max_rounds="
			cfg := env.Config{Game: game + "1)", NumEnvs: 1, Seed: uint64(seed), Autoreset: mode, Full: true}
			v := newVec(t, cfg)
			cfg.Game = game + "2)"
			long := newVec(t, cfg)
			reset(t, v)
			reset(t, long)
			p, d, f := newPlayer(1), len(v.Batch().Obs), len(v.Batch().Full)
			for !v.Batch().Truncated[0] {
				if p.step(t, v); v.Batch().Terminated[0] {
					t.Fatalf("%v: terminated in the first round", mode)
				}
				if _, err := long.Step(p.actions); err != nil {
					t.Fatal(err)
				}
			}
			b, after := v.Batch(), long.Batch()
			if after.Truncated[0] || after.Terminated[0] {
				t.Fatalf("%v: the episode ends without the limit", mode)
			}
			if !slices.Equal(b.Reward, after.Reward) || rewards == "final" && b.Return[0] != 0 {
				t.Errorf("%v, %s: rewards %v, returns %v; without the limit rewards %v", mode, rewards, b.Reward, b.Return, after.Reward)
			}
			if b.FinalSeat[0] != after.Seat[0] {
				t.Errorf("%v: final seat %d; want that of the player that would decide, %d", mode, b.FinalSeat[0], after.Seat[0])
			}
			obs, full := make([]uint8, d), make([]uint8, f)
			for s := range seats {
				if err := long.Observe(0, s, obs); err != nil || !bytes.Equal(obs, b.FinalObs[s*d:(s+1)*d]) {
					t.Errorf("%v: seat %d's final observation is not that of a match that continues (%v)", mode, s, err)
				}
				if err := long.ObserveFull(0, s, full); err != nil || !bytes.Equal(full, b.FinalFull[s*f:(s+1)*f]) {
					t.Errorf("%v: seat %d's final full view is not that of a match that continues (%v)", mode, s, err)
				}
			}
			if st := v.Stats(); st.Limited != 1 || st.Truncated != 1 || st.WinsBySeat[0] != 0 {
				t.Errorf("%v: statistics %+v", mode, st)
			}
			again := newVec(t, v.Config())
			if err := again.Restore(bytes.NewReader(snapshot(t, v))); err != nil || again.Stats().Limited != 1 {
				t.Errorf("%v: restored with statistics %+v: %v", mode, again.Stats(), err)
			}
		}
	}
}

// The caller's cap is counted apart.
func TestTheCapIsNoLimitOfTheGame(t *testing.T) {
	v := newVec(t, env.Config{Game: "doubloons(seats=2)", NumEnvs: 2, Autoreset: env.SameStep, MaxDecisions: 5})
	reset(t, v)
	p := newPlayer(2)
	for range 5 {
		p.step(t, v)
	}
	if st := v.Stats(); st.Truncated != 2 || st.Limited != 0 {
		t.Errorf("statistics %+v", st)
	}
}

// If a bot would have to decide, the end is shown to the caller's seat that acted last.
func TestALimitWhereABotWouldDecideShowsTheCallersSeat(t *testing.T) {
	v := newVec(t, env.Config{Game: "doubloons(seats=3,max_rounds=1)", NumEnvs: 6, Autoreset: env.SameStep, Full: true,
		Players: []match.Player{match.Named("random"), {}, match.Named("random")}})
	reset(t, v)
	p := newPlayer(6)
	for ends := 0; ends < 12; {
		b := p.step(t, v)
		for i := range b.Truncated {
			if b.Terminated[i] {
				t.Fatalf("row %d is terminated in its first round", i)
			}
			if b.Truncated[i] {
				if ends++; b.FinalSeat[i] != 1 {
					t.Fatalf("row %d: final seat %d, a bot's", i, b.FinalSeat[i])
				}
			}
		}
	}
	if st := v.Stats(); st.Limited != st.Episodes {
		t.Errorf("statistics %+v", st)
	}
}
