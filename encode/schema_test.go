package encode_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/encodetest"
	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
)

var update = flag.Bool("update", false, "rewrite SCHEMA.md")

// configurations are game strings by game: the layout must not depend on which
// of them is played.
var configurations = map[string][]string{
	"kuhn":       {"kuhn", "kuhn(seats=3)", "kuhn(forced=show)"},
	"leduc":      {"leduc", "leduc(chance=explicit)"},
	"liars_dice": {"liars_dice", "liars_dice(seats=6,dice=5,bidding=reset_quantity)", "liars_dice(faces=2,chance=explicit)"},
	"doubloons": {"doubloons", "doubloons(seats=2)", "doubloons(seats=3)", "doubloons(seats=5)", "doubloons(seats=6,objective=rank)",
		"doubloons(seats=3,edition=v1.9.8,modules=black_jewel)", "doubloons(seats=4,modules=black_jewel+compass)",
		"doubloons(seats=4,modules=alternate_island)", "doubloons(seats=3,edition=v2.0,modules=alternate_island)",
		"doubloons(seats=6,modules=advanced_scoring+black_jewel+compass+legendary_ghost_ship+steal_ship+alternate_island)"},
	"jolly_roger": {"jolly_roger", "jolly_roger(seats=3,bribes=talk)", "jolly_roger(seats=4,variants=hidden_prizes,bribes=gifts)", "jolly_roger(seats=7,forced=show)",
		"jolly_roger(seats=10,variants=hidden_prizes+captains_gold,chance=explicit)"},
}

func TestEveryRegisteredGameIsCoveredHere(t *testing.T) {
	for _, d := range engine.Definitions() {
		if len(configurations[d.Name]) == 0 {
			t.Errorf("%s has no configurations to test", d.Name)
		}
	}
}

func TestGroupsTileTheObservation(t *testing.T) {
	for _, games := range configurations {
		for _, game := range games {
			g, e := encodetest.Make(t, game)
			for _, s := range []*encode.Schema{e.Schema(), e.FullSchema()} {
				at, names := 0, map[string]bool{}
				for _, group := range s.Groups {
					size := 1
					for _, n := range group.Shape {
						size *= n
					}
					if group.Offset != at || group.Size != size || names[group.Name] || group.Scale <= 0 || group.Doc == "" {
						t.Errorf("%s, %s view: group %+v does not follow byte %d, or is malformed", game, s.View, group, at)
					}
					names[group.Name] = true
					at += group.Size
				}
				if at != s.Size || len(s.Scales()) != s.Size {
					t.Errorf("%s, %s view: groups have %d bytes, scales %d; size says %d", game, s.View, at, len(s.Scales()), s.Size)
				}
				if !slices.Equal(s.Actions, g.Info().Actions) {
					t.Errorf("%s: the schema's actions are not the game's", game)
				}
			}
			n := len(e.Schema().Groups)
			if fmt.Sprint(e.FullSchema().Groups[:n]) != fmt.Sprint(e.Schema().Groups) {
				t.Errorf("%s: the full view does not begin with the seat view", game)
			}
		}
	}
}

func TestScalesAreThoseOfTheGroups(t *testing.T) {
	_, e := encodetest.Make(t, "doubloons")
	hull, err := e.Schema().Group("opponents[2].hull")
	if err != nil {
		t.Fatal(err)
	}
	if got := float32(hull.Max) * e.Schema().Scales()[hull.Offset]; got != 1 {
		t.Errorf("a whole hull is %v; want 1", got)
	}
	if _, err := e.Schema().Group("opponents[7].hull"); err == nil || !strings.Contains(err.Error(), "opponents[7].hull") {
		t.Errorf("unknown group: %v", err)
	}
}

func TestHashDependsOnLayoutAndActionsButNotOnTexts(t *testing.T) {
	_, e := encodetest.Make(t, "leduc")
	fresh := func() *encode.Schema {
		s := *e.Schema()
		return &encode.Schema{
			Game: s.Game, Version: s.Version, View: s.View, Size: s.Size,
			Groups: slices.Clone(s.Groups), Actions: slices.Clone(s.Actions),
		}
	}
	want := e.Schema().Hash()
	same := fresh()
	same.Groups[0].Doc = "other words"
	if same.Hash() != want {
		t.Error("the hash depends on a text")
	}
	for what, change := range map[string]func(*encode.Schema){
		"game":    func(s *encode.Schema) { s.Game = "x" },
		"version": func(s *encode.Schema) { s.Version++ },
		"view":    func(s *encode.Schema) { s.View = encode.FullView },
		"offset":  func(s *encode.Schema) { s.Groups[1].Offset++ },
		"scale":   func(s *encode.Schema) { s.Groups[1].Scale *= 2 },
		"max":     func(s *encode.Schema) { s.Groups[1].Max++ },
		"group":   func(s *encode.Schema) { s.Groups[1].Name += "x" },
		"shape":   func(s *encode.Schema) { s.Groups[1].Shape = []int{1, s.Groups[1].Size} },
		"action":  func(s *encode.Schema) { s.Actions[0] = "x" },
	} {
		s := fresh()
		change(s)
		if s.Hash() == want {
			t.Errorf("the hash does not depend on %s", what)
		}
	}
}

// A hash that changes makes every stored policy and snapshot useless: when the
// change is meant, raise the version of the game's schema and write the new hash here.
func TestHashesAreStable(t *testing.T) {
	want := map[string][3]string{
		"kuhn":        {"307e3d0637f28bc906909f1a8374726f479835e380a7c5a2f61284f535f13fc9", "2a9beb16e67f97b8f319971c7caf4d1182b461eaee1d4aa3d183031212237ef6", "a263a99910074c3f0a05595792e6a9248e120e849b16cb424eb34d3df6d1371d"},
		"leduc":       {"7074c275301b2c66b3115d57b074cab20680580a46fffca0583089a27d33801b", "32e30619e9f13b4062deb03647225b01b975bbc1d65ac8b348781c08013d418a", "3916e9cb8d6c96fb85c8c13af929a88b141a55264be0f72da1ca53685eeab205"},
		"liars_dice":  {"56be0e7869808aaaecbbc73551f1b4c378828a0c10b5b83be5e4f43c95c60295", "a6038b0d9b908b7789ceeb42a845e5074f4f062f1f96fa33c349d01739cb9a9c", "e0304d8db15899b3f1af099a662d61e7810de54f98efede359bc48372f97ddf0"},
		"doubloons":   {"576c0c6f9e15d28dfbd0b95107873cc90daf488dbde457df37a186791d89ac8e", "47d625056c53cd5e11acc7dff19e81fb5fdfb00a4c265f68f91308bdc0be64c3", "6081f14d88188ca187b3997488505345f93db49e93cb53a05e06c8396c3c40c4"},
		"jolly_roger": {"d2239264c752ef1ab0400e4e8ff2502928f5c6c911da8d154336f1fe7da520f8", "65ddebb1121a8bfaeba4d5697798a2163ed79b3003ccab5fe2aa63eab1bc95f0", "c6e65bf4969e37d5a8a330dea65d7bbc17a42854dd135559a43af687184c0812"},
	}
	for game, games := range configurations {
		for _, config := range games {
			_, e := encodetest.Make(t, config)
			got := [3]string{e.Schema().Hash(), e.FullSchema().Hash(), e.ActionSchema().Hash()}
			if got != want[game] {
				t.Errorf("%s: %s:\n%q", game, config, got)
			}
		}
	}
}

// Each version of the layout of doubloons extends the one before: what reads the older reads the
// newer.
func TestDoubloonsLayoutBeginsWithThoseOfEarlierVersions(t *testing.T) {
	_, e := encodetest.Make(t, "doubloons")
	s := e.Schema()
	for _, was := range []struct {
		version, size int
		hash          string
	}{
		{2, 1460, "62c5487bfb4ca319fc0629a4707997342c853ce5273dea48fec6e8681381708f"},
		{3, 1492, "2af80dbb21e054844475f3ea43c1fc174eddb8bc63143ec2c35a9db96b9309c9"},
		{4, 1513, "8110c0c5c4d0fd3883b22c7663dfce542c35d71713183a6f0ebd9d12dffeeaa1"},
	} {
		n := slices.IndexFunc(s.Groups, func(g encode.Group) bool { return g.Offset == was.size })
		before := &encode.Schema{Game: s.Game, Version: was.version, View: s.View, Size: was.size, Groups: s.Groups[:n], Actions: s.Actions}
		if before.Hash() != was.hash {
			t.Errorf("the first %d bytes are not those of version %d: hash %s", was.size, was.version, before.Hash())
		}
	}
}

func TestReferencePageIsUpToDate(t *testing.T) {
	var page bytes.Buffer
	page.WriteString(`# Observations and actions

Generated by ` + "`go test ./encode -run Reference -update`" + `; do not edit.

An observation is a vector of bytes, described here group by group: where the group begins, its
shape (row-major), the largest value of a byte, and the scale: byte × scale is the value as float32. What one seat may
know comes first (the seat view); the full view continues with what is hidden from it. Seats are counted from the one that the
observation is for. The layout does not depend on the configuration of the game.

A mask has one byte for each action: 1 if it is legal. Some games also describe what each legal action does, in a row of
bytes for each, in ascending order of actions; a row's table stands after that of the observation. If a game string asks for
advice, as in doubloons(advice=foresight), rows continue with it and have another hash; its table follows the row's.

`)
	for _, d := range engine.Definitions() {
		_, e := encodetest.Make(t, d.Name)
		if err := e.Reference(&page); err != nil {
			t.Fatal(err)
		}
		page.WriteString("\n")
	}
	text := append(bytes.TrimRight(page.Bytes(), "\n"), '\n')
	if *update {
		if err := os.WriteFile("SCHEMA.md", text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile("SCHEMA.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, text) {
		t.Error("SCHEMA.md is stale: run go test ./encode -run Reference -update")
	}
}

func TestUnknownGameHasNoEncoder(t *testing.T) {
	g, err := engine.Make(&engine.Info{Game: "tictactoe", Seats: 2, Actions: []string{"a"}}, engine.Rules[struct{}](nil))
	if err != nil {
		t.Fatal(err)
	}
	_, err = encode.For(g)
	if err == nil || !strings.Contains(err.Error(), "tictactoe") || !strings.Contains(err.Error(), "leduc") {
		t.Errorf("error %v; want one that names the game and those known", err)
	}
}

func TestAByteOfASchemaHasANameAndAWord(t *testing.T) {
	_, doubloons := encodetest.Make(t, "doubloons")
	_, roger := encodetest.Make(t, "jolly_roger")
	for _, test := range []struct {
		s          *encode.Schema
		group      string
		i          int
		name, word string
	}{
		{doubloons.Schema(), "opponents[2].path", 3, "opponents[2].path[3]", "red path"},
		{doubloons.Schema(), "map.crater", 7, "map.crater[1,3]", ""},
		{doubloons.Schema(), "game.round", 0, "game.round", ""},
		{doubloons.Schema(), "water", 12, "water[1,1]", "fog"},
		{doubloons.Schema(), "self.hand_cards", 1, "self.hand_cards[1]", "N02"},
		{doubloons.Schema(), "decision.island_kind", 0, "decision.island_kind[0]", "take a totem"},
		{doubloons.Schema(), "decision.island_kind", 15, "decision.island_kind[15]", ""}, // the rest is free
		{doubloons.ActionSchema(), "action.choice", 2, "action.choice[2]", "card"},
		{roger.FullSchema(), "hidden.deck", 0, "hidden.deck[0]", "nav12"},
	} {
		g, err := test.s.Group(test.group)
		if err != nil {
			t.Fatal(err)
		}
		f, err := test.s.At(g.Offset + test.i)
		if err != nil || f.Name != test.name || f.Word != test.word || f.Offset != g.Offset+test.i || f.Group.Name != g.Name {
			t.Errorf("byte %d of %s is %+v, %v: want %s, %q", test.i, test.group, f, err, test.name, test.word)
		}
	}
	for _, offset := range []int{-1, doubloons.Schema().Size} {
		if _, err := doubloons.Schema().At(offset); err == nil || !strings.Contains(err.Error(), "from 0 to 1846") {
			t.Errorf("byte %d: error %v", offset, err)
		}
	}
}
