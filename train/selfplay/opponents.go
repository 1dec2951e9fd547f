package selfplay

import (
	"bytes"
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
	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/portable"
	"github.com/privateer-rl/privateer/env/match"
	"github.com/privateer-rl/privateer/train/learner"
)

// players are the seats of a match: the network's, one at least, then the opponents'. nil: the network has all.
func players(opponents []string, g engine.Game, l *league, read *policy.Reader) ([]match.Player, error) {
	if len(opponents) == 0 {
		return nil, nil
	}
	seats := g.Info().Seats
	all, opponents := make([]match.Player, seats), opponents[:min(len(opponents), seats-1)]
	for i, name := range opponents {
		one := &all[seats-len(opponents)+i]
		if name == leagueOpponent {
			var err error
			if *one, err = l.player(); err != nil {
				return nil, err
			}
			continue
		}
		full, err := identity(name, g, read)
		if err != nil {
			return nil, fmt.Errorf("opponents: %w", err)
		}
		*one = match.Player{Name: full, Bot: func(g engine.Game) (bots.Bot, error) { return read.NewBot(name, g) }}
	}
	return all, nil
}

// league is the pool of the opponents named league: each match draws a member for each of their seats. Entries of the configuration are
// met equally often, and past selves share that of their entry: they are added during the run, and the oldest removed.
type league struct {
	cfg     Config
	game    engine.Game
	encoder *encode.Encoder
	read    *policy.Reader // of its members' bundles
	members []member
	newest  uint64 // id of the newest past self
}

// member is a possible opponent.
type member struct {
	ID    uint64
	Entry int // of Config.League

	weights []learner.Tensor // of a past self
	bundle  *bundle.Bundle
}

// newLeague makes the league of a configuration, nil if no opponent is of it.
func newLeague(cfg Config, g engine.Game, e *encode.Encoder, read *policy.Reader) *league {
	if !cfg.hasLeague() {
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

// A league has at most pastSelves past selves, and one is added every pastEvery updates.
const (
	pastSelves = 4
	pastEvery  = 10
)

// chances are the relative probabilities of the members.
func (l *league) chances(to []float64) []float64 {
	to = to[:0]
	for _, m := range l.members {
		same := 0.0
		for _, o := range l.members {
			if o.Entry == m.Entry {
				same++
			}
		}
		to = append(to, 1/same)
	}
	return to
}

// pick is the member in a seat of a match, by the key of the stream that the match's bots draw from. A member that is added or removed
// during a match changes only the seats that draw it: of exponential waiting times of all members, by their chances, the shortest wins
// (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006).
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
func (l *league) player() (match.Player, error) {
	var names []string
	for _, name := range l.cfg.League {
		full, err := identity(name, l.game, l.read)
		if err != nil {
			return match.Player{}, fmt.Errorf("league: %w", err)
		}
		names = append(names, full)
	}
	return match.Player{
		Name: leagueOpponent + "(" + strings.Join(names, ",") + ")",
		Bot:  func(g engine.Game) (bots.Bot, error) { return l.bot(g) },
	}, nil
}

// identity is the name of an opponent with the digests of its bundles, so that a run is not resumed against others.
func identity(name string, g engine.Game, read *policy.Reader) (string, error) {
	if name == pastPlayer {
		return name, nil
	}
	digests, err := read.Digests(name, g)
	return strings.Join(append([]string{name}, digests...), "#"), err
}

// leagueBot plays as the member that has the seat, for one worker.
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
			if one, err = l.read.NewBot(name, g); err != nil {
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
		if bot, err = policy.Of(pastPlayer, who.bundle, b.game); err != nil {
			panic(fmt.Sprintf("train: a past self does not fit the game that it learnt: %v", err)) // add checked it
		}
		maps.DeleteFunc(b.past, func(id uint64, _ bots.Bot) bool {
			return !slices.ContainsFunc(b.league.members, func(m member) bool { return m.ID == id })
		})
		b.past[who.ID] = bot
	}
	return bot.Act(m, r)
}

// enter adds a copy of the network to the league, if that is due at the end of an iteration.
func (l *league) enter(iteration int, network learner.Learner) error {
	entry := slices.Index(l.cfg.League, pastPlayer)
	if entry < 0 || iteration%pastEvery != 0 {
		return nil
	}
	tensors, err := network.Weights()
	if err != nil {
		return err
	}
	l.newest++
	if err := l.add(member{ID: l.newest, Entry: entry, weights: tensors}); err != nil {
		return err
	}
	past := slices.IndexFunc(l.members, func(m member) bool { return m.Entry == entry })
	if n := len(l.members) - past - pastSelves; past >= 0 && n > 0 {
		l.members = slices.Delete(l.members, past, past+n)
	}
	return nil
}

// add adds a past self.
func (l *league) add(m member) error {
	b := l.cfg.Bundle(l.encoder, m.weights, nil, 0)
	if err := b.Check(); err != nil {
		return fmt.Errorf("past self: %w", err)
	}
	m.bundle = b
	l.members = append(l.members, m)
	return nil
}

// save writes the members, and the weights of past selves.
func (l *league) save(w io.Writer) error {
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
