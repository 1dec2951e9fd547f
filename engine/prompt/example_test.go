package prompt_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/games"
	"github.com/privateer-rl/privateer/engine/prompt"
)

// An answer of a language model is read as one of the legal actions, or refused with what may have been meant.
func ExampleRead() {
	game, err := engine.NewGame("kuhn")
	if err != nil {
		log.Fatal(err)
	}
	m := game.NewMatch()
	m.Reset(1)
	a, err := prompt.Read(m, "A king cannot lose, so I bet.\n\nAnswer: bet")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(game.Info().ActionName(a))
	_, err = prompt.Read(m, "I would rather think about it.")
	fmt.Println(err != nil, errors.Is(err, prompt.ErrIllegal))
	// Output:
	// bet
	// true false
}
