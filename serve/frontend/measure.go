package frontend

import (
	"context"
	"errors"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/exploit"
)

// maxTree is how many nodes the tree of a game may have. Larger games of ours are larger by far; an answer about their information
// sets would be hundreds of megabytes.
const maxTree = 100_000

// mostSteps is how many steps an answer may take; they are minutes in the largest tree.
const mostSteps = 1_000_000

// whole is the tree of the game.
func (g *game) whole() (*exploit.Tree, error) {
	if g.tree != nil {
		return g.tree, nil
	}
	tree, err := exploit.Build(g.Game)
	if err != nil && !errors.Is(err, exploit.ErrTooLarge) {
		// Views that forget: seats recall there what they have done.
		tree, err = exploit.BuildWithin(context.Background(), g.Game, maxTree)
	}
	if err != nil {
		return nil, because(tooLarge, "game", err)
	}
	g.tree = tree
	return tree, nil
}

// setAnswer is an information set as a program sees it.
type setAnswer struct {
	Key         string          `json:"key"`
	Seat        int             `json:"seat"`
	Legal       []engine.Action `json:"legal"`
	Observation []byte          `json:"observation"`
}

// sets are the information sets of the game.
func (g *game) sets(*question) (any, error) {
	tree, err := g.whole()
	if err != nil {
		return nil, err
	}
	var all []setAnswer
	for _, s := range tree.InfoSets() {
		one := setAnswer{Key: s.Key, Seat: s.Seat, Observation: g.observe(s.Match, s.Seat)}
		for a := s.Legal.First(); a >= 0; a = s.Legal.Next(a) {
			one.Legal = append(one.Legal, a)
		}
		all = append(all, one)
	}
	return all, nil
}

// nashConv is the distance of a policy from an equilibrium.
func (g *game) nashConv(q *question) (any, error) {
	tree, err := g.whole()
	if err != nil {
		return nil, err
	}
	sets := tree.InfoSets()
	if len(q.Policy) != len(sets) {
		return nil, refuse(badQuestion, "policy", "a policy for %d information sets: %s has %d", len(q.Policy), g.Info().Config, len(sets))
	}
	policy := exploit.Policy{}
	for i, s := range sets {
		policy[s.Key] = q.Policy[i]
	}
	measured, err := tree.NashConv(policy)
	return measured, because(badQuestion, "policy", err)
}

// solve is a policy close to an equilibrium.
func (g *game) solve(q *question) (any, error) {
	if q.Steps < 0 || q.Steps > mostSteps {
		return nil, refuse(badQuestion, "steps", "steps: %d: want a whole number from 0 to %d", q.Steps, mostSteps)
	}
	tree, err := g.whole()
	if err != nil {
		return nil, err
	}
	solver := tree.NewSolver()
	for range max(q.Steps, 1) {
		solver.Step()
	}
	found, sets := solver.Policy(), tree.InfoSets()
	policy := make([][]float64, len(sets))
	for i, s := range sets {
		policy[i] = found[s.Key]
	}
	return policy, nil
}
