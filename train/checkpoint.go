package train

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// ErrDamaged is the error of reading a truncated or altered checkpoint.
var ErrDamaged = errors.New("the checkpoint is damaged")

var errOtherVersion = errors.New("checkpoint format")

// A checkpoint is one file, all numbers little-endian:
//
//	magic [8]byte · version uint32 · number of sections uint32
//	for each section: name length uint16, name, data length uint64, data
//	CRC-32C of everything before it, uint32
//
// Its sections are "state" (JSON of [state]), "learner" (learner.Save), "env" (env.Vec.Snapshot), "buffer" (the decisions that are not
// complete), for imitation "targets" (theirs), "teacher" (the digests of its bundles) and, with data, "data" (the progress in them), for counterfactual rollouts "labels" (theirs)
// and "spread", with a league "league", and, if exploitability is computed, "average" (the averaged policy) and "mean" (learner.Save of the network with the mean weights).
const (
	checkpointMagic   = "PRIVCKPT"
	checkpointVersion = 1
)

// state is the content of a checkpoint besides arrays.
type state struct {
	Game       string `json:"game"`        // game string
	SchemaHash string `json:"schema_hash"` // of the views that the network reads
	Config     string `json:"config"`      // resolved, as YAML

	selfplay.State

	BestScore     *float64 `json:"best_score"` // nil before the first evaluation
	MetricsOffset int64    `json:"metrics_offset"`
	Seconds       float64  `json:"seconds"` // wall time spent so far
}

// sections is a checkpoint in memory.
type sections map[string][]byte

// network is the one that plays: learner.Load reads it.
func (s sections) network() []byte {
	if mean, ok := s["mean"]; ok {
		return mean
	}
	return s["learner"]
}

func (s sections) encode() []byte { return s.encodeVersion(checkpointVersion) }

func (s sections) encodeVersion(version uint32) []byte {
	names := make([]string, 0, len(s))
	for name := range s {
		names = append(names, name)
	}
	slices.Sort(names)
	b := []byte(checkpointMagic)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(names)))
	for _, name := range names {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
		b = append(b, name...)
		b = binary.LittleEndian.AppendUint64(b, uint64(len(s[name])))
		b = append(b, s[name]...)
	}
	return durable.Seal(b)
}

func decodeSections(b []byte) (sections, error) {
	damaged := func(why string) (sections, error) { return nil, fmt.Errorf("%w: %s", ErrDamaged, why) }
	if len(b) < len(checkpointMagic)+12 {
		return damaged(fmt.Sprintf("it has only %d bytes", len(b)))
	}
	if string(b[:len(checkpointMagic)]) != checkpointMagic {
		return damaged("it does not begin as checkpoints do")
	}
	body, ok := durable.Unseal(b)
	if !ok {
		return damaged("its checksum is wrong: it was cut short or altered")
	}
	r := body[len(checkpointMagic):]
	if v := binary.LittleEndian.Uint32(r); v != checkpointVersion {
		return nil, fmt.Errorf("%w %d: this program reads %d: use the version of privateer that wrote it", errOtherVersion, v, checkpointVersion)
	}
	count := binary.LittleEndian.Uint32(r[4:])
	r = r[8:]
	s := sections{}
	for range count {
		if len(r) < 2 {
			return damaged("a section is missing")
		}
		n := int(binary.LittleEndian.Uint16(r))
		if len(r) < 2+n+8 {
			return damaged("a section is missing")
		}
		name := string(r[2 : 2+n])
		size := binary.LittleEndian.Uint64(r[2+n:])
		r = r[2+n+8:]
		if size > uint64(len(r)) {
			return damaged("section " + name + " is cut short")
		}
		s[name], r = r[:size:size], r[size:]
	}
	if len(r) > 0 {
		return damaged("there is something after the last section")
	}
	return s, nil
}

// errMisnamed is the error for a checkpoint whose name and content differ in the number of decisions.
var errMisnamed = errors.New("the checkpoint has been renamed")

// readCheckpoint reads a file and its state. Damage is ErrDamaged.
func readCheckpoint(path string) (sections, state, error) {
	var st state
	f, err := durable.Open(path)
	if err != nil {
		return nil, st, fmt.Errorf("read checkpoint: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		return nil, st, fmt.Errorf("read checkpoint: %w", err)
	}
	s, err := decodeSections(b)
	if err == nil {
		if jsonErr := json.Unmarshal(s["state"], &st); jsonErr != nil {
			err = fmt.Errorf("%w: its state: %v", ErrDamaged, jsonErr)
		}
	}
	if says, _, named := savedAt(filepath.Base(path)); err == nil && named && says != st.Steps {
		err = fmt.Errorf("%w: its name says %d decisions, and it has had %d: name it %s", errMisnamed, says, st.Steps, saveName(st.Steps)+checkpointExt)
	}
	if err != nil {
		return nil, st, fmt.Errorf("read %s: %w", path, err)
	}
	return s, st, nil
}

const (
	checkpointExt = ".ckpt"
	weightsExt    = ".safetensors"
)

// savedAt reads the name of a numbered checkpoint, or of the weights beside one. Only files with such names belong to a run.
func savedAt(name string) (steps int64, ext string, ok bool) {
	ext = filepath.Ext(name)
	number, ok := strings.CutPrefix(strings.TrimSuffix(name, ext), "step_")
	if !ok || ext != checkpointExt && ext != weightsExt {
		return 0, "", false
	}
	steps, err := strconv.ParseInt(number, 10, 64)
	return steps, ext, err == nil && steps >= 0 && name == saveName(steps)+ext
}

func saveName(steps int64) string { return fmt.Sprintf("step_%012d", steps) }
