package train

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine/durable"
)

// The contents of a run folder, besides the names of checkpoints.
const (
	configFile     = "config.yaml"
	metricsFile    = "metrics.jsonl"
	eventsPrefix   = "events.out.tfevents."
	checkpointsDir = "checkpoints"
	transcriptsDir = "transcripts" // a match of each evaluation against each bot
	teacherDir     = "teacher"     // of a stage that learns from those before: their policies

	bestName    = "best"    // checkpoint of the best evaluation, without an ending
	averageName = "average" // of the network that learnt the average policy, likewise
)

// newRunFolder makes a folder that did not exist.
func newRunFolder(root string, cfg Config) (string, error) {
	// Game strings have parentheses and commas, which shells do not like in names.
	game := strings.Trim(strings.Map(func(c rune) rune {
		if c == '(' || c == ',' || c == '=' || c == ')' || c == '/' || c == ' ' {
			return '-'
		}
		return c
	}, cfg.Game), "-")
	name := strings.ReplaceAll(fmt.Sprintf("%s__%s__%d", game, cfg.Exp, cfg.Seed), policy.Joint, "-") // which would join policies
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", fmt.Errorf("make run folder: %w", err)
	}
	for at := time.Now().Unix(); ; at++ {
		dir := filepath.Join(root, fmt.Sprintf("%s__%d", name, at))
		err := os.Mkdir(dir, 0o755)
		if os.IsExist(err) {
			continue // taken by a run that began in the same second
		}
		if err != nil {
			return "", fmt.Errorf("make run folder: %w", err)
		}
		return dir, nil
	}
}

// Missing returns the error for a name that is neither a player nor a readable policy file, with the reason.
func Missing(name string, err error) error {
	if _, version := zoo.Find(name); version != nil && !errors.Is(version, zoo.ErrUnknown) {
		return version // that the program does not have
	}
	hint := ""
	if errors.Is(err, fs.ErrNotExist) && filepath.Ext(name) == "" && !strings.ContainsAny(name, `/\`) {
		hint = fmt.Sprintf(" (and the program has no policy of that name: it has %s)", strings.Join(zoo.Names(), ", "))
	}
	var reason *fs.PathError
	if errors.As(err, &reason) {
		err = reason.Err
	}
	return fmt.Errorf("%s is no bundle, run or checkpoint: %w%s", name, err, hint)
}

// IsRun reports whether a folder has checkpoints of a run.
func IsRun(path string) bool { return exists(filepath.Join(newestStage(path), checkpointsDir)) }

// Wrote reports whether an existing file has the name of one that runs write and read again: a checkpoint, the weights beside one, or what lies at
// the top of a run folder.
func Wrote(path string) bool {
	name, ext := filepath.Base(path), filepath.Ext(path)
	return exists(path) && (ext == checkpointExt || ext == weightsExt && exists(strings.TrimSuffix(path, ext)+checkpointExt) ||
		name == configFile || name == metricsFile || strings.HasPrefix(name, eventsPrefix))
}

// findCheckpoint reads a checkpoint file, or of a run folder the network of the average policy if it is the least exploitable, else the
// best checkpoint if one was evaluated, else the newest; from is the file that was read. Of several stages it is the last one's.
func findCheckpoint(path string, warn func(string)) (s sections, st state, from string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, st, path, Missing(path, err)
	}
	if !info.IsDir() {
		s, st, err = readCheckpoint(path)
		return s, st, path, err
	}
	path = newestStage(path)
	for _, c := range []struct{ name, next string }{{averageName, "best"}, {bestName, "newest"}} {
		from = filepath.Join(path, checkpointsDir, c.name+checkpointExt)
		s, st, err = readCheckpoint(from)
		if err == nil {
			return s, st, from, nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			warn(fmt.Sprintf("%v; falling back to the %s checkpoint", err, c.next))
		}
	}
	return newest(path, warn)
}

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

// prune removes all but the newest keep of the checkpoints that a run has saved in a folder up to step now, and weights without a
// checkpoint. Those ahead of now that could not be put aside do not count. What is not a file with a run's name is left alone.
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

// newest reads the newest intact checkpoint of a run, and skips with a warning those that are damaged or cannot be read.
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
		return nil, state{}, "", fmt.Errorf("%s has no checkpoint: want the folder of one run, after its first checkpoint", runDir)
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

// putAside renames the skipped checkpoints ahead of the one that a run continues from. Their updates will be done again: should they become
// readable, they must not be taken for the newest.
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
		durable.Sweep(filepath.Join(runDir, teacherDir), func(name string) bool { return filepath.Ext(name) == bundle.Ext }),
	)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// forgetAverage removes the network of the average of the same run when it was shorter.
func forgetAverage(runDir string) error {
	for _, ext := range []string{checkpointExt, weightsExt} {
		if err := os.Remove(filepath.Join(runDir, checkpointsDir, averageName+ext)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the average of the shorter run: %w", err)
		}
	}
	return nil
}
