package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/match/child"
	"github.com/privateer-rl/privateer/env/measure/benchmark"
	"github.com/privateer-rl/privateer/serve/version"
)

// benchmarking holds the flags of `benchmark`.
type benchmarking struct {
	tasks       []string
	pool        string
	out         string
	shard       string
	quick, json bool
	choice      choice
	workers     int

	merge, check, table bool
	sample              int
	seed                uint64
	programs            bool

	cfg     benchmark.Config
	show    *progress
	skipped []string // tasks whose games the player does not know
}

func newBenchmark() *cobra.Command {
	var o benchmarking
	cmd := &cobra.Command{
		Use:         "benchmark [PLAYER]",
		Short:       "Score a player by frozen tasks, for a paper or the leaderboard",
		Annotations: inOrder(),
		Long: `Score a player (a bot by name, an exported policy, a run, a checkpoint or exec:COMMAND) by frozen tasks. A task fixes the game string, the
deals and the opponents; its name carries its version, and a version never changes. Rules and opponents are compared with the
digests of the task before anything is played. Without PLAYER, the tasks are listed.

The player meets each opponent alone among n-1 of it, with n-1 of the player around one of it, and at evenly mixed tables; each deal is played from
every seat. At each kind of table, the share of wins of the player's side is scaled: -1 no win, 0 the equal share, 1 all wins. The
score of a task is the mean over kinds and opponents, that of a game the mean of its tasks. The worst case is the most that one
opponent wins among n-1 of the player. Small games and endgames are measured exactly instead: 1 - exploitability / exploitability of random
play; endgames do not count in the score of their game. Intervals are 95 % confidence intervals, by the jackknife over ten parts of different deals.

--out keeps the result (result.json, the same bytes on any machine for a player that can be reproduced) and the CPU time of a decision
(costs.json); the same command continues after an interruption. --shard 2/5 plays a fifth of the parts; --merge puts the folders of
shards together. --pool names a YAML file of opponents to add to the pool, or to replace those of the same name: a list
with player, digest (of its decisions) and bundle (digest of its file).

A submission is a folder with such a result, the player, and card.yaml, which says name, player (a file of the folder, a bot, or
exec:COMMAND, which runs where privateer does), by, how, decisions, cost and data, and may say recipe, seed and link. --check compares
digests, works out the scores again, measures exact tasks again, and plays a sample of the other parts again, drawn by --seed. --table
prints the leaderboard of such folders as Markdown, with the statistics of recipes of which there are several runs; --out is where it is
written with its plots, as README.md, below what that file has above its first heading of second level.`,
		Example: `  privateer benchmark heuristic --quick
  privateer benchmark policy:captain --out captain
  privateer benchmark my.bundle --tasks doubloons-4,doubloons-island --json
  privateer benchmark "exec:python3 bot.py" --tasks jolly_roger --out mine --shard 1/4
  privateer benchmark --merge a b c d --out mine
  privateer benchmark --check mine
  privateer benchmark --table notebooks/benchmark/*/ --out notebooks/benchmark`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.merge || o.check || o.table {
				return arguments(1, 1000, "the folders of results,")(cmd, args)
			}
			return cobra.MaximumNArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			modes := 0
			for _, on := range []bool{o.merge, o.check, o.table} {
				if on {
					modes++
				}
			}
			o.show = newProgress(cmd.ErrOrStderr())
			switch {
			case modes > 1:
				return usagef("--merge, --check and --table: want one of them")
			case o.merge:
				return o.mergeFolders(cmd, args)
			case o.check:
				return o.checkFolders(cmd, args)
			case o.table:
				return o.writeLeaderboard(cmd, args)
			case len(args) == 0:
				return o.list(cmd)
			}
			return o.run(cmd, args[0])
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.tasks, "tasks", nil, "tasks, with or without version, or games (default: all that the player can play)")
	f.StringVar(&o.pool, "pool", "", "YAML file of opponents to add or replace")
	f.StringVarP(&o.out, "out", "o", "", "folder that keeps the result, for the same command to continue (default: none)")
	f.BoolVar(&o.quick, "quick", false, "a tenth of the matches: a first impression, no score of the tasks")
	f.StringVar(&o.shard, "shard", "", "play only this shard of the parts, such as 2/5")
	f.BoolVar(&o.merge, "merge", false, "merge the folders of shards that are named instead of PLAYER")
	f.BoolVar(&o.check, "check", false, "check the submissions in the folders that are named")
	countFlag(cmd, &o.sample, "sample", "", 20, 0, 100_000, "with --check: parts of lines to play again")
	f.Uint64Var(&o.seed, "seed", 0, "with --check: seed by which these are drawn (default: another one each time)")
	f.BoolVar(&o.programs, "programs", false, "with --check: run the program that a card names as its player")
	f.BoolVar(&o.table, "table", false, "print the leaderboard of the folders that are named")
	greedyFlag(cmd, &o.choice)
	workersFlag(cmd, &o.workers, "goroutines; 0: one per core")
	asJSON(cmd, &o.json)
	return cmd
}

func (o *benchmarking) run(cmd *cobra.Command, name string) error {
	tasks, err := benchmark.Find(o.tasks)
	if err != nil {
		return usagef("--tasks: %v", err)
	}
	c, err := loadContestant(name, o.choice, o.show.warn)
	if err != nil {
		return err
	}
	if c.bundle != nil {
		c.Player.Name = filepath.Base(name) // the same on every machine
	}
	number, _ := version.Build()
	o.cfg = benchmark.Config{Version: number, Quick: o.quick, Workers: o.workers, Load: o.load, Report: o.report}
	if o.pool != "" {
		if o.cfg.Pool, err = benchmark.ReadPool(o.pool); err != nil {
			return fmt.Errorf("--pool: %w", err)
		}
	}
	if o.shard != "" {
		if o.out == "" {
			return usagef("--shard wants --out, the folder to keep it in")
		}
		if o.cfg.Part, err = parseShard(o.shard, os.Getenv(indexOfJob)); err != nil {
			return err
		}
	}
	if tasks, err = o.playable(c.Player, tasks); err != nil {
		return err
	}
	if o.out != "" {
		if err := o.open(); err != nil {
			return err
		}
	}
	r, costs, err := benchmark.Play(cmd.Context(), c.Player, tasks, o.cfg)
	o.show.clear()
	if err != nil {
		if o.out != "" && cmd.Context().Err() != nil {
			return fmt.Errorf("stopped: the same command continues: %w", err)
		}
		return err
	}
	if o.out != "" {
		if err := o.keep(r, costs); err != nil {
			return err
		}
	}
	return o.write(cmd, r, costs)
}

// list says which tasks there are.
func (o *benchmarking) list(cmd *cobra.Command) error {
	tasks, err := benchmark.Find(o.tasks)
	if err != nil {
		return usagef("--tasks: %v", err)
	}
	if o.json {
		return writeJSON(cmd, tasks)
	}
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 2, 0, 2, ' ', 0)
	fmt.Fprintln(w, "task\tgame\topponents")
	for _, t := range tasks {
		opponents := "measured exactly"
		if len(t.Pool) > 0 {
			var names []string
			for _, m := range t.Pool {
				names = append(names, m.Player)
			}
			opponents = strings.Join(names, ", ")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", t.Name, t.Game, opponents)
	}
	return w.Flush()
}

// load finds an opponent.
func (o *benchmarking) load(name string) (match.Player, error) {
	c, err := loadContestant(name, "", o.show.warn)
	return c.Player, err
}

func (o *benchmarking) report(task string, done, of int) {
	o.show.note(fmt.Sprintf("%s: %d of %d parts", task, done, of))
}

// playable leaves out the tasks whose games the player does not know, unless they were asked for by name.
func (o *benchmarking) playable(p match.Player, tasks []benchmark.Task) ([]benchmark.Task, error) {
	var can []benchmark.Task
	var refused error
	for i := range tasks {
		err := benchmark.Fits(p, &tasks[i])
		switch {
		case err == nil:
			can = append(can, tasks[i])
		case len(o.tasks) > 0:
			return nil, fmt.Errorf("task %s: %w", tasks[i].Name, err)
		default:
			o.skipped = append(o.skipped, tasks[i].Name)
			refused = errors.Join(refused, err)
		}
	}
	if len(can) == 0 {
		return nil, fmt.Errorf("%s can play none of the tasks: %w", p.Name, refused)
	}
	return can, nil
}

// open reads what the folder has, and checks that it can be written to.
func (o *benchmarking) open() error {
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if err := durable.Check(filepath.Join(o.out, benchmark.ResultFile)); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	o.cfg.Keep = o.keep
	r, _, costs, err := benchmark.ReadResult(o.out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	o.cfg.From, o.cfg.Costs = r, costs
	return nil
}

// keep writes down how far it has come.
func (o *benchmarking) keep(r *benchmark.Result, costs benchmark.Costs) error {
	return benchmark.WriteResult(o.out, r, costs)
}

// mergeFolders puts shards together.
func (o *benchmarking) mergeFolders(cmd *cobra.Command, folders []string) error {
	var r *benchmark.Result
	costs := benchmark.Costs{}
	for _, folder := range folders {
		shard, _, spent, err := benchmark.ReadResult(folder)
		if err != nil {
			return err
		}
		if r == nil {
			r = shard
		}
		if r, err = benchmark.Merge(r, shard); err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		for task, c := range spent {
			costs[task] = costs[task].Plus(c)
		}
	}
	if o.out != "" {
		if err := os.MkdirAll(o.out, 0o755); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		if err := o.keep(r, costs); err != nil {
			return err
		}
	}
	return o.write(cmd, r, costs)
}

// checkFolders checks submissions, one after the other, and says what is wrong with each.
func (o *benchmarking) checkFolders(cmd *cobra.Command, folders []string) error {
	if !cmd.Flags().Changed("seed") {
		o.seed = uint64(time.Now().UnixNano())
	}
	var wrong []error
	for _, folder := range folders {
		replayed, err := o.checkFolder(cmd, folder)
		o.show.clear()
		switch {
		case cmd.Context().Err() != nil:
			return err
		case err != nil:
			wrong = append(wrong, fmt.Errorf("%s: %w", folder, err))
		default:
			fmt.Fprintf(cmd.OutOrStdout(), "%s: the result is that of its player: digests agree, and %s, drawn by --seed %d, came out alike\n", folder, engine.Count(replayed, "part", ""), o.seed)
		}
	}
	return errors.Join(wrong...)
}

func (o *benchmarking) checkFolder(cmd *cobra.Command, folder string) (replayed int, err error) {
	e, err := benchmark.ReadEntry(folder)
	if err != nil {
		return 0, err
	}
	if child.Is(e.Card.Player) && !o.programs {
		return 0, usagef("its player is a program, %s: --programs runs it on this machine", e.Card.Player)
	}
	name, file, err := e.PlayerName()
	if err != nil {
		return 0, err
	}
	player := match.Named(name) // not a file that happens to have the name of a bot
	if file || strings.HasPrefix(name, policy.Prefix) {
		c, err := loadContestant(name, o.choice, o.show.warn)
		if err != nil {
			return 0, err
		}
		player = c.Player
	}
	return benchmark.Check(cmd.Context(), e.Data, player, benchmark.Audit{
		Load: o.load, Costs: e.Costs, Sample: o.sample, Seed: o.seed, Workers: o.workers,
		Report: func(done, of int) { o.show.note(fmt.Sprintf("%s: %d of %d parts played again", folder, done, of)) },
	})
}

// writeLeaderboard prints the leaderboard of submissions, or writes it with its plots.
func (o *benchmarking) writeLeaderboard(cmd *cobra.Command, folders []string) error {
	var entries []*benchmark.Entry
	for _, folder := range folders {
		e, err := benchmark.ReadEntry(folder)
		if err == nil {
			if err = e.Result.Whole(); err != nil {
				err = fmt.Errorf("%s: %w", folder, err)
			}
		}
		if err != nil {
			return err
		}
		entries = append(entries, e)
	}
	page, plots := benchmark.Leaderboard(entries)
	if o.out == "" {
		fmt.Fprint(cmd.OutOrStdout(), page)
		return nil
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	for file, svg := range plots {
		if err := durable.WriteFile(filepath.Join(o.out, file), []byte(svg)); err != nil {
			return err
		}
	}
	path := filepath.Join(o.out, "README.md")
	above, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if at := bytes.Index(append([]byte("\n"), above...), []byte("\n## ")); at >= 0 {
		above = above[:at]
	}
	return durable.WriteFile(path, above, []byte(page))
}

func (o *benchmarking) write(cmd *cobra.Command, r *benchmark.Result, costs benchmark.Costs) error {
	if o.json {
		data, err := r.Encode()
		if err != nil {
			return err
		}
		_, err = cmd.OutOrStdout().Write(data)
		return err
	}
	writeBenchmark(cmd.OutOrStdout(), r, costs)
	if len(o.skipped) > 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "not played, for the player does not know their games: %s\n", strings.Join(o.skipped, ", "))
	}
	return nil
}

// writeBenchmark prints scores, and the lines that they are made of.
func writeBenchmark(out io.Writer, r *benchmark.Result, costs benchmark.Costs) {
	for i := range r.Tasks {
		s := &r.Tasks[i]
		fmt.Fprintf(out, "%s  %s\n", s.Name, s.Game)
		if missing := s.Missing(); missing != "" {
			fmt.Fprintf(out, "  not complete: %s\n\n", missing)
			continue
		}
		if x := s.Exact; x != nil {
			fmt.Fprintf(out, "  score %.3f: exploitability %.4g, of random play %.4g\n", s.Score.Mean, x.Exploitability, x.Random)
			writeFaults(out, r.Player, x.Faults)
			fmt.Fprintln(out)
			continue
		}
		w := tabwriter.NewWriter(out, 2, 0, 2, ' ', 0)
		fmt.Fprintln(w, "  opponent\talone\tone of it against n-1\tmixed tables\tmargin\tscore")
		for _, l := range s.Lines {
			v := l.Against.Wins
			fmt.Fprintf(w, "  %s\t%v\t%.3f [%.3f, %.3f]\t%v\t%+.2f\t%.3f\n", l.Opponent, l.Alone.Wins, 1-v.Mean, 1-v.High, 1-v.Low, l.Mixed.Wins, l.Mixed.Margin.Mean, l.Score())
		}
		w.Flush()
		fmt.Fprintf(out, "  score %v; worst case %v by %s, equal is %.3f", s.Score, s.Worst.Wins, s.Worst.Opponent, s.Worst.Equal)
		if c := costs[s.Name]; c.Timed > 0 {
			fmt.Fprintf(out, "; a decision takes %v", c)
			if s.Over(c) {
				fmt.Fprintf(out, ", more than the %v of the task", s.Budget)
			}
		}
		fmt.Fprint(out, "\n\n")
		for _, l := range s.Lines {
			writeFaults(out, r.Player+" against "+l.Opponent, l.Faults)
		}
	}
	for _, g := range r.Games {
		fmt.Fprintf(out, "%s: %v, the mean of %s\n", g.Game, g.Score, engine.Count(g.Tasks, "task", ""))
	}
	switch {
	case r.Quick:
		fmt.Fprintln(out, "of a tenth of the matches: no score to report")
	case r.Pool:
		fmt.Fprintln(out, "with opponents of --pool: no score of the tasks")
	case !r.Reproducible:
		fmt.Fprintln(out, "the player decides otherwise when it is asked again, or is a program: its result cannot be reproduced bit for bit")
	}
}
