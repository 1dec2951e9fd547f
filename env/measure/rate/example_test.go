package rate_test

import (
	"fmt"
	"log"
	"math"

	"github.com/privateer-rl/privateer/env/measure/rate"
)

// The first of two players came first in three of four matches.
func ExamplePlackettLuce() {
	rankings := []rate.Ranking{
		{Players: []int{0, 1}, Places: []int{1, 2}, Deal: 0}, {Players: []int{0, 1}, Places: []int{1, 2}, Deal: 1},
		{Players: []int{0, 1}, Places: []int{1, 2}, Deal: 2}, {Players: []int{0, 1}, Places: []int{2, 1}, Deal: 3},
	}
	s, err := rate.PlackettLuce(2, rankings, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", 1/(1+math.Exp(s.Log[1]-s.Log[0])))
	// Output: 0.75
}
