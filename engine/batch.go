package engine

import "unsafe"

// Batch is many matches of one game, for callers that step them together. The
// states are side by side in one slice, and so are the legal actions and the
// seats to act, so that a pass over the rows reads memory in order and calls nothing
// through an interface. Row i is also the match Matches()[i]: changes through one show in the other.
//
// Different goroutines may work on different rows at the same time.
type Batch interface {
	// Matches are the rows as matches, [n].
	Matches() []Match
	// Seats has the seat to act in each row, as Match.Seat, [n]. Read-only.
	Seats() []int32
	// Legal has the legal actions of each row, as Match.Legal, [n]. Read-only.
	Legal() []Mask
	// Bytes is the memory of the states, [n, state size], as Match.Bytes. Read-only.
	Bytes() []byte
	// Apply performs actions[i], as Match.Apply, in every row from ≤ i < to that
	// is not to be skipped. It stops at an action that is not legal and returns its
	// row, in which nothing has changed; otherwise it returns to. With chance=explicit an outcome of
	// chance is not legal here: Match.Apply takes it.
	Apply(from, to int, actions []int32, skip []bool) int
	// Returns writes the returns so far of every row from ≤ i < to into dst,
	// [n, seats], as Match.Returns.
	Returns(from, to int, dst []float32)
}

// batch is the one implementation of Batch.
type batch[S comparable] struct {
	*game[S]
	states  []S
	seats   []int32
	legal   []Mask
	handles []match[S]
	matches []Match
}

func (g *game[S]) NewBatch(n int) Batch {
	b := &batch[S]{g, make([]S, n), make([]int32, n), make([]Mask, n), make([]match[S], n), make([]Match, n)}
	for i := range n {
		b.seats[i] = Over
		b.handles[i] = match[S]{game: g, s: &b.states[i], seat: &b.seats[i], mask: &b.legal[i]}
		b.matches[i] = &b.handles[i]
	}
	return b
}

// States returns the states of a batch of a game whose states are of type S, [n],
// for encoders that know the game. They must not be written to. The result is nil if b
// is a batch of another game.
func States[S comparable](b Batch) []S {
	if b, ok := b.(*batch[S]); ok {
		return b.states
	}
	return nil
}

func (b *batch[S]) Matches() []Match { return b.matches }
func (b *batch[S]) Seats() []int32   { return b.seats }
func (b *batch[S]) Legal() []Mask    { return b.legal }

func (b *batch[S]) Bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b.states))), len(b.states)*int(unsafe.Sizeof(*new(S))))
}

func (b *batch[S]) Apply(from, to int, actions []int32, skip []bool) int {
	forced := !b.info.ShowForced
	for i := from; i < to; i++ {
		if skip[i] {
			continue
		}
		a := Action(actions[i])
		if !b.legal[i].Has(a) {
			return i
		}
		b.rules.Apply(&b.states[i], a)
		b.seats[i] = b.settle(b.rules, &b.states[i], &b.legal[i], forced)
	}
	return to
}

func (b *batch[S]) Returns(from, to int, dst []float32) {
	p := b.info.Seats
	for i := from; i < to; i++ {
		b.rules.Returns(&b.states[i], dst[i*p:i*p+p:i*p+p])
	}
}
