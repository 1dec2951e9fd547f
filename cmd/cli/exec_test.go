package cli

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/env/measure/compare"
	"github.com/privateer-rl/privateer/env/measure/rate"
)

// script writes a program for sh, and returns the name of its player.
func script(t *testing.T, lines string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bot.sh")
	if err := os.WriteFile(file, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	return "sh '" + file + "'" // its folder's name may have a space
}

// first takes the first legal action.
const first = `
while read -r line; do
	case $line in
	'{"type":"hello"'*) echo '{"type":"hello","protocol":1}' ;;
	'{"type":"decide"'*)
		id=${line#*'"id":'} action=${line#*'"action":'}
		echo "{\"id\":${id%%,*},\"action\":${action%%,*}}"
		;;
	*) exit ;;
	esac
done
`

// wrong is first, but answers wrongly.
var wrong = strings.Replace(first, "${action%%,*}", `\"no\\u001b[2J\"`, 1)

func TestAProgramPlaysWhereverAPlayerIsNamed(t *testing.T) {
	good := "exec(ms=60000,start_ms=60000):" + script(t, first)
	for _, args := range [][]string{
		{"sim", "kuhn", "--bots", good + ",random", "--matches", "4", "--json"},
		{"eval", good, "--against", "random", "--game", "kuhn", "--matches", "4", "--json"},
		{"eval", "random", "--against", good, "--game", "kuhn", "--gate", "20", "--max-matches", "8", "--json"},
		{"rate", good, "random", "--game", "kuhn", "--matches", "4", "--json"},
		{"balance", "kuhn", "--bots", good + ",random", "--matches", "4", "--json"},
		{"exploit", good, "--game", "kuhn", "--rollouts", "0", "--rules", "0", "--by", "random", "--trials", "4", "--matches", "4", "--nodes", "0", "--json"},
	} {
		r := privateer(t, "", args...)
		if r.code != exitOK && r.code != exitUndecided && r.code != exitNotBetter || strings.Contains(r.out, "faults") || !strings.Contains(r.out, "bot.sh") {
			t.Errorf("%q: exit code %d: %s%s", args, r.code, r.out, r.err)
		}
	}
	out := must(t, "0\n0\n0\n0\n", "play", "kuhn", "--bots", good, "--seed", "1")
	if !strings.Contains(out, "bot.sh") || strings.Contains(out, "fails to answer") {
		t.Errorf("play: %s", out)
	}
}

func TestTablesShowTheFaultsOfAProgram(t *testing.T) {
	bad := "exec(ms=60000,start_ms=60000):" + script(t, wrong)
	for _, args := range [][]string{
		{"sim", "kuhn", "--bots", bad + ",random", "--matches", "4"},
		{"eval", bad, "--against", "random", "--game", "kuhn", "--matches", "4"},
		{"rate", bad, "random", "--game", "kuhn", "--matches", "4"},
		{"rate", bad, "random", "--game", "kuhn", "--matches", "4", "--markdown"},
		{"balance", "kuhn", "--bots", bad + ",random", "--matches", "4"},
		{"exploit", bad, "--game", "kuhn", "--rollouts", "0", "--rules", "0", "--by", "random", "--trials", "4", "--matches", "4", "--nodes", "0"},
	} {
		out := must(t, "", args...)
		if !strings.Contains(out, "illegal answer") || !strings.Contains(out, "there is no action") || strings.Contains(out, "\x1b") {
			t.Errorf("%q: %q", args, out)
		}
	}
	all := decode[[]compare.Comparison](t, must(t, "", "eval", bad, "--against", "random", "--game", "kuhn", "--matches", "4", "--json"))
	if n := all[0].FaultsA.Illegal; n == 0 || all[0].FaultsB.Total() != 0 {
		t.Errorf("eval --json: %+v", all[0])
	}
	// They are kept with the results.
	file := filepath.Join(t.TempDir(), "ratings.jsonl")
	args := []string{"rate", bad, "random", "--game", "kuhn", "--matches", "4", "--results", file, "--json"}
	before, after := decode[rate.Table](t, must(t, "", args...)), decode[rate.Table](t, must(t, "", args...))
	if a, b := mustJSON(t, before.Ratings), mustJSON(t, after.Ratings); string(a) != string(b) || !strings.Contains(string(a), `"illegal"`) {
		t.Errorf("rate: %s, and again %s", a, b)
	}
	if r := privateer(t, "", "rate", "random", "rule(seed=1)", "--matches", "12", "--results", file); !strings.Contains(r.err, "only if it is named on the command line") {
		t.Errorf("a name in a file: exit code %d, %q", r.code, r.err)
	}
	if r := privateer(t, "", "sim", "kuhn", "--bots", strings.Replace(bad, "exec(", "exec(on_fault=stop,", 1)); r.code != exitFailed || !strings.Contains(r.err, "on_fault=stop: there is no action") {
		t.Errorf("on_fault=stop: exit code %d, %q", r.code, r.err)
	}
}

// The command of PROTOCOL.md for six seats of six kinds, with the programs of that page and one that answers wrongly.
func TestOneCommandSeatsEveryKindOfPlayer(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Log("no program of the page plays here: there is no python3")
		return
	}
	const slow = "(ms=60000,start_ms=60000):"
	examples := "python3 ../../env/match/child/examples/"
	players := []string{
		"exec-text" + slow + examples + "text.py", "policy:pirate", "search(rollouts=8)", "exec" + slow + examples + "bot.py", "heuristic",
		"exec" + slow + script(t, wrong),
	}
	args := []string{"sim", "jolly_roger(seats=6)", "--matches", "2", "--bots", strings.Join(players, ",")}
	r := decode[simResult](t, must(t, "", append(args, "--json")...))
	if len(r.Bots) != len(players) {
		t.Fatalf("%d bots: want %d", len(r.Bots), len(players))
	}
	var wins float64
	for i, b := range r.Bots {
		wins += b.Wins.Mean
		if b.Played != 2 || b.Faults.Total() > 0 != (i == 5) {
			t.Errorf("%s: %d matches, faults %v", b.Name, b.Played, b.Faults)
		}
	}
	if math.Abs(wins-1) > 1e-9 {
		t.Errorf("shares of the wins sum to %v", wins)
	}
	if out := must(t, "", args...); strings.Count(out, "illegal answers") != 1 || !strings.Contains(out, "policy:pirate ") || !strings.Contains(out, "text.py ") {
		t.Errorf("the table: %s", out)
	}
}

func TestConform(t *testing.T) {
	good, bad := "exec(ms=60000,start_ms=60000):"+script(t, first), "exec(ms=60000,start_ms=60000):"+script(t, wrong)
	if out := must(t, "", "conform", good, "--game", "leduc", "-n", "4"); strings.Contains(out, "FAIL") || strings.Count(out, "ok  ") != 7 {
		t.Errorf("a good program: %s", out)
	}
	r := privateer(t, "", "conform", bad)
	if r.code != exitFailed || !strings.Contains(r.out, "FAIL answers legal actions of its seat: ") || strings.Count(r.out, "FAIL") != 1 {
		t.Errorf("a bad program: exit code %d: %s%s", r.code, r.out, r.err)
	}
	r = privateer(t, "", "conform", bad, "--json")
	if !json.Valid([]byte(r.out)) || r.code != exitFailed {
		t.Errorf("--json: exit code %d: %s", r.code, r.out)
	}
}
