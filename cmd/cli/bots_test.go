package cli

import (
	"reflect"
	"testing"

	"github.com/spf13/cobra"
)

func TestListsOfBotsKeepTheirSettingsTogether(t *testing.T) {
	names := []string{"random"}
	cmd := &cobra.Command{Use: "x", RunE: func(*cobra.Command, []string) error { return nil }}
	botsFlag(cmd, &names, "")
	if got := cmd.Flags().Lookup("bots").DefValue; got != "random" {
		t.Errorf("the default is %s", got)
	}
	cmd.SetArgs([]string{"--bots", "search(rollouts=24,horizon=round), heuristic", "--bots", "random"})
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"search(rollouts=24,horizon=round)", "heuristic", "random"}; !reflect.DeepEqual(names, want) {
		t.Errorf("%q; want %q", names, want)
	}
}
