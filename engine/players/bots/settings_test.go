package bots_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// dreamer is a slow bot with settings: it plays as another one does.
type dreamer struct {
	bots.Bot
	name     string
	rollouts int
}

func (d dreamer) Name() string { return d.name }

func newDreamer(g engine.Game, s bots.Settings) (bots.Bot, error) {
	as, err := s.Bot("as", g)
	if err != nil {
		return nil, err
	}
	n, err := s.Int("rollouts", 1, 1000)
	if most := s.Maker.Rollouts; err == nil && most > 0 && n > most {
		err = fmt.Errorf("rollouts=%d: at most %d", n, most)
	}
	return dreamer{as, s.Canonical(), n}, err
}

func init() {
	bots.Register(bots.Kind{Name: "dreamer", Game: "kuhn", Slow: true, Make: newDreamer, Params: []engine.Param{
		{Name: "rollouts", Default: "10"}, {Name: "as", Default: "random"},
	}})
}

func TestBotsHaveSettingsInTheirNames(t *testing.T) {
	g := game(t, "kuhn")
	b, err := bots.New(" dreamer( as=random, rollouts=24 )", g)
	if err != nil {
		t.Fatal(err)
	}
	if b.Name() != "dreamer(rollouts=24)" || b.(dreamer).rollouts != 24 {
		t.Errorf("it calls itself %s and has %d rollouts", b.Name(), b.(dreamer).rollouts)
	}
	for name, says := range map[string]string{
		"random(rollouts=3)":     `bot "random(rollouts=3)": random has no settings`,
		"dreamer(rolouts=3)":     "do you mean rollouts?",
		"dreamer(rollouts=2000)": "bot dreamer(rollouts=2000) for kuhn: rollouts=2000: want a whole number from 1 to 1000",
		"dreamer(as=nobody)":     `as: unknown bot "nobody" for kuhn`,
		"dreamer(as=dreamer)":    "as=dreamer: it searches itself: want a quick bot, such as random",
		"drammer":                "do you mean dreamer?",
	} {
		if _, err := bots.New(name, g); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want an error that says %s", name, err, says)
		}
	}
}

func TestSlowBotsAreListedApartFromQuickOnes(t *testing.T) {
	g := game(t, "kuhn")
	if names := bots.Names(g); slices.Contains(names, "dreamer") {
		t.Errorf("quick bots: %v", names)
	}
	if all := bots.Kinds(g); !slices.ContainsFunc(all, func(k bots.Kind) bool { return k.Name == "dreamer" }) || all[0].Name != "random" {
		t.Errorf("all bots: %v", all)
	}
	if _, err := bots.New("dreamer", game(t, "leduc")); !errors.Is(err, bots.ErrUnknown) {
		t.Errorf("for another game: %v", err)
	}
}

func TestMakersKnowBotsOfTheirOwnAndKeepToLimits(t *testing.T) {
	g := game(t, "kuhn")
	mk := bots.Maker{Rollouts: 50, Others: func(name string, g engine.Game) (bots.Bot, error) {
		if name == "file:a,b" {
			return bots.New("random", g)
		}
		return nil, nil
	}}
	for _, name := range []string{"file:a,b", "dreamer(as=random)", "random"} {
		if _, err := mk.New(name, g); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := mk.New("dreamer(rollouts=51)", g); err == nil || !strings.Contains(err.Error(), "at most 50") {
		t.Errorf("beyond the limit: %v", err)
	}
}
