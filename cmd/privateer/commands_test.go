package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/clauses"
)

func TestSimulationIsIndependentOfWorkers(t *testing.T) {
	for _, args := range [][]string{
		{"sim", "leduc", "--matches", "100", "--seed", "3", "--json"},
		{"sim", "doubloons(seats=3)", "--matches", "40", "--seed", "3", "--json"},
	} {
		one := must(t, "", append(args, "--workers", "1")...)
		for _, workers := range []string{"2", "3", "7"} {
			if got := must(t, "", append(args, "--workers", workers)...); got != one {
				t.Errorf("%s with %s workers: other results than with 1", args[1], workers)
			}
		}
	}
}

func TestMatchesThatALimitCutsShortAreCountedAndHaveNoWinner(t *testing.T) {
	type sim struct {
		Matches, Truncated int
		Seats              []struct{ Wins, Return struct{ Mean float64 } }
	}
	const game = "doubloons(seats=2,max_rounds=1)"
	dir := t.TempDir()
	r := decode[sim](t, must(t, "", "sim", game, "--matches", "4", "--json", "--record", dir))
	if r.Truncated != 4 || r.Seats[0].Wins.Mean != 0.5 || r.Seats[1].Return.Mean != 0 {
		t.Errorf("%+v: want 4 truncated matches, shared wins and no returns", r)
	}
	if r := decode[sim](t, must(t, "", "sim", "leduc", "--matches", "4", "--json")); r.Truncated != 0 {
		t.Errorf("leduc: %d truncated matches", r.Truncated)
	}
	if out := must(t, "", "sim", game, "--matches", "4"); !strings.Contains(out, "truncated") || !strings.Contains(out, "nobody has won") {
		t.Errorf("the summary does not say that matches were cut short:\n%s", out)
	}
	if out := must(t, "", "replay", filepath.Join(dir, "match_000000.txt")); !strings.Contains(out, "max_rounds=1 has ended it after") {
		t.Errorf("the replay does not say what has ended the match:\n%s", out[max(0, len(out)-200):])
	}
	if out := must(t, strings.Repeat("1\n", 200), "play", game, "--seed", "4", "--bots", "random"); !strings.Contains(out, "max_rounds=1 has ended the match, not the rules: nobody has won\n") {
		t.Errorf("play does not say what has ended the match:\n%s", out[max(0, len(out)-200):])
	}
	if out := must(t, `{"game": "`+game+`", "round": 2, "phase": "program"}`, "position", "validate"); !strings.Contains(out, "the match is over: max_rounds=1 has ended it") {
		t.Errorf("validate does not say what has ended the match: %s", out)
	}
}

func TestSimulationGivesEveryBotEverySeat(t *testing.T) {
	type sim struct {
		Bots []struct {
			Name   string
			Played int64
		}
		Seats []struct{ Played int64 }
	}
	r := decode[sim](t, must(t, "", "sim", "doubloons(seats=3)", "--matches", "3", "--bots", "heuristic,random,random", "--json"))
	if len(r.Bots) != 2 || r.Bots[0].Name != "heuristic" || r.Bots[0].Played != 3 || r.Bots[1].Played != 6 {
		t.Errorf("bots %+v; want heuristic in 3 seats and random in 6", r.Bots)
	}
	s := &simulation{game: "doubloons(seats=3)", matches: 1, bots: []string{"heuristic", "random", "random"}}
	if err := s.prepare(); err != nil {
		t.Fatal(err)
	}
	had := map[int]bool{}
	for i := range 3 {
		for seat := range 3 {
			if s.botAt(i, seat) == 0 {
				had[seat] = true
			}
		}
	}
	if len(had) != 3 {
		t.Errorf("the first bot had seats %v; want all three", had)
	}
	if s.fixed = true; s.botAt(1, 0) != 0 || s.botAt(2, 2) != 2 {
		t.Error("with --fixed-seats the bots still move")
	}
}

func TestRecordedMatchesReplay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	must(t, "", "sim", "leduc", "--matches", "20", "--seed", "9", "--record", dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 20 {
		t.Fatalf("%d files; want a transcript of each of 20 matches and nothing else", len(entries))
	}
	for _, e := range entries {
		if out := must(t, "", "replay", filepath.Join(dir, e.Name())); !strings.Contains(out, "over after") {
			t.Errorf("%s does not come to its end:\n%s", e.Name(), out)
		}
	}
}

func TestReplayDrawsTheMatchAfterAnyStep(t *testing.T) {
	transcript := dealt(1, "K")
	start := must(t, transcript, "replay", "-", "--svg", "0")
	end := must(t, transcript, "replay", "-", "--svg", "6")
	if start == end || !strings.HasPrefix(start, "<svg ") || !strings.HasSuffix(end, "</svg>\n") || !strings.Contains(end, "pot 6") {
		t.Errorf("the pictures of the first and the last step:\n%s\n%s", start, end)
	}
	if r := privateer(t, transcript, "replay", "-", "--svg", "7"); r.code != exitUsage || !strings.Contains(r.err, "give 0 to 6") {
		t.Errorf("%+v; want how many steps there are", r)
	}
}

func TestInterruptedSimulationSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(fmt.Errorf("interrupt"))
	var out, errs strings.Builder
	code := run(ctx, []string{"sim", "leduc", "--matches", "1000000"}, strings.NewReader(""), &out, &errs)
	if code != exitFailed || out.String() != "" || !strings.Contains(errs.String(), "stopped after") {
		t.Errorf("exit code %d, output %q, error %q", code, out.String(), errs.String())
	}
}

func TestIntervalsHoldTheTruthAndStayInRange(t *testing.T) {
	var all, none, half moments
	for i := range 50 {
		all.add(1)
		none.add(0)
		half.add(float64(i % 2))
	}
	if s := all.share(); s.Mean != 1 || s.High != 1 || s.Low > 0.95 || s.Low < 0.9 {
		t.Errorf("50 of 50: %v", s)
	}
	if s := none.share(); s.Mean != 0 || s.Low != 0 || s.High < 0.05 || s.High > 0.1 {
		t.Errorf("0 of 50: %v", s)
	}
	// Wilson's interval for 25 of 50, from the formula by hand.
	if s := half.share(); s.Low < 0.3664 || s.Low > 0.3665 || s.High < 0.6335 || s.High > 0.6336 {
		t.Errorf("25 of 50: %v; want [0.3664, 0.6336]", s)
	}
	// 25 zeros and 25 ones: the deviation is sqrt(12.5/49).
	if s := half.normal(); s.Low < 0.3599 || s.Low > 0.3601 {
		t.Errorf("mean of 25 zeros and 25 ones: %v; want [0.360, 0.640]", s)
	}
}

func TestPlayLeavesCleanlyAtTheEndOfInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "folder", "left.txt")
	out := must(t, "call\n", "play", "leduc", "--seed", "4", "--save", path)
	if !strings.Contains(out, "left after") {
		t.Errorf("output %q; want it to say that the match was left", out)
	}
	if out := must(t, "", "replay", path); !strings.Contains(out, "cut short after") {
		t.Errorf("replay of the match that was left: %q", out)
	}
	for _, word := range []string{"q\n", "quit\n"} {
		if out := must(t, word, "play", "leduc"); !strings.Contains(out, "left after") {
			t.Errorf("%q does not leave: %q", word, out)
		}
	}
}

func TestPlayLeavesCleanlyOnInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in, keepOpen := io.Pipe()
	defer keepOpen.Close()
	var out, errs strings.Builder
	if code := run(ctx, []string{"play", "leduc"}, in, &out, &errs); code != exitOK || errs.String() != "" {
		t.Errorf("exit code %d, error %q", code, errs.String())
	}
}

func TestPlayNeverShowsWhatTheSeatMayNotKnow(t *testing.T) {
	// Seat 1 has the Q in this deal, which nobody else may see before the end.
	before, _, ended := strings.Cut(must(t, "1\n1\n1\n1\n1\n", "play", "leduc", "--seed", "4", "--bots", "random"), "return")
	if !ended {
		t.Fatal("the match did not end")
	}
	board := before[:strings.LastIndex(before, "round ")]
	if i := strings.LastIndex(board, "\n>"); i >= 0 {
		board = board[:i]
	}
	if strings.Contains(board, "seat 1  card Q") || strings.Contains(board, "seat 1  card K") || strings.Contains(board, "seat 1  card J") {
		t.Errorf("the other's card is shown before the end:\n%s", board)
	}
	if !strings.Contains(board, "seat 1  card ?") {
		t.Errorf("the board does not show the other seat:\n%s", board)
	}
}

func TestPlayTellsWhatTheOthersOpenlyDid(t *testing.T) {
	out := must(t, strings.Repeat("1\n", 12), "play", "doubloons(seats=3)", "--seed", "5", "--bots", "random")
	told := strings.SplitAfter(out, "since your last decision:\n")[1:]
	acted := false
	for _, s := range told {
		s, _, _ = strings.Cut(s, "\n\n")
		acted = acted || strings.Contains(s, "  seat 1: ") && strings.Contains(s, "do=")
		for _, line := range strings.Split(s, "\n") {
			if strings.HasPrefix(line, "  seat ") && (strings.Contains(line, "card=") || strings.Contains(line, "seat 0: ")) {
				t.Errorf("told %q: programmed cards lie face down, and the person knows what he did himself", line)
			}
		}
	}
	if !acted {
		t.Errorf("%d times nothing is told of what the bots did:\n%s", len(told), out)
	}
}

func TestReplayThroughASeatsEyesShowsNoHiddenChoice(t *testing.T) {
	type reply struct {
		Steps []struct {
			Seat             int
			Action, Decision string
			Position         struct{ Quartermaster int }
		}
	}
	replays := func(game string, eyes ...string) (all []reply) {
		dir := t.TempDir()
		must(t, "", "sim", game, "--matches", "1", "--seed", "5", "--record", dir)
		for _, view := range eyes {
			all = append(all, decode[reply](t, must(t, "", "replay", filepath.Join(dir, "match_000000.txt"), "--json", "--positions", "--view", view)))
		}
		return all
	}
	// Cards are programmed face down: that it happens is seen, not which card.
	both := replays("doubloons(seats=3,modules=steal_ship)", "full", "1")
	if len(both[0].Steps) != len(both[1].Steps) {
		t.Fatalf("%d steps for all eyes and %d for seat 1", len(both[0].Steps), len(both[1].Steps))
	}
	hidden, own := 0, 0
	for i, s := range both[1].Steps {
		programs := strings.Contains(s.Decision, "face down")
		want := both[0].Steps[i].Action
		switch {
		case programs && s.Seat != 1:
			hidden++
			want = "?"
		case programs:
			own++
		}
		if s.Action != want {
			t.Fatalf("step %d, %s: seat 1 sees %q; want %q", i+1, s.Decision, s.Action, want)
		}
	}
	if hidden == 0 || own == 0 {
		t.Errorf("%d programmed cards of others and %d of its own", hidden, own)
	}
	// A reaction that is not made would show who could make it, so it is not shown at all.
	// The Quartermaster has his turn whatever he holds.
	both = replays("jolly_roger(seats=5)", "full", "1")
	passes := func(r reply) (n int) {
		for _, s := range r.Steps {
			n += int(engine.Bit(s.Seat != 1 && s.Seat != s.Position.Quartermaster && s.Action == "pass" && strings.Contains(s.Decision, "attack: play a card")))
		}
		return n
	}
	if n := passes(both[1]); n > 0 {
		t.Errorf("seat 1 sees %d times that another could have played", n)
	}
	skipped := passes(both[0])
	if skipped == 0 || len(both[1].Steps) >= len(both[0].Steps) {
		t.Errorf("%d passes in the match; %d steps for all eyes and %d for seat 1", skipped, len(both[0].Steps), len(both[1].Steps))
	}
}

// dealt is a match with chance written out, of which seat 0 has seen the same
// whichever card seat 1 was dealt.
func dealt(seed int, card string) string {
	return fmt.Sprintf("privateer transcript 1\ngame: leduc(chance=explicit)\nseed: %d\nchance deal=Q\nchance deal=%s\n0 raise\n1 call\nchance public=J\n0 call\nend: unfinished\n", seed, card)
}

func TestReplayThroughASeatsEyesSaysNothingOfTheSeed(t *testing.T) {
	for _, form := range [][]string{nil, {"--json"}, {"--positions"}, {"--json", "--positions"}, {"--svg", "5"}} {
		args := append([]string{"replay", "-", "--view", "0"}, form...)
		one, other := must(t, dealt(1, "K"), args...), must(t, dealt(987654321, "J"), args...)
		if one != other {
			t.Errorf("%v: seat 0 tells two deals apart that look the same to it:\n%s\n%s", form, one, other)
		}
		full := must(t, dealt(987654321, "J"), append([]string{"replay", "-"}, form...)...)
		if form != nil && form[0] == "--svg" {
			continue
		}
		if !strings.Contains(full, "987654321") {
			t.Errorf("%v: the full view does not say the seed:\n%s", form, full)
		}
	}
}

// If returns are paid as they grow, those of a match that was cut short count prizes
// that lie face down.
func TestReplayThroughASeatsEyesHasReturnsAtTheEndAlone(t *testing.T) {
	type reply struct{ Returns []float32 }
	for end, want := range map[string]bool{"": true, "q\n": false} {
		path := filepath.Join(t.TempDir(), "match.txt")
		must(t, end+strings.Repeat("1\n", 2000), "play", "jolly_roger(seats=3,rewards=running)", "--seed", "3", "--bots", "random", "--save", path)
		for view, always := range map[string]bool{"1": false, "full": true} {
			got := decode[reply](t, must(t, "", "replay", path, "--json", "--view", view)).Returns != nil
			if got != (want || always) {
				t.Errorf("a match that is over (%t), view %s: returns are shown: %t", want, view, got)
			}
		}
	}
}

// What is wrong with a transcript may tell what another seat could do.
func TestReplayThroughASeatsEyesDoesNotSayWhatAnotherCouldDo(t *testing.T) {
	broken := strings.Replace(dealt(1, "K"), "chance public=J\n", "", 1)
	if r := privateer(t, broken, "replay", "-"); r.code != exitFailed || !strings.Contains(r.err, "step 4") {
		t.Errorf("%+v; want the step that fails", r)
	}
	if r := privateer(t, broken, "replay", "-", "--view", "0"); r.code != exitFailed || strings.Contains(r.err, "step") || !strings.Contains(r.err, "--view full") {
		t.Errorf("%+v; want that the full view says where", r)
	}
}

func TestASeatsPositionHasNothingTheDealFollowsFrom(t *testing.T) {
	for _, game := range []string{"kuhn(seats=3)", "leduc", "doubloons(seats=3)", "jolly_roger(seats=4)"} {
		whole := must(t, "", "position", "new", game, "--seed", "987654321")
		if !strings.Contains(whole, "generator") {
			t.Fatalf("%s: the whole position has no generator", game)
		}
		path := filepath.Join(t.TempDir(), "match.txt")
		must(t, "1\n1\n1\n", "play", game, "--seed", "987654321", "--bots", "random", "--save", path)
		for what, shown := range map[string]string{
			"position print":          must(t, whole, "position", "print", "--view", "1"),
			"position print --render": must(t, whole, "position", "print", "--view", "1", "--render"),
			"position print --svg":    must(t, whole, "position", "print", "--view", "1", "--svg"),
			"replay --svg":            must(t, "", "replay", path, "--view", "1", "--svg", "1"),
			"replay":                  must(t, "", "replay", path, "--view", "1", "--positions"),
			"replay --json":           must(t, "", "replay", path, "--view", "1", "--positions", "--json"),
		} {
			for _, word := range []string{"generator", "seed", "987654321"} {
				if strings.Contains(shown, word) {
					t.Errorf("%s, %s: seat 1 is shown %q", game, what, word)
				}
			}
		}
	}
}

func TestPlaySaysTheSeedWhenTheMatchHasEnded(t *testing.T) {
	const seed = "seed: 987654321\n"
	for input, last := range map[string]string{strings.Repeat("1\n", 20): "return", "b\n?\nq\n": "left after"} {
		out := must(t, input, "play", "leduc", "--seed", "987654321")
		before, after, ended := strings.Cut(out, last)
		if !ended || strings.Contains(before, "987654321") || strings.Contains(before, "seed") || !strings.Contains(after, seed) {
			t.Errorf("%q: the seed belongs behind %q:\n%s", input, last, out)
		}
	}
	// Nobody can guess a seed that was not given.
	said := map[string]bool{}
	for range 3 {
		_, after, _ := strings.Cut(must(t, "q\n", "play", "kuhn"), "seed: ")
		said[after] = true
	}
	if len(said) != 3 {
		t.Errorf("three matches have the seeds %v", said)
	}
}

func TestActionsAreChosenByNumberNameOrStartOfName(t *testing.T) {
	info := &engine.Info{Actions: []string{"card=N01", "card=N02", "card=N11", "stay", "seat=+1"}}
	legal := []engine.Action{0, 1, 2, 3, 4}
	for line, want := range map[string]engine.Action{
		"1": 0, "5": 4, "card=N02": 1, "N02": 1, "n02": 1, "n1": 2, "st": 3, "+1": 4, "sea": 4,
	} {
		if a, err := pick(info, legal, line); err != nil || a != want {
			t.Errorf("%q: action %d, error %v; want %d", line, a, err, want)
		}
	}
	for line, want := range map[string]string{"0": "1 to 5", "6": "1 to 5", "n0": "card=N01, card=N02", "sail": "not a legal action"} {
		if _, err := pick(info, legal, line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v; want it to say %q", line, err, want)
		}
	}
}

func TestPositionsRoundTrip(t *testing.T) {
	for _, game := range []string{"kuhn", "kuhn(seats=3)", "leduc", "doubloons(seats=2)", "doubloons(seats=6)"} {
		first := must(t, "", "position", "new", game, "--seed", "5")
		if again := must(t, first, "position", "print"); again != first {
			t.Errorf("%s: printed again the position differs:\n%s\n%s", game, first, again)
		}
		if out := must(t, first, "position", "validate"); !strings.HasPrefix(out, "valid: ") {
			t.Errorf("%s: %q", game, out)
		}
		if got := decode[struct{ Game string }](t, first).Game; got != game {
			t.Errorf("%s: the position names game %q", game, got)
		}
	}
}

// A command in a pipe reads the game string that the one before it has printed.
func TestPositionsKeepWhatTheirGameStringGives(t *testing.T) {
	type named struct{ Game string }
	type reply struct{ Position named }
	kuhn := func(game string) string { return fmt.Sprintf(`{"game": %q, "hands": ["K", "J"]}`, game) }
	for game, want := range map[string]string{
		"kuhn":                              "kuhn",
		"kuhn(forced=skip)":                 "kuhn(forced=skip)",
		"kuhn(forced=show)":                 "kuhn(forced=show)",
		"kuhn( seats=2 , chance=sampled )":  "kuhn(seats=2,chance=sampled)",
		"kuhn(forced=skip,chance=explicit)": "kuhn(chance=explicit,forced=skip)",
	} {
		for _, args := range [][]string{
			{"position", "print"},
			{"position", "print", "--view", "1"},
			{"position", "apply", "--json", "--actions", "bet"},
			{"position", "apply", "--json", "--forced", "show", "--actions", "bet"}, // a flag is for one command
		} {
			for in, line := range map[string][]string{game: args, "kuhn(seats=3)": append(args[:len(args):len(args)], "--game", game)} {
				out := must(t, kuhn(in), line...)
				if got := decode[named](t, out).Game + decode[reply](t, out).Position.Game; got != want {
					t.Errorf("%q with %s: the position printed is of %q, want %q", line, in, got, want)
				}
			}
		}
		if out := must(t, kuhn(game), "position", "validate"); !strings.HasPrefix(out, "valid: "+want+",") {
			t.Errorf("%q: %q, want it to name %s", game, out, want)
		}
		if got := decode[named](t, must(t, "", "position", "new", game)).Game; got != want {
			t.Errorf("position new %q makes a position of %q, want %q", game, got, want)
		}
	}
}

// With forced moves skipped, two commands lead to the same position as one.
func TestAPipeOfAppliedActionsComesToWhereOneCommandDoes(t *testing.T) {
	type reply struct {
		Position json.RawMessage
		Next     json.RawMessage
	}
	start := must(t, "", "position", "new", "doubloons(seats=2,forced=skip,chance=sampled)", "--seed", "5")
	type next struct{ Legal []string }
	text, names := start, []string{}
	for range 12 {
		legal := decode[next](t, must(t, text, "position", "actions", "--json")).Legal
		if len(legal) < 2 {
			t.Fatalf("after %v: asked for a forced move, %v", names, legal)
		}
		names = append(names, legal[0])
		text = string(decode[reply](t, must(t, text, "position", "apply", "--json", "--actions", legal[0])).Position)
	}
	whole := decode[reply](t, must(t, start, "position", "apply", "--json", "--actions", strings.Join(names, ";")))
	if a, b := mustJSON(t, whole.Position), mustJSON(t, json.RawMessage(text)); !bytes.Equal(a, b) {
		t.Errorf("in one command\n%s\nin %d\n%s", a, len(names), b)
	}
}

func TestPrintedPositionsSayTheSameInShortLines(t *testing.T) {
	numbers := strings.TrimSuffix(strings.Repeat("123456, ", 40), ", ")
	for _, text := range []string{
		`{}`,
		`{"a": {}, "b": [], "c": null, "d": -1.5e3, "e": "x<\"y\\ é"}`,
		`{"list": [` + numbers + `]}`,
		`{"mixed": [1, {"list": [` + numbers + `]}, 2, [` + numbers + `], 3]}`,
		`{"deep": {"deep": {"deep": {"list": [` + numbers + `], "more": {"x": [[], {}]}}}}}`,
	} {
		var out strings.Builder
		if err := writePosition(&out, []byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var want, got bytes.Buffer
		if err := json.Compact(&want, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := json.Compact(&got, []byte(out.String())); err != nil || got.String() != want.String() {
			t.Errorf("%s is printed as %s (%v)", text, out.String(), err)
		}
		for _, line := range strings.Split(out.String(), "\n") {
			if len(line) > lineWidth {
				t.Errorf("a line of %d columns: %s", len(line), line)
			}
		}
	}
}

func TestAppliedPositionIsThePositionOfTheSteps(t *testing.T) {
	start := `{"game": "leduc", "hands": ["K", "J"]}`
	type reply struct {
		Steps []struct {
			Seat    int
			Action  string
			Changes []struct{ Path string }
		}
		Next struct {
			Seat  int
			Legal []string
		}
	}
	whole := must(t, start, "position", "apply", "--json", "--actions", "raise; call; public=J; call")
	r := decode[reply](t, whole)
	if len(r.Steps) != 4 || r.Steps[2].Seat != engine.Chance || r.Next.Seat != 1 || strings.Join(r.Next.Legal, " ") != "call raise" {
		t.Errorf("steps %+v, next %+v", r.Steps, r.Next)
	}
	for i, s := range r.Steps {
		if len(s.Changes) == 0 {
			t.Errorf("step %d changed nothing", i+1)
		}
	}
	// The same in two parts.
	type position struct{ Position any }
	half := decode[map[string]any](t, must(t, start, "position", "apply", "--json", "--actions", "raise; call"))
	path := file(t, "half.json", string(mustJSON(t, half["position"])))
	rest := must(t, "", "position", "apply", path, "--json", "--actions", "public=J;call")
	if a, b := decode[position](t, whole), decode[position](t, rest); string(mustJSON(t, a)) != string(mustJSON(t, b)) {
		t.Errorf("in one go %v, in two %v", a, b)
	}
}

func TestPositionThatIsOverTellsReturnsAndScores(t *testing.T) {
	tied := `{"game": "doubloons(seats=3)", "phase": "over", "dug": true, "ships": [
		{"track": 4, "crew": 3, "doubloons": 6, "fragments": {}}, {"crew": 3, "doubloons": 6, "fragments": {}},
		{"doubloons": 1, "fragments": {"x": 2}, "hull": 0}]}`
	type standing struct {
		Seat    int
		Return  float64
		Score   int
		Sources map[string]int `json:"score_by_source"`
	}
	type reply struct{ Standings []standing }
	for _, have := range []reply{
		decode[reply](t, must(t, tied, "position", "actions", "--json")),
		decode[struct{ Next reply }](t, must(t, tied, "position", "apply", "--json")).Next,
	} {
		if s := have.Standings; len(s) != 3 || s[0].Return != s[1].Return || s[1].Return <= s[2].Return || s[2].Seat != 2 ||
			s[0].Score != 9 || s[2].Score != 6 || s[2].Sources["fragments"] != 4 || s[2].Sources["curse"] != -3 {
			t.Errorf("two share the win with 9 points, a ghost ship has 6; have %+v", s)
		}
	}
	for _, verb := range []string{"apply", "actions"} {
		out := must(t, tied, "position", verb)
		for _, want := range []string{"return", "curse", "total", "seat 2"} {
			if !strings.Contains(out[strings.Index(out, "the match is over"):], want) {
				t.Errorf("position %s of a match that is over does not say %q: %s", verb, want, out)
			}
		}
	}
	if out := must(t, tied, "position", "validate"); !strings.HasSuffix(out, ", the match is over\n") {
		t.Errorf("validate says %q; want that the match is over", out)
	}
	if running := must(t, `{"game": "kuhn", "hands": ["K", "J"]}`, "position", "actions", "--json"); strings.Contains(running, "standings") {
		t.Errorf("a match that goes on has standings: %s", running)
	}
}

func TestChangesOfLongListsAreToldByTheirDifference(t *testing.T) {
	long := `["N01","N02","N03","N04","N05","N06","N07","N02"]`
	for _, c := range []struct{ from, to, want string }{
		{`1`, `2`, `x: 1 → 2`},
		{`["N01"]`, `[]`, `x: ["N01"] → []`},
		{long, `["N01","N02","N03","N04","N05","N06","N08"]`, `x: −"N07" −"N02" +"N08"`},
		{long, `[]`, `x: ` + long + ` → []`},
		{long, `["N02","N01","N03","N04","N05","N06","N07","N02"]`, `x: ` + long + ` → ["N02","N01","N03","N04","N05","N06","N07","N02"]`},
		{``, long, `x: ` + long + ` (new)`},
	} {
		if got := (change{"x", json.RawMessage(c.from), json.RawMessage(c.to)}).String(); got != c.want {
			t.Errorf("%s to %s is told as %q; want %q", c.from, c.to, got, c.want)
		}
	}
}

func TestApplyDrawsChanceWhenAsked(t *testing.T) {
	type reply struct {
		Steps []struct {
			Seat   int
			Action string
			Drawn  bool
		}
		Position struct {
			Game  string
			Hands []string
		}
	}
	apply := func(game string, more ...string) reply {
		return decode[reply](t, must(t, fmt.Sprintf(`{"game": %q}`, game), append([]string{"position", "apply", "--json"}, more...)...))
	}
	if r := apply("kuhn"); len(r.Steps) != 0 || r.Position.Hands[0] != "-" {
		t.Errorf("chance was drawn without being asked for: %+v", r)
	}
	asked := apply("kuhn", "--chance", "sampled", "--actions", "bet")
	if len(asked.Steps) != 3 || !asked.Steps[0].Drawn || asked.Steps[2].Drawn || asked.Steps[2].Action != "bet" {
		t.Errorf("want two cards drawn and a bet; have %+v", asked.Steps)
	}
	// The position's own generator is that of seed 0, so the cards are those of a match with it.
	if r := decode[reply](t, `{"position": `+must(t, "", "position", "new", "kuhn", "--seed", "0")+`}`); strings.Join(r.Position.Hands, "") != strings.Join(asked.Position.Hands, "") {
		t.Errorf("hands %v; want %v as in a match", asked.Position.Hands, r.Position.Hands)
	}
	if r := apply("kuhn(chance=sampled)"); len(r.Steps) != 2 {
		t.Errorf("the file asks for sampled chance, but %d steps were drawn; want 2", len(r.Steps))
	}
	if r := apply("kuhn(chance=sampled)", "--chance", "explicit"); len(r.Steps) != 0 || r.Position.Game != "kuhn(chance=sampled)" {
		t.Errorf("the flag does not override the file: %+v", r)
	}
	seen := map[string]bool{}
	for seed := range 20 {
		seen[strings.Join(apply("kuhn", "--chance", "sampled", "--seed", fmt.Sprint(seed)).Position.Hands, "")] = true
	}
	if len(seen) < 4 {
		t.Errorf("20 seeds gave only the deals %v", seen)
	}
}

func TestGameFlagOverridesTheFile(t *testing.T) {
	out := must(t, `{"game": "kuhn", "hands": ["K", "J", "A"]}`, "position", "validate", "--game", "kuhn(seats=3)")
	if !strings.Contains(out, "kuhn(seats=3)") {
		t.Errorf("output %q", out)
	}
}

func TestPanicIsOneLine(t *testing.T) {
	var errs strings.Builder
	code := run(context.Background(), []string{"version"}, nil, panicWriter{}, &errs)
	if code != exitFailed || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), "internal error: the sea is rough") {
		t.Errorf("exit code %d, error %q", code, errs.String())
	}
}

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	for _, args := range [][]string{{"rules", "kuhn"}, {"games"}, {"spec", "kuhn"}, {"version"}, {"sim", "kuhn", "--matches", "2"}} {
		var errs strings.Builder
		code := run(context.Background(), args, nil, fullDisk{}, &errs)
		if code != exitFailed || !strings.Contains(errs.String(), "the disk is full") || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%q: exit code %d, error %q", args, code, errs.String())
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

type panicWriter struct{}

func (panicWriter) Write([]byte) (int, error) { panic("the sea\nis rough") }

func TestSpecMatchesTheEncoder(t *testing.T) {
	type spec struct {
		Actions     []string
		Observation struct {
			Hash   string
			Size   int
			Groups []struct{ Offset, Size int }
		}
		Position map[string]any `json:"position_schema"`
	}
	for _, d := range engine.Definitions() {
		s := decode[spec](t, must(t, "", "spec", d.Name))
		at := 0
		for _, g := range s.Observation.Groups {
			if g.Offset != at {
				t.Errorf("%s: a group at %d; want %d", d.Name, g.Offset, at)
			}
			at += g.Size
		}
		if at != s.Observation.Size || len(s.Observation.Hash) != 64 || len(s.Actions) == 0 {
			t.Errorf("%s: size %d, groups to %d, hash %q, %d actions", d.Name, s.Observation.Size, at, s.Observation.Hash, len(s.Actions))
		}
		if s.Position["$schema"] == nil {
			t.Errorf("%s has no JSON Schema of its positions", d.Name)
		}
	}
}

func TestGamesAreListedWithParametersAndBots(t *testing.T) {
	out := must(t, "", "games")
	listed := decode[[]gameEntry](t, must(t, "", "games", "--json"))
	if spec := decode[[]gameEntry](t, must(t, "", "spec")); string(mustJSON(t, spec)) != string(mustJSON(t, listed)) {
		t.Error("`games --json` and `spec` list other games")
	}
	for i, d := range engine.Definitions() {
		if listed[i].Name != d.Name || listed[i].Bots[0] != "random" || len(listed[i].Params) != len(d.Parameters()) {
			t.Errorf("%s is listed as %+v", d.Name, listed[i])
		}
		for _, p := range d.Params {
			if !strings.Contains(out, "  "+p.Name+"="+p.Default) {
				t.Errorf("%s: parameter %s is not in the list", d.Name, p.Name)
			}
		}
	}
}

func TestEveryGameHasRulesByClause(t *testing.T) {
	for _, d := range engine.Definitions() {
		all := clauses.Parse(d.Rules)
		if len(all) < 5 {
			t.Errorf("%s: only %d clauses found", d.Name, len(all))
		}
		for _, c := range all {
			if c.Text == "" || c.Section == "" {
				t.Errorf("%s: clause %s has text %q in section %q", d.Name, c.ID, c.Text, c.Section)
			}
		}
	}
}

func TestGapsOfAnEditionCanBeAskedFor(t *testing.T) {
	const ask = `v1\.9\.8: gap`
	got := must(t, "", "rules", "doubloons", "ISL", "--grep", ask)
	if !strings.Contains(got, "ISL-9 ") || strings.Contains(got, "ISL-15 ") || strings.Count(got, "\n    book: ") != strings.Count(got, "v1.9.8: gap") {
		t.Errorf("clauses of the alternate island that v1.9.8 leaves open: %s", got)
	}
}

func TestComponentsFileCanBeTakenOutAndPlayed(t *testing.T) {
	path := file(t, "box.yaml", must(t, "", "rules", "doubloons", "--components"))
	printed := must(t, "", "sim", "doubloons(seats=2)", "--matches", "2", "--json")
	own := must(t, "", "sim", "doubloons(seats=2,components="+path+")", "--matches", "2", "--json")
	if strings.ReplaceAll(own, ",components="+path, "") != printed {
		t.Error("the components file as printed plays differently from the built-in one")
	}
}

func TestBenchMeasuresRulesAndEnvironment(t *testing.T) {
	type report struct {
		Results []struct {
			Game, What    string
			Envs, Workers int
			PerSecond     float64 `json:"per_second"`
		}
	}
	r := decode[report](t, must(t, "", "bench", "kuhn", "leduc", "--quick", "--num-envs", "8", "--workers", "1,2", "--json"))
	seen := map[string]bool{}
	for _, m := range r.Results {
		seen[fmt.Sprintf("%s %s %d", m.Game, m.What, m.Workers)] = m.PerSecond > 0 && (m.Envs == 8) == (m.Game != "")
	}
	for _, what := range []string{" memmove 1", "kuhn engine 1", "leduc engine 2", "kuhn vec 1", "leduc vec 2", "kuhn copy 1", "leduc redeal 1", "kuhn snapshot 1", "leduc restore 1"} {
		if !seen[what] {
			t.Errorf("no figure for %s in %+v", what, r)
		}
	}
	if out := must(t, "", "bench", "kuhn", "--quick", "--num-envs", "8", "--workers", "1", "--own-work", "50us"); !strings.Contains(out, "own work: ") || !strings.Contains(out, "vec beside own work") {
		t.Errorf("with work of the caller's own:\n%s", out)
	}
	if out := must(t, "", "bench", "kuhn", "--quick", "--num-envs", "8", "--workers", "1", "--full"); !strings.Contains(out, "vec full") || !strings.Contains(out, "memmove: ") {
		t.Errorf("no figure for the full view or for memory in %q", out)
	}
}
