package doubloons

import (
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// Positions as they are read. What a file leaves out has the value that it has in
// a match which has just come to that point of its first round; what is random
// there is dealt from the file's seed.

// phaseProgram is a name for the moment in Round Start at which all hands are
// drawn and nobody has programmed yet.
const phaseProgram = "program"

var positionFields = []string{
	"game", "seed", "round", "phase", "slot", "turn", "step", "initiative", "revealed", "dug", "ending",
	"island", "supply", "pillage_tokens", "jewels", "water", "landmarks", "stacks", "out_of_game",
	"map_stack", "unseen_fragments", "crater", "unseen_relics", "beach_totems", "region_shells", "left_crater",
	"discard", "deck", "old", "ships", "legendary", "stack", "generator",
}

var shipFields = []string{
	"seat", "captain", "region", "facing", "ghost", "hull", "crew", "reputation", "doubloons", "fragments",
	"jewels", "orbs", "pillage", "compasses", "totems", "shells", "captain_at", "track", "hand", "table", "old_cards", "player", "seen", "placed",
}

// SetPosition sets the match to a position that Position(s, engine.Full) printed
// or that somebody wrote. The error names what is wrong by its path and says how to put it
// right; s is then undefined.
func (r *Rules) SetPosition(s *State, data []byte) error {
	root, err := parseJSON(data)
	if err != nil {
		return err
	}
	p := &reading{r: r, s: s, root: root}
	for _, part := range []func(){p.header, p.clock, p.frames, p.sea, p.mats, p.fragments, p.landmarks, p.tokens, p.relics, p.cards} {
		if part(); len(p.list) > 0 {
			return p.err()
		}
	}
	if p.stacked {
		return r.check(s, p.laid)
	}
	if p.resume(); len(p.list) > 0 {
		return p.err()
	}
	return r.Check(s)
}

// reading is one position being read.
type reading struct {
	faults
	r    *Rules
	s    *State
	root *value

	ship    [NumShips]*value // what the file says of each ship; nil where nothing
	deal    engine.Rand      // deals what is left out
	program bool             // phase "program"
	stacked bool             // the file gives the decision stack, …
	laid    int              // … but for so many frames at the bottom, which follow from the phase
}

// header reads what the file is of, and sets the state to one where nothing is
// laid out.
func (p *reading) header() {
	r, s := p.r, p.s
	if !p.isObject(p.root, positionFields...) {
		return
	}
	if v := p.root.get("game"); v != nil {
		p.sameGame(v)
	}
	seed := p.long(p.root.get("seed"), 0)
	r.Reset(s, seed)
	s.Depth, s.Frames = 0, [maxFrames]Frame{}
	p.deal = engine.NewRand(seed).At(0)
	s.Rand = p.rand()
}

// rand is the generator that the match goes on with.
func (p *reading) rand() engine.Rand {
	g := p.root.get("generator")
	if !p.isObject(g, "key", "counter") {
		return engine.NewRand(p.long(p.root.get("seed"), 0))
	}
	return engine.Rand{Key: p.long(g.get("key"), 0), Counter: p.long(g.get("counter"), 0)}
}

// sameGame refuses a position of another game. Who decides chance, whether forced
// moves are shown and what a win is worth make no difference to a position.
func (p *reading) sameGame(v *value) {
	plain := func(game string) (string, error) {
		return engine.With(game, "chance", "sampled", "forced", "skip", "objective", "win", "rewards", "final")
	}
	want, err := plain(p.r.info.Config)
	if err != nil {
		want = p.r.info.Config
	}
	if v.kind != '"' {
		p.wrong(v.path, "%s: want a game string, %q", v.what(), want)
		return
	}
	if got, err := plain(v.text); err != nil {
		p.wrong(v.path, "%v", err)
	} else if got != want {
		p.wrong(v.path, "a position of %s in a match of %s: make the match from the file's game", got, want)
	}
}

// clock reads where in the match it is.
func (p *reading) clock() {
	r, s, root := p.r, p.s, p.root
	names := append(phaseNames[:NumPhases:NumPhases], phaseProgram)
	phase := p.name(root.get("phase"), names, int(PhaseAction))
	if p.program = phase == NumPhases; p.program {
		phase = int(PhaseRoundStart)
	}
	s.Phase = Phase(phase)
	p.stacked = root.get("stack") != nil
	s.Initiative = int8(p.number(root.get("initiative"), 0, r.seats-1, 0))
	s.Dug = p.truth(root.get("dug"), false)
	if s.Phase == PhaseSetup {
		s.Round = uint8(p.number(root.get("round"), 0, 0, 0))
	} else {
		s.Round = uint8(p.number(root.get("round"), 1, roundsLimit, 1))
	}
	switch s.Phase {
	case PhaseAction:
		s.Slot = int8(p.number(root.get("slot"), 1, NumSlots, 1) - 1)
		if s.Turn = s.Initiative; root.get("turn") != nil {
			s.Turn = p.seat(root.get("turn"))
		}
		s.Revealed = s.Slot + 1
	case PhasePillage, PhaseRoundEnd:
		s.Revealed = NumSlots
	}
	for _, k := range []string{"slot", "turn", "step"} {
		switch v := root.get(k); {
		case v == nil:
		case s.Phase != PhaseAction:
			p.wrong(k, "it belongs to the action phase, not to %s: leave it out", names[phase])
		case k == "step" && p.stacked:
			p.wrong(k, "the stack says already what is left of the turn: leave one of them out")
		}
	}
	if n := p.number(root.get("revealed"), 0, NumSlots, int(s.Revealed)); n != int(s.Revealed) {
		p.wrong("revealed", "%d cards of each row face up: at this point of the round there are %d; or leave it out", n, s.Revealed)
	}
}

// frames reads the decision stack. In the action phase the frames of the rest of
// the round may be left out: they follow from slot, turn and initiative.
func (p *reading) frames() {
	r, s := p.r, p.s
	items := p.isList(p.root.get("stack"), maxFrames)
	var list []Frame
	for _, v := range items {
		list = append(list, p.frame(v))
	}
	if s.Phase == PhaseAction && len(list) > 0 && list[0].Kind != DoRoundEnd {
		r.layRound(s, int(s.Slot)+1)
		if s.Turn == Legendary {
			s.pop() // its turn is what the file gives
		} else {
			for _, f := range r.turnFrames(s) {
				s.push(f)
			}
		}
		p.laid = int(s.Depth)
	}
	if int(s.Depth)+len(list) > maxFrames {
		p.wrong("stack", "%d frames: there is room for %d", int(s.Depth)+len(list), maxFrames)
		return
	}
	for _, f := range list {
		s.push(f)
	}
}

func (p *reading) frame(v *value) Frame {
	if v.kind != '{' {
		p.wrong(v.path, "%s: want an object", v.what())
		return Frame{}
	}
	if v.get("kind") == nil {
		p.wrong(v.path+".kind", "it is missing: want one of %s", listed(kindNames))
		return Frame{}
	}
	kind := p.name(v.get("kind"), kindNames, -1)
	if kind < 0 {
		return Frame{}
	}
	f := Frame{Kind: Kind(kind)}
	form := &kindForms[kind]
	known := []string{"kind"}
	if form.seated {
		known = append(known, "seat")
		f.Seat = p.seat(p.needed(v, "seat"))
	}
	for i, a := range form.args {
		if f.uses(a) {
			known = append(known, a.name)
			f.Arg[i] = p.argument(a, p.needed(v, a.name))
		}
	}
	p.isObject(v, known...)
	return f
}

// needed is a field that may not be left out.
func (p *reading) needed(v *value, key string) *value {
	if v.get(key) == nil {
		p.wrong(v.path+"."+key, "it is missing")
	}
	return v.get(key)
}

// seat reads a ship: its seat, or the name of the legendary ghost ship.
func (p *reading) seat(v *value) int8 {
	if v != nil && v.text == legendaryName && p.r.Modules.Has(LegendaryShip) {
		return Legendary
	}
	return int8(p.number(v, 0, p.r.seats-1, 0))
}

func (p *reading) argument(a argument, v *value) int8 {
	if v == nil {
		return 0
	}
	least, most := a.bounds(p.r)
	switch a.means {
	case aSeat:
		return p.seat(v)
	case someSeats:
		set := 0
		for _, item := range p.isList(v, p.r.seats) {
			set |= 1 << p.number(item, 0, p.r.seats-1, 0)
		}
		if set == 0 {
			p.wrong(v.path, "want at least one seat")
		}
		return int8(set)
	case aSlot:
		return int8(p.number(v, least+1, most+1, 1) - 1)
	case aTile:
		return int8(p.name(v, p.r.tileNames(), 0))
	case maybeTile:
		if v.text == noName {
			return noTile
		}
		return int8(p.name(v, p.r.tileNames(), 0))
	case aColour:
		return int8(p.name(v, colourNames[:p.r.stacks], 0))
	case aPlace:
		place := p.name(v, placeNames, 0)
		if place >= placeExploited {
			place = NumNodes - 1 - place
		}
		return int8(place)
	case aSymbol:
		return int8(p.name(v, symbolNames[:], 0))
	case aFace:
		return int8(p.name(v, faceNames[:], 0))
	case aFlag:
		if p.truth(v, false) {
			return 1
		}
		return 0
	case aKind:
		return int8(p.name(v, kindNames, 0))
	}
	return int8(p.number(v, least, most, least))
}

// sea reads the water tiles; left out, they are drawn by the chart.
func (p *reading) sea() {
	r, s := p.r, p.s
	v := p.root.get("water")
	if v == nil {
		if s.Phase == PhaseSetup {
			return
		}
		for region := range r.regions {
			var all []int8
			for t := range NumWater {
				for range r.waterLeft(s, region, t) {
					all = append(all, int8(t))
				}
			}
			s.Water[region] = all[p.deal.Intn(len(all))]
		}
		if r.Modules.Has(AlternateIsland) {
			r.moveMists(s)
		}
		return
	}
	items := p.isList(v, r.regions)
	if len(items) != r.regions {
		p.wrong(v.path, "%s: want the tiles of regions 0 to %d", v.what(), r.regions-1)
		return
	}
	for region, item := range items {
		if s.Phase == PhaseSetup && item.text == noName {
			continue
		}
		s.Water[region] = int8(p.name(item, waterNames[:], noTile))
	}
}

// mats reads the ships, but for what is shared out among them later.
func (p *reading) mats() {
	r := p.r
	for i, v := range p.isList(p.root.get("ships"), r.seats) {
		if !p.isObject(v, shipFields...) {
			continue
		}
		seat := p.number(v.get("seat"), 0, r.seats-1, i)
		if p.ship[seat] != nil {
			p.wrong(v.path+".seat", "%d: %s is the ship of this seat already", seat, p.ship[seat].path)
			continue
		}
		p.ship[seat] = v
		if old := v.get("old_cards"); old != nil {
			p.wrong(old.path, "it is in a seat's view only: list the cards in old")
		}
	}
	p.players()
	p.captains()
	if p.r.Modules.Has(LegendaryShip) {
		p.legendary()
	} else if v := p.root.get("legendary"); v != nil {
		p.wrong(v.path, "%s", withoutLegendary)
	}
	for seat := range r.seats {
		p.mat(seat)
	}
	ending := false
	for seat := range r.seats {
		ending = ending || int(p.s.Ships[seat].Track) == r.EndTrack-1
	}
	p.s.Ending = p.truth(p.root.get("ending"), ending)
}

// captains reads who they are. Seats that do not say take those that are left.
func (p *reading) captains() {
	r, s := p.r, p.s
	taken := map[int8]string{}
	for seat := range r.seats {
		v := p.ship[seat].get("captain")
		c := int8(p.name(v, captainNames[:], noCaptain))
		s.Ships[seat].Captain = c
		if c == noCaptain {
			continue
		}
		if at, twice := taken[c]; twice {
			p.wrong(v.path, "%s is taken: %s", captainNames[c], at)
		}
		taken[c] = v.path
	}
	next := int8(0)
	for seat := range r.seats {
		if s.Ships[seat].Captain != noCaptain || s.Phase == PhaseSetup {
			continue
		}
		for taken[next] != "" {
			next++
		}
		s.Ships[seat].Captain = next
		next++
	}
}

func (p *reading) mat(seat int) {
	r, s := p.r, p.s
	v, sh := p.ship[seat], &s.Ships[seat]
	sh.Region = int8(p.number(v.get("region"), 0, r.regions-1, p.calm()))
	if p.name(v.get("facing"), facingNames, 0) == 1 {
		sh.Facing = CounterClockwise
	}
	sh.Ghost = p.truth(v.get("ghost"), false)
	hull := MaxHull
	if sh.Ghost {
		hull = 0
	}
	sh.Hull = uint8(p.number(v.get("hull"), 0, MaxHull, hull))
	if v.get("ghost") == nil {
		sh.Ghost = sh.Hull == 0
	}
	sh.Crew = uint8(p.number(v.get("crew"), 0, MaxCrew, MaxCrew))
	sh.Reputation = uint8(p.number(v.get("reputation"), 0, MaxLevel, 0))
	sh.Doubloons = uint8(p.number(v.get("doubloons"), 0, r.Doubloons, int(r.StartDoubloons)))
	sh.Orbs = uint8(p.number(v.get("orbs"), 0, int(r.Specials[ProtectionOrb]), 0))
	sh.Pillage = uint8(p.number(v.get("pillage"), 0, r.seats*int(r.PillagePerPlayer), 0))
	compasses := v.get("compasses")
	if compasses != nil && !r.Modules.Has(Compass) {
		p.wrong(compasses.path, "compasses are of the module compass, which is not played: leave it out")
	}
	sh.Compasses = uint8(p.number(compasses, 0, int(r.CompassTokens), int(sh.Compasses)))
	if v.get("jewels") == nil {
		r.valparisasJewel(s, sh)
	}
	p.jewels(v, sh)
	at, track := v.get("captain_at"), v.get("track")
	switch {
	case s.Dug && at != nil && !r.Modules.Has(AlternateIsland):
		p.wrong(at.path, "after the dig captains are on their ships: give track, or make dug false")
	case !s.Dug && track != nil:
		p.wrong(track.path, "captains move on the end-game track after the dig only: make dug true, or leave it out")
	}
	beach := NodeBeach
	if r.Modules.Has(AlternateIsland) && sh.Region != noRegion {
		beach = NodeB1 + int(sh.Region)
	}
	sh.Node = int8(p.name(at, r.locations(), beach))
	sh.Track = uint8(p.number(track, 0, r.EndTrack-1, 0))
}

// calm is the first region where a ship can remain; noRegion during set-up.
func (p *reading) calm() int {
	for region := range p.r.regions {
		if p.s.Phase != PhaseSetup && rests(p.s.Water[region]) {
			return region
		}
	}
	return noRegion
}

// jewels reads those of a ship.
func (p *reading) jewels(v *value, sh *Ship) {
	jewels := v.get("jewels")
	p.isObject(jewels, jewelNames[:p.r.jewelKinds]...)
	for j := range p.r.jewelKinds {
		sh.Jewels[j] = uint8(p.number(jewels.get(jewelNames[j]), 0, int(p.r.JewelCount[j]), int(sh.Jewels[j])))
	}
}

// locations are the names of the places on the island by number, "" for those
// that it does not have.
func (r *Rules) locations() []string {
	names := make([]string, NumNodes)
	for n := range names {
		if r.has(n) {
			names[n] = nodeNames[n]
		}
	}
	return names
}

// tileNames are the names of the landmarks in the game by number, "" for others.
func (r *Rules) tileNames() []string { return namesOf(r.landmarkSet, landmarkNames[:]) }

// cardNames are the names of the action cards in the game by number, "" for others.
func (r *Rules) cardNames() []string { return namesOf(r.normal|r.captains, cardNames[:]) }

func namesOf(set uint64, names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		if set>>i&1 != 0 {
			list[i] = name
		}
	}
	return list
}

// resume lays the decision stack of a file that does not give it. The rules run
// on to the next decision from there, so everything else must be in order by now.
func (p *reading) resume() {
	r, s := p.r, p.s
	c := &checking{r: r, s: s}
	for i := range r.seats {
		if row := s.Ships[i].row(); row > 0 && s.Phase == PhaseRoundStart {
			c.wrong(shipPath(i)+".table", "%d cards: nobody has programmed yet, so give the cards in hand", row)
		}
	}
	if c.pieces(); len(c.list) > 0 {
		p.faults = c.faults
		return
	}
	switch s.Phase {
	case PhaseSetup:
		if p.root.get("water") != nil {
			p.draft()
			return
		}
		var fresh State // nothing is laid out yet: set-up begins
		r.Reset(&fresh, 0)
		s.Depth, s.Frames = fresh.Depth, fresh.Frames
	case PhaseRoundStart:
		if p.program {
			r.resumeRound(s, false, false)
			return
		}
		s.Round-- // DoRound begins it
		s.push(frame(DoRound, 0))
		r.run(s)
	case PhaseAction:
		seat := int(s.Turn)
		if seat != Legendary && s.Ships[seat].Table[s.Slot] == noCard {
			p.wrong("turn", "seat %d has no card in slot %d to execute: give it one in %s.table, or take another turn", seat, s.Slot+1, shipPath(seat))
			return
		}
		moved := p.name(p.root.get("step"), []string{"move", "action"}, 0) == 1
		if len(p.list) == 0 {
			r.resumeRound(s, true, moved)
		}
	case PhasePillage, PhaseRoundEnd:
		r.resumeRound(s, true, false)
	}
}

// draft lays the stack for captains being chosen: seats that name a captain have
// chosen, in the order of initiative.
func (p *reading) draft() {
	r, s := p.r, p.s
	chosen, placed := 0, 0
	for chosen < r.seats && s.Ships[r.ordinal(s, chosen)].Captain != noCaptain {
		chosen++
	}
	for placed < r.seats && s.Ships[r.ordinal(s, placed)].Region != noRegion {
		placed++
	}
	c := &checking{r: r, s: s}
	apart := r.Edition.ShipsAfterCaptains
	dealt := r.deals() * r.seats
	if r.Edition.MapAfterShips {
		dealt = 0
	}
	c.setUp(r.regions, dealt, chosen, placed)
	switch {
	case placed > chosen || apart && placed > 0 && chosen < r.seats:
		c.wrong("ships", "a ship is placed before its captain is chosen: name one")
	case placed < chosen-1 && !apart:
		c.wrong("ships", "a captain is chosen and his ship placed before the next seat chooses")
	}
	if p.faults = c.faults; len(p.list) > 0 {
		for i := range p.list {
			p.list[i] = strings.ReplaceAll(p.list[i], "by the stack ", "")
		}
		return
	}
	s.push(frame(DoRound, 0))
	if r.Modules.Has(LegendaryShip) {
		s.push(frame(DoLegendarySetup, 0))
	}
	for n := dealt / r.seats; n < r.deals(); n++ {
		s.push(frame(DoInOrder, 0, int(DealFragment)))
	}
	if apart {
		s.push(frame(DoInOrder, 0, int(AskPlace), placed))
	}
	s.push(frame(DoInOrder, 0, int(AskCaptain), chosen))
	if placed < chosen && !apart {
		s.push(frame(AskPlace, r.ordinal(s, placed)))
	}
	r.run(s)
}

// nowhere names things of the box that a file has left without a place.
func nowhere(names []string) string {
	return fmt.Sprintf("%s: nowhere", strings.Join(names, ", "))
}
