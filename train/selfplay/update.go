package selfplay

import (
	"time"

	"github.com/privateer-rl/privateer/train/learner"
)

// Algorithm learns from self-play.
type Algorithm interface {
	// Iterate collects decisions and learns from them.
	Iterate() (Update, error)
	// Save adds the sections that a checkpoint keeps of this algorithm alone, and Restore reads them.
	Save(sections map[string][]byte) error
	Restore(sections map[string][]byte) error
}

// Update is the record of an iteration of an algorithm.
type Update struct {
	LearningRate float64
	Epochs       int // passes made; fewer than configured when target_kl stopped them
	Losses       Losses

	// Of the matches that ended in this iteration; empty if none did. The return of self-play is near the equal share whatever is learnt:
	// it compares the seats, and does not measure strength.
	Finished      int64
	EpisodeReturn float64
	SeatReturn    []float64 // [seats]; with opponents, of the network's players, whose seats change
	EpisodeLength float64   // decisions of the seats that learn

	Rates Rates

	// Other measures of the algorithm, by TensorBoard tag. Timings depend on the machine.
	Values, Timings map[string]float64
}

// Losses are means over an iteration's minibatches; the two KL estimates are of its last pass.
type Losses struct {
	Policy, Value, Entropy, ClipFrac, GradNorm float64
	ApproxKL, OldApproxKL                      float64
	MagnetKL                                   float64 // 0 unless it is in the loss
	ExplainedVariance                          float64
}

// Add takes in the k-th minibatch, from 1.
func (l *Losses) Add(s learner.Stats, k float64) {
	for _, x := range []struct {
		mean *float64
		v    float64
	}{{&l.Policy, s.PolicyLoss}, {&l.Value, s.ValueLoss}, {&l.Entropy, s.Entropy}, {&l.ClipFrac, s.ClipFrac}, {&l.GradNorm, s.GradNorm}, {&l.MagnetKL, s.MagnetKL}} {
		*x.mean += (x.v - *x.mean) / k
	}
}

// Rates say where the time goes. The wall time of an iteration is that of collecting and updating, without evaluation and checkpoints.
type Rates struct {
	SPS           float64 // decisions collected and trained on, by the iteration's wall time
	EnvSPS        float64 // decisions, by the time spent in the environments alone
	TrainSPS      float64 // decisions trained on (once each, whatever the passes), by the time of the update alone
	OutsideTorch  float64 // share of the iteration's wall time outside libtorch
	OutsideUpdate float64 // share of the update's wall time outside libtorch
}

// ExplainedVariance is the critic's explained variance on the complete rows.
func (p *Play) ExplainedVariance() float64 {
	return explainedVariance(p.Buffer.Complete, p.Buffer.Value, p.Buffer.Returns)
}

// Clock measures an iteration.
type Clock struct {
	learner                   learner.Learner
	begin, updating           time.Time
	torchBegin, torchUpdating time.Duration
}

// Clock starts to measure an iteration.
func (p *Play) Clock() *Clock {
	return &Clock{learner: p.Learner, begin: time.Now(), torchBegin: p.Learner.TorchTime()}
}

// Updating marks the end of the collection.
func (c *Clock) Updating() { c.updating, c.torchUpdating = time.Now(), c.learner.TorchTime() }

// Outside is the time since the iteration began without that of the network.
func (c *Clock) Outside() time.Duration {
	return time.Since(c.begin) - (c.learner.TorchTime() - c.torchBegin)
}

// Finish counts an iteration, which collected as configured and trained on the complete rows, and reports it in u. envs is the time that
// the environments took.
func (p *Play) Finish(u *Update, c *Clock, envs time.Duration) {
	trained, end, torchEnd := int64(len(p.Buffer.Complete)), time.Now(), p.Learner.TorchTime()
	collected := int64(p.Config.NumEnvs) * int64(p.Config.Steps(p.Steps))
	p.Iteration++
	p.Steps += collected
	p.Trained += trained
	p.Episodes += p.finished.matches
	if n := float64(p.finished.matches); n > 0 {
		u.Finished = p.finished.matches
		u.EpisodeLength = float64(p.finished.decisions) / n
		for _, sum := range p.finished.returns {
			u.SeatReturn = append(u.SeatReturn, sum/n)
			u.EpisodeReturn += sum / n / float64(len(p.finished.returns))
		}
	}
	wall := end.Sub(c.begin).Seconds()
	u.Rates = Rates{
		SPS:           float64(trained) / wall,
		EnvSPS:        float64(collected) / envs.Seconds(),
		TrainSPS:      float64(trained) / end.Sub(c.updating).Seconds(),
		OutsideTorch:  1 - (torchEnd-c.torchBegin).Seconds()/wall,
		OutsideUpdate: 1 - (torchEnd-c.torchUpdating).Seconds()/end.Sub(c.updating).Seconds(),
	}
}
