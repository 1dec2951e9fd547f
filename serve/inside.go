package serve

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Inside is a server in the process of the program that it serves. The two understand each other as those of Share do, by the same memory, but
// nobody waits for a bell: a command is performed when the program calls Perform.
type Inside struct {
	mu    sync.Mutex
	h     *sharer
	end   context.CancelFunc
	bell  chan struct{} // rung when a command that rests is waited for again
	under chan struct{} // closed when the command under way is answered; nil if none is
	ended bool
}

// NewInside makes a server of the process that it is in, with files as Shared has them, which it closes.
func NewInside(cfg Config, opt Options, mailbox, batches *os.File) (*Inside, error) {
	s, err := newServer(cfg, opt)
	if err != nil {
		mailbox.Close()
		batches.Close()
		return nil, fmt.Errorf("serve: %w", err)
	}
	ctx, end := context.WithCancel(context.Background())
	i := &Inside{end: end, bell: make(chan struct{}, 1)}
	h, err := s.sharer(ctx, Shared{Mailbox: mailbox, Batches: batches, Ring: rung{i.bell, ctx.Done()}, Answer: io.Discard})
	if err != nil {
		end()
		mailbox.Close()
		batches.Close()
		return nil, err
	}
	left := h.left
	h.left = func() bool { return left() || ctx.Err() != nil }
	i.h = h
	return i, nil
}

// rung is the Ring of an Inside.
type rung struct{ bell, ended <-chan struct{} }

func (r rung) Read(to []byte) (int, error) {
	select {
	case <-r.bell:
		return 1, nil
	case <-r.ended:
		return 0, io.EOF
	}
}

// quickRows are so few that a step of theirs takes less than what somebody who presses Ctrl-C notices.
const quickRows = 256

// quick reports whether the command at hand is over before it pays to hand it to another goroutine.
func (h *sharer) quick() bool {
	switch h.word(wordKind).Load() {
	case kindActions, kindCommand, kindDraw:
		return h.session != nil && !h.session.thinks && h.session.answer.n <= quickRows
	}
	return false
}

// Perform performs the command in the mailbox and reports whether it is answered. A short command is performed on the caller's
// thread. Others run in the background, and Perform waits for them at most for patience, so that the caller can do other work before it calls again.
func (i *Inside) Perform(patience time.Duration) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ended {
		return false // the memory is not there any more
	}
	h := i.h
	switch command := h.word(wordCommand).Load(); {
	case i.under != nil:
		select {
		case i.bell <- struct{}{}:
		default:
		}
	case command == h.done:
		return true
	case h.quick():
		h.perform(command)
		h.answered(command)
		return true
	default:
		under := make(chan struct{})
		i.under = under
		go func() {
			defer close(under)
			h.perform(command)
			h.answered(command)
		}()
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-i.under:
		i.under = nil
		return true
	case <-late.C:
		return false
	}
}

// Close ends the server and its session. A command under way is cut short.
func (i *Inside) Close() error {
	i.end()
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ended {
		return nil
	}
	i.ended = true
	under := i.under
	leave := func() {
		i.h.unmap()
		i.h.Mailbox.Close()
		i.h.Batches.Close()
	}
	if under == nil {
		leave()
		return nil
	}
	go func() {
		<-under
		leave()
	}()
	return nil
}
