package selfplay

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
)

// Config is the settings of play and learning that all algorithms share. Package train, whose Config has it, reads the tags: ranges (least, above,
// most), words (of), keys that a resumed run cannot change (fixed) and keys that `train --help` leaves to `--help all` (rare).
type Config struct {
	// Game is a game string or, if one network learns at several tables side by side, that of the first.
	Game   string  `yaml:"game" fixed:"" help:"game string, such as leduc or doubloons(seats=4); in a file also a list of {game: GAME, share: NUMBER, opponents: PLAYERS}"`
	Tables []Table `yaml:"-"`
	Seed   uint64  `yaml:"seed" fixed:"" help:"root seed of all random generators of the run"`

	Opponents []string `yaml:"opponents,flow" fixed:"" help:"bots, policy:BUNDLE or league, that have a seat in every match; smaller tables use only as many as leave one learning seat; empty: self-play alone"`
	League    []string `yaml:"league,flow" fixed:"" rare:"" help:"who an opponent named league is, drawn for each match: bots, policy:BUNDLE, past (the network as it was earlier in the run)"`

	TotalTimesteps int64 `yaml:"total_timesteps" least:"1" most:"9007199254740992" help:"decisions to collect, over all environments and seats"`
	NumEnvs        int   `yaml:"num_envs" least:"1" fixed:"" help:"matches played side by side"`
	NumSteps       int   `yaml:"num_steps" least:"1" fixed:"" help:"decisions of each match between two updates"`

	LearningRate      float64 `yaml:"learning_rate" above:"0" help:"Adam's step size at the start"`
	LearningRateFinal float64 `yaml:"learning_rate_final" least:"0" help:"Adam's step size at the end; 0: it falls linearly to 0"`
	Schedule          string  `yaml:"schedule" of:"linear geometric" help:"path of settings with a final value: linear or geometric"`
	UpdateEpochs      int     `yaml:"update_epochs" least:"1" help:"passes over the collected decisions in each update"`
	MinibatchSize     int     `yaml:"minibatch_size" least:"0" help:"most decisions in a minibatch; 0: a quarter of those of an update"`
	VfCoef            float64 `yaml:"vf_coef" least:"0" rare:"" help:"weight of the value loss"`
	MaxGradNorm       float64 `yaml:"max_grad_norm" least:"0" rare:"" help:"norm to which gradients are clipped; 0: no clipping"`

	Network       string `yaml:"network" of:"mlp entity" fixed:"" help:"mlp: a score for every action of the game; entity: scores legal actions by rows that describe their effects"`
	Hidden        []int  `yaml:"hidden,flow" fixed:"" help:"widths of the hidden layers"`
	RowHidden     []int  `yaml:"row_hidden,flow" fixed:"" help:"entity: widths of the layers that read an action's row"`
	PerfectCritic bool   `yaml:"perfect_critic" fixed:"" help:"let the critic (only) see hidden information"`

	Late Late `yaml:"late"`

	Device  string `yaml:"device" of:"cpu cuda" help:"cpu or cuda"`
	Workers int    `yaml:"workers" least:"0" most:"4096" help:"goroutines that step the environments; 0: one per core"`
	Threads int    `yaml:"threads" least:"0" most:"4096" help:"threads that learn; 0: one per core"`
}

// Table is one of several configurations of a game that a network learns side by side.
type Table struct {
	Game      string    `yaml:"game"`
	Share     float64   `yaml:"share"`                    // of the environments, beside those of the other tables
	Opponents *[]string `yaml:"opponents,flow,omitempty"` // nil: those of the run
}

// Late is the settings that differ in the late part of a run.
type Late struct {
	From  float64 `yaml:"from" above:"0" most:"1" fixed:"" help:"share of the run after which its late part begins"`
	Steps int     `yaml:"steps" least:"0" fixed:"" help:"num_steps of the late part, in which minibatches grow likewise; 0: num_steps"`
}

// Names in opponents and league besides bots.
const (
	leagueOpponent = "league" // a member of the league, drawn anew for each match
	pastPlayer     = "past"   // the network as it was earlier in the run, drawn from the past selves that are kept
)

// Values of Config.Schedule.
const (
	linearly      = "linear"
	geometrically = "geometric"
)

// Default is the configuration to start from.
func Default() Config {
	return Config{
		Seed: 1, Opponents: []string{}, League: []string{},
		TotalTimesteps: 2_000_000, NumEnvs: 256, NumSteps: 64,
		LearningRate: 2.5e-4, Schedule: linearly, UpdateEpochs: 3, VfCoef: 0.5, MaxGradNorm: 0.5,
		Network: "mlp", Hidden: []int{256, 256}, RowHidden: []int{128, 64}, Late: Late{From: 0.67}, Device: "cpu",
	}
}

// Validate checks the conditions that the tags' ranges do not express, and completes game strings to their canonical forms. The error names the key, its value and
// the wanted values.
func (c *Config) Validate() error {
	g, err := c.validateGames()
	if err != nil {
		return err
	}
	for _, check := range []func(engine.Game) error{c.validateOpponents, c.validateRows, c.validateNetwork} {
		if err := check(g); err != nil {
			return err
		}
	}
	return nil
}

// validateGames makes the games, which are learnt side by side, and completes their strings. It returns the first.
func (c *Config) validateGames() (engine.Game, error) {
	if c.Game == "" && len(c.Tables) > 0 {
		c.Game = c.Tables[0].Game
	}
	if c.Game == "" {
		return nil, fmt.Errorf("game: not given: want a game string, such as leduc or doubloons(seats=4)")
	}
	first, err := sampledGame(c.Game)
	if err != nil {
		return nil, err
	}
	c.Game = first.Info().Config
	if len(c.Tables) > c.NumEnvs {
		return nil, fmt.Errorf("game: %d tables for %d environments (num_envs): want an environment for each", len(c.Tables), c.NumEnvs)
	}
	for i := range c.Tables {
		t := &c.Tables[i]
		if !(t.Share > 0) || math.IsInf(t.Share, 0) {
			return nil, fmt.Errorf("game: share: %v: want numbers above 0", t.Share)
		}
		g, err := sampledGame(t.Game)
		if err != nil {
			return nil, err
		}
		if g.Info().Game != first.Info().Game {
			return nil, fmt.Errorf("game: %s: one network learns configurations of one game, here of %s", t.Game, first.Info().Game)
		}
		t.Game = g.Info().Config
		if slices.ContainsFunc(c.Tables[:i], func(o Table) bool { return o.Game == t.Game && slices.Equal(c.opponents(o), c.opponents(*t)) }) {
			return nil, fmt.Errorf("game: %s is listed twice with the same opponents", t.Game)
		}
		if err := sameLayout(first, g); err != nil {
			return nil, fmt.Errorf("game: %w", err)
		}
	}
	return first, nil
}

// sampledGame makes a game whose chance is sampled.
func sampledGame(name string) (engine.Game, error) {
	g, err := engine.NewGame(name)
	if err == nil && g.Info().Explicit {
		err = fmt.Errorf("%s: chance=explicit asks for chance as decisions; training needs chance=sampled", name)
	}
	if err != nil {
		return nil, fmt.Errorf("game: %w", err)
	}
	return g, nil
}

// sameLayout refuses games whose observations, actions or rows of actions differ.
func sameLayout(a, b engine.Game) error {
	x, err := encode.For(a)
	if err != nil {
		return err
	}
	y, err := encode.For(b)
	if err != nil {
		return err
	}
	rows := func(e *encode.Encoder) string {
		if s := e.ActionSchema(); s != nil {
			return s.Hash()
		}
		return ""
	}
	if x.Schema().Hash() != y.Schema().Hash() || x.FullSchema().Hash() != y.FullSchema().Hash() || rows(x) != rows(y) {
		return fmt.Errorf("%s and %s have observations or actions of different layouts: no network can learn both", a.Info().Config, b.Info().Config)
	}
	return nil
}

// validateOpponents checks the other players.
func (c *Config) validateOpponents(g engine.Game) error {
	largest, names := g.Info(), slices.Clone(c.Opponents)
	for _, t := range c.tables() {
		other, err := engine.NewGame(t.Game)
		if err != nil {
			return err
		}
		if other.Info().Seats > largest.Seats {
			largest = other.Info()
		}
		if most := other.Info().Seats - 1; t.Opponents != nil {
			if len(*t.Opponents) > most {
				return tooMany(*t.Opponents, other.Info())
			}
			names = append(names, *t.Opponents...)
		}
	}
	if most := largest.Seats - 1; len(c.Opponents) > most {
		return tooMany(c.Opponents, largest)
	}
	if err := c.validateLeague(g); err != nil {
		return err
	}
	for _, name := range names {
		if name == leagueOpponent {
			continue
		}
		if err := policy.CheckName(name, g); err != nil {
			return fmt.Errorf("opponents: %w", err)
		}
	}
	return nil
}

func tooMany(opponents []string, at *engine.Info) error {
	return fmt.Errorf("opponents: %d: want at most %d, so that a seat of %s is left to learn", len(opponents), at.Seats-1, at.Config)
}

// validateLeague checks the members of the league.
func (c *Config) validateLeague(g engine.Game) error {
	if c.hasLeague() && !slices.ContainsFunc(c.League, func(name string) bool { return name != pastPlayer }) {
		return fmt.Errorf("league: %v: want at least one bot (or policy:BUNDLE), to play against before there are past selves", c.League)
	}
	for _, name := range c.League {
		if name != pastPlayer {
			if err := policy.CheckName(name, g); err != nil {
				return fmt.Errorf("league: %w, and %s", err, pastPlayer)
			}
		}
	}
	return nil
}

// hasLeague reports whether a seat of any table is the league's.
func (c *Config) hasLeague() bool {
	return slices.ContainsFunc(c.tables(), func(t Table) bool { return slices.Contains(c.opponents(t), leagueOpponent) })
}

// validateRows refuses more decisions per update than could be counted or allocated.
func (c *Config) validateRows(engine.Game) error {
	const most = 1 << 26
	if steps := max(c.NumSteps, c.Late.Steps); c.NumEnvs > most || steps > most || c.NumEnvs*steps > most {
		return fmt.Errorf("num_envs × num_steps: %d × %d: want at most %d decisions an update", c.NumEnvs, steps, most)
	}
	return nil
}

// validateNetwork checks the widths of the network.
func (c *Config) validateNetwork(engine.Game) error {
	for name, widths := range map[string][]int{"hidden": c.Hidden, "row_hidden": c.RowHidden} {
		if len(widths) == 0 {
			return fmt.Errorf("%s: empty: want the width of at least one layer", name)
		}
		for _, w := range widths {
			if w < 1 || w > 1<<16 {
				return fmt.Errorf("%s: %v: want widths from 1 to %d", name, widths, 1<<16)
			}
		}
	}
	return nil
}

// All lists the game strings of the tables at which a network learns.
func (c *Config) All() []string {
	var games []string
	for _, t := range c.tables() {
		games = append(games, t.Game)
	}
	return games
}

// tables are those of the run, at least one.
func (c *Config) tables() []Table {
	if len(c.Tables) == 0 {
		return []Table{{Game: c.Game, Share: 1}}
	}
	return c.Tables
}

// opponents are those of a table, before it is known how many seats it has.
func (c *Config) opponents(t Table) []string {
	if t.Opponents != nil {
		return *t.Opponents
	}
	return c.Opponents
}

// Goroutines is how many step the environments.
func (c *Config) Goroutines() int {
	if c.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return c.Workers
}

// Alone reports whether the network has all seats of all tables.
func (c *Config) Alone() bool {
	return !slices.ContainsFunc(c.tables(), func(t Table) bool { return len(c.opponents(t)) > 0 })
}

// The child streams of a run's seed.
const (
	streamWeights = iota
	streamMatches
	StreamSampling
	streamShuffling
	StreamEvaluation
	StreamHeldOut
)

// MatchSeed is the seed of the matches of a run's environments.
func (c *Config) MatchSeed() uint64 { return engine.NewRand(c.Seed).At(streamMatches).Key }
