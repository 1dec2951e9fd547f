package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/train/imitation"
)

// indexOfJob is where Kubernetes tells a pod of an indexed Job its number, from 0.
const indexOfJob = "JOB_COMPLETION_INDEX"

func newGather() *cobra.Command {
	var (
		config, shard string
		g             imitation.Gathering
		jsonOut       bool
	)
	cmd := &cobra.Command{
		Use:         "gather",
		Short:       "Write down what a teacher says, on as many machines as there are",
		Annotations: inOrder(),
		Args:        arguments(0, 0, ""),
		Long: `Let a teacher, such as a search, play matches, and write down what it says at each decision: what
train --algorithm imitation then learns from with --imitation.labels FOLDER, as if it asked the teacher. That is slow with a good teacher,
and every match is independent, so the work is cut into shards: --shard 3/16 is the third of sixteen. Shards can be made
anywhere, in any order and again; put into one folder, they come to the same labels whatever their number.
A shard that is there already is not made again, so that a job that failed can simply be repeated.

Labels have what the teacher chose and what it says the actions are worth, so that targets of all kinds can be
learnt from them, and several times.

The configuration is that of the training; what it says of the game, the seed, the teacher, random_moves and num_envs must be the same in both.
--shard job/16 takes the number of a pod of an indexed Kubernetes Job (JOB_COMPLETION_INDEX, from 0).`,
		Example: `  privateer gather --game "doubloons(seats=4)" --imitation.teacher search-1ms --matches 4096 --shard 3/16 --out labels
  privateer train --algorithm imitation --game "doubloons(seats=4)" --imitation.teacher search-1ms --imitation.labels labels --network entity --total-timesteps 600000`,
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&config, "config", "", "YAML file of the training to start from; flags override it")
	cmd.Flags().StringVar(&g.Folder, "out", "labels", "folder that gets the shard")
	cmd.Flags().IntVar(&g.Matches, "matches", 1024, "matches of all shards together")
	cmd.Flags().StringVar(&shard, "shard", "1/1", "which shard of how many; job/N: by the index of a Kubernetes Job")
	flags := configFlags(cmd, "game", "seed", "num_envs", "workers", "imitation.teacher", "imitation.random_moves")
	asJSON(cmd, &jsonOut)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		var err error
		if g.Part, err = parseShard(shard, os.Getenv(indexOfJob)); err != nil {
			return err
		}
		stages, err := configured(config, flags, "imitation")
		if err != nil {
			return err
		}
		cfg := stages[0]
		settings, ok := cfg.Settings.(*imitation.Settings)
		if !ok {
			return usagef("--config %s: its algorithm is %s: want imitation", config, cfg.Algorithm)
		}
		if err := cfg.Validate(); err != nil {
			return err
		}
		decisions, told := 0, time.Now()
		g.Progress = func(matches, n int) {
			decisions = n
			if time.Since(told) > 10*time.Second {
				told = time.Now()
				fmt.Fprintf(cmd.ErrOrStderr(), "%s matches, %s decisions\n", grouped(int64(matches)), grouped(int64(n)))
			}
		}
		path, written, err := imitation.Gather(cmd.Context(), &cfg.Config.Config, settings, g)
		if err != nil {
			return err
		}
		if jsonOut {
			return writeJSON(cmd, struct {
				Path      string `json:"path"`
				Written   bool   `json:"written"`
				Decisions int    `json:"decisions"`
			}{path, written, decisions})
		}
		if !written {
			fmt.Fprintf(cmd.OutOrStdout(), "%s is there already\n", path)
			return nil
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %s decisions\n", path, grouped(int64(decisions)))
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
