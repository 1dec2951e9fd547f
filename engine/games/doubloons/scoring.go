package doubloons

// scoreSources are what a score is made of, in the order of the rulebook; the
// last ones belong to modules and are 0 without them.
var scoreSources = [NumScores]string{
	"jewels", "fragments", "doubloons", "curse", "crew", "reputation",
	"black_jewels", "relics", "sets", "bonuses",
}

// Numbers of the score sources.
const (
	ScoreJewels = iota
	ScoreFragments
	ScoreDoubloons
	ScoreCurse
	ScoreCrew
	ScoreReputation
	ScoreBlackJewels
	ScoreRelics
	ScoreSets
	ScoreBonuses
	NumScores
)

// scoring is a source that a module adds: its number, and the points of a seat.
type scoring struct {
	source int
	points func(*Rules, *State, int) int32
}

// Scores writes the points by source of the ship that a player has. The curse takes 1 from each jewel,
// fragment and doubloon of a ghost ship. All of it lies open.
func (r *Rules) Scores(s *State, _, player int, dst []int32) {
	r.scores(s, r.SeatOf(s, player), dst)
}

// scores are Scores of the ship at a seat.
// Clauses END-1, END-2, END-3, END-4, END-5, END-6, BLACK-11.
func (r *Rules) scores(s *State, seat int, dst []int32) {
	sh := &s.Ships[seat]
	clear(dst)
	treasures := int32(sh.Doubloons) + int32(sum(&sh.Fragments))
	for j := range BlackJewel {
		dst[ScoreJewels] += int32(sh.Jewels[j]) * r.JewelValue[j]
		treasures += int32(sh.Jewels[j])
	}
	dst[ScoreFragments] = 2 * int32(sum(&sh.Fragments))
	dst[ScoreDoubloons] = int32(sh.Doubloons)
	if sh.Ghost {
		dst[ScoreCurse] = -treasures
	}
	dst[ScoreCrew] = int32(sh.Crew)
	dst[ScoreBlackJewels] = int32(sh.Jewels[BlackJewel]) * r.JewelValue[BlackJewel]
	dst[ScoreReputation] = r.ReputationPoints[sh.Reputation]
	for _, more := range r.scorings {
		dst[more.source] = more.points(r, s, seat)
	}
}

func (r *Rules) score(s *State, seat int) int32 {
	var by [NumScores]int32
	r.scores(s, seat, by[:])
	total := int32(0)
	for _, v := range by {
		total += v
	}
	return total
}

// standing orders ships at the end: points, then doubloons.
// Clause END-7.
func (r *Rules) standing(s *State, seat int) int64 {
	return int64(r.score(s, seat))<<8 + int64(s.Ships[seat].Doubloons)
}

// marginScale is the lead over the others' mean that counts as a full return
// with objective=margin.
const marginScale = 20

// behind is how much likelier a seat is to win than one that is a point behind
// it, for objective=win with rewards=running.
const behind = 1.28

// Returns writes each player's return, that of the player's present seat, zero
// before the end unless rewards=running.
// Ties in points are broken by doubloons; what is tied then is shared.
// Clauses END-7, END-8.
func (r *Rules) Returns(s *State, dst []float32) {
	over := s.Phase == PhaseOver
	if !over && !r.payment.Running() {
		clear(dst)
		return
	}
	var score [MaxSeats]int32
	var standing [MaxSeats]int64
	for i := range r.seats {
		seat := r.SeatOf(s, i)
		score[i] = r.score(s, seat)
		standing[i] = r.standing(s, seat)
	}
	r.payment.Pay(over, standing[:r.seats], score[:r.seats], dst)
}
