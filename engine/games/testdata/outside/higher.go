// Package outside is a small complete game in a module of its own: rules, what is observed, a player. Nothing in privateer
// knows of it; importing it is enough to play, step, train and serve it.
//
// Higher: in turn each of two seats is dealt a card from 1 to 6 in secret, and keeps it or changes it, twice at most, for
// a card drawn from the rest; then the higher card wins. RULES.md says it by clause.
package outside

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/privateer-rl/privateer/encode"
	"github.com/privateer-rl/privateer/engine"
	"github.com/privateer-rl/privateer/engine/kit/frames"
	"github.com/privateer-rl/privateer/engine/kit/position"
	"github.com/privateer-rl/privateer/engine/players/bots"
)

const (
	seats   = 2
	cards   = 6
	changes = 2 // of a seat, at most
)

//go:embed RULES.md
var rulesText string

func init() {
	engine.Register(engine.Definition{Name: "higher", Title: "Higher: keep a card or change it", New: newGame, Rules: rulesText, Schema: schema})
	encode.Register("higher", func(g engine.Game) (*encode.Encoder, error) {
		return encode.New[row, full](g, 1, write, hidden), nil
	})
	bots.Register(bots.Kind{Name: "threshold", Game: "higher", New: func(engine.Game) (bots.Bot, error) { return threshold{}, nil }})
}

// Kind tells the frames of the decision stack apart.
type Kind uint8

const (
	drawCard Kind = iota + 1
	askKeep
)

// There is room for 32 frames, more than the games of the house need.
type frame = engine.Frame[Kind]

// State is one match.
type State struct {
	Rand  engine.Rand
	Cards [seats]int8 // 0 before it is dealt
	Spare [5]uint8    // no byte of the state is padding
	engine.Stack[Kind, [32]frame]
}

var forms = frames.New(
	frames.Form[Kind]{
		Kind: drawCard, Name: "draw_card", Seat: frames.Number(0, seats-1), Args: frames.Args("left", frames.Number(0, changes)),
		On: "- draw_card", Says: "chance: seat {seat} draws a card",
	},
	frames.Form[Kind]{
		Kind: askKeep, Name: "ask_keep", Seat: frames.Number(0, seats-1), Args: frames.Args("left", frames.Number(1, changes)),
		On: "- draw_card", Says: "seat {seat}: keep your card or change it, {left} times at most",
	},
)

// turn is how a seat's turn begins; there is none after the last seat's.
func turn(seat int) frame {
	if seat == seats {
		return frame{}
	}
	return engine.NewFrame(drawCard, seat, changes)
}

const (
	keep engine.Action = iota
	change
	drawn // card=1, the first outcome of chance
)

type rules struct{}

func newGame(c engine.Config) (engine.Game, error) {
	info := c.Info()
	info.Seats, info.MaxDecisions = seats, seats*changes
	info.Actions = []string{"keep", "change"}
	for card := 1; card <= cards; card++ {
		info.Outcomes = append(info.Outcomes, fmt.Sprintf("card=%d", card))
	}
	return engine.Make(info, engine.Rules[State](rules{}))
}

func (rules) Reset(s *State, seed uint64) {
	*s = State{Rand: engine.NewRand(seed)}
	for seat := seats - 1; seat >= 0; seat-- {
		s.Push(turn(seat))
	}
}

func (rules) Seat(s *State) int {
	switch f := s.Top(); f.Kind {
	case askKeep:
		return int(f.Seat)
	case drawCard:
		return engine.Chance
	}
	return engine.Over
}

func (rules) Legal(_ *State, m *engine.Mask) {
	m.Set(keep)
	m.Set(change)
}

func (rules) Apply(s *State, a engine.Action) {
	f := s.Pop()
	seat, left := int(f.Seat), int(f.Arg[0])
	switch {
	case a == change:
		s.Push(engine.NewFrame(drawCard, seat, left-1))
	case a >= drawn:
		s.Cards[seat] = int8(a-drawn) + 1
		if left > 0 {
			s.Push(engine.NewFrame(askKeep, seat, left))
		}
	}
}

func (rules) Outcomes(s *State, dst []engine.Outcome) []engine.Outcome {
	first := len(dst)
	for card := range int8(cards) {
		if s.Cards[0] != card+1 && s.Cards[1] != card+1 {
			dst = append(dst, engine.Outcome{Action: drawn + engine.Action(card)})
		}
	}
	for i := range dst[first:] {
		dst[first+i].Prob = 1 / float64(len(dst)-first)
	}
	return dst
}

func (r rules) Sample(s *State) engine.Action {
	var room [cards]engine.Outcome
	all := r.Outcomes(s, room[:0])
	return all[s.Rand.Intn(len(all))].Action
}

func (r rules) known(s *State, view, seat int) bool {
	return view == engine.Full || view == seat || r.Seat(s) == engine.Over || s.Cards[seat] == 0
}

func (r rules) Redeal(s *State, seat int, rand *engine.Rand) {
	s.Rand = rand.Split()
	if other := 1 - seat; !r.known(s, seat, other) {
		s.Cards[other] = 0
		var room [cards]engine.Outcome
		all := r.Outcomes(s, room[:0])
		s.Cards[other] = int8(all[rand.Intn(len(all))].Action-drawn) + 1
	}
}

// Sight: each sees its own card only.
func (rules) Sight(s *State, view int, a engine.Action) engine.Sight {
	if a >= drawn && int(s.Top().Seat) != view {
		return engine.FaceDown
	}
	return engine.Open
}

func (r rules) Returns(s *State, dst []float32) {
	clear(dst)
	switch {
	case r.Seat(s) != engine.Over:
	case s.Cards[0] > s.Cards[1]:
		dst[0], dst[1] = 1, -1
	default:
		dst[0], dst[1] = -1, 1
	}
}

func (rules) Scores(*State, int, int, []int32) {}

func (rules) Decision(s *State) string { return forms.Says(s.Top(), nil) }

func (r rules) Render(s *State, view int) string {
	text := ""
	for seat := range seats {
		card := position.Hidden
		if r.known(s, view, seat) {
			card = fmt.Sprint(s.Cards[seat])
		}
		text += fmt.Sprintf("seat %d: %s\n", seat, card)
	}
	return text
}

func (r rules) Position(s *State, view int) any {
	var o position.Object
	list, stack := []any{}, []position.Object{}
	for seat := range seats {
		if r.known(s, view, seat) {
			list = append(list, s.Cards[seat])
		} else {
			list = append(list, position.Hidden)
		}
	}
	for _, f := range s.Frames[:s.Depth] {
		stack = append(stack, forms.Write(f))
	}
	o.Add("cards", list)
	o.Add("stack", stack)
	if view == engine.Full {
		o.Add("generator", s.Rand)
	}
	return o
}

func (r rules) SetPosition(s *State, data []byte) error {
	root, err := position.Parse(data)
	if err != nil {
		return err
	}
	var faults position.Faults
	faults.IsObject(root, "cards", "stack", "generator", "seed")
	r.Reset(s, 0)
	s.Rand = faults.Generator(root)
	for seat, v := range faults.IsList(root.Get("cards"), seats) {
		s.Cards[seat] = int8(faults.Number(v, 0, cards, 0))
	}
	if list := root.Get("stack"); list != nil {
		s.Depth, s.Frames = 0, [32]frame{}
		for _, v := range faults.IsList(list, seats) {
			below, f := s.Top(), forms.Read(&faults, v, nil)
			if len(faults.List) == 0 && forms.InRange(&faults, v.Path, f) && forms.Stands(&faults, v.Path, f, below) {
				if next := turn(int(f.Seat) + 1); below != next {
					faults.Wrong(v.Path, "below the turn of seat %d comes that of the next, from its beginning", f.Seat)
				}
				s.Push(f)
			}
		}
	}
	if s.Cards[0] == s.Cards[1] && s.Cards[0] != 0 {
		faults.Wrong("cards", "there is one of each")
	}
	for seat, card := range s.Cards {
		if begins := slices.Contains(s.Frames[:s.Depth], turn(seat)); begins != (card == 0) {
			faults.Wrong("cards", "seat %d: want 0 until its turn has begun, and a card from then on", seat)
		}
	}
	return faults.Err()
}

func schema() string {
	return position.ObjectOf(
		position.Named{Name: "cards", Shape: position.ListOf(position.Either(position.Whole(0, cards), position.OneOf(position.Hidden)), seats).Of("the card of each seat; 0 before it is dealt")},
		position.Named{Name: "stack", Shape: forms.Shape(seats).Of("what is still to be decided, next last")},
		position.Named{Name: "generator", Shape: position.GeneratorShape()},
		position.Named{Name: "seed", Shape: position.Long()},
	).Schema("Position of Higher")
}

// row is the observation of a seat.
type row struct {
	Card  [cards]uint8 `name:"self.card" doc:"one-hot: one's card"`
	First uint8        `name:"self.first" doc:"one is asked first"`
	Asked uint8        `name:"decision.self" max:"2" doc:"how often one may still change one's card if one is asked now"`
}

type full struct {
	row
	Other [cards]uint8 `name:"hidden.card" doc:"one-hot: the other's card"`
}

func write(m engine.Match, seat int, dst []uint8) {
	s, to := engine.State[State](m), encode.As[row](dst)
	if c := s.Cards[seat]; c > 0 {
		to.Card[c-1] = 1
	}
	to.First = engine.Bit(seat == 0)
	if m.Seat() == seat {
		to.Asked = uint8(s.Top().Arg[0])
	}
}

func hidden(m engine.Match, seat int, dst []uint8) {
	s, to := engine.State[State](m), encode.As[full](dst)
	if c := s.Cards[1-seat]; c > 0 {
		to.Other[c-1] = 1
	}
}

// threshold changes low cards.
type threshold struct{}

func (threshold) Name() string { return "threshold" }

func (threshold) Act(m engine.Match, _ *engine.Rand) engine.Action {
	if s := engine.State[State](m); int(s.Cards[m.Seat()]) <= cards/2 {
		return change
	}
	return keep
}
