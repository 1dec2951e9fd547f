package svg_test

import (
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine/kit/svg"
)

// A picture of a card that can be clicked.
func ExamplePicture() {
	var p svg.Picture
	p.Mark("card=queen", "the queen")
	p.Box(20, 20, 60, 90, "pv-card")
	p.Text(50, 65, svg.Normal, "middle", "pv-bold", "Q")
	p.End()
	text := p.String("a queen")
	fmt.Println(strings.Contains(text, `data-mark="card=queen"`), strings.HasPrefix(text, "<svg"))
	// Output: true true
}
