package jollyroger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/position"
)

// Render draws the match for a person, as seat view sees it.
func (r *Rules) Render(s *State, view int) string {
	var b strings.Builder
	var room State
	s = r.Seen(s, view, &room)
	full := view == engine.Full
	fmt.Fprintf(&b, "round %d of %d, %s", s.Round, Rounds, s.Phase)
	if s.Destination != nowhere {
		fmt.Fprintf(&b, ": %s", strings.ReplaceAll(destinationNames[s.Destination], "_", " "))
	}
	if s.Target != noTarget && isTarget(s.Destination) {
		fmt.Fprintf(&b, " (navigation %d, guns %d, melee %d; %s)", s.Needs[Navigation], s.Needs[Guns], s.Needs[Melee], prizeCount(r.Targets[s.Target].Prizes))
	}
	b.WriteString("\nstacks:")
	for d, set := range s.Stacks {
		n := 0
		for ; set != 0; set &= set - 1 {
			n++
		}
		fmt.Fprintf(&b, "  %s %d", strings.ReplaceAll(destinationNames[d], "_", " "), n)
	}
	fmt.Fprintf(&b, "\ncrew deck %d, discard %d; prizes left %d\n", s.DeckSize, sum(s.Discard[:]), s.PrizesLeft)
	if s.Mutineer != noSeat {
		fmt.Fprintf(&b, "MUTINY of seat %d: crewmen for the Captain %d (%s), against %d (%s)\n", s.Mutineer,
			r.Crewmen(s, ForCaptain), r.crewText(s.Sides[0][:]), r.Crewmen(s, ForMutineer), r.crewText(s.Sides[1][:]))
	} else if sum(s.Played[:]) > 0 && !s.PoolFaceDown() {
		have := r.strength(s)
		fmt.Fprintf(&b, "in the attack: %s = navigation %d, guns %d, melee %d, any %d\n", r.crewText(s.Played[:]), have[Navigation], have[Guns], have[Melee], s.Played[AnyCard])
	}
	if sum(s.Spoils[:]) > 0 {
		fmt.Fprintf(&b, "to be shared out: %s\n", prizeText(s.Spoils[:], r.SeesSpoils(s, view)))
	}
	if r.SeesOffer(s, view) {
		fmt.Fprintf(&b, "offered: %s  prizes: %s\n", r.crewText(s.Offer[:]), prizeText(s.OfferPrizes[:], true))
	}
	for seat := range r.seats {
		r.renderSeat(&b, s, seat, view)
	}
	if list := s.sightings(view); !full && len(list) > 0 {
		sightings(&b, list)
	}
	return b.String()
}

// sightings says what a seat knows of hidden cards: those together that are with one of the same seats.
func sightings(b *strings.Builder, list []position.Object) {
	var places, cards []string // by place: cards with a comma after each
	for i := 0; i < len(list); {
		n := 1
		card, place := list[i][0].Value.(string), fmt.Sprint(list[i][1].Value)
		for i+n < len(list) && list[i+n][0].Value == card && fmt.Sprint(list[i+n][1].Value) == place {
			n++
		}
		i += n
		at := slices.Index(places, place)
		if at < 0 {
			places, cards, at = append(places, place), append(cards, ""), len(places)
		}
		cards[at] += ", " + times(uint8(n), card)
	}
	b.WriteString("you know of:")
	for at, place := range places {
		fmt.Fprintf(b, "%s with one of %s;", strings.TrimPrefix(cards[at], ","), place)
	}
	b.WriteByte('\n')
}

func (r *Rules) renderSeat(b *strings.Builder, s *State, seat, view int) {
	own := view == engine.Full || view == seat
	open := own || r.PrizesOpen(s)
	mark := " "
	if f := s.Top(); f.Kind.asks() && int(f.Seat) == seat {
		mark = ">"
	}
	fmt.Fprintf(b, "%s seat %d", mark, seat)
	switch seat {
	case int(s.Captain):
		b.WriteString(" CAPTAIN")
	case int(s.Quartermaster):
		b.WriteString(" Quartermaster")
	}
	if s.Side[seat] != Neutral {
		fmt.Fprintf(b, " [for the %s]", sideNames[s.Side[seat]])
	}
	if own {
		fmt.Fprintf(b, "  hand: %s", r.crewText(s.Hands[seat][:]))
	} else {
		fmt.Fprintf(b, "  hand: %d", s.Size[seat])
	}
	fmt.Fprintf(b, "  prizes: %s", prizeText(s.Prizes[seat][:], open))
	if sum(s.Buried[seat][:]) > 0 {
		fmt.Fprintf(b, "  buried: %s", prizeText(s.Buried[seat][:], open))
	}
	if said := int(s.Said[seat]) - 1; said >= 0 {
		fmt.Fprintf(b, "  says “%s” to seat %d", phraseWords[said/MaxSeats], said%MaxSeats)
	}
	if s.Phase == PhaseOver {
		fmt.Fprintf(b, "  gold: %d", r.gold(s, seat))
	}
	b.WriteByte('\n')
}

// crewText lists crew cards: of normal ones, what they are worth in an attack and
// a mutiny.
func (r *Rules) crewText(counts []uint8) string {
	var list []string
	for c, n := range counts {
		if n == 0 {
			continue
		}
		text := strings.ReplaceAll(crewNames[c], "_", " ")
		if k := &r.Crew[c]; k.Value > 0 {
			text = fmt.Sprintf("%s %d (%d crew)", skillNames[k.Skill], k.Value, k.Crewmen)
		}
		list = append(list, times(n, text))
	}
	return joined(list)
}

func prizeText(counts []uint8, seen bool) string {
	if !seen {
		return fmt.Sprint(sum(counts))
	}
	var list []string
	for p, n := range counts {
		if n > 0 {
			list = append(list, times(n, strings.ReplaceAll(prizeNames[p], "_", " ")))
		}
	}
	return joined(list)
}

func times(n uint8, text string) string {
	if n > 1 {
		return fmt.Sprintf("%d× %s", n, text)
	}
	return text
}

func joined(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// prizeCount is how many there are, in words.
func prizeCount[N int | uint8](n N) string { return engine.Count(int(n), "prize", "") }
