//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	pb "github.com/privateer-rl/privateer/serve/proto/privateer/v1"
)

// subprocess is a process of the program.
type subprocess struct {
	*exec.Cmd
	t    *testing.T
	errs bytes.Buffer
	done chan struct{} // closed at its end
}

// program is a child that is not started yet; shell, if not empty, is what sh does
// before it becomes the program.
func program(t *testing.T, pause time.Duration, shell string, args ...string) *subprocess {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &subprocess{Cmd: exec.Command(self, args...), t: t, done: make(chan struct{})}
	if shell != "" {
		c.Cmd = exec.Command("sh", append([]string{"-c", shell, self}, args...)...)
	}
	c.Env = append(os.Environ(), childMark+"="+pause.String())
	c.Stderr = &c.errs
	return c
}

func (c *subprocess) start() *subprocess {
	c.t.Helper()
	if err := c.Start(); err != nil {
		c.t.Fatal(err)
	}
	go func() {
		_ = c.Wait() // ProcessState has all that is asked for
		close(c.done)
	}()
	c.t.Cleanup(func() {
		_ = c.Process.Kill()
		<-c.done
	})
	return c
}

func (c *subprocess) send(signals ...syscall.Signal) {
	c.t.Helper()
	for i, s := range signals {
		if i > 0 {
			time.Sleep(30 * time.Millisecond) // signals of one kind that come together count as one
		}
		if err := c.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
			c.t.Fatal(err)
		}
	}
}

// hang is how long tests wait for what comes at once, at a loaded machine's leisure.
const hang = 5 * time.Minute

func (c *subprocess) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// end waits for the end of the process.
func (c *subprocess) end() {
	c.t.Helper()
	select {
	case <-c.done:
	case <-time.After(hang):
		c.t.Fatal("the process does not end")
	}
}

// ends waits for the end of the process and wants an exit code.
func (c *subprocess) ends(code int) {
	c.t.Helper()
	c.end()
	if got := c.ProcessState; got.ExitCode() != code {
		c.t.Fatalf("%v, want exit code %d: %s", got, code, c.errs.String())
	}
}

// until waits for a condition while the process is at work.
func (c *subprocess) until(what string, holds func() bool) {
	c.t.Helper()
	for end := time.After(hang); !holds(); {
		select {
		case <-c.done:
			c.t.Fatalf("%v before %s: %s", c.ProcessState, what, c.errs.String())
		case <-end:
			c.t.Fatalf("waited in vain for %s", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// training is a child that trains, in a folder of the test, until it is stopped:
// its only checkpoint is that of the beginning.
func training(t *testing.T, shell string, pause time.Duration, more ...string) (c *subprocess, root string) {
	root = t.TempDir()
	args := []string{
		"train", "--game", "kuhn", "--runs", root, "--total-timesteps", "100000000", "--num-envs", "8", "--num-steps", "8", "--hidden", "8",
		"--update-epochs", "4", "--eval-every", "0", "--eval-matches", "0", "--checkpoint-every", "0",
	}
	return program(t, pause, shell, append(args, more...)...), root
}

// updates is how many updates the run under root has done.
func updates(t *testing.T, root string) int {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(root, "*", "metrics.jsonl"))
	if len(files) == 0 {
		return 0
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(data, []byte("\n"))
}

// saved checks that nothing of the run under root is lost: it has a checkpoint of its last
// update, from which a resumed run continues.
func saved(t *testing.T, root string) {
	t.Helper()
	done := updates(t, root)
	files, _ := filepath.Glob(filepath.Join(root, "*", "checkpoints", fmt.Sprintf("step_%012d.ckpt", 64*done)))
	if done == 0 || len(files) != 1 {
		all, _ := filepath.Glob(filepath.Join(root, "*", "checkpoints", "*.ckpt"))
		t.Fatalf("%d updates are done, the checkpoints are %v", done, all)
	}
	run := filepath.Dir(filepath.Dir(files[0]))
	again := program(t, 0, "", "train", "--resume", run, "--total-timesteps", fmt.Sprint(64*(done+2)), "--json")
	var out bytes.Buffer
	again.Stdout = &out
	again.start().ends(exitOK)
	if n := updates(t, root); n != done+2 || strings.Contains(again.errs.String(), "warning") {
		t.Errorf("resumed after update %d, the run ended after %d: %s", done, n, again.errs.String())
	}
}

func TestTrainingSavesItselfWhateverAsksForItsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		shell   string
		signals []syscall.Signal
	}{
		"ctrl-C":                          {"", []syscall.Signal{syscall.SIGINT}},
		"SIGTERM":                         {"", []syscall.Signal{syscall.SIGTERM}},
		"SIGHUP":                          {"", []syscall.Signal{syscall.SIGHUP}},
		"SIGHUP of kernel and shell":      {"", []syscall.Signal{syscall.SIGHUP, syscall.SIGHUP, syscall.SIGHUP}},
		"SIGHUP, then SIGTERM":            {"", []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM}},
		"SIGTERM, then SIGHUP":            {"", []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP}},
		"ctrl-C under nohup":              {`trap "" HUP; exec "$0" "$@"`, []syscall.Signal{syscall.SIGINT}},
		"SIGTERM with all outputs closed": {`exec "$0" "$@" >&- 2>&-`, []syscall.Signal{syscall.SIGTERM}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := c
			child, root := training(t, c.shell, 50*time.Millisecond)
			child.start()
			child.until("two updates", func() bool { return updates(t, root) >= 2 })
			child.send(c.signals...)
			child.ends(exitFailed)
			if said := child.errs.String(); !strings.Contains(said, "interrupted after update") && !strings.Contains(c.shell, "2>&-") {
				t.Errorf("it says %q, want how to continue", said)
			}
			saved(t, root)
		})
	}
}

func TestASecondSignalEndsTrainingAtOnce(t *testing.T) {
	for name, signals := range map[string][2]syscall.Signal{
		"SIGTERM": {syscall.SIGTERM, syscall.SIGTERM}, "ctrl-C": {syscall.SIGINT, syscall.SIGINT}, "one of each": {syscall.SIGINT, syscall.SIGTERM},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			child, root := training(t, "", time.Hour)
			child.start()
			child.until("the first checkpoint", func() bool {
				files, _ := filepath.Glob(filepath.Join(root, "*", "checkpoints", "step_000000000000.ckpt"))
				return len(files) == 1
			})
			child.send(signals[0])
			// Again and again, because signals of one kind that come together count as one.
			for end := time.Now().Add(hang); ; {
				time.Sleep(50 * time.Millisecond)
				child.send(signals[1])
				if child.ended() {
					break
				}
				if time.Now().After(end) {
					t.Fatal("the process does not end")
				}
			}
			how := child.ProcessState.Sys().(syscall.WaitStatus)
			if !(how.Signaled() && how.Signal() == signals[1]) && how.ExitStatus() != exitSignal+int(signals[1]) {
				t.Errorf("%v, want the end by %v", child.ProcessState, signals[1])
			}
		})
	}
}

func TestTrainingThatIgnoresSIGHUPFromTheStartGoesOn(t *testing.T) {
	child, root := training(t, `trap "" HUP; exec "$0" "$@"`, time.Millisecond)
	child.start()
	child.until("an update", func() bool { return updates(t, root) >= 1 })
	child.send(syscall.SIGHUP)
	seen := updates(t, root)
	child.until("more updates", func() bool { return updates(t, root) >= seen+5 })
	child.send(syscall.SIGTERM)
	child.ends(exitFailed)
	saved(t, root)
}

// As in `privateer train 2>&1 | head -1`: the reader takes one line and leaves.
func TestTrainingOutlivesWhoeverReadsIt(t *testing.T) {
	for name, both := range map[string]bool{"standard error": false, "both outputs": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			// An evaluation at every update makes a line of it.
			child, root := training(t, "", 0, "--total-timesteps", "640", "--eval-every", "1", "--eval-matches", "2")
			child.Stderr = write
			code := exitOK
			if both {
				child.Stdout, code = write, exitFailed // what it was asked for is lost
			}
			child.start()
			write.Close()
			if line, err := bufio.NewReader(read).ReadString('\n'); err != nil || !strings.Contains(line, "run folder") {
				t.Fatalf("%q, %v", line, err)
			}
			read.Close()
			child.ends(code)
			if n := updates(t, root); n != 10 {
				t.Errorf("%d updates are done, want 10", n)
			}
			saved(t, root)
		})
	}
}

// If a reader stays but reads no more, the pipe fills up.
func TestTrainingDoesNotWaitForWhoeverReadsIt(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	fill(t, write)
	child, root := training(t, "", time.Millisecond, "--eval-every", "1", "--eval-matches", "2")
	child.Stderr = write
	child.start()
	write.Close()
	child.until("updates", func() bool { return updates(t, root) >= 5 })
	child.send(syscall.SIGTERM)
	child.ends(exitFailed)
	saved(t, root)
}

// fill fills a pipe to the brim.
func fill(t *testing.T, write *os.File) {
	t.Helper()
	if err := write.SetWriteDeadline(time.Now().Add(200 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	for size := 64 << 10; size > 0; size /= 2 {
		for {
			if _, err := write.Write(make([]byte, size)); errors.Is(err, os.ErrDeadlineExceeded) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// serving is a child that serves, with a session open, and the folder for its
// sessions.
func serving(t *testing.T, errs *os.File) (c *subprocess, folder string) {
	t.Helper()
	folder = t.TempDir()
	c = program(t, 0, "", "serve", "--addr", "127.0.0.1:0", "--metrics-addr", "", "--snapshots", folder, "--attended", "--drain", "5s", "--log-level", "debug")
	if errs != nil {
		c.Stderr = errs
	}
	stdin, err := c.StdinPipe() // held open
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close() })
	out, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stdout = ours
	c.start()
	ours.Close()
	defer out.Close()
	if err := out.SetReadDeadline(time.Now().Add(hang)); err != nil {
		t.Fatal(err)
	}
	var at struct{ Addr string }
	if err := json.NewDecoder(out).Decode(&at); err != nil {
		t.Fatal(err)
	}
	conn, err := grpc.NewClient(at.Addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	env := pb.NewEnvironmentServiceClient(conn)
	// Each request is a line of the log: more than a pipe holds.
	for range 1000 {
		if _, err := env.Describe(ctx, &pb.DescribeRequest{Game: "kuhn"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := env.Open(ctx, &pb.OpenRequest{Game: "leduc", NumEnvs: 2}); err != nil {
		t.Fatal(err)
	}
	return c, folder
}

// kept checks that the session is in the folder.
func kept(t *testing.T, folder string) {
	t.Helper()
	if files, _ := filepath.Glob(filepath.Join(folder, "*.session")); len(files) != 1 {
		all, _ := os.ReadDir(folder)
		t.Errorf("the folder has %v, want one session", all)
	}
}

func TestAServerSavesItsSessionsWhateverAsksForItsEnd(t *testing.T) {
	for name, signals := range map[string][]syscall.Signal{
		"ctrl-C":               {syscall.SIGINT},
		"SIGTERM":              {syscall.SIGTERM},
		"SIGHUP":               {syscall.SIGHUP},
		"SIGHUP twice":         {syscall.SIGHUP, syscall.SIGHUP},
		"SIGTERM, then SIGHUP": {syscall.SIGTERM, syscall.SIGHUP},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, folder := serving(t, nil)
			c.send(signals...)
			c.ends(exitOK)
			kept(t, folder)
		})
	}
}

func TestAServerOutlivesWhoeverReadsItsLog(t *testing.T) {
	for name, gone := range map[string]bool{"is gone": true, "reads no more": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			if gone {
				read.Close()
			} else {
				defer read.Close()
				fill(t, write)
			}
			c, folder := serving(t, write)
			write.Close()
			c.send(syscall.SIGTERM)
			c.ends(exitOK)
			kept(t, folder)
		})
	}
}

func TestPlayKeepsTheMatchWhenItsTerminalIsGone(t *testing.T) {
	for name, hangUp := range map[string]bool{"SIGHUP": true, "closed output": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "match.txt")
			c := program(t, 0, "", "play", "leduc", "--save", path)
			stdin, err := c.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer stdin.Close()
			stdout, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			c.start()
			if _, err := bufio.NewReader(stdout).ReadString('>'); err != nil {
				t.Fatal(err)
			}
			code := exitOK
			if hangUp {
				c.send(syscall.SIGHUP)
			} else {
				code = exitFailed
				stdout.Close()
				if _, err := io.WriteString(stdin, "\n"); err != nil {
					t.Fatal(err)
				}
			}
			c.ends(code)
			if out := must(t, "", "replay", path); !strings.Contains(out, "cut short") {
				t.Errorf("the transcript replays as %q", out)
			}
		})
	}
}

func TestSimulationKeepsItsTranscriptsWhenItsTerminalIsGone(t *testing.T) {
	dir := t.TempDir()
	c := program(t, 0, "", "sim", "leduc", "--matches", "100000000", "--record", dir)
	c.start()
	c.until("a transcript", func() bool {
		files, _ := filepath.Glob(filepath.Join(dir, "match_*.json"))
		return len(files) > 0
	})
	c.send(syscall.SIGHUP)
	c.ends(exitFailed)
	if said := c.errs.String(); !strings.Contains(said, "stopped after") {
		t.Errorf("it says %q, want how far it came", said)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.Contains(e.Name(), ".tmp-") {
			t.Errorf("it left %s", e.Name())
		}
	}
}

// These do not check their context: a signal that they caught would end nothing.
func TestCommandsWithNothingToSaveEndAtTheFirstSignal(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		c := program(t, 0, "", "position", "print")
		stdin, err := c.StdinPipe() // which it waits for
		if err != nil {
			t.Fatal(err)
		}
		defer stdin.Close()
		c.start()
		time.Sleep(50 * time.Millisecond)
		c.send(s)
		c.end()
		if how := c.ProcessState.Sys().(syscall.WaitStatus); !how.Signaled() || how.Signal() != s {
			t.Errorf("%v, want an end by %v", c.ProcessState, s)
		}
	}
}

func TestCommandsThatLookAtTheirContextAreTold(t *testing.T) {
	for name, want := range map[string]bool{"train": true, "serve": true, "play": true, "sim": true, "balance": true, "bench": true, "rate": true, "eval": true, "export": false} {
		c, _, err := newRoot().Find([]string{name})
		if err != nil || (c.Annotations[endsInOrder] != "") != want {
			t.Errorf("%s ends in order: %t (%v), want %t", name, !want, err, want)
		}
	}
}

// A command that has nothing to save ends as other programs do when their reader leaves.
func TestOtherCommandsEndWithTheirReader(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	c := program(t, 0, "", "rules", "doubloons")
	c.Stdout = write
	c.start()
	write.Close()
	c.end()
	if how := c.ProcessState.Sys().(syscall.WaitStatus); !how.Signaled() || how.Signal() != syscall.SIGPIPE || c.errs.Len() > 0 {
		t.Errorf("%v: %s; want an end by SIGPIPE and no word", c.ProcessState, c.errs.String())
	}
}

// A program that plays is in a group of its own, so ctrl-C does not reach it: it is ended with this one, whatever it ignores.
func TestProgramsEndWithThisOne(t *testing.T) {
	for _, c := range []struct {
		args    []string
		signals []syscall.Signal
		code    int
	}{
		{[]string{"sim", "kuhn", "--bots"}, []syscall.Signal{syscall.SIGINT}, exitFailed},
		{[]string{"eval", "random", "--game", "kuhn", "--against"}, []syscall.Signal{syscall.SIGTERM}, exitFailed},
		{[]string{"conform"}, []syscall.Signal{syscall.SIGHUP}, exitFailed},
	} {
		t.Run(c.args[0], func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			deaf := script(t, `trap "" INT TERM HUP; echo $$ >>"`+folder+`/pids"; while :; do sleep 1; done`)
			p := program(t, 0, "", append(c.args, "exec(start_ms=600000):"+deaf)...).start()
			pids := func() []string {
				text, _ := os.ReadFile(filepath.Join(folder, "pids"))
				return strings.Fields(string(text))
			}
			p.until("the program", func() bool { return len(pids()) > 0 })
			p.send(c.signals...)
			p.ends(c.code)
			for _, pid := range pids() {
				id, err := strconv.Atoi(pid)
				if err != nil {
					t.Fatal(err)
				}
				for end := time.After(hang); syscall.Kill(id, 0) == nil; time.Sleep(5 * time.Millisecond) {
					select {
					case <-end:
						t.Fatalf("process %d is left", id)
					default:
					}
				}
			}
		})
	}
}
