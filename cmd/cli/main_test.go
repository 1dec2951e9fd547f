package cli

import (
	"bytes"
	"io"
	"math"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/privateer-rl/privateer/train/learner"
)

// childMark makes a copy of this test binary be the program; its value is how long
// the program's networks take to learn from a minibatch.
const childMark = "PRIVATEER_TEST_CHILD"

func TestMain(m *testing.M) {
	pause, err := time.ParseDuration(os.Getenv(childMark))
	if err != nil {
		// What is ignored, as SIGHUP is behind nohup, is ignored by the children of this process too, which would never end; what it
		// catches they do not inherit.
		for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE} {
			if signal.Ignored(s) {
				signal.Notify(make(chan os.Signal, 1), s)
			}
		}
		os.Exit(m.Run())
	}
	root := newRoot()
	for _, c := range root.Commands() {
		if c.Name() == "train" {
			root.RemoveCommand(c)
		}
	}
	root.AddCommand(newTrain(func(c learner.Config) (learner.Learner, error) { return &uniform{c, pause}, nil }))
	os.Exit(process(root))
}

// uniform is a network that plays at random and learns nothing, slowly.
type uniform struct {
	cfg   learner.Config
	pause time.Duration
}

func (u *uniform) Forward(d learner.Decisions, logp, values []float32) error {
	clear(values)
	if logp == nil {
		return nil
	}
	for row := range d.N {
		mask, logp := d.Mask[row*u.cfg.NumActions:][:u.cfg.NumActions], logp[row*u.cfg.NumActions:]
		legal := bytes.Count(mask, []byte{1})
		for a, ok := range mask {
			logp[a] = learner.IllegalLogp
			if ok != 0 {
				logp[a] = -float32(math.Log(float64(legal)))
			}
		}
	}
	return nil
}

func (u *uniform) Update(learner.Batch, learner.Hyper) (learner.Stats, error) {
	time.Sleep(u.pause)
	return learner.Stats{}, nil
}

func (u *uniform) Leads(learner.Decisions, []float32) error { return nil }

func (u *uniform) Imitate(learner.ImitationBatch, learner.Hyper) (learner.ImitationStats, error) {
	time.Sleep(u.pause)
	return learner.ImitationStats{}, nil
}

func (u *uniform) Weights() ([]learner.Tensor, error) {
	return []learner.Tensor{{Name: "none", Shape: []int{1}, Data: []float32{0}}}, nil
}

func (u *uniform) SetWeights([]learner.Tensor) error { return nil }
func (u *uniform) Save(io.Writer) error              { return nil }
func (u *uniform) Load(io.Reader) error              { return nil }
func (u *uniform) TorchTime() time.Duration          { return 0 }
func (u *uniform) Close()                            {}
