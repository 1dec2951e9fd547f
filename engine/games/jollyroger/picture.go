package jollyroger

import (
	"cmp"
	"fmt"
	"math/bits"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/svg"
)

// Where the table is drawn, and how large a card is.
const (
	tableX, tableY  = svg.Width / 2, 330
	tableWide       = 300
	tableHigh       = 186
	seatWide        = 160
	seatHigh        = 92
	ringX, ringY    = 276, 232 // on which the seats sit
	cardWide        = 92
	cardHigh        = 64
	firstSeatAngle  = 90 // seat 0 sits nearest to the reader; the others follow clockwise
	mostBacks       = 7  // of a hand that are drawn; the number says the rest
	cardsToALine    = 7
	cardLineSpacing = cardHigh + 8
)

// Picture draws the match as seat view sees it: the crew around the table, the voyage in its
// middle, and below it the cards that lie open and the hand of the seat that looks on.
func (r *Rules) Picture(s *State, view int) string {
	var room State
	s = r.Seen(s, view, &room)
	var p svg.Picture
	p.Text(20, 26, svg.Large, "start", "pv-bold", fmt.Sprintf("Round %d of %d", s.Round, Rounds))
	p.Text(svg.Width-20, 26, svg.Normal, "end", "pv-soft", s.Phase.String())
	r.drawTable(&p, s, view)
	for seat := range r.seats {
		x, y := svg.Polar(0, 0, 1, firstSeatAngle+float64(seat)*360/float64(r.seats))
		r.drawSeat(&p, s, seat, view, tableX+float64(x*ringX), tableY+float64(y*ringY))
	}
	y := r.drawWords(&p, s, view, tableY+ringY+seatHigh/2+20)
	if s.Mutineer != noSeat {
		y = r.drawCards(&p, fmt.Sprintf("Mutiny: crewmen for the Captain %d", r.Crewmen(s, ForCaptain)), s.Sides[0][:], y)
		y = r.drawCards(&p, fmt.Sprintf("Crewmen for seat %d: %d", s.Mutineer, r.Crewmen(s, ForMutineer)), s.Sides[1][:], y)
	} else if !s.PoolFaceDown() {
		heading := "Left of the mutiny"
		if s.Phase == PhaseAttack {
			heading = "In the attack"
		}
		y = r.drawCards(&p, heading, s.Played[:], y)
	}
	if r.SeesOffer(s, view) {
		y = r.drawCards(&p, "Offered: "+prizeText(s.OfferPrizes[:], true), s.Offer[:], y)
	}
	for seat := range r.seats {
		if view == engine.Full || view == seat {
			y = r.drawHand(&p, seat, s.Hands[seat][:], y)
		}
	}
	return p.String("Jolly Roger, " + engine.ViewName(view))
}

// drawTable draws the voyage: where it goes, what it needs and has, and what is left of the decks.
func (r *Rules) drawTable(p *svg.Picture, s *State, view int) {
	p.Begin("")
	p.Box(tableX-tableWide/2, tableY-tableHigh/2, tableWide, tableHigh, "pv-sea")
	line := float64(tableY - tableHigh/2 + 28)
	write := func(size int, class, text string) {
		p.Fit(tableX, line, tableWide-8, size, "middle", class, text)
		line += float64(size) + 8
	}
	if s.Destination == nowhere {
		write(svg.Large, "pv-bold", "no destination")
	} else {
		write(svg.Large, "pv-bold", strings.ReplaceAll(destinationNames[s.Destination], "_", " "))
	}
	if s.Target != noTarget && isTarget(s.Destination) {
		have := r.strength(s)
		var needs []string
		for k, n := range s.Needs {
			needs = append(needs, fmt.Sprintf("%s %d/%d", skillNames[k], have[k], n))
		}
		write(svg.Normal, "", strings.Join(needs, ", "))
		write(svg.Small, "pv-soft", "wins "+prizeCount(r.Targets[s.Target].Prizes))
	}
	if sum(s.Spoils[:]) > 0 {
		write(svg.Normal, "", "spoils: "+prizeText(s.Spoils[:], r.SeesSpoils(s, view)))
	}
	var stacks []string
	for d, set := range s.Stacks {
		stacks = append(stacks, fmt.Sprintf("%s %d", strings.ReplaceAll(destinationNames[d], "_", " "), bits.OnesCount8(set)))
	}
	line = tableY + tableHigh/2 - 62
	write(svg.Small, "pv-soft", strings.Join(stacks[:3], ", "))
	write(svg.Small, "pv-soft", strings.Join(stacks[3:], ", "))
	write(svg.Small, "pv-soft", fmt.Sprintf("crew deck %d, discard %d, prizes %d", s.DeckSize, sum(s.Discard[:]), s.PrizesLeft))
	p.End()
}

// drawSeat draws a seat about (x, y): its office, side and prizes, and its hand as backs.
func (r *Rules) drawSeat(p *svg.Picture, s *State, seat, view int, x, y float64) {
	left, top := x-seatWide/2, y-seatHigh/2
	office := ""
	switch seat {
	case int(s.Captain):
		office = "Captain"
	case int(s.Quartermaster):
		office = "Quartermaster"
	}
	title := fmt.Sprintf("seat %d, %s: %s", seat, cmp.Or(office, "crew"), engine.Count(int(s.Size[seat]), "card", ""))
	if words := r.words(s, seat, view); words != "" {
		title += "; " + words
	}
	buried := ""
	if n := sum(s.Buried[seat][:]); n > 0 {
		buried = fmt.Sprintf(" +%d buried", n)
	}
	frame := "pv-card"
	if f := s.Top(); f.Kind.asks() && int(f.Seat) == seat {
		frame = "pv-card pv-asked"
	}
	p.Mark(seatMark(seat), title)
	p.Box(left, top, seatWide, seatHigh, frame)
	p.Badge(left+20, top+20, 14, seat, "")
	p.Fit(left+38, top+20, seatWide-44, svg.Small, "start", "", office)
	n := int(s.Size[seat])
	for i := range min(n, mostBacks) {
		p.Box(left+8+float64(float64(i)*11), top+40, 15, 22, "pv-back")
	}
	p.Text(left+seatWide-8, top+51, svg.Normal, "end", "pv-bold", fmt.Sprint(n))
	prizes := fmt.Sprintf("prizes: %d%s", sum(s.Prizes[seat][:]), buried)
	if s.Phase == PhaseOver {
		prizes = fmt.Sprintf("%d gold", r.gold(s, seat))
	}
	p.Fit(left+8, top+77, seatWide-32, svg.Small, "start", "", prizes)
	if s.Side[seat] != Neutral {
		class := "pv-green"
		if s.Side[seat] == ForMutineer {
			class = "pv-red"
		}
		p.Begin("sides with the " + sideNames[s.Side[seat]])
		p.Disc(left+seatWide-14, top+77, 7, class)
		p.End()
	}
	p.End()
}

// words are what a seat has won, buried and said last, as seat view knows it; "" if there is nothing of these.
func (r *Rules) words(s *State, seat, view int) string {
	open := view == engine.Full || view == seat || r.PrizesOpen(s)
	var list []string
	for _, has := range []struct {
		word   string
		prizes []uint8
	}{{"prizes ", s.Prizes[seat][:]}, {"buried ", s.Buried[seat][:]}} {
		if sum(has.prizes) > 0 {
			list = append(list, has.word+prizeText(has.prizes, open))
		}
	}
	if said := int(s.Said[seat]) - 1; said >= 0 {
		list = append(list, fmt.Sprintf("says “%s” to seat %d", phraseWords[said/MaxSeats], said%MaxSeats))
	}
	return strings.Join(list, "; ")
}

// drawWords writes a line for each seat for which there are words.
func (r *Rules) drawWords(p *svg.Picture, s *State, view int, y float64) float64 {
	for seat := range r.seats {
		if words := r.words(s, seat, view); words != "" {
			p.Badge(30, y, 9, seat, "")
			p.Fit(46, y, svg.Width-60, svg.Small, "start", "", words)
			y += 22
		}
	}
	return y
}

// drawCards draws crew cards that lie open under a heading, if there are any, and returns where to
// continue.
func (r *Rules) drawCards(p *svg.Picture, heading string, counts []uint8, y float64) float64 {
	return r.lay(p, heading, counts, y, func(Card) string { return "" })
}

// drawHand draws a hand, each card with its mark.
func (r *Rules) drawHand(p *svg.Picture, seat int, counts []uint8, y float64) float64 {
	p.Part("hand")
	defer p.End()
	return r.lay(p, fmt.Sprintf("Hand of seat %d", seat), counts, y, cardMark)
}

func (r *Rules) lay(p *svg.Picture, heading string, counts []uint8, y float64, mark func(Card) string) float64 {
	if sum(counts) == 0 {
		return y
	}
	p.Text(20, y+10, svg.Normal, "start", "pv-bold", heading)
	y += 28
	at := 0
	for c, n := range counts {
		for range n {
			if at == cardsToALine {
				at, y = 0, y+cardLineSpacing
			}
			r.drawCard(p, c, 12+float64(float64(at)*(cardWide+7)), y, mark(Card(c)))
			at++
		}
	}
	return y + cardHigh + 14
}

// skillClasses colour the cards of a skill.
var skillClasses = [...]string{"pv-blue", "pv-red", "pv-green", "pv-yellow"}

// specialTexts are what special cards do, in brief; the clauses SPC of RULES.md have it all.
var specialTexts = map[string]string{
	"boatswain":      "on Treasure Island, name another player, who guards the ship and cannot bury",
	"carpenter":      "after prizes were shared out, ask the others for one; if nobody gives one, take one from the Captain or the Quartermaster",
	"cook":           "when prizes are shared out, choose one before the Captain",
	"cutthroat":      "end a mutiny at once: the leader whom you name loses it",
	"first_mate":     "after the reveal, change the melee that the destination needs by one",
	"lookout":        "reveal the card of the destination before crew cards are played",
	"master_mariner": "after the reveal, change the navigation that the destination needs by one",
	"old_sailor":     "the ship reaches Treasure Island",
	"powder_monkey":  "five crewmen in a mutiny",
	"sea_dog":        "one crewman in a mutiny, and a neutral player must join your side and play a card",
	"second_mate":    "at any time, steal a crew card at random from each of two other players",
	"sharpshooter":   "after the reveal, change the guns that the destination needs by one",
	"smart_kid":      "after all have buried, take a buried prize of another player at random",
	"stowaways":      "at any time, draw two crew cards",
	"surgeon":        "at any time, become the Quartermaster until the Captain appoints one",
	"traitor":        "right after another crew card is laid, cancel it",
}

func (r *Rules) drawCard(p *svg.Picture, card int, x, y float64, mark string) {
	k := &r.Crew[card]
	one := make([]uint8, card+1)
	one[card] = 1
	title := r.crewText(one)
	if does := specialTexts[crewNames[card]]; does != "" {
		title += ": " + does
	}
	if mark == "" {
		p.Begin(title)
	} else {
		p.Mark(mark, title)
	}
	p.Box(x, y, cardWide, cardHigh, "pv-card")
	if k.Value > 0 {
		p.Disc(x+20, y+22, 14, skillClasses[k.Skill])
		p.Text(x+20, y+22, svg.Normal, "middle", "pv-on", fmt.Sprint(k.Value))
		p.Fit(x+38, y+22, cardWide-44, svg.Small, "start", "", []string{"navig.", "guns", "melee", "any"}[k.Skill])
		p.Text(x+8, y+49, svg.Small, "start", "pv-soft", fmt.Sprintf("%d crew", k.Crewmen))
	} else {
		for i, word := range strings.SplitN(strings.ReplaceAll(crewNames[card], "_", " "), " ", 2) {
			p.Fit(x+6, y+22+float64(float64(i)*20), cardWide-10, svg.Small, "start", "pv-bold", word)
		}
	}
	p.End()
}
