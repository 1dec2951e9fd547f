package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/privateer-rl/privateer/train"
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
	cmd := &cobra.Command{
		Use:         "train",
		Short:       "Train a policy by self-play",
		Annotations: inOrder(),
		Long: `Train a policy by self-play and evaluate it. Every entry of the configuration is a
flag; --config reads a YAML file with the same names first. The run gets a folder with
its configuration, checkpoints, metrics and TensorBoard events; --resume goes on
from the newest checkpoint in it as if nothing had happened. Ctrl-C, SIGTERM and SIGHUP
(its terminal is gone) end the update at hand and write a checkpoint; a second ctrl-C or
SIGTERM ends the run at once.

Needs a build with libtorch: ` + "`make build-torch`" + `.`,
		Example: `  privateer train --game leduc --total-timesteps 500000
  privateer train --config train/configs/kuhn.yaml --seed 3
  privateer train --resume runs/leduc__ppo__1__1700000000 --total-timesteps 1000000`,
		Args: arguments(0, 0, ""),
	}
	flags := configFlags(cmd)
	cmd.Flags().StringVar(&config, "config", "", "YAML file to start from; flags override it")
	cmd.Flags().StringVar(&resume, "resume", "", "run folder to go on with; flags change its configuration")
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
			return fmt.Errorf("interrupted after update %d of %d: `privateer train --resume %s` goes on from there", sum.Last.Iteration, sum.Last.Iterations, sum.Dir)
		}
		if err != nil {
			return err
		}
		if jsonOut {
			return writeJSON(cmd, trainResult{sum.Dir, sum.Steps, sum.Last.Versus, sum.Last.Solution})
		}
		out := cmd.OutOrStdout()
		writeVersus(out, sum.Last.Versus)
		writeSolution(out, sum.Last.Solution)
		fmt.Fprintf(out, "run folder: %s\n", sum.Dir)
		return nil
	}
	return cmd
}

func startTraining(ctx context.Context, config, resume string, flags *pflag.FlagSet, opt train.Options) (train.Summary, error) {
	if resume != "" {
		return train.Resume(ctx, resume, func(c *train.Config) error { return override(c, flags) }, opt)
	}
	cfg := train.DefaultConfig()
	if config != "" {
		var err error
		if cfg, err = train.LoadConfig(config); err != nil {
			return train.Summary{}, err
		}
	}
	if err := override(&cfg, flags); err != nil {
		return train.Summary{}, err
	}
	if cfg.Game == "" {
		return train.Summary{}, usagef("--game is missing: give it, or a --config that has it")
	}
	return train.Run(ctx, cfg, opt)
}

// configFlags adds a flag for each entry of the configuration. Their values are
// text, which train.Config parses, because it knows the types.
func configFlags(cmd *cobra.Command) *pflag.FlagSet {
	set := pflag.NewFlagSet("configuration", pflag.ContinueOnError)
	set.SortFlags = false
	for _, f := range train.Fields() {
		name := strings.ReplaceAll(f.Name, "_", "-")
		v := &fieldValue{text: f.Default, kind: "value"}
		flag := set.VarPF(v, name, "", f.Help)
		if f.Bool {
			v.kind, flag.NoOptDefVal = "bool", "true"
		}
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().AddFlagSet(set)
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
	named bool // the run folder was printed
	dirty bool // the changing line is on the screen
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
	if !p.named {
		fmt.Fprintf(p.out, "run folder: %s\n", u.Dir)
		p.named = true
	}
	switch evaluated := u.Versus != nil || u.Solution != nil; {
	case p.tty && !evaluated:
		fmt.Fprintf(p.out, "\r\x1b[K%s", line)
		p.dirty = true
	case evaluated:
		p.clear()
		fmt.Fprintln(p.out, line)
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
