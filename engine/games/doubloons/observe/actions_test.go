package observe_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/encode/encodetest"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
	_ "github.com/privateer-rl/privateer/engine/games/doubloons/captain"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

// decisions are up to n decisions by kind, from matches that heuristic captains play.
func decisions(tb testing.TB, game string, n int) map[doubloons.Kind][]engine.Match {
	tb.Helper()
	g, _ := encodetest.Make(tb, game)
	b, err := bots.New("heuristic", g)
	if err != nil {
		tb.Fatal(err)
	}
	m, r := g.NewMatch(), engine.NewRand(6)
	all := map[doubloons.Kind][]engine.Match{}
	for seed := range uint64(12) {
		for m.Reset(seed); m.Seat() >= 0; {
			if k := engine.State[doubloons.State](m).Top().Kind; len(all[k]) < n {
				one := g.NewMatch()
				one.CopyFrom(m)
				all[k] = append(all[k], one)
			}
			if err := m.Apply(b.Act(m, &r)); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return all
}

// rowsOf are the rows of a decision by action.
func rowsOf(tb testing.TB, m engine.Match) map[engine.Action]encodetest.Features {
	tb.Helper()
	_, e := encodetest.Make(tb, m.Info().Config)
	size := e.ActionSize()
	rows := make([]uint8, m.Legal().Count()*size)
	e.EncodeActions(m, rows)
	all := map[engine.Action]encodetest.Features{}
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		all[a] = encodetest.Features{T: tb, Schema: e.ActionSchema(), Obs: rows[:size]}
		rows = rows[size:]
	}
	return all
}

// ends collects the regions, from the own one ahead, where a ship may lie when its movement is over.
func ends(tb testing.TB, m engine.Match, seat int, from doubloons.Ship, into []uint8) {
	tb.Helper()
	s := engine.State[doubloons.State](m)
	if f := s.Top(); f.Kind != doubloons.AskMove || int(f.Seat) != seat {
		n := int8(4)
		into[((s.Ships[seat].Region-from.Region)*from.Facing+n)%n] = 1
		return
	}
	g, _ := encodetest.Make(tb, m.Info().Config)
	next := g.NewMatch()
	for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
		next.CopyFrom(m)
		if err := next.Apply(a); err != nil {
			tb.Fatal(err)
		}
		ends(tb, next, seat, from, into)
	}
}

func TestMovementRowsSayWhereTheShipMayEnd(t *testing.T) {
	const game = "doubloons(seats=4,forced=show)"
	g, _ := encodetest.Make(t, game)
	after := g.NewMatch()
	for _, m := range decisions(t, game, 200)[doubloons.AskMove] {
		s := engine.State[doubloons.State](m)
		seat := int(s.Top().Seat)
		for a, f := range rowsOf(t, m) {
			after.CopyFrom(m)
			if err := after.Apply(a); err != nil {
				t.Fatal(err)
			}
			want := make([]uint8, doubloons.MaxRegions)
			ends(t, after, seat, s.Ships[seat], want)
			if got := f.Of("action.reach"); !slices.Equal(got, want) {
				t.Fatalf("%s at %s: reach %v; want %v\n%s", m.Info().ActionName(a), m.Decision(), got, want, m.Render(engine.Full))
			}
		}
	}
}

func TestRowsSayWhatComesOfAChoiceAtOnce(t *testing.T) {
	atOnce(t, "doubloons(seats=4)")
}

// A ship may lose a bonus by what another one gains.
func TestRowsSayWhoLosesABonus(t *testing.T) {
	atOnce(t, "doubloons(seats=4,modules=advanced_scoring)")
}

func atOnce(t *testing.T, game string) {
	t.Helper()
	g, _ := encodetest.Make(t, game)
	after := g.NewMatch()
	seen := map[string]int{}
	for kind, all := range decisions(t, game, 60) {
		if kind == doubloons.AskProgram || kind == doubloons.AskMove || kind <= doubloons.AskPlace {
			continue
		}
		for _, m := range all {
			was, me := engine.State[doubloons.State](m), m.Seat()
			for a, f := range rowsOf(t, m) {
				after.CopyFrom(m)
				rules, _ := engine.RulesOf[doubloons.State, *doubloons.Rules](m)
				rules.Apply(engine.State[doubloons.State](after), a) // no further: chance is not asked, nor what is forced
				is := engine.State[doubloons.State](after)
				if k := is.Next(); k >= doubloons.RollInitiative && k != doubloons.DrawCard {
					continue // an average
				}
				for k, name := range places[:4] {
					seat := (me + k) % 4
					gain, loss := "action.gain", "action.loss"
					if k > 0 {
						gain = "action.against[" + name[len("opponents["):len(name)-1] + "].gains"
						loss = "action.against[" + name[len("opponents["):len(name)-1] + "].loses"
					}
					x, y := &was.Ships[seat], &is.Ships[seat]
					for what, d := range map[string]int{
						".hull": int(y.Hull) - int(x.Hull), ".crew": int(y.Crew) - int(x.Crew), ".doubloons": int(y.Doubloons) - int(x.Doubloons),
						".pillage": int(y.Pillage) - int(x.Pillage), ".reputation": int(y.Reputation) - int(x.Reputation),
						".points": score(m, after, seat),
					} {
						if f.One(gain+what) != min(max(0, 16*d), 255) || f.One(loss+what) != min(max(0, -16*d), 255) {
							t.Fatalf("%s at %s: %s%s %d, %s%s %d; it changes by %d", m.Info().ActionName(a), m.Decision(), gain, what, f.One(gain+what), loss, what, f.One(loss+what), d)
						}
						if d != 0 {
							seen[what]++
						}
					}
				}
			}
		}
	}
	if len(seen) < 6 {
		t.Errorf("not everything has changed: %v", seen)
	}
}

// score is by how much a seat's points have changed.
func score(before, after engine.Match, seat int) (d int) {
	was, is := make([]int32, doubloons.NumScores), make([]int32, doubloons.NumScores)
	before.Scores(engine.Full, seat, was)
	after.Scores(engine.Full, seat, is)
	for i := range was {
		d += int(is[i] - was[i])
	}
	return d
}

func TestAnAttacksRowCountsTheDieOnAverage(t *testing.T) {
	found := false
	for _, m := range decisions(t, "doubloons(seats=4)", 300)[doubloons.AskAction] {
		s := engine.State[doubloons.State](m)
		seat := int(s.Top().Seat)
		f := rowsOf(t, m)[doubloons.ToDo+engine.Action(doubloons.IconBroadsides)]
		if f.Obs == nil || s.Ships[seat].Ghost {
			continue
		}
		for k := range 3 {
			e := &s.Ships[(seat+1+k)%4]
			if e.Region != s.Ships[seat].Region || e.Ghost || e.Crew == 0 || e.Hull < 4 || s.Water[e.Region] == doubloons.Fog || s.Water[e.Region] == doubloons.RiverMerfolk {
				continue
			}
			found = true
			name := "action.against[" + string(rune('0'+k)) + "]"
			if got := f.One(name + ".loses.crew"); got != 5 { // a third of 16
				t.Errorf("a crew in three is lost: %d 16ths", got)
			}
			if got := f.One(name + ".loses.hull"); got != 32 && got != 48 {
				t.Errorf("hull lost: %d 16ths", got)
			}
		}
	}
	if !found {
		t.Error("no Broadsides hit anybody")
	}
}

func TestNamingASymbolSaysWhoFollowsAndWhere(t *testing.T) {
	for _, m := range decisions(t, "doubloons(seats=4)", 200)[doubloons.AskHunt] {
		s := engine.State[doubloons.State](m)
		seat := int(s.Top().Seat)
		own := &s.Ships[seat]
		for a, f := range rowsOf(t, m) {
			symbol := int(a - doubloons.ToSymbol)
			for k := range 3 {
				want := int(engine.Bit(s.Ships[(seat+1+k)%4].Fragments[symbol] > 0))
				if got := f.One("action.against[" + string(rune('0'+k)) + "].follows"); got != want {
					t.Fatalf("the captain %d places on follows: %d; want %d", k+1, got, want)
				}
			}
			if f.Hot("action.symbol") != symbol || f.One("action.symbol.own") != int(own.Fragments[symbol]) {
				t.Fatalf("symbol %v, own %d", f.Of("action.symbol"), f.One("action.symbol.own"))
			}
		}
	}
}

func TestAWayRowSaysWhatLiesThere(t *testing.T) {
	for _, m := range decisions(t, "doubloons(seats=4)", 200)[doubloons.AskPath] {
		s := engine.State[doubloons.State](m)
		for a, f := range rowsOf(t, m) {
			node := a - doubloons.ToNode
			if got, tile := f.Hot("action.landmark"), int(s.Tiles[node]); got != tile {
				t.Fatalf("%s leads to landmark %d; want %d", m.Info().ActionName(a), got, tile)
			}
			if (f.Hot("action.landmark") < 0) == (f.Hot("action.draws") < 0) && f.Hot("action.to.path") != 5 {
				t.Fatalf("%s: a landmark lies there or is drawn", m.Info().ActionName(a))
			}
		}
	}
}

// Of a lens's values one is the most; the others lag behind it by the difference.
func TestCompletionsAreComparedWithTheBestOfTheOthers(t *testing.T) {
	differ := 0
	for kind, all := range decisions(t, "doubloons(seats=4)", 100) {
		if kind != doubloons.AskProgram && kind != doubloons.AskMove && kind != doubloons.AskAction {
			continue
		}
		for _, m := range all {
			rows := rowsOf(t, m)
			for lens := range 16 {
				most, leaders := 0, 0
				for _, f := range rows {
					most = max(most, int(f.Of("action.round")[lens]))
				}
				for _, f := range rows {
					value, lead, lag := int(f.Of("action.round")[lens]), int(f.Of("action.round_lead")[lens]), int(f.Of("action.round_lag")[lens])
					if lead > 0 {
						leaders++
						differ++
					}
					if lead > 0 && (lag > 0 || value < most) {
						t.Fatalf("%s: lens %d is %d of at most %d, ahead by %d and behind by %d", m.Decision(), lens, value, most, lead, lag)
					}
					if d := 4 * (most - value); lag < 255 && (d > lag+4 || d < lag-4) {
						t.Fatalf("%s: lens %d is %d of at most %d, and behind by %d", m.Decision(), lens, value, most, lag)
					}
				}
				if leaders > 1 {
					t.Fatalf("%s: %d choices are the best by lens %d", m.Decision(), leaders, lens)
				}
			}
		}
	}
	if differ < 100 {
		t.Errorf("lenses told choices apart %d times", differ)
	}
}

// What the own cards could bring is not worked out again while nothing has changed but where the own ship lies and which cards are
// programmed; that it was must not show.
func TestRowsAreTheSameWhateverWasDescribedBefore(t *testing.T) {
	for _, game := range []string{"doubloons(seats=4)", "doubloons(seats=5,edition=v1.9.7)", "doubloons(seats=3,modules=compass+steal_ship)"} {
		all := decisions(t, game, 24)
		g, e := encodetest.Make(t, game)
		describe := func(m engine.Match) []uint8 {
			rows := make([]uint8, m.Legal().Count()*e.ActionSize())
			e.EncodeActions(m, rows)
			return rows
		}
		for _, kind := range []doubloons.Kind{doubloons.AskProgram, doubloons.AskMove, doubloons.AskAction} {
			var moved []engine.Match
			for _, m := range all[kind] {
				for region := range int8(doubloons.NumRegions) {
					to := g.NewMatch()
					to.CopyFrom(m)
					s := engine.State[doubloons.State](to)
					ship := &s.Ships[s.Top().Seat]
					ship.Region, ship.Facing = region, -ship.Facing
					ship.Captain, ship.Crew, s.Water[0] = doubloons.Voet, 1, doubloons.MerfolkSeer // whose ability works there alone
					moved = append(moved, to)
				}
			}
			var alone [][]uint8
			for i, m := range moved {
				describe(all[doubloons.AskAction][i%2]) // nothing is known of m then, or nearly always
				alone = append(alone, describe(m))
			}
			for i, m := range moved {
				if !slices.Equal(describe(m), alone[i]) {
					t.Fatalf("%s: %s is described otherwise after the choices before it\n%s", game, m.Decision(), m.Render(engine.Full))
				}
			}
		}
	}
}

// What the rows of a decision cost, by what is asked.
func BenchmarkEncodeActions(b *testing.B) {
	const game = "doubloons(seats=4)"
	_, e := encodetest.Make(b, game)
	rows := make([]uint8, 64*e.ActionSize())
	byName := map[string][]engine.Match{}
	for kind, all := range decisions(b, game, 256) {
		name := kind.String()
		byName[name] = all
		if kind == doubloons.AskProgram { // a captain chooses cards one after the other
			for _, m := range all {
				slot := fmt.Sprintf("%s/slot=%d", name, engine.State[doubloons.State](m).Top().Arg[0])
				byName[slot] = append(byName[slot], m)
			}
		}
	}
	for name, all := range byName {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i, n := 0, 0
			for b.Loop() {
				n += e.EncodeActions(all[i%len(all)], rows)
				i++
			}
			b.ReportMetric(float64(n)/float64(b.N), "rows/op")
		})
	}
}
