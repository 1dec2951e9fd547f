package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os/exec"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
)

var programs = flag.String("programs", "", "commands that play as examples/play.c does, separated by semicolons; test.sh compiles them")

// The examples play matches of the library in their own languages, and they are the native engine's.
func TestTheExamplesPlayTheEnginesMatches(t *testing.T) {
	for game, player := range map[string]string{"doubloons(seats=4)": "captain", "jolly_roger(seats=6)": "pirate", "leduc": "random"} {
		want := played(t, game, player, 5)
		for _, command := range strings.Split(*programs, ";") {
			words := strings.Fields(command)
			if len(words) == 0 {
				continue
			}
			out, err := exec.Command(words[0], append(words[1:], game, player, "5")...).CombinedOutput()
			if err != nil || string(out) != want {
				t.Errorf("%s, %s: %v\n%.400s\nwant\n%.400s", command, game, err, out, want)
			}
		}
	}
}

// played is what an example prints.
func played(t *testing.T, game, player string, seed uint64) string {
	g := must[engine.Game](t)(engine.NewGame(game))
	e := must[*encode.Encoder](t)(encode.For(g))
	if player != "random" {
		player = policy.Prefix + player
	}
	b, err := policy.NewBot(player, g)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	m, info := g.NewMatch(), g.Info()
	m.Reset(seed)
	observation, mask, rows := make([]byte, e.Schema().Size), make([]byte, len(info.Actions)), make([]byte, len(info.Actions)*e.ActionSize())
	for m.Seat() != engine.Over {
		e.Encode(m, m.Seat(), observation)
		m.Legal().Expand(mask)
		digest := fnv.New64a()
		digest.Write(observation)
		digest.Write(mask)
		if e.ActionSize() > 0 {
			digest.Write(rows[:e.EncodeActions(m, rows)*e.ActionSize()])
		}
		seed++
		r := engine.NewRand(seed).At(1)
		a := b.Act(m, &r)
		fmt.Fprintf(&out, "%d %s %016x\n", m.Seat(), info.ActionName(a), digest.Sum64())
		if err := m.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	returns := make([]float32, info.Seats)
	m.Returns(returns)
	for _, x := range returns {
		fmt.Fprintf(&out, "returns %.6f\n", x)
	}
	return out.String()
}
