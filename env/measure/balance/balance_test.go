package balance

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/env/match"
)

func report(t *testing.T, game string, cfg Config) *Report {
	t.Helper()
	if cfg.Players == nil {
		cfg.Players = []match.Player{match.Named("random")}
	}
	r, err := Run(context.Background(), game, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEqualPlayersWinTheirShareInAFairGameOnly(t *testing.T) {
	// There, who begins is drawn by lot.
	r := report(t, "doubloons(seats=2)", Config{Matches: 400, Seed: 3})
	total := 0.0
	for _, s := range r.Seats {
		total += s.Wins.Mean
		if s.Wins.Low > r.EqualShare || s.Wins.High < r.EqualShare || s.Matches != r.Matches {
			t.Errorf("%s: %v of %d matches", s.Name, s.Wins, s.Matches)
		}
	}
	if math.Abs(total-1) > 1e-9 {
		t.Errorf("wins of all seats: %v", total)
	}
	// In Leduc poker the first seat is asked more often, which players at random
	// turn into raises.
	if r = report(t, "leduc", Config{Matches: 4000, Seed: 3}); r.Seats[0].Wins.Low < 0.5 || r.Spread.Low <= 0 || r.Roles != nil || r.Sources != nil {
		t.Errorf("seats %+v, spread %v, roles %v", r.Seats, r.Spread, r.Roles)
	}
	if r = report(t, "kuhn(seats=3)", Config{Matches: 200}); r.Matches != 201 || r.Deals != 67 {
		t.Errorf("%d matches of %d deals", r.Matches, r.Deals)
	}
}

func TestSkillIsFoundAmongPlayersWhoShareEverySeat(t *testing.T) {
	r := report(t, "doubloons(seats=2)", Config{Players: []match.Player{match.Named("heuristic"), match.Named("random")}, Matches: 40, Seed: 2})
	if len(r.Bots) != 2 || r.Bots[0].Wins.Low < 0.6 || r.Bots[1].Wins.High > 0.4 {
		t.Errorf("heuristic against random: %+v", r.Bots)
	}
	if r.Bots[0].Matches != r.Matches || !reflect.DeepEqual(r.Players, []string{"heuristic", "random"}) {
		t.Errorf("%d matches of %d; around the table %v", r.Bots[0].Matches, r.Matches, r.Players)
	}
}

// Each captain of a deal is played once from each seat, so all have the same
// seats behind them.
func TestRolesAreDealtOutInTurn(t *testing.T) {
	r, err := newRun("doubloons(seats=3)", Config{Players: []match.Player{match.Named("random")}, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.play(context.Background(), 12); err != nil {
		t.Fatal(err)
	}
	used := map[int]bool{}
	for k, d := range r.deals {
		had := map[[2]int]bool{}
		for _, o := range d {
			for seat, role := range o.role {
				had[[2]int{seat, role}] = true
				used[role] = true
			}
		}
		if len(had) != 9 {
			t.Fatalf("deal %d: %v; want three captains in three seats each", k, had)
		}
	}
	if len(used) != len(r.chronicle.Roles()) {
		t.Errorf("captains %v only", used)
	}
}

func TestTheResultDoesNotDependOnTheWorkers(t *testing.T) {
	var first *Report
	for _, workers := range []int{1, 3} {
		r := report(t, "doubloons(seats=3,modules=steal_ship)", Config{Matches: 30, Seed: 4, Workers: workers})
		if first == nil {
			first = r
		} else if !reflect.DeepEqual(r, first) {
			t.Errorf("%d workers: another report", workers)
		}
	}
	if other := report(t, "doubloons(seats=3,modules=steal_ship)", Config{Matches: 30, Seed: 5}); reflect.DeepEqual(other.Seats, first.Seats) {
		t.Error("another seed gives the same report")
	}
}

func TestWhatAMatchIsMeasuredByIsReported(t *testing.T) {
	r := report(t, "doubloons(seats=3)", Config{Matches: 60, Seed: 1})
	figures := map[string]Figure{}
	for _, g := range r.groups() {
		for _, f := range g.figures {
			figures[g.name+" "+f.Name] = f
			if f.Low > f.Mean || f.High < f.Mean {
				t.Errorf("%s: %v", f.Name, f.Estimate)
			}
		}
	}
	for name, least := range map[string]float64{
		"length decisions": 50, "length rounds": 3, "events sunk": 0.1, "course margin": 1, "course winner": 5,
		"points doubloons": 1, "winner's points doubloons": 1, "course comebacks": 0.05,
	} {
		if f, ok := figures[name]; !ok || f.Mean < least {
			t.Errorf("%s: %v; want at least %v", name, f.Estimate, least)
		}
	}
	points := 0.0
	for _, f := range r.Sources {
		points += f.Mean
	}
	seats := 0.0
	for _, s := range r.Seats {
		seats += s.Score.Mean / 3
	}
	if math.Abs(points-seats) > 1e-9 {
		t.Errorf("points by source make %v, those of the seats %v", points, seats)
	}
}

// A match of three seats by hand: who leads after each decision, in points.
func TestTheCourseOfAMatch(t *testing.T) {
	c := course{seats: 3, known: true, standing: []int32{
		2, 2, 2, // nobody leads alone
		5, 2, 1, // seat 0
		5, 2, 1, // halfway: seat 2 is last
		5, 6, 4, // seat 1
		5, 6, 9, // seat 2, to the end
	}}
	c.end([]float64{0, 0, 1})
	want := course{seats: 3, known: true, comeback: 1, fromLast: 1, leads: 2, settled: 4.0 / 5, margin: 3, winnerHas: 9}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("%+v; want %+v", c, want)
	}
	c = course{seats: 2, known: true, standing: []int32{1, 0, 3, 3}}
	c.end([]float64{.5, .5})
	if c.leads != 0 || c.margin != 0 || c.comeback != 0 || c.settled != 0.25 {
		t.Errorf("a shared win: %+v", c)
	}
}

func TestReportsAreWrittenAsTableJSONCSVAndPlots(t *testing.T) {
	reports := []*Report{
		report(t, "doubloons(seats=2)", Config{Matches: 10}),
		report(t, "doubloons(seats=3,modules=legendary_ghost_ship)", Config{Matches: 9}),
	}
	var b bytes.Buffer
	if err := WriteTable(&b, reports); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"A  doubloons(seats=2): 10 matches of random, random, equal share 0.500", "seat 1", "hayreddin", "seat spread", "sunk"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the table:\n%s", want, b.String())
		}
	}
	data, err := json.Marshal(reports)
	if err != nil {
		t.Fatal(err)
	}
	var back []struct {
		Game   string
		Course []struct {
			Name            string
			Mean, Low, High float64
		}
	}
	if err := json.Unmarshal(data, &back); err != nil || back[1].Game != reports[1].Game || back[0].Course[0].Name != "comebacks" {
		t.Errorf("JSON %s, error %v", data, err)
	}
	b.Reset()
	if err := WriteCSV(&b, reports); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) < 80 || len(rows[0]) != 9 || rows[1][2] != "seat" {
		t.Errorf("%d rows of CSV, error %v", len(rows), err)
	}
	folder := filepath.Join(t.TempDir(), "plots")
	names, err := SavePlots(folder, reports)
	if err != nil || len(names) < 6 {
		t.Fatalf("%v, error %v", names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("NaN")) || bytes.Contains(text, []byte("Inf")) {
			t.Errorf("%s: a coordinate is not a number", name)
		}
		d := xml.NewDecoder(bytes.NewReader(text))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for _, c := range []struct {
		game, want string
		cfg        Config
	}{
		{"chess", "unknown game", Config{Players: []match.Player{match.Named("random")}, Matches: 1}},
		{"kuhn(chance=explicit)", "chance=explicit", Config{Players: []match.Player{match.Named("random")}, Matches: 1}},
		{"kuhn", "0 matches", Config{Players: []match.Player{match.Named("random")}}},
		{"kuhn", "0 players", Config{Matches: 1}},
		{"kuhn", `unknown bot "nobody"`, Config{Players: []match.Player{match.Named("nobody")}, Matches: 50}},
	} {
		if _, err := Run(context.Background(), c.game, c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v; want %s", c.game, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, "kuhn", Config{Players: []match.Player{match.Named("random")}, Matches: 1000}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestMatchesThatALimitCutsShortHaveNoWinner(t *testing.T) {
	r := report(t, "doubloons(seats=3,max_rounds=1)", Config{Matches: 6, Seed: 1})
	figures := map[string]Figure{}
	for _, g := range r.groups() {
		for _, f := range g.figures {
			figures[g.name+" "+f.Name] = f
		}
	}
	if f := figures["length truncated"]; f.Mean != 1 {
		t.Errorf("truncated: %v; want 1", f.Estimate)
	}
	if f := figures["length rounds"]; f.Mean != 1 {
		t.Errorf("rounds: %v; want 1", f.Estimate)
	}
	for _, s := range r.Seats {
		if math.Abs(s.Wins.Mean-1.0/3) > 1e-9 || s.Return.Mean != 0 {
			t.Errorf("%s: wins %v, return %v; want an equal share and nothing", s.Name, s.Wins, s.Return)
		}
	}
	if len(r.Winners) > 0 || len(r.Course) > 0 {
		t.Errorf("winners %v and course %v of matches that nobody has won", r.Winners, r.Course)
	}
	// They are left out of the figures of those that have a winner.
	some := report(t, "doubloons(seats=2,max_rounds=12)", Config{Matches: 60, Seed: 1})
	for _, g := range some.groups() {
		for _, f := range g.figures {
			if f.Name == "truncated" && !(f.Mean > 0.1 && f.Mean < 0.9) || math.IsNaN(f.Mean) {
				t.Errorf("%s: %v", f.Name, f.Estimate)
			}
		}
	}
	for _, write := range []func() error{
		func() error { return WriteTable(io.Discard, []*Report{r, some}) },
		func() error { return WriteCSV(io.Discard, []*Report{r, some}) },
		func() error { _, err := json.Marshal(r); return err },
	} {
		if err := write(); err != nil {
			t.Error(err)
		}
	}
	for name, svg := range Plots([]*Report{r, some}) {
		if strings.Contains(svg, "NaN") {
			t.Errorf("%s has NaN", name)
		}
	}
}
