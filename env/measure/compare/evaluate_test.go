package compare

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/match"
)

// uniform gives every legal action the same probability.
type uniform struct{}

func (uniform) Probs(n int, obs, mask []uint8, probs []float32) error {
	a := len(mask) / n
	for i := range n {
		legal := 0
		for _, m := range mask[i*a : (i+1)*a] {
			legal += int(m)
		}
		for k, m := range mask[i*a : (i+1)*a] {
			probs[i*a+k] = float32(m) / float32(legal)
		}
	}
	return nil
}

// only gives one action all the probability where it is legal.
type only struct{ action int }

func (p only) Probs(n int, obs, mask []uint8, probs []float32) error {
	if err := (uniform{}).Probs(n, obs, mask, probs); err != nil {
		return err
	}
	a := len(mask) / n
	for i := range n {
		if mask[i*a+p.action] != 0 {
			clear(probs[i*a : (i+1)*a])
			probs[i*a+p.action] = 1
		}
	}
	return nil
}

func TestPlayerAsGoodAsTheBotWinsItsEqualShare(t *testing.T) {
	for _, game := range []string{"kuhn", "kuhn(seats=3)", "leduc"} {
		r, err := Evaluate(t.Context(), uniform{}, Evaluation{Game: game, Bot: "random", Matches: 6000, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range []Record{r.One, r.Other} {
			if rec.WinRate.Low > r.EqualShare || rec.WinRate.High < r.EqualShare || rec.Return.Low > 0 || rec.Return.High < 0 {
				t.Errorf("%s: %v; want intervals that hold the equal share %v and 0", game, rec, r.EqualShare)
			}
			if width := rec.WinRate.High - rec.WinRate.Low; width > 0.05 {
				t.Errorf("%s: an interval of width %v after %d matches", game, width, rec.Matches)
			}
		}
	}
}

// Who always bets in Kuhn wins against the random bot: it folds half of the time, and loses
// two chips at most. The value of the whole match, by hand: facing always-bet, seat 1 folds (+1) with 1/2,
// else the cards decide (±2, 0 on average), so 1/2 chip as seat 0. As seat 1: the bot
// passes (1/2), then meets a bet and folds with 1/2: +1/4; it bets (1/2): the cards decide. The mean of 1/2 and
// 1/4 chips is 3/8, of two that can be won: 3/16.
func TestReturnIsTheValueThatCanBeWorkedOut(t *testing.T) {
	r, err := Evaluate(t.Context(), only{1}, Evaluation{Game: "kuhn", Bot: "random", Matches: 20000, Seed: 11})
	if err != nil {
		t.Fatal(err)
	}
	const want = 3.0 / 16
	if r.One.Return.Low > want || r.One.Return.High < want {
		t.Errorf("one who always bets: return %v; want %v", r.One.Return, want)
	}
	if r.Other.Return.Low > -want || r.Other.Return.High < -want {
		t.Errorf("one random bot against it: return %v; want %v", r.Other.Return, -want)
	}
	mean := (r.One.BySeat[0] + r.One.BySeat[1]) / 2
	if math.Abs(mean-r.One.WinRate.Mean) > 1e-9 || r.One.BySeat[0] == r.One.BySeat[1] {
		t.Errorf("win rates by seat %v do not belong to %v", r.One.BySeat, r.One.WinRate)
	}
}

func TestMatchesAreRoundedUpToWholeDeals(t *testing.T) {
	r, err := Evaluate(t.Context(), uniform{}, Evaluation{Game: "kuhn(seats=3)", Bot: "random", Matches: 10})
	if err != nil {
		t.Fatal(err)
	}
	if r.One.Deals != 4 || r.One.Matches != 12 || r.Other.Matches != 12 || r.Seats != 3 {
		t.Errorf("%d deals, %d and %d matches, %d seats", r.One.Deals, r.One.Matches, r.Other.Matches, r.Seats)
	}
	if r.One.Length < 3 || r.One.Length > 5 {
		t.Errorf("matches have %v decisions; three seats take 3 to 5", r.One.Length)
	}
}

// More matches than are played side by side, so that tables are used again.
func TestResultIsTheSameForAnyNumberOfWorkersAndEveryTime(t *testing.T) {
	var first Result
	for i, workers := range []int{1, 2, 5, 2} {
		r, err := Evaluate(t.Context(), uniform{}, Evaluation{Game: "leduc", Bot: "random", Matches: 3000, Seed: 5, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = r
		}
		if !reflect.DeepEqual(r, first) {
			t.Errorf("%d workers: %v; want %v", workers, r, first)
		}
	}
	other, err := Evaluate(t.Context(), uniform{}, Evaluation{Game: "leduc", Bot: "random", Matches: 3000, Seed: 6})
	if err != nil || reflect.DeepEqual(other, first) {
		t.Errorf("another seed gives the same result, error %v", err)
	}
}

// seen records what a policy is asked.
type seen struct {
	uniform
	rows int
	bad  error
}

func (p *seen) Probs(n int, obs, mask []uint8, probs []float32) error {
	p.rows += n
	if len(obs)%n != 0 || len(mask)%n != 0 || len(probs) != len(mask) {
		p.bad = errors.New("lengths do not fit")
	}
	return p.uniform.Probs(n, obs, mask, probs)
}

func TestPolicyIsAskedInLargeBatchesAndOnlyForItsSeats(t *testing.T) {
	p := &seen{}
	r, err := Evaluate(t.Context(), p, Evaluation{Game: "kuhn", Bot: "random", Matches: 500})
	if err != nil || p.bad != nil {
		t.Fatal(err, p.bad)
	}
	decisions := int(math.Round((r.One.Length + r.Other.Length) * 500))
	if p.rows <= decisions/3 || p.rows >= 2*decisions/3 {
		t.Errorf("the policy took %d of %d decisions; want about half", p.rows, decisions)
	}
}

// failing answers with what is no policy.
type failing struct{ probs float32 }

func (p failing) Probs(n int, obs, mask []uint8, probs []float32) error {
	if p.probs == 0 {
		return errors.New("out of memory")
	}
	for i := range probs {
		probs[i] = p.probs
	}
	return nil
}

func TestMistakesAreNamed(t *testing.T) {
	for _, c := range []struct {
		policy match.Policy
		cfg    Evaluation
		want   string
	}{
		{uniform{}, Evaluation{Game: "chess", Bot: "random", Matches: 1}, "unknown game"},
		{uniform{}, Evaluation{Game: "kuhn(chance=explicit)", Bot: "random", Matches: 1}, "chance=explicit"},
		{uniform{}, Evaluation{Game: "kuhn", Bot: "nobody", Matches: 1}, `unknown bot "nobody"`},
		{uniform{}, Evaluation{Game: "kuhn", Bot: "random"}, "0 matches"},
		{failing{0}, Evaluation{Game: "kuhn", Bot: "random", Matches: 1}, "out of memory"},
		{failing{float32(math.NaN())}, Evaluation{Game: "kuhn", Bot: "random", Matches: 1}, "not finite"},
	} {
		if _, err := Evaluate(t.Context(), c.policy, c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v; want %s", c.cfg, err, c.want)
		}
	}
}

func TestAMatchOfTheEvaluationIsKept(t *testing.T) {
	r, err := Evaluate(t.Context(), uniform{}, Evaluation{Game: "leduc", Bot: "random", Matches: 50, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Sample.Replay(nil)
	if err != nil {
		t.Fatal(err)
	}
	final := make([]float32, 2)
	if m.Returns(final); m.Seat() != engine.Over || !reflect.DeepEqual(final, r.Sample.Returns) {
		t.Errorf("the transcript ends with seat %d to act and returns %v; it says %v", m.Seat(), final, r.Sample.Returns)
	}
}

func TestAMatchThatALimitCutsShortIsSharedByAllSeats(t *testing.T) {
	r, err := Evaluate(t.Context(), uniform{}, Evaluation{Game: "doubloons(seats=3,max_rounds=1)", Bot: "random", Matches: 6, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range []Record{r.One, r.Other} {
		if rec.Truncated != rec.Matches || math.Abs(rec.WinRate.Mean-1.0/3) > 1e-9 || rec.Return.Mean != 0 {
			t.Errorf("%+v: want %d truncated matches, shared by 3 seats, and no returns", rec, rec.Matches)
		}
	}
	if r, err = Evaluate(t.Context(), uniform{}, Evaluation{Game: "leduc", Bot: "random", Matches: 6}); err != nil || r.One.Truncated != 0 {
		t.Errorf("leduc: %d truncated matches, error %v", r.One.Truncated, err)
	}
}

// watcher is a bot that keeps every match with the generator of which it is asked first.
type watcher struct{ met map[string]bool }

func (w *watcher) Name() string { return "watcher" }

func (w *watcher) Act(m engine.Match, r *engine.Rand) engine.Action {
	w.met[string(m.Bytes())] = true
	return m.Legal().Sample(r)
}

func TestNothingIsMeasuredOnAMatchThatAnEnvironmentOfTheSameSeedDeals(t *testing.T) {
	const game, seed, many = "leduc", 3, 64
	measured := &watcher{met: map[string]bool{}}
	player := match.Player{Name: "watcher", Bot: func(engine.Game) (bots.Bot, error) { return measured, nil }}
	if _, err := Compare(t.Context(), player, match.Named("random"), Config{Game: game, Matches: many, Seed: seed, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	r, err := Evaluate(t.Context(), uniform{}, Evaluation{Game: game, Bot: "random", Matches: many, Seed: seed, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	sample := r.Sample.Seed
	for neighbour := range uint64(2 * seed) {
		v, err := env.New(env.Config{Game: game, NumEnvs: 8, Seed: neighbour})
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		alone := v.Game().NewMatch()
		alone.Reset(sample)
		for range many {
			if _, err := v.Reset(); err != nil {
				t.Fatal(err)
			}
			for i := range 8 {
				if measured.met[string(v.Match(i).Bytes())] || alone.Equal(v.Match(i)) {
					t.Fatalf("row %d of an environment of seed %d deals what is measured on with seed %d", i, neighbour, seed)
				}
			}
		}
	}
}
