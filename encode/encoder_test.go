package encode_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/encode/encodetest"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestEncodeWritesAllOfItsBytesAndNoOthers(t *testing.T) {
	for _, games := range configurations {
		for _, game := range games {
			_, e := encodetest.Make(t, game)
			seatSize, fullSize := e.Schema().Size, e.FullSchema().Size
			a, b := make([]uint8, fullSize+16), make([]uint8, fullSize+16)
			encodetest.Play(t, game, 3, func(m engine.Match) {
				for seat := range m.Info().Seats {
					for i := range a {
						a[i], b[i] = 0xaa, 0x55
					}
					e.Encode(m, seat, a)
					e.Encode(m, seat, b)
					if !bytes.Equal(a[:seatSize], b[:seatSize]) {
						t.Fatalf("%s: a byte of the observation depends on what was there before", game)
					}
					seen := bytes.Clone(a[:seatSize])
					if bytes.Count(a[seatSize:], []byte{0xaa}) != len(a)-seatSize {
						t.Fatalf("%s: Encode wrote beyond the observation", game)
					}
					e.EncodeFull(m, seat, a)
					e.EncodeFull(m, seat, b)
					if !bytes.Equal(a[:fullSize], b[:fullSize]) || bytes.Count(a[fullSize:], []byte{0xaa}) != len(a)-fullSize {
						t.Fatalf("%s: EncodeFull did not write just the full view", game)
					}
					if !bytes.Equal(a[:seatSize], seen) {
						t.Fatalf("%s: the full view does not begin with the seat view", game)
					}
				}
			})
		}
	}
}

func TestFeaturesKeepToTheirGroups(t *testing.T) {
	for _, games := range configurations {
		for _, game := range games {
			_, e := encodetest.Make(t, game)
			obs := make([]uint8, e.FullSchema().Size)
			encodetest.Play(t, game, 4, func(m engine.Match) {
				for seat := range m.Info().Seats {
					e.EncodeFull(m, seat, obs)
					for _, g := range e.FullSchema().Groups {
						features, width := obs[g.Offset:g.Offset+g.Size], g.Shape[len(g.Shape)-1]
						ones := 0 // in this row of the last axis
						for i, v := range features {
							if v > g.Max {
								t.Fatalf("%s: %s[%d] is %d; its maximum is %d", game, g.Name, i, v, g.Max)
							}
							if i%width == 0 {
								ones = 0
							}
							ones += int(v)
							if strings.HasPrefix(g.Doc, "one-hot") && ones > 1 {
								t.Fatalf("%s: %s is not one-hot: %v", game, g.Name, features)
							}
						}
					}
				}
			})
		}
	}
}

func TestEveryGroupThatTheGameCanFillIsFilled(t *testing.T) {
	for game, empty := range map[string][]string{
		"kuhn(seats=3)": nil,
		"leduc":         nil,
		"doubloons(seats=5)": {
			"game.modules", "game.alternate", "map.crater", "beaches.", "regions.", "legendary.", ".compasses", ".totems", ".shells",
			"self.boardable", "opponents[4]", "water.whirlpool", ".earlier", "island.tiles", ".step_is", ".left_crater", "decision.island_kind", "decision.relic", "decision.count", "cards.known", "crater.open", "island.ways", ".sets", "cards.unresolved", ".tracker_moved", "island.places[15]",
		},
		"jolly_roger(seats=10,bribes=talk,variants=hidden_prizes+captains_gold,chance=explicit)": nil,
	} {
		_, e := encodetest.Make(t, game)
		used := make([]bool, e.FullSchema().Size)
		obs := make([]uint8, len(used))
		step := 0
		encodetest.Play(t, game, 200, func(m engine.Match) {
			step++ // the seat that decides, and one after the other
			for _, seat := range []int{max(0, m.Seat()), step % m.Info().Seats} {
				e.EncodeFull(m, seat, obs)
				for i, v := range obs {
					used[i] = used[i] || v > 0
				}
			}
		})
		for _, g := range e.FullSchema().Groups {
			filled := slices.Contains(used[g.Offset:g.Offset+g.Size], true)
			mayBe := !slices.ContainsFunc(empty, func(part string) bool { return strings.Contains(g.Name, part) })
			if filled != mayBe {
				t.Errorf("%s: %s: filled in play %v; want %v", game, g.Name, filled, mayBe)
			}
		}
	}
}

func TestEncodeAllocatesNothing(t *testing.T) {
	for name := range configurations {
		g, e := encodetest.Make(t, name)
		m := g.NewMatch()
		m.Reset(3)
		obs := make([]uint8, e.FullSchema().Size)
		if n := testing.AllocsPerRun(100, func() {
			e.Encode(m, 0, obs)
			e.EncodeFull(m, 1, obs)
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// The suite deals again what a seat cannot know and demands the same observation.
func TestObservationsShowNothingHidden(t *testing.T) {
	for game, opt := range map[string]enginetest.Options{
		"kuhn":          {Seeds: 30},
		"kuhn(seats=3)": {Seeds: 30},
		"leduc":         {Seeds: 30},
		// Its own package runs the suite at length; here the encoder is what is tested.
		"doubloons(seats=3)":                                       {Seeds: 2, Every: 50, Mutations: 1},
		"doubloons(seats=3,modules=alternate_island)":              {Seeds: 1, Every: 80, Mutations: 1},
		"jolly_roger(seats=4,variants=hidden_prizes,bribes=gifts)": {Seeds: 1, Every: 50, Mutations: 1},
	} {
		t.Run(game, func(t *testing.T) {
			opt.Observe = observer(t, game)
			enginetest.Run(t, game, opt)
		})
	}
}

// In every configuration of every game, with its rows of actions and their advice.
func TestMatchesThatASeatCannotTellApartAreObservedAlike(t *testing.T) {
	for _, d := range engine.Definitions() {
		for i, game := range enginetest.Configurations(t, d.Name) {
			g, err := engine.NewGame(game)
			if err != nil {
				t.Fatal(err)
			}
			observe, left := observer(t, game), 200
			for p := range (enginetest.Twins{Game: g, Seed: uint64(i)}).All() {
				if !bytes.Equal(observe(p.A, p.Seat), observe(p.B, p.Seat)) {
					t.Fatalf("%v: the seat observes something else in the other match", p)
				}
				if left--; left == 0 {
					break
				}
			}
		}
	}
}

func observer(t *testing.T, game string) func(engine.Match, int) []byte {
	encoders := map[string]*encode.Encoder{} // the suite plays variants of the game too
	return func(m engine.Match, seat int) []byte {
		e := encoders[m.Info().Config]
		if e == nil {
			_, e = encodetest.Make(t, m.Info().Config)
			encoders[m.Info().Config] = e
		}
		obs := make([]byte, e.Schema().Size)
		e.Encode(m, seat, obs)
		if m.Seat() == seat { // what its actions do is for it to know too
			rows := make([]byte, m.Legal().Count()*e.ActionSize())
			e.EncodeActions(m, rows)
			obs = append(obs, rows...)
		}
		return obs
	}
}

func TestRedealtMatchesLookTheSameToTheSeat(t *testing.T) {
	for name, games := range configurations {
		for _, game := range games {
			g, e := encodetest.Make(t, game)
			other := g.NewMatch()
			before, after := make([]uint8, e.Schema().Size), make([]uint8, e.Schema().Size)
			hidden, redealt := make([]uint8, e.FullSchema().Size), make([]uint8, e.FullSchema().Size)
			r := engine.NewRand(77)
			changed := false
			encodetest.Play(t, game, 5, func(m engine.Match) {
				for seat := range g.Info().Seats {
					if engine.Veiled(m, seat) {
						continue // a redeal goes on to where the seat sees again
					}
					e.EncodeFull(m, seat, hidden)
					e.Encode(m, seat, before)
					other.CopyFrom(m)
					other.Redeal(seat, &r)
					e.Encode(other, seat, after)
					e.EncodeFull(other, seat, redealt)
					for _, group := range e.Schema().Groups {
						a, b := before[group.Offset:group.Offset+group.Size], after[group.Offset:group.Offset+group.Size]
						if !bytes.Equal(a, b) {
							t.Fatalf("%s: seat %d at %q: %s shows what is hidden: %v, and after a redeal %v", game, seat, m.Decision(), group.Name, a, b)
						}
					}
					changed = changed || !bytes.Equal(hidden, redealt)
				}
			})
			if !changed {
				t.Errorf("%s: no redeal changed the full view: %s has hidden information", game, name)
			}
		}
	}
}
