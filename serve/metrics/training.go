package metrics

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Training is what a training run exports.
type Training struct {
	*Registry
	mu   sync.Mutex
	last Progress

	winRatio, botReturn *prometheus.GaugeVec
}

// Progress is how far a run is, after one of its iterations.
type Progress struct {
	Iteration, Steps, Episodes int64
	LearningRate               float64
	Losses                     map[string]float64 // by kind: policy, value, entropy, …
	StepsPerSecond             map[string]float64 // by part: all, env, update
	EpisodeLength              float64            // decisions of the learning seats; of the episodes of this iteration
	Remaining                  time.Duration
	Exploitability             *float64 // nil if this iteration was not evaluated exactly
	Checkpoint                 bool     // one was written

	checkpoint float64 // when the last one was, in Unix seconds
}

// NewTraining makes the metrics of a run.
func NewTraining() *Training {
	t := &Training{
		Registry: NewRegistry(),
		winRatio: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "privateer_eval_win_ratio", Help: "Share of the matches that the policy won in the last evaluation, in one seat against the bot in all others.",
		}, []string{"bot"}),
		botReturn: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "privateer_eval_return", Help: "Mean return of the policy in the last evaluation, in one seat against the bot in all others.",
		}, []string{"bot"}),
	}
	t.registry.MustRegister(t, t.winRatio, t.botReturn)
	return t
}

// Update records what a run reports.
func (t *Training) Update(p Progress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p.checkpoint = t.last.checkpoint
	if p.Checkpoint {
		p.checkpoint = float64(time.Now().UnixNano()) / 1e9
	}
	if p.Exploitability == nil {
		p.Exploitability = t.last.Exploitability
	}
	t.last = p
}

// Versus records an evaluation against a bot.
func (t *Training) Versus(bot string, winRatio, meanReturn float64) {
	t.winRatio.WithLabelValues(bot).Set(winRatio)
	t.botReturn.WithLabelValues(bot).Set(meanReturn)
}

var (
	trainIterationsDesc = prometheus.NewDesc("privateer_train_iterations_total", "Iterations of the run.", nil, nil)
	trainStepsDesc      = prometheus.NewDesc("privateer_train_steps_total", "Decisions collected by the run.", nil, nil)
	trainEpisodesDesc   = prometheus.NewDesc("privateer_train_episodes_total", "Matches finished by the run.", nil, nil)
	learningRateDesc    = prometheus.NewDesc("privateer_train_learning_rate", "Learning rate of the last iteration.", nil, nil)
	lossDesc            = prometheus.NewDesc("privateer_train_loss", "Losses and related measures, means of the last iteration.", []string{"kind"}, nil)
	rateDesc            = prometheus.NewDesc("privateer_train_steps_per_second", "Decisions by second in the last iteration: by its whole time, by that of the environments, by that of the update.", []string{"part"}, nil)
	lengthDesc          = prometheus.NewDesc("privateer_train_episode_length", "Mean decisions of the learning seats in the matches that ended in the last iteration.", nil, nil)
	remainingDesc       = prometheus.NewDesc("privateer_train_remaining_seconds", "Time to the end of the run at its present pace; 0 while unknown.", nil, nil)
	exploitDesc         = prometheus.NewDesc("privateer_eval_exploitability", "Exploitability of the policy in the last exact evaluation.", nil, nil)
	checkpointDesc      = prometheus.NewDesc("privateer_checkpoint_last_success_timestamp_seconds", "When the last checkpoint was written.", nil, nil)
)

// Describe implements prometheus.Collector.
func (t *Training) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		trainIterationsDesc, trainStepsDesc, trainEpisodesDesc, learningRateDesc, lossDesc, rateDesc, lengthDesc, remainingDesc, exploitDesc, checkpointDesc,
	} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (t *Training) Collect(ch chan<- prometheus.Metric) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := &t.last
	counter(ch, trainIterationsDesc, p.Iteration)
	counter(ch, trainStepsDesc, p.Steps)
	counter(ch, trainEpisodesDesc, p.Episodes)
	gauge(ch, learningRateDesc, p.LearningRate)
	gauge(ch, lengthDesc, p.EpisodeLength)
	gauge(ch, remainingDesc, p.Remaining.Seconds())
	for kind, v := range p.Losses {
		gauge(ch, lossDesc, v, kind)
	}
	for part, v := range p.StepsPerSecond {
		gauge(ch, rateDesc, v, part)
	}
	if p.Exploitability != nil {
		gauge(ch, exploitDesc, *p.Exploitability)
	}
	if p.checkpoint > 0 {
		gauge(ch, checkpointDesc, p.checkpoint)
	}
}

// Listen serves the metrics on addr, host:port, until the function that it returns is called.
func (t *Training) Listen(ctx context.Context, addr string) (at net.Addr, stop func(), err error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, nil, fmt.Errorf("metrics: %w", err)
	}
	srv := t.HTTP(func() bool { return true }, false)
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	return l.Addr(), func() {
		srv.Close()
		<-ended // a run does not depend on its watchers
	}, nil
}
