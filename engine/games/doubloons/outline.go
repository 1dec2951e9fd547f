package doubloons

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Outline is what Render draws in fewer words: ships at sea go by their seats, the cards of a seat share a line, and ways and relics are
// said once. Where a compass may be used, which needs all cards that lie open in full, they are left out.
func (r *Rules) Outline(s *State, view int) string {
	var b strings.Builder
	r.renderHead(&b, s)
	r.renderSea(&b, s, func(seat int) string { return strconv.Itoa(int(s.Helm[seat])) })
	switch {
	case !r.ashore(s):
	case r.Modules.Has(AlternateIsland):
		r.outlineAdventure(&b, s)
	default:
		r.picture(r, &b, s)
	}
	r.renderMats(&b, s)
	r.renderBelow(&b, s, LegendaryShip)
	r.renderBelow(&b, s, Compass)
	if s.Top().Kind != AskCompass {
		r.renderBelow(&b, s, AlternateIsland)
	}
	r.outlineCards(&b, s, view)
	return b.String()
}

// outlineAdventure is the alternate island, each way between two locations at the first of them, without its colours, which the letters of
// the locations say.
func (r *Rules) outlineAdventure(b *strings.Builder, s *State) {
	fmt.Fprintf(b, "\nThe island, %d relics in the crater (location, ways to and from: landmark, totems, captains; C blue, V yellow, P red, T green):\n", r.InCrater(s))
	for node := range NumNodes {
		if !r.has(node) {
			continue
		}
		what, compass := r.lying(s, node), s.Top().Kind == AskCompass
		if what == nil && compass {
			continue
		}
		b.WriteString(nodeNames[node])
		for _, n := range r.AlternateNext[node][:r.AlternateNextN[node]] {
			if int(n) > node && !compass {
				b.WriteByte(' ')
				b.WriteString(nodeNames[n])
			}
		}
		if what != nil {
			b.WriteString(": ")
			b.WriteString(strings.Join(what, ", "))
		}
		b.WriteByte('\n')
	}
}

// outlineCards are the cards on the table and in hand, a line for each seat.
func (r *Rules) outlineCards(b *strings.Builder, s *State, view int) {
	b.WriteString("\nCards, by their slots (? optional; after X: needs an earlier card of its own with X; target X: needs the target to show X):\n")
	top := s.Top()
	for seat := range r.seats {
		sh, asked := &s.Ships[seat], int(top.Seat) == seat
		known := r.seesHand(s, seat, view)
		fmt.Fprintf(b, "%s:", r.whose(s, int8(seat)))
		for k, c := range sh.Table {
			switch {
			case c == noCard:
			case k < int(s.Slot) && (top.Kind != AskCompass || asked): // only what it shows counts any more
				fmt.Fprintf(b, " %d %s %s/%s;", k+1, r.Cards[c].ID, iconWord(int(r.Cards[c].Actions[0].Icon)), iconWord(int(r.Cards[c].Actions[1].Icon)))
			case k < int(s.Revealed):
				fmt.Fprintf(b, " %d %s;", k+1, r.cardOutline(int(c)))
			case known:
				fmt.Fprintf(b, " %d face down %s;", k+1, r.cardOutline(int(c)))
			default:
				fmt.Fprintf(b, " %d face down;", k+1)
			}
		}
		inChoices := asked && (top.Kind == AskProgram || top.Kind == AskCompass) // each of its cards is one, in words; none can be
		if !known || inChoices {
			fmt.Fprintf(b, " hand %d\n", bits.OnesCount64(sh.Hand))
			continue
		}
		b.WriteString(" hand")
		for h := sh.Hand; h != 0; h &= h - 1 {
			fmt.Fprintf(b, " %s;", r.cardOutline(bits.TrailingZeros64(h)))
		}
		b.WriteByte('\n')
	}
}

// cardOutline is a card in few words: its number, movement and two actions.
func (r *Rules) cardOutline(card int) string {
	c := &r.Cards[card]
	var b strings.Builder
	b.WriteString(c.ID)
	for i, word := range [...]string{" Sail", " Sail?", " Come About", " Come About?"} {
		for range movement(0, c).Arg[i] {
			b.WriteString(word)
		}
	}
	for i, a := range c.Actions {
		b.WriteString([...]string{": ", " or "}[i])
		b.WriteString(iconWord(int(a.Icon)))
		if a.Icon == IconBoard {
			b.WriteByte(' ')
			b.WriteString(strings.TrimPrefix(r.lootWord(c), "a "))
			if c.OwnNeeds != 0 {
				b.WriteString(" after ")
				b.WriteString(iconWord(bits.TrailingZeros8(uint8(c.OwnNeeds))))
			}
			if c.EnemyNeeds != 0 {
				b.WriteString(" target ")
				b.WriteString(iconWord(bits.TrailingZeros8(uint8(c.EnemyNeeds))))
			}
		}
		if a.Plus > 0 {
			b.WriteString(" +1")
		}
		if a.FreeCrew {
			b.WriteString(" free crew")
		}
	}
	return b.String()
}

// iconWord is an action in a word.
func iconWord(icon int) string { return strings.TrimPrefix(iconTitles[icon], "Attack: ") }
