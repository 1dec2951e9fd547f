package policy

import "fmt"

// entity scores a legal action by the row that says what it does; Network describes the computation.
type entity struct {
	rows       []layer
	activation func(x []float32)
	context    layer // [2E] of the candidates, their mean and the largest of each number, to [E]
	query      layer // of the state, to [E]
	direct     layer // of the state, to [E]
	embed      layer // [E] to [E]
	score      []float32
}

func newEntity(b *Bundle, n *network, w *weights, last int) *entity {
	e := &entity{activation: n.activation}
	in := size(b.Row)
	for i, out := range b.Network.RowHidden {
		prefix := fmt.Sprintf("rows.%d.", i)
		e.rows = append(e.rows, w.layer(prefix+"weight", prefix+"bias", in, out))
		in = out
	}
	e.context = w.layer("context.weight", "", 2*in, in)
	e.query = w.layer("query.weight", "query.bias", last, in)
	e.direct = w.layer("direct.weight", "", last, in)
	e.embed = w.layer("embed.weight", "", in, in)
	e.score = w.take("score.weight", 1, in)
	if w.failed == nil {
		e.rows[0].rescale(b.Row)
	}
	return e
}

// room is for the embeddings and what they have in common, the query, the direct weights and what an embedding meets.
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
	query, direct, met := cut(&room, width), cut(&room, width), cut(&room, width)

	used := nonzero(x, p.used)
	e.query.linear(x, used, query)
	e.direct.linear(x, used, direct)
	for i := range n {
		f := len(rows) / n
		e.embedding(p, rows[i*f:(i+1)*f], embedded[i*width:(i+1)*width])
	}
	pool(embedded, common)
	addColumns(query, e.context.weight, common, nonzero(common, p.used))
	for i := range n {
		one := embedded[i*width : (i+1)*width]
		copy(met, query)
		addColumns(met, e.embed.weight, one, nonzero(one, p.used))
		e.activation(met)
		out[i] = dot(e.score, met) + dot(direct, one)
	}
}

// embedding is what the network makes of a row.
func (e *entity) embedding(p *Inference, row []uint8, out []float32) {
	x, y := p.x, p.y
	used := unpack(row, x, p.used)
	for k := range e.rows {
		l := &e.rows[k]
		to := y[:l.out]
		if k == len(e.rows)-1 {
			to = out
		}
		l.linear(x, used, to)
		e.activation(to)
		if k < len(e.rows)-1 {
			used = nonzero(to, p.used)
		}
		x, y = y, x
	}
}

// pool writes the mean of vectors, and after it the largest of each of their numbers.
func pool(vectors, out []float32) {
	width := len(out) / 2
	mean, most := out[:width], out[width:]
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
