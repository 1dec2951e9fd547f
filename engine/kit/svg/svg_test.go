package svg_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine/kit/svg"
)

// elements reads a picture as XML and counts its elements by name.
func elements(t *testing.T, picture string) map[string]int {
	t.Helper()
	count := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(picture))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return count
		}
		if err != nil {
			t.Fatalf("the picture is no XML: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
		}
	}
}

func TestAPictureIsADocumentWithATitleAndItsStyle(t *testing.T) {
	var p svg.Picture
	p.Begin("a group")
	p.Box(10, 10, 30, 40, "pv-card")
	p.Badge(50, 50, 12, 3, "")
	p.End()
	got := elements(t, p.String("a match"))
	for name, want := range map[string]int{"svg": 1, "style": 1, "title": 2, "rect": 2, "circle": 1, "text": 1, "g": 1} {
		if got[name] != want {
			t.Errorf("%d elements %s; want %d", got[name], name, want)
		}
	}
}

func TestTextIsEscaped(t *testing.T) {
	var p svg.Picture
	p.Text(0, 0, svg.Normal, "start", "", `<script>"&`+"\x1b\x00\ufffe")
	got := p.String("a < b")
	if elements(t, got)["script"] != 0 || strings.ContainsAny(got, "\x1b\x00\ufffe") || !strings.Contains(got, "&lt;script&gt;&quot;&amp;") || !strings.Contains(got, "a &lt; b") {
		t.Errorf("the text is not escaped: %s", got)
	}
}

func TestAPictureIsAsHighAsWhatIsDrawn(t *testing.T) {
	var p svg.Picture
	p.Box(0, 100, 10, 60, "pv-card")
	p.Disc(20, 40, 10, "pv-card")
	if got := p.String("x"); !strings.Contains(got, `viewBox="0 0 720 172"`) {
		t.Errorf("the picture of a box that ends at 160 is %s", got[:200])
	}
}

func TestTextAlongTwoCirclesHasTwoPaths(t *testing.T) {
	var p svg.Picture
	p.TextAlong(100, 100, 50, 270, svg.Small, "", "north")
	p.TextAlong(100, 100, 50, 90, svg.Small, "", "south")
	got := p.String("x")
	if strings.Count(got, `id="`) != 2 || strings.Count(got, `id="pv-arc-100-100-1"`) != 1 {
		t.Errorf("want two paths with names of their own: %s", got)
	}
}

// Programs that draw SVG outside of browsers do not know custom properties: all would be black.
func TestTheStyleNamesItsColours(t *testing.T) {
	if strings.ContainsAny(svg.Style, "$") || strings.Contains(svg.Style, "var(") || strings.Count(svg.Style, "{") != strings.Count(svg.Style, "}") {
		t.Errorf("a colour is not named: %s", svg.Style)
	}
}

func TestTextThatDoesNotFitIsSmaller(t *testing.T) {
	var p svg.Picture
	p.Fit(0, 0, 80, svg.Small, "start", "pv-bold", "sharpshooter")
	p.Fit(0, 0, 80, svg.Small, "start", "pv-bold", "sea dog")
	got := p.String("x")
	if !strings.Contains(got, `font-size="10" text-anchor="start">sharpshooter<`) || !strings.Contains(got, `font-size="15" text-anchor="start">sea dog<`) {
		t.Errorf("want the longer word at 10 and the shorter one at 15: %s", got)
	}
	if svg.Extent("sharpshooter", svg.Small, "pv-bold") <= svg.Extent("sharpshooter", svg.Small, "") {
		t.Error("bold letters are no wider")
	}
}
