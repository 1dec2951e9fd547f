package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode"
)

// parts are the possible values of --only.
var parts = []string{"actions", "outcomes", "observation", "full_observation", "action_row", "position_schema", "events", "params"}

func newSpec() *cobra.Command {
	var (
		only string
		at   int
	)
	cmd := &cobra.Command{
		Use:   "spec [GAME]",
		Short: "Print a game's actions, observations, positions and events as JSON",
		Long: `Print the static description of a game as JSON: seats, actions and outcomes of
chance by name, the layout of observations and of the rows that describe actions, with their hashes, the JSON
Schema of a position file, and the kinds of event with their fields, hidden fields and sentences.
Without a game: the list of games.

--at explains a byte of the observation, or with --only of full_observation or action_row.`,
		Example: `  privateer spec
  privateer spec "doubloons(seats=4)"
  privateer spec doubloons --at 700
  privateer spec doubloons --only position_schema > position.schema.json`,
		Args: arguments(0, 1, "GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				if only != "" || cmd.Flags().Changed("at") {
					return usagef("--only and --at need a GAME")
				}
				all, err := listGames()
				if err != nil {
					return err
				}
				return writeJSON(cmd, all)
			}
			s, err := encode.SpecOf(args[0])
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("at") {
				return writeFeature(cmd, s, only, at)
			}
			if only == "" {
				return writeJSON(cmd, s)
			}
			one, err := part(s, only)
			if err != nil {
				return err
			}
			return writeJSON(cmd, one)
		},
	}
	cmd.Flags().StringVar(&only, "only", "", "one part: "+strings.Join(parts, ", "))
	cmd.Flags().IntVar(&at, "at", 0, "the feature at this byte")
	// JSON is the only form there is.
	cmd.Flags().Bool("json", true, "print JSON (always)")
	return cmd
}

// writeFeature prints what a byte of a layout is.
func writeFeature(cmd *cobra.Command, s *encode.Spec, layout string, at int) error {
	if layout == "" {
		layout = "observation"
	}
	one, err := part(s, layout)
	if err != nil {
		return err
	}
	schema, ok := one.(*encode.HashedSchema)
	if !ok {
		return usagef("--at with --only %s: want observation, full_observation or action_row", layout)
	}
	feature, err := schema.At(at)
	if err != nil {
		return fmt.Errorf("--at: %w", err)
	}
	return writeJSON(cmd, feature)
}

// part is one of parts.
func part(s *encode.Spec, name string) (any, error) {
	switch strings.ReplaceAll(name, "-", "_") {
	case "actions":
		return s.Actions, nil
	case "outcomes":
		return s.Outcomes, nil
	case "observation":
		return s.Observation, nil
	case "full_observation":
		return s.Full, nil
	case "action_row":
		if s.ActionRow == nil {
			return nil, fmt.Errorf("%s does not describe its actions", s.Config)
		}
		return s.ActionRow, nil
	case "position_schema":
		return s.Position, nil
	case "events":
		if s.Events == nil {
			return nil, fmt.Errorf("%s has no events", s.Config)
		}
		return s.Events, nil
	case "params":
		return s.Params, nil
	}
	return nil, usagef("--only %s: want one of %s", name, strings.Join(parts, ", "))
}
