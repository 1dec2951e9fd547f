package doubloons

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/privateer-rl/privateer/engine/kit/position"
)

// The contents of the box are distributed here: map fragments, landmarks, tokens and cards; stock.go lists
// them. Written parts are placed first, omitted parts get their share of the rest.

// fragments reads the map fragments of the ships, the map stack, and what nobody
// has seen.
func (p *reading) fragments() {
	r, s, root := p.r, p.s, p.root
	all := r.fragmentStock(s)
	for i, seat := range r.fleet {
		p.Take(all, p.ship[seat].Get("fragments"), all.Places[i])
	}
	unseen, stack := root.Get("unseen_fragments"), root.Get("map_stack")
	p.IsObject(stack, append([]string{"fragments"}, specialNames[:]...)...)
	if len(p.List) > 0 {
		return
	}
	pool := all.Left() // what may be dealt
	for sym, name := range symbolNames[:r.symbols] {
		pool[sym] = max(0, pool[sym]-p.Number(unseen.Get(name), 0, all.Box[sym], 0))
	}
	dealt := func() (n int) {
		for _, seat := range r.fleet {
			n += sum(&s.Ships[seat].Fragments)
		}
		return n
	}
	most := r.symbols * int(r.FragmentsPerSymbol)
	p.dealFragments(pool, r.fragmentsInGame()-dealt()-p.Number(stack.Get("fragments"), 0, most, 0))
	p.Fill(all, unseen)
	rest := r.fragmentsInGame() - dealt()
	if s.Phase == PhaseSetup {
		rest = r.fragmentsInGame() - r.fragmentsDealt()
	}
	s.MapFragments = uint8(p.Number(stack.Get("fragments"), 0, most, max(rest, 0)))
	p.Fill(r.orbStock(s), stack.Get(specialNames[ProtectionOrb]))
	for special := range ProtectionOrb {
		p.Fill(r.specialStock(s, special), stack.Get(specialNames[special]))
	}
}

// dealFragments deals a random fragment of the pool to each ship that the file
// does not mention, as far as the stack can spare them. On the alternate island it
// deals the seats all that are left. During set-up the rules deal them, once captains are chosen.
func (p *reading) dealFragments(pool []int, spare int) {
	if p.s.Phase == PhaseSetup {
		return
	}
	if p.r.Modules.Has(AlternateIsland) {
		if p.r.legendaryFragments() > 0 {
			spare = p.dealRound(p.r.fleet[p.r.seats:], pool, spare)
		}
		for before := spare + 1; spare > 0 && spare < before; {
			before = spare
			spare = p.dealRound(p.r.fleet[:p.r.seats], pool, spare)
		}
		return
	}
	p.dealRound(p.r.fleet, pool, spare)
}

// dealRound deals a fragment to each ship, and returns how many can be spared then.
func (p *reading) dealRound(ships []int, pool []int, spare int) int {
	for _, seat := range ships {
		if p.ship[seat].Get("fragments") != nil || spare <= 0 {
			continue
		}
		if sym := position.Draw(pool, &p.deal); sym >= 0 {
			p.s.Ships[seat].Fragments[sym]++
			spare--
		}
	}
	return spare
}

// landmarks reads where the landmark tiles are. Those that the file does not
// mention lie in their stacks, in unknown order.
func (p *reading) landmarks() {
	r, s, root := p.r, p.s, p.root
	places := map[int]string{}
	for i, f := range s.Frames[:s.Depth] {
		for _, t := range tilesOf(f) {
			places[int(t)] = fmt.Sprintf("stack[%d]", max(0, i-p.laid))
		}
	}
	tiles := &position.Pieces{Names: r.tileNames(), Each: "landmark", Places: places}
	claim := func(v *position.Value) int { return p.Claim(tiles, v) }
	nodes := root.Get("landmarks")
	var known []string
	for n, name := range r.locations() {
		if name != "" && r.Colour[n] != ColourNone {
			known = append(known, name)
		}
	}
	if p.IsObject(nodes, known...) && len(p.List) == 0 {
		for _, k := range nodes.Keys {
			s.Tiles[slices.Index(nodeNames[:], k)] = int8(claim(nodes.Get(k)))
		}
	}
	for _, v := range p.IsList(root.Get("out_of_game"), NumLandmarks) {
		claim(v)
	}
	stacks := root.Get("stacks")
	p.IsObject(stacks, colourNames[:r.stacks]...)
	s.StackTop = [NumColours]uint64{}
	for c := range r.stacks {
		v := stacks.Get(colourNames[c])
		p.IsObject(v, "top", "bottom")
		for _, item := range p.IsList(v.Get("top"), NumLandmarks) {
			if t := claim(item); t >= 0 {
				s.StackTop[c] |= 1 << t
			}
		}
		for k, item := range p.IsList(v.Get("bottom"), maxTiles) {
			s.StackBottom[c][k] = int8(claim(item))
			s.StackLow[c]++
		}
	}
	for t := range NumLandmarks {
		if r.landmarkSet>>t&1 == 0 {
			continue
		}
		c := r.LandmarkColour[t]
		top := stacks.Get(colourNames[c]).Get("top")
		switch {
		case places[t] != "":
		case top != nil:
			p.Wrong(top.Path, "%s; add it here or to out_of_game", nowhere(landmarkNames[t:t+1]))
		default:
			s.StackTop[c] |= 1 << t
		}
	}
}

// tokens reads doubloons, pillage tokens and jewels beside the board and on the
// island.
func (p *reading) tokens() {
	r, s, root := p.r, p.s, p.root
	// Either of supply and island, if written, determines the other; else the island has
	// the doubloons that Round Start laid there.
	doubloons, supply := r.doubloonStock(s), root.Get("supply")
	laid := 0
	switch left := doubloons.Left()[0]; {
	case supply != nil:
		laid = left - p.Number(supply, 0, r.Doubloons, 0)
	case s.Phase != PhaseSetup && (s.Phase != PhaseRoundStart || p.program || p.stacked):
		laid = min(int(r.Seeding[r.seats]), left)
	}
	s.Island = uint8(p.Number(root.Get("island"), 0, r.Doubloons, max(0, laid)))
	p.Fill(doubloons, supply)
	p.Fill(r.pillageStock(s), root.Get("pillage_tokens"))
	jewels := r.jewelStock(s)
	p.dealBlackJewel(jewels)
	p.dealLegendaryJewels(jewels)
	p.Fill(jewels, root.Get("jewels"))
}

// dealBlackJewel gives Valparisa the black jewel that she begins with, if the file does
// not say what jewels she has and places the jewel nowhere else.
func (p *reading) dealBlackJewel(all *position.Stock) {
	beside := 0
	if black := all.Box[BlackJewel]; black > 0 {
		beside = p.Number(p.root.Get("jewels").Get(jewelNames[BlackJewel]), 0, black, 0)
	}
	for seat := range p.r.seats {
		if p.ship[seat].Get("jewels") == nil && all.Left()[BlackJewel] > beside {
			p.r.valparisasJewel(p.s, &p.s.Ships[seat])
		}
	}
}

// cards reads where the action cards are. Rows and hands that the file does not
// mention are dealt from the cards that it does not mention; the rest is the deck.
func (p *reading) cards() {
	r, s, root := p.r, p.s, p.root
	h := &holdings{reading: p, all: position.Pieces{Names: r.cardNames(), Each: "card", Places: map[int]string{}}}
	s.Discard = h.set(root.Get("discard"))
	s.Deck = h.set(root.Get("deck"))
	for seat := range r.seats {
		v := p.ship[seat]
		h.hands[seat] = h.list(v.Get("hand"), NumCards)
		h.rows[seat] = h.row(v.Get("table"))
	}
	h.left = r.cardsInPlay(s.Dug)
	for c, at := range h.all.Places {
		if h.left>>c&1 == 0 {
			p.Wrong(at, "%s joins the deck at the dig: make dug true, or take another card", cardNames[c])
		}
		h.left &^= 1 << c
	}
	if len(p.List) > 0 {
		return
	}
	for seat := range r.seats {
		h.fill(seat)
	}
	switch deck, discard := root.Get("deck"), root.Get("discard"); {
	case deck == nil:
		s.Deck = h.left
	case discard == nil:
		s.Discard = h.left
	case h.left != 0:
		p.Wrong("deck", "%s; add the missing cards to deck, discard or a hand", nowhere(cardList(h.left)))
	}
}

// holdings are the cards as the file places them.
type holdings struct {
	*reading
	all   position.Pieces
	left  uint64 // cards without a place
	hands [MaxSeats][]int
	rows  [MaxSeats][]int // noCard for a slot that has none
}

// list reads cards; each may be in one place.
func (h *holdings) list(v *position.Value, most int) []int {
	if v != nil && v.Get("cards") != nil {
		h.Wrong(v.Path, "a number of cards is in a seat's view only: list the cards, or leave it out")
		return nil
	}
	list := []int{}
	for _, item := range h.IsList(v, most) {
		list = append(list, h.Claim(&h.all, item))
	}
	return list
}

func (h *holdings) set(v *position.Value) uint64 {
	var set uint64
	for _, c := range h.list(v, NumCards) {
		if c != noCard {
			set |= 1 << c
		}
	}
	return set
}

func (h *holdings) row(v *position.Value) []int {
	row := []int{}
	for _, item := range h.IsList(v, NumSlots) {
		if item.Text == position.None {
			row = append(row, noCard)
			continue
		}
		row = append(row, h.Claim(&h.all, item))
	}
	return row
}

// fill gives a seat its row and its hand. Slots that the file does not name are
// filled from the hand that it writes, or dealt; so is a hand that it does not write.
func (h *holdings) fill(seat int) {
	r, s := h.r, h.s
	sh := &s.Ships[seat]
	hand, row := h.hands[seat], h.rows[seat]
	written := h.ship[seat].Get("hand") != nil
	rows := s.Phase == PhaseAction || s.Phase == PhasePillage || s.Phase == PhaseRoundEnd
	played := 0 // cards of a full hand that are not in it now
	for k := range sh.Table {
		switch {
		case k < len(row):
			sh.Table[k] = int8(row[k])
		case k > 0 && sh.Table[k-1] == noCard: // a row has no gaps
		case rows && written && len(hand) > 0:
			sh.Table[k], hand = int8(hand[0]), hand[1:]
		case rows && !written:
			sh.Table[k] = int8(h.draw())
		}
		if sh.Table[k] != noCard || rows || s.Phase == PhaseOver {
			played++
		}
	}
	for _, c := range hand {
		sh.Hand |= 1 << c
	}
	if written || s.Phase == PhaseSetup || s.Phase == PhaseRoundStart && !h.program && !h.stacked {
		return // cards are drawn by the rules
	}
	for n := r.handSize(s, seat) - played; n > 0 && h.left != 0; n-- {
		sh.Hand |= 1 << h.draw()
	}
}

// draw takes a random card of those without a place, or noCard.
func (h *holdings) draw() int {
	if h.left == 0 {
		return noCard
	}
	return bits.TrailingZeros64(take(&h.left, 1, &h.deal))
}
