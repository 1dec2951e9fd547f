package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/train/learner"
)

// trainer is self-play: one network plays all seats of all matches, or those that opponents leave it, and learns from every
// decision, or from those that matter most (focus.go). How it learns is the algorithm's: ppo.go, counterfactual.go and imitate.go. It touches no files and
// uses the clock only to measure; run wraps it into a run folder.
type trainer struct {
	cfg     Config
	game    engine.Game
	encoder *encode.Encoder
	matches vector     // that are played: vec or, of several configurations, a mixture
	vec     *env.Vec   // of the first configuration
	now     *env.Batch // the decisions at hand
	learner learner.Learner
	rollout *rollout
	norm    normaliser
	magnet  *magnet       // nil unless a network is one
	league  *league       // nil unless an opponent is of one
	read    policy.Reader // of the bundles of those whom the network meets

	sampling, shuffling engine.Rand
	iteration           int   // updates done
	steps               int64 // decisions collected
	trained             int64 // decisions trained on
	warm                int   // updates done before the critic no longer learns alone, once the late game has begun
	episodes            int64 // matches finished

	// Scratch, allocated once.
	actions       []int32 // [envs]
	logp          []float32
	logps, values []float32 // [envs, actions], [envs, outlook]
	leads         []float32 // [envs, actions]; nil unless the critic tells them
	units         []scale   // of what the value head tells
	ends          endings
	asked         learner.Decisions
	batch         learner.Batch // with room for the largest minibatch
	focus         focus
	chances       []float64 // of the league's members
	finished      tally
}

// vector is matches that are stepped together, as env.Vec has them.
type vector interface {
	Reset() (*env.Batch, error)
	Step(actions []int32) (*env.Batch, error)
	Stream(row int) engine.Rand // what the bots of a row draw from
	Match(row int) engine.Match
	Snapshot(w io.Writer) error
	Restore(r io.Reader) error
	Close()
}

// tally sums up the matches that ended during one collection.
type tally struct {
	matches, decisions int64     // decisions of the seats that learn
	returns            []float64 // [seats]
}

// learnerConfig is the network that a configuration asks for.
func learnerConfig(cfg Config, e *encode.Encoder) learner.Config {
	lc := learner.Config{
		Network: cfg.Network,
		ObsDim:  e.Schema().Size, ObsScale: e.Schema().Scales(),
		NumActions: len(e.Schema().Actions),
		Hidden:     cfg.Hidden, Activation: cfg.Activation,
		Device: cfg.Device, Threads: cfg.Threads,
		Seed: engine.NewRand(cfg.Seed).At(streamWeights).Key,
	}
	lc.ActionCritic, lc.Values = cfg.Critic == actionCritic, cfg.outlook().size()
	if cfg.PerfectCritic {
		lc.CriticDim, lc.CriticScale = e.FullSchema().Size, e.FullSchema().Scales()
	}
	if cfg.readsActions() && e.ActionSize() > 0 {
		lc.RowDim, lc.RowScale, lc.RowHidden = e.ActionSize(), e.ActionSchema().Scales(), cfg.RowHidden
	}
	return lc
}

// The child streams of a run's seed.
const (
	streamWeights = iota
	streamMatches
	streamSampling
	streamShuffling
	streamEvaluation
	streamHeldOut
	streamGate
	streamLate
)

func newTrainer(cfg Config, newLearner func(learner.Config) (learner.Learner, error)) (t *trainer, err error) {
	t = &trainer{cfg: cfg, norm: normaliser{On: cfg.NormValue}}
	defer func() {
		if err != nil {
			t.close()
			t = nil
		}
	}()
	if t.game, err = engine.NewGame(cfg.Game); err != nil {
		return t, err
	}
	if t.encoder, err = encode.For(t.game); err != nil {
		return t, err
	}
	if cfg.readsActions() && t.encoder.ActionSize() == 0 {
		return t, fmt.Errorf("network: %s reads what actions do, which %s does not describe yet: use mlp", cfg.Network, t.game.Info().Game)
	}
	root := engine.NewRand(cfg.Seed)
	t.sampling, t.shuffling = root.At(streamSampling), root.At(streamShuffling)
	t.league = newLeague(cfg, t.game, t.encoder, &t.read)
	var vecs []*env.Vec
	shares := split(cfg.NumEnvs, cfg.gameShares())
	var tables []int
	for i, name := range cfg.games() {
		v, err := t.newVec(name, shares[i], cfg.workers(), root.At(streamMatches).At(uint64(i)))
		if err != nil {
			return t, err
		}
		vecs = append(vecs, v)
		tables = append(tables, slices.Repeat([]int{v.Game().Info().Seats}, shares[i])...)
		if t.vec == nil {
			t.matches, t.vec = v, v
		}
	}
	n, seats := cfg.NumEnvs, t.game.Info().Seats
	if len(vecs) > 1 {
		m := newMixture(vecs, t.encoder, cfg.PerfectCritic, cfg.readsActions())
		t.matches, seats = m, m.seats
	}
	lc := learnerConfig(cfg, t.encoder)
	if t.learner, err = newLearner(lc); err != nil {
		return t, err
	}

	t.rollout = newRollout(n, seats, max(cfg.NumSteps, cfg.LateSteps), lc.ObsDim, lc.CriticDim, lc.NumActions, lc.RowDim)
	t.rollout.meet(cfg.leagueSeats())
	t.rollout.tell(cfg.outlook(), tables)
	if cfg.KLCoef > 0 {
		t.rollout.policy = newRagged[float32](1)
	}
	if lc.ActionCritic {
		t.rollout.judge()
		t.leads = make([]float32, n*lc.NumActions)
	}
	t.actions, t.logp = make([]int32, n), make([]float32, n)
	t.logps, t.values = make([]float32, n*lc.NumActions), make([]float32, n*lc.Values)
	t.ends = newEndings(n, lc)
	t.asked = learner.Decisions{N: n}
	rows := len(t.rollout.next)
	most := (rows + cfg.NumMinibatches - 1) / cfg.NumMinibatches
	if cfg.MinibatchSize > 0 {
		most = min(cfg.MinibatchSize, rows)
	}
	most = max(most, min(cfg.LateMinibatchSize, rows))
	t.batch = learner.Batch{
		Decisions: learner.Decisions{Obs: make([]uint8, most*lc.ObsDim), Mask: make([]uint8, most*lc.NumActions)},
		Action:    make([]int32, most), OldLogp: make([]float32, most), Advantage: make([]float32, most),
		Return: make([]float32, most*lc.Values), OldValue: make([]float32, most*lc.Values),
	}
	if lc.CriticDim > 0 {
		t.batch.Critic = make([]uint8, most*lc.CriticDim)
	}
	t.finished.returns = make([]float64, seats-len(cfg.Opponents))
	if cfg.drawn() && cfg.Magnet != uniformMagnet {
		if t.magnet, err = newMagnet(t.learner, lc, most, newLearner); err != nil {
			return t, err
		}
	}
	t.now, err = t.matches.Reset()
	return t, err
}

// newVec makes matches of one configuration.
func (t *trainer) newVec(game string, n, workers int, seed engine.Rand) (*env.Vec, error) {
	cfg := t.cfg
	g, err := engine.NewGame(game)
	if err != nil {
		return nil, err
	}
	seated, err := players(cfg, g, t.league, &t.read)
	if err != nil {
		return nil, err
	}
	key := seed.Key
	if game == cfg.Game {
		key = engine.NewRand(cfg.Seed).At(streamMatches).Key
	}
	return env.New(env.Config{
		Game: game, NumEnvs: n, Workers: workers, Seed: key,
		Autoreset: env.SameStep, MaxDecisions: cfg.MaxDecisions, Full: cfg.PerfectCritic, ActionRows: cfg.readsActions(),
		Players: seated, ShuffleSeats: len(cfg.Opponents) > 0,
	})
}

// players says who takes part in the training: the network, and after it
// the opponents. nil: the network alone.
func players(cfg Config, g engine.Game, l *league, read *policy.Reader) ([]env.Player, error) {
	if len(cfg.Opponents) == 0 {
		return nil, nil
	}
	seats := g.Info().Seats
	all, opponents := make([]env.Player, seats), cfg.opponentsAt(seats)
	for i, name := range opponents {
		one := &all[seats-len(opponents)+i]
		if name == leagueOpponent {
			var err error
			if *one, err = l.player(); err != nil {
				return nil, err
			}
			continue
		}
		full, err := identity(name, g, read)
		if err != nil {
			return nil, fmt.Errorf("opponents: %w", err)
		}
		*one = env.Player{Name: full, Bot: func(g engine.Game) (bots.Bot, error) { return cfg.opponent(name, g, read) }}
	}
	return all, nil
}

// opponentsAt are the opponents at a table of so many seats, one of which is left to learn.
func (c *Config) opponentsAt(seats int) []string {
	return c.Opponents[:min(len(c.Opponents), seats-1)]
}

// opponent makes a bot that plays in a game for what opponents play for: its matches are the same, whatever they pay.
func (c *Config) opponent(name string, g engine.Game, read *policy.Reader) (bots.Bot, error) {
	g, err := c.opponentsGame(g)
	if err != nil {
		return nil, err
	}
	return read.NewBot(name, g)
}

// opponentsGame is a game as it is for opponents.
func (c *Config) opponentsGame(g engine.Game) (engine.Game, error) {
	if c.OpponentsObjective == "" {
		return g, nil
	}
	return engine.NewGameWith(g.Info().Config, engine.ObjectiveParam.Name, c.OpponentsObjective, engine.RewardsParam.Name, engine.RewardsParam.Default)
}

func (t *trainer) close() {
	if t.learner != nil {
		t.learner.Close()
	}
	if t.magnet != nil {
		t.magnet.net.Close()
	}
	if t.matches != nil {
		t.matches.Close()
	}
}

// restore continues from a checkpoint.
func (t *trainer) restore(s sections, st state) error {
	if err := t.learner.Load(bytes.NewReader(s["learner"])); err != nil {
		return fmt.Errorf("network: %w", err)
	}
	if saved, ok := s["magnet"]; ok && t.magnet != nil {
		if err := t.magnet.net.Load(bytes.NewReader(saved)); err != nil {
			return fmt.Errorf("magnet: %w", err)
		}
	}
	if saved, ok := s["league"]; ok && t.league != nil {
		if err := t.league.load(bytes.NewReader(saved)); err != nil {
			return fmt.Errorf("league: %w", err)
		}
	}
	if t.cfg.playsLate(st.Steps) {
		if err := t.playLate(); err != nil {
			return fmt.Errorf("late_game: %w", err)
		}
		t.warm = st.Warm
	}
	if err := t.matches.Restore(bytes.NewReader(s["env"])); err != nil {
		return fmt.Errorf("environments: %w", err)
	}
	if err := t.rollout.load(bytes.NewReader(s["rollout"])); err != nil {
		return fmt.Errorf("open decisions: %w", err)
	}
	t.iteration, t.steps, t.trained, t.episodes = st.Iteration, st.Steps, st.Trained, st.Episodes
	t.sampling, t.shuffling = st.Sampling, st.Shuffling
	t.norm = st.Normaliser
	return nil
}

// schemaHash stands for all that the network reads and writes.
func (t *trainer) schemaHash() string { return schemaHash(t.cfg, t.encoder) }

func schemaHash(cfg Config, e *encode.Encoder) string {
	all := e.Schema().Hash()
	if !cfg.PerfectCritic && !cfg.readsActions() {
		return all
	}
	if cfg.PerfectCritic {
		all += e.FullSchema().Hash()
	}
	if s := e.ActionSchema(); cfg.readsActions() && s != nil {
		all += s.Hash()
	}
	sum := sha256.Sum256([]byte(all))
	return hex.EncodeToString(sum[:])
}

// save adds magnet and league: what else PPO needs a checkpoint has of every algorithm.
func (t *trainer) save(s sections) error {
	for name, part := range map[string]interface{ save(io.Writer) error }{"magnet": t.magnet, "league": t.league} {
		var b bytes.Buffer
		if err := part.save(&b); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if b.Len() > 0 {
			s[name] = b.Bytes()
		}
	}
	return nil
}

func (y *tally) add(b *env.Batch) {
	seats := len(b.PlayerReturn) / len(b.Terminated)
	for i := range b.Terminated {
		if b.Terminated[i] || b.Truncated[i] {
			y.matches++
			y.decisions += int64(b.Length[i])
			for s := range y.returns {
				y.returns[s] += float64(b.PlayerReturn[i*seats+s])
			}
		}
	}
}
