package search

import (
	"math"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/players/exploit"
)

// Rehearse grows the trees from the beginning of matches instead of from a decision: all seats learn the whole game. It
// continues from what was rehearsed before, until the search decides on something.
func (b *ISMCTS) Rehearse(simulations int, r *engine.Rand) {
	f := &b.forest
	if !b.rehearsed {
		f.begin()
		b.rehearsed = true
	}
	f.roller.until = math.MaxInt
	for range simulations {
		f.luck = r.Split()
		f.world.Reset(f.luck.Uint64())
		clear(f.at)
		f.descend(0)
	}
}

// Rehearsed is the policy that Rehearse has found for a game whose whole tree fits in memory: it takes each action as often
// as it was tried. Where nothing was tried, it is uniform.
func (b *ISMCTS) Rehearsed(t *exploit.Tree) (exploit.Policy, error) {
	w := walk{&b.forest, t.Uniform()}
	m := b.forest.game.NewMatch()
	m.Reset(0)
	return w.policy, w.visit(m, make([]int32, len(b.forest.trees)))
}

// walk goes through a whole game along the trees.
type walk struct {
	*forest
	policy exploit.Policy
}

// visit reads the policy from the history at which m stands, and from all that follow. at is the node of each tree, −1
// where no simulation has been.
func (w *walk) visit(m engine.Match, at []int32) error {
	seat := m.Seat()
	var next []engine.Action
	for _, o := range m.Outcomes(nil) {
		next = append(next, o.Action)
	}
	if seat >= 0 {
		key, err := exploit.Key(m)
		if err != nil {
			return err
		}
		w.read(w.tree(seat), at[w.tree(seat)], w.policy[key])
		for a := m.Legal().First(); a >= 0; a = m.Legal().Next(a) {
			next = append(next, a)
		}
	}
	below, then := w.game.NewMatch(), make([]int32, len(at))
	for _, a := range next {
		for v := range at {
			if then[v] = at[v]; at[v] >= 0 && m.Sight(v, a) != engine.Unseen {
				then[v] = w.trees[v].seek(at[v], eventOf(seat, a, m.Sight(v, a)))
			}
		}
		below.CopyFrom(m)
		apply(below, a)
		if err := w.visit(below, then); err != nil {
			return err
		}
	}
	return nil
}

// read writes how often each action was tried at a node into probs.
func (w *walk) read(tree int, at int32, probs []float64) {
	if at < 0 {
		return
	}
	t, total := &w.trees[tree], 0.0
	for i := t.nodes[at].tries; i >= 0; i = t.tries[i].next {
		total += float64(t.tries[i].n)
	}
	if total == 0 {
		return
	}
	clear(probs)
	for i := t.nodes[at].tries; i >= 0; i = t.tries[i].next {
		probs[t.tries[i].action()] = float64(t.tries[i].n) / total
	}
}
