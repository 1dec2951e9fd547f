package observe_test

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/privateer-rl/privateer/encode/encodetest"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// islandLocations are the locations in the order of island.ways; from the fifth on
// that of island.tiles.
var islandLocations = func() (nodes []int) {
	for n := range doubloons.NumNodes {
		if n != doubloons.NodeV6 && n != doubloons.NodeM {
			nodes = append(nodes, n)
		}
	}
	return nodes
}()

// path is the path of a location, by its place in the groups *.path, and its
// number there.
func path(n int) (path, number int) {
	switch {
	case n == doubloons.NodeX:
		return 5, 1
	case n >= doubloons.NodeT1:
		return 4, n - doubloons.NodeT1 + 1
	case n >= doubloons.NodeP1:
		return 3, n - doubloons.NodeP1 + 1
	case n >= doubloons.NodeV1:
		return 2, n - doubloons.NodeV1 + 1
	case n >= doubloons.NodeC1:
		return 1, n - doubloons.NodeC1 + 1
	}
	return 0, n + 1
}

func TestAlternateIslandIsInTheObservation(t *testing.T) {
	open, tiles := 0, 0
	decision := 0
	someOf := func(*doubloons.State) bool { decision++; return decision%5 == 0 }
	watchWhen(t, "doubloons(seats=4,modules=alternate_island)", 3, someOf, func(m engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
		if f.One("game.alternate") != 1 {
			t.Fatal("the observation does not say that the alternate island is played")
		}
		rules, _ := engine.RulesOf[doubloons.State, *doubloons.Rules](m)
		for i, n := range islandLocations[doubloons.NumAlternateRegions:] {
			number := 0
			for digit, v := range f.Of("island.tiles")[6*i : 6*i+6] {
				number |= int(v) << digit
			}
			if number != int(s.Tiles[n])+1 {
				t.Fatalf("location %d: tile %d; encoded as %d", n, s.Tiles[n], number)
			}
			tiles += int(engine.Bit(number > doubloons.BurialGrounds))
		}
		left := [2]int{}
		for kind := range left {
			for sym := range doubloons.NumSymbols {
				left[kind] += int(s.Relics[kind][sym])
				if f.Of("map.crater")[kind*doubloons.NumSymbols+sym] != s.Relics[kind][sym] {
					t.Fatalf("relics that nobody has seen: %v; want %v", f.Of("map.crater"), s.Relics)
				}
			}
		}
		if isOpen := left[0]+left[1] == 24-4*4; f.One("crater.open") != int(engine.Bit(isOpen)) {
			t.Fatalf("crater.open is %d with %d relics that nobody has seen", f.One("crater.open"), left[0]+left[1])
		}
		open += f.One("crater.open")
		var scores [16]int32
		for k := range 4 {
			i, name := (seat+k)%4, places[k]
			sh := &s.Ships[i]
			rules.Scores(s, engine.Full, i, scores[:])
			if !bytes.Equal(f.Of(name+".totems"), sh.Totems[:]) || !bytes.Equal(f.Of(name+".shells"), sh.Shells[:]) || f.One(name+".sets") != int(scores[8]) {
				t.Fatalf("%s: totems %v, shells %v, %d points of sets; want those of %+v, %d", name,
					f.Of(name+".totems"), f.Of(name+".shells"), f.One(name+".sets"), sh, scores[8])
			}
			if sh.Region < 0 {
				continue
			}
			if p, number := path(int(sh.Node)); f.Hot(name+".path") != p || f.Hot(name+".step_is") != number-1 || f.One(name+".step") != number {
				t.Fatalf("%s: captain at %d: path %v, step %d, %v", name, sh.Node, f.Of(name+".path"), f.One(name+".step"), f.Of(name+".step_is"))
			}
			if f.One(name+".distance") != int(rules.AlternateDistance[sh.Node]) {
				t.Fatalf("%s: captain at %d is %d from the crater", name, sh.Node, f.One(name+".distance"))
			}
		}
	})
	if open == 0 || tiles == 0 {
		t.Errorf("in these matches the crater opened %d times and %d ruins lay: play more of them", open, tiles)
	}
}

func TestAlternateRegionsAreCountedFromTheOwnShip(t *testing.T) {
	const n = doubloons.NumAlternateRegions
	totems, shells, far := 0, 0, 0
	decision := 0
	someOf := func(*doubloons.State) bool { decision++; return decision%5 == 0 }
	watchWhen(t, "doubloons(seats=6,modules=alternate_island)", 3, someOf, func(_ engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
		own := &s.Ships[seat]
		if own.Region < 0 {
			return
		}
		for k := range n {
			region := (int(own.Region) + k*int(own.Facing) + n) % n
			if water := f.Of("water")[k*doubloons.Whirlpool : (k+1)*doubloons.Whirlpool]; bytes.IndexByte(water, 1) != int(s.Water[region]) {
				t.Fatalf("water %d ahead: %v; want tile %d", k, water, s.Water[region])
			}
			of := func(group string) []byte {
				return f.Of(group)[k*doubloons.NumSymbols : (k+1)*doubloons.NumSymbols]
			}
			if !bytes.Equal(of("beaches.totems"), s.BeachTotems[region][:]) || !bytes.Equal(of("regions.shells"), s.RegionShells[region][:]) {
				t.Fatalf("%d ahead lie totems %v, shells %v; want %v, %v", k, of("beaches.totems"), of("regions.shells"), s.BeachTotems[region], s.RegionShells[region])
			}
			totems += len(bytes.Trim(of("beaches.totems"), "\x00"))
			shells += len(bytes.Trim(of("regions.shells"), "\x00"))
			for i := 1; i < 6; i++ {
				if other := &s.Ships[(seat+i)%6]; int(other.Region) == region {
					if f.Hot(places[i]+".region") != k || f.One(places[i]+".facing") != int(engine.Bit(other.Facing == own.Facing)) {
						t.Fatalf("%s is %d regions ahead; encoded %v", places[i], k, f.Of(places[i]+".region"))
					}
					far += int(engine.Bit(k == n-1))
				}
			}
		}
	})
	if totems == 0 || shells == 0 || far == 0 {
		t.Errorf("totems lay at %d beaches, shells in %d regions, ships %d times in the last region: play more matches", totems, shells, far)
	}
}

// Where a captain may Advance is a feature before it does; the engine has the last
// word on it.
func TestWaysOnTheAlternateIslandAreThoseThatCanBeChosen(t *testing.T) {
	for _, game := range []string{"doubloons(seats=4,modules=alternate_island,forced=show)", "doubloons(seats=3,edition=v2.0,modules=alternate_island,forced=show)"} {
		asked, crater, left := 0, 0, 0
		asksPath := func(s *doubloons.State) bool { return s.Top().Kind == doubloons.AskPath }
		watchWhen(t, game, 12, asksPath, func(m engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
			left += f.One("self.left_crater")
			if f.One("self.left_crater") != int(s.LeftCrater>>seat&1) {
				t.Fatalf("%s: left_crater is %d; the captains who left are %b", game, f.One("self.left_crater"), s.LeftCrater)
			}
			if m.Seat() != seat {
				return
			}
			asked++
			next := make([]byte, doubloons.NumLandmarks)
			for i, n := range islandLocations {
				legal := m.Legal().Has(doubloons.ToNode + engine.Action(n))
				if f.Of("island.ways")[i] != engine.Bit(legal) {
					t.Fatalf("%s: the way to location %d is %d, yet legal are %b", game, n, f.Of("island.ways")[i], *m.Legal())
				}
				if legal && s.Tiles[n] >= 0 {
					next[s.Tiles[n]] = 1
				}
				crater += int(engine.Bit(legal && n == doubloons.NodeX))
			}
			if !bytes.Equal(next, f.Of("landmarks.next")) {
				t.Fatalf("%s: landmarks one space ahead: %v; want %v", game, f.Of("landmarks.next"), next)
			}
		})
		if asked < 100 || crater == 0 {
			t.Errorf("%s: %d ways were chosen, %d with one to the crater: play more matches", game, asked, crater)
		}
		if game[12] == '3' && left == 0 {
			t.Errorf("%s: nobody left the crater: play more matches", game)
		}
	}
}

func TestDecisionsOfTheAlternateIslandAreInTheObservation(t *testing.T) {
	const seats = 5
	var met [64]bool
	several := 0
	others := 0
	islands := func(s *doubloons.State) bool { // decisions, and some others to tell them from
		others++
		return s.Top().Kind >= doubloons.FirstIslandKind || others%20 == 0
	}
	watchWhen(t, fmt.Sprintf("doubloons(seats=%d,modules=legendary_ghost_ship+alternate_island,forced=show)", seats), 25, islands, func(m engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
		top := s.Top()
		if top.Kind < doubloons.FirstIslandKind || m.Seat() < 0 {
			if f.Hot("decision.island_kind") >= 0 || f.Hot("decision.relic") >= 0 || f.One("decision.count") != 0 {
				t.Fatalf("decision %d is encoded as one of the island's", top.Kind)
			}
			return
		}
		met[top.Kind] = true
		ship := func(place int) int8 {
			if place == doubloons.Legendary {
				return doubloons.Legendary
			}
			return int8((seat + place) % seats)
		}
		a, relic, ok := top.Arg, -1, true
		switch top.Kind {
		case doubloons.AskTotem:
			relic = 0
		case doubloons.AskShell:
			relic = 1
		case doubloons.AskDuelReroll:
			ok = f.Hot("decision.face") == int(a[0]) && ship(f.Hot("decision.enemy")) == a[1]
		case doubloons.AskStealTotem:
			relic = 0
			ok = ship(f.Hot("decision.enemy")) == a[0]
		case doubloons.AskStealShell:
			relic = 1
			set := 0
			for k, name := range places[:seats] {
				set |= f.One(name+".struck") << ship(k)
			}
			ok = set == int(a[0]) && ship(f.Hot("decision.enemy")) == int8(bits.TrailingZeros(uint(set))) &&
				f.One("decision.count") == bits.OnesCount(uint(set))-1
			several += int(engine.Bit(f.One("decision.count") > 0))
		case doubloons.AskPlaceTotem, doubloons.AskPlaceShell:
			relic = int(engine.Bit(top.Kind == doubloons.AskPlaceShell))
			ok = f.Hot("decision.symbol") == int(a[0]) && f.One("decision.count") <= 1
		case doubloons.AskRelicSwap, doubloons.AskRelicOwn, doubloons.AskRelicTheirs:
			relic = int(engine.Bit(a[0] == doubloons.MoonlitLake))
			ok = f.Hot("decision.tile") == int(a[0])
			if top.Kind != doubloons.AskRelicSwap {
				ok = ok && ship(f.Hot("decision.enemy")) == a[1]
			}
			if top.Kind == doubloons.AskRelicTheirs {
				ok = ok && f.Hot("decision.symbol") == int(a[2])
			}
		}
		if f.Hot("decision.kind") >= 0 || f.Hot("decision.island_kind") != int(top.Kind-doubloons.FirstIslandKind) || f.Hot("decision.relic") != relic || !ok {
			t.Fatalf("seat %d: decision %d, %v, is not what is encoded", seat, top.Kind, top.Arg)
		}
	})
	for k := doubloons.AskTotem; k <= doubloons.AskRelicTheirs; k++ {
		if !met[k] {
			t.Errorf("no match asked decision %d: play more of them", k)
		}
	}
	if several == 0 {
		t.Error("no attack took several shells: play more matches")
	}
}

func TestRelicsCanBeSwappedWithTheLegendaryGhostShip(t *testing.T) {
	g, e := encodetest.Make(t, "doubloons(seats=3,modules=legendary_ghost_ship+alternate_island)")
	m := g.NewMatch()
	m.Reset(1)
	state := *engine.State[doubloons.State](m)
	state.Frames[state.Depth-1] = doubloons.Frame{Kind: doubloons.AskRelicOwn, Seat: 1, Arg: [6]int8{doubloons.DecayingTemple, doubloons.Legendary}}
	*engine.State[doubloons.State](m) = state
	obs := make([]uint8, e.Schema().Size)
	e.Encode(m, 1, obs)
	f := encodetest.Features{T: t, Schema: e.Schema(), Obs: obs}
	if f.Hot("decision.enemy") != doubloons.Legendary || f.Hot("decision.tile") != doubloons.DecayingTemple || f.Hot("decision.relic") != 0 {
		t.Errorf("a totem is given the legendary ghost ship; encoded are enemy %v, relic %v", f.Of("decision.enemy"), f.Of("decision.relic"))
	}
}

// Of two relics that a ruin places the first is placed while the second is still to
// come, as long as the crater has it.
func TestRelicsStillToBePlacedAreCounted(t *testing.T) {
	counts := [2]int{}
	last := -1
	places := func(s *doubloons.State) bool {
		k := s.Top().Kind
		return last >= 0 || k == doubloons.AskPlaceTotem || k == doubloons.AskPlaceShell
	}
	watchWhen(t, "doubloons(seats=4,modules=alternate_island,forced=show)", 6, places, func(m engine.Match, s *doubloons.State, seat int, f encodetest.Features) {
		if m.Seat() != seat {
			return
		}
		k, count := s.Top().Kind, f.One("decision.count")
		if last == 1 && (k != doubloons.AskPlaceTotem && k != doubloons.AskPlaceShell || count != 0) {
			t.Fatalf("a relic was still to be placed, and then came decision %d, with %d to come", k, count)
		}
		if last = -1; k == doubloons.AskPlaceTotem || k == doubloons.AskPlaceShell {
			last = count
			counts[count]++
		}
	})
	if counts[0] == 0 || counts[1] == 0 {
		t.Errorf("%v relics were placed with none and one to come: play more matches", counts)
	}
}

// All that the island adds can be seen in some match.
func TestEveryGroupOfTheAlternateIslandIsFilledInPlay(t *testing.T) {
	for game, groups := range map[string][]string{
		"doubloons(seats=6,modules=legendary_ghost_ship+alternate_island)": {
			"game.alternate", "map.crater", "beaches.totems", "regions.shells", "legendary.totems", "legendary.shells", "island.tiles",
			"opponents[4].totems", "opponents[4].shells", "opponents[4].step_is", "opponents[4].sets", "decision.island_kind", "decision.relic",
			"decision.count", "crater.open", "island.ways", "self.sets", "self.tracker_moved", "opponents[4].tracker_moved",
		},
		"doubloons(seats=3,edition=v1.9.8,modules=alternate_island)": {"opponents[1].left_crater", "water.whirlpool"},
	} {
		missing := slices.Clone(groups)
		watchWhen(t, game, 20, func(*doubloons.State) bool { return len(missing) > 0 }, func(_ engine.Match, _ *doubloons.State, _ int, f encodetest.Features) {
			missing = slices.DeleteFunc(missing, func(name string) bool {
				return slices.ContainsFunc(f.Of(name), func(v uint8) bool { return v > 0 })
			})
		})
		if len(missing) > 0 {
			t.Errorf("%s: never filled in play: %q", game, missing)
		}
	}
}

// What one may not take by a compass, and whose tracker an action has moved, is seen.
func TestUnresolvedCaptainCardsAndMovedTrackersAreInTheObservation(t *testing.T) {
	at := func(game, position string) encodetest.Features {
		t.Helper()
		g, e := encodetest.Make(t, game)
		m := g.NewMatch()
		if err := m.SetPosition([]byte(position)); err != nil {
			t.Fatal(err)
		}
		obs := make([]uint8, e.Schema().Size)
		e.Encode(m, 0, obs)
		return encodetest.Features{T: t, Schema: e.Schema(), Obs: obs}
	}
	for list, want := range map[string]uint8{`[]`: 0, `["C08"]`: 1} {
		f := at("doubloons(seats=2,modules=compass,forced=show)", `{"unresolved": `+list+`, "dug": true, "slot": 2,
			"ships": [{"crew": 1, "table": ["N01", "N02"]}, {"table": ["C08", "N33"]}]}`)
		for k, got := range f.Of("cards.unresolved") {
			if got != want*engine.Bit(k == 7) {
				t.Errorf("unresolved %s: captain card %d is encoded as %d", list, k+1, got)
			}
		}
	}
	for list, want := range map[string]int{`[]`: 0, `[0]`: 1} {
		f := at("doubloons(seats=2,modules=alternate_island,forced=show)", `{"dug": true, "acquired": `+list+`,
			"water": ["coral_reef", "rip_current", "fog", "rip_current", "the_shallows"],
			"ships": [{"captain_at": "B2", "track": 1, "table": ["N13"], "totems": {}}, {"captain_at": "B2", "region": 2, "totems": {"x": 1}}],
			"stack": [{"kind": "roll_duel", "seat": 1, "rival": 0}, {"kind": "ask_steal_totem", "seat": 0, "rival": 1}]}`)
		if f.One("self.tracker_moved") != want || f.One("opponents[0].tracker_moved") != 0 {
			t.Errorf("acquired %s: own tracker %d, the other's %d", list, f.One("self.tracker_moved"), f.One("opponents[0].tracker_moved"))
		}
	}
}

func TestAWayOnTheAlternateIslandSaysWhatLiesThereAndBeyond(t *testing.T) {
	ruins, red, laid := 0, 0, 0
	for _, m := range decisions(t, "doubloons(seats=4,modules=alternate_island)", 200)[doubloons.AskPath] {
		s := engine.State[doubloons.State](m)
		rules, _ := engine.RulesOf[doubloons.State, *doubloons.Rules](m)
		for a, f := range rowsOf(t, m) {
			if a == doubloons.ToStay {
				continue
			}
			node := a - doubloons.ToNode
			want := make([]byte, doubloons.NumLandmarks)
			for _, next := range rules.AlternateNext[node][:rules.AlternateNextN[node]] {
				if tile := s.Tiles[next]; tile >= 0 {
					want[tile] = 1
					laid++
				}
			}
			if !bytes.Equal(f.Of("action.beyond"), want) {
				t.Fatalf("%s: beyond lie %v; want %v", m.Info().ActionName(a), f.Of("action.beyond"), want)
			}
			switch worth := f.One("action.most.hunt"); rules.Colour[node] {
			case doubloons.ColourGreen:
				ruins++
				if rules.InCrater(s) > 0 && worth < 16 {
					t.Fatalf("%s leads to a ruin, and brings %d 16ths of a point: want a relic's", m.Info().ActionName(a), worth)
				}
			case doubloons.ColourRed:
				red += int(engine.Bit(worth < 16))
			}
		}
	}
	if ruins == 0 || red == 0 || laid == 0 {
		t.Errorf("%d ruins, %d poor ways, %d landmarks beyond: play more matches", ruins, red, laid)
	}
}

// Where a shell lies a Pillage brings more than where none does.
func TestAPillageOnTheAlternateIslandBringsTheShellsOfItsRegion(t *testing.T) {
	with := 0
	for _, m := range decisions(t, "doubloons(seats=4,modules=alternate_island)", 400)[doubloons.AskAction] {
		for a, f := range rowsOf(t, m) {
			if a != doubloons.ToDo+engine.Action(doubloons.IconPillage) {
				continue
			}
			g, _ := encodetest.Make(t, m.Info().Config)
			other := g.NewMatch()
			other.CopyFrom(m)
			s := engine.State[doubloons.State](other)
			region := s.Ships[s.Top().Seat].Region
			if s.RegionShells[region] == [doubloons.NumSymbols]uint8{} {
				continue
			}
			with++
			s.RegionShells[region] = [doubloons.NumSymbols]uint8{}
			if got, less := f.One("action.most.coins"), rowsOf(t, other)[a].One("action.most.coins"); got < less+16 && got < 255 {
				t.Fatalf("with a shell it brings %d 16ths, without %d: want a point more", got, less)
			}
		}
	}
	if with == 0 {
		t.Error("nobody pillaged where a shell lay: play more matches")
	}
}
