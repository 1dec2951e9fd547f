package main

import (
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/privateer-rl/privateer/serve"
)

// session is a server in this process, for Python.
type session struct{ *serve.Inside }

func (*session) kind() string { return "session" }

// session begins one, over two open files that it closes.
func (l *library) session(policies string, mailbox, batches uintptr) (_ int64, err error) {
	defer guarded(&err)
	files := [2]*os.File{}
	for k, number := range [2]uintptr{mailbox, batches} {
		if files[k] = os.NewFile(number, "memory"); files[k] == nil {
			return 0, fmt.Errorf("file %d: want the number of an open file", int64(number))
		}
	}
	cfg := serve.DefaultConfig()
	if policies != "" {
		cfg.Policies = []string{policies}
	}
	opt := serve.Options{Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	inside, err := serve.NewInside(cfg, opt, files[0], files[1])
	if err != nil {
		return 0, err
	}
	return l.add(&session{inside}), nil
}

// perform performs the command in a session's mailbox: 1 if it is answered, 0 if it continues.
func (l *library) perform(handle int64, patience time.Duration) (_ int64, err error) {
	defer guarded(&err)
	s, err := at[*session](l, handle)
	if err != nil || !s.Perform(patience) {
		return 0, err
	}
	return 1, nil
}
