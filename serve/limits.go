package serve

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"google.golang.org/grpc/status"
)

// limits keeps each client to its requests per second, and to its time for restoring and for bots that think.
type limits struct {
	rate      rate.Limit
	burst     int
	restoring time.Duration // a minute: Config.RestoreTime
	thinking  time.Duration // a minute: Config.ThinkTime; 0: no limit

	mu       sync.Mutex
	clients  map[string]*allowance
	restores map[string]*timeBudget
	thinks   map[string]*timeBudget
}

type allowance struct {
	*rate.Limiter
	used instant
}

func newLimits(cfg *Config) *limits {
	return &limits{
		rate: rate.Limit(cfg.RequestsPerSecond), burst: cfg.RequestBurst, restoring: time.Duration(cfg.RestoreTime), thinking: time.Duration(cfg.ThinkTime),
		clients: map[string]*allowance{}, restores: map[string]*timeBudget{}, thinks: map[string]*timeBudget{},
	}
}

// of is the allowance of the client that asks; nil if there is no limit.
func (l *limits) of(ctx context.Context) *allowance {
	if l.rate == 0 {
		return nil
	}
	who := client(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.clients[who]
	if a == nil {
		a = &allowance{Limiter: rate.NewLimiter(l.rate, l.burst)}
		l.clients[who] = a
	}
	a.used = clock()
	return a
}

// allow takes one request off the client's allowance, or refuses it.
func (l *limits) allow(ctx context.Context) error {
	a := l.of(ctx)
	if a == nil {
		return nil
	}
	r := a.Reserve()
	if wait := r.Delay(); wait > 0 {
		r.Cancel()
		return tooOften(wait)
	}
	return nil
}

// wait delays a stream's next command until its turn: flow control slows the
// client down.
func (l *limits) wait(ctx context.Context) error {
	a := l.of(ctx)
	if a == nil {
		return nil
	}
	if err := a.Wait(ctx); err != nil {
		if ctx.Err() != nil {
			return status.FromContextError(ctx.Err()).Err()
		}
		return tooOften(time.Second) // the deadline would pass first
	}
	return nil
}

// timeBudget is a client's time for restoring or thinking, in milliseconds.
type timeBudget struct {
	left *rate.Limiter
	turn chan struct{} // has one while the time is being used for restoring
	used instant       // limits.mu
}

var errOverTime = errors.New("the client's time for restoring is used up")

// spend lets f, whose context ends with the client's time for restoring, use that time. It is one
// request's at a time.
func (l *limits) spend(ctx context.Context, f func(context.Context) error) error {
	b := l.budget(l.restores, client(ctx), l.restoring)
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
		return status.FromContextError(ctx.Err()).Err()
	}
	left := time.Duration(b.left.Tokens()) * time.Millisecond
	if left <= 0 {
		return l.overTime(b, left)
	}
	limited, cancel := context.WithTimeoutCause(ctx, left, errOverTime)
	defer cancel()
	began := time.Now()
	err := f(limited)
	took := int(time.Since(began)/time.Millisecond) + 1
	b.left.ReserveN(time.Now(), min(took, b.left.Burst()))
	switch {
	case ctx.Err() != nil && err != nil:
		return status.FromContextError(ctx.Err()).Err()
	case errors.Is(err, errOverTime):
		return l.overTime(b, left)
	}
	return err
}

// budget is a client's, with the whole of it a minute.
func (l *limits) budget(all map[string]*timeBudget, who string, whole time.Duration) *timeBudget {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := all[who]
	if b == nil {
		b = &timeBudget{turn: make(chan struct{}, 1)}
		ms := max(1, whole.Milliseconds())
		b.left = rate.NewLimiter(rate.Limit(float64(ms)/time.Minute.Seconds()), int(ms))
		all[who] = b
	}
	b.used = clock()
	return b
}

// overTime is the status of a restore for which there is, or was, only that much time.
func (l *limits) overTime(b *timeBudget, left time.Duration) error {
	text := fmt.Sprintf("a client has %s a minute for snapshots that this server did not write, which are checked closely", l.restoring)
	const most = 0.99
	if float64(left) >= most*float64(l.restoring) {
		return tooMuch("restore_time", "%s, and this one takes longer: restore snapshots of fewer environments", text)
	}
	wait := b.until(float64(b.left.Burst()))
	return comeAgain(wait, fmt.Sprintf("restore_time: %s: try again in %s", text, wait.Round(time.Second)))
}

// until is how long it takes until this many milliseconds are left.
func (b *timeBudget) until(left float64) time.Duration {
	return time.Duration((left - b.left.Tokens()) / float64(b.left.Limit()) * float64(time.Second))
}

var errThoughtTooLong = errors.New("the client's time for thinking is used up")

// think lets f, which asks bots or draws a replay, use a client's time for thinking: it begins as soon as there is some left, and its context ends when
// it has used the whole of a minute. What it uses beyond what was left is missing later.
func (l *limits) think(ctx context.Context, who string, f func(context.Context) error) error {
	if l.thinking == 0 {
		return f(ctx)
	}
	if err := l.mayThink(ctx, who); err != nil {
		return err
	}
	limited, cancel := context.WithTimeoutCause(ctx, l.thinking, errThoughtTooLong)
	defer cancel()
	began := time.Now()
	err := f(limited)
	l.thought(who, time.Since(began))
	if errors.Is(err, errThoughtTooLong) {
		return l.overThought()
	}
	return err
}

// mayThink waits until a client has time left for thinking.
func (l *limits) mayThink(ctx context.Context, who string) error {
	if l.thinking == 0 {
		return nil
	}
	b := l.budget(l.thinks, who, l.thinking)
	if err := b.left.Wait(ctx); err != nil {
		if ctx.Err() != nil {
			return status.FromContextError(ctx.Err()).Err()
		}
		wait := b.until(1) // the deadline would pass first
		return comeAgain(wait, fmt.Sprintf("think_time: you have %s a minute for bots that think and replays that are drawn: try again in %s", l.thinking, wait.Round(time.Second)))
	}
	return nil
}

// thought takes off a client's time what its bots have used.
func (l *limits) thought(who string, took time.Duration) {
	if l.thinking == 0 {
		return
	}
	b := l.budget(l.thinks, who, l.thinking)
	for ms := int(took / time.Millisecond); ms > 0; ms -= b.left.Burst() {
		b.left.ReserveN(time.Now(), min(ms, b.left.Burst()))
	}
}

// tooLong reports whether bots have thought longer at a time than any may.
func (l *limits) tooLong(took time.Duration) bool { return l.thinking > 0 && took > l.thinking }

// overThought is the status of what has used the whole of a minute's time for thinking.
func (l *limits) overThought() error {
	return tooMuch("think_time", "a client has %s a minute for bots that think and replays that are drawn, and this takes longer: take bots that search less, fewer of them at a time, or a shorter match", l.thinking)
}

// forget drops the clients that have their whole allowance again, which are like
// new ones.
func (l *limits) forget(now instant) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, all := range []map[string]*timeBudget{l.restores, l.thinks} {
		for who, b := range all {
			// A request whose turn it is has a pointer to it: a budget in use stays.
			if now.since(b.used) > time.Minute && len(b.turn) == 0 && b.left.Tokens() >= float64(b.left.Burst()) {
				delete(all, who)
			}
		}
	}
	if l.rate == 0 {
		return
	}
	whole := time.Duration(float64(l.burst) / float64(l.rate) * float64(time.Second))
	for who, a := range l.clients {
		if now.since(a.used) > whole {
			delete(l.clients, who)
		}
	}
}
