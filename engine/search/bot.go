package search

import (
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/portable"
)

// Words of settings.
const (
	auto    = "auto"
	learnt  = "learnt"
	network = "network"
	none    = "none"
	uniform = "uniform"
	policy  = "policy"
	end     = "end"
	round   = "round"
	halving = "halving"
	equal   = "equal"
	lead    = "lead"
	update  = "update"
	greedy  = "greedy"
	sample  = "sample"
)

const (
	mostSeats    = 32
	mostRollouts = 1_000_000
	mostMillis   = 600_000
)

var params = []engine.Param{
	{Name: "rollouts", Default: "100", Help: "matches played on for a decision: the same seed gives the same choice"},
	{Name: "ms", Default: "0", Help: "milliseconds for a decision instead of rollouts, for play: not reproducible. Each action is tried once, whatever that takes"},
	{Name: "horizon", Default: auto, Help: "where a rollout is cut and judged: round (the end of this round), a number of rounds, end (of the match), auto (what is best in the game)"},
	{Name: "decisions", Default: "0", Help: "decisions after which a rollout is cut at the latest; 0: no limit"},
	{Name: "prior", Default: auto, Help: "bot whose choice is left only for a better one; uniform: none; auto: the game's own, such as heuristic"},
	{Name: "rollout", Default: auto, Help: "bot that plays all seats of a rollout; auto: what is best in the game"},
	{Name: "secret", Default: auto, Help: "bot that makes those decisions of rollouts which others do not see, such as the programming of cards; auto: who makes the rest"},
	{Name: "mine", Default: auto, Help: "bot that makes the other decisions of the seat that searches, as it would go on to; auto: who makes the rest"},
	{Name: "lucks", Default: "1", Help: "rollouts of each action in a world, each with other luck: for worlds that cost more than rollouts, as with rivals=policy; fewer if the budget has not so many"},
	{Name: "value", Default: auto, Help: "bot that judges where a rollout is cut, if it can, such as policy:FILE; auto: the game's own judgement; learnt: the same as matches of trained policies teach it; network: a network fitted on such matches"},
	{Name: "mix", Default: "0", Help: "of value=BOT: weight of the game's own judgement beside it, of 1"},
	{Name: "rivals", Default: uniform, Help: "how rivals' secrets are dealt: uniform (as they may be), policy (as the prior would have come to them), or as another bot would: heuristic, policy:FILE"},
	{Name: "best", Default: "0", Help: "try only this many actions, those to which the prior gives the most weight; 0: all"},
	{Name: "schedule", Default: halving, Choices: []string{halving, equal}, Help: "how rollouts are shared out: halving (ever fewer actions), equal"},
	{Name: "rule", Default: lead, Choices: []string{lead, update}, Help: "lead (the best, if it leads the prior's choice by z standard errors), update (a step of the policy's own update towards the rollouts' means)"},
	{Name: "z", Default: "1", Help: "of rule=lead"},
	{Name: "eta", Default: "10", Help: "of rule=update: the step's size"},
	{Name: "tau", Default: "0.001", Help: "of rule=update: the pull towards equal chances"},
	{Name: "trust", Default: "0.5", Help: "of rule=update: weight of the choice of a prior that says no more than that, beside equal chances"},
	{Name: "choice", Default: greedy, Choices: []string{greedy, sample}, Help: "of rule=update: greedy (the likeliest), sample"},
	{Name: "workers", Default: "1", Help: "goroutines; 0: one a core. The choice does not depend on it"},
}

func init() {
	bots.Register(bots.Kind{
		Name: "search", Slow: true, Params: params,
		Help: "plays matches on from each action, in worlds that agree with what its seat knows",
		Make: func(g engine.Game, s bots.Settings) (bots.Bot, error) { return newSearch(g, s) },
	})
	for _, ms := range []int{1, 10, 100} {
		name := fmt.Sprintf("search-%dms", ms)
		bots.Register(bots.Kind{
			Name: name, Slow: true,
			Help: fmt.Sprintf("search with the rollouts of about %d ms of a core", ms),
			Make: func(g engine.Game, s bots.Settings) (bots.Bot, error) { return newPreset(name, ms, g, s) },
		})
	}
}

// newPreset is the search whose rollouts take about so long.
func newPreset(name string, ms int, g engine.Game, s bots.Settings) (bots.Bot, error) {
	b, err := s.Maker.New(fmt.Sprintf("search(rollouts=%d)", rolloutsIn(g, ms)), g)
	if err != nil {
		return nil, err
	}
	search := b.(*Search)
	search.name = name
	return search, nil
}

// rolloutsIn is how many rollouts with the defaults of a game take about so long.
func rolloutsIn(g engine.Game, ms int) int {
	if of := Of(g).Rollouts; of != nil {
		return of(g, ms)
	}
	return 100 * ms // of games that are over in a few decisions, whose actions few rollouts tell apart
}

// Search is a bot that plays matches on from each legal action, and chooses the one of which the most came. It
// implements bots.Explainer.
type Search struct {
	name  string
	seats int
	unit  string

	prior   bots.Bot // nil: none
	weighs  Prior    // prior, if it is one
	rollers []*roller
	make    func() (*roller, error)

	over        func() bool // Until
	actual      bool        // InTheMatch
	mostWorkers int         // 0: no limit
	flat        flat
	budget      budget
	best        int
	rule        rule
	weights     []float64
}

// rule is how a choice is made of what rollouts came to.
type rule struct {
	update, sample     bool
	z, eta, tau, trust float64
}

func newSearch(g engine.Game, s bots.Settings) (*Search, error) {
	info := g.Info()
	if info.Seats > mostSeats {
		return nil, fmt.Errorf("%d seats: want at most %d", info.Seats, mostSeats)
	}
	b := &Search{name: s.Canonical(), seats: info.Seats, weights: make([]float64, len(info.Actions))}
	b.flat.now = time.Now
	for _, read := range []func(engine.Game, bots.Settings) error{b.readBudget, b.readPrior, b.readRule, b.readRollouts} {
		if err := read(g, s); err != nil {
			return nil, err
		}
	}
	workers, err := s.Int("workers", 0, 1024)
	if err != nil {
		return nil, err
	}
	b.mostWorkers = s.Maker.Workers
	return b, b.SetWorkers(workers)
}

func (b *Search) readBudget(_ engine.Game, s bots.Settings) error {
	most := mostRollouts
	if s.Maker.Rollouts > 0 {
		most = s.Maker.Rollouts
	}
	var err error
	if b.budget.rollouts, err = s.Int("rollouts", 1, most); err != nil {
		return err
	}
	ms, err := s.Int("ms", 0, mostMillis)
	if err != nil {
		return err
	}
	if ms > 0 && s.Maker.Rollouts > 0 {
		return fmt.Errorf("ms=%d: a budget in time is not to be had here: want rollouts", ms)
	}
	if ms > 0 && s.Given("rollouts") {
		return fmt.Errorf("rollouts=%d: ms=%d takes its place: want one of them", b.budget.rollouts, ms)
	}
	b.budget.limit = time.Duration(ms) * time.Millisecond
	if b.budget.schedule, err = s.OneOf("schedule", halving, equal); err != nil {
		return err
	}
	if b.flat.most, err = s.Int("lucks", 1, 1000); err != nil {
		return err
	}
	b.best, err = s.Int("best", 0, engine.MaxActions)
	return err
}

func (b *Search) readPrior(g engine.Game, s bots.Settings) (err error) {
	name := s.Get("prior")
	if name == auto {
		if name = PriorOf(g); name == "random" {
			name = uniform
		}
	}
	if name == uniform {
		return nil
	}
	if b.prior, err = s.BotNamed("prior", name, g); err != nil {
		return err
	}
	b.weighs, _ = b.prior.(Prior)
	return nil
}

func (b *Search) readRule(_ engine.Game, s bots.Settings) error {
	name, err := s.OneOf("rule", lead, update)
	if err != nil {
		return err
	}
	choice, err := s.OneOf("choice", greedy, sample)
	if err != nil {
		return err
	}
	b.rule.update, b.rule.sample = name == update, choice == sample
	for _, x := range []struct {
		name string
		most float64
		to   *float64
	}{{"z", 100, &b.rule.z}, {"eta", 1e6, &b.rule.eta}, {"tau", 1e6, &b.rule.tau}, {"trust", 1, &b.rule.trust}} {
		if *x.to, err = s.Float(x.name, 0, x.most); err != nil {
			return err
		}
	}
	for _, x := range []struct{ name, of string }{{"z", lead}, {"eta", update}, {"tau", update}, {"choice", update}} {
		if s.Given(x.name) && name != x.of {
			return fmt.Errorf("%s=%s: it is of rule=%s, and the rule is %s", x.name, s.Get(x.name), x.of, name)
		}
	}
	return nil
}

// readRollouts reads how worlds are dealt and played, and what judges them.
func (b *Search) readRollouts(g engine.Game, s bots.Settings) error {
	told := toldOf(g, s)
	h, err := readHorizon(told, s)
	if err != nil {
		return err
	}
	b.make = func() (*roller, error) {
		w := &roller{seats: b.seats, round: told.Round, horizon: h, world: g.NewMatch(), sim: g.NewMatch()}
		var err error
		if w.player, err = rolloutPlayer(told, g, s); err != nil {
			return nil, err
		}
		w.table, _ = w.player.(Seated)
		for _, of := range []struct {
			name string
			to   *bots.Bot
		}{{"secret", &w.secret}, {"mine", &w.mine}} {
			if name := s.Get(of.name); name != auto {
				if *of.to, err = s.BotNamed(of.name, name, g); err != nil {
					return nil, err
				}
			}
		}
		if w.rivals, err = rivalsModel(g, s); err != nil {
			return nil, err
		}
		w.value, b.unit, err = judge(told, h, g, s)
		return w, err
	}
	return nil
}

// toldOf is what the game tells a search of these settings. A game's judgement of a standing is of the win: who plays for something else
// plays to the end.
func toldOf(g engine.Game, s bots.Settings) Game {
	told := Of(g)
	if told.Value != nil && s.Get("value") == auto {
		if v, err := told.Value(g); err != nil || v == nil {
			told.Value, told.Horizon = nil, end
		}
	}
	return told
}

func readHorizon(told Game, s bots.Settings) (h Horizon, err error) {
	if h.Decisions, err = s.Int("decisions", 0, 1_000_000); err != nil {
		return h, err
	}
	word := s.Get("horizon")
	if word == auto {
		word = told.Horizon
	}
	switch word {
	case end, "":
		return h, nil
	case round:
		h.Rounds = 1
	default:
		if h.Rounds, err = strconv.Atoi(word); err != nil || h.Rounds < 1 || h.Rounds > 1000 {
			return h, fmt.Errorf("horizon=%s: want end, round, a number of rounds or auto", word)
		}
	}
	if told.Round == nil {
		return h, fmt.Errorf("horizon=%s: the game has no rounds: want end, or decisions", word)
	}
	return h, nil
}

func rolloutPlayer(told Game, g engine.Game, s bots.Settings) (bots.Bot, error) {
	name := s.Get("rollout")
	if name == auto {
		if name = told.Player; name == "" {
			quick := bots.Names(g)
			name = quick[len(quick)-1]
		}
	}
	return s.BotNamed("rollout", name, g)
}

// judge makes the value of where rollouts end, and says in which unit it is.
func judge(told Game, h Horizon, g engine.Game, s bots.Settings) (Value, string, error) {
	const chance = "chance to win"
	name, made := s.Get("value"), told.Value
	taught := name == learnt || name == network
	if taught {
		made = told.Judges[name]
	}
	var own Value
	if made != nil {
		var err error
		if own, err = made(g); err != nil {
			return nil, "", err
		}
	}
	if taught && own == nil {
		return nil, "", fmt.Errorf("value=%s: nothing is learnt of %s: want %s, or a policy with a value", name, g.Info().Config, auto)
	}
	share, err := s.Float("mix", 0, 1)
	if err != nil {
		return nil, "", err
	}
	if name != auto && !taught {
		v, err := judgeNamed(name, g, s)
		switch {
		case err != nil:
			return nil, "", err
		case own != nil:
			return newAdvised(v, own, share, g), chance, nil
		case share > 0:
			return nil, "", fmt.Errorf("mix=%v: %s has no judgement of its own: want 0", share, g.Info().Config)
		}
		return v, "return", nil
	}
	if share > 0 {
		return nil, "", fmt.Errorf("mix=%v: there is nothing to mix the game's own judgement with: want value=BOT", share)
	}
	if own != nil {
		return own, chance, nil
	}
	if (h != Horizon{}) && !g.Info().PaysEarly {
		return nil, "", fmt.Errorf("%s has no judgement of a match that is cut: want horizon=end", g.Info().Config)
	}
	return &returned{make([]float32, g.Info().Seats)}, "return", nil
}

// judgeNamed makes the bot that judges.
func judgeNamed(name string, g engine.Game, s bots.Settings) (Value, error) {
	b, err := s.BotNamed("value", name, g)
	if err != nil {
		return nil, err
	}
	v, ok := b.(Value)
	if !ok {
		return nil, fmt.Errorf("value=%s: it judges no positions: want %s, or a policy with a value", name, auto)
	}
	if may, ok := b.(interface{ CanJudge() error }); ok {
		if err := may.CanJudge(); err != nil {
			return nil, fmt.Errorf("value=%s: %w", name, err)
		}
	}
	return v, nil
}

// SetWorkers sets how many goroutines play the rollouts of a decision; 0: one a core. The choice does not depend on it.
func (b *Search) SetWorkers(n int) error {
	if n < 0 {
		return fmt.Errorf("%d workers: want a positive number, or 0 for one a core", n)
	}
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	if b.mostWorkers > 0 {
		n = min(n, b.mostWorkers)
	}
	for len(b.rollers) < n {
		w, err := b.make()
		if err != nil {
			return err
		}
		w.actual = b.actual
		w.Until(b.over)
		b.rollers = append(b.rollers, w)
	}
	b.rollers = b.rollers[:n]
	b.flat.rollers, b.flat.seats = b.rollers, b.seats
	return nil
}

// Until implements bots.Interruptible: the search stops between two decisions of a rollout.
func (b *Search) Until(over func() bool) {
	b.over = over
	bots.Until(b.prior, over)
	for _, w := range b.rollers {
		w.Until(over)
	}
}

// stopped reports whether the search was to stop: what it has found then means nothing.
func (b *Search) stopped() bool { return b.over != nil && b.over() }

// Rollouts is how many matches it plays on for a decision.
func (b *Search) Rollouts() int { return b.budget.rollouts }

// Name is the canonical spelling of the search's settings.
func (b *Search) Name() string { return b.name }

// Act implements bots.Bot.
func (b *Search) Act(m engine.Match, r *engine.Rand) engine.Action {
	legal := m.Legal()
	if first := legal.First(); legal.Next(first) < 0 {
		return first
	}
	own := b.think(m, r)
	if b.stopped() {
		return bots.Stopped
	}
	return b.flat.tried[b.choose(m.Seat(), own, r)].action
}

// think tries the legal actions and returns the index of the prior's choice, −1 if it has none.
func (b *Search) think(m engine.Match, r *engine.Rand) (own int) {
	own = b.weigh(m, r)
	own = b.narrow(own)
	b.flat.run(m, m.Seat(), own, r.Split(), b.budget)
	return own
}

// weigh lists the legal actions with the prior's weights.
func (b *Search) weigh(m engine.Match, r *engine.Rand) (own int) {
	legal := m.Legal()
	tried := b.flat.tried[:0]
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		tried = append(tried, trial{action: a})
	}
	b.flat.tried = tried
	n := len(tried)
	even := 1 / float64(n)
	own = -1
	switch {
	case b.prior == nil:
		for i := range tried {
			tried[i].weight = even
		}
	case b.weighs != nil:
		weights, total := b.weights[:n], 0.0
		b.weighs.Weights(m, weights, r)
		for _, x := range weights {
			total += x
		}
		for i := range tried {
			if tried[i].weight = weights[i] / total; own < 0 || tried[i].weight > tried[own].weight {
				own = i
			}
		}
	default:
		a := b.prior.Act(m, r)
		for i := range tried {
			tried[i].weight = float64((1 - b.rule.trust) * even)
			if tried[i].action == a {
				tried[i].weight += b.rule.trust
				own = i
			}
		}
	}
	return own
}

// narrow leaves the actions of the most weight in, and returns where the prior's choice is then.
func (b *Search) narrow(own int) int {
	f := &b.flat
	for b.best > 0 && len(f.tried) > b.best {
		least := -1
		for i := len(f.tried) - 1; i >= 0; i-- {
			if i != own && (least < 0 || f.tried[i].weight < f.tried[least].weight) {
				least = i
			}
		}
		if least < 0 {
			break // the prior's choice alone is left
		}
		f.tried = append(f.tried[:least], f.tried[least+1:]...)
		if least < own {
			own--
		}
	}
	return own
}

// choose is the index of the action that the rule takes.
func (b *Search) choose(seat, own int, r *engine.Rand) int {
	if !b.rule.update {
		return b.flat.best(seat, own, b.rule.z)
	}
	probs := b.weights[:len(b.flat.tried)]
	best := b.updated(seat, probs)
	if !b.rule.sample {
		return best
	}
	pick := r.Pick(1)
	for i, p := range probs {
		if pick.On(p) {
			return i
		}
	}
	return best
}

// updated writes the probabilities that one more step of the policy's own update gives (Sokota et al., "A unified
// approach to reinforcement learning, quantal response equilibria, and two-player zero-sum games", ICLR 2023; at play as in
// "Ataraxos", Nature 658, 2026): logits' = (log π + η·Q + η·τ·log μ) / (1 + η·τ), where π is the prior, Q what came of an action,
// and μ gives all legal actions equal chances. It returns the index of the likeliest.
func (b *Search) updated(seat int, probs []float64) (best int) {
	if len(probs) == 1 { // of which nothing may be known
		probs[0] = 1
		return 0
	}
	for i := range probs {
		t := &b.flat.tried[i]
		probs[i] = (portable.Log(max(t.weight, 1e-12)) + float64(b.rule.eta*t.mean(seat))) / (1 + float64(b.rule.eta*b.rule.tau))
		if probs[i] > probs[best] {
			best = i
		}
	}
	Softmax(probs, 1, probs)
	return best
}

// Explain implements bots.Explainer.
func (b *Search) Explain(m engine.Match, r *engine.Rand) bots.Account {
	legal, seat := m.Legal(), m.Seat()
	if first := legal.First(); legal.Next(first) < 0 {
		return bots.Account{Choice: first, Prior: first, Actions: []bots.Considered{{Action: first, Weight: 1, Prob: 1}}, Notes: []string{"there is nothing to choose"}}
	}
	own := b.think(m, r)
	if b.stopped() {
		return bots.Account{Choice: bots.Stopped, Prior: -1}
	}
	chosen := b.choose(seat, own, r)
	account := bots.Account{Choice: b.flat.tried[chosen].action, Prior: -1, Unit: b.unit}
	if own >= 0 {
		account.Prior = b.flat.tried[own].action
	}
	probs := make([]float64, len(b.flat.tried))
	if probs[chosen] = 1; b.rule.update && b.rule.sample {
		b.updated(seat, probs)
	}
	account.Actions = b.considered(nil, seat, own)
	total := 0
	for i := range account.Actions {
		account.Actions[i].Prob = probs[i]
		total += account.Actions[i].Visits
	}
	for s := range b.seats {
		account.Value = append(account.Value, b.flat.tried[chosen].mean(s))
	}
	account.Notes = []string{engine.Count(total, "rollout", "")}
	if b.budget.limit > 0 {
		account.Notes = append(account.Notes, fmt.Sprintf("as many as took %v here: another time there may be more or fewer, and another choice", b.budget.limit))
	}
	return account
}

// considered appends what is known of the actions that were tried, but for the chance with which each is chosen.
func (b *Search) considered(dst []bots.Considered, seat, own int) []bots.Considered {
	for i := range b.flat.tried {
		t := &b.flat.tried[i]
		c := bots.Considered{Action: t.action, Visits: t.played, Weight: t.weight}
		c.Mean, c.Error = spread(t.sum[seat], t.square, t.visits)
		if own >= 0 {
			c.Lead, c.Doubt = spread(t.lead, t.leadSq, t.visits)
		}
		dst = append(dst, c)
	}
	return dst
}
