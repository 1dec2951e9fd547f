package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/serve/version"
	"github.com/privateer-rl/privateer/train"
)

const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	exitSignal = 128 // and the signal's number
)

// usageError is a command line that makes no sense, whatever files there are.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// exitError ends a command that has printed its answer with an exit code that says what it is.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// run is the whole program except the process around it.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	return execute(ctx, newRoot(), args, in, out, errs)
}

func execute(ctx context.Context, root *cobra.Command, args []string, in io.Reader, out, errs io.Writer) (code int) {
	defer func() {
		// A panic is a broken invariant of the program, and a stack trace is not for users.
		if p := recover(); p != nil {
			if os.Getenv("PRIVATEER_PANIC") != "" {
				panic(p)
			}
			fmt.Fprintf(errs, "%s: internal error: %s: please report it with the command line (PRIVATEER_PANIC=1 shows where it happened)\n", root.Name(), oneLine(fmt.Sprint(p)))
			code = exitFailed
		}
	}()
	root.SetArgs(args)
	root.SetIn(in)
	checked := &checkedWriter{Writer: out}
	root.SetOut(checked)
	root.SetErr(errs)
	root.InitDefaultCompletionCmd() // which writes where the root does now
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Run, c.RunE = nil, help
		case "completion":
			for _, shell := range c.Commands() {
				shell.Args = arguments(0, 0, "")
			}
		}
	}
	for _, of := range append(root.Commands(), root) {
		if of.HasSubCommands() {
			group(of)
		}
	}
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil && checked.err != nil {
		err = fmt.Errorf("write to standard output: %w", checked.err)
	}
	if err == nil {
		return exitOK
	}
	var ended exitError
	if errors.As(err, &ended) {
		return int(ended)
	}
	var usage usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(errs, "%s: %s (%s --help shows how)\n", root.Name(), oneLine(err.Error()), cmd.CommandPath())
		return exitUsage
	}
	fmt.Fprintf(errs, "%s: %s\n", root.Name(), oneLine(err.Error()))
	return exitFailed
}

// checkedWriter remembers that a write failed, so that no command has to ask
// after each line that it prints.
type checkedWriter struct {
	io.Writer
	err error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// oneLine keeps an error on one line, and what it quotes of a file from doing anything to the terminal.
func oneLine(s string) string {
	var b strings.Builder
	for _, c := range strings.Join(strings.Fields(s), " ") {
		if unicode.IsPrint(c) {
			b.WriteRune(c)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(c), "'"))
		}
	}
	return b.String()
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "privateer",
		Short: "Hidden-information board games: play, simulate, train, measure",
		Long: `Privateer plays hidden-information board games and trains policies for them by
self-play. Games are named by game strings: a name, and parameters in parentheses.`,
		Example: `  privateer games
  privateer play "doubloons(seats=3)"
  privateer sim "doubloons(seats=4)" --matches 1000 --seed 7 --json
  privateer train --game leduc --total-timesteps 500000
  privateer rules doubloons`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.Version, _ = version.Build() // --version, as of most programs; the command says more
	root.SetVersionTemplate("privateer {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.SetGlobalNormalizationFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		// As CleanRL's users write them: --total_timesteps.
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
	root.AddCommand(
		newTrain(nil), newEval(), newRate(), newExploit(), newBenchmark(), newExport(), newBalance(), newSim(), newDataset(), newConform(),
		newPlay(), newBench(), newReplay(), newEngine(), newServe(), newMCP(), newPosition(), newRules(), newSpec(), newGames(), newPlayers(), newVersion(),
	)
	addCompletions(root.Commands())
	return root
}

// group has a command that is there for its subcommands only refuse others. Cobra itself would do so in several lines, or, below
// the root, not at all.
func group(cmd *cobra.Command) {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return unknownCommand(cmd, args[0])
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// goneFlags says of flags that commands had once what to write instead.
var goneFlags = map[string]string{
	"eval --device":    "runs and checkpoints are evaluated as their export, on the CPU: leave it out",
	"eval --threads":   "--workers is for the policy too: write that",
	"balance --device": "runs and checkpoints play as their export, on the CPU: leave it out",
}

// flagError puts what a user can act on in place of the name of a Go function, and says which flag was meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
		if instead := goneFlags[cmd.Name()+" --"+unknown.GetSpecifiedName()]; instead != "" {
			return usagef("%v: %s", err, instead)
		}
		if cmd.Name() == "train" {
			cfg := train.DefaultConfig()
			if gone := cfg.Set(unknown.GetSpecifiedName(), ""); !errors.Is(gone, train.ErrUnknownKey) {
				return usagef("--%s: %w", unknown.GetSpecifiedName(), gone)
			}
		}
		if unknown.GetSpecifiedName() == "game" && strings.Contains(cmd.Use, "GAME") {
			return usagef("%v: write the game string without it, as in %s leduc", err, cmd.CommandPath())
		}
		return usagef("%v%s", err, engine.Suggest("--"+unknown.GetSpecifiedName(), known))
	}
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return usageError{err}
	}
	if c, ok := bad.GetFlag().Value.(count); ok {
		return usagef("--%s %s: want a whole number from %d to %d", bad.GetFlag().Name, bad.GetValue(), c.least, c.most)
	}
	want := map[string]string{
		"int": "a whole number", "uint64": "a whole number from 0 to 18446744073709551615", "bool": "true or false",
		"float64": "a number", "duration": "a duration such as 30s or 5m",
	}[bad.GetFlag().Value.Type()]
	if want == "" {
		return usageError{err}
	}
	return usagef("--%s %s: want %s", bad.GetFlag().Name, bad.GetValue(), want)
}

// help prints what a command says of itself. Cobra's own passes over a command that there is none of, and succeeds.
func help(cmd *cobra.Command, args []string) error {
	about, rest, err := cmd.Root().Find(args)
	if err != nil || about == nil {
		return unknownCommand(cmd.Root(), args[0])
	}
	if len(rest) > 0 && about.HasSubCommands() {
		return unknownCommand(about, rest[0])
	}
	if len(rest) > 0 {
		return usagef("unexpected argument %q", rest[0])
	}
	about.InitDefaultHelpFlag()
	return about.Help()
}

func unknownCommand(cmd *cobra.Command, name string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if name == "imitate" {
		return usagef("imitate is gone: `privateer train --algorithm imitation` takes its place")
	}
	return usagef("unknown command %q: known are %s%s", name, strings.Join(names, ", "), engine.Suggest(name, names))
}

// arguments checks the number of arguments that are not flags, and that flags which exclude each other are not
// given together. what names the arguments for the error: "GAME".
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := cmd.ValidateFlagGroups(); err != nil {
			return excluded(err)
		}
		if len(args) < least {
			return usagef("%s is missing", what)
		}
		if len(args) <= most {
			return nil
		}
		over := fmt.Sprintf("unexpected argument %q", args[most])
		if name := withoutValue(cmd, args[most]); name != "" {
			return usagef("%s: write --%s=%s if it is meant for that", over, name, args[most])
		}
		switch {
		case most == 0:
			return usagef("%s", over)
		case what == "GAME":
			return usagef("%s after %s: quote a game string that has parentheses or spaces", over, what)
		}
		return usagef("%s after %s", over, what)
	}
}

// withoutValue is a flag that was given without a value, which it need not have, and that could have this one.
func withoutValue(cmd *cobra.Command, value string) (name string) {
	_, notBool := strconv.ParseBool(value)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.NoOptDefVal != "" && f.Value.String() == f.NoOptDefVal && (f.Value.Type() != "bool" || notBool == nil) {
			name = f.Name
		}
	})
	return name
}

// excluded says in fewer words which flags cobra refuses beside each other.
func excluded(err error) error {
	if _, names, ok := strings.Cut(err.Error(), "; ["); ok {
		if names, ok = strings.CutSuffix(names, "] were all set"); ok {
			return usagef("--%s: want one of them", strings.Join(strings.Fields(names), " and --"))
		}
	}
	return usageError{err}
}
