package doubloons

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// "Alternate Island Adventure": the other side of the board, with five regions, a
// beach in each, and the Mücevher Crater in the middle. This file follows its pages: set-up,
// the Hunt action, captain duels, the crater, the end-game tracker, scoring. Tribal
// Ruins and relics are in adventure_relics.go.

// furnishIsland lays out the other side of the board: its regions and locations, its cards and landmarks, a map stack of
// special tiles only, and the relics in the crater.
// Clauses ISL-1, ISL-2, ISL-3, ISL-4, ISL-6, ISL-7, ISL-14.
func furnishIsland(r *Rules) {
	r.regions, r.stacks = NumAlternateRegions, NumColours
	r.toGoal, r.chart = &r.AlternateDistance, r.AlternateWaterChart[r.chartRow()][:]
	copy(r.mistsMove[:], r.AlternateMistsMove[r.chartRow()][:])
	r.beaches, r.stays, r.share, r.picture = NumAlternateRegions, true, (*Rules).CraterJewels, (*Rules).renderAdventure
	r.normal |= r.Edition.GreenCards
	r.landmarkSet |= allRuins
	r.SpecialsInPlay = r.AlternateSpecials
	if !r.Edition.FragmentsByPlayers {
		r.symbols = NumSymbols
	}
	r.dealt = int(r.AlternateDeal)
	r.removed = r.symbols*int(r.FragmentsPerSymbol) - r.dealt*r.seats
	r.prizes = r.prizes[:min(len(r.prizes), mostCompleteMap)] // its sets take the place of that prize
	boxed := sum(&r.Totems) + sum(&r.Shells) - int(r.RelicsPerPlayer)*r.seats
	if len(r.fleet) > r.seats {
		r.giftRelics = legendaryRelics // put aside before the crater is filled
		boxed -= legendaryRelics
	}
	r.boxed = max(0, boxed)
	r.afterWater = append(r.afterWater, frame(DoMists, 0))
	r.scorings = append(r.scorings,
		scoring{ScoreRelics, func(_ *Rules, s *State, seat int) int32 { return s.Ships[seat].relicPoints() }},
		scoring{ScoreSets, func(_ *Rules, s *State, seat int) int32 { return s.Ships[seat].SetPoints() }})
	r.below[AlternateIsland] = (*Rules).relicsDrawn
}

func emptyIsland(r *Rules) { r.Totems, r.Shells = [NumSymbols]uint8{}, [NumSymbols]uint8{} }

// InCrater is how many relics the crater holds. Which of those that nobody has seen
// they are is settled when they are drawn.
func (r *Rules) InCrater(s *State) int {
	return sum(&s.Relics[0]) + sum(&s.Relics[1]) - r.boxed
}

// moveMists swaps Mists of Morgana with the next group 3 tile clockwise, where
// the chart says that it must not lie.
// Clause ISL-8.
func (r *Rules) moveMists(s *State) {
	chart := r.chart
	for region, t := range s.Water[:r.regions] {
		if t != MistsOfMorgana || !r.mistsMove[region] {
			continue
		}
		for k := 1; k < r.regions; k++ {
			if other := (region + k) % r.regions; chart[other] == Group3 {
				s.Water[region], s.Water[other] = s.Water[other], t
				r.note(HasMovedMists, 0, region, other)
				return
			}
		}
	}
}

// ToGoal is the number of Advances from a location to the goal of the island that is played: the mount, or the
// crater. It is Unreached for a location that the island does not have.
func (r *Rules) ToGoal(node int) uint8 { return r.toGoal[node] }

// has reports whether the island that is played has a location.
func (r *Rules) has(node int) bool { return r.toGoal[node] != Unreached }

// landing is where the captain of a ship lands that is placed in a region: on the beach of that region, of those that
// the island has. There is no duel at set-up.
// Clauses DRAFT-2, ISL-5.
func (r *Rules) landing(region int8) int8 { return NodeB1 + region%int8(r.beaches) }

// Hunt action.

// Ways is the set of locations, by number, that a captain may Advance to: all locations connected
// with its own, and the crater only once it has been unlocked. A captain at the crater waits there for
// the jewels.
// Clauses ISL-9, CRATER-1, CRATER-2, CRATER-7.
func (r *Rules) Ways(s *State, seat int) (set uint32) {
	node := s.Ships[seat].Node
	if node == NodeX && !s.Dug {
		return 0
	}
	for _, next := range r.AlternateNext[node][:r.AlternateNextN[node]] {
		if next == NodeX && (r.InCrater(s) > 0 || s.LeftCrater>>seat&1 != 0) {
			continue
		}
		set |= 1 << next
	}
	return set
}

// walk asks where a captain Advances to. One whose only way leads to a closed crater waits.
func (r *Rules) walk(s *State, seat int) {
	if r.Ways(s, seat) != 0 {
		s.Push(frame(AskPath, seat))
	}
}

func (r *Rules) legalWays(s *State, seat int, m *engine.Mask) {
	for set := r.Ways(s, seat); set != 0; set &= set - 1 {
		m.Set(ToNode + engine.Action(bits.TrailingZeros32(set)))
	}
	if r.mayRemain(s, seat) {
		m.Set(ToStay)
	}
}

// mayRemain reports whether a captain may stay at the crater when able to move off it.
// Clause CRATER-8.
func (r *Rules) mayRemain(s *State, seat int) bool {
	return s.Ships[seat].Node == NodeX && !r.Edition.CraterOnce
}

// reach moves a captain, who may take a totem there, then duels with a captain who is
// there, then resolves the landmark.
// Clauses RUIN-8, DUEL-5, DUEL-6, CRATER-12, CRATER-14.
func (r *Rules) reach(s *State, seat, node int) {
	sh := &s.Ships[seat]
	if sh.Node == NodeX && r.Edition.CraterOnce {
		s.LeftCrater |= 1 << seat
	}
	r.note(HasWalked, seat, int(sh.Node), node)
	sh.Node = int8(node)
	if r.Colour[node] != ColourNone {
		s.Push(frame(DoLandmark, seat))
	}
	s.Push(frame(DoDuel, seat))
	if node <= NodeB5 && sum(&s.BeachTotems[node-NodeB1]) > 0 {
		s.Push(frame(AskTotem, seat))
	}
}

// Captain duels.

// rivals is the set of seats whose captains are where a captain is.
func (r *Rules) rivals(s *State, seat int) (set int) {
	for i := range r.seats {
		if i != seat && s.Ships[i].Node == s.Ships[seat].Node {
			set |= 1 << i
		}
	}
	return set
}

// Clause DUEL-1.
func (r *Rules) meetCaptains(s *State, seat int) {
	if r.rivals(s, seat) != 0 {
		s.Push(frame(AskDuel, seat))
	}
}

// duel makes both roll the die, first the one who moved into the location.
// Clause DUEL-2.
func (r *Rules) duel(s *State, seat, rival int) {
	r.note(HasDuelled, seat, rival)
	s.Push(frame(RollDuel, rival, seat, 0))
	s.Push(frame(RollDuel, seat, rival, 0))
}

// rolledInDuel is a face of the die in a duel; River Merfolk lets the ship's player roll again.
// Clause DUEL-7.
func (r *Rules) rolledInDuel(s *State, f Frame, face Face) {
	if f.Arg[1] == 0 && r.at(s, &s.Ships[f.Seat], RiverMerfolk) {
		s.Push(frame(AskDuelReroll, int(f.Seat), int(face), int(f.Arg[0])))
		return
	}
	r.parry(s, int(f.Seat), int(f.Arg[0]), face)
}

// parry applies the die of one of the two to the other.
// Clauses DUEL-3, DUEL-4.
func (r *Rules) parry(s *State, seat, rival int, face Face) {
	switch face {
	case FaceCrew:
		r.loseCrew(s, rival, 1)
	case FaceDoubloon:
		r.stealDoubloon(s, seat, rival)
	case FaceVoodoo:
		if sum(&s.Ships[rival].Totems) > 0 {
			s.Push(frame(AskStealTotem, seat, rival))
		}
	}
}

// Unlocking Mücevher Crater.

// CraterJewels is what a captain at a location draws at the dig: three at the crater, one at the ruins next to it.
// Clause CRATER-3.
func (r *Rules) CraterJewels(node int8) int {
	switch {
	case node == NodeX:
		return 3
	case node >= NodeT1 && node <= NodeT4:
		return 1
	}
	return 0
}

// acquired moves the end-game tracker of a player who got a map fragment or a
// relic. It begins when the treasure has been dug up. An action moves each tracker one space
// at most, however much it brings; at Round Start each effect counts separately.
// Clauses CRATER-9, CRATER-13.
func (r *Rules) acquired(s *State, seat int) {
	if !r.Modules.Has(AlternateIsland) || !s.Dug || seat == Legendary || s.Acquired>>seat&1 != 0 {
		return
	}
	if s.Turn >= 0 {
		s.Acquired |= 1 << seat
	}
	r.moveOnTrack(s, seat)
}

// End game scoring.

// relicPoints are 2 for each totem and 1 for each shell.
// Clause SCORE-20.
func (sh *Ship) relicPoints() int32 { return 2*int32(sum(&sh.Totems)) + int32(sum(&sh.Shells)) }

// SetPoints are 4 for each set of three different symbols on fragments, totems and shells, 8
// with a fourth one: of all ways to divide the symbols into sets, the best.
// Clause SCORE-21.
func (sh *Ship) SetPoints() int32 {
	var n [NumSymbols]int
	fewest, all := 1<<30, 0
	for sym := range n {
		n[sym] = int(sh.Fragments[sym]) + int(sh.Totems[sym]) + int(sh.Shells[sym])
		fewest = min(fewest, n[sym])
		all += n[sym]
	}
	best := 0
	for fours := 0; fours <= fewest; fours++ {
		// t sets of three can be made exactly when no symbol is needed more than once in a set.
		threes := (all - 4*fours) / 3
		for ; threes > 0; threes-- {
			usable := 0
			for _, k := range n {
				usable += min(k-fours, threes)
			}
			if usable >= 3*threes {
				break
			}
		}
		best = max(best, 8*fours+4*threes)
	}
	return int32(best)
}

// As text.

// renderAdventure draws the alternate island: its locations with what leads from
// them, and what lies there.
func (r *Rules) renderAdventure(b *strings.Builder, s *State) {
	fmt.Fprintf(b, "\nThe island, %d relics in the crater (location - its neighbours: landmark, totems, captains there):\n", r.InCrater(s))
	for node := range NumNodes {
		if !r.has(node) {
			continue
		}
		what := r.lying(s, node)
		if len(what) == 0 {
			continue
		}
		var next []string
		for _, n := range r.AlternateNext[node][:r.AlternateNextN[node]] {
			next = append(next, nodeNames[n])
		}
		colour := ""
		if c := r.Colour[node]; c < NumColours {
			colour = colourNames[c]
		}
		fmt.Fprintf(b, "  %-2s - %-20s %-7s %s\n", nodeNames[node], strings.Join(next, " "), colour, strings.Join(what, ", "))
	}
}

// lying is everything at a location of the alternate island.
func (r *Rules) lying(s *State, node int) (what []string) {
	if t := s.Tiles[node]; t != noTile {
		what = append(what, r.LandmarkTitle[t])
	}
	if node <= NodeB5 && sum(&s.BeachTotems[node-NodeB1]) > 0 {
		what = append(what, "totems: "+some(s.BeachTotems[node-NodeB1][:], symbolNames[:]))
	}
	return append(what, r.captainsAt(s, node)...)
}

// relicsDrawn is the relics of the ships that have any, below their mats.
func (r *Rules) relicsDrawn(s *State) string {
	lines := "Relics, totems; shells:\n"
	for _, seat := range r.fleet {
		if sh := &s.Ships[seat]; slices.Max(sh.Totems[:])+slices.Max(sh.Shells[:]) > 0 {
			lines += fmt.Sprintf("%s: %s; %s\n", r.whose(s, int8(seat)), some(sh.Totems[:], symbolNames[:]), some(sh.Shells[:], symbolNames[:]))
		}
	}
	return lines
}
