//go:build torch

package learner

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"

	"github.com/privateer-rl/privateer/train/learner/internal/aten"
)

var errClosed = errors.New("learner: used after Close")

// torchLearner owns gotch tensors for the parameters, Adam's moments and the row buffers; the aten.Net computes on their memory. All fields
// except torchTime belong to the tensor thread. Close frees the tensors: gotch's finalisers would do so on another thread.
type torchLearner struct {
	cfg    Config
	layout []Param

	params, mean, square            []*ts.Tensor // in the order of layout
	obsScale, criticScale, rowScale *ts.Tensor
	rows                            rows
	net                             *aten.Net
	steps                           uint64

	torchTime atomic.Int64
}

// New builds a network with its initial weights.
func New(cfg Config) (Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	l := &torchLearner{cfg: cfg.withDefaults(), layout: cfg.Layout()}
	weights := cfg.InitialWeights()
	if err := l.do("New", func() error { return l.build(weights) }); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

func (l *torchLearner) build(weights []Tensor) error {
	device := gotch.CPU
	if l.cfg.Device == "cuda" {
		if !gotch.CUDA.IsAvailable() {
			return errors.New("Config.Device is \"cuda\", but this libtorch sees no CUDA device: use \"cpu\", or point LIBTORCH at a CUDA build")
		}
		device = gotch.CudaBuilder(0)
	}
	if err := aten.Seed(l.cfg.Seed); err != nil {
		return err
	}
	for _, scale := range []struct {
		to   **ts.Tensor
		from []float32
	}{{&l.obsScale, l.cfg.ObsScale}, {&l.criticScale, l.cfg.CriticScale}, {&l.rowScale, l.cfg.RowScale}} {
		var err error
		if *scale.to, err = fromSlice(scale.from, device); err != nil {
			return err
		}
	}
	names := make([]string, len(l.layout))
	for i, p := range l.layout {
		names[i] = p.Name
		for _, list := range []*[]*ts.Tensor{&l.params, &l.mean, &l.square} {
			t, err := zeros(p.Shape, device)
			if err != nil {
				return fmt.Errorf("parameter %q: %w", p.Name, err)
			}
			*list = append(*list, t)
		}
	}
	if err := writeAll(l.params, weights); err != nil {
		return err
	}
	var err error
	l.net, err = aten.NewNet(aten.Config{
		Entity: l.cfg.Network == "entity", RowLayers: len(l.cfg.RowHidden), RowScale: pointer(l.rowScale),
		HiddenLayers: len(l.cfg.Hidden), CriticDim: l.cfg.CriticDim, AdamEps: l.cfg.AdamEps,
		Names: names, Params: pointers(l.params), Mean: pointers(l.mean), Square: pointers(l.square),
		ObsScale: pointer(l.obsScale), CriticScale: pointer(l.criticScale),
	})
	return err
}

func (l *torchLearner) Forward(d Decisions, logp, values []float32) error {
	if err := checkForward(l.cfg, d, logp, values); err != nil {
		return err
	}
	return l.do("Forward", func() error {
		if err := l.fill(d); err != nil {
			return err
		}
		start := time.Now()
		err := l.net.Forward(l.rows.pointers(), d.N, logp != nil, values != nil)
		l.stopwatch(start)
		if err != nil {
			return err
		}
		copy(logp, l.rows.logp.data)
		copy(values, l.rows.value.data)
		return nil
	})
}

// fill makes room for decisions, and copies them in.
func (l *torchLearner) fill(d Decisions) error {
	if l.net == nil {
		return errClosed
	}
	legal := 0
	if d.Offsets != nil {
		legal = int(d.Offsets[d.N])
	}
	if err := l.rows.grow(l.cfg, d.N, legal); err != nil {
		return err
	}
	l.rows.fill(d)
	return nil
}

func (l *torchLearner) Update(b Batch, h Hyper) (Stats, error) {
	if err := checkUpdate(l.cfg, b, h); err != nil {
		return Stats{}, err
	}
	var s Stats
	err := l.descend("Update", b.Decisions, h, func() { l.rows.fillBatch(b) }, func() error {
		got, err := l.net.Update(l.rows.pointers(), b.N, aten.Hyper(h), l.steps+1)
		if err != nil {
			return err
		}
		s = Stats(got)
		return nil
	})
	return s, err
}

// descend takes one gradient step on decisions; fill copies in their targets.
func (l *torchLearner) descend(call string, d Decisions, h Hyper, fill func(), step func() error) error {
	return l.do(call, func() error {
		if err := l.fill(d); err != nil {
			return err
		}
		fill()
		start := time.Now()
		err := step()
		l.stopwatch(start)
		if err == nil && !h.DryRun {
			l.steps++
		}
		return err
	})
}

func (l *torchLearner) Imitate(imitation ImitationBatch, h Hyper) (ImitationStats, error) {
	if err := checkImitation(l.cfg, imitation, h); err != nil {
		return ImitationStats{}, err
	}
	var s ImitationStats
	err := l.descend("Imitate", imitation.Decisions, h, func() { l.rows.fillImitation(imitation) }, func() error {
		got, err := l.net.Imitate(l.rows.pointers(), imitation.N, aten.Hyper(h), l.steps+1)
		if err != nil {
			return err
		}
		s = ImitationStats(got)
		return nil
	})
	return s, err
}

func (l *torchLearner) Weights() ([]Tensor, error) {
	var out []Tensor
	err := l.do("Weights", func() (err error) {
		out, err = l.readAll(l.params)
		return err
	})
	return out, err
}

func (l *torchLearner) SetWeights(tensors []Tensor) error {
	sorted, err := arrange(l.layout, tensors, "weights")
	if err != nil {
		return err
	}
	return l.do("SetWeights", func() error {
		if l.net == nil {
			return errClosed
		}
		return writeAll(l.params, sorted)
	})
}

func (l *torchLearner) Save(w io.Writer) error {
	var s state
	err := l.do("Save", func() (err error) {
		s.steps = l.steps
		if s.weights, err = l.readAll(l.params); err != nil {
			return err
		}
		if s.mean, err = l.readAll(l.mean); err != nil {
			return err
		}
		if s.square, err = l.readAll(l.square); err != nil {
			return err
		}
		s.rng, err = aten.RNG()
		return err
	})
	if err != nil {
		return err
	}
	return s.encode(w)
}

func (l *torchLearner) Load(r io.Reader) error {
	s, err := decodeState(r)
	if err != nil {
		return err
	}
	for _, list := range []struct {
		tensors *[]Tensor
		what    string
	}{{&s.weights, "saved weights"}, {&s.mean, "saved means of Adam"}, {&s.square, "saved squares of Adam"}} {
		if *list.tensors, err = arrange(l.layout, *list.tensors, list.what); err != nil {
			return err
		}
	}
	return l.do("Load", func() error {
		if l.net == nil {
			return errClosed
		}
		// First, because it is the one step that can still refuse.
		if err := aten.SetRNG(s.rng); err != nil {
			return fmt.Errorf("the generator's state: %w", err)
		}
		l.steps = s.steps
		return errors.Join(writeAll(l.params, s.weights), writeAll(l.mean, s.mean), writeAll(l.square, s.square))
	})
}

func (l *torchLearner) TorchTime() time.Duration { return time.Duration(l.torchTime.Load()) }

func (l *torchLearner) Close() {
	// Nothing in here fails.
	_ = l.do("Close", func() error {
		if l.net != nil {
			l.net.Free()
			l.net = nil
		}
		l.rows.free()
		for _, t := range slices.Concat(l.params, l.mean, l.square, []*ts.Tensor{l.obsScale, l.criticScale, l.rowScale}) {
			if t != nil {
				t.MustDrop()
			}
		}
		l.params, l.mean, l.square, l.obsScale, l.criticScale, l.rowScale = nil, nil, nil, nil, nil, nil
		return nil
	})
}

// do runs f on the tensor thread. It keeps l alive, and so its tensors, whose finalisers might run otherwise.
func (l *torchLearner) do(call string, f func() error) error {
	err := theTensorThread().do(l.cfg.Threads, f)
	runtime.KeepAlive(l)
	if err != nil && err != errClosed {
		return fmt.Errorf("learner: %s: %w", call, err)
	}
	return err
}

// readAll copies tensors out that are in the order of the layout.
func (l *torchLearner) readAll(from []*ts.Tensor) ([]Tensor, error) {
	if l.net == nil {
		return nil, errClosed
	}
	out := make([]Tensor, len(l.layout))
	for i, p := range l.layout {
		out[i] = Tensor{Name: p.Name, Shape: slices.Clone(p.Shape), Data: make([]float32, p.Size())}
		if err := aten.Read(from[i].Ctensor(), out[i].Data); err != nil {
			return nil, fmt.Errorf("reading %q: %w", p.Name, err)
		}
	}
	return out, nil
}

// writeAll copies numbers into tensors of the same order and shapes.
func writeAll(to []*ts.Tensor, from []Tensor) error {
	for i, t := range from {
		if err := aten.Write(to[i].Ctensor(), t.Data); err != nil {
			return fmt.Errorf("writing %q: %w", t.Name, err)
		}
	}
	return nil
}

func zeros(shape []int, device gotch.Device) (*ts.Tensor, error) {
	dims := make([]int64, len(shape))
	for i, d := range shape {
		dims[i] = int64(d)
	}
	return ts.Zeros(dims, gotch.Float, device)
}

func fromSlice(data []float32, device gotch.Device) (*ts.Tensor, error) {
	t, err := zeros([]int{len(data)}, device)
	if err != nil {
		return nil, err
	}
	return t, aten.Write(t.Ctensor(), data)
}

func pointers(tensors []*ts.Tensor) []aten.Tensor {
	out := make([]aten.Tensor, len(tensors))
	for i, t := range tensors {
		out[i] = pointer(t)
	}
	return out
}
