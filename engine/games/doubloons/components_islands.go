//go:build !js

package doubloons

import (
	"slices"
	"strings"
)

// This file checks and compiles the paths of the two islands.

// spaces are the locations that an island may use, and those it must.
type spaces struct {
	table        string
	may, must    []int
	start, goals []int
}

func span(from, to int) (list []int) {
	for n := from; n <= to; n++ {
		list = append(list, n)
	}
	return list
}

func standardSpaces() spaces {
	s := spaces{table: "standard_board", start: []int{NodeBeach}, goals: []int{NodeM}}
	s.must = []int{NodeBeach, NodeM}
	s.may = append(append(span(NodeC1, NodeP5), NodeBeach), NodeM)
	return s
}

func alternateSpaces() spaces {
	s := spaces{table: "alternate_board", start: span(NodeB1, NodeB5), goals: []int{NodeX}}
	s.must = append(append(span(NodeB1, NodeB5), span(NodeT1, NodeT4)...), NodeX)
	for _, n := range append(span(NodeC1, NodeP5), s.must...) {
		if n != NodeV6 {
			s.may = append(s.may, n)
		}
	}
	return s
}

func nodeColour(n int) uint8 {
	switch {
	case n >= NodeC1 && n <= NodeC5:
		return ColourBlue
	case n >= NodeV1 && n <= NodeV6:
		return ColourYellow
	case n >= NodeP1 && n <= NodeP5 || n == NodeX:
		return ColourRed
	case n >= NodeT1 && n <= NodeT4:
		return ColourGreen
	}
	return ColourNone
}

// paths reads the ways of an island by location. It notes unknown and repeated
// ones; ok is whether there were none.
func (b *box) paths(s spaces, got map[string][]string) (ways [NumNodes][]int, ok bool) {
	before := len(b.problems)
	var names []string
	allowed := map[string]bool{}
	for _, n := range s.may {
		names = append(names, nodeNames[n])
		allowed[nodeNames[n]] = true
	}
	for _, from := range sortedKeys(got) {
		if !allowed[from] {
			b.wrong(s.table, from, "unknown location: want %s", strings.Join(names, ", "))
			continue
		}
		used := map[string]bool{from: true}
		for _, to := range got[from] {
			switch {
			case !allowed[to]:
				b.wrong(s.table, from, "way to %q: want %s", to, strings.Join(names, ", "))
				continue
			case used[to]:
				b.wrong(s.table, from, "the way to %s leads nowhere new: name each other location once", to)
				continue
			}
			used[to] = true
			n := slices.Index(nodeNames[:], from)
			ways[n] = append(ways[n], slices.Index(nodeNames[:], to))
		}
	}
	return ways, len(b.problems) == before
}

// stepsTo is the fewest steps along ways from each location to a goal, Unreached
// if there is no way.
func stepsTo(ways [NumNodes][]int, goals []int) (steps [NumNodes]int) {
	for n := range steps {
		steps[n] = Unreached
	}
	for _, g := range goals {
		steps[g] = 0
	}
	for range NumNodes { // each pass settles at least the next distance
		for n, list := range ways {
			for _, to := range list {
				steps[n] = min(steps[n], steps[to]+1)
			}
		}
	}
	for n := range steps {
		steps[n] = min(steps[n], Unreached)
	}
	return steps
}

// connected notes locations that are used but not reached from a start, or from
// which there is no way to the goal, or that must be there and are not.
func (b *box) connected(s spaces, ways [NumNodes][]int) (toGoal [NumNodes]int, ok bool) {
	before := len(b.problems)
	var back [NumNodes][]int
	var used [NumNodes]bool
	for n, list := range ways {
		for _, to := range list {
			back[to] = append(back[to], n)
			used[n], used[to] = true, true
		}
	}
	for _, n := range s.must {
		if !used[n] {
			b.wrong(s.table, nodeNames[n], "no way leads there: the island needs it")
		}
	}
	toGoal = stepsTo(ways, s.goals)
	fromStart := stepsTo(back, s.start)
	for n, there := range used {
		if there && fromStart[n] == Unreached {
			b.wrong(s.table, nodeNames[n], "it is not reached from %s", nodeNames[s.start[0]])
		}
		if there && toGoal[n] == Unreached {
			b.wrong(s.table, nodeNames[n], "no way leads from it to %s", nodeNames[s.goals[0]])
		}
	}
	return toGoal, len(b.problems) == before
}

func (b *box) standardBoard(got map[string][]string) {
	s := standardSpaces()
	for n := range b.Distance {
		b.Distance[n] = Unreached
		b.Colour[n] = nodeColour(n)
	}
	ways, ok := b.paths(s, got)
	if !ok {
		return
	}
	for n, list := range ways {
		if len(list) > len(b.Next[n]) {
			b.wrong(s.table, nodeNames[n], "%d ways lead on: want at most %d", len(list), len(b.Next[n]))
			return
		}
		for k, to := range list {
			b.Next[n][k] = uint8(to)
		}
		b.NextN[n] = uint8(len(list))
	}
	if b.NextN[NodeM] > 0 {
		b.wrong(s.table, nodeNames[NodeM], "ways lead on: the mount ends every path")
	}
	if n := circle(ways); n >= 0 {
		b.wrong(s.table, nodeNames[n], "the ways from it lead back to it: captains move forward only")
		return
	}
	steps, ok := b.connected(s, ways)
	if !ok {
		return
	}
	for n, d := range steps {
		b.Distance[n] = uint8(d)
	}
}

// circle is a location from which ways lead back to itself, or −1.
func circle(ways [NumNodes][]int) int {
	for n := range ways {
		around := stepsTo(ways, []int{n})
		for _, to := range ways[n] {
			if around[to] != Unreached {
				return n
			}
		}
	}
	return -1
}

func (b *box) alternateBoard(got map[string][]string) {
	s := alternateSpaces()
	for n := range b.AlternateDistance {
		b.AlternateDistance[n] = Unreached
	}
	links, ok := b.paths(s, got)
	if !ok {
		return
	}
	ways := links
	for n, list := range links {
		for _, to := range list {
			for _, again := range links[to] {
				if again == n {
					b.wrong(s.table, nodeNames[n], "the link to %s stands in its row and in the other's: name it once", nodeNames[to])
					return
				}
			}
			if (n == NodeX || to == NodeX) && (min(n, to) < NodeT1 || min(n, to) > NodeT4) {
				b.wrong(s.table, nodeNames[n], "the link to %s: the crater touches T1 to T4 only", nodeNames[to])
			}
			ways[to] = append(ways[to], n)
		}
	}
	steps, ok := b.connected(s, ways)
	if !ok {
		return
	}
	for n, list := range ways {
		if len(list) > len(b.AlternateNext[n]) {
			b.wrong(s.table, nodeNames[n], "%d links meet: want at most %d", len(list), len(b.AlternateNext[n]))
			return
		}
		for k, to := range list {
			b.AlternateNext[n][k] = uint8(to)
		}
		b.AlternateNextN[n] = uint8(len(list))
		b.AlternateDistance[n] = uint8(steps[n])
	}
}
