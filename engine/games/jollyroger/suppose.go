package jollyroger

import (
	"encoding/json"
	"math/bits"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/frames"
)

// Suppose exchanges cards that a seat does not see, so that the others hold those that the seat is told they show, those that it draws next can be
// drawn, and what is offered next is what they offer. With hidden prizes it does so with these too. What the seat knows of where cards are is its
// own memory, which stays; what the others know is as after Redeal.
func (r *Rules) Suppose(s *State, view int, told []json.RawMessage) error {
	var events []happening
	for _, data := range told {
		e, err := frames.ReadEvent(eventForms, data)
		if err != nil {
			return err
		}
		events = append(events, e)
	}
	before := *s
	offer, offered := s.offered(view, events)
	crew, prizes := s.crewPiles(view), r.prizePiles(s, view)
	var sold [MaxSeats][NumPrizes]int
	for _, e := range events {
		if e.Kind == HasReshuffled || e.Kind == HasEndedMutiny {
			break // what comes later is a matter of other cards
		}
		seat, card, from := int(e.Seat), int(e.Arg[0]), int(e.Arg[1])
		switch e.Kind { // what all see, or the view
		case HasPlayed, HasDiscarded, HasOfferedCard:
			crew.show(seat, card)
		case HasOfferedPrize:
			prizes.show(seat, card)
		case HasTraded:
			prizes.show(seat, card)
			sold[seat][card]++
		case HasSighted:
			prizes.show(spoilsPile, card)
		}
		if seat != view {
			continue
		}
		switch e.Kind { // of what it gets
		case HasGotCard:
			crew.show(from, card)
		case HasDrawn:
			crew.show(deckPile, card)
		case HasGotPrize:
			prizes.show(from, card)
		case HasShare:
			prizes.show(spoilsPile, card)
		case HasDrawnPrize:
			prizes.show(deckPile, card)
		case HasUnearthed:
			prizes.show(buriedPile+from, card)
		}
	}
	if offered {
		r.offers(s, view, offer)
	}
	if r.hidden {
		s.trades(view, &sold)
	}
	if *s != before {
		d := dealing{r: r, s: s, view: view}
		d.others(&before)
	}
	return nil
}

type happening = engine.Frame[engine.EventKind]

// Piles of cards, those of seats first.
const (
	deckPile = MaxSeats + iota
	spoilsPile
	buriedPile
)

// piles are the cards, by kind, that lie at places which a view does not see, nil for one that it sees. needs are those that stay there, and
// shown those that have been shown there.
type piles struct {
	cards        [buriedPile + MaxSeats][]uint8
	needs, shown [buriedPile + MaxSeats][NumCrew]uint8
}

// crewPiles are the crew cards. Those stay that a seat has offered or got from a mutiny that is being dealt, or that all know it to have.
func (s *State) crewPiles(view int) *piles {
	p := &piles{}
	d := dealing{s: s, view: view}
	keep := d.kept()
	for i := range s.Hands {
		if i != view {
			p.cards[i] = s.Hands[i][:]
		}
		for c, n := range keep[i] {
			p.needs[i][c] = max(n, s.Got[i][c])
		}
	}
	p.cards[deckPile] = s.Deck[:]
	p.offers(s, s.Offer[:])
	p.sighted(s, view, 0)
	return p
}

// prizePiles are the prizes, if they are hidden.
func (r *Rules) prizePiles(s *State, view int) *piles {
	p := &piles{}
	if r.PrizesOpen(s) {
		return p
	}
	for i := range s.Prizes {
		if i != view {
			p.cards[i], p.cards[buriedPile+i] = s.Prizes[i][:], s.Buried[i][:]
		}
	}
	p.cards[deckPile] = s.PrizeDeck[:]
	if !r.SeesSpoils(s, view) {
		p.cards[spoilsPile] = s.Spoils[:]
	}
	p.offers(s, s.OfferPrizes[:])
	p.sighted(s, view, sightedPrize)
	return p
}

// offers has cards stay that are being offered.
func (p *piles) offers(s *State, cards []uint8) {
	if giver, open := s.giver(); open {
		for k, n := range cards {
			p.needs[giver][k] = max(p.needs[giver][k], n)
		}
	}
}

// sighted has cards stay, of kinds from first on, where the view knows them to be.
func (p *piles) sighted(s *State, view int, first uint8) {
	var sure [places][NumCrew]uint8
	for i := range int(s.Sighted[view]) {
		if e := s.Sighting(view, i); e.sure() && classOf(e.Kind) == classOf(first) {
			sure[bits.TrailingZeros16(e.Among())][e.Kind-first]++
		}
	}
	for at := range sure {
		for kind, n := range sure[at] {
			for _, place := range [...]int{at, buriedPile + at} {
				if at == middle {
					place = spoilsPile
				}
				if cards := p.cards[place]; cards != nil && n > 0 {
					here := min(n, cards[kind])
					p.needs[place][kind] = max(p.needs[place][kind], here)
					n -= here
				}
			}
		}
	}
}

// show has a place have one more card of a kind of those that are shown there, for another that need not stay.
func (p *piles) show(place, kind int) {
	there, needs := p.cards[place], &p.needs[place]
	if there == nil {
		return
	}
	p.shown[place][kind]++
	if needs[kind] = max(needs[kind], p.shown[place][kind]); there[kind] >= needs[kind] {
		return
	}
	for from, cards := range p.cards {
		if from == buriedPile+place && cards != nil && cards[kind] > 0 {
			p.needs[from][kind] -= min(p.needs[from][kind], 1) // it is sighted with that seat, buried or not
		} else if cards == nil || from == place || cards[kind] <= p.needs[from][kind] {
			continue
		}
		for other, n := range there {
			if other != kind && n > needs[other] {
				cards[kind]--
				there[kind]++
				there[other]--
				cards[other]++
				return
			}
		}
	}
}

// offered takes back what another seat is offering, unseen by the view, if what comes next tells of it. It returns what tells it.
func (s *State) offered(view int, events []happening) (of []happening, ok bool) {
	if _, open := s.giver(); !open || s.privy(view) || len(events) == 0 {
		return nil, false
	}
	if next := events[0].Kind; (s.Next() != AskOffer || next != HasOffered) && (s.Next() != AskAccept || next != HasAccepted) {
		return nil, false
	}
	s.withdraw()
	return events[1:], true
}

// offers has the seat that makes an offer offer what is told of it.
func (r *Rules) offers(s *State, view int, told []happening) {
	f := s.Top()
	giver, receiver := f.Seat, f.Arg[0]
	if f.Kind == AskAccept {
		giver, receiver = receiver, giver
	}
	crew, prizes := s.Hands[giver][:], s.Prizes[giver][:]
	for _, e := range told {
		switch card := int(e.Arg[0]); {
		case e.Kind == HasOfferedCard:
			add(s.Offer[:], crew, card)
		case e.Kind == HasOfferedPrize:
			add(s.OfferPrizes[:], prizes, card)
		case e.Kind == HasAccepted && int(receiver) != view:
		case e.Kind == HasGotCard && e.Arg[1] == giver:
			add(s.Offer[:], crew, anyKind)
		case e.Kind == HasGotPrize && e.Arg[1] == giver && r.hidden:
			add(s.OfferPrizes[:], prizes, anyKind)
		case e.Kind == HasGotPrize && e.Arg[1] == giver:
			add(s.OfferPrizes[:], prizes, card)
		default:
			told = nil
		}
		if told == nil {
			break
		}
	}
	if f.Arg[1] == 0 && sum(s.Offer[:])+sum(s.OfferPrizes[:]) == 0 && !add(s.Offer[:], crew, anyKind) { // it is no mere promise
		add(s.OfferPrizes[:], prizes, anyKind)
	}
}

const anyKind = -1 // kind of card

// add adds one of a kind of card, or of any, to some of those that there are. It is false if there are no more.
func add(some, all []uint8, kind int) bool {
	for k, n := range all {
		if (k == kind || kind == anyKind) && some[k] < n {
			some[k]++
			return true
		}
	}
	return false
}

// trades has the other seats that trade in a port be able to sell what they do, as far as they have it.
func (s *State) trades(view int, sold *[MaxSeats][NumPrizes]int) {
	for i := range s.Frames[:s.Depth] {
		f := &s.Frames[i]
		if f.Kind != AskExchange && f.Kind != AskSell && f.Kind != DoSell || int(f.Seat) == view {
			continue
		}
		had, kinds := &s.Prizes[f.Seat], [2]int{int(Hostage), int(Jewels)}
		for i, k := range kinds {
			if f.Arg[i] = min(f.Arg[i], int8(had[k])); f.Kind == AskExchange {
				f.Arg[i] = int8(had[k])
			}
			f.Arg[i] = max(f.Arg[i], int8(min(int(had[k]), sold[f.Seat][k])))
		}
		for i, k := range kinds {
			for int(f.Arg[0])+int(f.Arg[1])+int(f.Arg[drawnAt]) > sum(had[:]) && int(f.Arg[i]) > sold[f.Seat][k] {
				f.Arg[i]--
			}
		}
	}
}
