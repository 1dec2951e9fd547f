package jollyroger

import (
	"fmt"

	"github.com/privateer-rl/privateer/engine/kit/position"
)

// The contents of the box, and their possible places in a state. The parts that a position may omit and the
// conservation of things follow from this. Each destination card exists once: see Rules.stacks.

// crewStock are the crew cards.
func (r *Rules) crewStock(s *State) *position.Stock {
	st := &position.Stock{Things: "crew cards of this kind", Kinds: crewNames, Rest: position.Counts("deck", s.Deck[:]), Places: []position.Place{
		position.Counts("discard", s.Discard[:]), position.Counts("played", s.Played[:]),
		position.Counts("mutiny.for_captain", s.Sides[0][:]), position.Counts("mutiny.for_mutineer", s.Sides[1][:]),
	}}
	for k := range r.Crew {
		st.Box = append(st.Box, int(r.Crew[k].Copies))
	}
	for seat := range r.seats {
		st.Places = append(st.Places, position.Counts(fmt.Sprintf("players[%d].hand", seat), s.Hands[seat][:]))
	}
	onTable := s.onTable()
	st.Places = append(st.Places, position.Counts("stack", onTable[:]))
	return st
}

// onTable are the crew cards that lie on the table and are about to take effect, or are the map.
func (s *State) onTable() (cards [NumCrew]uint8) {
	for _, f := range s.Frames[:s.Depth] {
		if f.Kind == DoEffect || f.Kind == DoJoin || f.Kind == DoCommit {
			cards[f.Arg[0]]++
		}
	}
	if s.Map {
		cards[OldSailor]++
	}
	return cards
}

// prizeStock are the prizes.
func (r *Rules) prizeStock(s *State) *position.Stock {
	st := &position.Stock{Things: "prizes of this kind", Kinds: prizeNames, Rest: position.Counts("prize_deck", s.PrizeDeck[:]), Places: []position.Place{
		position.Counts("prize_discard", s.PrizeOut[:]), position.Counts("spoils", s.Spoils[:]),
	}}
	for k := range r.Components.Prizes {
		st.Box = append(st.Box, int(r.Components.Prizes[k].Copies))
	}
	for seat := range r.seats {
		st.Places = append(st.Places, position.Counts(fmt.Sprintf("players[%d].prizes", seat), s.Prizes[seat][:]),
			position.Counts(fmt.Sprintf("players[%d].buried", seat), s.Buried[seat][:]))
	}
	return st
}
