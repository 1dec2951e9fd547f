package durable

import (
	"encoding/binary"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sealSize is the number of bytes of a seal.
const sealSize = 4

// Seal appends the CRC-32C of b to it, little-endian.
func Seal(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// Unseal returns what was sealed, and false where it was altered or cut short.
func Unseal(sealed []byte) (b []byte, ok bool) {
	n := len(sealed) - sealSize
	if n < 0 {
		return nil, false
	}
	b = sealed[:n]
	return b, crc32.Checksum(b, castagnoli) == binary.LittleEndian.Uint32(sealed[n:])
}
