package policy

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/bots"
)

// MostLevels is the most levels that Quantise may leave: those of an int8.
const MostLevels = 127

// Compact makes the bundle small enough to lie in a page or a program: with few levels, and without what it never met in the
// games of its training.
func (b *Bundle) Compact(games []string) error {
	if _, _, err := b.Prune(games, 200); err != nil {
		return err
	}
	return b.Quantise(31)
}

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
	b.levels, b.digest = levels, ""
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

// deflated is small, but not so small that a reader refuses it: without matches every byte takes a bit at least.
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

// inflated refuses content that takes so much more room than the file that nobody can have meant it.
func inflated(data []byte) ([]byte, error) {
	most := mostInflated(data)
	payload, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), int64(most)+1))
	if err != nil {
		return nil, errors.New("its content cannot be unpacked")
	}
	if len(payload) > most {
		return nil, fmt.Errorf("its content takes more than %d times the room of the file", mostGrowth)
	}
	return payload, nil
}

// Prune sets to zero the weights of what the network reads that was zero at every decision of so many matches of each of the
// games: of all that it was trained on, since what training never met, it has not learnt to read. The bots of a game and the
// policy itself play them. It returns how many bytes of observations and rows are left, and of how many.
func (b *Bundle) Prune(games []string, matches int) (left, of int, err error) {
	g, err := engine.NewGame(b.Game)
	if err != nil {
		return 0, 0, err
	}
	if err := b.Check(); err != nil {
		return 0, 0, err
	}
	met := &meeting{obs: make([]bool, b.ObservationSize()), rows: make([]bool, size(b.Row))}
	for _, game := range games {
		if err := met.play(b, game, matches); err != nil {
			return 0, 0, err
		}
	}
	for i := range b.Weights {
		switch t := &b.Weights[i]; t.Name {
		case "trunk.0.linear.weight":
			t.keep(met.obs)
		case "rows.0.weight":
			t.keep(met.rows)
		}
	}
	for _, is := range slices.Concat(met.obs, met.rows) {
		if of++; is {
			left++
		}
	}
	b.digest = ""
	return left, of, b.MakeGolden(g, len(b.Golden.Observation)/b.ObservationSize())
}

// meeting notes which inputs of a policy are ever other than zero.
type meeting struct{ obs, rows []bool }

// play lets a policy and the bots of a game play matches of it.
func (p *meeting) play(b *Bundle, game string, matches int) error {
	g, err := engine.NewGame(game)
	if err != nil {
		return err
	}
	own, err := b.Bot("policy", g)
	if err != nil {
		return err
	}
	players := []bots.Bot{own}
	for _, name := range bots.Names(g) {
		other, err := bots.New(name, g)
		if err != nil {
			return err
		}
		players = append(players, other)
	}
	m, r := g.NewMatch(), engine.NewRand(1)
	for i := range matches {
		m.Reset(uint64(i))
		for k := i; m.Seat() >= 0; k++ {
			p.see(own, m)
			if err := m.Apply(players[(k+m.Seat())%len(players)].Act(m, &r)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *meeting) see(bot *Bot, m engine.Match) {
	bot.score(m, m.Legal())
	for i, x := range bot.obs {
		p.obs[i] = p.obs[i] || x != 0
	}
	if len(p.rows) == 0 {
		return
	}
	for i, x := range bot.rows[:m.Legal().Count()*len(p.rows)] {
		k := i % len(p.rows)
		p.rows[k] = p.rows[k] || x != 0
	}
}

// keep sets to zero the columns that are not to be kept.
func (t *Tensor) keep(columns []bool) {
	for i := range len(t.Data) / 4 {
		if !columns[i%len(columns)] {
			clear(t.Data[4*i : 4*i+4])
		}
	}
}
