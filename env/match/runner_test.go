package match

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

func TestAMatchDoesNotDependOnWhatElseIsPlayed(t *testing.T) {
	r, err := NewRunner("doubloons(seats=3)", 2, Named("heuristic"), Named("random"))
	if err != nil {
		t.Fatal(err)
	}
	var all []Match
	for deal := range uint64(6) {
		all = append(all, Deal(3, deal, []int{0, 1, 1}), Deal(3, deal, []int{1, 0, 1}))
	}
	together, err := r.Play(context.Background(), all)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(all) - 1; i >= 0; i-- {
		alone, err := r.Play(context.Background(), all[i:i+1])
		if err != nil || !reflect.DeepEqual(alone[0], together[i]) {
			t.Errorf("match %d: %+v, error %v; want %+v", i, alone, err, together[i])
		}
	}
}

// Places come from the rules' own order, tie-breaks included, whatever the game pays.
func TestPlacesAreThoseOfTheRulesWhateverTheGamePays(t *testing.T) {
	var byPlace [][]int
	for _, objective := range []string{"win", "rank", "margin"} {
		r, err := NewRunner("doubloons(seats=5,objective="+objective+")", 2, Named("random"))
		if err != nil {
			t.Fatal(err)
		}
		var all []Match
		for deal := range uint64(4) {
			all = append(all, Deal(6, deal, make([]int, 5)))
		}
		finals, err := r.Play(context.Background(), all)
		if err != nil {
			t.Fatal(err)
		}
		var places [][]int
		for _, f := range finals {
			places = append(places, f.Places)
			for seat, p := range f.Places {
				for other, q := range f.Places {
					if p < q && f.Points[seat] < f.Points[other] {
						t.Errorf("objective=%s: places %v of points %v", objective, f.Places, f.Points)
					}
				}
				if (p == 1) != (f.Wins[seat] > 0) {
					t.Errorf("objective=%s: places %v, wins %v", objective, f.Places, f.Wins)
				}
			}
		}
		if byPlace == nil {
			byPlace = places
		}
		if !reflect.DeepEqual(places, byPlace) {
			t.Errorf("objective=%s: places %v; want %v", objective, places, byPlace)
		}
	}
}

func TestGreedyTakesTheLikeliestLegalAction(t *testing.T) {
	var legal engine.Mask
	if a := likeliest(&legal, nil); a != -1 {
		t.Errorf("of none it is %d", a)
	}
	legal.Set(0)
	legal.Set(1)
	legal.Set(3)
	legal.Set(4)
	if a := likeliest(&legal, []float32{0.1, 0.6, 0.9, 0.3, 0.6}); a != 1 {
		t.Errorf("it is %d; want 1", a)
	}
	if a := likeliest(&legal, []float32{0, 0, 0.9, 0, 0}); a != -1 {
		t.Errorf("of impossible ones it is %d", a)
	}
}

// leaning prefers actions by what a decision shows, alike in every batch.
type leaning struct{ largest *int }

func (p leaning) Probs(n int, obs, mask []uint8, probs []float32) error {
	*p.largest = max(*p.largest, n)
	width, size := len(mask)/n, len(obs)/n
	for i := range probs {
		seen := obs[i/width*size+i%width%size]
		probs[i] = float32(mask[i]) * float32(1+(i%width*7+int(seen))%5)
	}
	return nil
}

func TestPoliciesAndBotsPlayTheSameMatchesWhateverIsPlayedAtATime(t *testing.T) {
	var first []Final
	for _, workers := range []int{1, 3} {
		largest := 0
		greedy := Batched("greedy", leaning{&largest})
		greedy.Greedy = true
		r, err := NewRunner("leduc", workers, Batched("sampled", leaning{&largest}), Named("random"), greedy)
		if err != nil {
			t.Fatal(err)
		}
		var all []Match
		for deal := range uint64(parallel + 100) { // more than are played at a time
			all = append(all, Deal(3, deal, []int{int(deal % 3), int(deal / 3 % 3)}))
		}
		finals, err := r.Play(context.Background(), all)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = finals
		}
		if !reflect.DeepEqual(finals, first) {
			t.Errorf("%d workers: other matches", workers)
		}
		if largest < 100 {
			t.Errorf("the largest batch had %d decisions", largest)
		}
		for k := 0; k < len(all); k += 97 {
			alone, err := r.Play(context.Background(), all[k:k+1])
			if err != nil || !reflect.DeepEqual(alone[0], first[k]) {
				t.Errorf("match %d by itself: %+v, error %v; want %+v", k, alone, err, first[k])
			}
		}
	}
}

func TestAMatchIsForcedRecordedAndFollowed(t *testing.T) {
	largest := 0
	r, err := NewRunner("kuhn", 1, Named("random"), Batched("leaning", leaning{&largest}))
	if err != nil {
		t.Fatal(err)
	}
	decisions, begun, ended := 0, 0, 0
	r.Watch = func() (Watcher, error) {
		return Watcher{
			Begin:  func(int, *Match) error { begun++; return nil },
			Decide: func(engine.Match, bots.Bot, engine.Action) error { decisions++; return nil },
			End:    func(engine.Match, *Final) error { ended++; return nil },
		}, nil
	}
	bet := func(m engine.Match) engine.Action { return 1 }
	matches := make([]Match, 8)
	for i := range matches {
		matches[i] = Deal(1, uint64(i), []int{i % 2, 1})
		matches[i].Forced, matches[i].Record = bet, new(engine.Transcript)
	}
	finals, err := r.Play(context.Background(), matches)
	if err != nil {
		t.Fatal(err)
	}
	if largest != 0 || decisions != 16 || begun != 8 || ended != 8 {
		t.Errorf("%d decisions followed in %d of %d matches, policies asked for %d", decisions, ended, begun, largest)
	}
	for i, m := range matches {
		again, err := m.Record.Replay(nil)
		if err != nil || again.Seat() != engine.Over || finals[i].Decisions != 2 || len(m.Record.Steps) != 2 || !reflect.DeepEqual(m.Record.Returns, finals[i].Returns) {
			t.Errorf("match %d: %+v, error %v", i, m.Record, err)
		}
	}
}

// What a watcher puts in place of a choice is what is played, recorded and told.
func TestAWatcherReplacesChoices(t *testing.T) {
	r, err := NewRunner("kuhn", 2, Named("random"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Watch = func() (Watcher, error) {
		return Watcher{
			Begin: func(int, *Match) error { return nil },
			Decide: func(m engine.Match, _ bots.Bot, a engine.Action) error {
				if a != m.Legal().First() {
					t.Errorf("told of action %d", a)
				}
				return nil
			},
			End:     func(engine.Match, *Final) error { return nil },
			Replace: func(m engine.Match, _ engine.Action, _ *engine.Rand) engine.Action { return m.Legal().First() },
		}, nil
	}
	matches := make([]Match, 8)
	for i := range matches {
		matches[i] = Deal(1, uint64(i), []int{0, 0})
		matches[i].Record = new(engine.Transcript)
	}
	if _, err := r.Play(context.Background(), matches); err != nil {
		t.Fatal(err)
	}
	for i, m := range matches {
		if len(m.Record.Steps) != 2 || m.Record.Steps[0].Action != "pass" || m.Record.Steps[1].Action != "pass" {
			t.Errorf("match %d: %+v", i, m.Record.Steps)
		}
	}
}

func TestADecisionAllocatesNothing(t *testing.T) {
	largest := 0
	r, err := NewRunner("doubloons(seats=4)", 1, Named("random"), Batched("leaning", leaning{&largest}))
	if err != nil {
		t.Fatal(err)
	}
	var all []Match
	for deal := range uint64(64) {
		all = append(all, Deal(1, deal, []int{0, 1, 0, 1}))
	}
	var finals []Final
	allocated := testing.AllocsPerRun(2, func() {
		if finals, err = r.Play(context.Background(), all); err != nil {
			t.Fatal(err)
		}
	})
	decisions := 0
	for _, f := range finals {
		decisions += f.Decisions
	}
	// A match has its result, and a round of forward passes a goroutine for each worker.
	if per := allocated / float64(decisions); per > .15 {
		t.Errorf("%v allocations in a decision, of %d", per, decisions)
	}
}

func TestAPlayerThatCannotDecideIsRefused(t *testing.T) {
	for want, p := range map[string]Player{
		"player 0 (nobody) is neither a bot nor a policy": {Name: "nobody"},
		`unknown bot "nobody"`:                            Named("nobody"),
	} {
		if _, err := NewRunner("kuhn", 1, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %s", err, want)
		}
	}
}
