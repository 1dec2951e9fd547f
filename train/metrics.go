package train

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/privateer-rl/privateer/train/imitation"
)

// metrics is the run's metrics.jsonl: one JSON object per update. Figures that depend on the machine's speed are kept apart under "time", so that
// a resumed run writes otherwise the same file as one that was never interrupted.
type metrics struct {
	file   *os.File
	offset int64 // bytes written so far
}

// record is one line.
type record struct {
	Iteration int                `json:"iteration"`
	Step      int64              `json:"step"`
	Values    map[string]float64 `json:"values"`
	Eval      any                `json:"eval,omitempty"` // evaluations of this update, in full
	Exam      *imitation.Exam    `json:"exam,omitempty"` // how it does on the teacher's held-out decisions
	Time      map[string]float64 `json:"time"`
}

// openMetrics opens the file for appending at offset and drops the lines beyond it, of updates that are about to be done again. short
// reports that the file ends before offset.
func openMetrics(dir string, offset int64) (m *metrics, short bool, err error) {
	path := filepath.Join(dir, metricsFile)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, false, fmt.Errorf("open metrics: %w", err)
	}
	end, err := file.Seek(0, io.SeekEnd)
	if err == nil && end < offset {
		short, offset = true, end
	}
	if err == nil {
		err = file.Truncate(offset)
	}
	if err == nil {
		_, err = file.Seek(offset, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, false, fmt.Errorf("open metrics: %w", err)
	}
	return &metrics{file, offset}, short, nil
}

// write appends a line. Numbers that JSON does not know are left out.
func (m *metrics) write(r record) error {
	for _, set := range []map[string]float64{r.Values, r.Time} {
		for tag, v := range set {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				delete(set, tag)
			}
		}
	}
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write metrics: %w", err)
	}
	n, err := m.file.Write(append(line, '\n'))
	m.offset += int64(n)
	if err != nil {
		return fmt.Errorf("write metrics: %w", err)
	}
	return nil
}

// sync puts everything up to offset on the disk, before a checkpoint refers to it.
func (m *metrics) sync() error {
	if err := m.file.Sync(); err != nil {
		return fmt.Errorf("write metrics: %w", err)
	}
	return nil
}

func (m *metrics) close() error { return m.file.Close() }
