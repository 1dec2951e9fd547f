package frontend

import (
	"errors"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// Thought is a bot's account of a decision, by the names of actions. What is not known is null.
type Thought struct {
	Game     string       `json:"game"`
	Bot      string       `json:"bot"`
	Seat     int          `json:"seat"`
	Decision string       `json:"decision"`
	Choice   string       `json:"choice"`
	Prior    string       `json:"prior,omitempty"` // what the bot would choose without thinking
	Unit     string       `json:"unit,omitempty"`  // of means and values
	Value    []*float64   `json:"value,omitempty"` // to each seat
	Actions  []Considered `json:"actions,omitempty"`
	Notes    []string     `json:"notes,omitempty"`
}

// Considered is an action in an account. What is not known is null.
type Considered struct {
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
func Think(b bots.Bot, m engine.Match, r *engine.Rand) *Thought {
	account := bots.Explain(b, m, r)
	return thoughtOf(b, m, &account)
}

func thoughtOf(b bots.Bot, m engine.Match, account *bots.Account) *Thought {
	info := m.Info()
	t := &Thought{
		Game: info.Config, Bot: b.Name(), Seat: m.Seat(), Decision: m.Decision(), Choice: info.ActionName(account.Choice),
		Unit: account.Unit, Notes: account.Notes, Value: known(account.Value),
	}
	if account.Prior >= 0 {
		t.Prior = info.ActionName(account.Prior)
	}
	tried := func(x float64, visits int) *float64 {
		if visits == 0 {
			return nil
		}
		return known([]float64{x})[0]
	}
	weighed := slices.ContainsFunc(account.Actions, func(c bots.Considered) bool { return c.Weight > 0 })
	for _, c := range account.Ranked() {
		line := Considered{Action: info.ActionName(c.Action), Visits: c.Visits, Prob: c.Prob}
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

// known are numbers, nil for what JSON has no word for.
func known(numbers []float64) (all []*float64) {
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			all = append(all, nil)
		} else {
			all = append(all, &x)
		}
	}
	return all
}

// thinkAnswer is what a player thinks of a decision.
type thinkAnswer struct {
	Action        engine.Action   `json:"action"`
	Name          string          `json:"name"`
	Legal         []engine.Action `json:"legal"`
	Probabilities []float64       `json:"probabilities"`   // of Legal: those by which it chooses
	Value         []*float64      `json:"value,omitempty"` // to each seat
	Unit          string          `json:"unit,omitempty"`  // of Value
	Account       *Thought        `json:"account,omitempty"`
}

// mostPlayers is how many players of a game are kept. With one more all are forgotten, and made again when they are asked.
const mostPlayers = 16

// player is the one of a name. A policy that comes with the program is known by its own name too.
func (g *game) player(name string) (bots.Bot, error) {
	if b := g.players[name]; b != nil {
		return b, nil
	}
	if name == "" {
		return nil, refuse(unknownPlayer, "player", "player: want a name, such as random: the answer about the game lists them")
	}
	b, err := g.reader.NewBot(name, g)
	if errors.Is(err, bots.ErrUnknown) && slices.Contains(policy.Zoo(g), policy.Prefix+name) {
		b, err = g.reader.NewBot(policy.Prefix+name, g)
	}
	if err != nil {
		return nil, because(unknownPlayer, "player", err)
	}
	if s, ok := b.(interface{ SetWorkers(n int) error }); ok {
		if err := s.SetWorkers(0); err != nil {
			return nil, because(unknownPlayer, "player", err)
		}
	}
	if len(g.players) == mostPlayers {
		clear(g.players)
	}
	g.players[name] = b
	return b, nil
}

// think asks a player about the decision of a match. All its chance comes from the question's seed.
func (g *game) think(q *question) (any, error) {
	wanted, err := q.wants("account")
	if err != nil {
		return nil, err
	}
	b, err := g.player(q.Player)
	if err != nil {
		return nil, err
	}
	if q.State == nil && q.Position == nil {
		return nil, refuse(badQuestion, "state", "think about what: want a state or a position")
	}
	if err := g.play(g.now, q); err != nil {
		return nil, err
	}
	if err := g.acting(); err != nil {
		return nil, err
	}
	r := engine.NewRand(uint64(q.Seed)).At(1) // as `privateer position think` draws
	account := bots.Explain(b, g.now, &r)
	answer := thinkAnswer{Action: account.Choice, Name: g.Info().ActionName(account.Choice), Value: known(account.Value), Unit: account.Unit}
	for a := g.now.Legal().First(); a >= 0; a = g.now.Legal().Next(a) {
		answer.Legal = append(answer.Legal, a)
	}
	answer.Probabilities = g.probabilities(b, &account, len(answer.Legal))
	if wanted["account"] {
		answer.Account = thoughtOf(b, g.now, &account)
	}
	return answer, nil
}

// probabilities are those by which a player chooses among legal actions; its choice has all if it does not say.
func (g *game) probabilities(b bots.Bot, account *bots.Account, legal int) []float64 {
	probs := make([]float64, legal)
	switch mixed, ok := b.(bots.Mixed); {
	case len(account.Actions) == legal:
		for i, c := range account.Actions {
			probs[i] = c.Prob
		}
	case ok:
		mixed.Chances(g.now, probs)
	default:
		i := 0
		for a := g.now.Legal().First(); a != account.Choice; a = g.now.Legal().Next(a) {
			i++
		}
		probs[i] = 1
	}
	return probs
}
