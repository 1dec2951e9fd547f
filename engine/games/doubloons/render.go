package doubloons

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// Render draws the match as text: the sea, the island, the ships' mats, and the
// cards that the seat view may see.
func (r *Rules) Render(s *State, view int) string {
	var b strings.Builder
	r.renderHead(&b, s)
	r.renderSea(&b, s, func(seat int) string { return fmt.Sprintf("%d:%s", s.Helm[seat], r.captainWord(&s.Ships[seat])) })
	if r.ashore(s) {
		r.picture(r, &b, s)
	}
	r.renderMats(&b, s)
	r.renderBelow(&b, s, LegendaryShip, AlternateIsland, Compass)
	r.renderCards(&b, s, view)
	return b.String()
}

func (r *Rules) renderHead(b *strings.Builder, s *State) {
	fmt.Fprintf(b, "Round %d, %s", s.Round, strings.ReplaceAll(s.Phase.String(), "_", " "))
	if s.Slot >= 0 {
		fmt.Fprintf(b, ", card %d", s.Slot+1)
	}
	if s.Turn >= 0 {
		fmt.Fprintf(b, ", turn of %s", r.whose(s, s.Turn))
	}
	fmt.Fprintf(b, "; initiative: %s", r.whose(s, s.Initiative))
	switch {
	case s.Ending:
		b.WriteString("; THE LAST ROUND")
	case s.Dug:
		b.WriteString("; the treasure has been dug up")
	}
	fmt.Fprintf(b, "\nIsland %s, supply %d; pillage tokens %d; jewels", engine.Count(int(s.Island), "doubloon", ""), s.Supply, s.Pillage)
	for j, n := range s.Jewels[:r.jewelKinds] {
		fmt.Fprintf(b, " %d %s", n, jewelNames[j])
	}
	fmt.Fprintf(b, "; map stack %d; deck %d, discard %d\n\n", s.mapStack(), bits.OnesCount64(s.Deck), bits.OnesCount64(s.Discard))
}

// renderSea draws the regions and the ships there, each by a name.
func (r *Rules) renderSea(b *strings.Builder, s *State, name func(seat int) string) {
	b.WriteString("The sea, clockwise (> sails clockwise, < counterclockwise, ~ ghost ship):\n")
	for region := range r.regions {
		tile := "?"
		if t := s.Water[region]; t != noTile {
			tile = r.WaterTitle[t]
		}
		where := ""
		switch {
		case r.beaches > 1:
			where = " (" + nodeNames[NodeB1+region] + ")"
		case region == 0:
			where = " (beach)"
		}
		fmt.Fprintf(b, "  %d %-17s%-8s", region, tile, where)
		for _, seat := range r.fleet {
			sh := &s.Ships[seat]
			if int(sh.Region) != region {
				continue
			}
			arrow, ghost := ">", ""
			if sh.Facing == CounterClockwise {
				arrow = "<"
			}
			if sh.Ghost {
				ghost = "~"
			}
			if seat == Legendary {
				fmt.Fprintf(b, "  %slegendary%s", ghost, arrow)
				continue
			}
			fmt.Fprintf(b, "  %s%s%s", ghost, name(seat), arrow)
		}
		if sum(&s.RegionShells[region]) > 0 {
			fmt.Fprintf(b, "  shells: %s", some(s.RegionShells[region][:], symbolNames[:]))
		}
		b.WriteString("\n")
	}
}

// captainWord is the last word of a captain's name.
func (r *Rules) captainWord(sh *Ship) string {
	if sh.Captain == noCaptain {
		return "?"
	}
	words := strings.Fields(r.CaptainTitle[sh.Captain])
	return words[len(words)-1]
}

func (r *Rules) renderIsland(b *strings.Builder, s *State) {
	b.WriteString("\nThe island (location -> what follows: landmark, captains there):\n")
	for node, distance := range r.Distance {
		if distance == Unreached {
			continue
		}
		here := r.captainsAt(s, node)
		tile := ""
		if t := s.Tiles[node]; t != noTile {
			tile = r.LandmarkTitle[t]
		}
		if tile == "" && len(here) == 0 {
			continue
		}
		var next []string
		for _, n := range r.paths(int8(node)) {
			next = append(next, nodeNames[n])
		}
		colour := ""
		if c := r.Colour[node]; c < NumColours {
			colour = colourNames[c]
		}
		fmt.Fprintf(b, "  %-2s -> %-10s %d from the mount  %-7s %-20s %s\n", nodeNames[node], strings.Join(next, " "),
			distance, colour, tile, strings.Join(here, ", "))
	}
}

// captainsAt are the captains at a location, by seat.
func (r *Rules) captainsAt(s *State, node int) (here []string) {
	for seat := range r.seats {
		if int(s.Ships[seat].Node) == node && s.Ships[seat].Captain != noCaptain {
			here = append(here, r.whose(s, int8(seat)))
		}
	}
	return here
}

func (r *Rules) renderMats(b *strings.Builder, s *State) {
	b.WriteString("\nseat  captain             hull  crew  level  gold  orbs  pillage  captain at  fragments        jewels       points\n")
	for seat := range r.seats {
		sh := &s.Ships[seat]
		name, hull, at := "?", fmt.Sprint(sh.Hull), nodeNames[sh.Node]
		if sh.Captain != noCaptain {
			name = r.CaptainTitle[sh.Captain]
		}
		if sh.Ghost {
			hull = "ghost"
		}
		switch track := fmt.Sprintf("%d/%d", sh.Track, r.EndTrack-1); {
		case s.Dug && r.stays:
			at += ", " + track
		case s.Dug:
			at = "track " + track
		}
		fmt.Fprintf(b, "%4d  %-18s %5s  %4d  %5d  %4d  %4d  %7d  %-10s  %-15s  %-11s  %6d\n", s.Helm[seat], name, hull,
			sh.Crew, sh.Reputation, sh.Doubloons, sh.Orbs, sh.Pillage, at,
			some(sh.Fragments[:], symbolNames[:]), some(sh.Jewels[:], jewelNames[:]), r.score(s, seat))
	}
}

// renderBelow draws what modules have below the mats.
func (r *Rules) renderBelow(b *strings.Builder, s *State, of ...Module) {
	for _, m := range of {
		if drawn := r.below[m]; drawn != nil {
			b.WriteString(drawn(r, s))
		}
	}
}

// some lists the number of each type in few letters.
func some(counts []uint8, names []string) string {
	var parts []string
	for i, n := range counts {
		if n == 1 {
			parts = append(parts, names[i])
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf("%d %s", n, names[i]))
		}
	}
	if parts == nil {
		return "-"
	}
	return strings.Join(parts, ",")
}

func (r *Rules) renderCards(b *strings.Builder, s *State, view int) {
	b.WriteString("\n")
	for seat := range r.seats {
		sh := &s.Ships[seat]
		known, who := r.seesHand(s, seat, view), r.whose(s, int8(seat))
		for k, c := range sh.Table {
			switch {
			case c == noCard:
			case k < int(s.Revealed):
				fmt.Fprintf(b, "%s, card %d: %s\n", who, k+1, r.cardWords(int(c)))
			case known:
				fmt.Fprintf(b, "%s, card %d, face down: %s\n", who, k+1, r.cardWords(int(c)))
			default:
				fmt.Fprintf(b, "%s, card %d, face down\n", who, k+1)
			}
		}
		if !known {
			if sh.Hand != 0 {
				fmt.Fprintf(b, "%s holds %s\n", who, engine.Count(bits.OnesCount64(sh.Hand), "card", ""))
			}
			continue
		}
		for h := sh.Hand; h != 0; h &= h - 1 {
			fmt.Fprintf(b, "%s, in hand: %s\n", who, r.cardWords(bits.TrailingZeros64(h)))
		}
	}
}

// seesHand reports whether seat view, or Full, sees the hidden cards of a seat.
func (r *Rules) seesHand(s *State, seat, view int) bool {
	return view == engine.Full || view == r.PlayerAt(s, seat)
}

// cardWords is a card in words: its number, movement and two actions.
func (r *Rules) cardWords(card int) string {
	c := &r.Cards[card]
	moves := movesLeft(movement(0, c))
	if moves == "" {
		moves = "no movement"
	}
	var actions []string
	for _, a := range c.Actions {
		word := iconTitles[a.Icon]
		if a.Plus > 0 {
			word += " +1"
		}
		if a.FreeCrew {
			word += " with a free crew"
		}
		if a.Icon == IconBoard {
			word += " for " + r.lootWord(c)
			if c.OwnNeeds != 0 {
				word += " after a card with " + iconTitles[bits.TrailingZeros8(uint8(c.OwnNeeds))]
			}
			if c.EnemyNeeds != 0 {
				word += " if the target shows " + iconTitles[bits.TrailingZeros8(uint8(c.EnemyNeeds))]
			}
		}
		actions = append(actions, word)
	}
	return fmt.Sprintf("%s  %s: %s", c.ID, moves, strings.Join(actions, " or "))
}

var iconTitles = [NumIcons]string{"Hunt", "Pillage", "Attack: Forward", "Attack: Broadsides", "Repair", "Board"}
