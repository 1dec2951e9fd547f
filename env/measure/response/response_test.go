package response_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure/compare"
	"github.com/privateer-rl/privateer/env/measure/response"
)

// fixed is a player of Kuhn poker that always bets, or always passes, and does not tell by which chances.
type fixed struct{ action engine.Action }

func (fixed) Name() string                                       { return "fixed" }
func (b fixed) Act(_ engine.Match, _ *engine.Rand) engine.Action { return b.action }

func named(names ...string) []response.Challenger {
	var all []response.Challenger
	for _, name := range names {
		all = append(all, response.Challenger{Player: match.Named(name), How: "named"})
	}
	return all
}

func find(t *testing.T, challengers []response.Challenger, cfg response.Config) response.Result {
	t.Helper()
	r, err := response.Find(context.Background(), challengers, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTheBestChallengerIsMeasuredInOtherDeals(t *testing.T) {
	cfg := response.Config{Game: "leduc", Frozen: match.Named("random"), Trials: 200, Matches: 200, Seed: 3, Nodes: 10_000}
	var told []string
	cfg.Report = func(name string, _ compare.Standing) { told = append(told, name) }
	r := find(t, named("random", "search(rollouts=40)"), cfg)
	if r.Best.Name != "search(rollouts=40)" || len(r.Tried) != 2 || len(told) != 2 {
		t.Fatalf("the best is %s of %v, told of %v", r.Best.Name, r.Tried, told)
	}
	if r.Best.Standing.Matches != 200 || r.Best.Standing.Return == r.Tried[1].Standing.Return {
		t.Errorf("measured: %+v, in the trial: %+v; want other deals", r.Best.Standing, r.Tried[1].Standing)
	}
	if x := r.Bound.Return.Mean; math.Abs(x-(r.Best.Standing.Return.Mean-r.Exact.Value)) > 1e-12 {
		t.Errorf("the bound is %v", x)
	}
	if again := find(t, named("random", "search(rollouts=40)"), cfg); again.Best.Standing != r.Best.Standing {
		t.Error("the same seed gives another result")
	}
}

func TestNoChallengerBeatsTheBestResponseOfTheWholeTree(t *testing.T) {
	for _, game := range []string{"kuhn", "jolly_roger(seats=3,start=../../../engine/games/jollyroger/testdata/examples/three_cards.json)"} {
		cfg := response.Config{Game: game, Frozen: match.Named("random"), Trials: 600, Matches: 3000, Seed: 2, Nodes: 20_000}
		r := find(t, named("search(rollouts=60,horizon=end)"), cfg)
		if r.Exact == nil || r.Exact.Exploitability <= 0 || r.Exact.Draws != 0 {
			t.Fatalf("%s: exactly %+v", game, r.Exact)
		}
		if r.Bound.Return.Low > r.Exact.Exploitability+1e-9 {
			t.Errorf("%s: at least %v can be won, but %v at most", game, r.Bound.Return, r.Exact.Exploitability)
		}
		if r.Bound.Return.Mean < r.Exact.Exploitability/2 {
			t.Errorf("%s: search wins %v, less than half of %v", game, r.Bound.Return, r.Exact.Exploitability)
		}
	}
}

// Against one who always bets a best response calls with the king, is even with the queen by its seat, and folds the jack:
// half of the NashConv of engine/players/exploit's example.
func TestWhoDoesNotTellItsChancesIsAskedForThem(t *testing.T) {
	bets := match.Player{Name: "bets", Bot: func(engine.Game) (bots.Bot, error) { return fixed{1}, nil }}
	r := find(t, nil, response.Config{Game: "kuhn", Frozen: bets, Trials: 1, Matches: 1, Nodes: 100})
	if r.Best != nil || r.Bound != nil || r.Exact.Draws == 0 || math.Abs(r.Exact.Exploitability-1./3) > 1e-9 {
		t.Errorf("%+v, exactly %+v; want an exploitability of a third", r, r.Exact)
	}
	broken := match.Player{Name: "broken", Bot: func(engine.Game) (bots.Bot, error) { return fixed{7}, nil }}
	_, err := response.Find(context.Background(), nil, response.Config{Game: "kuhn", Frozen: broken, Trials: 1, Matches: 1, Nodes: 100})
	if err == nil || !strings.Contains(err.Error(), "best response to broken: fixed: it chose action 7, which is not legal") {
		t.Errorf("the error is %v", err)
	}
}

func TestLargeGamesHaveNoExactAnswer(t *testing.T) {
	r := find(t, nil, response.Config{Game: "leduc", Frozen: match.Named("random"), Trials: 1, Matches: 1, Nodes: 100})
	if r.Exact != nil || !r.ByReturn {
		t.Errorf("%+v", r)
	}
	if r := find(t, nil, response.Config{Game: "doubloons(seats=4)", Frozen: match.Named("random"), Trials: 1, Matches: 1, Nodes: 100}); r.Exact != nil || r.ByReturn {
		t.Errorf("%+v", r)
	}
}

func TestSearchesKnowWhomTheyPlayAgainst(t *testing.T) {
	for _, c := range []struct {
		game, frozen string
		want         []string
	}{
		{"doubloons(seats=4)", "heuristic", []string{"search(rollouts=9)", "search(rollouts=9,rollout=heuristic,rivals=heuristic)"}},
		{"doubloons(seats=4)", "random", []string{"search(rollouts=9)", "search(rollouts=9,rollout=random)", "search(rollouts=9,rollout=random,prior=random)"}},
		{"doubloons(seats=4)", "policy:captain", []string{
			"search(rollouts=9)", "search(rollouts=9,rollout=policy:captain,rivals=policy:captain)",
			"search(rollouts=9,rollout=policy:captain,rivals=policy:captain,prior=policy:captain)",
		}},
		{"jolly_roger(seats=6)", "heuristic", []string{"search(rollouts=9)"}},
		{"jolly_roger(seats=6)", "search-1ms", []string{"search(rollouts=9)"}},
		{"leduc", "random", []string{"search(rollouts=9)"}},
	} {
		g, err := engine.NewGame(c.game)
		if err != nil {
			t.Fatal(err)
		}
		names, err := response.Searches(g, c.frozen, 9)
		if err != nil || !slices.Equal(names, c.want) {
			t.Errorf("%s, %s: %q, %v; want %q", c.game, c.frozen, names, err, c.want)
		}
	}
	g, _ := engine.NewGame("leduc")
	if _, err := response.Searches(g, "random", 0); err == nil {
		t.Error("searches without rollouts are made")
	}
}

func TestMistakesOfAChallengeAreNamed(t *testing.T) {
	for _, c := range []struct {
		cfg  response.Config
		want string
	}{
		{response.Config{Game: "kuhn", Trials: 0, Matches: 1}, "1 matches and 0 trials: want at least 1 of each"},
		{response.Config{Game: "kuhn(chance=explicit)", Trials: 1, Matches: 1}, "chance=explicit makes chance the caller's"},
		{response.Config{Game: "chess", Trials: 1, Matches: 1}, `"chess"`},
	} {
		c.cfg.Frozen = match.Named("random")
		if _, err := response.Find(context.Background(), nil, c.cfg); err == nil || !strings.Contains(err.Error(), "best response to random: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v; want %q", c.cfg, err, c.want)
		}
	}
	if _, err := response.Find(context.Background(), named("nobody"), response.Config{Game: "kuhn", Frozen: match.Named("random"), Trials: 1, Matches: 1}); err == nil {
		t.Error("nobody challenges")
	}
}

// quitter is a bot that ends a context with its first decision, and counts its decisions.
type quitter struct {
	end   func()
	acted int
}

func (*quitter) Name() string { return "quitter" }
func (q *quitter) Act(m engine.Match, r *engine.Rand) engine.Action {
	q.end()
	q.acted++
	return m.Legal().Sample(r)
}

// Who gives up need not wait for the whole tree, nor for what a search does at each of its information sets.
func TestExactAnswersEndWithTheirContext(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	bot := &quitter{end: end}
	cfg := response.Config{
		Game: "leduc", Matches: 1, Trials: 1, Nodes: 50_000,
		Frozen: match.Player{Name: "quitter", Bot: func(engine.Game) (bots.Bot, error) { return bot, nil }},
	}
	for range 2 {
		if _, err := response.Find(ctx, nil, cfg); !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v", err)
		}
	}
	if bot.acted == 0 || bot.acted > 100 {
		t.Errorf("the player is asked %d times: want those of one information set", bot.acted)
	}
}

// A linear rule over rows is enough to beat players who choose at random, and the search for one only improves on those it begins with.
func TestRulesAreFoundThatWin(t *testing.T) {
	cfg := response.Config{Game: "doubloons(seats=2)", Frozen: match.Named("random"), Trials: 80, Matches: 80, Seed: 3, Rules: 6}
	r := find(t, nil, cfg)
	if len(r.Tried) == 0 || r.Tried[0].How != "rule" || r.Best.Standing.Wins.Low < .6 {
		t.Errorf("tried %+v, best %+v", r.Tried, r.Best)
	}
	for _, tried := range r.Tried {
		if len(tried.Weights) == 0 {
			t.Errorf("%s has no weights", tried.Name)
		}
	}
	if again := find(t, nil, cfg); again.Best.Standing.Wins != r.Best.Standing.Wins || !slices.Equal(again.Best.Weights, r.Best.Weights) {
		t.Errorf("again: %+v", again.Best)
	}
}

// Time that is over leaves challengers untried, not the answer; learners play with what they have learnt by then.
func TestNobodyIsTriedAfterTheBudget(t *testing.T) {
	cfg := response.Config{Game: "kuhn", Frozen: match.Named("random"), Trials: 20, Matches: 20, Budget: time.Nanosecond}
	r := find(t, named("random", "search(rollouts=5)"), cfg)
	if r.Best != nil || len(r.Tried) != 0 || !slices.Equal(r.Left, []string{"random", "search(rollouts=5)"}) {
		t.Errorf("without time: %+v", r)
	}
	cfg.Budget = time.Hour
	learner := response.Challenger{Player: match.Player{Name: "learner"}, How: "learner", Train: func(ctx context.Context) (match.Player, int64, error) {
		if _, ends := ctx.Deadline(); !ends {
			t.Error("a learner has no deadline")
		}
		return match.Named("random"), 12, nil
	}}
	r = find(t, []response.Challenger{learner}, cfg)
	if r.Best == nil || r.Best.Name != "learner" || r.Best.Decisions != 12 || len(r.Left) != 0 {
		t.Errorf("with time: %+v", r)
	}
}

func TestWhatWasTriedIsNotTriedAgain(t *testing.T) {
	cfg := response.Config{Game: "doubloons(seats=2)", Frozen: match.Named("random"), Trials: 24, Matches: 12, Seed: 3, Rules: 3}
	var kept []response.Tried
	cfg.Keep = func(all []response.Tried) error { kept = slices.Clone(all); return nil }
	want := find(t, named("greedy"), cfg)
	if !reflect.DeepEqual(kept, want.Tried) {
		t.Fatalf("kept %+v; want %+v", kept, want.Tried)
	}
	cfg.Tried, cfg.Report = kept, nil
	cfg.Keep = func([]response.Tried) error { return nil }
	again := find(t, named("greedy"), cfg)
	if !reflect.DeepEqual(again.Tried, want.Tried) || again.Best.Standing != want.Best.Standing {
		t.Errorf("again %+v; want %+v", again, want)
	}
	full := errors.New("the disk is full")
	cfg.Keep = func([]response.Tried) error { return full }
	if _, err := response.Find(t.Context(), named("greedy"), cfg); !errors.Is(err, full) {
		t.Errorf("what cannot be kept: %v", err)
	}
}

// What is measured is what was tried: a learner is not trained beyond its trial, and another policy of the same name has a trial of its own.
func TestTheBestIsThePlayerThatWasTried(t *testing.T) {
	tried := match.Named("random")
	tried.Digest = "01"
	learner := response.Challenger{
		Player: match.Player{Name: "learner"}, How: "learner",
		Train: func(context.Context) (match.Player, int64, error) { return tried, 12, nil },
		Load:  func() (match.Player, error) { return tried, nil },
	}
	cfg := response.Config{Game: "kuhn", Frozen: match.Named("random"), Trials: 20, Matches: 20, Seed: 3}
	want := find(t, []response.Challenger{learner}, cfg)
	cfg.Tried = want.Tried
	learner.Train = func(context.Context) (match.Player, int64, error) {
		t.Error("it is trained again")
		return match.Player{}, 0, nil
	}
	if again := find(t, []response.Challenger{learner}, cfg); again.Best.Standing != want.Best.Standing || again.Best.Decisions != 12 || again.Best.Name != "learner" {
		t.Errorf("again %+v; want %+v", again.Best, want.Best)
	}
	learner.Load = func() (match.Player, error) { return match.Named("random"), nil }
	if _, err := response.Find(t.Context(), []response.Challenger{learner}, cfg); err == nil || !strings.Contains(err.Error(), `learner: it has the digest "", and the player that was tried has "01"`) {
		t.Errorf("a learner that was trained since: %v", err)
	}
	other := response.Challenger{Player: match.Named("random"), How: "named"}
	other.Name, other.Digest, cfg.Tried[0].Name = "policy", "02", "policy"
	if r := find(t, []response.Challenger{other}, cfg); r.Tried[0].Digest != "02" {
		t.Errorf("another policy of the same name: %+v", r.Tried)
	}
}
