package train

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
)

// ErrDamaged is what reading a truncated or altered checkpoint returns.
var ErrDamaged = errors.New("the checkpoint is damaged")

// A checkpoint is one file, all numbers little-endian:
//
//	magic [8]byte · version uint32 · number of sections uint32
//	for each section: name length uint16, name, data length uint64, data
//	CRC-32C of everything before it, uint32
//
// Its sections are "state" (JSON of [state]), "learner" (learner.Save), "env"
// (env.Vec.Snapshot), "rollout" (the decisions that are not complete) and,
// where exploitability is computed, "average" (the averaged policy).
const (
	checkpointMagic   = "PRIVCKPT"
	checkpointVersion = 1
)

// state is what a checkpoint holds besides arrays.
type state struct {
	Game       string `json:"game"`        // game string
	SchemaHash string `json:"schema_hash"` // of the views that the network reads
	Config     string `json:"config"`      // resolved, as YAML

	Iteration int   `json:"iteration"` // updates done
	Steps     int64 `json:"steps"`     // decisions collected
	Trained   int64 `json:"trained"`   // decisions trained on
	Episodes  int64 `json:"episodes"`  // matches finished

	Sampling      engine.Rand `json:"sampling"`
	Shuffling     engine.Rand `json:"shuffling"`
	Normaliser    normaliser  `json:"normaliser"`
	BestScore     *float64    `json:"best_score"` // nil before the first evaluation
	MetricsOffset int64       `json:"metrics_offset"`
	Seconds       float64     `json:"seconds"` // wall time spent so far
}

// sections is a checkpoint in memory.
type sections map[string][]byte

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
		return nil, fmt.Errorf("checkpoint format %d: this program reads %d: use the version of privateer that wrote it", v, checkpointVersion)
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
		return damaged("there is something behind the last section")
	}
	return s, nil
}

// readCheckpoint reads a file and its state. Damage is ErrDamaged.
func readCheckpoint(path string) (sections, state, error) {
	var st state
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, st, fmt.Errorf("read checkpoint: %w", err)
	}
	s, err := decodeSections(b)
	if err == nil {
		if jsonErr := json.Unmarshal(s["state"], &st); jsonErr != nil {
			err = fmt.Errorf("%w: its state: %v", ErrDamaged, jsonErr)
		}
	}
	if err != nil {
		return nil, st, fmt.Errorf("read %s: %w", path, err)
	}
	return s, st, nil
}

// checkpoint writes the trainer's state at the end of an update, with the
// weights beside it as safetensors, and removes what is older than the newest cfg.KeepCheckpoints.
func (r *run) checkpoint(best bool) error {
	t := r.trainer
	if err := r.metrics.sync(); err != nil {
		return err
	}
	var net, vec, rows bytes.Buffer
	if err := t.learner.Save(&net); err != nil {
		return fmt.Errorf("checkpoint: network: %w", err)
	}
	if err := t.vec.Snapshot(&vec); err != nil {
		return fmt.Errorf("checkpoint: environments: %w", err)
	}
	if err := t.rollout.save(&rows); err != nil {
		return fmt.Errorf("checkpoint: open decisions: %w", err)
	}
	st, err := json.Marshal(state{
		Game: t.cfg.Game, SchemaHash: t.schemaHash(), Config: string(t.cfg.YAML()),
		Iteration: t.iteration, Steps: t.steps, Trained: t.trained, Episodes: t.episodes,
		Sampling: t.sampling, Shuffling: t.shuffling, Normaliser: t.norm,
		BestScore: r.best, MetricsOffset: r.metrics.offset, Seconds: r.seconds(),
	})
	if err != nil {
		return fmt.Errorf("checkpoint: state: %w", err)
	}
	all := sections{"state": st, "learner": net.Bytes(), "env": vec.Bytes(), "rollout": rows.Bytes()}
	if r.solver != nil {
		if all["average"], err = r.solver.save(); err != nil {
			return fmt.Errorf("checkpoint: average policy: %w", err)
		}
	}

	dir := filepath.Join(r.dir, checkpointsDir)
	name := filepath.Join(dir, fmt.Sprintf("step_%012d", t.steps))
	if err := t.writeWeights(name + weightsExt); err != nil {
		return err
	}
	if err := durable.WriteFile(name+checkpointExt, all.encode()); err != nil {
		return err
	}
	if best {
		for _, ext := range []string{weightsExt, checkpointExt} {
			if err := linkFile(name+ext, filepath.Join(dir, "best"+ext)); err != nil {
				return err
			}
		}
	}
	return prune(dir, t.cfg.KeepCheckpoints)
}

const (
	checkpointsDir = "checkpoints"
	checkpointExt  = ".ckpt"
	weightsExt     = ".safetensors"
)

// linkFile makes path another name of file, replacing what path was. Where the
// file system has no links it copies.
func linkFile(file, path string) error {
	tmp := path + ".tmp-link"
	os.Remove(tmp) // left by a run that was killed here
	if err := os.Link(file, tmp); err != nil {
		data, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		return durable.WriteFile(path, data)
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	// Renaming a name onto another name of the same file does nothing.
	os.Remove(tmp)
	return durable.SyncDir(filepath.Dir(path))
}

// numbered lists the checkpoints of a folder, newest first, without "best".
func numbered(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "step_*"+checkpointExt))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	slices.Reverse(files)
	return files, nil
}

// prune removes all but the newest keep checkpoints, weights without a
// checkpoint, and temporary files that a killed run left.
func prune(dir string, keep int) error {
	files, err := numbered(dir)
	if err != nil {
		return err
	}
	kept := map[string]bool{"best": true}
	for i, f := range files {
		if i < keep {
			kept[strings.TrimSuffix(filepath.Base(f), checkpointExt)] = true
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("remove old checkpoints: %w", err)
	}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		ours := ext == checkpointExt || ext == weightsExt
		leftOver := strings.Contains(e.Name(), ".tmp-")
		if leftOver || ours && !kept[strings.TrimSuffix(e.Name(), ext)] {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return fmt.Errorf("remove old checkpoints: %w", err)
			}
		}
	}
	return nil
}

// newest reads the newest checkpoint of a run that is whole, passing over
// damaged ones with a warning.
func newest(runDir string, warn func(string)) (sections, state, string, error) {
	dir := filepath.Join(runDir, checkpointsDir)
	files, err := numbered(dir)
	if err != nil {
		return nil, state{}, "", err
	}
	if best := filepath.Join(dir, "best"+checkpointExt); exists(best) {
		files = append(files, best)
	}
	if len(files) == 0 {
		return nil, state{}, "", fmt.Errorf("%s has no checkpoint: there is nothing to resume; start a new run", runDir)
	}
	for i, f := range files {
		s, st, err := readCheckpoint(f)
		if err == nil {
			return s, st, f, nil
		}
		if !errors.Is(err, ErrDamaged) {
			return nil, state{}, "", err
		}
		if i+1 < len(files) {
			warn(fmt.Sprintf("%v; falling back to %s", err, filepath.Base(files[i+1])))
		} else if len(files) == 1 {
			return nil, state{}, "", fmt.Errorf("%w; it is the only one: start a new run", err)
		}
	}
	return nil, state{}, "", fmt.Errorf("%s: %w: all %d of them: start a new run", dir, ErrDamaged, len(files))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// save writes the rows of a rollout, which must be the open ones that carry
// left.
func (r *rollout) save(w io.Writer) error {
	head := []uint32{uint32(r.n), uint32(r.envs), uint32(r.seats), uint32(r.d), uint32(r.f), uint32(r.a)}
	for _, part := range append([]any{head, r.last}, r.arrays()...) {
		if err := binary.Write(w, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	return nil
}

// load is the inverse of save.
func (r *rollout) load(rd io.Reader) error {
	var head [6]uint32
	if err := binary.Read(rd, binary.LittleEndian, &head); err != nil {
		return err
	}
	want := [6]uint32{head[0], uint32(r.envs), uint32(r.seats), uint32(r.d), uint32(r.f), uint32(r.a)}
	if head != want || int(head[0]) > r.envs*r.seats {
		return fmt.Errorf("open decisions of shape %v; want %v", head, want)
	}
	r.n = int(head[0])
	for _, part := range append([]any{r.last}, r.arrays()...) {
		if err := binary.Read(rd, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	for _, row := range r.last {
		if row >= int32(r.n) {
			return fmt.Errorf("open decisions: row %d of %d", row, r.n)
		}
	}
	return nil
}

// arrays are the parts of the rows that outlive an update.
func (r *rollout) arrays() []any {
	n := r.n
	return []any{
		r.obs[:n*r.d], r.full[:n*r.f], r.mask[:n*r.a],
		r.action[:n], r.next[:n], r.owner[:n],
		r.logp[:n], r.value[:n], r.reward[:n], r.boot[:n],
	}
}
