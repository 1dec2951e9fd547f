package engine_test

import (
	"testing"

	"github.com/privateer-rl/privateer/engine/enginetest"
)

func TestTheGameOfTheExampleConforms(t *testing.T) {
	enginetest.Flat[nim](t)
	enginetest.Run(t, "nim", enginetest.Options{})
}
