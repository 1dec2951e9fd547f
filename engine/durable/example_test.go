package durable_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/privateer-rl/privateer/engine/durable"
)

// A file that is replaced whole or not at all, and that tells whether it was altered since.
func ExampleWriteFile() {
	dir, err := os.MkdirTemp("", "durable")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "state")
	if err := durable.WriteFile(path, durable.Seal([]byte("the state"))); err != nil {
		log.Fatal(err)
	}
	sealed, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	state, ok := durable.Unseal(sealed)
	fmt.Println(string(state), ok)
	sealed[0] ^= 1
	_, ok = durable.Unseal(sealed)
	fmt.Println("altered:", ok)
	// Output:
	// the state true
	// altered: false
}
