package engine

import (
	"encoding/binary"
	"fmt"
	"unsafe"
)

// Frame is one entry of a decision stack: what is to be done or decided next, by
// whom, with a few small arguments whose meaning belongs to the kind. Games number
// their kinds from 1; the zero frame is no frame.
type Frame[K ~uint8] struct {
	Kind K
	Seat int8
	Arg  [6]int8
}

// NewFrame composes a frame in a register: if it were written to memory byte by byte,
// reading it as a whole right after would stall.
func NewFrame[K ~uint8](k K, seat int, args ...int) (f Frame[K]) {
	w := uint64(k) | uint64(uint8(seat))<<8
	for i, a := range args {
		w |= uint64(uint8(a)) << (16 + 8*i)
	}
	binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Pointer(&f))[:], w)
	return f
}

// Room is what a stack keeps its frames in: an array as long as the game needs, so
// that its states stay flat and small.
type Room[K ~uint8] interface {
	[8]Frame[K] | [16]Frame[K] | [24]Frame[K] | [32]Frame[K] | [48]Frame[K] | [64]Frame[K] | [96]Frame[K] | [128]Frame[K]
}

// Stack is a decision stack inside a state: what is left to do, the next on top.
// Frames beyond Depth are zero, so that equal stacks are equal bytes.
type Stack[K ~uint8, R Room[K]] struct {
	Depth  uint8 // frames on the stack
	Frames R
}

// Top is the next frame; the zero frame when nothing is left.
func (s *Stack[K, R]) Top() Frame[K] {
	if s.Depth == 0 {
		return Frame[K]{}
	}
	return s.Frames[s.Depth-1]
}

// Next is the kind of the next frame; 0 when nothing is left.
func (s *Stack[K, R]) Next() K {
	if s.Depth == 0 {
		return 0
	}
	return s.Frames[s.Depth-1].Kind
}

// Edit is the next frame, to be changed. There must be one.
func (s *Stack[K, R]) Edit() *Frame[K] { return &s.Frames[s.Depth-1] }

// Push makes a frame the next one. A full stack is a defect of the game: it panics.
func (s *Stack[K, R]) Push(f Frame[K]) {
	if int(s.Depth) == len(s.Frames) {
		panic("engine: the decision stack is full")
	}
	s.Frames[s.Depth] = f
	s.Depth++
}

// Take takes the next frame, which must be of a kind, off the stack: another kind is a defect of the game,
// and panics.
func (s *Stack[K, R]) Take(k K) Frame[K] {
	if s.Next() != k {
		panic(fmt.Sprintf("engine: %v is to be taken off the decision stack, but %v is next", k, s.Next()))
	}
	return s.Pop()
}

// Pop takes the next frame off the stack. There must be one.
func (s *Stack[K, R]) Pop() Frame[K] {
	s.Depth--
	f := s.Frames[s.Depth]
	s.Frames[s.Depth] = Frame[K]{}
	return f
}
