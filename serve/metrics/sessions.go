package metrics

import (
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Sessions counts what the sessions of a server do.
type Sessions struct {
	mu   sync.Mutex
	live map[*Session]struct{}
	past map[label]*counts // of the sessions that have ended

	opened, expired atomic.Int64

	duration, size *prometheus.HistogramVec
}

// label distinguishes sessions.
type label struct {
	game  string
	seats int
}

// counts are read by scrapes while their session writes them.
type counts struct {
	steps, batches, resets, replayed, illegal atomic.Int64
	terminated, truncated                     atomic.Int64
	_                                         [64]byte // the next shard is on other cache lines
}

func (c *counts) add(o *counts) {
	c.steps.Add(o.steps.Load())
	c.batches.Add(o.batches.Load())
	c.resets.Add(o.resets.Load())
	c.replayed.Add(o.replayed.Load())
	c.illegal.Add(o.illegal.Load())
	c.terminated.Add(o.terminated.Load())
	c.truncated.Add(o.truncated.Load())
}

// Session is the shard of one session.
type Session struct {
	all            *Sessions
	label          label
	envs           int
	counts         counts
	duration, size prometheus.Observer
}

func newSessions() *Sessions {
	return &Sessions{
		live: map[*Session]struct{}{}, past: map[label]*counts{},
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "privateer_env_step_duration_seconds", Help: "Time to perform the actions of one batch, bots included.",
			Buckets: prometheus.ExponentialBuckets(1e-5, 2, 20),
		}, []string{"game"}),
		size: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "privateer_env_batch_size", Help: "Environments stepped by one batch.",
			Buckets: prometheus.ExponentialBuckets(1, 4, 9),
		}, []string{"game"}),
	}
}

// Open begins a session. game is the name of the game without its parameters.
func (s *Sessions) Open(game string, seats, envs int) *Session {
	c := &Session{
		all: s, label: label{game, seats}, envs: envs,
		duration: s.duration.WithLabelValues(game), size: s.size.WithLabelValues(game),
	}
	s.opened.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live[c] = struct{}{}
	return c
}

// Close ends it; what it counted stays counted.
func (c *Session) Close() {
	s := c.all
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, open := s.live[c]; !open {
		return
	}
	delete(s.live, c)
	s.total(s.past, c.label).add(&c.counts)
}

func (s *Sessions) total(of map[label]*counts, l label) *counts {
	t := of[l]
	if t == nil {
		t = new(counts)
		of[l] = t
	}
	return t
}

// Step counts one performed batch: its rows and how many of their episodes
// ended, and how.
func (c *Session) Step(rows, terminated, truncated int, took time.Duration) {
	c.counts.batches.Add(1)
	c.counts.steps.Add(int64(rows))
	c.counts.terminated.Add(int64(terminated))
	c.counts.truncated.Add(int64(truncated))
	c.duration.Observe(took.Seconds())
	c.size.Observe(float64(rows))
}

// Reset counts a reset or a restore.
func (c *Session) Reset() { c.counts.resets.Add(1) }

// Replay counts a command that was answered from memory.
func (c *Session) Replay() { c.counts.replayed.Add(1) }

// Illegal counts a batch that was refused for an action.
func (c *Session) Illegal() { c.counts.illegal.Add(1) }

// Expired counts a session whose lease ended.
func (s *Sessions) Expired() { s.expired.Add(1) }

var (
	stepsDesc      = prometheus.NewDesc("privateer_env_steps_total", "Environments stepped: the rows of all batches performed.", []string{"game"}, nil)
	batchesDesc    = prometheus.NewDesc("privateer_env_batches_total", "Batches of actions performed.", []string{"game"}, nil)
	resetsDesc     = prometheus.NewDesc("privateer_env_resets_total", "Reset and restore commands performed.", []string{"game"}, nil)
	replayedDesc   = prometheus.NewDesc("privateer_replayed_answers_total", "Commands sent again and answered from memory.", []string{"game"}, nil)
	illegalDesc    = prometheus.NewDesc("privateer_illegal_actions_total", "Batches refused for an illegal action.", []string{"game"}, nil)
	episodesDesc   = prometheus.NewDesc("privateer_episodes_total", "Episodes ended, by the rules (terminated) or by a limit (truncated).", []string{"game", "seats", "outcome"}, nil)
	sessionsDesc   = prometheus.NewDesc("privateer_sessions", "Open sessions.", []string{"game"}, nil)
	envsDesc       = prometheus.NewDesc("privateer_envs", "Environments of open sessions.", []string{"game"}, nil)
	openedDesc     = prometheus.NewDesc("privateer_sessions_opened_total", "Sessions opened.", nil, nil)
	expiredDesc    = prometheus.NewDesc("privateer_sessions_expired_total", "Sessions whose lease ended.", nil, nil)
	sessionsByDesc = []*prometheus.Desc{
		stepsDesc, batchesDesc, resetsDesc, replayedDesc, illegalDesc, episodesDesc, sessionsDesc, envsDesc, openedDesc, expiredDesc,
	}
)

// Describe implements prometheus.Collector.
func (s *Sessions) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range sessionsByDesc {
		ch <- d
	}
	s.duration.Describe(ch)
	s.size.Describe(ch)
}

// Collect implements prometheus.Collector: it adds the shards up.
func (s *Sessions) Collect(ch chan<- prometheus.Metric) {
	sums, open, envs := map[label]*counts{}, map[string]int{}, map[string]int{}
	s.mu.Lock()
	for l, c := range s.past {
		s.total(sums, l).add(c)
		open[l.game] += 0
	}
	for c := range s.live {
		s.total(sums, c.label).add(&c.counts)
		open[c.label.game]++
		envs[c.label.game] += c.envs
	}
	s.mu.Unlock()

	games := map[string]*counts{}
	for l, c := range sums {
		seats := strconv.Itoa(l.seats)
		counter(ch, episodesDesc, c.terminated.Load(), l.game, seats, "terminated")
		counter(ch, episodesDesc, c.truncated.Load(), l.game, seats, "truncated")
		if games[l.game] == nil {
			games[l.game] = new(counts)
		}
		games[l.game].add(c)
	}
	for game, c := range games {
		counter(ch, stepsDesc, c.steps.Load(), game)
		counter(ch, batchesDesc, c.batches.Load(), game)
		counter(ch, resetsDesc, c.resets.Load(), game)
		counter(ch, replayedDesc, c.replayed.Load(), game)
		counter(ch, illegalDesc, c.illegal.Load(), game)
		gauge(ch, sessionsDesc, float64(open[game]), game)
		gauge(ch, envsDesc, float64(envs[game]), game)
	}
	counter(ch, openedDesc, s.opened.Load())
	counter(ch, expiredDesc, s.expired.Load())
	s.duration.Collect(ch)
	s.size.Collect(ch)
}

func counter(ch chan<- prometheus.Metric, d *prometheus.Desc, v int64, labels ...string) {
	ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), labels...)
}

func gauge(ch chan<- prometheus.Metric, d *prometheus.Desc, v float64, labels ...string) {
	ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
}
