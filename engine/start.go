package engine

import (
	"fmt"
)

// StartParam is the parameter of games whose matches may all begin at one position: an endgame to practise, or one so
// small that package exploit can measure players of it exactly. Its rules are Seeders.
var StartParam = Param{
	Name: "start", Default: "setup", File: true,
	Help: "a position file at which every match begins, or setup. The position is the same in all matches; later chance comes from the match's seed",
}

// Seeder is what rules of games with StartParam offer beside Rules.
type Seeder[S comparable] interface {
	// Seed gives a match the generator that Reset gives one of this seed, and changes nothing else.
	Seed(s *S, seed uint64)
}

// start is where the matches of a game begin if not at set-up.
type start[S comparable] struct {
	Seeder[S]
	state S
}

// begin sets a match up.
func (g *game[S]) begin(s *S, seed uint64) {
	if g.start == nil {
		g.rules.Reset(s, seed)
		return
	}
	*s = g.start.state
	g.start.Seed(s, seed)
}

// open reads the position that the game string names, if it names one. The error names the file.
func (g *game[S]) open() error {
	path := g.info.start
	if path == "" {
		return nil
	}
	seeder, ok := g.rules.(Seeder[S])
	if !ok {
		return fmt.Errorf("start=%s: matches of %s begin at set-up only", path, g.info.Game)
	}
	file, err := readNamed(path)
	if err != nil {
		return fmt.Errorf("start=%s: %w", path, err)
	}
	at := &start[S]{Seeder: seeder}
	if err := g.rules.SetPosition(&at.state, file); err != nil {
		return fmt.Errorf("start=%s: position: %w", path, err)
	}
	if g.rules.Seat(&at.state) == Over {
		return fmt.Errorf("start=%s: the match is over there: want a position at which somebody is still to act", path)
	}
	g.start = at
	return nil
}
