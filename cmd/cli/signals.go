package cli

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/privateer-rl/privateer/env/match/child"
)

// endsInOrder is the annotation of commands that end when their context does. Other
// commands have nothing to save, and a signal ends them as it ends any program.
const endsInOrder = "ends in order"

func inOrder() map[string]string { return map[string]string{endsInOrder: "yes"} }

// untilSignal is a context that ends when the process is asked to end: by ctrl-C, by
// SIGTERM, by SIGHUP because its terminal is gone, or by the end of its parent (nil for never). A second ctrl-C or SIGTERM ends the process
// at once. SIGHUP does not count: a kernel, a shell and a service manager each send one on top of
// whatever else they send, and what is being saved then must be saved. A signal that the
// process was started to ignore, as by nohup, stays ignored. All this holds to the end of the
// process, so that a late SIGHUP does not change how it ends.
func untilSignal(parent <-chan struct{}) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	came := make(chan os.Signal, 8)
	wanted := slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
	if len(wanted) > 0 { // Notify without signals would mean all
		signal.Notify(came, wanted...)
	}
	go func() {
		for asked := false; ; {
			var s os.Signal
			select {
			case s = <-came:
			case <-parent:
				parent, s = nil, syscall.SIGTERM
			}
			cancel()
			switch {
			case s == syscall.SIGHUP:
			case asked: // it came before Reset took effect
				child.EndAll()
				os.Exit(exitSignal + int(s.(syscall.Signal)))
			default:
				asked = true
				signal.Reset(os.Interrupt, syscall.SIGTERM)
			}
		}
	}()
	return ctx
}

// outliveReaders keeps a write to a closed pipe from ending the process, which is what
// one to standard output or standard error does otherwise. It is for commands that have
// something to save: their writes fail instead.
func outliveReaders() { signal.Ignore(syscall.SIGPIPE) }

// patience is how long a line may take to be written before work continues without it.
const patience = time.Second

// unhurried is a file for messages, such as standard error, whose reader may have stopped:
// a pipe that nobody empties, a terminal that is held. Lines are written in order and, usually, by the
// time Write returns. If they take longer, they wait in the background, and if there are too
// many they are dropped: the work that messages report must not wait for them.
type unhurried struct {
	file  *os.File
	lines chan message
	stuck atomic.Bool // the last message took longer than patience, and still does
}

type message struct {
	text    []byte
	written chan struct{} // closed when it is
}

func newUnhurried(file *os.File) *unhurried {
	u := &unhurried{file: file, lines: make(chan message, 1024)}
	go func() {
		for m := range u.lines {
			_, _ = u.file.Write(m.text) // nobody is left to tell about an error
			u.stuck.Store(false)
			close(m.written)
		}
	}()
	return u
}

func (u *unhurried) Write(text []byte) (int, error) {
	m := message{bytes.Clone(text), make(chan struct{})}
	select {
	case u.lines <- m:
	default:
		return len(text), nil
	}
	if u.stuck.Load() {
		return len(text), nil
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-m.written:
	case <-late.C:
		u.stuck.Store(true)
	}
	return len(text), nil
}

// terminal reports whether people read the messages as they come.
func (u *unhurried) terminal() bool {
	info, err := u.file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}
