package engine

import (
	"encoding/binary"
	"math/bits"
)

// MaxActions bounds the action space of any game.
const MaxActions = 512

// Mask is the set of legal actions, one bit an action. It is a plain value.
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

// First returns the smallest action of the set, or -1 where it is empty.
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
func (m *Mask) Sample(r *Rand) Action { return m.Nth(r.Intn(m.Count())) }

// Expand writes the set as bytes 0 and 1, one an action, into dst.
func (m *Mask) Expand(dst []uint8) {
	i := 0
	for ; i+8 <= len(dst); i += 8 {
		// Eight bits to eight bytes at once: every byte gets all eight, keeps its
		// own, and is then made 1 where it is not 0.
		w := m[i>>6] >> (i & 63) & 0xff * 0x0101010101010101 & 0x8040201008040201
		binary.LittleEndian.PutUint64(dst[i:], (w+0x7f7f7f7f7f7f7f7f)>>7&0x0101010101010101)
	}
	for ; i < len(dst); i++ {
		dst[i] = uint8(m[i>>6] >> (i & 63) & 1)
	}
}
