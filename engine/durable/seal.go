package durable

import (
	"encoding/binary"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sealSize is the number of bytes of a seal.
const sealSize = 4

// Checksum continues the CRC-32C of everything before, 0 at the beginning, with b.
func Checksum(before uint32, b []byte) uint32 { return crc32.Update(before, castagnoli, b) }

// Seal appends the checksum of b to it, little-endian.
func Seal(b []byte) []byte { return binary.LittleEndian.AppendUint32(b, Checksum(0, b)) }

// Unseal returns what was sealed, and false if it was altered or cut short.
func Unseal(sealed []byte) (b []byte, ok bool) {
	n := len(sealed) - sealSize
	if n < 0 {
		return nil, false
	}
	b = sealed[:n]
	return b, Checksum(0, b) == binary.LittleEndian.Uint32(sealed[n:])
}
