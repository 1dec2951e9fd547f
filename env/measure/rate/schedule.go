package rate

import (
	"slices"

	"github.com/privateer-rl/privateer/engine"
)

// schedule draws tables. It depends on what was drawn before, on the seed and on nothing else.
type schedule struct {
	seats   int
	seed    uint64
	taken   []int   // seats so far, by player
	matches []int   // with a seat or more, by player
	met     [][]int // times that two have sat at one table
}

func newSchedule(players, seats int, seed uint64) *schedule {
	s := &schedule{seats: seats, seed: seed, taken: make([]int, players), matches: make([]int, players), met: make([][]int, players)}
	for i := range s.met {
		s.met[i] = make([]int, players)
	}
	return s
}

// note takes in that a lineup has played a deal, with everybody in each seat.
func (s *schedule) note(lineup []int) {
	for i, a := range lineup {
		s.taken[a] += len(lineup)
		if !slices.Contains(lineup[:i], a) {
			s.matches[a] += len(lineup)
		}
		for _, b := range lineup[:i] {
			if a != b {
				s.met[a][b]++
				s.met[b][a]++
			}
		}
	}
}

// lacking reports whether one of the players may still want matches.
func (s *schedule) lacking(active []int, matches int) bool {
	return slices.ContainsFunc(active, func(i int) bool { return s.matches[i] < matches })
}

// draw seats the table of a deal: first the active player that has played least, then at each seat the player that has met
// those at the table least often. No player has a second seat before all have one.
func (s *schedule) draw(deal uint64, active []int) []int {
	r := engine.NewRand(s.seed).At(deal).At(lineups)
	order := slices.Clone(active)
	for i := len(order) - 1; i > 0; i-- { // by lot, so that ties are
		k := r.Intn(i + 1)
		order[i], order[k] = order[k], order[i]
	}
	var lineup []int
	for len(lineup) < s.seats {
		seated := lineup[len(lineup)/len(order)*len(order):] // in this round of the players
		best, least := -1, [2]int{}
		for _, p := range order {
			if slices.Contains(seated, p) {
				continue
			}
			key := [2]int{0, s.taken[p]}
			for _, q := range seated {
				key[0] += s.met[p][q]
			}
			if best < 0 || slices.Compare(key[:], least[:]) < 0 {
				best, least = p, key
			}
		}
		lineup = append(lineup, best)
	}
	for i := len(lineup) - 1; i > 0; i-- {
		k := r.Intn(i + 1)
		lineup[i], lineup[k] = lineup[k], lineup[i]
	}
	return lineup
}

// lineups is the child stream of a deal by which its table is drawn.
const lineups = 4
