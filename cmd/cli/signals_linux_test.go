package cli

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// terminal is a new terminal: the end that a window would hold, and the one that
// programs are given.
func terminal(t *testing.T) (window, line *os.File) {
	t.Helper()
	window, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { window.Close() })
	control := func(request uintptr, value *int32) {
		t.Helper()
		conn, err := window.SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.Control(func(fd uintptr) {
			if _, _, failed := syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(value))); failed != 0 {
				t.Errorf("terminal: %v", failed)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	var number, locked int32
	control(syscall.TIOCGPTN, &number)
	control(syscall.TIOCSPTLCK, &locked)
	line, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return window, line
}

// Closing a terminal's window sends SIGHUP, and fails what is written there from then
// on.
func TestTrainingSavesItselfWhenItsTerminalIsClosed(t *testing.T) {
	window, line := terminal(t)
	child, root := training(t, "", 20*time.Millisecond)
	child.Stdin, child.Stdout, child.Stderr = line, line, line
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	child.Env = append(child.Env, "TERM=xterm")
	child.start()
	line.Close()
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		text := make([]byte, 4096)
		for {
			if _, err := window.Read(text); err != nil {
				return
			}
		}
	}()
	child.until("two updates", func() bool { return updates(t, root) >= 2 })
	window.Close()
	<-shown
	child.ends(exitFailed)
	saved(t, root)
}
