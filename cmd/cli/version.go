package cli

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/serve/version"
	"github.com/privateer-rl/privateer/train/learner"
)

type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Torch    bool   `json:"torch"` // built with the tag torch
}

// hasTorch reports whether this build can train. It asks for a network
// without dimensions, which is refused before libtorch is touched.
func hasTorch() bool {
	_, err := learner.New(learner.Config{})
	return !errors.Is(err, learner.ErrNoTorch)
}

func newVersion() *cobra.Command {
	var jsonOut bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, and whether this build can train",
		Example: `  privateer version
  privateer version --json`,
		Args: arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			version, revision := version.Build()
			v := versionInfo{Version: version, Revision: revision, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Torch: hasTorch()}
			if jsonOut {
				return writeJSON(cmd, v)
			}
			torch := "without libtorch: this build cannot train (`make build-torch` makes one that can)"
			if v.Torch {
				torch = "with libtorch"
			}
			fmt.Fprintf(cmd.OutOrStdout(), "privateer %s %s %s, %s\n", v.Version, v.Go, v.Platform, torch)
			return nil
		},
	}
	asJSON(cmd, &jsonOut)
	return cmd
}
