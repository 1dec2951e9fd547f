package engine

import (
	"encoding/binary"
	"math/bits"
)

// MaxActions bounds the action space of any game.
const MaxActions = 512

// Mask is the set of legal actions, one bit for each action. It is a plain value.
type Mask [MaxActions / 64]uint64

// Set adds a.
func (m *Mask) Set(a Action) { m[a>>6] |= 1 << (a & 63) }

// Clear removes a.
func (m *Mask) Clear(a Action) { m[a>>6] &^= 1 << (a & 63) }

// Has reports whether a is in the set; an action out of range is not.
func (m *Mask) Has(a Action) bool {
	return a >= 0 && a < MaxActions && m[a>>6]&(1<<(a&63)) != 0
}

// Count returns the number of actions in the set.
func (m *Mask) Count() int {
	n := 0
	for _, w := range m {
		n += bits.OnesCount64(w)
	}
	return n
}

// First returns the smallest action of the set, or -1 if it is empty.
func (m *Mask) First() Action {
	for i, w := range m {
		if w != 0 {
			return Action(i<<6 + bits.TrailingZeros64(w))
		}
	}
	return -1
}

// Next returns the smallest action of the set above a, or -1.
//
//	for a := m.First(); a >= 0; a = m.Next(a) { … }
func (m *Mask) Next(a Action) Action {
	a++
	if a >= MaxActions {
		return -1
	}
	i := int(a >> 6)
	w := m[i] >> (a & 63) << (a & 63)
	for {
		if w != 0 {
			return Action(i<<6 + bits.TrailingZeros64(w))
		}
		if i++; i == len(m) {
			return -1
		}
		w = m[i]
	}
}

// Nth returns the k-th smallest action of the set (from 0), or -1.
func (m *Mask) Nth(k int) Action {
	for i, w := range m {
		n := bits.OnesCount64(w)
		if k >= n {
			k -= n
			continue
		}
		for ; k > 0; k-- {
			w &= w - 1
		}
		return Action(i<<6 + bits.TrailingZeros64(w))
	}
	return -1
}

// Sample returns a uniform member of the set. The set must not be empty.
func (m *Mask) Sample(r *Rand) Action {
	if m[1]|m[2]|m[3]|m[4]|m[5]|m[6]|m[7] != 0 {
		return m.Nth(r.Intn(m.Count()))
	}
	// Few actions, as most games have, are drawn in half the time.
	w := m[0]
	for k := r.Intn(bits.OnesCount64(w)); k > 0; k-- {
		w &= w - 1
	}
	return Action(bits.TrailingZeros64(w))
}

// Expand writes the set as bytes 0 and 1, one for each action, into dst, at most
// [MaxActions].
func (m *Mask) Expand(dst []uint8) {
	for i := range m {
		if len(dst) <= 64 {
			Unpack(dst, m[i])
			return
		}
		Unpack(dst[:64], m[i])
		dst = dst[64:]
	}
}

// Unpack writes a set of numbers 0 … 63 as bytes 0 and 1, one for each number, into dst,
// at most [64].
func Unpack(dst []uint8, set uint64) {
	n := len(dst)
	if n < 8 {
		for i := range dst {
			dst[i] = uint8(set >> i & 1)
		}
		return
	}
	for i := 0; i <= n-8; i += 8 {
		binary.LittleEndian.PutUint64(dst[i:i+8], Octet(uint8(set>>(i&63))))
	}
	// The last eight once more, instead of one by one.
	binary.LittleEndian.PutUint64(dst[n-8:], Octet(uint8(set>>((n-8)&63))))
}

// Octet is a set of numbers 0 … 7 as eight bytes 0 and 1, the number 0 in the lowest.
func Octet(set uint8) uint64 { return octets[set] }

// octets are looked up, which is a third of the work of computing them.
var octets = func() (all [256]uint64) {
	for set := range all {
		for i := range 8 {
			all[set] |= uint64(set>>i&1) << (8 * i)
		}
	}
	return all
}()

// Bit is 1 for true and 0 for false.
func Bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
