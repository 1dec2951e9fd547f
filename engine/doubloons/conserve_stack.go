package doubloons

import (
	"encoding/json"
	"fmt"
	"math/bits"

	"github.com/privateer-rl/privateer/engine/position"
)

// The decision stack must be one that the rules can have built: at its bottom
// what is left of the phase, above it what is left of a turn, at its top a
// question that has an answer. A frame that anybody could put anywhere would
// ask for a fragment from a ship that has none.

// forms checks kinds and arguments of all frames by themselves.
func (c *checking) forms() {
	s := c.s
	if s.Depth > maxFrames {
		c.Wrong("stack", "%d frames: there is room for %d", s.Depth, maxFrames)
		return
	}
	for i, f := range &s.Frames {
		at := c.framePath(i)
		if i >= int(s.Depth) {
			if f != (Frame{}) {
				c.Wrong(at, "a frame above the top")
			}
			continue
		}
		c.r.forms.InRange(&c.Faults, at, f)
	}
}

// stack checks the frames together. The pieces are in order already.
func (c *checking) stack() {
	c.frames = c.s.Frames[:c.s.Depth]
	top := c.s.Top().Kind
	switch {
	case c.s.Phase == PhaseOver:
		if len(c.frames) > 0 {
			c.Wrong("stack", "the match is over: nothing is left to do")
		}
		return
	case !top.asks() && !top.chances():
		c.Wrong("stack", "its last frame must be a question or an event of chance: leave stack out to have it laid")
		return
	}
	switch c.s.Phase {
	case PhaseSetup:
		c.setupStack()
	case PhaseRoundStart:
		c.roundStartStack()
	case PhaseAction:
		if c.s.Turn == Legendary {
			c.legendaryStack()
		} else {
			c.turnStack()
		}
	case PhasePillage:
		c.Wrong("stack", "nothing is asked in the pillage phase: leave stack out")
	case PhaseRoundEnd:
		c.digStack()
	}
}

// peek is the frame that is looked at; the zero Frame past the top.
func (c *checking) peek() Frame {
	if c.at < len(c.frames) {
		return c.frames[c.at]
	}
	return Frame{}
}

// misplaced notes that the frame looked at is not what the rules can have put there.
func (c *checking) misplaced(format string, args ...any) {
	what := "nothing"
	if f := c.peek(); f.Kind != AskNothing {
		what = f.Kind.String()
	}
	c.Wrong(c.framePath(min(c.at, len(c.frames))), "%s: %s", what, fmt.Sprintf(format, args...))
}

// expect passes over frames that must come next.
func (c *checking) expect(want ...Frame) bool {
	for _, w := range want {
		if c.peek() != w {
			text, _ := json.Marshal(c.r.forms.Write(w))
			c.misplaced("want %s: leave stack out to have it laid", text)
			return false
		}
		c.at++
	}
	return true
}

// expectRest passes over the frames of the round from a slot's reveal on.
func (c *checking) expectRest(slot int) bool {
	var t State
	c.r.layRound(&t, slot)
	return c.expect(t.Frames[:t.Depth]...)
}

// inOrder passes over the frame of a step that all do in order and returns how
// many were given their turn, and the last of them; −1 where it is not there.
func (c *checking) inOrder(k Kind) (done, seat int) {
	f := c.peek()
	done = int(f.Arg[1])
	if f.Kind != DoInOrder || Kind(uint8(f.Arg[0])) != k || done > c.r.seats {
		c.misplaced("want do_in_order of %s: leave stack out to have it laid", k)
		return -1, -1
	}
	c.at++
	return done, c.r.ordinal(c.s, max(done-1, 0))
}

// last checks that the frame looked at is the top, and of one of the kinds.
func (c *checking) last(seat int, kinds ...Kind) bool {
	f := c.peek()
	for _, k := range kinds {
		if f.Kind == k && int(f.Seat) == seat && c.at == len(c.frames)-1 {
			return true
		}
	}
	c.misplaced("want %s of seat %d at the top: leave stack out to have it laid", kinds[0], seat)
	return false
}

// need notes that the frame looked at asks for what cannot be.
func (c *checking) need(holds bool, format string, args ...any) {
	if !holds {
		c.misplaced(format, args...)
	}
}

func (c *checking) setupStack() {
	r, s := c.r, c.s
	if !c.expect(frame(DoRound, 0)) {
		return
	}
	if r.Modules.Has(LegendaryShip) {
		if c.peek() != frame(DoLegendarySetup, 0) {
			c.legendarySetupStack()
			return
		}
		c.at++
		c.legendaryHas(false, nil, 0)
	}
	for i := len(r.stages) - 1; i >= 0; i-- {
		if n, seat := c.inOrder(r.stages[i]); n < 0 {
			return
		} else if n > 0 {
			c.setupStage(r.stages[:i], r.stages[i], n, seat)
			return
		}
	}
	if r.Modules.Has(AlternateIsland) && !c.expect(frame(DoMists, 0)) {
		return
	}
	region := r.regions - 1
	for ; region >= 0 && c.at < len(c.frames); region-- {
		if !c.expect(frame(DrawWater, 0, region)) {
			return
		}
	}
	if c.at < len(c.frames) {
		if c.expect(frame(RollInitiative, 0)) && s.Initiative != 0 {
			c.Wrong("initiative", "%d: it is still to be rolled, so 0", s.Initiative)
		}
	}
	c.need(c.at == len(c.frames), "nothing comes after that")
	c.setUp(region+1, 0, 0, 0)
}

// setupStage checks set-up while the n-th seat takes a step, when all seats have taken
// those before.
func (c *checking) setupStage(before []Kind, stage Kind, n, seat int) {
	done := map[Kind]int{stage: n - 1}
	for _, k := range before {
		done[k] += c.r.seats
	}
	switch {
	case stage != AskCaptain || c.r.Edition.ShipsAfterCaptains:
		c.last(seat, stage)
	case c.last(seat, AskCaptain, AskPlace) && c.peek().Kind == AskPlace:
		done[AskCaptain], done[AskPlace] = n, n-1
	default:
		done[AskPlace] = n - 1
	}
	if stage == DealFragment && !c.r.Edition.ShipsAfterCaptains {
		done[AskPlace] = done[AskCaptain]
	}
	c.setUp(c.r.regions, done[DealFragment], done[AskCaptain], done[AskPlace])
}

// setUp checks how far set-up is: regions with water tiles, fragments dealt, and seats in
// initiative order with a captain, with their ship placed.
func (c *checking) setUp(regions, dealt, chosen, placed int) {
	r, s := c.r, c.s
	for i, t := range s.Water[:r.regions] {
		if (t != noTile) != (i < regions) {
			c.Wrong(item("water", i), "%s: by the stack %d water tiles lie", position.NameOf(waterNames[:], t), regions)
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
			c.Wrong(at+".captain", "%s: by the stack %d seats have chosen, from the initiative on", position.NameOf(captainNames[:], sh.Captain), chosen)
		}
		if (sh.Region != noRegion) != (i < placed) {
			c.Wrong(at+".region", "%d: by the stack %d seats have placed their ships, from the initiative on", sh.Region, placed)
		}
		if i < placed && r.Modules.Has(AlternateIsland) && sh.Node != NodeB1+sh.Region {
			c.Wrong(at+".captain_at", "%s: captains begin on the beach of the region where their ship is placed", nodeNames[sh.Node])
		}
	}
}

func (c *checking) roundStartStack() {
	r, s := c.r, c.s
	if !c.expectRest(0) {
		return
	}
	programming, who := c.inOrder(DoProgram)
	if programming < 0 {
		return
	}
	for i := range r.seats {
		seat := r.ordinal(s, i)
		sh := &s.Ships[seat]
		row, all := sh.row(), min(NumSlots, sh.row()+bits.OnesCount64(sh.Hand))
		switch {
		case i < programming-1 && row != all:
			c.Wrong(shipPath(seat)+".table", "%d cards: the seat has programmed, so %d", row, all)
		case i >= max(programming, 0) && row != 0:
			c.Wrong(shipPath(seat)+".table", "%d cards: the seat has not programmed yet, so none", row)
		case i == programming-1:
			for slot := all - 1; slot >= row; slot-- {
				if !c.expect(frame(AskProgram, who, slot)) {
					return
				}
			}
			c.need(c.at == len(c.frames), "nothing comes after that")
		}
	}
	if programming > 0 {
		return
	}
	if n, seat := c.inOrder(DoDrawUp); n != 0 {
		if n > 0 && c.expect(frame(DoDrawUp, seat)) && c.last(seat, DrawCard) {
			c.need(s.Deck != 0, "the deck is empty")
			c.need(bits.OnesCount64(s.Ships[seat].Hand) < r.handSize(s, seat), "the hand is full")
		}
		return
	}
	n, seat := c.inOrder(DoRoundTile)
	if n < 0 || !c.last(seat, AskSextant, AskSextantOwn, AskSextantTheirs) {
		return
	}
	f := c.peek()
	own := &s.Ships[seat].Fragments
	c.need(n > 0 && r.at(s, &s.Ships[seat], StoneSextant), "the ship does not lie at the Stone Sextant")
	c.need(sum(own) > 0, "the ship has no fragment to give")
	if f.Kind == AskSextant {
		others := 0
		for _, i := range r.fleet {
			if i != seat {
				others += sum(&s.Ships[i].Fragments)
			}
		}
		c.need(others > 0, "no enemy has a fragment")
		return
	}
	c.need(int(f.Arg[0]) != seat && sum(&s.Ships[f.Arg[0]].Fragments) > 0, "%s is no enemy with a fragment", shipTitle(f.Arg[0]))
	c.need(f.Kind == AskSextantOwn || own[f.Arg[1]] > 0, "the ship has no %s to give", symbolNames[f.Arg[1]])
}

// digStack is what is left of a Round End at which the treasure is dug up.
func (c *checking) digStack() {
	r, s := c.r, c.s
	if !c.expect(frame(DoCleanup, 0), frame(DoRedemption, 0), frame(DoDigEnd, 0)) {
		return
	}
	if r.Edition.JewelsLikePillage {
		c.sharedJewels()
		return
	}
	n, seat := c.inOrder(DoAward)
	if n < 0 {
		return
	}
	more := c.peek()
	c.need(more.Kind == DoJewels && int(more.Seat) == seat && n > 0, "want do_jewels of seat %d", seat)
	won := r.jewelsWon(s, seat)
	c.need(int(more.Arg[0]) < won, "a captain at %s draws %d jewels in all", nodeNames[s.Ships[seat].Node], won)
	there := false
	for i := range r.seats {
		there = there || s.Ships[i].Node == NodeM || s.Ships[i].Node == NodeX
	}
	c.need(!s.Dug && there, "the treasure is dug up once, when a captain is at M, or X on the alternate island")
	c.at++
	if c.last(seat, DrawJewel) {
		c.need(sum(&s.Jewels) > 0, "no jewels are left")
	}
}
