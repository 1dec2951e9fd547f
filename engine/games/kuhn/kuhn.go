package kuhn

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

//go:embed RULES.md
var rulesText string

func init() {
	engine.Register(engine.Definition{
		Name:   "kuhn",
		Title:  "Kuhn poker: one card each, one bet (2 or 3 seats)",
		Params: []engine.Param{{Name: "seats", Default: "2", Choices: engine.Counts(2, MaxSeats), Help: "2 or 3"}},
		New:    newGame,
		Rules:  rulesText,
		Schema: schema,
	})
}

// MaxSeats bounds the seats of any Kuhn match.
const MaxSeats = 3

// The actions. Facing a bet, Pass folds and Bet calls.
const (
	Pass engine.Action = iota
	Bet
	numActions // the outcome "deal=J" and those of the other cards follow
)

// Cards from 1, so that the zero State has none dealt.
const (
	None  = 0
	cards = MaxSeats + 1
)

var (
	actionNames = []string{"pass", "bet"}
	cardNames   = [cards + 1]string{"-", "J", "Q", "K", "A"}
)

// State is a match. It has no padding, so that equal states have equal bytes.
type State struct {
	Rand    engine.Rand
	Hands   [MaxSeats]uint8       // card of each seat, 1 (J) … 4 (A); None before it is dealt
	History [2*MaxSeats - 1]uint8 // decisions so far, action+1; 0 ends the list
}

// rules are those of one number of seats.
type rules struct{ seats int }

func newGame(c engine.Config) (engine.Game, error) {
	seats, err := c.Int("seats", 2, MaxSeats)
	if err != nil {
		return nil, err
	}
	r := rules{seats}
	info := c.Info()
	info.Seats = seats
	info.Actions = actionNames
	for _, card := range cardNames[1:] {
		info.Outcomes = append(info.Outcomes, "deal="+card)
	}
	info.ReturnScale = r.scale()
	info.MaxDecisions = 2*seats - 1
	return engine.Make(info, engine.Rules[State](r))
}

// scale is the most chips that can be won: two from each opponent.
func (r rules) scale() float64 { return float64(2 * (r.seats - 1)) }

func (r rules) Reset(s *State, seed uint64) { *s = State{Rand: engine.NewRand(seed)} }

// decisions is how many have been taken.
func (s *State) decisions() int {
	for i, a := range s.History {
		if a == 0 {
			return i
		}
	}
	return len(s.History)
}

// bettor is the seat that bet first, or −1. As seats act in turn from seat 0,
// decision i is the one of seat i mod seats, and a first bet is among the first
// seats decisions.
func (s *State) bettor() int {
	for i, a := range s.History {
		if a == uint8(Bet)+1 {
			return i
		}
	}
	return -1
}

func (r rules) Seat(s *State) int {
	if r.undealt(s) >= 0 {
		return engine.Chance
	}
	if r.ended(s) {
		return engine.Over
	}
	return s.decisions() % r.seats
}

// ended reports whether the betting is over.
func (r rules) ended(s *State) bool {
	last := r.seats
	if b := s.bettor(); b >= 0 {
		last = b + r.seats
	}
	return s.decisions() >= last
}

func (r rules) Legal(s *State, m *engine.Mask) {
	m.Set(Pass)
	m.Set(Bet)
}

func (r rules) Apply(s *State, a engine.Action) {
	if a >= numActions {
		s.Hands[r.undealt(s)] = uint8(a-numActions) + 1
		return
	}
	s.History[s.decisions()] = uint8(a) + 1
}

// undealt is the next seat to be dealt a card, or −1.
func (r rules) undealt(s *State) int {
	for seat, card := range s.Hands[:r.seats] {
		if card == None {
			return seat
		}
	}
	return -1
}

// left appends the cards that are in no hand.
func (r rules) left(s *State, dst []uint8) []uint8 {
next:
	for card := uint8(1); int(card) <= r.seats+1; card++ {
		for _, held := range s.Hands[:r.seats] {
			if held == card {
				continue next
			}
		}
		dst = append(dst, card)
	}
	return dst
}

func deal(card uint8) engine.Action { return numActions + engine.Action(card-1) }

func (r rules) Outcomes(s *State, dst []engine.Outcome) []engine.Outcome {
	var room [cards]uint8
	left := r.left(s, room[:0])
	for _, card := range left {
		dst = append(dst, engine.Outcome{Action: deal(card), Prob: 1 / float64(len(left))})
	}
	return dst
}

func (r rules) Sample(s *State) engine.Action {
	var room [cards]uint8
	left := r.left(s, room[:0])
	return deal(left[s.Rand.Intn(len(left))])
}

// shown reports whether everybody sees a seat's card: the betting is over, the
// seat is in, and it is not alone.
func (r rules) shown(s *State, seat int) bool {
	if r.Seat(s) != engine.Over || !r.in(s, seat) {
		return false
	}
	for other := range r.seats {
		if other != seat && r.in(s, other) {
			return true
		}
	}
	return false
}

// in reports whether a seat is in for the pot once the betting is over.
func (r rules) in(s *State, seat int) bool {
	b := s.bettor()
	return b < 0 || r.paid(s, seat) == 2
}

// paid is a seat's payment into the pot.
func (r rules) paid(s *State, seat int) int {
	for i := seat; i < len(s.History); i += r.seats {
		if s.History[i] == uint8(Bet)+1 {
			return 2
		}
	}
	return 1
}

// known reports whether seat view knows the card of another.
func (r rules) known(s *State, view, seat int) bool {
	return view == engine.Full || view == seat || s.Hands[seat] == None || r.shown(s, seat)
}

// Sight: each seat sees its own card only.
func (r rules) Sight(s *State, view int, _ engine.Action) engine.Sight {
	if seat := r.undealt(s); seat >= 0 && seat != view {
		return engine.FaceDown
	}
	return engine.Open
}

func (r rules) Redeal(s *State, seat int, rand *engine.Rand) {
	s.Rand = rand.Split()
	if seat == engine.Full {
		return // what comes is all that is hidden
	}
	var hidden [MaxSeats]bool
	for other := range r.seats {
		hidden[other] = !r.known(s, seat, other)
	}
	for other, h := range hidden {
		if h {
			s.Hands[other] = None
		}
	}
	var room [cards]uint8
	for other, h := range hidden {
		if h {
			left := r.left(s, room[:0])
			s.Hands[other] = left[rand.Intn(len(left))]
		}
	}
}

func (r rules) Returns(s *State, dst []float32) {
	clear(dst)
	if r.Seat(s) != engine.Over {
		return
	}
	winner, pot := r.winner(s)
	for seat := range r.seats {
		chips := -r.paid(s, seat)
		if seat == winner {
			chips += pot
		}
		dst[seat] = float32(float64(chips) / r.scale())
	}
}

// winner is the seat that takes the pot once the betting is over, and the amount in it.
func (r rules) winner(s *State) (winner, pot int) {
	winner = -1
	for seat := range r.seats {
		pot += r.paid(s, seat)
		if r.in(s, seat) && (winner < 0 || s.Hands[seat] > s.Hands[winner]) {
			winner = seat
		}
	}
	return winner, pot
}

func (r rules) Scores(*State, int, int, []int32) {}

func (r rules) Decision(s *State) string {
	seat := r.Seat(s)
	switch b := s.bettor(); {
	case seat == engine.Chance:
		return fmt.Sprintf("a card is dealt to seat %d", r.undealt(s))
	case b >= 0:
		return fmt.Sprintf("seat %d answers the bet of seat %d: pass (fold) or bet (call)", seat, b)
	default:
		return fmt.Sprintf("seat %d passes or bets", seat)
	}
}

func (r rules) Render(s *State, view int) string {
	var b strings.Builder
	pot := 0
	for seat := range r.seats {
		pot += r.paid(s, seat)
	}
	fmt.Fprintf(&b, "pot %d\n", pot)
	toAct := r.Seat(s)
	for seat := range r.seats {
		card := "?"
		if r.known(s, view, seat) {
			card = cardNames[s.Hands[seat]]
		}
		var did []string
		for i := seat; i < s.decisions(); i += r.seats {
			did = append(did, actionNames[s.History[i]-1])
		}
		mark := " "
		if seat == toAct {
			mark = ">"
		}
		line := fmt.Sprintf("%s seat %d  card %s  paid %d  %s", mark, seat, card, r.paid(s, seat), strings.Join(did, ", "))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
