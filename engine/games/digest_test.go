package games_test

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"hash"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

var (
	update   = flag.Bool("update", false, "write the golden digests")
	matches  = flag.Int("digest-matches", 1, "matches of each configuration; the golden digests are of 1")
	every    = flag.Int("digest-every", 23, "positions and pictures cost most: digest only those of every n-th decision")
	verdicts = flag.String("verdicts", "", "a file to write verdicts on damaged positions to, with their reasons")
	digests  = flag.String("digests", "testdata/digests.txt", "the file of golden digests; use another one for more matches, to compare two versions of the code")
)

// digestGames has every rulebook, module and variant, at every number of seats at
// which one of them differs.
func digestGames() []string {
	all := []string{"kuhn", "kuhn(seats=3)", "leduc", "leduc(chance=explicit,forced=show)",
		"liars_dice", "liars_dice(seats=3,dice=2,faces=4,bidding=reset_quantity,chance=explicit,forced=show)", "liars_dice(seats=6,dice=5)"}
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	for seats := 2; seats <= 6; seats++ {
		add("doubloons(seats=%d)", seats)
		add("doubloons(seats=%d,modules=alternate_island)", seats)
	}
	for _, module := range []string{"advanced_scoring", "black_jewel", "compass", "legendary_ghost_ship", "steal_ship"} {
		add("doubloons(seats=3,modules=%s)", module)
		add("doubloons(seats=4,modules=%s+alternate_island)", module)
	}
	const standard = "advanced_scoring+black_jewel+compass+legendary_ghost_ship+steal_ship"
	for seats := 2; seats <= 6; seats++ {
		add("doubloons(seats=%d,modules=%s,chance=explicit)", seats, standard)
		add("doubloons(seats=%d,modules=%s+alternate_island,forced=show)", seats, standard)
	}
	for _, edition := range []string{"v2.0", "v1.9.8", "v1.9.7"} {
		d, _ := engine.Lookup("doubloons")
		for _, p := range d.Params {
			if p.Name != "modules" {
				continue
			}
			var has []string // modules that the edition has
			for _, word := range p.Words {
				if _, err := engine.NewGame(fmt.Sprintf("doubloons(edition=%s,modules=%s)", edition, word)); err == nil {
					has = append(has, word)
				}
			}
			for seats := 2; seats <= 5; seats++ {
				add("doubloons(seats=%d,edition=%s)", seats, edition)
				if len(has) > 0 {
					add("doubloons(seats=%d,edition=%s,modules=%s,chance=explicit)", seats, edition, strings.Join(has, "+"))
				}
			}
		}
	}
	for seats := 3; seats <= 10; seats++ {
		add("jolly_roger(seats=%d)", seats)
		add("jolly_roger(seats=%d,variants=hidden_prizes+captains_gold,bribes=talk,chance=explicit)", seats)
	}
	for _, params := range []string{"variants=hidden_prizes", "variants=captains_gold", "bribes=gifts", "bribes=talk", "bribes=gifts,forced=show"} {
		add("jolly_roger(seats=4,%s)", params)
	}
	return all
}

// Everything that can be read of a match, at every decision of matches played at
// random: a change of the code that is not meant to change behaviour leaves the
// digests as they are. After a change of the rules, of a text or of an observation run it with -update.
//
// For a wider net compare two versions of the code:
//
//	go test ./engine/games -run Digests -digest-matches 200 -digest-every 29 -digests /tmp/before.txt -update
func TestDigestsOfWholeMatches(t *testing.T) {
	all := digestGames()
	lines := make([]string, len(all))
	t.Run("games", func(t *testing.T) {
		for i, game := range all {
			t.Run(game, func(t *testing.T) {
				t.Parallel()
				lines[i] = fmt.Sprintf("%s  %s\n", digest(t, game, *matches), game)
			})
		}
	})
	if !t.Failed() {
		enginetest.Golden(t, *digests, []byte(strings.Join(lines, "")), *update)
	}
}

// digest plays matches of a game at random and digests what can be read of them.
func digest(t *testing.T, game string, n int) string {
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	enc, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	fmt.Fprintln(h, enc.Schema().Hash(), enc.FullSchema().Hash(), g.Info().Actions, g.Info().Outcomes)
	seat, full := make([]uint8, enc.Schema().Size), make([]uint8, enc.FullSchema().Size)
	for seed := range uint64(n) {
		n := int(seed)
		_, err := enginetest.Random(t, game, seed).Replay(func(m engine.Match, _ int, _ engine.Action) error {
			n++
			look(h, m, enc, seat, full)
			if n%*every == 0 {
				return read(h, m)
			}
			return nil
		})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// look adds to a digest what learners are shown of a match: observations of every seat, the
// decision and the legal actions.
func look(h hash.Hash, m engine.Match, enc *encode.Encoder, seat, full []uint8) {
	info := m.Info()
	returns, scores := make([]float32, info.Seats), make([]int32, len(info.ScoreSources))
	m.Returns(returns)
	fmt.Fprintln(h, m.Seat(), m.Decision(), m.Outcomes(nil), *m.Legal(), returns)
	for view := range info.Seats {
		m.Scores(engine.Full, view, scores)
		fmt.Fprintln(h, scores)
		enc.Encode(m, view, seat)
		enc.EncodeFull(m, view, full)
		h.Write(seat)
		h.Write(full)
	}
}

// read adds to a digest what people are shown of a match: position and picture of
// every view.
func read(h hash.Hash, m engine.Match) error {
	for view := engine.Full; view < m.Info().Seats; view++ {
		p, err := m.Position(view)
		if err != nil {
			return err
		}
		h.Write(p)
		fmt.Fprintln(h, m.Render(view))
	}
	return nil
}

// Whether a damaged position is refused is part of what a game is: rewritten checks must reach
// the same verdicts. The golden digests are of a few positions. For a wider net have two
// versions of the code write the verdicts on many, and compare the files:
//
//	go test ./engine/games -run Verdicts -digest-matches 10 -verdicts /tmp/before.txt
func TestVerdictsOnDamagedPositions(t *testing.T) {
	all := digestGames()
	list := make([]string, len(all))
	t.Run("games", func(t *testing.T) {
		for i, game := range all {
			t.Run(game, func(t *testing.T) {
				t.Parallel()
				list[i] = judge(t, game, *matches)
			})
		}
	})
	if t.Failed() {
		return
	}
	if *verdicts != "" {
		if err := os.WriteFile(*verdicts, []byte(strings.Join(list, "")), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	var lines strings.Builder
	for i, game := range all {
		bare := reasons.ReplaceAllString(list[i], "refused")
		fmt.Fprintf(&lines, "%x  %d of %d refused  %s\n", sha256.Sum256([]byte(bare)), strings.Count(bare, " refused"), strings.Count(bare, "\n"), game)
	}
	enginetest.Golden(t, "testdata/verdicts.txt", []byte(lines.String()), *update)
}

// reasons are what a verdict says beyond "refused": they may be reworded.
var reasons = regexp.MustCompile(`refused: .*`)

// judge alters positions of matches played at random, half of them in the decision stack, and has
// a line for each: what the text is, and whether it is accepted.
func judge(t *testing.T, game string, n int) string {
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	other, stride := g.NewMatch(), 2**every
	if g.Info().MaxDecisions < 50 {
		stride = 1
	}
	var lines strings.Builder
	for seed := range uint64(n) {
		r := engine.NewRand(seed).At(77)
		step := int(seed)
		_, err := enginetest.Random(t, game, seed).Replay(func(m engine.Match, _ int, _ engine.Action) error {
			if step++; step%stride != 0 {
				return nil
			}
			text, err := m.Position(engine.Full)
			for _, within := range []string{"", "stack", "", "stack"} {
				var altered []byte
				if err == nil {
					altered, err = enginetest.Altered(text, within, &r)
				}
				if err != nil {
					return err
				}
				verdict := "accepted"
				if refusal := other.SetPosition(altered); refusal != nil {
					verdict = "refused: " + strings.ReplaceAll(refusal.Error(), "\n", " ")
				}
				fmt.Fprintf(&lines, "%s %d.%d %.8x %s\n", game, seed, step, sha256.Sum256(altered), verdict)
			}
			return nil
		})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	return lines.String()
}
