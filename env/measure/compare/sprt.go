package compare

import (
	"fmt"
	"math"

	"github.com/privateer-rl/privateer/engine/portable"
)

// SPRT is a sequential test of the mean of independent samples: it is asked after each of them, and stops as
// soon as it knows. H0 says that the mean is Null or less, H1 that it is Null + Delta or more. The chance to decide
// for H1 if H0 holds is Alpha at most, and that to decide for H0 if H1 holds Beta. In between, if the
// mean is above Null by less than Delta, either answer may come.
//
// It is Wald's test ("Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16, 1945) of two
// normal distributions whose common variance is estimated as it goes: the generalised sequential probability
// ratio test (Li, Liu and Ying, "Generalized sequential probability ratio test for separate families of hypotheses",
// Sequential Analysis 33, 2014) in the approximation that testers of chess programs use. Both errors hold as the samples
// are many; calibration on simulated truths is a test of this package. Where few samples decide and they are lopsided, as those of a side
// that loses one deal in four altogether and wins two thirds of each other one, errors of 0.05 may be 0.08, and those of 0.01 twice as many.
type SPRT struct {
	Null, Delta float64
	Alpha, Beta float64

	n           int
	mean, about float64 // about: sum of squares about the mean
}

// NewSPRT checks what it is told.
func NewSPRT(null, delta, alpha, beta float64) (*SPRT, error) {
	switch {
	case !(delta > 0) || math.IsInf(delta, 0):
		return nil, fmt.Errorf("a difference of %v: want one above 0", delta)
	case !(alpha > 0 && alpha < .5) || !(beta > 0 && beta < .5):
		return nil, fmt.Errorf("errors alpha %v and beta %v: want both above 0 and below 0.5", alpha, beta)
	}
	return &SPRT{Null: null, Delta: delta, Alpha: alpha, Beta: beta}, nil
}

// Decision is what a sequential test knows.
type Decision string

// The decisions of a sequential test.
const (
	Undecided Decision = "undecided"
	Better    Decision = "better"     // H1: by Delta or more
	NotBetter Decision = "not better" // H0: by nothing, or worse
)

// leastSamples is how many samples the estimate of the variance wants before it is used.
const leastSamples = 30

// Add takes in the next sample and says what is known now.
func (s *SPRT) Add(x float64) Decision {
	s.n++
	step := x - s.mean
	s.mean += step / float64(s.n)
	s.about += float64(step * (x - s.mean)) // Welford, Technometrics 4, 1962
	return s.Decision()
}

// Decision is what is known after the samples so far.
func (s *SPRT) Decision() Decision {
	low, high := s.Bounds()
	switch llr := s.LLR(); {
	case s.n < leastSamples:
		return Undecided
	case llr >= high:
		return Better
	case llr <= low:
		return NotBetter
	}
	return Undecided
}

// LLR is the logarithm of the likelihood ratio, of H1 to H0. To the variance two samples are added, half a unit above
// the mean and half a unit below, so that luck at the beginning, such as samples that are all the same, is not
// taken for certainty.
func (s *SPRT) LLR() float64 {
	n := float64(s.n)
	variance := (s.about + .5) / (n + 1)
	return float64(n*s.Delta) * (s.mean - s.Null - s.Delta/2) / variance
}

// Bounds are the values of LLR at which the test stops: for H0 at the low one, for H1 at the high one.
func (s *SPRT) Bounds() (low, high float64) {
	return portable.Log(s.Beta / (1 - s.Alpha)), portable.Log((1 - s.Beta) / s.Alpha)
}
