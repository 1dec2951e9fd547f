package encode_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/encodetest"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/kuhn"
	"github.com/privateer-rl/privateer/engine/games/leduc"
)

// told is a game string that asks for the advice that its game alone has; "" if it has none.
func told(game string) string {
	g, err := engine.With(game, engine.AdviceName, "foresight")
	if err != nil {
		return ""
	}
	return g
}

// described visits the rows of every decision of a few matches of each configuration whose game describes actions, with and without the advice
// that it alone has.
func described(t *testing.T, matches int, visit func(game string, e *encode.Encoder, m engine.Match)) {
	t.Helper()
	for _, games := range configurations {
		for _, game := range games {
			_, e := encodetest.Make(t, game)
			if e.ActionSize() == 0 {
				continue
			}
			encodetest.Play(t, game, matches, func(m engine.Match) { visit(game, e, m) })
			if game := told(game); game != "" {
				_, e := encodetest.Make(t, game)
				encodetest.Play(t, game, matches, func(m engine.Match) { visit(game, e, m) })
			}
		}
	}
}

func TestEncodeActionsWritesARowForEachLegalActionAndNothingElse(t *testing.T) {
	room := [2][]uint8{make([]uint8, 1<<18), make([]uint8, 1<<18)}
	described(t, 3, func(game string, e *encode.Encoder, m engine.Match) {
		end := m.Legal().Count()*e.ActionSize() + 16
		a, b := room[0][:end], room[1][:end]
		for i := range a {
			a[i], b[i] = 0xaa, 0x55
		}
		n := e.EncodeActions(m, a)
		e.EncodeActions(m, b)
		size := n * e.ActionSize()
		if n != m.Legal().Count() {
			t.Fatalf("%s: %d rows for %d legal actions", game, n, m.Legal().Count())
		}
		if !bytes.Equal(a[:size], b[:size]) {
			t.Fatalf("%s: a byte of a row depends on what was there before", game)
		}
		if bytes.Count(a[size:], []byte{0xaa}) != len(a)-size {
			t.Fatalf("%s: EncodeActions wrote beyond the rows", game)
		}
	})
}

func TestActionRowsKeepToTheirGroups(t *testing.T) {
	rows := make([]uint8, 1<<18)
	described(t, 4, func(game string, e *encode.Encoder, m engine.Match) {
		size := e.ActionSize()
		for i := range e.EncodeActions(m, rows) {
			row := rows[i*size : (i+1)*size]
			for _, g := range e.ActionSchema().Groups {
				features, width := row[g.Offset:g.Offset+g.Size], g.Shape[len(g.Shape)-1]
				ones := 0 // in this row of the last axis
				for k, v := range features {
					if v > g.Max {
						t.Fatalf("%s: %s[%d] is %d; its most is %d, at %s", game, g.Name, k, v, g.Max, m.Decision())
					}
					if k%width == 0 {
						ones = 0
					}
					ones += int(v)
					if strings.HasPrefix(g.Doc, "one-hot") && ones > 1 {
						t.Fatalf("%s: %s is no one-hot: %v, at %s", game, g.Name, features, m.Decision())
					}
				}
			}
		}
	})
}

func TestActionSchemasAreThoseOfTheirRows(t *testing.T) {
	for game, games := range configurations {
		first := ""
		for _, config := range games {
			g, e := encodetest.Make(t, config)
			s := e.ActionSchema()
			if s == nil {
				if e.ActionSize() != 0 {
					t.Errorf("%s: rows of %d bytes and no schema", config, e.ActionSize())
				}
				continue
			}
			at := 0
			for _, group := range s.Groups {
				if group.Offset != at || group.Doc == "" {
					t.Errorf("%s: group %+v does not follow byte %d, or says nothing", config, group, at)
				}
				at += group.Size
			}
			if at != s.Size || s.View != encode.ActionView || !slices.Equal(s.Actions, g.Info().Actions) {
				t.Errorf("%s: %d bytes in groups of %d, view %s", config, at, s.Size, s.View)
			}
			if first == "" {
				first = s.Hash()
			}
			if s.Hash() != first || s.Hash() == e.Schema().Hash() {
				t.Errorf("%s: hash %s of its rows; want one for all of %s", config, s.Hash(), game)
			}
		}
	}
}

func TestEncodeActionsAllocatesNothing(t *testing.T) {
	rows := make([]uint8, 1<<18)
	names := slices.Collect(maps.Keys(configurations))
	for _, name := range append(names, told("doubloons")) {
		_, e := encodetest.Make(t, name)
		_, all := positions(t, name, 64)
		if n := testing.AllocsPerRun(10, func() {
			for _, m := range all {
				e.EncodeActions(m, rows)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestGamesWithoutRowsDescribeNoActions(t *testing.T) {
	g, err := engine.Make(&engine.Info{Game: "tictactoe", Seats: 2, Actions: []string{"a"}}, engine.Rules[struct{}](nil))
	if err != nil {
		t.Fatal(err)
	}
	e := encode.New[row, full](g, 1, nil, nil)
	if e.ActionSize() != 0 || e.ActionSchema() != nil || e.EncodeActions(nil, nil) != 0 {
		t.Error("an encoder that nobody told what actions do describes them")
	}
}

// actionFeatures are the rows of a decision by the names of their actions.
func actionFeatures(t *testing.T, e *encode.Encoder, m engine.Match) map[engine.Action]encodetest.Features {
	t.Helper()
	size := e.ActionSize()
	rows := make([]uint8, m.Legal().Count()*size)
	e.EncodeActions(m, rows)
	all := map[engine.Action]encodetest.Features{}
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		all[a] = encodetest.Features{T: t, Schema: e.ActionSchema(), Obs: rows[:size]}
		rows = rows[size:]
	}
	return all
}

func TestRowsOfLiarsDiceSayWhatIsBid(t *testing.T) {
	for _, game := range []string{"liars_dice", "liars_dice(seats=3,dice=2,bidding=reset_quantity)", "liars_dice(seats=6,dice=5)"} {
		g, e := encodetest.Make(t, game)
		after := g.NewMatch()
		encodetest.Play(t, game, 60, func(m engine.Match) {
			if m.Seat() < 0 {
				return
			}
			next, chances := 0, map[[2]int]int{} // that a bid holds, by whether its face is wild and by dice that are needed
			for a, f := range actionFeatures(t, e, m) {
				after.CopyFrom(m)
				if err := after.Apply(a); err != nil {
					t.Fatal(err)
				}
				at := fmt.Sprintf("%s: %s after\n%s", game, m.Info().ActionName(a), m.Render(engine.Full))
				if f.One("action.calls") == 1 != (m.Info().ActionName(a) == "liar") {
					t.Errorf("%s: it calls: %d", at, f.One("action.calls"))
				}
				if f.One("action.calls") == 0 && int(f.One("action.higher")) != max(0, after.Legal().Count()-1) && after.Seat() >= 0 {
					t.Errorf("%s: %d bids are higher, and %d actions are legal", at, f.One("action.higher"), after.Legal().Count())
				}
				next += int(f.One("action.next"))
				wild, needed := f.One("action.wild"), f.One("action.needed")
				if holds := f.One("action.holds"); needed == 0 && holds != 255 || needed > f.One("action.others") && holds != 0 {
					t.Errorf("%s: %d dice of others are needed: it holds with a chance of %d of 255", at, needed, holds)
				}
				if before, has := chances[[2]int{wild, needed}]; has && before != f.One("action.holds") {
					t.Errorf("%s: two chances, %d and %d", at, before, f.One("action.holds"))
				}
				chances[[2]int{wild, needed}] = f.One("action.holds")
			}
			if next > 1 {
				t.Errorf("%s: %d actions are the lowest", game, next)
			}
		})
	}
}

func TestPokerActionsDoWhatTheirRowsSay(t *testing.T) {
	for _, game := range []string{"kuhn", "kuhn(seats=3)", "leduc"} {
		g, e := encodetest.Make(t, game)
		after := g.NewMatch()
		encodetest.Play(t, game, 60, func(m engine.Match) {
			if m.Seat() < 0 {
				return
			}
			for a, f := range actionFeatures(t, e, m) {
				after.CopyFrom(m)
				if err := after.Apply(a); err != nil {
					t.Fatal(err)
				}
				at := fmt.Sprintf("%s: %s after\n%s", game, m.Info().ActionName(a), m.Render(engine.Full))
				over := after.Seat() == engine.Over
				if f.One("action.ends") == 1 != over {
					t.Errorf("%s: ends %d, over %v", at, f.One("action.ends"), over)
				}
				if k := engine.State[leduc.State](m); k != nil {
					checkLeduc(t, at, f, m, after)
				} else {
					checkKuhn(t, at, f, m, after, a)
				}
			}
		})
	}
}

func checkKuhn(t *testing.T, at string, f encodetest.Features, m, after engine.Match, a engine.Action) {
	t.Helper()
	if paid := a == kuhn.Bet; f.One("action.paid") == 1 != paid || f.One("action.bets")+f.One("action.calls") != f.One("action.paid") {
		t.Errorf("%s: paid %d", at, f.One("action.paid"))
	}
	shown := 0 // cards that seat 0 does not see with an all-seeing eye alone
	hidden := strings.Count(after.Render(0), "card ?")
	if after.Seat() == engine.Over {
		for seat := 1; seat < m.Info().Seats; seat++ {
			hidden = min(hidden, strings.Count(after.Render(seat), "card ?"))
		}
		shown = int(engine.Bit(hidden < m.Info().Seats-1))
	}
	if f.One("action.shows") != shown {
		t.Errorf("%s: shows %d, want %d:\n%s", at, f.One("action.shows"), shown, after.Render(0))
	}
}

func checkLeduc(t *testing.T, at string, f encodetest.Features, m, after engine.Match) {
	t.Helper()
	was, is := engine.State[leduc.State](m), engine.State[leduc.State](after)
	seat := m.Seat()
	got := []int{f.One("action.cost"), f.One("action.pot"), f.One("action.ends_round")}
	want := []int{int(is.Paid[seat] - was.Paid[seat]), int(is.Paid[0] + is.Paid[1]), int(engine.Bit(is.Round != was.Round || is.Folded > 0))}
	if !slices.Equal(got, want) {
		t.Errorf("%s: cost, pot, end of the round %v; want %v", at, got, want)
	}
	if got[2] == 0 && f.One("action.raises_left") != leduc.MaxRaises-int(is.Raises) {
		t.Errorf("%s: raises left %d", at, f.One("action.raises_left"))
	}
}
