package dataset

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/privateer-rl/privateer/engine"
	_ "github.com/privateer-rl/privateer/engine/players/search"
)

func opened(t *testing.T, folder string) *Set {
	t.Helper()
	s, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// told is a list of numbers as a file has it, which knows no difference between none and an empty one.
func told(a []float32, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

// What Set reads is what a reader without this package gets.
func TestASetIsReadAsItWasWritten(t *testing.T) {
	for _, c := range []Config{
		config("leduc", 90, 40, "random", "search(rollouts=6)"),
		config("doubloons(seats=3)", 5, 2, "search(rollouts=8,best=3,prior=heuristic)", "policy:captain", "heuristic", "greedy"),
		config("jolly_roger(seats=5)", 2, 2, "random", "heuristic"),
	} {
		t.Run(c.Game, func(t *testing.T) {
			c.Rows, c.RandomMoves = c.Game != "leduc", float64(engine.Bit(c.Game != "leduc"))/4
			folder := t.TempDir()
			write(t, folder, c)
			want := read(t, folder)
			s, d := opened(t, folder), Decisions{}
			for k := range s.Groups() {
				if err := s.Read(k, &d); err != nil {
					t.Fatal(err)
				}
				for i := range d.N {
					w, size := want[0], len(d.Observation)/d.N
					want = want[1:]
					if d.Match[i] != w.Match || d.Step[i] != w.Step || d.Player[i] != int32(w.Player) || d.Action[i] != engine.Action(w.Action) || d.Return[i] != w.Return {
						t.Fatalf("match %d, decision %d, player %d: want %+v", d.Match[i], d.Step[i], d.Player[i], w)
					}
					if choice := engine.Action(w.Choice); c.RandomMoves > 0 && d.Choice[i] != choice || c.RandomMoves == 0 && d.Choice[i] != d.Action[i] {
						t.Fatalf("choice %d, want %d", d.Choice[i], choice)
					}
					if !slices.Equal(d.Observation[i*size:(i+1)*size], w.Observation) || !told(d.Values[i], w.Values) || !told(d.Probabilities[i], w.Probabilities) {
						t.Fatalf("match %d, decision %d: another observation, values %v or probabilities %v", d.Match[i], d.Step[i], d.Values[i], d.Probabilities[i])
					}
					if n := d.Mask[i].Count(); n != int(w.Legal) || d.Offsets[i+1]-d.Offsets[i] != n || c.Rows && !slices.Equal(d.Rows[d.Offsets[i]*s.shape.row:d.Offsets[i+1]*s.shape.row], w.Rows) {
						t.Fatalf("match %d, decision %d: %d legal actions, or other rows", d.Match[i], d.Step[i], n)
					}
				}
			}
			if len(want) > 0 {
				t.Errorf("%d rows were not read", len(want))
			}
		})
	}
}

func TestASetThatIsNotWholeIsNotRead(t *testing.T) {
	const last = "part-00002-of-00002.parquet"
	rewritten := func(t *testing.T, path string, keys map[string]string) {
		t.Helper()
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		var options []parquet.WriterOption
		for key, value := range keys {
			options = append(options, parquet.KeyValueMetadata(key, value))
		}
		w := parquet.NewGenericWriter[struct{ A int }](file, options...)
		if _, err := w.Write([]struct{ A int }{{1}}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for want, spoil := range map[string]func(t *testing.T, folder string){
		"there is no file *.parquet in it": func(t *testing.T, folder string) {
			if err := os.RemoveAll(folder); err != nil {
				t.Fatal(err)
			}
		},
		last + ": it is missing": func(t *testing.T, folder string) {
			if err := os.Remove(filepath.Join(folder, last)); err != nil {
				t.Fatal(err)
			}
		},
		last + ": damaged or cut short": func(t *testing.T, folder string) {
			path := filepath.Join(folder, last)
			data, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, data[:len(data)-5], 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		},
		last + " is of another data set: its seed is 8, not 7": func(t *testing.T, folder string) {
			other, c := t.TempDir(), config("leduc", 6, 3, "random")
			c.Seed = 8
			write(t, other, c)
			if err := os.Rename(filepath.Join(other, last), filepath.Join(folder, last)); err != nil {
				t.Fatal(err)
			}
		},
		"foreign.parquet: its metadata have no": func(t *testing.T, folder string) { rewritten(t, filepath.Join(folder, "foreign.parquet"), nil) },
		last + ": its columns are not those of format 1": func(t *testing.T, folder string) {
			h, spec, err := new(Config{Game: "leduc", Players: config("leduc", 1, 1, "random").Players, Seed: 7, Matches: 6, PartMatches: 3, Version: "v1"}).head()
			if err != nil {
				t.Fatal(err)
			}
			keys, err := h.metadata(spec)
			if err != nil {
				t.Fatal(err)
			}
			rewritten(t, filepath.Join(folder, last), keys)
		},
		"of leduc has changed since privateer v1 wrote it": func(t *testing.T, folder string) {
			h, spec, err := new(Config{Game: "leduc", Players: config("leduc", 1, 1, "random").Players, Seed: 7, Matches: 6, PartMatches: 3, Version: "v1"}).head()
			if err != nil {
				t.Fatal(err)
			}
			h.Observation, spec.Observation.Hash = "0123", "0123"
			keys, err := h.metadata(spec)
			if err != nil {
				t.Fatal(err)
			}
			for k := range 2 {
				rewritten(t, h.path(folder, k), keys)
			}
		},
		"its spec is of another game than its head": func(t *testing.T, folder string) {
			h, spec, err := new(Config{Game: "leduc", Players: config("leduc", 1, 1, "random").Players, Seed: 7, Matches: 6, PartMatches: 3, Version: "v1"}).head()
			if err != nil {
				t.Fatal(err)
			}
			spec.Observation.Hash = "0123"
			keys, err := h.metadata(spec)
			if err != nil {
				t.Fatal(err)
			}
			rewritten(t, filepath.Join(folder, last), keys)
		},
	} {
		folder := filepath.Join(t.TempDir(), "data")
		write(t, folder, config("leduc", 6, 3, "random"))
		spoil(t, folder)
		if _, err := Open(folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// A head that no data set can have is damage, and nothing is made of it.
func TestAHeadThatCannotBeIsNamed(t *testing.T) {
	c := config("kuhn", 16, 16, "random")
	for from, to := range map[string]string{
		`"part_matches":16`: `"part_matches":0 `,
		`"matches":16`:      `"matches":-9`,
		`"players":[`:       `"playerz":[`,
	} {
		folder := t.TempDir()
		write(t, folder, c)
		path := filepath.Join(folder, "part-00001-of-00001.parquet")
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		spoilt := bytes.Replace(whole, []byte(from), []byte(to), 1)
		if err := os.WriteFile(path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(folder); err == nil || !strings.Contains(err.Error(), path+": damaged or cut short") {
			t.Errorf("%s: error %v", to, err)
		}
		write(t, folder, c)
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, whole) {
			t.Errorf("%s: the file is not written again, error %v", to, err)
		}
	}
}

// A byte that has changed in what a file says of itself is an error that names the file, or changes nothing that is read.
func TestAFooterWithAByteThatHasChangedIsNamed(t *testing.T) {
	folder, c := t.TempDir(), config("kuhn", 6, 6, "random")
	write(t, folder, c)
	path := filepath.Join(folder, "part-00001-of-00001.parquet")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want, d Decisions
	if err := opened(t, folder).Read(0, &want); err != nil {
		t.Fatal(err)
	}
	footer := len(whole) - 8 - int(binary.LittleEndian.Uint32(whole[len(whole)-8:]))
	for at := footer; at < len(whole); at++ {
		if whole[at] >= ' ' && whole[at] <= 'z' && at%37 > 0 {
			continue // most of it is JSON
		}
		spoilt := slices.Clone(whole)
		spoilt[at] ^= 1 << (at % 8)
		if err := os.WriteFile(path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(folder)
		switch {
		case err == nil:
			if err := s.Read(0, &d); err != nil || s.Groups() != 1 || !reflect.DeepEqual(d, want) {
				t.Errorf("byte %d: it counts as whole, and has %d groups, error %v", at, s.Groups(), err)
			}
		case !strings.Contains(err.Error(), path):
			t.Errorf("byte %d: error %v", at, err)
		case at%16 == 0: // it is written again, or taken for another data set's
			if _, err := Write(t.Context(), folder, c); err == nil {
				if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, whole) {
					t.Errorf("byte %d: the file is not written again, error %v", at, err)
				}
			} else if !strings.Contains(err.Error(), path) {
				t.Errorf("byte %d: error %v", at, err)
			}
		}
	}
}

// A byte of a page that has changed is an error that names the file, when it is read.
func TestADataSetWithAByteThatHasChangedIsNamed(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, config("leduc", 6, 6, "search(rollouts=4)"))
	path := filepath.Join(folder, "part-00001-of-00001.parquet")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := opened(t, folder)
	file, f, err := openFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var d Decisions
	for _, column := range f.RowGroups()[0].ColumnChunks() {
		name := strings.Join(f.Schema().Columns()[column.Column()], ".")
		at := f.Metadata().RowGroups[0].Columns[column.Column()].MetaData
		spoilt := slices.Clone(whole)
		spoilt[at.DataPageOffset+at.TotalCompressedSize-2] ^= 4
		if err := os.WriteFile(path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		read := !slices.Contains([]string{"seed", "seat", "probability", "reward", "terminated", "truncated"}, name)
		if err := s.Read(0, &d); read != (err != nil) || read && (!strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "damaged or cut short")) {
			t.Errorf("a byte of %s: error %v", name, err)
		}
	}
}
