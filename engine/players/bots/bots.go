// Package bots has the bots, players by name that need no network: the random bot, and those
// that games and programs register. ExampleRegister adds one.
package bots

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/privateer-rl/privateer/engine"
)

// Bot chooses actions. A bot belongs to one goroutine at a time, may play any
// number of seats and matches of its game, and must look at no more of a match than the
// seat to act may know.
type Bot interface {
	Name() string
	// Act returns a legal action for the seat that m asks, m.Seat() ≥ 0. It does
	// not change m. All its chance comes from r.
	Act(m engine.Match, r *engine.Rand) engine.Action
}

// Mixed is a bot that can say by which chances it draws its choices, so that its own luck can be told from its
// skill.
type Mixed interface {
	Bot
	// Chances writes the chance with which Act chooses each legal action into dst, in ascending order of
	// actions; dst has one element for each. They must be those by which Act draws.
	Chances(m engine.Match, dst []float64)
}

// Interruptible is a bot that may take long over a decision, such as one that searches; so is an evaluator or a prior of a search that
// takes long itself.
type Interruptible interface {
	// Until has Act, and whatever else it is asked, return soon once over reports true, which over then always does. Act
	// returns Stopped then, and nothing else that is returned means anything: the caller looks at over. It is
	// called often, by several goroutines if the bot has them. nil: it is not stopped.
	Until(over func() bool)
}

// Stopped is what an Interruptible bot returns instead of an action, when it was to stop. It is no action of any game.
const Stopped engine.Action = -1

// Until passes over on to a player, or to what else a player asks, if that is Interruptible.
func Until(b any, over func() bool) {
	if i, ok := b.(Interruptible); ok {
		i.Until(over)
	}
}

// Decide is b.Act until ctx ends: an Interruptible bot then stops, and the error is the cause. r is as it was
// then: asked again, the bot decides as if it had not been stopped. Whether it is stopped or not never changes what it decides.
func Decide(ctx context.Context, b Bot, m engine.Match, r *engine.Rand) (engine.Action, error) {
	a, _, err := Ask(ctx, b, Question{Match: m}, r)
	return a, err
}

// until asks an Interruptible bot, unless ctx has ended or ends before it is done. ask reports whether the bot has stopped.
func until(ctx context.Context, b Bot, r *engine.Rand, ask func() (stopped bool)) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	Until(b, func() bool { return ctx.Err() != nil })
	defer Until(b, nil)
	before := *r
	if ask() && ctx.Err() != nil {
		*r = before
		return context.Cause(ctx)
	}
	return nil
}

// Kind is a bot that can be asked for by name.
type Kind struct {
	Name string
	Game string // the one game that it plays, or "" for all
	Help string // one line for listings
	New  func(engine.Game) (Bot, error)

	// Params are what the name may set, as in search(rollouts=100,horizon=round). Make
	// then makes the bot, instead of New.
	Params []engine.Param
	Make   func(engine.Game, Settings) (Bot, error)

	// Gone says, for each setting that was removed, what to write instead.
	Gone map[string]string

	// Slow bots take milliseconds rather than microseconds over a decision, and should be Interruptible. Names leaves them out, and
	// no other bot's setting may name them: a search within a search would never end.
	Slow bool
}

var (
	kindsLock sync.RWMutex
	kinds     = []Kind{{Name: "random", Help: "plays any legal action", New: newRandom}}
)

// Register adds a bot, from an init function. It panics on a name that the game already has. A
// game's bots are registered from the weakest to the strongest.
func Register(k Kind) {
	kindsLock.Lock()
	defer kindsLock.Unlock()
	for _, other := range kinds {
		if other.Name == k.Name && (other.Game == "" || k.Game == "" || other.Game == k.Game) {
			panic(fmt.Sprintf("bots: %s of game %q is registered twice", k.Name, k.Game))
		}
	}
	kinds = append(kinds, k)
}

// Kinds lists the bots that can play a game: the quick ones from the weakest to the
// strongest, then the slow ones.
func Kinds(g engine.Game) []Kind {
	kindsLock.RLock()
	defer kindsLock.RUnlock()
	var quick, slow []Kind
	for _, k := range kinds {
		switch {
		case k.Game != "" && k.Game != g.Info().Game:
		case k.Slow:
			slow = append(slow, k)
		default:
			quick = append(quick, k)
		}
	}
	return append(quick, slow...)
}

// Names lists the quick bots that can play a game, from the weakest to the strongest.
func Names(g engine.Game) []string {
	var names []string
	for _, k := range Kinds(g) {
		if !k.Slow {
			names = append(names, k.Name)
		}
	}
	return names
}

// ErrUnknown is what the error of New is for a name that no bot has.
var ErrUnknown = errors.New("unknown bot")

// New makes the named bot for a game, with the settings that its name has in parentheses:
// "search(rollouts=100,horizon=round)". The error lists the bots of that game.
func New(name string, g engine.Game) (Bot, error) { return Maker{}.New(name, g) }

// Maker makes bots by name for callers that know others than those of this package,
// or must not let everybody have any.
type Maker struct {
	// Others makes the bots that only it knows, such as policies in files. It is asked first, for bots
	// that settings name too, and returns nil for a name that is none of its.
	Others func(name string, g engine.Game) (Bot, error)

	// Rollouts and Workers are the most that a slow bot may play for a decision, and
	// play at once; 0: no limit. With one, no time may be set instead.
	Rollouts, Workers int
}

// New is New for this maker's bots too.
func (mk Maker) New(name string, g engine.Game) (Bot, error) {
	name = strings.TrimSpace(name)
	if mk.Others != nil {
		if b, err := mk.Others(name, g); b != nil || err != nil {
			return b, err
		}
	}
	k, err := kindOf(name, g)
	if err != nil {
		return nil, err
	}
	var b Bot
	if k.Make == nil {
		if name != k.Name {
			return nil, fmt.Errorf("bot %q: %s has no settings", name, k.Name)
		}
		b, err = k.New(g)
	} else {
		s := Settings{Maker: mk}
		if s.Config, err = engine.ParseSettings("bot", name, k.Name, k.Params); err != nil {
			for gone, now := range k.Gone {
				if strings.Contains(name, gone+"=") {
					return nil, fmt.Errorf("bot %q: %s= is gone: %s", name, gone, now)
				}
			}
			return nil, err
		}
		b, err = k.Make(g, s)
	}
	if err != nil {
		return nil, fmt.Errorf("bot %s for %s: %w", name, g.Info().Config, err)
	}
	return b, nil
}

// kindOf is the kind that a name asks for, with or without settings.
func kindOf(name string, g engine.Game) (Kind, error) {
	base, _, _ := strings.Cut(name, "(")
	base = strings.TrimSpace(base)
	var names []string
	for _, k := range Kinds(g) {
		if k.Name == base {
			return k, nil
		}
		names = append(names, k.Name)
	}
	return Kind{}, fmt.Errorf("%w %q for %s: known are %s%s", ErrUnknown, name, g.Info().Game, strings.Join(names, ", "), engine.Suggest(base, names))
}

// Settings are what the name of a bot sets.
type Settings struct {
	engine.Config
	Maker Maker // of the bots that settings name
}

// Bot makes the quick bot that a setting names.
func (s Settings) Bot(param string, g engine.Game) (Bot, error) {
	return s.BotNamed(param, s.Get(param), g)
}

// BotNamed is Bot for a setting whose value stands for another name.
func (s Settings) BotNamed(param, name string, g engine.Game) (Bot, error) {
	if k, err := kindOf(name, g); err == nil && k.Slow {
		return nil, fmt.Errorf("%s=%s: it searches itself: want a quick bot, such as %s", param, name, strings.Join(Names(g), ", "))
	}
	b, err := s.Maker.New(name, g)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", param, err)
	}
	return b, nil
}

// Play plays a match to its end, seat i by seats[i]. With chance=explicit, the
// chance events are drawn from r too.
func Play(m engine.Match, seats []Bot, r *engine.Rand) error {
	if len(seats) != m.Info().Seats {
		return fmt.Errorf("play %s: %d bots for %d seats", m.Info().Config, len(seats), m.Info().Seats)
	}
	var room [64]engine.Outcome
	for {
		var a engine.Action
		switch seat := m.Seat(); seat {
		case engine.Over:
			return nil
		case engine.Chance:
			a = engine.PickOutcome(m.Outcomes(room[:0]), r)
		default:
			a = seats[seat].Act(m, r)
		}
		if err := m.Apply(a); err != nil {
			return fmt.Errorf("play %s: %w", m.Info().Config, err)
		}
	}
}
