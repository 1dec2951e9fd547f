package match_test

import (
	"context"
	"fmt"
	"log"

	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/env/match"
)

// Two bots play a deal from both seats.
func ExampleRunner_Play() {
	r, err := match.NewRunner("leduc", 1, match.Named("random"), match.Named("search(rollouts=50)"))
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	finals, err := r.Play(context.Background(), []match.Match{match.Deal(1, 0, []int{0, 1}), match.Deal(1, 0, []int{1, 0})})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range finals {
		fmt.Println(f.Returns)
	}
	// Output:
	// [-0.3846154 0.3846154]
	// [0.23076923 -0.23076923]
}
