package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/match/child"
	"github.com/privateer-rl/privateer/env/measure/rate"
)

func newRate() *cobra.Command {
	var (
		game, results, anchor, svg string
		cfg                        rate.Config
		seed                       uint64
		prior                      float64
		jsonOut, markdown          bool
		how                        choice
	)
	cmd := &cobra.Command{
		Use:         "rate [PLAYER…]",
		Short:       "Rate a pool of players against each other",
		Annotations: inOrder(),
		Long: `Rate players against each other: bots by name, with or without settings, exported policies, runs and
checkpoints. They play at mixed tables, drawn so that every pair meets, and each table plays its deal once with
each player in each seat, until each player has played --matches.

Ratings are maximum-likelihood estimates of the Plackett-Luce model of finishing orders, on Elo's
scale: 400 points are odds of ten to one to finish ahead. A tie counts as all orders it leaves
open, in equal parts. Intervals are 95 % confidence intervals, clustered by deal. With --alone each player's worst case in the pool stands
beside its rating: the most that any one player wins alone among n-1 of it. Include "rule(seed=7)" and other players that no policy
trained against (see exploit). --prior adds as many wins and
losses against an average player to each record, so that an undefeated player has a finite rating. The deviation is
a player's distance behind the best mixture of players, in percentage points of placings ahead: 0 for members of the mixture. Copies of a
player change ratings, but no deviation beyond its chance error (a point in some ten thousand matches). Cycles (A finishes ahead of B, B of C, C of A) are listed,
since no rating can show them. The cost of a decision is CPU time.

--results keeps all matches in an append-only file of JSON lines: the same command resumes
after an interruption, a larger --matches plays more, and a new player joins without replaying
anything. Players in the file keep playing, named on the command line or not. A damaged or edited
file is refused.`,
		Example: `  privateer rate random heuristic "search(rollouts=24)" --game "doubloons(seats=4)" --results ratings.jsonl
  privateer rate new.bundle --results ratings.jsonl --matches 400 --markdown --svg ratings.svg
  privateer rate runs/mine/checkpoints/*.ckpt heuristic --alone 400 --anchor heuristic=1000`,
		RunE: func(cmd *cobra.Command, args []string) error {
			where, err := parseAnchor(anchor)
			switch {
			case err != nil:
				return err
			case cfg.Matches < 1 || cfg.Alone < 0:
				return usagef("--matches %d, --alone %d: want at least 1 match, and none or more alone", cfg.Matches, cfg.Alone)
			case !(prior >= 0) || math.IsInf(prior, 0):
				return usagef("--prior %v: want 0 or more", prior)
			case jsonOut && markdown:
				return usagef("--json and --markdown: want one of them")
			}
			if !cmd.Flags().Changed("seed") && results != "" {
				seed = 0 // as the file has it
			}
			if svg != "" { // before hours of play
				if err := os.MkdirAll(filepath.Dir(svg), 0o755); err != nil {
					return fmt.Errorf("--svg: %w", err)
				}
				if err := durable.Check(svg); err != nil {
					return fmt.Errorf("--svg: %w", err)
				}
			}
			progress := newProgress(cmd.ErrOrStderr())
			r, players, err := ratedPlayers(args, results, game, seed, how, progress.warn)
			if err != nil {
				return err
			}
			defer r.Close()
			if where.Name != "" && !slices.ContainsFunc(players, func(p match.Player) bool { return p.Name == where.Name }) &&
				!slices.ContainsFunc(r.Players, func(k rate.Known) bool { return k.Name == where.Name }) {
				return usagef("--anchor %s: it is not among the players", where.Name)
			}
			cfg.Report = func(deals, matches int) {
				progress.note(engine.Count(matches, "match", "matches") + " of " + engine.Count(deals, "deal", ""))
			}
			err = r.Play(cmd.Context(), players, cfg)
			progress.clear()
			switch {
			case err != nil && cmd.Context().Err() != nil && results != "":
				return fmt.Errorf("stopped after %d matches: the same command resumes: %w", r.Matches(), err)
			case err != nil:
				return err
			}
			table, err := r.Rate(where, prior)
			if err != nil {
				return err
			}
			if svg != "" {
				if err := durable.WriteFile(svg, []byte(table.SVG())); err != nil {
					return fmt.Errorf("--svg: %w", err)
				}
			}
			switch {
			case jsonOut:
				return writeJSON(cmd, table)
			case markdown:
				fmt.Fprint(cmd.OutOrStdout(), table.Markdown())
			default:
				fmt.Fprint(cmd.OutOrStdout(), table.Text())
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&game, "game", "", "game string (default: that of the results, or of the first policy)")
	f.StringVar(&results, "results", "", "file of results to create or continue (default: keep none)")
	f.IntVarP(&cfg.Matches, "matches", "n", 400, "minimum matches per player at mixed tables")
	f.IntVar(&cfg.Alone, "alone", 0, "minimum matches of each player alone against n-1 of each other, for the payoff matrix; 0: none")
	f.StringVar(&anchor, "anchor", "", "player with a fixed rating, NAME or NAME=RATING (default: heuristic=1000, else random=0)")
	f.Float64Var(&prior, "prior", rate.DefaultPrior, "wins and losses against an average player added to each record")
	f.Uint64Var(&seed, "seed", 1, "seed of tables, deals and choices; existing results keep theirs")
	greedyFlag(cmd, &how)
	workersFlag(cmd, &cfg.Workers, "goroutines; 0: one per core")
	f.BoolVar(&markdown, "markdown", false, "print Markdown")
	f.StringVar(&svg, "svg", "", "file for a plot of the ratings")
	asJSON(cmd, &jsonOut)
	return cmd
}

// parseAnchor reads NAME=RATING; a name's settings may have an equals sign too.
func parseAnchor(text string) (rate.Anchor, error) {
	at := strings.LastIndexByte(text, '=')
	if at < strings.LastIndexByte(text, ')') || at < 0 {
		return rate.Anchor{Name: text, Rating: 0}, nil
	}
	rating, err := strconv.ParseFloat(text[at+1:], 64)
	if err != nil || math.IsNaN(rating) || math.IsInf(rating, 0) {
		return rate.Anchor{}, usagef("--anchor %s: %q is no rating: want NAME or NAME=RATING", text, text[at+1:])
	}
	return rate.Anchor{Name: text[:at], Rating: rating}, nil
}

// ratedPlayers opens the results, and finds the players that are named and those that the results have.
func ratedPlayers(names []string, results, game string, seed uint64, how choice, warn func(string)) (*rate.Results, []match.Player, error) {
	var named []contestant
	for _, name := range names {
		c, err := loadContestant(name, how, warn)
		if err != nil {
			return nil, nil, err
		}
		if game == "" {
			game = c.game
		}
		named = append(named, c)
	}
	if results == "" && game == "" {
		return nil, nil, usagef("--game is missing: only a policy says which game it plays")
	}
	var r *rate.Results
	var err error
	if results == "" {
		r, err = rate.New(game, seed)
	} else {
		r, err = rate.Open(results, game, seed)
	}
	if err != nil {
		return nil, nil, err
	}
	identify := func(c *contestant) error {
		if slices.Contains(r.Players, rate.Known{Name: c.Name}) { // results of 0.1.0 have no digests of what bots use
			return nil
		}
		return c.identify(r.Game)
	}
	var players []match.Player
	given := map[string]bool{}
	for _, c := range named {
		if err := identify(&c); err != nil {
			return nil, nil, errors.Join(err, r.Close())
		}
		given[c.Name] = true
		players = append(players, c.Player)
	}
	for _, known := range r.Players {
		switch {
		case given[known.Name]:
			continue
		case child.Is(known.Name): // the file's author runs nothing here
			warn(known.Name + " plays further matches only if it is named on the command line")
			continue
		}
		c, err := loadContestant(known.Name, how, warn)
		if err == nil {
			err = identify(&c)
		}
		switch {
		case known.Digest != "" && errors.Is(err, bots.ErrUnknown):
			err = errors.New("its file is gone")
		case err == nil && known.Digest != "" && c.Digest != known.Digest:
			err = fmt.Errorf("its file has changed, or its choice by --greedy (digest %s, now %s)", known.Digest, c.Digest)
		}
		if err != nil {
			warn(fmt.Sprintf("%s cannot play further matches: %v", known.Name, err))
			continue
		}
		players = append(players, c.Player)
	}
	return r, players, nil
}
