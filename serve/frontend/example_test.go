package frontend_test

import (
	"encoding/json"
	"fmt"
	"log"

	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/serve/frontend"
)

// A program in any language deals a match and asks what is legal, by lines of JSON.
func ExampleEngine_Answer() {
	e := frontend.New()
	for _, game := range []string{"kuhn", "chess"} {
		var answer struct{ Decision, Error string }
		if err := json.Unmarshal(e.Answer([]byte(`{"op": "match", "seed": 1, "game": "`+game+`"}`)), &answer); err != nil {
			log.Fatal(err)
		}
		fmt.Println(answer.Decision + answer.Error)
	}
	// Output:
	// a card is dealt to seat 0
	// unknown game "chess": known are doubloons, jolly_roger, kuhn, leduc, liars_dice
}
