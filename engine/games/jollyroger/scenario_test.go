package jollyroger

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/enginetest"
)

// scenario is a match that a rule is tried on: chance is explicit and forced moves are
// shown, so that a test says everything that happens.
type scenario struct {
	t testing.TB
	m engine.Match
	r *Rules
	*State
}

// given sets up round 2 at the beginning of a phase. Seat 0 is Captain and seat 1
// Quartermaster. Each player is told as "crew cards | prizes | buried prizes"; the decks have
// the rest. edit changes what else the scenario is about.
func given(t testing.TB, phase Phase, players []string, edit ...func(s *State)) scenario {
	t.Helper()
	m, r := explicitMatch(t, len(players))
	s := State{}
	r.Reset(&s, 1)
	s.Depth, s.Frames = 0, [maxFrames]Frame{}
	s.Round, s.Phase, s.Captain, s.Quartermaster = 2, phase, 0, 1
	if !r.officers {
		s.Quartermaster = s.Captain
	}
	s.Stacks[Fort] &^= 1 << 3 // fort_4 was the first round's
	if phase == PhasePrizes || phase == PhasePunishment {
		s.Stacks[Settlement] &^= 1 << 3 // this round's voyage
	}
	for seat, text := range players {
		part := strings.Split(text+"||", "|")
		s.Hands[seat] = crew(part[0])
		s.Size[seat] = uint8(sum(s.Hands[seat][:]))
		s.Free[seat] = s.Size[seat]
		s.Prizes[seat], s.Buried[seat] = prizes(part[1]), prizes(part[2])
		for c, n := range s.Hands[seat] {
			s.Deck[c] -= n
		}
		for p := range s.PrizeDeck {
			s.PrizeDeck[p] -= s.Prizes[seat][p] + s.Buried[seat][p]
		}
	}
	for _, e := range edit {
		e(&s)
	}
	s.DeckSize, s.PrizesLeft = uint8(sum(s.Deck[:])), uint8(sum(s.PrizeDeck[:]))
	if s.Depth == 0 {
		p := &reading{r: r, s: &s}
		if p.resume(); len(p.List) > 0 {
			t.Fatal(p.Err())
		}
	}
	sc := scenario{t, m, r, engine.State[State](m)}
	*sc.State = s
	if err := m.SetBytes(slices.Clone(m.Bytes())); err != nil {
		t.Fatal(err)
	}
	return sc.sound()
}

// attack is a voyage to a destination that is attacked, whose card is not revealed yet.
func attack(t testing.TB, d Destination, players []string, edit ...func(s *State)) scenario {
	t.Helper()
	return given(t, PhaseAttack, players, append([]func(s *State){func(s *State) { s.Destination = d }}, edit...)...)
}

// sharing has prizes shared out.
func sharing(t testing.TB, spoils string, players []string, edit ...func(s *State)) scenario {
	t.Helper()
	return given(t, PhasePrizes, players, append([]func(s *State){func(s *State) {
		s.Spoils = prizes(spoils)
		for p, n := range s.Spoils {
			s.PrizeDeck[p] -= n
		}
	}}, edit...)...)
}

// inPort is a Pirate Port whose card is not revealed yet.
func inPort(t testing.TB, players []string, edit ...func(s *State)) scenario {
	t.Helper()
	return given(t, PhasePort, players, edit...)
}

// in has scenarios made with more parameters: given(in(t, "bribes=talk"), …).
func in(t testing.TB, params string) testing.TB { return enginetest.In(t, params) }

func explicitMatch(t testing.TB, seats int) (engine.Match, *Rules) {
	t.Helper()
	return enginetest.Explicit[State, *Rules](t, "jolly_roger", seats)
}

// sound checks what holds of every state.
func (sc scenario) sound() scenario {
	sc.t.Helper()
	if err := sc.r.Check(sc.State); err != nil {
		sc.t.Fatalf("%v, at: %s", err, sc.m.Decision())
	}
	return sc
}

// do applies actions and outcomes by name, separated by semicolons. "0 pass" says too that it
// is seat 0 that passes, "chance crew=any" that chance acts.
func (sc scenario) do(actions string) scenario {
	sc.t.Helper()
	for _, text := range strings.Split(actions, ";") {
		text = strings.TrimSpace(text)
		who, name, named := strings.Cut(text, " ")
		if !named {
			name = who
		}
		actor := fmt.Sprint(sc.m.Seat())
		if sc.m.Seat() == engine.Chance {
			actor = "chance"
		}
		if named && who != actor {
			sc.t.Fatalf("%q: %s is to act (%s)", text, engine.SeatName(sc.m.Seat()), sc.m.Decision())
		}
		a, err := sc.m.Info().ParseAction(name)
		if err == nil {
			err = sc.m.Apply(a)
		}
		if err != nil {
			sc.t.Fatalf("%q in %q: %v (%s)", text, actions, err, sc.m.Decision())
		}
		sc.sound()
	}
	return sc
}

// options are the names of what is legal, or possible if chance is to act.
func (sc scenario) options() []string {
	names := []string{}
	for _, o := range sc.m.Outcomes(nil) {
		names = append(names, sc.m.Info().ActionName(o.Action))
	}
	for a := sc.m.Legal().First(); a >= 0; a = sc.m.Legal().Next(a) {
		names = append(names, sc.m.Info().ActionName(a))
	}
	slices.Sort(names)
	return names
}

// legal checks exactly what is legal (or possible, if chance is to act), separated by blanks.
func (sc scenario) legal(names string) scenario {
	sc.t.Helper()
	want := strings.Fields(names)
	slices.Sort(want)
	if got := sc.options(); !slices.Equal(got, want) {
		sc.t.Fatalf("legal for %s: %s; want %s (%s)", engine.SeatName(sc.m.Seat()),
			strings.Join(got, " "), strings.Join(want, " "), sc.m.Decision())
	}
	return sc
}

// illegal checks that none of some actions is legal.
func (sc scenario) illegal(names string) scenario {
	sc.t.Helper()
	for _, name := range strings.Fields(names) {
		if slices.Contains(sc.options(), name) {
			sc.t.Errorf("%s is legal for %s (%s)", name, engine.SeatName(sc.m.Seat()), sc.m.Decision())
		}
	}
	return sc
}

// asks checks who decides, and what kind of decision it is.
func (sc scenario) asks(seat int, k Kind) scenario {
	sc.t.Helper()
	if f := sc.Top(); f.Kind != k || int(f.Seat) != seat {
		sc.t.Fatalf("%s of seat %d; want %s of seat %d (%s)", f.Kind, f.Seat, k, seat, sc.m.Decision())
	}
	return sc
}

// next checks only what kind of decision or chance event comes.
func (sc scenario) next(k Kind) scenario {
	sc.t.Helper()
	if f := sc.Top(); f.Kind != k {
		sc.t.Fatalf("%s; want %s (%s)", f.Kind, k, sc.m.Decision())
	}
	return sc
}

// until passes, and otherwise takes what comes first, until a decision of a kind is asked.
func (sc scenario) until(k Kind) scenario {
	sc.t.Helper()
	for n := 0; sc.Next() != k; n++ {
		if sc.m.Seat() == engine.Over || n > 2000 {
			sc.t.Fatalf("the match never reached %s", k)
		}
		sc.step()
	}
	return sc
}

func (sc scenario) step() {
	sc.t.Helper()
	a := sc.m.Legal().First()
	switch {
	case sc.m.Seat() == engine.Chance:
		a = sc.m.Outcomes(nil)[0].Action
	case sc.m.Legal().Has(ToPass):
		a = ToPass
	case sc.m.Legal().Has(ToSpare):
		a = ToSpare
	}
	if err := sc.m.Apply(a); err != nil {
		sc.t.Fatal(err)
	}
	sc.sound()
}

// hand checks a hand.
func (sc scenario) hand(seat int, want string) scenario {
	sc.t.Helper()
	check(sc.t, fmt.Sprintf("hand of seat %d", seat), listed(sc.Hands[seat][:], crewNames), listedAs(crew(want)))
	return sc
}

// owns checks unburied prizes.
func (sc scenario) owns(seat int, want string) scenario {
	sc.t.Helper()
	p := prizes(want)
	check(sc.t, fmt.Sprintf("prizes of seat %d", seat), listed(sc.Prizes[seat][:], prizeNames), listed(p[:], prizeNames))
	return sc
}

// hides checks buried prizes.
func (sc scenario) hides(seat int, want string) scenario {
	sc.t.Helper()
	p := prizes(want)
	check(sc.t, fmt.Sprintf("buried prizes of seat %d", seat), listed(sc.Buried[seat][:], prizeNames), listed(p[:], prizeNames))
	return sc
}

// discarded checks the discard of crew cards.
func (sc scenario) discarded(want string) scenario {
	sc.t.Helper()
	check(sc.t, "discard", listed(sc.Discard[:], crewNames), listedAs(crew(want)))
	return sc
}

// check compares what a rule did with what it should.
func check[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v; want %v", what, got, want)
	}
}

func listedAs(counts [NumCrew]uint8) string { return listed(counts[:], crewNames) }

func listed(counts []uint8, names []string) string {
	var list []string
	for i, n := range counts {
		for range n {
			list = append(list, names[i])
		}
	}
	return strings.Join(list, " ")
}

func crew(text string) (counts [NumCrew]uint8) {
	tallied(text, crewNames, counts[:])
	return counts
}

func prizes(text string) (counts [NumPrizes]uint8) {
	tallied(text, prizeNames, counts[:])
	return counts
}

func tallied(text string, names []string, counts []uint8) {
	for _, word := range strings.Fields(text) {
		i := slices.Index(names, word)
		if i < 0 {
			panic("no card " + word)
		}
		counts[i]++
	}
}

// allDiscarded lays the crew deck on the discard, except some cards, which stay.
func allDiscarded(but string) func(s *State) {
	return func(s *State) {
		left := crew(but)
		for c, n := range left {
			s.Discard[c] = s.Deck[c] - n
		}
		s.Deck = left
	}
}

// prizeDeck leaves some prizes in the deck and discards the others.
func prizeDeck(left string) func(s *State) {
	return func(s *State) {
		keep := prizes(left)
		for p, n := range keep {
			s.PrizeOut[p] = s.PrizeDeck[p] - n
		}
		s.PrizeDeck = keep
	}
}

// view is what tests read of a position as a seat sees it.
type view struct {
	Players []struct {
		Hand, Prizes, Buried map[string]int
	}
	Stack []struct {
		Kind string
		Seat int
	}
	Sightings []struct {
		Card    string
		Among   []int
		KnownBy []int `json:"known_by"`
	}
	Offer, Spoils map[string]int
}

// position is the match as a seat sees it.
func (sc scenario) position(seat int) (v view) {
	sc.t.Helper()
	text, err := sc.m.Position(seat)
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		sc.t.Fatal(err)
	}
	return v
}
