package train

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/train/learner"
)

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

// iterate is one iteration of masked PPO (Schulman et al., "Proximal policy optimization algorithms", 2017): collect, advantages,
// update. What damps its steps, the divergence to the policy that collected and to a magnet (magnet.go), is part of the loss.
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
	u.LearningRate, u.EntCoef, u.MagnetCoef = c.scheduled(t.iteration)
	return learner.Hyper{
		LR: u.LearningRate, ClipCoef: c.ClipCoef, ClipVLoss: c.ClipVLoss, NormAdv: c.NormAdv,
		EntCoef: u.EntCoef, VfCoef: c.VfCoef, OthersCoef: c.OthersCoef, MaxGradNorm: c.MaxGradNorm,
		KLCoef: c.KLCoef, MagnetCoef: u.MagnetCoef, CriticOnly: t.iteration < max(c.WarmupUpdates, t.warm),
	}
}

// scheduled is what an iteration learns with, by the schedules over the whole run.
func (c *Config) scheduled(iteration int) (learningRate, entCoef, magnetCoef float64) {
	done := c.done(iteration)
	learningRate = c.LearningRate
	if c.AnnealLR && c.LearningRateFinal > 0 {
		learningRate = c.between(c.LearningRate, c.LearningRateFinal, done)
	} else if c.AnnealLR {
		learningRate = float64(c.LearningRate * (1 - min(float64(iteration)/float64(c.Iterations()), 1)))
	}
	return learningRate, c.between(c.EntCoef, c.EntCoefFinal, done), c.between(c.MagnetCoef, c.MagnetCoefFinal, done)
}

// setBack says which schedules the run goes back on, by more than a tenth of where they begin, if it goes on as another than it was: they are
// over the whole run, so that a longer one is not as far. "": none.
func (c *Config) setBack(before Config, iteration int) string {
	var back []string
	was, wasEnt, wasMagnet := before.scheduled(max(iteration-1, 0))
	now, nowEnt, nowMagnet := c.scheduled(iteration)
	for _, s := range []struct {
		name           string
		from, was, now float64
	}{{"the learning rate", c.LearningRate, was, now}, {"ent_coef", c.EntCoef, wasEnt, nowEnt}, {"magnet_coef", c.MagnetCoef, wasMagnet, nowMagnet}} {
		if math.Abs(s.was-s.from)-math.Abs(s.now-s.from) > 0.1*math.Abs(s.from) {
			back = append(back, fmt.Sprintf("%s goes from %.3g back to %.3g", s.name, s.was, s.now))
		}
	}
	if back == nil {
		return ""
	}
	return fmt.Sprintf("total_timesteps is %d and was %d, and schedules are over the whole run: %s; a run that begins with init_from has a schedule of its own",
		c.TotalTimesteps, before.TotalTimesteps, strings.Join(back, ", "))
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
