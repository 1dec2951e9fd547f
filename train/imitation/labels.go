package imitation

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// Labels are a teacher's answers to every decision of some matches: a shard of a gathering, in a file of its own. Observations are not
// kept: the matches are replayed from their seeds, so that labels outlive a new layout of observations.
type Labels struct {
	LabelsHead
	Matches [][]Label // of the shard: matches Shard−1, Shard−1+Shards, …
}

// LabelsHead says what was gathered. Match j of a gathering is episode j ÷ Rows of row j mod Rows of an environment with
// that seed, so a training with as many environments meets the same matches.
type LabelsHead struct {
	Game        string  `json:"game"` // canonical
	Seed        uint64  `json:"seed"` // of the configuration
	Teacher     string  `json:"teacher"`
	RandomMoves float64 `json:"random_moves"`
	Rows        int     `json:"num_envs"`
	Total       int     `json:"matches"` // of all shards
	durable.Part
}

// episodeSeed is the seed of match j of a gathering, which is an episode of an environment's row.
func episodeSeed(cfg *selfplay.Config, j int) uint64 {
	row, episode := uint64(j%cfg.NumEnvs), uint64(j/cfg.NumEnvs)
	return engine.EpisodeSeed(engine.RowSeed(cfg.MatchSeed(), row), episode)
}

// Label is one decision.
type Label struct {
	Played, Choice engine.Action
	Values         []float32 // by legal action, NaN if not known; nil if none is known
	Chances        []float32 // by legal action, the teacher's own; nil if it gives values, or neither
}

const (
	labelsMagic  = "privateer labels 5\n"
	labelsSuffix = ".labels"
	mostHeader   = 1 << 16
	mostMatches  = 1 << 24
)

// encode makes a file: the magic line, the length of the header and the header as JSON, then, compressed by gzip, for
// each match the number of its decisions, and for each decision as unsigned varints what was played, the teacher's
// choice, how many values follow, as float32, little endian, and how many chances, likewise.
func (l *Labels) encode() ([]byte, error) {
	head, err := json.Marshal(l.LabelsHead)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(labelsMagic)
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(head))))
	b.Write(head)
	z := gzip.NewWriter(&b)
	var part []byte
	for _, m := range l.Matches {
		part = binary.AppendUvarint(part[:0], uint64(len(m)))
		for _, d := range m {
			part = binary.AppendUvarint(part, uint64(d.Played))
			part = binary.AppendUvarint(part, uint64(d.Choice))
			for _, numbers := range [][]float32{d.Values, d.Chances} {
				part = binary.AppendUvarint(part, uint64(len(numbers)))
				for _, v := range numbers {
					part = binary.LittleEndian.AppendUint32(part, math.Float32bits(v))
				}
			}
		}
		if _, err := z.Write(part); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return b.Bytes(), err
}

// decodeLabels reads what encode made. Whatever the data, it allocates no more than a few times its decompressed length.
func decodeLabels(data []byte) (*Labels, error) {
	rest, ok := bytes.CutPrefix(data, []byte(labelsMagic))
	if !ok {
		return nil, errors.New("these are no labels of this version: want a file of privateer gather")
	}
	if len(rest) < 4 || binary.LittleEndian.Uint32(rest) > mostHeader || int(binary.LittleEndian.Uint32(rest)) > len(rest)-4 {
		return nil, errors.New("the header is damaged or cut short")
	}
	head, rest := rest[4:4+binary.LittleEndian.Uint32(rest)], rest[4+binary.LittleEndian.Uint32(rest):]
	l := &Labels{}
	if err := json.Unmarshal(head, &l.LabelsHead); err != nil {
		return nil, fmt.Errorf("the header is damaged: %w", err)
	}
	h := l.LabelsHead
	if h.Rows < 1 || h.Total < 1 || h.Total > mostMatches || h.Check(h.Total, "matches") != nil {
		return nil, fmt.Errorf("the header is damaged: shard %d of %d, %d matches, num_envs %d", h.Shard, h.Shards, h.Total, h.Rows)
	}
	z, err := gzip.NewReader(bytes.NewReader(rest))
	if err != nil {
		return nil, fmt.Errorf("the labels are damaged: %w", err)
	}
	r := &labelReader{from: bufio.NewReader(z)}
	for range (h.Total - h.Shard + h.Shards) / h.Shards {
		if l.Matches = append(l.Matches, r.match()); r.err != nil {
			return nil, fmt.Errorf("the labels are damaged or cut short: match %d: %w", len(l.Matches), r.err)
		}
	}
	// Reading on to the end checks the sum over all of it.
	if _, err := r.from.ReadByte(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("the labels are damaged: %w", errOrMore(err))
	}
	return l, nil
}

func errOrMore(err error) error {
	if err == nil {
		return errors.New("there is more behind the last match")
	}
	return err
}

// labelReader reads matches until something is wrong.
type labelReader struct {
	from *bufio.Reader
	err  error
}

func (r *labelReader) match() []Label {
	var m []Label
	for range r.number(1 << 20) {
		d := Label{Played: engine.Action(r.number(engine.MaxActions - 1)), Choice: engine.Action(r.number(engine.MaxActions - 1))}
		d.Values, d.Chances = r.numbers(), r.numbers()
		if r.err != nil {
			return nil
		}
		m = append(m, d)
	}
	return m
}

// numbers reads how many there are, and these.
func (r *labelReader) numbers() []float32 {
	var of []float32
	for range r.number(engine.MaxActions) {
		var b [4]byte
		if _, r.err = io.ReadFull(r.from, b[:]); r.err != nil {
			return nil
		}
		of = append(of, math.Float32frombits(binary.LittleEndian.Uint32(b[:])))
	}
	return of
}

func (r *labelReader) number(most uint64) int {
	if r.err != nil {
		return 0
	}
	x, err := binary.ReadUvarint(r.from)
	if err == nil && x > most {
		err = fmt.Errorf("%d is more than the %d that are possible", x, most)
	}
	if r.err = err; err != nil {
		return 0
	}
	return int(x)
}

// save writes the shard into a folder, whole or not at all.
func (l *Labels) save(folder string) (path string, err error) {
	data, err := l.encode()
	if err != nil {
		return "", err
	}
	path = l.Path(folder, labelsSuffix)
	return path, durable.WriteFile(path, data)
}

// ReadLabels reads all shards of a folder and puts their matches in order: the result is a single shard, the same
// whatever their number. A shard that is missing, or of another gathering, is an error that names it.
func ReadLabels(folder string) (*Labels, error) {
	paths, err := durable.Parts(folder, labelsSuffix, "privateer gather")
	if err != nil {
		return nil, fmt.Errorf("labels: %w", err)
	}
	var all *Labels
	var have []bool
	for _, path := range paths {
		part, err := readShard(path)
		if err != nil {
			return nil, fmt.Errorf("labels: %w", err)
		}
		if all == nil {
			all, have = &Labels{LabelsHead: part.LabelsHead, Matches: make([][]Label, part.Total)}, make([]bool, part.Shards)
		}
		same := all.LabelsHead
		same.Shard = part.Shard
		if same != part.LabelsHead {
			return nil, fmt.Errorf("labels: %s and %s are of two gatherings: want a folder for each", paths[0], path)
		}
		have[part.Shard-1] = true
		for i, j := range part.Numbers(part.Total) {
			all.Matches[j] = part.Matches[i]
		}
	}
	if err := durable.Whole(folder, have); err != nil {
		return nil, fmt.Errorf("labels: %w", err)
	}
	all.Part = durable.Part{Shard: 1, Shards: 1}
	return all, nil
}

func readShard(path string) (*Labels, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	l, err := decodeLabels(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}
