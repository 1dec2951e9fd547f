package train

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/env/measure/compare"
	"github.com/privateer-rl/privateer/train/imitation"
	"github.com/privateer-rl/privateer/train/learner"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// Run trains from the beginning in a new run folder, {root}/{game}__{exp}__{seed}__{unixtime}. When ctx ends, the current iteration is
// finished and a checkpoint written; the error then wraps ctx.Err, and the summary says where to resume.
func Run(ctx context.Context, cfg Config, opt Options) (Summary, error) {
	opt = opt.withDefaults()
	if err := cfg.Validate(); err != nil {
		return Summary{}, fmt.Errorf("configuration: %w", err)
	}
	// Missing parts are found before anything is written.
	r := &run{dir: opt.dir, opt: opt, began: time.Now()}
	defer r.close()
	if err := r.prepare(cfg); err != nil {
		return Summary{}, fmt.Errorf("train %s: %w", cfg.Game, err)
	}
	if cfg.InitFrom != "" {
		if err := beginWith(r.play, cfg.InitFrom, opt); err != nil {
			return Summary{}, err
		}
	}
	var err error
	if r.dir == "" {
		if r.dir, err = newRunFolder(opt.Root, cfg); err != nil {
			return Summary{}, err
		}
	}
	if err := os.MkdirAll(filepath.Join(r.dir, checkpointsDir), 0o755); err != nil {
		return Summary{}, fmt.Errorf("make run folder: %w", err)
	}
	if r.lock, err = lockFolder(r.dir); err != nil {
		return Summary{}, err
	}
	if err := durable.WriteFile(filepath.Join(r.dir, configFile), cfg.YAML()); err != nil {
		return Summary{}, err
	}
	if err := r.openLogs(0); err != nil {
		return Summary{}, err
	}
	// From here on the run can be resumed.
	if err := r.checkpoint(false); err != nil {
		return Summary{}, err
	}
	return r.loop(ctx)
}

// Resume continues the run in folder dir from its newest intact checkpoint as if it had never stopped. edit, which may be nil, changes the
// configuration (a longer run, another device); changes that do not fit the checkpoint are refused. Of several stages, each is edited.
func Resume(ctx context.Context, dir string, edit func(*Config) error, opt Options) (Summary, error) {
	opt = opt.withDefaults()
	stages, err := LoadStages(filepath.Join(dir, configFile))
	if err != nil {
		return Summary{}, fmt.Errorf("resume %s: no run folder: %w", dir, err)
	}
	if !stages.one() {
		return stages.goOn(ctx, dir, edit, opt)
	}
	cfg := stages[0].Config
	lock, err := lockFolder(dir)
	if err != nil {
		return Summary{}, err
	}
	r := &run{dir: dir, lock: lock, opt: opt, began: time.Now()}
	defer r.close()
	s, st, from, err := newest(dir, opt.Warn)
	if err != nil {
		return Summary{}, fmt.Errorf("resume: %w", err)
	}
	if edit != nil {
		if err := edit(&cfg); err != nil {
			return Summary{}, err
		}
	}
	if err := cfg.Validate(); err != nil {
		return Summary{}, fmt.Errorf("resume %s: configuration: %w", dir, err)
	}
	before, err := ParseConfig([]byte(st.Config))
	if err != nil {
		return Summary{}, fmt.Errorf("resume from %s: %w", from, err)
	}
	if err := cfg.sameRun(&before); err != nil {
		return Summary{}, fmt.Errorf("resume from %s: %w", from, err)
	}
	if cfg.Iterations() < st.Iteration {
		return Summary{}, fmt.Errorf("resume from %s: total_timesteps is %d, but the checkpoint has %d decisions: want at least as many", from, cfg.TotalTimesteps, st.Steps)
	}
	if err := checkSchema(&cfg, st.SchemaHash, from); err != nil {
		return Summary{}, err
	}
	if err := r.prepare(cfg); err != nil {
		return Summary{}, fmt.Errorf("resume %s: %w", dir, err)
	}
	if err := r.restore(s, st); err != nil {
		return Summary{}, fmt.Errorf("resume from %s: %w", from, err)
	}
	if back := cfg.setBack(&before, st.Iteration); back != "" {
		opt.Warn(back)
	}
	// Nothing can be refused any more: from here on the folder changes.
	putAside(filepath.Join(dir, checkpointsDir), st.Steps, opt.Warn)
	if err := sweep(dir); err != nil {
		opt.Warn(err.Error())
	}
	if err := forgetAverage(r.dir); err != nil {
		return Summary{}, err
	}
	r.best, r.before = st.BestScore, time.Duration(st.Seconds*float64(time.Second))
	if err := durable.WriteFile(filepath.Join(dir, configFile), cfg.YAML()); err != nil {
		return Summary{}, err
	}
	if err := r.openLogs(st.MetricsOffset); err != nil {
		return Summary{}, err
	}
	return r.loop(ctx)
}

// prepare makes everything that a run needs except files.
func (r *run) prepare(cfg Config) error {
	if err := r.equip(cfg); err != nil {
		return err
	}
	settings, err := taught(&cfg, r.dir)
	if err != nil {
		return err
	}
	a, _ := algorithmOf(cfg.Algorithm)
	r.algorithm, err = a.New(r.play, settings)
	return err
}

// equip makes the matches, the players and the networks.
func (r *run) equip(cfg Config) error {
	r.cfg = cfg
	g, err := engine.NewGame(cfg.Game)
	if err != nil {
		return err
	}
	if cfg.EvalMatches > 0 {
		r.players = cfg.EvalBots
	}
	for _, name := range r.players {
		if _, err := r.read.NewBot(name, g); err != nil {
			return fmt.Errorf("eval_bots: %w", err)
		}
	}
	if cfg.Exploitability {
		if r.solver, err = newSolver(cfg); err != nil {
			return fmt.Errorf("exploitability: %w", err)
		}
	}
	if r.play, err = selfplay.New(cfg.Config, r.opt.NewLearner); err != nil {
		return err
	}
	if r.solver != nil {
		if r.solver.mean.net, err = r.opt.NewLearner(cfg.Learner(r.play.Encoder)); err != nil {
			return err
		}
	}
	return nil
}

// run is a training with its folder.
type run struct {
	dir     string
	opt     Options
	cfg     Config
	play    *selfplay.Play
	players []string      // bots to evaluate against
	read    policy.Reader // of their bundles, each of which is read once

	algorithm selfplay.Algorithm
	solver    *solver // nil unless exploitability is computed
	lock      *os.File
	metrics   *metrics
	board     *tensorboard

	best   *float64 // score of the best evaluation
	began  time.Time
	before time.Duration // spent before the last resume
}

func (r *run) seconds() float64 { return (r.before + time.Since(r.began)).Seconds() }

func (r *run) openLogs(offset int64) (err error) {
	var short bool
	if r.metrics, short, err = openMetrics(r.dir, offset); err != nil {
		return err
	}
	if short {
		r.opt.Warn(fmt.Sprintf("%s/metrics.jsonl ends before the checkpoint: some of its lines were lost", r.dir))
	}
	r.board, err = newTensorboard(r.dir, r.play.Steps)
	return err
}

func (r *run) close() {
	if r.play != nil {
		r.play.Close()
	}
	if r.solver != nil && r.solver.mean.net != nil {
		r.solver.mean.net.Close()
	}
	if r.metrics != nil {
		r.metrics.close()
	}
	if r.board != nil {
		r.board.close()
	}
	if r.lock != nil {
		r.lock.Close()
	}
}

// loop iterates to the end: train, evaluate, log, checkpoint.
func (r *run) loop(ctx context.Context) (Summary, error) {
	t, cfg := r.play, r.cfg
	last := cfg.Iterations()
	had, started := t.Steps, time.Now()
	sum := Summary{Dir: r.dir, Game: cfg.Evaluated(), Steps: t.Steps}
	r.opt.Progress(Update{Dir: r.dir, Iteration: t.Iteration, Iterations: last, Steps: t.Steps, TotalSteps: cfg.TotalTimesteps})
	for t.Iteration < last {
		did, err := r.algorithm.Iterate()
		if err != nil {
			return sum, err
		}
		at := t.Iteration
		if r.solver != nil {
			if err := r.solver.mean.take(t.Learner, at); err != nil {
				return sum, err
			}
		}
		u := Update{
			Update: did, Iteration: at, Iterations: last, Steps: t.Steps, TotalSteps: cfg.TotalTimesteps, Trained: t.Trained, Episodes: t.Episodes,
		}
		better, err := r.evaluate(&u, at == last || due(at, cfg.EvalEvery))
		if err != nil {
			return sum, fmt.Errorf("update %d: evaluate: %w", at, err)
		}
		stop := ctx.Err() != nil
		u.Checkpoint = better || stop || at == last || due(at, cfg.CheckpointEvery)
		u.Dir = r.dir
		u.Elapsed = r.before + time.Since(r.began)
		u.Remaining = remaining(time.Since(started), t.Steps-had, cfg.TotalTimesteps-t.Steps)
		if err := r.log(u); err != nil {
			return sum, err
		}
		if u.Checkpoint {
			if err := r.checkpoint(better); err != nil {
				return sum, err
			}
		}
		sum.take(u)
		r.opt.Progress(u)
		if stop && at < last {
			return sum, fmt.Errorf("training stopped after update %d of %d: %w", at, last, ctx.Err())
		}
	}
	if err := r.conclude(sum.Last.Solution); err != nil {
		return sum, fmt.Errorf("learn the average policy: %w", err)
	}
	sum.Closed = true
	return sum, nil
}

func due(iteration, every int) bool { return every > 0 && iteration%every == 0 }

// network is the network that plays: if exploitability is computed, that of the mean weights.
func (r *run) network() learner.Learner {
	if r.solver != nil {
		return r.solver.mean.net
	}
	return r.play.Learner
}

// evaluate measures the policy if that is due, and reports whether it is the best so far.
func (r *run) evaluate(u *Update, due bool) (better bool, err error) {
	t, cfg := r.play, r.cfg
	policy := policyOf(r.network(), &cfg.Config)
	if r.solver != nil {
		if err := r.solver.collect(policyOf(t.Learner, &cfg.Config), float64(t.Iteration)/float64(cfg.Iterations())); err != nil {
			return false, err
		}
	}
	if !due {
		return false, nil
	}
	score, measures := 0.0, 0
	if examined, ok := r.algorithm.(interface {
		Exam() (*imitation.Exam, error)
	}); ok {
		if u.Exam, err = examined.Exam(); err != nil {
			return false, err
		}
		if u.Exam != nil && len(r.players) == 0 {
			score, measures = u.Exam.All.Top1, 1
		}
	}
	for _, game := range cfg.evaluations() {
		for _, bot := range r.players {
			v, err := compare.Evaluate(context.Background(), policy, compare.Evaluation{
				Game: game, Bot: bot, Read: &r.read, Matches: cfg.EvalMatches, Greedy: cfg.EvalGreedy, Workers: cfg.Workers,
				Seed: engine.NewRand(cfg.Seed).At(selfplay.StreamEvaluation).Key,
			})
			if err != nil {
				return false, err
			}
			u.Versus = append(u.Versus, v)
			if err := r.keep(v); err != nil {
				return false, err
			}
			one := v.One.WinRate.Mean
			if len(cfg.evaluations()) > 1 { // shares of tables of different sizes do not add up
				one /= v.EqualShare
			}
			score += one
			measures++
		}
	}
	if r.solver != nil {
		if u.Solution, err = r.solver.solve(policy); err != nil {
			return false, err
		}
		// If the distance from an equilibrium is known, it alone counts.
		score, measures = -u.Solution.NashConv, 1
	}
	if measures == 0 || math.IsNaN(score) || r.best != nil && score <= *r.best {
		return false, nil
	}
	r.best = &score
	return true, nil
}

// keep saves a match of an evaluation for people to read.
func (r *run) keep(v compare.Result) error {
	dir := filepath.Join(r.dir, transcriptsDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make folder for transcripts: %w", err)
	}
	return v.Sample.Save(filepath.Join(dir, fmt.Sprintf("%012d_%s%s.txt", r.play.Steps, policy.Label(v.Bot), r.cfg.at(v.Game))))
}

// log writes an update to metrics.jsonl and TensorBoard.
func (r *run) log(u Update) error {
	values, timings := u.values()
	rec := record{Iteration: u.Iteration, Step: u.Steps, Values: values, Time: timings}
	if u.Versus != nil || u.Solution != nil {
		rec.Eval = map[string]any{"versus": u.Versus, "solution": u.Solution}
	}
	if u.Exam != nil {
		rec.Exam = u.Exam
	}
	if err := r.metrics.write(rec); err != nil {
		return err
	}
	now := time.Now()
	for _, set := range []map[string]float64{values, timings} {
		tags := make([]string, 0, len(set))
		for tag := range set {
			tags = append(tags, tag)
		}
		slices.Sort(tags)
		for _, tag := range tags {
			r.board.scalar(now, u.Steps, tag, set[tag])
		}
	}
	return r.board.flush()
}

// checkpoint writes the state of the run at the end of an update, and removes those older than the newest cfg.KeepCheckpoints.
func (r *run) checkpoint(best bool) error {
	if err := r.metrics.sync(); err != nil {
		return err
	}
	all := sections{}
	if err := errors.Join(r.play.Save(all), r.algorithm.Save(all)); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if r.solver != nil {
		var err error
		if all["average"], err = r.solver.average.MarshalBinary(); err != nil {
			return fmt.Errorf("checkpoint: average policy: %w", err)
		}
		var b bytes.Buffer
		if err := r.solver.mean.net.Save(&b); err != nil {
			return fmt.Errorf("checkpoint: mean weights: %w", err)
		}
		all["mean"] = b.Bytes()
	}
	dir := filepath.Join(r.dir, checkpointsDir)
	name := filepath.Join(dir, saveName(r.play.Steps))
	if err := r.write(name, r.network(), all); err != nil {
		return err
	}
	if best {
		for _, ext := range []string{weightsExt, checkpointExt} {
			if err := durable.Link(name+ext, filepath.Join(dir, bestName+ext)); err != nil {
				return err
			}
		}
	}
	if err := prune(dir, r.cfg.KeepCheckpoints, r.play.Steps); err != nil {
		r.opt.Warn(err.Error()) // the new one is there: no reason to stop
	}
	return nil
}

// write makes a checkpoint of sections and the state, with the weights of a network beside it as safetensors; name lacks the endings.
func (r *run) write(name string, net learner.Learner, all sections) (err error) {
	all["state"], err = json.Marshal(state{
		Game: r.cfg.Game, SchemaHash: r.cfg.SchemaHash(r.play.Encoder), Config: string(r.cfg.YAML()), State: r.play.State,
		BestScore: r.best, MetricsOffset: r.metrics.offset, Seconds: r.seconds(),
	})
	if err != nil {
		return fmt.Errorf("checkpoint: state: %w", err)
	}
	if err := writeWeights(net, r.play, &r.cfg, name+weightsExt); err != nil {
		return err
	}
	return durable.WriteFile(name+checkpointExt, all.encode())
}

// restore continues from a checkpoint.
func (r *run) restore(s sections, st state) error {
	err := r.play.Restore(s, st.State)
	if err == nil {
		err = r.algorithm.Restore(s)
	}
	if err == nil && r.solver != nil {
		err = r.solver.average.UnmarshalBinary(s["average"])
	}
	if err == nil && r.solver != nil {
		err = r.solver.mean.restore(s["mean"])
	}
	return err
}

// conclude keeps the network of the average if it is the least exploitable, in a checkpoint that no run continues from, and writes into
// last, which may be nil, how exploitable it is.
func (r *run) conclude(last *Solution) error {
	if err := forgetAverage(r.dir); err != nil || r.solver == nil {
		return err
	}
	average := r.solver.average.Policy()
	if average == nil {
		return nil
	}
	lc := r.cfg.Learner(r.play.Encoder)
	net, err := r.opt.NewLearner(lc)
	if err != nil {
		return err
	}
	defer net.Close()
	if err := learner.Copy(net, r.play.Learner); err != nil {
		return err
	}
	if err := r.solver.teach(net, lc, r.cfg.VfCoef, average); err != nil {
		return err
	}
	s, err := r.solver.measure(policyOf(net, &r.cfg.Config))
	if err != nil {
		return err
	}
	if last != nil {
		last.NetworkNashConv = &s.NashConv
	}
	if r.best != nil && -s.NashConv <= *r.best {
		return nil
	}
	var weights bytes.Buffer
	if err := net.Save(&weights); err != nil {
		return fmt.Errorf("checkpoint: network: %w", err)
	}
	return r.write(filepath.Join(r.dir, checkpointsDir, averageName), net, sections{"learner": weights.Bytes()})
}
