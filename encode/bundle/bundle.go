package bundle

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/engine"
)

// ErrMisfit is the error for a bundle of another game, or of another layout of its tensors.
var ErrMisfit = errors.New("the bundle does not fit")

// How a bundle chooses among the legal actions.
const (
	Sample = "sample" // by their probabilities: the softmax of their logits
	Greedy = "greedy" // the one of the largest logit, the first of equals
)

// Bundle is an exported policy. One that was not read from a file must pass Check.
type Bundle struct {
	Game        string        `msgpack:"game"`        // game string that it was trained on
	Name        string        `msgpack:"name"`        // of that game, without parameters: any of its configurations can be played
	Schema      string        `msgpack:"schema"`      // hash of the seat view and of the actions, encode.Schema.Hash
	Version     int           `msgpack:"version"`     // of the schema
	Observation []infer.Slice `msgpack:"observation"` // what the bytes mean, without gaps
	Actions     []string      `msgpack:"actions"`     // by index
	RowSchema   string        `msgpack:"row_schema"`  // hash of the rows that describe actions; "" unless the network reads them
	Row         []infer.Slice `msgpack:"row"`         // what their bytes mean
	Choice      string        `msgpack:"choice"`      // Sample or Greedy

	Network infer.Network  `msgpack:"network"`
	Weights []infer.Tensor `msgpack:"weights"`
	Golden  Golden         `msgpack:"golden"`

	Provenance Provenance   `msgpack:"provenance"`
	Evaluation []Evaluation `msgpack:"evaluation"`

	net    *infer.Net // the weights arranged for computing
	whole  *whole     // the same in whole numbers
	digest string
	levels int // of weights that Quantise has rounded; 0: they are not
}

// Golden has decisions with which another implementation of the network can check itself.
type Golden struct {
	Observation []byte    `msgpack:"observation"` // [N, D] uint8
	Rows        []byte    `msgpack:"rows"`        // [total, F] uint8, decision after decision; empty unless the network reads them
	Counts      []int32   `msgpack:"counts"`      // [N] how many of them each decision has
	Logits      []float32 `msgpack:"logits"`      // [N, A], before the mask; with rows, [total]
	Values      []float32 `msgpack:"values"`      // [N, V]; V is Values
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

// Digest identifies a bundle that was read from a file: the first digits of the file's SHA-256. It is empty if the bundle was changed
// since.
func (b *Bundle) Digest() string { return b.digest }

// Choose sets Choice. It clears the evaluation and the digest, which are those of another choice.
func (b *Bundle) Choose(choice string) {
	if b.Choice != choice {
		b.Choice, b.Evaluation, b.digest = choice, nil, ""
	}
}

// ObservationSize is the number of bytes of an observation.
func (b *Bundle) ObservationSize() int { return infer.Size(b.Observation) }

// RowSize is the number of bytes of a row that describes an action; 0 unless the network reads such rows.
func (b *Bundle) RowSize() int { return infer.Size(b.Row) }

// ReadsActions reports whether the network reads what the legal actions do.
func (b *Bundle) ReadsActions() bool { return b.Network.Name == infer.Entity }

// Values is how many values a decision has: 1 with a value head, which predicts what the seat will still earn, else 0.
func (b *Bundle) Values() int {
	return int(engine.Bit(slices.ContainsFunc(b.Weights, func(t infer.Tensor) bool { return t.Name == "value.bias" })))
}

// Inference computes the bundle's network, for decisions of that many seats (infer.Net.Inference). The bundle must be whole (Check).
func (b *Bundle) Inference(seats int) *infer.Inference { return b.net.Inference(seats) }

// Parallel is n inferences that work side by side; 0: one a core.
func (b *Bundle) Parallel(n int) infer.Parallel { return b.net.Parallel(n) }

// whole is a network in whole numbers, arranged when it is first asked for.
type whole struct {
	once sync.Once
	net  *infer.Net
	err  error
}

// InWholeNumbers is a bundle of the same policy that computes in whole numbers: faster, and nearly the same. The bundle must be whole
// (Check); the weights are arranged once, however many ask.
func (b *Bundle) InWholeNumbers() (*Bundle, error) {
	w := b.whole
	w.once.Do(func() { w.net, w.err = infer.NewWhole(b.model(), b.levels) })
	if w.err != nil {
		return nil, w.err
	}
	in := *b
	in.net = w.net
	return &in, nil
}

func (b *Bundle) model() infer.Model {
	return infer.Model{Network: b.Network, Weights: b.Weights, Observation: b.Observation, Row: b.Row, Actions: len(b.Actions)}
}

// SetLayout gives the bundle the game's present layout.
func (b *Bundle) SetLayout(s *encode.Schema) {
	b.Name, b.Schema, b.Version, b.Actions = s.Game, s.Hash(), s.Version, slices.Clone(s.Actions)
	b.Observation = slicesOf(s)
}

// SetActionLayout gives the bundle the present layout of the rows that describe actions, for a network that reads them.
func (b *Bundle) SetActionLayout(s *encode.Schema) { b.RowSchema, b.Row = s.Hash(), slicesOf(s) }

func slicesOf(s *encode.Schema) []infer.Slice {
	out := make([]infer.Slice, len(s.Groups))
	for i, g := range s.Groups {
		out[i] = infer.Slice{Name: g.Name, Offset: g.Offset, Size: g.Size, Scale: g.Scale}
	}
	return out
}

// Fits refuses, with ErrMisfit, a game whose tensors are not the bundle's.
func (b *Bundle) Fits(g engine.Game) error {
	_, err := b.Encoder(g)
	return err
}

// Encoder is the encoder of a game or, if its rows of actions are not the bundle's, that of the same game with other advice.
func (b *Bundle) Encoder(g engine.Game) (*encode.Encoder, error) {
	_, e, err := b.Advised(g)
	return e, err
}

// Advised is a game with the advice that the bundle's rows of actions have, and the encoder of that: what a training must play to begin with the
// bundle's weights. A game whose tensors are not the bundle's with any advice is refused, with ErrMisfit.
func (b *Bundle) Advised(g engine.Game) (engine.Game, *encode.Encoder, error) {
	e, err := b.encoder(g)
	if !errors.Is(err, ErrMisfit) || !b.ReadsActions() {
		return g, e, err
	}
	d, none := engine.Lookup(g.Info().Game)
	if none != nil {
		return g, nil, err
	}
	for _, advice := range append([]string{engine.NoWords}, d.Advice()...) {
		other, none := engine.NewGameWith(g.Info().Config, engine.AdviceName, advice)
		if none != nil {
			return g, nil, err
		}
		if e, none := b.encoder(other); none == nil {
			return other, e, nil
		}
	}
	return g, nil, err
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
		ErrMisfit, b.Name, b.Version, b.Schema, s.Version, s.Hash(), b.difference(slicesOf(s), s.Actions, "this program's"))
}

// fitsActions refuses a game whose rows of actions are not those that the network reads.
func (b *Bundle) fitsActions(e *encode.Encoder) error {
	s := e.ActionSchema()
	switch {
	case !b.ReadsActions():
		return nil
	case s == nil:
		return fmt.Errorf("%w: its network %s reads rows of actions, which this program does not have for %s", ErrMisfit, b.Network.Name, b.Name)
	case s.Hash() == b.RowSchema:
		return nil
	}
	why := cmp.Or(groupDifference("row of an action", b.Row, slicesOf(s), "this program's"), otherLimits)
	return fmt.Errorf("%w: it was exported for other rows that describe actions of %s (hash %.12s; this program's is %.12s): %s; use the privateer that exported it, or train and export again",
		ErrMisfit, b.Name, b.RowSchema, s.Hash(), why)
}

// otherLimits is how layouts differ whose groups and actions are the same.
const otherLimits = "the largest values of some bytes differ"

// groupDifference names the first group at which two layouts differ; "" if none does. whose is the other one.
func groupDifference(what string, groups, others []infer.Slice, whose string) string {
	for i, o := range groups {
		if i == len(others) {
			return fmt.Sprintf("its %s continues with %s at byte %d", what, o.Name, o.Offset)
		}
		if g := others[i]; o != g {
			return fmt.Sprintf("its %s has %s (%d bytes, scale %v) at byte %d, %s has %s (%d bytes, scale %v)", what, o.Name, o.Size, o.Scale, o.Offset, whose, g.Name, g.Size, g.Scale)
		}
	}
	if n := len(groups); n < len(others) {
		return fmt.Sprintf("its %s lacks %s", what, others[n].Name)
	}
	return ""
}

// difference names the first place at which its layout and another differ.
func (b *Bundle) difference(observation []infer.Slice, actions []string, whose string) string {
	if why := groupDifference("observation", b.Observation, observation, whose); why != "" {
		return why
	}
	for i, a := range b.Actions {
		if i == len(actions) || a != actions[i] {
			return fmt.Sprintf("action %d is %q in it", i, a)
		}
	}
	if n := len(b.Actions); n < len(actions) {
		return fmt.Sprintf("it lacks action %d, %q", n, actions[n])
	}
	return otherLimits
}

// mostGolden is the most golden decisions that a bundle has.
const mostGolden = 1 << 10

// Check says what is wrong with a bundle, and prepares it for playing.
func (b *Bundle) Check() error {
	if err := errors.Join(b.checkWords(), b.checkEvaluation()); err != nil {
		return err
	}
	if err := b.checkLayout(); err != nil {
		return err
	}
	if b.Choice != Sample && b.Choice != Greedy {
		return fmt.Errorf("choice is %q: want %s or %s", b.Choice, Sample, Greedy)
	}
	net, err := infer.New(b.model())
	if err != nil {
		return err
	}
	b.net, b.whole = net, new(whole)
	return b.checkGolden()
}

// checkWords refuses names that would do something to the terminal that they are printed on.
func (b *Bundle) checkWords() (err error) {
	plain := func(text, of string, args ...any) {
		if err == nil && strings.ContainsFunc(text, unicode.IsControl) {
			err = fmt.Errorf(of+": want no control characters", args...)
		}
	}
	plain(b.Game, "game is %q", b.Game)
	plain(b.Name, "name is %q", b.Name)
	for i, name := range b.Actions {
		plain(name, "action %d is %q", i, name)
	}
	for what, groups := range map[string][]infer.Slice{"observation": b.Observation, "row": b.Row} {
		for i, o := range groups {
			plain(o.Name, "group %d is %q of the %s", i, o.Name, what)
		}
	}
	for i, e := range b.Evaluation {
		plain(e.Game+e.Bot, "evaluation %d is of %q in %q", i, e.Bot, e.Game)
	}
	return err
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
	for what, groups := range map[string][]infer.Slice{"observation": b.Observation, "row": b.Row} {
		at := 0
		for i, o := range groups {
			if o.Offset != at || o.Size < 1 || o.Size > infer.MostWidth-at || !(o.Scale > 0) || math.IsInf(float64(o.Scale), 0) {
				return fmt.Errorf("%s group %d, %q, starts at %d with %d bytes of scale %v: want the next one at %d", what, i, o.Name, o.Offset, o.Size, o.Scale, at)
			}
			at += o.Size
		}
	}
	if b.ObservationSize() == 0 {
		return errors.New("the observation is empty")
	}
	if b.ReadsActions() != (b.RowSize() > 0) {
		return fmt.Errorf("the network %q has rows of actions with %d bytes", b.Network.Name, b.RowSize())
	}
	if n := len(b.Actions); n < 1 || n > infer.MostWidth {
		return fmt.Errorf("%d actions: want 1 to %d", n, infer.MostWidth)
	}
	return nil
}

// MakeGolden takes n decisions of random matches of the game as the golden ones. All else must be set; it calls Check.
func (b *Bundle) MakeGolden(g engine.Game, n int) error {
	b.Golden = Golden{}
	if err := b.Check(); err != nil {
		return err
	}
	e, err := b.Encoder(g)
	if err != nil {
		return err
	}
	m, r, p := g.NewMatch(), engine.NewRand(1), b.Inference(1)
	all := b.everyAction()
	obs, rows, logits := make([]uint8, b.ObservationSize()), make([]uint8, len(all)*b.RowSize()), make([]float32, len(all))
	values := make([]float32, b.Values())
	for i := range n {
		if m.Seat() < 0 { // over, or not begun
			m.Reset(uint64(i))
		}
		e.Encode(m, m.Seat(), obs)
		legal := all
		if b.ReadsActions() {
			legal = all[:e.EncodeActions(m, rows)] // any of that number have the same scores
			b.Golden.Counts = append(b.Golden.Counts, int32(len(legal)))
			b.Golden.Rows = append(b.Golden.Rows, rows[:len(legal)*b.RowSize()]...)
		}
		p.Scores(obs, legal, rows[:len(legal)*b.RowSize()], logits[:len(legal)])
		b.Golden.Observation = append(b.Golden.Observation, obs...)
		b.Golden.Logits = append(b.Golden.Logits, logits[:len(legal)]...)
		p.Values(obs, values)
		b.Golden.Values = append(b.Golden.Values, values...)
		for _, x := range slices.Concat(logits[:len(legal)], values) {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fmt.Errorf("golden decision %d: the network computes %v: its weights are too large", i, x)
			}
		}
		// Decisions far apart are less alike.
		for k := 0; k < 5 && m.Seat() >= 0; k++ {
			if err := m.Apply(m.Legal().Sample(&r)); err != nil {
				return err
			}
		}
	}
	return nil
}

// playGoldenAgain makes as many golden decisions as there are, of weights that have changed.
func (b *Bundle) playGoldenAgain() error {
	b.digest = ""
	g, err := engine.NewGame(b.Game)
	if err != nil {
		return err
	}
	return b.MakeGolden(g, len(b.Golden.Observation)/b.ObservationSize())
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
	d, f := b.ObservationSize(), b.RowSize()
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
	p, out, all := b.Inference(1), make([]float32, most), b.everyAction()
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
				return fmt.Errorf("golden decision %d: the logit of action %d is computed as %v, not %v: the weights were altered, or this machine computes differently from the one that exported it", i, k, out[k], want)
			}
		}
		rows, logits = rows[len(legal)*f:], logits[len(legal):]
		p.Values(g.Observation[i*d:(i+1)*d], values)
		for k, want := range g.Values[i*len(values) : (i+1)*len(values)] {
			if !near(values[k], want) {
				return fmt.Errorf("golden decision %d: value %d is computed as %v, not %v: the weights were altered, or this machine computes differently from the one that exported it", i, k, values[k], want)
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
