package rate

import "math"

// near is what rounding adds to sums of shares, and same what it may add to gains by way of them.
const (
	near = 1e-9
	same = 1e-7
)

// Deviation rates players by how much worse each does than the best mixture of players, against that mixture: 0 for those that it is made of,
// −50 for a player always behind it. share[a][b] is the share of a's placings before b's, ties half. The mixture is an equilibrium
// of the game in which two sides name a player each: the one against which the best deviation gains least, then the second best, and so on
// (Marris et al., "Deviation ratings: a general, clone-invariant rating method", ICLR 2025, arXiv 2502.11645, for two symmetric sides
// and one sum). Copies of a player add no mixture that there was not before, so their number moves no rating. A player that
// places ahead of every other more often than not is alone at 0.
func Deviation(share [][]float64) []float64 {
	n := len(share)
	ratings, fixed, least := make([]float64, n), make([]bool, n), make([]float64, n)
	for left := n; left > 0; {
		most, surest := mixture(share, ratings, fixed, -1, 0), -1
		for a := range n {
			if fixed[a] {
				continue
			}
			least[a] = mixture(share, ratings, fixed, a, most)
			if surest < 0 || least[a] > least[surest] {
				surest = a
			}
		}
		for a := range n { // a player that no mixture leaves less gains so much
			if !fixed[a] && least[a] >= least[surest]-same {
				ratings[a], fixed[a] = most, true
				left--
			}
		}
	}
	for a := range ratings {
		ratings[a] = math.Round(float64(1e6*(ratings[a]-.5)))/1e4 + 0
	}
	return ratings
}

// mixture finds the mixture against which the greatest gain of those that are not fixed yet is least, or, of a player, that against which its
// gain is least if no other's is greater than most. Gains of those that are fixed are at most their ratings.
func mixture(share [][]float64, ratings []float64, fixed []bool, player int, most float64) (gain float64) {
	n := len(share)
	columns := n + 1 // the last is the greatest gain
	goal := make([]float64, columns)
	var rows [][]float64
	var bounds []float64
	for a := range n {
		row, bound := make([]float64, columns), 0.0
		copy(row, share[a])
		switch {
		case fixed[a]:
			bound = ratings[a] + near
		case player >= 0:
			bound = most + near
		default:
			row[n] = -1
		}
		rows, bounds = append(rows, row), append(bounds, bound)
	}
	sum, less := make([]float64, columns), make([]float64, columns)
	for b := range n {
		sum[b], less[b] = 1, -1
		if player >= 0 {
			goal[b] = -share[player][b]
		}
	}
	if player < 0 {
		goal[n] = -1
	}
	rows, bounds = append(rows, sum, less), append(bounds, 1, -1)
	x := maximise(goal, rows, bounds)
	for i := range x {
		gain -= float64(goal[i] * x[i])
	}
	return gain
}

// maximise finds x ≥ 0 with rows·x ≤ bounds for which goal·x is greatest, by the simplex method in two phases with Bland's rule, which never circles
// (Dantzig, "Linear programming and extensions", 1963; Bland, "New finite pivoting rules for the simplex method", Mathematics of Operations
// Research 2, 1977). There must be such x, and a greatest.
func maximise(goal []float64, rows [][]float64, bounds []float64) []float64 {
	m, n := len(rows), len(goal)
	// Columns: x, a slack for each row, the artificial one that makes up for bounds below 0, and the bound. The last two rows are the goals.
	t := &tableau{width: n + m + 2, basis: make([]int, m), rows: make([][]float64, m+2)}
	for i := range t.rows {
		t.rows[i] = make([]float64, t.width)
	}
	lowest := 0
	for i := range rows {
		copy(t.rows[i], rows[i])
		t.rows[i][n+i], t.rows[i][n+m], t.rows[i][n+m+1] = 1, -1, bounds[i]
		t.basis[i] = n + i
		if bounds[i] < bounds[lowest] {
			lowest = i
		}
	}
	for j := range goal {
		t.rows[m][j] = -goal[j]
	}
	t.rows[m+1][n+m] = 1
	if bounds[lowest] < 0 {
		t.pivot(lowest, n+m)
		t.climb(m+1, n+m+1)
		for i, b := range t.basis { // it is 0 now, and may still be a part of the basis
			if b != n+m {
				continue
			}
			for j := range n + m {
				if math.Abs(t.rows[i][j]) > near {
					t.pivot(i, j)
					break
				}
			}
		}
	}
	t.climb(m, n+m)
	x := make([]float64, n)
	for i, b := range t.basis {
		if b < n {
			x[b] = t.rows[i][t.width-1]
		}
	}
	return x
}

// tableau is that of the simplex method.
type tableau struct {
	width int
	basis []int // the column that each row is solved for
	rows  [][]float64
}

// climb makes pivots, by columns before a limit, until no coefficient of a goal's row is negative.
func (t *tableau) climb(goal, limit int) {
	for {
		enter := 0
		for enter < limit && t.rows[goal][enter] > -near {
			enter++
		}
		if enter == limit {
			return
		}
		leave, least := -1, math.Inf(1)
		for i, b := range t.basis {
			if t.rows[i][enter] <= near {
				continue
			}
			ratio := t.rows[i][t.width-1] / t.rows[i][enter]
			if leave < 0 || ratio < least-near || ratio <= least+near && b < t.basis[leave] {
				leave, least = i, min(ratio, least)
			}
		}
		if leave < 0 {
			panic("rate: a sum of shares has no bound")
		}
		t.pivot(leave, enter)
	}
}

// pivot solves a row for a column.
func (t *tableau) pivot(row, column int) {
	by := t.rows[row]
	scale := by[column]
	for j := range by {
		by[j] /= scale
	}
	for i := range t.rows {
		if factor := t.rows[i][column]; i != row && factor != 0 {
			for j := range by {
				t.rows[i][j] -= float64(factor * by[j])
			}
		}
	}
	t.basis[row] = column
}
