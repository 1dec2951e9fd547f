package train

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/train/imitation"
	"github.com/privateer-rl/privateer/train/selfplay"
)

// Stages are the stages of one recipe; most recipes have one.
type Stages []Stage

// Stage is one run, or one for each of several seeds, the configuration's and those after it. Each begins with the weights of the stage
// before, by the same seed if that had as many.
type Stage struct {
	Config
	Seeds int
}

const (
	stagesKey = "stages"
	seedsKey  = "seeds" // in a stage
	mostSeeds = 16
)

// LoadStages reads a YAML file. If it has a list under stages, each entry is a stage, whose keys replace the file's own. LoadStages
// does not validate the result.
func LoadStages(path string) (Stages, error) {
	data, err := durable.ReadText(path)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	s, err := parseStages(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func parseStages(data []byte) (Stages, error) {
	root, err := mapping(data)
	if err != nil {
		return nil, err
	}
	if err := once("", root); err != nil {
		return nil, err
	}
	list := valueOf(root, stagesKey)
	if list == nil {
		c, err := parse(root)
		return Stages{{c, 1}}, err
	}
	if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return nil, fmt.Errorf("configuration, line %d: %s: want a list of configurations", list.Line, stagesKey)
	}
	var all Stages
	for i, own := range list.Content {
		if own.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("configuration, line %d: stage %d: want lines of the form name: value", own.Line, i+1)
		}
		if err := once("", own); err != nil {
			return nil, fmt.Errorf("stage %d: %w", i+1, err)
		}
		merged := yaml.Node{Kind: yaml.MappingNode, Line: own.Line}
		for k := 0; k+1 < len(root.Content); k += 2 {
			if name := root.Content[k].Value; name != stagesKey && valueOf(own, name) == nil {
				merged.Content = append(merged.Content, root.Content[k:k+2]...)
			}
		}
		stage := Stage{Seeds: 1}
		for k := 0; k+1 < len(own.Content); k += 2 {
			if own.Content[k].Value != seedsKey {
				merged.Content = append(merged.Content, own.Content[k:k+2]...)
			} else if n := own.Content[k+1]; take(seedsKey, n, reflect.ValueOf(&stage.Seeds).Elem()) != nil || stage.Seeds < 1 || stage.Seeds > mostSeeds {
				return nil, fmt.Errorf("configuration, line %d: stage %d: %s: want a number of seeds from 1 to %d", n.Line, i+1, seedsKey, mostSeeds)
			}
		}
		c, err := parse(&merged)
		if err != nil {
			return nil, fmt.Errorf("stage %d: %w", i+1, err)
		}
		if i > 0 && c.InitFrom != "" {
			return nil, fmt.Errorf("stage %d: init_from: it begins with the weights of stage %d: leave it out", i+1, i)
		}
		stage.Config = c
		all = append(all, stage)
	}
	return all, nil
}

// one reports whether there is but one run.
func (s Stages) one() bool { return len(s) == 1 && s[0].Seeds == 1 }

// valueOf is the value of a key; nil if there is none.
func valueOf(of *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(of.Content); i += 2 {
		if of.Content[i].Value == key {
			return of.Content[i+1]
		}
	}
	return nil
}

// yaml returns the text that parseStages reads back.
func (s Stages) yaml() []byte {
	if s.one() {
		return s[0].YAML()
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s:\n", stagesKey)
	for _, stage := range s {
		text := strings.TrimSuffix(string(stage.YAML()), "\n")
		if stage.Seeds > 1 {
			text = fmt.Sprintf("%s: %d\n%s", seedsKey, stage.Seeds, text)
		}
		b.WriteString("  - " + strings.ReplaceAll(text, "\n", "\n    ") + "\n")
	}
	return b.Bytes()
}

// Run is [Run] for each stage. Of several, the run folder has one for each, 1-imitation and 2-ppo, and of several seeds 1-ppo-seed1 and
// 1-ppo-seed2. The summary is that of the last.
func (s Stages) Run(ctx context.Context, opt Options) (Summary, error) {
	if s.one() {
		return Run(ctx, s[0].Config, opt)
	}
	opt = opt.withDefaults()
	for i := range s {
		if err := s.check(i, opt); err != nil {
			return Summary{}, fmt.Errorf("configuration: stage %d: %w", i+1, err)
		}
	}
	dir, err := newRunFolder(opt.Root, s[0].Config)
	if err != nil {
		return Summary{}, err
	}
	if err := durable.WriteFile(filepath.Join(dir, configFile), s.yaml()); err != nil {
		return Summary{}, err
	}
	return s.goOn(ctx, dir, nil, opt)
}

// goOn trains the unfinished stages of a folder.
func (s Stages) goOn(ctx context.Context, dir string, edit func(*Config) error, opt Options) (sum Summary, err error) {
	for i, stage := range s {
		for k := range stage.Seeds {
			if sum, err = s.train(ctx, dir, i, k, edit, opt); err != nil {
				sum.Dir = dir // is what can be resumed
				if stage.Seeds > 1 {
					err = fmt.Errorf("seed %d of %d: %w", k+1, stage.Seeds, err)
				}
				return sum, fmt.Errorf("stage %d of %d: %w", i+1, len(s), err)
			}
		}
	}
	sum.Dir = dir
	return sum, nil
}

// train begins a run of a stage, or continues it; k counts the stage's seeds from 0.
func (s Stages) train(ctx context.Context, dir string, i, k int, edit func(*Config) error, opt Options) (Summary, error) {
	opt.dir = s.folder(dir, i, k)
	if hasCheckpoint(opt.dir) {
		return Resume(ctx, opt.dir, edit, opt)
	}
	c := s[i].Config
	if c.Seed += uint64(k); i > 0 {
		c.InitFrom = s.folder(dir, i-1, k%s[i-1].Seeds)
	}
	if ofStages(c.Settings) != nil {
		if err := s.teach(dir, i, opt); err != nil {
			return Summary{}, fmt.Errorf("teacher: %w", err)
		}
	}
	if edit != nil {
		if err := edit(&c); err != nil {
			return Summary{}, err
		}
	}
	return Run(ctx, c, opt)
}

// check refuses what would stop stage i after those before it have trained.
func (s Stages) check(i int, opt Options) error {
	c := &s[i].Config
	if err := c.Validate(); err != nil {
		return err
	}
	if learns, ok := c.Settings.(*imitation.Settings); ok {
		if err := s.checkTeacher(i, learns, opt.Root); err != nil {
			return err
		}
	}
	if i > 0 {
		if err := fits(&s[i-1].Config.Config, &c.Config); err != nil {
			return fmt.Errorf("it begins with the weights of stage %d, which %w", i, err)
		}
	}
	r := &run{opt: opt}
	defer r.close()
	return r.equip(*c)
}

// checkTeacher refuses a teacher, or data, that stage i could not learn from.
func (s Stages) checkTeacher(i int, learns *imitation.Settings, root string) error {
	if !learns.OfStages() {
		return learns.Check(&s[i].Config.Config)
	}
	from := s.teachers(root, i)
	if len(from) == 0 {
		return fmt.Errorf("teacher: %s: there is no stage before that did not imitate", imitation.Stages)
	}
	if _, err := together(from); err != nil {
		return fmt.Errorf("teacher: %w", err)
	}
	with := *learns // any other player in their place, of which hard targets are enough
	with.Teacher, with.Targets = learns.Named("random"), imitation.Default().Targets
	return with.Check(&s[i].Config.Config)
}

// fits refuses a network that cannot begin with the weights of another.
func fits(before, c *selfplay.Config) error {
	if before.Network != c.Network {
		return fmt.Errorf("has the network %s, not %s", before.Network, c.Network)
	}
	if err := sameViews(before, c); err != nil {
		return err
	}
	e, err := encoderOf(c.Game)
	if err != nil {
		return err
	}
	then, now := before.Learner(e), c.Learner(e)
	if !slices.Equal(then.Hidden, now.Hidden) || !slices.Equal(then.RowHidden, now.RowHidden) {
		return fmt.Errorf("has hidden %v and row_hidden %v, not %v and %v", before.Hidden, before.RowHidden, c.Hidden, c.RowHidden)
	}
	return nil
}

// ofStages is a copy of settings whose teacher is the stages before; nil of others.
func ofStages(of Settings) *imitation.Settings {
	learnt, ok := of.(*imitation.Settings)
	if !ok || !learnt.OfStages() {
		return nil
	}
	own := *learnt
	return &own
}

// teachers are the folders of the runs before stage i that did not imitate.
func (s Stages) teachers(dir string, i int) (from []string) {
	for j, stage := range s[:i] {
		if _, imitates := stage.Settings.(*imitation.Settings); imitates {
			continue
		}
		for k := range stage.Seeds {
			from = append(from, s.folder(dir, j, k))
		}
	}
	return from
}

// teach puts the policies of the teachers of stage i into the folder of a run of it.
func (s Stages) teach(dir string, i int, opt Options) error {
	to := filepath.Join(opt.dir, teacherDir)
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, from := range s.teachers(dir, i) {
		b, _, err := Export(from, ExportOptions{Warn: opt.Warn})
		if err == nil {
			err = b.Save(filepath.Join(to, filepath.Base(from)+bundle.Ext))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// taught are the settings of a run. If its teacher is the stages before, that is their policies in its folder, wherever that is now. At each
// table those teach that have trained at one of as many seats, which the others know badly; if none has, all do.
func taught(c *Config, dir string) (Settings, error) {
	own := ofStages(c.Settings)
	if own == nil || dir == "" {
		return c.Settings, nil
	}
	all, at, err := bySeats(filepath.Join(dir, teacherDir))
	if err != nil {
		return nil, fmt.Errorf("teacher: %w", err)
	}
	players := map[string]string{}
	for _, game := range c.All() {
		n, err := seatsOf(game)
		if err != nil {
			return nil, err
		}
		teach := at[n]
		if len(teach) == 0 {
			teach = all
		}
		if players[game], err = together(teach); err != nil {
			return nil, fmt.Errorf("teacher: %w", err)
		}
	}
	own.TaughtBy(players)
	return own, nil
}

// bySeats are the files of the policies in a folder, and of those that have trained at tables of each number of seats.
func bySeats(dir string) (all []string, at map[int][]string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	at = map[int][]string{}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != bundle.Ext {
			continue
		}
		file := filepath.Join(dir, e.Name())
		b, err := bundle.Load(file)
		if err != nil {
			return nil, nil, err
		}
		of, err := TrainingOf(b)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, file)
		for _, game := range of.Games {
			n, err := seatsOf(game)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", file, err)
			}
			if !slices.Contains(at[n], file) {
				at[n] = append(at[n], file)
			}
		}
	}
	return all, at, nil
}

// seatsOf is how many seats a game has.
func seatsOf(game string) (int, error) {
	g, err := engine.NewGame(game)
	if err != nil {
		return 0, err
	}
	return g.Info().Seats, nil
}

// together is the name of the policies in files as one player.
func together(files []string) (string, error) {
	name := policy.Prefix + strings.Join(files, policy.Joint)
	if len(files) > 1 && len(policy.Members(name)) != len(files) {
		return "", fmt.Errorf("%s: %s in a path joins policies: want a folder without it for runs", files[0], policy.Joint)
	}
	return name, policy.CheckMembers(name)
}

// folder is that of a run of stage i, from 0, in the run folder; k counts the stage's seeds, from 0.
func (s Stages) folder(dir string, i, k int) string {
	name := fmt.Sprintf("%d-%s", i+1, s[i].Algorithm)
	if s[i].Seeds > 1 {
		name += fmt.Sprintf("-seed%d", s[i].Seed+uint64(k))
	}
	return filepath.Join(dir, name)
}

// newestStage is the folder of the last run of a stage that has begun; the folder itself if it has no stages.
func newestStage(dir string) string {
	s, err := LoadStages(filepath.Join(dir, configFile))
	if err != nil || s.one() {
		return dir
	}
	for i := range slices.Backward(s) {
		for k := s[i].Seeds - 1; k >= 0; k-- {
			if stage := s.folder(dir, i, k); hasCheckpoint(stage) {
				return stage
			}
		}
	}
	return dir
}

func hasCheckpoint(dir string) bool {
	files, _ := numbered(filepath.Join(dir, checkpointsDir))
	return len(files) > 0
}
