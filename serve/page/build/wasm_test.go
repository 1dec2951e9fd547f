package main

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

// program is WebAssembly with a section of the linker's own and one of data.
func program(segments ...segment) []byte {
	data := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, s := range segments {
		data = append(appendSigned(append(data, 0, 0x41), s.at), 0x0b)
		data = append(binary.AppendUvarint(data, uint64(len(s.data))), s.data...)
	}
	out := append([]byte("\x00asm\x01\x00\x00\x00"), 0, 3, 1, 'x', 7)
	out = append(out, dataSection)
	return append(binary.AppendUvarint(out, uint64(len(data))), data...)
}

func TestSegmentsAreJoinedWhereLittleIsBetweenThem(t *testing.T) {
	got, err := joined(program(segment{60, []byte("ab")}, segment{64, []byte("c")}, segment{65, []byte("d")}, segment{66 + nothing, []byte("e")}, segment{8, []byte("f")}, segment{1 << 31, []byte("g")}))
	want := program(segment{60, []byte("ab\x00\x00cd")}, segment{66 + nothing, []byte("e")}, segment{8, []byte("f")}, segment{1 << 31, []byte("g")})
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%x: want %x: %v", got, want, err)
	}
	if again, err := joined(got); err != nil || !bytes.Equal(again, got) {
		t.Errorf("joined again it is %x: %v", again, err)
	}
}

func TestNumbersOfWebAssemblyAreReadAsWritten(t *testing.T) {
	for _, x := range []uint32{0, 1, 63, 64, 127, 128, 8191, 8192, 1 << 20, 1<<27 - 1, 1 << 27, 1 << 28, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1<<32 - 65} {
		if r := (reader{appendSigned(nil, x), nil}); r.signed() != x || r.err != nil || len(r.left) > 0 {
			t.Errorf("%d: %d bytes are left: %v", x, len(r.left), r.err)
		}
	}
}

func TestWhatIsNoWholeWebAssemblyIsRefused(t *testing.T) {
	whole := program(segment{60, []byte("ab")}, segment{64, []byte("c")})
	for n := range len(whole) {
		if _, err := joined(whole[:n]); err == nil && n != 8 && n != 13 { // where a section ends
			t.Errorf("its first %d bytes are taken", n)
		}
	}
	other := slices.Clone(whole)
	other[bytes.Index(other, []byte{0, 0x41})] = 1
	if _, err := joined(other); err == nil {
		t.Error("a passive segment is taken for one that is placed")
	}
}
