package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/serve/version"
	"github.com/privateer-rl/privateer/train"
)

// exportResult is the result of an export.
type exportResult struct {
	Bundle     string              `json:"bundle,omitempty"` // if that was one of the formats
	Bytes      int64               `json:"bytes,omitempty"`  // of it
	Files      []exportedFile      `json:"files"`
	Golden     string              `json:"golden,omitempty"`
	From       string              `json:"from"`
	Game       string              `json:"game"`
	Schema     string              `json:"schema"`
	Choice     string              `json:"choice"`
	Hidden     []int               `json:"hidden"`
	Values     int                 `json:"values"`
	Steps      int64               `json:"steps"`
	Evaluation []bundle.Evaluation `json:"evaluation"`
}

func newExport() *cobra.Command {
	var (
		out     string
		formats []string
		golden  int
		compact bool
		jsonOut bool
		how     choice
		opt     train.ExportOptions
		matches int
		workers int
	)
	cmd := &cobra.Command{
		Use:   "export RUN|CHECKPOINT|WEIGHTS|BUNDLE...",
		Short: "Export a trained policy as files that play without libtorch",
		Long: `Write a trained policy as one file, a bundle: weights, the layout of its observations and
actions, its way of choosing, its origin and its results against bots. Of a run folder
the best checkpoint is exported, or the newest if none was evaluated; where exploitability is measured, the network that learnt the
average policy at the end of the run (checkpoints/average.ckpt), if it is the least exploitable. WEIGHTS are a
.safetensors file beside a checkpoint. Any build can export, and play bundles:
as policy:BUNDLE wherever a player is named, and as policy:NAME on a server that has it.

Other programs read the other formats: onnx (scales and mask are in the graph), safetensors and numpy (weights by
name). Each file gets a manifest beside it, FILE.json, which explains its numbers, and all
together one file of golden decisions, by which a frontend checks its results. An existing BUNDLE
can be written in other formats, without a run.

Several become one policy, the mean of their weights, at the cost of one: of runs that began with the same weights (--init-from) and
differ in seed or opponents, or the stages of one run, that is often stronger than each of them. Named twice, one counts twice. Game,
way of choosing and the bots of its evaluation are those of the first.`,
		Example: `  privateer export runs/mine
  privateer export runs/mine/checkpoints/best.ckpt --out pirate.bundle --greedy=false
  privateer export runs/mine --out pirate --format bundle,onnx,numpy
  privateer export runs/first runs/second runs/third --compact --out mean.bundle
  privateer export pirate.bundle --format onnx
  privateer sim "jolly_roger(seats=6)" --bots policy:pirate.bundle,random
  privateer serve --policies pirate.bundle`,
		Args: arguments(1, mostAveraged, "RUN, CHECKPOINT, WEIGHTS or BUNDLE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormats(formats); err != nil {
				return err
			}
			opt.Warn = newProgress(cmd.ErrOrStderr()).warn
			opt.Program, _ = version.Build()
			opt.Choice = string(how)
			for i := range args {
				args[i] = strings.TrimPrefix(args[i], policy.Prefix)
			}
			if out == "" {
				out = bundleName(args[0])
			}
			if os.IsPathSeparator(out[len(out)-1]) {
				return fmt.Errorf("--out: %s is a folder: name a file in it", out)
			}
			names := written(out, formats)
			for _, name := range names {
				if err := durable.Check(name); err != nil {
					return fmt.Errorf("--out: %w", err)
				}
			}
			b, files, err := averageOf(args, opt)
			if err != nil {
				return err
			}
			from := strings.Join(files, ", ")
			if err := checkOutputs(names, files); err != nil {
				return err
			}
			if compact {
				training, err := train.TrainingOf(b)
				if err == nil {
					err = policy.Compact(b, training.Games)
				}
				if err != nil {
					return fmt.Errorf("--compact: %w", err)
				}
			}
			if matches > 0 && (len(args) > 1 || !policy.IsBundle(args[0])) { // a bundle has its results
				if err := train.Evaluate(b, matches, workers); err != nil {
					return fmt.Errorf("export %s: %w", from, err)
				}
			}
			if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			r := exportResult{From: from, Game: b.Game, Schema: b.Schema, Choice: b.Choice, Hidden: b.Network.Hidden, Values: b.Values(), Steps: b.Provenance.Steps, Evaluation: b.Evaluation}
			if err := r.save(b, out, formats, golden); err != nil {
				return err
			}
			if jsonOut {
				return writeJSON(cmd, r)
			}
			r.write(cmd)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "out", "o", "", "file to write; of several formats each gets its own ending (default: policy.bundle in the run folder, or beside the checkpoint under its name)")
	f.StringSliceVarP(&formats, "format", "f", []string{"bundle"}, "formats to write: "+strings.Join(formatNames(), ", "))
	countFlag(cmd, &golden, "golden", "", 16, 1, mostGoldenRows, "golden decisions beside formats for other programs")
	f.BoolVar(&compact, "compact", false, "leave out inputs that training never used and round the weights to whole numbers with a scale for each row: about a tenth of the size, and almost the same play")
	greedyFlag(cmd, &how)
	countFlag(cmd, &matches, "matches", "n", 200, 0, mostInMemory, "least matches against each bot that the run was evaluated against; 0: none")
	workersFlag(cmd, &workers, "goroutines of these matches; 0: one a core")
	asJSON(cmd, &jsonOut)
	return cmd
}

// mostAveraged is how many policies may become one.
const mostAveraged = 64

// checkOutputs refuses to write over what is read, and over what a run has written.
func checkOutputs(names, sources []string) error {
	var read []os.FileInfo
	for _, source := range sources {
		if _, err := zoo.Find(source); err == nil {
			continue // it is in the program
		}
		from, err := os.Stat(source)
		if err != nil {
			return err
		}
		read = append(read, from)
	}
	for i, name := range names {
		to, err := os.Stat(name)
		switch {
		case err == nil && slices.ContainsFunc(read, func(from os.FileInfo) bool { return os.SameFile(from, to) }):
			return usagef("%s would be written over itself: name another file with --out", name)
		case err == nil && train.Wrote(name):
			return usagef("%s would be written over, and has the name of a run's own file: name another with --out", name)
		case slices.Contains(names[:i], name):
			return usagef("%s would be written twice: name another file with --out", name)
		}
	}
	return nil
}

// averageOf reads policies and takes the mean of their weights; files are what was read.
func averageOf(sources []string, opt train.ExportOptions) (b *bundle.Bundle, files []string, err error) {
	var all []*bundle.Bundle
	for _, source := range sources {
		b, from, err := policyIn(source, opt)
		if err != nil {
			return nil, nil, err
		}
		all, files = append(all, b), append(files, from)
	}
	if err := all[0].Average(all[1:]...); err != nil {
		return nil, nil, fmt.Errorf("export %s: %w", strings.Join(files, " "), err)
	}
	return all[0], files, nil
}

// bundleName is where the bundle of a run or checkpoint goes.
func bundleName(from string) string {
	if info, err := os.Stat(from); err == nil && info.IsDir() {
		return filepath.Join(from, "policy"+bundle.Ext)
	}
	return strings.TrimSuffix(from, filepath.Ext(from)) + bundle.Ext
}

func (r *exportResult) write(cmd *cobra.Command) {
	out := cmd.OutOrStdout()
	for _, f := range r.Files {
		fmt.Fprintf(out, "%s: %s bytes, from %s\n", f.File, grouped(f.Bytes), r.From)
	}
	if r.Golden != "" {
		fmt.Fprintf(out, "%s: decisions by which to check them\n", r.Golden)
	}
	fmt.Fprintf(out, "%s, layers %v, %s decisions of training, plays by %s\n", r.Game, r.Hidden, grouped(r.Steps), map[string]string{
		bundle.Sample: "sampling", bundle.Greedy: "the likeliest action",
	}[r.Choice])
	for _, e := range r.Evaluation {
		fmt.Fprintf(out, "against %s in all other seats of %s: wins %.3f (%.3f to %.3f; equal share %.3f) of %s\n", e.Bot, e.Game, e.WinRate[0], e.WinRate[1], e.WinRate[2], e.EqualShare, engine.Count(e.Matches, "match", "matches"))
	}
}
