package rate

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/privateer-rl/privateer/engine/portable"
)

// Ranking is how a table has finished: Players[i], a number, has place Places[i], 1 for the first. A player may
// have several seats, and places may be tied.
type Ranking struct {
	Players []int
	Places  []int
	Deal    int // rankings of one deal are not independent
}

// Strengths are the strengths of players in the Plackett-Luce model.
type Strengths struct {
	Log   []float64   // logarithm of each player's strength; a mean of 0 where there is no prior
	Cov   [][]float64 // their covariance: the inverse of the observed information
	ByLot [][]float64 // the same if only deals are independent: the sandwich estimate over them
}

// DefaultPrior is as many wins and defeats of each player against one of middling strength as are
// added to its record, so that a player that has never lost, or never won, has a finite rating. Half of each is what the R package
// PlackettLuce adds (Turner et al., Computational Statistics 35, 2020).
const DefaultPrior = .5

// PlackettLuce finds the strengths of players by which rankings are likeliest. A tie counts as all orders in which the
// tied could have finished, in equal parts, as a drawn game is half a win in Elo's system. prior is as DefaultPrior; with 0,
// it is an error if the rankings leave a strength without bound.
func PlackettLuce(players int, rankings []Ranking, prior float64) (Strengths, error) {
	m := model{wins: make([]float64, players), prior: prior}
	known := map[string]int{}
	for _, r := range rankings {
		if err := m.add(r, known); err != nil {
			return Strengths{}, err
		}
	}
	s := Strengths{Log: make([]float64, players)}
	if err := m.climb(s.Log); err != nil {
		return Strengths{}, err
	}
	information := m.information(s.Log)
	if prior == 0 {
		// Only differences matter: the mean is fixed by information of its own.
		for i := range information {
			for j := range information {
				information[i][j] += 1 / float64(players)
			}
		}
	}
	cov, err := inverse(information)
	if err != nil {
		return Strengths{}, err
	}
	s.Cov = cov
	s.ByLot, err = sandwich(players, rankings, s.Log, cov)
	return s, err
}

// model is the logarithm of the likelihood: the sum of wins[i] log γ[i], less weight · log(count · γ) of each term.
type model struct {
	wins  []float64
	terms []term
	prior float64
}

// term is a set of players that could have placed next: how often each did, and how many placings chose among them.
type term struct {
	count  []float64
	weight float64
}

// mostTied is how many players may be tied: all their orders are gone through by subsets.
const mostTied = 16

// add takes in a ranking. known has the number of each term.
func (m *model) add(r Ranking, known map[string]int) error {
	n := len(r.Players)
	if len(r.Places) != n {
		return fmt.Errorf("a ranking has %d players and %d places", n, len(r.Places))
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
		if p := r.Players[i]; p < 0 || p >= len(m.wins) {
			return fmt.Errorf("a ranking has player %d of %d", p, len(m.wins))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return r.Places[a] - r.Places[b] })
	left := make([]byte, len(m.wins)) // who is still to be placed
	for _, p := range r.Players {
		left[p]++
	}
	for from := 0; from < n; {
		to := from + 1
		for to < n && r.Places[order[to]] == r.Places[order[from]] {
			to++
		}
		tied := order[from:to]
		if len(tied) > mostTied {
			return fmt.Errorf("%d players are tied: want at most %d", len(tied), mostTied)
		}
		ways := make([]float64, len(tied)) // of choosing j of the tied
		for subset := range uint32(1) << len(tied) {
			if j := bits.OnesCount32(subset); j < len(tied) {
				ways[j]++
			}
		}
		for subset := range uint32(1) << len(tied) { // who of the tied is placed already
			j := bits.OnesCount32(subset)
			if j == len(tied) || from+j == n-1 { // the last one is no question
				continue
			}
			for i, k := range tied {
				if subset>>i&1 != 0 {
					left[r.Players[k]]--
				}
			}
			m.term(left, 1/ways[j], known)
			for i, k := range tied {
				if subset>>i&1 != 0 {
					left[r.Players[k]]++
				}
			}
		}
		for _, k := range tied {
			left[r.Players[k]]--
			won := 1.0
			if to == n { // one of them is last, each as often
				won -= 1 / float64(len(tied))
			}
			m.wins[r.Players[k]] += won
		}
		from = to
	}
	return nil
}

// term adds weight to the term of the players that are left.
func (m *model) term(left []byte, weight float64, known map[string]int) {
	i, ok := known[string(left)]
	if !ok {
		i = len(m.terms)
		known[string(left)] = i
		t := term{count: make([]float64, len(left))}
		for p, c := range left {
			t.count[p] = float64(c)
		}
		m.terms = append(m.terms, t)
	}
	m.terms[i].weight += weight
}

const (
	mostSteps = 50_000
	closeTo   = 1e-10 // the change of a logarithm at which the climb ends
	unbounded = 25.0  // a logarithm beyond which there is no end to see
)

// climb finds the maximum by Hunter's MM algorithm. The prior is a player of strength 1, against which each has won, and to which
// each has lost, as often as it says.
func (m *model) climb(logs []float64) error {
	gamma := make([]float64, len(logs))
	for i := range gamma {
		gamma[i] = 1
	}
	denominator, next := make([]float64, len(logs)), make([]float64, len(logs))
	for range mostSteps {
		for i, g := range gamma {
			denominator[i] = float64(2*m.prior) / (g + 1)
		}
		for k := range m.terms {
			t := &m.terms[k]
			sum := dot(t.count, gamma)
			for i, c := range t.count {
				denominator[i] += float64(t.weight*c) / sum
			}
		}
		for i := range gamma {
			if denominator[i] > 0 { // else it has not played
				gamma[i] = max((m.wins[i]+m.prior)/denominator[i], math.SmallestNonzeroFloat32)
			}
			next[i] = portable.Log(gamma[i])
		}
		change, shift := 0.0, m.middle(next)
		for i, l := range next {
			l += shift
			change = max(change, math.Abs(l-logs[i]))
			if math.Abs(l) > unbounded {
				return errUnbounded
			}
			logs[i], gamma[i] = l, portable.Exp(l)
		}
		if change < closeTo {
			return nil
		}
	}
	return errUnbounded
}

// middle is by how much all logarithms are to be moved alike: with a prior to where it is likeliest, else to a mean of 0. What the players
// have done to each other does not say, so that steps of Hunter's alone would creep there, the slower the more was played.
func (m *model) middle(logs []float64) float64 {
	if m.prior == 0 {
		sum := 0.0
		for _, l := range logs {
			sum += l
		}
		return -sum / float64(len(logs))
	}
	low, high := -slices.Max(logs), -slices.Min(logs)
	for range 64 {
		by, ahead := (low+high)/2, 0.0
		for _, l := range logs {
			g := portable.Exp(l + by)
			ahead += (g - 1) / (g + 1)
		}
		if ahead > 0 {
			high = by
		} else {
			low = by
		}
	}
	return (low + high) / 2
}

var errUnbounded = errors.New("ratings: somebody has won or lost everything, or nearly, so that its strength has no bound: want a prior")

// information is the observed one: the second derivatives by the logarithms, with the other sign.
func (m *model) information(logs []float64) [][]float64 {
	n := len(logs)
	gamma := exps(logs)
	h := square(n)
	for i, g := range gamma {
		h[i][i] += float64(2*m.prior*g) / float64((g+1)*(g+1))
	}
	p := make([]float64, n)
	for k := range m.terms {
		t := &m.terms[k]
		sum := dot(t.count, gamma)
		for i, c := range t.count {
			p[i] = float64(c*gamma[i]) / sum
		}
		for i := range p {
			if p[i] == 0 {
				continue
			}
			h[i][i] += float64(t.weight * p[i])
			for j := range p {
				h[i][j] -= float64(t.weight * p[i] * p[j])
			}
		}
	}
	return h
}

// gradient is that of the logarithm of the likelihood, the prior left out.
func (m *model) gradient(gamma []float64) []float64 {
	g := slices.Clone(m.wins)
	for k := range m.terms {
		t := &m.terms[k]
		sum := dot(t.count, gamma)
		for i, c := range t.count {
			g[i] -= float64(t.weight*c*gamma[i]) / sum
		}
	}
	return g
}

// sandwich is the covariance if the rankings of a deal may hang together in any way (Huber, "The behavior of
// maximum likelihood estimates under nonstandard conditions", 1967; by clusters, Liang and Zeger, Biometrika 73, 1986).
func sandwich(players int, rankings []Ranking, logs []float64, cov [][]float64) ([][]float64, error) {
	gamma := exps(logs)
	byDeal := map[int][]float64{}
	var deals []int // in order, so that sums are the same each time
	for _, r := range rankings {
		one := model{wins: make([]float64, players)}
		if err := one.add(r, map[string]int{}); err != nil {
			return nil, err
		}
		sum, ok := byDeal[r.Deal]
		if !ok {
			sum = make([]float64, players)
			byDeal[r.Deal] = sum
			deals = append(deals, r.Deal)
		}
		for i, g := range one.gradient(gamma) {
			sum[i] += g
		}
	}
	meat := square(players)
	for _, d := range deals {
		g := byDeal[d]
		for i := range meat {
			for j := range meat {
				meat[i][j] += float64(g[i] * g[j])
			}
		}
	}
	return product(product(cov, meat), cov), nil
}

func exps(logs []float64) []float64 {
	gamma := make([]float64, len(logs))
	for i, l := range logs {
		gamma[i] = portable.Exp(l)
	}
	return gamma
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

func square(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

func product(a, b [][]float64) [][]float64 {
	p := square(len(a))
	for i := range a {
		for k, x := range a[i] {
			for j, y := range b[k] {
				p[i][j] += float64(x * y)
			}
		}
	}
	return p
}

// inverse is that of a symmetric positive definite matrix, by Gauss and Jordan.
func inverse(m [][]float64) ([][]float64, error) {
	n := len(m)
	a, inv := square(n), square(n)
	for i := range m {
		copy(a[i], m[i])
		inv[i][i] = 1
	}
	for k := range a {
		pivot := a[k][k]
		if !(pivot > 1e-12) {
			return nil, errors.New("ratings: some players have never met, directly or through others: want a prior, or more matches")
		}
		for j := range a {
			a[k][j] /= pivot
			inv[k][j] /= pivot
		}
		for i := range a {
			f := a[i][k]
			if i == k || f == 0 {
				continue
			}
			for j := range a {
				a[i][j] -= float64(f * a[k][j])
				inv[i][j] -= float64(f * inv[k][j])
			}
		}
	}
	return inv, nil
}
