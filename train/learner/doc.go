// Package learner is the network and its optimiser: batches go in, losses come out. Only this package knows which library does the tensor
// work (libtorch, through gotch): everything else builds and tests without it.
//
// # Building
//
// Without the build tag torch, [New] returns [ErrNoTorch] and the rest of the package (types, checks, file formats, initial weights) works
// with CGO_ENABLED=0. `make build-torch` sets up libtorch and builds with the tag and the compiler flags.
//
// # The network
//
// A trunk of Linear, LayerNorm and ReLU per entry of Config.Hidden reads the observation, and a value head predicts what the seat that
// decides will still earn. Config.Network names how actions are scored, each in a file here, in C++ (internal/aten) and in encode/infer:
// mlp has a score for every action of the game, entity scores the legal actions by rows that describe them. With Config.CriticDim the
// value head has a second trunk of the same widths, which reads a perfect-information view of the match that the policy never sees;
// without it both heads share one trunk. Inputs are bytes and are scaled inside libtorch, so that a buffer of decisions costs one byte
// per feature. Nine in ten of them are 0: on the CPU the first layers compute only with the others, forwards and backwards.
//
// Illegal actions are masked on the logits, before the softmax, when acting and in every update. Their probability is exactly zero, their
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
// The value head learns the unit of Batch.Return: a caller that normalises returns must undo that on the values of Forward.
//
// # Threads
//
// A Learner may be called from any goroutine; calls are serialised. All calls of libtorch are made by one operating-system thread, because
// gotch keeps its last error in thread-local storage, and libtorch's generator belongs to the process. The slices of a call are read and
// written only during the call.
//
// On the CPU the rows of a call are split among Config.Threads threads, each of which takes its rows through the whole network and back;
// the gradients are then added in a fixed order. On two cores that is one and a half times as fast as letting libtorch split each
// operation. Results depend on the number of threads, by rounding, but not on the run.
package learner

import (
	"errors"
	"io"
	"time"
)

// ErrNoTorch is New's error in a program built without the tag torch.
var ErrNoTorch = errors.New("learner: built without libtorch: run `make build-torch` or build with -tags torch")

// IllegalLogp is about the log-probability that Forward reports for an illegal action; exp of it is exactly zero.
const IllegalLogp = -1e9

// Config describes a network, where it runs and how it starts.
type Config struct {
	Network string // "mlp" (also when empty) or "entity"

	ObsDim     int // features the policy sees
	CriticDim  int // features of the perfect-information view; 0: the critic shares the policy's trunk
	NumActions int
	RowDim     int // entity: features of the row that describes a legal action

	// Multipliers that bring bytes to a useful range, one for each feature; nil means 1 for all.
	ObsScale    []float32
	CriticScale []float32
	RowScale    []float32

	Hidden    []int // width of each hidden layer, such as {256, 256}
	RowHidden []int // entity: width of each layer that reads a row, such as {128, 64}; the last is the embedding

	Device  string // "cpu" (also when empty) or "cuda"
	Seed    uint64 // initial weights, and libtorch's generator
	Threads int    // that share the rows of a call, on the CPU; 0 means as many as GOMAXPROCS

	AdamEps float64 // 0 means 1e-5
}

// Hyper has the hyperparameters that a schedule may change from one update to the next.
type Hyper struct {
	LR          float64
	ClipCoef    float64 // of the probability ratio
	EntCoef     float64
	VfCoef      float64
	MaxGradNorm float64 // 0 means no clipping
	MagnetCoef  float64 // of the divergence to equal chances for all legal actions, in nats

	NormAdv    bool // advantages to mean 0, deviation 1 over the minibatch
	CriticOnly bool // only the value is learnt; what it shares with the policy stays as it is
	Squared    bool // of Imitate: ImitationBatch.Target are log-probabilities, and the loss is the squared error of the network's
	DryRun     bool // compute the losses and the gradient, leave weights and optimiser alone
}

// Decisions are a network's inputs, row by row.
type Decisions struct {
	N      int
	Obs    []uint8 // [N*ObsDim]
	Critic []uint8 // [N*CriticDim]; nil when CriticDim is 0 or no values are wanted
	Mask   []uint8 // [N*NumActions], 1 if the action is legal, else 0

	// The row of each legal action, in ascending order of actions, decision after decision: [total*RowDim].
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
	Return    []float32 // [N], targets of the value head
}

// Stats has the measurements of one update, before its step was applied.
type Stats struct {
	Loss       float64 // the sum that was minimised
	PolicyLoss float64
	ValueLoss  float64

	// Entropy is a share of the largest possible: each row's is divided by the logarithm of the number of its legal actions, 0 if that is
	// 1.
	Entropy     float64
	OldApproxKL float64 // mean of -log ratio
	ApproxKL    float64 // mean of ratio - 1 - log ratio: less noise, never negative
	ClipFrac    float64 // share of rows whose ratio left the clip range
	MagnetKL    float64 // divergence from the network's policy to equal chances, if it is in the loss
	GradNorm    float64 // over all parameters, before clipping
}

// ImitationBatch is one minibatch of decisions with a teacher's answers.
type ImitationBatch struct {
	Decisions           // with Offsets, whatever the network
	Target    []float32 // [total], the teacher's probabilities of the legal actions, or their logarithms (Hyper.Squared) up to a constant for each decision
	Return    []float32 // [N], targets of the value head
	// Weight of each row in every mean, not negative and not all zero; nil means equal weights. Rows of weight 0 are padding.
	Weight []float32
}

// ImitationStats has the measurements of one step of imitation, before it was applied.
type ImitationStats struct {
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
	// Forward writes masked log-probabilities to logp [N*NumActions] and the critic's values to values [N]. Either may be nil and is then
	// not computed: without logp neither Mask nor Rows are read, without values Critic is not. A decision without a legal action is an
	// error.
	Forward(d Decisions, logp, values []float32) error

	// Update takes one gradient step of PPO on one minibatch, whose loss is in internal/aten/losses.h. If it returns an error, such as a
	// gradient that is not finite, the weights are unchanged.
	Update(b Batch, h Hyper) (Stats, error)

	// Imitate takes one gradient step towards a teacher's policy and the returns; of Hyper it uses LR, VfCoef, MaxGradNorm, Squared and
	// DryRun. Errors are as with Update.
	Imitate(l ImitationBatch, h Hyper) (ImitationStats, error)

	// Weights copies the parameters, sorted by name. Config.Layout describes each.
	Weights() ([]Tensor, error)

	// SetWeights replaces the parameters, not the optimiser. Names and shapes must be those of Config.Layout, in any order.
	SetWeights([]Tensor) error

	// Save writes the weights, the optimiser's moments, its step count and libtorch's generator; a Learner that Loads them continues bit
	// for bit, given the same device and thread count. If Load returns an error, the Learner is unchanged.
	Save(w io.Writer) error
	Load(r io.Reader) error

	// TorchTime is the wall time spent inside libtorch so far.
	TorchTime() time.Duration

	// Close frees all tensors. Other calls then return an error.
	Close()
}

// Copy copies the parameters of a network to another of the same layout, not the optimiser.
func Copy(to, from Learner) error {
	weights, err := from.Weights()
	if err != nil {
		return err
	}
	return to.SetWeights(weights)
}
