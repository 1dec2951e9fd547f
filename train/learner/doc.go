// Package learner is the network and its optimiser: batches go in, losses come
// out. It is the only package of the tree that knows which library does the
// tensor work (libtorch, through gotch), so that everything else builds and
// tests without it.
//
// # Building
//
// Without the build tag torch, [New] returns [ErrNoTorch] and the rest of the
// package (types, checks, file formats, initial weights) works with
// CGO_ENABLED=0. With it, `make build-torch` sets up libtorch and passes the
// compiler flags.
//
// # The network
//
// A trunk of Linear, LayerNorm and activation per entry of Config.Hidden reads
// the observation, and a value head gives Config.Values numbers. How actions are scored is what Config.Network names, each in a
// file here, in C++ (internal/aten) and in encode/policy: mlp has one score for every action of the game, entity
// scores the legal actions by rows that say what they do. With Config.CriticDim set the value head sits on a second
// trunk of the same widths, which reads a perfect-information view of the match
// that the policy never sees; without it both heads share one trunk. Inputs are
// bytes and are multiplied by a scale for each feature inside libtorch, so that
// a rollout buffer costs one byte for each feature. Nine in ten of them are 0: on the CPU the first layers compute with
// the others only, forwards and backwards.
//
// Illegal actions are masked on the logits, before the softmax, both when acting
// and again in every update. Their probability is exactly zero, their
// log-probability is about [IllegalLogp], finite so that nothing becomes NaN.
//
// # Driving it
//
//	l, err := learner.New(cfg)
//	defer l.Close()
//	for each iteration {
//		for each decision { l.Forward(decisions, logp, values) } // sample from logp
//		for each epoch and minibatch { stats, err := l.Update(batch, hyper) }
//		l.Save(file)
//	}
//
// The value head learns whatever unit Batch.Return has: a caller that normalises
// returns must undo that on the values of Forward.
//
// # Threads
//
// A Learner may be called from any goroutine; calls are serialised. All calls of
// libtorch come from one operating-system thread, because gotch keeps its last
// error in thread-local storage, and because libtorch's generator belongs to the
// process anyway. The slices of a call are read and written only during the call.
//
// On the CPU the rows of a call are split among Config.Threads threads, each of
// which takes its rows through the whole network and back; the gradients are then added
// in a fixed order. On two cores that is half as fast again as letting libtorch split
// each operation. For one number of threads the results are always the
// same; for another they differ by rounding.
package learner

import (
	"errors"
	"io"
	"time"
)

// ErrNoTorch is what New returns in a program built without the tag torch.
var ErrNoTorch = errors.New("learner: built without libtorch: run `make build-torch` or build with -tags torch")

// IllegalLogp stands for the logarithm of zero: Forward reports an illegal
// action's log-probability as about this, and exp of it is exactly zero.
const IllegalLogp = -1e9

// Config describes a network, where it runs and how it starts.
type Config struct {
	Network string // "mlp" (also when empty) or "entity"

	ObsDim    int // features the policy sees
	CriticDim int // features of the perfect-information view; 0: the critic shares the policy's trunk
	// Values is how many numbers the value head tells, of which the first is what the seat that decides can expect, and the only
	// one that anything else is computed from; 0 means 1.
	Values int
	// ActionCritic lets the critic, which must have a trunk of its own, also say by how much it expects more of each legal
	// action than of the policy: a second network of the same kind scores them on top of the critic's trunk.
	ActionCritic bool
	NumActions   int
	RowDim       int // entity: features of the row that describes a legal action

	// Multipliers that bring bytes to a useful range, one for each feature;
	// nil means 1 for all.
	ObsScale    []float32
	CriticScale []float32
	RowScale    []float32

	Hidden     []int  // width of each hidden layer, such as {256, 256}
	RowHidden  []int  // entity: width of each layer that reads a row, such as {128, 64}; the last is the embedding
	Activation string // "relu" (also when empty) or "silu"

	Device  string // "cpu" (also when empty) or "cuda"
	Seed    uint64 // initial weights, and libtorch's generator
	Threads int    // that share the rows of a call, on the CPU; 0 means as many as GOMAXPROCS

	AdamBeta1   float64 // 0 means 0.9
	AdamBeta2   float64 // 0 means 0.999
	AdamEps     float64 // 0 means 1e-5
	WeightDecay float64 // decoupled, as in AdamW; weight matrices only
}

// Hyper is what a schedule may change from one update to the next.
type Hyper struct {
	LR          float64
	ClipCoef    float64 // of the probability ratio, and of the value when ClipVLoss
	EntCoef     float64
	VfCoef      float64
	OthersCoef  float64 // of the mean error of the value head's other numbers, in the unit of the first one's
	MaxGradNorm float64 // 0 means no clipping

	KLCoef     float64 // of the divergence to the policy that collected, in nats; needs Batch.DataLogp
	MagnetCoef float64 // of the divergence to a magnet, in nats; needs Batch.MagnetLogp

	ClipVLoss  bool // needs Batch.OldValue
	NormAdv    bool // advantages to mean 0, deviation 1 over the minibatch
	CriticOnly bool // only the value is learnt; what it shares with the policy stays as it is
	Squared    bool // of Imitate: Lesson.Target are log-probabilities, and the loss is the square of what the network's are off
	DryRun     bool // compute the losses and the gradient, leave weights and optimiser alone
}

// Decisions are what a network sees, row by row.
type Decisions struct {
	N      int
	Obs    []uint8 // [N*ObsDim]
	Critic []uint8 // [N*CriticDim]; nil when CriticDim is 0 or no values are wanted
	Mask   []uint8 // [N*NumActions], 1 if the action is legal, else 0

	// What each legal action does, in ascending order of actions, decision after decision: [total*RowDim].
	// Those of decision i are Offsets[i] to Offsets[i+1]; nil unless the network reads them.
	Rows    []uint8
	Offsets []int32 // [N+1]
}

// Batch is one minibatch of decisions.
type Batch struct {
	Decisions

	Action    []int32   // [N], legal under Mask
	OldLogp   []float32 // [N], log-probability of Action when it was taken
	Advantage []float32 // [N]
	Return    []float32 // [N*Values], targets of the value head
	OldValue  []float32 // [N*Values], the value head's answers then; may be nil unless Hyper.ClipVLoss

	// Log-probabilities of the legal actions of all rows [total], with Offsets whatever the network: of the policy that
	// collected, and of the magnet. nil unless Hyper asks for them.
	DataLogp, MagnetLogp []float32

	// Acting is how many rows, the first ones, bear on the policy; the others are there for the value alone. 0: all.
	Acting int

	// Weight of each row in every mean, not negative and not all zero, also among those that bear on the policy; nil
	// means equal weights. Rows of weight 0 are padding.
	Weight []float32
}

// acting is how many rows bear on the policy.
func (b Batch) acting() int {
	if b.Acting == 0 {
		return b.N
	}
	return b.Acting
}

// Stats is what one update measured, before its step was applied.
type Stats struct {
	Loss       float64 // the sum that was minimised
	PolicyLoss float64
	ValueLoss  float64 // of all that the value head tells; with ActionCritic also that of values and leads together

	// Entropy is a share of the largest possible: each row's entropy over its
	// legal actions is divided by the logarithm of their number, and rows with
	// one legal action count as 0.
	Entropy     float64
	OldApproxKL float64 // mean of -log ratio
	ApproxKL    float64 // mean of ratio - 1 - log ratio: less noise, never negative
	ClipFrac    float64 // share of rows whose ratio left the clip range
	DataKL      float64 // divergence from the network's policy to the one that collected, if it is in the loss
	MagnetKL    float64 // and to the magnet
	GradNorm    float64 // over all parameters, before clipping
}

// Lesson is one minibatch of decisions with what a teacher would do.
type Lesson struct {
	Decisions           // with Offsets, whatever the network
	Target    []float32 // [total], the teacher's probabilities of the legal actions, or their logarithms (Hyper.Squared), up to a number for each decision
	Return    []float32 // [N*Values], targets of the value head
	Weight    []float32 // as in Batch
}

// LessonStats is what one step of imitation measured, before it was applied.
type LessonStats struct {
	Loss       float64 // the sum that was minimised
	Divergence float64 // Kullback–Leibler, from the teacher's policy to the network's, in nats; if squared, half the squares
	ValueLoss  float64
	Entropy    float64 // of the network's policy, in nats
	GradNorm   float64
}

// Tensor is a named array of weights in row-major order.
type Tensor struct {
	Name  string
	Shape []int
	Data  []float32
}

// Learner is a network with its optimiser.
type Learner interface {
	// Forward acts: it writes masked log-probabilities to logp [N*NumActions] and the critic's values to
	// values [N*Values]. Either may be nil and is then not computed: without logp neither Mask nor Rows are
	// read, without values Critic is not. A decision without a legal action is an error.
	Forward(d Decisions, logp, values []float32) error

	// Leads writes by how much the critic expects more of each action than of the policy to leads [N*NumActions], 0 where an
	// action is not legal. It needs Config.ActionCritic, and all of Decisions.
	Leads(d Decisions, leads []float32) error

	// Update takes one gradient step of PPO on one minibatch, whose loss is in internal/aten/losses.h. When it returns
	// an error the weights are as they were, in particular when the gradient
	// is not finite.
	Update(b Batch, h Hyper) (Stats, error)

	// Imitate takes one gradient step towards a teacher's policy and the returns; of Hyper it uses LR,
	// VfCoef, OthersCoef, MaxGradNorm, Squared and DryRun. Errors are as with Update.
	Imitate(l Lesson, h Hyper) (LessonStats, error)

	// Weights copies the parameters out, sorted by name. Config.Layout says
	// what each is.
	Weights() ([]Tensor, error)

	// SetWeights replaces the parameters and leaves the optimiser alone. Names
	// and shapes must be those of Config.Layout, in any order.
	SetWeights([]Tensor) error

	// Save writes the weights, the optimiser's moments, its step count and
	// libtorch's generator; a Learner that Loads them continues bit for bit,
	// given the same device and thread count. Load leaves the Learner as it
	// was when it returns an error.
	Save(w io.Writer) error
	Load(r io.Reader) error

	// TorchTime is the wall time spent inside libtorch so far.
	TorchTime() time.Duration

	// Close frees all tensors. Other calls then return an error.
	Close()
}

// Copy makes the parameters of a network those of another of the same layout, and leaves its optimiser alone.
func Copy(to, from Learner) error {
	weights, err := from.Weights()
	if err != nil {
		return err
	}
	return to.SetWeights(weights)
}
