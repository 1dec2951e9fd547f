package benchmark

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
	"github.com/privateer-rl/privateer/env/measure/response"
)

// small are two tasks that are done in a moment, by few matches against few opponents.
func small(t *testing.T) []Task {
	t.Helper()
	all, err := Find([]string{"jolly-3", "jolly-cards"})
	if err != nil {
		t.Fatal(err)
	}
	all[0].Matches, all[0].Pool = 3, slices.DeleteFunc(slices.Clone(all[0].Pool), func(m Member) bool { return m.Player != "random" && m.Player != "heuristic" })
	return all
}

func play(t *testing.T, player match.Player, cfg Config) *Result {
	t.Helper()
	r, _, err := Play(context.Background(), player, small(t), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func encoded(t *testing.T, r *Result) string {
	t.Helper()
	data, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestTheSameResultByAnyNumberOfWorkersAndShards(t *testing.T) {
	greedy := match.Named("greedy")
	want := encoded(t, play(t, greedy, Config{Workers: 1}))
	if got := encoded(t, play(t, greedy, Config{Workers: 3})); got != want {
		t.Errorf("three workers:\n%s\nwant\n%s", got, want)
	}
	var shards []*Result
	for k := 3; k >= 1; k-- {
		r := play(t, greedy, Config{Part: durable.Part{Shard: k, Shards: 3}})
		again, err := Decode([]byte(encoded(t, r))) // as it comes from another machine
		if err != nil {
			t.Fatal(err)
		}
		shards = append(shards, again)
	}
	merged, err := Merge(shards...)
	if err != nil {
		t.Fatal(err)
	}
	if got := encoded(t, merged); got != want {
		t.Errorf("three shards:\n%s\nwant\n%s", got, want)
	}
	if _, err := Merge(shards[0], play(t, match.Named("random"), Config{})); err == nil || !strings.Contains(err.Error(), "results of two runs: greedy") {
		t.Errorf("shards of two players: %v", err)
	}
	if cheap := (match.Cost{Timed: 1, Micros: 1}); merged.Tasks[0].Over(cheap) || merged.Tasks[0].Budget == 0 {
		t.Errorf("a microsecond is over the budget of %v, which the files do not have", merged.Tasks[0].Budget)
	}
	if len(shards[0].Games) != 0 || !strings.Contains(shards[0].Tasks[0].Missing(), "of 20 parts") {
		t.Errorf("a shard scores %v, and lacks %q", shards[0].Games, shards[0].Tasks[0].Missing())
	}
}

func TestAnInterruptedRunContinues(t *testing.T) {
	stop, kept := errors.New("stop"), []byte(nil)
	_, _, err := Play(context.Background(), match.Named("greedy"), small(t), Config{Keep: func(r *Result, _ Costs) error {
		kept = []byte(encoded(t, r))
		if len(r.Tasks[0].Lines[0].Parts) == 4 {
			return stop
		}
		return nil
	}})
	if !errors.Is(err, stop) {
		t.Fatal(err)
	}
	from, err := Decode(kept)
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	r := play(t, match.Named("greedy"), Config{From: from, Report: func(string, int, int) { parts++ }})
	if parts != 20-7+1 { // seven parts of lines were played, and the exact task is one more
		t.Errorf("it has played %d parts", parts)
	}
	whole := encoded(t, play(t, match.Named("greedy"), Config{}))
	if got := encoded(t, r); got != whole {
		t.Errorf("continued:\n%s\nwant\n%s", got, whole)
	}
	// The order in which tasks are named does not matter.
	tasks := small(t)
	slices.Reverse(tasks)
	turned, _, err := Play(context.Background(), match.Named("greedy"), tasks, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got := encoded(t, turned); got != whole {
		t.Errorf("turned:\n%s\nwant\n%s", got, whole)
	}
}

// A player scores 0 against itself, the exact equilibrium 1 and random play 0 where that is known.
func TestScores(t *testing.T) {
	r := play(t, match.Named("heuristic"), Config{})
	cards, three := r.Tasks[1], r.Tasks[0]
	if three.Lines[0].Opponent == "heuristic" || three.Lines[1].Opponent != "heuristic" {
		t.Fatalf("the opponents are %s and %s", three.Lines[0].Opponent, three.Lines[1].Opponent)
	}
	if x := three.Lines[1].Score(); math.Abs(x) > 1e-9 {
		t.Errorf("against itself the heuristic pirate scores %v", x)
	}
	if x := three.Lines[0].Score(); x < .5 {
		t.Errorf("against random pirates it scores %v", x)
	}
	if w := three.Worst; w.Opponent != "heuristic" || math.Abs(w.Wins.Mean-1./3) > 1e-9 {
		t.Errorf("the worst case is %+v", w)
	}
	if cards.Score.Mean != 1 {
		t.Errorf("with three cards it scores %v", cards.Score)
	}
	if g := r.Games; len(g) != 1 || g[0].Tasks != 1 || g[0].Score.Mean != three.Score.Mean {
		t.Errorf("the game's score is %v", g)
	}
	if random := play(t, match.Named("random"), Config{}); math.Abs(random.Tasks[1].Score.Mean) > .2 {
		t.Errorf("random play scores %v with three cards", random.Tasks[1].Score)
	}
	for share, want := range map[float64]float64{0: -1, .125: -.5, .25: 0, .625: .5, 1: 1} {
		if got := scale(share, .25); got != want {
			t.Errorf("a share of %v of an equal one of 0.25 scores %v, want %v", share, got, want)
		}
	}
}

func TestAPoolWhoseOpponentHasChangedIsRefused(t *testing.T) {
	for want, m := range map[string]Member{
		`opponent heuristic: its decisions have the digest`: {Player: "heuristic", Digest: "0123"},
		`opponent greedy: its file has the digest "", want`: {Player: "greedy", Bundle: "0123"},
		`opponent nobody: `: {Player: "nobody"},
	} {
		if _, _, err := Play(context.Background(), match.Named("random"), small(t), Config{Pool: []Member{m}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", m, err, want)
		}
	}
	tasks := small(t)
	tasks[0].Rules = "0123"
	if _, _, err := Play(context.Background(), match.Named("random"), tasks, Config{}); err == nil || !strings.Contains(err.Error(), "the task needs a new version") {
		t.Errorf("other rules: error %v", err)
	}
	r := play(t, match.Named("random"), Config{Pool: []Member{{Player: "greedy"}}})
	if l := r.Tasks[0].Lines; len(l) != 3 || l[2].Opponent != "greedy" || l[2].Digest == "" || !r.Pool {
		t.Errorf("an opponent that was added: %+v", l)
	}
}

// submission is a folder with a result of greedy pirates at one whole task.
func submission(t *testing.T) (folder string, data []byte) {
	t.Helper()
	tasks, err := Find([]string{"jolly-cards"})
	if err != nil {
		t.Fatal(err)
	}
	r, costs, err := Play(context.Background(), match.Named("greedy"), tasks, Config{})
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	if err := WriteResult(folder, r, costs); err != nil {
		t.Fatal(err)
	}
	card := "name: greedy\nplayer: greedy\nby: us\nhow: by hand\ndecisions: none\ncost: none\ndata: none\n"
	if err := os.WriteFile(filepath.Join(folder, CardFile), []byte(card), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := ReadEntry(folder)
	if err != nil {
		t.Fatal(err)
	}
	return folder, e.Data
}

func TestASubmissionThatIsWhatItSaysPassesAndOthersDoNot(t *testing.T) {
	_, data := submission(t)
	check := func(data []byte, player string) error {
		_, err := Check(context.Background(), data, match.Named(player), Audit{Load: named})
		return err
	}
	if err := check(data, "greedy"); err != nil {
		t.Error(err)
	}
	for sample, want := range map[int]int{0: 0, 20: 1} {
		if n, err := Check(context.Background(), data, match.Named("greedy"), Audit{Load: named, Sample: sample}); n != want || err != nil {
			t.Errorf("a sample of %d: %d played again, error %v", sample, n, err)
		}
	}
	for want, change := range map[string][2]string{
		"do not follow from its parts":   {`"score": {"mean": `, `"score": {"mean": 0.1`},
		"task jolly-cards@2":             {"jolly-cards@1", "jolly-cards@2"},
		"the result is of":               {`"rules": "`, `"rules": "0`},
		"is no result of privateer":      {`"player"`, `"payer"`},
		"a submission wants all matches": {`"reproducible"`, `"quick": true, "reproducible"`},
		"the player has the digest":      {`"player": "greedy"`, `"player": "greedy", "digest": "12"`},
		"something follows its end":      {"]\n}\n", "]\n}\n}"},
	} {
		edited := bytes.ReplaceAll(data, []byte(change[0]), []byte(change[1]))
		if bytes.Equal(edited, data) {
			t.Fatalf("%q is not in the result", change[0])
		}
		if err := check(edited, "greedy"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v", want, err)
		}
	}
	if err := check(data, "random"); err == nil || !strings.Contains(err.Error(), "the player's decisions have the digest") {
		t.Errorf("of another player: %v", err)
	}
}

// Edited parts are found when they are played again, though the scores were worked out from them.
func TestPartsThatComeOutOtherwiseAreFound(t *testing.T) {
	r := play(t, match.Named("random"), Config{})
	audit := Audit{Load: named, Sample: 1000, Seed: 5}
	if n, err := r.again(context.Background(), match.Named("random"), audit); err != nil || n != 21 {
		t.Fatalf("%d parts again: %v", n, err)
	}
	cards := &r.Tasks[1]
	truth := *cards.Exact
	cards.Exact.Exploitability = 0
	cards.sumUp()
	if _, err := r.again(context.Background(), match.Named("random"), audit); err == nil || !strings.Contains(err.Error(), "task jolly-cards@1: the result says that the player's exploitability is 0, ") {
		t.Errorf("an edited exploitability: %v", err)
	}
	cards.Decisions = ""
	if _, err := r.again(context.Background(), match.Named("random"), audit); err == nil || !strings.Contains(err.Error(), "measured again it is") {
		t.Errorf("an edited exploitability of a program: %v", err)
	}
	cards.Exact = &truth
	cards.sumUp()
	p := &r.Tasks[0].Lines[1].Parts[3]
	p.Wins[alone] += .1
	r.sumUp()
	if _, err := r.again(context.Background(), match.Named("random"), audit); err == nil || !strings.Contains(err.Error(), "opponent heuristic, part 3: the result says") {
		t.Errorf("edited: %v", err)
	}
	// Of a player that cannot be reproduced every part may differ, but not all in its favour.
	r.Tasks[0].Decisions = ""
	if _, err := r.again(context.Background(), match.Named("random"), audit); err != nil {
		t.Errorf("one part of an erratic player: %v", err)
	}
	for i := range r.Tasks[0].Lines {
		for j := range r.Tasks[0].Lines[i].Parts {
			for kind := range kinds {
				r.Tasks[0].Lines[i].Parts[j].Wins[kind] += .05 + .01*float64((i+j+kind)%3)
			}
		}
	}
	if _, err := r.again(context.Background(), match.Named("random"), audit); err == nil || !strings.Contains(err.Error(), "more of the wins than the player has") {
		t.Errorf("all parts of an erratic player: %v", err)
	}
}

// A claim does not hide behind the differences that it makes itself, and chance is not refused.
func TestClaimsBeyondChanceAreRefused(t *testing.T) {
	for _, c := range []struct {
		shares []float64
		want   string
	}{
		{[]float64{.1}, ""}, // one part of 80 matches says little
		{[]float64{.3, -.2, .1, -.1, 0, .05}, ""},
		{append(make([]float64, 19), .5), "of a part than"},
		{append(make([]float64, 14), .3, .3, .3, .3, .3, .3), "more of the wins than"},
		{[]float64{.05, .05, .05, .05, .05, .05, .05, .05, .05, .06}, "more of the wins than"},
	} {
		var all []excess
		for _, x := range c.shares {
			all = append(all, excess{x, .5 / 80})
		}
		if err := tooMuch(all); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.shares, err, c.want)
		}
	}
}

// What a result says of a task is compared with the task: the scores that follow from what was edited are no excuse.
func TestATaskThatWasEditedIsRefused(t *testing.T) {
	tasks, err := Find([]string{"jolly-3"})
	if err != nil {
		t.Fatal(err)
	}
	task := tasks[0]
	whole := func() Scored {
		s := Scored{Task: task}
		for _, m := range task.Pool {
			l := Line{Opponent: m.Player, Digest: m.Digest, Seats: 3}
			for part := range Parts {
				l.Parts = append(l.Parts, Part{Part: part})
			}
			s.Lines = append(s.Lines, l)
		}
		return s
	}
	for want, edit := range map[string]func(s *Scored){
		"measured exactly: true, want false": func(s *Scored) { s.Exact = new(response.Exact) },
		"opponent random: 50 seats, want 3":  func(s *Scored) { s.Lines[0].Seats = 50 },
		"opponent random with digest 00":     func(s *Scored) { s.Lines[0].Digest = "00" },
		"the result lacks parts":             func(s *Scored) { s.Lines[2].Parts = nil },
		"the player's decisions have":        func(*Scored) {},
	} {
		s := whole()
		edit(&s)
		if err := s.known(context.Background(), match.Named("greedy")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	r := Result{Player: "greedy", Tasks: []Scored{whole(), whole()}}
	if _, err := Decode([]byte(encoded(t, &r))); err == nil || !strings.Contains(err.Error(), "task jolly-3@1 is there twice") {
		t.Errorf("a task twice: %v", err)
	}
	for _, other := range []string{"jolly-3", "jolly_roger", "jolly-3@01"} { // by which a player may ask for it
		s := whole()
		s.Name = other
		if err := s.known(context.Background(), match.Named("greedy")); err == nil || !strings.Contains(err.Error(), "jolly-3@1") || s.Name != other {
			t.Errorf("a task that is called %s: %v", other, err)
		}
	}
	r.Tasks[1].Name = "jolly-3"
	if _, err := Decode([]byte(encoded(t, &r))); err == nil || !strings.Contains(err.Error(), "task jolly-3 has no version: want a name like jolly-3@1") {
		t.Errorf("a task without version: %v", err)
	}
	r.Tasks = r.Tasks[:1]
	r.Tasks[0].Lines[1].Parts[4].Wins[mixed] = 1.5
	if _, err := Decode([]byte(encoded(t, &r))); err == nil || !strings.Contains(err.Error(), "opponent greedy, part 4: shares of wins [0 0 1.5]") {
		t.Errorf("more than all wins: %v", err)
	}
	r.Tasks = nil
	if err := r.Whole(); err == nil {
		t.Error("a result without tasks is a score")
	}
}

// Costs are not the same on any machine, and no player's are a tenth of those here.
func TestForgedCostsAreFound(t *testing.T) {
	r := play(t, match.Named("heuristic"), Config{})
	again := func(c match.Cost) error {
		_, err := r.again(context.Background(), match.Named("heuristic"), Audit{Load: named, Sample: 1000, Costs: Costs{"jolly-3@1": c}})
		return err
	}
	if err := again(match.Cost{Timed: 1, Micros: 1e6}); err != nil {
		t.Errorf("a slow machine: %v", err)
	}
	defer func(n int64) { leastTimed = n }(leastTimed)
	leastTimed = 1
	if err := again(match.Cost{Timed: 1, Micros: 1e-6}); err == nil || !strings.Contains(err.Error(), "costs.json says that a decision takes 1e-06 µs; here it takes ") {
		t.Errorf("a millionth: %v", err)
	}
}

// A program that does not run here is not what the result is of, though it may score alike: random moves take its place.
func TestAProgramThatFailsIsNotCompared(t *testing.T) {
	now := bots.Faults{Crashes: 30, First: "no such file"}
	for decisions, want := range map[int64]string{400: "the result has 5 faults of the player; here it has 30: no such file", 600: ""} {
		if err := fails(now, bots.Faults{Silences: 5}, decisions); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("of %d decisions: %v, want %q", decisions, err, want)
		}
	}
}

// The player of a card is in its folder, or is a bot.
func TestACardNamesNothingOutsideOfItsFolder(t *testing.T) {
	folder, _ := submission(t)
	e, err := ReadEntry(folder)
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(filepath.Dir(folder), "other.bundle")
	for path, data := range map[string]string{outside: "PVTRBNDL", filepath.Join(folder, "mine.bundle"): ""} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for player, file := range map[string]bool{"mine.bundle": true, "greedy": false, "policy:pirate": false, "search(rollouts=4)": false, "exec:python3 ../a.py": false} {
		e.Card.Player = player
		if name, is, err := e.PlayerName(); err != nil || is != file || file != (name == filepath.Join(folder, player)) {
			t.Errorf("%s: %s, a file %v, error %v", player, name, is, err)
		}
	}
	for _, player := range []string{"../other.bundle", outside, "policy:" + outside, "search(rollouts=4,prior=policy:" + outside + ")", "other.bundle", "runs/mine"} {
		e.Card.Player = player
		if _, _, err := e.PlayerName(); err == nil || !strings.Contains(err.Error(), "in the folder: want a file of the folder") {
			t.Errorf("%s: error %v", player, err)
		}
	}
}

// The figures are those of the library rliable 1.2.0 of the method's authors on the same scores, intervals by 50,000 resamples.
func TestStatisticsOfRecipes(t *testing.T) {
	a := Runs{"a", [][]float64{{.351, .693, -.149, .449, -.176}, {.508, .696, .241, .078, .359}, {.091, -.074, -.17, .476, .059}, {.311, .007, .257, .391, .215}}}
	b := Runs{"b", [][]float64{{.164, .611, -.294, .51}, {.485, .708, .316, .116}, {-.033, -.251, -.08, .327}, {.074, -.204, .226, .128}}}
	for _, c := range []struct{ got, want measure.Estimate }{
		{a.IQM(1), measure.Estimate{Mean: .2353, Low: .1031, High: .3613}},
		{b.IQM(1), measure.Estimate{Mean: .16475, Low: .015125, High: .310375}},
		{a.Improves(b, 1), measure.Estimate{Mean: .6, Low: .4, High: .7875}},
	} {
		if math.Abs(c.got.Mean-c.want.Mean) > 1e-12 || math.Abs(c.got.Low-c.want.Low) > .02 || math.Abs(c.got.High-c.want.High) > .02 {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
	for threshold, want := range map[float64]float64{0: .8, .25: .5, .5: .15} {
		if got := a.Profile(threshold); got != want {
			t.Errorf("above %v is a share of %v, want %v", threshold, got, want)
		}
	}
}

func TestLeaderboard(t *testing.T) {
	var entries []*Entry
	for i := range 2 {
		folder, _ := submission(t)
		e, err := ReadEntry(folder)
		if err != nil {
			t.Fatal(err)
		}
		e.Recipe, e.Seed = "by hand", uint64(i)
		entries = append(entries, e)
	}
	page, plots := Leaderboard(entries)
	for _, want := range []string{"## jolly_roger\n", "| greedy | ", "| by hand | 2 | ", "(jolly_roger-profiles.svg)", " is `jolly_roger(seats=", "## Entries\n\n| player | by | how |"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q:\n%s", want, page)
		}
	}
	foreign := *entries[0]
	foreign.Name, foreign.How, foreign.Link = "a | b", "c\n\n## <script>", "x|y"
	if page, _ := Leaderboard([]*Entry{&foreign}); !strings.Contains(page, `| [a \| b](x\|y) |`) || !strings.Contains(page, "| c ## &lt;script> |") {
		t.Errorf("a card with marks of Markdown:\n%s", page)
	}
	if len(plots) != 1 || !strings.Contains(plots["jolly_roger-profiles.svg"], "<polyline") {
		t.Errorf("plots %v", plots)
	}
	tasks, err := Find([]string{"jolly-3"})
	if err != nil {
		t.Fatal(err)
	}
	tasks[0].Matches, tasks[0].Pool = 3, tasks[0].Pool[:1]
	more := *entries[0]
	more.Name = "more"
	if more.Result, _, err = Play(context.Background(), match.Named("random"), tasks, Config{}); err != nil {
		t.Fatal(err)
	}
	page, _ = Leaderboard(append(entries, &more))
	if !strings.Contains(page, "| more | 0.000 ± ") || !strings.Contains(page, "| greedy | – |") {
		t.Errorf("with an entry of another task:\n%s", page)
	}
	if turned, _ := Leaderboard(append([]*Entry{&more}, entries...)); turned != page {
		t.Errorf("the same in another order:\n%s\nwant\n%s", turned, page)
	}
	// Recipes are compared by the tasks that their runs share, though other entries have done more.
	both, again := more, more
	both.Recipe, again.Recipe = "a", "a"
	wide := more
	wider := *more.Result
	other := wider.Tasks[0]
	other.Name = "jolly-6@1"
	wider.Tasks = append(slices.Clone(wider.Tasks), other)
	wide.Result = &wider
	page, plots = Leaderboard([]*Entry{&both, &again, &wide})
	if want := "at jolly-3@1: the interquartile mean"; !strings.Contains(page, want) || plots["jolly_roger-profiles.svg"] == "" {
		t.Errorf("runs of some tasks: there is no %q:\n%s", want, page)
	}
	folder, _ := submission(t)
	card, err := os.ReadFile(filepath.Join(folder, CardFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, CardFile), append(card, "link: javascript:alert(1)\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadEntry(folder); err == nil || !strings.Contains(err.Error(), "want a page of the web") {
		t.Errorf("a link that is a program: %v", err)
	}
	if _, err := ReadEntry(t.TempDir()); err == nil || !strings.Contains(err.Error(), "card.yaml") {
		t.Errorf("an empty folder: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"privateer":"v","player":"p","reproducible":true,"games":null,"tasks":[{"task":"kuhn@1","game":"kuhn","rules":"","score":{"mean":1,"low":null,"high":1},"lines":[{"opponent":"o","seats":2,"alone":{},"against":{},"mixed":{},"parts":[{"part":0,"wins":[1,0,0],"margin":[0,0,0]}]}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Decode(data)
		if err != nil {
			return
		}
		r.sumUp()
		if _, err := r.Encode(); err != nil && !strings.Contains(err.Error(), "unsupported value") {
			t.Fatal(err)
		}
	})
}
