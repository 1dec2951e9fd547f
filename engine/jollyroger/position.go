package jollyroger

import (
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
	return o
}

// sightings are what a seat knows of hidden cards, in an order that says nothing
// more; all of them, with who knows, for engine.Full.
func (s *State) sightings(view int) []position.Object {
	type line struct {
		order  int
		object position.Object
	}
	var list []line
	for _, e := range s.Sightings[:s.Sighted] {
		if view != engine.Full {
			if e.Knows&bit(view) == 0 {
				continue
			}
			e.Among &^= bit(view)
		}
		o := position.Object{{Name: "card", Value: sightedName(e.Kind)}, {Name: "among", Value: seatList(e.Among)}}
		if e.Among&inSpoils != 0 {
			o.Add("or_spoils", true)
		}
		if e.Dealt != 0 {
			o.Add("of_mutiny", true)
		}
		if view == engine.Full {
			o.Add("known_by", seatList(e.Knows))
		}
		list = append(list, line{int(e.Kind)<<17 + int(e.Among)<<1 + int(e.Dealt), o})
	}
	if view != engine.Full {
		slices.SortStableFunc(list, func(a, b line) int {
			return a.order - b.order
		})
	}
	var objects []position.Object
	for _, l := range list {
		objects = append(objects, l.object)
	}
	return objects
}

// sightedNames are the cards that sightings are of, by Sighting.Kind.
var sightedNames = append(crewNames[:NumCrew:NumCrew], prizeNames...)

func sightedName(kind uint8) string { return sightedNames[kind] }

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
