// Package zoo has the trained policies that come with the program, found by name wherever a bot is: policy:captain.
//
// A policy is named by its role, and the best one has the name: when a better one takes its place, the version in zoo.json grows.
// It is a compact bundle, NAME.bundle, and a card, NAME.md, that says how it was trained, what that cost, how strong it is, what it is
// bad at, and with which commands it is made again. zoo.json lists the policies, for each game from weakest to strongest. A version that tasks of
// the benchmark are scored against stays after it has lost its place, as older/NAME@VERSION.bundle, for they never change.
// A program in the browser has none: its page brings them as files.
package zoo

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrUnknown is the error for a name that no policy of the zoo has.
var ErrUnknown = errors.New("the zoo has no such policy")

const ext = ".bundle"

// Policy is one entry of zoo.json.
type Policy struct {
	Name    string `json:"name"`
	Version int    `json:"version"` // of what has the name, from 1
	Game    string `json:"game"`
	SHA256  string `json:"sha256"` // of the bundle
	For     string `json:"for"`    // what it is meant for, in a few words
}

// older reports whether another version has its place.
func (p Policy) older() bool { return strings.Contains(p.Name, "@") }

// All are all policies, also those that have lost their places, whose names are NAME@VERSION.
var All = func() (all []Policy) {
	if err := json.Unmarshal(list, &all); err != nil {
		panic("zoo.json: " + err.Error()) // embedded
	}
	return all
}()

// Policies lists the policies that have their places, for each game from weakest to strongest.
var Policies = slices.DeleteFunc(slices.Clone(All), Policy.older)

// Names lists the names of the policies, in the order of Policies.
func Names() (names []string) {
	for _, p := range Policies {
		names = append(names, p.Name)
	}
	return names
}

// Find returns the policy of a name, which may demand a version: captain or captain@1. What has more after the @ than a number, such as
// captain@1.bundle, is a file's name.
func Find(name string) (Policy, error) {
	at := func(name string) int { return slices.IndexFunc(All, func(p Policy) bool { return p.Name == name }) }
	if i := at(name); i >= 0 {
		return All[i], nil
	}
	role, version, _ := strings.Cut(name, "@")
	i := at(role)
	if i < 0 || strings.Trim(version, "0123456789") != "" {
		return Policy{}, fmt.Errorf("%w: %s", ErrUnknown, name)
	}
	p := All[i]
	if version != strconv.Itoa(p.Version) {
		has := fmt.Sprintf("%s@%d", role, p.Version)
		for _, other := range All {
			if other.older() && strings.HasPrefix(other.Name, role+"@") {
				has += " or " + other.Name
			}
		}
		return Policy{}, fmt.Errorf("%s is not a version that this program has: take %s, or the release of privateer that came with the other", name, has)
	}
	return p, nil
}

// Bundle is the file of a policy, by a name that Find knows. Its digest is checked.
func Bundle(name string) ([]byte, error) {
	p, err := Find(name)
	if err != nil {
		return nil, err
	}
	file := p.Name + ext
	if p.older() {
		file = "older/" + file
	}
	data, err := files.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if fmt.Sprintf("%x", sha256.Sum256(data)) != p.SHA256 {
		return nil, fmt.Errorf("the zoo's policy %s is not the one that zoo.json lists", p.Name)
	}
	return data, nil
}

// Card is what there is to know of a policy that has its place, as Markdown.
func Card(name string) (string, error) {
	p, err := Find(name)
	if err != nil {
		return "", err
	}
	text, err := files.ReadFile(p.Name + ".md")
	return string(text), err
}
