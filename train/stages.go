package train

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/privateer-rl/privateer/engine/durable"
)

// Stages are the runs of one recipe, each of which begins with the weights of the one before. The first of most recipes is the only one.
type Stages []Config

const stagesKey = "stages"

// LoadStages reads a YAML file. Where it has a list under stages, each entry of that is a stage, whose keys replace the file's own. The
// result is not yet validated.
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
	list := valueOf(root, stagesKey)
	if list == nil {
		c, err := parse(root)
		return Stages{c}, err
	}
	if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return nil, fmt.Errorf("configuration, line %d: %s: want a list of configurations", list.Line, stagesKey)
	}
	var all Stages
	for i, own := range list.Content {
		if own.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("configuration, line %d: stage %d: want lines of the form name: value", own.Line, i+1)
		}
		merged := yaml.Node{Kind: yaml.MappingNode, Line: own.Line}
		for k := 0; k+1 < len(root.Content); k += 2 {
			if name := root.Content[k].Value; name != stagesKey && valueOf(own, name) == nil {
				merged.Content = append(merged.Content, root.Content[k:k+2]...)
			}
		}
		merged.Content = append(merged.Content, own.Content...)
		c, err := parse(&merged)
		if err != nil {
			return nil, fmt.Errorf("stage %d: %w", i+1, err)
		}
		if i > 0 && c.InitFrom != "" {
			return nil, fmt.Errorf("stage %d: init_from: it begins with the weights of stage %d: leave it out", i+1, i)
		}
		all = append(all, c)
	}
	return all, nil
}

// valueOf is the value of a key; nil if there is none.
func valueOf(of *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(of.Content); i += 2 {
		if of.Content[i].Value == key {
			return of.Content[i+1]
		}
	}
	return nil
}

// yaml is what parseStages reads back.
func (s Stages) yaml() []byte {
	if len(s) == 1 {
		return s[0].YAML()
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s:\n", stagesKey)
	for _, c := range s {
		text := strings.TrimSuffix(string(c.YAML()), "\n")
		b.WriteString("  - " + strings.ReplaceAll(text, "\n", "\n    ") + "\n")
	}
	return b.Bytes()
}

// Run is [Run] for each stage. Of several, the run folder has one for each: 1-imitation, 2-ppo. The summary is that of the last.
func (s Stages) Run(ctx context.Context, opt Options) (Summary, error) {
	if len(s) == 1 {
		return Run(ctx, s[0], opt)
	}
	opt = opt.withDefaults()
	for i := range s {
		if err := s[i].Validate(); err != nil {
			return Summary{}, fmt.Errorf("configuration: stage %d: %w", i+1, err)
		}
	}
	dir, err := newRunFolder(opt.Root, s[0])
	if err != nil {
		return Summary{}, err
	}
	if err := durable.WriteFile(filepath.Join(dir, configFile), s.yaml()); err != nil {
		return Summary{}, err
	}
	return s.goOn(ctx, dir, nil, opt)
}

// goOn trains the stages of a folder that are not at their end.
func (s Stages) goOn(ctx context.Context, dir string, edit func(*Config) error, opt Options) (sum Summary, err error) {
	for i, c := range s {
		opt.dir = s.folder(dir, i)
		if hasCheckpoint(opt.dir) {
			sum, err = Resume(ctx, opt.dir, edit, opt)
		} else {
			if i > 0 {
				c.InitFrom = sum.Dir
			}
			if edit != nil {
				err = edit(&c)
			}
			if err == nil {
				sum, err = Run(ctx, c, opt)
			}
		}
		if err != nil {
			sum.Dir = dir // is what can be resumed
			return sum, fmt.Errorf("stage %d of %d: %w", i+1, len(s), err)
		}
	}
	sum.Dir = dir
	return sum, nil
}

// folder is that of a stage, from 0, in the run folder.
func (s Stages) folder(dir string, i int) string {
	return filepath.Join(dir, fmt.Sprintf("%d-%s", i+1, s[i].Algorithm))
}

// newestStage is the folder of the last stage that has begun; the folder itself if it has no stages.
func newestStage(dir string) string {
	s, err := LoadStages(filepath.Join(dir, configFile))
	if err != nil || len(s) == 1 {
		return dir
	}
	for i := range slices.Backward(s) {
		if stage := s.folder(dir, i); hasCheckpoint(stage) {
			return stage
		}
	}
	return dir
}

func hasCheckpoint(dir string) bool {
	files, _ := numbered(filepath.Join(dir, checkpointsDir))
	return len(files) > 0
}
