package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	"github.com/privateer-rl/privateer/serve/page/replay"
	"github.com/privateer-rl/privateer/serve/table"
)

// What a person is told in the terminal does not depend on whether others are asked in secret, nor does what a match looks like afterwards to a seat.
func TestNobodyIsToldThatOthersAreAskedInSecret(t *testing.T) {
	for _, game := range []string{"jolly_roger(seats=4)", "jolly_roger(seats=8,variants=hidden_prizes)", "jolly_roger(seats=10,bribes=gifts)"} {
		for n, s := range enginetest.Secrets(t, game, 10) {
			s.Alike(t, [2][]string{played(t, s, 0, n%2 == 1), played(t, s, 1, n%2 == 1)})
			if n < 3 {
				s.Alike(t, [2][]string{watched(t, s, 0), watched(t, s, 1)})
			}
		}
	}
}

// played is what a person is told at each of its decisions, and would be next.
func played(t *testing.T, s *enginetest.Secret, match int, fields bool) (all []string) {
	t.Helper()
	g, err := engine.NewGame(s.Games[match])
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	at, err := table.New(g, make([]table.Occupant, g.Info().Seats))
	if err != nil {
		t.Fatal(err)
	}
	at.Deal(s.Seed)
	p := &person{table: at, seat: s.Seat, out: &out, fields: fields}
	show := func() {
		if err := p.show(); err != nil {
			t.Fatal(err)
		}
		all = append(all, out.String())
		out.Reset()
	}
	show()
	for _, step := range s.Steps[match] {
		if step.Seat == s.Seat {
			show()
		}
		if err := at.Choose(step.Seat, at.Next(step.Seat), step.Action); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range at.Moments(s.Seat, p.told) {
		all = append(all, fmt.Sprint(m))
	}
	show()
	return all
}

// watched is what a match looks like to a secret's seat afterwards, in each way to look at it.
func watched(t *testing.T, s *enginetest.Secret, match int) (all []string) {
	t.Helper()
	record := engine.Transcript{Game: s.Games[match], Seed: s.Seed}
	g, err := engine.NewGame(s.Games[match])
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, step := range s.Steps[match] {
		record.Steps = append(record.Steps, engine.Step{Seat: step.Seat, Action: g.Info().ActionName(step.Action)})
		if !step.Unseen {
			seen++
		}
	}
	path := filepath.Join(t.TempDir(), "match.txt")
	if err := record.Save(path); err != nil {
		t.Fatal(err)
	}
	view := fmt.Sprint(s.Seat)
	for _, form := range [][]string{nil, {"--fields"}, {"--json", "--positions"}, {"--svg", fmt.Sprint(seen / 2)}, {"--svg", fmt.Sprint(seen)}} {
		all = append(all, must(t, "", append([]string{"replay", path, "--view", view}, form...)...))
	}
	page, err := replay.Of(t.Context(), &record, []int{s.Seat}, nil, func(picture string) string { return picture })
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(page)
	if err != nil {
		t.Fatal(err)
	}
	return append(all, string(text))
}
