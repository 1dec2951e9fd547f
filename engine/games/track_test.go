package games_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

var (
	tracked  = flag.Int("tracked", 60, "decisions of each configuration that are followed from what a seat is told; `.ci/run honesty` takes 1600, which is 100,000 in all")
	thinking = flag.Int("thinking", 10, "at every n-th of them players must choose alike")
)

// feed records what a seat sees of a match, as a frontend would tell it.
type feed struct {
	seat  int
	log   *engine.Log
	heard int
	items []json.RawMessage
}

func (w *feed) tell(t *testing.T, v any) {
	item, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	w.items = append(w.items, item)
}

// chosen comes before an action, seen after it.
func (w *feed) chosen(t *testing.T, m engine.Match, a engine.Action) {
	if m.Seat() == w.seat || m.Sight(w.seat, a) == engine.Open {
		w.tell(t, map[string]any{"seat": m.Seat(), "action": m.Info().ActionName(a)})
	}
}

func (w *feed) seen(t *testing.T, m engine.Match) {
	if engine.Veiled(m, w.seat) {
		return
	}
	for _, e := range w.log.Since(w.heard) {
		if seen := engine.EventSeen(m, e, w.seat); seen != nil {
			w.tell(t, seen)
		}
	}
	w.heard = w.log.Count()
}

func TestAViewIsBuiltFromWhatASeatIsTold(t *testing.T) {
	for _, game := range digestGames() {
		game = strings.NewReplacer(",chance=explicit", "", "(chance=explicit,", "(").Replace(game)
		t.Run(game, func(t *testing.T) { follow(t, game, *tracked) })
	}
}

func follow(t *testing.T, game string, decisions int) {
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	e, err := encode.For(g)
	if err != nil {
		t.Fatal(err)
	}
	// A card that may be played at any time may have been played at one of several moments that look alike.
	alike, other := 0, 0
	if g.Info().Game == "jolly_roger" {
		alike = decisions / 1000
	}
	var players []bots.Bot
	for _, name := range append([]string{"heuristic"}, policy.Zoo(g)...) {
		if b, err := policy.NewBot(name, g); err == nil {
			players = append(players, b)
		} else if name != "heuristic" {
			t.Fatal(err)
		}
	}
	r, m := engine.NewRand(1), g.NewMatch()
	for seed := uint64(1); decisions > 0; seed++ {
		seat := int(seed) % g.Info().Seats
		w := &feed{seat: seat, log: engine.Listen(m)}
		w.heard = w.log.Count()
		m.Reset(seed)
		tracker, err := engine.NewTracker(game, seat)
		if err != nil {
			t.Fatal(err)
		}
		for w.seen(t, m); m.Seat() != engine.Over && decisions > 0; w.seen(t, m) {
			if m.Seat() == seat {
				decisions--
				guess, err := tracker.Asked(w.items...)
				if err != nil {
					t.Fatalf("seed %d, seat %d, %s: %v, of\n%s", seed, seat, m.Decision(), err, bytes.Join(raw(w.items), []byte("\n")))
				}
				w.items = nil
				d := differs(t, e, m, guess, seat)
				if d == "" && decisions%*thinking == 0 && m.Legal().Count() > 1 {
					d = chooses(players, m, guess)
				}
				if d != "" {
					if other++; other > alike {
						t.Fatalf("seed %d, seat %d, %s: other than it is: %s", seed, seat, m.Decision(), d)
					}
					break
				}
			}
			a := m.Legal().Sample(&r)
			w.chosen(t, m, a)
			if err := m.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A program that has kept a list of all that a seat saw tells it at once, and has the view too; a list of thousands of impossible events is refused
// as a short one is, not after minutes.
func TestAWholeMatchIsToldAtOnce(t *testing.T) {
	for _, game := range []string{"doubloons(seats=6)", "jolly_roger(seats=10)"} {
		g, err := engine.NewGame(game)
		if err != nil {
			t.Fatal(err)
		}
		e, err := encode.For(g)
		if err != nil {
			t.Fatal(err)
		}
		tracker, err := engine.NewTracker(game, 1)
		if err != nil {
			t.Fatal(err)
		}
		m, last, r := g.NewMatch(), g.NewMatch(), engine.NewRand(3)
		w := &feed{seat: 1, log: engine.Listen(m)}
		w.heard = w.log.Count()
		m.Reset(3)
		var told []json.RawMessage // before its last decision
		for w.seen(t, m); m.Seat() != engine.Over; w.seen(t, m) {
			if m.Seat() == w.seat {
				told = slices.Clone(w.items)
				last.CopyFrom(m)
			}
			a := m.Legal().Sample(&r)
			w.chosen(t, m, a)
			if err := m.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
		guess, err := tracker.Asked(told...)
		if err != nil {
			t.Fatalf("%s, %d items: %v", game, len(told), err)
		}
		if d := differs(t, e, last, guess, w.seat); d != "" {
			t.Errorf("%s, %d items: other than it is: %s", game, len(told), d)
		}
		if tracker, err = engine.NewTracker(game, 1); err != nil {
			t.Fatal(err)
		}
		if _, err := tracker.Asked(slices.Repeat([]json.RawMessage{json.RawMessage(`{"kind":"round","round":1}`)}, 20000)...); err == nil {
			t.Errorf("%s has 20,000 first rounds", game)
		}
	}
}

func raw(items []json.RawMessage) (all [][]byte) {
	for _, item := range items {
		all = append(all, item)
	}
	return all
}

// plain is a view without an order where an order means nothing: that of sightings in Jolly Roger, and of the numbers of their bags.
func plain(t *testing.T, view []byte) []byte {
	var all map[string]any
	if err := json.Unmarshal(view, &all); err != nil {
		t.Fatal(err)
	}
	text := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	bags := map[string]string{}
	sorted := func(name string, each func(one map[string]any)) {
		list, _ := all[name].([]any)
		for _, one := range list {
			each(one.(map[string]any))
		}
		slices.SortFunc(list, func(a, b any) int { return strings.Compare(text(a), text(b)) })
	}
	sorted("bags", func(bag map[string]any) {
		bags[text([]any{bag["seat"], bag["bag"]})] = text(bag["slots"])
		delete(bag, "bag")
	})
	sorted("sightings", func(sighting map[string]any) {
		var known []string
		for _, seat := range sighting["known_by"].([]any) {
			if slots, ok := bags[text([]any{seat, sighting["bag"]})]; ok {
				known = append(known, slots)
			}
		}
		sighting["bag"] = known
	})
	return []byte(text(all))
}

// differs says how what a seat may know of two matches differs, in both of which it decides; empty if it does not.
func differs(t *testing.T, e *encode.Encoder, m, guess engine.Match, seat int) string {
	is, _ := m.Position(seat)
	was, _ := guess.Position(seat)
	if is, was = plain(t, is), plain(t, was); !bytes.Equal(is, was) {
		changes, _ := engine.Changes(is, was)
		return fmt.Sprintf("the view: %+v", changes)
	}
	if *m.Legal() != *guess.Legal() {
		return "what is legal"
	}
	size := e.Schema().Size
	seen := make([]uint8, 2*size)
	e.Encode(m, seat, seen[:size])
	e.Encode(guess, seat, seen[size:])
	if !bytes.Equal(seen[:size], seen[size:]) {
		return "the observation"
	}
	if size = e.ActionSize() * m.Legal().Count(); size > 0 {
		rows := make([]uint8, 2*size)
		e.EncodeActions(m, rows[:size])
		e.EncodeActions(guess, rows[size:])
		if !bytes.Equal(rows[:size], rows[size:]) {
			return "the rows of actions"
		}
	}
	return ""
}

// chooses says how what players would do in two matches differs; empty if it does not.
func chooses(players []bots.Bot, m, guess engine.Match) string {
	for _, b := range players {
		var would [2][]float64
		for i, now := range []engine.Match{m, guess} {
			r := engine.NewRand(1)
			account := bots.Explain(b, now, &r)
			would[i] = append(account.Probabilities(b, now), float64(account.Choice))
		}
		if !slices.Equal(would[0], would[1]) {
			return fmt.Sprintf("what %T would do: %v, not %v", b, would[0], would[1])
		}
	}
	return ""
}

func TestWhatCannotHaveHappenedIsRefused(t *testing.T) {
	tell := func(game string, seat int, items ...string) (*engine.Tracker, error) {
		tracker, err := engine.NewTracker(game, seat)
		if err != nil {
			t.Fatal(err)
		}
		for i, item := range items {
			var told []json.RawMessage
			if err := json.Unmarshal([]byte("["+item+"]"), &told); err != nil {
				t.Fatal(err)
			}
			if _, err = tracker.Asked(told...); err != nil && i < len(items)-1 {
				t.Fatal(err)
			}
		}
		return tracker, err
	}
	const dealt = `{"kind":"dealt","seat":0,"card":"K"},{"kind":"dealt","seat":1}`
	const raise = `{"seat":0,"action":"raise"},{"kind":"raised","seat":0,"chips":2}`
	for name, test := range map[string]struct{ item, want string }{
		"an event of no kind":          {`{"kind":"sank","seat":0}`, "sank"},
		"no object":                    {`7`, "item 0: 7: want an object"},
		"a seat that is no number":     {`{"seat":"0","action":"raise"}`, "item 0: seat: string: want a number"},
		"a kind that is no text":       {`{"kind":7}`, "item 0: kind: number: want a text"},
		"neither choice nor event":     {`{"seat":0}`, "with \"seat\" and \"action\""},
		"a seat that is not there":     {`{"seat":2,"action":"raise"}`, "seat 2: want one from 0 to 1"},
		"an action that there is none": {`{"seat":0,"action":"sail"}`, "sail"},
		"a number of no action":        {`{"seat":0,"action":3}`, "from 0 to 2"},
		"another seat's turn":          {`{"seat":1,"action":"raise"}`, "seat 1"},
		"a card that one has not":      {raise + `,{"seat":1,"action":"call"},{"kind":"called","seat":1,"chips":2},{"kind":"turned_up","card":"A"}`, "turned_up"},
		"too little":                   {`{"seat":0,"action":"raise"}`, "it would bring {\"chips\":2"},
		"what one cannot have paid":    {`{"seat":0,"action":"raise"},{"kind":"raised","seat":0,"chips":3}`, "raised"},
	} {
		tracker, err := tell("leduc", 0, dealt, test.item)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v: want %q", name, err, test.want)
			continue
		}
		if _, err := tracker.Asked(); err != nil {
			t.Errorf("%s: the tracker is not as it was: %v", name, err)
		}
	}
	if _, err := engine.NewTracker("leduc", 2); err == nil || !strings.Contains(err.Error(), "from 0 to 1") {
		t.Errorf("seat 2 of leduc: error %v", err)
	}
}

func FuzzTracker(f *testing.F) {
	games := []string{"leduc", "kuhn(seats=3)", "doubloons(seats=2)", "jolly_roger(seats=3)", "liars_dice", "doubloons(seats=3,modules=steal_ship)", "jolly_roger(seats=4,variants=hidden_prizes,bribes=talk)"}
	for i, game := range games {
		f.Add(uint8(i), uint8(0), `{"kind":"dealt","seat":0,"card":"K"}`+"\n"+`{"seat":0,"action":0}`)
		f.Add(uint8(i), uint8(1), game)
	}
	f.Fuzz(func(t *testing.T, game, seat uint8, lines string) {
		tracker, err := engine.NewTracker(games[int(game)%len(games)], int(seat%2))
		if err != nil {
			t.Fatal(err)
		}
		var items []json.RawMessage
		for line := range strings.Lines(lines) {
			items = append(items, json.RawMessage(line))
		}
		before := bytes.Clone(tracker.Bytes())
		if m, err := tracker.Asked(items...); err != nil && !bytes.Equal(before, tracker.Bytes()) || err == nil && m == nil {
			t.Errorf("after %v the tracker is not as it was", err)
		}
	})
}
