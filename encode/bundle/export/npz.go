package export

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/infer"
)

// Tensors are a policy's weights by the names of FORMAT.md, and the scales of the bytes that it reads:
// observation_scale, [D], and row_scale, [F], if it reads what actions do.
func Tensors(b *bundle.Bundle) []infer.Tensor {
	all := append([]infer.Tensor{}, b.Weights...)
	all = append(all, infer.Tensor{Name: "observation_scale", Shape: []int{b.ObservationSize()}, Data: scales(b.Observation)})
	if b.ReadsActions() {
		all = append(all, infer.Tensor{Name: "row_scale", Shape: []int{b.RowSize()}, Data: scales(b.Row)})
	}
	return all
}

// NPZ writes tensors as a file of numpy.load: a zip archive, not compressed, with a file of the format npy
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html) for each.
func NPZ(tensors []infer.Tensor) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, t := range tensors {
		w, err := z.CreateHeader(&zip.FileHeader{Name: t.Name + ".npy", Method: zip.Store})
		if err != nil {
			return nil, fmt.Errorf("export numpy: %w", err)
		}
		if _, err := w.Write(npy(t)); err != nil {
			return nil, fmt.Errorf("export numpy: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("export numpy: %w", err)
	}
	return out.Bytes(), nil
}

// npy is a tensor of float32 with the header that says so.
func npy(t infer.Tensor) []byte {
	shape := strings.ReplaceAll(strings.Trim(fmt.Sprint(t.Shape), "[]"), " ", ", ")
	if len(t.Shape) == 1 {
		shape += ","
	}
	const magic, align = "\x93NUMPY\x01\x00", 64
	header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }", shape)
	before := len(magic) + 2
	header += strings.Repeat(" ", align-1-(before+len(header))%align) + "\n"
	out := append([]byte(magic), 0, 0)
	binary.LittleEndian.PutUint16(out[len(magic):], uint16(len(header)))
	return append(append(out, header...), t.Data...)
}
