package encode

import (
	"encoding/binary"

	"github.com/privateer-rl/privateer/engine/doubloons"
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

// octets are the bytes of a set of eight.
var octets = func() (all [256]uint64) {
	for set := range all {
		for i := range 8 {
			all[set] |= uint64(set>>i&1) << (8 * i)
		}
	}
	return all
}()

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// one is the set of the number n, or of none where n is −1; n is below 63.
func one(n int8) uint64 { return 1 << (uint8(n+1) & 63) >> 1 }

// spread writes a set as one byte for each possible member.
func spread(dst []uint8, set uint64) {
	for ; len(dst) >= 8; dst = dst[8:] {
		binary.LittleEndian.PutUint64(dst, octets[uint8(set)])
		set >>= 8
	}
	for i := range dst {
		dst[i] = uint8(set >> i & 1)
	}
}

// twice writes one byte for each card: in how many of two sets it is.
func twice(dst *[doubloons.NumCards]uint8, a, b uint64) {
	const whole = doubloons.NumCards / 8 * 8
	for i := 0; i < whole; i += 8 {
		binary.LittleEndian.PutUint64(dst[i:i+8], octets[uint8(a>>i)]+octets[uint8(b>>i)])
	}
	for i := whole; i < doubloons.NumCards; i++ {
		dst[i] = uint8(a>>i&1 + b>>i&1)
	}
}
