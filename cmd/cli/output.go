package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/privateer-rl/privateer/engine/durable"
)

// writeJSON prints a value as indented JSON.
func writeJSON(cmd *cobra.Command, v any) error {
	e := json.NewEncoder(cmd.OutOrStdout())
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	return nil
}

// asJSON adds the flag that commands share.
func asJSON(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "json", false, "print JSON, for programs")
}

// count is the value of a flag that is a whole number in a range: what lies beyond would be played for years, or has no room in memory.
type count struct {
	to          *int
	least, most int
}

// The limits of a command's counts.
const (
	mostCores      = 4096
	mostInMemory   = 1 << 24 // matches of which each is remembered
	mostOneByOne   = 1 << 30 // matches that are forgotten once they are summed up
	mostGoldenRows = 1 << 20
)

func (c count) String() string {
	if c.to == nil {
		return ""
	}
	return strconv.Itoa(*c.to)
}

func (c count) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < c.least || n > c.most {
		return errors.New("out of range")
	}
	*c.to = n
	return nil
}

func (c count) Type() string { return "int" }

// countFlag adds such a flag; shorthand may be empty.
func countFlag(cmd *cobra.Command, to *int, name, shorthand string, value, least, most int, usage string) {
	*to = value
	cmd.Flags().VarP(count{to, least, most}, name, shorthand, usage)
}

// workersFlag adds --workers.
func workersFlag(cmd *cobra.Command, to *int, usage string) {
	countFlag(cmd, to, "workers", "", 0, 0, mostCores, usage)
}

// mostRead is how long a position or a transcript may be, in bytes: what is given as one may be a device that has no end.
const mostRead = 64 << 20

// readFile reads a file or a pipe, such as <(command) of a shell, or standard input for "-".
func readFile(cmd *cobra.Command, path string) ([]byte, error) {
	in, name := cmd.InOrStdin(), "standard input"
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err // which names operation and path
		}
		defer f.Close()
		in, name = f, path
	}
	data, err := io.ReadAll(io.LimitReader(in, mostRead+1))
	switch {
	case err != nil && path != "-":
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, err)
	case len(data) > mostRead:
		return nil, fmt.Errorf("read %s: longer than %d MiB: this is no position and no transcript", name, mostRead>>20)
	}
	if data, err = durable.Text(data); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return data, nil
}
