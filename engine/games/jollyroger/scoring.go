package jollyroger

import "github.com/privateer-rl/privateer/engine"

// scoreSources are the sources of a score.
var scoreSources = []string{"gold", "jewels", "hostages"}

// doAppraise finds the worth of unsold jewels, one draw for each, clockwise from the Captain.
// Its first argument counts the jewels that have been appraised of Seat's.
//
// Clauses END-2, END-3.
func (r *Rules) doAppraise(s *State, f Frame) {
	seat, done := int(f.Seat), int(f.Arg[0])
	if done < int(s.Prizes[seat][Jewels]+s.Buried[seat][Jewels]) {
		s.Push(frame(DoAppraise, seat, done+1))
		if s.PrizesLeft > 0 {
			s.Push(frame(Appraise, seat))
		} else {
			s.Appraised[seat] += uint8(r.Components.Prizes[Jewels].Value)
			r.note(HasAppraised, seat, noPrize, int(r.Components.Prizes[Jewels].Value))
		}
		return
	}
	if next := r.after(seat, 1); next != int(s.Captain) {
		s.Push(frame(DoAppraise, next, 0))
	} else {
		r.noteEnd(s)
	}
}

// Scores writes the gold of a seat by source, nothing if its prizes are hidden from
// view. Jewels count once they are appraised, at the end.
//
// Clause END-1.
func (r *Rules) Scores(s *State, view, seat int, dst []int32) {
	clear(dst)
	if view != engine.Full && view != seat && !r.PrizesOpen(s) {
		return
	}
	for p := range Prize(NumPrizes) {
		n := int32(s.Prizes[seat][p]) + int32(s.Buried[seat][p])
		switch p {
		case Jewels:
			dst[1] = int32(s.Appraised[seat])
		case Hostage:
			dst[2] = n * r.Components.Prizes[p].Value
		default:
			dst[0] += n * r.Components.Prizes[p].Value
		}
	}
}

// gold is the score of a seat.
func (r *Rules) gold(s *State, seat int) int32 {
	var by [3]int32
	r.Scores(s, engine.Full, seat, by[:])
	return by[0] + by[1] + by[2]
}

// standing orders seats at the end: gold, then rum.
//
// Clause END-5.
func (r *Rules) standing(s *State, seat int) int64 {
	return int64(r.gold(s, seat))<<8 + int64(s.Prizes[seat][Rum]+s.Buried[seat][Rum])
}

// marginScale is the lead over the others' mean that counts as a full return
// with objective=margin.
const marginScale = 15

// behind is how much likelier a seat is to win than one that is a gold behind it,
// for objective=win with rewards=running.
const behind = 1.28

// Returns writes each seat's return, zero before the end unless rewards=running. Rum breaks
// ties in gold; a tie that remains is shared.
//
// Clauses END-4, END-5, END-6.
func (r *Rules) Returns(s *State, dst []float32) {
	over := s.Phase == PhaseOver && s.Depth == 0
	if !over && !r.payment.Running() {
		clear(dst)
		return
	}
	var score [MaxSeats]int32
	var standing [MaxSeats]int64
	for seat := range r.seats {
		score[seat] = r.gold(s, seat)
		standing[seat] = r.standing(s, seat)
	}
	r.payment.Pay(over, standing[:r.seats], score[:r.seats], dst)
}
