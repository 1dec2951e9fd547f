package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/clauses"
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
	if out := must(t, "", "sim", game, "--matches", "4"); !strings.Contains(out, "truncated") || !strings.Contains(out, "no winner") {
		t.Errorf("the summary does not say that matches were cut short:\n%s", out)
	}
	if out := must(t, "", "replay", filepath.Join(dir, "match_000000.json")); !strings.Contains(out, "max_rounds=1 has ended it after") {
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
		had[slices.Index(s.match(i).Seats, 0)] = true
	}
	if len(had) != 3 {
		t.Errorf("the first bot had seats %v; want all three", had)
	}
	if s.fixed = true; s.match(1).Seats[0] != 0 || s.match(2).Seats[2] != 2 {
		t.Error("with --fixed-seats the bots still move")
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
	if s := all.wilson(); s.Mean != 1 || s.High != 1 || s.Low > 0.95 || s.Low < 0.9 {
		t.Errorf("50 of 50: %v", s)
	}
	if s := none.wilson(); s.Mean != 0 || s.Low != 0 || s.High < 0.05 || s.High > 0.1 {
		t.Errorf("0 of 50: %v", s)
	}
	// Wilson's interval for 25 of 50, from the formula by hand.
	if s := half.wilson(); s.Low < 0.3664 || s.Low > 0.3665 || s.High < 0.6335 || s.High > 0.6336 {
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
	_, own, _ := strings.Cut(out, "Seat 0 takes ")
	own, _, _ = strings.Cut(own, ".")
	acted := false
	for _, s := range told {
		s, _, _ = strings.Cut(s, "\n\n")
		for _, sentence := range strings.SplitAfter(s, ". ") {
			who, _, chooses := strings.Cut(sentence, " chooses ")
			acted = acted || chooses && !strings.HasSuffix(who, own)
			if who, _, lays := strings.Cut(sentence, " lays N"); lays && !strings.HasSuffix(who, own) {
				t.Errorf("told %q: programmed cards lie face down", sentence)
			}
		}
	}
	if !acted {
		t.Errorf("%d times nothing is told of what the bots did:\n%s", len(told), out)
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

func TestVersionIsAFlagToo(t *testing.T) {
	short, whole := strings.TrimSpace(must(t, "", "--version")), must(t, "", "version")
	if short == "privateer" || !strings.HasPrefix(whole, short+" ") {
		t.Errorf("--version says %q, the command %q", short, whole)
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
	short := must(t, "", "games")
	if lines := strings.Split(short, "\n"); len(lines) > 24 || slices.ContainsFunc(lines, func(l string) bool { return len(l) > 80 }) {
		t.Errorf("the list of games fits no screen of 80 x 24:\n%s", short)
	}
	players := must(t, "", "help", "players")
	listed := decode[[]gameEntry](t, must(t, "", "games", "--json"))
	if spec := decode[[]gameEntry](t, must(t, "", "spec")); string(mustJSON(t, spec)) != string(mustJSON(t, listed)) {
		t.Error("`games --json` and `spec` list other games")
	}
	for i, d := range engine.Definitions() {
		if listed[i].Name != d.Name || listed[i].Bots[0] != "random" || len(listed[i].Params) != len(d.Parameters()) {
			t.Errorf("%s is listed as %+v", d.Name, listed[i])
		}
		if !strings.Contains(short, d.Name+" ") {
			t.Errorf("%s is missing from the list", d.Name)
		}
		out := strings.Join(strings.Fields(must(t, "", "games", d.Name)), " ")
		if one := decode[[]gameEntry](t, must(t, "", "games", d.Name, "--json")); len(one) != 1 || one[0].Name != d.Name {
			t.Errorf("games %s --json lists %+v", d.Name, one)
		}
		for _, b := range listed[i].Settings {
			if !strings.Contains(players, "\n"+b.Name+": "+b.Help) {
				t.Errorf("the settings of %s are not in `help players`", b.Name)
			}
		}
		for _, p := range zoo.Policies {
			bot, line := policy.Prefix+p.Name, fmt.Sprintf("policy:%s@%d", p.Name, p.Version)
			if slices.Contains(listed[i].Bots, bot) != (p.Game == d.Name) || strings.Contains(out, line+" "+p.For) != (p.Game == d.Name) {
				t.Errorf("%s has the bots %v, and the zoo's %s plays %s", d.Name, listed[i].Bots, bot, p.Game)
			}
		}
		for _, p := range d.Params {
			if !strings.Contains(out, " "+p.Name+"="+p.Default+" "+p.Help) {
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
	r := decode[report](t, must(t, "", "bench", "kuhn", "--quick", "--num-envs", "8", "--workers", "1,2", "--full", "--json"))
	seen := map[string]bool{}
	for _, m := range r.Results {
		seen[fmt.Sprintf("%s %s %d", m.Game, m.What, m.Workers)] = m.PerSecond > 0 && (m.Envs == 8) == (m.Game != "")
	}
	for _, what := range []string{" memmove 1", "kuhn engine 1", "kuhn engine 2", "kuhn vec full 1", "kuhn vec full 2", "kuhn copy 1", "kuhn redeal 1", "kuhn snapshot 1", "kuhn restore 1"} {
		if !seen[what] {
			t.Errorf("no figure for %s in %+v", what, r)
		}
	}
	out := must(t, "", "bench", "kuhn", "--quick", "--num-envs", "8", "--workers", "1", "--own-work", "50us")
	for _, says := range []string{"memmove: ", "own work: ", "  vec  ", "vec beside own work"} {
		if !strings.Contains(out, says) {
			t.Errorf("no %q with work of the caller's own:\n%s", says, out)
		}
	}
}
