package learner

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// The safetensors format: a little-endian uint64 with the length of a JSON header, the header, then the numbers of all tensors end to
// end. The header maps names to type, shape and place, and "__metadata__" to strings. https://huggingface.co/docs/safetensors

const (
	safetensorsMetadata  = "__metadata__"
	safetensorsMaxHeader = 100 << 20 // the limit of the reference reader
)

type safetensorsEntry struct {
	Dtype   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// WriteSafetensors writes float32 tensors, sorted by name, with metadata that may be nil. Equal tensors make equal files.
func WriteSafetensors(w io.Writer, tensors []Tensor, metadata map[string]string) error {
	tensors = slices.Clone(tensors)
	slices.SortFunc(tensors, func(a, b Tensor) int { return strings.Compare(a.Name, b.Name) })

	header := make(map[string]any, len(tensors)+1)
	if metadata != nil {
		header[safetensorsMetadata] = metadata
	}
	offset := 0
	for _, t := range tensors {
		if _, taken := header[t.Name]; taken || t.Name == safetensorsMetadata {
			return fmt.Errorf("learner: writing safetensors: the name %q is taken", t.Name)
		}
		if n, err := shapeSize(t.Shape); err != nil || n != len(t.Data) {
			return fmt.Errorf("learner: writing safetensors: %q of shape %v has %d numbers", t.Name, t.Shape, len(t.Data))
		}
		end := offset + 4*len(t.Data)
		shape := t.Shape
		if shape == nil {
			shape = []int{} // a scalar, which JSON must not call null
		}
		header[t.Name] = safetensorsEntry{"F32", shape, [2]int{offset, end}}
		offset = end
	}
	js, err := json.Marshal(header)
	if err != nil {
		return fmt.Errorf("learner: writing safetensors: %w", err)
	}
	// Spaces align the numbers to 8 bytes for readers that map the file.
	js = append(js, bytes.Repeat([]byte{' '}, (8-len(js)%8)%8)...)

	buf := make([]byte, 0, 8+len(js)+offset)
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(js)))
	buf = append(buf, js...)
	for _, t := range tensors {
		for _, x := range t.Data {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(x))
		}
	}
	if _, err := w.Write(buf); err != nil {
		return fmt.Errorf("learner: writing safetensors: %w", err)
	}
	return nil
}

// ReadSafetensors reads a file of float32 tensors to its end and returns them sorted by name. It refuses tensors that overlap, leave gaps
// or reach past the end.
func ReadSafetensors(r io.Reader) ([]Tensor, map[string]string, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, fmt.Errorf("learner: reading safetensors: %w", err)
	}
	tensors, metadata, err := parseSafetensors(data)
	if err != nil {
		return nil, nil, fmt.Errorf("learner: reading safetensors: %w", err)
	}
	return tensors, metadata, nil
}

func parseSafetensors(data []byte) ([]Tensor, map[string]string, error) {
	if len(data) < 8 {
		return nil, nil, errors.New("shorter than its 8-byte length field")
	}
	size := binary.LittleEndian.Uint64(data)
	data = data[8:]
	if size > safetensorsMaxHeader || size > uint64(len(data)) {
		return nil, nil, fmt.Errorf("header of %d bytes in a file with %d more", size, len(data))
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(data[:size], &header); err != nil {
		return nil, nil, fmt.Errorf("header: %w", err)
	}
	data = data[size:]

	var metadata map[string]string
	if raw, ok := header[safetensorsMetadata]; ok {
		if err := json.Unmarshal(raw, &metadata); err != nil {
			return nil, nil, fmt.Errorf("metadata: %w", err)
		}
		delete(header, safetensorsMetadata)
	}
	type placed struct {
		name  string
		entry safetensorsEntry
	}
	entries := make([]placed, 0, len(header))
	for name, raw := range header {
		p := placed{name: name}
		if err := json.Unmarshal(raw, &p.entry); err != nil {
			return nil, nil, fmt.Errorf("entry %q: %w", name, err)
		}
		entries = append(entries, p)
	}
	slices.SortFunc(entries, func(a, b placed) int {
		return cmp.Or(slices.Compare(a.entry.Offsets[:], b.entry.Offsets[:]), strings.Compare(a.name, b.name))
	})

	tensors := make([]Tensor, 0, len(entries))
	end := 0
	for _, p := range entries {
		t, err := p.entry.tensor(p.name, data, end)
		if err != nil {
			return nil, nil, err
		}
		tensors = append(tensors, t)
		end = p.entry.Offsets[1]
	}
	if end != len(data) {
		return nil, nil, fmt.Errorf("%d bytes belong to no tensor", len(data)-end)
	}
	slices.SortFunc(tensors, func(a, b Tensor) int { return strings.Compare(a.Name, b.Name) })
	return tensors, metadata, nil
}

// tensor decodes an entry whose numbers must start at the given offset.
func (e safetensorsEntry) tensor(name string, data []byte, start int) (Tensor, error) {
	if e.Dtype != "F32" {
		return Tensor{}, fmt.Errorf("tensor %q has type %q, only F32 is read", name, e.Dtype)
	}
	n, err := shapeSize(e.Shape)
	if err != nil {
		return Tensor{}, fmt.Errorf("tensor %q: %w", name, err)
	}
	if e.Offsets[0] != start || e.Offsets[1] < start || e.Offsets[1] > len(data) || e.Offsets[1]-start != 4*n {
		return Tensor{}, fmt.Errorf("tensor %q of shape %v lies at %v, want %d bytes from %d and %d in all", name, e.Shape, e.Offsets, 4*n, start, len(data))
	}
	t := Tensor{Name: name, Shape: e.Shape, Data: make([]float32, n)}
	for i := range t.Data {
		t.Data[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[start+4*i:]))
	}
	return t, nil
}

// shapeSize multiplies a shape out, refusing sizes that no tensor in memory can have.
func shapeSize(shape []int) (int, error) {
	n := 1
	for _, d := range shape {
		if d < 0 || (d > 0 && n > math.MaxInt32/d) {
			return 0, fmt.Errorf("shape %v is negative or too large", shape)
		}
		n *= d
	}
	return n, nil
}
