package jollyroger

import (
	"fmt"
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// Positions as they are read. What a file leaves out has the value that it has in
// a match which has just reached that phase; what is random there is dealt from the
// file's seed.

// SetPosition sets the match to a position that Position(s, engine.Full) printed
// or that somebody wrote. The error names what is wrong by its path and says how to put it
// right; s is then undefined.
func (r *Rules) SetPosition(s *State, data []byte) error {
	root, err := position.Parse(data)
	if err != nil {
		return err
	}
	p := &reading{r: r, s: s, root: root}
	for _, part := range []func(){p.header, p.officers, p.players, p.frames, p.crew, p.prizes, p.voyage, p.mutiny, p.offer, p.knowledge} {
		if part(); len(p.List) > 0 {
			return p.Err()
		}
	}
	if root.Get("stack") == nil {
		p.resume()
		if len(p.List) > 0 {
			return p.Err()
		}
	}
	return r.Check(s)
}

// reading is one position being read.
type reading struct {
	position.Faults
	r    *Rules
	s    *State
	root *position.Value

	deal  engine.Rand    // deals what is left out
	dealt [MaxSeats]bool // whose hand is given
	sided [MaxSeats]bool // whose side is
}

// header reads what the file is of, and sets the state to one where nothing is
// laid out.
func (p *reading) header() {
	r, s := p.r, p.s
	if !p.IsObject(p.root, positionFields.Names()...) {
		return
	}
	p.SameGame(p.root.Get("game"), r.info.Config, "objective", "win", "rewards", "final", "start", "setup", engine.AdviceName, engine.NoWords)
	seed := p.Long(p.root.Get("seed"), 0)
	r.Reset(s, seed)
	s.Depth, s.Frames = 0, [maxFrames]Frame{}
	p.deal = engine.NewRand(seed).At(0)
	s.Rand = p.Generator(p.root)
	phase := p.Name(p.root.Get("phase"), phaseNames, int(PhaseAppointment))
	s.Phase = Phase(phase)
	if s.Phase == PhaseSetup {
		s.Round = uint8(p.Number(p.root.Get("round"), 0, 0, 0))
	} else {
		s.Round = uint8(p.Number(p.root.Get("round"), 1, Rounds, 1))
	}
}

// seat reads a seat, or −1 if it may be nobody.
func (p *reading) seat(v *position.Value, least, otherwise int) int8 {
	return int8(p.Number(v, least, p.r.seats-1, otherwise))
}

func (p *reading) officers() {
	r, s, root := p.r, p.s, p.root
	if s.Phase == PhaseSetup {
		s.Captain = p.seat(root.Get("captain"), noSeat, noSeat)
		s.Quartermaster = p.seat(root.Get("quartermaster"), noSeat, noSeat)
		const later = "the rounds have not begun: leave it out during set-up"
		if p.Number(root.Get("captain_since"), 0, Rounds, 0) != 0 {
			p.Wrong("captain_since", later)
		}
		if p.seat(root.Get("guard"), noSeat, noSeat) != noSeat {
			p.Wrong("guard", later)
		}
		for _, name := range []string{"mutiny_tried", "interrupted", "barred", "map"} {
			if p.Truth(root.Get(name), false) {
				p.Wrong(name, later)
			}
		}
		return
	}
	s.Captain = p.seat(root.Get("captain"), 0, 0)
	s.Since = uint8(p.Number(root.Get("captain_since"), 0, int(s.Round), 0))
	otherwise := r.after(int(s.Captain), 1)
	switch {
	case !r.officers:
		otherwise = int(s.Captain)
	case s.Phase == PhaseAppointment && s.Round == 1 && root.Get("mutiny") == nil:
		otherwise = noSeat
	}
	s.Quartermaster = p.seat(root.Get("quartermaster"), noSeat, otherwise)
	s.MutinyTried = p.Truth(root.Get("mutiny_tried"), root.Get("mutiny") != nil)
	s.Interrupted = p.Truth(root.Get("interrupted"), false)
	s.Barred = p.Truth(root.Get("barred"), false)
	s.Map = p.Truth(root.Get("map"), false)
	s.Guard = p.seat(root.Get("guard"), noSeat, noSeat)
}

// tally reads how many there are of each kind.
func (p *reading) tally(v *position.Value, names []string, counts []uint8) {
	if v == nil {
		return
	}
	if v.Get(unseenCards) != nil {
		p.Wrong(v.Path, "a number of cards is in a seat's view only: give what there is")
		return
	}
	if !p.IsObject(v, names...) {
		return
	}
	for i, name := range names {
		counts[i] = uint8(p.Number(v.Get(name), 0, 99, 0))
	}
}

func (p *reading) players() {
	r, s := p.r, p.s
	var seen [MaxSeats]bool
	for i, v := range p.IsList(p.root.Get("players"), r.seats) {
		if !p.IsObject(v, playerFields.Names()...) {
			continue
		}
		seat := p.Number(v.Get("seat"), 0, r.seats-1, i)
		if seen[seat] {
			p.Wrong(v.Path+".seat", "%d: it is given twice", seat)
			continue
		}
		seen[seat] = true
		p.dealt[seat] = v.Get("hand") != nil
		p.tally(v.Get("hand"), crewNames, s.Hands[seat][:])
		s.Size[seat] = uint8(min(255, sum(s.Hands[seat][:])))
		p.tally(v.Get("prizes"), prizeNames, s.Prizes[seat][:])
		p.tally(v.Get("buried"), prizeNames, s.Buried[seat][:])
		p.sided[seat] = v.Get("side") != nil
		s.Side[seat] = Side(p.Name(v.Get("side"), sideNames, int(Neutral)))
		s.Split[seat] = uint8(p.Number(v.Get("split"), 0, 99, 0))
		s.Appraised[seat] = uint8(p.Number(v.Get("appraised"), 0, 99, 0))
		if said := v.Get("said"); p.IsObject(said, saidFields.Names()...) {
			s.Said[seat] = uint8(1 + p.Name(said.Get("phrase"), phraseNames, 0)*MaxSeats + int(p.seat(said.Get("to"), 0, 0)))
		}
		s.Offered[seat] = p.seats(v.Get("offered_to"))
		s.Free[seat] = uint8(p.Number(v.Get("new_cards"), 0, 99, int(s.Size[seat])))
		p.tally(v.Get("of_mutiny"), crewNames, s.Got[seat][:])
	}
}

// frames reads the decision stack.
func (p *reading) frames() {
	for _, v := range p.IsList(p.root.Get("stack"), mostFrames) {
		p.s.Push(p.r.forms.Read(&p.Faults, v, nil))
	}
}

// crew reads the crew cards that are in no hand, and deals the hands that are left
// out from the rest.
func (p *reading) crew() {
	r, s, root := p.r, p.s, p.root
	p.tally(root.Get("discard"), crewNames, s.Discard[:])
	p.tally(root.Get("played"), crewNames, s.Played[:])
	if m := root.Get("mutiny"); m != nil {
		p.tally(m.Get("for_captain"), crewNames, s.Sides[0][:])
		p.tally(m.Get("for_mutineer"), crewNames, s.Sides[1][:])
	}
	deck, setup := root.Get("deck"), s.Phase == PhaseSetup
	p.share(r.crewStock(s), deck, s.Deck[:], s.Discard[:], root.Get("discard") != nil || setup)
	s.DeckSize = uint8(min(255, sum(s.Deck[:])))
	for seat := range r.seats {
		if deck != nil && !p.dealt[seat] && !setup {
			p.Wrong("deck", "it has the cards that are left when all hands are known: give every player a hand, or leave the deck out")
			return
		}
		for !setup && !p.dealt[seat] && s.Size[seat] < r.StartHand[r.seats] && s.DeckSize > 0 {
			s.draw(seat, Card(nth(s.Deck[:], p.deal.Intn(int(s.DeckSize)))))
		}
	}
}

// prizes reads the prizes that no player has.
func (p *reading) prizes() {
	s, root := p.s, p.root
	p.tally(root.Get("spoils"), prizeNames, s.Spoils[:])
	p.tally(root.Get("prize_discard"), prizeNames, s.PrizeOut[:])
	p.share(p.r.prizeStock(s), root.Get("prize_deck"), s.PrizeDeck[:], s.PrizeOut[:], root.Get("prize_discard") != nil)
	s.PrizesLeft = uint8(min(255, sum(s.PrizeDeck[:])))
}

// share reads a deck. Left out, it has the cards that are nowhere else; written, it leaves them to the
// discard, unless that is given too.
func (p *reading) share(st *position.Stock, v *position.Value, deck, discard []uint8, given bool) {
	left := st.Left()
	for k, n := range left {
		deck[k] = uint8(max(0, n))
	}
	p.tally(v, st.Kinds, deck)
	for k, n := range left {
		if !given {
			discard[k] += uint8(max(0, n-int(deck[k])))
		}
	}
	p.Conserved(st)
}

// voyage reads where the ship goes. Of the stacks that are left out, voyages so far
// have used cards at random, as many as the others leave to them.
func (p *reading) voyage() {
	r, s, root := p.r, p.s, p.root
	if v := root.Get("target"); v != nil && v.Text != position.None {
		s.Target = int8(p.Name(v, targetNames, noTarget))
	}
	if s.Target != noTarget {
		d := Destination(s.Target / StackSize)
		if r.stacks[d]>>(s.Target%StackSize)&1 == 0 {
			p.Wrong("target", "%s is not in a game of %d players", targetNames[s.Target], r.seats)
			return
		}
		s.Destination = d
	}
	if v := root.Get("destination"); v != nil {
		s.Destination = nowhere
		if v.Text != position.None {
			s.Destination = Destination(p.Name(v, destinationNames, int(nowhere)))
		}
	}
	p.stacks()
	if v := root.Get("needs"); p.IsObject(v, skillNames[:NumSkills]...) {
		for k, name := range skillNames[:NumSkills] {
			s.Needs[k] = uint8(p.Number(v.Get(name), 0, 12, 0))
		}
		if s.Target == noTarget {
			p.Wrong("needs", "they are those of a revealed target: give target too")
		}
	} else if s.Target != noTarget {
		s.Needs = r.Targets[s.Target].Needs
	}
}

func (p *reading) stacks() {
	r, s := p.r, p.s
	var open [NumDestinations]bool // those that are left out
	v := p.root.Get("stacks")
	p.IsObject(v, destinationNames...)
	used := 0
	for d, name := range destinationNames {
		var list *position.Value
		if v != nil {
			list = v.Get(name)
		}
		if open[d] = list == nil; open[d] {
			if s.Target != noTarget && int(s.Target)/StackSize == d {
				s.Stacks[d] &^= 1 << (s.Target % StackSize)
			}
		} else {
			s.Stacks[d] = 0
			first := d * StackSize
			names := targetNames[first : first+stackCards(Destination(d))]
			for _, item := range p.IsList(list, StackSize) {
				s.Stacks[d] |= 1 << p.Name(item, names, 0)
			}
		}
		used += bits.OnesCount8(r.stacks[d] &^ s.Stacks[d])
	}
	voyages := int(s.Round) - 1
	if s.Phase == PhasePrizes || s.Phase == PhasePunishment || s.Phase == PhaseOver || s.Target != noTarget {
		voyages++ // this round's
	}
	for ; used < voyages; used++ {
		p.voyaged(&open)
	}
}

// voyaged uses up a destination card at random: of the stacks that have another, and not of
// the islands, which are for those who write them.
func (p *reading) voyaged(open *[NumDestinations]bool) {
	var can [TreasureIsland]uint8
	for d := range can {
		if set := p.s.Stacks[d]; open[d] && set&(set-1) != 0 {
			can[d] = 1
		}
	}
	if n := sum(can[:]); n > 0 {
		d := nth(can[:], p.deal.Intn(n))
		p.s.Stacks[d] &= p.s.Stacks[d] - 1
	}
}

func (p *reading) mutiny() {
	s := p.s
	v := p.root.Get("mutiny")
	if !p.IsObject(v, mutinyFields.Names()...) {
		return
	}
	if v.Get("mutineer") == nil {
		p.Wrong("mutiny.mutineer", "it is missing: want the seat of the First Mutineer")
		return
	}
	s.Mutineer = p.seat(v.Get("mutineer"), 0, 0)
	s.RoleSide = Side(p.Name(v.Get("quartermaster_card"), sideNames, int(Neutral)))
	if s.Captain != noSeat && s.Side[s.Captain] == Neutral {
		s.Side[s.Captain] = ForCaptain
	}
	if s.Side[s.Mutineer] == Neutral {
		s.Side[s.Mutineer] = ForMutineer
	}
}

// offer reads crew cards and prizes alike.
func (p *reading) offer() {
	v := p.root.Get("offer")
	if v == nil {
		return
	}
	var counts [NumCrew + NumPrizes]uint8
	p.tally(v, sightedNames, counts[:])
	copy(p.s.Offer[:], counts[:NumCrew])
	copy(p.s.OfferPrizes[:], counts[NumCrew:])
}

// knowledge reads what seats have seen. What is written for several of them each has for itself.
func (p *reading) knowledge() {
	s := p.s
	p.tally(p.root.Get("old"), crewNames, s.Old[:])
	for _, v := range p.IsList(p.root.Get("sightings"), knowers*maxSightings) {
		if !p.IsObject(v, sightingFields.Names()...) {
			continue
		}
		kind, where := uint8(p.Name(v.Get("card"), sightedNames, 0)), p.seats(v.Get("among"))
		if p.Truth(v.Get("on_table"), false) {
			where |= onTable
		}
		where |= told(int(p.seat(v.Get("told"), noSeat, noSeat)))
		if p.Name(v.Get("of_mutiny"), mutinyNames, 0) > 0 {
			where |= lastMutiny
		}
		bag := uint8(p.Number(v.Get("bag"), noBag, allBags-1, noBag))
		who := p.seats(v.Get("known_by"))
		if p.Truth(v.Get("public"), false) {
			who |= bit(onlooker)
		}
		for ; who != 0; who &= who - 1 {
			knower := bits.TrailingZeros16(who)
			if s.Sighted[knower] == maxSightings {
				p.Wrong(v.Path, "seat %d has %d sightings already, and there are no more cards", knower, maxSightings)
				return
			}
			if outside(knower, where)&anywhere == 0 {
				p.Wrong(v.Path+".among", "nobody but seat %d, who knows it: want other seats", knower)
				return
			}
			s.remember(knower, kind, outside(knower, where))
			if knower != onlooker {
				s.Memories[knower].Bag[s.Sighted[knower]-1] = bag
			}
		}
	}
	p.bags()
	for knower := range s.Memories {
		s.setUsual(knower)
	}
	p.counts(p.root.Get("sighted_spoils"), prizeRow, middle)
	for i, v := range p.IsList(p.root.Get("players"), p.r.seats) {
		seat := p.Number(v.Get("seat"), 0, p.r.seats-1, i)
		for row, name := range sightedFields {
			p.counts(v.Get(name), row, seat)
		}
	}
}

// bags reads how likely sighted cards are where.
func (p *reading) bags() {
	for _, v := range p.IsList(p.root.Get("bags"), MaxSeats*allBags) {
		if !p.IsObject(v, bagFields.Names()...) {
			continue
		}
		seat, bag := p.Number(p.Needed(v, "seat"), 0, p.r.seats-1, 0), p.Number(p.Needed(v, "bag"), noBag+1, allBags-1, noBag+1)
		if p.Truth(v.Get("open"), false) {
			p.s.Open[seat] |= 1 << bag
		}
		for place, n := range p.IsList(v.Get("slots"), places) {
			p.s.Slots[seat][place][bag] = uint16(p.Number(n, 0, slot*maxCards, 0))
		}
	}
}

// counts reads how many of the cards that each seat has sighted are at a place.
func (p *reading) counts(v *position.Value, row, place int) {
	if v == nil || !p.IsObject(v, sightedEnds...) {
		return
	}
	for i, to := range []*[knowers]counts{&p.s.Least[row], &p.s.Most[row]} {
		name := sightedEnds[i]
		list := p.IsList(p.Needed(v, name), p.r.seats+1)
		if len(list) < p.r.seats {
			p.Wrong(v.Path+"."+name, "%d numbers: want one for each seat that may know", len(list))
			return
		}
		for knower, n := range list {
			if knower == p.r.seats {
				knower = onlooker
			}
			to[knower][place] = uint8(p.Number(n, 0, 99, 0))
		}
	}
	for knower := range p.s.Memories {
		if least, most := p.s.Least[row][knower][place], p.s.Most[row][knower][place]; least > most {
			p.Wrong(v.Path, "at least %d and at most %d of those that seat %d has seen: want no more at least than at most", least, most, knower)
		}
	}
}

// seats reads a set of seats.
func (p *reading) seats(v *position.Value) (set uint16) {
	for _, item := range p.IsList(v, p.r.seats) {
		set |= bit(p.Number(item, 0, p.r.seats-1, 0))
	}
	return set
}

// resume lays out the decision stack that follows from the phase, and runs on to
// the first decision.
func (p *reading) resume() {
	r, s := p.r, p.s
	if s.Phase == PhaseOver {
		if s.Appraised == [MaxSeats]uint8{} { // else they have been appraised
			s.Push(frame(DoAppraise, int(s.Captain), 0))
			r.run(s)
		}
		return
	}
	if s.Phase == PhaseSetup {
		p.Wrong("stack", "it is missing, and a set-up has many moments: give the stack, or another phase")
		return
	}
	s.Push(frame(DoRound, 0))
	r.quick(s, RoundEnd)
	switch s.Phase {
	case PhaseAppointment:
		s.Push(frame(DoPunishment, 0))
		s.Push(frame(DoVoyage, 0))
		r.quick(s, Appointed)
		s.Push(frame(DoFreeCards, 0))
		if s.Mutineer == noSeat && r.officers {
			s.Push(frame(DoWindow, 0))
			s.Push(frame(AskAppoint, int(s.Captain), 0))
			r.gifts(s, BeforeAppointment)
		}
	case PhaseVoyage:
		s.Push(frame(DoPunishment, 0))
		if s.Destination == nowhere {
			s.Push(frame(DoVoyage, 0))
			break
		}
		s.Push(frame(DoArrive, 0))
		if s.Mutineer == noSeat {
			s.Push(frame(DoWindow, 0))
		}
	case PhaseAttack:
		s.Push(frame(DoPunishment, 0))
		s.Push(frame(DoReveal, 0))
		s.Push(frame(DoLap, noSeat, 0))
		if sum(s.Played[:]) == 0 {
			s.Push(frame(DoFirst, 0))
			if s.Target == noTarget {
				r.poll(s, AskLookout, int(s.Captain), 0, r.seats)
			}
		}
	case PhasePrizes:
		s.Push(frame(DoPunishment, 0))
		s.Push(frame(DoSplit, 0))
	case PhasePort:
		s.Push(frame(DoPunishment, 0))
		s.Destination = PiratePort
		s.Push(frame(DoPort, 0))
		if s.Target == noTarget {
			s.Push(frame(DealTarget, 0))
		}
	case PhaseIsland:
		s.Push(frame(DoPunishment, 0))
		s.Destination = TreasureIsland
		s.Push(frame(DoIsland, 0))
		if !s.Map {
			r.poll(s, AskSailor, int(s.Captain), 1, r.seats+1)
		}
	case PhasePunishment:
		if s.Mutineer != noSeat {
			s.Push(frame(DoPunish, 0, 0, 1))
		} else {
			s.Push(frame(DoPunishment, 0))
		}
	}
	if s.Mutineer != noSeat {
		if q := s.Quartermaster; q != noSeat && !p.sided[q] && s.Side[q] == Neutral {
			s.Side[q] = s.RoleSide // who has played the card
		}
		s.Push(frame(DoMutinyEnd, 0, 0))
		s.Push(frame(DoFaction, r.after(int(s.Mutineer), 1), 0))
	}
	if p.ready(); len(p.List) > 0 {
		return
	}
	r.run(s)
}

// ready checks what the steps of a phase take for granted.
func (p *reading) ready() {
	r, s := p.r, p.s
	switch {
	case s.Mutineer != noSeat && s.Phase != PhaseAppointment && s.Phase != PhaseVoyage && s.Phase != PhasePunishment:
		p.Wrong("mutiny", "in phase %s there is none: want the phase appointment, voyage or punishment", s.Phase)
	case r.officers && s.Quartermaster == noSeat && s.Phase != PhaseAppointment:
		p.Wrong("quartermaster", "nobody: in phase %s there is one", s.Phase)
	case s.Phase == PhaseAttack && (s.Destination == nowhere || !isTarget(s.Destination)):
		p.Wrong("destination", "an attack needs a fort, merchant_ship or settlement")
	case s.Phase == PhaseVoyage && s.Mutineer != noSeat && s.Destination == nowhere:
		p.Wrong("destination", "this mutiny is about a destination: give it, or the phase appointment or punishment")
	case s.Destination != nowhere && s.Target == noTarget && s.Stacks[s.Destination] == 0:
		p.Wrong("stacks."+destinationNames[s.Destination], "it is empty, and the destination has no card")
	case s.Target != noTarget && int(s.Target)/StackSize != int(s.Destination):
		p.Wrong("target", "%s is no card of the destination", position.NameOf(targetNames, s.Target))
	}
	if sum(s.Spoils[:]) > 0 && s.Phase != PhasePrizes {
		p.Wrong("spoils", "they are shared out in phase prizes: leave them out, or give the stack")
	}
	if s.Phase == PhasePrizes && sum(s.Spoils[:]) == 0 {
		p.Wrong("spoils", "in phase prizes there are some: give them")
	}
	for seat := range r.seats {
		if s.Size[seat] > r.limit {
			p.Wrong(fmt.Sprintf("players[%d].hand", seat), "%d cards: the hand limit is %d", s.Size[seat], r.limit)
		}
	}
}
