package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Part is one of several parts that work is cut into, each with a file of its own: every Shards-th thing, from the one numbered
// Shard−1 on. It is a part of what heads of such files say.
type Part struct {
	Shard  int `json:"shard"` // from 1
	Shards int `json:"shards"`
}

// OrAll is the part, or all there is if it is zero.
func (p Part) OrAll() Part {
	if p == (Part{}) {
		return Part{Shard: 1, Shards: 1}
	}
	return p
}

// Check refuses a part that cannot exist of n things.
func (p Part) Check(things int, named string) error {
	if p.Shards < 1 || p.Shard < 1 || p.Shard > p.Shards || p.Shards > things {
		return fmt.Errorf("shard %d/%d: want K/N with K from 1 to N, and no more shards than the %d %s", p.Shard, p.Shards, things, named)
	}
	return nil
}

// Numbers are the things of the part, out of n.
func (p Part) Numbers(things int) []int {
	var of []int
	for i := p.Shard - 1; i < things; i += p.Shards {
		of = append(of, i)
	}
	return of
}

// Path is the part's file in a folder, which ends in suffix.
func (p Part) Path(folder, suffix string) string {
	return filepath.Join(folder, fmt.Sprintf("shard-%05d-of-%05d%s", p.Shard, p.Shards, suffix))
}

// Parts lists the files in a folder whose names end in suffix, in order. That there is none is an error, which says what makes them.
func Parts(folder, suffix, maker string) ([]string, error) {
	paths, err := Files(folder, suffix)
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("%s: there is no file *%s in it: %s makes them", folder, suffix, maker)
	}
	return paths, err
}

// Files lists the paths in a folder whose names end in suffix, in order. A folder that does not exist has none. The folder's name is no
// pattern, as filepath.Glob would take it.
func Files(folder, suffix string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Clean(folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	return paths, nil
}

// Whole refuses a folder in which a part is missing; have tells for each part whether it is there.
func Whole(folder string, have []bool) error {
	if i := slices.Index(have, false); i >= 0 {
		return fmt.Errorf("%s: shard %d of %d is missing: --shard %d/%d makes it", folder, i+1, len(have), i+1, len(have))
	}
	return nil
}
