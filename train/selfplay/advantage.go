package selfplay

import "math"

// Values of Buffer.next other than the row of the same seat's next decision.
const (
	open  = -1 // the seat has not decided again yet: the row waits
	ended = -2 // the match ended, or was cut short, before the seat decided again
)

// advantages computes generalised advantage estimates (Schulman et al., "High-dimensional continuous control using generalized
// advantage estimation", ICLR 2016) along every trajectory in one backward pass. Rows lie in the order in which decisions were taken,
// so a row's successor always comes after it.
//
// All slices are [rows]. reward is the seat's reward between the decision and its next; value is the critic's answer at the
// decision; boot is the value after an ended row (0 if the rules ended the match, the critic's answer if it was cut short). It writes
// adv and ret, the critic's targets. An open row gets none yet: its value stands in for the rest, as the value after the last step
// does in a rollout of fixed length.
func advantages(reward, value, boot []float32, next []int32, gamma, lambda float64, adv, ret []float32) {
	for row := len(next) - 1; row >= 0; row-- {
		expected := float64(value[row])
		var a float64
		switch succ := next[row]; succ {
		case open:
			adv[row], ret[row] = 0, 0
			continue
		case ended:
			a = float64(reward[row]) + float64(gamma*float64(boot[row])) - expected
		default:
			a = float64(reward[row]) + float64(gamma*float64(value[succ])) - expected + float64(gamma*lambda*float64(adv[succ]))
		}
		adv[row] = float32(a)
		ret[row] = float32(expected + a)
	}
}

// Normaliser keeps a running mean and variance of the critic's targets, so that the value head always learns numbers of the same size.
// Each update's batch counts with weight 1−decay; dividing by the weight so far removes the pull towards the zero at which the sums
// start.
type Normaliser struct {
	Mean   float64 `json:"mean"`   // weighted sum of batch means
	Square float64 `json:"square"` // weighted sum of batch means of squares
	Weight float64 `json:"weight"`
}

const normaliserDecay = 0.98

// Begin starts with a scale that is known.
func (z *Normaliser) Begin(mean, deviation float64) {
	z.Mean, z.Square, z.Weight = mean, float64(deviation*deviation)+float64(mean*mean), 1
}

// Add takes in the targets of one update.
func (z *Normaliser) Add(rows []int32, ret []float32) {
	if len(rows) == 0 {
		return
	}
	var mean, square float64
	for _, r := range rows {
		x := float64(ret[r])
		mean += x
		square += float64(x * x)
	}
	n := float64(len(rows))
	const w = 1 - normaliserDecay
	z.Mean = float64(normaliserDecay*z.Mean) + w*mean/n
	z.Square = float64(normaliserDecay*z.Square) + w*square/n
	z.Weight = float64(normaliserDecay*z.Weight) + w
}

// Scale returns the mean and the deviation to normalise with: 0 and 1 before the first update.
func (z *Normaliser) Scale() Scale {
	if z.Weight == 0 {
		return Scale{0, 1}
	}
	mean := z.Mean / z.Weight
	variance := z.Square/z.Weight - float64(mean*mean)
	return Scale{mean, math.Sqrt(math.Max(variance, 1e-4))}
}

// Scale turns the output of the value head into a return: times the deviation, plus the mean.
type Scale struct{ Mean, Deviation float64 }

func (s Scale) Restore(x float32) float32 { return float32(float64(float64(x)*s.Deviation) + s.Mean) }

func (s Scale) normalise(x float32) float32 { return float32((float64(x) - s.Mean) / s.Deviation) }

// explainedVariance is 1 − Var(ret − value)/Var(ret) over rows: 1 for a perfect
// critic, 0 for a constant one; 0 too if the targets do not vary.
func explainedVariance(rows []int32, value, ret []float32) float64 {
	var n, sr, sr2, se, se2 float64
	for _, r := range rows {
		y := float64(ret[r])
		e := y - float64(value[r])
		n++
		sr += y
		sr2 += float64(y * y)
		se += e
		se2 += float64(e * e)
	}
	if n == 0 {
		return 0
	}
	varRet := sr2/n - float64((sr/n)*(sr/n))
	if varRet < 1e-12 {
		return 0
	}
	return 1 - (se2/n-float64((se/n)*(se/n)))/varRet
}
