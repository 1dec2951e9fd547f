package zoo_test

import (
	"fmt"

	"github.com/privateer-rl/privateer/encode/policy/zoo"
)

// The policies that come with the program.
func ExampleFind() {
	for _, name := range []string{"captain", "captain@9"} {
		p, err := zoo.Find(name)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(p.Name, "plays", p.Game)
	}
	// Output:
	// captain plays doubloons
	// captain@9 is not a version that this program has: take captain@1, or the release of privateer that came with the other
}
