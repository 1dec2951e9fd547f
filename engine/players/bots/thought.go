package bots

import (
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
)

// Thought is an Account for other programs and for people, as JSON: by the names of actions. What is not known is null.
type Thought struct {
	Game     string          `json:"game"`
	Bot      string          `json:"bot"`
	Seat     int             `json:"seat"`
	Decision string          `json:"decision"`
	Choice   string          `json:"choice"`
	Prior    string          `json:"prior,omitempty"` // what the bot would choose without thinking
	Unit     string          `json:"unit,omitempty"`  // of means and values
	Value    []*float64      `json:"value,omitempty"` // to each seat
	Actions  []ThoughtAction `json:"actions,omitempty"`
	Notes    []string        `json:"notes,omitempty"`
}

// ThoughtAction is what a Thought has of an action.
type ThoughtAction struct {
	Action string   `json:"action"`
	Visits int      `json:"visits"`
	Mean   *float64 `json:"mean"`
	Error  *float64 `json:"standard_error"`
	Lead   *float64 `json:"lead"` // over the prior's choice, where both were tried alike
	Doubt  *float64 `json:"lead_standard_error"`
	Weight *float64 `json:"prior_weight"`
	Prob   float64  `json:"probability"`
}

// Think asks a bot for its account of the decision of a match.
func Think(b Bot, m engine.Match, r *engine.Rand) *Thought {
	account := Explain(b, m, r)
	return ThoughtOf(b, m, &account)
}

// ThoughtOf puts a bot's account of a decision into the form in which it is printed and sent.
func ThoughtOf(b Bot, m engine.Match, account *Account) *Thought {
	info := m.Info()
	t := &Thought{
		Game: info.Config, Bot: b.Name(), Seat: m.Seat(), Decision: m.Decision(), Choice: info.ActionName(account.Choice),
		Unit: account.Unit, Notes: account.Notes, Value: Known(account.Value),
	}
	if account.Prior >= 0 {
		t.Prior = info.ActionName(account.Prior)
	}
	tried := func(x float64, visits int) *float64 {
		if visits == 0 {
			return nil
		}
		return Known([]float64{x})[0]
	}
	weighed := slices.ContainsFunc(account.Actions, func(c Considered) bool { return c.Weight > 0 })
	for _, c := range account.Ranked() {
		line := ThoughtAction{Action: info.ActionName(c.Action), Visits: c.Visits, Prob: c.Prob}
		if weighed {
			line.Weight = tried(c.Weight, 1)
		}
		line.Mean, line.Error = tried(c.Mean, c.Visits), tried(c.Error, c.Visits)
		if account.Prior >= 0 {
			line.Lead, line.Doubt = tried(c.Lead, c.Visits), tried(c.Doubt, c.Visits)
		}
		t.Actions = append(t.Actions, line)
	}
	return t
}

// Known are numbers for JSON, nil for those that it has no word for.
func Known(numbers []float64) (all []*float64) {
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			all = append(all, nil)
		} else {
			all = append(all, &x)
		}
	}
	return all
}

// Probabilities are those by which a bot chooses, after its account, among the legal actions of a match in ascending order; its choice has all
// if it does not say.
func (a *Account) Probabilities(b Bot, m engine.Match) []float64 {
	legal := m.Legal()
	probs := make([]float64, legal.Count())
	switch mixed, ok := b.(Mixed); {
	case len(a.Actions) == len(probs):
		for i, c := range a.Actions {
			probs[i] = c.Prob
		}
	case ok:
		mixed.Chances(m, probs)
	default:
		i := 0
		for x := legal.First(); x != a.Choice; x = legal.Next(x) {
			i++
		}
		probs[i] = 1
	}
	return probs
}
