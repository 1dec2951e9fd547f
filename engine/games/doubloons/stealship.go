package doubloons

import (
	"fmt"
	"math/bits"
	"strings"
)

// "Steal Ship Boarding Action" of the optional modules: the captain cards that
// take reputation let two players change seats instead.
//
// The possessions of a seat stay there: ship, placemat, captain, hand and the cards
// before it, also those of the round that are still to be executed. The rules
// of all other files know seats only. State.Helm has the player at each seat, and everything
// outside counts players: the player at a seat decides for it, has its view,
// and gets in the end the return of the seat then occupied. Before
// the first swap player i sits at seat i.
//
// A player who has left a seat has seen its hidden cards. State.Seen lists them, as long as they are hidden. State.Left
// keeps the seats until the round is over, for all to see: until then the player has seen all of their hidden cards, and knows the place of each. Redeal
// keeps that knowledge.

// Texts for users name a ship by its player: seat 1 is the same one in a question, a drawing and the record of a match,
// whatever ships change hands.

// whose is a ship in words, by its player.
func (r *Rules) whose(s *State, ship int8) string {
	if ship != Legendary {
		ship = s.Helm[ship]
	}
	return shipTitle(ship)
}

// byPlayer is a frame with players in place of the seats that its words name.
func (r *Rules) byPlayer(s *State, f Frame) Frame {
	form := r.forms.Form(f.Kind)
	named := func(x *int8) {
		if *x >= 0 && int(*x) < r.seats {
			*x = s.Helm[*x]
		}
	}
	if form.Seat != nil {
		named(&f.Seat)
	}
	for _, a := range form.Args {
		switch a.Name {
		case "enemy", "resolver", "giver", "receiver", "rival":
			named(&f.Arg[a.At])
		}
	}
	return f
}

// swapPlayers lets the players at two seats change places.
// Clauses STEAL-3, STEAL-4, STEAL-5, STEAL-12.
func (s *State) swapPlayers(a, b int) {
	s.leave(a)
	s.leave(b)
	s.Helm[a], s.Helm[b] = s.Helm[b], s.Helm[a]
	s.sit(a)
	s.sit(b)
}

// leave makes the player at a seat remember its hidden cards; sit makes a player
// forget having seen the cards of the new seat: they are the player's own now.
// Clause STEAL-11.
func (s *State) leave(seat int) {
	p := s.Helm[seat]
	s.Seen[p] |= s.Hidden(seat)
	s.Left[p] |= 1 << seat
}

func (s *State) sit(seat int) {
	p := s.Helm[seat]
	s.Seen[p] &^= s.Hidden(seat)
	s.Left[p] &^= 1 << seat
}

// noteFound says the cards that a player finds at a new seat.
// Clause STEAL-10.
func (r *Rules) noteFound(s *State, seat int) {
	sh := &s.Ships[seat]
	for k := int(s.Revealed); k < NumSlots; k++ {
		if card := sh.Table[k]; card != noCard {
			r.noteTo(s, seat, HasFound, int(card), k+1)
		}
	}
	for hand := sh.Hand; hand != 0; hand &= hand - 1 {
		r.noteTo(s, seat, HasFound, bits.TrailingZeros64(hand), 0)
	}
}

// forget ends what players alone know of cards that are revealed, or shuffled.
func (s *State) forget(cards uint64) {
	for p := range s.Seen {
		s.Seen[p] &^= cards
	}
}

// hiddenAt is the set of the hidden cards of some seats.
func (s *State) hiddenAt(seats uint8) (cards uint64) {
	for ; seats != 0; seats &= seats - 1 {
		cards |= s.Hidden(bits.TrailingZeros8(seats))
	}
	return cards
}

// faceDown is the set of a seat's cards that lie face down.
func (s *State) faceDown(seat int) uint64 {
	return s.Hidden(seat) &^ s.Ships[seat].Hand
}

// faceUp is the card of a slot as a set, empty if there is none.
func (sh *Ship) faceUp(slot int) uint64 {
	if sh.Table[slot] == noCard {
		return 0
	}
	return 1 << sh.Table[slot]
}

// SeatOf is the seat where a player sits, PlayerAt the player who sits at a seat.
// Clause STEAL-10.
func (r *Rules) SeatOf(s *State, player int) int {
	if player < 0 || int(s.Helm[player]) == player {
		return player // engine.Full is the view of no player
	}
	for seat := range r.seats {
		if int(s.Helm[seat]) == player {
			return seat
		}
	}
	panic("doubloons: a player sits nowhere")
}

// PlayerAt is the player who sits at a seat.
func (r *Rules) PlayerAt(s *State, seat int) int { return int(s.Helm[seat]) }

// lootWord is the loot of a card's Board action, in words.
func (r *Rules) lootWord(c *Card) string {
	if r.Modules.Has(StealShip) && c.Loot == LootReputation {
		return "the ship"
	}
	return lootWords[c.Loot]
}

// stealShipFields are who sits where, and what they have seen elsewhere.
func stealShipFields(_ *Rules, to *layout, own func(why string, list ...field) fields) {
	const why = "players keep their seats: leave it out, or add steal_ship to the game's modules"
	sat := func(v *subject) bool { return v.open() && v.s.Seen[v.s.Helm[v.seat]] != 0 }
	to.ship = to.ship.Before("captain", own(why,
		field{Name: "player", Shape: aSeat.Of("With the module steal_ship: the player who sits at this seat. Left out: the player of the seat's number."),
			Show: func(v *subject) any { return v.s.Helm[v.seat] }},
		field{Name: "left", Shape: seatSet.Of("With the module steal_ship: the seats that the player here has left in this round, having seen all their hidden cards. Left out: none."),
			Show: func(v *subject) any { return seatList(v.s.Left[v.s.Helm[v.seat]]) }}.If(func(v *subject) bool { return v.s.Left[v.s.Helm[v.seat]] != 0 }))...)
	to.ship = append(to.ship, own(why,
		field{Name: "seen", Shape: cardSet.Of("With the module steal_ship: cards hidden at other seats that the player here has seen when sitting there. Left out: none."),
			Show: func(v *subject) any { return cardList(v.s.Seen[v.s.Helm[v.seat]]) }}.If(sat))...)
}

// players reads who sits where, and what players know of the seats that they
// have left.
func (p *reading) players() {
	r, s := p.r, p.s
	if !r.Modules.Has(StealShip) {
		return
	}
	taken := map[int]string{}
	for seat := range r.seats {
		player := p.Number(p.ship[seat].Get("player"), 0, r.seats-1, seat)
		if at, twice := taken[player]; twice {
			p.Wrong(shipPath(seat)+".player", "player %d sits at %s already: give each seat one of the players 0 to %d", player, at, r.seats-1)
		}
		taken[player] = shipPath(seat)
		s.Helm[seat] = int8(player)
		for _, item := range p.IsList(p.ship[seat].Get("seen"), NumCards) {
			s.Seen[player] |= r.cardNamed(&p.Faults, item)
		}
		for _, item := range p.IsList(p.ship[seat].Get("left"), r.seats) {
			s.Left[player] |= 1 << p.Number(item, 0, r.seats-1, 0)
		}
	}
}

// players checks who sits where and what they know.
func (c *checking) players() {
	r, s := c.r, c.s
	sits := 0
	for seat, p := range s.Helm {
		switch {
		case p < 0 || int(p) >= MaxSeats || sits>>p&1 != 0:
			c.Wrong(shipPath(seat)+".player", "%d: give each seat one of the players 0 to %d", p, r.seats-1)
			return
		case int(p) != seat && (!r.Modules.Has(StealShip) || seat >= r.seats || int(p) >= r.seats):
			c.Wrong(shipPath(seat)+".player", "%d: players keep their seats without the module steal_ship", p)
		}
		sits |= 1 << p
	}
	held := s.hiddenAt(1<<r.seats - 1)
	for seat, p := range s.Helm {
		seen, left := s.Seen[p], s.Left[p]
		own := uint64(0)
		if seat < r.seats {
			own = s.Hidden(seat)
		}
		for _, fault := range []struct {
			key   string
			cards uint64
			why   string
		}{
			{"seen", seen &^ held, "they are in no hand, and face down before nobody"},
			{"seen", seen & own, "they are the seat's own"},
			{"left", s.hiddenAt(left&(1<<r.seats-1)) &^ seen, "the player has seen what a seat left in this round hides: list it as seen"},
		} {
			if fault.cards != 0 {
				c.Wrong(fmt.Sprintf("%s.%s", shipPath(seat), fault.key), "%s: %s", strings.Join(nameList(fault.cards&(1<<NumCards-1), cardNames[:]), ", "), fault.why)
			}
		}
		if s.Phase < PhaseAction && left != 0 || left>>seat&1 != 0 || int(left)>>r.seats != 0 {
			c.Wrong(shipPath(seat)+".left", "%v: want other seats, from the action phase on, where players change seats", seatList(left))
		}
	}
}
