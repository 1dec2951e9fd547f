// Package main is the library for programs in other languages that have matches of their own and want our rules, encoders and bots in
// their own process. `make library` compiles it as a shared library; privateer.h says what it exports, and README.md how it is used.
//
// The functions that C calls are in export.go, which only a build with cgo has. They convert what C passes and call the methods of library
// here, which are Go as any other, and tested as such.
package main

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/privateer-rl/privateer/serve/frontend"
)

// main is never called: a library needs one to be compiled.
func main() {}

// The codes of errors, as privateer.h has them. They begin below the numbers that privateer_seat returns.
const (
	codeHandle   = -10 // no such handle, or one of another kind
	codeArgument = -11 // an argument that means nothing
	codeIllegal  = -12 // an action that is not legal now
	codeMisfit   = -13 // a bot, or a position, of another game
	codeShort    = -14 // a buffer with too little room
	codeInternal = -15 // a bug of the library, or a process that was forked
)

// failure is an error with its code.
type failure struct {
	code int64
	error
}

func refuse(code int64, format string, args ...any) error {
	return failure{code, fmt.Errorf(format, args...)}
}

// shortage is the failure for a buffer that needs more room.
type shortage struct{ need int }

func (s shortage) Error() string {
	return fmt.Sprintf("the buffer is short: %d are needed", s.need)
}

// codeOf is the code of an error: what has none is about an argument.
func codeOf(err error) int64 {
	var f failure
	var s shortage
	switch {
	case errors.As(err, &f):
		return f.code
	case errors.As(err, &s):
		return codeShort
	}
	return codeArgument
}

// library is everything that a host has opened. Handles are numbers that are never used again, so that one that was freed is no other's.
type library struct {
	mu   sync.RWMutex
	last int64
	open map[int64]any // *game, *match, *bot, *session

	first  sync.Once
	engine *frontend.Engine // that answers questions in JSON

	kept     sync.Mutex
	question string // the last question whose answer did not fit,
	answer   []byte // and its answer, for when it is asked with more room
}

// add gives something its handle.
func (l *library) add(what any) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[int64]any{}
	}
	l.last++
	l.open[l.last] = what
	return l.last
}

// free forgets a handle. A call that is under way with it in another thread ends as usual.
func (l *library) free(handle int64) error {
	l.mu.Lock()
	found := l.open[handle]
	delete(l.open, handle)
	l.mu.Unlock()
	if found == nil {
		return noHandle(handle)
	}
	if s, ok := found.(io.Closer); ok {
		return s.Close()
	}
	return nil
}

func noHandle(handle int64) error {
	return refuse(codeHandle, "handle %d: there is none, or it was freed", handle)
}

// at returns the T with a handle, if it is a T.
func at[T interface{ kind() string }](l *library, handle int64) (T, error) {
	l.mu.RLock()
	found := l.open[handle]
	l.mu.RUnlock()
	what, ok := found.(T)
	switch {
	case ok:
		return what, nil
	case found == nil:
		return what, noHandle(handle)
	}
	return what, refuse(codeHandle, "handle %d is of a %s: want that of a %s", handle, found.(interface{ kind() string }).kind(), what.kind())
}

// ask writes the answer to a question of package frontend. One that did not fit is not computed again.
func (l *library) ask(question string, to []byte) (n int, err error) {
	defer guarded(&err)
	l.first.Do(func() { l.engine = frontend.New() })
	l.kept.Lock()
	answer := l.answer
	if l.question != question {
		answer = nil
	}
	l.kept.Unlock()
	if answer == nil {
		answer = l.engine.Answer([]byte(question))
	}
	n, err = fill(to, answer)
	l.kept.Lock()
	defer l.kept.Unlock()
	if err != nil {
		l.question, l.answer = question, answer
	} else if l.question == question {
		l.question, l.answer = "", nil
	}
	return n, err
}

// guarded turns a panic into an error: nothing that goes wrong here may end the host.
func guarded(err *error) {
	if p := recover(); p != nil {
		*err = refuse(codeInternal, "this is a bug of privateer, please report it: %v", p)
	}
}

// fill copies a text and the zero that ends it into a buffer, all of it or nothing, and returns how many bytes that are.
func fill(to []byte, text []byte) (int, error) {
	need := len(text) + 1
	if len(to) < need {
		return 0, shortage{need}
	}
	to[copy(to, text)] = 0
	return need, nil
}
