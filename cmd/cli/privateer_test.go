package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
	_ "github.com/privateer-rl/privateer/engine/games"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// result is the result of a command line.
type result struct {
	code     int
	out, err string
}

// privateer runs a command line as the shell would.
func privateer(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(context.Background(), args, strings.NewReader(stdin), &out, &errs)
	return result{code, out.String(), errs.String()}
}

// must is privateer for a command line that has to succeed.
func must(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	r := privateer(t, stdin, args...)
	if r.code != exitOK || r.err != "" {
		t.Fatalf("privateer %q: exit code %d, standard error %q", args, r.code, r.err)
	}
	return r.out
}

// decode reads the JSON that a command printed.
func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return v
}

// file writes a file of the test.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// leducMatch plays a match and returns the file with its transcript.
func leducMatch(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "match.txt")
	must(t, "raise\ncall\ncall\ncall\n", "play", "leduc", "--seed", "4", "--save", path)
	return path
}

// timed are the figures of an output that no seed decides.
var timed = regexp.MustCompile(`("(?:timed|cpu_us)":) [0-9.e-]+`)

func TestDeterministicOutputsAreAsCommitted(t *testing.T) {
	kuhn := `{"game": "kuhn", "hands": ["K", "J"]}`
	for name, c := range map[string]struct {
		stdin string
		args  []string
	}{
		"help":                  {"", []string{"--help"}},
		"rules_leduc_grep":      {"", []string{"rules", "leduc", "--grep", "raise"}},
		"rules_kuhn_json":       {"", []string{"rules", "kuhn", "--json"}},
		"spec_kuhn":             {"", []string{"spec", "kuhn"}},
		"spec_at":               {"", []string{"spec", "doubloons", "--at", "700"}},
		"sim_leduc":             {"", []string{"sim", "leduc", "--matches", "40", "--seed", "7"}},
		"sim_kuhn3_json":        {"", []string{"sim", "kuhn(seats=3)", "--matches", "30", "--seed", "7", "--json"}},
		"balance_luck":          {"", []string{"balance", "kuhn", "leduc", "--luck", "4", "--matches", "80", "--seed", "7"}},
		"balance_kuhn":          {"", []string{"balance", "kuhn", "kuhn(seats=3)", "--matches", "30", "--seed", "7"}},
		"eval_doubloons_json":   {"", []string{"eval", "heuristic", "--against", "random", "--game", "doubloons(seats=2)", "--matches", "20", "--seed", "7", "--json"}},
		"rate_doubloons_json":   {"", []string{"rate", "heuristic", "greedy", "random", "--game", "doubloons(seats=2)", "--matches", "20", "--seed", "7", "--json"}},
		"exploit_kuhn_json":     {"", []string{"exploit", "random", "--game", "kuhn", "--matches", "40", "--rollouts", "8", "--learners", "0", "--seed", "7", "--json"}},
		"play_leduc":            {"2\n?\nc\nx\n7\nb\nraise\n1\n", []string{"play", "leduc", "--seed", "4"}},
		"position_new_kuhn":     {"", []string{"position", "new", "kuhn(seats=3)", "--seed", "3"}},
		"position_print_render": {kuhn, []string{"position", "print", "--render", "--view", "0"}},
		"position_print_view":   {kuhn, []string{"position", "print", "--view", "1"}},
		"position_actions":      {kuhn, []string{"position", "actions"}},
		"position_actions_deal": {`{"game": "kuhn"}`, []string{"position", "actions"}},
		"position_apply":        {kuhn, []string{"position", "apply", "--actions", "pass; bet; pass"}},
		"position_apply_json":   {`{"game": "kuhn"}`, []string{"position", "apply", "--json", "--actions", "deal=J; deal=K; bet"}},
		"position_apply_attack": {"", []string{"position", "apply", "testdata/attack.json", "--actions", "stay; do=broadsides; die=doubloon"}},
		"replay_leduc":          {"", []string{"replay", leducMatch(t)}},
		"replay_leduc_seat":     {"", []string{"replay", leducMatch(t), "--view", "1", "--json", "--positions"}},
	} {
		t.Run(name, func(t *testing.T) {
			out := timed.ReplaceAllString(must(t, c.stdin, c.args...), "$1 0")
			enginetest.Golden(t, filepath.Join("testdata", name+".golden"), []byte(out), *update)
		})
	}
}

func TestEveryCommandHasHelpWithExamplesThatNameIt(t *testing.T) {
	root := newRoot()
	commands := append(root.Commands(), newPosition().Commands()...)
	seen := 0
	for _, c := range commands {
		if c.Name() == "help" || c.Name() == "completion" || c.IsAdditionalHelpTopicCommand() {
			continue
		}
		seen++
		if c.Short == "" || !strings.Contains(c.Example, c.Name()) {
			t.Errorf("%s: want a short text and examples that name the command", c.Name())
		}
	}
	if seen < 16 {
		t.Errorf("only %d commands found", seen)
	}
}

func TestBadInputIsOneLineThatNamesItAndAnExitCode(t *testing.T) {
	dir := t.TempDir()
	endless := filepath.Join(dir, "endless")
	if err := errors.Join(os.WriteFile(endless, nil, 0o600), os.Truncate(endless, 17<<20)); err != nil {
		t.Fatal(err)
	}
	truncated := file(t, "cut.txt", "privateer transcript 1\ngame: leduc\nseed: 4\n0 call\n")
	whole, err := os.ReadFile(leducMatch(t))
	if err != nil {
		t.Fatal(err)
	}
	altered := file(t, "altered.txt", strings.Replace(string(whole), "0 raise", "0 fold", 1))
	wrongEnd := file(t, "end.txt", strings.Replace(string(whole), "end: ", "end: 0.25 ", 1))
	unknownKey := file(t, "key.yaml", "game: kuhn\nlerning_rate: 1\n")
	notYAML := file(t, "bad.yaml", "game: [kuhn\n")
	garbage := file(t, "x.ckpt", "PRIVCKPT and then nothing of use")

	for _, c := range []struct {
		name  string
		stdin string
		args  []string
		code  int
		want  []string // in the error
	}{
		{"unknown command", "", []string{"foo"}, exitUsage, []string{`"foo"`, "sim"}},
		{"misspelt command", "", []string{"replya"}, exitUsage, []string{`"replya"`, "do you mean replay"}},
		{"unknown subcommand", "", []string{"position", "foo"}, exitUsage, []string{`"foo"`, "apply"}},
		{"unknown flag", "", []string{"sim", "kuhn", "--mathces", "3"}, exitUsage, []string{"--mathces; do you mean --matches?"}},
		{"a game behind a flag", "", []string{"sim", "--game", "leduc"}, exitUsage, []string{"without it, as in privateer sim leduc"}},
		{"a flag that is gone", "", []string{"eval", "random", "--threads", "2"}, exitUsage, []string{"--threads", "write that", "--workers"}},
		{"workers below none", "", []string{"eval", "random", "--against", "random", "--game", "kuhn", "--workers", "-1"}, exitUsage, []string{"--workers -1: want a whole number from 0 to 4096"}},
		{"workers beyond any machine", "", []string{"sim", "kuhn", "--workers", "1000000000000"}, exitUsage, []string{"--workers 1000000000000: want a whole number from 0 to 4096"}},
		{"workers of rate", "", []string{"rate", "random", "--game", "kuhn", "--workers", "x"}, exitUsage, []string{"--workers x: want a whole number"}},
		{"matches beyond all counting", "", []string{"sim", "kuhn", "--matches", "9223372036854775807"}, exitUsage, []string{"--matches 9223372036854775807: want a whole number from 1 to "}},
		{"more matches than memory", "", []string{"balance", "kuhn", "--matches", "1000000000000"}, exitUsage, []string{"--matches 1000000000000: want a whole number from 1 to 16777216"}},
		{"more matches than a shard may be of", "", []string{"eval", "random", "--against", "random", "--game", "kuhn", "--matches", "16777217"}, exitUsage, []string{"--matches 16777217: want a whole number from 1 to 16777216"}},
		{"more trials than memory", "", []string{"exploit", "random", "--game", "kuhn", "--trials", "1000000000000"}, exitUsage, []string{"--trials 1000000000000: want a whole number from 1 to 16777216"}},
		{"more environments than memory", "", []string{"bench", "kuhn", "--num-envs", "99999999999"}, exitUsage, []string{"--num-envs 99999999999: want from 1 to "}},
		{"value behind a flag that needs none", "", []string{"play", "leduc", "--explain", "random"}, exitUsage, []string{`"random": write --explain=random`}},
		{"value behind a flag that is on or off", "", []string{"sim", "leduc", "--fixed-seats", "false"}, exitUsage, []string{`"false": write --fixed-seats=false`}},
		{"two game strings", "", []string{"sim", "leduc", "kuhn"}, exitUsage, []string{`"kuhn" after GAME: quote a game string`}},
		{"two files", "", []string{"replay", "a.txt", "b.txt"}, exitUsage, []string{`unexpected argument "b.txt" after FILE (privateer`}},
		{"two forms of one answer", "", []string{"replay", "a.txt", "--html", "x", "--svg", "3"}, exitUsage, []string{"--html and --svg: want one of them"}},
		{"unknown flag with _", "", []string{"train", "--totl_timesteps=3"}, exitUsage, []string{"--totl_timesteps; do you mean --total-timesteps?"}},
		{"unknown flag unlike any", "", []string{"sim", "kuhn", "--chessboard", "3"}, exitUsage, []string{"unknown flag: --chessboard (privateer sim --help"}},
		{"unknown command of position", "", []string{"position", "pritn"}, exitUsage, []string{`"pritn": known are`, "do you mean print?"}},
		{"unknown game", "", []string{"sim", "lduc"}, exitFailed, []string{"known are doubloons, jolly_roger, kuhn, leduc, liars_dice; do you mean leduc?"}},
		{"policy of the program without its prefix", "", []string{"sim", "jolly_roger", "--bots", "pirate"}, exitFailed, []string{`"pirate"`, "policies are named policy:FILE, policy:pirate"}},
		{"not a number", "", []string{"sim", "kuhn", "--matches", "many"}, exitUsage, []string{"--matches many", "whole number"}},
		{"no matches", "", []string{"sim", "kuhn", "--matches", "0"}, exitUsage, []string{"--matches 0"}},
		{"negative seed", "", []string{"sim", "kuhn", "--seed", "-1"}, exitUsage, []string{"--seed -1", "from 0 to"}},
		{"no game", "", []string{"sim"}, exitUsage, []string{"GAME"}},
		{"no game to balance", "", []string{"balance"}, exitUsage, []string{"GAME"}},
		{"no matches to balance", "", []string{"balance", "kuhn", "-n", "0"}, exitUsage, []string{"--matches 0"}},
		{"a deal that is played once", "", []string{"balance", "kuhn", "--luck", "1"}, exitUsage, []string{"--luck 1", "at least twice"}},
		{"luck with plots", "", []string{"balance", "kuhn", "--luck", "4", "--plots", "x"}, exitUsage, []string{"luck", "plots"}},
		{"unknown bot to balance", "", []string{"balance", "kuhn", "--bots", "nobody"}, exitFailed, []string{"nobody", "random"}},
		{"unknown game to balance", "", []string{"balance", "chess"}, exitFailed, []string{`"chess"`}},
		{"folder for plots that cannot be made", "", []string{"balance", "kuhn", "-n", "16000000", "--plots", "/dev/null/x"}, exitFailed, []string{"plots", "/dev/null"}},
		{"folder in the place of figures", "", []string{"balance", "kuhn", "-n", "16000000", "--csv", dir}, exitFailed, []string{"--csv", dir, "folder"}},
		{"folder in the place of a transcript", "1\n1\n1\n", []string{"play", "kuhn", "--save", dir}, exitFailed, []string{"--save", dir, "folder"}},
		{"transcript in a file", "1\n1\n1\n", []string{"play", "kuhn", "--save", filepath.Join(truncated, "match.txt")}, exitFailed, []string{"--save", "cut.txt"}},
		{"folder in the place of a bundle", "", []string{"export", truncated, "--out", dir}, exitFailed, []string{"--out", dir, "folder"}},
		{"game string that the shell split", "", []string{"sim", "kuhn", "(seats=3)"}, exitUsage, []string{"quote"}},

		{"unknown game", "", []string{"sim", "chess"}, exitFailed, []string{`"chess"`, "kuhn"}},
		{"unknown game of bench", "", []string{"bench", "chess"}, exitFailed, []string{`"chess"`}},
		{"unknown game of play", "", []string{"play", "chess"}, exitFailed, []string{`"chess"`}},
		{"unknown game of spec", "", []string{"spec", "chess"}, exitFailed, []string{`"chess"`}},
		{"unknown game of rules", "", []string{"rules", "chess"}, exitFailed, []string{`"chess"`}},
		{"unknown game of position new", "", []string{"position", "new", "chess"}, exitFailed, []string{`"chess"`}},
		{"bad seat count", "", []string{"sim", "kuhn(seats=9)"}, exitFailed, []string{"seats=9", "2 to 3"}},
		{"bad seat count of doubloons", "", []string{"sim", "doubloons(seats=7)"}, exitFailed, []string{"seats=7", "2 to 6"}},
		{"unknown parameter", "", []string{"sim", "kuhn(players=2)"}, exitFailed, []string{`"players"`, "seats"}},
		{"open parenthesis", "", []string{"sim", "kuhn(seats=2"}, exitFailed, []string{"parenthesis"}},
		{"missing components file", "", []string{"sim", "doubloons(components=/nowhere.yaml)"}, exitFailed, []string{"/nowhere.yaml"}},
		{"components that never end", "", []string{"sim", "doubloons(components=" + endless + ")"}, exitFailed, []string{"components=", "longer than 16 MiB"}},
		{"start that never ends", "", []string{"sim", "doubloons(start=" + endless + ")"}, exitFailed, []string{"start=", "longer than 16 MiB"}},
		{"entry that would clear the screen", `{"game": "kuhn", "\u001b[2J\u202e": []}`, []string{"position", "validate"}, exitFailed, []string{`\x1b[2J\u202e: unknown field`}},
		{"explicit chance", "", []string{"sim", "kuhn(chance=explicit)"}, exitFailed, []string{"chance=explicit"}},
		{"unknown bot", "", []string{"sim", "kuhn", "--bots", "shark"}, exitFailed, []string{`"shark"`, "random"}},
		{"bot of another game", "", []string{"play", "kuhn", "--bots", "heuristic"}, exitFailed, []string{`"heuristic"`, "random"}},
		{"more bots than seats", "", []string{"sim", "kuhn", "--bots", "random,random,random"}, exitUsage, []string{"3 bots for 2 seats"}},
		{"folder that cannot be", "", []string{"sim", "kuhn", "--record", filepath.Join(truncated, "dir")}, exitFailed, []string{"--record"}},
		{"seat that is not there", "", []string{"play", "kuhn", "--seat", "2"}, exitUsage, []string{"--seat 2", "0 to 1"}},
		{"no environments", "", []string{"bench", "kuhn", "--num-envs", "0"}, exitUsage, []string{"--num-envs 0"}},
		{"own work of a negative time", "", []string{"bench", "kuhn", "--own-work", "-1s"}, exitUsage, []string{"--own-work -1s"}},

		{"clause that is not there", "", []string{"rules", "kuhn", "XYZ-1"}, exitFailed, []string{`"XYZ-1"`}},
		{"nothing matches", "", []string{"rules", "kuhn", "--grep", "doubloon"}, exitFailed, []string{`"doubloon"`}},
		{"bad pattern", "", []string{"rules", "kuhn", "--grep", "("}, exitUsage, []string{"regular expression"}},
		{"no components", "", []string{"rules", "kuhn", "--components"}, exitFailed, []string{"kuhn", "components"}},
		{"unknown part", "", []string{"spec", "kuhn", "--only", "colour"}, exitUsage, []string{"colour", "actions"}},
		{"byte of no layout", "", []string{"spec", "kuhn", "--only", "params", "--at", "1"}, exitUsage, []string{"params", "full_observation"}},
		{"byte beyond the observation", "", []string{"spec", "kuhn", "--at", "-1"}, exitFailed, []string{"--at", "from 0 to"}},
		{"byte of no game", "", []string{"spec", "--at", "1"}, exitUsage, []string{"GAME"}},

		{"missing transcript", "", []string{"replay", filepath.Join(dir, "none.txt")}, exitFailed, []string{"none.txt", "no such file"}},
		{"truncated transcript", "", []string{"replay", truncated}, exitFailed, []string{"cut.txt", "cut short"}},
		{"no transcript", "hello\n", []string{"replay", "-"}, exitFailed, []string{"line 1", "not a transcript"}},
		{"altered transcript", "", []string{"replay", altered}, exitFailed, []string{"altered.txt", "step 0", "fold"}},
		{"wrong returns", "", []string{"replay", wrongEnd}, exitFailed, []string{"end.txt", "0.25"}},
		{"transcript of an unknown game", "privateer transcript 1\ngame: chess\nseed: 4\nend: unfinished\n", []string{"replay", "-"}, exitFailed, []string{`"chess"`}},
		{"view of a seat that is not there", "", []string{"replay", leducMatch(t), "--view", "2"}, exitUsage, []string{"--view 2", "0 to 1"}},

		{"missing position", "", []string{"position", "print", filepath.Join(dir, "none.json")}, exitFailed, []string{"none.json"}},
		{"empty position", "", []string{"position", "print"}, exitFailed, []string{"standard input", "cut short"}},
		{"truncated position", "{\n \"game\": \"kuhn\",\n \"hands\": [\"K\",", []string{"position", "validate"}, exitFailed, []string{"line 3", "cut short"}},
		{"malformed position", "{\n \"game\": \"kuhn\",\n \"hands\": [K]}", []string{"position", "validate"}, exitFailed, []string{"line 3", "'K'"}},
		{"position that is a list", "[]", []string{"position", "validate"}, exitFailed, []string{"braces"}},
		{"position in UTF-16, which is read", "\xff\xfe{\x00}\x00", []string{"position", "validate"}, exitFailed, []string{"no game"}},
		{"position in UTF-16 without a mark", "\x00{\x00}", []string{"position", "validate"}, exitFailed, []string{"UTF-16", "save it as UTF-8"}},
		{"mistake behind a byte-order mark", "\xef\xbb\xbf{\"game\": \"kuhn\", \"hnads\": []}", []string{"position", "validate"}, exitFailed, []string{`hnads: unknown field: did you mean hands?`}},
		{"entry twice", `{"game": "kuhn", "hands": ["K", "J"], "hands": ["J", "K"]}`, []string{"position", "validate"}, exitFailed, []string{"hands is given twice"}},
		{"text after the position", `{"game": "kuhn"} x`, []string{"position", "validate"}, exitFailed, []string{"text after"}},
		{"position without game", `{"hands": ["K", "J"]}`, []string{"position", "validate"}, exitFailed, []string{"--game"}},
		{"game that is no text", `{"game": 7}`, []string{"position", "validate"}, exitFailed, []string{"game", "7"}},
		{"position of an unknown game", `{"game": "chess"}`, []string{"position", "validate"}, exitFailed, []string{`"chess"`}},
		{"position with bad seats", `{"game": "kuhn(seats=9)"}`, []string{"position", "validate"}, exitFailed, []string{"seats=9"}},
		{"unknown entry", `{"game": "kuhn", "hnads": []}`, []string{"position", "validate"}, exitFailed, []string{`hnads: unknown field: did you mean hands?`}},
		{"inconsistent position", `{"game": "kuhn", "hands": ["K", "K"]}`, []string{"position", "validate"}, exitFailed, []string{"hands[1]", "K"}},
		{"illegal action", `{"game": "leduc", "hands": ["K", "J"]}`, []string{"position", "apply", "--actions", "call; fold"}, exitFailed, []string{"step 2", `"fold"`, "seat 1", "legal are"}},
		{"action when chance is to act", `{"game": "leduc"}`, []string{"position", "apply", "--actions", "call"}, exitFailed, []string{"step 1", `"call"`, "chance", "deal="}},
		{"outcome that cannot be", `{"game": "kuhn"}`, []string{"position", "apply", "--actions", "deal=J; deal=J"}, exitFailed, []string{"step 2", `"deal=J"`}},
		{"unknown action", `{"game": "leduc"}`, []string{"position", "apply", "--actions", "deal=J; deal=A"}, exitFailed, []string{"step 2", `"deal=A"`, "deal=K"}},
		{"word that is no action", `{"game": "leduc", "hands": ["K", "J"]}`, []string{"position", "apply", "--actions", "bid"}, exitFailed, []string{"step 1", `"bid"`, "seat 0", "here: call, raise"}},
		{"action after the end", `{"game": "kuhn", "hands": ["K", "J"]}`, []string{"position", "apply", "--actions", "pass; pass; pass"}, exitFailed, []string{"step 3", "over"}},
		{"illegal action in doubloons", "", []string{"position", "apply", "testdata/attack.json", "--actions", "stay; do=repair"}, exitFailed, []string{"step 2", `"do=repair"`, "do=broadsides"}},
		{"inconsistent ship", `{"game": "doubloons", "ships": [{"seat": 0, "hull": 99}]}`, []string{"position", "validate"}, exitFailed, []string{"ships[0].hull", "99"}},
		{"completion with more", "", []string{"completion", "bash", "x"}, exitUsage, []string{`unexpected argument "x"`}},
		{"help on no command", "", []string{"help", "pritn"}, exitUsage, []string{`"pritn": known are`}},
		{"help on no command of position", "", []string{"help", "position", "pritn"}, exitUsage, []string{`"pritn": known are`, "do you mean print?"}},
		{"no duration", "", []string{"bench", "leduc", "--own-work", "x"}, exitUsage, []string{"--own-work x: want a duration such as 30s or 5m"}},
		{"no number", "", []string{"eval", "random", "--gate", "x"}, exitUsage, []string{"--gate x: want a number"}},
		{"a seed too large", "", []string{"sim", "kuhn", "--seed", "99999999999999999999"}, exitUsage, []string{"from 0 to 18446744073709551615"}},
		{"workers below none", "", []string{"eval", "random", "--workers", "-1"}, exitUsage, []string{"--workers -1: want a whole number from 0"}},
		{"completion of no shell", "", []string{"completion", "tcsh"}, exitUsage, []string{`"tcsh"`, "bash, fish, powershell, zsh"}},
		{"file twice", "", []string{"position", "print", "a", "--file", "b"}, exitUsage, []string{"twice"}},
		{"unknown chance", `{"game": "kuhn"}`, []string{"position", "apply", "--chance", "loaded"}, exitUsage, []string{"--chance loaded"}},
		{"seed without sampling", `{"game": "kuhn"}`, []string{"position", "apply", "--seed", "3"}, exitUsage, []string{"--chance sampled"}},

		{"no game to train", "", []string{"train"}, exitUsage, []string{"--game"}},
		{"train: unknown game", "", []string{"train", "--game", "chess"}, exitFailed, []string{`"chess"`}},
		{"train: bad flag", "", []string{"train", "--game", "kuhn", "--num-envs", "many"}, exitUsage, []string{"--num-envs", `"many"`}},
		{"train: bad value", "", []string{"train", "--game", "kuhn", "--learning-rate", "-1"}, exitFailed, []string{"learning_rate", "-1"}},
		{"train: missing file", "", []string{"train", "--config", filepath.Join(dir, "none.yaml")}, exitFailed, []string{"none.yaml"}},
		{"train: malformed YAML", "", []string{"train", "--config", notYAML}, exitFailed, []string{"bad.yaml", "line"}},
		{"serve: unknown key", "", []string{"serve", "--config", file(t, "serve.yaml", "addr: 127.0.0.1:0\nmax_session: 3\n")}, exitFailed, []string{"serve.yaml", "line 2", `unknown key "max_session"; do you mean max_sessions?`}},
		{"train: unknown key", "", []string{"train", "--config", unknownKey}, exitFailed, []string{"key.yaml", "line 2", `"lerning_rate"`, "learning_rate"}},
		{"train: config and resume", "", []string{"train", "--config", "a", "--resume", "b"}, exitUsage, []string{"--config", "--resume"}},
		{"resume of nothing", "", []string{"train", "--resume", filepath.Join(dir, "none")}, exitFailed, []string{"none"}},
		{"eval of nothing", "", []string{"eval", filepath.Join(dir, "none")}, exitFailed, []string{"none"}},
		{"eval of an empty folder", "", []string{"eval", dir}, exitFailed, []string{"no checkpoint"}},
		{"eval of a truncated checkpoint", "", []string{"eval", garbage}, exitFailed, []string{"x.ckpt", "damaged"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := privateer(t, c.stdin, c.args...)
			if r.code != c.code {
				t.Errorf("exit code %d; want %d", r.code, c.code)
			}
			if r.out != "" {
				t.Errorf("standard output %q; want none", r.out)
			}
			if !strings.HasPrefix(r.err, "privateer: ") || strings.Count(r.err, "\n") != 1 || !strings.HasSuffix(r.err, "\n") {
				t.Errorf("standard error %q; want one line", r.err)
			}
			for _, w := range c.want {
				if !strings.Contains(r.err, w) {
					t.Errorf("standard error %q; want it to name %q", r.err, w)
				}
			}
			if strings.Contains(r.err, "goroutine") || strings.Contains(r.err, "internal error") {
				t.Errorf("standard error %q: a broken invariant", r.err)
			}
		})
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
