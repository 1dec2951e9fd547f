package bots

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
)

// Explainer is a bot that can account for its choices: a search its rollouts, a policy its probabilities.
type Explainer interface {
	Bot
	// Explain is Act with the reasons: the same choice for the same match and stream, Stopped too.
	Explain(m engine.Match, r *engine.Rand) Account
}

// Account is what a bot thought about a decision.
type Account struct {
	Choice  engine.Action
	Prior   engine.Action // what it would have chosen without thinking; −1 if nothing
	Actions []Considered  // the legal ones in ascending order
	Value   []float64     // of the position to each seat, in the unit of Considered.Mean, NaN if it has none for the seat; nil if it has none at all
	Unit    string        // of means and values: "chance to win", "return"
	Notes   []string      // one line each: how it was found
}

// Considered is one action with what speaks for it.
type Considered struct {
	Action engine.Action
	Visits int     // how often it was tried; 0: never
	Mean   float64 // of what came of it to the seat that acts
	Error  float64 // standard error of Mean, NaN if not known
	Lead   float64 // mean difference from the prior's choice where both were tried alike
	Doubt  float64 // standard error of Lead
	Weight float64 // what the prior gives it, of 1
	Prob   float64 // with which it is chosen
}

// Explain asks a bot for its account. One that gives none is taken at its choice.
func Explain(b Bot, m engine.Match, r *engine.Rand) Account {
	if e, ok := b.(Explainer); ok {
		return e.Explain(m, r)
	}
	return Account{Choice: b.Act(m, r), Prior: -1, Notes: []string{"this bot gives no account of its choices"}}
}

// Consider is Explain until ctx ends, as Decide is Act.
func Consider(ctx context.Context, b Bot, m engine.Match, r *engine.Rand) (Account, error) {
	var account Account
	err := until(ctx, b, r, func() bool { account = Explain(b, m, r); return account.Choice == Stopped })
	return account, err
}

// Ranked are the actions in the order in which a reader looks for them: the most tried first, of those tried alike the
// best, because what is tried by halves leaves the better ones in; and of those the likeliest, or the prior's likeliest.
func (a *Account) Ranked() []Considered {
	ranked := slices.Clone(a.Actions)
	slices.SortStableFunc(ranked, func(a, b Considered) int {
		order := cmp.Compare(b.Visits, a.Visits)
		if order == 0 && a.Visits > 0 && !math.IsNaN(a.Mean) && !math.IsNaN(b.Mean) {
			order = cmp.Compare(b.Mean, a.Mean)
		}
		return cmp.Or(order, cmp.Compare(b.Prob, a.Prob), cmp.Compare(b.Weight, a.Weight))
	})
	return ranked
}

// Tried reports whether the bot has tried actions. If not, their weights are all that speaks for them, also where the bot takes the
// likeliest in any case.
func (a *Account) Tried() bool {
	return slices.ContainsFunc(a.Actions, func(c Considered) bool { return c.Visits > 0 })
}

// Values writes what the legal actions are worth to the seat that acts into dst, in ascending order of actions, NaN for those that were
// not tried; dst has one element for each. It reports whether any is known. If there is a prior's choice, a tried action's value is its lead
// over that in the same worlds: means over different worlds differ by their luck.
func (a *Account) Values(legal *engine.Mask, dst []float32) (known bool) {
	base := slices.IndexFunc(a.Actions, func(c Considered) bool { return c.Action == a.Prior })
	i := 0
	for x := legal.First(); x >= 0; x = legal.Next(x) {
		v := math.NaN()
		if k := slices.IndexFunc(a.Actions, func(c Considered) bool { return c.Action == x }); k >= 0 && a.Actions[k].Visits > 0 {
			v, known = a.Actions[k].Mean, true
			if base >= 0 {
				v = a.Actions[base].Mean + a.Actions[k].Lead
			}
		}
		dst[i] = float32(v)
		i++
	}
	return known
}
