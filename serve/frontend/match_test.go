package frontend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/engine/prompt"
)

// read is an answer as the type that it was made of.
func read[T any](t *testing.T, answer []byte) (a T) {
	t.Helper()
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatalf("%v: %.300s", err, answer)
	}
	return a
}

// table is a match that is played at random by the engine and by questions.
func table(t *testing.T, name string, each func(m engine.Match, before matchAnswer, since []engine.Action)) {
	t.Helper()
	g, err := engine.NewGameWith(name, "chance", "explicit")
	if err != nil {
		t.Fatal(err)
	}
	tell := teller(t)
	m, r := g.NewMatch(), engine.NewRand(3)
	m.Reset(5)
	now := read[matchAnswer](t, tell(entries{"op": "match", "game": name, "seed": 5}))
	for decisions := 0; decisions < 150 && m.Seat() != engine.Over; decisions++ {
		var since []engine.Action
		for k := 0; k <= r.Intn(3) && m.Seat() != engine.Over; k++ {
			var a engine.Action
			if outcomes := m.Outcomes(nil); len(outcomes) > 0 {
				a = engine.PickOutcome(outcomes, &r)
			} else {
				a = m.Legal().Sample(&r)
			}
			if err := m.Apply(a); err != nil {
				t.Fatal(err)
			}
			since = append(since, a)
		}
		before := now
		now = read[matchAnswer](t, tell(entries{"op": "match", "game": name, "state": before.State, "actions": since}))
		each(m, before, since)
	}
}

// Every answer about a match is what the engine and the encoder say.
func TestAMatchIsToldAsItIs(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc", "liars_dice(seats=3)", "doubloons(seats=3,advice=foresight)", "jolly_roger(seats=4)"} {
		t.Run(name, func(t *testing.T) {
			tell := teller(t)
			var e *encode.Encoder
			var eyes []*engine.Witness
			events, moments := 0, 0
			table(t, name, func(m engine.Match, before matchAnswer, since []engine.Action) {
				info, r := m.Info(), engine.NewRand(uint64(len(since)))
				if e == nil {
					g, err := engine.NewGame(info.Config)
					if err != nil {
						t.Fatal(err)
					}
					if e, err = encode.For(g); err != nil {
						t.Fatal(err)
					}
					for view := engine.Full; view < info.Seats; view++ {
						eyes = append(eyes, engine.NewWitness(g, view))
					}
				}
				view := r.Intn(info.Seats+1) - 1
				a := read[matchAnswer](t, tell(entries{
					"op": "match", "game": name, "state": before.State, "actions": since, "view": view, "with": slices.Concat(ofMatch, seen),
				}))
				moments++
				check := func(what string, got, want any) {
					t.Helper()
					if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
						t.Fatalf("%s of %s to view %d: %.300s: want %.300s", what, m.Decision(), view, g, w)
					}
				}
				check("seat", a.Seat, m.Seat())
				check("decision", a.Decision, m.Decision())
				var legal []engine.Action
				var names, words []string
				for _, c := range prompt.Choices(m) {
					legal, names, words = append(legal, c.Action), append(names, c.Name), append(words, c.Words)
				}
				for _, o := range m.Outcomes(nil) {
					legal, names = append(legal, o.Action), append(names, info.ActionName(o.Action))
				}
				check("legal", a.Legal, legal)
				check("names", a.Names, names)
				check("words", a.Words, words)
				mask := make([]byte, len(info.Actions))
				m.Legal().Expand(mask)
				check("mask", a.Mask, mask)
				rows := make([]byte, m.Legal().Count()*e.ActionSize())
				e.EncodeActions(m, rows)
				check("rows", a.Rows, rows)
				veiled := []int{}
				for seat := range info.Seats {
					if engine.Veiled(m, seat) {
						veiled = append(veiled, seat)
					}
				}
				check("veiled", a.Veiled, veiled)

				// As the view sees it: by a witness of the same actions.
				g, err := open(name)
				if err != nil {
					t.Fatal(err)
				}
				own, eye := g.NewMatch(), eyes[view+1]
				state, _ := g.unseal(before.State)
				if err := own.SetBytes(state); err != nil {
					t.Fatal(err)
				}
				eye.Begin(own)
				happened, log := []any{}, []string{}
				for _, x := range since {
					eye.Chosen(own, x)
					if err := own.Apply(x); err != nil {
						t.Fatal(err)
					}
					if now, sees := eye.See(own); sees {
						happened = append(happened, now.Events...)
						if now.Line != "" {
							log = append(log, now.Line)
						}
					}
				}
				last := eye.Seen(own)
				check("log", *a.Log, log)
				check("events", string(mustJSON(t, a.Events)), string(mustJSON(t, read[any](t, mustJSON(t, happened)))))
				events += len(happened)
				row := make([]byte, e.FullSchema().Size)
				if view == engine.Full {
					e.EncodeFull(last, max(0, last.Seat()), row)
				} else {
					row = row[:e.Schema().Size]
					e.Encode(last, view, row)
				}
				check("observation", a.Observation, row)
				check("render", a.Render, last.Render(view))
				picture, err := engine.Picture(last, view)
				if err != nil {
					t.Fatal(err)
				}
				check("svg", a.SVG, picture)
				position, err := last.Position(view)
				if err != nil {
					t.Fatal(err)
				}
				if differ, err := engine.Changes(position, a.Position); err != nil || len(differ) > 0 {
					t.Fatalf("position: %v %v", differ, err)
				}
			})
			if moments < 2 || events == 0 {
				t.Errorf("%d moments with %d events: nothing was compared", moments, events)
			}
		})
	}
}

// A player thinks about a state and about the position of it as it does about the match, and the same by the same seed.
func TestAPlayerThinksOfAStateAsOfTheMatch(t *testing.T) {
	for name, players := range map[string][]string{
		"doubloons(seats=4)":   {"captain", "policy:captain", "heuristic", "search(rollouts=20)", "random"},
		"jolly_roger(seats=3)": {"pirate", "heuristic", "rule"},
		"leduc":                {"random", "search(rollouts=20)"},
	} {
		tell := teller(t)
		g, err := engine.NewGameWith(name, "chance", "explicit")
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		table(t, name, func(m engine.Match, before matchAnswer, since []engine.Action) {
			if m.Seat() < 0 || compared > 40 {
				return
			}
			compared++
			player := players[compared%len(players)]
			of := player
			if player == "captain" || player == "pirate" {
				of = policy.Prefix + player
			}
			b, err := policy.NewBot(of, g)
			if err != nil {
				t.Fatal(err)
			}
			r := engine.NewRand(7).At(1)
			want := bots.Explain(b, m, &r)
			q := entries{"op": "think", "game": name, "state": before.State, "actions": since, "player": player, "seed": 7, "with": []string{"account"}}
			a := read[thinkAnswer](t, tell(q))
			if a.Action != want.Choice || a.Name != m.Info().ActionName(want.Choice) || len(a.Legal) != m.Legal().Count() {
				t.Fatalf("%s: %s takes %s: want %s", m.Decision(), player, a.Name, m.Info().ActionName(want.Choice))
			}
			sum := 0.0
			for i, p := range a.Probabilities {
				if sum += p; len(want.Actions) > 0 && p != want.Actions[i].Prob {
					t.Fatalf("%s: %s takes action %d with %v: want %v", m.Decision(), player, a.Legal[i], p, want.Actions[i].Prob)
				}
			}
			if math.Abs(sum-1) > 1e-6 || a.Probabilities[slices.Index(a.Legal, a.Action)] == 0 {
				t.Fatalf("%s: the probabilities of %s are %v", m.Decision(), player, a.Probabilities)
			}
			if len(a.Value) != len(want.Value) || a.Account.Bot != of || a.Account.Choice != a.Name {
				t.Fatalf("%s: %s accounts for it by %+v", m.Decision(), player, a)
			}
			position, err := m.Position(engine.Full)
			if err != nil {
				t.Fatal(err)
			}
			delete(q, "state")
			delete(q, "actions")
			q["position"] = json.RawMessage(position)
			if again := read[thinkAnswer](t, tell(q)); fmt.Sprint(again.Action, again.Probabilities) != fmt.Sprint(a.Action, a.Probabilities) {
				t.Fatalf("%s: %s takes %s at the position: want %s", m.Decision(), player, again.Name, a.Name)
			}
		})
		if compared < 2 {
			t.Errorf("%s: %d decisions", name, compared)
		}
	}
}

// What a position leaves open is dealt, and its game may stand in it.
func TestPartialPositionsAreDealt(t *testing.T) {
	tell := teller(t)
	a := read[matchAnswer](t, tell(entries{"op": "match", "position": entries{"game": "doubloons(seats=4)", "round": 3, "ships": []entries{{"hull": 7}}}, "view": -1, "with": []string{"position", "names"}}))
	p := read[struct{ Round int }](t, a.Position)
	if p.Round != 3 || a.Seat < 0 || len(a.Names) != len(a.Legal) {
		t.Errorf("round %d, seat %d, %d names of %d", p.Round, a.Seat, len(a.Names), len(a.Legal))
	}
	b := read[thinkAnswer](t, tell(entries{"op": "think", "position": entries{"game": "doubloons(seats=4)", "round": 3}, "player": "captain"}))
	if len(b.Value) != 4 || b.Unit != "return" {
		t.Errorf("%+v", b)
	}
}

func TestTheGameSaysWhatAProgramNeedsToKnow(t *testing.T) {
	tell := teller(t)
	for _, name := range []string{"kuhn", "leduc", "liars_dice(seats=3)", "doubloons(seats=6)", "jolly_roger(seats=10)"} {
		a := read[gameAnswer](t, tell(entries{"op": "game", "game": name, "with": []string{"spec"}}))
		if a.Protocol != Protocol || a.Observation != a.Spec.Observation.Size || len(a.Scales) != a.Observation || !slices.Contains(a.Players, "random") {
			t.Errorf("%s: %+v", name, a)
		}
		if row := a.Spec.ActionRow; (row == nil) != (a.Row == 0) || row != nil && row.Size != a.Row {
			t.Errorf("%s: rows of %d bytes: want %+v", name, a.Row, row)
		}
	}
	if a := read[gameAnswer](t, tell(entries{"op": "game", "game": "doubloons"})); a.Spec != nil || !slices.Contains(a.Players, "policy:captain") {
		t.Errorf("players %v", a.Players)
	}
}

// An engine forgets games and players that are too many, which no answer shows.
func TestAnEngineForgetsGames(t *testing.T) {
	e := New()
	var first []byte
	for n := range mostGames + 5 {
		q := fmt.Appendf(nil, `{"op": "think", "game": "doubloons(seats=3,max_rounds=%d)", "position": {}, "player": "heuristic"}`, 10+n)
		a := e.Answer(q)
		if n == 0 {
			first = a
		} else if !bytes.Equal(a, first) {
			t.Fatalf("%s: %s, before %s", q, a, first)
		}
	}
	if len(e.games) > mostGames {
		t.Errorf("%d games are kept", len(e.games))
	}
	for n := range mostPlayers + 5 {
		e.Answer(fmt.Appendf(nil, `{"op": "think", "game": "doubloons(seats=3)", "position": {}, "player": "search(rollouts=%d)"}`, 1+n))
	}
	if n := len(e.games["doubloons(seats=3)"].players); n == 0 || n > mostPlayers {
		t.Errorf("%d players are kept", n)
	}
}
