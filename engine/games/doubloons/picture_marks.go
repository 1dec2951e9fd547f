package doubloons

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/svg"
)

// Marks in pictures: small shapes that stand for what belongs to ships, lies on the board or is printed on cards. A
// legend below the picture says what each of them is.

// A mark is a shape about a point, at most markWide wide and high.
type mark func(p *svg.Picture, x, y float64)

const markWide = 20

// polygon is a mark of one shape, shaped one of several.
func polygon(class string, points ...float64) mark {
	return func(p *svg.Picture, x, y float64) { p.Polygon(x, y, 0, class, points...) }
}

func disc(r float64, class string) mark {
	return func(p *svg.Picture, x, y float64) { p.Disc(x, y, r, class) }
}

func (m mark) with(more mark) mark {
	return func(p *svg.Picture, x, y float64) {
		m(p, x, y)
		more(p, x, y)
	}
}

// star is the points of a star with n rays.
func star(n int, outer, inner float64) (points []float64) {
	for i := range 2 * n {
		x, y := svg.Polar(0, 0, []float64{outer, inner}[i%2], -90+float64(i)*180/float64(n))
		points = append(points, x, y)
	}
	return points
}

// Symbols of map fragments, totems and shells.
var symbolMarks = [NumSymbols]mark{
	polygon("pv-ink", -5, -3.4, -3.4, -5, 0, -1.6, 3.4, -5, 5, -3.4, 1.6, 0, 5, 3.4, 3.4, 5, 0, 1.6, -3.4, 5, -5, 3.4, -1.6, 0),
	polygon("pv-ink", star(8, 6.4, 3)...),
	polygon("pv-ink", 3, 5.2, 0, 6, -3, 5.2, -5.2, 3, -6, 0, -5.2, -3, -3, -5.2, 0, -6, 3, -5.2, .6, -4.1, -.8, -2.2, -1.3, 0, -.8, 2.2, .6, 4.1),
	polygon("pv-ink", -6.5, 1.5, -5, -2.5, -3, -3.2, -1, -1.5, 1, .2, 3, 0, 4.5, -2.5, 6.5, -3, 5.5, 1.5, 3.5, 3.2, 1, 3, -1, 1.5, -3, -.2, -4.5, 2.5),
}

// The shapes that bear a symbol.
var (
	fragmentMark = polygon("pv-token", -9, -9, 9, -9, 9, 9, -9, 9)
	totemMark    = polygon("pv-token", -8.5, -9.5, 8.5, -9.5, 8.5, 4, 0, 10, -8.5, 4)
	shellMark    = disc(9.5, "pv-token")
)

var jewelMarks = [NumJewels]mark{
	polygon("pv-green pv-gem", -4, -9, 4, -9, 7, -6, 7, 6, 4, 9, -4, 9, -7, 6, -7, -6),
	polygon("pv-red pv-gem", 0, -9, 8, -4.5, 8, 4.5, 0, 9, -8, 4.5, -8, -4.5),
	polygon("pv-token", -5, -7, 5, -7, 9, -2, 0, 9, -9, -2),
	polygon("pv-ink", -5, -7, 5, -7, 9, -2, 0, 9, -9, -2),
}

// Tokens, and what else ships have.
var (
	orbMark        = disc(9, "pv-token").with(disc(4.5, "pv-blue"))
	pillageMark    = polygon("pv-ink", -6, -9, 8, -4.5, -3.5, .5, -3.5, 9, -6, 9)
	compassMark    = disc(9, "pv-token").with(polygon("pv-ink", 5, -5, 2, 2, -5, 5, -2, -2))
	initiativeMark = polygon("pv-gold", star(5, 10, 4.2)...)
	handMark       = polygon("pv-back", -6.5, -9, 6.5, -9, 6.5, 9, -6.5, 9)
)

// Marks on cards.
var (
	sailPoints      = []float64{0, -7, 7, 6, -7, 6}
	comeAboutPoints = []float64{-9, 7, -9, -1, -7, -5.5, -1.5, -7.5, 4, -5.5, 6, -1, 6, 0, 9.5, 0, 3.7, 7, -2, 0, 1.5, 0, 1.5, -1, .5, -2.8, -1.5, -3.3, -3.5, -2.8, -4.5, -1, -4.5, 7}

	earlierMark = polygon("pv-yellow pv-gem", -5, 0, 5, -6, 5, 6)
	targetMark  = polygon("pv-red pv-gem", -7, -5, 3, -5, 8, 0, 3, 5, -7, 5, -4, 0)
	crewMark    = disc(6, "pv-none")
)

// moveMark is a movement icon: full if the ship must move so.
func moveMark(m Move) mark {
	class, points := "pv-may", comeAboutPoints
	if m.Required {
		class = "pv-ink"
	}
	if m.Sail {
		points = sailPoints
	}
	return polygon(class, points...)
}

// A token is a mark with how many there are.
type token struct {
	mark  mark
	n     int
	title string
}

// tally is a token for each type of which there are any.
func tally(counts []uint8, each func(i, n int) token) (list []token) {
	for i, n := range counts {
		if n > 0 {
			list = append(list, each(i, int(n)))
		}
	}
	return list
}

func symbols(counts *[NumSymbols]uint8, bearer mark, noun string) []token {
	return tally(counts[:], func(i, n int) token {
		return token{bearer.with(symbolMarks[i]), n, engine.Count(n, symbolNames[i]+" "+noun, "")}
	})
}

func fragmentTokens(counts *[NumSymbols]uint8) []token {
	return symbols(counts, fragmentMark, "map fragment")
}
func totemTokens(counts *[NumSymbols]uint8) []token { return symbols(counts, totemMark, "totem") }
func shellTokens(counts *[NumSymbols]uint8) []token { return symbols(counts, shellMark, "shell") }

func jewelTokens(counts []uint8) []token {
	return tally(counts, func(i, n int) token {
		name := strings.ReplaceAll(jewelNames[i], "_", " ")
		return token{jewelMarks[i], n, engine.Count(n, name, map[int]string{Ruby: "rubies"}[i])}
	})
}

// wide is how much room a token takes.
func (t *token) wide() float64 {
	if t.n == 1 {
		return markWide + 3
	}
	return markWide + 5 + svg.Extent(strconv.Itoa(t.n), svg.Small, "")
}

// drawTokens draws tokens side by side from x on, closer to each other if the room is narrow, and returns where they end.
func drawTokens(p *svg.Picture, x, y, room float64, list []token) float64 {
	all := 0.0
	for i := range list {
		all += list[i].wide()
	}
	closer := min(1, room/max(all, 1))
	for i := range list {
		t := &list[i]
		p.Begin(t.title)
		t.mark(p, x+markWide/2, y)
		if t.n != 1 {
			p.Text(x+markWide+1, y, svg.Small, "start", "", strconv.Itoa(t.n))
		}
		p.End()
		x += float64(t.wide() * closer)
	}
	return x
}

// drawLegend explains the marks that a match of this game can show.
func (r *Rules) drawLegend(p *svg.Picture, y float64) float64 {
	type entry struct {
		mark mark
		word string
	}
	list := []entry{
		{moveMark(Move{Sail: true, Required: true}), "must Sail"}, {moveMark(Move{Sail: true}), "may Sail"},
		{moveMark(Move{Required: true}), "must Come About"}, {moveMark(Move{}), "may Come About"},
		{earlierMark, "one's earlier card shows"}, {targetMark, "the target shows"}, {crewMark, "crew"}, {handMark, "in hand"},
		{initiativeMark, "initiative"}, {fragmentMark.with(symbolMarks[SymbolX]), "map fragment"},
	}
	if r.beaches > 1 {
		list = append(list, entry{totemMark.with(symbolMarks[SymbolSun]), "totem"}, entry{shellMark.with(symbolMarks[SymbolSun]), "shell"})
	}
	for j := range r.jewelKinds {
		list = append(list, entry{jewelMarks[j], strings.ReplaceAll(jewelNames[j], "_", " ")})
	}
	list = append(list, entry{pillageMark, "pillage token"}, entry{orbMark, "Protection Orb"})
	if r.Modules.Has(Compass) {
		list = append(list, entry{compassMark, "compass"})
	}
	x := 20.0
	y += 14
	for _, e := range list {
		wide := markWide + 4 + svg.Extent(e.word, svg.Small, "")
		if x+wide > svg.Width-12 {
			x, y = 20, y+24
		}
		e.mark(p, x+markWide/2, y)
		p.Text(x+markWide+4, y, svg.Small, "start", "pv-soft", e.word)
		x += wide + 14
	}
	return y + 12
}

// A stack is drawn as its size above its name.
type stack struct {
	class, text string
	size        int
	name, title string
}

// drawStacks draws the stacks of landmarks, the map stack, the deck and the discard, and what is in the crater.
func (r *Rules) drawStacks(p *svg.Picture, s *State, y float64) float64 {
	var list []stack
	for c := range r.stacks {
		n := s.stackSize(c)
		list = append(list, stack{"pv-" + colourNames[c], "pv-on", n, colourNames[c], fmt.Sprintf("stack of %s landmarks: %d left", colourNames[c], n)})
	}
	deck, discard := bits.OnesCount64(s.Deck), bits.OnesCount64(s.Discard)
	list = append(list,
		stack{"pv-land", "pv-bold", s.mapStack(), "map", fmt.Sprintf("map stack: %d left", s.mapStack())},
		stack{"pv-back", "pv-on", deck, "deck", engine.Count(deck, "action card", "") + " in the deck"},
		stack{"pv-card", "pv-bold", discard, "discard", engine.Count(discard, "action card", "") + " in the discard"})
	if r.beaches > 1 {
		list = append(list, stack{"pv-bare pv-ring-red", "pv-bold", r.InCrater(s), "crater", engine.Count(r.InCrater(s), "relic", "") + " in the crater"})
	}
	const column = 84
	for i, k := range list {
		x := 20 + float64(i*column)
		p.Begin(k.title)
		p.Box(x, y, column-14, 28, k.class)
		p.Text(x+(column-14)/2, y+14, svg.Normal, "middle", k.text, strconv.Itoa(k.size))
		p.Text(x+(column-14)/2, y+40, svg.Small, "middle", "pv-soft", k.name)
		p.End()
	}
	return y + 64
}
