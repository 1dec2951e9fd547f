package doubloons

import (
	"encoding/json"
	"fmt"
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// The decision stack must be one that the rules can have built: at its bottom what they would lay
// for what is left of the phase, above it frames that may stand there by their rows and say what can
// be, at its top a question that has an answer. Otherwise a file could ask for a fragment from
// a ship that has none.

// forms checks kinds and arguments of all frames by themselves.
func (c *checking) forms() {
	s := c.s
	if s.Depth > maxFrames {
		c.Wrong("stack", "%d frames: there is room for %d", s.Depth, maxFrames)
		return
	}
	for i, f := range &s.Frames {
		if i < int(s.Depth) {
			c.r.forms.InRange(&c.Faults, c.framePath(i), f)
		} else if f != (Frame{}) {
			c.Wrong(c.framePath(i), "a frame above the top")
		}
	}
}

// stack checks the frames together. The pieces are in order already.
func (c *checking) stack() {
	s := c.s
	switch top := s.Top().Kind; {
	case s.Phase == PhaseOver && s.Depth > 0:
		c.Wrong("stack", "the match is over: nothing is left to do")
		return
	case s.Phase == PhaseOver:
		return
	case !top.asks() && !top.chances():
		c.Wrong("stack", "its last frame must be a question or an event of chance: leave stack out to have it laid")
		return
	case s.Phase == PhasePillage:
		c.Wrong("stack", "nothing is asked in the pillage phase: leave stack out")
		return
	case s.Phase == PhaseAction && s.Turn != Legendary && s.Ships[s.Turn].Table[s.Slot] == noCard:
		c.Wrong("turn", "seat %d has no card in slot %d to execute", s.Turn, s.Slot+1)
		return
	}
	below := Frame{}
	for i, f := range s.Frames[:s.Depth] {
		if !c.r.forms.Stands(&c.Faults, c.framePath(i), f, below) {
			return
		}
		below = f
	}
	if !c.begins() {
		return
	}
	for i := c.above; i < int(s.Depth) && len(c.List) == 0; i++ {
		if c.whose(i); len(c.List) == 0 {
			c.fits(i)
		}
	}
	for _, check := range []func(){c.progress, c.answerable} {
		if len(c.List) == 0 {
			check()
		}
	}
}

// begins checks the frames at the bottom: they are what the rules lay for the phase, down to
// a step that all take in order or to a turn that is under way.
func (c *checking) begins() bool {
	s := c.s
	laid := c.laid()
	n := 0
	for n < int(min(s.Depth, laid.Depth)) && s.Frames[n] == laid.Frames[n] {
		n++
	}
	next, want := Frame{}, Frame{}
	if n < int(s.Depth) {
		next = s.Frames[n]
	}
	if n < int(laid.Depth) {
		want = laid.Frames[n]
	}
	done := int(next.Arg[1])
	step := want
	step.Arg[1] = next.Arg[1]
	setup := s.Phase == PhaseSetup
	switch {
	case next.Kind == DoInOrder && next == step && done > 0: // one of the seats takes it
		c.above, c.who = n+1, c.r.ordinal(s, done-1)
	case want.Kind == AskNothing && laid.Top().Kind != DoInOrder:
		c.above, c.who = n, int(s.Turn)
	case setup && next.Kind == AskNothing, setup && n == 1 && next.Kind == DoJewels:
		c.above, c.who = n, Legendary
	default:
		text, _ := json.Marshal(c.r.forms.Write(want))
		c.Wrong(c.framePath(n), "%s: want %s: leave stack out to have it laid", next.Kind, text)
		return false
	}
	return true
}

// progress checks that the phase has got as far as the stack says.
func (c *checking) progress() {
	switch c.s.Phase {
	case PhaseSetup:
		c.settingUp()
	case PhaseRoundStart:
		c.programming()
	case PhaseRoundEnd:
		c.need(c.above, !c.s.Dug && c.r.reached(c.s), "the treasure is dug up once, when a captain is at M, or X on the alternate island")
	}
}

// laid is a stack with what the rules lay for the phase.
func (c *checking) laid() *State {
	r, s := c.r, c.s
	t := &State{}
	switch s.Phase {
	case PhaseSetup:
		if r.Modules.Has(LegendaryShip) && s.Frames[1].Kind != DoLegendarySetup {
			t.Initiative = s.Initiative
			t.Push(frame(DoRound, 0))
			r.legendarySetup(t)
		} else {
			r.Reset(t, 0)
		}
	case PhaseRoundStart:
		r.layStart(t)
	case PhaseAction:
		t.Turn, t.Slot, t.Initiative = s.Turn, s.Slot, s.Initiative
		r.layTurn(t)
	case PhaseRoundEnd:
		r.layRoundEnd(t, true)
	}
	return t
}

// need notes that a frame asks for something impossible.
func (c *checking) need(i int, holds bool, format string, args ...any) {
	if !holds {
		c.Wrong(c.framePath(i), "%s: %s", c.s.Frames[i].Kind, fmt.Sprintf(format, args...))
	}
}

// answerable checks that the seat that is asked can choose something other than to decline,
// and that chance has an outcome.
func (c *checking) answerable() {
	r, s := c.r, c.s
	if s.Next().asks() {
		var legal engine.Mask
		r.Legal(s, &legal)
		legal.Clear(ToDecline)
		legal.Clear(ToStay)
		c.need(int(s.Depth)-1, legal.First() >= 0, "there is nothing to choose")
		return
	}
	outcomes := 0
	r.weights(s, s.Top(), func(engine.Action, int) { outcomes++ })
	c.need(int(s.Depth)-1, outcomes > 0, "there is nothing to draw")
}

// settingUp checks how far set-up is, by the stack.
func (c *checking) settingUp() {
	r, s := c.r, c.s
	top, depth := s.Top(), int(s.Depth)
	stage := 1 // the lowest one
	if r.Modules.Has(LegendaryShip) {
		if stage++; s.Frames[1].Kind != DoLegendarySetup {
			c.legendarySettingUp()
			return
		}
		c.legendaryHas(false, nil, 0)
	}
	if c.above == depth { // water tiles are drawn
		regions := r.regions
		for _, f := range s.Frames[:depth] {
			regions -= int(engine.Bit(f.Kind == DrawWater))
		}
		if top.Kind == RollInitiative && s.Initiative != 0 {
			c.Wrong("initiative", "%d: it is still to be rolled, so 0", s.Initiative)
		}
		c.setUp(regions, 0, 0, 0)
		return
	}
	k := len(r.stages) - (c.above - stage)
	of, n := r.stages[k], int(s.Frames[c.above-1].Arg[1])
	together := of == AskCaptain && !r.Edition.ShipsAfterCaptains // with the ship's place
	c.need(depth-1, top.Kind == of || together && top.Kind == AskPlace, "want %s", of)
	done := map[Kind]int{of: n - 1}
	for _, before := range r.stages[:k] {
		done[before] += r.seats
	}
	switch {
	case together && top.Kind == AskPlace:
		done[AskCaptain], done[AskPlace] = n, n-1
	case together:
		done[AskPlace] = n - 1
	case of == DealFragment && !r.Edition.ShipsAfterCaptains:
		done[AskPlace] = done[AskCaptain]
	}
	c.setUp(r.regions, done[DealFragment], done[AskCaptain], done[AskPlace])
}

// setUp checks how far set-up is: regions with water tiles, fragments dealt, and seats in
// initiative order with a captain, with their ship placed.
func (c *checking) setUp(regions, dealt, chosen, placed int) {
	r, s := c.r, c.s
	for i, t := range s.Water[:r.regions] {
		if (t != noTile) != (i < regions) {
			c.Wrong(item("water", i), "%s: at this point of set-up %d water tiles lie", position.NameOf(waterNames[:], t), regions)
		}
	}
	for i := range r.seats {
		seat := r.ordinal(s, i)
		sh, at := &s.Ships[seat], shipPath(seat)
		fragments := (dealt + r.seats - 1 - i) / r.seats // dealt in initiative order
		if n := sum(&sh.Fragments); n != fragments {
			c.Wrong(at+".fragments", "%d: at this point of set-up there are %d", n, fragments)
		}
		if (sh.Captain != noCaptain) != (i < chosen) {
			c.Wrong(at+".captain", "%s: at this point of set-up %d seats have chosen, from the initiative on", position.NameOf(captainNames[:], sh.Captain), chosen)
		}
		if (sh.Region != noRegion) != (i < placed) {
			c.Wrong(at+".region", "%d: at this point of set-up %d seats have placed their ships, from the initiative on", sh.Region, placed)
		}
		if i < placed && sh.Node != r.landing(sh.Region) {
			c.Wrong(at+".captain_at", "%s: captains begin on the beach, on the alternate island that of the region where their ship is placed", nodeNames[sh.Node])
		}
	}
}

// programming checks which seats have programmed their cards.
func (c *checking) programming() {
	r, s := c.r, c.s
	programmed := 0 // or at it
	if f := s.Frames[c.above-1]; Kind(f.Arg[0]) == DoProgram {
		programmed = int(f.Arg[1])
	}
	for i := range r.seats {
		seat := r.ordinal(s, i)
		sh := &s.Ships[seat]
		switch row, all := sh.row(), sh.rowWhenProgrammed(); {
		case i < programmed-1 && row != all:
			c.Wrong(shipPath(seat)+".table", "%d cards: the seat has programmed, so %d", row, all)
		case i >= programmed && row != 0:
			c.Wrong(shipPath(seat)+".table", "%d cards: the seat has not programmed yet, so none", row)
		}
	}
}

// rowWhenProgrammed is the number of cards that a ship's row has once its player has programmed.
func (sh *Ship) rowWhenProgrammed() int { return min(NumSlots, sh.row()+bits.OnesCount64(sh.Hand)) }

// whose checks to whom a frame belongs: to the seat of the frame that it stands on, or if that has none
// to the seat whose step or turn it is. fits checks the others.
func (c *checking) whose(i int) {
	f, below := c.s.Frames[i], c.s.Frames[i-1]
	switch f.Kind {
	case DoAdvance, DoBottom, AskPath, AskStack, AskDrawTwo, AskKeep, DrawLandmark, AskExploit, // of the seat that walks or exploits
		AskPay, AskHut, DoHutDamage, AskHutMove, AskGiver, AskReceiver, AskGive, AskGiveLegendary, AskMystic, DoHull, DoJewels, // and resolves landmarks
		RollDuel, AskDuelReroll, AskStealTotem:
		return
	}
	want := int8(c.who)
	switch {
	case c.r.forms.Form(f.Kind).Seat == nil:
		return
	case below.Kind == AskHutMove: // the ship that is moved, not who moves it
		want = below.Arg[0]
	case c.r.forms.Form(below.Kind).Seat != nil:
		want = below.Seat
	}
	c.need(i, f.Seat == want, "want that of %s", shipTitle(want))
}
