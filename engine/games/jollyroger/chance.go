package jollyroger

import "github.com/privateer-rl/privateer/engine"

// odds are the kinds that chance may decide on, each with its weight: counts by
// kind, and the outcome of the first kind.
//
// Clauses HAND-6, ATT-6.
func (r *Rules) odds(s *State, f Frame) (first engine.Action, weights []uint8) {
	switch f.Kind {
	case ChooseCaptain:
		return OnCaptain, ones[:r.seats]
	case DealCrew:
		return OnCrew, s.Deck[:]
	case DealPool:
		return OnCrew, s.Played[:]
	case DealTarget:
		d := int(s.Destination)
		return OnTarget + engine.Action(d*StackSize), subsets[s.Stacks[d]][:stackCards(s.Destination)]
	case DealSpoils, DealPrize, Appraise:
		return OnPrize, s.PrizeDeck[:]
	case StealCrew:
		return OnCrew, s.Hands[f.Arg[0]][:]
	case LoseCrew:
		return OnCrew, s.Hands[f.Seat][:]
	case StealBuried:
		return OnPrize, s.Buried[f.Arg[0]][:]
	case StealPrize:
		return OnPrize, s.Prizes[f.Arg[0]][:]
	}
	panic("jollyroger: no chance event: " + f.Kind.String())
}

// ones are equal weights, subsets those of the members of each set of eight.
var (
	ones    [MaxSeats]uint8
	subsets [256][StackSize]uint8
)

func init() {
	for i := range ones {
		ones[i] = 1
	}
	for set := range subsets {
		for i := range StackSize {
			subsets[set][i] = uint8(set >> i & 1)
		}
	}
}

// Outcomes appends what chance may decide now.
func (r *Rules) Outcomes(s *State, dst []engine.Outcome) []engine.Outcome {
	first, weights := r.odds(s, s.Top())
	total := sum(weights)
	for i, w := range weights {
		if w > 0 {
			dst = append(dst, engine.Outcome{Action: first + engine.Action(i), Prob: float64(w) / float64(total)})
		}
	}
	return dst
}

// Sample draws an outcome.
func (r *Rules) Sample(s *State) engine.Action {
	f := s.Top()
	first, weights := r.odds(s, f)
	total := int(s.DeckSize)
	if f.Kind != DealCrew {
		total = sum(weights)
	}
	return first + engine.Action(nth(weights, s.Rand.Intn(total)))
}

// nth is the kind of the k-th card.
func nth(counts []uint8, k int) int {
	for i, n := range counts {
		if k -= int(n); k < 0 {
			return i
		}
	}
	panic("jollyroger: fewer cards than counted")
}

// happen performs an outcome of the chance event f, which has left the stack.
//
// Clause PUN-4.
func (r *Rules) happen(s *State, f Frame, a engine.Action) {
	seat := int(f.Seat)
	crew, prize := Card(a-OnCrew), Prize(a-OnPrize)
	switch f.Kind {
	case ChooseCaptain:
		r.becomeCaptain(s, int(a-OnCaptain))
		r.dealHands(s)
	case DealCrew:
		s.draw(seat, crew)
		r.noteTo(1<<seat, HasDrawn, seat, int(crew))
		r.reshuffle(s)
	case DealPool:
		r.dealt(s, seat, crew)
	case DealTarget:
		r.revealed(s, int(a-OnTarget))
	case DealSpoils:
		r.drawPrize(s, prize)
		s.Spoils[prize]++
		r.notePrize(0, HasSpoils, 0, int(prize))
	case DealPrize:
		r.drawPrize(s, prize)
		s.Prizes[seat][prize]++
		r.notePrize(1<<seat, HasDrawnPrize, seat, int(prize))
		s.Frames[s.Depth-2].Arg[drawnAt]++ // of DoSell, below DoPrizes
	case Appraise:
		r.drawPrize(s, prize)
		s.PrizeOut[prize]++
		s.Appraised[seat] += uint8(r.Components.Prizes[prize].Value)
		r.note(HasAppraised, seat, int(prize), int(r.Components.Prizes[prize].Value))
	case StealCrew:
		s.move(int(f.Arg[0]), seat, crew)
		r.noteTo(1<<f.Arg[0]|1<<seat, HasGotCard, seat, int(crew), int(f.Arg[0]), asTheft)
	case LoseCrew:
		s.discard(seat, crew)
		r.note(HasDiscarded, seat, int(crew))
	case StealBuried:
		r.steal(s, seat, int(f.Arg[0]), prize)
	case StealPrize:
		r.givePrize(s, int(f.Arg[0]), seat, prize, asClaim)
	}
}

func (r *Rules) drawPrize(s *State, p Prize) {
	s.PrizeDeck[p]--
	s.PrizesLeft--
}
