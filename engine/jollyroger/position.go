package jollyroger

import (
	"cmp"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/position"
)

// Positions as they are printed. POSITIONS.md and position.schema.json describe
// the form; position_read.go reads it back.

// Position returns what encodes to readable JSON: the whole match for
// engine.Full, else what the seat view may know of it.
func (r *Rules) Position(s *State, view int) any {
	var o position.Object
	var room State
	s = r.Seen(s, view, &room)
	full := view == engine.Full
	if full {
		o.Add("game", r.info.Config)
	}
	o.Add("round", s.Round)
	o.Add("phase", s.Phase.String())
	o.Add("captain", s.Captain)
	o.Add("quartermaster", s.Quartermaster)
	o.Add("destination", position.NameOf(destinationNames, s.Destination))
	o.Add("target", position.NameOf(targetNames, s.Target))
	if s.Target != noTarget {
		o.Add("needs", position.Tally(s.Needs[:], skillNames, true))
	}
	o.Add("mutiny_tried", s.MutinyTried)
	o.Add("interrupted", s.Interrupted)
	o.Add("barred", s.Barred)
	o.Add("map", s.Map)
	o.Add("guard", s.Guard)
	if s.Mutineer != noSeat {
		o.Add("mutiny", position.Object{
			{Name: "mutineer", Value: s.Mutineer},
			{Name: "quartermaster_card", Value: sideNames[s.RoleSide]},
			{Name: "for_captain", Value: position.Tally(s.Sides[0][:], crewNames, false)},
			{Name: "for_mutineer", Value: position.Tally(s.Sides[1][:], crewNames, false)},
		})
	}
	o.Add("discard", position.Tally(s.Discard[:], crewNames, false))
	o.Add("deck", counted(s.Deck[:], crewNames, full))
	o.Add("played", counted(s.Played[:], crewNames, full || !s.PoolFaceDown()))
	o.Add("spoils", counted(s.Spoils[:], prizeNames, r.SeesSpoils(s, view)))
	o.Add("prize_deck", counted(s.PrizeDeck[:], prizeNames, full || !r.hidden))
	o.Add("prize_discard", position.Tally(s.PrizeOut[:], prizeNames, false))
	var stacks position.Object
	for d, set := range s.Stacks {
		list := []string{}
		for i := range StackSize {
			if set>>i&1 != 0 {
				list = append(list, targetNames[d*StackSize+i])
			}
		}
		stacks.Add(destinationNames[d], list)
	}
	o.Add("stacks", stacks)
	var players []position.Object
	for seat := range r.seats {
		players = append(players, r.playerPosition(s, seat, view))
	}
	o.Add("players", players)
	if r.SeesOffer(s, view) {
		o.Add("offer", append(position.Tally(s.Offer[:], crewNames, false), position.Tally(s.OfferPrizes[:], prizeNames, false)...))
	}
	if sum(s.Old[:]) > 0 {
		o.Add("old", position.Tally(s.Old[:], crewNames, false))
	}
	if list := s.sightings(view); len(list) > 0 {
		o.Add("sightings", list)
	}
	if counts, more := r.sightedAt(s, prizeRow, middle, view); more {
		o.Add("sighted_spoils", counts)
	}
	stack := []position.Object{}
	for _, f := range s.Frames[:s.Depth] {
		if full || r.seenBy(s, f, view) {
			stack = append(stack, r.written(f, view))
		}
	}
	o.Add("stack", stack)
	if full {
		o.Add("generator", s.Rand)
	}
	return o
}

// written is a frame as a seat, or engine.Full, sees it.
func (r *Rules) written(f Frame, view int) position.Object {
	o := r.forms.Write(f)
	if r.masked(f, view) {
		return o[:2] // its kind and seat
	}
	return o
}

// playerPosition is what belongs to a seat.
func (r *Rules) playerPosition(s *State, seat, view int) position.Object {
	own := view == engine.Full || view == seat
	open := own || r.PrizesOpen(s)
	o := position.Object{
		{Name: "seat", Value: seat},
		{Name: "hand", Value: counted(s.Hands[seat][:], crewNames, own)},
		{Name: "prizes", Value: counted(s.Prizes[seat][:], prizeNames, open)},
		{Name: "buried", Value: counted(s.Buried[seat][:], prizeNames, open)},
	}
	if s.Side[seat] != Neutral {
		o.Add("side", sideNames[s.Side[seat]])
	}
	if s.Split[seat] > 0 {
		o.Add("split", s.Split[seat])
	}
	if said := int(s.Said[seat]) - 1; said >= 0 {
		o.Add("said", position.Object{{Name: "phrase", Value: phraseNames[said/MaxSeats]}, {Name: "to", Value: said % MaxSeats}})
	}
	if s.Appraised[seat] > 0 {
		o.Add("appraised", s.Appraised[seat])
	}
	if sum(s.Old[:]) > 0 {
		o.Add("new_cards", s.Free[seat])
	}
	if s.Dealt[seat] > 0 {
		o.Add("of_mutiny", s.Dealt[seat])
	}
	for row, name := range sightedFields {
		if counts, more := r.sightedAt(s, row, seat, view); more {
			o.Add(name, counts)
		}
	}
	return o
}

// sightings are what a seat knows of hidden cards, in an order that says nothing
// more; what all know, and who knows that they do, for engine.Full.
func (s *State) sightings(view int) (list []position.Object) {
	if view == engine.Full {
		return s.allSightings()
	}
	var all []Sighting
	for i := range int(s.Sighted[view]) {
		if e := s.Sighting(view, i); !e.Dealing() { // nobody knows yet which ones have been dealt
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b Sighting) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Among(), b.Among()), cmp.Compare(a.unsure(), b.unsure()))
	})
	for _, e := range all {
		list = append(list, sightingOf(e, false))
	}
	return list
}

// allSightings are those of all seats, each in its order. What several know of a card, each that it is
// elsewhere than with itself, is one.
func (s *State) allSightings() (list []position.Object) {
	var next [MaxSeats]int
	for {
		var who []int
		var most Sighting
		for first := range next {
			if next[first] == int(s.Sighted[first]) {
				continue
			}
			e, by := s.sharers(first, &next)
			if len(by) > len(who) {
				most, who = e, by
			}
		}
		if len(who) == 0 {
			return list
		}
		o := append(sightingOf(most, true), position.Field{Name: "known_by", Value: who})
		if most.told() != noSeat {
			o.Add("told", most.told())
		}
		list = append(list, o)
		for _, seat := range who {
			next[seat]++
		}
	}
}

// sharers are the seats that know the same next as a seat, but for where they are themselves.
func (s *State) sharers(first int, next *[MaxSeats]int) (shared Sighting, who []int) {
	shared = s.Sighting(first, next[first])
	for seat := range next {
		if next[seat] == int(s.Sighted[seat]) {
			continue
		}
		e := s.Sighting(seat, next[seat])
		all := Sighting{e.Kind, e.where | shared.where}
		same := e.Kind == shared.Kind && e.where == all.where&^bit(seat) && all.told() == e.told()
		for _, other := range who {
			same = same && s.Sighting(other, next[other]).where == all.where&^bit(other)
		}
		if same {
			shared, who = all, append(who, seat)
		}
	}
	return shared, who
}

func sightingOf(e Sighting, full bool) position.Object {
	o := position.Object{{Name: "card", Value: sightedNames[e.Kind]}, {Name: "among", Value: seatList(e.Among())}}
	if e.where&onTable != 0 {
		o.Add("on_table", true)
	}
	switch {
	case e.ofLast():
		o.Add("of_mutiny", "last")
	case full && e.ofMutiny():
		o.Add("of_mutiny", "earlier")
	}
	return o
}

// sightedFields are what a player's part of a position says of what is counted in each row.
var sightedFields = []string{"sighted", "sighted_of_mutiny", "sighted_prizes"}

// sightedAt is how many of the cards that a seat has sighted are at a place, if that says
// more than its sightings one by one; for engine.Full of each seat's, if it does for some.
func (r *Rules) sightedAt(s *State, row, place, view int) (counts position.Object, more bool) {
	var least, most []int
	for knower := range r.seats {
		if view != engine.Full && view != knower {
			continue
		}
		l, m := s.Least[row][knower][place], s.Most[row][knower][place]
		least, most = append(least, int(l)), append(most, int(m))
		usualLeast, usualMost := s.usual(knower, row)
		more = more || l != usualLeast[place] || m != usualMost[place]
	}
	return position.Object{{Name: "least", Value: least}, {Name: "most", Value: most}}, more
}

// sightedNames are the cards that sightings are of, by Sighting.Kind.
var sightedNames = append(crewNames[:NumCrew:NumCrew], prizeNames...)

// seatList lists the seats of a set.
func seatList(set uint16) []int {
	list := []int{}
	for seat := range MaxSeats {
		if set&bit(seat) != 0 {
			list = append(list, seat)
		}
	}
	return list
}

// counted is a tally for those who see the cards, else their number.
func counted(counts []uint8, names []string, seen bool) position.Object {
	if !seen {
		return position.Object{{Name: "cards", Value: sum(counts)}}
	}
	return position.Tally(counts, names, false)
}
