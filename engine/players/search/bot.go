package search

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/portable"
)

// Words of settings.
const (
	auto    = "auto"
	network = "network"
	none    = "none"
	uniform = "uniform"
	policy  = "policy"
	end     = "end"
	round   = "round"
	greedy  = "greedy"
)

const (
	mostSeats    = 32
	mostRollouts = 1_000_000
	mostMillis   = 600_000
)

var params = []engine.Param{
	{Name: "rollouts", Default: "100", Help: "rollouts per decision; the same seed gives the same choice"},
	{Name: "ms", Default: "0", Help: "milliseconds per decision instead of rollouts; not reproducible, and each action is tried once however long that takes"},
	{Name: "policy", Default: none, Help: "a policy (captain, policy:FILE) as prior, as player in rollouts and as model of opponents, combined as is best in the game; the settings below override parts of that"},
	{Name: "prior", Default: auto, Help: "bot whose choice is kept unless another is clearly better; uniform: none; auto: policy, or the game's own, such as heuristic"},
	{Name: "rollout", Default: auto, Help: "bot that plays all seats in rollouts (with policy: the decisions that it leaves); auto: the best one in the game"},
	{Name: "rivals", Default: auto, Help: "how opponents' secrets are dealt: uniform (any that are possible), policy (as the prior would have chosen), or as another bot would: heuristic, policy:FILE; auto: policy if there is one and the game can, else uniform"},
	{Name: "best", Default: "0", Help: "try only this many actions, those that the prior likes best; 0: all, or with policy 3"},
	{Name: "draws", Default: "0", Help: "rollouts per action and world, each with fresh chance, as far as the budget allows; 0: 1, or with policy 3"},
	{Name: "value", Default: auto, Help: "what evaluates a position where a rollout is cut: network (fitted to matches of policies, if the game has one), or a bot such as policy:FILE; auto: network with policy if there is one, else the game's own evaluation"},
	{Name: "horizon", Default: auto, Help: "where rollouts are cut and evaluated: round (the end of this round), a number of rounds, end (of the match); auto: the best in the game"},
	{Name: "z", Default: "1", Help: "standard errors by which an action must beat the prior's choice; with policy 2, unless the game uses eta"},
	{Name: "eta", Default: "0", Help: "instead of z: step size of one more policy update towards the rollouts' means; 0: none"},
}

func init() {
	bots.Register(bots.Kind{
		Name: "search", Slow: true, Params: params,
		Help: "plays rollouts from each action, in worlds that agree with what its seat knows",
		Gone: map[string]string{
			"lucks": "write draws", "secret": "policy makes those decisions", "mine": "policy makes those decisions", "rule": "write eta for an update, z for a lead",
			"choice": "the likeliest action is taken", "tau": "it is 0.001", "trust": "it is 0.5", "decisions": "write horizon", "schedule": "rollouts are shared out by halving",
			"mix": "it did not help (notebooks/lab/search.md)", "workers": "the program sets it",
		},
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

// Search is a bot that simulates the rest of the match from each legal action, and chooses the action with the best results. It
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
	z, eta      float64 // how a choice is made from the results of rollouts: by eta, unless it is 0
	weights     []float64
}

// tau is the pull of the update towards equal chances, and trust the weight of the choice of a prior that says no more than that, beside
// equal chances.
const (
	tau   = 0.001
	trust = 0.5
)

// Recipe is how a game's searches use a policy best. The zero Recipe is the default: the policy is the prior
// and plays its seat's and the secret decisions of rollouts, three actions are tried, and z is 2.
type Recipe struct {
	PriorAlone bool    // as a player of rollouts it costs more than it brings
	Eta        float64 // 0: z
}

// Defaults of a search with a policy.
const (
	policyBest  = 3
	policyDraws = 3
	policyZ     = 2
)

// parts are the bots that a search is made of, by name.
type parts struct {
	prior, rollout, rivals, value string
	plays                         string // the policy, if it plays in rollouts
}

func newSearch(g engine.Game, s bots.Settings) (*Search, error) {
	info := g.Info()
	if info.Seats > mostSeats {
		return nil, fmt.Errorf("%d seats: want at most %d", info.Seats, mostSeats)
	}
	b := &Search{name: s.Canonical(), seats: info.Seats, weights: make([]float64, len(info.Actions))}
	b.flat.now = time.Now
	of, err := b.readParts(g, s)
	if err != nil {
		return nil, err
	}
	for _, read := range []func(engine.Game, bots.Settings, parts) error{b.readBudget, b.readPrior, b.readRollouts} {
		if err := read(g, s, of); err != nil {
			return nil, err
		}
	}
	b.mostWorkers = s.Maker.Workers
	return b, b.SetWorkers(1)
}

// readParts reads who does what and how a choice is made: what a policy brings with it, and what settings say beside it.
func (b *Search) readParts(g engine.Game, s bots.Settings) (of parts, err error) {
	of = parts{prior: s.Get("prior"), rollout: s.Get("rollout"), rivals: s.Get("rivals"), value: s.Get("value")}
	for _, x := range []struct {
		name string
		most float64
		to   *float64
	}{{"z", 100, &b.z}, {"eta", 1e6, &b.eta}} {
		if *x.to, err = s.Float(x.name, 0, x.most); err != nil {
			return of, err
		}
	}
	if s.Given("z") && s.Given("eta") {
		return of, fmt.Errorf("z=%s: eta=%s takes its place: want one of them", s.Get("z"), s.Get("eta"))
	}
	if b.best, err = s.Int("best", 0, engine.MaxActions); err != nil {
		return of, err
	}
	if b.flat.most, err = s.Int("draws", 0, 1000); err != nil {
		return of, err
	}
	name, own, recipe := s.Get("policy"), false, Of(g).Recipe
	if own = name != none; own {
		if name, err = policyNamed(name, g, s); err != nil {
			return of, err
		}
		if of.prior == auto {
			of.prior = name
		}
		if !s.Given("best") {
			b.best = policyBest
		}
		if !s.Given("z") && !s.Given("eta") {
			b.z, b.eta = policyZ, recipe.Eta
		}
		if of.value == auto && Of(g).Network != nil {
			if v, err := Of(g).Network(g); err == nil && v != nil {
				of.value = network
			}
		}
		if !recipe.PriorAlone {
			of.plays = name
		}
	}
	if of.prior == auto {
		if of.prior = PriorOf(g); of.prior == "random" {
			of.prior = uniform
		}
	}
	if of.rivals == auto {
		of.rivals = uniform
		if of.plays != "" && of.prior != uniform && engine.Retraces(g) {
			of.rivals = policy
		}
	}
	if b.flat.most == 0 {
		b.flat.most = 1
		if of.plays != "" {
			b.flat.most = policyDraws
		}
	}
	return of, nil
}

// policyNamed is the name of a bot: a policy of the program is known by its own.
func policyNamed(name string, g engine.Game, s bots.Settings) (string, error) {
	_, err := s.BotNamed("policy", name, g)
	if !errors.Is(err, bots.ErrUnknown) {
		return name, err
	}
	if _, whole := s.BotNamed("policy", "policy:"+name, g); errors.Is(whole, bots.ErrUnknown) {
		return name, err // nobody here knows policies
	} else if whole != nil {
		return name, whole
	}
	return "policy:" + name, nil
}

func (b *Search) readBudget(_ engine.Game, s bots.Settings, _ parts) error {
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
		return fmt.Errorf("ms=%d: no budget in time is allowed here: want rollouts", ms)
	}
	if ms > 0 && s.Given("rollouts") {
		return fmt.Errorf("rollouts=%d: ms=%d takes its place: want one of them", b.budget.rollouts, ms)
	}
	b.budget.limit = time.Duration(ms) * time.Millisecond
	return nil
}

func (b *Search) readPrior(g engine.Game, s bots.Settings, of parts) (err error) {
	if of.prior == uniform {
		return nil
	}
	if b.prior, err = s.BotNamed("prior", of.prior, g); err != nil {
		return err
	}
	b.weighs, _ = b.prior.(Prior)
	return nil
}

// readRollouts reads how worlds are dealt and played, and what evaluates them.
func (b *Search) readRollouts(g engine.Game, s bots.Settings, of parts) error {
	spec := specOf(g, of.value)
	h, err := readHorizon(spec, s)
	if err != nil {
		return err
	}
	b.make = func() (*roller, error) {
		w := &roller{seats: b.seats, round: spec.Round, rounds: h, world: g.NewMatch(), sim: g.NewMatch()}
		var err error
		if w.player, err = rolloutPlayer(spec, g, s); err != nil {
			return nil, err
		}
		w.table, _ = w.player.(Seated)
		if of.plays != "" {
			for _, to := range []*bots.Bot{&w.secret, &w.mine} {
				if *to, err = s.BotNamed("policy", of.plays, g); err != nil {
					return nil, err
				}
			}
		}
		if w.rivals, err = rivalsModel(g, s, of); err != nil {
			return nil, err
		}
		w.value, b.unit, err = evaluator(spec, h, g, s, of.value)
		return w, err
	}
	return nil
}

// specOf is what the game says of itself to a search with that value. A game's evaluation of a standing is of the win: rollouts of matches that are
// played for something else go to the end.
func specOf(g engine.Game, value string) Game {
	spec := Of(g)
	if spec.Value != nil && value == auto {
		if v, err := spec.Value(g); err != nil || v == nil {
			spec.Value, spec.Horizon = nil, end
		}
	}
	return spec
}

// readHorizon reads how many rounds are played out, the one at hand included; 0: all.
func readHorizon(spec Game, s bots.Settings) (rounds int, err error) {
	word := s.Get("horizon")
	if word == auto {
		word = spec.Horizon
	}
	switch word {
	case end, "":
		return 0, nil
	case round:
		rounds = 1
	default:
		if rounds, err = strconv.Atoi(word); err != nil || rounds < 1 || rounds > 1000 {
			return 0, fmt.Errorf("horizon=%s: want end, round, a number of rounds or auto", word)
		}
	}
	if spec.Round == nil {
		return 0, fmt.Errorf("horizon=%s: the game has no rounds: want end", word)
	}
	return rounds, nil
}

func rolloutPlayer(spec Game, g engine.Game, s bots.Settings) (bots.Bot, error) {
	name := s.Get("rollout")
	if name == auto {
		if name = spec.Player; name == "" {
			quick := bots.Names(g)
			name = quick[len(quick)-1]
		}
	}
	return s.BotNamed("rollout", name, g)
}

// evaluator makes the value of where rollouts end, and says in which unit it is.
func evaluator(spec Game, rounds int, g engine.Game, s bots.Settings, name string) (Value, string, error) {
	const chance = "chance to win"
	made := spec.Value
	if name == network {
		made = spec.Network
	}
	var own Value
	if made != nil {
		var err error
		if own, err = made(g); err != nil {
			return nil, "", err
		}
	}
	switch {
	case name == network && own == nil:
		return nil, "", fmt.Errorf("value=%s: there is none of %s: want %s, or a policy with a value", name, g.Info().Config, auto)
	case name != auto && name != network:
		v, err := evaluatorNamed(name, g, s)
		if err != nil || own == nil {
			return v, "return", err
		}
		return newAdvised(v, own), chance, nil
	case own != nil:
		return own, chance, nil
	case rounds > 0 && !g.Info().PaysEarly:
		return nil, "", fmt.Errorf("%s has no evaluation of a match that is cut: want horizon=end", g.Info().Config)
	}
	return &returned{make([]float32, g.Info().Seats)}, "return", nil
}

// evaluatorNamed makes the bot that evaluates.
func evaluatorNamed(name string, g engine.Game, s bots.Settings) (Value, error) {
	b, err := s.BotNamed("value", name, g)
	if err != nil {
		return nil, err
	}
	v, ok := b.(Value)
	if !ok {
		return nil, fmt.Errorf("value=%s: it evaluates no positions: want %s, or a policy with a value", name, auto)
	}
	if may, ok := b.(interface{ CanEvaluate() error }); ok {
		if err := may.CanEvaluate(); err != nil {
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
	return b.flat.tried[b.choose(m.Seat(), own)].action
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
			tried[i].weight = float64((1 - trust) * even)
			if tried[i].action == a {
				tried[i].weight += trust
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

// choose is the index of the action that is taken.
func (b *Search) choose(seat, own int) int {
	if b.eta == 0 {
		return b.flat.best(seat, own, b.z)
	}
	return b.updated(seat, b.weights[:len(b.flat.tried)])
}

// updated writes the probabilities that one more step of the policy's own update gives (Sokota et al., "A unified
// approach to reinforcement learning, quantal response equilibria, and two-player zero-sum games", ICLR 2023; at play as in
// "Ataraxos", Nature 658, 2026): logits' = (log π + η·Q + η·τ·log μ) / (1 + η·τ), where π is the prior, Q what came of an action,
// and μ gives all legal actions equal chances. It returns the index of the likeliest.
func (b *Search) updated(seat int, probs []float64) (best int) {
	if len(probs) == 1 { // nothing may be known of it
		probs[0] = 1
		return 0
	}
	for i := range probs {
		t := &b.flat.tried[i]
		probs[i] = (portable.Log(max(t.weight, 1e-12)) + float64(b.eta*t.mean(seat))) / (1 + float64(b.eta*tau))
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
	chosen := b.choose(seat, own)
	account := bots.Account{Choice: b.flat.tried[chosen].action, Prior: -1, Unit: b.unit}
	if own >= 0 {
		account.Prior = b.flat.tried[own].action
	}
	account.Actions = b.considered(nil, seat, own)
	total := 0
	for i := range account.Actions {
		account.Actions[i].Prob = float64(engine.Bit(i == chosen))
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

// considered appends what is known of the actions that were tried, except the chance with which each is chosen.
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
