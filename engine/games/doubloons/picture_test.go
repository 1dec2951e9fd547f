package doubloons

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/svg"
)

func match(t *testing.T, game string) engine.Match {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	return g.NewMatch()
}

func painter(t *testing.T, game string) *Rules {
	t.Helper()
	r, _ := engine.RulesOf[State, *Rules](match(t, game))
	return r
}

// drawn counts the groups of a picture that have a title and draw something.
func drawn(picture, title string) int { return strings.Count(picture, "<g><title>"+title+"</title><") }

func TestPicturesDrawWhatShipsHaveAndWhatLiesOnTheBoard(t *testing.T) {
	m, rand := match(t, "doubloons(seats=3,modules="+allModules.String()+")"), engine.NewRand(1)
	r, _ := engine.RulesOf[State, *Rules](m)
	seen := map[string]bool{}
	for seed := range uint64(3) {
		m.Reset(seed)
		for step := 0; m.Seat() != engine.Over; step++ {
			if err := m.Apply(m.Legal().Sample(&rand)); err != nil {
				t.Fatal(err)
			}
			if step%50 != 0 && m.Seat() != engine.Over {
				continue
			}
			s := engine.State[State](m)
			want := map[string]int{}
			put := func(counts []uint8, name func(i, n int) string) {
				for i, n := range counts {
					if n > 0 {
						want[name(i, int(n))]++
					}
				}
			}
			symbol := func(noun string) func(i, n int) string {
				return func(i, n int) string { return engine.Count(n, symbolNames[i]+" "+noun, "") }
			}
			jewel := func(i, n int) string {
				return engine.Count(n, []string{"emerald", "ruby", "diamond", "black jewel"}[i], map[int]string{Ruby: "rubies"}[i])
			}
			for _, ship := range r.fleet {
				sh := &s.Ships[ship]
				put(sh.Fragments[:], symbol("map fragment"))
				put(sh.Totems[:], symbol("totem"))
				put(sh.Shells[:], symbol("shell"))
				put(sh.Jewels[:], jewel)
				put([]uint8{sh.Compasses}, func(_, n int) string { return engine.Count(n, "compass", "compasses") })
				put([]uint8{sh.Pillage}, func(_, n int) string { return engine.Count(n, "pillage token", "") })
				want[fmt.Sprintf("crew %d of %d", sh.Crew, MaxCrew)]++
			}
			for region := range r.regions {
				put(s.BeachTotems[region][:], symbol("totem"))
				put(s.RegionShells[region][:], symbol("shell"))
			}
			put(s.Jewels[:], jewel)
			for c := range NumColours {
				want[fmt.Sprintf("stack of %s landmarks: %d left", colourNames[c], s.stackSize(c))]++
			}
			want[engine.Count(bits.OnesCount64(s.Deck), "action card", "")+" in the deck"]++
			want[engine.Count(bits.OnesCount64(s.Discard), "action card", "")+" in the discard"]++
			want[engine.Count(r.InCrater(s), "relic", "")+" in the crater"]++
			for space := range r.EndTrack {
				want[fmt.Sprintf("space %d of the end-game track", space)] = int(engine.Bit(s.Dug))
			}
			for view := engine.Full; view < 3; view++ {
				picture := r.Picture(s, view)
				for title, n := range want {
					if got := drawn(picture, title); got != n {
						t.Fatalf("seed %d, decision %d, view %d: %q is drawn %d times; want %d", seed, step, view, title, got, n)
					}
				}
			}
			for title := range want {
				seen[title[strings.LastIndex(title, " ")+1:]] = true
			}
			seen["dug"] = seen["dug"] || s.Dug
		}
	}
	for _, kind := range []string{"totem", "totems", "shell", "fragment", "ruby", "compass", "dug"} {
		if !seen[kind] {
			t.Errorf("no %s was met", kind)
		}
	}
}

func TestPicturesDrawEveryTracker(t *testing.T) {
	r := painter(t, "doubloons(seats=6,modules=alternate_island)")
	s := &State{Dug: true}
	s.Ships[2].Track, s.Ships[5].Track = 3, uint8(r.EndTrack-1)
	var p svg.Picture
	r.drawTrack(&p, s, 0)
	if n := strings.Count(p.String(""), "<circle"); n != 6 {
		t.Errorf("%d trackers are drawn; want 6", n)
	}
}

func TestCardsShowWhatABoardNeedsAndTheFreeCrewOfAHunt(t *testing.T) {
	r := painter(t, "doubloons(seats=2,modules=alternate_island)")
	kinds := map[string]int{}
	for card := range NumCards {
		var p svg.Picture
		r.drawCard(&p, card, 0, 0, "pv-card", "")
		picture, c := p.String(""), &r.Cards[card]
		body := picture[strings.Index(picture, "</style>"):]
		free := c.Actions[0].FreeCrew || c.Actions[1].FreeCrew
		for _, mark := range []struct {
			class string
			want  bool
		}{{"pv-yellow", c.OwnNeeds != 0}, {"pv-red", c.EnemyNeeds != 0}, {"pv-none", free}} {
			if got := strings.Contains(body, mark.class); got != mark.want {
				t.Errorf("%s: its mark %s: %t; want %t", c.ID, mark.class, got, mark.want)
			}
			kinds[mark.class] += int(engine.Bit(mark.want))
		}
		if needs := c.OwnNeeds | c.EnemyNeeds; needs != 0 && strings.Count(body, ">"+iconSigns[bits.TrailingZeros8(uint8(needs))]+"<") == 0 {
			t.Errorf("%s does not say what its Board needs", c.ID)
		}
	}
	if kinds["pv-yellow"] == 0 || kinds["pv-red"] != 3 || kinds["pv-none"] != NumGreenCards {
		t.Errorf("of the 60 cards %v have marks", kinds)
	}
}
