package env

import "fmt"

// Buffers are memory of the caller's for the wide arrays of a Batch, which the workers then fill
// themselves: nothing is copied on the way to wherever the memory is read.
type Buffers struct {
	Obs    []uint8 // [n, D]
	Full   []uint8 // [n, F]; nil unless Config.Full
	Mask   []uint8 // [n, A]; nil with MaskPacked
	Packed []uint8 // [n, ⌈A/8⌉]; nil with MaskBytes
}

// Into has the next call that shows rows, and those after it, write into memory of the caller's instead
// of the vector's own. What was shown before stays where it is, so that with two Buffers in turn the last batch can
// be read while the next one is made. The vector reads nothing of it. Parts, and Send and Recv, have
// batches that cannot be moved: Into is an error once one of them has been used.
func (v *Vec) Into(to Buffers) error {
	switch err := v.idle(); {
	case err != nil:
		return err
	case v.parts != nil || v.async != nil:
		return fmt.Errorf("env: Parts, Send and Recv have batches elsewhere: use a vector of its own for Into")
	}
	b := &v.batch
	for _, buffer := range []struct {
		name      string
		have, got []uint8
	}{{"Obs", b.Obs, to.Obs}, {"Full", b.Full, to.Full}, {"Mask", b.Mask, to.Mask}, {"Packed", b.Packed, to.Packed}} {
		if len(buffer.got) != len(buffer.have) {
			return fmt.Errorf("env: a buffer of %d bytes for %s: want %d", len(buffer.got), buffer.name, len(buffer.have))
		}
	}
	b.Obs, b.Full, b.Mask, b.Packed = to.Obs, to.Full, to.Mask, to.Packed
	v.blank = true
	return nil
}
