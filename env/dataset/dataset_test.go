package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	_ "github.com/privateer-rl/privateer/engine/players/search"
	"github.com/privateer-rl/privateer/env/match"
)

var whole = durable.Part{Shard: 1, Shards: 1}

// config is a small data set of named players.
func config(game string, matches, part int, players ...string) Config {
	c := Config{Game: game, Seed: 7, Matches: matches, PartMatches: part, Part: whole, Version: "v1"}
	for _, name := range players {
		c.Players = append(c.Players, match.Named(name))
	}
	return c
}

func write(t *testing.T, folder string, c Config) Written {
	t.Helper()
	w, err := Write(t.Context(), folder, c)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// row is one of a file, as a reader without this package gets it.
type row struct {
	Match         int32     `parquet:"match"`
	Seed          uint64    `parquet:"seed"`
	Step          int32     `parquet:"step"`
	Seat          int8      `parquet:"seat"`
	Player        int16     `parquet:"player"`
	Observation   []byte    `parquet:"observation"`
	Mask          []byte    `parquet:"mask"`
	Legal         int16     `parquet:"legal"`
	Action        int16     `parquet:"action"`
	Choice        int16     `parquet:"choice"` // 0 where there is no such column
	Probability   float32   `parquet:"probability"`
	Reward        float32   `parquet:"reward"`
	Return        float32   `parquet:"return"`
	Terminated    bool      `parquet:"terminated"`
	Truncated     bool      `parquet:"truncated"`
	Rows          []byte    `parquet:"rows"`
	Values        []float32 `parquet:"values,list"`
	Probabilities []float32 `parquet:"probabilities,list"`
}

// read reads all files of a folder in the order of their names.
func read(t *testing.T, folder string) (all []row) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	for _, path := range paths {
		data, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer data.Close()
		r := parquet.NewReader(data)
		for i := range r.NumRows() {
			var one row
			if err := r.Read(&one); err != nil {
				t.Fatalf("%s, row %d: %v", path, i, err)
			}
			all = append(all, one)
		}
		r.Close()
	}
	return all
}

// What a data set has is what a replay of its seeds and actions shows.
func TestRowsAreTheDecisionsOfTheMatches(t *testing.T) {
	for _, c := range []Config{
		config("leduc", 9, 4, "random"),
		config("doubloons(seats=4)", 5, 2, "heuristic", "random", "greedy"),
		config("doubloons(seats=2,objective=margin,rewards=running,max_rounds=1)", 4, 4, "random"),
		config("jolly_roger(seats=5)", 2, 2, "random", "heuristic"),
	} {
		t.Run(c.Game, func(t *testing.T) {
			c.Rows = true
			if s, err := encode.SpecOf(c.Game); err != nil || s.ActionRow == nil {
				c.Rows = false
			}
			folder := t.TempDir()
			w := write(t, folder, c)
			rows := read(t, folder)
			if w.Decisions != len(rows) || w.Matches != c.Matches || w.Files != w.Head.Parts() {
				t.Errorf("%+v, and %d rows", w, len(rows))
			}
			for i := range c.Matches {
				n := 0
				for n < len(rows) && rows[n].Match == int32(i) {
					n++
				}
				checkMatch(t, &c, i, rows[:n])
				rows = rows[n:]
			}
			if len(rows) > 0 {
				t.Errorf("%d rows belong to no match, or are not in order", len(rows))
			}
		})
	}
}

func checkMatch(t *testing.T, c *Config, number int, rows []row) {
	t.Helper()
	g, err := engine.NewGame(c.Game)
	if err != nil {
		t.Fatal(err)
	}
	e, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	m, p := g.NewMatch(), g.Info().Seats
	m.Reset(engine.DealSeed(c.Seed, uint64(number)))
	paid := make([][]float32, len(rows)) // before each decision
	obs, mask := make([]byte, e.Schema().Size), make([]byte, len(g.Info().Actions))
	for i, d := range rows {
		paid[i] = make([]float32, p)
		m.Returns(paid[i])
		e.Encode(m, m.Seat(), obs)
		m.Legal().Expand(mask)
		if d.Seed != engine.DealSeed(c.Seed, uint64(number)) || int(d.Step) != i || int(d.Seat) != m.Seat() || int(d.Legal) != m.Legal().Count() {
			t.Fatalf("match %d, decision %d: %+v", number, i, d)
		}
		if want := (m.Seat() + number) % max(p, len(c.Players)) % len(c.Players); int(d.Player) != want {
			t.Fatalf("match %d, decision %d: player %d, want %d", number, i, d.Player, want)
		}
		if !slices.Equal(d.Observation, obs) {
			t.Fatalf("match %d, decision %d: another observation", number, i)
		}
		for a, legal := range mask {
			if d.Mask[a/8]>>(a%8)&1 != legal {
				t.Fatalf("match %d, decision %d: action %d is legal: %d", number, i, a, legal)
			}
		}
		if c.Rows {
			describe := make([]byte, int(d.Legal)*e.ActionSize())
			e.EncodeActions(m, describe)
			if !slices.Equal(d.Rows, describe) {
				t.Fatalf("match %d, decision %d: other rows", number, i)
			}
		}
		if err := m.Apply(engine.Action(d.Action)); err != nil {
			t.Fatal(err)
		}
	}
	if m.Seat() != engine.Over {
		t.Fatalf("match %d is not over after its %d decisions", number, len(rows))
	}
	checkReturns(t, m, number, rows, paid)
}

// checkReturns looks at what came of the decisions of a match that is over.
func checkReturns(t *testing.T, m engine.Match, number int, rows []row, paid [][]float32) {
	t.Helper()
	returns := make([]float32, m.Info().Seats)
	m.Returns(returns)
	limit, _ := m.Truncated()
	for i, d := range rows {
		next, last := returns[d.Seat], true
		for j := i + 1; j < len(rows) && last; j++ {
			if rows[j].Seat == d.Seat {
				next, last = paid[j][d.Seat], false
			}
		}
		before := paid[i][d.Seat]
		if d.Reward != next-before || d.Return != returns[d.Seat]-before || d.Terminated != (last && limit == "") || d.Truncated != (last && limit != "") {
			t.Fatalf("match %d, decision %d: reward %v, return %v, terminated %v, truncated %v", number, i, d.Reward, d.Return, d.Terminated, d.Truncated)
		}
	}
}

// files are the files of a folder with what is in them.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}

func TestFilesAreTheSameWhateverTheNumberOfShardsAndWorkers(t *testing.T) {
	c := config("doubloons(seats=3)", 11, 3, "random", "greedy", "heuristic", "random")
	c.Workers = 1
	one := t.TempDir()
	write(t, one, c)
	want := files(t, one)
	if len(want) != 4 || want["part-00004-of-00004.parquet"] == "" {
		t.Fatalf("%d files", len(want))
	}
	for _, shards := range []int{1, 2, 4} {
		folder := t.TempDir()
		c.Workers = 7 - shards
		for k := shards; k >= 1; k-- {
			c.Part = durable.Part{Shard: k, Shards: shards}
			write(t, folder, c)
		}
		if !reflect.DeepEqual(files(t, folder), want) {
			t.Errorf("%d shards: other files", shards)
		}
	}
}

// A writer that is stopped leaves whole files alone, and one that continues has the same result.
func TestWhatWasStoppedGoesOn(t *testing.T) {
	c := config("leduc", 40, 4, "random")
	c.Workers = 2
	folder := t.TempDir()
	write(t, folder, c)
	want := files(t, folder)
	folder = t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	c.Progress = func(matches, _ int) {
		if matches >= 12 {
			stop()
		}
	}
	w, err := Write(ctx, folder, c)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%+v, error %v", w, err)
	}
	c.Progress = nil
	have := files(t, folder)
	if len(have) < 3 || len(have) == len(want) {
		t.Fatalf("%d files of %d were written", len(have), len(want))
	}
	for name, data := range have {
		if want[name] != data {
			t.Errorf("%s differs", name)
		}
	}
	// Neither what a killed process has left nor a file that was damaged stays.
	if err := os.WriteFile(filepath.Join(folder, "part-00010-of-00010.parquet.tmp-7"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, data := range have {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(data[:len(data)-9]), 0o600); err != nil {
			t.Fatal(err)
		}
		break
	}
	if w := write(t, folder, c); w.Kept != len(have)-1 || w.Files+w.Kept != len(want) {
		t.Errorf("%+v", w)
	}
	if !reflect.DeepEqual(files(t, folder), want) {
		t.Error("other files than without a stop")
	}
	if w := write(t, folder, c); w.Files != 0 || w.Matches != 0 || w.Kept != len(want) {
		t.Errorf("again: %+v", w)
	}
}

// With moves at random the file says what the players themselves chose, and with which probability each action was played.
func TestMovesAtRandomAreToldFromWhatPlayersChoose(t *testing.T) {
	c := config("doubloons(seats=2)", 4, 2, "random", "policy:captain")
	c.RandomMoves = 0.25
	folder := t.TempDir()
	write(t, folder, c)
	rows, other, sure := read(t, folder), 0, 0
	n := 0
	for i := range c.Matches {
		of := slices.IndexFunc(rows[n:], func(d row) bool { return d.Match != int32(i) })
		if of < 0 {
			of = len(rows) - n
		}
		checkMatch(t, &c, i, rows[n:n+of])
		n += of
	}
	for _, d := range rows {
		at := func(a int16) (k int) {
			for x := range a {
				k += int(d.Mask[x/8] >> (x % 8) & 1)
			}
			return k
		}
		own := float64(d.Probabilities[at(d.Action)])
		if d.Player == 1 { // who plays the likeliest
			own = float64(engine.Bit(d.Action == d.Choice))
		}
		if want := 0.75*own + 0.25/float64(d.Legal); math.Abs(float64(d.Probability)-want) > 1e-6 {
			t.Fatalf("%+v: probability %v", d, want)
		}
		if d.Probabilities[at(d.Choice)] == 0 {
			t.Fatalf("%+v: the choice has probability 0", d)
		}
		if d.Action != d.Choice {
			other++
			sure += int(engine.Bit(d.Probabilities[at(d.Action)] < 0.01))
		}
	}
	if share := float64(other) / float64(len(rows)); share < 0.08 || share > 0.25 || sure == 0 {
		t.Errorf("%v of %d decisions were not played as chosen, %d of them against the player", share, len(rows), sure)
	}
	c.RandomMoves = 0
	folder = t.TempDir()
	write(t, folder, c)
	if h, err := ReadHead(filepath.Join(folder, "part-00001-of-00002.parquet")); err != nil || h.RandomMoves != 0 {
		t.Errorf("%+v, error %v", h, err)
	}
	for _, d := range read(t, folder) {
		if d.Choice != 0 {
			t.Fatalf("without moves at random there is a column choice: %+v", d)
		}
	}
}

func TestPlayersTellWhatTheyKnow(t *testing.T) {
	c := config("doubloons(seats=2)", 4, 2, "search(rollouts=8,best=3,prior=heuristic)", "policy:captain", "random", "heuristic")
	folder := t.TempDir()
	write(t, folder, c)
	valued, unsure, worth, met := 0, 0, 0, map[int16]bool{}
	for _, d := range read(t, folder) {
		met[d.Player] = true
		nan := math.IsNaN(float64(d.Probability))
		switch d.Player {
		case 0:
			known := 0
			for _, v := range d.Values {
				known += int(engine.Bit(!math.IsNaN(float64(v))))
			}
			if d.Legal > 3 && len(d.Values) > 0 {
				valued++
				if known < 2 || known > 3 || len(d.Values) != int(d.Legal) {
					t.Errorf("%d legal actions, %d values, %d of them known", d.Legal, len(d.Values), known)
				}
			}
		case 1, 2:
			sum := float32(0)
			for _, p := range d.Probabilities {
				sum += p
			}
			if nan || len(d.Probabilities) != int(d.Legal) || sum < 0.999 || sum > 1.001 || len(d.Values) > 0 {
				t.Fatalf("player %d: %d probabilities sum to %v, %v for the action; values %v", d.Player, len(d.Probabilities), sum, d.Probability, d.Values)
			}
			of := 0
			for a := range d.Action {
				of += int(d.Mask[a/8] >> (a % 8) & 1)
			}
			if d.Player == 1 && (d.Probability != 1 || d.Probabilities[of] != slices.Max(d.Probabilities)) || d.Player == 2 && d.Probabilities[of] != d.Probability {
				t.Fatalf("player %d: probability %v, and %v in the list", d.Player, d.Probability, d.Probabilities[of])
			}
			if d.Player == 1 && slices.Max(d.Probabilities) < 0.9 {
				unsure++
			}
		case 3:
			worth += int(engine.Bit(len(d.Values) == int(d.Legal)))
			if d.Probability != 1 {
				t.Fatalf("the heuristic draws lots: %+v", d)
			}
		}
	}
	if valued == 0 || unsure == 0 || worth == 0 || len(met) < 4 {
		t.Errorf("%d decisions of a search had values, %d of the heuristic; the captain, who plays the likeliest action, was unsure of %d; players %v", valued, worth, unsure, met)
	}
}

// To be asked why changes no choice: the matches are those of a runner that does not ask.
func TestThatPlayersAreAskedWhyChangesNothing(t *testing.T) {
	c := config("doubloons(seats=2)", 2, 2, "search(rollouts=6)", "policy:captain")
	folder := t.TempDir()
	write(t, folder, c)
	rows := read(t, folder)
	runner, err := match.NewRunner(c.Game, 1, c.Players...)
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close()
	matches := make([]match.Match, c.Matches)
	for i := range matches {
		matches[i] = match.Rotated(c.Seed, i, 2, 2)
		matches[i].Record = new(engine.Transcript)
	}
	if _, err := runner.Play(t.Context(), matches); err != nil {
		t.Fatal(err)
	}
	for i := range matches {
		for k, step := range matches[i].Record.Steps {
			if d := rows[0]; runner.Info().ActionName(engine.Action(d.Action)) != step.Action || int(d.Match) != i || int(d.Step) != k {
				t.Fatalf("match %d, decision %d: %+v, want %+v", i, k, d, step)
			}
			rows = rows[1:]
		}
	}
}

func TestTheMetadataSayWhatWasPlayed(t *testing.T) {
	c := config("leduc", 5, 2, "random", "random")
	c.Players[1].Digest = "abc"
	folder := t.TempDir()
	w := write(t, folder, c)
	path := filepath.Join(folder, "part-00002-of-00003.parquet")
	h, err := ReadHead(path)
	if err != nil || !reflect.DeepEqual(h, w.Head) || h.Game != "leduc" || h.Seed != 7 || h.Matches != 5 || h.PartMatches != 2 || h.Version != "v1" {
		t.Errorf("%+v, want %+v, error %v", h, w.Head, err)
	}
	if want := []Player{{"random", ""}, {"random", "abc"}}; !slices.Equal(h.Players, want) {
		t.Errorf("players %v, want %v", h.Players, want)
	}
	data, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	info, _ := data.Stat()
	f, err := parquet.OpenFile(data, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	text, _ := f.Lookup(specKey)
	var spec encode.Spec
	if err := json.Unmarshal([]byte(text), &spec); err != nil || spec.Observation.Hash != h.Observation || len(spec.Observation.Groups) == 0 {
		t.Errorf("spec %.80s, error %v", text, err)
	}
}

func TestMistakesAreNamedAndNothingIsWritten(t *testing.T) {
	folder := t.TempDir()
	c := config("leduc", 8, 2, "random")
	write(t, folder, c)
	want := files(t, folder)
	for text, change := range map[string]func(*Config){
		"its seed is 7, not 8": func(c *Config) { c.Seed = 8 },
		`part-00001-of-00004.parquet is of another data set: its game is "leduc", not "kuhn"`: func(c *Config) { c.Game = "kuhn" },
		"its version is":         func(c *Config) { c.Version = "v2" },
		"its matches is 8":       func(c *Config) { c.Matches = 10 },
		"its players is":         func(c *Config) { c.Players = append(c.Players, c.Players[0]) },
		"want at least 1":        func(c *Config) { c.PartMatches = 0 },
		"no players":             func(c *Config) { c.Players = nil },
		"shard 5/5":              func(c *Config) { c.Part = durable.Part{Shard: 5, Shards: 5} },
		"unknown game":           func(c *Config) { c.Game = "chess" },
		"random moves: 1.5":      func(c *Config) { c.RandomMoves = 1.5 },
		"random moves: NaN":      func(c *Config) { c.RandomMoves = math.NaN() },
		"its random_moves is 0":  func(c *Config) { c.RandomMoves = 0.5 },
		"want a folder for each": func(c *Config) { c.Seed = 9 },
	} {
		c := c
		change(&c)
		if _, err := Write(t.Context(), folder, c); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("error %v, want one with %q", err, text)
		}
	}
	if !reflect.DeepEqual(files(t, folder), want) {
		t.Error("a mistake changed the files")
	}
	foreign := filepath.Join(folder, "other.parquet")
	if err := parquet.WriteFile(foreign, []struct{ A int }{{1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(t.Context(), folder, c); err == nil || !strings.Contains(err.Error(), foreign) {
		t.Errorf("a file of others: error %v", err)
	}
	if _, err := Write(t.Context(), filepath.Join(folder, "part-00001-of-00004.parquet", "x"), c); err == nil {
		t.Error("wrote into a file")
	}
	c.Players[0] = match.Named("parrot")
	if _, err := Write(t.Context(), t.TempDir(), c); err == nil || !strings.Contains(err.Error(), "parrot") {
		t.Errorf("a player that there is not: error %v", err)
	}
}

func TestAFolderMayHaveTheNameOfAPattern(t *testing.T) {
	for _, name := range []string{"d[1]", "d[x"} {
		folder := filepath.Join(t.TempDir(), name)
		c := config("kuhn", 10, 5, "random")
		write(t, folder, c)
		if s := opened(t, folder); s.Groups() != 2 {
			t.Errorf("%s: %d groups", name, s.Groups())
		}
		c.Seed = 8
		if w, err := Write(t.Context(), folder, c); err == nil || !strings.Contains(err.Error(), "its seed is 7, not 8") {
			t.Errorf("%s: another seed: %+v, error %v", name, w, err)
		}
	}
}

func TestATruncatedFileIsNamed(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, config("kuhn", 3, 3, "random"))
	path := filepath.Join(folder, "part-00001-of-00001.parquet")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(data); n += 1 + len(data)/97 {
		if err := os.WriteFile(path, data[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadHead(path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "damaged or cut short") {
			t.Fatalf("the first %d of %d bytes: error %v", n, len(data), err)
		}
	}
}

// broken is a player that cannot decide.
type broken struct{ bots.Bot }

func (broken) Act(engine.Match, *engine.Rand) engine.Action { return -1 }

func TestAPlayerThatFailsIsNamedWithTheMatch(t *testing.T) {
	c := config("kuhn", 20, 5, "random")
	c.Players = append(c.Players, match.Player{Name: "broken", Bot: func(g engine.Game) (bots.Bot, error) {
		b, err := bots.New("random", g)
		return broken{b}, err
	}})
	c.Workers = 3
	if _, err := Write(t.Context(), t.TempDir(), c); err == nil || !strings.Contains(err.Error(), "part-00001-of-00004.parquet: match 0") || !strings.Contains(err.Error(), "broken") {
		t.Errorf("error %v", err)
	}
}
