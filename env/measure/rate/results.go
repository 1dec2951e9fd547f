package rate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/durable"
	"github.com/privateer-rl/privateer/engine/players/bots"
	"github.com/privateer-rl/privateer/env/match"
)

// Results is all that the players of one game have done, in a file of JSON lines that is only ever added to. What
// Play has returned from is on the disk; of an addition that was cut short nothing counts.
type Results struct {
	Game    string
	Seats   int
	Seed    uint64
	Players []Known // in the order in which they joined
	Deals   []Deal
	Alone   []Alone
	Costs   map[string]match.Cost
	Faults  map[string]bots.Faults // of players that are other programs

	path string   // "": kept in memory only
	end  int64    // of what counts in the file
	sum  uint32   // of that
	lock *os.File // keeps other processes from the file, where there are locks
}

// Known is a player with results.
type Known struct {
	Name   string `json:"name"`
	Digest string `json:"digest,omitempty"` // of what plays, where that is a file
}

// Deal is one table on one deal, played once for each seat.
type Deal struct {
	Deal    uint64      `json:"deal"`
	Players []string    `json:"players"` // player i has seat (i + r) mod n in rotation r
	Places  [][]int     `json:"places"`  // by rotation and player: 1 is first, the tied share the better place
	Points  [][]float64 `json:"points"`
}

// Alone is one player against another in all other seats, on one deal, once from each seat.
type Alone struct {
	Deal   uint64    `json:"deal"`
	One    string    `json:"one"`
	Others string    `json:"others"`
	Wins   []float64 `json:"wins"` // by the seat of the one
}

// line is one line of the file: one of these.
type line struct {
	Table  *header    `json:"table,omitempty"`
	Player *Known     `json:"player,omitempty"`
	Mixed  *Deal      `json:"mixed,omitempty"`
	Alone  *Alone     `json:"alone,omitempty"`
	Cost   *costLine  `json:"cost,omitempty"`
	Faults *faultLine `json:"faults,omitempty"`

	// Sum is the checksum of the file up to here. Files of earlier releases begin with lines that have none.
	Sum *uint32 `json:"sum,omitempty"`
}

// sumStart is how the sum of a line starts, with which the line ends.
const sumStart = `,"sum":`

var errAltered = errors.New("this line, or one before it, is not as it was written: name another file, or take this one from a copy")

type header struct {
	Format int    `json:"format"`
	Game   string `json:"game"`
	Seed   uint64 `json:"seed"`
}

type costLine struct {
	Player string `json:"player"`
	match.Cost
}

type faultLine struct {
	Player string `json:"player"`
	bots.Faults
}

const format = 1

// New are results that are kept in memory only.
func New(game string, seed uint64) (*Results, error) {
	g, err := engine.NewGame(game)
	if err != nil {
		return nil, err
	}
	return &Results{Game: g.Info().Config, Seats: g.Info().Seats, Seed: seed, Costs: map[string]match.Cost{}, Faults: map[string]bots.Faults{}}, nil
}

// Open reads a file of results, or begins one, and keeps other processes from it until Close. An empty game, or a seed of 0,
// takes what the file has; any other must agree with it.
func Open(path, game string, seed uint64) (*Results, error) {
	r, err := open(path, game, seed)
	if err != nil {
		return nil, fmt.Errorf("results %s: %w", path, err)
	}
	return r, nil
}

func open(path, game string, seed uint64) (*Results, error) {
	if f, err := durable.Open(path); err == nil {
		f.Close()
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	lock, err := durable.Lock(path)
	if errors.Is(err, os.ErrNotExist) {
		if err := create(path, game); err != nil {
			return nil, err
		}
		lock, err = durable.Lock(path)
	}
	if errors.Is(err, durable.ErrLocked) {
		return nil, fmt.Errorf("%w: begin again when it has ended, or name another file", err)
	}
	r, err := read(path, game, seed) // if the file system has no locks, its users must see to that
	if err != nil {
		lock.Close()
		return nil, err
	}
	r.lock = lock
	return r, nil
}

// Close lets other processes have the file.
func (r *Results) Close() error {
	if r.lock == nil {
		return nil
	}
	return r.lock.Close()
}

var errNone = errors.New("there is none yet, and no game is given to begin one")

// create makes the empty file of results of a game that there is.
func create(path, game string) error {
	if game == "" {
		return errNone
	}
	if _, err := engine.NewGame(game); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	return f.Close()
}

// headerStart is how a file of results starts.
const headerStart = `{"table":`

// read takes in what the file has, and begins it if it has nothing.
func read(path, game string, seed uint64) (*Results, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if text, err := durable.Text(data); err != nil || len(text) != len(data) {
		return nil, errors.New("it is not saved as it was written, but as UTF-16 or with a byte order mark: save it as UTF-8 without one")
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1] // beyond it is what a crash has left of an addition
	if len(whole) == 0 {
		if n := min(len(data), len(headerStart)); string(data[:n]) != headerStart[:n] {
			return nil, errors.New("it is no file of results: name another")
		}
		if game == "" {
			return nil, errNone
		}
		r, err := New(game, max(seed, 1))
		if err != nil {
			return nil, err
		}
		r.path = path
		return r, r.append(line{Table: &header{format, r.Game, r.Seed}})
	}
	var r *Results
	var sum uint32
	summed := false
	for i, text := range bytes.SplitAfter(whole, []byte("\n")) {
		if len(text) == 0 {
			break
		}
		var l line
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&l); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if at := bytes.LastIndex(text, []byte(sumStart)); l.Sum == nil && summed || l.Sum != nil && (at < 0 || durable.Checksum(sum, text[:at]) != *l.Sum) {
			return nil, fmt.Errorf("line %d: %w", i+1, errAltered)
		}
		sum, summed = durable.Checksum(sum, text), l.Sum != nil
		if i == 0 {
			if r, err = begin(l.Table, game, seed); err != nil {
				return nil, fmt.Errorf("line 1: %w", err)
			}
			continue
		}
		if err := r.take(l); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	r.path, r.end, r.sum = path, int64(len(whole)), sum
	return r, nil
}

// begin checks the first line against what is asked for.
func begin(h *header, game string, seed uint64) (*Results, error) {
	if h == nil || h.Format != format {
		return nil, fmt.Errorf("these are no results of format %d", format)
	}
	r, err := New(h.Game, h.Seed)
	if err != nil {
		return nil, err
	}
	if game != "" {
		asked, err := New(game, seed)
		if err != nil {
			return nil, err
		}
		if asked.Game != r.Game {
			return nil, fmt.Errorf("the results are of %s, not of %s", r.Game, asked.Game)
		}
	}
	if seed != 0 && seed != r.Seed {
		return nil, fmt.Errorf("the results are of seed %d, not of %d", r.Seed, seed)
	}
	return r, nil
}

// take adds what a line says.
func (r *Results) take(l line) error {
	switch {
	case l.Player != nil:
		if r.index(l.Player.Name) >= 0 {
			return fmt.Errorf("player %s joins twice", l.Player.Name)
		}
		r.Players = append(r.Players, *l.Player)
	case l.Mixed != nil:
		if err := r.check(l.Mixed); err != nil {
			return err
		}
		r.Deals = append(r.Deals, *l.Mixed)
	case l.Alone != nil:
		if r.index(l.Alone.One) < 0 || r.index(l.Alone.Others) < 0 || len(l.Alone.Wins) != r.Seats {
			return fmt.Errorf("%s among %s: want players that have joined and a result for each seat", l.Alone.One, l.Alone.Others)
		}
		r.Alone = append(r.Alone, *l.Alone)
	case l.Cost != nil:
		r.Costs[l.Cost.Player] = r.Costs[l.Cost.Player].Plus(l.Cost.Cost)
	case l.Faults != nil:
		r.Faults[l.Faults.Player] = r.Faults[l.Faults.Player].Plus(l.Faults.Faults)
	case l.Table != nil:
		return errors.New("another file of results begins here: want a file for each")
	default:
		return errors.New("it says nothing")
	}
	return nil
}

func (r *Results) check(d *Deal) error {
	for _, name := range d.Players {
		if r.index(name) < 0 {
			return fmt.Errorf("deal %d: %s has not joined", d.Deal, name)
		}
	}
	if n := len(r.Deals); n > 0 && d.Deal <= r.Deals[n-1].Deal {
		return fmt.Errorf("deal %d is there already", d.Deal)
	}
	if len(d.Players) != r.Seats || len(d.Places) == 0 {
		return fmt.Errorf("deal %d: %d players and %d rotations of %d seats", d.Deal, len(d.Players), len(d.Places), r.Seats)
	}
	for _, places := range d.Places {
		if len(places) != r.Seats || slices.Min(places) < 1 || slices.Max(places) > r.Seats {
			return fmt.Errorf("deal %d: places %v of %d seats", d.Deal, places, r.Seats)
		}
	}
	return nil
}

// index is the number of a player, −1 for a player that has not joined.
func (r *Results) index(name string) int {
	return slices.IndexFunc(r.Players, func(k Known) bool { return k.Name == name })
}

// append writes lines behind what counts in the file, and is done when the disk has them.
func (r *Results) append(lines ...line) error {
	if r.path == "" || len(lines) == 0 {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	sum, begun := r.sum, 0
	for _, l := range lines {
		if err := e.Encode(l); err != nil {
			return err
		}
		b.Truncate(b.Len() - len("}\n"))
		sum = durable.Checksum(sum, b.Bytes()[begun:])
		begun = b.Len()
		fmt.Fprintf(&b, "%s%d}\n", sumStart, sum)
	}
	sum = durable.Checksum(sum, b.Bytes()[begun:])
	f, err := os.OpenFile(r.path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Truncate(r.end); err != nil {
		return err
	}
	if _, err := f.Seek(r.end, io.SeekStart); err != nil {
		return err
	}
	if _, err := f.Write(b.Bytes()); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	r.end, r.sum = r.end+int64(b.Len()), sum
	return nil
}
