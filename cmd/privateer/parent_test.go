package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestEndOfTheParentIsSeen plays three parts: it starts itself as a parent, which starts itself as a child and is killed.
func TestEndOfTheParentIsSeen(t *testing.T) {
	const part = "PRIVATEER_TEST_PART"
	start := func(as string, env ...string) *exec.Cmd {
		c := exec.Command(os.Args[0], "-test.run=^TestEndOfTheParentIsSeen$")
		c.Env = append(append(os.Environ(), part+"="+as), env...)
		c.Stderr = os.Stderr
		return c
	}
	switch os.Getenv(part) {
	case "child":
		gone := parentsEnd()
		if gone == nil || os.Getenv(attendedBy) != "" {
			os.Exit(1)
		}
		fmt.Println("the child waits")
		select {
		case <-gone:
			fmt.Println("the parent has ended")
		case <-time.After(20 * time.Second):
		}
		os.Exit(0)
	case "parent":
		c := start("child", attendedBy+"=1")
		c.Stdout = os.Stdout
		if err := c.Run(); err != nil {
			fmt.Println(err)
		}
		os.Exit(1) // it was to be killed before
	}
	if parentsEnd() != nil {
		t.Fatal("who does not ask for it ends with its parent")
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
