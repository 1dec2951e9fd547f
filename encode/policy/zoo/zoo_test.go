package zoo_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	_ "github.com/privateer-rl/privateer/engine/games"
)

// What a policy may take of the program.
const most = 1 << 20

func TestEveryPolicyOfTheZooHasACardAndPlaysByItsName(t *testing.T) {
	names := zoo.Names()
	if len(names) < 2 {
		t.Fatalf("the zoo has %v", names)
	}
	for _, name := range names {
		data, err := zoo.Bundle(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > most {
			t.Errorf("%s takes %d bytes: want at most %d: privateer export --compact", name, len(data), most)
		}
		card, err := zoo.Card(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"# " + name, "## Training", "## Strength", "## Weaknesses", "## Again"} {
			if !strings.Contains(card, part) {
				t.Errorf("the card of %s has no %q", name, part)
			}
		}
		b, err := policy.Decode(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if game := zoo.Game(name); game != b.Name {
			t.Errorf("the card of %s says that it plays %q, and it plays %s: want a line \"Plays `%s`\"", name, game, b.Name, b.Name)
		}
		g, err := engine.NewGame(b.Game)
		if err != nil {
			t.Fatal(err)
		}
		bot, err := policy.NewBot(policy.Prefix+name, g)
		if err != nil {
			t.Fatal(err)
		}
		r := engine.NewRand(1)
		m := g.NewMatch()
		m.Reset(1)
		if err := bots.Play(m, slices.Repeat([]bots.Bot{bot}, g.Info().Seats), &r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNamesThatTheZooDoesNotHaveAreFilesOrNothing(t *testing.T) {
	if _, err := zoo.Bundle("nobody"); !errors.Is(err, zoo.ErrUnknown) {
		t.Errorf("error %v", err)
	}
	if _, err := zoo.Card("nobody"); !errors.Is(err, zoo.ErrUnknown) {
		t.Errorf("error %v", err)
	}
	g, err := engine.NewGame("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := policy.NewBot("policy:nobody", g); err == nil || !strings.Contains(err.Error(), zoo.Names()[0]) {
		t.Errorf("error %v", err)
	}
}
