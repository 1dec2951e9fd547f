package doubloons

// The module Advanced Scoring: points at the end for the only ship with the
// most of something.

const bonusPoints = 3

func furnishScoring(r *Rules) {
	r.prizes = prizes[:]
	r.scorings = append(r.scorings, scoring{ScoreBonuses, (*Rules).bonuses})
}

// prizes are what the bonuses are for, as how much of it a ship has.
var prizes = [...]func(*Ship) int{
	func(sh *Ship) int { return int(sh.Doubloons) },
	func(sh *Ship) int { return sum(&sh.Jewels) }, // black ones too
	func(sh *Ship) int { return int(sh.Reputation) },
	func(sh *Ship) int { return int(sh.Hull) + int(sh.Crew) }, // the most complete ship
	mostCompleteMap: func(sh *Ship) int {
		symbols := 0
		for _, n := range sh.Fragments {
			symbols += min(1, int(n))
		}
		return symbols
	},
}

// mostCompleteMap is the prize that the alternate island replaces by its sets.
const mostCompleteMap = 4

// bonuses are the points that a seat's ship wins. A tie wins none; the legendary
// ghost ship may take a prize from all seats.
// Clauses PRIZE-1, PRIZE-2, PRIZE-3, PRIZE-4, PRIZE-5, PRIZE-6, LEG-19.
func (r *Rules) bonuses(s *State, seat int) int32 {
	points := int32(0)
	for _, has := range r.prizes {
		most := has(&s.Ships[seat])
		alone := true
		for _, i := range r.fleet {
			if i != seat && has(&s.Ships[i]) >= most {
				alone = false
			}
		}
		if alone {
			points += bonusPoints
		}
	}
	return points
}
