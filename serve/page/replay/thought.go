package replay

import (
	"math"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// Thought is what a bot thinks about a decision. What is not known is null.
type Thought struct {
	Bot     string       `json:"bot"`
	Choice  int          `json:"choice"`
	Unit    string       `json:"unit,omitempty"`  // of means and values
	Value   []*float64   `json:"value,omitempty"` // by seat
	Actions []Considered `json:"actions,omitempty"`
	Notes   []string     `json:"notes,omitempty"`
}

// Considered is an action with what speaks for it.
type Considered struct {
	Action int      `json:"action"`
	Label  string   `json:"label"`
	Prob   float64  `json:"prob"` // with which it is chosen, or would be by a policy that takes the likeliest
	Visits int      `json:"visits,omitempty"`
	Mean   *float64 `json:"mean,omitempty"`
	Error  *float64 `json:"error,omitempty"`
}

// Think asks a bot about the decision of a match.
func Think(b bots.Bot, m engine.Match, r *engine.Rand) *Thought {
	return ThoughtOf(b, m, bots.Explain(b, m, r))
}

// ThoughtOf is a bot's account of the decision of a match.
func ThoughtOf(b bots.Bot, m engine.Match, account bots.Account) *Thought {
	thought := &Thought{Bot: b.Name(), Choice: int(account.Choice), Unit: account.Unit, Notes: account.Notes}
	for _, x := range account.Value {
		thought.Value = append(thought.Value, known(x))
	}
	tried := account.Tried()
	for _, c := range account.Ranked() {
		_, label := engine.Point(m, c.Action)
		line := Considered{Action: int(c.Action), Label: label, Visits: c.Visits}
		weight := c.Weight
		if tried {
			weight = c.Prob
		}
		if prob := known(weight); prob != nil {
			line.Prob = *prob
		}
		if c.Visits > 0 {
			line.Mean, line.Error = known(c.Mean), known(c.Error)
		}
		thought.Actions = append(thought.Actions, line)
	}
	return thought
}

// known is a number to five digits, nil for what JSON has no word for.
func known(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	x = math.Round(float64(1e5*x)) / 1e5
	return &x
}
