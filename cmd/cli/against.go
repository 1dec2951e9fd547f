package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/match/child"
	"github.com/privateer-rl/privateer/env/measure/compare"
	"github.com/privateer-rl/privateer/train"
)

// against holds the flags of `eval A --against B`.
type against struct {
	opponents   []string
	game        string
	matches     int
	seed        uint64
	choice      choice
	workers     int
	gate        float64
	alpha, beta float64
	most        int
	control     bool
	rollouts    int
	alone       bool
	shard, out  string // "": all of it, here
	json        bool
}

// againstHelp is the part of eval's help about it.
const againstHelp = `--against compares any two players: bots by name, with or without settings, exported policies, runs
and checkpoints. If a file or the folder of a run has the name of a bot, the name means the file.
Each deal is played from every seat by one A against B in all others, by one B against A in all
others, and at evenly mixed tables: every way to give half of the seats to A (with an odd number of seats, both the
smaller and the larger half; with more than six, one way drawn per deal, its rotations, and the same
with the sides swapped).

In these games the odd one out has an advantage, regardless of strength: two equal players may each win a third of
their matches alone against three of the other. Neither direction alone shows which is stronger, so the verdict
rests on the mixed tables. It is significant if their 95 % interval excludes 0.5 and the two directions together do not
say the opposite. The margin is the mean score of a side's seats minus that of the others. The cost of a decision is CPU time.

--alone plays only one A against B in all others, from every seat: the win rate of a lone player, at a fraction of the cost
if A is slow, and no verdict.

--control reduces variance in the manner of AIVAT (Burch et al. 2018): it subtracts the luck of each chance event, and of
each random choice of a player with known probabilities, as valued by a frozen value function whose digest is printed.
The estimate stays unbiased whatever that function says. --rollouts 16 values positions by 16 rollouts instead of
as they stand: about half a second more per match of doubloons, worth it for slow players.

--gate POINTS plays mixed tables, deal by deal, until it is known whether A's side wins at least that many percentage
points more than half, by a sequential probability ratio test (Wald 1945, Li et al. 2014). Exit codes: 0 if A is
better, 3 if it is not, 4 if the maximum number of matches cannot tell.

--shard 3/16 plays the third of sixteen parts and writes it to the folder --out. Shards can be played anywhere and in any
order; an existing one is not played again. --merge FOLDER merges them: the result does not depend on their
number. --shard job/16 takes the shard from the index of a Kubernetes Job's pod.`

// Exit codes of a gate, besides 0 for a player that is better.
const (
	exitNotBetter = 3
	exitUndecided = 4
)

// contestant is a player named on the command line.
type contestant struct {
	match.Player
	read      *policy.Reader // of a bot: what reads the policies that it uses
	game      string         // that a policy was trained for; "" of bots
	bundle    *bundle.Bundle // of a policy; nil of bots
	path      string         // of a policy: the file that was read
	opponents []string       // of a policy: the bots that its training was evaluated against
}

// loadContestant finds the player of a name.
func loadContestant(name string, how choice, warn func(string)) (contestant, error) {
	path, isFile := fileOf(name)
	if !isFile {
		read := new(policy.Reader)
		return contestant{Player: match.NamedBy(read, name), read: read}, nil
	}
	return loadPolicy(name, path, how, warn)
}

// identify gives a bot the digests of the policies that it uses in a game, as an ensemble or in its settings.
func (c *contestant) identify(game string) error {
	if c.bundle != nil || child.Is(c.Name) {
		return nil
	}
	g, err := engine.NewGame(game)
	if err != nil {
		return err
	}
	digests, err := c.read.Digests(c.Name, g)
	c.Digest = strings.Join(digests, "#")
	return err
}

// loadPolicy makes a player of a bundle, run or checkpoint.
func loadPolicy(name, path string, how choice, warn func(string)) (contestant, error) {
	b, path, err := bundleOf(path, warn)
	if err != nil {
		return contestant{}, err
	}
	if b.Choose(how.or(b.Choice)); b.Digest() == "" {
		if b, err = asRead(b); err != nil {
			return contestant{}, err
		}
	}
	c := contestant{Player: match.Bundled(name, b), game: b.Game, bundle: b, path: path}
	if t, err := train.TrainingOf(b); err == nil {
		c.game, c.opponents = t.Game, t.EvalBots
	}
	return c, nil
}

// fileOf is the file or folder that a name means, unless it is a bot's. A folder that has the name of a bot, such as that of a
// bot's results, means the bot if no run has left a checkpoint there.
func fileOf(name string) (path string, ok bool) {
	path, prefixed := strings.CutPrefix(name, policy.Prefix)
	if prefixed {
		return path, !policy.IsEnsemble(name)
	}
	info, err := os.Stat(path)
	if err != nil || info.IsDir() && isBot(name) && !train.IsRun(path) {
		return path, false
	}
	return path, !policy.IsEnsemble(name)
}

// isBot reports whether a bot of any game has this name.
func isBot(name string) bool {
	all, err := listGames()
	return err == nil && slices.ContainsFunc(all, func(g gameEntry) bool { return slices.Contains(g.Bots, name) })
}

// bundleOf reads a bundle, or makes the one that an export of a run or a checkpoint would write; from is the file that was read.
func bundleOf(path string, warn func(string)) (b *bundle.Bundle, from string, err error) {
	if policy.IsBundle(path) {
		b, err = policy.Find(path)
		return b, path, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, path, train.Missing(path, err)
	}
	if filepath.Ext(path) == ".onnx" {
		return nil, path, fmt.Errorf("%s is a network as ONNX, which plays as a program: \"exec:python3 env/match/child/examples/onnx.py %[1]s\"", path)
	}
	b, from, err = train.Export(path, train.ExportOptions{Warn: warn})
	if err != nil {
		return nil, from, err
	}
	b, err = asRead(b)
	return b, from, err
}

// asRead is a bundle as a file would have it, which knows its digest.
func asRead(b *bundle.Bundle) (*bundle.Bundle, error) {
	data, err := b.Encode()
	if err != nil {
		return nil, err
	}
	return bundle.Decode(data)
}

// loadContestants finds players by their names, and the game that they play if none is given: that of the first policy.
func loadContestants(names []string, game string, how choice, warn func(string)) ([]match.Player, string, error) {
	var found []contestant
	for _, name := range names {
		c, err := loadContestant(name, how, warn)
		if err != nil {
			return nil, "", err
		}
		if game == "" {
			game = c.game
		}
		found = append(found, c)
	}
	if game == "" {
		return nil, "", usagef("--game is missing: only a policy says which game it plays")
	}
	var players []match.Player
	for _, c := range found {
		if err := c.identify(game); err != nil {
			return nil, "", err
		}
		players = append(players, c.Player)
	}
	return players, game, nil
}

// check refuses what would have no effect, or none that could be meant.
func (o *against) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	for _, name := range []string{"alpha", "beta", "max-matches"} {
		if changed(name) && !changed("gate") {
			return usagef("--%s is for --gate", name)
		}
	}
	if changed("out") && o.shard == "" {
		return usagef("--out is for --shard")
	}
	if o.alpha == 0 || o.beta == 0 {
		return usagef("--alpha %v, --beta %v: want both above 0 and below 0.5", o.alpha, o.beta)
	}
	if o.rollouts < 0 || o.rollouts > 0 && !o.control {
		return usagef("--rollouts %d: want rollouts of --control, or 0", o.rollouts)
	}
	return nil
}

func (o *against) run(cmd *cobra.Command, name string) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	players, game, err := loadContestants(append([]string{name}, o.opponents...), o.game, o.choice, newProgress(cmd.ErrOrStderr()).warn)
	if err != nil {
		return err
	}
	cfg := compare.Config{Game: game, Matches: o.matches, Seed: o.seed, Workers: o.workers, Control: o.control, Rollouts: o.rollouts, Alone: o.alone}
	if cmd.Flags().Changed("gate") {
		return o.runGate(cmd, players, cfg)
	}
	if o.shard != "" {
		return o.runShard(cmd, players, cfg)
	}
	all := []compare.Comparison{}
	for _, other := range players[1:] {
		c, err := compare.Compare(cmd.Context(), players[0], other, cfg)
		if err != nil {
			return err
		}
		all = append(all, c)
		if !o.json {
			writeNext(cmd.OutOrStdout(), len(all) == 1, &c)
		}
	}
	if o.json {
		return writeJSON(cmd, all)
	}
	return nil
}

// runShard plays one shard and says where it is.
func (o *against) runShard(cmd *cobra.Command, players []match.Player, cfg compare.Config) error {
	p, err := parseShard(o.shard, os.Getenv(indexOfJob))
	if err != nil {
		return err
	}
	path, written, err := compare.PlayShard(cmd.Context(), players[0], players[1:], cfg, p, o.out)
	if err != nil {
		return err
	}
	if o.json {
		return writeJSON(cmd, struct {
			Path    string `json:"path"`
			Written bool   `json:"written"`
		}{path, written})
	}
	if written {
		fmt.Fprintf(cmd.OutOrStdout(), "%s is written; when all shards are, privateer eval --merge %s merges them\n", path, o.out)
		return nil
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s exists already\n", path)
	return nil
}

// mergeShards sums up the shards of a folder.
func mergeShards(cmd *cobra.Command, folder string, asJSON bool) error {
	all, err := compare.MergeShards(folder)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(cmd, all)
	}
	for i := range all {
		writeNext(cmd.OutOrStdout(), i == 0, &all[i])
	}
	return nil
}

// writeNext prints a comparison below those before it.
func writeNext(out io.Writer, first bool, c *compare.Comparison) {
	if !first {
		fmt.Fprintln(out)
	}
	writeComparison(out, c)
}

func (o *against) runGate(cmd *cobra.Command, players []match.Player, cfg compare.Config) error {
	if o.alone {
		return usagef("--gate and --alone: a gate plays mixed tables: want one of them")
	}
	if o.shard != "" {
		return usagef("--gate and --shard: a gate looks at each deal before it plays the next: want one of them")
	}
	if len(players) != 2 {
		return usagef("--gate is for one opponent, not for %d", len(players)-1)
	}
	cfg.Matches = o.most
	g, err := compare.Gate(cmd.Context(), players[0], players[1], compare.GateConfig{Config: cfg, Points: o.gate, Alpha: o.alpha, Beta: o.beta})
	if err != nil {
		return err
	}
	if o.json {
		err = writeJSON(cmd, g)
	} else {
		writeGate(cmd.OutOrStdout(), &g)
	}
	switch {
	case err != nil:
		return err
	case g.Decision == compare.NotBetter:
		return exitError(exitNotBetter)
	case g.Decision == compare.Undecided:
		return exitError(exitUndecided)
	}
	return nil
}

// writeComparison prints how two players did against each other.
func writeComparison(out io.Writer, c *compare.Comparison) {
	fmt.Fprintf(out, "%s, deals of seed %d; of the wins, equal is %.3f for one seat and 0.500 for a side\n", c.Game, c.Seed, c.EqualShare)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "seats\twins\tmargin\tmatches\tdeals")
	line := func(name string, s *compare.Standing) {
		fmt.Fprintf(w, "%s\t%v\t%+.2f [%+.2f, %+.2f]\t%d\t%d\n", name, s.Wins, s.Margin.Mean, s.Margin.Low, s.Margin.High, s.Matches, s.Deals)
	}
	line(fmt.Sprintf("one %s against %d × %s", c.A, c.Seats-1, c.B), &c.One)
	all := c.Mixed.Matches > 0 // not only one direction
	if all && c.Seats > 2 {
		line(fmt.Sprintf("one %s against %d × %s", c.B, c.Seats-1, c.A), &c.Other)
		line(fmt.Sprintf("evenly mixed, %s's side", c.A), &c.Mixed)
	}
	w.Flush()
	writeControl(out, c, all)
	if all && c.Seats > 2 {
		fmt.Fprintf(out, "alone, %s wins %.3f [%.3f, %.3f] more than %s does (0 is equal)\n", c.A, c.Directions.Mean, c.Directions.Low, c.Directions.High, c.B)
	}
	writeCosts(out, c.A, c.CostA, c.B, c.CostB)
	if cut := c.One.Truncated + c.Other.Truncated + c.Mixed.Truncated; cut > 0 {
		fmt.Fprintf(out, "%s cut short by a limit of the game: no winner, so each seat counts an equal share\n", engine.Count(cut, "match", "matches"))
	}
	writeFaults(out, c.A, c.FaultsA)
	writeFaults(out, c.B, c.FaultsB)
	if all {
		fmt.Fprintln(out, c.Verdict.Text)
	}
}

// writeControl writes the gain from playing deals more than once, and from removing luck.
func writeControl(out io.Writer, c *compare.Comparison, all bool) {
	tables, s := "alone", &c.One
	if all {
		tables, s = "at mixed tables", &c.Mixed
	}
	fmt.Fprintf(out, "%s a match of these deals says as much as %.2f of independent deals", tables, s.Duplicate)
	if w := s.WinsControlled; w != nil {
		m := s.MarginControlled
		fmt.Fprintf(out, "; with luck taken out, by %s (digest %s), A's side wins %v and leads by %+.2f [%+.2f, %+.2f], which saves a factor of %.2f and %.2f of matches",
			c.Control.Value, c.Control.Digest, w, m.Mean, m.Low, m.High, w.Saved, m.Saved)
	}
	fmt.Fprintln(out)
}

func writeGate(out io.Writer, g *compare.Gated) {
	fmt.Fprintf(out, "%s, deals of seed %d; chance of a wrong \"better\" %v, of a wrong \"not better\" %v\n", g.Game, g.Seed, g.Alpha, g.Beta)
	writeCosts(out, g.A, g.CostA, g.B, g.CostB)
	writeFaults(out, g.A, g.FaultsA)
	writeFaults(out, g.B, g.FaultsB)
	fmt.Fprintln(out, g.Text)
}

func writeCosts(out io.Writer, a string, costA match.Cost, b string, costB match.Cost) {
	how := func(c match.Cost) string {
		if c.Wall {
			return "by the clock"
		}
		return "of CPU time"
	}
	if costA.Wall == costB.Wall {
		fmt.Fprintf(out, "a decision takes %v %s for %s and %v for %s\n", costA, how(costA), a, costB, b)
		return
	}
	fmt.Fprintf(out, "a decision takes %v %s for %s and %v %s for %s\n", costA, how(costA), a, costB, how(costB), b)
}

// writeFaults writes the failures of a player that is another program, if there were any.
func writeFaults(out io.Writer, name string, f bots.Faults) {
	if f != (bots.Faults{}) {
		fmt.Fprintln(out, f.Report(name))
	}
}
