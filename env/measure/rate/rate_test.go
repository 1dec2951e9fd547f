package rate

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
)

// careless plays as another bot does, except in some decisions, which are random.
type careless struct {
	bots.Bot
	random float64
}

func (c careless) Act(m engine.Match, r *engine.Rand) engine.Action {
	if r.Float64() < c.random {
		return m.Legal().Sample(r)
	}
	return c.Bot.Act(m, r)
}

// like is a player that plays as a bot does, under a name of its own.
func like(name, bot string, random float64) match.Player {
	return match.Player{Name: name, Bot: func(g engine.Game) (bots.Bot, error) {
		b, err := bots.New(bot, g)
		return careless{b, random}, err
	}}
}

func played(t *testing.T, r *Results, cfg Config, players ...match.Player) *Results {
	t.Helper()
	if err := r.Play(context.Background(), players, cfg); err != nil {
		t.Fatal(err)
	}
	return r
}

func fresh(t *testing.T, game string) *Results {
	t.Helper()
	r, err := New(game, 7)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func rated(t *testing.T, r *Results) *Table {
	t.Helper()
	table, err := r.Rate(Anchor{}, DefaultPrior)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func (t *Table) of(name string) Rating {
	return t.Ratings[slices.IndexFunc(t.Ratings, func(r Rating) bool { return r.Player == name })]
}

func TestAllMeetAllAndTakeEachSeat(t *testing.T) {
	for _, c := range []struct{ players, seats int }{{9, 4}, {4, 4}, {3, 4}, {2, 5}, {12, 6}, {2, 2}, {1, 3}} {
		s := newSchedule(c.players, c.seats, 3)
		var active []int
		for i := range c.players {
			active = append(active, i)
		}
		for deal := uint64(0); s.lacking(active, 60*c.seats); deal++ {
			lineup := s.draw(deal, active)
			s.note(lineup)
			for i := range c.players {
				count := 0
				for _, p := range lineup {
					if p == i {
						count++
					}
				}
				if count < c.seats/c.players || count > (c.seats+c.players-1)/c.players {
					t.Errorf("%d players, %d seats: lineup %v is not even", c.players, c.seats, lineup)
				}
			}
		}
		if most := slices.Max(s.taken); most > slices.Min(s.taken)+2*c.seats {
			t.Errorf("%d players, %d seats: they take %v seats", c.players, c.seats, s.taken)
		}
		least, most := math.MaxInt, 0
		for i := range c.players {
			for j := range i {
				least, most = min(least, s.met[i][j]), max(most, s.met[i][j])
			}
		}
		if c.players > 1 && (least == 0 || most > least*3/2+4) {
			t.Errorf("%d players, %d seats: pairs have met %d to %d times", c.players, c.seats, least, most)
		}
	}
}

func TestAWeakCopyIsRecognisedAndATwinIsEqual(t *testing.T) {
	r := played(t, fresh(t, "doubloons(seats=4)"), Config{Matches: 240},
		like("random", "random", 0), like("heuristic", "heuristic", 0), like("twin", "heuristic", 0), like("weak", "heuristic", .3), like("mild", "heuristic", .05))
	table := rated(t, r)
	strong, twin, weak, random := table.of("heuristic"), table.of("twin"), table.of("weak"), table.of("random")
	if strong.Rating != 1000 || strong.SE != 0 || table.Anchor != "heuristic" {
		t.Errorf("the anchor is %+v", strong)
	}
	if math.Abs(twin.Rating-1000) > 3*twin.SEByDeal || twin.SEByDeal > 80 {
		t.Errorf("a twin has %.0f ± %.0f", twin.Rating, twin.SEByDeal)
	}
	if weak.High > 1000 || weak.Low < random.High {
		t.Errorf("a weak copy has %.0f (%.0f to %.0f), the random bot %.0f", weak.Rating, weak.Low, weak.High, random.Rating)
	}
	if names := []string{table.Ratings[3].Player, table.Ratings[4].Player}; !slices.Equal(names, []string{"weak", "random"}) {
		t.Errorf("the last are %v", names)
	}
	if last := table.of("random"); last.Behind >= table.of("weak").Behind || last.Wins.Mean > .1 || last.Matches < 240 || last.Cost.Decisions == 0 {
		t.Errorf("%+v", last)
	}
	for _, text := range []string{table.Text(), table.Markdown()} {
		for _, want := range []string{"anchor", "weak", "ms", "cycle"} {
			if !strings.Contains(text, want) {
				t.Errorf("the report has no %q:\n%s", want, text)
			}
		}
	}
	for d := xml.NewDecoder(strings.NewReader(table.SVG())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// Who plays whom, and how it ends, is the same whether it is played at once, in parts, or after interruptions, and
// by how many goroutines.
func TestResultsGoOnWhereTheyStopped(t *testing.T) {
	pool := []match.Player{like("a", "random", 0), like("b", "heuristic", 0), like("c", "heuristic", .5), like("d", "random", 0)}
	whole := played(t, fresh(t, "doubloons(seats=3)"), Config{Matches: 60, Alone: 15}, pool...)
	path := filepath.Join(t.TempDir(), "ratings.jsonl")
	var last *Results
	open := func() *Results {
		t.Helper()
		if last != nil {
			last.Close()
		}
		r, err := Open(path, "doubloons(seats=3)", 7)
		if err != nil {
			t.Fatal(err)
		}
		last = r
		return r
	}
	played(t, open(), Config{Matches: 20, Workers: 3}, pool...)
	ctx, cancel := context.WithCancel(context.Background())
	if err := open().Play(ctx, pool, Config{Matches: 60, Workers: 1, Report: func(int, int) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Fatalf("the error is %v", err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"mixed":{"deal":99,"pla`); err != nil { // and there the power went
		t.Fatal(err)
	}
	f.Close()
	r := played(t, open(), Config{Matches: 60, Alone: 15}, pool...)
	if again := open(); !reflect.DeepEqual(again.Deals, whole.Deals) || !reflect.DeepEqual(r.Deals, whole.Deals) || !reflect.DeepEqual(again.Alone, whole.Alone) || !reflect.DeepEqual(again.Players, whole.Players) {
		t.Errorf("%d deals and %d alone in parts, %d and %d at once, or others", len(again.Deals), len(again.Alone), len(whole.Deals), len(whole.Alone))
	}
	for name, c := range whole.Costs {
		if got := open().Costs[name].Decisions; got != c.Decisions {
			t.Errorf("%s has taken %d decisions in parts, %d at once", name, got, c.Decisions)
		}
	}
	before := len(r.Deals)
	if played(t, r, Config{Matches: 60, Alone: 15}, pool...); len(r.Deals) != before {
		t.Error("nothing was lacking, and yet something was played")
	}
	table := rated(t, r)
	if len(table.Alone) != 12 || table.Ratings[0].Player != "b" || !strings.Contains(table.Text(), "one (row) against 2 (column)") || !strings.Contains(table.Markdown(), "One (row) against 2") {
		t.Errorf("%+v", table)
	}
	for _, rating := range table.Ratings {
		for _, s := range table.Alone {
			if s.Others == rating.Player && s.One != s.Others && s.Wins.Mean > rating.Worst.Wins.Mean || rating.Worst.Others != rating.Player {
				t.Errorf("%s's worst case is %+v; %s wins %v", rating.Player, rating.Worst, s.One, s.Wins)
			}
		}
		if !strings.Contains(table.Text(), rating.Worst.Wins.String()+" "+rating.Worst.One) {
			t.Errorf("the worst case of %s is not in\n%s", rating.Player, table.Text())
		}
	}
	if data, err := json.Marshal(table); err != nil || !strings.Contains(string(data), `"se_by_deal"`) {
		t.Errorf("%s, error %v", data, err)
	}
}

// Two would write over each other's lines.
func TestOneProcessAtATimeAddsToResults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ratings.jsonl")
	for range 2 {
		r, err := Open(path, "leduc", 7)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, "leduc", 7); !errors.Is(err, durable.ErrLocked) && runtime.GOOS != "windows" {
			t.Errorf("while another has the file: %v", err)
		}
		r.Close()
	}
}

func TestWhatWasCutShortAsItBeganBeginsAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ratings.jsonl")
	if err := os.WriteFile(path, []byte(`{"table":{"for`), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path, "leduc", 7)
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	if r, err = Open(path, "", 0); err != nil || r.Seed != 7 {
		t.Errorf("%+v, error %v", r, err)
	}
	r.Close()
}

// A digit that has flipped would be a rating that is wrong. Lines of earlier releases have no sums.
func TestAlteredResultsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ratings.jsonl")
	pool := []match.Player{like("a", "random", 0), like("b", "random", 0)}
	earlier := `{"table":{"format":1,"game":"leduc","seed":7}}` + "\n" + `{"player":{"name":"a"}}` + "\n"
	for _, text := range []string{"", earlier} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path, "leduc", 7)
		if err != nil {
			t.Fatal(err)
		}
		played(t, r, Config{Matches: 10, Alone: 2}, pool...)
		r.Close()
		written, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range written {
			if c < '0' || c > '9' {
				continue
			}
			altered := slices.Clone(written)
			altered[i] ^= 1
			if err := os.WriteFile(path, altered, 0o644); err != nil {
				t.Fatal(err)
			}
			if r, err := Open(path, "leduc", 7); err == nil {
				r.Close()
				t.Fatalf("byte %d of %d: %s is read as %s", i, len(written), written[i:i+1], altered[i:i+1])
			}
		}
		lines := bytes.SplitAfter(written, []byte("\n"))
		for name, altered := range map[string][]byte{
			"a line less":       bytes.Join(slices.Delete(slices.Clone(lines), 3, 4), nil),
			"a line without it": append(slices.Clone(written), `{"cost":{"player":"a","decisions":1}}`+"\n"...),
		} {
			if err := os.WriteFile(path, altered, 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(path, "leduc", 7); !errors.Is(err, errAltered) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := os.WriteFile(path, written, 0o644); err != nil {
			t.Fatal(err)
		}
		if r, err = Open(path, "leduc", 7); err != nil {
			t.Fatalf("as it was written: %v", err)
		}
		r.Close()
	}
}

func TestAPlayerJoinsWithoutReplaying(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ratings.jsonl")
	pool := []match.Player{like("random", "random", 0), like("heuristic", "heuristic", 0), like("half", "heuristic", .5)}
	r, err := Open(path, "jolly_roger(seats=4)", 7)
	if err != nil {
		t.Fatal(err)
	}
	played(t, r, Config{Matches: 40}, pool...)
	before := slices.Clone(r.Deals)
	r.Close()
	if r, err = Open(path, "", 0); err != nil { // as the file has it
		t.Fatal(err)
	}
	played(t, r, Config{Matches: 40}, append(pool, like("new", "heuristic", .2))...)
	if !reflect.DeepEqual(r.Deals[:len(before)], before) {
		t.Error("what was played is no longer what it was")
	}
	for _, d := range r.Deals[len(before):] {
		if !slices.Contains(d.Players, "new") {
			t.Errorf("deal %d of %v is not for the player that joined", d.Deal, d.Players)
		}
	}
	if n := rated(t, r).of("new").Matches; n < 40 || n > 52 {
		t.Errorf("who joined has %d matches", n)
	}
}

func TestACycleIsNamed(t *testing.T) {
	r := fresh(t, "kuhn(seats=3)")
	r.Players = []Known{{Name: "rock"}, {Name: "paper"}, {Name: "scissors"}}
	names := []string{"rock", "paper", "scissors"}
	for k := range 300 { // rock before scissors before paper before rock, each in two thirds of the deals
		d := Deal{Deal: uint64(k), Players: names, Places: [][]int{[][]int{{1, 3, 2}, {3, 2, 1}, {2, 1, 3}}[k%3]}}
		if err := r.take(line{Mixed: &d}); err != nil {
			t.Fatal(err)
		}
	}
	table := rated(t, r)
	if len(table.Cycles) != 1 || table.Cycles[0].Surely < .999 || !strings.Contains(table.Text(), "rock > scissors > paper > rock (100.0 %)") {
		t.Errorf("%+v:\n%s", table.Cycles, table.Text())
	}
	for _, rating := range table.Ratings {
		if math.Abs(rating.Strength) > 1e-6 || math.Abs(rating.Behind) > 1e-5 {
			t.Errorf("in a cycle all are equal: %+v", rating)
		}
	}
	r.Deals = r.Deals[:3]
	if text := rated(t, r).Text(); !strings.Contains(text, "no cycle is certain; the likeliest is rock > scissors > paper") {
		t.Errorf("after three deals: %s", text)
	}
}

func TestMistakesOfRatingsAreNamed(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	head := `{"table":{"format":1,"game":"leduc","seed":1}}` + "\n"
	for _, c := range []struct {
		path, game string
		seed       uint64
		want       string
	}{
		{filepath.Join(dir, "none"), "", 1, "no game is given"},
		{filepath.Join(dir, "none"), "chess", 1, "unknown game"},
		{file("other", head), "kuhn", 1, "the results are of leduc, not of kuhn"},
		{file("seed", head), "", 2, "of seed 1, not of 2"},
		{file("alien", "{}\n"), "", 0, "no results of format 1"},
		{file("text", head+"hello\n"), "", 0, "line 2"},
		{file("field", head+`{"playr":{}}`+"\n"), "", 0, `line 2: json: unknown field "playr"`},
		{file("empty", head+"{}\n"), "", 0, "line 2: it says nothing"},
		{file("stranger", head+`{"mixed":{"deal":0,"players":["a","b"],"places":[[1,2]],"points":[[1,2]]}}`+"\n"), "", 0, "a has not joined"},
		{file("places", head+`{"player":{"name":"a"}}`+"\n"+`{"mixed":{"deal":0,"players":["a","a"],"places":[[1,3]],"points":[[1,2]]}}`+"\n"), "", 0, "line 3: deal 0: places [1 3]"},
		{file("lists", "milk and bread"), "leduc", 1, "it is no file of results"},
		{file("joined", head+head), "", 0, "line 2: another file of results begins here: want a file for each"},
		{file("again", head+`{"player":{"name":"a"}}`+"\n"+strings.Repeat(`{"mixed":{"deal":4,"players":["a","a"],"places":[[1,2]],"points":[[1,2]]}}`+"\n", 2)), "", 0, "line 4: deal 4 is there already"},
		{file("twice", head+strings.Repeat(`{"player":{"name":"a"}}`+"\n", 2)), "", 0, "joins twice"},
	} {
		if _, err := Open(c.path, c.game, c.seed); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("%s: error %v; want %s", c.path, err, c.want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "lists")); string(text) != "milk and bread" {
		t.Errorf("the file that is no file of results is now %q, error %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file was begun that nothing can be written to: %v", err)
	}
	r := fresh(t, "leduc")
	if _, err := r.Rate(Anchor{}, 1); err == nil || !strings.Contains(err.Error(), "nothing was played") {
		t.Errorf("of nothing: %v", err)
	}
	a := like("a", "random", 0)
	if err := r.Play(context.Background(), []match.Player{a, a}, Config{Matches: 1}); err == nil || !strings.Contains(err.Error(), "a is given twice") {
		t.Errorf("error %v", err)
	}
	played(t, r, Config{Matches: 4}, a, like("b", "random", 0))
	if _, err := r.Rate(Anchor{Name: "c"}, 1); err == nil || !strings.Contains(err.Error(), "the anchor c has no results") {
		t.Errorf("error %v", err)
	}
	a.Digest = "abc"
	if err := r.Play(context.Background(), []match.Player{a}, Config{Matches: 1}); err == nil || !strings.Contains(err.Error(), "the results know another a") {
		t.Errorf("error %v", err)
	}
}

// Few deals say little, and the intervals of ratings say so: those of the normal distribution miss the truth in a quarter of the cases
// after five deals.
func TestRatingsOfFewDealsAreAsSureAsTheySay(t *testing.T) {
	truth := []float64{0, .4, .8, 1.2, 1.6, 2, 2.4}
	for _, deals := range []int{2, 3, 5, 10, 20} {
		missed, intervals := 0, 0
		for run := range 60 {
			luck := engine.NewRand(9).At(uint64(run))
			r := fresh(t, "doubloons(seats=4)")
			active := make([]int, len(truth))
			for i := range truth {
				active[i] = i
				r.Players = append(r.Players, Known{Name: string(rune('a' + i))})
			}
			plan := newSchedule(len(truth), r.Seats, uint64(run))
			for deal := range uint64(deals) {
				lineup := plan.draw(deal, active)
				plan.note(lineup)
				d := Deal{Deal: deal}
				for _, p := range lineup {
					d.Players = append(d.Players, r.Players[p].Name)
				}
				for range r.Seats {
					d.Places = append(d.Places, drawn(&luck, lineup, truth))
				}
				r.Deals = append(r.Deals, d)
			}
			table, err := r.Rate(Anchor{Name: "a"}, DefaultPrior)
			if err != nil {
				t.Fatal(err)
			}
			for i := range truth[1:] {
				if x := table.of(r.Players[i+1].Name); x.Matches > 0 && table.of("a").Matches > 0 {
					intervals++
					if want := elo * truth[i+1]; x.Low > want || x.High < want {
						missed++
					}
				}
			}
		}
		if share := float64(missed) / float64(intervals); share > .08 {
			t.Errorf("%.3f of the %d intervals by %d deals miss the truth", share, intervals, deals)
		}
	}
}
