package policy

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/privateer-rl/privateer/engine"
)

// MostLevels is the most levels that Quantise may leave: those of an int8.
const MostLevels = 127

// Quantise rounds the weights of every layer to whole numbers from −levels to levels times a scale for each row, so that Encode
// writes a file of a fifth of the size (and less with fewer levels), and plays the golden decisions again. The bundle
// must be whole; what it plays changes a little.
func (b *Bundle) Quantise(levels int) error {
	if levels < 1 || levels > MostLevels {
		return fmt.Errorf("%d levels: want 1 to %d", levels, MostLevels)
	}
	if err := b.Check(); err != nil {
		return err
	}
	for i := range b.Weights {
		if t := &b.Weights[i]; len(t.Shape) == 2 {
			packed, err := t.packed(levels)
			if err != nil {
				return err
			}
			if *t, err = packed.expanded(); err != nil {
				return err
			}
		}
	}
	b.levels = levels
	g, err := engine.NewGame(b.Game)
	if err != nil {
		return err
	}
	return b.MakeGolden(g, len(b.Golden.Observation)/b.ObservationSize())
}

// packed is the tensor [rows, columns] as int8 with a scale for each row.
func (t *Tensor) packed(levels int) (Tensor, error) {
	x, err := t.floats(t.Shape)
	if err != nil {
		return Tensor{}, fmt.Errorf("the weights %s: %w", t.Name, err)
	}
	p := Tensor{Name: t.Name, Shape: t.Shape, Data: make([]byte, 0, len(x)), Scale: make([]float32, t.Shape[0])}
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

// expanded is the tensor with numbers again.
func (t *Tensor) expanded() (Tensor, error) {
	if len(t.Shape) != 2 || t.Shape[0] != len(t.Scale) || t.Shape[1] < 1 || t.Shape[1] > mostWidth || len(t.Data) != t.Shape[0]*t.Shape[1] {
		return Tensor{}, fmt.Errorf("the weights %s have the shape %v, %d bytes and %d scales", t.Name, t.Shape, len(t.Data), len(t.Scale))
	}
	x := make([]float32, len(t.Data))
	for i, n := range t.Data {
		x[i] = float32(float32(int8(n)) * t.Scale[i/t.Shape[1]])
	}
	return NewTensor(t.Name, t.Shape, x), nil
}

// pack is the bundle with its weights packed.
func (b *Bundle) pack() (*Bundle, error) {
	packed := *b
	packed.Weights = make([]Tensor, len(b.Weights))
	for i := range b.Weights {
		t := &b.Weights[i]
		packed.Weights[i] = *t
		if len(t.Shape) == 2 {
			p, err := t.packed(b.levels)
			if err != nil {
				return nil, err
			}
			packed.Weights[i] = p
		}
	}
	return &packed, nil
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
		expanded, err := t.expanded()
		if err != nil {
			return err
		}
		*t = expanded
	}
	return nil
}

func deflated(payload []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(payload)
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}

// inflated refuses content that takes so much more room than the file that nobody can have meant it.
func inflated(data []byte) ([]byte, error) {
	most := mostGrowth*len(data) + mostFixed
	payload, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), int64(most)+1))
	if err != nil {
		return nil, errors.New("its content cannot be unpacked")
	}
	if len(payload) > most {
		return nil, fmt.Errorf("its content takes more than %d times the room of the file", mostGrowth)
	}
	return payload, nil
}
