package doubloons

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/svg"
)

// Where the sea and the island are drawn.
const (
	seaX, seaY = svg.Width / 2, 372
	seaOuter   = 304
	seaInner   = 212
	landRadius = 200
	fleetRing  = 244 // on which ships sail
	nameRing   = 280 // along which water tiles are named
	shellRing  = 221 // on which shells lie
	totemRing  = 198 // on which totems lie
	matHigh    = 118
	cardWidth  = 94
	cardHigh   = 102
	perRadian  = 180 / math.Pi
	beachAngle = 90 // the beach region lies nearest to the reader; the others follow clockwise
)

// island says where a location is drawn, from the middle of the island.
type island [NumNodes][2]float64

// The ways of the standard island wind about the mount, so that no two of them cross.
var standardIsland = island{
	NodeBeach: {0, 182},
	NodeC1:    {-72, 156}, NodeC2: {-134, 102}, NodeC3: {-158, 24}, NodeC4: {-100, 20}, NodeC5: {-52, -2},
	NodeV1: {72, 156}, NodeV2: {136, 104}, NodeV3: {160, 28}, NodeV4: {128, -62}, NodeV5: {14, -152}, NodeV6: {6, -88},
	NodeP1: {0, 136}, NodeP2: {-22, 94}, NodeP3: {14, 58}, NodeP4: {4, 16},
	NodeM: {2, -32},
}

// alternateIsland has five beaches around the crater, one in front of each region.
var alternateIsland = func() (at island) {
	put := func(node int, radius, angle float64) {
		x, y := svg.Polar(0, 0, radius, beachAngle+angle)
		at[node] = [2]float64{x, y}
	}
	for i := range NumAlternateRegions {
		angle := float64(i) * 360 / NumAlternateRegions
		put(NodeB1+i, 170, angle)
		put(NodeP1+i, 122, angle)
		put(NodeC1+i, 162, angle+36)
		put(NodeV1+i, 104, angle+36)
	}
	for i, angle := range []float64{54, 144, 216, 306} {
		put(NodeT1+i, 52, angle)
	}
	return at
}()

// Picture draws the match as seat view sees it: the sea with its ships, the island with its
// captains, the seats with their cards, and the hand of the seat that looks on.
func (r *Rules) Picture(s *State, view int) string {
	var p svg.Picture
	p.Text(20, 26, svg.Large, "start", "pv-bold", fmt.Sprintf("Round %d", s.Round))
	phase := strings.ReplaceAll(s.Phase.String(), "_", " ")
	if s.Slot >= 0 {
		phase += fmt.Sprintf(", card %d", s.Slot+1)
	}
	switch {
	case s.Ending:
		phase += ", the last round"
	case s.Dug:
		phase += ", the treasure has been dug up"
	}
	p.Text(svg.Width-20, 26, svg.Normal, "end", "pv-soft", phase)
	r.drawSea(&p, s)
	r.drawIsland(&p, s)
	y := r.drawTreasure(&p, s, seaY+seaOuter+26)
	if s.Dug {
		y = r.drawTrack(&p, s, y)
	}
	for seat := range r.seats {
		y = r.drawSeat(&p, s, seat, view, y)
	}
	if len(r.fleet) > r.seats {
		y = r.drawLegendary(&p, s, y)
	}
	y = r.drawLegend(&p, y) + 8
	for seat := range r.seats {
		if view == engine.Full || view == r.PlayerAt(s, seat) {
			y = r.drawHand(&p, s, seat, y)
		}
	}
	return p.String("Dead Man's Doubloons, " + engine.ViewName(view))
}

// drawSea draws the ring of regions, with water tiles and ships.
func (r *Rules) drawSea(p *svg.Picture, s *State) {
	wide := 360 / float64(r.regions)
	for region := range r.regions {
		middle := beachAngle + float64(float64(region)*wide)
		title := fmt.Sprintf("region %d", region)
		tile := "?"
		if t := s.Water[region]; t != noTile {
			tile = r.WaterTitle[t]
			title += ": " + tile + ": " + r.WaterText[t]
		}
		p.Mark(regionMark(region), title)
		p.Ring(seaX, seaY, seaInner, seaOuter, middle-wide/2, middle+wide/2, "pv-sea")
		p.TextAlong(seaX, seaY, nameRing, middle, svg.Normal, "pv-soft", fmt.Sprintf("%d %s", region, tile))
		drawAlong(p, shellRing, middle, shellTokens(&s.RegionShells[region]))
		p.End()
		var here []int
		for _, ship := range r.fleet {
			if int(s.Ships[ship].Region) == region {
				here = append(here, ship)
			}
		}
		step := min(15, (wide-8)/float64(max(len(here), 1)))
		for i, ship := range here {
			r.drawShip(p, s, ship, middle+float64((float64(i)-float64(len(here)-1)/2)*step))
		}
	}
}

// drawAlong draws tokens along a circle about the island, around an angle of it.
func drawAlong(p *svg.Picture, radius, middle float64, list []token) {
	all := 0.0
	for i := range list {
		all += list[i].wide()
	}
	along := -all / 2
	for i := range list {
		t := &list[i]
		x, y := svg.Polar(seaX, seaY, radius, middle-float64((along+markWide/2)*perRadian/radius))
		p.Begin(t.title)
		t.mark(p, x, y)
		if t.n != 1 {
			x, y = svg.Polar(seaX, seaY, radius, middle-float64((along+t.wide()-8)*perRadian/radius))
			p.Text(x, y, svg.Small, "middle", "", fmt.Sprint(t.n))
		}
		p.End()
		along += t.wide()
	}
}

// drawShip draws a ship at an angle of the ring, its bow where it faces.
func (r *Rules) drawShip(p *svg.Picture, s *State, ship int, angle float64) {
	sh := &s.Ships[ship]
	x, y := svg.Polar(seaX, seaY, fleetRing, angle)
	bow, way := angle+90, "clockwise"
	if sh.Facing == CounterClockwise {
		bow, way = angle-90, "counterclockwise"
	}
	class, name, label := svg.SeatClass(ship), fmt.Sprintf("seat %d, %s", ship, r.captainWord(sh)), fmt.Sprint(ship)
	if ship == Legendary {
		class, name, label = "pv-none", "the legendary ghost ship", "L"
	}
	if sh.Ghost {
		class += " pv-ghost"
		name += ", a ghost ship"
	}
	p.Mark(seatMark(ship), fmt.Sprintf("%s, sails %s, hull %d", name, way, sh.Hull))
	p.Polygon(x, y, bow, class, -24, -12, 10, -12, 30, 0, 10, 12, -24, 12, -20, 0)
	text := "pv-on"
	if sh.Ghost {
		text = "pv-bold"
	}
	p.Text(x, y, svg.Normal, "middle", text, label)
	p.End()
}

// drawIsland draws the ways, the landmarks and the captains on them.
func (r *Rules) drawIsland(p *svg.Picture, s *State) {
	p.Disc(seaX, seaY, landRadius+8, "pv-land")
	at, distance := &standardIsland, &r.Distance
	next := func(n int) []uint8 { return r.paths(int8(n)) }
	if r.beaches > 1 {
		at, distance = &alternateIsland, &r.AlternateDistance
		next = func(n int) []uint8 { return r.AlternateNext[n][:r.AlternateNextN[n]] }
	}
	for n := range distance {
		if distance[n] == Unreached {
			continue
		}
		for _, to := range next(n) {
			p.Line(seaX+at[n][0], seaY+at[n][1], seaX+at[to][0], seaY+at[to][1], "pv-line")
		}
	}
	for n := range distance {
		if distance[n] != Unreached {
			r.drawPlace(p, s, n, seaX+at[n][0], seaY+at[n][1])
		}
	}
}

// drawPlace draws a location: full if a landmark lies there, with the captains around it.
func (r *Rules) drawPlace(p *svg.Picture, s *State, node int, x, y float64) {
	colour, title := colourNames[r.Colour[node]], nodeNames[node]
	switch node {
	case NodeM:
		title = "Mount Zotètmon"
	case NodeX:
		title = "Mücevher Crater"
	}
	fill, text := "pv-bare pv-ring-"+colour, "pv-bold"
	if t := s.Tiles[node]; t != noTile {
		fill, text = "pv-"+colour, "pv-on"
		title += ": " + r.LandmarkTitle[t] + ": " + r.LandmarkText[t]
	}
	p.Mark(placeMark(node), title)
	p.Disc(x, y, 17, fill)
	p.Text(x, y, svg.Small, "middle", text, nodeNames[node])
	first, step := -75.0, 50.0
	if beach := node - NodeB1; r.beaches > 1 && beach < r.beaches {
		angle := beachAngle + float64(beach)*360/NumAlternateRegions
		drawAlong(p, totemRing, angle, totemTokens(&s.BeachTotems[beach]))
		first, step = angle+180-25, 50 // towards the middle of the island, away from the totems
	}
	p.End()
	i := 0
	for seat := range r.seats {
		sh := &s.Ships[seat]
		if int(sh.Node) != node || sh.Captain == noCaptain || s.Dug && !r.stays {
			continue
		}
		cx, cy := svg.Polar(x, y, 24, first+float64(float64(i)*step))
		p.Begin(fmt.Sprintf("captain of seat %d at %s", seat, nodeNames[node]))
		p.Badge(cx, cy, 10, seat, "")
		p.End()
		i++
	}
}

// drawTreasure lists the things beside the board, and landmarks by their places.
func (r *Rules) drawTreasure(p *svg.Picture, s *State, y float64) float64 {
	p.Text(20, y, svg.Normal, "start", "", fmt.Sprintf("Island %s, supply %d; %s", engine.Count(int(s.Island), "doubloon", ""), s.Supply, engine.Count(int(s.Pillage), "pillage token", "")))
	drawTokens(p, 560, y, 150, jewelTokens(s.Jewels[:r.jewelKinds]))
	y = r.drawStacks(p, s, y+22)
	line := ""
	write := func() {
		p.Text(20, y, svg.Small, "start", "pv-soft", line)
		y += 20
	}
	for n, t := range s.Tiles {
		if t == noTile {
			continue
		}
		place := nodeNames[n] + " " + r.LandmarkTitle[t]
		switch longer := line + " · " + place; {
		case line == "":
			line = place
		case svg.Extent(longer, svg.Small, "") < svg.Width-40:
			line = longer
		default:
			write()
			line = place
		}
	}
	if line != "" {
		write()
	}
	return y + 4
}

// drawTrack draws the end-game track with the captains on it, or with the trackers of the alternate island.
func (r *Rules) drawTrack(p *svg.Picture, s *State, y float64) float64 {
	caption := "End-game track"
	if r.stays {
		caption += ": trackers, which map fragments and relics move"
	}
	p.Text(20, y, svg.Small, "start", "pv-soft", caption)
	y += 14
	wide := float64(svg.Width-40) / float64(r.EndTrack)
	for space := range r.EndTrack {
		x := 20 + float64(float64(space)*wide)
		p.Begin(fmt.Sprintf("space %d of the end-game track", space))
		p.Box(x, y, wide-4, 44, "pv-card")
		name := fmt.Sprint(space)
		if space == r.EndTrack-1 {
			name = "FIN"
		}
		p.Text(x+wide/2, y+8, svg.Small, "middle", "pv-soft", name)
		p.End()
		i := 0
		for seat := range r.seats {
			if int(s.Ships[seat].Track) == space {
				p.Badge(x+16+float64(float64(i)*min(22, (wide-24)/float64(r.seats))), y+29, 10, seat, "")
				i++
			}
		}
	}
	return y + 60
}

// drawSeat draws a seat's mat and the cards that it has programmed.
func (r *Rules) drawSeat(p *svg.Picture, s *State, seat, view int, y float64) float64 {
	sh := &s.Ships[seat]
	name, about := "no captain yet", ""
	if sh.Captain != noCaptain {
		name = r.CaptainTitle[sh.Captain]
		about = r.CaptainAbility[sh.Captain] + ": " + r.CaptainText[sh.Captain]
	}
	p.Mark(seatMark(seat), about)
	p.Box(8, y, svg.Width-16, matHigh, frameOf(s, seat))
	p.Badge(34, y+24, 16, seat, "")
	p.Text(60, y+24, svg.Normal, "start", "pv-bold", name)
	p.Text(398, y+24, svg.Normal, "end", "pv-bold", engine.Count(int(r.score(s, seat)), "point", ""))
	p.End()
	if int(s.Initiative) == seat {
		p.Begin("initiative")
		initiativeMark(p, 388, y+78)
		p.End()
	}
	p.Begin(fmt.Sprintf("hull %d of %d", sh.Hull, MaxHull))
	for i := range MaxHull {
		class := "pv-empty"
		if i < int(sh.Hull) {
			class = "pv-full"
		}
		p.Box(20+float64(float64(i)*13), y+46, 10, 16, class)
	}
	p.End()
	drawCrew(p, sh, svg.SeatClass(seat), 172, y+54)
	p.Text(254, y+54, svg.Small, "start", "", standing(sh))
	r.drawGoods(p, sh, 20, y+78)
	if player := r.PlayerAt(s, seat); player != seat {
		p.Text(398, y+100, svg.Small, "end", "pv-soft", fmt.Sprintf("played by seat %d", player))
	}
	for k, c := range sh.Table {
		x := 412 + float64(float64(k)*100)
		switch {
		case c == noCard:
			p.Box(x, y+8, cardWidth, cardHigh, "pv-empty")
		case k < int(s.Revealed):
			r.drawCard(p, int(c), x, y+8, "pv-card", "")
		case r.seesHand(s, seat, view):
			r.drawCard(p, int(c), x, y+8, "pv-hidden", ", face down")
		default:
			p.Begin(fmt.Sprintf("card %d of seat %d, face down", k+1, seat))
			p.Box(x, y+8, cardWidth, cardHigh, "pv-back")
			p.End()
		}
	}
	return y + matHigh + 8
}

// drawLegendary draws the mat of the legendary ghost ship.
func (r *Rules) drawLegendary(p *svg.Picture, s *State, y float64) float64 {
	sh := &s.Ships[Legendary]
	p.Mark(seatMark(Legendary), "the legendary ghost ship")
	p.Box(8, y, svg.Width-16, matHigh-42, frameOf(s, Legendary))
	p.Disc(34, y+24, 16, "pv-none pv-ghost")
	p.Text(34, y+24, svg.Normal, "middle", "pv-bold", "L")
	p.Text(60, y+24, svg.Normal, "start", "pv-bold", "Legendary Ghost Ship")
	p.End()
	drawCrew(p, sh, "pv-none", 420, y+24)
	p.Text(502, y+24, svg.Small, "start", "", standing(sh))
	x := 20.0
	for _, list := range r.goods(sh) {
		x = drawTokens(p, x, y+54, 340, list)
	}
	return y + matHigh - 34
}

// frameOf is the class of a mat's frame: it shows whose turn it is.
func frameOf(s *State, ship int) string {
	if int(s.Turn) == ship {
		return "pv-turn"
	}
	return "pv-row"
}

// standing is a ship's gold and reputation, in words.
func standing(sh *Ship) string {
	return fmt.Sprintf("gold %d  level %d", sh.Doubloons, sh.Reputation)
}

func drawCrew(p *svg.Picture, sh *Ship, colour string, x, y float64) {
	p.Begin(fmt.Sprintf("crew %d of %d", sh.Crew, MaxCrew))
	for i := range MaxCrew {
		class := "pv-empty"
		if i < int(sh.Crew) {
			class = colour
		}
		p.Disc(x+float64(float64(i)*20), y, 8, class)
	}
	p.End()
}

// goods are a ship's tokens in two lines: what makes sets, and the rest.
func (r *Rules) goods(sh *Ship) (lines [2][]token) {
	if hand := bits.OnesCount64(sh.Hand); hand > 0 {
		lines[0] = append(lines[0], token{handMark, hand, engine.Count(hand, "card", "") + " in hand"})
	}
	lines[0] = append(lines[0], fragmentTokens(&sh.Fragments)...)
	lines[0] = append(lines[0], totemTokens(&sh.Totems)...)
	lines[0] = append(lines[0], shellTokens(&sh.Shells)...)
	lines[1] = jewelTokens(sh.Jewels[:])
	for _, t := range []struct {
		mark      mark
		n         uint8
		one, many string
	}{{pillageMark, sh.Pillage, "pillage token", ""}, {orbMark, sh.Orbs, "Protection Orb", ""}, {compassMark, sh.Compasses, "compass", "compasses"}} {
		if t.n > 0 {
			lines[1] = append(lines[1], token{t.mark, int(t.n), engine.Count(int(t.n), t.one, t.many)})
		}
	}
	return lines
}

func (r *Rules) drawGoods(p *svg.Picture, sh *Ship, x, y float64) {
	for i, list := range r.goods(sh) {
		drawTokens(p, x, y+float64(22*i), 355-float64(55*i), list)
	}
}

// drawCard draws the face of a card, cardWidth by cardHigh: its number and movement, its actions, and what its Board action
// takes and needs.
func (r *Rules) drawCard(p *svg.Picture, card int, x, y float64, class, note string) {
	c := &r.Cards[card]
	p.Begin(r.cardWords(card) + note)
	p.Box(x, y, cardWidth, cardHigh, class)
	p.Text(x+6, y+15, svg.Small, "start", "pv-soft", c.ID)
	for i, m := range c.Moves[:c.NMoves] {
		moveMark(m)(p, x+cardWidth-14-float64(20*(int(c.NMoves)-1-i)), y+15)
	}
	const room = cardWidth - 12
	line := y + 34
	for _, a := range c.Actions {
		word := iconSigns[a.Icon]
		if a.Plus > 0 {
			word += " +1"
		}
		if a.FreeCrew {
			word += " +"
			crewMark(p, x+14+svg.Extent(word, svg.Small, ""), line)
		}
		p.Fit(x+6, line, room, svg.Small, "start", "", word)
		line += 18
	}
	if c.Loot != LootNone {
		p.Fit(x+6, line, room, svg.Small, "start", "pv-soft", r.lootSign(c))
	}
	line += 18
	for _, n := range []struct {
		needs Needs
		mark  mark
	}{{c.OwnNeeds, earlierMark}, {c.EnemyNeeds, targetMark}} {
		if n.needs != 0 {
			n.mark(p, x+14, line)
			p.Fit(x+26, line, room-20, svg.Small, "start", "pv-soft", iconSigns[bits.TrailingZeros8(uint8(n.needs))])
		}
	}
	p.End()
}

// lootSigns name what a Board action takes where there is little room.
var lootSigns = [NumLoot]string{"", "fragment", "half gold", "1 crew", "2 crew", "jewel", "reputation"}

func (r *Rules) lootSign(c *Card) string {
	if r.Modules.Has(StealShip) && c.Loot == LootReputation {
		return "the ship"
	}
	return lootSigns[c.Loot]
}

// iconSigns name actions, likewise.
var iconSigns = [NumIcons]string{"Hunt", "Pillage", "Forward", "Broads.", "Repair", "Board"}

// drawHand draws the cards in a seat's hand.
func (r *Rules) drawHand(p *svg.Picture, s *State, seat int, y float64) float64 {
	hand := s.Ships[seat].Hand
	if hand == 0 {
		return y
	}
	p.Part("hand")
	p.Text(20, y+14, svg.Normal, "start", "pv-bold", fmt.Sprintf("Hand of seat %d", seat))
	y += 32
	for i := 0; hand != 0; hand &= hand - 1 {
		if i == 7 {
			i, y = 0, y+cardHigh+8
		}
		card := bits.TrailingZeros64(hand)
		p.Mark(cardMark(card), "")
		r.drawCard(p, card, 12+float64(float64(i)*100), y, "pv-card", "")
		p.End()
		i++
	}
	p.End()
	return y + cardHigh + 16
}
