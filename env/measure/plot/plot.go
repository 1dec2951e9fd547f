// Package plot draws figures as SVG by hand: few kinds are needed, and any browser or vector editor shows them.
package plot

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/privateer-rl/privateer/env/measure"
)

const (
	plotWidth  = 860
	plotLabels = 300 // width of the labels on the left
	plotRight  = 30
	plotRow    = 20
	plotHead   = 46
	plotFoot   = 40
)

var colours = [...]string{"#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e", "#9498a0"}

// dark is what a reader who prefers dark pages sees.
const dark = `<style>@media (prefers-color-scheme: dark) { .paper { fill: #1e2129 } text { fill: #e6edf3 } line[stroke="#dddddd"] { stroke: #3d444d } }</style>` + "\n"

// drawing collects the elements of a plot.
type drawing struct {
	strings.Builder
	height int
	least  float64 // of the scale
	most   float64
}

func newDrawing(title, unit string, rows int, least, most float64) *drawing {
	if !(most > least) {
		most = least + 1
	}
	d := &drawing{height: plotHead + rows*plotRow + plotFoot, least: least, most: most}
	d.begin(title)
	bottom := d.height - plotFoot
	for _, tick := range ticks(least, most) {
		x := d.x(tick)
		fmt.Fprintf(d, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#dddddd"/>`+"\n", x, plotHead-6, x, bottom)
		d.text(x, bottom+16, "middle", 11, trim(tick))
	}
	d.text((plotLabels+plotWidth-plotRight)/2, bottom+32, "middle", 11, unit)
	return d
}

// begin opens the picture and writes its title.
func (d *drawing) begin(title string) {
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", plotWidth, d.height, plotWidth, d.height)
	d.WriteString(dark)
	fmt.Fprintf(d, `<rect class="paper" width="%d" height="%d" fill="#ffffff"/>`+"\n", plotWidth, d.height)
	d.text(12, 22, "start", 15, title)
}

func (d *drawing) x(v float64) float64 {
	return plotLabels + float64((v-d.least)/(d.most-d.least)*(plotWidth-plotLabels-plotRight))
}

func (d *drawing) text(x float64, y int, anchor string, size int, s string) {
	fmt.Fprintf(d, `<text x="%.1f" y="%d" text-anchor="%s" font-size="%d">`, x, y, anchor, size)
	_ = xml.EscapeText(d, []byte(s)) // a strings.Builder takes everything
	d.WriteString("</text>\n")
}

func (d *drawing) end() string {
	d.WriteString("</svg>\n")
	return d.String()
}

// Dots draws estimates as dots with whiskers, row by row under a heading for
// each group. A dashed line marks the value that is even, if a group has one.
func Dots(title, unit string, groups []Group) string {
	rows, least, most := 0, math.Inf(1), math.Inf(-1)
	for _, g := range groups {
		rows += 1 + len(g.Dots)
		for _, p := range g.Dots {
			for _, v := range []float64{p.Mean, p.Low, p.High, g.Even} {
				if !math.IsNaN(v) && !math.IsInf(v, 0) {
					least, most = min(least, v), max(most, v)
				}
			}
		}
	}
	if rows == 0 || least > most {
		least, most = 0, 1
	}
	pad := float64((most - least) * .05)
	d := newDrawing(title, unit, rows, least-pad, most+pad)
	y := plotHead + plotRow/2
	for i, g := range groups {
		d.text(12, y+4, "start", 12, g.Name)
		if !math.IsNaN(g.Even) {
			x := d.x(g.Even)
			fmt.Fprintf(d, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#555555" stroke-dasharray="4 3"/>`+"\n", x, y+6, x, y+plotRow*len(g.Dots)+8)
		}
		y += plotRow
		for _, p := range g.Dots {
			d.text(plotLabels-10, y+4, "end", 12, p.Name)
			colour := colours[i%len(colours)]
			if !math.IsNaN(p.Mean) {
				fmt.Fprintf(d, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="%s" stroke-width="2"/>`+"\n", d.x(p.Low), y, d.x(p.High), y, colour)
				fmt.Fprintf(d, `<circle cx="%.1f" cy="%d" r="4" fill="%s"/>`+"\n", d.x(p.Mean), y, colour)
			}
			y += plotRow
		}
	}
	return d.end()
}

// Group is some estimates under a heading.
type Group struct {
	Name string
	Even float64 // NaN: none
	Dots []Dot
}

// Dot is an estimate with the label of its row.
type Dot struct {
	Name string
	measure.Estimate
}

// Stacks draws a bar for each row, made of parts: those above 0 to the right of
// the axis, those below 0 to its left.
func Stacks(title, unit string, parts []string, rows []Stack) string {
	least, most := 0.0, 0.0
	for _, r := range rows {
		low, high := 0.0, 0.0
		for _, v := range r.Parts {
			low, high = low+min(0, v), high+max(0, v)
		}
		least, most = min(least, low), max(most, high)
	}
	d := newDrawing(title, unit, len(rows)+1+(len(parts)+3)/4, least, most)
	y := plotHead + plotRow/2
	for _, r := range rows {
		d.text(plotLabels-10, y+4, "end", 12, r.Name)
		low, high := 0.0, 0.0
		for k, v := range r.Parts {
			from := high
			if v < 0 {
				low += v
				from = low
			} else {
				high += v
			}
			fmt.Fprintf(d, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", d.x(from), y-7, d.x(from+math.Abs(v))-d.x(from), 14, colours[k%len(colours)])
		}
		y += plotRow
	}
	y += plotRow / 2
	for k, name := range parts {
		x := plotLabels + k%4*130
		fmt.Fprintf(d, `<rect x="%d" y="%d" width="12" height="12" fill="%s"/>`+"\n", x, y-6, colours[k%len(colours)])
		d.text(float64(x+17), y+5, "start", 11, name)
		if k%4 == 3 {
			y += plotRow
		}
	}
	return d.end()
}

// Stack is a bar and its label.
type Stack struct {
	Name  string
	Parts []float64
}

// Series is points that belong together: estimates Y at X, in ascending order of X.
type Series struct {
	Name string
	X    []float64
	Y    []measure.Estimate
}

const (
	curvesLeft   = 60
	curvesRight  = 190 // of the plane; names stand beyond
	curvesHeight = 420
)

// Curves draws series in a plane: one of a single point as a dot with its interval, others as lines through their means. With powers, X are
// decimal logarithms of what the scale says.
func Curves(title, x, y string, powers bool, all []Series) string {
	left, right, low, high := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, s := range all {
		for i := range s.X {
			left, right = min(left, s.X[i]), max(right, s.X[i])
			low, high = min(low, s.Y[i].Low, s.Y[i].Mean), max(high, s.Y[i].High, s.Y[i].Mean)
		}
	}
	if !(right > left) {
		left, right = left-1, left+1
	}
	if !(high > low) {
		low, high = low-1, low+1
	}
	padX, padY := float64((right-left)*.04), float64((high-low)*.06)
	left, right, low, high = left-padX, right+padX, low-padY, high+padY
	d := &drawing{height: curvesHeight}
	d.begin(title)
	bottom := float64(d.height - plotFoot)
	atX := func(v float64) float64 {
		return curvesLeft + float64((v-left)/(right-left)*(plotWidth-curvesLeft-curvesRight))
	}
	atY := func(v float64) float64 { return bottom - float64((v-low)/(high-low)*(bottom-plotHead)) }
	for _, tick := range ticks(left, right) {
		if label := trim(tick); !powers || tick == math.Trunc(tick) {
			if powers {
				label = power(tick)
			}
			fmt.Fprintf(d, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%.1f" stroke="#dddddd"/>`+"\n", atX(tick), plotHead-6, atX(tick), bottom)
			d.text(atX(tick), int(bottom)+16, "middle", 11, label)
		}
	}
	for _, tick := range ticks(low, high) {
		fmt.Fprintf(d, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#dddddd"/>`+"\n", curvesLeft, atY(tick), plotWidth-curvesRight, atY(tick))
		d.text(curvesLeft-8, int(atY(tick))+4, "end", 11, trim(tick))
	}
	d.text((curvesLeft+plotWidth-curvesRight)/2, int(bottom)+32, "middle", 11, x)
	d.text(curvesLeft-8, plotHead-12, "start", 11, y)
	d.series(all, atX, atY)
	return d.end()
}

// power is ten to a whole number.
func power(of float64) string {
	n := int(of)
	if n < 0 {
		return "0." + strings.Repeat("0", -n-1) + "1"
	}
	return "1" + strings.Repeat("0", n)
}

// series draws them, and their names beyond the plane, beside where they end and a row apart.
func (d *drawing) series(all []Series, atX, atY func(v float64) float64) {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	end := func(i int) float64 { return atY(all[i].Y[len(all[i].Y)-1].Mean) }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(end(i), end(j)) })
	const row = 15
	lowest := float64(d.height - plotFoot)
	next := plotHead - row/2
	for k, i := range order {
		s, colour := &all[i], colours[i%len(colours)]
		y := min(max(next, int(end(i))), int(lowest)-row*(len(order)-1-k))
		next = y + row
		lastX := atX(s.X[len(s.X)-1])
		fmt.Fprintf(d, `<line x1="%.1f" y1="%.1f" x2="%d" y2="%d" stroke="%s" stroke-opacity="0.35"/>`+"\n", lastX, end(i), plotWidth-curvesRight+6, y, colour)
		d.text(plotWidth-curvesRight+10, y+4, "start", 11, s.Name)
		if len(s.X) == 1 {
			fmt.Fprintf(d, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="2"/>`+"\n", lastX, atY(s.Y[0].Low), lastX, atY(s.Y[0].High), colour)
			fmt.Fprintf(d, `<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>`+"\n", lastX, end(i), colour)
			continue
		}
		fmt.Fprintf(d, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, colour)
		for j := range s.X {
			fmt.Fprintf(d, "%.1f,%.1f ", atX(s.X[j]), atY(s.Y[j].Mean))
		}
		d.WriteString("\"/>\n")
	}
}

// ticks are round numbers that divide a scale in 4 to 10 steps.
func ticks(least, most float64) []float64 {
	step := decade((most - least) / 4)
	for _, k := range []float64{5, 2} {
		if (most-least)/(k*step) >= 4 {
			step = float64(step * k)
			break
		}
	}
	var list []float64
	for k := math.Ceil(least / step); k*step <= most+float64(step*1e-9); k++ {
		list = append(list, float64(k*step))
	}
	return list
}

// decade is the greatest power of ten that is not above v.
func decade(v float64) float64 {
	_, exponent, finite := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	if !finite {
		return v
	}
	power, _ := strconv.ParseFloat("1e"+exponent, 64)
	return power
}

func trim(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", v+0), "0"), ".")
}
