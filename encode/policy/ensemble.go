package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/players/search"
	"github.com/privateer-rl/privateer/engine/portable"
)

// Joint is what joins the bundles of an ensemble in its name: policy:captain+captain.
const Joint = "+"

// mostMembers bounds an ensemble: a name must not make a server compute without end.
const mostMembers = 16

// leastSay is the least probability of an action that counts for a bundle of an ensemble: none can forbid one by itself.
const leastSay = 1e-9

// Ensemble plays several bundles of a game as one player. An action's weight is the geometric mean of their probabilities (the logarithmic
// opinion pool; Genest and Zidek, "Combining probability distributions", Statistical Science 1, 1986), so that it seldom does what one of
// them excludes. It implements bots.Bot, bots.Mixed, bots.Explainer and the prior of a search, takes the likeliest action if all its
// bundles do, else draws, and allocates nothing per decision.
type Ensemble struct {
	name    string
	of      []*Bot
	greedy  bool
	weights []float64
	one     []float64   // of one bundle
	over    func() bool // Until
}

// Members are the names of the bots of an ensemble's bundles, nil for a name that is not of several.
func Members(name string) []string {
	path, ok := File(name)
	if !ok || !strings.Contains(path, Joint) {
		return nil
	}
	prefix := strings.TrimSuffix(name, path)
	var of []string
	for part := range strings.SplitSeq(path, Joint) {
		of = append(of, prefix+strings.TrimSpace(part))
	}
	return of
}

// IsEnsemble reports whether NewBot takes a name for that of an ensemble: a file that exists is one bundle, whatever it is called.
func IsEnsemble(name string) bool {
	path, _ := File(name)
	_, err := os.Stat(path)
	return Members(name) != nil && errors.Is(err, fs.ErrNotExist)
}

// CheckMembers refuses a name of more bundles than can be one player.
func CheckMembers(name string) error {
	if n := len(Members(name)); n > mostMembers {
		return fmt.Errorf("%d bundles decide together: want at most %d", n, mostMembers)
	}
	return nil
}

// NewEnsemble makes the bot of a name for a game; find finds the bundles of its members, which are refused with bundle.ErrMisfit if they
// are of other games.
func NewEnsemble(name string, g engine.Game, find func(member string) (*bundle.Bundle, error)) (*Ensemble, error) {
	if err := CheckMembers(name); err != nil {
		return nil, err
	}
	of := Members(name)
	a := len(g.Info().Actions)
	e := &Ensemble{name: name, greedy: true, weights: make([]float64, a), one: make([]float64, a)}
	for _, member := range of {
		b, err := find(member)
		if err != nil {
			return nil, err
		}
		bot, err := Of(member, b, g)
		if err != nil {
			return nil, err
		}
		for _, before := range e.of {
			bot.readsWith(before)
		}
		e.of = append(e.of, bot)
		e.greedy = e.greedy && b.Choice == bundle.Greedy
	}
	return e, nil
}

// Name is the name that the ensemble was made with.
func (e *Ensemble) Name() string { return e.name }

// Until implements bots.Interruptible: the ensemble stops between two bundles.
func (e *Ensemble) Until(over func() bool) { e.over = over }

// stopped reports whether it was told to stop: then the weights mean nothing.
func (e *Ensemble) stopped() bool { return e.over != nil && e.over() }

// Weights makes the ensemble the prior of a search: the weights of the legal actions, in ascending order, which sum to 1. It uses only what
// the seat to act may know, and draws nothing from r.
func (e *Ensemble) Weights(m engine.Match, dst []float64, r *engine.Rand) {
	clear(dst)
	one := e.one[:len(dst)]
	for _, b := range e.of {
		if e.stopped() {
			break
		}
		b.Weights(m, one, r)
		for i, x := range one {
			dst[i] += portable.Log(max(x, leastSay)) / float64(len(e.of))
		}
	}
	search.Softmax(dst, 1, dst)
}

// Chances writes the chance with which Act chooses each legal action into dst, in ascending order of actions.
func (e *Ensemble) Chances(m engine.Match, dst []float64) {
	e.Weights(m, dst, nil)
	e.chances(dst)
}

// chances turns weights into the chances of being chosen.
func (e *Ensemble) chances(weights []float64) {
	if e.greedy {
		best := infer.Largest(weights)
		clear(weights)
		weights[best] = 1
	}
}

// Act chooses for the seat that m asks. It draws once from r if the ensemble samples.
func (e *Ensemble) Act(m engine.Match, r *engine.Rand) engine.Action {
	legal := m.Legal()
	weights := e.weights[:legal.Count()]
	if len(weights) == 1 {
		weights[0] = 1
	} else {
		e.Weights(m, weights, nil)
		if e.stopped() {
			return bots.Stopped
		}
	}
	return legal.Nth(e.pick(weights, r))
}

// pick is the index of the action that is chosen by these weights.
func (e *Ensemble) pick(weights []float64, r *engine.Rand) int {
	if !e.greedy {
		pick := r.Pick(1)
		for i, x := range weights {
			if pick.On(x) {
				return i
			}
		}
	}
	return infer.Largest(weights)
}

// Explain implements bots.Explainer: the weight of each action, and its chance of being chosen.
func (e *Ensemble) Explain(m engine.Match, r *engine.Rand) bots.Account {
	legal := m.Legal()
	weights := make([]float64, legal.Count())
	e.Weights(m, weights, nil)
	if e.stopped() {
		return bots.Account{Choice: bots.Stopped, Prior: -1}
	}
	account := bots.Account{Choice: legal.Nth(e.pick(weights, r)), Prior: -1}
	chances := slices.Clone(weights)
	e.chances(chances)
	for i, x := range weights {
		account.Actions = append(account.Actions, bots.Considered{Action: legal.Nth(i), Weight: x, Prob: chances[i]})
	}
	return account
}

var (
	_ bots.Mixed         = (*Ensemble)(nil)
	_ bots.Explainer     = (*Ensemble)(nil)
	_ bots.Interruptible = (*Ensemble)(nil)
)
