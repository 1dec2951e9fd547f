package cli

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/privateer-rl/privateer/"

// A room is a folder, or a pattern of folders, and the rooms whose packages its own may import.
type room struct {
	name string
	may  []string
}

// rooms is the plan of the house: what a package may import besides packages of its own room.
// The first pattern that matches a package, or a folder above it, is its room. A package that is added
// falls into the room of its folder, so nothing has to be entered here.
var rooms = []room{
	{"engine/games/*/*", []string{"engine", "engine/games/*", "encode"}},       // what a game shows, and its players
	{"engine/games/*", []string{"engine"}},                                     // its rules
	{"engine/games", []string{"engine", "engine/games/*", "engine/games/*/*"}}, // registers all games
	{"engine", nil}, // the contract, the kit, the players of any game
	{"encode/*", []string{"engine", "encode"}}, // trained policies: as bots, as files, the arithmetic of their networks
	{"encode", []string{"engine"}},
	{"env/match", []string{"engine", "encode", "encode/*"}},                // whole matches between players
	{"env/measure", []string{"engine", "encode", "encode/*", "env/match"}}, // what they show of players and games
	{"env", []string{"engine", "encode", "encode/*", "env/match"}},         // the vectorised environment
	{"train/learner", []string{"engine"}},
	{"train/selfplay", []string{"engine", "encode", "encode/*", "env", "env/match", "train/learner"}},
	{"train/*", []string{"engine", "encode", "encode/*", "env", "env/match", "train/learner", "train/selfplay"}}, // the algorithms
	{"train", []string{"engine", "encode", "encode/*", "env", "env/match", "env/measure", "train/learner", "train/selfplay", "train/*"}},
	{"serve/version", nil},
	{"serve/frontend", []string{"engine", "encode", "encode/*", "serve/version"}},                                           // what programs with matches of their own ask
	{"serve/page/replay", []string{"engine"}},                                                                               // pictures and words of a match,
	{"serve/table", []string{"engine", "serve/page/replay", "serve/version"}},                                               // a match with people: both without a server
	{"serve/library", []string{"engine", "engine/games", "encode", "encode/*", "serve", "serve/frontend", "serve/version"}}, // a program of its own, for C
	{"serve/page/wasm", []string{"engine", "engine/games", "encode", "encode/*", "serve/table", "serve/version"}},           // a program of its own, for JavaScript
	{"serve", []string{"engine", "encode", "encode/*", "env", "env/match", "serve/table", "serve/version"}},
	{"cmd/cli", []string{"engine", "encode", "encode/*", "env", "env/match", "env/measure", "train", "train/*", "train/learner", "serve", "serve/frontend", "serve/table", "serve/page/replay", "serve/version"}},
	{"cmd", []string{"engine/games", "cmd/cli"}},
}

// roomOf is the room of a package, one without a name if the plan has none.
func roomOf(pkg string) room {
	for _, r := range rooms {
		for folder := pkg; folder != "."; folder = path.Dir(folder) {
			if match, _ := path.Match(r.name, folder); match {
				return r
			}
		}
	}
	return room{}
}

// imports are the packages of the module that each of its packages imports, by their paths in it, and those
// of other modules, whatever the build tags, tests left out.
func imports(t *testing.T) (found, foreign map[string][]string) {
	found, foreign = map[string][]string{}, map[string][]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() {
			if file != root && (name == "testdata" || name == "runs" || strings.HasPrefix(name, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(relative)
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			own, ok := strings.CutPrefix(name, module)
			host, _, _ := strings.Cut(name, "/")
			switch {
			case ok && !slices.Contains(found[pkg], own):
				found[pkg] = append(found[pkg], own)
			case !ok && strings.Contains(host, ".") && !slices.Contains(foreign[pkg], name):
				foreign[pkg] = append(foreign[pkg], name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found, foreign
}

func TestARoomImportsOnlyTheRoomsBeforeIt(t *testing.T) {
	found, _ := imports(t)
	if len(found["cmd/privateer"]) == 0 || len(found["engine/games"]) == 0 {
		t.Fatal("the packages of the module were not found")
	}
	for pkg, imported := range found {
		own := roomOf(pkg)
		if own.name == "" {
			t.Errorf("%s is in no room: put it into one, or enter its room here", pkg)
		}
		for _, other := range imported {
			if room := roomOf(other); room.name != own.name && !slices.Contains(own.may, room.name) {
				t.Errorf("%s imports %s: what is in %s may import %v", pkg, other, own.name, own.may)
			}
		}
	}
}

// What all games share knows no game: a game is imported only by its own folder and by engine/games, which
// registers it.
func TestNobodyImportsAGameButItsOwnFolder(t *testing.T) {
	found, _ := imports(t)
	games := map[string]bool{}
	for _, pkg := range found["engine/games"] {
		games[path.Dir(pkg)] = true
	}
	if len(games) < 4 {
		t.Fatalf("engine/games registers %v", games)
	}
	for pkg, imported := range found {
		for _, other := range imported {
			for game := range games {
				if (other == game || strings.HasPrefix(other, game+"/")) && pkg != "engine/games" && !strings.HasPrefix(pkg+"/", game+"/") {
					t.Errorf("%s imports the game %s", pkg, other)
				}
			}
		}
	}
}

func TestTheMapOfTheEngineNamesEveryPackage(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "engine", "doc.go"))
	if err != nil {
		t.Fatal(err)
	}
	found, _ := imports(t)
	for pkg := range found {
		name, ok := strings.CutPrefix(pkg, "engine/")
		for _, kind := range []string{"kit/", "games/", "players/"} {
			name = strings.TrimPrefix(name, kind)
		}
		if ok && !strings.Contains(name, "/") && !regexp.MustCompile(`\b`+name+`\b`).Match(doc) {
			t.Errorf("engine/doc.go does not say what %s is for", pkg)
		}
	}
}

// Importing a game brings YAML and nothing else, and loading bundles brings MessagePack and what the processor can do, writing ONNX
// the wire format of protobuf, and data sets Parquet with its compression; what only tests use comes only with the packages for tests.
func TestGamesBringNoModulesButYAML(t *testing.T) {
	_, foreign := imports(t)
	forTests := regexp.MustCompile(`(^|/)[a-z]+test$`)
	for pkg, all := range foreign {
		room := roomOf(pkg).name
		if forTests.MatchString(pkg) || room == "cmd/cli" || strings.HasPrefix(room, "train") || room == "serve" {
			continue
		}
		for _, name := range all {
			ofBundles := pkg == "encode/bundle" && name == "github.com/vmihailenco/msgpack/v5" || pkg == "encode/infer" && name == "golang.org/x/sys/cpu"
			ofONNX := pkg == "encode/bundle/export" && name == "google.golang.org/protobuf/encoding/protowire"
			ofDataSets := pkg == "env/dataset" && (strings.HasPrefix(name, "github.com/parquet-go/parquet-go") || name == "github.com/klauspost/compress/s2")
			if name != "go.yaml.in/yaml/v3" && !ofBundles && !ofONNX && !ofDataSets {
				t.Errorf("%s imports %s", pkg, name)
			}
		}
	}
}
