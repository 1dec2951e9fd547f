package table

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/svg"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/serve/page/replay"
)

// unoffered are the settings that no page offers: they matter to training, not to play.
var unoffered = []string{"chance", "forced", engine.AdviceName, engine.RewardsParam.Name, engine.StartParam.Name}

// ListGames are the games that are registered, with the settings that a page offers.
func (h *House) ListGames() *Games {
	list := &Games{Is: "games", Many: h.Many}
	for _, d := range engine.Definitions() {
		game := Game{Name: d.Name, Title: d.Title, Settings: []Setting{}}
		for _, p := range d.Parameters() {
			if p.File || slices.Contains(unoffered, p.Name) {
				continue
			}
			game.Settings = append(game.Settings, Setting{p.Name, p.Default, p.Help, p.Choices, p.Words})
		}
		list.Games = append(list.Games, game)
	}
	return list
}

// House is what a backend has besides the tables, and how it answers a page.
type House struct {
	// Bot makes a bot.
	Bot func(name string, g engine.Game) (bots.Bot, error)
	// Policies are the names of trained policies that can play a game; nil: there are none.
	Policies func(g engine.Game) []string
	// Game makes a game; nil: engine.NewGame, for strings that name no file.
	Game func(game string) (engine.Game, error)
	// Open opens a table and lets the page take a seat there.
	Open func(ctx context.Context, r *Request) (any, error)
	// Sit lets the page take the seat whose key it shows; nil: it has the one that it has.
	Sit func(r *Request) (any, error)
	// Stranger is why a page without a seat may do nothing else; nil: it may.
	Stranger func() error
	// NoSeat is why a page is refused what needs a seat.
	NoSeat error
	// Many: several people may sit at a table, each with a page of their own.
	Many bool
	// Ask asks bots for a page, or without a bot draws a replay for it.
	Ask Ask
	// Stop is context.WithCancel where a bot that is asked for its thoughts thinks beside all else that the page asks; nil: the page waits.
	Stop Stop
	// Recovered turns a panic into an error of what was asked; without one it does nothing.
	Recovered func(panicked any, do string, err *error)
	// Plain is an error as a page is told it; nil: as it is.
	Plain func(error) error
}

// game makes the game of a request.
func (h *House) game(name string) (engine.Game, error) {
	if h.Game != nil {
		return h.Game(name)
	}
	files, err := engine.FilesOf(name)
	if err != nil {
		return nil, err
	}
	if len(files) > 0 {
		return nil, fmt.Errorf("game %q names a file, which cannot be read here", name)
	}
	return engine.NewGame(name)
}

// ListBots are the bots that can play a configuration.
func (h *House) ListBots(name string) (*Bots, error) {
	g, err := h.game(name)
	if err != nil {
		return nil, err
	}
	list := &Bots{Is: "bots", Game: g.Info().Config, Seats: g.Info().Seats}
	for _, k := range bots.Kinds(g) {
		if _, err := h.Bot(k.Name, g); k.Slow && err != nil {
			continue // it is not to be had here
		}
		list.Bots = append(list.Bots, Bot{k.Name, k.Help, k.Slow})
		if !k.Slow {
			list.Best = k.Name
		}
	}
	if h.Policies != nil {
		for i, name := range h.Policies(g) {
			if i == 0 {
				list.Best = name
			}
			list.Bots = append(list.Bots, Bot{Name: name, Help: "a trained policy"})
		}
	}
	return list, nil
}

// RulesOf are the rules of the game of a game string.
func RulesOf(game string) (*Rules, error) {
	d, err := engine.Lookup(game)
	if err != nil {
		return nil, err
	}
	return &Rules{Is: "rules", Game: game, Text: d.Rules}, nil
}

// DealtFrom is the seed that a request asks for, or else a random one.
func (r *Request) DealtFrom(random func() uint64) uint64 {
	if seed, err := r.seed(); err == nil {
		return seed
	}
	return random()
}

// NewReplay is a transcript to be watched through the eyes of a view. Of the others it has the names: a page asks for the one that it
// is to show.
func NewReplay(ctx context.Context, text, view string) (*Replay, error) {
	t, err := engine.ReadTranscript(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	if files, err := engine.FilesOf(t.Game); err != nil || len(files) > 0 {
		return nil, fmt.Errorf("the game of the transcript, %q, is not known here, or names a file", t.Game)
	}
	g, err := engine.NewGame(t.Game)
	if err != nil {
		return nil, err
	}
	eyes := engine.Full
	if view != "" && view != "full" {
		if eyes, err = strconv.Atoi(view); err != nil || eyes < 0 || eyes >= g.Info().Seats {
			return nil, fmt.Errorf("view %q: want full, or a seat from 0 to %d", view, g.Info().Seats-1)
		}
	}
	match, err := replay.Of(ctx, t, []int{eyes}, nil, bare)
	if err != nil {
		return nil, err
	}
	seen := match.Views[0]
	match.Views = nil
	for _, v := range replay.AllViews(g) {
		one := replay.View{Name: engine.ViewName(v)}
		if v == eyes {
			one = seen
		}
		match.Views = append(match.Views, one)
	}
	return &Replay{"replay", t.Game, match}, nil
}

// bare is a picture without its style, which the page has.
func bare(picture string) string {
	return strings.Replace(picture, "<style>"+svg.Style+"</style>", "", 1)
}
