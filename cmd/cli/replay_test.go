package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
)

func TestRecordedMatchesReplay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	must(t, "", "sim", "leduc", "--matches", "20", "--seed", "9", "--record", dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 20 {
		t.Fatalf("%d files; want a transcript of each of 20 matches and nothing else", len(entries))
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil || !strings.Contains(string(data), `"players":[{"name":"random"},{"name":"random"}]`) || !strings.Contains(string(data), `"version":`) {
			t.Errorf("%s: %s, error %v", e.Name(), data, err)
		}
		if out := must(t, "", "replay", filepath.Join(dir, e.Name())); !strings.Contains(out, "over after") {
			t.Errorf("%s does not reach its end:\n%s", e.Name(), out)
		}
	}
}

func TestReplayDrawsTheMatchAfterAnyStep(t *testing.T) {
	transcript := dealt(1, "K")
	start := must(t, transcript, "replay", "-", "--svg", "0")
	end := must(t, transcript, "replay", "-", "--svg", "6")
	if start == end || !strings.HasPrefix(start, "<svg ") || !strings.HasSuffix(end, "</svg>\n") || !strings.Contains(end, "pot 6") {
		t.Errorf("the pictures of the first and the last step:\n%s\n%s", start, end)
	}
	if r := privateer(t, transcript, "replay", "-", "--svg", "7"); r.code != exitUsage || !strings.Contains(r.err, "give 0 to 6") {
		t.Errorf("%+v; want how many steps there are", r)
	}
}

func TestReplayThroughASeatsEyesShowsNoHiddenChoice(t *testing.T) {
	type reply struct {
		Steps []struct {
			Seat             int
			Action, Decision string
			Position         struct{ Quartermaster int }
		}
	}
	replays := func(game string, eyes ...string) (all []reply) {
		dir := t.TempDir()
		must(t, "", "sim", game, "--matches", "1", "--seed", "5", "--record", dir)
		for _, view := range eyes {
			all = append(all, decode[reply](t, must(t, "", "replay", filepath.Join(dir, "match_000000.json"), "--json", "--positions", "--view", view)))
		}
		return all
	}
	// Cards are programmed face down: that it happens is seen, not which card.
	both := replays("doubloons(seats=3,modules=steal_ship)", "full", "1")
	if len(both[0].Steps) != len(both[1].Steps) {
		t.Fatalf("%d steps for all eyes and %d for seat 1", len(both[0].Steps), len(both[1].Steps))
	}
	hidden, own := 0, 0
	for i, s := range both[1].Steps {
		programs := strings.Contains(s.Decision, "face down")
		want := both[0].Steps[i].Action
		switch {
		case programs && s.Seat != 1:
			hidden++
			want = "?"
		case programs:
			own++
		}
		if s.Action != want {
			t.Fatalf("step %d, %s: seat 1 sees %q; want %q", i+1, s.Decision, s.Action, want)
		}
	}
	if hidden == 0 || own == 0 {
		t.Errorf("%d programmed cards of others and %d of its own", hidden, own)
	}
	// A reaction that is not made would show who could make it, so it is not shown at all.
	// The Quartermaster has a turn whatever the hand.
	both = replays("jolly_roger(seats=5)", "full", "1")
	passes := func(r reply) (n int) {
		for _, s := range r.Steps {
			n += int(engine.Bit(s.Seat != 1 && s.Seat != s.Position.Quartermaster && s.Action == "pass" && strings.Contains(s.Decision, "attack: play a card")))
		}
		return n
	}
	if n := passes(both[1]); n > 0 {
		t.Errorf("seat 1 sees %d times that another could have played", n)
	}
	skipped := passes(both[0])
	if skipped == 0 || len(both[1].Steps) >= len(both[0].Steps) {
		t.Errorf("%d passes in the match; %d steps for all eyes and %d for seat 1", skipped, len(both[0].Steps), len(both[1].Steps))
	}
}

// dealt is a match with chance written out, of which seat 0 has seen the same
// whichever card seat 1 was dealt.
func dealt(seed int, card string) string {
	return fmt.Sprintf("privateer transcript 1\ngame: leduc(chance=explicit)\nseed: %d\nchance deal=Q\nchance deal=%s\n0 raise\n1 call\nchance public=J\n0 call\nend: unfinished\n", seed, card)
}

func TestReplayThroughASeatsEyesSaysNothingOfTheSeed(t *testing.T) {
	for _, form := range [][]string{nil, {"--json"}, {"--positions"}, {"--json", "--positions"}, {"--svg", "5"}} {
		args := append([]string{"replay", "-", "--view", "0"}, form...)
		one, other := must(t, dealt(1, "K"), args...), must(t, dealt(987654321, "J"), args...)
		if one != other {
			t.Errorf("%v: seat 0 tells two deals apart that look the same to it:\n%s\n%s", form, one, other)
		}
		full := must(t, dealt(987654321, "J"), append([]string{"replay", "-"}, form...)...)
		if form != nil && form[0] == "--svg" {
			continue
		}
		if !strings.Contains(full, "987654321") {
			t.Errorf("%v: the full view does not say the seed:\n%s", form, full)
		}
	}
}

// If returns are paid as they grow, those of a match that was cut short count prizes
// that lie face down.
func TestReplayThroughASeatsEyesHasReturnsAtTheEndAlone(t *testing.T) {
	type reply struct{ Returns []float32 }
	for end, want := range map[string]bool{"": true, "q\n": false} {
		path := filepath.Join(t.TempDir(), "match.txt")
		must(t, end+strings.Repeat("1\n", 2000), "play", "jolly_roger(seats=3,rewards=running)", "--seed", "3", "--bots", "random", "--save", path)
		for view, always := range map[string]bool{"1": false, "full": true} {
			got := decode[reply](t, must(t, "", "replay", path, "--json", "--view", view)).Returns != nil
			if got != (want || always) {
				t.Errorf("a match that is over (%t), view %s: returns are shown: %t", want, view, got)
			}
		}
	}
}

// What is wrong with a transcript may tell what another seat could do.
func TestReplayThroughASeatsEyesDoesNotSayWhatAnotherCouldDo(t *testing.T) {
	broken := strings.Replace(dealt(1, "K"), "chance public=J\n", "", 1)
	if r := privateer(t, broken, "replay", "-"); r.code != exitFailed || !strings.Contains(r.err, "step 4") {
		t.Errorf("%+v; want the step that fails", r)
	}
	if r := privateer(t, broken, "replay", "-", "--view", "0"); r.code != exitFailed || strings.Contains(r.err, "step") || !strings.Contains(r.err, "--view full") {
		t.Errorf("%+v; want that the full view says where", r)
	}
}
