package position

import (
	"errors"
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// Faults are the things that are wrong with a position.
type Faults struct{ List []string }

// Wrong notes what is wrong at a path of the position, and how to put it right.
func (f *Faults) Wrong(path, format string, args ...any) {
	f.List = append(f.List, path+": "+fmt.Sprintf(format, args...))
}

// Err names the first few faults in one line, or is nil.
func (f *Faults) Err() error {
	const most = 4
	switch n := len(f.List); {
	case n == 0:
		return nil
	case n <= most:
		return errors.New(strings.Join(f.List, "; "))
	default:
		return fmt.Errorf("%s (and %d more)", strings.Join(f.List[:most], "; "), n-most)
	}
}

// SameGame notes a position of another game than config. Who decides chance, whether
// forced moves are shown, and the parameters in ignoring, which map to the values
// that they have here, make no difference to a position.
func (f *Faults) SameGame(v *Value, config string, ignoring ...string) {
	if v == nil {
		return
	}
	set := append([]string{"chance", "sampled", "forced", "skip"}, ignoring...)
	want, err := engine.With(config, set...)
	if err != nil {
		want = config
	}
	if v.Kind != '"' {
		f.Wrong(v.Path, "%s: want a game string, %q", v.What(), want)
		return
	}
	if got, err := engine.With(v.Text, set...); err != nil {
		f.Wrong(v.Path, "%v", err)
	} else if got != want {
		f.Wrong(v.Path, "a position of %s in a match of %s: make the match from the file's game", got, want)
	}
}
