package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/privateer-rl/privateer/engine/durable"
)

// Part says which part of a comparison is played, and where what comes of it lies.
type Part struct {
	Shard, Shards int // Shard from 1
	Folder        string
}

// path is the file of the part.
func (p Part) path() string {
	return filepath.Join(p.Folder, fmt.Sprintf("shard-%05d-of-%05d%s", p.Shard, p.Shards, shardSuffix))
}

const shardSuffix = ".matches"

// shard is a part of a comparison: how meetings Shard−1, Shard−1+Shards, … of all that it plays have ended.
type shard struct {
	shardHead

	Finals []Final `json:"finals"`
	CostA  Cost    `json:"cost_a"`
	CostB  Cost    `json:"cost_b"`
}

// shardHead says what is compared: the same of all shards but for Shard.
type shardHead struct {
	Game    string `json:"game"` // canonical
	Seats   int    `json:"seats"`
	A       string `json:"a"`
	DigestA string `json:"digest_a,omitempty"`
	B       string `json:"b"`
	DigestB string `json:"digest_b,omitempty"`
	Matches int    `json:"matches"` // least of each kind of table, in all shards
	Seed    uint64 `json:"seed"`
	Alone   bool   `json:"alone,omitempty"`

	// What takes luck out; "" if nothing does.
	Control       string `json:"control,omitempty"`
	ControlDigest string `json:"control_digest,omitempty"`

	Shard  int `json:"shard"` // from 1
	Shards int `json:"shards"`
}

// kinds are the kinds of table that are compared.
func (h *shardHead) kinds() []contest {
	kinds := []contest{
		{of: true, seatings: func(uint64) []sides { return alone(h.Seats, true) }},
		{of: false, seatings: func(uint64) []sides { return alone(h.Seats, false) }},
		{of: true, seatings: evenly(h.Seats, h.Seed)},
	}
	if h.Alone {
		return kinds[:1]
	}
	return kinds
}

// own are the meetings of the shard.
func (h *shardHead) own() []meeting {
	all, _ := meetings(h.kinds(), h.Matches)
	var of []meeting
	for i := h.Shard - 1; i < len(all); i += h.Shards {
		of = append(of, all[i])
	}
	return of
}

// CompareShard plays a part of the comparisons of a player with others, and writes down how its matches have ended, for
// MergeShards. A part that is there already is left as it is: written is false then.
func CompareShard(ctx context.Context, a Player, others []Player, cfg CompareConfig, p Part) (path string, written bool, err error) {
	path = p.path()
	there, err := readShards(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", false, err
	}
	if err := os.MkdirAll(p.Folder, 0o755); err != nil {
		return "", false, err
	}
	if err := durable.Check(path); err != nil {
		return "", false, err
	}
	if there != nil {
		return path, false, sameShards(path, there, a, others, cfg, p)
	}
	var played []*shard
	for _, b := range others {
		s, err := playShard(ctx, a, b, cfg, p.Shard, p.Shards)
		if err != nil {
			return "", false, err
		}
		played = append(played, s)
	}
	data, err := json.Marshal(played)
	if err != nil {
		return "", false, err
	}
	err = durable.WriteFile(path, data)
	return path, err == nil, err
}

// sameShards refuses a file that holds something else than what is to be played.
func sameShards(path string, there []*shard, a Player, others []Player, cfg CompareConfig, p Part) error {
	same := len(there) == len(others)
	for i := 0; i < len(others) && same; i++ {
		_, head, err := cfg.prepare(a, others[i], p.Shard, p.Shards)
		if err != nil {
			return err
		}
		same = head == there[i].shardHead
	}
	if !same {
		return fmt.Errorf("%s is of another comparison: want another folder", path)
	}
	return nil
}

// prepare sets up the tables of a comparison, and says what a shard of it is.
func (cfg *CompareConfig) prepare(a, b Player, k, of int) (*Tables, shardHead, error) {
	fail := func(err error) (*Tables, shardHead, error) {
		return nil, shardHead{}, fmt.Errorf("%s against %s: %w", a.Name, b.Name, err)
	}
	if cfg.Matches < 1 {
		return fail(fmt.Errorf("%d matches: want at least 1", cfg.Matches))
	}
	t, control, err := cfg.tables(a, b)
	if err != nil {
		return fail(err)
	}
	head := shardHead{
		Game: t.Info().Config, Seats: t.Info().Seats, A: a.Name, DigestA: a.Digest, B: b.Name, DigestB: b.Digest,
		Matches: cfg.Matches, Seed: cfg.Seed, Alone: cfg.Alone, Shard: k, Shards: of,
	}
	if control != nil {
		head.Control, head.ControlDigest = control.Value, control.Digest
	}
	if of < 1 || k < 1 || k > of || of > cfg.Matches {
		return fail(fmt.Errorf("shard %d/%d: want K/N with K from 1 to N, and no more shards than the %d matches", k, of, cfg.Matches))
	}
	return t, head, nil
}

// playShard plays the meetings of a shard.
func playShard(ctx context.Context, a, b Player, cfg CompareConfig, k, of int) (*shard, error) {
	t, head, err := cfg.prepare(a, b, k, of)
	if err != nil {
		return nil, err
	}
	s := &shard{shardHead: head}
	if s.Finals, err = t.meet(ctx, head.own()); err != nil {
		return nil, fmt.Errorf("%s against %s: %w", a.Name, b.Name, err)
	}
	s.CostA, s.CostB = t.Cost(0), t.Cost(1)
	return s, nil
}

// merge sums up all shards of a comparison, in their order.
func merge(shards []*shard) Comparison {
	head := &shards[0].shardHead
	c := Comparison{Game: head.Game, A: head.A, B: head.B, Seats: head.Seats, Seed: head.Seed, EqualShare: 1 / float64(head.Seats)}
	if head.Control != "" {
		c.Control = &Luck{Value: head.Control, Digest: head.ControlDigest}
	}
	total := 0
	for _, s := range shards {
		total += len(s.Finals)
	}
	played := make([]Final, total)
	for k, s := range shards {
		for i, f := range s.Finals {
			played[k+i*len(shards)] = f
		}
		c.CostA, c.CostB = c.CostA.Plus(s.CostA), c.CostB.Plus(s.CostB)
	}
	kinds := head.kinds()
	sumUp(kinds, head.Matches, played)
	c.One = kinds[0].standing(head.Seed)
	if head.Alone {
		return c
	}
	c.Other, c.Mixed = kinds[1].standing(head.Seed), kinds[2].standing(head.Seed)
	c.Directions = kinds[0].less(&kinds[1], head.Seed)
	c.Verdict = c.judge(math.Sqrt(variance(kinds[2].wins)))
	return c
}

// MergeShards puts together what CompareShard has written into a folder: the comparisons come out as Compare has them,
// whatever the number of shards. A shard that is missing, or of another comparison, is an error that names it.
func MergeShards(folder string) ([]Comparison, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*"+shardSuffix))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: there is no file *%s in it: privateer eval PLAYER --against OTHERS --shard K/N --out %s makes them", folder, shardSuffix, folder)
	}
	slices.Sort(paths)
	var all [][]*shard // by opponent and shard
	for _, path := range paths {
		part, err := readShards(path)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = make([][]*shard, len(part))
			for i := range all {
				all[i] = make([]*shard, part[i].Shards)
			}
		}
		if err := sortIn(all, part); err != nil {
			return nil, fmt.Errorf("%s and %s: %w", paths[0], path, err)
		}
	}
	var merged []Comparison
	for _, shards := range all {
		if i := slices.Index(shards, nil); i >= 0 {
			return nil, fmt.Errorf("%s: shard %d of %d is missing: --shard %d/%d makes it", folder, i+1, len(shards), i+1, len(shards))
		}
		merged = append(merged, merge(shards))
	}
	return merged, nil
}

// sortIn puts the shards of a file where they belong, by opponent.
func sortIn(all [][]*shard, part []*shard) error {
	same := len(part) == len(all)
	for i := 0; i < len(part) && same; i++ {
		s := part[i]
		if same = s.Shards == len(all[i]); !same {
			break
		}
		for _, other := range all[i] {
			if other != nil {
				head := other.shardHead
				head.Shard = s.Shard
				same = same && head == s.shardHead
			}
		}
		all[i][s.Shard-1] = s
	}
	if !same {
		return errors.New("these are of two comparisons: want a folder for each")
	}
	return nil
}

// readShards reads a file of CompareShard, and refuses one that is damaged.
func readShards(path string) ([]*shard, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var part []*shard
	if err := json.Unmarshal(data, &part); err != nil {
		return nil, fmt.Errorf("%s is no shard of privateer eval, or it is damaged: %w", path, err)
	}
	if len(part) == 0 {
		return nil, fmt.Errorf("%s is no shard of privateer eval: it holds nothing", path)
	}
	for _, s := range part {
		if s == nil || s.check() != nil {
			return nil, fmt.Errorf("%s is damaged: want the file that privateer eval --shard writes", path)
		}
	}
	return part, nil
}

// mostMatches is the greatest number of matches that a file may say it is a part of.
const mostMatches = 1 << 24

var errDamaged = errors.New("damaged")

// check refuses a shard that does not hold what its head says.
func (s *shard) check() error {
	h := &s.shardHead
	if h.Seats < 2 || h.Seats > 31 || h.Matches < 1 || h.Matches > mostMatches || h.Shard < 1 || h.Shard > h.Shards || h.Shards > h.Matches {
		return errDamaged
	}
	if len(s.Finals) != len(h.own()) {
		return errDamaged
	}
	for _, f := range s.Finals {
		if len(f.Wins) != h.Seats || len(f.Points) != h.Seats || len(f.Returns) != h.Seats || (h.Control != "") != (len(f.Luck) == h.Seats) {
			return errDamaged
		}
	}
	return nil
}
