package cli

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/encode/bundle"
)

// choice is how policies choose that a command loads. "": a run as it evaluates itself, a bundle as it was exported.
type choice string

// greedyFlag adds --greedy to a command.
func greedyFlag(cmd *cobra.Command, to *choice) {
	f := cmd.Flags().VarPF(to, "greedy", "", "policies play the likeliest action; --greedy=false: they sample (default: as runs evaluate themselves and bundles were exported)")
	f.NoOptDefVal = "true"
}

func (c *choice) Type() string   { return "bool" }
func (c *choice) String() string { return "" }

func (c *choice) Set(s string) error {
	greedy, err := strconv.ParseBool(s)
	if err != nil {
		return errors.New("want true or false")
	}
	*c = choice(bundle.Sample)
	if greedy {
		*c = choice(bundle.Greedy)
	}
	return nil
}

// or is the choice, or another if there is none.
func (c choice) or(other string) string {
	if c == "" {
		return other
	}
	return string(c)
}
