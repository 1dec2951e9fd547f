package serve

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"google.golang.org/grpc/status"
)

// limits keeps each client to its requests per second.
type limits struct {
	rate  rate.Limit
	burst int

	mu      sync.Mutex
	clients map[string]*allowance
}

type allowance struct {
	*rate.Limiter
	used instant
}

func newLimits(cfg *Config) *limits {
	return &limits{rate: rate.Limit(cfg.RequestsPerSecond), burst: cfg.RequestBurst, clients: map[string]*allowance{}}
}

// of is the allowance of whoever asks; nil where there is no limit.
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

// wait lets a stream's next command wait for its turn: flow control slows the
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

// forget drops the clients that have their whole allowance again, which are the
// same as new ones.
func (l *limits) forget(now instant) {
	if l.rate == 0 {
		return
	}
	whole := time.Duration(float64(l.burst) / float64(l.rate) * float64(time.Second))
	l.mu.Lock()
	defer l.mu.Unlock()
	for who, a := range l.clients {
		if now.since(a.used) > whole {
			delete(l.clients, who)
		}
	}
}
