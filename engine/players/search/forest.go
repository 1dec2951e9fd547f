package search

import (
	"encoding/binary"
	"math"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/portable"
)

// forest are the trees of an information-set search. A tree belongs to one observer, and its nodes are that observer's histories
// since the root: an edge is an event as the observer sees it, so that events that look alike lead to the same node,
// and an unseen event leads nowhere. What a seat has tried stands at the nodes
// of the tree that it chooses in: its own, or with a single observer that of the seat that searches.
type forest struct {
	seats  int
	single bool // one tree, that of the seat that searches
	split  bool // rivals' trees have a root for each thing that they may know, instead of one
	way    way
	prior  *prior // nil: none

	game   engine.Game  // with all chance events and forced moves shown
	world  engine.Match // of it
	masked engine.Match // a world as a rival knows it
	roller *roller
	luck   engine.Rand // fields, since what is handed to a bot would not stay on the stack
	same   engine.Rand

	trees     []tree
	at        []int32 // the node at which each tree's observer is
	path      []chosen
	came      []float64
	low, high float64 // of all that has come of a simulation: the unit of what is weighed
}

// way is how a simulation goes down the trees.
type way struct {
	puct bool    // by a prior's weights; else UCB1
	c    float64 // how much what was seldom tried is favoured
}

// tree lies in three tables, which are kept from decision to decision.
type tree struct {
	nodes []node
	links []link
	tries []try
}

// node has lists of links and of tries, −1 where they end.
type node struct{ links, tries int32 }

// link is an event and the node that it leads to.
type link struct{ event, to, next int32 }

// try is what is known of an action at a node: how often it could have been taken there, how often it was, and what
// came of that to the seat that took it.
type try struct {
	key         int32 // whose, and what, see keyOf; lists ascend
	next        int32
	avail, n    int32
	sum, square float64
	weight      float64 // of the prior
}

// chosen is a step of a simulation.
type chosen struct{ tree, try, seat int32 }

// actionBits are enough for any action, and for any outcome of chance.
const actionBits = 13

// eventOf is an event as it is seen: by whom, and if it is open also what. Whatever is seen of what goes face down leads to one node.
func eventOf(seat int, a engine.Action, sight engine.Sight) int32 {
	who := int32(seat+2) << actionBits
	if sight == engine.Open {
		return who | int32(a+1)
	}
	return who
}

// keyOf is an action of a seat. Those of one seat ascend with the actions.
func keyOf(seat int, a engine.Action) int32 { return int32(seat)<<actionBits | int32(a) }

// action is what a try is about.
func (y *try) action() engine.Action { return engine.Action(y.key & (1<<actionBits - 1)) }

func (t *tree) clear() {
	t.nodes, t.links, t.tries = t.nodes[:0], t.links[:0], t.tries[:0]
	t.grow()
}

// grow adds a node.
func (t *tree) grow() int32 {
	t.nodes = append(t.nodes, node{-1, -1})
	return int32(len(t.nodes) - 1)
}

// seek is the node that an event leads to, −1 if nobody has been there.
func (t *tree) seek(from, event int32) int32 {
	for i := t.nodes[from].links; i >= 0; i = t.links[i].next {
		if t.links[i].event == event {
			return t.links[i].to
		}
	}
	return -1
}

// follow is the node that an event leads to, a new one if nobody has been there.
func (t *tree) follow(from, event int32) int32 {
	if to := t.seek(from, event); to >= 0 {
		return to
	}
	to := t.grow()
	t.links = append(t.links, link{event, to, t.nodes[from].links})
	t.nodes[from].links = int32(len(t.links) - 1)
	return to
}

// begin forgets everything.
func (f *forest) begin() {
	for i := range f.trees {
		f.trees[i].clear()
	}
	f.low, f.high = math.Inf(1), math.Inf(-1)
}

// simulate plays one world of what the seat that acts in m knows: by the trees until a choice is new, from there on as
// rollouts go. What comes of it is noted at all choices that the trees made.
func (f *forest) simulate(m engine.Match, luck engine.Rand) {
	me := m.Seat()
	f.luck = luck
	f.world.CopyFrom(m)
	f.world.Redeal(me, &f.luck)
	if f.roller.rivals != nil {
		f.roller.rivals.Suppose(f.world, me, &f.luck)
	}
	f.roller.begin(m)
	f.stand(me)
	f.descend(me)
}

// descend plays the world that stands.
func (f *forest) descend(me int) {
	f.path = f.path[:0]
	for fresh := false; !fresh && !f.roller.cut(f.world); {
		seat := f.world.Seat()
		var a engine.Action
		if seat == engine.Chance {
			a = f.world.SampleChance()
		} else if a = f.world.Legal().First(); f.world.Legal().Next(a) >= 0 {
			if a, fresh = f.choose(seat); f.roller.stopped() {
				return
			}
		}
		f.see(me, seat, a)
		apply(f.world, a)
	}
	if err := f.roller.sim.SetBytes(f.world.Bytes()); err != nil {
		panic(err)
	}
	f.luck = f.luck.Split()
	f.roller.luck = f.luck
	if f.roller.finish(false, f.came); !f.roller.stopped() {
		f.learn()
	}
}

// stand puts all observers where they are before anything has happened.
func (f *forest) stand(me int) {
	for v := range f.at {
		f.at[v] = 0
		if f.split && v != me && !f.single {
			f.at[v] = f.trees[v].follow(0, f.holdings(v))
		}
	}
}

// holdings tells worlds apart that an observer can tell apart: everything hidden is dealt in one way.
func (f *forest) holdings(v int) int32 {
	f.masked.CopyFrom(f.world)
	f.same = engine.NewRand(0)
	f.masked.Redeal(v, &f.same)
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h, b := uint64(offset), f.masked.Bytes()
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * prime
	}
	for _, x := range b {
		h = (h ^ uint64(x)) * prime
	}
	return -1 - int32(h>>33) // events are not negative
}

// tree is the one that a seat chooses in.
func (f *forest) tree(seat int) int {
	if f.single {
		return 0
	}
	return seat
}

// see moves all observers on by an event that is about to happen.
func (f *forest) see(me, seat int, a engine.Action) {
	for v := range f.trees {
		view := v
		if f.single {
			view = me
		}
		if sight := f.world.Sight(view, a); sight != engine.Unseen {
			f.at[v] = f.trees[v].follow(f.at[v], eventOf(seat, a, sight))
		}
	}
}

// choose is the action of the seat that decides in the world, by what was tried where it is; fresh if it is new there.
func (f *forest) choose(seat int) (a engine.Action, fresh bool) {
	k := f.tree(seat)
	t := &f.trees[k]
	at := f.at[k]
	f.open(t, at, seat)
	best, most, untried := int32(-1), math.Inf(-1), 0
	legal := f.world.Legal()
	i := t.nodes[at].tries
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		for t.tries[i].key != keyOf(seat, a) {
			i = t.tries[i].next
		}
		y := &t.tries[i]
		y.avail++
		switch {
		case y.n == 0 && !f.way.puct:
			// The new ones first, each as likely.
			if untried++; f.luck.Intn(untried) == 0 {
				best, most = i, math.Inf(1)
			}
		case untried == 0:
			if v := f.score(y); v > most {
				best, most = i, v
			}
		}
	}
	f.path = append(f.path, chosen{int32(k), best, int32(seat)})
	y := &t.tries[best]
	return y.action(), y.n == 0
}

// open gives every legal action of the seat that decides an entry at a node.
func (f *forest) open(t *tree, at int32, seat int) {
	legal := f.world.Legal()
	before, i := int32(-1), t.nodes[at].tries
	first, even := i < 0, 1/float64(legal.Count())
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		key := keyOf(seat, a)
		for i >= 0 && t.tries[i].key < key {
			before, i = i, t.tries[i].next
		}
		if i >= 0 && t.tries[i].key == key {
			continue
		}
		t.tries = append(t.tries, try{key: key, next: i, weight: even})
		i = int32(len(t.tries) - 1)
		if before < 0 {
			t.nodes[at].tries = i
		} else {
			t.tries[before].next = i
		}
	}
	if f.way.puct && first {
		f.weigh(t, at, seat)
	}
}

// weigh writes the prior's weights to a node, for the actions that are legal where it is met first. Others that
// turn up later have an even part.
func (f *forest) weigh(t *tree, at int32, seat int) {
	if f.prior == nil {
		return
	}
	legal := f.world.Legal()
	weights := f.prior.weigh(f.world, &f.luck)
	if f.roller.stopped() {
		return
	}
	i, n := t.nodes[at].tries, 0
	for a := legal.First(); a >= 0; a = legal.Next(a) {
		for t.tries[i].key != keyOf(seat, a) {
			i = t.tries[i].next
		}
		t.tries[i].weight = weights[n]
		n++
	}
}

// score is what speaks for an action that is known: what came of it, between 0 and 1, and the less it was tried of the times
// that it could be, the more.
func (f *forest) score(y *try) float64 {
	q := .5
	if y.n > 0 && f.high > f.low {
		q = (y.sum/float64(y.n) - f.low) / (f.high - f.low)
	}
	if f.way.puct {
		return q + float64(f.way.c*y.weight*math.Sqrt(float64(y.avail)))/float64(1+y.n)
	}
	return q + float64(f.way.c*math.Sqrt(portable.Log(float64(y.avail))/float64(y.n)))
}

// learn notes what came of a simulation.
func (f *forest) learn() {
	for _, v := range f.came {
		f.low, f.high = min(f.low, v), max(f.high, v)
	}
	for _, c := range f.path {
		y, v := &f.trees[c.tree].tries[c.try], f.came[c.seat]
		y.n++
		y.sum += v
		y.square += float64(v * v)
	}
}
