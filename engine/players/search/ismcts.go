package search

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// Words of settings of ismcts.
const (
	multiple = "multiple"
	single   = "single"
	split    = "split"
	ucb1     = "ucb1"
	puct     = "puct"
	visits   = "visits"
)

// treeParams are the settings of ismcts. Those that search has too mean the same.
var treeParams = []engine.Param{
	{Name: "simulations", Default: "1000", Help: "simulated matches per decision; the same seed gives the same choice"},
	{Name: "observers", Default: multiple, Choices: []string{multiple, split, single}, Help: "multiple (a tree for each seat, of what it sees: for games with much hidden information), split (also one for each thing that opponents may know at the start of the search: for small games), single (one tree, that of the searching seat)"},
	{Name: "select", Default: ucb1, Choices: []string{ucb1, puct}, Help: "how a simulation descends the trees: ucb1, or puct (weighted by the prior)"},
	{Name: "c", Default: "0.7", Help: "exploration constant; results of simulations lie between 0 and 1"},
	{Name: "prior", Default: uniform, Help: "with select=puct: bot whose choice gets more weight; uniform: none"},
	{Name: "rollout", Default: auto, Help: "bot that plays all seats beyond the trees; auto: the best one in the game"},
	{Name: "choice", Default: greedy, Choices: []string{greedy, visits}, Help: "greedy (the most visited action), visits (in proportion to visits)"},
}

func init() {
	bots.Register(bots.Kind{
		Name: "ismcts", Slow: true, Params: treeParams,
		Help: "information-set Monte Carlo tree search, the baseline in the literature",
		Gone: map[string]string{"rivals": "write observers=split for split", "trust": "it is 0.5", "horizon": "the game says it", "decisions": "the game says it", "value": "the game says it", "mix": "it did not help"},
		Make: func(g engine.Game, s bots.Settings) (bots.Bot, error) { return newISMCTS(g, s) },
	})
}

// ISMCTS is information-set Monte-Carlo tree search (Cowling, Powley and Whitehouse, "Information set Monte Carlo tree
// search", IEEE Transactions on Computational Intelligence and AI in Games 4, 2012): simulations of worlds that agree with what the
// seat knows grow one tree an observer (MO-ISMCTS), or one for all (SO-ISMCTS), and each seat maximises its own part of
// what comes of them. It implements bots.Explainer.
type ISMCTS struct {
	name        string
	unit        string
	simulations int
	sample      bool
	forest      forest
	rehearsed   bool // the forest is that of Rehearse
}

func newISMCTS(g engine.Game, s bots.Settings) (*ISMCTS, error) {
	seats := g.Info().Seats
	if seats > mostSeats {
		return nil, fmt.Errorf("%d seats: want at most %d", seats, mostSeats)
	}
	b := &ISMCTS{name: s.Canonical(), forest: forest{seats: seats, came: make([]float64, seats)}}
	for _, read := range []func(engine.Game, bots.Settings) error{b.readBudget, b.readTrees, b.readWay, b.readWorlds} {
		if err := read(g, s); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (b *ISMCTS) readBudget(_ engine.Game, s bots.Settings) (err error) {
	most := mostRollouts
	if s.Maker.Rollouts > 0 {
		most = s.Maker.Rollouts
	}
	if b.simulations, err = s.Int("simulations", 1, most); err != nil {
		return err
	}
	choice, err := s.OneOf("choice", greedy, visits)
	b.sample = choice == visits
	return err
}

func (b *ISMCTS) readTrees(_ engine.Game, s bots.Settings) error {
	observers, err := s.OneOf("observers", multiple, split, single)
	if err != nil {
		return err
	}
	f, n := &b.forest, b.forest.seats
	if f.single, f.split = observers == single, observers == split; f.single {
		n = 1
	}
	f.trees, f.at = make([]tree, n), make([]int32, n)
	return nil
}

func (b *ISMCTS) readWay(g engine.Game, s bots.Settings) error {
	selects, err := s.OneOf("select", ucb1, puct)
	if err != nil {
		return err
	}
	f := &b.forest
	f.way.puct = selects == puct
	if f.way.c, err = s.Float("c", 0, 1000); err != nil {
		return err
	}
	name := s.Get("prior")
	if name == uniform {
		return nil
	}
	if !f.way.puct {
		return fmt.Errorf("prior=%s: select=%s knows none: want select=%s", name, selects, puct)
	}
	player, err := s.BotNamed("prior", name, g)
	if err != nil {
		return err
	}
	weighs, _ := player.(Prior)
	f.prior = &prior{player, weighs, make([]float64, len(g.Info().Actions))}
	return nil
}

// readWorlds makes the matches that are played.
func (b *ISMCTS) readWorlds(g engine.Game, s bots.Settings) error {
	spec, h := specOf(g, auto), 0
	if spec.Horizon == round {
		h = 1
	}
	shown, err := engine.NewGameWith(g.Info().Config, "chance", "explicit", "forced", "show")
	if err != nil {
		return err
	}
	f := &b.forest
	f.game, f.world, f.masked = shown, shown.NewMatch(), shown.NewMatch()
	f.roller = &roller{seats: f.seats, round: spec.Round, rounds: h, sim: g.NewMatch()}
	if f.roller.player, err = rolloutPlayer(spec, g, s); err != nil {
		return err
	}
	f.roller.value, b.unit, err = evaluator(spec, h, g, s, auto)
	return err
}

// prior gives weights to the legal actions of a decision.
type prior struct {
	bot     bots.Bot
	weighs  Prior // bot, if it is one
	weights []float64
}

// weigh returns the weights of the legal actions, in ascending order; they sum to 1.
func (p *prior) weigh(m engine.Match, r *engine.Rand) []float64 {
	legal := m.Legal()
	weights := p.weights[:legal.Count()]
	if p.weighs != nil {
		total := 0.0
		p.weighs.Weights(m, weights, r)
		for _, x := range weights {
			total += x
		}
		for i := range weights {
			weights[i] /= total
		}
		return weights
	}
	own, i := p.bot.Act(m, r), 0
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		weights[i] = (1 - trust) / float64(len(weights))
		if a == own {
			weights[i] += trust
		}
		i++
	}
	return weights
}

// Name is the canonical spelling of the search's settings.
func (b *ISMCTS) Name() string { return b.name }

// Act implements bots.Bot.
func (b *ISMCTS) Act(m engine.Match, r *engine.Rand) engine.Action {
	legal := m.Legal()
	if first := legal.First(); legal.Next(first) < 0 {
		return first
	}
	b.think(m, r)
	if b.forest.roller.stopped() {
		return bots.Stopped
	}
	return b.choose(m.Seat(), r)
}

// Until implements bots.Interruptible: the search stops between two decisions of a simulation.
func (b *ISMCTS) Until(over func() bool) {
	b.forest.roller.Until(over)
	if p := b.forest.prior; p != nil {
		bots.Until(p.bot, over)
	}
}

// think runs the simulations of a decision.
func (b *ISMCTS) think(m engine.Match, r *engine.Rand) {
	luck := r.Split()
	b.rehearsed = false
	b.forest.begin()
	for k := range b.simulations {
		if b.forest.simulate(m, luck.At(uint64(k))); b.forest.roller.stopped() {
			return
		}
	}
}

// tries calls yield for what was tried at the root, in ascending order of actions.
func (b *ISMCTS) tries(seat int, yield func(a engine.Action, y *try)) {
	t := &b.forest.trees[b.forest.tree(seat)]
	for i := t.nodes[0].tries; i >= 0; i = t.tries[i].next {
		yield(t.tries[i].action(), &t.tries[i])
	}
}

func (b *ISMCTS) choose(seat int, r *engine.Rand) engine.Action {
	best := engine.Action(-1)
	pick := engine.Pick{}
	if b.sample {
		pick = r.Pick(float64(b.simulations))
	}
	var most try
	drawn := false
	b.tries(seat, func(a engine.Action, y *try) {
		switch {
		case b.sample:
			if !drawn && y.n > 0 {
				best, drawn = a, pick.On(float64(y.n))
			}
		case best < 0, y.n > most.n, y.n == most.n && y.sum > most.sum:
			best, most = a, *y
		}
	})
	return best
}

// Explain implements bots.Explainer.
func (b *ISMCTS) Explain(m engine.Match, r *engine.Rand) bots.Account {
	legal, seat := m.Legal(), m.Seat()
	if first := legal.First(); legal.Next(first) < 0 {
		return bots.Account{Choice: first, Prior: -1, Actions: []bots.Considered{{Action: first, Weight: 1, Prob: 1}}, Notes: []string{"there is nothing to choose"}}
	}
	b.think(m, r)
	if b.forest.roller.stopped() {
		return bots.Account{Choice: bots.Stopped, Prior: -1}
	}
	account := bots.Account{Choice: b.choose(seat, r), Prior: -1, Unit: b.unit}
	b.tries(seat, func(a engine.Action, y *try) {
		c := bots.Considered{Action: a, Visits: int(y.n), Weight: y.weight}
		c.Mean, c.Error = spread(y.sum, y.square, int(y.n))
		switch {
		case b.sample:
			c.Prob = float64(y.n) / float64(b.simulations)
		case a == account.Choice:
			c.Prob = 1
		}
		account.Actions = append(account.Actions, c)
	})
	nodes := 0
	for i := range b.forest.trees {
		nodes += len(b.forest.trees[i].nodes)
	}
	account.Notes = []string{fmt.Sprintf("%d simulations, %d nodes in %d trees", b.simulations, nodes, len(b.forest.trees))}
	return account
}
