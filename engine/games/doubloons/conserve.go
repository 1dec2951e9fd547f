package doubloons

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// Invariants of every reachable state: nothing is lost or made, nothing is out of
// range. SetPosition refuses a state that violates it, and names the fault in
// the words of a position file.

// Check returns what is wrong with a state, or nil: conservation of cards, tiles
// and tokens, ranges, and a decision stack that the rules can have built.
func (r *Rules) Check(s *State) error { return r.check(s, 0) }

// check is Check for a state whose lowest frames, left of them, do not stand
// in the position file: its stack begins after them.
func (r *Rules) check(s *State, left int) error {
	c := &checking{r: r, s: s, left: left}
	c.pieces()
	if len(c.List) == 0 {
		c.stack()
	}
	return c.Err()
}

// checking is one run of Check.
type checking struct {
	position.Faults
	r *Rules
	s *State

	left  int // lowest frames that the position file leaves out
	above int // the first frame above those that the rules lay for the phase, …
	who   int // … and whose step or turn it is
}

// framePath is where a frame stands in the position file.
func (c *checking) framePath(i int) string { return framePaths[max(0, i-c.left)] }

// item is the path of an item of a list.
func item(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

// Paths that every check needs, made once.
var framePaths, shipPaths = items("stack", maxFrames+1), items("ships", MaxSeats)

func items(list string, n int) (paths []string) {
	for i := range n {
		paths = append(paths, item(list, i))
	}
	return paths
}

// pieces checks all but the decision stack. What is out of range ends the run:
// the checks after it count on ranges.
func (c *checking) pieces() {
	for _, part := range []func(){c.clock, c.ships, c.forms, c.sea, c.landmarks, c.mapTiles, c.tokens, c.cards, c.players} {
		if part(); len(c.List) > 0 {
			return
		}
	}
}

// within notes a number that is out of its range.
func (c *checking) within(path string, n, least, most int) bool {
	if n < least || n > most {
		c.Wrong(path, "%d: want %d to %d", n, least, most)
		return false
	}
	return true
}

func (c *checking) clock() {
	s := c.s
	if s.Phase >= NumPhases {
		c.Wrong("phase", "there is no phase %d", s.Phase)
		return
	}
	switch s.Phase {
	case PhaseSetup:
		c.within("round", int(s.Round), 0, 0)
	default:
		c.within("round", int(s.Round), 1, c.r.maxRounds+1)
		if c.r.Limit(s) != "" && s.Phase != PhaseRoundStart {
			c.Wrong("round", "%d: with %s a match is cut short when it begins: want 1 to %d, or max_rounds higher", s.Round, c.r.limit, c.r.maxRounds)
		}
	}
	c.r.layout.match.Check(&subject{s: s, view: engine.Full}, &c.Faults, "")
	slot, turn, revealed := -1, -1, 0
	switch s.Phase {
	case PhaseAction:
		if s.Turn != Legendary || !c.r.Modules.Has(LegendaryShip) {
			c.within("turn", int(s.Turn), 0, c.r.seats-1)
		} else if s.Slot != NumSlots-1 {
			c.Wrong("slot", "the legendary ghost ship's turn comes after the last card: make it %d", NumSlots)
		}
		if !c.within("slot", int(s.Slot)+1, 1, NumSlots) {
			return
		}
		slot, turn, revealed = int(s.Slot), int(s.Turn), int(s.Slot)+1
	case PhasePillage, PhaseRoundEnd:
		revealed = NumSlots
	}
	if int(s.Slot) != slot || int(s.Turn) != turn {
		c.Wrong("phase", "slot and turn belong to the action phase, not to %s: leave them out", s.Phase)
	}
	if int(s.Revealed) != revealed {
		c.Wrong("revealed", "%d cards of each row face up: at this point of the round there are %d", s.Revealed, revealed)
	}
	if s.Dug && s.Phase == PhaseSetup {
		c.Wrong("dug", "the treasure cannot be dug up during set-up")
	}
}

// blankShip is the entry of Ships for a seat that does not play.
func blankShip() Ship {
	return Ship{Captain: noCaptain, Region: noRegion, Facing: Clockwise, Node: NodeBeach, Table: [NumSlots]int8{noCard, noCard, noCard}}
}

func (c *checking) ships() {
	r, s := c.r, c.s
	owner := [NumCaptains]int{}
	ending := false
	fin := r.EndTrack - 1
	for i := range s.Ships {
		sh, at := &s.Ships[i], shipPath(i)
		if i == Legendary {
			c.legendary()
			continue
		}
		if i >= r.seats {
			if *sh != blankShip() {
				c.Wrong(at, "there is no seat %d: %d seats play", i, r.seats)
			}
			continue
		}
		c.within(at+".captain", int(sh.Captain), noCaptain, NumCaptains-1)
		r.layout.ship.Check(shipOf(s, engine.Full, i), &c.Faults, at)
		switch {
		case sh.Ghost && sh.Hull > 0:
			c.Wrong(at+".hull", "%d: a ghost ship has no hull: make it 0, or ghost false", sh.Hull)
		case !sh.Ghost && sh.Hull == 0:
			c.Wrong(at+".hull", "a ship without hull is a ghost ship: make ghost true, or hull 1 to %d", MaxHull)
		}
		if c.within(at+".captain_at", int(sh.Node), 0, NumNodes-1) && !r.has(int(sh.Node)) {
			c.Wrong(at+".captain_at", "this island has no location %s", nodeNames[sh.Node])
		}
		switch {
		case !r.ashore(s) && sh.Node != NodeBeach:
			c.Wrong(at+".captain_at", "after the dig captains are on their ships: give track, or make dug false")
		case !s.Dug && sh.Track != 0:
			c.Wrong(at+".track", "captains move on the end-game track after the dig only: make dug true, or leave it out")
		}
		ending = ending || int(sh.Track) == fin
		if len(c.List) > 0 {
			return
		}
		if s.Phase != PhaseSetup {
			if sh.Captain == noCaptain {
				c.Wrong(at+".captain", "captains are chosen during set-up: name one")
			}
			if sh.Region == noRegion {
				c.Wrong(at+".region", "ships are placed during set-up: want 0 to %d", r.regions-1)
			}
		}
		if k := sh.Captain; k != noCaptain {
			if owner[k] > 0 {
				c.Wrong(at+".captain", "%s is the captain of seat %d already", captainNames[k], owner[k]-1)
			}
			owner[k] = i + 1
		}
	}
	if ending != s.Ending {
		c.Wrong("ending", "%t: it is true when a captain has reached FIN, track %d, and only then", s.Ending, fin)
	}
}

func shipPath(seat int) string {
	if seat == Legendary {
		return legendaryName
	}
	return shipPaths[seat]
}

// sea checks the water tiles. They need not follow the draw chart once they are
// laid: any twelve tiles are a box.
func (c *checking) sea() {
	r, s := c.r, c.s
	var lie [NumWater]uint8
	calm := 0 // regions where a ship can remain
	for region, t := range s.Water {
		at := item("water", region)
		switch {
		case t < noTile || t >= NumWater || region >= r.regions && t != noTile:
			c.Wrong(at, "there is no such tile or region")
			return
		case t == noTile:
			if region < r.regions && s.Phase != PhaseSetup {
				c.Wrong(at, "water tiles are laid during set-up: name one")
			}
			continue
		case s.Phase == PhaseSetup && !r.Edition.NamedWater && r.WaterGroup[t] != r.chart[region]:
			c.Wrong(at, "%s is of group %s: during set-up the chart asks for one of group %s", waterNames[t], groupNames[r.WaterGroup[t]], groupNames[r.chart[region]])
		case s.Phase == PhaseSetup && r.Edition.NamedWater:
			if may := r.namedWaterFor(s, region); !slices.Contains(may, waterNames[t]) {
				c.Wrong(at, "%s: during set-up want one of %s", waterNames[t], position.Listed(may))
			}
		case rests(t):
			calm++
		}
		if lie[t]++; lie[t] > r.WaterCopies[t] {
			c.Wrong(at, "%s lies there once too often: there are %d", waterNames[t], r.WaterCopies[t])
		}
	}
	if calm == 0 && s.Phase != PhaseSetup {
		c.Wrong("water", "every region has a Rip Current or Whirlpool: ships need one where they can remain")
	}
	for _, i := range r.fleet {
		region := s.Ships[i].Region
		if region != noRegion && !rests(s.Water[region]) && !r.Edition.GhostsIgnoreWater {
			c.Wrong(shipPath(i)+".region", "%d: no ship remains in a region with a Rip Current", region)
		}
	}
}

// inFlight is the set of landmarks that were drawn and do not lie yet
// anywhere yet: frames of the decision stack hold them.
func (s *State) inFlight() uint64 {
	var set uint64
	for _, f := range s.Frames[:s.Depth] {
		for _, t := range tilesOf(f) {
			set |= 1 << t
		}
	}
	return set
}

// tilesOf are the landmarks that a frame holds.
func tilesOf(f Frame) []int8 {
	switch f.Kind {
	case DoBottom, AskExploit:
		return f.Arg[:1]
	case AskKeep:
		return f.Arg[3:5]
	case DrawLandmark:
		if f.Arg[3] != noTile {
			return f.Arg[3:4]
		}
	}
	return nil
}

// draws reports whether a frame is part of a draw of a landmark: its first
// arguments are landmarkDraw.
func draws(f Frame) bool {
	return f.Kind == DrawLandmark || f.Kind == AskDrawTwo || f.Kind == AskKeep
}

func (c *checking) landmarks() {
	r, s := c.r, c.s
	var seen uint64
	see := func(path string, t int8) bool {
		switch {
		case t < 0 || t >= NumLandmarks || r.landmarkSet>>t&1 == 0:
			c.Wrong(path, "landmark %d is not in the game", t)
			return false
		case seen>>t&1 != 0:
			c.Wrong(path, "%s is there twice: there is one of it", landmarkNames[t])
		}
		seen |= 1 << t
		return true
	}
	var moved [NumColours + 1][NumColours]int // by the colours of location and tile
	for n, t := range s.Tiles {
		if t == noTile {
			continue
		}
		at := "landmarks." + nodeNames[n]
		if !see(at, t) {
			return
		}
		switch colour := r.Colour[n]; {
		case !r.has(n) || colour == ColourNone:
			c.Wrong(at, "no landmark can lie there")
		case !r.ashore(s):
			c.Wrong(at, "at the dig all landmarks went back to their stacks: leave it out, or make dug false")
		default:
			moved[colour][r.LandmarkColour[t]]++
		}
	}
	for colour := range s.StackTop {
		at := "stacks." + colourNames[colour]
		low := int(s.StackLow[colour])
		if !c.within(at+".bottom", low, 0, maxTiles) {
			return
		}
		for t := s.StackTop[colour]; t != 0; t &= t - 1 {
			see(at+".top", int8(bits.TrailingZeros64(t)))
		}
		for k, t := range s.StackBottom[colour] {
			switch {
			case k >= low && t != noTile:
				c.Wrong(at+".bottom", "tile %d lies below the last one", t)
			case k < low:
				see(item(at+".bottom", k), t)
			}
		}
	}
	for i, f := range s.Frames[:s.Depth] {
		for _, t := range tilesOf(f) {
			see(c.framePath(i), t)
		}
		if draws(f) && f.Arg[1] >= 0 { // what is drawn will lie there
			moved[r.Colour[f.Arg[1]]][f.Arg[0]]++
		}
	}
	if len(c.List) > 0 {
		return
	}
	c.colours(seen, &moved)
}

// colours checks that tiles lie on locations and in stacks of their colour, or
// in place of a tile that left the game for them.
func (c *checking) colours(seen uint64, moved *[NumColours + 1][NumColours]int) {
	r, s := c.r, c.s
	for colour := range s.StackTop {
		set := s.StackTop[colour]
		for _, t := range s.StackBottom[colour][:s.StackLow[colour]] {
			set |= 1 << t
		}
		for ; set != 0; set &= set - 1 {
			if t := bits.TrailingZeros64(set); int(r.LandmarkColour[t]) != colour {
				c.Wrong("stacks."+colourNames[colour], "%s is %s", landmarkNames[t], colourNames[r.LandmarkColour[t]])
			}
		}
	}
	var strange [][2]int // a location's colour, and that of the tile there
	for from := range moved {
		for to, n := range moved[from] {
			for range n {
				if from != to {
					strange = append(strange, [2]int{from, to})
				}
			}
		}
	}
	if c.replaced(strange, seen) {
		return
	}
	for _, pair := range strange {
		at, tile := colourNames[pair[0]], colourNames[pair[1]]
		if c.replaced([][2]int{pair}, 0) {
			c.Wrong("landmarks", "a %s tile lies at a %s location, which it does only in place of a tile that made way for it: list what it replaced in out_of_game", tile, at)
		} else {
			c.Wrong("landmarks", "a %s tile lies at a %s location", tile, at)
		}
	}
}

// replacements are the landmarks that make way for a tile of another colour.
var replacements = [...]struct{ tile, by int }{
	{HiddenChamber, ColourYellow}, {PandorasBox, ColourRed}, {CelestialAltar, ColourBlue}, {SunkenLoom, ColourYellow},
}

// replaced reports whether tiles can lie where the location has another colour because
// landmarks of the game that are not in sight made way for them, one after the other.
func (c *checking) replaced(strange [][2]int, sight uint64) bool {
	switch {
	case len(strange) == 0:
		return true
	case strange[0][0] == strange[0][1]:
		return c.replaced(strange[1:], sight)
	}
	for _, gone := range replacements {
		out := c.r.landmarkSet &^ sight >> gone.tile & 1
		if out != 0 && int(c.r.LandmarkColour[gone.tile]) == strange[0][0] {
			rest := append([][2]int{{gone.by, strange[0][1]}}, strange[1:]...)
			if c.replaced(rest, sight|1<<gone.tile) {
				return true
			}
		}
	}
	return false
}

func (c *checking) mapTiles() {
	r, s := c.r, c.s
	dealt := 0
	c.Conserved(r.fragmentStock(s))
	for _, i := range r.fleet {
		dealt += sum(&s.Ships[i].Fragments)
	}
	all := r.fragmentsInGame()
	left := all - dealt
	if s.Phase == PhaseSetup {
		left = all - r.fragmentsDealt() // those that are dealt during set-up never were in the stack
	}
	switch {
	case r.Modules.Has(AlternateIsland) && left != 0:
		c.Wrong("ships", "they have %d map fragments: on the alternate island %d players have %d, and no more are drawn", dealt, r.seats, all)
	case left < 0:
		c.Wrong("ships", "they have %d map fragments: with %d players only %d are in the game", dealt, r.seats, all)
	case int(s.MapFragments) != left:
		c.Wrong("map_stack.fragments", "%d: with %d players %d map fragments are in the game and the ships have %d, so %d are in the stack", s.MapFragments, r.seats, all, dealt, left)
	}
	c.Conserved(r.orbStock(s))
	c.Conserved(r.specialStock(s, IslandLore))
	c.Conserved(r.specialStock(s, SkullAmulet))
}

func (c *checking) tokens() {
	r, s := c.r, c.s
	for _, st := range []*position.Stock{r.doubloonStock(s), r.pillageStock(s), r.jewelStock(s), r.compassStock(s)} {
		c.Conserved(st)
	}
	c.unresolved()
	c.relics()
}

// cardsInPlay is the set of action cards that the deck is made of now.
func (r *Rules) cardsInPlay(dug bool) uint64 {
	if dug {
		return r.normal | r.captains
	}
	return r.normal
}

func (c *checking) cards() {
	r, s := c.r, c.s
	var seen, held uint64
	see := func(path string, set uint64) {
		if twice := seen & set; twice != 0 {
			c.Wrong(path, "%s elsewhere too: there is one of each card", strings.Join(cardList(twice), ", "))
		}
		seen |= set
	}
	see("deck", s.Deck)
	see("discard", s.Discard)
	for i := range r.seats {
		sh := &s.Ships[i]
		see(shipPath(i)+".hand", sh.Hand)
		held |= sh.Hand
		for k, card := range sh.Table {
			at := item(shipPath(i)+".table", k)
			switch {
			case card < noCard || card >= NumCards:
				c.Wrong(at, "there is no card %d", card)
				return
			case card == noCard:
				continue
			case k > 0 && sh.Table[k-1] == noCard:
				c.Wrong(at, "a card after a gap: cards fill a row from its first slot")
			}
			see(at, 1<<card)
			held |= 1 << card
		}
	}
	inPlay := r.cardsInPlay(s.Dug)
	if strange := seen &^ inPlay; strange != 0 {
		names := strings.Join(nameList(strange&(1<<NumCards-1), cardNames[:]), ", ")
		if strange&^r.captains == 0 {
			c.Wrong("dug", "captain cards (%s) join the deck at the dig: make dug true, or take other cards", names)
		} else {
			c.Wrong("deck", "cards that are not in the game: %s", names)
		}
	}
	if lost := inPlay &^ seen; lost != 0 {
		c.Wrong("deck", "%s: nowhere; add the missing cards to deck, discard or a hand", strings.Join(cardList(lost), ", "))
	}
	if stray := s.Old &^ held; stray != 0 {
		c.Wrong("old", "%s: old cards are in a hand or on the table", strings.Join(nameList(stray&(1<<NumCards-1), cardNames[:]), ", "))
	}
	// Face-down rows are filled while programming: the check of the stack knows how far.
	for i := range r.seats {
		if row := s.Ships[i].row(); row > 0 && (s.Phase == PhaseSetup || s.Phase == PhaseOver) {
			c.Wrong(shipPath(i)+".table", "%d cards: in phase %s no card lies on the table", row, s.Phase)
		}
	}
}

// row is the number of cards in a ship's row.
func (sh *Ship) row() int {
	n := 0
	for _, c := range sh.Table {
		if c != noCard {
			n++
		}
	}
	return n
}
