package infer

import "fmt"

// entity scores a legal action by the row that describes it; see Network.
type entity struct {
	rows       []layer
	activation func(x []float32)
	floor      bool  // as in Net
	context    layer // [2E] of the candidates, their mean and the largest of each number, to [E]
	state      layer // of the state, to [2E]: the query, and the direct weights
	embed      layer // [E] to [E]
	score      []float32
}

func newEntity(m *Model, n *Net, w *weights, last int) *entity {
	e := &entity{activation: n.activation, floor: n.floor}
	in := Size(m.Row)
	for i, out := range m.RowHidden {
		prefix := fmt.Sprintf("rows.%d.", i)
		e.rows = append(e.rows, w.layer(prefix+"weight", prefix+"bias", in, out))
		in = out
	}
	e.context = w.layer("context.weight", "", 2*in, in)
	query, direct := w.layer("query.weight", "query.bias", last, in), w.layer("direct.weight", "", last, in)
	e.embed = w.layer("embed.weight", "", in, in)
	e.score = w.take("score.weight", 1, in)
	if w.failed == nil {
		e.rows[0].rescale(m.Row)
		e.state = beside(query, direct)
	}
	return e
}

// beside joins two layers of the same inputs.
func beside(a, b layer) layer {
	l := layer{in: a.in, out: a.out + b.out, bias: make([]float32, a.out+b.out)}
	copy(l.bias, a.bias)
	copy(l.bias[a.out:], b.bias)
	for i := range l.in {
		l.weight = append(append(l.weight, a.weight[i*a.out:(i+1)*a.out]...), b.weight[i*b.out:(i+1)*b.out]...)
	}
	return l
}

// room is for the embeddings, their mean and largest, the query, the direct weights and one hidden vector.
func (e *entity) room(actions int) int { return (actions + 5) * e.embed.in }

func (e *entity) scores(p *Inference, x []float32, legal []int32, rows []uint8, out []float32) {
	width, n := e.embed.in, len(legal)
	cut := func(from *[]float32, size int) []float32 {
		part := (*from)[:size]
		*from = (*from)[size:]
		return part
	}
	room := p.room
	embedded, common := cut(&room, n*width), cut(&room, 2*width)
	state, met := cut(&room, 2*width), cut(&room, width)
	query, direct := state[:width], state[width:]

	p.linear(&e.state, x, e.state.bias, state, false)
	for i := range n {
		f := len(rows) / n
		e.embedding(p, rows[i*f:(i+1)*f], embedded[i*width:(i+1)*width])
	}
	pool(embedded, common)
	p.linear(&e.context, common, query, query, false)
	for i := range n {
		one := embedded[i*width : (i+1)*width]
		p.linear(&e.embed, one, query, met, e.floor)
		if !e.floor {
			e.activation(met)
		}
		out[i] = dot(e.score, met) + dot(direct, one)
	}
}

// embedding computes that of a row.
func (e *entity) embedding(p *Inference, row []uint8, out []float32) {
	x, y := p.x, p.y
	for k := range e.rows {
		l := &e.rows[k]
		to := y[:l.out]
		if k == len(e.rows)-1 {
			to = out
		}
		if k == 0 {
			p.linearOfBytes(l, row, x, to, e.floor)
		} else {
			p.linear(l, x[:l.in], l.bias, to, e.floor)
		}
		if !e.floor {
			e.activation(to)
		}
		x, y = y, x
	}
}

// pool writes the mean of vectors, then the largest of each of their numbers.
func pool(vectors, out []float32) {
	width := len(out) / 2
	mean, most := out[:width], out[width:]
	if poolFast(vectors, mean, most) {
		return
	}
	copy(mean, vectors)
	copy(most, vectors)
	n := len(vectors) / width
	for ; len(vectors) > width; vectors = vectors[width:] {
		for i, v := range vectors[width : 2*width] {
			mean[i] += v
			most[i] = max(most[i], v)
		}
	}
	for i := range mean {
		mean[i] /= float32(n)
	}
}
