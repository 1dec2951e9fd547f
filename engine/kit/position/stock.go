package position

import (
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

// Stock is what a game has of things that are alike, and every place where they may be. Declared once, it
// computes what is left for the place that a file leaves out, and checks that nothing is lost or made.
type Stock struct {
	Things string   // in faults: "jewels"
	Kinds  []string // their names, if there are several
	Box    []int    // how many there are in the game, by kind
	Rest   Place    // the place of all that are nowhere else; without a path these have left the game
	Places []Place  // the other places
	Known  int      // how many of the kinds, the first, are in the game; 0 for all
	Absent string   // what to say about the other kinds
	Leave  bool     // some may have left the game
}

// Place is where things of a stock may be.
type Place struct {
	Path string   // in a position, "ships[2].jewels"
	Has  []*uint8 // in the state, by kind
}

// Counts is a place for things of several kinds, Count one for things of one kind.
func Counts(path string, has []uint8) Place {
	p := Place{path, make([]*uint8, len(has))}
	for k := range has {
		p.Has[k] = &has[k]
	}
	return p
}

func Count(path string, has *uint8) Place { return Place{path, []*uint8{has}} }

// Shape is what may stand at a place of the stock: a number, or how many there are of each kind.
func (st *Stock) Shape() Shape {
	if st.Kinds == nil {
		return Whole(0, st.Box[0])
	}
	fields := make([]Named, len(st.Kinds))
	for k, name := range st.Kinds {
		fields[k] = Named{name, Whole(0, st.Box[k])}
	}
	return ObjectOf(fields...)
}

// Left is how many are in none of the places but the rest, by kind; negative if there are too many elsewhere.
func (st *Stock) Left() []int {
	left := slices.Clone(st.Box)
	for _, p := range st.Places {
		for k, has := range p.Has {
			left[k] -= int(*has)
		}
	}
	return left
}

// path is where a kind stands at a place.
func (st *Stock) path(p Place, kind int) string {
	if st.Kinds == nil {
		return p.Path
	}
	return p.Path + "." + st.Kinds[kind]
}

// Conserved notes kinds with more or fewer pieces than the game has.
func (f *Faults) Conserved(st *Stock) {
	at := st.Rest
	if at.Path == "" {
		at = st.Places[0]
	}
	for k, n := range st.Left() {
		if st.Rest.Path != "" {
			n -= int(*st.Rest.Has[k])
		}
		if n < 0 || n > 0 && !st.Leave {
			f.Wrong(st.path(at, k), "%d %s in %s: there are %d", st.Box[k]-n, st.Things, st.where(), st.Box[k])
		}
	}
}

// where lists the places, those of a list as one.
func (st *Stock) where() string {
	var paths []string
	for _, p := range append([]Place{st.Rest}, st.Places...) {
		path := p.Path
		if list, rest, is := strings.Cut(path, "["); is {
			_, field, _ := strings.Cut(rest, "]")
			path = list + "[]" + field
		}
		if path != "" && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return strings.Join(paths, ", ")
}

// Take reads how many things of a stock a file places somewhere, in v. Kinds that the file leaves out stay as
// they are there.
func (f *Faults) Take(st *Stock, v *Value, to Place) {
	f.IsObject(v, st.Kinds...)
	for k, name := range st.Kinds {
		at := v.Get(name)
		if f.absent(st, k, at) {
			continue
		}
		n := f.Number(at, 0, st.Box[k], int(*to.Has[k]))
		*to.Has[k] = uint8(n)
		if left := st.Left()[k]; at != nil && n > 0 && left < 0 {
			f.Wrong(at.Path, "%d: with the others that makes %d of the %d %s", n, st.Box[k]-left, st.Box[k], st.Things)
		}
	}
}

// Fill reads what is at the place of the rest: what v says, otherwise what is left.
func (f *Faults) Fill(st *Stock, v *Value) {
	if st.Kinds != nil {
		f.IsObject(v, st.Kinds...)
	}
	for k, left := range st.Left() {
		at := v
		if st.Kinds != nil {
			at = v.Get(st.Kinds[k])
		}
		if f.absent(st, k, at) {
			continue
		}
		*st.Rest.Has[k] = uint8(f.Number(at, 0, st.Box[k], max(0, left)))
	}
}

// absent notes a kind that a file names and the game does not have.
func (f *Faults) absent(st *Stock, kind int, v *Value) bool {
	strange := v != nil && st.Known > 0 && kind >= st.Known
	if strange {
		f.Wrong(v.Path, "%s", st.Absent)
	}
	return strange
}

// Draw takes a random one of what is left, each with equal chance, and returns its kind; -1 if nothing is left.
func Draw(left []int, r *engine.Rand) int {
	all := 0
	for _, n := range left {
		all += max(0, n)
	}
	if all == 0 {
		return -1
	}
	at := r.Intn(all)
	for k, n := range left {
		if at -= max(0, n); at < 0 {
			left[k]--
			return k
		}
	}
	return -1
}

// Pieces are things that exist once each, such as cards, with where a file has placed them.
type Pieces struct {
	Names  []string       // by number, "" for those that are not in the game
	Each   string         // in faults: "card"
	Places map[int]string // paths, by number
}

// Claim reads the name of a piece, which may be in one place only, and returns its number; -1 if there is no such piece.
func (f *Faults) Claim(all *Pieces, v *Value) int {
	i := f.Name(v, all.Names, -1)
	if i < 0 {
		return i
	}
	if at, twice := all.Places[i]; twice {
		f.Wrong(v.Path, "%s is at %s already: there is one of each %s", all.Names[i], at, all.Each)
	}
	all.Places[i] = v.Path
	return i
}
