// Package svg writes the pictures of matches: a few shapes, one palette for light and dark, and titles
// that a screen reader reads out. It knows no game.
package svg

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/privateer-rl/privateer/engine/portable"
)

// Width is the width of every picture, in its own units. A text of the smallest size is still a
// shape at a third of it, and its title says the rest.
const Width = 720

// Sizes of text.
const (
	Small  = 15
	Normal = 19
	Large  = 26
)

// Seats is how many colours the palette has for seats.
const Seats = 10

// A Picture is being drawn, from back to front. The zero Picture is empty.
type Picture struct {
	body   bytes.Buffer
	height float64
	arcs   int
}

// num writes a coordinate with at most one decimal, the same on every machine.
func num(x float64) string {
	return strconv.FormatFloat(math.Round(float64(x*10))/10+0, 'f', -1, 64)
}

// Reach makes the picture at least so high that y lies in it, with a margin.
func (p *Picture) Reach(y float64) { p.height = max(p.height, y+12) }

// Begin opens a group of shapes that belong together, with a title if it is not "".
func (p *Picture) Begin(title string) {
	p.body.WriteString("<g>")
	if title != "" {
		p.body.WriteString("<title>" + escape(title) + "</title>")
	}
}

// Mark opens a group as Begin does, with a name by which programs find it: what can be clicked there is told by
// engine.Point. Several groups may have one mark.
func (p *Picture) Mark(mark, title string) {
	fmt.Fprintf(&p.body, `<g data-mark="%s">`, escape(mark))
	if title != "" {
		p.body.WriteString("<title>" + escape(title) + "</title>")
	}
}

// Part opens a group that a page may show in a place of its own, by what it is, such as "hand". It is drawn last, so that a page
// that takes it away may cut the picture off above it.
func (p *Picture) Part(part string) { fmt.Fprintf(&p.body, `<g data-part="%s">`+"\n", escape(part)) }

// End closes the group opened last.
func (p *Picture) End() { p.body.WriteString("</g>\n") }

// Box draws a rectangle with round corners.
func (p *Picture) Box(x, y, w, h float64, class string) {
	fmt.Fprintf(&p.body, `<rect class="%s" x="%s" y="%s" width="%s" height="%s" rx="6"/>`, class, num(x), num(y), num(w), num(h))
	p.Reach(y + h)
}

// Disc draws a circle.
func (p *Picture) Disc(x, y, r float64, class string) {
	fmt.Fprintf(&p.body, `<circle class="%s" cx="%s" cy="%s" r="%s"/>`, class, num(x), num(y), num(r))
	p.Reach(y + r)
}

// Line draws a straight line.
func (p *Picture) Line(x1, y1, x2, y2 float64, class string) {
	fmt.Fprintf(&p.body, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, num(x1), num(y1), num(x2), num(y2))
}

// Polygon draws a closed shape about (x, y), turned clockwise by degrees. points are pairs of
// coordinates.
func (p *Picture) Polygon(x, y, degrees float64, class string, points ...float64) {
	fmt.Fprintf(&p.body, `<polygon class="%s" transform="translate(%s %s) rotate(%s)" points="`, class, num(x), num(y), num(degrees))
	for i, v := range points {
		if i > 0 {
			p.body.WriteByte(' ')
		}
		p.body.WriteString(num(v))
	}
	p.body.WriteString(`"/>`)
}

// Ring draws the part of a ring about (x, y) between two radii and two angles, in degrees clockwise
// from the right.
func (p *Picture) Ring(x, y, inner, outer, from, to float64, class string) {
	ax, ay := Polar(x, y, outer, from)
	bx, by := Polar(x, y, outer, to)
	cx, cy := Polar(x, y, inner, to)
	dx, dy := Polar(x, y, inner, from)
	fmt.Fprintf(&p.body, `<path class="%s" d="M%s %sA%s %s 0 0 1 %s %sL%s %sA%s %s 0 0 0 %s %sZ"/>`, class,
		num(ax), num(ay), num(outer), num(outer), num(bx), num(by), num(cx), num(cy), num(inner), num(inner), num(dx), num(dy))
	p.Reach(y + outer)
}

// Polar is the point at an angle, in degrees clockwise from the right, and a radius.
func Polar(x, y, radius, degrees float64) (px, py float64) {
	sin, cos := portable.Sincos(degrees)
	return x + float64(radius*cos), y + float64(radius*sin)
}

// Text writes a line of text. anchor is start, middle or end; y is its middle.
func (p *Picture) Text(x, y float64, size int, anchor, class, text string) {
	fmt.Fprintf(&p.body, `<text class="%s" x="%s" y="%s" font-size="%d" text-anchor="%s">%s</text>`, class,
		num(x), num(y+float64(float64(size)*.35)), size, anchor, escape(text))
	p.Reach(y + float64(size)/2)
}

// Fit writes a line of text as Text does, smaller if it would not fit into a width.
func (p *Picture) Fit(x, y, width float64, size int, anchor, class, text string) {
	for size > 1 && Extent(text, size, class) > width {
		size--
	}
	p.Text(x, y, size, anchor, class, text)
}

// Extent is how wide a line of text may be, in units of a picture: its width in DejaVu Sans, the widest of the
// fonts that a picture names, rounded up by kinds of letters.
func Extent(text string, size int, class string) float64 {
	parts := 0 // hundredths of the size
	for _, c := range text {
		switch {
		case strings.ContainsRune("ijlI'|", c):
			parts += 30
		case strings.ContainsRune(" .,;:/·", c):
			parts += 34
		case strings.ContainsRune("ftr-()“”", c):
			parts += 44
		case strings.ContainsRune("csz", c):
			parts += 55
		case strings.ContainsRune("mwMW%@", c):
			parts += 98
		case unicode.IsUpper(c):
			parts += 74
		default:
			parts += 64
		}
	}
	if strings.Contains(class, "pv-bold") || strings.Contains(class, "pv-on") {
		parts += parts / 8
	}
	return float64(parts) * float64(size) / 100
}

// TextAlong writes text along the circle about (x, y), centred at an angle, so that it
// is read from outside the circle in its upper half and from inside in its lower one.
func (p *Picture) TextAlong(x, y, radius, degrees float64, size int, class, text string) {
	_, down := Polar(0, 0, 1, degrees)
	lower := down > .1
	turn, sweep := 80.0, 1
	if lower {
		turn, sweep = -80, 0
		radius += float64(float64(size) * .7)
	}
	ax, ay := Polar(x, y, radius, degrees-turn)
	bx, by := Polar(x, y, radius, degrees+turn)
	p.arcs++
	id := fmt.Sprintf("pv-arc-%s-%s-%d", num(x), num(y), p.arcs)
	fmt.Fprintf(&p.body, `<path id="%s" fill="none" d="M%s %sA%s %s 0 0 %d %s %s"/><text class="%s" font-size="%d" text-anchor="middle"><textPath href="#%s" startOffset="50%%">%s</textPath></text>`,
		id, num(ax), num(ay), num(radius), num(radius), sweep, num(bx), num(by), class, size, id, escape(text))
}

// Card draws a playing card: its face if it has one, else its back.
func (p *Picture) Card(x, y, w, h float64, face string) {
	if face == "" {
		p.Box(x, y, w, h, "pv-back")
		return
	}
	p.Box(x, y, w, h, "pv-card")
	p.Text(x+w/2, y+h/2, Large, "middle", "pv-bold", face)
}

// Badge draws a disc in the colour of a seat, with its number.
func (p *Picture) Badge(x, y, r float64, seat int, class string) {
	p.Disc(x, y, r, SeatClass(seat)+" "+class)
	p.Text(x, y, int(r*1.25), "middle", "pv-on", strconv.Itoa(seat))
}

// SeatClass is the class that fills a shape with the colour of a seat.
func SeatClass(seat int) string { return "pv-s" + strconv.Itoa(seat%Seats) }

// escape writes text as XML does; a character that XML has not is shown as one that is unknown.
func escape(text string) string {
	var b bytes.Buffer
	for _, c := range text {
		switch c {
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		case '"':
			b.WriteString("&quot;")
		default:
			if c < ' ' && c != '\t' && c != '\n' || c == 0xfffe || c == 0xffff {
				c = unicode.ReplacementChar
			}
			b.WriteRune(c)
		}
	}
	return b.String()
}

// String is the finished picture, a document of its own. title says what it shows.
func (p *Picture) String(title string) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="pv" viewBox="0 0 %d %s" role="img" font-family="system-ui, 'DejaVu Sans', sans-serif">`, Width, num(p.height))
	fmt.Fprintf(&b, "<title>%s</title><style>%s</style>\n", escape(title), Style)
	fmt.Fprintf(&b, `<rect class="pv-page" width="%d" height="%s"/>`, Width, num(p.height))
	b.WriteByte('\n')
	b.Write(p.body.Bytes())
	b.WriteString("</svg>\n")
	return b.String()
}

// palette are the colours that differ between light and dark.
var palette = [...]struct{ name, light, dark string }{
	{"$page", "#fbfaf7", "#16181d"},
	{"$ink", "#22252b", "#e9e7e1"},
	{"$soft", "#666b76", "#a3a8b3"},
	{"$line", "#b9b5aa", "#4c515c"},
	{"$sea", "#cfe4ef", "#1f3a4a"},
	{"$land", "#efe6cf", "#3a3527"},
	{"$card", "#fff", "#262a32"},
	{"$back", "#8d99a8", "#5a6574"},
	{"$blue", "#3f7fbf", "#5b9bd9"},
	{"$yellow", "#d9a514", "#c99a1c"},
	{"$red", "#c2453d", "#d4625a"},
	{"$green", "#3f8f53", "#57a86b"},
	{"$gold", "#b8860b", "#e0b040"},
}

// rules are the style, a rule to a line, with colours by their names in the palette.
const rules = `.pv text{fill:$ink}
.pv .pv-page{fill:$page}
.pv .pv-soft{fill:$soft}
.pv .pv-bold{font-weight:600}
.pv .pv-on{fill:#fff;font-weight:700}
.pv .pv-sea{fill:$sea;stroke:$line}
.pv .pv-land{fill:$land;stroke:$line}
.pv .pv-line{stroke:$line;stroke-width:3}
.pv .pv-card{fill:$card;stroke:$line;stroke-width:1.5}
.pv .pv-asked{stroke:$gold;stroke-width:3}
.pv .pv-back{fill:$back;stroke:$line;stroke-width:1.5}
.pv .pv-hidden{fill:$card;stroke:$soft;stroke-width:1.5;stroke-dasharray:5 3}
.pv .pv-row{fill:none;stroke:$line}
.pv .pv-turn{fill:none;stroke:$gold;stroke-width:3}
.pv .pv-blue{fill:$blue}
.pv .pv-yellow{fill:$yellow}
.pv .pv-red{fill:$red}
.pv .pv-green{fill:$green}
.pv .pv-none{fill:$soft}
.pv .pv-bare{fill:$page;stroke-width:3}
.pv .pv-bare.pv-ring-blue{stroke:$blue}
.pv .pv-bare.pv-ring-yellow{stroke:$yellow}
.pv .pv-bare.pv-ring-red{stroke:$red}
.pv .pv-bare.pv-ring-green{stroke:$green}
.pv .pv-bare.pv-ring-none{stroke:$soft}
.pv .pv-full{fill:$red}
.pv .pv-empty{fill:none;stroke:$line}
.pv .pv-token{fill:$card;stroke:$ink;stroke-width:1.2}
.pv .pv-ink{fill:$ink}
.pv .pv-gold{fill:$gold}
.pv .pv-gem{stroke:$ink}
.pv .pv-may{fill:none;stroke:$ink}
.pv .pv-curve polyline{fill:none;stroke:currentColor;stroke-width:3}
.pv .pv-ghost{fill-opacity:.35;stroke:$ink;stroke-dasharray:3 2}
.pv .pv-s0{fill:#1f6fb2;color:#1f6fb2}
.pv .pv-s1{fill:#b5472e;color:#b5472e}
.pv .pv-s2{fill:#2f7d4f;color:#2f7d4f}
.pv .pv-s3{fill:#7b4fa3;color:#7b4fa3}
.pv .pv-s4{fill:#8a6d00;color:#8a6d00}
.pv .pv-s5{fill:#0f7c86;color:#0f7c86}
.pv .pv-s6{fill:#a03b74;color:#a03b74}
.pv .pv-s7{fill:#56606e;color:#56606e}
.pv .pv-s8{fill:#6b5a2e;color:#6b5a2e}
.pv .pv-s9{fill:#3d4fb0;color:#3d4fb0}`

// Style are the colours of all pictures, light and dark: every picture carries it, and a page that
// forbids styles inside of pictures may link it. It has no custom properties, which many programs that
// draw SVG do not know.
var Style = func() string {
	var light, dark []string
	for _, c := range palette {
		light, dark = append(light, c.name, c.light), append(dark, c.name, c.dark)
	}
	var coloured []string // rules that are others in the dark
	for rule := range strings.Lines(rules) {
		if strings.Contains(rule, "$") {
			coloured = append(coloured, rule)
		}
	}
	return strings.NewReplacer(light...).Replace(rules) + "\n@media (prefers-color-scheme:dark){\n" +
		strings.NewReplacer(dark...).Replace(strings.Join(coloured, "")) + "}"
}()
