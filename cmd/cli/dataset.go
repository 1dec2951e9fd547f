package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/env/dataset"
	"github.com/privateer-rl/privateer/serve/version"
)

// indexOfJob is where Kubernetes tells a pod of an indexed Job its number, from 0.
const indexOfJob = "JOB_COMPLETION_INDEX"

func newDataset() *cobra.Command {
	var (
		c          dataset.Config
		names      []string
		out, shard string
		jsonOut    bool
	)
	cmd := &cobra.Command{
		Use:         "dataset GAME",
		Short:       "Write matches between players as Parquet, one row a decision",
		Annotations: inOrder(),
		Args:        arguments(1, 1, "GAME"),
		Long: `Write matches between any players as a folder of Parquet files, one row a decision: observation, legal actions, action, reward, return,
who decided, and with which probability if the player says so. What each legal action is worth, and with which probability it is chosen, is
there too for players that tell, such as policies and searches. --rows adds what each legal action does. Any tool that reads Parquet
reads it; the metadata of each file say what was played and what the bytes of an observation mean.

Match i is match i of privateer sim with the same game, players and seed. More players than seats take turns. privateer train
--algorithm imitation learns from it with --imitation.data FOLDER, as --imitation.teacher the player whose decisions it learns.

Each file has --part matches. Its rows depend only on the command line and the version of privateer, its bytes also on the kind of
processor, and neither on the number of workers, shards or attempts. --shard 3/16 writes every sixteenth file from the third on; the files of all sixteen shards, in
one folder, are the data set. A repeated command writes only the files that are missing, so an interruption loses no more
than the files in progress.`,
		Example: `  privateer dataset "doubloons(seats=4)" --players heuristic,greedy,random --matches 4096 --seed 7 -o data
  privateer dataset "jolly_roger(seats=6)" --players policy:pirate,heuristic --matches 100000 --shard 3/16 -o data
  privateer dataset "doubloons(seats=4)" --players search-10ms --random-moves 0.05 --rows --matches 4096 -o searched
  privateer train --algorithm imitation --game "doubloons(seats=4)" --imitation.data searched --imitation.teacher search-10ms --network entity
  python3 -c "import polars; print(polars.read_parquet('data/*.parquet'))"`,
	}
	f := cmd.Flags()
	f.Var(&botList{names: &names, kind: "players"}, "players", "players in seat order: bots by name, policies, runs, exec:COMMAND; repeated to fill the seats and moved on by one seat each match")
	countFlag(cmd, &c.Matches, "matches", "n", 1024, 1, mostOneByOne, "matches of the data set, in all shards")
	f.Uint64Var(&c.Seed, "seed", 1, "root seed; match i is deal i of it")
	f.StringVarP(&out, "out", "o", "", "folder that gets the files")
	countFlag(cmd, &c.PartMatches, "part", "", 256, 1, mostInMemory, "matches in a file: fewer for slow players, more for games of few decisions")
	f.BoolVar(&c.Rows, "rows", false, "also write what each legal action does (see privateer spec)")
	f.Float64Var(&c.RandomMoves, "random-moves", 0, "share of decisions at which a random move is played, to see more than the players' own matches; the players' choices are written too")
	f.StringVar(&shard, "shard", "1/1", "which files to write, of how many equal shares; job/N: by the index of a Kubernetes Job")
	workersFlag(cmd, &c.Workers, "goroutines; 0: one per core")
	asJSON(cmd, &jsonOut)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if out == "" {
			return usagef("--out is missing: want the folder that gets the files")
		}
		if len(names) == 0 {
			return usagef("--players is missing: name the players, such as heuristic,random")
		}
		if c.Part, err = parseShard(shard, os.Getenv(indexOfJob)); err != nil {
			return err
		}
		show := newProgress(cmd.ErrOrStderr())
		if c.Players, c.Game, err = loadContestants(names, args[0], "", show.warn); err != nil {
			return fmt.Errorf("--players: %w", err)
		}
		c.Version, _ = version.Build()
		c.Progress = func(matches, decisions int) {
			show.note(fmt.Sprintf("%s matches, %s decisions", grouped(int64(matches)), grouped(int64(decisions))))
		}
		w, err := dataset.Write(cmd.Context(), out, c)
		show.clear()
		if err != nil {
			return err
		}
		if jsonOut {
			return writeJSON(cmd, w)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %s written: %s matches, %s decisions", out, engine.Count(w.Files, "file", "files"), grouped(int64(w.Matches)), grouped(int64(w.Decisions)))
		if w.Kept > 0 {
			fmt.Fprintf(cmd.OutOrStdout(), "; %d of its files were there already", w.Kept)
		}
		fmt.Fprintln(cmd.OutOrStdout())
		for i, faults := range w.Faults {
			writeFaults(cmd.OutOrStdout(), c.Players[i].Name, faults)
		}
		return nil
	}
	return cmd
}

// parseShard reads K/N, or job/N with the number of a pod, from 0.
func parseShard(text, job string) (durable.Part, error) {
	first, second, ok := strings.Cut(text, "/")
	if first == "job" {
		i, err := strconv.Atoi(job)
		if err != nil {
			return durable.Part{}, usagef("--shard %s: %s is %q: want the number that an indexed Kubernetes Job gives its pods", text, indexOfJob, job)
		}
		first = strconv.Itoa(i + 1)
	}
	k, errK := strconv.Atoi(first)
	n, errN := strconv.Atoi(second)
	if !ok || errK != nil || errN != nil || k < 1 || k > n {
		return durable.Part{}, usagef("--shard %s: want K/N, such as 3/16, with K from 1 to N", text)
	}
	return durable.Part{Shard: k, Shards: n}, nil
}
