// Package zoo has trained policies that come with the program, found by name wherever a bot is: policy:captain-1.
//
// One policy is a compact bundle, NAME.bundle, and a card, NAME.md, that says how it was trained, what it cost, how strong it is, what it is
// bad at, and with which commands it is made again. SHA256SUMS has the digests of the bundles (sha256sum *.bundle > SHA256SUMS).
// A program in the browser has none: its page brings them as files.
package zoo

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// ErrUnknown is the error for a name that no policy of the zoo has.
var ErrUnknown = errors.New("the zoo has no such policy")

const ext = ".bundle"

// Names lists the policies.
func Names() []string {
	found, err := fs.Glob(files, "*"+ext)
	if err != nil {
		panic("zoo: " + err.Error()) // the pattern is fixed
	}
	for i, name := range found {
		found[i] = strings.TrimSuffix(name, ext)
	}
	return found
}

// Bundle is the file of a policy, whose digest it checks.
func Bundle(name string) ([]byte, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("%w: %s", ErrUnknown, name)
	}
	data, err := files.ReadFile(name + ext)
	if err != nil {
		return nil, err
	}
	if sum := fmt.Sprintf("%x  %s%s\n", sha256.Sum256(data), name, ext); !strings.Contains(sums, sum) {
		return nil, fmt.Errorf("the zoo's policy %s is not the one that SHA256SUMS was made for", name)
	}
	return data, nil
}

// Game is the game that a policy plays, as its card says: a list of policies need not read their files.
func Game(name string) string {
	card, err := Card(name)
	if err != nil {
		return ""
	}
	_, card, _ = strings.Cut(card, "\nPlays `")
	game, _, _ := strings.Cut(card, "`")
	return game
}

// Card is what there is to know of a policy, as Markdown.
func Card(name string) (string, error) {
	text, err := files.ReadFile(name + ".md")
	if err != nil {
		return "", fmt.Errorf("%w: %s", ErrUnknown, name)
	}
	return string(text), nil
}
