package doubloons

import (
	"fmt"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// Positions as they are read. What a file leaves out has the value that it has in
// a match which has just reached that point of its first round; what is random
// there is dealt from the file's seed.

// phaseProgram is a name for the moment in Round Start at which all hands are
// drawn and nobody has programmed yet.
const phaseProgram = "program"

// phasesRead are the phases by number, and that moment; stepNames what of a turn comes next.
var phasesRead, stepNames = append(phaseNames[:NumPhases:NumPhases], phaseProgram), []string{"move", "action"}

// SetPosition sets the match to a position that Position(s, engine.Full) printed
// or that somebody wrote. The error names what is wrong by its path and says how to put it
// right; s is then undefined.
func (r *Rules) SetPosition(s *State, data []byte) error {
	root, err := position.Parse(data)
	if err != nil {
		return err
	}
	p := &reading{r: r, s: s, root: root}
	for _, part := range []func(){p.header, p.clock, p.frames, p.sea, p.mats, p.fragments, p.landmarks, p.tokens, p.relics, p.cards} {
		if part(); len(p.List) > 0 {
			return p.Err()
		}
	}
	if p.stacked {
		return r.check(s, p.laid)
	}
	if p.resume(); len(p.List) > 0 {
		return p.Err()
	}
	return r.Check(s)
}

// reading is one position being read.
type reading struct {
	position.Faults
	r    *Rules
	s    *State
	root *position.Value

	ship    [NumShips]*position.Value // what the file says of each ship; nil if nothing
	deal    engine.Rand               // deals what is left out
	program bool                      // phase "program"
	stacked bool                      // the file gives the decision stack, …
	laid    int                       // … except this many frames at the bottom, which follow from the phase
}

// header reads what the file is of, and sets the state to one where nothing is
// laid out.
func (p *reading) header() {
	r, s := p.r, p.s
	if !p.IsObject(p.root, r.layout.match.Names()...) {
		return
	}
	p.SameGame(p.root.Get("game"), r.info.Config, "objective", "win", "rewards", "final", "start", "setup", "max_rounds", "60", engine.AdviceName, engine.NoWords)
	seed := p.Long(p.root.Get("seed"), 0)
	r.Reset(s, seed)
	s.Depth, s.Frames = 0, [maxFrames]Frame{}
	p.deal = engine.NewRand(seed).At(0)
	s.Rand = p.Generator(p.root)
}

// clock reads where in the match it is.
func (p *reading) clock() {
	r, s, root := p.r, p.s, p.root
	r.layout.match.Read(&subject{s: s, view: engine.Full}, &p.Faults, root)
	phase := p.Name(root.Get("phase"), phasesRead, int(PhaseAction))
	if p.program = phase == NumPhases; p.program {
		phase = int(PhaseRoundStart)
	}
	s.Phase = Phase(phase)
	p.stacked = root.Get("stack") != nil
	if s.Phase == PhaseSetup {
		s.Round = uint8(p.Number(root.Get("round"), 0, 0, 0))
	} else {
		s.Round = uint8(p.Number(root.Get("round"), 1, r.maxRounds+1, 1))
	}
	switch s.Phase {
	case PhaseAction:
		s.Slot = int8(p.Number(root.Get("slot"), 1, NumSlots, 1) - 1)
		if s.Turn = s.Initiative; root.Get("turn") != nil {
			s.Turn = r.limits().ship().Read(&p.Faults, root.Get("turn"))
		}
		s.Revealed = s.Slot + 1
	case PhasePillage, PhaseRoundEnd:
		s.Revealed = NumSlots
	}
	for _, k := range []string{"slot", "turn", "step"} {
		switch v := root.Get(k); {
		case v == nil:
		case s.Phase != PhaseAction:
			p.Wrong(k, "it belongs to the action phase, not to %s: leave it out", phasesRead[phase])
		case k == "step" && p.stacked:
			p.Wrong(k, "the stack already has the rest of the turn: leave one of them out")
		}
	}
	if n := p.Number(root.Get("revealed"), 0, NumSlots, int(s.Revealed)); n != int(s.Revealed) {
		p.Wrong("revealed", "%d cards of each row face up: at this point of the round there are %d; or leave it out", n, s.Revealed)
	}
}

// frames reads the decision stack. In the action phase the frames of the rest of
// the round may be left out: they follow from slot, turn and initiative.
func (p *reading) frames() {
	r, s := p.r, p.s
	items := p.IsList(p.root.Get("stack"), maxFrames)
	var list []Frame
	for _, v := range items {
		list = append(list, r.forms.Read(&p.Faults, v, p.plain))
	}
	if s.Phase == PhaseAction && len(list) > 0 && list[0].Kind != DoRoundEnd {
		r.layTurn(s)
		p.laid = int(s.Depth)
	}
	if int(s.Depth)+len(list) > maxFrames {
		p.Wrong("stack", "%d frames: there is room for %d", int(s.Depth)+len(list), maxFrames)
		return
	}
	for _, f := range list {
		s.Push(f)
	}
}

// plain is what an argument is if a frame leaves it out: it is about the card of the slot that is
// executed. What follows from the frame by itself is declared with it.
func (p *reading) plain(f Frame, argument string) (x int8, may bool) {
	return p.s.Slot, argument == "slot" && p.s.Phase == PhaseAction && p.r.forms.Form(f.Kind).Seat != nil
}

// sea reads the water tiles; left out, they are drawn by the chart.
func (p *reading) sea() {
	r, s := p.r, p.s
	v := p.root.Get("water")
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
		r.moveMists(s)
		return
	}
	items := p.IsList(v, r.regions)
	if len(items) != r.regions {
		p.Wrong(v.Path, "%s: want the tiles of regions 0 to %d", v.What(), r.regions-1)
		return
	}
	for region, item := range items {
		if s.Phase == PhaseSetup && item.Text == position.None {
			continue
		}
		s.Water[region] = int8(p.Name(item, waterNames[:], noTile))
	}
}

// mats reads the ships, except what is shared out among them later.
func (p *reading) mats() {
	r := p.r
	for i, v := range p.IsList(p.root.Get("ships"), r.seats) {
		if !p.IsObject(v, r.layout.ship.Names()...) {
			continue
		}
		seat := p.Number(v.Get("seat"), 0, r.seats-1, i)
		if p.ship[seat] != nil {
			p.Wrong(v.Path+".seat", "%d: %s is the ship of this seat already", seat, p.ship[seat].Path)
			continue
		}
		p.ship[seat] = v
	}
	p.players()
	p.captains()
	if p.r.Modules.Has(LegendaryShip) {
		p.legendary()
	}
	for seat := range r.seats {
		p.mat(seat)
	}
	ending := false
	for seat := range r.seats {
		ending = ending || int(p.s.Ships[seat].Track) == r.EndTrack-1
	}
	p.s.Ending = p.Truth(p.root.Get("ending"), ending)
}

// captains reads who they are. Seats that do not say take those that are left.
func (p *reading) captains() {
	r, s := p.r, p.s
	taken := map[int8]string{}
	for seat := range r.seats {
		v := p.ship[seat].Get("captain")
		c := int8(p.Name(v, captainNames[:], noCaptain))
		s.Ships[seat].Captain = c
		if c == noCaptain {
			continue
		}
		if at, twice := taken[c]; twice {
			p.Wrong(v.Path, "%s is taken: %s", captainNames[c], at)
		}
		taken[c] = v.Path
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
	sh.Region = p.calm()
	r.layout.ship.Read(shipOf(s, engine.Full, seat), &p.Faults, v)
	switch {
	case v.Get("ghost") == nil:
		sh.Ghost = sh.Hull == 0
	case v.Get("hull") == nil && sh.Ghost:
		sh.Hull = 0
	}
	p.jewels(seat)
	at, track := v.Get("captain_at"), v.Get("track")
	switch {
	case !r.ashore(s) && at != nil:
		p.Wrong(at.Path, "after the dig captains are on their ships: give track, or make dug false")
	case !s.Dug && track != nil:
		p.Wrong(track.Path, "captains move on the end-game track after the dig only: make dug true, or leave it out")
	}
	sh.Node = int8(p.Name(at, r.locations(), int(r.landing(max(0, sh.Region)))))
}

// calm is the first region where a ship can remain; noRegion during set-up.
func (p *reading) calm() int8 {
	for region := range p.r.regions {
		if p.s.Phase != PhaseSetup && rests(p.s.Water[region]) {
			return int8(region)
		}
	}
	return noRegion
}

// jewels reads those of a ship.
func (p *reading) jewels(seat int) {
	all := p.r.jewelStock(p.s)
	p.Take(all, p.ship[seat].Get("jewels"), all.Places[slices.Index(p.r.fleet, seat)])
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

// cardNamed is a card of the game as a set, empty if v names none.
func (r *Rules) cardNamed(f *position.Faults, v *position.Value) uint64 {
	c := f.Name(v, r.cardNames(), noCard)
	if c == noCard {
		return 0
	}
	return 1 << c
}

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
			c.Wrong(shipPath(i)+".table", "%d cards: nobody has programmed yet, so give the cards in hand", row)
		}
	}
	if c.pieces(); len(c.List) > 0 {
		p.Faults = c.Faults
		return
	}
	switch s.Phase {
	case PhaseSetup:
		if p.root.Get("water") != nil {
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
		s.Push(frame(DoRound, 0))
		r.run(s)
	case PhaseAction:
		seat := int(s.Turn)
		if seat != Legendary && s.Ships[seat].Table[s.Slot] == noCard {
			p.Wrong("turn", "seat %d has no card in slot %d to execute: give it one in %s.table, or take another turn", seat, s.Slot+1, shipPath(seat))
			return
		}
		moved := p.Name(p.root.Get("step"), stepNames, 0) == 1
		if len(p.List) == 0 {
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
	c.setUp(r.regions, 0, chosen, placed)
	switch {
	case placed > chosen || apart && placed > 0 && chosen < r.seats:
		c.Wrong("ships", "a ship is placed before its captain is chosen: name one")
	case placed < chosen-1 && !apart:
		c.Wrong("ships", "a captain is chosen and the ship placed before the next seat chooses")
	}
	if p.Faults = c.Faults; len(p.List) > 0 {
		return
	}
	s.Push(frame(DoRound, 0))
	for _, f := range r.afterDraft {
		s.Push(f)
	}
	for range r.dealt {
		s.Push(frame(DoInOrder, 0, int(DealFragment)))
	}
	if apart {
		s.Push(frame(DoInOrder, 0, int(AskPlace), placed))
	}
	s.Push(frame(DoInOrder, 0, int(AskCaptain), chosen))
	if placed < chosen && !apart {
		s.Push(frame(AskPlace, r.ordinal(s, placed)))
	}
	r.run(s)
}

// nowhere names things of the box that a file has left without a place.
func nowhere(names []string) string {
	return fmt.Sprintf("%s: nowhere", strings.Join(names, ", "))
}
