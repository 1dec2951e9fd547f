package dataset

import (
	"bytes"
	"math"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/snappy"

	"github.com/privateer-rl/privateer/env/match"
)

// groupRows is after how many rows a row group ends, with the match that is being written: what a reader decodes at a time.
const groupRows = 1 << 14

// codec is Snappy, which every reader of Parquet knows, and twice as fast as Zstandard. The library's own encoder looks for more matches,
// at half the speed, and saves a tenth.
type codec struct{ *snappy.Codec }

func (codec) Encode(to, data []byte) ([]byte, error) { return s2.EncodeSnappy(to[:cap(to)], data), nil }

// columns are the columns in their order.
type columns struct {
	parquet.Group
	order []string
}

// Fields returns the fields of the group in the order of the columns.
func (c columns) Fields() []parquet.Field {
	fields := c.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(c.order, a.Name()) - slices.Index(c.order, b.Name())
	})
	return fields
}

// schema is that of the files.
func (s *shape) schema() *parquet.Schema {
	c := columns{Group: parquet.Group{}}
	add := func(name string, n parquet.Node) {
		c.Group[name], c.order = parquet.Encoded(n, &parquet.Plain), append(c.order, name)
	}
	bytesOf := func(n int) parquet.Node { return parquet.Leaf(parquet.FixedLenByteArrayType(n)) }
	float := parquet.Leaf(parquet.FloatType)
	add("match", parquet.Int(32))
	add("seed", parquet.Uint(64))
	add("step", parquet.Int(32))
	add("seat", parquet.Int(8))
	add("player", parquet.Int(16))
	add("observation", bytesOf(s.observation))
	add("mask", bytesOf(s.mask))
	add("legal", parquet.Int(16))
	add("action", parquet.Int(16))
	if s.random > 0 {
		add("choice", parquet.Int(16))
	}
	add("probability", float)
	add("reward", float)
	add("return", float)
	add("terminated", parquet.Leaf(parquet.BooleanType))
	add("truncated", parquet.Leaf(parquet.BooleanType))
	if s.row > 0 {
		add("rows", parquet.Leaf(parquet.ByteArrayType))
	}
	for _, name := range []string{"values", "probabilities"} {
		c.Group[name], c.order = parquet.Optional(parquet.List(float)), append(c.order, name)
	}
	return parquet.NewSchema("decision", c)
}

// part writes the matches of a file in the order of their numbers, in which they need not end.
type part struct {
	shape   *shape
	schema  *parquet.Schema
	writer  *parquet.GenericWriter[any]
	columns []*parquet.ColumnWriter
	to      bytes.Buffer

	mu      sync.Mutex
	waiting map[int]*record // that have ended, but not all before them
	free    []*record
	next    int // match to be written
	rows    int // in the row group
	total   int // rows

	scratch []parquet.Value
}

func newPart(s *shape) *part { return &part{shape: s, schema: s.schema(), waiting: map[int]*record{}} }

// begin begins a file with match first. Each has a writer of its own: one that is reset writes other bytes than a new one.
func (p *part) begin(first int, version string, metadata map[string]string) {
	p.to.Reset()
	options := []parquet.WriterOption{
		p.schema, parquet.CreatedBy("privateer", version, ""), parquet.Compression(codec{&snappy.Codec{}}),
		parquet.PageBufferSize(1 << 18), parquet.MaxRowsPerRowGroup(math.MaxInt64),
		parquet.SkipPageBounds("observation"), parquet.SkipPageBounds("mask"), parquet.SkipPageBounds("rows"),
	}
	for key, value := range metadata {
		options = append(options, parquet.KeyValueMetadata(key, value))
	}
	p.writer = parquet.NewGenericWriter[any](&p.to, options...)
	p.columns = p.writer.ColumnWriters()
	p.next, p.rows, p.total = first, 0, 0
}

// record is one for a match.
func (p *part) record() *record {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		r := p.free[n-1]
		p.free = p.free[:n-1]
		return r
	}
	return new(record)
}

// add takes a match that has ended, and writes those whose turn it is.
func (p *part) add(r *record, f *match.Final) error {
	r.end(f)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting[r.number] = r
	for {
		r := p.waiting[p.next]
		if r == nil {
			return nil
		}
		delete(p.waiting, p.next)
		p.next++
		p.free = append(p.free, r)
		if err := p.write(r); err != nil {
			return err
		}
	}
}

// write writes a match, one column after the other.
func (p *part) write(r *record) error {
	n, s, k := len(r.decisions), p.shape, 0
	column := func(value func(i int, d *decision) parquet.Value) error {
		p.scratch = p.scratch[:0]
		for i := range r.decisions {
			p.scratch = append(p.scratch, value(i, &r.decisions[i]))
		}
		_, err := p.columns[k].WriteRowValues(p.scratch)
		k++
		return err
	}
	numbers := []func(i int, d *decision) parquet.Value{
		func(int, *decision) parquet.Value { return parquet.Int32Value(int32(r.number)) },
		func(int, *decision) parquet.Value { return parquet.Int64Value(int64(r.seed)) },
		func(i int, _ *decision) parquet.Value { return parquet.Int32Value(int32(i)) },
		func(_ int, d *decision) parquet.Value { return parquet.Int32Value(d.seat) },
		func(_ int, d *decision) parquet.Value { return parquet.Int32Value(d.player) },
		func(i int, _ *decision) parquet.Value {
			return parquet.FixedLenByteArrayValue(r.obs[i*s.observation : (i+1)*s.observation])
		},
		func(i int, _ *decision) parquet.Value {
			return parquet.FixedLenByteArrayValue(r.mask[i*s.mask : (i+1)*s.mask])
		},
		func(_ int, d *decision) parquet.Value { return parquet.Int32Value(d.legal) },
		func(_ int, d *decision) parquet.Value { return parquet.Int32Value(int32(d.action)) },
	}
	if s.random > 0 {
		numbers = append(numbers, func(_ int, d *decision) parquet.Value { return parquet.Int32Value(int32(d.choice)) })
	}
	numbers = append(numbers,
		func(_ int, d *decision) parquet.Value { return parquet.FloatValue(d.probability) },
		func(_ int, d *decision) parquet.Value { return parquet.FloatValue(d.reward) },
		func(_ int, d *decision) parquet.Value { return parquet.FloatValue(d.rest) },
		func(_ int, d *decision) parquet.Value { return parquet.BooleanValue(d.last && !r.truncated) },
		func(_ int, d *decision) parquet.Value { return parquet.BooleanValue(d.last && r.truncated) },
	)
	for _, value := range numbers {
		if err := column(value); err != nil {
			return err
		}
	}
	if s.row > 0 {
		at := 0
		if err := column(func(_ int, d *decision) parquet.Value {
			from := at
			at += int(d.legal) * s.row
			return parquet.ByteArrayValue(r.rows[from:at])
		}); err != nil {
			return err
		}
	}
	if err := p.lists(k, r, r.values, func(d *decision) bool { return d.valued }); err != nil {
		return err
	}
	if err := p.lists(k+1, r, r.probabilities, func(d *decision) bool { return d.weighed }); err != nil {
		return err
	}
	p.rows, p.total = p.rows+n, p.total+n
	if p.rows < groupRows {
		return nil
	}
	p.rows = 0
	return p.writer.Flush()
}

// lists writes a column of what players tell of each legal action: of the decisions of which they do.
func (p *part) lists(k int, r *record, told []float32, of func(*decision) bool) error {
	p.scratch = p.scratch[:0]
	for i := range r.decisions {
		d := &r.decisions[i]
		if !of(d) {
			p.scratch = append(p.scratch, parquet.NullValue().Level(0, 0, k))
			continue
		}
		for at, x := range told[:d.legal] {
			p.scratch = append(p.scratch, parquet.FloatValue(x).Level(min(at, 1), 2, k))
		}
		told = told[d.legal:]
	}
	_, err := p.columns[k].WriteRowValues(p.scratch)
	return err
}

// file is the whole file.
func (p *part) file() ([]byte, error) {
	err := p.writer.Close()
	return p.to.Bytes(), err
}
