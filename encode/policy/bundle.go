package policy

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
)

// ErrMisfit refuses a bundle that belongs to another game, or to another layout
// of its tensors.
var ErrMisfit = errors.New("the bundle does not fit")

// How a bundle chooses among the legal actions.
const (
	Sample = "sample" // by their probabilities: the softmax of their logits
	Greedy = "greedy" // the one of the largest logit, the first of equals
)

// Bundle is an exported policy. Check says what is wrong with one that was not
// read from a file.
type Bundle struct {
	Game        string   `msgpack:"game"`        // game string that it was trained on
	Name        string   `msgpack:"name"`        // of that game, without parameters: any of its configurations can be played
	Schema      string   `msgpack:"schema"`      // hash of the seat view and of the actions, encode.Schema.Hash
	Version     int      `msgpack:"version"`     // of the schema
	Observation []Slice  `msgpack:"observation"` // what the bytes mean, without gaps
	Actions     []string `msgpack:"actions"`     // by index
	Choice      string   `msgpack:"choice"`      // Sample or Greedy

	Network Network  `msgpack:"network"`
	Weights []Tensor `msgpack:"weights"`
	Golden  Golden   `msgpack:"golden"`

	Provenance Provenance   `msgpack:"provenance"`
	Evaluation []Evaluation `msgpack:"evaluation"`

	net    *network // the weights arranged for computing
	digest string
}

// Slice is a group of the observation: bytes that belong together. A byte times
// Scale is what the network reads.
type Slice struct {
	Name   string  `msgpack:"name"`
	Offset int     `msgpack:"offset"`
	Size   int     `msgpack:"size"`
	Scale  float32 `msgpack:"scale"`
}

// Network describes the computation. The observation x, scaled, goes through one
// layer for each entry of Hidden, with the tensors of index I
//
//	x = activation(norm(x · trunk.I.linear.weightᵀ + trunk.I.linear.bias))
//	norm(x) = (x - mean(x)) / sqrt(variance(x) + NormEps) · trunk.I.norm.weight + trunk.I.norm.bias
//
// where the variance is the mean of squares, and then logits = x · policy.weightᵀ + policy.bias.
type Network struct {
	Hidden     []int   `msgpack:"hidden"`
	Activation string  `msgpack:"activation"` // "relu" or "silu", x·sigmoid(x)
	NormEps    float64 `msgpack:"norm_eps"`
}

// Tensor is a named array of float32, row-major and little-endian.
type Tensor struct {
	Name  string `msgpack:"name"`
	Shape []int  `msgpack:"shape"`
	Data  []byte `msgpack:"data"`
}

// Golden has decisions with which another implementation of the network can check itself.
type Golden struct {
	Observation []byte    `msgpack:"observation"` // [N, D] uint8
	Logits      []float32 `msgpack:"logits"`      // [N, A], before the mask
}

// Provenance says where the weights come from.
type Provenance struct {
	Program    string `msgpack:"program" json:"program"`       // version of privateer that exported
	Checkpoint string `msgpack:"checkpoint" json:"checkpoint"` // file name
	Iteration  int    `msgpack:"iteration" json:"iteration"`   // updates of the weights
	Steps      int64  `msgpack:"steps" json:"steps"`           // decisions collected in training
	Config     string `msgpack:"config" json:"config"`         // of the training, as YAML
}

// Evaluation is how one seat of the policy did against a bot in all others.
type Evaluation struct {
	Game       string     `msgpack:"game" json:"game"`
	Bot        string     `msgpack:"bot" json:"bot"`
	Matches    int        `msgpack:"matches" json:"matches"`
	EqualShare float64    `msgpack:"equal_share" json:"equal_share"` // what a player as good as the others wins
	WinRate    [3]float64 `msgpack:"win_rate" json:"win_rate"`       // mean, and the 95 % interval
	Return     [3]float64 `msgpack:"return" json:"return"`           // the same
}

// Digest identifies a bundle that was read from a file: a few hexadecimal digits of
// the file's SHA-256.
func (b *Bundle) Digest() string { return b.digest }

// ObservationSize is the number of bytes of an observation.
func (b *Bundle) ObservationSize() int {
	if len(b.Observation) == 0 {
		return 0
	}
	last := b.Observation[len(b.Observation)-1]
	return last.Offset + last.Size
}

// SetLayout gives the bundle the game's present layout.
func (b *Bundle) SetLayout(s *encode.Schema) {
	b.Name, b.Schema, b.Version, b.Actions = s.Game, s.Hash(), s.Version, slices.Clone(s.Actions)
	b.Observation = make([]Slice, len(s.Groups))
	for i, g := range s.Groups {
		b.Observation[i] = Slice{g.Name, g.Offset, g.Size, g.Scale}
	}
}

// Fits refuses, with ErrMisfit, a game whose tensors are not those of the bundle.
func (b *Bundle) Fits(g engine.Game) error {
	_, err := b.encoder(g)
	return err
}

func (b *Bundle) encoder(g engine.Game) (*encode.Encoder, error) {
	if name := g.Info().Game; name != b.Name {
		return nil, fmt.Errorf("%w: it plays %s, not %s", ErrMisfit, b.Name, name)
	}
	e, err := encode.For(g)
	if err != nil {
		return nil, err
	}
	s := e.Schema()
	if s.Hash() == b.Schema {
		return e, nil
	}
	return nil, fmt.Errorf("%w: it was exported for another layout of %s (schema version %d, hash %.12s; this program's is version %d, hash %.12s): %s; use the privateer that exported it, or train and export again",
		ErrMisfit, b.Name, b.Version, b.Schema, s.Version, s.Hash(), b.difference(s))
}

// difference names the first place at which two layouts differ.
func (b *Bundle) difference(s *encode.Schema) string {
	for i, o := range b.Observation {
		if i == len(s.Groups) {
			return fmt.Sprintf("its observation goes on with %s at byte %d", o.Name, o.Offset)
		}
		if g := s.Groups[i]; (o != Slice{g.Name, g.Offset, g.Size, g.Scale}) {
			return fmt.Sprintf("its observation has %s (%d bytes, scale %v) at byte %d, this program's has %s (%d bytes, scale %v)", o.Name, o.Size, o.Scale, o.Offset, g.Name, g.Size, g.Scale)
		}
	}
	if n := len(b.Observation); n < len(s.Groups) {
		return fmt.Sprintf("its observation lacks %s", s.Groups[n].Name)
	}
	for i, a := range b.Actions {
		if i == len(s.Actions) || a != s.Actions[i] {
			return fmt.Sprintf("action %d is %q in it", i, a)
		}
	}
	if n := len(b.Actions); n < len(s.Actions) {
		return fmt.Sprintf("it lacks action %d, %q", n, s.Actions[n])
	}
	return "the largest values of some bytes differ"
}

// What a bundle may have at most; more is damage or malice.
const (
	mostWidth  = 1 << 16 // of a layer, an observation, the actions
	mostLayers = 64
	mostGolden = 1 << 10 // decisions
)

// Check says what is wrong with a bundle, and gets it ready to play.
func (b *Bundle) Check() error {
	if err := b.checkLayout(); err != nil {
		return err
	}
	n := b.Network
	if b.Choice != Sample && b.Choice != Greedy {
		return fmt.Errorf("choice is %q: want %s or %s", b.Choice, Sample, Greedy)
	}
	if n.Activation != "relu" && n.Activation != "silu" {
		return fmt.Errorf("activation is %q: want relu or silu", n.Activation)
	}
	if !(n.NormEps > 0 && n.NormEps < 1) {
		return fmt.Errorf("norm_eps is %v: want a small positive number", n.NormEps)
	}
	if len(n.Hidden) < 1 || len(n.Hidden) > mostLayers {
		return fmt.Errorf("%d hidden layers: want 1 to %d", len(n.Hidden), mostLayers)
	}
	for i, h := range n.Hidden {
		if h < 1 || h > mostWidth {
			return fmt.Errorf("hidden layer %d has %d units: want 1 to %d", i, h, mostWidth)
		}
	}
	net, err := arrange(b)
	if err != nil {
		return err
	}
	b.net = net
	return b.checkGolden()
}

func (b *Bundle) checkLayout() error {
	at := 0
	for i, o := range b.Observation {
		if o.Offset != at || o.Size < 1 || o.Size > mostWidth-at || !(o.Scale > 0) || math.IsInf(float64(o.Scale), 0) {
			return fmt.Errorf("observation group %d, %q, starts at %d with %d bytes of scale %v: want the next one at %d", i, o.Name, o.Offset, o.Size, o.Scale, at)
		}
		at += o.Size
	}
	if at == 0 {
		return errors.New("the observation is empty")
	}
	if n := len(b.Actions); n < 1 || n > mostWidth {
		return fmt.Errorf("%d actions: want 1 to %d", n, mostWidth)
	}
	return nil
}

// MakeGolden plays matches of the game at random and takes n of their decisions as
// the golden ones. All else must be set; Check is part of it.
func (b *Bundle) MakeGolden(g engine.Game, n int) error {
	b.Golden = Golden{}
	if err := b.Check(); err != nil {
		return err
	}
	e, err := b.encoder(g)
	if err != nil {
		return err
	}
	m, r, p := g.NewMatch(), engine.NewRand(1), b.Inference()
	obs, logits := make([]uint8, b.ObservationSize()), make([]float32, len(b.Actions))
	for i := range n {
		if m.Seat() < 0 { // over, or not begun
			m.Reset(uint64(i))
		}
		e.Encode(m, m.Seat(), obs)
		p.Logits(obs, logits)
		b.Golden.Observation = append(b.Golden.Observation, obs...)
		b.Golden.Logits = append(b.Golden.Logits, logits...)
		// Decisions far apart are less alike.
		for k := 0; k < 5 && m.Seat() >= 0; k++ {
			if err := m.Apply(m.Legal().Sample(&r)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkGolden computes the golden decisions again.
func (b *Bundle) checkGolden() error {
	d, a := b.ObservationSize(), len(b.Actions)
	n := len(b.Golden.Observation) / d
	if n > mostGolden || len(b.Golden.Observation) != n*d || len(b.Golden.Logits) != n*a {
		return fmt.Errorf("%d bytes of golden observations and %d logits: want [N, %d] and [N, %d]", len(b.Golden.Observation), len(b.Golden.Logits), d, a)
	}
	p, logits := b.Inference(), make([]float32, a)
	for i := range n {
		p.Logits(b.Golden.Observation[i*d:(i+1)*d], logits)
		for k, want := range b.Golden.Logits[i*a : (i+1)*a] {
			if !near(logits[k], want) {
				return fmt.Errorf("golden decision %d: the logit of action %d comes out as %v, not %v: the weights were altered, or this machine computes differently from the one that exported it", i, k, logits[k], want)
			}
		}
	}
	return nil
}

// near allows for sums in another order.
func near(a, b float32) bool {
	const tolerance = 1e-3
	return math.Abs(float64(a)-float64(b)) <= tolerance*max(1, math.Abs(float64(b)))
}
