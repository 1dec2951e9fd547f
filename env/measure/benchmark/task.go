package benchmark

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/match/child"
)

// Parts is into how many parts of different deals a task is cut.
const Parts = 10

// Task is what is played for one score. Its file is tasks/NAME.yaml.
type Task struct {
	Name    string        `yaml:"-" json:"task"` // with its version: doubloons-4@1
	Game    string        `yaml:"game" json:"game"`
	Rules   string        `yaml:"rules" json:"rules"`                         // digest of what players see, may do and are paid: DigestRules
	Seed    uint64        `yaml:"seed" json:"-"`                              // the deals of part p are those of seed Seed + p
	Matches int           `yaml:"matches,omitempty" json:"matches,omitempty"` // least of each part, opponent and kind of table; 0: exact
	Nodes   int           `yaml:"nodes,omitempty" json:"-"`                   // of the whole tree; 0: no exact measurement
	Budget  time.Duration `yaml:"budget" json:"-"`                            // CPU time of a decision, on average, beyond which a player is not ranked
	Pool    []Member      `yaml:"pool,omitempty" json:"-"`

	start []byte // the position that the game string names, if it names one
}

// Member is an opponent of a pool.
type Member struct {
	Player string `yaml:"player"`           // by name
	Bundle string `yaml:"bundle,omitempty"` // digest of its file
	Digest string `yaml:"digest"`           // of what it decides: DigestDecisions
}

//go:embed tasks
var files embed.FS

// Tasks are all tasks, by name.
func Tasks() []Task {
	entries, err := files.ReadDir("tasks")
	if err != nil {
		panic(err) // it is part of the program
	}
	var all []Task
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".yaml")
		if !ok {
			continue
		}
		data, err := files.ReadFile(path.Join("tasks", e.Name()))
		if err != nil {
			panic(err)
		}
		t := Task{Name: name}
		if err := strictly(data, &t); err != nil {
			panic(fmt.Sprintf("task %s: %v", name, err))
		}
		if t.start, err = files.ReadFile(path.Join("tasks", t.plain()+".json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			panic(err)
		}
		all = append(all, t)
	}
	return all
}

// strictly reads YAML that says nothing unknown.
func strictly(data []byte, into any) error {
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	return d.Decode(into)
}

// Find picks tasks by name, with or without the version, or by the name of a game; without names all of them.
func Find(names []string) ([]Task, error) {
	all := Tasks()
	if len(names) == 0 {
		return all, nil
	}
	var found []Task
	for _, name := range names {
		known := false
		for _, t := range all {
			if name != t.Name && name != t.plain() && name != t.family() {
				continue
			}
			known = true
			if !slices.ContainsFunc(found, func(f Task) bool { return f.Name == t.Name }) {
				found = append(found, t)
			}
		}
		if !known {
			return nil, unknown(name, all)
		}
	}
	return found, nil
}

// unknown is the error for an unknown task: it lists the known ones.
func unknown(name string, all []Task) error {
	var names []string
	for _, t := range all {
		if plain, _, ok := strings.Cut(name, "@"); ok && plain == t.plain() {
			return fmt.Errorf("task %s: this privateer has %s: scores of one version say nothing of another", name, t.Name)
		}
		names = append(names, t.Name)
	}
	return fmt.Errorf("there is no task %q: want one of %s, or a game", name, strings.Join(names, ", "))
}

// plain is the name without the version.
func (t *Task) plain() string {
	plain, _, _ := strings.Cut(t.Name, "@")
	return plain
}

// family is the name of the game.
func (t *Task) family() string {
	family, _, _ := strings.Cut(t.Game, "(")
	return family
}

// open makes the task's game. A position at which its matches begin is in a file until close.
func (t *Task) open() (g engine.Game, close func(), err error) {
	if t.start == nil {
		g, err = engine.NewGame(t.Game)
		return g, func() {}, err
	}
	folder, err := os.MkdirTemp("", "privateer-benchmark")
	if err != nil {
		return nil, nil, err
	}
	close = func() { _ = os.RemoveAll(folder) }
	name := t.plain() + ".json"
	file := filepath.Join(folder, name)
	if err = os.WriteFile(file, t.start, 0o600); err == nil {
		g, err = engine.NewGame(strings.Replace(t.Game, "start="+name, "start="+file, 1))
	}
	if err != nil {
		close()
	}
	return g, close, err
}

// corpus is how many matches rules and players are digested by, and of how many decisions of them a player decides at most.
const (
	corpusMatches   = 8
	corpusDecisions = 400
)

// visit plays the matches of the corpus at random, and shows each decision.
func visit(ctx context.Context, g engine.Game, see func(m engine.Match, match int) error) error {
	m := g.NewMatch()
	for k := range corpusMatches {
		m.Reset(engine.DealSeed(corpusSeed, uint64(k)))
		r := engine.NewRand(corpusSeed).At(uint64(k))
		for m.Seat() >= 0 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := see(m, k); err != nil {
				return err
			}
			if err := m.Apply(m.Legal().Sample(&r)); err != nil {
				return err
			}
		}
		if err := see(m, k); err != nil {
			return err
		}
	}
	return nil
}

// corpusSeed deals the matches of the corpus.
const corpusSeed = 0x9e3779b97f4a7c15

// DigestRules digests what players of a game see, may do and are paid, in a few matches that are played at random.
func DigestRules(ctx context.Context, g engine.Game) (string, error) {
	enc, err := encode.For(g)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	obs, returns := make([]uint8, enc.Schema().Size), make([]float32, g.Info().Seats)
	err = visit(ctx, g, func(m engine.Match, _ int) error {
		m.Returns(returns)
		fmt.Fprintln(h, m.Seat(), returns)
		if m.Seat() < 0 {
			return nil
		}
		for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
			fmt.Fprintln(h, m.Info().Actions[a])
		}
		enc.Encode(m, m.Seat(), obs)
		h.Write(obs)
		return nil
	})
	return sum(h), err
}

// DigestDecisions digests what a bot decides in those matches: it has changed if its digest has. Programs have none, "", for what they
// decide is theirs.
func DigestDecisions(ctx context.Context, g engine.Game, p match.Player) (string, error) {
	return digestFirst(ctx, g, p, corpusDecisions)
}

// digestFirst digests a number of decisions.
func digestFirst(ctx context.Context, g engine.Game, p match.Player, decisions int) (string, error) {
	if child.Is(p.Name) || p.Bot == nil {
		return "", nil
	}
	b, err := p.Bot(g)
	if err != nil {
		return "", err
	}
	defer bots.Close(b)
	h, asked := sha256.New(), 0
	err = visit(ctx, g, func(m engine.Match, number int) error {
		if asked++; asked > decisions || m.Seat() < 0 {
			return nil
		}
		r := engine.NewRand(corpusSeed).At(uint64(asked))
		a, _, err := bots.Ask(ctx, b, bots.Question{Match: m, Number: number}, &r)
		fmt.Fprintln(h, a)
		return err
	})
	return sum(h), err
}

// sum is a digest as it is written: 32 digits tell apart what is not made to look alike.
func sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil))[:32] }

// check refuses a task whose rules are no longer those that its version is of.
func (t *Task) check(ctx context.Context, g engine.Game) error {
	rules, err := DigestRules(ctx, g)
	if err != nil {
		return err
	}
	if rules != t.Rules {
		return fmt.Errorf("task %s: its rules have the digest %s, and those of this privateer for %s have %s: they have changed, and the task needs a new version", t.Name, t.Rules, t.Game, rules)
	}
	return nil
}

// seat makes the player of a member, and refuses one that is not what it was.
func (m *Member) seat(ctx context.Context, g engine.Game, load func(name string) (match.Player, error)) (match.Player, error) {
	p, err := load(m.Player)
	if err != nil {
		return p, fmt.Errorf("opponent %s: %w", m.Player, err)
	}
	if m.Bundle != "" && p.Digest != m.Bundle {
		return p, fmt.Errorf("opponent %s: its file has the digest %q, want %s: it is another policy", m.Player, p.Digest, m.Bundle)
	}
	digest, err := DigestDecisions(ctx, g, p)
	if err != nil {
		return p, fmt.Errorf("opponent %s: %w", m.Player, err)
	}
	if m.Digest == "" {
		m.Digest = digest
	}
	if digest != m.Digest {
		return p, fmt.Errorf("opponent %s: its decisions have the digest %q, want %q: it is not the one that scores are measured by", m.Player, digest, m.Digest)
	}
	return p, nil
}

// ReadPool reads a file of opponents: a list with player, digest and, of policies, bundle. An opponent without a digest is taken as it is.
func ReadPool(path string) ([]Member, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var pool []Member
	if err := strictly(data, &pool); err != nil {
		return nil, fmt.Errorf("%s is no list of opponents, each with player and digest: %w", path, err)
	}
	for i, m := range pool {
		if m.Player == "" {
			return nil, fmt.Errorf("%s: opponent %d has no player", path, i+1)
		}
	}
	return pool, nil
}
