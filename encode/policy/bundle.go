package policy

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

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

// Kinds of values, which Bundle.Tells lists.
const (
	Return = "return" // what a seat can still expect to earn, in the rewards of the training
	Win    = "win"    // its chance to win
	Margin = "margin" // by how many points it will be ahead of the others' mean in the end
)

// Bundle is an exported policy. Check says what is wrong with one that was not
// read from a file.
type Bundle struct {
	Game        string   `msgpack:"game"`            // game string that it was trained on
	Name        string   `msgpack:"name"`            // of that game, without parameters: any of its configurations can be played
	Schema      string   `msgpack:"schema"`          // hash of the seat view and of the actions, encode.Schema.Hash
	Version     int      `msgpack:"version"`         // of the schema
	Observation []Slice  `msgpack:"observation"`     // what the bytes mean, without gaps
	Actions     []string `msgpack:"actions"`         // by index
	RowSchema   string   `msgpack:"row_schema"`      // hash of the rows that describe actions; "" unless the network reads them
	Row         []Slice  `msgpack:"row"`             // what their bytes mean
	Choice      string   `msgpack:"choice"`          // Sample or Greedy
	Tells       []string `msgpack:"tells,omitempty"` // kinds of its values; none: Return alone, if it has values

	Network Network  `msgpack:"network"`
	Weights []Tensor `msgpack:"weights"`
	Golden  Golden   `msgpack:"golden"`

	Provenance Provenance   `msgpack:"provenance"`
	Evaluation []Evaluation `msgpack:"evaluation"`

	net    *network // the weights arranged for computing
	digest string
	levels int // of weights that Quantise has rounded; 0: they are not
}

// Slice is a group of the observation: bytes that belong together. A byte times
// Scale is what the network reads.
type Slice struct {
	Name   string  `msgpack:"name" json:"name"`
	Offset int     `msgpack:"offset" json:"offset"`
	Size   int     `msgpack:"size" json:"size"`
	Scale  float32 `msgpack:"scale" json:"scale"`
}

// Network describes the computation. The observation x, scaled, goes through one
// layer for each entry of Hidden, with the tensors of index I
//
//	x = activation(norm(x · trunk.I.linear.weightᵀ + trunk.I.linear.bias))
//	norm(x) = (x - mean(x)) / sqrt(variance(x) + NormEps) · trunk.I.norm.weight + trunk.I.norm.bias
//
// where the variance is the mean of squares. With Norm none, norm(x) is x, and there are no tensors of it.
// The network mlp then has a logit for every action of the game:
//
//	logits = x · policy.weightᵀ + policy.bias
//
// The network entity reads a row for each legal action, scaled. It goes through one layer for each entry of RowHidden
//
//	e = activation(e · rows.I.weightᵀ + rows.I.bias)
//
// and its logit, with the mean and the largest of each number of all these e of the decision, is
//
//	q = x · query.weightᵀ + query.bias + [mean, largest] · context.weightᵀ
//	logit = activation(e · embed.weightᵀ + q) · score.weightᵀ + e · (x · direct.weightᵀ)
//
// A bundle that has them also tells values, what seats can still expect to earn in the rewards of its training:
//
//	values = x · value.weightᵀ + value.bias
//
// where number k is of the k-th seat, counted from the one that the observation is for. Most have that seat's alone. If Bundle.Tells
// lists several kinds, these are the numbers of the first, and as many of each other kind follow.
type Network struct {
	Name       string  `msgpack:"name" json:"name"` // MLP (also if empty) or Entity
	Hidden     []int   `msgpack:"hidden" json:"hidden"`
	RowHidden  []int   `msgpack:"row_hidden" json:"row_hidden"`
	Activation string  `msgpack:"activation" json:"activation"` // "relu", "silu", x·sigmoid(x), or "tanh"
	Norm       string  `msgpack:"norm" json:"norm"`             // LayerNorm (also if empty) or NoNorm
	NormEps    float64 `msgpack:"norm_eps" json:"norm_eps"`     // not read if there is no norm
}

// What may follow the linear part of a layer of the trunk.
const (
	LayerNorm = "layer"
	NoNorm    = "none"
)

// activations are those that Network.Activation may name.
var activations = map[string]func(x []float32){"relu": relu, "silu": silu, "tanh": tanh}

// Tensor is a named array of float32, row-major and little-endian.
type Tensor struct {
	Name  string    `msgpack:"name"`
	Shape []int     `msgpack:"shape"`
	Data  []byte    `msgpack:"data"`
	Scale []float32 `msgpack:"scale,omitempty"` // in packed files alone: data is int8, and this by row what it is multiplied with
}

// Golden has decisions with which another implementation of the network can check itself.
type Golden struct {
	Observation []byte    `msgpack:"observation"` // [N, D] uint8
	Rows        []byte    `msgpack:"rows"`        // [total, F] uint8, decision after decision; empty unless the network reads them
	Counts      []int32   `msgpack:"counts"`      // [N] how many of them each decision has
	Logits      []float32 `msgpack:"logits"`      // [N, A], before the mask; with rows, [total]
	Values      []float32 `msgpack:"values"`      // [N, V]; empty if the bundle tells none
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
// the file's SHA-256. It is empty if the bundle has been changed since.
func (b *Bundle) Digest() string { return b.digest }

// Choose has the bundle choose so. What was measured, and the digest, are of how it chose before.
func (b *Bundle) Choose(choice string) {
	if b.Choice != choice {
		b.Choice, b.Evaluation, b.digest = choice, nil, ""
	}
}

// ObservationSize is the number of bytes of an observation.
func (b *Bundle) ObservationSize() int { return size(b.Observation) }

// RowSize is the number of bytes of a row that describes an action; 0 unless the network reads such rows.
func (b *Bundle) RowSize() int { return size(b.Row) }

// ReadsActions reports whether the network reads what the legal actions do.
func (b *Bundle) ReadsActions() bool { return b.Network.Name == Entity }

// Values is how many values the bundle tells of a decision; 0: none.
func (b *Bundle) Values() int {
	for _, t := range b.Weights {
		if t.Name == "value.bias" && len(t.Shape) == 1 {
			return t.Shape[0]
		}
	}
	return 0
}

// tells reports whether the bundle tells a kind of values.
func (b *Bundle) tells(kind string) bool {
	return slices.Contains(b.Tells, kind) || len(b.Tells) == 0 && kind == Return && b.Values() > 0
}

// told is of how many seats the bundle tells values of a kind, and which of its values is the first of them.
func (b *Bundle) told(kind string) (seats, first int) {
	seats = b.Values() / max(len(b.Tells), 1)
	return seats, max(slices.Index(b.Tells, kind), 0) * seats
}

func size(groups []Slice) int {
	if len(groups) == 0 {
		return 0
	}
	last := groups[len(groups)-1]
	return last.Offset + last.Size
}

// SetLayout gives the bundle the game's present layout.
func (b *Bundle) SetLayout(s *encode.Schema) {
	b.Name, b.Schema, b.Version, b.Actions = s.Game, s.Hash(), s.Version, slices.Clone(s.Actions)
	b.Observation = slicesOf(s)
}

// SetActionLayout gives the bundle the present layout of the rows that describe actions, for a network that reads them.
func (b *Bundle) SetActionLayout(s *encode.Schema) { b.RowSchema, b.Row = s.Hash(), slicesOf(s) }

func slicesOf(s *encode.Schema) []Slice {
	out := make([]Slice, len(s.Groups))
	for i, g := range s.Groups {
		out[i] = Slice{g.Name, g.Offset, g.Size, g.Scale}
	}
	return out
}

// Fits refuses, with ErrMisfit, a game whose matches the bundle cannot play, since tensors are not the bundle's.
func (b *Bundle) Fits(g engine.Game) error {
	_, err := b.Encoder(g)
	return err
}

// Encoder is the encoder of a game, or where rows of actions are other ones, that of the same game with other advice.
func (b *Bundle) Encoder(g engine.Game) (*encode.Encoder, error) {
	e, err := b.encoder(g)
	if !errors.Is(err, ErrMisfit) || !b.ReadsActions() {
		return e, err
	}
	for _, advice := range adviceOf(g) {
		other, none := engine.NewGameWith(g.Info().Config, engine.AdviceName, advice)
		if none != nil {
			return nil, err
		}
		if e, none := b.encoder(other); none == nil {
			return e, nil
		}
	}
	return nil, err
}

// adviceOf are all that a game string can ask of the advice that its game has.
func adviceOf(g engine.Game) (all []string) {
	d, err := engine.Lookup(g.Info().Game)
	if err != nil {
		return nil
	}
	sorts := d.Advice()
	for set := range 1 << len(sorts) {
		var words []string
		for i, w := range sorts {
			if set>>i&1 != 0 {
				words = append(words, w)
			}
		}
		all = append(all, cmp.Or(strings.Join(words, "+"), engine.NoWords))
	}
	return all
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
		return e, b.fitsActions(e)
	}
	return nil, fmt.Errorf("%w: it was exported for another layout of %s (schema version %d, hash %.12s; this program's is version %d, hash %.12s): %s; use the privateer that exported it, or train and export again",
		ErrMisfit, b.Name, b.Version, b.Schema, s.Version, s.Hash(), b.difference(s))
}

// fitsActions refuses a game that describes its actions otherwise than the network reads them.
func (b *Bundle) fitsActions(e *encode.Encoder) error {
	s := e.ActionSchema()
	switch {
	case !b.ReadsActions():
		return nil
	case s == nil:
		return fmt.Errorf("%w: its network %s reads what actions do, which this program does not describe for %s", ErrMisfit, b.Network.Name, b.Name)
	case s.Hash() == b.RowSchema:
		return nil
	}
	why := groupDifference("row of an action", b.Row, s)
	if why == "" {
		why = "the largest values of some bytes differ"
	}
	return fmt.Errorf("%w: it was exported for other rows that describe actions of %s (hash %.12s; this program's is %.12s): %s; use the privateer that exported it, or train and export again",
		ErrMisfit, b.Name, b.RowSchema, s.Hash(), why)
}

// groupDifference names the first group at which two layouts differ; "" if none does.
func groupDifference(what string, groups []Slice, s *encode.Schema) string {
	for i, o := range groups {
		if i == len(s.Groups) {
			return fmt.Sprintf("its %s goes on with %s at byte %d", what, o.Name, o.Offset)
		}
		if g := s.Groups[i]; (o != Slice{g.Name, g.Offset, g.Size, g.Scale}) {
			return fmt.Sprintf("its %s has %s (%d bytes, scale %v) at byte %d, this program's has %s (%d bytes, scale %v)", what, o.Name, o.Size, o.Scale, o.Offset, g.Name, g.Size, g.Scale)
		}
	}
	if n := len(groups); n < len(s.Groups) {
		return fmt.Sprintf("its %s lacks %s", what, s.Groups[n].Name)
	}
	return ""
}

// difference names the first place at which two layouts differ.
func (b *Bundle) difference(s *encode.Schema) string {
	if why := groupDifference("observation", b.Observation, s); why != "" {
		return why
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
	if b.Network.Name == "" {
		b.Network.Name = MLP
	}
	if b.Network.Norm == "" {
		b.Network.Norm = LayerNorm
	}
	if err := errors.Join(b.checkWords(), b.checkEvaluation()); err != nil {
		return err
	}
	if err := b.checkLayout(); err != nil {
		return err
	}
	n := b.Network
	if b.Choice != Sample && b.Choice != Greedy {
		return fmt.Errorf("choice is %q: want %s or %s", b.Choice, Sample, Greedy)
	}
	if activations[n.Activation] == nil {
		return fmt.Errorf("activation is %q: want relu, silu or tanh", n.Activation)
	}
	if n.Norm != LayerNorm && n.Norm != NoNorm {
		return fmt.Errorf("norm is %q: want %s or %s", n.Norm, LayerNorm, NoNorm)
	}
	if n.Norm == LayerNorm && !(n.NormEps > 0 && n.NormEps < 1) {
		return fmt.Errorf("norm_eps is %v: want a small positive number", n.NormEps)
	}
	if n.Name != MLP && n.Name != Entity {
		return fmt.Errorf("network is %q: want %s or %s", n.Name, MLP, Entity)
	}
	if err := checkWidths("hidden", n.Hidden, 1); err != nil {
		return err
	}
	for i, kind := range b.Tells {
		if !slices.Contains([]string{Return, Win, Margin}, kind) || slices.Contains(b.Tells[:i], kind) || b.Values()%len(b.Tells) != 0 || b.Values() == 0 {
			return fmt.Errorf("%d values of the kinds %v: want as many of each, of some of %s, %s and %s", b.Values(), b.Tells, Return, Win, Margin)
		}
	}
	least := 0
	if b.ReadsActions() {
		least = 1
	}
	if err := checkWidths("row", n.RowHidden, least); err != nil {
		return err
	}
	net, err := arrange(b)
	if err != nil {
		return err
	}
	b.net = net
	return b.checkGolden()
}

// checkWidths checks the widths of layers, of which there is a least number.
func checkWidths(kind string, widths []int, least int) error {
	if len(widths) < least || len(widths) > mostLayers {
		return fmt.Errorf("%d %s layers: want %d to %d", len(widths), kind, least, mostLayers)
	}
	for i, h := range widths {
		if h < 1 || h > mostWidth {
			return fmt.Errorf("%s layer %d has %d units: want 1 to %d", kind, i, h, mostWidth)
		}
	}
	return nil
}

// checkWords refuses names that would do something to the terminal that they are printed on.
func (b *Bundle) checkWords() error {
	plain := func(s string) bool { return strings.IndexFunc(s, unicode.IsControl) < 0 }
	if !plain(b.Game) {
		return fmt.Errorf("game is %q: want no control characters", b.Game)
	}
	if !plain(b.Name) {
		return fmt.Errorf("name is %q: want no control characters", b.Name)
	}
	for i, name := range b.Actions {
		if !plain(name) {
			return fmt.Errorf("action %d is %q: want no control characters", i, name)
		}
	}
	for what, groups := range map[string][]Slice{"observation": b.Observation, "row": b.Row} {
		for i, o := range groups {
			if !plain(o.Name) {
				return fmt.Errorf("group %d is %q of the %s: want no control characters", i, o.Name, what)
			}
		}
	}
	for i, e := range b.Evaluation {
		if !plain(e.Game) || !plain(e.Bot) {
			return fmt.Errorf("evaluation %d is of %q in %q: want no control characters", i, e.Bot, e.Game)
		}
	}
	return nil
}

func (b *Bundle) checkEvaluation() error {
	for i, e := range b.Evaluation {
		for _, x := range slices.Concat(e.WinRate[:], e.Return[:], []float64{e.EqualShare}) {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("evaluation %d against %s has %v: want a number", i, e.Bot, x)
			}
		}
	}
	return nil
}

func (b *Bundle) checkLayout() error {
	for what, groups := range map[string][]Slice{"observation": b.Observation, "row": b.Row} {
		at := 0
		for i, o := range groups {
			if o.Offset != at || o.Size < 1 || o.Size > mostWidth-at || !(o.Scale > 0) || math.IsInf(float64(o.Scale), 0) {
				return fmt.Errorf("%s group %d, %q, starts at %d with %d bytes of scale %v: want the next one at %d", what, i, o.Name, o.Offset, o.Size, o.Scale, at)
			}
			at += o.Size
		}
	}
	if b.ObservationSize() == 0 {
		return errors.New("the observation is empty")
	}
	if b.ReadsActions() != (size(b.Row) > 0) {
		return fmt.Errorf("the network %q has rows of actions with %d bytes", b.Network.Name, size(b.Row))
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
	e, err := b.Encoder(g)
	if err != nil {
		return err
	}
	m, r, p := g.NewMatch(), engine.NewRand(1), b.Inference()
	all := b.everyAction()
	obs, rows, logits := make([]uint8, b.ObservationSize()), make([]uint8, len(all)*size(b.Row)), make([]float32, len(all))
	values := make([]float32, b.Values())
	for i := range n {
		if m.Seat() < 0 { // over, or not begun
			m.Reset(uint64(i))
		}
		e.Encode(m, m.Seat(), obs)
		legal := all
		if b.ReadsActions() {
			legal = all[:e.EncodeActions(m, rows)] // which they are makes no difference
			b.Golden.Counts = append(b.Golden.Counts, int32(len(legal)))
			b.Golden.Rows = append(b.Golden.Rows, rows[:len(legal)*size(b.Row)]...)
		}
		p.Scores(obs, legal, rows[:len(legal)*size(b.Row)], logits[:len(legal)])
		b.Golden.Observation = append(b.Golden.Observation, obs...)
		b.Golden.Logits = append(b.Golden.Logits, logits[:len(legal)]...)
		p.Values(obs, values)
		b.Golden.Values = append(b.Golden.Values, values...)
		// Decisions far apart are less alike.
		for k := 0; k < 5 && m.Seat() >= 0; k++ {
			if err := m.Apply(m.Legal().Sample(&r)); err != nil {
				return err
			}
		}
	}
	return nil
}

// everyAction lists the actions of the game.
func (b *Bundle) everyAction() []int32 {
	all := make([]int32, len(b.Actions))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// checkGolden computes the golden decisions again.
func (b *Bundle) checkGolden() error {
	d, f := b.ObservationSize(), size(b.Row)
	g := &b.Golden
	n := len(g.Observation) / d
	total, most := n*len(b.Actions), len(b.Actions)
	if b.ReadsActions() {
		total = 0
		for _, count := range g.Counts {
			if count < 1 || int(count) > min(most, engine.MaxActions) {
				return fmt.Errorf("a golden decision has %d legal actions: want 1 to %d", count, min(most, engine.MaxActions))
			}
			total += int(count)
		}
	}
	if n > mostGolden || len(g.Observation) != n*d || len(g.Logits) != total || len(g.Rows) != total*f || b.ReadsActions() != (f > 0) || f > 0 && len(g.Counts) != n || f == 0 && len(g.Counts) > 0 {
		return fmt.Errorf("%d bytes of golden observations, %d of rows for %d actions and %d logits: want [N, %d], [%d, %d] and [%d]", len(g.Observation), len(g.Rows), total, len(g.Logits), d, total, f, total)
	}
	if v := b.Values(); len(g.Values) != n*v {
		return fmt.Errorf("%d golden values of %d decisions: want [%d, %d]", len(g.Values), n, n, v)
	}
	p, out, all := b.Inference(), make([]float32, most), b.everyAction()
	values := make([]float32, b.Values())
	rows, logits := g.Rows, g.Logits
	for i := range n {
		legal := all
		if f > 0 {
			legal = all[:g.Counts[i]]
		}
		p.Scores(g.Observation[i*d:(i+1)*d], legal, rows[:len(legal)*f], out[:len(legal)])
		for k, want := range logits[:len(legal)] {
			if !near(out[k], want) {
				return fmt.Errorf("golden decision %d: the logit of action %d comes out as %v, not %v: the weights were altered, or this machine computes differently from the one that exported it", i, k, out[k], want)
			}
		}
		rows, logits = rows[len(legal)*f:], logits[len(legal):]
		p.Values(g.Observation[i*d:(i+1)*d], values)
		for k, want := range g.Values[i*len(values) : (i+1)*len(values)] {
			if !near(values[k], want) {
				return fmt.Errorf("golden decision %d: value %d comes out as %v, not %v: the weights were altered, or this machine computes differently from the one that exported it", i, k, values[k], want)
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
