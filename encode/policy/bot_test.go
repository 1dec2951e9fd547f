package policy

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

func TestBotSamplesByItsProbabilitiesAndGreedyOneDoesNot(t *testing.T) {
	for _, b := range []*bundle.Bundle{drawn(t, "leduc", "relu", 8), drawnEntity(t, "leduc", "relu", []int{8}, 8)} {
		samples(t, b)
	}
}

func samples(t *testing.T, b *bundle.Bundle) {
	g := newGame(t, "leduc")
	bot, err := Of("pirate", b, g)
	if err != nil {
		t.Fatal(err)
	}
	m := g.NewMatch()
	m.Reset(1)
	obs, mask, probs := make([]uint8, b.ObservationSize()), make([]uint8, 3), make([]float32, 3)
	bot.encoder.Encode(m, m.Seat(), obs)
	m.Legal().Expand(mask)
	rows := make([]uint8, m.Legal().Count()*b.RowSize())
	var offsets []int32
	if b.ReadsActions() {
		bot.encoder.EncodeActions(m, rows)
		offsets = []int32{0, int32(m.Legal().Count())}
	}
	if err := b.Inference(1).Probs(1, obs, mask, rows, offsets, probs); err != nil {
		t.Fatal(err)
	}
	r, count := engine.NewRand(2), [3]float64{}
	const n = 20000
	for range n {
		count[bot.Act(m, &r)]++
	}
	for a, c := range count {
		if math.Abs(c/n-float64(probs[a])) > 0.015 {
			t.Errorf("action %d is chosen in %.3f of cases; want %.3f", a, c/n, probs[a])
		}
	}
	b.Choice = bundle.Greedy
	if bot, err = Of("greedy", b, g); err != nil {
		t.Fatal(err)
	}
	likeliest := slices.Index(probs, slices.Max(probs))
	for range 20 {
		if a := bot.Act(m, &r); int(a) != likeliest {
			t.Fatalf("the greedy bot plays %d; want %d", a, likeliest)
		}
	}
	if n := testing.AllocsPerRun(100, func() { bot.Act(m, &r) }); n != 0 {
		t.Errorf("a decision allocates %v times", n)
	}
}

func TestBundlePlaysEveryConfigurationOfItsGame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pirate"+bundle.Ext)
	if err := drawn(t, "doubloons(seats=4)", "relu", 8).Save(path); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"doubloons(seats=2)", "doubloons(seats=6,modules=compass)"} {
		g := newGame(t, name)
		seats := make([]bots.Bot, g.Info().Seats)
		for i := range seats {
			var err error
			if seats[i], err = NewBot(Prefix+path, g); err != nil {
				t.Fatal(err)
			}
		}
		m, r := g.NewMatch(), engine.NewRand(5)
		m.Reset(5)
		if err := bots.Play(m, seats, &r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNamesThatAreNoBundlesAreRefused(t *testing.T) {
	g := newGame(t, "kuhn")
	path := filepath.Join(t.TempDir(), "x.ckpt")
	if err := os.WriteFile(path, []byte("PRIVCKPT and so on"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"shark":             "policy:FILE",
		Prefix + path:       "privateer export",
		Prefix + path + "x": "no such file",
		Prefix:              "policy:FILE",
	} {
		if _, err := NewBot(name, g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v; want %q in it", name, err, want)
		}
	}
	if b, err := NewBot("random", g); err != nil || b.Name() != "random" {
		t.Errorf("random: %v", err)
	}
}

func TestForcedDecisionsAreTakenAsTheNetworkWouldTakeThem(t *testing.T) {
	b := drawnEntity(t, "doubloons(seats=3)", "relu", []int{8}, 16)
	g := newGame(t, "doubloons(seats=3,forced=show)")
	one, err := Of("one", b, g)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Of("two", b, g)
	if err != nil {
		t.Fatal(err)
	}
	m, r, s, forced := g.NewMatch(), engine.NewRand(1), engine.NewRand(1), 0
	for m.Reset(1); m.Seat() >= 0; {
		if m.Legal().Count() == 1 {
			forced++
		}
		got, want := one.Act(m, &r), two.pick(two.score(m, m.Legal()), &s)
		if got != want || r != s {
			t.Fatalf("%s: %d, not %d, or other luck afterwards", m.Decision(), got, want)
		}
		if err := m.Apply(got); err != nil {
			t.Fatal(err)
		}
	}
	if forced == 0 {
		t.Error("nothing was forced")
	}
}

func TestBotInFloatsIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a"+bundle.Ext)
	if err := drawnEntity(t, "leduc", "relu", []int{8}, 16).Save(path); err != nil {
		t.Fatal(err)
	}
	g := newGame(t, "leduc")
	b, err := NewBot(FloatPrefix+path, g)
	if err != nil {
		t.Fatal(err)
	}
	m, r := g.NewMatch(), engine.NewRand(1)
	m.Reset(1)
	if a := b.Act(m, &r); b.Name() != FloatPrefix+path || !m.Legal().Has(a) {
		t.Errorf("%s plays %d", b.Name(), a)
	}
	if err := CheckName("search(rollout="+FloatPrefix+"none)", g); err != nil {
		t.Error(err)
	}
	if _, err := NewBot(FloatPrefix+path+"x", g); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of a file that is not there: %v", err)
	}
	if _, err := NewBot("int16:"+path, g); err == nil || !strings.Contains(err.Error(), "write policy:"+path) {
		t.Errorf("of the prefix that was: %v", err)
	}
}
