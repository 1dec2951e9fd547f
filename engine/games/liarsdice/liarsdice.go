package liarsdice

import (
	_ "embed"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/privateer-rl/privateer/engine"
)

//go:embed RULES.md
var rulesText string

func init() {
	engine.Register(engine.Definition{
		Name:  "liars_dice",
		Title: "Liar's Dice: bid on what all dice show, or call (2 to 6 seats)",
		Params: []engine.Param{
			{Name: "seats", Default: "2", Choices: engine.Counts(2, MaxSeats), Help: "2 to 6"},
			{Name: "dice", Default: "1", Choices: engine.Counts(1, MaxDice), Help: "of each seat, 1 to 5"},
			{Name: "faces", Default: "6", Choices: engine.Counts(2, MaxFaces), Help: "of a die, 2 to 6; the highest is wild"},
			{Name: "bidding", Default: "reset_face", Choices: []string{"reset_face", "reset_quantity"}, Help: "what may begin anew in a higher bid: the face if the quantity is greater, or the quantity if the face is higher"},
		},
		New:    newGame,
		Rules:  rulesText,
		Schema: schema,
	})
}

// Limits of a match.
const (
	MaxSeats = 6
	MaxDice  = 5 // of a seat
	MaxFaces = 6
	MaxTotal = MaxSeats * MaxDice
	MaxBids  = MaxTotal * MaxFaces
)

// Liar is the call; the actions before it are bids, those after it the outcomes "roll=1" … "roll=6".
const Liar engine.Action = MaxBids

// Bid is the action that bids a quantity, from 1, of a face, from 1.
func Bid(quantity, face int) engine.Action { return engine.Action((quantity-1)*MaxFaces + face - 1) }

// Of is what a bid says.
func Of(bid engine.Action) (quantity, face int) { return int(bid)/MaxFaces + 1, int(bid)%MaxFaces + 1 }

// State is a match. It has no padding, so that equal states have equal bytes.
type State struct {
	Rand   engine.Rand
	Bids   [3]uint64                // those made, a bit each, by rank: as each is higher than the one before, their order follows
	Dice   [MaxSeats][MaxDice]uint8 // face of each die, those of a seat in ascending order; 0, last, before it is rolled
	Called uint16                   // 1 once the last bidder was called a liar
}

// Rules are the rules of one configuration, with tables of bids by rank, the lowest first.
type Rules struct {
	Seats, Dice, Faces int
	ByFace             bool                                 // bids go up by the face first
	bids               []engine.Action                      // by rank
	rank               [MaxBids]uint8                       // by bid
	above              []engine.Mask                        // legal actions after as many ranks are passed
	holds              [2][(MaxSeats-1)*MaxDice + 1]float64 // chance that at least this many dice of others count: for a face, and for the wild one
}

func newGame(c engine.Config) (engine.Game, error) {
	var r Rules
	for _, p := range []struct {
		to          *int
		name        string
		least, most int
	}{{&r.Seats, "seats", 2, MaxSeats}, {&r.Dice, "dice", 1, MaxDice}, {&r.Faces, "faces", 2, MaxFaces}} {
		var err error
		if *p.to, err = c.Int(p.name, p.least, p.most); err != nil {
			return nil, err
		}
	}
	bidding, err := c.OneOf("bidding", "reset_face", "reset_quantity")
	if err != nil {
		return nil, err
	}
	r.ByFace = bidding == "reset_quantity"
	r.fill()
	info := c.Info()
	info.Seats = r.Seats
	for a := range Liar {
		info.Actions = append(info.Actions, "bid="+written(a))
	}
	info.Actions = append(info.Actions, "liar")
	for face := 1; face <= MaxFaces; face++ {
		info.Outcomes = append(info.Outcomes, fmt.Sprintf("roll=%d", face))
	}
	info.ReturnScale = 1
	info.MaxDecisions = len(r.bids) + 1
	return engine.Make(info, engine.Rules[State](&r))
}

// fill makes the tables.
func (r *Rules) fill() {
	for i := range r.total() * r.Faces {
		if r.ByFace {
			r.bids = append(r.bids, Bid(i%r.total()+1, i/r.total()+1))
		} else {
			r.bids = append(r.bids, Bid(i/r.Faces+1, i%r.Faces+1))
		}
		r.rank[r.bids[i]] = uint8(i)
	}
	r.above = make([]engine.Mask, len(r.bids)+1)
	for passed := range r.above {
		for _, bid := range r.bids[passed:] {
			r.above[passed].Set(bid)
		}
		if passed > 0 {
			r.above[passed].Set(Liar)
		}
	}
	others := (r.Seats - 1) * r.Dice
	for wild, faces := range []float64{2, 1} { // that count
		p := faces / float64(r.Faces)
		exactly := []float64{1} // by how many count, of none, one, two … dice
		for range others {
			next := make([]float64, len(exactly)+1)
			for k, chance := range exactly {
				next[k] += float64(chance * (1 - p))
				next[k+1] += float64(chance * p)
			}
			exactly = next
		}
		for k := others; k >= 0; k-- {
			r.holds[wild][k] = exactly[k]
			if k < others {
				r.holds[wild][k] += r.holds[wild][k+1]
			}
		}
	}
}

// Bids is how many bids there are.
func (r *Rules) Bids() int { return len(r.bids) }

// Rank is the rank of a bid, from 0, the lowest.
func (r *Rules) Rank(bid engine.Action) int { return int(r.rank[bid]) }

// Above are the bids that are higher than the last, the lowest first.
func (r *Rules) Above(s *State) []engine.Action { return r.bids[s.passed():] }

// Holds is the chance that at least a number of others' dice count for a face, if they show each face equally likely.
func (r *Rules) Holds(needed, face int) float64 {
	switch {
	case needed <= 0:
		return 1
	case needed > (r.Seats-1)*r.Dice:
		return 0
	}
	return r.holds[engine.Bit(face == r.Faces)][needed]
}

func (r *Rules) total() int { return r.Seats * r.Dice }

func (r *Rules) Reset(s *State, seed uint64) { *s = State{Rand: engine.NewRand(seed)} }

// unrolled is the seat that is to roll a die, or −1.
func (r *Rules) unrolled(s *State) int {
	for seat := range r.Seats {
		if s.Dice[seat][r.Dice-1] == 0 {
			return seat
		}
	}
	return -1
}

// made is how many bids were made.
func (s *State) made() int {
	return bits.OnesCount64(s.Bids[0]) + bits.OnesCount64(s.Bids[1]) + bits.OnesCount64(s.Bids[2])
}

// passed is how many ranks are no higher than the last bid.
func (s *State) passed() int {
	for word := len(s.Bids) - 1; word >= 0; word-- {
		if s.Bids[word] != 0 {
			return word*64 + bits.Len64(s.Bids[word])
		}
	}
	return 0
}

// Last is the last bid, and who made it; −1 if there is none.
func (r *Rules) Last(s *State) (bid engine.Action, seat int) {
	if s.passed() == 0 {
		return -1, -1
	}
	return r.bids[s.passed()-1], (s.made() - 1) % r.Seats
}

// History appends the bids that were made, in their order.
func (r *Rules) History(s *State, dst []engine.Action) []engine.Action {
	for word, set := range s.Bids {
		for ; set != 0; set &= set - 1 {
			dst = append(dst, r.bids[word*64+bits.TrailingZeros64(set)])
		}
	}
	return dst
}

func (r *Rules) Seat(s *State) int {
	switch {
	case s.Called != 0:
		return engine.Over
	case s.Dice[r.Seats-1][r.Dice-1] == 0:
		return engine.Chance
	}
	return s.made() % r.Seats
}

func (r *Rules) Legal(s *State, m *engine.Mask) { *m = r.above[s.passed()] }

func (r *Rules) Apply(s *State, a engine.Action) {
	switch {
	case a > Liar:
		s.roll(r.unrolled(s), uint8(a-Liar))
	case a == Liar:
		s.Called = 1
	default:
		s.Bids[r.rank[a]/64] |= 1 << (r.rank[a] % 64)
	}
}

// roll gives a seat a die that shows a face.
func (s *State) roll(seat int, face uint8) {
	dice := &s.Dice[seat]
	at := 0
	for at < MaxDice && dice[at] != 0 && dice[at] <= face {
		at++
	}
	copy(dice[at+1:], dice[at:])
	dice[at] = face
}

func (r *Rules) Outcomes(_ *State, dst []engine.Outcome) []engine.Outcome {
	for face := range r.Faces {
		dst = append(dst, engine.Outcome{Action: Liar + 1 + engine.Action(face), Prob: 1 / float64(r.Faces)})
	}
	return dst
}

func (r *Rules) Sample(s *State) engine.Action {
	return Liar + 1 + engine.Action(s.Rand.Intn(r.Faces))
}

// known reports whether seat view knows the dice of another.
func (s *State) known(view, seat int) bool {
	return view == engine.Full || view == seat || s.Dice[seat][0] == 0 || s.Called != 0
}

// Sight: each seat sees its own dice only.
func (r *Rules) Sight(s *State, view int, _ engine.Action) engine.Sight {
	if seat := r.unrolled(s); seat >= 0 && seat != view {
		return engine.FaceDown
	}
	return engine.Open
}

func (r *Rules) Redeal(s *State, seat int, rand *engine.Rand) {
	s.Rand = rand.Split()
	for other := range r.Seats {
		if s.known(seat, other) {
			continue
		}
		var dice [MaxDice]uint8
		dice, s.Dice[other] = s.Dice[other], dice
		for _, face := range dice {
			if face != 0 {
				s.roll(other, uint8(rand.Intn(r.Faces))+1)
			}
		}
	}
}

// Retrace goes back to a bid of another seat: all of them are remembered, and open.
func (r *Rules) Retrace(s *State, seat, step int, past *State) (took engine.Action, secret, ok bool) {
	var room [MaxBids]engine.Action
	for i, bid := range r.History(s, room[:0]) {
		if i%r.Seats == seat {
			continue
		}
		if step--; step < 0 {
			*past = *s
			past.Called = 0
			for _, later := range room[i:s.made()] {
				past.Bids[r.rank[later]/64] &^= 1 << (r.rank[later] % 64)
			}
			return bid, false, true
		}
	}
	if step == 0 && s.Called != 0 && s.made()%r.Seats != seat {
		*past = *s
		past.Called = 0
		return Liar, false, true
	}
	return -1, false, false
}

// Retake has nothing to change: nobody decides in secret.
func (r *Rules) Retake(*State, int, int, engine.Action) {}

// Count is how many of a seat's dice count for a face.
func (r *Rules) Count(s *State, seat, face int) int {
	n := 0
	for _, die := range s.Dice[seat][:r.Dice] {
		n += int(engine.Bit(int(die) == face || int(die) == r.Faces))
	}
	return n
}

// result is who wins and who loses once the last bidder was called, and how many dice count.
func (r *Rules) result(s *State) (winner, loser, count int) {
	bid, bidder := r.Last(s)
	quantity, face := Of(bid)
	for seat := range r.Seats {
		count += r.Count(s, seat, face)
	}
	caller := s.made() % r.Seats
	if count >= quantity {
		return bidder, caller, count
	}
	return caller, bidder, count
}

func (r *Rules) Returns(s *State, dst []float32) {
	clear(dst)
	if s.Called != 0 {
		winner, loser, _ := r.result(s)
		dst[winner], dst[loser] = 1, -1
	}
}

func (r *Rules) Scores(*State, int, int, []int32) {}

func (r *Rules) Decision(s *State) string {
	bid, bidder := r.Last(s)
	switch seat := r.Seat(s); {
	case seat == engine.Chance:
		return fmt.Sprintf("seat %d rolls a die", r.unrolled(s))
	case seat == engine.Over:
		return "the match is over"
	case bid < 0:
		return fmt.Sprintf("seat %d makes the first bid", seat)
	default:
		return fmt.Sprintf("seat %d bids higher than the %s of seat %d, or calls it a liar", seat, said(bid), bidder)
	}
}

// said is a bid in words.
func said(bid engine.Action) string {
	quantity, face := Of(bid)
	return fmt.Sprintf("%d × %d", quantity, face)
}

func (r *Rules) Render(s *State, view int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d dice of %d faces; %d is wild\n", r.total(), r.Faces, r.Faces)
	acts := r.Seat(s)
	history := r.History(s, nil)
	for seat := range r.Seats {
		mark := " "
		if seat == acts {
			mark = ">"
		}
		var did []string
		for i := seat; i < len(history); i += r.Seats {
			did = append(did, said(history[i]))
		}
		if s.Called != 0 && len(history)%r.Seats == seat {
			did = append(did, "liar")
		}
		line := fmt.Sprintf("%s seat %d  dice %s  %s", mark, seat, strings.Join(r.faces(s, view, seat), " "), strings.Join(did, ", "))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// faces are the dice of a seat as another sees them: "?" of those it may not know, "-" of those that are not rolled.
func (r *Rules) faces(s *State, view, seat int) []string {
	names := slices.Repeat([]string{"-"}, r.Dice)
	for i, face := range s.Dice[seat][:r.Dice] {
		switch {
		case face != 0 && !s.known(view, seat):
			names[i] = "?"
		case face != 0:
			names[i] = faceNames[face]
		}
	}
	return names
}

var faceNames = [MaxFaces + 1]string{"-", "1", "2", "3", "4", "5", "6"}
