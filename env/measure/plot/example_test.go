package plot_test

import (
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/env/measure"
	"github.com/privateer-rl/privateer/env/measure/plot"
)

// A curve with one interval a point, as SVG.
func ExampleCurves() {
	picture := plot.Curves("Wins", "matches", "share", false, []plot.Series{{Name: "captain", X: []float64{1, 2}, Y: []measure.Estimate{{Mean: .4, Low: .3, High: .5}, {Mean: .6, Low: .5, High: .7}}}})
	fmt.Println(strings.HasPrefix(picture, "<svg"), strings.Contains(picture, "captain"))
	// Output: true true
}
