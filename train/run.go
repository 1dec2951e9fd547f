package train

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/env/eval"
	"github.com/privateer-rl/privateer/train/learner"
)

// Options are what a caller gives a run besides its configuration.
type Options struct {
	Root     string       // folder that gets the run folder; "" means runs
	Progress func(Update) // called after each iteration, once before the first with Iteration 0; may be nil
	Warn     func(string) // told of what went wrong and was recovered from; may be nil

	// NewLearner makes the network; nil means learner.New.
	NewLearner func(learner.Config) (learner.Learner, error)
}

// Summary is what a run came to.
type Summary struct {
	Dir    string // the run folder
	Game   string // that it was evaluated in
	Last   Update // its last iteration, with the last evaluation whichever iteration that was of
	Steps  int64
	Closed bool // false when the run was interrupted before its last iteration
}

// Run trains from the beginning in a new run folder,
// {root}/{game}__{exp}__{seed}__{unixtime}. When ctx ends, the iteration at hand is
// finished and a checkpoint written; the error then wraps ctx.Err, and the
// summary says where to resume.
func Run(ctx context.Context, cfg Config, opt Options) (Summary, error) {
	opt = opt.withDefaults()
	if err := cfg.Validate(); err != nil {
		return Summary{}, fmt.Errorf("configuration: %w", err)
	}
	// Whatever is missing is found before anything is written.
	r := &run{opt: opt, began: time.Now()}
	defer r.close()
	if err := r.prepare(cfg); err != nil {
		return Summary{}, fmt.Errorf("train %s: %w", cfg.Game, err)
	}
	if cfg.InitFrom != "" {
		if err := r.trainer.beginWith(cfg.InitFrom, opt); err != nil {
			return Summary{}, err
		}
	}
	var err error
	if r.dir, err = newRunFolder(opt.Root, cfg); err != nil {
		return Summary{}, err
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

// Resume continues the run in folder dir from its newest whole checkpoint as if
// nothing had happened. edit, which may be nil, changes the configuration (a longer run, another
// device); what would not fit the checkpoint is refused.
func Resume(ctx context.Context, dir string, edit func(*Config) error, opt Options) (Summary, error) {
	opt = opt.withDefaults()
	cfg, err := LoadConfig(filepath.Join(dir, configFile))
	if err != nil {
		return Summary{}, fmt.Errorf("resume %s: no run folder: %w", dir, err)
	}
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
	if err := cfg.sameRun(before); err != nil {
		return Summary{}, fmt.Errorf("resume from %s: %w", from, err)
	}
	if cfg.Iterations() < st.Iteration {
		return Summary{}, fmt.Errorf("resume from %s: total_timesteps is %d, but the checkpoint has %d decisions: want at least as many", from, cfg.TotalTimesteps, st.Steps)
	}
	if err := checkSchema(cfg, st, from); err != nil {
		return Summary{}, err
	}
	if err := r.prepare(cfg); err != nil {
		return Summary{}, fmt.Errorf("resume %s: %w", dir, err)
	}
	if err := r.algorithm.restore(s, st); err != nil {
		return Summary{}, fmt.Errorf("resume from %s: %w", from, err)
	}
	if r.solver != nil {
		if err := r.solver.load(s["average"]); err != nil {
			return Summary{}, fmt.Errorf("resume from %s: %w", from, err)
		}
	}
	if back := cfg.setBack(before, st.Iteration); back != "" {
		opt.Warn(back)
	}
	// Nothing can be refused any more: from here on the folder changes.
	putAside(filepath.Join(dir, checkpointsDir), st.Steps, opt.Warn)
	if err := sweep(dir); err != nil {
		opt.Warn(err.Error())
	}
	if err := r.forgetAverage(); err != nil {
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

const (
	configFile     = "config.yaml"
	transcriptsDir = "transcripts" // a match of each evaluation against each bot
)

func (o Options) withDefaults() Options {
	if o.Root == "" {
		o.Root = "runs"
	}
	if o.Progress == nil {
		o.Progress = func(Update) {}
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	if o.NewLearner == nil {
		o.NewLearner = learner.New
	}
	return o
}

// algorithm is what Config.Algorithm names.
type algorithm interface {
	iterate() (Update, error)
	save(sections) error // what a checkpoint keeps of this algorithm alone
	restore(sections, state) error
}

// prepare makes what a run needs besides files.
func (r *run) prepare(cfg Config) error {
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
	if r.trainer, err = newTrainer(cfg, r.opt.NewLearner); err != nil {
		return err
	}
	r.algorithm = r.trainer
	switch cfg.Algorithm {
	case counterfactualRollouts:
		if r.algorithm, err = newCounterfactual(r.trainer); err != nil {
			return err
		}
	case imitation:
		p, err := newPupil(r.trainer)
		if err != nil {
			return err
		}
		r.algorithm, r.exam = p, p.exam
	}
	return nil
}

// newRunFolder makes a folder that did not exist.
func newRunFolder(root string, cfg Config) (string, error) {
	// Game strings have parentheses and commas, which shells do not like in names.
	game := strings.Trim(strings.Map(func(c rune) rune {
		if c == '(' || c == ',' || c == '=' || c == ')' || c == '/' || c == ' ' {
			return '-'
		}
		return c
	}, cfg.Game), "-")
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", fmt.Errorf("make run folder: %w", err)
	}
	for at := time.Now().Unix(); ; at++ {
		dir := filepath.Join(root, fmt.Sprintf("%s__%s__%d__%d", game, cfg.Exp, cfg.Seed, at))
		err := os.Mkdir(dir, 0o755)
		if os.IsExist(err) {
			continue // taken by a run that began in the same second
		}
		if err == nil {
			err = os.Mkdir(filepath.Join(dir, checkpointsDir), 0o755)
		}
		if err != nil {
			return "", fmt.Errorf("make run folder: %w", err)
		}
		return dir, nil
	}
}

// run is a trainer with its folder.
type run struct {
	dir     string
	opt     Options
	trainer *trainer
	players []string      // bots to evaluate against
	read    policy.Reader // of their bundles: they stay who they are while the run goes on
	exam    *exam         // nil unless a teacher is imitated

	algorithm algorithm
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
	r.board, err = newTensorboard(r.dir, r.trainer.steps)
	return err
}

func (r *run) close() {
	if r.trainer != nil {
		r.trainer.close()
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
	t, cfg := r.trainer, r.trainer.cfg
	last := cfg.Iterations()
	first, started := t.iteration, time.Now()
	sum := Summary{Dir: r.dir, Game: cfg.Evaluated(), Steps: t.steps}
	r.opt.Progress(Update{Dir: r.dir, Iteration: t.iteration, Iterations: last, Steps: t.steps, TotalSteps: cfg.TotalTimesteps})
	for t.iteration < last {
		u, err := r.algorithm.iterate()
		if err != nil {
			return sum, err
		}
		at := t.iteration
		better, err := r.evaluate(&u, at == last || due(at, cfg.EvalEvery))
		if err != nil {
			return sum, fmt.Errorf("update %d: evaluate: %w", at, err)
		}
		stop := ctx.Err() != nil
		u.Checkpoint = better || stop || at == last || due(at, cfg.CheckpointEvery)
		u.Dir = r.dir
		u.Elapsed = r.before + time.Since(r.began)
		u.Remaining = time.Since(started) / time.Duration(at-first) * time.Duration(last-at)
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

// take keeps the newest update, and the newest evaluation.
func (s *Summary) take(u Update) {
	if u.Versus == nil && u.Solution == nil && u.Exam == nil {
		u.Versus, u.Solution, u.Exam = s.Last.Versus, s.Last.Solution, s.Last.Exam
	}
	s.Last, s.Steps = u, u.Steps
}

// evaluate measures the policy if that is due, and reports whether it is the
// best so far.
func (r *run) evaluate(u *Update, due bool) (better bool, err error) {
	t, cfg := r.trainer, r.trainer.cfg
	policy := policyOf(t.learner, cfg)
	if r.solver != nil {
		if err := r.solver.collect(policy, float64(t.iteration)/float64(cfg.Iterations())); err != nil {
			return false, err
		}
	}
	if !due {
		return false, nil
	}
	score, measures := 0.0, 0
	if r.exam != nil {
		if u.Exam, err = r.exam.take(t.learner); err != nil {
			return false, err
		}
		if len(r.players) == 0 {
			score, measures = u.Exam.All.Top1, 1
		}
	}
	for _, game := range cfg.evaluations() {
		for _, bot := range r.players {
			v, err := eval.Versus(policy, eval.Config{
				Game: game, Bot: bot, Read: &r.read, Matches: cfg.EvalMatches, Greedy: cfg.EvalGreedy, Workers: cfg.Workers,
				Seed: engine.NewRand(cfg.Seed).At(streamEvaluation).Key,
			})
			if err != nil {
				return false, err
			}
			u.Versus = append(u.Versus, v)
			if err := r.keep(v); err != nil {
				return false, err
			}
			if len(cfg.evaluations()) > 1 { // shares of tables of different sizes do not add up
				score += v.One.WinRate.Mean / v.EqualShare
			} else {
				score += v.One.WinRate.Mean
			}
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
func (r *run) keep(v eval.Result) error {
	dir := filepath.Join(r.dir, transcriptsDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make folder for transcripts: %w", err)
	}
	return v.Sample.Save(filepath.Join(dir, fmt.Sprintf("%012d_%s%s.txt", r.trainer.steps, policy.Label(v.Bot), r.trainer.cfg.at(v.Game))))
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
