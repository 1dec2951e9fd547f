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

// limits keeps each client to its requests per second, and to its time for restoring.
type limits struct {
	rate      rate.Limit
	burst     int
	restoring time.Duration // a minute: Config.RestoreTime

	mu       sync.Mutex
	clients  map[string]*allowance
	restores map[string]*timeBudget
}

type allowance struct {
	*rate.Limiter
	used instant
}

func newLimits(cfg *Config) *limits {
	return &limits{
		rate: rate.Limit(cfg.RequestsPerSecond), burst: cfg.RequestBurst, restoring: time.Duration(cfg.RestoreTime),
		clients: map[string]*allowance{}, restores: map[string]*timeBudget{},
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

// timeBudget is a client's time for restoring, in milliseconds.
type timeBudget struct {
	left *rate.Limiter
	turn chan struct{} // has one while the time is being used
	used instant       // limits.mu
}

var errOverTime = errors.New("the client's time for restoring is used up")

// spend lets f, whose context ends with the client's time for restoring, use that time. It is one
// request's at a time.
func (l *limits) spend(ctx context.Context, f func(context.Context) error) error {
	b := l.budget(ctx)
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

func (l *limits) budget(ctx context.Context) *timeBudget {
	who := client(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.restores[who]
	if b == nil {
		b = &timeBudget{turn: make(chan struct{}, 1)}
		whole := max(1, l.restoring.Milliseconds())
		b.left = rate.NewLimiter(rate.Limit(float64(whole)/time.Minute.Seconds()), int(whole))
		l.restores[who] = b
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
	missing := float64(b.left.Burst()) - b.left.Tokens()
	wait := time.Duration(missing / float64(b.left.Limit()) * float64(time.Second))
	return comeAgain(wait, fmt.Sprintf("restore_time: %s: try again in %s", text, wait.Round(time.Second)))
}

// forget drops the clients that have their whole allowance again, which are like
// new ones.
func (l *limits) forget(now instant) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for who, b := range l.restores {
		// A request whose turn it is has a pointer to it: a budget in use stays.
		if now.since(b.used) > time.Minute && len(b.turn) == 0 && b.left.Tokens() >= float64(b.left.Burst()) {
			delete(l.restores, who)
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
