package zoo_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// What the policies may take of the program.
const most = 2 << 20

func TestEveryPolicyOfTheZooHasACardAndPlaysByItsName(t *testing.T) {
	total := 0
	for _, p := range zoo.All {
		data, err := zoo.Bundle(p.Name)
		if err != nil {
			t.Fatal(err)
		}
		total += len(data)
		if name, version, kept := strings.Cut(p.Name, "@"); kept {
			if now, err := zoo.Find(name); err != nil || version != fmt.Sprint(p.Version) || now.Version <= p.Version || now.Game != p.Game {
				t.Errorf("%+v is kept of %+v: %v", p, now, err)
			}
			if b, err := policy.Find(p.Name); err != nil || b.Name != p.Game {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
	}
	for _, p := range zoo.Policies {
		name := p.Name
		data, err := zoo.Bundle(name)
		if err != nil {
			t.Fatal(err)
		}
		card, err := zoo.Card(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"# " + name, "## Training", "## Strength", "## Weaknesses", "## Reproduce"} {
			if !strings.Contains(card, part) {
				t.Errorf("the card of %s has no %q", name, part)
			}
		}
		b, err := bundle.Decode(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if p.Game != b.Name || p.Version < 1 || p.For == "" || !strings.Contains(card, "Plays `"+b.Name+"`") {
			t.Errorf("%s plays %s: zoo.json has %+v", name, b.Name, p)
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
	if len(zoo.Policies) == 0 || len(zoo.All) > 5 || total > most {
		t.Errorf("%d policies take %d bytes: want at most 5, and %d: privateer export --compact", len(zoo.All), total, most)
	}
}

func TestAPolicyIsOfTheVersionThatItsNameSays(t *testing.T) {
	first := zoo.Policies[0]
	pinned := fmt.Sprintf("%s@%d", first.Name, first.Version)
	if p, err := zoo.Find(pinned); err != nil || p != first {
		t.Errorf("%s is %+v: %v", pinned, p, err)
	}
	for _, other := range []string{"0", "", fmt.Sprint(first.Version + 1)} {
		if _, err := zoo.Bundle(first.Name + "@" + other); err == nil || !strings.Contains(err.Error(), "take "+pinned) {
			t.Errorf("version %q: error %v", other, err)
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
	for _, file := range []string{zoo.All[0].Name + "@1.bundle", zoo.All[0].Name + "@mine", zoo.All[0].Name + ".bundle", "nobody@1"} {
		if _, err := zoo.Find(file); !errors.Is(err, zoo.ErrUnknown) {
			t.Errorf("%s: error %v", file, err)
		}
	}
	g, err := engine.NewGame("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := policy.NewBot("policy:nobody", g); err == nil || !strings.Contains(err.Error(), zoo.Names()[0]) {
		t.Errorf("error %v", err)
	}
}
