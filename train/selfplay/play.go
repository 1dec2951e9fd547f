package selfplay

import (
	"bytes"
	"fmt"
	"io"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/train/learner"
)

// Play is self-play: one network has all seats of all matches, or those that opponents leave it, and its decisions are kept in a
// buffer until an algorithm has learnt from them. It touches no files and uses the clock only to measure.
type Play struct {
	Config  Config
	Game    engine.Game
	Encoder *encode.Encoder
	Matches Vector     // Vec or, of several configurations, a mixture
	Vec     *env.Vec   // of the first configuration
	Now     *env.Batch // the decisions to be taken next
	Learner learner.Learner
	Buffer  *Buffer
	Read    policy.Reader // of the bundles of opponents
	State

	// Scratch, allocated once.
	Actions       []int32   // [envs]
	Logp          []float32 // [envs], of Actions
	Logps, Values []float32 // [envs, actions], [envs]: what the network answers

	league    *league // nil unless an opponent is of one
	critic    critic
	asked     learner.Decisions
	batch     learner.Batch // with room for the largest minibatch
	imitation learner.ImitationBatch
	offsets   []int32 // of imitation
	finished  tally
}

// State is where self-play stands, besides arrays.
type State struct {
	Iteration int   `json:"iteration"` // updates
	Steps     int64 `json:"steps"`     // decisions collected
	Trained   int64 `json:"trained"`   // decisions trained on
	Episodes  int64 `json:"episodes"`  // matches finished

	Sampling  engine.Rand `json:"sampling"`
	Shuffling engine.Rand `json:"shuffling"`
	Norm      Normaliser  `json:"normaliser"` // of returns
}

// Vector is matches that are stepped together, as by env.Vec.
type Vector interface {
	Reset() (*env.Batch, error)
	Step(actions []int32) (*env.Batch, error)
	Match(row int) engine.Match
	Snapshot(w io.Writer) error
	Restore(r io.Reader) error
	Close()
}

// New makes the matches and the network of a configuration that was validated.
func New(cfg Config, newLearner func(learner.Config) (learner.Learner, error)) (p *Play, err error) {
	p = &Play{Config: cfg}
	defer func() {
		if err != nil {
			p.Close()
			p = nil
		}
	}()
	if p.Game, err = engine.NewGame(cfg.Game); err != nil {
		return p, err
	}
	if p.Encoder, err = encode.For(p.Game); err != nil {
		return p, err
	}
	if cfg.ReadsActions() && p.Encoder.ActionSize() == 0 {
		return p, fmt.Errorf("network: %s reads rows of actions, which %s does not have yet: use mlp", cfg.Network, p.Game.Info().Game)
	}
	root := engine.NewRand(cfg.Seed)
	p.Sampling, p.Shuffling = root.At(StreamSampling), root.At(streamShuffling)
	p.league = newLeague(cfg, p.Game, p.Encoder, &p.Read)
	var vecs []*env.Vec
	envs := split(cfg.NumEnvs, cfg.tables())
	for i, t := range cfg.tables() {
		seed := cfg.MatchSeed()
		if i > 0 {
			seed = root.At(streamMatches).At(uint64(i)).Key
		}
		v, err := p.newVec(t, envs[i], cfg.Goroutines(), seed)
		if err != nil {
			return p, err
		}
		vecs = append(vecs, v)
		if p.Vec == nil {
			p.Matches, p.Vec = v, v
		}
	}
	n, seats := cfg.NumEnvs, p.Game.Info().Seats
	learning := seats - opponentsOf(p.Vec)
	if len(vecs) > 1 {
		m := newMixture(vecs, p.Encoder, cfg.PerfectCritic, cfg.ReadsActions())
		p.Matches, seats, learning = m, m.seats, m.learning
	}
	lc := cfg.Learner(p.Encoder)
	if p.Learner, err = newLearner(lc); err != nil {
		return p, err
	}

	p.Buffer = newBuffer(n, seats, max(cfg.NumSteps, cfg.Late.Steps), lc.ObsDim, lc.CriticDim, lc.NumActions, lc.RowDim)
	p.Actions, p.Logp = make([]int32, n), make([]float32, n)
	p.Logps, p.Values = make([]float32, n*lc.NumActions), make([]float32, n)
	p.critic = newCritic(n, lc)
	p.asked = learner.Decisions{N: n}
	most := cfg.largestMinibatch(len(p.Buffer.next))
	p.batch = learner.Batch{
		Decisions: learner.Decisions{Obs: make([]uint8, most*lc.ObsDim), Mask: make([]uint8, most*lc.NumActions)},
		Action:    make([]int32, most), OldLogp: make([]float32, most), Advantage: make([]float32, most),
		Return: make([]float32, most),
	}
	if lc.CriticDim > 0 {
		p.batch.Critic = make([]uint8, most*lc.CriticDim)
	}
	p.finished.returns = make([]float64, learning)
	p.Now, err = p.Matches.Reset()
	return p, err
}

// newVec makes n matches of a table.
func (p *Play) newVec(t Table, n, workers int, seed uint64) (*env.Vec, error) {
	cfg := p.Config
	g, err := engine.NewGame(t.Game)
	if err != nil {
		return nil, err
	}
	seated, err := players(cfg.opponents(t), g, p.league, &p.Read)
	if err != nil {
		return nil, err
	}
	return env.New(env.Config{
		Game: t.Game, NumEnvs: n, Workers: workers, Seed: seed,
		Autoreset: env.SameStep, Full: cfg.PerfectCritic, ActionRows: cfg.ReadsActions(),
		Players: seated, ShuffleSeats: len(seated) > 0,
	})
}

// Close frees the network and ends the matches.
func (p *Play) Close() {
	if p.Learner != nil {
		p.Learner.Close()
	}
	if p.Matches != nil {
		p.Matches.Close()
	}
}

// Vecs are the vectors of the configurations of a run, in their order.
func (p *Play) Vecs() []*env.Vec {
	if m, ok := p.Matches.(*mixture); ok {
		return m.vecs
	}
	return []*env.Vec{p.Vec}
}

// GameOf is the number of the configuration, in Config.All, that a row plays.
func (p *Play) GameOf(row int) int {
	if m, ok := p.Matches.(*mixture); ok {
		return m.of(row)
	}
	return 0
}

// tally sums up the matches that ended during one collection.
type tally struct {
	matches, decisions int64     // decisions of the seats that learn
	returns            []float64 // [seats]
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

// Collect begins a collection: it counts the matches that end in it.
func (p *Play) Collect() {
	p.finished.matches, p.finished.decisions = 0, 0
	clear(p.finished.returns)
}

// Ask computes the network's answers to the decisions in Now: log-probabilities into Logps and, as returns, the critic's values into
// Values.
func (p *Play) Ask() error {
	d, b, scale := &p.asked, p.Now, p.Norm.Scale()
	d.Obs, d.Critic, d.Mask, d.Rows, d.Offsets = b.Obs, b.Full, b.Mask, b.ActionRows, b.ActionOffsets
	if err := p.Learner.Forward(*d, p.Logps, p.Values); err != nil {
		return fmt.Errorf("update %d: act: %w", p.Iteration+1, err)
	}
	for i, x := range p.Values {
		p.Values[i] = scale.Restore(x)
	}
	return nil
}

// Answer is what Ask has computed for a row, log-probabilities, [actions], and the mask of its legal actions, [actions].
func (p *Play) Answer(row int) (logps []float32, mask []uint8) {
	a := p.Buffer.Actions
	return p.Logps[row*a : (row+1)*a], p.Now.Mask[row*a : (row+1)*a]
}

// Sample draws the action of a row by its log-probabilities into Actions and Logp.
func (p *Play) Sample(row int, r *engine.Rand) error {
	logps, mask := p.Answer(row)
	action := sample(logps, mask, r)
	// The mask is checked again here, so that stored actions are legal whatever the network answered.
	if action < 0 || mask[action] == 0 {
		return fmt.Errorf("update %d: the network's probabilities in row %d are not finite or do not sum to 1: the training diverged; lower learning_rate", p.Iteration+1, row)
	}
	p.Actions[row], p.Logp[row] = action, logps[action]
	return nil
}

// Step plays actions, [envs], and records the decisions' rewards and the matches that ended.
func (p *Play) Step(actions []int32) error {
	b, err := p.Matches.Step(actions)
	if err != nil {
		return fmt.Errorf("update %d: %w", p.Iteration+1, err)
	}
	p.Now = b
	p.Buffer.earn(b)
	if err := p.critic.bootstrap(p.Learner, p.Buffer, b, p.Norm.Scale()); err != nil {
		return fmt.Errorf("update %d: value of a truncated match: %w", p.Iteration+1, err)
	}
	p.Buffer.end(b)
	p.finished.add(b)
	return nil
}

// Minibatches calls learn with minibatches of the complete rows, in a new order each time.
func (p *Play) Minibatches(learn func(rows []int32) error) error {
	rows := p.Buffer.Complete
	for i := len(rows) - 1; i > 0; i-- {
		j := p.Shuffling.Intn(i + 1)
		rows[i], rows[j] = rows[j], rows[i]
	}
	n := p.Config.minibatches(len(rows), p.Steps)
	for k := range n { // nearly equal parts: none is a small rest
		if err := learn(rows[len(rows)*k/n : len(rows)*(k+1)/n]); err != nil {
			return err
		}
	}
	return nil
}

// Largest is how many rows Batch has room for; at most as many as there are environments.
func (p *Play) Largest() int { return min(p.Config.NumEnvs, len(p.batch.Action)) }

// Batch copies rows into the minibatch, with returns in the unit that the value head learns. It is valid until the next call.
func (p *Play) Batch(rows []int32) learner.Batch {
	r, b, scale := p.Buffer, p.batch, p.Norm.Scale()
	b.N = len(rows)
	b.Rows, b.Offsets = b.Rows[:0], append(b.Offsets[:0], 0)
	for i, row := range rows {
		from := int(row)
		copy(b.Obs[i*r.d:(i+1)*r.d], r.obs[from*r.d:])
		copy(b.Mask[i*r.Actions:(i+1)*r.Actions], r.mask[from*r.Actions:])
		if r.f > 0 {
			copy(b.Critic[i*r.f:(i+1)*r.f], r.full[from*r.f:])
		}
		b.Rows = append(b.Rows, r.rows.Of(from)...)
		b.Offsets = append(b.Offsets, int32(len(b.Rows)/max(1, r.rows.width)))
		b.Action[i] = r.Action[from]
		b.OldLogp[i] = r.Logp[from]
		b.Advantage[i] = r.Advantage[from]
		b.Return[i] = scale.normalise(r.Returns[from])
	}
	p.batch.Rows, p.batch.Offsets = b.Rows, b.Offsets // they have grown
	if r.rows.width == 0 {
		b.Offsets = nil
	}
	n := b.N
	b.Obs, b.Mask = b.Obs[:n*r.d], b.Mask[:n*r.Actions]
	if r.f > 0 {
		b.Critic = b.Critic[:n*r.f]
	}
	b.Action, b.OldLogp, b.Advantage = b.Action[:n], b.OldLogp[:n], b.Advantage[:n]
	b.Return = b.Return[:n]
	return b
}

// Next carries incomplete decisions over to the next iteration, and adds the network to the league if that is due.
func (p *Play) Next() error {
	if p.league != nil {
		if err := p.league.enter(p.Iteration, p.Learner); err != nil {
			return fmt.Errorf("update %d: %w", p.Iteration, err)
		}
	}
	p.Buffer.Carry()
	return nil
}

// Save adds the sections of a checkpoint: the network, the matches, the decisions that are not complete and the league.
func (p *Play) Save(sections map[string][]byte) error {
	var net, matches, rows, league bytes.Buffer
	if err := p.Learner.Save(&net); err != nil {
		return fmt.Errorf("network: %w", err)
	}
	if err := p.Matches.Snapshot(&matches); err != nil {
		return fmt.Errorf("environments: %w", err)
	}
	if err := p.Buffer.Save(&rows); err != nil {
		return fmt.Errorf("open decisions: %w", err)
	}
	sections["learner"], sections["env"], sections["buffer"] = net.Bytes(), matches.Bytes(), rows.Bytes()
	if p.league == nil {
		return nil
	}
	err := p.league.save(&league)
	sections["league"] = league.Bytes()
	return err
}

// Restore continues from a checkpoint.
func (p *Play) Restore(sections map[string][]byte, st State) error {
	if err := p.Learner.Load(bytes.NewReader(sections["learner"])); err != nil {
		return fmt.Errorf("network: %w", err)
	}
	if saved, ok := sections["league"]; ok && p.league != nil {
		if err := p.league.load(bytes.NewReader(saved)); err != nil {
			return fmt.Errorf("league: %w", err)
		}
	}
	if err := p.Matches.Restore(bytes.NewReader(sections["env"])); err != nil {
		return fmt.Errorf("environments: %w", err)
	}
	if err := p.Buffer.Load(bytes.NewReader(sections["buffer"])); err != nil {
		return fmt.Errorf("open decisions: %w", err)
	}
	p.State = st
	return nil
}
