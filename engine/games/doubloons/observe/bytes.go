package observe

import (
	"encoding/binary"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/games/doubloons"
)

// Small sets and counts as the bytes of an observation, without a branch for each
// member: what is in a set is not to be predicted.

// crew and levels have as many ones as there are crew members and levels.
var (
	crew   = [1 + doubloons.MaxCrew][doubloons.MaxCrew]uint8{{}, {1}, {1, 1}, {1, 1, 1}, {1, 1, 1, 1}}
	levels = [1 + doubloons.MaxLevel][doubloons.MaxLevel]uint8{{}, {1}, {1, 1}, {1, 1, 1}}
)

// icons are the bytes of a set of icons.
var icons = func() (all [256][doubloons.NumIcons]uint8) {
	for set := range all {
		for icon := range all[set] {
			all[set][icon] = uint8(set >> icon & 1)
		}
	}
	return all
}()

// one is the set of a number below 64, or of none for −1.
func one(n int8) uint64 { return ones[uint8(n)] }

// ones are looked up, as a shift by a variable costs three times as much.
var ones = func() (all [256]uint64) {
	for n := range 64 {
		all[n] = 1 << n
	}
	return all
}()

// twice writes one byte for each card: in how many of two sets it is. The second is
// often empty.
func twice(dst *[doubloons.NumCards]uint8, a, b uint64) {
	engine.Unpack(dst[:], a)
	if b == 0 {
		return
	}
	const whole = doubloons.NumCards / 8 * 8
	for i := 0; i < whole; i += 8 {
		eight := dst[i : i+8]
		binary.LittleEndian.PutUint64(eight, binary.LittleEndian.Uint64(eight)+engine.Octet(uint8(b>>i)))
	}
	for i := whole; i < doubloons.NumCards; i++ {
		dst[i] += uint8(b >> i & 1)
	}
}
