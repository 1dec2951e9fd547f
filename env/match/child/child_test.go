package child

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/privateer-rl/privateer/engine/games"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/prompt"
)

// The tests' children are this binary itself: child KIND.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "child" {
		misbehave(os.Args[2])
		return
	}
	os.Exit(m.Run())
}

// misbehave is a child that keeps to the protocol, except for one thing.
func misbehave(kind string) {
	in := bufio.NewReader(os.Stdin)
	say := func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
	sleep := func() { time.Sleep(time.Hour) }
	if kind == "deaf" {
		sleep()
	}
	asked := map[int]bool{} // in matches
	for n := 0; ; {
		text, err := in.ReadString('\n')
		if err != nil {
			if kind == "stubborn" {
				sleep()
			}
			return
		}
		var m struct {
			Type       string
			ID, Seat   int
			Error      string
			Legal      []prompt.Choice
			Log        []string
			Events     []struct{ Kind string }
			Obs        []int `json:"observation"`
			Rows       [][]int
			Prompt     string
			Match, MS  int
			Protocol   int
			Unexpected any `json:"full"`
		}
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			panic(err)
		}
		if m.Type == "hello" {
			switch kind {
			case "no hello":
				sleep()
			case "version":
				say(`{"type":"hello","protocol":99}`)
				continue
			case "rows", "wanting words":
				say(`{"type":"hello","protocol":1,"wants":["rows","observation"]}`)
				continue
			case "at once":
				fmt.Fprintln(os.Stderr, "no \x1b[31mmodel")
				os.Exit(3)
			}
			say(`{"type":"hello","protocol":1,"name":"%s"}`, kind)
			continue
		}
		if m.Type == "quit" {
			if kind == "stubborn" {
				sleep()
			}
			return
		}
		n++
		good := func() { say(`{"id":%d,"action":%d}`, m.ID, m.Legal[0].Action) }
		switch kind {
		case "long":
			junk := strings.Repeat("x", 1<<20)
			for range 100 {
				if _, err := os.Stdout.WriteString(junk); err != nil {
					sleep()
				}
			}
			sleep()
		case "chatter":
			for {
				say(`{"id":-1,"action":0}`)
			}
		case "silent", "deaf":
			sleep()
		case "crash":
			fmt.Fprintln(os.Stderr, "out of luck")
			os.Exit(7)
		case "fork", "escape":
			hold := exec.Command(os.Args[0], "child", "holder")
			hold.Stdin, hold.Stdout, hold.Stderr = os.Stdin, os.Stdout, os.Stderr
			if kind == "escape" {
				escape(hold)
			}
			if err := hold.Start(); err != nil {
				panic(err)
			}
			fmt.Fprintln(os.Stderr, "pid", hold.Process.Pid)
			os.Exit(0)
		case "shut":
			os.Stdout.Close()
			sleep()
		case "other seat":
			say(`{"id":%d,"seat":%d,"action":%d}`, m.ID, m.Seat+1, m.Legal[0].Action)
		case "illegal":
			say(`{"id":%d,"action":"no such <b>action</b>"}`, m.ID)
		case "garbage":
			say("\x1b[2J<script>")
		case "no id":
			say(`{"action":0}`)
		case "null":
			say(`{"id":%d,"action":null}`, m.ID)
		case "twice":
			good()
			good()
		case "late":
			if n%2 == 1 {
				time.Sleep(400 * time.Millisecond)
			}
			good()
		case "learns":
			if m.Error == "" {
				say(`{"id":%d,"action":-1}`, m.ID)
			} else {
				good()
			}
		case "told":
			if asked[m.Match] && (len(m.Log) == 0 || len(m.Events) == 0 || m.Events[0].Kind == "") {
				say("nobody has told what happened")
			} else {
				good()
			}
			asked[m.Match] = true
		case "words":
			say(`{"id":%d,"text":"I have thought. **Answer:** %s"}`, m.ID, firstChoice(m.Prompt))
		case "vague words":
			if m.Error == "" || !strings.Contains(m.Prompt, m.Error) {
				say(`{"id":%d,"text":"call or raise"}`, m.ID)
			} else {
				say(`{"id":%d,"text":"call"}`, m.ID)
			}
		case "illegal words":
			say(`{"id":%d,"text":"fold"}`, m.ID)
		case "no words":
			say(`{"id":%d,"action":1}`, m.ID)
		case "wanting words":
			say(`{"id":%d,"text":"call"}`, m.ID)
		case "restarted":
			if len(m.Log) == 0 { // of the first question
				os.Exit(7)
			}
			if m.ID == 1 && fmt.Sprint(m.Log, m.Events) == "[Seat 1 checks.] [{checked}]" {
				good()
			}
		case "once":
			good()
			if m.Match == 1 {
				return
			}
		case "rows":
			if len(m.Obs) == 0 || len(m.Rows) != len(m.Legal) {
				say("no rows")
			} else {
				good()
			}
		default:
			say(`{"id":%d,"action":%q}`, m.ID, m.Legal[0].Name)
		}
	}
}

// firstChoice is the number of the first choice of a prompt.
func firstChoice(prompt string) string {
	_, choices, _ := strings.Cut(prompt, "number, name and words:\n\n")
	number, _, _ := strings.Cut(choices, " ")
	return number
}

// escape has a process leave the group of the one that starts it, where there is a way to end it all the same.
var escape = func(*exec.Cmd) {}

// named is the name of a child of a kind.
func named(t *testing.T, kind, settings string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := name
	if strings.HasSuffix(kind, "words") {
		name = textName
	}
	return fmt.Sprintf("%s(%s):'%s' child '%s'", name, settings, self, kind)
}

// seated is the bot of a name, and a match in which seat 0 is asked.
func seated(t *testing.T, name, game string) (*Bot, engine.Match) {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(name, g)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	m := g.NewMatch()
	m.Reset(1)
	return b, m
}

// answers asks a bot a few questions of a match and sums up its faults.
func answers(t *testing.T, b *Bot, m engine.Match, n int) bots.Faults {
	t.Helper()
	r := engine.NewRand(1)
	var all bots.Faults
	for range n {
		a, faults, err := b.Answer(bots.Question{Match: m, Number: 1}, &r)
		if err != nil {
			t.Fatal(err)
		}
		if !m.Legal().Has(a) {
			t.Fatalf("action %d is not legal", a)
		}
		all = all.Plus(faults)
	}
	return all
}

func TestAGoodChildHasNoFaults(t *testing.T) {
	for _, kind := range []string{"good", "rows", "words"} {
		b, m := seated(t, named(t, kind, "ms=20000"), "doubloons(seats=3)")
		if faults := answers(t, b, m, 5); faults != (bots.Faults{}) {
			t.Errorf("%s: %v", kind, faults.Report("it"))
		}
	}
}

func TestFaultsAreCountedByKind(t *testing.T) {
	for _, c := range []struct {
		kind, settings string
		asked          int
		want           bots.Faults
		says           string
	}{
		{"long", "ms=20000", 2, bots.Faults{Unreadable: 2}, "a line of more than 64 KiB"},
		{"chatter", "ms=20000", 1, bots.Faults{Unreadable: 1, Unasked: 100}, "it answers question -1"},
		{"deaf", "ms=50,start_ms=50", 5, bots.Faults{Silences: 3, Crashes: 2}, "no hello: silent for 50ms"},
		{"no hello", "ms=50,start_ms=50", 1, bots.Faults{Silences: 1}, "no hello: silent"},
		{"silent", "ms=50", 3, bots.Faults{Silences: 3}, "silent for 50ms"},
		{"version", "ms=20000", 1, bots.Faults{Unreadable: 1}, "version 99"},
		{"at once", "ms=20000", 1, bots.Faults{Crashes: 1}, `exit status 3, with "no \x1b[31mmodel"`},
		{"crash", "ms=20000", 2, bots.Faults{Crashes: 2}, `exit status 7, with "out of luck"`},
		{"shut", "ms=20000", 1, bots.Faults{Crashes: 1}, "closed its standard output"},
		{"other seat", "ms=20000", 2, bots.Faults{Illegal: 2}, "it answers for seat 1: this one is seat 0"},
		{"illegal", "ms=20000", 2, bots.Faults{Illegal: 2}, `there is no action "no such <b>action</b>"`},
		{"garbage", "ms=20000", 2, bots.Faults{Unreadable: 2}, `"\x1b[2J<script>" is no answer`},
		{"no id", "ms=20000", 2, bots.Faults{Unreadable: 2}, `it has no "id"`},
		{"null", "ms=20000", 1, bots.Faults{Illegal: 1}, "want a number or a name"},
		{"twice", "ms=20000", 3, bots.Faults{Unasked: 2}, "it answers question 1: question 2 is asked"},
		{"learns", "ms=20000", 2, bots.Faults{Illegal: 2}, "want a number"},
		{"learns", "ms=20000,retries=1", 2, bots.Faults{Illegal: 2}, "is not legal"},
		{"illegal", "ms=20000,retries=2", 1, bots.Faults{Illegal: 3}, "there is no action"},
		{"crash", "ms=20000,retries=1", 1, bots.Faults{Crashes: 2}, "exit status 7"},
		{"vague words", "ms=20000,retries=1", 2, bots.Faults{Unreadable: 2}, "may mean 1 (call), 2 (raise)"},
		{"vague words", "ms=20000", 1, bots.Faults{Unreadable: 1}, `"call or raise" may mean`},
		{"illegal words", "ms=20000", 1, bots.Faults{Illegal: 1}, `"fold" is not legal now`},
		{"no words", "ms=20000", 1, bots.Faults{Unreadable: 1}, `it has no "text"`},
		{"wanting words", "ms=20000", 1, bots.Faults{Unreadable: 1}, `it wants "rows": exec-text asks in words only`},
	} {
		t.Run(c.kind+" "+c.settings, func(t *testing.T) {
			t.Parallel()
			b, m := seated(t, named(t, c.kind, c.settings), "leduc")
			got := answers(t, b, m, c.asked)
			if c.kind == "learns" {
				c.says = ""
			}
			if !strings.Contains(got.First, c.says) || strings.ContainsFunc(got.First, func(r rune) bool { return r < ' ' }) {
				t.Errorf("it says %q: want %q in it", got.First, c.says)
			}
			got.First = ""
			if got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// A late answer is one fault, and is not taken for the answer to the next question.
func TestALateAnswerIsDropped(t *testing.T) {
	b, m := seated(t, named(t, "late", "ms=200"), "leduc")
	r := engine.NewRand(1)
	_, faults, err := b.Answer(bots.Question{Match: m, Number: 1}, &r)
	if err != nil || faults.Silences != 1 {
		t.Fatalf("%v, %v: want a silence", faults, err)
	}
	b.think = 20 * time.Second
	if _, faults, err = b.Answer(bots.Question{Match: m, Number: 1}, &r); err != nil || faults != (bots.Faults{}) {
		t.Errorf("%v, %v: want no fault of the question after it", faults, err)
	}
}

func TestWhatAFaultDoes(t *testing.T) {
	r := engine.NewRand(1)
	b, m := seated(t, named(t, "crash", "ms=20000,on_fault=stop"), "leduc")
	if a, faults, err := b.Answer(bots.Question{Match: m, Number: 1}, &r); a != bots.Stopped || faults.Crashes != 1 || err == nil || !strings.Contains(err.Error(), "exit status 7") {
		t.Errorf("on_fault=stop: %d, %v, %v", a, faults, err)
	}
	b, m = seated(t, named(t, "crash", "ms=20000,on_fault=forfeit"), "leduc")
	if faults := answers(t, b, m, 5); faults.Crashes != 1 || faults.Forfeits != 1 {
		t.Errorf("on_fault=forfeit: %v: want one crash, after which it is not asked in this match", faults)
	}
	if _, faults, _ := b.Answer(bots.Question{Match: m, Number: 2}, &r); faults.Crashes != 1 {
		t.Errorf("in the next match: %v: want it to be asked again", faults)
	}
}

// A program that ends between two questions is one crash, and the next one gets the question.
func TestAnEndBetweenQuestionsIsACrash(t *testing.T) {
	b, m := seated(t, named(t, "once", "ms=20000"), "leduc")
	r := engine.NewRand(1)
	if _, faults, err := b.Answer(bots.Question{Match: m, Number: 1}, &r); err != nil || faults.Total() != 0 {
		t.Fatal(faults, err)
	}
	<-b.seats[0].process.gone
	if _, faults, err := b.Answer(bots.Question{Match: m, Number: 2}, &r); err != nil || faults.Crashes != 1 || faults.Total() != 1 {
		t.Errorf("%v, %v", faults, err)
	}
}

// A program that is started again in a match is told what any is: what has happened since its seat's last decision.
func TestAProgramThatIsStartedAgainIsToldWhatIsNew(t *testing.T) {
	b, m := seated(t, named(t, "restarted", "ms=20000"), "leduc")
	r := engine.NewRand(1)
	if _, faults, err := b.Answer(bots.Question{Match: m, Number: 1}, &r); err != nil || faults.Crashes != 1 {
		t.Fatal(faults, err)
	}
	news := []engine.Moment{{Events: []any{map[string]any{"kind": "checked", "seat": 1}}, Line: "Seat 1 checks."}}
	if _, faults, err := b.Answer(bots.Question{Match: m, Number: 1, Log: news}, &r); err != nil || faults.Total() != 0 {
		t.Errorf("%v, %v", faults, err)
	}
}

func TestABotStopsWaiting(t *testing.T) {
	b, m := seated(t, named(t, "silent", "ms=20000"), "leduc")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	r := engine.NewRand(1)
	if _, _, err := bots.Ask(ctx, b, bots.Question{Match: m}, &r); err == nil || r != engine.NewRand(1) {
		t.Errorf("got %v, and the stream at %v: want the end of the context, and nothing drawn", err, r)
	}
}

// running reports whether a process of a number runs; one that nobody has waited for does not.
func running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil && runtime.GOOS == "linux" {
		return false
	}
	if _, state, ok := strings.Cut(string(stat), ") "); ok {
		return state[0] != 'Z'
	}
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}

func wantGone(t *testing.T, pid int) {
	t.Helper()
	for range 500 {
		if !running(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d still runs", pid)
}

func TestNobodyIsLeftBehind(t *testing.T) {
	// One that has forked and ended: who it left has its pipes, and may have a session of its own.
	for _, kind := range []string{"fork", "escape"} {
		b, m := seated(t, named(t, kind, "ms=20000"), "leduc")
		faults := answers(t, b, m, 1)
		if faults.Crashes != 1 {
			t.Errorf("%v: want a crash", faults)
		}
		var left int
		if _, words, ok := strings.Cut(faults.First, "pid "); !ok {
			t.Fatalf("%s: it does not say who is left", faults.First)
		} else if _, err := fmt.Sscan(strings.Trim(words, `"`), &left); err != nil {
			t.Fatal(err)
		}
		wantGone(t, left)
	}
	// One that ignores that it is told to end.
	b, m := seated(t, named(t, "stubborn", "ms=20000"), "leduc")
	answers(t, b, m, 1)
	pid := b.seats[0].process.cmd.Process.Pid
	if !running(pid) {
		t.Fatal("it does not run")
	}
	b.Close()
	wantGone(t, pid)
	if _, _, err := b.Answer(bots.Question{Match: m}, new(engine.Rand)); err == nil {
		t.Error("a bot that was closed answers")
	}
}

// No process is told what another seat sees.
func TestEachSeatHasAProcessOfItsOwn(t *testing.T) {
	b, m := seated(t, named(t, "good", "ms=20000"), "doubloons(seats=2)")
	r := engine.NewRand(1)
	for range 200 {
		seat := m.Seat()
		a, faults, err := b.Answer(bots.Question{Match: m, Number: 1}, &r)
		if err != nil || faults.Total() != 0 {
			t.Fatal(faults, err)
		}
		if b.seats[seat].process == nil {
			t.Fatalf("seat %d has no process", seat)
		}
		if err := m.Apply(a); err != nil || m.Seat() == engine.Over {
			break
		}
	}
	if b.seats[0].process == nil || b.seats[0].process == b.seats[1].process {
		t.Error("the seats share a process")
	}
}

func TestNames(t *testing.T) {
	g, err := engine.NewGame("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"exec:":                         "names no program",
		"exec: ":                        "names no program",
		"exec(ms=5)sh":                  "want exec:COMMAND",
		"exec(ms=0):sh":                 "ms=0",
		"exec(speed=1):sh":              `no parameter "speed"`,
		"exec(rules=1):sh":              `no parameter "rules"`,
		"exec-text(rules=-1):sh":        "rules=-1",
		"exec-text":                     "want exec:COMMAND or exec-text:COMMAND",
		"exec-text:":                    "names no program",
		"exec(on_fault=cry):sh":         "on_fault=cry",
		"exec:'sh":                      "the closing ' is missing",
		"exec:there-is-no-such-program": "executable file not found",
		"exec:sh \x1b[2J":               "cannot be printed",
	} {
		if _, err := New(name, g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v: want %q", name, err, want)
		}
	}
	got, err := words(`a  'b c' "d'e"f ""`)
	if err != nil || fmt.Sprintf("%q", got) != `["a" "b c" "d'ef" ""]` {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestConformSaysWhatIsWrong(t *testing.T) {
	g, err := engine.NewGame("leduc")
	if err != nil {
		t.Fatal(err)
	}
	for kind, wrong := range map[string]string{"good": "", "rows": "", "told": "", "words": "", "illegal words": "legal actions", "vague words": "as the protocol says", "illegal": "legal actions", "twice": "once", "crash": "keeps running", "stubborn": "when it is told to", "no hello": "hello"} {
		settings := "ms=20000"
		if kind == "no hello" {
			settings = "start_ms=50"
		}
		checks, err := Conform(t.Context(), named(t, kind, settings), g, 2)
		if err != nil {
			t.Fatal(err)
		}
		failed := ""
		for _, c := range checks {
			if !c.OK {
				failed += c.Name + ": " + c.Text + "\n"
			}
		}
		if wrong == "" && failed != "" || !strings.Contains(failed, wrong) {
			t.Errorf("%s: %q: want %q in it", kind, failed, wrong)
		}
	}
}

// build is the command that runs an example, which it compiles if it has to be.
func build(t *testing.T, file string) string {
	t.Helper()
	path := filepath.Join("examples", file)
	compiled := filepath.Join(t.TempDir(), "bot")
	var compile *exec.Cmd
	switch filepath.Ext(file) {
	case ".py":
		return "python3 " + path
	case ".js":
		return "node " + path
	case ".c":
		compile = exec.Command("gcc", "-O", "-Wall", "-Wextra", "-Werror", "-o", compiled, path)
	case ".rs":
		compile = exec.Command("rustc", "-O", "-D", "warnings", "-o", compiled, path)
	}
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", compile, err, out)
	}
	return strconv.Quote(compiled)
}
