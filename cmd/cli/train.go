package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/privateer-rl/privateer/train"
	"github.com/privateer-rl/privateer/train/imitation"
	"github.com/privateer-rl/privateer/train/learner"
)

// newTrain makes the command, with the networks that newLearner makes; nil means
// those of libtorch.
func newTrain(newLearner func(learner.Config) (learner.Learner, error)) *cobra.Command {
	var (
		config, resume, root string
		metricsAddr          string
		jsonOut              bool
	)
	var names []string
	for _, a := range train.Algorithms() {
		names = append(names, fmt.Sprintf("  %-16s %s", a.Name, a.Help))
	}
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train a policy by self-play or by imitation",
		Long: `Train a policy and evaluate it. Every key of a configuration is a flag; --config reads a YAML file with
the same keys first, with a section for each algorithm. The algorithms:

` + strings.Join(names, "\n") + `

--help NAME lists the settings of one, --help late those that may change during a run, --help all every setting.

A file with a list under stages trains one stage after another, each from the weights of the one before; a stage may
have several seeds. Flags hold for all.
The run gets a folder with its configuration, checkpoints, metrics and TensorBoard events; --resume continues
from the newest checkpoint in it as if nothing had happened. Ctrl-C, SIGTERM and SIGHUP
(its terminal is gone) finish the current update and write a checkpoint; a second ctrl-C or
SIGTERM ends the run at once.

Needs a build with libtorch: ` + "`make build-torch`" + `.`,
		Example: `  privateer train --game leduc --total-timesteps 500000
  privateer train --config train/configs/kuhn.yaml --seed 3
  privateer train --game "doubloons(seats=4)" --network entity --ppo.clip-coef 0.2
  privateer train --algorithm imitation --game "doubloons(seats=4)" --network entity --imitation.teacher heuristic
  privateer train --resume runs/leduc__ppo__1__1700000000 --total-timesteps 1000000`,
		Annotations: inOrder(),
		Args:        arguments(0, 0, ""),
	}
	flags := configFlags(cmd)
	cmd.Flags().StringVar(&config, "config", "", "YAML file to start from; flags override it")
	cmd.Flags().StringVar(&resume, "resume", "", "run folder to continue; flags change its configuration")
	cmd.Flags().StringVar(&root, "runs", "runs", "folder that gets the run folder")
	cmd.Flags().StringVar(&metricsAddr, "metrics-addr", "", "host:port on which Prometheus finds the run's metrics")
	asJSON(cmd, &jsonOut)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if resume != "" && config != "" {
			return usagef("--config and --resume: a run folder has its configuration; give one of the two")
		}
		show := newProgress(cmd.ErrOrStderr())
		update, stop, err := exportProgress(cmd.Context(), metricsAddr, show.update, cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		defer stop()
		outliveReaders()
		opt := train.Options{Root: root, Progress: update, Warn: show.warn, NewLearner: newLearner}
		sum, err := startTraining(cmd.Context(), config, resume, flags, opt)
		show.finish()
		if errors.Is(err, context.Canceled) && sum.Dir != "" {
			return fmt.Errorf("interrupted after update %d of %d: `privateer %s --resume %s` continues", sum.Last.Iteration, sum.Last.Iterations, cmd.Name(), sum.Dir)
		}
		if err != nil {
			return err
		}
		if jsonOut {
			return writeJSON(cmd, trainResult{sum.Dir, sum.Steps, sum.Last.Versus, sum.Last.Solution, sum.Last.Exam})
		}
		out := cmd.OutOrStdout()
		writeExam(out, sum.Last.Exam)
		writeVersus(out, sum.Last.Versus)
		writeSolution(out, sum.Last.Solution)
		fmt.Fprintf(out, "run folder: %s\n", sum.Dir)
		writeNextSteps(out, os.Args[0], sum)
		return nil
	}
	return cmd
}

// writeNextSteps writes the next steps with a run: commands to copy.
func writeNextSteps(out io.Writer, program string, sum train.Summary) {
	bundle := filepath.Join(sum.Dir, "policy.bundle")
	rivals := []string{"random"}
	for _, v := range sum.Last.Versus {
		if bot := shellWord(v.Bot); !slices.Contains(rivals, bot) { // of several games each has met it
			rivals = append(rivals, bot)
		}
	}
	fmt.Fprintln(out, "\nNext, in this order:")
	for _, step := range []struct{ what, command string }{
		{"export it as one file, which plays without libtorch", "export " + shellWord(sum.Dir)},
		{"play against it in the browser", fmt.Sprintf("play %s --web --bots %s", shellWord(sum.Game), shellWord("policy:"+bundle))},
		{"rate it against others", fmt.Sprintf("rate %s %s --game %s --matches 400", shellWord(bundle), strings.Join(rivals, " "), shellWord(sum.Game))},
	} {
		fmt.Fprintf(out, "  %s\n    %s %s\n", step.what, shellWord(program), step.command)
	}
}

// shellWord quotes what a shell would take apart.
func shellWord(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(c rune) bool {
		return !strings.ContainsRune("/._-:+=,@%", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// writeExam writes how a network does what its teacher does, the commonest kinds of decision first.
func writeExam(out io.Writer, e *imitation.Exam) {
	if e == nil {
		return
	}
	kinds := slices.SortedFunc(maps.Keys(e.Kinds), func(a, b string) int {
		return cmp.Or(e.Kinds[b].Decisions-e.Kinds[a].Decisions, strings.Compare(a, b))
	})
	line := func(name string, g imitation.Grade) {
		fmt.Fprintf(out, "%-16s %8s decisions  top-1 %.3f", name, grouped(int64(g.Decisions)), g.Top1)
		if g.Valued > 0 {
			fmt.Fprintf(out, "  as good %.3f  regret %.3f", g.AsGood, g.Regret)
		}
		fmt.Fprintln(out)
	}
	for _, k := range kinds {
		line(k, e.Kinds[k])
	}
	line("all, held out", e.All)
}

func startTraining(ctx context.Context, config, resume string, flags *pflag.FlagSet, opt train.Options) (train.Summary, error) {
	if resume != "" {
		return train.Resume(ctx, resume, func(c *train.Config) error { return override(c, flags) }, opt)
	}
	stages, err := configured(config, flags, "ppo")
	if err != nil {
		return train.Summary{}, err
	}
	return stages.Run(ctx, opt)
}

// configured are the stages of a file, or the defaults of an algorithm, with what the flags say of each.
func configured(file string, flags *pflag.FlagSet, algorithm string) (stages train.Stages, err error) {
	if file != "" {
		stages, err = train.LoadStages(file)
	} else {
		if f := flags.Lookup("algorithm"); f != nil && f.Changed {
			algorithm = f.Value.String()
		}
		var cfg train.Config
		if cfg, err = train.Defaults(algorithm); err != nil {
			return nil, usageError{fmt.Errorf("--%w", err)}
		}
		stages = train.Stages{{Config: cfg, Seeds: 1}}
	}
	for i := range stages {
		if err == nil {
			err = override(&stages[i].Config, flags)
		}
		if err == nil && stages[i].Game == "" {
			err = usagef("--game is missing: give it, or a --config that has it")
		}
	}
	return stages, err
}

// configFlags adds a flag for each key of the configuration, or for some. Their values are
// text, which train.Config parses, because it knows the types. --help shows those that every run has, --help NAME those of a section.
func configFlags(cmd *cobra.Command, only ...string) *pflag.FlagSet {
	set := pflag.NewFlagSet("configuration", pflag.ContinueOnError)
	set.SortFlags = false
	section := map[string]string{}
	for _, a := range train.Algorithms() {
		base, err := train.Defaults(a.Name)
		if err != nil {
			panic(err)
		}
		for _, f := range base.Fields() {
			name := strings.ReplaceAll(f.Name, "_", "-")
			if set.Lookup(name) != nil || len(only) > 0 && !slices.Contains(only, f.Name) {
				continue
			}
			v := &fieldValue{text: f.Default, kind: "value"}
			flag := set.VarPF(v, name, "", f.Help)
			flag.Hidden = len(only) == 0 && (f.Rare || f.Section != "")
			section[name] = f.Section
			if f.Bool {
				v.kind, flag.NoOptDefVal = "bool", "true"
			}
		}
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().AddFlagSet(set)
	help := cmd.HelpFunc()
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		var asked string
		for _, arg := range args {
			if arg == "all" || slices.Contains(slices.Collect(maps.Values(section)), arg) {
				asked = arg
			}
		}
		set.VisitAll(func(f *pflag.Flag) {
			if asked != "" {
				f.Hidden = asked != "all" && section[f.Name] != asked
			}
		})
		help(cmd, args)
	})
	return set
}

type fieldValue struct{ text, kind string }

func (v *fieldValue) String() string        { return v.text }
func (v *fieldValue) Set(text string) error { v.text = text; return nil }
func (v *fieldValue) Type() string          { return v.kind }

// override sets what was given on the command line.
func override(c *train.Config, flags *pflag.FlagSet) error {
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed && err == nil {
			if bad := c.Set(f.Name, f.Value.String()); bad != nil {
				err = usagef("--%s: %w", f.Name, bad)
			}
		}
	})
	return err
}

// progress shows how a run is doing: on a terminal one line that changes,
// otherwise a plain line now and then.
type progress struct {
	out   io.Writer
	tty   bool
	named string // the run folder that was printed
	dirty bool   // the changing line is on the screen
	last  time.Time
}

// plainEvery is the time between plain lines.
const plainEvery = 10 * time.Second

func newProgress(out io.Writer) *progress {
	u, ok := out.(*unhurried)
	return &progress{out: out, tty: ok && u.terminal()}
}

func (p *progress) update(u train.Update) {
	line := progressLine(u)
	if p.named != u.Dir {
		p.clear()
		fmt.Fprintf(p.out, "run folder: %s\n", u.Dir)
		p.named = u.Dir
	}
	switch evaluated := u.Versus != nil || u.Solution != nil || u.Exam != nil; {
	case p.tty && !evaluated:
		fmt.Fprintf(p.out, "\r\x1b[K%s", line)
		p.dirty = true
	case evaluated:
		p.clear()
		fmt.Fprintln(p.out, line)
		if e := u.Exam; e != nil {
			fmt.Fprintf(p.out, "  as its teacher: top-1 %.3f of %s held-out decisions", e.All.Top1, grouped(int64(e.All.Decisions)))
			if e.All.Valued > 0 {
				fmt.Fprintf(p.out, ", as good %.3f, regret %.3f", e.All.AsGood, e.All.Regret)
			}
			fmt.Fprintln(p.out)
		}
		for _, v := range u.Versus {
			fmt.Fprintf(p.out, "  against %s: wins %v of an equal share of %.3f\n", v.Bot, v.One.WinRate, v.EqualShare)
		}
		if s := u.Solution; s != nil {
			fmt.Fprintf(p.out, "  exploitability %s\n", solutionText(s))
		}
		p.last = time.Now()
	case time.Since(p.last) >= plainEvery || u.Iteration == u.Iterations:
		fmt.Fprintln(p.out, line)
		p.last = time.Now()
	}
}

// note shows how far something has come: in the changing line of a terminal, elsewhere now and then.
func (p *progress) note(text string) {
	switch {
	case p.tty:
		fmt.Fprintf(p.out, "\r\x1b[K%s", text)
		p.dirty = true
	case time.Since(p.last) >= plainEvery:
		if !p.last.IsZero() { // what is quick needs no word
			fmt.Fprintln(p.out, text)
		}
		p.last = time.Now()
	}
}

func (p *progress) warn(text string) {
	p.clear()
	fmt.Fprintf(p.out, "warning: %s\n", oneLine(text))
}

// clear takes the changing line off the screen.
func (p *progress) clear() {
	if p.dirty {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.dirty = false
	}
}

// finish leaves the last line on the screen.
func (p *progress) finish() {
	if p.dirty {
		fmt.Fprintln(p.out)
		p.dirty = false
	}
}

func progressLine(u train.Update) string {
	share := 0.0
	if u.TotalSteps > 0 {
		share = float64(100 * min(1, float64(u.Steps)/float64(u.TotalSteps)))
	}
	s := fmt.Sprintf("%3.0f %%  update %d of %d  %s decisions", share, u.Iteration, u.Iterations, grouped(u.Steps))
	if u.Rates.SPS > 0 {
		s += fmt.Sprintf("  %s/s", grouped(int64(u.Rates.SPS)))
	}
	if u.Iteration > 0 && u.Epochs > 0 {
		s += fmt.Sprintf("  entropy %.3f  kl %.4f", u.Losses.Entropy, u.Losses.ApproxKL)
	}
	if u.Remaining > 0 {
		s += "  left " + u.Remaining.Round(time.Second).String()
	}
	return s
}

// grouped writes a number with its thousands separated.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
