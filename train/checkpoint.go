package train

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
)

// ErrDamaged is what reading a truncated or altered checkpoint returns.
var ErrDamaged = errors.New("the checkpoint is damaged")

var errOtherVersion = errors.New("checkpoint format")

// A checkpoint is one file, all numbers little-endian:
//
//	magic [8]byte · version uint32 · number of sections uint32
//	for each section: name length uint16, name, data length uint64, data
//	CRC-32C of everything before it, uint32
//
// Its sections are "state" (JSON of [state]), "learner" (learner.Save), "env"
// (env.Vec.Snapshot), "rollout" (the decisions that are not complete), of imitation
// "targets" (what the teacher said of these), of counterfactual rollouts "labels" (those of these), "spread" and "past" (past
// selves), of PPO with a magnet that is a network "magnet", with a league "league", and,
// if exploitability is computed, "average" (the averaged policy).
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

	Warm int `json:"warm,omitempty"` // updates done before the critic of the late game no longer learns alone

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

// errMisnamed is of a checkpoint whose name says another number of decisions than it does itself.
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
	if err := t.matches.Snapshot(&vec); err != nil {
		return fmt.Errorf("checkpoint: environments: %w", err)
	}
	if err := t.rollout.save(&rows); err != nil {
		return fmt.Errorf("checkpoint: open decisions: %w", err)
	}
	st, err := json.Marshal(r.state())
	if err != nil {
		return fmt.Errorf("checkpoint: state: %w", err)
	}
	all := sections{"state": st, "learner": net.Bytes(), "env": vec.Bytes(), "rollout": rows.Bytes()}
	if err := r.algorithm.save(all); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if r.solver != nil {
		if all["average"], err = r.solver.save(); err != nil {
			return fmt.Errorf("checkpoint: average policy: %w", err)
		}
	}

	dir := filepath.Join(r.dir, checkpointsDir)
	name := filepath.Join(dir, saveName(t.steps))
	if err := t.writeWeights(t.learner, name+weightsExt); err != nil {
		return err
	}
	if err := durable.WriteFile(name+checkpointExt, all.encode()); err != nil {
		return err
	}
	if best {
		for _, ext := range []string{weightsExt, checkpointExt} {
			if err := durable.Link(name+ext, filepath.Join(dir, bestName+ext)); err != nil {
				return err
			}
		}
	}
	if err := prune(dir, t.cfg.KeepCheckpoints, t.steps); err != nil {
		r.opt.Warn(err.Error()) // the new one is there: no reason to stop
	}
	return nil
}

// state is what the checkpoint of a run says besides arrays.
func (r *run) state() state {
	t := r.trainer
	return state{
		Game: t.cfg.Game, SchemaHash: t.schemaHash(), Config: string(t.cfg.YAML()),
		Iteration: t.iteration, Steps: t.steps, Trained: t.trained, Episodes: t.episodes, Warm: t.warm,
		Sampling: t.sampling, Shuffling: t.shuffling, Normaliser: t.norm,
		BestScore: r.best, MetricsOffset: r.metrics.offset, Seconds: r.seconds(),
	}
}

const (
	checkpointsDir = "checkpoints"
	checkpointExt  = ".ckpt"
	weightsExt     = ".safetensors"
	bestName       = "best" // without an ending
)

// savedAt reads the name of a numbered checkpoint, or of the weights beside one.
// Only files with such names belong to a run.
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

// numbered lists the checkpoints of a folder, newest first, without "best".
func numbered(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list checkpoints: %w", err)
	}
	at := map[string]int64{}
	for _, e := range entries {
		if steps, ext, ok := savedAt(e.Name()); ok && ext == checkpointExt {
			at[filepath.Join(dir, e.Name())] = steps
		}
	}
	return slices.SortedFunc(maps.Keys(at), func(a, b string) int { return cmp.Compare(at[b], at[a]) }), nil
}

// prune removes all but the newest keep of the checkpoints that a run has saved in a
// folder up to step now, and weights without a checkpoint. Those ahead of now that could not be put
// aside do not count. Files that the run did not name, and what is not a file, are left alone.
func prune(dir string, keep int, now int64) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("remove old checkpoints: %w", err)
	}
	var past []int64 // where checkpoints are
	kept := map[int64]bool{}
	for _, e := range entries {
		steps, ext, ok := savedAt(e.Name())
		switch {
		case !ok || ext != checkpointExt:
		case steps > now:
			kept[steps] = true
		case e.Type().IsRegular():
			past = append(past, steps)
		}
	}
	slices.Sort(past)
	for _, steps := range past[max(0, len(past)-keep):] {
		kept[steps] = true
	}
	for _, e := range entries {
		if steps, _, ok := savedAt(e.Name()); !ok || kept[steps] || !e.Type().IsRegular() {
			continue
		}
		if bad := os.Remove(filepath.Join(dir, e.Name())); bad != nil && !errors.Is(bad, fs.ErrNotExist) {
			err = errors.Join(err, fmt.Errorf("remove old checkpoints: %w", bad))
		}
	}
	return err
}

// newest reads the newest whole checkpoint of a run, passing over, with a
// warning, those that are damaged or cannot be read.
func newest(runDir string, warn func(string)) (sections, state, string, error) {
	dir := filepath.Join(runDir, checkpointsDir)
	files, err := numbered(dir)
	if err != nil {
		return nil, state{}, "", err
	}
	if best := filepath.Join(dir, bestName+checkpointExt); exists(best) {
		files = append(files, best)
	}
	if len(files) == 0 {
		return nil, state{}, "", fmt.Errorf("%s has no checkpoint: want the folder of a run that has come to its first", runDir)
	}
	for i, f := range files {
		s, st, bad := readCheckpoint(f)
		if bad == nil {
			return s, st, f, nil
		}
		if errors.Is(bad, errOtherVersion) || errors.Is(bad, errMisnamed) {
			return nil, state{}, "", bad
		}
		if i+1 < len(files) {
			warn(fmt.Sprintf("%v; falling back to %s", bad, filepath.Base(files[i+1])))
		}
		err = bad
	}
	return nil, state{}, "", fmt.Errorf("%w; it is the last of %d, and none can be used: restore one from a copy, or start a new run", err, len(files))
}

// unusable marks a checkpoint that a run has skipped.
const unusable = ".unusable"

// putAside renames the checkpoints ahead of the one that a run goes on from. They were
// passed over, and what they hold will be done again: should they become readable, they must not
// be taken for the newest.
func putAside(dir string, steps int64, warn func(string)) {
	files, err := numbered(dir)
	if err != nil {
		warn(err.Error())
	}
	for _, f := range files {
		if at, _, _ := savedAt(filepath.Base(f)); at <= steps {
			continue
		}
		if err := os.Rename(f, f+unusable); err != nil {
			warn(fmt.Sprintf("put aside a checkpoint: %v", err))
			continue
		}
		warn(fmt.Sprintf("%s is put aside as %s", f, filepath.Base(f)+unusable))
	}
}

// sweep removes the temporary files that a killed run left.
func sweep(runDir string) error {
	transcript := regexp.MustCompile(`^[0-9]{12,}_.+\.txt$`)
	return errors.Join(
		durable.Sweep(runDir, func(name string) bool { return name == configFile }),
		durable.Sweep(filepath.Join(runDir, checkpointsDir), func(name string) bool {
			_, _, ok := savedAt(name)
			ext := filepath.Ext(name)
			base := strings.TrimSuffix(name, ext)
			return ok || (base == bestName || base == averageName) && (ext == checkpointExt || ext == weightsExt)
		}),
		durable.Sweep(filepath.Join(runDir, transcriptsDir), transcript.MatchString),
	)
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
	return errors.Join(r.does.save(w), r.policy.save(w))
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
	if err := errors.Join(r.does.load(rd, r.n, r.a), r.policy.load(rd, r.n, r.a)); err != nil {
		return fmt.Errorf("open decisions: %w", err)
	}
	return nil
}

// arrays are the parts of the rows that outlive an update.
func (r *rollout) arrays() []any {
	n := r.n
	all := []any{
		r.obs[:n*r.d], r.full[:n*r.f], r.mask[:n*r.a],
		r.action[:n], r.next[:n], r.owner[:n],
		r.logp[:n], r.value[:n], r.reward[:n], r.boot[:n],
		r.met[:n*r.k], r.lead[:min(n, len(r.lead))],
	}
	for _, p := range r.others {
		all = append(all, p.value[:n], p.reward[:n], p.boot[:n])
	}
	return all
}
