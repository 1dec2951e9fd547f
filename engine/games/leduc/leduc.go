package leduc

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

//go:embed RULES.md
var rulesText string

func init() {
	engine.Register(engine.Definition{
		Name:   "leduc",
		Title:  "Leduc hold'em: six cards, two betting rounds (2 seats)",
		New:    newGame,
		Rules:  rulesText,
		Schema: schema,
	})
}

// The actions. With nothing to pay, Call checks.
const (
	Fold engine.Action = iota
	Call
	Raise
	numActions // the outcomes follow: "deal=J" … "deal=K", then "public=J" … "public=K"
)

const (
	seats  = 2
	rounds = 2
	ranks  = 3
	suits  = 2
	None   = 0 // no card; the ranks are 1 (J), 2 (Q) and 3 (K)

	ante     = 1
	maxRound = MaxRaises + 2 // check, raise, raise, call
)

// MaxRaises is how often a round may be raised.
const MaxRaises = 2

// RaiseBy is what a raise adds, by round.
var RaiseBy = [rounds]uint8{2, 4}

// mostPaid is a seat's payment if every raise was made.
const mostPaid = ante + MaxRaises*(2+4)

var (
	actionNames = []string{"fold", "call", "raise"}
	rankNames   = [ranks + 1]string{"-", "J", "Q", "K"}
)

// State is a match. It has no padding, so that equal states have equal bytes.
type State struct {
	Rand    engine.Rand
	Hands   [seats]uint8            // rank of each seat's card; None before it is dealt
	Public  uint8                   // rank of the public card; None before it is dealt
	Round   uint8                   // 0, 1; rounds after the last
	Raises  uint8                   // in this round
	Folded  uint8                   // 1 + the seat that folded, or 0
	Paid    [seats]uint8            // chips of each seat in the pot
	History [rounds][maxRound]uint8 // decisions by round, action+1; 0 ends a list
}

type rules struct{}

func newGame(c engine.Config) (engine.Game, error) {
	info := c.Info()
	info.Seats = seats
	info.Actions = actionNames
	for _, event := range []string{"deal=", "public="} {
		for _, rank := range rankNames[1:] {
			info.Outcomes = append(info.Outcomes, event+rank)
		}
	}
	info.ReturnScale = mostPaid
	info.MaxDecisions = rounds * maxRound
	return engine.Make(info, engine.Rules[State](rules{}))
}

func (rules) Reset(s *State, seed uint64) {
	*s = State{Rand: engine.NewRand(seed), Paid: [seats]uint8{ante, ante}}
}

// actions is how many a list of History has: its bytes up to the last that is not 0.
func actions(list *[maxRound]uint8) int {
	return (bits.Len32(binary.LittleEndian.Uint32(list[:])) + 7) / 8
}

// undealt is the seat that is to be dealt a card, or −1.
func (s *State) undealt() int {
	switch {
	case s.Hands[0] == None:
		return 0
	case s.Hands[1] == None:
		return 1
	}
	return -1
}

// ended reports whether no decision is left.
func (s *State) ended() bool { return s.Folded > 0 || s.Round == rounds }

func (rules) Seat(s *State) int {
	switch {
	case s.undealt() >= 0, s.Round > 0 && s.Public == None:
		return engine.Chance
	case s.ended():
		return engine.Over
	}
	return s.turn()
}

// turn is the seat whose turn it is during the betting.
func (s *State) turn() int { return actions(&s.History[s.Round]) % seats }

func (rules) Legal(s *State, m *engine.Mask) {
	seat := s.turn()
	// A processor cannot foresee these: branches would cost more than all the rest.
	m[0] |= uint64(engine.Bit(s.Paid[1-seat] > s.Paid[seat])<<Fold | 1<<Call | engine.Bit(s.Raises < MaxRaises)<<Raise)
}

func (rules) Apply(s *State, a engine.Action) {
	switch {
	case a >= numActions+ranks:
		s.Public = uint8(a-numActions-ranks) + 1
	case a >= numActions:
		s.Hands[s.undealt()] = uint8(a-numActions) + 1
	default:
		s.decide(a)
	}
}

// decide performs the action of the seat whose turn it is.
func (s *State) decide(a engine.Action) {
	list := &s.History[s.Round]
	n := actions(list)
	seat := n % seats
	// In one piece, because that is how it is read next: a processor that must put a word together from bytes that are
	// still on their way to memory waits for them.
	binary.LittleEndian.PutUint32(list[:], binary.LittleEndian.Uint32(list[:])|(uint32(a)+1)<<(8*n))
	switch a {
	case Fold:
		s.Folded = uint8(seat) + 1
	case Raise:
		s.Paid[seat] = s.Paid[1-seat] + RaiseBy[s.Round]
		s.Raises++
	case Call:
		s.Paid[seat] = s.Paid[1-seat]
		if n > 0 {
			s.Round++
			s.Raises = 0
		}
	}
}

// left counts the cards of each rank that are in no hand and not public.
func (s *State) left() (count [ranks + 1]int, total int) {
	for rank := 1; rank <= ranks; rank++ {
		count[rank] = suits
		total += suits
	}
	for _, card := range [...]uint8{s.Hands[0], s.Hands[1], s.Public} {
		if card != None {
			count[card]--
			total--
		}
	}
	return count, total
}

// draw draws one of the cards left.
func (s *State) draw(r *engine.Rand) uint8 {
	count, total := s.left()
	k := r.Intn(total)
	return 1 + engine.Bit(k >= count[1]) + engine.Bit(k >= count[1]+count[2])
}

// event is the outcome by which chance decides on a card of rank 0: the hands
// come first, then the public card.
func (s *State) event() engine.Action {
	if s.undealt() >= 0 {
		return numActions - 1
	}
	return numActions + ranks - 1
}

func (rules) Outcomes(s *State, dst []engine.Outcome) []engine.Outcome {
	count, total := s.left()
	for rank := 1; rank <= ranks; rank++ {
		if count[rank] > 0 {
			dst = append(dst, engine.Outcome{
				Action: s.event() + engine.Action(rank),
				Prob:   float64(count[rank]) / float64(total),
			})
		}
	}
	return dst
}

func (rules) Sample(s *State) engine.Action {
	return s.event() + engine.Action(s.draw(&s.Rand))
}

// known reports whether seat view knows the card of another.
func (s *State) known(view, seat int) bool {
	shown := s.Round == rounds && s.Folded == 0 && s.undealt() < 0 && s.Public != None
	return view == engine.Full || view == seat || s.Hands[seat] == None || shown
}

// Sight: each seat sees its own card only.
func (rules) Sight(s *State, view int, _ engine.Action) engine.Sight {
	if seat := s.undealt(); seat >= 0 && seat != view {
		return engine.FaceDown
	}
	return engine.Open
}

func (rules) Redeal(s *State, seat int, r *engine.Rand) {
	s.Rand = r.Split()
	if seat == engine.Full {
		return // what comes is all that is hidden
	}
	if other := 1 - seat; !s.known(seat, other) {
		s.Hands[other] = None
		s.Hands[other] = s.draw(r)
	}
}

func (rules) Returns(s *State, dst []float32) {
	clear(dst)
	if (rules{}).Seat(s) != engine.Over {
		return
	}
	winner := s.winner()
	if winner < 0 {
		return // shared: both have paid the same
	}
	won := float32(s.Paid[1-winner]) / mostPaid
	dst[winner], dst[1-winner] = won, -won
}

// winner is the seat that takes the pot at the end, or −1 if it is shared.
func (s *State) winner() int {
	if s.Folded > 0 {
		return 1 - int(s.Folded-1)
	}
	strength := func(seat int) uint8 {
		if s.Hands[seat] == s.Public {
			return ranks + 1
		}
		return s.Hands[seat]
	}
	switch a, b := strength(0), strength(1); {
	case a > b:
		return 0
	case b > a:
		return 1
	}
	return -1
}

func (rules) Scores(*State, int, int, []int32) {}

func (r rules) Decision(s *State) string {
	seat := r.Seat(s)
	switch {
	case seat == engine.Chance && s.undealt() >= 0:
		return fmt.Sprintf("a card is dealt to seat %d", s.undealt())
	case seat == engine.Chance:
		return "the public card is turned up"
	case seat == engine.Over:
		return "the match is over"
	}
	return fmt.Sprintf("seat %d acts in round %d, with %d to call and %d of %d raises made",
		seat, s.Round+1, s.Paid[1-seat]-s.Paid[seat], s.Raises, MaxRaises)
}

func (r rules) Render(s *State, view int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "round %d  public %s  pot %d\n", min(int(s.Round)+1, rounds), rankNames[s.Public], s.Paid[0]+s.Paid[1])
	toAct := r.Seat(s)
	for seat := range seats {
		card := "?"
		if s.known(view, seat) {
			card = rankNames[s.Hands[seat]]
		}
		mark := " "
		if seat == toAct {
			mark = ">"
		}
		fmt.Fprintf(&b, "%s seat %d  card %s  paid %d\n", mark, seat, card, s.Paid[seat])
	}
	for round := range rounds {
		if names := actionList(&s.History[round]); len(names) > 0 {
			fmt.Fprintf(&b, "  round %d: %s\n", round+1, strings.Join(names, ", "))
		}
	}
	return b.String()
}

// actionList names the decisions of a round.
func actionList(list *[maxRound]uint8) []string {
	names := []string{}
	for _, a := range list[:actions(list)] {
		names = append(names, actionNames[a-1])
	}
	return names
}
