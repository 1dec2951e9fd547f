package table_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
	"github.com/privateer-rl/privateer/engine/enginetest"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/serve/page/replay"
	"github.com/privateer-rl/privateer/serve/page/table"
)

// desk is one whose seeds are 1, 2, …
func desk() *table.Desk {
	seed := uint64(0)
	return &table.Desk{House: table.House{Bot: bots.New}, Seed: func() uint64 { seed++; return seed }}
}

// ask sends a request and returns the answers as JSON, as a page gets them.
func ask(t *testing.T, d *table.Desk, request any) []string {
	t.Helper()
	data, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	d.Do(data, func(message any) {
		b, err := json.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(b))
	})
	return got
}

// last is the last answer, which must be of a kind.
func last[M any](t *testing.T, got []string, is string) *M {
	t.Helper()
	if len(got) == 0 || !strings.HasPrefix(got[len(got)-1], fmt.Sprintf(`{"is":%q`, is)) {
		t.Fatalf("answers are %.300q; want one that is %q at the end", got, is)
	}
	m := new(M)
	if err := json.Unmarshal([]byte(got[len(got)-1]), m); err != nil {
		t.Fatal(err)
	}
	return m
}

// players are a person in one seat and bots in the others.
func players(seats, person int, bot string) []string {
	all := slices.Repeat([]string{bot}, seats)
	all[person] = table.Person
	return all
}

// open begins a match on a desk.
func open(t *testing.T, d *table.Desk, game string, seats, person int, bot string) *table.View {
	t.Helper()
	return last[table.View](t, ask(t, d, table.Request{Do: table.DoOpen, Game: game, Seats: players(seats, person, bot), Friendly: true}), "view")
}

func choose(v *table.View, action int) table.Request {
	return table.Request{Do: table.DoChoose, Action: action, Decision: v.Decision}
}

var configurations = []struct {
	game  string
	seats int
	bot   string
}{
	{"kuhn(seats=3)", 3, "random"}, {"leduc", 2, "random"}, {"doubloons(seats=2)", 2, "random"}, {"doubloons(seats=6)", 6, "random"},
	{"jolly_roger(seats=3)", 3, "random"}, {"jolly_roger(seats=10,bribes=gifts)", 10, "random"},
}

func TestAMatchIsPlayedByMessagesAndItsTranscriptReplays(t *testing.T) {
	for _, c := range configurations {
		d := desk()
		v := open(t, d, c.game, c.seats, c.seats-1, c.bot)
		lines := v.Log
		for n := 0; v.Turn == table.You; n++ {
			v = last[table.View](t, ask(t, d, choose(v, v.Actions[n%len(v.Actions)].Action)), "view")
			lines = append(lines[:v.Told:v.Told], v.Log...)
		}
		if v.Turn != table.Done || v.End == nil || len(v.End.Returns) != c.seats {
			t.Fatalf("%s: after the last choice: %+v", c.game, v)
		}
		if all := last[table.View](t, ask(t, d, table.Request{Do: table.DoLook}), "view").Log; !slices.Equal(all, lines) {
			t.Errorf("%s: the log is %d lines; told were %d", c.game, len(all), len(lines))
		}
		saved := last[table.Saved](t, ask(t, d, table.Request{Do: table.DoSave}), "saved")
		record, err := engine.ReadTranscript(strings.NewReader(saved.Text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := record.Replay(nil); err != nil {
			t.Errorf("%s: %v", c.game, err)
		}
		if len(record.Steps) < 50 { // longer ones take long to draw
			last[table.Replay](t, ask(t, d, table.Request{Do: table.DoReplay, Text: saved.Text, View: "0"}), "replay")
		}
	}
}

// A view costs what it costs to draw it, and is not drawn for nobody.
func TestAReplayHasTheViewThatWasAskedForAndNoOther(t *testing.T) {
	const text = "privateer transcript 1\ngame: leduc\nseed: 1\n0 call\nend: unfinished\n"
	for view, want := range map[string]int{"full": 0, "0": 1, "1": 2} {
		got, err := table.NewReplay(t.Context(), text, view)
		if err != nil {
			t.Fatal(err)
		}
		views := got.Match.(*replay.Match).Views
		if len(views) != 3 {
			t.Fatalf("%d views; want one of everything and one of each seat", len(views))
		}
		for i, v := range views {
			if (v.Frames != nil) != (i == want) {
				t.Errorf("asked for %s: %q has %d pictures", view, v.Name, len(v.Frames))
			}
		}
	}
	late, cancel := context.WithCancelCause(t.Context())
	why := errors.New("nobody waits")
	cancel(why)
	for _, view := range []string{"full", "0"} {
		if _, err := table.NewReplay(late, text, view); !errors.Is(err, why) {
			t.Errorf("drawn for nobody: %v", err)
		}
	}
}

func TestALastDecisionIsTakenBack(t *testing.T) {
	d := desk()
	v := open(t, d, "doubloons(seats=3)", 3, 1, "random")
	for range 5 {
		before := v
		v = last[table.View](t, ask(t, d, choose(v, v.Actions[0].Action)), "view")
		v = last[table.View](t, ask(t, d, table.Request{Do: table.DoUndo, Decision: v.Decision}), "view")
		if v.Decision <= before.Decision || v.Picture != before.Picture || !slices.Equal(v.Actions, before.Actions) || v.Told != 0 {
			t.Fatalf("taken back, decision %d is asked as %d, and is another", before.Decision, v.Decision)
		}
		v = last[table.View](t, ask(t, d, choose(v, v.Actions[len(v.Actions)-1].Action)), "view")
	}
	strict := desk()
	ask(t, strict, table.Request{Do: table.DoOpen, Game: "leduc", Seats: players(2, 0, "random")})
	if why := last[table.Refusal](t, ask(t, strict, table.Request{Do: table.DoUndo, Decision: 1}), "refusal"); !strings.Contains(why.Why, "not friendly") {
		t.Errorf("a strict match: %s", why.Why)
	}
}

func TestADeskGoesOnWithAMatchThatWasKept(t *testing.T) {
	d := desk()
	v := open(t, d, "jolly_roger(seats=4)", 4, 2, "heuristic")
	for range 12 {
		v = last[table.View](t, ask(t, d, choose(v, v.Actions[0].Action)), "view")
	}
	data, err := d.Keep()
	if err != nil {
		t.Fatal(err)
	}
	again := desk()
	if err := again.Resume(data); err != nil {
		t.Fatal(err)
	}
	one, other := ask(t, d, table.Request{Do: table.DoSit}), ask(t, again, table.Request{Do: table.DoSit})
	if !slices.Equal(one, other) {
		t.Error("a match that was kept looks otherwise")
	}
	for n := 0; n < len(data); n += 29 {
		damaged := slices.Clone(data)
		damaged[n] ^= 4
		_ = again.Resume(damaged) // it may be another match, but not the end of the page
		if ask(t, again, table.Request{Do: table.DoLook}) == nil {
			t.Fatal("a damaged match leaves none")
		}
	}
}

func TestARefusalChangesNothingAndSaysWhy(t *testing.T) {
	d := desk()
	v := open(t, d, "leduc", 2, 0, "random")
	before := ask(t, d, table.Request{Do: table.DoLook})
	for message, why := range map[string]string{
		``:                         "no message",
		`hello`:                    "no message",
		`[]`:                       "no message",
		`{"do":"choose"} {}`:       "text after it",
		`{"do":"dance"}`:           "dance",
		`{"do":"look","seed":1}`:   "no message",
		`{"do":"look","eyes":"1"}`: "eyes",
		`{"do":"choose","action":-1,"decision":1}`:                                                         "action",
		fmt.Sprintf(`{"do":"choose","action":99,"decision":%d}`, v.Decision):                               "illegal",
		`{"do":"choose","action":1,"decision":7}`:                                                          "not what is asked",
		`{"do":"undo","decision":1}`:                                                                       "no decision of yours",
		`{"do":"save"}`:                                                                                    "under way",
		`{"do":"think","bot":"nobody"}`:                                                                    "nobody",
		`{"do":"open","game":"chess","seats":["person"]}`:                                                  "chess",
		`{"do":"open","game":"leduc","seats":["person"]}`:                                                  "1 players",
		`{"do":"open","game":"leduc","seats":["random","random"]}`:                                         "no seat is a person's",
		`{"do":"open","game":"leduc","seats":["person","person"]}`:                                         "only one person",
		`{"do":"open","game":"leduc(chance=explicit)","seats":["person","random"]}`:                        "chance=explicit",
		`{"do":"open","game":"doubloons(components=/etc/passwd)","seats":["person"]}`:                      "names a file",
		`{"do":"open","game":"leduc","seats":["person","random"],"seed":"x"}`:                              "seed",
		`{"do":"replay","text":"privateer transcript 9"}`:                                                  "use the release that wrote it",
		`{"do":"replay","text":"privateer transcript 1\ngame: chess\nseed: 1\nend: unfinished\n"}`:         "chess",
		`{"do":"replay","text":"privateer transcript 1\ngame: leduc\nseed: 1\n0 jump\nend: unfinished\n"}`: "jump",
	} {
		var got []any
		d.Do([]byte(message), func(m any) { got = append(got, m) })
		if len(got) != 1 {
			t.Errorf("%s: %d answers", message, len(got))
			continue
		}
		if r, ok := got[0].(*table.Refusal); !ok || !strings.Contains(r.Why, why) {
			t.Errorf("%s: %+v; want a refusal that says %q", message, got[0], why)
		}
		if !slices.Equal(ask(t, d, table.Request{Do: table.DoLook}), before) {
			t.Fatalf("%s: the match has changed", message)
		}
	}
}

// What a seat is sent is the same whatever it cannot know.
func TestNoMessageDependsOnWhatItsSeatMayNotKnow(t *testing.T) {
	for _, c := range append(configurations, struct {
		game  string
		seats int
		bot   string
	}{"jolly_roger(seats=5,bribes=talk,variants=hidden_prizes)", 5, "random"}) {
		g, err := engine.NewGame(c.game)
		if err != nil {
			t.Fatal(err)
		}
		bot, err := bots.New(c.bot, g)
		if err != nil {
			t.Fatal(err)
		}
		people := make([]table.Player, c.seats)
		one, err := table.New(g, people)
		if err != nil {
			t.Fatal(err)
		}
		other, err := table.New(g, people)
		if err != nil {
			t.Fatal(err)
		}
		one.Deal(11)
		other.Deal(11)
		r := engine.NewRand(5)
		differ := false
		for n := 0; !one.Over() && n < 150; n++ {
			for view := range c.seats {
				if n%10 != view%10 || one.Match().Seat() == engine.Over || engine.Veiled(one.Match(), view) {
					continue
				}
				// The same past, but for what the seat cannot know of now.
				other.Match().CopyFrom(one.Match())
				other.Match().Redeal(view, &r)
				a, b := sent(t, one, view), sent(t, other, view)
				if a != b {
					t.Fatalf("%s: after %d decisions seat %d is sent\n%s\nand, dealt anew,\n%s", c.game, n, view, a, b)
				}
				differ = differ || sent(t, one, (view+1)%c.seats) != sent(t, other, (view+1)%c.seats)
				other.Match().CopyFrom(one.Match())
			}
			a := bot.Act(one.Match(), &r)
			seat := one.Match().Seat()
			for _, at := range []*table.Table{one, other} {
				if err := at.Take(seat, a); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !differ {
			t.Errorf("%s: nothing was ever dealt anew", c.game)
		}
	}
}

// sent is what a page at a seat is sent that has been told nothing.
func sent(t *testing.T, at *table.Table, view int) string {
	t.Helper()
	v, err := at.Watch(view).View(true, true)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// secretGames are games in which many are asked in secret.
var secretGames = []string{
	"jolly_roger(seats=3)", "jolly_roger(seats=6,variants=hidden_prizes)", "jolly_roger(seats=10,bribes=gifts)",
}

// A page is sent the same whether others are asked in secret or not, and hears nothing of it when they are.
func TestWhatNobodySeesSendsNothing(t *testing.T) {
	for _, game := range secretGames {
		for _, s := range enginetest.Secrets(t, game, 12) {
			s.Alike(t, [2][]string{sentOn(t, s, 0), sentOn(t, s, 1)})
		}
	}
}

// sentOn is what a page is sent as a match of a secret goes on among people.
func sentOn(t *testing.T, s *enginetest.Secret, match int) (all []string) {
	t.Helper()
	g, err := engine.NewGame(s.Games[match])
	if err != nil {
		t.Fatal(err)
	}
	at, err := table.New(g, make([]table.Player, g.Info().Seats))
	if err != nil {
		t.Fatal(err)
	}
	at.Deal(s.Seed)
	w := at.Watch(s.Seat)
	// hear adds what is new.
	hear := func() (messages int) {
		for ; ; messages++ {
			v, err := w.View(true, false)
			if err != nil {
				t.Fatal(err)
			}
			if v == nil {
				return messages
			}
			b, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(b))
		}
	}
	hear()
	for n, step := range s.Steps[match] {
		if err := at.Take(step.Seat, step.Action); err != nil {
			t.Fatal(err)
		}
		if messages := hear(); engine.Veiled(at.Match(), s.Seat) && messages > 0 && step.Seat != s.Seat {
			t.Fatalf("%s: step %d, of which seat %d cannot see what comes, sends it %d messages", s.Games[match], n, s.Seat, messages)
		}
	}
	return all
}

// While others cannot see that a seat was asked, they do not see either that it has decided otherwise.
func TestADecisionThatNobodySeesIsTakenBackUnseen(t *testing.T) {
	taken := 0
	for _, s := range enginetest.Secrets(t, "jolly_roger(seats=10,bribes=gifts)", 20) {
		g, err := engine.NewGame(s.Games[0])
		if err != nil {
			t.Fatal(err)
		}
		at, err := table.New(g, make([]table.Player, g.Info().Seats))
		if err != nil {
			t.Fatal(err)
		}
		at.Deal(s.Seed)
		w := at.Watch(s.Seat)
		hear := func() (n int) {
			for v, err := w.View(true, false); v != nil || err != nil; v, err = w.View(true, false) {
				if n++; err != nil {
					t.Fatal(err)
				}
			}
			return n
		}
		for _, step := range s.Steps[0] {
			hear()
			secret := engine.Veiled(at.Match(), s.Seat)
			if err := at.Take(step.Seat, step.Action); err != nil {
				t.Fatal(err)
			}
			if !secret || !engine.Veiled(at.Match(), s.Seat) {
				continue
			}
			taken++
			heard := hear()
			at.Undo(step.Seat)
			heard += hear()
			if err := at.Take(step.Seat, step.Action); err != nil || heard+hear() > 0 {
				t.Fatalf("%s: seat %d takes a decision back in secret (%v), and seat %d is sent something", s.Games[0], step.Seat, err, s.Seat)
			}
		}
	}
	if taken == 0 {
		t.Error("nobody was asked in secret twice in a row")
	}
}

func TestEveryChoiceOfASettingMakesAGame(t *testing.T) {
	for _, game := range table.ListGames().Games {
		for _, s := range game.Settings {
			for _, choice := range s.Choices {
				if _, err := engine.NewGame(fmt.Sprintf("%s(%s=%s)", game.Name, s.Name, choice)); err != nil {
					t.Error(err)
				}
			}
			if len(s.Choices) > 0 && !slices.Contains(s.Choices, s.Default) {
				t.Errorf("%s: the default of %s is none of its choices", game.Name, s.Name)
			}
		}
	}
}

func FuzzARequestIsReadOrRefused(f *testing.F) {
	f.Add([]byte(`{"do":"choose","action":3,"decision":2}`))
	f.Add([]byte(`{"do":"open","game":"leduc","seats":["person","random"],"friendly":true,"seed":"18446744073709551615"}`))
	f.Add([]byte(`{"do":"replay","text":"privateer transcript 1\ngame: leduc\nseed: 1\n0 call\nend: unfinished\n","view":"0"}`))
	f.Add([]byte("{\"do\":\"look\"}\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := table.Parse(data)
		if err != nil {
			return
		}
		if r.Do == table.DoOpen || r.Do == table.DoReplay || r.Do == table.DoThink || r.Do == table.DoBots {
			return // what they ask for may be long work
		}
		d := desk()
		d.Do([]byte(`{"do":"open","game":"leduc","seats":["person","random"]}`), func(any) {})
		answers := 0
		d.Do(data, func(m any) {
			answers++
			if _, err := json.Marshal(m); err != nil {
				t.Fatal(err)
			}
		})
		if answers == 0 {
			t.Fatalf("%q: no answer", data)
		}
	})
}

// Numbers only grow, also over a restart: no answer to what was taken back is one to what is asked.
func TestNumbersOfDecisionsOnlyGrow(t *testing.T) {
	for _, c := range configurations {
		g, err := engine.NewGame(c.game)
		if err != nil {
			t.Fatal(err)
		}
		at, err := table.New(g, make([]table.Player, c.seats))
		if err != nil {
			t.Fatal(err)
		}
		at.Deal(5)
		r := engine.NewRand(2)
		asked := make([]int, c.seats) // the highest number that each seat was asked under
		open := false                 // a seat is asked again after something was taken back
		for n := 0; !at.Over() && n < 200; n++ {
			seat := at.Match().Seat()
			number := at.Next(seat)
			if number < asked[seat] || open && number == asked[seat] {
				t.Fatalf("%s: seat %d is asked under %d, and was under %d", c.game, seat, number, asked[seat])
			}
			open = false
			asked[seat] = number
			a := at.Match().Legal().Sample(&r)
			if err := at.Choose(seat, number-1, a); number > 1 && n%7 == 1 && err != nil {
				if did, stands := at.Decided(seat, number-1); stands && did == a {
					t.Errorf("%s: a decision that stands, sent again: %v", c.game, err)
				}
			}
			if at.Next(seat) != number {
				t.Fatalf("%s: a decision under an old number is performed", c.game)
			}
			if err := at.Choose(seat, number, a); err != nil {
				t.Fatal(err)
			}
			if did, stands := at.Decided(seat, number); !stands || did != a {
				t.Fatalf("%s: decision %d of seat %d does not stand", c.game, number, seat)
			}
			switch {
			case n%11 == 5:
				if s := at.Match().Seat(); s >= 0 { // is asked what is taken back now
					asked[s] = at.Next(s)
				}
				if !at.Undo(seat) {
					t.Fatalf("%s: nothing is taken back", c.game)
				}
				if _, stands := at.Decided(seat, number); stands {
					t.Fatalf("%s: decision %d stands, though it was taken back", c.game, number)
				}
				open = true
			case n%11 == 7:
				again, err := table.New(g, make([]table.Player, c.seats))
				if err != nil {
					t.Fatal(err)
				}
				if err := again.Restore(at.Seed(), slices.Clone(at.Taken()), at.Numbers(), at.Draws()); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(again.Numbers(), at.Numbers()) || !slices.Equal(again.Taken(), at.Taken()) || !again.Match().Equal(at.Match()) {
					t.Fatalf("%s: restored, the table is another", c.game)
				}
				at = again
			}
		}
	}
}

// What a bot has thought about is what it may decide: once, and nothing that has come instead.
func TestABotsTurnIsOverWhenTheMatchIsAnother(t *testing.T) {
	g, err := engine.NewGame("leduc")
	if err != nil {
		t.Fatal(err)
	}
	bot, err := bots.New("random", g)
	if err != nil {
		t.Fatal(err)
	}
	at, err := table.New(g, []table.Player{{Name: table.Person}, {Name: "random", Bot: bot}})
	if err != nil {
		t.Fatal(err)
	}
	at.Deal(1)
	call := engine.Action(1)
	if at.Turn() != nil {
		t.Error("a bot has a person's turn")
	}
	if err := at.Take(0, call); err != nil {
		t.Fatal(err)
	}
	turn := at.Turn()
	turn.Draw.Uint64()
	at.Undo(0)
	before, draws := slices.Clone(at.Match().Bytes()), at.Draws()
	late := func(when string) {
		t.Helper()
		if done, err := at.Perform(turn, call); done || err != nil || at.Draws() != draws || !slices.Equal(at.Match().Bytes(), before) {
			t.Errorf("%s an answer to what was taken back is performed: %v", when, err)
		}
	}
	late("at once")
	if err := at.Take(0, call); err != nil {
		t.Fatal(err)
	}
	before = slices.Clone(at.Match().Bytes())
	late("when the match looks the same again")
	turn = at.Turn()
	turn.Draw.Uint64()
	if done, err := at.Perform(turn, call); !done || err != nil || at.Draws() != draws+1 {
		t.Errorf("what a bot decides in its turn is not performed: %v", err)
	}
	before, draws = slices.Clone(at.Match().Bytes()), at.Draws()
	late("a second time")
}

// bomb is a bot that panics.
type bomb struct{}

func (bomb) Name() string                                 { return "bomb" }
func (bomb) Act(engine.Match, *engine.Rand) engine.Action { panic("it goes off") }

func TestABotThatPanicsIsARefusalAndNotTheEndOfThePage(t *testing.T) {
	d := desk()
	d.Bot = func(name string, g engine.Game) (bots.Bot, error) {
		if name == "bomb" {
			return bomb{}, nil
		}
		return bots.New(name, g)
	}
	v := open(t, d, "leduc", 2, 0, "random")
	data, err := d.Keep()
	if err != nil {
		t.Fatal(err)
	}
	if why := last[table.Refusal](t, ask(t, d, table.Request{Do: table.DoThink, Bot: "bomb", Decision: v.Decision}), "refusal"); !strings.Contains(why.Why, "it goes off") {
		t.Errorf("an adviser: %s", why.Why)
	}
	last[table.View](t, ask(t, d, table.Request{Do: table.DoLook}), "view")
	if why := last[table.Refusal](t, ask(t, d, table.Request{Do: table.DoOpen, Game: "leduc", Seats: players(2, 1, "bomb")}), "refusal"); !strings.Contains(why.Why, "it goes off") {
		t.Errorf("an opponent: %s", why.Why)
	}
	if err := d.Resume([]byte(strings.ReplaceAll(string(data), `"person","random"`, `"bomb","person"`))); err == nil {
		t.Error("a match that cannot go on goes on")
	}
}
