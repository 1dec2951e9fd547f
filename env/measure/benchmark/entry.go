package benchmark

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/privateer-rl/privateer/encode/bundle"
	"github.com/privateer-rl/privateer/encode/policy"
	"github.com/privateer-rl/privateer/encode/policy/zoo"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/env/match/child"
)

// Files of the folder of an entry.
const (
	ResultFile = "result.json"
	CostsFile  = "costs.json"
	CardFile   = "card.yaml"
)

// Card says what an entry of the leaderboard is.
type Card struct {
	Name      string `yaml:"name"`             // as the leaderboard has it
	Player    string `yaml:"player"`           // a file in the folder, a bot by name, or exec:COMMAND
	By        string `yaml:"by"`               // who
	How       string `yaml:"how"`              // it was made, in a line
	Recipe    string `yaml:"recipe,omitempty"` // runs of one recipe with different seeds share its name
	Seed      uint64 `yaml:"seed,omitempty"`   // of training
	Decisions string `yaml:"decisions"`        // of training; none
	Cost      string `yaml:"cost"`             // of training: machine and time
	Data      string `yaml:"data"`             // that training used, beside the games themselves
	Link      string `yaml:"link,omitempty"`
}

// Entry is a folder of the leaderboard, a submission: its card, what it scored, and what decisions took.
type Entry struct {
	Card
	Folder string
	Result *Result
	Data   []byte // of the result
	Costs  Costs
}

// ReadEntry reads a folder.
func ReadEntry(folder string) (*Entry, error) {
	e := &Entry{Folder: folder}
	path := filepath.Join(folder, CardFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := strictly(data, &e.Card); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, f := range []struct{ name, value string }{
		{"name", e.Name}, {"player", e.Card.Player}, {"by", e.By}, {"how", e.How}, {"decisions", e.Decisions}, {"cost", e.Cost}, {"data", e.Card.Data},
	} {
		if f.value == "" {
			return nil, fmt.Errorf("%s: %s is missing", path, f.name)
		}
	}
	if to, err := url.Parse(e.Link); err != nil || to.Scheme != "" && to.Scheme != "https" && to.Scheme != "http" {
		return nil, fmt.Errorf("%s: link %q: want a page of the web, or a path from the leaderboard", path, e.Link)
	}
	if e.Result, e.Data, e.Costs, err = ReadResult(folder); err != nil {
		return nil, err
	}
	return e, nil
}

// ReadResult reads what a folder keeps of a benchmark: the result, its bytes, and the costs.
func ReadResult(folder string) (*Result, []byte, Costs, error) {
	path := filepath.Join(folder, ResultFile)
	data, err := durable.ReadText(path)
	if err != nil {
		return nil, nil, nil, err
	}
	r, err := Decode(data)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	path = filepath.Join(folder, CostsFile)
	costs := Costs{}
	spent, err := durable.ReadText(path)
	if err == nil {
		if err = json.Unmarshal(spent, &costs); err != nil {
			err = fmt.Errorf("%s is damaged: remove it: %w", path, err)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return r, data, costs, err
}

// WriteResult keeps a benchmark in a folder.
func WriteResult(folder string, r *Result, costs Costs) error {
	data, err := r.Encode()
	if err != nil {
		return err
	}
	spent, err := json.MarshalIndent(costs, "", " ")
	if err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(folder, CostsFile), spent, []byte("\n")); err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(folder, ResultFile), data)
}

// PlayerName names the entry's player from outside its folder, and says whether it is a file or a run there. A name that means a file
// elsewhere is refused: the folder is all that is submitted.
func (e *Entry) PlayerName() (name string, file bool, err error) {
	name = e.Card.Player
	if child.Is(name) {
		return name, false, nil
	}
	root, err := os.OpenRoot(e.Folder)
	if err != nil {
		return "", false, err
	}
	defer root.Close()
	if _, err := root.Stat(name); err == nil {
		return filepath.Join(e.Folder, name), true, nil
	}
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(":=+,()", r) }) {
		if _, err := zoo.Find(part); err == nil {
			continue
		}
		_, err := os.Stat(part) // of a run
		if strings.ContainsAny(part, `/\`) || strings.HasSuffix(part, ".bundle") || bundle.Begins(part) || err == nil && strings.HasPrefix(name, policy.Prefix) {
			return "", false, fmt.Errorf("%s: the player is %s, and there is no file %s in the folder: want a file of the folder, a bot or exec:COMMAND", filepath.Join(e.Folder, CardFile), name, part)
		}
	}
	return name, false, nil
}
