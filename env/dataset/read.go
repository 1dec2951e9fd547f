package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
	layout "github.com/parquet-go/parquet-go/format"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
)

// Set is a data set that is read. It keeps no file open and nothing of what it has read, so that a data set may be larger than memory.
type Set struct {
	Head *Head

	folder string
	shape  *shape
	groups []group
}

// group is a row group: whole matches, and what is read at a time.
type group struct{ part, number int }

// Open opens a folder that [Write] has written, by this release or another. It refuses, by name, a file that is missing, damaged, not of this data set, or
// of a game whose observations have another layout now.
func Open(folder string) (*Set, error) {
	paths, err := durable.Files(folder, suffix)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: there is no file *%s in it: privateer dataset writes them", folder, suffix)
	}
	s := &Set{folder: folder}
	if s.Head, err = ReadHead(paths[0]); err != nil {
		return nil, err
	}
	if err := s.Head.alone(folder); err != nil {
		return nil, err
	}
	spec, err := encode.SpecOf(s.Head.Game)
	if err != nil {
		return nil, fmt.Errorf("%s: its game: %w", paths[0], err)
	}
	if s.shape, err = shapeOf(s.Head); err != nil {
		return nil, err
	}
	for k := range s.Head.Parts() {
		if err := s.open(k, spec); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Head.path(folder, k), err)
		}
	}
	return s, nil
}

// open checks a part and lists its row groups.
func (s *Set) open(k int, now *encode.Spec) (err error) {
	defer spoilt(&err)
	file, f, err := openFile(s.Head.path(s.folder, k))
	if errors.Is(err, os.ErrNotExist) {
		return errors.New("it is missing: privateer dataset writes it")
	}
	if err != nil {
		return err
	}
	defer file.Close()
	other, err := headOf(f)
	if err != nil {
		return err
	}
	if field, have, want := s.Head.differs(other); field != "" {
		return fmt.Errorf("its %s is %s, not %s", field, have, want)
	}
	var then struct {
		Config      string
		Observation struct{ Hash string }
		ActionRow   struct{ Hash string } `json:"action_row"`
	}
	text, _ := f.Lookup(specKey)
	if err := json.Unmarshal([]byte(text), &then); err != nil {
		return fmt.Errorf("%w: its spec: %w", errDamaged, err)
	}
	h, rows := s.Head, now.ActionRow
	if then.Config != h.Game || then.Observation.Hash != h.Observation || h.ActionRow != "" && then.ActionRow.Hash != h.ActionRow {
		return fmt.Errorf("%w: its spec is of another game than its head", errDamaged)
	}
	if h.Observation != now.Observation.Hash || h.ActionRow != "" && (rows == nil || h.ActionRow != rows.Hash) {
		return fmt.Errorf("the layout of observations or rows of %s has changed since privateer %s wrote it: write the data set again, or use that release", h.Game, h.Version)
	}
	if !parquet.EqualNodes(f.Schema(), s.shape.schema()) {
		return fmt.Errorf("its columns are not those of format %d: want a file as privateer dataset wrote it", format)
	}
	if err := complete(f.Metadata()); err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	for i, g := range f.RowGroups() {
		if g.NumRows() > 0 {
			s.groups = append(s.groups, group{k, i})
		}
	}
	return nil
}

// complete refuses a file whose row groups do not add up, or whose columns do not follow each other without a gap.
func complete(of *layout.FileMetaData) error {
	rows, end := int64(0), int64(4)
	for i, g := range of.RowGroups {
		rows += g.NumRows
		begin := end
		for _, c := range g.Columns {
			from := c.MetaData.DataPageOffset
			if d := c.MetaData.DictionaryPageOffset; d > 0 {
				from = d
			}
			if from != end || c.MetaData.NumValues < g.NumRows || c.MetaData.Codec != of.RowGroups[0].Columns[0].MetaData.Codec {
				return fmt.Errorf("row group %d: column %v: %d values from byte %d", i, c.MetaData.PathInSchema, c.MetaData.NumValues, from)
			}
			end += c.MetaData.TotalCompressedSize
		}
		if end-begin != g.TotalCompressedSize {
			return fmt.Errorf("row group %d: its columns have %d bytes of %d", i, end-begin, g.TotalCompressedSize)
		}
	}
	if rows < 1 || rows != of.NumRows {
		return fmt.Errorf("its row groups have %d rows of %d", rows, of.NumRows)
	}
	return nil
}

// Groups is the number of row groups. They hold whole matches in ascending order, about 16,384 decisions each.
func (s *Set) Groups() int { return len(s.groups) }

// Decisions holds copies of the decisions of a group. Values of the legal actions of decision i are at Offsets[i] to
// Offsets[i+1], in ascending order of actions.
type Decisions struct {
	N                   int
	Match, Step, Player []int32
	Observation         []byte // [N, D]
	Mask                []engine.Mask
	Action, Choice      []engine.Action // what was played, and what the player chose
	Return              []float32
	Offsets             []int
	Rows                []byte      // [total, F]; empty if the data set has none
	Values              [][]float32 // nil if the player does not tell
	Probabilities       [][]float32

	bits  []byte
	legal []int32
	ends  []int
}

// Read reads a group into d, whose arrays it uses again.
func (s *Set) Read(k int, d *Decisions) error {
	return s.in(k, func(f *parquet.File, of parquet.RowGroup) error {
		d.N = int(of.NumRows())
		r := reader{file: f, group: of, rows: d.N}
		r.who(d)
		d.Step = numbers[int32](&r, d.Step, "step")
		d.legal = numbers[int32](&r, d.legal, "legal")
		d.Action = numbers[engine.Action](&r, d.Action, "action")
		if d.Choice = append(d.Choice[:0], d.Action...); s.shape.random > 0 {
			d.Choice = numbers[engine.Action](&r, d.Choice, "choice")
		}
		d.Return = d.Return[:0]
		r.column(func(v parquet.Value) { d.Return = append(d.Return, v.Float()) }, "return")
		d.Observation, _ = r.bytes(d.Observation, nil, "observation")
		d.bits, _ = r.bytes(d.bits, nil, "mask")
		d.Rows, d.ends = d.Rows[:0], d.ends[:0]
		if s.shape.row > 0 {
			d.Rows, d.ends = r.bytes(d.Rows, d.ends, "rows")
		}
		d.Values, d.Probabilities = r.lists("values"), r.lists("probabilities")
		if r.err != nil {
			return r.err
		}
		return s.check(d)
	})
}

// Who reads only the match and the player of each decision of a group into d.
func (s *Set) Who(k int, d *Decisions) error {
	return s.in(k, func(f *parquet.File, of parquet.RowGroup) error {
		d.N = int(of.NumRows())
		r := reader{file: f, group: of, rows: d.N}
		r.who(d)
		for i := 0; i < d.N && r.err == nil; i++ {
			r.err = s.checkWho(d, i)
		}
		return r.err
	})
}

// in has a group read; errors name the file.
func (s *Set) in(k int, read func(*parquet.File, parquet.RowGroup) error) (err error) {
	g := s.groups[k]
	path := s.Head.path(s.folder, g.part)
	defer func() {
		if wrong := recover(); wrong != nil {
			err = fmt.Errorf("%s: %w: row group %d: %v", path, errDamaged, g.number, wrong)
		}
	}()
	file, f, err := openFile(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer file.Close()
	if g.number >= len(f.RowGroups()) || !parquet.EqualNodes(f.Schema(), s.shape.schema()) {
		return fmt.Errorf("%s: it has changed since it was opened", path)
	}
	if err := read(f, f.RowGroups()[g.number]); err != nil {
		return fmt.Errorf("%s: %w: row group %d: %w", path, errDamaged, g.number, err)
	}
	return nil
}

// check fills in what follows from the columns, and refuses rows that contradict themselves.
func (s *Set) check(d *Decisions) error {
	d.Mask, d.Offsets = d.Mask[:0], append(d.Offsets[:0], 0)
	for i := range d.N {
		var legal engine.Mask
		for k, b := range d.bits[i*s.shape.mask : (i+1)*s.shape.mask] {
			legal[k/8] |= uint64(b) << (k % 8 * 8)
		}
		n := legal.Count()
		d.Mask, d.Offsets = append(d.Mask, legal), append(d.Offsets, d.Offsets[i]+n)
		fits := func(told []float32) bool { return told == nil || len(told) == n }
		if err := s.checkWho(d, i); err != nil {
			return err
		}
		if n == 0 || n != int(d.legal[i]) || !legal.Has(d.Action[i]) || !legal.Has(d.Choice[i]) || !fits(d.Values[i]) || !fits(d.Probabilities[i]) {
			return fmt.Errorf("row %d: of %d legal actions, %d were counted; action %d, choice %d, %d values, %d probabilities",
				i, n, d.legal[i], d.Action[i], d.Choice[i], len(d.Values[i]), len(d.Probabilities[i]))
		}
		if s.shape.row > 0 && d.ends[i] != d.Offsets[i+1]*s.shape.row {
			return fmt.Errorf("row %d: its rows are not those of %d legal actions", i, n)
		}
	}
	return nil
}

func (s *Set) checkWho(d *Decisions, i int) error {
	if d.Match[i] < 0 || int(d.Match[i]) >= s.Head.Matches || d.Player[i] < 0 || int(d.Player[i]) >= len(s.Head.Players) {
		return fmt.Errorf("row %d: match %d of %d, player %d of %d", i, d.Match[i], s.Head.Matches, d.Player[i], len(s.Head.Players))
	}
	return nil
}

// openFile opens a Parquet file; both must be closed, by closing the first.
func openFile(path string) (*os.File, *parquet.File, error) {
	file, err := durable.Open(path)
	if err != nil {
		return nil, nil, err
	}
	f, err := parse(file)
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, f, nil
}

func parse(file *os.File) (f *parquet.File, err error) {
	defer spoilt(&err)
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if f, err = parquet.OpenFile(file, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true)); err != nil {
		err = fmt.Errorf("%w: %w", errDamaged, err)
	}
	return f, err
}

// reader reads columns of a row group until something is wrong.
type reader struct {
	file  *parquet.File
	group parquet.RowGroup
	rows  int
	err   error
}

func (r *reader) who(d *Decisions) {
	d.Match = numbers[int32](r, d.Match, "match")
	d.Player = numbers[int32](r, d.Player, "player")
}

// column hands on the values of a column, which must be one a row unless it is a list.
func (r *reader) column(take func(parquet.Value), path ...string) {
	if r.err != nil {
		return
	}
	leaf, _ := r.file.Schema().Lookup(path...)
	pages := r.group.ColumnChunks()[leaf.ColumnIndex].Pages()
	defer pages.Close()
	var values [512]parquet.Value
	rows := 0
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			r.err = fmt.Errorf("column %s: %w", path[0], err)
			return
		}
		of := page.Values()
		for err == nil {
			var n int
			n, err = of.ReadValues(values[:])
			for _, v := range values[:n] {
				rows += int(engine.Bit(v.RepetitionLevel() == 0))
				take(v)
			}
		}
		parquet.Release(page)
		if !errors.Is(err, io.EOF) {
			r.err = fmt.Errorf("column %s: %w", path[0], err)
			return
		}
	}
	if rows != r.rows {
		r.err = fmt.Errorf("column %s: %d values for %d rows", path[0], rows, r.rows)
	}
}

// numbers reads a column of integers into to.
func numbers[T int32 | engine.Action](r *reader, to []T, name string) []T {
	to = to[:0]
	r.column(func(v parquet.Value) { to = append(to, T(v.Int32())) }, name)
	return to
}

// bytes reads a column of bytes into to, one value after the other; ends gets where each ends.
func (r *reader) bytes(to []byte, ends []int, name string) ([]byte, []int) {
	to = to[:0]
	r.column(func(v parquet.Value) {
		to = append(to, v.ByteArray()...)
		ends = append(ends, len(to))
	}, name)
	return to, ends
}

// lists reads a column of what players tell of each legal action, nil if they do not.
func (r *reader) lists(name string) [][]float32 {
	var of [][]float32
	var all []float32
	r.column(func(v parquet.Value) {
		if v.RepetitionLevel() == 0 {
			of, all = append(of, nil), all[len(all):]
		}
		if v.DefinitionLevel() == 2 {
			all = append(all, v.Float())
			of[len(of)-1] = all[:len(all):len(all)]
		}
	}, name, "list", "element")
	return of
}
