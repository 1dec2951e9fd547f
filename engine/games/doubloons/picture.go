package doubloons

import (
	"fmt"
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
	cardWidth  = 94
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
		put(NodeB1+i, 182, angle)
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
	if s.Dug && !r.stays {
		y = r.drawTrack(&p, s, y)
	}
	for seat := range r.seats {
		y = r.drawSeat(&p, s, seat, view, y)
	}
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
		if sum(&s.RegionShells[region]) > 0 {
			x, y := svg.Polar(seaX, seaY, seaInner+12, middle)
			p.Text(x, y, svg.Small, "middle", "", "shells "+list(s.RegionShells[region][:], symbolNames[:]))
		}
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
	if node >= NodeB1 && node <= NodeB5 {
		if totems := &s.BeachTotems[node-NodeB1]; sum(totems) > 0 {
			title += ": totems " + list(totems[:], symbolNames[:])
		}
	}
	p.Mark(placeMark(node), title)
	p.Disc(x, y, 17, fill)
	p.Text(x, y, svg.Small, "middle", text, nodeNames[node])
	p.End()
	i := 0
	for seat := range r.seats {
		sh := &s.Ships[seat]
		if int(sh.Node) != node || sh.Captain == noCaptain || s.Dug && !r.stays {
			continue
		}
		cx, cy := svg.Polar(x, y, 24, -75+float64(float64(i)*50))
		p.Begin(fmt.Sprintf("captain of seat %d at %s", seat, nodeNames[node]))
		p.Badge(cx, cy, 10, seat, "")
		p.End()
		i++
	}
}

// drawTreasure lists what lies beside the board, and landmarks by their places.
func (r *Rules) drawTreasure(p *svg.Picture, s *State, y float64) float64 {
	p.Text(20, y, svg.Normal, "start", "", fmt.Sprintf("Island %s, supply %d; %s", engine.Count(int(s.Island), "doubloon", ""), s.Supply, engine.Count(int(s.Pillage), "pillage token", "")))
	p.Text(20, y+24, svg.Small, "start", "", "Jewels: "+list(s.Jewels[:r.jewelKinds], jewelNames[:])+r.craterWord(s))
	y += 46
	var places []string
	for n, t := range s.Tiles {
		if t != noTile {
			places = append(places, nodeNames[n]+" "+r.LandmarkTitle[t])
		}
	}
	for line := ""; len(places) > 0 || line != ""; {
		if len(places) > 0 && len(line)+len(places[0]) < 88 {
			if line != "" {
				line += " · "
			}
			line, places = line+places[0], places[1:]
			continue
		}
		p.Text(20, y, svg.Small, "start", "pv-soft", line)
		line, y = "", y+20
	}
	return y + 4
}

// craterWord is what the crater of the alternate island holds.
func (r *Rules) craterWord(s *State) string {
	if r.beaches == 1 {
		return ""
	}
	return "; " + engine.Count(int(r.InCrater(s)), "relic", "") + " in the crater"
}

// drawTrack draws the end-game track with the captains on it.
func (r *Rules) drawTrack(p *svg.Picture, s *State, y float64) float64 {
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
	frame := "pv-row"
	if int(s.Turn) == seat {
		frame = "pv-turn"
	}
	p.Box(8, y, svg.Width-16, 108, frame)
	p.Badge(34, y+26, 16, seat, "")
	if int(s.Initiative) == seat {
		name += " ★"
	}
	if player := r.PlayerAt(s, seat); player != seat {
		name += fmt.Sprintf(" (player %d)", player)
	}
	p.Text(60, y+26, svg.Normal, "start", "pv-bold", name)
	p.Text(398, y+26, svg.Normal, "end", "pv-bold", engine.Count(int(r.score(s, seat)), "point", ""))
	p.End()

	p.Begin(fmt.Sprintf("hull %d of %d", sh.Hull, MaxHull))
	for i := range MaxHull {
		class := "pv-empty"
		if i < int(sh.Hull) {
			class = "pv-full"
		}
		p.Box(20+float64(float64(i)*13), y+48, 10, 16, class)
	}
	p.End()
	p.Begin(fmt.Sprintf("crew %d of %d", sh.Crew, MaxCrew))
	for i := range MaxCrew {
		class := "pv-empty"
		if i < int(sh.Crew) {
			class = svg.SeatClass(seat)
		}
		p.Disc(172+float64(float64(i)*20), y+56, 8, class)
	}
	p.End()
	p.Text(254, y+56, svg.Small, "start", "", fmt.Sprintf("gold %d  level %d", sh.Doubloons, sh.Reputation))
	p.Text(20, y+80, svg.Small, "start", "", strings.Join(r.belongings(sh), "; "))
	if c := r.tokens(sh); c != "" {
		p.Text(20, y+98, svg.Small, "start", "pv-soft", c)
	}
	own := view == engine.Full || view == r.PlayerAt(s, seat)
	for k, c := range sh.Table {
		x := 412 + float64(float64(k)*100)
		switch {
		case c == noCard:
			p.Box(x, y+8, cardWidth, 92, "pv-empty")
		case k < int(s.Revealed):
			r.drawCard(p, int(c), x, y+8, "pv-card", "")
		case own:
			r.drawCard(p, int(c), x, y+8, "pv-hidden", ", face down")
		default:
			p.Begin(fmt.Sprintf("card %d of seat %d, face down", k+1, seat))
			p.Box(x, y+8, cardWidth, 92, "pv-back")
			p.End()
		}
	}
	return y + 116
}

// belongings are what a seat has won, in words.
func (r *Rules) belongings(sh *Ship) []string {
	has := []string{fmt.Sprintf("%d in hand", bits.OnesCount64(sh.Hand))}
	if sum(&sh.Fragments) > 0 {
		has = append(has, "map "+list(sh.Fragments[:], symbolNames[:]))
	}
	if sum(&sh.Jewels) > 0 {
		has = append(has, list(sh.Jewels[:], jewelNames[:]))
	}
	return has
}

// tokens are those of a seat, in words.
func (r *Rules) tokens(sh *Ship) string {
	var has []string
	for _, t := range []struct {
		n    uint8
		word string
	}{{sh.Pillage, "pillage"}, {sh.Orbs, "orbs"}, {sh.Compasses, "compasses"}} {
		if t.n > 0 {
			has = append(has, fmt.Sprintf("%s %d", t.word, t.n))
		}
	}
	if sum(&sh.Totems) > 0 {
		has = append(has, "totems "+list(sh.Totems[:], symbolNames[:]))
	}
	if sum(&sh.Shells) > 0 {
		has = append(has, "shells "+list(sh.Shells[:], symbolNames[:]))
	}
	return strings.Join(has, "; ")
}

// drawCard draws the face of a card, cardWidth by 92.
func (r *Rules) drawCard(p *svg.Picture, card int, x, y float64, class, note string) {
	c := &r.Cards[card]
	p.Begin(r.cardWords(card) + note)
	p.Box(x, y, cardWidth, 92, class)
	moves := ""
	for _, m := range c.Moves[:c.NMoves] {
		sign := "↻"
		if m.Sail {
			sign = "▲"
		}
		if !m.Required {
			sign = "(" + sign + ")"
		}
		moves += sign
	}
	p.Text(x+5, y+16, svg.Small, "start", "pv-soft", c.ID)
	p.Text(x+cardWidth-5, y+16, svg.Small, "end", "pv-bold", moves)
	for i, a := range c.Actions {
		word := iconSigns[a.Icon]
		if a.Plus > 0 {
			word += " +1"
		}
		p.Text(x+8, y+42+float64(float64(i)*20), svg.Small, "start", "", word)
	}
	if c.Loot != LootNone {
		p.Text(x+8, y+82, svg.Small, "start", "pv-soft", r.lootSign(c))
	}
	p.End()
}

// lootSigns name what a Board action takes, likewise.
var lootSigns = [NumLoot]string{"", "fragment", "½ gold", "1 crew", "2 crew", "jewel", "reputation"}

func (r *Rules) lootSign(c *Card) string {
	if r.Modules.Has(StealShip) && c.Loot == LootReputation {
		return "the ship"
	}
	return lootSigns[c.Loot]
}

// list is what there is of each type, in words.
func list(counts []uint8, names []string) string {
	return strings.NewReplacer(",", ", ", "_", " ").Replace(some(counts, names))
}

// iconSigns name actions where there is little room.
var iconSigns = [NumIcons]string{"Hunt", "Pillage", "Forward", "Broads.", "Repair", "Board"}

// drawHand draws the cards in a seat's hand.
func (r *Rules) drawHand(p *svg.Picture, s *State, seat int, y float64) float64 {
	hand := s.Ships[seat].Hand
	if hand == 0 {
		return y
	}
	p.Text(20, y+14, svg.Normal, "start", "pv-bold", fmt.Sprintf("Hand of seat %d", seat))
	y += 32
	for i := 0; hand != 0; hand &= hand - 1 {
		if i == 7 {
			i, y = 0, y+100
		}
		card := bits.TrailingZeros64(hand)
		p.Mark(cardMark(card), "")
		r.drawCard(p, card, 12+float64(float64(i)*100), y, "pv-card", "")
		p.End()
		i++
	}
	return y + 108
}
