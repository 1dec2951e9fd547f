package doubloons

import (
	"math"
	"math/bits"
	"reflect"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// What each part of a match is to a redeal. A part that is neither known to all nor dealt anew would tell a search, or
// a caller that asks for chances to win, what the seat must not know.
const (
	open = "all know it: it is a function of what all have seen"
	anew = "hidden, and dealt anew"
)

var parts = map[string]string{
	"Rand": anew, "Deck": anew,
	"Ships": anew, // of them hands and cards that lie face down
	"Seen":  anew, // except what the player itself has seen

	"Discard": open, "Old": open, "Water": open, "Tiles": open, "StackTop": open, "StackBottom": open, "StackLow": open, "UnseenFragments": open,
	"MapFragments": open, "MapSpecials": open, "Supply": open, "Island": open, "Pillage": open, "Jewels": open, "Relics": open, "BeachTotems": open,
	"RegionShells": open, "Round": open, "Phase": open, "Slot": open, "Revealed": open, "Turn": open, "Initiative": open, "Dug": open, "Ending": open,
	"Helm": open, "Left": open, "LeftCrater": open, "Unresolved": open, "Acquired": open, "Spare": open,
	"Stack": open, // all of it: see stackParts
}

// stackParts are the kinds of frame, each with its arguments. All know each frame that is on the stack and what it says: what is asked depends on
// nobody's hand, and tiles are drawn openly.
const stackParts = `
ask_captain
ask_place
ask_sextant
ask_sextant_own enemy
ask_sextant_theirs enemy own
ask_program slot
ask_move sail may_sail turn may_turn
ask_action slot
ask_high_water damage
ask_reroll face hit
ask_board slot
ask_steal_fragment enemy
ask_steal_jewel enemy
ask_hunt
ask_path
ask_stack
ask_draw_two colour place active
ask_keep colour place active first second
ask_exploit tile
ask_pay tile
ask_hut resolver
ask_hut_move enemy may_sail may_turn moved
ask_giver tile resolver
ask_receiver tile giver resolver
ask_give receiver
ask_compass slot
ask_mystic resolver
ask_black_jewel
ask_place_legendary
ask_give_legendary receiver
ask_totem
ask_duel
ask_duel_reroll face rival
ask_steal_totem rival
ask_shell
ask_steal_shell victims
ask_place_totem symbol
ask_place_shell symbol
ask_beach
ask_relic_swap tile
ask_relic_own tile enemy
ask_relic_theirs tile enemy own
roll_initiative
draw_water region
deal_fragment
draw_card
roll_die hit again
draw_map
draw_landmark colour place active first two
draw_jewel
roll_jewel
draw_relic placed
roll_duel rival again
lose_shell victims
do_round
do_in_order step done slot
do_round_tile
do_draw_up
do_program
do_reveal slot
do_turn slot
do_move sail may_sail turn may_turn
do_turn_end
do_advance
do_resolve tile place active
do_bottom tile
do_hull amount
do_hut_damage
do_reaction boarded
do_jewels number
do_pillage
do_round_end
do_award
do_dig_end
do_redemption
do_cleanup
do_legendary_setup
do_legendary_turn part
do_relic placed
do_duel
do_landmark
do_mists
`

// A new field, kind of frame or argument is to be written down above, and held to it.
func TestEveryPartOfAMatchIsKnownToAllOrDealtAnew(t *testing.T) {
	state := reflect.TypeFor[State]()
	for i := range state.NumField() {
		if name := state.Field(i).Name; parts[name] == "" {
			t.Errorf("State.%s: say what it is to a redeal", name)
		}
	}
	var kinds []string
	for k := Kind(1); k != 0; k++ {
		if name := widest.Name(k); name != "" {
			kinds = append(kinds, strings.Join(append([]string{name}, Arguments(k)...), " "))
		}
	}
	check(t, "kinds of frame and their arguments, by number", strings.Join(kinds, "\n"), strings.TrimSpace(stackParts))
}

// In every edition and with every module: what all know stays as it is in a redeal.
func TestARedealKeepsWhatAllKnow(t *testing.T) {
	for k, params := range []string{"seats=2", "seats=6", "seats=3,modules=" + onStandardIsland.String(), "seats=4,modules=" + allModules.String(), "seats=3,edition=v2.0",
		"seats=2,edition=v2.0,modules=alternate_island", "seats=2,edition=v1.9.7", "seats=4,edition=v1.9.8,modules=black_jewel"} {
		g, err := engine.NewGame("doubloons(chance=explicit," + params + ")")
		if err != nil {
			t.Fatal(err)
		}
		left := 100
		for p := range (enginetest.Twins{Game: g, Seed: uint64(k)}).All() {
			a, b := p.Redealt()
			was, one, other := engine.State[State](p.A), engine.State[State](a), engine.State[State](b)
			for name, what := range parts {
				if before, is := part(was, name), part(one, name); what == open && before != is {
					t.Fatalf("%v: a redeal changes %s, which all know:\n%v\n%v", p, name, before, is)
				}
				if is, alike := part(one, name), part(other, name); is != alike {
					t.Fatalf("%v: %s is redealt by what the seat does not know:\n%v\n%v", p, name, is, alike)
				}
			}
			if left--; left == 0 {
				break
			}
		}
	}
}

// part is a field of a state.
func part(s *State, name string) any { return reflect.ValueOf(s).Elem().FieldByName(name).Interface() }

// What a player has seen at a seat that it left, the others know as long as the round lasts; of what is left of it later the truth has no say.
func TestWhatOthersHaveSeenIsRedealtByWhatAllKnow(t *testing.T) {
	enginetest.Clause(t, "STEAL-11", "KNOW-1")
	m := raid(t, 3).do(steal).m
	info, once, later := m.Info(), 0, 0
	g, err := engine.NewGame(info.Config)
	if err != nil {
		t.Fatal(err)
	}
	a, b := g.NewMatch(), g.NewMatch()
	for rand := engine.NewRand(1); m.Seat() != engine.Over && later < 60; {
		s := engine.State[State](m)
		for player := range info.Seats {
			a.CopyFrom(m)
			b.CopyFrom(m)
			b.Redeal(player, &rand)
			r := rand.Split()
			again := r
			a.Redeal(player, &r)
			b.Redeal(player, &again)
			if !a.Equal(b) {
				t.Fatalf("round %d: two matches that player %d cannot tell apart are dealt anew to different ones", s.Round, player)
			}
			for p, seats := range engine.State[State](a).Left {
				if dealt := engine.State[State](a); p != player && dealt.Seen[p] != dealt.hiddenAt(seats) {
					t.Fatalf("player %d has left the seats %v in this round, and seen %v", p, seatList(seats), cardList(dealt.Seen[p]))
				}
			}
			if s.Left != [MaxSeats]uint8{} {
				once++
			} else if s.Seen != [MaxSeats]uint64{} {
				later++
			}
		}
		a := m.SampleChance()
		if m.Seat() >= 0 {
			a = m.Legal().Sample(&rand)
		}
		if err := m.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	if once == 0 || later == 0 {
		t.Errorf("%d redeals in the round of a swap, %d later", once, later)
	}
}

// Any card that may be in a place is as likely there as any other: at moments with few enough ways in which the cards that a seat of
// two does not see can lie, all ways are listed, and redeals reach each as often.
func TestARedealComesAsOftenAsItIsLikely(t *testing.T) {
	enginetest.Clause(t, "KNOW-1", "KNOW-3")
	const (
		most    = 200    // ways
		each    = 40     // redeals of each
		moments = 15     // looked at, and as many with cards from before a reshuffle
		decided = 20_000 // at most, to find them
	)
	g, err := engine.NewGame("doubloons(seats=2)")
	if err != nil {
		t.Fatal(err)
	}
	m, world, rand := g.NewMatch(), g.NewMatch(), engine.NewRand(8)
	m.Reset(1)
	var looked [2]int // without such cards, and with them
	for n := 0; n < decided && min(looked[0], looked[1]) < moments; n++ {
		if m.Seat() == engine.Over {
			m.Reset(uint64(n))
		}
		s := engine.State[State](m)
		for seat := range 2 {
			of := &looked[engine.Bit(s.Old&s.Hidden(1-seat) != 0)]
			if *of == moments || rand.Intn(3) > 0 {
				continue
			}
			ways := waysToLie(s, 1-seat)
			if len(ways) < 2 || len(ways) > most {
				continue
			}
			*of++
			for range each * len(ways) {
				world.CopyFrom(m)
				world.Redeal(seat, &rand)
				w := engine.State[State](world)
				way := lying{w.Ships[1-seat].Hand, w.Ships[1-seat].Table}
				if _, can := ways[way]; !can {
					t.Fatalf("seat %d at %q: a redeal in which cards lie as they cannot: %v", seat, m.Decision(), way)
				}
				ways[way]++
			}
			chi, free := 0.0, float64(len(ways)-1)
			for _, n := range ways {
				chi += float64((float64(n)-each)*(float64(n)-each)) / each
			}
			if chi > free+6*math.Sqrt(2*free)+6 {
				t.Errorf("seat %d at %q: of %d ways redeals do not reach all as often: chi square %.1f", seat, m.Decision(), len(ways), chi)
			}
		}
		if err := m.Apply(m.Legal().Sample(&rand)); err != nil {
			t.Fatal(err)
		}
	}
	if min(looked[0], looked[1]) < moments {
		t.Errorf("only %v moments were looked at without cards from before a reshuffle, and with them", looked)
	}
}

// lying is how a ship's cards lie that nobody else sees.
type lying struct {
	hand  uint64
	table [NumSlots]int8
}

// waysToLie are all ways in which a ship's hidden cards can: as many from before the last reshuffle as there are, each place with any
// card that nobody sees. It stops when there are many.
func waysToLie(s *State, seat int) map[lying]int {
	ship, ways := &s.Ships[seat], map[lying]int{}
	unseen := s.Hidden(seat) | s.Deck
	old := bits.OnesCount64(s.Hidden(seat) & s.Old)
	var down []int
	for k, c := range ship.Table {
		if k >= int(s.Revealed) && c != noCard {
			down = append(down, k)
		}
	}
	held := bits.OnesCount64(ship.Hand)
	var lay func(at int, from uint64, way lying)
	lay = func(at int, from uint64, way lying) {
		if len(ways) > 1000 {
			return
		}
		if at < len(down) {
			for set := from; set != 0; set &= set - 1 {
				next := way
				next.table[down[at]] = int8(bits.TrailingZeros64(set))
				lay(at+1, from&^(set&-set), next)
			}
			return
		}
		var hand func(from uint64, left int, way lying)
		hand = func(from uint64, left int, way lying) {
			if len(ways) > 1000 {
				return
			}
			if left == 0 {
				all := way.hand
				for _, k := range down {
					all |= 1 << way.table[k]
				}
				if bits.OnesCount64(all&s.Old) == old {
					ways[way] = 0
				}
				return
			}
			for set := from; set != 0; set &= set - 1 {
				next := way
				next.hand |= set & -set
				hand(set&(set-1), left-1, next)
			}
		}
		hand(from, held, way)
	}
	lay(0, unseen, lying{table: ship.Table})
	return ways
}
