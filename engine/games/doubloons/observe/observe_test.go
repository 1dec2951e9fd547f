package observe_test

import (
	"bytes"
	"math/bits"
	"slices"
	"strconv"
	"testing"

	"github.com/privateer-rl/privateer/encode/encodetest"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// watchWhen is watch for the decisions that a test is about.
var places = []string{"self", "opponents[0]", "opponents[1]", "opponents[2]", "opponents[3]", "opponents[4]"}

// watch encodes every decision of random matches for every seat.
func watch(t *testing.T, game string, matches int, visit func(m engine.Match, s *doubloons.State, seat int, f encodetest.Features)) {
	t.Helper()
	watchWhen(t, game, matches, func(*doubloons.State) bool { return true }, visit)
}

func watchWhen(t *testing.T, game string, matches int, when func(s *doubloons.State) bool, visit func(m engine.Match, s *doubloons.State, seat int, f encodetest.Features)) {
	t.Helper()
	_, e := encodetest.Make(t, game)
	obs := make([]uint8, e.FullSchema().Size)
	encodetest.Play(t, game, matches, func(m engine.Match) {
		s := engine.State[doubloons.State](m)
		if !when(s) {
			return
		}
		for seat := range m.Info().Seats {
			e.EncodeFull(m, seat, obs)
			visit(m, s, seat, encodetest.Features{T: t, Schema: e.FullSchema(), Obs: obs})
		}
	})
}

func TestDoubloonsSeatsComeClockwiseFromTheObserver(t *testing.T) {
	watch(t, "doubloons(seats=5)", 2, func(m engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
		for k, name := range places {
			if k >= 5 {
				if f.One(name+".present") != 0 {
					t.Fatalf("%s is present", name)
				}
				continue
			}
			i := (seat + k) % 5
			sh := &s.Ships[i]
			if f.One(name+".present") != 1 || f.One(name+".hull") != int(sh.Hull) || f.One(name+".doubloons") != int(sh.Doubloons) ||
				f.Hot(name+".captain") != int(sh.Captain) || !bytes.Equal(f.Of(name+".fragments"), sh.Fragments[:]) ||
				f.One(name+".hand") != bits.OnesCount64(sh.Hand) || f.One(name+".decides") != int(engine.Bit(m.Seat() == i)) {
				t.Fatalf("%s of seat %d is not seat %d: %+v", name, seat, i, sh)
			}
			if crew := f.Of(name + ".crew"); bytes.Count(crew, []byte{1}) != int(sh.Crew) || bytes.Contains(crew, []byte{0, 1}) {
				t.Fatalf("%s: crew %v; want %d", name, crew, sh.Crew)
			}
		}
	})
}

func TestDoubloonsRegionsAreCountedFromTheOwnShip(t *testing.T) {
	placed := 0
	watch(t, "doubloons(seats=4)", 3, func(_ engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
		own := &s.Ships[seat]
		if own.Region < 0 {
			if f.Hot("frame.region") >= 0 || f.Hot("self.region") >= 0 {
				t.Fatal("a ship that is not placed has a region")
			}
			return
		}
		placed++
		if f.Hot("frame.region") != int(own.Region) || f.Hot("self.region") != 0 || f.One("frame.clockwise") != int(engine.Bit(own.Facing == doubloons.Clockwise)) {
			t.Fatalf("own ship: %v", f.Of("frame.region"))
		}
		for k := range doubloons.NumRegions {
			region := (int(own.Region) + k*int(own.Facing) + doubloons.NumRegions) % doubloons.NumRegions
			if water := f.Of("water")[k*doubloons.Whirlpool : (k+1)*doubloons.Whirlpool]; bytes.IndexByte(water, 1) != int(s.Water[region]) {
				t.Fatalf("water %d ahead: %v; want tile %d", k, water, s.Water[region])
			}
			for i := 1; i < 4; i++ {
				other := &s.Ships[(seat+i)%4]
				if int(other.Region) == region && (f.Hot(places[i]+".region") != k || f.One(places[i]+".facing") != int(engine.Bit(other.Facing == own.Facing))) {
					t.Fatalf("%s is %d regions ahead; encoded %v", places[i], k, f.Of(places[i]+".region"))
				}
			}
		}
	})
	if placed == 0 {
		t.Fatal("no ship was ever placed")
	}
}

// Turning the table does not change what a captain sees: seats, ships, cards.
func TestDoubloonsObservationsDoNotDependOnWhichSeatOneHas(t *testing.T) {
	const n = 4
	for _, game := range []string{"doubloons(seats=4)", "doubloons(seats=4,modules=alternate_island)"} {
		g, e := encodetest.Make(t, game)
		turned, still := g.NewMatch(), g.NewMatch()
		a, b := make([]uint8, e.FullSchema().Size), make([]uint8, e.FullSchema().Size)
		encodetest.Play(t, game, 4, func(m engine.Match) {
			state := *engine.State[doubloons.State](m)
			state.Depth, state.Frames = 0, [len(state.Frames)]doubloons.Frame{} // their arguments name seats
			put(t, still, state)
			for i := range n {
				state.Ships[(i+1)%n] = engine.State[doubloons.State](still).Ships[i]
			}
			state.Acquired = state.Acquired<<1&(1<<n-1) | state.Acquired>>(n-1)
			state.Initiative = (state.Initiative + 1) % n
			if state.Turn >= 0 {
				state.Turn = (state.Turn + 1) % n
			}
			put(t, turned, state)
			for seat := range n {
				e.EncodeFull(still, seat, a)
				e.EncodeFull(turned, (seat+1)%n, b)
				if !bytes.Equal(a, b) {
					t.Fatalf("seat %d sees another table once everybody has moved one seat on", seat)
				}
			}
		})
	}
}

// put gives a match of the test's own a state.
func put(t *testing.T, m engine.Match, s doubloons.State) {
	t.Helper()
	m.Reset(0)
	*engine.State[doubloons.State](m) = s
	if err := m.SetBytes(bytes.Clone(m.Bytes())); err != nil {
		t.Fatal(err)
	}
}

func TestDoubloonsCardsOfOthersAreInTheFullViewOnly(t *testing.T) {
	watch(t, "doubloons(seats=3)", 2, func(_ engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
		sight := s.Discard | s.Ships[seat].Hand
		own, deck := f.Of("self.hand_cards"), f.Of("hidden.deck")
		for c := range doubloons.NumCards {
			if own[c] != uint8(s.Ships[seat].Hand>>c&1) || deck[c] != uint8(s.Deck>>c&1) {
				t.Fatalf("card %d: own hand or deck are wrong", c)
			}
		}
		for k := 1; k < 3; k++ {
			other := &s.Ships[(seat+k)%3]
			for c := range doubloons.NumCards {
				if f.Of("hidden." + places[k] + ".hand_cards")[c] != uint8(other.Hand>>c&1) {
					t.Fatalf("%s: card %d", places[k], c)
				}
			}
			down := 0
			for slot, c := range other.Table {
				switch {
				case c < 0:
				case slot < int(s.Revealed):
					sight |= 1 << c
				default:
					down++
					if f.Of("hidden." + places[k] + ".programmed")[c] != uint8(slot+1) {
						t.Fatalf("%s: card %d lies face down in slot %d", places[k], c, slot)
					}
				}
			}
			if f.One(places[k]+".face_down") != down {
				t.Fatalf("%s has %d cards face down", places[k], down)
			}
		}
		for _, c := range s.Ships[seat].Table {
			if c >= 0 {
				sight |= 1 << c
			}
		}
		for c, v := range f.Of("cards.hidden") {
			if v > 0 && sight>>c&1 != 0 {
				t.Fatalf("card %d is in sight and said to be hidden", c)
			}
			if v == 2 && s.Deck>>c&1 != 0 {
				t.Fatalf("card %d is in the deck and said to be in a hand", c)
			}
		}
	})
}

func TestDoubloonsDecisionIsInTheObservation(t *testing.T) {
	var met [64]bool
	watch(t, "doubloons(seats=5,forced=show)", 40, func(m engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
		top := s.Top()
		if f.Hot("decision.kind") != int(top.Kind) {
			t.Fatalf("decision %d is encoded as %v", top.Kind, f.Of("decision.kind"))
		}
		met[top.Kind] = true
		back := func(place int) int8 { return int8((seat + place) % 5) }
		ok := true
		switch a := top.Arg; top.Kind {
		case doubloons.AskProgram, doubloons.AskAction, doubloons.AskBoard:
			ok = f.Hot("decision.slot") == int(a[0])
		case doubloons.AskMove:
			ok = bytes.Equal(f.Of("decision.moves"), []uint8{uint8(a[0]), uint8(a[1]), uint8(a[2]), uint8(a[3])})
		case doubloons.AskHutMove:
			ok = bytes.Equal(f.Of("decision.moves"), []uint8{0, uint8(a[1]), 0, uint8(a[2])}) && back(f.Hot("decision.enemy")) == a[0]
		case doubloons.AskReroll:
			ok = f.Hot("decision.face") == int(a[0])
			for k, name := range places[:5] {
				ok = ok && f.One(name+".struck") == int(a[1])>>back(k)&1
			}
		case doubloons.AskStealFragment, doubloons.AskStealJewel, doubloons.AskGive, doubloons.AskSextantOwn:
			ok = back(f.Hot("decision.enemy")) == a[0]
		case doubloons.AskSextantTheirs:
			ok = back(f.Hot("decision.enemy")) == a[0] && f.Hot("decision.symbol") == int(a[1])
		case doubloons.AskPay, doubloons.AskExploit:
			ok = f.Hot("decision.tile") == int(a[0])
		case doubloons.AskKeep:
			tiles := f.Of("decision.tile")
			ok = tiles[a[3]] == 1 && tiles[a[4]] == 1 && f.Hot("decision.colour") == int(a[0]) && f.One("decision.exploit") == int(engine.Bit(a[1] < 0))
		case doubloons.AskHut:
			ok = back(f.Hot("decision.resolver")) == a[0]
		case doubloons.AskGiver:
			ok = f.Hot("decision.tile") == int(a[0]) && back(f.Hot("decision.resolver")) == a[1]
		case doubloons.AskReceiver:
			ok = f.Hot("decision.tile") == int(a[0]) && back(f.Hot("decision.giver")) == a[1] && back(f.Hot("decision.resolver")) == a[2]
		}
		if !ok {
			t.Fatalf("the arguments of decision %d, %v, are not what is encoded", top.Kind, top.Arg)
		}
	})
	for k := doubloons.AskCaptain; k <= doubloons.AskGive; k++ {
		if !met[k] {
			t.Errorf("no match asked decision %d: play more of them", k)
		}
	}
}

// Whom one may Board is a feature before one chooses to; the engine has the last
// word on it.
func TestDoubloonsBoardableShipsAreThoseThatCanBeChosen(t *testing.T) {
	asked := 0
	watch(t, "doubloons(seats=4,forced=show)", 30, func(m engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
		if s.Top().Kind != doubloons.AskBoard || m.Seat() != seat {
			return
		}
		asked++
		for k := 1; k < 4; k++ {
			if f.One(places[k]+".boardable") != int(engine.Bit(m.Legal().Has(doubloons.ToSeat+engine.Action(k)))) {
				t.Fatalf("%s: boardable is %d, yet legal are %b", places[k], f.One(places[k]+".boardable"), *m.Legal())
			}
		}
	})
	if asked < 20 {
		t.Fatalf("only %d boardings were chosen", asked)
	}
}

func TestDoubloonsLandmarksAheadAreMarked(t *testing.T) {
	rules, _ := engine.RulesOf[doubloons.State, *doubloons.Rules](newGame(t, "doubloons").NewMatch())
	ahead := 0
	watch(t, "doubloons", 3, func(_ engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
		var laid, next []int
		node := s.Ships[seat].Node
		for n, tile := range s.Tiles {
			if tile < 0 {
				continue
			}
			laid = append(laid, int(tile))
			if slices.Contains(rules.Next[node][:rules.NextN[node]], uint8(n)) {
				next = append(next, int(tile))
			}
		}
		ahead += len(next)
		onIsland, oneAhead := f.Of("landmarks.laid"), f.Of("landmarks.next")
		for tile := range doubloons.NumLandmarks {
			if onIsland[tile] != engine.Bit(slices.Contains(laid, tile)) || oneAhead[tile] != engine.Bit(slices.Contains(next, tile)) {
				t.Fatalf("landmark %d; laid are %v, next %v", tile, laid, next)
			}
		}
	})
	if ahead == 0 {
		t.Fatal("no landmark ever lay ahead")
	}
}

func newGame(t *testing.T, game string) engine.Game {
	t.Helper()
	g, err := engine.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestDoubloonsLegendaryGhostShipIsInTheObservation(t *testing.T) {
	boardable := 0
	watch(t, "doubloons(seats=3,modules=legendary_ghost_ship)", 3, func(m engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
		sh := &s.Ships[doubloons.Legendary]
		if f.One("legendary.present") != 1 || f.One("legendary.doubloons") != int(sh.Doubloons) || !bytes.Equal(f.Of("legendary.jewels"), sh.Jewels[:]) ||
			!bytes.Equal(f.Of("legendary.fragments"), sh.Fragments[:]) || bytes.Count(f.Of("legendary.crew"), []byte{1}) != int(sh.Crew) {
			t.Fatalf("seat %d does not see the ship as it is: %+v", seat, sh)
		}
		if own := &s.Ships[seat]; sh.Region >= 0 && own.Region >= 0 {
			if ahead := (int(sh.Region-own.Region)*int(own.Facing) + 8) % 4; f.Hot("legendary.region") != ahead || f.One("legendary.facing") != int(engine.Bit(sh.Facing == own.Facing)) {
				t.Fatalf("seat %d in region %d sees it %d ahead; want %d", seat, own.Region, f.Hot("legendary.region"), ahead)
			}
		}
		if s.Top().Kind == doubloons.AskBoard && m.Seat() == seat {
			boardable += f.One("legendary.boardable")
			if f.One("legendary.boardable") != int(engine.Bit(m.Legal().Has(doubloons.ToLegendary))) {
				t.Fatalf("legendary.boardable is %d at: %s", f.One("legendary.boardable"), m.Decision())
			}
		}
	})
	if boardable == 0 {
		t.Error("nobody could board the ship in these matches")
	}
}

// Players see from their seat what the player would see who has
// always sat there, and know what lies hidden where they sat before.
func TestDoubloonsPlayersObserveFromWhereTheySit(t *testing.T) {
	swapped := 0
	watch(t, "doubloons(seats=3,modules=steal_ship)", 8, func(m engine.Match, s *doubloons.State, player int, f encodetest.Features) {
		rules, _ := engine.RulesOf[doubloons.State, *doubloons.Rules](m)
		seat := rules.SeatOf(s, player)
		sh := &s.Ships[seat]
		if f.One("self.hull") != int(sh.Hull) || f.Hot("self.captain") != int(sh.Captain) ||
			f.One("self.decides") != int(engine.Bit(m.Seat() == player)) || f.One("opponents[0].hull") != int(s.Ships[(seat+1)%3].Hull) {
			t.Fatalf("player %d does not see from seat %d, at: %s", player, seat, m.Decision())
		}
		for card, n := range f.Of("self.hand_cards") {
			if int(n) != int(sh.Hand>>card&1) {
				t.Fatalf("player %d sees another hand than that of seat %d", player, seat)
			}
		}
		for card, k := range f.Of("cards.known") {
			if k == 0 {
				continue
			}
			swapped++
			at := &s.Ships[(seat+int(k))%3]
			if s.Seen[player]>>card&1 == 0 || at.Hand>>card&1 == 0 && !slices.Contains(at.Table[s.Revealed:], int8(card)) {
				t.Fatalf("player %d does not know card %d at the seat %d places on", player, card, k)
			}
		}
	})
	if swapped == 0 {
		t.Error("no player left a seat in these matches")
	}
}

func TestDoubloonsHandsShowTheirFaces(t *testing.T) {
	watch(t, "doubloons(seats=3)", 2, func(m engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
		rules, _ := engine.RulesOf[doubloons.State, *doubloons.Rules](m)
		hand := s.Ships[seat].Hand
		for i := range 6 {
			name := "self.hand_faces[" + string(rune('0'+i)) + "]."
			if known := hand != 0; f.One(name+"known") == 1 != known {
				t.Fatalf("card %d of a hand of %d: known %d", i, bits.OnesCount64(s.Ships[seat].Hand), f.One(name+"known"))
			}
			if hand == 0 {
				continue
			}
			card := &rules.Cards[bits.TrailingZeros64(hand)]
			hand &= hand - 1
			for _, a := range card.Actions {
				if got := f.Of(name + "actions")[a.Icon]; got != 1+a.Plus {
					t.Fatalf("%s shows %s %d times", card.ID, a.Icon, got)
				}
			}
			if got := f.Of(name + "needs"); got[0] == 1 != (card.OwnNeeds != 0) || got[1] == 1 != (card.EnemyNeeds != 0) {
				t.Fatalf("%s needs %v", card.ID, got)
			}
		}
	})
}

func TestDoubloonsLandmarksLieWhereTheyLie(t *testing.T) {
	seen := map[string]bool{}
	watch(t, "doubloons(seats=4,modules=black_jewel+compass)", 6, func(m engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
		rules, _ := engine.RulesOf[doubloons.State, *doubloons.Rules](m)
		for i := range 16 {
			tile := s.Tiles[doubloons.NodeC1+i]
			name := "island.places[" + strconv.Itoa(i) + "]."
			colour := -1
			if tile >= 0 {
				colour = int(rules.LandmarkColour[tile])
				seen[strconv.Itoa(int(tile))] = true
			}
			if got := f.Hot(name + "colour"); got != colour {
				t.Fatalf("place %d shows colour %d; want %d", i, got, colour)
			}
			number := -1 // of those of its colour
			for other := 0; tile >= 0 && other <= int(tile); other++ {
				if int(rules.LandmarkColour[other]) == colour {
					number++
				}
			}
			if got := f.Hot(name + "number"); got != number {
				t.Fatalf("place %d shows landmark %d of its colour; want %d", i, got, number)
			}
		}
	})
	if len(seen) < 15 {
		t.Errorf("only %d landmarks were seen", len(seen))
	}
}

func TestDoubloonsSeatsShowWhenTheirTurnsCome(t *testing.T) {
	watch(t, "doubloons(seats=4)", 2, func(m engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
		rules, _ := engine.RulesOf[doubloons.State, *doubloons.Rules](m)
		for k, name := range places[:4] {
			if got, want := f.One(name+".order"), rules.TurnOf(s, (seat+k)%4); got != want {
				t.Fatalf("%s comes after %d seats; want %d", name, got, want)
			}
		}
	})
}
