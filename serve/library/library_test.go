package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// must is the number that a call returned.
func must[N any](t *testing.T) func(n N, err error) N {
	return func(n N, err error) N {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
}

// refused checks the code of an error, and what its text names.
func refused(t *testing.T, err error, code int64, names ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("it is taken")
	}
	if got := codeOf(err); got != code {
		t.Errorf("%v: code %d: want %d", err, got, code)
	}
	for _, name := range names {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%q does not name %q", err, name)
		}
	}
}

// text is what a function writes into a buffer, without the zero. The buffer is short first.
func text(t *testing.T, write func(to []byte) (int, error)) string {
	t.Helper()
	_, err := write(nil)
	var short shortage
	if !errors.As(err, &short) {
		t.Fatalf("without room: %v", err)
	}
	to := bytes.Repeat([]byte{'x'}, short.need+1)
	if _, err := write(to[:short.need-1]); err == nil {
		t.Errorf("%d bytes of %d are enough", short.need-1, short.need)
	}
	if n := must[int](t)(write(to)); n != short.need || to[n-1] != 0 || to[n] != 'x' {
		t.Errorf("%d bytes: want %d that end with a zero", n, short.need)
	}
	return string(to[:short.need-1])
}

func TestAMatchIsTheEngines(t *testing.T) {
	for game, player := range map[string]string{
		"doubloons(seats=4)": "captain", "jolly_roger(seats=6)": "pirate", "doubloons(seats=2)": "heuristic",
		"leduc": "random", "kuhn(chance=explicit)": "search(rollouts=20)",
	} {
		t.Run(game, func(t *testing.T) {
			const seed = 5
			g := must[engine.Game](t)(engine.NewGame(game))
			e := must[*encode.Encoder](t)(encode.For(g))
			name := player
			if player == "captain" || player == "pirate" {
				name = policy.Prefix + player
			}
			own := must[bots.Bot](t)(policy.NewBot(name, g))
			m := g.NewMatch()
			m.Reset(seed)

			var l library
			of := must[int64](t)(l.game(game))
			match, bot := must[int64](t)(l.match(of, seed)), must[int64](t)(l.bot(of, player))
			info := g.Info()
			observation, want := make([]uint8, e.Schema().Size), make([]uint8, e.Schema().Size)
			rows, wantRows := make([]uint8, len(info.Actions)*e.ActionSize()), make([]uint8, len(info.Actions)*e.ActionSize())
			mask, wantMask := make([]uint8, len(info.Actions)), make([]uint8, len(info.Actions))
			chances, values := make([]float64, len(info.Actions)), make([]float64, info.Seats)
			luck := engine.NewRand(seed)
			for decisions := uint64(0); ; decisions++ {
				seat := must[int](t)(l.seat(match))
				if seat != m.Seat() {
					t.Fatalf("%s is to act: want %s", engine.SeatName(seat), engine.SeatName(m.Seat()))
				}
				if seat == engine.Over {
					break
				}
				for seat := range info.Seats {
					e.Encode(m, seat, want)
					if must[int](t)(l.observation(match, int32(seat), observation)); !bytes.Equal(observation, want) {
						t.Fatalf("decision %d: seat %d observes something else", decisions, seat)
					}
				}
				m.Legal().Expand(wantMask)
				if must[int](t)(l.legal(match, mask)); !bytes.Equal(mask, wantMask) {
					t.Fatalf("decision %d: another mask", decisions)
				}
				if seat == engine.Chance {
					probabilities := make([]float64, len(info.Outcomes))
					must[int](t)(l.outcomes(match, probabilities))
					a := engine.PickOutcome(m.Outcomes(nil), &luck)
					if p := probabilities[int(a)-len(info.Actions)]; p <= 0 {
						t.Fatalf("outcome %s has the probability %g", info.ActionName(a), p)
					}
					if err := errors.Join(m.Apply(a), l.apply(match, int32(a))); err != nil {
						t.Fatal(err)
					}
					continue
				}
				n := e.EncodeActions(m, wantRows) * e.ActionSize()
				if got := must[int](t)(l.rows(match, rows)); got != n || !bytes.Equal(rows[:n], wantRows[:n]) {
					t.Fatalf("decision %d: other rows", decisions)
				}
				r := engine.NewRand(decisions).At(1)
				account := bots.Explain(own, m, &r)
				a, _, err := l.think(bot, match, decisions, nil, nil)
				if err != nil || engine.Action(a) != account.Choice {
					t.Fatalf("decision %d: %s, %v: want %s", decisions, info.ActionName(engine.Action(a)), err, info.ActionName(account.Choice))
				}
				again, _, err := l.think(bot, match, decisions, chances, values)
				if err != nil || again != a {
					t.Fatalf("decision %d: with probabilities and values %d, %v: want %d", decisions, again, err, a)
				}
				sum := 0.0
				for i, p := range chances {
					if sum += p; p < 0 || p > 0 && mask[i] == 0 {
						t.Fatalf("decision %d: action %d has the probability %g", decisions, i, p)
					}
				}
				if math.Abs(sum-1) > 1e-6 || chances[a] == 0 {
					t.Fatalf("decision %d: probabilities %v", decisions, chances)
				}
				for i, x := range values {
					if i >= len(account.Value) && !math.IsNaN(x) || i < len(account.Value) && x != account.Value[i] && !(math.IsNaN(x) && math.IsNaN(account.Value[i])) {
						t.Fatalf("decision %d: values %v: want %v", decisions, values, account.Value)
					}
				}
				if err := errors.Join(m.Apply(account.Choice), l.apply(match, int32(a))); err != nil {
					t.Fatal(err)
				}
			}
			returns, wantReturns := make([]float32, info.Seats), make([]float32, info.Seats)
			m.Returns(wantReturns)
			if must[int](t)(l.returns(match, returns)); !slices.Equal(returns, wantReturns) {
				t.Errorf("returns %v: want %v", returns, wantReturns)
			}
		})
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	var l library
	of, other := must[int64](t)(l.game("doubloons(seats=2)")), must[int64](t)(l.game("doubloons(seats=3)"))
	match, bot := must[int64](t)(l.match(of, 1)), must[int64](t)(l.bot(of, "captain"))
	third := must[int64](t)(l.match(other, 1))
	position := text(t, func(to []byte) (int, error) { return l.show(match, engine.Full, asPosition, to) })
	ignored := func(_ any, err error) error { return err }

	_, err := l.game("doubloon")
	refused(t, err, codeArgument, "doubloon", "known are")
	_, err = l.game("doubloons(seats=99)")
	refused(t, err, codeArgument, "seats")
	_, err = l.bot(of, "captin")
	refused(t, err, codeArgument, "captin")
	_, err = l.bot(of, "pirate")
	refused(t, err, codeMisfit, "pirate", "doubloons")
	_, err = l.bot(of, "policy:nowhere.bundle")
	refused(t, err, codeArgument, "nowhere.bundle")
	_, err = l.bot(of, "captain@9")
	refused(t, err, codeArgument, "captain@1")
	_, err = l.action(of, "nothing")
	refused(t, err, codeArgument, "nothing")
	refused(t, ignored(l.name(of, -1, nil)), codeArgument, "action -1")
	refused(t, ignored(l.name(of, 1<<30, nil)), codeArgument, "want one from 0")
	refused(t, ignored(l.size(of, 99)), codeArgument, "size 99")
	for _, a := range []int32{-1, 1 << 30, math.MinInt32, int32(must[int64](t)(l.size(of, sizeActions)))} {
		refused(t, l.apply(match, a), codeIllegal, "illegal action")
	}
	refused(t, ignored(l.observation(match, 2, nil)), codeArgument, "seat 2")
	refused(t, ignored(l.observation(match, -1, nil)), codeArgument, "seat -1")
	refused(t, ignored(l.show(match, -2, asText, nil)), codeArgument, "view -2")
	refused(t, ignored(l.show(match, 0, 9, nil)), codeArgument, "as 9")
	refused(t, ignored(l.events(match, 2, nil)), codeArgument, "view 2")
	refused(t, ignored(l.observation(match, 0, make([]uint8, 1))), codeShort, "are needed")
	refused(t, ignored(l.legal(match, nil)), codeShort)
	refused(t, ignored(l.rows(match, nil)), codeShort)
	refused(t, ignored(l.returns(match, nil)), codeShort, "2 are needed")
	_, n, err := l.think(bot, match, 1, make([]float64, 1), nil)
	refused(t, err, codeShort)
	if int64(n[0]) != must[int64](t)(l.size(of, sizeActions)) || n[1] != 2 {
		t.Errorf("%v are needed", n)
	}
	_, _, err = l.think(bot, third, 1, nil, nil)
	refused(t, err, codeMisfit, "seats=2", "seats=3")
	refused(t, l.read(match, `{"game": "doubloons(seats=3)"}`), codeMisfit, "seats=3")
	refused(t, l.read(match, `{"game": 3}`), codeArgument, "game")
	refused(t, l.read(match, `{"ships": [{"hull": 99}]}`), codeArgument, "hull")
	refused(t, l.read(match, "\xff{"), codeArgument)
	refused(t, l.read(match, strings.Repeat("[", 1<<20)), codeArgument)
	if now := text(t, func(to []byte) (int, error) { return l.show(match, engine.Full, asPosition, to) }); now != position {
		t.Error("what was refused has changed the match")
	}

	for name, call := range map[string]func(handle int64) error{
		"spec":        func(h int64) error { return ignored(l.describe(h, nil)) },
		"size":        func(h int64) error { return ignored(l.size(h, sizeSeats)) },
		"action":      func(h int64) error { return ignored(l.action(h, "x")) },
		"name":        func(h int64) error { return ignored(l.name(h, 0, nil)) },
		"match":       func(h int64) error { return ignored(l.match(h, 0)) },
		"bot":         func(h int64) error { return ignored(l.bot(h, "random")) },
		"copy":        func(h int64) error { return ignored(l.copy(h)) },
		"reset":       func(h int64) error { return l.reset(h, 0) },
		"seat":        func(h int64) error { return ignored(l.seat(h)) },
		"apply":       func(h int64) error { return l.apply(h, 0) },
		"legal":       func(h int64) error { return ignored(l.legal(h, nil)) },
		"outcomes":    func(h int64) error { return ignored(l.outcomes(h, nil)) },
		"observation": func(h int64) error { return ignored(l.observation(h, 0, nil)) },
		"rows":        func(h int64) error { return ignored(l.rows(h, nil)) },
		"returns":     func(h int64) error { return ignored(l.returns(h, nil)) },
		"show":        func(h int64) error { return ignored(l.show(h, 0, 0, nil)) },
		"read":        func(h int64) error { return l.read(h, "{}") },
		"events":      func(h int64) error { return ignored(l.events(h, 0, nil)) },
		"free":        l.free,
	} {
		t.Run(name, func(t *testing.T) {
			gone := must[int64](t)(l.match(of, 1))
			if err := l.free(gone); err != nil {
				t.Fatal(err)
			}
			for _, h := range []int64{0, -1, math.MinInt64, math.MaxInt64, gone} {
				refused(t, call(h), codeHandle, "there is none, or it was freed")
			}
			if name != "free" {
				refused(t, call(bot), codeHandle, "is of a bot")
			}
		})
	}
	_, _, err = l.think(match, match, 1, nil, nil)
	refused(t, err, codeHandle, "want that of a bot")
	_, _, err = l.think(bot, bot, 1, nil, nil)
	refused(t, err, codeHandle, "want that of a match")
}

func TestMatchesAndBotsOutliveTheirGame(t *testing.T) {
	var l library
	of := must[int64](t)(l.game("leduc"))
	match, bot := must[int64](t)(l.match(of, 1)), must[int64](t)(l.bot(of, "random"))
	if err := l.free(of); err != nil {
		t.Fatal(err)
	}
	a, _, err := l.think(bot, match, 1, nil, nil)
	if err == nil {
		err = l.apply(match, int32(a))
	}
	if err != nil {
		t.Error(err)
	}
}

func TestACopyGoesItsOwnWay(t *testing.T) {
	var l library
	match := must[int64](t)(l.match(must[int64](t)(l.game("doubloons(seats=2)")), 3))
	copied := must[int64](t)(l.copy(match))
	stands := func(h int64) string {
		return text(t, func(to []byte) (int, error) { return l.show(h, engine.Full, asPosition, to) })
	}
	before := stands(match)
	mask := make([]uint8, 512)
	n := must[int](t)(l.legal(copied, mask))
	if err := l.apply(copied, int32(slices.Index(mask[:n], 1))); err != nil {
		t.Fatal(err)
	}
	if stands(match) != before || stands(copied) == before {
		t.Error("a copy and its match go the same way")
	}
	if err := l.read(match, stands(copied)); err != nil {
		t.Fatal(err)
	}
	if stands(match) != stands(copied) {
		t.Error("a position that is read is not the one that was written")
	}
}

func TestAPartOfAPositionIsRead(t *testing.T) {
	var l library
	of := must[int64](t)(l.game("doubloons(seats=3)"))
	match, bot := must[int64](t)(l.match(of, 3)), must[int64](t)(l.bot(of, "captain"))
	if err := l.read(match, `{"game": "doubloons(seats=3)", "round": 2}`); err != nil {
		t.Fatal(err)
	}
	if is := text(t, func(to []byte) (int, error) { return l.show(match, 0, asPosition, to) }); !strings.Contains(is, `"round": 2`) {
		t.Error(is)
	}
	for must[int](t)(l.seat(match)) < 0 {
		t.Fatal("nobody is to act")
	}
	if _, _, err := l.think(bot, match, 1, nil, nil); err != nil {
		t.Error(err)
	}
}

// heard is what events writes, read.
func heard(t *testing.T, l *library, match int64, view int32) (n news) {
	t.Helper()
	if err := json.Unmarshal([]byte(text(t, func(to []byte) (int, error) { return l.events(match, view, to) })), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestEventsAreThoseOfAWitness(t *testing.T) {
	for _, game := range []string{"doubloons(seats=3)", "jolly_roger(seats=5)", "leduc"} {
		g := must[engine.Game](t)(engine.NewGame(game))
		m := g.NewMatch()
		m.Reset(2)
		var l library
		match := must[int64](t)(l.match(must[int64](t)(l.game(game)), 2))
		views := []int{0, 1, 2, engine.Full}
		if g.Info().Seats < 3 {
			views = []int{0, 1, engine.Full}
		}
		eyes := map[int]*engine.Witness{}
		for _, view := range views {
			eyes[view] = engine.NewWitness(g, view)
			eyes[view].Begin(m)
			if n := heard(t, &l, match, int32(view)); len(n.Events) > 0 {
				t.Errorf("%s: at first %v", game, n)
			}
			eyes[view].See(m)
		}
		r, told, unseen := engine.NewRand(1), 0, 0
		for m.Seat() != engine.Over {
			a := m.Legal().Sample(&r)
			for _, eye := range eyes {
				eye.Chosen(m, a)
			}
			if err := errors.Join(m.Apply(a), l.apply(match, int32(a))); err != nil {
				t.Fatal(err)
			}
			refused(t, l.apply(match, -1), codeIllegal) // and is not told
			for _, view := range views {
				want, seen := eyes[view].See(m)
				n := heard(t, &l, match, int32(view))
				wanted := []any{}
				if err := json.Unmarshal(must[[]byte](t)(json.Marshal(append([]any{}, want.Events...))), &wanted); err != nil {
					t.Fatal(err)
				}
				if n.Seen != seen || !reflect.DeepEqual(n.Events, wanted) || want.Line != strings.Join(n.Log, "") {
					t.Fatalf("%s: view %d hears %+v: want %v, %q", game, view, n, wanted, want.Line)
				}
				told += len(n.Events)
				if !seen {
					unseen++
				}
			}
		}
		if told == 0 {
			t.Errorf("%s: nothing happens", game)
		}
		t.Logf("%s: %d events, %d moments not seen", game, told, unseen)
	}
}

func TestADecisionIsShownToItsSeat(t *testing.T) {
	var l library
	of := must[int64](t)(l.game("doubloons(seats=2)"))
	match := must[int64](t)(l.match(of, 3))
	seat := must[int](t)(l.seat(match))
	shown := func(view int) (d decision) {
		if err := json.Unmarshal([]byte(text(t, func(to []byte) (int, error) { return l.show(match, int32(view), asDecision, to) })), &d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	own := shown(seat)
	if own.Seat != seat || own.Decision == "" || len(own.Legal) == 0 || own.Legal[0].Words == "" {
		t.Errorf("%+v", own)
	}
	for _, c := range own.Legal {
		if a := must[int64](t)(l.action(of, c.Name)); a != int64(c.Action) {
			t.Errorf("%s is %d and %d", c.Name, a, c.Action)
		}
		if name := text(t, func(to []byte) (int, error) { return l.name(of, int32(c.Action), to) }); name != c.Name {
			t.Errorf("%d is %s and %s", c.Action, name, c.Name)
		}
	}
	if others := shown(1 - seat); len(others.Legal) != 0 {
		t.Errorf("another seat is shown what this one may do: %+v", others)
	}
	if full := shown(engine.Full); !slices.Equal(full.Legal, own.Legal) {
		t.Errorf("%+v", full)
	}
	if svg := text(t, func(to []byte) (int, error) { return l.show(match, 0, asSVG, to) }); !strings.HasPrefix(svg, "<svg") {
		t.Errorf("%.80s", svg)
	}
	if drawn := text(t, func(to []byte) (int, error) { return l.show(match, 0, asText, to) }); drawn == "" {
		t.Error("no text")
	}
	spec := text(t, func(to []byte) (int, error) { return l.describe(of, to) })
	var s encode.Spec
	if err := json.Unmarshal([]byte(spec), &s); err != nil || int64(s.Observation.Size) != must[int64](t)(l.size(of, sizeObservation)) ||
		int64(s.ActionRow.Size) != must[int64](t)(l.size(of, sizeRow)) || int64(len(s.Outcomes)) != must[int64](t)(l.size(of, sizeOutcomes)) {
		t.Errorf("%v: %.80s", err, spec)
	}
}

func TestAPanicIsAnErrorAndTheMatchStays(t *testing.T) {
	var l library
	handle := must[int64](t)(l.match(must[int64](t)(l.game("leduc")), 3))
	before := text(t, func(to []byte) (int, error) { return l.show(handle, engine.Full, asPosition, to) })
	var a engine.Action
	refused(t, l.with(handle, func(m *match) error {
		return m.attempt(func() error {
			a = m.m.Legal().First()
			_ = m.m.Apply(a)
			panic("a broken invariant")
		})
	}), codeInternal, "bug", "a broken invariant")
	if now := text(t, func(to []byte) (int, error) { return l.show(handle, engine.Full, asPosition, to) }); now != before {
		t.Error("a panic has changed the match")
	}
	if err := l.apply(handle, int32(a)); err != nil {
		t.Error(err)
	}
}

func TestThreadsMayShareHandles(t *testing.T) {
	var l library
	of := must[int64](t)(l.game("doubloons(seats=2)"))
	match, bot := must[int64](t)(l.match(of, 1)), must[int64](t)(l.bot(of, "captain"))
	var all sync.WaitGroup
	for thread := range 8 {
		all.Go(func() {
			for i := range 200 {
				a, _, err := l.think(bot, match, uint64(i), nil, nil)
				if err == nil {
					err = l.apply(match, int32(a)) // which another thread may have made illegal
				}
				if err != nil && codeOf(err) != codeIllegal {
					t.Error(err)
				}
				if n, err := l.seat(match); err == nil && n == engine.Over {
					_ = l.reset(match, uint64(i))
				}
				copied, err := l.copy(match)
				if err == nil {
					err = errors.Join(l.free(copied), func() error { _, err := l.events(match, int32(thread%2), make([]byte, 1<<16)); return err }())
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if len(l.open) != 3 {
		t.Errorf("%d handles are open: want 3", len(l.open))
	}
}

func TestQuestionsInJSONAreAnswered(t *testing.T) {
	var l library
	ask := func(question string) string {
		return text(t, func(to []byte) (int, error) { return l.ask(question, to) })
	}
	if a := ask(`{"op": "match", "game": "kuhn", "actions": ["deal=K", "deal=Q"], "with": ["words"]}`); !strings.Contains(a, `"words":`) {
		t.Error(a)
	}
	if a := ask("\xff"); !strings.Contains(a, `"code":"bad_question"`) {
		t.Error(a)
	}
}
