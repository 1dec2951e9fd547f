package jollyroger

import "github.com/privateer-rl/privateer/engine"

// Reset sets the game up. The Captain card dealt among as many crew cards as there
// are other players makes each seat Captain with equal chance, and leaves all hands
// of one size after the extra cards; so the Captain is drawn first, then the hands.
//
// Clauses SET-2, SET-3, SET-6, SET-7, SET-8.
func (r *Rules) Reset(s *State, seed uint64) {
	*s = State{
		Rand: engine.NewRand(seed), Phase: PhaseSetup, Stacks: r.stacks,
		Captain: noSeat, Quartermaster: noSeat, Mutineer: noSeat, Guard: noSeat,
		Destination: nowhere, Target: noTarget,
	}
	for c := range s.Deck {
		s.Deck[c] = r.Crew[c].Copies
		s.DeckSize += r.Crew[c].Copies
	}
	for p := range s.PrizeDeck {
		s.PrizeDeck[p] = r.Components.Prizes[p].Copies
		s.PrizesLeft += r.Components.Prizes[p].Copies
	}
	s.Push(frame(DoRound, 0))
	s.Push(frame(ChooseCaptain, 0))
}

// Seed implements engine.Seeder.
func (r *Rules) Seed(s *State, seed uint64) { s.Rand = engine.NewRand(seed) }

// dealHands deals the first hands, one card at a time, clockwise from the Captain.
//
// Clause SET-4.
func (r *Rules) dealHands(s *State) {
	s.Push(frame(DoDeal, int(s.Captain), r.seats*int(r.StartHand[r.seats])))
}
