package engine

import "fmt"

// Objective is what the return at the end of a match stands
// for: where the players of a many-handed game end up is paid in [−1, 1].
type Objective uint8

// The objectives.
const (
	// Win pays the winner 1 and each other −1/(n−1); shared wins share. It sums to 0.
	Win Objective = iota
	// Rank pays by place, linear from 1 for the first to −1 for the last; the
	// tied have the mean of their places. It sums to 0.
	Rank
	// Margin pays the score's lead over the mean of the others' scores, in units
	// that the game chooses and clipped to [−1, 1].
	Margin
)

var objectiveNames = []string{"win", "rank", "margin"}

// ObjectiveParam is the parameter of a game string that chooses the objective.
var ObjectiveParam = Param{
	Name: "objective", Default: objectiveNames[Win],
	Help: "return at the end: win (zero-sum, ties shared), rank (linear in placement) or margin (score against the others' mean)",
}

// Objective reads ObjectiveParam.
func (c Config) Objective() (Objective, error) {
	name, err := c.OneOf(ObjectiveParam.Name, objectiveNames...)
	if err != nil {
		return 0, err
	}
	for i, n := range objectiveNames {
		if n == name {
			return Objective(i), nil
		}
	}
	return 0, fmt.Errorf("objective=%s: it has no number", name)
}

// Pay writes each seat's return into dst, [seats]. standing orders the seats, the
// most first, equal where they are tied; score are their points, of which scale
// more than the others' mean are a full return with Margin.
func (o Objective) Pay(standing []int64, score []int32, scale float32, dst []float32) {
	n := float32(len(standing))
	total := int32(0)
	for _, x := range score {
		total += x
	}
	for i := range standing {
		ahead, level := 0, 0 // how many stand before seat i, and level with it (itself included)
		for j := range standing {
			if standing[j] > standing[i] {
				ahead++
			} else if standing[j] == standing[i] {
				level++
			}
		}
		switch o {
		case Win:
			if ahead > 0 {
				dst[i] = -1 / (n - 1)
			} else {
				dst[i] = (n - float32(level)) / (float32(level) * (n - 1))
			}
		case Rank:
			dst[i] = 1 - (2*float32(ahead)+float32(level)-1)/(n-1)
		case Margin:
			others := float32(total-score[i]) / (n - 1)
			dst[i] = min(1, max(-1, (float32(score[i])-others)/scale))
		}
	}
}
