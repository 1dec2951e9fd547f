package imitation

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// Settings are the section imitation of a configuration.
type Settings struct {
	Teacher     string  `yaml:"teacher" fixed:"" help:"bot to learn from, such as heuristic, search(rollouts=24) or policy:BUNDLE; stages, also as in heuristic(player=stages): the policies of the stages before, together, at tables of as many seats as they have trained at"`
	Targets     string  `yaml:"targets" of:"hard soft" fixed:"" help:"hard: the teacher's choice; soft: the softmax of what it says the actions are worth, or a policy's own probabilities"`
	Temperature float64 `yaml:"temperature" above:"0" fixed:"" help:"of soft targets, in the unit of the teacher's values"`
	OwnMatches  float64 `yaml:"own_matches" least:"0" most:"1" fixed:"" help:"share of matches that the network plays itself, by its likeliest actions, while the teacher says what it would do: what follows from the network's mistakes is not in the teacher's own matches (DAgger)"`
	Data        string  `yaml:"data" help:"folder that privateer dataset has written, of which the teacher is a player; empty: the teacher is asked now"`
	HeldOut     int     `yaml:"held_out" least:"0" most:"67108864" fixed:"" help:"decisions, of matches that are not learnt from, on which the network is compared with the teacher"`

	stages map[string]string `yaml:"-"` // the players that Stages are, by game
}

// Default is the recipe to start from.
func Default() Settings {
	return Settings{Teacher: "heuristic", Targets: hardTargets, Temperature: 0.1, HeldOut: 4000}
}

// Common changes the settings that all recipes have: each decision is learnt from twice.
func Common(c *selfplay.Config) {
	c.LearningRate, c.UpdateEpochs, c.MinibatchSize, c.MaxGradNorm = 1e-3, 2, 1024, 1
}

// Stages is the Teacher that consists of the policies of a recipe's earlier stages, which decide together. It may also be what a setting of
// the teacher names.
const Stages = "stages"

var stages = regexp.MustCompile(`(^|=)` + Stages + `($|[,)])`)

// OfStages reports whether Stages teach, alone or in a setting of the teacher.
func (s *Settings) OfStages() bool { return stages.MatchString(s.Teacher) }

// TaughtBy says which players Stages are, by game.
func (s *Settings) TaughtBy(players map[string]string) { s.stages = players }

// TeacherAt is the name of the teacher in a game.
func (s *Settings) TeacherAt(game string) (string, error) {
	if !s.OfStages() {
		return s.Teacher, nil
	}
	player, ok := s.stages[game]
	if !ok {
		return "", fmt.Errorf("teacher: %s: there are none before this run: want a bot, or a recipe with earlier stages that do not imitate", s.Teacher)
	}
	return s.Named(player), nil
}

// Named is the teacher with a player's name in place of Stages.
func (s *Settings) Named(player string) string {
	return stages.ReplaceAllString(s.Teacher, "${1}"+strings.ReplaceAll(player, "$", "$$")+"${2}")
}

// Values of Settings.Targets.
const (
	hardTargets = "hard" // the teacher's choice
	softTargets = "soft" // the softmax of what the teacher says the actions are worth
)

// Validate checks the conditions that the tags' ranges do not express.
func (s *Settings) Validate(c *selfplay.Config) error {
	if s.Teacher == "" {
		return fmt.Errorf("teacher: not given: want the bot to imitate, such as heuristic")
	}
	for _, game := range c.All() {
		g, err := engine.NewGame(game)
		if err == nil && s.Data == "" {
			err = policy.CheckName(s.Named("random"), g)
		}
		if err != nil {
			return fmt.Errorf("teacher: %w", err)
		}
	}
	if s.Data == "" {
		return nil
	}
	switch {
	case s.OfStages():
		return fmt.Errorf("data: %s: the teacher %s cannot be in a data set: want a player of the data", s.Data, s.Teacher)
	case len(c.All()) > 1:
		return fmt.Errorf("data: %s: it has one game, and the configuration has %d: want one game, or no data", s.Data, len(c.All()))
	case !c.Alone():
		return fmt.Errorf("data: %s: its matches have been played: want no opponents", s.Data)
	case s.OwnMatches > 0:
		return fmt.Errorf("own_matches: %v: the matches of data have been played: want 0, or no data", s.OwnMatches)
	case c.PerfectCritic:
		return fmt.Errorf("perfect_critic: true: data have no hidden information: want false")
	}
	return nil
}
