package position

import (
	"errors"
	"fmt"
	"strings"
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
