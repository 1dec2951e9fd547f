package train

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/train/learner"
)

// trainer is masked PPO self-play (Schulman et al., "Proximal policy
// optimization algorithms", 2017): one network plays all seats of all matches
// and learns from every decision, or from those that matter most (focus.go). What damps its steps, the divergence to
// the policy that collected and to a magnet (magnet.go), is part of the loss. It touches no files and uses the
// clock only to measure; run wraps it into a run folder.
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
	magnet  *magnet // nil unless a network is one
	league  *league // nil unless an opponent is of one

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

// What Config.Critic may be.
const (
	valueCritic  = "value"
	actionCritic = "actions"
)

// validatePPO checks what only PPO needs.
func (c *Config) validatePPO(engine.Game) error {
	if c.Critic == actionCritic && !c.PerfectCritic {
		return fmt.Errorf("critic: %s: want perfect_critic true", c.Critic)
	}
	return nil
}

// vector is matches that are stepped together, as env.Vec has them.
type vector interface {
	Reset() (*env.Batch, error)
	Step(actions []int32) (*env.Batch, error)
	Stream(row int) engine.Rand // what the bots of a row draw from
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
	t.league = newLeague(cfg, t.game, t.encoder)
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
	seated, err := players(cfg.Opponents, g, t.league)
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
func players(opponents []string, g engine.Game, l *league) ([]env.Player, error) {
	if len(opponents) == 0 {
		return nil, nil
	}
	seats := g.Info().Seats
	all := make([]env.Player, seats)
	for i, name := range opponents {
		one := &all[seats-len(opponents)+i]
		if name == leagueOpponent {
			var err error
			if *one, err = l.player(); err != nil {
				return nil, err
			}
			continue
		}
		full, err := identity(name, g)
		if err != nil {
			return nil, fmt.Errorf("opponents: %w", err)
		}
		*one = env.Player{Name: full, Bot: func(g engine.Game) (bots.Bot, error) { return policy.NewBot(name, g) }}
	}
	return all, nil
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

// iterate is one iteration of PPO: collect, advantages, update.
func (t *trainer) iterate() (Update, error) {
	u := Update{Iteration: t.iteration + 1, Iterations: t.cfg.Iterations(), TotalSteps: t.cfg.TotalTimesteps}
	hyper, before := t.anneal(&u), t.cfg.late(t.steps)

	begin, torch := time.Now(), t.learner.TorchTime()
	envTime, err := t.collect()
	if err != nil {
		return u, err
	}
	t.rollout.finish(t.cfg.Gamma, t.cfg.GAELambda)
	rows := t.rollout.closed
	t.norm.add(rows, t.rollout.returns)
	u.Losses.explain(t.rollout)

	updating, torchThen := time.Now(), t.learner.TorchTime()
	hyper.NormAdv = t.focus.choose(t.rollout, t.cfg, hyper, &t.shuffling)
	if err := t.update(hyper, &u); err != nil {
		return u, err
	}
	if t.magnet != nil && t.cfg.Magnet == pastMagnet && (t.iteration+1)%t.cfg.MagnetEvery == 0 {
		if err := t.magnet.follow(t.learner); err != nil {
			return u, fmt.Errorf("update %d: magnet: %w", t.iteration+1, err)
		}
	}
	end, torchNow := time.Now(), t.learner.TorchTime()

	t.tell(&u, len(rows))
	if t.league != nil {
		t.league.learn(t.rollout)
		if err := t.league.enter(context.Background(), t); err != nil {
			return u, fmt.Errorf("update %d: %w", u.Iteration, err)
		}
		u.League = t.league.standings()
	}
	u.Rates = t.rates(len(rows), envTime, begin, updating, end, torch, torchThen, torchNow)
	t.rollout.carry()
	if !before && t.cfg.playsLate(t.steps) {
		if err := t.playLate(); err != nil {
			return u, fmt.Errorf("update %d: late_game: %w", u.Iteration, err)
		}
	}
	return u, nil
}

// playLate goes over to the late game. What its rewards are is new to the critic, so that nothing of the matches at hand is
// carried over, and it learns alone again for warmup_updates.
func (t *trainer) playLate() error {
	g, err := engine.NewGame(t.cfg.LateGame)
	if err != nil {
		return err
	}
	v, err := t.newVec(t.cfg.LateGame, t.cfg.NumEnvs, t.vec.Config().Workers, engine.NewRand(t.cfg.Seed).At(streamLate))
	if err != nil {
		return err
	}
	t.vec.Close()
	t.matches, t.vec, t.game, t.warm = v, v, g, t.iteration+t.cfg.WarmupUpdates
	t.norm = normaliser{On: t.cfg.NormValue}
	t.rollout.forget()
	t.now, err = v.Reset()
	return err
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

// tell counts an iteration that trained on some decisions, and says so.
func (t *trainer) tell(u *Update, trained int) {
	t.iteration++
	t.steps += int64(t.cfg.NumEnvs) * int64(t.cfg.steps(t.steps))
	t.trained += int64(trained)
	t.episodes += t.finished.matches
	u.Steps, u.Trained, u.Episodes = t.steps, t.trained, t.episodes
	if n := float64(t.finished.matches); n > 0 {
		u.Finished = t.finished.matches
		u.EpisodeLength = float64(t.finished.decisions) / n
		for _, sum := range t.finished.returns {
			u.SeatReturn = append(u.SeatReturn, sum/n)
			u.EpisodeReturn += sum / n / float64(len(t.finished.returns))
		}
	}
}

// rates are the speeds of an iteration: it began, began to update and ended at
// these times, when libtorch had worked for so long.
func (t *trainer) rates(trained int, env time.Duration, begin, updating, end time.Time, torchBegin, torchUpdating, torchEnd time.Duration) Rates {
	n, wall := float64(trained), end.Sub(begin).Seconds()
	return Rates{
		SPS:           n / wall,
		EnvSPS:        float64(t.cfg.NumEnvs*t.cfg.steps(t.steps)) / env.Seconds(),
		TrainSPS:      n / end.Sub(updating).Seconds(),
		OutsideTorch:  1 - (torchEnd-torchBegin).Seconds()/wall,
		OutsideUpdate: 1 - (torchEnd-torchUpdating).Seconds()/end.Sub(updating).Seconds(),
	}
}

// anneal sets what this iteration learns with: from the start of each schedule, in the first iteration, to its end
// in the last. A learning rate that falls to 0 is not there yet.
func (t *trainer) anneal(u *Update) learner.Hyper {
	c := t.cfg
	done := c.done(t.iteration)
	u.LearningRate = c.LearningRate
	if c.AnnealLR && c.LearningRateFinal > 0 {
		u.LearningRate = c.between(c.LearningRate, c.LearningRateFinal, done)
	} else if c.AnnealLR {
		u.LearningRate = float64(c.LearningRate * (1 - min(float64(t.iteration)/float64(c.Iterations()), 1)))
	}
	u.EntCoef, u.MagnetCoef = c.between(c.EntCoef, c.EntCoefFinal, done), c.between(c.MagnetCoef, c.MagnetCoefFinal, done)
	return learner.Hyper{
		LR: u.LearningRate, ClipCoef: c.ClipCoef, ClipVLoss: c.ClipVLoss, NormAdv: c.NormAdv,
		EntCoef: u.EntCoef, VfCoef: c.VfCoef, OthersCoef: c.OthersCoef, MaxGradNorm: c.MaxGradNorm,
		KLCoef: c.KLCoef, MagnetCoef: u.MagnetCoef, CriticOnly: t.iteration < max(c.WarmupUpdates, t.warm),
	}
}

// collect plays num_steps decisions in every match and returns the time that
// the environments took. It allocates nothing.
func (t *trainer) collect() (time.Duration, error) {
	var envTime time.Duration
	n, a := t.cfg.NumEnvs, t.rollout.a
	t.finished.matches, t.finished.decisions = 0, 0
	clear(t.finished.returns)
	scales := t.scales()
	for range t.cfg.steps(t.steps) {
		b := t.now
		if err := t.foresee(b, scales); err != nil {
			return 0, err
		}
		for i := range n {
			logps, mask := t.logps[i*a:(i+1)*a], b.Mask[i*a:(i+1)*a]
			action := sample(logps, mask, &t.sampling)
			// The mask is checked again here, so that what is stored is legal whatever the network said.
			if action < 0 || mask[action] == 0 {
				return 0, t.diverged(i)
			}
			t.actions[i], t.logp[i] = action, logps[action]
		}
		if t.league != nil {
			t.league.met(t.matches.Stream, b, t.rollout.met[t.rollout.n*t.rollout.k:], &t.chances)
		}
		if err := t.lead(scales[0].deviation); err != nil {
			return 0, fmt.Errorf("update %d: leads: %w", t.iteration+1, err)
		}
		t.rollout.decide(b, t.actions, t.logp, t.values)
		t.rollout.keep(b, t.logps)

		begin := time.Now()
		b, err := t.matches.Step(t.actions)
		envTime += time.Since(begin)
		if err != nil {
			return 0, fmt.Errorf("update %d: %w", t.iteration+1, err)
		}
		if err := t.credit(b, scales); err != nil {
			return 0, err
		}
	}
	return envTime, nil
}

// lead keeps by how much the critic expects more of the actions that are about to be taken than of the policy, if it says so.
func (t *trainer) lead(deviation float64) error {
	if t.leads == nil {
		return nil
	}
	if err := t.learner.Leads(t.asked, t.leads); err != nil {
		return err
	}
	for i, action := range t.actions {
		x := float64(t.leads[i*t.rollout.a+int(action)])
		t.rollout.lead[t.rollout.n+i] = float32(float64(x * deviation))
	}
	return nil
}

// credit takes in what came of the decisions of a step: what they earned, and which matches ended.
func (t *trainer) credit(b *env.Batch, scales []scale) error {
	t.now = b
	t.rollout.earn(b)
	if err := t.ends.bootstrap(t.learner, t.rollout, b, scales); err != nil {
		return fmt.Errorf("update %d: value of a truncated match: %w", t.iteration+1, err)
	}
	t.rollout.end(b)
	t.finished.add(b)
	return nil
}

// diverged is the error of an update in which the network's probabilities in a row cannot be sampled.
func (t *trainer) diverged(row int) error {
	return fmt.Errorf("update %d: the network's probabilities in row %d are not finite or do not sum to 1: the training diverged; lower learning_rate", t.iteration+1, row)
}

// ask lets the network answer the decisions at hand; values may be nil.
func (t *trainer) ask(b *env.Batch, values []float32) error {
	d := &t.asked
	d.Obs, d.Critic, d.Mask, d.Rows, d.Offsets = b.Obs, b.Full, b.Mask, b.ActionRows, b.ActionOffsets
	return t.learner.Forward(*d, t.logps, values)
}

// foresee lets the network answer the decisions at hand, and turns what it tells into what that means.
func (t *trainer) foresee(b *env.Batch, scales []scale) error {
	if err := t.ask(b, t.values); err != nil {
		return fmt.Errorf("update %d: act: %w", t.iteration+1, err)
	}
	for i, x := range t.values {
		t.values[i] = scales[i%len(scales)].meant(x)
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

// update takes the epochs of minibatches.
func (t *trainer) update(hyper learner.Hyper, u *Update) error {
	scales := t.scales()
	updates := 0.0
	for range t.cfg.UpdateEpochs {
		var kl, oldKL, n float64
		err := t.focus.minibatches(t, func(rows []int32, acting int) error {
			b := t.gather(rows, scales)
			t.focus.weigh(&b, acting)
			err := t.anchor(&b, rows, hyper)
			var s learner.Stats
			if err == nil {
				s, err = t.learner.Update(b, hyper)
			}
			if err != nil {
				return fmt.Errorf("update %d: %w", t.iteration+1, err)
			}
			updates++
			u.Losses.add(s, updates)
			n++
			kl += s.ApproxKL
			oldKL += s.OldApproxKL
			return nil
		})
		if err != nil || n == 0 { // num_steps can be so small that no decision is complete yet
			return err
		}
		u.Epochs++
		u.Losses.ApproxKL, u.Losses.OldApproxKL = kl/n, oldKL/n
		if t.cfg.TargetKL > 0 && u.Losses.ApproxKL > t.cfg.TargetKL {
			break
		}
	}
	return nil
}

// minibatches deals the complete rows out, in a new order each time.
func (t *trainer) minibatches(learn func(rows []int32) error) error {
	rows := t.rollout.closed
	shuffle(rows, &t.shuffling)
	n := t.cfg.minibatches(len(rows), t.steps)
	for k := range n {
		if err := learn(part(rows, k, n)); err != nil {
			return err
		}
	}
	return nil
}

// minibatches is into how many of them rows are dealt, in the update that began after so many decisions.
func (c *Config) minibatches(rows int, steps int64) int {
	size := c.MinibatchSize
	if c.LateMinibatchSize > 0 && c.late(steps) {
		size = c.LateMinibatchSize
	}
	if size > 0 {
		return (rows + size - 1) / size
	}
	return min(c.NumMinibatches, rows)
}

// part is the k-th of n nearly equal parts of rows: none is a small rest.
func part(rows []int32, k, n int) []int32 { return rows[len(rows)*k/n : len(rows)*(k+1)/n] }

func shuffle(rows []int32, r *engine.Rand) {
	for i := len(rows) - 1; i > 0; i-- {
		j := r.Intn(i + 1)
		rows[i], rows[j] = rows[j], rows[i]
	}
}

// gather copies rows into the minibatch. Returns and values are converted to
// the unit that the value head learns.
func (t *trainer) gather(rows []int32, scales []scale) learner.Batch {
	r, b := t.rollout, t.batch
	b.N = len(rows)
	b.Rows, b.Offsets = b.Rows[:0], append(b.Offsets[:0], 0)
	for i, row := range rows {
		from := int(row)
		copy(b.Obs[i*r.d:(i+1)*r.d], r.obs[from*r.d:])
		copy(b.Mask[i*r.a:(i+1)*r.a], r.mask[from*r.a:])
		if r.f > 0 {
			copy(b.Critic[i*r.f:(i+1)*r.f], r.full[from*r.f:])
		}
		b.Rows = append(b.Rows, r.does.of(from)...)
		b.Offsets = append(b.Offsets, int32(len(b.Rows)/max(1, r.does.width)))
		b.Action[i] = r.action[from]
		b.OldLogp[i] = r.logp[from]
		b.Advantage[i] = r.advantage[from]
		for k, s := range scales {
			p := r.of(k)
			b.Return[i*len(scales)+k], b.OldValue[i*len(scales)+k] = s.told(p.returns[from]), s.told(p.value[from])
		}
	}
	t.batch.Rows, t.batch.Offsets = b.Rows, b.Offsets // they have grown
	if r.does.width == 0 {
		b.Offsets = nil
	}
	n := b.N
	b.Obs, b.Mask = b.Obs[:n*r.d], b.Mask[:n*r.a]
	if r.f > 0 {
		b.Critic = b.Critic[:n*r.f]
	}
	b.Action, b.OldLogp, b.Advantage = b.Action[:n], b.OldLogp[:n], b.Advantage[:n]
	b.Return, b.OldValue = b.Return[:n*len(scales)], b.OldValue[:n*len(scales)]
	return b
}

// endings asks the critic about matches that were cut short: what each seat
// could still expect there is part of what its last decision was worth.
type endings struct {
	rows           []int32 // of the rollout, waiting for a value
	obs, full      []uint8
	values         []float32
	d, f, capacity int
}

func newEndings(capacity int, lc learner.Config) endings {
	return endings{
		rows: make([]int32, 0, capacity), obs: make([]uint8, capacity*lc.ObsDim), full: make([]uint8, capacity*lc.CriticDim),
		values: make([]float32, capacity*lc.Values), d: lc.ObsDim, f: lc.CriticDim, capacity: capacity,
	}
}

// bootstrap sets boot of the last decisions of all seats of truncated matches.
func (e *endings) bootstrap(l learner.Learner, r *rollout, b *env.Batch, scales []scale) error {
	e.rows = e.rows[:0]
	boot := func(p *prospect) []float32 { return p.boot }
	for i, truncated := range b.Truncated {
		if !truncated || b.Terminated[i] {
			continue
		}
		for slot := i * r.seats; slot < (i+1)*r.seats; slot++ {
			if r.last[slot] < 0 {
				continue
			}
			if len(e.rows) == e.capacity {
				if err := e.answer(l, r, boot, scales); err != nil {
					return err
				}
			}
			var full []uint8
			if e.f > 0 {
				full = b.FinalFull[slot*e.f : (slot+1)*e.f]
			}
			e.add(b.FinalObs[slot*e.d:(slot+1)*e.d], full, r.last[slot])
		}
	}
	return e.answer(l, r, boot, scales)
}

// add puts one more row of the rollout down for an answer, with what its seat sees.
func (e *endings) add(obs, full []uint8, row int32) {
	k := len(e.rows)
	e.rows = append(e.rows, row)
	copy(e.obs[k*e.d:(k+1)*e.d], obs)
	copy(e.full[k*e.f:(k+1)*e.f], full)
}

// answer writes what the critic says into a part of the rollout's prospects, and forgets the rows.
func (e *endings) answer(l learner.Learner, r *rollout, part func(*prospect) []float32, scales []scale) error {
	n := len(e.rows)
	if n == 0 {
		return nil
	}
	if err := l.Forward(learner.Decisions{N: n, Obs: e.obs[:n*e.d], Critic: e.full[:n*e.f]}, nil, e.values[:n*len(scales)]); err != nil {
		return err
	}
	for i, row := range e.rows {
		for k, s := range scales {
			part(r.of(k))[row] = s.meant(e.values[i*len(scales)+k])
		}
	}
	e.rows = e.rows[:0]
	return nil
}
