package serve

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/match/child"
)

// roster is who can play: the bots of package bots, and policies, as policy:NAME: the exported ones that
// the server was given, and those that come with the program; and which files game strings may name. It does not change.
type roster struct {
	policies   map[string]*bundle.Bundle                 // that were given, by "policy:NAME"
	zoo        map[string]func() (*bundle.Bundle, error) // that come with the program, and are read when they are first asked for
	components []string                                  // files that game strings may name
	programs   map[string]string                         // commands that may play at tables, exec:COMMAND, by what clients call them
	rollouts   int                                       // most of a decision of a bot that searches; 0: no limit
	local      bool                                      // Options.Local
	files      bool                                      // the caller has started the program for itself: game strings may name any file
}

// programPrefix marks the name of a program of the operator's: program:NAME.
const programPrefix = "program:"

// loadPrograms takes programs in, each of the form NAME=exec:COMMAND.
func (r *roster) loadPrograms(list []string) error {
	for _, text := range list {
		name, command, _ := strings.Cut(text, "=")
		if name == "" || !child.Is(command) {
			return fmt.Errorf("programs: %q: want NAME=exec:COMMAND or NAME=exec-text:COMMAND", text)
		}
		if err := child.CheckName(command); err != nil {
			return fmt.Errorf("programs: %s: %w", name, err)
		}
		if _, twice := r.programs[programPrefix+name]; twice {
			return fmt.Errorf("programs: %s is given twice", name)
		}
		r.programs[programPrefix+name] = command
	}
	return nil
}

// tableBot is bot for a seat of a table, where the operator's programs may play.
func (r *roster) tableBot(name string, g engine.Game) (bots.Bot, error) {
	command, ok := r.programs[name]
	if !ok {
		return r.bot(name, g)
	}
	b, err := child.New(command, g)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be started", name) // why is the operator's to know
	}
	return b, nil
}

// loadRoster reads bundles: files, and all of each folder. components are files that
// clients may name; rollouts are the most that a bot of theirs may play for a decision.
func loadRoster(paths, components []string, rollouts int) (*roster, error) {
	r := &roster{policies: map[string]*bundle.Bundle{}, zoo: map[string]func() (*bundle.Bundle, error){}, components: components, programs: map[string]string{}, rollouts: rollouts}
	for _, own := range zoo.All {
		r.zoo[policy.Prefix+own.Name] = sync.OnceValues(func() (*bundle.Bundle, error) { return policy.Find(own.Name) })
	}
	for _, file := range components {
		f, err := durable.Open(file)
		if err != nil {
			return nil, fmt.Errorf("components: %w", err)
		}
		f.Close()
	}
	for _, path := range paths {
		files := []string{path}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			if files, err = durable.Files(path, bundle.Ext); err != nil {
				return nil, fmt.Errorf("policies: %w", err)
			}
			if len(files) == 0 {
				return nil, fmt.Errorf("policies: %s has no %s file: privateer export makes one of a run", path, bundle.Ext)
			}
		}
		for _, file := range files {
			b, err := bundle.Load(file)
			if err != nil {
				return nil, fmt.Errorf("policies: %w", err)
			}
			g, err := engine.NewGame(b.Game)
			if err != nil {
				return nil, fmt.Errorf("policies: %s: %w", file, err)
			}
			if err := b.Fits(g); err != nil {
				return nil, fmt.Errorf("policies: %s: %w", file, err)
			}
			name := policy.Prefix + strings.TrimSuffix(filepath.Base(file), bundle.Ext)
			if other := r.policies[name]; other != nil && other.Digest() != b.Digest() {
				return nil, fmt.Errorf("policies: %s is another policy than one before it that would be %s too: rename one of the files", file, name)
			}
			r.policies[name] = b
		}
	}
	return r, nil
}

// notLocal is the roster for those who have not started the program.
func (r *roster) notLocal() *roster {
	others := *r
	others.local = false
	return &others
}

// names are the bots that can play a game.
func (r *roster) names(g engine.Game) []string {
	var all []string
	for _, k := range bots.Kinds(g) {
		if _, err := r.bot(k.Name, g); k.Slow && err != nil {
			continue // it takes more rollouts than the server allows
		}
		all = append(all, k.Name)
	}
	return append(all, r.policiesFor(g)...)
}

// policiesFor are the names of the policies that can play a game.
func (r *roster) policiesFor(g engine.Game) []string {
	var all []string
	for name, b := range r.policies {
		if b.Fits(g) == nil {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	for _, name := range policy.Zoo(g) { // in its own order
		if r.policies[name] == nil {
			all = append(all, name)
		}
	}
	return all
}

// policy is the policy of a name: the one that a name with a digest says (policy:NAME#DIGEST), a file of that name that was given, or
// else the program's own; nil if there is none.
func (r *roster) policy(name string) (*bundle.Bundle, error) {
	if _, digest, ok := strings.Cut(name, digestMark); ok {
		if b, err := r.ofDigest(digest); b != nil || err != nil {
			return b, err
		}
	}
	if b := r.policies[name]; b != nil {
		return b, nil
	}
	own, err := zoo.Find(strings.TrimPrefix(name, policy.Prefix))
	if errors.Is(err, zoo.ErrUnknown) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r.zoo[policy.Prefix+own.Name]()
}

// digestMark precedes the digest of a policy in its name, which then says what plays: what comes before it is for people. Clients who have
// read a bundle name it so, and snapshots do.
const digestMark = "#"

// ofDigest is the policy of a digest, whatever its name is here; nil if there is none.
func (r *roster) ofDigest(digest string) (*bundle.Bundle, error) {
	for _, b := range r.policies {
		if b.Digest() == digest {
			return b, nil
		}
	}
	for _, own := range zoo.All {
		if data, err := zoo.Bundle(own.Name); err == nil && bundle.DigestOf(data) == digest {
			return r.zoo[policy.Prefix+own.Name]()
		}
	}
	return nil, nil
}

// bot makes a bot, for one goroutine at a time. Policies are those of the server, in
// settings of other bots too: no name reads a file.
func (r *roster) bot(name string, g engine.Game) (bots.Bot, error) {
	if r.local {
		return r.anyBot(name, g)
	}
	find := func(name string) (*bundle.Bundle, error) {
		b, err := r.policy(name)
		if _, digest, ok := strings.Cut(name, digestMark); ok && b == nil && err == nil {
			return nil, fmt.Errorf("%s: none of the policies here has the digest %s: give that very file to the server (--policies)", name, digest)
		}
		if b == nil && err == nil {
			err = fmt.Errorf("unknown bot %q for %s: known are %s", name, g.Info().Game, strings.Join(r.names(g), ", "))
		}
		return b, err
	}
	b, err := bots.Maker{Rollouts: r.rollouts, Workers: 1, Others: func(name string, g engine.Game) (bots.Bot, error) {
		if !strings.HasPrefix(name, policy.Prefix) {
			return policy.RuleNamed(name, g, false)
		}
		if r.policies[name] == nil && policy.Members(name) != nil {
			return policy.NewEnsemble(name, g, find)
		}
		b, err := find(name)
		if err != nil {
			return nil, err
		}
		return policy.Of(name, b, g)
	}}.New(name, g)
	if all := r.policiesFor(g); len(all) > 0 && errors.Is(err, bots.ErrUnknown) {
		err = fmt.Errorf("%w; policies are named %s", err, strings.Join(all, ", "))
	}
	return b, err
}

// anyBot makes a bot for the user who has started the program: of any file, and on all cores.
func (r *roster) anyBot(name string, g engine.Game) (bots.Bot, error) {
	b, err := policy.NewBot(name, g)
	if err != nil {
		return nil, err
	}
	if s, ok := b.(interface{ SetWorkers(n int) error }); ok {
		return b, s.SetWorkers(0)
	}
	return b, nil
}

// player makes a bot a player of a vector, by its pinned name.
func (r *roster) player(name string) match.Player {
	return match.Player{Name: r.pinned(name), Bot: func(g engine.Game) (bots.Bot, error) { return r.bot(name, g) }}
}

// policyNames are the names of policies, and of ensembles of them, that the name of a bot has in it.
var policyNames = regexp.MustCompile(regexp.QuoteMeta(policy.Prefix) + `[^,()]+`)

// pins are the digests in a pinned name, which is shown without them.
var pins = regexp.MustCompile(digestMark + `[0-9a-f]{12}\b`)

// pinned is a bot's name with the digest of each policy in it, so that neither a snapshot nor a table is continued by another policy of the
// same name.
func (r *roster) pinned(name string) string {
	pin := func(one string) string {
		b, err := r.policy(one)
		if b == nil || err != nil || strings.Contains(one, digestMark) { // none, of which no bot can be made, or pinned
			return one
		}
		return one + digestMark + b.Digest()
	}
	if _, ok := r.programs[name]; ok {
		return name
	}
	if r.policies[name] != nil {
		return pin(name)
	}
	return policyNames.ReplaceAllStringFunc(name, func(one string) string {
		members := policy.Members(one)
		if members == nil || r.policies[one] != nil {
			return pin(one)
		}
		for i, member := range members {
			members[i] = strings.TrimPrefix(pin(member), policy.Prefix)
		}
		return policy.Prefix + strings.Join(members, policy.Joint)
	})
}

// onTensors is a bot that acts on tensors: a policy, or nil for the bot random. It is not ok if the bot looks at the match itself.
func (r *roster) onTensors(name string, g engine.Game) (p *policy.Bot, ok bool, err error) {
	b, err := r.bot(name, g)
	if err != nil {
		return nil, false, err
	}
	p, ok = b.(*policy.Bot)
	return p, ok || name == "random", nil
}
