package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
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

// readFile reads a file, or standard input for "-".
func readFile(cmd *cobra.Command, path string) ([]byte, error) {
	if path == "-" {
		data, err := io.ReadAll(cmd.InOrStdin())
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		return data, nil
	}
	return os.ReadFile(path) // the error names operation and path
}
