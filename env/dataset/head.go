package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine/durable"
)

// Head says which matches a data set has. All its files have the same.
type Head struct {
	Format      int      `json:"format"`
	Version     string   `json:"version"` // of privateer
	Game        string   `json:"game"`    // canonical
	Seed        uint64   `json:"seed"`    // of the data set; match i is deal i of it
	Matches     int      `json:"matches"`
	PartMatches int      `json:"part_matches"` // in a file; the last may have fewer
	Players     []Player `json:"players"`
	RandomMoves float64  `json:"random_moves,omitempty"` // share of moves at random; 0: there is no column choice
	Observation string   `json:"observation_hash"`
	ActionRow   string   `json:"action_row_hash,omitempty"` // "": there is no column rows
}

// Player is one of those that play in a data set.
type Player struct {
	Name   string `json:"name"`
	Digest string `json:"digest,omitempty"` // of a policy's bundle, or of those and the files of weights that a bot uses, joined by #
}

// format is the version of what the columns and the head mean.
const format = 1

// Keys of a file's metadata.
const (
	headKey = "privateer"
	specKey = "privateer.spec"
)

// Parts is the number of files.
func (h *Head) Parts() int { return (h.Matches + h.PartMatches - 1) / h.PartMatches }

const suffix = ".parquet"

// path is where part k lies, from 0.
func (h *Head) path(folder string, k int) string {
	return filepath.Join(folder, fmt.Sprintf("part-%05d-of-%05d%s", k+1, h.Parts(), suffix))
}

// metadata are the keys and values of every file.
func (h *Head) metadata(s *encode.Spec) (map[string]string, error) {
	head, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	spec, err := json.Marshal(s)
	return map[string]string{headKey: string(head), specKey: string(spec)}, err
}

// ReadHead reads the head of a file.
func ReadHead(path string) (*Head, error) {
	h, err := readHead(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return h, nil
}

// errDamaged says that a file is not, or no longer, a whole Parquet file.
var errDamaged = errors.New("damaged or cut short")

// spoilt turns a panic of a function into errDamaged. The Parquet library believes what a file says of itself, and panics at what cannot be.
func spoilt(err *error) {
	if wrong := recover(); wrong != nil {
		*err = fmt.Errorf("%w: %v", errDamaged, wrong)
	}
}

func readHead(path string) (*Head, error) {
	file, f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return headOf(f)
}

func headOf(f *parquet.File) (*Head, error) {
	text, ok := f.Lookup(headKey)
	if !ok {
		return nil, fmt.Errorf("its metadata have no %q: want a file of privateer dataset", headKey)
	}
	var h Head
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&h); err != nil {
		return nil, fmt.Errorf("%w: its head: %w", errDamaged, err)
	}
	if h.Format != format {
		return nil, fmt.Errorf("it has format %d, and this program reads format %d: use the release that wrote it, privateer %s", h.Format, format, h.Version)
	}
	if err := h.check(); err != nil {
		return nil, fmt.Errorf("%w: its head: %w", errDamaged, err)
	}
	return &h, nil
}

// check refuses what no data set can be: numbers of matches are int32 in the files.
func (h *Head) check() error {
	if h.Matches < 1 || h.Matches > math.MaxInt32 || h.PartMatches < 1 || h.PartMatches > math.MaxInt32 {
		return fmt.Errorf("%d matches, %d in a file: want at least 1, and at most %d", h.Matches, h.PartMatches, math.MaxInt32)
	}
	if len(h.Players) == 0 {
		return errors.New("no players: want at least one")
	}
	if !(h.RandomMoves >= 0 && h.RandomMoves <= 1) {
		return fmt.Errorf("random moves: %v: want a share from 0 to 1", h.RandomMoves)
	}
	return nil
}

// alone refuses a folder that has files of another data set. Damaged ones are not known to be of another.
func (h *Head) alone(folder string) error {
	paths, err := durable.Files(folder, suffix)
	if err != nil {
		return err
	}
	for _, path := range paths {
		other, err := ReadHead(path)
		if errors.Is(err, errDamaged) || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%w: want a folder of its own for the data set", err)
		}
		if field, have, want := h.differs(other); field != "" {
			return fmt.Errorf("%s is of another data set: its %s is %s, not %s: want a folder for each", path, field, have, want)
		}
	}
	return nil
}

// differs names the first field in which another head differs, with both values as JSON.
func (h *Head) differs(other *Head) (field, theirs, ours string) {
	a, b := reflect.ValueOf(*other), reflect.ValueOf(*h)
	for i := range a.NumField() {
		x, errX := json.Marshal(a.Field(i).Interface())
		y, errY := json.Marshal(b.Field(i).Interface())
		if errX != nil || errY != nil || !bytes.Equal(x, y) {
			field, _, _ = strings.Cut(a.Type().Field(i).Tag.Get("json"), ",")
			return field, string(x), string(y)
		}
	}
	return "", "", ""
}
