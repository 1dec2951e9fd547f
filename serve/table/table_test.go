package table_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/kit/clauses"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/serve/page/replay"
	"github.com/privateer-rl/privateer/serve/table"
)

// desk is one whose seeds are 1, 2, …
func desk() *table.Desk { return deskOf(bots.New) }

func deskOf(bot func(name string, g engine.Game) (bots.Bot, error)) *table.Desk {
	seed := uint64(0)
	return table.NewDesk(table.House{Bot: bot}, func() uint64 { seed++; return seed })
}

// among is a table of people at which a match has been dealt.
func among(t *testing.T, game string, seed uint64) *table.Table {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	at, err := table.New(g, make([]table.Occupant, g.Info().Seats))
	if err != nil {
		t.Fatal(err)
	}
	at.Deal(seed)
	at.Friendly = true
	return at
}

// hearing is what a page with a seat is sent that is new, each time it is called.
func hearing(t *testing.T, at *table.Table, seat int) func() []string {
	t.Helper()
	var sent []string
	p := table.Page{Send: func(message any) error {
		b, err := json.Marshal(message)
		sent = append(sent, string(b))
		return err
	}}
	p.Take(at, seat)
	return func() []string {
		sent = nil
		if _, err := p.News(false); err != nil {
			t.Fatal(err)
		}
		return sent
	}
}

// take performs a seat's action, whatever its number.
func take(at *table.Table, seat int, a engine.Action) error { return at.Choose(seat, at.Next(seat), a) }

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
		if record.Version == "" || len(record.Players) != c.seats || record.Players[0].Name == "" || !strings.HasPrefix(saved.Text, `{"transcript":1,`) || !strings.HasSuffix(saved.Name, ".json") {
			t.Errorf("%s: saved as %s: %.200s", c.game, saved.Name, saved.Text)
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
	if v := open(t, again, "leduc", 2, 1, "random"); v.Game != "leduc" {
		t.Errorf("after that, a match of leduc is one of %s", v.Game)
	}
}

// A page reads the rules of the game of any game string, clause by clause, and proposes a trained policy before a bot that is written by hand.
func TestADeskTellsTheRulesAndProposesTheStrongest(t *testing.T) {
	d := table.NewDesk(table.House{Bot: bots.New, Policies: func(engine.Game) []string { return []string{"policy:good", "policy:other"} }}, func() uint64 { return 1 })
	var rules table.Rules
	var list table.Bots
	for request, to := range map[*table.Request]any{{Do: table.DoRules, Game: "leduc(forced=show)"}: &rules, {Do: table.DoBots, Game: "leduc"}: &list} {
		if err := json.Unmarshal([]byte(ask(t, d, request)[0]), to); err != nil {
			t.Fatal(err)
		}
	}
	if rules.Game != "leduc(forced=show)" || len(clauses.Named(clauses.Parse(rules.Text), "BET")) == 0 {
		t.Errorf("the rules are %+v", rules)
	}
	if list.Best != "policy:good" {
		t.Errorf("the bots are %+v", list)
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
		`{"do":"choose","action":1,"decision":7}`:                                                          "not the pending decision",
		`{"do":"undo","decision":1}`:                                                                       "no decision of yours",
		`{"do":"rules"}`:                                                                                   "game is missing",
		`{"do":"rules","game":"chess"}`:                                                                    "chess",
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
		one, other := among(t, c.game, 11), among(t, c.game, 11)
		r := engine.NewRand(5)
		differ := false
		for n := 0; !one.Over() && n < 150; n++ {
			for view := range c.seats {
				if n%10 != view%10 || one.Match().Seat() == engine.Over || engine.Veiled(one.Match(), view) {
					continue
				}
				// The same past, except for what the seat cannot know of now.
				other.Match().CopyFrom(one.Match())
				other.Match().Redeal(view, &r)
				a, b := hearing(t, one, view)(), hearing(t, other, view)()
				if !slices.Equal(a, b) {
					t.Fatalf("%s: after %d decisions seat %d is sent\n%s\nand, dealt anew,\n%s", c.game, n, view, a, b)
				}
				differ = differ || !slices.Equal(hearing(t, one, (view+1)%c.seats)(), hearing(t, other, (view+1)%c.seats)())
				other.Match().CopyFrom(one.Match())
			}
			a := bot.Act(one.Match(), &r)
			seat := one.Match().Seat()
			for _, at := range []*table.Table{one, other} {
				if err := take(at, seat, a); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !differ {
			t.Errorf("%s: nothing was ever dealt anew", c.game)
		}
	}
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

// sentOn is what a page is sent as a match of a secret continues among people.
func sentOn(t *testing.T, s *enginetest.Secret, match int) (all []string) {
	t.Helper()
	at := among(t, s.Games[match], s.Seed)
	hear := hearing(t, at, s.Seat)
	all = hear()
	for n, step := range s.Steps[match] {
		if err := take(at, step.Seat, step.Action); err != nil {
			t.Fatal(err)
		}
		sent := hear()
		if engine.Veiled(at.Match(), s.Seat) && len(sent) > 0 && step.Seat != s.Seat {
			t.Fatalf("%s: step %d, of which seat %d cannot see what comes, sends it %q", s.Games[match], n, s.Seat, sent)
		}
		all = append(all, sent...)
	}
	return all
}

// While others cannot see that a seat was asked, they do not see either that it has decided otherwise.
func TestADecisionThatNobodySeesIsTakenBackUnseen(t *testing.T) {
	taken := 0
	for _, s := range enginetest.Secrets(t, "jolly_roger(seats=10,bribes=gifts)", 20) {
		at := among(t, s.Games[0], s.Seed)
		hear := hearing(t, at, s.Seat)
		for _, step := range s.Steps[0] {
			hear()
			secret := engine.Veiled(at.Match(), s.Seat)
			if err := take(at, step.Seat, step.Action); err != nil {
				t.Fatal(err)
			}
			if !secret || !engine.Veiled(at.Match(), s.Seat) {
				continue
			}
			taken++
			heard := len(hear())
			if err := at.Undo(step.Seat, at.Next(step.Seat)); err != nil {
				t.Fatal(err)
			}
			heard += len(hear())
			if err := take(at, step.Seat, step.Action); err != nil || heard+len(hear()) > 0 {
				t.Fatalf("%s: seat %d takes a decision back in secret (%v), and seat %d is sent something", s.Games[0], step.Seat, err, s.Seat)
			}
		}
	}
	if taken == 0 {
		t.Error("nobody was asked in secret twice in a row")
	}
}

func TestEveryChoiceOfASettingMakesAGame(t *testing.T) {
	for _, game := range new(table.House).ListGames().Games {
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
		at := among(t, c.game, 5)
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
			again := slices.Contains(at.State().Moves, table.Move{Seat: seat, Action: a, Number: number - 1})
			if err := at.Choose(seat, number-1, a); (err == nil) != again || at.Next(seat) != number {
				t.Fatalf("%s: a decision under an old number, which stands: %t: %v", c.game, again, err)
			}
			if err := at.Choose(seat, number, a); err != nil {
				t.Fatal(err)
			}
			switch {
			case n%11 == 5:
				if s := at.Match().Seat(); s >= 0 { // is asked what is taken back now
					asked[s] = at.Next(s)
				}
				if err := at.Undo(seat, number); err != nil && !at.Over() {
					t.Fatal(err)
				}
				open = true
			case n%11 == 7:
				again := among(t, c.game, 1)
				if err := again.Restore(at.State()); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(again.State(), at.State()) || !again.Match().Equal(at.Match()) {
					t.Fatalf("%s: restored, the table is another", c.game)
				}
				at = again
			}
		}
	}
}

// thinker is a bot that says when it begins, and decides to call when it may.
type thinker struct{ began, may chan bool }

func (thinker) Name() string { return "thinker" }
func (b thinker) Act(_ engine.Match, r *engine.Rand) engine.Action {
	r.Uint64()
	b.began <- true
	<-b.may
	return 1
}

// What a bot has thought about is what it may decide: nothing that has come instead, even if it looks the same.
func TestABotsTurnIsOverWhenTheMatchIsAnother(t *testing.T) {
	g, err := engine.NewGame("leduc")
	if err != nil {
		t.Fatal(err)
	}
	bot := thinker{make(chan bool), make(chan bool)}
	at, err := table.New(g, []table.Occupant{{Name: table.Person}, {Name: "thinker", Bot: bot}})
	if err != nil {
		t.Fatal(err)
	}
	at.Deal(1)
	decided := make(chan error, 9)
	at.Friendly, at.Stop, at.Ask = true, context.WithCancel, func(ctx context.Context, _ bots.Bot, f func(context.Context) error) error {
		err := f(ctx)
		decided <- err
		return err
	}
	defer at.Attend()()
	turns := func(do ...func() error) {
		t.Helper()
		before := at.State()
		for _, f := range do {
			if err := f(); err != nil {
				t.Fatal(err)
			}
		}
		now := at.State()
		bot.may <- true
		if err := <-decided; err != nil || now.Draws != before.Draws || !reflect.DeepEqual(at.State(), now) {
			t.Errorf("an answer to what was taken back is performed: %v", err)
		}
	}
	choose := func() error { return take(at, 0, 1) }
	undo := func() error { return at.Undo(0, at.Next(0)) }
	if err := choose(); err != nil {
		t.Fatal(err)
	}
	<-bot.began
	turns(undo)
	if err := choose(); err != nil {
		t.Fatal(err)
	}
	<-bot.began
	turns(undo, choose) // the match looks the same again
	<-bot.began
	moves := len(at.State().Moves)
	bot.may <- true
	if err := <-decided; err != nil || len(at.State().Moves) != moves+1 || at.State().Draws != 1 {
		t.Errorf("what a bot decides in its turn is not performed: %v", err)
	}
}

// bomb is a bot that panics.
type bomb struct{}

func (bomb) Name() string                                 { return "bomb" }
func (bomb) Act(engine.Match, *engine.Rand) engine.Action { panic("it goes off") }

func TestABotThatPanicsIsARefusalAndNotTheEndOfThePage(t *testing.T) {
	d := deskOf(func(name string, g engine.Game) (bots.Bot, error) {
		if name == "bomb" {
			return bomb{}, nil
		}
		return bots.New(name, g)
	})
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
		t.Error("a match that cannot continue continues")
	}
}

// Messages on the wire, and what is kept, are formats: a page may be older than its server. -update writes them anew.
func TestMessagesAreAsTheyWere(t *testing.T) {
	d := desk()
	var said strings.Builder
	say := func(r table.Request) (v *table.View) {
		for _, answer := range ask(t, d, r) {
			if strings.HasPrefix(answer, `{"is":"view"`) {
				v = last[table.View](t, []string{answer}, "view")
			}
			answer = versions.ReplaceAllString(pictures.ReplaceAllString(answer, `"picture":"…"`), `\"version\":\"…\"`)
			fmt.Fprintf(&said, "%s: %s\n", r.Do, answer)
		}
		return v
	}
	say(table.Request{Do: table.DoSit})
	v := say(table.Request{Do: table.DoOpen, Game: "leduc", Seats: players(2, 0, "random"), Friendly: true})
	for n := 0; v.Turn == table.You; n++ {
		if n == 1 {
			say(table.Request{Do: table.DoThink, Bot: "random", Decision: v.Decision})
			v = say(table.Request{Do: table.DoUndo, Decision: v.Decision})
		}
		v = say(choose(v, 1))
	}
	say(table.Request{Do: table.DoSave})
	kept, err := d.Keep()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&said, "kept: %s\n", kept)
	const golden = "testdata/leduc.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(said.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if said.String() != string(want) {
		t.Errorf("said is\n%s\nand was\n%s", said.String(), want)
	}
}

var (
	update   = flag.Bool("update", false, "write the golden file anew")
	pictures = regexp.MustCompile(`"picture":"(\\"|[^"])*"`)
	versions = regexp.MustCompile(`\\"version\\":\\"[^"\\]*\\"`)
)
