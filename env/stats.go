package env

import "github.com/privateer-rl/privateer/engine"

// Stats sums up the episodes that ended since the vector was made or ResetStats
// was called.
type Stats struct {
	Episodes       int64     `json:"episodes"`
	Truncated      int64     `json:"truncated"`          // of Episodes
	Limited        int64     `json:"limited"`            // of Truncated, by a limit of the game string and not by Config.MaxDecisions
	Decisions      int64     `json:"decisions"`          // the caller's, of Episodes
	MeanLength     float64   `json:"mean_length"`        // decisions of the caller's in an episode; 0 without episodes
	ReturnBySeat   []float64 `json:"return_by_seat"`     // [P] means; 0 without episodes
	ReturnByPlayer []float64 `json:"return_by_player"`   // [P] the same as by seat unless Config.ShuffleSeats
	WinsBySeat     []float64 `json:"win_rate_by_seat"`   // [P] share of the episodes that were not truncated with the best return; ties are shared out
	WinsByPlayer   []float64 `json:"win_rate_by_player"` // [P]
}

// tallies are kept by row and added up in the order of the rows, so that the
// rounding of sums does not depend on the workers either.
type tallies struct {
	seats   int
	counts  []tally
	returns []float64 // [n, 2, P] sums by seat, by player
	wins    []float64 // [n, 2, P]
}

type tally struct{ episodes, truncated, decisions, limited int64 }

func newTallies(n, seats int) tallies {
	return tallies{seats, make([]tally, n), make([]float64, n*2*seats), make([]float64, n*2*seats)}
}

func (t *tallies) add(i int, length int32, by ending, bySeat, byPlayer []float32) {
	c := &t.counts[i]
	c.episodes++
	c.decisions += int64(length)
	switch by {
	case byLimit:
		c.limited++
		fallthrough
	case byCap:
		c.truncated++
	}
	for k, returns := range [2][]float32{bySeat, byPlayer} {
		at := (2*i + k) * t.seats
		for s, r := range returns {
			t.returns[at+s] += float64(r)
			if by == byRules {
				t.wins[at+s] += engine.WinShare(returns, s)
			}
		}
	}
}

// Stats sums up the episodes since the vector was made or ResetStats, after the
// rows that are under way. It allocates its result.
func (v *Vec) Stats() Stats {
	v.rest()
	p := v.wide.seats
	s := Stats{
		ReturnBySeat: make([]float64, p), ReturnByPlayer: make([]float64, p),
		WinsBySeat: make([]float64, p), WinsByPlayer: make([]float64, p),
	}
	for i, c := range v.tallies.counts {
		s.Episodes += c.episodes
		s.Truncated += c.truncated
		s.Limited += c.limited
		s.Decisions += c.decisions
		for k := range p {
			s.ReturnBySeat[k] += v.tallies.returns[2*i*p+k]
			s.ReturnByPlayer[k] += v.tallies.returns[(2*i+1)*p+k]
			s.WinsBySeat[k] += v.tallies.wins[2*i*p+k]
			s.WinsByPlayer[k] += v.tallies.wins[(2*i+1)*p+k]
		}
	}
	if s.Episodes == 0 {
		return s
	}
	s.MeanLength = float64(s.Decisions) / float64(s.Episodes)
	for k := range p {
		s.ReturnBySeat[k] /= float64(s.Episodes)
		s.ReturnByPlayer[k] /= float64(s.Episodes)
		if whole := s.Episodes - s.Truncated; whole > 0 {
			s.WinsBySeat[k] /= float64(whole)
			s.WinsByPlayer[k] /= float64(whole)
		}
	}
	return s
}

// ResetStats forgets the episodes counted so far.
func (v *Vec) ResetStats() {
	v.rest()
	v.tallies = newTallies(v.n, v.wide.seats)
}
