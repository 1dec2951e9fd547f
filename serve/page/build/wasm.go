package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Go's linker leaves zeros out of a program's data: in 100,000 segments, whose heads are a quarter of it and pack badly, where the zeros would
// pack to nothing.

const (
	dataSection = 11
	// nothing is how many zeros in a row are left out all the same. Memory begins as zeros, so that it makes no difference to the program.
	nothing = 4096
)

// segment is a piece of the memory that a program begins with.
type segment struct {
	at   uint32
	data []byte
}

// joined is a program in WebAssembly with the segments of its data joined where little is between them.
func joined(program []byte) ([]byte, error) {
	const head = 8 // the magic number and the version
	if !bytes.HasPrefix(program, []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, errors.New("it is no WebAssembly of version 1")
	}
	out := bytes.Clone(program[:head])
	for r := (reader{program[head:], nil}); len(r.left) > 0; {
		id := r.byte()
		section := r.bytes(r.number())
		if r.err == nil && id == dataSection {
			section, r.err = joinedData(section)
		}
		if r.err != nil {
			return nil, r.err
		}
		out = append(out, id)
		out = append(binary.AppendUvarint(out, uint64(len(section))), section...)
	}
	return out, nil
}

// joinedData is the section of the data: how many segments there are, and of each a zero for the one memory, where it begins as a constant of
// 32 bits, and the bytes.
func joinedData(section []byte) ([]byte, error) {
	const memory, constant, end = 0x00, 0x41, 0x0b
	r := reader{section, nil}
	var all []segment
	for range r.number() {
		if a, b := r.byte(), r.byte(); a != memory || b != constant {
			return nil, fmt.Errorf("a segment of data begins with %x %x: want %x %x", a, b, memory, constant)
		}
		at := r.signed()
		if r.byte() != end || r.err != nil {
			return nil, errors.Join(errors.New("a segment of data is not placed by a constant"), r.err)
		}
		data := r.bytes(r.number())
		if n := len(all); n > 0 {
			last := &all[n-1]
			if gap := int64(at) - int64(last.at) - int64(len(last.data)); gap >= 0 && gap < nothing {
				last.data = append(append(last.data, make([]byte, gap)...), data...)
				continue
			}
		}
		all = append(all, segment{at, bytes.Clone(data)})
	}
	if r.err != nil {
		return nil, r.err
	}
	out := binary.AppendUvarint(nil, uint64(len(all)))
	for _, s := range all {
		out = appendSigned(append(out, memory, constant), s.at)
		out = binary.AppendUvarint(append(out, end), uint64(len(s.data)))
		out = append(out, s.data...)
	}
	return out, nil
}

// reader reads WebAssembly. After an error all it reads is zero.
type reader struct {
	left []byte
	err  error
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.left)) {
		r.left, r.err = nil, errors.New("the WebAssembly ends too early")
		return nil
	}
	b := r.left[:n]
	r.left = r.left[n:]
	return b
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// number is an unsigned one, in groups of 7 bits.
func (r *reader) number() uint64 {
	x, n := binary.Uvarint(r.left)
	if n <= 0 {
		n = len(r.left) + 1 // which fails
	}
	r.bytes(uint64(n))
	return x
}

// signed is a constant of 32 bits: its last group is extended by its sign.
func (r *reader) signed() uint32 {
	var x uint32
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		x |= uint32(b&0x7f) << shift
		if b&0x80 == 0 {
			if b&0x40 != 0 && shift < 28 {
				x |= ^uint32(0) << (shift + 7)
			}
			break
		}
	}
	return x
}

func appendSigned(out []byte, x uint32) []byte {
	for v := int32(x); ; {
		b := byte(v & 0x7f)
		if v >>= 7; v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}
