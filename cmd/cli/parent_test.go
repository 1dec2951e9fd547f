package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

// TestEndOfTheParentIsSeen plays three parts: it starts itself as a parent, which starts itself as a child and is killed.
func TestEndOfTheParentIsSeen(t *testing.T) {
	const part, patience = "PRIVATEER_TEST_PART", "PRIVATEER_TEST_PATIENCE"
	start := func(as string, env ...string) *exec.Cmd {
		c := exec.Command(os.Args[0], "-test.run=^TestEndOfTheParentIsSeen$")
		c.Env = append(append(os.Environ(), part+"="+as), env...)
		c.Stderr = os.Stderr
		return c
	}
	switch os.Getenv(part) {
	case "child":
		wait, err := time.ParseDuration(os.Getenv(patience))
		if err != nil {
			wait = 5 * time.Minute
		}
		gone := parentsEnd()
		if gone == nil || os.Getenv(attendedBy) != "" {
			os.Exit(1)
		}
		fmt.Println("the child waits")
		select {
		case <-gone:
			fmt.Println("the parent has ended")
		case <-time.After(wait):
			fmt.Println("the parent lives")
		}
		os.Exit(0)
	case "another":
		os.Exit(0)
	case "parent":
		c := start("child", fmt.Sprintf("%s=%d", attendedBy, os.Getpid()))
		c.Stdout = os.Stdout
		if err := c.Run(); err != nil {
			fmt.Println(err)
		}
		os.Exit(1) // it was to be killed before
	}
	if parentsEnd() != nil {
		t.Fatal("who does not ask for it ends with its parent")
	}
	before, zombie := start("another"), start("another")
	if err := before.Run(); err != nil {
		t.Fatal(err)
	}
	if err := zombie.Start(); err != nil {
		t.Fatal(err)
	}
	for zombieIs := byte(0); runtime.GOOS == "linux" && zombieIs != 'Z'; time.Sleep(time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", zombie.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		zombieIs = stat[bytes.LastIndexByte(stat, ')')+2]
	}
	defer func() { _ = zombie.Wait() }()
	for _, of := range []struct {
		is     string
		parent int
		want   string
	}{
		{"it has ended before its child looked", before.Process.Pid, "the child waits\nthe parent has ended\n"},
		{"nobody has waited for it yet", zombie.Process.Pid, "the child waits\nthe parent has ended\n"},
		{"it has started the child by way of another", os.Getppid(), "the child waits\nthe parent lives\n"},
	} {
		if runtime.GOOS != "linux" && of.parent == zombie.Process.Pid {
			continue
		}
		c := start("child", fmt.Sprintf("%s=%d", attendedBy, of.parent), patience+"=2s")
		if said, err := c.Output(); err != nil || string(said) != of.want {
			t.Errorf("%s: %q, want %q: %v", of.is, said, of.want, err)
		}
	}
	parent := start("parent")
	said, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = parent.Wait() }()
	lines := bufio.NewScanner(said)
	for _, want := range []string{"the child waits", "the parent has ended"} {
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("%q, want %q: %v", lines.Text(), want, lines.Err())
		}
		if err := parent.Process.Kill(); want == "the child waits" && err != nil {
			t.Fatal(err)
		}
	}
}
