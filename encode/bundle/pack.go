package bundle

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/privateer-rl/privateer/encode/infer"
)

// MostLevels is the most levels that Quantise may leave: those of an int8.
const MostLevels = 127

// Quantise rounds the weights of every layer to whole numbers from −levels to levels times a scale for each row, so that Encode writes
// a file of a fifth of the size (and less with fewer levels), and makes the golden decisions again. The policy changes a little.
func (b *Bundle) Quantise(levels int) error {
	if levels < 1 || levels > MostLevels {
		return fmt.Errorf("%d levels: want 1 to %d", levels, MostLevels)
	}
	if err := b.Check(); err != nil {
		return err
	}
	for i := range b.Weights {
		if t := &b.Weights[i]; len(t.Shape) == 2 {
			packed, err := packed(t, levels)
			if err != nil {
				return err
			}
			if *t, err = expanded(&packed); err != nil {
				return err
			}
		}
	}
	b.levels = levels
	return b.playGoldenAgain()
}

// packed is a tensor [rows, columns] as int8 with a scale for each row.
func packed(t *infer.Tensor, levels int) (infer.Tensor, error) {
	x, err := t.Floats()
	if err != nil {
		return infer.Tensor{}, fmt.Errorf("the weights %s: %w", t.Name, err)
	}
	p := infer.Tensor{Name: t.Name, Shape: t.Shape, Data: make([]byte, 0, len(x)), Scale: make([]float32, t.Shape[0])}
	for r := range p.Scale {
		row := x[r*t.Shape[1] : (r+1)*t.Shape[1]]
		most := 0.0
		for _, v := range row {
			most = max(most, math.Abs(float64(v)))
		}
		p.Scale[r] = float32(most / float64(levels))
		for _, v := range row {
			n := 0.0
			if p.Scale[r] > 0 {
				n = math.RoundToEven(float64(v) / float64(p.Scale[r]))
			}
			p.Data = append(p.Data, byte(int8(n)))
		}
	}
	return p, nil
}

// expanded is a packed tensor with numbers again.
func expanded(t *infer.Tensor) (infer.Tensor, error) {
	if len(t.Shape) != 2 || t.Shape[0] != len(t.Scale) || t.Shape[1] < 1 || t.Shape[1] > infer.MostWidth || len(t.Data) != t.Shape[0]*t.Shape[1] {
		return infer.Tensor{}, fmt.Errorf("the weights %s have the shape %v, %d bytes and %d scales", t.Name, t.Shape, len(t.Data), len(t.Scale))
	}
	x := make([]float32, len(t.Data))
	for i, n := range t.Data {
		x[i] = float32(float32(int8(n)) * t.Scale[i/t.Shape[1]])
	}
	return infer.NewTensor(t.Name, t.Shape, x), nil
}

// Keep sets to zero the weights of the bytes of observations, [D], and of rows, [F], that are not to be kept, and makes the golden
// decisions again.
func (b *Bundle) Keep(obs, rows []bool) error {
	for i := range b.Weights {
		switch t := &b.Weights[i]; t.Name {
		case "trunk.0.linear.weight":
			keep(t.Data, obs)
		case "rows.0.weight":
			keep(t.Data, rows)
		}
	}
	return b.playGoldenAgain()
}

// keep sets to zero the columns of weights, [outputs, columns], that are not to be kept.
func keep(data []byte, columns []bool) {
	for i := range len(data) / 4 {
		if !columns[i%len(columns)] {
			clear(data[4*i : 4*i+4])
		}
	}
}

// pack is the bundle with its weights packed.
func (b *Bundle) pack() (*Bundle, error) {
	small := *b
	small.Weights = make([]infer.Tensor, len(b.Weights))
	for i := range b.Weights {
		t := &b.Weights[i]
		small.Weights[i] = *t
		if len(t.Shape) == 2 {
			p, err := packed(t, b.levels)
			if err != nil {
				return nil, err
			}
			small.Weights[i] = p
		}
	}
	return &small, nil
}

// unpack gives the bundle numbers for weights. It notes the levels that they had.
func (b *Bundle) unpack() error {
	for i := range b.Weights {
		t := &b.Weights[i]
		if len(t.Scale) == 0 {
			continue
		}
		for _, n := range t.Data {
			b.levels = max(b.levels, min(max(int(int8(n)), -int(int8(n))), MostLevels))
		}
		whole, err := expanded(t)
		if err != nil {
			return err
		}
		*t = whole
	}
	return nil
}

// deflated is small, but not so small that a reader refuses it: without back references every byte takes at least a bit.
func deflated(payload []byte) ([]byte, error) {
	small, err := deflatedAt(flate.BestCompression, payload)
	if err == nil && len(payload) > mostInflated(small) {
		return deflatedAt(flate.HuffmanOnly, payload)
	}
	return small, err
}

func deflatedAt(level int, payload []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err == nil {
		_, err = w.Write(payload)
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}

// mostInflated is how many bytes deflated content may take when it is unpacked.
func mostInflated(data []byte) int { return mostGrowth*len(data) + mostFixed }

// inflated refuses content that is implausibly much larger than the file.
func inflated(data []byte) ([]byte, error) {
	most := mostInflated(data)
	payload, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), int64(most)+1))
	if err != nil {
		return nil, errors.New("its content cannot be unpacked")
	}
	if len(payload) > most {
		return nil, fmt.Errorf("its content takes more than %d times the size of the file", mostGrowth)
	}
	return payload, nil
}
