package encode

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Floats turns observations into float32 features, byte · scale: src is [n, Size] and
// dst has as many values, in the same order. Most features of an observation are
// zero, which it makes use of. It allocates nothing where the schema is an encoder's.
func (s *Schema) Floats(dst []float32, src []uint8) error {
	if s.Size < 1 || len(src)%s.Size != 0 || len(dst) != len(src) {
		return fmt.Errorf("observations of %s (%s view): %d bytes into %d values: want as many values as bytes, and a multiple of %d", s.Game, s.View, len(src), len(dst), s.Size)
	}
	clear(dst)
	scales := s.scales
	if scales == nil { // of a schema that was read from a file
		scales = s.Scales()
	}
	for len(src) > 0 {
		floatRow(dst[:len(scales)], src[:len(scales)], scales)
		dst, src = dst[len(scales):], src[len(scales):]
	}
	return nil
}

// floatRow fills in what is not zero in one observation.
func floatRow(dst []float32, src []uint8, scales []float32) {
	i := 0
	for ; i+8 <= len(src); i += 8 {
		for w := binary.LittleEndian.Uint64(src[i:]); w != 0; {
			k := bits.TrailingZeros64(w) / 8
			dst[i+k] = float32(src[i+k]) * scales[i+k]
			w &^= 0xff << (8 * k)
		}
	}
	for ; i < len(src); i++ {
		dst[i] = float32(src[i]) * scales[i]
	}
}
