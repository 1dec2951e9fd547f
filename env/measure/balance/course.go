package balance

import (
	"slices"

	"github.com/privateer-rl/privateer/engine"
)

// course is how a match with scores went: who led when.
type course struct {
	seats    int
	standing []int32 // points of each seat after each decision, one after the other

	known     bool    // the game has scores
	comeback  float64 // 1 if the winner did not lead halfway, in part if the win is shared
	fromLast  float64 // 1 if the winner was last then
	leads     float64 // how often another seat took the sole lead
	settled   float64 // part of the match after which the winner led to the end; 0 … 1
	margin    float64 // points between first and second
	winnerHas float64 // points of the first
}

func (c *course) begin(info *engine.Info) {
	c.seats, c.known = info.Seats, len(info.ScoreSources) > 0
}

// note records the points of all seats; points is room for a score.
func (c *course) note(m engine.Match, points []int32) {
	if !c.known {
		return
	}
	for seat := range c.seats {
		m.Scores(engine.Full, seat, points)
		total := int32(0)
		for _, n := range points {
			total += n
		}
		c.standing = append(c.standing, total)
	}
}

// at is the points of all seats after a decision.
func (c *course) at(k int) []int32 { return c.standing[k*c.seats : (k+1)*c.seats] }

// end sums up for the seats that have won, by their shares, and releases what
// was noted.
func (c *course) end(win []float64) {
	n := 0
	if c.seats > 0 {
		n = len(c.standing) / c.seats
	}
	if !c.known || n == 0 {
		c.known = false
		return
	}
	half, last := c.at(n/2), slices.Clone(c.at(n-1))
	leader := -1
	for k := range n {
		if now := alone(c.at(k)); now >= 0 && now != leader {
			if leader >= 0 {
				c.leads++
			}
			leader = now
		}
	}
	for seat, part := range win {
		if part == 0 {
			continue
		}
		if half[seat] < slices.Max(half) {
			c.comeback += part
		}
		if half[seat] < slices.Max(half) && half[seat] == slices.Min(half) {
			c.fromLast += part
		}
		k := n
		for k > 0 && c.at(k - 1)[seat] == slices.Max(c.at(k-1)) {
			k--
		}
		c.settled += part * float64(k) / float64(n)
	}
	slices.Sort(last)
	c.winnerHas = float64(last[c.seats-1])
	if c.seats > 1 {
		c.margin = float64(last[c.seats-1] - last[c.seats-2])
	}
	c.standing = nil
}

// alone is the only seat that has the most, or −1.
func alone(points []int32) int {
	best := slices.Index(points, slices.Max(points))
	if slices.Contains(points[best+1:], points[best]) {
		return -1
	}
	return best
}
