package encode

import (
	"fmt"
)

// Floats turns observations into float32 features, byte · scale: src is [n, Size] and
// dst has as many values, in the same order. It allocates nothing if the schema is
// an encoder's.
func (s *Schema) Floats(dst []float32, src []uint8) error {
	if s.Size < 1 || len(src)%s.Size != 0 || len(dst) != len(src) {
		return fmt.Errorf("observations of %s (%s view): %d bytes into %d values: want as many values as bytes, and a multiple of %d", s.Game, s.View, len(src), len(dst), s.Size)
	}
	scales := s.scales
	if scales == nil { // of a schema that was read from a file
		scales = s.Scales()
	}
	for len(src) > 0 {
		// Most features are zero, yet skipping them is slower: such branches cannot
		// be predicted.
		from, to := src[:len(scales)], dst[:len(scales)]
		for i, scale := range scales {
			to[i] = float32(float32(from[i]) * scale)
		}
		dst, src = dst[len(scales):], src[len(scales):]
	}
	return nil
}
