package train

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/env"
	"github.com/privateer-rl/privateer/env/eval"
	"github.com/privateer-rl/privateer/train/learner"
)

// What opponents and league may name besides bots.
const (
	leagueOpponent = "league" // a member of the league, drawn anew for each match
)

// What Config.LeagueBy may be.
const (
	byShares   = "shares"
	byLearning = "learning"
)

// league is who opponents named league are: in each match, in each of their seats, a member of its own, drawn with
// chances that follow the shares of the configuration and, if asked, how much is learnt against it. Members that
// are past selves come as the run goes on, if a gate lets them in, and the oldest leave.
type league struct {
	cfg     Config
	game    engine.Game
	encoder *encode.Encoder
	read    *policy.Reader // of its members' bundles
	members []member
	newest  uint64 // id of the past self that came last
}

// member is somebody whom the network can meet.
type member struct {
	ID    uint64
	Entry int     // of Config.League
	Worth float64 // mean size of the advantages of late against it; 0: not known yet

	weights []learner.Tensor // of a past self
	bundle  *policy.Bundle
}

// worthDecay is what an update leaves of what was known of how much is learnt against a member.
const worthDecay = 0.9

// newLeague makes the league of a configuration, nil if no opponent is of it.
func newLeague(cfg Config, g engine.Game, e *encode.Encoder, read *policy.Reader) *league {
	if cfg.leagueSeats() == 0 {
		return nil
	}
	l := &league{cfg: cfg, game: g, encoder: e, read: read, newest: uint64(len(cfg.League))}
	for i, name := range cfg.League {
		if name != pastPlayer {
			l.members = append(l.members, member{ID: uint64(i), Entry: i})
		}
	}
	return l
}

// leagueSeats is how many seats of a match are the league's.
func (c *Config) leagueSeats() int {
	n := 0
	for _, name := range c.Opponents {
		if name == leagueOpponent {
			n++
		}
	}
	return n
}

func (c *Config) validateLeague(g engine.Game) error {
	if c.LeagueBy != byShares && c.LeagueBy != byLearning {
		return fmt.Errorf("league_by: %q: want %s or %s", c.LeagueBy, byShares, byLearning)
	}
	if n := len(c.LeagueShares); n != 0 && n != len(c.League) {
		return fmt.Errorf("league_shares: %d for %d entries of league: want one for each, or none", n, len(c.League))
	}
	for _, x := range c.LeagueShares {
		if !(x > 0) || math.IsInf(x, 0) {
			return fmt.Errorf("league_shares: %v: want numbers above 0", x)
		}
	}
	if c.leagueSeats() > 0 && !slices.ContainsFunc(c.League, func(name string) bool { return name != pastPlayer }) {
		return fmt.Errorf("league: %v: want at least one bot (or policy:BUNDLE), whom the network meets before there are past selves", c.League)
	}
	for _, name := range c.League {
		if name != pastPlayer {
			if err := policy.CheckName(name, g); err != nil {
				return fmt.Errorf("league: %w, and %s", err, pastPlayer)
			}
		}
	}
	return nil
}

// share is how often an entry is met.
func (l *league) share(entry int) float64 {
	if len(l.cfg.LeagueShares) == 0 {
		return 1
	}
	return l.cfg.LeagueShares[entry]
}

// chances are those of the members, up to a common factor. Past selves have the share of their entry together.
func (l *league) chances(to []float64) []float64 {
	to = to[:0]
	for _, m := range l.members {
		same, worth, known := 0.0, 0.0, 0.0
		for _, o := range l.members {
			if o.Entry == m.Entry {
				same++
			}
			if o.Worth > 0 {
				worth, known = worth+o.Worth, known+1
			}
		}
		c := l.share(m.Entry) / same
		if l.cfg.LeagueBy == byLearning && m.Worth > 0 {
			c = float64(c * (m.Worth * known / worth))
		}
		to = append(to, c)
	}
	return to
}

// pick says who sits in a seat of a match, by the key of the stream that the match's bots draw from. Whoever comes or
// leaves in the middle of a match changes it for those alone whom this concerns: of exponential waiting times
// of all members, by their chances, the shortest wins (Efraimidis and Spirakis, "Weighted random sampling with a
// reservoir", 2006).
func (l *league) pick(key uint64, seat int, chances []float64) int {
	best, least := 0, math.Inf(1)
	for i, m := range l.members {
		r := engine.Rand{Key: key}.At(m.ID).At(uint64(seat))
		if wait := -portable.Log(1-r.Float64()) / chances[i]; wait < least {
			best, least = i, wait
		}
	}
	return best
}

// player is a seat of the league.
func (l *league) player() (env.Player, error) {
	var names []string
	for _, name := range l.cfg.League {
		full, err := identity(name, l.game, l.read)
		if err != nil {
			return env.Player{}, fmt.Errorf("league: %w", err)
		}
		names = append(names, full)
	}
	return env.Player{
		Name: leagueOpponent + "(" + strings.Join(names, ",") + ")",
		Bot:  func(g engine.Game) (bots.Bot, error) { return l.bot(g) },
	}, nil
}

// identity is the name of an opponent with the digests of the bundles that it plays by, so that a run is not resumed
// against others.
func identity(name string, g engine.Game, read *policy.Reader) (string, error) {
	if name == pastPlayer {
		return name, nil
	}
	digests, err := read.Digests(name, g)
	return strings.Join(append([]string{name}, digests...), "#"), err
}

// leagueBot plays as whoever has the seat, for one worker.
type leagueBot struct {
	league  *league
	game    engine.Game
	named   []bots.Bot // by entry; nil: past
	past    map[uint64]bots.Bot
	chances []float64
}

func (l *league) bot(g engine.Game) (bots.Bot, error) {
	b := &leagueBot{league: l, game: g, past: map[uint64]bots.Bot{}}
	for _, name := range l.cfg.League {
		var one bots.Bot
		if name != pastPlayer {
			var err error
			if one, err = l.cfg.opponent(name, g, l.read); err != nil {
				return nil, fmt.Errorf("league: %w", err)
			}
		}
		b.named = append(b.named, one)
	}
	return b, nil
}

func (b *leagueBot) Name() string { return leagueOpponent }

func (b *leagueBot) Act(m engine.Match, r *engine.Rand) engine.Action {
	b.chances = b.league.chances(b.chances)
	who := &b.league.members[b.league.pick(r.Key, m.Seat(), b.chances)]
	if bot := b.named[who.Entry]; bot != nil {
		return bot.Act(m, r)
	}
	bot := b.past[who.ID]
	if bot == nil {
		var err error
		if bot, err = who.bundle.Bot(pastPlayer, b.game); err != nil {
			panic(fmt.Sprintf("train: a past self does not fit the game that it learnt: %v", err)) // it was checked when it entered
		}
		maps.DeleteFunc(b.past, func(id uint64, _ bots.Bot) bool {
			return !slices.ContainsFunc(b.league.members, func(m member) bool { return m.ID == id })
		})
		b.past[who.ID] = bot
	}
	return bot.Act(m, r)
}

// enter lets the network as it is join the league, if that is due at the end of an iteration and the gate opens.
func (l *league) enter(ctx context.Context, t *trainer) error {
	entry := slices.Index(l.cfg.League, pastPlayer)
	if entry < 0 || !due(t.iteration, l.cfg.PastEvery) {
		return nil
	}
	tensors, err := t.learner.Weights()
	if err != nil {
		return err
	}
	l.newest++
	if err := l.add(member{ID: l.newest, Entry: entry, weights: tensors}); err != nil {
		return err
	}
	last := len(l.members) - 1
	opens, err := l.gate(ctx, l.members[:last], l.members[last], entry)
	if err != nil {
		return err
	}
	if !opens {
		l.members = l.members[:last]
	}
	past := slices.IndexFunc(l.members, func(m member) bool { return m.Entry == entry })
	if n := len(l.members) - past - l.cfg.PastSelves; past >= 0 && n > 0 {
		l.members = slices.Delete(l.members, past, past+n)
	}
	return nil
}

// gate reports whether a past self may enter: always if none is there, or no gate; else if it is better than the one
// that came last.
func (l *league) gate(ctx context.Context, members []member, now member, entry int) (bool, error) {
	if l.cfg.PastGate == 0 || len(members) == 0 || members[len(members)-1].Entry != entry {
		return true, nil
	}
	g, err := eval.Gate(ctx, eval.Bundled("now", now.bundle), eval.Bundled("before", members[len(members)-1].bundle), eval.GateConfig{
		CompareConfig: eval.CompareConfig{Game: l.game.Info().Config, Matches: l.cfg.PastGateMatches, Workers: l.cfg.Workers, Seed: engine.NewRand(l.cfg.Seed).At(streamGate).At(now.ID).Key},
		Points:        l.cfg.PastGate,
	})
	if err != nil {
		return false, fmt.Errorf("gate of the league: %w", err)
	}
	return g.Decision == eval.Better, nil
}

// add takes in a past self.
func (l *league) add(m member) error {
	w := weights{tensors: m.weights}
	b := w.bundle(l.cfg, l.encoder)
	if err := b.Check(); err != nil {
		return fmt.Errorf("past self: %w", err)
	}
	m.bundle = b
	l.members = append(l.members, m)
	return nil
}

// met says who sits in the league's seats of the rows of a batch, [rows, league's seats], by id.
func (l *league) met(stream func(row int) engine.Rand, b *env.Batch, to []int32, chances *[]float64) {
	*chances = l.chances(*chances)
	k, first := l.cfg.leagueSeats(), 0
	seats := len(b.Players) / len(b.Seat)
	for i, name := range l.cfg.Opponents {
		if name != leagueOpponent {
			continue
		}
		player := int32(seats - len(l.cfg.Opponents) + i)
		for row := range b.Seat {
			seat := slices.Index(b.Players[row*seats:(row+1)*seats], player)
			id := int32(-1)
			if seat >= 0 { // of several games the smaller ones may have fewer opponents
				id = int32(l.members[l.pick(stream(row).Key, seat, *chances)].ID)
			}
			to[row*k+first] = id
		}
		first++
	}
}

// learn takes in how large the advantages were in matches with each member.
func (l *league) learn(r *rollout) {
	for i := range l.members {
		m := &l.members[i]
		sum, n := 0.0, 0.0
		for _, row := range r.closed {
			for _, id := range r.met[int(row)*r.k : (int(row)+1)*r.k] {
				if uint64(id) == m.ID {
					sum += math.Abs(float64(r.advantage[row]))
					n++
				}
			}
		}
		switch {
		case n == 0:
		case m.Worth == 0:
			m.Worth = sum / n
		default:
			m.Worth = float64(worthDecay*m.Worth) + (1-worthDecay)*sum/n
		}
	}
}

// Standing is what an update tells of a member of the league.
type Standing struct {
	Name   string
	Chance float64 // to be met
	Worth  float64 // mean size of the advantages of late in matches with it
}

// standings sums the members up by entry.
func (l *league) standings() []Standing {
	all, total := make([]Standing, len(l.cfg.League)), 0.0
	for i, c := range l.chances(nil) {
		m := l.members[i]
		all[m.Entry].Chance += c
		all[m.Entry].Worth += float64(c * m.Worth)
		total += c
	}
	for i := range all {
		all[i].Name = l.cfg.League[i]
		if c := all[i].Chance; c > 0 {
			all[i].Worth, all[i].Chance = all[i].Worth/c, c/total
		}
	}
	return all
}

// save writes the members, and the weights of past selves; nothing if there is no league.
func (l *league) save(w io.Writer) error {
	if l == nil {
		return nil
	}
	head, err := json.Marshal(struct {
		Newest  uint64
		Members []member
	}{l.newest, l.members})
	failed := errors.Join(err, writeSized(w, head))
	for _, m := range l.members {
		if m.bundle != nil {
			var one bytes.Buffer
			failed = errors.Join(failed, learner.WriteSafetensors(&one, m.weights, nil), writeSized(w, one.Bytes()))
		}
	}
	return failed
}

// load is the inverse of save.
func (l *league) load(r io.Reader) error {
	head, err := readSized(r)
	if err != nil {
		return err
	}
	var saved struct {
		Newest  uint64
		Members []member
	}
	if err := json.Unmarshal(head, &saved); err != nil {
		return err
	}
	l.newest, l.members = saved.Newest, nil
	for _, m := range saved.Members {
		if m.Entry < 0 || m.Entry >= len(l.cfg.League) {
			return fmt.Errorf("a member is of entry %d of %d", m.Entry, len(l.cfg.League))
		}
		if l.cfg.League[m.Entry] != pastPlayer {
			l.members = append(l.members, m)
			continue
		}
		one, err := readSized(r)
		if err != nil {
			return err
		}
		if m.weights, _, err = learner.ReadSafetensors(bytes.NewReader(one)); err != nil {
			return err
		}
		if err := l.add(m); err != nil {
			return err
		}
	}
	return nil
}

func writeSized(w io.Writer, data []byte) error {
	if err := binary.Write(w, binary.LittleEndian, uint32(len(data))); err != nil {
		return err
	}
	_, err := w.Write(data)
	return err
}

func readSized(r io.Reader) ([]byte, error) {
	var size uint32
	if err := binary.Read(r, binary.LittleEndian, &size); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, int64(size)))
}
