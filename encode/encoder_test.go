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
		"kuhn(seats=3)":              nil,
		"leduc":                      nil,
		"liars_dice(seats=6,dice=5)": {"rules.reset_quantity"},
		"liars_dice(seats=6,dice=5,bidding=reset_quantity)": nil,
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

// In every configuration of every game, with its rows of actions and their advice. The full view sees the difference.
func TestMatchesThatASeatCannotTellApartAreObservedAlike(t *testing.T) {
	for _, d := range engine.Definitions() {
		for i, game := range enginetest.Configurations(t, d.Name) {
			g, e := encodetest.Make(t, game)
			left, differ := 1000, false
			for p := range (enginetest.Twins{Game: g, Seed: uint64(i)}).All() {
				var views, rows, full [2][]uint8
				for k, m := range []engine.Match{p.A, p.B} {
					views[k], full[k] = make([]uint8, e.Schema().Size), make([]uint8, e.FullSchema().Size)
					e.Encode(m, p.Seat, views[k])
					e.EncodeFull(m, p.Seat, full[k])
					if p.Asked() {
						rows[k] = make([]uint8, m.Legal().Count()*e.ActionSize())
						e.EncodeActions(m, rows[k])
					}
				}
				alike(t, p, e.Schema(), views)
				alike(t, p, e.ActionSchema(), rows)
				differ = differ || !bytes.Equal(full[0], full[1])
				if left--; left == 0 {
					break
				}
			}
			if !differ {
				t.Errorf("%s: full views are alike too", game)
			}
		}
	}
}

// alike fails the test if what is observed of two matches that the seat cannot tell apart, by rows of a schema, is not the same.
func alike(t *testing.T, p *enginetest.Pair, s *encode.Schema, shown [2][]uint8) {
	t.Helper()
	if bytes.Equal(shown[0], shown[1]) {
		return
	}
	for at := 0; at < len(shown[0]); at += s.Size {
		for _, g := range s.Groups {
			from, to := at+g.Offset, at+g.Offset+g.Size
			if a, b := shown[0][from:to], shown[1][min(from, len(shown[1])):min(to, len(shown[1]))]; !bytes.Equal(a, b) {
				t.Fatalf("%v: row %d: %s shows what is hidden: %v, and in the other match %v", p, at/s.Size, g.Name, a, b)
			}
		}
	}
	t.Fatalf("%v: more rows in the other match", p)
}
