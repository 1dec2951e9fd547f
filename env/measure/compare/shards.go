package compare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/env/measure"
)

const shardSuffix = ".matches"

// shard is a part of a comparison: how meetings Shard−1, Shard−1+Shards, … of all that it plays have ended.
type shard struct {
	shardHead

	Finals []match.Final `json:"finals"`
	CostA  match.Cost    `json:"cost_a"`
	CostB  match.Cost    `json:"cost_b"`

	Sum uint32 `json:"sum,omitempty"` // of the rest as JSON, as files are carried from machine to machine; 0: unknown
}

// sum is the correct value of Sum.
func (s *shard) sum() (uint32, error) {
	rest := *s
	rest.Sum = 0
	data, err := json.Marshal(&rest)
	return durable.Checksum(0, data), err
}

// shardHead describes the comparison: the same in all shards except for Shard.
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

	// The control variate; "" if there is none.
	Control       string `json:"control,omitempty"`
	ControlDigest string `json:"control_digest,omitempty"`

	durable.Part
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
	for _, i := range h.Numbers(len(all)) {
		of = append(of, all[i])
	}
	return of
}

// PlayShard plays a part of the comparisons of a player with others, and writes down in a folder how its matches have ended, for
// MergeShards. A part that is there already is left as it is: written is false then.
func PlayShard(ctx context.Context, a match.Player, others []match.Player, cfg Config, p durable.Part, folder string) (path string, written bool, err error) {
	path = p.Path(folder, shardSuffix)
	there, err := readShards(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", false, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
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
		s, err := playShard(ctx, a, b, cfg, p)
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
func sameShards(path string, there []*shard, a match.Player, others []match.Player, cfg Config, p durable.Part) error {
	same := len(there) == len(others)
	for i := 0; i < len(others) && same; i++ {
		r, head, err := cfg.prepare(a, others[i], p)
		if err != nil {
			return err
		}
		r.Close()
		same = head == there[i].shardHead
	}
	if !same {
		return fmt.Errorf("%s is of another comparison: want another folder", path)
	}
	return nil
}

// prepare sets up the runner of a comparison, and says what a shard of it is.
func (cfg *Config) prepare(a, b match.Player, p durable.Part) (*match.Runner, shardHead, error) {
	fail := func(err error) (*match.Runner, shardHead, error) {
		return nil, shardHead{}, fmt.Errorf("%s against %s: %w", a.Name, b.Name, err)
	}
	if cfg.Matches < 1 {
		return fail(fmt.Errorf("%d matches: want at least 1", cfg.Matches))
	}
	r, control, err := cfg.runner(a, b)
	if err != nil {
		return fail(err)
	}
	head := shardHead{
		Game: r.Info().Config, Seats: r.Info().Seats, A: a.Name, DigestA: a.Digest, B: b.Name, DigestB: b.Digest,
		Matches: cfg.Matches, Seed: cfg.Seed, Alone: cfg.Alone, Part: p,
	}
	if control != nil {
		head.Control, head.ControlDigest = control.Value, control.Digest
	}
	if err := p.Check(cfg.Matches, "matches"); err != nil {
		return fail(err)
	}
	return r, head, nil
}

// playShard plays the meetings of a shard.
func playShard(ctx context.Context, a, b match.Player, cfg Config, p durable.Part) (*shard, error) {
	r, head, err := cfg.prepare(a, b, p)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	s, err := head.play(ctx, r, 0, 1)
	if err != nil {
		return nil, err
	}
	s.Sum, err = s.sum()
	return s, err
}

// play plays the shard between players a and b of a runner.
func (h *shardHead) play(ctx context.Context, r *match.Runner, a, b int) (*shard, error) {
	beforeA, beforeB := r.Cost(a), r.Cost(b)
	finals, err := meet(ctx, r, a, b, h.Seed, h.own())
	if err != nil {
		return nil, fmt.Errorf("%s against %s: %w", h.A, h.B, err)
	}
	return &shard{shardHead: *h, Finals: finals, CostA: r.Cost(a).Less(beforeA), CostB: r.Cost(b).Less(beforeB)}, nil
}

// merge sums up all shards of a comparison, in their order.
func merge(shards []*shard) Comparison {
	head := &shards[0].shardHead
	c := Comparison{Game: head.Game, A: head.A, B: head.B, Seats: head.Seats, Seed: engine.Long(head.Seed), EqualShare: 1 / float64(head.Seats)}
	if head.Control != "" {
		c.Control = &Luck{Value: head.Control, Digest: head.ControlDigest}
	}
	total := 0
	for _, s := range shards {
		total += len(s.Finals)
	}
	played := make([]match.Final, total)
	for k, s := range shards {
		for i, f := range s.Finals {
			played[k+i*len(shards)] = f
		}
		c.CostA, c.CostB = c.CostA.Plus(s.CostA), c.CostB.Plus(s.CostB)
	}
	kinds := head.kinds()
	all, _ := meetings(kinds, head.Matches)
	for i, m := range all {
		addFaults(&c.FaultsA, &c.FaultsB, &played[i], m.a)
	}
	sumUp(kinds, head.Matches, played)
	c.One = kinds[0].standing(head.Seed)
	if head.Alone {
		return c
	}
	c.Other, c.Mixed = kinds[1].standing(head.Seed), kinds[2].standing(head.Seed)
	c.Directions = kinds[0].less(&kinds[1], head.Seed)
	c.Verdict = c.byFaults(c.verdict(math.Sqrt(measure.Variance(kinds[2].wins))), &kinds[2])
	return c
}

// MergeShards puts together what PlayShard has written into a folder: the comparisons come out as Compare has them,
// whatever the number of shards. A shard that is missing, or of another comparison, is an error that names it.
func MergeShards(folder string) ([]Comparison, error) {
	paths, err := durable.Parts(folder, shardSuffix, "privateer eval PLAYER --against OTHERS --shard K/N --out "+folder)
	if err != nil {
		return nil, err
	}
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
		have := make([]bool, len(shards))
		for i, s := range shards {
			have[i] = s != nil
		}
		if err := durable.Whole(folder, have); err != nil {
			return nil, err
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

// readShards reads a file of PlayShard, and refuses one that is damaged.
func readShards(path string) ([]*shard, error) {
	data, err := durable.ReadText(path)
	if err != nil {
		return nil, err
	}
	var part []*shard
	if err := json.Unmarshal(data, &part); err != nil {
		return nil, fmt.Errorf("%s is no shard of privateer eval, or it is damaged (remove it and play that shard again): %w", path, err)
	}
	if len(part) == 0 {
		return nil, fmt.Errorf("%s is no shard of privateer eval: it holds nothing", path)
	}
	for _, s := range part {
		if s == nil || s.check() != nil {
			return nil, fmt.Errorf("%s is damaged: remove it and play that shard again", path)
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
	if h.Seats < 2 || h.Seats > 31 || h.Matches < 1 || h.Matches > mostMatches || h.Check(h.Matches, "matches") != nil {
		return errDamaged
	}
	if len(s.Finals) != len(h.own()) {
		return errDamaged
	}
	for _, f := range s.Finals {
		if len(f.Wins) != h.Seats || len(f.Points) != h.Seats || len(f.Paid) != h.Seats || (h.Control != "") != (len(f.Luck) == h.Seats) || f.Faults != nil && len(f.Faults) != h.Seats {
			return errDamaged
		}
	}
	if sum, err := s.sum(); s.Sum != 0 && (err != nil || sum != s.Sum) {
		return errDamaged
	}
	return nil
}
