package rate

import (
	"math"

	"github.com/privateer-rl/privateer/engine/portable"
)

// What soft Condorcet scores are found with.
const (
	scoreRange  = 100.0 // scores lie between 0 and this
	temperature = 10.0  // difference of scores at which a pair counts as ordered to 73 %
	scoreSteps  = 4000
)

// SoftCondorcet scores players, from 0 to 100, so that the sum over all pairs of a ranking of σ((score of who came
// later − score of who came earlier) / τ) is least: a smooth form of the number of pairs that the order by scores gets wrong, which
// is Kendall's distance (Lanctot et al., arXiv 2411.00119, the sigmoid loss; τ is 10). ahead[a][b] is how often a came before b; ties
// count for neither. Scores say who is before whom, not by how much.
func SoftCondorcet(ahead [][]float64) []float64 {
	n := len(ahead)
	scores, total := make([]float64, n), 0.0
	for i := range scores {
		scores[i] = scoreRange / 2
		for j := range i {
			total += ahead[i][j] + ahead[j][i]
		}
	}
	if total == 0 {
		return scores
	}
	// Projected gradient descent; a step that makes it worse is taken back and halved.
	step, loss := scoreRange*temperature, softKendall(ahead, scores)/total
	next := make([]float64, n)
	for range scoreSteps {
		for i := range next {
			slope := 0.0
			for j := range next {
				s := sigmoid((scores[i] - scores[j]) / temperature)
				slope += float64((ahead[i][j] - ahead[j][i]) * s * (1 - s))
			}
			next[i] = min(scoreRange, max(0, scores[i]+float64(step*slope)/float64(total*temperature)))
		}
		l := softKendall(ahead, next) / total
		if l > loss {
			step /= 2
			continue
		}
		moved := 0.0
		for i := range next {
			moved = max(moved, math.Abs(next[i]-scores[i]))
		}
		copy(scores, next)
		loss, step = l, float64(step*1.2)
		if moved < 1e-7 {
			break
		}
	}
	return scores
}

// softKendall is the sum that SoftCondorcet makes least.
func softKendall(ahead [][]float64, scores []float64) float64 {
	sum := 0.0
	for a := range ahead {
		for b, count := range ahead[a] {
			if count > 0 && a != b {
				sum += float64(count * sigmoid((scores[b]-scores[a])/temperature))
			}
		}
	}
	return sum
}

func sigmoid(x float64) float64 { return 1 / (1 + portable.Exp(-x)) }
