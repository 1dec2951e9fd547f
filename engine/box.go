package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/privateer-rl/privateer/engine/durable"
)

// ComponentsParam is the parameter of games whose components are a file that can be
// replaced.
var ComponentsParam = Param{Name: "components", Default: "printed", Help: "a YAML file that replaces the built-in component tables", File: true}

// Box is where a game's components, compiled to a T, come from: the built-in file, or
// one that ComponentsParam names. T holds no pointers that anyone writes through.
type Box[T any] struct {
	compile func(file []byte) (*T, error)
	printed func() (*T, error)
}

// NewBox returns the box of a game that compiles component files with compile. The
// built-in file is compiled once, when it is first asked for.
func NewBox[T any](builtIn string, compile func(file []byte) (*T, error)) Box[T] {
	return Box[T]{compile, sync.OnceValues(func() (*T, error) { return compile([]byte(builtIn)) })}
}

// NewPrintedBox returns the box of a game that has its built-in components compiled, as the JSON of a T, and reads no
// other files.
func NewPrintedBox[T any](compiled string) Box[T] {
	return Box[T]{
		func([]byte) (*T, error) { return nil, errors.New("this program has no reader of component files") },
		sync.OnceValues(func() (*T, error) {
			all := new(T)
			return all, json.Unmarshal([]byte(compiled), all)
		}),
	}
}

// Open returns the components that a game string asks for, the caller's own. The error
// names the file.
func (b Box[T]) Open(c Config) (*T, error) {
	path := c.Get(ComponentsParam.Name)
	if path == ComponentsParam.Default {
		all, err := b.printed()
		if err != nil {
			return nil, fmt.Errorf("components.yaml: %w", err)
		}
		own := *all
		return &own, nil
	}
	file, err := readNamed(path)
	if err != nil {
		return nil, fmt.Errorf("components=%s: %w", path, err)
	}
	own, err := b.compile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return own, nil
}

// mostNamed is how long a file that a game string names may be, in bytes. Game strings come in positions, transcripts and bundles of strangers, and
// /dev/zero has no end.
const mostNamed = 16 << 20

// readNamed reads a file that a game string names.
func readNamed(path string) ([]byte, error) {
	f, err := durable.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostNamed+1))
	if err == nil && len(data) > mostNamed {
		err = fmt.Errorf("longer than %d MiB: this is no file of a game", mostNamed>>20)
	}
	if err != nil {
		return nil, err
	}
	return durable.Text(data)
}
